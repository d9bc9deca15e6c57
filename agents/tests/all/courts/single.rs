//! The baselines: what each method asks, how each kind of case is answered, how samples are counted.

use std::sync::Arc;

use nyaya_agents::Case;
use nyaya_agents::case::{Shot, Shots};
use nyaya_agents::chat::{Role, Usage};
use nyaya_agents::event::{Body, Decision, Event, Sentence};
use nyaya_agents::protocols::{Court, single};
use nyaya_agents::read::TermClass;
use nyaya_agents::run::RunConfig;
use serde_json::json;

use super::world::*;

pub const METHODS: [single::Method; 7] = [
    single::Method::Standard,
    single::Method::Cot,
    single::Method::WeightedCot,
    single::Method::Syllogism,
    single::Method::Irac,
    single::Method::Fewshot,
    single::Method::SelfConsistency,
];

pub fn court(method: single::Method) -> Court {
    Court::Single(single::Options { method, ..single::Options::default() })
}

fn charge() -> Case {
    let case = json!({
        "id": "charge-7", "language": "en", "facts": "FACTS-7. A purse was taken.",
        "charges": [{"id": "in/ipc#s379"}, {"id": "in/ipc#s411"}],
    });
    Case::from_json("charge", &case.to_string()).unwrap()
}

fn fields(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .find_map(|e| match &e.body {
            Body::ModelCall { request, .. } => {
                let schema = &request.schema.as_ref().unwrap().schema;
                Some(schema["properties"].as_object().unwrap().keys().cloned().collect())
            }
            _ => None,
        })
        .unwrap()
}

#[tokio::test]
async fn each_method_asks_in_its_own_way() {
    for (method, thoughts, words, calls_made) in [
        (single::Method::Standard, vec![], "Give the answer only.", 1),
        (single::Method::Cot, vec!["reasoning"], "Think step by step.", 1),
        (single::Method::WeightedCot, vec!["factors", "reasoning"], "weigh each as low, medium or high", 1),
        (
            single::Method::Syllogism,
            vec!["major_premise", "minor_premise", "conclusion_reasoning"],
            "Its major premise is the rule of law",
            1,
        ),
        (
            single::Method::Irac,
            vec!["issue", "rule", "application", "conclusion_reasoning"],
            "issue, rule, application, conclusion",
            1,
        ),
        (single::Method::Fewshot, vec![], "Give the answer only.", 1),
        (single::Method::SelfConsistency, vec!["reasoning"], "Think step by step.", 3),
    ] {
        let model = filling(|_, _, _, _| None);
        let (decision, events) = decide(court(method), &row(&["1", "0"]), model).await;
        assert_eq!(label(&decision), (Some("1"), "decided"));
        let mut expected = thoughts;
        expected.extend(["prediction", "confidence"]);
        assert_eq!(fields(&events), expected, "{method:?}: thoughts before the answer");
        let calls = calls(&events);
        assert_eq!(calls.len(), calls_made, "{method:?}");
        for call in &calls {
            assert!(call.text.contains(words), "{method:?}");
            assert!(call.text.contains("FACTS-7") && !call.text.contains("GOLD-LABEL"));
        }
        // Samples know nothing of each other.
        check_sight(&calls, |_, _| false);
    }
}

#[tokio::test]
async fn every_kind_of_case_is_answered_in_its_form() {
    let pick =
        |label: &'static str| filling(move |_, _, name, _| (name == "prediction").then(|| json!(label)));
    let plain = || filling(|_, _, _, _| None);
    let standard = || court(single::Method::Standard);
    let (decision, _) = decide(standard(), &row(&["1", "0"]), pick("NO")).await;
    assert_eq!(label(&decision), (Some("0"), "decided"));
    let (decision, events) = decide(standard(), &row(&["red", "green", "blue"]), pick("blue")).await;
    assert_eq!(label(&decision), (Some("blue"), "decided"));
    assert!(calls(&events)[0].text.contains("Labels: red, green, blue"));
    let (decision, _) = decide(standard(), &pair("en"), plain()).await;
    assert_eq!(label(&decision), (Some("Y"), "decided"));
    let months = filling(|_, _, name, _| (name == "months").then(|| json!(14)));
    let (decision, events) = decide(standard(), &sentence(), months).await;
    let Decision::Term { sentence: Some(sentence), .. } = decision else { panic!() };
    assert_eq!(sentence, Sentence { class: TermClass::Fixed, months: Some(14) });
    assert!(calls(&events)[0].text.contains("盗窃") && !calls(&events)[0].text.contains("987"));
    let charges = filling(|_, _, name, _| {
        (name == "findings").then(|| {
            json!([
                {"charge": "in/ipc#s411", "finding": "not_guilty", "offence": ""},
                {"charge": "in/ipc#s379", "finding": "guilty", "offence": ""},
            ])
        })
    });
    let (decision, _) = decide(standard(), &charge(), charges).await;
    let Decision::Charges { charges, hung, .. } = decision else { panic!() };
    let found: Vec<String> = charges.iter().map(|c| format!("{} {:?}", c.charge, c.finding)).collect();
    assert_eq!(found, ["in/ipc#s379 Some(Guilty)", "in/ipc#s411 Some(NotGuilty)"]);
    assert!(!hung);
}

#[tokio::test]
async fn classes_are_no_numbers_and_what_cannot_be_read_is_no_decision() {
    for (reply, expected) in [
        ("{\"class\":\"life\",\"months\":0}", Some((TermClass::Life, None))),
        ("判处有期徒刑一年二个月，并处罚金五千元。", Some((TermClass::Fixed, Some(14)))),
        ("[刑期]无期<eoa>", Some((TermClass::Life, None))),
        ("死刑，缓期二年执行", Some((TermClass::DeathWithReprieve, None))),
        ("免予刑事处罚", Some((TermClass::Exempt, Some(0)))),
        ("六个月至一年", None),
        ("我不确定。", None),
    ] {
        let model = filling(|_, _, _, _| None).with_raw(move |_, _| Some(reply.to_owned()));
        let (decision, events) = decide(court(single::Method::Standard), &sentence(), model).await;
        let Decision::Term { sentence, .. } = &decision else { panic!() };
        assert_eq!(sentence.map(|s| (s.class, s.months)), expected, "{reply}");
        let unread = events.iter().filter(|e| matches!(e.body, Body::NoDecision { .. })).count();
        assert_eq!(unread, usize::from(expected.is_none()), "{reply}");
    }
    for (reply, expected) in [("Answer: N", (Some("N"), "decided")), ("Perhaps.", (None, "no_decision"))] {
        let model = filling(|_, _, _, _| None).with_raw(move |_, _| Some(reply.to_owned()));
        let (decision, _) = decide(court(single::Method::Cot), &pair("en"), model).await;
        assert_eq!(label(&decision), expected);
        assert_eq!(for_a_human(&decision).is_empty(), expected.0.is_some());
    }
    let model = filling(|_, _, _, _| None).with_raw(|_, _| Some("{\"findings\": []}".to_owned()));
    let (decision, _) = decide(court(single::Method::Standard), &charge(), model).await;
    let Decision::Charges { charges, hung, .. } = decision else { panic!() };
    assert!(hung && charges.iter().all(|c| c.finding.is_none() && (c.votes, c.of) == (0, 1)));
}

#[tokio::test]
async fn examples_open_the_users_role_with_their_answers() {
    let mut case = row(&["1", "0"]);
    let shot = |n: u32| Shot {
        id: format!("row-{n}"),
        question: format!("EXAMPLE-{n}"),
        answer: format!("{{\"prediction\":\"{}\"}}", if n.is_multiple_of(2) { "YES" } else { "NO" }),
    };
    let list: Vec<Shot> = (1..=6).map(shot).collect();
    case.shots = Some(Shots { by: "bm25".to_owned(), list, dropped: 3, of: 40 });
    let stage = Stage::new();
    let model = Arc::new(filling(|_, _, _, _| None));
    stage.hold(&RunConfig::of(court(single::Method::Fewshot)), &case, &model).await.unwrap();
    let request = model.requests.lock().unwrap()[0].clone();
    let (system, user) = (role_text(&request, Role::System), role_text(&request, Role::User));
    assert!(!system.contains("EXAMPLE-"), "words of others stand in the user role only");
    let places: Vec<usize> = (1..=6).map(|n| user.find(&format!("EXAMPLE-{n}")).unwrap()).collect();
    assert!(places.is_sorted() && places[5] < user.find("FACTS-7").unwrap());
    assert!(user.contains("Right answer: {\"prediction\":\"YES\"}"));
    let said = stage.events(&case).iter().any(|e| match &e.body {
        Body::Memory { entries, .. } => {
            entries.len() == 7 && entries[6].starts_with("3 of 40 rows dropped") && entries[0] == "row-1"
        }
        _ => false,
    });
    assert!(said, "the record says how many were dropped");
    // Only few-shot shows them.
    let (_, events) = decide(court(single::Method::Cot), &case, filling(|_, _, _, _| None)).await;
    assert!(!calls(&events)[0].text.contains("EXAMPLE-"));
}

fn samples(k: u32) -> Court {
    Court::Single(single::Options {
        method: single::Method::SelfConsistency,
        samples: k,
        ..single::Options::default()
    })
}

#[tokio::test]
async fn the_most_frequent_of_several_answers_counts() {
    for (answers, expected) in [
        (vec!["YES", "NO", "YES"], (Some("1"), "decided")),
        (vec!["NO", "NO", "YES"], (Some("0"), "decided")),
        (vec!["YES", "NO"], (None, "split")),
    ] {
        let k = answers.len() as u32;
        let list = answers.clone();
        let model = filling(move |_, n, name, _| (name == "prediction").then(|| json!(list[n])));
        let (decision, events) = decide(samples(k), &row(&["1", "0"]), model).await;
        assert_eq!(label(&decision), expected, "{answers:?}");
        let seeds: std::collections::BTreeSet<_> = events
            .iter()
            .filter_map(|e| if let Body::ModelCall { request, .. } = &e.body { request.seed } else { None })
            .collect();
        assert_eq!(seeds.len(), k as usize, "each sample has its own seed");
    }
    let model = filling(|_, _, _, _| None).with_raw(|_, _| Some("I cannot tell.".to_owned()));
    let (decision, _) = decide(samples(3), &row(&["1", "0"]), model).await;
    assert_eq!(label(&decision), (None, "no_decision"));
    // One readable answer of three is the most frequent one.
    let model = filling(|_, _, _, _| None).with_raw(|_, n| (n > 0).then(|| "Hm.".to_owned()));
    let (decision, events) = decide(samples(3), &row(&["1", "0"]), model).await;
    assert_eq!(label(&decision), (Some("1"), "decided"));
    let tally = events.iter().find_map(|e| match &e.body {
        Body::Tally { points, of, .. } => Some((points.clone(), *of)),
        _ => None,
    });
    assert_eq!(tally, Some((vec![("1".to_owned(), 1)], 3)), "the unread ones are counted among all");
}

#[tokio::test]
async fn terms_without_a_most_frequent_one_give_their_median() {
    for (months, expected) in
        [(vec![10, 14, 12], Some(12)), (vec![10, 10, 36], Some(10)), (vec![6, 8], Some(6))]
    {
        let k = months.len() as u32;
        let model = filling(move |_, n, name, _| (name == "months").then(|| json!(months[n])));
        let (decision, _) = decide(samples(k), &sentence(), model).await;
        let Decision::Term { sentence, .. } = decision else { panic!() };
        assert_eq!(sentence.unwrap().months, expected);
    }
}

fn matching(budget: u64) -> Court {
    Court::Single(single::Options {
        method: single::Method::SelfConsistency,
        match_tokens: Some(budget),
        ..single::Options::default()
    })
}

#[tokio::test]
async fn as_many_samples_as_fit_into_the_tokens_of_a_debate() {
    // A sample takes 120 tokens.
    for (budget, expected) in [(1_000, 8), (960, 8), (959, 7), (50, 1)] {
        let (_, events) = decide(matching(budget), &row(&["1", "0"]), filling(|_, _, _, _| None)).await;
        assert_eq!(calls(&events).len(), expected, "{budget}");
    }
    let mut model = filling(|_, _, _, _| None);
    model.usage = Usage { prompt_tokens: None, completion_tokens: None };
    let (_, events) = decide(matching(1_000), &row(&["1", "0"]), model).await;
    assert_eq!(calls(&events).len(), 3, "nobody measured");
    let said = events
        .iter()
        .any(|e| matches!(&e.body, Body::Discrepancy { text } if text.contains("nobody measured")));
    assert!(said);
}

#[test]
fn defaults_and_slips() {
    for method in METHODS {
        let config = RunConfig::of(court(method));
        let wanted = if method == single::Method::SelfConsistency { 0.7 } else { 0.0 };
        assert!((config.temperature - wanted).abs() < 1e-6, "{method:?}");
        assert!(config.check().is_ok());
        for case in [row(&["1", "0"]), pair("en"), sentence(), charge()] {
            assert!(court(method).accepts(&case).is_ok());
        }
    }
    let wrong = Court::Single(single::Options { match_tokens: Some(9), ..single::Options::default() });
    assert!(RunConfig::of(wrong).check().unwrap_err().to_string().contains("self-consistency"));
    assert!(RunConfig::of(samples(0)).check().is_err());
}
