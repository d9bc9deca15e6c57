//! Every different prompt, in every language. A change of a prompt shows here.

use std::fmt::Write as _;
use std::sync::Arc;

use nyaya_agents::Case;
use nyaya_agents::case::{Matter, Shot, Shots};
use nyaya_agents::chat::Role;
use nyaya_agents::protocols::{Court, lmad, simlaw, single};
use nyaya_agents::run::RunConfig;
use serde_json::json;

use super::single::METHODS;
use super::world::*;

/// The requests of a trial whose replies are one word each.
async fn dry(court: Court, case: &Case) -> String {
    let stage = Stage::new();
    let model = Arc::new(filling(|request, _, name, schema| match name {
        "answer" => Some(json!(if all_text(request).contains("agent-2") { "N" } else { "Y" })),
        "agrees" => Some(json!(all_text(request).contains("agent-1"))),
        "choice" => Some(schema["enum"][usize::from(all_text(request).len().is_multiple_of(2))].clone()),
        _ if schema["type"] == "string" && schema.get("enum").is_none() => Some(json!(format!("⟨{name}⟩"))),
        _ => None,
    }));
    stage.hold(&RunConfig::of(court), case, &model).await.unwrap();
    let secret = stage.secret();
    let mut text = String::new();
    let calls = calls(&stage.events(case));
    let requests = model.requests.lock().unwrap();
    assert_eq!(requests.len(), calls.len());
    for (request, call) in requests.iter().zip(calls) {
        let form = request.schema.as_ref().map(|s| s.schema.to_string()).unwrap_or_default();
        writeln!(
            text,
            "######## {} at {}: {} tokens, temperature {}, form {form}",
            call.agent, call.step, request.max_tokens, request.temperature
        )
        .unwrap();
        if text.matches("---- system").count() == 0 {
            writeln!(text, "---- system\n{}", role_text(request, Role::System)).unwrap();
        }
        writeln!(text, "---- user\n{}\n", role_text(request, Role::User)).unwrap();
    }
    text.replace(&secret, "{fence}")
}

fn in_language(mut case: Case, language: &str) -> Case {
    language.clone_into(&mut case.language);
    case
}

#[tokio::test]
async fn simlaw() {
    for language in ["en", "zh"] {
        let mut case = in_language(row(&["1", "0"]), language);
        if let Matter::Row { base_rate, .. } = &mut case.matter {
            "45.5".clone_into(base_rate);
        }
        let text = dry(Court::Simlaw(simlaw::Options::default()), &case).await;
        insta::assert_snapshot!(format!("simlaw-{language}"), text);
        let cooperative =
            simlaw::Options { variant: simlaw::Variant::Cooperative, ..simlaw::Options::default() };
        let text = dry(Court::Simlaw(cooperative), &in_language(row(&["1", "0"]), language)).await;
        insta::assert_snapshot!(format!("simlaw-cooperative-{language}"), text);
    }
}

#[tokio::test]
async fn lmad() {
    for language in ["en", "zh", "ja"] {
        for rule in [lmad::Rule::Vote, lmad::Rule::Borda] {
            let options = lmad::Options { agents: 2, rounds: Some(2), rule, ..lmad::Options::default() };
            let text = dry(Court::Lmad(options), &pair(language)).await;
            insta::assert_snapshot!(format!("lmad-{}-{language}", format!("{rule:?}").to_lowercase()), text);
        }
    }
}

#[tokio::test]
async fn single() {
    let shot = Shot { id: "x".into(), question: "⟨example⟩".into(), answer: "⟨right answer⟩".into() };
    let shots = Some(Shots { by: "bm25".into(), list: vec![shot], dropped: 0, of: 1 });
    for language in ["en", "zh", "ja"] {
        let mut text = String::new();
        for method in METHODS {
            let options = single::Options { method, samples: 1, ..single::Options::default() };
            let mut cases = vec![pair(language)];
            if language != "ja" && matches!(method, single::Method::Standard | single::Method::Cot) {
                cases.extend([row(&["1", "0"]), row(&["red", "green", "blue"]), sentence()]);
            }
            for case in cases {
                let case = Case { shots: shots.clone(), ..in_language(case, language) };
                writeln!(text, "#### {method:?}").unwrap();
                text += &dry(Court::Single(options.clone()), &case).await;
            }
        }
        insta::assert_snapshot!(format!("single-{language}"), text);
    }
}
