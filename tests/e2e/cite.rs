//! `nyaya cite`, `nyaya concord` and `nyaya corpus export` as a person runs them.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use super::support::{Place, WORK};

/// Runs with a text on standard input; gives the exit code, stdout, stderr.
fn piped(place: &Place, args: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let mut child = place
        .command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let out = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code(), text(out.stdout), text(out.stderr))
}

fn lines(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{l}: {e}"))).collect()
}

const TEXTS: &str = r#"{"id": "a", "text": "Section 6 of the River Act; section 66 of the River Act; Section 7 River Act", "as_of": "2020-01-01"}
{"id": 2, "text": "naïve: Section 6 River Act says “Whoever fouls the water shall be punished with imprisonment of either description for a term which may extend to nine years, and shall also be liable to fine.”"}
not json
{"text": "Section 9 River Act provides “Whoever, knowing that people drink from a river, puts into it a thing that makes its water unfit for drinking, fouls the water”; Rule 5; (2014) 8 SCC 273"}
{"text": "x", "as_of": "yesterday"}
{"text": "Section 3 of the River Act", "as_of": "1999-01-01", "jurisdiction": "IN"}
"#;

#[test]
fn many_texts_one_answer_a_line_and_no_line_is_lost() {
    let place = Place::built();
    let (code, out, err) = piped(&place, &["cite", "-", "--jsonl"], TEXTS.as_bytes());
    assert_eq!(code, Some(1), "{err}");
    for words in ["standard input:3", "standard input:5", "hint:", "2 of 6 lines"] {
        assert!(err.contains(words), "{words}: {err}");
    }
    let all = lines(&out);
    assert_eq!(all.iter().map(|l| l["line"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 4, 6]);
    assert_eq!((&all[0]["id"], &all[1]["id"]), (&Value::from("a"), &Value::from(2)));
    let verdicts = |n: usize| -> Vec<&str> {
        all[n]["citations"].as_array().unwrap().iter().map(|c| c["verdict"].as_str().unwrap()).collect()
    };
    assert_eq!(verdicts(0), ["verified", "not_found", "repealed"]);
    assert_eq!(all[0]["citations"][1]["range"], "1-9");
    assert_eq!(all[0]["citations"][0]["id"], format!("{WORK}#s6"));
    assert_eq!(verdicts(1), ["misquoted"]);
    let reason = all[1]["citations"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("three") && reason.contains("nine"), "{reason}");
    // Spans count characters: there is an ï before.
    assert_eq!(all[1]["citations"][0]["span"], serde_json::json!([7, 26]));
    assert_eq!(verdicts(2), ["wrong_number", "unchecked"]);
    assert!(all[2]["citations"][0]["reason"].as_str().unwrap().contains("#s5"));
    assert_eq!(all[2]["coverage"]["not_understood"], 1);
    assert_eq!(all[2]["not_understood"][0]["raw"], "Rule 5");
    assert_eq!(all[2]["coverage"]["checked"], 1);
    assert_eq!(verdicts(3), ["not_yet_in_force"]);
}

#[test]
fn a_text_gives_a_table_with_its_coverage() {
    let place = Place::built();
    std::fs::write(place.path("text.txt"), "Section 6 River Act,\nsection 3 of the Weather Act.\n").unwrap();
    let out = place.ok(&["cite", "text.txt"]);
    for words in [
        "1:1",
        "2:1",
        "verified",
        "unchecked",
        "xx/river-act#s6",
        "coverage: 2 recognised",
        "1 looked up, 1 not",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let json = place.json(&["cite", "text.txt"]);
    assert_eq!(json["coverage"]["total"], 2);
    assert_eq!(json["citations"][1]["id"], Value::Null);
    assert_eq!(place.run(&["cite", "text.txt", "--strict"]).status.code(), Some(1));
    std::fs::write(place.path("good.txt"), "Section 6 River Act\n").unwrap();
    assert_eq!(place.run(&["cite", "good.txt", "--strict"]).status.code(), Some(0));
    std::fs::write(place.path("bad.txt"), b"Section 6 \xff").unwrap();
    place.fails(&["cite", "bad.txt"], &["byte 10", "UTF-8"]);
    place.fails(&["cite", "absent.txt"], &["absent.txt"]);
    std::fs::write(place.path("judgment.pdf"), b"%PDF-1.4\nSection 6 River Act").unwrap();
    place.fails(&["cite", "judgment.pdf"], &["judgment.pdf", "plain text"]);
    place.fails(&["cite", "text.txt", "--default-statute", "xx/none"], &["xx/none"]);
    place.fails(&["cite", "text.txt", "--jurisdiction", "India"], &["India"]);
}

#[test]
fn without_a_knowledge_base_numbers_are_looked_up_and_the_result_says_so() {
    let place = Place::new();
    let input = r#"{"text": "Section 302 IPC, Section 512 IPC, Section 161 IPC, Section 300 Exception 1 IPC, Section 65B Evidence Act", "as_of": "2023-05-01"}
{"text": "第三条；《刑法》第二百三十二条、第一百三十三条之九"}
{"text": "Section 302 IPC provides “whoever is late to the court shall be punished with a song and a dance”", "as_of": "2023-05-01"}
{"text": "Section 302 IPC, Section 512 IPC", "as_of": "1987-05-01"}"#;
    let (code, out, err) = piped(&place, &["cite", "-", "--jsonl"], input.as_bytes());
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("no knowledge base"), "{err}");
    let all = lines(&out);
    let verdicts = |n: usize| -> Vec<&str> {
        all[n]["citations"].as_array().unwrap().iter().map(|c| c["verdict"].as_str().unwrap()).collect()
    };
    assert_eq!(verdicts(0), ["verified", "not_found", "repealed", "unchecked", "unchecked"]);
    let first = &all[0]["citations"][0];
    assert_eq!(first["looked_up_in"], "number");
    assert!(first["reason"].as_str().unwrap().contains("by its number only"));
    assert_eq!(all[0]["coverage"]["by_number_only"], 3);
    assert_eq!(verdicts(1), ["unchecked", "verified", "not_found"]);
    assert_eq!(all[1]["jurisdiction"], "cn");
    // A quotation that cannot be compared is not green.
    assert_eq!(verdicts(2), ["unchecked"]);
    // A list of numbers says nothing of a day before it.
    assert_eq!(verdicts(3), ["unchecked", "not_found"]);
    let (code, _, _) = piped(&place, &["cite", "-", "--strict"], b"Section 302 IPC");
    assert_eq!(code, Some(1));
}

#[test]
fn the_date_picks_the_code() {
    let place = Place::new();
    let of = |args: &[&str]| {
        let mut all = vec!["concord"];
        all.extend(args);
        let json = place.json(&all);
        let list = |v: &Value| {
            v.as_array().unwrap().iter().map(|x| x.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
        };
        (json["governs"].as_str().unwrap().to_owned(), list(&json["applicable"]), json)
    };
    let (governs, applicable, _) = of(&["in/ipc#s302", "--offence-date", "2024-06-30"]);
    assert_eq!((governs.as_str(), applicable.as_str()), ("old", "in/ipc#s302"));
    let (governs, applicable, _) = of(&["in/ipc#s302", "--offence-date", "2024-07-01"]);
    assert_eq!((governs.as_str(), applicable.as_str()), ("new", "in/bns#s103"));
    let (governs, applicable, json) = of(&["in/ipc#s302"]);
    assert_eq!((governs.as_str(), applicable.as_str()), ("either", "in/ipc#s302 in/bns#s103"));
    assert_eq!(json["links"][0]["relation"], json["links"][0]["relation"].as_str().unwrap());
    // Pending on the day on which the new code came.
    let (governs, applicable, json) = of(&["in/crpc#s438", "--proceeding-date", "2024-05-02"]);
    assert_eq!((governs.as_str(), applicable.as_str()), ("old", "in/crpc#s438"));
    assert!(json["guidance"].as_str().unwrap().contains("in/bnss#s531"));
    let (governs, applicable, _) = of(&["section 438 CrPC", "--proceeding-date", "2024-07-01"]);
    assert_eq!((governs.as_str(), applicable.as_str()), ("new", "in/bnss#s482"));
    let (_, applicable, _) = of(&["in/bns#s103"]);
    assert_eq!(applicable.split(' ').next(), Some("in/ipc#s302"));
    let (_, applicable, json) = of(&["in/ipc#s497"]);
    assert_eq!(
        (applicable.as_str(), &json["links"][0]["relation"]),
        ("in/ipc#s497", &Value::from("dropped"))
    );
    assert!(json["guidance"].as_str().unwrap().contains("Joseph Shine"));
    let out = place.ok(&["concord", "in/bns#s106"]);
    assert!(
        out.contains("in/ipc#s304A") && out.contains("in/bns#s106.2 has not been brought into force"),
        "{out}"
    );
    place.fails(&["concord", "in/arms-act#s3"], &["in/arms-act"]);
    place.fails(&["concord", "in/ipc#s999"], &["in/ipc#s999"]);
    place.fails(&["concord", "murder"], &["murder"]);
}

#[test]
fn an_exported_statute_can_be_read_back() {
    let place = Place::built();
    let out = place.ok(&["corpus", "export", WORK]);
    let rows = lines(&out);
    assert_eq!(rows.len(), 10);
    for row in &rows {
        let shown = place.json(&["show", row["id"].as_str().unwrap()]);
        assert_eq!(row["text"], shown["text"], "{row}");
        assert!(row["provenance"]["coverage"].is_null() && row["provenance"]["licence"].is_string());
    }
    let said = place.ok(&["corpus", "export", WORK, "--format", "markdown", "--out", "river.md"]);
    assert!(said.contains("river.md") && said.contains("10 of 10"), "{said}");
    let markdown = std::fs::read_to_string(place.path("river.md")).unwrap();
    assert!(markdown.contains("coverage: \"10 of 10 provisions\""), "{markdown}");
    let xml = place.ok(&["corpus", "export", WORK, "--format", "akn"]);
    assert!(xml.starts_with("<?xml") && xml.contains("<section eId=\"sec_4A\""), "{xml}");
    place.fails(&["corpus", "export", "xx/none"], &["xx/none"]);
    place.fails(&["corpus", "export", WORK, "--as-of", "1990-01-01"], &["1990-01-01"]);
    place.fails(&["corpus", "export", WORK, "--format", "docx"], &["docx"]);
}
