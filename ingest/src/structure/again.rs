//! Numbers that begin again: in every part, or because one stands twice. Nothing is merged for it; the finding says
//! that the ids are not unique.

use std::collections::HashSet;

use nyaya_corpora::{Diagnostic, Number, Severity};

use super::Context;
use super::contents::Contents;
use super::heading::{split_at, title_like};
use super::heads::{Head, Style};
use super::indian::choose;
use super::pages::BodyLine;
use super::titles::titles_before;

/// The heads among the candidates between two lines, those of numbers that stand again included, with what is odd.
pub(super) fn choose_all(
    body: &[BodyLine<'_>],
    heads: &[Head],
    contents: &Contents,
    (from, end): (usize, usize),
    context: &Context<'_>,
) -> (Vec<Head>, Option<Diagnostic>) {
    let heads: Vec<&Head> = heads.iter().filter(|h| h.line >= from && h.line < end).collect();
    let places = restarts(body, &heads, contents, from);
    let mut chosen: Vec<usize> = Vec::new();
    let mut at = 0;
    let bounds = places.iter().skip(1).map(|(i, _)| *i).chain([heads.len()]);
    for to in bounds {
        let part = heads.get(at..to).unwrap_or_default();
        let from = if at == 0 { from } else { part.first().map_or(from, |h| h.line) };
        let stop = heads.get(to).map_or(end, |h| h.line);
        chosen.extend(choose(body, part, contents, from, stop, context).into_iter().map(|i| i + at));
        at = to;
    }
    let twice = twins(body, &heads, &chosen);
    chosen.extend(twice);
    chosen.sort_unstable();
    let picked: Vec<Head> = chosen.iter().filter_map(|i| heads.get(*i).map(|h| (*h).clone())).collect();
    let mut seen: HashSet<&Number> = HashSet::new();
    let again: Vec<String> =
        picked.iter().filter(|h| !seen.insert(&h.number)).map(|h| h.number.to_string()).collect();
    let finding = (!again.is_empty()).then(|| {
        let names: Vec<&str> = again.iter().take(8).map(String::as_str).collect();
        let more = if again.len() > 8 { " …" } else { "" };
        let (what, hint) = match places.get(1) {
            Some((_, title)) => (
                format!("the numbers begin again at “{title}”"),
                "give each part as a file of its own, with an id of its own",
            ),
            None => (
                "a number stands twice".to_owned(),
                "number them apart (3, 3A), or take out the one that is no longer in force",
            ),
        };
        Diagnostic::new(
            Severity::Error,
            "numbers_again",
            format!("{what}, so ids are not unique: {}{more}; {hint}", names.join(", ")),
        )
    });
    (picked, finding)
}

/// Where a division is followed by number 1, if that happens more than once: index of the head, and the division.
fn restarts(
    body: &[BodyLine<'_>],
    heads: &[&Head],
    contents: &Contents,
    from: usize,
) -> Vec<(usize, String)> {
    let one = Number::plain(1);
    let mut places: Vec<(usize, String)> = Vec::new();
    for (i, head) in heads.iter().enumerate().filter(|(_, h)| h.number == one) {
        let titles = titles_before(body, contents, head.line, from).0;
        if let Some(title) = titles.into_iter().find(|t| t.divides) {
            // The first may stand in the list of the parts, with its number only.
            places.push((i, title.text));
        }
    }
    let first = heads.first().is_none_or(|h| h.number == one);
    if places.len() < 2 || !first {
        return Vec::new();
    }
    // What stands before the first division with number 1 belongs to the first part.
    if let Some(place) = places.first_mut() {
        place.0 = 0;
    }
    places
}

/// Heads that were not chosen because their number has been, and that look like heads in every way.
fn twins(body: &[BodyLine<'_>], heads: &[&Head], chosen: &[usize]) -> Vec<usize> {
    let taken: HashSet<usize> = chosen.iter().copied().collect();
    let numbers: HashSet<&Number> = chosen.iter().filter_map(|i| heads.get(*i)).map(|h| &h.number).collect();
    let dashed = |h: &Head| {
        let rest = body.get(h.line).and_then(|l| l.line.text.get(h.end..)).unwrap_or_default();
        split_at(rest).is_some_and(|(at, _)| {
            at < 120
                && rest.get(..at).is_some_and(|t| {
                    t.trim_end().ends_with('.') && title_like(t.trim_end().trim_end_matches('.'))
                })
        })
    };
    let all_dashed = chosen.iter().filter_map(|i| heads.get(*i)).filter(|h| dashed(h)).count();
    let habit = all_dashed >= 2 && all_dashed * 3 >= chosen.len() * 2;
    let mut found = Vec::new();
    for (i, head) in heads.iter().enumerate() {
        if taken.contains(&i) || !numbers.contains(&head.number) || head.to.is_some() {
            continue;
        }
        let Some(line) = body.get(head.line) else { continue };
        // It must stand where its number does: right behind the other one, or between its neighbours.
        let before = chosen.iter().rev().find(|c| **c < i).and_then(|c| heads.get(*c));
        let after = chosen.iter().find(|c| **c > i).and_then(|c| heads.get(*c));
        let near =
            before.is_some_and(|b| b.number == head.number) || after.is_some_and(|a| a.number == head.number);
        let bare = line.line.text.get(..head.start).is_none_or(|s| s.trim().is_empty() || s.starts_with('#'));
        let sure = match head.style {
            Style::Stop | Style::Bare | Style::Decimal => habit && dashed(head),
            Style::Titled | Style::Marked => line.after_blank || line.heading() > 0,
        };
        if near && bare && sure && line.line.at.is_none() {
            found.push(i);
        }
    }
    found
}
