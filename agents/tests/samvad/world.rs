//! A model that follows a script of SAMVAD, and trials against it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use jiff::civil::date;
use nyaya_agents::Case;
use nyaya_agents::chat::{ChatError, ChatModel, ChatReply, ChatRequest, Message, Usage};
use nyaya_agents::event::{ChargeVerdict, Decision, Event, Statement};
use nyaya_agents::protocols::{Court, samvad};
use nyaya_agents::record::{comparable, read_events};
use nyaya_agents::run::{Outcome, Parts, Place, Run, RunConfig, RunError};
use nyaya_agents::session::{Counts, Models};
use nyaya_retrieval::Retrieve;

pub use crate::support::*;

pub fn case() -> Case {
    Case::from_toml(
        "harbour",
        r#"
id = "the-blue-skiff"
title = "Harbour v. Oskar Vahl"
language = "en"
offence_date = "2015-06-01"
proceeding_date = "2016-02-03"
keywords = ["skiff", "bung", "quay"]
facts = "Vahl pulled the bung of the blue skiff while he cleaned it, and it sank. FACTS-MARK"

[[charge]]
id = "xx/harbour-act#s2"
note = "Sinking of the blue skiff"

[[evidence]]
mark = "P-1"
side = "prosecution"
text = "The bung lay on the quay."

[[expected]]
charge = "xx/harbour-act#s2"
finding = "lesser"
offence = "xx/harbour-act#s3"
why = "EXPECTED-MARK"
"#,
    )
    .unwrap()
}

pub fn two_charges() -> Case {
    let mut case = case();
    case.id = "skiff-and-net".to_owned();
    let mut second = case.charges[0].clone();
    second.id = harbour(4);
    case.charges.push(second);
    case
}

/// Who is asked for what.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// `judge`, `prosecution`, `adjudicator-2`.
    pub agent: String,
    /// `queries`, `opening`, `view`, `round-1`, …
    pub step: String,
    /// The model is asked again.
    pub again: bool,
}

/// Tells from a request in English whose turn it is, by the words at its end.
pub fn turn(request: &ChatRequest) -> Turn {
    let text = &request.messages.last().unwrap().content;
    let own = text.rfind("\nYou are ").map_or(text.as_str(), |i| &text[i + 1..]);
    let agent = if own.starts_with("You are the judge") {
        "judge".to_owned()
    } else if own.starts_with("You are counsel for the prosecution") {
        "prosecution".to_owned()
    } else if own.starts_with("You are counsel for the defence") {
        "defence".to_owned()
    } else {
        let rest = own.strip_prefix("You are adjudicator ").unwrap_or_else(|| panic!("whose turn? {own}"));
        format!("adjudicator-{}", rest.chars().take_while(char::is_ascii_digit).collect::<String>())
    };
    let name = request.schema.as_ref().map_or("", |s| s.name.as_str());
    let step = match name {
        "queries" => "queries".to_owned(),
        "judgment" => "judgment".to_owned(),
        "position" => match own.find("This is round ") {
            Some(i) => {
                format!(
                    "round-{}",
                    own[i + 14..].chars().take_while(char::is_ascii_digit).collect::<String>()
                )
            }
            None => "view".to_owned(),
        },
        _ if agent == "judge" => "instruction".to_owned(),
        _ if own.contains("Open the") => "opening".to_owned(),
        _ if own.contains("Answer the strongest") => "rebuttal".to_owned(),
        _ => "closing".to_owned(),
    };
    let again = own.contains("Your reply") || own.contains("structured exercise");
    Turn { agent, step, again }
}

pub type Script = dyn Fn(&Turn, &ChatRequest) -> String + Send + Sync;

/// A model that follows a script, remembers what it was sent, and can die.
pub struct Scripted {
    script: Box<Script>,
    pub concurrency: usize,
    pub window: Option<usize>,
    pub finish: Mutex<BTreeMap<usize, String>>,
    /// Requests begun from this one on fail (or hang, if `hang`).
    pub die_at: AtomicUsize,
    pub hang: bool,
    pub died: Arc<tokio::sync::Notify>,
    pub begun: AtomicUsize,
    pub requests: Mutex<Vec<ChatRequest>>,
    pub answered: Mutex<Vec<Turn>>,
}

impl Scripted {
    pub fn new(script: impl Fn(&Turn, &ChatRequest) -> String + Send + Sync + 'static) -> Self {
        Self {
            script: Box::new(script),
            concurrency: 1,
            window: None,
            finish: Mutex::default(),
            die_at: AtomicUsize::new(usize::MAX),
            hang: false,
            died: Arc::default(),
            begun: AtomicUsize::new(0),
            requests: Mutex::default(),
            answered: Mutex::default(),
        }
    }

    pub fn turns(&self) -> Vec<Turn> {
        self.requests.lock().unwrap().iter().map(turn).collect()
    }

    pub fn requests_of(&self, agent: &str, step: &str) -> Vec<ChatRequest> {
        let all = self.requests.lock().unwrap();
        all.iter().filter(|r| turn(r).agent == agent && turn(r).step == step).cloned().collect()
    }
}

#[async_trait]
impl ChatModel for Scripted {
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ChatError> {
        let n = self.begun.fetch_add(1, Ordering::SeqCst);
        if n >= self.die_at.load(Ordering::SeqCst) {
            self.died.notify_one();
            if self.hang {
                std::future::pending::<()>().await;
            }
            return Err(ChatError::Unreachable {
                endpoint: "http://script".to_owned(),
                message: "gone".to_owned(),
            });
        }
        self.requests.lock().unwrap().push(request.clone());
        if self.concurrency > 1 {
            // Replies come in another order than the questions went out, and in another one each time.
            let jitter = (n.wrapping_mul(2_654_435_761) >> 3) % 7;
            tokio::time::sleep(Duration::from_millis(jitter as u64)).await;
        }
        let turn = turn(request);
        let content = (self.script)(&turn, request);
        self.answered.lock().unwrap().push(turn);
        let finish = self.finish.lock().unwrap().get(&n).cloned().unwrap_or_else(|| "stop".to_owned());
        Ok(ChatReply {
            content,
            reasoning: Some(format!("THOUGHT-{}", turn_mark(request))),
            finish_reason: finish,
            model: "script".to_owned(),
            usage: Usage { prompt_tokens: Some(100), completion_tokens: Some(20) },
            latency_ms: n as u64,
            attempts: 1,
        })
    }

    fn name(&self) -> String {
        "script".to_owned()
    }

    fn context_length(&self) -> Option<usize> {
        self.window
    }

    fn count_tokens(&self, messages: &[Message]) -> Option<usize> {
        self.window.map(|_| messages.iter().map(|m| m.content.split_whitespace().count()).sum())
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }
}

fn turn_mark(request: &ChatRequest) -> String {
    let t = turn(request);
    mark(&t.agent, &t.step)
}

/// A word that stands in what an agent says at a step, and nowhere else.
pub fn mark(agent: &str, step: &str) -> String {
    format!("MARK-{agent}-{step}.")
}

pub fn queries(words: &[&str]) -> String {
    serde_json::json!({"queries": words}).to_string()
}

pub fn statement(turn: &Turn, cites: &[&str]) -> String {
    serde_json::json!({"statement": format!("It is so. {}", mark(&turn.agent, &turn.step)), "cites": cites})
        .to_string()
}

/// `findings`: charge, finding, offence.
pub fn position(turn: &Turn, findings: &[(&str, &str, &str)]) -> String {
    let findings: Vec<_> = findings
        .iter()
        .map(|(c, f, o)| serde_json::json!({"charge": format!("xx/harbour-act#{c}"), "finding": f, "offence": o}))
        .collect();
    serde_json::json!({
        "statement": format!("I find so. {}", mark(&turn.agent, &turn.step)),
        "cites": ["xx/harbour-act#s2"],
        "findings": findings,
    })
    .to_string()
}

/// Everybody does what is asked; `vote` decides a member's finding in a round, `bench` the judge's.
pub fn play(
    turn: &Turn,
    vote: impl Fn(u32, u32) -> (&'static str, &'static str),
    bench: (&str, &str),
) -> String {
    match turn.step.as_str() {
        "queries" => match turn.agent.as_str() {
            "judge" => queries(&["section 2", "section 3 QUERY-judge"]),
            "prosecution" => queries(&["section 4 QUERY-prosecution"]),
            "defence" => queries(&["section 5 QUERY-defence"]),
            other => queries(&[&format!("section 1 QUERY-{other}")]),
        },
        "judgment" => position(turn, &[("s2", bench.0, bench.1)]),
        step if step == "view" || step.starts_with("round-") => {
            let n = turn.agent.rsplit('-').next().unwrap().parse().unwrap();
            let round = step.strip_prefix("round-").map_or(0, |r| r.parse().unwrap());
            let (finding, offence) = vote(n, round);
            match finding {
                "babble" => "mmm, well, who can say".to_owned(),
                "refuse" => "I'm sorry, but I can't help with judging people.".to_owned(),
                _ => position(turn, &[("s2", finding, offence)]),
            }
        }
        _ => statement(turn, &["xx/harbour-act#s2"]),
    }
}

/// All vote guilty at once.
pub fn agreeing() -> Scripted {
    Scripted::new(|turn, _| play(turn, |_, _| ("guilty", ""), ("guilty", "")))
}

/// Three of five say guilty, the others not; after the first round all but the last agree.
pub fn converging() -> Scripted {
    Scripted::new(|turn, _| {
        let vote = |n, round| match (n, round) {
            (1..=3, _) => ("guilty", ""),
            (4, 1..) => ("guilty", ""),
            _ => ("not_guilty", ""),
        };
        play(turn, vote, ("guilty", ""))
    })
}

pub struct Stage {
    pub folder: tempfile::TempDir,
    pub kb: Arc<Kb>,
}

impl Stage {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), kb: Arc::new(Kb::new()) }
    }

    /// A folder whose run has a known secret, so that two runs can be compared to the letter.
    pub fn parts(&self, model: Arc<Scripted>) -> Parts {
        let kb: Arc<dyn Retrieve> = Arc::clone(&self.kb) as _;
        let model: Arc<dyn ChatModel> = model;
        Parts { models: Models::new(model), retriever: kb, catalogue: catalogue(), today: date(2026, 1, 1) }
    }

    pub fn run(&self, options: &RunConfig, case: &Case, model: &Arc<Scripted>) -> Result<Run, RunError> {
        let place = Place::Folder(self.folder.path().to_owned());
        Run::open(options, std::slice::from_ref(case), self.parts(Arc::clone(model)), &place)
    }

    pub async fn hold(
        &self,
        options: &RunConfig,
        case: &Case,
        model: &Arc<Scripted>,
    ) -> Result<Tried, RunError> {
        Ok(tried(self.run(options, case, model)?.trial(case, 0, Arc::new(())).await?))
    }

    pub fn events(&self, case: &Case) -> Vec<Event> {
        read_events(&self.folder.path().join("trials").join(format!("{}-0", case.id)).join("events.jsonl"))
            .unwrap()
    }

    /// The record without times, latencies and the secret.
    pub fn comparable(&self, case: &Case) -> Vec<serde_json::Value> {
        let run = nyaya_agents::run::RunRecord::read(self.folder.path()).unwrap();
        self.events(case).iter().map(|e| comparable(e, Some(&run.fence_secret))).collect()
    }
}

/// An outcome with its findings on charges at hand.
#[derive(Debug)]
pub struct Tried {
    pub charges: Vec<ChargeVerdict>,
    pub hung: bool,
    pub rounds: u32,
    pub judgment: Option<Statement>,
    pub counts: Counts,
    pub finished: bool,
    pub was_finished: bool,
    pub stopped: Option<String>,
}

fn tried(outcome: Outcome) -> Tried {
    let Outcome { decision, counts, finished, was_finished, stopped, .. } = outcome;
    let (charges, hung, rounds, judgment) = match decision {
        Some(Decision::Charges { charges, hung, rounds, judgment }) => (charges, hung, rounds, judgment),
        None => (Vec::new(), false, 0, None),
        Some(other) => panic!("not findings on charges: {other:?}"),
    };
    Tried { charges, hung, rounds, judgment, counts, finished, was_finished, stopped }
}

/// The usual configuration with other options of the court.
pub fn court(change: impl FnOnce(&mut samvad::Options)) -> RunConfig {
    let mut options = samvad::Options::default();
    change(&mut options);
    RunConfig::of(Court::Samvad(options))
}
