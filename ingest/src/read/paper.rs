//! What the pages of a printed original left behind in a plain text: page numbers and running heads. A sentence goes on
//! over them.

use std::collections::HashMap;

use nyaya_corpora::{Diagnostic, Severity};

use super::Line;

/// Letters that stand between two page numbers without any sign beside them; less is a list.
const PAGE: usize = 400;

/// Takes them out, and says so.
pub(super) fn strip(lines: &mut Vec<Line>) -> Option<Diagnostic> {
    let gone = furniture(lines);
    for line in lines.iter_mut().filter(|l| l.text.contains('\u{c}')) {
        line.text = line.text.replace('\u{c}', "");
    }
    if gone.is_empty() {
        return None;
    }
    let shown: Vec<String> = gone
        .iter()
        .take(3)
        .filter_map(|i| lines.get(*i))
        .map(|l| format!("“{}”", l.text.trim().chars().take(40).collect::<String>()))
        .collect();
    let message =
        format!("{} lines that number pages or head them were left out: {}", gone.len(), shown.join(", "));
    // Where a sentence goes on behind them, the blank lines beside them are gone too.
    let mut drop = vec![false; lines.len()];
    for i in &gone {
        if let Some(slot) = drop.get_mut(*i) {
            *slot = true;
        }
    }
    for i in &gone {
        let blank = |j: usize| {
            lines.get(j).is_some_and(|l| l.text.trim().is_empty()) || drop.get(j).copied().unwrap_or(false)
        };
        let (mut from, mut to) = (*i, *i + 1);
        while from > 0 && blank(from - 1) {
            from -= 1;
        }
        while blank(to) {
            to += 1;
        }
        let before =
            from.checked_sub(1).and_then(|j| lines.get(j)).map(|l| l.text.trim_end()).unwrap_or_default();
        let after = lines.get(to).map(|l| l.text.trim_start()).unwrap_or_default();
        let open = !before.is_empty()
            && !before.ends_with(['.', ';', ':', '。', '；', '：', '—', ')', ']', '”', '|'])
            && after.starts_with(|c: char| c.is_alphanumeric())
            && !before.starts_with('#');
        let same = after.starts_with(char::is_lowercase) || before.ends_with(',');
        if open && same {
            drop.iter_mut().take(to).skip(from).for_each(|d| *d = true);
        }
    }
    let mut index = 0;
    lines.retain(|_| {
        let keep = !drop.get(index).copied().unwrap_or(false);
        index += 1;
        keep
    });
    Some(Diagnostic::new(Severity::Info, "page_furniture", message))
}

/// The lines that number pages or head them, in order.
fn furniture(lines: &[Line]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let full: Vec<usize> =
        (0..lines.len()).filter(|i| lines.get(*i).is_some_and(|l| !l.text.trim().is_empty())).collect();
    let feeds: Vec<usize> = full
        .iter()
        .enumerate()
        .filter(|(_, i)| lines.get(**i).is_some_and(|l| l.text.starts_with('\u{c}')))
        .map(|(k, _)| k)
        .collect();
    // Beside a page break: numbers, and what stands beside most breaks.
    let near: Vec<usize> = feeds
        .iter()
        .flat_map(|k| [k.checked_sub(2), k.checked_sub(1), Some(*k), Some(k + 1)])
        .flatten()
        .filter_map(|k| full.get(k).copied())
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in near.iter().filter_map(|i| lines.get(*i)).map(|l| core(&l.text)) {
        *counts.entry(text).or_default() += 1;
    }
    for i in &near {
        let Some(text) = lines.get(*i).map(|l| core(&l.text)) else { continue };
        let repeated = full.first() != Some(i)
            && feeds.len() >= 2
            && counts.get(text).is_some_and(|n| *n >= 2 && *n * 2 > feeds.len());
        if number(text).is_some() || repeated && !text.ends_with(['.', ';', ':', '。']) {
            found.push(*i);
        }
    }
    // Elsewhere numbers count only if they ascend one by one, and are marked as numbers of pages or a page apart.
    for kind in [Kind::Page, Kind::Dashed, Kind::Bare] {
        let own: Vec<(usize, u32)> = full
            .iter()
            .filter(|i| found.binary_search(i).is_err())
            .filter_map(|i| {
                let (n, k) = number(core(&lines.get(*i)?.text))?;
                (k == kind).then_some((*i, n))
            })
            .collect();
        // Page numbers break sentences; a list of figures begins with 1 and does not.
        let broken = own.iter().filter(|o| breaks(lines, o.0)).count();
        let inside = own.first().is_some_and(|o| o.1 > 1) && broken * 2 >= own.len();
        let steps = own.windows(2).all(|w| {
            let [(a, m), (b, n)] = w else { return false };
            let between: usize = lines.get(a + 1..*b).unwrap_or_default().iter().map(|l| l.text.len()).sum();
            *n > *m
                && (kind == Kind::Page || *n == *m + 1)
                && (kind != Kind::Bare || inside || between > PAGE)
        });
        let enough = match kind {
            Kind::Page => own.len() >= 2 || own.len() == 1 && full.last() == own.first().map(|o| &o.0),
            Kind::Dashed => own.len() >= 2,
            Kind::Bare => own.len() >= 3,
        };
        // A single dashed number tells its page where it breaks a sentence.
        let breaks = kind == Kind::Dashed && own.len() == 1 && own.iter().all(|o| breaks(lines, o.0));
        if steps && (enough || breaks) {
            found.extend(own.iter().map(|o| o.0));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the sentence before a line goes on behind it.
fn breaks(lines: &[Line], at: usize) -> bool {
    let full = |l: &&Line| !l.text.trim().is_empty();
    let before = lines.get(..at).unwrap_or_default().iter().rev().find(full);
    let after = lines.get(at + 1..).unwrap_or_default().iter().find(full);
    before.zip(after).is_some_and(|(b, a)| {
        b.text.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ',')
            && a.text
                .trim_start()
                .starts_with(|c: char| c.is_lowercase() || ('\u{4E00}'..='\u{9FFF}').contains(&c))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `Page 3 of 7`, `第 3 页`
    Page,
    /// `- 3 -`
    Dashed,
    /// `3`
    Bare,
}

fn core(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{c}')
}

/// The number of a page that is all there is on a line.
fn number(text: &str) -> Option<(u32, Kind)> {
    let whole = |t: &str| t.trim().parse::<u32>().ok().filter(|n| (1..5_000).contains(n));
    let lower = text.to_lowercase();
    if let Some(rest) = lower.strip_prefix("page ").or_else(|| lower.strip_prefix("seite ")) {
        let first = rest.split([' ', '/']).next().unwrap_or_default();
        let tail = rest.get(first.len()..).unwrap_or_default();
        let fits = tail.is_empty()
            || ["of", "/", "von"]
                .iter()
                .any(|w| tail.trim_start().strip_prefix(w).is_some_and(|t| whole(t).is_some()));
        return whole(first).filter(|_| fits).map(|n| (n, Kind::Page));
    }
    if let Some(inside) = text.strip_prefix('第').and_then(|t| t.strip_suffix(['页', '頁'])) {
        return whole(inside).map(|n| (n, Kind::Page));
    }
    const DASHES: [char; 4] = ['-', '–', '—', '－'];
    if let Some(inside) = text.strip_prefix(DASHES).and_then(|t| t.strip_suffix(DASHES)) {
        return whole(inside).map(|n| (n, Kind::Dashed));
    }
    (text.bytes().all(|b| b.is_ascii_digit()) && text.len() <= 4)
        .then(|| whole(text))
        .flatten()
        .map(|n| (n, Kind::Bare))
}

#[cfg(test)]
mod tests {
    use nyaya_corpora::manifest::Format;

    use super::*;
    use crate::read::text::lines_of;

    fn kept(text: &str) -> (Vec<String>, bool) {
        let mut lines = lines_of(text, Format::Text, 0);
        let said = strip(&mut lines).is_some();
        (lines.into_iter().map(|l| l.text).collect(), said)
    }

    #[test]
    fn page_numbers_and_running_heads_are_no_words_of_the_act() {
        let (lines, said) = kept("1. Reeds are cut in\nPage 1 of 2\nautumn.\n\n2. Fine.\nPage 2 of 2\n");
        assert_eq!(lines, ["1. Reeds are cut in", "autumn.", "", "2. Fine."]);
        assert!(said);
        let (lines, _) = kept("1. Reeds are cut in\n\n- 4 -\n\nautumn.\n");
        assert_eq!(lines, ["1. Reeds are cut in", "autumn."]);
        let (lines, _) = kept(
            "REED ACT\n1. Reeds are cut\n\u{c}12\nREED ACT\nin autumn.\n2. Fine.\n\u{c}13\nREED ACT\n3. End.\n",
        );
        assert_eq!(lines, ["REED ACT", "1. Reeds are cut", "in autumn.", "2. Fine.", "3. End."]);
    }

    #[test]
    fn figures_of_a_list_are_kept() {
        for text in ["Red\n1\nBlue\n2\nGreen\n3\n", "Fines:\n12\n", "- 4 -\n\nThe fourth part.\n"] {
            let (lines, said) = kept(text);
            assert_eq!(lines.join("\n") + "\n", text);
            assert!(!said, "{text}");
        }
    }
}
