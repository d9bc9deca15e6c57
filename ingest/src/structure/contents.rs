//! The table of contents of an act.

use std::collections::{BTreeMap, HashMap, HashSet};

use nyaya_corpora::Number;

use super::annexed::{is_back_matter, schedule_title};
use super::chain::{Candidate, heaviest};
use super::divisions::division_at;
use super::essence;
use super::heads::{Head, is_upper};
use super::pages::BodyLine;

/// A table of contents.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Line of its first entry and of the first line after it.
    pub range: (usize, usize),
    pub entries: Vec<(Number, Option<Number>, String)>,
    pub by_number: HashMap<Number, usize>,
    /// Titles and group headings in it.
    pub titles: HashSet<String>,
    pub schedules: BTreeMap<u32, String>,
}

fn is_contents_title(text: &str) -> bool {
    let e = essence(text);
    e.starts_with("arrangementof")
        || [
            "contents",
            "tableofcontents",
            "index",
            "arrangement",
            "inhaltsverzeichnis",
            "inhaltsübersicht",
            "inhalt",
            "sommaire",
            "tabledesmatières",
            "índice",
            "indice",
            "sumario",
            "विषयसूची",
            "विषयसूचि",
            "अनुक्रमणिका",
        ]
        .contains(&e.as_str())
        || e.starts_with("धाराओंकाक्रम")
}

/// The table of contents, if there is one: from its title to where the numbers begin again.
///
/// `heads` are those of the body's style, `all` those of any: a table may say `1.` where the body says `Section 1`.
pub(super) fn contents(body: &[BodyLine<'_>], heads: &[Head], all: &[Head]) -> Contents {
    let mut contents = Contents::default();
    let Some(title) = body.iter().position(|l| is_contents_title(l.text())) else { return contents };
    // The style in which the table is written: that of its first line with a number.
    let Some(style) = all.iter().find(|h| h.line > title).map(|h| h.style) else { return contents };
    let after: Vec<&Head> = all.iter().filter(|h| h.line > title && h.style == style).collect();
    let Some(first) = after.first() else { return contents };
    let again = heads.iter().find(|h| {
        h.number == first.number
            && h.line > first.line + 3
            && after.get(2).is_some_and(|third| h.line > third.line)
    });
    let Some(again) = again else { return contents };
    let entries: Vec<&&Head> = after.iter().filter(|h| h.line < again.line).collect();
    // The first body head may be preceded by pages of front matter; the table ends a few lines after its last entry.
    let picks: Vec<Candidate<Number>> =
        entries.iter().map(|h| Candidate { key: h.number.clone(), weight: 1.0 }).collect();
    let chain = heaviest(&picks);
    let mut last_line = first.line;
    for (n, index) in chain.iter().enumerate() {
        let Some(head) = entries.get(*index) else { continue };
        let next = chain.get(n + 1).and_then(|i| entries.get(*i)).map_or(again.line, |h| h.line);
        let mut heading =
            clean_heading(body.get(head.line).and_then(|l| l.line.text.get(head.end..)).unwrap_or_default());
        let mut line = head.line + 1;
        while line < next {
            let Some(l) = body.get(line) else { break };
            // In a text the table ends with a blank line.
            let ends = l.after_blank && n + 1 == chain.len();
            if ends
                || division_at(body, line).is_some()
                || is_upper(l.text())
                || starts_act(l.text())
                || line > head.line + 8
                || l.text().eq_ignore_ascii_case("sections")
            {
                break;
            }
            let closed =
                heading.ends_with(['.', ']']) && (n + 1 == chain.len() || l.set_in() || l.indent < 0.5);
            if closed {
                break;
            }
            heading.push(' ');
            heading.push_str(l.text());
            line += 1;
        }
        last_line = line;
        let mut group = String::new();
        for (k, l) in body.get(line..next).unwrap_or_default().iter().enumerate() {
            if n + 1 < chain.len() {
                contents.titles.insert(essence(l.text()));
                // A group heading may run over two lines here and one line there.
                group = if division_at(body, line + k).is_some() || is_upper(l.text()) {
                    String::new()
                } else {
                    format!("{group}{}", essence(l.text()))
                };
                contents.titles.insert(group.clone());
            }
        }
        contents.by_number.entry(head.number.clone()).or_insert(contents.entries.len());
        contents.entries.push((head.number.clone(), head.to.clone(), clean_heading(&heading)));
    }
    for l in body.get(title..first.line).unwrap_or_default() {
        contents.titles.insert(essence(l.text()));
    }
    // Schedules and appendices are listed after the sections.
    let mut end = last_line;
    let mut schedule: Option<u32> = None;
    for (i, l) in body.iter().enumerate().take(again.line).skip(last_line) {
        if let Some((n, title)) = schedule_title(l.text()) {
            schedule = Some(n);
            contents.schedules.insert(n, title);
            end = i + 1;
        } else if starts_act(l.text()) || (is_upper(l.text()) && essence(l.text()).contains("preamble")) {
            break;
        } else if let Some(n) = schedule
            && !is_back_matter(l.text())
        {
            if let Some(t) = contents.schedules.get_mut(&n).filter(|t| !t.ends_with('.')) {
                t.push(' ');
                t.push_str(l.text());
            }
            end = i + 1;
        } else {
            schedule = None;
            if is_back_matter(l.text()) {
                end = i + 1;
            } else if end > last_line {
                // A second line of an appendix's title.
                end = if i == end { i + 1 } else { end };
            }
        }
    }
    for title in contents.schedules.values_mut() {
        *title =
            title.trim_matches(|c: char| c.is_whitespace() || matches!(c, '—' | '–' | '-' | '.')).to_owned();
    }
    contents.range = (title, end.min(again.line));
    contents
}

/// Words with which the act itself begins after its contents.
fn starts_act(text: &str) -> bool {
    let e = essence(text);
    e.starts_with("actno")
        || e.starts_with("theconstitutionofindia")
        || e.starts_with("anactto")
        || e.starts_with("wethepeople")
}

fn clean_heading(text: &str) -> String {
    let mut text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    while text.ends_with(['#', '*', ' ']) {
        text.pop();
    }
    // Leaders and a page number: "Short title ........ 3".
    let bare = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    if bare.len() < text.len() && (bare.ends_with("...") || bare.ends_with('…') || bare.ends_with("· ·"))
    {
        let kept = bare.trim_end_matches(['.', '…', ' ', '·']).len();
        text.truncate(kept);
    }
    text
}
