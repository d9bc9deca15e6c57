//! Chat models: one trait, an OpenAI-compatible endpoint and an embedded GGUF model behind it.

pub mod dry;
#[cfg(feature = "gguf")]
pub mod gguf;
pub mod openai;

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions.
    System,
    /// Data and questions. Retrieved text and case files come in this role only.
    User,
    /// The model.
    Assistant,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// The words.
    pub content: String,
}

/// A JSON schema that the reply must fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplySchema {
    /// Name for the endpoint: letters, digits, `_`.
    pub name: String,
    /// The schema.
    pub schema: serde_json::Value,
}

/// A request, before any wire format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The conversation.
    pub messages: Vec<Message>,
    /// Schema of the reply, if it is to be structured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<ReplySchema>,
    /// Most tokens of the reply.
    pub max_tokens: u32,
    /// Sampling temperature.
    pub temperature: f32,
    /// Nucleus sampling.
    pub top_p: f32,
    /// Seed, for models that take one.
    pub seed: Option<u64>,
}

/// Tokens of an exchange; `None` where nobody measured them. Never an assumed number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub prompt_tokens: Option<u64>,
    /// Tokens written.
    pub completion_tokens: Option<u64>,
}

/// A reply, as the model gave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatReply {
    /// The words, without `reasoning_content`.
    pub content: String,
    /// Thinking that the endpoint reports apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// `stop`, `length`, `content_filter`, or what the endpoint says.
    pub finish_reason: String,
    /// The model that answered, by its own word.
    pub model: String,
    /// Tokens.
    #[serde(default)]
    pub usage: Usage,
    /// Milliseconds from request to reply, retries included.
    pub latency_ms: u64,
    /// Requests that were sent, retries included.
    pub attempts: u32,
}

impl ChatReply {
    /// Whether the token limit came while the model was still thinking, so that there is no answer at all.
    #[must_use]
    pub fn cut_while_thinking(&self) -> bool {
        let content = self.content.trim();
        let open = content.starts_with("<think") && !content.contains("</think");
        self.finish_reason == "length" && (open || content.is_empty() && self.reasoning.is_some())
    }
}

/// Why there is no reply.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ChatError {
    /// Nobody answers there.
    #[error(
        "{endpoint}: no answer: {message}\nhint: is the server running? `curl {endpoint}/models` should list models"
    )]
    Unreachable {
        /// Base address.
        endpoint: String,
        /// What the network says.
        message: String,
    },
    /// The endpoint kept refusing.
    #[error("{endpoint}: HTTP {status} after {attempts} attempts: {message}\nhint: {hint}")]
    Status {
        /// Base address.
        endpoint: String,
        /// HTTP status.
        status: u16,
        /// Requests sent.
        attempts: u32,
        /// Start of the body.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The conversation is longer than the model's window.
    #[error(
        "{model}: the request does not fit the model's window: {message}\nhint: use a model with a longer context, fewer rounds, or fewer passages (-k)"
    )]
    ContextLength {
        /// Model name.
        model: String,
        /// Details.
        message: String,
        /// The window, where the refusal states it.
        window: Option<Window>,
    },
    /// Not a reply in the expected form.
    #[error(
        "{endpoint}: the answer is not a chat completion: {message}\nhint: --llm wants the base address of an OpenAI-compatible API, such as http://localhost:11434/v1"
    )]
    Nonsense {
        /// Base address.
        endpoint: String,
        /// Details.
        message: String,
    },
    /// Nothing but empty replies.
    #[error(
        "{endpoint}: the last {replies} replies of {model} were empty, each asked for twice\nhint: look at the server's chat template and stop words, or use another model; then run again with --fresh, since the record keeps the empty replies before these"
    )]
    Silent {
        /// Base address.
        endpoint: String,
        /// Model name.
        model: String,
        /// Empty replies, one after the other.
        replies: usize,
    },
    /// Took too long.
    #[error("{endpoint}: no reply within {}s\nhint: raise --timeout, or use a faster model", after.as_secs())]
    Timeout {
        /// Base address or model.
        endpoint: String,
        /// The limit.
        after: Duration,
    },
    /// The embedded model failed.
    #[error("embedded model {model}: {message}\nhint: {hint}")]
    Embedded {
        /// File or name.
        model: String,
        /// Details.
        message: String,
        /// What to do.
        hint: String,
    },
}

/// A model's window, as a refusal states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Tokens of conversation and reply together.
    pub tokens: usize,
    /// Tokens of the conversation that did not fit, by the model's own count.
    pub conversation: Option<usize>,
}

/// Puts a reply on record.
pub type Keep = Box<dyn FnOnce(&ChatReply) + Send>;

/// A chat model.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// Asks; retries, rate limits and waiting belong to the implementation.
    ///
    /// # Errors
    /// If there is no reply after what the implementation tries.
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ChatError>;

    /// As [`ChatModel::chat`], and gives the reply to `keep` before its place is free for another call: so a kill
    /// loses no more replies than calls may be in flight.
    ///
    /// # Errors
    /// As [`ChatModel::chat`].
    async fn chat_kept(&self, request: &ChatRequest, keep: Keep) -> Result<ChatReply, ChatError> {
        let reply = self.chat(request).await?;
        keep(&reply);
        Ok(reply)
    }

    /// Name for the record.
    fn name(&self) -> String;

    /// Size of the window in tokens, if known.
    fn context_length(&self) -> Option<usize>;

    /// Tokens of a conversation by the model's own tokenizer, if it is at hand.
    fn count_tokens(&self, messages: &[Message]) -> Option<usize>;

    /// How many calls may be in flight at once.
    fn concurrency(&self) -> usize;
}
