//! An endpoint that does everything wrong that endpoints do. What it does to a request, and what it answers in the
//! end, follows from the request alone (its seed, which names the call), and from how often it came; so two runs of
//! the same trials get the same replies, however they are disturbed.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

#[derive(Default)]
struct Seen {
    /// How often each call came.
    came: HashMap<u64, u32>,
    /// How often each call got its reply.
    answered: HashMap<u64, u32>,
    /// Length of what was fenced when the call came first.
    length: HashMap<u64, usize>,
}

/// The endpoint.
#[derive(Clone)]
pub struct Chaos {
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
}

/// What is sent back.
enum Act {
    Reply(u16, &'static str, String),
    /// Nothing, and the connection ends.
    Drop,
    /// Part of the reply, and the connection ends.
    Half(String),
    /// Nothing for longer than anybody waits.
    Stall,
}

impl Chaos {
    /// Starts it on a free port; it lives as long as the test's process.
    pub fn start(wait: Duration) -> Self {
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let (send, receive) = std::sync::mpsc::channel();
        let state = Arc::clone(&seen);
        std::thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(
                async move {
                    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                    send.send(listener.local_addr().unwrap()).unwrap();
                    loop {
                        let (stream, _) = listener.accept().await.unwrap();
                        tokio::spawn(serve(stream, Arc::clone(&state), wait));
                    }
                },
            );
        });
        Self { address: receive.recv().unwrap(), seen }
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Calls that got their reply, and how many replies were given beyond one each.
    pub fn answered(&self) -> (usize, u32) {
        let seen = self.seen.lock().unwrap();
        (seen.answered.len(), seen.answered.values().map(|n| n - 1).sum())
    }

    /// Forgets how often calls came.
    pub fn forget(&self) {
        *self.seen.lock().unwrap() = Seen::default();
    }
}

async fn serve(mut stream: TcpStream, seen: Arc<Mutex<Seen>>, wait: Duration) {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0u8; 16 * 1024];
        let body = loop {
            if let Some((start, length)) = head(&bytes)
                && bytes.len() >= start + length
            {
                let body: Value = serde_json::from_slice(&bytes[start..start + length]).unwrap();
                bytes.drain(..start + length);
                break body;
            }
            match stream.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(n) => bytes.extend_from_slice(&chunk[..n]),
            }
        };
        tokio::time::sleep(wait).await;
        let act = act(&body, &seen);
        let (status, extra, text) = match act {
            Act::Drop => return,
            Act::Stall => {
                tokio::time::sleep(Duration::from_secs(30)).await;
                return;
            }
            Act::Half(text) => {
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                    text.len()
                );
                let _ = stream.write_all(head.as_bytes()).await;
                let _ = stream.write_all(&text.as_bytes()[..text.len() / 2]).await;
                return;
            }
            Act::Reply(status, extra, text) => (status, extra, text),
        };
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{extra}content-length: {}\r\n\r\n",
            text.len()
        );
        if stream.write_all((head + &text).as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Where the body starts, and how long it is.
fn head(bytes: &[u8]) -> Option<(usize, usize)> {
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&bytes[..end]).unwrap().to_lowercase();
    let length = head.lines().find_map(|l| l.strip_prefix("content-length:"))?.trim().parse().unwrap();
    Some((end, length))
}

fn error(status: u16, extra: &'static str, message: &str) -> Act {
    Act::Reply(status, extra, json!({"error": {"message": message}}).to_string())
}

fn act(body: &Value, seen: &Mutex<Seen>) -> Act {
    // What it cannot do at all.
    if body["response_format"]["type"] == "json_schema" {
        return error(400, "", "response_format json_schema is not supported by this model");
    }
    let messages = body["messages"].as_array().unwrap();
    if messages.iter().any(|m| m["role"] == "system") {
        return error(400, "", "System role not supported");
    }
    let text: String = messages.iter().map(|m| m["content"].as_str().unwrap()).collect();
    if text.contains("POISON") {
        return error(400, "", "this request is not to my liking");
    }
    let call = body["seed"].as_u64().unwrap();
    let fenced = text.rfind("=== END").unwrap_or(0) - text.find("=== BEGIN").unwrap_or(0);
    let hash = Sha256::digest(call.to_le_bytes());
    let (came, first) = {
        let mut seen = seen.lock().unwrap();
        let came = seen.came.entry(call).or_default();
        *came += 1;
        let came = *came;
        (came, *seen.length.entry(call).or_insert(fenced))
    };
    let kind = hash[0] % 16;
    // A fault that passes, the first time or the first two times.
    if came <= 1 + u32::from(hash[1] % 2) {
        match kind {
            0 if hash[2] < 96 => return Act::Drop,
            1 => return error(429, "retry-after: 0\r\n", "slow down"),
            2 if hash[2] < 64 => return error(429, "", "slow down"),
            3 if hash[2] < 64 => return error(500, "", "something broke"),
            4 if hash[2] < 96 => return Act::Half(reply(&text, &hash, None).to_string()),
            _ => {}
        }
    }
    if came == 1 {
        match kind {
            5 if hash[2] < 40 => return Act::Stall,
            6 => {
                let mut reply = reply(&text, &hash, None);
                reply["choices"][0]["message"]["content"] = "".into();
                return Act::Reply(200, "", reply.to_string());
            }
            7 if hash[2] < 128 => {
                return Act::Reply(200, "", "<html><body>Bad gateway, but politely</body></html>".to_owned());
            }
            _ => {}
        }
    }
    // A window that is too small for this call as it came first.
    if kind == 8 && fenced >= first {
        return error(
            400,
            "",
            "This model's maximum context length is 4096 tokens. However, you requested more.",
        );
    }
    *seen.lock().unwrap().answered.entry(call).or_default() += 1;
    let content = match kind {
        // The next attempt is another call, which another hash decides.
        9 => Some("I'm sorry, but I can't help with sentencing people.".to_owned()),
        10 => Some("{\"rationale\": \"It was a long ni".to_owned()),
        _ => None,
    };
    let mut reply = reply(&text, &hash, content);
    match kind {
        11 => reply["model"] = "some-other-model-0613".into(),
        12 => reply["choices"][0]["message"]["reasoning_content"] = "Let me think about section 8.".into(),
        13 => reply["usage"] = Value::Null,
        _ => {}
    }
    Act::Reply(200, "", reply.to_string())
}

fn reply(text: &str, hash: &[u8], content: Option<String>) -> Value {
    let content = content.unwrap_or_else(|| {
        // The schema is told in words; it is the first JSON value after them.
        let schema = text
            .split("valid against this JSON schema:\n")
            .nth(1)
            .and_then(|rest| serde_json::Deserializer::from_str(rest).into_iter::<Value>().next()?.ok());
        schema
            .map_or_else(|| "Words.".to_owned(), |s| super::endpoint::instance(&s, &s, "", hash).to_string())
    });
    json!({
        "id": "x", "object": "chat.completion", "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })
}
