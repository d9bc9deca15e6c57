//! A manifest out of a document: what the document says about itself, and what was assumed.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::Date;
use nyaya_corpora::manifest::{Format, Grammar, Manifest, Source, SourceKind, UnitName, Version, WorkKind};
use nyaya_corpora::{Number, Unit, WorkId};

use crate::Error;
use crate::check::{self, Report};
use crate::read::{self, Body, Document, PdfReader};
use crate::structure::{Structured, numerals, structure, title_word, titled};

/// What the user says about the document; the rest is found in it.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The name it shall have.
    pub id: WorkId,
    /// Its title.
    pub title: Option<String>,
    /// First day in force.
    pub in_force_from: Option<Date>,
    /// BCP 47.
    pub language: Option<String>,
    /// What its provisions are called.
    pub unit: Option<UnitName>,
    /// What governs which version applies.
    pub kind: Option<WorkKind>,
}

/// A manifest, and what it was made from.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The manifest.
    pub manifest: Manifest,
    /// Units found, in the order of the document.
    pub units: Vec<Unit>,
    /// What was found and what was assumed, for a person: what, and value.
    pub findings: Vec<(&'static str, String)>,
    /// The checks on the text.
    pub report: Report,
}

impl Proposal {
    /// The manifest as a file.
    #[must_use]
    pub fn toml(&self) -> String {
        let mut value =
            toml::Value::try_from(&self.manifest).unwrap_or(toml::Value::Table(toml::Table::new()));
        prune(&mut value);
        let body = toml::to_string_pretty(&value).unwrap_or_default();
        format!(
            "# Proposed by `nyaya corpus add` from the document itself; correct what is wrong and build again.\n{body}"
        )
    }
}

/// Empty lists and strings say nothing.
fn prune(value: &mut toml::Value) {
    match value {
        toml::Value::Table(table) => {
            table.iter_mut().for_each(|(_, v)| prune(v));
            table.retain(|_, v| match v {
                toml::Value::Array(list) => !list.is_empty(),
                toml::Value::String(s) => !s.is_empty(),
                _ => true,
            });
        }
        toml::Value::Array(list) => list.iter_mut().for_each(prune),
        _ => {}
    }
}

/// Reads a document and proposes a manifest for it.
///
/// # Errors
/// If it cannot be read, has no provisions, or does not say from when it was in force and the user did not either.
pub fn propose(path: &Path, facts: &Facts, pdf: &PdfReader) -> Result<Proposal, Error> {
    let document = read::read(path, None, pdf)?;
    let words = words_of(&document);
    let held = match &document.body {
        Body::Held(held) => Some(held),
        _ => None,
    };
    let language = match (&facts.language, held) {
        (Some(language), _) => language.clone(),
        (None, Some(held)) => held.language.clone(),
        (None, None) => language_of(&words).to_owned(),
    };
    let chinese = ["zh", "ja"].iter().any(|l| language.starts_with(l));
    let grammar = if chinese { Grammar::ChineseCode } else { Grammar::IndianAct };
    let (unit, style) = unit_of(&document, chinese);
    let unit = facts.unit.unwrap_or(unit);
    let title = match &facts.title {
        Some(title) => title.clone(),
        None => title_of(&document, path),
    };
    let day = match facts.in_force_from {
        Some(day) => Some((day, "as you said".to_owned())),
        None => match held {
            Some(held) => Some((held.version, "as the export says".to_owned())),
            None => in_force_from(&words, &title),
        },
    };
    // Whether there are provisions at all is said first, and does not depend on the day.
    let from = day.as_ref().map_or(Date::constant(2000, 1, 1), |d| d.0);
    let kind = facts.kind.unwrap_or_else(|| kind_of(&title, &words));
    let mut manifest = Manifest {
        id: facts.id.clone(),
        kind,
        unit,
        grammar,
        language: language.clone(),
        in_force_from: from,
        repealed_on: None,
        successor: None,
        title: BTreeMap::from([(language.clone(), title.clone())]),
        names: BTreeMap::from([(language.clone(), names_of(&title))]),
        versions: vec![Version {
            from,
            note: format!("as in {}", path.file_name().and_then(|n| n.to_str()).unwrap_or("the document")),
            expected: Vec::new(),
            omitted: Vec::new(),
            schedules: Vec::new(),
        }],
        sources: Vec::new(),
        struck_down: Vec::new(),
        commencements: Vec::new(),
    };
    let structured = structure(&document, &manifest, Some(from));
    let units: Vec<Unit> = structured.provisions.iter().map(|p| p.id.unit.clone()).collect();
    let numbers = |list: &mut dyn Iterator<Item = &Unit>| -> Vec<Number> {
        let mut numbers: Vec<Number> =
            list.filter(|u| u.is_numbered_provision()).filter_map(|u| u.number().cloned()).collect();
        numbers.sort();
        numbers.dedup();
        numbers
    };
    let found = numbers(&mut units.iter());
    if found.is_empty() {
        return Err(Error::file(path, nothing_found(&document), LOOKED_FOR));
    }
    let Some((_, why)) = day else {
        return Err(Error::file(
            path,
            "the document does not say from which day it is in force",
            "say it: --in-force-from YYYY-MM-DD",
        ));
    };
    let listed = numbers(&mut structured.contents.iter().map(|c| &c.0));
    let gaps = gaps(&found);
    // What the document itself lists is expected; without a list, a numbering without gaps is.
    let mut expected = if listed.is_empty() { found.clone() } else { listed.clone() };
    if !listed.is_empty() {
        expected.extend(found.iter().cloned());
        expected.sort();
        expected.dedup();
    }
    let sure = held.map_or(!listed.is_empty() || gaps.is_empty(), |held| held.complete);
    let schedules: Vec<Number> = units
        .iter()
        .filter_map(|u| match u {
            Unit::Schedule(n) => Some(n.clone()),
            _ => None,
        })
        .collect();
    if let Some(version) = manifest.versions.first_mut() {
        if sure {
            version.expected = runs(&expected);
        }
        version.schedules = runs(&schedules);
    }
    manifest.sources.push(Source {
        id: "file".into(),
        kind: SourceKind::File,
        version: from,
        complete: sure,
        format: document.format,
        url: None,
        sha256: vec![document.sha256.clone()],
        files: path.file_name().and_then(|n| n.to_str()).map(str::to_owned).into_iter().collect(),
        package: None,
        package_version: None,
        package_sha256: None,
        member: None,
        fields: None,
        missing: Vec::new(),
        note: "a file of the user's.".into(),
    });
    let structured = structure(&document, &manifest, Some(from));
    let report = check::check(&structured, &manifest, Some(from), manifest.sources.first());
    let findings = findings(&document, &manifest, &structured, &style, &why, &found, &gaps);
    Ok(Proposal { units, findings, report, manifest })
}

fn findings(
    document: &Document,
    manifest: &Manifest,
    structured: &Structured,
    style: &str,
    why: &str,
    found: &[Number],
    gaps: &[String],
) -> Vec<(&'static str, String)> {
    let mut rows: Vec<(&'static str, String)> = Vec::new();
    let mut format = format!("{:?}", document.format).to_lowercase();
    if let Some(pages) = document.pages {
        format.push_str(&format!(", {pages} pages"));
    }
    rows.push(("format", format));
    rows.push(("title", manifest.native_title().to_owned()));
    rows.push(("language", manifest.language.clone()));
    rows.push(("numbering", style.to_owned()));
    let ends = match (found.first(), found.last()) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::new(),
    };
    let lettered = found.iter().filter(|n| !n.letters.is_empty() || n.sub.is_some()).count();
    rows.push((
        if manifest.unit == UnitName::Article { "articles" } else { "sections" },
        format!(
            "{} ({ends}){}{}",
            found.len(),
            if lettered > 0 { format!(", {lettered} of them with letters or 之") } else { String::new() },
            if gaps.is_empty() { String::new() } else { format!("; not there: {}", gaps.join(", ")) }
        ),
    ));
    let mut titles: Vec<&str> =
        structured.provisions.iter().filter_map(|p| p.breadcrumb.first()).map(String::as_str).collect();
    titles.dedup();
    if !titles.is_empty() {
        let shown: Vec<&str> = titles.iter().take(3).copied().collect();
        let more = if titles.len() > 3 { " …" } else { "" };
        rows.push(("parts or chapters", format!("{} ({}{more})", titles.len(), shown.join("; "))));
    }
    let schedules = structured.provisions.iter().filter(|p| matches!(p.id.unit, Unit::Schedule(_))).count();
    if schedules > 0 {
        rows.push(("schedules", schedules.to_string()));
    }
    if !structured.contents.is_empty() {
        rows.push(("contents table", format!("{} entries", structured.contents.len())));
    }
    let headed = structured.provisions.iter().filter(|p| p.heading.is_some()).count();
    rows.push(("with a heading", headed.to_string()));
    rows.push(("text in no provision", format!("{:.1} %", structured.unassigned_share * 100.0)));
    rows.push(("in force from", format!("{} ({why})", manifest.in_force_from)));
    rows.push((
        "kind",
        serde_json::to_value(manifest.kind)
            .ok()
            .and_then(|v| v.as_str().map(str::to_owned))
            .unwrap_or_default(),
    ));
    rows
}

/// What is looked for in a document, for a person whose document has none of it.
const LOOKED_FOR: &str = "nyaya looks for lines that begin with a number and a title (`1. Title.—`, `1 Title`), or with a word \
     and a number (`Section 1`, `§ 1`, `Art. 1`, `Clause 1`, 第一条, धारा १); put one of these before each provision, \
     or give a table with columns number, heading, text (CSV or JSON)";

/// What the lines of a document without provisions begin with instead.
fn nothing_found(document: &Document) -> String {
    const SHOWN: usize = 3;
    let Body::Lines(lines) = &document.body else { return "no provisions were found in it".into() };
    let numbering = |text: &str| {
        let first = text.split_whitespace().next().unwrap_or_default();
        let core = first.trim_end_matches(['.', ')', ':']);
        let decimal = core.contains('.') && core.chars().all(|c| c.is_ascii_digit() || c == '.');
        let roman = core.len() < first.len() && numerals::is_roman(core);
        let korean = first.starts_with('제') && first.contains(['조', '장']);
        (decimal || roman || korean).then(|| first.chars().take(12).collect::<String>())
    };
    let mut seen: Vec<String> = lines.iter().filter_map(|l| numbering(l.text.trim())).collect();
    seen.dedup();
    if seen.is_empty() {
        return "no provisions were found in it".into();
    }
    let shown: Vec<String> = seen.iter().take(SHOWN).map(|s| format!("`{s}`")).collect();
    format!(
        "no provisions were found in it; its lines begin with {}, which nyaya does not read as numbers of provisions",
        shown.join(", ")
    )
}

/// The words of the document, at most some hundred thousand letters of them.
fn words_of(document: &Document) -> String {
    const MOST: usize = 400_000;
    let mut words = String::new();
    let mut push = |text: &str| {
        if words.len() < MOST {
            words.push_str(text);
            words.push('\n');
        }
    };
    match &document.body {
        Body::Lines(lines) => lines.iter().for_each(|l| push(&l.text)),
        Body::Rows(rows) => rows.iter().for_each(|r| push(&r.text)),
        Body::Held(held) => held.provisions.iter().for_each(|p| push(&p.text)),
    }
    words
}

/// The language by script, and, for Latin letters, by its commonest words.
fn language_of(words: &str) -> &'static str {
    let (mut latin, mut han, mut devanagari, mut cyrillic, mut greek) = (0, 0, 0, 0, 0);
    let (mut kana, mut hangul, mut simple, mut traditional) = (0, 0, 0, 0);
    for c in words.chars() {
        match c {
            '条' | '规' | '为' | '这' | '应' => simple += 1,
            '條' | '規' | '為' | '這' | '應' => traditional += 1,
            _ => {}
        }
        match c {
            '\u{3041}'..='\u{30FF}' => kana += 1,
            '\u{AC00}'..='\u{D7A3}' => hangul += 1,
            'a'..='z' | 'A'..='Z' | '\u{00C0}'..='\u{024F}' => latin += 1,
            '\u{4E00}'..='\u{9FFF}' => han += 1,
            '\u{0900}'..='\u{097F}' => devanagari += 1,
            '\u{0400}'..='\u{04FF}' => cyrillic += 1,
            '\u{0370}'..='\u{03FF}' => greek += 1,
            _ => {}
        }
    }
    // Japanese mixes Han with letters of its own.
    let han_name = if kana * 10 > han {
        "ja"
    } else if traditional > simple {
        "zh-Hant"
    } else {
        "zh"
    };
    // A word of Latin has some five letters, one of Han one or two.
    let most = [
        (latin, "latin"),
        (3 * han, han_name),
        (devanagari, "hi"),
        (cyrillic, "ru"),
        (greek, "el"),
        (2 * hangul, "ko"),
    ];
    match most.into_iter().max_by_key(|m| m.0) {
        Some((_, name)) if name != "latin" => name,
        _ => {
            const COMMON: [(&str, [&str; 8]); 6] = [
                ("en", ["the", "of", "and", "shall", "any", "or", "which", "by"]),
                ("de", ["der", "die", "und", "ist", "des", "wird", "oder", "nicht"]),
                ("fr", ["le", "les", "des", "est", "et", "la", "sont", "une"]),
                ("es", ["el", "los", "las", "del", "que", "por", "una", "será"]),
                ("pt", ["os", "da", "dos", "não", "uma", "será", "pela", "ao"]),
                ("it", ["il", "della", "gli", "che", "nel", "sono", "alla", "è"]),
            ];
            let lower = words.to_lowercase();
            let mut counts = [0_usize; 6];
            for word in lower.split(|c: char| !c.is_alphabetic()).take(40_000) {
                for (count, (_, list)) in counts.iter_mut().zip(COMMON) {
                    *count += usize::from(list.contains(&word));
                }
            }
            let best = counts.iter().zip(COMMON).max_by_key(|(n, _)| **n);
            best.filter(|(n, _)| **n > 0).map_or("en", |(_, (name, _))| name)
        }
    }
}

/// What provisions are called, and how they are numbered, for a person.
fn unit_of(document: &Document, chinese: bool) -> (UnitName, String) {
    if chinese {
        return (UnitName::Article, "第…条".into());
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut plain = 0;
    let starts: Vec<&str> = match &document.body {
        Body::Held(held) => {
            let articles = held.provisions.iter().any(|p| matches!(p.id.unit, Unit::Article(_)));
            let unit = if articles { UnitName::Article } else { UnitName::Section };
            return (unit, "the names that the export gives".into());
        }
        Body::Lines(lines) => lines.iter().map(|l| l.text.as_str()).collect(),
        Body::Rows(rows) => rows.iter().map(|r| r.number.as_str()).collect(),
    };
    for text in starts {
        let text = text.trim_start_matches(['#', '*', ' ', '\u{3000}']);
        if let Some(used) = title_word(text).filter(|_| titled(text).is_some()) {
            let word = text.get(..used).unwrap_or_default().trim().trim_end_matches('.').to_lowercase();
            *counts.entry(word).or_default() += 1;
        } else if numerals::figure(text)
            .is_some_and(|(_, used)| text.get(used..).is_some_and(|r| r.starts_with('.')))
        {
            plain += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|c| c.1).filter(|c| c.1 >= 2 && c.1 * 3 >= plain);
    match most {
        Some((word, n)) => {
            let article = ["art", "अनुच्छेद", "стат", "άρθ", "члан"].iter().any(|w| word.starts_with(w))
                || word == "madde"
                || word == "pasal";
            let unit = if article { UnitName::Article } else { UnitName::Section };
            (unit, format!("“{word}” and a number ({n} lines)"))
        }
        None => (UnitName::Section, format!("a number and a stop ({plain} lines)")),
    }
}

/// Words in the titles of laws.
const LAWS: [&str; 30] = [
    "act",
    "code",
    "law",
    "ordinance",
    "constitution",
    "regulation",
    "regulations",
    "rules",
    "statute",
    "bill",
    "charter",
    "decree",
    "法",
    "条例",
    "规定",
    "办法",
    "अधिनियम",
    "संहिता",
    "संविधान",
    "नियम",
    "gesetz",
    "verordnung",
    "ordnung",
    "loi",
    "décret",
    "ley",
    "lei",
    "legge",
    "sanhita",
    "adhiniyam",
];

/// The first line that names a law, before the first provision; else the name of the file.
fn title_of(document: &Document, path: &Path) -> String {
    let stem = || path.file_stem().and_then(|n| n.to_str()).unwrap_or("statute").replace(['_', '-'], " ");
    if document.format == Format::Akn
        && let Some(title) = read::akn::title(path)
    {
        return title;
    }
    let lines = match &document.body {
        Body::Lines(lines) => lines,
        Body::Held(held) => return held.title.clone(),
        Body::Rows(_) => return stem(),
    };
    let tidy = |text: &str| {
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | '\u{3000}')).to_owned()
    };
    let front: Vec<String> = lines.iter().take(60).map(|l| tidy(&l.text)).filter(|t| !t.is_empty()).collect();
    let names_law = |text: &str| {
        let lower = text.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric() && !('\u{0900}'..='\u{097F}').contains(&c)).collect();
        LAWS.iter().any(|law| {
            if law.chars().all(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c)) {
                lower.trim_end_matches(['》', '）']).ends_with(law)
            } else {
                words.iter().any(|w| w == law || (law.len() > 4 && w.ends_with(law)))
            }
        })
    };
    let good = |text: &&String| {
        let count = text.chars().count();
        (4..=140).contains(&count)
            && names_law(text)
            && !text.ends_with([';', ',', ':', '。', '；'])
            && numerals::article_head(text).is_none()
            && !numerals::is_titled(text)
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && !text.to_lowercase().starts_with("an act to")
    };
    match front.iter().find(good) {
        Some(title) => capital(title.trim_end_matches('.')),
        None => front
            .iter()
            .find(|t| {
                t.chars().count() >= 4
                    && t.chars().count() <= 100
                    && t.chars().any(char::is_alphabetic)
                    && !numerals::is_titled(t)
            })
            .map_or_else(stem, |t| capital(t)),
    }
}

/// A title in capitals as people write it in a sentence.
fn capital(title: &str) -> String {
    if title.chars().any(char::is_lowercase) || !title.chars().any(char::is_uppercase) {
        return title.to_owned();
    }
    const SMALL: [&str; 9] = ["of", "and", "the", "to", "for", "in", "on", "or", "by"];
    let words: Vec<String> = title
        .to_lowercase()
        .split(' ')
        .enumerate()
        .map(|(i, word)| {
            if i > 0 && SMALL.contains(&word) {
                return word.to_owned();
            }
            let first = word.find(char::is_alphabetic).unwrap_or(0);
            let (marks, rest) = word.split_at_checked(first).unwrap_or(("", word));
            let mut chars = rest.chars();
            let capital: String =
                chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect());
            format!("{marks}{capital}")
        })
        .collect();
    words.join(" ")
}

/// Every form under which the title is cited, the longest first.
fn names_of(title: &str) -> Vec<String> {
    let mut names = vec![title.to_owned()];
    let mut add = |name: &str| {
        let name = name.trim().trim_end_matches(',').trim();
        if name.chars().count() >= 2 && !names.iter().any(|n| n == name) {
            names.push(name.to_owned());
        }
    };
    let bare = title.trim_start_matches('《').trim_end_matches('》');
    add(bare);
    let bare = bare.strip_prefix("The ").or_else(|| bare.strip_prefix("the ")).unwrap_or(bare);
    add(bare);
    let without_year = bare
        .trim_end_matches([')', '）'])
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .trim_end_matches(['(', '（', ' ']);
    if without_year.len() < bare.len() && bare.len() - without_year.len() >= 4 {
        add(without_year);
    }
    if let Some(short) = bare.strip_prefix("中华人民共和国") {
        add(short);
    }
    names
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The first day in force, with where that is from.
fn in_force_from(words: &str, title: &str) -> Option<(Date, String)> {
    let commencement = [
        r"(?i)com(?:e|es|ing)\s+into\s+(?:force|operation|effect)\s+(?:on|from)\s+(?:the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?(?P<m>[A-Za-z]+),?\s+(?P<y>\d{4})",
        r"(?i)com(?:e|es|ing)\s+into\s+(?:force|operation|effect)\s+(?:on|from)\s+(?P<m>[A-Za-z]+)\s+(?P<d>\d{1,2}),?\s+(?P<y>\d{4})",
        r"(?i)(?:takes?|take)\s+effect\s+(?:on|from)\s+(?:the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?(?P<m>[A-Za-z]+),?\s+(?P<y>\d{4})",
        r"自\s*(?P<y>\d{4})\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日\s*起\s*(?:施行|实施|生效)",
        r"tritt\s+am\s+(?P<d>\d{1,2})\.\s*(?P<m>[A-Za-zä]+)\s+(?P<y>\d{4})\s+in\s+Kraft",
        r"(?i)entre(?:ra)?\s+en\s+vigueur\s+le\s+(?P<d>\d{1,2})(?:er)?\s+(?P<m>[a-zéû]+)\s+(?P<y>\d{4})",
        r"(?i)entrará\s+en\s+vigor\s+el\s+(?P<d>\d{1,2})\s+de\s+(?P<m>[a-z]+)\s+de(?:l)?\s+(?P<y>\d{4})",
        r"(?P<d>[0-9०-९]{1,2})\s+(?P<m>[\p{Devanagari}]+),?\s+(?P<y>[0-9०-९]{4})\s+(?:से|को)\s+(?:प्रवृत्त|लागू)",
        r"(?P<y>\d{4})年\s*(?P<m>\d{1,2})月\s*(?P<d>\d{1,2})日\s*から\s*施行",
    ];
    let month = |name: &str| -> Option<i8> {
        if let Ok(n) = name.parse::<i8>() {
            return Some(n);
        }
        const OTHERS: [(&str, i8); 46] = [
            ("enero", 1),
            ("febrero", 2),
            ("marzo", 3),
            ("abril", 4),
            ("mayo", 5),
            ("junio", 6),
            ("julio", 7),
            ("agosto", 8),
            ("septiembre", 9),
            ("octubre", 10),
            ("noviembre", 11),
            ("diciembre", 12),
            ("जनवरी", 1),
            ("फरवरी", 2),
            ("मार्च", 3),
            ("अप्रैल", 4),
            ("मई", 5),
            ("जून", 6),
            ("जुलाई", 7),
            ("अगस्त", 8),
            ("सितंबर", 9),
            ("अक्टूबर", 10),
            ("नवंबर", 11),
            ("दिसंबर", 12),
            ("januar", 1),
            ("februar", 2),
            ("märz", 3),
            ("mai", 5),
            ("juni", 6),
            ("juli", 7),
            ("oktober", 10),
            ("dezember", 12),
            ("janvier", 1),
            ("février", 2),
            ("mars", 3),
            ("avril", 4),
            ("juin", 6),
            ("juillet", 7),
            ("août", 8),
            ("septembre", 9),
            ("octobre", 10),
            ("novembre", 11),
            ("décembre", 12),
            ("november", 11),
            ("september", 9),
            ("august", 8),
        ];
        let name = name.to_lowercase();
        let place = MONTHS.iter().position(|m| *m == name).and_then(|i| i8::try_from(i + 1).ok());
        place.or_else(|| OTHERS.iter().find(|o| o.0 == name).map(|o| o.1))
    };
    let flat = words.split_whitespace().collect::<Vec<_>>().join(" ");
    for pattern in commencement {
        let Ok(regex) = regex::Regex::new(pattern) else { continue };
        for found in regex.captures_iter(&flat) {
            let get = |name: &str| found.name(name).map(|m| m.as_str());
            let (Some(d), Some(m), Some(y)) = (get("d"), get("m"), get("y")) else { continue };
            let (d, y) = (ascii_digits(d), ascii_digits(y));
            let date = month(m).and_then(|m| Date::new(y.parse().ok()?, m, d.parse().ok()?).ok());
            if let Some(date) = date {
                let said = found.get(0).map_or("", |m| m.as_str());
                return Some((date, format!("the document says: “{said}”")));
            }
        }
    }
    let years = regex::Regex::new(r"\b(1[5-9]\d{2}|20\d{2})\b").ok()?;
    let year = years.find_iter(title).last()?.as_str().parse().ok()?;
    let date = Date::new(year, 1, 1).ok()?;
    Some((date, "assumed from the year in its title: say it with --in-force-from".into()))
}

/// Devanagari digits as Arabic ones.
fn ascii_digits(text: &str) -> String {
    let digit = |c: char| match c {
        '०'..='९' => char::from_digit(u32::from(c) - u32::from('०'), 10).unwrap_or(c),
        c => c,
    };
    text.chars().map(digit).collect()
}

fn kind_of(title: &str, words: &str) -> WorkKind {
    let title = title.to_lowercase();
    let has = |list: &[&str]| list.iter().any(|w| title.contains(w));
    if has(&["constitution", "宪法", "संविधान", "grundgesetz", "verfassung"]) {
        WorkKind::Constitution
    } else if has(&["procedure", "诉讼", "प्रक्रिया", "prozessordnung", "procédure"]) {
        WorkKind::Procedure
    } else if has(&["evidence", "साक्ष्य", "证据"]) {
        WorkKind::Evidence
    } else {
        let lower = words.to_lowercase();
        let offences: usize = [
            "punish",
            "imprisonment",
            "offence",
            "有期徒刑",
            "罚款",
            "दण्ड",
            "दंड",
            "freiheitsstrafe",
            "emprisonnement",
            "fine ",
        ]
        .iter()
        .map(|w| lower.matches(w).count())
        .sum();
        if offences * 2_000 > words.chars().count() { WorkKind::Substantive } else { WorkKind::Other }
    }
}

/// Plain numbers that are not there between those that are.
fn gaps(found: &[Number]) -> Vec<String> {
    let mut bases: Vec<u32> = found.iter().map(|n| n.base).collect();
    bases.dedup();
    let mut out = Vec::new();
    let mut last = 0;
    for base in bases {
        match base - last {
            0 | 1 => {}
            2 => out.push((last + 1).to_string()),
            _ => out.push(format!("{}-{}", last + 1, base - 1)),
        }
        last = base;
    }
    out
}

/// Numbers as a manifest lists them: runs of plain ones, then the others.
fn runs(numbers: &[Number]) -> Vec<String> {
    let mut plain: Vec<u32> =
        numbers.iter().filter(|n| n.letters.is_empty() && n.sub.is_none()).map(|n| n.base).collect();
    plain.sort_unstable();
    plain.dedup();
    let mut out = Vec::new();
    let mut run: Option<(u32, u32)> = None;
    for n in plain {
        match &mut run {
            Some((_, to)) if n == *to + 1 => *to = n,
            _ => {
                out.extend(run.map(show_run));
                run = Some((n, n));
            }
        }
    }
    out.extend(run.map(show_run));
    out.extend(
        numbers
            .iter()
            .filter(|n| !n.letters.is_empty() || n.sub.is_some())
            .map(|n| n.to_string().replace('-', "/")),
    );
    out
}

fn show_run((from, to): (u32, u32)) -> String {
    if from == to { from.to_string() } else { format!("{from}-{to}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn propose_text(name: &str, text: &str) -> Proposal {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        let facts = Facts {
            id: "xx/some-act".parse().unwrap(),
            title: None,
            in_force_from: None,
            language: None,
            unit: None,
            kind: None,
        };
        propose(&path, &facts, &PdfReader::in_process()).unwrap()
    }

    fn units(proposal: &Proposal) -> Vec<String> {
        proposal.units.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_english_act_with_titled_sections() {
        let p = propose_text(
            "kites.txt",
            "THE KITE FLYING ACT, 1999\n\nPART I\nPRELIMINARY\n\nSection 1. Short title\n\nThis Act may be called the Kite Flying Act, 1999. It shall come into force on the 3rd day of May, 1999.\n\nSection 2. Offence\n\nWhoever flies a kite over a road shall be punished as\nSection 1 of this Act does not say.\n\nSection 2A. Fine\n\nThe fine is five coins.\n\nSCHEDULE\n\n1. Red kites.\n2. Blue kites.\n",
        );
        assert_eq!(units(&p), ["s1", "s2", "s2A", "sch1"]);
        assert_eq!(p.manifest.native_title(), "The Kite Flying Act, 1999");
        assert_eq!(p.manifest.in_force_from.to_string(), "1999-05-03");
        assert_eq!(p.manifest.versions[0].expected, ["1-2", "2A"]);
        assert!(p.manifest.names["en"].contains(&"Kite Flying Act".to_owned()));
        let back = Manifest::parse("t", &p.toml()).unwrap();
        assert_eq!(back.id, p.manifest.id);
    }

    #[test]
    fn a_chinese_law_a_hindi_act_a_german_and_a_french_one() {
        let p = propose_text(
            "a.txt",
            "风筝管理条例\n\n第一章　总则\n\n第一条　为了管理风筝，制定本条例。\n\n第二条　放风筝的人，应当遵守本条例。\n\n第二条之一　夜间不得放风筝。\n\n第二章　附则\n\n第三条　本条例自2005年7月1日起施行。\n",
        );
        assert_eq!(units(&p), ["a1", "a2", "a2-1", "a3"]);
        assert_eq!(
            (p.manifest.language.as_str(), p.manifest.in_force_from.to_string().as_str()),
            ("zh", "2005-07-01")
        );
        let p = propose_text(
            "b.txt",
            "पतंग अधिनियम, 2003\n\nधारा १. संक्षिप्त नाम\n\nइस अधिनियम का नाम पतंग अधिनियम, 2003 है।\n\nधारा २. परिभाषा\n\nपतंग वह है जो डोर से उड़ाई जाती है।\n\nधारा ३. दण्ड\n\nजो कोई सड़क पर पतंग उड़ाता है, दण्डित किया जाएगा।\n",
        );
        assert_eq!(units(&p), ["s1", "s2", "s3"]);
        assert_eq!(p.manifest.language, "hi");
        let p = propose_text(
            "c.txt",
            "Drachengesetz 1998\n\n§ 1 Zweck\n\nDas Gesetz regelt das Steigen der Drachen und ist nicht für die Jagd.\n\n§ 2 Verbot\n\n(1) Der Drachen wird nicht über der Straße geführt.\n(2) § 1 gilt entsprechend.\n\n§ 2a Ausnahme\n\nDie Behörde kann Ausnahmen zulassen.\n\n§ 3 Inkrafttreten\n\nDieses Gesetz tritt am 1. Januar 1998 in Kraft.\n",
        );
        assert_eq!(units(&p), ["s1", "s2", "s2A", "s3"]);
        assert_eq!(
            (p.manifest.language.as_str(), p.manifest.in_force_from.to_string().as_str()),
            ("de", "1998-01-01")
        );
        let p = propose_text(
            "d.txt",
            "Loi sur les cerfs-volants de 1997\n\nArticle premier\n\nLes cerfs-volants sont libres.\n\nArticle 2\n\nLe vol est interdit au-dessus des routes, sous réserve de\nl'article 3.\n\nArticle 3 bis\n\nUne amende est due.\n",
        );
        assert_eq!(units(&p), ["a1", "a2", "a3BIS"]);
        assert_eq!(p.manifest.language, "fr");
    }

    #[test]
    fn what_is_no_statute_is_said_before_the_day_and_days_are_read_in_hindi() {
        let dir = tempfile::tempdir().unwrap();
        let refused = |text: &str| {
            let path = dir.path().join("x.txt");
            std::fs::write(&path, text).unwrap();
            let facts = Facts {
                id: "xx/some-act".parse().unwrap(),
                title: None,
                in_force_from: None,
                language: None,
                unit: None,
                kind: None,
            };
            propose(&path, &facts, &PdfReader::in_process()).unwrap_err().to_string()
        };
        assert!(refused("Stir the tea and wait. Then drink.\n").contains("no provisions"));
        assert!(refused("1.1 Tea\nTea is hot.\n\n1.2 Milk\nMilk is cold.\n").contains("`1.1`"));
        assert!(refused("1. Tea.—Tea is hot.\n\n2. Milk.—Milk is cold.\n").contains("from which day"));
        let p = propose_text(
            "x.txt",
            "नौका नियम\n\nधारा 1. नाम\nयह नियम 1 अप्रैल, 2009 को प्रवृत्त होगा।\n\nधारा 2. दंड\nसौ रुपए का दंड होगा।\n",
        );
        assert_eq!(p.manifest.in_force_from.to_string(), "2009-04-01");
    }

    #[test]
    fn numbers_are_listed_as_runs() {
        let numbers = [
            Number::plain(1),
            Number::plain(2),
            Number::lettered(2, "A"),
            Number::plain(3),
            Number::plain(5),
            Number::with_sub(5, 1),
        ];
        assert_eq!(runs(&numbers), ["1-3", "5", "2A", "5/1"]);
        assert_eq!(gaps(&numbers), ["4"]);
    }
}
