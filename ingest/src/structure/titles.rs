//! The titles that stand before a provision: divisions with their titles, and headings of groups.

use super::contents::Contents;
use super::divisions::{self, Division, GROUP, division_at, is_division};
use super::heading::title_like;
use super::heads::is_upper;
use super::pages::BodyLine;
use super::words::{is_label, plain_start};
use super::{essence, letters};

#[derive(Debug)]
pub(super) struct Title {
    pub level: usize,
    pub text: String,
    /// A line that divides, not the heading of a group.
    pub divides: bool,
}

/// Titles directly before line `head`: division lines, lines of capitals, group headings. Returns them from the
/// outside in, with the index of the first.
pub(super) fn titles_before(
    body: &[BodyLine<'_>],
    contents: &Contents,
    head: usize,
    from: usize,
) -> (Vec<Title>, usize) {
    const MOST: usize = 14;
    let mut first = head;
    while first > from {
        let Some(l) = body.get(first - 1) else { break };
        let text = l.text();
        // A group heading that the contents table has may run over some lines here.
        if let Some(lines) = (2..=3).find(|n| {
            let start = first.saturating_sub(*n);
            let words: Vec<&str> =
                body.get(start..first).unwrap_or_default().iter().map(|l| l.text()).collect();
            start >= from && words.len() == *n && contents.titles.contains(&essence(&words.concat()))
        }) {
            first -= lines;
            continue;
        }
        let known = contents.titles.contains(&essence(text)) && letters(text) > 3;
        let before_ends = first.checked_sub(2).and_then(|i| body.get(i)).is_none_or(|b| {
            ends_text(b.text()) || is_division(b.text()) || is_upper(b.text()) || b.heading() > 0
        });
        let group = looks_like_group(text)
            && !is_label(text)
            && (l.set_in() || known || l.heading() > 0)
            && (before_ends || known);
        // "Part XI." at the margin is the end of a sentence.
        let divides = division_at(body, first - 1).is_some() && (l.line.at.is_none() || l.set_in());
        let under = l.line.at.is_none() && first >= from + 2 && under_division(body, first - 1);
        if !(divides
            || (is_upper(text) && !is_label(text) && (l.line.at.is_none() || l.set_in() || known))
            || group
            || under
            || essence(text) == "sections")
        {
            break;
        }
        first -= 1;
        if head - first > MOST {
            break;
        }
    }
    (read(body, contents, first, head), first)
}

/// The titles on these lines.
fn read(body: &[BodyLine<'_>], contents: &Contents, first: usize, head: usize) -> Vec<Title> {
    let mut titles: Vec<Title> = Vec::new();
    let mut open = false;
    for i in first..head {
        let Some(l) = body.get(i) else { continue };
        let text = tidy(l);
        if essence(&text) == "sections" {
            continue;
        }
        if division_at(body, i).is_some()
            && let Some(Division { level, name, title, .. }) = divisions::read(&l.line.text)
        {
            let text = if title.is_empty() { name } else { format!("{name}. {}", tidy_text(&title)) };
            titles.push(Title { level, text, divides: true });
            open = true;
        } else if let Some(last) =
            titles.last_mut().filter(|t| open && t.divides && (is_upper(&text) || under_division(body, i)))
        {
            let glue =
                if last.text.contains(['.', ' ']) && last.text.split(' ').count() > 2 { " " } else { ". " };
            last.text.push_str(glue);
            last.text.push_str(&text);
        } else if let Some(last) = titles.last_mut().filter(|t| {
            let goes_on = !l.after_blank && l.heading() == 0;
            let known = contents.titles.contains(&essence(&text));
            !t.divides && goes_on && is_upper(&text) == is_upper(&t.text) && !known
        }) {
            last.text.push(' ');
            last.text.push_str(&text);
        } else {
            titles.push(Title { level: GROUP, text, divides: false });
            open = false;
        }
    }
    titles
}

/// Whether line `at` is the title of a division that stands alone on the line before.
fn under_division(body: &[BodyLine<'_>], at: usize) -> bool {
    let above = at.checked_sub(1).and_then(|b| division_at(body, b));
    above.is_some_and(|d| d.title.is_empty())
        && body.get(at).is_some_and(|l| title_like(l.text()) || is_upper(l.text()))
}

pub(super) fn tidy(line: &BodyLine<'_>) -> String {
    let mut text = String::new();
    let source = &line.line.text;
    for (i, c) in source.char_indices() {
        if !line.line.raised.iter().any(|r| r.contains(&i)) {
            text.push(c);
        }
    }
    tidy_text(&text)
}

fn tidy_text(text: &str) -> String {
    let text = plain_start(text.trim_start_matches(['#', ' '])).trim();
    let text = unbold(text);
    let open = text.matches('[').count();
    let text = if open == 0 { text.trim_end_matches(']') } else { text };
    text.trim().to_owned()
}

/// A line without the stars that end its bold; three are what is left of words that were taken out.
pub(super) fn unbold(text: &str) -> &str {
    text.strip_suffix("**").filter(|t| !t.ends_with('*')).unwrap_or(text)
}

pub(super) fn ends_text(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_ascii_digit());
    text.ends_with(['.', ';', ':', ']', '”', '"', ')', '—', '*', ',', '।'])
}

/// Short, beginning with a capital, without a stop at the end.
pub(super) fn looks_like_group(text: &str) -> bool {
    let text = text.trim_start_matches(['#', ' ']);
    let plain = plain_start(text);
    let plain = plain.strip_suffix("etc.").unwrap_or(plain).trim_end_matches([',', ' ']);
    plain.chars().count() <= 90
        && letters(plain) >= 4
        && plain.chars().next().is_some_and(|c| !c.is_lowercase() && c.is_alphabetic())
        && !plain.ends_with(['.', ';', ':', ',', '—', '-'])
}
