//! Many trials: cases times repeats, as many at once as the models take calls.
//!
//! Trials begin in the order of the cases, so that the first ones are through first. Twice as many are open as calls
//! may be in flight: while some of them count votes or write to the disk, others keep the models busy. The models'
//! own limit holds over all of them. Each trial is a task of its own, so that all cores read replies and make prompts.
//!
//! A trial that fails is told of and the others go on, unless the endpoint is plainly dead: then no further trial
//! begins. Nothing that was recorded is lost in either case, and the same again goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use futures::StreamExt as _;
use serde::Serialize;
use tokio::runtime::Handle;

use crate::case::Case;
use crate::chat::ChatError;
use crate::run::{Outcome, Run, RunError};
use crate::session::{Counts, Observer, Progress, SessionError};
use crate::task;

/// Trials open at once at most, whatever the models take: each holds two files open.
const MOST_OPEN: usize = 256;

/// Failures of the endpoint one after the other, without any reply between them, after which it counts as dead
/// (more where more calls are in flight).
const DEAD_AFTER: usize = 3;

/// Watches a run.
pub trait Watcher: Send + Sync {
    /// Watches a trial that begins.
    fn trial(&self, case: &Case, repeat: u32) -> Arc<dyn Observer>;
    /// A trial has ended, one way or another.
    fn ended(&self, outcome: &Outcome);
}

/// Watches nothing.
impl Watcher for () {
    fn trial(&self, _: &Case, _: u32) -> Arc<dyn Observer> {
        Arc::new(())
    }

    fn ended(&self, _: &Outcome) {}
}

/// What came of a run.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The trials that were begun, in the order of the cases.
    pub trials: Vec<Outcome>,
    /// Trials that were to be held.
    pub planned: usize,
    /// Calls, tokens and cost of all of them.
    pub total: Counts,
    /// Why no further trial was begun; `None` if all were.
    pub stopped: Option<String>,
}

impl Report {
    /// Trials that came to their end.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.trials.iter().filter(|t| t.finished).count()
    }

    /// Trials that failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.trials.iter().filter(|t| t.failed).count()
    }

    /// Whether every trial came to its end.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.finished() == self.planned
    }
}

/// Holds all trials of a run, or goes on with them.
///
/// # Panics
/// If a trial panics.
pub async fn hold(run: &Arc<Run>, cases: &[Case], repeats: u32, watcher: &dyn Watcher) -> Report {
    let open =
        if run.record().config.court.one_by_one() { 1 } else { (2 * run.concurrency()).min(MOST_OPEN) };
    // A model that takes one call at a time is busy with one trial.
    let open = if run.concurrency() == 1 { 1 } else { open };
    let health = Arc::new(Health::new(run.concurrency()));
    let budget = AtomicBool::new(false);
    let stopped = std::sync::Mutex::new(None);
    let plan: Vec<(usize, &Case, u32)> = cases
        .iter()
        .flat_map(|c| (0..repeats).map(move |r| (c, r)))
        .enumerate()
        .map(|(i, (c, r))| (i, c, r))
        .collect();
    let planned = plan.len();
    let mut trials: Vec<(usize, Outcome)> = futures::stream::iter(plan)
        .map(|(i, case, repeat)| {
            let (health, budget, stopped) = (Arc::clone(&health), &budget, &stopped);
            async move {
                if run.stop().is_set() || health.dead() || budget.load(Ordering::SeqCst) {
                    return None;
                }
                let observer =
                    Arc::new(Pulse { inner: watcher.trial(case, repeat), health: Arc::clone(&health) });
                let (own, case) = (Arc::clone(run), case.clone());
                let trial = async move { own.attempt(&case, repeat, observer).await };
                let (outcome, error) = task::on(&Handle::current(), trial).await;
                let why = match &error {
                    Some(RunError::Session(SessionError::Chat { source, .. })) if health.failed(source) => {
                        Some(format!("the endpoint is dead: {source}"))
                    }
                    Some(RunError::Session(SessionError::Budget { .. })) => {
                        budget.store(true, Ordering::SeqCst);
                        outcome.stopped.clone()
                    }
                    Some(RunError::Session(SessionError::Stopped { .. })) => Some("asked to stop".to_owned()),
                    // Later trials would remember other things than if this one had been held first.
                    Some(e) if run.record().config.court.one_by_one() => {
                        budget.store(true, Ordering::SeqCst);
                        Some(format!("each trial builds on the ones before it: {e}"))
                    }
                    _ => None,
                };
                if let (Some(why), Ok(mut stopped)) = (why, stopped.lock()) {
                    stopped.get_or_insert(why);
                }
                watcher.ended(&outcome);
                Some((i, outcome))
            }
        })
        .buffer_unordered(open)
        .filter_map(async |t| t)
        .collect()
        .await;
    trials.sort_by_key(|(i, _)| *i);
    let trials: Vec<Outcome> = trials.into_iter().map(|(_, t)| t).collect();
    let mut total = Counts::default();
    for trial in &trials {
        total.add(trial.counts);
    }
    let stopped = stopped.into_inner().unwrap_or_default();
    let stopped = stopped
        .or_else(|| (run.stop().is_set() && trials.len() < planned).then(|| "asked to stop".to_owned()));
    Report { trials, planned, total, stopped }
}

/// Whether the endpoint is alive.
struct Health {
    limit: usize,
    replies: AtomicU64,
    failures: AtomicUsize,
    dead: AtomicBool,
}

impl Health {
    fn new(concurrency: usize) -> Self {
        Self {
            limit: DEAD_AFTER.max(concurrency),
            replies: AtomicU64::new(0),
            failures: AtomicUsize::new(0),
            dead: AtomicBool::new(false),
        }
    }

    fn dead(&self) -> bool {
        self.dead.load(Ordering::SeqCst)
    }

    fn replied(&self) {
        self.replies.fetch_add(1, Ordering::SeqCst);
        self.failures.store(0, Ordering::SeqCst);
    }

    /// Counts a failure; says whether the endpoint is plainly dead.
    fn failed(&self, error: &ChatError) -> bool {
        let failures = self.failures.fetch_add(1, Ordering::SeqCst) + 1;
        let never = self.replies.load(Ordering::SeqCst) == 0;
        let plain = match error {
            // The key, the account, the model's name or its template will not do for any trial.
            ChatError::Status { status: 401..=404, .. } | ChatError::Silent { .. } => true,
            // Of the reply to one request, not of the endpoint.
            ChatError::ContextLength { .. } => return false,
            ChatError::Unreachable { .. } | ChatError::Nonsense { .. } => never,
            _ => false,
        };
        if plain || failures >= self.limit {
            self.dead.store(true, Ordering::SeqCst);
        }
        self.dead()
    }
}

/// Hears every reply.
struct Pulse {
    inner: Arc<dyn Observer>,
    health: Arc<Health>,
}

impl Observer for Pulse {
    fn progress(&self, progress: &Progress<'_>) {
        if let Progress::Answered { replayed: false, .. } = progress {
            self.health.replied();
        }
        self.inner.progress(progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(status: u16) -> ChatError {
        ChatError::Status {
            endpoint: "http://x".to_owned(),
            status,
            attempts: 6,
            message: String::new(),
            hint: String::new(),
        }
    }

    #[test]
    fn an_endpoint_dies_of_the_key_or_of_many_failures_in_a_row() {
        assert!(Health::new(4).failed(&status(401)));
        let health = Health::new(4);
        for _ in 0..3 {
            assert!(!health.failed(&status(500)));
        }
        health.replied();
        for _ in 0..3 {
            assert!(!health.failed(&status(500)));
        }
        assert!(health.failed(&status(500)));
        let gone = ChatError::Unreachable { endpoint: "http://x".to_owned(), message: "refused".to_owned() };
        assert!(Health::new(4).failed(&gone), "nobody was ever there");
        let health = Health::new(4);
        health.replied();
        assert!(!health.failed(&gone));
        let long = ChatError::ContextLength { model: "m".to_owned(), message: String::new(), window: None };
        assert!((0..9).all(|_| !health.failed(&long)));
    }
}
