//! Names of acts: those of the catalogue, and titles of others.

use super::super::lex::{Class, Kw, T};
use super::super::numerals::parse_roman;
use super::{Act, LONGEST_GLOSS, LONGEST_TITLE, Scanner};
use crate::manifest::UnitName;

impl Scanner<'_> {
    /// A name of the catalogue at `i`: whose it is, and the token after it.
    pub(super) fn name_at(&self, i: usize) -> Option<(Act, usize)> {
        let T::Word(first) = self.t(i).t else { return None };
        let mut node = self.lexicon.step(0, first)?;
        let mut best = self.lexicon.named(node).map(|n| (n, node, i + 1));
        let mut j = i + 1;
        let mut dotted = false;
        // `भा0द0सं0`, `भा०द०सं०`: a nought for a full stop.
        let nought = |k: usize| {
            matches!(self.t(k).t, T::Num(0, 1))
                && !self.t(k).spaced
                && !self.word(k.wrapping_sub(1)).is_ascii()
        };
        loop {
            let mut k = j;
            let dot = self.is(k, '.') || nought(k);
            // Brackets may stand inside a title: `Unlawful Activities (Prevention) Act`.
            if dot || ['\'', '(', ')'].iter().any(|c| self.is(k, *c)) {
                k += 1;
            }
            let T::Word(id) = self.t(k).t else { break };
            let Some(next) = self.lexicon.step(node, id) else { break };
            node = next;
            dotted |= dot;
            j = k + 1;
            if let Some(named) = self.lexicon.named(node) {
                best = Some((named, node, j));
            }
        }
        let ((work, open, local), node, mut end) = best?;
        let Some(work) = self.of_twins(work, node, end) else {
            return Some((Act::Unclear, self.with_year(end)));
        };
        let here = self.lexicon.work(work)?;
        if local && self.context.jurisdiction.as_deref() != Some(here.id.jurisdiction()) {
            return None;
        }
        // The full stop is the name's where the name has others.
        if (self.is(end, '.') || nought(end)) && dotted && !self.t(end).spaced {
            end += 1;
        }
        let place = ["bench", "club", "day", "house", "hall", "assembly", "avenue"];
        if place.iter().any(|w| self.word(end).eq_ignore_ascii_case(w)) && open {
            return None;
        }
        if self.of_another_country(i) || open && !self.home_before(i, here.id.jurisdiction()) {
            return Some((Act::Other, self.with_year(end)));
        }
        if open && here.unit == UnitName::Article && self.of_a_body(i, end) {
            return Some((Act::Other, end));
        }
        if open && (self.foreign_behind(end) || self.foreign_in_sentence(i)) {
            return Some((Act::Unclear, self.with_year(end)));
        }
        let (mut act, mut end) = (Act::Known(work), end);
        // `IPC Act`; but `Code of Criminal Procedure (Amendment) Act`, `Constitution Order`, `Penal Code Bill`.
        let mut k = end;
        if self.is(k, '(') {
            let mut close = k + 1;
            while close < k + 10 && !self.is(close, ')') && self.t(close).t != T::End {
                close += 1;
            }
            if self.is(close, ')') && self.t(close + 1).capital && self.instrument(close + 1) {
                return Some((Act::Other, self.with_year(close + 2)));
            }
            // `Penal Code (Singapore)`; `Cr.P.C. (Act V of 1898)`.
            let one = close == k + 2 && matches!(self.t(k + 1).t, T::Word(_));
            if open && one && self.t(k + 1).capital && !self.t(k + 1).caps && self.kw(k + 1) == Kw::None {
                let home =
                    self.is_home_word(k + 1, here.id.jurisdiction()) || self.name_at_word(k + 1).is_some();
                return Some((if home { Act::Known(work) } else { Act::Other }, close + 1));
            }
        }
        // `(Act V of 1898)`, `(2 of 1974)`
        if let Some((number, after)) = self.law_number(end) {
            return Some((if number.is_of(here) { Act::Known(work) } else { Act::Other }, after));
        }
        if self.word(k).eq_ignore_ascii_case("amendment") {
            let end = if self.instrument(k + 1) { k + 2 } else { k + 1 };
            return Some((Act::Other, self.with_year(end)));
        }
        // `IPC Foundation Rules`, `Cr.P.C. Pakistan`
        if let Some(end) = self.longer_title(k) {
            return Some((Act::Other, end));
        }
        let country = k + usize::from(self.is(k, ',') || self.is(k, '('));
        // `Penal Code, Cap. 63, Laws of Kenya`: a chapter of the laws of a colony.
        let chapter = self.word(country).eq_ignore_ascii_case("cap")
            && self.num(country + 1 + usize::from(self.is(country + 1, '.'))).is_some();
        if chapter || self.word(country).eq_ignore_ascii_case("laws") && self.is_of(country + 1) {
            return Some((Act::Other, country + 1));
        }
        if self.is_foreign_country(country) {
            return Some((Act::Other, country + 1 + usize::from(self.is(country + 1, ')'))));
        }
        if self.t(k).capital && self.instrument(k) && self.name_at_word(k).is_none() {
            if matches!(self.kw(k), Kw::Act(Class::Act | Class::Code | Class::Law | Class::Sanhita)) {
                end = k + 1;
            } else {
                return Some((Act::Other, self.with_year(k + 1)));
            }
        }
        // A country after an open name: `Penal Code of Malaysia`.
        k = end;
        if self.is_of(k) {
            let m = k + 1 + usize::from(self.kw(k + 1) == Kw::The);
            // Where all is in lower case, capitals say nothing.
            let named = self.t(m).capital || (open && !self.t(i).capital);
            if named && self.kw(m) == Kw::None && matches!(self.t(m).t, T::Word(_)) {
                if !self.is_home_word(m, here.id.jurisdiction()) {
                    return Some((Act::Other, m + 1));
                }
                end = m + 1;
            }
        }
        // A year says which act of that name it is.
        k = end;
        if self.is(k, ',') || self.is(k, '(') || self.is_of(k) {
            k += 1;
        }
        if let Some((year, 4)) = self.num(k).filter(|(y, _)| (1700..2100).contains(y)) {
            let attached = k == end || !self.is_of(end) || k == end + 1;
            let not_a_case = self.report_at(k).is_none() && (k == end || self.report_at(end).is_none());
            if attached && not_a_case {
                let year = i16::try_from(year).unwrap_or(0);
                if here.years.contains(&year) {
                    end = k + 1 + usize::from(self.is(end, '(') && self.is(k + 1, ')'));
                } else {
                    act = Act::Other;
                    end = k + 1;
                }
            }
        }
        // `1973 (Act 2 of 1974)`
        if let Some((number, after)) = self.law_number(end) {
            if !number.is_of(here) {
                act = Act::Other;
            }
            end = after;
        } else if self.of_an_earlier_year(end, here) || self.called_old(i) {
            act = Act::Other;
        }
        // A year before it: `the 1898 Code of Criminal Procedure`, `1979年刑法`.
        if let Some((year, 4)) =
            i.checked_sub(1).and_then(|p| self.num(p)).filter(|(y, _)| (1700..2100).contains(y))
        {
            let year = i16::try_from(year).unwrap_or(0);
            let titled = i.checked_sub(2).is_some_and(|p| matches!(self.kw(p), Kw::The | Kw::Of | Kw::In));
            if titled && !here.years.contains(&year) && year < here.since && self.t(i).spaced {
                act = Act::Other;
            }
        }
        Some((act, end))
    }

    /// Which of the works that share a name is meant: the one whose year or number stands behind it at `end`, else the
    /// text's own. Nothing where more than one may be.
    fn of_twins(&self, work: usize, node: u32, end: usize) -> Option<usize> {
        let twins = self.lexicon.twins(node);
        if twins.is_empty() {
            return Some(work);
        }
        let all = || std::iter::once(work).chain(twins.iter().copied());
        let k = end + usize::from(self.is(end, ',') || self.is(end, '(') || self.is_of(end));
        let year = self.num(k).filter(|_| self.year_like(k)).and_then(|(y, _)| i16::try_from(y).ok());
        let number = self.law_number(end).map(|(n, _)| n);
        let said: Vec<usize> = all()
            .filter(|w| {
                self.lexicon.work(*w).is_some_and(|w| {
                    year.is_some_and(|y| w.years.contains(&y)) || number.is_some_and(|n| n.is_of(w))
                })
            })
            .collect();
        match said.as_slice() {
            [one] => Some(*one),
            // Of a year that none has: another act, as for a name that one alone has.
            [] if year.is_some() || number.is_some() => Some(work),
            [] => self.lexicon.at_home(all(), self.context),
            several => self.lexicon.at_home(several.iter().copied(), self.context),
        }
    }

    /// A year behind a title at `end`: the token after it, else `end`.
    fn with_year(&self, end: usize) -> usize {
        let k = end + usize::from(self.is(end, ',') || self.is_of(end));
        if self.year_like(k) && self.report_at(k).is_none() { k + 1 } else { end }
    }

    /// Capitalised words and the last word of a title behind a name: `Foundation Rules`. The token after.
    fn longer_title(&self, k: usize) -> Option<usize> {
        let mut m = k;
        while m < k + 4
            && self.t(m).capital
            && self.word(m).is_ascii()
            && self.word(m).len() > 1
            && matches!(self.kw(m), Kw::None | Kw::Label | Kw::NotALaw)
            && self.name_at_word(m).is_none()
        {
            m += 1;
        }
        (m > k && self.t(m).capital && self.instrument(m)).then(|| self.with_year(m + 1))
    }

    pub(super) fn name_at_word(&self, i: usize) -> Option<u32> {
        let T::Word(first) = self.t(i).t else { return None };
        self.lexicon.step(0, first)
    }

    /// Whether the word is the last of a title: Act, Rules, Order.
    pub(super) fn instrument(&self, i: usize) -> bool {
        matches!(self.kw(i), Kw::Act(_))
            || ["order", "rule"].iter().any(|w| self.word(i).eq_ignore_ascii_case(w))
    }

    pub(super) fn is_home_word(&self, i: usize, jurisdiction: &str) -> bool {
        let words: &[&str] = match jurisdiction {
            "in" => &["india", "indian", "bharat", "भारत", "भारतीय", "bharatiya", "bhartiya"],
            "cn" => &["china", "chinese", "prc", "people", "peoples"],
            _ => &[],
        };
        words.iter().any(|w| self.word(i).eq_ignore_ascii_case(w))
    }

    /// Whether nothing before an open name (`Penal Code`) makes it another state's.
    pub(super) fn home_before(&self, i: usize, jurisdiction: &str) -> bool {
        let Some(p) = i.checked_sub(1) else { return true };
        if !matches!(self.t(p).t, T::Word(_)) || !self.t(i).spaced {
            // `U.S. Constitution`, `J&K Constitution`.
            if self.is(p, '.') && self.t(i).spaced && p > 0 && self.t(p - 1).capital {
                let w = self.word(p - 1);
                // `Cal. Penal Code`
                if (2..=4).contains(&w.len()) && !self.t(p - 1).caps && self.kw(p - 1) == Kw::None {
                    return false;
                }
                return w.len() > 1 || w.eq_ignore_ascii_case("s") && !self.is(p.saturating_sub(2), '.');
            }
            return true;
        }
        if self.is(p.wrapping_sub(1), '\'') && self.word(p).eq_ignore_ascii_case("s") {
            let owner = p.wrapping_sub(2);
            return !self.t(owner).capital || self.is_home_word(owner, jurisdiction);
        }
        if self.is_home_word(p, jurisdiction) {
            return true;
        }
        // In a text of capitals only, a capital says nothing; the name itself then has none to set it apart.
        let word = self.word(p);
        // `बांग्लादेश के संविधान`, `pakistan ke samvidhan`: the owner stands before the particle.
        if self.kw(p) == Kw::Of && !self.is_of(p) {
            let Some(owner) = p.checked_sub(1) else { return true };
            let other = matches!(self.t(owner).t, T::Word(_))
                && self.kw(owner) == Kw::None
                && !self.is_home_word(owner, jurisdiction);
            return !other;
        }
        if !word.is_ascii() {
            // Devanagari has no capitals: a place name before दंड संहिता is not told from a verb; the full
            // names of the catalogue start with भारतीय and are not open.
            return matches!(
                self.kw(p),
                Kw::Of | Kw::Said | Kw::And | Kw::Section { .. } | Kw::Article { .. } | Kw::In
            );
        }
        !(self.t(p).capital && self.kw(p) == Kw::None)
    }

    /// An act's last word that no name of the catalogue claimed: `Arms Act`, `the Act`.
    pub(super) fn unknown_act_word(&mut self, i: usize, class: Class) {
        let before = i.checked_sub(1).map(|p| (self.t(p), self.kw(p)));
        let titled = before.is_some_and(|(t, kw)| {
            (matches!(t.t, T::Word(_))
                && t.capital
                && !matches!(kw, Kw::The | Kw::This | Kw::That | Kw::Said | Kw::Of | Kw::Under))
                || t.t == T::Sign(')')
        });
        if titled && self.t(i).capital {
            self.remember(Act::Other, Some(class));
            self.named = Some((Act::Other, i + 1));
        }
    }

    /// The act that follows a provision at `j`, and the token after it.
    ///
    /// `near`: only what stands directly behind, or behind `of`.
    pub(super) fn act_after(
        &self,
        j: usize,
        head_caps: bool,
        near: bool,
    ) -> Option<(Act, usize, Option<Class>)> {
        let mut k = j;
        // `304 तक` is up to 304.
        if ["तक", "tak"].iter().any(|w| self.word(k).eq_ignore_ascii_case(w)) {
            k += 1;
        }
        let j = k;
        if let Some(k) = self.hindi_filler(k)
            && let Some((act @ Act::Known(_), end)) = self.name_at(k)
        {
            // `धारा 25 के तहत भारतीय दंड संहिता की धारा 302`: the name is the next provision's.
            let next = end + usize::from(self.is(end, ',') || self.kw(end) == Kw::Of && !self.is_of(end));
            if self.head_at(next).is_none() {
                return Some((act, end, None));
            }
            return None;
        }
        if self.is(k, '(') || self.is(k, '[') {
            if let Some((act, end)) = self.name_at(k + 1)
                && (self.is(end, ')') || self.is(end, ']'))
            {
                return Some((act, end + 1, None));
            }
            // A gloss: `Section 302 (murder) of the IPC`.
            let mut close = k + 1;
            while close < k + LONGEST_GLOSS
                && matches!(
                    self.t(close).t,
                    T::Word(_) | T::Num(..) | T::Sign('\'' | '-' | ',' | ';' | '.' | '"')
                )
            {
                close += 1;
            }
            if !self.is(close, ')') || close == k + 1 {
                return None;
            }
            k = close + 1;
        }
        if self.kw(k) == Kw::Thereof && k == j {
            let act = self.acts.last().map_or(Act::Lost, |(_, a)| *a);
            return Some((act, k + 1, None));
        }
        let mut comma = false;
        if self.is(k, ',') {
            comma = true;
            k += 1;
        }
        if near && comma {
            return None;
        }
        // `323 and 324, all of the IPC`; `Section-302-IPC`.
        if ["all", "both", "each"].iter().any(|w| self.word(k).eq_ignore_ascii_case(w)) && self.is_of(k + 1) {
            k += if self.word(k + 2).eq_ignore_ascii_case("them") { 3 } else { 1 };
        } else if !comma && self.is(k, '-') && self.name_at(k + 1).is_some() {
            k += 1;
        }
        let mut linked = false;
        let mut of = false;
        if matches!(self.kw(k), Kw::Of | Kw::Under | Kw::In) {
            linked = true;
            of = self.is_of(k);
            k += 1;
        }
        let mut said = None;
        let mut saying = None;
        let mut the = false;
        for _ in 0..4 {
            match self.kw(k) {
                Kw::The => the = true,
                Kw::Our => {}
                kw @ (Kw::Said | Kw::That) => {
                    said = Some(kw);
                    saying = Some(self.word(k));
                }
                Kw::This => said = Some(Kw::This),
                _ if ["india", "china"].iter().any(|w| self.word(k).eq_ignore_ascii_case(w))
                    && self.is(k + 1, '\'') =>
                {
                    k += 2;
                }
                _ => break,
            }
            k += 1;
        }
        if said.is_none()
            && let Some((act, end)) = self.name_at(k)
        {
            return Some((act, end, None));
        }
        if let Kw::Act(class) = self.kw(k) {
            match said {
                Some(Kw::This) => return Some((self.this_act(), k + 1, Some(class))),
                // A code is not "the said Act": only an act of that kind is meant.
                Some(_) => return Some((self.recall(class, saying), k + 1, Some(class))),
                None if the && linked => return Some((self.recall(class, None), k + 1, Some(class))),
                None => {}
            }
        }
        if said.is_some() {
            // "of the said Indian Penal Code", "of that year".
            if let Some((act, end)) = self.name_at(k) {
                return Some((act, end, None));
            }
        }
        if let Some((end, class)) = self.title_at(k, of) {
            return Some((Act::Other, end, Some(class)));
        }
        let tok = self.t(k);
        // `StGB`, `PoCSO`: two capitals at least.
        let capitals = self.word(k).bytes().filter(u8::is_ascii_uppercase).count();
        let abbreviation = (tok.caps || (tok.capital && capitals > 1))
            && !head_caps
            && !comma
            && self.kw(k) == Kw::None
            && (2..=7).contains(&self.word(k).len())
            && parse_roman(self.word(k)).is_none();
        if abbreviation {
            return Some((Act::Other, k + 1, None));
        }
        // "of the agreement", "of Schedule I": of something that is none of ours, and no act.
        if of { Some((Act::Other, j, None)) } else { None }
    }

    /// `के तहत`, `का अपराध` between a provision and its act: the token after it.
    fn hindi_filler(&self, j: usize) -> Option<usize> {
        const FILLERS: &[&str] = &[
            "तहत",
            "अंतर्गत",
            "अन्तर्गत",
            "अधीन",
            "अपराध",
            "दंडनीय",
            "दण्डनीय",
            "अनुसार",
            "आरोप",
            "tahat",
            "antargat",
            "apradh",
            "adhin",
        ];
        let filler = |k: usize| FILLERS.iter().any(|w| self.word(k).eq_ignore_ascii_case(w));
        let mut k = j;
        if self.kw(k) == Kw::Of && !self.is_of(k) {
            k += 1;
        }
        let first = k;
        while k < first + 2 && filler(k) {
            k += 1;
        }
        if k == first {
            return None;
        }
        Some(k + usize::from(self.kw(k) == Kw::Of && !self.is_of(k)))
    }

    /// The title of an act that the catalogue does not have.
    pub(super) fn title_at(&self, from: usize, lower: bool) -> Option<(usize, Class)> {
        let starts = self.t(from);
        if !matches!(starts.t, T::Word(_)) || !(starts.capital || lower) {
            return None;
        }
        // `302 तथा शस्त्र अधिनियम`: a title does not start with what joins two of them.
        if matches!(
            self.kw(from),
            Kw::And | Kw::Or | Kw::After | Kw::In | Kw::To | Kw::Rw | Kw::With | Kw::Read | Kw::Also
        ) {
            return None;
        }
        let script = self.word(from).is_ascii();
        let limit = if script { LONGEST_TITLE } else { 6 };
        let mut plain = 0;
        for k in from..from + limit {
            let tok = self.t(k);
            match tok.t {
                T::Word(_) => match self.kw(k) {
                    Kw::Act(class) if k > from && (tok.capital || lower) => {
                        // `the old Code of Criminal Procedure`: the name goes on.
                        if let Some((_, end)) = self.name_at(k) {
                            return Some((end, class));
                        }
                        // `Criminal Law (Amendment) Act`
                        let mut end = k + 1;
                        if self.is(end, '(') && self.t(end + 1).capital {
                            let close = (end + 1..end + 10).find(|n| self.is(*n, ')'));
                            let last =
                                close.map(|c| c + 1).filter(|n| self.t(*n).capital && self.instrument(*n));
                            end = last.map_or(end, |n| n + 1);
                        }
                        return Some((self.with_year(end), class));
                    }
                    Kw::Section { .. } | Kw::Article { .. } | Kw::After => return None,
                    Kw::Of | Kw::The | Kw::And | Kw::To | Kw::In | Kw::With => {}
                    _ if tok.capital || self.word(k).eq_ignore_ascii_case("for") => {}
                    // `Income-tax Act`
                    _ if k > from && !tok.spaced && self.is(k - 1, '-') => {}
                    _ if lower && plain < 4 => plain += 1,
                    _ => return None,
                },
                T::Sign('(' | ')' | '&' | '-' | '/' | '\'') => {}
                T::Sign('.') if k > from && self.word(k - 1).len() <= 4 => {}
                T::Sign(',') if self.t(k + 1).capital => {}
                _ => return None,
            }
        }
        None
    }
}
