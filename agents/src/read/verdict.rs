//! A yes or no with a confidence.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::json::candidates;
use super::term::english;
use super::{Reading, Stage, pattern, unboxed};

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
    /// Whether the confidence came as a fraction and was multiplied by 100.
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
const CONFIDENCE_KEYS: [&str; 4] = ["confidence", "confidence_score", "probability", "置信度"];
const REASONING_KEYS: [&str; 6] = ["reasoning", "reason", "rationale", "explanation", "理由", "推理"];

/// Words after a label that show it to be no decision ("No, I cannot tell").
static HEDGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(unsure|uncertain|undecided|undetermined|indeterminate|maybe|perhaps|insufficient|unclear|cannot|can't|unable|impossible|either|both)\b|无法|不确定",
    )
});

static KEYED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)(final\s+|最终)?(?:\b(?:prediction|predict|verdict|answer|label|decision)\b|预测|答案|判断|结论|答え|回答|解答)["'”]?(?:\s*(?:is|would\s+be)\b\s*[:：]?\s*|\s*[:：=|]\s*|\s*[为是は][:：]?\s*|\s+[-–—]+\s+)[\["'“(]*(yes|no|y|n|是|否|はい|いいえ)"#,
    )
});

static CONFIDENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)(?:confiden(?:ce|t)(?:\s+(?:level|score|rating))?(?:\s+in\s+(?:(?:this|the|my|prediction|answer|verdict|label|yes|no)\s*)+)?|置信度|信心)["'”]?\s*(?:is|of|at|为|:|：|=|\||\(|[-–—]+)?\s*["'“]?(-?[0-9]+(?:\.[0-9]+)?)\s*(%|percent|/\s*100\b|/\s*10\b)?"#,
    )
});

static CONFIDENCE_BEFORE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)(-?[0-9]+(?:\.[0-9]+)?)\s*(%|percent)\s*(?:confiden|certain|sure)"));

/// Reads a verdict from a reply that was asked for `prediction` (YES or NO), `confidence` (0 to 100) and `reasoning`.
///
/// A confidence is a percentage; only a value strictly between 0 and 1 is a fraction, and rescaling it makes the stage
/// [`Stage::Recovered`]. A confidence out of range, a label that is neither YES nor NO, or two labels that contradict
/// each other in running text make the whole answer [`Stage::NoDecision`].
pub fn read_verdict(raw: &str) -> Reading<VerdictReply> {
    if raw.trim().is_empty() {
        return Reading::no_decision("empty reply");
    }
    if let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(raw.trim())
        && value.get("prediction").is_some()
    {
        return of_object(&value, true, Vec::new());
    }
    let raw = &narrow(raw);
    let found = candidates(raw);
    for candidate in found.in_order_of_trust() {
        let inner = match &candidate.value {
            Value::Array(items) if items.len() == 1 => items.first(),
            other => Some(other),
        };
        if let Some(value) = inner.and_then(|v| holder(v, 0)) {
            if !candidate.complete && label_is_cut(raw, &value) {
                return Reading::no_decision("cut off within the label");
            }
            return of_object(&value, false, found.notes(candidate));
        }
    }
    of_text(&found.prose)
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

/// The object with a prediction: this one, or one that it wraps as an object or as a string of JSON.
fn holder(value: &Value, depth: usize) -> Option<Value> {
    if predicted(value).is_some() {
        return Some(value.clone());
    }
    let fields = value.as_object().filter(|_| depth < 4)?;
    fields.values().find_map(|v| match v {
        Value::Object(_) => holder(v, depth + 1),
        Value::String(s) if s.trim_start().starts_with('{') => {
            holder(&serde_json::from_str(s).ok()?, depth + 1)
        }
        _ => None,
    })
}

/// Whether a cut-off reply ends inside its label, which may then be the start of another word: `Y`, `NO`.
fn label_is_cut(raw: &str, value: &Value) -> bool {
    let last = value.as_object().and_then(|fields| fields.values().next_back());
    let closed = raw.trim_end().ends_with(['"', '\'', '”', '’']);
    !closed && last.is_some() && last == predicted(value) && last.and_then(Value::as_str) != Some("YES")
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

/// Reads one of several labels, asked for as `prediction`; the confidence is a percentage where there is one.
///
/// A label counts where it is the whole of the field, or stands after a word such as "Answer:", whatever its case;
/// two different ones in running text are no decision.
pub fn read_choice(raw: &str, labels: &[String]) -> Reading<(String, Option<f64>)> {
    let the = |words: &str| {
        let plain = words.trim().trim_matches(|c: char| matches!(c, '"' | '\'' | '*' | '`' | '.' | '。'));
        labels
            .iter()
            .find(|l| l.as_str() == plain)
            .or_else(|| labels.iter().find(|l| l.to_lowercase() == plain.to_lowercase()))
            .cloned()
    };
    let whole = serde_json::from_str::<Value>(raw.trim()).is_ok();
    let found = candidates(raw);
    for candidate in found.in_order_of_trust() {
        let Some(value) = holder(&candidate.value, 0) else { continue };
        let (given, in_words) = match predicted(&value) {
            Some(Value::String(s)) => (s.clone(), true),
            Some(other) => (other.to_string(), false),
            None => continue,
        };
        let Some(label) = the(&given) else {
            return Reading::no_decision(format!("`{}` is none of the labels", short(&given)));
        };
        let confidence = match field(&value, &CONFIDENCE_KEYS) {
            Some(Value::Number(n)) => percentage(n.as_f64().unwrap_or(f64::NAN), true).map(Some),
            Some(Value::String(s)) => confidence_in_words(s),
            _ => Ok(None),
        };
        // A number where a label was asked for, or a share where a percentage was, had to be converted.
        let converted = !in_words || matches!(confidence, Ok(Some((_, true))));
        let stage = if whole && label == given && !converted { Stage::Strict } else { Stage::Recovered };
        return match confidence {
            Ok(confidence) => {
                Reading { value: Some((label, confidence.map(|c| c.0))), stage, notes: Vec::new() }
            }
            Err(why) => Reading::no_decision(why),
        };
    }
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?im)(?:\b(?:prediction|answer|label|verdict)\b|答案|结论|预测|回答)\W{0,4}\s*(?:is\b|为|是)?\s*[:：]?\s*(\S[^\n]*)$",
        )
    });
    let mut named: Vec<String> = NAMED
        .captures_iter(&found.prose)
        .filter_map(|c| c.get(1))
        .filter_map(|m| the(m.as_str()).or_else(|| the(m.as_str().split([',', ';', '(', '，']).next()?)))
        .collect();
    if named.is_empty() {
        named.extend(the(&found.prose));
    }
    named.dedup();
    match named.as_slice() {
        [one] => Reading {
            value: Some((one.clone(), None)),
            stage: Stage::Pattern,
            notes: vec!["read from running text".to_owned()],
        },
        [] => Reading::no_decision("no label in the reply"),
        _ => Reading::no_decision("the reply contradicts itself"),
    }
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
    let mut strict = whole && exact;
    if !exact {
        notes.push("the label was converted".to_owned());
    }
    let mut confidence = None;
    let mut rescaled = false;
    match field(value, &CONFIDENCE_KEYS) {
        None | Some(Value::Null) => {
            strict = false;
            notes.push("no confidence given".to_owned());
        }
        Some(Value::Number(n)) => {
            let n = n.as_f64().unwrap_or(f64::NAN);
            match percentage(n, true) {
                Ok((p, scaled)) => (confidence, rescaled) = (Some(p), scaled),
                Err(why) => return Reading::no_decision(why),
            }
        }
        Some(other) => {
            strict = false;
            match other.as_str().map(confidence_in_words) {
                Some(Ok(Some((p, scaled)))) => {
                    notes.push("the confidence was converted".to_owned());
                    (confidence, rescaled) = (Some(p), scaled);
                }
                Some(Err(why)) => return Reading::no_decision(why),
                Some(Ok(None)) | None => notes.push("the confidence cannot be read".to_owned()),
            }
        }
    }
    if rescaled {
        strict = false;
        notes.push("the confidence was a fraction: multiplied by 100".to_owned());
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

/// A percentage from 0 to 100; a fraction strictly between 0 and 1 is rescaled where `scale` allows.
fn percentage(n: f64, scale: bool) -> Result<(f64, bool), String> {
    if !(0.0..=100.0).contains(&n) {
        return Err(format!("the confidence {n} is not between 0 and 100"));
    }
    if scale && n > 0.0 && n < 1.0 {
        // Rounded, because 0.29 × 100 is 28.999… in binary.
        return Ok(((n * 1e8).round() / 1e6, true));
    }
    Ok((n, false))
}

fn confidence_in_words(words: &str) -> Result<Option<(f64, bool)>, String> {
    static ABOUT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^(?:about|around|approximately|approx\.?|roughly|circa|ca\.?|大约|约|[~≈])\s*")
    });
    let words = ABOUT.replace(words.trim(), "");
    let words = words.trim();
    if words.starts_with(|c: char| c.is_ascii_alphabetic()) {
        // "Seventy-five percent".
        static UNIT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\s*(?:%|per\s*cent)\s*$"));
        return english(&UNIT.replace(words, "")).map(|n| percentage(n, false)).transpose();
    }
    let end =
        words.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(words.len());
    let (number, unit) = words.split_at(end);
    let Ok(n) = number.parse::<f64>() else { return Ok(None) };
    scaled_by_unit(n, unit).map(Some)
}

fn scaled_by_unit(n: f64, unit: &str) -> Result<(f64, bool), String> {
    let unit: String = unit.chars().filter(|c| !c.is_whitespace()).collect();
    if unit == "/10" {
        return percentage(n * 10.0, false);
    }
    percentage(n, unit.is_empty())
}

/// A label in the words of a field.
fn label(words: &str) -> Option<Label> {
    let plain = words.trim().trim_matches(|c: char| !c.is_alphanumeric());
    let exact = |s: &str| match s.to_lowercase().as_str() {
        "yes" | "y" | "true" | "是" | "はい" => Some(Label::Yes),
        "no" | "n" | "false" | "否" | "不是" | "いいえ" => Some(Label::No),
        _ => None,
    };
    if let Some(label) = exact(plain) {
        return Some(label);
    }
    // "YES, because …": a label set off by punctuation, and nothing that takes it back.
    let end = plain.find(|c: char| !c.is_alphanumeric())?;
    let (first, after) = plain.split_at(end);
    let set_off = after.trim_start().starts_with([',', '.', ';', ':', '(', '-', '–', '—', '，', '。', '（']);
    let found = exact(first).filter(|_| set_off && !HEDGE.is_match(after))?;
    (!mentions(after, other(found))).then_some(found)
}

fn other(label: Label) -> Label {
    if label == Label::Yes { Label::No } else { Label::Yes }
}

fn mentions(text: &str, label: Label) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|w| w.eq_ignore_ascii_case(label.as_str()))
}

/// Whether what follows a label leaves it standing: "no longer", "yes or no", "no decision" do not.
fn stands(after: &str) -> bool {
    let after = after.trim_start_matches(['"', '\'', '”', ')', ']', '*']);
    let trimmed = after.trim_start();
    let Some(c) = trimmed.chars().next() else { return true };
    if c.is_alphanumeric() {
        if after.len() == trimmed.len() && c.is_ascii() {
            return false;
        }
        let word: String = trimmed.chars().take_while(|c| c.is_alphanumeric()).collect();
        return ["with", "at", "confidence", "because", "since", "as", "given", "reasoning"]
            .iter()
            .any(|w| word.eq_ignore_ascii_case(w));
    }
    if c == '/' || HEDGE.is_match(after) {
        return false;
    }
    true
}

fn of_text(prose: &str) -> Reading<VerdictReply> {
    static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"<(/?)(\w+)>"));
    // Tags are labels; boxes, and the emphasis and quotes of Markdown, carry no meaning here.
    let text = unboxed(prose);
    let text = TAG.replace_all(&text, |c: &regex::Captures<'_>| match (c.get(1), c.get(2)) {
        (Some(slash), Some(name)) if slash.is_empty() => format!("\n{}: ", name.as_str()),
        _ => "\n".to_owned(),
    });
    let text: String = text.chars().filter(|c| !matches!(c, '*' | '`' | '#' | '_' | '>')).collect();
    let mut final_word = None;
    let mut labels = Vec::new();
    for found in KEYED.captures_iter(&text) {
        let Some(word) = found.get(2) else { continue };
        let after = text.get(word.end()..text.ceil_char_boundary(word.end() + 24)).unwrap_or_default();
        // The next statement of a label is looked at by itself.
        let after = after.lines().next().unwrap_or_default();
        let next = KEYED.find(after).map_or(after.len(), |m| m.start());
        let after = after.get(..next).unwrap_or_default();
        let parsed = label(word.as_str()).filter(|l| stands(after) && !mentions(after, other(*l)));
        let Some(parsed) = parsed else {
            if mentions(after, Label::Yes) || mentions(after, Label::No) {
                return Reading::no_decision("both labels are offered");
            }
            continue;
        };
        if found.get(1).is_some() {
            final_word = Some(parsed);
        }
        labels.push(parsed);
    }
    let mut notes = vec!["read from running text".to_owned()];
    let agreed = labels.first().copied().filter(|first| labels.iter().all(|l| l == first));
    let prediction = match (final_word, agreed) {
        (Some(l), _) | (None, Some(l)) => l,
        (None, None) if !labels.is_empty() => {
            return Reading::no_decision("the reply contradicts itself");
        }
        (None, None) => match sole_label(&text) {
            Some(l) => l,
            None => return Reading::no_decision("no label in the reply"),
        },
    };
    static ALONE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)^\W*(?:yes|no|是|否)\W+([0-9]+(?:\.[0-9]+)?)\s*(%)\W*$"));
    let stated = CONFIDENCE
        .captures(&text)
        .or_else(|| CONFIDENCE_BEFORE.captures(&text))
        .or_else(|| ALONE.captures(&text));
    let mut confidence = None;
    let mut rescaled = false;
    if let Some(found) = stated {
        let number = found.get(1).and_then(|m| m.as_str().parse::<f64>().ok()).unwrap_or(f64::NAN);
        match scaled_by_unit(number, found.get(2).map_or("", |m| m.as_str())) {
            Ok((p, scaled)) => (confidence, rescaled) = (Some(p), scaled),
            Err(why) => return Reading::no_decision(why),
        }
    } else {
        notes.push("no confidence given".to_owned());
    }
    if rescaled {
        notes.push("the confidence was a fraction: multiplied by 100".to_owned());
    }
    static REASONS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?is)\b(?:reasoning|rationale|reasons?)\s*[:：]\s*(.+)"));
    let reasoning = REASONS.captures(&text).and_then(|c| c.get(1)).map(|m| m.as_str().trim().to_owned());
    Reading {
        value: Some(VerdictReply { prediction, confidence, rescaled, reasoning }),
        stage: Stage::Pattern,
        notes,
    }
}

/// A label that is the first sentence, or a line of its own, where the other label is nowhere in the reply.
fn sole_label(text: &str) -> Option<Label> {
    let mut labels = text.lines().filter_map(|l| {
        let line = l.trim().trim_matches(|c: char| !c.is_alphanumeric());
        ["yes", "no", "是", "否", "不是"].iter().find(|w| line.eq_ignore_ascii_case(w)).and_then(|w| label(w))
    });
    let found = match labels.next() {
        Some(first) => labels.all(|l| l == first).then_some(first)?,
        None => label(text)
            .or_else(|| repeated(text))
            .or_else(|| capitals(text))
            .filter(|_| !HEDGE.is_match(text))?,
    };
    (!mentions(text, other(found))).then_some(found)
}

/// One label over and over, and nothing else.
fn repeated(text: &str) -> Option<Label> {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(label);
    let first = words.next()??;
    words.all(|l| l == Some(first)).then_some(first)
}

/// The only label in capitals, at the end of a clause: "I would say YES."
fn capitals(text: &str) -> Option<Label> {
    static CAPITALS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r#"(?:^|[\s:"'(\[])(YES|NO)["')\]]*\s*(?:[.,;:!(\n]|$|(?:with|because|since)\b)"#)
    });
    // In a text all in capitals they mean nothing.
    text.chars().any(char::is_lowercase).then_some(())?;
    let mut found = CAPITALS.captures_iter(text).filter_map(|c| c.get(1)).filter_map(|m| label(m.as_str()));
    let first = found.next()?;
    found.all(|l| l == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> (Option<(Label, Option<f64>)>, Stage) {
        let r = read_verdict(raw);
        (r.value.map(|v| (v.prediction, v.confidence)), r.stage)
    }

    #[test]
    fn entailment_is_answered_by_letter() {
        for (raw, want, stage) in [
            ("Answer: Y", Label::Yes, Stage::Pattern),
            ("{\"answer\":\"N\",\"reason\":\"r\"}", Label::No, Stage::Strict),
            ("{\"answer\":\"n\"}", Label::No, Stage::Recovered),
            ("```json\n{\"answer\": \"Y\"}\n```", Label::Yes, Stage::Recovered),
            ("答案：N", Label::No, Stage::Pattern),
            ("答え：Y", Label::Yes, Stage::Pattern),
            ("答えは：いいえ", Label::No, Stage::Pattern),
            ("The reason is given. Answer: N", Label::No, Stage::Pattern),
        ] {
            let r = read_yes_no(raw);
            assert_eq!((r.value.map(|v| v.prediction), r.stage), (Some(want), stage), "{raw}");
        }
        for raw in ["", "Answer: Y or N", "Answer: maybe", "{\"answer\":\"U\"}"] {
            assert_eq!(read_yes_no(raw).stage, Stage::NoDecision, "{raw}");
        }
    }

    #[test]
    fn one_of_several_labels() {
        let labels = ["low", "high", "medium risk", "0"].map(str::to_owned);
        for (raw, want, stage) in [
            ("{\"prediction\":\"low\",\"confidence\":70}", Some(("low", Some(70.0))), Stage::Strict),
            ("{\"prediction\":\"LOW\"}", Some(("low", None)), Stage::Recovered),
            ("{\"prediction\":0,\"confidence\":0.5}", Some(("0", Some(50.0))), Stage::Recovered),
            ("{\"prediction\":\"lowest\"}", None, Stage::NoDecision),
            ("Answer: medium risk", Some(("medium risk", None)), Stage::Pattern),
            ("high", Some(("high", None)), Stage::Pattern),
            ("Answer: low\nAnswer: high", None, Stage::NoDecision),
            ("It may be low or high.", None, Stage::NoDecision),
        ] {
            let r = read_choice(raw, &labels);
            let want = want.map(|(l, c)| (l.to_owned(), c));
            assert_eq!((r.value, r.stage), (want, stage), "{raw}");
        }
    }

    #[test]
    fn patterns_compile() {
        for p in [&HEDGE, &KEYED, &CONFIDENCE, &CONFIDENCE_BEFORE] {
            assert!(!p.is_match("x"));
        }
    }

    #[test]
    fn objects() {
        use Label::{No, Yes};
        use Stage::{Recovered, Strict};
        for (raw, want, stage) in [
            (r#"{"prediction":"NO","confidence":12.5,"reasoning":"r"}"#, (No, Some(12.5)), Strict),
            (r#"{"prediction":"NO","confidence":0,"reasoning":"r"}"#, (No, Some(0.0)), Strict),
            (r#"{"prediction":"NO","confidence":0.29}"#, (No, Some(29.0)), Recovered),
            (r#"{"prediction":"YES"}"#, (Yes, None), Recovered),
            (r#"{"prediction":"YES","confidence":"high"}"#, (Yes, None), Recovered),
            (r#"{"prediction":"YES","confidence":"8/10"}"#, (Yes, Some(80.0)), Recovered),
            (r#"{"prediction":"YES","confidence":"0.7"}"#, (Yes, Some(70.0)), Recovered),
            (r#"{"prediction":"YES","confidence":"0.7%"}"#, (Yes, Some(0.7)), Recovered),
            (r#"{"Prediction":"Yes.","Confidence":64}"#, (Yes, Some(64.0)), Recovered),
            (r#"{"verdict":{"prediction":"NO","confidence":64}}"#, (No, Some(64.0)), Recovered),
            (r#"[{"prediction":"NO","confidence":64}]"#, (No, Some(64.0)), Recovered),
            (r#"{"prediction":true,"confidence":64}"#, (Yes, Some(64.0)), Recovered),
            (r#"{"prediction":"是","confidence":64}"#, (Yes, Some(64.0)), Recovered),
            (r#"{"prediction":"NO, he has no record","confidence":64}"#, (No, Some(64.0)), Recovered),
            (r#"{"prediction":"YES","confidence":7"#, (Yes, None), Recovered),
            ("{prediction: YES, confidence: 70}", (Yes, Some(70.0)), Recovered),
            (r#"{"prediction":"YES","confidence":70}{"prediction":"NO","conf"#, (Yes, Some(70.0)), Recovered),
            (r#"x</think>{"prediction":"NO","confidence":70}"#, (No, Some(70.0)), Recovered),
        ] {
            assert_eq!(read(raw), (Some(want), stage), "{raw}");
        }
    }

    #[test]
    fn what_is_no_decision() {
        for raw in [
            r#"{"prediction":"NO DECISION","confidence":64}"#,
            r#"{"prediction":"YES/NO","confidence":64}"#,
            r#"{"prediction":"Yes and no","confidence":64}"#,
            r#"{"prediction":"No, wait, yes","confidence":64}"#,
            r#"{"prediction":null,"confidence":64}"#,
            r#"{"prediction":1,"confidence":64}"#,
            r#"{"prediction":"YES","confidence":-5}"#,
            r#"{"prediction":"YES","confidence":"120%"}"#,
            r#"{"reasoning":"nothing else"}"#,
            "Prediction: YES or NO",
            "Prediction: YES/NO",
            "Prediction: YES\nPrediction: NO",
            "The answer is no longer clear.",
            "I have no opinion.",
            "No, I cannot help with that.",
            "Prediction: YES (confidence: 400%)",
            "<think>Prediction: YES</think>",
            "There is no evidence, so nothing follows.",
            "THERE IS NO, AND CAN BE NO, ANSWER.",
            "I see NO way to tell.",
            "{\"reasoning\": \"long, prediction: YES, and then cut",
        ] {
            assert_eq!(read(raw), (None, Stage::NoDecision), "{raw}");
        }
    }

    #[test]
    fn running_text() {
        use Label::{No, Yes};
        for (raw, want) in [
            ("YES", (Yes, None)),
            ("**NO**", (No, None)),
            ("Yes. The record is long.", (Yes, None)),
            ("My reasons are given.\n\nNO\n", (No, None)),
            ("The answer is YES with 80% confidence.", (Yes, Some(80.0))),
            ("Final verdict: no.\nConfidence score: 0.6", (No, Some(60.0))),
            ("Prediction: YES at first. After thought, my final prediction is NO.", (No, None)),
            ("预测：是\n置信度：75%", (Yes, Some(75.0))),
            ("- **Prediction**: \"NO\"\n- **Confidence**: 9/10", (No, Some(90.0))),
            ("prediction = YES, confidence = 66", (Yes, Some(66.0))),
            ("I'd say YES.", (Yes, None)),
            ("The answer is: **NO**", (No, None)),
            ("Final Answer: \\boxed{NO}", (No, None)),
            ("\\boxed{YES}", (Yes, None)),
            ("<answer>YES</answer> <confidence>80</confidence>", (Yes, Some(80.0))),
            ("| prediction | NO |\n| confidence | 55 |", (No, Some(55.0))),
            ("YES, 80%", (Yes, Some(80.0))),
        ] {
            assert_eq!(read(raw), (Some(want), Stage::Pattern), "{raw}");
        }
    }

    #[test]
    fn labels_serialise_as_asked() {
        assert_eq!(serde_json::to_string(&Label::No).unwrap(), "\"NO\"");
    }
}
