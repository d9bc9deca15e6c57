//! Numbers beside an act's name without a word for a section: `302 IPC`, `IPC 302`. Courts write so, and so do people who
//! count (`3 IPC provisions`) or number other things (`Chapters 16 and 17 of the IPC`).

use crate::manifest::UnitName;

use super::super::lex::{Kw, T};
use super::{Act, Item, Join, Pin, Scanner};

/// What a number beside an act's name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// A provision.
    Provision,
    /// A provision or something else.
    Doubt,
    /// A count, or the number of something else.
    Other,
}

/// Most tokens that are looked back through for the noun that a list of numbers belongs to.
const LOOK_BACK: usize = 24;

/// Words before a bare provision: what courts do with it.
const LAW: &[&str] = &[
    "offence",
    "offences",
    "offense",
    "offenses",
    "crime",
    "crimes",
    "charge",
    "charges",
    "conviction",
    "punishable",
    "bailable",
    "cognizable",
    "attracts",
    "attract",
    "attracting",
    "invoking",
    "invokes",
    "invoke",
    "violating",
    "violates",
    "violation",
    "facing",
    "faces",
    "face",
    "lost",
    "sentence",
    "trial",
    "bail",
    "guilty",
    "framing",
    "adding",
    "alleging",
    "viz",
    "namely",
    "ie",
    "eg",
    "cf",
    "see",
    "re",
    "into",
    "than",
    "punishing",
    "convicting",
    "per",
    "अपराध",
    "जुर्म",
    "आरोप",
    "आरोपी",
    "अंतर्गत",
    "अन्तर्गत",
    "apradh",
    "jurm",
];

/// Words before a number that make it a count.
const QUANTITY: &[&str] = &[
    "any",
    "top",
    "all",
    "each",
    "every",
    "only",
    "his",
    "her",
    "their",
    "my",
    "your",
    "these",
    "those",
    "some",
    "many",
    "several",
    "about",
    "nearly",
    "almost",
    "over",
    "another",
    "more",
    "other",
    "total",
    "last",
    "next",
    "exactly",
    "least",
    "most",
    "around",
    "approximately",
    "roughly",
    "best",
    "important",
    "कुल",
    "सभी",
];

/// Words that follow a finished citation and are no nouns.
const FOLLOWS: &[&str] = &[
    "a",
    "an",
    "he",
    "she",
    "they",
    "we",
    "i",
    "you",
    "his",
    "her",
    "these",
    "those",
    "not",
    "only",
    "alone",
    "itself",
    "if",
    "when",
    "while",
    "because",
    "since",
    "though",
    "although",
    "so",
    "then",
    "thus",
    "hence",
    "therefore",
    "do",
    "does",
    "did",
    "can",
    "could",
    "may",
    "might",
    "must",
    "will",
    "would",
    "should",
    "had",
    "be",
    "been",
    "being",
    "who",
    "whom",
    "whose",
    "whereas",
    "whether",
    "there",
    "here",
    "before",
    "after",
    "during",
    "upon",
    "within",
    "without",
    "between",
    "than",
    "per",
    "at",
    "nor",
    "yet",
    "until",
    "till",
    "too",
    "etc",
    "because",
    "despite",
    "made",
    "makes",
    "lies",
    "stands",
    "stood",
    "carries",
    "covers",
    "deals",
    "requires",
    "applied",
    "including",
    "ke",
    "ka",
    "ki",
    "mein",
    "me",
    "hai",
    "aur",
    "पर",
    "को",
    "ने",
    "भी",
    "ही",
    "था",
    "थी",
    "हैं",
    "होगा",
    "दर्ज",
    "पंजीबद्ध",
];

/// What a number before it measures: no section.
const MEASURES: &[&str] = &[
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "hour",
    "hours",
    "minutes",
    "times",
    "persons",
    "people",
    "rupees",
    "lakh",
    "lakhs",
    "crore",
    "crores",
    "metres",
    "meters",
    "km",
    "kg",
    "acres",
    "percent",
    "readers",
    "words",
    "lines",
    "marks",
    "questions",
    "रुपये",
    "रुपए",
    "रूपये",
    "लोग",
    "लोगों",
    "व्यक्तियों",
];

impl Scanner<'_> {
    fn one_of(&self, i: usize, list: &[&str]) -> bool {
        let word = self.word(i);
        !word.is_empty() && list.iter().any(|w| word.eq_ignore_ascii_case(w))
    }

    /// Whether a number at `i` belongs to a noun that is numbered itself: `Chapters 16 and` 17, `Accused Nos. 3 to` 9.
    pub(super) fn governed(&self, i: usize) -> Bare {
        let mut comma = false;
        let mut joined = false;
        let mut numbers = 0;
        let mut q = i;
        for _ in 0..LOOK_BACK {
            let Some(p) = q.checked_sub(1) else { return Bare::Provision };
            q = p;
            match self.t(q).t {
                T::Num(..) => numbers += 1,
                T::Sign('/' | '-') => joined = true,
                T::Sign(',') => {
                    comma = true;
                    joined = true;
                }
                // `Nos. 1`
                T::Sign('.') if q > 0 && matches!(self.kw(q - 1), Kw::No | Kw::NotALaw | Kw::Paragraph) => {}
                // `in this case and 302 IPC`: the noun has no number.
                T::Word(_) if joined && numbers == 0 && !self.joins(q) => return Bare::Provision,
                T::Word(_) | T::Sign('&') => {
                    joined |= self.kw(q) != Kw::No;
                    let and = self.is(q, '&') || matches!(self.kw(q), Kw::And | Kw::Or);
                    match self.kw(q) {
                        Kw::To | Kw::Through | Kw::No => {}
                        // `Accused 1 and 2, 302 IPC`: a list that has had its `and` is over; the chapters of an act
                        // are counted on.
                        _ if and => {
                            if comma && !self.inside_an_act(q) {
                                return Bare::Provision;
                            }
                        }
                        // `Rules 3 and 4 of the CrPC`
                        Kw::Act(_) if !comma && numbers > 0 => return Bare::Other,
                        kw @ (Kw::NotALaw | Kw::Label) => {
                            // `FIR No. 12, 302 IPC`
                            let one = comma && !self.part_of_act(q, kw);
                            return if one { Bare::Doubt } else { Bare::Other };
                        }
                        Kw::Paragraph
                        | Kw::Part
                        | Kw::Limb
                        | Kw::Schedule
                        | Kw::List
                        | Kw::Entry
                        | Kw::Exception
                        | Kw::Explanation
                        | Kw::Illustration
                        | Kw::Proviso
                        | Kw::Clause
                        | Kw::SubClause
                        | Kw::SubSection
                        | Kw::Item => return if comma { Bare::Doubt } else { Bare::Other },
                        Kw::Section { .. } | Kw::SectionAbbr
                            if q > 0 && (self.kw(q - 1) == Kw::Sub || self.is(q - 1, '-')) =>
                        {
                            return Bare::Other;
                        }
                        _ => return Bare::Provision,
                    }
                }
                _ => return Bare::Provision,
            }
        }
        Bare::Provision
    }

    fn joins(&self, q: usize) -> bool {
        matches!(self.kw(q), Kw::And | Kw::Or | Kw::To | Kw::Through | Kw::No)
    }

    /// Whether the list before `q` is one of chapters, questions and the like, which go on behind their `and`.
    fn inside_an_act(&self, q: usize) -> bool {
        (1..LOOK_BACK)
            .map_while(|n| q.checked_sub(n))
            .find(|p| {
                matches!(self.t(*p).t, T::Word(_))
                    && !matches!(self.kw(*p), Kw::And | Kw::Or | Kw::To | Kw::No)
            })
            .is_some_and(|p| self.part_of_act(p, self.kw(p)))
    }

    /// Chapters, titles, volumes, rules: numbered inside a book of law.
    fn part_of_act(&self, q: usize, kw: Kw) -> bool {
        const PARTS: &[&str] = &[
            "chapter",
            "chapters",
            "title",
            "titles",
            "volume",
            "volumes",
            "vol",
            "rule",
            "order",
            "page",
            "pages",
            "form",
            "question",
            "questions",
            "point",
            "points",
            "lesson",
            "lessons",
            "unit",
            "units",
            "topic",
            "topics",
            "module",
            "modules",
            "अध्याय",
            "प्रश्न",
            "पृष्ठ",
        ];
        matches!(kw, Kw::NotALaw | Kw::Label) && self.one_of(q, PARTS)
    }

    /// Whether the word at `j` behind `302 IPC` or `IPC 302` makes the number a count or a description of something else.
    pub(super) fn counts_something(&self, j: usize, sure: bool) -> bool {
        if !matches!(self.t(j).t, T::Word(_)) || self.closes(j) || self.one_of(j, FOLLOWS) {
            return false;
        }
        match self.kw(j) {
            Kw::The
            | Kw::Also
            | Kw::Said
            | Kw::That
            | Kw::This
            | Kw::With
            | Kw::Well
            | Kw::Through
            | Kw::Says
            | Kw::Our
            | Kw::Act(_) => return false,
            // `12 IPC sections`
            Kw::Section { .. } | Kw::SectionAbbr | Kw::Article { .. } => return self.head_at(j).is_none(),
            // A place inside it, which has been looked at.
            _ if self.place_kind(j).is_some() => return false,
            _ => {}
        }
        let word = self.word(j).to_ascii_lowercase();
        if word.ends_with("ed") || word.ends_with("ly") {
            return false;
        }
        // `a 302 IPC case`, `164 CrPC statement`: what is counted is in the plural. But not `5 IPC case laws`.
        let several = ["people", "men", "women", "children", "accused"].contains(&word.as_str());
        let one = word.is_ascii() && word.len() > 3 && !word.ends_with('s') && !several;
        if one && !self.t(j).capital && (self.closes(j + 1) || self.one_of(j + 1, FOLLOWS)) {
            return false;
        }
        !sure
    }

    /// What a list without a head word is, from token `from` to `j`, where it has an act.
    pub(super) fn bare_list(&self, from: usize, j: usize, items: &[Item]) -> Bare {
        let pinned = |item: &Item| {
            item.pins.iter().any(|p| matches!(p, Pin::Label(_)))
                || (!item.num.letters.is_empty() && item.num.join != Join::Space)
        };
        // `498A`, `156(3)`, `302/34` are the shapes of provisions.
        let stroke = items.len() > 1
            && (from..j).any(|n| self.is(n, '/') && !self.t(n).spaced && self.num(n + 1).is_some());
        // `the Army Act, 1950 (46 of 1950), the Navy Act`: the year of the act before.
        let title = from.checked_sub(1).map(|p| if self.is(p, ',') { p.saturating_sub(1) } else { p });
        if self.year_like(from) && title.is_some_and(|p| matches!(self.kw(p), Kw::Act(_))) {
            return Bare::Other;
        }
        let sure = stroke || items.iter().any(pinned);
        if self.counts_something(j, sure) {
            return Bare::Other;
        }
        // `12 – IPC`
        let parted = (from + 1..j).any(|n| {
            self.is(n, '-')
                && self.t(n).spaced
                && self.t(n + 1).spaced
                && matches!(self.t(n + 1).t, T::Word(_))
        });
        // `21 Constitution` is not how articles are cited.
        let articles = items.iter().any(|item| match item.act {
            Some(Act::Known(w)) => self.lexicon.work(w).is_some_and(|w| w.unit == UnitName::Article),
            _ => false,
        });
        // `1 IPC`, and a number starts the next line: a list of subjects.
        let lines = matches!(self.t(j).t, T::Num(..)) && j > 0 && self.line_ends(j - 1);
        // `Age: 34 IPC: 302`, `Forest Act 26, 33 IPC 379`, and `25;3` with `IPC` on the next line: the name is of what follows.
        let next = j + usize::from(self.is(j, ':'));
        let ahead = self.number_at(next).is_some_and(|(_, after)| {
            let counted = self.year_like(next) || self.measured(after, true, true);
            (next > j || !counted && self.act_after(after, false, false).is_none())
                && self.report_at(next).is_none()
        });
        let next_line = (from..j)
            .any(|n| self.num(n).is_some() && self.line_ends(n) && self.name_at_word(n + 1).is_some());
        if lines || parted || ahead || next_line || articles && !(from..j).any(|n| self.is_of(n)) {
            return Bare::Doubt;
        }
        let Some(p) = from.checked_sub(1) else { return Bare::Provision };
        let tok = self.t(p);
        match tok.t {
            // `Q. 34 IPC`, `Sr. 5 IPC`
            T::Sign('.') => {
                let short = p > 0 && matches!(self.t(p - 1).t, T::Word(_)) && self.word(p - 1).len() <= 3;
                let act = p > 0 && self.kw(p - 1) == Kw::None && self.t(p - 1).caps;
                if short && !act { Bare::Doubt } else { Bare::Provision }
            }
            T::Sign('#' | '%' | '$' | '₹' | '*') => Bare::Doubt,
            T::Sign(_) | T::End => Bare::Provision,
            T::Num(..) => Bare::Doubt,
            // `3 of 4 IPC`
            T::Word(_) if self.is_of(p) && p > 0 && self.num(p - 1).is_some() => Bare::Doubt,
            T::Word(_) => match self.kw(p) {
                Kw::Under
                | Kw::In
                | Kw::Of
                | Kw::And
                | Kw::Or
                | Kw::With
                | Kw::Rw
                | Kw::Read
                | Kw::To
                | Kw::As
                | Kw::Along
                | Kw::Also
                | Kw::After
                | Kw::Says
                | Kw::Section { .. }
                | Kw::SectionAbbr
                | Kw::Provision => Bare::Provision,
                // `both 302 and 307 IPC`
                _ if self.one_of(p, &["both", "either", "neither", "not"]) => Bare::Provision,
                _ if self.one_of(p, QUANTITY) => Bare::Other,
                Kw::Ordinal(_) => Bare::Other,
                _ if self.one_of(p, LAW) => Bare::Provision,
                _ => {
                    let word = self.word(p).to_ascii_lowercase();
                    let lower = !tok.capital || tok.caps;
                    if word.ends_with("ed") || (sure && lower) { Bare::Provision } else { Bare::Doubt }
                }
            },
        }
    }

    /// Whether the number at `j` behind an act's name is the label of the next line of a list: `1. IPC 2. CrPC`.
    pub(super) fn list_label(&self, i: usize, j: usize) -> bool {
        let Some((value, _)) = self.num(j) else { return false };
        let close = j + 1;
        let dot = self.is(close, '.') && self.t(close + 1).spaced;
        let bracket = self.is(close, ')');
        if !dot && !bracket {
            return false;
        }
        // `(IPC 302)`
        let opened = (1..14).map_while(|n| i.checked_sub(n)).any(|p| self.is(p, '('));
        let labelled = i.checked_sub(2).is_some_and(|p| {
            self.num(p).is_some_and(|(_, d)| d <= 2) && (self.is(p + 1, '.') || self.is(p + 1, ')'))
        });
        let line = j > 0 && self.line_ends(j - 1);
        (bracket && !opened)
            || labelled && value < 100
            || line && value < 100
            || (value < 30 && self.name_at(close + 1).is_some())
    }

    /// Whether a line ends behind token `i`.
    fn line_ends(&self, i: usize) -> bool {
        self.text.get(self.t(i).end as usize..self.t(i + 1).start as usize).is_some_and(|s| s.contains('\n'))
    }

    /// Whether what stands behind a number says that it counts: `21 days`, `5 others`, `3 accused`.
    ///
    /// `open`: nothing before says that it is a section.
    pub(super) fn measured(&self, next: usize, open: bool, plural: bool) -> bool {
        let word = self.word(next);
        let one_of = |list: &[&str]| list.iter().any(|w| word.eq_ignore_ascii_case(w));
        if word.is_empty() || !self.t(next).spaced && word.is_ascii() {
            return false;
        }
        if one_of(MEASURES) {
            return true;
        }
        let people = one_of(&["others", "other", "accused", "more", "men", "women", "children", "people"]);
        // The last of `Sections 302, 307 and 3 constables`: a verb of a plural has no `s`.
        let things = plural
            && self.kw(next) == Kw::None
            && word.len() > 3
            && word.is_ascii()
            && word.ends_with(['s', 'S'])
            && self.name_at(next).is_none()
            && self.read_with(next).is_none();
        // `Article 226 petition` describes, `Section 3 chapters` counts.
        let numbered = matches!(self.kw(next), Kw::NotALaw | Kw::Label)
            && (!word.is_ascii() || word.ends_with(['s', 'S']));
        people || numbered || (open && things)
    }

    /// `her article 370`, `an article 21`: a piece of writing, where the word has no capital.
    pub(super) fn of_an_author(&self, from: usize) -> bool {
        const AUTHORS: &[&str] = &[
            "her",
            "his",
            "my",
            "your",
            "their",
            "our",
            "a",
            "an",
            "whose",
            "newspaper",
            "magazine",
            "news",
            "journal",
            "blog",
            "recent",
            "long",
            "short",
            "this",
            "that",
        ];
        let Some(p) = from.checked_sub(1) else { return false };
        !self.t(from).capital
            && matches!(self.kw(from), Kw::Article { .. })
            && (AUTHORS.iter().any(|w| self.word(p).eq_ignore_ascii_case(w))
                || self.is(p.saturating_sub(1), '\'') && self.word(p) == "s")
    }
}
