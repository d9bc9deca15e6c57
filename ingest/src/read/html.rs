//! Web pages: the words of blocks as lines, without scripts, menus and forms.

use std::path::Path;

use encoding_rs::Encoding;
use nyaya_corpora::manifest::Format;
use nyaya_corpora::{Diagnostic, Severity};
use scraper::Html;
use scraper::node::Node;

use super::html_lists::Numbering;
use super::{Body, Document, Line, Reader, bytes, encoding, sha256_hex};
use crate::Error;

/// Reads HTML.
#[derive(Debug, Clone, Copy, Default)]
pub struct HtmlReader;

/// The tree of a page takes some ten times its size.
const MAX_HTML_BYTES: usize = 48 << 20;
/// Elements inside each other; the parser's time grows with the square of it.
const MAX_DEPTH: usize = 1_000;

impl Reader for HtmlReader {
    fn format(&self) -> Format {
        Format::Html
    }

    fn read(&self, path: &Path) -> Result<Document, Error> {
        let bytes = bytes(path)?;
        if bytes.len() > MAX_HTML_BYTES {
            return Err(Error::file(
                path,
                format!("a page of {} bytes, more than the {MAX_HTML_BYTES} that are read", bytes.len()),
                "give a page that holds this statute only",
            ));
        }
        let text = decode(path, &bytes)?;
        if let Some(depth) = too_deep(&text) {
            return Err(Error::file(
                path,
                format!("{depth} elements inside each other"),
                "no honest page is built so: save the page's text instead",
            ));
        }
        let lines = lines_of(&text);
        if lines.iter().all(|l| l.text.trim().is_empty()) {
            return Err(Error::file(
                path,
                "the page has no text",
                "a page that loads its text with scripts must be saved from the browser when it is shown",
            ));
        }
        Ok(Document {
            path: path.to_owned(),
            sha256: sha256_hex(&bytes),
            format: Format::Html,
            pages: None,
            files: Vec::new(),
            body: Body::Lines(lines),
            notes: struck(&text).into_iter().collect(),
        })
    }
}

/// Whether the style of an element strikes its words out, or hides them.
fn is_struck(element: &scraper::node::Element) -> bool {
    let style: String =
        element.attr("style").unwrap_or_default().chars().filter(|c| !c.is_whitespace()).collect();
    let style = style.to_ascii_lowercase();
    let line = ["text-decoration:", "text-decoration-line:"].iter().any(|property| {
        style
            .split_once(property)
            .is_some_and(|(_, value)| value.split(';').next().is_some_and(|v| v.contains("line-through")))
    });
    line || style.contains("display:none")
}

/// Words that a page shows as struck out are not read; that is said.
fn struck(text: &str) -> Option<Diagnostic> {
    let lower = text.to_ascii_lowercase();
    let count = ["<del>", "<del ", "<s>", "<s ", "<strike", "line-through", "display:none"]
        .iter()
        .map(|tag| lower.matches(tag).count())
        .sum::<usize>();
    (count > 0).then(|| {
        Diagnostic::new(
            Severity::Info,
            "struck_out",
            format!("{count} passages that the page marks as deleted were left out"),
        )
    })
}

/// Decodes as any text; where that fails, by the page's own declaration, and then strictly too.
fn decode(path: &Path, bytes: &[u8]) -> Result<String, Error> {
    let error = match encoding::decode(path, bytes) {
        Ok((text, _)) => return Ok(text),
        Err(error) => error,
    };
    let head =
        String::from_utf8_lossy(bytes.get(..2048.min(bytes.len())).unwrap_or_default()).to_ascii_lowercase();
    let label = head.split_once("charset=").map(|(_, rest)| {
        rest.trim_start_matches(['"', '\''])
            .split(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c)))
            .next()
    });
    label
        .flatten()
        .and_then(|l| Encoding::for_label(l.as_bytes()))
        .and_then(|e| e.decode_without_bom_handling_and_without_replacement(bytes))
        .filter(|t| !t.contains(['\u{FFFD}', '\0']))
        .map(std::borrow::Cow::into_owned)
        .ok_or(error)
}

/// Nesting of elements that need a closing tag, where it is beyond the bound.
fn too_deep(text: &str) -> Option<usize> {
    const CLOSED: [&str; 22] = [
        "div",
        "span",
        "b",
        "i",
        "u",
        "em",
        "strong",
        "font",
        "a",
        "table",
        "ul",
        "ol",
        "section",
        "article",
        "center",
        "small",
        "big",
        "sup",
        "sub",
        "blockquote",
        "button",
        "form",
    ];
    let mut depth = 0_usize;
    let mut deepest = 0;
    for part in text.split('<').skip(1) {
        let (closing, rest) = part.strip_prefix('/').map_or((false, part), |r| (true, r));
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
        // Names that the page made up nest as well.
        if CLOSED.contains(&name.as_str()) || name.len() > 10 {
            depth = if closing { depth.saturating_sub(1) } else { depth + 1 };
            deepest = deepest.max(depth);
        }
    }
    (deepest > MAX_DEPTH).then_some(deepest)
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "li"
            | "ul"
            | "ol"
            | "dl"
            | "dt"
            | "dd"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "section"
            | "article"
            | "main"
            | "header"
            | "table"
            | "thead"
            | "tbody"
            | "tr"
            | "blockquote"
            | "pre"
            | "br"
            | "hr"
            | "body"
            | "center"
            | "caption"
            | "fieldset"
            | "address"
            | "details"
            | "summary"
    )
}

fn is_skipped(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "head"
            | "nav"
            | "footer"
            | "noscript"
            | "template"
            | "svg"
            | "select"
            | "button"
            | "iframe"
            | "object"
            | "textarea"
            | "del"
            | "s"
            | "strike"
    )
}

/// The lines of a page.
#[must_use]
pub fn lines_of(text: &str) -> Vec<Line> {
    let page = Html::parse_document(text);
    let mut scribe = Scribe::default();
    let mut skipping = 0_usize;
    for edge in page.tree.root().traverse() {
        match edge {
            ego_tree::iter::Edge::Open(node) => match node.value() {
                Node::Element(element) => {
                    let name = element.name();
                    if is_skipped(name) || is_struck(element) {
                        skipping += 1;
                    } else if skipping == 0 {
                        scribe.open(name);
                        match name {
                            "ol" => scribe.numbering.open(Some(element)),
                            "ul" | "menu" => scribe.numbering.open(None),
                            "li" => scribe.numbering.item(element.attr("value")),
                            _ => {}
                        }
                    }
                }
                Node::Text(words) if skipping == 0 => scribe.push(words),
                _ => {}
            },
            ego_tree::iter::Edge::Close(node) => {
                if let Node::Element(element) = node.value() {
                    let name = element.name();
                    if is_skipped(name) || is_struck(element) {
                        skipping = skipping.saturating_sub(1);
                    } else if skipping == 0 {
                        scribe.close(name);
                        if matches!(name, "ol" | "ul" | "menu") {
                            scribe.numbering.close();
                        }
                    }
                }
            }
        }
    }
    scribe.end_line();
    let Scribe { mut lines, numbering, .. } = scribe;
    numbering.write(&mut lines);
    lines
}

#[derive(Default)]
struct Scribe {
    lines: Vec<Line>,
    offset: usize,
    current: Line,
    raised: bool,
    pre: bool,
    /// Cells of the open row, with how deep rows are.
    cells: Vec<String>,
    rows: usize,
    /// Rows of the open table, with how deep tables are.
    table: Vec<Vec<String>>,
    tables: usize,
    /// The rank of the heading that is open.
    heading: u8,
    /// How deep bold is.
    bold: usize,
    /// Numbers that the page's lists give.
    numbering: Numbering,
}

/// What stands between the blocks of a cell until the table is read.
const BLOCK: char = '\n';

impl Scribe {
    fn open(&mut self, name: &str) {
        match name {
            "tr" => {
                if self.rows == 0 {
                    self.end_line();
                }
                self.rows += 1;
            }
            "td" | "th" => {}
            "table" => {
                self.end_block();
                self.tables += 1;
            }
            "b" | "strong" => self.bold += 1,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_block();
                self.heading = name.bytes().last().map_or(0, |b| b - b'0');
            }
            "sup" => self.raised = true,
            "pre" => {
                self.pre = true;
                self.end_line();
            }
            name if is_block(name) => self.end_block(),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "td" | "th" if self.rows == 1 => {
                let cell = std::mem::take(&mut self.current).text.trim().to_owned();
                self.cells.push(cell);
                self.bold = 0;
            }
            "tr" => {
                self.rows = self.rows.saturating_sub(1);
                if self.rows == 0 {
                    let cells = std::mem::take(&mut self.cells);
                    self.table.push(cells);
                    if self.tables == 0 {
                        self.end_table();
                    }
                }
            }
            "table" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.end_table();
                }
                self.end_block();
            }
            "b" | "strong" => self.bold = self.bold.saturating_sub(1),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_block();
                self.heading = 0;
            }
            "sup" => self.raised = false,
            "pre" => {
                self.pre = false;
                self.end_line();
            }
            name if is_block(name) => self.end_block(),
            _ => {}
        }
    }

    fn end_block(&mut self) {
        if self.rows == 0 {
            self.end_line();
        } else if !self.current.text.is_empty() {
            let kept = self.current.text.trim_end().len();
            self.current.text.truncate(kept);
            self.current.text.push(BLOCK);
        }
    }

    /// The rows of a table as lines; where one column is marginal notes, the other is the text.
    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.table);
        let before = std::mem::take(&mut self.current);
        let notes = margin_column(&rows);
        for row in rows {
            match (notes, row.as_slice()) {
                (Some(note), [left, right]) => {
                    let (beside, text) = if note == 0 { (left, right) } else { (right, left) };
                    let mut beside = beside.replace(BLOCK, " ");
                    for block in text.split(BLOCK).filter(|b| !b.trim().is_empty()) {
                        self.current.text = block.trim().to_owned();
                        self.current.beside = std::mem::take(&mut beside);
                        self.end_line();
                    }
                }
                _ => {
                    let cells: Vec<String> = row.iter().map(|c| c.replace(BLOCK, " ")).collect();
                    self.current = super::table_line(&cells);
                    self.end_line();
                }
            }
        }
        self.current = before;
    }

    fn push(&mut self, words: &str) {
        if self.pre && self.rows == 0 {
            for (i, line) in words.split('\n').enumerate() {
                if i > 0 {
                    self.end_line();
                }
                self.words(line);
            }
        } else {
            self.words(words);
        }
    }

    /// Runs of white space are one space, as a browser shows them.
    fn words(&mut self, words: &str) {
        let mut start = self.current.text.len();
        for c in words.chars() {
            // The wide space of Chinese headings is kept.
            if c.is_whitespace() && c != '\u{3000}' || c.is_control() {
                if !self.current.text.is_empty() && !self.current.text.ends_with([' ', BLOCK]) {
                    self.current.text.push(' ');
                    start = start.max(1);
                }
            } else {
                self.current.text.push(c);
            }
        }
        let end = self.current.text.len();
        if self.bold > 0
            && self.rows == 0
            && self.current.strong >= self.current.text.get(..start).map_or(0, |t| t.trim_end().len())
        {
            self.current.strong = end;
        }
        if self.raised && start < end && self.rows == 0 {
            self.current.raised.push(start..end);
        }
    }

    fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.current);
        let kept = line.text.trim_end().len();
        line.text.truncate(kept);
        line.raised.retain(|r| r.end <= kept);
        line.strong = line.strong.min(kept);
        line.heading = self.heading;
        if line.text.is_empty() && self.lines.last().is_none_or(|l| l.text.is_empty()) {
            return;
        }
        line.offset = self.offset;
        self.offset += line.text.len() + 1;
        if !line.text.is_empty() {
            self.numbering.begins(self.lines.len());
        }
        self.lines.push(line);
    }
}

/// Which of two columns holds marginal notes: the other has a number at the start of most of its cells, and they ascend.
fn margin_column(rows: &[Vec<String>]) -> Option<usize> {
    let number = |cell: &String| -> Option<u32> {
        let digits = cell.bytes().take_while(u8::is_ascii_digit).count();
        let rest = cell.get(digits..)?.trim_start_matches(|c: char| c.is_ascii_uppercase());
        // "1. Whoever …": words behind the number, not a number in a column of its own.
        let text = rest.strip_prefix('.')?;
        (text.split_whitespace().count() >= 2).then(|| cell.get(..digits)?.parse().ok()).flatten()
    };
    let pairs: Vec<(&String, &String)> = rows
        .iter()
        .filter_map(|r| match r.as_slice() {
            [left, right] => Some((left, right)),
            _ => None,
        })
        .collect();
    if pairs.len() < 2 || pairs.len() * 4 < rows.len() * 3 {
        return None;
    }
    let ascends = |text: &[&String]| {
        let numbers: Vec<u32> = text.iter().filter_map(|c| number(c)).collect();
        numbers.len() * 3 >= pairs.len() * 2 && numbers.windows(2).all(|w| matches!(w, [a, b] if a <= b))
    };
    let note = |c: &str| c.chars().count() <= 200 && !c.starts_with(|c: char| c.is_ascii_digit());
    let (left, right): (Vec<&String>, Vec<&String>) = pairs.iter().copied().unzip();
    if left.iter().all(|c| note(c)) && ascends(&right) {
        return Some(0);
    }
    (right.iter().all(|c| note(c)) && ascends(&left)).then_some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(page: &str) -> Vec<String> {
        lines_of(page).into_iter().map(|l| l.text).filter(|t| !t.is_empty()).collect()
    }

    #[test]
    fn blocks_are_lines_and_rows_are_cells() {
        let page = "<!doctype html><html><head><title>x</title><style>p{}</style></head><body><nav>Home</nav>\
            <h1>Kite Act</h1><p>1. Kites.&mdash;A <b>kite</b>\n flies<sup>1</sup>.<br>2. More &lt;words&gt;.</p>\
            <table><tr><th>No</th><th>What</th></tr><tr><td><p>1</p></td><td>red <i>kite</i></td></tr></table>\
            <script>var a = '<p>no</p>';</script></body></html>";
        assert_eq!(
            texts(page),
            ["Kite Act", "1. Kites.—A kite flies1.", "2. More <words>.", "No | What", "1 | red kite"]
        );
        let lines = lines_of(page);
        let raised: Vec<&str> =
            lines.iter().flat_map(|l| l.raised.iter().map(|r| &l.text[r.clone()])).collect();
        assert_eq!(raised, ["1"]);
    }

    #[test]
    fn deep_pages_are_refused_quickly_and_declared_encodings_are_believed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.html");
        std::fs::write(&path, format!("<html>{}", "<div>".repeat(100_000))).unwrap();
        let error = HtmlReader.read(&path).unwrap_err().to_string();
        assert!(error.contains("inside each other"), "{error}");
        std::fs::write(&path, b"<html><meta charset=iso-8859-1><p>\xA7 1. Caf\xE9.</p>").unwrap();
        let Body::Lines(lines) = HtmlReader.read(&path).unwrap().body else { panic!() };
        assert_eq!(lines[0].text, "§ 1. Café.");
        std::fs::write(&path, b"<html><script>1</script></html>").unwrap();
        assert!(HtmlReader.read(&path).unwrap_err().to_string().contains("no text"));
    }
}
