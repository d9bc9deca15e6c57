//! Akoma Ntoso (OASIS LegalDocML): sections and articles as rows, with the titles of what they stand in.

use std::path::Path;

use nyaya_corpora::manifest::Format;
use nyaya_corpora::{Diagnostic, Number, Severity};
use quick_xml::events::{BytesStart, Event};

use super::{Body, Document, Reader, Row, bytes, encoding, sha256_hex};
use crate::Error;
use crate::structure::numerals;

/// Reads Akoma Ntoso.
#[derive(Debug, Clone, Copy, Default)]
pub struct AknReader;

/// Elements inside each other.
const MAX_DEPTH: usize = 256;

impl Reader for AknReader {
    fn format(&self) -> Format {
        Format::Akn
    }

    fn read(&self, path: &Path) -> Result<Document, Error> {
        let bytes = bytes(path)?;
        let (text, _) = encoding::decode(path, &bytes)?;
        let mut scribe = Scribe {
            // In a law of articles, a section holds some of them.
            articles: text.contains("<article") || text.contains(":article"),
            ..Scribe::default()
        };
        scribe.document(path, &text)?;
        if scribe.rows.is_empty() {
            return Err(Error::file(
                path,
                "no section and no article was found in it",
                "nyaya reads the elements section, article, rule and clause of Akoma Ntoso with their num",
            ));
        }
        let mut notes = Vec::new();
        if scribe.notes > 0 {
            notes.push(Diagnostic::new(
                Severity::Warning,
                "footnotes",
                format!("{} notes of the document were left out", scribe.notes),
            ));
        }
        Ok(Document {
            path: path.to_owned(),
            sha256: sha256_hex(&bytes),
            format: Format::Akn,
            pages: None,
            files: Vec::new(),
            body: Body::Rows(scribe.rows),
            notes,
        })
    }
}

/// What the element is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Holds provisions.
    Container,
    /// A section, an article, a schedule, the preamble.
    Provision,
    Num,
    Heading,
    /// Ends a line.
    Block,
    Skipped,
    Other,
}

#[derive(Default)]
struct Scribe {
    rows: Vec<Row>,
    articles: bool,
    stack: Vec<Role>,
    /// Number and heading of every container that is open.
    crumbs: Vec<(String, String)>,
    /// The provision that is open, with the depth at which it began.
    row: Option<(Row, usize)>,
    /// The name of it in the file.
    eid: String,
    line: String,
    skipping: usize,
    schedules: u32,
    notes: usize,
}

fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> Option<String> {
    let found = tag.attributes().flatten().find(|a| a.key.local_name().as_ref() == name)?;
    found.unescape_value().ok().map(std::borrow::Cow::into_owned)
}

/// `Schedule 7`, which is a number and no heading.
fn is_schedule(words: &str) -> bool {
    words.strip_prefix("Schedule ").is_some_and(|n| numerals::ordinal(n).is_some())
}

/// The title that the document gives itself.
pub(crate) fn title(path: &Path) -> Option<String> {
    let (text, _) = encoding::decode(path, &bytes(path).ok()?).ok()?;
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut title: Option<String> = None;
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) if tag.local_name().as_ref() == b"docTitle" => title = Some(String::new()),
            Event::Text(words) => {
                if let Some(title) = &mut title {
                    title.push_str(&words.decode().ok()?);
                }
            }
            Event::End(tag) if tag.local_name().as_ref() == b"docTitle" => {
                let words = title?.split_whitespace().collect::<Vec<_>>().join(" ");
                return Some(words).filter(|t| !t.is_empty());
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

impl Scribe {
    fn document(&mut self, path: &Path, xml: &str) -> Result<(), Error> {
        let bad = |what: String| Error::file(path, what, "it is no well-formed XML: get the file again");
        let mut reader = quick_xml::Reader::from_str(xml);
        reader.config_mut().check_end_names = true;
        loop {
            let at = reader.buffer_position();
            match reader.read_event() {
                Err(e) => return Err(bad(format!("its markup is broken at byte {at}: {e}"))),
                Ok(Event::Eof) => break,
                Ok(Event::DocType(_)) => {
                    return Err(bad("its markup declares entities, which no statute needs".into()));
                }
                Ok(Event::Start(tag)) => {
                    if self.stack.len() > MAX_DEPTH {
                        return Err(bad(format!("more than {MAX_DEPTH} elements inside each other")));
                    }
                    self.open(&tag);
                }
                Ok(Event::Empty(tag)) if matches!(tag.local_name().as_ref(), b"eol" | b"br") => {
                    self.push(" ");
                }
                Ok(Event::End(_)) => self.close(),
                Ok(Event::Text(words)) => {
                    let words = words.decode().map_err(|e| bad(format!("text at byte {at}: {e}")))?;
                    self.push(&words);
                }
                Ok(Event::CData(words)) => {
                    let words = words.decode().map_err(|e| bad(format!("text at byte {at}: {e}")))?;
                    self.push(&words);
                }
                Ok(Event::GeneralRef(name)) => {
                    let character = match name.resolve_char_ref() {
                        Ok(Some(c)) => Some(c),
                        _ => match &*name.decode().unwrap_or_default() {
                            "amp" => Some('&'),
                            "lt" => Some('<'),
                            "gt" => Some('>'),
                            "quot" => Some('"'),
                            "apos" => Some('\''),
                            _ => None,
                        },
                    };
                    let Some(character) = character else {
                        return Err(bad(format!("an entity at byte {at} that XML does not know")));
                    };
                    self.push(character.encode_utf8(&mut [0; 4]));
                }
                Ok(_) => {}
            }
        }
        Ok(())
    }

    fn role(&self, tag: &BytesStart<'_>) -> Role {
        let inside = self.row.is_some();
        let named = |names: &[&str]| {
            attribute(tag, b"name").is_some_and(|n| names.contains(&n.to_lowercase().as_str()))
        };
        match tag.local_name().as_ref() {
            b"meta" | b"authorialNote" | b"toc" | b"coverPage" | b"preface" | b"conclusions" => Role::Skipped,
            b"num" => Role::Num,
            b"heading" | b"subheading" => Role::Heading,
            b"preamble" if !inside => Role::Provision,
            b"section" if !inside && !self.articles => Role::Provision,
            b"article" | b"rule" | b"clause" if !inside => Role::Provision,
            b"hcontainer" if !inside && named(&["regulation", "rule", "article", "schedule", "section"]) => {
                Role::Provision
            }
            b"attachment" if !inside => Role::Provision,
            b"section" | b"part" | b"chapter" | b"title" | b"book" | b"division" | b"subpart"
            | b"subchapter" | b"subdivision" | b"hcontainer" | b"tome" | b"crossHeading"
                if !inside =>
            {
                Role::Container
            }
            b"p" | b"block" | b"content" | b"intro" | b"wrapUp" | b"tr" | b"li" | b"item"
            | b"listIntroduction" | b"crossHeading" | b"subsection" | b"paragraph" | b"point" | b"level" => {
                Role::Block
            }
            _ => Role::Other,
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>) {
        let role = self.role(tag);
        match role {
            Role::Skipped => {
                self.skipping += 1;
                self.notes += usize::from(tag.local_name().as_ref() == b"authorialNote");
            }
            Role::Container if self.skipping == 0 => self.crumbs.push(Default::default()),
            Role::Provision if self.skipping == 0 => {
                let gone = attribute(tag, b"status").is_some_and(|s| s == "removed");
                let mut row = Row { index: self.rows.len(), gone, ..Row::default() };
                row.breadcrumb = self
                    .crumbs
                    .iter()
                    .map(|(num, heading)| match (num.is_empty(), heading.is_empty()) {
                        (false, false) => format!("{}. {heading}", num.trim_end_matches('.')),
                        _ => format!("{num}{heading}"),
                    })
                    .filter(|c| !c.is_empty())
                    .collect();
                self.eid = attribute(tag, b"eId").or_else(|| attribute(tag, b"id")).unwrap_or_default();
                let name = attribute(tag, b"name").unwrap_or_default().to_lowercase();
                if tag.local_name().as_ref() == b"preamble" {
                    row.number = "preamble".into();
                } else if tag.local_name().as_ref() == b"attachment" || name == "schedule" {
                    self.schedules += 1;
                    row.number = format!("Schedule {}", self.schedules);
                    row.breadcrumb.clear();
                }
                self.row = Some((row, self.stack.len()));
                self.line.clear();
            }
            // The number of a subsection begins its line.
            Role::Num | Role::Heading if self.row.is_some() => self.end_line(),
            _ => {}
        }
        self.stack.push(role);
    }

    fn close(&mut self) {
        let Some(role) = self.stack.pop() else { return };
        let depth = self.stack.len();
        match role {
            Role::Skipped => self.skipping = self.skipping.saturating_sub(1),
            _ if self.skipping > 0 => {}
            Role::Container => {
                self.crumbs.pop();
            }
            Role::Provision => {
                self.end_line();
                if let Some((mut row, _)) = self.row.take() {
                    // The name of the element has the number where the label cannot be read, and 1-2 plainly.
                    let own = self.eid.rsplit("__").next().unwrap_or_default();
                    let own = own.rsplit_once('_').or_else(|| own.split_once('-')).map_or(own, |o| o.1);
                    let fixed = row.number == "preamble" || row.number.starts_with("Schedule ");
                    match own.parse::<Number>() {
                        Ok(Number { base, letters, sub: Some(sub) }) if !fixed && letters.is_empty() => {
                            row.number = format!("第{base}条之{sub}");
                        }
                        Ok(number) if !fixed && numerals::cell(&row.number).is_none() => {
                            row.number = number.to_string();
                        }
                        _ => {}
                    }
                    self.rows.push(row);
                }
            }
            Role::Num | Role::Heading => {
                let words = self.line.split_whitespace().collect::<Vec<_>>().join(" ");
                match &mut self.row {
                    // Of the provision itself, not of a part of it.
                    Some((row, at)) if depth == *at + 1 => {
                        self.line.clear();
                        if role == Role::Heading {
                            row.heading = Some(words);
                        } else if row.number.is_empty() || is_schedule(&words) {
                            row.number = words;
                        } else if row.number.starts_with("Schedule ") && row.heading.is_none() {
                            row.heading = Some(words);
                        }
                    }
                    Some(_) if role == Role::Num => self.line.push(' '),
                    Some(_) => self.end_line(),
                    None => {
                        self.line.clear();
                        if let Some(crumb) = self.crumbs.last_mut() {
                            if role == Role::Num { crumb.0 = words } else { crumb.1 = words }
                        }
                    }
                }
            }
            Role::Block => self.end_line(),
            Role::Other => {}
        }
    }

    fn push(&mut self, words: &str) {
        let inside = self.row.is_some() || matches!(self.stack.last(), Some(Role::Num | Role::Heading));
        if self.skipping == 0 && inside {
            self.line.push_str(words);
        }
    }

    fn end_line(&mut self) {
        let words = self.line.split_whitespace().collect::<Vec<_>>().join(" ");
        self.line.clear();
        if let Some((row, _)) = self.row.as_mut().filter(|_| !words.is_empty()) {
            if !row.text.is_empty() {
                row.text.push('\n');
            }
            row.text.push_str(&words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(body: &str) -> Vec<Row> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("kites.xml");
        std::fs::write(&path, format!("<?xml version=\"1.0\"?><akomaNtoso xmlns=\"x\"><act><meta><p>no</p></meta>{body}</act></akomaNtoso>")).unwrap();
        let document = super::super::read(&path, None, &super::super::PdfReader::in_process()).unwrap();
        let Body::Rows(rows) = document.body else { panic!() };
        rows
    }

    #[test]
    fn sections_are_rows_with_their_titles() {
        let rows = rows(
            "<body><part eId=\"part_1\"><num>PART I</num><heading>Kites</heading><section eId=\"sec_1\"><num>1.</num><heading>Title</heading><content><p>This is the Kite Act.</p></content></section><section eId=\"sec_2A\"><num>§2A</num><heading>Strings</heading><intro><p>A string &amp; a kite:</p></intro><subsection><num>(1)</num><content><p>is long;</p></content></subsection><subsection><num>(2)</num><content><p>is <b>white</b>.</p></content></subsection></section></part><hcontainer name=\"schedule\" eId=\"sched_1\"><num>THE SCHEDULE</num><content><p>1. Red.</p></content></hcontainer></body>",
        );
        assert_eq!(rows.len(), 3);
        assert_eq!(
            (rows[0].number.as_str(), rows[0].heading.as_deref(), rows[0].text.as_str()),
            ("1.", Some("Title"), "This is the Kite Act.")
        );
        assert_eq!(rows[0].breadcrumb, ["PART I. Kites"]);
        assert_eq!(rows[1].text, "A string & a kite:\n(1) is long;\n(2) is white.");
        assert_eq!((rows[2].number.as_str(), rows[2].text.as_str()), ("Schedule 1", "1. Red."));
        assert_eq!(rows[2].heading.as_deref(), Some("THE SCHEDULE"));
    }

    #[test]
    fn in_a_law_of_articles_sections_hold_them_and_other_xml_is_refused() {
        let rows = rows(
            "<body><chapter><heading>One</heading><section><heading>A</heading><article eId=\"art_1\"><num>Article 1</num><content><p>Kites fly.</p></content></article></section></chapter></body>",
        );
        assert_eq!(rows[0].breadcrumb, ["One", "A"]);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.xml");
        std::fs::write(&path, "<?xml version=\"1.0\"?><feed><p>1. One.</p></feed>").unwrap();
        let error = super::super::sniff(&path).unwrap_err().to_string();
        assert!(error.contains("no Akoma Ntoso") && error.contains("hint: "), "{error}");
    }
}
