//! From glyphs on a page to lines of text.
//!
//! A PDF says where each glyph stands and nothing else; some of the files people have give whole pages without
//! a single line break. So lines are made from the positions: glyphs on one baseline are a line, smaller ones
//! raised above it are its superscripts, and a gap wider than a fifth of the size is a space.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Where a line stands on its page, in points, from the lower left corner.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Geometry {
    /// Left end.
    pub x0: f32,
    /// Right end.
    pub x1: f32,
    /// Baseline.
    pub y: f32,
    /// Size of most of its glyphs.
    pub size: f32,
}

/// A line of a page.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageLine {
    /// Its text; runs of white space are one space.
    pub text: String,
    /// Where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Geometry>,
    /// Byte ranges of superscripts, which in statutes are the marks of footnotes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<Range<usize>>,
    /// Byte offsets at which a gap as wide as between the columns of a table begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<usize>,
    /// Byte offset, left and right end, in points, of every word; a figure, or a piece that was set on its own,
    /// that touches the word before it counts as one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<(usize, f32, f32)>,
    /// Byte offsets of words that follow a gap wider than a space in running text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wide: Vec<usize>,
    /// Stands in the margin beside the text, in smaller type.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub margin: bool,
}

/// A glyph as the interpreter reports it.
#[derive(Debug, Clone)]
pub struct Glyph {
    /// Left end, in points.
    pub x: f32,
    /// Baseline, in points.
    pub y: f32,
    /// Advance width, in points.
    pub width: f32,
    /// Size, in points.
    pub size: f32,
    /// The characters it stands for.
    pub text: String,
}

struct Run {
    y: f32,
    size: f32,
    x0: f32,
    x1: f32,
    glyphs: Vec<Glyph>,
}

struct Row {
    y: f32,
    size: f32,
    x0: f32,
    x1: f32,
    /// Runs with a flag for the raised ones.
    runs: Vec<(Run, bool)>,
}

/// Smaller than this part of the line's size, and above its baseline: a superscript.
const RAISED_SIZE: f32 = 0.85;
/// A gap wider than this part of the size is a space.
const SPACE_GAP: f32 = 0.17;
/// A gap wider than this part of the size is wider than a space should be.
const WIDE_GAP: f32 = 0.8;
/// A gap wider than this part of the size is one between columns.
const COLUMN_GAP: f32 = 2.0;

/// Lines from the top of the page to its foot. With `margins`, small type beside the text is taken for marginal
/// notes, which come after the lines of the text.
#[must_use]
pub fn lines(glyphs: Vec<Glyph>, margins: bool) -> Vec<PageLine> {
    let runs = runs(glyphs);
    let Some(column) = column(&runs).filter(|_| margins) else { return assemble(runs) };
    let (margin, text) = runs.into_iter().partition(|run| column.is_beside(run));
    let mut all = assemble(text);
    all.extend(assemble(margin).into_iter().map(|line| PageLine { margin: true, ..line }));
    all
}

/// The column of the text of a page.
struct Column {
    left: f32,
    right: f32,
    size: f32,
}

impl Column {
    /// Smaller than the text, and wholly to its left or right.
    fn is_beside(&self, run: &Run) -> bool {
        run.size < 0.92 * self.size
            && (run.x1 < self.left - 0.25 * self.size || run.x0 > self.right + 0.25 * self.size)
    }
}

/// Where the text stands, if the page has enough of it to tell.
fn column(runs: &[Run]) -> Option<Column> {
    let mut sizes: Vec<(f32, usize)> = Vec::new();
    for run in runs {
        match sizes.iter_mut().find(|s| (s.0 - run.size).abs() < 0.3) {
            Some(s) => s.1 += run.glyphs.len(),
            None => sizes.push((run.size, run.glyphs.len())),
        }
    }
    let size = sizes.into_iter().max_by_key(|s| s.1)?.0;
    let long: Vec<&Run> =
        runs.iter().filter(|r| (r.size - size).abs() < 0.3 && r.x1 - r.x0 > 12.0 * size).collect();
    if long.len() < 8 {
        return None;
    }
    let pick = |mut ends: Vec<f32>, at: f32| {
        ends.sort_by(f32::total_cmp);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index below the length"
        )]
        let index = ((ends.len() - 1) as f32 * at) as usize;
        ends.get(index).copied()
    };
    Some(Column {
        left: pick(long.iter().map(|r| r.x0).collect(), 0.06)?,
        right: pick(long.iter().map(|r| r.x1).collect(), 0.94)?,
        size,
    })
}

fn assemble(mut runs: Vec<Run>) -> Vec<PageLine> {
    // Large glyphs first: they make the baselines to which the small ones are raised.
    runs.sort_by(|a, b| b.size.total_cmp(&a.size));
    let mut rows: Vec<Row> = Vec::new();
    for run in runs {
        let mut best: Option<(usize, f32, bool)> = None;
        for (i, row) in rows.iter().enumerate() {
            let rise = run.y - row.y;
            let near = run.x0 < row.x1 + 3.0 * row.size && run.x1 > row.x0 - 3.0 * row.size;
            let (fits, raised) = if rise.abs() <= 0.25 * row.size {
                // A small glyph on the baseline but a little above it is still raised when it is much smaller.
                (true, rise > 0.08 * row.size && run.size < RAISED_SIZE * row.size)
            } else if run.size < RAISED_SIZE * row.size && rise > 0.0 && rise < 0.75 * row.size && near {
                (true, true)
            } else {
                (false, false)
            };
            if fits && best.is_none_or(|(_, distance, _)| rise.abs() < distance) {
                best = Some((i, rise.abs(), raised));
            }
        }
        match best.and_then(|(i, _, raised)| rows.get_mut(i).map(|row| (row, raised))) {
            Some((row, raised)) => {
                row.x0 = row.x0.min(run.x0);
                row.x1 = row.x1.max(run.x1);
                row.runs.push((run, raised));
            }
            None => {
                rows.push(Row { y: run.y, size: run.size, x0: run.x0, x1: run.x1, runs: vec![(run, false)] })
            }
        }
    }
    rows.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.x0.total_cmp(&b.x0)));
    rows.into_iter().filter_map(row_line).collect()
}

/// Consecutive glyphs of one size on one baseline, each where the one before it ends. Inside a run the order of
/// the stream holds, because some files give wrong advance widths: only where a run starts is certain. Blank
/// runs are dropped: spaces with a size of their own would otherwise make lines.
fn runs(glyphs: Vec<Glyph>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut end = 0.0;
    for glyph in glyphs {
        if !(glyph.x.is_finite() && glyph.y.is_finite() && glyph.size.is_finite() && glyph.width.is_finite())
            || glyph.text.is_empty()
            || glyph.size <= 0.0
        {
            continue;
        }
        let right = glyph.x + glyph.width;
        let follows = |run: &Run| {
            (run.y - glyph.y).abs() < 0.05 * run.size
                && (run.size - glyph.size).abs() < 0.05 * run.size
                && glyph.x > end - 0.3 * run.size
                && glyph.x < end + run.size
        };
        match runs.last_mut() {
            Some(run) if follows(run) => {
                run.x1 = run.x1.max(right);
                run.glyphs.push(glyph);
            }
            _ => {
                runs.push(Run { y: glyph.y, size: glyph.size, x0: glyph.x, x1: right, glyphs: vec![glyph] });
            }
        }
        end = right;
    }
    runs.retain(|run| run.glyphs.iter().any(|g| !g.text.trim().is_empty()));
    runs
}

fn row_line(mut row: Row) -> Option<PageLine> {
    row.runs.sort_by(|a, b| a.0.x0.total_cmp(&b.0.x0));
    let mut line = PageLine::default();
    let mut end: Option<f32> = None;
    let mut last: Option<(f32, String)> = None;
    let mut before = row.size;
    // Where the last letter ended, spaces not counted.
    let mut ended = row.x0;
    let mut blank = true;
    let (mut x0, mut x1) = (f32::MAX, f32::MIN);
    let glyphs = row
        .runs
        .iter()
        .flat_map(|(run, raised)| run.glyphs.iter().enumerate().map(move |(i, g)| (g, raised, i == 0)));
    for (glyph, raised, opens) in glyphs {
        if glyph.text.chars().all(char::is_whitespace) {
            // Spaces count as text, so that the wide ones of a justified line are not taken for columns.
            blank = true;
            end = Some(glyph.x + glyph.width);
            continue;
        }
        // Bold type is sometimes made by printing a glyph twice, a hair apart.
        if last
            .as_ref()
            .is_some_and(|(x, text)| (glyph.x - x).abs() < 0.08 * glyph.size && text == &glyph.text)
        {
            continue;
        }
        let gap = end.map_or(0.0, |e| glyph.x - e);
        let joins = line.text.chars().next_back().is_some_and(is_wide)
            && glyph.text.chars().next().is_some_and(is_wide);
        // Small capitals have small spaces.
        let size = glyph.size.min(before).max(0.5 * row.size);
        before = glyph.size;
        let spaced = blank || (gap > SPACE_GAP * size && !*raised);
        if !line.text.is_empty() {
            if gap > COLUMN_GAP * row.size {
                line.gaps.push(line.text.len());
                line.text.push(' ');
            } else if spaced && !joins {
                line.text.push(' ');
            }
        }
        let start = line.text.len();
        let right = glyph.x + glyph.width;
        if line.text.is_empty() || line.text.ends_with(' ') {
            line.words.push((start, tenth(glyph.x), tenth(glyph.x)));
            if start > 0 && glyph.x - ended > WIDE_GAP * row.size {
                line.wide.push(start);
            }
        } else {
            let before = last.as_ref().and_then(|(_, text)| text.chars().next_back());
            let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
            let figure = digit(glyph.text.chars().next()) && !digit(before);
            if (opens || figure) && !*raised {
                line.words.push((start, tenth(glyph.x), tenth(glyph.x)));
            }
        }
        if let Some(word) = line.words.last_mut() {
            word.2 = word.2.max(tenth(right));
        }
        for c in glyph.text.chars() {
            push_plain(&mut line.text, c);
        }
        if *raised {
            match line.raised.last_mut() {
                Some(range) if range.end == start => range.end = line.text.len(),
                _ => line.raised.push(start..line.text.len()),
            }
        }
        x0 = x0.min(glyph.x);
        x1 = x1.max(right);
        end = Some(right);
        ended = right;
        last = Some((glyph.x, glyph.text.clone()));
        blank = false;
    }
    if line.text.trim().is_empty() {
        return None;
    }
    line.at = Some(Geometry { x0: tenth(x0), x1: tenth(x1), y: tenth(row.y), size: tenth(row.size) });
    Some(line)
}

fn tenth(v: f32) -> f32 {
    (v * 10.0).round() / 10.0
}

/// CJK letters and punctuation, between which a gap is not a space.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF60}' | '\u{20000}'..='\u{3FFFF}')
}

/// Ligatures are a matter of type, not of text; the same for spaces of special width.
fn push_plain(out: &mut String, c: char) {
    match c {
        '\u{FB00}' => out.push_str("ff"),
        '\u{FB01}' => out.push_str("fi"),
        '\u{FB02}' => out.push_str("fl"),
        '\u{FB03}' => out.push_str("ffi"),
        '\u{FB04}' => out.push_str("ffl"),
        '\u{00A0}' | '\u{2000}'..='\u{200A}' | '\u{3000}' | '\t' | '\r' | '\n' => out.push(' '),
        '\u{200B}' | '\u{FEFF}' | '\u{0000}' => {}
        _ => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(x: f32, y: f32, size: f32, text: &str) -> Vec<Glyph> {
        text.chars()
            .enumerate()
            .map(|(i, c)| Glyph {
                x: x + i as f32 * size * 0.5,
                y,
                width: size * 0.5,
                size,
                text: c.to_string(),
            })
            .collect()
    }

    #[test]
    fn lines_come_from_positions_not_from_order() {
        let mut glyphs = word(70.0, 700.0, 10.0, "second");
        glyphs.extend(word(70.0, 715.0, 10.0, "first"));
        glyphs.extend(word(110.0, 715.0, 10.0, "half"));
        let texts: Vec<String> = lines(glyphs, true).into_iter().map(|l| l.text).collect();
        assert_eq!(texts, ["first half", "second"]);
    }

    #[test]
    fn a_raised_mark_is_known_and_glued() {
        let mut glyphs = word(76.0, 700.0, 10.0, "[word]");
        glyphs.extend(word(72.5, 704.0, 6.5, "1"));
        let lines = lines(glyphs, true);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].text, "1[word]");
        assert_eq!(lines[0].raised, vec![std::ops::Range { start: 0, end: 1 }]);
    }

    #[test]
    fn notes_in_the_margin_are_kept_apart_from_the_text() {
        let mut glyphs = Vec::new();
        for n in 0..12 {
            glyphs.extend(word(
                120.0,
                700.0 - 12.0 * n as f32,
                10.0,
                "a line of the text of this act, in full",
            ));
        }
        glyphs.extend(word(60.0, 700.0, 8.0, "Short title."));
        let lines = lines(glyphs, true);
        assert_eq!(lines.len(), 13);
        assert_eq!((lines[12].text.as_str(), lines[12].margin), ("Short title.", true));
        assert!(lines[..12].iter().all(|l| !l.margin && l.text.starts_with("a line")));
    }

    #[test]
    fn wide_gaps_are_columns_and_wide_letters_have_no_spaces() {
        let mut glyphs = word(70.0, 700.0, 10.0, "a");
        glyphs.extend(word(200.0, 700.0, 10.0, "b"));
        glyphs.extend(word(70.0, 650.0, 10.0, "刑法"));
        let lines = lines(glyphs, true);
        assert_eq!((lines[0].text.as_str(), lines[0].gaps.as_slice()), ("a b", [1].as_slice()));
        assert_eq!(lines[1].text, "刑法");
    }
}
