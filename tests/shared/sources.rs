//! The proof table: every file of the corpora in `../shared/data`, what its version should have and what was found.
//! `NYAYA_PROOF=1` prints it.

use std::path::{Path, PathBuf};

use nyaya_corpora::{Severity, Unit};
use nyaya_ingest::Built;
use nyaya_ingest::check;
use nyaya_ingest::compare::{Change, Comparison, compare};

use crate::Test;
use crate::ingest::{build, that};

/// What is wrong with a file, if something is: the code of a finding that makes it unfit, or words of the refusal.
const UNFIT: &[(&str, &str)] = &[
    ("adhikaar_constitution_2026_chunks.jsonl", "duplicate"),
    ("civictech_ipc.json", "incomplete"),
    ("ipc_sections_plain_language.csv", "commentary"),
    ("criminal_law_structured.json", "missing"),
    ("criminal_law_am11_headings.json", "cut_short"),
    ("yashhanda_constitution_outline.json", "incomplete"),
];

/// File or folder, statute, version, sections or articles, schedules. All of them whole.
const WHOLE: &[(&str, &str, &str, usize, usize)] = &[
    ("corpus-ipc/ipc_indiacode.pdf", "in/ipc", "2013-02-03", 572, 0),
    ("corpus-ipc/ipc_indiacode_resaved.pdf", "in/ipc", "2018-04-21", 575, 0),
    ("corpus-crpc/crpc_indiacode.pdf", "in/crpc", "2019-10-31", 535, 2),
    ("corpus-crpc/crpc_indiacode_resaved.pdf", "in/crpc", "2014-01-16", 534, 2),
    ("corpus-constitution-india/constitution_2024_05.pdf", "in/constitution", "2021-09-15", 506, 12),
    ("corpus-india-2023-codes/bns_2023_gazette.pdf", "in/bns", "2024-07-01", 358, 0),
    ("corpus-india-2023-codes/bns_md", "in/bns", "2024-07-01", 358, 0),
    ("corpus-india-2023-codes/bns_definitions.jsonl", "in/bns", "2024-07-01", 358, 0),
    ("corpus-india-2023-codes/bnss_2023_gazette.pdf", "in/bnss", "2024-07-01", 531, 2),
    ("corpus-india-2023-codes/bnss_md", "in/bnss", "2024-07-01", 531, 0),
    ("corpus-prc-criminal-law/lawrefbook_md/刑法.md", "cn/criminal-law", "2024-03-01", 505, 2),
    ("corpus-prc-criminal-law/criminal_law.txt", "cn/criminal-law", "2024-03-01", 505, 2),
    ("corpus-prc-criminal-law/justlaws_md", "cn/criminal-law", "2021-03-01", 505, 2),
    ("corpus-prc-criminal-law/criminal_law_am11_headings.docx", "cn/criminal-law", "2021-03-01", 505, 2),
    ("corpus-prc-criminal-law/criminal_law_am11.pdf", "cn/criminal-law", "2021-03-01", 505, 2),
];

pub fn trials(shared: &Path) -> Vec<(&'static str, Test)> {
    let data = shared.join("data");
    let mut trials: Vec<(&'static str, Test)> = Vec::new();
    let at = data.clone();
    trials.push(("sources_that_are_whole", Box::new(move || whole(&at))));
    let at = data.clone();
    trials.push(("every_other_file_builds_or_is_refused_with_a_reason", Box::new(move || others(&at))));
    let at = data.clone();
    trials
        .push(("a_popular_table_under_another_name_is_caught_by_its_words", Box::new(move || renamed(&at))));
    let at = data.clone();
    trials.push(("one_text_in_every_encoding_gives_the_same_provisions", Box::new(move || encodings(&at))));
    let at = data.clone();
    trials.push(("seven_articles_differ_between_every_pair_of_sources", Box::new(move || seven(&at))));
    let at = data.clone();
    trials.push(("the_gazettes_and_the_markdown_say_the_same", Box::new(move || gazettes(&at))));
    let at = data.clone();
    trials.push(("tables_keep_their_rows", Box::new(move || crate::rows::kept(&at))));
    let at = data;
    trials.push(("titles_groups_and_dates", Box::new(move || details(&at))));
    trials
}

fn count(built: &Built) -> (usize, usize) {
    let p = &built.edition.provisions;
    (
        p.iter().filter(|p| p.id.unit.is_numbered_provision()).count(),
        p.iter().filter(|p| matches!(p.id.unit, Unit::Schedule(_))).count(),
    )
}

fn print(line: &str) {
    if std::env::var_os("NYAYA_PROOF").is_some() {
        eprintln!("{line}");
    }
}

fn row(file: &str, work: &str, built: &Built) {
    let (found, schedules) = count(built);
    let numbered = |list: &[Unit]| list.iter().filter(|u| u.is_numbered_provision()).count();
    print(&format!(
        "| {file} | {work} | {} | {} | {} | {found} | {} | {} | {} | {schedules} | {:.2} % | {} |",
        built.edition.version,
        built.expected,
        built.contents.len(),
        numbered(&built.missing),
        built.extra.len(),
        built.duplicates.len(),
        built.unassigned_share * 100.0,
        if built.fit { "yes" } else { "no" },
    ));
}

fn whole(data: &Path) -> Result<(), String> {
    print(
        "| file | statute | version | expected | in its contents | found | missing | extra | twice | schedules | unassigned | fit |",
    );
    print("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (file, work, version, found, schedules) in WHOLE {
        let built = build(&data.join(file), work)?;
        row(file, work, &built);
        that(count(&built) == (*found, *schedules), format!("{file}: {:?}", count(&built)))?;
        that(
            built.edition.version.to_string() == *version,
            format!("{file}: taken for {}", built.edition.version),
        )?;
        let missing: Vec<&Unit> = built.missing.iter().filter(|u| u.is_numbered_provision()).collect();
        that(
            missing.is_empty() && built.extra.is_empty() && built.duplicates.is_empty(),
            format!("{file}: {missing:?} {:?} {:?}", built.extra, built.duplicates),
        )?;
        that(built.fit && built.edition.complete, format!("{file}: {:?}", built.diagnostics.first()))?;
        that(built.unassigned_share < 0.04, format!("{file}: {} unassigned", built.unassigned_share))?;
        let longest = built
            .edition
            .provisions
            .iter()
            .filter(|p| p.id.unit.is_numbered_provision())
            .max_by_key(|p| p.text.len());
        // The longest real ones: the definitions of the Constitution (366) and of the Code of 2023 are near 20,000.
        that(
            longest.is_none_or(|p| p.text.chars().count() < 25_000),
            format!("{file}: {:?} is too long", longest.map(|p| p.id.to_string())),
        )?;
    }
    Ok(())
}

/// The statute of a file, by its folder.
fn work_of(path: &Path) -> &'static str {
    let text = path.display().to_string();
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    if text.contains("corpus-ipc") {
        "in/ipc"
    } else if text.contains("corpus-crpc") {
        "in/crpc"
    } else if text.contains("corpus-constitution") {
        "in/constitution"
    } else if name.starts_with("bnss") || text.contains("bnss_md") {
        "in/bnss"
    } else if text.contains("2023-codes") {
        "in/bns"
    } else {
        "cn/criminal-law"
    }
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { files(&path, all) } else { all.push(path) }
    }
}

fn others(data: &Path) -> Result<(), String> {
    let mut all = Vec::new();
    for folder in [
        "corpus-ipc",
        "corpus-crpc",
        "corpus-constitution-india",
        "corpus-india-2023-codes",
        "corpus-prc-criminal-law",
    ] {
        files(&data.join(folder), &mut all);
    }
    that(all.len() > 40, format!("{} files", all.len()))?;
    for path in all.iter().filter(|p| !WHOLE.iter().any(|w| p.ends_with(w.0))) {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let work = work_of(path);
        match build(path, work) {
            Ok(built) => {
                row(name, work, &built);
                let errors: Vec<&str> = built
                    .diagnostics
                    .iter()
                    .filter(|d| d.severity == Severity::Error)
                    .map(|d| d.code.as_str())
                    .collect();
                that(built.fit == errors.is_empty(), format!("{name}: unfit without a reason"))?;
                if let Some((_, code)) = UNFIT.iter().find(|u| u.0 == name) {
                    that(errors.contains(code), format!("{name}: {code} is not among {errors:?}"))?;
                }
                // A part of a statute alone, or an amending act, is not the statute.
                let part = ["bns_md", "bnss_md", "justlaws_md", "lawrefbook_md"]
                    .iter()
                    .any(|f| path.display().to_string().contains(f));
                that(!part || !built.fit, format!("{name}: a part counts as the whole"))?;
            }
            Err(why) => {
                print(&format!("| {name} | {work} | refused: {} |", why.replace('\n', " ")));
                that(why.contains("hint: "), format!("{name}: {why}"))?;
            }
        }
    }
    // 41 articles, every one whose numeral has 零, and nothing else.
    let built = build(&data.join("corpus-prc-criminal-law/criminal_law_structured.json"), "cn/criminal-law")?;
    let missing = built.missing.iter().filter(|u| u.is_numbered_provision()).count();
    that(missing == 41, format!("{missing} articles missing from the structured table"))
}

fn renamed(data: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut bytes = std::fs::read(data.join("corpus-ipc/civictech_ipc.json")).map_err(|e| e.to_string())?;
    bytes.push(b'\n');
    let path = folder.path().join("sections.json");
    std::fs::write(&path, bytes).map_err(|e| e.to_string())?;
    let built = build(&path, "in/ipc")?;
    that(!built.fit, "its own words do not give it away")?;
    // With a good edition at hand every section that was cut is named.
    let good = build(&data.join("corpus-ipc/ipc_indiacode_resaved.pdf"), "in/ipc")?;
    let comparison = compare(&good.edition.provisions, &built.edition.provisions);
    let cut = comparison.rows.iter().filter(|r| Comparison::cut_short(r)).count();
    that((140..=200).contains(&cut), format!("{cut} sections cut short"))?;
    let mut report = check::Report { fit: true, ..check::Report::default() };
    check::against(&mut report, &comparison, "the PDF");
    that(
        !report.fit && report.diagnostics.iter().any(|d| d.code == "cut_short"),
        "the comparison does not say so",
    )
}

fn encodings(data: &Path) -> Result<(), String> {
    let source = data.join("corpus-prc-criminal-law/criminal_law.txt");
    let bytes = std::fs::read(&source).map_err(|e| e.to_string())?;
    let text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
    let text = text.trim_start_matches('\u{FEFF}');
    let plain = build(&source, "cn/criminal-law")?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let wide = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let gb = |encoding: &'static encoding_rs::Encoding| -> Result<Vec<u8>, String> {
        let (bytes, _, lost) = encoding.encode(text);
        if lost {
            Err(format!("{} does not have every letter", encoding.name()))
        } else {
            Ok(bytes.into_owned())
        }
    };
    for (name, bytes) in [
        ("utf-8", text.as_bytes().to_vec()),
        ("utf-8-bom", [b"\xEF\xBB\xBF", text.as_bytes()].concat()),
        ("utf-16-le", [b"\xFF\xFE".to_vec(), wide(u16::to_le_bytes)].concat()),
        ("utf-16-be", [b"\xFE\xFF".to_vec(), wide(u16::to_be_bytes)].concat()),
        ("utf-16-le-without-mark", wide(u16::to_le_bytes)),
        ("utf-16-be-without-mark", wide(u16::to_be_bytes)),
        ("gbk", gb(encoding_rs::GBK)?),
        ("gb18030", gb(encoding_rs::GB18030)?),
    ] {
        let path = folder.path().join(format!("{name}.txt"));
        std::fs::write(&path, &bytes).map_err(|e| e.to_string())?;
        let built = build(&path, "cn/criminal-law")?;
        let texts = |b: &Built| {
            b.edition
                .provisions
                .iter()
                .map(|p| (p.id.to_string(), p.text.clone(), p.heading.clone()))
                .collect::<Vec<_>>()
        };
        that(texts(&built) == texts(&plain), format!("{name}: other provisions"))?;
        // A byte that no encoding has is an error, never a mark of replacement.
        let mut broken = bytes;
        let middle = broken.len() / 2;
        broken.splice(middle..middle, [0xFF, 0xFF, 0xFF, 0x81]);
        std::fs::write(&path, &broken).map_err(|e| e.to_string())?;
        match build(&path, "cn/criminal-law") {
            Err(why) => that(why.contains("hint: "), why)?,
            Ok(built) => that(
                !built.edition.provisions.iter().any(|p| p.text.contains('\u{FFFD}')),
                format!("{name}: U+FFFD in the store"),
            )?,
        }
    }
    Ok(())
}

fn seven(data: &Path) -> Result<(), String> {
    let prc = data.join("corpus-prc-criminal-law");
    let new = ["lawrefbook_md/刑法.md", "criminal_law.txt"];
    let old = ["justlaws_md", "criminal_law_am11_headings.docx", "criminal_law_am11.pdf"];
    let read = |names: &[&str]| {
        names.iter().map(|n| build(&prc.join(n), "cn/criminal-law")).collect::<Result<Vec<_>, _>>()
    };
    let (new, old) = (read(&new)?, read(&old)?);
    for a in &old {
        for b in &new {
            let comparison = compare(&a.edition.provisions, &b.edition.provisions);
            let differ: Vec<String> = comparison
                .rows
                .iter()
                .filter(|r| {
                    r.unit.is_numbered_provision() && !matches!(r.change, Change::Same | Change::Punctuation)
                })
                .map(|r| r.unit.to_string())
                .collect();
            that(
                differ == ["a165", "a166", "a169", "a387", "a390", "a391", "a393"],
                format!("{} and {}: {differ:?}", a.edition.source_file, b.edition.source_file),
            )?;
        }
    }
    Ok(())
}

fn gazettes(data: &Path) -> Result<(), String> {
    let codes = data.join("corpus-india-2023-codes");
    for (pdf, md, work, most) in [
        ("bns_2023_gazette.pdf", "bns_md", "in/bns", 12),
        ("bnss_2023_gazette.pdf", "bnss_md", "in/bnss", 40),
    ] {
        let (pdf, md) = (build(&codes.join(pdf), work)?, build(&codes.join(md), work)?);
        let comparison = compare(&md.edition.provisions, &pdf.edition.provisions);
        let numbered = comparison.rows.iter().filter(|r| r.unit.is_numbered_provision());
        let low: Vec<String> = numbered
            .filter(|r| r.similarity < 0.97)
            .map(|r| {
                format!(
                    "{} {:.3} {}",
                    r.unit,
                    r.similarity,
                    r.difference.chars().take(120).collect::<String>()
                )
            })
            .collect();
        print(&format!("{work}: {} sections less than 97 % alike: {low:#?}", low.len()));
        that(low.len() <= most, format!("{work}: {low:#?}"))?;
        that(comparison.similarity() > 0.99, format!("{work}: {} alike", comparison.similarity()))?;
        let headed = pdf.edition.provisions.iter().filter(|p| p.heading.is_some()).count();
        that(
            headed * 100 >= pdf.edition.provisions.len() * 99,
            format!("{work}: {headed} headings in the margin"),
        )?;
    }
    Ok(())
}

fn details(data: &Path) -> Result<(), String> {
    let ipc = build(&data.join("corpus-ipc/ipc_indiacode.pdf"), "in/ipc")?;
    for p in &ipc.edition.provisions {
        that(
            !p.breadcrumb.iter().any(|b| b.contains("OFFENCESAFFECTING") || b.contains("OFFENCESRELATING")),
            format!("{}: {:?}", p.id, p.breadcrumb),
        )?;
    }
    let unit = |built: &Built, name: &str| {
        let wanted: Unit = name.parse().map_err(|e: nyaya_corpora::IdError| e.to_string())?;
        built.edition.get(&wanted).cloned().ok_or_else(|| format!("no {name}"))
    };
    // Inserted by Act 13 of 2013 with effect from 3 February 2013, as the footnote at its number says.
    let inserted = unit(&ipc, "s354D")?;
    that(
        inserted.in_force_from.is_none_or(|d| d.to_string() == "2013-02-03"),
        format!("{:?}", inserted.in_force_from),
    )?;
    let dated = ipc.edition.provisions.iter().filter(|p| p.in_force_from.is_some()).count();
    that(dated >= 3, format!("{dated} sections with a date of their own"))?;
    let constitution =
        build(&data.join("corpus-constitution-india/constitution_2024_05.pdf"), "in/constitution")?;
    let (a193, a194) = (unit(&constitution, "a193")?, unit(&constitution, "a194")?);
    that(!a193.text.contains("Powers, Privileges"), "a group heading is left at the end of a193")?;
    that(
        a194.breadcrumb.iter().any(|b| b.starts_with("Powers, Privileges")),
        format!("{:?}", a194.breadcrumb),
    )?;
    let education = unit(&constitution, "a21A")?;
    that(
        education.in_force_from.is_some_and(|d| d.to_string() == "2010-04-01"),
        format!("{:?}", education.in_force_from),
    )?;
    let lists = unit(&constitution, "sch7")?;
    for pin in [["list1", "e1"], ["list2", "e1"], ["list3", "e1"], ["list2", "e66"]] {
        let path: Vec<String> = pin.iter().map(|p| (*p).to_owned()).collect();
        that(lists.at(&path).is_some(), format!("sch7.{} is no place", path.join(".")))?;
    }
    Ok(())
}
