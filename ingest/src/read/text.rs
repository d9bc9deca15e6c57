//! Markdown and plain text, as a file or as a folder of files in the order of their names.

use std::path::{Path, PathBuf};

use nyaya_corpora::manifest::Format;
use nyaya_corpora::{Diagnostic, Severity};

use super::{Body, Document, Line, Reader, bytes, encoding, oneline, own, paper, sha256_hex};
use crate::Error;

/// Reads text files.
#[derive(Debug, Clone, Copy)]
pub struct TextReader {
    /// Markdown or text; Markdown has its front matter and comments taken off.
    pub format: Format,
}

/// More files in a folder are not a statute.
const MAX_FILES: usize = 2_000;

impl Reader for TextReader {
    fn format(&self) -> Format {
        self.format
    }

    fn read(&self, path: &Path) -> Result<Document, Error> {
        if !path.is_dir() {
            let bytes = bytes(path)?;
            if self.format == Format::Markdown
                && let Ok(text) = std::str::from_utf8(&bytes)
                && let Some(held) = own::read_markdown(path, text)?
            {
                let document = document(path, sha256_hex(&bytes), self.format, Vec::new(), Vec::new());
                return Ok(Document { body: Body::Held(Box::new(held)), ..document });
            }
            let mut notes = Vec::new();
            let mut lines = Vec::new();
            push_file(path, &bytes, self.format, 0, &mut lines, &mut notes)?;
            return Ok(document(path, sha256_hex(&bytes), self.format, lines, notes));
        }
        let (mut notes, mut lines, mut listing) = (Vec::new(), Vec::new(), String::new());
        let files = folder(path)?;
        if files.is_empty() {
            return Err(Error::file(
                path,
                "no .md or .txt file in this folder",
                "give the folder that holds the statute's files",
            ));
        }
        let mut total = 0_u64;
        let mut names = Vec::new();
        for (n, file) in files.into_iter().enumerate() {
            let bytes = bytes(&file)?;
            total = total.saturating_add(bytes.len() as u64);
            if total > super::MAX_FILE_BYTES {
                return Err(Error::file(
                    path,
                    "the files of this folder are too large together",
                    "give the folder of one statute",
                ));
            }
            let name = file.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            listing.push_str(&format!("{}  {name}\n", sha256_hex(&bytes)));
            let format = if name.ends_with(".txt") { Format::Text } else { Format::Markdown };
            let n = u32::try_from(n).unwrap_or(u32::MAX);
            names.push(name.to_owned());
            push_file(&file, &bytes, format, n, &mut lines, &mut notes)?;
        }
        Ok(Document {
            files: names,
            ..document(path, sha256_hex(listing.as_bytes()), self.format, lines, notes)
        })
    }
}

/// The folder's own text files, sorted by name, `ch2` before `ch10`. A link that leads out of the folder is an error: it may be an
/// attempt to have another file read.
pub(super) fn folder(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries =
        std::fs::read_dir(path).map_err(|e| Error::io_hint(path, e, "check the folder's permissions"))?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| Error::io_hint(path, e, "check the folder"))?;
        let kind = entry.file_type().map_err(|e| Error::io_hint(path, e, "check the folder"))?;
        let file = entry.path();
        let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
        if !matches!(extension.as_str(), "md" | "markdown" | "txt") {
            continue;
        }
        if kind.is_symlink() {
            let inside = file
                .canonicalize()
                .and_then(|target| Ok(target.starts_with(path.canonicalize()?) && target.is_file()))
                .unwrap_or(false);
            if !inside {
                return Err(Error::file(
                    &file,
                    "a link that leads out of the folder, or nowhere",
                    "copy the file into the folder if it is part of the statute, else remove the link",
                ));
            }
            files.push(file);
        } else if kind.is_file() {
            files.push(file);
        }
        if files.len() > MAX_FILES {
            return Err(Error::file(
                path,
                format!("more than {MAX_FILES} files"),
                "give the folder of one statute",
            ));
        }
    }
    files.sort_by(|a, b| natural(a, b));
    Ok(files)
}

/// Names in the order in which people count: figures by their value.
fn natural(a: &Path, b: &Path) -> std::cmp::Ordering {
    let (x, y) = (a.to_string_lossy(), b.to_string_lossy());
    let (mut x, mut y) = (x.as_ref(), y.as_ref());
    while let (Some(c), Some(d)) = (x.chars().next(), y.chars().next()) {
        let order = if c.is_ascii_digit() && d.is_ascii_digit() {
            let run = |t: &str| t.bytes().take_while(u8::is_ascii_digit).count();
            let (i, j) = (run(x), run(y));
            let (m, n) = (x.get(..i).unwrap_or_default(), y.get(..j).unwrap_or_default());
            (x, y) = (x.get(i..).unwrap_or_default(), y.get(j..).unwrap_or_default());
            let (m, n) = (m.trim_start_matches('0'), n.trim_start_matches('0'));
            m.len().cmp(&n.len()).then_with(|| m.cmp(n))
        } else {
            (x, y) = (x.get(c.len_utf8()..).unwrap_or_default(), y.get(d.len_utf8()..).unwrap_or_default());
            c.cmp(&d)
        };
        if order.is_ne() {
            return order;
        }
    }
    x.len().cmp(&y.len()).then_with(|| a.cmp(b))
}

fn document(
    path: &Path,
    sha256: String,
    format: Format,
    lines: Vec<Line>,
    notes: Vec<Diagnostic>,
) -> Document {
    Document {
        path: path.to_owned(),
        sha256,
        format,
        pages: None,
        files: Vec::new(),
        body: Body::Lines(lines),
        notes,
    }
}

fn push_file(
    path: &Path,
    bytes: &[u8],
    format: Format,
    file: u32,
    lines: &mut Vec<Line>,
    notes: &mut Vec<Diagnostic>,
) -> Result<(), Error> {
    let (text, encoding) = encoding::decode(path, bytes)?;
    if encoding != "UTF-8" {
        notes.push(Diagnostic::new(
            Severity::Info,
            "encoding",
            format!("{}: read as {encoding}", path.display()),
        ));
    }
    if text.trim().is_empty() {
        return Err(Error::file(path, "the file has no text", "fetch it again"));
    }
    // Lines of an old Macintosh end with a return alone.
    let text = if text.contains('\n') { text } else { text.replace('\r', "\n") };
    let from = lines.last().map_or(0, |l| l.offset + l.text.len() + 1);
    let mut own = lines_of(&text, format, from);
    notes.extend(paper::strip(&mut own));
    notes.extend(oneline::divide(&mut own));
    if format == Format::Markdown {
        notes.extend(oneline::count(&mut own));
    }
    lines.extend(own.into_iter().map(|line| Line { file, ..line }));
    Ok(())
}

/// The lines of a text; in Markdown those of front matter and comments come out empty.
#[must_use]
pub fn lines_of(text: &str, format: Format, mut offset: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut front = format == Format::Markdown && text.starts_with("---");
    for (i, raw) in text.lines().enumerate() {
        let mut content = raw.trim_end_matches(['\r', '\u{FEFF}']);
        if front {
            front = i == 0 || content.trim_end() != "---";
            content = "";
        } else if format == Format::Markdown
            && content.trim_start().starts_with("<!--")
            && content.trim_end().ends_with("-->")
        {
            content = "";
        }
        let text = if format == Format::Markdown { plain(content) } else { content.to_owned() };
        // A bullet begins a paragraph, as a blank line does.
        if text.len() < content.len() && is_bullet(content) {
            lines.push(Line { offset, ..Line::default() });
        }
        lines.push(Line { text, offset, ..Line::default() });
        offset += raw.len() + 1;
    }
    lines
}

/// Whether a line of Markdown is the item of a list that brings a label of its own: `- (a) words`.
fn is_bullet(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix(['-', '*', '+']) else { return false };
    let label = rest.trim_start().strip_prefix('(').and_then(|r| r.split_once(')'));
    rest.starts_with(' ')
        && label
            .is_some_and(|(l, _)| (1..=5).contains(&l.len()) && l.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// A line of Markdown without marks that set it and are no words: bullets before labels, the anchors of headings
/// (`{#s1}`), the backslash of `1\.`, links.
fn plain(line: &str) -> String {
    let mut text = line.to_owned();
    if is_bullet(line) {
        text = line.trim_start().trim_start_matches(['-', '*', '+']).trim_start().to_owned();
    }
    if text.contains("~~") {
        text = unstruck(&text);
    }
    if text.starts_with('#')
        && let Some(at) = text.trim_end().strip_suffix('}').and_then(|t| t.rfind("{#"))
    {
        text.truncate(text.get(..at).map_or(at, |t| t.trim_end().len()));
    }
    let digits =
        |t: &str| t.trim_start_matches(['#', '*', ' ']).bytes().take_while(u8::is_ascii_alphanumeric).count();
    if let Some(at) = text.find('\\')
        && text.get(at + 1..).is_some_and(|r| r.starts_with(['.', ')']))
        && text.get(..at).is_some_and(|t| {
            let label = t.trim_start_matches(['#', '*', ' ']);
            label.starts_with(|c: char| c.is_ascii_digit()) && digits(t) == label.len()
        })
    {
        text.remove(at);
    }
    unlinked(&text)
}

/// A line without what is struck out in it.
fn unstruck(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("~~") {
        let Some((_, behind)) = after.split_once("~~") else { break };
        out.push_str(before);
        rest = if before.ends_with(' ') { behind.trim_start_matches(' ') } else { behind };
    }
    out.push_str(rest);
    out
}

/// `[words](#place)` and `[words](https://…)` are their words.
fn unlinked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at_checked(open).unwrap_or((rest, ""));
        out.push_str(before);
        let linked = from
            .split_once("](")
            .filter(|(words, _)| {
                words.len() < 400 && !words.get(1..).unwrap_or_default().contains(['[', ']'])
            })
            .and_then(|(words, target)| Some((words.get(1..)?, target.split_once(')')?)))
            .filter(|(_, (target, _))| target.starts_with('#') || target.starts_with("http"));
        match linked {
            Some((words, (_, after))) => {
                out.push_str(words);
                rest = after;
            }
            None => {
                out.push('[');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_and_comments_are_no_text() {
        let lines = lines_of("---\ntitle: x\n---\n# Act\n<!-- note -->\n1. One.", Format::Markdown, 0);
        let kept: Vec<&str> = lines.iter().map(|l| l.text.as_str()).filter(|t| !t.is_empty()).collect();
        assert_eq!(kept, ["# Act", "1. One."]);
    }

    #[test]
    fn a_folder_is_read_in_the_order_of_names() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [("ch10.md", "two"), ("ch2.md", "one"), ("c.pdf", "no")] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let document = TextReader { format: Format::Markdown }.read(dir.path()).unwrap();
        let Body::Lines(lines) = document.body else { panic!() };
        assert_eq!(lines.iter().map(|l| l.text.as_str()).collect::<Vec<_>>(), ["one", "two"]);
        assert!(lines[1].offset > lines[0].offset);
    }
}
