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
use std::sync::Arc;

use jiff::civil::Date;
use nyaya_corpora::Catalogue;
use nyaya_retrieval::Retrieve;
use serde::Serialize;

use crate::case::{Case, CaseError};
use crate::event::{Body, Decision, SCHEMA_VERSION};
use crate::fence::Fence;
use crate::prompts::{PromptError, Prompts};
use crate::record::{RecordError, TrialLog};
use crate::session::{Budget, Counts, Models, Observer, Session, SessionError, Settings, World};

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
            Place::Fresh(base) => unused(base, &fresh.name()),
        };
        let record = settle(&folder, fresh)?;
        for case in cases {
            keep(&folder.join(CASES), case)?;
        }
        let fence = Fence::from_secret(&record.fence_secret).ok_or_else(|| RunError::File {
            path: folder.join(RUN),
            message: "fence_secret is not 8 to 64 letters and digits".to_owned(),
        })?;
        Ok(Self {
            folder,
            record,
            parts,
            prompts: Arc::new(prompts),
            fence,
            budget: Arc::new(Budget::tokens(options.max_tokens_total)),
        })
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
        let options = self.record.config.clone();
        options.court.accepts(case)?;
        let mut outcome = Outcome::new(case, repeat, self.trial_folder(&case.id, repeat), &self.folder);
        let held = self
            .trial_with(case, repeat, observer, async |session: &Session| {
                options.court.hold(session, &options).await
            })
            .await;
        match held {
            Ok(held) => {
                outcome.decision = Some(held.value);
                outcome.counts = held.counts;
                outcome.was_finished = held.was_finished;
                outcome.finished = true;
                Ok(outcome)
            }
            Err(RunError::Session(e @ SessionError::Budget { .. })) => {
                outcome.stopped = Some(e.to_string());
                Ok(outcome)
            }
            Err(e) => Err(e),
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
        match protocol(&session).await {
            Ok(value) => {
                session.record_own("end", Body::Finished)?;
                session.finish().await?;
                Ok(Held { value, counts: session.counts(), was_finished })
            }
            Err(error) => {
                if matches!(error, SessionError::Budget { .. }) {
                    session.record_own("end", Body::BudgetStop { budget: "max_tokens_total".to_owned() })?;
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

/// Writes a case beside the run, unless it is there; whole or not at all.
fn keep(folder: &Path, case: &Case) -> Result<(), RunError> {
    let path = folder.join(format!("{}.json", case.id));
    let file = |message: String| RunError::File { path: path.clone(), message };
    if path.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(folder).map_err(|e| file(e.to_string()))?;
    let text = serde_json::to_string_pretty(case).map_err(|e| file(e.to_string()))?;
    let mut draft = tempfile::NamedTempFile::new_in(folder).map_err(|e| file(e.to_string()))?;
    std::io::Write::write_all(&mut draft, text.as_bytes()).map_err(|e| file(e.to_string()))?;
    draft.persist(&path).map(|_| ()).map_err(|e| file(e.error.to_string()))
}

fn unused(base: &Path, name: &str) -> PathBuf {
    let first = base.join(name);
    if !first.exists() {
        return first;
    }
    (2u32..).map(|n| base.join(format!("{name}-{n}"))).find(|p| !p.exists()).unwrap_or(first)
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
