//! Words quoted beside a citation, compared with the provision letter by letter.
//!
//! White space, the width of characters and the forms of the same sign (’ and ', “ and ", — and -) are normalised, the
//! punctuation at the very end of a quotation belongs to the sentence around it, square brackets are the marks of whoever
//! quotes, and the first letter may be a capital or not; nothing else is forgiven. A quotation counts against a citation
//! only if it is clearly meant as the statute's: words such as "provides" or 规定 lead directly to it, or, where it is
//! long enough ([`MIN_WORDS`], [`MIN_HAN`]), it stands close beside the citation and at least [`CLOSE`] of it agrees
//! with some stretch of the provision, or all of it with another provision of the work.
//! Speech, names and scare quotes pass.

use serde::{Deserialize, Serialize};

use super::han::is_han;

mod attach;
mod lead;
mod marks;

pub(super) use attach::{attach, ends as sentence_ends};

/// A shorter quotation in an alphabet counts against a citation only where the law is said to have these words.
pub const MIN_WORDS: usize = 5;
/// A shorter quotation in Han characters counts against a citation only where the law is said to have these words.
pub const MIN_HAN: usize = 8;
/// Share of a quotation's words (or Han characters) that must agree for it to be taken as the statute's.
pub const CLOSE: f64 = 0.6;
/// The same where nothing says that the law speaks.
pub const PLAINLY: f64 = 0.8;
/// Longest quotation compared, in words or Han characters; of a longer one only the beginning is.
const LONGEST: usize = 400;

/// A quotation of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// Byte range of the words between the marks.
    pub span: (usize, usize),
    /// The words.
    pub text: String,
    /// Whether "provides", "reads", 规定 or a colon leads to it.
    pub introduced: bool,
    /// Whether they lead to it so directly that even two words count.
    pub strong: bool,
    /// Whether they lead to it so that a few words may or may not be meant as the law's.
    pub doubtful: bool,
    /// Whether it stands close beside the citation and nobody is said to speak.
    pub near: bool,
    /// Whether it cannot be compared: it is too long, or its marks may not belong together. `text` is its beginning.
    pub beyond: bool,
}

/// How a quotation compares with the provision it stands beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuoteMatch {
    /// Letter by letter the provision's.
    Exact,
    /// The provision's, with differences.
    Differs,
    /// Letter by letter another provision's.
    Elsewhere,
    /// Not the statute's words, or too short to tell.
    NotStatute,
}

/// A quotation with what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedWords {
    /// Byte range of the words in the text.
    pub span: (usize, usize),
    /// What was found.
    pub found: QuoteMatch,
    /// For [`QuoteMatch::Elsewhere`]: whose words they are. For [`QuoteMatch::Differs`]: the first difference.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// Words of an alphabet, or Han characters.
fn units(text: &str) -> usize {
    let han = text.chars().filter(|c| is_han(*c)).count();
    if han > 0 { han } else { text.split_whitespace().count() }
}

/// A text with white space, width and the forms of signs normalised, and where each byte came from.
#[derive(Debug, Clone, Default)]
pub(super) struct Plain {
    pub text: String,
    /// Byte offset in the original for each byte of `text`.
    from: Vec<u32>,
}

/// One form for each sign that has several; nothing for characters that do not show.
fn narrow(c: char) -> Option<char> {
    Some(match c {
        '\u{FF01}'..='\u{FF5E}' => {
            return char::from_u32(c as u32 - 0xFEE0)
                .and_then(|c| if matches!(c, '[' | ']') { None } else { Some(c) });
        }
        '\u{3000}' => ' ',
        '‘' | '’' | '‛' | 'ʼ' | '′' | '`' | '´' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '「' | '」' | '『' | '』' | '«' | '»' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '─' => '-',
        // Brackets in a quotation and in a text are marks of an editor.
        '[' | ']' => return None,
        '\u{FEFF}' | '\u{200B}' | '\u{2060}' | '\u{AD}' => return None,
        c => c,
    })
}

/// Normalises a text: the text, the origin of each byte, and the bytes of letters that stood alone in brackets.
fn normalise(text: &str) -> (String, Vec<u32>, Vec<usize>) {
    let mut out = String::with_capacity(text.len());
    let mut from = Vec::with_capacity(text.len());
    let mut altered = Vec::new();
    let mut space: Option<usize> = None;
    let mut chars = text.char_indices();
    while let Some((i, raw)) = chars.next() {
        if raw == '[' {
            let mut ahead = chars.clone().map(|(_, c)| c);
            if let (Some(letter), Some(']'), Some(after)) = (ahead.next(), ahead.next(), ahead.next())
                && letter.is_alphabetic()
                && after.is_alphabetic()
            {
                // Pushed next; a space that waits comes before it.
                altered.push(usize::MAX);
            }
        }
        let Some(c) = narrow(raw) else { continue };
        if c.is_whitespace() {
            space.get_or_insert(i);
            continue;
        }
        let before = out.chars().next_back();
        if let Some(at) = space.take() {
            // White space between Han characters, or beside signs, is an accident of layout.
            let wide = |c: char| {
                is_han(c) || c.is_ascii_punctuation() || matches!(c, '\u{3001}'..='\u{303F}' | '…' | '।')
            };
            if before.is_some_and(|b| !wide(b)) && !wide(c) {
                out.push(' ');
                from.push(u32::try_from(at).unwrap_or(u32::MAX));
            }
        }
        // `--` is a dash.
        if c == '-' && before == Some('-') {
            continue;
        }
        let len = out.len();
        if let Some(last) = altered.last_mut()
            && *last == usize::MAX
        {
            *last = len;
        }
        out.push(c);
        from.resize(from.len() + out.len() - len, u32::try_from(i).unwrap_or(u32::MAX));
    }
    altered.retain(|a| *a != usize::MAX);
    (out, from, altered)
}

impl Plain {
    pub fn new(text: &str) -> Self {
        let (text, from, _) = normalise(text);
        Self { text, from }
    }

    /// Where byte `at` of the normalised text was.
    pub fn original(&self, at: usize) -> usize {
        self.from.get(at).map_or(usize::MAX, |o| *o as usize)
    }

    /// The normalised bytes that came from these.
    fn within(&self, start: usize, end: usize) -> (usize, usize) {
        let place = |at: usize| self.from.partition_point(|o| (*o as usize) < at);
        (place(start), place(end))
    }
}

/// A piece of a quotation between ellipses, normalised, without the punctuation at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// The ways to write it: with the first letter, and each letter in brackets, small or capital.
    forms: Vec<String>,
}

/// Most letters of a piece that may be small or capital.
const ALTERED: usize = 3;

impl Piece {
    fn new(raw: &str) -> Option<Self> {
        let (text, _, altered) = normalise(raw);
        let whole = Self::trim(&text);
        let start = text.find(whole).unwrap_or(0);
        if whole.is_empty() {
            return None;
        }
        let mut places: Vec<usize> = vec![0];
        places.extend(
            altered.iter().filter_map(|a| a.checked_sub(start)).filter(|a| *a > 0 && *a < whole.len()),
        );
        Some(Self { forms: forms(whole, &places) })
    }

    fn trim(text: &str) -> &str {
        text.trim_matches(|c: char| {
            c.is_whitespace()
                || matches!(c, '.' | ',' | ';' | ':' | '。' | '、' | '"' | '\'' | '*' | '_' | '-' | '>')
        })
    }

    /// The piece as it is written.
    pub fn text(&self) -> &str {
        self.forms.first().map_or("", String::as_str)
    }

    /// The piece without the number and heading of a provision at its start: `302. Punishment for murder.—Whoever`.
    pub fn without_head(&self, numbers: &[String], heading: Option<&str>) -> Option<Self> {
        let text = self.text();
        let number = numbers.iter().find_map(|n| {
            let rest = text
                .get(..n.len())
                .filter(|head| head.eq_ignore_ascii_case(n))
                .and_then(|_| text.get(n.len()..))?;
            // 302 is not the head of 302A or 3025.
            let cut = n.ends_with(|c: char| c.is_ascii_alphanumeric())
                && rest.starts_with(|c: char| c.is_ascii_alphanumeric());
            (!cut).then_some(rest)
        });
        let mut rest = number.unwrap_or(text);
        let after_number = Self::trim(rest);
        if number.is_some() {
            rest = after_number;
            // 第二百三十二条【故意杀人罪】: an editor's name of the offence.
            if let Some(close) = rest.strip_prefix('【').and_then(|r| r.find('】')).filter(|c| *c < 160) {
                rest = rest.get('【'.len_utf8() + close + '】'.len_utf8()..).unwrap_or_default();
            }
        }
        let heading = heading.map(|h| Plain::new(h).text);
        if let Some(heading) = heading.as_deref().map(Self::trim).filter(|h| !h.is_empty())
            && let Some(tail) = rest
                .get(..heading.len())
                .filter(|head| head.eq_ignore_ascii_case(heading))
                .and_then(|_| rest.get(heading.len()..))
            && (tail.is_empty() || tail.starts_with(['.', '-', ':', ',', ' ']))
        {
            // The heading alone is quoted rightly too.
            if Self::trim(tail).is_empty() {
                return Some(Self { forms: Vec::new() });
            }
            if tail.starts_with(['.', '-', ':']) {
                rest = tail;
            }
        }
        let rest = Self::trim(rest);
        (rest.len() < text.len()).then(|| {
            if rest.is_empty() { Self { forms: Vec::new() } } else { Self { forms: forms(rest, &[0]) } }
        })
    }
}

/// A text with the letters at these bytes small or capital.
fn forms(text: &str, places: &[usize]) -> Vec<String> {
    let mut out = vec![text.to_owned()];
    for at in places.iter().take(ALTERED) {
        let Some(c) = text.get(*at..).and_then(|t| t.chars().next()) else { continue };
        let mut other =
            if c.is_lowercase() { c.to_uppercase().collect::<Vec<_>>() } else { c.to_lowercase().collect() };
        // Only letters whose other case is as long keep the places of the rest.
        let Some(flipped) =
            other.pop().filter(|f| other.is_empty() && *f != c && f.len_utf8() == c.len_utf8())
        else {
            continue;
        };
        let more: Vec<String> = out
            .iter()
            .filter_map(|form| {
                let (head, tail) = (form.get(..*at)?, form.get(at + c.len_utf8()..)?);
                Some(format!("{head}{flipped}{tail}"))
            })
            .collect();
        out.extend(more);
    }
    out
}

/// The pieces of a quotation between ellipses.
pub(super) fn pieces(quote: &str) -> Vec<Piece> {
    let unified = quote
        .replace("……", "\u{0}")
        .replace(['…'], "\u{0}")
        .replace("[...]", "\u{0}")
        .replace(". . .", "\u{0}")
        .replace("....", "\u{0}")
        .replace("...", "\u{0}")
        .replace("***", "\u{0}")
        .replace("* * *", "\u{0}")
        // Words in bold are not other words.
        .replace("**", "");
    unified.split('\u{0}').filter_map(Piece::new).collect()
}

/// Where the pieces stand in a normalised text, one after the other, each as a range of the original.
pub(super) fn find_pieces(plain: &Plain, pieces: &[Piece]) -> Option<Vec<(usize, usize)>> {
    find_between(plain, pieces, 0, plain.text.len())
}

/// The same inside a range of the original.
pub(super) fn find_pieces_in(
    plain: &Plain,
    pieces: &[Piece],
    start: usize,
    end: usize,
) -> Option<Vec<(usize, usize)>> {
    let (start, end) = plain.within(start, end);
    find_between(plain, pieces, start, end)
}

fn find_between(plain: &Plain, pieces: &[Piece], start: usize, end: usize) -> Option<Vec<(usize, usize)>> {
    let mut at = start;
    let mut out = Vec::with_capacity(pieces.len());
    for piece in pieces.iter().filter(|p| !p.forms.is_empty()) {
        let rest = plain.text.get(at..end)?;
        let (found, len) =
            piece.forms.iter().filter_map(|f| find_whole(rest, f).map(|found| (found, f.len()))).min()?;
        let from = at + found;
        at = from + len;
        out.push((plain.original(from), plain.original(at.saturating_sub(1)).saturating_add(1)));
    }
    Some(out)
}

/// First place of `piece` that does not start or end inside a word.
fn find_whole(text: &str, piece: &str) -> Option<usize> {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
    for (i, _) in text.match_indices(piece) {
        let before = text.get(..i).and_then(|t| t.chars().next_back());
        let after = text.get(i + piece.len()..).and_then(|t| t.chars().next());
        let cut_front = word(before) && word(piece.chars().next());
        let cut_back = word(after) && word(piece.chars().next_back());
        if !cut_front && !cut_back {
            return Some(i);
        }
    }
    None
}

/// Whether a quotation is long enough to count against a citation that it only stands beside.
pub(super) fn long_enough(quote: &str) -> bool {
    let han = quote.chars().filter(|c| is_han(*c)).count();
    if han > 0 { han >= MIN_HAN } else { quote.split_whitespace().count() >= MIN_WORDS }
}

/// Whether a quotation that the law is said to have has enough words to be compared.
pub(super) fn enough(quote: &str) -> bool {
    let han = quote.chars().filter(|c| is_han(*c)).count();
    if han > 0 { han >= 4 } else { quote.split_whitespace().count() >= 2 }
}

/// The script of most letters of a text: what is written in another cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Han,
    Devanagari,
}

pub(super) fn script(text: &str) -> Option<Script> {
    let (mut latin, mut han, mut devanagari) = (0usize, 0usize, 0usize);
    for c in text.chars().take(2000) {
        if c.is_ascii_alphabetic() {
            latin += 1;
        } else if is_han(c) {
            // A character is a word or near it.
            han += 3;
        } else if matches!(c, '\u{0900}'..='\u{097F}') {
            devanagari += 1;
        }
    }
    let most = latin.max(han).max(devanagari);
    if most == 0 {
        None
    } else if most == latin {
        Some(Script::Latin)
    } else if most == han {
        Some(Script::Han)
    } else {
        Some(Script::Devanagari)
    }
}

/// Words (or Han characters and signs) for comparing.
fn comparable(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start: Option<usize> = None;
    for (i, c) in text.char_indices() {
        if c.is_alphanumeric() && !is_han(c) || matches!(c, '\'' | '’' | '\u{0900}'..='\u{097F}') {
            start.get_or_insert(i);
            continue;
        }
        if let Some(s) = start.take() {
            out.extend(text.get(s..i));
        }
        if !c.is_whitespace() {
            out.extend(text.get(i..i + c.len_utf8()));
        }
    }
    if let Some(s) = start {
        out.extend(text.get(s..));
    }
    out
}

/// How much of a quotation agrees with the best stretch of a text, from 0 to 1, and the first difference.
///
/// Approximate matching by dynamic programming over words (P. Sellers, "The theory and computation of
/// evolutionary distances", J. Algorithms 1 (1980), 359–373): the quotation against every stretch of the text.
/// Cost is the product of the two lengths; the quotation is cut at a fixed length.
pub(super) fn closeness(quote: &str, plain: &str) -> (f64, String) {
    let q: Vec<&str> = comparable(quote).into_iter().take(LONGEST).collect();
    let t: Vec<&str> = comparable(plain);
    if q.is_empty() || t.is_empty() {
        return (0.0, String::new());
    }
    // column[i] = least edits between q[..i] and a stretch that ends here; origin[i] = where it starts.
    let mut column: Vec<u32> = (0..=q.len()).map(|i| u32::try_from(i).unwrap_or(u32::MAX)).collect();
    let mut origin: Vec<usize> = vec![0; q.len() + 1];
    let mut best = (u32::MAX, 0usize, 0usize);
    for (j, word) in t.iter().enumerate() {
        let (mut diagonal, mut from_diagonal) = (column.first().copied().unwrap_or(0), j);
        if let Some(first) = origin.first_mut() {
            *first = j + 1;
        }
        let (mut above, mut from_above) = (0u32, j + 1);
        // The first letter may be a capital or not.
        let mut first = true;
        for ((cell, from), quoted) in column.iter_mut().zip(origin.iter_mut()).skip(1).zip(&q) {
            let left = (*cell).saturating_add(1);
            let same = quoted == word || (first && quoted.eq_ignore_ascii_case(word));
            first = false;
            let change = diagonal + u32::from(!same);
            let up = above.saturating_add(1);
            diagonal = *cell;
            let old_from = *from;
            let (value, source) = if change <= left && change <= up {
                (change, from_diagonal)
            } else if left <= up {
                (left, old_from)
            } else {
                (up, from_above)
            };
            from_diagonal = old_from;
            *cell = value;
            *from = source;
            above = value;
            from_above = source;
        }
        if let (Some(cost), Some(start)) = (column.last(), origin.last())
            && *cost < best.0
        {
            best = (*cost, *start, j + 1);
        }
    }
    let (cost, start, end) = best;
    #[expect(clippy::cast_precision_loss, reason = "lengths are small")]
    let close = 1.0 - f64::from(cost) / q.len() as f64;
    let stretch = t.get(start..end).unwrap_or_default();
    (close.max(0.0), difference(&q, stretch))
}

/// The first place where two runs of words part, for a person.
fn difference(quoted: &[&str], text: &[&str]) -> String {
    let same = quoted
        .iter()
        .zip(text)
        .enumerate()
        .take_while(|(n, (a, b))| a == b || (*n == 0 && a.eq_ignore_ascii_case(b)))
        .count();
    let (q, t) = (quoted.get(same..).unwrap_or_default(), text.get(same..).unwrap_or_default());
    let tail = q.iter().rev().zip(t.iter().rev()).take_while(|(a, b)| a == b).count();
    let show = |words: &[&str]| {
        let cut = words.get(..words.len().saturating_sub(tail)).unwrap_or_default();
        let han = cut.iter().any(|w| w.chars().any(is_han));
        let mut shown = cut
            .iter()
            .take(if han { 24 } else { 12 })
            .copied()
            .collect::<Vec<_>>()
            .join(if han { "" } else { " " });
        if cut.len() > if han { 24 } else { 12 } {
            shown.push('…');
        }
        if shown.is_empty() { "nothing".to_owned() } else { format!("“{shown}”") }
    };
    format!("the text has {} where the quotation has {}", show(t), show(q))
}
