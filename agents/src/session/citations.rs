//! The one place where agents and the citation verifier meet.

use nyaya_corpora::citation::{Citation, Context, QuoteMatch, check_id, check_text};
use nyaya_corpora::{Catalogue, ProvisionLookup};

use crate::event::CheckedCitation;

/// Checks the citations of a statement: each entry of the field meant for them, then those in its words.
pub(super) fn check_citations(
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    context: &Context,
    text: &str,
    cites: &[String],
) -> Vec<CheckedCitation> {
    let field = cites.iter().map(|raw| {
        let citation = check_id(raw, lookup, catalogue, context);
        CheckedCitation { place: "field".to_owned(), citation, quoted: None }
    });
    let words = check_text(text, lookup, catalogue, context).citations.into_iter().map(|citation| {
        let quoted = quoted(text, &citation);
        CheckedCitation { place: "text".to_owned(), citation, quoted }
    });
    field.chain(words).collect()
}

/// The words quoted beside a citation that are the provision's to the letter.
fn quoted(text: &str, citation: &Citation) -> Option<String> {
    let exact = citation.quoted.iter().find(|q| q.found == QuoteMatch::Exact)?;
    text.get(exact.span.0..exact.span.1).map(str::to_owned)
}
