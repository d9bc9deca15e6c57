//! Tokens that a run may use.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::chat::{ChatModel, ChatRequest};
use crate::event::Body;

/// Tokens that a run may use, shared by its trials. A call reserves the most it could need before it is sent.
#[derive(Debug, Default)]
pub struct Budget {
    limit: Option<u64>,
    taken: AtomicU64,
}

impl Budget {
    /// A budget of so many tokens, read and written; `None` is no limit.
    #[must_use]
    pub fn tokens(limit: Option<u64>) -> Self {
        Self { limit, taken: AtomicU64::new(0) }
    }

    /// Tokens spent, and reserved for calls in flight.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::SeqCst)
    }

    pub(super) fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    pub(super) fn reserve(&self, wanted: u64) -> Result<(), (u64, u64)> {
        let limit = self.limit.unwrap_or(u64::MAX);
        self.taken
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |t| {
                t.checked_add(wanted).filter(|sum| *sum <= limit)
            })
            .map(|_| ())
            .map_err(|taken| (limit, taken))
    }

    pub(super) fn settle(&self, reserved: u64, used: u64) {
        self.taken.fetch_add(used, Ordering::SeqCst);
        self.taken.fetch_sub(reserved, Ordering::SeqCst);
    }
}

/// Tokens of a recorded call, if they were measured.
pub(super) fn usage_of(body: &Body) -> Option<u64> {
    match body {
        Body::ModelCall { reply, .. } => {
            Some(reply.usage.prompt_tokens?.saturating_add(reply.usage.completion_tokens?))
        }
        _ => None,
    }
}

/// The most that a call can cost. Without a tokenizer at hand every character counts as a token and a half,
/// which no tokenizer in use exceeds on the average; a reservation may be too large, never too small.
pub(super) fn reservation(model: &dyn ChatModel, request: &ChatRequest) -> u64 {
    let prompt = model.count_tokens(&request.messages).unwrap_or_else(|| {
        let chars: usize = request.messages.iter().map(|m| m.content.chars().count()).sum();
        chars.saturating_mul(3) / 2
    });
    (prompt as u64).saturating_add(u64::from(request.max_tokens))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_reserved_and_settled() {
        let budget = Budget::tokens(Some(100));
        budget.reserve(60).unwrap();
        assert_eq!(budget.reserve(60), Err((100, 60)));
        budget.settle(60, 20);
        budget.reserve(60).unwrap();
        assert_eq!(budget.taken(), 80);
        assert!(Budget::tokens(None).reserve(u64::MAX / 2).is_ok());
    }
}
