//! A protocol that knows the session only, and gets restart, budget and fences from it.

mod protocol {
    use nyaya_agents::Session;

    /// One proposes after a search, three comment at once, the first sums up. Gives the words of the last.
    pub async fn hold(
        session: &Session,
        question: &str,
    ) -> Result<String, nyaya_agents::session::SessionError> {
        let host = session.actor("host", "host");
        let hits = session.search(&host, "look", "section 1").await?;
        let found: Vec<String> = hits.iter().map(|h| h.text.clone()).collect();
        let ask = session.ask(&host, "propose").system("You host a talk. [host propose]").text(question);
        let proposal = ask.data("law", found.join("\n")).send::<Vec<String>>().await?;
        let proposal = proposal.reading.value.unwrap_or_default().join(" ");
        session.say(&host, "propose", &proposal, &[])?;
        session.note(&host, "propose", "NOTE-TO-SELF")?;
        let guests: Vec<_> = (1..=3).map(|n| session.actor("guest", &format!("guest-{n}"))).collect();
        let jobs = guests.iter().map(|guest| {
            let proposal = proposal.clone();
            async move {
                let system = format!("You are a guest. [{} comment]", guest.agent);
                let ask = session.ask(guest, "comment").system(system).data("proposal", proposal);
                let words = ask.send::<Vec<String>>().await?.reading.value.unwrap_or_default().join(" ");
                session.say(guest, "comment", &words, &[])?;
                Ok(words)
            }
        });
        let words = session.together("guest", jobs.collect()).await?;
        let ask = session.ask(&host, "sum-up").system("You host a talk. [host sum-up]");
        let last = ask.data("comments", words.join("\n")).send::<Vec<String>>().await?;
        let last = last.reading.value.unwrap_or_default().join(" ");
        session.say(&host, "sum-up", &last, &[])?;
        Ok(last)
    }
}

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use nyaya_agents::Session;
use nyaya_agents::chat::{ChatError, ChatModel, ChatReply, ChatRequest, Message, Role, Usage};
use nyaya_agents::run::{Held, RunConfig, RunError};
use nyaya_agents::session::SessionError;

use super::world::{Stage, case};

/// Answers with the words in brackets of the instructions.
struct Parrot {
    die_at: usize,
    begun: AtomicUsize,
    requests: Mutex<Vec<ChatRequest>>,
}

impl Parrot {
    fn new(die_at: usize) -> Arc<Self> {
        Arc::new(Self { die_at, begun: AtomicUsize::new(0), requests: Mutex::default() })
    }
}

#[async_trait]
impl ChatModel for Parrot {
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ChatError> {
        let n = self.begun.fetch_add(1, Ordering::SeqCst);
        if n >= self.die_at {
            return Err(ChatError::Unreachable {
                endpoint: "http://parrot".to_owned(),
                message: "gone".to_owned(),
            });
        }
        self.requests.lock().unwrap().push(request.clone());
        tokio::time::sleep(std::time::Duration::from_millis([5, 1, 3][n % 3])).await;
        let system = &request.messages[0].content;
        let words = system.split_once('[').unwrap().1.split_once(']').unwrap().0;
        Ok(ChatReply {
            content: serde_json::json!([words]).to_string(),
            reasoning: None,
            finish_reason: "stop".to_owned(),
            model: "parrot".to_owned(),
            usage: Usage { prompt_tokens: Some(10), completion_tokens: Some(5) },
            latency_ms: 1,
            attempts: 1,
        })
    }

    fn name(&self) -> String {
        "parrot".to_owned()
    }

    fn context_length(&self) -> Option<usize> {
        None
    }

    fn count_tokens(&self, _: &[Message]) -> Option<usize> {
        Some(10)
    }

    fn concurrency(&self) -> usize {
        3
    }
}

async fn hold(
    stage: &Stage,
    model: &Arc<Parrot>,
    budget: Option<u64>,
    question: &str,
) -> Result<Held<String>, RunError> {
    let options = RunConfig { max_tokens_total: budget, ..RunConfig::default() };
    let run = stage.run(&options, &case(), model)?;
    run.trial_with(&case(), 0, Arc::new(()), async |session: &Session| {
        protocol::hold(session, question).await
    })
    .await
}

const QUESTION: &str = "What of the skiff?";

#[tokio::test]
async fn it_can_be_killed_anywhere() {
    let whole = Stage::new();
    let held = hold(&whole, &Parrot::new(usize::MAX), None, QUESTION).await.unwrap();
    assert_eq!(held.value, "host sum-up");
    assert_eq!(held.counts.asked, 5);
    for at in 0..5 {
        let stage = Stage::new();
        let first = Parrot::new(at);
        hold(&stage, &first, None, QUESTION).await.unwrap_err();
        let second = Parrot::new(usize::MAX);
        hold(&stage, &second, None, QUESTION).await.unwrap();
        assert_eq!(stage.comparable(&case()), whole.comparable(&case()), "killed at {at}");
        let asked = first.requests.lock().unwrap().len() + second.requests.lock().unwrap().len();
        assert_eq!(asked, 5, "killed at {at}");
    }
}

#[tokio::test]
async fn another_question_at_the_same_path_is_refused() {
    let stage = Stage::new();
    hold(&stage, &Parrot::new(2), None, QUESTION).await.unwrap_err();
    let error = hold(&stage, &Parrot::new(usize::MAX), None, "What of the net?").await.unwrap_err();
    assert!(matches!(error, RunError::Session(SessionError::Diverged { .. })), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("the-blue-skiff-0/propose/host/attempt-1/sample-0") && text.contains("--fresh"),
        "{text}"
    );
}

#[tokio::test]
async fn it_stops_at_a_budget_and_goes_on() {
    let stage = Stage::new();
    let model = Parrot::new(usize::MAX);
    // A call reserves 10 + 512; four that took 15 each leave no room for a fifth.
    let error = hold(&stage, &model, Some(522 + 40), QUESTION).await.unwrap_err();
    assert!(matches!(error, RunError::Session(SessionError::Budget { .. })), "{error}");
    let asked = model.begun.load(Ordering::SeqCst);
    assert!(asked < 5);
    hold(&stage, &model, None, QUESTION).await.unwrap();
    assert_eq!(model.begun.load(Ordering::SeqCst), 5);
}

#[tokio::test]
async fn its_data_is_fenced_and_its_notes_are_its_own() {
    let stage = Stage::new();
    let model = Parrot::new(usize::MAX);
    hold(&stage, &model, None, QUESTION).await.unwrap();
    let secret = stage.secret();
    let requests = model.requests.lock().unwrap();
    for request in requests.iter() {
        let [system, user] = request.messages.as_slice() else { panic!("two messages") };
        assert_eq!((system.role, user.role), (Role::System, Role::User));
        assert!(
            system.content.contains(&secret),
            "the rule of the fence is added where a protocol forgets it"
        );
        assert_eq!(user.content.matches(&secret).count(), 2);
        assert!(!user.content.contains("NOTE-TO-SELF"));
    }
}
