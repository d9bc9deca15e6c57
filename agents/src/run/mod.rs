//! A run: a folder with `run.toml` and a folder for each trial, and the functions that hold trials in it.
//!
//! `run.toml` is written once, when the run begins: the resolved configuration, the knowledge base's generation,
//! the models' names, the cases' hashes, the version of the program, and the secret of the fences. A run is
//! named after a hash of all that decides what comes out; so the same command finds its run again, and
//! [`Place::Fresh`] makes another. `cases/<id>.json` keeps each case as it was tried, for reports and measures.

mod config;
mod record;
mod share;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::civil::Date;
use nyaya_corpora::Catalogue;
use nyaya_corpora::citation::{Context, Extractor};
use nyaya_retrieval::Retrieve;
use serde::Serialize;

use crate::case::{Case, CaseError};
use crate::event::{Body, Decision, SCHEMA_VERSION};
use crate::fence::Fence;
use crate::memory::Memory;
use crate::prompts::{PromptError, Prompts};
use crate::record::each_call;
use crate::record::{RecordError, TrialLog};
use crate::session::{
    Amount, Budget, Counts, Models, Observer, Prices, Session, SessionError, Settings, Stop, World, most_of,
    used,
};

pub use config::{RunConfig, parse_rag};
pub use record::RunRecord;
pub use share::Share;

/// Why a run cannot begin, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration makes no sense.
    #[error("{what}\nhint: {hint}")]
    Config {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
    /// The folder holds another run.
    #[error(
        "{folder} holds a run with another {what}\nhint: choose another folder with --out, or make a new run with --fresh"
    )]
    Other {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        what: String,
    },
    /// A file of the run could not be read or written.
    #[error(
        "{path}: {message}\nhint: check the path and its permissions, or choose another folder with --out"
    )]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A case.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// A prompt.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// A trial.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A record.
    #[error(transparent)]
    Record(#[from] RecordError),
}

pub(crate) fn config(what: impl Into<String>, hint: impl Into<String>) -> RunError {
    RunError::Config { what: what.into(), hint: hint.into() }
}

/// Name of the run's own file.
pub const RUN: &str = "run.toml";
/// Name of the copy of the memory with which a run began.
const MEMORY_START: &str = "memory-start.jsonl";
/// Name of the memory that a run leaves.
const MEMORY: &str = "memory.jsonl";
/// Name of the folder in a run that keeps the cases.
pub const CASES: &str = "cases";

/// The cases of a run, as they were tried, by id.
///
/// # Errors
/// If the folder is not that of a run, or a case in it does not read.
pub fn cases(folder: &Path) -> Result<Vec<Case>, RunError> {
    let record = RunRecord::read(folder)?;
    let mut found = Vec::with_capacity(record.cases.len());
    for id in record.cases.keys() {
        found.push(Case::load(folder.join(CASES).join(format!("{id}.json")))?);
    }
    Ok(found)
}

/// Where a run lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In this very folder; goes on with the run that is there, if it is the same.
    Folder(PathBuf),
    /// Below this folder under the run's name; goes on with the run of that name.
    Under(PathBuf),
    /// Below this folder under a new name, the run's name with a number.
    Fresh(PathBuf),
    /// In this folder; with a number behind its name, where something is there already.
    FreshFolder(PathBuf),
}

/// What a run works with.
#[derive(Clone)]
pub struct Parts {
    /// The models.
    pub models: Models,
    /// The knowledge base.
    pub retriever: Arc<dyn Retrieve>,
    /// The manifests: what governs in time, and what citations are called.
    pub catalogue: Arc<Catalogue>,
    /// The day, for cases that give no date of the proceeding.
    pub today: Date,
}

/// A run, open.
pub struct Run {
    folder: PathBuf,
    record: RunRecord,
    parts: Parts,
    prompts: Arc<Prompts>,
    fence: Fence,
    budget: Arc<Budget>,
    stop: Stop,
    memory: Mutex<Arc<Memory>>,
    extractor: Extractor,
}

impl Run {
    /// Opens a run, or goes on with one that is there.
    ///
    /// # Errors
    /// If the configuration makes no sense, or the folder holds another run or cannot be written.
    pub fn open(options: &RunConfig, cases: &[Case], parts: Parts, place: &Place) -> Result<Self, RunError> {
        options.check()?;
        let prompts = match &options.prompts {
            Some(folder) => Prompts::with_folder(folder)?,
            None => Prompts::builtin()?,
        };
        let mut digests = BTreeMap::new();
        for case in cases {
            if digests.insert(case.id.clone(), case.digest()).is_some() {
                return Err(config(format!("case `{}` stands twice", case.id), "give each case its own id"));
            }
        }
        let mut options = options.clone();
        options.rag = parse_rag(&options.rag.join(","), options.court.rag_roles()).unwrap_or_default();
        let fresh = RunRecord {
            schema: SCHEMA_VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            created: jiff::Timestamp::now().to_string(),
            today: parts.today,
            knowledge_base: parts.retriever.snapshot(),
            prompts: prompts.digest().to_owned(),
            fence_secret: Fence::random().secret().to_owned(),
            models: parts.models.names(),
            cases: digests,
            config: options.clone(),
        };
        let folder = match place {
            Place::Folder(folder) => folder.clone(),
            Place::Under(base) => base.join(fresh.name()),
            Place::Fresh(base) => unused(base.join(fresh.name())),
            Place::FreshFolder(folder) => unused(folder.clone()),
        };
        let record = settle(&folder, fresh)?;
        for case in cases {
            keep(&folder.join(CASES), case)?;
        }
        let fence = Fence::from_secret(&record.fence_secret).ok_or_else(|| RunError::File {
            path: folder.join(RUN),
            message: "fence_secret is not 8 to 64 letters and digits".to_owned(),
        })?;
        let extractor = Extractor::new(&parts.catalogue, &Context::default());
        let run = Self {
            folder,
            record,
            parts,
            prompts: Arc::new(prompts),
            fence,
            budget: Arc::default(),
            stop: Stop::default(),
            memory: Mutex::default(),
            extractor,
        };
        run.priced(Prices::default(), None)
    }

    /// The same run with prices, and most of what it may cost altogether; what was spent before counts.
    ///
    /// # Errors
    /// If there is a limit, and a model whose price is not known; or the records cannot be read.
    pub fn priced(mut self, prices: Prices, max_cost: Option<f64>) -> Result<Self, RunError> {
        if let Some(limit) = max_cost {
            if !limit.is_finite() || limit < 0.0 {
                return Err(config(format!("max_cost is {limit}"), "an amount of 0 or more"));
            }
            if let Some(model) = self.parts.models.names().into_values().find(|m| prices.of(m).is_none()) {
                return Err(config(
                    format!("max_cost cannot be kept: the price of model `{model}` is unknown"),
                    format!(
                        "add `[models.\"{model}\"]` with `read` and `written` to the list of prices, or leave --max-cost out"
                    ),
                ));
            }
        }
        let budget = Budget::new(self.record.config.max_tokens_total, max_cost, prices);
        if budget.is_limited() {
            let mut sum = Amount::default();
            each_call(&self.folder, |role, request, reply| {
                let price = budget.prices().of(&self.parts.models.of(role).name());
                sum = sum.plus(used(price, reply.usage).unwrap_or_else(|| most_of(price, request)));
            })?;
            budget.spent_before(sum);
        }
        self.budget = Arc::new(budget);
        Ok(self)
    }

    /// The same run with a memory. The run keeps a copy as `memory-start.jsonl`, and goes by that copy from then on.
    ///
    /// # Errors
    /// If the copy cannot be written or read.
    pub fn with_memory(self, memory: Memory) -> Result<Self, RunError> {
        let path = self.folder.join(MEMORY_START);
        let memory = if path.exists() {
            Memory::load(&path).map_err(|message| RunError::File { path: path.clone(), message })?
        } else {
            write_whole(&path, &memory.to_lines())?;
            memory
        };
        *self.memory.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(memory);
        Ok(self)
    }

    /// Writes the memory as it is after the trials that have ended, as `memory.jsonl`; gives its path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_memory(&self) -> Result<PathBuf, RunError> {
        let path = self.folder.join(MEMORY);
        let lines = self.memory.lock().unwrap_or_else(PoisonError::into_inner).to_lines();
        write_whole(&path, &lines)?;
        Ok(path)
    }

    /// The list of prices.
    #[must_use]
    pub fn prices(&self) -> &Prices {
        self.budget.prices()
    }

    /// What stops the trials of this run.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Calls that may be in flight at once, at most.
    #[must_use]
    pub fn concurrency(&self) -> usize {
        self.parts.models.concurrency()
    }

    /// The run's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What `run.toml` says.
    #[must_use]
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// Folder of a trial.
    #[must_use]
    pub fn trial_folder(&self, case: &str, repeat: u32) -> PathBuf {
        self.folder.join("trials").join(format!("{case}-{repeat}"))
    }

    /// Holds a trial by the run's protocol, or goes on with it. A finished one is read back without asking
    /// anybody anything.
    ///
    /// # Errors
    /// If a model, the knowledge base or the disk fails: the same again goes on where it stopped.
    pub async fn trial(
        &self,
        case: &Case,
        repeat: u32,
        observer: Arc<dyn Observer>,
    ) -> Result<Outcome, RunError> {
        let (outcome, error) = self.attempt(case, repeat, observer).await;
        match error {
            None | Some(RunError::Session(SessionError::Budget { .. } | SessionError::Stopped { .. })) => {
                Ok(outcome)
            }
            Some(error) => Err(error),
        }
    }

    /// As [`Run::trial`], where an error is part of what came of it: the outcome says as much as is known, and the
    /// error stands beside it.
    pub async fn attempt(
        &self,
        case: &Case,
        repeat: u32,
        observer: Arc<dyn Observer>,
    ) -> (Outcome, Option<RunError>) {
        let options = &self.record.config;
        let mut outcome = Outcome::new(case, repeat, self.trial_folder(&case.id, repeat), &self.folder);
        let held = match options.court.accepts(case) {
            Ok(()) => {
                let counts = &mut outcome.counts;
                self.hold(case, repeat, observer, counts, async |session: &Session| {
                    options.court.hold(session, options).await
                })
                .await
            }
            Err(e) => Err(e.into()),
        };
        match held {
            Ok((decision, was_finished)) => {
                outcome.decision = Some(decision);
                outcome.was_finished = was_finished;
                outcome.finished = true;
                (outcome, None)
            }
            Err(error) => {
                outcome.stopped = Some(error.to_string());
                outcome.failed = !matches!(
                    error,
                    RunError::Session(SessionError::Budget { .. } | SessionError::Stopped { .. })
                );
                (outcome, Some(error))
            }
        }
    }

    /// Holds a trial by any protocol.
    ///
    /// # Errors
    /// As [`Run::trial`]; a budget that is used up is an error here.
    pub async fn trial_with<T>(
        &self,
        case: &Case,
        repeat: u32,
        observer: Arc<dyn Observer>,
        protocol: impl AsyncFnOnce(&Session) -> Result<T, SessionError>,
    ) -> Result<Held<T>, RunError> {
        let mut counts = Counts::default();
        let (value, was_finished) = self.hold(case, repeat, observer, &mut counts, protocol).await?;
        Ok(Held { value, counts, was_finished })
    }

    async fn hold<T>(
        &self,
        case: &Case,
        repeat: u32,
        observer: Arc<dyn Observer>,
        counts: &mut Counts,
        protocol: impl AsyncFnOnce(&Session) -> Result<T, SessionError>,
    ) -> Result<(T, bool), RunError> {
        if self.record.cases.get(&case.id) != Some(&case.digest()) {
            return Err(RunError::Other {
                folder: self.folder.clone(),
                what: format!("text of case {}", case.id),
            });
        }
        for note in case.anachronisms(&self.parts.catalogue) {
            tracing::warn!(case = case.id, "{note}");
        }
        let log = TrialLog::open(&self.trial_folder(&case.id, repeat))?;
        let was_finished = log.was_finished();
        let options = &self.record.config;
        let settings = Settings {
            repeat,
            language: case.language.clone(),
            seed: options.seed,
            temperature: options.temperature,
            thinking: options.thinking,
            constrain_citations: options.constrain_citations,
            top_p: options.top_p,
            k: options.k,
            mode: options.mode,
            offence: case.offence_date.or(options.as_of),
            proceeding: case.proceeding_date.or(options.as_of).unwrap_or(self.record.today),
        };
        let world = World {
            models: self.parts.models.clone(),
            retriever: Arc::clone(&self.parts.retriever),
            catalogue: Arc::clone(&self.parts.catalogue),
            prompts: Arc::clone(&self.prompts),
            fence: self.fence.clone(),
            budget: Arc::clone(&self.budget),
            stop: self.stop.clone(),
            memory: Arc::clone(&self.memory.lock().unwrap_or_else(PoisonError::into_inner)),
            extractor: self.extractor.clone(),
        };
        // No protocol, and so no prompt, can come at the right answer.
        let session = Session::new(case.shown(), settings, world, log, observer);
        session.announce();
        session.record_own(
            "start",
            Body::Started {
                schema: SCHEMA_VERSION,
                case: case.id.clone(),
                repeat,
                language: case.language.clone(),
            },
        )?;
        let held = protocol(&session).await;
        *counts = session.counts();
        match held {
            Ok(value) => {
                session.record_own("end", Body::Finished)?;
                session.finish().await?;
                let kept = session.kept();
                if !kept.is_empty() {
                    let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
                    let memory = Arc::make_mut(&mut memory);
                    kept.into_iter().for_each(|entry| memory.add(entry));
                }
                Ok((value, was_finished))
            }
            Err(error) => {
                if let SessionError::Budget { budget, .. } = &error {
                    session.record_own("end", Body::BudgetStop { budget: (*budget).to_owned() })?;
                }
                Err(error.into())
            }
        }
    }
}

/// The run that lies in the folder, if it is the same; else writes this one there.
fn settle(folder: &Path, fresh: RunRecord) -> Result<RunRecord, RunError> {
    let path = folder.join(RUN);
    let file = |message: String| RunError::File { path: path.clone(), message };
    if !path.exists() {
        std::fs::create_dir_all(folder).map_err(|e| file(e.to_string()))?;
        if let Some(foreign) = foreign_file(folder).map_err(|e| file(e.to_string()))? {
            return Err(config(
                format!("{} holds no {RUN}, but other things, such as `{foreign}`", folder.display()),
                "choose an empty folder, or one that is not there yet, with --out",
            ));
        }
        let text = toml::to_string_pretty(&fresh).map_err(|e| file(e.to_string()))?;
        let mut draft = tempfile::NamedTempFile::new_in(folder).map_err(|e| file(e.to_string()))?;
        std::io::Write::write_all(&mut draft, text.as_bytes()).map_err(|e| file(e.to_string()))?;
        draft.as_file().sync_all().map_err(|e| file(e.to_string()))?;
        match draft.persist_noclobber(&path) {
            Ok(_) => return Ok(fresh),
            // Another process was faster; go on with its run.
            Err(e) if e.error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(file(e.to_string())),
        }
    }
    let mut there = RunRecord::read(folder)?;
    if there.schema > SCHEMA_VERSION {
        return Err(file(format!("format {} is newer than this program reads", there.schema)));
    }
    let differs = there.deciding().into_iter().zip(fresh.deciding()).find(|(a, b)| a != b);
    if let Some(((what, _), _)) = differs {
        return Err(RunError::Other { folder: folder.to_owned(), what: what.to_owned() });
    }
    there.config.max_tokens_total = fresh.config.max_tokens_total;
    Ok(there)
}

/// A file of the folder that no start of a run has left there: drafts of one that was killed are not meant, nor what
/// another process has written meanwhile.
fn foreign_file(folder: &Path) -> std::io::Result<Option<String>> {
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.starts_with(".tmp") && name != RUN {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Writes a case beside the run, unless it is there; whole or not at all.
fn keep(folder: &Path, case: &Case) -> Result<(), RunError> {
    let path = folder.join(format!("{}.json", case.id));
    let file = |message: String| RunError::File { path: path.clone(), message };
    if path.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(folder).map_err(|e| file(e.to_string()))?;
    let text = serde_json::to_string_pretty(case).map_err(|e| file(e.to_string()))?;
    write_whole(&path, &text)
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<(), RunError> {
    let file = |message: String| RunError::File { path: path.to_owned(), message };
    let folder = path.parent().unwrap_or(path);
    let mut draft = tempfile::NamedTempFile::new_in(folder).map_err(|e| file(e.to_string()))?;
    std::io::Write::write_all(&mut draft, text.as_bytes()).map_err(|e| file(e.to_string()))?;
    draft.persist(path).map(|_| ()).map_err(|e| file(e.error.to_string()))
}

/// This folder, or with the first number that is free.
fn unused(folder: PathBuf) -> PathBuf {
    let free = |path: &Path| !path.exists() || path.read_dir().is_ok_and(|mut d| d.next().is_none());
    if free(&folder) {
        return folder;
    }
    let numbered = |n: u32| {
        let mut name = folder.file_name().unwrap_or_default().to_owned();
        name.push(format!("-{n}"));
        folder.with_file_name(name)
    };
    (2..).map(numbered).find(|p| free(p)).unwrap_or(folder)
}

/// A trial by some protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct Held<T> {
    /// What the protocol gave.
    pub value: T,
    /// Calls and tokens.
    pub counts: Counts,
    /// The trial had finished before, and was only read back.
    pub was_finished: bool,
}

/// What came of a trial.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The run's folder.
    pub run: PathBuf,
    /// The trial's folder.
    pub trial: PathBuf,
    /// Case id.
    pub case: String,
    /// Repeat, from 0.
    pub repeat: u32,
    /// What it came to; `None` if the trial stopped before.
    #[serde(flatten)]
    pub decision: Option<Decision>,
    /// Calls and tokens.
    pub counts: Counts,
    /// Whether the trial came to its end.
    pub finished: bool,
    /// Whether it had come to its end before, so that this was only reading.
    pub was_finished: bool,
    /// Why it stopped before its end.
    pub stopped: Option<String>,
    /// It stopped because something failed, not because a budget was used up or somebody asked for it.
    pub failed: bool,
}

impl Outcome {
    fn new(case: &Case, repeat: u32, trial: PathBuf, run: &Path) -> Self {
        Self {
            run: run.to_owned(),
            trial,
            case: case.id.clone(),
            repeat,
            decision: None,
            counts: Counts::default(),
            finished: false,
            was_finished: false,
            stopped: None,
            failed: false,
        }
    }
}

/// Holds one trial in a folder, or goes on with it: [`Run::open`] and [`Run::trial`] in one.
///
/// # Errors
/// As those two.
pub async fn run_case(
    options: &RunConfig,
    case: &Case,
    models: Models,
    retriever: Arc<dyn Retrieve>,
    catalogue: Arc<Catalogue>,
    folder: &Path,
    observer: Arc<dyn Observer>,
) -> Result<Outcome, RunError> {
    let today = jiff::ZonedDateTime::now().date();
    let parts = Parts { models, retriever, catalogue, today };
    let run = Run::open(options, std::slice::from_ref(case), parts, &Place::Folder(folder.to_owned()))?;
    run.trial(case, 0, observer).await
}
