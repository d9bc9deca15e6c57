//! Numbers that laws bear: `Act XLV of 1860`, `(2 of 1974)`, `1860 का 45`. A code that has the name of one of the catalogue
//! and another number is another code.

use super::super::lex::{Kw, T};
use super::super::lexicon::Work;
use super::super::numerals::parse_roman;
use super::Scanner;

/// A law's number and year as a text has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LawNumber {
    number: u32,
    year: i16,
}

impl LawNumber {
    /// Whether a work bears it, as far as the catalogue says.
    pub(super) fn is_of(self, work: &Work) -> bool {
        if work.numbers.is_empty() {
            work.years.contains(&self.year)
        } else {
            work.numbers.contains(&(self.number, self.year))
        }
    }
}

/// Most tokens behind a name in which `as amended in 1955` gives a year.
const LOOK_AHEAD: usize = 14;

/// Words that make a code another than the one of that name today.
const OLD: &[&str] = &["old", "repealed", "erstwhile", "former", "पुरानी", "पुराना"];

/// Words behind a name that lead to its year.
const TIES: &[&str] = &[
    "amended",
    "enacted",
    "dated",
    "passed",
    "made",
    "then",
    "since",
    "namely",
    "being",
    "hereafter",
    "hereinafter",
];

impl Scanner<'_> {
    /// The number of a law at `end`, behind a name: what it is, and the token after it.
    pub(super) fn law_number(&self, end: usize) -> Option<(LawNumber, usize)> {
        let mut k = end + usize::from(matches!(self.t(end).t, T::Sign(',' | '-' | ':')));
        let close = match self.t(k).t {
            T::Sign('(') => Some(')'),
            T::Sign('[') => Some(']'),
            _ => None,
        };
        k += usize::from(close.is_some());
        if ["central", "india", "being", "the", "i"].iter().any(|w| self.word(k).eq_ignore_ascii_case(w)) {
            k += 1;
        }
        if matches!(self.kw(k), Kw::Act(_)) {
            k += 1 + usize::from(self.is(k + 1, ','));
        }
        if self.kw(k) == Kw::No {
            k += 1;
        }
        k += usize::from(self.is(k, '.'));
        let (number, year, mut after) = if self.year_like(k)
            && self.kw(k + 1) == Kw::Of
            && !self.is_of(k + 1)
            && let Some((number, _)) = self.num(k + 2)
        {
            // `1860 का 45`
            (number, self.num(k)?.0, k + 3)
        } else {
            let number = self.num(k).map(|(n, _)| n).or_else(|| self.roman_number(k))?;
            let of = self.is_of(k + 1) || self.is(k + 1, '/');
            if !of || !self.year_like(k + 2) {
                return None;
            }
            (number, self.num(k + 2)?.0, k + 3)
        };
        if let Some(close) = close {
            // What else the bracket holds says nothing against the number.
            after = (after..after + 6).find(|n| self.is(*n, close)).map_or(after, |n| n + 1);
        }
        Some((LawNumber { number, year: i16::try_from(year).ok()? }, after))
    }

    fn roman_number(&self, k: usize) -> Option<u32> {
        let word = self.word(k);
        let roman = !word.is_empty() && word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X' | b'L' | b'C'));
        if roman { parse_roman(word) } else { None }
    }

    /// Whether words behind a name at `end` tie it to a year before the work began, or call it an old one: `as amended in
    /// 1955`, `(v of 1898)`, `then in force (V of 1898)`, `(Old)`.
    pub(super) fn of_an_earlier_year(&self, end: usize, work: &Work) -> bool {
        let bracket = matches!(self.t(end).t, T::Sign('(' | '[' | '{'));
        let k = end + usize::from(bracket || self.is(end, ','));
        let one_of = |n: usize, list: &[&str]| list.iter().any(|w| self.word(n).eq_ignore_ascii_case(w));
        if bracket && one_of(k, OLD) {
            return true;
        }
        let of_year = self.is_of(k) && (k + 1..k + 3).any(|n| one_of(n, &["year"]));
        let tied = one_of(k, TIES)
            || self.kw(k) == Kw::As
            || (self.kw(k) == Kw::In && one_of(k + 1, &["its"]))
            || (self.kw(k) == Kw::That && one_of(k + 1, &["is"]))
            || one_of(k + 1, &["amended"]);
        let bracket = bracket && !matches!(self.kw(k), Kw::NotALaw | Kw::Label);
        if !(of_year || tied || bracket) {
            return false;
        }
        (k..k + LOOK_AHEAD)
            .take_while(|n| match self.t(*n).t {
                T::Sign('.' | '।' | '?' | '!') => !self.ends_sentence(*n),
                T::Sign(';') | T::End => false,
                T::Word(_) => self.head_at(*n).is_none() && !matches!(self.kw(*n), Kw::And | Kw::Or),
                _ => true,
            })
            .find(|n| self.year_like(*n))
            .and_then(|n| self.num(n))
            .is_some_and(|(y, _)| i16::try_from(y).is_ok_and(|y| y < work.since && !work.years.contains(&y)))
    }

    /// Whether `(old)` stands before a name at `i`.
    pub(super) fn called_old(&self, i: usize) -> bool {
        i.checked_sub(2)
            .is_some_and(|p| self.is(p + 1, ')') && OLD.iter().any(|w| self.word(p).eq_ignore_ascii_case(w)))
    }
}
