//! Every request of a dry run, in both languages. A change of a prompt shows here.

use std::fmt::Write as _;
use std::sync::Arc;

use jiff::civil::date;
use nyaya_agents::Case;
use nyaya_agents::chat::ChatModel;
use nyaya_agents::chat::dry::Dry;
use nyaya_agents::event::Body;
use nyaya_agents::protocols::agentsbench::{MemoryUse, Personas};
use nyaya_agents::run::{Parts, Place, Run, RunConfig};
use nyaya_agents::session::Models;

use crate::world::*;

async fn dry(case: &Case) -> String {
    let stage = Stage::new();
    let model: Arc<dyn ChatModel> = Arc::new(Dry);
    let parts = Parts {
        models: Models::new(model),
        retriever: Arc::clone(&stage.kb) as _,
        catalogue: catalogue(),
        today: date(2026, 1, 1),
    };
    let config = RunConfig {
        rag: vec!["judges".to_owned()],
        k: 1,
        ..court(|o| {
            o.rounds = 1;
            o.personas = Personas::Written;
            o.memory = MemoryUse::Write;
        })
    };
    let place = Place::Folder(stage.folder.path().to_owned());
    let run = Run::open(&config, std::slice::from_ref(case), parts, &place).unwrap();
    run.trial(case, 0, Arc::new(())).await.unwrap();
    let mut text = String::new();
    let mut last: Vec<String> = Vec::new();
    for event in stage.events(case) {
        let Body::ModelCall { request, .. } = event.body else { continue };
        let _ = writeln!(
            text,
            "#### {} {}: at most {} tokens",
            event.step, event.actor.agent, request.max_tokens
        );
        // What stands in the request before already is told by the number of its lines.
        let lines: Vec<String> = request
            .messages
            .iter()
            .flat_map(|m| {
                std::iter::once(format!("<{:?}>", m.role)).chain(m.content.lines().map(str::to_owned))
            })
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
    insta::assert_snapshot!(dry(&case()).await);
}

#[tokio::test]
async fn a_dry_run_in_chinese() {
    let mut chinese = case();
    chinese.language = "zh".to_owned();
    chinese.facts = "奥拉从架上取走渔网，留用九日。".to_owned();
    if let nyaya_agents::case::Matter::Sentence { accusation, articles } = &mut chinese.matter {
        *accusation = "取网".to_owned();
        articles[0].text = "从晾架取走渔网据为己有的，处罚。".to_owned();
    }
    insta::assert_snapshot!(dry(&chinese).await);
}
