//! What the runner costs beside waiting for the endpoint: 64 trials, 32 calls in flight, 50 ms a call, against a
//! simulated list schedule of the same calls; the same for a bare client that does nothing but ask; and the program's
//! peak memory.
//!
//! `cargo bench --bench overhead` prints the figures and the machine's load; it judges nothing, since a busy machine
//! has others.

#![allow(
    missing_docs,
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "../tests/e2e/endpoint.rs"]
mod endpoint;
#[path = "../tests/e2e/support.rs"]
mod support;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use endpoint::{Endpoint, Manner};
use futures::StreamExt as _;
use support::Place;

const TRIALS: usize = 64;
const IN_FLIGHT: usize = 32;
const LATENCY_MS: u64 = 50;

/// The steps of each trial, and how many calls each makes at once.
fn phases(run: &Path) -> Vec<VecDeque<usize>> {
    let mut trials: Vec<_> =
        std::fs::read_dir(run.join("trials")).unwrap().flatten().map(|t| t.path()).collect();
    trials.sort();
    trials
        .iter()
        .map(|trial| {
            let mut phases: VecDeque<(String, usize)> = VecDeque::new();
            for line in std::fs::read_to_string(trial.join("events.jsonl")).unwrap().lines() {
                let event: serde_json::Value = serde_json::from_str(line).unwrap();
                if event["kind"] != "model_call" {
                    continue;
                }
                let step = event["step"].as_str().unwrap().to_owned();
                match phases.back_mut() {
                    Some((last, n)) if *last == step => *n += 1,
                    _ => phases.push_back((step, 1)),
                }
            }
            phases.into_iter().map(|(_, n)| n).collect()
        })
        .collect()
}

/// Milliseconds of a list schedule: calls begin in the order in which they become ready, as many at once as may be in
/// flight; a step of a trial begins when the one before has ended; nothing but the calls takes time.
fn list_schedule(mut trials: Vec<VecDeque<usize>>) -> u64 {
    let mut ready: VecDeque<usize> = VecDeque::new();
    let mut left = vec![0usize; trials.len()];
    let begin = |trial: usize,
                 trials: &mut Vec<VecDeque<usize>>,
                 left: &mut Vec<usize>,
                 ready: &mut VecDeque<usize>| {
        if let Some(n) = trials[trial].pop_front() {
            left[trial] = n;
            ready.extend(std::iter::repeat_n(trial, n));
        }
    };
    for trial in 0..trials.len() {
        begin(trial, &mut trials, &mut left, &mut ready);
    }
    let mut running: BinaryHeap<Reverse<(u64, u64, usize)>> = BinaryHeap::new();
    let (mut now, mut number) = (0, 0);
    loop {
        while running.len() < IN_FLIGHT
            && let Some(trial) = ready.pop_front()
        {
            number += 1;
            running.push(Reverse((now + LATENCY_MS, number, trial)));
        }
        let Some(Reverse((at, _, trial))) = running.pop() else { return now };
        now = at;
        left[trial] -= 1;
        if left[trial] == 0 {
            begin(trial, &mut trials, &mut left, &mut ready);
        }
    }
}

/// How long a client takes that only asks, as many times and as many at once.
fn bare(url: &str, calls: usize) -> Duration {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("{url}/chat/completions");
        let body =
            serde_json::json!({"model": "m", "messages": [{"role": "user", "content": "law ".repeat(1500)}]});
        let start = Instant::now();
        futures::stream::iter(0..calls)
            .for_each_concurrent(IN_FLIGHT, |_| async {
                client.post(&url).json(&body).send().await.unwrap().bytes().await.unwrap();
            })
            .await;
        start.elapsed()
    })
}

fn main() {
    let (place, endpoint) = (Place::built(), Endpoint::start(Manner::Good(LATENCY_MS)));
    let mut lines = String::new();
    for i in 0..TRIALS {
        let case = serde_json::json!({
            "id": format!("net-{i:03}"), "language": "en", "jurisdiction": "xx",
            "facts": format!("Orla took net number {i} from a boat and hung it in her own shed. {}", "It rained. ".repeat(40)),
            "offence_date": "2010-06-01",
            "matter": {"asks": "sentence", "accusation": "taking another's net"},
        });
        let _ = writeln!(lines, "{case}");
    }
    std::fs::write(place.path("cases.jsonl"), lines).unwrap();
    let url = endpoint.url();
    let in_flight = IN_FLIGHT.to_string();
    let args = [
        "run",
        "agentsbench",
        "--cases",
        "cases.jsonl",
        "--rounds",
        "2",
        "--llm",
        &url,
        "--model",
        "m",
        "--concurrency",
        &in_flight,
        "--out",
        "run",
    ];
    let mut command = place.command(&args);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0u64;
    let (mut first, mut last, mut calls) = (None, Instant::now(), 0);
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text
            .lines()
            .find_map(|l| l.strip_prefix("VmHWM:"))
            .and_then(|l| l.split_whitespace().next()?.parse().ok());
        peak = peak.max(line.unwrap_or(0));
        let n = endpoint.count();
        if n > 0 {
            first.get_or_insert_with(Instant::now);
        }
        if n > calls {
            (calls, last) = (n, Instant::now());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let whole = start.elapsed();
    let phases = phases(&place.path("run"));
    let made: usize = phases.iter().flatten().sum();
    let ideal = Duration::from_millis(list_schedule(phases));
    // From the first request to the end of the last call; what comes before and after is starting and reporting.
    let calling = last.duration_since(first.unwrap_or(start)) + Duration::from_millis(LATENCY_MS);
    let bare = bare(&url, made);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("trials {TRIALS}, calls {made} ({calls} requests), in flight {IN_FLIGHT}, {LATENCY_MS} ms each");
    println!(
        "list schedule {ideal:?}, the calls took {calling:?}: {:.3} times; the whole command {whole:?}",
        calling.as_secs_f64() / ideal.as_secs_f64()
    );
    let least = Duration::from_millis(LATENCY_MS * made.div_ceil(IN_FLIGHT) as u64);
    println!(
        "a bare client: {made} calls in {bare:?}, {:.3} times {least:?}",
        bare.as_secs_f64() / least.as_secs_f64()
    );
    println!("peak memory {} MB; load {}", peak / 1024, load.trim());
}
