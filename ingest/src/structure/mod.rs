//! From lines or rows to provisions, with everything odd said.
//!
//! Structuring never fails as a whole: what cannot be placed stays out of the provisions and is counted.

use jiff::civil::Date;
use nyaya_corpora::manifest::{Grammar, Manifest};
use nyaya_corpora::{Diagnostic, Number, Provision, ProvisionId, SourceRef, Status, Unit};

use crate::read::own::Held;
use crate::read::{Body, Document};

mod again;
mod annexed;
pub mod chain;
mod chinese;
mod columns;
mod contents;
mod dates;
mod divisions;
mod eastern;
mod heading;
mod headline;
mod heads;
mod indian;
mod missed;
pub mod numerals;
mod pages;
mod pairs;
mod rows;
mod spacing;
mod tables;
mod titles;
mod words;

pub(crate) use heads::{title_word, titled};

/// What the structure of a document is.
#[derive(Debug, Clone, Default)]
pub struct Structured {
    /// In the order of the document. Ids may occur twice; [`crate::check()`] says so.
    pub provisions: Vec<Provision>,
    /// The document's own table of contents: unit and heading.
    pub contents: Vec<(Unit, Option<String>)>,
    /// What is odd.
    pub diagnostics: Vec<Diagnostic>,
    /// Part of the letters of the source that landed in no provision, no annotation, no contents table and no
    /// page header, 0 to 1.
    pub unassigned_share: f64,
    /// Letters of the source.
    pub letters: usize,
    /// The unassigned text by page (0 where there are no pages): letters and the first words.
    pub unassigned: Vec<(u32, usize, String)>,
}

/// Structures a document as the manifest's grammar says. `version` names the expected numbers, which help to
/// tell heads from references; what they do not have is kept and reported all the same.
#[must_use]
pub fn structure(doc: &Document, manifest: &Manifest, version: Option<Date>) -> Structured {
    let version = version.and_then(|v| manifest.version(v)).or_else(|| manifest.versions.last());
    let expected: Vec<Number> = version.map_or_else(Vec::new, |v| {
        v.expected_units(manifest.unit).iter().filter_map(|u| u.number().cloned()).collect()
    });
    let context = Context { manifest, expected: &expected, sha256: &doc.sha256 };
    let mut structured = match &doc.body {
        Body::Rows(rows) => rows::structure(rows, &context),
        Body::Held(held) => exported(held, &context),
        Body::Lines(lines) => match manifest.grammar {
            Grammar::IndianAct => indian::structure(lines, &context),
            Grammar::ChineseCode => chinese::structure(lines, &context),
        },
    };
    structured.diagnostics.splice(0..0, doc.notes.iter().cloned());
    structured.diagnostics.extend(missed::in_texts(&structured.provisions, &context));
    leave_out_other_files(doc, &mut structured);
    for title in spacing::mend(&mut structured.provisions) {
        structured.diagnostics.push(Diagnostic::new(
            nyaya_corpora::Severity::Info,
            "title_spaces",
            format!("the file runs the words of a title together; it is read as “{title}”"),
        ));
    }
    let omitted = version.map_or_else(Vec::new, |v| v.omitted_units(manifest.unit));
    for provision in &mut structured.provisions {
        // Rows of tables often keep the old text of what was repealed; the manifest knows better.
        if provision.status == Status::InForce && omitted.contains(&provision.id.unit) {
            provision.status = Status::Omitted;
        }
        if let Some(entry) =
            manifest.struck_down.iter().find(|s| provision.id.unit.number() == Some(&s.number))
            && provision.id.unit.is_numbered_provision()
        {
            provision.struck_down = Some(entry.finding.clone());
        }
        for commencement in &manifest.commencements {
            if commencement.id.unit == provision.id.unit && commencement.id.pins.is_empty() {
                provision.in_force_from = commencement.from;
                if commencement.from.is_none() {
                    provision.status = Status::NotYetInForce;
                }
            }
        }
        tell_what_ended(provision, manifest);
        // Marks that were taken out after a note was placed move its place into the middle of a letter.
        for at in provision.annotations.iter_mut().filter_map(|a| a.at.as_mut()) {
            *at = (*at).min(provision.text.len());
            while !provision.text.is_char_boundary(*at) {
                *at -= 1;
            }
        }
        provision.pinpoints = eastern::pinpoints(provision, &manifest.language)
            .unwrap_or_else(|| nyaya_corpora::pinpoint::pinpoints(&provision.text, manifest.grammar));
    }
    structured
}

/// Says beside a text that stands whole in the source which places of it are no longer law.
fn tell_what_ended(provision: &mut Provision, manifest: &Manifest) {
    let ended =
        manifest.commencements.iter().filter(|c| c.id.unit == provision.id.unit && !c.id.pins.is_empty());
    for (c, until) in ended.filter_map(|c| Some((c, c.until?))).rev() {
        let text = format!("{} is no longer in force from {until}: {}", c.id, c.note);
        // An export carries it already.
        if !provision.annotations.iter().any(|a| a.text == text) {
            let note = nyaya_corpora::Annotation {
                kind: nyaya_corpora::AnnotationKind::Other,
                marker: None,
                text,
                at: None,
            };
            provision.annotations.insert(0, note);
        }
    }
}

/// The provisions of an export, under the name of the manifest.
fn exported(held: &Held, context: &Context<'_>) -> Structured {
    let provisions: Vec<Provision> = held
        .provisions
        .iter()
        .enumerate()
        .map(|(index, p)| {
            let unit = match p.id.unit.number() {
                Some(number) if p.id.unit.is_numbered_provision() => context.unit(number.clone()),
                _ => p.id.unit.clone(),
            };
            let Provision { id, source, .. } = context.provision(unit, p.source.page, index);
            Provision { id, source, ..p.clone() }
        })
        .collect();
    let letters = provisions.iter().map(|p| letters(&p.text)).sum();
    Structured { provisions, letters, ..Structured::default() }
}

/// A file of a folder in which nothing of the statute stands (an amending act, a list) is no part of the source; it
/// is named, and its letters do not count.
fn leave_out_other_files(doc: &Document, structured: &mut Structured) {
    let Body::Lines(lines) = &doc.body else { return };
    if doc.files.len() < 2 || structured.provisions.is_empty() {
        return;
    }
    let mut files: Vec<(usize, usize, bool)> = vec![(usize::MAX, 0, false); doc.files.len()];
    for line in lines {
        if let Some(file) = files.get_mut(line.file as usize) {
            file.0 = file.0.min(line.offset);
            file.1 += letters(&line.text);
        }
    }
    for offset in structured.provisions.iter().filter_map(|p| p.source.offset) {
        if let Some(index) = files.iter().rposition(|f| f.0 <= offset)
            && let Some(file) = files.get_mut(index)
        {
            file.2 = true;
        }
    }
    let lost = structured.unassigned_share * structured.letters as f64;
    let mut other = 0;
    for (name, (_, letters, used)) in doc.files.iter().zip(&files) {
        if !used {
            other += letters;
            structured.diagnostics.push(Diagnostic::new(
                nyaya_corpora::Severity::Warning,
                "other_file",
                format!("{name}: none of its {letters} letters belong to a provision of this statute; the file was left out"),
            ));
        }
    }
    structured.letters = structured.letters.saturating_sub(other);
    structured.unassigned_share = if structured.letters == 0 {
        0.0
    } else {
        ((lost - other as f64) / structured.letters as f64).clamp(0.0, 1.0)
    };
}

/// What every grammar needs to know.
struct Context<'a> {
    manifest: &'a Manifest,
    expected: &'a [Number],
    sha256: &'a str,
}

impl Context<'_> {
    fn unit(&self, number: Number) -> Unit {
        self.manifest.unit.unit(number)
    }

    fn id(&self, unit: Unit) -> ProvisionId {
        ProvisionId::new(self.manifest.id.clone(), unit)
    }

    fn provision(&self, unit: Unit, page: Option<u32>, offset: usize) -> Provision {
        Provision {
            id: self.id(unit),
            heading: None,
            breadcrumb: Vec::new(),
            text: String::new(),
            status: Status::InForce,
            in_force_from: None,
            in_force_until: None,
            struck_down: None,
            annotations: Vec::new(),
            pinpoints: Vec::new(),
            source: SourceRef { file_sha256: self.sha256.to_owned(), page, offset: Some(offset) },
        }
    }
}

/// Letters and figures of a text, the measure of shares.
fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Letters and figures only, in lower case: what two printings of a heading have in common.
pub(crate) fn essence(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod abroad;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod unseen;
