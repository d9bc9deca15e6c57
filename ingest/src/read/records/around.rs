//! What stands beside the provisions of nested data: a preamble, schedules, and words that no row holds.

use std::collections::HashSet;

use serde_json::Value;

use super::{MAX_DEPTH, Map, Record, flatten, newline, scalar};
use crate::read::Row;
use crate::structure::{essence, numerals};

/// A preamble, and schedules that are no objects of an array, beside the provisions.
pub(super) fn around(map: &Map, rows: &mut Vec<Row>) {
    for (key, value) in map {
        let name = key.to_lowercase();
        if ["preamble", "long_title"].contains(&name.as_str())
            && let Some(text) = value.as_str().filter(|t| !t.trim().is_empty())
            && !rows.iter().any(|r| r.number.eq_ignore_ascii_case("preamble"))
        {
            let row = Row { number: "Preamble".into(), text: text.to_owned(), ..Row::default() };
            rows.insert(0, row);
        }
        if !is_annexed(&name) || rows.iter().any(|r| r.number.to_lowercase().starts_with("schedule")) {
            continue;
        }
        let parts: Vec<(Option<&str>, &Value)> = match value {
            Value::String(_) => vec![(None, value)],
            Value::Object(parts)
                if parts.values().all(|v| v.is_object() || v.is_array() || v.is_string()) =>
            {
                parts.iter().map(|(k, v)| (Some(k.as_str()), v)).collect()
            }
            Value::Array(items) if items.iter().all(Value::is_string) => {
                // Entries of one schedule, or schedules; one key in the plural says which.
                if name.ends_with('s') {
                    items.iter().map(|v| (None, v)).collect()
                } else {
                    vec![(None, value)]
                }
            }
            _ => continue,
        };
        for (place, (label, value)) in parts.into_iter().enumerate() {
            let named = label.and_then(|l| {
                l.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).find_map(numerals::ordinal)
            });
            let number = named.unwrap_or_else(|| u32::try_from(place + 1).unwrap_or(1));
            let mut text = String::new();
            entries(value, &mut text);
            rows.push(Row { number: format!("Schedule {number}"), text, ..Row::default() });
        }
    }
    for (index, row) in rows.iter_mut().enumerate() {
        row.index = index;
    }
}

/// Words of the document that no row holds, by the name of what holds them. Short ones are titles and marks.
pub(super) fn outside(
    value: &Value,
    name: &str,
    read: &HashSet<*const Map>,
    words: &str,
    depth: usize,
    left: &mut Vec<(String, usize)>,
) {
    const WORDS: usize = 20;
    match value {
        Value::Array(items) if depth < MAX_DEPTH => {
            items.iter().for_each(|v| outside(v, name, read, words, depth + 1, left));
        }
        Value::Object(map) if depth < MAX_DEPTH && !read.contains(&std::ptr::from_ref(map)) => {
            for (key, v) in map {
                // What is said about the document is no part of it.
                if !["meta", "metadata", "source", "url", "description", "title", "name"]
                    .contains(&key.to_lowercase().as_str())
                {
                    let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                    outside(v, &name, read, words, depth + 1, left);
                }
            }
        }
        Value::String(text) => {
            let own = essence(text);
            let count = own.chars().count();
            if count < WORDS || words.contains(&own) {
                return;
            }
            match left.iter_mut().find(|l| l.0 == name) {
                Some(l) => l.1 += count,
                None => left.push((name.to_owned(), count)),
            }
        }
        _ => {}
    }
}

/// Whether an array's name says that it holds schedules.
pub(super) fn is_annexed(name: &str) -> bool {
    ["schedules", "schedule", "annexes", "annexures", "appendices", "附件"]
        .contains(&name.to_lowercase().as_str())
}

/// A schedule beside the provisions: its number by its own name or by its place, its entries one a line.
pub(super) fn schedule(index: usize, place: usize, record: &Record<'_>) -> Row {
    let get = |names: &[&str]| {
        names.iter().find_map(|n| {
            record.value.iter().find(|(k, _)| k.eq_ignore_ascii_case(n)).and_then(|(_, v)| scalar(v))
        })
    };
    let named = get(&["number", "no", "num", "name", "id"]);
    let number = named
        .as_deref()
        .and_then(|name| {
            name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).find_map(numerals::ordinal)
        })
        .unwrap_or_else(|| u32::try_from(place + 1).unwrap_or(1));
    let mut text = get(&["text", "content", "body"]).unwrap_or_default();
    for value in record.value.values().filter(|v| v.is_array() || v.is_object()) {
        entries(value, &mut text);
    }
    Row {
        index,
        number: format!("Schedule {number}"),
        heading: get(&["title", "heading", "subject"]).filter(|h| !h.trim().is_empty()),
        text,
        breadcrumb: Vec::new(),
        gone: false,
    }
}

/// The entries of a schedule: strings as they are, objects with their number before their words.
fn entries(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::Object(map) => {
                        newline(out);
                        let words: Vec<String> = map.values().filter_map(scalar).collect();
                        for (i, word) in words.iter().enumerate() {
                            let figure = i == 0 && words.len() > 1 && numerals::cell(word).is_some();
                            let space = if i == 0 { "" } else { " " };
                            out.push_str(space);
                            out.push_str(word.trim());
                            if figure && !word.ends_with('.') {
                                out.push('.');
                            }
                        }
                        map.values().filter(|v| v.is_array()).for_each(|v| entries(v, out));
                    }
                    other => flatten(other, out, 0),
                }
            }
        }
        other => flatten(other, out, 0),
    }
}
