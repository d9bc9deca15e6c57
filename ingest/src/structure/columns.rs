//! Tables whose columns are known: a row of column numbers or a row of titles stands over them.
//!
//! Such a table says how many columns it has, so that they are found even where they nearly touch: between two
//! columns there is a channel that no word of the table crosses. Where a line would close a channel, the table ends.
//! The channels hold on the pages after it as well.

use std::collections::VecDeque;

use crate::read::Line;

use super::heads::{is_division, is_upper};
use super::tables::{Cell, Row, is_numbers};
use super::words::{is_label, plain_start};

/// The narrowest channel, as a part of the size of the type.
const NARROWEST: f32 = 0.05;
/// Cells may overlap by this part of the size.
const OVERLAP: f32 = 0.12;
/// A cell may reach this part of the size into the next column.
const OVERHANG: f32 = 0.6;
/// A gap narrower than this part of the size may be a space.
const SPACE: f32 = 0.45;
/// Words this part of the size from the edge of a column begin there.
const EDGE: f32 = 0.35;
/// After so many lines, the spaces between words are told from channels.
const SETTLED: usize = 4;
/// Lines nearer to each other than this part of the size are one, cells of it being raised.
const RAISED: f32 = 0.65;
/// Lines over the row of column numbers that may hold the titles of the columns.
const MOST_TITLES: usize = 5;
/// A line this much further down than the size of the type that spans no columns is no part of the table.
const APART: f32 = 2.4;

/// A word of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    pub at: usize,
    pub text: &'a str,
    pub x0: f32,
    pub x1: f32,
    /// Stands against the word before, without a space.
    pub glued: bool,
}

/// The words of a line. Where widths are wrong, a word ends where the next one begins.
pub(super) fn words(line: &Line) -> impl Iterator<Item = Word<'_>> {
    line.words.iter().enumerate().map(|(i, (at, x0, x1))| {
        let next = line.words.get(i + 1);
        let text = line.text.get(*at..next.map_or(line.text.len(), |w| w.0)).unwrap_or_default();
        let x1 = next.map_or(*x1, |n| if n.1 > *x0 { x1.min(n.1) } else { *x1 });
        let glued = *at > 0 && line.text.as_bytes().get(at - 1).is_some_and(|b| *b != b' ');
        Word { at: *at, text: text.trim_end(), x0: *x0, x1, glued }
    })
}

/// Free space between two columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Channel {
    left: f32,
    right: f32,
}

impl Channel {
    fn middle(self) -> f32 {
        f32::midpoint(self.left, self.right)
    }
}

/// What may be the channel between each two columns, while lines are looked at.
#[derive(Debug, Clone)]
struct Channels {
    free: Vec<Vec<Channel>>,
    /// Lines that left them.
    lines: usize,
}

impl Channels {
    /// Between the things that stand over the columns.
    fn between(heads: &[Channel]) -> Self {
        let pairs = heads.iter().zip(heads.iter().skip(1));
        let free = pairs.map(|(a, b)| vec![Channel { left: a.right, right: b.left }]).collect();
        Self { free, lines: 0 }
    }

    /// What a line leaves of them, if it leaves something of each; `first` is a line after a title.
    fn after(&self, line: &Line, size: f32, first: bool) -> Option<Self> {
        let mut left = Vec::with_capacity(self.free.len());
        for whole in &self.free {
            if self.lines >= SETTLED && runs_through(line, widest(whole)?, size) {
                return None;
            }
            let mut free = whole.clone();
            for word in words(line) {
                // The last letter of a word is a little narrower than the file says.
                let x1 = word.x1 - OVERLAP * size;
                let touches = |c: &Channel| x1 > c.left && word.x0 < c.right;
                if !free.iter().any(touches) {
                    continue;
                }
                let mut less = Vec::with_capacity(free.len() + 1);
                for channel in free {
                    if touches(&channel) {
                        less.push(Channel { right: word.x0.min(channel.right), ..channel });
                        less.push(Channel { left: x1.max(channel.left), ..channel });
                    } else {
                        less.push(channel);
                    }
                }
                less.retain(|c| c.right - c.left >= NARROWEST * size);
                free = less;
            }
            if free.is_empty() {
                // A centred cell may reach into the next column.
                let channel = widest(whole)?;
                let over = words(line).all(|w| {
                    w.x1 - OVERLAP * size <= channel.left
                        || w.x0 >= channel.right
                        || w.x0 < channel.left && w.x1 <= channel.right + OVERHANG * size
                });
                let long = line.at.is_none_or(|a| a.x1 > channel.right + OVERHANG * size);
                if first || !over || line.gaps.is_empty() && long {
                    return None;
                }
                free.push(channel);
            }
            left.push(free);
        }
        Some(Self { free: left, lines: self.lines + 1 })
    }

    fn widest(&self) -> Vec<Channel> {
        self.free.iter().filter_map(|free| widest(free)).collect()
    }
}

fn widest(free: &[Channel]) -> Option<Channel> {
    free.iter().max_by(|a, b| (a.right - a.left).total_cmp(&(b.right - b.left))).copied()
}

/// A sentence runs through the channel, which a space of it happens to leave open: the gap of a column is wider, or
/// a word stands right at its edge.
fn runs_through(line: &Line, channel: Channel, size: f32) -> bool {
    // Wide ones are not yet known to be channels.
    if channel.right - channel.left > 4.0 * size {
        return false;
    }
    // One run of words after the other: where it begins and ends, and whether a word of it stands at the edge.
    let mut run: Option<(f32, f32, bool)> = None;
    let through = |run: Option<(f32, f32, bool)>| {
        run.is_some_and(|(from, to, at_edge)| {
            from < channel.left && to > channel.right + OVERHANG * size && !at_edge
        })
    };
    for word in words(line) {
        let at_edge = (word.x0 - channel.right).abs() <= EDGE * size;
        run = match run {
            Some((from, to, edge)) if word.x0 - to < SPACE * size => Some((from, word.x1, edge || at_edge)),
            _ if through(run) => return true,
            _ => Some((word.x0, word.x1, at_edge)),
        };
    }
    through(run)
}

/// A table with known columns on one page.
#[derive(Debug)]
pub(super) struct Known {
    channels: Vec<Channel>,
    /// Index of its first line and of the one after its last.
    pub lines: (usize, usize),
    /// Lines with the titles of the columns.
    titles: usize,
    size: f32,
    /// It has a row of column numbers.
    pub numbered: bool,
}

/// A row of column numbers: the index of its first line and of the one after its last. Some of the numbers may stand
/// a little lower than the others.
fn number_rows(page: &[&Line]) -> Vec<(usize, usize)> {
    let numbers = |l: &Line| {
        l.at.is_some()
            && l.text.len() < 40
            && l.gaps.len().max(l.wide.len()) > 0
            && l.text.split(' ').all(|w| w.trim_matches(['(', ')', '.']).bytes().all(|b| b.is_ascii_digit()))
    };
    let mut rows = Vec::new();
    for (i, line) in page.iter().enumerate().filter(|(_, l)| numbers(l)) {
        let apart = line.gaps.len().max(line.wide.len()) + 1;
        if is_numbers(line.text.split(' ')) && apart >= line.text.split(' ').count() {
            rows.push((i, i + 1));
            continue;
        }
        let Some(next) = page.get(i + 1).filter(|l| numbers(l)) else { continue };
        let near = line.at.zip(next.at).is_some_and(|(a, b)| a.y - b.y < RAISED * a.size);
        let mut all: Vec<Word<'_>> = words(line).chain(words(next)).collect();
        all.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        if near && is_numbers(all.iter().map(|w| w.text)) {
            rows.push((i, i + 2));
        }
    }
    rows
}

/// A line of the table that is no row: the title of a chapter.
pub(super) fn is_title(line: &Line) -> bool {
    line.gaps.is_empty() && (is_division(line.text.trim()) || is_upper(&line.text))
}

/// The tables of a page that stand under a row of column numbers.
pub(super) fn under_numbers(page: &[&Line]) -> VecDeque<Known> {
    let rows = number_rows(page);
    let mut found: VecDeque<Known> = VecDeque::new();
    let mut from = 0;
    let starts: Vec<usize> = rows
        .iter()
        .map(|(row, end)| {
            let start = titles_over(page, from, *row);
            from = *end;
            start
        })
        .collect();
    for (i, (row, start)) in rows.iter().zip(&starts).enumerate() {
        let until = starts.get(i + 1).copied().unwrap_or(page.len());
        found.extend(page.get(..until).and_then(|page| under(page, *start, *row)));
    }
    found
}

/// Index of the first line with titles of the columns over the row of their numbers.
fn titles_over(page: &[&Line], from: usize, numbers: usize) -> usize {
    let mut first = numbers;
    while first > from && numbers - first < MOST_TITLES {
        let (Some(line), Some(below)) = (page.get(first - 1), page.get(first)) else { break };
        let near =
            line.at.zip(below.at).is_some_and(|(a, b)| a.y - b.y < APART * b.size && a.size < 1.2 * b.size);
        let text = line.text.trim_end();
        if !near || is_title(line) || is_label(text) || text.ends_with(['—', ':']) {
            break;
        }
        first -= 1;
    }
    while page.get(first).is_some_and(|l| first < numbers && l.gaps.is_empty()) {
        first += 1;
    }
    first
}

fn under(page: &[&Line], first: usize, numbers: (usize, usize)) -> Option<Known> {
    let row = page.get(numbers.0..numbers.1)?;
    let mut heads: Vec<Channel> = row
        .iter()
        .flat_map(|l| words(l))
        .filter(|w| !w.glued)
        .map(|w| Channel { left: w.x0, right: w.x1 })
        .collect();
    heads.sort_by(|a, b| a.left.total_cmp(&b.left));
    let size = row.first()?.at?.size;
    let (channels, end) = follow(page, numbers.1, Channels::between(&heads), size)?;
    Some(Known { channels, lines: (first, end), titles: numbers.0 - first, size, numbered: true })
}

/// The table under a row of titles in line `from`, each of which stands apart from the others.
pub(super) fn under_titles(page: &[&Line], from: usize) -> Option<Known> {
    let row = page.get(from)?;
    let before = page.get(from.checked_sub(1)?)?;
    if row.gaps.is_empty() || !is_title(before) {
        return None;
    }
    let mut heads: Vec<Channel> = Vec::new();
    for word in words(row) {
        match heads.last_mut() {
            Some(last) if !row.wide.contains(&word.at) => last.right = word.x1,
            _ => heads.push(Channel { left: word.x0, right: word.x1 }),
        }
    }
    if heads.len() < 3 {
        return None;
    }
    let size = row.at?.size;
    let (channels, end) = follow(page, from + 1, Channels::between(&heads), size)?;
    let apart = page.get(from..end)?.iter().filter(|l| l.wide.len() + 1 >= heads.len()).count();
    (apart >= 4).then_some(Known { channels, lines: (from, end), titles: 0, size, numbered: false })
}

/// The table of the page before, if it goes on in line `from`.
pub(super) fn going_on(page: &[&Line], from: usize, channels: &[Channel]) -> Option<Known> {
    let size = page.get(from)?.at?.size;
    let known = Channels { free: channels.iter().map(|c| vec![*c]).collect(), lines: SETTLED };
    let (channels, end) = follow(page, from, known, size)?;
    let apart = page.get(from..end)?.iter().filter(|l| !l.gaps.is_empty()).count();
    (apart >= 2).then_some(Known { channels, lines: (from, end), titles: 0, size, numbered: false })
}

/// As many lines as leave a channel between each two columns, and the channels.
fn follow(page: &[&Line], from: usize, mut channels: Channels, size: f32) -> Option<(Vec<Channel>, usize)> {
    let left = page.iter().filter_map(|l| l.at).map(|a| a.x0).fold(f32::MAX, f32::min);
    let right = page.iter().filter_map(|l| l.at).map(|a| a.x1).fold(0.0_f32, f32::max);
    let mut end = from;
    let mut rows = 0;
    let mut above: Option<f32> = None;
    for (i, line) in page.iter().enumerate().skip(from) {
        let Some(at) = line.at else { break };
        if is_title(line) {
            // Of the table if something of the table follows, or the page ends.
            if i + 1 == page.len() {
                end = i + 1;
            }
            above = None;
            continue;
        }
        let step = above.replace(at.y).map(|y| y - at.y);
        let alone = line.wide.is_empty() && line.gaps.is_empty();
        let full = alone && at.x1 - at.x0 > 0.8 * (right - left);
        let raised = page.get(i + 1).filter(|l| !l.gaps.is_empty()).and_then(|l| l.at);
        let raised = raised.is_some_and(|next| at.y - next.y < RAISED * size);
        let far = alone && !raised && step.is_some_and(|s| s > APART * size);
        if full || far || at.size > 1.3 * size {
            break;
        }
        match channels.after(line, size, step.is_none()) {
            Some(left) => channels = left,
            // A cell that is too wide once is still in its row where the table goes on below.
            None => {
                let again = |l: &&&Line| !l.gaps.is_empty() && channels.after(l, size, false).is_some();
                let goes_on = page.iter().skip(i + 1).take(3).filter(again).count() >= 2;
                let close = step.is_some_and(|s| s < 2.0 * size);
                // So is a line of one cell that begins where the line above it does.
                let above = page.get(i.wrapping_sub(1)).and_then(|l| l.at);
                let under = alone
                    && at.x1 - at.x0 < 0.6 * (right - left)
                    && above.is_some_and(|a| (a.x0 - at.x0).abs() < 0.1 * size);
                if !(close && (under || goes_on && (alone || line.gaps.len() > 1))) {
                    break;
                }
            }
        }
        rows += usize::from(!line.gaps.is_empty());
        end = i + 1;
    }
    (rows >= 2).then(|| (channels.widest(), end))
}

/// Lines of the page that are one line of the table, by column.
struct Pieces<'a> {
    first: &'a Line,
    y: f32,
    columns: Vec<Vec<(f32, Word<'a>, &'a Line)>>,
    title: bool,
}

impl Known {
    pub(super) fn channels(&self) -> &[Channel] {
        &self.channels
    }

    pub(super) fn columns(&self) -> usize {
        self.channels.len() + 1
    }

    fn column(&self, x: f32) -> usize {
        self.channels.iter().filter(|c| c.middle() < x).count()
    }

    fn at_edge(&self, x: f32) -> bool {
        self.channels.iter().any(|c| (c.right - x).abs() <= EDGE * self.size)
    }

    /// The rows of the table.
    pub(super) fn rows(&self, page: &[&Line]) -> Vec<Row> {
        let lines = page.get(self.lines.0..self.lines.1).unwrap_or_default();
        let mut rows: Vec<Row> = Vec::new();
        let (titles, lines) = lines.split_at_checked(self.titles).unwrap_or((&[], lines));
        if let Some(first) = titles.first() {
            let mut cells = vec![Cell::default(); self.columns()];
            for line in titles {
                self.heads(line, &mut cells);
            }
            rows.push(Row { first: (*first).clone(), cells, continues: false });
        }
        let pieces = self.pieces(lines);
        let key = self.key(&pieces);
        let leading = self.leading(&pieces);
        let mut above: Option<f32> = None;
        for piece in &pieces {
            let step = above.replace(piece.y).map_or(0.0, |y| y - piece.y);
            if piece.title {
                let cell = Cell { text: piece.first.text.clone(), raised: piece.first.raised.clone() };
                rows.push(Row { first: piece.first.clone(), cells: vec![cell], continues: false });
                above = None;
                continue;
            }
            let cells = piece.cells();
            let opens = self.opens(&cells, key, rows.last());
            let filled = cells.iter().filter(|c| !c.text.is_empty()).count();
            let low = starts_low(&cells);
            let begins = match rows.last() {
                None => true,
                Some(last) if last.cells.len() != cells.len() || last.is_numbers() => true,
                Some(_) => {
                    let apart = !low && filled * 2 >= cells.len() && step > 1.3 * leading;
                    opens || apart && (key.is_none() || cells.len() > 3)
                }
            };
            match rows.last_mut().filter(|_| !begins) {
                Some(row) => row.cells.iter_mut().zip(&cells).for_each(|(cell, piece)| cell.glue(piece)),
                None => {
                    let continues =
                        rows.iter().all(Row::is_numbers) && !opens && (low || filled * 2 <= cells.len());
                    rows.push(Row { first: piece.first.clone(), cells, continues });
                }
            }
        }
        rows
    }

    /// Adds a line of titles: each stands over the middle of its column.
    fn heads(&self, line: &Line, cells: &mut [Cell]) {
        let mut runs: Vec<(f32, f32, Cell)> = Vec::new();
        for word in words(line) {
            let cell = cell_of(&word, line, false);
            match runs.last_mut() {
                Some((_, right, run)) if !line.wide.contains(&word.at) => {
                    *right = word.x1;
                    run.add(&cell, word.glued);
                }
                _ => runs.push((word.x0, word.x1, cell)),
            }
        }
        for (left, right, run) in runs {
            if let Some(cell) = cells.get_mut(self.column(f32::midpoint(left, right))) {
                cell.glue(&run);
            }
        }
    }

    /// The words by column; lines of which one is raised against the other come together.
    fn pieces<'a>(&self, lines: &[&'a Line]) -> Vec<Pieces<'a>> {
        let mut all: Vec<Pieces<'a>> = Vec::new();
        for line in lines {
            let Some(at) = line.at else { continue };
            let title = is_title(line);
            let mut columns = vec![Vec::new(); self.columns()];
            let mut last = 0;
            let mut end = f32::MIN;
            for word in words(line) {
                // What runs on from a cell is part of it, unless it stands right at the edge of a column.
                let runs_on = word.x0 - end < SPACE * self.size && !self.at_edge(word.x0);
                let column = if title || runs_on { last } else { self.column(word.x0).max(last) };
                last = column;
                end = word.x1;
                if let Some(list) = columns.get_mut(column) {
                    list.push((at.y, word, *line));
                }
            }
            let near = |p: &&mut Pieces<'_>| {
                !title && !p.title && p.y - at.y < RAISED * self.size && p.free(&columns)
            };
            match all.last_mut().filter(near) {
                Some(piece) => {
                    for (own, more) in piece.columns.iter_mut().zip(columns) {
                        own.extend(more);
                        own.sort_by(|a, b| a.1.x0.total_cmp(&b.1.x0));
                    }
                }
                None => all.push(Pieces { first: line, y: at.y, columns, title }),
            }
        }
        all
    }

    /// The first or second column, if what it holds are numbers.
    fn key(&self, pieces: &[Pieces<'_>]) -> Option<usize> {
        (0..2.min(self.columns())).find(|column| {
            let cells = pieces.iter().filter(|p| !p.title).filter_map(|p| p.columns.get(*column)?.first());
            let (mut labels, mut all) = (0, 0);
            for (_, word, _) in cells {
                all += 1;
                labels += usize::from(is_number(word.text));
            }
            labels >= 2 && labels * 10 >= all * 7
        })
    }

    /// The usual distance between lines of one cell.
    fn leading(&self, pieces: &[Pieces<'_>]) -> f32 {
        let few = |p: &Pieces<'_>| p.columns.iter().filter(|c| !c.is_empty()).count() * 2 <= self.columns();
        let mut steps: Vec<f32> = pieces
            .iter()
            .zip(pieces.iter().skip(1))
            .filter(|(a, b)| !a.title && !b.title && few(b))
            .map(|(a, b)| a.y - b.y)
            .collect();
        steps.sort_by(f32::total_cmp);
        steps.get(steps.len() / 2).copied().unwrap_or(1.3 * self.size)
    }

    /// Whether a row begins with these pieces, by what they are.
    fn opens(&self, cells: &[Cell], key: Option<usize>, last: Option<&Row>) -> bool {
        let text = |i: usize| cells.get(i).map_or("", |c| c.text.as_str());
        let columns = cells.len();
        if let Some(key) = key.filter(|k| is_number(text(*k))) {
            // `341,` and `342` below it are one cell.
            let more = last
                .filter(|r| r.cells.len() == columns)
                .and_then(|r| r.cells.get(key))
                .is_some_and(|c| c.text.ends_with([',', '-']) || c.text.ends_with(" and"));
            return !more;
        }
        if columns > 3 {
            // The short cells at the end of a row are all there in its first line.
            return (columns - columns / 2..columns).all(|i| starts_high(text(i)));
        }
        key.is_none() && cells.iter().all(|c| !c.text.is_empty()) && !starts_low(cells)
    }
}

impl Pieces<'_> {
    /// No word of these columns stands over one that is here.
    fn free(&self, columns: &[Vec<(f32, Word<'_>, &Line)>]) -> bool {
        self.columns.iter().zip(columns).all(|(own, more)| {
            own.iter().all(|(_, a, _)| more.iter().all(|(_, b, _)| a.x1 <= b.x0 + 0.5 || b.x1 <= a.x0 + 0.5))
        })
    }

    fn cells(&self) -> Vec<Cell> {
        let cell = |words: &Vec<(f32, Word<'_>, &Line)>| {
            let lowest = words.iter().map(|w| w.0).fold(f32::MAX, f32::min);
            let mut cell = Cell::default();
            for (y, word, line) in words {
                // A mark of a note that came as a line of its own.
                let mark = *y > lowest + 0.5
                    && word.text.len() <= 2
                    && word.text.bytes().all(|b| b.is_ascii_digit());
                let close = word.glued || cell.ends_marked() && word.text.starts_with('[');
                cell.add(&cell_of(word, line, mark), close);
            }
            cell
        };
        self.columns.iter().map(cell).collect()
    }
}

pub(super) fn cell_of(word: &Word<'_>, line: &Line, mark: bool) -> Cell {
    let end = word.at + word.text.len();
    let inside = line.raised.iter().filter(|r| r.start >= word.at && r.end <= end);
    let raised = if mark {
        std::iter::once(0..word.text.len()).collect()
    } else {
        inside.map(|r| r.start - word.at..r.end - word.at).collect()
    };
    Cell { text: word.text.to_owned(), raised }
}

/// The number of a section: `302`, `376AB`, `501(a)`, `(b)`.
pub(super) fn is_number(text: &str) -> bool {
    let text = plain_start(text).trim_start_matches(['“', '"', '[', ' ']);
    let digit = |c: char| c.is_ascii_digit();
    text.len() <= 24
        && (text.starts_with(digit) || text.starts_with('(') && text.find(')').is_some_and(|i| i <= 4))
}

fn starts_high(text: &str) -> bool {
    let text = plain_start(text);
    text.starts_with(|c: char| c.is_uppercase())
}

/// The first word goes on with a sentence.
fn starts_low(cells: &[Cell]) -> bool {
    let words = cells.iter().map(|c| plain_start(&c.text)).find(|t| t.chars().any(char::is_alphabetic));
    words.is_some_and(|w| w.starts_with(char::is_lowercase))
}

#[cfg(test)]
mod tests;
