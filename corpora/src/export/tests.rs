use super::*;
use crate::pinpoint::pinpoints;
use crate::provision::{Annotation, AnnotationKind, SourceRef, Status, StruckDown};

const MANIFEST: &str = r#"id = "xx/tide-act"
kind = "substantive"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2001-01-01"
[title]
en = "Tide & Harbour Act, 2000"
[names]
en = ["Tide Act"]
[[version]]
from = "2005-01-01"
expected = ["1-4", "2A"]
[[source]]
id = "gazette"
kind = "file"
version = "2005-01-01"
complete = false
format = "text"
note = "Printed in the harbour; in the public domain."
"#;

fn provision(unit: &str, heading: &str, chapter: &str, text: &str) -> Provision {
    Provision {
        id: format!("xx/tide-act#{unit}").parse().unwrap(),
        heading: Some(heading.to_owned()),
        breadcrumb: vec![chapter.to_owned()],
        text: text.to_owned(),
        status: Status::InForce,
        in_force_from: None,
        in_force_until: None,
        struck_down: None,
        annotations: Vec::new(),
        pinpoints: pinpoints(text, Grammar::IndianAct),
        source: SourceRef { file_sha256: "00".to_owned(), page: Some(1), offset: None },
    }
}

fn edition() -> Edition {
    let mut provisions = vec![
        provision("s1", "Title", "CHAPTER I TIDES", "This Act may be called the Tide Act."),
        provision(
            "s2",
            "Boats <small> & large",
            "CHAPTER I TIDES",
            "(1) A boat is *small* if it carries < 3 people & one dog.\n(2) A boat is large otherwise.",
        ),
        provision("s2A", "Omitted", "CHAPTER II PORTS", ""),
        provision(
            "s3",
            "Ports",
            "CHAPTER II PORTS",
            "# No port may be shut.\n- Except by night.\n1. And on feasts.",
        ),
        provision("sch1", "Fees", "", "PART I\nA boat: nine coins."),
    ];
    provisions[2].status = Status::Omitted;
    provisions[3].struck_down = Some(StruckDown {
        date: "2010-02-03".parse().unwrap(),
        source: "The Ferryman's Case".to_owned(),
        note: "in part".to_owned(),
    });
    provisions[3].annotations.push(Annotation {
        kind: AnnotationKind::Footnote,
        marker: Some("1".to_owned()),
        text: "Subs. by Act 9 of 2004.".to_owned(),
        at: None,
    });
    Edition {
        work: "xx/tide-act".parse().unwrap(),
        version: "2005-01-01".parse().unwrap(),
        language: "en".to_owned(),
        source: "gazette".to_owned(),
        source_file: "tide.txt".to_owned(),
        source_sha256: "ab".repeat(32),
        complete: false,
        provisions,
    }
}

fn written(format: ExportFormat) -> String {
    let manifest = Manifest::parse("tide", MANIFEST).unwrap();
    let mut out = Vec::new();
    export(&edition(), Some(&manifest), format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn lines_read_back_as_the_provisions_they_were() {
    let text = written(ExportFormat::Jsonl);
    let lines: Vec<Line> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let edition = edition();
    assert_eq!(lines.len(), edition.provisions.len());
    for (line, p) in lines.iter().zip(&edition.provisions) {
        assert_eq!((&line.id, &line.text, &line.heading), (&p.id, &p.text, &p.heading));
        assert_eq!(
            (&line.pinpoints, &line.annotations, line.status),
            (&p.pinpoints, &p.annotations, p.status)
        );
        assert_eq!(line.provenance.missing, ["s4"]);
        assert_eq!(line.provenance.coverage(), "4 of 5 provisions; missing: s4; the source is incomplete");
        assert!(line.provenance.licence.contains("public domain"));
    }
    assert_eq!(lines.iter().map(|l| l.number.as_str()).collect::<Vec<_>>(), ["1", "2", "2A", "3", "sch1"]);
}

#[test]
fn markdown_keeps_every_word_and_makes_none_of_its_own_marks() {
    let text = written(ExportFormat::Markdown);
    assert!(text.starts_with("---\nid: \"xx/tide-act@2005-01-01:en\"\n"), "{text}");
    assert_eq!(text.matches("\n## CHAPTER").count(), 2);
    assert_eq!(text.matches("\n##### ").count(), 5);
    for line in ["\\# No port may be shut.", "\\- Except by night.", "1\\. And on feasts.", "\\*small\\*"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(
        text.contains("*Omitted.*")
            && text.contains("The Ferryman's Case")
            && text.contains("> 1 Subs. by Act 9")
    );
}

/// Elements of an XML text with their depth, and the words of each.
fn elements(xml: &str) -> Vec<(Vec<String>, String)> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    let (mut open, mut out): (Vec<String>, Vec<(Vec<String>, String)>) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) => open.push(String::from_utf8(tag.name().as_ref().to_vec()).unwrap()),
            Event::End(_) => {
                open.pop();
            }
            Event::Text(t) => out.push((open.clone(), t.decode().unwrap().into_owned())),
            Event::GeneralRef(r) => {
                let sign = match &*r {
                    b"amp" => "&",
                    b"lt" => "<",
                    b"gt" => ">",
                    b"apos" => "'",
                    b"quot" => "\"",
                    other => panic!("{other:?}"),
                };
                out.push((open.clone(), sign.to_owned()));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty());
    out
}

#[test]
fn akoma_ntoso_is_well_formed_uses_its_own_elements_and_keeps_the_words() {
    let xml = written(ExportFormat::Akn);
    let known = [
        "akomaNtoso",
        "act",
        "meta",
        "identification",
        "FRBRWork",
        "FRBRExpression",
        "FRBRManifestation",
        "references",
        "notes",
        "note",
        "proprietary",
        "preface",
        "longTitle",
        "p",
        "docTitle",
        "body",
        "chapter",
        "section",
        "num",
        "heading",
        "content",
        "subsection",
        "hcontainer",
        "intro",
        "preamble",
        "part",
        "article",
        "paragraph",
    ];
    let found = elements(&xml);
    for (path, _) in &found {
        for name in path {
            assert!(known.contains(&name.as_str()) || name.starts_with("nyaya:"), "{name}");
        }
    }
    let words: String = found
        .iter()
        .filter(|(path, _)| path.contains(&"body".to_owned()))
        .map(|(_, text)| text.as_str())
        .collect::<String>()
        .split_whitespace()
        .collect();
    for p in edition().provisions {
        let text: String = p.text.split_whitespace().collect();
        assert!(words.contains(&text), "{}: {words}", p.id);
    }
    for id in
        ["eId=\"chp_1\"", "eId=\"sec_2__subsec_2\"", "eId=\"sec_2A\" status=\"removed\"", "eId=\"sched_1\""]
    {
        assert!(xml.contains(id), "{id}: {xml}");
    }
}
