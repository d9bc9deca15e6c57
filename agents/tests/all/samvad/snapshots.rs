//! Every request of a dry run, in both languages. A change of a prompt shows here.

use std::sync::Arc;

use nyaya_agents::Case;
use nyaya_agents::run::RunConfig;

use super::world::{Listing, Scripted, Stage, case, court};

/// Short words that fit the schema.
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

async fn dry(case: &Case, words: &'static str) -> String {
    let stage = Stage::new();
    let model = Arc::new(Scripted::new(move |request, _| {
        fill(&request.schema.as_ref().unwrap().schema, words).to_string()
    }));
    let options = RunConfig {
        k: 2,
        ..court(|o| {
            o.adjudicators = 2;
            o.rounds = 1;
            o.min_rounds = 1;
        })
    };
    stage.hold(&options, case, &model).await.unwrap();
    let secret = stage.secret();
    let mut listing = Listing::default();
    for (i, request) in model.requests.lock().unwrap().iter().enumerate() {
        listing.add(&format!("call {i}"), request, |line| line.replace(&secret, "SECRET"));
    }
    listing.text
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
