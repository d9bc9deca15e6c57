//! Other countries, provinces and bodies whose code or constitution goes by the name of one of the catalogue.

use super::super::lex::{Kw, T};
use super::Scanner;

/// Countries and states that have a code of the same name as India's or China's.
const COUNTRIES: &[&str] = &[
    "pakistan",
    "bangladesh",
    "nepal",
    "bhutan",
    "ceylon",
    "myanmar",
    "burma",
    "malaysia",
    "singapore",
    "brunei",
    "nigeria",
    "kenya",
    "uganda",
    "tanzania",
    "zambia",
    "malawi",
    "sudan",
    "ghana",
    "gambia",
    "canada",
    "australia",
    "queensland",
    "israel",
    "cyprus",
    "fiji",
    "afghanistan",
    "iran",
    "iraq",
    "japan",
    "germany",
    "france",
    "texas",
    "california",
    "england",
    "ireland",
    "scotland",
    "jamaica",
    "maldives",
    "taiwan",
    "vietnam",
    "thailand",
    "indonesia",
    "korea",
    "russia",
    "ethiopia",
    "zanzibar",
    "lanka",
    "hongkong",
    "पाकिस्तान",
    "बांग्लादेश",
    "नेपाल",
];

/// What belongs to them, and codes that are called by a place or a person of their own.
const FOREIGN: &[&str] = &[
    "pakistani",
    "bangladeshi",
    "nepali",
    "nepalese",
    "burmese",
    "malaysian",
    "singaporean",
    "nigerian",
    "kenyan",
    "ugandan",
    "tanzanian",
    "zambian",
    "sudanese",
    "canadian",
    "australian",
    "israeli",
    "cypriot",
    "fijian",
    "afghan",
    "iranian",
    "iraqi",
    "japanese",
    "german",
    "french",
    "british",
    "irish",
    "american",
    "russian",
    "korean",
    "lankan",
    "ranbir",
    "hyderabad",
    "travancore",
    "cochin",
    "mysore",
    "baroda",
    "draft",
];

/// Bodies that have a constitution of their own, or are constituted.
const BODIES: &[&str] = &[
    "club",
    "party",
    "society",
    "trust",
    "association",
    "union",
    "bank",
    "company",
    "federation",
    "board",
    "council",
    "committee",
    "church",
    "university",
    "college",
    "school",
    "temple",
    "league",
    "congress",
    "organisation",
    "organization",
    "body",
    "bench",
    "tribunal",
    "commission",
    "jury",
    "team",
    "guild",
    "cooperative",
    "samiti",
    "sangh",
    "foundation",
    "institute",
    "academy",
    "chamber",
    "caucus",
];

/// Between a code and the country where it is law.
const WHERE: &[&str] = &[
    "force",
    "applicable",
    "applied",
    "applies",
    "enacted",
    "retained",
    "stands",
    "stood",
    "amended",
    "adopted",
    "extended",
    "extends",
    "which",
    "inherited",
    "operative",
];

/// Who speaks for a country.
const POWERS: &[&str] = &[
    "court",
    "courts",
    "parliament",
    "law",
    "laws",
    "legislature",
    "judge",
    "judges",
    "tribunal",
    "government",
    "constitution",
    "code",
    "jurisprudence",
];

/// Tokens behind or before a name in which a country is looked for.
const REACH: usize = 12;

fn among(list: &[&str], word: &str) -> bool {
    list.iter().any(|w| word.eq_ignore_ascii_case(w))
}

impl Scanner<'_> {
    /// Whether a word, in capitals or not, is a country's name or says that something is a country's.
    fn foreign_word(&self, i: usize) -> bool {
        matches!(self.t(i).t, T::Word(_)) && (among(COUNTRIES, self.word(i)) || among(FOREIGN, self.word(i)))
    }

    /// Whether a word names a country that has a code of the same name as India's or China's.
    pub(super) fn is_foreign_country(&self, i: usize) -> bool {
        let sri_lanka =
            self.word(i).eq_ignore_ascii_case("sri") && self.word(i + 1).eq_ignore_ascii_case("lanka");
        self.t(i).capital && (sri_lanka || among(COUNTRIES, self.word(i)))
    }

    /// `pakistan penal code`, `Pakistan's IPC`, `pakistan ke crpc`, `ranbir penal code`.
    pub(super) fn of_another_country(&self, i: usize) -> bool {
        let Some(p) = i.checked_sub(1) else { return false };
        let owner = if self.word(p).eq_ignore_ascii_case("s") && self.is(p.wrapping_sub(1), '\'') {
            p.checked_sub(2)
        } else if self.kw(p) == Kw::Of && !self.is_of(p) {
            p.checked_sub(1)
        } else {
            Some(p)
        };
        let us = owner.is_some_and(|o| ["us", "uk", "US", "UK"].contains(&self.word(o)));
        us || owner.is_some_and(|o| self.foreign_word(o))
    }

    /// `the Constitution of the club`, `our party's Constitution`.
    pub(super) fn of_a_body(&self, i: usize, end: usize) -> bool {
        let owned = i.checked_sub(3).filter(|_| {
            self.word(i.wrapping_sub(1)).eq_ignore_ascii_case("s") && self.is(i.wrapping_sub(2), '\'')
        });
        if owned.is_some_and(|o| among(BODIES, self.word(o))) {
            return true;
        }
        self.is_of(end)
            && (end + 1..end + 7)
                .take_while(|k| {
                    matches!(self.t(*k).t, T::Word(_))
                        && !matches!(self.kw(*k), Kw::And | Kw::Or | Kw::Rw | Kw::Read | Kw::Under | Kw::In)
                })
                .any(|k| {
                    // `the Union of India`, `the Indian Union`
                    let state = self.word(k).eq_ignore_ascii_case("union")
                        && (self.is_home_word(k.wrapping_sub(1), "in")
                            || self.is_of(k + 1) && self.is_home_word(k + 2, "in"));
                    !state && among(BODIES, self.word(k))
                })
    }

    /// `the Penal Code as in force in Pakistan`, `the Constitution (of Nepal)`.
    pub(super) fn foreign_behind(&self, end: usize) -> bool {
        if self.is(end, '(') && self.is_of(end + 1) && self.foreign_word(end + 2) {
            return true;
        }
        let mut linked = false;
        for k in end..end + REACH {
            let tok = self.t(k);
            let word = matches!(tok.t, T::Word(_));
            if !word && tok.t != T::Sign(',') || self.head_at(k).is_some() {
                return false;
            }
            if word && linked && among(COUNTRIES, self.word(k)) {
                return true;
            }
            linked |= word && among(WHERE, self.word(k));
        }
        false
    }

    /// `In Singapore, section 300 of the Penal Code`; `The Sri Lankan court applied section 296 of the Penal Code`.
    pub(super) fn foreign_in_sentence(&self, i: usize) -> bool {
        let from = i.saturating_sub(REACH + 4);
        for k in (from..i).rev() {
            if matches!(self.t(k).t, T::Sign('.' | '?' | '!' | ';')) && self.ends_sentence(k) {
                return false;
            }
            // Another name stands between: the country is that one's.
            if k + 1 < i && matches!(self.t(k).t, T::Word(_)) && self.kw(k) == Kw::None && self.caps_name(k) {
                return false;
            }
            if !self.foreign_word(k) || !self.t(k).capital {
                continue;
            }
            let first = k == 1
                || k.checked_sub(2).is_some_and(|p| {
                    matches!(self.t(p).t, T::Sign('.' | ';' | ',')) || self.t(p).t == T::End
                });
            let opens = first && self.kw(k.wrapping_sub(1)) == Kw::In && self.is(k + 1, ',');
            let of_power = self.is_of(k.wrapping_sub(1)) && among(POWERS, self.word(k.wrapping_sub(2)));
            if opens || of_power || among(POWERS, self.word(k + 1)) {
                return true;
            }
        }
        false
    }

    /// Whether an abbreviation of the catalogue stands here: `IPC`.
    fn caps_name(&self, k: usize) -> bool {
        self.t(k).caps && self.word(k).len() > 2 && self.name_at_word(k).is_some()
    }
}
