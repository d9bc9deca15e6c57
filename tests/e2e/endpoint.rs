//! An OpenAI-compatible endpoint whose replies follow from the requests: the same request gets the same reply, in
//! this process and the next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing::post};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// How the endpoint behaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Answers after so many milliseconds.
    Good(u64),
    /// Answers 429 with Retry-After to the first calls, then well.
    Busy(usize),
    /// Answers 429 for ever.
    AlwaysBusy,
    /// Answers with a web page.
    Page,
    /// Answers with half a JSON document.
    Half,
    /// Answers with empty replies.
    Silent,
    /// Answers with half an object, each time.
    Babble,
    /// Refuses what does not fit a window of so many tokens, four characters each, and says so.
    Window(u64),
}

#[derive(Clone)]
pub struct Endpoint {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<Value>>>,
}

struct Shared {
    manner: Manner,
    requests: Arc<Mutex<Vec<Value>>>,
    clock: Arc<Clock>,
}

/// Wakes to the tenth of a millisecond; the runtime's own timer counts in whole ones and rounds up, which is two parts
/// in a hundred of a latency of 50.
#[derive(Default)]
struct Clock {
    due: Mutex<BinaryHeap<Reverse<Due>>>,
    earlier: Condvar,
}

struct Due(Instant, tokio::sync::oneshot::Sender<()>);

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl Clock {
    fn start() -> Arc<Self> {
        let clock = Arc::new(Self::default());
        let own = Arc::clone(&clock);
        std::thread::spawn(move || {
            let mut due = own.due.lock().unwrap();
            loop {
                let now = Instant::now();
                while due.peek().is_some_and(|d| d.0.0 <= now) {
                    let _ = due.pop().unwrap().0.1.send(());
                }
                let wait = due.peek().map_or(Duration::from_secs(60), |d| d.0.0 - now);
                due = own.earlier.wait_timeout(due, wait).unwrap().0;
            }
        });
        clock
    }

    async fn until(&self, at: Instant) {
        let (send, receive) = tokio::sync::oneshot::channel();
        self.due.lock().unwrap().push(Reverse(Due(at, send)));
        self.earlier.notify_one();
        receive.await.unwrap();
    }
}

impl Endpoint {
    /// Starts it on a free port of this machine; it lives as long as the test's process.
    pub fn start(manner: Manner) -> Self {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::new(Shared { manner, requests: Arc::clone(&requests), clock: Clock::start() });
        let (send, receive) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(
                async move {
                    let app = Router::new().route("/v1/chat/completions", post(answer)).with_state(shared);
                    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                    send.send(listener.local_addr().unwrap()).unwrap();
                    axum::serve(listener, app).await.unwrap();
                },
            );
        });
        Self { address: receive.recv().unwrap(), requests }
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The bodies of all requests so far.
    pub fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }

    /// How many requests came so far; cheap enough to be asked while a measurement runs.
    pub fn count(&self) -> usize {
        self.requests.lock().unwrap().len()
    }
}

async fn answer(State(shared): State<Arc<Shared>>, _: HeaderMap, Json(body): Json<Value>) -> Response {
    let came = Instant::now();
    let number = {
        let mut requests = shared.requests.lock().unwrap();
        requests.push(body.clone());
        requests.len()
    };
    match shared.manner {
        Manner::Good(0) => {}
        Manner::Good(wait) => shared.clock.until(came + Duration::from_millis(wait)).await,
        Manner::Busy(n) if number > n => {}
        Manner::Busy(_) => {
            return (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "0")], "slow down").into_response();
        }
        Manner::AlwaysBusy => {
            return (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "0")], "slow down").into_response();
        }
        Manner::Page => return "<html><body>It works!</body></html>".into_response(),
        Manner::Silent | Manner::Babble => {
            let content = if shared.manner == Manner::Silent { "" } else { "{\"%%\": [" };
            let message = json!({"role": "assistant", "content": content});
            return Json(json!({"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}))
                .into_response();
        }
        Manner::Window(window) => {
            let messages = body["messages"].as_array().unwrap();
            let chars: usize = messages.iter().map(|m| m["content"].as_str().unwrap().chars().count()).sum();
            let (read, written) = (chars as u64 / 4, body["max_tokens"].as_u64().unwrap());
            if read + written > window {
                let message = format!(
                    "This model's maximum context length is {window} tokens. However, you requested {} tokens ({read} in the messages, {written} in the completion).",
                    read + written
                );
                return (StatusCode::BAD_REQUEST, Json(json!({"error": {"message": message}})))
                    .into_response();
            }
        }
        Manner::Half => return "{\"choices\": [{\"message\": {\"content\": \"{\\\"state".into_response(),
    }
    let hash = Sha256::digest(body["messages"].to_string());
    let schema = &body["response_format"]["json_schema"]["schema"];
    let content = if schema.is_object() {
        instance(schema, schema, "", &hash).to_string()
    } else {
        "The bench should look at section 8.".to_owned()
    };
    Json(json!({
        "id": "x", "object": "chat.completion", "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }))
    .into_response()
}

/// A value that fits the schema; what is open is decided by the hash.
pub fn instance(root: &Value, schema: &Value, name: &str, hash: &[u8]) -> Value {
    if let Some(target) = schema["$ref"].as_str() {
        return instance(root, root.pointer(target.trim_start_matches('#')).unwrap(), name, hash);
    }
    if let Some(one) = schema["enum"].as_array() {
        return one[usize::from(hash[0]) % one.len()].clone();
    }
    if let Some(any) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return instance(root, &any[0], name, hash);
    }
    let kind = schema["type"].as_str().or(schema["type"][0].as_str()).unwrap_or("string");
    match kind {
        "object" => {
            let fields = schema["properties"].as_object().unwrap();
            Value::Object(fields.iter().map(|(k, v)| (k.clone(), instance(root, v, k, hash))).collect())
        }
        "array" => {
            let least = schema["minItems"].as_u64().unwrap_or(1).max(1);
            (0..least).map(|_| instance(root, &schema["items"], name, hash)).collect()
        }
        "integer" | "number" => schema["minimum"].as_u64().unwrap_or(50).into(),
        "boolean" => hash[1].is_multiple_of(2).into(),
        _ if name.contains("cite") || name.contains("offence") || name.contains("charge") => {
            "xx/river-act#s9".into()
        }
        _ => format!("Words {:02x}{:02x} about section 8 of the River Act.", hash[2], hash[3]).into(),
    }
}
