//! The heading of a provision, and words that say that it is gone.

use nyaya_corpora::{AnnotationKind, Provision, Status};

use super::essence;

/// Where a heading ends and the text begins: byte of the end and of the start.
pub(super) fn split_at(text: &str) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    for (mark, from) in [
        ("—", 0),
        (".–", 1),
        (". –", 1),
        (".-", 1),
        (". -", 1),
        (".__", 1),
        ("”–", "”".len()),
        (".--", 1),
        ("--", 0),
    ] {
        if let Some(at) = text.find(mark)
            && best.is_none_or(|b| at + from < b.0)
        {
            best = Some((at + from, at + mark.len()));
        }
    }
    best
}

/// `date^1` in Markdown is the mark of a footnote.
pub(super) fn strip_carets(provision: &mut Provision) {
    while let Some(at) = provision.text.find('^') {
        let digits =
            provision.text.get(at + 1..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 2 {
            break;
        }
        let marker = provision.text.get(at + 1..at + 1 + digits).unwrap_or_default().to_owned();
        provision.text.replace_range(at..at + 1 + digits, "");
        for note in &mut provision.annotations {
            match note.at {
                Some(place)
                    if note.kind == AnnotationKind::Footnote && note.marker.as_deref() == Some(&marker) =>
                {
                    note.at = Some(at.min(place))
                }
                Some(place) if place > at => note.at = Some(place.saturating_sub(1 + digits).max(at)),
                _ => {}
            }
        }
    }
}

/// The heading at the start of a provision's words, and where the text begins. Only a mark makes a heading here: a
/// dash behind a title, or agreement with the contents table.
pub(super) fn heading_of(raw: &str, listed: Option<&str>) -> (Option<String>, usize) {
    let split = split_at(raw).filter(|(at, _)| *at < 400);
    let plausible = split.filter(|(at, _)| {
        let words = raw.get(..*at).unwrap_or_default();
        match listed {
            // A dash inside the first paragraph of a section without heading follows a clause, not a title.
            Some(listed) => essence(words).len() <= essence(listed).len() * 2 + 20,
            // A dash at the end of a line, without a stop before it, opens a list.
            None => {
                let after = raw.get(*at..).unwrap_or_default().trim_start_matches(['—', '–', '-', '_', '.']);
                dashed_title(words) && (words.trim_end().ends_with(STOPS) || !after.starts_with('\n'))
            }
        }
    });
    let from_list = listed.and_then(|l| after_essence(raw, &essence(l)));
    let (end, start) = match (plausible, from_list) {
        // A dash that was set into the heading does not end it.
        (Some(split), Some(at)) if at > split.0 => (at, at),
        (Some(split), _) => split,
        (None, Some(at)) => (at, at),
        (None, None) => return (None, 0),
    };
    let words = raw.get(..end).unwrap_or_default();
    let heading = plain_heading(&if end == start { words.replace(" — ", " ") } else { words.to_owned() });
    let rest = raw.get(start..).unwrap_or_default();
    let skipped = rest.len()
        - rest
            .trim_start_matches(|c: char| {
                c.is_whitespace() || matches!(c, '—' | '–' | '.' | ':') || (c == '-' && start == end)
            })
            .len();
    if rest.len() == skipped {
        // Nothing follows: what looked like the heading is the text.
        return (None, 0);
    }
    (Some(heading).filter(|h| !h.is_empty()), start + skipped)
}

/// Whether words before a dash are a title: on one line, no label of a part of the text, and no sentence.
fn dashed_title(words: &str) -> bool {
    let words = words.trim();
    // "Whoever sells tar shall pay. Explanation.—", "No fee is due: Provided that—"
    let last = sentences(words).last().unwrap_or_default();
    if words.contains('\n') || is_label_of_text(last) {
        return false;
    }
    // With a stop before the dash a title may have a verb ("Who may sue.—"), but it is one sentence.
    if words.ends_with(STOPS) {
        return sentences(words).count() == 1 || !has_verb(words);
    }
    // "In this Act—", "For the purposes of this Part,—"
    let first = words.split(' ').next().unwrap_or_default().to_lowercase();
    let opens = OPENERS.contains(&first.as_str()) || INTRODUCTIONS.contains(&first.as_str());
    !has_verb(words) && !words.ends_with([',', ':', ';']) && !opens
}

/// What stands before the dash behind a title.
const STOPS: [char; 6] = ['.', '।', '?', '"', '”', ']'];

/// Words with which a clause before a list begins.
const INTRODUCTIONS: [&str; 7] = ["in", "for", "subject", "notwithstanding", "except", "without", "when"];

/// `Explanation`, `Exception 2`, `Provided that`: words that begin a part of the text.
fn is_label_of_text(words: &str) -> bool {
    const LABELS: [&str; 9] = [
        "explanation",
        "exception",
        "illustration",
        "proviso",
        "provided",
        "note",
        "स्पष्टीकरण",
        "परन्तु",
        "दृष्टांत",
    ];
    let lower = words.trim().trim_start_matches(['(', '[', '"', '“']).to_lowercase();
    let word: String =
        lower.chars().take_while(|c| !c.is_whitespace() && !c.is_ascii_punctuation()).collect();
    LABELS.iter().any(|l| word == *l || word.strip_suffix('s') == Some(l))
}

/// The sentences of a line: parted where a stop behind a word is followed by a capital. `No. 4` parts nothing.
fn sentences(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let mut from = 0;
    let mut ends: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices(['.', '।', '?', ':']) {
        let mark = text.get(at..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8);
        let next = text.get(at + mark..).unwrap_or_default();
        let word = text.get(from..at).unwrap_or_default().rsplit(' ').next().unwrap_or_default();
        let opens = next.starts_with(' ')
            && next.trim_start().chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
        if opens && word.chars().count() >= 4 {
            ends.push(text.get(from..at).unwrap_or_default());
            from = at + mark;
        }
    }
    ends.push(text.get(from..).unwrap_or_default());
    ends.into_iter()
}

/// Finite verbs and the like, in lower case: what titles do without and sentences hardly.
const VERBS: [&str; 66] = [
    "shall",
    "may",
    "must",
    "means",
    "mean",
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "will",
    "can",
    "cannot",
    "applies",
    "apply",
    "does",
    "includes",
    "commits",
    "extends",
    "comes",
    "ist",
    "sind",
    "wird",
    "werden",
    "kann",
    "können",
    "haben",
    "muss",
    "müssen",
    "darf",
    "dürfen",
    "dient",
    "gilt",
    "gelten",
    "regelt",
    "tritt",
    "bleibt",
    "est",
    "sont",
    "peut",
    "peuvent",
    "doit",
    "doivent",
    "es",
    "será",
    "serán",
    "puede",
    "pueden",
    "debe",
    "deben",
    "tiene",
    "è",
    "sono",
    "può",
    "deve",
    "é",
    "são",
    "pode",
    "है",
    "हैं",
    "होगा",
    "होगी",
    "होंगे",
    "सकेगा",
    "करेगा",
];

/// Words with which a title may begin and still have a verb.
const QUESTIONS: [&str; 12] =
    ["who", "what", "when", "where", "how", "which", "whether", "wer", "wann", "qui", "quand", "quién"];

/// Words with which sentences begin and short titles with a stop hardly.
const OPENERS: [&str; 34] = [
    "the",
    "a",
    "an",
    "no",
    "every",
    "any",
    "each",
    "this",
    "these",
    "all",
    "it",
    "if",
    "where",
    "nothing",
    "whoever",
    "der",
    "die",
    "das",
    "ein",
    "eine",
    "wer",
    "jeder",
    "le",
    "la",
    "les",
    "un",
    "une",
    "el",
    "los",
    "las",
    "todo",
    "quiconque",
    "quien",
    "cada",
];

/// Whether words hold a finite verb; those of a question do not count.
pub(super) fn has_verb(text: &str) -> bool {
    let mut first = true;
    for word in text.split(|c: char| !(c.is_alphanumeric() || ('\u{0900}'..='\u{0963}').contains(&c))) {
        if word.is_empty() {
            continue;
        }
        let lower = word.to_lowercase();
        if first && QUESTIONS.contains(&lower.as_str()) {
            return false;
        }
        first = false;
        if VERBS.contains(&lower.as_str()) {
            return true;
        }
    }
    false
}

/// Whether a line has the look of a title: short, one phrase, no stop at its end (but in capitals, or where
/// `stops` says that this act's titles have one), and no verb.
pub(super) fn title_like(text: &str) -> bool {
    phrase(text.trim().trim_end_matches("**"), false)
}

/// As [`title_like`], for acts whose titles end with a stop.
pub(super) fn stopped_title(text: &str) -> bool {
    phrase(text.trim().trim_end_matches("**"), true)
}

fn phrase(text: &str, stops: bool) -> bool {
    const MOST_WORDS: usize = 18;
    const MOST_WORDS_BEFORE_A_STOP: usize = 7;
    let count = text.chars().count();
    if !(2..=140).contains(&count)
        || text.contains(['—', ';'])
        || text.contains(".-")
        || text.ends_with([',', ':', '-', '、', '，', '：'])
        || text.starts_with(['(', '[', '“', '"', '|', '*', '-'])
        || text.chars().next().is_some_and(char::is_lowercase)
        || !text.chars().any(char::is_alphabetic)
    {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let upper = super::heads::is_upper(text);
    if text.ends_with(['.', '。', '।']) {
        let first = words.first().map(|w| w.to_lowercase()).unwrap_or_default();
        let short = words.len() <= MOST_WORDS_BEFORE_A_STOP && !OPENERS.contains(&first.as_str());
        if !(upper || stops && short) {
            return false;
        }
    }
    words.len() <= MOST_WORDS
        && sentences(text.trim_end_matches(['.', '।'])).count() == 1
        && (upper || !has_verb(text))
}

/// `DEFINITIONS. In this Act`: byte at which a title in capitals ends that the text runs on from.
pub(super) fn capitals_before_text(text: &str) -> Option<usize> {
    let at = text.find(". ")?;
    let (title, rest) = text.split_at_checked(at + 1)?;
    let mixed = rest.chars().filter(|c| c.is_alphabetic()).take(40).any(char::is_lowercase);
    (super::heads::is_upper(title) && title.len() <= 140 && mixed).then_some(at + 1)
}

/// Byte at which the letters of `wanted` are used up, if `raw` begins with them.
fn after_essence(raw: &str, wanted: &str) -> Option<usize> {
    let mut wanted = wanted.chars();
    let mut next = wanted.next()?;
    for (i, c) in raw.char_indices() {
        if !c.is_alphanumeric() {
            continue;
        }
        for lower in c.to_lowercase() {
            if lower != next {
                return None;
            }
            match wanted.next() {
                Some(n) => next = n,
                None => return Some(i + c.len_utf8()),
            }
        }
    }
    None
}

/// A heading without the marks around it and the words that say that the provision is gone.
pub(super) fn bare_heading(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = text.trim();
    for word in ["Omitted.", "Omitted", "Repealed.", "Repealed", "Rep."] {
        let cut = text.trim_end_matches([']', '.', ' ']);
        if let Some(rest) = cut.strip_suffix(word.trim_end_matches('.')) {
            text = rest;
            break;
        }
    }
    plain_heading(text)
}

/// A heading without the marks around it; every word of it is kept.
pub(super) fn plain_heading(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let trimmed = text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | '।' | '—' | '–' | ':' | '#' | '*' | '-')
    });
    let trimmed = match (trimmed.starts_with('['), trimmed.ends_with(']')) {
        (true, true) => trimmed.trim_start_matches('[').trim_end_matches(']'),
        (true, false) if !trimmed.contains(']') => trimmed.trim_start_matches('['),
        (false, true) if !trimmed.contains('[') => trimmed.trim_end_matches(']'),
        _ => trimmed,
    };
    trimmed.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '—' | '–')).to_owned()
}

/// Whether the words say that the provision is no longer there, and what its heading was.
pub(super) fn gone(raw: &str, range: bool) -> Option<(Status, Option<String>)> {
    let trimmed = raw.trim();
    if let Some(found) = gone_in_words(trimmed) {
        return Some(found);
    }
    let bound = trimmed.char_indices().map(|(i, _)| i).nth(700).unwrap_or(trimmed.len());
    let head = trimmed.get(..bound)?;
    let words = ["Omitted", "Repealed", "Rep.", "Rep "];
    let (at, word) = words.iter().filter_map(|w| head.find(w).map(|at| (at, *w))).min()?;
    let before = head.get(..at)?.trim_end();
    let status = if word == "Omitted" { Status::Omitted } else { Status::Repealed };
    let title = bare_heading(before);
    // "[Title.] Omitted by …", "[Repealed.]", "Rep. by …"; not "Repeals.—The acts … are repealed".
    let bare = title.is_empty();
    let bracketed = before.starts_with('[') || before.ends_with([']', '.', '—']);
    let after = head.get(at + word.len()..)?.trim_start_matches(['.', ']', ' ', '\n']);
    let follows = after.is_empty()
        || after.starts_with("by")
        || after.starts_with("ibid")
        || after.starts_with(',')
        || after.starts_with("by the")
        || after.starts_with('(')
        || after.starts_with("w.e.f");
    let short = trimmed.chars().count() < 700;
    // A dash with words of law before "Omitted" means that only a part went.
    let plain_title =
        before.matches('—').count() <= 1 && before.trim_end_matches(['—', ' ']).find('—').is_none();
    ((bare || bracketed || range) && follows && short && plain_title)
        .then(|| (status, Some(title).filter(|t| !t.is_empty())))
}

/// Words that say that a provision is gone, where nothing else stands there, in lower case.
const GONE: [(&str, Status); 44] = [
    ("omitted", Status::Omitted),
    ("deleted", Status::Omitted),
    ("left out", Status::Omitted),
    ("weggefallen", Status::Omitted),
    ("entfallen", Status::Omitted),
    ("entfällt", Status::Omitted),
    ("gestrichen", Status::Omitted),
    ("supprimé", Status::Omitted),
    ("supprimée", Status::Omitted),
    ("suprimido", Status::Omitted),
    ("sin contenido", Status::Omitted),
    ("soppresso", Status::Omitted),
    ("vervallen", Status::Omitted),
    ("लोप किया गया", Status::Omitted),
    ("लोप", Status::Omitted),
    ("लुप्त", Status::Omitted),
    ("विलोपित", Status::Omitted),
    ("исключен", Status::Omitted),
    ("исключена", Status::Omitted),
    ("删去", Status::Omitted),
    ("删除", Status::Omitted),
    ("已删去", Status::Omitted),
    ("已删除", Status::Omitted),
    ("刪去", Status::Omitted),
    ("刪除", Status::Omitted),
    ("削除", Status::Omitted),
    ("삭제", Status::Omitted),
    ("repealed", Status::Repealed),
    ("revoked", Status::Repealed),
    ("aufgehoben", Status::Repealed),
    ("abrogé", Status::Repealed),
    ("abrogée", Status::Repealed),
    ("derogado", Status::Repealed),
    ("derogada", Status::Repealed),
    ("abrogato", Status::Repealed),
    ("revogado", Status::Repealed),
    ("निरसित", Status::Repealed),
    ("निरस्त", Status::Repealed),
    ("утратила силу", Status::Repealed),
    ("утратил силу", Status::Repealed),
    ("uchylony", Status::Repealed),
    ("废止", Status::Repealed),
    ("廢止", Status::Repealed),
    ("廃止", Status::Repealed),
];

/// `(weggefallen)`, `Titel (aufgehoben)`, `(Deleted)`, `[निरसित]`: nothing but such a word stands there, or it
/// stands in brackets behind a title.
pub(super) fn gone_in_words(text: &str) -> Option<(Status, Option<String>)> {
    const LONGEST: usize = 160;
    let trim = |t: &str| t.trim_matches(|c: char| c.is_whitespace() || ".。।*#—–-:".contains(c)).to_owned();
    // Three bytes a letter at most, but for a few.
    if text.len() > 4 * LONGEST || text.chars().count() > LONGEST {
        return None;
    }
    // Most provisions end with no bracket and begin with none of the words' first letters.
    let first = text.chars().find(|c| c.is_alphanumeric())?.to_lowercase().next()?;
    let closes = |c: char| matches!(c, ')' | ']' | '）' | '］' | '〕');
    if !text.contains(closes) && !GONE.iter().any(|(word, _)| word.starts_with(first)) {
        return None;
    }
    let text = trim(text);
    let bracket = [('(', ')'), ('[', ']'), ('（', '）'), ('［', '］'), ('〔', '〕')]
        .into_iter()
        .find(|(_, close)| text.ends_with(*close))
        .and_then(|(open, close)| {
            let at = text.find(open)?;
            Some((at, text.get(at + open.len_utf8()..text.len() - close.len_utf8())?))
        });
    let (title, words) = match bracket {
        Some((at, inside)) => (trim(text.get(..at)?), inside),
        None => (String::new(), text.as_str()),
    };
    let lower = trim(words).to_lowercase();
    let found = GONE.iter().find(|(word, _)| {
        lower.strip_prefix(word).is_some_and(|rest| {
            // "(abrogé par la loi …)", "Omitted by Act 3", "Aufgehoben durch"
            rest.is_empty()
                || rest.starts_with([',', ';', ':', '.'])
                || [" by ", " par ", " durch ", " por ", " da ", " w.e.f", " from ", " mit ", " le "]
                    .iter()
                    .any(|w| rest.starts_with(w))
        })
    })?;
    (title.is_empty() || title_like(&title)).then(|| (found.1, Some(title).filter(|t| !t.is_empty())))
}
