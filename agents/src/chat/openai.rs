//! Any endpoint that speaks the chat completions API: vLLM, llama.cpp, Ollama, hosted models.
//!
//! What an endpoint cannot do is found out by asking, answered by asking differently, and remembered: no JSON schema,
//! no system role, another name for the token limit, sampling parameters it refuses. What is asked in other words is
//! logged; nothing else about the request ever changes.

mod window;
mod wire;

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use backon::{BackoffBuilder, ExponentialBuilder};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Url, redirect};
use tokio::sync::Semaphore;

use self::wire::{Adaptation, Learned};
use crate::task;

use super::{ChatError, ChatModel, ChatReply, ChatRequest, Keep, Message};

/// Most bytes of an answer that are read; a completion is far smaller.
const MAX_BODY: usize = 16 * 1024 * 1024;
/// Repeats after an answer that is no chat completion.
const NONSENSE_REPEATS: u32 = 2;
/// Repeats after nobody was there at all.
const CONNECT_REPEATS: u32 = 2;
/// Repeats after the time limit.
const TIMEOUT_REPEATS: u32 = 1;
/// Replies without a word, one after the other and each asked for twice, after which the endpoint is at fault and no
/// longer a model that has nothing to say.
const MOST_SILENT: usize = 6;
/// Redirects followed, all within the endpoint's own host and port.
const MAX_REDIRECTS: usize = 5;

/// A chat model behind an OpenAI-compatible endpoint.
#[derive(Debug)]
pub struct OpenAiCompatible(Arc<Endpoint>);

/// The endpoint, its slots, and what is known about it.
struct Endpoint {
    client: Client,
    url: Url,
    endpoint: String,
    model: String,
    key: Option<String>,
    timeout: Duration,
    max_attempts: u32,
    backoff: (Duration, Duration),
    longest_wait: Duration,
    concurrency: usize,
    slots: Arc<Semaphore>,
    context_length: Option<usize>,
    learned: Mutex<Learned>,
    /// Empty replies since the last one that was not.
    silent: AtomicUsize,
}

impl fmt::Debug for Endpoint {
    // By hand: the key must not be printed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("endpoint", &self.endpoint)
            .field("model", &self.model)
            .field("key", &self.key.as_ref().map(|_| "set"))
            .field("timeout", &self.timeout)
            .field("concurrency", &self.concurrency)
            .finish_non_exhaustive()
    }
}

/// Settings of an [`OpenAiCompatible`].
#[derive(Clone)]
#[must_use]
pub struct Builder {
    base: String,
    model: String,
    key: Option<String>,
    timeout: Duration,
    max_attempts: u32,
    backoff: (Duration, Duration),
    longest_wait: Duration,
    concurrency: usize,
    slots: Option<Arc<Semaphore>>,
    context_length: Option<usize>,
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("model", &self.model).finish_non_exhaustive()
    }
}

impl Builder {
    /// API key, sent as a bearer token. An empty one is none.
    pub fn key(mut self, key: Option<String>) -> Self {
        self.key = key.map(|k| k.trim().to_owned()).filter(|k| !k.is_empty());
        self
    }

    /// Time limit of one request, from sending to the last byte. Default: 300 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Calls in flight at once. Default: 4.
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = calls.max(1);
        self
    }

    /// Shares the slots of another model at the same endpoint, whose number of calls in flight is for both.
    pub fn beside(mut self, other: &OpenAiCompatible) -> Self {
        self.concurrency = other.0.concurrency;
        self.slots = Some(Arc::clone(&other.0.slots));
        self
    }

    /// Requests sent before a refusal is final. Default: 6.
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = attempts.max(1);
        self
    }

    /// Shortest and longest wait between attempts where the endpoint names none; doubled each time, with jitter.
    /// Default: 0.5 s and 30 s.
    pub fn backoff(mut self, shortest: Duration, longest: Duration) -> Self {
        self.backoff = (shortest, longest);
        self
    }

    /// Longest `Retry-After` that is waited for; an endpoint that asks for more is given up at once, with an error that
    /// says how long it asked for. Default: 120 s.
    pub fn longest_wait(mut self, wait: Duration) -> Self {
        self.longest_wait = wait;
        self
    }

    /// The model's window, where the user knows it.
    pub fn context_length(mut self, tokens: Option<usize>) -> Self {
        self.context_length = tokens;
        self
    }

    /// The model.
    ///
    /// # Errors
    /// If the address is none, or the key cannot be a header.
    pub fn build(self) -> Result<OpenAiCompatible, ChatError> {
        let bad = |message: String| ChatError::Nonsense { endpoint: shown_raw(&self.base), message };
        let mut url = Url::parse(self.base.trim()).map_err(|e| bad(format!("not an address: {e}")))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(bad("an address starts with http:// or https://".to_owned()));
        }
        let endpoint = shown(&url);
        let path = url.path().trim_end_matches('/').trim_end_matches("/chat/completions").to_owned();
        let endpoint = endpoint.trim_end_matches('/').trim_end_matches("/chat/completions").to_owned();
        url.set_path(&format!("{path}/chat/completions"));
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.key {
            let mut value = HeaderValue::try_from(format!("Bearer {key}"))
                .map_err(|_| bad("the API key holds characters that a header cannot carry".to_owned()))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let home = (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port_or_known_default());
        let policy = redirect::Policy::custom(move |attempt| {
            let to = attempt.url();
            let to = (to.scheme().to_owned(), to.host_str().map(str::to_owned), to.port_or_known_default());
            // Prompts and the key go to the host the user named and nowhere else.
            if to == home && attempt.previous().len() <= MAX_REDIRECTS {
                attempt.follow()
            } else {
                attempt.stop()
            }
        });
        let mut client = Client::builder()
            .default_headers(headers)
            .redirect(policy)
            .connect_timeout(self.timeout.min(Duration::from_secs(15)))
            .user_agent(concat!("nyaya/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&url) {
            // A proxy cannot reach this machine's own loopback.
            client = client.no_proxy();
        }
        let client = client.build().map_err(|e| bad(causes(&e)))?;
        Ok(OpenAiCompatible(Arc::new(Endpoint {
            client,
            url,
            endpoint,
            model: self.model,
            key: self.key,
            timeout: self.timeout,
            max_attempts: self.max_attempts,
            backoff: self.backoff,
            longest_wait: self.longest_wait,
            concurrency: self.concurrency,
            slots: self.slots.unwrap_or_else(|| Arc::new(Semaphore::new(self.concurrency))),
            context_length: self.context_length,
            learned: Mutex::new(Learned::default()),
            silent: AtomicUsize::new(0),
        })))
    }
}

/// An address without user name, password and query, any of which can hold a secret.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

/// The same for what may be no address at all.
fn shown_raw(base: &str) -> String {
    let base = base.split(['?', '#']).next().unwrap_or_default();
    match (base.split_once("://"), base.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        _ => base.to_owned(),
    }
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || host.ends_with(".localhost")
            || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
    })
}

/// An error with what caused it, without the address.
fn causes(error: &reqwest::Error) -> String {
    let mut message = String::new();
    let mut source: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(cause) = source {
        if !message.is_empty() {
            message.push_str(": ");
        }
        message.push_str(&cause.to_string());
        source = cause.source();
    }
    if message.is_empty() { "the connection broke".to_owned() } else { message }
}

/// What came of one request.
enum Outcome {
    Reply(ChatReply),
    /// Ask again, differently.
    Adapt(Adaptation),
    /// Ask again later: why it failed, how often this may be, how long to wait.
    Again {
        error: ChatError,
        repeats: u32,
        wait: Option<Duration>,
    },
    /// Give up.
    Fail(ChatError),
}

impl OpenAiCompatible {
    /// Starts with a base address such as `http://localhost:11434/v1`, and the model's name there.
    pub fn builder(base: impl Into<String>, model: impl Into<String>) -> Builder {
        Builder {
            base: base.into(),
            model: model.into(),
            key: None,
            timeout: Duration::from_secs(300),
            max_attempts: 6,
            backoff: (Duration::from_millis(500), Duration::from_secs(30)),
            longest_wait: Duration::from_secs(120),
            concurrency: 4,
            slots: None,
            context_length: None,
        }
    }

    /// Base address, without secrets.
    #[must_use]
    pub fn endpoint(&self) -> &str {
        &self.0.endpoint
    }
}

impl Endpoint {
    fn learned(&self) -> Learned {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The message without the key, should the endpoint have quoted it.
    fn redact(&self, message: &str) -> String {
        match &self.key {
            Some(key) => message.replace(key.as_str(), "[key]"),
            None => message.to_owned(),
        }
    }

    fn nonsense(&self, why: &str, body: &str) -> ChatError {
        let message = format!("{why}: {}", wire::excerpt(body));
        ChatError::Nonsense { endpoint: self.endpoint.clone(), message: self.redact(&message) }
    }

    /// The request as it goes out.
    fn written(&self, request: &ChatRequest, learned: &Learned) -> Result<Vec<u8>, ChatError> {
        let body = wire::body(request, &self.model, learned);
        serde_json::to_vec(&body).map_err(|e| self.nonsense(&e.to_string(), ""))
    }

    async fn once(&self, body: Vec<u8>, learned: &Learned, attempts: u32) -> Outcome {
        let sent = self
            .client
            .post(self.url.clone())
            .timeout(self.timeout)
            .header(CONTENT_TYPE, "application/json")
            .body(body)
            .send()
            .await;
        let mut response = match sent {
            Ok(response) => response,
            Err(e) => return self.broken(&e),
        };
        let status = response.status().as_u16();
        let wait = wire::retry_after(response.headers());
        let mut bytes = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if bytes.len() + chunk.len() <= MAX_BODY => bytes.extend_from_slice(&chunk),
                Ok(Some(_)) => return Outcome::Fail(self.nonsense("more than 16 MiB", "")),
                Ok(None) => break,
                Err(e) => return self.broken(&e),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if !(200..300).contains(&status) {
            return self.refused(status, wait, &text, learned, attempts);
        }
        match wire::parse(&text, &self.model) {
            wire::Parsed::Reply(reply) => Outcome::Reply(reply),
            // Some gateways report the failure of the model behind them inside a success.
            wire::Parsed::Error { status } => self.refused(status, wait, &text, learned, attempts),
            wire::Parsed::Nonsense(why) => {
                Outcome::Again { error: self.nonsense(&why, &text), repeats: NONSENSE_REPEATS, wait }
            }
        }
    }

    fn broken(&self, error: &reqwest::Error) -> Outcome {
        if error.is_timeout() && !error.is_connect() {
            let error = ChatError::Timeout { endpoint: self.endpoint.clone(), after: self.timeout };
            return Outcome::Again { error, repeats: TIMEOUT_REPEATS, wait: None };
        }
        let repeats = if error.is_connect() { CONNECT_REPEATS } else { u32::MAX };
        let message = self.redact(&causes(error));
        Outcome::Again {
            error: ChatError::Unreachable { endpoint: self.endpoint.clone(), message },
            repeats,
            wait: None,
        }
    }

    fn refused(
        &self,
        status: u16,
        wait: Option<Duration>,
        body: &str,
        learned: &Learned,
        attempts: u32,
    ) -> Outcome {
        let message = self.redact(&wire::error_message(body));
        if wire::is_context_length(status, &message) {
            return Outcome::Fail(ChatError::ContextLength {
                model: self.model.clone(),
                message,
                window: window::stated(body),
            });
        }
        if let Some(adaptation) = learned.adaptation(status, &message) {
            return Outcome::Adapt(adaptation);
        }
        let error = |hint: String| ChatError::Status {
            endpoint: self.endpoint.clone(),
            status,
            attempts,
            message: message.clone(),
            hint,
        };
        if !matches!(status, 429 | 500 | 502 | 503 | 504) {
            return Outcome::Fail(error(wire::hint(status)));
        }
        if let Some(asked) = wait.filter(|w| *w > self.longest_wait) {
            return Outcome::Fail(error(format!(
                "the endpoint asks to wait {} s; run the same command again after that, nothing is lost",
                asked.as_secs()
            )));
        }
        Outcome::Again { error: error(wire::hint(status)), repeats: u32::MAX, wait }
    }

    /// Waits for a slot and asks, again where that makes sense. The slot is free when the reply is kept.
    async fn ask(
        &self,
        request: &ChatRequest,
        mut learned: Learned,
        mut body: Vec<u8>,
        keep: Keep,
    ) -> Result<ChatReply, ChatError> {
        // Never closed, so this cannot fail; the error type just has no other reading.
        let _slot = self.slots.acquire().await.map_err(|e| ChatError::Unreachable {
            endpoint: self.endpoint.clone(),
            message: e.to_string(),
        })?;
        let start = Instant::now();
        let mut waits = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(self.backoff.0)
            .with_max_delay(self.backoff.1)
            .with_max_times(usize::try_from(self.max_attempts - 1).unwrap_or(usize::MAX))
            .build();
        let mut attempts = 0;
        let mut empty_before = false;
        let mut kinds: Vec<(std::mem::Discriminant<ChatError>, u32)> = Vec::new();
        loop {
            attempts += 1;
            let newest = self.learned();
            if newest != learned {
                body = self.written(request, &newest)?;
                learned = newest;
            }
            match self.once(body.clone(), &learned, attempts).await {
                Outcome::Reply(mut reply) => {
                    let silent = reply.content.trim().is_empty()
                        && !matches!(reply.finish_reason.as_str(), "length" | "content_filter");
                    if silent && !empty_before {
                        empty_before = true;
                        tracing::debug!(endpoint = %self.endpoint, "empty reply, asking once more");
                        continue;
                    }
                    if !silent {
                        self.silent.store(0, Ordering::SeqCst);
                    } else if self.silent.fetch_add(1, Ordering::SeqCst) + 1 >= MOST_SILENT {
                        return Err(ChatError::Silent {
                            endpoint: self.endpoint.clone(),
                            model: self.model.clone(),
                            replies: MOST_SILENT,
                        });
                    }
                    reply.attempts = attempts;
                    reply.latency_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
                    keep(&reply);
                    return Ok(reply);
                }
                Outcome::Adapt(adaptation) => {
                    tracing::warn!(endpoint = %self.endpoint, model = %self.model, "{adaptation}");
                    self.learned.lock().unwrap_or_else(PoisonError::into_inner).learn(adaptation);
                }
                Outcome::Fail(error) => return Err(error),
                Outcome::Again { error, repeats, wait } => {
                    let kind = std::mem::discriminant(&error);
                    let count = match kinds.iter_mut().find(|(k, _)| *k == kind) {
                        Some((_, n)) => {
                            *n += 1;
                            *n
                        }
                        None => {
                            kinds.push((kind, 1));
                            1
                        }
                    };
                    let Some(pause) = waits.next().filter(|_| count <= repeats) else { return Err(error) };
                    // Never sooner than the endpoint asks.
                    let pause = wait.map_or(pause, |w| w.max(Duration::from_millis(1)));
                    tracing::debug!(endpoint = %self.endpoint, ?pause, %error, "trying again");
                    tokio::time::sleep(pause).await;
                }
            }
        }
    }
}

#[async_trait]
impl ChatModel for OpenAiCompatible {
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ChatError> {
        self.chat_kept(request, Box::new(|_| ())).await
    }

    async fn chat_kept(&self, request: &ChatRequest, keep: Keep) -> Result<ChatReply, ChatError> {
        // Written before a slot is waited for: a slot is to be busy with waiting for the endpoint.
        let learned = self.0.learned();
        let body = self.0.written(request, &learned)?;
        let runtime = task::connections().map_err(|e| ChatError::Unreachable {
            endpoint: self.0.endpoint.clone(),
            message: e.to_string(),
        })?;
        let (endpoint, request) = (Arc::clone(&self.0), request.clone());
        task::on(runtime, async move { endpoint.ask(&request, learned, body, keep).await }).await
    }

    fn name(&self) -> String {
        self.0.model.clone()
    }

    fn context_length(&self) -> Option<usize> {
        self.0.context_length
    }

    fn count_tokens(&self, _messages: &[Message]) -> Option<usize> {
        None
    }

    fn concurrency(&self) -> usize {
        self.0.concurrency
    }
}
