//! Structure parsing over invented statutes: the target is 5 MB/s of source text.
#![allow(missing_docs, reason = "criterion's macros make public functions")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nyaya_corpora::Manifest;
use nyaya_corpora::manifest::Format;
use nyaya_ingest::read::text::lines_of;
use nyaya_ingest::read::{Body, Document, Geometry, Line};
use nyaya_ingest::structure;

fn manifest(grammar: &str, unit: &str, language: &str) -> Manifest {
    let text = format!(
        "id = \"xx/lamp-act\"\nkind = \"other\"\nunit = \"{unit}\"\ngrammar = \"{grammar}\"\nlanguage = \"{language}\"\nin_force_from = \"2000-01-01\"\n[title]\nen = \"Lamp Act\"\n[names]\nen = [\"Lamp Act\"]\n"
    );
    Manifest::parse("bench", &text).unwrap_or_else(|e| unreachable!("{e}"))
}

/// An act of two thousand sections, as long as the longest codes.
fn act() -> String {
    let mut text = String::from("THE LAMP ACT, 2000\n\n");
    for n in 1..2_000 {
        if n % 40 == 1 {
            text.push_str(&format!(
                "CHAPTER {}\nOF LAMPS\n\n",
                ["I", "II", "III", "IV"].get(n / 40 % 4).unwrap_or(&"I")
            ));
        }
        text.push_str(&format!(
            "{n}. Dimming of lamps.—(1) Whoever, being the keeper of a lamp within the meaning of section {},\ndims it with the intention of causing loss to the master of a ship, or with the knowledge\nthat he is likely thereby to cause such loss, shall be punished with imprisonment which\nmay extend to {} years, and shall also be liable to fine:\n\nProvided that nothing in clause (a) of sub-section (2) shall apply to a keeper who acts in\ngood faith.\n\nExplanation.—A lamp that has been put out is dimmed.\n\nIllustrations\n\n(a) A puts out a lamp. A has dimmed it.\n\n(b) B holds a lamp. B has not.\n\n",
            n % 400 + 1,
            n % 14 + 1
        ));
    }
    text
}

fn code() -> String {
    const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let figure = |n: usize| -> String {
        n.to_string().bytes().filter_map(|b| DIGITS.get(usize::from(b - b'0'))).copied().collect()
    };
    let mut text = String::from("灯法\n\n");
    for n in 1..2_000 {
        text.push_str(&format!(
            "第{}条　守灯人故意熄灭灯火，致使船舶遭受损失的，处三年以下有期徒刑；情节严重的，依照第二十条的规定处罚：\n（一）夜间熄灭的；\n（二）造成重大损失的。\n过失犯前款罪的，处罚金。\n\n",
            figure(n)
        ));
    }
    text
}

fn document(lines: Vec<Line>) -> Document {
    Document {
        path: "lamp".into(),
        sha256: String::new(),
        format: Format::Text,
        pages: None,
        files: Vec::new(),
        body: Body::Lines(lines),
        notes: Vec::new(),
    }
}

/// The same act as the lines of a PDF: places on pages of forty lines, with page numbers.
fn pages(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut offset = 0;
    for (i, words) in text.lines().filter(|l| !l.is_empty()).enumerate() {
        let page = u32::try_from(i / 40 + 1).unwrap_or(1);
        let y = 750.0 - 15.0 * (i % 40) as f32;
        let at = Geometry { x0: 72.0, x1: 72.0 + 5.0 * words.len() as f32, y, size: 10.0 };
        lines.push(Line {
            text: words.to_owned(),
            page: Some(page),
            offset,
            at: Some(at),
            ..Line::default()
        });
        offset += words.len() + 1;
    }
    lines
}

fn bench(criterion: &mut Criterion) {
    let (act, code) = (act(), code());
    let (english, chinese) =
        (manifest("indian-act", "section", "en"), manifest("chinese-code", "article", "zh"));
    let mut group = criterion.benchmark_group("structure");
    group.sample_size(10);
    for (name, manifest, document, bytes) in [
        ("act from text", &english, document(lines_of(&act, Format::Text, 0)), act.len()),
        ("act from pages", &english, document(pages(&act)), act.len()),
        ("code from text", &chinese, document(lines_of(&code, Format::Text, 0)), code.len()),
    ] {
        assert!(structure(&document, manifest, None).provisions.len() >= 1_999);
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(name, |b| b.iter(|| structure(black_box(&document), manifest, None)));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
