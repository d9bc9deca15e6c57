//! Small things that several courts need.

use std::collections::BTreeMap;

use nyaya_corpora::ProvisionId;
use nyaya_retrieval::Hit;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::case::Case;
use crate::run::RunConfig;
use crate::session::{Ask, Session, SessionError};

/// Most characters of an entry in a list of provisions; the longest ids have half of that.
pub(super) const CITE_CHARS: usize = 60;

/// Most characters of a query.
pub(super) const QUERY_CHARS: usize = 100;

/// A statement with the provisions it relies on.
#[derive(Debug, Deserialize)]
pub(super) struct Said {
    pub(super) statement: String,
    #[serde(default)]
    pub(super) cites: Vec<String>,
}

impl Said {
    /// Whether there are words in it.
    pub(super) fn says(&self) -> bool {
        !self.statement.trim().is_empty()
    }

    /// The problem if there are none.
    pub(super) fn check(&self, problem: &str) -> Result<(), String> {
        if self.says() { Ok(()) } else { Err(problem.to_owned()) }
    }
}

/// What an agent looks up.
#[derive(Debug, Deserialize)]
pub(super) struct Queries {
    pub(super) queries: Vec<String>,
}

/// A finding on a charge as a reply has it.
#[derive(Debug, Deserialize)]
pub(super) struct RawFinding {
    #[serde(default)]
    pub(super) charge: String,
    pub(super) finding: String,
    #[serde(default)]
    pub(super) offence: Option<String>,
}

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

/// Most characters that the schema allows for so many told: a speaker who goes beyond them can still end the sentence.
pub(super) fn room(told: usize) -> usize {
    told * 5 / 4
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

/// The schema of words, at least one character and at most so many.
pub(super) fn text_schema(most: usize) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": most})
}

/// The schema of a list of at most so many provisions.
pub(super) fn cites_schema(most: usize) -> Value {
    json!({"type": "array", "maxItems": most, "items": {"type": "string", "maxLength": CITE_CHARS}})
}

/// The schema of [`Said`] for a speaker who is told so many characters.
pub(super) fn said_schema(told: usize, most_cites: usize) -> Value {
    object(&[("statement", text_schema(room(told))), ("cites", cites_schema(most_cites))])
}

/// The schema of [`Queries`], one to `most`.
pub(super) fn queries_schema(most: usize) -> Value {
    let list = json!({"type": "array", "minItems": 1, "maxItems": most, "items": text_schema(QUERY_CHARS)});
    object(&[("queries", list)])
}

/// Adds to a question what others said or wrote, in a block of the prompts that fences it; nothing if there is none.
pub(super) fn others<'s>(
    session: &'s Session,
    ask: Ask<'s>,
    block: &str,
    label: &str,
    entries: Vec<String>,
) -> Result<Ask<'s>, SessionError> {
    if entries.is_empty() {
        return Ok(ask);
    }
    Ok(ask.pieces(session.render(block, &BTreeMap::<String, String>::new(), &[(label, entries)])?))
}

/// The charges of a case as a template shows them.
pub(super) fn charges(case: &Case, called: &impl Fn(&ProvisionId) -> Option<String>) -> Vec<Value> {
    let shown = case.charges.iter();
    shown.map(|c| json!({"id": c.id.to_string(), "called": called(&c.id), "note": c.note})).collect()
}

/// The evidence of a case as a template shows it.
pub(super) fn evidence(case: &Case) -> Vec<Value> {
    case.evidence.iter().map(|e| json!({"mark": e.mark, "side": e.side, "text": e.text})).collect()
}
