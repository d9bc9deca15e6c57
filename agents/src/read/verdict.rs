//! A yes or no with a confidence.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::confidence::{self, Stated};
use super::json::candidates;
use super::{Reading, Stage, pattern};

#[cfg(test)]
mod causes;
mod choice;
#[cfg(test)]
mod choices;
mod forms;
mod speaker;
#[cfg(test)]
mod tests;
mod words;

pub use choice::read_choice;
use words::of_text;

/// The answer to a yes-or-no question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Label {
    /// YES.
    Yes,
    /// NO.
    No,
}

impl Label {
    /// `YES` or `NO`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "YES",
            Self::No => "NO",
        }
    }
}

/// A verdict as a model gave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VerdictReply {
    /// The answer.
    pub prediction: Label,
    /// The model's own percentage, 0 to 100: rhetorical, not a probability. `None` if it gave none that can be read.
    pub confidence: Option<f64>,
    /// Whether the confidence came as a fraction, or out of another number than 100, and was scaled.
    #[serde(default)]
    pub rescaled: bool,
    /// The reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

/// Names under which a prediction comes, the one asked for first.
const PREDICTION_KEYS: [&str; 20] = [
    "prediction",
    "verdict",
    "answer",
    "label",
    "decision",
    "final_prediction",
    "final_verdict",
    "final_answer",
    "final_decision",
    "predicted_label",
    "predicted",
    "judgment",
    "judgement",
    "conclusion",
    "result",
    "预测",
    "答案",
    "结论",
    "判断",
    "最终答案",
];
const CONFIDENCE_KEYS: [&str; 11] = [
    "confidence",
    "confidence_score",
    "confidence_level",
    "confidence_percent",
    "confidence_percentage",
    "confidence_pct",
    "certainty",
    "probability",
    "置信度",
    "信心",
    "把握",
];
const REASONING_KEYS: [&str; 6] = ["reasoning", "reason", "rationale", "explanation", "理由", "推理"];

/// Words after a label that show it to be no decision ("No, I cannot tell").
static HEDGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(unsure|uncertain|not\s+(?:\w+\s+)?(?:sure|certain)|undecided|undetermined|indeterminate|maybe|perhaps|insufficient|unclear|cannot|can't|unable|impossible|either|both)\b|无法|不确定",
    )
});

/// Reads a verdict from a reply that was asked for `prediction` (YES or NO), `confidence` (0 to 100) and `reasoning`.
///
/// A confidence is a percentage; only a value strictly between 0 and 1 is a fraction, and rescaling it makes the stage
/// [`Stage::Recovered`]. A confidence out of range, a label that is neither YES nor NO, or two labels that contradict
/// each other in running text make the whole answer [`Stage::NoDecision`].
pub fn read_verdict(raw: &str) -> Reading<VerdictReply> {
    if raw.trim().is_empty() {
        return Reading::no_decision("empty reply");
    }
    if contradictory_fields(raw.trim()) {
        return Reading::no_decision("the fields contradict each other");
    }
    if let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(raw.trim())
        && value.get("prediction").is_some_and(|v| !v.is_object())
    {
        return of_object(&value, true, Vec::new());
    }
    let raw = &narrow(raw);
    // Boxes to tick look like lists.
    let ticked;
    let raw = if raw.contains('{') {
        raw
    } else {
        ticked = forms::answered(raw);
        &ticked
    };
    let found = candidates(raw);
    let mut passed_over = false;
    for candidate in found.in_order_of_trust() {
        let inner = match &candidate.value {
            Value::Array(items) if items.len() == 1 => items.first(),
            other => Some(other),
        };
        let held = inner.map(|v| holders(v, 0)).unwrap_or_default();
        if let Some(first) = held.first() {
            if speaker::not_the_answer(&found.prose, candidate.at) {
                passed_over = true;
                continue;
            }
            let mut value = first.clone();
            if candidate.cut_value && !drop_cut_value(&mut value) {
                return Reading::no_decision("cut off within the label");
            }
            let reading = of_object(&value, false, found.notes(candidate));
            // What is said after the object is the last word.
            let given = reading.value.as_ref().map(|v| v.prediction);
            if given.is_some_and(|label| words::goes_back_on(&found.prose, candidate.at, label)) {
                return Reading::no_decision("the words after the JSON say something else");
            }
            return if held.len() > 1 { agreed(reading, &held) } else { reading };
        }
    }
    // Beside what is quoted, only a label under its name is the answer.
    if passed_over && !words::KEYED.is_match(&found.prose) {
        return Reading::no_decision("the only object is another's, hypothetical or an example");
    }
    of_text(&found.prose)
}

/// Whether one field of a reply that is one object comes twice, with two labels.
fn contradictory_fields(raw: &str) -> bool {
    struct Labels;
    impl<'de> serde::de::Visitor<'de> for Labels {
        type Value = Vec<Label>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut labels = Vec::new();
            while let Some((key, value)) = map.next_entry::<String, Value>()? {
                if key.trim().eq_ignore_ascii_case("prediction") {
                    labels.extend(value.as_str().and_then(label));
                }
            }
            Ok(labels)
        }
    }
    let mut reader = serde_json::Deserializer::from_str(raw);
    serde::Deserializer::deserialize_map(&mut reader, Labels)
        .is_ok_and(|labels| labels.windows(2).any(|pair| pair.first() != pair.last()))
}

/// Full-width letters, digits and brackets as ASCII, where a reply has any.
fn narrow(raw: &str) -> String {
    raw.chars()
        .map(|c| match c {
            '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '｛' | '｝' | '［' | '］' | '％' => {
                char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c)
            }
            other => other,
        })
        .collect()
}

/// The objects with a prediction: this one, or those that it wraps as objects or as strings of JSON.
fn holders(value: &Value, depth: usize) -> Vec<Value> {
    if predicted(value).is_some() {
        return vec![value.clone()];
    }
    let Some(fields) = value.as_object().filter(|_| depth < 4) else { return Vec::new() };
    let mut held: Vec<Value> = fields
        .values()
        .flat_map(|v| match v {
            Value::Object(_) => holders(v, depth + 1),
            Value::String(s) if s.trim_start().starts_with('{') => {
                serde_json::from_str(s).map(|v| holders(&v, depth + 1)).unwrap_or_default()
            }
            _ => Vec::new(),
        })
        .collect();
    // `{"prediction": {"label": "NO"}, "confidence": 60}`
    if let ([Value::Object(one)], Some(outer)) = (held.as_mut_slice(), fields.get("confidence"))
        && !one.contains_key("confidence")
    {
        one.insert("confidence".to_owned(), outer.clone());
    }
    held
}

/// What several objects in one reply say together: a label only if it is the same in all.
fn agreed(mut reading: Reading<VerdictReply>, held: &[Value]) -> Reading<VerdictReply> {
    let all: Vec<Option<VerdictReply>> = held.iter().map(|v| of_object(v, false, Vec::new()).value).collect();
    let Some(first) = reading.value.as_mut() else { return reading };
    if all.iter().any(|v| v.as_ref().map(|v| v.prediction) != Some(first.prediction)) {
        return Reading::no_decision("the objects in the reply contradict each other");
    }
    if all.iter().any(|v| v.as_ref().map(|v| v.confidence) != Some(first.confidence)) {
        (first.confidence, first.rescaled) = (None, false);
        reading.notes.push("several confidences, none of them read".to_owned());
    }
    reading
}

/// Takes out a value that a cut-off reply ends within, since it may be the start of another: `NO`, `"7`. A label that
/// cannot be another word stays. False if the label itself was not sure.
fn drop_cut_value(value: &mut Value) -> bool {
    let Some(fields) = value.as_object_mut() else { return true };
    let Some(key) = fields.keys().next_back().cloned() else { return true };
    if PREDICTION_KEYS.iter().any(|k| k.eq_ignore_ascii_case(key.trim())) {
        return fields.get(&key).and_then(Value::as_str) == Some("YES");
    }
    if CONFIDENCE_KEYS.iter().any(|k| k.eq_ignore_ascii_case(key.trim())) {
        // `"60}`: the brace shows that the number is whole.
        match fields.get_mut(&key) {
            Some(Value::String(s)) if s.trim_end().ends_with('}') => {
                *s = s.trim_end().trim_end_matches('}').trim_end_matches('"').to_owned();
            }
            _ => {
                fields.remove(&key);
            }
        }
    }
    true
}

/// Reads the answer to a question of entailment, asked for as `answer` (Y or N): `Answer: Y`, JSON, or the words for
/// them. Read as [`read_verdict`] does, the certainty being optional.
pub fn read_yes_no(raw: &str) -> Reading<VerdictReply> {
    let mut reading = read_verdict(raw);
    let whole = serde_json::from_str::<Value>(raw.trim()).ok();
    let exact = whole.as_ref().and_then(|v| v.get("answer")).and_then(Value::as_str);
    if reading.value.is_some() && matches!(exact, Some("Y" | "N")) {
        reading.stage = Stage::Strict;
        reading.notes.clear();
    }
    reading
}

fn field<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    let fields = value.as_object()?;
    keys.iter().find_map(|key| {
        fields
            .get(*key)
            .or_else(|| fields.iter().find(|(k, _)| k.trim().eq_ignore_ascii_case(key)).map(|(_, v)| v))
    })
}

fn predicted(value: &Value) -> Option<&Value> {
    field(value, &PREDICTION_KEYS).filter(|v| !v.is_object())
}

fn of_object(value: &Value, whole: bool, mut notes: Vec<String>) -> Reading<VerdictReply> {
    let Some(given) = predicted(value) else { return Reading::no_decision("no prediction in the reply") };
    let (prediction, exact) = match given {
        Value::String(s) if s == "YES" => (Label::Yes, true),
        Value::String(s) if s == "NO" => (Label::No, true),
        Value::String(s) => match label(s) {
            Some(l) => (l, false),
            None => return Reading::no_decision(format!("`{}` is neither YES nor NO", short(s))),
        },
        Value::Array(items) if items.len() == 1 && items.iter().all(Value::is_string) => {
            match items.first().and_then(Value::as_str).and_then(label) {
                Some(l) => (l, false),
                None => return Reading::no_decision("the label in the list is neither YES nor NO"),
            }
        }
        Value::Bool(b) => (if *b { Label::Yes } else { Label::No }, false),
        other => {
            return Reading::no_decision(format!("`{}` is neither YES nor NO", short(&other.to_string())));
        }
    };
    // Two fields with different labels are no decision; a field with another word, as `guilty`, is none of them.
    let labels = PREDICTION_KEYS.iter().filter_map(|k| field(value, &[k])).filter_map(Value::as_str);
    if labels.filter_map(label).any(|other| other != prediction) {
        return Reading::no_decision("the fields contradict each other");
    }
    let mut strict = whole && exact;
    if !exact {
        notes.push("the label was converted".to_owned());
    }
    let mut confidence = None;
    let mut rescaled = false;
    strict &= field(value, &CONFIDENCE_KEYS).is_some_and(Value::is_number);
    match stated(value) {
        None if field(value, &CONFIDENCE_KEYS).is_none_or(Value::is_null) => {
            notes.push("no confidence given".to_owned());
        }
        None => notes.push("the confidence cannot be read".to_owned()),
        Some(Stated::Unclear(why)) => notes.push(why.to_owned()),
        Some(Stated::Invalid(why)) => return Reading::no_decision(why),
        Some(Stated::Value(read)) => {
            rescaled = read.scale.is_some();
            strict &= !rescaled;
            confidence = Some(read.percent);
            if field(value, &CONFIDENCE_KEYS).is_some_and(Value::is_string) {
                notes.push("the confidence was converted".to_owned());
            }
            notes.extend(read.note());
        }
    }
    let reasoning = field(value, &REASONING_KEYS).and_then(Value::as_str).map(str::to_owned);
    let stage = if strict { Stage::Strict } else { Stage::Recovered };
    if strict {
        notes.clear();
    }
    Reading { value: Some(VerdictReply { prediction, confidence, rescaled, reasoning }), stage, notes }
}

fn short(s: &str) -> String {
    s.chars().take(40).collect()
}

/// The confidence that an object states.
fn stated(value: &Value) -> Option<Stated> {
    let words = |words: &str, field: &str| confidence::read(&format!("{field}{}", narrow(words)), true);
    match field(value, &CONFIDENCE_KEYS) {
        Some(Value::Number(n)) => Some(confidence::of_number(n.as_f64().unwrap_or(f64::NAN))),
        Some(Value::String(s)) => words(s, ""),
        Some(_) => None,
        // `"confidence (0-10)": 7`
        None => value.as_object()?.iter().find_map(|(key, v)| {
            let key = narrow(key).trim().to_lowercase();
            let scale =
                key.strip_prefix("confidence").filter(|rest| !rest.starts_with(char::is_alphanumeric))?;
            match v {
                Value::Number(n) => words(&n.to_string(), &format!("{}: ", scale.trim_start_matches('_'))),
                Value::String(s) => words(s, &format!("{}: ", scale.trim_start_matches('_'))),
                _ => None,
            }
        }),
    }
}

/// A label in the words of a field.
fn label(words: &str) -> Option<Label> {
    let words = narrow(words);
    // "YES?" asks.
    if words.trim_end().trim_end_matches(['"', '\'', ')', '”']).ends_with(['?', '？']) {
        return None;
    }
    let plain = words.trim().trim_matches(|c: char| !c.is_alphanumeric());
    let exact = |s: &str| match s.to_lowercase().as_str() {
        "yes" | "y" | "true" | "是" | "是的" | "はい" => Some(Label::Yes),
        "no" | "n" | "false" | "否" | "不是" | "不" | "いいえ" => Some(Label::No),
        _ => None,
    };
    if let Some(label) = exact(plain) {
        return Some(label);
    }
    // "YES, because …": a label set off by punctuation, and nothing that takes it back.
    let end = plain.find(|c: char| !c.is_alphanumeric())?;
    let (first, after) = plain.split_at(end);
    let set_off = after.trim_start().starts_with([',', '.', ';', ':', '(', '-', '–', '—', '，', '。', '（']);
    let found = exact(first).filter(|_| set_off && !HEDGE.is_match(after) && !joined(after))?;
    // "N.B.": a letter of an abbreviation.
    let abbreviated = first.len() == 1
        && after.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    let after = words::SURE.replace_all(after, "");
    (!abbreviated && !mentions(&after, other(found))).then_some(found)
}

/// Whether what follows makes a label another word, a number of a list, or an answer on a condition: "Yes-man",
/// "No. 12 of the list", "YES, if …".
fn joined(after: &str) -> bool {
    static JOINED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:[-‐‑][\p{L}\d]|\.\s*[0-9]+(?P<number>\s+[a-z]+|\s*[,)]))|^\W*(?:but\s+|and\s+)?(?:only\s+|provided\s+|except\s+)?(?:if|unless|provided|providing|assuming|depend(?:s|ing)|subject\s+to|in\s+case|where|when|were|had|should)\b|^[，,：:\s]*(?:如果|若|假如|除非|前提)",
        )
    });
    JOINED.captures(after).is_some_and(|c| {
        // "NO. 70 percent sure."
        c.name("number").is_none_or(|n| {
            let word = n.as_str().trim().to_lowercase();
            !(word.starts_with("percent") || word.starts_with("per") || word.starts_with("confiden"))
        })
    })
}

fn other(label: Label) -> Label {
    if label == Label::Yes { Label::No } else { Label::Yes }
}

/// Whether the text names a label. "No" before a noun ("he has no job") is none, unless it is in capitals.
fn mentions(text: &str, label: Label) -> bool {
    static NO: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?:^|[^\p{L}\p{N}])(?:NO(?:[^\p{L}\p{N}]|$)|(?i:no(?:\s*$|\s*[^\p{L}\p{N}\s]|\s+(?:wait|actually|sorry|with|at|because|since|as)\b)))",
        )
    });
    let zh = if label == Label::Yes { ["是", "是的"] } else { ["否", "不是"] };
    let mut tokens = text.split(|c: char| !c.is_alphanumeric());
    match label {
        Label::Yes => tokens.any(|w| w.eq_ignore_ascii_case("yes") || zh.contains(&w)),
        Label::No => NO.is_match(text) || tokens.any(|w| zh.contains(&w)),
    }
}
