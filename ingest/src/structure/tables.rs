//! Tables of a PDF: from lines that run across columns to one line a row.
//!
//! Cells that are wrapped come as lines that hold a piece of each column. The columns are the places where words
//! after wide gaps begin again and again; rows begin where the distance between lines says so, or, in tables set
//! without such distance, where every column has something.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use crate::read::{CELL, Line};

use super::columns::{Channel, Known, Word, going_on, under_numbers, under_titles, words};
use super::pages::BodyLine;
use super::pairs::under_two_titles;

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
    columns: Columns,
    /// Has a row of column numbers.
    numbered: bool,
}

#[derive(Debug)]
enum Columns {
    Edges(Vec<f32>),
    Channels(Vec<Channel>),
    /// Two, under these titles.
    Pair(String),
}

impl Columns {
    fn count(&self) -> usize {
        match self {
            Self::Edges(edges) => edges.len(),
            Self::Channels(channels) => channels.len() + 1,
            Self::Pair(_) => 2,
        }
    }
}

/// A table of a page.
struct Found {
    end: usize,
    rows: Vec<Row>,
    columns: Columns,
    numbered: bool,
}

impl Found {
    fn known(known: &Known, page: &[&Line]) -> Self {
        Self {
            end: known.lines.1,
            rows: known.rows(page),
            columns: Columns::Channels(known.channels().to_vec()),
            numbered: known.numbered,
        }
    }
}

impl Tables {
    /// The lines of a page, without heads and notes, with one line a row; `before` are those of the pages before,
    /// of which the last may be a row that goes on here.
    pub fn page<'a>(&mut self, page: &[&'a Line], before: &mut [BodyLine<'a>]) -> Vec<Cow<'a, Line>> {
        let mut out: Vec<Cow<'a, Line>> = Vec::with_capacity(page.len());
        let mut at = 0;
        let mut open = self.open.take();
        let gapped = page.iter().any(|l| !l.gaps.is_empty());
        let mut numbered = if gapped { under_numbers(page) } else { VecDeque::new() };
        while let Some(line) = page.get(at) {
            let limit = numbered.front().map_or(page.len(), |k| k.lines.0);
            let found = match numbered.pop_front_if(|k| k.lines.0 == at) {
                Some(known) => Some(Found::known(&known, page)),
                None if gapped => {
                    let page = page.get(..limit).unwrap_or_default();
                    Self::unnumbered(page, at, open.as_ref().filter(|_| at <= 2).map(|o| &o.columns))
                }
                None => None,
            };
            let Some(Found { end: until, rows, columns, mut numbered }) = found else {
                out.push(Cow::Borrowed(*line));
                at += 1;
                continue;
            };
            let mut rows = rows.into_iter().peekable();
            if let Some(open) = open.take().filter(|o| at <= 2 && o.columns.count() == columns.count()) {
                // Later pages repeat the numbers of the columns, or their titles.
                let again = |row: &Row| match &open.columns {
                    Columns::Pair(titles) => row.first.text == *titles,
                    _ => open.numbered && row.is_numbers(),
                };
                while rows.next_if(|row| again(row)).is_some() {}
                let last = before.get_mut(open.last).filter(|l| {
                    rows.peek().is_some_and(|r| r.continues)
                        && l.line.text.split(CELL).count() == columns.count()
                });
                if let Some((last, row)) = last.and_then(|last| Some((last, rows.next()?))) {
                    last.line = Cow::Owned(join(&last.line, &row.cells));
                }
                numbered |= open.numbered;
            }
            for row in rows {
                numbered |= row.is_numbers();
                out.push(row.line());
            }
            at = until;
            if until == page.len() && !out.is_empty() {
                self.open = Some(Open { last: before.len() + out.len() - 1, columns, numbered });
            }
        }
        out
    }

    /// A table at this line that has no row of column numbers here.
    fn unnumbered(page: &[&Line], at: usize, open: Option<&Columns>) -> Option<Found> {
        let known = match open {
            Some(Columns::Channels(channels)) => going_on(page, at, channels),
            _ => None,
        };
        if let Some(known) = known.or_else(|| under_titles(page, at)) {
            return Some(Found::known(&known, page));
        }
        if let Some((rows, end)) = under_two_titles(page, at) {
            let titles = page.get(at)?.text.clone();
            return Some(Found { end, rows, columns: Columns::Pair(titles), numbered: false });
        }
        let end = region(page, at)?;
        let lines = page.get(at..end)?;
        let again = match open {
            Some(Columns::Edges(edges)) if edges.len() > 2 => Table::again(edges, lines),
            _ => None,
        };
        let table = match again {
            Some(table) => table,
            None => Table::find(lines)?,
        };
        Some(Found { end, rows: table.rows(lines), columns: Columns::Edges(table.edges), numbered: false })
    }
}

/// A piece of a row in one column, with the marks of notes in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub text: String,
    pub raised: Vec<Range<usize>>,
}

impl Cell {
    /// Adds a piece from further down.
    pub fn glue(&mut self, piece: &Cell) {
        self.add(piece, self.text.ends_with('-'));
    }

    /// The last thing in it is the mark of a note.
    pub fn ends_marked(&self) -> bool {
        self.raised.last().is_some_and(|r| r.end == self.text.len())
    }

    /// Adds a piece, with a space before it unless it is close.
    pub fn add(&mut self, piece: &Cell, close: bool) {
        if piece.text.is_empty() {
            return;
        }
        if !self.text.is_empty() && !close {
            self.text.push(' ');
        }
        let from = self.text.len();
        self.text.push_str(&piece.text);
        self.raised.extend(piece.raised.iter().map(|r| r.start + from..r.end + from));
    }
}

/// `1 2 3`, also in brackets.
pub(super) fn is_numbers<'t>(mut cells: impl Iterator<Item = &'t str>) -> bool {
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

/// A row of a table; one cell alone is a title between rows.
pub(super) struct Row {
    pub first: Line,
    pub cells: Vec<Cell>,
    /// Goes on with a row of the page before.
    pub continues: bool,
}

impl Row {
    pub fn is_numbers(&self) -> bool {
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
            for (offset, x, _) in &line.words {
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
            for x in words(numbers).filter(|w| !w.glued).map(|w| w.x0) {
                let inside: Vec<&(f32, usize)> =
                    starts.iter().filter(|s| s.0 > from + NEAR && s.0 <= x + NEAR).collect();
                let edge = inside.iter().find(|s| s.1 >= 2).or(inside.first()).map_or(x, |s| s.0);
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
            for (_, x, _) in line.words.iter().filter(|(o, ..)| line.gaps.iter().any(|g| g + 1 == *o)) {
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
        for (i, Word { at: offset, text: word, x0: x, glued, .. }) in words(line).enumerate() {
            let after_gap = i == 0 || line.gaps.iter().any(|g| g + 1 == offset);
            // Any word may happen to stand near an edge; the first of a cell stands on it.
            let near = if after_gap { NEAR } else { 0.8 };
            let at_edge = self.edges.iter().position(|e| (e - x).abs() < near);
            let by_place = self.edges.iter().rposition(|e| *e <= x + NEAR).unwrap_or(0);
            // A gap that is wider than a space ends a cell where another column has begun by then.
            let wide = line.wide.contains(&offset) && by_place > column;
            if after_gap || wide {
                column = at_edge.unwrap_or(by_place).max(column);
            } else if let Some(edge) = at_edge.filter(|e| *e > column && !glued) {
                column = edge;
            }
            let end = offset + word.len();
            let raised = line
                .raised
                .iter()
                .filter(|r| r.start >= offset && r.end <= end)
                .map(|r| r.start - offset..r.end - offset)
                .collect();
            if let Some(cell) = cells.get_mut(column) {
                cell.add(&Cell { text: word.to_owned(), raised }, glued || cell.text.ends_with('-'));
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
pub(super) mod tests {
    use super::*;
    use crate::read::Geometry;

    /// Words at places, on a baseline; letters are 4 points wide and spaces 2.
    pub fn line(y: f32, words: &[(f32, &str)]) -> Line {
        let mut line = Line { page: Some(1), ..Line::default() };
        let mut end = 0.0;
        for (x, text) in words {
            for (i, word) in text.split(' ').enumerate() {
                let x = if i == 0 { *x } else { end + 2.0 };
                if !line.text.is_empty() && x - end > 1.0 {
                    if x - end > 16.0 {
                        line.gaps.push(line.text.len());
                    }
                    line.text.push(' ');
                    if x - end > 6.4 {
                        line.wide.push(line.text.len());
                    }
                }
                line.words.push((line.text.len(), x, x + 4.0 * word.len() as f32));
                line.text.push_str(word);
                end = x + 4.0 * word.len() as f32;
            }
        }
        let x0 = words.first().map_or(0.0, |w| w.0);
        line.at = Some(Geometry { x0, x1: end, y, size: 8.0 });
        line
    }

    pub fn merged(lines: &[Line]) -> Vec<String> {
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
