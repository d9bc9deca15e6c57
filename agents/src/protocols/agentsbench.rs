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

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::shared::{chars, count, limit, object, one_line, passages, tokens};
use crate::case::{Case, CaseError, Matter, form};
use crate::event::{Actor, Body, Decision, Sentence, Statement};
use crate::read::{Reading, Stage, TermClass, read_json, read_term};
use crate::run::{RunConfig, RunError, config};
use crate::session::{Ask, Session, SessionError};

/// Name of the protocol.
pub const NAME: &str = "agentsbench";

/// Roles that a model answers for.
pub const ROLES: &[&str] = &["presiding", "judge", "lay"];

/// Roles that can look law up.
pub const RAG_ROLES: &[&str] = &["presiding", "judges", "lay"];

/// Most entries in a statement's list of provisions.
const MOST_CITES: usize = 4;
/// Most characters of such an entry.
const CITE_CHARS: usize = 60;
/// Most months that the schema allows; fifty years.
const MOST_MONTHS: u32 = 600;
/// Most characters of a query.
const QUERY_CHARS: usize = 100;

/// Who writes what the members of the bench are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Personas {
    /// Lay judges are drawn by the seed from the pool that comes with the program.
    #[default]
    Pool,
    /// The presiding judge's model writes them, lay judges and professional ones.
    Written,
}

/// What is done with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryUse {
    /// Nothing.
    #[default]
    Off,
    /// The most similar entries are recalled.
    Read,
    /// They are recalled, and each trial adds to them; trials are held one after the other.
    Write,
}

/// What is AgentsBench's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Judges beside the presiding one.
    pub judges: u32,
    /// Lay judges.
    pub lay: u32,
    /// Most rounds of deliberation after the independent sentences.
    pub rounds: u32,
    /// Who writes the personas.
    pub personas: Personas,
    /// What is done with memory.
    pub memory: MemoryUse,
    /// Entries that an agent recalls at most.
    pub recall: u32,
    /// SHA-256 of the memory with which the run begins; empty if it is off.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub memory_digest: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            judges: 1,
            lay: 1,
            rounds: 3,
            personas: Personas::Pool,
            memory: MemoryUse::Off,
            recall: 3,
            memory_digest: String::new(),
        }
    }
}

impl Options {
    /// Checks the options.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        if self.judges > 20 || self.lay > 20 || self.judges + self.lay == 0 {
            return Err(config(
                format!("{} judges and {} lay judges beside the presiding judge", self.judges, self.lay),
                "up to 20 of each, and at least one of them",
            ));
        }
        if self.rounds > 20 {
            return Err(config(
                format!("{} rounds", self.rounds),
                "0 to 20; 0 has the presiding judge weigh S(0)",
            ));
        }
        if !(1..=20).contains(&self.recall) {
            return Err(config(format!("recall is {}", self.recall), "an agent recalls 1 to 20 entries"));
        }
        Ok(())
    }
}

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

/// What a template can say in its own words.
#[derive(Serialize, Default)]
struct Words {
    limit: usize,
    round: u32,
    rounds: u32,
    bench: u32,
    law: bool,
    agreed: bool,
    queries: usize,
    judges: u32,
    lay: u32,
}

#[derive(Debug, Deserialize)]
struct Said {
    statement: String,
    #[serde(default)]
    cites: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Question {
    #[serde(default)]
    remark: String,
    to: String,
    question: String,
}

#[derive(Debug, Deserialize)]
struct Thought {
    thought: String,
    #[serde(default)]
    plan: String,
}

#[derive(Debug, Deserialize)]
struct Agreement {
    reason: String,
    consensus: bool,
}

#[derive(Debug, Deserialize)]
struct Queries {
    queries: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Written {
    personas: Vec<WrittenPersona>,
}

#[derive(Debug, Deserialize)]
struct WrittenPersona {
    member: String,
    persona: String,
}

/// A sentence as a reply states it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sentencing {
    rationale: String,
    cites: Vec<String>,
    rounds: Vec<String>,
    sentence: Result<Sentence, &'static str>,
}

/// Reads a reply with a sentence: the structured fields first, then whatever term the words state.
fn read_sentencing(content: &str) -> Reading<Sentencing> {
    let json = read_json::<Value>(content);
    let fields = json.value.as_ref().and_then(Value::as_object);
    let words = |name: &str| {
        fields.and_then(|f| f.get(name)).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
    };
    let list = |name: &str| -> Vec<String> {
        let list = fields.and_then(|f| f.get(name)).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(|s| s.trim().to_owned()).collect()
    };
    let class = words("class").to_lowercase().replace([' ', '-'], "_");
    let months =
        fields.and_then(|f| f.get("months")).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    let of = |class, months| Some(Ok(Sentence { class, months }));
    let stated: Option<Result<Sentence, &'static str>> = match (class.as_str(), months) {
        ("fixed_term", Some(0)) | ("exempt", Some(0) | None) => of(TermClass::Exempt, Some(0)),
        ("fixed_term", Some(n)) => of(TermClass::Fixed, Some(n)),
        ("life", Some(0) | None) => of(TermClass::Life, None),
        ("death", Some(0) | None) => of(TermClass::Death, None),
        ("death_with_reprieve", Some(0) | None) => of(TermClass::DeathWithReprieve, None),
        ("exempt" | "life" | "death" | "death_with_reprieve", Some(_)) => Some(Err("contradiction")),
        _ => None,
    };
    let (sentence, stage, mut notes) = match stated {
        Some(stated) => (stated, json.stage, json.notes),
        None => {
            // Not in the fields that were asked for: whatever one term the reply states.
            let term = read_term(content);
            let sentence = match term.class {
                TermClass::None => Err("no_term"),
                TermClass::Range => Err("range"),
                class => Ok(Sentence { class, months: term.months }),
            };
            let stage =
                if fields.is_some() && term.stage == Stage::Strict { Stage::Recovered } else { term.stage };
            (sentence, stage, term.notes)
        }
    };
    let mut rationale = words("rationale");
    if rationale.is_empty() {
        rationale = words("statement");
    }
    if rationale.is_empty() && fields.is_none() {
        content.trim().clone_into(&mut rationale);
    }
    if rationale.is_empty() && sentence.is_err() {
        notes.push("neither a rationale nor a term".to_owned());
        return Reading { value: None, stage: Stage::NoDecision, notes };
    }
    let stage = if sentence.is_err() && stage == Stage::NoDecision { json.stage } else { stage };
    let stage = if stage == Stage::NoDecision { Stage::Pattern } else { stage };
    Reading {
        value: Some(Sentencing { rationale, cites: list("cites"), rounds: list("rounds"), sentence }),
        stage,
        notes,
    }
}

/// An entry of the record as the prompts show it.
#[derive(Serialize, Default)]
struct Entry<'a> {
    kind: &'a str,
    round: u32,
    role: &'a str,
    number: u32,
    text: String,
    cites: Vec<String>,
    to_role: &'a str,
    to_number: u32,
    class: &'a str,
    months: u32,
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
        let charges: Vec<Value> = case
            .charges
            .iter()
            .map(|c| json!({"id": c.id.to_string(), "called": session.called(&c.id), "note": c.note}))
            .collect();
        let evidence: Vec<Value> =
            case.evidence.iter().map(|e| json!({"mark": e.mark, "text": e.text})).collect();
        let example = articles
            .iter()
            .chain(&charges)
            .find_map(|a| a.get("id").and_then(Value::as_str))
            .unwrap_or("cn/criminal-law#a61")
            .to_owned();
        let facts = session.text(
            "agentsbench/common#facts-text",
            &json!({"facts": case.facts, "evidence": evidence, "offence_date": case.offence_date.map(|d| d.to_string())}),
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

    fn words(&self, chars: usize) -> Words {
        Words {
            limit: limit(self.session, chars),
            bench: count(self.members.len()),
            rounds: self.rounds,
            judges: self.options.judges,
            lay: self.options.lay,
            ..Words::default()
        }
    }

    fn chars(&self, percent: usize) -> usize {
        (chars(self.session, self.config) * percent / 100).max(40)
    }

    /// Most characters of the schema for so many told: room to end a sentence.
    fn room(told: usize) -> usize {
        told * 5 / 4
    }

    /// Begins a question: what is common to all first, what is the agent's own last.
    fn question(
        &self,
        member: &Member,
        step: &str,
        block: &str,
        words: &Words,
    ) -> Result<Ask<'s>, SessionError> {
        let session = self.session;
        let none = BTreeMap::<String, String>::new();
        let common = |name: &str, label: &str, entries: Vec<String>| {
            session.render(&format!("agentsbench/common#{name}"), &none, &[(label, entries)])
        };
        let mut ask = session
            .ask(&member.actor, step)
            .round(words.round)
            .system_pieces(session.render(
                "agentsbench/common#system",
                &BTreeMap::from([("example", self.example.as_str())]),
                &[],
            )?)
            .pieces(common("offence", "offence", vec![self.articles.clone()])?)
            .pieces(common("facts", "facts", vec![self.facts.clone()])?);
        if !self.record.is_empty() {
            ask = ask.pieces(common("record", "record", self.record.clone())?);
        }
        if !member.law.is_empty() {
            ask = ask.pieces(common("law", "law", vec![member.law.join("\n\n")])?);
        }
        if !member.recalled.is_empty() {
            ask = ask.pieces(common("memory", "memory", vec![member.recalled.join("\n")])?);
        }
        if !member.notes.is_empty() {
            ask = ask.pieces(common("notes", "notes", member.notes.clone())?);
        }
        let role = json!({"number": member.number, "bench": words.bench});
        let persona = if member.persona.is_empty() { vec![] } else { vec![member.persona.clone()] };
        let who = if persona.is_empty() || self.options.personas == Personas::Pool {
            // The pool is the program's own text.
            let role = json!({"number": member.number, "bench": words.bench, "persona": member.persona});
            session.render(&format!("agentsbench/{}#role", member.actor.role), &role, &[])?
        } else {
            session.render(
                &format!("agentsbench/{}#role-written", member.actor.role),
                &role,
                &[("persona", persona)],
            )?
        };
        Ok(ask.pieces(who).pieces(session.render(&format!("agentsbench/steps#{block}"), words, &[])?))
    }

    fn say_schema(field: &str, most: usize) -> (String, Value) {
        (field.to_owned(), json!({"type": "string", "minLength": 1, "maxLength": most}))
    }

    fn cites_schema() -> Value {
        json!({"type": "array", "maxItems": MOST_CITES, "items": {"type": "string", "maxLength": CITE_CHARS}})
    }

    fn tokens(&self, member: &Member, chars: usize) -> u32 {
        // Ids are of Roman letters in every language: two characters a token at least.
        let ids = MOST_CITES * (CITE_CHARS + 4) / 2;
        let text = tokens(self.session, self.config, &member.actor.role, chars);
        if self.config.max_tokens.contains_key(&member.actor.role) {
            text
        } else {
            text.saturating_add(u32::try_from(ids).unwrap_or(u32::MAX))
        }
    }

    fn problem(&self, kind: &str) -> Result<String, SessionError> {
        self.session.text("agentsbench/common#problem", &BTreeMap::from([("kind", kind)]))
    }

    fn is_lay(member: &Member) -> bool {
        member.actor.role == "lay"
    }

    /// Who the members are: lay judges from the pool, or everybody as the model writes them.
    async fn personas(&mut self) -> Result<(), SessionError> {
        let lay = self.members.iter().filter(|m| Self::is_lay(m)).count();
        let mut pool = self.session.personas_of("agentsbench/personas", "personas", lay).into_iter();
        for member in self.members.iter_mut().filter(|m| Self::is_lay(m)) {
            member.persona = pool.next().unwrap_or_default();
        }
        if self.options.personas == Personas::Written {
            self.write_personas().await?;
        }
        for member in self.members.iter().filter(|m| !m.persona.is_empty()) {
            self.session.record(
                &member.actor,
                "start",
                None,
                Body::Persona { text: member.persona.clone() },
            )?;
        }
        Ok(())
    }

    async fn write_personas(&mut self) -> Result<(), SessionError> {
        let session = self.session;
        let names: Vec<String> = self.members.iter().map(|m| m.actor.agent.clone()).collect();
        let most = self.chars(40);
        let one = object(&[
            ("member", json!({"type": "string", "enum": names})),
            ("persona", json!({"type": "string", "minLength": 1, "maxLength": Self::room(most)})),
        ]);
        let schema = object(&[(
            "personas",
            json!({"type": "array", "minItems": names.len(), "maxItems": names.len(), "items": one}),
        )]);
        let words = json!({"limit": limit(session, most), "members": names});
        let Some(presiding) = self.members.first() else { return Ok(()) };
        // Without the case: who sits must not depend on who is tried.
        let answer = session
            .ask(&presiding.actor, "personas")
            .system_pieces(session.render(
                "agentsbench/common#system",
                &BTreeMap::from([("example", &self.example)]),
                &[],
            )?)
            .pieces(session.render("agentsbench/steps#personas", &words, &[])?)
            .schema("personas", schema)
            .max_tokens(self.tokens(presiding, names.len() * (Self::room(most) + 40)))
            .send::<Written>()
            .await?;
        for written in answer.reading.value.into_iter().flat_map(|w| w.personas) {
            let text = one_line(&written.persona);
            if let Some(member) = self.members.iter_mut().find(|m| m.actor.agent == written.member.trim())
                && !text.is_empty()
            {
                member.persona = text;
            }
        }
        Ok(())
    }

    /// What each remembers of similar cases.
    fn recall(&mut self) -> Result<(), SessionError> {
        if self.options.memory == MemoryUse::Off {
            return Ok(());
        }
        let query = format!("{}\n{}", self.articles, self.facts);
        let most = usize::try_from(self.options.recall).unwrap_or(usize::MAX);
        for member in &mut self.members {
            member.recalled = self.session.recall(kind_of(&member.actor), &query, most);
            if !member.recalled.is_empty() {
                let body = Body::Memory { action: "recalled".to_owned(), entries: member.recalled.clone() };
                self.session.record(&member.actor, "start", None, body)?;
            }
        }
        Ok(())
    }

    /// Those who may look law up.
    async fn research(&mut self) -> Result<(), SessionError> {
        let may = |m: &Member| {
            let name = if m.actor.role == "judge" { "judges" } else { m.actor.role.as_str() };
            self.config.rag.iter().any(|r| r == name)
        };
        let asked: Vec<usize> =
            self.members.iter().enumerate().filter(|(_, m)| may(m)).map(|(i, _)| i).collect();
        let jobs = asked.iter().filter_map(|i| self.members.get(*i)).map(|m| self.look_up(m)).collect();
        let laws = self.session.together("judge", jobs).await?;
        for (i, law) in asked.into_iter().zip(laws) {
            if let Some(member) = self.members.get_mut(i) {
                member.law = law;
            }
        }
        Ok(())
    }

    async fn look_up(&self, member: &Member) -> Result<Vec<String>, SessionError> {
        let n = self.config.queries.unwrap_or(1);
        let schema = object(&[(
            "queries",
            json!({"type": "array", "minItems": 1, "maxItems": n,
                "items": {"type": "string", "minLength": 1, "maxLength": QUERY_CHARS}}),
        )]);
        let words = Words { queries: n, ..self.words(0) };
        let answer = self
            .question(member, "queries", "queries", &words)?
            .schema("queries", schema)
            .max_tokens(self.tokens(member, n * (QUERY_CHARS + 4)))
            .send::<Queries>()
            .await?;
        let mut hits = Vec::new();
        let queries = answer.reading.value.map(|q| q.queries).unwrap_or_default();
        for query in queries.iter().map(|q| q.trim()).filter(|q| !q.is_empty()).take(n) {
            for hit in self.session.search(&member.actor, "queries", query).await? {
                if hits.len() < self.config.k && !hits.iter().any(|h: &nyaya_retrieval::Hit| h.id == hit.id) {
                    hits.push(hit);
                }
            }
        }
        Ok(passages(&hits))
    }

    /// A plan before the first sentence, or a reflection after a round; each agent's own.
    async fn think(&mut self, what: &'static str, round: u32) -> Result<(), SessionError> {
        let jobs = self.members.iter().map(|m| self.thought(m, what, round)).collect();
        let notes = self.session.together("judge", jobs).await?;
        for (member, note) in self.members.iter_mut().zip(notes) {
            member.notes.extend(note);
        }
        Ok(())
    }

    async fn thought(&self, member: &Member, what: &str, round: u32) -> Result<Option<String>, SessionError> {
        let most = self.chars(50);
        let step = if round == 0 { what.to_owned() } else { format!("{what}-{round}") };
        let text = json!({"type": "string", "minLength": 1, "maxLength": Self::room(most)});
        let schema = if what == "plan" {
            object(&[("thought", text)])
        } else {
            object(&[("thought", text.clone()), ("plan", text)])
        };
        let words = Words { round, ..self.words(most) };
        let answer = self
            .question(member, &step, what, &words)?
            .schema(what, schema)
            .max_tokens(self.tokens(member, 2 * Self::room(most)))
            .send::<Thought>()
            .await?;
        let Some(said) = answer.reading.value else { return Ok(None) };
        let (thought, plan) = (one_line(&said.thought), one_line(&said.plan));
        if what == "plan" {
            self.session.record(&member.actor, &step, Some(round), Body::Plan { text: thought.clone() })?;
        } else {
            self.session.record(
                &member.actor,
                &step,
                Some(round),
                Body::Reflection { text: thought.clone() },
            )?;
            if !plan.is_empty() {
                self.session.record(&member.actor, &step, Some(round), Body::Plan { text: plan.clone() })?;
            }
        }
        let note = json!({"kind": what, "round": round, "text": thought, "plan": plan});
        Ok(Some(self.session.text("agentsbench/common#note", &note)?))
    }

    fn sentence_fields(most: usize) -> Vec<(&'static str, Value)> {
        vec![
            ("rationale", json!({"type": "string", "minLength": 1, "maxLength": Self::room(most)})),
            ("cites", Self::cites_schema()),
            (
                "class",
                json!({"type": "string", "enum": ["fixed_term", "exempt", "life", "death_with_reprieve", "death"]}),
            ),
            ("months", json!({"type": "integer", "minimum": 0, "maximum": MOST_MONTHS})),
        ]
    }

    /// Everybody's sentence, independently: on what stands in the record, not on what the others say at this step.
    async fn sentences(&mut self, round: u32) -> Result<(), SessionError> {
        let jobs = self.members.iter().map(|m| self.sentence(m, round)).collect();
        let entries = self.session.together("judge", jobs).await?;
        self.record.extend(entries.into_iter().flatten());
        Ok(())
    }

    async fn sentence(&self, member: &Member, round: u32) -> Result<Option<String>, SessionError> {
        let most = self.chars(75);
        let step = format!("sentence-{round}");
        let words = Words { round, law: !member.law.is_empty(), ..self.words(most) };
        let texts = self.sentence_problems()?;
        let answer = self
            .question(member, &step, if round == 0 { "sentence" } else { "update" }, &words)?
            .schema("sentence", object(&Self::sentence_fields(most)))
            .max_tokens(self.tokens(member, Self::room(most) + 80))
            .send_read(read_sentencing, |s| check(s, 0, &texts))
            .await?;
        let stage = answer.reading.stage.as_str().to_owned();
        let Some(said) = answer.reading.value else {
            let statement = self.session.statement("", &[]);
            let body = Body::Sentence { sentence: None, statement, stage };
            self.session.record(&member.actor, &step, Some(round), body)?;
            return Ok(None);
        };
        if let Err(kind) = said.sentence {
            self.session.record(
                &member.actor,
                &step,
                Some(round),
                Body::NoDecision { reason: self.problem(kind)? },
            )?;
        }
        let text = self.whole(member, &step, &said.rationale, Self::room(most))?;
        let statement = self.session.statement(&text, &said.cites);
        let sentence = said.sentence.ok();
        let body = Body::Sentence { sentence, statement, stage };
        self.session.record(&member.actor, &step, Some(round), body)?;
        Ok(Some(self.entry(member, "sentence", round, &text, &said.cites, None, sentence)?))
    }

    fn sentence_problems(&self) -> Result<BTreeMap<&'static str, String>, SessionError> {
        ["contradiction", "no_term", "range", "empty", "rounds"]
            .into_iter()
            .map(|kind| Ok((kind, self.problem(kind)?)))
            .collect()
    }

    /// What is said of a text: all of it, but for a last sentence that the schema's limit broke off.
    fn whole(&self, member: &Member, step: &str, text: &str, most: usize) -> Result<String, SessionError> {
        self.session.whole_sentences(&member.actor, step, text, most)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of an entry, named at the few places that use them"
    )]
    fn entry(
        &self,
        member: &Member,
        kind: &str,
        round: u32,
        text: &str,
        cites: &[String],
        to: Option<&Member>,
        sentence: Option<Sentence>,
    ) -> Result<String, SessionError> {
        let entry = Entry {
            kind,
            round,
            role: &member.actor.role,
            number: member.number,
            text: one_line(text),
            cites: cites.iter().map(|c| one_line(c)).collect(),
            to_role: to.map_or("", |m| m.actor.role.as_str()),
            to_number: to.map_or(0, |m| m.number),
            class: sentence.map_or("", |s| class_name(s.class)),
            months: sentence.and_then(|s| s.months).unwrap_or(0),
        };
        self.session.text("agentsbench/common#entry", &entry)
    }

    /// The discussion of a round: opened and summed up by the presiding judge.
    async fn discuss(&mut self, round: u32) -> Result<(), SessionError> {
        self.preside("open", round).await?;
        let asked: Vec<_> = self.members.iter().skip(1).map(|m| self.ask_another(m, round)).collect();
        let asked = self.session.together("judge", asked).await?;
        // Who was asked what, by whom, in the order in which it was asked.
        let mut put: Vec<(usize, String)> = Vec::new();
        for (entry, to) in asked.into_iter().flatten() {
            put.extend(to.map(|to| (to, entry.clone())));
            self.record.push(entry);
        }
        let jobs = self
            .members
            .iter()
            .enumerate()
            .filter_map(|(i, m)| {
                let mine: Vec<String> =
                    put.iter().filter(|(to, _)| *to == i).map(|(_, e)| e.clone()).collect();
                (!mine.is_empty()).then(|| self.answer(m, mine, round))
            })
            .collect();
        let answers = self.session.together("judge", jobs).await?;
        self.record.extend(answers.into_iter().flatten());
        self.preside("summary", round).await
    }

    /// The presiding judge opens or sums up a discussion.
    async fn preside(&mut self, what: &'static str, round: u32) -> Result<(), SessionError> {
        let Some(presiding) = self.members.first() else { return Ok(()) };
        let most = self.chars(if what == "open" { 50 } else { 100 });
        let step = format!("{what}-{round}");
        let words = Words { round, ..self.words(most) };
        let (name, text) = Self::say_schema("statement", Self::room(most));
        let empty = self.problem("empty")?;
        let answer = self
            .question(presiding, &step, what, &words)?
            .schema(what, object(&[(name.as_str(), text), ("cites", Self::cites_schema())]))
            .max_tokens(self.tokens(presiding, Self::room(most)))
            .send_checked(|s: &Said| if s.statement.trim().is_empty() { Err(empty.clone()) } else { Ok(()) })
            .await?;
        let Some(said) = answer.reading.value.filter(|s| !s.statement.trim().is_empty()) else {
            return Ok(());
        };
        let text = self.whole(presiding, &step, &said.statement, Self::room(most))?;
        self.public(presiding, &step, round, &text, &said.cites)?;
        let entry = self.entry(presiding, what, round, &text, &said.cites, None, None)?;
        self.record.push(entry);
        Ok(())
    }

    fn public(
        &self,
        member: &Member,
        step: &str,
        round: u32,
        text: &str,
        cites: &[String],
    ) -> Result<(), SessionError> {
        let statement: Statement = self.session.statement(text, cites);
        self.session.record(&member.actor, step, Some(round), Body::Public(statement))
    }

    /// A remark and a question to another member; the entry, and whom it is put to.
    async fn ask_another(
        &self,
        member: &Member,
        round: u32,
    ) -> Result<Option<(String, Option<usize>)>, SessionError> {
        let most = self.chars(40);
        let step = format!("question-{round}");
        let others: Vec<&str> = self
            .members
            .iter()
            .map(|m| m.actor.agent.as_str())
            .filter(|a| *a != member.actor.agent)
            .collect();
        let text = json!({"type": "string", "minLength": 1, "maxLength": Self::room(most)});
        let schema = object(&[
            ("remark", text.clone()),
            ("to", json!({"type": "string", "enum": others})),
            ("question", text),
        ]);
        let words = json!({
            "limit": limit(self.session, most), "round": round, "members": others,
        });
        let none = Words { round, ..self.words(most) };
        let answer = self
            .question(member, &step, "question-intro", &none)?
            .pieces(self.session.render("agentsbench/steps#question", &words, &[])?)
            .schema("question", schema)
            .max_tokens(self.tokens(member, 2 * Self::room(most) + 40))
            .send::<Question>()
            .await?;
        let Some(said) = answer.reading.value else { return Ok(None) };
        let to = self
            .members
            .iter()
            .position(|m| m.actor.agent == said.to.trim() && m.actor.agent != member.actor.agent);
        let remark = self.whole(member, &step, &said.remark, Self::room(most))?;
        let question = self.whole(member, &step, &said.question, Self::room(most))?;
        let text = [remark.trim(), question.trim()].join(" ").trim().to_owned();
        if text.is_empty() {
            return Ok(None);
        }
        self.public(member, &step, round, &text, &[])?;
        let asked = to.and_then(|i| self.members.get(i));
        Ok(Some((self.entry(member, "question", round, &text, &[], asked, None)?, to)))
    }

    async fn answer(
        &self,
        member: &Member,
        questions: Vec<String>,
        round: u32,
    ) -> Result<Option<String>, SessionError> {
        let most = self.chars(50);
        let step = format!("answer-{round}");
        let words = Words { round, ..self.words(most) };
        let (name, text) = Self::say_schema("statement", Self::room(most));
        let asked = self.session.render(
            "agentsbench/common#questions",
            &BTreeMap::<String, String>::new(),
            &[("questions", vec![questions.join("\n")])],
        )?;
        let answer = self
            .question(member, &step, "answer", &words)?
            .pieces(asked)
            .schema("answer", object(&[(name.as_str(), text), ("cites", Self::cites_schema())]))
            .max_tokens(self.tokens(member, Self::room(most)))
            .send::<Said>()
            .await?;
        let Some(said) = answer.reading.value.filter(|s| !s.statement.trim().is_empty()) else {
            return Ok(None);
        };
        let text = self.whole(member, &step, &said.statement, Self::room(most))?;
        self.public(member, &step, round, &text, &said.cites)?;
        Ok(Some(self.entry(member, "answer", round, &text, &said.cites, None, None)?))
    }

    /// The presiding judge's own reading of positions and rationales. What cannot be read is no agreement.
    async fn agree(&mut self, round: u32) -> Result<bool, SessionError> {
        let Some(presiding) = self.members.first() else { return Ok(false) };
        let most = self.chars(50);
        let step = format!("consensus-{round}");
        let words = Words { round, ..self.words(most) };
        let schema = object(&[
            ("reason", json!({"type": "string", "minLength": 1, "maxLength": Self::room(most)})),
            ("consensus", json!({"type": "boolean"})),
        ]);
        let answer = self
            .question(presiding, &step, "consensus", &words)?
            .schema("consensus", schema)
            .max_tokens(self.tokens(presiding, Self::room(most) + 20))
            .send::<Agreement>()
            .await?;
        let stage = answer.reading.stage.as_str().to_owned();
        let (reached, reason) = match answer.reading.value {
            Some(said) => (Some(said.consensus), said.reason),
            None => (None, String::new()),
        };
        let text = self.whole(presiding, &step, &reason, Self::room(most))?;
        let statement = self.session.statement(&text, &[]);
        let body = Body::ConsensusCheck { reached, statement, stage };
        self.session.record(&presiding.actor, &step, Some(round), body)?;
        Ok(reached == Some(true))
    }

    /// The judgment: ratifies, or weighs all of it.
    async fn decide(&self, agreed: bool) -> Result<Option<Sentence>, SessionError> {
        let Some(presiding) = self.members.first() else { return Ok(None) };
        let (most, each) = (self.chars(100), self.chars(30));
        let held = usize::try_from(self.rounds).unwrap_or(0) + 1;
        let words = Words { round: self.rounds, agreed, law: !presiding.law.is_empty(), ..self.words(most) };
        let rounds = json!({"type": "array", "minItems": held, "maxItems": held,
            "items": {"type": "string", "minLength": 1, "maxLength": Self::room(each)}});
        let mut fields = vec![("rounds", rounds)];
        fields.extend(Self::sentence_fields(most));
        let texts = self.sentence_problems()?;
        let answer = self
            .question(presiding, "decision", "decision", &words)?
            .schema("decision", object(&fields))
            .max_tokens(self.tokens(presiding, Self::room(most) + held * (Self::room(each) + 4) + 80))
            .send_read(read_sentencing, |s| check(s, held, &texts))
            .await?;
        let stage = answer.reading.stage.as_str().to_owned();
        let Some(said) = answer.reading.value else {
            let statement = self.session.statement("", &[]);
            self.session.record(
                &presiding.actor,
                "decision",
                None,
                Body::Sentence { sentence: None, statement, stage },
            )?;
            return Ok(None);
        };
        if let Some(text) = answer.problem {
            self.session.record(&presiding.actor, "decision", None, Body::Discrepancy { text })?;
        }
        let rationale = self.whole(presiding, "decision", &said.rationale, Self::room(most))?;
        let text = said.rounds.iter().map(|r| one_line(r)).chain([rationale]).collect::<Vec<_>>().join("\n");
        let statement = self.session.statement(&text, &said.cites);
        let sentence = said.sentence.ok();
        self.session.record(&presiding.actor, "decision", None, Body::Judgment(statement))?;
        // Its justification is the judgment; said once, it is counted once.
        let statement = self.session.statement("", &[]);
        let body = Body::Sentence { sentence, statement, stage };
        self.session.record(&presiding.actor, "decision", None, body)?;
        Ok(sentence)
    }

    /// What each keeps of the case for later ones.
    async fn remember(&mut self, sentence: Option<Sentence>) -> Result<(), SessionError> {
        let term = json!({
            "class": sentence.map_or("", |s| class_name(s.class)),
            "months": sentence.and_then(|s| s.months).unwrap_or(0),
        });
        let jobs = self.members.iter().map(|m| self.memory(m, &term)).collect();
        self.session.together("judge", jobs).await?;
        Ok(())
    }

    async fn memory(&self, member: &Member, term: &Value) -> Result<(), SessionError> {
        let most = self.chars(40);
        let words = self.words(most);
        let fields: &[&str] =
            if Self::is_lay(member) { &["observation"] } else { &["situation", "rule", "reasoning"] };
        let one = |_| json!({"type": "string", "minLength": 1, "maxLength": Self::room(most)});
        let schema: Vec<(&str, Value)> = fields.iter().map(|f| (*f, one(f))).collect();
        let block = if Self::is_lay(member) { "memory-lay" } else { "memory-judge" };
        let outcome = self.session.text("agentsbench/common#outcome", term)?;
        let answer = self
            .question(member, "memory", block, &words)?
            .pieces(self.session.render(
                "agentsbench/common#decided",
                &BTreeMap::<String, String>::new(),
                &[("decision", vec![outcome.clone()])],
            )?)
            .schema("memory", object(&schema))
            .max_tokens(self.tokens(member, fields.len() * Self::room(most)))
            .send::<BTreeMap<String, String>>()
            .await?;
        let Some(said) = answer.reading.value else { return Ok(()) };
        let parts: Vec<String> = fields
            .iter()
            .filter_map(|f| said.get(*f))
            .map(|t| one_line(t))
            .filter(|t| !t.is_empty())
            .collect();
        if parts.is_empty() {
            return Ok(());
        }
        let entry = self
            .session
            .text("agentsbench/common#entry-memory", &json!({"parts": parts, "outcome": outcome}))?;
        self.session.remember(&member.actor, "memory", kind_of(&member.actor), one_line(&entry))
    }
}

/// Whose memory it is: judges share theirs, lay judges share theirs.
fn kind_of(actor: &Actor) -> &'static str {
    if actor.role == "lay" { "lay" } else { "judge" }
}

fn class_name(class: TermClass) -> &'static str {
    match class {
        TermClass::Fixed => "fixed_term",
        TermClass::Exempt => "exempt",
        TermClass::Acquittal => "acquittal",
        TermClass::Life => "life",
        TermClass::Death => "death",
        TermClass::DeathWithReprieve => "death_with_reprieve",
        TermClass::Range | TermClass::None => "",
    }
}

fn check(said: &Sentencing, rounds: usize, texts: &BTreeMap<&'static str, String>) -> Result<(), String> {
    let text = |kind: &str| Err(texts.get(kind).cloned().unwrap_or_default());
    if let Err(kind) = said.sentence {
        return text(kind);
    }
    if said.rationale.trim().is_empty() {
        return text("empty");
    }
    if said.rounds.iter().filter(|r| !r.trim().is_empty()).count() < rounds {
        return text("rounds");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str) -> (Option<Result<(TermClass, Option<u32>), &'static str>>, Stage) {
        let reading = read_sentencing(content);
        (reading.value.map(|s| s.sentence.map(|s| (s.class, s.months))), reading.stage)
    }

    #[test]
    fn a_sentence_is_read_from_its_fields_and_then_from_the_words() {
        use TermClass::{Death, DeathWithReprieve, Exempt, Fixed, Life};
        for (content, sentence, stage) in [
            (
                r#"{"rationale":"r","cites":[],"class":"fixed_term","months":38}"#,
                Ok((Fixed, Some(38))),
                Stage::Strict,
            ),
            (r#"{"rationale":"r","cites":[],"class":"life","months":0}"#, Ok((Life, None)), Stage::Strict),
            (r#"{"rationale":"r","cites":[],"class":"death","months":0}"#, Ok((Death, None)), Stage::Strict),
            (
                r#"{"rationale":"r","class":"death_with_reprieve"}"#,
                Ok((DeathWithReprieve, None)),
                Stage::Strict,
            ),
            (r#"{"rationale":"r","class":"fixed_term","months":0}"#, Ok((Exempt, Some(0))), Stage::Strict),
            (
                "Here it is: ```json\n{\"rationale\":\"r\",\"class\":\"fixed_term\",\"months\":38}\n```",
                Ok((Fixed, Some(38))),
                Stage::Recovered,
            ),
            (r#"{"rationale":"r","months":"三年二个月"}"#, Ok((Fixed, Some(38))), Stage::Recovered),
            ("综合全案，判处有期徒刑三年二个月。", Ok((Fixed, Some(38))), Stage::Pattern),
            (r#"{"rationale":"r","class":"life","months":120}"#, Err("contradiction"), Stage::Strict),
        ] {
            assert_eq!(read(content), (Some(sentence), stage), "{content}");
        }
        assert_eq!(read("{}").0, None);
        assert_eq!(read("").0, None);
        let (sentence, _) = read(r#"{"rationale":"It depends."}"#);
        assert_eq!(sentence, Some(Err("no_term")));
        assert!(matches!(read("判处三年以上十年以下有期徒刑。").0, Some(Err("range"))));
    }

    #[test]
    fn options_without_sense_are_named() {
        let of = |o: Options| o.check().map_err(|e| e.to_string());
        assert!(of(Options::default()).is_ok() && of(Options { rounds: 0, ..Options::default() }).is_ok());
        assert!(of(Options { judges: 0, lay: 0, ..Options::default() }).unwrap_err().contains("hint: "));
        assert!(of(Options { rounds: 21, ..Options::default() }).unwrap_err().contains("rounds"));
    }
}
