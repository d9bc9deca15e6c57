//! A bench that follows a script.

use std::sync::Arc;

use nyaya_agents::Case;
use nyaya_agents::chat::ChatRequest;
use nyaya_agents::event::{Body, Decision, Event};
use nyaya_agents::memory::Memory;
use nyaya_agents::protocols::{Court, agentsbench};
use nyaya_agents::run::{Outcome, Run, RunConfig};
use serde_json::{Value, json};

use crate::support;
pub use crate::support::*;

/// An invented case with an offence and its article.
pub fn case() -> Case {
    Case::from_toml(
        "net",
        r#"
id = "the-long-net"
language = "en"
jurisdiction = "xx"
offence_date = "2015-06-01"
facts = "Orla took a net from the racks and kept it for nine days. FACTS-MARK"

[matter]
asks = "sentence"
accusation = "taking of nets"

[[matter.articles]]
id = "xx/harbour-act#s4"
text = "ARTICLE-MARK Whoever takes a net from the drying racks to keep it."

[gold.term]
class = "fixed"
months = 7777
"#,
    )
    .unwrap()
}

/// Tells from a request in English whose turn it is.
pub fn turn(request: &ChatRequest) -> Turn {
    let text = &request.messages.last().unwrap().content;
    let name = request.schema.as_ref().map_or("", |s| s.name.as_str());
    let again = text.contains("Your reply");
    if name == "personas" {
        return Turn { agent: "presiding".to_owned(), step: "personas".to_owned(), again };
    }
    let own = text.rfind("\nYou are ").map_or(text.as_str(), |i| &text[i + 1..]);
    let digits = |s: &str| s.chars().take_while(char::is_ascii_digit).collect::<String>();
    let agent = if own.starts_with("You are the presiding judge") {
        "presiding".to_owned()
    } else if let Some(rest) = own.strip_prefix("You are judge ") {
        format!("judge-{}", digits(rest))
    } else if let Some(rest) = own.strip_prefix("You are lay judge ") {
        format!("lay-{}", digits(rest))
    } else {
        panic!("whose turn? {own}")
    };
    let round = || {
        let at = own.find("ound ").map(|i| digits(&own[i + 5..])).unwrap_or_default();
        if at.is_empty() { "0".to_owned() } else { at }
    };
    let step = match name {
        "plan" | "queries" | "decision" | "memory" => name.to_owned(),
        "sentence" if own.contains("Before you hear the others") => "sentence-0".to_owned(),
        other => format!("{other}-{}", round()),
    };
    Turn { agent, step, again }
}

/// A word that stands in what an agent says in public at a step, and nowhere else.
pub fn mark(agent: &str, step: &str) -> String {
    format!("MARK-{agent}-{step}.")
}

/// A word in what is the agent's own.
pub fn private(agent: &str, step: &str) -> String {
    format!("PRIVATE-{agent}-{step}.")
}

pub fn sentence(turn: &Turn, class: &str, months: u32) -> String {
    json!({"rationale": format!("So I hold. {}", mark(&turn.agent, &turn.step)), "cites": ["xx/harbour-act#s4"],
        "class": class, "months": months})
    .to_string()
}

/// Everybody does what is asked: `months` of a member at a round, `agree` of the presiding judge at a round.
pub fn play(
    turn: &Turn,
    request: &ChatRequest,
    months: impl Fn(&str, u32) -> u32,
    agree: impl Fn(u32) -> bool,
) -> String {
    let (kind, round) = turn.step.rsplit_once('-').unwrap_or((turn.step.as_str(), "0"));
    let round: u32 = round.parse().unwrap_or(0);
    let said = format!("It is so. {}", mark(&turn.agent, &turn.step));
    let own = format!("Mine. {}", private(&turn.agent, &turn.step));
    match kind {
        "plan" => json!({"thought": own}),
        "reflect" => json!({"thought": own, "plan": format!("Next. {}", private(&turn.agent, "next"))}),
        "sentence" => return sentence(turn, "fixed_term", months(&turn.agent, round)),
        "question" => {
            let schema = &request.schema.as_ref().unwrap().schema;
            let to = schema["properties"]["to"]["enum"][0].clone();
            json!({"remark": said, "to": to, "question": "Why?"})
        }
        "consensus" => json!({"reason": said, "consensus": agree(round)}),
        "decision" => {
            let held = request.schema.as_ref().unwrap().schema["properties"]["rounds"]["minItems"].as_u64().unwrap();
            let rounds: Vec<String> = (0..held).map(|r| format!("Of round {r}.")).collect();
            let mut reply: Value = serde_json::from_str(&sentence(turn, "fixed_term", months("presiding", 99))).unwrap();
            reply["rounds"] = json!(rounds);
            reply
        }
        "queries" => json!({"queries": [format!("section 1 QUERY-{}", turn.agent)]}),
        "memory" if turn.agent.starts_with("lay") => json!({"observation": format!("Nets are dear. {own}")}),
        "memory" => json!({"situation": format!("A net kept. {own}"), "rule": "Section 4.", "reasoning": "Days count."}),
        "personas" => {
            let names = request.schema.as_ref().unwrap().schema["properties"]["personas"]["items"]["properties"]
                ["member"]["enum"]
                .clone();
            let list: Vec<Value> = names
                .as_array()
                .unwrap()
                .iter()
                .map(|n| json!({"member": n, "persona": format!("WRITTEN-{}", n.as_str().unwrap())}))
                .collect();
            json!({"personas": list})
        }
        _ => json!({"statement": said, "cites": []}),
    }
    .to_string()
}

/// A model that follows a script of this court.
pub fn scripted(script: impl Fn(&Turn, &ChatRequest) -> String + Send + Sync + 'static) -> Arc<Scripted> {
    Arc::new(Scripted { concurrency: 3, ..Scripted::by_turns(turn, script) })
}

/// The same with a window of so many words.
pub fn windowed(
    words: usize,
    script: impl Fn(&Turn, &ChatRequest) -> String + Send + Sync + 'static,
) -> Arc<Scripted> {
    let model = Scripted::by_turns(turn, script);
    Arc::new(Scripted { concurrency: 3, window: Some(words), ..model })
}

/// A run in a folder of its own.
pub type Stage = support::Stage<Kb>;

/// Opens a run that begins with a memory.
pub fn remembering(
    stage: &Stage,
    config: &RunConfig,
    cases: &[Case],
    model: &Arc<Scripted>,
    memory: Memory,
) -> Run {
    let parts = stage.parts(Arc::clone(model));
    Run::open(config, cases, parts, &stage.place()).unwrap().with_memory(memory).unwrap()
}

/// The usual configuration with other options of the court.
pub fn court(change: impl FnOnce(&mut agentsbench::Options)) -> RunConfig {
    let mut options = agentsbench::Options::default();
    change(&mut options);
    RunConfig::of(Court::AgentsBench(options))
}

pub fn term(outcome: &Outcome) -> (Option<u32>, bool, u32) {
    match &outcome.decision {
        Some(Decision::Term { sentence, consensus, rounds }) => {
            (sentence.and_then(|s| s.months), *consensus, *rounds)
        }
        other => panic!("no term: {other:?}"),
    }
}

pub fn sentences(events: &[Event], step: &str) -> Vec<(String, Option<u32>)> {
    let of = |e: &Event| match &e.body {
        Body::Sentence { sentence, .. } if e.step == step => {
            Some((e.actor.agent.clone(), sentence.and_then(|s| s.months)))
        }
        _ => None,
    };
    events.iter().filter_map(of).collect()
}
