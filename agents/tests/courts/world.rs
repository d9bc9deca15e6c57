//! A knowledge base of one passage, and a model that fills the form it is asked for, each reply with a mark of its own.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use jiff::civil::date;
use nyaya_agents::Case;
use nyaya_agents::chat::{ChatError, ChatModel, ChatReply, ChatRequest, Message, Role, Usage};
use nyaya_agents::event::{Body, Decision, Event};
use nyaya_agents::protocols::Court;
use nyaya_agents::record::{comparable, read_events};
use nyaya_agents::run::{Outcome, Parts, Place, Run, RunConfig, RunError, RunRecord};
use nyaya_agents::session::Models;
use nyaya_corpora::{Catalogue, MemoryLookup, ProvisionLookup, Status};
use nyaya_retrieval::{Hit, Query, Retrieve};
use serde_json::{Value, json};

/// Finds the same invented sections, whatever is asked.
pub struct Kb {
    lookup: MemoryLookup,
    pub queries: Mutex<Vec<Query>>,
}

#[async_trait]
impl Retrieve for Kb {
    async fn search(&self, query: &Query) -> Result<Vec<Hit>, nyaya_retrieval::Error> {
        self.queries.lock().unwrap().push(query.clone());
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

/// A whole reply in place of a form: given the request and the number of the call.
pub type Raw = dyn Fn(&ChatRequest, usize) -> Option<String> + Send + Sync;

/// Fills the form; every field of words carries the mark of the call.
pub struct Model {
    pick: Box<Pick>,
    pub raw: Mutex<Option<Box<Raw>>>,
    pub concurrency: usize,
    /// Thoughts carry the number of their call, which depends on the order of arrival.
    pub numbered: bool,
    pub usage: Usage,
    pub die_at: AtomicUsize,
    pub hang: bool,
    pub died: tokio::sync::Notify,
    pub begun: AtomicUsize,
    pub answered: AtomicUsize,
    pub requests: Mutex<Vec<ChatRequest>>,
}

impl Model {
    pub fn new(
        pick: impl Fn(&ChatRequest, usize, &str, &Value) -> Option<Value> + Send + Sync + 'static,
    ) -> Self {
        Self {
            pick: Box::new(pick),
            raw: Mutex::default(),
            concurrency: 1,
            numbered: true,
            usage: Usage { prompt_tokens: Some(100), completion_tokens: Some(20) },
            die_at: AtomicUsize::new(usize::MAX),
            hang: false,
            died: tokio::sync::Notify::new(),
            begun: AtomicUsize::new(0),
            answered: AtomicUsize::new(0),
            requests: Mutex::default(),
        }
    }

    /// Replies as they are, instead of the form, where `raw` has one.
    pub fn with_raw(
        self,
        raw: impl Fn(&ChatRequest, usize) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        *self.raw.lock().unwrap() = Some(Box::new(raw));
        self
    }

    fn fill(&self, request: &ChatRequest, n: usize, name: &str, schema: &Value) -> Value {
        if let Some(value) = (self.pick)(request, n, name, schema) {
            return value;
        }
        match schema["type"].as_str() {
            Some("object") => {
                let fields = schema["properties"].as_object().unwrap();
                fields
                    .iter()
                    .map(|(k, v)| (k.clone(), self.fill(request, n, k, v)))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }
            Some("array") => {
                let least = schema["minItems"].as_u64().unwrap_or(1);
                (0..least).map(|_| self.fill(request, n, name, &schema["items"])).collect::<Vec<_>>().into()
            }
            Some("boolean") => json!(true),
            Some("integer") => json!(80),
            _ => match schema.get("enum") {
                Some(list) => list[0].clone(),
                None => json!(format!("Words MARK-{n}. ({name})")),
            },
        }
    }
}

#[async_trait]
impl ChatModel for Model {
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ChatError> {
        let n = self.begun.fetch_add(1, Ordering::SeqCst);
        if n >= self.die_at.load(Ordering::SeqCst) {
            self.died.notify_one();
            if self.hang {
                std::future::pending::<()>().await;
            }
            return Err(ChatError::Unreachable { endpoint: "http://script".into(), message: "gone".into() });
        }
        self.requests.lock().unwrap().push(request.clone());
        if self.concurrency > 1 {
            let jitter = (n.wrapping_mul(2_654_435_761) >> 3) % 7;
            tokio::time::sleep(Duration::from_millis(jitter as u64)).await;
        }
        let raw = self.raw.lock().unwrap().as_ref().and_then(|f| f(request, n));
        let content = raw.unwrap_or_else(|| {
            let schema = &request.schema.as_ref().unwrap().schema;
            self.fill(request, n, "", schema).to_string()
        });
        self.answered.fetch_add(1, Ordering::SeqCst);
        Ok(ChatReply {
            content,
            reasoning: Some(if self.numbered { format!("THOUGHT-{n}.") } else { "THOUGHT-".to_owned() }),
            finish_reason: "stop".into(),
            model: "script".into(),
            usage: self.usage,
            latency_ms: 1,
            attempts: 1,
        })
    }

    fn name(&self) -> String {
        "script".into()
    }

    fn context_length(&self) -> Option<usize> {
        None
    }

    fn count_tokens(&self, _: &[Message]) -> Option<usize> {
        None
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }
}

/// A folder for one run.
pub struct Stage {
    pub folder: tempfile::TempDir,
    pub kb: Arc<Kb>,
}

impl Stage {
    pub fn new() -> Self {
        let kb = Kb { lookup: MemoryLookup::new([]), queries: Mutex::default() };
        Self { folder: tempfile::tempdir().unwrap(), kb: Arc::new(kb) }
    }

    pub fn run(&self, config: &RunConfig, case: &Case, model: &Arc<Model>) -> Result<Run, RunError> {
        let model: Arc<dyn ChatModel> = Arc::clone(model) as _;
        let parts = Parts {
            models: Models::new(model),
            retriever: Arc::clone(&self.kb) as _,
            catalogue: Arc::new(Catalogue::builtin().unwrap()),
            today: date(2026, 1, 1),
        };
        let place = Place::Folder(self.folder.path().to_owned());
        Run::open(config, std::slice::from_ref(case), parts, &place)
    }

    pub async fn hold(
        &self,
        config: &RunConfig,
        case: &Case,
        model: &Arc<Model>,
    ) -> Result<Outcome, RunError> {
        self.run(config, case, model)?.trial(case, 0, Arc::new(())).await
    }

    pub fn events(&self, case: &Case) -> Vec<Event> {
        let path = self.folder.path().join("trials").join(format!("{}-0", case.id)).join("events.jsonl");
        read_events(&path).unwrap()
    }

    pub fn comparable(&self, case: &Case) -> Vec<Value> {
        let secret = RunRecord::read(self.folder.path()).unwrap().fence_secret;
        self.events(case).iter().map(|e| comparable(e, Some(&secret))).collect()
    }
}

/// Holds a case and gives the decision with the record.
pub async fn decide(court: Court, case: &Case, model: Model) -> (Decision, Vec<Event>) {
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

pub fn all_text(request: &ChatRequest) -> String {
    request.messages.iter().map(|m| m.content.as_str()).collect::<Vec<_>>().join("\n")
}

pub fn role_text(request: &ChatRequest, role: Role) -> String {
    let of = request.messages.iter().filter(|m| m.role == role);
    of.map(|m| m.content.as_str()).collect::<Vec<_>>().join("\n")
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
