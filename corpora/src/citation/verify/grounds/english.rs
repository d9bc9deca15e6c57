//! The grammar by which an English sentence binds an offence to a provision.

use std::ops::Range;

use crate::citation::quote::sentence_ends;

use super::REACH;
use super::names::{LONGEST, Table, is_general};

/// A word or a sign, in lower case, and where it ends in its part of the text.
#[derive(Debug, Clone)]
struct Tok {
    word: String,
    end: usize,
}

impl AsRef<str> for Tok {
    fn as_ref(&self) -> &str {
        &self.word
    }
}

/// The sentence around a citation, with the places where the name of an offence would be bound to it.
#[derive(Debug)]
pub(super) struct Binding<'a> {
    before: Vec<Tok>,
    after: Vec<Tok>,
    behind: &'a str,
    /// Where the sentence stands.
    pub sentence: (usize, usize),
    /// The name would end before this token of `before`.
    ends: Option<usize>,
    /// The name would begin at this token of `after`, and what must follow it.
    begins: Option<(usize, Follow)>,
}

/// What may follow a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// A closing bracket.
    Bracket,
    /// The end of the line.
    Line,
    /// The end of the phrase.
    Phrase,
}

/// Words that deny, contrast, ask or doubt: nothing is judged in a sentence that has one.
const DOUBTS: &[&str] = &[
    "not",
    "no",
    "never",
    "nor",
    "neither",
    "without",
    "but",
    "rather",
    "than",
    "whereas",
    "however",
    "although",
    "though",
    "unlike",
    "until",
    "unless",
    "cannot",
    "none",
    "nothing",
    "nobody",
    "whether",
    "if",
    "or",
    "versus",
    "vs",
    "why",
    "how",
    "what",
    "either",
    "while",
    "yet",
    "merely",
    "read",
    "r",
    "rw",
    "would",
    "could",
    "might",
    "else",
    "otherwise",
    "actually",
    "lieu",
    "aside",
    "apart",
    "separate",
    "separately",
    "distinct",
    "respectively",
    "respective",
    "former",
    "latter",
    "?",
];

/// Beginnings of such words.
const DOUBTFUL: &[&str] = &[
    "wrong",
    "err",
    "mistak",
    "incorrect",
    "inapplic",
    "inappropr",
    "alter",
    "conver",
    "acquit",
    "discharg",
    "quash",
    "modif",
    "reduc",
    "replac",
    "substitut",
    "misread",
    "misappl",
    "misquot",
    "misstat",
    "mislead",
    "misdescri",
    "lesser",
    "differ",
    "compar",
    "distinguish",
    "false",
    "deny",
    "denie",
    "fail",
    "exclud",
    "absen",
    "lack",
    "drop",
    "delet",
    "confus",
    "contrast",
    "oppos",
    "invalid",
    "unsustain",
    "untenab",
    "reject",
    "refus",
    "instead",
    "downgrad",
    "upgrad",
    "hypothe",
    "suppos",
    "assum",
    "imagin",
    "unrelat",
    "irrelev",
    "improper",
    "hallucin",
    "fabricat",
];

/// Beginnings of words before a name by which it is only aimed at: `with intent to commit theft`.
const AIMS: &[&str] =
    &["threat", "intent", "intend", "purpos", "object", "order", "design", "plan", "fear", "view"];
/// How many words before a name they may stand.
const AIMED: usize = 5;

/// Words that may stand before a bound name.
const LEFT: &[&str] = &[
    "of",
    "for",
    "with",
    "the",
    "a",
    "an",
    "is",
    "was",
    "as",
    "commit",
    "commits",
    "committed",
    "committing",
    "offence",
    "offense",
    "crime",
    "constitutes",
    "constituted",
    "constituting",
    "alleged",
    "alleges",
    "alleging",
    "simple",
    "charge",
    "namely",
    ":",
    "that",
    "this",
    "his",
    "her",
    "their",
    "defines",
    "punishes",
];

/// Words before "of" by which a name is what somebody is charged with: not evidence, a victim, or the proceeds of it.
const OF: &[&str] = &[
    "offence",
    "offences",
    "offense",
    "offenses",
    "crime",
    "crimes",
    "charge",
    "charges",
    "count",
    "counts",
    "guilty",
    "accused",
    "convicted",
    "convict",
    "conviction",
    "commission",
    "act",
    "acts",
    "case",
    "cases",
    "instance",
    "allegation",
    "allegations",
    "definition",
    "punishment",
    "penalty",
    "sentence",
    "ingredients",
    "elements",
    "essentials",
    "element",
    "form",
    "kind",
    "him",
    "her",
    "them",
    "appellant",
    "appellants",
    "respondent",
    "petitioner",
    "defendant",
    "suspected",
    "speaks",
    "notion",
    "concept",
    "meaning",
];

/// Words that may follow a bound name.
const RIGHT: &[&str] = &[
    ".",
    ",",
    ";",
    ")",
    "]",
    "of",
    "by",
    "in",
    "at",
    "on",
    "is",
    "was",
    "has",
    "against",
    "committed",
    "with",
    "as",
    "upon",
    "where",
    "when",
    "which",
    "because",
    "since",
];

const PARTICIPLES: &[&str] = &[
    "punishable",
    "punished",
    "defined",
    "chargeable",
    "covered",
    "falling",
    "falls",
    "prescribed",
    "described",
    "penalised",
    "penalized",
    "criminalised",
    "criminalized",
    "triable",
    "contrary",
    "registered",
    "dealt",
    "provided",
    "specified",
    "governed",
    "charged",
];

const AUXILIARIES: &[&str] =
    &["is", "was", "are", "were", "be", "being", "been", "made", "which", "that", "as"];

impl<'a> Binding<'a> {
    /// Reads the sentence of a citation; nothing if it binds no name, or denies, doubts or asks.
    pub fn find(text: &'a str, span: (usize, usize)) -> Option<Self> {
        let (start, cut) = window_before(text, span.0);
        let head = text.get(start..span.0)?;
        let begin = sentence_start(head);
        // The beginning of the sentence is out of sight.
        if cut && begin == 0 {
            return None;
        }
        let lead = head.get(begin..)?;
        let (end, cut) = window_after(text, span.1);
        let tail = text.get(span.1..end)?;
        let stop = sentence_end(tail);
        if cut && stop.is_none() {
            return None;
        }
        let behind = tail.get(..stop.unwrap_or(tail.len()))?;
        let (before, after) = (tokens(lead), tokens(behind));
        let raw = text.get(span.0..span.1)?;
        let sentence = (start + begin, span.1 + behind.len());
        let mut found = Self { ends: None, begins: None, before, after, behind, sentence };
        found.ends = found.link(raw);
        found.begins = found.opening();
        if found.ends.is_none() && found.begins.is_none() {
            return None;
        }
        (!found.goes_on() && !lead.contains("...")).then_some(found)
    }

    /// The name bound to the citation, if it is one of the table and no other stands near.
    pub fn name(&self, table: &Table) -> Option<String> {
        let mut bound: Option<String> = None;
        let (mut left, mut right) = (0..0, 0..0);
        if let Some(end) = self.ends
            && let Some((name, n)) = table.ending(self.before.get(..end)?)
            && self.stands_alone(end - n)
        {
            left = end - n..end;
            bound = Some(name);
        }
        if let Some((at, follow)) = self.begins
            && let Some((name, n)) = table.beginning(self.after.get(at..)?)
            && self.followed(at + n, follow)
        {
            // Two bindings must agree.
            if bound.as_ref().is_some_and(|b| b != &name) {
                return None;
            }
            right = at..at + n;
            bound = Some(name);
        }
        let bound = bound?;
        if doubtful(&self.before, &left) || doubtful(&self.after, &right) {
            return None;
        }
        for part in [&self.before, &self.after] {
            let mut at = 0;
            while let Some(rest) = part.get(at..).filter(|r| !r.is_empty()) {
                match table.beginning(rest) {
                    Some((name, _)) if name != bound => return None,
                    Some((_, n)) => at += n,
                    None => at += 1,
                }
            }
        }
        Some(bound)
    }

    /// Whether the list of numbers goes on behind the citation in a way that was not read.
    fn goes_on(&self) -> bool {
        let word = |n: usize| self.after.get(n).map_or("", |t| t.word.as_str());
        let number = |w: &str| w.starts_with(|c: char| c.is_ascii_digit());
        let joint = matches!(word(0), "," | "and" | "&" | "-" | "to" | "with" | "+");
        number(word(0))
            || (joint && (number(word(1)) || matches!(word(1), "section" | "sections" | "s" | "sec")))
    }

    /// The token before which a name would end that is bound from the left: `theft, punishable under`.
    fn link(&self, raw: &str) -> Option<usize> {
        let word =
            |n: usize| n.checked_sub(1).and_then(|i| self.before.get(i)).map_or("", |t| t.word.as_str());
        let mut n = self.before.len();
        let phrases = ["provisions", "provision", "purview", "meaning", "scope", "ambit"];
        let framed = word(n) == "of" && phrases.contains(&word(n - 1)) && word(n - 2) == "the";
        if framed {
            n -= 3;
        }
        let carried = raw.get(..3).is_some_and(|r| r.eq_ignore_ascii_case("u/s"))
            || raw.get(..5).is_some_and(|r| r.eq_ignore_ascii_case("under"));
        let bracket = |n: usize| {
            word(n) == "(" && self.after.first().is_some_and(|t| matches!(t.word.as_str(), ")" | "," | ";"))
        };
        let mut needs = false;
        if word(n) == "under" {
            n -= 1;
        } else if n >= 3 && matches!(word(n), "s" | "sec") && word(n - 1) == "/" && word(n - 2) == "u" {
            n -= 3;
        } else if matches!(word(n), "by" | "in" | "at" | "to" | "within") {
            n -= 1;
            needs = !framed;
        } else if bracket(n) {
            return n.checked_sub(1);
        } else if !carried {
            return None;
        }
        if PARTICIPLES.contains(&word(n)) {
            n -= 1;
            needs = false;
        }
        if needs {
            return None;
        }
        if matches!(word(n), "offence" | "offense" | "crime") && matches!(word(n - 1), "an" | "a" | "the") {
            n -= 2;
        }
        let mut aux = 0;
        while aux < 3 && AUXILIARIES.contains(&word(n)) {
            n -= 1;
            aux += 1;
        }
        if matches!(word(n), "," | "(") {
            n -= 1;
        }
        (n > 0).then_some(n)
    }

    /// The token at which a name would begin that is bound from the right: `Section 302, which punishes theft`.
    fn opening(&self) -> Option<(usize, Follow)> {
        let word = |n: usize| self.after.get(n).map_or("", |t| t.word.as_str());
        let of_offence = |mut n: usize| {
            if word(n) == "the" {
                n += 1;
            }
            match (word(n), word(n + 1)) {
                (
                    "offence" | "offense" | "crime" | "charge" | "commission" | "act" | "punishment",
                    "of" | "for",
                ) => n + 2,
                ("offences" | "crimes" | "cases" | "acts", "of") => n + 2,
                ("committing", _) => n + 1,
                _ => n,
            }
        };
        let punishment = |n: usize| {
            let inner = of_offence(n);
            if inner > n && word(inner - 2) == "punishment" { of_offence(inner) } else { inner }
        };
        match word(0) {
            "(" => return Some((punishment(usize::from(word(1) == "for") + 1), Follow::Bracket)),
            ":" | "-" => return Some((punishment(1), Follow::Line)),
            "for" => return Some((of_offence(1), Follow::Phrase)),
            _ => {}
        }
        let mut n = usize::from(word(0) == ",");
        if matches!(word(n), "which" | "that") {
            n += 1;
        } else if n == 1 {
            return None;
        }
        let next = match (word(n), word(n + 1)) {
            (
                "punishes" | "penalises" | "penalizes" | "criminalises" | "criminalizes" | "defines"
                | "covers" | "concerns" | "governs" | "addresses",
                _,
            ) => n + 1,
            ("deals" | "dealing", "with")
            | ("relates" | "relating" | "pertains" | "pertaining", "to")
            | ("speaks", "of")
            | ("is", "about")
            | ("provides", "for") => n + 2,
            ("provides" | "prescribes" | "imposes" | "sets", "punishment" | "the") => n + 1,
            _ => return None,
        };
        Some((punishment(next), Follow::Phrase))
    }

    /// Whether what stands before a name leaves it the whole of its phrase.
    fn stands_alone(&self, start: usize) -> bool {
        let before = self.before.get(..start).unwrap_or_default();
        // The number of a row: `1.`, `(a)`.
        let marker = before.len() <= 3 && before.iter().all(|t| t.word.len() <= 2);
        let Some(last) = before.last() else { return true };
        let aimed = before.iter().rev().take(AIMED).any(|t| AIMS.iter().any(|a| t.word.starts_with(a)));
        if aimed {
            return false;
        }
        let word = last.word.as_str();
        let to = |n: usize| {
            before.len().checked_sub(n).and_then(|i| before.get(i)).map_or("", |t| t.word.as_str())
        };
        let articles = ["the", "a", "an", "simple", "alleged", "this", "that", "his", "her", "their"];
        let n = 1 + before.iter().rev().take(3).take_while(|t| articles.contains(&t.word.as_str())).count();
        // `evidence of theft`, `the victim of a theft`
        if to(n) == "of" && !OF.contains(&to(n + 1)) {
            return false;
        }
        marker || LEFT.contains(&word) || (word == "to" && to(2).starts_with("amount"))
    }

    fn followed(&self, at: usize, follow: Follow) -> bool {
        let next = self.after.get(at).map_or("", |t| t.word.as_str());
        match follow {
            Follow::Bracket => next == ")",
            Follow::Phrase => next.is_empty() || RIGHT.contains(&next),
            Follow::Line => {
                let end = at.checked_sub(1).and_then(|n| self.after.get(n)).map_or(0, |t| t.end);
                let rest = self.behind.get(end..).unwrap_or_default();
                let line = rest.split('\n').next().unwrap_or_default();
                line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '*' | '_' | '"' | '”'))
                    .is_empty()
            }
        }
    }
}

/// Whether words outside the name deny, contrast, ask or doubt.
fn doubtful(toks: &[Tok], name: &Range<usize>) -> bool {
    toks.iter().enumerate().filter(|(n, _)| !name.contains(n)).any(|(n, t)| {
        let w = t.word.as_str();
        // `FIR No. 12` denies nothing.
        let number = w == "no" && toks.get(n + 1).is_some_and(|next| next.word == ".");
        (DOUBTS.contains(&w) && !number)
            || w.ends_with("n't")
            || w.ends_with("n’t")
            || DOUBTFUL.iter().any(|d| w.starts_with(d))
            || is_general_liability(w)
    })
}

/// Words of liability for what another did or was to do: the provision cited may be that of the liability.
fn is_general_liability(word: &str) -> bool {
    is_general(word)
        && [
            "abet", "attempt", "conspir", "instigat", "prepar", "common", "except", "accessor", "defen",
            "liab", "general",
        ]
        .iter()
        .any(|g| word.starts_with(g))
}

fn window_before(text: &str, at: usize) -> (usize, bool) {
    let from = at.saturating_sub(REACH);
    let start = (from..=at).find(|i| text.is_char_boundary(*i)).unwrap_or(at);
    (start, from > 0)
}

fn window_after(text: &str, at: usize) -> (usize, bool) {
    let to = text.len().min(at + REACH);
    let end = (at..=to).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(at);
    (end, to < text.len())
}

/// Where a new line begins anew: a blank line, or the mark of an item or a row.
fn breaks(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices('\n').filter_map(|(i, _)| {
        let next = text.get(i + 1..).unwrap_or_default();
        let line = next.trim_start_matches([' ', '\t', '\r']);
        let mark = line.is_empty() || line.starts_with(['\n', '-', '*', '•', '#', '|', '>', '–']);
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let row = digits.len() < line.len() && digits.starts_with(['.', ')']);
        (mark || row).then_some(i + 1)
    })
}

fn sentence_start(head: &str) -> usize {
    let line = breaks(head).last().unwrap_or(0);
    let sign = sentence_ends(head).last().unwrap_or(0);
    line.max(sign)
}

fn sentence_end(tail: &str) -> Option<usize> {
    let line = breaks(tail).next();
    let sign = sentence_ends(tail).next();
    match (line, sign) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Words and signs; marks of quotation and emphasis, and the hyphen inside a word, are dropped.
fn tokens(text: &str) -> Vec<Tok> {
    let mut out: Vec<Tok> = Vec::with_capacity(text.len() / LONGEST);
    let mut chars = text.char_indices().peekable();
    let mut word = String::new();
    let mut previous = ' ';
    while let Some((i, c)) = chars.next() {
        let inside = c == '\'' || c == '’';
        if c.is_alphanumeric() || (inside && !word.is_empty()) {
            word.extend(c.to_lowercase());
            if chars.peek().is_some() {
                previous = c;
                continue;
            }
        }
        if !word.is_empty() {
            let end = if c.is_alphanumeric() || inside { i + c.len_utf8() } else { i };
            let whole = word.trim_end_matches(['\'', '’']).to_owned();
            word.clear();
            let whole =
                whole.strip_suffix("'s").or(whole.strip_suffix("’s")).map(str::to_owned).unwrap_or(whole);
            out.push(Tok { word: whole, end });
        }
        let end = i + c.len_utf8();
        let sign = match c {
            '—' | '–' | '−' => Some("-"),
            '-' => {
                let joined =
                    previous.is_alphanumeric() && chars.peek().is_some_and(|(_, n)| n.is_alphanumeric());
                (!joined).then_some("-")
            }
            '（' => Some("("),
            '）' => Some(")"),
            '(' | ')' | '[' | ']' | ',' | '.' | ';' | ':' | '?' | '/' | '&' | '+' => None,
            _ => None,
        };
        if let Some(sign) = sign {
            out.push(Tok { word: sign.to_owned(), end });
        } else if "()[],.;:?/&+".contains(c) {
            out.push(Tok { word: c.to_string(), end });
        }
        previous = c;
    }
    out
}
