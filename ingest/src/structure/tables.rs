//! Tables of a PDF: from lines that run across columns to one line a row.
//!
//! Cells that are wrapped come as lines that hold a piece of each column. The columns are the places where words
//! after wide gaps begin again and again; rows begin where the distance between lines says so, or, in tables set
//! without such distance, where every column has something.

use std::borrow::Cow;
use std::ops::Range;

use crate::read::{CELL, Line};

use super::pages::BodyLine;

/// Lines that hold no gap and still may stand in a table, one after the other.
const MOST_WITHOUT_GAP: usize = 7;
/// Words this far from where a column begins still begin it, in points.
const NEAR: f32 = 2.5;
/// Columns are no nearer to each other, in points.
const NARROWEST: f32 = 16.0;

/// Puts the rows of tables together, page by page; all else stays as it is.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// The table that reached the foot of the page before.
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    /// Index of its last row among the lines of the text.
    last: usize,
    edges: Vec<f32>,
    /// Has a row of column numbers.
    numbered: bool,
}

impl Tables {
    /// The lines of a page, without heads and notes, with one line a row; `before` are those of the pages before,
    /// of which the last may be a row that goes on here.
    pub fn page<'a>(&mut self, page: &[&'a Line], before: &mut [BodyLine<'a>]) -> Vec<Cow<'a, Line>> {
        let mut out: Vec<Cow<'a, Line>> = Vec::with_capacity(page.len());
        let mut at = 0;
        let mut open = self.open.take();
        let gapped = page.iter().any(|l| !l.gaps.is_empty());
        while let Some(line) = page.get(at) {
            let found = region(page, at).filter(|_| gapped).and_then(|end| {
                let lines = page.get(at..end)?;
                let known = open.as_ref().filter(|o| at <= 2 && o.edges.len() > 2);
                let table = match known.and_then(|o| Table::again(&o.edges, lines)) {
                    Some(table) => table,
                    None => Table::find(lines)?,
                };
                Some((end, table))
            });
            let Some((until, table)) = found else {
                out.push(Cow::Borrowed(*line));
                at += 1;
                continue;
            };
            let mut rows = table.rows(page.get(at..until).unwrap_or_default()).into_iter().peekable();
            let columns = table.edges.len();
            let mut numbered = false;
            if let Some(open) = open.take().filter(|o| at <= 2 && o.edges.len() == columns) {
                // Later pages repeat the numbers of the columns.
                while rows.next_if(|row| open.numbered && row.is_numbers()).is_some() {}
                if let Some(row) = rows.next_if(|row| row.continues)
                    && let Some(last) = before.get_mut(open.last)
                {
                    last.line = Cow::Owned(join(&last.line, &row.cells));
                }
                numbered = open.numbered;
            }
            for row in rows {
                numbered |= row.is_numbers();
                out.push(row.line());
            }
            at = until;
            if until == page.len() && !out.is_empty() {
                self.open = Some(Open { last: before.len() + out.len() - 1, edges: table.edges, numbered });
            }
        }
        out
    }
}

/// A piece of a row in one column, with the marks of notes in it.
#[derive(Debug, Clone, Default)]
struct Cell {
    text: String,
    raised: Vec<Range<usize>>,
}

impl Cell {
    fn glue(&mut self, piece: &Cell) {
        if piece.text.is_empty() {
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with('-') {
            self.text.push(' ');
        }
        let from = self.text.len();
        self.text.push_str(&piece.text);
        self.raised.extend(piece.raised.iter().map(|r| r.start + from..r.end + from));
    }
}

/// `1 2 3`, also in brackets.
fn is_numbers<'t>(mut cells: impl Iterator<Item = &'t str>) -> bool {
    let mut n = 0;
    cells.all(|c| {
        n += 1;
        c.trim_matches(['(', ')', ' ', '.']) == n.to_string()
    }) && n >= 3
}

/// Where a run of lines that may be a table ends, if one begins here.
fn region(page: &[&Line], from: usize) -> Option<usize> {
    let first = page.get(from)?;
    if (first.gaps.is_empty() && first.wide.len() < 2) || first.at.is_none() {
        return None;
    }
    let left = page.iter().filter_map(|l| l.at).map(|a| a.x0).fold(f32::MAX, f32::min);
    let right = page.iter().filter_map(|l| l.at).map(|a| a.x1).fold(0.0_f32, f32::max);
    let mut end = from + 1;
    let mut without = 0;
    for (i, line) in page.iter().enumerate().skip(from + 1) {
        let Some(at) = line.at else { break };
        if line.gaps.is_empty() {
            without += 1;
            // Running text from margin to margin ends it; a row whose cells stand close together does not.
            let again = page.iter().skip(i + 1).take(3).any(|l| !l.gaps.is_empty());
            let full = at.x1 - at.x0 > 0.86 * (right - left) && !(again && line.wide.len() > 1);
            if without > MOST_WITHOUT_GAP || full {
                break;
            }
        } else {
            without = 0;
            end = i + 1;
        }
    }
    // Wrapped lines of the last row follow its first line closely.
    let leading = leading(page.get(from..end).unwrap_or_default()).unwrap_or(0.0);
    while let (Some(last), Some(next)) = (page.get(end - 1).and_then(|l| l.at), page.get(end)) {
        let close = next.at.is_some_and(|n| {
            last.y - n.y <= 1.5 * leading
                && (n.size - last.size).abs() < 0.3
                && n.x1 - n.x0 < 0.86 * (right - left)
        });
        if !close {
            break;
        }
        end += 1;
    }
    (end - from >= 3).then_some(end)
}

/// The usual distance between lines of one cell.
fn leading(lines: &[&Line]) -> Option<f32> {
    let mut steps: Vec<f32> = lines
        .iter()
        .zip(lines.iter().skip(1))
        .filter_map(|(a, b)| Some(a.at?.y - b.at?.y))
        .filter(|d| *d > 2.0)
        .collect();
    steps.sort_by(f32::total_cmp);
    steps.get(steps.len() / 8).copied()
}

struct Table {
    /// Left end of each column.
    edges: Vec<f32>,
    leading: f32,
}

struct Row {
    first: Line,
    cells: Vec<Cell>,
    /// Goes on with a row of the page before.
    continues: bool,
}

impl Row {
    fn is_numbers(&self) -> bool {
        is_numbers(self.cells.iter().map(|c| c.text.as_str()))
    }

    fn line<'a>(self) -> Cow<'a, Line> {
        Cow::Owned(row_line(&self.first, &self.cells))
    }
}

impl Table {
    fn find(lines: &[&Line]) -> Option<Self> {
        let gapped = lines.iter().filter(|l| !l.gaps.is_empty()).count();
        if gapped < 3 {
            return None;
        }
        // Where lines begin, and where words after a gap do.
        let mut starts: Vec<(f32, usize)> = Vec::new();
        for line in lines {
            for (offset, x) in &line.words {
                if *offset > 0 && !line.gaps.iter().any(|g| g + 1 == *offset) {
                    continue;
                }
                match starts.iter_mut().find(|s| (s.0 - x).abs() < NEAR) {
                    Some(s) => s.1 += 1,
                    None => starts.push((*x, 1)),
                }
            }
        }
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let numbers = lines.iter().find(|l| {
            let words = l.text.split(' ');
            let count = words.clone().count();
            is_numbers(words) && l.gaps.len().max(l.wide.len()) + 1 >= count
        });
        let mut edges: Vec<f32> = Vec::new();
        if let Some(numbers) = numbers {
            // One column under each number, which stands in its middle; cells that are centred begin further right.
            let mut from = f32::MIN;
            for (_, x) in &numbers.words {
                let inside: Vec<&(f32, usize)> =
                    starts.iter().filter(|s| s.0 > from + NEAR && s.0 <= x + NEAR).collect();
                let edge = inside.iter().find(|s| s.1 >= 2).or(inside.first()).map_or(*x, |s| s.0);
                edges.push(edge);
                from = x.max(edge + NARROWEST);
            }
        } else {
            let enough = (gapped * 2 / 5).max(3);
            for (x, _) in starts.iter().filter(|s| s.1 >= enough) {
                if edges.last().is_none_or(|e| x - e >= NARROWEST) {
                    edges.push(*x);
                }
            }
        }
        let mut table = Self { edges, leading: leading(lines)? };
        let columns = table.edges.len();
        if columns < 2 {
            return None;
        }
        table.settle_leading(lines);
        // A first column of bare numbers is a numbered list.
        let listed = lines
            .iter()
            .filter(|l| !l.gaps.is_empty())
            .filter(|l| {
                let first = l.gaps.first().and_then(|g| l.text.get(..*g)).unwrap_or_default();
                first.chars().count() <= 9 && first.ends_with(['.', ')', ']']) && !first.contains(' ')
            })
            .count();
        let free = gapped >= if columns > 2 { 4 } else { 6 } && listed * 3 < gapped;
        (numbers.is_some() || free).then_some(table)
    }

    /// The columns of the page before, if the words here stand in them.
    fn again(edges: &[f32], lines: &[&Line]) -> Option<Self> {
        let (mut at, mut all) = (0, 0);
        for line in lines {
            for (_, x) in line.words.iter().filter(|(o, _)| line.gaps.iter().any(|g| g + 1 == *o)) {
                all += 1;
                at += usize::from(edges.iter().any(|e| (e - x).abs() < NEAR));
            }
        }
        let mut table = Self { edges: edges.to_vec(), leading: leading(lines)? };
        table.settle_leading(lines);
        (all >= 4 && at * 3 >= all * 2).then_some(table)
    }

    /// The distance of lines of one cell, from lines that fill half of the columns at most.
    fn settle_leading(&mut self, lines: &[&Line]) {
        let mut steps: Vec<f32> = lines
            .iter()
            .zip(lines.iter().skip(1))
            .filter(|(_, b)| {
                self.split(b).iter().filter(|c| !c.text.is_empty()).count() * 2 <= self.edges.len()
            })
            .filter_map(|(a, b)| Some(a.at?.y - b.at?.y))
            .filter(|d| *d > 2.0 && *d < 2.5 * self.leading)
            .collect();
        steps.sort_by(f32::total_cmp);
        if let Some(step) = steps.get(steps.len() / 2) {
            self.leading = *step;
        }
    }

    /// The pieces of a line by column.
    fn split(&self, line: &Line) -> Vec<Cell> {
        let mut cells = vec![Cell::default(); self.edges.len()];
        let mut column = 0;
        for (i, (offset, x)) in line.words.iter().enumerate() {
            let until = line.words.get(i + 1).map_or(line.text.len(), |w| w.0);
            let word = line.text.get(*offset..until).unwrap_or_default().trim_end();
            let after_gap = i == 0 || line.gaps.iter().any(|g| g + 1 == *offset);
            // Any word may happen to stand near an edge; the first of a cell stands on it.
            let near = if after_gap { NEAR } else { 0.8 };
            let at_edge = self.edges.iter().position(|e| (e - x).abs() < near);
            let by_place = self.edges.iter().rposition(|e| *e <= x + NEAR).unwrap_or(0);
            // A gap that is wider than a space ends a cell where another column has begun by then.
            let wide = line.wide.contains(offset) && by_place > column;
            if after_gap || wide {
                column = at_edge.unwrap_or(by_place).max(column);
            } else if let Some(edge) = at_edge.filter(|e| *e > column) {
                column = edge;
            }
            let end = offset + word.len();
            let raised = line
                .raised
                .iter()
                .filter(|r| r.start >= *offset && r.end <= end)
                .map(|r| r.start - offset..r.end - offset)
                .collect();
            if let Some(cell) = cells.get_mut(column) {
                cell.glue(&Cell { text: word.to_owned(), raised });
            }
        }
        cells
    }

    fn rows(&self, lines: &[&Line]) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut above: Option<f32> = None;
        for line in lines {
            let Some(at) = line.at else { continue };
            let step = above.replace(at.y).map(|y| y - at.y);
            let words = line.text.split(' ');
            if is_numbers(words.clone()) && words.clone().count() == self.edges.len() {
                let cells = words.map(|w| Cell { text: w.to_owned(), raised: Vec::new() }).collect();
                rows.push(Row { first: (*line).clone(), cells, continues: false });
                continue;
            }
            let title = line.gaps.is_empty()
                && (super::heads::is_division(line.text.trim()) || super::heads::is_upper(&line.text));
            if title {
                rows.push(Row {
                    first: (*line).clone(),
                    cells: vec![Cell { text: line.text.clone(), raised: line.raised.clone() }],
                    continues: false,
                });
                above = None;
                continue;
            }
            let cells = self.split(line);
            let filled = cells.iter().filter(|c| !c.text.is_empty()).count();
            let begins = self.begins(&cells, filled, step, rows.last());
            match rows.last_mut().filter(|r| !begins && r.cells.len() == self.edges.len()) {
                Some(row) => row.cells.iter_mut().zip(&cells).for_each(|(cell, piece)| cell.glue(piece)),
                None => {
                    let continues = rows.iter().all(Row::is_numbers) && !starts_row(&cells, filled);
                    rows.push(Row { first: (*line).clone(), cells, continues });
                }
            }
        }
        rows
    }

    fn begins(&self, cells: &[Cell], filled: usize, step: Option<f32>, last: Option<&Row>) -> bool {
        if last.is_none_or(|r| r.is_numbers() || r.cells.len() < cells.len()) {
            return true;
        }
        let Some(step) = step else { return true };
        let opens = starts_row(cells, filled);
        opens && filled == cells.len()
            || opens && step > 1.14 * self.leading && cells.len() > 2
            || step > 1.3 * self.leading
    }
}

/// Every column has something (the first may lack it), and the words begin as a row's do.
fn starts_row(cells: &[Cell], filled: usize) -> bool {
    let words = cells.iter().map(|c| c.text.as_str()).find(|t| t.chars().any(char::is_alphabetic));
    filled + 1 >= cells.len() && words.is_none_or(|w| !w.starts_with(|c: char| c.is_lowercase()))
}

/// A row as a line, at the place of its first line.
fn row_line(first: &Line, cells: &[Cell]) -> Line {
    if cells.len() == 1 {
        return first.clone();
    }
    let mut line =
        Line { page: first.page, offset: first.offset, at: first.at, file: first.file, ..Line::default() };
    for (i, cell) in cells.iter().enumerate() {
        if i > 0 {
            line.gaps.push(line.text.len());
            line.text.push_str(CELL);
        }
        let from = line.text.len();
        line.text.push_str(&cell.text);
        line.raised.extend(cell.raised.iter().map(|r| r.start + from..r.end + from));
    }
    line
}

/// A row of the page before with what goes on here.
fn join(row: &Line, more: &[Cell]) -> Line {
    let mut cells: Vec<Cell> = Vec::new();
    let mut at = 0;
    for text in row.text.split(CELL) {
        let range = at..at + text.len();
        let inside = |r: &&Range<usize>| r.start >= range.start && r.end <= range.end;
        let raised = row.raised.iter().filter(inside).map(|r| r.start - at..r.end - at).collect();
        cells.push(Cell { text: text.to_owned(), raised });
        at += text.len() + CELL.len();
    }
    if cells.len() == more.len() {
        cells.iter_mut().zip(more).for_each(|(cell, piece)| cell.glue(piece));
    }
    row_line(row, &cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Geometry;

    /// Words at places, on a baseline.
    fn line(y: f32, words: &[(f32, &str)]) -> Line {
        let mut line = Line { page: Some(1), ..Line::default() };
        let mut end = 0.0;
        for (x, text) in words {
            for (i, word) in text.split(' ').enumerate() {
                let x = if i == 0 { *x } else { end + 4.0 };
                if !line.text.is_empty() {
                    if x - end > 16.0 {
                        line.gaps.push(line.text.len());
                    }
                    line.text.push(' ');
                }
                line.words.push((line.text.len(), x));
                line.text.push_str(word);
                end = x + 4.0 * word.len() as f32;
            }
        }
        let x0 = words.first().map_or(0.0, |w| w.0);
        line.at = Some(Geometry { x0, x1: end, y, size: 8.0 });
        line
    }

    fn merged(lines: &[Line]) -> Vec<String> {
        let page: Vec<&Line> = lines.iter().collect();
        Tables::default().page(&page, &mut []).into_iter().map(|l| l.text.clone()).collect()
    }

    #[test]
    fn wrapped_cells_come_together_row_by_row() {
        let words =
            "The table that follows says what is done for every kind of kite, and it is as wide as the page.";
        let mut lines = vec![line(720.0, &[(40.0, words)])];
        lines.push(line(700.0, &[(60.0, "1"), (90.0, "2"), (250.0, "3"), (350.0, "4")]));
        for n in 0..4 {
            let y = 680.0 - 36.0 * n as f32;
            let first = [
                (60.0, "109"),
                (90.0, "Flying a kite in a place where no"),
                (250.0, "Fine of two"),
                (350.0, "Any"),
            ];
            lines.push(line(y, &first));
            lines.push(line(
                y - 10.0,
                &[(90.0, "kite is flown, and where nobody else"), (250.0, "coins."), (350.0, "court.")],
            ));
            lines.push(line(y - 20.0, &[(90.0, "does it.")]));
        }
        let texts = merged(&lines);
        assert_eq!(texts.len(), 6, "{texts:?}");
        assert_eq!(texts[1], "1 | 2 | 3 | 4");
        assert_eq!(
            texts[2],
            "109 | Flying a kite in a place where no kite is flown, and where nobody else does it. | Fine of two coins. | Any court."
        );
    }

    #[test]
    fn running_text_and_numbered_lists_are_no_tables() {
        let list: Vec<Line> = (1..12)
            .map(|n| {
                line(700.0 - 12.0 * n as f32, &[(60.0, &format!("{n}.")), (100.0, "Name of a section.")])
            })
            .collect();
        assert_eq!(merged(&list).len(), 11);
        assert!(!merged(&list).concat().contains('|'));
        let text: Vec<Line> =
            (1..12).map(|n| line(700.0 - 12.0 * n as f32, &[(60.0, "words of a paragraph")])).collect();
        assert_eq!(merged(&text).len(), 11);
    }
}
