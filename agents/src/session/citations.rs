//! The one place where agents and the citation verifier meet.

use nyaya_corpora::citation::{Citation, Context, Extractor, QuoteMatch, Verdict, check_id, verify};
use nyaya_corpora::{Catalogue, ProvisionLookup};

use crate::event::CheckedCitation;

/// Checks the citations of a statement: each entry of the field meant for them, then those in its words.
pub(super) fn check_citations(
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    context: &Context,
    extractor: &Extractor,
    text: &str,
    cites: &[String],
) -> Vec<CheckedCitation> {
    let field = cites.iter().map(|raw| {
        let citation = of_the_forum(check_id(raw, lookup, catalogue, context), context);
        CheckedCitation { place: "field".to_owned(), citation, quoted: None }
    });
    let found = extractor.extract(text);
    let words = verify(&found, lookup, catalogue, context).into_iter().map(|citation| {
        let quoted = quoted(text, &citation);
        let citation = of_the_forum(citation, context);
        CheckedCitation { place: "text".to_owned(), citation, quoted }
    });
    field.chain(words).collect()
}

/// Another country's provision is there, but it is no law that this court applies: it must not come out green.
fn of_the_forum(mut citation: Citation, context: &Context) -> Citation {
    let Some(forum) = &context.jurisdiction else { return citation };
    let Some(foreign) = citation.id.as_ref().map(|id| id.work.jurisdiction()).filter(|j| j != forum) else {
        return citation;
    };
    if citation.verdict == Verdict::Verified {
        citation.reason =
            format!("the provision exists, but this court applies the law of `{forum}`, not of `{foreign}`");
        citation.verdict = Verdict::Unchecked;
    }
    citation
}

/// The words quoted beside a citation that are the provision's to the letter.
fn quoted(text: &str, citation: &Citation) -> Option<String> {
    let exact = citation.quoted.iter().find(|q| q.found == QuoteMatch::Exact)?;
    text.get(exact.span.0..exact.span.1).map(str::to_owned)
}
