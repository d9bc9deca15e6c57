//! The text layer of a PDF, page by page. Runs in a child process (see [`super::pdf`]): the interpreter
//! underneath may panic, or need more time and memory than a statute is worth.

use std::path::Path;

use pdf_extract::{Document, MediaBox, OutputDev, OutputError, Transform, output_doc_page};
use serde::{Deserialize, Serialize};

use super::layout::{Glyph, PageLine, lines};

/// Pages of a statute book; more are refused.
const MAX_PAGES: usize = 20_000;

/// A page's lines.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Page {
    /// Number, counted from 1.
    pub number: u32,
    /// From the top to the foot.
    pub lines: Vec<PageLine>,
    /// Glyphs on it for which the file has no character.
    #[serde(default)]
    pub unmapped: u32,
    /// Why the page could not be read, if it could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Default)]
struct Collector {
    glyphs: Vec<Glyph>,
    unmapped: u32,
}

impl OutputDev for Collector {
    fn begin_page(
        &mut self,
        _page: u32,
        _media: &MediaBox,
        _art: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.glyphs.clear();
        self.unmapped = 0;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(
        &mut self,
        trm: &Transform,
        width: f64,
        _spacing: f64,
        font_size: f64,
        char: &str,
    ) -> Result<(), OutputError> {
        if char.is_empty() {
            self.unmapped = self.unmapped.saturating_add(1);
            return Ok(());
        }
        let along = trm.m11.hypot(trm.m12);
        let up = trm.m21.hypot(trm.m22);
        // Text that runs up or down the sheet is read as if the sheet were turned; where the interpreter leaves
        // the page upside down, so is the baseline.
        let (x, y) = if trm.m12.abs() > trm.m11.abs() {
            if trm.m12 > 0.0 { (trm.m32, -trm.m31) } else { (-trm.m32, trm.m31) }
        } else if trm.m22 < 0.0 {
            (trm.m31, -trm.m32)
        } else {
            (trm.m31, trm.m32)
        };
        #[expect(clippy::cast_possible_truncation, reason = "points on a page need no more")]
        self.glyphs.push(Glyph {
            x: x as f32,
            y: y as f32,
            width: (width * font_size * along) as f32,
            size: (font_size.abs() * up) as f32,
            text: char.to_owned(),
        });
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

/// Reads all pages.
///
/// # Errors
/// If the file is no PDF, is damaged, or is encrypted; the text says which.
pub fn read_pages(path: &Path) -> Result<Vec<Page>, String> {
    let mut document = Document::load(path).map_err(|e| e.to_string())?;
    if document.is_encrypted() {
        document.decrypt("").map_err(|_| "the document is encrypted with a password".to_owned())?;
    }
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    if numbers.len() > MAX_PAGES {
        return Err(format!(
            "{} pages, more than the {MAX_PAGES} that a statute book may have",
            numbers.len()
        ));
    }
    let read = |number: u32, margins: bool| {
        let mut collector = Collector::default();
        let error = output_doc_page(&document, &mut collector, number).err().map(|e| e.to_string());
        let unmapped = collector.unmapped;
        Page { number, lines: lines(collector.glyphs, margins), unmapped, error }
    };
    let mut pages: Vec<Page> = Vec::with_capacity(numbers.len());
    for number in &numbers {
        pages.push(read(*number, true));
    }
    // An act with marginal notes has them on most pages; elsewhere small type beside the text is part of it.
    let with = |p: &Page| p.lines.iter().any(|l| l.margin);
    if pages.iter().filter(|p| with(p)).count() * 2 < pages.len() {
        for page in pages.iter_mut().filter(|p| with(p)) {
            *page = read(page.number, false);
        }
    }
    Ok(pages)
}
