//! One edition out of one file: read, structure, check, name the version.

use std::path::Path;

use jiff::civil::Date;
use nyaya_corpora::manifest::{Manifest, Source};
use nyaya_corpora::{Diagnostic, Edition, Severity, Unit};

use crate::Error;
use crate::check::{self, Report};
use crate::propose::of_another_law;
use crate::read::{self, Body, Document, PdfReader};
use crate::structure::{Structured, structure};

/// An edition and what was found out while building it. The same file gives the same bytes.
#[derive(Debug, Clone)]
pub struct Built {
    /// The edition.
    pub edition: Edition,
    /// What is odd, the worst first.
    pub diagnostics: Vec<Diagnostic>,
    /// The document's own table of contents.
    pub contents: Vec<(Unit, Option<String>)>,
    /// Part of the source's letters in no provision, 0 to 1.
    pub unassigned_share: f64,
    /// That text by page (0 where there are no pages): letters and the first words.
    pub unassigned: Vec<(u32, usize, String)>,
    /// No finding is an error.
    pub fit: bool,
    /// Number of sections or articles that the version should have; 0 if unknown.
    pub expected: usize,
    /// Expected and not found.
    pub missing: Vec<Unit>,
    /// Found and not expected.
    pub extra: Vec<Unit>,
    /// Found more than once.
    pub duplicates: Vec<Unit>,
}

/// The source of the manifest that a file is: by its hash, else by its name.
///
/// # Errors
/// If the file cannot be read.
pub fn match_source<'m>(manifest: &'m Manifest, path: &Path) -> Result<Option<&'m Source>, Error> {
    if path.is_file() {
        let sha256 = read::sha256_hex(&read::bytes(path)?);
        if let Some(source) =
            manifest.sources.iter().find(|s| s.sha256.iter().any(|h| h.eq_ignore_ascii_case(&sha256)))
        {
            return Ok(Some(source));
        }
    }
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let named =
        |wanted: &String| Path::new(wanted).file_name().and_then(|n| n.to_str()).is_some_and(|n| n == name);
    Ok(manifest.sources.iter().find(|s| s.files.iter().any(named) || s.member.as_ref().is_some_and(named)))
}

/// Builds an edition from a file or folder.
///
/// `source` is the manifest's entry it was fetched by; without one the file is matched to an entry by hash, then by
/// name, and a file that matches none gets the version whose numbers fit it best, which is said in the diagnostics.
///
/// # Errors
/// If the file cannot be read at all. A bad text is no error here: see `fit` and `diagnostics`.
pub fn build_edition(
    manifest: &Manifest,
    source: Option<&Source>,
    path: &Path,
    pdf: &PdfReader,
) -> Result<Built, Error> {
    build_edition_as(manifest, source, None, path, pdf)
}

/// As [`build_edition`], with the version that the user says a file of no known source has.
///
/// # Errors
/// As there.
pub fn build_edition_as(
    manifest: &Manifest,
    source: Option<&Source>,
    said: Option<Date>,
    path: &Path,
    pdf: &PdfReader,
) -> Result<Built, Error> {
    let matched = match source {
        Some(source) => Some(source),
        None => match_source(manifest, path)?,
    };
    let document = read::read(path, matched.and_then(|s| s.fields.as_ref()), pdf)?;
    let mut notes = Vec::new();
    // The user knows better than the manifest what a file is.
    let matched = matched.filter(|m| said.is_none_or(|v| v == m.version));
    let (version, structured) = match matched {
        Some(source) => {
            if !source.sha256.is_empty()
                && !source.sha256.iter().any(|h| h.eq_ignore_ascii_case(&document.sha256))
            {
                notes.push(Diagnostic::new(
                    Severity::Warning,
                    "other_file",
                    format!(
                        "not the file known as `{}` of {} (SHA-256 {}); it is taken for its version of {}",
                        source.id, manifest.id, document.sha256, source.version
                    ),
                ));
            }
            (source.version, structure(&document, manifest, Some(source.version)))
        }
        None if said.is_some() => {
            let version = said.unwrap_or(manifest.in_force_from);
            (version, structure(&document, manifest, said))
        }
        None => match &document.body {
            // An export says itself what it is.
            Body::Held(held) if held.work == manifest.id => {
                (held.version, structure(&document, manifest, Some(held.version)))
            }
            Body::Held(held) => {
                notes.push(Diagnostic::new(
                    Severity::Error,
                    "other_statute",
                    format!("this file is an export of {}, not of {}", held.work, manifest.id),
                ));
                (held.version, structure(&document, manifest, Some(held.version)))
            }
            _ => guess_version(&document, manifest, &mut notes),
        },
    };
    if let Some(title) = of_another_law(&document, manifest) {
        notes.push(Diagnostic::new(
            Severity::Error,
            "other_statute",
            format!("the document calls itself “{title}”, and no name of {} stands at its head", manifest.id),
        ));
    }
    let exported_whole = match &document.body {
        Body::Held(held) => held.complete,
        _ => true,
    };
    let mut structured = structured;
    structured.diagnostics.extend(notes);
    drop_spoiled(&mut structured, manifest, matched);
    let Report { diagnostics, fit, missing, extra, duplicates, expected } =
        check::check(&structured, manifest, Some(version), matched);
    let lacks = missing.iter().any(Unit::is_numbered_provision);
    let complete = matched.map_or(expected > 0, |s| s.complete) && exported_whole && !lacks;
    let Structured { provisions, contents, unassigned_share, unassigned, .. } = structured;
    let edition = Edition {
        work: manifest.id.clone(),
        version,
        language: manifest.language.clone(),
        source: matched.map_or_else(|| "file".to_owned(), |s| s.id.clone()),
        source_file: path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned(),
        source_sha256: document.sha256,
        complete,
        provisions,
    };
    Ok(Built {
        edition,
        diagnostics,
        contents,
        unassigned_share,
        unassigned,
        fit,
        expected,
        missing,
        extra,
        duplicates,
    })
}

/// Rows that the source is known to spoil (commentary in place of the law) are taken out rather than shown as law.
fn drop_spoiled(structured: &mut Structured, manifest: &Manifest, source: Option<&Source>) {
    let known = check::known(manifest, source);
    let diagnostics = &mut structured.diagnostics;
    structured.provisions.retain(|p| {
        if !known.contains(&p.id.unit) {
            return true;
        }
        let mut note = Diagnostic::new(
            Severity::Warning,
            "spoiled",
            format!("{}: this source has something else than the law in its place; left out", p.id),
        );
        note.id = Some(p.id.clone());
        diagnostics.push(note);
        false
    });
}

/// The version that fits the numbers found best; the newest one among those that fit alike.
///
/// A number that a version does not have speaks against it. One that is not found speaks against a version only
/// where the document is otherwise whole: a partial one lacks numbers of every version.
fn guess_version(
    document: &Document,
    manifest: &Manifest,
    notes: &mut Vec<Diagnostic>,
) -> (Date, Structured) {
    let mut best: Option<((usize, usize), Date, Structured)> = None;
    for version in manifest.versions.iter().rev() {
        let structured = structure(document, manifest, Some(version.from));
        let report = check::check(&structured, manifest, Some(version.from), None);
        let partial = report.missing.len() * 20 > report.expected;
        let off = match (version.expected.is_empty(), partial) {
            (true, _) => (usize::MAX, usize::MAX),
            (false, true) => (report.extra.len(), 0),
            (false, false) => (report.extra.len() + report.missing.len(), 0),
        };
        if best.as_ref().is_none_or(|b| off < b.0) {
            best = Some((off, version.from, structured));
        }
    }
    let (version, structured) = match best {
        Some((_, version, structured)) => (version, structured),
        None => (manifest.in_force_from, structure(document, manifest, None)),
    };
    notes.push(Diagnostic::new(
        Severity::Warning,
        "unknown_file",
        format!(
            "no source of {} is known by this file's hash (SHA-256 {}) or name; by its numbers it is taken for the version of {version}",
            manifest.id, document.sha256
        ),
    ));
    (version, structured)
}
