//! The client for OpenAI-compatible endpoints against an endpoint in this process that answers by a script and keeps
//! what it was sent.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use nyaya_agents::chat::openai::{Builder, OpenAiCompatible};
use nyaya_agents::chat::{ChatError, ChatModel, ChatReply, ChatRequest, Message, ReplySchema, Role};
use serde_json::{Value, json};

/// One answer of the endpoint.
#[derive(Clone)]
struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
    delay: Duration,
}

fn answer(status: u16, body: impl ToString) -> Answer {
    Answer { status, headers: Vec::new(), body: body.to_string(), delay: Duration::ZERO }
}

impl Answer {
    fn header(mut self, name: &'static str, value: impl ToString) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }

    fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}

fn said(words: &str) -> Answer {
    answer(200, completion(&json!(words)))
}

fn completion(content: &Value) -> Value {
    json!({
        "model": "m-1",
        "choices": [{ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 11, "completion_tokens": 3 },
    })
}

fn error(message: &str) -> Value {
    json!({ "error": { "message": message } })
}

/// A request as it arrived.
struct Seen {
    path: String,
    headers: HeaderMap,
    body: Value,
    at: Instant,
}

#[derive(Default)]
struct Endpoint {
    script: Mutex<VecDeque<Answer>>,
    seen: Mutex<Vec<Seen>>,
    busy: AtomicUsize,
    busiest: AtomicUsize,
}

impl Endpoint {
    async fn start(script: Vec<Answer>) -> (Arc<Self>, SocketAddr) {
        let endpoint = Arc::new(Self { script: Mutex::new(script.into()), ..Self::default() });
        let state = Arc::clone(&endpoint);
        let app = Router::new().fallback(move |uri: Uri, headers: HeaderMap, body: Bytes| {
            let state = Arc::clone(&state);
            async move { state.handle(&uri, headers, &body).await }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        (endpoint, address)
    }

    async fn handle(&self, uri: &Uri, headers: HeaderMap, body: &Bytes) -> Response {
        let busy = self.busy.fetch_add(1, Ordering::SeqCst) + 1;
        self.busiest.fetch_max(busy, Ordering::SeqCst);
        let body = serde_json::from_slice(body).unwrap_or(Value::Null);
        self.seen.lock().unwrap().push(Seen { path: uri.to_string(), headers, body, at: Instant::now() });
        let next = self.script.lock().unwrap().pop_front().unwrap_or_else(|| said("end of script"));
        tokio::time::sleep(next.delay).await;
        self.busy.fetch_sub(1, Ordering::SeqCst);
        let mut response = (StatusCode::from_u16(next.status).unwrap(), next.body).into_response();
        for (name, value) in next.headers {
            response.headers_mut().insert(name, value.parse().unwrap());
        }
        response
    }

    fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    fn body(&self, i: usize) -> Value {
        self.seen.lock().unwrap()[i].body.clone()
    }

    fn gap(&self, i: usize) -> Duration {
        let seen = self.seen.lock().unwrap();
        seen[i + 1].at - seen[i].at
    }
}

fn model(address: SocketAddr) -> Builder {
    OpenAiCompatible::builder(format!("http://{address}/v1"), "m")
        .backoff(Duration::from_millis(5), Duration::from_millis(20))
        .timeout(Duration::from_secs(5))
}

fn ask() -> ChatRequest {
    let say = |role, content: &str| Message { role, content: content.to_owned() };
    ChatRequest {
        messages: vec![say(Role::System, "Be brief."), say(Role::User, "Well?")],
        schema: None,
        max_tokens: 50,
        temperature: 0.7,
        top_p: 1.0,
        seed: Some(9),
    }
}

fn ask_json() -> ChatRequest {
    let schema = json!({
        "type": "object",
        "properties": { "a": { "type": "string", "maxLength": 20 } },
        "required": ["a"],
        "additionalProperties": false,
    });
    ChatRequest { schema: Some(ReplySchema { name: "short_answer".to_owned(), schema }), ..ask() }
}

async fn chat(script: Vec<Answer>, request: &ChatRequest) -> (Arc<Endpoint>, Result<ChatReply, ChatError>) {
    let (endpoint, address) = Endpoint::start(script).await;
    let reply = model(address).build().unwrap().chat(request).await;
    (endpoint, reply)
}

#[tokio::test]
async fn a_plain_request_and_its_reply() {
    let (endpoint, address) = Endpoint::start(vec![said("hello")]).await;
    let model = model(address).key(Some("secret-1".to_owned())).build().unwrap();
    let reply = model.chat(&ask()).await.unwrap();
    assert_eq!((reply.content.as_str(), reply.finish_reason.as_str()), ("hello", "stop"));
    assert_eq!((reply.model.as_str(), reply.attempts), ("m-1", 1));
    assert_eq!((reply.usage.prompt_tokens, reply.usage.completion_tokens), (Some(11), Some(3)));
    let seen = endpoint.seen.lock().unwrap();
    assert_eq!(seen[0].path, "/v1/chat/completions");
    assert_eq!(seen[0].headers["authorization"], "Bearer secret-1");
    assert_eq!(
        seen[0].body,
        json!({
            "model": "m",
            "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Well?" }],
            "max_tokens": 50,
            "temperature": 0.7,
            "top_p": 1,
            "seed": 9,
            "stream": false,
        })
    );
}

#[tokio::test]
async fn addresses_in_every_spelling() {
    for tail in ["/v1", "/v1/", "/v1/chat/completions", "/v1/chat/completions/"] {
        let (endpoint, address) = Endpoint::start(vec![]).await;
        let model =
            OpenAiCompatible::builder(format!("http://{address}{tail}?api-version=1"), "m").build().unwrap();
        model.chat(&ask()).await.unwrap();
        assert_eq!(endpoint.seen.lock().unwrap()[0].path, "/v1/chat/completions?api-version=1", "{tail}");
        assert_eq!(model.endpoint(), format!("http://{address}/v1"));
    }
    for bad in ["localhost", "ftp://host/v1", "", "http://"] {
        let error = OpenAiCompatible::builder(bad, "m").build().unwrap_err().to_string();
        assert!(error.contains("address") && error.contains("hint:"), "{bad}: {error}");
    }
}

#[tokio::test]
async fn refusals_that_pass_are_repeated_and_others_are_not() {
    for status in [429, 500, 502, 503, 504] {
        let (endpoint, reply) = chat(vec![answer(status, error("later")), said("ok")], &ask()).await;
        let reply = reply.unwrap();
        assert_eq!((reply.content.as_str(), reply.attempts, endpoint.count()), ("ok", 2, 2), "{status}");
        assert_eq!(endpoint.body(0), endpoint.body(1), "{status}: the same is asked again");
    }
    for status in [400, 401, 402, 403, 404, 405, 410, 501] {
        let (endpoint, reply) = chat(vec![answer(status, error("no")), said("ok")], &ask()).await;
        let error = reply.unwrap_err();
        assert!(
            matches!(&error, ChatError::Status { status: s, attempts: 1, .. } if *s == status),
            "{error}"
        );
        assert!(error.to_string().contains("no") && error.to_string().contains("hint:"), "{error}");
        assert_eq!(endpoint.count(), 1, "{status}");
    }
}

#[tokio::test]
async fn repeated_refusal_ends() {
    let (endpoint, address) = Endpoint::start(vec![answer(503, "busy"); 20]).await;
    let error = model(address).max_attempts(4).build().unwrap().chat(&ask()).await.unwrap_err();
    assert!(matches!(error, ChatError::Status { status: 503, attempts: 4, .. }), "{error}");
    assert_eq!(endpoint.count(), 4);
}

#[tokio::test]
async fn retry_after_in_seconds_and_as_a_date() {
    let (endpoint, reply) = chat(vec![answer(429, "").header("retry-after", 1), said("ok")], &ask()).await;
    assert_eq!(reply.unwrap().content, "ok");
    assert!(endpoint.gap(0) >= Duration::from_secs(1), "{:?}", endpoint.gap(0));
    assert!(endpoint.gap(0) < Duration::from_secs(3), "{:?}", endpoint.gap(0));

    // Dates have no fractions: two seconds ahead is at least one to wait.
    let date = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(2);
    let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&date).unwrap();
    let (endpoint, reply) = chat(vec![answer(503, "").header("retry-after", date), said("ok")], &ask()).await;
    assert_eq!(reply.unwrap().content, "ok");
    assert!(endpoint.gap(0) >= Duration::from_secs(1), "{:?}", endpoint.gap(0));

    // A date that has passed means now; one that is none is no date.
    for value in ["Sun, 06 Nov 1994 08:49:37 GMT", "soon"] {
        let (endpoint, reply) =
            chat(vec![answer(503, "").header("retry-after", value), said("ok")], &ask()).await;
        assert_eq!(reply.unwrap().content, "ok");
        assert!(endpoint.gap(0) < Duration::from_secs(1), "{value}");
    }
}

#[tokio::test]
async fn retry_after_beyond_the_longest_wait_is_an_error_at_once() {
    let (endpoint, reply) =
        chat(vec![answer(429, "").header("retry-after", 86_400), said("ok")], &ask()).await;
    let error = reply.unwrap_err().to_string();
    assert!(error.contains("wait 86400 s"), "{error}");
    assert_eq!(endpoint.count(), 1);
}

#[tokio::test]
async fn a_schema_is_asked_for_in_the_best_way_the_endpoint_has_and_that_is_remembered() {
    let (endpoint, address) = Endpoint::start(vec![
        answer(400, error("'response_format.type' must be one of: text, json_object")),
        said("{\"a\": \"1\"}"),
        said("{\"a\": \"2\"}"),
        answer(400, error("response_format is not supported")),
        said("{\"a\": \"3\"}"),
        said("{\"a\": \"4\"}"),
        said("plain"),
    ])
    .await;
    let model = model(address).build().unwrap();
    let request = ask_json();
    let reply = model.chat(&request).await.unwrap();
    assert_eq!((reply.content.as_str(), reply.attempts), ("{\"a\": \"1\"}", 2));
    for _ in 0..3 {
        model.chat(&request).await.unwrap();
    }
    model.chat(&ask()).await.unwrap();
    let schema = request.schema.as_ref().unwrap().schema.clone();
    assert_eq!(
        endpoint.body(0)["response_format"],
        json!({ "type": "json_schema", "json_schema": { "name": "short_answer", "strict": true, "schema": schema } })
    );
    assert_eq!(endpoint.body(0)["messages"][0]["content"], "Be brief.");
    for i in [1, 2, 3] {
        assert_eq!(endpoint.body(i)["response_format"], json!({ "type": "json_object" }), "{i}");
    }
    for i in [4, 5, 6] {
        assert_eq!(endpoint.body(i).get("response_format"), None, "{i}");
    }
    for i in 1..6 {
        let system = endpoint.body(i)["messages"][0]["content"].as_str().unwrap().to_owned();
        assert!(system.starts_with("Be brief.\n\n") && system.contains(&schema.to_string()), "{i}: {system}");
        assert_eq!(endpoint.body(i)["messages"][1]["content"], "Well?", "{i}");
    }
    assert_eq!(endpoint.body(6)["messages"][0]["content"], "Be brief.", "no schema, no words about one");
    assert_eq!(endpoint.count(), 7);
}

#[tokio::test]
async fn an_open_schema_is_not_asked_for_strictly() {
    let mut request = ask_json();
    request.schema.as_mut().unwrap().schema = json!({ "type": "object", "properties": { "a": {} } });
    let (endpoint, reply) = chat(vec![], &request).await;
    reply.unwrap();
    assert_eq!(endpoint.body(0)["response_format"]["json_schema"]["strict"], json!(false));
}

#[tokio::test]
async fn a_model_without_system_role_gets_instructions_from_the_user() {
    let (endpoint, address) =
        Endpoint::start(vec![answer(400, error("System role not supported")), said("1"), said("2")]).await;
    let model = model(address).build().unwrap();
    model.chat(&ask()).await.unwrap();
    model.chat(&ask()).await.unwrap();
    assert_eq!(endpoint.body(0)["messages"][0]["role"], "system");
    for i in [1, 2] {
        assert_eq!(
            endpoint.body(i)["messages"],
            json!([{ "role": "user", "content": "Be brief.\n\nWell?" }])
        );
    }
    assert_eq!(endpoint.count(), 3);
}

#[tokio::test]
async fn other_names_and_refused_parameters() {
    let (endpoint, reply) = chat(
        vec![
            answer(400, error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")),
            answer(400, error("Unsupported value: 'temperature' does not support 0.7 with this model.")),
            said("ok"),
        ],
        &ask(),
    )
    .await;
    assert_eq!(reply.unwrap().attempts, 3);
    let last = endpoint.body(2);
    assert_eq!((last.get("max_tokens"), &last["max_completion_tokens"]), (None, &json!(50)));
    assert_eq!((last.get("temperature"), &last["seed"]), (None, &json!(9)));
}

#[tokio::test]
async fn a_refusal_that_asks_for_the_same_again_does_not_go_round_for_ever() {
    let always = vec![
        answer(
            400,
            error(
                "response_format json_schema unsupported, system role unsupported, temperature, top_p, seed, max_completion_tokens unsupported"
            )
        );
        50
    ];
    let (endpoint, reply) = chat(always, &ask_json()).await;
    assert!(matches!(reply.unwrap_err(), ChatError::Status { status: 400, .. }));
    assert!(endpoint.count() <= 8, "{}", endpoint.count());
}

#[tokio::test]
async fn reasoning_and_content_in_their_several_forms() {
    let message = |m: Value| answer(200, json!({ "choices": [{ "message": m, "finish_reason": null }] }));
    let (_, reply) = chat(vec![message(json!({ "content": "c", "reasoning_content": "r" }))], &ask()).await;
    let reply = reply.unwrap();
    assert_eq!((reply.content.as_str(), reply.reasoning.as_deref()), ("c", Some("r")));
    assert_eq!((reply.finish_reason.as_str(), reply.model.as_str()), ("unknown", "m"));
    assert_eq!((reply.usage.prompt_tokens, reply.usage.completion_tokens), (None, None));

    let parts = json!({ "content": [{ "type": "text", "text": "a" }, { "type": "image" }, { "type": "text", "text": "b" }] });
    assert_eq!(chat(vec![message(parts)], &ask()).await.1.unwrap().content, "ab");
    let refusal = json!({ "content": null, "refusal": "I will not." });
    assert_eq!(chat(vec![message(refusal)], &ask()).await.1.unwrap().content, "I will not.");
}

#[tokio::test]
async fn an_empty_reply_is_asked_for_once_more() {
    for empty in [json!(""), Value::Null, json!("  \n"), json!([])] {
        let (endpoint, reply) = chat(vec![answer(200, completion(&empty)), said("ok")], &ask()).await;
        assert_eq!((reply.unwrap().content.as_str(), endpoint.count()), ("ok", 2));
        let (endpoint, reply) = chat(vec![answer(200, completion(&empty)); 5], &ask()).await;
        let reply = reply.unwrap();
        assert_eq!((reply.content.trim(), reply.attempts, endpoint.count()), ("", 2, 2));
    }
    // Cut off by the limit while thinking: asking again would give the same.
    let mut cut = completion(&json!(""));
    cut["choices"][0]["finish_reason"] = json!("length");
    let (endpoint, reply) = chat(vec![answer(200, cut), said("ok")], &ask()).await;
    assert_eq!((reply.unwrap().finish_reason.as_str(), endpoint.count()), ("length", 1));
}

#[tokio::test]
async fn nothing_but_empty_replies_is_an_error() {
    let empty = answer(200, completion(&json!("")));
    let (_, address) = Endpoint::start(vec![empty.clone(); 40]).await;
    let model_of_few_words = model(address).build().unwrap();
    for _ in 0..5 {
        assert_eq!(model_of_few_words.chat(&ask()).await.unwrap().content, "");
    }
    let error = model_of_few_words.chat(&ask()).await.unwrap_err();
    assert!(matches!(error, ChatError::Silent { replies: 6, .. }), "{error}");
    assert!(error.to_string().contains("hint:"), "{error}");
    // A word in between, and the count begins again.
    let mut answers = vec![empty.clone(); 10];
    answers.push(said("ok"));
    answers.extend(vec![empty; 10]);
    let (_, address) = Endpoint::start(answers).await;
    let model = model(address).build().unwrap();
    for _ in 0..11 {
        model.chat(&ask()).await.unwrap();
    }
}

#[tokio::test]
async fn a_conversation_too_long_is_its_own_error() {
    for (status, message) in [
        (400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."),
        (400, "the request exceeds the available context size. try increasing the context size"),
        (413, "input is too long"),
    ] {
        let (endpoint, reply) = chat(vec![answer(status, error(message)), said("ok")], &ask_json()).await;
        let error = reply.unwrap_err();
        assert!(matches!(error, ChatError::ContextLength { .. }), "{error}");
        assert_eq!(endpoint.count(), 1);
    }
}

#[tokio::test]
async fn what_is_no_completion_is_repeated_a_little() {
    let half = completion(&json!("x")).to_string()[..40].to_owned();
    for body in ["<html><body>Welcome</body></html>", &half, "", "[]", "{\"choices\": []}", "{\"ok\": true}"]
    {
        let (endpoint, reply) = chat(vec![answer(200, body); 9], &ask()).await;
        let error = reply.unwrap_err();
        assert!(matches!(error, ChatError::Nonsense { .. }), "{body}: {error}");
        assert!(error.to_string().contains("hint:"), "{error}");
        assert_eq!(endpoint.count(), 3, "{body}");
        let (_, reply) = chat(vec![answer(200, body), said("ok")], &ask()).await;
        assert_eq!(reply.unwrap().content, "ok", "{body}");
    }
}

#[tokio::test]
async fn an_error_inside_a_success_counts_as_its_own_status() {
    let inside = |code: u16| answer(200, json!({ "error": { "code": code, "message": "upstream" } }));
    let (endpoint, reply) = chat(vec![inside(502), said("ok")], &ask()).await;
    assert_eq!((reply.unwrap().attempts, endpoint.count()), (2, 2));
    let (_, reply) = chat(vec![inside(401), said("ok")], &ask()).await;
    assert!(matches!(reply.unwrap_err(), ChatError::Status { status: 401, .. }));
}

#[tokio::test]
async fn redirects_stay_with_the_host() {
    let (elsewhere, other) = Endpoint::start(vec![]).await;
    for status in [301, 302, 303, 307, 308] {
        let to = format!("http://{other}/v1/chat/completions");
        let (_, reply) = chat(vec![answer(status, "").header("location", to)], &ask()).await;
        let error = reply.unwrap_err();
        assert!(matches!(&error, ChatError::Status { status: s, .. } if *s == status), "{error}");
    }
    assert_eq!(elsewhere.count(), 0, "nothing was sent to another host");
    let (endpoint, reply) =
        chat(vec![answer(307, "").header("location", "/moved"), said("ok")], &ask()).await;
    assert_eq!(reply.unwrap().content, "ok");
    assert_eq!(endpoint.seen.lock().unwrap()[1].path, "/moved");
    assert_eq!(endpoint.body(1), endpoint.body(0));
}

#[tokio::test]
async fn a_broken_connection_is_tried_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut buffer = [0; 4096];
            let _ = stream.read(&mut buffer).await;
            match counted.fetch_add(1, Ordering::SeqCst) {
                0 => {}
                1 => {
                    // Half an answer.
                    let _ =
                        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"choices\"").await;
                }
                _ => {
                    let body = completion(&json!("ok")).to_string();
                    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
                    let _ = stream.write_all(head.as_bytes()).await;
                }
            }
        }
    });
    let reply = model(address).build().unwrap().chat(&ask()).await.unwrap();
    assert_eq!((reply.content.as_str(), reply.attempts), ("ok", 3));
}

#[tokio::test]
async fn nobody_there() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = model(free).build().unwrap().chat(&ask()).await.unwrap_err();
    assert!(matches!(error, ChatError::Unreachable { .. }), "{error}");
    assert!(error.to_string().contains(&format!("http://{free}/v1")), "{error}");
    assert!(error.to_string().contains("hint:"), "{error}");
}

#[tokio::test]
async fn a_silent_endpoint_is_given_up() {
    let slow = said("late").after(Duration::from_secs(30));
    let (endpoint, address) = Endpoint::start(vec![slow; 5]).await;
    let limit = Duration::from_millis(200);
    let start = Instant::now();
    let error = model(address).timeout(limit).build().unwrap().chat(&ask()).await.unwrap_err();
    assert!(matches!(error, ChatError::Timeout { after, .. } if after == limit), "{error}");
    assert_eq!(endpoint.count(), 2);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn no_more_calls_at_once_than_allowed() {
    let (endpoint, address) = Endpoint::start(vec![said("ok").after(Duration::from_millis(30)); 12]).await;
    let first = Arc::new(model(address).concurrency(3).build().unwrap());
    // Another model at the same endpoint takes its calls from the same three.
    let second = Arc::new(model(address).beside(&first).build().unwrap());
    assert_eq!((first.concurrency(), second.concurrency()), (3, 3));
    let calls: Vec<_> = (0..12)
        .map(|i| {
            let model = Arc::clone(if i % 2 == 0 { &first } else { &second });
            tokio::spawn(async move { model.chat(&ask()).await.unwrap() })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(endpoint.busiest.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn the_key_is_nowhere_to_be_seen() {
    const KEY: &str = "sk-very-secret";
    let quoting = || answer(401, error(&format!("Incorrect API key provided: {KEY}")));
    let (_, address) = Endpoint::start(vec![quoting(), answer(200, format!("<p>{KEY}</p>"))]).await;
    let base = format!("http://user:{KEY}@{address}/v1?key={KEY}");
    let builder = OpenAiCompatible::builder(&base, "m").key(Some(KEY.to_owned())).max_attempts(1);
    let debug_of_builder = format!("{builder:?}");
    let model = builder.build().unwrap();
    let refused = model.chat(&ask()).await.unwrap_err();
    let nonsense = model.chat(&ask()).await.unwrap_err();
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let unreachable = OpenAiCompatible::builder(format!("http://u:{KEY}@{free}/?k={KEY}"), "m")
        .max_attempts(1)
        .build()
        .unwrap()
        .chat(&ask())
        .await
        .unwrap_err();
    let no_address = OpenAiCompatible::builder(format!("htp://u:{KEY}@x/?k={KEY}"), "m").build().unwrap_err();
    for text in [
        debug_of_builder,
        format!("{model:?}"),
        format!("{refused} {refused:?}"),
        format!("{nonsense} {nonsense:?}"),
        format!("{unreachable} {unreachable:?}"),
        format!("{no_address} {no_address:?}"),
    ] {
        assert!(!text.contains(KEY), "{text}");
    }
    assert!(refused.to_string().contains("Incorrect API key provided: [key]"), "{refused}");
}
