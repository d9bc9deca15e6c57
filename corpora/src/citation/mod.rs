//! Citations in running text: extraction, resolution, verdicts.
//!
//! [`extract`] finds every citation of a text with its byte span and says which provision it names, if the text
//! says so. [`verify`] looks each of them up on the day that governs. [`check_text`] does both;
//! [`check_id`] takes a field in which a citation stands alone. Extraction is one pass from left to right over
//! tokens; look-ahead is bounded, so time is linear in the length of the text.
//!
//! What is not certain is not resolved: a section without an act stays [`Verdict::Unchecked`] unless a list, an
//! anaphor of the same paragraph, or the context says whose it is.

mod han;
mod latin;
mod lex;
mod lexicon;
mod named;
pub mod quote;
mod units;
mod unread;
mod verify;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::id::{ProvisionId, Unit, WorkId};
use crate::lookup::ProvisionLookup;
use crate::manifest::Catalogue;

pub use crate::numerals;
pub use quote::{QuoteMatch, QuotedWords};
pub use units::named_unit;
pub use verify::{verify, verify_with};

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
    /// The provision is not about the offence that it is cited for; the reason names the one that is.
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
    /// Words quoted beside the citation, compared with the provision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quoted: Vec<QuotedWords>,
}

/// What governs the reading of a text.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The date that governs. Without one nothing can be `verified`: this crate has no clock.
    pub as_of: Option<Date>,
    /// A bare section is of this work.
    pub default_work: Option<WorkId>,
    /// `in`, `cn`: whose law a bare "Article 21" is.
    pub jurisdiction: Option<String>,
    /// The date of the proceeding, which governs procedure, evidence and the constitution; `as_of` where absent.
    pub proceeding: Option<Date>,
}

/// Why a citation names no provision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unresolved {
    /// No act is named, and none is implied.
    NoAct,
    /// An act that the catalogue does not have.
    OtherAct,
    /// "the said section", "this Act", 该条 without an antecedent.
    NoAntecedent,
    /// A law report or a neutral citation.
    Report,
    /// No act is said, and an act named in the same or the last sentence may be meant.
    Unclear,
    /// Numbered in Roman numerals, as no work of the catalogue is.
    Roman,
    /// Written like a name of this program, and none: `in/ipc#x9`.
    Name,
    /// A place inside the provision is named in a way that is not understood.
    OddPlace,
    /// The rest of a list that is too long to be read to its end.
    TooLong,
    /// A number beside an act's name without a word for a section, which may count or label something else.
    Bare,
    /// A place inside it is named beside it and could not be read: the byte range of those words, inside the span.
    Place(usize, usize),
}

/// Another way to read a number, tried when the first names nothing: `304-II` is Part II of 304.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The unit.
    pub unit: Unit,
    /// Pinpoints from the outside in.
    pub pins: Vec<String>,
}

/// A citation as the text has it, not looked up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extracted {
    /// Byte range in the text, on character boundaries.
    pub span: (usize, usize),
    /// The words: `text[span]`.
    pub raw: String,
    /// The work, if it is one of the catalogue.
    pub work: Option<WorkId>,
    /// The section, article or schedule; for a work that is not known, as far as the text tells.
    pub unit: Option<Unit>,
    /// Pinpoints from the outside in.
    pub pins: Vec<String>,
    /// A second reading.
    pub or: Option<Reading>,
    /// The other end of a range.
    pub until: Option<Unit>,
    /// Citations of one list share a number; quotations belong to the list.
    pub group: usize,
    /// Why `work` is absent.
    pub unresolved: Option<Unresolved>,
    /// Quotations in the same sentence.
    pub quotes: Vec<quote::Quote>,
}

/// The citations of a text and how many of them were looked up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// In the order of the text; a range gives one for each provision.
    pub citations: Vec<Citation>,
    /// What was checked and what was not.
    pub coverage: Coverage,
    /// Byte ranges that look like a citation and were not understood: a word for a section, an article, a rule or an
    /// order with a number, outside every citation found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_understood: Vec<(usize, usize)>,
}

/// Counts over citations. Always shown with them: what was not checked is not green.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// All citations.
    pub total: usize,
    /// Those that were looked up.
    pub checked: usize,
    /// By verdict; verdicts that do not occur are absent.
    pub by_verdict: BTreeMap<Verdict, usize>,
    /// Those that were not looked up, by the reason given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unchecked_because: BTreeMap<String, usize>,
    /// Places that look like a citation and were not understood; see [`Report::not_understood`].
    #[serde(default)]
    pub not_understood: usize,
}

impl Coverage {
    /// Counts these citations.
    #[must_use]
    pub fn of(citations: &[Citation]) -> Self {
        let mut by_verdict = BTreeMap::new();
        let mut unchecked_because = BTreeMap::new();
        for citation in citations {
            *by_verdict.entry(citation.verdict).or_insert(0) += 1;
            if citation.verdict == Verdict::Unchecked {
                *unchecked_because.entry(citation.reason.clone()).or_insert(0) += 1;
            }
        }
        let unchecked = by_verdict.get(&Verdict::Unchecked).copied().unwrap_or(0);
        Self {
            total: citations.len(),
            checked: citations.len() - unchecked,
            by_verdict,
            unchecked_because,
            not_understood: 0,
        }
    }
}

/// An extractor for one catalogue and context: build it once for many texts.
#[derive(Debug, Clone)]
pub struct Extractor {
    lexicon: Arc<lexicon::Lexicon>,
    context: Context,
}

impl Extractor {
    /// Reads the names of the catalogue.
    #[must_use]
    pub fn new(catalogue: &Catalogue, context: &Context) -> Self {
        Self { lexicon: Arc::new(lexicon::Lexicon::new(catalogue)), context: context.clone() }
    }

    /// The same names, read in another context. Costs next to nothing, where [`Extractor::new`] reads all names.
    #[must_use]
    pub fn with(&self, context: &Context) -> Self {
        Self { lexicon: Arc::clone(&self.lexicon), context: context.clone() }
    }

    /// Every citation of a text, in the order of the text.
    #[must_use]
    pub fn extract(&self, text: &str) -> Vec<Extracted> {
        let whole = text;
        let mut group = 0;
        let (names, masked) = named::take(whole, &mut group);
        let text: &str = &masked;
        let mut found = Vec::new();
        let mut latin = latin::Scanner::new(text, &self.lexicon, &self.context);
        for (from, to) in paragraphs(text) {
            let first = found.len();
            latin.paragraph(from, to, &mut group, &mut found);
            if text.get(from..to).is_some_and(han::has_article) {
                han::paragraph(text, from, to, &self.lexicon, &self.context, &mut group, &mut found);
                if let Some(new) = found.get_mut(first..) {
                    new.sort_by_key(|e| e.span);
                }
            }
        }
        if !names.is_empty() {
            // A citation around a name has the words of the text, not those that stood in its place.
            for e in &mut found {
                whole.get(e.span.0..e.span.1).unwrap_or_default().clone_into(&mut e.raw);
            }
            found.extend(names);
            found.sort_by_key(|e| e.span);
        }
        quote::attach(whole, &mut found);
        found
    }
}

/// Longest stretch that is read as one paragraph, in bytes: bounds the memory for tokens.
const LONGEST_PARAGRAPH: usize = 1 << 20;

/// Paragraphs: parted by a blank line, or by a line end after the end of a sentence in Chinese.
fn paragraphs(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        if from >= text.len() {
            return None;
        }
        let limit = text.len().min(from + LONGEST_PARAGRAPH);
        let bytes = text.as_bytes().get(from..limit).unwrap_or_default();
        let mut end = None;
        let mut blank_since = None;
        for (i, b) in bytes.iter().enumerate() {
            match b {
                b'\n' => {
                    let before = text.get(from..from + i).unwrap_or_default().trim_end();
                    if blank_since.is_some()
                        || before.ends_with(['。', '！', '？', '；', '：', '”', '」', '\u{2029}'])
                    {
                        end = Some(from + i + 1);
                        break;
                    }
                    blank_since = Some(i);
                }
                b' ' | b'\t' | b'\r' => {}
                _ => blank_since = None,
            }
        }
        let end = end.unwrap_or_else(|| {
            if limit == text.len() {
                return limit;
            }
            // Too long for one paragraph: cut at the last white space, else at a character.
            let space = bytes.iter().rposition(|b| b.is_ascii_whitespace()).map(|i| from + i + 1);
            space.unwrap_or_else(|| {
                (from + 1..=limit).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(limit)
            })
        });
        let start = from;
        from = end;
        Some((start, end))
    })
}

/// Every citation of a text, in the order of the text. Build an [`Extractor`] for many texts.
#[must_use]
pub fn extract(text: &str, catalogue: &Catalogue, context: &Context) -> Vec<Extracted> {
    Extractor::new(catalogue, context).extract(text)
}

/// Extracts and verifies in one call.
#[must_use]
pub fn check_text(
    text: &str,
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    context: &Context,
) -> Report {
    let extractor = Extractor::new(catalogue, context);
    let found = extractor.extract(text);
    report(text, &found, lookup, catalogue, context)
}

/// Verifies what an [`Extractor`] found in a text.
#[must_use]
pub fn report(
    text: &str,
    found: &[Extracted],
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    context: &Context,
) -> Report {
    let not_understood = unread::unread(text, found);
    let mut citations = verify(found, lookup, catalogue, context);
    verify::settle(text, found, &mut citations, lookup, catalogue, context);
    let coverage = Coverage { not_understood: not_understood.len(), ..Coverage::of(&citations) };
    Report { citations, coverage, not_understood }
}

/// The path of the place that a citation's pinpoints mean, among those a provision has; nothing if it has no such place.
pub(crate) fn place(pinpoints: &[crate::provision::Pinpoint], cited: &[String]) -> Option<Vec<String>> {
    verify::resolve(pinpoints, cited).ok()
}

/// Checks a field that holds one citation: an id (`in/ipc#s302`, with or without edition) or words
/// ("Section 302 IPC", 刑法第二百六十四条).
///
/// What names no provision, or more than one, is `unchecked`.
#[must_use]
pub fn check_id(
    raw: &str,
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    context: &Context,
) -> Citation {
    let trimmed = raw.trim().trim_matches(['`', '[', ']', '"', '<', '>']).trim();
    if let Ok(id) = trimmed.parse::<ProvisionId>() {
        return verify::verify_id(raw, &id, lookup, catalogue, context);
    }
    let mut found = extract(raw, catalogue, context);
    for one in &mut found {
        one.quotes.clear();
    }
    let mut citations = verify(&found, lookup, catalogue, context);
    let whole = (0, raw.len());
    match (citations.len(), citations.pop()) {
        (1, Some(citation)) => Citation { span: whole, raw: raw.to_owned(), ..citation },
        (n, _) => Citation {
            span: whole,
            raw: raw.to_owned(),
            id: None,
            verdict: Verdict::Unchecked,
            successor: Vec::new(),
            range: None,
            reason: if n == 0 {
                "names no provision that can be read".to_owned()
            } else {
                format!("names {n} provisions where one was asked for")
            },
            struck_down: None,
            quoted: Vec::new(),
        },
    }
}

#[cfg(test)]
mod tests;
