//! Reading what a model wrote: strictly, then by mending, then by pattern, else no decision.
//!
//! Nothing here has a default answer. A reply from which nothing can be read gives [`Stage::NoDecision`] and no value,
//! and every repair is named in the notes, so that a report can count how the replies were read.

mod confidence;
mod json;
mod lines;
mod tables;
mod term;
mod verdict;

pub use json::{read_json, read_value};
pub use lines::{Line, VerdictLine, term_lines, verdict_lines};
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
pub use term::{TermClass, TermKind, TermReading, read_term};
pub use verdict::{Label, VerdictReply, read_choice, read_verdict, read_yes_no};

/// How a reply was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The reply is what was asked for, to the letter (white space around it aside).
    Strict,
    /// JSON that had to be found among other words, mended, or converted.
    Recovered,
    /// No JSON; a pattern in running text.
    Pattern,
    /// Nothing could be read.
    NoDecision,
}

impl Stage {
    /// The name used in records: `strict`, `recovered`, `pattern`, `no_decision`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Recovered => "recovered",
            Self::Pattern => "pattern",
            Self::NoDecision => "no_decision",
        }
    }
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What was read from a reply, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading<T> {
    /// The value; `None` exactly when the stage is [`Stage::NoDecision`].
    pub value: Option<T>,
    /// How it was read.
    pub stage: Stage,
    /// Repairs that were made, or why nothing could be read.
    pub notes: Vec<String>,
}

impl<T> Reading<T> {
    /// Nothing could be read, for this reason.
    #[must_use]
    pub fn no_decision(reason: impl Into<String>) -> Self {
        Self { value: None, stage: Stage::NoDecision, notes: vec![reason.into()] }
    }

    /// The same reading of another form of the value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Reading<U> {
        Reading { value: self.value.map(f), stage: self.stage, notes: self.notes }
    }
}

/// A text without the boxes that mathematics puts around answers.
fn unboxed(text: &str) -> String {
    static BOXED: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\\(?:boxed|text|textbf|mathrm|mathbf)\s*\{([^{}]*)\}"));
    // One stands in another: \boxed{18 \text{ months}}.
    let once = BOXED.replace_all(text, "$1");
    let twice = BOXED.replace_all(&once, "$1");
    if twice.len() == text.len() { text.to_owned() } else { twice.replace('$', "") }
}

/// A pattern that is a literal of this module; its unit tests compile every one.
///
/// Word boundaries are those of ASCII: the others make a search many times slower in text that is not ASCII, and none
/// lies between 判处 and `3 years`.
#[expect(clippy::expect_used, reason = "literals only, each compiled by a unit test")]
fn pattern(literal: &'static str) -> Regex {
    Regex::new(&literal.replace(r"\b", r"(?-u:\b)")).expect("a literal pattern compiles")
}
