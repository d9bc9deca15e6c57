//! What a trial leaves on disk, and how it is read back.
//!
//! A trial's folder holds `events.jsonl`, the record: one event a line in an order that depends on the protocol
//! and the replies only, never on which reply came first. While a trial runs there is `calls.jsonl` beside it, a
//! journal: every reply of a model and every result of a search is appended there as soon as it arrives, before
//! anybody uses it, and synced to the disk right behind. So a kill loses calls in flight only, and a power cut at
//! most what arrived in the moment before. Once the trial has finished, all of it stands in `events.jsonl` too,
//! which is synced and sealed by its SHA-256 in `events.sha256`, and the journal is removed. A sealed record that was
//! altered is refused by every reader.
//!
//! After a kill the protocol runs again. Calls found in either file are read back; events that are on disk are
//! compared with those that come out again, and only new ones are appended. So a trial that was killed any
//! number of times ends with the same record as one that was not. A line that was torn by the kill is cut off.
//! A trailing `budget_stop` is cut off as well, since a larger budget may carry the trial further.
//!
//! `events.jsonl` carries the lock of the one writer; readers need none.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::chat::{ChatReply, ChatRequest};
use crate::event::{Actor, Body, Event, SCHEMA_VERSION};

/// Name of the record in a trial's folder.
pub const EVENTS: &str = "events.jsonl";
/// Name of the file with the SHA-256 of a finished trial's record, in hex.
pub const SEAL: &str = "events.sha256";
/// Name of the journal in a trial's folder; absent once the trial has finished.
pub const CALLS: &str = "calls.jsonl";

/// Why a record cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file could not be read or written.
    #[error(
        "{path}: {source}\nhint: check space and permissions; the same command again goes on where it stopped"
    )]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Somebody else writes.
    #[error(
        "{path}: another process is writing this trial\nhint: wait until it ends, or start another run with --fresh"
    )]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A line that is not the last cannot be read.
    #[error(
        "{path}, line {line}: {message}\nhint: the file was changed by something else; restore it, or start another run with --fresh"
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// The record of a finished trial is not what was written.
    #[error(
        "{path}: altered since the trial finished\nhint: restore it, or start another run with --fresh; without {SEAL} beside it, it is taken as it is"
    )]
    Altered {
        /// The file.
        path: PathBuf,
    },
    /// Written by a later version.
    #[error(
        "{path}: format {found} is newer than {SCHEMA_VERSION}, the newest this program reads\nhint: use the version of the program that wrote the run"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The protocol does not say again what it said before.
    #[error(
        "{path}, line {line}: on resuming, another event came out than the one on disk ({message})\nhint: the program, the prompts or the case have changed since; start another run with --fresh"
    )]
    Diverged {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What came out.
        message: String,
    },
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> RecordError {
    let path = path.to_owned();
    move |source| RecordError::Io { path, source }
}

/// A reply of a model or a result of a search, as the journal holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// When it arrived, RFC 3339.
    pub at: String,
    /// [`Body::ModelCall`] or [`Body::Retrieved`].
    #[serde(flatten)]
    pub body: Body,
}

impl CallRecord {
    /// Key and hash, if the body is a call.
    #[must_use]
    pub fn key(&self) -> Option<(&str, &str)> {
        match &self.body {
            Body::ModelCall { key, hash, .. } | Body::Retrieved { key, hash, .. } => Some((key, hash)),
            _ => None,
        }
    }
}

/// Whether a trial's record is what it was when the trial finished; a trial without a seal has not, and may say anything.
///
/// # Errors
/// If it is not.
pub fn check_seal(path: &Path, record: &[u8]) -> Result<(), RecordError> {
    let seal = path.with_file_name(SEAL);
    match std::fs::read_to_string(&seal) {
        Ok(sha256) if sha256.trim() == hex::encode(Sha256::digest(record)) => Ok(()),
        Ok(_) => Err(RecordError::Altered { path: path.to_owned() }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(io(&seal)(e)),
    }
}

/// Reads the events of a trial's `events.jsonl`, finished or not; a torn last line is left out.
///
/// # Errors
/// If the file cannot be read or was altered, another line than the last is not an event, or the format is newer.
pub fn read_events(path: &Path) -> Result<Vec<Event>, RecordError> {
    let bytes = std::fs::read(path).map_err(io(path))?;
    check_seal(path, &bytes)?;
    let (events, _) = lines::<Event>(path, &bytes)?;
    known_version(path, &events)?;
    Ok(events)
}

/// A trial of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrialRef {
    /// Folder name, `<case>-<repeat>`.
    pub name: String,
    /// The record.
    pub events: PathBuf,
}

/// The trials of a run's folder, by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn trials(run: &Path) -> Result<Vec<TrialRef>, RecordError> {
    let folder = run.join("trials");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(io(&folder))? {
        let entry = entry.map_err(io(&folder))?;
        let events = entry.path().join(EVENTS);
        if events.is_file() {
            found.push(TrialRef { name: entry.file_name().to_string_lossy().into_owned(), events });
        }
    }
    found.sort();
    Ok(found)
}

/// Visits every recorded model call of a run once: role and name of the agent, and the call. One line is in memory
/// at a time.
///
/// # Errors
/// If a file cannot be read. Lines that do not read are passed over; opening the trial names them.
pub(crate) fn each_call(
    run: &Path,
    mut visit: impl FnMut(&str, &ChatRequest, &ChatReply),
) -> Result<(), RecordError> {
    #[derive(Deserialize)]
    struct Call {
        key: String,
        request: ChatRequest,
        reply: ChatReply,
        #[serde(default)]
        actor: Option<Actor>,
    }
    let folder = run.join("trials");
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(&folder).map_err(io(&folder))? {
        let trial = entry.map_err(io(&folder))?.path();
        let mut seen = HashSet::new();
        for path in [trial.join(EVENTS), trial.join(CALLS)] {
            let file = match File::open(&path) {
                Ok(file) => file,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
                Err(e) => return Err(io(&path)(e)),
            };
            let mut lines = BufReader::new(file);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).map_err(io(&path))? > 0 {
                // Other events have no request; they fail at once.
                if let Ok(call) = serde_json::from_slice::<Call>(&line)
                    && seen.insert(call.key)
                {
                    visit(call.actor.as_ref().map_or("", |a| a.role.as_str()), &call.request, &call.reply);
                }
                line.clear();
            }
        }
    }
    Ok(())
}

/// An event without what may differ between two runs of the same trial: times, latencies, how often the network had
/// to be asked, and the secret of the fences where a model repeated it (if it is given).
#[must_use]
pub fn comparable(event: &Event, secret: Option<&str>) -> Value {
    let mut value = without_time(event);
    if let Some(reply) = value.get_mut("reply").and_then(Value::as_object_mut) {
        reply.remove("latency_ms");
        reply.remove("attempts");
    }
    if let Some(secret) = secret {
        blank(&mut value, secret);
    }
    value
}

fn blank(value: &mut Value, secret: &str) {
    match value {
        Value::String(s) => *s = s.replace(secret, "…"),
        Value::Array(list) => list.iter_mut().for_each(|v| blank(v, secret)),
        Value::Object(map) => map.values_mut().for_each(|v| blank(v, secret)),
        _ => {}
    }
}

fn without_time(event: &Event) -> Value {
    let mut value = serde_json::to_value(event).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        map.remove("at");
    }
    value
}

fn known_version(path: &Path, events: &[Event]) -> Result<(), RecordError> {
    match events.first().map(|e| &e.body) {
        Some(Body::Started { schema, .. }) if *schema > SCHEMA_VERSION => {
            Err(RecordError::Newer { path: path.to_owned(), found: *schema })
        }
        _ => Ok(()),
    }
}

/// Reads JSON lines. The second value is the length of what was read whole: beyond it lies a torn line.
fn lines<T: serde::de::DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<(Vec<T>, usize), RecordError> {
    let mut found = Vec::new();
    let mut whole = 0;
    let mut pieces = bytes.split_inclusive(|b| *b == b'\n').enumerate().peekable();
    while let Some((i, piece)) = pieces.next() {
        match serde_json::from_slice(piece) {
            // Without its newline a line may still be a prefix that happens to read; it is not committed.
            Ok(value) if piece.ends_with(b"\n") => {
                found.push(value);
                whole += piece.len();
            }
            Ok(_) => break,
            Err(_) if pieces.peek().is_none() => break,
            Err(e) => {
                return Err(RecordError::Corrupt {
                    path: path.to_owned(),
                    line: i + 1,
                    message: e.to_string(),
                });
            }
        }
    }
    Ok((found, whole))
}

/// The record of a trial, open for writing.
#[derive(Debug)]
pub(crate) struct TrialLog {
    folder: PathBuf,
    events_path: PathBuf,
    events: Arc<File>,
    calls_path: PathBuf,
    calls: Option<Arc<Synced>>,
    /// Events on disk when the trial was opened, without their times.
    before: Vec<Value>,
    next: usize,
    replay: HashMap<String, CallRecord>,
    finished: bool,
}

impl TrialLog {
    /// Opens the record in `folder` and takes its lock; makes both if there are none.
    pub(crate) fn open(folder: &Path) -> Result<Self, RecordError> {
        std::fs::create_dir_all(folder).map_err(io(folder))?;
        let events_path = folder.join(EVENTS);
        let mut events = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&events_path)
            .map_err(io(&events_path))?;
        match events.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::Locked { path: events_path }),
            Err(TryLockError::Error(e)) => return Err(io(&events_path)(e)),
        }
        let mut bytes = Vec::new();
        events.read_to_end(&mut bytes).map_err(io(&events_path))?;
        check_seal(&events_path, &bytes)?;
        drop(bytes);
        let mut list: Vec<Event> = reopen(&events_path, &mut events)?;
        known_version(&events_path, &list)?;
        if let Some(wrong) = list.iter().enumerate().find(|(i, e)| e.seq != *i as u64) {
            return Err(RecordError::Corrupt {
                path: events_path,
                line: wrong.0 + 1,
                message: format!("event {} stands at place {}", wrong.1.seq, wrong.0),
            });
        }
        if matches!(list.last().map(|e| &e.body), Some(Body::BudgetStop { .. })) {
            list.pop();
            let keep: usize = {
                let bytes = std::fs::read(&events_path).map_err(io(&events_path))?;
                bytes.split_inclusive(|b| *b == b'\n').take(list.len()).map(<[u8]>::len).sum()
            };
            events.set_len(keep as u64).map_err(io(&events_path))?;
        }
        let finished = matches!(list.last().map(|e| &e.body), Some(Body::Finished));
        let before = list.iter().map(without_time).collect();
        let mut replay = HashMap::new();
        let mut learn = |record: CallRecord| {
            if let Some((key, _)) = record.key() {
                replay.insert(key.to_owned(), record);
            }
        };
        for event in list {
            learn(CallRecord { at: event.at, body: event.body });
        }
        let calls_path = folder.join(CALLS);
        let calls = if finished {
            // Killed between the last event and the removal of the journal.
            remove(&calls_path)?;
            None
        } else {
            let mut calls = OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .open(&calls_path)
                .map_err(io(&calls_path))?;
            for record in reopen::<CallRecord>(&calls_path, &mut calls)? {
                learn(record);
            }
            Some(Arc::new(Synced::new(calls)))
        };
        Ok(Self {
            folder: folder.to_owned(),
            events_path,
            events: Arc::new(events),
            calls_path,
            calls,
            before,
            next: 0,
            replay,
            finished,
        })
    }

    /// The trial's folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the trial had finished before it was opened.
    pub(crate) fn was_finished(&self) -> bool {
        self.finished
    }

    /// How many calls are on disk.
    pub(crate) fn recorded_calls(&self) -> usize {
        self.replay.len()
    }

    /// A call that was recorded before.
    pub(crate) fn recorded(&self, key: &str) -> Option<&CallRecord> {
        self.replay.get(key)
    }

    /// The journal of calls; a finished trial has none.
    pub(crate) fn journal(&self) -> Journal {
        Journal { calls: self.calls.clone(), path: self.calls_path.clone() }
    }

    /// Appends an event, or compares it with the one that is on disk. Says whether it is new.
    pub(crate) fn append(&mut self, event: &mut Event) -> Result<bool, RecordError> {
        event.seq = self.next as u64;
        if let Some(before) = self.before.get(self.next) {
            let now = without_time(event);
            if &now != before {
                return Err(RecordError::Diverged {
                    path: self.events_path.clone(),
                    line: self.next + 1,
                    message: difference(before, &now),
                });
            }
            self.next += 1;
            return Ok(false);
        }
        let line = line(event, &self.events_path)?;
        self.events.as_ref().write_all(&line).map_err(io(&self.events_path))?;
        self.next += 1;
        Ok(true)
    }

    /// After the last event: what is left to do, on a thread that may wait for the disk. Nothing for a trial that
    /// had finished before.
    pub(crate) fn end(&mut self) -> Result<Option<Ending>, RecordError> {
        if self.next < self.before.len() {
            return Err(RecordError::Diverged {
                path: self.events_path.clone(),
                line: self.next + 1,
                message: "the trial ended earlier".to_owned(),
            });
        }
        let open = self.calls.take().is_some();
        let sealed = self.folder.join(SEAL).exists();
        Ok((open || !sealed).then(|| Ending {
            events: Arc::clone(&self.events),
            events_path: self.events_path.clone(),
            calls_path: self.calls_path.clone(),
        }))
    }
}

/// The journal of a trial's calls: what came back, before it has its place among the events.
#[derive(Debug, Clone)]
pub(crate) struct Journal {
    calls: Option<Arc<Synced>>,
    path: PathBuf,
}

impl Journal {
    /// Appends a call, and has it synced soon.
    pub(crate) fn append(&self, record: &CallRecord) -> Result<(), RecordError> {
        let Some(calls) = &self.calls else { return Ok(()) };
        let line = line(record, &self.path)?;
        (&calls.file).write_all(&line).map_err(io(&self.path))?;
        calls.sync_behind().map_err(io(&self.path))
    }
}

/// The end of a trial: the record is synced and sealed, and the journal, which it now contains, removed.
#[derive(Debug)]
pub(crate) struct Ending {
    events: Arc<File>,
    events_path: PathBuf,
    calls_path: PathBuf,
}

impl Ending {
    /// Does it.
    pub(crate) fn settle(&self) -> Result<(), RecordError> {
        self.events.sync_all().map_err(io(&self.events_path))?;
        let record = std::fs::read(&self.events_path).map_err(io(&self.events_path))?;
        let seal = self.events_path.with_file_name(SEAL);
        let folder = seal.parent().unwrap_or(&seal);
        let mut draft = tempfile::NamedTempFile::new_in(folder).map_err(io(&seal))?;
        draft.write_all(hex::encode(Sha256::digest(&record)).as_bytes()).map_err(io(&seal))?;
        draft.persist(&seal).map_err(|e| io(&seal)(e.error))?;
        remove(&self.calls_path)
    }
}

/// How long after a reply was written it is synced at the latest. A killed program loses nothing, since the system has
/// the bytes; this is for a machine that loses power. A sync after each reply of many trials is what a slow disk is busy
/// with, and the trials with it.
const SYNC_AFTER: Duration = Duration::from_millis(500);

/// A file that is synced behind its writers, who do not wait for the disk, however many trials share it.
#[derive(Debug)]
struct Synced {
    file: File,
    dirty: AtomicBool,
    running: AtomicBool,
    failed: Mutex<Option<std::io::Error>>,
}

impl Synced {
    fn new(file: File) -> Self {
        Self {
            file,
            dirty: AtomicBool::new(false),
            running: AtomicBool::new(false),
            failed: Mutex::default(),
        }
    }

    /// Has the file synced soon; gives the error of an earlier sync.
    fn sync_behind(self: &Arc<Self>) -> std::io::Result<()> {
        self.dirty.store(true, Ordering::SeqCst);
        if !self.running.swap(true, Ordering::SeqCst) {
            tokio::spawn(Arc::clone(self).sync_while_dirty());
        }
        match self.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    async fn sync_while_dirty(self: Arc<Self>) {
        loop {
            tokio::time::sleep(SYNC_AFTER).await;
            if self.dirty.swap(false, Ordering::SeqCst) {
                let this = Arc::clone(&self);
                let synced = tokio::task::spawn_blocking(move || this.file.sync_data()).await;
                if let Err(error) = synced.map_err(std::io::Error::other).flatten() {
                    *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            }
            self.running.store(false, Ordering::SeqCst);
            // A writer that came between the two lines above saw us running and left the sync to us.
            if !self.dirty.load(Ordering::SeqCst) || self.running.swap(true, Ordering::SeqCst) {
                return;
            }
        }
    }
}

fn line<T: Serialize>(value: &T, path: &Path) -> Result<Vec<u8>, RecordError> {
    let mut line = serde_json::to_vec(value).map_err(|e| io(path)(e.into()))?;
    line.push(b'\n');
    Ok(line)
}

fn remove(path: &Path) -> Result<(), RecordError> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(io(path)(e)),
        _ => Ok(()),
    }
}

fn reopen<T: serde::de::DeserializeOwned>(path: &Path, file: &mut File) -> Result<Vec<T>, RecordError> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).map_err(io(path))?;
    file.read_to_end(&mut bytes).map_err(io(path))?;
    let (list, whole) = lines(path, &bytes)?;
    if whole < bytes.len() {
        tracing::warn!(path = %path.display(), bytes = bytes.len() - whole, "the last line was torn; it is cut off");
        file.set_len(whole as u64).map_err(io(path))?;
    }
    Ok(list)
}

/// The first field in which two events differ, for a person.
fn difference(before: &Value, now: &Value) -> String {
    let (Some(a), Some(b)) = (before.as_object(), now.as_object()) else { return "not an event".to_owned() };
    let keys = a.keys().chain(b.keys().filter(|k| !a.contains_key(*k)));
    for key in keys {
        if a.get(key) != b.get(key) {
            let short = |v: Option<&Value>| {
                let text = v.map_or_else(|| "nothing".to_owned(), Value::to_string);
                text.chars().take(80).collect::<String>()
            };
            return format!("`{key}` was {}, is {}", short(a.get(key)), short(b.get(key)));
        }
    }
    "no field differs".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(body: Body) -> Event {
        Event {
            seq: 0,
            step: "s".to_owned(),
            round: None,
            actor: Actor { role: "session".to_owned(), agent: "session".to_owned() },
            body,
            at: "2026-01-01T00:00:00Z".to_owned(),
        }
    }

    fn note(text: &str) -> Event {
        event(Body::Private { text: text.to_owned() })
    }

    #[test]
    fn a_torn_line_is_cut_and_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = TrialLog::open(folder.path()).unwrap();
        assert!(log.append(&mut note("one")).unwrap());
        assert!(log.append(&mut note("two")).unwrap());
        drop(log);
        let path = folder.path().join(EVENTS);
        let whole = std::fs::read(&path).unwrap();
        let first = whole.iter().position(|b| *b == b'\n').unwrap() + 1;
        for cut in first..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(read_events(&path).unwrap().len(), 1, "cut at {cut}");
            let mut log = TrialLog::open(folder.path()).unwrap();
            assert!(!log.append(&mut note("one")).unwrap());
            assert!(log.append(&mut note("two")).unwrap());
            drop(log);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn another_event_at_the_same_place_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        TrialLog::open(folder.path()).unwrap().append(&mut note("one")).unwrap();
        let error =
            TrialLog::open(folder.path()).unwrap().append(&mut note("other")).unwrap_err().to_string();
        assert!(error.contains("`text` was \"one\", is \"other\"") && error.contains("--fresh"), "{error}");
    }

    #[test]
    fn a_finished_record_that_was_altered_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let finish = || {
            let mut log = TrialLog::open(folder.path())?;
            log.append(&mut note("one"))?;
            log.append(&mut event(Body::Finished))?;
            log.end()?.map_or(Ok(()), |ending| ending.settle())
        };
        finish().unwrap();
        finish().unwrap();
        let (path, seal) = (folder.path().join(EVENTS), folder.path().join(SEAL));
        let text = std::fs::read_to_string(&path).unwrap();
        // The time is no part of what replay compares: only the seal can tell.
        for altered in
            [text.replace("2026-01-01", "2026-01-02"), text.replace("one", "two"), text[..9].to_owned()]
        {
            std::fs::write(&path, &altered).unwrap();
            for error in [finish().unwrap_err(), read_events(&path).unwrap_err()] {
                assert!(matches!(error, RecordError::Altered { .. }), "{error}");
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), altered, "nothing is cut off");
        }
        std::fs::write(&path, &text).unwrap();
        std::fs::remove_file(&seal).unwrap();
        finish().unwrap();
        assert!(seal.exists(), "a kill before the seal is made good");
    }

    #[test]
    fn there_is_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let _log = TrialLog::open(folder.path()).unwrap();
        assert!(matches!(TrialLog::open(folder.path()), Err(RecordError::Locked { .. })));
    }

    #[test]
    fn a_bad_line_in_the_middle_is_an_error_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(EVENTS);
        let mut log = TrialLog::open(folder.path()).unwrap();
        log.append(&mut note("one")).unwrap();
        log.append(&mut note("two")).unwrap();
        drop(log);
        let text = std::fs::read_to_string(&path).unwrap().replacen("{\"seq\":0", "{\"seq\":", 1);
        std::fs::write(&path, &text).unwrap();
        let error = TrialLog::open(folder.path()).unwrap_err();
        assert!(matches!(error, RecordError::Corrupt { line: 1, .. }), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn a_budget_stop_is_not_the_last_word() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = TrialLog::open(folder.path()).unwrap();
        log.append(&mut note("one")).unwrap();
        log.append(&mut event(Body::BudgetStop { budget: "b".to_owned() })).unwrap();
        drop(log);
        let mut log = TrialLog::open(folder.path()).unwrap();
        assert!(!log.append(&mut note("one")).unwrap());
        assert!(log.append(&mut note("two")).unwrap());
        drop(log);
        assert_eq!(read_events(&folder.path().join(EVENTS)).unwrap().len(), 2);
    }

    #[test]
    fn a_newer_format_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let started = Body::Started {
            schema: SCHEMA_VERSION + 1,
            case: "c".to_owned(),
            repeat: 0,
            language: "en".to_owned(),
        };
        TrialLog::open(folder.path()).unwrap().append(&mut event(started)).unwrap();
        assert!(matches!(TrialLog::open(folder.path()), Err(RecordError::Newer { .. })));
    }
}
