//! Acts that the catalogue does not have, named before a provision: `Gangsters Act, section 3 and section 302 IPC`. The act
//! behind such a list is not the first number's.

use super::super::lex::{Class, Kw, T};
use super::super::numerals::parse_roman;
use super::{Act, Item, Pin, Scanner};
use crate::citation::Extracted;
use crate::manifest::UnitName;

/// Statutes that Hindi calls by a name alone, as they are often spelt.
const NAMES: &[&str] = &[
    "पाक्सो",
    "पास्को",
    "पॉस्को",
    "पोस्को",
    "पोक्सो",
    "पॉक्सो",
    "गैंगस्टर",
    "गुंडा",
    "गुण्डा",
    "मकोका",
    "टाडा",
    "पोटा",
    "यूएपीए",
    "एनडीपीएस",
    "pocso",
    "posco",
    "pasco",
    "gangster",
    "gangsters",
];

/// Abbreviations in capitals that stand before a section and are no statutes.
const NO_ACTS: &[&str] = &[
    "CBI", "CID", "NIA", "ATS", "SIT", "STF", "SHO", "IO", "SP", "DGP", "SC", "HC", "CJI", "CJM", "JMFC",
    "ACJM", "PW", "PWS", "DW", "PS", "UP", "MP", "AP", "HP", "TN", "UK", "NCT", "USA", "DB", "FB", "AND",
    "OR", "BY", "IN", "THE", "OF", "UNDER", "VIDE", "FOR", "WITH", "THAT", "ACCUSED", "FIR", "NOTE", "LAW",
];

/// Words between an act and its provision.
const BETWEEN: &[&str] = &[
    "amended",
    "namely",
    "viz",
    "especially",
    "particularly",
    "specifically",
    "including",
    "being",
    "inserted",
];

/// Most tokens between an act and its provision.
const REACH: usize = 12;

impl Scanner<'_> {
    /// Whether an act that no name of the catalogue has stands directly before the list that starts at `first`.
    pub(super) fn foreign_act_before(&self, first: usize) -> bool {
        let mut p = first;
        let mut dash = false;
        let mut linked = false;
        for _ in 0..REACH {
            let Some(q) = p.checked_sub(1) else { return false };
            p = q;
            let tok = self.t(p);
            match tok.t {
                T::Sign('-') => dash = true,
                T::Sign(',' | '\'' | '(' | ')' | '[' | ']' | ':' | ';' | '/') => {}
                T::Num(..) => {}
                // `Act No. 24 of 1989`
                T::Sign('.') if p > 0 && self.kw(p - 1) == Kw::No => {}
                T::Word(_) => {
                    // What an earlier citation took is behind its number, not before this one.
                    if p < self.read_to && !dash {
                        return false;
                    }
                    match self.kw(p) {
                        Kw::Act(class) => return self.foreign_title(p, class, linked),
                        Kw::Under | Kw::In => linked = true,
                        Kw::Of if !self.is_of(p) || self.num(p + 1).is_some() => {}
                        Kw::As | Kw::Says | Kw::No | Kw::Our => {}
                        Kw::SectionAbbr if self.is(p.wrapping_sub(1), '\'') => {}
                        Kw::After if ["तहत", "अंतर्गत", "अधीन", "tahat"].contains(&self.word(p)) =>
                            {}
                        Kw::None => {
                            let word = self.word(p);
                            if BETWEEN.iter().any(|n| word.eq_ignore_ascii_case(n)) {
                                continue;
                            }
                            if NAMES.iter().any(|n| word.eq_ignore_ascii_case(n)) {
                                return true;
                            }
                            // `S. 302, IPC — S. 313, CrPC`: a name of the catalogue is no other act.
                            if self.name_at(p).is_some() {
                                return false;
                            }
                            let capitals = word.bytes().filter(u8::is_ascii_uppercase).count();
                            return !linked
                                && capitals > 1
                                && capitals + 3 > word.len()
                                && (3..=9).contains(&word.len())
                                && (tok.spaced || p == 0)
                                && parse_roman(word).is_none()
                                && !self.t(first).caps
                                && !NO_ACTS.contains(&word);
                        }
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
        false
    }

    /// `M.V. Act 3/181`, `एक्ट की 25/27`: numbers behind an act that the catalogue does not have, without a word for a
    /// section. They are counted, and are nobody else's; the token after them.
    pub(super) fn foreign_numbers(
        &mut self,
        i: usize,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> Option<usize> {
        let mut p = i.checked_sub(1)?;
        let apart = matches!(self.t(p).t, T::Sign(',' | '-' | ':')) || self.kw(p) == Kw::Of && !self.is_of(p);
        if apart {
            p = p.checked_sub(1)?;
        }
        let Kw::Act(class @ (Class::Act | Class::Adhiniyam | Class::Code | Class::Sanhita)) = self.kw(p)
        else {
            return None;
        };
        let titled = self.t(p).capital && self.foreign_title(p, class, false);
        if !titled || p < self.read_to {
            return None;
        }
        let mut items: Vec<Item> = Vec::new();
        let mut j = i;
        let mut shaped = false;
        loop {
            let (num, next) = self.number_at(j).filter(|_| !self.year_like(j))?;
            let (start, first) = (self.t(j).start as usize, next);
            let mut next = next;
            let mut pins = Vec::new();
            while let Some((label, after)) = self.bracketed(next) {
                pins.push(Pin::Label(label));
                next = after;
            }
            shaped |= next > first || first > j + 1;
            let end = self.t(next - 1).end as usize;
            items.push(Item {
                start,
                end,
                kind: Some(UnitName::Section),
                num,
                pins,
                act: Some(Act::Other),
                until: None,
                unread: None,
                bare: false,
                loose: false,
                apart: false,
            });
            j = next;
            if !self.is(j, '/') || self.num(j + 1).is_none() || items.len() > 40 {
                break;
            }
            shaped = true;
            j += 1;
        }
        // `Act 5 of 1908`, `Arms Act 25 cases`, `Arms Act, 147/148 IPC`
        let law = (self.kw(j) == Kw::Of || self.is(j, '/')) && self.year_like(j + 1);
        let another = apart && self.act_after(j, false, false).is_some();
        let counts = self.measured(j, true, true) || self.counts_something(j, shaped);
        if law || another || counts || !shaped && (apart || !self.closes(j)) {
            return None;
        }
        self.read_to = j;
        self.finish(items, false, group, out);
        Some(j)
    }

    /// Whether the last word of a title at `p` is that of an act. `linked`: `under`, `in` stands between, where a word in
    /// lower case is rather a deed.
    fn foreign_title(&self, p: usize, class: Class, linked: bool) -> bool {
        let Some(b) = p.checked_sub(1) else { return false };
        let before = self.t(b);
        if self.t(p).capital || !self.word(p).is_ascii() {
            // `the Act, section 3 and section 302 IPC`: another than the one that is named.
            return self.act_named(p, class) == Some(Act::Other);
        }
        if linked {
            return false;
        }
        match class {
            Class::Law | Class::Other => {
                matches!(before.t, T::Word(_))
                    && before.capital
                    && self.kw(b) == Kw::None
                    && !self.is_home_word(b, "in")
            }
            _ => self.act_named(p, class) == Some(Act::Other),
        }
    }

    /// Whether the word before the signs and figures that stand before `first` is the last of a title: `Gangsters Act, 3 IPC`.
    pub(super) fn title_before(&self, first: usize) -> bool {
        (1..=4)
            .map_while(|n| first.checked_sub(n))
            .find(|p| matches!(self.t(*p).t, T::Word(_)))
            .is_some_and(|p| matches!(self.kw(p), Kw::Act(_)))
    }

    /// Whether the word is an abbreviation in capitals that ends as those of acts do: `MCOCA`, `FEMA`.
    pub(super) fn act_in_capitals(&self, p: usize) -> bool {
        let word = self.word(p);
        self.t(p).caps
            && self.kw(p) == Kw::None
            && (3..=9).contains(&word.len())
            && (word.ends_with('A') || word.ends_with("ACT"))
            && !["DNA", "USA", "INDIA", "MLA", "ANNA"].contains(&word)
            && !NO_ACTS.contains(&word)
            && self.name_at(p).is_none()
    }

    /// Whether a provision's head or its number follows the name of an act that ends at `end`, or a sign behind it.
    pub(super) fn opens_entry(&self, end: usize) -> bool {
        let n = end + usize::from(matches!(self.t(end).t, T::Sign(',' | '-' | ':')));
        let n = n + usize::from(self.kw(n) == Kw::Of && !self.is_of(n));
        self.head_at(n).is_some() || (n == end && self.num(n).is_some() && !self.year_like(n))
    }

    /// Gives a list with another act before it to that act, as far as it has no act: all but the items from `last` on,
    /// which have a word for a section of their own. Those stay open if there is such a word.
    pub(super) fn to_foreign(items: &mut [Item], last: usize) {
        let single = last == 0;
        let until = if single { items.len().saturating_sub(1) } else { last };
        let act = if single { Act::Unclear } else { Act::Other };
        for item in items.iter_mut().take(until).filter(|i| i.act.is_none()) {
            item.act = Some(act);
        }
    }
}
