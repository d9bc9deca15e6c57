//! A wish to stop, shared by the trials of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Once set, no further call is begun; calls in flight are brought to their end and recorded.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks all trials to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether that was asked.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
