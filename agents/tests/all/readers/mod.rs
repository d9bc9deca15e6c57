//! Texts and replies of many kinds, each with what must be read from it.

use nyaya_agents::read::{Line, term_lines, verdict_lines};
use serde::Serialize;

fn check<T: Serialize>(source: &str, lines: &[Line<T>], least: usize) {
    assert!(lines.len() >= least, "{} rows", lines.len());
    let wrong: Vec<String> = lines
        .iter()
        .filter(|l| l.as_expected != Some(true))
        .map(|l| {
            let row = source.lines().nth(l.line - 1).unwrap();
            format!("{row}\n   read {}", serde_json::to_string(l).unwrap())
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

#[test]
fn terms() {
    let source = include_str!("terms.jsonl");
    check(source, &term_lines(source), 120);
}

#[test]
fn verdicts() {
    let source = include_str!("verdicts.jsonl");
    check(source, &verdict_lines(source), 70);
}
