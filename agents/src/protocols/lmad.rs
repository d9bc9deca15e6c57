//! L-MAD: several agents debate whether premises entail a hypothesis, until they agree or vote.
//!
//! Each agent plays a persona, fixed (judge, attorney, lawyer) or written by the model. In each round every agent
//! answers Y or N with its reasons, and from the second round on says in a field of its own whether it agrees with the
//! answer that most of them gave. It reads what was said in the last two rounds, its own words among it, and never
//! what is said in the same round.
//!
//! By consensus the debate ends with the first round in which enough of all agents answer the same: more than half
//! (majority), more than 66 % (supermajority: two of three pass), or all (unanimity). The hybrid wants all, and takes
//! the supermajority when the rounds run out. Without that there is no decision, and a person should look at it.
//!
//! By vote the rounds are held, then each agent votes for one of the agents' answers, which are shown with their
//! reasons, or ranks them (Borda: with n answers the first of a ballot gets n − 1 points, the last none). A tie between
//! labels makes one more round and one more vote; a second tie is `split`, for a person to decide.
//!
//! Calls with n agents and r rounds held: n·r, plus 1 for personas that the model writes, plus n for a vote, plus 2·n
//! after a tie.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::shared::{chars, count, limit, object, one_line, others, passages, text_schema, tokens};
use crate::case::{Case, CaseError, Matter, form};
use crate::event::{Actor, Body, Decision};
use crate::read::{Label, Reading, read_json, read_yes_no};
use crate::run::{RunConfig, RunError, config};
use crate::session::{Ask, Session, SessionError};

/// Name of the protocol.
pub const NAME: &str = "lmad";

/// Roles that a model answers for.
pub const ROLES: &[&str] = &["agent", "personas"];

/// Who the agents are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Personas {
    /// Written by the model for the case.
    #[default]
    Generated,
    /// Judge, attorney, lawyer, and again from the first.
    Fixed,
}

/// How agents are asked to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// Without a side to take.
    #[default]
    Neutral,
    /// Looking for flaws in what was said.
    Critical,
}

/// How a decision comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// More than half of all agents.
    Majority,
    /// More than 66 % of all agents.
    Supermajority,
    /// All agents.
    Unanimity,
    /// All agents; the supermajority when the rounds run out.
    #[default]
    Hybrid,
    /// Each agent votes for one answer.
    Vote,
    /// Each agent ranks the answers.
    Borda,
}

impl Rule {
    /// Whether the agents vote at the end.
    #[must_use]
    pub fn votes(self) -> bool {
        matches!(self, Self::Vote | Self::Borda)
    }

    /// Whether so many of all agents are enough, at the last round or before.
    #[must_use]
    pub fn reached(self, votes: u32, of: u32, last: bool) -> bool {
        let (votes, of) = (u64::from(votes), u64::from(of));
        of > 0
            && match self {
                Self::Majority => votes * 2 > of,
                Self::Supermajority => votes * 100 > of * 66,
                Self::Hybrid if last => votes * 100 > of * 66,
                Self::Unanimity | Self::Hybrid | Self::Vote | Self::Borda => votes == of,
            }
    }
}

/// What is L-MAD's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Agents.
    pub agents: u32,
    /// Most rounds; by default 5 where the agents must agree, 3 where they vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// How a decision comes about.
    pub rule: Rule,
    /// Who the agents are.
    pub personas: Personas,
    /// How agents are asked to answer.
    pub response: Response,
    /// No vote and no further round once all agree.
    pub early_stop: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            agents: 3,
            rounds: None,
            rule: Rule::default(),
            personas: Personas::default(),
            response: Response::default(),
            early_stop: false,
        }
    }
}

impl Options {
    /// Most rounds.
    #[must_use]
    pub fn most_rounds(&self) -> u32 {
        self.rounds.unwrap_or(if self.rule.votes() { 3 } else { 5 })
    }

    /// Checks the options.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        if !(2..=26).contains(&self.agents) {
            return Err(config(
                format!("{} agents", self.agents),
                "a debate has 2 to 26 agents; the paper has 2 to 5",
            ));
        }
        if !(1..=50).contains(&self.most_rounds()) {
            return Err(config(
                format!("{} rounds", self.most_rounds()),
                "a debate has 1 to 50 rounds; the paper has 1 to 5",
            ));
        }
        Ok(())
    }
}

/// Whether a case can be debated here: it needs a hypothesis.
///
/// # Errors
/// If it has none.
pub fn accepts(case: &Case) -> Result<(), CaseError> {
    if matches!(&case.matter, Matter::Entailment { hypothesis, .. } if !hypothesis.trim().is_empty()) {
        return Ok(());
    }
    Err(form(
        &case.id,
        "there is no hypothesis, and lmad decides whether premises entail one",
        "give COLIEE's XML, or JSON Lines with `premises` and `hypothesis`, with --cases",
    ))
}

/// An agent and who it plays.
struct Member {
    actor: Actor,
    persona: String,
}

/// What an agent holds at a round.
#[derive(Debug, Clone)]
struct Held {
    label: Option<&'static str>,
    reason: String,
}

#[derive(Serialize)]
struct Words<'a> {
    limit: usize,
    agent: &'a str,
    round: u32,
    leading: &'a str,
    critical: bool,
    agents: usize,
    tie: bool,
}

#[derive(Debug, Deserialize)]
struct Extra {
    #[serde(default, alias = "reasoning", alias = "reasons")]
    reason: Option<String>,
    #[serde(default)]
    agrees: Option<bool>,
}

#[derive(Debug, Clone)]
struct Reply {
    label: &'static str,
    reason: String,
    agrees: Option<bool>,
}

fn read_reply(raw: &str) -> Reading<Reply> {
    read_yes_no(raw).map(|v| {
        let extra = read_json::<Extra>(raw).value;
        Reply {
            label: if v.prediction == Label::Yes { "Y" } else { "N" },
            reason: extra.as_ref().and_then(|e| e.reason.clone()).or(v.reasoning).unwrap_or_else(|| {
                // Running text is its own reason.
                if raw.trim_start().starts_with(['{', '[']) { String::new() } else { raw.trim().to_owned() }
            }),
            agrees: extra.and_then(|e| e.agrees),
        }
    })
}

#[derive(Debug, Deserialize)]
struct Written {
    personas: Vec<WrittenPersona>,
}

#[derive(Debug, Deserialize)]
struct WrittenPersona {
    role: String,
    #[serde(default)]
    description: String,
}

#[derive(Debug, Deserialize)]
struct Voted {
    choice: String,
}

#[derive(Debug, Deserialize)]
struct Ranked {
    order: Vec<String>,
}

struct Panel<'s> {
    session: &'s Session,
    config: &'s RunConfig,
    options: &'s Options,
    premises: Vec<String>,
    hypothesis: String,
    /// Entries of each round, in the order of the agents.
    rounds: Vec<Vec<String>>,
}

/// Holds a debate.
///
/// # Errors
/// If the session cannot go on.
pub async fn hold(
    session: &Session,
    config: &RunConfig,
    options: &Options,
) -> Result<Decision, SessionError> {
    let Matter::Entailment { premises, hypothesis } = &session.case().matter else {
        return Err(SessionError::Options { message: "lmad needs a hypothesis".to_owned() });
    };
    let premises = if config.rag.iter().any(|r| r == "premises") {
        let clerk = session.actor("personas", "clerk");
        passages(&session.search(&clerk, "premises", hypothesis).await?)
    } else {
        premises.iter().map(|p| p.text.clone()).collect()
    };
    if premises.iter().all(|p| p.trim().is_empty()) {
        return Err(SessionError::Options {
            message: format!(
                "case {}: there are no premises\nhint: put them into the file, or look them up with --retrieve K",
                session.case().id
            ),
        });
    }
    let mut panel =
        Panel { session, config, options, premises, hypothesis: hypothesis.clone(), rounds: Vec::new() };
    let members = panel.members().await?;
    let bench = session.actor("agent", "panel");
    let last = options.most_rounds();
    let mut held = Vec::new();
    let mut round = 0;
    while round < last {
        round += 1;
        held = panel.round(&members, &held, round).await?;
        let (_, reached) = panel.tally(&bench, &held, round, round == last)?;
        let stops = !options.rule.votes() || options.early_stop;
        if reached && stops {
            return panel.end(&bench, leading(&held), "decided", Vec::new(), round);
        }
    }
    if !options.rule.votes() {
        let why = format!("no consensus: {}", shares(&held));
        return panel.end(&bench, None, "no_consensus", vec![why], round);
    }
    if held.iter().all(|h| h.label.is_none()) {
        let why = "no agent gave an answer that can be read".to_owned();
        return panel.end(&bench, None, "no_decision", vec![why], round);
    }
    match panel.vote(&members, &bench, &held, "vote").await? {
        Outcome::Label(label) => panel.end(&bench, Some(label), "decided", Vec::new(), round),
        Outcome::Nobody => {
            panel.end(&bench, None, "no_decision", vec!["no vote can be read".to_owned()], round)
        }
        Outcome::Tie => {
            round += 1;
            held = panel.round(&members, &held, round).await?;
            panel.tally(&bench, &held, round, false)?;
            match panel.vote(&members, &bench, &held, "tie-break").await? {
                Outcome::Label(label) => panel.end(&bench, Some(label), "decided", Vec::new(), round),
                Outcome::Tie => {
                    let why = format!("the vote was tied twice; the answers held last: {}", shares(&held));
                    panel.end(&bench, None, "split", vec![why], round)
                }
                Outcome::Nobody => {
                    panel.end(&bench, None, "no_decision", vec!["no vote can be read".to_owned()], round)
                }
            }
        }
    }
}

enum Outcome {
    Label(&'static str),
    Tie,
    Nobody,
}

/// Agents by answer; those without one stand apart.
fn counted(held: &[Held]) -> BTreeMap<&'static str, u32> {
    let mut groups = BTreeMap::from([("N", 0), ("Y", 0)]);
    for label in held.iter().filter_map(|h| h.label) {
        *groups.entry(label).or_default() += 1;
    }
    groups
}

/// The answer that more agents gave than the other.
fn leading(held: &[Held]) -> Option<&'static str> {
    let groups = counted(held);
    let most = groups.values().copied().max().filter(|n| *n > 0)?;
    let mut top = groups.iter().filter(|(_, n)| **n == most);
    let first = top.next()?;
    top.next().is_none().then_some(*first.0)
}

fn shares(held: &[Held]) -> String {
    let groups = counted(held);
    let none = held.iter().filter(|h| h.label.is_none()).count();
    let mut parts: Vec<String> = groups.iter().map(|(l, n)| format!("{l} {n}")).collect();
    if none > 0 {
        parts.push(format!("no answer {none}"));
    }
    format!("{} of {} agents", parts.join(", "), held.len())
}

fn step_of(round: u32) -> String {
    format!("round-{round}")
}

impl<'s> Panel<'s> {
    fn problem(&self, kind: &str, value: &str) -> Result<String, SessionError> {
        self.session.text("lmad/agent#problem", &BTreeMap::from([("kind", kind), ("value", value)]))
    }

    /// Begins a question: the pair and what was said first, what is the agent's own last.
    fn question<S: Serialize>(
        &self,
        actor: &Actor,
        step: &str,
        block: &str,
        words: &S,
        said: &[String],
        persona: Option<&str>,
    ) -> Result<Ask<'s>, SessionError> {
        let session = self.session;
        let none = BTreeMap::<String, String>::new();
        let pair = [("premises", self.premises.clone()), ("hypothesis", vec![self.hypothesis.clone()])];
        let ask = session
            .ask(actor, step)
            .system_pieces(session.render("lmad/agent#system", &none, &[])?)
            .pieces(session.render("lmad/agent#pair", &none, &pair)?);
        let ask = others(session, ask, "lmad/agent#said", "said", said.to_vec())?;
        // A persona that a model wrote is no instruction of the program's.
        let persona: Vec<_> = persona.iter().map(|p| ("persona", vec![(*p).to_owned()])).collect();
        Ok(ask.pieces(session.render(block, words, &persona)?))
    }

    async fn members(&self) -> Result<Vec<Member>, SessionError> {
        let n = self.options.agents as usize;
        let mut personas = match self.options.personas {
            Personas::Generated => self.written(n).await?,
            Personas::Fixed => Vec::new(),
        };
        // Where the model wrote too few, which the record shows, the fixed ones fill up.
        for i in personas.len()..n {
            let role = ["judge", "attorney", "lawyer"].get(i % 3).copied().unwrap_or("judge");
            personas.push(self.session.text("lmad/personas#fixed", &BTreeMap::from([("role", role)]))?);
        }
        let mut members = Vec::with_capacity(n);
        for (i, persona) in personas.into_iter().take(n).enumerate() {
            let actor = self.session.actor("agent", &format!("agent-{}", i + 1));
            self.session.record(&actor, "start", None, Body::Persona { text: persona.clone() })?;
            members.push(Member { actor, persona });
        }
        Ok(members)
    }

    /// Personas that the model writes for the case.
    async fn written(&self, n: usize) -> Result<Vec<String>, SessionError> {
        let actor = self.session.actor("personas", "personas");
        let one = object(&[("role", text_schema(40)), ("description", text_schema(200))]);
        let list = json!({"type": "array", "minItems": n, "maxItems": n, "items": one});
        let schema = object(&[("personas", list)]);
        let few = self.problem("personas", &n.to_string())?;
        let answer = self
            .question(&actor, "personas", "lmad/personas#write", &BTreeMap::from([("n", n)]), &[], None)?
            .schema("personas", schema)
            .max_tokens(tokens(self.session, self.config, "personas", n * 280))
            .send_checked(|w: &Written| if w.personas.len() < n { Err(few.clone()) } else { Ok(()) })
            .await?;
        let written = answer.reading.value.map(|w| w.personas).unwrap_or_default();
        Ok(written
            .iter()
            .map(|p| one_line(&format!("{}: {}", p.role, p.description)))
            .filter(|p| p.len() > 2)
            .collect())
    }

    /// What was said in the two rounds before this one.
    fn recent(&self) -> Vec<String> {
        let from = self.rounds.len().saturating_sub(2);
        self.rounds.iter().skip(from).flatten().cloned().collect()
    }

    /// Everybody on what was said in the two rounds before, nobody on what the others say in this one.
    async fn round(
        &mut self,
        members: &[Member],
        before: &[Held],
        round: u32,
    ) -> Result<Vec<Held>, SessionError> {
        let leads = leading(before);
        let said = self.recent();
        let jobs = members.iter().map(|m| self.answer(m, leads, round, &said, members.len())).collect();
        let answers = self.session.together("agent", jobs).await?;
        let mut held = Vec::with_capacity(answers.len());
        let mut entries = Vec::new();
        for (answer, entry) in answers {
            held.push(answer);
            entries.extend(entry);
        }
        self.rounds.push(entries);
        Ok(held)
    }

    async fn answer(
        &self,
        member: &Member,
        leads: Option<&'static str>,
        round: u32,
        said: &[String],
        agents: usize,
    ) -> Result<(Held, Option<String>), SessionError> {
        let chars = chars(self.session, self.config);
        let words = Words {
            limit: limit(self.session, chars),
            agent: &member.actor.agent,
            round,
            leading: leads.unwrap_or_default(),
            critical: self.options.response == Response::Critical,
            agents,
            tie: false,
        };
        let mut fields = vec![("reason", text_schema(chars))];
        if leads.is_some() {
            fields.push(("agrees", json!({"type": "boolean"})));
        }
        fields.push(("answer", json!({"type": "string", "enum": ["Y", "N"]})));
        let step = step_of(round);
        let actor = &member.actor;
        let differs = leads.map(|l| self.problem("agrees", l)).transpose()?;
        let check = |reply: &Reply| match (leads, reply.agrees, &differs) {
            (Some(label), Some(agrees), Some(problem)) if agrees != (reply.label == label) => {
                Err(problem.clone())
            }
            _ => Ok(()),
        };
        let answer = self
            .question(actor, &step, "lmad/agent#answer", &words, said, Some(&member.persona))?
            .round(round)
            .schema("answer", object(&fields))
            .max_tokens(tokens(self.session, self.config, &actor.role, chars + 40))
            .send_read(read_reply, check)
            .await?;
        let stage = answer.reading.stage.as_str().to_owned();
        let Some(reply) = answer.reading.value else {
            let statement = self.session.statement("", &[]);
            let body = Body::Answer { label: None, statement, agrees: None, stage };
            self.session.record(actor, &step, Some(round), body)?;
            return Ok((Held { label: None, reason: String::new() }, None));
        };
        let entry = BTreeMap::from([
            ("round", round.to_string()),
            ("agent", actor.agent.clone()),
            ("label", reply.label.to_owned()),
            ("text", one_line(&reply.reason)),
        ]);
        let entry = self.session.text("lmad/agent#entry", &entry)?;
        let body = Body::Answer {
            label: Some(reply.label.to_owned()),
            statement: self.session.statement(&reply.reason, &[]),
            agrees: if leads.is_some() { reply.agrees } else { None },
            stage,
        };
        self.session.record(actor, &step, Some(round), body)?;
        Ok((Held { label: Some(reply.label), reason: one_line(&reply.reason) }, Some(entry)))
    }

    /// Counts the answers of a round.
    fn tally(
        &self,
        bench: &Actor,
        held: &[Held],
        round: u32,
        last: bool,
    ) -> Result<(u32, bool), SessionError> {
        let groups = counted(held);
        let of = count(held.len());
        let most = groups.values().copied().max().unwrap_or(0);
        let reached = leading(held).is_some() && self.options.rule.reached(most, of, last);
        let points = groups.into_iter().map(|(l, n)| (l.to_owned(), n)).collect();
        let body = Body::Tally { rule: "agreement".to_owned(), points, of, reached };
        self.session.record(bench, &step_of(round), Some(round), body)?;
        Ok((most, reached))
    }

    /// A vote or a ranking of the agents' answers.
    async fn vote(
        &self,
        members: &[Member],
        bench: &Actor,
        held: &[Held],
        step: &str,
    ) -> Result<Outcome, SessionError> {
        let candidates: Vec<(&str, &'static str)> =
            members.iter().zip(held).filter_map(|(m, h)| Some((m.actor.agent.as_str(), h.label?))).collect();
        let mut shown = Vec::with_capacity(candidates.len());
        for (member, answer) in members.iter().zip(held) {
            let Some(label) = answer.label else { continue };
            let entry = BTreeMap::from([
                ("agent", member.actor.agent.as_str()),
                ("label", label),
                ("text", answer.reason.as_str()),
            ]);
            shown.push(self.session.text("lmad/agent#candidate", &entry)?);
        }
        let jobs = members.iter().map(|m| self.ballot(m, &candidates, &shown, step)).collect();
        let ballots = self.session.together("agent", jobs).await?;
        let label_of: BTreeMap<&str, &'static str> = candidates.iter().copied().collect();
        let borda = self.options.rule == Rule::Borda;
        let mut points: BTreeMap<String, u32> = BTreeMap::new();
        let mut read = 0;
        for ballot in ballots.iter().filter(|b| !b.is_empty()) {
            read += 1;
            for (place, name) in ballot.iter().enumerate() {
                if borda {
                    // Each agent's answer for itself: n answers, the first of a ballot gets n − 1 points.
                    *points.entry(name.clone()).or_default() += count(candidates.len() - 1 - place);
                } else if let Some(label) = label_of.get(name.as_str()) {
                    *points.entry((*label).to_owned()).or_default() += 1;
                }
            }
        }
        let most = points.values().copied().max().unwrap_or(0);
        let mut winners: Vec<&'static str> = points
            .iter()
            .filter(|(_, n)| **n == most)
            .filter_map(|(name, _)| match name.as_str() {
                "Y" => Some("Y"),
                "N" => Some("N"),
                agent => label_of.get(agent).copied(),
            })
            .collect();
        winners.sort_unstable();
        // Two answers with the same label and the same points are no tie of labels.
        winners.dedup();
        let outcome = match winners.as_slice() {
            _ if read == 0 => Outcome::Nobody,
            [one] => Outcome::Label(one),
            _ => Outcome::Tie,
        };
        let body = Body::Tally {
            rule: if borda { "borda" } else { "votes" }.to_owned(),
            points: points.into_iter().collect(),
            of: count(members.len()),
            reached: matches!(outcome, Outcome::Label(_)),
        };
        self.session.record(bench, step, None, body)?;
        Ok(outcome)
    }

    /// An agent's vote (one name) or ranking (all names); empty if it cannot be read.
    async fn ballot(
        &self,
        member: &Member,
        candidates: &[(&str, &'static str)],
        shown: &[String],
        step: &str,
    ) -> Result<Vec<String>, SessionError> {
        let names: Vec<&str> = candidates.iter().map(|c| c.0).collect();
        let actor = &member.actor;
        let words = Words {
            limit: 0,
            agent: &actor.agent,
            round: 0,
            leading: "",
            critical: false,
            agents: names.len(),
            tie: step == "tie-break",
        };
        let name_tokens = names.len() * 16;
        let one = json!({"type": "string", "enum": names});
        if self.options.rule == Rule::Borda {
            let list =
                json!({"type": "array", "minItems": names.len(), "maxItems": names.len(), "items": one});
            let wrong = self.problem("order", &names.join(", "))?;
            let answer = self
                .question(actor, step, "lmad/agent#rank", &words, shown, Some(&member.persona))?
                .schema("ranking", object(&[("order", list)]))
                .max_tokens(tokens(self.session, self.config, &actor.role, name_tokens))
                .send_checked(|r: &Ranked| ranking(&r.order, &names).map(|_| ()).ok_or_else(|| wrong.clone()))
                .await?;
            let order = answer.reading.value.and_then(|r| ranking(&r.order, &names)).unwrap_or_default();
            let stage = if order.is_empty() { "no_decision" } else { answer.reading.stage.as_str() };
            self.session.record(
                actor,
                step,
                None,
                Body::Ranking { order: order.clone(), stage: stage.to_owned() },
            )?;
            return Ok(order);
        }
        let wrong = self.problem("choice", &names.join(", "))?;
        let known = |text: &str| named(text, &names);
        let answer = self
            .question(actor, step, "lmad/agent#vote", &words, shown, Some(&member.persona))?
            .schema("vote", object(&[("choice", one)]))
            .max_tokens(tokens(self.session, self.config, &actor.role, 32))
            .send_checked(|v: &Voted| known(&v.choice).map(|_| ()).ok_or_else(|| wrong.clone()))
            .await?;
        let choice = answer.reading.value.and_then(|v| known(&v.choice));
        let stage = if choice.is_none() { "no_decision" } else { answer.reading.stage.as_str() };
        self.session.record(
            actor,
            step,
            None,
            Body::Vote { choice: choice.clone(), stage: stage.to_owned() },
        )?;
        Ok(choice.into_iter().collect())
    }

    fn end(
        &self,
        bench: &Actor,
        label: Option<&str>,
        outcome: &str,
        for_a_human: Vec<String>,
        rounds: u32,
    ) -> Result<Decision, SessionError> {
        let decision = Decision::Label {
            label: label.map(str::to_owned),
            outcome: outcome.to_owned(),
            confidence: None,
            for_a_human,
            rounds,
        };
        self.session.record(bench, "verdict", None, Body::Decision(decision.clone()))?;
        Ok(decision)
    }
}

/// The agent of this name; its whole name, so that `agent-1` is not found in `agent-13`.
fn named(text: &str, names: &[&str]) -> Option<String> {
    let plain = text.trim().to_lowercase().replace([' ', '_'], "-");
    names.iter().find(|n| **n == plain).map(|n| (*n).to_owned())
}

/// A ranking of all names, each once.
fn ranking(order: &[String], names: &[&str]) -> Option<Vec<String>> {
    let order: Vec<String> = order.iter().map(|o| named(o, names)).collect::<Option<_>>()?;
    let all = order.len() == names.len() && names.iter().all(|n| order.iter().any(|o| o == n));
    all.then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted_exactly() {
        assert!(Rule::Supermajority.reached(2, 3, false), "two of three are more than 66 %");
        assert!(!Rule::Supermajority.reached(33, 50, false), "66 % exactly is not more than 66 %");
        assert!(!Rule::Majority.reached(2, 4, true) && Rule::Majority.reached(3, 5, false));
        assert!(!Rule::Unanimity.reached(2, 3, true) && Rule::Unanimity.reached(3, 3, false));
        assert!(!Rule::Hybrid.reached(2, 3, false) && Rule::Hybrid.reached(2, 3, true));
        assert!(!Rule::Hybrid.reached(1, 2, true) && !Rule::Majority.reached(0, 0, true));
    }

    #[test]
    fn names_are_whole() {
        let names = ["agent-1", "agent-3", "agent-13"];
        assert_eq!(named("Agent 1", &names).as_deref(), Some("agent-1"));
        assert_eq!(named("solution 1 of 3", &names), None);
        assert_eq!(named("agent-133", &names), None);
        let order =
            |list: &[&str]| ranking(&list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>(), &names);
        assert_eq!(order(&["agent-13", "agent-1", "agent-3"]).unwrap()[0], "agent-13");
        assert_eq!(order(&["agent-1", "agent-1", "agent-3"]), None);
        assert_eq!(order(&["agent-1"]), None);
    }
}
