//! Trials against a replying endpoint; audit, measures, report.

use crate::endpoint::{Endpoint, Manner};
use crate::support::Place;

pub const CASE: &str = r#"
id = "net"
title = "The council v. Orla"
language = "en"
jurisdiction = "xx"
offence_date = "2010-06-01"
proceeding_date = "2010-09-01"
keywords = ["net", "river", "possession"]
facts = "Orla took a fishing net from the boat of Pat while Pat slept, and hung it in her own shed. She says that she meant to give it back."

[[charge]]
id = "xx/river-act#s9"
note = "taking another's net"

[[evidence]]
mark = "P-1"
side = "prosecution"
text = "The net was found in Orla's shed after nine days."

[[expected]]
charge = "xx/river-act#s9"
finding = "guilty"
why = "Nine days and a hidden net show that she meant to keep it."
"#;

/// The options of a small trial at an endpoint.
pub fn small<'a>(url: &'a str, out: &'a str) -> Vec<&'a str> {
    vec![
        "run",
        "samvad",
        "--case",
        "case.toml",
        "--adjudicators",
        "3",
        "--rounds",
        "2",
        "--llm",
        url,
        "--model",
        "m",
        "--out",
        out,
    ]
}

pub fn place() -> Place {
    let place = Place::built();
    std::fs::write(place.path("case.toml"), CASE).unwrap();
    place
}

#[test]
fn a_trial_has_a_verdict_an_audit_measures_and_a_report() {
    let (place, endpoint) = (place(), Endpoint::start(Manner::Good(0)));
    let url = endpoint.url();
    let summary = place.json(&small(&url, "run"));
    let trial = &summary["trials"][0];
    assert_eq!(trial["finished"], true, "{summary}");
    assert_eq!(trial["charges"][0]["charge"], "xx/river-act#s9");
    assert_eq!(trial["charges"][0]["of"], 3);

    let audit = place.json(&["audit", "run"]);
    let rows = audit.as_array().or(audit["rows"].as_array()).unwrap();
    assert!(rows.iter().any(|r| r["id"] == "xx/river-act#s9"), "{audit}");
    let csv = place.ok(&["audit", "run", "--csv"]);
    assert!(csv.lines().count() == rows.len() + 1, "{csv}");
    place.json(&["eval", "run", "run"]);
    place.ok(&["eval", "run", "run"]);

    let report = std::fs::read_to_string(place.path("run/report.html")).unwrap();
    assert!(report.contains("not legal advice, not for deciding real cases"));
    assert!(report.contains("fishing net"));
    for outside in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!report.contains(outside), "the report is not self-contained: {outside}");
    }
    // Retrieved text and the case come in the user's role only.
    for request in endpoint.requests() {
        for message in request["messages"].as_array().unwrap() {
            if message["role"] == "system" {
                assert!(!message["content"].as_str().unwrap().contains("Orla"), "{message}");
            }
        }
    }
    // The same command reads everything back.
    let calls = endpoint.count();
    let again = place.json(&small(&url, "run"));
    assert_eq!(again["trials"][0]["charges"], trial["charges"]);
    assert_eq!(endpoint.count(), calls, "a recorded reply was asked for again");
}

#[test]
fn a_charge_that_the_law_does_not_have_is_refused() {
    let place = place();
    std::fs::write(place.path("slip.toml"), CASE.replace("river-act#s9", "river-act#s99")).unwrap();
    place.fails(
        &[
            "run",
            "samvad",
            "--case",
            "slip.toml",
            "--llm",
            "http://127.0.0.1:9/v1",
            "--model",
            "m",
            "--out",
            "slip",
        ],
        &["xx/river-act#s99"],
    );
    assert!(!place.path("slip").exists());
}

#[test]
fn a_run_is_not_put_among_other_things() {
    let place = place();
    let before = crate::support::listing(place.dir.path());
    place.fails(&small("http://127.0.0.1:9/v1", "."), &["holds no run.toml", "--out"]);
    assert_eq!(crate::support::listing(place.dir.path()), before);
}

#[test]
fn retrieval_can_be_off() {
    let (place, endpoint) = (place(), Endpoint::start(Manner::Good(0)));
    let url = endpoint.url();
    let mut args = small(&url, "run");
    args.extend(["--rag", "none"]);
    place.ok(&args);
    let events = std::fs::read_to_string(place.path("run/trials/net-0/events.jsonl")).unwrap();
    assert!(!events.contains("\"kind\":\"retrieved\""));
}

/// The events of the only trial.
fn events(place: &Place, run: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(place.path(&format!("{run}/trials/net-0/events.jsonl"))).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn a_window_that_the_endpoint_states_is_kept_to() {
    let (place, endpoint) = (Place::built(), Endpoint::start(Manner::Window(2_400)));
    let facts = format!("facts = \"{}", "Orla rowed past the mill and saw nobody there. ".repeat(160));
    std::fs::write(place.path("case.toml"), CASE.replace("facts = \"", &facts)).unwrap();
    let url = endpoint.url();
    let summary = place.json(&small(&url, "run"));
    assert_eq!(summary["trials"][0]["finished"], true, "{summary}");
    let events = events(&place, "run");
    let of = |kind: &str| events.iter().filter(|e| e["kind"] == kind).count();
    assert!(of("context_cut") > 0 && of("model_call") > 0);
    // A stated window is met at the second request of a call, not by feeling one's way.
    assert!(endpoint.count() <= 2 * of("model_call"), "{} requests", endpoint.count());
}

#[test]
fn a_run_goes_on_with_the_law_it_began_with() {
    let (place, endpoint) = (place(), Endpoint::start(Manner::Good(0)));
    let url = endpoint.url();
    place.ok(&small(&url, "whole"));
    let calls = endpoint.count();
    let mut short = small(&url, "run");
    short.extend(["--max-tokens-total", "5000"]);
    place.fails(&short, &["--max-tokens-total"]);
    let spent = endpoint.count() - calls;
    for (name, title) in [("lamps", "HARBOUR LAMPS"), ("bells", "HARBOUR BELLS")] {
        let text = format!(
            "THE {title} ACT, 1987\n\n1. Short title\n\nThis Act may be called the {title} Act, 1987.\n\n2. Duty\n\nWhoever takes a net from a boat shall say so to the warden.\n"
        );
        std::fs::write(place.path(&format!("{name}.txt")), text).unwrap();
        place.ok(&[
            "corpus",
            "add",
            &format!("{name}.txt"),
            "--id",
            &format!("xx/{name}"),
            "--in-force-from",
            "1990-01-01",
        ]);
    }
    // A third build sweeps the indexes of the generation with which the run began.
    place.ok(&["kb", "rebuild"]);
    assert!(!place.path("kb/generations/000001/tantivy").exists());
    let before = endpoint.count();
    let out = place.run(&small(&url, "run"));
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success() && said.contains("generation 1"), "{said}");
    let recorded = events(&place, "run").iter().filter(|e| e["kind"] == "model_call").count();
    assert!(spent > 0, "{spent}");
    assert_eq!(endpoint.count() - before + spent, recorded, "no recorded reply is asked for again");
    let hits = |run: &str| -> Vec<String> {
        let events = events(&place, run);
        let found = events.iter().filter(|e| e["kind"] == "retrieved");
        found.flat_map(|e| e["hits"].as_array().unwrap().clone()).map(|h| h["id"].to_string()).collect()
    };
    let found = hits("run");
    assert_eq!(found.len(), hits("whole").len());
    assert!(found.iter().all(|id| id.contains("xx/river-act#")), "it searches what it began with: {found:?}");
    // Under its own name, the same command is another run now, and says where the earlier one lies.
    place.ok(&small(&url, "new"));
    std::fs::create_dir(place.path("runs")).unwrap();
    std::fs::rename(place.path("whole"), place.path("runs/whole")).unwrap();
    let mut named = small(&url, "x");
    named.truncate(named.len() - 2);
    let said = String::from_utf8_lossy(&place.run(&named).stderr).into_owned();
    assert!(said.contains("--out runs/whole"), "{said}");
    // Where what it began with is gone, that is an error.
    std::fs::remove_dir_all(place.path("kb/generations/000001")).unwrap();
    place.fails(&small(&url, "runs/whole"), &["no longer holds", "--fresh"]);
}

#[test]
fn a_fresh_run_in_a_named_folder_lies_beside_the_first() {
    let (place, endpoint) = (place(), Endpoint::start(Manner::Good(0)));
    let url = endpoint.url();
    let mut fresh = small(&url, "out");
    fresh.push("--fresh");
    place.ok(&fresh);
    place.ok(&fresh);
    assert!(place.path("out/run.toml").is_file() && place.path("out-2/run.toml").is_file());
}

#[test]
fn a_busy_endpoint_is_asked_again() {
    let (place, endpoint) = (place(), Endpoint::start(Manner::Busy(2)));
    place.ok(&small(&endpoint.url(), "run"));
}

#[test]
fn an_endpoint_that_is_down_busy_or_talks_nonsense_is_an_error_with_a_hint() {
    let place = place();
    place.fails(&small("http://127.0.0.1:9/v1", "down"), &["127.0.0.1:9"]);
    for (manner, words) in [
        (Manner::AlwaysBusy, ["429", "attempts"]),
        (Manner::Page, ["not a chat completion", ""]),
        (Manner::Half, ["not a chat completion", ""]),
        (Manner::Silent, ["were empty", "--fresh"]),
        (Manner::Babble, ["could be read", "--fresh"]),
    ] {
        let endpoint = Endpoint::start(manner);
        let url = endpoint.url();
        place.fails(&small(&url, "bad"), &words);
        std::fs::remove_dir_all(place.path("bad")).unwrap();
    }
}

/// The embedded model, where it is in the cache: a whole trial without any network.
#[test]
fn the_embedded_model_holds_a_trial_offline() {
    let place = place();
    let models = place.json(&["models", "list"]);
    let chat = models.as_array().unwrap().iter().find(|m| m["name"] == "chat").unwrap();
    assert_eq!(chat["present"], true, "run `nyaya models pull chat` first (tests/run.sh does)");
    let args = [
        "--json",
        "run",
        "samvad",
        "--case",
        "case.toml",
        "--adjudicators",
        "1",
        "--rounds",
        "0",
        "--short",
        "-k",
        "1",
        "--temperature",
        "0",
        "--out",
        "run",
    ];
    // Without a network of any kind, where the system lets us have that.
    let mut alone = std::process::Command::new("unshare");
    alone.args(["-n", env!("CARGO_BIN_EXE_nyaya")]).args(args);
    let allowed =
        std::process::Command::new("unshare").args(["-n", "true"]).status().is_ok_and(|s| s.success());
    let mut command = if allowed { alone } else { place.command(&args) };
    let out = command
        .current_dir(place.dir.path())
        .env("NYAYA_KB", place.path("kb"))
        .env_remove("NYAYA_LLM")
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let events = std::fs::read_to_string(place.path("run/trials/net-0/events.jsonl")).unwrap();
    assert!(!events.contains("\"finish_reason\":\"length\""), "a reply was cut off by its token limit");
}
