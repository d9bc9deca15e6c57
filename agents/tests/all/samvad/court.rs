//! Who hears what, how many are asked, how the bench is counted, what the judge may write.

use std::sync::{Arc, Mutex};

use jiff::civil::date;
use nyaya_agents::chat::ChatModel;
use nyaya_agents::event::{Body, Finding, Statement};
use nyaya_agents::run::{Place, Run, RunConfig};
use nyaya_agents::session::Progress;
use nyaya_corpora::citation::Verdict;

use super::world::*;

fn options() -> RunConfig {
    RunConfig::default()
}

fn turns(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, s)| ((*a).to_owned(), (*s).to_owned())).collect()
}

const COURT: &[(&str, &str)] = &[
    ("judge", "queries"),
    ("judge", "instruction"),
    ("prosecution", "queries"),
    ("defence", "queries"),
    ("prosecution", "opening"),
    ("defence", "opening"),
    ("prosecution", "rebuttal"),
    ("defence", "rebuttal"),
    ("prosecution", "closing"),
    ("defence", "closing"),
];

fn bench(step: &str, n: u32) -> Vec<(String, String)> {
    (1..=n).map(|i| (format!("adjudicator-{i}"), step.to_owned())).collect()
}

#[tokio::test]
async fn the_steps_come_in_their_order_and_number() {
    let (stage, case, model) = (Stage::new(), case(), Arc::new(converging()));
    let outcome = stage.hold(&options(), &case, &model).await.unwrap();
    let expected = turns(COURT);
    let got = calls(&stage.events(&case));
    let heard = expected.len();
    // In a round the order is the seed's.
    let sorted = |from: usize| {
        let mut round = got[from..from + 5].to_vec();
        round.sort();
        round
    };
    assert_eq!(got[..heard], expected[..]);
    assert_eq!(sorted(heard), bench("view", 5));
    assert_eq!(sorted(heard + 5), bench("round-1", 5));
    assert_eq!(got[heard + 10..], [("judge".to_owned(), "judgment".to_owned())]);
    assert_eq!(outcome.rounds, 1);
    assert_eq!(outcome.counts.asked, 21);
    assert_eq!((outcome.charges[0].votes, outcome.charges[0].of), (4, 5));
    assert_eq!(outcome.charges[0].finding, Some(Finding::Guilty));
    let kinds = kinds(&stage.events(&case));
    let of = |kind: &str| kinds.iter().filter(|k| *k == kind).count();
    assert_eq!(of("public"), 7);
    assert_eq!(of("position"), 10);
    assert_eq!(of("agreement"), 2);
    assert_eq!((of("verdict"), of("judgment"), of("started"), of("finished")), (1, 1, 1, 1));
    assert_eq!(kinds.last().unwrap(), "finished");
}

#[tokio::test]
async fn options_change_the_number_of_calls_as_documented() {
    for (change, calls, searches) in [
        (Box::new(|_: &mut RunConfig| ()) as Box<dyn Fn(&mut RunConfig)>, 10 + 5 + 1, 4),
        (Box::new(|c| c.rag = vec![]), 7 + 5 + 1, 0),
        (Box::new(|c| c.rag = vec!["judge".to_owned()]), 8 + 5 + 1, 2),
        (Box::new(|c| c.rag = vec!["adjudicators".to_owned()]), 7 + 5 + 5 + 1, 5),
        (Box::new(|c| *c = court(|o| o.short = true)), 8 + 5 + 1, 3),
        (Box::new(|c| *c = court(|o| o.adjudicators = 12)), 10 + 12 + 1, 4),
        (Box::new(|c| *c = court(|o| o.min_rounds = 2)), 10 + 15 + 1, 4),
        (Box::new(|c| *c = RunConfig::demo()), 8 + 3 + 3 + 1, 3),
    ] {
        let (stage, case, model) = (Stage::new(), case(), Arc::new(agreeing()));
        let mut options = options();
        change(&mut options);
        let outcome = stage.hold(&options, &case, &model).await.unwrap();
        assert_eq!(outcome.counts.asked, calls, "{options:?}");
        assert_eq!(outcome.counts.searched, searches, "{options:?}");
    }
}

#[tokio::test]
async fn everybody_hears_what_was_said_before_and_nothing_else() {
    let (stage, case) = (Stage::new(), case());
    let mut model = scripted(|turn, _| {
        play(turn, |n, _| if n < 4 { ("guilty", "") } else { ("not_guilty", "") }, ("hung", ""))
    });
    model.concurrency = 4;
    let model = Arc::new(model);
    let options =
        RunConfig { rag: vec!["judge".into(), "counsel".into(), "adjudicators".into()], ..options() };
    let outcome = stage.hold(&options, &case, &model).await.unwrap();
    assert!(outcome.hung && outcome.rounds == 3);

    // Each step with those who speak at it; peers of a round do not hear each other.
    let mut stages: Vec<Vec<(String, String)>> = COURT
        .iter()
        .filter(|(_, s)| *s != "queries")
        .map(|(a, s)| vec![((*a).to_owned(), (*s).to_owned())])
        .collect();
    for step in ["view", "round-1", "round-2", "round-3"] {
        stages.push(bench(step, 5));
    }
    stages.push(vec![("judge".to_owned(), "judgment".to_owned())]);
    let marks: Vec<String> = stages.iter().flatten().map(|(a, s)| mark(a, s)).collect();
    for (i, speakers) in stages.iter().enumerate() {
        let before: Vec<String> = stages[..i].iter().flatten().map(|(a, s)| mark(a, s)).collect();
        for (agent, step) in speakers {
            let requests = model.asked(agent, step);
            assert_eq!(requests.len(), 1, "{agent} {step}");
            let text = all_text(&requests[0]);
            let heard: Vec<String> = marks.iter().filter(|m| text.contains(*m)).cloned().collect();
            assert_eq!(heard, before, "{agent} at {step}");
            // In the order in which it was said, which the record shows.
            let said = stage.events(&case).into_iter().filter_map(|e| match e.body {
                Body::Public(_) | Body::Position { .. } => Some(mark(&e.actor.agent, &e.step)),
                _ => None,
            });
            let places: Vec<_> = said.filter_map(|m| text.find(m.as_str())).collect();
            assert_eq!(places.len(), before.len());
            assert!(places.is_sorted(), "{agent} at {step}");
        }
    }
}

#[tokio::test]
async fn passages_queries_and_thoughts_stay_with_their_agent() {
    let (stage, case) = (Stage::new(), case());
    let mut model = converging();
    model.concurrency = 3;
    let model = Arc::new(model);
    let options =
        RunConfig { rag: vec!["judge".into(), "counsel".into(), "adjudicators".into()], k: 2, ..options() };
    stage.hold(&options, &case, &model).await.unwrap();
    let text_of = |n: usize| HARBOUR[n - 1].2;
    for request in model.requests.lock().unwrap().iter() {
        let turn = turn(request);
        let text = all_text(request);
        let sees = |n| text.contains(text_of(n));
        let looked = turn.step != "queries";
        let agent = turn.agent.as_str();
        assert_eq!(sees(2) && sees(3), agent == "judge" && looked, "{turn:?}");
        assert_eq!(sees(4), agent == "prosecution" && looked, "{turn:?}");
        assert_eq!(sees(5), agent == "defence" && looked, "{turn:?}");
        assert_eq!(sees(1), agent.starts_with("adjudicator") && looked, "{turn:?}");
        assert!(!text.contains("QUERY-"), "queries are nobody's to read: {turn:?}");
        assert!(!text.contains("THOUGHT-"), "thoughts are nobody's to read: {turn:?}");
        assert!(!text.contains("EXPECTED-MARK"), "{turn:?}");
        assert!(text.contains("FACTS-MARK"), "{turn:?}");
    }
}

#[tokio::test]
async fn the_threshold_counts_all_adjudicators_exactly() {
    // Votes for guilty, others' finding, strict, reached.
    for (guilty, other, strict, reached) in [
        (4, "not_guilty", false, true),
        (4, "not_guilty", true, false),
        (5, "", true, true),
        (3, "not_guilty", false, false),
        (4, "babble", false, true),
        (3, "babble", false, false),
        (4, "refuse", false, true),
        (3, "refuse", false, false),
    ] {
        let (stage, case) = (Stage::new(), case());
        let model = Arc::new(scripted(move |turn, _| {
            let bench = if reached { ("guilty", "") } else { ("hung", "") };
            play(turn, |n, _| if n <= guilty { ("guilty", "") } else { (other, "") }, bench)
        }));
        let options = court(|o| {
            o.strict_threshold = strict;
            o.rounds = 2;
        });
        let outcome = stage.hold(&options, &case, &model).await.unwrap();
        let verdict = &outcome.charges[0];
        assert_eq!(verdict.finding.is_some(), reached, "{guilty} {other} {strict}");
        assert_eq!((verdict.votes, verdict.of), (guilty, 5), "{guilty} {other} {strict}");
        assert_eq!(outcome.hung, !reached);
        assert_eq!(outcome.rounds, if reached { 0 } else { 2 });
        assert!(outcome.judgment.is_some());
        assert!(!kinds(&stage.events(&case)).contains(&"discrepancy".to_owned()));
    }
}

#[tokio::test]
async fn two_groups_of_one_size_are_no_majority() {
    let (stage, case) = (Stage::new(), case());
    let model = Arc::new(scripted(|turn, _| {
        play(turn, |n, _| if n % 2 == 0 { ("guilty", "") } else { ("not_guilty", "") }, ("hung", ""))
    }));
    let options = court(|o| {
        o.adjudicators = 4;
        o.threshold = "0.5".to_owned();
        o.rounds = 0;
    });
    assert!(stage.hold(&options, &case, &model).await.unwrap().hung);
}

#[tokio::test]
async fn a_lesser_offence_is_a_provision() {
    let (stage, case) = (Stage::new(), case());
    let lesser = "xx/harbour-act#s3";
    // One writes no id and cannot mend it, one names the charge and mends it when told.
    let model = Arc::new(scripted(move |turn, _| {
        let vote = |n: u32, _| match n {
            1 => ("lesser_offence", "the careless one"),
            2 if !turn.again => ("lesser_offence", "xx/harbour-act#s2"),
            _ => ("lesser_offence", lesser),
        };
        play(turn, vote, ("lesser_offence", lesser))
    }));
    let outcome = stage.hold(&options(), &case, &model).await.unwrap();
    assert_eq!(outcome.charges[0].finding, Some(Finding::Lesser { offence: harbour(3) }));
    assert_eq!((outcome.charges[0].votes, outcome.charges[0].of), (4, 5));
    let mut again = model.turns().iter().filter(|t| t.again).map(|t| t.agent.clone()).collect::<Vec<_>>();
    again.sort();
    assert_eq!(again, ["adjudicator-1", "adjudicator-2"]);
    let told = &model.asked("adjudicator-2", "view")[1];
    assert!(all_text(told).contains("the lesser offence cannot be the charge itself"));
    let events = stage.events(&case);
    let unread: Vec<_> = events.iter().filter(|e| matches!(e.body, Body::NoDecision { .. })).collect();
    assert_eq!(unread.len(), 1);
    assert_eq!(unread[0].actor.agent, "adjudicator-1");
    let checked = events.iter().any(|e| match &e.body {
        Body::Position { statement, .. } => {
            statement.citations.iter().any(|c| c.place == "finding" && c.citation.id == Some(harbour(3)))
        }
        _ => false,
    });
    assert!(checked, "the offence named in a finding is checked like a citation");
}

#[tokio::test]
async fn each_charge_is_counted_for_itself() {
    let (stage, case) = (Stage::new(), two_charges());
    let model = Arc::new(scripted(|turn, _| match turn.step.as_str() {
        "view" | "round-1" | "round-2" | "round-3" => {
            let second = if turn.agent == "adjudicator-1" || turn.agent == "adjudicator-2" {
                "guilty"
            } else {
                "not_guilty"
            };
            // In the other order than charged: findings go by their charge.
            position(turn, &[("s4", second, ""), ("s2", "guilty", "")])
        }
        "judgment" => position(turn, &[("s2", "guilty", ""), ("s4", "hung", "")]),
        _ => play(turn, |_, _| ("guilty", ""), ("guilty", "")),
    }));
    let outcome = stage.hold(&options(), &case, &model).await.unwrap();
    assert_eq!(outcome.charges[0].finding, Some(Finding::Guilty));
    assert_eq!((outcome.charges[0].votes, outcome.charges[1].votes), (5, 3));
    assert_eq!(outcome.charges[1].finding, None);
    assert!(outcome.hung);
    assert_eq!(outcome.rounds, 3);
    let asked = model.asked("adjudicator-1", "view");
    let schema = &asked[0].schema.as_ref().unwrap().schema;
    assert_eq!(schema["properties"]["findings"]["minItems"], 2);
}

#[tokio::test]
async fn a_judgment_that_differs_is_asked_for_once_more_and_then_reported() {
    for mends in [true, false] {
        let (stage, case) = (Stage::new(), case());
        let model = Arc::new(scripted(move |turn, _| {
            let bench = if turn.again && mends { ("guilty", "") } else { ("not_guilty", "") };
            play(turn, |_, _| ("guilty", ""), bench)
        }));
        let outcome = stage.hold(&options(), &case, &model).await.unwrap();
        assert_eq!(outcome.charges[0].finding, Some(Finding::Guilty), "the bench decides");
        let asked = model.asked("judge", "judgment");
        assert_eq!(asked.len(), 2);
        assert!(all_text(&asked[1]).contains("the bench found `guilty`"));
        let reported = kinds(&stage.events(&case)).contains(&"discrepancy".to_owned());
        assert_eq!(reported, !mends);
        assert!(outcome.judgment.is_some());
    }
}

#[tokio::test]
async fn a_judgment_without_law_is_asked_for_once_more() {
    let (stage, case) = (Stage::new(), case());
    let model = Arc::new(scripted(|turn, _| {
        if turn.step == "judgment" {
            let cites: &[&str] = if turn.again { &["xx/harbour-act#s2"] } else { &["the law"] };
            let finding =
                serde_json::json!({"charge": "xx/harbour-act#s2", "finding": "guilty", "offence": ""});
            return serde_json::json!({"statement": "So be it.", "cites": cites, "findings": [finding]})
                .to_string();
        }
        play(turn, |_, _| ("guilty", ""), ("guilty", ""))
    }));
    let outcome = stage.hold(&options(), &case, &model).await.unwrap();
    assert_eq!(model.asked("judge", "judgment").len(), 2);
    assert_eq!(outcome.judgment.unwrap().cites, ["xx/harbour-act#s2"]);
}

#[tokio::test]
async fn a_refusal_is_reframed_once_and_then_an_event() {
    for mends in [true, false] {
        let (stage, case) = (Stage::new(), case());
        let model = Arc::new(scripted(move |turn, _| {
            if turn.step == "opening" && turn.agent == "prosecution" && !(turn.again && mends) {
                return "{\"statement\": \"I'm sorry, but I can't argue against this man.\", \"cites\": []}"
                    .to_owned();
            }
            play(turn, |_, _| ("guilty", ""), ("guilty", ""))
        }));
        stage.hold(&options(), &case, &model).await.unwrap();
        let asked = model.asked("prosecution", "opening");
        assert_eq!(asked.len(), 2);
        assert!(
            all_text(&asked[1]).contains("structured exercise")
                && !all_text(&asked[0]).contains("structured exercise")
        );
        let events = stage.events(&case);
        let refusal: Vec<bool> = events
            .iter()
            .filter_map(|e| if let Body::Refusal { mended, .. } = &e.body { Some(*mended) } else { None })
            .collect();
        assert_eq!(refusal, [mends]);
        let opened = events.iter().any(|e| {
            e.step == "opening" && e.actor.agent == "prosecution" && matches!(e.body, Body::Public(_))
        });
        assert_eq!(opened, mends, "a refusal is not a statement");
    }
}

#[tokio::test]
async fn a_reply_that_the_limit_cut_off_is_asked_for_with_twice_the_limit() {
    let (stage, case, model) = (Stage::new(), case(), Arc::new(agreeing()));
    model.finish.lock().unwrap().insert(1, "length".to_owned());
    let outcome = stage.hold(&options(), &case, &model).await.unwrap();
    let asked = model.asked("judge", "instruction");
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[1].max_tokens, 2 * asked[0].max_tokens);
    assert_eq!(outcome.counts.cut_off, 1);
}

#[tokio::test]
async fn a_model_that_is_cut_off_while_thinking_gets_room_to_think() {
    let (stage, case) = (Stage::new(), case());
    let plain = agreeing();
    let model = Arc::new(Scripted::new(move |request, n| match n {
        1 => "<think>The judge should first".to_owned(),
        2 => String::new(),
        _ => (plain.reply)(request, n),
    }));
    model.finish.lock().unwrap().extend([(1, "length".to_owned()), (2, "length".to_owned())]);
    let config = RunConfig { thinking: 1_000, ..options() };
    let outcome = stage.hold(&config, &case, &model).await.unwrap();
    let limits: Vec<u32> =
        model.requests.lock().unwrap().iter().skip(1).map(|r| r.max_tokens).take(3).collect();
    assert_eq!([limits[1] - limits[0], limits[2] - limits[1]], [4_096, 8_192]);
    assert!(limits[0] > 1_000);
    assert_eq!((outcome.counts.cut_while_thinking, outcome.finished), (2, true));
}

#[tokio::test]
async fn lists_of_provisions_can_be_held_to_what_was_shown() {
    let lists = |constrain_citations| async move {
        let (stage, case, model) = (Stage::new(), case(), Arc::new(agreeing()));
        stage.hold(&RunConfig { constrain_citations, ..options() }, &case, &model).await.unwrap();
        let requests = model.requests.lock().unwrap();
        let cites = requests.iter().filter_map(|r| {
            let cites = r.schema.as_ref()?.schema.pointer("/properties/cites")?.clone();
            Some((r.messages.iter().map(|m| m.content.clone()).collect::<String>(), cites))
        });
        cites.collect::<Vec<_>>()
    };
    let (free, held) = (lists(false).await, lists(true).await);
    assert!(free.len() > 3 && free.len() == held.len());
    assert!(free.iter().all(|(_, cites)| cites["items"]["enum"].is_null()));
    let charge = case().charges[0].id.to_string();
    let mut named = 0;
    for (request, cites) in &held {
        let Some(ids) = cites["items"]["enum"].as_array() else {
            assert_eq!(cites["maxItems"], 0);
            continue;
        };
        named += ids.len();
        assert!(ids.iter().any(|id| *id == charge), "{ids:?}");
        for id in ids {
            assert!(request.contains(id.as_str().unwrap()), "{id} is not in {request}");
        }
    }
    assert!(named > 0);
}

#[tokio::test]
async fn the_token_limit_holds_the_largest_reply_of_the_schema() {
    fn chars(schema: &serde_json::Value) -> u64 {
        match schema["type"].as_str() {
            Some("object") => schema["properties"].as_object().unwrap().values().map(|v| chars(v) + 16).sum(),
            Some("array") => schema["maxItems"].as_u64().unwrap() * (chars(&schema["items"]) + 4),
            _ => schema["maxLength"].as_u64().unwrap_or_else(|| {
                schema["enum"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|v| v.as_str().unwrap().len() as u64)
                    .max()
                    .unwrap()
            }),
        }
    }
    for options in [options(), RunConfig::demo()] {
        let (stage, case, model) = (Stage::new(), two_charges(), Arc::new(agreeing()));
        stage.hold(&options, &case, &model).await.unwrap();
        for request in model.requests.lock().unwrap().iter() {
            let most = chars(&request.schema.as_ref().unwrap().schema);
            // Tokenizers in use take at least three characters of English a token.
            assert!(
                u64::from(request.max_tokens) * 3 >= most,
                "{:?}: {most} in {}",
                turn(request),
                request.max_tokens
            );
        }
    }
}

#[tokio::test]
async fn the_day_of_the_offence_governs_law_and_that_of_the_proceeding_procedure() {
    // Both days before the repeal of the old procedure: one search shows what governs.
    let (stage, case, model) = (Stage::new(), case(), Arc::new(agreeing()));
    stage.hold(&options(), &case, &model).await.unwrap();
    for query in stage.kb.queries.lock().unwrap().iter() {
        assert_eq!(query.as_of, Some(date(2015, 6, 1)));
        assert_eq!(query.jurisdiction.as_deref(), Some("xx"));
        assert!(query.works.is_empty());
    }
    // The proceeding after it: substance at the day of the offence, procedure at its own.
    let (stage, mut late) = (Stage::new(), super::world::case());
    late.proceeding_date = Some(date(2021, 1, 1));
    stage
        .hold(
            &RunConfig { rag: vec!["judge".into()], queries: Some(1), ..options() },
            &late,
            &Arc::new(agreeing()),
        )
        .await
        .unwrap();
    let queries = stage.kb.queries.lock().unwrap();
    assert_eq!(queries.len(), 2);
    assert_eq!((queries[0].as_of, queries[0].works.len()), (Some(date(2015, 6, 1)), 1));
    assert_eq!((queries[1].as_of, queries[1].works.len()), (Some(date(2021, 1, 1)), 2));
}

#[tokio::test]
async fn a_long_record_is_cut_to_the_window_and_says_so() {
    let (stage, case) = (Stage::new(), case());
    let mut model = converging();
    model.window = Some(1_100);
    let model = Arc::new(model);
    stage.hold(&options(), &case, &model).await.unwrap();
    let events = stage.events(&case);
    let cuts: Vec<_> = events
        .iter()
        .filter_map(|e| {
            if let Body::ContextCut { before, after, .. } = &e.body { Some((*before, *after)) } else { None }
        })
        .collect();
    assert!(!cuts.is_empty());
    assert!(cuts.iter().all(|(before, after)| before > after), "{cuts:?}");
    let text = all_text(&model.asked("judge", "judgment")[0]);
    assert!(text.contains(&mark("judge", "instruction")), "the law stays");
    let said = events.iter().filter(|e| matches!(e.body, Body::Position { .. }));
    let last: Vec<_> = said.map(|e| mark(&e.actor.agent, &e.step)).collect();
    for words in &last[last.len() - 2..] {
        assert!(text.contains(words), "the last two stay: {words}");
    }
    assert!(!text.contains(&mark("prosecution", "opening")), "the oldest go");
    // A second run says the same.
    let before = stage.comparable(&case);
    assert!(stage.hold(&options(), &case, &model).await.unwrap().was_finished);
    assert_eq!(stage.comparable(&case), before);
}

#[tokio::test]
async fn unread_queries_become_an_event_and_the_cases_own_words() {
    let (stage, case) = (Stage::new(), case());
    let model = Arc::new(scripted(|turn, _| {
        if turn.step == "queries" && turn.agent == "judge" {
            return "no idea".to_owned();
        }
        play(turn, |_, _| ("guilty", ""), ("guilty", ""))
    }));
    stage.hold(&options(), &case, &model).await.unwrap();
    let first = stage.kb.queries.lock().unwrap()[0].text.clone();
    assert!(first.contains("xx/harbour-act#s2") && first.contains("bung"), "{first}");
    let events = stage.events(&case);
    assert!(events.iter().any(|e| e.step == "queries" && matches!(e.body, Body::NoDecision { .. })));
}

#[tokio::test]
async fn citations_are_checked_where_they_stand() {
    let (stage, case) = (Stage::new(), case());
    let model = Arc::new(scripted(|turn, _| {
        if turn.step == "opening" {
            let text = "By section 3 of the Harbour Act, \"sinks a boat by want of care is liable to be kept ashore\", not by section 77 of the Harbour Act.";
            let cites =
                ["xx/harbour-act#s2", "xx/harbour-act#s99", "section 4 of the Harbour Act", "Lex Rhodia"];
            return serde_json::json!({"statement": text, "cites": cites}).to_string();
        }
        play(turn, |_, _| ("guilty", ""), ("guilty", ""))
    }));
    stage.hold(&options(), &case, &model).await.unwrap();
    let events = stage.events(&case);
    let opening = events
        .iter()
        .find_map(|e| match &e.body {
            Body::Public(s) if e.step == "opening" => Some(s),
            _ => None,
        })
        .unwrap();
    let of = |place: &str| -> Vec<(Option<String>, Verdict)> {
        let here = opening.citations.iter().filter(|c| c.place == place);
        here.map(|c| (c.citation.id.as_ref().map(ToString::to_string), c.citation.verdict)).collect()
    };
    let id = |n: u32| Some(harbour(n).to_string());
    assert_eq!(
        of("field"),
        [
            (id(2), Verdict::Verified),
            (id(99), Verdict::NotFound),
            (id(4), Verdict::Verified),
            (None, Verdict::Unchecked),
        ]
    );
    assert_eq!(of("text"), [(id(3), Verdict::Verified), (id(77), Verdict::NotFound)]);
    let quoted =
        opening.citations.iter().find(|c| c.citation.id == Some(harbour(3))).unwrap().quoted.as_deref();
    assert_eq!(quoted, Some("sinks a boat by want of care is liable to be kept ashore"));
    let again: Statement = serde_json::from_str(&serde_json::to_string(opening).unwrap()).unwrap();
    assert_eq!(&again, opening);
}

#[tokio::test]
async fn a_role_can_have_a_model_of_its_own() {
    let (stage, case) = (Stage::new(), case());
    let (judge, others) = (Arc::new(agreeing()), Arc::new(agreeing()));
    let mut parts = stage.parts(Arc::clone(&others));
    let own: Arc<dyn ChatModel> = Arc::clone(&judge) as _;
    parts.models = parts.models.with("judge", own);
    let place = Place::Folder(stage.folder.path().to_owned());
    let run = Run::open(&options(), std::slice::from_ref(&case), parts, &place).unwrap();
    run.trial(&case, 0, Arc::new(())).await.unwrap();
    assert_eq!(judge.turns().len(), 3);
    assert!(judge.turns().iter().all(|t| t.agent == "judge"));
    assert!(others.turns().iter().all(|t| t.agent != "judge"));
    assert!(run.record().models.contains_key("judge"));
}

#[tokio::test]
async fn an_observer_is_told_of_every_call_and_event() {
    let (stage, case, model) = (Stage::new(), case(), Arc::new(agreeing()));
    for replayed_expected in [false, true] {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&seen);
        let observer = move |p: &Progress<'_>| {
            let word = match p {
                Progress::Trial { recorded, .. } => format!("trial {recorded}"),
                Progress::Asking { .. } => "asking".to_owned(),
                Progress::Answered { replayed, .. } => format!("answered {replayed}"),
                Progress::Searched { replayed, .. } => format!("searched {replayed}"),
                Progress::Recorded(_) => "event".to_owned(),
            };
            log.lock().unwrap().push(word);
        };
        stage.run(&options(), &case, &model).unwrap().trial(&case, 0, Arc::new(observer)).await.unwrap();
        let seen = seen.lock().unwrap();
        let of = |word: &str| seen.iter().filter(|w| *w == word).count();
        assert_eq!(seen[0], if replayed_expected { "trial 20" } else { "trial 0" });
        assert_eq!(of(&format!("answered {replayed_expected}")), 16);
        assert_eq!(of(&format!("searched {replayed_expected}")), 4);
        assert_eq!(of("asking"), if replayed_expected { 0 } else { 16 });
        assert_eq!(of("event"), if replayed_expected { 0 } else { stage.events(&case).len() });
    }
}

#[tokio::test]
async fn the_seed_draws_who_speaks_first_in_a_round() {
    let order = async |seed: u64| {
        let (stage, case) = (Stage::new(), case());
        let mut model = converging();
        model.concurrency = 4;
        let options = RunConfig { seed, ..options() };
        stage.hold(&options, &case, &Arc::new(model)).await.unwrap();
        let events = stage.events(&case);
        let of = |step: &str| -> Vec<String> {
            let here = events.iter().filter(|e| e.step == step && matches!(e.body, Body::Position { .. }));
            here.map(|e| e.actor.agent.clone()).collect()
        };
        (of("view"), of("round-1"))
    };
    let first = order(1).await;
    assert_eq!(first, order(1).await, "the same seed, the same order");
    assert_ne!(first.0, first.1, "each round has its own");
    assert_ne!(first, order(2).await);
}

#[tokio::test]
async fn with_no_rounds_the_independent_views_are_counted() {
    let (stage, case) = (Stage::new(), case());
    let model = Arc::new(scripted(|turn, _| {
        play(turn, |n, _| if n < 4 { ("guilty", "") } else { ("not_guilty", "") }, ("hung", ""))
    }));
    let outcome = stage.hold(&court(|o| o.rounds = 0), &case, &model).await.unwrap();
    assert_eq!((outcome.hung, outcome.rounds, outcome.charges[0].votes), (true, 0, 3));
    assert!(model.turns().iter().all(|t| !t.step.starts_with("round-")));
}

#[tokio::test]
async fn a_sentence_that_the_limit_broke_off_is_not_said() {
    let (stage, case) = (Stage::new(), case());
    let model = Arc::new(scripted(|turn, request| {
        if turn.step == "opening" && turn.agent == "prosecution" {
            let schema = &request.schema.as_ref().unwrap().schema;
            let most = schema["properties"]["statement"]["maxLength"].as_u64().unwrap() as usize;
            let said = "The bung lay on the quay. ".repeat(most);
            let text: String = said.chars().take(most).collect();
            return serde_json::json!({"statement": text, "cites": []}).to_string();
        }
        play(turn, |_, _| ("guilty", ""), ("guilty", ""))
    }));
    stage.hold(&options(), &case, &model).await.unwrap();
    let events = stage.events(&case);
    let trimmed = events.iter().find_map(|e| match &e.body {
        Body::Trimmed { text } => Some((e.step.clone(), text.clone())),
        _ => None,
    });
    let (step, rest) = trimmed.expect("the rest is recorded");
    assert_eq!(step, "opening");
    assert!(!rest.is_empty() && "The bung lay on the quay.".starts_with(&rest), "{rest}");
    let said = events.iter().find_map(|e| match &e.body {
        Body::Public(s) if e.step == "opening" && e.actor.agent == "prosecution" => Some(s.text.clone()),
        _ => None,
    });
    assert!(said.unwrap().ends_with("on the quay."));
    // Reading it back gives the same.
    assert!(stage.hold(&options(), &case, &model).await.unwrap().was_finished);
}
