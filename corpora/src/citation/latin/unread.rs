//! Words beside a provision that name a place inside it and cannot be read: the provision alone would then be looked up
//! in place of what the text cites.

use crate::manifest::UnitName;

use super::super::lex::{Kw, T};
use super::super::numerals::parse_roman;
use super::Scanner;
use super::labels::is_short_word;

/// Words that say which place of several is meant, and are no number.
const WHICH: &[&str] = &[
    "last",
    "final",
    "penultimate",
    "main",
    "opening",
    "concluding",
    "operative",
    "substantive",
    "earlier",
    "later",
    "initial",
    "middle",
    "remaining",
    "next",
    "other",
    "closing",
];

/// Figures in words.
const COUNTS: &[&str] = &[
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "twenty",
    "last",
    "एक",
    "दो",
    "तीन",
    "चार",
    "पांच",
];

/// Most tokens of a bracket that may be a label.
const LONGEST_LABEL: usize = 12;

impl Scanner<'_> {
    /// `the third limb of section 304`, `last proviso to`: a place before a provision that [`Scanner::leading_pins`] does not
    /// read. The token after its words, and the provision's head.
    pub(super) fn unread_before(&self, i: usize) -> Option<(usize, usize)> {
        let one_of = |k: usize, list: &[&str]| list.iter().any(|w| self.word(k).eq_ignore_ascii_case(w));
        let (ordinals, word) = match self.kw(i) {
            Kw::Ordinal(_) => self.ordinals_at(i),
            _ => (Vec::new(), i),
        };
        self.place_kind(word)?;
        let mut j = word + 1;
        if self.kw(word) == Kw::Sub {
            j += 1 + usize::from(self.is(j, '-'));
        }
        j += usize::from(self.is(j, '.'));
        let mut said = !ordinals.is_empty() || i.checked_sub(1).is_some_and(|p| one_of(p, WHICH));
        // Labels of whatever kind, and what joins them.
        let first = j;
        while j < first + LONGEST_LABEL {
            let next = if let Some(end) = self.label_like(j) {
                end
            } else if self.is_single_label(j) || one_of(j, COUNTS) {
                j + 1
            } else if j > first && (self.kw(j) == Kw::To || self.is(j, '-') || self.separator(j).is_some()) {
                let k = self.separator(j).map_or(j + 1, |(k, _)| k);
                if !(self.is_single_label(k) || self.label_like(k).is_some() || self.place_kind(k).is_some())
                {
                    break;
                }
                k
            } else if j > first && self.place_kind(j).is_some() {
                j + 1
            } else {
                break;
            };
            said = true;
            j = next;
        }
        if !said || self.is(j, ',') {
            return None;
        }
        let head = self.link(j)?;
        self.head_at(head)?;
        Some((j, head))
    }

    /// Whether `last`, `concluding` stands before a place at `i`, so that its number is not known.
    pub(super) fn which_before(&self, i: usize) -> bool {
        let Some(p) = i.checked_sub(1) else { return false };
        ["last", "final", "penultimate", "concluding", "closing"]
            .iter()
            .any(|w| self.word(p).eq_ignore_ascii_case(w))
    }

    /// A figure, a letter, a Roman numeral or an ordinal standing alone.
    fn is_single_label(&self, j: usize) -> bool {
        match self.t(j).t {
            T::Num(_, digits) => digits <= 2,
            T::Word(_) => {
                let word = self.word(j);
                matches!(self.kw(j), Kw::Ordinal(_) | Kw::Ordinally(_))
                    || (self.kw(j) == Kw::None || word.len() == 1 && self.kw(j) == Kw::SectionAbbr)
                        && word.is_ascii()
                        && (word.len() == 1 || parse_roman(word).is_some())
                        && self.name_at(j).is_none()
            }
            _ => false,
        }
    }

    /// A bracket whose words are labels and not a gloss: `(a-g)`, `(n,f)`, `[2]`, `(z z)`. The token after it.
    fn label_like(&self, i: usize) -> Option<usize> {
        let close = match self.t(i).t {
            T::Sign('(') => ')',
            T::Sign('[') => ']',
            T::Sign('{') => '}',
            T::Sign('"') => '"',
            T::Sign('“') => '”',
            _ => return None,
        };
        let mut labels = 0;
        // `Article 19 (1`, where the text is cut off.
        if self.t(i + 2).t == T::End && close != '"' && self.is_single_label(i + 1) {
            return Some(i + 2);
        }
        for j in i + 1..i + LONGEST_LABEL {
            let tok = self.t(j);
            match tok.t {
                T::Sign(c) if c == close => return (labels > 0).then_some(j + 1),
                T::Sign(',' | '-' | '/' | '&' | ';' | '.' | ':' | '(' | ')') => {}
                T::Num(_, digits) if digits <= 3 => labels += 1,
                T::Word(_) if matches!(self.kw(j), Kw::And | Kw::Or | Kw::To) => {}
                T::Word(_) => {
                    let word = self.word(j);
                    // `(P.W. 3)`: an abbreviation.
                    if self.is(j + 1, '.') && tok.capital && word.is_ascii() || self.name_at(j).is_some() {
                        return None;
                    }
                    let latin = word.is_ascii()
                        && !is_short_word(word)
                        && (word.len() == 1
                            || parse_roman(word).is_some()
                            || word.len() == 2 && (!tok.spaced || self.kw(j) == Kw::None));
                    let hindi = !word.is_ascii()
                        && (Self::devanagari_letters(word).is_some() || word.chars().count() <= 2);
                    if !(latin || hindi) {
                        return None;
                    }
                    labels += 1;
                }
                _ => return None,
            }
        }
        None
    }

    /// Something behind a provision, or behind its act's name, that looks like a place and was not read: its first token,
    /// the token after it, and whether the reading goes on behind it.
    pub(super) fn unread_behind(
        &self,
        j: usize,
        kind: Option<UnitName>,
        behind: bool,
    ) -> Option<(usize, usize, bool)> {
        // A bracket.
        if let Some(end) = self.label_like(j) {
            // `Section 302 IPC [12]` has a note, `Section 302 IPC (DB)` a bench.
            let note = self.is(j, '[') && end == j + 3 && matches!(self.t(j + 1).t, T::Num(..));
            let bench = end == j + 3 && self.word(j + 1).len() > 1 && self.t(j + 1).caps;
            return (!behind || !(note || bench && parse_roman(self.word(j + 1)).is_none()))
                .then_some((j, end, true));
        }
        // `Section 304 IPC-II`, `376/2/n`
        let dash = usize::from(self.is(j, '-'));
        let roman = self.word(j + dash);
        if behind && roman.len() > 1 && self.t(j + dash).caps && parse_roman(roman).is_some() {
            return Some((j, j + dash + 1, true));
        }
        let letter = self.word(j + 1);
        if self.is(j, '/')
            && !self.t(j + 1).spaced
            && letter.len() == 1
            && letter.bytes().all(|b| b.is_ascii_lowercase())
            && self.closes(j + 2)
            && self.head_at(j + 1).is_none()
        {
            return Some((j, j + 2, true));
        }
        // `Article 14 § 3`, `Section 13 ¶ 3`
        if (self.is(j, '§') && !behind || self.is(j, '¶')) && self.num(j + 1).is_some() {
            return Some((j, j + 2, true));
        }
        if let Some(found) = self.stretch_behind(j) {
            return Some(found);
        }
        // A figure without a bracket, or behind a colon.
        let colon = usize::from(self.is(j, ':') && !self.t(j).spaced && !self.t(j + 1).spaced);
        if let Some((_, digits)) = self.num(j + colon) {
            let open = self.is(j + colon + 1, '(') && !self.t(j + colon + 1).spaced;
            let near = if behind { open && colon == 0 } else { open || self.closes(j + colon + 1) };
            return (digits <= 3 && near).then_some((j, j + colon + 1, colon == 1));
        }
        // A place by its word.
        let k = match self.place_joined(j, behind) {
            k if k == j && (self.is(j, '(') || self.is(j, '[')) => j + 1,
            k => k,
        };
        // `, last proviso`
        if self.place_kind(k + 1).is_some_and(|p| !matches!(p, Kw::Paragraph | Kw::Item))
            && WHICH.iter().any(|w| self.word(k).eq_ignore_ascii_case(w))
            && self.leading_pins(k + 1).is_none()
            && self.unread_before(k + 1).is_none()
        {
            return Some((k, k + 2, true));
        }
        let (ordinals, word) = match self.kw(k) {
            Kw::Ordinal(_) => self.ordinals_at(k),
            Kw::Ordinally(_) if behind => {
                // Not read as a place, and no charge is counted by it: in doubt.
                let next = k + 1 + usize::from(self.is(k + 1, ','));
                let next = next + usize::from(matches!(self.kw(next), Kw::Under | Kw::In | Kw::With));
                return self.head_at(next).is_none().then_some((k, k + 1, true));
            }
            _ => (Vec::new(), k),
        };
        let Some(place) = self.place_kind(word) else {
            return if behind { self.place_further_on(j, kind) } else { None };
        };
        if place == Kw::Part && kind == Some(UnitName::Article) {
            return None;
        }
        if self.leading_pins(k).is_some() || self.unread_before(k).is_some() {
            return None;
        }
        let after =
            word + 1 + if self.kw(word) == Kw::Sub { 1 + usize::from(self.is(word + 1, '-')) } else { 0 };
        let after = after + usize::from(self.is(after, '.'));
        let label = self.label_like(after);
        let single =
            self.is_single_label(after) || COUNTS.iter().any(|w| self.word(after).eq_ignore_ascii_case(w));
        let end = label.unwrap_or(after + usize::from(single));
        // Paragraphs and items of the judgment, pages of the record.
        if matches!(place, Kw::Paragraph | Kw::Item) && self.of_another_paper(end) {
            return None;
        }
        let named = self.t(k).capital
            && matches!(place, Kw::Exception | Kw::Explanation | Kw::Illustration | Kw::Proviso);
        let said = !ordinals.is_empty() || label.is_some() || single || named;
        said.then_some((k, end, true))
    }

    /// `, second sentence`, `(sentence 2)`, `in its third paragraph`, `first limb`: stretches of a provision that no id has.
    /// Not `line 4 of the order`.
    fn stretch_behind(&self, j: usize) -> Option<(usize, usize, bool)> {
        const STRETCHES: &[&str] = &[
            "sentence",
            "sentences",
            "column",
            "columns",
            "line",
            "lines",
            "limb",
            "half",
            "paragraph",
            "para",
            "row",
        ];
        let one_of = |k: usize, list: &[&str]| list.iter().any(|w| self.word(k).eq_ignore_ascii_case(w));
        let mut k = j + usize::from(self.is(j, ',') || self.is(j, '('));
        if self.kw(k) == Kw::In {
            k += 1;
            if !one_of(k, &["its"]) {
                return None;
            }
            k += 1;
        } else if one_of(k, &["its"]) || k > j && self.kw(k) == Kw::The {
            k += 1;
        }
        let (ordinals, word) = match self.kw(k) {
            Kw::Ordinal(_) => (1, k + 1),
            _ if one_of(k, &["latter", "former", "opening", "closing", "last", "final"]) => (1, k + 1),
            _ => (0, k),
        };
        if !one_of(word, STRETCHES) {
            return None;
        }
        let labelled = ordinals == 0 && self.is_single_label(word + 1);
        let end = word + 1 + usize::from(labelled);
        let bracketed = self.is(j, '(') && self.is(end, ')');
        let found = if bracketed { (j, end + 1, true) } else { (k, end, true) };
        ((ordinals > 0 || labelled) && !self.of_another_paper(end)).then_some(found)
    }

    /// Whether `of` and something else than an act stands at `j`: `of the judgment`, `of the impugned order`.
    fn of_another_paper(&self, j: usize) -> bool {
        const PAPERS: &[&str] = &[
            "judgment",
            "judgement",
            "order",
            "plaint",
            "petition",
            "complaint",
            "affidavit",
            "charge",
            "chargesheet",
            "fir",
            "report",
            "award",
            "writ",
            "statement",
            "appeal",
            "decision",
            "reply",
            "memo",
            "ruling",
            "opinion",
            "paper",
            "book",
            "record",
            "evidence",
            "deposition",
            "year",
        ];
        self.is_of(j)
            && ((j + 1..j + 4).any(|k| PAPERS.iter().any(|w| self.word(k).eq_ignore_ascii_case(w)))
                || self.act_after(j, false, false).is_none())
    }

    /// `Section 302 IPC as per Explanation 4`, `… and its Exception 9`: a numbered place a few words behind an act's name,
    /// which may be the provision's own.
    fn place_further_on(&self, j: usize, kind: Option<UnitName>) -> Option<(usize, usize, bool)> {
        let mut k = j;
        while k < j + 6 {
            let tok = self.t(k);
            let goes_on = match tok.t {
                T::Word(_) => {
                    !matches!(self.kw(k), Kw::After | Kw::Says | Kw::Act(_) | Kw::NotALaw | Kw::Label)
                        && self.head_at(k).is_none()
                        && self.name_at(k).is_none()
                        && self.anaphor_at(k).is_none()
                }
                T::Sign(c) => matches!(c, ',' | '(' | '&' | '+' | '@' | '|' | '-' | ';'),
                _ => false,
            };
            if !goes_on {
                return None;
            }
            let place = match self.kw(k) {
                Kw::Ordinal(_) => self.place_kind(self.ordinals_at(k).1),
                _ => self.place_kind(k),
            };
            if let Some(place) = place {
                // `and Part II of the agreement` is of something else.
                let (_, next) = self.place(k).filter(|_| self.numbered_place(k))?;
                let other = matches!(place, Kw::Paragraph | Kw::Item)
                    || place == Kw::Part && kind == Some(UnitName::Article)
                    || self.is_of(next)
                    || self.kw(next) == Kw::To
                    || self.leading_pins(k).is_some()
                    || self.unread_before(k).is_some();
                return (!other).then_some((k, next, true));
            }
            k += 1;
        }
        None
    }
}
