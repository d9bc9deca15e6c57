//! Numbers in words behind a word for a section: `Section three hundred and two`, `Article twenty-one`, `धारा तीन सौ दो`.
//!
//! They become figures before anything else is read, so that lists and ranges of them are read as those of figures are.

use super::super::lex::{self, Kw, T, Tok};
use super::super::numerals::parse_roman;
use super::Scanner;

/// Below this a number in words is an ordinary word as well (`in this section one finds`) and needs an act's name.
const LEAST: u32 = 20;
/// The same for an article with a capital.
const LEAST_ARTICLE: u32 = 12;

const UNITS: &[&str] = &[
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
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// 1 to 99 in Hindi, each with its usual spellings, nasals as [`lex::fold_devanagari`] writes them.
const HINDI: &[&str] = &[
    "एक",
    "दो",
    "तीन",
    "चार",
    "पांच",
    "छह|छः|छ|छे",
    "सात",
    "आठ",
    "नौ",
    "दस",
    "ग्यारह",
    "बारह",
    "तेरह",
    "चौदह",
    "पंद्रह|पन्द्रह",
    "सोलह",
    "सत्रह",
    "अठारह|अट्ठारह",
    "उन्नीस",
    "बीस",
    "इक्कीस",
    "बाईस|बाइस",
    "तेईस|तेइस",
    "चौबीस",
    "पच्चीस",
    "छब्बीस",
    "सत्ताईस|सत्ताइस",
    "अट्ठाईस|अठ्ठाईस|अठाईस|अट्ठाइस",
    "उनतीस|उन्तीस",
    "तीस",
    "इकतीस|इकत्तीस",
    "बत्तीस",
    "तैंतीस|तेंतीस",
    "चौंतीस",
    "पैंतीस",
    "छत्तीस",
    "सैंतीस",
    "अड़तीस",
    "उनतालीस|उन्तालीस",
    "चालीस",
    "इकतालीस",
    "बयालीस|ब्यालीस",
    "तैंतालीस|तिरतालीस",
    "चौवालीस|चवालीस",
    "पैंतालीस",
    "छियालीस",
    "सैंतालीस",
    "अड़तालीस",
    "उनचास|उन्चास",
    "पचास",
    "इक्यावन",
    "बावन",
    "तिरपन|तिरेपन",
    "चौवन",
    "पचपन",
    "छप्पन",
    "सत्तावन",
    "अट्ठावन|अठावन",
    "उनसठ",
    "साठ",
    "इकसठ",
    "बासठ",
    "तिरसठ|तिरेसठ",
    "चौंसठ|चौसठ",
    "पैंसठ",
    "छियासठ",
    "सड़सठ",
    "अड़सठ",
    "उनहत्तर",
    "सत्तर",
    "इकहत्तर",
    "बहत्तर",
    "तिहत्तर",
    "चौहत्तर",
    "पचहत्तर",
    "छिहत्तर",
    "सतहत्तर",
    "अठहत्तर",
    "उनासी|उन्यासी",
    "अस्सी",
    "इक्यासी",
    "बयासी",
    "तिरासी",
    "चौरासी",
    "पचासी",
    "छियासी",
    "सत्तासी",
    "अट्ठासी|अठासी",
    "नवासी",
    "नब्बे",
    "इक्यानवे",
    "बानवे|बयानवे",
    "तिरानवे",
    "चौरानवे",
    "पचानवे|पंचानवे",
    "छियानवे",
    "सत्तानवे",
    "अट्ठानवे|अठानवे",
    "निन्यानवे",
];

/// A number in words: its value, the token after it, and whether an `and` stands inside.
type Spelt = (u32, usize, bool);

impl Scanner<'_> {
    /// Puts figures in place of the numbers in words that stand behind a word for a section.
    pub(super) fn numbers_in_words(&mut self) {
        // Where each begins and ends, in tokens, and its value.
        let mut found: Vec<(usize, usize, u32)> = Vec::new();
        let mut i = 0;
        while i < self.toks.len() {
            i = match self.kw(i) {
                Kw::Article { .. } if self.roman_at(self.after_head(i)).is_some() => {
                    self.roman_list(i, &mut found).max(i + 1)
                }
                Kw::Section { plural } | Kw::Article { plural } if self.word(i).len() > 3 => {
                    self.spelt_list(i + 1, plural, &mut found).max(i + 1)
                }
                _ => i + 1,
            };
        }
        if found.is_empty() {
            return;
        }
        let mut out: Vec<Tok> = Vec::with_capacity(self.toks.len());
        let mut at = 0;
        for (from, to, value) in found {
            out.extend(self.toks.get(at..from).unwrap_or_default());
            let digits = u8::try_from(value.to_string().len()).unwrap_or(u8::MAX);
            let (first, last) = (self.t(from), self.t(to - 1));
            // What is written in Roman numerals keeps its capitals, by which it is known.
            let caps = self.roman_at(from).is_some();
            out.push(Tok { t: T::Num(value, digits), end: last.end, capital: false, caps, ..first });
            at = to;
        }
        out.extend(self.toks.get(at..).unwrap_or_default());
        self.toks = out;
    }

    fn after_head(&self, i: usize) -> usize {
        i + 1 + usize::from(self.is(i + 1, '.'))
    }

    /// A Roman numeral in capitals.
    fn roman_at(&self, k: usize) -> Option<u32> {
        let capitals = !self.word(k).is_empty() && self.word(k).bytes().all(|b| b.is_ascii_uppercase());
        parse_roman(self.word(k)).filter(|_| capitals && self.name_at(k).is_none())
    }

    /// `Article IV`, `Articles I, II and IV`: acts may number their articles so. The token after the list.
    fn roman_list(&self, head: usize, found: &mut Vec<(usize, usize, u32)>) -> usize {
        let mut at = self.after_head(head);
        if !self.t(head).capital {
            return at;
        }
        while let Some(value) = self.roman_at(at) {
            // `Article I, the author`: a pronoun, unless an act follows.
            let next = at + 1;
            let pronoun = value == 1 && self.is(next, ',') && self.name_at(next + 1).is_none();
            if !self.closes(next) || pronoun && self.roman_at(next + 1).is_none() {
                break;
            }
            found.push((at, next, value));
            let Some((more, _)) = self
                .separators(next)
                .or_else(|| (self.kw(next) == Kw::To || self.is(next, '-')).then_some((next + 1, true)))
            else {
                return next;
            };
            let again = matches!(self.kw(more), Kw::Article { .. });
            at = if again { self.after_head(more) } else { more };
            if self.roman_at(at).is_none() {
                return next;
            }
        }
        at
    }

    /// A list of numbers in words at `k`, as far as it goes; the token after it.
    fn spelt_list(&self, k: usize, plural: bool, found: &mut Vec<(usize, usize, u32)>) -> usize {
        let first = found.len();
        let (mut at, mut end, mut joined) = (k, k, false);
        while let Some((value, next, and)) = self.spelt(at) {
            joined |= and;
            found.push((at, next, value));
            end = next;
            let Some((more, _)) = self
                .separators(next)
                .or_else(|| matches!(self.kw(next), Kw::To | Kw::Through).then_some((next + 1, true)))
            else {
                break;
            };
            let head = matches!(self.kw(more), Kw::Section { .. } | Kw::Article { .. });
            at = more + usize::from(head);
        }
        let listed = found.len() - first;
        // `Sections three hundred and two` may be two.
        let two = plural && listed == 1 && joined;
        let capital = self.t(k.wrapping_sub(1)).capital;
        let article =
            matches!(self.kw(k.wrapping_sub(1)), Kw::Article { .. }) && self.t(k.wrapping_sub(1)).capital;
        let least = if article { LEAST_ARTICLE } else { LEAST };
        let small = found.iter().skip(first).all(|(_, _, value)| *value < least);
        let after = end + usize::from(self.is(end, ','));
        let after = after + usize::from(matches!(self.kw(after), Kw::Of | Kw::In | Kw::Under));
        let after = after + usize::from(self.kw(after) == Kw::The);
        let named = self.name_at(after).is_some();
        let letter = self.word(end).len() == 1 && self.t(end).capital;
        // `Article twenty-one guarantees`: two words at least, and no things counted behind them.
        let long = found.last().is_some_and(|(from, to, _)| to - from > 1)
            && !self.measured(end, !capital, !capital);
        if two || small && !named || !(named || letter || long || self.closes(end)) {
            found.truncate(first);
        }
        end
    }

    fn spelt(&self, k: usize) -> Option<Spelt> {
        if !matches!(self.t(k).t, T::Word(_)) {
            return None;
        }
        if !self.word(k).is_ascii() {
            return self.spelt_hindi(k);
        }
        let (mut value, mut j) =
            if self.word(k).eq_ignore_ascii_case("a") { (1, k + 1) } else { self.small(k)? };
        let mut and = false;
        if self.word(j).eq_ignore_ascii_case("hundred") && value < 10 {
            value *= 100;
            j += 1;
            let joined = self.kw(j) == Kw::And;
            if let Some((rest, next)) = self.small(j + usize::from(joined)) {
                // `three hundred and four hundred`
                let other = self.word(next).eq_ignore_ascii_case("hundred");
                if !(joined && other) {
                    value += rest;
                    j = next;
                    and = joined;
                }
            }
        } else if self.word(k).eq_ignore_ascii_case("a") {
            return None;
        } else if value < 10
            && let Some((rest @ 20.., next)) = self.small(j + usize::from(self.is(j, '-')))
        {
            // `four twenty`
            value = value * 100 + rest;
            j = next;
        }
        let more = ["hundred", "thousand", "lakh", "lakhs", "crore", "million", "dozen"];
        let longer = more.iter().any(|w| self.word(j).eq_ignore_ascii_case(w)) || self.small(j).is_some();
        (!longer).then_some((value, j, and))
    }

    /// 1 to 99 in English.
    fn small(&self, k: usize) -> Option<(u32, usize)> {
        let of = |list: &[&str], k: usize| {
            let word = self.word(k);
            list.iter().position(|w| word.eq_ignore_ascii_case(w)).and_then(|n| u32::try_from(n).ok())
        };
        if let Some(n) = of(UNITS, k) {
            return Some((n + 1, k + 1));
        }
        let tens = (of(TENS, k)? + 2) * 10;
        let j = k + 1 + usize::from(self.is(k + 1, '-'));
        match of(UNITS, j) {
            Some(n @ 0..=8) => Some((tens + n + 1, j + 1)),
            _ => Some((tens, k + 1)),
        }
    }

    fn spelt_hindi(&self, k: usize) -> Option<Spelt> {
        let small = |k: usize| {
            let word = lex::fold_devanagari(self.word(k));
            let fits = |spelt: &str| lex::fold_devanagari(spelt) == word;
            let place = HINDI.iter().position(|all| all.split('|').any(fits))?;
            u32::try_from(place + 1).ok()
        };
        let first = small(k)?;
        if self.word(k + 1) != "सौ" {
            return Some((first, k + 1, false));
        }
        if first > 9 {
            return None;
        }
        Some(match small(k + 2) {
            Some(rest) => (first * 100 + rest, k + 3, false),
            None => (first * 100, k + 2, false),
        })
    }
}
