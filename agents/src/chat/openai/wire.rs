//! The wire format: what is sent, what comes back, and what an endpoint's refusals teach.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use crate::chat::{ChatReply, ChatRequest, Role, Usage};

/// How a schema is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum SchemaMode {
    /// `response_format: json_schema`.
    #[default]
    Schema,
    /// `response_format: json_object`, with the schema in words.
    Object,
    /// In words only.
    Words,
}

/// What is known about an endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Learned {
    mode: SchemaMode,
    no_system: bool,
    completion_tokens: bool,
    omit: BTreeSet<&'static str>,
}

/// What to do differently from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Adaptation {
    Mode(SchemaMode),
    NoSystem,
    CompletionTokens,
    Omit(&'static str),
}

impl fmt::Display for Adaptation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode(SchemaMode::Schema | SchemaMode::Object) => f.write_str(
                "no JSON schema there: asking for a JSON object and describing the schema in words",
            ),
            Self::Mode(SchemaMode::Words) => {
                f.write_str("no JSON mode there: describing the schema in words")
            }
            Self::NoSystem => {
                f.write_str("no system role there: instructions go before the first user message")
            }
            Self::CompletionTokens => f.write_str("the token limit is called max_completion_tokens there"),
            Self::Omit(name) => {
                write!(f, "`{name}` is refused there: left out, so the model's own default rules")
            }
        }
    }
}

impl Learned {
    pub(super) fn learn(&mut self, adaptation: Adaptation) {
        match adaptation {
            Adaptation::Mode(mode) => self.mode = self.mode.max(mode),
            Adaptation::NoSystem => self.no_system = true,
            Adaptation::CompletionTokens => self.completion_tokens = true,
            Adaptation::Omit(name) => {
                self.omit.insert(name);
            }
        }
    }

    /// What a refusal asks to be done differently, if it is such a refusal and that has not been done.
    pub(super) fn adaptation(&self, status: u16, message: &str) -> Option<Adaptation> {
        // llama.cpp answers 500 when the chat template itself raises an error.
        if !matches!(status, 400 | 404 | 415 | 422 | 500 | 501) {
            return None;
        }
        let message = message.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|w| message.contains(w));
        let refuses = says(&[
            "support",
            "not allowed",
            "invalid",
            "unknown",
            "unrecognized",
            "unexpected",
            "not permitted",
            "not implemented",
            "unavailable",
            "must be",
            "only",
            "extra",
        ]);
        if says(&[
            "response_format",
            "json_schema",
            "json schema",
            "json_object",
            "structured output",
            "grammar",
            "guided",
        ]) && refuses
        {
            return match self.mode {
                SchemaMode::Schema => Some(Adaptation::Mode(SchemaMode::Object)),
                SchemaMode::Object => Some(Adaptation::Mode(SchemaMode::Words)),
                SchemaMode::Words => None,
            };
        }
        if !self.no_system
            && (says(&[
                "system role",
                "role system",
                "role 'system'",
                "role \"system\"",
                "role: system",
                "'system' role",
                "\"system\" role",
                "system message",
                "system prompt",
                "developer instruction",
            ]) || says(&["roles must alternate"]))
            && (refuses || says(&["alternate"]))
        {
            return Some(Adaptation::NoSystem);
        }
        if !self.completion_tokens && says(&["max_completion_tokens"]) {
            return Some(Adaptation::CompletionTokens);
        }
        ["temperature", "top_p", "seed"]
            .into_iter()
            .find(|name| refuses && says(&[name]) && !self.omit.contains(name))
            .map(Adaptation::Omit)
    }
}

/// The body of a request.
pub(super) fn body(request: &ChatRequest, model: &str, learned: &Learned) -> Value {
    let mut messages: Vec<(Role, String)> =
        request.messages.iter().map(|m| (m.role, m.content.clone())).collect();
    if let Some(schema) = &request.schema
        && learned.mode != SchemaMode::Schema
    {
        let words = format!(
            "Reply with one JSON object and nothing else: no words before or after it, no code fence. It must be valid \
             against this JSON schema:\n{}",
            schema.schema
        );
        match messages.iter_mut().find(|(role, _)| *role == Role::System) {
            Some((_, text)) => {
                text.push_str("\n\n");
                text.push_str(&words);
            }
            None => messages.insert(0, (Role::System, words)),
        }
    }
    if learned.no_system {
        let system: Vec<String> =
            messages.iter().filter(|(role, _)| *role == Role::System).map(|(_, text)| text.clone()).collect();
        messages.retain(|(role, _)| *role != Role::System);
        if !system.is_empty() {
            let system = system.join("\n\n");
            match messages.first_mut() {
                Some((Role::User, text)) => *text = format!("{system}\n\n{text}"),
                _ => messages.insert(0, (Role::User, system)),
            }
        }
    }
    let messages: Vec<Value> =
        messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect();
    let mut fields = serde_json::Map::new();
    fields.insert("model".to_owned(), json!(model));
    fields.insert("messages".to_owned(), Value::Array(messages));
    let limit = if learned.completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    fields.insert(limit.to_owned(), json!(request.max_tokens));
    // Through text, so that 0.7 is sent as 0.7 and not as its nearest double.
    let mut number = |name: &str, value: f32| {
        if !learned.omit.contains(name) {
            let value = serde_json::from_str::<Value>(&value.to_string()).unwrap_or_else(|_| json!(value));
            fields.insert(name.to_owned(), value);
        }
    };
    number("temperature", request.temperature);
    number("top_p", request.top_p);
    if let Some(seed) = request.seed
        && !learned.omit.contains("seed")
    {
        // Many servers keep seeds in a signed 64-bit, some in JavaScript's 53 bits.
        fields.insert("seed".to_owned(), json!(seed & ((1 << 53) - 1)));
    }
    fields.insert("stream".to_owned(), json!(false));
    if let Some(schema) = &request.schema {
        let format = match learned.mode {
            SchemaMode::Schema => Some(json!({
                "type": "json_schema",
                "json_schema": {
                    "name": schema.name,
                    "strict": is_closed(&schema.schema),
                    "schema": schema.schema,
                },
            })),
            SchemaMode::Object => Some(json!({ "type": "json_object" })),
            SchemaMode::Words => None,
        };
        if let Some(format) = format {
            fields.insert("response_format".to_owned(), format);
        }
    }
    Value::Object(fields)
}

/// Whether every object of a schema names all its fields and requires them: only such schemas can be asked for strictly.
fn is_closed(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            let own = match fields.get("properties") {
                Some(Value::Object(properties)) => {
                    let required = fields.get("required").and_then(Value::as_array);
                    fields.get("additionalProperties") == Some(&Value::Bool(false))
                        && properties.keys().all(|k| {
                            required.is_some_and(|r| r.iter().any(|name| name.as_str() == Some(k.as_str())))
                        })
                }
                _ => true,
            };
            own && fields.values().all(is_closed)
        }
        Value::Array(items) => items.iter().all(is_closed),
        _ => true,
    }
}

/// What a body with a success status turned out to be.
pub(super) enum Parsed {
    Reply(ChatReply),
    Error { status: u16 },
    Nonsense(String),
}

pub(super) fn parse(text: &str, asked: &str) -> Parsed {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) if text.trim().is_empty() => return Parsed::Nonsense("an empty body".to_owned()),
        Err(e) => return Parsed::Nonsense(format!("no JSON ({e})")),
    };
    let choice = value.get("choices").and_then(|c| c.get(0));
    let Some(message) = choice.and_then(|c| c.get("message")).filter(|m| m.is_object()) else {
        if let Some(error) = value.get("error").filter(|e| !e.is_null()) {
            let code = error.get("code").or_else(|| error.get("status")).and_then(Value::as_u64);
            return Parsed::Error {
                status: code.and_then(|c| u16::try_from(c).ok()).filter(|c| *c >= 400).unwrap_or(500),
            };
        }
        return Parsed::Nonsense("no `choices[0].message`".to_owned());
    };
    let words = |name: &str| message.get(name).map(text_of).filter(|t| !t.is_empty());
    // A refusal comes in a field of its own, with null content.
    let content = words("content").or_else(|| words("refusal")).unwrap_or_default();
    let reasoning = words("reasoning_content").or_else(|| words("reasoning"));
    let string = |v: Option<&Value>| v.and_then(Value::as_str).filter(|s| !s.is_empty()).map(str::to_owned);
    let tokens = |name: &str| value.get("usage").and_then(|u| u.get(name)).and_then(Value::as_u64);
    Parsed::Reply(ChatReply {
        content,
        reasoning,
        finish_reason: string(choice.and_then(|c| c.get("finish_reason")))
            .unwrap_or_else(|| "unknown".to_owned()),
        model: string(value.get("model")).unwrap_or_else(|| asked.to_owned()),
        usage: Usage {
            prompt_tokens: tokens("prompt_tokens"),
            completion_tokens: tokens("completion_tokens"),
        },
        latency_ms: 0,
        attempts: 0,
    })
}

/// Text that is a string, a list of parts, or null.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|p| p.as_str().or_else(|| p.get("text").and_then(Value::as_str)))
            .collect::<Vec<_>>()
            .concat(),
        _ => String::new(),
    }
}

/// The message in the body of a refusal.
pub(super) fn error_message(body: &str) -> String {
    let parsed = serde_json::from_str::<Value>(body).ok();
    let found = parsed.as_ref().map(|v| {
        let error = v.get("error").unwrap_or(v);
        let message = error.get("message").or_else(|| error.get("detail")).unwrap_or(error);
        let code = error.get("code").and_then(Value::as_str);
        let text = message.as_str().map_or_else(|| message.to_string(), str::to_owned);
        code.map_or_else(|| text.clone(), |c| format!("{text} ({c})"))
    });
    excerpt(&found.unwrap_or_else(|| body.to_owned()))
}

/// The start of a text on one line.
pub(super) fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().filter(|c| !c.is_control()).take(300).collect();
    if short.chars().count() < line.chars().count() {
        short.push('…');
    }
    if short.is_empty() { "(nothing)".to_owned() } else { short }
}

pub(super) fn is_context_length(status: u16, message: &str) -> bool {
    let message = message.to_lowercase();
    matches!(status, 400 | 413 | 422 | 500)
        && [
            "context length",
            "context_length",
            "context window",
            "context size",
            "maximum context",
            "prompt is too long",
            "prompt too long",
            "input is too long",
            "too many tokens",
            "exceed_context",
            "exceeds the available context",
            "maximum number of tokens",
        ]
        .iter()
        .any(|w| message.contains(w))
}

/// What to do about a status.
pub(super) fn hint(status: u16) -> String {
    match status {
        300..=399 => "the endpoint redirects to another host, which is not followed: give the final address to --llm",
        401 | 403 => "check the API key; it is read from the environment",
        402 => "the account has no credit left",
        404 => "check the model's name (--model) and the base address (--llm), which usually ends in /v1",
        408 | 504 => "the model behind the endpoint is slow: lower the concurrency",
        429 => "too many requests or no quota left: lower the concurrency, or run the same command again later; nothing is lost",
        500..=599 => "the server failed: see its log, then run the same command again; nothing is lost",
        _ => "the endpoint does not take this request: see its message",
    }
    .to_owned()
}

/// How long the endpoint asks to wait: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).map(str::trim);
    if let Some(ms) = text("retry-after-ms").and_then(|t| t.parse::<u64>().ok()) {
        return Some(Duration::from_millis(ms));
    }
    let value = text("retry-after")?;
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
    let wait = until.duration_since(jiff::Timestamp::now());
    Some(Duration::try_from(wait).unwrap_or(Duration::ZERO))
}
