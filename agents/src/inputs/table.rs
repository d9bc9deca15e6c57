//! Rows of a table as cases: each row told as a narrative of plain sentences, the target column asked for.
//!
//! The target column never gets into a narrative: its cell is taken out before a sentence is made, a sentence that
//! holds the column's name is left out, and a column that says the same as the target in other words is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use super::file;
use crate::case::{Case, CaseError, Gold, Matter, form};

/// What to make of a table.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The column to be predicted.
    pub target: String,
    /// The label that the question is about.
    pub positive: String,
    /// The question, answered with yes for the positive label.
    pub question: String,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// The column that names the rows; by default `id`, else rows are numbered.
    pub id: Option<String>,
    /// `en`, `zh`.
    pub language: String,
    /// Tell the share of the positive label in the whole table.
    pub base_rate: bool,
    /// What the columns mean.
    pub dictionary: Dictionary,
    /// Only so many rows, from the first.
    pub limit: Option<usize>,
}

/// What a column means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The sentence, with `{value}`.
    #[serde(default)]
    pub text: Option<String>,
    /// The name, for a sentence made by the program.
    #[serde(default)]
    pub name: Option<String>,
    /// What values mean.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
}

/// What columns mean, by their name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dictionary(BTreeMap<String, Column>);

const DICTIONARY_HINT: &str = "TOML: `[column]` with `text = \"The person is {value} years old.\"`, `name`, `values = { F = \"a felony\" }`; CSV: columns `column`, `text`, and `value` where a row is the meaning of one value";

impl Dictionary {
    /// Reads a dictionary, TOML or CSV by the name of the file.
    ///
    /// # Errors
    /// If it cannot be read, or is of another form.
    pub fn load(path: &Path) -> Result<Self, CaseError> {
        let name = path.display().to_string();
        let text = file::text(path)?;
        if file::kind(path) == "csv" {
            Self::from_csv(&name, &text)
        } else {
            toml::from_str(&text)
                .map(Self)
                .map_err(|e| form(&name, e.to_string().trim_end(), DICTIONARY_HINT))
        }
    }

    fn from_csv(name: &str, text: &str) -> Result<Self, CaseError> {
        #[derive(Deserialize)]
        struct Row {
            column: String,
            text: String,
            #[serde(default)]
            value: Option<String>,
        }
        let mut columns: BTreeMap<String, Column> = BTreeMap::new();
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
        for row in reader.deserialize::<Row>() {
            let row = row.map_err(|e| form(name, e.to_string(), DICTIONARY_HINT))?;
            let column = columns.entry(row.column).or_default();
            match row.value.filter(|v| !v.is_empty()) {
                Some(value) => _ = column.values.insert(value, row.text),
                None => column.text = Some(row.text),
            }
        }
        Ok(Self(columns))
    }
}

/// Cases of a table, and what a user should know about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// A case a row.
    pub cases: Vec<Case>,
    /// Columns and sentences left out, and why.
    pub notices: Vec<String>,
    /// Rows with the positive label, of all.
    pub positives: (usize, usize),
}

/// Reads a table, CSV or TSV by the name of the file.
///
/// # Errors
/// If it cannot be read, or lacks a column or a label that the options name.
pub fn read(path: &Path, options: &Options) -> Result<Told, CaseError> {
    let name = path.display().to_string();
    let (kind, text) = (file::kind(path), file::text(path)?);
    let packed = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
    let inner = if packed { path.file_stem().map(Path::new).unwrap_or(path) } else { path };
    let stem = inner.file_stem().map_or_else(|| "row".to_owned(), |s| s.to_string_lossy().into_owned());
    tell(&name, &stem, text.as_bytes(), if kind == "tsv" { b'\t' } else { b',' }, options)
}

fn tell(name: &str, stem: &str, bytes: &[u8], delimiter: u8, options: &Options) -> Result<Told, CaseError> {
    let table = |e: csv::Error| form(name, e.to_string(), "a table is CSV (or TSV) with a header line");
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).trim(csv::Trim::All).from_reader(bytes);
    let header: Vec<String> = reader.headers().map_err(table)?.iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().map_err(table)?;
    let column = |wanted: &str, option: &str| {
        header.iter().position(|h| h == wanted).ok_or_else(|| {
            form(
                name,
                format!("{option} {wanted}: there is no such column"),
                format!("columns are {}", header.join(", ")),
            )
        })
    };
    let target = column(&options.target, "--target")?;
    if header.iter().filter(|h| **h == options.target).count() > 1 {
        return Err(form(name, format!("column {} stands twice", options.target), "rename one of them"));
    }
    let mut left_out: BTreeSet<usize> = BTreeSet::from([target]);
    for dropped in &options.drop {
        left_out.insert(column(dropped, "--drop")?);
    }
    let id = match &options.id {
        Some(id) => Some(column(id, "--id")?),
        None => header.iter().position(|h| h.eq_ignore_ascii_case("id")).filter(|i| *i != target),
    };
    left_out.extend(id);
    if let Some(unknown) = options.dictionary.0.keys().find(|k| !header.contains(k)) {
        return Err(form(
            name,
            format!("--dictionary {unknown}: there is no such column"),
            format!("columns are {}", header.join(", ")),
        ));
    }
    let all = rows.len();
    let cell = |row: &csv::StringRecord, i: usize| row.get(i).unwrap_or_default().to_owned();
    let rows: Vec<_> = rows.into_iter().filter(|r| !missing(r.get(target).unwrap_or_default())).collect();
    let values: BTreeSet<String> = rows.iter().map(|r| cell(r, target)).collect();
    if !values.contains(&options.positive) {
        let seen: Vec<_> = values.iter().take(12).map(String::as_str).collect();
        return Err(form(
            name,
            format!("--positive {}: no row has it in column {}", options.positive, options.target),
            format!("values are {}", seen.join(", ")),
        ));
    }
    if values.len() < 2 || values.len() > 50 {
        return Err(form(
            name,
            format!("column {} has {} different values", options.target, values.len()),
            "a label has 2 to 50 values",
        ));
    }
    let mut labels = vec![options.positive.clone()];
    labels.extend(values.into_iter().filter(|v| *v != options.positive));
    let mut notices = Vec::new();
    if rows.len() < all {
        notices.push(format!("{} of {all} rows have no {}: left out", all - rows.len(), options.target));
    }
    for (i, column) in header.iter().enumerate() {
        if !left_out.contains(&i) && tells_the_same(&rows, i, target) {
            notices.push(format!("column {column} says the same as {}: left out", options.target));
            left_out.insert(i);
        } else if !left_out.contains(&i) && tells_few_the_same(&rows, i, target) {
            notices.push(format!(
                "column {column} says the same as {} in all {} rows: leave it out with --drop {column} if it is another form of it",
                options.target,
                rows.len()
            ));
        } else if !left_out.contains(&i) && nearly_tells_the_same(&rows, i, target) {
            notices.push(format!(
                "column {column} nearly says {}: leave it out with --drop {column} if it is another form of it",
                options.target
            ));
        }
    }
    let positives = rows.iter().filter(|r| r.get(target) == Some(options.positive.as_str())).count();
    let base_rate = if options.base_rate { percent(positives, rows.len()) } else { String::new() };
    let of = rows.len();
    let teller = Teller { header: &header, left_out: &left_out, options, target: &options.target };
    let mut cases = Vec::with_capacity(rows.len());
    let mut seen = BTreeSet::new();
    let mut hidden: BTreeSet<String> = BTreeSet::new();
    for (n, row) in rows.iter().enumerate().take(options.limit.unwrap_or(usize::MAX)) {
        let own = id.map_or_else(|| (n + 1).to_string(), |i| cell(row, i));
        let case_id = plain(&format!("{stem}-{own}"));
        if !seen.insert(case_id.clone()) {
            return Err(form(name, format!("row id {own} stands twice"), "name another column with --id"));
        }
        let facts = teller.narrative(row, &mut hidden);
        if facts.trim().is_empty() {
            return Err(form(name, format!("row {own} says nothing"), "drop fewer columns"));
        }
        cases.push(Case {
            title: case_id.clone(),
            id: case_id,
            language: options.language.clone(),
            jurisdiction: String::new(),
            offence_date: None,
            proceeding_date: None,
            facts,
            evidence: Vec::new(),
            charges: Vec::new(),
            matter: Matter::Row {
                question: options.question.clone(),
                labels: labels.clone(),
                base_rate: base_rate.clone(),
            },
            shots: None,
            keywords: Vec::new(),
            expected: Vec::new(),
            gold: Some(Gold::Label(cell(row, target))),
        });
    }
    notices.extend(hidden.into_iter().map(|column| {
        format!("sentences of column {column} that hold the name {} were left out", options.target)
    }));
    Ok(Told { cases, notices, positives: (positives, of) })
}

/// Whether a column is the target in other words: over at least ten rows with two labels, each of its values goes
/// with one label only, and each label with one value only.
fn tells_the_same(rows: &[csv::StringRecord], column: usize, target: usize) -> bool {
    rows.len() >= 10 && one_to_one(rows, column, target)
}

/// The same of so few rows that it may be chance: four or more, and fewer labels than half of them.
fn tells_few_the_same(rows: &[csv::StringRecord], column: usize, target: usize) -> bool {
    let labels: BTreeSet<&str> = rows.iter().filter_map(|r| r.get(target)).collect();
    (4..10).contains(&rows.len()) && labels.len() * 2 <= rows.len() && one_to_one(rows, column, target)
}

fn one_to_one(rows: &[csv::StringRecord], column: usize, target: usize) -> bool {
    let mut there: BTreeMap<&str, &str> = BTreeMap::new();
    let mut back: BTreeMap<&str, &str> = BTreeMap::new();
    let all = rows.iter().all(|row| {
        let (a, b) = (row.get(column).unwrap_or_default(), row.get(target).unwrap_or_default());
        *there.entry(a).or_insert(b) == b && *back.entry(b).or_insert(a) == a
    });
    all && back.len() >= 2
}

/// Whether a column of as few values gives the label away in at least 19 of 20 rows, over at least twenty.
fn nearly_tells_the_same(rows: &[csv::StringRecord], column: usize, target: usize) -> bool {
    let mut there: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        let (a, b) = (row.get(column).unwrap_or_default(), row.get(target).unwrap_or_default());
        *there.entry(a).or_default().entry(b).or_default() += 1;
        *labels.entry(b).or_default() += 1;
    }
    let right: usize = there.values().filter_map(|labels| labels.values().max()).sum();
    let always = labels.values().max().copied().unwrap_or_default();
    // Where nearly every row has one label, any column does as well.
    rows.len() >= 20 && there.len() <= labels.len() && right * 20 >= rows.len() * 19 && right > always
}

struct Teller<'a> {
    header: &'a [String],
    left_out: &'a BTreeSet<usize>,
    options: &'a Options,
    target: &'a str,
}

impl Teller<'_> {
    fn chinese(&self) -> bool {
        self.options.language.starts_with("zh")
    }

    fn narrative(&self, row: &csv::StringRecord, hidden: &mut BTreeSet<String>) -> String {
        let mut sentences = Vec::new();
        let mut unknown = Vec::new();
        for (i, column) in self.header.iter().enumerate().filter(|(i, _)| !self.left_out.contains(i)) {
            let value = row.get(i).unwrap_or_default();
            let told = self.options.dictionary.0.get(column);
            let name = told.and_then(|c| c.name.clone()).unwrap_or_else(|| readable(column));
            let sentence = if missing(value) {
                unknown.push(name.clone());
                // Names go into one sentence at the end; the check below is for them, too.
                name
            } else {
                self.sentence(told, &name, value)
            };
            if self.names_target(&sentence) {
                hidden.insert(column.clone());
                if missing(value) {
                    unknown.pop();
                }
            } else if !missing(value) {
                sentences.push(sentence);
            }
        }
        if !unknown.is_empty() {
            sentences.push(if self.chinese() {
                format!("未记录：{}。", unknown.join("、"))
            } else {
                format!("Not recorded: {}.", unknown.join(", "))
            });
        }
        sentences.join(if self.chinese() { "" } else { " " })
    }

    fn sentence(&self, told: Option<&Column>, name: &str, value: &str) -> String {
        // One line a cell, so that no cell can look like several sentences of the program's.
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let meaning = told.and_then(|c| c.values.get(&value)).cloned();
        let shown = meaning.unwrap_or_else(|| match (value.as_str(), self.chinese()) {
            ("True" | "true" | "TRUE", false) => "yes".to_owned(),
            ("False" | "false" | "FALSE", false) => "no".to_owned(),
            ("True" | "true" | "TRUE", true) => "是".to_owned(),
            ("False" | "false" | "FALSE", true) => "否".to_owned(),
            (other, _) => other.to_owned(),
        });
        if let Some(text) = told.and_then(|c| c.text.as_ref()) {
            return text.replace("{value}", &shown);
        }
        // A value may be told as a whole sentence.
        let stop = if shown.ends_with(['.', '!', '?', '。', '！', '？']) {
            ""
        } else if self.chinese() {
            "。"
        } else {
            "."
        };
        if self.chinese() {
            format!("{name}：{shown}{stop}")
        } else {
            let mut name = name.to_owned();
            if let Some(first) = name.get(..1).map(str::to_uppercase) {
                name.replace_range(..1, &first);
            }
            format!("{name}: {shown}{stop}")
        }
    }

    /// Whether a sentence holds the target's name, as it is or made readable.
    fn names_target(&self, sentence: &str) -> bool {
        let text = padded(sentence);
        [padded(self.target), padded(&readable(self.target))].iter().any(|name| text.contains(name.as_str()))
    }
}

/// Words in lower case with one space around each, so that names are found as whole words.
fn padded(text: &str) -> String {
    let words: Vec<String> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect();
    format!(" {} ", words.join(" "))
}

/// `juv_fel_count` as `juv fel count`.
fn readable(column: &str) -> String {
    column.split(['_', '.', '-']).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
}

fn missing(value: &str) -> bool {
    matches!(value.trim().to_lowercase().as_str(), "" | "na" | "n/a" | "nan" | "null" | "none" | "?")
}

/// A share in percent with one digit.
fn percent(part: usize, whole: usize) -> String {
    let tenths = (part * 2000 + whole) / (whole * 2).max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// A name that can be part of a folder's.
pub(crate) fn plain(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .collect();
    while text.len() > 90 {
        text.pop();
    }
    text.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options {
            target: "recid".to_owned(),
            positive: "1".to_owned(),
            question: "Again?".to_owned(),
            language: "en".to_owned(),
            ..Options::default()
        }
    }

    fn told(text: &str, options: &Options) -> Told {
        tell("t.csv", "t", text.as_bytes(), b',', options).unwrap()
    }

    #[test]
    fn a_row_is_told_in_plain_sentences() {
        let text = "id,age,priors_count,jail,recid\n7,33,4,True,1\n8,21,,False,0\n";
        let told = told(text, &Options { base_rate: true, ..options() });
        assert_eq!(told.cases[0].id, "t-7");
        assert_eq!(told.cases[0].facts, "Age: 33. Priors count: 4. Jail: yes.");
        assert_eq!(told.cases[1].facts, "Age: 21. Jail: no. Not recorded: priors count.");
        let Matter::Row { question, labels, base_rate } = &told.cases[0].matter else { panic!() };
        assert_eq!((question.as_str(), base_rate.as_str()), ("Again?", "50.0"));
        assert_eq!(labels, &["1", "0"]);
        assert_eq!(told.cases[0].gold, Some(Gold::Label("1".to_owned())));
        assert_eq!(told.positives, (1, 2));
    }

    #[test]
    fn a_dictionary_says_what_columns_and_values_mean() {
        let toml = "[age]\ntext = \"The person is {value}.\"\n[deg]\nname = \"charge degree\"\nvalues = { F = \"felony\" }\n";
        let csv = "column,value,text\nage,,The person is {value}.\ndeg,F,felony\n";
        let text = "age,deg,recid\n33,F,1\n21,M,0\n";
        let folder = tempfile::tempdir().unwrap();
        for (file, content, degree) in [("d.toml", toml, "Charge degree"), ("d.csv", csv, "Deg")] {
            let path = folder.path().join(file);
            std::fs::write(&path, content).unwrap();
            let options = Options { dictionary: Dictionary::load(&path).unwrap(), ..options() };
            let told = told(text, &options);
            assert_eq!(told.cases[0].facts, format!("The person is 33. {degree}: felony."));
            assert_eq!(told.cases[1].facts, format!("The person is 21. {degree}: M."));
        }
    }

    #[test]
    fn what_is_left_out_is_said_and_a_slip_in_the_dictionary_is_an_error() {
        let text = "age,sex,recid\n33,F,1\n21,M,0\n40,M,\n50,F,NaN\n";
        let told = told(text, &options());
        assert_eq!((told.cases.len(), told.notices.len()), (2, 1));
        assert!(told.notices[0].contains("2 of 4 rows have no recid"), "{:?}", told.notices);
        let column = |name: &str| {
            let values = BTreeMap::from([("F".to_owned(), "A woman.".to_owned())]);
            let dictionary =
                Dictionary(BTreeMap::from([(name.to_owned(), Column { values, ..Column::default() })]));
            tell("t.csv", "t", text.as_bytes(), b',', &Options { dictionary, ..options() })
        };
        assert_eq!(column("sex").unwrap().cases[0].facts, "Age: 33. Sex: A woman.");
        let error = column("sexx").unwrap_err().to_string();
        assert!(error.contains("sexx") && error.contains("columns are age, sex, recid"), "{error}");
    }

    #[test]
    fn in_a_small_table_a_column_that_says_the_target_again_is_named() {
        let told = told("age,code,recid\n33,R,1\n21,N,0\n40,N,0\n50,R,1\n", &options());
        assert!(
            told.notices.len() == 1 && told.notices[0].contains("column code says the same"),
            "{:?}",
            told.notices
        );
        assert!(self::told("age,code,recid\n33,R,1\n21,N,0\n", &options()).notices.is_empty());
    }

    #[test]
    fn columns_that_nearly_say_the_target_are_named() {
        let row = |i: usize| {
            let (recid, again) = (i % 2, if i == 7 { 0 } else { i % 2 });
            format!("{},{again},{},{recid}\n", 20 + i, i % 3 % 2)
        };
        let text: String =
            std::iter::once("age,again,other,recid\n".to_owned()).chain((0..40).map(row)).collect();
        let told = tell("t.csv", "t", text.as_bytes(), b',', &options()).unwrap();
        assert_eq!(told.notices.len(), 1, "{:?}", told.notices);
        assert!(told.notices[0].contains("column again nearly says recid"), "{:?}", told.notices);
    }

    #[test]
    fn columns_that_say_the_target_again_are_left_out() {
        let mut text = "age,arrested,noise,recid\n".to_owned();
        for n in 0..12 {
            text += &format!(
                "{},{},{},{}\n",
                20 + n,
                if n % 3 == 0 { "yes" } else { "no" },
                n % 2,
                u32::from(n % 3 == 0)
            );
        }
        let told = told(&text, &options());
        assert_eq!(told.notices, ["column arrested says the same as recid: left out"]);
        assert!(told.cases.iter().all(|c| !c.facts.contains("rrested") && c.facts.contains("Noise")));
    }

    #[test]
    fn sentences_that_name_the_target_are_left_out() {
        let text = "age,note,recid\n33,has Recid in it,1\n21,fine,0\n";
        let told = told(text, &options());
        assert_eq!(told.cases[0].facts, "Age: 33.");
        assert_eq!(told.cases[1].facts, "Age: 21. Note: fine.");
        assert_eq!(told.notices.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let fails = |text: &str, options: &Options| {
            tell("t.csv", "t", text.as_bytes(), b',', options).unwrap_err().to_string()
        };
        let good = "age,recid\n33,1\n21,0\n";
        assert!(fails(good, &Options { target: "x".into(), ..options() }).contains("columns are age, recid"));
        assert!(fails(good, &Options { positive: "yes".into(), ..options() }).contains("values are 0, 1"));
        assert!(fails(good, &Options { drop: vec!["x".into()], ..options() }).contains("--drop x"));
        assert!(fails("age,recid\n33,1\n", &options()).contains("2 to 50 values"));
        assert!(fails("id,age,recid\n1,33,1\n1,21,0\n", &options()).contains("stands twice"));
        assert!(fails("age,recid\n33,1,4\n21,0\n", &options()).contains("hint: "));
    }

    /// Whatever the table, what a row is told as does not depend on the target's cells or its name.
    #[test]
    fn the_target_cannot_leak() {
        use rand::{Rng as _, SeedableRng as _};
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let words =
            ["33", "0", "1", "male", "F", "yes", "True", "", "NaN", "a b", "x, y", "recid", "{value}"];
        for round in 0..300 {
            let columns = rng.random_range(2..7usize);
            let target = rng.random_range(0..columns);
            let rows = rng.random_range(2..15usize);
            let header: Vec<String> = (0..columns).map(|c| format!("col_{c}")).collect();
            let cells: Vec<Vec<&str>> = (0..rows)
                .map(|_| (0..columns).map(|_| words[rng.random_range(0..words.len())]).collect())
                .collect();
            let table = |name: &str, labels: &[String]| {
                let mut writer = csv::Writer::from_writer(Vec::new());
                let head: Vec<&str> = header
                    .iter()
                    .enumerate()
                    .map(|(i, h)| if i == target { name } else { h.as_str() })
                    .collect();
                writer.write_record(&head).unwrap();
                for (row, label) in cells.iter().zip(labels) {
                    let row: Vec<&str> = row
                        .iter()
                        .enumerate()
                        .map(|(i, c)| if i == target { label.as_str() } else { c })
                        .collect();
                    writer.write_record(&row).unwrap();
                }
                writer.into_inner().unwrap()
            };
            let options = |name: &str, positive: &str| Options {
                target: name.to_owned(),
                positive: positive.to_owned(),
                ..options()
            };
            let one: Vec<String> = (0..rows).map(|r| format!("SECRET-{}", r % 2)).collect();
            let two: Vec<String> = (0..rows).map(|r| format!("HIDDEN-{}", usize::from(r == 0))).collect();
            let first = tell("t", "t", &table("zz_target", &one), b',', &options("zz_target", "SECRET-0"));
            let second = tell("t", "t", &table("qq_other", &two), b',', &options("qq_other", "HIDDEN-0"));
            let (Ok(first), Ok(second)) = (first, second) else { continue };
            if !first.notices.is_empty() || !second.notices.is_empty() {
                continue;
            }
            let facts = |t: &Told| t.cases.iter().map(|c| c.facts.clone()).collect::<Vec<_>>();
            assert_eq!(facts(&first), facts(&second), "table {round}");
            for text in facts(&first) {
                assert!(!text.contains("SECRET") && !text.to_lowercase().contains("target"), "{text}");
            }
        }
    }
}
