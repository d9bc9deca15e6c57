//! What `nyaya corpus export` wrote as JSON lines or Markdown, read back as it was written: status, notes and findings
//! included.

use std::path::Path;

use jiff::civil::Date;
use nyaya_corpora::export::Line;
use nyaya_corpora::{
    Annotation, AnnotationKind, Provision, ProvisionId, SourceRef, Status, StruckDown, Unit, WorkId,
};

use super::rows::MAX_ROWS;
use crate::Error;

/// An edition that was exported.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The statute it was exported from.
    pub work: WorkId,
    /// The version.
    pub version: Date,
    /// BCP 47.
    pub language: String,
    /// Title in the language of the text.
    pub title: String,
    /// Whether it had every provision.
    pub complete: bool,
    /// Its provisions, under the names they had.
    pub provisions: Vec<Provision>,
}

/// The edition in this text, if its first line is one of an export.
///
/// # Errors
/// If a later line is none, or is of another statute or version.
pub(super) fn read(path: &Path, text: &str) -> Result<Option<Held>, Error> {
    const HINT: &str = "give the file as `nyaya corpus export` wrote it, one statute and version a file";
    let mut held: Option<Held> = None;
    for (n, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let line = match serde_json::from_str::<Line>(line) {
            Ok(line) => line,
            Err(_) if held.is_none() => return Ok(None),
            Err(e) => return Err(Error::file(path, format!("line {}: {e}", n + 1), HINT)),
        };
        let of = line.provenance;
        let version: Date = of.version.parse().map_err(|_| {
            Error::file(path, format!("line {}: `{}` is no version, which is a day", n + 1, of.version), HINT)
        })?;
        let held = held.get_or_insert_with(|| Held {
            work: of.work.clone(),
            version,
            language: of.language,
            title: of.title,
            complete: of.complete,
            provisions: Vec::new(),
        });
        if held.work != of.work || held.version != version || line.id.work != of.work {
            let said = format!(
                "line {} is of {} of {version}, those before of {} of {}",
                n + 1,
                of.work,
                held.work,
                held.version
            );
            return Err(Error::file(path, said, HINT));
        }
        if held.provisions.len() >= MAX_ROWS {
            return Err(Error::file(path, format!("more than {MAX_ROWS} rows"), HINT));
        }
        held.provisions.push(Provision {
            id: line.id,
            heading: line.heading,
            breadcrumb: line.breadcrumb,
            text: line.text,
            status: line.status,
            in_force_from: line.in_force_from,
            in_force_until: line.in_force_until,
            struck_down: line.struck_down,
            annotations: line.annotations,
            pinpoints: line.pinpoints,
            source: line.source,
        });
    }
    Ok(held)
}

/// The edition in this Markdown, if its front matter is that of an export.
///
/// # Errors
/// If there are more provisions than a statute has.
pub(super) fn read_markdown(path: &Path, text: &str) -> Result<Option<Held>, Error> {
    let Some((front, body)) = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) else {
        return Ok(None);
    };
    let field = |name: &str| {
        let value = front.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(": "))?;
        serde_json::from_str::<String>(value).ok()
    };
    let (Some(id), Some(title), Some(coverage)) = (field("id"), field("title"), field("coverage")) else {
        return Ok(None);
    };
    let Some((work, (version, language))) =
        id.split_once('@').and_then(|(w, e)| Some((w, e.split_once(':')?)))
    else {
        return Ok(None);
    };
    let (Ok(work), Ok(version)) = (work.parse::<WorkId>(), version.parse::<Date>()) else { return Ok(None) };
    let mut provisions: Vec<Provision> = Vec::new();
    let mut above: Vec<(usize, String)> = Vec::new();
    for line in body.lines().filter(|l| !l.trim().is_empty()) {
        let depth = line.bytes().take_while(|b| *b == b'#').count();
        if let Some((words, unit)) = line.strip_prefix("##### ").and_then(named) {
            if provisions.len() >= MAX_ROWS {
                return Err(Error::file(
                    path,
                    format!("more than {MAX_ROWS} provisions"),
                    "give one statute a file",
                ));
            }
            let heading = words.split_once(' ').map(|w| w.1);
            // `Schedule 7 Heading`
            let heading = match &unit {
                Unit::Schedule(_) if words.is_ascii() || words.starts_with("Schedule ") => {
                    heading.and_then(|h| h.split_once(' ')).map(|h| h.1)
                }
                _ => heading,
            };
            provisions.push(Provision {
                id: ProvisionId::new(work.clone(), unit),
                heading: heading.map(str::trim).filter(|h| !h.is_empty()).map(str::to_owned),
                breadcrumb: above.iter().map(|a| a.1.clone()).collect(),
                text: String::new(),
                status: Status::InForce,
                in_force_from: None,
                in_force_until: None,
                struck_down: None,
                annotations: Vec::new(),
                pinpoints: Vec::new(),
                source: SourceRef { file_sha256: String::new(), page: None, offset: None },
            });
        } else if (2..=4).contains(&depth) {
            above.retain(|a| a.0 < depth);
            above.push((depth, line.trim_start_matches('#').trim().to_owned()));
        } else if let Some(p) = provisions.last_mut() {
            content(p, line);
        }
    }
    let complete = !coverage.contains("missing: ") && !coverage.contains("the source is incomplete");
    let language = language.to_owned();
    Ok((!provisions.is_empty()).then_some(Held { work, version, language, title, complete, provisions }))
}

/// `302. Heading {#s302}`: the words and the unit.
fn named(line: &str) -> Option<(&str, Unit)> {
    let (words, unit) = line.strip_suffix('}')?.rsplit_once("{#")?;
    Some((words.trim_end(), unit.parse().ok()?))
}

/// A line under the heading of a provision: what is said of it, a note, or its words.
fn content(p: &mut Provision, line: &str) {
    let said = line.strip_prefix('*').and_then(|l| l.strip_suffix('*'));
    match said.filter(|_| p.text.is_empty()) {
        Some("Enacted, not in force.") => p.status = Status::NotYetInForce,
        Some("Repealed.") => p.status = Status::Repealed,
        Some("Omitted.") => p.status = Status::Omitted,
        Some(other) if other.starts_with("Struck down on ") => p.struck_down = finding(other),
        _ => {
            if let Some(note) = line.strip_prefix("> ") {
                let (marker, text) = note.split_once(' ').unwrap_or(("note:", note));
                p.annotations.push(Annotation {
                    kind: AnnotationKind::Other,
                    marker: Some(marker.to_owned()).filter(|m| m != "note:"),
                    text: text.to_owned(),
                    at: None,
                });
                return;
            }
            if !p.text.is_empty() {
                p.text.push('\n');
            }
            let mut chars = line.chars();
            while let Some(c) = chars.next() {
                // A sign that Markdown would read as its own was escaped.
                p.text.extend(if c == '\\' { chars.next() } else { Some(c) });
            }
        }
    }
}

/// `Struck down on 1983-04-07, Judgment: extent.`
fn finding(said: &str) -> Option<StruckDown> {
    let (date, rest) = said.strip_prefix("Struck down on ")?.split_once(", ")?;
    let (source, note) = rest.split_once(": ")?;
    let note = note.strip_suffix('.').unwrap_or(note);
    Some(StruckDown { date: date.parse().ok()?, source: source.to_owned(), note: note.to_owned() })
}
