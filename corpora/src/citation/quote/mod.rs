//! Words quoted beside a citation, compared with the provision letter by letter.
//!
//! White space and the width of characters are normalised, and the punctuation at the very end of a quotation
//! belongs to the sentence around it; nothing else is forgiven. A quotation counts against a citation only if
//! it is long enough ([`MIN_WORDS`], [`MIN_HAN`]) *and* is clearly meant as the statute's: words such as
//! "provides" or 规定 lead to it, or it stands close beside the citation and at least [`CLOSE`] of it agrees
//! with some stretch of the provision, or all of it with another provision of the work.
//! Speech and scare quotes pass.

use serde::{Deserialize, Serialize};

use super::Extracted;
use super::han::is_han;

/// A shorter quotation in an alphabet never counts against a citation.
pub const MIN_WORDS: usize = 5;
/// A shorter quotation in Han characters never counts against a citation.
pub const MIN_HAN: usize = 8;
/// Share of a quotation's words (or Han characters) that must agree for it to be taken as the statute's.
pub const CLOSE: f64 = 0.6;
/// Longest quotation compared, in words or Han characters; of a longer one only the beginning is.
const LONGEST: usize = 400;
/// Most characters between a citation and a quotation that is taken for its words without being announced.
const NEAR: usize = 40;
/// Most bytes between a citation and a quotation of the same sentence.
const REACH: usize = 600;

/// A quotation of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// Byte range of the words between the marks.
    pub span: (usize, usize),
    /// The words.
    pub text: String,
    /// Whether "provides", "reads", 规定 or a colon leads to it.
    pub introduced: bool,
    /// Whether it stands close beside the citation and nobody is said to speak.
    pub near: bool,
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

/// Pairs of quotation marks.
fn closing(open: char) -> Option<char> {
    Some(match open {
        '“' => '”',
        '"' => '"',
        '‘' => '’',
        '「' => '」',
        '『' => '』',
        '＂' => '＂',
        '«' => '»',
        _ => return None,
    })
}

/// Puts the quotations of `text[from..to]` beside the citations of the same sentence.
///
/// A quotation goes to the citations of the list that stands last before it, else to the first after it.
pub(super) fn attach(text: &str, from: usize, to: usize, found: &mut [Extracted]) {
    let Some(slice) = text.get(from..to) else { return };
    let mut quotes: Vec<(usize, usize)> = Vec::new();
    let mut open: Option<(char, usize)> = None;
    for (i, c) in slice.char_indices() {
        match open {
            Some((close, start)) => {
                if c == close {
                    quotes.push((from + start, from + i));
                    open = None;
                }
            }
            None => {
                // An apostrophe inside a word opens nothing.
                let inside = c == '‘'
                    && slice.get(..i).and_then(|s| s.chars().next_back()).is_some_and(char::is_alphabetic);
                if let Some(close) = closing(c).filter(|_| !inside) {
                    open = Some((close, i + c.len_utf8()));
                }
            }
        }
    }
    if quotes.is_empty() {
        return;
    }
    for (start, end) in quotes {
        let Some(words) = text.get(start..end) else { continue };
        if units(words) < 3 {
            continue;
        }
        // Citations inside the quotation are part of its words.
        let before = found.partition_point(|e| e.span.0 < start);
        let previous = before
            .checked_sub(1)
            .and_then(|p| found.get(p))
            .filter(|e| e.span.1 <= start)
            .map(|e| (e.group, e.span));
        let near = previous.filter(|(_, span)| same_sentence(text, span.1, start));
        let next = found.iter().skip(before).find(|e| e.span.0 >= end).map(|e| (e.group, e.span));
        let near_next = next.filter(|(_, span)| same_sentence(text, end, span.0));
        let (group, between, after) = match (near, near_next) {
            (Some((group, span)), _) => (group, text.get(span.1..start).unwrap_or_default(), false),
            (None, Some((group, span))) => (group, text.get(end..span.0).unwrap_or_default(), true),
            (None, None) => continue,
        };
        let lead = if after { text.get(from..start).unwrap_or_default() } else { between };
        let speech = speaks(last_chars(lead, 40));
        let introduced = !after && !speech && introduces(last_chars(between, 60));
        let near = !speech && between.chars().count() <= NEAR;
        let quote = Quote { span: (start, end), text: words.to_owned(), introduced, near };
        // The members of a list stand side by side, around the place where the quotation falls.
        let from = found
            .get(..before)
            .unwrap_or_default()
            .iter()
            .rposition(|e| e.group != group)
            .map_or(0, |p| p + 1);
        let from = if after { before } else { from };
        for e in found
            .iter_mut()
            .skip(from)
            .skip_while(|e| after && e.span.0 < end)
            .take_while(|e| e.group == group)
        {
            e.quotes.push(quote.clone());
        }
    }
}

/// Whether the words between two places hold no end of a sentence.
fn same_sentence(text: &str, from: usize, to: usize) -> bool {
    let Some(between) = text.get(from..to) else { return false };
    if between.len() > REACH || between.contains(['。', '！', '？', '।']) {
        return false;
    }
    let chars = between.char_indices().peekable();
    for (i, c) in chars {
        if !matches!(c, '.' | '?' | '!') {
            continue;
        }
        let rest = between.get(i + 1..).unwrap_or_default();
        let next = rest.trim_start();
        let ends = rest.len() != next.len() && next.starts_with(|c: char| c.is_uppercase());
        let word_before: &str = between
            .get(..i)
            .unwrap_or_default()
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        // `Cr. P.C.`, `v. State`, `Sec. 3` end no sentence.
        let short = word_before.len() <= 3 && c == '.';
        if ends && (!short || word_before.is_empty()) {
            return false;
        }
    }
    true
}

/// The last characters of a text.
fn last_chars(text: &str, n: usize) -> &str {
    let start = text.char_indices().rev().nth(n.saturating_sub(1)).map_or(0, |(i, _)| i);
    text.get(start..).unwrap_or_default()
}

/// Whether somebody is said to speak.
fn speaks(lead: &str) -> bool {
    const SPEECH: &[&str] = &[
        " said",
        "told",
        "shouted",
        "stated that",
        "deposed",
        "uttered",
        "replied",
        "asked",
        "exclaimed",
        "testified",
        "argued",
        "submitted",
        "wrote",
        "the words",
        "statement",
        "称",
        "说",
        "供述",
        "辩解",
        "喊",
        "问",
        "答",
        "陈述",
        "कहा",
        "बोला",
    ];
    let lower = lead.to_lowercase();
    SPEECH.iter().any(|w| lower.contains(w))
}

/// Whether these words, between a citation and a quotation, announce the words of the law.
fn introduces(between: &str) -> bool {
    const SAYS: &[&str] = &[
        "provides",
        "provide",
        "reads",
        "read as",
        "states",
        "defines",
        "enacts",
        "prescribes",
        "stipulates",
        "lays down",
        "says",
        "runs thus",
        "as follows",
        "punishes",
        "declares",
        "规定",
        "规定了",
        "载明",
        "明确",
        "内容为",
        "表述为",
        "条文",
        "原文",
        "प्रावधान",
        "उपबंध",
    ];
    let lower = between.to_lowercase();
    let colon = between.trim_end().ends_with([':', '：']) && between.trim_end().chars().count() <= 12;
    colon || SAYS.iter().any(|w| lower.contains(w))
}

/// Words of an alphabet, or Han characters.
fn units(text: &str) -> usize {
    let han = text.chars().filter(|c| is_han(*c)).count();
    if han > 0 { han } else { text.split_whitespace().count() }
}

/// A text with white space and width normalised, and where each byte came from.
#[derive(Debug, Clone, Default)]
pub(super) struct Plain {
    pub text: String,
    /// Byte offset in the original for each byte of `text`.
    from: Vec<u32>,
}

fn narrow(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    }
}

impl Plain {
    pub fn new(text: &str) -> Self {
        let mut out = String::with_capacity(text.len());
        let mut from = Vec::with_capacity(text.len());
        let mut space: Option<usize> = None;
        for (i, c) in text.char_indices() {
            let c = narrow(c);
            if c.is_whitespace() || c == '\u{FEFF}' {
                space.get_or_insert(i);
                continue;
            }
            if let Some(at) = space.take() {
                // White space between Han characters, or between them and signs, is an accident of layout.
                let wide = |c: char| is_han(c) || matches!(c, '\u{3001}'..='\u{303F}');
                let before = out.chars().next_back();
                let keep = before.is_some_and(|b| !wide(b) && !wide(c));
                let han_near = wide(c) || before.is_some_and(wide);
                if keep && !han_near && !out.is_empty() {
                    out.push(' ');
                    from.push(u32::try_from(at).unwrap_or(u32::MAX));
                }
            }
            let len = out.len();
            out.push(c);
            from.resize(from.len() + out.len() - len, u32::try_from(i).unwrap_or(u32::MAX));
        }
        Self { text: out, from }
    }

    /// Where byte `at` of the normalised text was.
    pub fn original(&self, at: usize) -> usize {
        self.from.get(at).map_or(usize::MAX, |o| *o as usize)
    }
}

/// The pieces of a quotation between ellipses, normalised, without the punctuation at the end.
pub(super) fn pieces(quote: &str) -> Vec<String> {
    let unified = quote
        .replace("……", "\u{0}")
        .replace(['…'], "\u{0}")
        .replace("[...]", "\u{0}")
        .replace(". . .", "\u{0}")
        .replace("....", "\u{0}")
        .replace("...", "\u{0}")
        .replace("***", "\u{0}");
    unified
        .split('\u{0}')
        .map(|p| {
            let plain = Plain::new(p).text;
            plain
                .trim_matches(|c: char| {
                    c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '。' | '、' | '[' | ']')
                })
                .to_owned()
        })
        .filter(|p| !p.is_empty())
        .collect()
}

/// Where the pieces stand in a normalised text, in order: the range from the first to the last.
pub(super) fn find_pieces(plain: &Plain, pieces: &[String]) -> Option<(usize, usize)> {
    let mut at = 0;
    let mut start = None;
    for piece in pieces {
        let found = find_whole(plain.text.get(at..)?, piece)?;
        start.get_or_insert(at + found);
        at += found + piece.len();
    }
    start.map(|s| (plain.original(s), plain.original(at.saturating_sub(1)).saturating_add(1)))
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

/// Whether a quotation is long enough to count against a citation.
pub(super) fn long_enough(quote: &str) -> bool {
    let han = quote.chars().filter(|c| is_han(*c)).count();
    if han > 0 { han >= MIN_HAN } else { quote.split_whitespace().count() >= MIN_WORDS }
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
        for ((cell, from), quoted) in column.iter_mut().zip(origin.iter_mut()).skip(1).zip(&q) {
            let left = (*cell).saturating_add(1);
            let change = diagonal + u32::from(quoted != word);
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
    let same = quoted.iter().zip(text).take_while(|(a, b)| a == b).count();
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
