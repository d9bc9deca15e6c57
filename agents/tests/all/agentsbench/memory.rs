//! What is remembered, by whom, and in which order.

use std::sync::Arc;

use nyaya_agents::event::Body;
use nyaya_agents::memory::{Entry, Memory};
use nyaya_agents::protocols::agentsbench::MemoryUse;
use nyaya_agents::run::RunConfig;
use nyaya_agents::runner;

use super::world::*;

fn given() -> Memory {
    let mut memory = Memory::default();
    for (kind, text) in [
        ("judge", "JUDGE-MEMORY net kept for days"),
        ("lay", "LAY-MEMORY a net is a living"),
        ("judge", "OTHER-MEMORY boats that sank"),
    ] {
        memory.add(Entry { kind: kind.to_owned(), text: text.to_owned() });
    }
    memory
}

fn config(uses: MemoryUse, memory: &Memory) -> RunConfig {
    let digest = memory.digest();
    court(|o| {
        o.rounds = 0;
        o.memory = uses;
        o.recall = 1;
        o.memory_digest = digest;
    })
}

#[tokio::test]
async fn each_kind_recalls_its_own_and_it_is_fenced() {
    let (stage, case) = (Stage::new(), case());
    let model = scripted(|t, q| play(t, q, |_, _| 7, |_| true));
    let run =
        remembering(&stage, &config(MemoryUse::Read, &given()), std::slice::from_ref(&case), &model, given());
    run.trial(&case, 0, Arc::new(())).await.unwrap();
    for request in model.requests.lock().unwrap().iter() {
        let text = all_text(request);
        let lay = turn(request).agent.starts_with("lay");
        assert_eq!(text.contains("LAY-MEMORY"), lay);
        assert_eq!(text.contains("JUDGE-MEMORY"), !lay);
        assert!(!text.contains("OTHER-MEMORY"), "only the most similar");
        let memory = text.split("=== BEGIN memory").nth(1).and_then(|t| t.split("=== END memory").next());
        assert!(memory.is_some_and(|m| m.contains("-MEMORY")), "inside a fence");
    }
    assert_eq!(model.asked("judge-1", "memory").len(), 0, "nothing is written");
    // Off, nothing is recalled even if there is a memory.
    let (stage, model) = (Stage::new(), scripted(|t, q| play(t, q, |_, _| 7, |_| true)));
    let off = config(MemoryUse::Off, &Memory::default());
    let run = remembering(&stage, &off, std::slice::from_ref(&case), &model, given());
    run.trial(&case, 0, Arc::new(())).await.unwrap();
    assert!(model.requests.lock().unwrap().iter().all(|r| !all_text(r).contains("-MEMORY")));
}

#[tokio::test]
async fn a_trial_adds_to_what_the_next_one_recalls() {
    let (stage, first) = (Stage::new(), case());
    let mut second = case();
    second.id = "the-second-net".to_owned();
    let cases = [first, second];
    let model = scripted(|t, q| play(t, q, |_, _| 7, |_| true));
    let config = config(MemoryUse::Write, &Memory::default());
    let run = Arc::new(remembering(&stage, &config, &cases, &model, Memory::default()));
    let report = runner::hold(&run, &cases, 1, &()).await;
    assert!(report.complete(), "{:?}", report.stopped);
    let recalled: Vec<(String, String)> = stage
        .events(&cases[1])
        .into_iter()
        .filter_map(|e| match e.body {
            Body::Memory { action, entries } if action == "recalled" => {
                Some((e.actor.agent, entries.join(" ")))
            }
            _ => None,
        })
        .collect();
    assert_eq!(recalled.len(), 3);
    assert!(recalled.iter().all(|(agent, text)| text.contains("PRIVATE-lay") == agent.starts_with("lay")));
    assert!(
        stage
            .events(&cases[0])
            .iter()
            .all(|e| !matches!(&e.body, Body::Memory { action, .. } if action == "recalled"))
    );
    let left = Memory::load(&run.save_memory().unwrap()).unwrap();
    assert_eq!(left.entries().iter().filter(|e| e.kind == "lay").count(), 1, "the same words are kept once");
    assert_eq!(left.entries().iter().filter(|e| e.kind == "judge").count(), 2);
    // Again, everything is read back, and the same is left.
    let asked = model.requests.lock().unwrap().len();
    let again = Arc::new(remembering(&stage, &config, &cases, &model, Memory::default()));
    assert!(runner::hold(&again, &cases, 1, &()).await.complete());
    assert_eq!(model.requests.lock().unwrap().len(), asked);
    assert_eq!(Memory::load(&again.save_memory().unwrap()).unwrap(), left);
}
