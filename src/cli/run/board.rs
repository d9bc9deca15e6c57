//! Progress of many trials, on stderr: one bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use nyaya_agents::case::Case;
use nyaya_agents::run::Outcome;
use nyaya_agents::runner::Watcher;
use nyaya_agents::session::{Cost, Observer, Prices, Progress};

use super::show::Watch;
use crate::cli::progress::Bars;

/// Failures that are told of one by one; further ones are counted.
const MOST_TOLD: u64 = 20;

/// How a run is shown.
pub struct Board {
    bars: Arc<Bars>,
    bar: ProgressBar,
    quiet: bool,
    /// Every step of every trial, for a few trials one after the other.
    steps: bool,
    total: u64,
    since: Instant,
    sums: Arc<Sums>,
}

type NameOf = dyn Fn(&str) -> String + Send + Sync;

/// What was added up over all trials.
struct Sums {
    bar: ProgressBar,
    finished: AtomicU64,
    failed: AtomicU64,
    tokens: AtomicU64,
    unmeasured: AtomicU64,
    cost: Mutex<Cost>,
    last: Mutex<Instant>,
    prices: Prices,
    /// Name of a role's model.
    name_of: Box<NameOf>,
}

impl Board {
    /// A board for so many trials; `name_of` gives the name of a role's model.
    pub fn new(
        bars: Arc<Bars>,
        quiet: bool,
        total: usize,
        steps: bool,
        prices: Prices,
        name_of: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Self {
        let shown = !quiet && !steps && std::io::stderr().is_terminal();
        let bar = if shown {
            let style = ProgressStyle::with_template("  {bar:30} {pos}/{len} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(total as u64).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        } else {
            ProgressBar::hidden()
        };
        let sums = Arc::new(Sums {
            bar: bar.clone(),
            finished: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            tokens: AtomicU64::new(0),
            unmeasured: AtomicU64::new(0),
            cost: Mutex::default(),
            last: Mutex::new(Instant::now()),
            prices,
            name_of: Box::new(name_of),
        });
        Self { bars, bar, quiet, steps, total: total as u64, since: Instant::now(), sums }
    }

    /// Takes the bar away.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self) -> String {
        let sums = &self.sums;
        let ended = sums.finished.load(Ordering::SeqCst) + sums.failed.load(Ordering::SeqCst);
        format!("  {ended}/{}: {}{}", self.total, sums.text(), self.eta(ended))
    }

    fn eta(&self, ended: u64) -> String {
        if ended == 0 || ended >= self.total {
            return String::new();
        }
        let left = self.since.elapsed().as_secs_f64() / ended as f64 * (self.total - ended) as f64;
        format!(", about {} left", duration(left))
    }
}

/// Seconds for people.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

impl Sums {
    fn text(&self) -> String {
        let n = |a: &AtomicU64| a.load(Ordering::SeqCst);
        let cost = *self.cost.lock().unwrap_or_else(PoisonError::into_inner);
        let tokens = match (n(&self.tokens), n(&self.unmeasured)) {
            (0, 1..) => "tokens unknown".to_owned(),
            (t, 0) => format!("{t} tokens"),
            (t, u) => format!("at least {t} tokens ({u} calls unmeasured)"),
        };
        format!(
            "{} finished, {} failed, {tokens}, cost {}",
            n(&self.finished),
            n(&self.failed),
            cost.shown(&self.prices.currency)
        )
    }
}

impl Watcher for Board {
    fn trial(&self, _: &Case, _: u32) -> Arc<dyn Observer> {
        if self.steps {
            return Arc::new(Watch::new(Arc::clone(&self.bars), self.quiet));
        }
        let sums = Arc::clone(&self.sums);
        Arc::new(move |progress: &Progress<'_>| {
            let Progress::Answered { reply, actor, .. } = progress else { return };
            let usage = reply.usage;
            match (usage.prompt_tokens, usage.completion_tokens) {
                (Some(read), Some(written)) => sums.tokens.fetch_add(read + written, Ordering::SeqCst),
                _ => sums.unmeasured.fetch_add(1, Ordering::SeqCst),
            };
            let cost = Cost::of(sums.prices.of(&(sums.name_of)(&actor.role)), usage);
            sums.cost.lock().unwrap_or_else(PoisonError::into_inner).add(cost);
            sums.bar.set_message(sums.text());
        })
    }

    fn ended(&self, outcome: &Outcome) {
        let sums = &self.sums;
        if outcome.finished {
            sums.finished.fetch_add(1, Ordering::SeqCst);
        } else if outcome.failed {
            let failed = sums.failed.fetch_add(1, Ordering::SeqCst) + 1;
            let name = format!("{}-{}", outcome.case, outcome.repeat);
            let why = outcome.stopped.as_deref().unwrap_or_default();
            let why = why.lines().find(|l| !l.starts_with("hint:")).unwrap_or_default();
            if failed <= MOST_TOLD && !self.quiet {
                self.bar.suspend(|| eprintln!("  {name} failed: {why}"));
            }
        }
        if self.quiet || self.steps {
            return;
        }
        self.bar.inc(1);
        let ended = sums.finished.load(Ordering::SeqCst) + sums.failed.load(Ordering::SeqCst);
        if self.bar.is_hidden() {
            let mut last = sums.last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() >= Duration::from_secs(10) || ended == self.total {
                *last = Instant::now();
                eprintln!("{}", self.line());
            }
        } else {
            self.bar.set_message(format!("{}{}", sums.text(), self.eta(ended)));
        }
    }
}
