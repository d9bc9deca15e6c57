//! Trials made by hand, for tests.

use jiff::civil::date;
use nyaya_agents::chat::{ChatReply, ChatRequest, Message, Role, Usage};
use nyaya_agents::event::*;
use nyaya_corpora::citation::{Citation, Verdict};
use nyaya_corpora::{Edition, MemoryLookup, Number, Provision, ProvisionId, SourceRef, Status, Unit};
use nyaya_retrieval::{Hit, Mode, Query};

use crate::transcript::Trial;

pub fn id(name: &str) -> ProvisionId {
    name.parse().unwrap()
}

pub fn actor(role: &str, agent: &str) -> Actor {
    Actor { role: role.to_owned(), agent: agent.to_owned() }
}

pub fn hit(name: &str, rank: usize, text: &str) -> Hit {
    Hit {
        id: id(name),
        version: date(2000, 1, 1),
        language: "en".to_owned(),
        rank,
        score: 1.0 / rank as f32,
        exact: false,
        bm25_rank: Some(rank),
        dense_rank: None,
        title: "The Orchard Act, 1999".to_owned(),
        breadcrumb: vec!["Chapter I".to_owned()],
        heading: Some("Taking of fruit".to_owned()),
        status: Status::InForce,
        repealed_on: None,
        struck_down: None,
        range: 0..text.len(),
        text: text.to_owned(),
    }
}

/// A citation of the words `raw` in `text`.
pub fn cited(text: &str, raw: &str, name: Option<&str>, verdict: Verdict) -> CheckedCitation {
    let start = text.find(raw).unwrap_or(0);
    CheckedCitation {
        place: "text".to_owned(),
        citation: Citation {
            span: (start, start + raw.len()),
            raw: raw.to_owned(),
            id: name.map(id),
            verdict,
            successor: Vec::new(),
            range: None,
            reason: String::new(),
            struck_down: None,
            quoted: Vec::new(),
        },
        quoted: None,
    }
}

/// A citation in the field.
pub fn in_field(name: &str, verdict: Verdict) -> CheckedCitation {
    let mut c = cited(name, name, Some(name), verdict);
    c.place = "field".to_owned();
    c
}

/// Builds a trial's events in order.
#[derive(Clone)]
pub struct Script(pub Vec<Event>);

impl Script {
    pub fn new(case: &str, repeat: u32, language: &str) -> Self {
        let body = Body::Started {
            schema: SCHEMA_VERSION,
            case: case.to_owned(),
            repeat,
            language: language.to_owned(),
        };
        Self(Vec::new()).push(actor("session", "session"), "start", None, body)
    }

    pub fn push(mut self, actor: Actor, step: &str, round: Option<u32>, body: Body) -> Self {
        let seq = self.0.len() as u64;
        let at = format!("2026-11-02T09:00:{:02}Z", seq % 60);
        self.0.push(Event { seq, step: step.to_owned(), round, actor, body, at });
        self
    }

    pub fn public(self, role: &str, agent: &str, step: &str, text: &str) -> Self {
        self.says(role, agent, step, text, Vec::new())
    }

    pub fn says(
        self,
        role: &str,
        agent: &str,
        step: &str,
        text: &str,
        citations: Vec<CheckedCitation>,
    ) -> Self {
        let cites = citations.iter().filter(|c| c.place == "field").map(|c| c.citation.raw.clone()).collect();
        let statement = Statement { text: text.to_owned(), cites, citations };
        self.push(actor(role, agent), step, None, Body::Public(statement))
    }

    pub fn searches(self, role: &str, agent: &str, step: &str, query: &str, hits: Vec<Hit>) -> Self {
        let query = Query { text: query.to_owned(), k: 5, mode: Mode::Hybrid, ..Query::default() };
        let body = Body::Retrieved { key: "k".to_owned(), hash: "h".to_owned(), query, hits };
        self.push(actor(role, agent), step, None, body)
    }

    pub fn calls(self, role: &str, agent: &str, stage: &str, usage: Usage) -> Self {
        let request = ChatRequest {
            messages: vec![Message { role: Role::User, content: "…".to_owned() }],
            schema: None,
            max_tokens: 100,
            temperature: 0.0,
            top_p: 1.0,
            seed: None,
        };
        let reply = ChatReply {
            content: "…".to_owned(),
            reasoning: None,
            finish_reason: "stop".to_owned(),
            model: "toy".to_owned(),
            usage,
            latency_ms: 250,
            attempts: 1,
        };
        let body = Body::ModelCall {
            key: "k".to_owned(),
            hash: "h".to_owned(),
            request,
            reply,
            stage: stage.to_owned(),
        };
        self.push(actor(role, agent), "x", None, body)
    }

    pub fn position(
        self,
        agent: &str,
        round: u32,
        findings: &[(&str, Option<Finding>)],
        text: &str,
        citations: Vec<CheckedCitation>,
    ) -> Self {
        let stage = if findings.iter().all(|(_, f)| f.is_none()) { "no_decision" } else { "strict" };
        let ballot = Ballot {
            findings: findings.iter().map(|(c, f)| (id(c), f.clone())).collect(),
            stage: stage.to_owned(),
        };
        let statement = Statement { text: text.to_owned(), cites: Vec::new(), citations };
        let body = Body::Position { ballot, statement };
        self.push(actor("adjudicator", agent), &format!("round-{round}"), Some(round), body)
    }

    pub fn verdict(self, charges: Vec<ChargeVerdict>, rounds: u32) -> Self {
        let hung = charges.iter().any(|c| c.finding.is_none());
        self.push(actor("bench", "bench"), "verdict", None, Body::Verdict { charges, hung, rounds })
    }

    pub fn end(self) -> Vec<Event> {
        self.push(actor("session", "session"), "end", None, Body::Finished).0
    }

    /// The trial that these events make, finished or not.
    pub fn trial(self) -> Trial {
        let mut bytes = Vec::new();
        for event in &self.0 {
            bytes.extend(serde_json::to_vec(event).unwrap());
            bytes.push(b'\n');
        }
        Trial::parse(std::path::Path::new("events.jsonl"), "t-0", &bytes).unwrap()
    }

    pub fn finished(self) -> Trial {
        Self(self.end()).trial()
    }
}

pub fn charge(name: &str, finding: Option<Finding>, votes: u32, of: u32) -> ChargeVerdict {
    ChargeVerdict { charge: id(name), finding, votes, of }
}

/// An invented statute: `(number, heading, text)`.
pub fn statute(work: &str, language: &str, article: bool, rows: &[(u32, &str, &str)]) -> MemoryLookup {
    let work: nyaya_corpora::WorkId = work.parse().unwrap();
    let unit = |n| if article { Unit::Article(Number::plain(n)) } else { Unit::Section(Number::plain(n)) };
    let provisions = rows
        .iter()
        .map(|(n, heading, text)| Provision {
            id: ProvisionId::new(work.clone(), unit(*n)),
            heading: Some((*heading).to_owned()),
            breadcrumb: vec!["Chapter I".to_owned(), "Of fruit".to_owned()],
            text: (*text).to_owned(),
            status: Status::InForce,
            in_force_from: None,
            in_force_until: None,
            struck_down: None,
            annotations: Vec::new(),
            pinpoints: Vec::new(),
            source: SourceRef { file_sha256: "ab".repeat(32), page: Some(3), offset: None },
        })
        .collect();
    MemoryLookup::new([Edition {
        work,
        version: date(2000, 1, 1),
        language: language.to_owned(),
        source: "file".to_owned(),
        source_file: "act.txt".to_owned(),
        source_sha256: "ab".repeat(32),
        complete: true,
        provisions,
    }])
}
