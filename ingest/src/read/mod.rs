//! Readers: from a file or folder to a [`Document`] of lines or rows.

use std::ops::Range;
use std::path::{Path, PathBuf};

use nyaya_corpora::manifest::{FieldMap, Format};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;

pub mod akn;
pub mod docx;
mod docx_lists;
pub mod encoding;
pub mod html;
mod html_lists;
pub mod layout;
mod oneline;
pub mod own;
mod paper;
pub mod pdf;
pub mod pdf_text;
pub mod records;
pub mod rows;
mod signs;
pub mod text;

pub use pdf::{PdfReader, read_pdf_child_main};

/// Where a line stands on a page; see [`layout::Geometry`].
pub use layout::Geometry;

/// A line of a document.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Line {
    /// Its text, without line break.
    pub text: String,
    /// Page, counted from 1, where there are pages.
    pub page: Option<u32>,
    /// Byte offset of the line in the text that the reader produced (lines joined by one byte).
    pub offset: usize,
    /// Place on the page, for PDF.
    pub at: Option<Geometry>,
    /// Byte ranges of superscripts.
    pub raised: Vec<Range<usize>>,
    /// Byte offsets of gaps between the columns of a table.
    pub gaps: Vec<usize>,
    /// Byte offset, left and right end of every word, in points; empty without geometry. A figure, or a piece that
    /// was set on its own, that touches the word before it counts as one.
    pub words: Vec<(usize, f32, f32)>,
    /// Byte offsets of words that follow a gap wider than a space in running text.
    pub wide: Vec<usize>,
    /// Stands in the margin beside the text.
    pub margin: bool,
    /// The rank of a heading, where the format marks headings; 0 for text.
    pub heading: u8,
    /// Bytes at the start of the line that are set in bold.
    pub strong: usize,
    /// Words that stand in a column beside this line: its marginal note.
    pub beside: String,
    /// Which file of a folder the line is from, counted from 0.
    pub file: u32,
}

/// What stands between the cells of a row of a table.
pub const CELL: &str = " | ";

/// A row of a table as a line.
pub(crate) fn table_line(cells: &[String]) -> Line {
    let mut line = Line::default();
    for (i, cell) in cells.iter().enumerate() {
        if i > 0 {
            line.gaps.push(line.text.len());
            line.text.push_str(CELL);
        }
        line.text.push_str(cell);
    }
    line
}

/// A row of a table, read through a field map.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Row {
    /// Position in the source, counted from 0.
    pub index: usize,
    /// The number as it stands there.
    pub number: String,
    /// The heading.
    pub heading: Option<String>,
    /// The text.
    pub text: String,
    /// The breadcrumb, from the outside in; empty fields left out.
    pub breadcrumb: Vec<String>,
    /// The source marks it as no longer law.
    #[serde(default)]
    pub gone: bool,
}

/// What a source consists of.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Running text.
    Lines(Vec<Line>),
    /// Rows, one a provision.
    Rows(Vec<Row>),
    /// An export of this program.
    Held(Box<own::Held>),
}

/// A file or folder that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The file or folder.
    pub path: PathBuf,
    /// SHA-256 in hex; for a folder, of the list of its files' names and hashes.
    pub sha256: String,
    /// How it was read.
    pub format: Format,
    /// Number of pages, where there are pages.
    pub pages: Option<u32>,
    /// Names of the files, for a folder; [`Line::file`] counts them.
    pub files: Vec<String>,
    /// Lines or rows.
    pub body: Body,
    /// What the reader found odd.
    pub notes: Vec<nyaya_corpora::Diagnostic>,
}

/// A reader of one format.
pub trait Reader {
    /// The format it reads.
    fn format(&self) -> Format;

    /// Reads the file.
    ///
    /// # Errors
    /// If the file is not of this format, is damaged, or has no text; with a hint.
    fn read(&self, path: &Path) -> Result<Document, Error>;
}

/// No source here is larger; anything larger is refused before it is read into memory (200 MB).
pub const MAX_FILE_BYTES: u64 = 200_000_000;

/// Reads a file or a folder of Markdown or text files with the reader that its content asks for.
///
/// # Errors
/// If it cannot be read as what it is; with a hint.
pub fn read(path: &Path, fields: Option<&FieldMap>, pdf: &PdfReader) -> Result<Document, Error> {
    let meta = std::fs::metadata(path).map_err(|e| {
        Error::io_hint(path, e, "check the path, or fetch the file with `nyaya corpus fetch`")
    })?;
    if !meta.is_dir() && !meta.is_file() {
        return Err(Error::file(path, "neither a file nor a folder", "give a regular file"));
    }
    let mut document = read_as_it_is(path, meta.is_dir(), fields, pdf)?;
    signs::strip(&mut document);
    Ok(document)
}

fn read_as_it_is(
    path: &Path,
    folder: bool,
    fields: Option<&FieldMap>,
    pdf: &PdfReader,
) -> Result<Document, Error> {
    if folder {
        return text::TextReader { format: Format::Markdown }.read(path);
    }
    match sniff(path)? {
        Format::Pdf => pdf.read(path),
        format @ (Format::Json | Format::Jsonl | Format::Csv) => {
            rows::TableReader { format, fields: fields.cloned() }.read(path)
        }
        Format::Docx => docx::DocxReader.read(path),
        Format::Html => html::HtmlReader.read(path),
        Format::Akn => akn::AknReader.read(path),
        Format::Sqlite => rows::SqliteReader { fields: fields.cloned() }.read(path),
        format @ (Format::Markdown | Format::Text) => text::TextReader { format }.read(path),
    }
}

/// The format of a file by its first bytes; the name decides only between the text formats, and a name that
/// contradicts the bytes is an error.
///
/// # Errors
/// If the file cannot be opened, is empty, is an archive or image, or is named as what it is not.
pub fn sniff(path: &Path) -> Result<Format, Error> {
    use std::io::Read as _;
    let mut file = std::fs::File::open(path)
        .map_err(|e| Error::io_hint(path, e, "check the path and its permissions"))?;
    let size = file.metadata().map_err(|e| Error::io_hint(path, e, "check the path"))?.len();
    if size == 0 {
        return Err(Error::file(path, "the file is empty", "fetch it again"));
    }
    if size > MAX_FILE_BYTES {
        return Err(Error::file(
            path,
            format!("{size} bytes, more than the {MAX_FILE_BYTES} a source may have"),
            "give a file that holds this statute only",
        ));
    }
    let mut head = vec![0; 1024];
    let count = file.read(&mut head).map_err(|e| Error::io_hint(path, e, "check the disk"))?;
    head.truncate(count);
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    // The header may be preceded by a few bytes of rubbish; readers look for it in the first kilobyte.
    if head.windows(5).any(|w| w == b"%PDF-") {
        return Ok(Format::Pdf);
    }
    if extension == "pdf" {
        return Err(Error::file(
            path,
            "named .pdf, but it is not a PDF (no %PDF- header)",
            "if it is a text file rename it to .txt or .md; if it is a web page saved as .pdf download the document itself",
        ));
    }
    if head.starts_with(b"SQLite format 3\0") {
        return Ok(Format::Sqlite);
    }
    if head.starts_with(b"PK\x03\x04") {
        return Ok(Format::Docx);
    }
    if extension == "docx" {
        return Err(Error::file(
            path,
            "named .docx, but it is no Word document (no ZIP header)",
            "fetch it again",
        ));
    }
    for (magic, what) in [
        (b"\x1f\x8b".as_slice(), "a gzip file"),
        (b"\x89PNG", "an image"),
        (b"\xff\xd8\xff", "an image"),
        (b"\xd0\xcf\x11\xe0", "an old Word document"),
        (b"\x7fELF", "a program"),
    ] {
        if head.starts_with(magic) {
            return Err(Error::file(path, format!("this is {what}, which no reader takes"), KINDS));
        }
    }
    let start: String =
        head.iter().filter(|b| **b != 0).take(300).map(|b| char::from(b.to_ascii_lowercase())).collect();
    let start = start.trim_start_matches(|c: char| !c.is_ascii() || c.is_whitespace());
    if start.starts_with("<!doctype html")
        || start.starts_with("<html")
        || start.contains("<html") && start.starts_with('<')
    {
        return Ok(Format::Html);
    }
    if start.starts_with("<?xml") || start.starts_with("<akomantoso") || extension == "xml" {
        // A long comment may stand before the root.
        let whole = bytes(path)?;
        let part = whole.get(..whole.len().min(64 << 10)).unwrap_or_default();
        if part.windows(10).any(|w| w.eq_ignore_ascii_case(b"akomaNtoso")) {
            return Ok(Format::Akn);
        }
        return Err(Error::file(
            path,
            "an XML file that is no Akoma Ntoso (it has no akomaNtoso element)",
            "give Akoma Ntoso, or another form of the statute: PDF, Word, HTML, Markdown or text",
        ));
    }
    Ok(match extension.as_str() {
        "json" => Format::Json,
        "jsonl" | "ndjson" => Format::Jsonl,
        "csv" | "tsv" => Format::Csv,
        "html" | "htm" | "xhtml" => Format::Html,
        "db" | "sqlite" | "sqlite3" => {
            return Err(Error::file(path, "named as a database, but it is not SQLite", "fetch it again"));
        }
        "md" | "markdown" => Format::Markdown,
        _ => Format::Text,
    })
}

/// The formats, for hints.
pub(crate) const KINDS: &str =
    "give a PDF, Word (DOCX), HTML, Akoma Ntoso, Markdown, text, JSON, JSON lines, CSV or SQLite file";

/// SHA-256 of a source, in hex: of the file, or, for a folder, of the list of its files' hashes and names; the
/// [`Document`] that [`read`] makes of it carries the same.
///
/// # Errors
/// If it cannot be read.
pub fn source_sha256(path: &Path) -> Result<String, Error> {
    if !path.is_dir() {
        return Ok(sha256_hex(&bytes(path)?));
    }
    let mut listing = String::new();
    for file in text::folder(path)? {
        let name = file.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        listing.push_str(&format!("{}  {name}\n", sha256_hex(&bytes(&file)?)));
    }
    Ok(sha256_hex(listing.as_bytes()))
}

/// SHA-256 of bytes, in hex.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The bytes of a file, if they are not too many.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let size = std::fs::metadata(path).map_err(|e| Error::io_hint(path, e, "check the path"))?.len();
    if size > MAX_FILE_BYTES {
        return Err(Error::file(
            path,
            format!("{size} bytes, more than the {MAX_FILE_BYTES} a source may have"),
            "give a file that holds this statute only",
        ));
    }
    std::fs::read(path).map_err(|e| Error::io_hint(path, e, "check the path and its permissions"))
}
