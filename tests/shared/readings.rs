//! Every row of `cases/verdict_shapes.jsonl` and `cases/prison_terms.jsonl`.

use std::path::Path;

use nyaya_agents::read::{read_term, read_verdict};
use serde_json::Value;

type Trial = (&'static str, crate::Test);

/// The trials of this area.
pub fn trials(shared: &Path) -> Vec<Trial> {
    let verdicts = shared.join("cases/verdict_shapes.jsonl");
    let terms = shared.join("cases/prison_terms.jsonl");
    vec![
        ("verdict_shapes", Box::new(move || each(&verdicts, verdict))),
        ("prison_terms", Box::new(move || each(&terms, term))),
    ]
}

/// Runs `check` on each line and reports all that fail.
fn each(path: &Path, check: fn(&Value) -> Result<(), String>) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut failures = Vec::new();
    let mut rows = 0;
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let row: Value = serde_json::from_str(line).map_err(|e| format!("{line}: {e}"))?;
        rows += 1;
        if let Err(why) = check(&row) {
            failures.push(format!("{}: {why}", row.get("id").unwrap_or(&Value::Null)));
        }
    }
    match (rows, failures.is_empty()) {
        (0, _) => Err(format!("{}: no rows", path.display())),
        (_, true) => Ok(()),
        (_, false) => Err(format!("{} of {rows} rows:\n{}", failures.len(), failures.join("\n"))),
    }
}

fn text<'a>(row: &'a Value, field: &str) -> Option<&'a str> {
    row.get(field).and_then(Value::as_str)
}

fn verdict(row: &Value) -> Result<(), String> {
    let reading = read_verdict(text(row, "reply").unwrap_or_default());
    let prediction = reading.value.as_ref().map(|v| v.prediction.as_str());
    let confidence = reading.value.as_ref().and_then(|v| v.confidence);
    let note = text(row, "note").unwrap_or_default();
    let same =
        prediction == text(row, "prediction") && confidence == row.get("confidence").and_then(Value::as_f64);
    // The note names the stage, first or last ("refusal: no_decision").
    let stage = reading.stage.as_str();
    if same && note.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == stage) {
        return Ok(());
    }
    Err(format!("wanted {row}, read {reading:?}"))
}

fn term(row: &Value) -> Result<(), String> {
    let reading = read_term(text(row, "text").unwrap_or_default());
    if reading.months.map(u64::from) == row.get("months").and_then(Value::as_u64) {
        return Ok(());
    }
    Err(format!("wanted {row}, read {reading:?}"))
}
