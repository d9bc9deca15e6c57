//! What tokens cost.

use std::collections::BTreeMap;
use std::path::Path;

use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::chat::Usage;

/// Parts of a currency unit in which costs are added up, so that sums are exact: 10⁻¹².
const PARTS: f64 = 1e12;

/// The price of a model, in the currency of the list, a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Of tokens that the model reads.
    pub read: f64,
    /// Of tokens that the model writes.
    pub written: f64,
}

/// Prices by the model's name, as `--model` has it. A model that is not in the list has no known price.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// For people: `USD`, `INR`.
    #[serde(default)]
    pub currency: String,
    /// Prices by name.
    #[serde(default)]
    pub models: BTreeMap<String, Price>,
}

const HINT: &str = "write `currency = \"USD\"` and, for each model, `[models.\"NAME\"]` with `read = 0.15` and `written = 0.6`, a million tokens each";

impl Prices {
    /// Reads a list from TOML.
    ///
    /// # Errors
    /// If the text is no such list, or a price is negative or no number; with a hint.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, String> {
        let prices: Self = toml::from_str(text)
            .map_err(|e| format!("{name}: {}\nhint: {HINT}", e.to_string().trim_end()))?;
        let wrong = |x: f64| !x.is_finite() || !(0.0..=1e6).contains(&x);
        match prices.models.iter().find(|(_, p)| wrong(p.read) || wrong(p.written)) {
            Some((model, _)) => Err(format!("{name}: the price of `{model}` is out of range\nhint: {HINT}")),
            None => Ok(prices),
        }
    }

    /// Reads a list from a file.
    ///
    /// # Errors
    /// As [`Prices::from_toml`], or if the file cannot be read.
    pub fn load(path: &Path) -> Result<Self, String> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}\nhint: check --prices"))?;
        Self::from_toml(&name, &text)
    }

    /// The price of a model, if it is known.
    #[must_use]
    pub fn of(&self, model: &str) -> Option<Price> {
        self.models.get(model).copied()
    }
}

impl Price {
    /// What so many tokens cost, in parts of 10⁻¹², rounded up.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "prices are checked to be within 0 and 1e6, and `as` saturates"
    )]
    pub(crate) fn parts(self, read: u64, written: u64) -> u64 {
        let of = |price: f64, tokens: u64| (price / 1e6 * PARTS * tokens as f64).ceil() as u64;
        of(self.read, read).saturating_add(of(self.written, written))
    }
}

/// An amount in a currency as parts of 10⁻¹².
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
pub(crate) fn to_parts(amount: f64) -> u64 {
    (amount * PARTS).floor() as u64
}

/// Parts of 10⁻¹² as an amount.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "for people")]
pub(crate) fn from_parts(parts: u64) -> f64 {
    parts as f64 / PARTS
}

/// What calls have cost, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    parts: u64,
    known: u64,
    unknown: u64,
}

impl Cost {
    /// The cost of one call.
    #[must_use]
    pub fn of(price: Option<Price>, usage: Usage) -> Self {
        match (price, usage.prompt_tokens, usage.completion_tokens) {
            (Some(price), Some(read), Some(written)) => {
                Self { parts: price.parts(read, written), known: 1, unknown: 0 }
            }
            _ => Self { parts: 0, known: 0, unknown: 1 },
        }
    }

    /// Adds another.
    pub fn add(&mut self, other: Self) {
        self.parts = self.parts.saturating_add(other.parts);
        self.known += other.known;
        self.unknown += other.unknown;
    }

    /// The amount of the calls whose price and tokens are known; `None` if there is no such call.
    #[must_use]
    pub fn amount(self) -> Option<f64> {
        (self.known > 0).then(|| from_parts(self.parts))
    }

    /// Calls whose price or tokens nobody knows.
    #[must_use]
    pub fn unknown(self) -> u64 {
        self.unknown
    }

    /// For people: `0.0123 USD`, `unknown`, `at least 0.0123 USD (4 calls of unknown price)`.
    #[must_use]
    pub fn shown(self, currency: &str) -> String {
        let amount = |x: f64| format!("{x:.4} {currency}").trim_end().to_owned();
        match (self.amount(), self.unknown) {
            (None, 0) => "nothing".to_owned(),
            (None, _) => "unknown".to_owned(),
            (Some(x), 0) => amount(x),
            (Some(x), n) => format!("at least {} ({n} calls of unknown price)", amount(x)),
        }
    }
}

impl Serialize for Cost {
    /// `{"amount": 0.0123, "calls_of_unknown_price": 0}`; the amount is null where nothing is known.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("Cost", 2)?;
        s.serialize_field("amount", &self.amount())?;
        s.serialize_field("calls_of_unknown_price", &self.unknown)?;
        s.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(read: u64, written: u64) -> Usage {
        Usage { prompt_tokens: Some(read), completion_tokens: Some(written) }
    }

    #[test]
    fn a_price_is_of_a_million_tokens() {
        let list = "currency = \"USD\"\n[models.\"small\"]\nread = 0.15\nwritten = 0.6\n";
        let prices = Prices::from_toml("p", list).unwrap();
        let mut cost = Cost::of(prices.of("small"), usage(1_000_000, 500_000));
        assert!((cost.amount().unwrap() - 0.45).abs() < 1e-9);
        assert_eq!(cost.shown("USD"), "0.4500 USD");
        cost.add(Cost::of(prices.of("other"), usage(1, 1)));
        assert_eq!(cost.shown("USD"), "at least 0.4500 USD (1 calls of unknown price)");
    }

    #[test]
    fn what_is_unknown_is_never_nothing() {
        let unmeasured = Usage { prompt_tokens: Some(5), completion_tokens: None };
        let price = Some(Price { read: 1.0, written: 1.0 });
        for cost in [Cost::of(None, usage(5, 5)), Cost::of(price, unmeasured)] {
            assert_eq!(cost.shown("USD"), "unknown");
            assert_eq!(serde_json::to_value(cost).unwrap()["amount"], serde_json::Value::Null);
        }
    }

    #[test]
    fn a_list_without_sense_is_named() {
        for text in ["[models.\"m\"]\nread = -1\nwritten = 1", "[models.\"m\"]\nread = 1", "price = 3"] {
            let error = Prices::from_toml("prices.toml", text).unwrap_err();
            assert!(error.contains("prices.toml") && error.contains("hint: "), "{error}");
        }
    }
}
