//! Words that look like a citation and were not read as one, so that coverage can say how many there are.

use std::sync::OnceLock;

use regex::Regex;

use super::Extracted;

/// A word for a provision or a rule with a number behind it, or 第…条.
fn pattern() -> Option<&'static Regex> {
    static PATTERN: OnceLock<Option<Regex>> = OnceLock::new();
    const WORDS: &str = r"(?x)
        (?i:\b(?:sections?|sect?s?\.|ss?\.|u/s\.?|articles?|arts?\.|rules?|orders?|regulations?|dhara|dhaara|anuchchhed)
            [\s.:\-]{0,3} (?:no\.?\s?)? (?:[0-9]{1,5}\b|(?-i:[IVXL]{1,8})\b))
        | §+\s?[0-9]{1,5}
        | (?:धारा|धाराओं|अनुच्छेद|नियम|आदेश)\s{1,2}[0-9०-९]{1,5}
        | [第笫弟][\s]?[一二三四五六七八九十百千零〇两廿卅0-9０-９]{1,9}[\s]?[条條]";
    PATTERN.get_or_init(|| Regex::new(WORDS).ok()).as_ref()
}

/// Byte ranges of such words outside every citation found, in the order of the text.
pub(super) fn unread(text: &str, found: &[Extracted]) -> Vec<(usize, usize)> {
    let Some(pattern) = pattern() else { return Vec::new() };
    // Citations come in the order of their start; a later one can end earlier, so the furthest end counts.
    let mut covered: Vec<(usize, usize)> = Vec::with_capacity(found.len());
    for e in found {
        match covered.last_mut() {
            Some(last) if e.span.0 <= last.1 => last.1 = last.1.max(e.span.1),
            _ => covered.push(e.span),
        }
    }
    pattern
        .find_iter(text)
        .map(|m| (m.start(), m.end()))
        .filter(|(start, end)| {
            let next = covered.partition_point(|c| c.1 <= *start);
            covered.get(next).is_none_or(|c| c.0 >= *end)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Context, extract};
    use super::*;
    use crate::manifest::Catalogue;

    fn words(text: &str) -> Vec<&str> {
        let catalogue = Catalogue::builtin().unwrap();
        let found = extract(text, &catalogue, &Context::default());
        unread(text, &found).into_iter().map(|(a, b)| &text[a..b]).collect()
    }

    #[test]
    fn what_was_read_is_not_counted_and_what_was_not_is() {
        assert!(words("Section 302 IPC, sections 34 and 36 of the Arms Act, 刑法第二百三十二条").is_empty());
        assert_eq!(
            words("Order 39 Rule 1, and Rule 5 of the Prison Rules"),
            ["Order 39", "Rule 1", "Rule 5"]
        );
        assert!(words("the third section of the queue, 三年六个月").is_empty());
    }
}
