//! Who is asked, in which order, how often; who hears what; what decides.

use nyaya_agents::case::Gold;
use nyaya_agents::event::{Body, Decision, Sentence};
use nyaya_agents::protocols::agentsbench::Personas;
use nyaya_agents::read::TermClass;
use nyaya_agents::run::RunConfig;

use super::world::*;

const BENCH: [&str; 3] = ["presiding", "judge-1", "lay-1"];

/// The steps of a trial of the usual bench with so many rounds; in the world of the tests everybody puts the
/// question to the first of the others.
fn steps(rounds: u32) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut each =
        |step: String, who: &[&str]| all.extend(who.iter().map(|a| ((*a).to_owned(), step.clone())));
    each("plan".to_owned(), &BENCH);
    each("sentence-0".to_owned(), &BENCH);
    for r in 1..=rounds {
        each(format!("open-{r}"), &BENCH[..1]);
        each(format!("question-{r}"), &BENCH[1..]);
        each(format!("answer-{r}"), &BENCH[..1]);
        each(format!("summary-{r}"), &BENCH[..1]);
        each(format!("sentence-{r}"), &BENCH);
        each(format!("consensus-{r}"), &BENCH[..1]);
        each(format!("reflect-{r}"), &BENCH);
    }
    each("decision".to_owned(), &BENCH[..1]);
    all
}

#[tokio::test]
async fn the_steps_come_in_their_order_and_number() {
    for (agree_at, rounds) in [(1, 1), (2, 2), (9, 3)] {
        let (stage, case) = (Stage::new(), case());
        let model = scripted(move |t, q| play(t, q, |_, _| 7, |r| r >= agree_at));
        let outcome = stage.hold(&court(|_| ()), &case, &model).await.unwrap();
        assert_eq!(calls(&stage.events(&case)), steps(rounds));
        assert_eq!(outcome.counts.asked as usize, 6 + rounds as usize * 12 + 1);
        assert_eq!(term(&outcome), (Some(7), agree_at <= rounds, rounds));
        let events = stage.events(&case);
        let kinds = kinds(&events);
        let of = |kind: &str| kinds.iter().filter(|k| *k == kind).count();
        let r = rounds as usize;
        assert_eq!((of("sentence"), of("consensus_check"), of("reflection")), (3 * (r + 1) + 1, r, 3 * r));
        assert_eq!((of("plan"), of("public"), of("judgment"), of("decision")), (3 + 3 * r, 5 * r, 1, 1));
        // The judgment says something of every round.
        let judgment = events.iter().find_map(|e| match &e.body {
            Body::Judgment(s) => Some(s.text.clone()),
            _ => None,
        });
        let judgment = judgment.unwrap();
        assert!((0..=r).all(|r| judgment.contains(&format!("Of round {r}."))), "{judgment}");
    }
}

#[tokio::test]
async fn rounds_and_seats_are_options() {
    let (stage, case) = (Stage::new(), case());
    let model = scripted(|t, q| play(t, q, |_, _| 7, |_| false));
    let config = court(|o| {
        o.judges = 2;
        o.lay = 3;
        o.rounds = 0;
    });
    let outcome = stage.hold(&config, &case, &model).await.unwrap();
    assert_eq!(term(&outcome), (Some(7), false, 0));
    assert_eq!(outcome.counts.asked, 2 * 6 + 1);
    let bench: Vec<_> = sentences(&stage.events(&case), "sentence-0").into_iter().map(|(a, _)| a).collect();
    assert_eq!(bench, ["presiding", "judge-1", "judge-2", "lay-1", "lay-2", "lay-3"]);
}

#[tokio::test]
async fn the_presiding_judges_reading_decides_and_no_number() {
    // The sentences are far apart, and the presiding judge reads agreement; or all the same, and none.
    for (months, agree) in [([6u32, 30, 90], true), ([12, 12, 12], false)] {
        let (stage, case) = (Stage::new(), case());
        let of = move |agent: &str, _| match agent {
            "presiding" => months[0],
            "judge-1" => months[1],
            _ => months[2],
        };
        let model = scripted(move |t, q| play(t, q, of, move |_| agree));
        let outcome = stage.hold(&court(|o| o.rounds = 2), &case, &model).await.unwrap();
        assert_eq!(term(&outcome), (Some(months[0]), agree, if agree { 1 } else { 2 }));
        let text = all_text(&model.asked("presiding", "decision")[0]);
        assert_eq!(text.contains("The bench agrees. Ratify"), agree);
    }
    // A reading that cannot be read is no agreement, and an event.
    let (stage, case) = (Stage::new(), case());
    let model = scripted(|t, q| {
        if t.step.starts_with("consensus") { "mmm".to_owned() } else { play(t, q, |_, _| 7, |_| true) }
    });
    let outcome = stage.hold(&court(|o| o.rounds = 1), &case, &model).await.unwrap();
    assert_eq!(term(&outcome), (Some(7), false, 1));
    let check = stage.events(&case).into_iter().find_map(|e| match e.body {
        Body::ConsensusCheck { reached, stage, .. } => Some((reached, stage)),
        _ => None,
    });
    assert_eq!(check, Some((None, "no_decision".to_owned())));
}

#[tokio::test]
async fn everybody_hears_what_was_said_before_and_nobody_of_the_same_step() {
    let (stage, case) = (Stage::new(), case());
    let model = scripted(|t, q| play(t, q, |_, _| 7, |r| r == 2));
    stage.hold(&court(|_| ()), &case, &model).await.unwrap();
    // Steps whose words are public, each with those who speak.
    let mut stages: Vec<(String, Vec<&str>)> = vec![("sentence-0".to_owned(), BENCH.to_vec())];
    for r in 1..=2 {
        stages.push((format!("open-{r}"), vec!["presiding"]));
        stages.push((format!("question-{r}"), BENCH[1..].to_vec()));
        stages.push((format!("answer-{r}"), vec!["presiding"]));
        stages.push((format!("summary-{r}"), vec!["presiding"]));
        stages.push((format!("sentence-{r}"), BENCH.to_vec()));
    }
    let public = |upto: usize| -> Vec<String> {
        stages[..upto].iter().flat_map(|(s, who)| who.iter().map(|a| mark(a, s))).collect()
    };
    let all = public(stages.len());
    let heard = |agent: &str, step: &str| -> Vec<String> {
        let requests = model.asked(agent, step);
        assert_eq!(requests.len(), 1, "{agent} {step}");
        let text = all_text(&requests[0]);
        assert!(text.contains("FACTS-MARK") && text.contains("ARTICLE-MARK"), "{agent} {step}");
        assert!(!text.contains("7777"), "the right answer is nobody's to read");
        all.iter().filter(|m| text.contains(*m)).cloned().collect()
    };
    for (i, (step, who)) in stages.iter().enumerate() {
        for agent in who {
            assert_eq!(heard(agent, step), public(i), "{agent} at {step}");
        }
    }
    for agent in BENCH {
        assert_eq!(heard(agent, "plan"), Vec::<String>::new());
        assert_eq!(heard(agent, "reflect-1"), public(6));
        assert_eq!(heard(agent, "reflect-2"), public(11));
    }
    assert_eq!(heard("presiding", "consensus-1"), public(6));
    assert_eq!(heard("presiding", "decision"), public(11));
    // A question goes to whom it names, and to nobody else as a question of their own.
    let asked = all_text(&model.asked("presiding", "answer-1")[0]);
    assert!(asked.contains("Put to you in this round") && asked.contains("Why?"));
}

#[tokio::test]
async fn sampling_is_the_papers() {
    let (stage, case) = (Stage::new(), case());
    let model = scripted(|t, q| play(t, q, |_, _| 7, |_| true));
    stage.hold(&court(|_| ()), &case, &model).await.unwrap();
    for request in model.requests.lock().unwrap().iter() {
        assert!(request.temperature.abs() < f32::EPSILON && (request.top_p - 1.0).abs() < f32::EPSILON);
    }
}

#[tokio::test]
async fn death_and_life_are_classes_and_a_contradiction_is_asked_about() {
    for (class, months, sentence) in [
        ("life", 0, Some(Sentence { class: TermClass::Life, months: None })),
        ("death", 0, Some(Sentence { class: TermClass::Death, months: None })),
        ("death_with_reprieve", 0, Some(Sentence { class: TermClass::DeathWithReprieve, months: None })),
        ("exempt", 0, Some(Sentence { class: TermClass::Exempt, months: Some(0) })),
        ("fixed_term", 38, Some(Sentence { class: TermClass::Fixed, months: Some(38) })),
        ("life", 120, None),
    ] {
        let (stage, case) = (Stage::new(), case());
        let model = scripted(move |t, q| {
            let mut reply: serde_json::Value = serde_json::from_str(&play(t, q, |_, _| 7, |_| true)).unwrap();
            if reply.get("class").is_some() {
                reply["class"] = class.into();
                reply["months"] = months.into();
            }
            reply.to_string()
        });
        let outcome = stage.hold(&court(|o| o.rounds = 0), &case, &model).await.unwrap();
        let Some(Decision::Term { sentence: got, .. }) = outcome.decision else { panic!() };
        assert_eq!(got, sentence, "{class} {months}");
        let again = model.asked("judge-1", "sentence-0");
        assert_eq!(again.len(), if sentence.is_some() { 1 } else { 2 });
        if sentence.is_none() {
            assert!(all_text(&again[1]).contains("The class is not a fixed term"));
            let unread =
                stage.events(&case).iter().filter(|e| matches!(e.body, Body::NoDecision { .. })).count();
            assert_eq!(unread, 3, "each of the bench, at S(0)");
        }
    }
}

#[tokio::test]
async fn a_decision_that_leaves_out_a_round_is_asked_for_again() {
    let (stage, case) = (Stage::new(), case());
    let model = scripted(|t, q| {
        let mut reply: serde_json::Value = serde_json::from_str(&play(t, q, |_, _| 7, |_| true)).unwrap();
        if t.step == "decision" && !t.again {
            reply["rounds"] = serde_json::json!(["Of round 0."]);
        }
        reply.to_string()
    });
    stage.hold(&court(|_| ()), &case, &model).await.unwrap();
    let asked = model.asked("presiding", "decision");
    assert_eq!(asked.len(), 2);
    assert!(all_text(&asked[1]).contains("every round that was held"));
}

#[tokio::test]
async fn lay_judges_are_drawn_by_the_seed_or_written_by_the_model() {
    let persona = async |config: RunConfig| {
        let (stage, case) = (Stage::new(), case());
        let model = scripted(|t, q| play(t, q, |_, _| 7, |_| true));
        stage.hold(&config, &case, &model).await.unwrap();
        let of = |e: &nyaya_agents::event::Event| match &e.body {
            Body::Persona { text } => Some((e.actor.agent.clone(), text.clone())),
            _ => None,
        };
        let personas: Vec<_> = stage.events(&case).iter().filter_map(of).collect();
        (personas, model)
    };
    let with = |seed| RunConfig { seed, ..court(|o| o.lay = 2) };
    let (first, model) = persona(with(1)).await;
    assert_eq!(first.iter().map(|(a, _)| a.as_str()).collect::<Vec<_>>(), ["lay-1", "lay-2"]);
    assert_ne!(first[0].1, first[1].1);
    assert_eq!(first, persona(with(1)).await.0);
    assert_ne!(first, persona(with(2)).await.0);
    // One's own persona, and nobody else's.
    for (agent, text) in &first {
        for request in model.requests.lock().unwrap().iter() {
            assert_eq!(all_text(request).contains(text), &turn(request).agent == agent);
        }
    }
    let (written, model) = persona(court(|o| o.personas = Personas::Written)).await;
    assert_eq!(written.len(), 3);
    let asked = model.asked("presiding", "personas");
    assert_eq!(asked.len(), 1);
    assert!(!all_text(&asked[0]).contains("FACTS-MARK"), "who sits does not depend on who is tried");
    for request in model.requests.lock().unwrap().iter().filter(|r| turn(r).step != "personas") {
        let (agent, text) = (turn(request).agent, all_text(request));
        for (other, words) in &written {
            assert_eq!(text.contains(words), *other == agent, "{other} for {agent}");
        }
    }
}

#[tokio::test]
async fn those_named_look_law_up_for_themselves() {
    let (stage, mut case) = (Stage::new(), case());
    // Before the procedure changed, so that one search shows what governs.
    case.proceeding_date = Some(jiff::civil::date(2016, 2, 3));
    let model = scripted(|t, q| play(t, q, |_, _| 7, |_| true));
    let config = RunConfig { rag: vec!["judges".to_owned()], ..court(|o| o.rounds = 1) };
    let outcome = stage.hold(&config, &case, &model).await.unwrap();
    assert_eq!(outcome.counts.searched, 1);
    for request in model.requests.lock().unwrap().iter().filter(|r| turn(r).step != "queries") {
        let sees = all_text(request).contains(HARBOUR[0].2);
        assert_eq!(sees, turn(request).agent == "judge-1", "{:?}", turn(request));
        assert!(!all_text(request).contains("QUERY-"));
    }
}

#[tokio::test]
async fn long_facts_are_cut_on_the_right_and_it_is_said() {
    let (stage, mut case) = (Stage::new(), case());
    case.facts = format!("FIRST-WORDS. {} LAST-WORDS.", "Then the tide came in. ".repeat(300));
    let model = windowed(2_000, |t, q| play(t, q, |_, _| 7, |_| true));
    stage.hold(&court(|o| o.rounds = 1), &case, &model).await.unwrap();
    let text = all_text(&model.asked("judge-1", "plan")[0]);
    assert!(text.contains("FIRST-WORDS") && !text.contains("LAST-WORDS") && text.contains("ARTICLE-MARK"));
    let cuts: Vec<String> = stage
        .events(&case)
        .into_iter()
        .filter_map(|e| if let Body::ContextCut { what, .. } = e.body { Some(what) } else { None })
        .collect();
    assert!(cuts.iter().any(|w| w.contains("the right end of `facts`")), "{cuts:?}");
    // Reading it back gives the same record.
    assert!(stage.hold(&court(|o| o.rounds = 1), &case, &model).await.unwrap().was_finished);
}

#[tokio::test]
async fn a_case_without_an_offence_is_refused() {
    let (stage, mut case) = (Stage::new(), case());
    case.matter = nyaya_agents::case::Matter::Row {
        question: "q".to_owned(),
        labels: vec!["a".to_owned()],
        base_rate: String::new(),
    };
    case.gold = Some(Gold::Label("a".to_owned()));
    let model = scripted(|t, q| play(t, q, |_, _| 7, |_| true));
    let run = stage.run(&court(|_| ()), &case, &model).unwrap();
    let error = run.trial(&case, 0, std::sync::Arc::new(())).await.unwrap_err().to_string();
    assert!(error.contains("no offence is named") && error.contains("hint: "), "{error}");
}
