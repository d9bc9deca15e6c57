//! Word documents (DOCX): paragraphs as lines, rows of tables as lines of cells.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::path::Path;

use nyaya_corpora::manifest::Format;
use nyaya_corpora::{Diagnostic, Severity};
use quick_xml::events::{BytesStart, Event};

use super::docx_lists::Lists;
use super::{Body, Document, Line, Reader, bytes, sha256_hex};
use crate::Error;

/// Reads Word documents. Deleted text and field codes are left out; inserted text is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct DocxReader;

/// Inflated bytes of the text part; a statute of 2,000 pages has some 30 MB of markup.
const MAX_XML_BYTES: u64 = 128 << 20;
/// Inflated bytes of a part with styles or lists.
const MAX_STYLES_BYTES: u64 = 16 << 20;
/// More entries are no document.
const MAX_ENTRIES: usize = 10_000;
/// Elements inside each other.
const MAX_DEPTH: usize = 512;
/// More lines are no statute.
const MAX_LINES: usize = 2_000_000;
/// The part with the text.
const TEXT_PART: &str = "word/document.xml";

impl Reader for DocxReader {
    fn format(&self) -> Format {
        Format::Docx
    }

    fn read(&self, path: &Path) -> Result<Document, Error> {
        let bytes = bytes(path)?;
        let (xml, styles, numbering) = parts(path, &bytes)?;
        let (text, _) = super::encoding::decode(path, &xml)?;
        let lists = Lists::read(styles.as_deref(), numbering.as_deref());
        let mut scribe = Scribe { lists, ..Scribe::default() };
        scribe.document(path, &text)?;
        let mut notes = Vec::new();
        if scribe.numbered > 0 {
            notes.push(Diagnostic::new(
                Severity::Warning,
                "automatic_numbers",
                format!(
                    "{} paragraphs are numbered by Word itself in a way that was not read; those numbers are not in the text",
                    scribe.numbered
                ),
            ));
        }
        if scribe.footnotes > 0 {
            notes.push(Diagnostic::new(
                Severity::Warning,
                "footnotes",
                format!("{} footnotes of the document were left out", scribe.footnotes),
            ));
        }
        if scribe.lines.iter().all(|l| l.text.trim().is_empty()) {
            return Err(Error::file(
                path,
                "the document has no text",
                "its pages may be images: give the text in another form",
            ));
        }
        Ok(Document {
            path: path.to_owned(),
            sha256: sha256_hex(&bytes),
            format: Format::Docx,
            pages: None,
            files: Vec::new(),
            body: Body::Lines(scribe.lines),
            notes,
        })
    }
}

/// The part with the text, and those with styles and lists.
type Parts = (Vec<u8>, Option<String>, Option<String>);

/// The parts of the archive, inflated; refuses what an honest document never has.
fn parts(path: &Path, bytes: &[u8]) -> Result<Parts, Error> {
    let damaged = |e: &dyn std::fmt::Display| {
        Error::file(
            path,
            format!("not a readable archive: {e}"),
            "it is damaged or cut off: get the file again",
        )
    };
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|e| damaged(&e))?;
    if archive.len() > MAX_ENTRIES {
        return Err(Error::file(
            path,
            format!("{} entries in the archive", archive.len()),
            "no Word document has so many; give the document itself",
        ));
    }
    for name in archive.file_names() {
        let name = name.map_err(|e| damaged(&e))?;
        if name.split(['/', '\\']).any(|p| p == "..") || name.starts_with(['/', '\\']) {
            return Err(Error::file(
                path,
                format!("the archive has an entry `{name}`, which leads out of it"),
                "the file was made to do harm, or by a faulty program: get it from another place",
            ));
        }
    }
    let part = archive.by_name(TEXT_PART).map_err(|_| {
        Error::file(
            path,
            "a ZIP archive that is no Word document (it has no word/document.xml)",
            "unpack it and give the file inside, or save the document as DOCX, PDF or text",
        )
    })?;
    let mut xml = Vec::new();
    part.take(MAX_XML_BYTES + 1).read_to_end(&mut xml).map_err(|e| damaged(&e))?;
    if xml.len() as u64 > MAX_XML_BYTES {
        return Err(Error::file(
            path,
            format!("its text inflates to more than {} MB", MAX_XML_BYTES >> 20),
            "no statute is so long: the archive was made to fill the memory, or holds more than the statute",
        ));
    }
    // A document does without these, and is read without them if they are odd.
    let mut other = |name: &str| -> Option<String> {
        let mut text = String::new();
        archive.by_name(name).ok()?.take(MAX_STYLES_BYTES + 1).read_to_string(&mut text).ok()?;
        (text.len() as u64 <= MAX_STYLES_BYTES).then_some(text)
    };
    let (styles, numbering) = (other("word/styles.xml"), other("word/numbering.xml"));
    Ok((xml, styles, numbering))
}

/// The attribute `w:val`.
fn value(tag: &BytesStart<'_>) -> Option<String> {
    let found = tag.attributes().flatten().find(|a| a.key.local_name().as_ref() == b"val")?;
    found.unescape_value().ok().map(std::borrow::Cow::into_owned)
}

/// What is being written while the document is read.
#[derive(Default)]
struct Scribe {
    lines: Vec<Line>,
    offset: usize,
    current: Line,
    /// Inside `w:t`.
    in_text: bool,
    /// Inside a run set as superscript.
    raised: bool,
    /// Inside a run that Word does not show.
    hidden: bool,
    /// Depth of deleted or hidden content.
    skipping: usize,
    tables: usize,
    /// Cells of the row that is open, and the cell.
    cells: Vec<String>,
    cell: String,
    numbered: usize,
    footnotes: usize,
    lists: Lists,
    /// Style, list and level of the paragraph that is open.
    style: String,
    list: Option<String>,
    level: Option<usize>,
    /// The open run is bold.
    bold: bool,
}

impl Scribe {
    fn document(&mut self, path: &Path, xml: &str) -> Result<(), Error> {
        let bad =
            |what: String| Error::file(path, what, "open the document in a word processor and save it again");
        let mut reader = quick_xml::Reader::from_str(xml);
        reader.config_mut().check_end_names = true;
        let mut depth = 0_usize;
        loop {
            let at = reader.buffer_position();
            match reader.read_event() {
                Err(e) => return Err(bad(format!("its markup is broken at byte {at}: {e}"))),
                Ok(Event::Eof) => break,
                Ok(Event::DocType(_)) => {
                    return Err(bad("its markup declares entities, which no Word document does".into()));
                }
                Ok(Event::Start(tag)) => {
                    depth += 1;
                    if depth > MAX_DEPTH {
                        return Err(bad(format!("more than {MAX_DEPTH} elements inside each other")));
                    }
                    self.open(&tag, false);
                }
                Ok(Event::Empty(tag)) => self.open(&tag, true),
                Ok(Event::End(tag)) => {
                    depth = depth.saturating_sub(1);
                    self.close(tag.local_name().as_ref());
                }
                Ok(Event::Text(words)) if self.in_text && self.skipping == 0 => {
                    let words = words.decode().map_err(|e| bad(format!("text at byte {at}: {e}")))?;
                    self.push(&words);
                }
                Ok(Event::CData(words)) if self.in_text && self.skipping == 0 => {
                    let words = words.decode().map_err(|e| bad(format!("text at byte {at}: {e}")))?;
                    self.push(&words);
                }
                Ok(Event::GeneralRef(name)) if self.in_text && self.skipping == 0 => {
                    let character = match name.resolve_char_ref() {
                        Ok(Some(c)) => Some(c),
                        Ok(None) => match &*name.decode().unwrap_or_default() {
                            "amp" => Some('&'),
                            "lt" => Some('<'),
                            "gt" => Some('>'),
                            "quot" => Some('"'),
                            "apos" => Some('\''),
                            _ => None,
                        },
                        Err(_) => None,
                    };
                    let Some(character) = character else {
                        return Err(bad(format!("an entity at byte {at} that XML does not know")));
                    };
                    self.push(character.encode_utf8(&mut [0; 4]));
                }
                Ok(_) => {}
            }
            if self.lines.len() > MAX_LINES {
                return Err(bad(format!("more than {MAX_LINES} paragraphs")));
            }
        }
        self.paragraph();
        Ok(())
    }

    fn open(&mut self, tag: &BytesStart<'_>, empty: bool) {
        match tag.local_name().as_ref() {
            b"del" | b"moveFrom" | b"txbxContent" | b"AlternateContent" if !empty => self.skipping += 1,
            b"t" if !empty => self.in_text = !self.hidden,
            b"r" => (self.raised, self.bold, self.hidden) = (false, false, false),
            b"vanish" => self.hidden = value(tag).is_none_or(|v| !matches!(v.as_str(), "0" | "false")),
            b"b" => self.bold = value(tag).is_none_or(|v| !matches!(v.as_str(), "0" | "false")),
            b"pStyle" => self.style = value(tag).unwrap_or_default(),
            b"numId" => self.list = value(tag),
            b"ilvl" => self.level = value(tag).and_then(|v| v.parse().ok()),
            b"vertAlign" => {
                self.raised = tag
                    .attributes()
                    .flatten()
                    .any(|a| a.key.local_name().as_ref() == b"val" && &*a.value == b"superscript");
            }
            b"tab" if self.skipping == 0 && !self.current.text.is_empty() => self.push(" "),
            b"br" | b"cr" if self.skipping == 0 => {
                if self.tables > 0 {
                    self.push(" ");
                } else {
                    self.begin();
                    self.paragraph();
                }
            }
            b"noBreakHyphen" if self.skipping == 0 => self.push("-"),
            b"footnoteReference" => self.footnotes += 1,
            b"tbl" if !empty => self.tables += 1,
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        match name {
            b"del" | b"moveFrom" | b"txbxContent" | b"AlternateContent" => {
                self.skipping = self.skipping.saturating_sub(1);
            }
            b"t" => self.in_text = false,
            b"p" if self.tables == 0 => {
                self.begin();
                self.paragraph();
            }
            b"p" => {
                self.begin();
                let words = std::mem::take(&mut self.current).text;
                if !self.cell.is_empty() && !words.is_empty() {
                    self.cell.push(' ');
                }
                self.cell.push_str(words.trim());
            }
            b"tc" if self.tables == 1 => self.cells.push(std::mem::take(&mut self.cell)),
            b"tr" if self.tables == 1 => {
                let cells = std::mem::take(&mut self.cells);
                self.current = super::table_line(&cells);
                self.paragraph();
            }
            b"tbl" => self.tables = self.tables.saturating_sub(1),
            _ => {}
        }
    }

    fn push(&mut self, words: &str) {
        let start = self.current.text.len();
        self.current.text.extend(words.chars().map(|c| if c.is_control() { ' ' } else { c }));
        if self.bold
            && self.current.text.get(..start).is_some_and(|t| t.trim_end().len() <= self.current.strong)
        {
            self.current.strong = self.current.text.len();
        }
        if self.raised && self.tables == 0 {
            self.current.raised.push(start..self.current.text.len());
        }
    }

    /// What the paragraph's style and list put before its words; they are known when it ends.
    fn begin(&mut self) {
        let style = std::mem::take(&mut self.style);
        let (list, level) = (self.list.take(), self.level.take());
        if self.current.text.trim().is_empty() {
            return;
        }
        self.current.heading = self.lists.heading(&style);
        match self.lists.number(&style, list.as_deref(), level) {
            Some(number) if number.is_empty() => {}
            Some(mut number) => {
                number.push(' ');
                for range in &mut self.current.raised {
                    *range = range.start + number.len()..range.end + number.len();
                }
                if self.current.strong > 0 {
                    self.current.strong += number.len();
                }
                self.current.text.insert_str(0, &number);
            }
            None => self.numbered += usize::from(list.is_some_and(|l| l != "0")),
        }
    }

    fn paragraph(&mut self) {
        let mut line = std::mem::take(&mut self.current);
        line.offset = self.offset;
        self.offset += line.text.len() + 1;
        self.lines.push(line);
    }
}

/// A document of these paragraphs, for tests here and elsewhere.
///
/// # Errors
/// If the archive cannot be written.
#[doc(hidden)]
pub fn write_docx(paragraphs: &[&str]) -> zip::result::ZipResult<Vec<u8>> {
    use std::io::Write as _;
    let mut body = String::from(
        r#"<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>"#,
    );
    for paragraph in paragraphs {
        let escaped = quick_xml::escape::escape(*paragraph);
        body.push_str(&format!("<w:p><w:r><w:t xml:space=\"preserve\">{escaped}</w:t></w:r></w:p>"));
    }
    body.push_str("</w:body></w:document>");
    let parts = BTreeMap::from([("[Content_Types].xml", "<Types/>"), (TEXT_PART, body.as_str())]);
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(name, zip::write::SimpleFileOptions::default())?;
        archive.write_all(content.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Document, Error> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("act.docx");
        std::fs::write(&path, bytes).unwrap();
        super::super::read(&path, None, &super::super::PdfReader::in_process())
    }

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        use std::io::Write as _;
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(content).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn texts(document: Document) -> Vec<String> {
        let Body::Lines(lines) = document.body else { panic!() };
        lines.into_iter().map(|l| l.text).filter(|t| !t.is_empty()).collect()
    }

    #[test]
    fn paragraphs_are_lines_and_rows_of_tables_are_lines_of_cells() {
        let file = write_docx(&["1. Kites & strings.—A kite <flies>.", "2. More."]).unwrap();
        assert_eq!(texts(read(&file).unwrap()), ["1. Kites & strings.—A kite <flies>.", "2. More."]);
        let xml = r#"<w:document xmlns:w="x"><w:body><w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r><w:del><w:r><w:delText>old</w:delText><w:t>gone</w:t></w:r></w:del></w:p>
            <w:tbl><w:tr><w:tc><w:p><w:r><w:t>one</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>two</w:t></w:r></w:p><w:p><w:r><w:t>lines</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>"#;
        let document = read(&archive(&[("word/document.xml", xml.as_bytes())])).unwrap();
        assert_eq!(texts(document), ["a b", "one | two lines"]);
    }

    #[test]
    fn bombs_and_paths_out_of_the_archive_are_refused() {
        let spaces = vec![b' '; usize::try_from(MAX_XML_BYTES).unwrap() + 10];
        let deep = format!("<w>{}", "<w>".repeat(2000));
        for (entries, word) in [
            (vec![("word/document.xml", spaces.as_slice())], "inflates"),
            (vec![("../evil.sh", b"x".as_slice()), ("word/document.xml", b"<w/>")], "leads out"),
            (vec![("readme.txt", b"x")], "no Word document"),
            (vec![("word/document.xml", deep.as_bytes())], "inside each other"),
            (vec![("word/document.xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")], "entities"),
            (vec![("word/document.xml", b"<w><p></w>")], "broken"),
            (vec![("word/document.xml", b"<w></w>")], "no text"),
        ] {
            let error = read(&archive(&entries)).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("\nhint: "), "{word}: {error}");
        }
        let whole = write_docx(&["1. One."]).unwrap();
        assert!(read(&whole[..whole.len() / 2]).unwrap_err().to_string().contains("archive"));
    }
}
