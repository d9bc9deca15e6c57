//! The session: all that a protocol gets of the world. It retrieves, asks, and records.
//!
//! A protocol is a plain async function over `&Session`. Replay, budgets, fences, cutting to the model's window,
//! asking again and checking citations are done here, so a protocol need not know of them. It has to keep three
//! rules: given the same replies it does the same; its chance comes from [`Session::rng`]; and what it does
//! concurrently goes through [`Session::together`], which puts the events of the jobs in the order of the jobs.
//!
//! A call is known by its path (case, repeat, step, agent, attempt, sample) and a hash of the logical request:
//! the pieces of the messages before fences, the schema, and the settings of sampling.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::future::Future;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use futures::StreamExt as _;
use jiff::civil::Date;
use nyaya_corpora::citation::{Citation, Verdict};
use nyaya_corpora::{Catalogue, ProvisionId, ProvisionLookup, WorkId, WorkKind};
use nyaya_retrieval::{Hit, Query, Retrieve};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use regex::Regex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::case::Case;
use crate::chat::{ChatError, ChatModel, ChatReply, ChatRequest, Message, ReplySchema, Role};
use crate::event::{Actor, Body, CheckedCitation, Event, Statement};
use crate::fence::Fence;
use crate::prompts::{Piece, PromptError, Prompts};
use crate::read::{Reading, read_json};
use crate::record::{CallRecord, RecordError, TrialLog};

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
    /// A protocol used a path twice.
    #[error("{path}: asked for twice\nhint: give the second call of a step its own sample number")]
    Twice {
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
        "{path}: the budget of {limit} tokens is used up: {spent} spent, {wanted} wanted\nhint: raise --max-tokens-total and run the same command again; it goes on where it stopped"
    )]
    Budget {
        /// Path of the call.
        path: String,
        /// The limit.
        limit: u64,
        /// Spent and reserved so far.
        spent: u64,
        /// What this call could need.
        wanted: u64,
    },
}

/// Tokens that a run may use, shared by its trials. A call reserves the most it could need before it is sent.
#[derive(Debug, Default)]
pub struct Budget {
    limit: Option<u64>,
    taken: AtomicU64,
}

impl Budget {
    /// A budget of so many tokens, read and written; `None` is no limit.
    #[must_use]
    pub fn tokens(limit: Option<u64>) -> Self {
        Self { limit, taken: AtomicU64::new(0) }
    }

    /// Tokens spent, and reserved for calls in flight.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::SeqCst)
    }

    fn reserve(&self, wanted: u64) -> Result<(), (u64, u64)> {
        let limit = self.limit.unwrap_or(u64::MAX);
        self.taken
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |t| {
                t.checked_add(wanted).filter(|sum| *sum <= limit)
            })
            .map(|_| ())
            .map_err(|taken| (limit, taken))
    }

    fn settle(&self, reserved: u64, used: u64) {
        self.taken.fetch_add(used, Ordering::SeqCst);
        self.taken.fetch_sub(reserved, Ordering::SeqCst);
    }
}

/// A model for each role.
#[derive(Clone)]
pub struct Models {
    default: Arc<dyn ChatModel>,
    by_role: BTreeMap<String, Arc<dyn ChatModel>>,
}

impl Models {
    /// One model for all.
    #[must_use]
    pub fn new(default: Arc<dyn ChatModel>) -> Self {
        Self { default, by_role: BTreeMap::new() }
    }

    /// Another model for one role: `judge`, `prosecution`, `defence`, `adjudicator`.
    #[must_use]
    pub fn with(mut self, role: &str, model: Arc<dyn ChatModel>) -> Self {
        self.by_role.insert(role.to_owned(), model);
        self
    }

    /// The model of a role.
    #[must_use]
    pub fn of(&self, role: &str) -> &Arc<dyn ChatModel> {
        self.by_role.get(role).unwrap_or(&self.default)
    }

    /// Names by role; `default` for the others.
    #[must_use]
    pub fn names(&self) -> BTreeMap<String, String> {
        let mut names: BTreeMap<_, _> = self.by_role.iter().map(|(r, m)| (r.clone(), m.name())).collect();
        names.insert("default".to_owned(), self.default.name());
        names
    }
}

impl From<Arc<dyn ChatModel>> for Models {
    fn from(model: Arc<dyn ChatModel>) -> Self {
        Self::new(model)
    }
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
}

/// How a session samples and searches.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) repeat: u32,
    pub(crate) language: String,
    pub(crate) seed: u64,
    pub(crate) temperature: f32,
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
}

struct State {
    log: TrialLog,
    used: HashSet<String>,
    searches: BTreeMap<String, u32>,
    counts: Counts,
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
}

/// Name of the role and agent under which the session itself records.
const SESSION: &str = "session";

/// Most calls for one question: the first, and again after a refusal, an unreadable or a wrong reply.
const MOST_ATTEMPTS: u32 = 3;

impl Session {
    pub(crate) fn new(
        case: Case,
        settings: Settings,
        world: World,
        log: TrialLog,
        observer: Arc<dyn Observer>,
    ) -> Self {
        let state = State { log, used: HashSet::new(), searches: BTreeMap::new(), counts: Counts::default() };
        Self { case, settings, world, state: Mutex::new(state), observer }
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
        use rand::seq::SliceRandom as _;
        let mut pool = self.world.prompts.personas(&self.settings.language);
        pool.shuffle(&mut self.rng(place));
        pool.iter().cycle().take(if pool.is_empty() { 0 } else { n }).map(|p| (*p).to_owned()).collect()
    }

    /// The day that governs a work: of the offence for substantive law, of the proceeding for procedure and
    /// evidence. `None` if the day of the offence is unknown.
    #[must_use]
    pub fn governing_date(&self, work: &WorkId) -> Option<Date> {
        if is_procedure(&self.world.catalogue, work) {
            Some(self.settings.proceeding)
        } else {
            self.settings.offence
        }
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
            jurisdiction: Some(self.case.jurisdiction.clone()),
            as_of: settings.offence,
        };
        let Some(offence) = settings.offence.filter(|o| self.procedure_differs(*o)) else {
            return self.search_one(actor, step, query).await;
        };
        let works = self.world.retriever.lookup().works();
        let ours = works.into_iter().filter(|w| w.jurisdiction() == self.case.jurisdiction);
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

    /// Whether a search at the day of the offence would show another procedure than the one that governs.
    fn procedure_differs(&self, offence: Date) -> bool {
        let lookup = self.world.retriever.lookup();
        let proceeding = self.settings.proceeding;
        lookup
            .works()
            .iter()
            .filter(|w| w.jurisdiction() == self.case.jurisdiction && is_procedure(&self.world.catalogue, w))
            .any(|work| {
                let held = |day| lookup.edition_at(work, day).map(|(e, covered)| (e.version, covered));
                let law = |day: Date| {
                    let m = self.world.catalogue.get(work);
                    m.is_none_or(|m| day >= m.in_force_from && m.repealed_on.is_none_or(|end| day < end))
                };
                held(offence) != held(proceeding) || law(offence) != law(proceeding)
            })
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
                self.journal(&record).await?;
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
        Ask {
            session: self,
            actor: actor.clone(),
            step: step.to_owned(),
            round: None,
            sample: 0,
            system: Vec::new(),
            user: Vec::new(),
            schema: None,
            max_tokens: 512,
            temperature: self.settings.temperature,
        }
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
        let citations = check_citations(
            self.world.retriever.lookup(),
            &self.world.catalogue,
            &self.case.jurisdiction,
            self.case.charges.first().map(|c| &c.id.work),
            &|work| self.governing_date(work),
            text,
            cites,
        );
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
        if let Ok(id) = text.trim().parse() {
            return Some(id);
        }
        let mut ids: Vec<ProvisionId> =
            self.statement(text, &[]).citations.into_iter().filter_map(|c| c.citation.id).collect();
        ids.dedup();
        if ids.len() == 1 { ids.pop() } else { None }
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

    /// Appends to the journal and waits until it is on disk.
    async fn journal(&self, record: &CallRecord) -> Result<(), SessionError> {
        let file = self.state().log.journal(record)?;
        if let Some(file) = file {
            let synced = tokio::task::spawn_blocking(move || file.sync_data()).await;
            let path = self.state().log.folder().join(crate::record::CALLS);
            synced
                .unwrap_or_else(|e| Err(std::io::Error::other(e)))
                .map_err(|source| RecordError::Io { path, source })?;
        }
        Ok(())
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

    pub(crate) fn finish(&self) -> Result<(), SessionError> {
        Ok(self.state().log.finish()?)
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

impl Ask<'_> {
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
        mut self,
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
            let (reply, reading, stage) = self.call::<T>(attempt).await?;
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

    async fn call<T: DeserializeOwned>(
        &self,
        attempt: u32,
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
                let wanted = reservation(model.as_ref(), &request);
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
                let stage = read_json::<T>(&reply.content).stage.as_str().to_owned();
                let body = Body::ModelCall { key, hash, request, reply, stage };
                session.world.budget.settle(wanted, usage_of(&body).unwrap_or(wanted));
                let record = CallRecord { at: now(), body };
                session.journal(&record).await?;
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
        let reading = read_json::<T>(&reply.content);
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

fn usage_of(body: &Body) -> Option<u64> {
    match body {
        Body::ModelCall { reply, .. } => {
            Some(reply.usage.prompt_tokens?.saturating_add(reply.usage.completion_tokens?))
        }
        _ => None,
    }
}

/// The most that a call can cost. Without a tokenizer at hand every character counts as a token and a half,
/// which no tokenizer in use exceeds on the average; a reservation may be too large, never too small.
fn reservation(model: &dyn ChatModel, request: &ChatRequest) -> u64 {
    let prompt = model.count_tokens(&request.messages).unwrap_or_else(|| {
        let chars: usize = request.messages.iter().map(|m| m.content.chars().count()).sum();
        chars.saturating_mul(3) / 2
    });
    (prompt as u64).saturating_add(u64::from(request.max_tokens))
}

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by the tests of this module")]
static REFUSAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^[\s\W]*(?:
            (?:i['’]?m|i\ am)\ (?:really\ |very\ |so\ )?sorry | sorry,\ (?:but\ )?i | i\ (?:must\ )?apologi[sz]e,?\ but
          | as\ an\ (?:ai|artificial)\b
          | i\ (?:can\s?not|can['’]?t|won['’]?t|will\ not|must\ decline\ to|(?:am|['’]m)\ (?:un|not\ )able\ to|do\ not\ feel\ able\ to)\ (?:in\ good\ conscience\ )?
            (?:assist|help|argue|comply|take\ part|participate|engage|fulfil|generate|create|write|produce|provide|role-?play|answer|respond|do\ (?:that|this)|continue)
          | i['’]m\ (?:un|not\ )able\ to\ (?:assist|help|argue|comply|take\ part|participate|provide|generate|answer)
          | (?:很|非常|十分)?(?:抱歉|对不起)[，,。!！]
          | 作为(?:一个|一名)?(?:ai|人工智能|语言模型)
          | 我(?:不能|无法|不可以|拒绝)(?:协助|帮助|提供|参与|回答|扮演|完成|继续|为此|撰写|生成|就此)
        )",
    )
    .expect("a constant pattern")
});

/// Whether a reply declines the task. Words inside a structured reply count as well as bare ones.
fn is_refusal(reply: &ChatReply, readable: bool) -> bool {
    if reply.finish_reason == "content_filter" {
        return true;
    }
    let text = said(&reply.content);
    // A long structured statement that begins so argues; it does not decline.
    let short = text.chars().count() < 400;
    REFUSAL.is_match(&text) && (!readable || short)
}

/// The longest words of a structured reply, or the reply itself.
fn said(content: &str) -> String {
    fn longest(value: &Value) -> Option<String> {
        match value {
            Value::String(s) => Some(s.clone()),
            Value::Array(list) => list.iter().filter_map(longest).max_by_key(String::len),
            Value::Object(map) => map.values().filter_map(longest).max_by_key(String::len),
            _ => None,
        }
    }
    read_json::<Value>(content).value.as_ref().and_then(longest).unwrap_or_else(|| content.to_owned())
}

/// Checks the citations of a statement: those of the field meant for them, then those in the words.
///
/// The one place where agents and the citation verifier meet.
fn check_citations(
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    _jurisdiction: &str,
    _default_work: Option<&WorkId>,
    governing: &dyn Fn(&WorkId) -> Option<Date>,
    _text: &str,
    cites: &[String],
) -> Vec<CheckedCitation> {
    let mut checked = Vec::new();
    for raw in cites {
        let mut citation = Citation {
            span: (0, raw.len()),
            raw: raw.clone(),
            id: raw.trim().parse().ok(),
            verdict: Verdict::Unchecked,
            successor: Vec::new(),
            range: None,
            reason: "not a provision id".to_owned(),
            struck_down: None,
        };
        if let Some(id) = &citation.id {
            let day = governing(&id.work);
            let edition = match day {
                Some(day) => lookup.edition_at(&id.work, day).map(|(e, _)| e),
                None => lookup.editions(&id.work).pop(),
            };
            let repealed = catalogue
                .get(&id.work)
                .and_then(|m| m.repealed_on)
                .filter(|end| day.is_some_and(|day| day >= *end));
            (citation.verdict, citation.reason) = match edition {
                None => (Verdict::Unchecked, "no text of this work is held".to_owned()),
                Some(e) => match lookup.provision(&id.work, e.version, &id.unit) {
                    Some(_) if repealed.is_some() => (Verdict::Repealed, "the work is repealed".to_owned()),
                    Some(_) => (Verdict::Verified, "held".to_owned()),
                    None if e.complete => (Verdict::NotFound, "the work has no such provision".to_owned()),
                    None => (Verdict::Unchecked, "the source held is not complete".to_owned()),
                },
            };
        }
        checked.push(CheckedCitation { place: "field".to_owned(), citation, quoted: None });
    }
    checked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(content: &str) -> ChatReply {
        ChatReply {
            content: content.to_owned(),
            reasoning: None,
            finish_reason: "stop".to_owned(),
            model: "m".to_owned(),
            usage: crate::chat::Usage::default(),
            latency_ms: 0,
            attempts: 1,
        }
    }

    #[test]
    fn refusals_are_told_from_arguments() {
        for text in [
            "I'm sorry, but I can't argue for the prosecution.",
            "I cannot assist with that.",
            "I can’t help with this request",
            "As an AI language model, I do not take sides.",
            "{\"statement\":\"I am unable to take part in this.\",\"cites\":[]}",
            "抱歉，我无法为被告人辩护。",
            "作为人工智能，我不能参与审判。",
            "{\"statement\":\"对不起，我不能协助。\"}",
        ] {
            assert!(is_refusal(&reply(text), text.starts_with('{')), "{text}");
        }
        for text in [
            "{\"statement\":\"I cannot accept the defence's account of the blow.\"}",
            "{\"statement\":\"I am not able to see where the provocation lies.\"}",
            "{\"statement\":\"The accused said that he was sorry; I'm sorry is not a defence.\"}",
            "{\"statement\":\"我无法同意辩护人的意见。\"}",
            "{\"statement\":\"被告人到案后说对不起，不影响定罪。\"}",
        ] {
            assert!(!is_refusal(&reply(text), true), "{text}");
        }
    }

    #[test]
    fn a_budget_is_reserved_and_settled() {
        let budget = Budget::tokens(Some(100));
        budget.reserve(60).unwrap();
        assert_eq!(budget.reserve(60), Err((100, 60)));
        budget.settle(60, 20);
        budget.reserve(60).unwrap();
        assert_eq!(budget.taken(), 80);
        assert!(Budget::tokens(None).reserve(u64::MAX / 2).is_ok());
    }

    #[test]
    fn the_first_and_the_last_entries_stay() {
        let entries = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let mut pieces = vec![Piece::Data { label: "record".to_owned(), entries }];
        while drop_oldest(&mut pieces) {}
        let left = ["a", "d"].map(str::to_owned).to_vec();
        assert_eq!(pieces, [Piece::Data { label: "record".to_owned(), entries: left }]);
    }
}
