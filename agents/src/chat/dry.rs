//! A model that is none: for `--dry-run`, which shows what would be asked.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::{ChatError, ChatModel, ChatReply, ChatRequest, Message, Usage};

/// Words of a reply that nobody gave.
const WORDS: &str = "(dry run)";

/// Gives the smallest value that is valid for the schema of each request, and words that say so. Never used to hold
/// a trial; its name says what it is wherever a record would show it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Dry;

#[async_trait]
impl ChatModel for Dry {
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ChatError> {
        let content = match &request.schema {
            Some(schema) => smallest(&schema.schema, &schema.schema, 0).to_string(),
            None => WORDS.to_owned(),
        };
        Ok(ChatReply {
            content,
            reasoning: None,
            finish_reason: "stop".to_owned(),
            model: self.name(),
            usage: Usage::default(),
            latency_ms: 0,
            attempts: 0,
        })
    }

    fn name(&self) -> String {
        "dry-run".to_owned()
    }

    fn context_length(&self) -> Option<usize> {
        None
    }

    fn count_tokens(&self, _: &[Message]) -> Option<usize> {
        None
    }

    fn concurrency(&self) -> usize {
        1
    }
}

/// The smallest value that fits a schema: the first of an enumeration, no optional list entry, the least number.
#[must_use]
pub fn smallest(root: &Value, schema: &Value, depth: usize) -> Value {
    if depth > 32 {
        return Value::Null;
    }
    let field = |name: &str| schema.get(name);
    if let Some(constant) = field("const") {
        return constant.clone();
    }
    if let Some(first) = field("enum").and_then(|e| e.get(0)) {
        return first.clone();
    }
    if let Some(target) = field("$ref").and_then(Value::as_str) {
        let target = root.pointer(target.trim_start_matches('#')).unwrap_or(&Value::Null);
        return smallest(root, target, depth + 1);
    }
    if let Some(first) = ["anyOf", "oneOf", "allOf"].iter().find_map(|k| field(k)?.get(0)) {
        return smallest(root, first, depth + 1);
    }
    let kind = field("type").and_then(|t| t.as_str().or_else(|| t.get(0)?.as_str())).unwrap_or("string");
    let number = |name: &str| field(name).and_then(Value::as_u64);
    match kind {
        "object" => {
            let required: Vec<&str> = field("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let all = field("properties").and_then(Value::as_object);
            let fields = all.into_iter().flatten().filter(|(name, _)| required.contains(&name.as_str()));
            Value::Object(
                fields.map(|(n, s)| (n.clone(), smallest(root, s, depth + 1))).collect::<Map<_, _>>(),
            )
        }
        "array" => {
            let item = field("items").cloned().unwrap_or_default();
            (0..number("minItems").unwrap_or(0)).map(|_| smallest(root, &item, depth + 1)).collect()
        }
        "integer" | "number" => field("minimum").cloned().unwrap_or_else(|| json!(0)),
        "boolean" => json!(false),
        "null" => Value::Null,
        _ => {
            let most = number("maxLength").and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
            let least = number("minLength").and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
            let words = WORDS.chars().cycle().take(least.max(WORDS.len().min(most)));
            Value::String(words.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_value_fits() {
        let schema = json!({
            "type": "object",
            "properties": {
                "say": {"type": "string", "minLength": 12, "maxLength": 12},
                "mark": {"type": "string", "maxLength": 3},
                "list": {"type": "array", "minItems": 2, "items": {"$ref": "#/$defs/one"}},
                "none": {"type": "array", "items": {"type": "string"}},
                "n": {"type": ["integer", "null"], "minimum": 4},
                "yes": {"type": "boolean"},
                "left_out": {"type": "string"},
            },
            "required": ["say", "mark", "list", "none", "n", "yes"],
            "$defs": {"one": {"enum": ["a", "b"]}},
        });
        assert_eq!(
            smallest(&schema, &schema, 0),
            json!({"say": "(dry run)(dr", "mark": "(dr", "list": ["a", "a"], "none": [], "n": 4, "yes": false})
        );
    }
}
