//! What an endpoint says of its model's window when it refuses a conversation as too long.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::chat::Window;

/// Names of the window in an error's fields (llama.cpp), and in its words (vLLM, hosted models, Ollama).
const WINDOW_FIELDS: [&str; 3] = ["n_ctx", "max_model_len", "context_length"];
const PROMPT_FIELDS: [&str; 2] = ["n_prompt_tokens", "prompt_tokens"];

static WINDOW: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:maximum context length|context (?:length|window|size)(?: limit)?|max_model_len)(?:\s+of(?: only)?|\s+is(?: only)?|\s*[:=(])?\s*\(?(\d{2,8})\b",
    )
    .ok()
});
static PROMPT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix) (\d{2,8}) \s+ (?: input | prompt )? \s* tokens? (?: \s+ (?: in \s+ the \s+ (?: messages | prompt | input ) | from \s+ the \s+ input ) )
            | (?: messages | prompt | input ) \s+ (?: resulted \s+ in | contains | has | is ) \s+ (?: at \s+ least \s+ )? (\d{2,8}) \s+ (?: input | prompt )? \s* tokens
            | \( (\d{2,8}) \s+ in \s+ the \s+ messages
            | request \s+ \( (\d{2,8}) \s+ tokens \)",
    )
    .ok()
});

/// The window, and the tokens of the conversation, as the body of a refusal states them.
pub(super) fn stated(body: &str) -> Option<Window> {
    let parsed = serde_json::from_str::<Value>(body).ok();
    let field = |names: &[&str]| {
        let whole = parsed.as_ref()?;
        let error = whole.get("error").unwrap_or(whole);
        let number = names.iter().find_map(|n| error.get(n).or_else(|| whole.get(n))?.as_u64());
        number.and_then(|n| usize::try_from(n).ok())
    };
    let words = |pattern: &Option<Regex>| {
        let found = pattern.as_ref()?.captures(body)?;
        found.iter().skip(1).flatten().next()?.as_str().parse().ok()
    };
    let tokens = field(&WINDOW_FIELDS).or_else(|| words(&WINDOW)).filter(|n| *n > 0)?;
    Some(Window { tokens, conversation: field(&PROMPT_FIELDS).or_else(|| words(&PROMPT)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_say_of_their_window_is_read() {
        let message = |text: &str| serde_json::json!({"error": {"message": text, "code": 400}}).to_string();
        let of = |tokens, conversation| Some(Window { tokens, conversation });
        for (body, right) in [
            (
                message(
                    "This model's maximum context length is 4096 tokens. However, you requested 5021 tokens (3021 in the messages, 2000 in the completion).",
                ),
                of(4096, Some(3021)),
            ),
            (
                message(
                    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
                ),
                of(8192, Some(9001)),
            ),
            (
                message(
                    "This model's maximum context length is 2048 tokens. However, you requested 512 output tokens and your prompt contains at least 1537 input tokens, for a total of at least 2049 tokens.",
                ),
                of(2048, Some(1537)),
            ),
            (
                message("the request exceeds the available context size (4096). try increasing it"),
                of(4096, None),
            ),
            (
                message("request (5010 tokens) exceeds the available context size (4096 tokens)"),
                of(4096, Some(5010)),
            ),
            (
                serde_json::json!({"error": {"message": "too long", "n_ctx": 4096, "n_prompt_tokens": 6000}})
                    .to_string(),
                of(4096, Some(6000)),
            ),
            (message("prompt is too long"), None),
            ("413 Payload Too Large".to_owned(), None),
        ] {
            assert_eq!(stated(&body), right, "{body}");
        }
    }
}
