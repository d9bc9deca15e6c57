//! Every request of a dry run, in both languages. A change of a prompt shows here.

use std::sync::Arc;

use nyaya_agents::Case;
use nyaya_agents::chat::dry::Dry;
use nyaya_agents::event::Body;
use nyaya_agents::protocols::agentsbench::{MemoryUse, Personas};
use nyaya_agents::run::RunConfig;

use super::world::*;

async fn dry(case: &Case) -> String {
    let stage = Stage::new();
    let config = RunConfig {
        rag: vec!["judges".to_owned()],
        k: 1,
        ..court(|o| {
            o.rounds = 1;
            o.personas = Personas::Written;
            o.memory = MemoryUse::Write;
        })
    };
    stage.hold(&config, case, &Arc::new(Dry)).await.unwrap();
    let mut listing = Listing::default();
    for event in stage.events(case) {
        if let Body::ModelCall { request, .. } = &event.body {
            listing.add(&format!("{} {}", event.step, event.actor.agent), request, |line| line);
        }
    }
    listing.text
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
