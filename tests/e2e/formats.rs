//! One invented act in every format, and files that were made to do harm.

use std::io::Write as _;

use crate::support::{ACT, Place, WORK};

/// Provisions of the act as the text gives them.
fn units(place: &Place) -> Vec<String> {
    let list = place.json(&["corpus", "list"]);
    let row = list.as_array().unwrap().iter().find(|r| r["id"] == WORK).unwrap().clone();
    vec![row["provisions"].to_string(), row["missing"].to_string(), row["version"].to_string()]
}

fn docx(text: &str) -> Vec<u8> {
    let paragraphs: Vec<&str> = text.lines().collect();
    nyaya_ingest::read::docx::write_docx(&paragraphs).unwrap()
}

fn html(text: &str) -> Vec<u8> {
    let body: String =
        text.lines().map(|l| format!("<p>{}</p>\n", l.replace('&', "&amp;").replace('<', "&lt;"))).collect();
    format!("<!DOCTYPE html><html><head><title>x</title></head><body><nav>Home</nav>{body}</body></html>")
        .into_bytes()
}

#[test]
fn word_html_and_utf16_give_what_the_text_gives() {
    let expected = {
        let place = Place::built();
        units(&place)
    };
    let wide = ACT.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (name, bytes) in [
        ("act.docx", docx(ACT)),
        ("act.html", html(ACT)),
        ("act-bom.txt", [b"\xEF\xBB\xBF", ACT.as_bytes()].concat()),
        ("act-utf16.txt", [b"\xFF\xFE".to_vec(), wide].concat()),
    ] {
        let place = Place::new();
        std::fs::write(place.path(name), bytes).unwrap();
        place.ok(&["corpus", "build", WORK, "--from", name]);
        assert_eq!(units(&place), expected, "{name}");
        let shown = place.json(&["show", "xx/river-act#s4A"]);
        assert!(
            shown["text"].as_str().unwrap().starts_with("Whoever commits the offence of section 4"),
            "{name}"
        );
        assert_eq!(shown["heading"], "Damming by night", "{name}");
    }
}

#[test]
fn tables_are_read_without_a_field_map() {
    let place = Place::built();
    let mut rows = Vec::new();
    for n in ["1", "2", "3", "4", "4A", "5", "6", "7", "8", "9"] {
        let id = format!("xx/river-act#s{n}");
        let p = place.json(&["show", &id]);
        rows.push((
            n,
            p["heading"].as_str().unwrap_or_default().to_owned(),
            p["text"].as_str().unwrap().to_owned(),
        ));
    }
    let object = |(n, heading, text): &(&str, String, String)| serde_json::json!({"section": n, "section_title": heading, "section_desc": text});
    let json = serde_json::to_vec(&rows.iter().map(object).collect::<Vec<_>>()).unwrap();
    let lines: String = rows.iter().map(|r| format!("{}\n", object(r))).collect();
    let quoted = |s: &str| format!("\"{}\"", s.replace('"', "\"\""));
    let csv: String = std::iter::once("Section,Title,Text\n".to_owned())
        .chain(rows.iter().map(|(n, h, t)| format!("{n},{},{}\n", quoted(h), quoted(t))))
        .collect();
    for (name, bytes) in
        [("act.json", json), ("act.jsonl", lines.into_bytes()), ("act.csv", csv.into_bytes())]
    {
        let place = Place::new();
        std::fs::write(place.path(name), bytes).unwrap();
        place.ok(&["corpus", "build", WORK, "--from", name]);
        let p = place.json(&["show", "xx/river-act#s4A"]);
        assert_eq!(p["text"], rows[4].2, "{name}");
        assert_eq!(p["heading"], rows[4].1, "{name}");
    }
}

#[test]
fn what_is_exported_builds_again_and_under_another_name() {
    let place = Place::built();
    let numbers = ["1", "2", "3", "4", "4A", "5", "6", "7", "8", "9"];
    let whole = |place: &Place, work: &str| -> Vec<serde_json::Value> {
        let keys = ["text", "heading", "status", "breadcrumb"];
        let shown = |n: &&str| {
            let p = place.json(&["show", &format!("{work}#s{n}")]);
            serde_json::Value::from(keys.map(|k| p[k].clone()).to_vec())
        };
        numbers.iter().map(shown).collect()
    };
    let first = whole(&place, WORK);
    for (format, file) in [("jsonl", "act.jsonl"), ("markdown", "act.md"), ("akn", "act.xml")] {
        place.ok(&["corpus", "export", WORK, "--format", format, "--out", file]);
        let again = Place::new();
        std::fs::copy(place.path(file), again.path(file)).unwrap();
        again.ok(&["corpus", "build", WORK, "--from", file]);
        assert_eq!(units(&again), units(&place), "{format}");
        assert_eq!(whole(&again, WORK), first, "{format}");
        again.ok(&["corpus", "add", file, "--id", "xx/stream-act"]);
        assert_eq!(whole(&again, "xx/stream-act"), first, "{format}, added");
    }
    // An export of one statute is no other.
    place.fails(&["corpus", "build", "in/ipc", "--from", "act.jsonl"], &["an export of xx/river-act"]);
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in entries {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A PDF of these objects; the first is the catalogue.
fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.5\n".to_vec();
    let mut places = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", i + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let xref = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").into_bytes());
    }
    file.extend(
        format!("trailer<</Size {}/Root 1 0 R>>\nstartxref\n{xref}\n%%EOF", objects.len() + 1).into_bytes(),
    );
    file
}

#[test]
fn bombs_and_tricks_are_refused_with_a_reason() {
    let place = Place::new();
    let refused = |name: &str, bytes: &[u8], words: &[&str]| {
        std::fs::write(place.path(name), bytes).unwrap();
        let started = std::time::Instant::now();
        place.fails(&["corpus", "build", WORK, "--from", name], words);
        assert!(started.elapsed().as_secs() < 150, "{name}: {:?}", started.elapsed());
    };
    let zeros = vec![b' '; 200 << 20];
    refused("bomb.docx", &archive(&[("word/document.xml", &zeros)]), &["inflates"]);
    refused(
        "out.docx",
        &archive(&[("../../etc/passwd", b"x"), ("word/document.xml", b"<w/>")]),
        &["leads out"],
    );
    refused("other.docx", &archive(&[("a.txt", b"x")]), &["no Word document"]);
    refused("deep.html", format!("<html>{}", "<div>".repeat(200_000)).as_bytes(), &["inside each other"]);
    refused("deep.json", format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)).as_bytes(), &["JSON"]);
    refused("binary.txt", b"\x00\x01\x02\x03binary", &["not text"]);
    refused("latin.txt", b"caf\xe9 au lait is no UTF-8", &["UTF-8"]);

    // A page whose form draws itself, again and again.
    let form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 5 0 R>>>>/Length 12>>stream\n/F Do /F Do\n\nendstream".to_vec();
    let page = |kids: &str, count: usize| {
        vec![
            b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
            format!("<</Type/Pages/Kids[{kids}]/Count {count}>>").into_bytes(),
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>".to_vec(),
            b"<</Length 6>>stream\n/F Do \nendstream".to_vec(),
        ]
    };
    let mut nested = page("3 0 R", 1);
    nested.push(form);
    refused("nested.pdf", &pdf(&nested), &["nested.pdf"]);
    // A million pages that are one page.
    let many = pdf(&page(&"3 0 R ".repeat(1_000_000), 1_000_000));
    refused("pages.pdf", &many, &["pages.pdf"]);
}

#[test]
fn a_file_of_200_megabytes_is_refused_before_it_is_read() {
    let place = Place::new();
    let file = std::fs::File::create(place.path("large.txt")).unwrap();
    // Sparse: the size is there, the disk space is not needed.
    file.set_len(200_000_001).unwrap();
    let started = std::time::Instant::now();
    place.fails(&["corpus", "build", WORK, "--from", "large.txt"], &["200000001 bytes"]);
    assert!(started.elapsed().as_secs() < 60);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused() {
    let place = Place::new();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("river-act.txt"), ACT).unwrap();
    std::fs::create_dir(place.path("given")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("river-act.txt"), place.path("given/river-act.txt"))
        .unwrap();
    place.fails(&["corpus", "build", WORK, "--from", "given"], &["leads out of"]);
    // Within the folder a link is as good as a file.
    std::fs::create_dir(place.path("whole")).unwrap();
    std::fs::write(place.path("whole/text"), ACT).unwrap();
    std::os::unix::fs::symlink(place.path("whole/text"), place.path("whole/river-act.txt")).unwrap();
    place.ok(&["corpus", "build", WORK, "--from", "whole"]);
}
