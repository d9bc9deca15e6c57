//! What the citation reader is worth on real texts: names of every provision, the codes' own cross-references, and a
//! sample from published judgments that was read by eye.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::date;
use nyaya_corpora::citation::{Context, Extractor, Verdict, check_text};
use nyaya_corpora::export::{ExportFormat, Line, export};
use nyaya_corpora::{Catalogue, ProvisionId};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{held, read};

type Trial = (&'static str, crate::Test);

/// All trials of this file.
pub fn trials(shared: &Path) -> Vec<Trial> {
    let at = |f: fn(&Path) -> Result<(), String>| {
        let shared = shared.to_owned();
        Box::new(move || f(&shared)) as crate::Test
    };
    vec![
        ("every name of every provision reads back", at(names)),
        ("cross-references inside the codes are resolved", at(cross_references)),
        ("citations of published judgments, read by eye", at(judgments)),
        ("exports keep every word", at(exports)),
    ]
}

fn names(shared: &Path) -> Result<(), String> {
    let mut count = 0;
    for edition in held::editions(shared)? {
        for p in &edition.provisions {
            let inside = p.pinpoints.iter().map(|pin| p.id.clone().with_pins(pin.path.clone()));
            for id in std::iter::once(p.id.clone()).chain(inside) {
                let read = id.to_string().parse::<ProvisionId>();
                if read.as_ref() != Ok(&id) {
                    return Err(format!("{id}: {read:?}"));
                }
                count += 1;
            }
        }
    }
    eprintln!("{count} names");
    if count > 10_000 { Ok(()) } else { Err(format!("{count} names only")) }
}

/// Work, the least share of its cross-references that must be resolved (measured, less one in a hundred).
const RESOLVED: &[(&str, f64)] =
    &[("in/ipc", 0.89), ("in/crpc", 0.86), ("in/bns", 0.92), ("in/bnss", 0.91), ("cn/criminal-law", 0.99)];

/// Every citation of a code's own text, with the code as the default: which of them name a provision.
fn cross_references(shared: &Path) -> Result<(), String> {
    let catalogue = Catalogue::builtin().map_err(|e| e.to_string())?;
    let lookup = held::lookup(shared)?;
    let mut bad = Vec::new();
    for (work, least) in RESOLVED {
        let new = work.starts_with("in/bn") || work.starts_with("cn");
        let context = Context {
            as_of: Some(if new { date(2026, 11, 30) } else { date(2024, 6, 30) }),
            default_work: Some(work.parse().map_err(|e| format!("{e}"))?),
            jurisdiction: Some(work.get(..2).unwrap_or("in").to_owned()),
            ..Context::default()
        };
        let edition = held::editions(shared)?.iter().find(|e| e.work.as_str() == *work);
        let mut open: BTreeMap<(String, String, String), usize> = BTreeMap::new();
        let (mut all, mut resolved, mut verdicts) = (0usize, 0usize, BTreeMap::<Verdict, usize>::new());
        for p in edition.into_iter().flat_map(|e| &e.provisions) {
            for c in check_text(&p.text, &lookup, &catalogue, &context).citations {
                all += 1;
                *verdicts.entry(c.verdict).or_default() += 1;
                if c.id.is_some() {
                    resolved += 1;
                } else {
                    *open.entry((p.id.to_string(), c.raw.replace('\n', " "), c.reason)).or_default() += 1;
                }
            }
        }
        if std::env::var_os("NYAYA_SHOW").is_some() {
            open.iter().for_each(|((id, raw, why), n)| eprintln!("{id}\t{raw}\t{n}\t{why}"));
        }
        if *work == "in/ipc" {
            bad.extend(left_open(&open)?);
        }
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let rate = resolved as f64 / all.max(1) as f64;
        eprintln!("{work}: {resolved} of {all} citations resolved ({rate:.3}); {verdicts:?}");
        if rate < *least || all < 100 {
            bad.push(format!("{work}: {resolved} of {all} ({rate:.3}), at least {least}"));
        }
    }
    if bad.is_empty() { Ok(()) } else { Err(bad.join("\n")) }
}

/// The citations of the Penal Code that name no provision, against those that were looked at: `provision, words, how
/// often, reason given, what they are`.
fn left_open(open: &BTreeMap<(String, String, String), usize>) -> Result<Vec<String>, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shared/unresolved.tsv");
    let committed = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut known: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for line in committed.lines().filter(|l| !l.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, raw, n, why, what] = fields[..] else { return Err(format!("not five fields: {line}")) };
        if what.trim().is_empty() {
            return Err(format!("not said what it is: {line}"));
        }
        let n = n.parse().map_err(|_| line.to_owned())?;
        known.insert((id.to_owned(), raw.to_owned(), why.to_owned()), n);
    }
    let mut bad = Vec::new();
    for (key, n) in open {
        if known.get(key) != Some(n) {
            bad.push(format!("{} `{}` ({}), {n} times: not among those looked at", key.0, key.1, key.2));
        }
    }
    bad.extend(
        known.keys().filter(|k| !open.contains_key(*k)).map(|k| format!("{} `{}` is resolved now", k.0, k.1)),
    );
    Ok(bad)
}

/// A citation of a judgment.
struct Sampled {
    source: String,
    raw: String,
    id: String,
    context: String,
}

/// Citations of these texts, `want` of them.
fn sample(texts: &[(String, String)], china: bool, want: usize) -> Result<Vec<Sampled>, String> {
    let catalogue = Catalogue::builtin().map_err(|e| e.to_string())?;
    let jurisdiction = if china { "cn" } else { "in" };
    let context = Context { jurisdiction: Some(jurisdiction.to_owned()), ..Context::default() };
    let extractor = Extractor::new(&catalogue, &context);
    let mut all = Vec::new();
    for (source, text) in texts {
        for e in extractor.extract(text) {
            let id = match (&e.work, &e.unit) {
                (Some(work), Some(unit)) => {
                    let mut id =
                        ProvisionId::new(work.clone(), unit.clone()).with_pins(e.pins.clone()).to_string();
                    if let Some(until) = &e.until {
                        id.push_str(&format!("~{until}"));
                    }
                    id
                }
                _ => format!("? {:?}", e.unresolved).replace("Some(", "").replace(')', ""),
            };
            let from = text.floor_char_boundary(e.span.0.saturating_sub(90));
            let to = text.ceil_char_boundary((e.span.1 + 90).min(text.len()));
            let around =
                text.get(from..to).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
            let raw = e.raw.split_whitespace().collect::<Vec<_>>().join(" ");
            all.push((e.span.0, Sampled { source: source.clone(), raw, id, context: around }));
        }
    }
    // By a hash of source and place, so that one citation more or less leaves the others in the sample.
    let mut keyed: Vec<([u8; 32], Sampled)> =
        all.into_iter().map(|(at, s)| (Sha256::digest(format!("100 {} {at}", s.source)).into(), s)).collect();
    keyed.sort_by_key(|k| k.0);
    Ok(keyed.into_iter().take(want).map(|k| k.1).collect())
}

fn rows(shared: &Path, path: &str, key: &str, id: &str) -> Result<Vec<(String, String)>, String> {
    read::lines(&shared.join(path))?
        .iter()
        .enumerate()
        .map(|(n, line)| {
            let row: Value = serde_json::from_str(line).map_err(|e| format!("{path}:{}: {e}", n + 1))?;
            let name = row.get(id).map_or_else(|| n.to_string(), |v| v.to_string().replace('"', ""));
            Ok((name, row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()))
        })
        .collect()
}

/// The queries of AILA hold four citations only, the others are masked.
const SAMPLED: usize = 100;

/// The sample again, against what was read by eye: `source, words, reading, right|wrong`.
fn judgments(shared: &Path) -> Result<(), String> {
    let judge = rows(shared, "data/bench-judge/test_facts.jsonl.gz", "legal_basis", "text_id")?;
    let mut bench = rows(shared, "data/bench-lawbench/zero_shot_3-2.jsonl.gz", "answer", "idx")?;
    bench.extend(rows(shared, "data/bench-lawbench/zero_shot_3-8.jsonl.gz", "answer", "idx")?);
    let aila = rows(shared, "data/bench-aila2019/queries.jsonl", "query", "id")?;
    let mut found = Vec::new();
    for (name, texts, china, want) in
        [("judge", &judge, true, 48), ("lawbench", &bench, true, 48), ("aila", &aila, false, 33)]
    {
        for s in sample(texts, china, want)? {
            found.push((format!("{name} {}", s.source), s));
        }
    }
    if std::env::var_os("NYAYA_SHOW").is_some() {
        for (source, s) in &found {
            eprintln!("{source}\t{}\t{}\t{}", s.raw, s.id, s.context);
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shared/judgments.tsv");
    let committed = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let known: Vec<Vec<&str>> =
        committed.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect()).collect();
    let mut bad = Vec::new();
    for (n, (source, s)) in found.iter().enumerate() {
        let row = known.get(n).map(Vec::as_slice);
        if !matches!(row, Some([a, b, c, _]) if a == source && *b == s.raw && *c == s.id) {
            bad.push(format!("{source}\t{}\t{}\n    was {row:?}", s.raw, s.id));
        }
    }
    let right = known.iter().filter(|r| r.last() == Some(&"right")).count();
    eprintln!("{right} of {} right", known.len());
    if found.len() != SAMPLED || known.len() != SAMPLED {
        bad.push(format!("{} sampled, {} read by eye", found.len(), known.len()));
    }
    if bad.is_empty() { Ok(()) } else { Err(bad.join("\n")) }
}

/// Each edition exported, and the words compared with the store's.
fn exports(shared: &Path) -> Result<(), String> {
    let catalogue = Catalogue::builtin().map_err(|e| e.to_string())?;
    for edition in held::editions(shared)? {
        let manifest = catalogue.get(&edition.work);
        let written = |format| -> Result<String, String> {
            let mut out = Vec::new();
            export(edition, manifest, format, &mut out).map_err(|e| e.to_string())?;
            String::from_utf8(out).map_err(|e| e.to_string())
        };
        let jsonl = written(ExportFormat::Jsonl)?;
        let lines: Vec<Line> = jsonl
            .lines()
            .map(|l| serde_json::from_str(l).map_err(|e| format!("{}: {e}", edition.work)))
            .collect::<Result<_, _>>()?;
        let same = lines.len() == edition.provisions.len()
            && lines
                .iter()
                .zip(&edition.provisions)
                .all(|(l, p)| l.id == p.id && l.text == p.text && l.heading == p.heading);
        if !same {
            return Err(format!("{}: the JSON lines are not the provisions", edition.work));
        }
        let letters = |t: &str| t.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let (xml, markdown) = (written(ExportFormat::Akn)?, letters(&written(ExportFormat::Markdown)?));
        let words = letters(&without_tags(&xml));
        for p in &edition.provisions {
            let text = letters(&p.text);
            if !words.contains(&text) || !markdown.contains(&text) {
                return Err(format!("{}: words are lost in an export", p.id));
            }
        }
    }
    Ok(())
}

fn without_tags(xml: &str) -> String {
    let mut out = String::with_capacity(xml.len());
    let mut inside = false;
    for c in xml.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    // The ampersand goes last, or `&amp;lt;` would become `<`.
    for (name, sign) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
        out = out.replace(name, sign);
    }
    out
}
