//! An OpenAI-compatible endpoint whose replies follow from the requests: the same request gets the same reply, in
//! this process and the next.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

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
}

#[derive(Clone)]
pub struct Endpoint {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<Value>>>,
}

struct Shared {
    manner: Manner,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl Endpoint {
    /// Starts it on a free port of this machine; it lives as long as the test's process.
    pub fn start(manner: Manner) -> Self {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::new(Shared { manner, requests: Arc::clone(&requests) });
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
    let number = {
        let mut requests = shared.requests.lock().unwrap();
        requests.push(body.clone());
        requests.len()
    };
    match shared.manner {
        Manner::Good(wait) => tokio::time::sleep(Duration::from_millis(wait)).await,
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
