//! The one place where agents and the citation verifier meet.

use nyaya_corpora::citation::{Citation, Context, Extractor, QuoteMatch, Verdict, check_id, report};
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
    let words = report(text, &found, lookup, catalogue, context).citations.into_iter().map(|citation| {
        let quoted = quoted(text, &citation);
        let citation = of_the_forum(citation, context);
        CheckedCitation { place: "text".to_owned(), citation, quoted }
    });
    field.chain(words).collect()
}

/// Another country's provision is there, but it is no law that this court applies: it must not come out green.
fn of_the_forum(mut citation: Citation, context: &Context) -> Citation {
    // A pair or a row may be of no jurisdiction.
    let Some(forum) = context.jurisdiction.as_ref().filter(|j| !j.is_empty()) else { return citation };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn verified(id: &str) -> Citation {
        Citation {
            span: (0, 1),
            raw: id.to_owned(),
            id: Some(id.parse().unwrap()),
            verdict: Verdict::Verified,
            successor: Vec::new(),
            range: None,
            reason: "looked up".to_owned(),
            struck_down: None,
            quoted: Vec::new(),
        }
    }

    #[test]
    fn a_court_applies_its_own_law() {
        let indian = Context { jurisdiction: Some("in".to_owned()), ..Context::default() };
        let own = of_the_forum(verified("in/ipc#s379"), &indian);
        assert_eq!((own.verdict, own.reason.as_str()), (Verdict::Verified, "looked up"));
        let nowhere = Context { jurisdiction: Some(String::new()), ..Context::default() };
        assert_eq!(of_the_forum(verified("cn/criminal-law#a264"), &nowhere).verdict, Verdict::Verified);
        let foreign = of_the_forum(verified("cn/criminal-law#a264"), &indian);
        assert_eq!(foreign.verdict, Verdict::Unchecked);
        assert!(foreign.reason.contains("`in`") && foreign.reason.contains("`cn`"), "{}", foreign.reason);
        // What was wrong anyway stays as it was found.
        let gone = Citation { verdict: Verdict::NotFound, ..verified("cn/criminal-law#a999") };
        assert_eq!(of_the_forum(gone.clone(), &indian), gone);
    }
}
