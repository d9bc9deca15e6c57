//! The session: all that a protocol gets of the world. It retrieves, asks, and records.
//!
//! A protocol is a plain async function over `&Session`. Replay, budgets, fences, cutting to the model's window,
//! asking again and checking citations are done here, so a protocol need not know of them. It has to keep three
//! rules: given the same replies it does the same; its chance comes from [`Session::rng`]; and what it does
//! concurrently goes through [`Session::together`], which puts the events of the jobs in the order of the jobs.
//!
//! A call is known by its path (case, repeat, step, agent, attempt, sample) and a hash of the logical request:
//! the pieces of the messages before fences, the schema, and the settings of sampling.

mod ask;
mod budget;
mod citations;
mod constrain;
mod cut;
mod models;
mod prices;
mod refusal;
mod stop;
mod words;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::future::Future;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use futures::StreamExt as _;
use jiff::civil::Date;
use nyaya_corpora::citation::{Context, Extractor};
use nyaya_corpora::{Catalogue, ProvisionId, Unit, WorkId, WorkKind};
use nyaya_retrieval::{Hit, Query, Retrieve};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::case::Case;
use crate::chat::{ChatError, ChatReply};
use crate::event::{Actor, Body, CheckedCitation, Event, Statement};
use crate::fence::Fence;
use crate::memory::{Entry, Memory};
use crate::prompts::{Piece, PromptError, Prompts};
use crate::record::{CallRecord, RecordError, TrialLog};

pub use ask::{Answer, Ask};
pub use budget::Budget;
pub(crate) use budget::{Amount, most_of, used};
use citations::check_citations;
pub use models::Models;
pub use prices::{Cost, Price, Prices};
pub use stop::Stop;

/// Why a protocol cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A prompt.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The model.
    #[error("at {path}: {source}")]
    Chat {
        /// Path of the call.
        path: String,
        /// What the model's side says.
        source: ChatError,
    },
    /// The knowledge base.
    #[error("at {path}: {source}")]
    Search {
        /// Path of the call.
        path: String,
        /// What the knowledge base says.
        source: nyaya_retrieval::Error,
    },
    /// A recorded call has another request now.
    #[error(
        "{path}: the record holds a reply to another request\nhint: the case, the prompts or the program have changed since this run began; start another run with --fresh"
    )]
    Diverged {
        /// Path of the call.
        path: String,
    },
    /// Options that `check` should have refused.
    #[error("{message}")]
    Options {
        /// What is wrong, with its hint.
        message: String,
    },
    /// A protocol used a path twice.
    #[error("{path}: asked for twice\nhint: give the second call of a step its own sample number")]
    Twice {
        /// Path of the call.
        path: String,
    },
    /// A model that did not give its reply to be kept.
    #[error("{path}: the model gave a reply without keeping it\nhint: this is a fault of the program")]
    NotKept {
        /// Path of the call.
        path: String,
    },
    /// Data in the system role.
    #[error(
        "{path}: data of others may stand in the user role only\nhint: move `fenced` out of the system block of the prompt"
    )]
    DataInSystem {
        /// Path of the call.
        path: String,
    },
    /// A budget is used up.
    #[error(
        "{path}: the budget of {limit} is used up: {spent} spent, {wanted} wanted\nhint: raise --{} and run the same command again; it goes on where it stopped",
        budget.replace('_', "-")
    )]
    Budget {
        /// Path of the call.
        path: String,
        /// `max_tokens_total` or `max_cost`.
        budget: &'static str,
        /// The limit.
        limit: String,
        /// Spent so far.
        spent: String,
        /// What this call could need.
        wanted: String,
    },
    /// Somebody asked the run to stop.
    #[error(
        "{path}: stopped before this call\nhint: run the same command again; it goes on where it stopped"
    )]
    Stopped {
        /// Path of the call.
        path: String,
    },
}

/// What happens, for a progress display.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A trial begins or goes on.
    Trial {
        /// Case id.
        case: &'a str,
        /// Repeat, from 0.
        repeat: u32,
        /// Its folder.
        folder: &'a Path,
        /// Calls that are on disk already.
        recorded: usize,
    },
    /// A model is asked.
    Asking {
        /// Where in the protocol.
        step: &'a str,
        /// Who.
        actor: &'a Actor,
        /// From 1; more if the first reply would not do.
        attempt: u32,
    },
    /// A model has answered.
    Answered {
        /// Where in the protocol.
        step: &'a str,
        /// Who.
        actor: &'a Actor,
        /// The reply.
        reply: &'a ChatReply,
        /// How it was read.
        stage: &'a str,
        /// Read from the record instead of asked for.
        replayed: bool,
    },
    /// A search has been made.
    Searched {
        /// Where in the protocol.
        step: &'a str,
        /// Who.
        actor: &'a Actor,
        /// The words.
        query: &'a str,
        /// Passages found.
        hits: usize,
        /// Read from the record instead of searched.
        replayed: bool,
    },
    /// Something was added to the record.
    Recorded(&'a Event),
}

/// Watches a trial. Called from the trial's own task; it must not block for long.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn progress(&self, progress: &Progress<'_>);
}

/// Watches nothing.
impl Observer for () {
    fn progress(&self, _: &Progress<'_>) {}
}

impl<F: Fn(&Progress<'_>) + Send + Sync> Observer for F {
    fn progress(&self, progress: &Progress<'_>) {
        self(progress);
    }
}

/// Calls and tokens of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Replies asked for in this process.
    pub asked: u64,
    /// Replies read from the record.
    pub replayed: u64,
    /// Searches made in this process.
    pub searched: u64,
    /// Searches read from the record.
    pub searches_replayed: u64,
    /// Tokens read by the models over the whole trial, as far as they were measured.
    pub prompt_tokens: u64,
    /// Tokens written over the whole trial, as far as they were measured.
    pub completion_tokens: u64,
    /// Replies whose tokens nobody measured.
    pub unmeasured: u64,
    /// Replies that the token limit cut off.
    pub cut_off: u64,
    /// Of those, how many were cut off before the model had thought to the end.
    pub cut_while_thinking: u64,
    /// Replies of which nothing could be read.
    pub unread: u64,
    /// What the whole trial has cost, as far as it is known.
    pub cost: Cost,
}

impl Counts {
    /// Adds those of another trial.
    pub fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.replayed += other.replayed;
        self.searched += other.searched;
        self.searches_replayed += other.searches_replayed;
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.unmeasured += other.unmeasured;
        self.cut_off += other.cut_off;
        self.cut_while_thinking += other.cut_while_thinking;
        self.unread += other.unread;
        self.cost.add(other.cost);
    }
}

/// How a session samples and searches.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) repeat: u32,
    pub(crate) language: String,
    pub(crate) seed: u64,
    pub(crate) temperature: f32,
    /// Tokens for thinking beside each answer.
    pub(crate) thinking: u32,
    /// Lists of provisions may hold only what the request shows.
    pub(crate) constrain_citations: bool,
    pub(crate) top_p: f32,
    pub(crate) k: usize,
    pub(crate) mode: nyaya_retrieval::Mode,
    pub(crate) offence: Option<Date>,
    pub(crate) proceeding: Date,
}

/// What a session works with.
pub(crate) struct World {
    pub(crate) models: Models,
    pub(crate) retriever: Arc<dyn Retrieve>,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) prompts: Arc<Prompts>,
    pub(crate) fence: Fence,
    pub(crate) budget: Arc<Budget>,
    pub(crate) stop: Stop,
    pub(crate) memory: Arc<Memory>,
    /// The names of all statutes.
    pub(crate) extractor: Extractor,
}

struct State {
    log: TrialLog,
    used: HashSet<String>,
    searches: BTreeMap<String, u32>,
    counts: Counts,
    kept: Vec<Entry>,
}

/// An event that is not yet in its place.
struct Pending {
    step: String,
    round: Option<u32>,
    actor: Actor,
    body: Body,
    at: Option<String>,
}

tokio::task_local! {
    /// Events of a job of [`Session::together`], kept until the jobs before it are through.
    static BRANCH: RefCell<Vec<Pending>>;
}

/// One trial, as its protocol sees it.
pub struct Session {
    case: Case,
    settings: Settings,
    world: World,
    state: Mutex<State>,
    observer: Arc<dyn Observer>,
    extractor: OnceLock<Extractor>,
}

/// Name of the role and agent under which the session itself records.
const SESSION: &str = "session";

impl Session {
    pub(crate) fn new(
        case: Case,
        settings: Settings,
        world: World,
        log: TrialLog,
        observer: Arc<dyn Observer>,
    ) -> Self {
        let state = State {
            log,
            used: HashSet::new(),
            searches: BTreeMap::new(),
            counts: Counts::default(),
            kept: Vec::new(),
        };
        Self { case, settings, world, state: Mutex::new(state), observer, extractor: OnceLock::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves counters and a file position, both still right.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The case. What a careful reader would find is not in it.
    #[must_use]
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// Language of the trial, BCP 47.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.settings.language
    }

    /// An agent.
    #[must_use]
    pub fn actor(&self, role: &str, agent: &str) -> Actor {
        Actor { role: role.to_owned(), agent: agent.to_owned() }
    }

    /// Chance that depends on the run's seed, the case, the repeat and `place`, and on nothing else.
    #[must_use]
    pub fn rng(&self, place: &str) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.seed(place))
    }

    fn seed(&self, place: &str) -> u64 {
        let text = format!("{}\n{}\n{}\n{place}", self.settings.seed, self.case.id, self.settings.repeat);
        let digest = Sha256::digest(text.as_bytes());
        // 31 bits: some endpoints take a signed 32-bit seed only.
        digest.iter().take(4).fold(0u64, |n, b| (n << 8) | u64::from(*b)) >> 1
    }

    /// Calls and tokens so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.state().counts
    }

    /// Renders a block of the prompts to pieces of a message, see [`Prompts::render`].
    ///
    /// # Errors
    /// If there is no such block, or it does not render.
    pub fn render<S: Serialize>(
        &self,
        block: &str,
        context: &S,
        data: &[(&str, Vec<String>)],
    ) -> Result<Vec<Piece>, SessionError> {
        Ok(self.world.prompts.render(block, &self.settings.language, context, data)?)
    }

    /// Renders a block of the prompts to a text that is itself data, see [`Prompts::text`].
    ///
    /// # Errors
    /// If there is no such block, or it does not render.
    pub fn text<S: Serialize>(&self, block: &str, context: &S) -> Result<String, SessionError> {
        Ok(self.world.prompts.text(block, &self.settings.language, context)?)
    }

    /// Personas in the language of the trial, drawn by the seed without repetition while they last.
    #[must_use]
    pub fn personas(&self, place: &str, n: usize) -> Vec<String> {
        self.personas_of("personas", place, n)
    }

    /// The same from another list, such as `agentsbench/personas`.
    #[must_use]
    pub fn personas_of(&self, list: &str, place: &str, n: usize) -> Vec<String> {
        use rand::seq::SliceRandom as _;
        let mut pool = self.world.prompts.personas_of(list, &self.settings.language);
        pool.shuffle(&mut self.rng(place));
        pool.iter().cycle().take(if pool.is_empty() { 0 } else { n }).map(|p| (*p).to_owned()).collect()
    }

    /// What the run's memory, as it was when the trial began, holds that is most similar to a text.
    #[must_use]
    pub fn recall(&self, kind: &str, text: &str, most: usize) -> Vec<String> {
        self.world.memory.recall(kind, text, most)
    }

    /// Records that an agent keeps something for later trials; it joins the run's memory when this trial has ended.
    ///
    /// # Errors
    /// As [`Session::say`].
    pub fn remember(&self, actor: &Actor, step: &str, kind: &str, text: String) -> Result<(), SessionError> {
        self.state().kept.push(Entry { kind: kind.to_owned(), text: text.clone() });
        let body = Body::Memory { action: "written".to_owned(), entries: vec![text] };
        self.emit(step, None, actor, body, None)
    }

    /// What was kept for later trials, in an order that does not depend on which reply came first.
    pub(crate) fn kept(&self) -> Vec<Entry> {
        let mut kept = self.state().kept.clone();
        kept.sort_by(|a, b| (&a.kind, &a.text).cmp(&(&b.kind, &b.text)));
        kept
    }

    /// A statement of at most `most` characters as it is said: where the limit broke it off within a sentence, that
    /// sentence is left out, and recorded.
    ///
    /// # Errors
    /// As [`Session::say`].
    pub fn whole_sentences(
        &self,
        actor: &Actor,
        step: &str,
        text: &str,
        most: usize,
    ) -> Result<String, SessionError> {
        let text = text.trim();
        let Some(end) = words::broken_off(text, most) else { return Ok(text.to_owned()) };
        let (said, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        self.emit(step, None, actor, Body::Trimmed { text: rest.trim().to_owned() }, None)?;
        Ok(said.trim_end().to_owned())
    }

    /// What a person calls a provision, in the language of its work: `section 302, Indian Penal Code, 1860`,
    /// `《中华人民共和国刑法》第264条`; `None` for a work without a manifest.
    #[must_use]
    pub fn called(&self, id: &ProvisionId) -> Option<String> {
        let manifest = self.world.catalogue.get(&id.work)?;
        let title = manifest.native_title();
        let number = id.unit.number()?;
        Some(if manifest.language.starts_with("zh") {
            let sub = number.sub.map(|n| format!("之{n}")).unwrap_or_default();
            format!("《{title}》第{}条{sub}", number.base)
        } else {
            let unit = match id.unit {
                Unit::Article(_) => "article",
                Unit::Schedule(_) => "schedule",
                Unit::Section(_) | Unit::Preamble => "section",
            };
            format!("{unit} {number}, {title}")
        })
    }

    /// Looks law up for an agent. At most `k` passages of the run's settings, best first; where an older
    /// procedure governs than the substantive law, up to a quarter of that again of procedure after them.
    ///
    /// # Errors
    /// If the knowledge base fails, or the record holds another search at this place.
    pub async fn search(&self, actor: &Actor, step: &str, text: &str) -> Result<Vec<Hit>, SessionError> {
        let settings = &self.settings;
        let mut query = Query {
            text: text.to_owned(),
            k: settings.k,
            mode: settings.mode,
            works: Vec::new(),
            // A pair or a row may be of no jurisdiction: then all law at hand is searched.
            jurisdiction: Some(self.case.jurisdiction.clone()).filter(|j| !j.is_empty()),
            as_of: settings.offence,
        };
        let Some(offence) = settings.offence.filter(|o| self.procedure_differs(*o)) else {
            return self.search_one(actor, step, query).await;
        };
        let works = self.world.retriever.lookup().works();
        let ours = works.into_iter().filter(|w| self.is_ours(w));
        let (procedure, substance): (Vec<_>, Vec<_>) =
            ours.partition(|w| is_procedure(&self.world.catalogue, w));
        query.works = substance;
        query.as_of = Some(offence);
        let mut hits = if query.works.is_empty() {
            Vec::new()
        } else {
            self.search_one(actor, step, query.clone()).await?
        };
        query.works = procedure;
        query.as_of = Some(settings.proceeding);
        query.k = settings.k.div_ceil(4);
        hits.extend(self.search_one(actor, step, query).await?);
        Ok(hits)
    }

    /// Whether a work is law of the case's jurisdiction, if the case has one.
    fn is_ours(&self, work: &WorkId) -> bool {
        self.case.jurisdiction.is_empty() || work.jurisdiction() == self.case.jurisdiction
    }

    /// Whether a search at the day of the offence would show another procedure than the one that governs.
    fn procedure_differs(&self, offence: Date) -> bool {
        let lookup = self.world.retriever.lookup();
        let proceeding = self.settings.proceeding;
        lookup.works().iter().filter(|w| self.is_ours(w) && is_procedure(&self.world.catalogue, w)).any(
            |work| {
                let held = |day| lookup.edition_at(work, day).map(|(e, covered)| (e.version, covered));
                let law = |day: Date| {
                    let m = self.world.catalogue.get(work);
                    m.is_none_or(|m| day >= m.in_force_from && m.repealed_on.is_none_or(|end| day < end))
                };
                held(offence) != held(proceeding) || law(offence) != law(proceeding)
            },
        )
    }

    async fn search_one(&self, actor: &Actor, step: &str, query: Query) -> Result<Vec<Hit>, SessionError> {
        let sample = {
            let mut state = self.state();
            let n = state.searches.entry(format!("{step}/{}", actor.agent)).or_default();
            *n += 1;
            *n - 1
        };
        let key = self.path(step, &format!("{}/search", actor.agent), 1, sample);
        let hash = hash_of(&query);
        let text = query.text.clone();
        let (record, replayed) = match self.recorded(&key, &hash)? {
            Some(record) => (record, true),
            None => {
                let hits = self
                    .world
                    .retriever
                    .search(&query)
                    .await
                    .map_err(|source| SessionError::Search { path: key.clone(), source })?;
                let record = CallRecord { at: now(), body: Body::Retrieved { key, hash, query, hits } };
                self.journal(&record)?;
                (record, false)
            }
        };
        let hits = match &record.body {
            Body::Retrieved { hits, .. } => hits.clone(),
            _ => Vec::new(),
        };
        {
            let mut state = self.state();
            let counts = &mut state.counts;
            *(if replayed { &mut counts.searches_replayed } else { &mut counts.searched }) += 1;
        }
        self.observer.progress(&Progress::Searched { step, actor, query: &text, hits: hits.len(), replayed });
        self.emit(step, None, actor, record.body, Some(record.at))?;
        Ok(hits)
    }

    /// Begins a question to the model of an agent.
    pub fn ask(&self, actor: &Actor, step: &str) -> Ask<'_> {
        Ask::new(self, actor, step)
    }

    /// Does jobs concurrently, as many at once as the model of `role` takes, and gives their results in the
    /// order of the jobs. The record shows them in that order too. After an error no further job is begun,
    /// those under way are brought to their end, so that no reply that was paid for is lost.
    ///
    /// # Errors
    /// The error of the first job, in their order, that has one.
    pub async fn together<T, F>(&self, role: &str, jobs: Vec<F>) -> Result<Vec<T>, SessionError>
    where
        F: Future<Output = Result<T, SessionError>>,
    {
        let limit = self.world.models.of(role).concurrency().max(1);
        let stop = AtomicBool::new(false);
        let stop = &stop;
        let mut branches = Vec::with_capacity(jobs.len());
        for (i, job) in jobs.into_iter().enumerate() {
            branches.push(BRANCH.scope(RefCell::new(Vec::new()), async move {
                if stop.load(Ordering::SeqCst) {
                    return (i, None, Vec::new());
                }
                let result = job.await;
                if result.is_err() {
                    stop.store(true, Ordering::SeqCst);
                }
                (i, Some(result), BRANCH.with(RefCell::take))
            }));
        }
        let mut done: Vec<_> = futures::stream::iter(branches).buffer_unordered(limit).collect().await;
        done.sort_by_key(|(i, _, _)| *i);
        let failed = done.iter().any(|(_, result, _)| !matches!(result, Some(Ok(_))));
        let mut values = Vec::with_capacity(done.len());
        let mut first = None;
        for (_, result, events) in done {
            match result {
                Some(Ok(value)) => {
                    if !failed {
                        for e in events {
                            self.emit_pending(e)?;
                        }
                    }
                    values.push(value);
                }
                Some(Err(error)) => {
                    first.get_or_insert(error);
                }
                None => {}
            }
        }
        first.map_or(Ok(values), Err)
    }

    /// Records a statement that the others may read, its citations checked.
    ///
    /// # Errors
    /// If the record cannot be written, or holds another event at this place.
    pub fn say(
        &self,
        actor: &Actor,
        step: &str,
        text: &str,
        cites: &[String],
    ) -> Result<Statement, SessionError> {
        let statement = self.statement(text, cites);
        self.emit(step, None, actor, Body::Public(statement.clone()), None)?;
        Ok(statement)
    }

    /// Records a note of an agent for itself.
    ///
    /// # Errors
    /// As [`Session::say`].
    pub fn note(&self, actor: &Actor, step: &str, text: &str) -> Result<(), SessionError> {
        self.emit(step, None, actor, Body::Private { text: text.to_owned() }, None)
    }

    /// Records anything else.
    ///
    /// # Errors
    /// As [`Session::say`].
    pub fn record(
        &self,
        actor: &Actor,
        step: &str,
        round: Option<u32>,
        body: Body,
    ) -> Result<(), SessionError> {
        self.emit(step, round, actor, body, None)
    }

    /// Records something that nobody in court did.
    ///
    /// # Errors
    /// As [`Session::say`].
    pub(crate) fn record_own(&self, step: &str, body: Body) -> Result<(), SessionError> {
        self.emit(step, None, &self.actor(SESSION, SESSION), body, None)
    }

    /// A statement with its citations checked.
    #[must_use]
    pub fn statement(&self, text: &str, cites: &[String]) -> Statement {
        let context = Context {
            as_of: self.settings.offence,
            proceeding: Some(self.settings.proceeding),
            default_work: self.case.charges.first().map(|c| c.id.work.clone()),
            jurisdiction: Some(self.case.jurisdiction.clone()),
        };
        let world = &self.world;
        let extractor = self.extractor.get_or_init(|| world.extractor.with(&context));
        let citations =
            check_citations(world.retriever.lookup(), &world.catalogue, &context, extractor, text, cites);
        Statement { text: text.to_owned(), cites: cites.to_vec(), citations }
    }

    /// A provision named outside of the field for citations, checked: `place` says where.
    #[must_use]
    pub fn checked(&self, place: &str, id: &ProvisionId) -> Vec<CheckedCitation> {
        let mut checked = self.statement("", &[id.to_string()]).citations;
        for c in &mut checked {
            place.clone_into(&mut c.place);
        }
        checked
    }

    /// The one provision that these words name, if they name one and only one.
    #[must_use]
    pub fn provision_named(&self, text: &str) -> Option<ProvisionId> {
        let mut checked = self.statement("", &[text.to_owned()]).citations;
        if checked.len() == 1 { checked.pop()?.citation.id } else { None }
    }

    fn path(&self, step: &str, agent: &str, attempt: u32, sample: u32) -> String {
        format!("{}-{}/{step}/{agent}/attempt-{attempt}/sample-{sample}", self.case.id, self.settings.repeat)
    }

    /// The recorded call at a path, which is used once.
    fn recorded(&self, key: &str, hash: &str) -> Result<Option<CallRecord>, SessionError> {
        let mut state = self.state();
        if !state.used.insert(key.to_owned()) {
            return Err(SessionError::Twice { path: key.to_owned() });
        }
        let Some(record) = state.log.recorded(key).cloned() else { return Ok(None) };
        if record.key().is_some_and(|(_, h)| h == hash) {
            Ok(Some(record))
        } else {
            Err(SessionError::Diverged { path: key.to_owned() })
        }
    }

    /// Appends to the journal.
    fn journal(&self, record: &CallRecord) -> Result<(), SessionError> {
        let journal = self.state().log.journal();
        Ok(journal.append(record)?)
    }

    fn emit(
        &self,
        step: &str,
        round: Option<u32>,
        actor: &Actor,
        body: Body,
        at: Option<String>,
    ) -> Result<(), SessionError> {
        self.emit_pending(Pending { step: step.to_owned(), round, actor: actor.clone(), body, at })
    }

    fn emit_pending(&self, pending: Pending) -> Result<(), SessionError> {
        let mut slot = Some(pending);
        // Inside a job the event waits; `try_with` fails outside of one.
        let _outside = BRANCH.try_with(|branch| branch.borrow_mut().extend(slot.take()));
        let Some(Pending { step, round, actor, body, at }) = slot else { return Ok(()) };
        let mut event = Event { seq: 0, step, round, actor, body, at: at.unwrap_or_else(now) };
        let new = self.state().log.append(&mut event)?;
        if new {
            self.observer.progress(&Progress::Recorded(&event));
        }
        Ok(())
    }

    pub(crate) async fn finish(&self) -> Result<(), SessionError> {
        let ending = self.state().log.end()?;
        if let Some(ending) = ending {
            let path = self.state().log.folder().to_owned();
            tokio::task::spawn_blocking(move || ending.settle())
                .await
                .unwrap_or_else(|e| Err(RecordError::Io { path, source: std::io::Error::other(e) }))?;
        }
        Ok(())
    }

    pub(crate) fn announce(&self) {
        let (folder, recorded) = {
            let state = self.state();
            (state.log.folder().to_owned(), state.log.recorded_calls())
        };
        self.observer.progress(&Progress::Trial {
            case: &self.case.id,
            repeat: self.settings.repeat,
            folder: &folder,
            recorded,
        });
    }

    /// Words of the session to a model, such as why it is asked again.
    fn notice(&self, block: &str, problem: &str, reply: &str) -> Result<Vec<Piece>, SessionError> {
        // It may quote the reply, and stands outside of any fence.
        let problem = self.world.fence.inline(problem);
        let context = BTreeMap::from([("problem", problem)]);
        self.render(&format!("session/notes#{block}"), &context, &[("reply", vec![reply.to_owned()])])
    }
}

fn is_procedure(catalogue: &Catalogue, work: &WorkId) -> bool {
    catalogue.get(work).is_some_and(|m| matches!(m.kind, WorkKind::Procedure | WorkKind::Evidence))
}

fn now() -> String {
    jiff::Timestamp::now().to_string()
}

fn hash_of<T: Serialize>(value: &T) -> String {
    // Plain data with string keys; it always serialises.
    hex::encode(Sha256::digest(serde_json::to_vec(value).unwrap_or_default()))
}
