//! Citations in English, Hindi and romanised Hindi.

mod bare;
mod chain;
mod countries;
mod defined;
mod emit;
mod foreign;
mod labels;
mod law_numbers;
mod mentions;
mod names;
mod numbers;
mod places;
pub(crate) mod reports;
mod schedules;
mod tail;
mod unread;
mod words;

use crate::id::Unit;
use crate::manifest::UnitName;

use super::lex::{self, Class, END, Kw, T, Tok};
use super::lexicon::Lexicon;
use super::{Context, Extracted, Unresolved};
use mentions::Mentions;

/// Whose provision it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// Written in Roman numerals.
    roman: bool,
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
    /// The bytes of a place beside it that could not be read.
    unread: Option<(usize, usize)>,
    /// A number beside an act's name that may count or label something else; its act is [`Act::Unclear`].
    bare: bool,
    /// Joined by a mere comma behind an act: ours only if an act follows.
    loose: bool,
    /// It begins anew with a word of its own behind an act that was named behind the one before: `Section 302 IPC and
    /// Section 313` may be of another act.
    apart: bool,
}

impl Item {
    /// Leaves open whether it is a provision at all.
    fn doubt(&mut self) {
        self.act = Some(Act::Unclear);
        self.bare = true;
    }
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

pub(crate) struct Scanner<'a> {
    text: &'a str,
    lexicon: &'a Lexicon,
    context: &'a Context,
    toks: Vec<Tok>,
    /// Acts named in this paragraph, the latest last; one for each kind of instrument.
    acts: Vec<(Option<Class>, Act)>,
    /// Kinds of instrument of which this paragraph has named more than one.
    several: Vec<Class>,
    /// What the text so far has defined `the Code`, `the Act` to mean.
    defined: Vec<(Class, Act)>,
    /// The act named last, and the token after its name.
    named: Option<(Act, usize)>,
    /// A place before the next provision that could not be read, in bytes.
    beside: Option<(usize, usize)>,
    /// Whether the bare number that comes next may count or label something else.
    doubted: bool,
    /// The token up to which citations have been read.
    read_to: usize,
    last: Vec<Cited>,
    /// Numbers cited with their act in this paragraph; `None` where two acts share the number.
    by_number: std::collections::HashMap<(UnitName, u32, String), Option<Act>>,
    /// Every provision cited in this paragraph, each once, in order.
    history: Vec<Cited>,
    /// Acts named in this paragraph and the sentences they stand in, read when first asked for.
    mentions: Option<Mentions>,
    /// `The following sections of the X Act`: whose the numbers announced are, until that token.
    announced: Option<(Act, usize)>,
    /// The token after the last name of an act that no provision took.
    name_end: Option<usize>,
    /// The dash at which a list ended whose act may stand before or behind its numbers: `S. 302 - IPC - S. 313 - CrPC`.
    turned: Option<usize>,
    /// Whether the last paragraph ended inside a list that was too long to read.
    runs_on: bool,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str, lexicon: &'a Lexicon, context: &'a Context) -> Self {
        Self {
            text,
            lexicon,
            context,
            toks: Vec::new(),
            acts: Vec::new(),
            several: Vec::new(),
            defined: Vec::new(),
            named: None,
            beside: None,
            doubted: false,
            read_to: 0,
            last: Vec::new(),
            by_number: std::collections::HashMap::new(),
            history: Vec::new(),
            mentions: None,
            announced: None,
            name_end: None,
            turned: None,
            runs_on: false,
        }
    }

    /// Scans `text[from..to]` as one paragraph.
    pub fn paragraph(&mut self, from: usize, to: usize, group: &mut usize, out: &mut Vec<Extracted>) {
        let mut toks = std::mem::take(&mut self.toks);
        lex::tokens(self.text, from, to, self.lexicon, &mut toks);
        self.toks = toks;
        self.numbers_in_words();
        self.acts.clear();
        self.several.clear();
        self.named = None;
        self.beside = None;
        self.read_to = 0;
        self.last.clear();
        self.by_number.clear();
        self.history.clear();
        self.mentions = None;
        self.announced = None;
        self.name_end = None;
        self.turned = None;
        // A paragraph too long for one goes on here.
        let mut i = if std::mem::take(&mut self.runs_on) { self.rest_of_list(0, group, out) } else { 0 };
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

    /// Where the tokens `from..to` stand.
    fn bytes(&self, from: usize, to: usize) -> (usize, usize) {
        (self.t(from).start as usize, self.t(to.saturating_sub(1)).end as usize)
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
                    | Kw::Limb
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
                        match self.leading_pins(i).filter(|_| !self.which_before(i)) {
                            Some((pins, next)) => self.after_leading_pins(i, &pins, next, None, group, out),
                            None => match self.unread_before(i) {
                                Some((end, head)) => {
                                    let first = i - usize::from(self.which_before(i));
                                    self.beside = Some(self.bytes(first, end));
                                    self.chain(first, head, None, &[], group, out)
                                }
                                None if kw == Kw::Sub => i + 2 + usize::from(self.is(i + 1, '-')),
                                None => i + 1,
                            },
                        }
                    }
                    Kw::Said | Kw::That | Kw::This => match (self.anaphor_at(i), self.said_act_at(i)) {
                        (Some(next), _) => self.anaphor(i, next, &[], group, out),
                        (_, Some((act, head))) => self.chain(i, head, Some(act), &[], group, out),
                        _ => i + 1,
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
                None => {
                    self.define(i);
                    i + 1
                }
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
}
