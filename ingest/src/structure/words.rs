//! Text out of lines: joining what was wrapped, and taking editors' marks out of it without losing them.

use std::ops::Range;

use nyaya_corpora::{Annotation, AnnotationKind};

use crate::read::CELL;

use super::pages::{BodyLine, Footnote};

/// A bracket that is open: an editor's, around amended words, or one of the text's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Mark,
    Own,
}

/// Builds the text of one provision after another. Brackets of amendments may span provisions, so they are
/// remembered from one to the next.
#[derive(Debug, Default)]
pub(super) struct Builder {
    open: Vec<Open>,
    text: String,
    annotations: Vec<Annotation>,
    last: Option<Last>,
    /// Footnotes used, by page and index.
    pub used: std::collections::BTreeSet<(u32, usize)>,
}

#[derive(Debug, Clone, Copy)]
struct Last {
    x0: f32,
    first: bool,
    table: bool,
    geometry: bool,
    short: Option<bool>,
    label: bool,
}

/// A line break, or the words run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    Auto,
    Paragraph,
}

impl Builder {
    /// The text and notes so far, leaving the builder empty but for open brackets.
    pub fn take(&mut self) -> (String, Vec<Annotation>) {
        self.last = None;
        let mut text = std::mem::take(&mut self.text);
        text.truncate(text.trim_end().len());
        let mut notes = std::mem::take(&mut self.annotations);
        for note in &mut notes {
            note.at = note.at.map(|at| at.min(text.len()));
        }
        (text, notes)
    }

    /// A note with these words at the end of the text so far.
    pub fn note(&mut self, kind: AnnotationKind, marker: Option<String>, text: String) {
        let at = Some(self.text.len());
        self.annotations.push(Annotation { kind, marker, text, at });
    }

    /// The last note goes on.
    pub fn more_of_note(&mut self, text: &str) {
        match self.annotations.last_mut() {
            Some(note) if note.kind == AnnotationKind::Footnote => {
                note.text.push(' ');
                note.text.push_str(text);
            }
            _ => self.note(AnnotationKind::Footnote, None, text.to_owned()),
        }
    }

    /// Reads the marks before a provision's number: a bracket there is an editor's, whether marked or not.
    pub fn skip(&mut self, line: &BodyLine<'_>, to: usize, notes: &[Footnote]) {
        let source = &line.line.text;
        for range in line.line.raised.iter().filter(|r| r.end <= to) {
            let mark = source.get(range.clone()).unwrap_or_default();
            if is_mark(mark) {
                self.mark(line, mark, notes);
            }
        }
        let brackets = source.get(..to).unwrap_or_default().matches('[').count();
        self.open.extend(std::iter::repeat_n(Open::Mark, brackets));
        if line.line.at.is_none()
            && let Some(mark) = source.get(..to).and_then(|s| s.split('[').next()).map(str::trim)
            && !mark.trim_matches('*').is_empty()
            && is_mark(mark)
        {
            self.mark(line, mark, notes);
        }
    }

    /// Adds a line from byte `from` on.
    pub fn line(&mut self, line: &BodyLine<'_>, from: usize, join: Join, notes: &[Footnote]) {
        self.part(line, from..line.line.text.len(), join, notes);
    }

    /// Adds a part of a line.
    pub fn part(&mut self, line: &BodyLine<'_>, part: Range<usize>, join: Join, notes: &[Footnote]) {
        let Range { start: from, end: to } = part;
        let rest = line.line.text.get(from..to).unwrap_or_default();
        let table = !line.line.gaps.is_empty();
        let at = line.line.at;
        let first;
        if self.text.is_empty() {
            first = true;
        } else {
            let breaks = join == Join::Paragraph
                || self.last.is_some_and(|l| l.label)
                || starts_paragraph(plain_start(rest), &self.text)
                || at.is_none() && (table || is_item(rest, &self.text))
                || self.breaks(line, table);
            first = breaks;
            if breaks {
                self.newline();
            } else {
                self.space(rest);
            }
        }
        self.feed(line, from, to, notes);
        self.last = Some(Last {
            x0: at.map_or(0.0, |a| a.x0),
            first: first || from > 0,
            table,
            geometry: at.is_some(),
            short: line.short,
            label: is_label(rest) || rest.trim_end().ends_with("* *") || rest.trim_end().ends_with("***"),
        });
    }

    /// The next line begins a paragraph.
    pub fn close(&mut self) {
        if let Some(last) = self.last.as_mut() {
            last.label = true;
        }
    }

    /// Whether the place of this line says that a paragraph begins.
    fn breaks(&self, line: &BodyLine<'_>, table: bool) -> bool {
        let Some(last) = self.last else { return false };
        let Some(at) = line.line.at else { return line.after_blank || last.table };
        if !last.geometry {
            return false;
        }
        if table || last.table {
            return true;
        }
        let em = at.size.max(1.0);
        let ended = self.text.trim_end().ends_with(['.', ';', ':', '—', '”', '"', ']', ')']);
        let moved = (at.x0 - last.x0) / em;
        // Set in from the line before: the first line of a paragraph, unless that one was itself the first and
        // this is hanging text, which ends nowhere.
        if moved > 0.7 {
            return !last.first || ended;
        }
        if moved > -0.7 {
            // First lines one under the other: short paragraphs.
            return last.first && line.indent > 0.7 && ended && last.short == Some(true);
        }
        // Back to the margin: the rest of a paragraph, or, after a clause that ended early, words that follow a
        // list ("shall be punished …").
        match last.short {
            Some(short) => short && ended_clause(&self.text),
            None => self.text.trim_end().ends_with([';', ':', '—', '.']),
        }
    }

    fn newline(&mut self) {
        let end = self.text.trim_end().len();
        // The last cell of a row may be empty.
        if !self.text.ends_with(CELL) {
            self.text.truncate(end);
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    fn space(&mut self, next: &str) {
        let last = self.text.chars().next_back();
        let first = plain_start(next).chars().next();
        let hyphen = last == Some('-')
            && first.is_some_and(char::is_alphanumeric)
            && self.text.chars().nth_back(1).is_some_and(char::is_alphanumeric);
        let wide = |c: Option<char>| {
            c.is_some_and(|c| matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{FF00}'..='\u{FF60}'))
        };
        if hyphen
            || last.is_none()
            || last.is_some_and(char::is_whitespace)
            || matches!(last, Some('—'))
            || (wide(last) && wide(first))
        {
            return;
        }
        self.text.push(' ');
    }

    fn feed(&mut self, line: &BodyLine<'_>, from: usize, to: usize, notes: &[Footnote]) {
        let source = &line.line.text;
        let mut pending: Option<String> = None;
        let mut chars = source.char_indices().filter(|(i, _)| *i >= from && *i < to).peekable();
        while let Some((i, c)) = chars.next() {
            // What stands between two cells stays as it is, also around an empty one.
            if c == ' ' && line.line.gaps.contains(&i) && source.get(i..).is_some_and(|s| s.starts_with(CELL))
            {
                if self.text.ends_with(' ') && !self.text.ends_with(CELL) {
                    self.text.pop();
                }
                self.text.push_str(CELL);
                chars.nth(CELL.len() - 2);
                pending = None;
                continue;
            }
            if let Some(range) = line.line.raised.iter().find(|r| r.contains(&i)) {
                let mark = source.get(range.clone()).unwrap_or_default();
                if is_mark(mark) {
                    while chars.peek().is_some_and(|(j, _)| *j < range.end) {
                        chars.next();
                    }
                    self.mark(line, mark, notes);
                    pending = Some(mark.trim().to_owned());
                    continue;
                }
            }
            match c {
                '*' => {
                    let mut stars = String::from(c);
                    while let Some((_, n)) = chars.peek() {
                        if *n == '*' || (*n == ' ' && source.get(i..).is_some_and(|s| s.starts_with("* *"))) {
                            stars.push(*n);
                            chars.next();
                        } else {
                            break;
                        }
                    }
                    if is_emphasis(line, i, &stars) {
                        continue;
                    }
                    // "(4) * * *" is a clause that was taken out: its number goes with the row.
                    let mut gone = String::new();
                    if stars.matches('*').count() >= 3 {
                        let end = self.text.trim_end().len();
                        let start = self.text.get(..end).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
                        let label = self.text.get(start..end).unwrap_or_default();
                        let inner =
                            label.strip_prefix('(').and_then(|l| l.strip_suffix(')')).unwrap_or_default();
                        if !inner.is_empty()
                            && inner.len() <= 5
                            && inner.bytes().all(|b| b.is_ascii_alphanumeric())
                        {
                            gone = format!("{label} ");
                            self.text.truncate(start);
                            for note in &mut self.annotations {
                                note.at = note.at.map(|at| at.min(start));
                            }
                        }
                    }
                    let kind = AnnotationKind::AmendmentMark;
                    self.note(kind, pending.take(), format!("{gone}{}", stars.trim()));
                }
                '[' => {
                    if pending.take().is_some() {
                        self.open.push(Open::Mark);
                    } else if let Some(mark) = self.glued_mark(line) {
                        self.open.push(Open::Mark);
                        self.mark(line, &mark, notes);
                    } else {
                        self.open.push(Open::Own);
                        self.text.push(c);
                    }
                }
                ']' => match self.open.pop() {
                    Some(Open::Own) => self.text.push(c),
                    Some(Open::Mark) | None => self.note(AnnotationKind::AmendmentMark, None, "]".into()),
                },
                c if c.is_whitespace() => {
                    if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
                        self.text.push(' ');
                    }
                }
                c => {
                    pending = None;
                    self.text.push(c);
                }
            }
        }
    }

    /// Without geometry a mark is a figure glued to the bracket: `1[imprisonment`.
    fn glued_mark(&mut self, line: &BodyLine<'_>) -> Option<String> {
        if line.line.at.is_some() {
            return None;
        }
        let digits = self.text.bytes().rev().take_while(u8::is_ascii_digit).count();
        let start = self.text.len().checked_sub(digits)?;
        let before = self.text.get(..start)?.chars().next_back();
        let free = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '“' | '[' | '—'));
        if !(1..=2).contains(&digits) || !free {
            return None;
        }
        let mark = self.text.split_off(start);
        Some(mark)
    }

    /// Notes the mark, with the footnote it points to.
    fn mark(&mut self, line: &BodyLine<'_>, mark: &str, notes: &[Footnote]) {
        let page = line.page();
        let mut found = false;
        for part in mark_parts(mark, notes) {
            if let Some((i, note)) = notes.iter().enumerate().find(|(_, n)| n.marker == part) {
                self.used.insert((page, i));
                found = true;
                self.note(AnnotationKind::Footnote, Some(part.clone()), note.text.clone());
            }
        }
        if !found {
            self.note(AnnotationKind::AmendmentMark, Some(mark.trim().to_owned()), String::new());
        }
    }
}

/// Whether stars set words in bold or italics, as Markdown has it: one side touches a word, and as many stars stand
/// again before or behind it.
fn is_emphasis(line: &BodyLine<'_>, at: usize, stars: &str) -> bool {
    if line.line.at.is_some() || stars.len() > 3 || stars.contains(' ') {
        return false;
    }
    let (Some(before), Some(behind)) = (line.line.text.get(..at), line.line.text.get(at + stars.len()..))
    else {
        return false;
    };
    let opens = behind.starts_with(|c: char| !c.is_whitespace() && c != '*') && behind.contains(stars);
    let closes = before.ends_with(|c: char| !c.is_whitespace() && c != '*') && before.contains(stars);
    opens || closes
}

/// A raised text that is a mark of a footnote, rather than the `th` of an ordinal.
fn is_mark(mark: &str) -> bool {
    let mark = mark.trim();
    !mark.is_empty()
        && mark.chars().all(|c| {
            c.is_ascii_digit() || c.is_whitespace() || matches!(c, '*' | '†' | '‡' | '①'..='⑳' | ',')
        })
}

/// `12` is two marks where the page has no note 12.
fn mark_parts(mark: &str, notes: &[Footnote]) -> Vec<String> {
    let mark = mark.trim();
    if notes.iter().any(|n| n.marker == mark) {
        return vec![mark.to_owned()];
    }
    let words: Vec<String> = mark.split([' ', ',']).filter(|w| !w.is_empty()).map(str::to_owned).collect();
    if words.len() > 1 {
        return words;
    }
    mark.chars().map(String::from).collect()
}

/// The line without marks before its first word.
pub(super) fn plain_start(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let next = rest.get(digits..).unwrap_or_default();
        if (1..=2).contains(&digits) && next.starts_with(['[', '*']) {
            rest = next;
            continue;
        }
        let stripped = rest.trim_start_matches(['[', '*', '†', ' ']);
        if stripped.len() == rest.len() {
            return rest;
        }
        rest = stripped;
    }
}

/// Words that begin a line of their own in an act, however it is set.
pub(super) fn starts_paragraph(text: &str, before: &str) -> bool {
    const LABELS: [&str; 8] = [
        "Explanation",
        "Exception",
        "Illustration",
        "Proviso",
        "Provided that",
        "Provided further",
        "Provided also",
        "Provided,",
    ];
    let text = text.trim_start_matches(['“', '"', '‘']);
    if LABELS.iter().any(|l| text.starts_with(l)) {
        return true;
    }
    // (1), (a), (iv), (3A)
    if let Some(inner) = text.strip_prefix('(')
        && let Some((label, rest)) = inner.split_once(')')
    {
        let short = label.len() <= 5 && !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric());
        let lower = label.bytes().all(|b| b.is_ascii_lowercase());
        let figures = label.bytes().next().is_some_and(|b| b.is_ascii_digit());
        let roman = label.bytes().all(|b| matches!(b, b'i' | b'v' | b'x' | b'l'));
        // A wrapped "(a)" of a reference is followed by "of", "and", "to" …
        let before = before.trim_end();
        let ended =
            before.ends_with([';', ':', '—', '.']) || before.ends_with("; or") || before.ends_with("; and");
        let reference = !ended
            && ["of ", "and ", "or ", "to ", ",", ";", ")", "above", "below", "in "]
                .iter()
                .any(|w| rest.trim_start().starts_with(w) && !rest.starts_with(";—"));
        return short && (figures || (lower && (label.len() <= 2 || roman))) && !reference;
    }
    // First.—, Secondly.—, 2ndly.—
    let word = text.split(['.', ' ', '—', '-']).next().unwrap_or_default();
    let ordinal = matches!(
        word,
        "First"
            | "Second"
            | "Third"
            | "Fourth"
            | "Fifth"
            | "Sixth"
            | "Seventh"
            | "Eighth"
            | "Ninth"
            | "Tenth"
            | "Eleventh"
            | "Twelfth"
            | "Firstly"
            | "Secondly"
            | "Thirdly"
            | "Fourthly"
            | "Fifthly"
            | "Sixthly"
            | "Seventhly"
            | "Eighthly"
    );
    ordinal
        && text
            .get(word.len()..)
            .is_some_and(|r| r.trim_start_matches(['.', ' ']).starts_with(['—', '-', '–']))
}

/// `2. carry away`, `| cell | cell |`: an item of a list or a row of a table, in a text without geometry. A wrapped line
/// may begin with a number too, but not behind the end of a clause.
fn is_item(text: &str, before: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..).unwrap_or_default();
    let deeper = rest.len() - rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit()).len();
    let decimal = rest.get(..deeper).is_some_and(|d| d.matches('.').count() >= 2)
        && rest.get(deeper..).is_some_and(|r| r.starts_with(' '));
    let number = (1..=2).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") ") || decimal);
    let bullet = text.starts_with("- ") || text.starts_with("• ");
    (number || bullet) && before.trim_end().ends_with(['.', ';', ':', '—']) || text.starts_with('|')
}

/// A label that stands on a line of its own.
pub(super) fn is_label(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['.', '—', ':', '-', ']']);
    let text = plain_start(text);
    [
        "Illustration",
        "Illustrations",
        "Explanation",
        "Explanations",
        "Exception",
        "Exceptions",
        "Provisos",
        "Proviso",
        "TABLE",
        "Table",
    ]
    .contains(&text)
}

fn ended_clause(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with([';', '.', ':', '—', ','])
        || [" or", " and", "; or", "; and"].iter().any(|w| text.ends_with(w) && text.len() > w.len())
}
