//! Signs that are no letters and that a terminal obeys: control characters, and marks that turn the direction of what
//! follows. A statute has none; one that came with a file is left out, and that is said.

use nyaya_corpora::{Diagnostic, Severity};

use super::{Body, Document, Line};

/// C0 but tab and line break, DEL, C1 (U+0080 to U+009F), and the overrides and isolates of Unicode's bidirectional
/// algorithm (U+202A to U+202E, U+2066 to U+2069).
fn is_sign(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

/// Takes such signs out of everything that was read.
pub(super) fn strip(document: &mut Document) {
    let mut count = 0;
    match &mut document.body {
        Body::Lines(lines) => lines.iter_mut().for_each(|l| line(l, &mut count)),
        Body::Rows(rows) => {
            for row in rows {
                text(&mut row.number, &mut count);
                text(&mut row.text, &mut count);
                row.heading.iter_mut().chain(&mut row.breadcrumb).for_each(|t| text(t, &mut count));
            }
        }
        Body::Held(held) => {
            text(&mut held.title, &mut count);
            for provision in &mut held.provisions {
                let before = provision.text.clone();
                text(&mut provision.text, &mut count);
                provision
                    .heading
                    .iter_mut()
                    .chain(&mut provision.breadcrumb)
                    .for_each(|t| text(t, &mut count));
                for note in &mut provision.annotations {
                    text(&mut note.text, &mut count);
                    note.marker.iter_mut().for_each(|t| text(t, &mut count));
                    note.at = note.at.map(|at| moved(&before, at));
                }
            }
        }
    }
    for name in &mut document.files {
        text(name, &mut count);
    }
    if count > 0 {
        document.notes.push(Diagnostic::new(
            Severity::Warning,
            "control_characters",
            format!(
                "{count} control characters or marks of direction, which are no text and which a terminal obeys, were left out"
            ),
        ));
    }
}

fn text(text: &mut String, count: &mut usize) {
    if text.chars().any(is_sign) {
        *count += text.chars().filter(|c| is_sign(*c)).count();
        text.retain(|c| !is_sign(c));
    }
}

/// Where byte `at` of a text is when its signs are out.
fn moved(before: &str, at: usize) -> usize {
    let gone: usize =
        before.char_indices().filter(|(i, c)| *i < at && is_sign(*c)).map(|(_, c)| c.len_utf8()).sum();
    at.saturating_sub(gone)
}

fn line(line: &mut Line, count: &mut usize) {
    text(&mut line.beside, count);
    if !line.text.chars().any(is_sign) {
        return;
    }
    let before = line.text.clone();
    text(&mut line.text, count);
    for range in &mut line.raised {
        *range = moved(&before, range.start)..moved(&before, range.end);
    }
    line.gaps.iter_mut().chain(&mut line.wide).for_each(|at| *at = moved(&before, *at));
    line.words.iter_mut().for_each(|w| w.0 = moved(&before, w.0));
    line.strong = moved(&before, line.strong);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{PdfReader, read};

    #[test]
    fn what_a_terminal_obeys_is_left_out_and_said() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("act.txt");
        std::fs::write(&path, "1. Red\u{1b}[31m reeds\u{202e}.\n\t2. Blue\u{9b}2J reeds\u{2066}.\n").unwrap();
        let document = read(&path, None, &PdfReader::in_process()).unwrap();
        let Body::Lines(lines) = &document.body else { panic!() };
        assert_eq!(lines[0].text, "1. Red[31m reeds.");
        assert_eq!(lines[1].text, "\t2. Blue2J reeds.");
        assert!(document.notes.iter().any(|n| n.code == "control_characters" && n.message.starts_with("4 ")));
        let path = dir.path().join("act.json");
        std::fs::write(
            &path,
            r#"[{"section":"1","text":"A reed\u001b]0;x\u0007 is cut."},{"section":"2","text":"Two."}]"#,
        )
        .unwrap();
        let document = read(&path, None, &PdfReader::in_process()).unwrap();
        let Body::Rows(rows) = &document.body else { panic!() };
        assert_eq!(rows[0].text, "A reed]0;x is cut.");
    }

    #[test]
    fn places_in_a_line_move_with_its_letters() {
        let mut l = Line {
            text: "a\u{1b}b1 c".into(),
            raised: std::iter::once(3..4).collect(),
            gaps: vec![4],
            strong: 3,
            ..Line::default()
        };
        let mut count = 0;
        line(&mut l, &mut count);
        assert_eq!(
            (l.text.as_str(), l.raised, l.gaps, l.strong, count),
            ("ab1 c", std::iter::once(2..3).collect(), vec![3], 2, 1)
        );
    }
}
