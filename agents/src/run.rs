//! A run: a folder with `run.toml` and a folder for each trial, and the functions that hold trials in it.
//!
//! `run.toml` is written once, when the run begins: the resolved configuration, the knowledge base's generation,
//! the models' names, the cases' hashes, the version of the program, and the secret of the fences. A run is
//! named after a hash of all that decides what comes out; so the same command finds its run again, and
//! [`Place::Fresh`] makes another. `cases/<id>.json` keeps each case as it was tried, for reports and measures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::Date;
use nyaya_corpora::Catalogue;
use nyaya_retrieval::{Mode, Retrieve};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::case::{Case, CaseError};
use crate::event::{Body, Decision, SCHEMA_VERSION};
use crate::fence::Fence;
use crate::prompts::{PromptError, Prompts};
use crate::protocols::{Court, samvad};
use crate::record::{RecordError, TrialLog};
use crate::session::{Budget, Counts, Models, Observer, Session, SessionError, Settings, World};

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

/// A share, exactly as it is written: `0.8` is 8/10, and 4 of 5 reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    numerator: u64,
    denominator: u64,
}

impl Share {
    /// Whether `votes` of `of` reach the share; with `strict` they must exceed it. Nothing reaches a share of
    /// nobody.
    #[must_use]
    pub fn reached(self, votes: u32, of: u32, strict: bool) -> bool {
        let left = u128::from(votes) * u128::from(self.denominator);
        let right = u128::from(self.numerator) * u128::from(of);
        of > 0 && if strict { left > right } else { left >= right }
    }
}

impl std::str::FromStr for Share {
    type Err = String;

    /// Reads `0.8`, `.8`, `1`, `80%`, `2/3`: more than 0, at most 1.
    fn from_str(s: &str) -> Result<Self, String> {
        let wrong = || format!("`{s}` is not a share: write 0.8, 80% or 2/3, more than 0 and at most 1");
        let plain = |t: &str| t.bytes().all(|b| b.is_ascii_digit()) && t.len() <= 9;
        let number = |t: &str| if plain(t) { t.parse::<u64>().ok() } else { None };
        let text = s.trim();
        let (numerator, denominator) = if let Some((a, b)) = text.split_once('/') {
            (number(a.trim()), number(b.trim()))
        } else {
            let (text, per) = text.strip_suffix('%').map_or((text, 1), |t| (t.trim_end(), 100));
            let (whole, digits) = text.split_once('.').unwrap_or((text, ""));
            if !plain(whole) || !plain(digits) || whole.len() + digits.len() == 0 {
                return Err(wrong());
            }
            let scale = 10u64.pow(u32::try_from(digits.len()).map_err(|_| wrong())?);
            let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| wrong())? };
            let digits: u64 = if digits.is_empty() { 0 } else { digits.parse().map_err(|_| wrong())? };
            (whole.checked_mul(scale).and_then(|w| w.checked_add(digits)), scale.checked_mul(per))
        };
        match (numerator, denominator) {
            (Some(numerator), Some(denominator)) if numerator > 0 && numerator <= denominator => {
                Ok(Self { numerator, denominator })
            }
            _ => Err(wrong()),
        }
    }
}

/// Roles that can look law up.
pub const RAG_ROLES: &[&str] = &["judge", "counsel", "adjudicators"];

/// Reads a list of roles such as `judge,counsel`; `none` is the empty list, `all` is every role.
///
/// # Errors
/// If a role cannot look law up.
pub fn parse_rag(text: &str) -> Result<Vec<String>, String> {
    match text.trim() {
        "none" | "" => return Ok(Vec::new()),
        "all" => return Ok(RAG_ROLES.iter().map(|r| (*r).to_owned()).collect()),
        _ => {}
    }
    let mut roles = Vec::new();
    for role in text.split(',').map(str::trim) {
        let role = match role {
            "adjudicator" => "adjudicators",
            other => other,
        };
        if !RAG_ROLES.contains(&role) {
            return Err(format!(
                "`{role}` cannot look law up: write none, all, or a list of {}",
                RAG_ROLES.join(", ")
            ));
        }
        if !roles.iter().any(|r| r == role) {
            roles.push(role.to_owned());
        }
    }
    // The same roles in another order are the same run.
    roles.sort_by_key(|r| RAG_ROLES.iter().position(|k| k == r));
    Ok(roles)
}

/// The options of a run. What is `None` follows from the rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// Roles that look law up, see [`RAG_ROLES`].
    pub rag: Vec<String>,
    /// Passages an agent gets.
    pub k: usize,
    /// Queries an agent makes; by default 2, and 1 in a short trial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<usize>,
    /// How passages are found.
    pub mode: Mode,
    /// Most characters of a passage that a prompt shows, cut at the end of a sentence; by default all, and in a
    /// short trial 700 (300 in Chinese).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage_chars: Option<usize>,
    /// Seed of all chance.
    pub seed: u64,
    /// Most characters of a statement; by default 800, 480 in a short trial (Chinese: 260, 150).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement_chars: Option<usize>,
    /// Sampling temperature; a protocol may ask some steps at another.
    pub temperature: f32,
    /// Nucleus sampling.
    pub top_p: f32,
    /// Most tokens of a reply by role, where the default (what holds the largest reply that the schema allows)
    /// will not do.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub max_tokens: BTreeMap<String, u32>,
    /// The day that governs where a case gives no dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Date>,
    /// Folder with prompts that replace those of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<PathBuf>,
    /// Most tokens of the whole run, read and written. Not part of the run's name, so it can be raised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens_total: Option<u64>,
    /// Which court, and its own options.
    pub court: Court,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self::of(Court::default())
    }
}

impl RunConfig {
    /// The configuration of a court as its paper has it.
    #[must_use]
    pub fn of(court: Court) -> Self {
        Self {
            rag: court.rag().iter().map(|r| (*r).to_owned()).collect(),
            k: 5,
            queries: None,
            mode: Mode::default(),
            passage_chars: None,
            seed: 0,
            statement_chars: None,
            temperature: court.temperature(),
            top_p: 1.0,
            max_tokens: BTreeMap::new(),
            as_of: None,
            prompts: None,
            max_tokens_total: None,
            court,
        }
    }

    /// The configuration of `nyaya demo`: three adjudicators, opening and rebuttal, one round.
    #[must_use]
    pub fn demo() -> Self {
        let options = samvad::Options {
            adjudicators: 3,
            rounds: 1,
            min_rounds: 1,
            short: true,
            ..samvad::Options::default()
        };
        Self { k: 3, temperature: 0.3, ..Self::of(Court::Samvad(options)) }
    }

    /// Checks what can be checked without a case.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        self.court.check()?;
        parse_rag(&self.rag.join(","))
            .map_err(|e| config(format!("rag: {e}"), "the usual one is judge,counsel"))?;
        if !(1..=50).contains(&self.k) {
            return Err(config(
                format!("k is {}", self.k),
                "an agent gets 1 to 50 passages; no retrieval is --rag none",
            ));
        }
        if self.queries.is_some_and(|n| !(1..=10).contains(&n)) {
            return Err(config("queries is out of range", "an agent makes 1 to 10"));
        }
        if self.statement_chars.is_some_and(|n| !(80..=20_000).contains(&n)) {
            return Err(config("statement_chars is out of range", "a statement has 80 to 20000 characters"));
        }
        if i64::try_from(self.seed).is_err() {
            return Err(config(
                format!("seed {} is too large", self.seed),
                "a seed is at most 9223372036854775807",
            ));
        }
        let roles = self.court.roles();
        if let Some((role, n)) =
            self.max_tokens.iter().find(|(r, n)| **n == 0 || !roles.contains(&r.as_str()))
        {
            return Err(config(
                format!("max_tokens: {role} = {n}"),
                format!(
                    "give a number above 0 to one of {}, or leave it out for a limit that fits",
                    roles.join(", ")
                ),
            ));
        }
        let sampling = (0.0..=2.0).contains(&self.temperature) && self.top_p > 0.0 && self.top_p <= 1.0;
        if !sampling {
            return Err(config(
                format!("temperature {} or top_p {} is out of range", self.temperature, self.top_p),
                "temperature is 0 to 2, top_p is more than 0 and at most 1",
            ));
        }
        Ok(())
    }
}

/// `run.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// [`SCHEMA_VERSION`].
    pub schema: u32,
    /// Version of the program that began the run.
    pub program: String,
    /// When the run began, RFC 3339.
    pub created: String,
    /// The day taken for the proceeding where a case gives none.
    pub today: Date,
    /// Generation of the knowledge base.
    pub knowledge_base: String,
    /// SHA-256 over the prompts.
    pub prompts: String,
    /// Secret of the fences. It stands nowhere else but in the requests.
    pub fence_secret: String,
    /// Names of the models by role.
    pub models: BTreeMap<String, String>,
    /// SHA-256 of the cases by id.
    pub cases: BTreeMap<String, String>,
    /// The options.
    pub config: RunConfig,
}

impl RunRecord {
    /// Reads `run.toml` of a run's folder.
    ///
    /// # Errors
    /// If the folder is not that of a run.
    pub fn read(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(RUN);
        let text = std::fs::read_to_string(&path)
            .map_err(|e| RunError::File { path: path.clone(), message: e.to_string() })?;
        toml::from_str(&text)
            .map_err(|e| RunError::File { path, message: e.to_string().trim_end().to_owned() })
    }

    /// What decides what comes out, as pairs of a name and a value.
    fn deciding(&self) -> Vec<(&'static str, String)> {
        let config = RunConfig { max_tokens_total: None, prompts: None, ..self.config.clone() };
        let text = |v: Result<String, serde_json::Error>| v.unwrap_or_default();
        vec![
            ("configuration", text(serde_json::to_string(&config))),
            ("knowledge base", self.knowledge_base.clone()),
            ("set of prompts", self.prompts.clone()),
            ("model", text(serde_json::to_string(&self.models))),
            ("case", text(serde_json::to_string(&self.cases))),
        ]
    }

    /// The name of the run: 12 hexadecimal digits of a SHA-256 over what decides what comes out.
    #[must_use]
    pub fn name(&self) -> String {
        let mut hasher = Sha256::new();
        for (name, value) in self.deciding() {
            hasher.update(format!("{name}\n{}\n{value}\n", value.len()));
        }
        hex::encode(hasher.finalize()).chars().take(12).collect()
    }
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
        options.rag = parse_rag(&options.rag.join(",")).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact() {
        let share = |s: &str| s.parse::<Share>().unwrap();
        assert!(share("0.8").reached(4, 5, false) && !share("0.8").reached(4, 5, true));
        assert!(share("0.8").reached(5, 5, true) && !share("0.8").reached(3, 5, false));
        // 0.7 · 10 is 7 exactly, which floating point misses.
        assert!(share(".7").reached(7, 10, false) && !share("0.70").reached(7, 10, true));
        assert!(share("2/3").reached(2, 3, false) && !share("0.67").reached(2, 3, false));
        assert!(share("80%").reached(4, 5, false) && share("1").reached(5, 5, false));
        assert!(!share("0.1").reached(0, 5, false) && !share("0.8").reached(0, 0, false));
        assert!(share("0.123456789").reached(u32::MAX, u32::MAX, false));
        for wrong in [
            "",
            ".",
            "0",
            "0.0",
            "1.1",
            "-0.5",
            "0,8",
            "NaN",
            "8e-1",
            "1/0",
            "3/2",
            "0/3",
            "120%",
            "0.1234567890",
        ] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn roles_are_read_in_any_order() {
        assert_eq!(parse_rag("counsel, judge").unwrap(), ["judge", "counsel"]);
        assert_eq!(parse_rag("none").unwrap(), Vec::<String>::new());
        assert_eq!(parse_rag("all").unwrap().len(), 3);
        assert!(parse_rag("judge,jury").is_err());
    }

    #[test]
    fn options_without_sense_are_named() {
        let of = |change: fn(&mut RunConfig)| {
            let mut c = RunConfig::default();
            change(&mut c);
            c.check().map_err(|e| e.to_string())
        };
        assert!(of(|_| ()).is_ok() && RunConfig::demo().check().is_ok());
        let court = |options: samvad::Options| {
            RunConfig::of(Court::Samvad(options)).check().map_err(|e| e.to_string())
        };
        let usual = samvad::Options::default;
        assert!(court(samvad::Options { adjudicators: 0, ..usual() }).unwrap_err().contains("adjudicators"));
        let wrong = samvad::Options { threshold: "80".to_owned(), ..usual() };
        assert!(court(wrong).unwrap_err().contains("threshold"));
        assert!(court(samvad::Options { min_rounds: 4, ..usual() }).unwrap_err().contains("min_rounds"));
        assert!(of(|c| c.rag = vec!["jury".to_owned()]).unwrap_err().contains("jury"));
        assert!(of(|c| _ = c.max_tokens.insert("jury".to_owned(), 9)).unwrap_err().contains("jury"));
        assert!(of(|c| c.k = 0).unwrap_err().contains("hint: "));
        assert!(of(|c| c.temperature = f32::NAN).unwrap_err().contains("temperature"));
    }

    #[test]
    fn a_configuration_survives_toml() {
        let options =
            RunConfig { as_of: Some(jiff::civil::date(2020, 1, 2)), queries: Some(3), ..RunConfig::demo() };
        let text = toml::to_string_pretty(&options).unwrap();
        assert_eq!(toml::from_str::<RunConfig>(&text).unwrap(), options);
        assert!(toml::from_str::<RunConfig>("ronds = 3").is_err());
    }
}
