//! L-MAD: who sees which rounds, when agents agree, how votes are counted.

use std::sync::Arc;

use nyaya_agents::chat::ChatRequest;
use nyaya_agents::event::{Body, Decision, Event};
use nyaya_agents::protocols::{Court, lmad};
use nyaya_agents::run::RunConfig;
use serde_json::{Value, json};

use super::world::*;

pub fn court(change: impl FnOnce(&mut lmad::Options)) -> Court {
    let mut options = lmad::Options { personas: lmad::Personas::Fixed, ..lmad::Options::default() };
    change(&mut options);
    Court::Lmad(options)
}

/// Number of the agent that is asked, by its own words in the prompt.
fn agent_of(request: &ChatRequest) -> usize {
    let text = &request.messages.last().unwrap().content;
    let at = text.rfind("You are agent-").unwrap_or_else(|| panic!("who? {text}")) + 14;
    text[at..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

fn round_of(request: &ChatRequest) -> usize {
    let text = &request.messages.last().unwrap().content;
    text.rfind("This is round ").map_or(1, |i| {
        text[i + 14..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
    })
}

fn leading(request: &ChatRequest) -> Option<&'static str> {
    let text = all_text(request);
    ["Y", "N"].into_iter().find(|l| text.contains(&format!("Most agents answered {l}")))
}

/// Agents answer by number and round, and vote by number (`tie` is the second vote).
fn panel(
    answers: impl Fn(usize, usize) -> &'static str + Send + Sync + 'static,
    votes: impl Fn(usize, bool) -> Vec<usize> + Send + Sync + 'static,
) -> Scripted {
    filling(move |request, _, name, _| match name {
        "answer" => Some(json!(answers(agent_of(request), round_of(request)))),
        "agrees" => Some(json!(leading(request) == Some(answers(agent_of(request), round_of(request))))),
        "choice" | "order" => {
            let tie = all_text(request).contains("was tied");
            let names: Vec<String> =
                votes(agent_of(request), tie).iter().map(|n| format!("agent-{n}")).collect();
            Some(if name == "choice" { json!(names[0]) } else { json!(names) })
        }
        _ => None,
    })
}

fn by_answer(answers: impl Fn(usize, usize) -> &'static str + Send + Sync + 'static) -> Scripted {
    panel(answers, |n, _| vec![n])
}

fn tallies(events: &[Event], rule: &str) -> Vec<(Vec<(String, u32)>, bool)> {
    events
        .iter()
        .filter_map(|e| match &e.body {
            Body::Tally { rule: r, points, reached, .. } if r == rule => Some((points.clone(), *reached)),
            _ => None,
        })
        .collect()
}

fn rounds(decision: &Decision) -> u32 {
    match decision {
        Decision::Label { rounds, .. } => *rounds,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_agent_reads_the_last_two_rounds_and_never_its_own() {
    let split = |n: usize, _| if n == 1 { "Y" } else { "N" };
    let (stage, case) = (Stage::new(), pair("en"));
    let mut model = by_answer(split);
    model.concurrency = 4;
    let config = RunConfig::of(court(|o| {
        o.agents = 4;
        o.rounds = Some(5);
        o.rule = lmad::Rule::Unanimity;
    }));
    let outcome = stage.hold(&config, &case, &Arc::new(model)).await.unwrap();
    assert_eq!(label(outcome.decision.as_ref().unwrap()), (None, "no_consensus"));
    let calls = calls(&stage.events(&case));
    assert_eq!(calls.len(), 20, "four agents in five rounds");
    let round = |c: &Call| c.step.strip_prefix("round-").unwrap().parse::<u32>().unwrap();
    check_sight(&calls, |other, this| {
        let (o, t) = (round(other), round(this));
        o < t && o + 2 >= t
    });
    for call in &calls {
        assert!(call.text.contains("PREMISE-1") && call.text.contains("PREMISE-2"));
        assert!(!call.text.contains("GOLD-LABEL"));
        assert!(round(call) == 1 || call.text.contains("You have no side to take"), "neutral");
    }
}

#[tokio::test]
async fn consensus_by_every_rule() {
    use lmad::Rule::{Hybrid, Majority, Supermajority, Unanimity};
    // Of n agents, y say Y; rule; label; rounds held of at most three.
    for (n, y, rule, expected, held) in [
        (3, 2, Majority, Some("Y"), 1),
        (4, 2, Majority, None, 3),
        (3, 2, Supermajority, Some("Y"), 1),
        (5, 3, Supermajority, None, 3),
        (5, 1, Supermajority, Some("N"), 1),
        (3, 3, Unanimity, Some("Y"), 1),
        (3, 2, Unanimity, None, 3),
        (3, 2, Hybrid, Some("Y"), 3),
        (3, 3, Hybrid, Some("Y"), 1),
        (2, 1, Hybrid, None, 3),
        (5, 3, Hybrid, None, 3),
    ] {
        let model = by_answer(move |i, _| if i <= y { "Y" } else { "N" });
        let court = court(|o| {
            o.agents = n;
            o.rounds = Some(3);
            o.rule = rule;
        });
        let (decision, events) = decide(court, &pair("en"), model).await;
        let outcome = if expected.is_some() { "decided" } else { "no_consensus" };
        assert_eq!(label(&decision), (expected, outcome), "{n} {y} {rule:?}");
        assert_eq!(rounds(&decision), held, "{n} {y} {rule:?}");
        assert_eq!(for_a_human(&decision).is_empty(), expected.is_some());
        assert_eq!(tallies(&events, "agreement").len(), held as usize);
        assert_eq!(calls(&events).len(), (n * held) as usize);
    }
}

#[tokio::test]
async fn agents_that_say_nothing_count_among_all() {
    let model =
        by_answer(|_, _| "Y").with_raw(|r, _| (agent_of(r) > 2).then(|| "Hm, hard to say.".to_owned()));
    let court = court(|o| {
        o.agents = 4;
        o.rounds = Some(1);
        o.rule = lmad::Rule::Majority;
    });
    let (decision, events) = decide(court, &pair("en"), model).await;
    assert_eq!(label(&decision), (None, "no_consensus"), "two of four are no majority");
    assert!(for_a_human(&decision)[0].contains("no answer 2"));
    let unread = events.iter().filter(|e| matches!(&e.body, Body::Answer { label: None, .. })).count();
    assert_eq!(unread, 2);
}

#[tokio::test]
async fn agreement_is_a_field_and_must_fit_the_answer() {
    // Agent 3 says that it agrees, and answers otherwise; told so, it mends the field.
    let model = filling(|request, _, name, _| {
        let dissents = agent_of(request) == 3;
        match name {
            "answer" => Some(json!(if dissents { "N" } else { "Y" })),
            "agrees" => Some(json!(!dissents || !all_text(request).contains("must fit it"))),
            _ => None,
        }
    });
    let court = court(|o| o.rounds = Some(2));
    let (_, events) = decide(court, &pair("en"), model).await;
    let again: Vec<String> = calls(&events)
        .into_iter()
        .filter(|c| c.text.contains("must fit it"))
        .map(|c| format!("{} {}", c.agent, c.step))
        .collect();
    assert_eq!(again, ["agent-3 round-2"]);
    let agrees: Vec<Option<bool>> = events
        .iter()
        .filter_map(|e| if let Body::Answer { agrees, .. } = &e.body { Some(*agrees) } else { None })
        .collect();
    assert_eq!(agrees, [None, None, None, Some(true), Some(true), Some(false)]);
}

fn voting(rule: lmad::Rule) -> Court {
    court(|o| o.rule = rule)
}

#[tokio::test]
async fn a_vote_is_taken_after_three_rounds_on_answers_with_their_reasons() {
    let model = panel(|n, _| if n == 1 { "Y" } else { "N" }, |_, _| vec![1]);
    let (decision, events) = decide(voting(lmad::Rule::Vote), &pair("en"), model).await;
    assert_eq!(label(&decision), (Some("Y"), "decided"), "the votes count, not the answers");
    assert_eq!(rounds(&decision), 3);
    let calls = calls(&events);
    assert_eq!(calls.len(), 3 * 3 + 3);
    for vote in calls.iter().filter(|c| c.form == "vote") {
        let last: Vec<_> =
            calls.iter().filter(|c| c.step == "round-3").filter_map(|c| c.own.clone()).collect();
        assert_eq!(marks(&vote.text).into_iter().collect::<Vec<_>>().len(), 3);
        assert!(last.iter().all(|m| vote.text.contains(m)), "the reasons of the last round are shown");
        assert!(vote.text.contains("agent-1 answers Y") && vote.text.contains("agent-2 answers N"));
    }
    assert_eq!(tallies(&events, "votes"), [(vec![("Y".to_owned(), 3)], true)]);
}

#[tokio::test]
async fn unanimity_ends_a_vote_only_if_asked_for() {
    for (early, calls_made, held) in [(false, 12, 3), (true, 3, 1)] {
        let court = court(|o| {
            o.rule = lmad::Rule::Vote;
            o.early_stop = early;
        });
        let (decision, events) = decide(court, &pair("en"), by_answer(|_, _| "Y")).await;
        assert_eq!((label(&decision), rounds(&decision)), ((Some("Y"), "decided"), held));
        assert_eq!(calls(&events).len(), calls_made);
    }
}

#[tokio::test]
async fn a_tie_makes_one_more_round_and_one_more_vote() {
    let two = || {
        court(|o| {
            o.agents = 2;
            o.rule = lmad::Rule::Vote;
        })
    };
    let answers = |n: usize, _: usize| if n == 1 { "Y" } else { "N" };
    let (decision, events) =
        decide(two(), &pair("en"), panel(answers, |n, tie| vec![if tie { 2 } else { n }])).await;
    assert_eq!((label(&decision), rounds(&decision)), ((Some("N"), "decided"), 4));
    assert_eq!(calls(&events).len(), 2 * 3 + 2 + 2 + 2);
    let (decision, events) = decide(two(), &pair("en"), panel(answers, |n, _| vec![n])).await;
    assert_eq!((label(&decision), rounds(&decision)), ((None, "split"), 4));
    assert!(for_a_human(&decision)[0].contains("tied twice"));
    assert_eq!(calls(&events).iter().filter(|c| c.form == "vote").count(), 4);
}

#[tokio::test]
async fn ranks_are_counted_by_borda() {
    // Agents 1 and 2 say Y, 3 says N. Two rank 1 > 3 > 2, one ranks 3 > 2 > 1: 4, 1 and 4 points, a tie of labels.
    let answers = |n: usize, _: usize| if n == 3 { "N" } else { "Y" };
    let model = panel(answers, |n, tie| match (n, tie) {
        (3, false) => vec![3, 2, 1],
        (3, true) => vec![3, 1, 2],
        _ => vec![1, 3, 2],
    });
    let (decision, events) = decide(voting(lmad::Rule::Borda), &pair("en"), model).await;
    assert_eq!(label(&decision), (Some("Y"), "decided"));
    let name = |n: usize| format!("agent-{n}");
    let tallies = tallies(&events, "borda");
    assert_eq!(tallies[0], (vec![(name(1), 4), (name(2), 1), (name(3), 4)], false));
    // Whoever is always last has no points, and stands in the list.
    assert_eq!(tallies[1], (vec![(name(1), 5), (name(2), 0), (name(3), 4)], true));
}

#[tokio::test]
async fn votes_that_cannot_be_read_count_for_nobody() {
    let model = panel(|n, _| if n == 1 { "Y" } else { "N" }, |_, _| vec![1]).with_raw(|r, _| {
        let vote = r.schema.as_ref()?.name == "vote";
        // "Solution 1 of 3" is no 13, and no name.
        (vote && agent_of(r) != 1).then(|| "{\"choice\": \"solution 1 of 3\"}".to_owned())
    });
    let (decision, events) = decide(voting(lmad::Rule::Vote), &pair("en"), model).await;
    assert_eq!(label(&decision), (Some("Y"), "decided"));
    assert_eq!(tallies(&events, "votes")[0].0, [("Y".to_owned(), 1)]);
    assert_eq!(events.iter().filter(|e| matches!(&e.body, Body::Vote { choice: None, .. })).count(), 2);
    let nobody = panel(|n, _| if n == 1 { "Y" } else { "N" }, |_, _| vec![1])
        .with_raw(|r, _| (r.schema.as_ref()?.name == "vote").then(|| "no idea".to_owned()));
    let (decision, _) = decide(voting(lmad::Rule::Vote), &pair("en"), nobody).await;
    assert_eq!(label(&decision), (None, "no_decision"));
}

#[tokio::test]
async fn personas_are_written_by_the_model_or_fixed() {
    let generated = court(|o| o.personas = lmad::Personas::Generated);
    let (_, events) = decide(generated, &pair("en"), by_answer_or_none()).await;
    let first = &calls(&events)[0];
    assert_eq!((first.agent.as_str(), first.form.as_str()), ("personas", "personas"));
    let own = first.own.clone().unwrap();
    assert!(calls(&events)[1..].iter().all(|c| c.text.contains(&own)), "everybody plays what was written");
    let personas =
        |events: &[Event]| events.iter().filter(|e| matches!(e.body, Body::Persona { .. })).count();
    assert_eq!(personas(&events), 3);
    let (_, events) = decide(court(|o| o.agents = 5), &pair("en"), by_answer(|_, _| "Y")).await;
    assert_eq!(personas(&events), 5);
    let texts: Vec<String> = calls(&events).iter().map(|c| c.text.clone()).collect();
    for (i, word) in ["A judge", "An attorney", "A lawyer", "A judge", "An attorney"].iter().enumerate() {
        let own = texts[i].rsplit("You play this person:").next().unwrap();
        assert!(own.contains(word), "{word}");
    }
}

fn by_answer_or_none() -> Scripted {
    filling(|request, _, name, _| match name {
        "answer" => Some(json!("Y")),
        "agrees" => Some(json!(leading(request) == Some("Y"))),
        _ => None,
    })
}

#[tokio::test]
async fn premises_come_from_the_file_or_from_a_search() {
    let (stage, mut case) = (Stage::new(), pair("en"));
    // As files of pairs have it.
    case.jurisdiction = String::new();
    let config = RunConfig { rag: vec!["premises".to_owned()], k: 2, ..RunConfig::of(court(|_| ())) };
    stage.hold(&config, &case, &Arc::new(by_answer(|_, _| "Y"))).await.unwrap();
    for call in calls(&stage.events(&case)) {
        assert!(
            call.text.contains("FOUND-1") && call.text.contains("FOUND-2") && !call.text.contains("FOUND-3")
        );
        assert!(!call.text.contains("PREMISE-1"));
    }
    assert_eq!(stage.kb.queries.lock().unwrap().len(), 1, "one search for the panel");
    let mut bare = pair("en");
    bare.id = "bare".to_owned();
    bare.matter =
        nyaya_agents::case::Matter::Entailment { premises: Vec::new(), hypothesis: "H.".to_owned() };
    let error = Stage::new()
        .hold(&RunConfig::of(court(|_| ())), &bare, &Arc::new(by_answer(|_, _| "Y")))
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("--retrieve"), "{error}");
}

#[test]
fn defaults_are_the_papers() {
    let config = RunConfig::of(Court::Lmad(lmad::Options::default()));
    assert!((config.temperature - 0.1).abs() < 1e-6);
    let options = lmad::Options::default();
    assert_eq!((options.agents, options.most_rounds(), options.early_stop), (3, 5, false));
    assert_eq!(lmad::Options { rule: lmad::Rule::Vote, ..options }.most_rounds(), 3);
    for case in [row(&["1", "0"]), sentence()] {
        assert!(court(|_| ()).accepts(&case).is_err());
    }
    let check = |agents, rounds| {
        let court = court(|o| {
            o.agents = agents;
            o.rounds = Some(rounds);
        });
        RunConfig::of(court).check().is_ok()
    };
    assert!(check(2, 1) && check(5, 5) && !check(1, 1) && !check(3, 0));
    assert_eq!(serde_json::to_value(court(|_| ())).unwrap()["protocol"], Value::from("lmad"));
}
