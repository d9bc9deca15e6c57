//! Killed at any call, every court ends with the record of one that was not.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use nyaya_agents::Case;
use nyaya_agents::event::Body;
use nyaya_agents::protocols::{Court, lmad, simlaw, single};
use nyaya_agents::run::RunConfig;
use serde_json::json;

use super::world::*;

/// Answers by what it is asked, not by when, so that the order of arrival changes nothing.
fn model(hang: bool) -> Arc<Scripted> {
    let mut model = filling(|request, _, name, schema| {
        let text = all_text(request);
        let size = text.len() % 7;
        match name {
            "answer" => Some(json!(if size < 3 { "Y" } else { "N" })),
            "prediction" => Some(json!(if size < 3 { "YES" } else { "NO" })),
            "choice" => Some(schema["enum"][size % 2].clone()),
            _ if schema["type"] == "string" && schema.get("enum").is_none() => {
                Some(json!(format!("Words of {size}, {name}.")))
            }
            _ => None,
        }
    });
    model.concurrency = 3;
    model.hang = hang;
    Arc::new(model)
}

fn courts() -> Vec<(Court, Case)> {
    let simlaw = |change: fn(&mut simlaw::Options)| {
        let mut options = simlaw::Options::default();
        change(&mut options);
        Court::Simlaw(options)
    };
    let lmad =
        |rule| Court::Lmad(lmad::Options { agents: 4, rounds: Some(2), rule, ..lmad::Options::default() });
    let single = |match_tokens| {
        Court::Single(single::Options { method: single::Method::SelfConsistency, samples: 5, match_tokens })
    };
    vec![
        (simlaw(|_| ()), row(&["1", "0"])),
        (simlaw(|o| o.order = simlaw::Order::Both), row(&["1", "0"])),
        (lmad(lmad::Rule::Unanimity), pair("en")),
        (lmad(lmad::Rule::Vote), pair("en")),
        (single(None), row(&["1", "0"])),
        (single(Some(700)), pair("en")),
    ]
}

#[tokio::test]
async fn killed_at_every_call_the_record_is_the_same() {
    for (court, case) in courts() {
        let config = RunConfig::of(court);
        let (whole, calm) = (Stage::new(), model(false));
        whole.hold(&config, &case, &calm).await.unwrap();
        let expected = whole.comparable(&case);
        let calls = calm.begun.load(Ordering::SeqCst);
        assert!(calls >= 5, "{:?}: {calls}", config.court);
        for hang in [false, true] {
            for at in 0..calls {
                let (stage, first) = (Stage::new(), model(hang));
                first.die_at.store(at, Ordering::SeqCst);
                let run = stage.run(&config, &case, &first).unwrap();
                if hang {
                    let trial = run.trial(&case, 0, Arc::new(()));
                    tokio::select! {
                        _ = trial => panic!("call {at} should hang"),
                        () = first.died.notified() => {}
                    }
                } else {
                    run.trial(&case, 0, Arc::new(())).await.unwrap_err();
                }
                drop(run);
                let second = model(false);
                let outcome = stage.hold(&config, &case, &second).await.unwrap();
                assert!(stage.comparable(&case) == expected, "{:?} killed at {at}", config.court);
                let asked = first.answered.lock().unwrap().len() + second.answered.lock().unwrap().len();
                let most = if hang { calls + first.concurrency } else { calls };
                assert!((calls..=most).contains(&asked), "{:?} killed at {at}: {asked}", config.court);
                assert_eq!(outcome.counts.asked + outcome.counts.replayed, calls as u64);
            }
        }
        // A finished trial is only read.
        let again = model(false);
        let outcome = whole.hold(&config, &case, &again).await.unwrap();
        assert!(outcome.was_finished && again.begun.load(Ordering::SeqCst) == 0);
        let decisions = whole.events(&case).iter().filter(|e| matches!(e.body, Body::Decision(_))).count();
        assert_eq!(decisions, 1);
    }
}
