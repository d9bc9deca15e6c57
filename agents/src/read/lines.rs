//! What the readers make of a file of texts or replies, line by line.

use serde::Serialize;
use serde_json::Value;

use super::{Label, Stage, TermReading, read_term, read_verdict};

/// What was made of one line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line<T> {
    /// Number of the line, from 1.
    pub line: usize,
    /// The line's own `id`, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// The reading; absent where the line itself is at fault.
    #[serde(flatten)]
    pub read: Option<T>,
    /// Whether the reading is what the line says it should be, if it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_expected: Option<bool>,
    /// What is wrong with the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A verdict as the command shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerdictLine {
    /// YES or NO; `None` is no decision.
    pub prediction: Option<Label>,
    /// 0 to 100: rhetorical, not a probability.
    pub confidence: Option<f64>,
    /// Whether the confidence came as a fraction, or out of another number than 100, and was scaled.
    pub rescaled: bool,
    /// The reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// How it was read.
    pub stage: Stage,
    /// Repairs that were made, or why nothing could be read.
    pub notes: Vec<String>,
}

/// Reads the terms of a file with `text` (or `reply`) on each line. Empty lines are passed over; a line that is no
/// such object is an entry with an error. Where a line has `months` or `class`, it is compared.
#[must_use]
pub fn term_lines(text: &str) -> Vec<Line<TermReading>> {
    lines(text, read_term, |row, read| {
        let months =
            row.get("months").map(|want| read.months.map(u64::from) == want.as_u64() && !want.is_boolean());
        let class = serde_json::to_value(read.class).ok();
        let class = row.get("class").map(|want| Some(want) == class.as_ref());
        all([months, class])
    })
}

/// Reads the verdicts of a file with `reply` (or `text`) on each line, as [`term_lines`]. Where a line has
/// `prediction` or `confidence`, it is compared.
#[must_use]
pub fn verdict_lines(text: &str) -> Vec<Line<VerdictLine>> {
    let read = |reply: &str| {
        let reading = read_verdict(reply);
        let value = reading.value;
        VerdictLine {
            prediction: value.as_ref().map(|v| v.prediction),
            confidence: value.as_ref().and_then(|v| v.confidence),
            rescaled: value.as_ref().is_some_and(|v| v.rescaled),
            reasoning: value.and_then(|v| v.reasoning),
            stage: reading.stage,
            notes: reading.notes,
        }
    };
    lines(text, read, |row, read| {
        let label = row.get("prediction").map(|want| read.prediction.map(Label::as_str) == want.as_str());
        let confidence = row.get("confidence").map(|want| read.confidence == want.as_f64());
        all([label, confidence])
    })
}

/// Whether all that is said holds; `None` if nothing is said.
fn all(said: [Option<bool>; 2]) -> Option<bool> {
    said.into_iter().flatten().reduce(|a, b| a && b)
}

fn lines<T>(
    text: &str,
    read: impl Fn(&str) -> T,
    compare: impl Fn(&Value, &T) -> Option<bool>,
) -> Vec<Line<T>> {
    text.trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty())
        .map(|(i, source)| {
            let wrong =
                |id, error| Line { line: i + 1, id, read: None, as_expected: None, error: Some(error) };
            let row = match serde_json::from_str::<Value>(source) {
                Ok(row) => row,
                Err(e) => return wrong(None, format!("not JSON: {e}")),
            };
            let id = row.get("id").cloned();
            match row.get("text").or_else(|| row.get("reply")) {
                Some(Value::String(words)) => {
                    let read = read(words);
                    let as_expected = compare(&row, &read);
                    Line { line: i + 1, id, read: Some(read), as_expected, error: None }
                }
                Some(_) => wrong(id, "`text` or `reply` is not a string".to_owned()),
                None => wrong(id, "there is neither `text` nor `reply`".to_owned()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_named_and_loses_no_other() {
        let text = "\u{feff}{\"id\":\"a\",\"text\":\"三年\",\"months\":36}\n\n{\"text\":\n[1]\n{\"text\":7}\n{\"reply\":\"无期徒刑\",\"months\":3}\n{\"text\":\"两年\"}";
        let read = term_lines(text);
        assert_eq!(read.iter().map(|l| l.line).collect::<Vec<_>>(), [1, 3, 4, 5, 6, 7]);
        assert_eq!(
            read.iter().map(|l| l.error.is_some()).collect::<Vec<_>>(),
            [false, true, true, true, false, false]
        );
        assert_eq!(
            (read[0].as_expected, read[4].as_expected, read[5].as_expected),
            (Some(true), Some(false), None)
        );
        let shown = serde_json::to_value(&read[0]).unwrap();
        assert_eq!(
            (&shown["months"], &shown["class"], &shown["stage"]),
            (&36.into(), &"fixed".into(), &"pattern".into())
        );
    }

    #[test]
    fn verdicts_are_compared_with_what_the_line_says() {
        let read = verdict_lines(
            "{\"reply\":\"{\\\"prediction\\\":\\\"YES\\\",\\\"confidence\\\":0.5}\",\"prediction\":\"YES\",\"confidence\":50}\n{\"text\":\"\",\"prediction\":null}",
        );
        assert_eq!(read[0].as_expected, Some(true));
        assert_eq!(read[1].as_expected, Some(true));
        let shown = serde_json::to_value(&read[1]).unwrap();
        assert_eq!((&shown["prediction"], &shown["stage"]), (&Value::Null, &"no_decision".into()));
    }
}
