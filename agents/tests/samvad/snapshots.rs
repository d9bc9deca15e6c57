//! Every request of a dry run, in both languages. A change of a prompt shows here.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use jiff::civil::date;
use nyaya_agents::Case;
use nyaya_agents::chat::{ChatError, ChatModel, ChatReply, ChatRequest, Message, Usage};
use nyaya_agents::run::{Parts, Place, Run, RunConfig};
use nyaya_agents::session::Models;

use crate::world::{Kb, Stage, case, catalogue, court};

/// Answers with short words that fit any schema.
struct Dry {
    words: &'static str,
    requests: Mutex<Vec<ChatRequest>>,
}

fn fill(schema: &serde_json::Value, words: &str) -> serde_json::Value {
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().unwrap();
            properties
                .iter()
                .map(|(k, v)| (k.clone(), fill(v, words)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        Some("array") if schema.get("minItems").is_some() => {
            serde_json::json!([fill(&schema["items"], words)])
        }
        Some("array") => serde_json::json!(["xx/harbour-act#s2"]),
        _ => schema.get("enum").map_or_else(|| words.into(), |list| list[0].clone()),
    }
}

#[async_trait]
impl ChatModel for Dry {
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ChatError> {
        self.requests.lock().unwrap().push(request.clone());
        Ok(ChatReply {
            content: fill(&request.schema.as_ref().unwrap().schema, self.words).to_string(),
            reasoning: None,
            finish_reason: "stop".to_owned(),
            model: "dry".to_owned(),
            usage: Usage::default(),
            latency_ms: 0,
            attempts: 1,
        })
    }

    fn name(&self) -> String {
        "dry".to_owned()
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

async fn dry(case: &Case, words: &'static str) -> String {
    let stage = Stage::new();
    let model = Arc::new(Dry { words, requests: Mutex::default() });
    let dynamic: Arc<dyn ChatModel> = Arc::clone(&model) as _;
    let parts = Parts {
        models: Models::new(dynamic),
        retriever: Arc::new(Kb::new()),
        catalogue: catalogue(),
        today: date(2026, 1, 1),
    };
    let options = RunConfig {
        k: 2,
        ..court(|o| {
            o.adjudicators = 2;
            o.rounds = 1;
            o.min_rounds = 1;
        })
    };
    let run = Run::open(
        &options,
        std::slice::from_ref(case),
        parts,
        &Place::Folder(stage.folder.path().to_owned()),
    )
    .unwrap();
    run.trial(case, 0, Arc::new(())).await.unwrap();
    let mut text = String::new();
    let mut last: Vec<String> = Vec::new();
    for (i, request) in model.requests.lock().unwrap().iter().enumerate() {
        let _ = writeln!(text, "#### call {i}: at most {} tokens", request.max_tokens);
        // What stands in the request before already is told by the number of its lines.
        let lines: Vec<String> = request
            .messages
            .iter()
            .flat_map(|m| {
                std::iter::once(format!("<{:?}>", m.role)).chain(m.content.lines().map(str::to_owned))
            })
            .map(|l| l.replace(&run.record().fence_secret, "SECRET"))
            .collect();
        let same = lines.iter().zip(&last).take_while(|(a, b)| a == b).count();
        if same > 0 {
            let _ = writeln!(text, "(the first {same} lines as before)");
        }
        for line in &lines[same..] {
            let _ = writeln!(text, "{line}");
        }
        text.push('\n');
        last = lines;
    }
    text
}

#[tokio::test]
async fn a_dry_run_in_english() {
    insta::assert_snapshot!(dry(&case(), "Words.").await);
}

#[tokio::test]
async fn a_dry_run_in_chinese() {
    let mut chinese = case();
    chinese.language = "zh".to_owned();
    chinese.title = "港口诉奥斯卡案".to_owned();
    chinese.facts = "奥斯卡清洗蓝色小艇时拔掉了艇塞，小艇沉没。".to_owned();
    chinese.charges[0].note = "弄沉蓝色小艇".to_owned();
    chinese.evidence[0].text = "艇塞放在码头上。".to_owned();
    insta::assert_snapshot!(dry(&chinese, "陈述。").await);
}
