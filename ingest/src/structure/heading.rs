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

/// The heading at the start of a provision's words, and where the text begins.
pub(super) fn heading_of(raw: &str, listed: Option<&str>) -> (Option<String>, usize) {
    let split = split_at(raw).filter(|(at, _)| *at < 400);
    let plausible = split.filter(|(at, _)| {
        let words = raw.get(..*at).unwrap_or_default();
        // A dash inside the first paragraph of a section without heading follows a clause, not a title.
        listed.is_none() || essence(words).len() <= essence(listed.unwrap_or_default()).len() * 2 + 20
    });
    let from_list = listed.and_then(|l| after_essence(raw, &essence(l)));
    let (end, start) = match (plausible, from_list) {
        // A dash that was set into the heading does not end it.
        (Some(split), Some(at)) if at > split.0 => (at, at),
        (Some(split), _) => split,
        (None, Some(at)) => (at, at),
        (None, None) => match first_line(raw) {
            Some(at) => (at, at),
            None => return (None, 0),
        },
    };
    let words = raw.get(..end).unwrap_or_default();
    let heading = bare_heading(&if end == start { words.replace(" — ", " ") } else { words.to_owned() });
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

/// In Markdown the heading is the line of the head.
fn first_line(raw: &str) -> Option<usize> {
    let at = raw.find('\n')?;
    let line = raw.get(..at)?;
    (line.len() < 300
        && !line.contains('—')
        && line.split(' ').count() < 40
        && !line.ends_with([';', ',', ':']))
    .then_some(at)
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
    let trimmed = text
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '—' | '–' | ':' | '#' | '*' | '-'));
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
