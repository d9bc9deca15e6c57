//! What follows the provisions: schedules, annexes, forms, notes that are no part of the act.

use std::collections::HashSet;

use super::essence;
use super::heads::{Head, is_upper};
use super::numerals;
use super::pages::BodyLine;
use super::titles::ends_text;
use super::words::plain_start;

/// A line with which something annexed begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Annexed {
    /// Its number: by its word or figure, else by its letter. `Schedule C` is the third rather than the hundredth.
    pub numbers: Vec<u32>,
    /// The title behind it on the line.
    pub title: String,
    /// The line names it otherwise than `Schedule` and a number do: `Annexure B`.
    pub label: Option<String>,
    /// A form: part of a schedule, if one is there.
    pub is_form: bool,
}

/// `THE FIRST SCHEDULE—Title`: the number and the title.
pub(super) fn schedule_title(text: &str) -> Option<(u32, String)> {
    let plain = plain_start(text.trim_start_matches(['#', ' ']));
    let upper = plain.to_ascii_uppercase();
    if upper.len() != plain.len() || plain.len() > 160 {
        return None;
    }
    let core = upper.strip_prefix("THE ").unwrap_or(&upper);
    let skipped = upper.len() - core.len();
    if !plain.get(skipped..)?.chars().take(6).all(|c| !c.is_lowercase()) {
        return None;
    }
    let (n, at) = if let Some(rest) = core.strip_prefix("SCHEDULE") {
        let word: String = rest.trim_start().chars().take_while(char::is_ascii_alphanumeric).collect();
        match numerals::ordinal(&word) {
            Some(n) => (n, skipped + core.len() - rest.trim_start().len() + word.len()),
            None => (1, skipped + "SCHEDULE".len()),
        }
    } else {
        let word = core.split(' ').next()?;
        let n = numerals::ordinal(word)?;
        let rest = core.get(word.len()..)?.trim_start();
        rest.strip_prefix("SCHEDULE")?;
        (n, skipped + core.len() - rest.len() + "SCHEDULE".len())
    };
    let title = plain.get(at..)?;
    let tail = title.trim_start();
    if !(tail.is_empty() || tail.starts_with(['.', '—', '–', '-', ':', ']', '('])) {
        return None;
    }
    Some((n, tail.trim_start_matches(['.', '—', '–', '-', ':', ']', ' ']).to_owned()))
}

/// Words for what is annexed, in lower case, where a law has no schedules.
const ANNEXES: [&str; 13] = [
    "annex",
    "annexe",
    "annexure",
    "appendix",
    "anlage",
    "anhang",
    "anexo",
    "allegato",
    "приложение",
    "अनुसूची",
    "bijlage",
    "form",
    "schedule",
];

/// One to ten as headings spell them.
const CARDINALS: [&str; 10] = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"];

/// A schedule by its line: in capitals, or, in a text without pages, standing alone. An annex is one too.
pub(super) fn at(body: &[BodyLine<'_>], i: usize) -> Option<Annexed> {
    let line = body.get(i)?;
    let text = line.text().trim_end_matches(['*', '_', ' ']);
    let simple = |(n, title): (u32, String)| Annexed { numbers: vec![n], title, label: None, is_form: false };
    if line.line.at.is_some() {
        return is_upper(text).then(|| schedule_title(text)).flatten().map(simple);
    }
    let marked = line.heading() > 0 || line.line.strong >= line.line.text.trim_end().len();
    if let Some(found) = named(text, marked) {
        // Without a blank line before it, it begins where a sentence has ended and nothing is behind it on its line.
        let bare = found.title.is_empty() || found.title.starts_with('(');
        let apart = line.after_blank
            || marked
            || bare && i.checked_sub(1).and_then(|b| body.get(b)).is_none_or(|b| ends_text(b.text()));
        return apart.then_some(found);
    }
    is_upper(text).then(|| schedule_title(text)).flatten().map(simple)
}

/// `The First Schedule`, `Schedule II – Title`, `Annexure A`, `Form 3` in any case.
fn named(text: &str, marked: bool) -> Option<Annexed> {
    let plain = plain_start(text.trim_start_matches(['#', ' ', '*'])).trim_matches(['*', '_', ' ']);
    // "schedule 2 lists" goes on with a sentence.
    if plain.chars().count() > 120 || plain.starts_with(|c: char| !c.is_alphabetic() || c.is_lowercase()) {
        return None;
    }
    let core = ["The ", "THE "].iter().find_map(|w| plain.strip_prefix(w)).unwrap_or(plain);
    let end = core.find([' ', '.', ':', '—', '–', '-', '(', '\u{a0}']).unwrap_or(core.len());
    let (first, rest) = core.split_at_checked(end)?;
    let word = first.to_lowercase();
    let (numbers, tail, known, lettered) = if ANNEXES.contains(&word.as_str()) {
        let after = rest.trim_start_matches([' ', '\u{a0}', '-', '–']);
        let after = ["No. ", "NO. ", "Nr. "].iter().find_map(|w| after.strip_prefix(w)).unwrap_or(after);
        let token: String = after.chars().take_while(|c| c.is_alphanumeric()).collect();
        match numbers_of(&token) {
            Some(numbers) => {
                let letter = token.len() == 1
                    && token.starts_with(|c: char| c.is_alphabetic())
                    && numerals::ordinal(&token).is_none_or(|n| n > 20);
                (numbers, after.get(token.len()..)?, word == "schedule", letter)
            }
            None => (vec![1], rest, word == "schedule", false),
        }
    } else {
        let number = numerals::ordinal(first).filter(|_| first.chars().count() > 3)?;
        let rest = rest.trim_start();
        let tail = rest.strip_prefix("Schedule").or_else(|| rest.strip_prefix("SCHEDULE"))?;
        (vec![number], tail, true, false)
    };
    let tail = tail.trim_start();
    // "Schedule 2 lists the persons" is text, and so is "The Schedule to the Lake Act"; a heading may have a title.
    let separated = tail.is_empty()
        || tail.starts_with(['.', '—', '–', '-', ':', '(', '['])
        || marked && tail.starts_with(|c: char| c.is_uppercase());
    if !separated || tail.ends_with([';', ',']) || tail.len() > 1 && tail.ends_with('.') {
        return None;
    }
    let title = tail.trim_start_matches(['.', '—', '–', '-', ':', ' ']).to_owned();
    let label = (!known || lettered).then(|| core.to_owned());
    Some(Annexed { numbers, title, label, is_form: word == "form" })
}

/// The numbers that `2`, `II`, `TWO` or `B` may be.
fn numbers_of(token: &str) -> Option<Vec<u32>> {
    if token.is_empty() || token.chars().any(char::is_lowercase) && !is_word(token) {
        return None;
    }
    let upper = token.to_uppercase();
    let mut numbers: Vec<u32> = Vec::new();
    numbers.extend(numerals::ordinal(&upper));
    numbers.extend(CARDINALS.iter().position(|w| *w == upper).and_then(|i| u32::try_from(i + 1).ok()));
    if numbers.is_empty() {
        numbers.extend(numerals::figure(token).filter(|(_, used)| *used == token.len()).map(|f| f.0));
    }
    if let [letter @ b'A'..=b'Z'] = upper.as_bytes() {
        numbers.push(u32::from(*letter - b'A') + 1);
    }
    (!numbers.is_empty()).then_some(numbers)
}

/// A number in letters: `Two`, `First`.
fn is_word(token: &str) -> bool {
    let upper = token.to_uppercase();
    token.starts_with(char::is_uppercase)
        && (CARDINALS.contains(&upper.as_str()) || token.len() > 3 && numerals::ordinal(token).is_some())
}

/// `Explanatory Note` alone on a line: what follows is no part of the act.
pub(super) fn is_explanatory(text: &str) -> bool {
    let words = essence(text);
    ["explanatorynote", "explanatorynotes", "explanatorymemorandum"].contains(&words.as_str())
}

/// Where an explanatory note begins behind the provisions, with at least two of them before it.
pub(super) fn explanatory_note(body: &[BodyLine<'_>], from: usize, heads: &[Head]) -> Option<usize> {
    let second = heads.iter().filter(|h| h.line >= from).nth(1)?.line;
    body.iter().enumerate().skip(second).find(|(_, l)| is_explanatory(l.text())).map(|(i, _)| i)
}

pub(super) fn is_back_matter(text: &str) -> bool {
    let upper = plain_start(text);
    ["APPENDIX", "ANNEXURE", "ANNEX ", "APPENDICES"].iter().any(|w| upper.starts_with(w)) && text.len() < 200
}

pub(super) fn back_matter(body: &[BodyLine<'_>], from: usize) -> Option<usize> {
    body.iter().enumerate().skip(from).find(|(_, l)| is_back_matter(l.text())).map(|(i, _)| i)
}

/// Lines on which schedules begin, in ascending order, after the sections, each with its number (0 for what ends them).
pub(super) fn schedule_heads(body: &[BodyLine<'_>], from: usize, heads: &[Head]) -> Vec<(usize, u32)> {
    let mut found: Vec<(usize, u32)> = Vec::new();
    // A schedule cannot come before the greatest part of the sections.
    let numbered = heads.iter().filter(|h| h.line >= from).count();
    let mut seen = 0;
    let mut index = 0;
    let starts: Vec<usize> = heads.iter().filter(|h| h.line >= from).map(|h| h.line).collect();
    for (i, l) in body.iter().enumerate().skip(from) {
        while starts.get(index).is_some_and(|s| *s < i) {
            index += 1;
            seen += 1;
        }
        let next = found.last().map_or(1, |f| f.1 + 1);
        // Nothing is annexed before the first provision.
        let schedule = at(body, i).filter(|a| !a.is_form && seen > 0);
        // "ANNEX II" follows "ANNEX I"; other matter at the back ends the schedules.
        if !found.is_empty()
            && (is_back_matter(l.text()) || is_explanatory(l.text()))
            && schedule.as_ref().is_none_or(|s| !s.numbers.contains(&next))
        {
            found.push((i, 0));
            break;
        }
        let Some(schedule) = schedule.filter(|s| s.numbers.contains(&next)) else { continue };
        if found.is_empty() && seen * 4 < numbered && next == 1 && numbered > 8 && seen < 5 {
            continue;
        }
        // In a text that has schedules, an annex is part of one.
        let kind = |a: &Annexed| a.label.as_deref().is_none_or(|l| l.to_lowercase().contains("schedule"));
        let opened = found.first().and_then(|f| at(body, f.0));
        if opened.is_none_or(|o| kind(&o) == kind(&schedule)) {
            found.push((i, next));
        }
    }
    found
}

/// Lines behind the last provision at which something annexed seems to begin, and that begin none of the schedules
/// found: what they announce would be part of the text before.
pub(super) fn others<'b>(body: &'b [BodyLine<'_>], last: usize, schedules: &[(usize, u32)]) -> Vec<&'b str> {
    let found: HashSet<usize> = schedules.iter().map(|s| s.0).collect();
    let end = schedules.iter().find(|s| s.1 == 0).map_or(body.len(), |s| s.0);
    (last + 1..end)
        .filter(|i| !found.contains(i))
        .filter(|i| {
            body.get(*i).is_some_and(|l| l.line.at.is_none())
                && at(body, *i).is_some_and(|a| {
                    // Forms and annexes may be parts of a schedule; a schedule is none of another one.
                    found.is_empty()
                        || a.label.as_deref().is_none_or(|l| l.to_lowercase().contains("schedule"))
                })
        })
        .filter_map(|i| body.get(i).map(BodyLine::text))
        .collect()
}
