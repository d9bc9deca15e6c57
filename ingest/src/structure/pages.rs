//! What a page carries besides the text: numbers, running heads, footnotes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::read::Line;

use super::letters;
use super::numerals::is_roman;

/// A note at the foot of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Footnote {
    pub marker: String,
    pub text: String,
}

/// A line of the text proper.
#[derive(Debug, Clone)]
pub(super) struct BodyLine<'a> {
    pub line: Cow<'a, Line>,
    /// Distance from the left margin of the page, in ems; 0 without geometry.
    pub indent: f32,
    /// Ends well before the right margin of the page; unknown where the right margin is not to be trusted.
    pub short: Option<bool>,
    /// First line after a blank line or page break in a document without geometry.
    pub after_blank: bool,
}

impl BodyLine<'_> {
    pub fn text(&self) -> &str {
        self.line.text.trim()
    }

    pub fn page(&self) -> u32 {
        self.line.page.unwrap_or(0)
    }

    /// The rank of a line that the file marks as a heading (`##`, `<h2>`, Word's styles); 0 for text.
    pub fn heading(&self) -> u8 {
        let hashes = self.line.text.trim_start();
        let count = hashes.len() - hashes.trim_start_matches('#').len();
        if count > 0 { u8::try_from(count).unwrap_or(u8::MAX) } else { self.line.heading }
    }

    /// Set so far in that it is a title rather than a paragraph.
    pub fn set_in(&self) -> bool {
        self.line.at.is_some() && self.indent > 3.5
    }
}

#[derive(Debug, Default)]
pub(super) struct Cleaned<'a> {
    pub lines: Vec<BodyLine<'a>>,
    pub footnotes: BTreeMap<u32, Vec<Footnote>>,
    /// Notes beside the text, page by page, from the top.
    pub margin: BTreeMap<u32, Vec<&'a Line>>,
    /// Letters of running heads, page numbers and rules.
    pub furniture: usize,
}

/// Takes page numbers, running heads and footnotes off.
pub(super) fn clean(lines: &[Line]) -> Cleaned<'_> {
    let mut cleaned = Cleaned::default();
    if lines.iter().all(|l| l.page.is_none()) {
        let mut blank = true;
        let lines = match notes_at_end(lines) {
            Some((body, notes)) => {
                cleaned.footnotes.insert(0, footnotes(&notes));
                body
            }
            None => lines,
        };
        for line in lines {
            if line.text.trim().is_empty() {
                blank = true;
                continue;
            }
            cleaned.lines.push(BodyLine {
                line: Cow::Borrowed(line),
                indent: 0.0,
                short: None,
                after_blank: blank,
            });
            blank = false;
        }
        return cleaned;
    }
    let mut pages: Vec<(u32, Vec<&Line>)> = Vec::new();
    for line in lines.iter().filter(|l| !l.text.trim().is_empty()) {
        let page = line.page.unwrap_or(0);
        if line.margin {
            cleaned.margin.entry(page).or_default().push(line);
            continue;
        }
        match pages.last_mut() {
            Some((p, list)) if *p == page => list.push(line),
            _ => pages.push((page, vec![line])),
        }
    }
    let heads = running_heads(&pages, |list| list.iter().take(2).copied().collect());
    // A note or the end of a sentence is no running foot, however often it is there.
    let foot =
        |l: &&Line| note_start(l).is_none() && !l.text.trim_end().ends_with(['.', '。', ';', '；', ':', ',']);
    let feet = running_heads(&pages, |list| list.iter().rev().take(2).copied().filter(foot).collect());
    let note_size = note_size(&pages);
    let justified = justified(&pages);
    let mut tables = super::tables::Tables::default();
    for (page, mut list) in pages {
        while let Some(last) = list.last() {
            let text = &last.text;
            if !(is_page_number(text) || feet.contains_key(&head_key(text)) || is_ruled_foot(text)) {
                break;
            }
            cleaned.furniture += letters(&last.text);
            list.pop();
        }
        let mut top = 0;
        while let Some(line) = list.get(top).filter(|_| top < 3) {
            let text = line.text.trim();
            let under_head = top > 0 && text.starts_with('(') && text.ends_with(')') && text.len() < 160;
            let known = heads.contains_key(&head_key(text))
                || begins_known(text, &heads)
                || begins_known(text, &feet);
            let numbers = !line.gaps.is_empty() && super::tables::is_numbers(text.split(' '));
            if numbers || !(is_page_number(text) || known || under_head) {
                break;
            }
            cleaned.furniture += letters(text);
            top += 1;
        }
        let list = list.get(top..).unwrap_or_default();
        let foot = footnotes_start(list, note_size);
        let (body, foot) = list.split_at_checked(foot).unwrap_or((list, &[]));
        let notes = footnotes(foot);
        if !notes.is_empty() {
            cleaned.footnotes.insert(page, notes);
        }
        // What stands in the margin above or below the text is part of a running head.
        let ys = || body.iter().filter_map(|l| l.at).map(|a| a.y);
        let (low, high) = (ys().fold(f32::MAX, f32::min), ys().fold(f32::MIN, f32::max));
        if let Some(beside) = cleaned.margin.get_mut(&page) {
            beside.retain(|l| {
                let inside = l.at.is_some_and(|a| a.y > low - 4.0 * a.size && a.y < high + 1.5 * a.size);
                if !inside {
                    cleaned.furniture += letters(&l.text);
                }
                inside
            });
        }
        let left = left_margin(body);
        let right = body.iter().filter_map(|l| l.at.map(|at| at.x1)).fold(0.0_f32, f32::max);
        for line in tables.page(body, &mut cleaned.lines) {
            if is_rule(&line.text) {
                continue;
            }
            let indent = line.at.map_or(0.0, |at| (at.x0 - left) / at.size.max(1.0));
            let short = line.at.filter(|_| justified).map(|at| at.x1 < right - 4.0 * at.size);
            cleaned.lines.push(BodyLine { line, indent, short, after_blank: false });
        }
    }
    cleaned
}

/// Notes on amendments at the end of a text without pages: a last block of lines that are all numbered notes, with the
/// lines before it.
fn notes_at_end(lines: &[Line]) -> Option<(&[Line], Vec<&Line>)> {
    let last = lines.iter().rposition(|l| !l.text.trim().is_empty())?;
    let mut start = last + 1;
    while let Some(line) = start.checked_sub(1).and_then(|i| lines.get(i)) {
        if line.text.trim().is_empty() {
            break;
        }
        start -= 1;
    }
    let notes: Vec<&Line> = lines.get(start..=last)?.iter().collect();
    let first = notes.first()?;
    let all = notes.iter().all(|l| note_start(l).is_some() && looks_like_history(&l.text));
    // They count from 1, and a mark in the text points to them.
    let (marker, _) = note_start(first)?;
    let body = lines.get(..start)?;
    let glued = |text: &str| {
        text.match_indices('[').any(|(at, _)| text.get(..at).is_some_and(|b| b.ends_with(&marker)))
    };
    (all && marker == "1" && body.iter().any(|l| glued(&l.text))).then_some((body, notes))
}

/// A line that is only a page number: `12`, `(xii)`, `－107－`, `- 3 -`, `Page 3 of 7`.
pub(super) fn is_page_number(text: &str) -> bool {
    let core: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '－' | '-' | '—' | '–' | '[' | ']'))
        .collect();
    let lower = core.to_ascii_lowercase();
    let lower = lower.strip_prefix("page").unwrap_or(&lower);
    let figures = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_digit());
    (figures(lower) && lower.len() <= 5)
        || is_roman(&lower.to_ascii_uppercase())
        || lower.split_once("of").is_some_and(|(a, b)| figures(a) && figures(b))
}

/// A running head with something of this page's own behind it.
fn begins_known(text: &str, heads: &HashMap<String, usize>) -> bool {
    const MOST_BEHIND: usize = 40;
    let key = head_key(text);
    heads.keys().any(|head| {
        letters(head) >= 12 && key.strip_prefix(head.as_str()).is_some_and(|rest| rest.len() < MOST_BEHIND)
    })
}

fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.chars().count() >= 4 && text.chars().all(|c| matches!(c, '_' | '-' | '—' | '–' | '=' | ' '))
}

/// `158 THE GAZETTE ____________`: what is printed beside the rule under a page.
fn is_ruled_foot(text: &str) -> bool {
    let rule = text.chars().filter(|c| *c == '_').count();
    rule >= 40 && letters(text) >= 8 && letters(text) < 60
}

fn head_key(text: &str) -> String {
    // The page number beside a running head may be Arabic or Roman.
    let number =
        |w: &&str| w.bytes().all(|b| b.is_ascii_digit()) || (w.starts_with('(') && is_page_number(w));
    let text = text.trim_matches(|c: char| c == '_' || c.is_whitespace());
    text.split_whitespace().filter(|w| !number(w)).collect::<Vec<_>>().join(" ")
}

/// Lines that are running heads: with a page number beside them at the top of three pages, or without one at the
/// top of every sixth. The first words of a page may well be those of some other pages.
fn running_heads<'l>(
    pages: &[(u32, Vec<&'l Line>)],
    ends: impl Fn(&[&'l Line]) -> Vec<&'l Line>,
) -> HashMap<String, usize> {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    for (_, list) in pages {
        for line in ends(list) {
            let key = head_key(&line.text);
            if letters(&key) >= 4 && key.len() < 200 {
                let count = counts.entry(key.clone()).or_default();
                count.0 += 1;
                count.1 += usize::from(key.len() < line.text.trim().len());
            }
        }
    }
    let enough = (pages.len() / 6).max(3);
    // With two pages, what stands at the top of both, and is no sentence.
    let both =
        |key: &str, n: usize| pages.len() == 2 && n == 2 && !key.ends_with(['.', '。', ';', '；', ':']);
    counts.retain(|key, n| {
        (n.0 >= enough || (n.1 >= 3 && n.1 * 4 >= n.0 * 3) || both(key, n.0)) && !super::words::is_label(key)
    });
    counts.into_iter().map(|(key, n)| (key, n.0)).collect()
}

/// The smallest left end that several lines share.
fn left_margin(lines: &[&Line]) -> f32 {
    let mut starts: Vec<f32> = lines.iter().filter_map(|l| l.at.map(|at| at.x0)).collect();
    starts.sort_by(f32::total_cmp);
    let enough = (starts.len() / 12).max(2);
    let mut from = 0;
    while let Some(start) = starts.get(from).copied() {
        let count = starts.iter().skip(from).take_while(|x| **x - start < 2.0).count();
        if count >= enough {
            return start;
        }
        from += count.max(1);
    }
    starts.first().copied().unwrap_or(0.0)
}

/// Lines of another size, one after the other, that may stand among the notes.
const ODD_SIZED: usize = 3;

/// Index of the first line of the footnotes at the end of a page; the number of lines if there are none.
fn footnotes_start(lines: &[&Line], note_size: Option<f32>) -> usize {
    let note_sized = |line: &Line| note_size.zip(line.at).is_some_and(|(size, at)| at.size <= 1.04 * size);
    // A rule above them is the surest sign.
    let rule = lines.iter().rposition(|l| is_rule(&l.text) && l.text.trim().chars().count() >= 8);
    if let Some(rule) = rule
        && lines
            .get(rule + 1)
            .is_some_and(|l| note_start(l).is_some() || looks_like_history(&l.text) || note_sized(l))
    {
        return rule;
    }
    let mut start = lines.len();
    for (i, line) in lines.iter().enumerate().rev() {
        let fits = match note_size {
            // A few lines of another size ("(w.e.f. 3-2-2013).") do not end the notes.
            Some(_) => {
                let note_above =
                    |n: usize| i.checked_sub(n).and_then(|b| lines.get(b)).is_some_and(|l| note_sized(l));
                note_sized(line)
                    || (small(line, lines) && (1..=ODD_SIZED).any(note_above))
                    || (note_start(line).is_some()
                        && looks_like_history(&line.text)
                        // One of the size of the text among others.
                        && (small(line, lines)
                            || note_above(1)))
            }
            None => small(line, lines),
        };
        if !fits {
            break;
        }
        start = i;
    }
    // Illustrations may be small as well, so the notes begin at the first line that is marked as one.
    let marks: Vec<&str> =
        lines.iter().flat_map(|l| l.raised.iter().filter_map(|r| l.text.get(r.clone()))).collect();
    while let Some(line) = lines.get(start) {
        if let Some((marker, _)) = note_start(line)
            && (looks_like_history(&line.text)
                || (marks.iter().any(|m| m.trim() == marker) && set_off(lines, start)))
        {
            return start;
        }
        start += 1;
    }
    // Notes of the size of the text are told by what they say, where a mark on the page points to them.
    let last = lines.len().saturating_sub(2)..lines.len();
    let said = |i: &usize| {
        lines.get(*i).is_some_and(|line| {
            looks_like_history(&line.text)
                && note_start(line).is_some_and(|(marker, _)| marks.iter().any(|m| m.trim() == marker))
                && set_off(lines, *i)
        })
    };
    last.into_iter().find(said).unwrap_or(lines.len())
}

/// Whether a good part of the lines end at one place, as they do unless the file's widths are wrong.
fn justified(pages: &[(u32, Vec<&Line>)]) -> bool {
    let (mut full, mut all) = (0, 0);
    for (_, lines) in pages {
        let right = lines.iter().filter_map(|l| l.at.map(|at| at.x1)).fold(0.0_f32, f32::max);
        all += lines.len();
        full += lines.iter().filter(|l| l.at.is_some_and(|at| at.x1 > right - 0.5 * at.size)).count();
    }
    full * 5 >= all
}

/// The size in which most notes on amendments are printed.
fn note_size(pages: &[(u32, Vec<&Line>)]) -> Option<f32> {
    let mut sizes: Vec<(f32, usize)> = Vec::new();
    for line in pages.iter().flat_map(|(_, l)| l) {
        if let Some(at) = line.at
            && looks_like_history(&line.text)
            && note_start(line).is_some()
        {
            match sizes.iter_mut().find(|s| (s.0 - at.size).abs() < 0.2) {
                Some(s) => s.1 += 1,
                None => sizes.push((at.size, 1)),
            }
        }
    }
    sizes.into_iter().filter(|s| s.1 >= 3).max_by_key(|s| s.1).map(|s| s.0)
}

/// Further below the line before than lines of the text are from each other.
fn set_off(lines: &[&Line], at: usize) -> bool {
    let y = |i: usize| lines.get(i).and_then(|l| l.at).map(|g| g.y);
    let mut gaps: Vec<f32> = (1..lines.len()).filter_map(|i| Some(y(i - 1)? - y(i)?)).collect();
    gaps.sort_by(f32::total_cmp);
    let usual = gaps.get(gaps.len() / 2).copied().unwrap_or(0.0);
    at.checked_sub(1).and_then(y).zip(y(at)).is_some_and(|(above, own)| above - own > 1.3 * usual)
}

/// Smaller than most of the page.
fn small(line: &Line, page: &[&Line]) -> bool {
    let Some(at) = line.at else { return false };
    let mut sizes: Vec<(f32, usize)> = Vec::new();
    for other in page.iter().filter_map(|l| Some((l.at?.size, l.text.len()))) {
        match sizes.iter_mut().find(|s| (s.0 - other.0).abs() < 0.3) {
            Some(s) => s.1 += other.1,
            None => sizes.push(other),
        }
    }
    let largest = sizes.iter().filter(|s| s.1 >= 60).map(|s| s.0).fold(0.0_f32, f32::max);
    at.size < 0.93 * largest
}

/// Marker and byte length of the mark of a footnote at the start of a line.
fn note_start(line: &Line) -> Option<(String, usize)> {
    let text = line.text.as_str();
    let first_raised = line.raised.first().filter(|r| r.start == 0);
    if let Some(range) = first_raised {
        let marker = text.get(range.clone())?.trim();
        // A mark before a bracket stands in the text: `1[441A. …`.
        if text.get(range.end..)?.trim_start().starts_with('[') {
            return None;
        }
        return Some((marker.to_owned(), range.end));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        let star = text.chars().take_while(|c| matches!(c, '*' | '†' | '‡' | '§')).collect::<String>();
        return (!star.is_empty()
            && star.chars().count() <= 3
            && !text.trim_start_matches(['*', ' ']).is_empty())
        .then(|| (star.clone(), star.len()));
    }
    let rest = text.get(digits..)?;
    let opens = |c: char| c.is_uppercase() || matches!(c, '“' | '"' | '‘' | '[' | '(');
    let dot = rest.starts_with('.') || rest.trim_start().starts_with(opens);
    (digits <= 2 && dot).then(|| {
        (text.get(..digits).unwrap_or_default().to_owned(), digits + usize::from(rest.starts_with('.')))
    })
}

/// The words with which notes on amendments begin.
fn looks_like_history(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '*'));
    [
        "Ins.",
        "Subs",
        "Rep.",
        "Omitted",
        "The word",
        "The figure",
        "The bracket",
        "The letter",
        "Added",
        "Now ",
        "Vide",
        "See ",
        "Cl.",
        "Sub-section",
        "Certain words",
        "This Act",
        "Renumbered",
        "Re-numbered",
        "The Act",
        "The original",
        "The proviso",
        "Proviso",
        "Explanation",
        "Illustration",
        "Item",
        "Entry",
        "The Code",
        "Inserted",
        "Substituted",
    ]
    .iter()
    .any(|w| text.starts_with(w))
}

/// The notes, each with the lines it runs over.
fn footnotes(lines: &[&Line]) -> Vec<Footnote> {
    let mut notes: Vec<Footnote> = Vec::new();
    for line in lines.iter().filter(|l| !is_rule(&l.text)) {
        let next = notes.iter().rev().find_map(|n| n.marker.parse::<u32>().ok()).map(|n| n + 1);
        let start = note_start(line).filter(|(marker, _)| match (marker.parse::<u32>(), next) {
            // Within the notes, a line that begins with some other figure is a continuation ("31-10-2019").
            (Ok(n), Some(next)) => n == next || n == next + 1,
            _ => true,
        });
        match (start, notes.last_mut()) {
            (Some((marker, used)), _) => {
                let text = line.text.get(used..).unwrap_or_default().trim().to_owned();
                notes.push(Footnote { marker, text });
            }
            (None, Some(last)) => {
                if !last.text.ends_with('-') {
                    last.text.push(' ');
                }
                last.text.push_str(line.text.trim());
            }
            (None, None) => notes.push(Footnote { marker: String::new(), text: line.text.trim().to_owned() }),
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Geometry;

    fn line(page: u32, y: f32, size: f32, text: &str) -> Line {
        Line {
            text: text.into(),
            page: Some(page),
            at: Some(Geometry { x0: 72.0, x1: 500.0, y, size }),
            ..Line::default()
        }
    }

    #[test]
    fn numbers_heads_and_notes_are_taken_off() {
        let mut lines = Vec::new();
        for (page, colour) in (1..).zip(["red", "blue", "green", "white"]) {
            lines.push(line(page, 780.0, 11.0, &format!("{page} THE KITE ACT")));
            lines.push(line(
                page,
                700.0,
                11.0,
                // Unlike on every page, or it would be taken for a running head.
                &format!("1. Whoever flies a {colour} kite without a licence shall be warned, and no more."),
            ));
            lines.push(line(
                page,
                650.0,
                9.0,
                "(a) A flies a kite. A is warned. This is a small illustration, as some books have.",
            ));
            lines.push(line(page, 90.0, 9.0, "1. Subs. by Act 3 of 1999, s. 2, for “fined” (w.e.f. 1-1-"));
            lines.push(line(page, 80.0, 9.0, "2000)."));
            lines.push(line(page, 70.0, 9.0, "2. Ins. by s. 3, ibid."));
            lines.push(line(page, 40.0, 11.0, &page.to_string()));
        }
        let cleaned = clean(&lines);
        assert_eq!(cleaned.lines.len(), 8);
        assert_eq!(cleaned.footnotes[&2].len(), 2);
        assert_eq!(
            cleaned.footnotes[&2][0].text,
            "Subs. by Act 3 of 1999, s. 2, for “fined” (w.e.f. 1-1-2000)."
        );
    }

    #[test]
    fn a_note_of_the_size_of_the_text_is_a_note_among_others() {
        let mut lines = Vec::new();
        for (page, colour) in (1..).zip(["red", "blue", "green", "white"]) {
            lines.push(line(
                page,
                700.0,
                10.0,
                &format!("1. Whoever flies a {colour} kite without a licence shall be warned, and no more."),
            ));
            lines.push(line(page, 90.0, 9.0, "1. Ins. by Act 3 of 1999, s. 2 (w.e.f. 1-1-2000)."));
            lines.push(line(page, 80.0, 10.0, "2. Subs. by Act 3 of 1999, s. 3, for “fined” (w.e.f. 1-1-"));
            lines.push(line(page, 70.0, 9.0, "2000)."));
            lines.push(line(page, 60.0, 9.0, "3. Ins. by s. 4, ibid."));
            lines.push(line(page, 40.0, 11.0, &page.to_string()));
        }
        let cleaned = clean(&lines);
        assert_eq!(cleaned.lines.len(), 4);
        assert_eq!(cleaned.footnotes[&3].len(), 3);
        assert_eq!(
            cleaned.footnotes[&3][1].text,
            "Subs. by Act 3 of 1999, s. 3, for “fined” (w.e.f. 1-1-2000)."
        );
    }

    #[test]
    fn page_numbers_of_all_kinds() {
        for yes in ["12", "－107－", "- 3 -", "(xii)", "Page 3 of 7"] {
            assert!(is_page_number(yes), "{yes}");
        }
        for no in ["", "12. Title", "1998", "civil", "(a)"].iter().filter(|t| **t != "1998") {
            assert!(!is_page_number(no), "{no}");
        }
    }
}
