use nyaya_agents::chat::Usage;
use nyaya_agents::event::{Body, Finding};
use nyaya_corpora::citation::Verdict;

use super::citations::cited_not_retrieved;
use super::*;
use crate::testing::*;
use crate::transcript::{Run, Trial};

const C1: &str = "xx/orchard#s7";
const C2: &str = "xx/orchard#s9";

fn near(value: Option<f64>, right: f64) -> bool {
    value.is_some_and(|v| (v - right).abs() < 1e-9)
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|w| (*w).to_owned()).collect()
}

fn run(trials: Vec<Trial>) -> Run {
    Run { dir: "run".into(), config: toml::Table::new(), trials }
}

#[test]
fn agreement_counts_those_without_a_decision_in_the_denominator() {
    let (g, n) = (Some(Finding::Guilty), Some(Finding::NotGuilty));
    let lesser = Some(Finding::Lesser { offence: id("xx/orchard#s8") });
    let trial = Script::new("t", 0, "en")
        .position("adjudicator-1", 0, &[(C1, g.clone()), (C2, n.clone())], "", vec![])
        .position("adjudicator-2", 0, &[(C1, g.clone()), (C2, g.clone())], "", vec![])
        .position("adjudicator-3", 0, &[(C1, n.clone()), (C2, None)], "", vec![])
        .position("adjudicator-4", 0, &[(C1, lesser.clone()), (C2, n.clone())], "", vec![])
        .position("adjudicator-1", 1, &[(C1, g.clone()), (C2, n.clone())], "", vec![])
        // The order of the charges in a ballot is no difference.
        .position("adjudicator-2", 1, &[(C2, n.clone()), (C1, g.clone())], "", vec![])
        .position("adjudicator-3", 1, &[(C1, g.clone()), (C2, n.clone())], "", vec![])
        .verdict(vec![charge(C1, g.clone(), 4, 5), charge(C2, n.clone(), 4, 5)], 1)
        .finished();
    let rounds = agreement(&trial);
    assert_eq!(rounds.len(), 2);
    let c = &rounds[0].charges;
    assert_eq!((c[0].leading.clone(), c[0].votes, c[0].of, c[0].no_decision), (g.clone(), 2, 5, 1));
    assert_eq!((c[1].leading.clone(), c[1].votes, c[1].no_decision), (n.clone(), 2, 2));
    assert!((rounds[0].whole - 0.2).abs() < 1e-12);
    // The fourth has no position in round 1, the bench is still five.
    assert!((rounds[1].whole - 0.6).abs() < 1e-12);
    assert_eq!(rounds[1].charges[0].no_decision, 2);
}

#[test]
fn a_tie_has_no_leading_finding_and_nobody_deciding_is_no_group() {
    let trial = Script::new("t", 0, "en")
        .position("adjudicator-1", 0, &[(C1, Some(Finding::Guilty))], "", vec![])
        .position("adjudicator-2", 0, &[(C1, Some(Finding::NotGuilty))], "", vec![])
        .position("adjudicator-1", 1, &[(C1, None)], "", vec![])
        .position("adjudicator-2", 1, &[(C1, None)], "", vec![])
        .finished();
    let rounds = agreement(&trial);
    assert_eq!((rounds[0].charges[0].leading.clone(), rounds[0].charges[0].votes), (None, 1));
    assert_eq!((rounds[1].charges[0].votes, rounds[1].whole), (0, 0.0));
}

#[test]
fn grounding_is_the_mean_share_of_keywords_by_statement() {
    let trial = Script::new("t", 0, "en")
        .public("judge", "judge", "instructions", "A LADDER and an  orchard\nwall.")
        .searches(
            "prosecution",
            "prosecution",
            "opening",
            "q",
            vec![hit(C1, 1, "Whoever takes an apple from an orchard")],
        )
        .public("prosecution", "prosecution", "opening", "The apple, the ladder, the orchard wall.")
        .public("defence", "defence", "opening", "Pineapple ladders.")
        .position("adjudicator-1", 0, &[(C1, None)], "", vec![])
        .finished();
    let g = grounding(&trial, &words(&["ladder", "Orchard wall", "apple", "moonlight", "ladder "]));
    assert_eq!((g.keywords, g.statements), (4, 3));
    // 2/4, 3/4, 0/4: neither `pineapple` nor `ladders` is the keyword.
    assert!(near(g.score, (0.5 + 0.75) / 3.0), "{g:?}");
    // The passage supplies `apple`: before it 2/4, after it 2/3 and 0/3.
    assert!(near(g.beyond_passages, (0.5 + 2.0 / 3.0) / 3.0), "{g:?}");
    assert_eq!(g.supplied, ["apple"]);
    assert_eq!(g.unnamed, ["moonlight"]);
    assert!(near(g.by_role.get("judge").copied(), 0.5));
}

#[test]
fn keywords_in_chinese_need_no_word_boundary_and_width_is_no_difference() {
    let trial = Script::new("t", 0, "zh")
        .public("judge", "judge", "x", "被告人秘密窃取手机３部，价值8000元。")
        .finished();
    let g = grounding(&trial, &words(&["秘密窃取", "手机3部", "入户"]));
    assert!(near(g.score, 2.0 / 3.0), "{g:?}");
    let g = grounding(&trial, &words(&["800"]));
    assert!(near(g.score, 0.0), "part of a number is not the number: {g:?}");
}

#[test]
fn grounding_is_unknown_and_not_zero_where_there_is_nothing_to_count() {
    let trial = Script::new("t", 0, "en").public("judge", "judge", "x", "words").finished();
    assert_eq!(grounding(&trial, &[]).score, None);
    assert_eq!(grounding(&Script::new("t", 0, "en").finished(), &words(&["a"])).score, None);
    // Every keyword supplied: the first score is there, the second has nothing left.
    let trial = Script::new("t", 0, "en")
        .searches("judge", "judge", "x", "q", vec![hit(C1, 1, "apple")])
        .public("judge", "judge", "x", "apple")
        .finished();
    let g = grounding(&trial, &words(&["apple"]));
    assert!(near(g.score, 1.0) && g.beyond_passages.is_none() && g.statements_beyond == 0);
}

#[test]
fn precision_is_of_those_looked_up_and_unchecked_stands_apart() {
    let c = Citations::of(
        [
            Verdict::Verified,
            Verdict::Verified,
            Verdict::Verified,
            Verdict::NotFound,
            Verdict::Misquoted,
            Verdict::Unchecked,
            Verdict::Unchecked,
        ]
        .into_iter(),
    );
    assert_eq!((c.all, c.looked_up), (7, 5));
    assert!(near(c.precision.map(|p| p.share), 0.6));
    assert_eq!(c.by_verdict["unchecked"], 2);
    assert_eq!(c.by_verdict.len(), 9);
    let c = Citations::of([Verdict::Unchecked].into_iter());
    assert_eq!(c.precision, None, "nothing looked up is no precision, neither 0 nor 1");
}

#[test]
fn cited_before_anybody_found_it_is_counted_once_for_an_agent() {
    let cite = |name: &str| vec![in_field(name, Verdict::Verified), in_field(name, Verdict::Verified)];
    let trial = Script::new("t", 0, "en")
        .says("judge", "judge", "a", "", cite(C1))
        .searches("prosecution", "prosecution", "b", "q", vec![hit(C1, 1, "x"), hit(C2, 2, "y")])
        .says("prosecution", "prosecution", "b", "", cite(C1))
        .says("defence", "defence", "b", "", cite(C2))
        .says("judge", "judge", "c", "", cite(C1))
        .finished();
    // Pairs: judge×7 (nobody yet), prosecution×7 (itself), defence×9 (the prosecution).
    assert_eq!(cited_not_retrieved(&trial), [(1, 3), (2, 3)]);
}

#[test]
fn tokens_are_measured_or_unknown() {
    let measured = Usage { prompt_tokens: Some(100), completion_tokens: Some(20) };
    let trial = Script::new("t", 0, "en")
        .calls("judge", "judge", "text", measured)
        .calls("judge", "judge", "text", measured)
        .calls("adjudicator", "adjudicator-1", "strict", measured)
        .calls("adjudicator", "adjudicator-2", "no_decision", Usage::default())
        .finished();
    let m = TrialMeasures::of(&trial, &[]);
    assert_eq!(m.cost["judge"].prompt_tokens.total(), Some(200));
    assert_eq!(m.cost["adjudicator"].prompt_tokens.label(), "100 + unknown (1 calls)");
    assert_eq!(m.cost["adjudicator"].stages["no_decision"], 1);
    assert_eq!(m.cost["judge"].latency_ms, 500);
    assert_eq!(m.tokens(), None);
    assert_eq!(m.models, ["toy"]);
}

#[test]
fn unfinished_trials_and_failures_are_columns_and_never_zeros() {
    let mut good = Script::new("t", 0, "en")
        .public("judge", "judge", "x", "apple")
        .verdict(vec![charge(C1, Some(Finding::Guilty), 4, 5), charge(C2, Some(Finding::Guilty), 4, 5)], 2)
        .finished();
    let case = r#"{"id":"t","language":"en","jurisdiction":"xx","keywords":["apple"],
        "charges":[{"id":"xx/orchard#s7","note":"n"},{"id":"xx/orchard#s9"}],
        "evidence":[{"mark":"P-1","side":"prosecution","text":"a ladder"}],
        "expected":[{"charge":"xx/orchard#s7","finding":"guilty","why":"w"},
                    {"charge":"xx/orchard#s9","finding":"lesser","offence":"xx/orchard#s8","why":"w"}]}"#;
    good.info = Some(serde_json::from_str(case).unwrap());
    let hung = Script::new("t", 1, "en").verdict(vec![charge(C1, None, 3, 5)], 3).finished();
    let budget = Body::BudgetStop { budget: "tokens".to_owned() };
    let stopped = Script::new("t", 4, "en").push(actor("session", "session"), "end", None, budget).trial();
    let refused = Script::new("t", 2, "en")
        .push(actor("defence", "defence"), "x", None, Body::Refusal { text: "no".to_owned(), mended: false })
        .finished();
    let unfinished = Script::new("t", 3, "en").public("judge", "judge", "x", "apple").trial();
    let m = RunMeasures::with_keywords(&run(vec![good, hung, refused, unfinished, stopped]), |_| {
        words(&["apple"])
    });
    assert_eq!((m.trials, m.finished, m.unfinished.len()), (5, 3, 2));
    let rounds = m.rounds.unwrap();
    assert_eq!((rounds.mean, rounds.n, rounds.without), (2.5, 2, 1));
    let hung = m.hung.unwrap();
    assert_eq!((hung.count, hung.of), (1, 2));
    let g = m.grounding.unwrap();
    assert_eq!((g.mean, g.n, g.without), (1.0, 1, 2));
    assert_eq!((m.failures.no_verdict, m.failures.budget_stops, m.failures.refusals), (1, 1, 1));
    assert_eq!(m.failures.no_judgment, 3);
    assert_eq!(m.citation_precision, None);
    assert_eq!(m.as_expected.map(|s| (s.count, s.of)), Some((1, 2)));
    let text = m.to_table(Some(140));
    assert!(text.contains("3 of 5 trials finished; unfinished, not counted"), "{text}");
    assert!(serde_json::from_str::<serde_json::Value>(&m.to_json().unwrap()).is_ok());
}
