//! The numbers that a web page's ordered lists give: a reader of the page sees them, the text does not hold them.

use scraper::node::Element;

use super::Line;
use crate::structure::numerals;

/// How a list counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Figures,
    Letters { upper: bool },
    Roman { upper: bool },
}

/// An ordered list that is open, and the number of its next item.
#[derive(Debug, Clone, Copy)]
struct List {
    kind: Kind,
    next: u32,
}

/// An item: the line on which it begins, how deep it stands in ordered lists, and its number.
#[derive(Debug)]
struct Item {
    line: usize,
    depth: usize,
    kind: Kind,
    number: u32,
}

/// The lists of a page while it is read.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// Open lists; `None` for those that do not count.
    open: Vec<Option<List>>,
    /// An item whose first line is yet to come.
    due: Option<(usize, Kind, u32)>,
    items: Vec<Item>,
}

impl Numbering {
    /// A list begins; an ordered one with its element.
    pub fn open(&mut self, element: Option<&Element>) {
        let list = element.filter(|e| e.attr("reversed").is_none()).map(|e| List {
            kind: match e.attr("type") {
                Some("a") => Kind::Letters { upper: false },
                Some("A") => Kind::Letters { upper: true },
                Some("i") => Kind::Roman { upper: false },
                Some("I") => Kind::Roman { upper: true },
                _ => Kind::Figures,
            },
            next: e.attr("start").and_then(|n| n.trim().parse().ok()).unwrap_or(1),
        });
        self.open.push(list);
    }

    /// A list ends.
    pub fn close(&mut self) {
        self.open.pop();
        self.due = None;
    }

    /// An item begins.
    pub fn item(&mut self, value: Option<&str>) {
        let depth = self.open.iter().flatten().count();
        self.due = match self.open.last_mut() {
            Some(Some(list)) => {
                let number = value.and_then(|v| v.trim().parse().ok()).unwrap_or(list.next);
                list.next = number.saturating_add(1);
                Some((depth, list.kind, number))
            }
            _ => None,
        };
    }

    /// A line with words is about to become number `line`.
    pub fn begins(&mut self, line: usize) {
        if let Some((depth, kind, number)) = self.due.take() {
            self.items.push(Item { line, depth, kind, number });
        }
    }

    /// Writes the numbers in front of the items. Where the page numbers its provisions in words of its own, its lists
    /// are their sub-sections and clauses, `(1)` and `(a)`, and entries of schedules, `1.`; where it does not, the
    /// outermost lists number the provisions.
    pub fn write(&self, lines: &mut [Line]) {
        let listed: std::collections::HashSet<usize> = self.items.iter().map(|i| i.line).collect();
        let numbered =
            lines.iter().enumerate().filter(|(i, l)| !listed.contains(i) && is_numbered(&l.text)).count();
        let schedule = lines.iter().enumerate().position(|(i, l)| {
            let lower = l.text.to_lowercase();
            !listed.contains(&i)
                && l.text.chars().count() < 120
                && (l.heading > 0 || l.strong >= l.text.len())
                && ["schedule", "annex", "appendix"].iter().any(|w| lower.contains(w))
        });
        for item in &self.items {
            let Some(line) = lines.get_mut(item.line) else { continue };
            if is_labelled(&line.text) {
                continue;
            }
            let entry = schedule.is_some_and(|s| item.line > s);
            let plain = item.depth == 1 && item.kind == Kind::Figures && (numbered < 2 || entry);
            let Some(number) = written(item.kind, item.number) else { continue };
            let mark = if plain { format!("{number}. ") } else { format!("({number}) ") };
            line.text.insert_str(0, &mark);
            for range in &mut line.raised {
                *range = range.start + mark.len()..range.end + mark.len();
            }
            for gap in &mut line.gaps {
                *gap += mark.len();
            }
            if line.strong > 0 {
                line.strong += mark.len();
            }
        }
        let mut offset = 0;
        for line in lines {
            line.offset = offset;
            offset += line.text.len() + 1;
        }
    }
}

/// Whether a line begins with the number of a provision.
fn is_numbered(text: &str) -> bool {
    numerals::is_titled(text)
        || numerals::figure(text).is_some_and(|(_, used)| {
            text.get(used..).is_some_and(|r| {
                let rest = r.trim_start_matches(|c: char| c.is_ascii_uppercase());
                rest.starts_with(". ")
                    || rest.starts_with(' ') && rest.trim_start().starts_with(char::is_uppercase)
            })
        })
}

/// Whether an item brings a label of its own.
fn is_labelled(text: &str) -> bool {
    let label = text.strip_prefix(['(', '（']).and_then(|t| t.split_once([')', '）']));
    label.is_some_and(|(l, _)| l.chars().count() <= 5) || is_numbered(text) || text.starts_with('第')
}

/// A number as a list writes it; none for what letters and Roman numerals do not reach.
fn written(kind: Kind, number: u32) -> Option<String> {
    let case = |text: String, upper: bool| if upper { text.to_uppercase() } else { text };
    match kind {
        Kind::Figures => Some(number.to_string()),
        Kind::Letters { upper } => {
            let (mut rest, mut letters) = (number, String::new());
            while rest > 0 {
                let letter = u8::try_from((rest - 1) % 26).ok()?;
                letters.insert(0, char::from(b'a' + letter));
                rest = (rest - 1) / 26;
            }
            (!letters.is_empty() && letters.len() <= 2).then(|| case(letters, upper))
        }
        Kind::Roman { upper } => {
            if !(1..400).contains(&number) {
                return None;
            }
            const SIGNS: [(u32, &str); 9] = [
                (100, "c"),
                (90, "xc"),
                (50, "l"),
                (40, "xl"),
                (10, "x"),
                (9, "ix"),
                (5, "v"),
                (4, "iv"),
                (1, "i"),
            ];
            let (mut rest, mut text) = (number, String::new());
            for (value, sign) in SIGNS {
                while rest >= value {
                    text.push_str(sign);
                    rest -= value;
                }
            }
            Some(case(text, upper))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read::html::lines_of;

    fn texts(page: &str) -> Vec<String> {
        lines_of(page).into_iter().map(|l| l.text).filter(|t| !t.is_empty()).collect()
    }

    #[test]
    fn lists_under_numbered_sections_are_sub_sections_and_clauses() {
        let page = "<h1>Reed Act</h1><p><b>1. Reeds.</b></p><ol><li>A reed is cut.<li>It is:<ol type=a>\
            <li>dried; or<li>sold<ol type=i><li>wet;<li>dry.</ol></ol></ol><p><b>2. Fine.</b></p>\
            <ol start=3><li>One coin.<li value=7>Two.</ol><h2>THE SCHEDULE</h2><ol><li>Red reeds.<li>Blue reeds.</ol>\
            <ul><li>Loose.</ul>";
        assert_eq!(
            texts(page),
            [
                "Reed Act",
                "1. Reeds.",
                "(1) A reed is cut.",
                "(2) It is:",
                "(a) dried; or",
                "(b) sold",
                "(i) wet;",
                "(ii) dry.",
                "2. Fine.",
                "(3) One coin.",
                "(7) Two.",
                "THE SCHEDULE",
                "1. Red reeds.",
                "2. Blue reeds.",
                "Loose.",
            ]
        );
    }

    #[test]
    fn lists_alone_number_the_provisions_and_labels_are_kept() {
        let page =
            "<h1>Reed Act</h1><ol><li><b>Reeds</b><p>A reed is cut.</p><li><b>Fine</b><p>One coin.</p></ol>";
        assert_eq!(texts(page), ["Reed Act", "1. Reeds", "A reed is cut.", "2. Fine", "One coin."]);
        assert_eq!(texts("<ol><li>(1) Own.<li>2. Own too.<li></li></ol>"), ["(1) Own.", "2. Own too."]);
        let styled =
            "<p>two <s>one</s> <span style='text-decoration: line-through'>keeper</span> keepers</p>";
        assert_eq!(texts(styled), ["two keepers"]);
        assert_eq!(texts("<p>two <del>one keeper</del><ins>keepers</ins></p>"), ["two keepers"]);
    }
}
