//! Acts as people have them, in many languages and formats, invented for each way in which one can be misread.

use nyaya_corpora::manifest::{Format, Manifest};
use nyaya_corpora::{Provision, Status};
use proptest::prelude::*;

use super::{Structured, structure};
use crate::check::check;
use crate::read::{Body, Document, Line, html, text};

fn manifest(unit: &str, grammar: &str, language: &str) -> Manifest {
    let text = format!(
        "id = \"xx/kites\"\nkind = \"other\"\nunit = \"{unit}\"\ngrammar = \"{grammar}\"\nlanguage = \"{language}\"\nin_force_from = \"2001-02-03\"\n[title]\nen = \"Kite Act\"\n[names]\nen = [\"Kite Act\"]\n"
    );
    Manifest::parse("test", &text).unwrap()
}

fn document(lines: Vec<Line>, format: Format) -> Document {
    Document {
        path: "kites".into(),
        sha256: "00".into(),
        format,
        pages: None,
        files: Vec::new(),
        body: Body::Lines(lines),
        notes: Vec::new(),
    }
}

fn read(words: &str) -> Structured {
    let format = if words.contains("\n#") || words.contains("**") { Format::Markdown } else { Format::Text };
    let doc = document(text::lines_of(words, format, 0), format);
    structure(&doc, &manifest("section", "indian-act", "en"), None)
}

fn page(words: &str) -> Structured {
    let doc = document(html::lines_of(words), Format::Html);
    structure(&doc, &manifest("section", "indian-act", "en"), None)
}

fn han(words: &str, language: &str) -> Structured {
    let doc = document(text::lines_of(words, Format::Markdown, 0), Format::Markdown);
    structure(&doc, &manifest("article", "chinese-code", language), None)
}

/// Number, heading and text of every provision.
fn rows(s: &Structured) -> Vec<(String, &str, &str)> {
    let number = |p: &Provision| p.id.unit.to_string();
    s.provisions.iter().map(|p| (number(p), p.heading.as_deref().unwrap_or("-"), p.text.as_str())).collect()
}

fn crumbs(s: &Structured) -> Vec<String> {
    s.provisions.iter().map(|p| p.breadcrumb.join(" > ")).collect()
}

fn row<'a>(number: &str, heading: &'a str, text: &'a str) -> (String, &'a str, &'a str) {
    (number.to_owned(), heading, text)
}

#[test]
fn a_sentence_is_no_heading() {
    let s = read(
        "KITE ACT\n\n1. (1) Kites shall be red.\n(2) Strings shall be white.\n\n2. Nobody shall sell a wet kite.\n\nThe fine is one coin.\n\n3. Kites shall be dry.\nExplanation.—Dew is no water.\n\n4. A seller shall hold a badge.\nProvided that a child needs none.\n",
    );
    assert_eq!(
        rows(&s),
        [
            row("s1", "-", "(1) Kites shall be red.\n(2) Strings shall be white."),
            row("s2", "-", "Nobody shall sell a wet kite.\nThe fine is one coin."),
            row("s3", "-", "Kites shall be dry.\nExplanation.—Dew is no water."),
            row("s4", "-", "A seller shall hold a badge.\nProvided that a child needs none."),
        ]
    );
    let s = read(
        "Kite Act\n\n§ 1. Kites shall be red.\n\n§ 2. Nobody shall sell a wet kite.\n\nThe fine is one coin.\n",
    );
    assert_eq!(rows(&s)[1], row("s2", "-", "Nobody shall sell a wet kite.\nThe fine is one coin."));
}

#[test]
fn a_title_on_its_own_line_is_a_heading() {
    for (act, heading, text) in [
        (
            "Section 1. Short title\nThis is the Kite Act.\n\nSection 2. Kites\nKites shall be red.\n",
            "Kites",
            "Kites shall be red.",
        ),
        (
            "§ 1 Zweck\nDieses Gesetz dient den Drachen.\n\n§ 2 Farbe\n(1) Drachen sind rot.\n",
            "Farbe",
            "(1) Drachen sind rot.",
        ),
        (
            "Rule 1. Title.\nThese are the Kite Rules.\n\nRule 2. Colour.\nKites shall be red.\n",
            "Colour",
            "Kites shall be red.",
        ),
        (
            "SEC. 1. TITLE. This is the Kite Act.\n\nSEC. 2. COLOUR. In this Act:\n(1) kites are red.\n",
            "COLOUR",
            "In this Act:\n(1) kites are red.",
        ),
        (
            "# Kite Act\n\n**Section 1. Title.** This is the Kite Act.\n\n**Section 2. Colour.** Kites shall be red.\n",
            "Colour",
            "Kites shall be red.",
        ),
        (
            "# Kite Act\n\n**Section 1.** This is the Kite Act.\n\n**Section 2.** Kites shall be red.\n",
            "-",
            "Kites shall be red.",
        ),
        (
            "The Kite Act\n\n1 Title\nThis is the Kite Act.\n\n2 Colour\nKites shall be red.\n\nSCHEDULE 1\n\n1. Red.\n2. Rose.\n",
            "Colour",
            "Kites shall be red.",
        ),
        (
            "Kite Code\n\nClause 1. Title\nThis is the Kite Code.\n\nClause 2. Colour\nKites shall be red.\n",
            "Colour",
            "Kites shall be red.",
        ),
    ] {
        let s = read(act);
        assert_eq!(rows(&s)[1], row("s2", heading, text), "{act}");
        assert!(s.provisions.iter().flat_map(|p| &p.annotations).next().is_none(), "{act}");
    }
    let s = read("Article 1\nSubject\nThis is about kites.\n\nArticle 2\nColour\nKites shall be red.\n");
    assert_eq!(rows(&s)[1], row("s2", "Colour", "Kites shall be red."));
}

#[test]
fn divisions_are_titles_in_every_language() {
    for (line, crumb) in [
        ("CHAPTER II\nSALES", "CHAPTER II. SALES"),
        ("Chapter II. Sales", "CHAPTER II. Sales"),
        ("Part B: Fines", "PART B. Fines"),
        ("Division 2 Appeals", "Division 2. Appeals"),
        ("Subpart C", "Subpart C"),
        ("अध्याय 2\nदंड", "अध्याय 2. दंड"),
        ("Titre II : Sanctions", "Titre II. Sanctions"),
        ("TÍTULO II\nSanciones", "TÍTULO II. Sanciones"),
        ("Abschnitt 2\nStrafen", "Abschnitt 2. Strafen"),
        ("2. Kapitel: Strafen", "2. Kapitel. Strafen"),
        ("Title II. Organs", "Title II. Organs"),
        ("PARTIES", "PARTIES"),
    ] {
        let s = read(&format!(
            "1. Title.—This is the Kite Act.\n\n{line}\n\n2. Colour.—Kites shall be red.\n\n3. Size.—Kites shall be small.\n"
        ));
        assert_eq!(rows(&s)[0], row("s1", "Title", "This is the Kite Act."), "{line}");
        assert_eq!(crumbs(&s), ["", crumb, crumb], "{line}");
    }
    // What goes on with the sentence is text.
    let s = read(
        "1. Title.—This is the Kite Act. It is read with\nPart II of the Tail Act.\n\n2. Colour.—Kites shall be red as\nChapter 3 says.\n",
    );
    assert_eq!(crumbs(&s), ["", ""]);
    assert!(s.provisions[0].text.ends_with("with Part II of the Tail Act."));
}

#[test]
fn numbers_between_numbers_are_numbers() {
    let s = read(
        "Article 3\nLes rouges.\n\nArticle 3-1\nLes verts.\n\nArticle L. 4\nLes bleus.\n\nArticle 12-2\nLes noirs.\n",
    );
    let numbers: Vec<String> = rows(&s).into_iter().map(|r| r.0).collect();
    assert_eq!(numbers, ["s3", "s3-1", "s4", "s12-2"]);
    let s = read(
        "1. Title.—The Kite Act.\n\n2. Size.—Kites are small.\n\n2 A. Tails.—Tails are long.\n\n2(B). Knots.—Knots are tight.\n",
    );
    let numbers: Vec<String> = rows(&s).into_iter().map(|r| r.0).collect();
    assert_eq!(numbers, ["s1", "s2", "s2A", "s2B"]);
}

#[test]
fn numbers_that_begin_again_are_said_and_not_merged() {
    for (act, title) in [
        (
            "ORDER I\nKITES\n\n1. Red.—Red kites fly.\n\n2. Blue.—Blue kites fall.\n\nORDER II\nTAILS\n\n1. Long.—Tails are long.\n\n2. Short.—None is short.\n",
            "ORDER II. TAILS",
        ),
        (
            "# Kites\n\n## Part 1 Red\n\n1. Red kites fly.\n2. They fall.\n\n## Part 2 Blue\n\n1. Blue kites fly.\n2. They fall.\n",
            "PART 2. Blue",
        ),
    ] {
        let s = read(act);
        assert_eq!(s.provisions.len(), 4, "{act}");
        let finding = s.diagnostics.iter().find(|d| d.code == "numbers_again").unwrap();
        assert!(finding.message.contains(title), "{}", finding.message);
        assert!(!check(&s, &manifest("section", "indian-act", "en"), None, None).fit);
    }
    let s = read(
        "1. Red.—Red kites fly.\n2. Blue.—Blue kites fall.\n2. Green.—Green kites sail.\n3. Black.—None is black.\n",
    );
    assert_eq!(s.provisions.len(), 4);
    assert!(s.diagnostics.iter().any(|d| d.message.contains("a number stands twice")));
    // A list inside a section is no second numbering.
    let s = read(
        "1. Red.—Red kites fly.\n\n2. Blue.—A seller shall—\n1. look at the kite;\n2. count its strings.\n\n3. Black.—None is black.\n",
    );
    assert_eq!(s.provisions.len(), 3);
    assert_eq!(s.provisions[1].text, "A seller shall—\n1. look at the kite;\n2. count its strings.");
}

#[test]
fn words_for_what_is_gone() {
    for (words, status) in [
        ("(weggefallen)", Status::Omitted),
        ("(abrogé)", Status::Repealed),
        ("[निरसित]", Status::Repealed),
        ("(Deleted)", Status::Omitted),
        ("* * * * *", Status::Omitted),
        ("[Repealed by the Tail Act.]", Status::Repealed),
        ("The seller may omit the tail.", Status::InForce),
        ("Deleted records shall be kept for a year.", Status::InForce),
    ] {
        let s = read(&format!("1. Red.—Red kites fly.\n\n2. {words}\n\n3. Black.—None is black.\n"));
        assert_eq!(s.provisions[1].status, status, "{words}");
        let report = check(&s, &manifest("section", "indian-act", "en"), None, None);
        assert!(report.fit, "{words}: {:?}", report.diagnostics);
    }
}

#[test]
fn traditional_letters_and_laws_of_japan() {
    let s = han(
        "風箏條例\n\n第一章 總則\n\n第一條 為管理風箏，制定本條例。\n\n第一條之一 風箏須登記。\n\n第二條 （刪除）\n",
        "zh-Hant",
    );
    assert_eq!(
        rows(&s),
        [
            row("a1", "-", "為管理風箏，制定本條例。"),
            row("a1-1", "-", "風箏須登記。"),
            row("a2", "-", "（刪除）")
        ]
    );
    assert_eq!(s.provisions[2].status, Status::Omitted);
    let s = han(
        "凧法\n\n第一章　総則\n\n（目的）\n第一条　この法律は、凧を守る。\n\n（色）\n第一条の二　凧は赤とする。\n第一条の規定は、尾に準用する。\n\n第二条　削除\n\n附　則\nこの法律は、公布の日から施行する。\n",
        "ja",
    );
    assert_eq!(
        rows(&s),
        [
            row("a1", "目的", "この法律は、凧を守る。"),
            row("a1-2", "色", "凧は赤とする。\n第一条の規定は、尾に準用する。"),
            row("a2", "-", "削除"),
            row("sch1", "附則", "この法律は、公布の日から施行する。"),
        ]
    );
}

#[test]
fn pages_with_headings_and_marginal_columns() {
    let s = page(
        "<h1>Kite Act</h1><h2>Part 1: Kites</h2><h3>1 Title</h3><p>This is the Kite Act.</p><h3>2 Colour of kites</h3><p>Kites are red.</p><p>Tails are white.</p><h3>3 (weggefallen)</h3>",
    );
    assert_eq!(
        rows(&s),
        [
            row("s1", "Title", "This is the Kite Act."),
            row("s2", "Colour of kites", "Kites are red.\nTails are white."),
            row("s3", "-", "(weggefallen)")
        ]
    );
    assert_eq!(crumbs(&s)[1], "PART 1. Kites");
    let s = page(
        "<table><tr><td>Title.</td><td>1. This is the Kite Act.</td></tr><tr><td>Colour.</td><td>2. (1) Kites are red.<br>(2) Tails are white.</td></tr></table>",
    );
    assert_eq!(
        rows(&s),
        [
            row("s1", "Title", "This is the Kite Act."),
            row("s2", "Colour", "(1) Kites are red.\n(2) Tails are white.")
        ]
    );
    // A table of numbers and words has no marginal notes.
    let lines =
        html::lines_of("<table><tr><td>Red</td><td>1.</td></tr><tr><td>Blue</td><td>2.</td></tr></table>");
    assert!(lines.iter().all(|l| l.beside.is_empty()));
}

#[test]
fn annexes_and_notes_at_the_end_are_no_part_of_the_last_section() {
    let s = read(
        "Article 1\nKites are red.\n\nArticle 2\nTails are white.\n\nANNEX\nColours\n1. Red.\n2. White.\n",
    );
    assert_eq!(rows(&s)[1], row("s2", "-", "Tails are white."));
    assert_eq!(rows(&s)[2], row("sch1", "-", "Colours\n1. Red.\n2. White."));
    let s = read(
        "1. Red.—Kites are red.\n\n1[2. White.—Tails are 2[white].]\n\n1. Ins. by Act 2 of 1950, s. 3.\n2. Subs. by Act 4 of 1951, s. 2.\n",
    );
    assert_eq!(rows(&s)[1], row("s2", "White", "Tails are white."));
    assert_eq!(
        s.provisions[1].annotations.iter().filter(|a| !a.text.is_empty() && a.marker.is_some()).count(),
        2
    );
}

#[test]
fn the_title_of_the_act_is_no_chapter() {
    let s = read("THE KITE ACT\n\n1. Red.—Kites are red.\n\n2. White.—Tails are white.\n");
    assert_eq!(crumbs(&s), ["", ""]);
    let s = read("THE KITE ACT\n\nPARTS OF KITES\n\n1. Red.—Kites are red.\n\n2. White.—Tails are white.\n");
    assert_eq!(crumbs(&s)[0], "PARTS OF KITES");
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every word between a head and the next is in the heading, the text, the notes, or the title of what follows.
    #[test]
    fn no_word_is_lost(
        sections in proptest::collection::vec(
            (
                prop::sample::select(vec!["{n}. ", "Section {n}. ", "§ {n} ", "Article {n}\n", "## {n}. ", "**Section {n}.** "]),
                proptest::collection::vec(
                    prop::sample::select(vec![
                        "Short title", "Kites.", "Kites.—", "The kite shall be red.", "(1) Red kites fly.", "(2) They fall;",
                        "Explanation.—Dew is wet.", "Provided that none falls:", "1. one kite;", "CHAPTER II", "Part B: Tails",
                        "Tails of kites", "**Bold** words.", "TAILS", "no kite falls", "Chapter 3 says so.", "(deleted)",
                        "| a | b |", "* * * * *", "Titre II", "", "", "SCHEDULES ARE LISTS",
                    ]),
                    1..7,
                ),
            ),
            1..6,
        ),
        same in any::<bool>(),
    ) {
        let mut act = String::new();
        let first = sections[0].0;
        for (n, (head, lines)) in sections.iter().enumerate() {
            let head = if same { first } else { head };
            act.push_str(&head.replace("{n}", &(n + 1).to_string()));
            act.push_str(&lines.join("\n"));
            act.push_str("\n\n");
        }
        let s = read(&act);
        prop_assume!(!s.provisions.is_empty());
        let mut kept: Vec<String> = Vec::new();
        for p in &s.provisions {
            kept.extend(words(p.heading.as_deref().unwrap_or_default()));
            kept.extend(words(&p.text));
            kept.extend(p.breadcrumb.iter().flat_map(|b| words(b)));
            kept.extend(p.annotations.iter().flat_map(|a| words(&a.text)));
            kept.extend(words(&p.id.unit.to_string()));
        }
        kept.extend(s.unassigned.iter().flat_map(|u| words(&u.2)));
        let plain = |w: &String| !w.bytes().all(|b| b.is_ascii_digit()) && !["section", "article"].contains(&w.as_str());
        // What stands before the first head is no provision's.
        let from = s.provisions.iter().filter_map(|p| p.source.offset).min().unwrap_or(0);
        for word in words(act.get(from..).unwrap_or_default()).into_iter().filter(plain) {
            prop_assert!(kept.contains(&word), "{word} of\n{act}\nis in none of {:?}", rows(&s));
        }
    }
}
