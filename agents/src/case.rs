//! Cases: what a court is asked to decide, read from TOML, JSON, or JSON Lines with a case a line.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use nyaya_corpora::{Catalogue, ProvisionId};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::event::{Finding, Sentence};
use crate::inputs::file;

/// Why a case cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file could not be read.
    #[error("case file {path}: {source}\nhint: check the path, or name a sample case: {}", BUILTIN_NAMES.join(", "))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Not of the form of a case.
    #[error("case {name}: {message}\nhint: {hint}")]
    Form {
        /// File, or file and line, or id.
        name: String,
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
}

pub(crate) fn form(name: &str, message: impl Into<String>, hint: impl Into<String>) -> CaseError {
    CaseError::Form { name: name.to_owned(), message: message.into(), hint: hint.into() }
}

/// Who brings a piece of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The prosecution.
    Prosecution,
    /// The defence.
    Defence,
    /// The court called it, or nobody disputes it.
    #[default]
    Court,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Its mark in the record: `P-1`, `D-2`.
    pub mark: String,
    /// Who brings it.
    #[serde(default)]
    pub side: Side,
    /// What it is and what it shows.
    pub text: String,
}

/// A charge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// The offence.
    pub id: ProvisionId,
    /// What the accused is said to have done, where the facts leave it open.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What a careful reader would find on a charge. Never shown to an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// The charge.
    pub charge: ProvisionId,
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// Why, in a line.
    pub why: String,
}

/// A provision that a case brings along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Premise {
    /// Its name, where it was recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<ProvisionId>,
    /// The words, as the file has them.
    pub text: String,
}

/// What is asked of a case.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "asks", rename_all = "snake_case", deny_unknown_fields)]
pub enum Matter {
    /// Findings on the charges.
    #[default]
    Charges,
    /// A prison term.
    Sentence {
        /// The offence of which the accused is guilty, as the file names it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        accusation: String,
        /// The articles that apply.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        articles: Vec<Premise>,
    },
    /// One of several labels, for a row of a table told as a narrative in the case's facts.
    Row {
        /// The question.
        question: String,
        /// The labels, the positive one first.
        labels: Vec<String>,
        /// Share of the positive label among all rows, in percent, as text; empty if it is not to be told.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        base_rate: String,
    },
    /// Whether the premises entail the hypothesis: `Y` or `N`.
    Entailment {
        /// The provisions; empty if they are to be looked up.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        premises: Vec<Premise>,
        /// The statement to be judged.
        hypothesis: String,
    },
}

impl Matter {
    fn is_charges(&self) -> bool {
        matches!(self, Self::Charges)
    }
}

/// A case that was decided before, shown to a model as an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// The case it is.
    pub id: String,
    /// What was asked.
    pub question: String,
    /// The right answer.
    pub answer: String,
}

/// Examples that were chosen for a case.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shots {
    /// How they were found: `bm25`, `dense`, `hybrid`, `random`.
    pub by: String,
    /// The examples, the most similar last.
    pub list: Vec<Shot>,
    /// Rows of the training file that were left out, because they are this case or nearly so.
    pub dropped: u32,
    /// Rows of the training file.
    pub of: u32,
}

/// The right answer, where somebody has given it. Never shown to an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gold {
    /// A sentence.
    Term(Sentence),
    /// A label.
    Label(String),
}

/// A case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Its name: letters of any script, digits, `-`, `_`, `.`; part of a folder's name.
    pub id: String,
    /// For people.
    pub title: String,
    /// BCP 47; the trial is held in it.
    pub language: String,
    /// `in`, `cn`.
    pub jurisdiction: String,
    /// Day of the offence; governs which substantive law applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offence_date: Option<Date>,
    /// Day of the proceeding; governs which procedure applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proceeding_date: Option<Date>,
    /// What happened, as far as nobody disputes it, and what each side says.
    pub facts: String,
    /// The evidence, in the order in which it was brought.
    pub evidence: Vec<Evidence>,
    /// The charges: at least one where findings on them are asked, else mostly none.
    pub charges: Vec<Charge>,
    /// What is asked.
    #[serde(skip_serializing_if = "Matter::is_charges")]
    pub matter: Matter,
    /// Examples that go before the question, where a baseline shows any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shots: Option<Shots>,
    /// Words of the case that measures of grounding look for.
    pub keywords: Vec<String>,
    /// What a careful reader would find; empty if nobody said.
    pub expected: Vec<Expected>,
    /// The right answer, where it is not a finding on a charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<Gold>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCharge {
    id: String,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExpected {
    charge: String,
    finding: String,
    #[serde(default)]
    offence: Option<String>,
    why: String,
}

/// The form of a file, before its words are understood.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    id: String,
    #[serde(default)]
    title: Option<String>,
    language: String,
    #[serde(default)]
    jurisdiction: Option<String>,
    #[serde(default)]
    offence_date: Option<String>,
    #[serde(default)]
    proceeding_date: Option<String>,
    facts: String,
    #[serde(default)]
    evidence: Vec<Evidence>,
    #[serde(default, alias = "charge")]
    charges: Vec<RawCharge>,
    #[serde(default)]
    matter: Matter,
    #[serde(default)]
    gold: Option<Gold>,
    #[serde(default)]
    shots: Option<Shots>,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    expected: Vec<RawExpected>,
}

const FORM_HINT: &str = "a case has id, language, facts and [[charge]] with an id; it may have title, jurisdiction, offence_date, \
                         proceeding_date, keywords, [[evidence]] and [[expected]]; `agents/cases/` has examples";

fn provision(name: &str, what: &str, text: &str) -> Result<ProvisionId, CaseError> {
    text.parse().map_err(|e: nyaya_corpora::IdError| {
        form(
            name,
            format!("{what}: {e}"),
            "write work and unit, as in `in/ipc#s302` or `cn/criminal-law#a264`; `nyaya search` shows the ids",
        )
    })
}

fn date(name: &str, field: &str, text: Option<&String>) -> Result<Option<Date>, CaseError> {
    text.map(|t| {
        t.trim().parse().map_err(|e| {
            form(
                name,
                format!("{field} `{t}` is not a date: {e}"),
                "write YYYY-MM-DD, as in 2019-08-14, between quotes",
            )
        })
    })
    .transpose()
}

impl Raw {
    fn read(self, name: &str) -> Result<Case, CaseError> {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if self.id.is_empty()
            || self.id.len() > 100
            || self.id.starts_with('.')
            || !self.id.chars().all(plain)
        {
            return Err(form(
                name,
                format!("id `{}` cannot name a folder", self.id),
                "use letters, digits, `-`, `_` and inner dots, at most 100 bytes",
            ));
        }
        if self.facts.trim().is_empty() {
            return Err(form(
                name,
                "facts are empty",
                "say in `facts` what happened and what each side says",
            ));
        }
        if self.charges.is_empty() && self.matter.is_charges() {
            return Err(form(name, "there is no charge", "add `[[charge]]` with `id = \"in/ipc#s302\"`"));
        }
        let mut charges = Vec::with_capacity(self.charges.len());
        let mut seen = BTreeSet::new();
        for raw in self.charges {
            let id = provision(name, "charge", &raw.id)?;
            if !seen.insert(id.clone()) {
                return Err(form(
                    name,
                    format!("charge {id} stands twice"),
                    "a verdict is given once a charge; put several accounts into its note",
                ));
            }
            charges.push(Charge { id, note: raw.note });
        }
        let first = charges.first().map(|c| c.id.work.jurisdiction().to_owned()).unwrap_or_default();
        let jurisdiction = match self.jurisdiction.as_deref().map(str::trim) {
            None => first,
            Some("") => String::new(),
            Some(code) => nyaya_corpora::id::jurisdiction(code)
                .map_err(|e| form(name, e.to_string(), "write jurisdiction = \"in\", or leave it out"))?,
        };
        if let Some(stranger) = charges.iter().find(|c| c.id.work.jurisdiction() != jurisdiction) {
            return Err(form(
                name,
                format!("charge {} is not of jurisdiction `{jurisdiction}`", stranger.id),
                "all charges of a case are of one jurisdiction",
            ));
        }
        let offence_date = date(name, "offence_date", self.offence_date.as_ref())?;
        let proceeding_date = date(name, "proceeding_date", self.proceeding_date.as_ref())?;
        if let (Some(offence), Some(proceeding)) = (offence_date, proceeding_date)
            && proceeding < offence
        {
            return Err(form(
                name,
                format!("proceeding_date {proceeding} is before offence_date {offence}"),
                "exchange or correct the two dates",
            ));
        }
        let mut expected = Vec::with_capacity(self.expected.len());
        for raw in self.expected {
            let charge = provision(name, "expected charge", &raw.charge)?;
            if !seen.contains(&charge) {
                return Err(form(
                    name,
                    format!("expected names {charge}, which is not charged"),
                    "expected findings answer the charges, one each",
                ));
            }
            let finding = match (raw.finding.as_str(), raw.offence) {
                ("guilty", None) => Finding::Guilty,
                ("not_guilty", None) => Finding::NotGuilty,
                ("lesser", Some(offence)) => {
                    Finding::Lesser { offence: provision(name, "lesser offence", &offence)? }
                }
                _ => {
                    return Err(form(
                        name,
                        format!("expected finding `{}` on {charge} cannot be read", raw.finding),
                        "write finding = \"guilty\", \"not_guilty\", or \"lesser\" with offence = \"in/ipc#s304\"",
                    ));
                }
            };
            expected.push(Expected { charge, finding, why: raw.why });
        }
        let mut marks = BTreeSet::new();
        if let Some(twice) = self.evidence.iter().find(|e| !marks.insert(e.mark.clone())) {
            return Err(form(
                name,
                format!("evidence `{}` stands twice", twice.mark),
                "give each piece its own mark",
            ));
        }
        Ok(Case {
            title: self.title.unwrap_or_else(|| self.id.clone()),
            id: self.id,
            language: self.language,
            jurisdiction,
            offence_date,
            proceeding_date,
            facts: self.facts.trim().to_owned(),
            evidence: self.evidence,
            charges,
            matter: self.matter,
            shots: self.shots,
            keywords: self.keywords,
            expected,
            gold: self.gold,
        })
    }
}

macro_rules! builtin {
    ($($name:literal),* $(,)?) => {
        const BUILTIN_NAMES: &[&str] = &[$($name),*];
        const BUILTIN: &[(&str, &str)] = &[$(($name, include_str!(concat!("../cases/", $name, ".toml")))),*];
    };
}
builtin!("courtyard-quarrel", "rickshaw-bag", "parcel-locker", "bazaar-chain", "night-watchman", "theft-zh",);

impl Case {
    /// Reads one case from TOML. `name` is for messages.
    ///
    /// # Errors
    /// If the text is not TOML, has a field that a case does not have, lacks one it needs, or holds a
    /// charge or a date that cannot be read.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, CaseError> {
        let raw: Raw = toml::from_str(text).map_err(|e| form(name, e.to_string().trim_end(), FORM_HINT))?;
        raw.read(name)
    }

    /// Reads one case from JSON. `name` is for messages.
    ///
    /// # Errors
    /// As [`Case::from_toml`].
    pub fn from_json(name: &str, text: &str) -> Result<Self, CaseError> {
        let raw: Raw = serde_json::from_str(text).map_err(|e| form(name, e.to_string(), FORM_HINT))?;
        raw.read(name)
    }

    /// Reads the one case of a file, or the sample case of that name if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read, or holds several cases, or see [`Case::from_toml`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, CaseError> {
        let path = path.as_ref();
        let mut cases = Self::load_all(path)?.into_iter();
        match (cases.next(), cases.next()) {
            (Some(case), None) => Ok(case),
            (None, _) => Err(form(&path.display().to_string(), "the file is empty", FORM_HINT)),
            _ => Err(form(
                &path.display().to_string(),
                "the file holds several cases, and one is wanted here",
                "use --cases for many, or put the case into a file of its own",
            )),
        }
    }

    /// Reads the cases of a file: one of `.toml` or `.json`, one a line of `.jsonl`, each also packed as `.gz`; or the sample case of
    /// that name if there is no such file.
    ///
    /// # Errors
    /// As [`Case::load`]; also if an id stands twice.
    pub fn load_all(path: impl AsRef<Path>) -> Result<Vec<Self>, CaseError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        if !path.exists()
            && let Some(text) = name_of_builtin(&name)
        {
            return Ok(vec![Self::from_toml(&name, text)?]);
        }
        let kind = file::kind(path);
        if !matches!(kind.as_str(), "toml" | "json" | "jsonl" | "ndjson") {
            return Err(form(
                &name,
                "not a .toml, .json or .jsonl file",
                "rename the file after what it holds",
            ));
        }
        let text = file::text(path)?;
        match kind.as_str() {
            "toml" => Ok(vec![Self::from_toml(&name, &text)?]),
            "json" => Ok(vec![Self::from_json(&name, &text)?]),
            _ => {
                let mut cases: Vec<Self> = Vec::new();
                let mut seen = BTreeSet::new();
                for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
                    let place = format!("{name}, line {}", i + 1);
                    let case = Self::from_json(&place, line)?;
                    if !seen.insert(case.id.clone()) {
                        return Err(form(
                            &place,
                            format!("id `{}` stands twice", case.id),
                            "give each case its own id; results are kept under it",
                        ));
                    }
                    cases.push(case);
                }
                Ok(cases)
            }
        }
    }

    /// A sample case that comes with the program.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn builtin(name: &str) -> Result<Self, CaseError> {
        let text = name_of_builtin(name).ok_or_else(|| {
            form(
                name,
                "there is no sample case of this name",
                format!("choose one of {}", BUILTIN_NAMES.join(", ")),
            )
        })?;
        Self::from_toml(name, text)
    }

    /// Names of the sample cases.
    #[must_use]
    pub fn builtin_names() -> &'static [&'static str] {
        BUILTIN_NAMES
    }

    /// The case as agents may know it: without what a careful reader would find, and without the right answer.
    #[must_use]
    pub fn shown(&self) -> Self {
        Self { expected: Vec::new(), gold: None, ..self.clone() }
    }

    /// SHA-256 of all that the case says, in hex: two files that read the same have the same.
    #[must_use]
    pub fn digest(&self) -> String {
        // A struct of strings, dates and lists always serialises; an empty text would only make hashes equal.
        let text = serde_json::to_string(self).unwrap_or_default();
        hex::encode(Sha256::digest(text.as_bytes()))
    }

    /// Charges under a law that was not in force on the day of the offence, in words for a person.
    #[must_use]
    pub fn anachronisms(&self, catalogue: &Catalogue) -> Vec<String> {
        let Some(day) = self.offence_date else { return Vec::new() };
        let mut found = Vec::new();
        for charge in &self.charges {
            let Some(manifest) = catalogue.get(&charge.id.work) else { continue };
            if day < manifest.in_force_from {
                found.push(format!(
                    "{}: the offence is of {day}, {} came into force on {}",
                    charge.id,
                    manifest.display_title(),
                    manifest.in_force_from
                ));
            }
            if let Some(end) = manifest.repealed_on.filter(|end| day >= *end) {
                let next =
                    manifest.successor.as_ref().map(|s| format!("; charge under {s}")).unwrap_or_default();
                found.push(format!(
                    "{}: the offence is of {day}, {} was repealed on {end}{next}",
                    charge.id,
                    manifest.display_title()
                ));
            }
        }
        found
    }
}

fn name_of_builtin(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "id = \"a\"\nlanguage = \"en\"\nfacts = \"F.\"\n";

    fn fails(text: &str) -> String {
        Case::from_toml("a.toml", text).expect_err("must be refused").to_string()
    }

    #[test]
    fn the_sample_cases_read_and_say_what_is_right() {
        for name in Case::builtin_names() {
            let case = Case::builtin(name).unwrap();
            assert_eq!(&case.id, name);
            assert_eq!(case.expected.len(), case.charges.len(), "{name}");
            assert!(case.offence_date.is_some() && case.proceeding_date.is_some(), "{name}");
            assert!(case.keywords.len() >= 4, "{name}");
            assert!(case.evidence.len() >= 4, "{name}");
            assert!(case.anachronisms(&Catalogue::builtin().unwrap()).is_empty(), "{name}");
            let new = jiff::civil::date(2024, 7, 1);
            for charge in case.charges.iter().filter(|c| c.id.work.jurisdiction() == "in") {
                let code = if case.offence_date >= Some(new) { "bns" } else { "ipc" };
                assert_eq!(charge.id.work.name(), code, "{name}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_a_hint() {
        let charge = "[[charge]]\nid = \"in/ipc#s1\"\n";
        for (text, needle) in [
            (SMALL.to_owned(), "there is no charge"),
            (format!("{SMALL}fact = \"x\"\n{charge}"), "unknown field `fact`"),
            (format!("{SMALL}[[charge]]\nid = \"IPC 302\"\n"), "`IPC 302` is not a provision id"),
            (
                format!("{SMALL}offence_date = \"14.8.2019\"\n{charge}"),
                "offence_date `14.8.2019` is not a date",
            ),
            (format!("{SMALL}{charge}{charge}"), "stands twice"),
            (
                format!("{SMALL}offence_date = \"2020-01-02\"\nproceeding_date = \"2020-01-01\"\n{charge}"),
                "is before offence_date",
            ),
            (SMALL.replace("id = \"a\"", "id = \"../a\"") + charge, "cannot name a folder"),
            (SMALL.replace("F.", " ") + charge, "facts are empty"),
            (
                format!("{SMALL}{charge}[[expected]]\ncharge=\"in/ipc#s1\"\nfinding=\"lesser\"\nwhy=\"w\"\n"),
                "cannot be read",
            ),
        ] {
            let message = fails(&text);
            assert!(message.contains(needle), "{message}");
            assert!(message.lines().last().unwrap().starts_with("hint: "), "{message}");
        }
    }

    #[test]
    fn an_offence_after_the_repeal_is_noticed() {
        let text = format!("{SMALL}offence_date = \"2024-07-01\"\n[[charge]]\nid = \"in/ipc#s302\"\n");
        let case = Case::from_toml("a", &text).unwrap();
        let found = case.anachronisms(&Catalogue::builtin().unwrap());
        assert!(found[0].contains("in/bns"), "{found:?}");
    }

    #[test]
    fn json_lines_hold_many_and_ids_stand_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("many.jsonl");
        let line = |id: &str| {
            format!(
                "{{\"id\":\"{id}\",\"language\":\"zh\",\"facts\":\"事实\",\"charges\":[{{\"id\":\"cn/criminal-law#a264\"}}]}}\n"
            )
        };
        std::fs::write(&path, line("甲") + "\n" + &line("乙")).unwrap();
        assert_eq!(Case::load_all(&path).unwrap().len(), 2);
        assert!(Case::load(&path).unwrap_err().to_string().contains("several cases"));
        std::fs::write(&path, line("甲") + &line("甲")).unwrap();
        assert!(Case::load_all(&path).unwrap_err().to_string().contains("line 2"));
    }
}
