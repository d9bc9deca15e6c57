//! Heads and numbers: `Section`, `u/s`, `302`, `376-AB`, and what joins a list.

use crate::manifest::UnitName;

use super::super::lex::{Kw, T, full_width};
use super::{Head, Join, Num, Scanner};

impl Scanner<'_> {
    /// `Section`, `ss.`, `u/s`, `§` before a number: what it says, and the number's token.
    pub(super) fn head_at(&self, i: usize) -> Option<(Head, usize)> {
        let tok = self.t(i);
        let mut head = Head { kind: UnitName::Section, plural: false, weak: false, caps: tok.caps };
        let mut j = i + 1;
        match tok.t {
            T::Sign('§') => {
                if self.is(j, '§') {
                    head.plural = true;
                    j += 1;
                }
            }
            T::Word(_) => match self.kw(i) {
                Kw::Section { plural } => head.plural = plural,
                Kw::Article { plural } => {
                    head.plural = plural;
                    head.kind = UnitName::Article;
                }
                Kw::SectionAbbr => {
                    // `the accused's 3 friends`; `S. No. 3`: a serial number.
                    if (i > 0 && self.is(i - 1, '\'')) || self.kw(j + usize::from(self.is(j, '.'))) == Kw::No
                    {
                        return None;
                    }
                    head.plural = self.word(i).len() > 1;
                    head.weak = !self.is(j, '.');
                    head.caps = false;
                }
                // `u/s`, `U/s.`, `u/sec.`
                _ if self.word(i).eq_ignore_ascii_case("u")
                    && self.is(j, '/')
                    && matches!(self.kw(j + 1), Kw::Section { .. } | Kw::SectionAbbr) =>
                {
                    head.plural = true;
                    head.caps = false;
                    j += 2;
                }
                _ if self.word(i).eq_ignore_ascii_case("us")
                    && self.num(j).is_some()
                    && self.t(i).start + 2 == self.t(i).end
                    && !self.t(i).capital =>
                {
                    head.weak = true;
                    head.plural = true;
                }
                _ => return None,
            },
            _ => return None,
        }
        // `Section(s)`
        if self.is(j, '(') && self.word(j + 1).eq_ignore_ascii_case("s") && self.is(j + 2, ')') {
            head.plural = true;
            j += 3;
        }
        for _ in 0..3 {
            if self.is(j, '.') || self.is(j, ':') || self.kw(j) == Kw::No {
                j += 1;
            }
        }
        if self.is(j, '-') && !head.weak {
            j += 1;
        }
        // `section1 376AB`: the mark of a footnote, glued to the word.
        if j == i + 1
            && !self.t(j).spaced
            && self.num(j).is_some_and(|(_, d)| d == 1)
            && self.num(j + 1).is_some()
            && self.t(j + 1).spaced
        {
            j += 1;
        }
        self.num(j)?;
        Some((head, j))
    }

    /// Letters of Devanagari that number sections: क is A; ए, बी, सी are the names of the English letters.
    pub(super) fn devanagari_letters(word: &str) -> Option<String> {
        const ROW: &[char] = &[
            'क', 'ख', 'ग', 'घ', 'ङ', 'च', 'छ', 'ज', 'झ', 'ञ', 'ट', 'ठ', 'ड', 'ढ', 'ण', 'त', 'थ', 'द', 'ध',
            'न', 'प', 'फ', 'ब', 'भ', 'म', 'य',
        ];
        // A name that begins with another stands before it.
        const SPELT: &[(&str, char)] = &[
            ("एफ", 'F'),
            ("एच", 'H'),
            ("एल", 'L'),
            ("एम", 'M'),
            ("एन", 'N'),
            ("एस", 'S'),
            ("एक्स", 'X'),
            ("ए", 'A'),
            ("बी", 'B'),
            ("सी", 'C'),
            ("डी", 'D'),
            ("ई", 'E'),
            ("जी", 'G'),
            ("आई", 'I'),
            ("आइ", 'I'),
            ("आर", 'R'),
            ("जेड", 'Z'),
            ("ज़ेड", 'Z'),
            ("जे", 'J'),
            ("के", 'K'),
            ("ओ", 'O'),
            ("पी", 'P'),
            ("क्यू", 'Q'),
            ("टी", 'T'),
            ("यू", 'U'),
            ("वी", 'V'),
            ("डब्ल्यू", 'W'),
            ("डब्लू", 'W'),
            ("वाई", 'Y'),
        ];
        let mut rest = word;
        let mut spelt = String::new();
        while spelt.len() < 3 && !rest.is_empty() {
            let found = SPELT.iter().find_map(|(name, letter)| rest.strip_prefix(name).map(|r| (*letter, r)));
            let Some((letter, after)) = found else { break };
            spelt.push(letter);
            rest = after;
        }
        if rest.is_empty() && !spelt.is_empty() {
            return Some(spelt);
        }
        if word.is_empty() || word.chars().count() > 2 {
            return None;
        }
        word.chars()
            .map(|c| {
                let place = ROW.iter().position(|r| *r == c)?;
                u8::try_from(place).ok().map(|p| (b'A' + p) as char)
            })
            .collect()
    }

    /// Letters of Devanagari at a token, where it is no word of the grammar (तक is `up to`).
    ///
    /// `loose`: a space stands before, where two letters are rather a word: only such as `कख` are taken.
    fn hindi_letters(&self, i: usize, loose: bool) -> Option<String> {
        if self.word(i).is_ascii() || self.kw(i) != Kw::None {
            return None;
        }
        let letters = Self::devanagari_letters(self.word(i))?;
        let likely = letters.len() == 1 || (letters.len() == 2 && letters.bytes().all(|b| b < b'F'));
        (!loose || likely).then_some(letters)
    }

    /// Whether what stands at `i` can follow a number that is finished.
    pub(super) fn closes(&self, i: usize) -> bool {
        match self.t(i).t {
            T::End => true,
            T::Sign(c) => !matches!(c, '\''),
            T::Word(_) => {
                matches!(
                    self.kw(i),
                    Kw::Of
                        | Kw::And
                        | Kw::Or
                        | Kw::Read
                        | Kw::Rw
                        | Kw::Under
                        | Kw::In
                        | Kw::To
                        | Kw::After
                        | Kw::As
                        | Kw::Along
                ) || self.read_with(i).is_some()
                    || self.name_at(i).is_some()
            }
            T::Num(..) => false,
        }
    }

    /// The word at a token, with full-width letters as those of ASCII.
    fn narrow(&self, i: usize) -> std::borrow::Cow<'_, str> {
        let word = self.word(i);
        if word.is_ascii() || !word.chars().all(|c| full_width(c).is_some()) {
            return word.into();
        }
        word.chars().filter_map(full_width).map(char::from).collect::<String>().into()
    }

    /// Whether a hyphen at a line end may part the number at `j` from more of it: `30-` and `2` on the next line. `next` is the
    /// token after the number; gives the token after the rest.
    pub(super) fn parted_number(&self, j: usize, next: usize) -> Option<usize> {
        let line = self
            .text
            .get(self.t(next).end as usize..self.t(next + 1).start as usize)
            .is_some_and(|s| s.contains('\n'));
        if !self.is(next, '-') {
            return None;
        }
        if !line {
            // `304- A`: the letter of the number, or the next thing.
            let word = self.word(next + 1);
            let letters = (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase());
            let initial = self.is(next + 2, '.') && matches!(self.t(next + 3).t, T::Word(_));
            let doubt = letters
                && self.t(next + 1).spaced
                && self.kw(next + 1) == Kw::None
                && self.name_at(next + 1).is_none()
                && self.closes(next + 2)
                && !initial;
            return doubt.then_some(next + 2);
        }
        let rest = match self.t(next + 1).t {
            // `299-` and `304` are a range: no act has a section of so many figures.
            T::Num(value, digits) => {
                let zero = digits > 1 && value < 10u32.pow(u32::from(digits.min(6)) - 1);
                zero || self.num(j).is_some_and(|(_, before)| before + digits <= 3)
            }
            T::Word(_) => {
                let word = self.word(next + 1);
                (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase())
            }
            // `161-` and `(3)`
            T::Sign('(') => return self.bracketed(next + 1).map(|(_, after)| after),
            _ => false,
        };
        rest.then_some(next + 2)
    }

    pub(super) fn number_at(&self, j: usize) -> Option<(Num, usize)> {
        let (base, digits) = self.num(j)?;
        // No section is numbered 00302.
        let zero = digits > 1 && base < 10u32.pow(u32::from(digits.min(6)) - 1);
        if base == 0 || digits > 5 || zero {
            return None;
        }
        // A decimal: 3.5. But `302.34`, as some write a list, is none either.
        if self.is(j + 1, '.') && !self.t(j + 1).spaced && self.num(j + 2).is_some() && !self.t(j + 2).spaced
        {
            return None;
        }
        let roman = self.t(j).caps;
        let mut num = Num { base, letters: String::new(), join: Join::Close, dash: None, roman };
        // `Articles I-IV` is a range; letters behind a Roman numeral are none of its.
        if roman {
            return Some((num, j + 1));
        }
        let n = j + 1;
        let next = self.t(n);
        if let T::Word(_) = next.t {
            let word = &*self.narrow(n);
            let named = self.name_at(n).is_some();
            let rw = self.read_with(n).is_some();
            if !next.spaced && !named && !rw {
                if word.is_ascii() && word.len() <= 3 {
                    let lower = word.to_ascii_lowercase();
                    if matches!(lower.as_str(), "st" | "nd" | "rd" | "th") && !next.caps {
                        return None;
                    }
                    let upper = word.bytes().all(|b| b.is_ascii_uppercase());
                    let small = word.len() <= 2 && word.bytes().all(|b| b.is_ascii_lowercase());
                    let plain = matches!(self.kw(n), Kw::None | Kw::SectionAbbr);
                    if (upper || small) && (plain || (upper && word.len() == 1)) {
                        num.letters = word.to_ascii_uppercase();
                        return Some((num, n + 1));
                    }
                } else if let Some(letters) = self.hindi_letters(n, false) {
                    num.letters = letters;
                    return Some((num, n + 1));
                }
                // `3rdly`, `12months`: no section.
                if word.is_ascii() && self.kw(n) == Kw::None {
                    return None;
                }
            } else if next.spaced && !named && !rw && self.closes(n + 1) {
                // `13 G. Act`: the letter is of a title.
                let initial = self.is(n + 1, '.')
                    && (matches!(self.kw(n + 2), Kw::Act(_))
                        || (self.is(n + 3, '.') && self.word(n + 2).len() == 1));
                // `376 D-A`: one letter, a dash, an earlier letter, and no more; `376 A-C` is a range.
                let single = |i: usize| {
                    self.word(i).len() == 1 && self.word(i).bytes().all(|b| b.is_ascii_uppercase())
                };
                if single(n)
                    && self.is(n + 1, '-')
                    && !self.t(n + 1).spaced
                    && single(n + 2)
                    && !self.t(n + 2).spaced
                    && self.word(n + 2) < word
                    && self.closes(n + 3)
                {
                    num.letters = format!("{word}{}", self.word(n + 2));
                    num.join = Join::Space;
                    return Some((num, n + 3));
                }
                let upper = !initial
                    && word.len() <= 2
                    && !word.is_empty()
                    && word.bytes().all(|b| b.is_ascii_uppercase());
                if upper && (matches!(self.kw(n), Kw::None | Kw::SectionAbbr)) {
                    num.letters = word.to_owned();
                    num.join = Join::Space;
                    return Some((num, n + 1));
                }
                if let Some(letters) = self.hindi_letters(n, true) {
                    num.letters = letters;
                    num.join = Join::Space;
                    return Some((num, n + 1));
                }
            }
        }
        if self.is(n, '-') && !self.t(n + 1).spaced {
            let after = self.t(n + 1);
            match after.t {
                T::Word(_) if self.name_at(n + 1).is_none() => {
                    let word = &*self.narrow(n + 1);
                    let letters = if word.is_ascii() && word.len() <= 3 {
                        let upper = word.bytes().all(|b| b.is_ascii_uppercase());
                        (upper || (word.len() == 1 && self.kw(n + 1) == Kw::None))
                            .then(|| word.to_ascii_uppercase())
                    } else {
                        self.hindi_letters(n + 1, false)
                    };
                    if let Some(letters) = letters {
                        num.letters = letters;
                        num.join = Join::Dash;
                        return Some((num, n + 2));
                    }
                }
                T::Num(to, digits) if digits <= 5 && to > 0 && !self.t(n).spaced => {
                    let mut end = n + 2;
                    let mut letters = String::new();
                    let word = self.word(end);
                    if !self.t(end).spaced
                        && (1..=3).contains(&word.len())
                        && word.bytes().all(|b| b.is_ascii_uppercase())
                        && self.name_at(end).is_none()
                    {
                        letters = word.to_owned();
                        end += 1;
                    }
                    num.dash = Some((to, letters));
                    return Some((num, end));
                }
                _ => {}
            }
        }
        Some((num, n))
    }

    /// `r/w`, `read with`, `r.w.`, `read together with`: the token after it.
    pub(super) fn read_with(&self, i: usize) -> Option<usize> {
        let dot = |j: usize| j + usize::from(self.is(j, '.'));
        match self.kw(i) {
            Kw::Rw => return Some(dot(i + 1)),
            Kw::Read => {
                let mut j = i + 1;
                if self.word(j).eq_ignore_ascii_case("together") || self.word(j).eq_ignore_ascii_case("along")
                {
                    j += 1;
                }
                return (self.kw(j) == Kw::With).then_some(j + 1);
            }
            _ => {}
        }
        // `सह पठित`
        if self.word(i) == "सह" && self.word(i + 1) == "पठित" {
            return Some(i + 2);
        }
        let r = self.word(i).eq_ignore_ascii_case("r");
        let w = |j: usize| self.word(j).eq_ignore_ascii_case("w");
        if r && (self.is(i + 1, '/') || self.is(i + 1, '.')) && w(i + 2) {
            return Some(dot(i + 3));
        }
        None
    }

    /// One separator of a list: the token after it, and whether it is a strong link.
    pub(super) fn separator(&self, i: usize) -> Option<(usize, bool)> {
        match self.t(i).t {
            T::Sign(',' | ';') => Some((i + 1, false)),
            T::Sign('/' | '&' | '+') => Some((i + 1, true)),
            T::Word(_) => {
                if let Some(next) = self.read_with(i) {
                    return Some((next, true));
                }
                if let Some(next) = self.joining_words(i) {
                    return Some((next, true));
                }
                match self.kw(i) {
                    Kw::And | Kw::Or => {
                        let mut j = i + 1;
                        if self.is(j, '/') && matches!(self.kw(j + 1), Kw::Or | Kw::And) {
                            j += 2;
                        }
                        Some((j, true))
                    }
                    Kw::As if self.kw(i + 1) == Kw::Well && self.kw(i + 2) == Kw::As => Some((i + 3, true)),
                    Kw::Along if self.kw(i + 1) == Kw::With => Some((i + 2, true)),
                    Kw::With => Some((i + 1, true)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `alternatively`, `in conjunction with`: the token after.
    fn joining_words(&self, i: usize) -> Option<usize> {
        const PHRASES: &[&[&str]] = &[
            &["alternatively"],
            &["in", "the", "alternative"],
            &["in", "alternative"],
            &["in", "conjunction", "with"],
            &["in", "combination", "with"],
            &["in", "addition", "to"],
            &["coupled", "with"],
            &["together", "with"],
            &["clubbed", "with"],
            &["taken", "with"],
        ];
        if !matches!(self.kw(i), Kw::None | Kw::In) {
            return None;
        }
        PHRASES.iter().find_map(|words| {
            let all = words.iter().enumerate().all(|(n, w)| self.word(i + n).eq_ignore_ascii_case(w));
            all.then_some(i + words.len())
        })
    }

    /// All separators from `i` on, with fillers such as "also under".
    pub(super) fn separators(&self, i: usize) -> Option<(usize, bool)> {
        let (mut j, mut strong) = self.separator(i)?;
        for _ in 0..3 {
            if let Some((next, s)) = self.separator(j) {
                strong |= s;
                j = next;
            } else if matches!(self.kw(j), Kw::Also | Kw::Under | Kw::The | Kw::Of) {
                j += 1;
            } else {
                break;
            }
        }
        Some((j, strong))
    }
}
