//! The rows of `cases/citations.jsonl`, and the cross-references of the statutes themselves.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::{Date, date};
use nyaya_corpora::citation::{Context, Extractor, Unresolved, Verdict, check_text};
use nyaya_corpora::manifest::Grammar;
use nyaya_corpora::pinpoint::pinpoints;
use nyaya_corpora::{
    Catalogue, Edition, Manifest, MemoryLookup, Number, Pinpoint, Provision, ProvisionId, SourceRef, Status,
    Unit,
};
use serde_json::Value;

type Trial = (&'static str, Box<dyn FnOnce() -> Result<(), String> + Send>);

/// The day that governs rows without `as_of`.
const TODAY: Date = date(2026, 11, 30);

/// All trials of this file.
pub fn trials(shared: &Path) -> Vec<Trial> {
    let at = |f: fn(&Path) -> Result<(), String>| {
        let shared = shared.to_owned();
        Box::new(move || f(&shared)) as Box<dyn FnOnce() -> Result<(), String> + Send>
    };
    vec![
        ("citations: every row of cases/citations.jsonl", at(rows)),
        ("citations: cross-references inside the Indian codes", at(cross_references_in)),
        ("citations: cross-references inside the Criminal Law", at(cross_references_cn)),
        ("citations: names of works that the corpus lacks are unchecked", at(names)),
    ]
}

/// The catalogue: what comes with the program, and the works the rows name if it lacks them.
fn catalogue() -> Result<Catalogue, String> {
    let builtin = Catalogue::builtin().map_err(|e| e.to_string())?;
    let extra = EXTRA.iter().map(|(name, text)| Manifest::parse(name, text).map_err(|e| e.to_string()));
    let mut all = extra.collect::<Result<Vec<_>, _>>()?;
    all.extend(builtin.all().iter().cloned());
    Ok(Catalogue::new(all))
}

fn read(shared: &Path, path: &str) -> Result<String, String> {
    let path = shared.join(path);
    std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}

fn json(shared: &Path, path: &str) -> Result<Value, String> {
    serde_json::from_str(&read(shared, path)?).map_err(|e| format!("{path}: {e}"))
}

/// The editions that the rows are checked against.
fn held(shared: &Path) -> Result<MemoryLookup, String> {
    Ok(MemoryLookup::new(adhoc::editions(shared)?))
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
        for text in adhoc::texts(shared, work)? {
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
    for text in adhoc::texts(shared, "cn/criminal-law")? {
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
    use nyaya_corpora::ProvisionLookup;
    !lookup.editions(&manifest.id).is_empty()
}

/// Works that the rows name, for as long as the program does not bring them.
const EXTRA: &[(&str, &str)] = &[
    (
        "bns",
        r#"id = "in/bns"
kind = "substantive"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2024-07-01"
[title]
en = "Bharatiya Nyaya Sanhita, 2023"
[names]
en = ["Bharatiya Nyaya Sanhita, 2023", "Bharatiya Nyaya Sanhita", "BNS"]
hi = ["भारतीय न्याय संहिता", "बीएनएस"]
[[commencement]]
id = "in/bns#s106.2"
"#,
    ),
    (
        "bnss",
        r#"id = "in/bnss"
kind = "procedure"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2024-07-01"
[title]
en = "Bharatiya Nagarik Suraksha Sanhita, 2023"
[names]
en = ["Bharatiya Nagarik Suraksha Sanhita", "BNSS"]
hi = ["भारतीय नागरिक सुरक्षा संहिता"]
"#,
    ),
    (
        "bsa",
        r#"id = "in/bsa"
kind = "evidence"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2024-07-01"
[title]
en = "Bharatiya Sakshya Adhiniyam, 2023"
[names]
en = ["Bharatiya Sakshya Adhiniyam", "BSA"]
hi = ["भारतीय साक्ष्य अधिनियम"]
"#,
    ),
    (
        "evidence",
        r#"id = "in/evidence-act"
kind = "evidence"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "1872-09-01"
repealed_on = "2024-07-01"
[title]
en = "Indian Evidence Act, 1872"
[names]
en = ["Indian Evidence Act", "Evidence Act"]
"#,
    ),
    (
        "civil",
        r#"id = "cn/civil-code"
kind = "other"
unit = "article"
grammar = "chinese-code"
language = "zh"
in_force_from = "2021-01-01"
[title]
zh = "中华人民共和国民法典"
[names]
zh = ["民法典", "中华人民共和国民法典"]
"#,
    ),
    (
        "cpl",
        r#"id = "cn/criminal-procedure-law"
kind = "procedure"
unit = "article"
grammar = "chinese-code"
language = "zh"
in_force_from = "1980-01-01"
[title]
zh = "中华人民共和国刑事诉讼法"
[names]
zh = ["刑事诉讼法", "刑诉法"]
"#,
    ),
];

/// Editions read without the ingest crate, enough for the rows.
mod adhoc {
    use super::*;

    fn provision(
        work: &str,
        unit: Unit,
        text: String,
        grammar: Grammar,
        more: &[&str],
    ) -> Result<Provision, String> {
        let id = ProvisionId::new(work.parse().map_err(|e| format!("{e}"))?, unit);
        let mut pins = pinpoints(&text, grammar);
        for path in more {
            let path: Vec<String> = path.split('.').map(str::to_owned).collect();
            if !pins.iter().any(|p| p.path == path) {
                pins.push(Pinpoint { path, range: 0..text.len() });
            }
        }
        let gone = text.trim().len() < 60
            && (text.contains("epealed")
                || text.contains("mitted")
                || text.contains("Rep.")
                || text.contains("删去")
                || text.contains("删除"))
            || text.trim().is_empty();
        Ok(Provision {
            id,
            heading: None,
            breadcrumb: Vec::new(),
            text,
            status: if gone { Status::Omitted } else { Status::InForce },
            in_force_from: None,
            in_force_until: None,
            struck_down: None,
            annotations: Vec::new(),
            pinpoints: pins,
            source: SourceRef { file_sha256: String::new(), page: None, offset: None },
        })
    }

    fn edition(
        work: &str,
        version: Date,
        language: &str,
        mut provisions: Vec<Provision>,
    ) -> Result<Edition, String> {
        provisions.sort_by(|a, b| a.id.unit.cmp(&b.id.unit));
        provisions.dedup_by(|a, b| a.id == b.id);
        Ok(Edition {
            work: work.parse().map_err(|e| format!("{e}"))?,
            version,
            language: language.to_owned(),
            source: "file".to_owned(),
            source_file: String::new(),
            source_sha256: String::new(),
            complete: true,
            provisions,
        })
    }

    fn rows(shared: &Path, path: &str, number: &str, text: &str) -> Result<Vec<(String, String)>, String> {
        let all = json(shared, path)?;
        let all = all.as_array().ok_or("no array")?;
        Ok(all
            .iter()
            .filter_map(|r| {
                let n = r.get(number)?;
                let n = n.as_str().map_or_else(|| n.to_string(), str::to_owned);
                Some((n.replace(' ', ""), r.get(text)?.as_str()?.to_owned()))
            })
            .collect())
    }

    fn markdown(shared: &Path, folder: &str) -> Result<Vec<(String, String)>, String> {
        let mut out = Vec::new();
        for part in 1..=9 {
            let Ok(text) = read(shared, &format!("{folder}/part-{part:03}.md")) else { break };
            for piece in text.split("\n## Section ").skip(1) {
                let (head, body) = piece.split_once('\n').unwrap_or((piece, ""));
                let number = head.split(' ').next().unwrap_or_default();
                out.push((number.to_owned(), body.trim().to_owned()));
            }
        }
        Ok(out)
    }

    fn criminal_law(shared: &Path) -> Result<Vec<(Number, String)>, String> {
        let text = read(shared, "data/corpus-prc-criminal-law/lawrefbook_md/刑法.md")?;
        let mut out: Vec<(Number, String)> = Vec::new();
        for line in text.lines().skip_while(|l| !l.starts_with("## ")) {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let head = line.split([' ', '\u{3000}']).next().unwrap_or_default();
            let number = head.strip_prefix('第').and_then(|h| {
                let (n, tail) = h.split_once('条')?;
                let n = nyaya_corpora::citation::numerals::parse_chinese(n)?;
                match tail.strip_prefix('之') {
                    Some(sub) => {
                        Some(Number::with_sub(n, nyaya_corpora::citation::numerals::parse_chinese(sub)?))
                    }
                    None if tail.is_empty() => Some(Number::plain(n)),
                    None => None,
                }
            });
            match number {
                Some(n) => out.push((n, line.get(head.len()..).unwrap_or_default().trim().to_owned())),
                None => {
                    if let Some((_, text)) = out.last_mut() {
                        text.push('\n');
                        text.push_str(line);
                    }
                }
            }
        }
        Ok(out)
    }

    pub fn texts(shared: &Path, work: &str) -> Result<Vec<String>, String> {
        let strip = |rows: Vec<(String, String)>| rows.into_iter().map(|(_, t)| t).collect();
        Ok(match work {
            "in/ipc" => strip(rows(shared, "data/corpus-ipc/civictech_ipc.json", "Section", "section_desc")?),
            "in/crpc" => {
                strip(rows(shared, "data/corpus-crpc/civictech_crpc.json", "section", "section_desc")?)
            }
            "in/bns" => strip(markdown(shared, "data/corpus-india-2023-codes/bns_md")?),
            "in/bnss" => strip(markdown(shared, "data/corpus-india-2023-codes/bnss_md")?),
            _ => criminal_law(shared)?.into_iter().map(|(_, t)| t).collect(),
        })
    }

    pub fn editions(shared: &Path) -> Result<Vec<Edition>, String> {
        let act = |work: &str, rows: Vec<(String, String)>, more: &[(&str, &[&str])], article: bool| {
            let mut out = Vec::new();
            for (n, text) in rows {
                let Ok(number) = n.parse::<Number>() else { continue };
                let unit = if article { Unit::Article(number) } else { Unit::Section(number) };
                let pins = more.iter().find(|(m, _)| *m == n).map_or(&[][..], |(_, p)| *p);
                out.push(provision(work, unit, text, Grammar::IndianAct, pins)?);
            }
            Ok::<_, String>(out)
        };
        let mut ipc = rows(shared, "data/corpus-ipc/civictech_ipc.json", "Section", "section_desc")?;
        for n in ["376AB", "376DA", "376DB"] {
            ipc.push((
                n.to_owned(),
                "Text of an amendment that this source lacks, kept short for the list of numbers.".to_owned(),
            ));
        }
        for (n, text) in &mut ipc {
            if n == "304B" {
                "A section that this source has empty, kept short for the list of its numbers alone."
                    .clone_into(text);
            }
        }
        for n in 161..=165 {
            ipc.retain(|(m, _)| *m != n.to_string());
            ipc.push((n.to_string(), "Repealed.".to_owned()));
        }
        let ipc = act(
            "in/ipc",
            ipc,
            &[
                ("300", &["exc1", "third"]),
                ("299", &["expl2", "ill-a"]),
                ("304", &["part1", "part2"]),
                ("376", &["2.a"]),
            ],
            false,
        )?;
        let mut crpc = rows(shared, "data/corpus-crpc/civictech_crpc.json", "section", "section_desc")?;
        for n in ["41A", "41B", "41C", "41D", "55A", "60A", "195A", "437A"] {
            crpc.push((
                n.to_owned(),
                "A section that this source lacks, kept short for the list of numbers alone here.".to_owned(),
            ));
        }
        let crpc =
            act("in/crpc", crpc, &[("162", &["1", "1.proviso"]), ("437", &["1.i"]), ("156", &["3"])], false)?;
        let mut coi = rows(
            shared,
            "data/corpus-constitution-india/civictech_constitution.json",
            "article",
            "description",
        )?;
        for n in ["43B", "279A", "338B", "342A", "371J", "31"] {
            coi.retain(|(m, _)| m != n);
            coi.push((
                n.to_owned(),
                if n == "31" {
                    String::new()
                } else {
                    "An article that this source lacks, kept short for the list of its numbers.".to_owned()
                },
            ));
        }
        let mut coi = act(
            "in/constitution",
            coi,
            &[("19", &["1.a", "1.g"]), ("239AA", &["3.a"]), ("51A", &["g"])],
            true,
        )?;
        let lists = "List I—Union List\n1. Defence.\n2. Forces.\nList II—State List\n1. Order.\n2. Police.\n";
        coi.push(provision(
            "in/constitution",
            Unit::Schedule(Number::plain(7)),
            lists.to_owned(),
            Grammar::IndianAct,
            &[],
        )?);
        let bns = act("in/bns", markdown(shared, "data/corpus-india-2023-codes/bns_md")?, &[], false)?;
        let bnss = act("in/bnss", markdown(shared, "data/corpus-india-2023-codes/bnss_md")?, &[], false)?;
        let law = criminal_law(shared)?;
        let cn = |law: &[(Number, String)]| {
            law.iter()
                .map(|(n, t)| {
                    provision(
                        "cn/criminal-law",
                        Unit::Article(n.clone()),
                        t.clone(),
                        Grammar::ChineseCode,
                        &[],
                    )
                })
                .collect::<Result<Vec<_>, String>>()
        };
        let am10: Vec<(Number, String)> =
            law.iter().filter(|(n, _)| *n != Number::with_sub(133, 2)).cloned().collect();
        Ok(vec![
            edition("in/ipc", date(2018, 4, 21), "en", ipc)?,
            edition("in/crpc", date(2018, 4, 21), "en", crpc)?,
            edition("in/constitution", date(2023, 9, 28), "en", coi)?,
            edition("in/bns", date(2024, 7, 1), "en", bns)?,
            edition("in/bnss", date(2024, 7, 1), "en", bnss)?,
            edition("cn/criminal-law", date(2017, 11, 4), "zh", cn(&am10)?)?,
            edition("cn/criminal-law", date(2024, 3, 1), "zh", cn(&law)?)?,
        ])
    }
}
