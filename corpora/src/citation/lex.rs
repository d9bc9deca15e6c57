//! Words, numbers and signs of Latin and Devanagari text, and the words that mean something to the grammar.

use std::collections::HashMap;

use super::lexicon::Lexicon;
use super::numerals::digit;

/// What a word means to the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kw {
    /// No meaning of its own.
    None,
    Section {
        plural: bool,
    },
    /// `s`, `ss`: a head only before a number.
    SectionAbbr,
    Article {
        plural: bool,
    },
    Of,
    The,
    And,
    Or,
    Read,
    With,
    Rw,
    As,
    Well,
    Also,
    Along,
    To,
    Through,
    Under,
    In,
    Clause,
    Sub,
    SubSection,
    SubClause,
    Proviso,
    Exception,
    Explanation,
    Illustration,
    Part,
    /// `limb`, `portion`: courts' words for a piece of a provision that has no label.
    Limb,
    Schedule,
    List,
    Entry,
    Paragraph,
    Item,
    /// `said`, `same`, `aforesaid`, `उक्त`.
    Said,
    That,
    This,
    Provision,
    Thereof,
    /// `Act`, `Code`, `Rules`: the last word of a title.
    Act(Class),
    /// `first`, `second`, `7th`.
    Ordinal(u32),
    /// `Firstly`, `Thirdly`.
    Ordinally(u32),
    No,
    /// Words whose number is not a section: page, para, FIR, rule, order.
    NotALaw,
    /// Things that are numbered beside the name of an act: chapters, questions, rooms.
    Label,
    /// Verbs and Hindi particles that may follow a list of numbers.
    After,
    /// Possessives that may stand before a known name.
    Our,
    /// `provides`, `reads`, `states`.
    Says,
}

/// What kind of instrument a title ends in; `the said Code` asks for one of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Act,
    Code,
    Sanhita,
    Adhiniyam,
    Constitution,
    Law,
    Other,
}

/// English, romanised Hindi and Devanagari words of the grammar.
pub(crate) const WORDS: &[(&str, Kw)] = &[
    ("section", Kw::Section { plural: false }),
    ("sec", Kw::Section { plural: false }),
    ("sect", Kw::Section { plural: false }),
    ("sections", Kw::Section { plural: true }),
    ("secs", Kw::Section { plural: true }),
    ("sects", Kw::Section { plural: true }),
    ("s", Kw::SectionAbbr),
    ("ss", Kw::SectionAbbr),
    ("dhara", Kw::Section { plural: false }),
    ("dafa", Kw::Section { plural: false }),
    ("दफा", Kw::Section { plural: false }),
    ("दफ़ा", Kw::Section { plural: false }),
    ("dhaara", Kw::Section { plural: false }),
    ("dharaon", Kw::Section { plural: true }),
    ("dharao", Kw::Section { plural: true }),
    ("dharayen", Kw::Section { plural: true }),
    ("dharaen", Kw::Section { plural: true }),
    ("धारा", Kw::Section { plural: false }),
    ("धाराओं", Kw::Section { plural: true }),
    ("धाराएं", Kw::Section { plural: true }),
    ("धाराएँ", Kw::Section { plural: true }),
    ("धाराये", Kw::Section { plural: true }),
    ("article", Kw::Article { plural: false }),
    ("art", Kw::Article { plural: false }),
    ("articles", Kw::Article { plural: true }),
    ("arts", Kw::Article { plural: true }),
    ("anuchchhed", Kw::Article { plural: false }),
    ("anuchhed", Kw::Article { plural: false }),
    ("anuched", Kw::Article { plural: false }),
    ("anucched", Kw::Article { plural: false }),
    ("anuchchhedon", Kw::Article { plural: true }),
    ("अनुच्छेद", Kw::Article { plural: false }),
    ("अनुच्छेदों", Kw::Article { plural: true }),
    ("of", Kw::Of),
    ("का", Kw::Of),
    ("की", Kw::Of),
    ("के", Kw::Of),
    ("ka", Kw::Of),
    ("ki", Kw::Of),
    ("ke", Kw::Of),
    ("the", Kw::The),
    ("and", Kw::And),
    ("और", Kw::And),
    ("एवं", Kw::And),
    ("एवम", Kw::And),
    ("तथा", Kw::And),
    ("व", Kw::And),
    ("aur", Kw::And),
    ("evam", Kw::And),
    ("tatha", Kw::And),
    ("or", Kw::Or),
    ("nor", Kw::Or),
    ("या", Kw::Or),
    ("अथवा", Kw::Or),
    ("ya", Kw::Or),
    ("athva", Kw::Or),
    ("read", Kw::Read),
    ("with", Kw::With),
    ("rw", Kw::Rw),
    ("सहपठित", Kw::Rw),
    ("सपठित", Kw::Rw),
    ("संपठित", Kw::Rw),
    ("sahpathit", Kw::Rw),
    ("sapathit", Kw::Rw),
    ("as", Kw::As),
    ("well", Kw::Well),
    ("also", Kw::Also),
    ("along", Kw::Along),
    ("to", Kw::To),
    ("till", Kw::To),
    ("upto", Kw::To),
    ("से", Kw::To),
    ("se", Kw::To),
    ("through", Kw::Through),
    ("under", Kw::Under),
    ("vide", Kw::Under),
    ("by", Kw::Under),
    ("in", Kw::In),
    ("from", Kw::In),
    ("में", Kw::In),
    ("clause", Kw::Clause),
    ("clauses", Kw::Clause),
    ("cl", Kw::Clause),
    ("cls", Kw::Clause),
    ("खंड", Kw::Clause),
    ("खंडों", Kw::Clause),
    ("khand", Kw::Clause),
    ("sub", Kw::Sub),
    ("उप", Kw::Sub),
    ("subsection", Kw::SubSection),
    ("subsections", Kw::SubSection),
    ("subsec", Kw::SubSection),
    ("उपधारा", Kw::SubSection),
    ("उपधाराओं", Kw::SubSection),
    ("upadhara", Kw::SubSection),
    ("updhara", Kw::SubSection),
    ("subclause", Kw::SubClause),
    ("subclauses", Kw::SubClause),
    ("उपखंड", Kw::SubClause),
    ("proviso", Kw::Proviso),
    ("provisos", Kw::Proviso),
    ("provisoes", Kw::Proviso),
    ("परंतुक", Kw::Proviso),
    ("parantuk", Kw::Proviso),
    ("exception", Kw::Exception),
    ("exceptions", Kw::Exception),
    ("excp", Kw::Exception),
    ("अपवाद", Kw::Exception),
    ("apvad", Kw::Exception),
    ("explanation", Kw::Explanation),
    ("explanations", Kw::Explanation),
    ("expl", Kw::Explanation),
    ("स्पष्टीकरण", Kw::Explanation),
    ("spashtikaran", Kw::Explanation),
    ("illustration", Kw::Illustration),
    ("illustrations", Kw::Illustration),
    ("ill", Kw::Illustration),
    ("illus", Kw::Illustration),
    ("दृष्टांत", Kw::Illustration),
    ("part", Kw::Part),
    ("pt", Kw::Part),
    ("भाग", Kw::Part),
    ("bhag", Kw::Part),
    ("limb", Kw::Limb),
    ("limbs", Kw::Limb),
    ("portion", Kw::Limb),
    ("schedule", Kw::Schedule),
    ("अनुसूची", Kw::Schedule),
    ("list", Kw::List),
    ("सूची", Kw::List),
    ("entry", Kw::Entry),
    ("entries", Kw::Entry),
    ("प्रविष्टि", Kw::Entry),
    ("paragraph", Kw::Paragraph),
    ("paragraphs", Kw::Paragraph),
    ("para", Kw::Paragraph),
    ("paras", Kw::Paragraph),
    ("पैरा", Kw::Paragraph),
    ("item", Kw::Item),
    ("items", Kw::Item),
    ("said", Kw::Said),
    ("same", Kw::Said),
    ("aforesaid", Kw::Said),
    ("aforementioned", Kw::Said),
    ("उक्त", Kw::Said),
    ("उसी", Kw::Said),
    ("इसी", Kw::Said),
    ("ukt", Kw::Said),
    ("usi", Kw::Said),
    ("isi", Kw::Said),
    ("that", Kw::That),
    ("this", Kw::This),
    ("इस", Kw::This),
    ("provision", Kw::Provision),
    ("provisions", Kw::Provision),
    ("thereof", Kw::Thereof),
    ("thereto", Kw::Thereof),
    ("act", Kw::Act(Class::Act)),
    ("acts", Kw::Act(Class::Act)),
    ("code", Kw::Act(Class::Code)),
    ("sanhita", Kw::Act(Class::Sanhita)),
    ("samhita", Kw::Act(Class::Sanhita)),
    ("संहिता", Kw::Act(Class::Sanhita)),
    ("adhiniyam", Kw::Act(Class::Adhiniyam)),
    ("अधिनियम", Kw::Act(Class::Adhiniyam)),
    ("constitution", Kw::Act(Class::Constitution)),
    ("संविधान", Kw::Act(Class::Constitution)),
    ("law", Kw::Act(Class::Law)),
    ("ordinance", Kw::Act(Class::Other)),
    ("rules", Kw::Act(Class::Other)),
    ("regulation", Kw::Act(Class::Other)),
    ("regulations", Kw::Act(Class::Other)),
    ("convention", Kw::Act(Class::Other)),
    ("covenant", Kw::Act(Class::Other)),
    ("treaty", Kw::Act(Class::Other)),
    ("charter", Kw::Act(Class::Other)),
    ("protocol", Kw::Act(Class::Other)),
    ("declaration", Kw::Act(Class::Other)),
    ("statute", Kw::Act(Class::Other)),
    ("bill", Kw::Act(Class::Other)),
    ("manual", Kw::Act(Class::Other)),
    ("bylaws", Kw::Act(Class::Other)),
    ("नियम", Kw::Act(Class::Other)),
    ("अध्यादेश", Kw::Act(Class::Other)),
    ("एक्ट", Kw::Act(Class::Act)),
    ("कानून", Kw::Act(Class::Law)),
    ("विधेयक", Kw::Act(Class::Other)),
    ("kanoon", Kw::Act(Class::Law)),
    ("kanun", Kw::Act(Class::Law)),
    ("first", Kw::Ordinal(1)),
    ("second", Kw::Ordinal(2)),
    ("third", Kw::Ordinal(3)),
    ("fourth", Kw::Ordinal(4)),
    ("fifth", Kw::Ordinal(5)),
    ("sixth", Kw::Ordinal(6)),
    ("seventh", Kw::Ordinal(7)),
    ("eighth", Kw::Ordinal(8)),
    ("ninth", Kw::Ordinal(9)),
    ("tenth", Kw::Ordinal(10)),
    ("eleventh", Kw::Ordinal(11)),
    ("twelfth", Kw::Ordinal(12)),
    ("पहला", Kw::Ordinal(1)),
    ("प्रथम", Kw::Ordinal(1)),
    ("द्वितीय", Kw::Ordinal(2)),
    ("तृतीय", Kw::Ordinal(3)),
    ("पहली", Kw::Ordinal(1)),
    ("दूसरी", Kw::Ordinal(2)),
    ("तीसरी", Kw::Ordinal(3)),
    ("चौथी", Kw::Ordinal(4)),
    ("पांचवीं", Kw::Ordinal(5)),
    ("छठी", Kw::Ordinal(6)),
    ("सातवीं", Kw::Ordinal(7)),
    ("आठवीं", Kw::Ordinal(8)),
    ("नौवीं", Kw::Ordinal(9)),
    ("नवीं", Kw::Ordinal(9)),
    ("दसवीं", Kw::Ordinal(10)),
    ("ग्यारहवीं", Kw::Ordinal(11)),
    ("बारहवीं", Kw::Ordinal(12)),
    ("former", Kw::Ordinal(1)),
    ("latter", Kw::Ordinal(2)),
    ("firstly", Kw::Ordinally(1)),
    ("secondly", Kw::Ordinally(2)),
    ("thirdly", Kw::Ordinally(3)),
    ("fourthly", Kw::Ordinally(4)),
    ("fifthly", Kw::Ordinally(5)),
    ("sixthly", Kw::Ordinally(6)),
    ("seventhly", Kw::Ordinally(7)),
    ("eighthly", Kw::Ordinally(8)),
    ("ninthly", Kw::Ordinally(9)),
    ("tenthly", Kw::Ordinally(10)),
    ("eleventhly", Kw::Ordinally(11)),
    ("twelfthly", Kw::Ordinally(12)),
    ("no", Kw::No),
    ("nos", Kw::No),
    ("number", Kw::No),
    ("numbers", Kw::No),
    ("page", Kw::NotALaw),
    ("pages", Kw::NotALaw),
    ("pp", Kw::NotALaw),
    ("pg", Kw::NotALaw),
    ("fir", Kw::NotALaw),
    ("rule", Kw::NotALaw),
    ("order", Kw::NotALaw),
    ("chapter", Kw::NotALaw),
    ("chapters", Kw::NotALaw),
    ("vol", Kw::NotALaw),
    ("volume", Kw::NotALaw),
    ("rs", Kw::NotALaw),
    ("inr", Kw::NotALaw),
    ("annexure", Kw::NotALaw),
    ("exhibit", Kw::NotALaw),
    ("exh", Kw::NotALaw),
    ("pw", Kw::NotALaw),
    ("dw", Kw::NotALaw),
    ("line", Kw::NotALaw),
    ("footnote", Kw::NotALaw),
    ("note", Kw::NotALaw),
    ("serial", Kw::NotALaw),
    ("form", Kw::NotALaw),
    ("case", Kw::NotALaw),
    ("appeal", Kw::NotALaw),
    ("petition", Kw::NotALaw),
    ("accused", Kw::NotALaw),
    ("regulation", Kw::Act(Class::Other)),
    ("volumes", Kw::Label),
    ("point", Kw::Label),
    ("points", Kw::Label),
    ("question", Kw::Label),
    ("questions", Kw::Label),
    ("room", Kw::Label),
    ("table", Kw::Label),
    ("tables", Kw::Label),
    ("unit", Kw::Label),
    ("units", Kw::Label),
    ("module", Kw::Label),
    ("modules", Kw::Label),
    ("topic", Kw::Label),
    ("topics", Kw::Label),
    ("lesson", Kw::Label),
    ("lessons", Kw::Label),
    ("lecture", Kw::Label),
    ("lectures", Kw::Label),
    ("slide", Kw::Label),
    ("slides", Kw::Label),
    ("figure", Kw::Label),
    ("figures", Kw::Label),
    ("seat", Kw::Label),
    ("chart", Kw::Label),
    ("batch", Kw::Label),
    ("class", Kw::Label),
    ("grade", Kw::Label),
    ("level", Kw::Label),
    ("stage", Kw::Label),
    ("phase", Kw::Label),
    ("group", Kw::Label),
    ("floor", Kw::Label),
    ("ward", Kw::Label),
    ("flat", Kw::Label),
    ("plot", Kw::Label),
    ("gate", Kw::Label),
    ("channel", Kw::Label),
    ("episode", Kw::Label),
    ("paper", Kw::Label),
    ("papers", Kw::Label),
    ("title", Kw::Label),
    ("titles", Kw::Label),
    ("witness", Kw::Label),
    ("witnesses", Kw::Label),
    ("court", Kw::Label),
    ("respondent", Kw::Label),
    ("respondents", Kw::Label),
    ("petitioner", Kw::Label),
    ("petitioners", Kw::Label),
    ("appellant", Kw::Label),
    ("appellants", Kw::Label),
    ("suspect", Kw::Label),
    ("suspects", Kw::Label),
    ("ground", Kw::Label),
    ("grounds", Kw::Label),
    ("issue", Kw::Label),
    ("issues", Kw::Label),
    ("count", Kw::Label),
    ("counts", Kw::Label),
    ("category", Kw::Label),
    ("अध्याय", Kw::Label),
    ("प्रश्न", Kw::Label),
    ("पृष्ठ", Kw::Label),
    ("कमरा", Kw::Label),
    ("अभियुक्त", Kw::Label),
    ("अभियुक्तगण", Kw::Label),
    ("क्रमांक", Kw::Label),
    ("संख्या", Kw::Label),
    ("आदेश", Kw::Label),
    ("is", Kw::After),
    ("are", Kw::After),
    ("was", Kw::After),
    ("were", Kw::After),
    ("shall", Kw::After),
    ("has", Kw::After),
    ("have", Kw::After),
    ("apply", Kw::After),
    ("applies", Kw::After),
    ("which", Kw::After),
    ("where", Kw::After),
    ("for", Kw::After),
    ("against", Kw::After),
    ("on", Kw::After),
    ("but", Kw::After),
    ("registered", Kw::After),
    ("attracted", Kw::After),
    ("तहत", Kw::After),
    ("अंतर्गत", Kw::After),
    ("अधीन", Kw::After),
    ("tahat", Kw::After),
    ("tak", Kw::After),
    ("तक", Kw::After),
    ("है", Kw::After),
    ("our", Kw::Our),
    ("its", Kw::Our),
    ("provides", Kw::Says),
    ("provide", Kw::Says),
    ("provided", Kw::Says),
    ("providing", Kw::Says),
    ("reads", Kw::Says),
    ("states", Kw::Says),
    ("stating", Kw::Says),
    ("defines", Kw::Says),
    ("enacts", Kw::Says),
    ("prescribes", Kw::Says),
    ("stipulates", Kw::Says),
    ("lays", Kw::Says),
    ("says", Kw::Says),
    ("punishes", Kw::Says),
    ("declares", Kw::Says),
];

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum T {
    /// A number: value and count of digits.
    Num(u32, u8),
    /// A word: its id in the lexicon, 0 if unknown.
    Word(u32),
    /// Any other character.
    Sign(char),
    /// Past the end.
    End,
}

/// A token with its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tok {
    pub t: T,
    pub start: u32,
    pub end: u32,
    /// White space before it.
    pub spaced: bool,
    /// First letter is a capital.
    pub capital: bool,
    /// All letters are capitals, two at least.
    pub caps: bool,
}

pub(crate) const END: Tok = Tok { t: T::End, start: 0, end: 0, spaced: true, capital: false, caps: false };

/// Whether a character belongs to a word of Devanagari.
fn is_devanagari(c: char) -> bool {
    matches!(c, '\u{0900}'..='\u{0963}' | '\u{0970}'..='\u{097F}' | '\u{200C}' | '\u{200D}')
}

/// The ASCII letter that a full-width one, `Ａ`, stands for.
pub(crate) fn full_width(c: char) -> Option<u8> {
    let code = u32::from(c).checked_sub(0xFEE0)?;
    u8::try_from(code).ok().filter(u8::is_ascii_alphabetic)
}

/// Folds the spellings of a nasal before a consonant (दण्ड, दंड), and drops joiners and nuktas.
pub(crate) fn fold_devanagari(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{200C}' | '\u{200D}' | '\u{093C}' => {}
            'ङ' | 'ञ' | 'ण' | 'न' | 'म' if chars.peek() == Some(&'\u{094D}') => {
                let mut ahead = chars.clone();
                ahead.next();
                // A nasal is written as a dot before a stop, never before another nasal or a half-vowel.
                if ahead
                    .peek()
                    .is_some_and(|n| ('क'..='भ').contains(n) && !matches!(n, 'ङ' | 'ञ' | 'ण' | 'न'))
                {
                    chars.next();
                    out.push('\u{0902}');
                } else {
                    out.push(c);
                }
            }
            'ँ' => out.push('\u{0902}'),
            c => out.push(c),
        }
    }
    out
}

/// The word that a figure with `st`, `nd`, `rd` or `th` behind it at `i` stands for.
fn ordinal(bytes: &[u8], i: usize, value: u32, lexicon: &Lexicon) -> Option<u32> {
    const WORDS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh", "twelfth",
    ];
    let end = bytes.get(i..i + 2)?;
    let ends = [b"st", b"nd", b"rd", b"th"].iter().any(|e| end.eq_ignore_ascii_case(*e));
    let whole = bytes.get(i + 2).is_none_or(|b| !b.is_ascii_alphanumeric());
    let word =
        usize::try_from(value).ok().and_then(|n| WORDS.get(n.checked_sub(1)?)).filter(|_| ends && whole)?;
    Some(lexicon.id(word.as_bytes()))
}

/// Where a word goes on that a hyphen at `i` parts over a line end.
fn hyphenated(bytes: &[u8], i: usize) -> Option<usize> {
    let mut j = i + 1;
    let mut lines = 0;
    while j < i + 12 {
        match bytes.get(j)? {
            b'\n' => lines += 1,
            b' ' | b'\t' | b'\r' => {}
            b if b.is_ascii_lowercase() => return (lines == 1).then_some(j),
            _ => return None,
        }
        j += 1;
    }
    None
}

/// A tag of HTML that sets type or parts blocks: the byte after it, and whether it parts.
fn tag(bytes: &[u8], i: usize) -> Option<(usize, bool)> {
    const TAGS: &[&str] =
        &["b", "i", "u", "em", "strong", "span", "a", "sup", "sub", "font", "mark", "small"];
    const BLOCKS: &[&str] = &["p", "br", "div", "td", "li"];
    let name = i + 1 + usize::from(bytes.get(i + 1) == Some(&b'/'));
    let rest = bytes.get(name..)?;
    let letters = rest.iter().take(8).take_while(|b| b.is_ascii_alphabetic()).count();
    let word = rest.get(..letters)?;
    let one_of = |list: &[&str]| list.iter().any(|t| word.eq_ignore_ascii_case(t.as_bytes()));
    let block = one_of(BLOCKS);
    if !block && !one_of(TAGS) {
        return None;
    }
    let close = rest.iter().take(120).position(|b| matches!(b, b'<' | b'>' | b'\n'))?;
    let ends = rest.get(letters).is_some_and(|b| matches!(b, b'>' | b'/' | b' '));
    (ends && rest.get(close) == Some(&b'>')).then_some((name + close + 1, block))
}

/// Cuts `text[from..to]` into tokens. `to` lies on a character boundary.
pub(crate) fn tokens(text: &str, from: usize, to: usize, lexicon: &Lexicon, out: &mut Vec<Tok>) {
    out.clear();
    let Some(slice) = text.get(from..to) else { return };
    let bytes = slice.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let mut i = 0;
    let mut spaced = true;
    let mut lower = Vec::with_capacity(32);
    let place = |i: usize| u32::try_from(from + i).unwrap_or(u32::MAX);
    while i < bytes.len() {
        let b = at(i);
        let start = i;
        if b.is_ascii_alphabetic() {
            lower.clear();
            let mut upper = 0;
            let mut letters = 0;
            loop {
                while at(i).is_ascii_alphabetic() {
                    upper += usize::from(at(i).is_ascii_uppercase());
                    letters += 1;
                    // No word of the grammar is longer than this; the rest is only counted.
                    if lower.len() < 32 {
                        lower.push(at(i).to_ascii_lowercase());
                    }
                    i += 1;
                }
                // A word parted at the end of a line: `Con-\nstitution`.
                match (at(i) == b'-').then(|| hyphenated(bytes, i)).flatten() {
                    Some(next) if letters > 1 => i = next,
                    _ => break,
                }
            }
            let id = if letters > 31 { 0 } else { lexicon.id(&lower) };
            out.push(Tok {
                t: T::Word(id),
                start: place(start),
                end: place(i),
                spaced,
                capital: b.is_ascii_uppercase(),
                caps: upper > 1 && upper == letters,
            });
            spaced = false;
        } else if b.is_ascii_digit() {
            let (mut value, mut digits) = (0u32, 0u8);
            while at(i).is_ascii_digit() {
                value = value.saturating_mul(10).saturating_add(u32::from(at(i) - b'0'));
                digits = digits.saturating_add(1);
                i += 1;
            }
            // `2nd` is the word `second`.
            let ordinal = ordinal(bytes, i, value, lexicon);
            i += if ordinal.is_some() { 2 } else { 0 };
            out.push(Tok {
                t: ordinal.map_or(T::Num(value, digits), T::Word),
                start: place(start),
                end: place(i),
                spaced,
                capital: false,
                caps: false,
            });
            spaced = false;
        } else if b.is_ascii_whitespace() {
            spaced = true;
            i += 1;
        } else if matches!(b, b'*' | b'`' | b'_') {
            // Emphasis of Markdown says nothing.
            i += 1;
        } else if b == b'<'
            && let Some((end, block)) = tag(bytes, i)
        {
            spaced |= block;
            i = end;
        } else if b == b'&' && slice.get(i..).is_some_and(|s| s.starts_with("&nbsp;")) {
            spaced = true;
            i += 6;
        } else if b < 128 {
            i += 1;
            out.push(Tok {
                t: T::Sign(b as char),
                start: place(start),
                end: place(i),
                spaced,
                capital: false,
                caps: false,
            });
            spaced = false;
        } else {
            let Some(c) = slice.get(i..).and_then(|s| s.chars().next()) else { break };
            if digit(c).is_some() {
                let (mut value, mut digits) = (0u32, 0u8);
                while let Some((d, len)) = slice
                    .get(i..)
                    .and_then(|s| s.chars().next())
                    .and_then(|c| digit(c).map(|d| (d, c.len_utf8())))
                {
                    value = value.saturating_mul(10).saturating_add(d);
                    digits = digits.saturating_add(1);
                    i += len;
                }
                out.push(Tok {
                    t: T::Num(value, digits),
                    start: place(start),
                    end: place(i),
                    spaced,
                    capital: false,
                    caps: false,
                });
                spaced = false;
            } else if is_devanagari(c) {
                while let Some(c) =
                    slice.get(i..).and_then(|s| s.chars().next()).filter(|c| is_devanagari(*c))
                {
                    i += c.len_utf8();
                }
                let word = slice.get(start..i).unwrap_or_default();
                let id = if i - start > 90 { 0 } else { lexicon.id(fold_devanagari(word).as_bytes()) };
                out.push(Tok {
                    t: T::Word(id),
                    start: place(start),
                    end: place(i),
                    spaced,
                    capital: true,
                    caps: false,
                });
                spaced = false;
            } else if matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}') {
                // Signs that nobody sees.
                i += c.len_utf8();
            } else if c.is_whitespace() {
                spaced = true;
                i += c.len_utf8();
            } else if full_width(c).is_some() {
                lower.clear();
                let (mut upper, mut letters) = (0, 0);
                while let Some(letter) = slice.get(i..).and_then(|s| s.chars().next()).and_then(full_width) {
                    upper += usize::from(letter.is_ascii_uppercase());
                    letters += 1;
                    if lower.len() < 32 {
                        lower.push(letter.to_ascii_lowercase());
                    }
                    i += c.len_utf8();
                }
                out.push(Tok {
                    t: T::Word(if letters > 31 { 0 } else { lexicon.id(&lower) }),
                    start: place(start),
                    end: place(i),
                    spaced,
                    capital: full_width(c).is_some_and(|b| b.is_ascii_uppercase()),
                    caps: upper > 1 && upper == letters,
                });
                spaced = false;
            } else if c.is_alphabetic() && !super::han::is_han(c) {
                // A word with letters of other scripts: one unknown word.
                while let Some(c) = slice
                    .get(i..)
                    .and_then(|s| s.chars().next())
                    .filter(|c| c.is_alphabetic() && !super::han::is_han(*c) && !is_devanagari(*c))
                    .filter(|c| full_width(*c).is_none())
                {
                    i += c.len_utf8();
                }
                out.push(Tok {
                    t: T::Word(0),
                    start: place(start),
                    end: place(i),
                    spaced,
                    capital: false,
                    caps: false,
                });
                spaced = false;
            } else {
                i += c.len_utf8();
                let c = match c {
                    '（' => '(',
                    '）' => ')',
                    '，' | '、' => ',',
                    '／' => '/',
                    '¬' | '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '－' => '-',
                    '‘' | '’' => '\'',
                    '．' => '.',
                    c => c,
                };
                out.push(Tok {
                    t: T::Sign(c),
                    start: place(start),
                    end: place(i),
                    spaced,
                    capital: false,
                    caps: false,
                });
                spaced = false;
            }
        }
    }
}

/// The words of the grammar with ids from 1, and their meaning by id.
pub(crate) fn grammar_words() -> (HashMap<Box<[u8]>, u32>, Vec<Kw>) {
    let mut ids = HashMap::new();
    let mut kws = vec![Kw::None];
    for (word, kw) in WORDS {
        let folded = fold_devanagari(word);
        let next = u32::try_from(kws.len()).unwrap_or(u32::MAX);
        // A word given twice keeps its last meaning.
        ids.insert(folded.as_bytes().into(), next);
        kws.push(*kw);
    }
    // Words without a meaning of their own at which a law report or `u/s` can start.
    for word in super::latin::reports::STRONG.iter().copied().chain(["u", "us", "manu"]) {
        let next = u32::try_from(kws.len()).unwrap_or(u32::MAX);
        ids.entry(word.as_bytes().into()).or_insert_with(|| {
            kws.push(Kw::None);
            next
        });
    }
    (ids, kws)
}
