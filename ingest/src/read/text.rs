//! Markdown and plain text, as a file or as a folder of files in the order of their names.

use std::path::{Path, PathBuf};

use nyaya_corpora::manifest::Format;
use nyaya_corpora::{Diagnostic, Severity};

use super::{Body, Document, Line, Reader, bytes, encoding, own, sha256_hex};
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

/// The folder's own text files, sorted by name. A link that leads out of the folder is an error: it may be an
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
    files.sort();
    Ok(files)
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
    let from = lines.last().map_or(0, |l| l.offset + l.text.len() + 1);
    lines.extend(lines_of(&text, format, from).into_iter().map(|line| Line { file, ..line }));
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
        lines.push(Line { text: content.to_owned(), offset, ..Line::default() });
        offset += raw.len() + 1;
    }
    lines
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
        for (name, text) in [("b.md", "two"), ("a.md", "one"), ("c.pdf", "no")] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let document = TextReader { format: Format::Markdown }.read(dir.path()).unwrap();
        let Body::Lines(lines) = document.body else { panic!() };
        assert_eq!(lines.iter().map(|l| l.text.as_str()).collect::<Vec<_>>(), ["one", "two"]);
        assert!(lines[1].offset > lines[0].offset);
    }
}
