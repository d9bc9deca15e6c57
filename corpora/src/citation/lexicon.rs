//! The names of the works in a catalogue, as the scanners look for them.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::id::WorkId;
use crate::manifest::{Catalogue, Grammar, UnitName, WorkKind};

use super::Context;
use super::lex::{self, Class, Kw};

/// What the grammar needs to know about a work.
#[derive(Debug, Clone)]
pub(crate) struct Work {
    pub id: WorkId,
    pub unit: UnitName,
    pub grammar: Grammar,
    pub kind: WorkKind,
    /// Years that may follow the name and mean this work.
    pub years: Vec<i16>,
    /// Numbers of the law, with their years.
    pub numbers: Vec<(u32, i16)>,
    /// First year in force.
    pub since: i16,
    /// Kinds of instrument its names say it is.
    pub classes: Vec<Class>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Terminal {
    work: u32,
    /// The name can be the tail of another act's title (`Penal Code`, `Constitution`).
    open: bool,
    /// Only in texts of the work's own jurisdiction.
    local: bool,
}

/// A Chinese name.
#[derive(Debug, Clone)]
pub(crate) struct HanName {
    pub name: String,
    pub work: usize,
    /// Other works of that name.
    pub twins: Vec<usize>,
}

/// Words and names, ready for scanning.
#[derive(Debug, Clone)]
pub(crate) struct Lexicon {
    words: HashMap<Box<[u8]>, u32, Fx>,
    kws: Vec<Kw>,
    edges: HashMap<(u32, u32), u32, Fx>,
    terminals: Vec<Option<Terminal>>,
    pub works: Vec<Work>,
    /// Other works that have the name which ends at a node.
    twins: HashMap<u32, Vec<usize>>,
    /// By first character, longest first.
    han: HashMap<char, Vec<HanName>>,
}

/// A fast hash: keys are short words of a fixed vocabulary, and texts only look up, never insert.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fx;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FxHasher(u64);

impl std::hash::Hasher for FxHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            for (to, from) in word.iter_mut().zip(chunk) {
                *to = *from;
            }
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

impl std::hash::BuildHasher for Fx {
    type Hasher = FxHasher;
    fn build_hasher(&self) -> FxHasher {
        FxHasher::default()
    }
}

/// First words that other countries' and states' codes share with these.
const OPEN_STARTS: &[&str] = &[
    "penal",
    "criminal",
    "code",
    "constitution",
    "evidence",
    "civil",
    "procedure",
    "दंड",
    "संविधान",
    "samvidhan",
    "dand",
];

/// The words of a name: letters and digits, in lower case, Devanagari folded.
fn name_words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in name.chars().chain(std::iter::once(' ')) {
        let joins = |w: &str| w.chars().next_back().is_some_and(|l| l.is_ascii_digit()) == c.is_ascii_digit();
        let letter = c.is_alphanumeric() || matches!(c, '\u{0900}'..='\u{097F}' | '\u{200C}' | '\u{200D}');
        if letter && (word.is_empty() || joins(&word)) {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            words.push(lex::fold_devanagari(&word.to_lowercase()));
            word.clear();
        }
        if letter {
            word.push(c);
        }
    }
    words
}

/// `IPC` → `i p c`, `CrPC` → `cr p c`.
fn dotted(name: &str) -> Option<Vec<String>> {
    if name.len() < 2 || name.len() > 6 || !name.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    for c in name.chars() {
        match parts.last_mut() {
            Some(last) if c.is_ascii_lowercase() => last.push(c),
            _ => parts.push(c.to_ascii_lowercase().to_string()),
        }
    }
    (parts.len() > 1).then_some(parts)
}

/// A title without the abbreviation of itself that it gives in brackets, and the abbreviation: its capitals are initials
/// of the title's words in their order, so that `(UK)` or `(No. 2)` is none.
fn without_abbreviation(name: &str) -> (Cow<'_, str>, Option<&str>) {
    let whole = (Cow::Borrowed(name), None);
    let Some((open, close)) = name.rfind('(').zip(name.rfind(')')).filter(|(a, b)| a < b) else {
        return whole;
    };
    let inner = name.get(open + 1..close).unwrap_or_default();
    let short = inner.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '“' | '”' | '\''));
    let short = short.strip_prefix("the ").unwrap_or(short);
    let capitals: Vec<char> = short.chars().filter(char::is_ascii_uppercase).collect();
    let plain = short.bytes().all(|b| b.is_ascii_alphabetic() || b == b'.');
    if !plain || !(2..=8).contains(&short.len()) || capitals.len() < 2 {
        return whole;
    }
    let rest = format!(
        "{}{}",
        name.get(..open).unwrap_or_default().trim_end(),
        name.get(close + 1..).unwrap_or_default()
    );
    let mut initials = rest.split(|c: char| !c.is_alphabetic()).filter_map(|w| w.chars().next());
    let all = capitals.iter().all(|c| initials.any(|i| i.eq_ignore_ascii_case(c)));
    if all { (Cow::Owned(rest), Some(short)) } else { whole }
}

fn years_in(text: &str) -> impl Iterator<Item = i16> + '_ {
    text.split(|c: char| !c.is_ascii_digit()).filter(|w| w.len() == 4).filter_map(|w| w.parse().ok())
}

/// `Act 45 of 1860`, `Act XLV of 1860` as a number and a year.
fn law_number(name: &str) -> Option<(u32, i16)> {
    let (number, year) = name.strip_prefix("Act ")?.split_once(" of ")?;
    let number = number.parse().ok().or_else(|| super::numerals::parse_roman(number))?;
    Some((number, year.parse().ok()?))
}

impl Lexicon {
    pub fn new(catalogue: &Catalogue) -> Self {
        let (words, kws) = lex::grammar_words();
        let mut this = Self {
            words: words.into_iter().collect(),
            kws,
            edges: HashMap::default(),
            terminals: vec![None],
            works: Vec::new(),
            twins: HashMap::new(),
            han: HashMap::new(),
        };
        for manifest in catalogue.all() {
            let work = this.works.len();
            let texts = || manifest.names.values().flatten().chain(manifest.title.values());
            let since = manifest.in_force_from.year();
            let mut years: Vec<i16> = texts().flat_map(|n| years_in(n)).collect();
            if years.is_empty() {
                years.extend([since, since - 1]);
            }
            let mut classes = Vec::new();
            for name in texts() {
                // `Act 45 of 1860` is the number of a law, not what it is called.
                if name.starts_with("Act ") {
                    continue;
                }
                for word in name_words(name) {
                    if let Kw::Act(class) = this.kw(this.id(word.as_bytes()))
                        && !classes.contains(&class)
                    {
                        classes.push(class);
                    }
                }
            }
            this.works.push(Work {
                id: manifest.id.clone(),
                unit: manifest.unit,
                grammar: manifest.grammar,
                kind: manifest.kind,
                numbers: texts().filter_map(|n| law_number(n)).collect(),
                years,
                since,
                classes,
            });
            for name in texts() {
                if name.chars().any(super::han::is_han) {
                    this.add_han(name, work);
                    continue;
                }
                // `The Ferry Act, 1990 (FA)`
                let (name, short) = without_abbreviation(name);
                let name = name.as_ref();
                if let Some(short) = short {
                    let words = name_words(short);
                    // `(ACT)` is a word of the grammar.
                    let free = words.iter().all(|w| this.kw(this.id(w.as_bytes())) == Kw::None);
                    if free {
                        this.add(&words, work, false);
                        if let Some(parts) = dotted(short) {
                            this.add(&parts, work, false);
                        }
                    }
                }
                let mut words = name_words(name);
                // The year is read by the grammar, which checks it.
                if words.last().is_some_and(|w| w.len() == 4 && w.bytes().all(|b| b.is_ascii_digit())) {
                    words.pop();
                }
                this.add(&words, work, false);
                if words.first().is_some_and(|w| w == "the") {
                    this.add(words.get(1..).unwrap_or_default(), work, false);
                }
                if let Some(parts) = dotted(name) {
                    this.add(&parts, work, false);
                }
                // Inside its own country a law needs no country in its name.
                let joined = words.join(" ");
                for tail in [" of the people s republic of china", " of the prc", " of china"] {
                    if let Some(short) = joined.strip_suffix(tail) {
                        let short: Vec<String> = short.split(' ').map(str::to_owned).collect();
                        this.add(&short, work, true);
                        let mut of_china = short;
                        of_china.extend(["of".to_owned(), "china".to_owned()]);
                        this.add(&of_china, work, false);
                    }
                }
            }
        }
        for names in this.han.values_mut() {
            names.sort_by(|a, b| b.name.len().cmp(&a.name.len()).then_with(|| a.name.cmp(&b.name)));
            names.dedup_by(|next, first| {
                let same = next.name == first.name;
                if same && next.work != first.work && !first.twins.contains(&next.work) {
                    first.twins.push(next.work);
                }
                same
            });
        }
        this
    }

    fn add_han(&mut self, name: &str, work: usize) {
        let name: String = name.chars().filter(|c| !matches!(c, '《' | '》')).collect();
        if let Some(first) = name.chars().next() {
            self.han.entry(first).or_default().push(HanName { name, work, twins: Vec::new() });
        }
    }

    fn word(&mut self, word: &str) -> u32 {
        let next = u32::try_from(self.kws.len()).unwrap_or(u32::MAX);
        let id = *self.words.entry(word.as_bytes().into()).or_insert(next);
        if id == next {
            self.kws.push(Kw::None);
        }
        id
    }

    fn add(&mut self, words: &[String], work: usize, local: bool) {
        if words.is_empty() {
            return;
        }
        let mut node = 0;
        for word in words {
            let id = self.word(word);
            let fresh = u32::try_from(self.terminals.len()).unwrap_or(u32::MAX);
            let next = *self.edges.entry((node, id)).or_insert(fresh);
            if next == fresh {
                self.terminals.push(None);
            }
            node = next;
        }
        let open = words.first().is_some_and(|w| OPEN_STARTS.contains(&w.as_str()));
        if let Some(slot) = self.terminals.get_mut(node as usize) {
            // A name in full wins over one that only works at home.
            if let Some(t) = slot.filter(|t| t.local == local && t.work as usize != work) {
                let twins = self.twins.entry(node).or_default();
                if t.work as usize != work && !twins.contains(&work) {
                    twins.push(work);
                }
            } else if slot.is_none_or(|t| t.local && !local) {
                self.twins.remove(&node);
                *slot = Some(Terminal { work: u32::try_from(work).unwrap_or(0), open, local });
            }
        }
    }

    /// The id of a word in lower case; 0 if no rule knows it.
    pub fn id(&self, lower: &[u8]) -> u32 {
        self.words.get(lower).copied().unwrap_or(0)
    }

    pub fn kw(&self, id: u32) -> Kw {
        self.kws.get(id as usize).copied().unwrap_or(Kw::None)
    }

    /// One step through the names: from node 0 at the first word.
    pub fn step(&self, node: u32, word: u32) -> Option<u32> {
        if word == 0 { None } else { self.edges.get(&(node, word)).copied() }
    }

    /// What a node names: work, whether the name is open, whether it is local.
    pub fn named(&self, node: u32) -> Option<(usize, bool, bool)> {
        let t = (*self.terminals.get(node as usize)?)?;
        Some((t.work as usize, t.open, t.local))
    }

    /// The other works that have the name which ends at a node.
    pub fn twins(&self, node: u32) -> &[usize] {
        self.twins.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Which of several works of one name a text means: its own statute's, else the only one of its jurisdiction.
    pub fn at_home(&self, works: impl Iterator<Item = usize> + Clone, context: &Context) -> Option<usize> {
        let own = context.default_work.as_ref();
        let mut here = works.clone().filter(|w| {
            self.work(*w).is_some_and(|w| Some(w.id.jurisdiction()) == context.jurisdiction.as_deref())
        });
        works.clone().find(|w| self.work(*w).is_some_and(|w| Some(&w.id) == own)).or_else(|| {
            match (here.next(), here.next()) {
                (Some(one), None) => Some(one),
                _ => None,
            }
        })
    }

    pub fn work(&self, index: usize) -> Option<&Work> {
        self.works.get(index)
    }

    pub fn index(&self, id: &WorkId) -> Option<usize> {
        self.works.iter().position(|w| &w.id == id)
    }

    /// The longest Chinese name at the start of `rest`.
    pub fn han_name(&self, rest: &str) -> Option<&HanName> {
        let first = rest.chars().next()?;
        self.han.get(&first)?.iter().find(|n| rest.starts_with(&n.name))
    }
}
