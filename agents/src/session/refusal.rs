//! Whether a reply declines the task.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::chat::ChatReply;
use crate::read::read_json;

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by the tests of this module")]
static REFUSAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^[\s\W]*(?:
            (?:i['’]?m|i\ am)\ (?:really\ |very\ |so\ )?sorry | sorry,\ (?:but\ )?i | i\ (?:must\ )?apologi[sz]e,?\ but
          | as\ an\ (?:ai|artificial)\b
          | i\ (?:can\s?not|can['’]?t|won['’]?t|will\ not|must\ decline\ to|(?:am|['’]m)\ (?:un|not\ )able\ to|do\ not\ feel\ able\ to)\ (?:in\ good\ conscience\ )?
            (?:assist|help|argue|comply|take\ part|participate|engage|fulfil|generate|create|write|produce|provide|role-?play|answer|respond|do\ (?:that|this)|continue)
          | i['’]m\ (?:un|not\ )able\ to\ (?:assist|help|argue|comply|take\ part|participate|provide|generate|answer)
          | (?:很|非常|十分)?(?:抱歉|对不起)[，,。!！]
          | 作为(?:一个|一名)?(?:ai|人工智能|语言模型)
          | 我(?:不能|无法|不可以|拒绝)(?:协助|帮助|提供|参与|回答|扮演|完成|继续|为此|撰写|生成|就此)
        )",
    )
    .expect("a constant pattern")
});

/// Whether a reply declines the task. Words inside a structured reply count as well as bare ones.
pub(super) fn is_refusal(reply: &ChatReply, readable: bool) -> bool {
    if reply.finish_reason == "content_filter" {
        return true;
    }
    let text = said(&reply.content);
    // A long structured statement that begins so argues; it does not decline.
    let short = text.chars().count() < 400;
    REFUSAL.is_match(&text) && (!readable || short)
}

/// The longest words of a structured reply, or the reply itself.
pub(super) fn said(content: &str) -> String {
    fn longest(value: &Value) -> Option<String> {
        match value {
            Value::String(s) => Some(s.clone()),
            Value::Array(list) => list.iter().filter_map(longest).max_by_key(String::len),
            Value::Object(map) => map.values().filter_map(longest).max_by_key(String::len),
            _ => None,
        }
    }
    read_json::<Value>(content).value.as_ref().and_then(longest).unwrap_or_else(|| content.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(content: &str) -> ChatReply {
        ChatReply {
            content: content.to_owned(),
            reasoning: None,
            finish_reason: "stop".to_owned(),
            model: "m".to_owned(),
            usage: crate::chat::Usage::default(),
            latency_ms: 0,
            attempts: 1,
        }
    }

    #[test]
    fn refusals_are_told_from_arguments() {
        for text in [
            "I'm sorry, but I can't argue for the prosecution.",
            "I cannot assist with that.",
            "I can’t help with this request",
            "As an AI language model, I do not take sides.",
            "{\"statement\":\"I am unable to take part in this.\",\"cites\":[]}",
            "抱歉，我无法为被告人辩护。",
            "作为人工智能，我不能参与审判。",
            "{\"statement\":\"对不起，我不能协助。\"}",
        ] {
            assert!(is_refusal(&reply(text), text.starts_with('{')), "{text}");
        }
        for text in [
            "{\"statement\":\"I cannot accept the defence's account of the blow.\"}",
            "{\"statement\":\"I am not able to see where the provocation lies.\"}",
            "{\"statement\":\"The accused said that he was sorry; I'm sorry is not a defence.\"}",
            "{\"statement\":\"我无法同意辩护人的意见。\"}",
            "{\"statement\":\"被告人到案后说对不起，不影响定罪。\"}",
        ] {
            assert!(!is_refusal(&reply(text), true), "{text}");
        }
    }
}
