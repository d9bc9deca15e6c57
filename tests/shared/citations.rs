//! The rows of `cases/citations.jsonl`, and the cross-references of the statutes themselves.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::{Date, date};
use nyaya_corpora::citation::{Context, Extractor, Unresolved, Verdict, check_text};
use nyaya_corpora::{Catalogue, Manifest, MemoryLookup, ProvisionLookup as _};
use serde_json::Value;

use crate::held;

type Trial = (&'static str, crate::Test);

/// The day that governs rows without `as_of`.
const TODAY: Date = date(2026, 11, 30);

/// All trials of this file.
pub fn trials(shared: &Path) -> Vec<Trial> {
    let at = |f: fn(&Path) -> Result<(), String>| {
        let shared = shared.to_owned();
        Box::new(move || f(&shared)) as crate::Test
    };
    vec![
        ("every row of cases/citations.jsonl", at(rows)),
        ("cross-references inside the Indian codes", at(cross_references_in)),
        ("cross-references inside the Criminal Law", at(cross_references_cn)),
        ("names of works that the corpus lacks are unchecked", at(names)),
    ]
}

/// What comes with the program.
fn catalogue() -> Result<Catalogue, String> {
    Catalogue::builtin().map_err(|e| e.to_string())
}

fn read(shared: &Path, path: &str) -> Result<String, String> {
    let path = shared.join(path);
    std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The texts of a work's provisions.
fn texts(shared: &Path, work: &str) -> Result<Vec<String>, String> {
    let editions = held::editions(shared)?.iter().filter(|e| e.work.as_str() == work).take(1);
    Ok(editions.flat_map(|e| &e.provisions).map(|p| p.text.clone()).collect())
}

/// The editions that the rows are checked against.
fn held(shared: &Path) -> Result<MemoryLookup, String> {
    held::lookup(shared)
}

fn rows(shared: &Path) -> Result<(), String> {
    let catalogue = catalogue()?;
    let lookup = held(shared)?;
    let mut bad = Vec::new();
    let mut count = 0;
    for line in read(shared, "cases/citations.jsonl")?.lines() {
        let row: Value = serde_json::from_str(line).map_err(|e| format!("{line}: {e}"))?;
        let get = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (id, text, lang, note) = (get("id"), get("text"), get("lang"), get("note"));
        let as_of = match row.get("as_of").and_then(Value::as_str) {
            Some(day) => day.parse::<Date>().map_err(|e| format!("{id}: {e}"))?,
            None => TODAY,
        };
        let china = lang == "zh" || ["PRC", "China", "Chinese"].iter().any(|w| text.contains(w));
        let context = Context {
            as_of: Some(as_of),
            jurisdiction: Some(if china { "cn" } else { "in" }.to_owned()),
            ..Context::default()
        };
        let found = check_text(&text, &lookup, &catalogue, &context).citations;
        let key = |cite: String, verdict: &str| {
            let cite = if verdict == "unchecked" { "?".to_owned() } else { cite };
            format!("{cite} {verdict}")
        };
        let mut got: Vec<String> = found
            .iter()
            .map(|c| {
                let verdict = serde_json::to_value(c.verdict).ok();
                let verdict = verdict.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
                key(c.id.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string), &verdict)
            })
            .collect();
        let expect = row.get("expect").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut want: Vec<String> = expect
            .iter()
            .map(|e| {
                let get = |key: &str| e.get(key).and_then(Value::as_str).unwrap_or_default();
                key(get("cite").to_owned(), get("verdict"))
            })
            .collect();
        got.sort();
        want.sort();
        let acceptable =
            want.is_empty() && note.contains("acceptable") && got.iter().all(|g| g == "? unchecked");
        if got != want && !acceptable {
            let reasons: Vec<&str> = found.iter().map(|c| c.reason.as_str()).collect();
            bad.push(format!("{id} {text}\n    want {want:?}\n    got  {got:?}\n    {reasons:?}"));
        }
        count += 1;
    }
    if count != 127 {
        bad.push(format!("{count} rows, not 127"));
    }
    if bad.is_empty() { Ok(()) } else { Err(format!("{} rows wrong:\n{}", bad.len(), bad.join("\n"))) }
}

/// Every "section N" of a code's own text is read, and no number is read that the text does not have.
fn cross_references_in(shared: &Path) -> Result<(), String> {
    let catalogue = catalogue()?;
    let lookup = held(shared)?;
    let mut report = String::new();
    let mut misses = Vec::new();
    for work in ["in/ipc", "in/crpc", "in/bns", "in/bnss"] {
        let id = work.parse().map_err(|e| format!("{e}"))?;
        let context = Context {
            as_of: Some(date(2024, 6, 30)),
            default_work: Some(id),
            jurisdiction: Some("in".to_owned()),
            ..Context::default()
        };
        let context =
            if work.starts_with("in/bn") { Context { as_of: Some(TODAY), ..context } } else { context };
        let extractor = Extractor::new(&catalogue, &context);
        let (mut heads, mut read, mut verdicts) = (0, 0, BTreeMap::<Verdict, usize>::new());
        for text in texts(shared, work)? {
            let found = extractor.extract(&text);
            for (at, _) in text.match_indices("ection ") {
                let number = text.get(at + 7..).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
                let whole = text.get(..at).is_some_and(|r| {
                    r.ends_with(['s', 'S'])
                        && !r.ends_with("-s")
                        && !r.ends_with("ub-S")
                        && !r.ends_with("ubs")
                });
                if !number || !whole {
                    continue;
                }
                heads += 1;
                if found.iter().any(|f| f.span.0 < at + 8 && at + 7 < f.span.1) {
                    read += 1;
                } else {
                    misses.push(format!("{work}: {:?}", around(&text, at)));
                }
            }
            for c in check_text(&text, &lookup, &catalogue, &context).citations {
                *verdicts.entry(c.verdict).or_default() += 1;
                if !matches!(c.verdict, Verdict::Verified | Verdict::Unchecked) {
                    report.push_str(&format!(
                        "{work} {:?} {} -> {} ({})\n",
                        c.verdict,
                        c.raw,
                        c.id.map_or_else(String::new, |i| i.to_string()),
                        c.reason
                    ));
                }
            }
        }
        report.push_str(&format!("{work}: {read} of {heads} heads read; {verdicts:?}\n"));
    }
    if std::env::var_os("NYAYA_SHOW").is_some() {
        eprintln!("{report}");
    }
    if misses.is_empty() {
        Ok(())
    } else {
        Err(format!("{} heads not read:\n{}", misses.len(), misses.join("\n")))
    }
}

fn cross_references_cn(shared: &Path) -> Result<(), String> {
    let catalogue = catalogue()?;
    let lookup = held(shared)?;
    let id = "cn/criminal-law".parse().map_err(|e| format!("{e}"))?;
    let context = Context {
        as_of: Some(TODAY),
        default_work: Some(id),
        jurisdiction: Some("cn".to_owned()),
        ..Context::default()
    };
    let mut bad = Vec::new();
    let mut verdicts = BTreeMap::<Verdict, usize>::new();
    for text in texts(shared, "cn/criminal-law")? {
        let found = Extractor::new(&catalogue, &context).extract(&text);
        for (at, _) in text.match_indices('条') {
            let before = text.get(..at).unwrap_or_default();
            let numeral = before.ends_with(|c: char| "一二三四五六七八九十百零".contains(c));
            if numeral && !found.iter().any(|f| f.span.0 <= at && at < f.span.1) {
                bad.push(format!("not read: {:?}", around(&text, at)));
            }
        }
        for c in check_text(&text, &lookup, &catalogue, &context).citations {
            *verdicts.entry(c.verdict).or_default() += 1;
            if !matches!(c.verdict, Verdict::Verified | Verdict::Unchecked) {
                bad.push(format!("{:?} {} {:?}", c.verdict, c.raw, c.reason));
            }
        }
        for f in found.iter().filter(|f| f.unresolved == Some(Unresolved::NoAct)) {
            bad.push(format!("no act: {}", f.raw));
        }
    }
    if std::env::var_os("NYAYA_SHOW").is_some() {
        eprintln!("{verdicts:?}");
    }
    if bad.is_empty() { Ok(()) } else { Err(bad.join("\n")) }
}

fn around(text: &str, at: usize) -> String {
    let from = (0..=at.saturating_sub(30)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    text.get(from..).unwrap_or_default().chars().take(70).collect()
}

/// A known work without text is never green, whatever its number.
fn names(shared: &Path) -> Result<(), String> {
    let catalogue = catalogue()?;
    let lookup = held(shared)?;
    for manifest in catalogue.all() {
        if lookup_has(&lookup, manifest) {
            continue;
        }
        for name in manifest.names.values().flatten() {
            let china = manifest.id.jurisdiction() == "cn";
            let text = if name.is_ascii() {
                format!("{} 3 of the {name}", if china { "Article" } else { "Section" })
            } else if china {
                format!("《{name}》第三条")
            } else {
                format!("{name} की धारा 3")
            };
            let context = Context {
                as_of: Some(TODAY),
                jurisdiction: Some(manifest.id.jurisdiction().to_owned()),
                ..Context::default()
            };
            let found = check_text(&text, &lookup, &catalogue, &context).citations;
            if found.len() != 1 || found.iter().any(|c| c.verdict != Verdict::Unchecked) {
                return Err(format!("{text}: {found:?}"));
            }
        }
    }
    Ok(())
}

fn lookup_has(lookup: &MemoryLookup, manifest: &Manifest) -> bool {
    !lookup.editions(&manifest.id).is_empty()
}
