//! Lines that begin as the act's provisions do, have a number that no provision has, and landed inside another one:
//! sections out of order, numbers that cannot be named. Nobody can cite what is lost so; it is an error.

use std::collections::BTreeSet;

use nyaya_corpora::{Diagnostic, Number, Provision, Severity};

use super::Context;
use super::heads::{Head, Style};
use super::pages::BodyLine;

/// Whether the statute is one of the user's, of which nobody has listed the numbers by hand.
fn is_own(context: &Context<'_>) -> bool {
    context.manifest.sources.is_empty() || context.manifest.sources.iter().any(|s| s.id == "file")
}

/// Heads of the act's own style that became none, between its first provision and `end`.
pub(super) fn heads(
    body: &[BodyLine<'_>],
    heads: &[Head],
    chosen: &[Head],
    end: usize,
    context: &Context<'_>,
) -> Option<Diagnostic> {
    let first = chosen.first()?.line;
    let last = chosen.iter().map(|h| h.number.base).max()?;
    let found: BTreeSet<&Number> = chosen.iter().map(|h| &h.number).collect();
    let ranges: Vec<(&Number, &Number)> =
        chosen.iter().filter_map(|h| Some((&h.number, h.to.as_ref()?))).collect();
    let lines: Vec<&str> = heads
        .iter()
        .filter(|h| h.line > first && h.line < end && !found.contains(&h.number))
        // What a state inserted for itself stands under its own line and is kept beside the section.
        .filter(|h| {
            let section = chosen.iter().rev().find(|c| c.line < h.line).map_or(0, |c| c.line);
            !body
                .get(section..h.line)
                .unwrap_or_default()
                .iter()
                .any(|l| super::indian::is_state_amendment(l.text()))
        })
        .filter(|h| !ranges.iter().any(|(a, b)| **a <= h.number && h.number <= **b))
        .filter_map(|h| {
            let line = body.get(h.line)?;
            let rest = line.line.text.get(h.end..)?.trim_start();
            let opens = !rest.starts_with(|c: char| c.is_lowercase() || c == ',' || c == ')');
            let quoted = line.line.text.get(..h.start)?.contains(['“', '"', '‘', '«']);
            let named = matches!(h.style, Style::Titled | Style::Marked);
            let apart = line.after_blank || line.heading() > 0;
            let inside = h.number.base <= last;
            (opens && !quoted && (inside || named && apart)).then(|| line.text())
        })
        .collect();
    let decimal = chosen.iter().any(|h| h.style == Style::Decimal);
    let lettered =
        body.iter().enumerate().take(end).skip(first).filter(|(_, l)| decimal && lettered(l.text()));
    let lines: Vec<&str> = lines.into_iter().chain(lettered.map(|(_, l)| l.text())).collect();
    said(&lines, context)
}

/// `2.2A Title`: no number of a provision has a figure and a letter behind the stop.
fn lettered(text: &str) -> bool {
    let digits = |t: &str| t.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(text);
    let Some(rest) = text.get(first..).and_then(|t| t.strip_prefix('.')).filter(|_| first > 0) else {
        return false;
    };
    let second = digits(rest);
    let tail = rest.get(second..).unwrap_or_default();
    let words = tail.trim_start_matches(|c: char| c.is_ascii_uppercase());
    second > 0
        && (1..=2).contains(&(tail.len() - words.len()))
        && words.trim_start_matches('.').starts_with(' ')
}

/// Lines that announce schedules or forms, and that none of the schedules found begins with.
pub(super) fn announced(lines: &[&str], context: &Context<'_>) -> Option<Diagnostic> {
    if lines.is_empty() || !is_own(context) {
        return None;
    }
    Some(Diagnostic::new(
        Severity::Error,
        "swallowed",
        format!(
            "{} lines announce schedules or forms that were not told from the text before them: {}; number schedules \
             from 1 on, or put forms under a line `SCHEDULE`",
            lines.len(),
            shown(lines)
        ),
    ))
}

/// The first words of some lines.
fn shown(lines: &[&str]) -> String {
    const SHOWN: usize = 4;
    let shown: Vec<String> = lines
        .iter()
        .take(SHOWN)
        .map(|l| format!("“{}”", l.chars().take(40).collect::<String>().trim_end()))
        .collect();
    let more = if lines.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// As [`heads`], for lines that were found otherwise.
pub(super) fn said(lines: &[&str], context: &Context<'_>) -> Option<Diagnostic> {
    if lines.is_empty() || !is_own(context) {
        return None;
    }
    Some(Diagnostic::new(
        Severity::Error,
        "swallowed",
        format!(
            "{} lines begin as provisions do and are part of another one, because their numbers do not ascend or cannot be \
             named: {}; put the provisions in the order of their numbers",
            lines.len(),
            shown(lines)
        ),
    ))
}

/// Numbers that are missing between others and stand in the middle of a text (`neighbourhood. 11. Whoever`), as they do
/// where columns or notes in the margin were read into the text.
pub(super) fn in_texts(provisions: &[Provision], context: &Context<'_>) -> Option<Diagnostic> {
    if !is_own(context) {
        return None;
    }
    let own: Vec<&Provision> = provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).collect();
    let bases: BTreeSet<u32> = own.iter().filter_map(|p| p.id.unit.number()).map(|n| n.base).collect();
    let last = bases.last().copied()?;
    if bases.len() < 2 || (bases.len() as u64) * 20 < u64::from(last) {
        return None;
    }
    let inside = |text: &str, n: u32| {
        let mark = format!("{n}. ");
        text.match_indices(&mark).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let next = text.get(at + mark.len()..).and_then(|t| t.chars().next());
            let free = before.ends_with(char::is_whitespace) || before.is_empty();
            let word: String = before
                .trim_end()
                .chars()
                .rev()
                .take_while(|c| c.is_alphanumeric() || *c == '.')
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect();
            const REFERENCES: [&str; 16] = [
                "section",
                "sections",
                "s.",
                "ss.",
                "article",
                "articles",
                "art.",
                "rule",
                "rules",
                "regulation",
                "paragraph",
                "clause",
                "no.",
                "and",
                "or",
                "to",
            ];
            free && next.is_some_and(char::is_uppercase)
                && !REFERENCES.contains(&word.to_lowercase().as_str())
        })
    };
    let lost: Vec<String> = (1..last)
        .filter(|n| !bases.contains(n))
        .take(200)
        .filter(|n| own.iter().any(|p| inside(&p.text, *n)))
        .map(|n| n.to_string())
        .collect();
    if lost.is_empty() {
        return None;
    }
    Some(Diagnostic::new(
        Severity::Error,
        "swallowed",
        format!(
            "the numbers {} begin sentences inside other provisions: columns or marginal notes were read into the text, or \
             lines were run together; give the act as text, one provision a line",
            lost.iter().take(12).cloned().collect::<Vec<_>>().join(", ")
        ),
    ))
}
