//! From nested data to rows: which objects are provisions, and which of their fields say what.
//!
//! Without a field map the reader looks at what the fields hold, and only then at what they are called: a number
//! is what reads as one, the text is where most of the letters are.

use std::collections::{BTreeMap, HashSet};

use nyaya_corpora::manifest::FieldMap;
use serde_json::Value;

use super::{Line, Row};
use crate::structure::{essence, numerals};

mod around;

use around::{around, is_annexed, outside, schedule};

/// Objects inside each other that are looked at.
const MAX_DEPTH: usize = 24;

/// An object that may be a provision, with the titles of the objects around it.
struct Record<'v> {
    value: &'v serde_json::Map<String, Value>,
    titles: Vec<String>,
}

/// What a table was taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The rows.
    pub rows: Vec<Row>,
    /// The fields that were used; `rows` is the name of the array.
    pub fields: FieldMap,
    /// Names of what holds words outside the rows, each with the number of its letters.
    pub left: Vec<(String, usize)>,
}

const NUMBER_NAMES: [&str; 30] = [
    "section",
    "article",
    "artno",
    "article_no",
    "section_no",
    "section_number",
    "article_number",
    "sectionno",
    "articleno",
    "number",
    "num",
    "no",
    "num_cn",
    "section_id",
    "article_id",
    "sec",
    "条",
    "条号",
    "條號",
    "secno",
    "sec no",
    "section number",
    "article number",
    "art",
    "rule",
    "rule_no",
    "regulation",
    "clause",
    "nr",
    "id",
];
const HEADING_NAMES: [&str; 18] = [
    "section_title",
    "article_title",
    "title",
    "heading",
    "name",
    "marginal_note",
    "headnote",
    "offense",
    "offence",
    "caption",
    "subject",
    "标题",
    "marginal note",
    "marginal",
    "rubric",
    "catchline",
    "label_title",
    "h",
];
const TEXT_NAMES: [&str; 20] = [
    "section_desc",
    "article_desc",
    "artdesc",
    "description",
    "text",
    "content",
    "desc",
    "body",
    "legal definition",
    "definition",
    "full_text",
    "section_text",
    "article_text",
    "law",
    "provision",
    "内容",
    "正文",
    "条文",
    "wording",
    "bare text",
];

/// The rows of a document of nested data, if some of its objects are provisions.
#[must_use]
pub fn find(document: &Value) -> Option<Found> {
    let mut groups: BTreeMap<String, Vec<Record<'_>>> = BTreeMap::new();
    collect(document, "", &mut Vec::new(), 0, &mut groups);
    let mut best: Option<(f64, String, FieldMap)> = None;
    for (name, records) in &groups {
        let Some((weight, fields)) = fields_of(name, records) else { continue };
        if best.as_ref().is_none_or(|b| weight > b.0) {
            best = Some((weight, name.clone(), fields));
        }
    }
    let (_, name, fields) = best?;
    let records = groups.get(&name)?;
    let mut rows: Vec<Row> =
        records.iter().enumerate().map(|(index, record)| row(index, record, &fields)).collect();
    let read: HashSet<*const Map> = records.iter().map(|r| std::ptr::from_ref(r.value)).collect();
    for records in groups.iter().filter(|(g, _)| **g != name && is_annexed(g)).map(|g| g.1) {
        if !rows.iter().any(|r| r.number.to_lowercase().starts_with("schedule")) {
            let offset = rows.len();
            rows.extend(records.iter().enumerate().map(|(i, record)| schedule(offset + i, i, record)));
        }
    }
    if let Value::Object(map) = document {
        around(map, &mut rows);
    }
    let mut left = Vec::new();
    let mut words = String::new();
    rows.iter().for_each(|r| {
        [&r.text, r.heading.as_ref().unwrap_or(&r.number)].into_iter().chain(&r.breadcrumb).for_each(|t| {
            words.push_str(&essence(t));
        });
    });
    outside(document, "", &read, &words, 0, &mut left);
    Some(Found { rows, fields, left })
}

type Map = serde_json::Map<String, Value>;

/// The title that nested data give themselves: of the outermost object, or of its `act`, or a column that says the same
/// in every row.
#[must_use]
pub fn title(document: &Value) -> Option<String> {
    const NAMES: [&str; 9] =
        ["title", "name", "short_title", "act", "act_name", "act_title", "law", "law_name", "statute"];
    let named = |map: &serde_json::Map<String, Value>| {
        NAMES.iter().find_map(|n| {
            map.iter()
                .find(|(k, _)| k.eq_ignore_ascii_case(n))
                .and_then(|(_, v)| v.as_str())
                .map(|t| t.split_whitespace().collect::<Vec<_>>().join(" "))
                .filter(|t| (4..200).contains(&t.chars().count()))
        })
    };
    match document {
        Value::Object(map) => named(map).or_else(|| {
            ["act", "law", "statute", "meta", "metadata"]
                .iter()
                .find_map(|n| map.get(*n).and_then(Value::as_object).and_then(named))
        }),
        Value::Array(rows) if rows.len() > 1 => {
            let column = |name: &str| {
                let mut values = rows.iter().map(|r| r.get(name).and_then(Value::as_str));
                let first = values.next()??;
                values.all(|v| v == Some(first)).then(|| first.trim().to_owned())
            };
            ["law", "act", "statute", "act_name", "law_name", "act_title", "title"]
                .iter()
                .find_map(|n| column(n))
                .filter(|t| (4..200).contains(&t.chars().count()))
        }
        _ => None,
    }
}

/// Objects by the name of the array that holds them, in the order of the document.
fn collect<'v>(
    value: &'v Value,
    name: &str,
    titles: &mut Vec<String>,
    depth: usize,
    groups: &mut BTreeMap<String, Vec<Record<'v>>>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Array(items) => {
            for item in items {
                if let Value::Object(map) = item {
                    groups
                        .entry(name.to_owned())
                        .or_default()
                        .push(Record { value: map, titles: titles.clone() });
                }
                collect(item, name, titles, depth + 1, groups);
            }
        }
        Value::Object(map) => {
            let title = title_of(map).filter(|_| depth > 0);
            titles.extend(title.clone());
            for (key, inner) in map {
                // A map from numbers to provisions: the key is the number.
                if inner.is_array() || inner.is_object() {
                    collect(inner, key, titles, depth + 1, groups);
                }
            }
            if title.is_some() {
                titles.pop();
            }
        }
        _ => {}
    }
}

/// What a group of provisions is called: `Part II` and its title in one.
fn title_of(map: &serde_json::Map<String, Value>) -> Option<String> {
    let get = |names: &[&str]| {
        names
            .iter()
            .find_map(|n| map.iter().find(|(k, _)| k.eq_ignore_ascii_case(n)).and_then(|(_, v)| v.as_str()))
    };
    let name = get(&["title", "name", "chapter", "part", "heading", "chapter_title"])?;
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty() && name.chars().count() < 200).then_some(name)
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(s) => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

fn rank(names: &[&str], key: &str) -> Option<usize> {
    names.iter().position(|n| key.trim().trim_end_matches('.').eq_ignore_ascii_case(n))
}

/// Whether a column counts rows: `id`, `index`, or the like, and every value is one more than the value before.
fn counts_rows(key: &str, column: &Column) -> bool {
    let name = key.trim().trim_end_matches('.').to_ascii_lowercase();
    ["id", "index", "rowid", "row", "sl. no", "sl no", "s. no", "sno", "unnamed: 0", ""]
        .contains(&name.as_str())
        && column.steady
}

/// What a column of a group of objects holds.
struct Column {
    filled: usize,
    numbers: usize,
    letters: usize,
    nested: usize,
    first: String,
    changes: bool,
    /// The numbers read, while they ascend.
    last: Option<nyaya_corpora::Number>,
    /// They do, all of them.
    ascends: bool,
    /// Each is a figure, and not less than the one before.
    steady: bool,
}

/// The fields of a group of objects that hold number and text, with how sure that is.
fn fields_of(group: &str, records: &[Record<'_>]) -> Option<(f64, FieldMap)> {
    let mut columns: Vec<(&str, Column)> = Vec::new();
    for record in records {
        for (key, value) in record.value {
            let index = match columns.iter().position(|c| c.0 == key) {
                Some(index) => index,
                None if columns.len() < 200 => {
                    let empty = Column {
                        filled: 0,
                        numbers: 0,
                        letters: 0,
                        nested: 0,
                        first: String::new(),
                        changes: false,
                        last: None,
                        ascends: true,
                        steady: true,
                    };
                    columns.push((key, empty));
                    columns.len() - 1
                }
                None => continue,
            };
            let Some((_, column)) = columns.get_mut(index) else { continue };
            if let Some(text) = scalar(value).filter(|t| !t.trim().is_empty()) {
                column.filled += 1;
                column.numbers += usize::from(numerals::cell(&text).is_some() || is_named(&text));
                column.letters += text.chars().filter(|c| c.is_alphanumeric()).count();
                if let Some(number) = numerals::cell(&text) {
                    let plain = number.letters.is_empty() && number.sub.is_none();
                    column.steady &= plain && column.last.as_ref().is_none_or(|l| number.base > l.base);
                    column.ascends &= column.last.as_ref().is_none_or(|l| number > *l);
                    column.last = Some(number);
                } else {
                    (column.steady, column.ascends) = (false, false);
                }
                if column.filled == 1 {
                    column.first = text;
                } else if column.first != text {
                    column.changes = true;
                }
            } else if value.is_array() || value.is_object() {
                column.nested += 1;
            }
        }
    }
    let one = records.len() == 1;
    let candidates: Vec<&(&str, Column)> = columns
        .iter()
        .filter(|(_, c)| {
            c.filled * 2 > records.len() / 2 && c.numbers * 10 >= c.filled * 6 && (c.changes || one)
        })
        .collect();
    let named = candidates
        .iter()
        .filter(|(key, c)| {
            // A page or a price is a number too; only a name tells.
            rank(&NUMBER_NAMES, key).is_some()
                || c.first.contains(['条', '§'])
                || numerals::is_titled(&c.first)
        })
        .min_by_key(|(key, c)| {
            let spelled = !(c.first.contains('条') || numerals::is_titled(&c.first));
            (spelled, rank(&NUMBER_NAMES, key).unwrap_or(99))
        });
    // What counts rows numbers no provisions if another column ascends from 1 and says otherwise.
    let other = || {
        candidates.iter().find(|(key, c)| {
            !counts_rows(key, c)
                && c.ascends
                && c.numbers == c.filled
                && !c.steady
                && c.letters <= c.filled * 6
                && records.len() > 1
        })
    };
    let number = match named {
        Some((key, c)) if counts_rows(key, c) => other().or(named),
        Some(_) => named,
        // `s`, `label`: no name tells, but lettered numbers ascend.
        None => other(),
    }?;
    let text = columns
        .iter()
        .filter(|(key, c)| *key != number.0 && c.filled + c.nested > 0)
        .max_by_key(|(key, c)| {
            let named = rank(&TEXT_NAMES, key).is_some() && rank(&HEADING_NAMES, key).is_none();
            (c.letters.saturating_mul(if named { 4 } else { 1 }), named)
        })
        .filter(|(_, c)| c.letters > 0)?;
    let heading = columns
        .iter()
        .filter(|(key, c)| *key != number.0 && *key != text.0 && c.letters <= text.1.letters && c.filled > 0)
        .filter_map(|(key, _)| Some((rank(&HEADING_NAMES, key)?, *key)))
        .min();
    let breadcrumb: Vec<String> = columns
        .iter()
        .filter(|(key, c)| {
            let lower = key.to_ascii_lowercase();
            *key != number.0
                && c.filled > 0
                && ["part", "part_title", "part_name", "chapter", "chapter_title", "chapter_name"]
                    .contains(&&*lower)
        })
        .map(|(key, _)| (*key).to_owned())
        .collect();
    // Chapter number and title: the title says more.
    let breadcrumb = breadcrumb
        .iter()
        .filter(|b| {
            !breadcrumb.iter().any(|o| o != *b && o.to_ascii_lowercase().starts_with(&b.to_ascii_lowercase()))
        })
        .cloned()
        .collect();
    let weight =
        number.1.numbers as f64 * (1.0 + (text.1.letters as f64 / records.len() as f64).ln_1p() / 10.0);
    Some((
        weight,
        FieldMap {
            rows: group.to_owned(),
            number: number.0.to_owned(),
            heading: heading.map(|h| h.1.to_owned()),
            text: text.0.to_owned(),
            breadcrumb,
        },
    ))
}

fn is_named(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    lower == "preamble" || lower == "0" || lower.ends_with("schedule") || lower.starts_with("schedule")
}

fn row(index: usize, record: &Record<'_>, fields: &FieldMap) -> Row {
    let get = |name: &str| record.value.get(name).and_then(scalar);
    let mut text = get(&fields.text).unwrap_or_default();
    // Clauses and sub-clauses in arrays of their own.
    for (key, value) in record.value {
        let own = [Some(&fields.number), fields.heading.as_ref()].into_iter().flatten().any(|f| f == key);
        if (value.is_array() || value.is_object()) && !own && !(key == "metadata" || key == "meta") {
            flatten(value, &mut text, 0);
        }
    }
    let mut breadcrumb = record.titles.clone();
    breadcrumb.extend(fields.breadcrumb.iter().filter_map(|b| get(b)).filter(|b| !b.trim().is_empty()));
    Row {
        index,
        number: get(&fields.number).unwrap_or_default(),
        heading: fields.heading.as_deref().and_then(get).filter(|h| !h.trim().is_empty()),
        text,
        breadcrumb,
        gone: false,
    }
}

/// The words of nested objects, one line each: `(a) words`.
fn flatten(value: &Value, out: &mut String, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, out, depth + 1)),
        Value::Object(map) => {
            let scalars: Vec<String> = map
                .values()
                .filter_map(scalar)
                .map(|s| s.trim().to_owned())
                .filter(|s| !s.is_empty())
                .collect();
            if !scalars.is_empty() {
                newline(out);
            }
            for (i, words) in scalars.iter().enumerate() {
                let label = i == 0
                    && scalars.len() > 1
                    && words.len() <= 5
                    && words.bytes().all(|b| b.is_ascii_alphanumeric());
                if label {
                    out.push_str(&format!("({words}) "));
                } else {
                    if i > 0 && !out.ends_with([' ', '\n']) {
                        out.push(' ');
                    }
                    out.push_str(words);
                }
            }
            map.values().filter(|v| v.is_array() || v.is_object()).for_each(|v| flatten(v, out, depth + 1));
        }
        other => {
            if let Some(words) = scalar(other) {
                newline(out);
                out.push_str(words.trim());
            }
        }
    }
}

fn newline(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// All words of nested data as lines, in the order of the document: for files whose provisions are mere strings.
#[must_use]
pub fn running_text(document: &Value) -> Vec<Line> {
    fn walk(value: &Value, depth: usize, lines: &mut Vec<Line>) {
        match value {
            Value::String(words) => {
                for text in words.lines() {
                    let offset = lines.last().map_or(0, |l: &Line| l.offset + l.text.len() + 1);
                    lines.push(Line { text: text.to_owned(), offset, ..Line::default() });
                }
            }
            Value::Array(items) if depth < MAX_DEPTH => items.iter().for_each(|v| walk(v, depth + 1, lines)),
            Value::Object(map) if depth < MAX_DEPTH => map.values().for_each(|v| walk(v, depth + 1, lines)),
            _ => {}
        }
    }
    let mut lines = Vec::new();
    walk(document, 0, &mut lines);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_are_found_by_what_they_hold() {
        let found = find(&json!({"page": 3, "acts": [
            {"page": 1, "Section": "1", "section_title": "Name", "section_desc": "This act is the Kite Act.", "chapter": 1, "chapter_title": "First"},
            {"page": 1, "Section": 2, "section_title": "Kites", "section_desc": "A kite flies, and that is all."},
            {"page": 2, "Section": "2A", "section_desc": "More words of this invented act."},
        ]})).unwrap();
        assert_eq!(found.fields.number, "Section");
        assert_eq!(found.fields.text, "section_desc");
        assert_eq!(found.fields.breadcrumb, ["chapter_title"]);
        assert_eq!(found.rows[2].number, "2A");
        assert_eq!(found.rows[0].breadcrumb, ["First"]);
    }

    #[test]
    fn nested_parts_chapters_and_clauses_are_read() {
        let found = find(&json!({"title": "风筝法", "parts": [{"id": "1", "title": "总则", "articles": [
            {"id": "1", "num_cn": "第一条", "title": "", "content": "为了管理风筝，制定本法。"},
            {"id": "2", "num_cn": "第二条之一", "title": "", "content": "风筝，是指用绳放飞的器物。"},
        ]}]}))
        .unwrap();
        assert_eq!(
            found.rows.iter().map(|r| r.number.as_str()).collect::<Vec<_>>(),
            ["第一条", "第二条之一"]
        );
        assert_eq!(found.rows[0].breadcrumb, ["总则"]);
        let found = find(&json!([[
            {"ArtNo": "1", "Name": "Kites", "Clauses": [{"ClauseNo": "1", "ClauseDesc": "A kite is", "SubClauses": [{"No": "a", "Desc": "red; or"}]}]},
            {"ArtNo": "2", "Name": "Strings", "ArtDesc": "A string holds a kite."},
        ]]))
        .unwrap();
        assert_eq!(found.rows[0].text, "(1) A kite is\n(a) red; or");
        assert_eq!(found.rows[1].text, "A string holds a kite.");
    }

    #[test]
    fn a_column_that_counts_rows_numbers_no_provisions() {
        let found = find(&json!([
            {"id": 1, "s": "1", "h": "Name", "t": "This act is the Reed Act."},
            {"id": 2, "s": "1A", "h": "Reeds", "t": "A reed is cut in autumn only."},
            {"id": 3, "s": "2", "h": "Fine", "t": "The fine is one coin for each reed."},
        ]))
        .unwrap();
        assert_eq!(found.fields.number, "s");
        let found = find(&json!({"provisions": [
            {"id": 10, "secno": "1", "body": "This act is the Reed Act."},
            {"id": 11, "secno": "5A", "body": "A reed is cut in autumn only."},
        ]}))
        .unwrap();
        assert_eq!(found.fields.number, "secno");
    }

    #[test]
    fn schedules_beside_the_sections_are_read_and_the_act_says_its_title() {
        let value = json!({"act": {"name": "The Reed Act, 1902"}, "chapters": [{"name": "Reeds", "sections": [
            {"number": "1", "text": "This act is the Reed Act."},
            {"number": "2", "text": "A reed is cut in autumn only."},
        ]}], "schedules": [{"name": "The First Schedule", "title": "Reeds", "items": ["1. Red reeds.", "2. Blue reeds."]},
            {"name": "The Second Schedule", "items": [{"no": 1, "text": "Form of oath."}]}]});
        let found = find(&value).unwrap();
        let rows: Vec<(&str, &str)> =
            found.rows.iter().map(|r| (r.number.as_str(), r.text.as_str())).skip(2).collect();
        assert_eq!(
            rows,
            [("Schedule 1", "1. Red reeds.\n2. Blue reeds."), ("Schedule 2", "1. Form of oath.")]
        );
        assert_eq!(title(&value).as_deref(), Some("The Reed Act, 1902"));
        assert_eq!(
            title(&json!([{"law": "Reed Act", "n": 1}, {"law": "Reed Act", "n": 2}])).as_deref(),
            Some("Reed Act")
        );
    }

    #[test]
    fn preambles_and_schedules_of_any_form_are_rows_and_other_words_are_named() {
        let sections = json!([
            {"number": "1", "text": "This act is the Reed Act."},
            {"number": "2", "text": "A reed is cut in autumn only."},
        ]);
        let rows = |value: &Value| -> Vec<(String, String)> {
            find(value).unwrap().rows.into_iter().map(|r| (r.number, r.text)).collect()
        };
        let found = rows(&json!({"preamble": "Whereas reeds are few.", "sections": sections,
            "schedules": {"First Schedule": ["Red reeds", "Blue reeds"], "Second Schedule": "Form of oath."}}));
        assert_eq!(found[0], ("Preamble".into(), "Whereas reeds are few.".into()));
        assert_eq!(found[3], ("Schedule 1".into(), "Red reeds\nBlue reeds".into()));
        assert_eq!(found[4], ("Schedule 2".into(), "Form of oath.".into()));
        let found = rows(&json!({"sections": sections, "schedule": "1. Red reeds."}));
        assert_eq!(found[2], ("Schedule 1".into(), "1. Red reeds.".into()));
        let value = json!({"title": "A title that is long enough", "sections": sections,
            "notes": [{"text": "Amended by the second act of the year 1990."}]});
        assert_eq!(find(&value).unwrap().left, [("notes.text".to_owned(), 34)]);
    }

    #[test]
    fn data_without_numbers_has_no_rows_but_words() {
        let value = json!({"chapters": [{"chapter": "第一章　总则", "laws": ["第一条　甲。", "第二条　乙。\n丙。"]}]});
        assert_eq!(find(&value), None);
        let texts: Vec<String> = running_text(&value).into_iter().map(|l| l.text).collect();
        assert_eq!(texts, ["第一章　总则", "第一条　甲。", "第二条　乙。", "丙。"]);
        assert_eq!(find(&json!([1, 2, "x"])), None);
    }
}
