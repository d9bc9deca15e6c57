//! Where quotations stand in a text: between quotation marks, and in block quotes.
//!
//! Marks pair up in one pass. A mark that nothing closes opens nothing: an inch sign or an apostrophe must not turn
//! the rest of a text inside out.

/// Longest quotation, in bytes.
const LONGEST: usize = 20_000;

/// A quotation as it stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quotation {
    /// First byte of the words.
    pub start: usize,
    /// Byte behind the words.
    pub end: usize,
    /// First byte with the mark.
    pub from: usize,
    /// Byte behind the closing mark.
    pub to: usize,
    /// Lines that begin with `>`.
    pub block: bool,
    /// Too long to compare, or with a blank line between its marks, which may not belong together.
    pub beyond: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Double,
    Single,
    Corner(char),
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    at: usize,
    len: usize,
    class: Class,
    opens: bool,
    closes: bool,
    /// It says by its form that it opens, or white space stands before it and none behind it.
    fresh: bool,
    line_start: bool,
    /// The letter before it is an s: it may be the apostrophe of a plural.
    plural: bool,
}

fn is_sign(c: char) -> bool {
    matches!(
        c,
        '`' | '"'
            | '\''
            | '“'
            | '”'
            | '„'
            | '＂'
            | '‘'
            | '’'
            | '「'
            | '」'
            | '『'
            | '』'
            | '«'
            | '»'
            | '＇'
    )
}

/// All quotations, in the order of their start, a block before what is quoted inside it.
pub(super) fn quotations(text: &str) -> Vec<Quotation> {
    let mut all = blocks(text);
    let marks = marks(text);
    if !marks.is_empty() {
        all.extend(pairs(text, &marks));
        all.sort_by_key(|q| (q.start, std::cmp::Reverse(q.end)));
    }
    all
}

fn marks(text: &str) -> Vec<Mark> {
    let mut out = Vec::new();
    // Behind the last mark: ''text'' has two signs in one.
    let mut behind = 0;
    for (at, sign) in text.match_indices(is_sign) {
        let Some(c) = sign.chars().next().filter(|_| at >= behind) else { continue };
        let ahead = text.get(at + sign.len()..).unwrap_or_default();
        let mut next = ahead.chars().next();
        // ``text'' and ''text'' of typesetters.
        let doubled = matches!(c, '`' | '\'') && next == Some(c);
        if doubled {
            next = ahead.chars().nth(1);
        }
        let head = text.get(behind..at).unwrap_or_default();
        let previous = text.get(..at).and_then(|t| t.chars().next_back());
        let body =
            head.trim_end_matches(|c: char| (c.is_whitespace() && c != '\n') || matches!(c, '>' | '*'));
        let line_start = body.ends_with('\n') || (body.is_empty() && behind == 0);
        behind = at + sign.len() * if doubled { 2 } else { 1 };
        let space_before = previous.is_none_or(char::is_whitespace);
        let space_after = next.is_none_or(char::is_whitespace);
        // `“text ”.` ends there, whatever stands before the mark.
        let ended = match next {
            Some('.') => !ahead.starts_with(".."),
            Some(c) => matches!(c, ',' | ';' | ':' | ')' | '!' | '?' | '।' | '。' | '，' | '；'),
            None => true,
        };
        let begins = space_before && !space_after && !ended;
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !super::is_han(c));
        let (class, opens, closes) = match c {
            '`' | '\'' if doubled => (Class::Double, c == '`' || !space_after, c == '\'' && !space_before),
            '`' => (Class::Corner('`'), !space_after, !space_before),
            '“' | '„' => (Class::Double, true, false),
            // `”text”` opens with the wrong mark.
            '”' => (Class::Double, begins, !begins),
            '"' | '＂' => (Class::Double, !space_after || space_before, true),
            '‘' => (Class::Single, !word(previous), false),
            '’' => (Class::Single, false, !space_before && !word(next)),
            '\'' | '＇' => (Class::Single, !word(previous) && !space_after, !space_before && !word(next)),
            '「' => (Class::Corner('」'), true, false),
            '『' => (Class::Corner('』'), true, false),
            '«' => (Class::Corner('»'), true, false),
            close => (Class::Corner(close), false, true),
        };
        if !opens && !closes {
            continue;
        }
        out.push(Mark {
            at,
            len: behind - at,
            class,
            opens,
            closes,
            fresh: matches!(c, '“' | '„' | '‘') || begins,
            line_start,
            plural: matches!(previous, Some('s' | 'S')),
        });
    }
    out
}

fn pairs(text: &str, marks: &[Mark]) -> Vec<Quotation> {
    // For single marks: the next that can close, and the next that can open, from each place on.
    let (mut close, mut open) = (usize::MAX, usize::MAX);
    let mut next_close = vec![usize::MAX; marks.len() + 1];
    let mut next_open = vec![usize::MAX; marks.len() + 1];
    for (i, m) in marks.iter().enumerate().rev() {
        if m.class == Class::Single {
            if m.closes {
                close = i;
            }
            if m.opens && !m.closes {
                open = i;
            }
        }
        if let (Some(c), Some(o)) = (next_close.get_mut(i), next_open.get_mut(i)) {
            (*c, *o) = (close, open);
        }
    }
    let mut out = Vec::new();
    let mut exhausted: Vec<Class> = Vec::new();
    let mut i = 0;
    while let Some(m) = marks.get(i) {
        if !m.opens || exhausted.contains(&m.class) {
            i += 1;
            continue;
        }
        let found = if m.class == Class::Single {
            let first = next_close.get(i + 1).copied().unwrap_or(usize::MAX);
            let later = next_close.get(first.saturating_add(1)).copied().unwrap_or(usize::MAX);
            let opener = next_open.get(first.saturating_add(1)).copied().unwrap_or(usize::MAX);
            // Another opens before one closes: this one is an apostrophe.
            if next_open.get(i + 1).is_some_and(|o| *o < first) {
                i += 1;
                continue;
            }
            let plural = marks.get(first).is_some_and(|m| m.plural);
            // The apostrophe of `persons' consent` closes nothing where a better mark follows.
            if plural && later < opener && marks.get(later).is_some_and(|m| !m.plural) && later != first {
                Some(later)
            } else {
                Some(first).filter(|f| *f != usize::MAX)
            }
        } else {
            // The next mark of the class closes, or begins anew because this one was never closed.
            let mut end = None;
            let mut anew = None;
            for (j, n) in marks.iter().enumerate().skip(i + 1).filter(|(_, n)| n.class == m.class) {
                if n.closes && !n.fresh {
                    end = Some(j);
                    break;
                }
                if m.line_start && n.line_start {
                    // Each paragraph of a long quotation begins with a mark.
                    continue;
                }
                anew = Some(j);
                break;
            }
            if let (None, Some(j)) = (end, anew) {
                i = j;
                continue;
            }
            if end.is_none() {
                exhausted.push(m.class);
            }
            end
        };
        let (Some(j), start) = (found, m.at + m.len) else {
            i += 1;
            continue;
        };
        let Some((end, closing)) = marks.get(j).map(|m| (m.at, m.len)) else {
            i += 1;
            continue;
        };
        let inside = text.get(start..end).filter(|t| t.len() <= LONGEST);
        let crosses = inside.is_none_or(|t| has_blank_line(t) && !m.line_start);
        if crosses {
            // The marks may be strays, so that others may open inside.
            let led = text.get(..m.at).is_some_and(|t| t.ends_with([':', '-', '—', '(', '：', '，']));
            if m.fresh || led || matches!(m.class, Class::Corner(_)) {
                let to = end + closing;
                out.push(Quotation { start, end, from: m.at, to, block: false, beyond: true });
            }
            i += 1;
            continue;
        }
        out.push(Quotation { start, end, from: m.at, to: end + closing, block: false, beyond: false });
        i = j + 1;
    }
    out
}

/// Whether a text has a line without words inside.
pub(super) fn has_blank_line(text: &str) -> bool {
    let mut lines = text.split('\n').skip(1).peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_some() && line.trim_matches(|c: char| c.is_whitespace() || c == '>').is_empty() {
            return true;
        }
    }
    false
}

/// A line of a block quote, without its mark: what stands behind `>`.
pub(super) fn unmarked(line: &str) -> Option<&str> {
    let body = line.trim_start_matches([' ', '\t']);
    body.strip_prefix('>').map(|rest| rest.strip_prefix(' ').unwrap_or(rest))
}

fn blocks(text: &str) -> Vec<Quotation> {
    let mut out: Vec<Quotation> = Vec::new();
    if !text.contains('>') {
        return out;
    }
    let mut at = 0;
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(body) = unmarked(line) else {
            open = false;
            continue;
        };
        let end = start + line.trim_end().len();
        let from = at - body.len();
        match out.last_mut() {
            Some(last) if open => {
                last.end = end.max(last.end);
                last.to = last.end;
            }
            _ => out.push(Quotation {
                start: from.min(end),
                end,
                from: start,
                to: end,
                block: true,
                beyond: false,
            }),
        }
        open = true;
    }
    out.retain(|q| q.start < q.end);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        quotations(text).into_iter().filter(|q| !q.beyond).map(|q| &text[q.start..q.end]).collect()
    }

    #[test]
    fn marks_of_every_form_pair_up() {
        for (text, want) in [
            ("he “dims a lamp” and \"lights one\"", vec!["dims a lamp", "lights one"]),
            ("he 'dims a lamp' and ‘lights one’.", vec!["dims a lamp", "lights one"]),
            ("a keeper's lamp and the keepers' oil", vec![]),
            (
                "'a person's lamp, without the owners' consent, is lit'",
                vec!["a person's lamp, without the owners' consent, is lit"],
            ),
            ("'brass lamps' and 'oil'", vec!["brass lamps", "oil"]),
            ("第一条「点灯」和『灭灯』", vec!["点灯", "灭灯"]),
            ("第一条\"点灯\"", vec!["点灯"]),
            ("“outer ‘inner’ words”", vec!["outer ‘inner’ words"]),
            ("“mixed marks\" here", vec!["mixed marks"]),
            (
                "he ``dims a lamp'' and ''lights one'' and `trims it`",
                vec!["dims a lamp", "lights one", "trims it"],
            ),
            ("he says “dims a lamp ”. Or \"lights one \", or", vec!["dims a lamp ", "lights one "]),
            ("a 5\" lamp and \"a wick\"", vec!["a wick"]),
            ("“never closed and “this one”", vec!["this one"]),
            ("\"never closed and \"this one\"", vec!["this one"]),
            ("x “never closed\n\nand a paragraph” more", vec![]),
        ] {
            assert_eq!(found(text), want, "{text}");
        }
    }

    #[test]
    fn a_quotation_that_begins_a_line_may_have_paragraphs() {
        assert_eq!(found("It reads:\n\n“(1) One.\n\n“(2) Two.”\n\nEnd."), ["(1) One.\n\n“(2) Two."]);
    }

    #[test]
    fn block_quotes_are_runs_of_marked_lines() {
        assert_eq!(found("It reads:\n> Whoever dims\n> a lamp.\n\nNext."), ["Whoever dims\n> a lamp."]);
        assert_eq!(found("3 > 2 and a -> b"), Vec::<&str>::new());
    }
}
