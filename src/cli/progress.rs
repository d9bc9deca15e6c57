//! Progress of long work, on stderr: bars on a terminal, a line a step elsewhere.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use nyaya_retrieval::assets::Progress;

/// Shows steps.
pub struct Bars {
    quiet: bool,
    terminal: bool,
    state: Mutex<Option<(ProgressBar, String, Instant)>>,
}

impl Bars {
    /// Nothing at all if `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self { quiet, terminal: std::io::stderr().is_terminal(), state: Mutex::new(None) }
    }

    /// One line for people.
    pub fn say(&self, line: &str) {
        if !self.quiet {
            eprintln!("{line}");
        }
    }
}

impl Progress for Bars {
    fn begin(&self, what: &str, total: u64) {
        if self.quiet {
            return;
        }
        let bar = if !self.terminal {
            if total > 100 {
                eprintln!("  {what} …");
            }
            ProgressBar::hidden()
        } else if total == 0 {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        } else {
            let bytes = total > 200_000;
            let count = if bytes { "{bytes}/{total_bytes} {bytes_per_sec}" } else { "{pos}/{len} {per_sec}" };
            let style = ProgressStyle::with_template(&format!("  {{msg}} {{bar:30}} {count} {{eta}}"))
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total).with_style(style)
        };
        bar.set_message(what.to_owned());
        if let Ok(mut state) = self.state.lock() {
            *state = Some((bar, what.to_owned(), Instant::now()));
        }
    }

    fn at(&self, done: u64) {
        if let Ok(state) = self.state.lock()
            && let Some((bar, ..)) = state.as_ref()
        {
            bar.set_position(done);
        }
    }

    fn end(&self) {
        if let Ok(mut state) = self.state.lock()
            && let Some((bar, what, since)) = state.take()
        {
            bar.finish_and_clear();
            if !self.quiet {
                eprintln!("  {what}: {:.1} s", since.elapsed().as_secs_f64());
            }
        }
    }
}
