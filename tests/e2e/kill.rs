//! Killed with -9 at random points: the same command finishes, nothing is there twice, and the record equals that
//! of an undisturbed run.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::endpoint::{Endpoint, Manner};
use crate::support::{Place, WORK, listing};
use crate::trial::{place, small};

/// Fractions of the undisturbed run's time at which to kill, spread by the golden ratio.
fn moments(n: u32) -> impl Iterator<Item = f64> {
    (1..=n).map(|i| (f64::from(i) * 0.618_033_988_75).fract())
}

fn kill_after(place: &Place, args: &[&str], wait: Duration) -> bool {
    let mut child = place
        .command(args)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(wait);
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    running
}

/// A longer act, so that there is time to be killed in.
fn long_act(place: &Place) {
    let mut text = crate::support::ACT.to_owned();
    let (deeds, things) = (
        [
            "builds", "mends", "breaks", "hides", "sells", "paints", "lends", "burns", "moves", "marks",
            "cuts", "digs",
        ],
        [
            "a weir",
            "a dam",
            "a mill",
            "a sluice",
            "a bridge",
            "a jetty",
            "an eel trap",
            "a hut",
            "a fence",
            "a pier",
        ],
    );
    let body = (10..130)
        .map(|n| {
            let (deed, thing) = (deeds[n % 12], things[n % 10]);
            format!("{n}. Stream number {n}.—Whoever {deed} {thing} at the stream with the number {n} shall be punished with fine which may extend to {n} coins, unless the warden of that stream has let him.\n\n")
        })
        .collect::<String>();
    text.push_str(&body);
    let contents = (10..130).map(|n| format!("{n}. Stream number {n}.\n")).collect::<String>();
    let text = text.replacen(
        "9. Punishment for taking another's net.\n",
        &format!("9. Punishment for taking another's net.\n{contents}"),
        1,
    );
    std::fs::write(place.path("river-act.txt"), text).unwrap();
    let manifest = place.path("kb/manifests/river-act.toml");
    let toml = std::fs::read_to_string(&manifest).unwrap().replace("\"1-9\"", "\"1-129\"");
    std::fs::write(manifest, toml).unwrap();
}

#[test]
fn ten_kills_during_ingest_lose_nothing() {
    let args = ["corpus", "build", WORK, "--from", "river-act.txt"];
    let whole = Place::new();
    long_act(&whole);
    let start = Instant::now();
    whole.ok(&args);
    let took = start.elapsed();

    let place = Place::new();
    long_act(&place);
    let killed = moments(10).filter(|m| kill_after(&place, &args, took.mul_f64(m * 0.9))).count();
    assert!(killed >= 1, "no kill met a running build");
    place.ok(&args);

    for folder in ["kb/editions", "kb/parts"] {
        assert_eq!(listing(&place.path(folder)), listing(&whole.path(folder)), "{folder}");
    }
    let ids = |place: &Place| {
        let hits = place.json(&["search", "stream weir coins", "-k", "200", "--mode", "hybrid"]);
        hits.as_array().unwrap().iter().map(|h| h["id"].to_string()).collect::<Vec<_>>()
    };
    let (mut a, b) = (ids(&place), ids(&whole));
    assert_eq!(a, b);
    let n = a.len();
    a.sort();
    a.dedup();
    assert_eq!(a.len(), n, "a provision is there twice");
    let left: Vec<_> = std::fs::read_dir(place.path("kb/generations"))
        .unwrap()
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .filter(|n| n.starts_with("tmp-"))
        .collect();
    assert!(left.is_empty(), "half-made generations are left: {left:?}");
}

/// The events of a trial without times, latencies and the fences' secret.
fn record(run: &Path) -> Vec<Value> {
    let toml = std::fs::read_to_string(run.join("run.toml")).unwrap();
    let secret = toml
        .lines()
        .find_map(|l| l.strip_prefix("fence_secret = "))
        .map(|s| s.trim_matches('"').to_owned())
        .unwrap();
    let events = std::fs::read_to_string(run.join("trials/net-0/events.jsonl")).unwrap();
    events
        .lines()
        .map(|line| {
            let mut event: Value = serde_json::from_str(&line.replace(&secret, "SECRET")).unwrap();
            event["at"] = Value::Null;
            if event["reply"].is_object() {
                event["reply"]["latency_ms"] = Value::Null;
            }
            event
        })
        .collect()
}

#[test]
fn ten_kills_in_a_trial_leave_the_record_of_an_undisturbed_one() {
    let (place, endpoint) = (place(), Endpoint::start(Manner::Good(40)));
    let url = endpoint.url();
    let start = Instant::now();
    place.ok(&small(&url, "whole"));
    let took = start.elapsed();
    let calls = endpoint.count();

    // The fences' secret is in every request, so the replies would differ; both runs have the same one.
    std::fs::create_dir(place.path("cut")).unwrap();
    std::fs::copy(place.path("whole/run.toml"), place.path("cut/run.toml")).unwrap();
    let mut killed = 0;
    for moment in moments(10) {
        if kill_after(&place, &small(&url, "cut"), took.mul_f64(moment * 0.5)) {
            killed += 1;
        }
    }
    assert!(killed >= 1, "no kill met a running trial");
    place.ok(&small(&url, "cut"));
    assert_eq!(record(&place.path("cut")), record(&place.path("whole")));
    // At most the calls in flight are repeated: here up to four at once.
    let repeated = endpoint.count() - 2 * calls;
    assert!(repeated <= killed * 4, "{repeated} calls repeated after {killed} kills");
}
