//! Grammars on invented statutes.

use std::path::PathBuf;

use jiff::civil::date;
use nyaya_corpora::manifest::{Format, Manifest};
use nyaya_corpora::{AnnotationKind, Number, Provision, Status, Unit};
use proptest::prelude::*;

use super::{Structured, structure};
use crate::check::check;
use crate::read::text::lines_of;
use crate::read::{Body, Document, Geometry, Line};

fn manifest(chinese: bool, expected: &str) -> Manifest {
    let (grammar, unit, language) =
        if chinese { ("chinese-code", "article", "zh") } else { ("indian-act", "section", "en") };
    let text = format!(
        r#"
id = "xx/kites"
kind = "other"
unit = "{unit}"
grammar = "{grammar}"
language = "{language}"
in_force_from = "2001-02-03"
[title]
en = "Kite Act"
[names]
en = ["Kite Act"]
[[version]]
from = "2001-02-03"
expected = [{expected}]
"#
    );
    Manifest::parse("test", &text).unwrap()
}

fn text(words: &str, format: Format) -> Document {
    document(lines_of(words, format, 0), format)
}

fn document(lines: Vec<Line>, format: Format) -> Document {
    Document {
        path: PathBuf::from("kites"),
        sha256: "00".into(),
        format,
        pages: None,
        files: Vec::new(),
        body: Body::Lines(lines),
        notes: Vec::new(),
    }
}

fn unit(s: &Structured, unit: Unit) -> &Provision {
    let found: Vec<&Provision> = s.provisions.iter().filter(|p| p.id.unit == unit).collect();
    assert_eq!(found.len(), 1, "{unit}");
    found[0]
}

fn section(number: &str) -> Unit {
    Unit::Section(number.parse().unwrap())
}

const ACT: &str = "\
THE KITE ACT, 1901
ARRANGEMENT OF SECTIONS

CHAPTER I
PRELIMINARY
SECTIONS
1. Short title.
2. Definitions.
2A. Record of kites.
3. [Omitted.]

CHAPTER II
OF OFFENCES
4. Flying over roads.
5. to 6A. [Repealed.]
7. Punishment for flying over
roads.

THE SCHEDULE.—Colours.

THE KITE ACT, 1901
ACT NO. 3 OF 1901

An Act to regulate kites.

WHEREAS it is expedient to regulate kites; It is hereby enacted as follows:—

CHAPTER I
PRELIMINARY

1. Short title.—This Act may be called the Kite Act, 1901.

2. Definitions.—In this Act,—

(a) “kite” means any thing that is flown on a string of section
7. which is not a kite is no kite;

(b) “road” has the meaning given in section 4.

1[2A. Record of kites.—(1) A record shall be kept of 2[all kites].

(2) It shall be open to the public.]

3. [Fees.] Omitted by Act 9 of 1950, s. 2.

CHAPTER II
OF OFFENCES

4. Flying over roads.—Whoever flies a kite over a road, except in the cases
hereinafter excepted, commits an offence.

Explanation.—A bridge is a road.

Illustrations

(a) A flies a kite over a bridge. A has committed the offence.

(b) B holds a kite that is not in the air. B has not.

Exception.—Nothing done in a storm is an offence:

Provided that the storm has been announced.

5. to 6A. [Repealed.]

7. Punishment for flying over roads.—Whoever commits the offence shall be warned,
and for a second offence the kite shall be taken.

THE SCHEDULE

COLOURS

1. Red.
2. Blue.
";

#[test]
fn an_act_comes_out_whole() {
    let manifest = manifest(false, r#""1-7", "2A", "6A""#);
    let s = structure(&text(ACT, Format::Text), &manifest, Some(date(2001, 2, 3)));
    let units: Vec<String> = s.provisions.iter().map(|p| p.id.unit.to_string()).collect();
    assert_eq!(units, ["preamble", "s1", "s2", "s2A", "s3", "s4", "s5", "s6", "s6A", "s7", "sch1"]);
    let report = check(&s, &manifest, Some(date(2001, 2, 3)), None);
    assert!(report.fit, "{:?}", report.diagnostics);
    assert_eq!(
        (report.expected, report.missing.len(), report.extra.len(), report.duplicates.len()),
        (9, 0, 0, 0)
    );
}

#[test]
fn headings_breadcrumbs_and_text_are_apart() {
    let s = structure(&text(ACT, Format::Text), &manifest(false, r#""1-7", "2A", "6A""#), None);
    let p = unit(&s, section("4"));
    assert_eq!(p.heading.as_deref(), Some("Flying over roads"));
    assert_eq!(p.breadcrumb, ["CHAPTER II. OF OFFENCES"]);
    assert_eq!(
        p.text,
        "Whoever flies a kite over a road, except in the cases hereinafter excepted, commits an offence.\n\
         Explanation.—A bridge is a road.\n\
         Illustrations\n\
         (a) A flies a kite over a bridge. A has committed the offence.\n\
         (b) B holds a kite that is not in the air. B has not.\n\
         Exception.—Nothing done in a storm is an offence:\n\
         Provided that the storm has been announced."
    );
    assert_eq!(unit(&s, section("1")).text, "This Act may be called the Kite Act, 1901.");
    assert!(unit(&s, Unit::Preamble).text.starts_with("WHEREAS it is expedient"));
    let schedule = unit(&s, Unit::Schedule(Number::plain(1)));
    assert_eq!(
        (schedule.heading.as_deref(), schedule.text.as_str()),
        (Some("Colours"), "COLOURS\n1. Red.\n2. Blue.")
    );
}

#[test]
fn a_reference_at_the_start_of_a_line_is_no_head() {
    let s = structure(&text(ACT, Format::Text), &manifest(false, ""), None);
    assert!(unit(&s, section("2")).text.contains("section 7. which is not a kite"));
    assert!(unit(&s, section("7")).text.starts_with("Whoever commits"));
}

#[test]
fn what_is_gone_keeps_a_row_with_its_status() {
    let s = structure(&text(ACT, Format::Text), &manifest(false, r#""1-7", "2A", "6A""#), None);
    let p = unit(&s, section("3"));
    assert_eq!((p.status, p.heading.as_deref()), (Status::Omitted, Some("Fees")));
    for number in ["5", "6", "6A"] {
        assert_eq!(unit(&s, section(number)).status, Status::Repealed);
    }
    assert_eq!(unit(&s, section("7")).status, Status::InForce);
}

#[test]
fn marks_are_taken_out_of_the_text_and_kept() {
    let s = structure(&text(ACT, Format::Text), &manifest(false, ""), None);
    let p = unit(&s, section("2A"));
    assert_eq!(p.text, "(1) A record shall be kept of all kites.\n(2) It shall be open to the public.");
    let marks: Vec<&str> = p.annotations.iter().filter_map(|a| a.marker.as_deref()).collect();
    assert_eq!(marks, ["1", "2"]);
}

#[test]
fn the_contents_table_is_read_and_compared() {
    let manifest = manifest(false, "");
    let s = structure(&text(ACT, Format::Text), &manifest, None);
    assert_eq!(s.contents.len(), 7);
    assert_eq!(s.contents[6].1.as_deref(), Some("Punishment for flying over roads."));
    let without = ACT.replace("4. Flying over roads.—Whoever", "Whoever");
    let s = structure(&text(&without, Format::Text), &manifest, None);
    let report = check(&s, &manifest, None, None);
    assert!(!report.fit);
    assert_eq!(report.missing, [section("4")]);
}

/// A page of a PDF: lines of 11 points with the given left ends, notes of 9 points at the foot.
fn page(number: u32, body: &[(f32, &str)], notes: &[&str]) -> Vec<Line> {
    let mut y = 700.0;
    let mut lines = Vec::new();
    let mut push = |x0: f32, size: f32, y: f32, text: &str| {
        let raised = text.find(['‹']).map(|at| at..at + 1).into_iter().collect::<Vec<_>>();
        // `‹1›` in the tests' text is a raised 1.
        let plain = text.replace(['‹', '›'], "");
        lines.push(Line {
            text: plain,
            page: Some(number),
            offset: 0,
            at: Some(Geometry { x0, x1: 520.0, y, size }),
            raised,
            gaps: Vec::new(),
            ..Line::default()
        });
    };
    for (x0, text) in body {
        push(*x0, 11.0, y, text);
        y -= 13.0;
    }
    let mut y = 120.0;
    for note in notes {
        push(72.0, 9.0, y, note);
        y -= 10.0;
    }
    push(300.0, 11.0, 40.0, &number.to_string());
    lines
}

#[test]
fn footnotes_leave_the_text_and_paragraphs_stay() {
    let mut lines = page(
        1,
        &[
            (90.0, "1. Short title.—This Act may be called the Kite Act, and it extends to the whole of"),
            (72.0, "the island."),
            (
                90.0,
                "2. Duties.—Whoever flies a kite shall pay ‹1›[two coins], and shall keep the receipt until the",
            ),
            (72.0, "end of the year."),
            (90.0, "‹2›* * * * *"),
        ],
        &[
            "1. Subs. by Act 7 of 1930, s. 2, for “one coin” (w.e.f. 1-1-1931).",
            "2. Sub-section (2) omitted by Act 8 of 1940, s. 3.",
        ],
    );
    lines.extend(page(
        2,
        &[
            (
                90.0,
                "3. Repeal.—The Kite Act of the year before is repealed; and what was done under it shall be",
            ),
            (72.0, "taken to have been done under this Act."),
        ],
        &["1. Ins. by Act 7 of 1930, s. 3."],
    ));
    let s = structure(&document(lines, Format::Pdf), &manifest(false, r#""1-3""#), None);
    let p = unit(&s, section("2"));
    assert_eq!(
        p.text,
        "Whoever flies a kite shall pay two coins, and shall keep the receipt until the end of the year."
    );
    let notes: Vec<(&str, Option<usize>)> = p
        .annotations
        .iter()
        .filter(|a| a.kind == AnnotationKind::Footnote)
        .map(|a| (a.text.as_str(), a.at))
        .collect();
    assert_eq!(
        notes[0],
        ("Subs. by Act 7 of 1930, s. 2, for “one coin” (w.e.f. 1-1-1931).", p.text.find("two"))
    );
    assert!(notes[1].0.starts_with("Sub-section (2) omitted"));
    assert_eq!(p.source.page, Some(1));
    // A note without a mark stays with its page.
    assert!(unit(&s, section("3")).annotations.iter().any(|a| a.text == "Ins. by Act 7 of 1930, s. 3."));
    assert_eq!(unit(&s, section("3")).status, Status::InForce);
    assert!(s.unassigned_share < 0.001);
}

#[test]
fn markdown_with_marked_heads_is_read_by_them() {
    let act = "---\ntitle: x\n---\n# The Kite Act\n\nPart 1 of 2\n\n## Section 1 - Short title.\n\n(1) This may be called the\nKite Act on a date^1 to come.\n\n1. Not a head.\n\n### Footnotes\n\n1. The first of May,\nas announced.\n\n# The Kite Act\n\nPart 2 of 2\n\n## Section 2 - Duties.\n\nWhoever flies shall pay.\n\n## Section 3 - Repeal.\n\nThe old Act is repealed.\n";
    let s = structure(&text(act, Format::Markdown), &manifest(false, ""), None);
    let p = unit(&s, section("1"));
    assert_eq!(
        (p.heading.as_deref(), p.text.as_str()),
        (Some("Short title"), "(1) This may be called the Kite Act on a date to come.\n1. Not a head.")
    );
    assert_eq!(p.annotations[0].text, "The first of May, as announced.");
    assert_eq!(s.provisions.len(), 3);
}

const CODE: &str = "\
# 风筝法

目录

第一编　总则
第一章　任务
第二章　登记
第二编　附则

第一编　总则
第一章　任务

第一条　【立法宗旨】为了管理风筝，制定本法。

第二条 依照本法
第三条规定登记的，按照第二条处理。

第二章　登记

第二条之一　【登记罪】违反规定，有下列情形之一的，予以警告：
（一）不登记的；
（二）虚假登记的。
单位有前款行为的，没收风筝。

第三条　风筝应当登记。

第四条　（删去）

第二编　附则

第五条　本法自公布之日起施行。
附件一
　　旧规定一
附件二
　　旧规定二
";

#[test]
fn a_chinese_code_comes_out_whole() {
    let manifest = manifest(true, r#""1-5", "2/1""#);
    let s = structure(&text(CODE, Format::Markdown), &manifest, None);
    let units: Vec<String> = s.provisions.iter().map(|p| p.id.unit.to_string()).collect();
    assert_eq!(units, ["a1", "a2", "a2-1", "a3", "a4", "a5", "sch1", "sch2"]);
    let p = unit(&s, Unit::Article(Number::with_sub(2, 1)));
    assert_eq!(
        p.text,
        "违反规定，有下列情形之一的，予以警告：\n（一）不登记的；\n（二）虚假登记的。\n单位有前款行为的，没收风筝。"
    );
    assert_eq!(p.heading.as_deref(), Some("登记罪"));
    assert_eq!(p.annotations[0].kind, AnnotationKind::EditorHeading);
    assert_eq!(p.breadcrumb, ["第一编 总则", "第二章 登记"]);
    assert_eq!(unit(&s, Unit::Article(Number::plain(4))).status, Status::Omitted);
    assert_eq!(unit(&s, Unit::Article(Number::plain(5))).breadcrumb, ["第二编 附则"]);
    assert!(unit(&s, Unit::Article(Number::plain(2))).text.contains("第三条规定登记的"));
    assert!(check(&s, &manifest, Some(date(2001, 2, 3)), None).fit);
}

#[test]
fn in_a_chinese_pdf_a_reference_at_the_left_margin_is_no_head() {
    let line = |page: u32, x0: f32, y: f32, text: &str| Line {
        text: text.into(),
        page: Some(page),
        at: Some(Geometry { x0, x1: 520.0, y, size: 16.0 }),
        ..Line::default()
    };
    let mut lines = Vec::new();
    for p in 1..=3 {
        lines.push(line(
            p,
            112.0,
            700.0,
            &format!("第{}条依照本法放风筝，并且依照本法", ["一", "二", "三"][p as usize - 1]),
        ));
        lines.push(line(p, 80.0, 671.0, "第三条的规定处罚；没有登记的风筝，由主管部门臵于库"));
        lines.push(line(p, 80.0, 642.0, "内。"));
        lines.push(line(p, 112.0, 613.0, "单位犯前款罪的，依照前款的规定处罚。"));
        lines.push(line(p, 93.0, 24.0, &format!("－{p}－")));
    }
    let s = structure(&document(lines, Format::Pdf), &manifest(true, ""), None);
    assert_eq!(s.provisions.len(), 3);
    assert_eq!(
        s.provisions[2].text,
        "依照本法放风筝，并且依照本法第三条的规定处罚；没有登记的风筝，由主管部门臵于库内。\n单位犯前款罪的，依照前款的规定处罚。"
    );
    let report = check(&s, &manifest(true, ""), None, None);
    assert!(report.diagnostics.iter().any(|d| d.code == "reader_defect"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn structure_never_panics(
        pieces in proptest::collection::vec(
            "([0-9]{1,4}[A-Z]{0,3}\\. |‹|\\[|\\]|\\*|—|[A-Z][a-z]{0,8} |CHAPTER [IVX]{1,3}|THE FIRST SCHEDULE|ARRANGEMENT OF SECTIONS|STATE AMENDMENT|第[一二十百零]{1,4}条(之一)?|第一章 |附件一|【|】|①|\\PC|\\n){0,12}",
            0..40),
        chinese in any::<bool>(),
        geometry in any::<bool>(),
    ) {
        let words = pieces.join("\n");
        let mut lines = lines_of(&words, Format::Markdown, 0);
        if geometry {
            for (i, line) in lines.iter_mut().enumerate() {
                line.page = Some(1 + i as u32 / 20);
                line.at = Some(Geometry { x0: 72.0 + (i % 3) as f32 * 18.0, x1: 500.0, y: 700.0 - (i % 20) as f32 * 13.0, size: if i % 20 > 15 { 9.0 } else { 11.0 } });
                let end = line.text.chars().next().map_or(0, char::len_utf8);
                if i % 4 == 0 && end > 0 {
                    line.raised.push(0..end);
                }
            }
        }
        let manifest = manifest(chinese, "");
        let s = structure(&document(lines, Format::Text), &manifest, None);
        for p in &s.provisions {
            for a in &p.annotations {
                prop_assert!(a.at.is_none_or(|at| p.text.is_char_boundary(at)), "{:?} {:?}", a, p.text);
            }
        }
        let _ = check(&s, &manifest, None, None);
    }
}
