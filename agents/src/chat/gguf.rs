//! A model in a GGUF file, run in this process on the CPU, so that the program works on a bare machine.
//!
//! Everything comes from the file: architecture, tokenizer, chat template, end tokens, window. A reply with a schema is
//! constrained token by token by a grammar made of the schema; what the grammar forces is read in one go instead of
//! being generated. What conversations have in common at their beginning is read once and kept, within a budget of
//! memory, because reading is what takes the time here.
//!
//! A grammar cannot know how many tokens are left. Near the limit, strings, lists and objects are therefore closed as
//! soon as the grammar allows it, and `finish_reason` is `length`: the reply is whole JSON, but its words are cut. Keep
//! `max_tokens` generous and put `maxLength` on the strings of a schema, and this never happens.

mod network;
mod sample;
mod template;
mod vocabulary;

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use candle_core::quantized::gguf_file;
use llguidance::api::TopLevelGrammar;
use llguidance::{Matcher, ParserFactory};
use tokio::sync::Semaphore;

use self::network::{Cache, Network};
use self::sample::Sampler;
use self::template::{Part, Template};
use self::vocabulary::Vocabulary;
use super::{ChatError, ChatModel, ChatReply, ChatRequest, Message, ReplySchema, Usage, Window};

/// Tokens read at once: enough to fill the cores, few enough to stop soon when nobody waits any more.
const CHUNK: usize = 256;
/// A conversation that shares all but this many tokens with a kept one takes its place.
const SMALL_LOSS: usize = 32;

/// A chat model in a GGUF file.
///
/// One call runs at a time, on all cores (`RAYON_NUM_THREADS` sets how many); others wait. Dropping the future of a
/// call stops it within one chunk of reading or one token of writing.
pub struct EmbeddedGguf {
    inner: Arc<Inner>,
    turn: Arc<Semaphore>,
    time_limit: Option<Duration>,
    context: usize,
    cache_bytes: usize,
}

impl fmt::Debug for EmbeddedGguf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddedGguf")
            .field("model", &self.inner.name)
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}

struct Inner {
    name: String,
    network: Network,
    vocabulary: Vocabulary,
    template: Template,
    /// Tokens of nothing but closing marks, for replies that reach the limit.
    closing: Vec<u32>,
    kept: Mutex<Kept>,
}

/// What is kept between calls.
struct Kept {
    grammars: ParserFactory,
    conversations: Vec<Conversation>,
    clock: u64,
}

struct Conversation {
    cache: Cache,
    /// Tokens of the prompt it was last read for; what follows is a reply.
    prompt: usize,
    used: u64,
}

/// Sets a flag when dropped: the caller is gone.
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// When to stop.
struct Limits {
    gone: Arc<AtomicBool>,
    deadline: Option<(Instant, Duration)>,
    context: usize,
    cache_bytes: usize,
}

impl EmbeddedGguf {
    /// Opens a model file. Takes a second or two and as much memory as the file is long.
    ///
    /// # Errors
    /// If the file cannot be read, is no GGUF file, is cut short, or holds a model of another architecture than those
    /// supported.
    pub fn open(path: &Path) -> Result<Self, ChatError> {
        let name = path.file_stem().map_or_else(|| "model".into(), |s| s.to_string_lossy().into_owned());
        let error = |message: String, hint: &str| ChatError::Embedded {
            model: path.display().to_string(),
            message,
            hint: hint.to_owned(),
        };
        let pull = "`nyaya models pull` gets a model; or name a file with --model";
        let file = File::open(path).map_err(|e| error(e.to_string(), pull))?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let content = gguf_file::Content::read(&mut reader)
            .map_err(|e| error(format!("not a GGUF file, or cut short: {}", first_line(&e)), pull))?;
        let arch = content
            .metadata
            .get("general.architecture")
            .and_then(|v| v.to_string().ok().cloned())
            .ok_or_else(|| error("the file does not name its architecture".to_owned(), pull))?;
        if !network::ARCHITECTURES.split(", ").any(|known| known == arch) {
            return Err(error(
                format!("architecture `{arch}` is not supported (supported: {})", network::ARCHITECTURES),
                "take a Qwen or Llama model in GGUF form, or serve this one with llama.cpp and use --llm",
            ));
        }
        let again = "the file may be damaged: `nyaya models pull` checks and mends it";
        let vocabulary = Vocabulary::read(&content).map_err(|e| error(format!("tokenizer: {e}"), again))?;
        let source = content
            .metadata
            .get("tokenizer.chat_template")
            .and_then(|v| v.to_string().ok().cloned())
            .ok_or_else(|| {
                error(
                    "the file has no chat template".to_owned(),
                    "take an instruction-tuned model in GGUF form",
                )
            })?;
        let template = Template::new(source, vocabulary.bos.clone(), vocabulary.eos.clone())
            .map_err(|e| error(format!("chat template: {e}"), again))?;
        let network = Network::read(&content, &mut reader, &arch)
            .map_err(|e| error(format!("weights: {}", first_line(&e)), again))?;
        let env = vocabulary.token_env().map_err(|e| error(format!("tokenizer: {e}"), again))?;
        let mut grammars =
            ParserFactory::new_simple(&env).map_err(|e| error(format!("tokenizer: {e}"), again))?;
        grammars.quiet();
        let closing = (0u32..)
            .take(vocabulary.len())
            .filter(|id| {
                let bytes = vocabulary.bytes(*id);
                !bytes.is_empty() && bytes.len() <= 4 && bytes.iter().all(|b| br#""]}"#.contains(b))
            })
            .collect();
        let context = network.shape.context;
        Ok(Self {
            inner: Arc::new(Inner {
                name,
                network,
                vocabulary,
                template,
                closing,
                kept: Mutex::new(Kept { grammars, conversations: Vec::new(), clock: 0 }),
            }),
            turn: Arc::new(Semaphore::new(1)),
            time_limit: None,
            context,
            cache_bytes: 512 << 20,
        })
    }

    /// Time limit of one call, waiting for its turn not counted. Default: none.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Option<Duration>) -> Self {
        self.time_limit = limit;
        self
    }

    /// Most tokens of prompt and reply together, up to what the model was trained for.
    #[must_use]
    pub fn with_context_length(mut self, tokens: usize) -> Self {
        self.context = tokens.clamp(1, self.inner.network.shape.context);
        self
    }

    /// Memory for conversations that are kept between calls. Default: 512 MiB. The one at hand is always kept.
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes;
        self
    }
}

/// The first line of an error; the others are a backtrace.
fn first_line(error: &candle_core::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// Tokens to keep back for closing a reply: what the longest chain of fields may need.
fn reserve(schema: &serde_json::Value) -> usize {
    fn fields(value: &serde_json::Value) -> usize {
        match value {
            serde_json::Value::Object(map) => {
                let own = map.get("properties").and_then(|p| p.as_object()).map_or(0, serde_json::Map::len);
                own + map.values().map(fields).sum::<usize>()
            }
            serde_json::Value::Array(list) => list.iter().map(fields).sum(),
            _ => 0,
        }
    }
    16 + 10 * fields(schema)
}

impl Inner {
    fn error(&self, message: impl Into<String>, hint: &str) -> ChatError {
        ChatError::Embedded { model: self.name.clone(), message: message.into(), hint: hint.to_owned() }
    }

    fn failed(&self, error: &candle_core::Error) -> ChatError {
        self.error(
            first_line(error),
            "run the same command again; if it stays, the model file may be damaged",
        )
    }

    fn tokens(&self, messages: &[Message]) -> Result<Vec<u32>, String> {
        let mut tokens = Vec::new();
        for part in self.template.render(messages)? {
            tokens.extend(match part {
                Part::Frame(text) => self.vocabulary.of_template(&text)?,
                Part::Said(text) => self.vocabulary.of_content(&text)?,
            });
        }
        Ok(tokens)
    }

    fn matcher(&self, grammars: &ParserFactory, schema: &ReplySchema) -> Result<Matcher, ChatError> {
        let mut with_options = schema.schema.clone();
        if let Some(root) = with_options.as_object_mut() {
            // One way to write a space, the one models have seen most; free white space lets small models run on.
            root.entry("x-guidance").or_insert_with(|| {
                serde_json::json!({
                    "whitespace_flexible": false,
                    "item_separator": ", ",
                    "key_separator": ": ",
                    "lenient": true,
                })
            });
        }
        let mut matcher =
            Matcher::new(grammars.create_parser(TopLevelGrammar::from_json_schema(with_options)));
        if let Some(why) = matcher.get_error() {
            return Err(self.error(
                format!(
                    "schema `{}` cannot be made a grammar: {}",
                    schema.name,
                    why.lines().next().unwrap_or_default()
                ),
                "this is a fault of the program: please report it with the schema's name",
            ));
        }
        for warning in matcher.grammar_warnings() {
            tracing::debug!(schema = %schema.name, %warning, "part of the schema is not enforced");
        }
        Ok(matcher)
    }

    /// Stops if nobody waits any more or the time is up.
    fn check(&self, limits: &Limits) -> Result<(), ChatError> {
        if limits.gone.load(Ordering::Relaxed) {
            return Err(self.error("the call was given up", "run the same command again; nothing is lost"));
        }
        match limits.deadline {
            Some((at, after)) if Instant::now() >= at => {
                Err(ChatError::Timeout { endpoint: self.name.clone(), after })
            }
            _ => Ok(()),
        }
    }

    fn read(&self, cache: &mut Cache, tokens: &[u32], limits: &Limits) -> Result<Vec<f32>, ChatError> {
        let mut logits = Vec::new();
        for chunk in tokens.chunks(CHUNK) {
            self.check(limits)?;
            logits = self.network.forward(cache, chunk).map_err(|e| self.failed(&e))?;
        }
        Ok(logits)
    }

    fn run(&self, request: &ChatRequest, limits: &Limits) -> Result<ChatReply, ChatError> {
        let start = Instant::now();
        let prompt = self.tokens(&request.messages).map_err(|e| {
            self.error(format!("chat template: {e}"), "take another instruction-tuned model in GGUF form")
        })?;
        let room = limits.context.saturating_sub(prompt.len());
        if prompt.is_empty() || room == 0 {
            return Err(ChatError::ContextLength {
                model: self.name.clone(),
                message: format!("{} tokens, the window is {}", prompt.len(), limits.context),
                window: Some(Window { tokens: limits.context, conversation: Some(prompt.len()) }),
            });
        }
        let most = usize::try_from(request.max_tokens).unwrap_or(usize::MAX).clamp(1, room);
        let mut kept = self.kept.lock().unwrap_or_else(|poisoned| {
            // A call that panicked may have left a cache half written.
            let mut kept = PoisonError::into_inner(poisoned);
            kept.conversations.clear();
            kept
        });
        self.kept.clear_poison();
        let mut matcher = request.schema.as_ref().map(|s| self.matcher(&kept.grammars, s)).transpose()?;
        let index = self.conversation(&mut kept, &prompt, most, limits)?;
        kept.clock += 1;
        let now = kept.clock;
        let Some(conversation) = kept.conversations.get_mut(index) else {
            return Err(self.error("no conversation", "run the same command again"));
        };
        conversation.used = now;
        conversation.prompt = prompt.len();
        let cache = &mut conversation.cache;
        let known = cache.common(&prompt).min(prompt.len() - 1);
        cache.cut(known);

        // What the grammar forces at the very beginning is read together with the prompt.
        let mut written: Vec<u32> = matcher.as_mut().map(Matcher::consume_ff_tokens).unwrap_or_default();
        let mut pending: Vec<u32> = prompt.iter().skip(known).chain(&written).copied().collect();
        let fresh = pending.len();
        let keep_back = request.schema.as_ref().map_or(0, |s| reserve(&s.schema).min(most / 2));
        let mut sampler =
            Sampler::new(request.seed.unwrap_or_else(rand::random), request.temperature, request.top_p);
        let mut cut = false;
        let mut read_in = None;
        loop {
            if matcher.as_ref().is_some_and(Matcher::is_stopped) {
                break;
            }
            if written.len() >= most {
                cut = true;
                break;
            }
            let logits = self.read(cache, &pending, limits)?;
            read_in.get_or_insert_with(|| start.elapsed());
            let closing = matcher.is_some() && written.len() + keep_back >= most;
            let Some((next, forced)) = self.next(&mut sampler, &logits, matcher.as_mut(), closing)? else {
                cut = true;
                break;
            };
            cut |= forced;
            if self.vocabulary.ends.contains(&next) {
                break;
            }
            written.push(next);
            pending = vec![next];
            if let Some(matcher) = &mut matcher {
                matcher.consume_token(next).map_err(|e| self.grammar(&e.to_string()))?;
                if !matcher.is_stopped() {
                    let forced = matcher.consume_ff_tokens();
                    written.extend(&forced);
                    pending.extend(forced);
                }
            }
        }
        if let Some(why) = matcher.as_ref().and_then(Matcher::get_error) {
            return Err(self.grammar(&why));
        }
        let bytes: Vec<u8> = written.iter().flat_map(|t| self.vocabulary.bytes(*t)).copied().collect();
        let elapsed = start.elapsed();
        tracing::debug!(
            model = %self.name,
            prompt = prompt.len(),
            reused = known,
            read = fresh,
            read_ms = read_in.unwrap_or(elapsed).as_millis(),
            written = written.len(),
            total_ms = elapsed.as_millis(),
            "embedded reply"
        );
        Ok(ChatReply {
            content: String::from_utf8_lossy(&bytes).into_owned(),
            reasoning: None,
            finish_reason: if cut { "length" } else { "stop" }.to_owned(),
            model: self.name.clone(),
            usage: Usage {
                prompt_tokens: u64::try_from(prompt.len()).ok(),
                completion_tokens: u64::try_from(written.len()).ok(),
            },
            latency_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
            attempts: 1,
        })
    }

    fn grammar(&self, why: &str) -> ChatError {
        let why = why.lines().next().unwrap_or_default();
        self.error(format!("constrained decoding: {why}"), "this is a fault of the program: please report it")
    }

    /// The next token, and whether it is there only because the reply must end. `None` if there is none.
    fn next(
        &self,
        sampler: &mut Sampler,
        logits: &[f32],
        matcher: Option<&mut Matcher>,
        closing: bool,
    ) -> Result<Option<(u32, bool)>, ChatError> {
        let size = u32::try_from(self.vocabulary.len()).unwrap_or(u32::MAX);
        let Some(matcher) = matcher else {
            return Ok(sampler.draw(logits, |id| id < size).map(|id| (id, false)));
        };
        let mask = matcher.compute_mask_or_eos().map_err(|e| self.grammar(&e.to_string()))?;
        let Some(wanted) = sampler.draw(logits, |id| id < size && mask.is_allowed(id)) else {
            return Ok(None);
        };
        if closing && !self.closing.contains(&wanted) {
            let allowed = |id: u32| self.closing.contains(&id) && mask.is_allowed(id);
            if let Some(closer) = sampler.draw(logits, allowed) {
                return Ok(Some((closer, true)));
            }
        }
        Ok(Some((wanted, false)))
    }

    /// The kept conversation to go on with; its place in the list.
    fn conversation(
        &self,
        kept: &mut Kept,
        prompt: &[u32],
        most: usize,
        limits: &Limits,
    ) -> Result<usize, ChatError> {
        let best = kept
            .conversations
            .iter()
            .enumerate()
            .map(|(i, c)| (c.cache.common(prompt), i))
            .max_by_key(|(common, i)| (*common, *i));
        if let Some((common, i)) = best
            && let Some(c) = kept.conversations.get(i)
        {
            let lost = c.cache.tokens.len().saturating_sub(common);
            // Only its reply differs, or next to nothing: nobody will miss what is overwritten.
            if common >= c.prompt || lost <= SMALL_LOSS {
                return Ok(i);
            }
        }
        let room = prompt.len() + most.min(2 * CHUNK);
        let mut cache = match best.and_then(|(common, i)| kept.conversations.get(i).map(|c| (common, c))) {
            Some((common, c)) => self.network.copy(&c.cache, common, room),
            None => self.network.cache(),
        }
        .map_err(|e| self.failed(&e))?;
        cache.cut(prompt.len());
        kept.conversations.push(Conversation { cache, prompt: prompt.len(), used: u64::MAX });
        // The least recently used go, until the rest fits.
        while kept.conversations.len() > 1
            && kept.conversations.iter().map(|c| self.network.bytes(&c.cache)).sum::<usize>()
                > limits.cache_bytes
        {
            let oldest = kept.conversations.iter().enumerate().min_by_key(|(_, c)| c.used).map(|(i, _)| i);
            if let Some(i) = oldest {
                kept.conversations.remove(i);
            }
        }
        Ok(kept.conversations.len() - 1)
    }
}

#[async_trait]
impl ChatModel for EmbeddedGguf {
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ChatError> {
        let broken = |message: String| {
            self.inner.error(message, "run the same command again; if it stays, please report it")
        };
        let turn = Arc::clone(&self.turn).acquire_owned().await.map_err(|e| broken(e.to_string()))?;
        let gone = Arc::new(AtomicBool::new(false));
        let _guard = Gone(Arc::clone(&gone));
        let limits = Limits {
            gone,
            deadline: self.time_limit.and_then(|limit| Some((Instant::now().checked_add(limit)?, limit))),
            context: self.context,
            cache_bytes: self.cache_bytes,
        };
        let inner = Arc::clone(&self.inner);
        let request = request.clone();
        tokio::task::spawn_blocking(move || {
            // Held until the work has really stopped, also when the caller is gone.
            let _turn = turn;
            inner.run(&request, &limits)
        })
        .await
        .map_err(|e| broken(format!("the model stopped unexpectedly: {e}")))?
    }

    fn name(&self) -> String {
        self.inner.name.clone()
    }

    fn context_length(&self) -> Option<usize> {
        Some(self.context)
    }

    fn count_tokens(&self, messages: &[Message]) -> Option<usize> {
        self.inner.tokens(messages).ok().map(|t| t.len())
    }

    fn concurrency(&self) -> usize {
        1
    }
}
