//! Acts as other countries write them, and documents that must not pass for one, each invented.

use nyaya_corpora::manifest::{Format, Manifest};

use super::{Structured, structure};
use crate::check::check;
use crate::read::{Body, Document, html, text};

fn manifest(unit: &str, grammar: &str, language: &str) -> Manifest {
    let text = format!(
        "id = \"xx/reeds\"\nkind = \"other\"\nunit = \"{unit}\"\ngrammar = \"{grammar}\"\nlanguage = \"{language}\"\nin_force_from = \"2001-02-03\"\n[title]\nen = \"Reed Act\"\n[names]\nen = [\"Reed Act\"]\n"
    );
    Manifest::parse("test", &text).unwrap()
}

fn read_as(words: &str, format: Format, unit: &str, grammar: &str, language: &str) -> (Structured, bool) {
    let lines = if format == Format::Html { html::lines_of(words) } else { text::lines_of(words, format, 0) };
    let document = Document {
        path: "reeds".into(),
        sha256: "00".into(),
        format,
        pages: None,
        files: Vec::new(),
        body: Body::Lines(lines),
        notes: Vec::new(),
    };
    let manifest = manifest(unit, grammar, language);
    let structured = structure(&document, &manifest, None);
    let fit = check(&structured, &manifest, None, None).fit;
    (structured, fit)
}

fn act(words: &str) -> (Structured, bool) {
    let markdown = words.contains("\n#") || words.contains("**") || words.starts_with('#');
    read_as(words, if markdown { Format::Markdown } else { Format::Text }, "section", "indian-act", "en")
}

fn law(words: &str, language: &str) -> (Structured, bool) {
    read_as(words, Format::Text, "article", "chinese-code", language)
}

/// Unit, heading and text.
fn rows(s: &Structured) -> Vec<(String, &str, &str)> {
    s.provisions
        .iter()
        .map(|p| (p.id.unit.to_string(), p.heading.as_deref().unwrap_or("-"), p.text.as_str()))
        .collect()
}

fn units(s: &Structured) -> Vec<String> {
    s.provisions.iter().map(|p| p.id.unit.to_string()).collect()
}

fn pins(s: &Structured, unit: &str) -> Vec<String> {
    let p = s.provisions.iter().find(|p| p.id.unit.to_string() == unit).unwrap();
    p.pinpoints.iter().map(|p| p.path.join(".")).collect()
}

fn swallowed(s: &Structured) -> bool {
    s.diagnostics.iter().any(|d| d.code == "swallowed")
}

#[test]
fn sections_out_of_order_are_an_error_and_not_one_long_section() {
    // Words that differ, as sections do: frames are found by what they repeat.
    let words: Vec<String> =
        ["red", "blue", "tall", "dry", "wet", "old"].iter().map(|w| format!("{w} reeds")).collect();
    let section = |n: u32| {
        let kind = words.get(n as usize % words.len()).map_or("", String::as_str);
        let (a, b) = ("lake ".repeat(n as usize % 4 + 1), "pond ".repeat(n as usize % 5 + 1));
        format!("{n}. Of {kind}.—Whoever cuts {kind} near the {a}or the {b}pays.\n\n")
    };
    let down: String = (1..=20).rev().map(section).collect();
    let (s, fit) = act(&format!("REED ACT\n\n{down}"));
    assert!(swallowed(&s) && !fit);
    let shuffled: String = [3, 1, 8, 2, 6, 5, 4, 7].into_iter().map(section).collect();
    let (s, fit) = act(&format!("REED ACT\n\n{shuffled}"));
    assert!(swallowed(&s) && !fit);
    let up: String = (1..=20).map(section).collect();
    let (s, fit) = act(&format!("REED ACT\n\n{up}"));
    assert!(!swallowed(&s) && fit, "{:?}", s.diagnostics);
    assert_eq!(s.provisions.len(), 20);
}

#[test]
fn numbers_that_cannot_be_named_or_stand_elsewhere_are_an_error() {
    let (s, fit) = act(
        "Reed Act\n\n§ 12-3. Reeds\n\nA reed is cut.\n\n§ 12-5. Fine\n\nOne coin.\n\n§ 12-5A. More fine\n\nTwo coins.\n\n§ 12-6. End\n\nThis ends.\n",
    );
    assert!(swallowed(&s) && !fit, "{:?}", rows(&s));
    let (s, fit) = act(
        "Ley de juncos de 1962\n\nArtículo 1.- Objeto. Esta ley regula los juncos.\n\nArtículo 2.- Multa. La multa es de un peso.\n\nArtículo 3.- Fin. Aquí termina.\n\nArtículo 2 bis.- Plazo. El plazo es de un año.\n",
    );
    assert!(swallowed(&s) && !fit, "{:?}", rows(&s));
    // Marginal notes that were read into the text.
    let (s, fit) = act(
        "REED ACT\n\n1. Whoever cuts a reed shall pay one coin to the warden of the lake.\n\n2. The warden shall keep a book of the neighbourhood. Obstruction. 3. Whoever hinders him shall pay two coins.\n\n4. This Act ends here and says no more.\n",
    );
    assert!(swallowed(&s) && !fit, "{:?}", rows(&s));
    // References and lists are none.
    let (s, fit) = act(
        "REED ACT\n\n1. Reeds are green, as section 3. The warden sees to it.\n\n2. The colours are:\n1. Red.\n2. Blue.\n3. Green.\n4. Grey.\n5. Brown.\n\n4. This Act ends here.\n",
    );
    assert!(!swallowed(&s), "{:?}", s.diagnostics);
    let _ = fit;
}

#[test]
fn schedules_in_mixed_case_and_bold_are_schedules() {
    for head in [
        "## The First Schedule",
        "**The First Schedule**",
        "**THE FIRST SCHEDULE**",
        "### First Schedule: Reeds",
    ] {
        let (s, _) = act(&format!(
            "# Reed Act\n\n## 1. Reeds\n\nA reed is cut.\n\n## 2. Fine\n\nThe fine is one coin.\n\n## 3. End\n\nSee the First Schedule for more of this.\n\n{head}\n\n1. Red reeds.\n2. Blue reeds.\n"
        ));
        assert_eq!(units(&s), ["s1", "s2", "s3", "sch1"], "{head}");
        assert_eq!(s.provisions[2].text, "See the First Schedule for more of this.");
        assert_eq!(s.provisions[3].text, "1. Red reeds.\n2. Blue reeds.");
    }
    let (s, _) = read_as(
        "<h1>Reed Act</h1><p>1. Reeds.—A reed is cut.</p><p>2. Fine.—One coin.</p><h2>The First Schedule</h2><p>1. Red reeds.</p><h2>The Second Schedule</h2><p>1. Blue reeds.</p>",
        Format::Html,
        "section",
        "indian-act",
        "en",
    );
    assert_eq!(units(&s), ["s1", "s2", "sch1", "sch2"]);
}

#[test]
fn an_explanatory_note_is_no_part_of_the_act() {
    let (s, fit) = act(
        "Reed Act 1988\n\n1. Reeds\nA reed is cut in autumn.\n\n2. Fine\nThe fine is one coin for each reed.\n\n3. Name\nThis is the Reed Act.\n\nEXPLANATORY NOTE\n(This note is not part of the Act)\n\n1. This Act deals with reeds.\n2. It fines.\n3. It has a name.\n4. It costs nothing.\n",
    );
    assert_eq!(units(&s), ["s1", "s2", "s3"]);
    assert_eq!(s.provisions[2].text, "This is the Reed Act.");
    assert!(s.unassigned_share > 0.1 && fit == (s.unassigned_share <= 0.25));
}

#[test]
fn decimal_numbers_under_chapters_in_capitals_are_provisions() {
    let (s, fit) = act(
        "REED REGULATIONS 2003\n\n1 GENERAL\n\n1.1 Name. These are the Reed Regulations 2003.\n1.2 Meaning. In these regulations:\n(a) \"reed\" means a plant;\n(b) \"lake\" means water deeper than 2.5 metres.\n\n2 CUTTING\n\n2.1 Season. Nobody shall cut a reed in summer.\n2.1.1 A permit lasts 3 years.\n2.1.2 A permit costs 4 coins.\n2.2 Fine. The fine is set by regulation 2.1.\n2.10 Saving. Ducks may eat reeds.\n",
    );
    assert_eq!(units(&s), ["s1-1", "s1-2", "s2-1", "s2-2", "s2-10"]);
    assert!(fit, "{:?}", s.diagnostics);
    assert!(s.provisions[2].text.ends_with("\n2.1.1 A permit lasts 3 years.\n2.1.2 A permit costs 4 coins."));
    assert_eq!(s.provisions[0].breadcrumb.len(), 1, "{:?}", s.provisions[0].breadcrumb);
    // Sub-sections of numbered sections stay in them.
    let (s, _) = act(
        "Reed Rules\n\n1. Reeds\n\n1.1 A reed is cut.\n1.2 A reed is dried.\n\n2. Fine\n\n2.1 One coin is due.\n\n3. End\n\nNo more.\n",
    );
    assert_eq!(units(&s), ["s1", "s2", "s3"]);
}

#[test]
fn bullets_before_labels_begin_clauses() {
    let (s, _) = act(
        "# Reed Act\n\n### 1 Meaning {#s1}\n\nIn this Act—\n\n- (a) \"reed\" means a plant;\n- (b) \"lake\" includes—\n    - (i) a pond; and\n    - (ii) a pool.\n\n### 2 Fine\n\nThe fine under [section 1](#s1) is due if—\n\n* (a) a reed is cut; and\n* (b) no permit was given.\n\n### 3\\. End\n\nNo more reeds.\n",
    );
    assert_eq!(
        rows(&s)[0],
        (
            "s1".to_owned(),
            "Meaning",
            "In this Act—\n(a) \"reed\" means a plant;\n(b) \"lake\" includes—\n(i) a pond; and\n(ii) a pool."
        )
    );
    assert_eq!(pins(&s, "s1"), ["a", "b", "b.i", "b.ii"]);
    assert_eq!(pins(&s, "s2"), ["a", "b"]);
    assert!(s.provisions[1].text.starts_with("The fine under section 1 is due"));
    assert_eq!(units(&s), ["s1", "s2", "s3"]);
}

#[test]
fn the_dash_behind_a_bold_heading_is_neither_heading_nor_text() {
    let (s, _) = act(
        "# Reed Act\n\n**1. Short title.**—This Act is the Reed Act.\n\n**2. Fine.** — Whoever cuts a reed pays one coin.\n\n**3. End.—** No more reeds.\n",
    );
    assert_eq!(
        rows(&s),
        [
            ("s1".to_owned(), "Short title", "This Act is the Reed Act."),
            ("s2".to_owned(), "Fine", "Whoever cuts a reed pays one coin."),
            ("s3".to_owned(), "End", "No more reeds."),
        ]
    );
}

#[test]
fn a_korean_law_with_articles_paragraphs_and_items() {
    let (s, fit) = law(
        "갈대 관리에 관한 법률\n\n제1장 총칙\n\n제1조(목적) 이 법은 갈대의 관리에 필요한 사항을 정한다.\n\n제2조(정의) 이 법에서 사용하는 용어의 뜻은 다음과 같다.\n1. \"갈대\"란 물가의 풀을 말한다.\n2. \"못\"이란 고인 물을 말한다.\n\n제3조(책무) ① 시장은 갈대를 관리하여야 한다.\n② 주민은 갈대를 베어서는 아니 된다.\n\n제2장 벌칙\n\n제3조의2(벌금) 갈대를 벤 자는 한 냥을 낸다.\n\n제4조 삭제 <2015. 3. 2.>\n",
        "ko",
    );
    assert_eq!(units(&s), ["a1", "a2", "a3", "a3-2", "a4"]);
    assert_eq!(rows(&s)[0].1, "목적");
    assert!(rows(&s)[0].2.starts_with("이 법은"));
    assert_eq!(pins(&s, "a2"), ["p1", "p1.i1", "p1.i2"]);
    assert_eq!(pins(&s, "a3"), ["p1", "p2"]);
    assert_eq!(s.provisions[3].breadcrumb, ["제2장 벌칙"]);
    assert!(fit, "{:?}", s.diagnostics);
}

#[test]
fn taiwanese_articles_with_hyphens_and_japanese_paragraphs() {
    let (s, fit) = law(
        "蘆葦保護條例\n第一章　總則\n第 1 條\n為保護蘆葦，特制定本條例。\n第 2 條\n本條例用詞，定義如下：\n一、蘆葦：指水邊之草。\n二、池：指積水之處。\n第 2-1 條\n每日採蘆葦不得逾四十束。\n第 3 條 之 1\n主管機關得委託民間管理。\n",
        "zh-Hant",
    );
    assert_eq!(units(&s), ["a1", "a2", "a2-1", "a3-1"]);
    assert_eq!(pins(&s, "a2"), ["p1", "p1.i1", "p1.i2"]);
    assert!(fit, "{:?}", s.diagnostics);
    let (s, _) = law(
        "葦法\n\n（定義）\n第一条　この法律において「葦」とは、水辺の草をいう。\n２　この法律において「池」とは、次に掲げるものをいう。\n一　自然の池\n二　人工の池\n\n（罰則）\n第一条の二　葦を刈った者は、一円を払う。\n",
        "ja",
    );
    assert_eq!(units(&s), ["a1", "a1-2"]);
    assert_eq!(pins(&s, "a1"), ["p1", "p2", "p2.i1", "p2.i2"]);
}

#[test]
fn articles_out_of_order_in_a_code_are_an_error() {
    let (s, fit) = law(
        "芦苇条例\n\n第四条　丁是芦苇。\n\n第三条　丙是芦苇。\n\n第二条　乙是芦苇。\n\n第一条　甲是芦苇。\n",
        "zh",
    );
    assert!(swallowed(&s) && !fit, "{:?}", rows(&s));
}

#[test]
fn annexes_forms_and_schedules_by_letter_or_word_are_no_part_of_the_last_section() {
    let body = "THE REED ACT, 1988\n\n1. Name.—This Act may be called the Reed Act.\n\n2. Fine.—One coin is due under the First Schedule.\n\n";
    for (first, second) in [
        ("Schedule A", "Schedule B"),
        ("Annexure I", "Annexure II"),
        ("APPENDIX A", "APPENDIX B"),
        ("SCHEDULE ONE", "SCHEDULE TWO"),
        ("Schedule C: Red", "Schedule D: Blue"),
    ] {
        let (s, fit) = act(&format!("{body}{first}\n\n1. Red reeds.\n\n{second}\n\n1. Blue reeds.\n"));
        if first.contains("C:") {
            // What begins with the third lacks two.
            assert!(swallowed(&s) && !fit);
        } else {
            assert_eq!(units(&s), ["s1", "s2", "sch1", "sch2"], "{first}");
            assert_eq!(rows(&s)[3].2, "1. Blue reeds.");
        }
    }
    // Without blank lines, and as a paragraph of its own.
    let close = body.replace("\n\n", "\n");
    let (s, _) =
        act(&format!("{close}The First Schedule\n1. Red reeds.\nThe Second Schedule\nForm of oath.\n"));
    assert_eq!(units(&s), ["s1", "s2", "sch1", "sch2"]);
    let (s, fit) = act(&format!("{body}FORM A\n\nI cut reeds.\n\nFORM B\n\nI pay for them.\n"));
    assert!(swallowed(&s) && !fit);
    // References are none.
    let (s, _) = act(&format!("{body}3. Lists.—The warden keeps the list in\nSchedule 2\nand shows it.\n"));
    assert_eq!(units(&s), ["s1", "s2", "s3"]);
}

#[test]
fn numbers_that_no_name_can_have_are_an_error() {
    let (s, fit) = law(
        "葦法\n\n第一条　葦は草である。\n\n第一条の二　池の葦も草である。\n\n第一条の二の二　池は水である。\n\n第二条　終わり。\n",
        "ja",
    );
    assert!(swallowed(&s) && !fit, "{:?}", rows(&s));
    let (s, fit) = act(
        "Reed Rules\n\n1.1 Name. These are the Reed Rules.\n\n1.2 Fine. One coin is due.\n\n1.2A Grace. None is due from children.\n\n2.1 End. This ends.\n",
    );
    assert!(swallowed(&s) && !fit, "{:?}", rows(&s));
}

#[test]
fn a_heading_stands_above_its_number() {
    for text in [
        "Reed Act 1988\n\nShort title\n\n1.\nThis Act may be called the Reed Act.\n\nCutting of reeds\n\n2.\nNo person shall cut a reed.\n\nFine\n\n3.\nOne coin is due.\n",
        "Reed Act 1988\n\nShort title\n\nSection 1\n\nThis Act may be called the Reed Act.\n\nCutting of reeds\n\nSection 2\n\nNo person shall cut a reed.\n\nFine\n\nSection 3\n\nOne coin is due.\n",
    ] {
        let (s, fit) = act(text);
        let headings: Vec<&str> = rows(&s).iter().map(|r| r.1).collect();
        assert_eq!(headings, ["Short title", "Cutting of reeds", "Fine"]);
        assert_eq!(s.provisions[1].text, "No person shall cut a reed.");
        assert!(fit);
    }
    let (s, _) = read_as(
        "<h1>Reed Act</h1><h4>Reeds</h4><p>1. A reed is cut.</p><h4>Fine</h4><p>2. One coin is due.</p>",
        Format::Html,
        "section",
        "indian-act",
        "en",
    );
    assert_eq!(rows(&s)[1], ("s2".to_owned(), "Fine", "One coin is due."));
}

#[test]
fn an_act_of_one_section_is_an_act() {
    let (s, fit) = act("THE REED ACT, 1988\n\nSection 1. This Act repeals the Water Act.\n");
    assert_eq!(units(&s), ["s1"]);
    assert!(fit);
}
