//! Wrong inputs: each a clear error with a hint, nothing damaged.

use sha2::Digest as _;

use crate::support::{MANIFEST, Place, WORK, listing};

/// A PDF with one page and no text.
const EMPTY_PDF: &[u8] = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>\nendobj\n4 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\nxref\n0 5\n0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \n0000000115 00000 n \n0000000202 00000 n \ntrailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n251\n%%EOF\n";

#[test]
fn files_that_are_no_statutes_are_refused_and_nothing_is_damaged() {
    let place = Place::built();
    let before = listing(&place.path("kb"));
    std::fs::write(place.path("scan.pdf"), EMPTY_PDF).unwrap();
    std::fs::write(place.path("cut.pdf"), &EMPTY_PDF[..120]).unwrap();
    std::fs::write(place.path("text.pdf"), "Section 1. This is no PDF.").unwrap();
    std::fs::write(place.path("noise.txt"), [0xffu8, 0xfe, 0x00, 0xd8, 0x41, 0x00, 0x00]).unwrap();
    std::fs::write(place.path("letter.txt"), "Dear aunt, the fish was good. Yours, B.").unwrap();
    std::fs::write(place.path("empty.txt"), "").unwrap();
    for (file, words) in [
        ("scan.pdf", ["scan.pdf", "text"]),
        ("cut.pdf", ["cut.pdf", "PDF"]),
        ("text.pdf", ["text.pdf", "PDF"]),
        ("noise.txt", ["noise.txt", ""]),
        ("letter.txt", [WORK, ""]),
        ("empty.txt", ["empty.txt", ""]),
        ("absent.txt", ["absent.txt", "no such file"]),
    ] {
        place.fails(&["corpus", "build", WORK, "--from", file], &words);
        assert_eq!(listing(&place.path("kb")), before, "{file} changed the knowledge base");
    }
    place.json(&["search", "dam"]);
}

#[test]
fn unknown_names_are_answered_with_what_there_is() {
    let place = Place::built();
    place.fails(&["corpus", "build", "xx/lake-act"], &["xx/lake-act", "xx/river-act"]);
    place.fails(&["search", "dam", "--statute", "in/ipc"], &["in/ipc", "xx/river-act"]);
    place.fails(&["show", "xx/river-act#s10"], &["xx/river-act#s10", "s9"]);
    place.fails(&["show", "xx/river-act#s2.z"], &["xx/river-act#s2.z"]);
    place.fails(&["show", "in/ipc#s302"], &["in/ipc"]);
    place.fails(&["show", "the law of the river"], &["the law of the river"]);
    place.fails(&["run", "samvad", "--case", "nobody.toml"], &["nobody.toml"]);
    place.fails(&["audit", "kb"], &["kb"]);
    place.fails(&["eval", "run", "nowhere"], &["nowhere"]);
}

#[test]
fn another_embedder_is_refused() {
    let place = Place::built();
    let path = place.path("kb/generations/000001/generation.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value["embedder"]["model"] = "another-model".into();
    value["embedder"]["model_sha256"] = "0".repeat(64).into();
    std::fs::write(&path, value.to_string()).unwrap();
    // Altered by hand, it is not believed.
    place.fails(&["search", "dam"], &["generation.json", "altered"]);
    let seal = format!("{:x}", sha2::Sha256::digest(value.to_string()));
    std::fs::write(path.with_extension("sha256"), seal).unwrap();
    place.fails(&["search", "dam"], &["another-model", "multilingual-e5-small"]);
    place.fails(&["corpus", "build", WORK, "--from", "river-act.txt"], &["another-model"]);
    // Words need no embedder.
    place.json(&["search", "dam", "--mode", "bm25"]);
}

#[test]
fn without_a_knowledge_base_the_hint_says_what_to_build() {
    let place = Place::new();
    place.fails(&["search", "dam"], &["corpus build"]);
    place.fails(&["kb", "rebuild"], &["corpus build"]);
}

#[test]
fn an_unknown_key_in_the_configuration_is_named() {
    let place = Place::built();
    std::fs::write(place.path("nyaya.toml"), "modell = \"x\"\n").unwrap();
    place.fails(&["search", "dam"], &["nyaya.toml", "modell"]);
}

#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    let place = Place::built();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let out = place.command(&["show", "xx/river-act#s6"]).stdout(full).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success() && said.contains("standard output") && said.contains("hint:"), "{said}");
}

#[test]
fn a_later_text_than_asked_for_is_said() {
    let place = Place::new();
    // The act is of 2001, the only version held of 2005.
    let manifest = MANIFEST
        .replace("[[version]]\nfrom = \"2001-01-01\"", "[[version]]\nfrom = \"2005-01-01\"")
        .replace("\nversion = \"2001-01-01\"", "\nversion = \"2005-01-01\"");
    std::fs::write(place.path("kb/manifests/river-act.toml"), manifest).unwrap();
    place.ok(&["corpus", "build", WORK, "--from", "river-act.txt"]);
    let said = |day: &str| {
        let out = place.run(&["search", "dam", "--mode", "bm25", "--as-of", day]);
        assert!(out.status.success() && !out.stdout.is_empty());
        String::from_utf8(out.stderr).unwrap()
    };
    let late = said("2003-01-01");
    assert!(late.contains("xx/river-act (2005-01-01)") && late.contains("hint:"), "{late}");
    let right = said("2005-01-01");
    assert!(!right.contains("later"), "{right}");
}

#[test]
fn queries_without_a_right_answer_at_hand_are_refused() {
    let place = Place::built();
    for (text, word) in [
        ("", "holds no query"),
        ("{\"query\": \"dam\", \"relevant\": []}", "names no provision"),
        ("{\"query\": \"dam\", \"relevant\": [\"in/ipc#s302\"]}", "in/ipc"),
    ] {
        std::fs::write(place.path("queries.jsonl"), text).unwrap();
        place.fails(&["eval", "retrieval", "--queries", "queries.jsonl"], &["queries.jsonl", word]);
    }
}
