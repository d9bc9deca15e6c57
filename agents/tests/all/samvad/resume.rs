//! A trial that is killed at any point ends with the record of one that was not.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use nyaya_agents::Case;
use nyaya_agents::event::Body;
use nyaya_agents::run::{Place, Run, RunConfig, RunError};

use super::world::*;

fn options() -> RunConfig {
    RunConfig { rag: vec!["judge".into(), "counsel".into(), "adjudicators".into()], ..RunConfig::default() }
}

fn concurrent(hang: bool) -> Arc<Scripted> {
    let mut model = converging();
    model.concurrency = 3;
    model.hang = hang;
    Arc::new(model)
}

#[tokio::test]
async fn killed_at_every_call_the_record_is_the_same() {
    let case = case();
    let whole = Stage::new();
    let calm = Arc::new(converging());
    whole.hold(&options(), &case, &calm).await.unwrap();
    let expected = whole.comparable(&case);
    let calls = calm.begun.load(Ordering::SeqCst);
    assert_eq!(calls, 26);
    for hang in [false, true] {
        for at in 0..calls {
            let stage = Stage::new();
            let model = concurrent(hang);
            model.die_at.store(at, Ordering::SeqCst);
            let run = stage.run(&options(), &case, &model).unwrap();
            if hang {
                // The whole process is gone at once, replies on their way included.
                let trial = run.trial(&case, 0, Arc::new(()));
                tokio::select! {
                    _ = trial => panic!("call {at} should hang"),
                    () = model.died.notified() => {}
                }
            } else {
                let error = run.trial(&case, 0, Arc::new(())).await.unwrap_err();
                assert!(error.to_string().contains("gone"), "{error}");
                assert!(error.to_string().contains("the-blue-skiff-0/"), "{error}");
            }
            let folder = run.trial_folder(&case.id, 0);
            drop(run);
            // The last line of the record is torn, too.
            let events = folder.join("events.jsonl");
            let bytes = std::fs::read(&events).unwrap();
            std::fs::write(&events, &bytes[..bytes.len() - bytes.len().min(17)]).unwrap();

            let second = concurrent(false);
            let outcome = stage.hold(&options(), &case, &second).await.unwrap();
            assert_eq!(stage.comparable(&case), expected, "killed at {at}, hang {hang}");
            assert!(!folder.join("calls.jsonl").exists());
            // What was answered is not asked for again.
            let first: BTreeSet<_> = model.answered.lock().unwrap().iter().map(turn).collect();
            let again: Vec<_> = second.answered.lock().unwrap().iter().map(turn).collect();
            let lost = again.iter().filter(|t| first.contains(t)).count();
            if hang {
                assert!(lost <= model.concurrency, "killed at {at}: {lost} asked for again");
            } else {
                assert_eq!(lost, 0, "killed at {at}");
                assert_eq!(first.len() + again.len(), calls);
            }
            assert_eq!(outcome.counts.asked + outcome.counts.replayed, calls as u64);
        }
    }
}

#[tokio::test]
async fn a_finished_trial_is_only_read() {
    let (stage, case) = (Stage::new(), case());
    stage.hold(&options(), &case, &Arc::new(converging())).await.unwrap();
    let bytes = std::fs::read(stage.folder.path().join("trials/the-blue-skiff-0/events.jsonl")).unwrap();
    let searches = stage.kb.searches.load(Ordering::SeqCst);
    let model = Arc::new(converging());
    let outcome = stage.hold(&options(), &case, &model).await.unwrap();
    assert!(outcome.was_finished && outcome.finished && outcome.judgment.is_some());
    assert_eq!(model.begun.load(Ordering::SeqCst), 0);
    assert_eq!(stage.kb.searches.load(Ordering::SeqCst), searches);
    assert_eq!(outcome.counts.replayed, 26);
    assert_eq!(outcome.counts.prompt_tokens, 2_600, "costs are of the whole trial");
    assert_eq!(
        std::fs::read(stage.folder.path().join("trials/the-blue-skiff-0/events.jsonl")).unwrap(),
        bytes
    );
}

#[tokio::test]
async fn another_case_prompt_or_option_is_not_mixed_in() {
    let (stage, case) = (Stage::new(), case());
    let model = Arc::new(agreeing());
    stage.hold(&options(), &case, &model).await.unwrap();
    let mut changed = case.clone();
    changed.facts.push_str(" It rained.");
    let error = stage.hold(&options(), &changed, &model).await.unwrap_err().to_string();
    assert!(error.contains("another case") && error.contains("--fresh"), "{error}");
    let error = stage.hold(&RunConfig { seed: 9, ..options() }, &case, &model).await.unwrap_err().to_string();
    assert!(error.contains("another configuration"), "{error}");
    let prompts = tempfile::tempdir().unwrap();
    std::fs::create_dir(prompts.path().join("samvad")).unwrap();
    std::fs::write(prompts.path().join("samvad/extra.en.md"), "# x\ny").unwrap();
    let with = RunConfig { prompts: Some(prompts.path().to_owned()), ..options() };
    let error = stage.hold(&with, &case, &model).await.unwrap_err().to_string();
    assert!(error.contains("another set of prompts"), "{error}");
}

#[tokio::test]
async fn the_same_command_finds_its_run_and_fresh_makes_another() {
    let (stage, case, model) = (Stage::new(), case(), Arc::new(agreeing()));
    let base = stage.folder.path();
    let open = |options: &RunConfig, place: &Place| {
        Run::open(options, std::slice::from_ref(&case), stage.parts(Arc::clone(&model)), place).unwrap()
    };
    let under = Place::Under(base.to_owned());
    let first = open(&options(), &under);
    let again = open(&options(), &under);
    assert_eq!(first.folder(), again.folder());
    assert_eq!(first.record().fence_secret, again.record().fence_secret);
    let richer = open(&RunConfig { max_tokens_total: Some(1), ..options() }, &under);
    assert_eq!(first.folder(), richer.folder(), "a budget can be raised");
    let other = open(&RunConfig { rag: options().rag, ..court(|o| o.adjudicators = 7) }, &under);
    assert_ne!(first.folder(), other.folder());
    let fresh = open(&options(), &Place::Fresh(base.to_owned()));
    assert_ne!(first.folder(), fresh.folder());
    assert_ne!(first.record().fence_secret, fresh.record().fence_secret);
}

#[tokio::test]
async fn two_at_once_do_not_write_one_trial() {
    let (stage, case) = (Stage::new(), case());
    let model = concurrent(true);
    model.die_at.store(3, Ordering::SeqCst);
    let run = stage.run(&options(), &case, &model).unwrap();
    let trial = run.trial(&case, 0, Arc::new(()));
    let mut trial = std::pin::pin!(trial);
    tokio::select! {
        _ = &mut trial => panic!("should hang"),
        () = model.died.notified() => {}
    }
    let error = stage.hold(&options(), &case, &Arc::new(agreeing())).await.unwrap_err();
    assert!(matches!(error, RunError::Record(_)), "{error}");
    assert!(error.to_string().contains("another process is writing"), "{error}");
}

#[tokio::test]
async fn a_budget_stops_before_the_call_that_could_exceed_it_and_a_larger_one_goes_on() {
    let case = case();
    let whole = Stage::new();
    whole.hold(&options(), &case, &Arc::new(converging())).await.unwrap();
    let expected = whole.comparable(&case);

    let stage = Stage::new();
    let model = Arc::new(converging());
    let small = RunConfig { max_tokens_total: Some(9_000), ..options() };
    let outcome = stage.hold(&small, &case, &model).await.unwrap();
    assert!(!outcome.finished && outcome.stopped.unwrap().contains("--max-tokens-total"));
    let asked = model.begun.load(Ordering::SeqCst);
    assert!(asked > 3 && asked < 26, "{asked}");
    let events = stage.events(&case);
    assert!(matches!(events.last().unwrap().body, Body::BudgetStop { .. }));
    // The same budget again stops again, and nothing is asked for.
    stage.hold(&small, &case, &model).await.unwrap();
    assert_eq!(model.begun.load(Ordering::SeqCst), asked);
    let stops = stage.events(&case).iter().filter(|e| matches!(e.body, Body::BudgetStop { .. })).count();
    assert_eq!(stops, 1);

    let outcome = stage.hold(&options(), &case, &model).await.unwrap();
    assert!(outcome.finished);
    assert_eq!(model.begun.load(Ordering::SeqCst), 26);
    assert_eq!(stage.comparable(&case), expected);
}

#[tokio::test]
async fn the_record_does_not_tell_the_secret_of_the_fences() {
    let (stage, case, model) = (Stage::new(), case(), Arc::new(agreeing()));
    stage.hold(&options(), &case, &model).await.unwrap();
    let secret = stage.secret();
    assert!(all_text(&model.requests.lock().unwrap()[0]).contains(&secret));
    let record =
        std::fs::read_to_string(stage.folder.path().join("trials/the-blue-skiff-0/events.jsonl")).unwrap();
    assert!(!record.contains(&secret));
    assert!(record.contains("=== BEGIN case {fence} ==="));
}

#[tokio::test]
async fn a_run_keeps_its_cases() {
    for name in Case::builtin_names() {
        let (stage, model) = (Stage::new(), Arc::new(agreeing()));
        let case = Case::builtin(name).unwrap();
        let run = stage.run(&options(), &case, &model).unwrap();
        let kept = nyaya_agents::run::cases(run.folder()).unwrap();
        assert_eq!(kept.as_slice(), std::slice::from_ref(&case));
        assert_eq!(kept[0].digest(), case.digest());
    }
}
