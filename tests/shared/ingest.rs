//! Every statute file of `../shared/data` that a reader takes: counts, spot checks to the letter, and sources of
//! one text against each other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nyaya_corpora::citation::{Context, Verdict, check_text};
use nyaya_corpora::{Catalogue, Provision, Status, Unit};
use nyaya_ingest::{Built, PdfReader, build_edition};

use crate::Test;

/// File, work, number of sections or articles, schedules, part of the text that may stay unassigned.
const FILES: &[(&str, &str, &str, usize, usize, f64)] = &[
    ("ipc_2018_pdf", "corpus-ipc/ipc_indiacode_resaved.pdf", "in/ipc", 575, 0, 0.002),
    ("ipc_2017_pdf", "corpus-ipc/ipc_indiacode.pdf", "in/ipc", 572, 0, 0.002),
    ("crpc_2020_pdf", "corpus-crpc/crpc_indiacode.pdf", "in/crpc", 535, 2, 0.015),
    ("crpc_resaved_pdf", "corpus-crpc/crpc_indiacode_resaved.pdf", "in/crpc", 534, 2, 0.015),
    (
        "constitution_pdf",
        "corpus-constitution-india/constitution_2024_05.pdf",
        "in/constitution",
        506,
        12,
        0.04,
    ),
    ("criminal_law_md", "corpus-prc-criminal-law/lawrefbook_md/刑法.md", "cn/criminal-law", 505, 2, 0.02),
    ("criminal_law_txt", "corpus-prc-criminal-law/criminal_law.txt", "cn/criminal-law", 505, 2, 0.02),
    ("criminal_law_pdf", "corpus-prc-criminal-law/criminal_law_am11.pdf", "cn/criminal-law", 505, 2, 0.02),
    ("bns_md", "corpus-india-2023-codes/bns_md", "in/bns", 358, 0, 0.01),
    ("bnss_md", "corpus-india-2023-codes/bnss_md", "in/bnss", 531, 0, 0.01),
];

/// SHA-256 of the text with runs of white space as one space, of the provisions that must be right to the letter.
const LETTERS: &[(&str, &str, &str)] = &[
    ("ipc", "s302", "c80dbf40541e40dea7b2d068d46332bced2497e008d9a1583b137f016bd152c7"),
    ("ipc", "s304B", "53553acf50bbfe665debb0c95e954608336b54a020e61cc18d4723445a29e2d2"),
    ("ipc", "s376DB", "57bae0f707abcc10b9b6849da8c8f457dd9c70e7b3ad13522423dc25fc11c2f4"),
    ("constitution", "a21A", "a60732ea6a7f1a5bf7fd39d0d719043a86470b116d49331685ffdcf2852d335c"),
    ("constitution", "a243ZT", "1f57542c5e20931ec26a9db7794653df2dc0f69a02de38d5938d94155c6f120e"),
    ("constitution", "a371J", "614c1f1dccd732b38c2af5f6353d1636c99babeae505bd31f0864d03c4a6ea2b"),
    ("pdf", "a133-1", "731e9c86c647e0f1faa53ee287d5affaab431b49f002d71104b68053f0e19e62"),
    ("md", "a133-1", "731e9c86c647e0f1faa53ee287d5affaab431b49f002d71104b68053f0e19e62"),
    ("pdf", "a418", "f37e431a5043572dfbff6fc694936cb65cb0339f0738969201a5b3e77682d62f"),
    ("md", "a418", "f37e431a5043572dfbff6fc694936cb65cb0339f0738969201a5b3e77682d62f"),
];

pub fn trials(shared: &Path) -> Vec<(&'static str, Test)> {
    let data = shared.join("data");
    let mut trials: Vec<(&'static str, Test)> = Vec::new();
    for (name, file, work, count, schedules, unassigned) in FILES {
        let path = data.join(file);
        trials.push((name, Box::new(move || whole(&path, work, *count, *schedules, *unassigned))));
    }
    let at = |file: &str| data.join(file);
    let files = [
        at("corpus-ipc/ipc_indiacode_resaved.pdf"),
        at("corpus-constitution-india/constitution_2024_05.pdf"),
        at("corpus-prc-criminal-law/criminal_law_am11.pdf"),
        at("corpus-prc-criminal-law/lawrefbook_md/刑法.md"),
    ];
    trials.push(("spot_checks_to_the_letter", Box::new(move || spots(&files))));
    let (md, txt, pdf) = (
        at("corpus-prc-criminal-law/lawrefbook_md/刑法.md"),
        at("corpus-prc-criminal-law/criminal_law.txt"),
        at("corpus-prc-criminal-law/criminal_law_am11.pdf"),
    );
    trials.push((
        "seven_articles_differ_between_amendments_xi_and_xii",
        Box::new(move || seven(&md, &txt, &pdf)),
    ));
    let rows = [
        (at("corpus-ipc/civictech_ipc.json"), "in/ipc"),
        (at("corpus-crpc/civictech_crpc.json"), "in/crpc"),
        (at("corpus-constitution-india/civictech_constitution.json"), "in/constitution"),
    ];
    trials.push(("incomplete_tables_say_what_they_lack", Box::new(move || incomplete(&rows))));
    let ipc = at("corpus-ipc/ipc_indiacode_resaved.pdf");
    let constitution = at("corpus-constitution-india/constitution_2024_05.pdf");
    trials.push(("article_370_says_what_is_no_longer_in_force", Box::new(move || what_ended(&constitution))));
    trials.push(("status_headings_and_notes_of_the_ipc", Box::new(move || ipc_details(&ipc))));
    trials
}

pub fn build(path: &Path, work: &str) -> Result<Built, String> {
    let catalogue = Catalogue::builtin().map_err(|e| e.to_string())?;
    let work = work.parse().map_err(|e: nyaya_corpora::IdError| e.to_string())?;
    let manifest = catalogue.get(&work).ok_or("no such manifest")?;
    build_edition(manifest, None, path, &PdfReader::in_process()).map_err(|e| e.to_string())
}

pub fn that(holds: bool, what: impl Into<String>) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.into()) }
}

/// Nothing missing, nothing extra, nothing twice, and the same bytes again.
fn whole(path: &Path, work: &str, count: usize, schedules: usize, unassigned: f64) -> Result<(), String> {
    let built = build(path, work)?;
    let numbered = built.edition.provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).count();
    that(
        numbered == count && built.expected == count,
        format!("{numbered} found, {} expected, {count} wanted", built.expected),
    )?;
    let missing: Vec<&Unit> = built.missing.iter().filter(|u| u.is_numbered_provision()).collect();
    that(missing.is_empty(), format!("missing {missing:?}"))?;
    that(built.extra.is_empty(), format!("extra {:?}", built.extra))?;
    that(built.duplicates.is_empty(), format!("twice {:?}", built.duplicates))?;
    let held = built.edition.provisions.iter().filter(|p| matches!(p.id.unit, Unit::Schedule(_))).count();
    that(held == schedules, format!("{held} schedules"))?;
    that(built.unassigned_share <= unassigned, format!("{} of the text unassigned", built.unassigned_share))?;
    that(built.fit && built.edition.complete, format!("not fit: {:?}", built.diagnostics.first()))?;
    for p in &built.edition.provisions {
        that(!p.text.trim().is_empty(), format!("{} is empty", p.id))?;
        that(!p.text.contains(['\u{FFFD}', '\r', '\t']), format!("{} holds an odd character", p.id))?;
        for a in &p.annotations {
            that(
                a.at.is_none_or(|at| p.text.is_char_boundary(at)),
                format!("{}: a note off its place", p.id),
            )?;
        }
    }
    let again = build(path, work)?;
    that(again.edition == built.edition, "a second build gives something else")
}

fn text(built: &Built, unit: &str) -> Result<String, String> {
    Ok(provision(built, unit)?.text.clone())
}

fn provision<'a>(built: &'a Built, unit: &str) -> Result<&'a Provision, String> {
    let wanted: Unit = unit.parse().map_err(|e: nyaya_corpora::IdError| e.to_string())?;
    built.edition.get(&wanted).ok_or_else(|| format!("no {unit}"))
}

fn spots(files: &[PathBuf]) -> Result<(), String> {
    let mut built: BTreeMap<&str, Built> = BTreeMap::new();
    for (key, path, work) in [
        ("ipc", 0, "in/ipc"),
        ("constitution", 1, "in/constitution"),
        ("pdf", 2, "cn/criminal-law"),
        ("md", 3, "cn/criminal-law"),
    ] {
        let path = files.get(path).ok_or("no file")?;
        built.insert(key, build(path, work)?);
    }
    for (key, unit, hash) in LETTERS {
        let built = built.get(key).ok_or("no edition")?;
        let text = text(built, unit)?.split_whitespace().collect::<Vec<_>>().join(" ");
        let found = nyaya_ingest::read::sha256_hex(text.as_bytes());
        that(found == *hash, format!("{key} {unit}: {found}"))?;
    }
    Ok(())
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn seven(md: &Path, txt: &Path, pdf: &Path) -> Result<(), String> {
    let (md, txt, pdf) =
        (build(md, "cn/criminal-law")?, build(txt, "cn/criminal-law")?, build(pdf, "cn/criminal-law")?);
    let differing = |a: &Built, b: &Built| -> Result<Vec<String>, String> {
        let mut out = Vec::new();
        for p in a.edition.provisions.iter().filter(|p| p.id.unit.is_numbered_provision()) {
            let other = text(b, &p.id.unit.to_string())?;
            // The PDF's font gives 臵 for 置.
            if letters(&p.text).replace('臵', "置") != letters(&other).replace('臵', "置") {
                out.push(p.id.unit.to_string());
            }
        }
        Ok(out)
    };
    let same = differing(&md, &txt)?;
    that(same.is_empty(), format!("Markdown and text differ in {same:?}"))?;
    let seven = differing(&md, &pdf)?;
    that(seven == ["a165", "a166", "a169", "a387", "a390", "a391", "a393"], format!("{seven:?}"))?;
    that(pdf.diagnostics.iter().any(|d| d.code == "reader_defect"), "臵 is not reported")
}

fn incomplete(rows: &[(PathBuf, &str)]) -> Result<(), String> {
    for (path, work) in rows {
        let built = build(path, work)?;
        that(!built.edition.complete, format!("{work}: a table that lacks provisions counts as complete"))?;
        that(!built.missing.is_empty(), format!("{work}: nothing is missing"))?;
        for unit in &built.missing {
            let said = built.diagnostics.iter().any(|d| d.id.as_ref().is_some_and(|id| &id.unit == unit));
            that(said, format!("{work}: {unit} is missing in silence"))?;
        }
        that(built.duplicates.is_empty(), format!("{work}: {:?}", built.duplicates))?;
    }
    Ok(())
}

fn ipc_details(path: &Path) -> Result<(), String> {
    let built = build(path, "in/ipc")?;
    for unit in ["s13", "s161", "s165A", "s216B", "s492"] {
        that(provision(&built, unit)?.status != Status::InForce, format!("{unit} counts as law"))?;
    }
    let murder = provision(&built, "s302")?;
    that(murder.heading.as_deref() == Some("Punishment for murder"), format!("{:?}", murder.heading))?;
    that(murder.breadcrumb.len() == 2, format!("{:?}", murder.breadcrumb))?;
    that(
        murder.annotations.iter().any(|a| a.text.contains("Act 26 of 1955")),
        "the footnote of s302 is lost",
    )?;
    that(!murder.text.contains(['[', ']', '*']), "marks are left in s302")?;
    // The notes at the foot of the first page are long, and set in more than one size.
    let abroad = text(&built, "s4")?;
    that(
        ["Gazette", "Regulation", "w.e.f.", "Sch."].iter().all(|w| !abroad.contains(w))
            && abroad.contains("computer resource"),
        format!("notes are in the text of s4: {abroad}"),
    )?;
    for (unit, needle) in [
        ("s300", "\nException 1.—"),
        ("s300", "\n2ndly.—"),
        ("s378", "\nExplanation 1.—"),
        ("s304B", "\nExplanation.—"),
    ] {
        that(text(&built, unit)?.contains(needle), format!("{unit} has no line {needle:?}"))?;
    }
    for unit in ["s303", "s497", "s377"] {
        that(provision(&built, unit)?.struck_down.is_some(), format!("{unit} carries no finding"))?;
    }
    that(built.contents.len() >= 570, format!("{} entries in the contents table", built.contents.len()))
}

/// The file prints the clauses of article 370 whole, with the declaration that ended them in a note.
fn what_ended(path: &Path) -> Result<(), String> {
    let built = build(path, "in/constitution")?;
    let article = provision(&built, "a370")?;
    that(article.status == Status::InForce, "the article itself stands")?;
    let note = article.annotations.first().map_or("", |a| a.text.as_str());
    that(note.contains("a370.1 is no longer in force from 2019-08-06"), note)?;
    that(
        article.annotations.iter().any(|a| a.text.contains("C.O. 273") && a.text.contains("6thAugust, 2019")),
        "the source's own note is lost",
    )?;
    let catalogue = Catalogue::builtin().map_err(|e| e.to_string())?;
    let lookup = nyaya_corpora::MemoryLookup::new([built.edition.clone()]);
    for (words, day, verdict) in [
        ("Article 370(1)(d) of the Constitution", "2019-08-05", Verdict::Unchecked),
        ("Article 370(1)(d) of the Constitution", "2021-09-20", Verdict::Repealed),
        ("Article 370(3) of the Constitution", "2021-09-20", Verdict::Repealed),
        ("Article 370 of the Constitution", "2021-09-20", Verdict::Verified),
    ] {
        let as_of = day.parse().map_err(|e| format!("{e}"))?;
        let context = Context { as_of: Some(as_of), jurisdiction: Some("in".into()), ..Context::default() };
        let found = check_text(words, &lookup, &catalogue, &context).citations;
        let [c] = found.as_slice() else { return Err(format!("{words}: {found:?}")) };
        that(c.verdict == verdict, format!("{words} on {day}: {:?}, {}", c.verdict, c.reason))?;
        let whole = c.id.as_ref().is_some_and(|id| id.pins.is_empty());
        that(!whole || c.reason.contains("except in/constitution#a370.1"), c.reason.clone())?;
    }
    for number in ["124", "217", "222", "371D", "31C", "368"] {
        that(
            provision(&built, &format!("a{number}"))?.struck_down.is_some(),
            format!("{number} carries no finding"),
        )?;
    }
    Ok(())
}
