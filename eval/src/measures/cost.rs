//! Cost: calls, tokens and time, by role.

use std::collections::BTreeMap;

use serde::Serialize;

/// Tokens as far as they were measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Sum over the calls whose reply said it.
    pub measured: u64,
    /// Calls whose reply did not say.
    pub unknown_calls: u64,
}

impl Tokens {
    pub(super) fn add(&mut self, value: Option<u64>) {
        match value {
            Some(n) => self.measured += n,
            None => self.unknown_calls += 1,
        }
    }

    /// The total, if every call was measured.
    #[must_use]
    pub fn total(self) -> Option<u64> {
        (self.unknown_calls == 0).then_some(self.measured)
    }

    /// `1234`, `unknown`, or `1234 + unknown (3 calls)`.
    #[must_use]
    pub fn label(self) -> String {
        match (self.measured, self.unknown_calls) {
            (n, 0) => n.to_string(),
            (0, _) => "unknown".to_owned(),
            (n, calls) => format!("{n} + unknown ({calls} calls)"),
        }
    }
}

/// What a court's paper states of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PaperCost {
    /// Calls, of its code.
    pub calls: u64,
    /// Tokens read and written.
    pub tokens: u64,
}

/// What one role cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Cost {
    /// Replies.
    pub calls: u64,
    /// Requests sent, retries included.
    pub attempts: u64,
    /// Tokens read.
    pub prompt_tokens: Tokens,
    /// Tokens written.
    pub completion_tokens: Tokens,
    /// Milliseconds waited, retries included; calls at the same time add up.
    pub latency_ms: u64,
    /// Replies that a token limit cut off.
    pub cut_off: u64,
    /// How the replies were read: `strict`, `recovered`, `pattern`, `text`, `no_decision`.
    pub stages: BTreeMap<String, u64>,
}

impl Cost {
    pub(super) fn absorb(&mut self, other: &Self) {
        self.calls += other.calls;
        self.attempts += other.attempts;
        self.prompt_tokens.measured += other.prompt_tokens.measured;
        self.prompt_tokens.unknown_calls += other.prompt_tokens.unknown_calls;
        self.completion_tokens.measured += other.completion_tokens.measured;
        self.completion_tokens.unknown_calls += other.completion_tokens.unknown_calls;
        self.latency_ms += other.latency_ms;
        self.cut_off += other.cut_off;
        for (stage, n) in &other.stages {
            *self.stages.entry(stage.clone()).or_default() += n;
        }
    }

    pub(super) fn all(by_role: &BTreeMap<String, Self>) -> Self {
        let mut sum = Self::default();
        by_role.values().for_each(|cost| sum.absorb(cost));
        sum
    }
}
