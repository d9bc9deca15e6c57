//! AgentsBench: a bench of professional and lay judges that sentences in deliberation.
//!
//! A presiding judge, judges and lay judges each plan and, independently, hold a sentence right: S(0). Each round has
//! a discussion D(t): the presiding judge opens it by the points that divide the bench, the others put questions to
//! each other, those asked answer, the presiding judge sums up. Then everybody, independently again, changes the
//! sentence or keeps it with further reasons: S(t). The presiding judge reads positions and rationales and says
//! whether the bench agrees; no number decides that. Each reflects. At the end the presiding judge ratifies what was
//! agreed, or weighs all of it, with a justification that says something of every round.
//!
//! Judges reason from rules, principles and landmark cases, lay judges from ethics and social effect. Death and life
//! are classes of their own, never numbers. A plan, a reflection and what is recalled from memory are the agent's
//! own; peers of one step do not hear each other.
//!
//! Calls of a trial, where every reply will do: with n = 1 + judges + lay judges, r = rounds held and a = agents
//! that were asked something in a round, 2·n + r·(3·n + 2 + a) + 1; plus 1 where personas are written, 1 an agent that
//! looks law up, n where memory is written.

mod asking;
mod deliberation;
mod members;
mod memory;
mod options;
mod sentence;
mod sentencing;

use serde_json::{Value, json};

use super::shared::{charges, evidence};
use crate::case::{Case, CaseError, Matter, form};
use crate::event::{Actor, Body, Decision};
use crate::run::RunConfig;
use crate::session::{Session, SessionError};

pub use options::{MemoryUse, Options, Personas};
pub use sentencing::{Sentencing, read_sentencing};

/// Name of the protocol.
pub const NAME: &str = "agentsbench";

/// Roles that a model answers for.
pub const ROLES: &[&str] = &["presiding", "judge", "lay"];

/// Roles that can look law up.
pub const RAG_ROLES: &[&str] = &["presiding", "judges", "lay"];

/// Most entries in a statement's list of provisions.
const MOST_CITES: usize = 4;

/// Whether a case can be tried here: an offence, of which the accused is guilty, is named.
///
/// # Errors
/// If there is none.
pub fn accepts(case: &Case) -> Result<(), CaseError> {
    let named = match &case.matter {
        Matter::Sentence { accusation, .. } => !accusation.trim().is_empty() || !case.charges.is_empty(),
        Matter::Charges => !case.charges.is_empty(),
        _ => false,
    };
    if named {
        return Ok(());
    }
    Err(form(
        &case.id,
        "no offence is named, and agentsbench sentences for one",
        "add `matter = { asks = \"sentence\", accusation = \"theft\" }` or a `[[charge]]`",
    ))
}

/// A member of the bench.
struct Member {
    actor: Actor,
    number: u32,
    persona: String,
    law: Vec<String>,
    recalled: Vec<String>,
    /// Plan and reflections, oldest first; nobody else's to read.
    notes: Vec<String>,
}

struct Bench<'s> {
    session: &'s Session,
    config: &'s RunConfig,
    options: &'s Options,
    facts: String,
    articles: String,
    example: String,
    members: Vec<Member>,
    /// Said on the bench so far, oldest first.
    record: Vec<String>,
    /// Rounds begun.
    rounds: u32,
}

/// Holds a trial.
///
/// # Errors
/// If the session cannot go on.
pub async fn hold(
    session: &Session,
    config: &RunConfig,
    options: &Options,
) -> Result<Decision, SessionError> {
    let mut bench = Bench::seat(session, config, options)?;
    bench.personas().await?;
    bench.recall()?;
    bench.research().await?;
    bench.think("plan", 0).await?;
    bench.sentences(0).await?;
    let mut agreed = false;
    let mut round = 0;
    while round < options.rounds && !agreed {
        round += 1;
        bench.rounds = round;
        bench.discuss(round).await?;
        bench.sentences(round).await?;
        agreed = bench.agree(round).await?;
        bench.think("reflect", round).await?;
    }
    let sentence = bench.decide(agreed).await?;
    if options.memory == MemoryUse::Write {
        bench.remember(sentence).await?;
    }
    let decision = Decision::Term { sentence, consensus: agreed, rounds: round };
    let actor = session.actor("bench", "bench");
    session.record(&actor, "decision", None, Body::Decision(decision.clone()))?;
    Ok(decision)
}

impl Member {
    fn is_lay(&self) -> bool {
        self.actor.role == "lay"
    }
}

impl<'s> Bench<'s> {
    fn seat(session: &'s Session, config: &'s RunConfig, options: &'s Options) -> Result<Self, SessionError> {
        let case = session.case();
        let member = |role: &str, number: u32| {
            let agent = if number == 0 { role.to_owned() } else { format!("{role}-{number}") };
            Member {
                actor: session.actor(role, &agent),
                number,
                persona: String::new(),
                law: Vec::new(),
                recalled: Vec::new(),
                notes: Vec::new(),
            }
        };
        let members = std::iter::once(member("presiding", 0))
            .chain((1..=options.judges).map(|n| member("judge", n)))
            .chain((1..=options.lay).map(|n| member("lay", n)))
            .collect();
        let (accusation, articles) = match &case.matter {
            Matter::Sentence { accusation, articles } => (accusation.clone(), articles.clone()),
            _ => (String::new(), Vec::new()),
        };
        let articles: Vec<Value> = articles
            .iter()
            .map(|a| {
                let called = a.id.as_ref().and_then(|id| session.called(id));
                json!({"id": a.id.as_ref().map(ToString::to_string), "called": called, "text": a.text})
            })
            .collect();
        let charges = charges(case, &|id| session.called(id));
        let example = articles
            .iter()
            .chain(&charges)
            .find_map(|a| a.get("id").and_then(Value::as_str))
            .unwrap_or("cn/criminal-law#a61")
            .to_owned();
        let facts = session.text(
            "agentsbench/common#facts-text",
            &json!({"facts": case.facts, "evidence": evidence(case), "offence_date": case.offence_date.map(|d| d.to_string())}),
        )?;
        let articles = session.text(
            "agentsbench/common#offence-text",
            &json!({"accusation": accusation, "articles": articles, "charges": charges}),
        )?;
        Ok(Self {
            session,
            config,
            options,
            facts,
            articles,
            example,
            members,
            record: Vec::new(),
            rounds: 0,
        })
    }
}
