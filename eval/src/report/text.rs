//! Words of a statement as blocks for a page, with the citations as pieces of their own.

use serde::Serialize;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inline {
    /// The words.
    pub text: String,
    /// Set in bold by the speaker.
    pub strong: bool,
    /// Index of the citation that these words are.
    pub cite: Option<usize>,
}

/// A line of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    /// `p`, `h` (heading), `li` (list item).
    pub kind: &'static str,
    /// Its pieces.
    pub inlines: Vec<Inline>,
}

/// Cuts a text into lines and pieces. `spans` are byte ranges of citations with their index; what does not lie
/// on character boundaries, lies outside, or overlaps an earlier one is left as plain words.
///
/// Of Markdown, which models write unasked, only headings, list marks and `**bold**` are understood; all
/// other characters stay as they are.
pub fn blocks(text: &str, spans: &[(usize, usize, usize)]) -> Vec<Block> {
    let mut spans: Vec<(usize, usize, usize)> =
        spans.iter().copied().filter(|(from, to, _)| from < to && text.get(*from..*to).is_some()).collect();
    spans.sort_unstable();
    let mut end = 0;
    spans.retain(|(from, to, _)| {
        let keep = *from >= end;
        if keep {
            end = *to;
        }
        keep
    });
    let mut out = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        let (kind, skip) = shape(line);
        let (from, to) = (at + skip, at + line.trim_end().len());
        at += line.len() + 1;
        if from < to {
            let inlines = pieces(text, from, to, &spans);
            if !inlines.is_empty() {
                out.push(Block { kind, inlines });
            }
        }
    }
    out
}

/// Kind of a line, and how many bytes before its words are mark and space.
fn shape(line: &str) -> (&'static str, usize) {
    let lead = line.len() - line.trim_start().len();
    let words = line.trim_start();
    let hashes = words.bytes().take_while(|b| *b == b'#').count();
    let (kind, mark) = if (1..=6).contains(&hashes) && words.get(hashes..).is_some_and(|r| r.starts_with(' '))
    {
        ("h", hashes)
    } else if let Some(mark) = ["- ", "* ", "+ ", "• "].iter().find(|m| words.starts_with(**m)) {
        ("li", mark.len())
    } else {
        ("p", 0)
    };
    let rest = words.get(mark..).unwrap_or_default();
    (kind, lead + mark + (rest.len() - rest.trim_start().len()))
}

fn pieces(text: &str, from: usize, to: usize, spans: &[(usize, usize, usize)]) -> Vec<Inline> {
    let mut raw: Vec<(&str, Option<usize>)> = Vec::new();
    let mut at = from;
    for (start, end, cite) in spans {
        let (start, end) = ((*start).max(at), (*end).min(to));
        if start >= end {
            continue;
        }
        raw.push((text.get(at..start).unwrap_or_default(), None));
        raw.push((text.get(start..end).unwrap_or_default(), Some(*cite)));
        at = end;
    }
    raw.push((text.get(at..to).unwrap_or_default(), None));
    // An odd mark is no pair, so that none is taken for bold.
    let marks: usize =
        raw.iter().filter(|(_, cite)| cite.is_none()).map(|(t, _)| t.matches("**").count()).sum();
    let mut strong = false;
    let mut out = Vec::new();
    let mut push = |text: &str, strong: bool, cite| {
        if !text.is_empty() {
            out.push(Inline { text: text.to_owned(), strong, cite });
        }
    };
    for (words, cite) in raw {
        if cite.is_some() || marks % 2 == 1 {
            push(words, strong, cite);
            continue;
        }
        for (i, part) in words.split("**").enumerate() {
            if i > 0 {
                strong = !strong;
            }
            push(part, strong, None);
        }
    }
    out
}

/// A stretch of a provision's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stretch {
    /// The words, verbatim.
    pub text: String,
    /// Quoted, or inside a place that was cited.
    pub marked: bool,
}

/// Cuts a text at the ends of these byte ranges; what does not lie on character boundaries is left out.
pub fn stretches(text: &str, marks: &[std::ops::Range<usize>]) -> Vec<Stretch> {
    let marks: Vec<_> = marks.iter().filter(|m| !m.is_empty() && text.get((*m).clone()).is_some()).collect();
    let mut cuts: Vec<usize> = marks.iter().flat_map(|m| [m.start, m.end]).chain([0, text.len()]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut out: Vec<Stretch> = Vec::new();
    for (from, to) in cuts.iter().zip(cuts.iter().skip(1)) {
        let words = text.get(*from..*to).unwrap_or_default();
        let marked = marks.iter().any(|m| m.contains(from));
        match out.last_mut() {
            Some(last) if last.marked == marked => last.text.push_str(words),
            _ => out.push(Stretch { text: words.to_owned(), marked }),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(blocks: &[Block]) -> String {
        let mut out = String::new();
        for block in blocks {
            out.push_str(&format!("<{}>", block.kind));
            for i in &block.inlines {
                let words = if i.strong { format!("*{}*", i.text) } else { i.text.clone() };
                out.push_str(&i.cite.map_or(words.clone(), |c| format!("[{words}]{c}")));
            }
        }
        out
    }

    #[test]
    fn citations_headings_lists_and_bold_are_found() {
        let text = "## The law\n\nUnder **s. 7 of the Act** it is theft.\n- 依照第七条。\n";
        let s7 = text.find("s. 7").unwrap();
        let a7 = text.find("第七条").unwrap();
        let got = show(&blocks(text, &[(a7, a7 + 9, 1), (s7, s7 + 4, 0)]));
        assert_eq!(got, "<h>The law<p>Under [*s. 7*]0* of the Act* it is theft.<li>依照[第七条]1。");
    }

    #[test]
    fn spans_that_do_not_fit_are_plain_words_and_nothing_is_lost() {
        let text = "第七条 x ** y";
        let spans = [(1, 4, 0), (0, 99, 1), (5, 5, 2), (0, 9, 3), (3, 12, 4)];
        assert_eq!(show(&blocks(text, &spans)), "<p>[第七条]3 x ** y");
    }

    #[test]
    fn a_citation_over_a_line_break_stays_one_citation() {
        let text = "section\n7 applies";
        assert_eq!(show(&blocks(text, &[(0, 9, 0)])), "<p>[section]0<p>[7]0 applies");
    }

    #[test]
    fn stretches_join_to_the_text_again() {
        let text = "秘密窃取公私财物的";
        let cut = stretches(text, &[6..12, 9..18, 1..3, 40..50]);
        assert_eq!(cut.iter().map(|s| s.text.as_str()).collect::<String>(), text);
        assert_eq!(
            cut.iter().filter(|s| s.marked).map(|s| s.text.as_str()).collect::<Vec<_>>(),
            ["窃取公私"]
        );
    }
}
