//! An edition written for other programs: JSON lines, Markdown, Akoma Ntoso.
//!
//! Every form says where the text came from, under which licence as far as it is known, and how much of the version's
//! list of numbers it has. The words of the law are the store's, letter by letter.

mod akn;
mod jsonl;
mod markdown;

use std::io::{self, Write};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::citation::numerals::to_chinese;
use crate::id::{Number, Unit, WorkId};
use crate::manifest::{Grammar, Manifest};
use crate::provision::{Edition, Provision};

pub use jsonl::Line;

/// A form of export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// One object a provision and line.
    Jsonl,
    /// Markdown with front matter.
    Markdown,
    /// Akoma Ntoso 1.0 (OASIS LegalDocML), XML.
    Akn,
}

impl FromStr for ExportFormat {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "jsonl" => Ok(Self::Jsonl),
            "markdown" | "md" => Ok(Self::Markdown),
            "akn" | "xml" => Ok(Self::Akn),
            other => Err(format!("`{other}` is no form of export: jsonl, markdown, akn")),
        }
    }
}

/// Where an edition's text came from and how complete it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The work.
    pub work: WorkId,
    /// First day on which this version was in force, as a date.
    pub version: String,
    /// BCP 47.
    pub language: String,
    /// Title in the language of the text.
    pub title: String,
    /// First day on which the work was no longer in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repealed_on: Option<String>,
    /// `id` of the source in the manifest.
    pub source: String,
    /// Name of the source file.
    pub source_file: String,
    /// SHA-256 of the source file, in hex.
    pub source_sha256: String,
    /// Provenance and licence of the source as far as they are known; statute texts are nobody's here.
    pub licence: String,
    /// Whether the source has every provision.
    pub complete: bool,
    /// Sections or articles in it.
    pub provisions: usize,
    /// Sections or articles that the version has, where the list is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<usize>,
    /// Of those, the ones that are not in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

impl Provenance {
    /// What an edition and its manifest say.
    #[must_use]
    pub fn of(edition: &Edition, manifest: Option<&Manifest>) -> Self {
        let source = manifest.and_then(|m| m.sources.iter().find(|s| s.id == edition.source));
        let note = source.map(|s| s.note.trim()).filter(|n| !n.is_empty());
        let expected = manifest
            .and_then(|m| m.version(edition.version).map(|v| v.expected_units(m.unit)))
            .filter(|units| !units.is_empty());
        let missing = expected
            .iter()
            .flatten()
            .filter(|unit| edition.get(unit).is_none())
            .map(ToString::to_string)
            .collect();
        Self {
            work: edition.work.clone(),
            version: edition.version.to_string(),
            language: edition.language.clone(),
            title: manifest.map_or_else(|| edition.work.to_string(), |m| m.native_title().to_owned()),
            repealed_on: manifest.and_then(|m| m.repealed_on).map(|d| d.to_string()),
            source: edition.source.clone(),
            source_file: edition.source_file.clone(),
            source_sha256: edition.source_sha256.clone(),
            licence: note.map_or_else(
                || "not stated; a file that the user gave".to_owned(),
                |n| format!("{n} No licence is claimed over the text of the law."),
            ),
            complete: edition.complete,
            provisions: edition.provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).count(),
            expected: expected.as_ref().map(Vec::len),
            missing,
        }
    }

    /// One sentence on how much is there.
    #[must_use]
    pub fn coverage(&self) -> String {
        let of = match self.expected {
            Some(expected) => format!("{} of {expected} provisions", expected - self.missing.len()),
            None => format!("{} provisions; the version's list of numbers is not known", self.provisions),
        };
        let missing = if self.missing.is_empty() {
            String::new()
        } else {
            format!("; missing: {}", self.missing.join(", "))
        };
        let part = if self.complete { "" } else { "; the source is incomplete" };
        format!("{of}{missing}{part}")
    }
}

/// Writes an edition.
///
/// # Errors
/// If `out` cannot be written to.
pub fn export(
    edition: &Edition,
    manifest: Option<&Manifest>,
    format: ExportFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    let provenance = Provenance::of(edition, manifest);
    match format {
        ExportFormat::Jsonl => jsonl::write(edition, &provenance, out),
        ExportFormat::Markdown => markdown::write(edition, manifest, &provenance, out),
        ExportFormat::Akn => akn::write(edition, manifest, &provenance, out),
    }
}

/// How the code itself writes a provision's number: `302.`, `第一百三十三条之一`, `Schedule 7`.
fn label(provision: &Provision, manifest: Option<&Manifest>) -> String {
    let chinese = manifest.is_some_and(|m| m.grammar == Grammar::ChineseCode);
    match &provision.id.unit {
        Unit::Preamble => if chinese { "序言" } else { "Preamble" }.to_owned(),
        Unit::Section(n) | Unit::Article(n) if chinese => chinese_label(n),
        Unit::Section(n) | Unit::Article(n) => format!("{n}."),
        Unit::Schedule(n) if chinese => {
            format!("附件{}", to_chinese(n.base).unwrap_or_else(|| n.to_string()))
        }
        Unit::Schedule(n) => format!("Schedule {n}"),
    }
}

fn chinese_label(n: &Number) -> String {
    let figure = |n: u32| to_chinese(n).unwrap_or_else(|| n.to_string());
    match n.sub {
        Some(sub) => format!("第{}条之{}", figure(n.base), figure(sub)),
        None => format!("第{}条", figure(n.base)),
    }
}

#[cfg(test)]
mod tests;
