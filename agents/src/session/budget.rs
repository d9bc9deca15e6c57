//! Tokens and money that a run may use.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::prices::{Price, Prices, from_parts, to_parts};
use crate::chat::{ChatModel, ChatRequest, Usage};

/// Tokens, and their cost in parts of 10⁻¹².
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Amount {
    pub(crate) tokens: u64,
    pub(crate) parts: u64,
}

impl Amount {
    pub(crate) fn of(price: Option<Price>, read: u64, written: u64) -> Self {
        Self { tokens: read.saturating_add(written), parts: price.map_or(0, |p| p.parts(read, written)) }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            parts: self.parts.saturating_add(other.parts),
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(other.tokens),
            parts: self.parts.saturating_sub(other.parts),
        }
    }
}

/// Why a call may not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Short {
    /// `max_tokens_total` or `max_cost`.
    pub(crate) budget: &'static str,
    pub(crate) limit: String,
    pub(crate) spent: String,
    pub(crate) wanted: String,
}

#[derive(Debug, Default)]
struct State {
    spent: Amount,
    reserved: Amount,
}

/// What a run may use, shared by its trials. A call reserves the most it could need before it is sent; where only
/// what others have reserved stands in the way, it waits for them.
#[derive(Debug, Default)]
pub struct Budget {
    tokens: Option<u64>,
    parts: Option<u64>,
    prices: Prices,
    state: Mutex<State>,
    freed: Notify,
}

impl Budget {
    /// A budget of so many tokens, read and written, and of so much money; `None` is no limit.
    #[must_use]
    pub fn new(tokens: Option<u64>, cost: Option<f64>, prices: Prices) -> Self {
        Self { tokens, parts: cost.map(to_parts), prices, ..Self::default() }
    }

    /// The list of prices.
    #[must_use]
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// Whether there is any limit.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.tokens.is_some() || self.parts.is_some()
    }

    /// Counts what was spent before this process.
    pub(crate) fn spent_before(&self, amount: Amount) {
        let mut state = self.state();
        state.spent = state.spent.plus(amount);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether `sum` exceeds the limits, and which.
    fn over(&self, sum: Amount) -> Option<&'static str> {
        if self.tokens.is_some_and(|limit| sum.tokens > limit) {
            return Some("max_tokens_total");
        }
        self.parts.is_some_and(|limit| sum.parts > limit).then_some("max_cost")
    }

    fn short(&self, budget: &'static str, spent: Amount, wanted: Amount) -> Short {
        let money =
            |parts| format!("{:.4} {}", from_parts(parts), self.prices.currency).trim_end().to_owned();
        if budget == "max_cost" {
            let limit = money(self.parts.unwrap_or_default());
            return Short { budget, limit, spent: money(spent.parts), wanted: money(wanted.parts) };
        }
        let limit = format!("{} tokens", self.tokens.unwrap_or_default());
        Short { budget, limit, spent: spent.tokens.to_string(), wanted: wanted.tokens.to_string() }
    }

    pub(super) async fn reserve(&self, wanted: Amount) -> Result<Reserved<'_>, Short> {
        loop {
            let freed = self.freed.notified();
            let mut freed = std::pin::pin!(freed);
            freed.as_mut().enable();
            {
                let mut state = self.state();
                let sum = state.spent.plus(wanted);
                if let Some(budget) = self.over(sum) {
                    return Err(self.short(budget, state.spent, wanted));
                }
                if self.over(sum.plus(state.reserved)).is_none() {
                    state.reserved = state.reserved.plus(wanted);
                    return Ok(Reserved { budget: self, amount: wanted });
                }
            }
            freed.await;
        }
    }
}

/// A reservation; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Reserved<'b> {
    budget: &'b Budget,
    amount: Amount,
}

impl Reserved<'_> {
    /// What was used of it.
    pub(super) fn spend(self, used: Amount) {
        let mut state = self.budget.state();
        state.spent = state.spent.plus(used);
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.state();
        state.reserved = state.reserved.minus(self.amount);
        drop(state);
        self.budget.freed.notify_waiters();
    }
}

/// What a call took, if it was measured.
pub(crate) fn used(price: Option<Price>, usage: Usage) -> Option<Amount> {
    Some(Amount::of(price, usage.prompt_tokens?, usage.completion_tokens?))
}

/// The most that a call can take. Without a tokenizer at hand every character counts as a token and a half,
/// which no tokenizer in use exceeds on the average; a reservation may be too large, never too small.
pub(super) fn reservation(model: &dyn ChatModel, price: Option<Price>, request: &ChatRequest) -> Amount {
    let read = model.count_tokens(&request.messages).map_or_else(|| most_tokens(request), |n| n as u64);
    Amount::of(price, read, u64::from(request.max_tokens))
}

/// The same for a recorded call whose tokens nobody measured.
pub(crate) fn most_of(price: Option<Price>, request: &ChatRequest) -> Amount {
    Amount::of(price, most_tokens(request), u64::from(request.max_tokens))
}

fn most_tokens(request: &ChatRequest) -> u64 {
    let chars: usize = request.messages.iter().map(|m| m.content.chars().count()).sum();
    (chars as u64).saturating_mul(3) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(n: u64) -> Amount {
        Amount { tokens: n, parts: 0 }
    }

    #[tokio::test]
    async fn a_budget_is_reserved_and_settled() {
        let budget = Budget::new(Some(100), None, Prices::default());
        let first = budget.reserve(tokens(60)).await.unwrap();
        // Nothing but the reservation of another stands in the way: wait for it.
        let second = budget.reserve(tokens(60));
        let mut second = std::pin::pin!(second);
        assert!(futures::poll!(second.as_mut()).is_pending());
        first.spend(tokens(20));
        second.await.unwrap().spend(tokens(50));
        let short = budget.reserve(tokens(40)).await.unwrap_err();
        assert_eq!((short.budget, short.spent.as_str()), ("max_tokens_total", "70"));
        assert!(Budget::default().reserve(tokens(u64::MAX / 2)).await.is_ok());
    }

    #[tokio::test]
    async fn a_call_that_is_given_up_gives_back_what_it_reserved() {
        let budget = Budget::new(Some(100), None, Prices::default());
        drop(budget.reserve(tokens(100)).await.unwrap());
        assert!(budget.reserve(tokens(100)).await.is_ok());
    }

    #[tokio::test]
    async fn money_is_a_limit_of_its_own() {
        let price = Price { read: 1.0, written: 2.0 };
        let budget = Budget::new(None, Some(1.0), Prices { currency: "USD".to_owned(), ..Prices::default() });
        budget.reserve(Amount::of(Some(price), 100_000, 300_000)).await.unwrap().spend(Amount::of(
            Some(price),
            100_000,
            300_000,
        ));
        let short = budget.reserve(Amount::of(Some(price), 400_000, 0)).await.unwrap_err();
        assert_eq!((short.budget, short.limit.as_str()), ("max_cost", "1.0000 USD"));
        assert_eq!((short.spent.as_str(), short.wanted.as_str()), ("0.7000 USD", "0.4000 USD"));
    }
}
