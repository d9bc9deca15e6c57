//! Tables of the statutes of `../shared`: every row with all its cells, and no word lost.

use std::collections::BTreeMap;
use std::path::Path;

use nyaya_corpora::{Provision, Unit};
use nyaya_ingest::read::{Body, read, sha256_hex};
use nyaya_ingest::{Built, PdfReader};

use crate::ingest::{build, that};

/// A file of the Code, with what its tables hold.
struct Code {
    file: &'static str,
    /// Pages of the First Schedule.
    pages: (u32, u32),
    /// Its rows of six cells, with the titles and the numbers of the columns.
    six: usize,
    /// Rows of the tables of section 320, with their titles and numbers.
    three: usize,
    /// Section, rows after its own, and the first letters of the SHA-256 of the row.
    rows: &'static [(&'static str, usize, &'static str)],
}

const CODES: [Code; 2] = [
    Code {
        file: "crpc_indiacode.pdf",
        pages: (196, 230),
        six: 489,
        three: 56,
        rows: &[
            ("109", 0, "1e4554d68b32bbab"),
            ("116", 1, "eed6edd8c67cda58"),
            ("293", 0, "c04c060faa74da42"),
            ("294A", 1, "388275853ab7f26c"),
            ("302", 0, "adaff826350c3566"),
            ("304A", 0, "ec4edbef7fb09e55"),
            ("354C", 1, "a22e2bd089694c27"),
            ("376", 0, "6e7c18fb5dc5e854"),
            ("376DB", 0, "7a2088d489dbceb5"),
            ("376E", 0, "d1eef1788f3f9cb0"),
            ("379", 0, "04399aa47637dd27"),
            ("420", 0, "cb87003f163c2bbf"),
            ("498A", 0, "d33495c8e9975abe"),
            ("500", 1, "db18dbfc8f4e5971"),
            ("501(a)", 1, "7f9d6afb2825720a"),
            ("506", 0, "607dd1b202cadf04"),
            ("506", 1, "965fe75ad250757d"),
            ("511", 0, "25bf06fd1be4bd5c"),
        ],
    },
    Code {
        file: "crpc_indiacode_resaved.pdf",
        pages: (167, 193),
        six: 484,
        three: 56,
        rows: &[
            ("109", 0, "1e4554d68b32bbab"),
            ("116", 1, "eed6edd8c67cda58"),
            ("293", 0, "c04c060faa74da42"),
            ("294A", 1, "388275853ab7f26c"),
            ("302", 0, "adaff826350c3566"),
            ("304A", 0, "ec4edbef7fb09e55"),
            ("354C", 1, "d00d178bfde75920"),
            ("376", 0, "c57dc4acbf1e1510"),
            ("376E", 0, "d1eef1788f3f9cb0"),
            ("379", 0, "04399aa47637dd27"),
            ("420", 0, "cb87003f163c2bbf"),
            ("498A", 0, "d33495c8e9975abe"),
            ("500", 1, "db18dbfc8f4e5971"),
            ("501(a)", 1, "7f9d6afb2825720a"),
            ("506", 0, "607dd1b202cadf04"),
            ("506", 1, "965fe75ad250757d"),
            ("511", 0, "25bf06fd1be4bd5c"),
        ],
    },
];

fn unit<'b>(built: &'b Built, name: &str) -> Result<&'b Provision, String> {
    let wanted: Unit = name.parse().map_err(|e: nyaya_corpora::IdError| e.to_string())?;
    built.edition.get(&wanted).ok_or_else(|| format!("no {name}"))
}

fn cells(line: &str) -> Vec<&str> {
    line.split(" | ").collect()
}

/// The row of a section, or one of those after it.
fn row<'t>(text: &'t str, section: &str, after: usize) -> Option<&'t str> {
    let start = format!("{section} | ");
    text.lines().skip_while(|l| !l.starts_with(&start)).nth(after)
}

fn code(data: &Path, code: &Code) -> Result<(), String> {
    let file = code.file;
    let path = data.join("corpus-crpc").join(file);
    let built = build(&path, "in/crpc")?;
    let schedule = unit(&built, "sch1")?;
    let text = &schedule.text;
    let six = text.lines().filter(|l| cells(l).len() == 6).count();
    that(six == code.six, format!("{file}: {six} rows of six cells"))?;
    // All else are the titles, the notes before the table, and the four columns of the second part.
    for line in text.lines().skip_while(|l| !l.starts_with("Section | ")) {
        let title = !line.chars().any(char::is_lowercase) && cells(line).len() == 1;
        that(title || matches!(cells(line).len(), 4 | 6), format!("{file}: {line}"))?;
    }
    let four: Vec<Vec<&str>> = text.lines().map(cells).filter(|c| c.len() == 4).collect();
    that(
        four.len() == 4 && text.lines().rev().take(4).all(|l| cells(l).len() == 4),
        format!("{file}: {four:#?}"),
    )?;
    let last: Vec<&[&str]> = four.iter().filter_map(|c| c.get(1..)).collect();
    let wanted = [
        ["Cognizable", "Non-bailable", "Court of Session."],
        ["Ditto", "Ditto", "Magistrate of the first class."],
        ["Non-cognizable", "Bailable", "Any Magistrate."],
    ];
    that(last.iter().skip(1).zip(&wanted).all(|(a, b)| a == b), format!("{file}: {last:#?}"))?;
    for (section, after, sha) in code.rows {
        let line = row(text, section, *after).ok_or_else(|| format!("{file}: no row of {section}"))?;
        let found = sha256_hex(line.as_bytes());
        that(found.starts_with(sha), format!("{file}: {section}, {after}: {found}: {line}"))?;
    }
    let starts =
        ["109", "120B", "302", "304A", "354C", "376", "379", "420", "465", "493", "498A", "501(a)", "511"];
    for section in starts {
        let line = row(text, section, 0).unwrap_or_default();
        that(
            cells(line).iter().all(|c| !c.is_empty()) && cells(line).len() == 6,
            format!("{file}: {section}: {line}"),
        )?;
    }
    words(&path, schedule, code.pages)?;
    compounding(&built, code)
}

/// Every word of the pages is in the schedule and its notes, and no other.
fn words(path: &Path, schedule: &Provision, pages: (u32, u32)) -> Result<(), String> {
    let document = read(path, None, &PdfReader::in_process()).map_err(|e| e.to_string())?;
    let Body::Lines(lines) = &document.body else { return Err("no lines".into()) };
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    let mut add = |text: &str, n: i64| {
        // Figures are left out: those of pages, columns and notes are no words.
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| w.chars().any(char::is_alphabetic));
        words.for_each(|w| *counts.entry(w.to_owned()).or_default() += n);
    };
    for line in lines.iter().filter(|l| l.page.is_some_and(|p| p >= pages.0 && p <= pages.1)) {
        add(&line.text, 1);
    }
    add(&schedule.text, -1);
    add("THE FIRST SCHEDULE", -1);
    let mut notes: Vec<&str> = schedule.annotations.iter().map(|a| a.text.as_str()).collect();
    notes.sort_unstable();
    // A note that two marks point to is there twice.
    notes.dedup();
    notes.iter().for_each(|n| add(n, -1));
    let lost: Vec<(String, i64)> = counts.into_iter().filter(|(_, n)| *n != 0).collect();
    // Two pages of each file have the same note.
    let same = "Ins. by Act of, s. (w.e.f.";
    let known = lost.iter().all(|(w, n)| *n > 0 && *n <= 2 && same.contains(w.as_str()));
    that(known, format!("{}: lost or new: {lost:?}", path.display()))
}

fn compounding(built: &Built, code: &Code) -> Result<(), String> {
    let file = code.file;
    let text = &unit(built, "s320")?.text;
    let rows: Vec<Vec<&str>> = text.lines().map(cells).filter(|c| c.len() > 1).collect();
    that(rows.iter().all(|r| r.len() == 3 && r.iter().all(|c| !c.is_empty())), format!("{file}: {rows:#?}"))?;
    that(rows.len() == code.three, format!("{file}: {} rows of section 320", rows.len()))?;
    for row in rows.iter().filter(|r| r.first() != Some(&"Offence")) {
        let number = row.get(1).copied().unwrap_or_default();
        let all = number.split(", ").all(|n| n.bytes().take(3).all(|b| b.is_ascii_digit()));
        that(all, format!("{file}: {row:?}"))?;
    }
    for (section, first, last) in [
        ("298", "Uttering", "wounded."),
        ("341, 342", "Wrongfully", "confined."),
        ("352, 355, 358", "Assault", "used."),
        ("379", "Theft.", "stolen."),
        ("403", "Dishonest", "misappropriated."),
        ("407", "Criminal", "committed."),
        ("417", "Cheating.", "cheated."),
        ("419", "Cheating", "Ditto."),
        ("426, 427", "Mischief,", "caused."),
        ("430", "Mischief", "caused."),
        ("498", "Enticing", "woman"),
        ("506", "Criminal", "intimidated."),
        ("357", "Assault", "used."),
        ("420", "Cheating", "cheated."),
        ("494", "Marrying", "marrying."),
        ("509", "Uttering", "upon."),
    ] {
        let row = rows.iter().find(|r| r.get(1) == Some(&section));
        let right = row.is_some_and(|r| {
            r.first().is_some_and(|c| c.starts_with(first)) && r.last().is_some_and(|c| c.ends_with(last))
        });
        that(right, format!("{file}: {section}: {row:?}"))?;
    }
    Ok(())
}

fn constitution(data: &Path) -> Result<(), String> {
    let path = data.join("corpus-constitution-india/constitution_2024_05.pdf");
    let built = build(&path, "in/constitution")?;
    let text = &unit(&built, "sch1")?.text;
    let rows: Vec<Vec<&str>> = text.lines().map(cells).filter(|c| c.len() == 2).collect();
    let names: Vec<&str> = rows.iter().filter_map(|r| r.first().copied()).collect();
    for name in [
        "Andhra Pradesh",
        "Assam",
        "Bihar",
        "Gujarat",
        "Uttar Pradesh",
        "West Bengal",
        "Nagaland",
        "Goa",
        "Delhi",
        "Ladakh",
    ] {
        that(names.iter().any(|n| n.ends_with(name)), format!("{name}: {names:#?}"))?;
    }
    let entries =
        rows.iter().filter(|r| r.first().is_some_and(|c| c.starts_with(|c: char| c.is_ascii_digit())));
    let named = |c: &str| c.split(' ').all(|w| w.len() > 1 || w == "(");
    let entries: Vec<&Vec<&str>> = entries.collect();
    that(entries.len() == 36, format!("{} entries: {entries:#?}", entries.len()))?;
    that(
        entries.iter().all(|r| {
            r.first().is_some_and(|c| named(c))
                && r.last().is_some_and(|c| c.starts_with("The territor") && c.ends_with('.'))
        }),
        format!("{entries:#?}"),
    )?;
    // The seats stand in lines with leaders, the lists in entries; neither is taken for columns.
    for (name, entries) in [("sch4", 31), ("sch7", 90)] {
        let text = &unit(&built, name)?.text;
        that(!text.contains(" | "), format!("{name} has cells"))?;
        let found = text.lines().filter(|l| l.starts_with(|c: char| c.is_ascii_digit())).count();
        that(found >= entries, format!("{name}: {found} entries"))?;
    }
    Ok(())
}

/// `tables_keep_their_rows`.
pub fn kept(data: &Path) -> Result<(), String> {
    CODES.iter().try_for_each(|c| code(data, c))?;
    constitution(data)
}
