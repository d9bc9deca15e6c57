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
const LOOK_AHEAD: usize = 10;

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

    /// Whether words behind a name at `end` tie it to a year before the work began: `as amended in 1955`, `of the year 1898`.
    pub(super) fn of_an_earlier_year(&self, end: usize, work: &Work) -> bool {
        let k = end + usize::from(matches!(self.t(end).t, T::Sign(',' | '(')));
        let of_year = self.is_of(k) && (k + 1..k + 3).any(|n| self.word(n).eq_ignore_ascii_case("year"));
        let amended = (k..k + 2).any(|n| self.word(n).eq_ignore_ascii_case("amended"));
        if self.kw(k) != Kw::As && !of_year && !amended {
            return false;
        }
        (k + 1..k + LOOK_AHEAD)
            .take_while(|n| !matches!(self.t(*n).t, T::Sign('.' | ';' | '।') | T::End))
            .find(|n| self.year_like(*n))
            .and_then(|n| self.num(n))
            .is_some_and(|(y, _)| i16::try_from(y).is_ok_and(|y| y < work.since && !work.years.contains(&y)))
    }
}
