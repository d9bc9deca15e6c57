//! A knowledge base of one passage, and a model that fills the form it is asked for, each reply with a mark of its own.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use jiff::civil::date;
use nyaya_agents::Case;
use nyaya_agents::chat::ChatRequest;
use nyaya_agents::event::{Body, Decision, Event};
use nyaya_agents::protocols::Court;
use nyaya_agents::run::RunConfig;
use nyaya_corpora::{Catalogue, MemoryLookup, ProvisionLookup, Status};
use nyaya_retrieval::{Hit, Query, Retrieve};
use serde_json::{Value, json};

use crate::support::{self, Shelf};
pub use crate::support::{Scripted, all_text, fences_are_whole, role_text};

/// Finds the same invented sections, whatever is asked.
#[derive(Default)]
pub struct Kb {
    lookup: MemoryLookup,
    pub queries: Mutex<Vec<Query>>,
}

impl Shelf for Kb {
    fn catalogue() -> Arc<Catalogue> {
        Arc::new(Catalogue::builtin().unwrap())
    }
}

#[async_trait]
impl Retrieve for Kb {
    async fn search(&self, query: &Query) -> Result<Vec<Hit>, nyaya_retrieval::Error> {
        self.queries.lock().unwrap().push(query.clone());
        assert_ne!(query.jurisdiction.as_deref(), Some(""), "law of no jurisdiction is not held anywhere");
        Ok((1..=query.k.min(4))
            .map(|n| {
                let text = format!("FOUND-{n}. Whoever moors at berth {n} pays the fee of that berth.");
                Hit {
                    id: format!("xx/harbour-act#s{n}").parse().unwrap(),
                    version: date(1990, 1, 1),
                    language: "en".to_owned(),
                    rank: n,
                    score: 1.0,
                    exact: false,
                    bm25_rank: Some(n),
                    dense_rank: None,
                    title: "Harbour Act".to_owned(),
                    breadcrumb: Vec::new(),
                    heading: None,
                    status: Status::InForce,
                    repealed_on: None,
                    struck_down: None,
                    range: 0..text.len(),
                    text,
                }
            })
            .collect())
    }

    fn lookup(&self) -> &dyn ProvisionLookup {
        &self.lookup
    }

    fn snapshot(&self) -> String {
        "harbour-1".to_owned()
    }
}

/// What to put into a field: given the request, the number of the call, the field's name and its schema.
pub type Pick = dyn Fn(&ChatRequest, usize, &str, &Value) -> Option<Value> + Send + Sync;

/// Fills the form that it is asked for; every field of words carries the mark of the call.
pub fn filling(
    pick: impl Fn(&ChatRequest, usize, &str, &Value) -> Option<Value> + Send + Sync + 'static,
) -> Scripted {
    Scripted::new(move |request, n| {
        fill(&pick, request, n, "", &request.schema.as_ref().unwrap().schema).to_string()
    })
}

fn fill(pick: &Pick, request: &ChatRequest, n: usize, name: &str, schema: &Value) -> Value {
    if let Some(value) = pick(request, n, name, schema) {
        return value;
    }
    match schema["type"].as_str() {
        Some("object") => {
            let fields = schema["properties"].as_object().unwrap();
            fields
                .iter()
                .map(|(k, v)| (k.clone(), fill(pick, request, n, k, v)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        Some("array") => {
            let least = schema["minItems"].as_u64().unwrap_or(1);
            (0..least).map(|_| fill(pick, request, n, name, &schema["items"])).collect::<Vec<_>>().into()
        }
        Some("boolean") => json!(true),
        Some("integer") => json!(80),
        _ => match schema.get("enum") {
            Some(list) => list[0].clone(),
            None => json!(format!("Words MARK-{n}. ({name})")),
        },
    }
}

pub trait WithRaw {
    /// Replies as they are, instead of the form, where `raw` has one.
    fn with_raw(self, raw: impl Fn(&ChatRequest, usize) -> Option<String> + Send + Sync + 'static) -> Self;
}

impl WithRaw for Scripted {
    fn with_raw(
        mut self,
        raw: impl Fn(&ChatRequest, usize) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let form = self.reply;
        self.reply = Box::new(move |request, n| raw(request, n).unwrap_or_else(|| form(request, n)));
        self
    }
}

/// A run in a folder of its own.
pub type Stage = support::Stage<Kb>;

/// Holds a case and gives the decision with the record.
pub async fn decide(court: Court, case: &Case, model: Scripted) -> (Decision, Vec<Event>) {
    let stage = Stage::new();
    let outcome = stage.hold(&RunConfig::of(court), case, &Arc::new(model)).await.unwrap();
    (outcome.decision.unwrap(), stage.events(case))
}

pub fn label(decision: &Decision) -> (Option<&str>, &str) {
    match decision {
        Decision::Label { label, outcome, .. } => (label.as_deref(), outcome.as_str()),
        other => panic!("not a label: {other:?}"),
    }
}

pub fn for_a_human(decision: &Decision) -> Vec<String> {
    match decision {
        Decision::Label { for_a_human, .. } => for_a_human.clone(),
        other => panic!("not a label: {other:?}"),
    }
}

/// A call as the record has it.
#[derive(Debug, Clone)]
pub struct Call {
    pub agent: String,
    pub step: String,
    pub form: String,
    pub text: String,
    /// The mark that its reply carries.
    pub own: Option<String>,
}

pub fn calls(events: &[Event]) -> Vec<Call> {
    events
        .iter()
        .filter_map(|e| match &e.body {
            Body::ModelCall { request, reply, .. } => Some(Call {
                agent: e.actor.agent.clone(),
                step: e.step.clone(),
                form: request.schema.as_ref().map(|s| s.name.clone()).unwrap_or_default(),
                text: all_text(request),
                own: marks(&reply.content).into_iter().next(),
            }),
            _ => None,
        })
        .collect()
}

/// The marks in a text.
pub fn marks(text: &str) -> BTreeSet<String> {
    text.match_indices("MARK-")
        .map(|(i, _)| {
            let digits = text[i + 5..].chars().take_while(char::is_ascii_digit).count();
            text[i..i + 5 + digits].to_owned()
        })
        .collect()
}

/// Holds every request against what its agent may know: `sees(earlier call, this call)`.
pub fn check_sight(calls: &[Call], sees: impl Fn(&Call, &Call) -> bool) {
    for (i, call) in calls.iter().enumerate() {
        let expected: BTreeSet<String> = calls
            .iter()
            .enumerate()
            .filter(|(j, other)| *j != i && sees(other, call))
            .filter_map(|(_, other)| other.own.clone())
            .collect();
        assert_eq!(marks(&call.text), expected, "{} at {}", call.agent, call.step);
        assert!(!call.text.contains("THOUGHT-"), "thoughts are nobody's to read");
    }
}

pub fn row(labels: &[&str]) -> Case {
    let case = json!({
        "id": "row-7", "language": "en", "jurisdiction": "", "facts": "Age: 33. Priors count: 4. FACTS-7.",
        "matter": {"asks": "row", "question": "Will the skiff be taken again?", "labels": labels},
        "gold": {"label": "GOLD-LABEL"},
    });
    Case::from_json("row", &case.to_string()).unwrap()
}

pub fn pair(language: &str) -> Case {
    let case = json!({
        "id": "pair-7", "language": language, "jurisdiction": "", "facts": "The keeper of berth 1 owes a fee.",
        "matter": {
            "asks": "entailment",
            "premises": [{"text": "PREMISE-1. Whoever moors at berth 1 pays a fee."}, {"text": "PREMISE-2. A keeper moors."}],
            "hypothesis": "The keeper of berth 1 owes a fee.",
        },
        "gold": {"label": "GOLD-LABEL"},
    });
    Case::from_json("pair", &case.to_string()).unwrap()
}

pub fn sentence() -> Case {
    let case = json!({
        "id": "term-7", "language": "zh", "jurisdiction": "cn", "facts": "被告人甲取走乙的船桨一支。FACTS-7",
        "matter": {"asks": "sentence", "accusation": "盗窃", "articles": [{"id": "cn/criminal-law#a264", "text": "（条文）"}]},
        "gold": {"term": {"class": "fixed", "months": 987}},
    });
    Case::from_json("term", &case.to_string()).unwrap()
}
