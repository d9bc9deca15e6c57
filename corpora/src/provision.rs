//! Provisions, the passages cut from them, and the edition they belong to.

use std::ops::Range;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::id::{ProvisionId, Unit, WorkId};

/// Whether a provision is law in the version that carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Law in this version.
    InForce,
    /// Enacted, but excepted from commencement so far.
    NotYetInForce,
    /// Taken out by a repealing act.
    Repealed,
    /// Taken out by an amendment; the number stays as an empty row.
    Omitted,
}

/// A court's finding that a provision is void; it does not change the text, so it is a flag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StruckDown {
    /// Day of the judgment.
    pub date: Date,
    /// The judgment.
    pub source: String,
    /// Partly or wholly, and how far.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What an editor or the publisher put around the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnnotationKind {
    /// A note at the foot of the page, as a rule the history of an amendment.
    Footnote,
    /// A mark of inserted or substituted words, such as `1[` … `]`, or a row of asterisks.
    AmendmentMark,
    /// An offence's name or another heading that an editor added.
    EditorHeading,
    /// Anything else that stands in the source and is not law.
    Other,
}

/// A note kept apart from the text it stood in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotation {
    /// What it is.
    pub kind: AnnotationKind,
    /// The mark that pointed to it (`1`, `*`), if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marker: Option<String>,
    /// Its words.
    pub text: String,
    /// Byte offset in the provision's text where it belongs, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

/// Where a text was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRef {
    /// SHA-256 of the source file, in hex.
    pub file_sha256: String,
    /// Page, counted from 1, where the source has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Byte offset in the text that the reader produced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
}

/// A place inside a provision that a citation can name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pinpoint {
    /// The path from the outside in, as in [`ProvisionId::pins`].
    pub path: Vec<String>,
    /// Byte range in the provision's text.
    pub range: Range<usize>,
}

/// A section, an article, the preamble, or a schedule: verbatim text and what is known about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provision {
    /// Its name, without edition.
    pub id: ProvisionId,
    /// The marginal note or article heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// Part, chapter, group heading, from the outside in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breadcrumb: Vec<String>,
    /// The words of the law: without number, heading, footnotes or amendment marks.
    pub text: String,
    /// Status in this version.
    pub status: Status,
    /// First day in force, where it differs from the version's or the source tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_force_from: Option<Date>,
    /// First day on which it was no longer in force, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_force_until: Option<Date>,
    /// A court's finding, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub struck_down: Option<StruckDown>,
    /// Notes kept apart from the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<Annotation>,
    /// The places inside it that can be cited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pinpoints: Vec<Pinpoint>,
    /// Where it was read.
    pub source: SourceRef,
}

impl Provision {
    /// The words at a pinpoint, or the whole text for an empty path. A place is found as a citation of it is: 第二项 without
    /// its 款 where only one paragraph has items, `the first proviso` of a sole one.
    #[must_use]
    pub fn at(&self, path: &[String]) -> Option<&str> {
        if path.is_empty() {
            return Some(&self.text);
        }
        let path = crate::citation::place(&self.pinpoints, path)?;
        let pin = self.pinpoints.iter().find(|p| p.path == path)?;
        self.text.get(pin.range.clone())
    }
}

/// One version of a work in one language, as built from one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    /// The work.
    pub work: WorkId,
    /// First day on which this version was in force; its name.
    pub version: Date,
    /// BCP 47.
    pub language: String,
    /// `id` of the source in the manifest, or `file` for a file of the user's.
    pub source: String,
    /// Name of the source file.
    pub source_file: String,
    /// SHA-256 of the source file, in hex.
    pub source_sha256: String,
    /// Whether the source has every provision; if not, an absent one is `unchecked`, never `not_found`.
    pub complete: bool,
    /// In the order of the code.
    pub provisions: Vec<Provision>,
}

impl Edition {
    /// The provision with this unit.
    #[must_use]
    pub fn get(&self, unit: &Unit) -> Option<&Provision> {
        self.provisions.iter().find(|p| &p.id.unit == unit)
    }
}

/// How bad a finding about a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Odd; the text is usable.
    Warning,
    /// The text is not fit for use as it is.
    Error,
}

/// A finding about a source. Reading never fails as a whole; what is odd is said here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// A short stable name: `missing`, `extra`, `duplicate`, `contents_mismatch`, …
    pub code: String,
    /// The provision concerned, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<ProvisionId>,
    /// Page of the source, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// For a person.
    pub message: String,
}

impl Diagnostic {
    /// A finding without place.
    pub fn new(severity: Severity, code: &str, message: impl Into<String>) -> Self {
        Self { severity, code: code.to_owned(), id: None, page: None, message: message.into() }
    }
}

/// A slice of a provision: `provision.text[range] == text`. What is embedded and indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The provision it lies in.
    pub id: ProvisionId,
    /// The edition's version.
    pub version: Date,
    /// The edition's language.
    pub language: String,
    /// Byte range in the provision's text, on character boundaries.
    pub range: Range<usize>,
    /// The slice.
    pub text: String,
}
