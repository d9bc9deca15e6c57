//! Terms in JSON objects.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::number::whole_months;
use super::words::of_text;
use super::{Stage, TermClass, TermReading, What};
use crate::read::pattern;

const MONTH_KEYS: [&str; 11] = [
    "months",
    "month",
    "term_months",
    "term_in_months",
    "sentence_months",
    "sentence_in_months",
    "prison_months",
    "prison_term_months",
    "imprisonment_months",
    "月数",
    "刑期月数",
];
const TERM_KEYS: [&str; 11] = [
    "term",
    "sentence",
    "prison_term",
    "term_of_imprisonment",
    "imprisonment",
    "penalty",
    "answer",
    "刑期",
    "量刑",
    "判决",
    "宣告刑",
];

pub(super) fn of_json(value: &Value) -> Option<TermReading> {
    let fields = value.as_object()?;
    let get = |keys: &[&str]| {
        keys.iter()
            .find_map(|k| fields.iter().find(|(f, _)| f.trim().eq_ignore_ascii_case(k)).map(|(_, v)| v))
    };
    let months = get(&MONTH_KEYS);
    let years = get(&["years", "年"]).and_then(Value::as_f64);
    let stated = months.or_else(|| get(&TERM_KEYS));
    if let Some(years) = years {
        let extra = months.map_or(Some(0.0), Value::as_f64);
        return Some(extra.map_or_else(
            || TermReading::nothing("the months cannot be read"),
            |m| of_number(years.mul_add(12.0, m), Stage::Recovered),
        ));
    }
    let class = get(&["class", "type", "kind", "outcome"]).and_then(Value::as_str);
    // A class of its own and a number of months contradict each other; 0 only says that there are none.
    if let Some(class) = class.and_then(class_named).filter(|c| *c != TermClass::Exempt) {
        return Some(match stated.and_then(Value::as_f64) {
            Some(months) if months > 0.0 => {
                TermReading::nothing(format!("the class says {class:?}, the months say {months}"))
            }
            _ => TermReading::of(What::Class(class), None, Stage::Strict),
        });
    }
    match stated {
        None => None,
        Some(Value::Null) => Some(class.map_or_else(
            || TermReading::nothing("the term is null"),
            |words| TermReading { stage: Stage::Recovered, ..of_words(words) },
        )),
        Some(Value::Number(n)) => Some(of_number(n.as_f64().unwrap_or(-1.0), Stage::Strict)),
        Some(Value::String(words)) => Some(of_words(words)),
        // A nested object, or a list: somebody else's shape.
        Some(other @ Value::Object(_)) => of_json(other),
        Some(_) => Some(TermReading::nothing("the term is not a number")),
    }
}

fn of_words(words: &str) -> TermReading {
    if let Ok(n) = words.trim().parse::<f64>() {
        return of_number(n, Stage::Recovered);
    }
    static SPAN: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^\s*(\d{1,4})\s*(?:-|~|to|至|到)\s*(\d{1,4})\s*$"));
    if let Some(found) = SPAN.captures(words) {
        let end = |i| found.get(i).and_then(|m: regex::Match<'_>| m.as_str().parse::<u32>().ok());
        if let (Some(lo), Some(hi)) = (end(1), end(2)) {
            return TermReading::of(What::Range(lo, Some(hi)), None, Stage::Recovered);
        }
    }
    let class = class_named(words);
    if let Some(class) = class {
        return TermReading::of(What::Class(class), None, Stage::Recovered);
    }
    let mut reading = of_text(words);
    if reading.stage != Stage::NoDecision {
        reading.stage = Stage::Recovered;
    }
    reading
}

/// A class by its name in records.
fn class_named(words: &str) -> Option<TermClass> {
    match words.trim().to_lowercase().as_str() {
        "life" => Some(TermClass::Life),
        "death" => Some(TermClass::Death),
        "death_with_reprieve" => Some(TermClass::DeathWithReprieve),
        "acquittal" | "acquitted" => Some(TermClass::Acquittal),
        "exempt" | "exemption" => Some(TermClass::Exempt),
        _ => None,
    }
}

pub(super) fn of_number(months: f64, stage: Stage) -> TermReading {
    let Some((whole, days)) = whole_months(months) else {
        return TermReading::nothing(format!("{months} is no number of months"));
    };
    let stage = if days == 0 { stage } else { Stage::Recovered };
    TermReading::of(What::Fixed { months: whole, days }, None, stage)
}
