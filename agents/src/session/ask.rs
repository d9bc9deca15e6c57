//! A question to a model: the request, the reply, and asking again.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::oneshot;

use super::budget::{reservation, used};
use super::constrain::{constrain, shown};
use super::cut::{Cut, estimate, floor};
use super::prices::Cost;
use super::refusal::{is_refusal, said};
use super::{Progress, Session, SessionError, hash_of, now};
use crate::chat::{ChatError, ChatModel, ChatReply, ChatRequest, Keep, Message, ReplySchema, Role, Window};
use crate::event::{Actor, Body};
use crate::fence::Fence;
use crate::prompts::Piece;
use crate::read::{Reading, Stage, read_json};
use crate::record::{CallRecord, RecordError};

/// Most calls for one question: the first, and again after a refusal, an unreadable or a wrong reply.
const MOST_ATTEMPTS: u32 = 3;

/// Tokens from which on a model that says it read fewer than it was sent is believed to have cut the conversation;
/// no window in use is smaller.
const SMALLEST_WINDOW: u64 = 1_000;

/// Tokens that a reply gets more where the limit cut it off while the model was thinking: as much again as it would have
/// needed is not known, and models think for some thousand tokens.
const MORE_THINKING: u32 = 4_096;

/// Most requests of one call where the endpoint says each time that the conversation is too long.
const MOST_TOO_LONG: u32 = 6;

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// How the last reply that could be read was read, and what was read.
    pub reading: Reading<T>,
    /// That reply, or the last one if none could be read.
    pub content: String,
    /// The model would not take part, not even after the reframing.
    pub refused: bool,
    /// What is still wrong with the value after it was asked for again.
    pub problem: Option<String>,
}

/// A question to the model of an agent; made by [`Session::ask`].
#[must_use = "a question is asked by `send`"]
pub struct Ask<'s> {
    session: &'s Session,
    actor: Actor,
    step: String,
    round: Option<u32>,
    sample: u32,
    system: Vec<Piece>,
    user: Vec<Piece>,
    schema: Option<ReplySchema>,
    max_tokens: u32,
    temperature: f32,
    /// Tokens, by our estimate, that the conversation may have after the model read less than it was sent.
    room: Option<usize>,
}

/// A message of the logical request.
#[derive(Serialize)]
struct Logical<'a> {
    system: &'a [Piece],
    user: &'a [Piece],
    schema: Option<&'a ReplySchema>,
    max_tokens: u32,
    temperature: f32,
    top_p: f32,
    seed: u64,
}

impl<'s> Ask<'s> {
    pub(super) fn new(session: &'s Session, actor: &Actor, step: &str) -> Self {
        Self {
            session,
            actor: actor.clone(),
            step: step.to_owned(),
            round: None,
            sample: 0,
            system: Vec::new(),
            user: Vec::new(),
            schema: None,
            max_tokens: 512,
            temperature: session.settings.temperature,
            room: None,
        }
    }

    /// Round of deliberation, for the record.
    pub fn round(mut self, round: u32) -> Self {
        self.round = Some(round);
        self
    }

    /// Tells apart several questions of one agent at one step.
    pub fn sample(mut self, sample: u32) -> Self {
        self.sample = sample;
        self
    }

    /// Adds to the instructions.
    pub fn system(self, text: impl Into<String>) -> Self {
        self.system_pieces(vec![Piece::Text(text.into())])
    }

    /// Adds to the instructions, from a prompt. They cannot hold data.
    pub fn system_pieces(mut self, pieces: Vec<Piece>) -> Self {
        extend(&mut self.system, pieces);
        self
    }

    /// Adds the program's own words.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.pieces(vec![Piece::Text(text.into())])
    }

    /// Adds words of others, which will stand inside a fence.
    pub fn data(self, label: &str, text: impl Into<String>) -> Self {
        self.pieces(vec![Piece::Data { label: label.to_owned(), entries: vec![text.into()] }])
    }

    /// Adds a rendered prompt.
    pub fn pieces(mut self, pieces: Vec<Piece>) -> Self {
        extend(&mut self.user, pieces);
        self
    }

    /// The form of the reply.
    pub fn schema(mut self, name: &str, schema: Value) -> Self {
        self.schema = Some(ReplySchema { name: name.to_owned(), schema });
        self
    }

    /// Most tokens of the reply; must hold the largest reply that the schema allows.
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// Another temperature than the run's.
    pub fn temperature(mut self, temperature: f32) -> Self {
        self.temperature = temperature;
        self
    }

    /// Asks, and reads the reply.
    ///
    /// A refusal is met once with a reframing, an unreadable reply once with the reason, a reply that the token limit
    /// cut off once with twice the limit (with some thousand tokens more if it was thinking), and a model that read
    /// less than it was sent once with a shorter conversation. What stays refused or unreadable is recorded.
    ///
    /// # Errors
    /// If there is no reply, the budget is used up, or the record holds another request at this path.
    pub async fn send<T: DeserializeOwned>(self) -> Result<Answer<T>, SessionError> {
        self.send_checked(|_| Ok(())).await
    }

    /// Asks, reads the reply, and asks once more, with what is wrong, if `check` finds something.
    ///
    /// # Errors
    /// As [`Ask::send`].
    pub async fn send_checked<T: DeserializeOwned>(
        self,
        check: impl Fn(&T) -> Result<(), String>,
    ) -> Result<Answer<T>, SessionError> {
        self.send_read(read_json::<T>, check).await
    }

    /// As [`Ask::send_checked`], with a reader of the protocol's own, such as [`crate::read::read_verdict`].
    ///
    /// # Errors
    /// As [`Ask::send`].
    pub async fn send_read<T>(
        mut self,
        read: impl Fn(&str) -> Reading<T>,
        check: impl Fn(&T) -> Result<(), String>,
    ) -> Result<Answer<T>, SessionError> {
        let session = self.session;
        if self.system.iter().any(|p| matches!(p, Piece::Data { .. })) {
            let path = session.path(&self.step, &self.actor.agent, 1, self.sample);
            return Err(SessionError::DataInSystem { path });
        }
        let has = |pieces: &[Piece], f: fn(&Piece) -> bool| pieces.iter().any(f);
        if has(&self.user, |p| matches!(p, Piece::Data { .. }))
            && !has(&self.system, |p| matches!(p, Piece::FenceCode))
        {
            let rule = session.render("session/notes#fence", &BTreeMap::<String, String>::new(), &[])?;
            extend(&mut self.system, rule);
        }
        if session.settings.constrain_citations
            && let Some(form) = &mut self.schema
        {
            constrain(&mut form.schema, &shown(&self.user));
        }
        let asked = self.user.clone();
        let mut best: Option<Answer<T>> = None;
        let mut refusal: Option<String> = None;
        let mut done: HashSet<&str> = HashSet::new();
        let mut attempt = 1;
        let last = loop {
            let Called { reply, reading, stage, least, size } = self.call(attempt, &read).await?;
            let heard = reply.usage.prompt_tokens.unwrap_or(u64::MAX);
            let truncated = (SMALLEST_WINDOW..least).contains(&heard);
            if truncated {
                let what = "the model read less than it was sent".to_owned();
                let body = Body::ContextCut { what, before: least, after: heard };
                session.emit(&self.step, self.round, &self.actor, body, None)?;
            }
            let refuses = is_refusal(&reply, reading.value.is_some());
            let mut answer =
                Answer { content: reply.content.clone(), refused: refuses, problem: None, reading };
            let again = if refuses {
                refusal.get_or_insert_with(|| said(&reply.content));
                answer.reading = Reading::no_decision("the model declined");
                Some(("reframe", String::new()))
            } else if truncated {
                Some(("shorter", String::new()))
            } else if reply.finish_reason == "length" {
                Some(("longer", String::new()))
            } else if answer.reading.value.is_none() {
                Some(("unreadable", answer.reading.notes.join("; ")))
            } else {
                answer.problem = answer.reading.value.as_ref().and_then(|v| check(v).err());
                answer.problem.clone().map(|p| ("problem", p))
            };
            tracing::debug!(step = self.step, agent = self.actor.agent, attempt, stage, ?again, "reply read");
            let better =
                answer.reading.value.is_some() || best.as_ref().is_none_or(|b| b.reading.value.is_none());
            if better {
                best = Some(answer);
            }
            match again {
                Some((why, problem)) if attempt < MOST_ATTEMPTS && done.insert(why) => {
                    if why == "longer" {
                        self.max_tokens = if reply.cut_while_thinking() {
                            // May come again: twice as much the second time.
                            done.remove("longer");
                            self.max_tokens.saturating_add(MORE_THINKING.saturating_mul(attempt))
                        } else {
                            self.max_tokens.saturating_mul(2)
                        };
                    } else if why == "shorter" {
                        // In the proportion of what was read, with a tenth to spare.
                        let share =
                            u64::try_from(size).unwrap_or(u64::MAX).saturating_mul(heard) / least.max(1);
                        self.room = usize::try_from(share / 10 * 9).ok();
                    } else {
                        self.user.clone_from(&asked);
                        let notice = session.notice(why, &problem, &reply.content)?;
                        extend(&mut self.user, notice);
                    }
                    attempt += 1;
                }
                _ => break best,
            }
        };
        let answer = last.unwrap_or_else(|| Answer {
            reading: Reading::no_decision("no reply"),
            content: String::new(),
            refused: false,
            problem: None,
        });
        if let Some(text) = refusal {
            let mended = answer.reading.value.is_some();
            session.emit(&self.step, self.round, &self.actor, Body::Refusal { text, mended }, None)?;
        } else if answer.reading.value.is_none() {
            let reason = answer.reading.notes.join("; ");
            session.emit(&self.step, self.round, &self.actor, Body::NoDecision { reason }, None)?;
        }
        Ok(answer)
    }

    async fn call<T>(
        &self,
        attempt: u32,
        read: &impl Fn(&str) -> Reading<T>,
    ) -> Result<Called<T>, SessionError> {
        let session = self.session;
        let key = session.path(&self.step, &self.actor.agent, attempt, self.sample);
        let seed = session.seed(&key);
        let hash = hash_of(&Logical {
            system: &self.system,
            user: &self.user,
            schema: self.schema.as_ref(),
            max_tokens: self.most(),
            temperature: self.temperature,
            top_p: session.settings.top_p,
            seed,
        });
        let model = session.world.models.of(&self.actor.role);
        let price = session.world.budget.prices().of(&model.name());
        let (mut record, fitted, replayed) = match session.recorded(&key, &hash)? {
            Some(record) => {
                let fitted = self.as_recorded(&record, model.as_ref(), seed);
                (record, fitted, true)
            }
            None => {
                let (record, fitted) = self.ask_model(attempt, key, hash, seed).await?;
                (record, fitted, false)
            }
        };
        if let Some(what) = fitted.what {
            let body = Body::ContextCut { what, before: fitted.before as u64, after: fitted.after as u64 };
            session.emit(&self.step, self.round, &self.actor, body, None)?;
        }
        let path = record.key().map(|(k, _)| k.to_owned()).unwrap_or_default();
        let Body::ModelCall { reply, stage, .. } = &mut record.body else {
            return Err(SessionError::Diverged { path });
        };
        if stage.is_empty() {
            // From the journal, which is written before the reply is read.
            read(&reply.content).stage.as_str().clone_into(stage);
        }
        {
            let mut state = session.state();
            let counts = &mut state.counts;
            *(if replayed { &mut counts.replayed } else { &mut counts.asked }) += 1;
            counts.cut_off += u64::from(reply.finish_reason == "length");
            counts.cut_while_thinking += u64::from(reply.cut_while_thinking());
            counts.unread += u64::from(stage == Stage::NoDecision.as_str());
            counts.cost.add(Cost::of(price, reply.usage));
            match (reply.usage.prompt_tokens, reply.usage.completion_tokens) {
                (Some(read), Some(written)) => {
                    counts.prompt_tokens += read;
                    counts.completion_tokens += written;
                }
                _ => counts.unmeasured += 1,
            }
        }
        session.observer.progress(&Progress::Answered {
            step: &self.step,
            actor: &self.actor,
            reply,
            stage,
            replayed,
        });
        let (reply, stage) = (reply.clone(), stage.clone());
        session.emit(&self.step, self.round, &self.actor, record.body, Some(record.at))?;
        let reading = read(&reply.content);
        Ok(Called { reply, reading, stage, least: fitted.least, size: fitted.after })
    }

    /// Most tokens of the reply, thinking included.
    fn most(&self) -> u32 {
        self.max_tokens.saturating_add(self.session.settings.thinking)
    }

    /// Asks the model, and has the reply in the journal before anybody uses it.
    async fn ask_model(
        &self,
        attempt: u32,
        key: String,
        hash: String,
        seed: u64,
    ) -> Result<(CallRecord, Fitted), SessionError> {
        let session = self.session;
        let model = session.world.models.of(&self.actor.role).as_ref();
        let price = session.world.budget.prices().of(&model.name());
        let mut room = [self.room, model.context_length().map(|c| c.saturating_sub(self.most() as usize))]
            .into_iter()
            .flatten()
            .min();
        let (mut too_long, mut most) = (0, self.most());
        loop {
            if session.world.stop.is_set() {
                return Err(SessionError::Stopped { path: key });
            }
            let mut fitted = self.fitted(model, room, seed);
            fitted.request.max_tokens = most;
            let wanted = reservation(model, price, &fitted.request);
            let reserved = session.world.budget.reserve(wanted).await.map_err(|s| SessionError::Budget {
                path: key.clone(),
                budget: s.budget,
                limit: s.limit,
                spent: s.spent,
                wanted: s.wanted,
            })?;
            session.observer.progress(&Progress::Asking { step: &self.step, actor: &self.actor, attempt });
            let request = session.world.fence.masked(fitted.request.clone());
            let (keep, kept) = session.keeper(key.clone(), hash.clone(), request);
            match model.chat_kept(&fitted.request, keep).await {
                Ok(reply) => reserved.spend(used(price, reply.usage).unwrap_or(wanted)),
                Err(ChatError::ContextLength { window, .. })
                    if too_long < MOST_TOO_LONG && fitted.can_give =>
                {
                    too_long += 1;
                    if let Some(window) = window {
                        // A reply may take up to half of a small window.
                        most = most.min(u32::try_from(window.tokens / 2).unwrap_or(u32::MAX)).max(1);
                    }
                    room = Some(room_in(window, fitted.after, most));
                    continue;
                }
                Err(source) => return Err(SessionError::Chat { path: key, source }),
            }
            let record = kept.await.map_err(|_| SessionError::NotKept { path: key })??;
            return Ok((record, fitted));
        }
    }

    /// The request as it is sent: fences put around data, and as much left out as `room` asks for, by the rule of
    /// [`super::cut`].
    fn fitted(&self, model: &dyn ChatModel, room: Option<usize>, seed: u64) -> Fitted {
        let mut cut = Cut::new(&self.user);
        let mut request = self.request(&cut.pieces, seed);
        let before = size(model, &request.messages);
        let mut after = before;
        let mut can_give = true;
        while room.is_some_and(|room| after > room) {
            if !cut.step() {
                can_give = false;
                break;
            }
            request = self.request(&cut.pieces, seed);
            after = size(model, &request.messages);
        }
        let least = floor(&request.messages);
        Fitted { request, what: cut.what(), before, after, least, can_give }
    }

    /// What was left out of a recorded request, found again by leaving out as much: an endpoint may have asked for
    /// it, which is not asked on reading back.
    fn as_recorded(&self, record: &CallRecord, model: &dyn ChatModel, seed: u64) -> Fitted {
        let fence = &self.session.world.fence;
        let whole = self.request(&self.user, seed);
        let before = size(model, &whole.messages);
        let mut cut = Cut::new(&self.user);
        let mut request = whole;
        if let Body::ModelCall { request: sent, .. } = &record.body {
            while fence.masked(request.clone()).messages != sent.messages && cut.step() {
                request = self.request(&cut.pieces, seed);
            }
        }
        let (after, least) = (size(model, &request.messages), floor(&request.messages));
        Fitted { request, what: cut.what(), before, after, least, can_give: true }
    }

    fn request(&self, user: &[Piece], seed: u64) -> ChatRequest {
        let fence = &self.session.world.fence;
        let mut messages = Vec::with_capacity(2);
        if !self.system.is_empty() {
            messages.push(Message { role: Role::System, content: put(&self.system, fence) });
        }
        messages.push(Message { role: Role::User, content: put(user, fence) });
        ChatRequest {
            messages,
            schema: self.schema.clone(),
            max_tokens: self.most(),
            temperature: self.temperature,
            top_p: self.session.settings.top_p,
            seed: Some(seed),
        }
    }
}

impl Session {
    /// What puts the reply of a call into the journal, and where the record of it comes from.
    fn keeper(
        &self,
        key: String,
        hash: String,
        request: ChatRequest,
    ) -> (Keep, oneshot::Receiver<Result<CallRecord, RecordError>>) {
        let journal = self.state().log.journal();
        let (send, receive) = oneshot::channel();
        let keep = move |reply: &ChatReply| {
            let body = Body::ModelCall { key, hash, request, reply: reply.clone(), stage: String::new() };
            let record = CallRecord { at: now(), body };
            // Nobody waits any more: then the record is in the journal all the same.
            let _ = send.send(journal.append(&record).map(|()| record));
        };
        (Box::new(keep), receive)
    }
}

/// Tokens, by our estimate, that a conversation of `size` may have after an endpoint refused it: what the stated window
/// leaves beside a reply of `most` tokens, less a twentieth for what counts differently; where it states none, seven
/// tenths.
fn room_in(window: Option<Window>, size: usize, most: u32) -> usize {
    let stated = window.and_then(|w| {
        let left = w.tokens.saturating_sub(most as usize) / 20 * 19;
        // Our count and the model's differ; the one conversation that both counted says by how much.
        let room = w.conversation.filter(|n| *n > 0).map_or(left, |n| size * left / n);
        (room < size).then_some(room)
    });
    stated.unwrap_or(size / 10 * 7)
}

/// Appends with an empty line between.
fn extend(to: &mut Vec<Piece>, pieces: Vec<Piece>) {
    if !to.is_empty() && !pieces.is_empty() {
        to.push(Piece::Text("\n\n".to_owned()));
    }
    to.extend(pieces);
}

fn put(pieces: &[Piece], fence: &Fence) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(words) => text.push_str(words),
            Piece::FenceCode => text.push_str(fence.secret()),
            Piece::Data { label, entries } => text.push_str(&fence.wrap(label, &entries.join("\n"))),
        }
    }
    text
}

/// Tokens of a conversation, by the model's own count where there is one.
fn size(model: &dyn ChatModel, messages: &[Message]) -> usize {
    model.count_tokens(messages).unwrap_or_else(|| estimate(messages))
}

/// What came of a call.
struct Called<T> {
    reply: ChatReply,
    reading: Reading<T>,
    stage: String,
    /// Fewer tokens than the conversation can have had.
    least: u64,
    /// Tokens of the conversation as we count them.
    size: usize,
}

/// A request that fits, as far as is known.
struct Fitted {
    request: ChatRequest,
    what: Option<String>,
    before: usize,
    after: usize,
    least: u64,
    /// More could be left out.
    can_give: bool,
}
