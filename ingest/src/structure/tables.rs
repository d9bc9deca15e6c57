//! Tables of a PDF: from lines that run across columns to one line a row.
//!
//! Cells that are wrapped come as lines that hold a piece of each column. The columns are the places where words
//! after wide gaps begin again and again; rows begin where the distance between lines says so, or, in tables set
//! without such distance, where every column has something.

use std::borrow::Cow;

use crate::read::{CELL, Line};

/// Lines that hold no gap and still may stand in a table, one after the other.
const MOST_WITHOUT_GAP: usize = 7;
/// Words this far from where a column begins still begin it, in points.
const NEAR: f32 = 3.0;

/// Puts the rows of tables together; all else stays as it is.
pub(super) fn merge(lines: &[Line]) -> Cow<'_, [Line]> {
    if lines.iter().all(|l| l.gaps.is_empty() || l.at.is_none()) {
        return Cow::Borrowed(lines);
    }
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mut start = 0;
    let mut changed = false;
    // The table that reached the foot of the page before.
    let mut open: Option<Open> = None;
    while let Some(first) = lines.get(start) {
        let end = lines.iter().skip(start).position(|l| l.page != first.page).map_or(lines.len(), |n| start + n);
        let page = lines.get(start..end).unwrap_or_default();
        let mut at = 0;
        let mut next_open = None;
        while at < page.len() {
            let region = region(page, at);
            let table = region.and_then(|end| Some((end, Table::find(page.get(at..end)?)?)));
            let Some((until, table)) = table else {
                out.extend(page.get(at).cloned());
                at += 1;
                continue;
            };
            changed = true;
            let rows = table.rows(page.get(at..until).unwrap_or_default());
            let mut rows = rows.into_iter().peekable();
            if let Some(before) = open.take().filter(|o| at <= 4 && o.columns == table.edges.len()) {
                while rows.next_if(|row| before.numbers.as_deref() == Some(row.line.text.as_str())).is_some() {}
                if let Some(row) = rows.next_if(|row| row.continues)
                    && let Some(last) = out.get_mut(before.last)
                {
                    *last = join(last, &row.cells);
                }
            }
            let mut numbers = None;
            for row in rows {
                if is_numbers(&row.cells) {
                    numbers = Some(row.line.text.clone());
                }
                out.push(row.line);
            }
            at = until;
            // Only a page number or notes may follow.
            if page.len() - until <= 3 {
                next_open = Some(Open { last: out.len() - 1, columns: table.edges.len(), numbers: numbers.or_else(|| first_numbers(&out)) });
            }
        }
        open = next_open;
        start = end;
    }
    if changed { Cow::Owned(out) } else { Cow::Borrowed(lines) }
}

struct Open {
    last: usize,
    columns: usize,
    numbers: Option<String>,
}

/// The row of column numbers nearest above, which later pages repeat.
fn first_numbers(out: &[Line]) -> Option<String> {
    out.iter()
        .rev()
        .take(400)
        .find(|l| is_numbers(&l.text.split(CELL).map(str::to_owned).collect::<Vec<_>>()))
        .map(|l| l.text.clone())
}

/// `1 | 2 | 3`, also in brackets.
fn is_numbers(cells: &[String]) -> bool {
    cells.len() >= 3
        && cells.iter().enumerate().all(|(i, c)| c.trim_matches(['(', ')', ' ', '.']) == (i + 1).to_string())
}

/// Where a run of lines that may be a table ends, if one begins here.
fn region(page: &[Line], from: usize) -> Option<usize> {
    let first = page.get(from)?;
    if first.gaps.is_empty() || first.at.is_none() || first.margin {
        return None;
    }
    let left = page.iter().filter_map(|l| l.at).map(|a| a.x0).fold(f32::MAX, f32::min);
    let right = page.iter().filter_map(|l| l.at).map(|a| a.x1).fold(0.0_f32, f32::max);
    let mut end = from + 1;
    let mut without = 0;
    for (i, line) in page.iter().enumerate().skip(from + 1) {
        let Some(at) = line.at.filter(|_| !line.margin) else { break };
        if line.gaps.is_empty() {
            without += 1;
            // Running text from margin to margin ends it.
            let full = at.x1 - at.x0 > 0.86 * (right - left);
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
    while let (Some(last), Some(next)) = (page.get(end - 1).and_then(|l| l.at), page.get(end).filter(|l| !l.margin)) {
        let close = next.at.is_some_and(|n| {
            last.y - n.y <= 1.12 * leading && (n.size - last.size).abs() < 0.3 && n.x1 - n.x0 < 0.86 * (right - left)
        });
        if !close {
            break;
        }
        end += 1;
    }
    (end - from >= 3).then_some(end)
}

/// The usual distance between lines of one cell.
fn leading(lines: &[Line]) -> Option<f32> {
    let mut steps: Vec<f32> =
        lines.iter().zip(lines.iter().skip(1)).filter_map(|(a, b)| Some(a.at?.y - b.at?.y)).filter(|d| *d > 2.0).collect();
    steps.sort_by(f32::total_cmp);
    steps.get(steps.len() / 8).copied()
}

struct Table {
    /// Left end of each column.
    edges: Vec<f32>,
    leading: f32,
    /// Rows stand further apart than lines.
    spaced: bool,
}

struct Row {
    line: Line,
    cells: Vec<String>,
    /// Goes on with a row of the page before.
    continues: bool,
}

impl Table {
    fn find(lines: &[Line]) -> Option<Self> {
        let mut starts: Vec<(f32, usize)> = Vec::new();
        let mut gapped = 0;
        for line in lines {
            let Some(at) = line.at else { continue };
            gapped += usize::from(!line.gaps.is_empty());
            let mut note = |x: f32| match starts.iter_mut().find(|s| (s.0 - x).abs() < NEAR) {
                Some(s) => s.1 += 1,
                None => starts.push((x, 1)),
            };
            note(at.x0);
            for gap in &line.gaps {
                if let Some((_, x)) = line.words.iter().find(|(offset, _)| offset > gap) {
                    note(*x);
                }
            }
        }
        if gapped < 3 {
            return None;
        }
        let numbered = lines.iter().find_map(|l| {
            let words: Vec<String> = l.text.split_whitespace().map(str::to_owned).collect();
            (is_numbers(&words) && l.gaps.len() + 1 == words.len()).then_some(words.len())
        });
        let enough = (lines.len() / 10).max(3);
        let mut edges: Vec<(f32, usize)> = starts.iter().copied().filter(|s| s.1 >= enough).collect();
        if let Some(columns) = numbered {
            // The columns are counted: as many of the most frequent beginnings.
            edges = starts;
            edges.sort_by_key(|s| std::cmp::Reverse(s.1));
            edges.truncate(columns);
        }
        let mut edges: Vec<f32> = edges.into_iter().map(|e| e.0).collect();
        edges.sort_by(f32::total_cmp);
        // Nearer than two letters is the same column, set in.
        edges.dedup_by(|b, a| *b - *a < 12.0);
        let leading = leading(lines)?;
        let steps: Vec<f32> = lines
            .iter()
            .zip(lines.iter().skip(1))
            .filter_map(|(a, b)| Some(a.at?.y - b.at?.y))
            .filter(|d| *d > 2.0)
            .collect();
        let wide = steps.iter().filter(|d| **d > 1.14 * leading).count();
        let table = Self { edges, leading, spaced: wide * 5 >= steps.len() };
        // Two columns of which the first holds bare numbers are a numbered list.
        let listed = lines
            .iter()
            .filter(|l| !l.gaps.is_empty())
            .filter(|l| {
                let first = l.gaps.first().and_then(|g| l.text.get(..*g)).unwrap_or_default();
                first.len() <= 8 && first.ends_with(['.', ')']) && !first.contains(' ')
            })
            .count();
        let columns = table.edges.len();
        // Full columns: a two-column page of running text is none.
        (columns >= 3 && numbered.is_some() || columns >= 3 && gapped >= 4 || columns == 2 && gapped >= 6 && listed * 3 < gapped)
            .then_some(table)
    }

    /// The pieces of a line by column.
    fn split(&self, line: &Line) -> Vec<String> {
        let mut cells = vec![String::new(); self.edges.len()];
        let mut column = 0;
        for (i, (offset, x)) in line.words.iter().enumerate() {
            let until = line.words.get(i + 1).map_or(line.text.len(), |w| w.0);
            let word = line.text.get(*offset..until).unwrap_or_default().trim();
            let after_gap = i == 0 || line.gaps.iter().any(|g| g + 1 == *offset);
            let at_edge = self.edges.iter().position(|e| (e - x).abs() < NEAR);
            let by_place = self.edges.iter().rposition(|e| *e <= x + NEAR).unwrap_or(0);
            if after_gap {
                column = at_edge.unwrap_or(by_place).max(column);
            } else if let Some(edge) = at_edge.filter(|e| *e > column) {
                column = edge;
            }
            if let Some(cell) = cells.get_mut(column) {
                glue(cell, word);
            }
        }
        cells
    }

    fn rows(&self, lines: &[Line]) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut above: Option<f32> = None;
        for line in lines {
            let Some(at) = line.at else { continue };
            let cells = self.split(line);
            let filled = cells.iter().filter(|c| !c.is_empty()).count();
            let title = line.gaps.is_empty() && (super::heads::is_division(line.text.trim()) || super::heads::is_upper(&line.text));
            let step = above.map(|y| y - at.y);
            above = Some(at.y);
            let begins = self.begins(&cells, filled, step, rows.last());
            if title {
                rows.push(Row { line: line.clone(), cells: vec![line.text.clone()], continues: false });
                above = None;
                continue;
            }
            match rows.last_mut().filter(|r| !begins && r.cells.len() == self.edges.len()) {
                Some(row) => {
                    for (cell, piece) in row.cells.iter_mut().zip(&cells) {
                        glue(cell, piece);
                    }
                }
                None => {
                    let continues = rows.is_empty() && !starts_row(&cells, filled);
                    rows.push(Row { line: line.clone(), cells, continues });
                }
            }
        }
        for row in &mut rows {
            row.line = row_line(&row.line, &row.cells);
        }
        rows
    }

    fn begins(&self, cells: &[String], filled: usize, step: Option<f32>, last: Option<&Row>) -> bool {
        if is_numbers(cells) || last.is_none_or(|r| is_numbers(&r.cells)) {
            return true;
        }
        match step {
            None => true,
            Some(step) if self.spaced => step > 1.14 * self.leading,
            Some(step) => step > 1.6 * self.leading || starts_row(cells, filled) && filled == cells.len(),
        }
    }
}

/// Every column has something (the first may lack it), and the words begin as a row's do.
fn starts_row(cells: &[String], filled: usize) -> bool {
    let opens = |c: Option<&String>| c.is_none_or(|c| !c.starts_with(|c: char| c.is_lowercase()));
    filled + 1 >= cells.len() && opens(cells.iter().find(|c| !c.is_empty() && c.chars().any(char::is_alphabetic)))
}

fn glue(cell: &mut String, piece: &str) {
    if piece.is_empty() {
        return;
    }
    if !cell.is_empty() && !cell.ends_with('-') {
        cell.push(' ');
    }
    cell.push_str(piece);
}

/// A row as a line, at the place of its first line.
fn row_line(first: &Line, cells: &[String]) -> Line {
    if cells.len() == 1 {
        return first.clone();
    }
    let mut line = crate::read::table_line(cells);
    // Marks of notes are at the beginning, if anywhere.
    line.raised = first.raised.iter().filter(|r| r.start == 0 && line.text.get(..r.end) == first.text.get(..r.end)).cloned().collect();
    Line { page: first.page, offset: first.offset, at: first.at, file: first.file, ..line }
}

fn join(row: &Line, more: &[String]) -> Line {
    let mut cells: Vec<String> = row.text.split(CELL).map(str::to_owned).collect();
    for (cell, piece) in cells.iter_mut().zip(more) {
        glue(cell, piece);
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

    #[test]
    fn wrapped_cells_come_together_row_by_row() {
        let mut lines = vec![line(720.0, &[(40.0, "The table that follows says what is done for every kind of kite, and it is as wide as the page is.")])];
        lines.push(line(700.0, &[(60.0, "1"), (150.0, "2"), (300.0, "3")]));
        for n in 0..4 {
            let y = 680.0 - 36.0 * n as f32;
            lines.push(line(y, &[(60.0, "109"), (90.0, "Flying a kite in a place where no"), (250.0, "Fine of two"), (350.0, "Any")]));
            lines.push(line(y - 10.0, &[(90.0, "kite is flown, and where nobody else"), (250.0, "coins."), (350.0, "court.")]));
            lines.push(line(y - 20.0, &[(90.0, "does it.")]));
        }
        lines.iter_mut().skip(1).take(1).for_each(|l| *l = line(700.0, &[(60.0, "1"), (90.0, "2"), (250.0, "3"), (350.0, "4")]));
        let merged = merge(&lines);
        let texts: Vec<&str> = merged.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(texts[1], "1 | 2 | 3 | 4");
        assert_eq!(
            texts[2],
            "109 | Flying a kite in a place where no kite is flown, and where nobody else does it. | Fine of two coins. | Any court."
        );
        assert_eq!(texts.len(), 6);
    }

    #[test]
    fn running_text_and_numbered_lists_are_no_tables() {
        let list: Vec<Line> =
            (1..12).map(|n| line(700.0 - 12.0 * n as f32, &[(60.0, &format!("{n}.")), (100.0, "Name of a section.")])).collect();
        assert!(matches!(merge(&list), Cow::Borrowed(_)));
        let text: Vec<Line> = (1..12).map(|n| line(700.0 - 12.0 * n as f32, &[(60.0, "words of a paragraph")])).collect();
        assert!(matches!(merge(&text), Cow::Borrowed(_)));
    }
}
