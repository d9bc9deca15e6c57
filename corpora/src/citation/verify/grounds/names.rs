//! The names of offences that the headings of one edition give, and what its provisions say of them.

use std::collections::{HashMap, HashSet};

use crate::citation::han::is_han;
use crate::citation::numerals::to_chinese;
use crate::id::Unit;
use crate::lookup::{EditionInfo, ProvisionLookup};
use crate::provision::{AnnotationKind, Provision, Status};

/// Most words of a name.
pub(super) const LONGEST: usize = 6;
/// Most Han characters of a name.
pub(super) const LONGEST_HAN: usize = 30;

/// The language of headings that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tongue {
    English,
    Chinese,
}

impl Tongue {
    pub fn of(language: &str) -> Option<Self> {
        match language.split('-').next().unwrap_or_default() {
            "en" => Some(Self::English),
            "zh" => Some(Self::Chinese),
            _ => None,
        }
    }
}

/// The names of an edition.
#[derive(Debug)]
pub(super) struct Table {
    tongue: Tongue,
    /// Provisions by the name that is their heading; those that punish first.
    by_name: HashMap<String, Vec<Unit>>,
    /// Provisions by their whole heading, also where it names no offence: a definition tells what a penalty is for.
    headed: HashMap<String, Vec<Unit>>,
    /// Provisions some paragraph of which an editor has given another name.
    in_part: HashSet<(String, Unit)>,
}

/// Beginnings of words that make a heading one of liability in general, or of a mere part of an offence.
const GENERAL: &[&str] = &[
    "abet", "attempt", "conspir", "instigat", "prepar", "offence", "offense", "punish", "defin", "except",
    "liab", "defen", "common", "accessor", "crime", "general",
];

impl Table {
    pub fn new(lookup: &dyn ProvisionLookup, edition: &EditionInfo, tongue: Tongue) -> Self {
        let mut named: Vec<(String, bool, Unit)> = Vec::new();
        let mut headed: HashMap<String, Vec<Unit>> = HashMap::new();
        let mut in_part = HashSet::new();
        for unit in lookup.units(&edition.work, edition.version).iter() {
            let Some(p) = lookup.provision(&edition.work, edition.version, unit) else { continue };
            if p.status != Status::InForce || !unit.is_numbered_provision() {
                continue;
            }
            let Some(heading) = p.heading.as_deref() else { continue };
            match tongue {
                Tongue::English => {
                    let (whole, punishes) = without_punishment(heading);
                    let Some(name) = english_name(whole.trim_matches(['“', '”', '"'])) else { continue };
                    headed.entry(name.clone()).or_default().push(unit.clone());
                    if punishes || (makes_offence(&p.text) && !whole.starts_with(['“', '"'])) {
                        named.push((name, punishes, unit.clone()));
                    }
                }
                Tongue::Chinese => {
                    let notes = p.annotations.iter().filter(|a| a.kind == AnnotationKind::EditorHeading);
                    let whole = chinese_names(heading);
                    let mut names = whole.clone();
                    names.extend(notes.flat_map(|a| chinese_names(&a.text)));
                    names.sort();
                    names.dedup();
                    for name in &names {
                        let first = whole.contains(name);
                        if !first {
                            in_part.insert((name.clone(), unit.clone()));
                        }
                        named.push((name.clone(), first, unit.clone()));
                    }
                }
            }
        }
        let mut by_name: HashMap<String, Vec<Unit>> = HashMap::new();
        named.sort_by_key(|(_, punishes, _)| !punishes);
        for (name, _, unit) in named {
            by_name.entry(name).or_default().push(unit);
        }
        Self { tongue, by_name, headed, in_part }
    }

    /// The provisions that a name is the heading of, and those that have it over a part.
    pub fn named_by(&self, name: &str) -> Option<&[Unit]> {
        self.by_name.get(name).map(Vec::as_slice)
    }

    /// Whether a provision has the name over a part only.
    pub fn in_part(&self, name: &str, unit: &Unit) -> bool {
        self.in_part.contains(&(name.to_owned(), unit.clone()))
    }

    /// The provisions that explain what a heading names, as a definition does a penalty. A Chinese offence stands in
    /// one article, and others that have its name refer to it.
    pub fn kin<'t>(&'t self, p: &Provision) -> impl Iterator<Item = &'t Unit> {
        let words = plain_words(p.heading.as_deref().unwrap_or_default());
        parts(&words).filter_map(|name| self.headed.get(&name)).flatten().collect::<Vec<_>>().into_iter()
    }

    /// The names in a provision's heading, if it begins with one and is not general.
    pub fn names_of(&self, p: &Provision) -> Vec<String> {
        let Some(heading) = p.heading.as_deref() else { return Vec::new() };
        match self.tongue {
            Tongue::English => {
                let words = plain_words(without_punishment(heading).0);
                if words.iter().any(|w| is_general(w)) { Vec::new() } else { own(&self.by_name, &words) }
            }
            Tongue::Chinese => {
                let notes = p.annotations.iter().filter(|a| a.kind == AnnotationKind::EditorHeading);
                std::iter::once(heading)
                    .chain(notes.map(|a| a.text.as_str()))
                    .flat_map(chinese_names)
                    .collect()
            }
        }
    }

    /// The longest name that ends with the last of these words, and how many words it has.
    pub fn ending<S: AsRef<str>>(&self, words: &[S]) -> Option<(String, usize)> {
        (1..=LONGEST.min(words.len())).rev().find_map(|n| {
            let name = join(words.get(words.len() - n..)?);
            self.by_name.contains_key(&name).then_some((name, n))
        })
    }

    /// The longest name that begins with the first of these words, and how many words it has.
    pub fn beginning<S: AsRef<str>>(&self, words: &[S]) -> Option<(String, usize)> {
        beginning(&self.by_name, words)
    }

    /// The longest Chinese name that begins a text.
    pub fn prefix<'t>(&self, text: &'t str) -> Option<&'t str> {
        let ends =
            text.char_indices().take(LONGEST_HAN).filter(|(_, c)| *c == '罪').map(|(i, c)| i + c.len_utf8());
        ends.filter_map(|end| text.get(..end)).filter(|name| self.by_name.contains_key(*name)).last()
    }

    /// The longest Chinese name that ends a text.
    pub fn suffix<'t>(&self, text: &'t str) -> Option<&'t str> {
        if !text.ends_with('罪') {
            return None;
        }
        let starts = text.char_indices().rev().take(LONGEST_HAN);
        starts.filter_map(|(i, _)| text.get(i..)).filter(|name| self.by_name.contains_key(*name)).last()
    }

    /// Whether heading, place or text of a provision speak of an offence, by its name or a word of it.
    pub fn mentions(&self, p: &Provision, name: &str) -> bool {
        let notes = p.annotations.iter().filter(|a| a.kind == AnnotationKind::EditorHeading);
        let mut places = std::iter::once(p.text.as_str())
            .chain(p.heading.as_deref())
            .chain(p.breadcrumb.iter().map(String::as_str))
            .chain(notes.map(|a| a.text.as_str()));
        match self.tongue {
            Tongue::English => {
                let telling = telling_words(name);
                places.any(|text| plain_words(text).iter().any(|w| telling.iter().any(|t| akin(t, w))))
            }
            Tongue::Chinese => {
                let parts = chinese_parts(name);
                // The chapter gathers many offences; its title tells nothing of one.
                let own: Vec<&str> = places.filter(|t| !p.breadcrumb.iter().any(|b| b == t)).collect();
                own.iter().any(|text| parts.iter().any(|part| text.contains(part.as_str())))
            }
        }
    }

    /// Whether a provision takes the offence from elsewhere: "such offence", 以该罪论处.
    pub fn defers(&self, p: &Provision) -> bool {
        match self.tongue {
            Tongue::English => {
                let words = plain_words(&p.text);
                words.windows(2).any(|w| {
                    let [first, second] = w else { return false };
                    matches!(first.as_str(), "such" | "same" | "said" | "an" | "any" | "that" | "other")
                        && matches!(second.as_str(), "offence" | "offences" | "offense" | "crime")
                })
            }
            Tongue::Chinese => ["该罪", "其他罪", "同时构成其他犯罪"].iter().any(|w| p.text.contains(w)),
        }
    }

    /// Whether a provision's text names another by its number.
    pub fn refers(&self, from: &Provision, to: &Unit) -> bool {
        let Some(number) = to.number() else { return false };
        match self.tongue {
            Tongue::English => {
                let number = number.to_string().to_lowercase();
                plain_words(&from.text).contains(&number)
            }
            Tongue::Chinese => {
                let Some(base) = to_chinese(number.base) else { return true };
                let sub = match number.sub.map(to_chinese) {
                    None => String::new(),
                    Some(Some(sub)) => format!("之{sub}"),
                    Some(None) => return true,
                };
                from.text.contains(&format!("{base}条{sub}"))
            }
        }
    }
}

fn join<S: AsRef<str>>(words: &[S]) -> String {
    let mut out = String::new();
    for w in words {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(w.as_ref());
    }
    out
}

fn beginning<S: AsRef<str>>(by_name: &HashMap<String, Vec<Unit>>, words: &[S]) -> Option<(String, usize)> {
    (1..=LONGEST.min(words.len())).rev().find_map(|n| {
        let name = join(words.get(..n)?);
        by_name.contains_key(&name).then_some((name, n))
    })
}

/// All names in a heading that begins with one.
fn own(by_name: &HashMap<String, Vec<Unit>>, words: &[String]) -> Vec<String> {
    if beginning(by_name, words).is_none() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for name in parts(words).filter(|name| by_name.contains_key(name)) {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// All runs of words that may be a name.
fn parts(words: &[String]) -> impl Iterator<Item = String> + '_ {
    (0..words.len())
        .flat_map(move |at| (1..=LONGEST).map(move |n| at..at + n))
        .filter_map(|part| words.get(part).map(join))
}

/// The words of a text in lower case; what joins or ends them is dropped.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .map(|w| w.trim_matches(['\'', '’']))
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// A heading without "Punishment for", and whether it had it.
fn without_punishment(heading: &str) -> (&str, bool) {
    let heading = heading.trim().trim_end_matches(['.', '—', '-', ' ']);
    let Some(rest) = starts(heading, &["punishment for ", "punishment of ", "penalty for "]) else {
        return (heading, false);
    };
    let inner = starts(rest, &["committing ", "the offence of ", "offence of ", "the ", "a "]);
    (inner.unwrap_or(rest), true)
}

fn starts<'t>(text: &'t str, heads: &[&str]) -> Option<&'t str> {
    heads.iter().find_map(|head| {
        let same = text.get(..head.len()).is_some_and(|t| t.eq_ignore_ascii_case(head));
        same.then(|| text.get(head.len()..)).flatten()
    })
}

/// The name that a heading is, if it is only a name.
fn english_name(heading: &str) -> Option<String> {
    let name = heading.strip_suffix("etc").map_or(heading, |h| h.trim_end().trim_end_matches(','));
    if name
        .contains(|c: char| !(c.is_alphabetic() || c.is_whitespace() || matches!(c, '-' | '‑' | '\'' | '’')))
    {
        return None;
    }
    let words = plain_words(name);
    let general = words.iter().any(|w| is_general(w));
    // Too short a word says too little; it may stand for anything.
    let short = words.len() == 1 && words.iter().any(|w| w.len() < 4);
    (!general && !short && (1..=LONGEST).contains(&words.len())).then(|| join(&words))
}

pub(super) fn is_general(word: &str) -> bool {
    GENERAL.iter().any(|g| word.starts_with(g))
}

/// Whether a text says what commits an offence, or how one is punished.
fn makes_offence(text: &str) -> bool {
    const SIGNS: &[&str] = &["shall be punish", "is said to", "commits", "guilty of", "shall be liable to"];
    SIGNS.iter().any(|s| text.contains(s))
}

/// The offences that a Chinese heading names.
fn chinese_names(heading: &str) -> Vec<String> {
    let heading = heading.trim_matches(['【', '】', ' ', '\u{3000}']);
    heading
        .replace("罪、", "罪；")
        .split(['；', ';', '，', ',', ' ', '\u{3000}', '/', '】', '【'])
        .map(str::trim)
        .filter(|n| n.ends_with('罪') && !n.ends_with("犯罪"))
        .filter(|n| {
            (3..=LONGEST_HAN).contains(&n.chars().count()) && n.chars().all(|c| is_han(c) || c == '、')
        })
        .map(str::to_owned)
        .collect()
}

/// What tells an offence from others: its name without 罪, and each two characters of it.
fn chinese_parts(name: &str) -> Vec<String> {
    // Said of many offences.
    const COMMON: &[&str] = &["故意", "过失", "非法"];
    let bare = name.strip_suffix('罪').unwrap_or(name);
    let mut out = vec![bare.to_owned()];
    for part in bare.split('、') {
        let chars: Vec<char> = part.chars().collect();
        out.extend(chars.windows(2).map(|w| w.iter().collect::<String>()));
    }
    out.retain(|part| !COMMON.contains(&part.as_str()));
    out
}

/// The words of a name by which a text would speak of it: the head noun, and all of what qualifies it from behind.
fn telling_words(name: &str) -> Vec<String> {
    const JOINTS: &[&str] = &[
        "of", "by", "in", "on", "with", "to", "for", "from", "at", "not", "against", "and", "or", "upon",
        "under",
    ];
    let words: Vec<&str> = name.split(' ').collect();
    let first = words.iter().position(|w| JOINTS.contains(w)).unwrap_or(words.len());
    let head = words.get(..first).and_then(|w| w.last());
    let rest = words.get(first..).unwrap_or_default().iter().filter(|w| !JOINTS.contains(w) && w.len() > 3);
    head.into_iter().chain(rest).map(|w| (*w).to_owned()).collect()
}

/// Words of one stem that do not begin alike.
const IRREGULAR: &[&[&str]] = &[
    &["theft", "thef", "thief", "thiev", "steal", "stole"],
    &["homicide", "kill", "slay", "slain"],
    &["arson", "burn", "fire"],
    &["sale", "sell", "sold"],
    &["bribery", "gratification"],
];

/// Endings that inflect a word or derive another from it.
const ENDINGS: &[&str] = &[
    "ing", "ion", "ery", "ors", "ers", "ist", "ies", "ive", "ed", "er", "or", "es", "al", "ly", "s", "e", "y",
];

/// A word without its endings: `murderers` and `murdered` are both `murd`.
fn stem(word: &str) -> &str {
    let mut stem = word;
    while let Some(rest) = ENDINGS.iter().find_map(|e| stem.strip_suffix(e)).filter(|rest| rest.len() >= 3) {
        stem = rest;
    }
    // `kidnapped`, `robbed`.
    let bytes = stem.as_bytes();
    let twice = stem.len() > 3 && bytes.last() == bytes.get(bytes.len() - 2) && stem.is_ascii();
    if twice { stem.get(..stem.len() - 1).unwrap_or(stem) } else { stem }
}

/// Whether a word of a text is an inflection of a word of a name, or near it: too often is safe, too seldom is not.
fn akin(name: &str, word: &str) -> bool {
    let (a, b) = (stem(name), stem(word));
    let near = |long: &str, short: &str| short.len() >= 4 && long.starts_with(short);
    a == b
        || near(a, b)
        || near(b, a)
        || IRREGULAR.iter().any(|f| f.first() == Some(&name) && f.iter().any(|s| word.starts_with(s)))
}
