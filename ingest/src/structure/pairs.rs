//! Tables of two columns under two titles, of which the second column is running text: `Name`, `Territories`.
//!
//! Some files give wrong widths, so that the words of such a row touch or overlap. What is certain is where pieces
//! begin: every line of the second column begins at its edge, whether something stands before it or not.

use crate::read::Line;

use super::columns::{Word, cell_of, is_number, is_title, words};
use super::tables::{Cell, Row};

/// What begins this near to the edge of a column, in ems, begins there.
const NEAR: f32 = 0.3;
/// The second column is this far from the first, in ems.
const APART: f32 = 4.0;
/// Rows without words: places of what was taken out.
const LETTERS: usize = 3;

/// The rows under the two titles in line `from`, which are the first row, and the index of the line after them.
pub(super) fn under_two_titles(page: &[&Line], from: usize) -> Option<(Vec<Row>, usize)> {
    let titles = page.get(from)?;
    if titles.gaps.len() != 1 || titles.text.split(' ').count() != 2 || titles.text.len() > 40 {
        return None;
    }
    let size = titles.at?.size;
    let below = page.get(from + 1..)?;
    let left = below.iter().filter_map(|l| l.at).map(|a| a.x0).fold(f32::MAX, f32::min);
    let edges: Vec<f32> = below
        .iter()
        .take_while(|l| !is_title(l))
        .filter_map(|l| l.at)
        .map(|a| a.x0)
        .filter(|x| x - left > APART * size)
        .collect();
    let cells = split(titles, &edges, size, true)?;
    let mut rows = vec![Row { first: (*titles).clone(), cells, continues: false }];
    let mut second = 0;
    for line in below {
        if is_title(line) || line.at.is_none_or(|a| a.size > 1.3 * size) {
            break;
        }
        if !line.text.chars().any(char::is_alphanumeric) {
            let cell = Cell { text: line.text.clone(), raised: line.raised.clone() };
            rows.push(Row { first: (*line).clone(), cells: vec![cell], continues: false });
            continue;
        }
        let Some(cells) = split(line, &edges, size, false) else { break };
        let first = cells.first().map_or("", |c| c.text.as_str());
        second += usize::from(first.is_empty());
        let begins = is_number(first);
        let under_titles = rows.len() == 1;
        match rows.last_mut().filter(|r| !begins && !under_titles && r.cells.len() == 2) {
            Some(row) => row.cells.iter_mut().zip(&cells).for_each(|(cell, piece)| cell.glue(piece)),
            None => rows.push(Row { first: (*line).clone(), cells, continues: !begins && under_titles }),
        }
    }
    let end = page.iter().skip(from + 1).take_while(|l| l.at.is_some()).position(|l| {
        is_title(l)
            || l.at.is_none_or(|a| a.size > 1.3 * size)
            || l.text.chars().any(char::is_alphanumeric) && split(l, &edges, size, false).is_none()
    });
    // A list whose entries have a number and no name is no table.
    let first = |r: &Row| r.cells.first().filter(|_| r.cells.len() == 2).map(|c| c.text.clone());
    let (mut all, mut named) = (0, 0);
    for text in rows.iter().skip(1).filter_map(first) {
        all += 1;
        named += usize::from(text.chars().filter(|c| c.is_alphabetic()).count() >= LETTERS);
    }
    let end = end.map_or(page.len(), |n| from + 1 + n);
    (second >= 1 && all >= 1 && named * 2 > all).then_some((rows, end))
}

/// The two cells of a line; none where nothing begins at the edge, unless it is a line of titles.
fn split(line: &Line, edges: &[f32], size: f32, titles: bool) -> Option<Vec<Cell>> {
    let at_edge = |x: f32| edges.iter().any(|e| (e - x).abs() < NEAR * size);
    let all: Vec<Word<'_>> = words(line).collect();
    let raised = |w: &Word<'_>| line.raised.iter().any(|r| r.start == w.at);
    let edge = all.iter().enumerate().find(|(i, w)| {
        // The mark of a note stands before the edge.
        let marked = all.get(i + 1).is_some_and(|next| raised(w) && next.glued && at_edge(next.x0));
        *i == 0 && at_edge(w.x0) || !titles && (at_edge(w.x0) || marked)
    });
    // Where the widths are too wrong for that, the name ends at the first wide gap.
    let named = |i: usize| {
        all.iter().take(i).any(|w| w.text.chars().filter(|c| c.is_alphabetic()).count() >= LETTERS)
    };
    let number = all.first().is_some_and(|w| is_number(w.text));
    let gap = all
        .iter()
        .enumerate()
        .find(|(i, w)| titles && *i > 0 || number && named(*i) && line.wide.contains(&w.at));
    let second = edge.or(gap).map(|(i, _)| i);
    // A name may go on in a line of its own.
    let far = line.words.first().is_some_and(|w| edges.iter().all(|e| e - w.1 > size));
    if second.is_none() && !(far && line.text.chars().count() < 20) {
        return None;
    }
    let mut cells = vec![Cell::default(), Cell::default()];
    for (i, word) in all.iter().enumerate() {
        if let Some(cell) = cells.get_mut(usize::from(second.is_some_and(|s| i >= s))) {
            let close = word.glued || cell.text.ends_with('-');
            cell.add(&cell_of(word, line, false), close);
        }
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::super::tables::tests::{line, merged};

    #[test]
    fn names_and_what_is_said_of_them_come_apart_where_they_touch() {
        let rows = merged(&[
            line(720.0, &[(167.0, "Name"), (315.0, "Territories")]),
            line(700.0, &[(167.0, "1. North"), (232.8, "The hills that were part of the")]),
            // The file says that this name is wider than it is.
            line(690.0, &[(180.0, "Hill kingdomsxx"), (232.8, "kingdom of the north, and the")]),
            line(680.0, &[(232.8, "lakes in them.")]),
            line(670.0, &[(167.0, "2. South"), (232.8, "The plains as far as the sea")]),
            line(660.0, &[(232.8, "and the islands.")]),
            line(640.0, &[(200.0, "THE TOWNS OF THE PLAINS")]),
        ]);
        assert_eq!(
            rows,
            [
                "Name | Territories",
                "1. North Hill kingdomsxx | The hills that were part of the kingdom of the north, and the lakes in them.",
                "2. South | The plains as far as the sea and the islands.",
                "THE TOWNS OF THE PLAINS",
            ]
        );
    }

    #[test]
    fn a_list_under_two_words_is_no_table() {
        let mut lines = vec![line(720.0, &[(60.0, "Rule"), (315.0, "Page")])];
        for n in 1..9 {
            lines.push(line(
                720.0 - 12.0 * n as f32,
                &[(60.0, &format!("{n}.")), (100.0, "Name of a rule, which is")],
            ));
            lines.push(line(714.0 - 12.0 * n as f32, &[(100.0, "long.")]));
        }
        assert_eq!(merged(&lines).len(), 17);
    }
}
