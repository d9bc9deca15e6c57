//! A question to a model: the request, the reply, and asking again.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::budget::{reservation, usage_of};
use super::refusal::{is_refusal, said};
use super::{Progress, Session, SessionError, hash_of, now};
use crate::chat::{ChatModel, ChatReply, ChatRequest, Message, ReplySchema, Role};
use crate::event::{Actor, Body};
use crate::fence::Fence;
use crate::prompts::Piece;
use crate::read::{Reading, read_json};
use crate::record::CallRecord;

/// Most calls for one question: the first, and again after a refusal, an unreadable or a wrong reply.
const MOST_ATTEMPTS: u32 = 3;

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
    /// A refusal is met once with a reframing, an unreadable reply once with the reason, a reply that the token
    /// limit cut off once with twice the limit. What stays refused or unreadable is recorded.
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
        let asked = self.user.clone();
        let mut best: Option<Answer<T>> = None;
        let mut refusal: Option<String> = None;
        let mut done: HashSet<&str> = HashSet::new();
        let mut attempt = 1;
        let last = loop {
            let (reply, reading, stage) = self.call(attempt, &read).await?;
            let refuses = is_refusal(&reply, reading.value.is_some());
            let mut answer =
                Answer { content: reply.content.clone(), refused: refuses, problem: None, reading };
            let again = if refuses {
                refusal.get_or_insert_with(|| said(&reply.content));
                answer.reading = Reading::no_decision("the model declined");
                Some(("reframe", String::new()))
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
                        self.max_tokens = self.max_tokens.saturating_mul(2);
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
    ) -> Result<(ChatReply, Reading<T>, String), SessionError> {
        let session = self.session;
        let key = session.path(&self.step, &self.actor.agent, attempt, self.sample);
        let seed = session.seed(&key);
        let hash = hash_of(&Logical {
            system: &self.system,
            user: &self.user,
            schema: self.schema.as_ref(),
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            top_p: session.settings.top_p,
            seed,
        });
        let model = session.world.models.of(&self.actor.role);
        let request = self.fitted(model.as_ref(), seed)?;
        let (record, replayed) = match session.recorded(&key, &hash)? {
            Some(record) => {
                let used = usage_of(&record.body).unwrap_or_else(|| reservation(model.as_ref(), &request));
                session.world.budget.settle(0, used);
                (record, true)
            }
            None => {
                session.observer.progress(&Progress::Asking {
                    step: &self.step,
                    actor: &self.actor,
                    attempt,
                });
                let wanted =
                    if session.world.budget.is_limited() { reservation(model.as_ref(), &request) } else { 0 };
                session.world.budget.reserve(wanted).map_err(|(limit, spent)| SessionError::Budget {
                    path: key.clone(),
                    limit,
                    spent,
                    wanted,
                })?;
                let reply = match model.chat(&request).await {
                    Ok(reply) => reply,
                    Err(source) => {
                        session.world.budget.settle(wanted, 0);
                        return Err(SessionError::Chat { path: key, source });
                    }
                };
                let stage = read(&reply.content).stage.as_str().to_owned();
                let request = session.world.fence.masked(request);
                let body = Body::ModelCall { key, hash, request, reply, stage };
                session.world.budget.settle(wanted, usage_of(&body).unwrap_or(wanted));
                let record = CallRecord { at: now(), body };
                session.journal(&record)?;
                (record, false)
            }
        };
        let Body::ModelCall { reply, stage, key, .. } = &record.body else {
            let path = record.key().map(|(k, _)| k.to_owned()).unwrap_or_default();
            return Err(SessionError::Diverged { path });
        };
        {
            let mut state = session.state();
            let counts = &mut state.counts;
            *(if replayed { &mut counts.replayed } else { &mut counts.asked }) += 1;
            counts.cut_off += u64::from(reply.finish_reason == "length");
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
        tracing::debug!(key, replayed, "model call");
        let (reply, stage) = (reply.clone(), stage.clone());
        session.emit(&self.step, self.round, &self.actor, record.body, Some(record.at))?;
        let reading = read(&reply.content);
        Ok((reply, reading, stage))
    }

    /// The request as it is sent: fences put around data, and the oldest entries but the first left out as far
    /// as the model's window asks for it. What is left out becomes an event.
    fn fitted(&self, model: &dyn ChatModel, seed: u64) -> Result<ChatRequest, SessionError> {
        let mut left_out = 0;
        let mut user = self.user.clone();
        let mut request = self.request(&user, 0, seed);
        let room = model.context_length().map(|c| c.saturating_sub(self.max_tokens as usize));
        let (Some(room), Some(before)) = (room, model.count_tokens(&request.messages)) else {
            return Ok(request);
        };
        let mut after = before;
        while after > room && drop_oldest(&mut user) {
            left_out += 1;
            request = self.request(&user, left_out, seed);
            match model.count_tokens(&request.messages) {
                Some(tokens) => after = tokens,
                None => break,
            }
        }
        if left_out > 0 {
            let what = format!("{left_out} of the oldest entries of the record");
            let body = Body::ContextCut { what, before: before as u64, after: after as u64 };
            self.session.emit(&self.step, self.round, &self.actor, body, None)?;
        }
        Ok(request)
    }

    fn request(&self, user: &[Piece], left_out: usize, seed: u64) -> ChatRequest {
        let fence = &self.session.world.fence;
        let mut messages = Vec::with_capacity(2);
        if !self.system.is_empty() {
            messages.push(Message { role: Role::System, content: put(&self.system, fence, 0) });
        }
        messages.push(Message { role: Role::User, content: put(user, fence, left_out) });
        ChatRequest {
            messages,
            schema: self.schema.clone(),
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            top_p: self.session.settings.top_p,
            seed: Some(seed),
        }
    }
}

/// Appends with an empty line between.
fn extend(to: &mut Vec<Piece>, pieces: Vec<Piece>) {
    if !to.is_empty() && !pieces.is_empty() {
        to.push(Piece::Text("\n\n".to_owned()));
    }
    to.extend(pieces);
}

fn put(pieces: &[Piece], fence: &Fence, left_out: usize) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(words) => text.push_str(words),
            Piece::FenceCode => text.push_str(fence.secret()),
            Piece::Data { label, entries } => {
                let mut lines = entries.clone();
                if left_out > 0 && lines.len() > 1 {
                    lines.insert(1, format!("[… {left_out} …]"));
                }
                text.push_str(&fence.wrap(label, &lines.join("\n")));
            }
        }
    }
    text
}

/// Takes the second entry out of the longest list of entries; the first sets the frame, the last ones matter
/// most. False if there is nothing left to take.
fn drop_oldest(pieces: &mut [Piece]) -> bool {
    let longest = pieces
        .iter_mut()
        .filter_map(|p| match p {
            Piece::Data { entries, .. } if entries.len() > 2 => Some(entries),
            _ => None,
        })
        .max_by_key(|entries| entries.len());
    longest.map(|entries| entries.remove(1)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_entries_stay() {
        let entries = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let mut pieces = vec![Piece::Data { label: "record".to_owned(), entries }];
        while drop_oldest(&mut pieces) {}
        let left = ["a", "d"].map(str::to_owned).to_vec();
        assert_eq!(pieces, [Piece::Data { label: "record".to_owned(), entries: left }]);
    }
}
