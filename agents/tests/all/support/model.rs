//! A model that a test writes the replies of.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use nyaya_agents::chat::{ChatError, ChatModel, ChatReply, ChatRequest, Message, Usage};

/// Who is asked for what.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// `judge`, `adjudicator-2`, `lay-1`.
    pub agent: String,
    /// `queries`, `opening`, `sentence-0`, `round-1`, …
    pub step: String,
    /// The model is asked again.
    pub again: bool,
}

/// The reply to a request: given it and the number of the call.
pub type Reply = dyn Fn(&ChatRequest, usize) -> String + Send + Sync;

/// A model that follows a script, remembers what it was sent, and can die.
pub struct Scripted {
    pub reply: Box<Reply>,
    /// Tells whose turn it is.
    pub turn: fn(&ChatRequest) -> Turn,
    /// With more than one at once, replies come in another order than the questions went out.
    pub concurrency: usize,
    /// Window in words.
    pub window: Option<usize>,
    pub usage: Usage,
    /// Why a reply ended, by the number of the call, where that is not `stop`.
    pub finish: Mutex<BTreeMap<usize, String>>,
    /// Requests begun from this one on fail (or hang, if `hang`).
    pub die_at: AtomicUsize,
    pub hang: bool,
    pub died: Arc<tokio::sync::Notify>,
    pub begun: AtomicUsize,
    pub requests: Mutex<Vec<ChatRequest>>,
    pub answered: Mutex<Vec<ChatRequest>>,
}

impl Scripted {
    pub fn new(reply: impl Fn(&ChatRequest, usize) -> String + Send + Sync + 'static) -> Self {
        Self {
            reply: Box::new(reply),
            turn: |_| panic!("the test does not tell turns apart"),
            concurrency: 1,
            window: None,
            usage: Usage { prompt_tokens: Some(100), completion_tokens: Some(20) },
            finish: Mutex::default(),
            die_at: AtomicUsize::new(usize::MAX),
            hang: false,
            died: Arc::default(),
            begun: AtomicUsize::new(0),
            requests: Mutex::default(),
            answered: Mutex::default(),
        }
    }

    /// Replies by turns, which `turn` tells from requests.
    pub fn by_turns(
        turn: fn(&ChatRequest) -> Turn,
        script: impl Fn(&Turn, &ChatRequest) -> String + Send + Sync + 'static,
    ) -> Self {
        Self { turn, ..Self::new(move |request, _| script(&turn(request), request)) }
    }

    pub fn turns(&self) -> Vec<Turn> {
        self.requests.lock().unwrap().iter().map(self.turn).collect()
    }

    /// What an agent was asked at a step.
    pub fn asked(&self, agent: &str, step: &str) -> Vec<ChatRequest> {
        let is_it = |request: &&ChatRequest| {
            let turn = (self.turn)(request);
            turn.agent == agent && turn.step == step
        };
        self.requests.lock().unwrap().iter().filter(is_it).cloned().collect()
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
            // Another order each time.
            let jitter = (n.wrapping_mul(2_654_435_761) >> 3) % 7;
            tokio::time::sleep(Duration::from_millis(jitter as u64)).await;
        }
        let content = (self.reply)(request, n);
        self.answered.lock().unwrap().push(request.clone());
        let finish = self.finish.lock().unwrap().get(&n).cloned().unwrap_or_else(|| "stop".to_owned());
        Ok(ChatReply {
            content,
            // The same whenever it is asked: it stands in the record.
            reasoning: Some("THOUGHT-".to_owned()),
            finish_reason: finish,
            model: "script".to_owned(),
            usage: self.usage,
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
