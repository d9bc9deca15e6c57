//! Citations in English, Hindi and romanised Hindi.

mod mentions;

use crate::id::{Number, Unit};
use crate::manifest::{Grammar, UnitName};

use super::lex::{self, Class, END, Kw, T, Tok};
use super::lexicon::Lexicon;
use super::numerals::{parse_roman, to_roman};
use super::{Context, Extracted, Reading, Unresolved};
use mentions::Mentions;

/// Whose provision it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// A work of the catalogue, by index.
    Known(usize),
    /// Named, and not in the catalogue.
    Other,
    /// Not said, and more than one act named nearby could be meant.
    Unclear,
    /// "this Act", "the same Code" without an antecedent.
    Lost,
}

/// How letters were joined to a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Join {
    Close,
    Dash,
    Space,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Num {
    base: u32,
    letters: String,
    join: Join,
    /// `133-1`, `299-304`: meaning depends on the work.
    dash: Option<(u32, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pin {
    /// A label in brackets, in lower case.
    Label(String),
    /// A place with a name of its own: `exc1`, `proviso`, `third`, `part2`.
    Named(String),
    Paragraph(String),
    Item(String),
}

#[derive(Debug, Clone)]
struct Item {
    start: usize,
    end: usize,
    kind: Option<UnitName>,
    num: Num,
    pins: Vec<Pin>,
    act: Option<Act>,
    until: Option<Num>,
    /// Joined by a mere comma behind an act: ours only if an act follows.
    loose: bool,
}

/// The last provision cited, for anaphora.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cited {
    act: Option<Act>,
    unit: Option<Unit>,
    pins: Vec<String>,
}

struct Head {
    kind: UnitName,
    plural: bool,
    /// `s` without a dot: no citation unless an act is named.
    weak: bool,
    /// Written in capitals, so that capitals say nothing about what follows.
    caps: bool,
}

/// Most tokens a title of an act is looked for in.
const LONGEST_TITLE: usize = 16;
/// Most tokens of a gloss in brackets between a number and its act.
const LONGEST_GLOSS: usize = 60;
/// Most items one list may have.
const LONGEST_LIST: usize = 4096;

/// Reporters and courts of law reports and neutral citations, in lower case.
const REPORTERS: &[&str] = &[
    "scc",
    "scr",
    "air",
    "insc",
    "scale",
    "livelaw",
    "crlj",
    "crilj",
    "cri",
    "crl",
    "cr",
    "lj",
    "jt",
    "scj",
    "ilr",
    "mlj",
    "dlt",
    "bom",
    "bomcr",
    "bomlr",
    "all",
    "er",
    "wlr",
    "ac",
    "qb",
    "kb",
    "uksc",
    "ukhl",
    "ewca",
    "ewhc",
    "hca",
    "scconline",
    "online",
    "sc",
    "supp",
    "slt",
    "rcr",
    "acr",
    "alj",
    "awc",
    "klt",
    "khc",
    "klj",
    "plr",
    "mplj",
    "glr",
    "glh",
    "ker",
    "kar",
    "del",
    "mad",
    "cal",
    "pat",
    "raj",
    "guj",
    "pc",
    "fc",
    "taxmann",
    "itr",
    "comp",
    "cas",
    "slr",
    "llj",
    "aic",
    "ctc",
    "wlc",
    "wln",
    "jcc",
    "ad",
    "drj",
    "dhc",
    "bhc",
    "mhc",
    "phhc",
    "ahc",
    "khc",
    "ori",
    "gau",
    "hp",
    "jk",
    "civ",
    "lw",
    "uj",
    "unreported",
];

/// Of those, the ones that alone make a citation of a case.
pub(crate) const STRONG: &[&str] = &[
    "scc",
    "scr",
    "air",
    "insc",
    "scale",
    "livelaw",
    "crlj",
    "crilj",
    "jt",
    "scj",
    "ilr",
    "mlj",
    "dlt",
    "bomcr",
    "bomlr",
    "wlr",
    "uksc",
    "ukhl",
    "ewca",
    "ewhc",
    "hca",
    "online",
    "scconline",
    "rcr",
    "klt",
    "khc",
    "klj",
    "mplj",
    "glr",
    "slt",
    "lj",
    "taxmann",
    "itr",
    "llj",
    "slr",
    "jcc",
    "drj",
    "qb",
    "kb",
    "ac",
    "er",
    "dhc",
    "bhc",
    "mhc",
    "phhc",
    "ahc",
    "all",
    "cr",
];

pub(crate) struct Scanner<'a> {
    text: &'a str,
    lexicon: &'a Lexicon,
    context: &'a Context,
    toks: Vec<Tok>,
    /// Acts named in this paragraph, the latest last; one for each kind of instrument.
    acts: Vec<(Option<Class>, Act)>,
    last: Vec<Cited>,
    /// Numbers cited with their act in this paragraph; `None` where two acts share the number.
    by_number: std::collections::HashMap<(UnitName, u32, String), Option<Act>>,
    /// Every provision cited in this paragraph, each once, in order.
    history: Vec<Cited>,
    /// Acts named in this paragraph and the sentences they stand in, read when first asked for.
    mentions: Option<Mentions>,
    /// `The following sections of the X Act`: whose the numbers announced are, until that token.
    announced: Option<(Act, usize)>,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str, lexicon: &'a Lexicon, context: &'a Context) -> Self {
        Self {
            text,
            lexicon,
            context,
            toks: Vec::new(),
            acts: Vec::new(),
            last: Vec::new(),
            by_number: std::collections::HashMap::new(),
            history: Vec::new(),
            mentions: None,
            announced: None,
        }
    }

    /// Scans `text[from..to]` as one paragraph.
    pub fn paragraph(&mut self, from: usize, to: usize, group: &mut usize, out: &mut Vec<Extracted>) {
        let mut toks = std::mem::take(&mut self.toks);
        lex::tokens(self.text, from, to, self.lexicon, &mut toks);
        self.toks = toks;
        self.acts.clear();
        self.last.clear();
        self.by_number.clear();
        self.history.clear();
        self.mentions = None;
        self.announced = None;
        let mut i = 0;
        while i < self.toks.len() {
            i = self.at(i, group, out).max(i + 1);
        }
    }

    fn t(&self, i: usize) -> Tok {
        self.toks.get(i).copied().unwrap_or(END)
    }

    fn kw(&self, i: usize) -> Kw {
        match self.t(i).t {
            T::Word(id) => self.lexicon.kw(id),
            _ => Kw::None,
        }
    }

    fn is(&self, i: usize, sign: char) -> bool {
        self.t(i).t == T::Sign(sign)
    }

    fn word(&self, i: usize) -> &'a str {
        let tok = self.t(i);
        match tok.t {
            T::Word(_) => self.text.get(tok.start as usize..tok.end as usize).unwrap_or_default(),
            _ => "",
        }
    }

    fn num(&self, i: usize) -> Option<(u32, u8)> {
        match self.t(i).t {
            T::Num(value, digits) => Some((value, digits)),
            _ => None,
        }
    }

    /// English `of`, not one of the Hindi particles that share its keyword.
    fn is_of(&self, i: usize) -> bool {
        self.kw(i) == Kw::Of && self.word(i).eq_ignore_ascii_case("of")
    }

    fn at(&mut self, i: usize, group: &mut usize, out: &mut Vec<Extracted>) -> usize {
        match self.t(i).t {
            T::Word(0) => i + 1,
            T::Word(_) => {
                let kw = self.kw(i);
                if let Some((act, end)) = self.name_at(i) {
                    return self.name(i, act, end, group, out);
                }
                match kw {
                    Kw::None => {
                        if let Some(end) = self.report_at(i) {
                            return self.report(i, end, group, out);
                        }
                        if self.head_at(i).is_some() {
                            return self.chain(i, i, None, &[], group, out);
                        }
                        i + 1
                    }
                    Kw::Section { .. } | Kw::SectionAbbr | Kw::Article { .. } => match self.head_at(i) {
                        Some(_) => self.chain(i, i, None, &[], group, out),
                        None => match self.roman_article(i) {
                            Some(end) => self.unnumbered(i, end, Unresolved::Roman, group, out),
                            None => {
                                self.announce(i);
                                i + 1
                            }
                        },
                    },
                    Kw::Provision => {
                        self.announce(i);
                        i + 1
                    }
                    Kw::Ordinal(_) if self.former_or_latter(i).is_some() => match self.former_or_latter(i) {
                        Some((latter, end)) => self.of_two(i, latter, end, group, out),
                        None => i + 1,
                    },
                    Kw::Sub
                    | Kw::SubSection
                    | Kw::SubClause
                    | Kw::Clause
                    | Kw::Proviso
                    | Kw::Exception
                    | Kw::Explanation
                    | Kw::Illustration
                    | Kw::Part
                    | Kw::Paragraph
                    | Kw::Item
                    | Kw::Ordinal(_)
                    | Kw::Ordinally(_)
                    | Kw::Schedule
                    | Kw::List
                    | Kw::Entry => {
                        if let Some(next) = self.schedule(i, None, i, group, out) {
                            return next;
                        }
                        match self.leading_pins(i) {
                            Some((pins, next)) => self.after_leading_pins(i, &pins, next, None, group, out),
                            None if kw == Kw::Sub => i + 2 + usize::from(self.is(i + 1, '-')),
                            None => i + 1,
                        }
                    }
                    Kw::Said | Kw::That => match self.anaphor_at(i) {
                        Some(next) => self.anaphor(i, next, &[], group, out),
                        None => i + 1,
                    },
                    Kw::Act(class) => {
                        self.unknown_act_word(i, class);
                        i + 1
                    }
                    _ => {
                        if let Some(end) = self.report_at(i) {
                            return self.report(i, end, group, out);
                        }
                        if self.head_at(i).is_some() {
                            return self.chain(i, i, None, &[], group, out);
                        }
                        i + 1
                    }
                }
            }
            T::Sign('§') => match self.head_at(i) {
                Some(_) => self.chain(i, i, None, &[], group, out),
                None => i + 1,
            },
            T::Sign('(' | '[') => match self.report_at(i) {
                Some(end) => self.report(i, end, group, out),
                None => i + 1,
            },
            T::Num(..) => {
                if let Some(end) = self.report_at(i) {
                    return self.report(i, end, group, out);
                }
                self.bare(i, group, out)
            }
            _ => i + 1,
        }
    }

    // Names of acts.

    /// A name of the catalogue at `i`: whose it is, and the token after it.
    fn name_at(&self, i: usize) -> Option<(Act, usize)> {
        let T::Word(first) = self.t(i).t else { return None };
        let mut node = self.lexicon.step(0, first)?;
        let mut best = self.lexicon.named(node).map(|n| (n, i + 1));
        let mut j = i + 1;
        let mut dotted = false;
        loop {
            let mut k = j;
            if self.is(k, '.') || self.is(k, '\'') {
                dotted |= self.is(k, '.');
                k += 1;
            }
            let T::Word(id) = self.t(k).t else { break };
            let Some(next) = self.lexicon.step(node, id) else { break };
            node = next;
            j = k + 1;
            if let Some(named) = self.lexicon.named(node) {
                best = Some((named, j));
            }
        }
        let ((work, open, local), mut end) = best?;
        let here = self.lexicon.work(work)?;
        if local && self.context.jurisdiction.as_deref() != Some(here.id.jurisdiction()) {
            return None;
        }
        if self.is(end, '.') && dotted && !self.t(end).spaced {
            end += 1;
        }
        let place = ["bench", "club", "day", "house", "hall", "assembly", "avenue"];
        if place.iter().any(|w| self.word(end).eq_ignore_ascii_case(w)) && open {
            return None;
        }
        if open && !self.home_before(i, here.id.jurisdiction()) {
            return Some((Act::Other, end));
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
                return Some((Act::Other, close + 2));
            }
            // `Penal Code (Singapore)`; `Cr.P.C. (Act V of 1898)`.
            let one = close == k + 2 && matches!(self.t(k + 1).t, T::Word(_));
            if open && one && self.t(k + 1).capital && !self.t(k + 1).caps && self.kw(k + 1) == Kw::None {
                let home =
                    self.is_home_word(k + 1, here.id.jurisdiction()) || self.name_at_word(k + 1).is_some();
                return Some((if home { Act::Known(work) } else { Act::Other }, close + 1));
            }
            let numbered = matches!(self.kw(k + 1), Kw::Act(_)) && self.is_of(close.saturating_sub(2));
            if numbered
                && self.is(close, ')')
                && let Some((year, 4)) = self.num(close - 1)
            {
                let ours = i16::try_from(year).is_ok_and(|y| here.years.contains(&y));
                return Some((if ours { Act::Known(work) } else { Act::Other }, close + 1));
            }
        }
        if self.word(k).eq_ignore_ascii_case("amendment") {
            return Some((Act::Other, k + 1));
        }
        if self.t(k).capital && self.instrument(k) && self.name_at_word(k).is_none() {
            if matches!(self.kw(k), Kw::Act(Class::Act | Class::Code | Class::Law | Class::Sanhita)) {
                end = k + 1;
            } else {
                return Some((Act::Other, k + 1));
            }
        }
        // A country after an open name: `Penal Code of Malaysia`.
        k = end;
        if open && self.is_of(k) {
            let m = k + 1 + usize::from(self.kw(k + 1) == Kw::The);
            // Where all is in lower case, capitals say nothing.
            let named = self.t(m).capital || !self.t(i).capital;
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

    fn name_at_word(&self, i: usize) -> Option<u32> {
        let T::Word(first) = self.t(i).t else { return None };
        self.lexicon.step(0, first)
    }

    /// Whether the word is the last of a title: Act, Rules, Order.
    fn instrument(&self, i: usize) -> bool {
        matches!(self.kw(i), Kw::Act(_))
            || ["order", "rule"].iter().any(|w| self.word(i).eq_ignore_ascii_case(w))
    }

    fn is_home_word(&self, i: usize, jurisdiction: &str) -> bool {
        let words: &[&str] = match jurisdiction {
            "in" => &["india", "indian", "bharat", "भारत", "भारतीय", "bharatiya", "bhartiya"],
            "cn" => &["china", "chinese", "prc", "people", "peoples"],
            _ => &[],
        };
        words.iter().any(|w| self.word(i).eq_ignore_ascii_case(w))
    }

    /// Whether nothing before an open name (`Penal Code`) makes it another state's.
    fn home_before(&self, i: usize, jurisdiction: &str) -> bool {
        let Some(p) = i.checked_sub(1) else { return true };
        if !matches!(self.t(p).t, T::Word(_)) || !self.t(i).spaced {
            // `U.S. Constitution`, `J&K Constitution`.
            if self.is(p, '.') && self.t(i).spaced && p > 0 && self.t(p - 1).capital {
                let w = self.word(p - 1);
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
    fn unknown_act_word(&mut self, i: usize, class: Class) {
        let before = i.checked_sub(1).map(|p| (self.t(p), self.kw(p)));
        let titled = before.is_some_and(|(t, kw)| {
            (matches!(t.t, T::Word(_))
                && t.capital
                && !matches!(kw, Kw::The | Kw::This | Kw::That | Kw::Said | Kw::Of | Kw::Under))
                || t.t == T::Sign(')')
        });
        if titled && self.t(i).capital {
            self.remember(Act::Other, Some(class));
        }
    }

    fn remember(&mut self, act: Act, class: Option<Class>) {
        if matches!(act, Act::Lost | Act::Unclear) {
            return;
        }
        let classes: Vec<Option<Class>> = match act {
            Act::Known(w) => self
                .lexicon
                .work(w)
                .map(|w| w.classes.iter().copied().map(Some).collect())
                .unwrap_or_default(),
            _ => vec![class],
        };
        for class in classes.into_iter().chain([None]) {
            self.acts.retain(|(c, _)| *c != class);
            self.acts.push((class, act));
        }
    }

    /// "the said Code": the last act of that kind in this paragraph. `loose`: else the last act of any kind.
    fn recall(&self, class: Class, loose: bool) -> Act {
        let find = |want: Option<Class>| self.acts.iter().find(|(c, _)| *c == want).map(|(_, a)| *a);
        find(Some(class)).or_else(|| if loose { find(None) } else { None }).unwrap_or(Act::Lost)
    }

    fn this_act(&self) -> Act {
        self.context.default_work.as_ref().and_then(|w| self.lexicon.index(w)).map_or(Act::Lost, Act::Known)
    }

    /// The act that follows a provision at `j`, and the token after it.
    ///
    /// `near`: only what stands directly behind, or behind `of`.
    fn act_after(&self, j: usize, head_caps: bool, near: bool) -> Option<(Act, usize, Option<Class>)> {
        let mut k = j;
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
        let mut the = false;
        for _ in 0..4 {
            match self.kw(k) {
                Kw::The => the = true,
                Kw::Our => {}
                Kw::Said => said = Some(Kw::Said),
                Kw::That => said = Some(Kw::That),
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
                Some(_) => return Some((self.recall(class, true), k + 1, Some(class))),
                None if the && linked => return Some((self.recall(class, false), k + 1, Some(class))),
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
        let abbreviation = tok.caps
            && !head_caps
            && !comma
            && self.kw(k) == Kw::None
            && (2..=7).contains(&self.word(k).len())
            && parse_roman(self.word(k)).is_none();
        if abbreviation {
            return Some((Act::Other, k + 1, None));
        }
        // "of the agreement", "of Schedule I": of something that is none of ours.
        if of { Some((Act::Other, k, None)) } else { None }
    }

    /// The title of an act that the catalogue does not have.
    fn title_at(&self, from: usize, lower: bool) -> Option<(usize, Class)> {
        let starts = self.t(from);
        if !matches!(starts.t, T::Word(_)) || !(starts.capital || lower) {
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
                        let mut end = k + 1;
                        let year = end + usize::from(self.is(end, ','));
                        if self.num(year).is_some_and(|(y, d)| d == 4 && (1700..2100).contains(&y)) {
                            end = year + 1;
                        }
                        return Some((end, class));
                    }
                    Kw::Section { .. } | Kw::Article { .. } | Kw::After => return None,
                    Kw::Of | Kw::The | Kw::And | Kw::To | Kw::In | Kw::With => {}
                    _ if tok.capital || self.word(k).eq_ignore_ascii_case("for") => {}
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

    // Heads and numbers.

    /// `Section`, `ss.`, `u/s`, `§` before a number: what it says, and the number's token.
    fn head_at(&self, i: usize) -> Option<(Head, usize)> {
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
                    // `the accused's 3 friends`
                    if i > 0 && self.is(i - 1, '\'') {
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

    /// Letters of Devanagari that number sections: क is A; ए, बी, सी are spelt out.
    fn devanagari_letters(word: &str) -> Option<String> {
        const ROW: &[char] = &[
            'क', 'ख', 'ग', 'घ', 'ङ', 'च', 'छ', 'ज', 'झ', 'ञ', 'ट', 'ठ', 'ड', 'ढ', 'ण', 'त', 'थ', 'द', 'ध',
            'न', 'प', 'फ', 'ब', 'भ', 'म', 'य',
        ];
        let spelt = match word {
            "ए" => "A",
            "बी" => "B",
            "सी" => "C",
            "डी" => "D",
            "ई" => "E",
            "एफ" => "F",
            "जी" => "G",
            "एबी" => "AB",
            "डीए" => "DA",
            "डीबी" => "DB",
            _ => "",
        };
        if !spelt.is_empty() {
            return Some(spelt.to_owned());
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

    /// Whether what stands at `i` can follow a number that is finished.
    fn closes(&self, i: usize) -> bool {
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

    fn number_at(&self, j: usize) -> Option<(Num, usize)> {
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
        let mut num = Num { base, letters: String::new(), join: Join::Close, dash: None };
        let n = j + 1;
        let next = self.t(n);
        if let T::Word(_) = next.t {
            let word = self.word(n);
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
                } else if let Some(letters) = Self::devanagari_letters(word) {
                    num.letters = letters;
                    return Some((num, n + 1));
                }
                // `3rdly`, `12months`: no section.
                if word.is_ascii() && self.kw(n) == Kw::None {
                    return None;
                }
            } else if next.spaced && !named && !rw && self.closes(n + 1) {
                let upper =
                    word.len() <= 2 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase());
                if upper && (matches!(self.kw(n), Kw::None | Kw::SectionAbbr)) {
                    num.letters = word.to_owned();
                    num.join = Join::Space;
                    return Some((num, n + 1));
                }
                if !word.is_ascii()
                    && self.kw(n) != Kw::And
                    && let Some(letters) = Self::devanagari_letters(word)
                {
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
                    let word = self.word(n + 1);
                    let letters = if word.is_ascii() && word.len() <= 3 {
                        let upper = word.bytes().all(|b| b.is_ascii_uppercase());
                        (upper || (word.len() == 1 && self.kw(n + 1) == Kw::None))
                            .then(|| word.to_ascii_uppercase())
                    } else {
                        Self::devanagari_letters(word)
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
    fn read_with(&self, i: usize) -> Option<usize> {
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
        let r = self.word(i).eq_ignore_ascii_case("r");
        let w = |j: usize| self.word(j).eq_ignore_ascii_case("w");
        if r && (self.is(i + 1, '/') || self.is(i + 1, '.')) && w(i + 2) {
            return Some(dot(i + 3));
        }
        None
    }

    /// One separator of a list: the token after it, and whether it is a strong link.
    fn separator(&self, i: usize) -> Option<(usize, bool)> {
        match self.t(i).t {
            T::Sign(',' | ';') => Some((i + 1, false)),
            T::Sign('/' | '&' | '+') => Some((i + 1, true)),
            T::Word(_) => {
                if let Some(next) = self.read_with(i) {
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

    /// All separators from `i` on, with fillers such as "also under".
    fn separators(&self, i: usize) -> Option<(usize, bool)> {
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

    // Places inside a provision.

    /// `(x)` at `i`: the label in lower case, and the token after it.
    fn bracketed(&self, i: usize) -> Option<(String, usize)> {
        if !self.is(i, '(') {
            return None;
        }
        let (label, next) = match self.t(i + 1).t {
            T::Num(value, digits) if digits <= 3 => {
                let mut label = value.to_string();
                let mut next = i + 2;
                let word = self.word(next);
                if !self.t(next).spaced && (1..=2).contains(&word.len()) && word.is_ascii() {
                    label.push_str(&word.to_ascii_lowercase());
                    next += 1;
                }
                (label, next)
            }
            T::Word(_) => {
                let word = self.word(i + 1);
                if word.is_ascii() {
                    let ok = match word.len() {
                        1 => true,
                        2 => {
                            self.kw(i + 1) == Kw::None
                                && !["it", "he", "we", "us", "if", "at", "sc", "hc"]
                                    .iter()
                                    .any(|w| word.eq_ignore_ascii_case(w))
                        }
                        3..=5 => parse_roman(word).is_some(),
                        _ => false,
                    };
                    if !ok || self.name_at(i + 1).is_some() {
                        return None;
                    }
                    // `304(II)` is a limb; its capitals are kept to tell it from a clause.
                    let limb = word.len() > 1
                        && word.bytes().all(|b| b.is_ascii_uppercase())
                        && parse_roman(word).is_some();
                    (if limb { word.to_owned() } else { word.to_ascii_lowercase() }, i + 2)
                } else {
                    (Self::devanagari_letters(word)?.to_ascii_lowercase(), i + 2)
                }
            }
            _ => return None,
        };
        self.is(next, ')').then_some((label, next + 1))
    }

    /// A number for an exception, explanation, part or list: `2`, `II`, `(2)`.
    fn small_number(&self, i: usize) -> Option<(u32, usize)> {
        let j = i + usize::from(self.is(i, '-') || self.is(i, '.'));
        if let Some((n, digits)) = self.num(j) {
            // A figure that goes on is a section: `Exception 300A`.
            return (digits <= 2 && n > 0).then_some((n, j + 1));
        }
        if let Some((label, next)) = self.bracketed(j) {
            return label.parse().ok().or_else(|| parse_roman(&label)).map(|n| (n, next));
        }
        let word = self.word(j);
        if word.bytes().all(|b| b.is_ascii_uppercase()) {
            return parse_roman(word).map(|n| (n, j + 1));
        }
        None
    }

    fn ordinally(n: u32) -> Pin {
        let word = match n {
            1 => "first",
            2 => "second",
            3 => "third",
            4 => "fourth",
            5 => "fifth",
            6 => "sixth",
            _ => "seventh",
        };
        Pin::Named(word.to_owned())
    }

    /// `Thirdly`, `3rdly`.
    fn ordinally_at(&self, i: usize) -> Option<(Pin, usize)> {
        if let Kw::Ordinally(n) = self.kw(i) {
            return Some((Self::ordinally(n), i + 1));
        }
        let (n, 1) = self.num(i)? else { return None };
        let ends = ["stly", "ndly", "rdly", "thly"].iter().any(|e| self.word(i + 1).eq_ignore_ascii_case(e));
        (ends && !self.t(i + 1).spaced && (1..=7).contains(&n)).then(|| (Self::ordinally(n), i + 2))
    }

    /// One place with its label: `sub-section (2)`, `Exception 1`, `second proviso`. Alternatives for a list.
    fn place(&self, i: usize) -> Option<(Vec<Vec<Pin>>, usize)> {
        let mut kw = self.kw(i);
        let mut j = i + 1;
        let dotted = |j: usize| j + usize::from(self.is(j, '.'));
        let mut ordinal = None;
        if let Kw::Ordinal(n) = kw {
            ordinal = Some(n);
            kw = self.kw(j);
            j += 1;
        }
        if kw == Kw::Sub {
            let k = j + usize::from(self.is(j, '-'));
            kw = match self.kw(k) {
                Kw::Section { .. } | Kw::SectionAbbr => Kw::SubSection,
                Kw::Clause => Kw::SubClause,
                _ => return None,
            };
            j = k + 1;
        }
        if ordinal.is_some()
            && !matches!(kw, Kw::Proviso | Kw::Exception | Kw::Explanation | Kw::Part | Kw::Paragraph)
        {
            return None;
        }
        j = dotted(j);
        match kw {
            Kw::SubSection | Kw::SubClause | Kw::Clause => {
                if let Some((pin, next)) = self.ordinally_at(j) {
                    return Some((vec![vec![pin]], next));
                }
                // `sub-section 2`, `clause 3`: a bare number.
                if let Some((n, digits)) = self.num(j) {
                    if digits <= 2 && n > 0 {
                        return Some((vec![vec![Pin::Label(n.to_string())]], j + 1));
                    }
                    return None;
                }
                if self.is(j, '(') {
                    return self.labels(j, &|label| Pin::Label(label));
                }
                let word = self.word(j);
                if word.len() == 1 && word.bytes().all(|b| b.is_ascii_lowercase()) && self.closes(j + 1) {
                    return Some((vec![vec![Pin::Label(word.to_owned())]], j + 1));
                }
                None
            }
            Kw::Proviso => {
                let name = match ordinal
                    .or_else(|| self.num(j).filter(|(n, d)| *d == 1 && *n > 0).map(|(n, _)| n))
                {
                    Some(n) => format!("proviso{n}"),
                    None => "proviso".to_owned(),
                };
                if ordinal.is_none() && self.num(j).is_some_and(|(n, d)| d == 1 && n > 0) {
                    j += 1;
                }
                let mut pins = vec![Pin::Named(name)];
                if let Some((label, next)) = self.bracketed(j) {
                    pins.push(Pin::Label(label));
                    j = next;
                }
                Some((vec![pins], j))
            }
            Kw::Exception | Kw::Explanation => {
                let stem = if kw == Kw::Exception { "exc" } else { "expl" };
                if let Some(n) = ordinal {
                    return Some((vec![vec![Pin::Named(format!("{stem}{n}"))]], j));
                }
                let Some((n, mut next)) = self.small_number(j) else {
                    if self.word(i).ends_with(['s', 'S']) && !self.is(j, '(') {
                        // "the exceptions to section 300" names no place of its own.
                        return Some((vec![Vec::new()], j));
                    }
                    if let Some((label, next)) = self.bracketed(j) {
                        return Some((vec![vec![Pin::Named(stem.to_owned()), Pin::Label(label)]], next));
                    }
                    return Some((vec![vec![Pin::Named(stem.to_owned())]], j));
                };
                let mut all = vec![vec![Pin::Named(format!("{stem}{n}"))]];
                if let Some((label, after)) = self.bracketed(next) {
                    if let Some(last) = all.last_mut() {
                        last.push(Pin::Label(label));
                    }
                    next = after;
                }
                // `Exceptions 1, 2 and 4`
                while let Some((k, _)) = self.separator(next) {
                    let k = self.separator(k).map_or(k, |(k, _)| k);
                    let Some((n, after)) = self.small_number(k).filter(|(n, _)| *n <= 20) else { break };
                    all.push(vec![Pin::Named(format!("{stem}{n}"))]);
                    next = after;
                    if all.len() > 20 {
                        break;
                    }
                }
                Some((all, next))
            }
            Kw::Illustration => {
                if self.is(j, '(') {
                    return self.labels(j, &|label| Pin::Named(format!("ill-{label}")));
                }
                let word = self.word(j);
                if word.len() == 1 && word.is_ascii() {
                    return Some((
                        vec![vec![Pin::Named(format!("ill-{}", word.to_ascii_lowercase()))]],
                        j + 1,
                    ));
                }
                if self.word(i).ends_with(['s', 'S']) {
                    return Some((vec![Vec::new()], j));
                }
                Some((vec![vec![Pin::Named("ill".to_owned())]], j))
            }
            Kw::Part => {
                if let Some(n) = ordinal {
                    return Some((vec![vec![Pin::Named(format!("part{n}"))]], j));
                }
                let (n, next) = self.small_number(j)?;
                Some((vec![vec![Pin::Named(format!("part{n}"))]], next))
            }
            Kw::Paragraph | Kw::Item => {
                let (n, next) = match ordinal {
                    Some(n) => (n.to_string(), j),
                    None => match self.num(j) {
                        Some((n, d)) if d <= 2 && n > 0 => (n.to_string(), j + 1),
                        Some(_) => return None,
                        None => self.bracketed(j)?,
                    },
                };
                let pin = if kw == Kw::Item { Pin::Item(n) } else { Pin::Paragraph(n) };
                Some((vec![vec![pin]], next))
            }
            _ => None,
        }
    }

    /// `(a)`, `(a) and (b)`, `(a) to (d)`, `(2)(a)`.
    fn labels(&self, j: usize, pin: &dyn Fn(String) -> Pin) -> Option<(Vec<Vec<Pin>>, usize)> {
        let (first, mut next) = self.bracketed(j)?;
        let mut all = vec![vec![pin(first.clone())]];
        let mut last = first;
        while let Some((label, after)) = self.bracketed(next) {
            if let Some(path) = all.last_mut() {
                path.push(Pin::Label(label));
            }
            next = after;
        }
        loop {
            if all.len() > 40 {
                break;
            }
            if self.kw(next) == Kw::To || self.is(next, '-') {
                let Some((to, after)) = self.bracketed(next + 1) else { break };
                for label in labels_between(&last, &to) {
                    all.push(vec![pin(label)]);
                }
                all.push(vec![pin(to.clone())]);
                last = to;
                next = after;
                continue;
            }
            let Some((k, _)) = self.separator(next) else { break };
            let k = self.separator(k).map_or(k, |(k, _)| k);
            let Some((label, mut after)) = self.bracketed(k) else { break };
            let mut path = vec![pin(label.clone())];
            while let Some((inner, more)) = self.bracketed(after) {
                path.push(Pin::Label(inner));
                after = more;
            }
            all.push(path);
            last = label;
            next = after;
        }
        Some((all, next))
    }

    /// Places named before the provision: `clause (a) of sub-section (2) of` section 376. Gives paths from the
    /// outside in, and the token where the provision or its anaphor starts.
    fn leading_pins(&self, i: usize) -> Option<(Vec<Vec<Pin>>, usize)> {
        let mut paths: Vec<Vec<Pin>> = vec![Vec::new()];
        let mut j = i;
        for _ in 0..6 {
            let (alternatives, next) = self.place(j)?;
            // What was read so far lies inside this place.
            let mut longer = Vec::new();
            for outer in &alternatives {
                for inner in &paths {
                    longer.push(outer.iter().chain(inner).cloned().collect::<Vec<_>>());
                }
            }
            if longer.len() > 64 {
                return None;
            }
            paths = longer;
            j = next;
            if self.kw(j) == Kw::Thereof {
                return Some((paths, j));
            }
            let linked = matches!(self.kw(j), Kw::Of | Kw::To | Kw::In | Kw::Under) || self.is(j, ',');
            if linked {
                j += 1;
            }
            if self.kw(j) == Kw::The {
                j += 1;
            }
            let part =
                alternatives.iter().flatten().any(|p| matches!(p, Pin::Named(n) if n.starts_with("part")));
            if part && self.is(j.wrapping_sub(1), ',') {
                // `Gazette, Part II, sec. 3`
                return None;
            }
            if self.head_at(j).is_some() {
                // Without a link it is another citation, except that Hindi and lists write it so.
                return linked.then_some((paths, j));
            }
            if self.anaphor_at(j).is_some() {
                return linked.then_some((paths, j));
            }
            self.place(j)?;
        }
        None
    }

    /// "said section", "that article", "thereof": the token after it.
    fn anaphor_at(&self, i: usize) -> Option<usize> {
        match self.kw(i) {
            Kw::Thereof => Some(i + 1),
            Kw::Said | Kw::That => {
                let k = i + 1;
                let noun = match self.kw(k) {
                    Kw::Section { .. } | Kw::Article { .. } => true,
                    // "that provision is made" says nothing.
                    Kw::Provision => self.kw(i) == Kw::Said,
                    _ => false,
                };
                (noun && self.head_at(k).is_none()).then_some(k + 1)
            }
            _ => None,
        }
    }

    /// Places named after the number. Gives paths, each with the bytes where it starts and ends.
    fn trailing_pins(
        &self,
        mut j: usize,
        kind: Option<UnitName>,
        first_start: usize,
    ) -> (Vec<(Vec<Pin>, usize, usize)>, usize) {
        let end_of = |j: usize| self.t(j.wrapping_sub(1)).end as usize;
        let mut base: Vec<Pin> = Vec::new();
        while let Some((label, next)) = self.bracketed(j) {
            base.push(Pin::Label(label));
            j = next;
        }
        let mut paths = vec![(base, first_start, end_of(j))];
        // `(a) & (g)`, `(1), (2) and (3)`, `(a) to (d)`: brothers of the last.
        while let Some((last, _, _)) = paths.last().filter(|(p, _, _)| !p.is_empty()) {
            let (stem, tail) = match last.split_last() {
                Some((Pin::Label(tail), stem)) => (stem.to_vec(), tail.clone()),
                _ => break,
            };
            if (self.kw(j) == Kw::To || self.is(j, '-')) && paths.len() < LONGEST_LIST {
                let Some((to, after)) = self.bracketed(j + 1) else { break };
                let at = (self.t(j + 1).start as usize, end_of(after));
                for label in labels_between(&tail, &to).into_iter().chain([to]) {
                    let mut path = stem.clone();
                    path.push(Pin::Label(label));
                    paths.push((path, at.0, at.1));
                }
                j = after;
                continue;
            }
            let Some((k, _)) = self.separator(j) else { break };
            let k = self.separator(k).map_or(k, |(k, _)| k);
            let Some((label, mut after)) = self.bracketed(k) else { break };
            let depth = if same_kind(&tail, &label) {
                stem.len()
            } else {
                // `(1)(a) and (2)(b)`: back to the level that looks alike.
                stem.iter()
                    .position(|p| matches!(p, Pin::Label(l) if same_kind(l, &label)))
                    .unwrap_or(stem.len())
            };
            let mut path: Vec<Pin> = stem.into_iter().take(depth).collect();
            path.push(Pin::Label(label));
            while let Some((inner, more)) = self.bracketed(after) {
                path.push(Pin::Label(inner));
                after = more;
            }
            paths.push((path, self.t(k).start as usize, end_of(after)));
            j = after;
            if paths.len() >= LONGEST_LIST {
                break;
            }
        }
        // Named places: `, Thirdly`, `Part II`, `Exception 1`, `की उपधारा (2)`.
        for _ in 0..4 {
            let mut k = j;
            if self.is(k, ',') || self.is(k, '-') || (self.kw(k) == Kw::Of && !self.is_of(k)) {
                k += 1;
            }
            let open = self.is(k, '(')
                && matches!(
                    self.kw(k + 1),
                    Kw::Part | Kw::Ordinally(_) | Kw::Ordinal(_) | Kw::Exception | Kw::Explanation
                );
            k += usize::from(open);
            let got = if let Some((pin, next)) = self.ordinally_at(k) {
                Some((vec![vec![pin]], next))
            } else {
                let allowed = match self.kw(k) {
                    Kw::Paragraph | Kw::Item => kind == Some(UnitName::Article),
                    Kw::Ordinal(_) => !matches!(self.kw(k + 1), Kw::Schedule),
                    _ => true,
                };
                // A place that belongs to the next provision is not ours.
                if allowed && self.leading_pins(k).is_none() { self.place(k) } else { None }
            };
            let Some((alternatives, mut next)) = got else { break };
            if open {
                if !self.is(next, ')') {
                    break;
                }
                next += 1;
            }
            let end = end_of(next);
            let Some((path, start, _)) = paths.pop() else { break };
            for pins in alternatives {
                let mut longer = path.clone();
                longer.extend(pins);
                paths.push((longer, start, end));
            }
            j = next;
        }
        (paths, j)
    }

    // Chains of provisions.

    /// A catalogue name at `i..end`: the start of a citation, or only a mention.
    fn name(&mut self, i: usize, act: Act, end: usize, group: &mut usize, out: &mut Vec<Extracted>) -> usize {
        self.remember(act, None);
        let mut j = end;
        let mut linked = false;
        for _ in 0..4 {
            if self.head_at(j).is_some() {
                return self.chain(i, j, Some(act), &[], group, out);
            }
            let sign = matches!(self.t(j).t, T::Sign(',' | ':' | '-' | '(' | '\''));
            let word = matches!(self.kw(j), Kw::Of | Kw::Under | Kw::In | Kw::The)
                || (self.is(j.wrapping_sub(1), '\'') && self.word(j).eq_ignore_ascii_case("s"));
            if !(sign || word) {
                break;
            }
            linked |= word;
            j += 1;
        }
        if let Some(next) = self.schedule(j, Some(act), i, group, out) {
            return next;
        }
        if let Some((pins, next)) = self.leading_pins(j)
            && self.head_at(next).is_some()
        {
            return self.after_leading_pins(i, &pins, next, Some(act), group, out);
        }
        // `IPC 302`, `IPC-302`, `CrPC: 164`.
        let near = j <= end + 1 && !linked && !self.is(end, ',') && !self.is(end, '(');
        if near
            && self.num(j).is_some()
            && !self.year_like(j)
            && act != Act::Other
            && self.report_at(j).is_none()
        {
            let follows = self.number_at(j).map(|(_, n)| n).unwrap_or(j + 1);
            // `IPC 12 cases`, `IPC (45 of 1860)`
            let counted = matches!(self.t(follows).t, T::Word(_))
                && !self.closes(follows)
                && self.kw(follows) == Kw::None
                && !self.word(follows).is_empty();
            let of_year = self.is_of(follows) && self.year_like(follows + 1);
            if !counted && !of_year {
                return self.chain(i, j, Some(act), &[], group, out);
            }
        }
        end
    }

    fn year_like(&self, i: usize) -> bool {
        self.num(i).is_some_and(|(n, d)| d == 4 && (1700..2100).contains(&n))
    }

    fn after_leading_pins(
        &mut self,
        i: usize,
        pins: &[Vec<Pin>],
        next: usize,
        prefix: Option<Act>,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        if self.head_at(next).is_some() {
            return self.chain(i, next, prefix, pins, group, out);
        }
        match self.anaphor_at(next) {
            Some(end) => self.anaphor(i, end, pins, group, out),
            None => next,
        }
    }

    /// A number without a head: a citation only if an act of the catalogue follows (`156(3) Cr.P.C.`).
    fn bare(&mut self, i: usize, group: &mut usize, out: &mut Vec<Extracted>) -> usize {
        if let Some(p) = i.checked_sub(1) {
            let before = self.kw(p);
            let abbreviated = self.is(p, '.')
                && p > 0
                && matches!(self.kw(p - 1), Kw::No | Kw::NotALaw | Kw::Paragraph | Kw::Clause);
            let counted = matches!(
                before,
                Kw::NotALaw
                    | Kw::No
                    | Kw::Paragraph
                    | Kw::Part
                    | Kw::Schedule
                    | Kw::List
                    | Kw::Entry
                    | Kw::Exception
                    | Kw::Explanation
                    | Kw::Act(_)
            );
            let glued = !self.t(i).spaced
                && matches!(self.t(p).t, T::Word(_) | T::Sign('.' | '-' | '/' | '#' | '\''));
            if counted || abbreviated || glued {
                return i + 1;
            }
            // `the following sections of the X Act, namely: 5, 6 and 7`
            if let Some((act, _)) = self.announced.filter(|(_, until)| i < *until) {
                let signs = (0..3)
                    .take_while(|n| {
                        p.checked_sub(*n).is_some_and(|q| matches!(self.t(q).t, T::Sign(':' | ',' | '-')))
                    })
                    .count();
                let lead = p.checked_sub(signs).map_or("", |q| self.word(q));
                let says = ["namely", "viz", "are", "being"].iter().any(|w| lead.eq_ignore_ascii_case(w));
                if (says || (signs > 0 && self.is(p, ':'))) && !self.year_like(i) {
                    return self.chain(i, i, Some(act), &[], group, out);
                }
            }
        }
        self.chain(i, i, None, &[], group, out)
    }

    /// A list of provisions from `j` on; its first citation starts at token `from`.
    fn chain(
        &mut self,
        from: usize,
        j: usize,
        prefix: Option<Act>,
        leading: &[Vec<Pin>],
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        let mut items: Vec<Item> = Vec::new();
        let mut j = j;
        let mut prefix = prefix;
        let mut leading = leading.to_vec();
        let mut start = self.t(from).start as usize;
        let mut kind = None;
        let mut plural = false;
        let mut caps = false;
        let mut headed = false;
        let mut weak = true;
        let mut last_act: Option<Act> = prefix;
        // Items before this one have their act.
        let mut settled = 0;
        let mut loose = false;
        loop {
            if let Some((head, next)) = self.head_at(j) {
                kind = Some(head.kind);
                plural = head.plural;
                caps = head.caps;
                weak &= head.weak;
                headed = true;
                j = next;
            }
            let Some((num, next)) = self.number_at(j) else { break };
            // `an article 21 days later`
            if MEASURES.iter().any(|w| self.word(next).eq_ignore_ascii_case(w)) {
                break;
            }
            if !headed
                && prefix.is_none()
                && items.is_empty()
                && self.year_like(j)
                && next == j + 1
                && !self.is(next, '(')
            {
                return j + 1;
            }
            let (paths, next) = self.trailing_pins(next, kind, start);
            j = next;
            for (n, (pins, at, end)) in paths.into_iter().enumerate() {
                let leads = if leading.is_empty() { vec![Vec::new()] } else { leading.clone() };
                for lead in leads {
                    let mut path = pins.clone();
                    path.extend(lead);
                    items.push(Item {
                        start: if n == 0 { start } else { at },
                        end,
                        kind,
                        num: num.clone(),
                        pins: path,
                        act: prefix.filter(|a| self.fits(*a, kind)),
                        until: None,
                        loose,
                    });
                }
            }
            leading.clear();
            loose = false;
            if items.len() > LONGEST_LIST {
                break;
            }
            // A range: `299 to 304`, `376-A to 376-E`.
            if matches!(self.kw(j), Kw::To | Kw::Through) || (self.is(j, '-') && self.num(j + 1).is_some()) {
                let mut k = j + 1;
                if let Some((_, next)) = self.head_at(k) {
                    k = next;
                }
                if let Some((to, next)) = self.number_at(k).filter(|(_, n)| !self.year_like(k) || *n > k + 1)
                    && to.dash.is_none()
                    && (self.closes(next) || plural || self.num(next).is_none())
                {
                    let end = self.t(next - 1).end as usize;
                    if let Some(last) = items.last_mut() {
                        last.until = Some(to);
                        last.end = end;
                    }
                    j = next;
                }
            }
            // The act behind it.
            let near = prefix.is_some();
            if let Some((act, end, class)) = self.act_after(j, caps, near) {
                let by_comma = self.is(j, ',');
                let next_is_prefix = by_comma
                    && matches!(act, Act::Known(_))
                    && last_act.is_some()
                    && (self.num(end).is_some_and(|_| !self.year_like(end)) || self.head_at(end).is_some());
                let reads_on = near && (self.num(end).is_some() || self.head_at(end).is_some());
                // A bare number needs a name directly behind it, or behind "of".
                let far = !headed
                    && prefix.is_none()
                    && (by_comma && items.len() == 1 || matches!(self.kw(j), Kw::Under | Kw::In));
                if !next_is_prefix && !reads_on && !far {
                    self.remember(act, class);
                    let from = if near { items.len() - 1 } else { settled };
                    let end_byte = self.t(end.wrapping_sub(1)).end as usize;
                    let fits: Vec<bool> = items.iter().map(|item| self.fits(act, item.kind)).collect();
                    let direct = items.len() - 1;
                    for (n, item) in items.iter_mut().enumerate().skip(from) {
                        if near || item.act.is_none() {
                            // The word before the number is wrong for that act; the act named directly behind wins.
                            if n == direct || fits.get(n).copied().unwrap_or(false) {
                                item.act = Some(act);
                            }
                        }
                        item.loose = false;
                    }
                    if let Some(last) = items.last_mut() {
                        last.end = last.end.max(end_byte);
                    }
                    settled = items.len();
                    last_act = Some(act);
                    j = end;
                }
            }
            // What follows.
            let Some((k, strong)) = self.separators(j) else { break };
            let begins = self.t(k).start as usize;
            if let Some((_, _)) = self.head_at(k) {
                start = begins;
                j = k;
                continue;
            }
            if let Some((pins, next)) = self.leading_pins(k).filter(|(_, n)| self.head_at(*n).is_some()) {
                leading = pins;
                start = begins;
                j = next;
                continue;
            }
            if let Some((act, end)) = self.name_at(k) {
                let n = end + usize::from(self.is(end, ',') || self.is(end, '-') || self.is(end, ':'));
                let head = self.head_at(n).is_some();
                if matches!(act, Act::Known(_))
                    && (head || (n == end && self.num(n).is_some() && !self.year_like(n)))
                {
                    self.remember(act, None);
                    prefix = Some(act);
                    last_act = Some(act);
                    settled = items.len();
                    start = begins;
                    kind = None;
                    j = n;
                    continue;
                }
                break;
            }
            // A number alone.
            if self.num(k).is_none() || self.year_like(k) || self.report_at(k).is_some() {
                break;
            }
            let Some((_, after)) = self.number_at(k) else { break };
            // `25/27 Arms Act`: a stroke without space joins whatever comes.
            let stroke = self.is(k.wrapping_sub(1), '/') && !self.t(k).spaced;
            let follows = self.is(after, '(')
                || self.closes(after)
                || stroke
                || plural && self.t(after).t != T::Sign('%')
                || self.act_after(after, caps, false).is_some();
            if !follows {
                break;
            }
            // Behind an act, a comma may start something else: only a strong link or a further act goes on.
            loose = settled > 0
                && prefix.is_none()
                && !strong
                && (settled == items.len() || items.last().is_some_and(|i| i.loose));
            start = begins;
            j = k;
        }
        items.retain(|i| !i.loose);
        if !headed
            && prefix.is_none()
            && (settled == 0 || !items.iter().any(|i| matches!(i.act, Some(Act::Known(_)))))
        {
            return j.max(from + 1);
        }
        if !headed && prefix.is_none() {
            items.truncate(settled);
            // `12 IPC offences`
            if matches!(self.t(j).t, T::Word(_))
                && self.kw(j) == Kw::None
                && COUNTED.iter().any(|w| self.word(j).eq_ignore_ascii_case(w))
            {
                return j;
            }
        }
        self.finish(items, weak && headed, group, out);
        j.max(from + 1)
    }

    /// Whether a section can be this work's: a section is not the Constitution's.
    fn fits(&self, act: Act, kind: Option<UnitName>) -> bool {
        match (act, kind) {
            (Act::Known(w), Some(kind)) => self.lexicon.work(w).is_none_or(|w| w.unit == kind),
            _ => true,
        }
    }

    fn finish(&mut self, mut items: Vec<Item>, weak: bool, group: &mut usize, out: &mut Vec<Extracted>) {
        if items.is_empty() {
            return;
        }
        // An item without an act takes the act before it in the list.
        let mut before: Option<Act> = None;
        for n in 0..items.len() {
            let Some(item) = items.get(n).cloned() else { break };
            match item.act {
                Some(act) => before = Some(act),
                None => {
                    let inherited = before.filter(|a| self.fits(*a, item.kind));
                    let act = inherited.or_else(|| self.implied(&item));
                    if let Some(doubt @ (Act::Other | Act::Unclear)) = act {
                        before = Some(doubt);
                    }
                    if let Some(item) = items.get_mut(n) {
                        item.act = act;
                    }
                }
            }
        }
        if weak && items.iter().all(|i| i.act.is_none()) {
            return;
        }
        *group += 1;
        self.last.clear();
        for item in items {
            self.emit(&item, *group, out);
        }
    }

    /// The act of a provision that names none: cited with its act before in this paragraph, the context's, or
    /// the constitution of the jurisdiction for an article.
    fn implied(&mut self, item: &Item) -> Option<Act> {
        let kind = item.kind?;
        let at = self.toks.partition_point(|t| (t.start as usize) < item.start);
        if let Some((act, _)) =
            self.announced.filter(|(act, until)| at < *until && self.fits(*act, Some(kind)))
        {
            return Some(act);
        }
        if let Some(act) = self.by_number.get(&(kind, item.num.base, item.num.letters.clone())).copied() {
            let act = act?;
            return Some(if self.rival(at, act, kind) { Act::Unclear } else { act });
        }
        let default = self.context.default_work.as_ref().and_then(|w| self.lexicon.index(w)).map(Act::Known);
        let constitution = || {
            (kind == UnitName::Article && self.context.jurisdiction.as_deref() == Some("in")).then(|| {
                self.lexicon.works.iter().position(|w| w.id.as_str() == "in/constitution").map(Act::Known)
            })?
        };
        let own = default.filter(|act| self.fits(*act, Some(kind))).or_else(constitution)?;
        if self.foreign_before(item) {
            return Some(Act::Other);
        }
        Some(if self.abbreviation_behind(item) || self.rival(at, own, kind) { Act::Unclear } else { own })
    }

    /// Whether an act that is not of the catalogue stands directly before: `POCSO Act, 2012, Section 4`.
    fn foreign_before(&self, item: &Item) -> bool {
        let first = self.toks.partition_point(|t| (t.start as usize) < item.start);
        let mut p = first;
        for _ in 0..5 {
            let Some(q) = p.checked_sub(1) else { return false };
            p = q;
            let tok = self.t(p);
            match tok.t {
                T::Sign(',' | '\'' | '(' | ')' | ':' | '-') => {}
                T::Num(y, 4) if (1700..2100).contains(&y) => {}
                T::Word(_) => match self.kw(p) {
                    Kw::Act(_) => return tok.capital && p > 0 && self.t(p - 1).capital,
                    Kw::Under | Kw::In | Kw::Of | Kw::SectionAbbr => {}
                    Kw::None => {
                        let near = (p + 1..first).all(|n| matches!(self.t(n).t, T::Sign(_)));
                        return tok.caps && near && self.word(p).len() <= 7 && !self.t(first).caps;
                    }
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }

    fn emit(&mut self, item: &Item, group: usize, out: &mut Vec<Extracted>) {
        let span = (item.start, item.end.max(item.start));
        let raw = self.text.get(span.0..span.1).unwrap_or_default().to_owned();
        let kind = item.kind;
        if let (Some(act), Some(kind)) = (item.act, kind)
            && !matches!(act, Act::Lost | Act::Unclear)
        {
            self.by_number
                .entry((kind, item.num.base, item.num.letters.clone()))
                .and_modify(|a| {
                    if *a != Some(act) {
                        *a = None;
                    }
                })
                .or_insert(Some(act));
        }
        let blank = Extracted {
            span,
            raw,
            work: None,
            unit: None,
            pins: Vec::new(),
            or: None,
            until: None,
            group,
            unresolved: None,
            quotes: Vec::new(),
        };
        let (work, unit_name, grammar) = match item.act {
            Some(Act::Known(w)) => match self.lexicon.work(w) {
                Some(work) => (Some(work.id.clone()), work.unit, work.grammar),
                None => return,
            },
            _ => (None, kind.unwrap_or(UnitName::Section), Grammar::IndianAct),
        };
        let unresolved = match item.act {
            Some(Act::Known(_)) => None,
            Some(Act::Other) => Some(Unresolved::OtherAct),
            Some(Act::Unclear) => Some(Unresolved::Unclear),
            Some(Act::Lost) => Some(Unresolved::NoAntecedent),
            None => Some(Unresolved::NoAct),
        };
        let num = &item.num;
        let mut number = Number::lettered(num.base, &num.letters);
        let mut or = None;
        let mut until = item.until.as_ref().map(|n| unit_name.unit(Number::lettered(n.base, &n.letters)));
        let mut second = None;
        let pins = pins_of(&item.pins, grammar);
        if let [Pin::Label(label)] = item.pins.as_slice() {
            let capital = label.starts_with(|c: char| c.is_ascii_uppercase());
            if let Some(limb) = parse_roman(label).filter(|_| capital && grammar == Grammar::IndianAct) {
                or =
                    Some(Reading { unit: unit_name.unit(number.clone()), pins: vec![format!("part{limb}")] });
            }
        }
        if let Some((to, letters)) = &num.dash {
            let to_number = Number::lettered(*to, letters);
            if grammar == Grammar::ChineseCode && letters.is_empty() && *to < num.base {
                number = Number::with_sub(num.base, *to);
            } else if to_number > number {
                until = Some(unit_name.unit(to_number));
            } else {
                second = Some(to_number);
            }
        } else if !num.letters.is_empty()
            && let Some(limb) = parse_roman(&num.letters)
        {
            // `304-II`: Part II of 304, where no section 304II exists.
            or = Some(match grammar {
                Grammar::ChineseCode => {
                    Reading { unit: unit_name.unit(Number::with_sub(num.base, limb)), pins: pins.clone() }
                }
                Grammar::IndianAct => Reading {
                    unit: unit_name.unit(Number::plain(num.base)),
                    pins: std::iter::once(format!("part{limb}")).chain(pins.iter().cloned()).collect(),
                },
            });
        }
        let first = Extracted {
            work: work.clone(),
            unit: Some(unit_name.unit(number)),
            pins: if second.is_some() { Vec::new() } else { pins.clone() },
            or,
            until,
            unresolved,
            ..blank.clone()
        };
        self.last.push(Cited { act: item.act, unit: first.unit.clone(), pins: first.pins.clone() });
        let whole = Cited { act: item.act, unit: first.unit.clone(), pins: Vec::new() };
        if self.history.len() < 3 && !self.history.contains(&whole) {
            self.history.push(whole);
        }
        out.push(first);
        if let Some(number) = second {
            let unit = Some(unit_name.unit(number));
            self.last.push(Cited { act: item.act, unit: unit.clone(), pins: pins.clone() });
            out.push(Extracted { work, unit, pins, unresolved, ..blank });
        }
    }

    /// "the said section": the last provision named in this paragraph, or all of the last list for a plural.
    fn anaphor(
        &mut self,
        i: usize,
        end: usize,
        pins: &[Vec<Pin>],
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        let span = (self.t(i).start as usize, self.t(end - 1).end as usize);
        let raw = self.text.get(span.0..span.1).unwrap_or_default().to_owned();
        let noun = self.kw(end - 1);
        let plural = matches!(noun, Kw::Section { plural: true } | Kw::Article { plural: true });
        *group += 1;
        let targets: Vec<Cited> =
            if plural { self.last.clone() } else { self.last.last().cloned().into_iter().collect() };
        let blank = Extracted {
            span,
            raw,
            work: None,
            unit: None,
            pins: Vec::new(),
            or: None,
            until: None,
            group: *group,
            unresolved: Some(Unresolved::NoAntecedent),
            quotes: Vec::new(),
        };
        if targets.is_empty() {
            out.push(blank);
            return end;
        }
        for cited in targets {
            let (work, grammar, unresolved) = match cited.act {
                Some(Act::Known(w)) => match self.lexicon.work(w) {
                    Some(w) => (Some(w.id.clone()), w.grammar, None),
                    None => continue,
                },
                Some(Act::Other) => (None, Grammar::IndianAct, Some(Unresolved::OtherAct)),
                _ => (None, Grammar::IndianAct, Some(Unresolved::NoAntecedent)),
            };
            let keeps = noun == Kw::Provision;
            let paths: Vec<Vec<String>> = if pins.is_empty() {
                vec![if keeps { cited.pins.clone() } else { Vec::new() }]
            } else {
                pins.iter().map(|p| pins_of(p, grammar)).collect()
            };
            for path in paths {
                out.push(Extracted {
                    work: work.clone(),
                    unit: cited.unit.clone(),
                    pins: path,
                    unresolved,
                    ..blank.clone()
                });
            }
        }
        end
    }

    /// `Seventh Schedule, List II, Entry 1 of the Constitution`.
    fn schedule(
        &mut self,
        i: usize,
        prefix: Option<Act>,
        from: usize,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> Option<usize> {
        let mut number = None;
        let mut list = None;
        let mut entries: Vec<String> = Vec::new();
        let mut paragraphs: Vec<Vec<String>> = Vec::new();
        let mut j = i;
        let mut end = i;
        for _ in 0..12 {
            let before = j;
            match self.kw(j) {
                Kw::Ordinal(n) if self.kw(j + 1) == Kw::Schedule && number.is_none() => {
                    number = Some(n);
                    j += 2;
                }
                Kw::Schedule if number.is_none() => {
                    let (n, next) = self.small_number(j + 1)?;
                    number = Some(n);
                    j = next;
                }
                Kw::List if list.is_none() => {
                    let (n, next) = self.small_number(j + 1)?;
                    list = Some(n);
                    j = next;
                }
                Kw::Entry if entries.is_empty() => {
                    let mut k = j + 1;
                    k += usize::from(self.kw(k) == Kw::No);
                    k += usize::from(self.is(k, '.'));
                    while let Some((num, next)) = self.number_at(k) {
                        entries.push(format!("{}{}", num.base, num.letters));
                        if let Some((to, _)) = num.dash {
                            entries.extend((num.base + 1..=to.min(num.base + 100)).map(|n| n.to_string()));
                        }
                        k = next;
                        let Some((s, _)) = self.separator(k) else { break };
                        let s = self.separator(s).map_or(s, |(s, _)| s);
                        if self.num(s).is_none() || entries.len() > 100 {
                            break;
                        }
                        k = s;
                    }
                    if entries.is_empty() {
                        return None;
                    }
                    j = k;
                }
                Kw::Paragraph if paragraphs.is_empty() => {
                    let (num, mut next) = self.number_at(j + 1 + usize::from(self.is(j + 1, '.')))?;
                    let mut path = vec![format!("para{}{}", num.base, num.letters)];
                    while let Some((label, after)) = self.bracketed(next) {
                        path.push(label);
                        next = after;
                    }
                    paragraphs.push(path);
                    j = next;
                }
                _ => {}
            }
            if j == before {
                let named = match self.word(j).to_ascii_lowercase().as_str() {
                    "union" => Some(1),
                    "state" => Some(2),
                    "concurrent" => Some(3),
                    _ => None,
                };
                if let Some(n) =
                    named.filter(|_| self.kw(j + 1) == Kw::List && list.is_none_or(|l| Some(l) == named))
                {
                    list = Some(n);
                    j += 2;
                } else {
                    // Between the parts.
                    let link = matches!(self.kw(j), Kw::Of | Kw::To | Kw::In | Kw::The)
                        || matches!(self.t(j).t, T::Sign(',' | '-' | '(' | ')'));
                    let more = (1..4).any(|n| {
                        matches!(
                            self.kw(j + n),
                            Kw::Schedule | Kw::List | Kw::Entry | Kw::Paragraph | Kw::Ordinal(_)
                        )
                    });
                    if link && more {
                        j += 1;
                        continue;
                    }
                    break;
                }
            }
            end = j;
        }
        if number.is_none() && list.is_none() {
            return None;
        }
        if number.is_none() && entries.is_empty() {
            return None;
        }
        let mut next = end;
        let mut act = prefix;
        if act.is_none() {
            let k = end + usize::from(self.is(end, ','));
            let k = if self.kw(k) == Kw::To { k + 1 } else { k };
            let k = k + usize::from(self.kw(k) == Kw::The);
            if let Some((found, after)) = self.name_at(k) {
                act = Some(found);
                next = after;
            } else if let Some((found, after, _)) = self.act_after(end, true, false) {
                act = Some(found);
                next = after;
            }
        }
        if act.is_none()
            && list.is_some()
            && number.is_none_or(|n| n == 7)
            && self.context.jurisdiction.as_deref() == Some("in")
        {
            act = self.lexicon.works.iter().position(|w| w.id.as_str() == "in/constitution").map(Act::Known);
        }
        let number = number.or_else(|| list.map(|_| 7))?;
        let act = act?;
        let (work, unresolved) = match act {
            Act::Known(w) => (Some(self.lexicon.work(w)?.id.clone()), None),
            Act::Other => (None, Some(Unresolved::OtherAct)),
            Act::Unclear => (None, Some(Unresolved::Unclear)),
            Act::Lost => (None, Some(Unresolved::NoAntecedent)),
        };
        self.remember(act, None);
        let mut paths: Vec<Vec<String>> = Vec::new();
        let stem: Vec<String> = list.map(|l| format!("list{l}")).into_iter().collect();
        for entry in &entries {
            let mut path = stem.clone();
            path.push(format!("e{entry}"));
            paths.push(path);
        }
        paths.extend(paragraphs);
        if paths.is_empty() {
            paths.push(stem);
        }
        let span = (self.t(from).start as usize, self.t(next.wrapping_sub(1)).end as usize);
        let raw = self.text.get(span.0..span.1)?.to_owned();
        *group += 1;
        for pins in paths {
            out.push(Extracted {
                span,
                raw: raw.clone(),
                work: work.clone(),
                unit: Some(Unit::Schedule(Number::plain(number))),
                pins,
                or: None,
                until: None,
                group: *group,
                unresolved,
                quotes: Vec::new(),
            });
        }
        Some(next)
    }

    // Law reports.

    fn reporter(&self, i: usize, list: &[&str]) -> bool {
        let word = self.word(i);
        if word.is_empty() || word.len() > 10 || !self.t(i).capital {
            return false;
        }
        list.iter().any(|r| word.eq_ignore_ascii_case(r))
    }

    /// A law report or a neutral citation at `i`: the token after it.
    fn report_at(&self, i: usize) -> Option<usize> {
        let year = |k: usize| self.year_like(k);
        // MANU/SC/0001/2000
        if self.word(i).eq_ignore_ascii_case("manu") && self.is(i + 1, '/') {
            let mut k = i + 1;
            while k < i + 8
                && matches!(self.t(k).t, T::Sign('/' | '-') | T::Word(_) | T::Num(..))
                && !self.t(k).spaced
            {
                k += 1;
            }
            return Some(k);
        }
        let mut k = i;
        let mut dated = false;
        match self.t(i).t {
            T::Sign('(' | '[') => {
                if !(year(i + 1) && matches!(self.t(i + 2).t, T::Sign(')' | ']'))) {
                    return None;
                }
                dated = true;
                k = i + 3;
            }
            T::Num(..) if year(i) => {
                dated = true;
                k = i + 1;
                // 2019:DHC:123
                if self.is(k, ':') && self.t(k + 1).caps {
                    let mut m = k;
                    while m < k + 7
                        && matches!(self.t(m).t, T::Sign(':' | '-') | T::Word(_) | T::Num(..))
                        && !self.t(m).spaced
                    {
                        m += 1;
                    }
                    return matches!(self.t(m - 1).t, T::Num(..)).then_some(m);
                }
            }
            T::Word(_) if self.reporter(i, STRONG) => {}
            _ => return None,
        }
        // Reporter words, volumes and a page, in any of the usual orders; it ends in a number.
        let mut strong = false;
        let mut end = None;
        let start = k;
        while k < start + 12 {
            match self.t(k).t {
                T::Word(_) if self.reporter(k, REPORTERS) => {
                    strong |= self.reporter(k, STRONG);
                    end = None;
                }
                T::Word(_) if self.word(k).eq_ignore_ascii_case("on") && self.reporter(k + 1, &["line"]) => {
                    k += 1
                }
                T::Num(..) if year(k) && !dated && k > start => dated = true,
                T::Num(..) => {
                    if end.is_some() {
                        break;
                    }
                    if strong && dated {
                        end = Some(k + 1);
                    }
                }
                T::Sign('(' | '[') => {
                    // `(8)`, `(Cri)`, `(2001)` inside.
                    let inner = matches!(self.t(k + 1).t, T::Num(..)) || self.reporter(k + 1, REPORTERS);
                    if !inner || end.is_some() {
                        break;
                    }
                    if year(k + 1) {
                        dated = true;
                    }
                    strong |= self.reporter(k + 1, STRONG);
                    if !matches!(self.t(k + 2).t, T::Sign(')' | ']')) {
                        break;
                    }
                    k += 2;
                }
                T::Sign('.') if self.reporter(k.wrapping_sub(1), REPORTERS) => {}
                _ => break,
            }
            k += 1;
        }
        if strong && dated { end } else { None }
    }

    fn report(&mut self, i: usize, end: usize, group: &mut usize, out: &mut Vec<Extracted>) -> usize {
        let span = (self.t(i).start as usize, self.t(end - 1).end as usize);
        *group += 1;
        out.push(Extracted {
            span,
            raw: self.text.get(span.0..span.1).unwrap_or_default().to_owned(),
            work: None,
            unit: None,
            pins: Vec::new(),
            or: None,
            until: None,
            group: *group,
            unresolved: Some(Unresolved::Report),
            quotes: Vec::new(),
        });
        end
    }
}

/// What a number before it measures: no section.
const MEASURES: &[&str] = &[
    "day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours", "minutes", "times",
    "persons", "people", "rupees", "lakh", "lakhs", "crore", "crores", "metres", "meters", "km", "kg",
    "acres", "percent",
];

/// What is counted when a number stands before an act: `12 IPC offences`.
const COUNTED: &[&str] = &[
    "offences",
    "offenses",
    "cases",
    "sections",
    "provisions",
    "crimes",
    "charges",
    "matters",
    "convictions",
    "firs",
    "articles",
    "amendments",
    "chapters",
    "complaints",
    "trials",
];

/// Whether two labels are of one kind: figures, Roman numerals, or letters.
fn same_kind(a: &str, b: &str) -> bool {
    let figure = |s: &str| s.starts_with(|c: char| c.is_ascii_digit());
    figure(a) == figure(b)
}

/// The labels strictly between two: (a) to (d), (1) to (3), (i) to (iv).
fn labels_between(from: &str, to: &str) -> Vec<String> {
    let figure = |s: &str| s.parse::<u32>().ok();
    if let (Some(a), Some(b)) = (figure(from), figure(to)) {
        return (a + 1..b.min(a + 60)).map(|n| n.to_string()).collect();
    }
    let letter = |s: &str| if s.len() == 1 { s.bytes().next().filter(u8::is_ascii_lowercase) } else { None };
    // (i) to (iv) counts in Roman numerals; (c) to (i) in letters.
    if let (Some(a), Some(b)) = (parse_roman(from), parse_roman(to))
        && a < b
        && (from.len() > 1 || to.len() > 1 || from == "i")
    {
        return (a + 1..b).map(|n| to_roman(n).to_ascii_lowercase()).collect();
    }
    match (letter(from), letter(to)) {
        (Some(a), Some(b)) if a < b => (a + 1..b).map(|c| (c as char).to_string()).collect(),
        _ => Vec::new(),
    }
}

/// Pinpoints as ids have them. In a Chinese code the first figure in brackets is 款, the second 项.
fn pins_of(pins: &[Pin], grammar: Grammar) -> Vec<String> {
    let mut out = Vec::new();
    for pin in pins {
        out.push(match (pin, grammar) {
            (Pin::Named(name), _) => name.clone(),
            (Pin::Paragraph(n), _) => format!("p{n}"),
            (Pin::Item(n), _) => format!("i{n}"),
            (Pin::Label(label), Grammar::ChineseCode) => {
                let figure = label.parse::<u32>().ok().or_else(|| parse_roman(label));
                match figure {
                    Some(n) if out.is_empty() => format!("p{n}"),
                    Some(n) => format!("i{n}"),
                    None => label.to_ascii_lowercase(),
                }
            }
            (Pin::Label(label), Grammar::IndianAct) => label.to_ascii_lowercase(),
        });
    }
    out
}
