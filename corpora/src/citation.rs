//! Citations in running text: extraction, resolution, verdicts.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::id::{ProvisionId, WorkId};

/// What looking a citation up gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Looked up, and in force on the date that governs.
    Verified,
    /// Real, but no longer law on that date.
    Repealed,
    /// Real, but not law yet on that date.
    NotYetInForce,
    /// The work has no such provision.
    NotFound,
    /// The provision is real, the place inside it is not.
    PinpointNotFound,
    /// Recognised as a citation, not looked up: out of scope, no text held, or no antecedent.
    Unchecked,
    /// The quoted words are not those of the provision.
    Misquoted,
    /// The quoted words are those of another provision.
    WrongNumber,
    /// The provision does not say what it is cited for.
    Misgrounded,
}

/// A citation found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// Byte range in the text.
    pub span: (usize, usize),
    /// The words.
    pub raw: String,
    /// The provision, if the citation could be resolved.
    pub id: Option<ProvisionId>,
    /// The verdict.
    pub verdict: Verdict,
    /// For `repealed`: what took its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub successor: Vec<String>,
    /// For `not_found`: the numbers the work has, such as `1-511`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// Why, for a person.
    pub reason: String,
    /// A court's finding on the provision; does not change the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub struck_down: Option<crate::provision::StruckDown>,
}

/// What governs the reading of a text.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The date that governs.
    pub as_of: Option<Date>,
    /// A bare section is of this work.
    pub default_work: Option<WorkId>,
    /// `in`, `cn`: whose law a bare "Article 21" is.
    pub jurisdiction: Option<String>,
}

/// The citations of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// In the order of the text.
    pub citations: Vec<Citation>,
}

/// Extracts and verifies.
#[must_use]
pub fn check_text(
    _text: &str,
    _lookup: &dyn crate::lookup::ProvisionLookup,
    _catalogue: &crate::manifest::Catalogue,
    _context: &Context,
) -> Report {
    Report::default()
}
