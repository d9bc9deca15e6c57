//! Runs of many trials: an endpoint that does everything wrong, kills, interrupts, failures, prices, dry runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::chaos::Chaos;
use crate::endpoint::{Endpoint, Manner};
use crate::support::Place;

/// A file of so many cases; those whose number is in `poisoned` upset the endpoint.
fn cases(place: &Place, n: usize, poisoned: &[usize]) {
    let mut lines = String::new();
    for i in 0..n {
        let word = if poisoned.contains(&i) { "POISON" } else { "water" };
        let facts = format!(
            "Orla took net number {i} from a boat on the river while its owner slept, and hung it in her own shed, where it was found after {} days, {word} still dripping from it.",
            i % 30 + 1
        );
        let case = serde_json::json!({
            "id": format!("net-{i}"), "language": "en", "jurisdiction": "xx", "facts": facts,
            "offence_date": "2010-06-01", "proceeding_date": "2010-09-01",
            "matter": {"asks": "sentence", "accusation": "taking another's net",
                "articles": [{"id": "xx/river-act#s9", "text": "Whoever takes another's net."}]},
            "gold": {"term": {"class": "fixed", "months": 7}},
        });
        let _ = writeln!(lines, "{case}");
    }
    std::fs::write(place.path("cases.jsonl"), lines).unwrap();
}

fn bench<'a>(url: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "run",
        "agentsbench",
        "--cases",
        "cases.jsonl",
        "--lay",
        "0",
        "--rounds",
        "0",
        "--llm",
        url,
        "--model",
        "m",
        "--timeout",
        "2",
        "--out",
        out,
    ];
    args.extend(more);
    args
}

/// The events of all trials by trial, without times, how often the network was asked, and the fences' secret.
fn records(run: &Path) -> BTreeMap<String, Vec<Value>> {
    let toml = std::fs::read_to_string(run.join("run.toml")).unwrap();
    let secret =
        toml.lines().find_map(|l| l.strip_prefix("fence_secret = ")).unwrap().trim_matches('"').to_owned();
    let mut all = BTreeMap::new();
    for trial in std::fs::read_dir(run.join("trials")).unwrap().flatten() {
        let events = std::fs::read_to_string(trial.path().join("events.jsonl")).unwrap();
        let events = events.lines().map(|line| {
            let mut event: Value = serde_json::from_str(&line.replace(&secret, "SECRET")).unwrap();
            event["at"] = Value::Null;
            if event["reply"].is_object() {
                event["reply"]["latency_ms"] = Value::Null;
                event["reply"]["attempts"] = Value::Null;
            }
            event
        });
        all.insert(trial.file_name().to_string_lossy().into_owned(), events.collect());
    }
    all
}

#[test]
fn two_hundred_trials_survive_a_bad_endpoint_and_five_kills() {
    const IN_FLIGHT: u32 = 16;
    let (place, chaos) = (Place::built(), Chaos::start(Duration::from_millis(10)));
    cases(&place, 200, &[]);
    let url = chaos.url();
    let start = Instant::now();
    let whole = place.json(&bench(&url, "whole", &["--concurrency", "16"]));
    let took = start.elapsed();
    assert_eq!((whole["finished"].as_u64(), whole["failed"].as_u64()), (Some(200), Some(0)), "{whole}");
    let (calls, repeated) = chaos.answered();
    assert!(calls > 1_000, "{calls}");
    assert_eq!(repeated, 0, "an undisturbed run repeats nothing");

    chaos.forget();
    // The fences' secret is in every request; both runs have the same one, so that they are the same run.
    std::fs::create_dir(place.path("cut")).unwrap();
    std::fs::copy(place.path("whole/run.toml"), place.path("cut/run.toml")).unwrap();
    let mut killed = 0;
    for moment in [0.35, 0.3, 0.4, 0.25, 0.45] {
        let mut child = place
            .command(&bench(&url, "cut", &["--concurrency", "16"]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(took.mul_f64(moment));
        killed += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(killed >= 2, "{killed} kills met a running run");
    let cut = place.json(&bench(&url, "cut", &["--concurrency", "16"]));
    assert_eq!(cut["finished"], 200, "{cut}");
    let (a, b) = (records(&place.path("cut")), records(&place.path("whole")));
    assert_eq!(a.len(), 200);
    for (name, events) in &b {
        assert_eq!(a.get(name), Some(events), "{name}");
    }
    let (again, repeated) = chaos.answered();
    assert_eq!(again, calls);
    assert!(repeated <= killed * IN_FLIGHT, "{repeated} replies were asked for again after {killed} kills");
    // What it cost is what the whole run cost, though most of it was paid before the last start.
    for field in ["prompt_tokens", "completion_tokens", "unmeasured"] {
        assert_eq!(cut["total"][field], whole["total"][field], "{field}");
    }
    let kinds: std::collections::BTreeSet<&str> =
        b.values().flatten().filter_map(|e| e["kind"].as_str()).collect();
    for kind in ["context_cut", "refusal", "sentence", "decision"] {
        assert!(kinds.contains(kind), "{kind} did not happen: {kinds:?}");
    }
}

#[test]
fn an_interrupt_stops_cleanly_and_the_same_command_goes_on() {
    let (place, endpoint) = (Place::built(), Endpoint::start(Manner::Good(150)));
    cases(&place, 12, &[]);
    let url = endpoint.url();
    let args = bench(&url, "run", &["--concurrency", "2"]);
    let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let wait = Instant::now();
    while endpoint.count() < 5 && wait.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("stopping:") && said.contains("the same command goes on"), "{said}");
    let asked = endpoint.count();
    assert!(asked < 60, "{asked}");
    let summary = place.json(&args);
    assert_eq!(summary["finished"], 12);
    assert_eq!(endpoint.count(), 60, "no call was lost, and none was made twice");
    assert_eq!(summary["total"]["asked"].as_u64().unwrap() as usize, 60 - asked);
}

#[test]
fn a_trial_that_fails_does_not_stop_the_others() {
    let (place, chaos) = (Place::built(), Chaos::start(Duration::ZERO));
    cases(&place, 6, &[1, 4]);
    let url = chaos.url();
    let mut args = vec!["--json"];
    args.extend(bench(&url, "run", &["--concurrency", "2"]));
    let out = place.run(&args);
    assert_eq!(out.status.code(), Some(1));
    let summary: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!((summary["finished"].as_u64(), summary["failed"].as_u64()), (Some(4), Some(2)), "{summary}");
    let failed: Vec<&str> = summary["trials"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|t| t["failed"] == true)
        .map(|t| t["case"].as_str().unwrap())
        .collect();
    assert_eq!(failed, ["net-1", "net-4"]);
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(said.contains("not to my liking") && said.contains("hint:"), "{said}");
}

#[test]
fn a_dead_endpoint_ends_the_run_early() {
    let place = Place::built();
    cases(&place, 50, &[]);
    let start = Instant::now();
    let said = place
        .fails(&bench("http://127.0.0.1:9/v1", "run", &["--concurrency", "4"]), &["the endpoint is dead"]);
    assert!(start.elapsed() < Duration::from_secs(30), "{said}");
    assert!(said.contains("0 of 50 trials finished"), "{said}");
}

#[test]
fn costs_are_of_the_whole_run_and_unknown_prices_are_unknown() {
    let (place, endpoint) = (Place::built(), Endpoint::start(Manner::Good(0)));
    cases(&place, 3, &[]);
    let url = endpoint.url();
    let unknown = place.json(&bench(&url, "run", &[]));
    assert_eq!(unknown["total"]["cost"]["amount"], Value::Null);
    assert_eq!(unknown["total"]["cost"]["calls_of_unknown_price"], 15);
    let prices = "currency = \"USD\"\n[models.m]\nread = 1000.0\nwritten = 5000.0\n";
    std::fs::write(place.path("prices.toml"), prices).unwrap();
    // 15 calls of 100 tokens read and 20 written, all from the record.
    let known = place.json(&bench(&url, "run", &["--prices", "prices.toml"]));
    assert!((known["total"]["cost"]["amount"].as_f64().unwrap() - 3.0).abs() < 1e-9, "{known}");
    assert_eq!(known["total"]["asked"], 0);

    // A limit is kept, over starts, and can be raised. A call can need some 1,500 tokens, at most 0.005 each.
    let limit = |x: &'static str| bench(&url, "limited", &["--prices", "prices.toml", "--max-cost", x]);
    let before = endpoint.count();
    place.fails(&limit("9"), &["--max-cost", "USD is used up"]);
    let asked = endpoint.count() - before;
    place.fails(&limit("9"), &["--max-cost"]);
    assert_eq!(endpoint.count() - before, asked, "what was spent before counts");
    place.ok(&limit("100"));
    assert_eq!(endpoint.count() - before, 15);

    std::fs::write(place.path("prices.toml"), prices.replace("models.m", "models.other")).unwrap();
    place.fails(&limit("9"), &["price of model `m` is unknown"]);
}

#[test]
fn a_dry_run_shows_every_prompt_and_calls_nobody() {
    let (place, endpoint) = (Place::built(), Endpoint::start(Manner::Good(0)));
    cases(&place, 2, &[]);
    let url = endpoint.url();
    let text = place.ok(&bench(&url, "run", &["--dry-run"]));
    assert!(text.contains("You are the presiding judge") && text.contains("net number 0"), "{text}");
    assert!(!text.contains("net number 1"), "of one case");
    let list = place.json(&bench(&url, "run", &["--dry-run"]));
    assert_eq!(list.as_array().unwrap().len(), 5);
    assert!(endpoint.requests().is_empty() && !place.path("run").exists());
}

#[test]
fn the_papers_preset_refuses_what_says_otherwise() {
    let place = Place::built();
    cases(&place, 1, &[]);
    let said = place.fails(
        &bench("http://127.0.0.1:9/v1", "run", &["--preset", "paper", "--temperature", "0.5"]),
        &["--preset paper", "temperature is 0.5"],
    );
    assert!(said.contains("rounds is 0") && said.contains("lay is 0"), "{said}");
}
