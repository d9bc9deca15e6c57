//! Terms in JSON objects.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::number::{number, whole_months};
use super::words::of_text;
use super::{Stage, TermClass, TermReading, What};
use crate::read::pattern;

/// Names of a term without a unit; a number under them is in months unless a unit is given.
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
/// Names of a length, where the object says in what unit.
const LENGTH_KEYS: [&str; 12] = [
    "value",
    "amount",
    "length",
    "duration",
    "number",
    "term_length",
    "sentence_length",
    "prediction",
    "predicted",
    "result",
    "estimate",
    "预测",
];
const UNIT_KEYS: [&str; 5] = ["unit", "units", "time_unit", "term_unit", "单位"];

/// The unit a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Years,
    Months,
}

impl Unit {
    fn months(self) -> f64 {
        match self {
            Self::Years => 12.0,
            Self::Months => 1.0,
        }
    }

    fn named(word: &str) -> Option<Self> {
        match word {
            "year" | "years" | "yr" | "yrs" | "年" | "年数" => Some(Self::Years),
            "month" | "months" | "mo" | "mos" | "mth" | "mths" | "月" | "个月" | "月数" => {
                Some(Self::Months)
            }
            _ => None,
        }
    }
}

/// An end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Low,
    High,
}

/// What the name of a field says about a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Name {
    unit: Option<Unit>,
    end: Option<End>,
    /// Nothing but a unit: the part of a term that is told in years and months.
    part: bool,
}

/// What a field's name says; `None` if it may be about something else: `fine_months`, `probation_years`.
fn name(field: &str) -> Option<Name> {
    static CHINESE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:最终|建议|预测|总|宣告|判处|主)?(?P<noun>刑期|量刑|判决|宣告刑|有期徒刑|徒刑|拘役|管制|刑罚|主刑)?(?:长度|时长)?(?P<end>上限|下限|最低|最高|最长|最短)?[\s(（\[_]*(?:单位[:：]?)?(?P<unit>年数?|个?月数?)?[)）\]\s]*$",
        )
    });
    let field = field.trim();
    let mut said = Name { unit: None, end: None, part: false };
    if !field.is_ascii() {
        let found = CHINESE.captures(field)?;
        said.unit = found.name("unit").and_then(|u| Unit::named(u.as_str().trim_end_matches('数')));
        said.end = found.name("end").map(|e| match e.as_str() {
            "下限" | "最低" | "最短" => End::Low,
            _ => End::High,
        });
        said.part = matches!(field, "年" | "月");
        return (said.unit.is_some() || said.end.is_some()).then_some(said);
    }
    let mut spaced = String::with_capacity(field.len() + 4);
    let mut lower = false;
    for c in field.chars() {
        if lower && c.is_ascii_uppercase() {
            spaced.push('_');
        }
        lower = c.is_ascii_lowercase();
        spaced.push(c.to_ascii_lowercase());
    }
    let words: Vec<&str> =
        spaced.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    for word in &words {
        if let Some(unit) = Unit::named(word) {
            said.unit = Some(unit);
            continue;
        }
        match *word {
            "min" | "minimum" | "lower" | "low" | "from" | "least" | "floor" => said.end = Some(End::Low),
            "max" | "maximum" | "upper" | "high" | "to" | "most" | "ceiling" => said.end = Some(End::High),
            "in" | "of" | "the" | "at" | "total" | "final" | "proposed" | "recommended" | "predicted"
            | "suggested" | "number" | "num" | "fixed" | "term" | "sentence" | "sentencing" | "prison"
            | "imprisonment" | "imprisoned" | "jail" | "penalty" | "punishment" | "custodial"
            | "incarceration" | "answer" | "length" | "duration" | "bound" | "limit" | "range" | "s" => {}
            _ => return None,
        }
    }
    said.part = words.len() == 1 && said.unit.is_some();
    (said.unit.is_some() || said.end.is_some()).then_some(said)
}

pub(super) fn of_json(value: &Value) -> Option<TermReading> {
    in_unit(value, None)
}

/// Reads an object whose numbers count `outer`, where a field around it says so.
fn in_unit(value: &Value, outer: Option<Unit>) -> Option<TermReading> {
    let fields = value.as_object()?;
    let get = |keys: &[&str]| {
        keys.iter()
            .find_map(|k| fields.iter().find(|(f, _)| f.trim().eq_ignore_ascii_case(k)).map(|(_, v)| v))
    };
    let unit = get(&UNIT_KEYS).and_then(Value::as_str).map(|u| u.trim().to_lowercase());
    let own_unit = unit.and_then(|u| Unit::named(&u));
    let unit = own_unit.or(outer);
    let named: Vec<(Name, &Value)> =
        fields.iter().filter_map(|(field, value)| Some((name(field)?, value))).collect();
    let of_name = |unit, end, part| {
        named
            .iter()
            .find(|(n, v)| n.unit == Some(unit) && n.end == end && n.part == part && !v.is_null())
            .map(|(_, v)| *v)
    };
    // One term in years and months, each under its own name, or one of the two saying it all.
    let years = of_name(Unit::Years, None, true).and_then(Value::as_f64);
    let months = of_name(Unit::Months, None, true);
    let mut said: Vec<TermReading> = Vec::new();
    if let Some(years) = years {
        said.push(match months.map_or(Some(0.0), Value::as_f64) {
            None => TermReading::nothing("the months cannot be read"),
            Some(more) if more < 12.0 || years == 0.0 => {
                of_number(years.mul_add(12.0, more), Stage::Recovered)
            }
            Some(all) if (years * 12.0 - all).abs() < 1e-6 => of_number(all, Stage::Recovered),
            Some(all) => TermReading::nothing(format!("{years} years and {all} months are no one term")),
        });
    }
    let null = |v: &Value| v.is_null();
    let mut stated: Vec<(&Value, Unit)> = Vec::new();
    for (n, v) in &named {
        let partner = n.part && years.is_some();
        if let (Some(unit), None, false) = (n.unit, n.end, partner) {
            stated.push((*v, unit));
        }
    }
    let term = get(&TERM_KEYS).or_else(|| unit.and_then(|_| get(&LENGTH_KEYS)));
    if let Some(term) = term {
        stated.push((term, unit.unwrap_or(Unit::Months)));
    }
    // `{"months": 3.5, "unit": "years"}`: the unit can be no other field's.
    if term.is_none()
        && let Some(own) = own_unit
        && let Some((_, named)) = stated.iter().find(|(v, named)| v.is_number() && *named != own)
    {
        return Some(TermReading::nothing(format!("the field counts {named:?}, the unit says {own:?}")));
    }
    let class = get(&["class", "type", "kind", "outcome"]).and_then(Value::as_str);
    // A class of its own and a number of months contradict each other; 0 only says that there are none.
    if let Some(class) = class.and_then(class_named).filter(|c| *c != TermClass::Exempt) {
        let months = stated.iter().find_map(|(v, unit)| v.as_f64().map(|n| n * unit.months()));
        return Some(match months.or_else(|| said.first().and_then(|r| r.months.map(f64::from))) {
            Some(months) if months > 0.0 => {
                TermReading::nothing(format!("the class says {class:?}, the months say {months}"))
            }
            _ => TermReading::of(What::Class(class), None, Stage::Strict),
        });
    }
    // "range" and "none" say that there is no one term.
    let no_one = |c: &str| {
        ["range", "none", "unknown", "undetermined", "unclear", "no_decision"]
            .contains(&c.trim().to_lowercase().as_str())
    };
    if class.is_some_and(no_one)
        && (stated.iter().any(|(v, _)| v.is_number()) || said.iter().any(|r| r.months.is_some()))
    {
        return Some(TermReading::nothing("the class says that there is no one term"));
    }
    let any = !stated.is_empty() || !said.is_empty();
    said.extend(stated.iter().filter(|(v, _)| !null(v)).filter_map(|(v, unit)| of_value(v, *unit)));
    let mut read: Vec<TermReading> = said.iter().filter(|r| r.class != TermClass::None).cloned().collect();
    if let [first, others @ ..] = read.as_slice()
        && let Some(other) =
            others.iter().find(|o| (o.class, o.months, o.range) != (first.class, first.months, first.range))
    {
        return Some(TermReading::nothing(format!(
            "the fields contradict each other: {:?}, {:?}",
            first.months, other.months
        )));
    }
    if !read.is_empty() {
        return Some(read.swap_remove(0));
    }
    if let Some(range) = range(&named, unit) {
        return Some(range);
    }
    if let Some(nothing) = said.into_iter().next() {
        return Some(nothing);
    }
    // Every term that is there is null: the class may say why.
    any.then(|| {
        class.map_or_else(
            || TermReading::nothing("the term is null"),
            |words| TermReading { stage: Stage::Recovered, ..of_words(words, Unit::Months) },
        )
    })
}

/// `min` and `max`, with a unit of their own or the object's.
fn range(named: &[(Name, &Value)], outer: Option<Unit>) -> Option<TermReading> {
    let end = |end| {
        named.iter().filter(|(n, _)| n.end == Some(end)).find_map(|(n, v)| {
            let unit = n.unit.or(outer).unwrap_or(Unit::Months);
            whole_months(v.as_f64()? * unit.months()).map(|(months, _)| months)
        })
    };
    Some(match (end(End::Low), end(End::High)) {
        (Some(lo), Some(hi)) if lo == hi => of_number(f64::from(lo), Stage::Recovered),
        (Some(lo), Some(hi)) if lo < hi => TermReading::of(What::Range(lo, Some(hi)), None, Stage::Recovered),
        (Some(_), Some(_)) => TermReading::nothing("the range ends before it begins"),
        (Some(lo), None) => TermReading::of(What::Range(lo, None), None, Stage::Recovered),
        (None, Some(hi)) => TermReading::of(What::Range(0, Some(hi)), None, Stage::Recovered),
        (None, None) => return None,
    })
}

fn of_value(value: &Value, unit: Unit) -> Option<TermReading> {
    match value {
        Value::Number(n) if unit == Unit::Months => {
            Some(of_number(n.as_f64().unwrap_or(-1.0), Stage::Strict))
        }
        Value::Number(n) => Some(of_number(n.as_f64().unwrap_or(-1.0) * unit.months(), Stage::Recovered)),
        Value::String(words) => Some(of_words(words, unit)),
        Value::Array(items) => {
            Some(match items.iter().map(Value::as_f64).collect::<Option<Vec<_>>>().as_deref() {
                Some([one]) => of_number(one * unit.months(), Stage::Recovered),
                Some([lo, hi]) if lo < hi => {
                    match (whole_months(lo * unit.months()), whole_months(hi * unit.months())) {
                        (Some((lo, _)), Some((hi, _))) => {
                            TermReading::of(What::Range(lo, Some(hi)), None, Stage::Recovered)
                        }
                        _ => TermReading::nothing("the ends of the range are no months"),
                    }
                }
                _ => TermReading::nothing("a list is no one term"),
            })
        }
        // A nested object counts in the unit of its field.
        Value::Object(_) => in_unit(value, Some(unit)),
        Value::Null | Value::Bool(_) => Some(TermReading::nothing("the term is not a number")),
    }
}

fn of_words(words: &str, unit: Unit) -> TermReading {
    // "About 14", "14 (not 16)": a number with nothing that counts beside it.
    static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\s*(?:about|around|approximately|approx\.?|roughly|circa|ca\.|大?约|大概|~|≈)?\s*(?P<n>[^\s(（].*?)\s*(?:[(（]\s*(?:not|rather\s+than|instead|rounded|approx|非|而非)[^()（）]*[)）])?\s*$",
        )
    });
    let bare = BESIDE.captures(words).and_then(|c| c.name("n")).map_or(words, |m| m.as_str());
    let spelled = || {
        let words = bare.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'));
        let small = ["a", "an", "and"].contains(&bare.to_lowercase().as_str());
        (words && !small).then(|| number(&bare.to_lowercase())).flatten()
    };
    if let Some(n) = bare.parse::<f64>().ok().or_else(spelled) {
        return of_number(n * unit.months(), Stage::Recovered);
    }
    static SPAN: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^\s*(\d{1,4})\s*(?:-|~|to|至|到)\s*(\d{1,4})\s*$"));
    if let Some(found) = SPAN.captures(words) {
        let end = |i| found.get(i).and_then(|m: regex::Match<'_>| m.as_str().parse::<f64>().ok());
        let months = |i| end(i).and_then(|n| whole_months(n * unit.months()));
        if let (Some((lo, _)), Some((hi, _))) = (months(1), months(2))
            && lo <= hi
        {
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
