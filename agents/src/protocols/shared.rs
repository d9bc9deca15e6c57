//! Small things that several courts need.

use nyaya_retrieval::Hit;
use serde_json::{Value, json};

use crate::run::RunConfig;
use crate::session::Session;

/// Most characters of a statement by the language of the trial, unless the run says otherwise.
pub(super) fn chars(session: &Session, config: &RunConfig) -> usize {
    config.statement_chars.unwrap_or(match base(session) {
        "zh" => 260,
        "ja" => 320,
        _ => 800,
    })
}

/// The length to ask for, in words (in characters for Chinese and Japanese): below the schema's limit, so that a
/// speaker can end the last sentence.
pub(super) fn limit(session: &Session, chars: usize) -> usize {
    if matches!(base(session), "zh" | "ja") {
        (chars * 3 / 4 / 10 * 10).max(10)
    } else {
        (chars / 8 / 5 * 5).max(5)
    }
}

/// Tokens that hold so many characters of the trial's language, with the marks of JSON around them.
pub(super) fn tokens(session: &Session, config: &RunConfig, role: &str, chars: usize) -> u32 {
    if let Some(tokens) = config.max_tokens.get(role) {
        return *tokens;
    }
    let text = match base(session) {
        "en" => chars.div_ceil(3),
        "zh" => chars * 13 / 10,
        _ => chars * 3 / 2,
    };
    u32::try_from(text + 96).unwrap_or(u32::MAX)
}

fn base(session: &Session) -> &str {
    session.language().split(['-', '_']).next().unwrap_or_default()
}

/// On one line, so that a statement cannot pass for another speaker's.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Passages as a prompt shows them.
pub(super) fn passages(hits: &[Hit]) -> Vec<String> {
    hits.iter()
        .map(|h| {
            let place: Vec<&str> = std::iter::once(h.title.as_str())
                .chain(h.heading.as_deref())
                .filter(|s| !s.is_empty())
                .collect();
            format!("[{}] {}\n{}", h.id, place.join(" · "), h.text)
        })
        .collect()
}

/// A count as the events have it.
pub(super) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The schema of an object that has all of these fields and no other, in this order.
pub(super) fn object(fields: &[(&str, Value)]) -> Value {
    let properties: serde_json::Map<String, Value> =
        fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
