//! A model that follows a script of SAMVAD, and trials against it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use nyaya_agents::Case;
use nyaya_agents::chat::ChatRequest;
use nyaya_agents::event::{ChargeVerdict, Decision, Statement};
use nyaya_agents::protocols::{Court, samvad};
use nyaya_agents::run::{Outcome, RunConfig, RunError};
use nyaya_agents::session::Counts;

use crate::support;
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

/// A model that follows a script of this court.
pub fn scripted(script: impl Fn(&Turn, &ChatRequest) -> String + Send + Sync + 'static) -> Scripted {
    Scripted::by_turns(turn, script)
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
    scripted(|turn, _| play(turn, |_, _| ("guilty", ""), ("guilty", "")))
}

/// Three of five say guilty, the others not; after the first round all but the last agree.
pub fn converging() -> Scripted {
    scripted(|turn, _| {
        let vote = |n, round| match (n, round) {
            (1..=3, _) => ("guilty", ""),
            (4, 1..) => ("guilty", ""),
            _ => ("not_guilty", ""),
        };
        play(turn, vote, ("guilty", ""))
    })
}

/// A run in a folder of its own, whose outcomes are findings on charges.
pub struct Stage(support::Stage<Kb>);

impl Deref for Stage {
    type Target = support::Stage<Kb>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Stage {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Stage {
    pub fn new() -> Self {
        Self(support::Stage::new())
    }

    pub async fn hold(
        &self,
        options: &RunConfig,
        case: &Case,
        model: &Arc<Scripted>,
    ) -> Result<Tried, RunError> {
        Ok(tried(self.0.hold(options, case, model).await?))
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
