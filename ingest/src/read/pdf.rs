//! PDF through a child process.
//!
//! A PDF interpreter may panic, loop, or want more memory than there is. So the program runs itself again as
//! `nyaya __read-pdf FILE`, which limits its own memory and processor time; this side limits wall time and the
//! size of the answer. Whatever happens there becomes an error here.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nyaya_corpora::manifest::Format;
use nyaya_corpora::{Diagnostic, Severity};
use serde::{Deserialize, Serialize};

use super::pdf_text::{Page, read_pages};
use super::{Body, Document, Line, Reader, bytes, sha256_hex};
use crate::Error;

/// Name of the hidden subcommand that the child is started with.
pub const CHILD_COMMAND: &str = "__read-pdf";
/// Address space the child allows itself.
const CHILD_MEMORY_BYTES: u64 = 4 << 30;
/// Processor seconds the child allows itself.
const CHILD_CPU_SECONDS: u64 = 120;

/// Where the interpreter runs.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Where {
    Child(PathBuf),
    Thread,
}

/// Reads PDF files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PdfReader {
    place: Where,
    /// Wall time after which the child is ended.
    pub timeout: Duration,
    /// Size of the child's answer after which it is ended.
    pub max_output_bytes: u64,
}

/// What the child prints, as one JSON object.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Pages(Vec<Page>),
    Failed(String),
}

impl PdfReader {
    /// A reader that runs `exe __read-pdf FILE`.
    #[must_use]
    pub fn new(exe: impl Into<PathBuf>) -> Self {
        Self {
            place: Where::Child(exe.into()),
            timeout: Duration::from_secs(120),
            max_output_bytes: 512 << 20,
        }
    }

    /// A reader that runs the interpreter on a thread of this process: a panic is still an error, but memory is
    /// not limited, and a thread that takes too long is left behind. For tests and tools without the program.
    #[must_use]
    pub fn in_process() -> Self {
        Self { place: Where::Thread, timeout: Duration::from_secs(120), max_output_bytes: u64::MAX }
    }

    fn pages(&self, path: &Path) -> Result<Vec<Page>, Error> {
        let answer = match &self.place {
            Where::Child(exe) => self.in_child(exe, path)?,
            Where::Thread => self.on_thread(path)?,
        };
        match answer {
            Answer::Pages(pages) => Ok(pages),
            Answer::Failed(why) => Err(Error::file(
                path,
                format!("the PDF cannot be read: {why}"),
                "it is damaged, cut off or protected: download it again, or open and re-save it",
            )),
        }
    }

    fn on_thread(&self, path: &Path) -> Result<Answer, Error> {
        let (send, receive) = std::sync::mpsc::channel();
        let owned = path.to_owned();
        let thread =
            std::thread::Builder::new().name("read-pdf".into()).stack_size(64 << 20).spawn(move || {
                let answer = std::panic::catch_unwind(|| read_pages(&owned));
                let _ = send.send(match answer {
                    Ok(Ok(pages)) => Answer::Pages(pages),
                    Ok(Err(why)) => Answer::Failed(why),
                    Err(_) => Answer::Failed("the interpreter gave up on it".into()),
                });
            });
        thread.map_err(|e| Error::io_hint(path, e, "too many threads run; try again"))?;
        receive.recv_timeout(self.timeout).map_err(|_| self.too_slow(path))
    }

    fn in_child(&self, exe: &Path, path: &Path) -> Result<Answer, Error> {
        let mut child = Command::new(exe)
            .arg(CHILD_COMMAND)
            .arg(path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| {
                Error::io_hint(
                    exe,
                    e,
                    "the program starts itself to read PDFs; check that it can be executed",
                )
            })?;
        let limit = self.max_output_bytes;
        let collect = |pipe: Option<Box<dyn std::io::Read + Send>>, limit: u64| {
            std::thread::spawn(move || {
                let mut buffer = Vec::new();
                if let Some(pipe) = pipe {
                    // One byte more than allowed tells "just fits" from "too much".
                    let _ = pipe.take(limit.saturating_add(1)).read_to_end(&mut buffer);
                }
                buffer
            })
        };
        let out = collect(child.stdout.take().map(|p| Box::new(p) as _), limit);
        let err = collect(child.stderr.take().map(|p| Box::new(p) as _), 64 << 10);
        let started = Instant::now();
        let status = loop {
            match child.try_wait().map_err(|e| Error::io_hint(path, e, "try again"))? {
                Some(status) => break status,
                None if started.elapsed() > self.timeout => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(self.too_slow(path));
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let out = out.join().unwrap_or_default();
        let err = err.join().unwrap_or_default();
        if out.len() as u64 > limit {
            return Err(Error::file(
                path,
                format!("its text is larger than {limit} bytes"),
                "no statute is; give a PDF that holds the statute only",
            ));
        }
        if let Ok(answer) = serde_json::from_slice::<Answer>(&out)
            && status.success()
        {
            return Ok(answer);
        }
        let said = String::from_utf8_lossy(&err);
        let said = said.lines().find(|l| !l.trim().is_empty()).unwrap_or("no message").trim().to_owned();
        Err(Error::file(
            path,
            format!("the PDF interpreter ended ({status}): {said}"),
            "the PDF is damaged or needs more than the allowed memory or time: open and re-save it, or give the text in another form",
        ))
    }

    fn too_slow(&self, path: &Path) -> Error {
        Error::file(
            path,
            format!("reading the PDF took longer than {} seconds", self.timeout.as_secs()),
            "open and re-save it, or give the text in another form",
        )
    }
}

impl Reader for PdfReader {
    fn format(&self) -> Format {
        Format::Pdf
    }

    fn read(&self, path: &Path) -> Result<Document, Error> {
        let sha256 = sha256_hex(&bytes(path)?);
        let pages = self.pages(path)?;
        document(path, sha256, pages)
    }
}

/// What the hidden subcommand does: limits itself, reads the file, writes the pages as JSON.
///
/// # Errors
/// If the answer cannot be written. What is wrong with the PDF is part of the answer.
pub fn read_pdf_child_main(path: &Path, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    // A limit that cannot be set (a stricter one is in force already) is no reason not to read.
    let _ = rlimit::setrlimit(rlimit::Resource::AS, CHILD_MEMORY_BYTES, CHILD_MEMORY_BYTES);
    let _ = rlimit::setrlimit(rlimit::Resource::CPU, CHILD_CPU_SECONDS, CHILD_CPU_SECONDS);
    let _ = rlimit::setrlimit(rlimit::Resource::CORE, 0, 0);
    let owned = path.to_owned();
    // Deeply nested forms recurse; the main thread's stack is small on some systems.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(move || read_pages(&owned))?;
    let answer = match thread.join() {
        Ok(Ok(pages)) => Answer::Pages(pages),
        Ok(Err(why)) => Answer::Failed(why),
        Err(_) => Answer::Failed("the interpreter gave up on it".into()),
    };
    serde_json::to_writer(&mut *out, &answer)?;
    out.flush()
}

fn document(path: &Path, sha256: String, pages: Vec<Page>) -> Result<Document, Error> {
    let count = pages.len();
    if count == 0 {
        return Err(Error::file(path, "the PDF has no pages", "it is damaged or cut off: download it again"));
    }
    let mut lines = Vec::new();
    let mut notes = Vec::new();
    let mut offset = 0;
    let mut letters = 0_usize;
    let mut unmapped = 0_u64;
    for page in pages {
        if let Some(why) = &page.error {
            let mut note = Diagnostic::new(
                Severity::Error,
                "unreadable_page",
                format!("page {} cannot be read: {why}", page.number),
            );
            note.page = Some(page.number);
            notes.push(note);
        }
        unmapped += u64::from(page.unmapped);
        for line in page.lines {
            letters += line.text.chars().filter(|c| c.is_alphanumeric()).count();
            let length = line.text.len() + 1;
            lines.push(Line {
                text: line.text,
                page: Some(page.number),
                offset,
                at: line.at,
                raised: line.raised,
                gaps: line.gaps,
                words: line.words,
                wide: line.wide,
                margin: line.margin,
                ..Line::default()
            });
            offset += length;
        }
    }
    // A scanned book often has a stamp or a page number as text.
    if letters < 20 * count && letters < 2_000 {
        return Err(Error::file(
            path,
            format!("no text layer: {letters} letters on {count} pages"),
            "the pages are images: run OCR over it (for example ocrmypdf), or give the text in another form",
        ));
    }
    if unmapped > 0 {
        let severity = if unmapped > 50 { Severity::Error } else { Severity::Warning };
        notes.push(Diagnostic::new(
            severity,
            "unmapped_glyphs",
            format!("{unmapped} glyphs have no character in this PDF's fonts and are missing from the text"),
        ));
    }
    Ok(Document {
        path: path.to_owned(),
        sha256,
        format: Format::Pdf,
        pages: u32::try_from(count).ok(),
        files: Vec::new(),
        body: Body::Lines(lines),
        notes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PDF of one page with this content stream.
    fn pdf(content: &str) -> Vec<u8> {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
            "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>".to_owned(),
            format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
        ];
        let mut file = b"%PDF-1.4\n".to_vec();
        let mut places = Vec::new();
        for (i, object) in objects.iter().enumerate() {
            places.push(file.len());
            file.extend(format!("{} 0 obj{object}endobj\n", i + 1).into_bytes());
        }
        let xref = file.len();
        file.extend(b"xref\n0 6\n0000000000 65535 f \n");
        for place in places {
            file.extend(format!("{place:010} 00000 n \n").into_bytes());
        }
        file.extend(format!("trailer<</Size 6/Root 1 0 R>>\nstartxref\n{xref}\n%%EOF").into_bytes());
        file
    }

    fn read(bytes: &[u8]) -> Result<Document, Error> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("act.pdf");
        std::fs::write(&path, bytes).unwrap();
        super::super::read(&path, None, &PdfReader::in_process())
    }

    const PAGE: &str = "BT /F1 11 Tf 72 700 Td (1. Short title of this invented act.) Tj 0 -14 Td (It may be called the Kite Act.) Tj ET";

    #[test]
    fn a_page_comes_out_as_its_lines() {
        let document = read(&pdf(PAGE)).unwrap();
        let Body::Lines(lines) = document.body else { panic!() };
        assert_eq!(
            lines.iter().map(|l| l.text.as_str()).collect::<Vec<_>>(),
            ["1. Short title of this invented act.", "It may be called the Kite Act."]
        );
        assert_eq!(lines[1].page, Some(1));
    }

    #[test]
    fn what_is_no_readable_pdf_is_an_error_with_a_hint() {
        let whole = pdf(PAGE);
        for (bytes, word) in [
            (b"just a text".to_vec(), "not a PDF"),
            (whole[..whole.len() / 2].to_vec(), "cannot be read"),
            (pdf("0 0 100 100 re f"), "no text layer"),
            (b"%PDF-1.4\nrubbish".to_vec(), "cannot be read"),
        ] {
            let error = read(&bytes).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("\nhint: "), "{error}");
        }
    }

    #[test]
    fn a_child_that_answers_nonsense_hangs_or_is_missing_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("act.pdf");
        std::fs::write(&path, pdf(PAGE)).unwrap();
        let script = |name: &str, body: &str| {
            use std::os::unix::fs::PermissionsExt as _;
            let file = dir.path().join(name);
            std::fs::write(&file, format!("#!/bin/sh\n{body}\n")).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
            file
        };
        let mut slow = PdfReader::new(script("slow", "exec sleep 60"));
        slow.timeout = Duration::from_millis(200);
        let mut large = PdfReader::new(script("large", "head -c 100000 /dev/zero"));
        large.max_output_bytes = 1000;
        for (reader, word) in [
            (slow, "longer than"),
            (large, "larger than"),
            (PdfReader::new(script("nonsense", "echo hello")), "interpreter ended"),
            (PdfReader::new(script("killed", "kill -9 $$")), "interpreter ended"),
            (PdfReader::new(dir.path().join("absent")), "absent"),
        ] {
            let error = reader.read(&path).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("\nhint: "), "{error}");
        }
    }
}
