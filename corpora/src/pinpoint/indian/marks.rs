//! Marks of places in a text: labels, names, ordinals, figures.

use crate::citation::numerals::parse_roman;

use super::{Indian, Named, ORDINALS};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    /// `(a)`; `sure` at the start of a line.
    Label {
        label: String,
        sure: bool,
    },
    Named(Named, Option<u32>),
    Illustrations,
    /// `Thirdly`.
    Ordinal {
        n: u32,
        sure: bool,
    },
    /// `List II`.
    List(u32),
    /// `12.` or `12A.` at the start of a line.
    Figure(u32, String),
    /// A paragraph without a label behind a list: words of the place that holds the list.
    Flush,
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let head = text.get(..word.len())?;
    if !head.eq_ignore_ascii_case(word) {
        return None;
    }
    let rest = text.get(word.len()..)?;
    (!rest.starts_with(|c: char| c.is_alphanumeric())).then_some(rest)
}

fn is_dash(c: char) -> bool {
    matches!(c, '—' | '–' | '-' | '―' | '\u{2011}' | '\u{2012}')
}

/// `(a)` at the start: the label and the length with brackets.
fn label_at(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix('(')?;
    let close = inner.bytes().take(7).position(|b| b == b')')?;
    let label = inner.get(..close)?;
    let figures = label.bytes().take_while(u8::is_ascii_digit).count();
    let letters = label.get(figures..)?;
    let ok = !label.is_empty()
        && letters.bytes().all(|b| b.is_ascii_alphabetic())
        && if figures > 0 { figures <= 3 && letters.len() <= 2 } else { letters.len() <= 5 }
        && (letters.bytes().all(|b| b.is_ascii_lowercase())
            || letters.bytes().all(|b| b.is_ascii_uppercase()))
        && (figures > 0 || letters.len() <= 2 || parse_roman(letters).is_some() || same_letters(letters));
    ok.then_some((label, close + 2))
}

fn same_letters(s: &str) -> bool {
    let mut bytes = s.bytes();
    let first = bytes.next();
    bytes.all(|b| Some(b) == first)
}

impl Indian<'_> {
    /// A named place at the start of a line: what it is, and its length.
    fn named_at(rest: &str) -> Option<(Mark, usize)> {
        let len = |after: &str| rest.len() - after.len();
        if let Some(after) = strip_word(rest, "Provided") {
            let after = after.trim_start_matches([',', ' ']);
            let mut end = None;
            for word in ["that", "further", "also", "always", "moreover", "nevertheless"] {
                if let Some(a) = strip_word(after, word) {
                    end = Some(len(a));
                    break;
                }
            }
            // `Provided—` before clauses.
            if end.is_none() && after.starts_with(is_dash) {
                end = Some(len(after));
            }
            return end.map(|e| (Mark::Named(Named::Proviso, None), e));
        }
        if let Some(after) = strip_word(rest, "Illustrations").or_else(|| strip_word(rest, "Illustration")) {
            let next = after.trim_start_matches([' ', '.', '\t']);
            let heading =
                next.is_empty() || next.starts_with(['\n', '\r', '(', ':']) || next.starts_with(is_dash);
            // `Illustration A shoots …` of a source that lost the line end.
            let runs_on = after.starts_with([' ', '.']) && next.starts_with(|c: char| c.is_ascii_uppercase());
            return (heading || runs_on).then(|| (Mark::Illustrations, len(after)));
        }
        for (word, named) in [("Explanation", Named::Explanation), ("Exception", Named::Exception)] {
            if let Some(after) = strip_word(rest, word) {
                let body = after.trim_start_matches([' ', '\u{a0}']);
                let figures: usize = body.chars().take_while(|c| c.is_ascii_digit()).count();
                let capitals: usize = body.chars().take_while(|c| matches!(c, 'I' | 'V' | 'X')).count();
                let (n, tail) = if figures > 0 && figures <= 2 {
                    (
                        body.get(..figures).and_then(|f| f.parse().ok()),
                        body.get(figures..).unwrap_or_default(),
                    )
                } else if capitals > 0
                    && !body.get(capitals..).unwrap_or_default().starts_with(|c: char| c.is_alphanumeric())
                {
                    (body.get(..capitals).and_then(parse_roman), body.get(capitals..).unwrap_or_default())
                } else {
                    (None, body)
                };
                let tail = tail.trim_start_matches([' ', '\u{a0}']);
                // `Explanation to clause (a)` in running text is no heading.
                let heading = tail.starts_with(['.', ':', ',', '\n', '\r'])
                    || tail.starts_with(is_dash)
                    || tail.starts_with(|c: char| c.is_uppercase())
                    || tail.starts_with(['"', '“', '(']);
                return heading.then(|| (Mark::Named(named, n), len(after)));
            }
        }
        for (n, word) in (1u32..).zip(ORDINALS) {
            if let Some(after) = strip_word(rest, word)
                && let Some(tail) = strip_word(after.trim_start(), "Exception")
            {
                return Some((Mark::Named(Named::Exception, Some(n)), len(tail)));
            }
        }
        None
    }

    /// `Thirdly.—`, `3rdly.—`.
    fn ordinal_at(rest: &str) -> Option<(u32, usize)> {
        for (n, word) in (1u32..).zip(ORDINALS) {
            for word in [format!("{word}ly"), word.to_owned()] {
                let Some(after) = strip_word(rest, &word) else { continue };
                let heading = after.starts_with(['.', ',', ':']) || after.trim_start().starts_with(is_dash);
                // `First Against her will` of a source that lost the dash.
                let capital = rest.starts_with(|c: char| c.is_uppercase())
                    && after.trim_start().starts_with(|c: char| c.is_uppercase());
                if heading || capital {
                    return Some((n, rest.len() - after.len()));
                }
            }
        }
        let n = rest.chars().next()?.to_digit(10).filter(|n| (1..=9).contains(n))?;
        let tail = rest.get(1..)?;
        ["stly", "ndly", "rdly", "thly"]
            .iter()
            .find_map(|e| strip_word(tail, e))
            .map(|after| (n, rest.len() - after.len()))
    }

    fn list_at(rest: &str) -> Option<(u32, usize)> {
        let after = strip_word(rest, "List")?.trim_start();
        let capitals: usize = after.chars().take_while(|c| matches!(c, 'I' | 'V')).count();
        let n = parse_roman(after.get(..capitals)?)?;
        let tail = after.get(capitals..)?.trim_start();
        (tail.starts_with(is_dash) || tail.starts_with(['.', ':', '\n']) || tail.is_empty())
            .then(|| (n, rest.len() - tail.len()))
    }

    fn figure_at(rest: &str) -> Option<(u32, String, usize)> {
        let figures = rest.bytes().take_while(u8::is_ascii_digit).count();
        if figures == 0 || figures > 3 {
            return None;
        }
        let n = rest.get(..figures)?.parse().ok().filter(|n| *n > 0)?;
        let tail = rest.get(figures..)?;
        let letters = tail.bytes().take_while(u8::is_ascii_uppercase).count();
        if letters > 2 {
            return None;
        }
        let after = tail.get(letters..)?.strip_prefix('.')?;
        // `6.Powers` of a source that lost the space.
        let word = || {
            let mut chars = after.chars();
            chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase)
        };
        (after.starts_with([' ', '\t', '\u{a0}', '[']) || word())
            .then(|| (n, tail.get(..letters).unwrap_or_default().to_owned(), rest.len() - after.len()))
    }

    /// All marks of the text with their places.
    pub(super) fn marks(&self) -> Vec<(usize, Mark)> {
        let mut marks: Vec<(usize, Mark)> = Vec::new();
        let bytes = self.text.as_bytes();
        let mut line_start = true;
        let mut i = 0;
        // Last character that is not white space, and the one before a closing "and" or "or".
        while i < bytes.len() {
            let Some(rest) = self.text.get(i..) else {
                i += 1;
                continue;
            };
            let Some(c) = rest.chars().next() else { break };
            if c == '\n' {
                line_start = true;
                i += 1;
                continue;
            }
            if c.is_whitespace() || (line_start && matches!(c, '[' | '"' | '“' | '*' | '-' | '\u{feff}')) {
                i += c.len_utf8();
                continue;
            }
            let sure = line_start;
            line_start = false;
            if c == '('
                && let Some((label, len)) = label_at(rest)
                && (sure || self.may_open(i))
            {
                marks.push((i, Mark::Label { label: label.to_owned(), sure }));
                i += len;
                // `(1)(a)`, `(a) (i)` open together.
                line_start = sure
                    && self
                        .text
                        .get(i..)
                        .is_some_and(|r| r.trim_start_matches([' ', '\u{a0}']).starts_with('('));
                continue;
            }
            let word_start = sure || (c.is_alphanumeric() && self.may_open(i));
            if word_start && c.is_alphanumeric() {
                if let Some((mark, len)) = Self::named_at(rest) {
                    // Inside a line only a heading with its dash or "that" counts, which `named_at` saw.
                    marks.push((i, mark));
                    i += len;
                    line_start = self.text.get(i..).is_some_and(|r| {
                        r.trim_start_matches([' ', '.', ':', '—', '–', '-', '\u{a0}']).starts_with('(')
                    });
                    if line_start {
                        // The bracket behind the heading opens its list.
                        let skip = self.text.get(i..).map_or(0, |r| {
                            r.len() - r.trim_start_matches([' ', '.', ':', '—', '–', '-', '\u{a0}']).len()
                        });
                        i += skip;
                    }
                    continue;
                }
                if let Some((n, len)) = Self::ordinal_at(rest) {
                    marks.push((i, Mark::Ordinal { n, sure }));
                    i += len;
                    continue;
                }
                if sure && self.flushes(i) {
                    marks.push((i, Mark::Flush));
                }
                if sure {
                    if let Some((n, len)) = Self::list_at(rest) {
                        marks.push((i, Mark::List(n)));
                        i += len;
                        continue;
                    }
                    if let Some((n, letters, len)) = Self::figure_at(rest) {
                        marks.push((i, Mark::Figure(n, letters)));
                        i += len;
                        line_start = self
                            .text
                            .get(i..)
                            .is_some_and(|r| r.trim_start_matches([' ', '\u{a0}']).starts_with('('));
                        continue;
                    }
                }
                // On to the end of the word.
                i += rest.chars().take_while(|c| c.is_alphanumeric()).map(char::len_utf8).sum::<usize>();
                continue;
            }
            i += c.len_utf8();
        }
        marks
    }

    /// Whether the signs before byte `at` let a label open there inside a line.
    fn may_open(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let trimmed = before.trim_end();
        // No space at all: `376(2)`.
        let spaced = trimmed.len() < before.len();
        let Some(last) = trimmed.chars().next_back() else { return true };
        if matches!(last, ':' | ';' | '—' | '–' | '―')
            || (last == '-' && trimmed.ends_with("--"))
            || trimmed.ends_with(":-")
            || trimmed.ends_with(",-")
        {
            return true;
        }
        if !spaced {
            return false;
        }
        if last == '.' {
            // An abbreviation ends no sentence.
            let word = trimmed
                .trim_end_matches('.')
                .rsplit(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default();
            return word.len() > 3
                || word.bytes().all(|b| b.is_ascii_digit())
                || word.bytes().all(|b| b.is_ascii_lowercase() && word.len() > 2);
        }
        for word in [" and", " or"] {
            if let Some(head) = trimmed.strip_suffix(word) {
                return head.trim_end().ends_with([';', '—']);
            }
        }
        false
    }

    /// Whether a line without a label at byte `at` is a paragraph of its own and no wrapped line.
    fn flushes(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let trimmed = before.trim_end();
        let gap = before.get(trimmed.len()..).unwrap_or_default();
        let blank = gap.matches('\n').count() > 1;
        blank || trimmed.ends_with([',', ';', '—']) || trimmed.ends_with(" or") || trimmed.ends_with(" and")
    }
}
