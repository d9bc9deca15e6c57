//! Where a text was broken off.

/// If a text has as many characters as its limit allows and does not end with a sentence: where its last whole
/// sentence ends. `None` if it ends well, is shorter than the limit, or has no whole sentence in its second half.
pub(super) fn broken_off(text: &str, most: usize) -> Option<usize> {
    let chars = text.chars().count();
    // A model held to a schema stops at the limit or, where a token would cross it, just before.
    if chars + 8 < most || chars > most {
        return None;
    }
    let ends = |c: char| matches!(c, '.' | '!' | '?' | '。' | '！' | '？');
    let closes = |c: char| matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '）' | '」' | '』' | '》');
    if text.trim_end_matches(closes).ends_with(ends) {
        return None;
    }
    let mut end = None;
    let mut indices = text.char_indices().peekable();
    while let Some((i, c)) = indices.next() {
        if !ends(c) {
            continue;
        }
        let mut stop = i + c.len_utf8();
        while let Some((i, c)) = indices.next_if(|(_, c)| closes(*c)) {
            stop = i + c.len_utf8();
        }
        // "No. 4", "s. 302", "3.5": not the end of a sentence.
        let next = text.get(stop..).unwrap_or_default();
        let goes_on = c == '.'
            && (!next.starts_with(char::is_whitespace)
                || next.trim_start().starts_with(|n: char| n.is_ascii_digit() || n.is_lowercase()));
        if !goes_on {
            end = Some(stop);
        }
    }
    end.filter(|e| *e >= text.len() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, most: usize) -> &str {
        broken_off(text, most).map_or(text, |end| &text[..end])
    }

    #[test]
    fn an_unfinished_sentence_at_the_limit_is_found() {
        assert_eq!(said("One is so. Two is so. And thr", 29), "One is so. Two is so.");
        assert_eq!(said("甲取走船桨。乙不知情。丙在", 13), "甲取走船桨。乙不知情。");
        assert_eq!(said("He said \"it is so.\" And then he we", 34), "He said \"it is so.\"");
    }

    #[test]
    fn what_ends_well_or_below_the_limit_stays() {
        for (text, most) in [
            ("One is so. Two is so.", 21),
            ("One is so. And thr", 400),
            ("没有句号的一段话", 8),
            ("Short. And then a very long sentence that never ends", 52),
            ("It rests on s. 302 and on s. 304 and on s. 30", 45),
            ("He said (it is so.)", 19),
        ] {
            assert_eq!(broken_off(text, most), None, "{text}");
        }
    }
}
