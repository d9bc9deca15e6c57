//! Every reader and both grammars on input that nobody would write: no panic, no hang, memory bounded.
//!
//! Each runs for two seconds, or for as many as `NYAYA_FUZZ_SECONDS` says (600 for the long run).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use nyaya_corpora::ProvisionId;
use nyaya_corpora::manifest::{Format, Manifest};
use nyaya_ingest::read::text::lines_of;
use nyaya_ingest::read::{Body, Document, Geometry, Line, PdfReader};
use nyaya_ingest::{check, read, structure};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};

/// No single input may keep its thread at work longer.
const SLOWEST: Duration = Duration::from_secs(20);
/// Nor may it take longer by the clock, which also runs while the machine does other things.
const LONGEST: Duration = Duration::from_secs(200);
/// Address space of the test; what asks for more is ended.
const MEMORY: u64 = 6 << 30;

/// Time that this thread ran, where the system tells it; else the clock's.
fn on_cpu() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|s| s.split(' ').next().and_then(|n| n.parse().ok()));
    nanos.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

fn run<S: Strategy>(strategy: S, mut one: impl FnMut(S::Value))
where
    S::Value: Clone + std::fmt::Debug,
{
    let _ = rlimit::setrlimit(rlimit::Resource::AS, MEMORY, MEMORY);
    let seconds = std::env::var("NYAYA_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let mut cases = 0_u64;
    while Instant::now() < until {
        let input = strategy.new_tree(&mut runner).unwrap().current();
        let (started, before) = (Instant::now(), on_cpu());
        let shown = format!("{input:?}");
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| one(input)));
        assert!(outcome.is_ok(), "case {cases}: {}", shown.chars().take(4_000).collect::<String>());
        let (clock, cpu) = (started.elapsed(), on_cpu().saturating_sub(before));
        assert!(
            cpu < SLOWEST && clock < LONGEST,
            "{cpu:?} of work in {clock:?}: {}",
            shown.chars().take(4_000).collect::<String>()
        );
        cases += 1;
    }
    assert!(cases > 0);
    eprintln!("{cases} cases");
}

fn manifest(grammar: &str) -> Manifest {
    let (unit, language) = if grammar == "chinese-code" { ("article", "zh") } else { ("section", "en") };
    let text = format!(
        "id = \"xx/kites\"\nkind = \"other\"\nunit = \"{unit}\"\ngrammar = \"{grammar}\"\nlanguage = \"{language}\"\nin_force_from = \"2001-02-03\"\n[title]\nen = \"Kite Act\"\n[names]\nen = [\"Kite Act\"]\n[[version]]\nfrom = \"2001-02-03\"\nexpected = [\"1-9\", \"2A\", \"3/1\"]\nschedules = [\"1-2\"]\n"
    );
    Manifest::parse("test", &text).unwrap()
}

/// Pieces that grammars look for, in any order.
fn piece() -> impl Strategy<Value = String> {
    const PIECES: [&str; 64] = [
        "1. ",
        "2. Title.—",
        "2A. ",
        "1[2A. ",
        "3. [Omitted.]",
        "4. to 6. [Repealed.]",
        "Section 1. ",
        "Section 34",
        "§ 2a ",
        "Art. 3 bis ",
        "Article premier",
        "धारा १. ",
        "## Section 7 - Title",
        "**8. Title**",
        "第一条　",
        "第二条之一",
        "第三条",
        "第一百零一条的规定",
        "第一章　总则",
        "第一编",
        "附件一",
        "【罪名】",
        "目录",
        "CHAPTER I",
        "PART IX",
        "THE FIRST SCHEDULE",
        "THE SCHEDULE",
        "SCHEDULE II",
        "APPENDIX",
        "ARRANGEMENT OF SECTIONS",
        "CONTENTS",
        "STATE AMENDMENT",
        "Explanation.—",
        "Illustrations",
        "Provided that ",
        "(1) ",
        "(a) ",
        "(iv) ",
        "1[",
        "]",
        "[",
        "* * *",
        "***",
        "—",
        "- 3 -",
        "－107－",
        "____________",
        "1. Subs. by Act 3 of 1999, s. 2 (w.e.f. 1-1-2000).",
        " | ",
        "\n",
        "\n\n",
        "\n",
        "\t",
        "a",
        "kite ",
        "shall be punished ",
        "甲。",
        "；",
        "\u{FEFF}",
        "\u{E000}",
        "é",
        "𠀀",
        "999999999999",
        "0",
    ];
    prop_oneof![
        8 => (0..PIECES.len()).prop_map(|i| PIECES[i].to_owned()),
        1 => "\\PC{0,12}",
        1 => (1_usize..3000).prop_map(|n| "x".repeat(n)),
    ]
}

fn words() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..250).prop_map(|pieces| pieces.concat())
}

fn document(lines: Vec<Line>, format: Format) -> Document {
    Document {
        path: "kites".into(),
        sha256: "00".into(),
        format,
        pages: None,
        files: vec!["a.md".into(), "b.md".into()],
        body: Body::Lines(lines),
        notes: Vec::new(),
    }
}

/// Structures, checks, and looks at what every provision promises.
fn whole(document: &Document) {
    for manifest in [manifest("indian-act"), manifest("chinese-code")] {
        let structured = structure(document, &manifest, None);
        assert!((0.0..=1.0).contains(&structured.unassigned_share));
        for p in &structured.provisions {
            assert_eq!(p.id.to_string().parse::<ProvisionId>().unwrap(), p.id);
            assert!(!p.text.contains('\u{FFFD}') || format!("{:?}", document.body).contains('\u{FFFD}'));
            assert!(p.annotations.iter().all(|a| a.at.is_none_or(|at| p.text.is_char_boundary(at))), "{p:?}");
            assert!(p.pinpoints.iter().all(|pin| p.text.get(pin.range.clone()).is_some()), "{p:?}");
        }
        let _ = check(&structured, &manifest, None, None);
    }
}

#[test]
fn grammars_on_any_text() {
    run((words(), any::<bool>()), |(text, markdown)| {
        let format = if markdown { Format::Markdown } else { Format::Text };
        whole(&document(lines_of(&text, format, 0), format));
    });
}

#[test]
fn grammars_on_any_page() {
    let line = (
        piece(),
        piece(),
        0_u32..4,
        0.0_f32..500.0,
        0.0_f32..700.0,
        4.0_f32..14.0,
        any::<bool>(),
        any::<bool>(),
    );
    run(proptest::collection::vec(line, 0..120), |pieces| {
        let mut lines: Vec<Line> = Vec::new();
        for (a, b, page, x, y, size, gap, margin) in pieces {
            let (a, b) = (a.replace('\n', " "), b.replace('\n', " "));
            let (a, b) = (a.trim(), b.trim());
            let text = format!("{a} {b}").trim().to_owned();
            let mut line = Line { page: Some(page), margin, ..Line::default() };
            line.at = Some(Geometry { x0: x, x1: x + 4.0 * text.chars().count() as f32, y, size });
            for (offset, _) in text.match_indices(' ') {
                if text[offset + 1..].starts_with(|c: char| c != ' ') {
                    let left = x + 4.0 * offset as f32;
                    line.words.push((offset + 1, left, left + 20.0));
                }
            }
            if gap && !a.is_empty() && !b.is_empty() {
                line.gaps.push(a.len());
            }
            if text.starts_with(|c: char| c.is_ascii_digit()) && gap {
                line.raised.push(0..1);
            }
            line.offset = lines.last().map_or(0, |l| l.offset + l.text.len() + 1);
            line.text = text;
            lines.push(line);
        }
        lines.sort_by_key(|l| l.page);
        whole(&document(lines, Format::Pdf));
    });
}

/// A file with these bytes under this name is read or refused, and what is refused has a hint.
fn reads(dir: &Path, name: &str, bytes: &[u8]) {
    let path = dir.join(name);
    std::fs::write(&path, bytes).unwrap();
    match read::read(&path, None, &PdfReader::in_process()) {
        Ok(document) => whole(&document),
        Err(error) => {
            let said = error.to_string();
            assert!(said.contains("hint: "), "{said}");
        }
    }
}

/// A whole file with bytes changed, taken out, doubled.
fn spoiled(seed: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), any::<u8>(), 0_usize..64, 0_u8..4);
    proptest::collection::vec(change, 0..12).prop_map(move |changes| {
        let mut bytes = seed.clone();
        for (at, byte, length, kind) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            let end = (at + length).min(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let part = bytes[at..end].to_vec();
                    drop(bytes.splice(at..at, part));
                }
                _ => bytes.truncate(at.max(1)),
            }
        }
        bytes
    })
}

fn fuzz(name: &'static str, seed: Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    run(spoiled(seed), |bytes| reads(dir.path(), name, &bytes));
}

#[test]
fn text_in_any_encoding() {
    let text = "\u{FEFF}第一条　为了试验，制定本法。\n第二条　甲。\nSection 1. Kites fly.\n".repeat(4);
    fuzz("act.txt", text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    fuzz("act.txt", encoding_rs::GB18030.encode(&text).0.into_owned());
}

#[test]
fn json_of_any_form() {
    fuzz(
        "act.json",
        br#"{"parts":[{"title":"One","articles":[{"id":"1","num":"\u7b2c\u4e00\u6761","text":"A kite.","clauses":[{"no":"a","t":"x"}]},{"id":2,"text":null}]}]}"#.to_vec(),
    );
    let dir = tempfile::tempdir().unwrap();
    let deep = (0_usize..400).prop_map(|n| format!("{}1{}", "[".repeat(n), "]".repeat(n)));
    run(deep, |text| reads(dir.path(), "deep.json", text.as_bytes()));
}

#[test]
fn json_lines_and_tables() {
    fuzz(
        "act.jsonl",
        b"{\"section\":1,\"text\":\"A kite.\"}\n{\"section\":\"2A\",\"text\":\"More.\"}\n".to_vec(),
    );
    fuzz("act.csv", b"Section,Title,Text\n1,Kites,\"A kite, flies.\"\n2A,More,\"Line\nbreak\"\n".to_vec());
}

#[test]
fn html_of_any_form() {
    fuzz(
        "act.html",
        b"<!doctype html><html><head><title>t</title></head><body><table><tr><td>1<td>2</table><p>1. Kites.<sup>1</sup><br>2. More <b><i>words</b></i><script>x</script></body></html>".to_vec(),
    );
}

#[test]
fn word_documents_of_any_form() {
    let whole =
        nyaya_ingest::read::docx::write_docx(&["1. Kites.—A kite flies.", "2. More & more.", "第一条　甲。"])
            .unwrap();
    fuzz("act.docx", whole);
}

#[test]
fn databases_of_any_form() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch(
        "CREATE TABLE a(section TEXT, text TEXT); INSERT INTO a VALUES('1','A kite.'),('2A','More.');",
    )
    .unwrap();
    drop(db);
    fuzz("act.db", std::fs::read(&path).unwrap());
}

#[test]
fn pdfs_of_any_form() {
    let content = "BT /F1 11 Tf 72 700 Td (1. Short title of this invented act.) Tj 0 -14 Td (It may be called the Kite Act.) Tj ET";
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
            .to_owned(),
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
    fuzz("act.pdf", file);
}
