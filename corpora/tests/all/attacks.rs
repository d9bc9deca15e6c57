//! Inputs that try to get a wrong citation verified, checked by the manifests' lists of numbers, without any text.
//!
//! `attacks.jsonl`: `text`; `expect`, each `ID VERDICT`, or `?` for one that is not looked up; optional `default` (the
//! statute of bare sections), `as_of` (2023-05-01 where absent), `jurisdiction`, `note`. With `loose` any number of
//! unchecked ones may come out beside those expected.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

use nyaya_corpora::citation::{Context, check_text};
use nyaya_corpora::{Catalogue, MemoryLookup, WithNumbers};
use serde_json::Value;

#[test]
fn nothing_is_verified_that_the_text_does_not_say() {
    let catalogue = Catalogue::builtin().unwrap();
    let none = MemoryLookup::default();
    let lookup = WithNumbers::new(&none, &catalogue);
    let (mut bad, mut count) = (Vec::new(), 0);
    for line in include_str!("attacks.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        let get = |key: &str| row[key].as_str();
        let text = get("text").unwrap();
        let han = text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        let context = Context {
            as_of: Some(get("as_of").unwrap_or("2023-05-01").parse().unwrap()),
            default_work: get("default").map(|w| w.parse().unwrap()),
            jurisdiction: Some(get("jurisdiction").unwrap_or(if han { "cn" } else { "in" }).to_owned()),
            proceeding: None,
        };
        let found = check_text(text, &lookup, &catalogue, &context).citations;
        let mut got: Vec<String> = found
            .iter()
            .map(|c| {
                let verdict = serde_json::to_value(c.verdict).unwrap();
                match (verdict.as_str().unwrap(), &c.id) {
                    ("unchecked", _) => "?".to_owned(),
                    (verdict, id) => format!("{} {verdict}", id.as_ref().unwrap()),
                }
            })
            .collect();
        let mut want: Vec<String> =
            row["expect"].as_array().unwrap().iter().map(|e| e.as_str().unwrap().to_owned()).collect();
        if row["loose"] == true {
            got.retain(|g| g != "?");
            want.retain(|g| g != "?");
        }
        got.sort();
        want.sort();
        if got != want {
            let all: Vec<String> = found.iter().map(|c| format!("{} ({})", c.raw, c.reason)).collect();
            bad.push(format!("{text}\n  want {want:?}\n  got  {got:?}\n  {}", all.join("; ")));
        }
        count += 1;
    }
    assert!(count >= 150, "{count} rows");
    assert!(bad.is_empty(), "{} of {count} rows:\n{}", bad.len(), bad.join("\n"));
}
