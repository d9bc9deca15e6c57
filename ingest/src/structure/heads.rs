//! What may be the head of a provision, a title, or the head of a schedule, by the look of the line.

use nyaya_corpora::Number;

use crate::read::Line;

use super::chain::{Candidate, heaviest};
use super::numerals;
use super::pages::BodyLine;
use super::words::plain_start;

/// How the heads of an act are written. An act keeps to one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `## Section 12 - Title`, `**12. Title**`: Markdown that marks its heads.
    Marked,
    /// `Section 12`, `§ 12`, `Art. 12.`, `धारा १२`.
    Titled,
    /// `12. Title.—`
    Stop,
    /// `12 Title`, `12) Title`
    Bare,
}

/// Something at the start of a line that may be the number of a provision.
#[derive(Debug, Clone)]
pub(super) struct Head {
    /// Index of the line.
    pub line: usize,
    pub number: Number,
    /// Last number of a range ("161 to 165A").
    pub to: Option<Number>,
    /// Byte at which the number begins, and at which what follows it begins.
    pub start: usize,
    pub end: usize,
    pub style: Style,
}

/// The number at the start of a line, if one is there.
fn head_at(line: &Line) -> Option<(Number, Option<Number>, usize, usize, Style)> {
    let text = line.text.as_str();
    // A raised figure is the mark of a note, glued to the number it stands before.
    let mut mark = 0;
    loop {
        let rest = text.get(mark..)?;
        let after = rest.len() - rest.trim_start_matches([' ', '[', '*']).len();
        match line.raised.iter().find(|r| r.start == mark + after && r.end > r.start) {
            Some(range) => mark = range.end,
            None => break,
        }
    }
    let plain = plain_start(text.get(mark..)?);
    let mut start = text.len() - plain.len();
    let mut rest = plain;
    // Markdown and bare headings: "## Section 12 - Title", "**12. Title**".
    let hashes = rest.len() - rest.trim_start_matches(['#', '*', ' ']).len();
    let bold = text.trim_start().starts_with("**");
    let marked = rest.starts_with('#') || bold;
    if marked {
        rest = rest.get(if rest.starts_with(['#', '*']) { hashes } else { 0 }..)?;
        start = text.len() - rest.len();
    }
    let word = numerals::title_word(rest).filter(|_| numerals::titled(rest).is_some());
    let (number, mut used) = match word {
        Some(_) => numerals::titled(rest)?,
        None => number_at(rest)?,
    };
    let mut to = None;
    // "161 to 165A.", "161. to 165A. [Repealed]", "379-391."
    let after = rest.get(used..)?.trim_start_matches(['.', ' ']);
    for word in ["to ", "—", "–", "-"] {
        if let Some(next) = after.strip_prefix(word)
            && let Some((last, n)) = number_at(next.trim_start())
            && last > number
            && next.trim_start().get(n..).is_some_and(|r| r.starts_with(['.', ' ', ']']))
        {
            let tail = next.trim_start().get(n..).unwrap_or_default();
            used = rest.len() - tail.len();
            to = Some(last);
            break;
        }
    }
    let tail = rest.get(used..)?;
    let separators = || {
        tail.len()
            - tail
                .trim_start_matches([' ', '-', '–', '—', ':', '.', '*', ')', '|', '\u{3000}', '\u{a0}'])
                .len()
    };
    let (stop, style) = if word.is_some() && !marked {
        // "Section 34 of this Act", "Section 34, or", "Article 5(1)" are references.
        let next = tail.trim_start_matches([' ', '\u{3000}', '\u{a0}']);
        let separated = tail.starts_with(['.', ':', '—', '–', ')', '|', '\u{3000}', '*'])
            || next.starts_with(['—', '–', '-', ':', '[', '(']);
        let opens = next.is_empty()
            || next
                .chars()
                .next()
                .is_some_and(|c| !c.is_lowercase() && (c.is_alphanumeric() || "“\"‘«[(„".contains(c)));
        let spaced = next.len() < tail.len() || next.is_empty();
        // "Section 5. of"? A lower-case word goes on with the sentence, unless a dash or colon came between.
        let goes_on = tail.trim_start_matches(['.', ' ']).starts_with(|c: char| c.is_lowercase());
        if goes_on || !(separated && !tail.starts_with('(') || spaced && opens) {
            return None;
        }
        (separators(), Style::Titled)
    } else if let Some(t) = tail.strip_prefix('.').or_else(|| tail.strip_prefix(" .")) {
        // "12.5" is no head.
        if t.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let stop = if marked { separators() } else { tail.len() - t.len() };
        (stop, if marked { Style::Marked } else { Style::Stop })
    } else if marked || to.is_some() {
        (separators(), if marked { Style::Marked } else { Style::Stop })
    } else if tail.starts_with(" “") || tail.starts_with(" \"") || tail.starts_with(" [") {
        (0, Style::Stop)
    } else if tail.starts_with(") ") {
        (1, Style::Bare)
    } else if tail.starts_with(' ') && tail.trim_start().starts_with(|c: char| c.is_uppercase()) {
        (0, Style::Bare)
    } else {
        return None;
    };
    let end = start + used + stop;
    let skip = text.get(end..)?.len() - text.get(end..)?.trim_start().len();
    Some((number, to, start, end + skip, style))
}

/// `376AB`, `171-I`, `29 A`, `३७६क` at the start; with its length.
pub(super) fn number_at(text: &str) -> Option<(Number, usize)> {
    if text.starts_with(['0', '०']) {
        return None;
    }
    let (base, digits) = numerals::figure(text)?;
    let rest = text.get(digits..)?;
    if base > 9999 || rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (letters, used) = numerals::letters_after(rest, false);
    if used > 0 {
        return Some((Number::lettered(base, &letters), digits + used));
    }
    Some((Number::plain(base), digits))
}

/// The lines that may be heads, in the style that this act has, and all of any style.
pub(super) fn candidates(body: &[BodyLine<'_>], expected: &[Number]) -> (Vec<Head>, Vec<Head>) {
    let all: Vec<Head> = body
        .iter()
        .enumerate()
        .filter_map(|(line, l)| {
            let (number, to, start, end, style) = head_at(&l.line)?;
            Some(Head { line, number, to, start, end, style })
        })
        .collect();
    let expected: std::collections::HashSet<&Number> = expected.iter().collect();
    let chain = |style: Style| {
        let picks: Vec<Candidate<Number>> = all
            .iter()
            .filter(|h| h.style == style)
            .map(|h| Candidate {
                key: h.number.clone(),
                weight: if expected.is_empty() || expected.contains(&h.number) { 1.0 } else { 0.1 },
            })
            .collect();
        let chain = heaviest(&picks);
        // What begins with 1 and leaves nothing out is a numbering; years and page numbers are not.
        let numbers: Vec<u32> = chain.iter().filter_map(|i| picks.get(*i)).map(|p| p.key.base).collect();
        let steps = numbers.windows(2).filter(|w| matches!(w, [a, b] if *b <= a + 1)).count();
        let weight: f64 = chain.iter().filter_map(|i| picks.get(*i)).map(|p| p.weight).sum();
        (weight, numbers.first().is_some_and(|n| *n == 1) && steps * 4 >= numbers.len().saturating_sub(1) * 3)
    };
    let (marked, titled, stop, bare) =
        (chain(Style::Marked), chain(Style::Titled), chain(Style::Stop), chain(Style::Bare));
    let style = if marked.0 >= 3.0 && marked.0 * 2.0 >= stop.0.max(titled.0) {
        Style::Marked
    } else if titled.0 >= 2.0 && (titled.1 && titled.0 * 3.0 >= stop.0 || titled.0 > stop.0.max(bare.0)) {
        Style::Titled
    } else if bare.1 && bare.0 > 2.0 * stop.0 && bare.0 >= 3.0 {
        Style::Bare
    } else {
        Style::Stop
    };
    let heads = all.iter().filter(|h| h.style == style).cloned().collect();
    (heads, all)
}

/// `CHAPTER IV`, `PART IXA—…`, with the rest of the line.
pub(super) fn division(text: &str) -> Option<(usize, String, String)> {
    let plain = plain_start(text.trim_start_matches(['#', ' ']));
    let (level, word, rest) = [(0, "PART"), (1, "CHAPTER"), (0, "BOOK"), (0, "Part"), (1, "Chapter")]
        .iter()
        .find_map(|(level, word)| plain.strip_prefix(word).map(|rest| (*level, *word, rest)))?;
    let rest = rest.trim_start();
    let numeral: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
    let tail = rest.get(numeral.len()..)?.trim_start();
    let romans = numeral
        .trim_end_matches(|c: char| c.is_ascii_uppercase() && !matches!(c, 'I' | 'V' | 'X' | 'L' | 'C'));
    let plain_number = !numeral.is_empty() && numeral.bytes().all(|b| b.is_ascii_digit());
    if !(plain_number || numerals::is_roman(romans)) || numeral.len() > 9 {
        return None;
    }
    let title = tail.trim_start_matches(['.', '—', '–', '-', ':', ' ', ']']).trim().to_owned();
    let separated = tail.is_empty() || tail.starts_with(['.', '—', '–', '-', ':', ']']);
    let lower = word == "Part" || word == "Chapter";
    // "Part III of this Constitution" and "CHAPTER X shall" are text.
    if !separated || (lower && !title.is_empty() && !text.trim_start().starts_with('#')) || title.len() > 120
    {
        return None;
    }
    Some((level, format!("{} {}", word.to_ascii_uppercase(), numeral), title))
}

pub(super) fn is_division(text: &str) -> bool {
    division(text).is_some()
}

/// Mostly capitals, as titles are.
pub(super) fn is_upper(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    letters.len() >= 4 && letters.iter().filter(|c| c.is_uppercase()).count() * 10 >= letters.len() * 9
}

/// `THE FIRST SCHEDULE—Title`: the number and the title.
pub(super) fn schedule_title(text: &str) -> Option<(u32, String)> {
    let plain = plain_start(text.trim_start_matches(['#', ' ']));
    let upper = plain.to_ascii_uppercase();
    if upper.len() != plain.len() || plain.len() > 160 {
        return None;
    }
    let core = upper.strip_prefix("THE ").unwrap_or(&upper);
    let skipped = upper.len() - core.len();
    if !plain.get(skipped..)?.chars().take(6).all(|c| !c.is_lowercase()) {
        return None;
    }
    let (n, at) = if let Some(rest) = core.strip_prefix("SCHEDULE") {
        let word: String = rest.trim_start().chars().take_while(char::is_ascii_alphanumeric).collect();
        match numerals::ordinal(&word) {
            Some(n) => (n, skipped + core.len() - rest.trim_start().len() + word.len()),
            None => (1, skipped + "SCHEDULE".len()),
        }
    } else {
        let word = core.split(' ').next()?;
        let n = numerals::ordinal(word)?;
        let rest = core.get(word.len()..)?.trim_start();
        rest.strip_prefix("SCHEDULE")?;
        (n, skipped + core.len() - rest.len() + "SCHEDULE".len())
    };
    let title = plain.get(at..)?;
    let tail = title.trim_start();
    if !(tail.is_empty() || tail.starts_with(['.', '—', '–', '-', ':', ']', '('])) {
        return None;
    }
    Some((n, tail.trim_start_matches(['.', '—', '–', '-', ':', ']', ' ']).to_owned()))
}

pub(super) fn is_back_matter(text: &str) -> bool {
    let upper = plain_start(text);
    ["APPENDIX", "ANNEXURE", "ANNEX ", "APPENDICES"].iter().any(|w| upper.starts_with(w)) && text.len() < 200
}

pub(super) fn back_matter(body: &[BodyLine<'_>], from: usize) -> Option<usize> {
    body.iter().enumerate().skip(from).find(|(_, l)| is_back_matter(l.text())).map(|(i, _)| i)
}

/// Lines on which schedules begin, in ascending order, after the sections.
pub(super) fn schedule_heads(body: &[BodyLine<'_>], from: usize, heads: &[Head]) -> Vec<(usize, u32)> {
    let mut found: Vec<(usize, u32)> = Vec::new();
    // A schedule cannot come before the greatest part of the sections.
    let numbered = heads.iter().filter(|h| h.line >= from).count();
    let mut seen = 0;
    let mut index = 0;
    let starts: Vec<usize> = heads.iter().filter(|h| h.line >= from).map(|h| h.line).collect();
    for (i, l) in body.iter().enumerate().skip(from) {
        while starts.get(index).is_some_and(|s| *s < i) {
            index += 1;
            seen += 1;
        }
        if !found.is_empty() && is_back_matter(l.text()) {
            found.push((i, 0));
            break;
        }
        let Some((n, _)) = schedule_title(l.text()) else { continue };
        if (found.is_empty() && seen * 4 < numbered && n == 1 && numbered > 8 && seen < 5)
            || !is_upper(l.text())
        {
            continue;
        }
        let next = found.last().map_or(1, |f| f.1 + 1);
        if n == next {
            found.push((i, n));
        }
    }
    found
}
