//! What may be the head of a provision or of a schedule, by the look of the line.

use nyaya_corpora::Number;

use crate::read::Line;

use super::annexed;
use super::chain::{Candidate, heaviest};
pub(super) use super::divisions::is_division;
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
    /// `1.2 Title`, where the figure before the stop counts chapters.
    Decimal,
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
    let titled = titled(rest);
    let word = titled.is_some();
    let (number, mut used) = match titled {
        Some(found) => found,
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
    let (stop, style) = if word && !marked {
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
        // "12.5" is the fifth of chapter 12, if anything.
        if t.starts_with(|c: char| c.is_ascii_digit()) {
            return decimal(text, start, rest);
        }
        // "2. Kapitel" divides.
        if !marked && super::divisions::begins_with_number(rest) {
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
    } else if tail.starts_with(' ')
        && (tail.trim_start().starts_with(|c: char| c.is_uppercase())
            || super::heading::gone_in_words(tail).is_some())
    {
        (0, Style::Bare)
    } else {
        return None;
    };
    let end = start + used + stop;
    let skip = text.get(end..)?.len() - text.get(end..)?.trim_start().len();
    Some((number, to, start, end + skip, style))
}

/// `1.2 Title`, `3.10. Title` at byte `start` of a line. What counts further down (`1.2.3`) is text.
fn decimal(text: &str, start: usize, rest: &str) -> Option<(Number, Option<Number>, usize, usize, Style)> {
    let (base, used) = numerals::figure(rest)?;
    let (sub, length) = numerals::figure(rest.get(used + 1..)?)?;
    let tail = rest.get(used + 1 + length..)?;
    let after = tail.strip_prefix('.').unwrap_or(tail);
    let words = after.trim_start_matches([' ', '\u{a0}', '\u{3000}', '*']);
    let opens = words.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase() || c == '(');
    (base < 1000 && sub < 1000 && words.len() < after.len() && opens).then(|| {
        let end = text.len() - words.len();
        (Number::with_sub(base, sub), None, start, end, Style::Decimal)
    })
}

/// Words for a provision that are no section and no article, in lower case.
const OTHERS: [&str; 6] = ["clause", "byelaw", "bye-law", "by-law", "bylaw", "canon"];

/// The word for a section or an article before a number at the start of a text: its length with the space behind it.
pub(crate) fn title_word(text: &str) -> Option<usize> {
    if let Some(used) = numerals::title_word(text) {
        return Some(used);
    }
    // Capitals only: "clause 5 of" begins a line of text.
    if !text.starts_with(['C', 'B']) {
        return None;
    }
    let end = text.find(' ')?;
    let word = text.get(..end)?.to_lowercase();
    OTHERS.contains(&word.as_str()).then_some(end + 1)
}

/// `Section 12A`, `Article 3-1`, `Article L. 121-4`, `Статья 2.1`, `Clause 4`: the number and the bytes used.
pub(crate) fn titled(text: &str) -> Option<(Number, usize)> {
    let word = title_word(text)?;
    let rest = text.get(word..)?;
    // The letters of French codes say who made the article; its number follows.
    let code = rest
        .strip_prefix(['L', 'R', 'D', 'A'])
        .map(|r| r.trim_start_matches(['.', '*', ' ', '\u{a0}']))
        .filter(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    let figures = code.unwrap_or(rest);
    let skipped = text.len() - figures.len();
    let (number, used) = if code.is_some() || numerals::title_word(text).is_none() {
        let (number, used) = numerals::titled(&format!("Section {}", head_of(figures)))?;
        (number, skipped + used - "Section ".len())
    } else {
        numerals::titled(text)?
    };
    // 3-1, 2.1: a number between numbers.
    if number.letters.is_empty()
        && number.sub.is_none()
        && let Some(sub) = text.get(used..).and_then(|t| t.strip_prefix(['-', '‑', '.']))
        && text.get(..used).is_some_and(|t| t.ends_with(|c: char| c.is_ascii_digit()))
        && let Some((n, length)) = numerals::figure(sub)
        && n < 1000
        // "Sections 161-165" is a run.
        && !(number.base >= 10 && n > number.base && n - number.base < 60)
        && sub.get(length..).is_some_and(|r| !r.starts_with(|c: char| c.is_alphanumeric()) && !is_range(r))
    {
        let sign = text.get(used..)?.chars().next().map_or(1, char::len_utf8);
        return Some((Number::with_sub(number.base, n), used + sign + length));
    }
    Some((number, used))
}

/// Enough of a text to read a number from.
fn head_of(text: &str) -> &str {
    text.char_indices().nth(24).map_or(text, |(i, _)| text.get(..i).unwrap_or(text))
}

/// "§§ 12-15 (weggefallen)": what is gone is gone in runs.
fn is_range(rest: &str) -> bool {
    super::heading::gone_in_words(rest.trim_start_matches(['.', ' '])).is_some()
}

/// Whether a line may begin a provision.
pub(super) fn is_head(line: &Line) -> bool {
    head_at(line).is_some()
}

/// `376AB`, `171-I`, `29 A`, `2(A)`, `३७६क` at the start; with its length.
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
    // "2 A. Title", "2(A). Title": the letter is set off, and a stop follows.
    if let Some(inside) = rest.strip_prefix([' ', '('])
        && let [letter @ b'A'..=b'Z', tail @ ..] = inside.as_bytes()
        && let Some(end) = match (rest.starts_with('('), tail) {
            (true, [b')', b'.', b' ', ..]) => Some(3),
            (false, [b'.', b' ', ..]) => Some(2),
            _ => None,
        }
    {
        return Some((Number::lettered(base, &char::from(*letter).to_string()), digits + end));
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
        let own: Vec<&Head> = all.iter().filter(|h| h.style == style).collect();
        let picks: Vec<Candidate<Number>> = own
            .iter()
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
        let lines: Vec<usize> = chain.iter().filter_map(|i| own.get(*i)).map(|h| h.line).collect();
        let counts =
            numbers.first().is_some_and(|n| *n == 1) && steps * 4 >= numbers.len().saturating_sub(1) * 3;
        (weight, counts, lines)
    };
    let (marked, titled, stop, bare) =
        (chain(Style::Marked), chain(Style::Titled), chain(Style::Stop), chain(Style::Bare));
    let style = if decimals(body, &all) {
        Style::Decimal
    } else if marked.0 >= 3.0 && marked.0 * 2.0 >= stop.0.max(titled.0) {
        Style::Marked
    } else if titled.0 >= 2.0 && (titled.1 && titled.0 * 3.0 >= stop.0 || titled.0 > stop.0.max(bare.0)) {
        Style::Titled
    } else if bare.1
        && (bare.0 > 2.0 * stop.0 && bare.0 >= 3.0 || bare.0 >= 2.0 && lists_follow(body, &bare.2, &stop.2))
    {
        Style::Bare
    } else if stop.0 == 0.0 && titled.0 == 0.0 && (marked.0 >= 2.0 || bare.1 && bare.0 >= 2.0) {
        // A short law has no other lines that begin with numbers.
        if marked.0 >= 2.0 { Style::Marked } else { Style::Bare }
    } else {
        Style::Stop
    };
    // An act of one section says so in words.
    let style = [Style::Titled, Style::Marked]
        .into_iter()
        .find(|s| !all.iter().any(|h| h.style == style) && all.iter().any(|h| h.style == *s))
        .unwrap_or(style);
    let word = (style == Style::Titled).then(|| commonest_word(body, &all)).flatten();
    let own = |h: &&Head| h.style == style && (word.is_none() || word == first_letters(body, h));
    let heads = all.iter().filter(own).cloned().collect();
    (heads, all)
}

/// Whether the act counts its provisions `1.1`, `1.2`, `2.1`: what has a figure alone stands in capitals, as chapters
/// do, or is not there.
fn decimals(body: &[BodyLine<'_>], all: &[Head]) -> bool {
    let own: Vec<Candidate<Number>> = all
        .iter()
        .filter(|h| h.style == Style::Decimal)
        .map(|h| Candidate { key: h.number.clone(), weight: 1.0 })
        .collect();
    let chain = heaviest(&own);
    let first = chain.first().and_then(|i| own.get(*i));
    if chain.len() < 2
        || chain.len() * 3 < own.len() * 2
        || first.is_none_or(|f| f.key.base > 1 || f.key.sub != Some(1))
    {
        return false;
    }
    all.iter().filter(|h| h.style != Style::Decimal).all(|h| {
        let title = body.get(h.line).and_then(|l| l.line.text.get(h.end..)).unwrap_or_default();
        h.style == Style::Bare && is_upper(title)
    })
}

/// The first letters of the word of a titled head: `Art. 2` and `Article 2` have the same, `§ 2` others.
fn first_letters(body: &[BodyLine<'_>], head: &Head) -> Option<String> {
    let text = body.get(head.line)?.line.text.get(head.start..)?;
    Some(
        text.chars()
            .take(3)
            .take_while(|c| *c == '§' || c.is_alphabetic())
            .flat_map(char::to_lowercase)
            .collect(),
    )
}

/// The word with which most of the ascending heads begin, where there are several: in `Art. 2. § 1.` articles are
/// divided by the other sign.
fn commonest_word(body: &[BodyLine<'_>], all: &[Head]) -> Option<String> {
    let mut words: std::collections::BTreeMap<String, Vec<Candidate<Number>>> =
        std::collections::BTreeMap::new();
    for head in all.iter().filter(|h| h.style == Style::Titled) {
        let pick = Candidate { key: head.number.clone(), weight: 1.0 };
        words.entry(first_letters(body, head)?).or_default().push(pick);
    }
    if words.len() < 2 {
        return None;
    }
    words.into_iter().max_by_key(|(_, picks)| heaviest(picks).len()).map(|(word, _)| word)
}

/// Whether the numbers with a stop stand in schedules behind the bare numbers, as in acts of the United Kingdom.
fn lists_follow(body: &[BodyLine<'_>], bare: &[usize], stop: &[usize]) -> bool {
    let Some(last) = bare.last() else { return false };
    let inside = stop.iter().filter(|l| *l < last).count();
    let after = stop.iter().find(|l| *l > last);
    let schedule =
        |to: usize| (*last..to.min(body.len())).any(|i| annexed::at(body, i).is_some_and(|a| !a.is_form));
    inside * 2 < bare.len() && after.is_none_or(|a| schedule(*a)) && (inside > 0 || after.is_some())
}

/// Mostly capitals, as titles are.
pub(super) fn is_upper(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    letters.len() >= 4 && letters.iter().filter(|c| c.is_uppercase()).count() * 10 >= letters.len() * 9
}
