//! AgenticSimLaw: order and number of calls, who sees what, and what each option does.

use std::sync::Arc;

use nyaya_agents::chat::ChatRequest;
use nyaya_agents::event::{Body, Decision};
use nyaya_agents::protocols::{Court, simlaw};
use nyaya_agents::run::RunConfig;
use serde_json::{Value, json};

use super::world::*;

pub fn court(change: impl FnOnce(&mut simlaw::Options)) -> Court {
    let mut options = simlaw::Options::default();
    change(&mut options);
    Court::Simlaw(options)
}

fn plain() -> Scripted {
    filling(|_, _, _, _| None)
}

/// The judge says this label and confidence, by request.
fn judging(says: impl Fn(&ChatRequest) -> (&'static str, u32) + Send + Sync + 'static) -> Scripted {
    filling(move |request, _, name, _| {
        let (label, confidence) = says(request);
        match name {
            "prediction" => Some(json!(label)),
            "confidence" => Some(json!(confidence)),
            _ => None,
        }
    })
}

#[tokio::test]
async fn seven_turns_in_sixteen_calls() {
    let (decision, events) = decide(court(|_| ()), &row(&["1", "0"]), plain()).await;
    let order: Vec<(String, String, String)> =
        calls(&events).into_iter().map(|c| (c.agent, c.step, c.form)).collect();
    let mut expected = Vec::new();
    for step in ["opening", "rebuttal", "closing"] {
        for side in ["prosecution", "defence"] {
            expected.push((side.to_owned(), format!("{step}-plan"), "plan".to_owned()));
            expected.push((side.to_owned(), step.to_owned(), "statement".to_owned()));
        }
        expected.push(("judge".to_owned(), format!("after-{step}"), "belief".to_owned()));
    }
    expected.push(("judge".to_owned(), "verdict".to_owned(), "verdict".to_owned()));
    assert_eq!(order, expected);
    assert_eq!(order.len(), 16);
    assert_eq!(label(&decision), (Some("1"), "decided"));
    let Decision::Label { confidence, rounds, .. } = decision else { panic!() };
    assert_eq!((confidence, rounds), (Some(0.8), 7));
    let of = |f: fn(&Body) -> bool| events.iter().filter(|e| f(&e.body)).count();
    assert_eq!(of(|b| matches!(b, Body::Public(_))), 6);
    assert_eq!(of(|b| matches!(b, Body::Plan { .. })), 6);
    assert_eq!(of(|b| matches!(b, Body::Belief { .. })), 4);
    assert_eq!(of(|b| matches!(b, Body::Decision(_))), 1);
}

#[tokio::test]
async fn plans_and_beliefs_are_their_own_and_statements_everybodys() {
    for variant in [simlaw::Variant::Adversarial, simlaw::Variant::Cooperative] {
        let (_, events) = decide(court(|o| o.variant = variant), &row(&["1", "0"]), plain()).await;
        let calls = calls(&events);
        let place = |call: &Call| calls.iter().position(|c| c.own == call.own).unwrap();
        check_sight(&calls, |other, this| {
            place(other) < place(this) && (other.form == "statement" || other.agent == this.agent)
        });
        for call in &calls {
            assert!(call.text.contains("FACTS-7") && !call.text.contains("GOLD-LABEL"));
            let says = call.text.contains("You speak for ");
            assert_eq!(says, variant == simlaw::Variant::Adversarial && call.agent != "judge");
        }
    }
}

#[tokio::test]
async fn plan_and_statement_are_never_one_reply() {
    let (_, events) = decide(court(|_| ()), &row(&["1", "0"]), plain()).await;
    for event in &events {
        let Body::ModelCall { request, .. } = &event.body else { continue };
        let schema = &request.schema.as_ref().unwrap().schema["properties"];
        assert!(schema.get("statement").is_none() || schema.get("plan").is_none());
        if event.step.ends_with("-plan") {
            for field in ["reflection", "critique", "plan"] {
                assert!(schema.get(field).is_some(), "{field}");
            }
        }
    }
}

#[tokio::test]
async fn the_judge_alone_hears_of_the_base_rate() {
    for told in [true, false] {
        let mut case = row(&["1", "0"]);
        if let nyaya_agents::case::Matter::Row { base_rate, .. } = &mut case.matter
            && told
        {
            "45.5".clone_into(base_rate);
        }
        let (_, events) = decide(court(|_| ()), &case, plain()).await;
        for call in calls(&events) {
            assert_eq!(call.text.contains("45.5"), told && call.agent == "judge", "{}", call.step);
            assert_eq!(
                call.text.contains("what speaks for YES, and what for NO"),
                told && call.agent == "judge"
            );
        }
    }
}

#[tokio::test]
async fn the_order_is_fixed_or_the_seeds_or_both() {
    let first = |events: &[nyaya_agents::event::Event]| calls(events)[0].agent.clone();
    let (_, events) = decide(court(|o| o.order = simlaw::Order::Defence), &row(&["1", "0"]), plain()).await;
    assert_eq!(first(&events), "defence");
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..12 {
        let (stage, case) = (Stage::new(), row(&["1", "0"]));
        let config = RunConfig { seed, ..RunConfig::of(court(|o| o.order = simlaw::Order::Random)) };
        stage.hold(&config, &case, &Arc::new(plain())).await.unwrap();
        seen.insert(first(&stage.events(&case)));
    }
    assert_eq!(seen.len(), 2, "both sides open for some seed");

    let both = || court(|o| o.order = simlaw::Order::Both);
    let (decision, events) = decide(both(), &row(&["1", "0"]), plain()).await;
    assert_eq!(calls(&events).len(), 32);
    assert_eq!(label(&decision), (Some("1"), "decided"));
    // Neither debate hears of the other.
    let calls = calls(&events);
    let debate = |c: &Call| c.step.split('/').next().unwrap().to_owned();
    let place = |call: &Call| calls.iter().position(|c| c.own == call.own).unwrap();
    check_sight(&calls, |other, this| {
        debate(other) == debate(this)
            && place(other) < place(this)
            && (other.form == "statement" || other.agent == this.agent)
    });
    // Whoever opens wins: the label depends on the order.
    let model = judging(|r| {
        let text = all_text(r);
        let (p, d) = (text.find("] prosecution:"), text.find("] defence:"));
        (if p < d { "YES" } else { "NO" }, 90)
    });
    let (decision, _) = decide(both(), &row(&["1", "0"]), model).await;
    assert_eq!(label(&decision), (None, "order_flip"));
    assert_eq!(for_a_human(&decision), ["the label depends on who opens"]);
}

#[tokio::test]
async fn a_weak_verdict_is_marked_and_an_unreadable_one_decides_nothing() {
    for (confidence, below, marked) in [(59, 0.6, true), (60, 0.6, false), (59, 0.5, false)] {
        let (decision, _) = decide(
            court(|o| o.review_below = below),
            &row(&["1", "0"]),
            judging(move |_| ("NO", confidence)),
        )
        .await;
        assert_eq!(label(&decision), (Some("0"), "decided"));
        let why = for_a_human(&decision);
        assert_eq!(!why.is_empty(), marked, "{confidence} {below}");
        assert!(why.iter().all(|w| w.contains("rhetorical and not a probability")));
    }
    for (reply, outcome) in [
        ("Well, who can say.", (None, "no_decision")),
        ("Prediction: NO\nConfidence: 70", (Some("0"), "decided")),
        ("I'm sorry, but I can't help with judging people.", (None, "no_decision")),
        ("{\"prediction\":\"YES\",\"confidence\":150}", (None, "no_decision")),
    ] {
        let model =
            plain().with_raw(move |r, _| (r.schema.as_ref()?.name == "verdict").then(|| reply.to_owned()));
        let (decision, events) = decide(court(|_| ()), &row(&["1", "0"]), model).await;
        assert_eq!(label(&decision), outcome, "{reply}");
        let belief = events.iter().rev().find_map(|e| match &e.body {
            Body::Belief { label, stage, .. } => Some((label.clone(), stage.clone())),
            _ => None,
        });
        assert_eq!(belief.unwrap().0.as_deref(), outcome.0, "{reply}");
    }
}

#[tokio::test]
async fn the_control_asks_once_and_flips_by_chance() {
    let control = |rate| {
        court(move |o| {
            o.control = Some(simlaw::Control::RandomFlip);
            o.flip_rate = Some(rate);
        })
    };
    let (decision, events) = decide(control(0.0), &row(&["1", "0"]), plain()).await;
    assert_eq!(label(&decision), (Some("1"), "decided"));
    assert_eq!(calls(&events).len(), 1);
    assert!(calls(&events)[0].text.contains("Nobody has argued yet"));
    let (decision, events) = decide(control(1.0), &row(&["1", "0"]), plain()).await;
    assert_eq!(label(&decision).0, Some("0"), "three flips of three");
    assert_eq!(events.iter().filter(|e| matches!(e.body, Body::Discrepancy { .. })).count(), 3);
    // Over many cases the rate is met.
    let mut flips = 0;
    for seed in 0..200 {
        let (stage, case) = (Stage::new(), row(&["1", "0"]));
        let config = RunConfig { seed, ..RunConfig::of(control(0.3)) };
        stage.hold(&config, &case, &Arc::new(plain())).await.unwrap();
        flips += stage.events(&case).iter().filter(|e| matches!(e.body, Body::Discrepancy { .. })).count();
    }
    assert!((140..=220).contains(&flips), "{flips} of 600 at a rate of 0.3");
}

#[tokio::test]
async fn the_rate_of_flips_is_counted_from_records() {
    // YES, NO, NO, and the verdict YES: two turns at three points.
    let model = judging(|r| {
        let text = all_text(r);
        let verdict = r.schema.as_ref().unwrap().name == "verdict";
        (if verdict || !text.contains("[rebuttal]") { "YES" } else { "NO" }, 70)
    });
    let (_, events) = decide(court(|_| ()), &row(&["1", "0"]), model).await;
    let (_, calm) = decide(court(|_| ()), &row(&["1", "0"]), plain()).await;
    assert_eq!(simlaw::flip_rate(std::slice::from_ref(&events)), Some(2.0 / 3.0));
    assert_eq!(simlaw::flip_rate(&[events, calm]), Some(2.0 / 6.0));
    assert_eq!(simlaw::flip_rate(&[]), None);
}

fn asked_for(request: &ChatRequest, class: &str) -> bool {
    all_text(request).contains(&format!("\"{class}\" apply (YES)"))
}

#[tokio::test]
async fn more_than_two_classes_against_the_rest() {
    let case = row(&["red", "green", "blue"]);
    let model = judging(|r| if asked_for(r, "green") { ("YES", 70) } else { ("NO", 90) });
    let (decision, events) = decide(court(|_| ()), &case, model).await;
    assert_eq!(calls(&events).len(), 48);
    assert_eq!(label(&decision), (Some("green"), "decided"));
    assert!(for_a_human(&decision).is_empty());
    let model = judging(|r| if asked_for(r, "red") { ("YES", 80) } else { ("YES", 70) });
    let (decision, _) = decide(court(|_| ()), &case, model).await;
    assert_eq!(label(&decision), (Some("red"), "decided"));
    assert_eq!(for_a_human(&decision).len(), 1, "three classes applied");
    let (decision, _) = decide(court(|_| ()), &case, judging(|_| ("NO", 70))).await;
    assert_eq!(label(&decision), (None, "split"));
}

#[tokio::test]
async fn more_than_two_classes_in_a_bracket() {
    let case = row(&["red", "green", "blue", "grey", "black"]);
    let bracket = || court(|o| o.multiclass = simlaw::Multiclass::Bracket);
    let (decision, events) = decide(bracket(), &case, judging(|_| ("NO", 70))).await;
    // red-green, blue-grey, black free; green-grey, black free; grey-black.
    assert_eq!(calls(&events).len(), 4 * 16);
    assert_eq!(label(&decision), (Some("black"), "decided"));
    let (decision, _) = decide(bracket(), &case, judging(|_| ("YES", 70))).await;
    assert_eq!(label(&decision), (Some("red"), "decided"));
}

#[tokio::test]
async fn every_domain_has_its_personas() {
    for domain in simlaw::DOMAINS {
        let (_, events) =
            decide(court(|o| o.domain = (*domain).to_owned()), &row(&["1", "0"]), plain()).await;
        let personas: Vec<&str> = events
            .iter()
            .filter_map(|e| if let Body::Persona { text } = &e.body { Some(text.as_str()) } else { None })
            .collect();
        assert_eq!(personas.len(), 3, "{domain}");
        for call in calls(&events) {
            assert!(personas.iter().any(|p| call.text.contains(p)), "{domain} {}", call.step);
        }
    }
    for wrong in ["", "../x", "a b"] {
        let error =
            RunConfig::of(court(|o| wrong.clone_into(&mut o.domain))).check().unwrap_err().to_string();
        assert!(error.contains("hint: "), "{error}");
    }
}

#[tokio::test]
async fn a_refusal_to_argue_is_reframed_once_and_then_an_event() {
    let model = plain().with_raw(|r, _| {
        let opening = r.schema.as_ref()?.name == "statement" && all_text(r).contains("Give your opening");
        let prosecution = all_text(r).contains("counsel for the prosecution");
        (opening && prosecution).then(|| "I'm sorry, but I can't argue against this person.".to_owned())
    });
    let (_, events) = decide(court(|_| ()), &row(&["1", "0"]), model).await;
    let asked: Vec<Call> =
        calls(&events).into_iter().filter(|c| c.step == "opening" && c.agent == "prosecution").collect();
    assert_eq!(asked.len(), 2);
    assert!(asked[1].text.contains("bring out the evidence that speaks for each side"));
    assert_eq!(events.iter().filter(|e| matches!(e.body, Body::Refusal { mended: false, .. })).count(), 1);
    assert_eq!(events.iter().filter(|e| matches!(e.body, Body::Public(_))).count(), 5);
}

#[test]
fn other_cases_are_refused() {
    for case in [pair("en"), sentence()] {
        let error = court(|_| ()).accepts(&case).unwrap_err().to_string();
        assert!(error.contains("--table"), "{error}");
    }
    let value: Value = serde_json::to_value(court(|_| ())).unwrap();
    assert_eq!(value["protocol"], "simlaw");
}
