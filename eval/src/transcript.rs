//! Reading a run's folder: `run.toml`, and `trials/<case>-<repeat>/events.jsonl`.
//!
//! Reading is strict about what is recorded and tolerant about what a kill leaves behind. The last line of
//! a trial may be torn; the trial is then unfinished and says so. Anything else that is not an event in its
//! place is an error with file and line, because a measure over a damaged record would be wrong in silence.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use nyaya_agents::case::{Gold, Matter};
use nyaya_agents::event::{Body, ChargeVerdict, Decision, Event, Finding, SCHEMA_VERSION, Statement};
use nyaya_corpora::ProvisionId;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Name of the configuration in a run's folder.
pub const RUN_FILE: &str = "run.toml";
/// Name of the folder with the trials.
pub const TRIALS_DIR: &str = "trials";
/// Name of a trial's transcript.
pub const EVENTS_FILE: &str = nyaya_agents::record::EVENTS;
/// Name of the folder with the cases as the trials used them, `<case>.json` each.
pub const CASES_DIR: &str = "cases";

const RESUME: &str = "give the same `nyaya run …` command again; it resumes from what is recorded";
const DAMAGED: &str = "the record was changed by something else than nyaya; restore it from a copy, or move this \
                       trial's folder away and give the same `nyaya run …` command again";

/// A piece of evidence.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EvidenceInfo {
    /// Its mark in the record: `P-1`.
    pub mark: String,
    /// `prosecution`, `defence`, `court`.
    pub side: String,
    /// What it is and what it shows.
    pub text: String,
}

/// A charge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChargeInfo {
    /// The offence.
    pub id: ProvisionId,
    /// What the accused is said to have done.
    #[serde(default)]
    pub note: String,
}

/// What a careful reader would find on a charge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedInfo {
    /// The charge.
    pub charge: ProvisionId,
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// Why, in a line.
    #[serde(default)]
    pub why: String,
}

/// What a trial was about: the case file in the run's folder, as far as this crate reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CaseInfo {
    /// Short name.
    pub id: String,
    /// Name for a person.
    pub title: String,
    /// What happened.
    pub facts: String,
    /// Pieces of evidence.
    pub evidence: Vec<EvidenceInfo>,
    /// What the accused is charged with.
    pub charges: Vec<ChargeInfo>,
    /// The day that governs substantive law.
    pub offence_date: Option<Date>,
    /// The day that governs procedure.
    pub proceeding_date: Option<Date>,
    /// Words that a discussion of this case should name; for the grounding scores.
    pub keywords: Vec<String>,
    /// What a careful reader would find; empty if nobody said.
    pub expected: Vec<ExpectedInfo>,
    /// What is asked of the case.
    pub matter: Matter,
    /// The right answer, where it is not a finding on a charge.
    pub gold: Option<Gold>,
}

/// How far a trial got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Progress {
    /// Its last event says so.
    Finished,
    /// Not there yet; it counts in no measure.
    Unfinished {
        /// Whether the last line was torn (and left out).
        torn: bool,
        /// Step of the last event; empty if there is none.
        last_step: String,
        /// The budget that stopped it, if one did.
        budget: Option<String>,
    },
}

/// One trial.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Name of its folder, `<case>-<repeat>`.
    pub name: String,
    /// Case id.
    pub case: String,
    /// Repeat, from 0.
    pub repeat: u32,
    /// BCP 47; `und` before the first event.
    pub language: String,
    /// Its folder.
    pub dir: PathBuf,
    /// What happened, without a torn last line.
    pub events: Vec<Event>,
    /// How far it got.
    pub progress: Progress,
    /// The case, if the run's folder holds its file.
    pub info: Option<CaseInfo>,
}

impl Trial {
    /// Whether its last event says that it is finished.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.progress == Progress::Finished
    }

    /// What was said in court or to the bench, in order.
    pub fn statements(&self) -> impl Iterator<Item = (&Event, &Statement)> {
        self.events.iter().filter_map(|event| Some((event, event.body.statement()?)))
    }

    /// The bench's verdict: charges, whether it hung, rounds held.
    #[must_use]
    pub fn verdict(&self) -> Option<(&[ChargeVerdict], bool, u32)> {
        self.events.iter().rev().find_map(|event| match &event.body {
            Body::Verdict { charges, hung, rounds } => Some((charges.as_slice(), *hung, *rounds)),
            _ => None,
        })
    }

    /// What the trial came to, where that is not a verdict on charges.
    #[must_use]
    pub fn decision(&self) -> Option<&Decision> {
        self.events.iter().rev().find_map(|event| match &event.body {
            Body::Decision(decision) => Some(decision),
            _ => None,
        })
    }

    /// Reads one trial from the bytes of its transcript. `path` is for messages, `dir_name` for trials
    /// without a first event.
    ///
    /// # Errors
    /// If a complete line is not an event, stands out of order, or has a format that is too new.
    pub fn parse(path: &Path, dir_name: &str, bytes: &[u8]) -> Result<Self> {
        let mut events: Vec<Event> = Vec::new();
        let mut torn = false;
        let ends_whole = bytes.is_empty() || bytes.ends_with(b"\n");
        let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let lines: Vec<&[u8]> =
            if body.is_empty() { Vec::new() } else { body.split(|b| *b == b'\n').collect() };
        let last = lines.len();
        for (index, line) in lines.into_iter().enumerate() {
            let number = index + 1;
            let at_end = number == last && !ends_whole;
            if index == 0 {
                check_schema(path, line)?;
            }
            let event: Event = match serde_json::from_slice(line) {
                Ok(event) => event,
                // A line without its newline was being written when the program ended.
                Err(_) if at_end => {
                    torn = true;
                    break;
                }
                Err(error) => {
                    return Err(line_error(path, number, format!("not an event: {error}"), DAMAGED));
                }
            };
            if event.seq != index as u64 {
                let message = format!("event {} where event {index} must stand", event.seq);
                return Err(line_error(path, number, message, DAMAGED));
            }
            if (index == 0) != matches!(event.body, Body::Started { .. }) {
                let message = if index == 0 {
                    "the first event does not start a trial"
                } else {
                    "a second start inside a trial"
                };
                return Err(line_error(path, number, message.to_owned(), DAMAGED));
            }
            if events.last().is_some_and(|e| matches!(e.body, Body::Finished)) {
                let message = "an event after the trial was finished".to_owned();
                return Err(line_error(path, number, message, DAMAGED));
            }
            events.push(event);
        }
        let (case, repeat, language) = match events.first().map(|e| &e.body) {
            Some(Body::Started { case, repeat, language, .. }) => (case.clone(), *repeat, language.clone()),
            _ => {
                let (case, repeat) = dir_name.rsplit_once('-').unwrap_or((dir_name, "0"));
                (case.to_owned(), repeat.parse().unwrap_or(0), "und".to_owned())
            }
        };
        let progress = match events.last() {
            Some(event) if matches!(event.body, Body::Finished) && !torn => Progress::Finished,
            last => Progress::Unfinished {
                torn,
                last_step: last.map(|e| e.step.clone()).unwrap_or_default(),
                budget: last.and_then(|e| match &e.body {
                    Body::BudgetStop { budget } => Some(budget.clone()),
                    _ => None,
                }),
            },
        };
        let dir = path.parent().unwrap_or(path).to_owned();
        Ok(Self { name: dir_name.to_owned(), case, repeat, language, dir, events, progress, info: None })
    }
}

fn line_error(path: &Path, line: usize, message: String, hint: &'static str) -> Error {
    Error::Line { path: path.to_owned(), line, message, hint }
}

/// Refuses a format that is too new before its events are read, so that the message is about the format.
fn check_schema(path: &Path, line: &[u8]) -> Result<()> {
    #[derive(Deserialize)]
    struct Probe {
        schema: Option<u64>,
    }
    let Ok(probe) = serde_json::from_slice::<Probe>(line) else { return Ok(()) };
    match probe.schema {
        Some(found) if found > u64::from(SCHEMA_VERSION) => {
            Err(Error::Schema { path: path.to_owned(), found, supported: SCHEMA_VERSION })
        }
        _ => Ok(()),
    }
}

/// A run.
#[derive(Debug, Clone)]
pub struct Run {
    /// Its folder.
    pub dir: PathBuf,
    /// `run.toml`, as it stands.
    pub config: toml::Table,
    /// Its trials, by case and repeat.
    pub trials: Vec<Trial>,
}

/// What every report of a run with `--constrain-citations` says.
pub const CONSTRAINED: &str = "The schema let lists of provisions hold only what the agents were shown (--constrain-citations), as far as the endpoint keeps to schemas: they do not tell how well a model cites.";

impl Run {
    /// Reads a run's folder. Files of other kinds in it are left alone.
    ///
    /// # Errors
    /// If the folder is not a run, or a transcript is damaged other than by a torn last line.
    pub fn load(dir: &Path) -> Result<Self> {
        let hint = "give the folder that `nyaya run … --out DIR` made (it holds run.toml and trials/)";
        match fs::metadata(dir) {
            Ok(meta) if !meta.is_dir() => {
                return Err(Error::NotARun { path: dir.to_owned(), why: "it is a file", hint });
            }
            Ok(_) => {}
            Err(error) => return Err(Error::io(dir, error)),
        }
        let config_path = dir.join(RUN_FILE);
        let config = match fs::read_to_string(&config_path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::NotARun { path: dir.to_owned(), why: "it has no run.toml", hint });
            }
            Err(error) => return Err(Error::io(config_path, error)),
        };
        let config: toml::Table = toml::from_str(&config).map_err(|e| Error::Form {
            path: config_path,
            message: format!("not TOML: {}", e.message()),
            hint: DAMAGED,
        })?;
        let schema = config.get("schema").and_then(toml::Value::as_integer).unwrap_or(1);
        if schema > i64::from(nyaya_agents::event::SCHEMA_VERSION) {
            return Err(Error::Form {
                path: dir.join(RUN_FILE),
                message: format!("format {schema} is newer than this program reads"),
                hint: "use the program that made the run, or a newer one",
            });
        }
        let mut trials = Vec::new();
        let trials_dir = dir.join(TRIALS_DIR);
        let entries = match fs::read_dir(&trials_dir) {
            Ok(entries) => Some(entries),
            // Made, and killed before its first trial.
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::io(trials_dir, error)),
        };
        for entry in entries.into_iter().flatten() {
            let entry = entry.map_err(|e| Error::io(&trials_dir, e))?;
            if entry.file_type().map_err(|e| Error::io(entry.path(), e))?.is_dir() {
                trials.push(load_trial(dir, &entry.path(), &entry.file_name().to_string_lossy())?);
            }
        }
        trials.sort_by(|a, b| (&a.case, a.repeat, &a.name).cmp(&(&b.case, b.repeat, &b.name)));
        Ok(Self { dir: dir.to_owned(), config, trials })
    }

    /// Gives the trials of a case its file's content, where the record has none.
    pub fn attach_case(&mut self, info: &CaseInfo) {
        for trial in self.trials.iter_mut().filter(|t| t.case == info.id && t.info.is_none()) {
            trial.info = Some(info.clone());
        }
    }

    /// The finished trials: the only ones that measures count.
    pub fn finished(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|t| t.is_finished())
    }

    /// Whether the agents' lists of provisions could hold only what they were shown (`--constrain-citations`).
    #[must_use]
    pub fn constrained(&self) -> bool {
        let config = self.config.get("config").and_then(toml::Value::as_table);
        config.and_then(|c| c.get("constrain_citations")).and_then(toml::Value::as_bool) == Some(true)
    }

    /// Says which trials are unfinished, a line each, with the hint that mends it; `None` if all are finished.
    #[must_use]
    pub fn unfinished_note(&self) -> Option<String> {
        let lines: Vec<String> = self
            .trials
            .iter()
            .filter_map(|t| match &t.progress {
                Progress::Finished => None,
                Progress::Unfinished { torn, last_step, budget } => {
                    let stop = match budget {
                        Some(budget) => format!("stopped by the budget {budget}"),
                        None if last_step.is_empty() => "nothing recorded yet".to_owned(),
                        None => format!("stopped in {last_step} after {} events", t.events.len()),
                    };
                    let torn = if *torn { ", last line torn" } else { "" };
                    Some(format!("{}: unfinished, {stop}{torn}", t.name))
                }
            })
            .collect();
        (!lines.is_empty()).then(|| format!("{}\nhint: {RESUME}", lines.join("\n")))
    }
}

fn load_trial(run: &Path, dir: &Path, name: &str) -> Result<Trial> {
    let path = dir.join(EVENTS_FILE);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(Error::io(path, error)),
    };
    nyaya_agents::record::check_seal(&path, &bytes)?;
    let mut trial = Trial::parse(&path, name, &bytes)?;
    // A name with a separator is no name of a case; it would lead out of the folder.
    if trial.case.contains(['/', '\\', '\0']) {
        return Ok(trial);
    }
    let case_path = run.join(CASES_DIR).join(format!("{}.json", trial.case));
    match fs::read(&case_path) {
        Ok(bytes) => {
            let info = serde_json::from_slice(&bytes).map_err(|e| Error::Form {
                path: case_path,
                message: format!("not a case file: {e}"),
                hint: DAMAGED,
            })?;
            trial.info = Some(info);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(Error::io(case_path, error)),
    }
    Ok(trial)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    fn write_run(trials: &[(&str, &[u8])]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(RUN_FILE), "protocol = \"samvad\"\n").unwrap();
        for (name, bytes) in trials {
            let trial = dir.path().join(TRIALS_DIR).join(name);
            fs::create_dir_all(&trial).unwrap();
            fs::write(trial.join(EVENTS_FILE), bytes).unwrap();
        }
        dir
    }

    fn lines(events: &[Event]) -> Vec<u8> {
        let mut out = Vec::new();
        for event in events {
            out.extend(serde_json::to_vec(event).unwrap());
            out.push(b'\n');
        }
        out
    }

    #[test]
    fn a_whole_trial_is_finished_and_sorted_by_repeat() {
        let whole = |repeat| lines(&Script::new("theft", repeat, "en").end());
        let dir = write_run(&[("theft-10", &whole(10)), ("theft-2", &whole(2))]);
        let run = Run::load(dir.path()).unwrap();
        assert_eq!(run.trials.iter().map(|t| t.repeat).collect::<Vec<_>>(), [2, 10]);
        assert!(run.trials.iter().all(Trial::is_finished));
        assert_eq!(run.unfinished_note(), None);
    }

    #[test]
    fn the_case_is_read_from_the_run_and_from_nowhere_else() {
        let whole = |case: &str| lines(&Script::new(case, 0, "en").end());
        let dir = write_run(&[("theft-0", &whole("theft")), ("x-0", &whole("../secret"))]);
        fs::create_dir(dir.path().join(CASES_DIR)).unwrap();
        let case = r#"{"id":"theft","title":"A theft","facts":"F.","evidence":[{"mark":"P-1","side":"court","text":"t"}],
            "charges":[{"id":"xx/orchard#s7"}],"keywords":["sack"],"proceeding_date":null}"#;
        fs::write(dir.path().join(CASES_DIR).join("theft.json"), case).unwrap();
        fs::write(dir.path().join("secret.json"), case).unwrap();
        let run = Run::load(dir.path()).unwrap();
        let info = |name: &str| run.trials.iter().find(|t| t.name == name).unwrap().info.clone();
        assert_eq!(
            info("theft-0").map(|i| (i.title, i.keywords)),
            Some(("A theft".to_owned(), vec!["sack".to_owned()]))
        );
        assert_eq!(info("x-0"), None);
        fs::write(dir.path().join(CASES_DIR).join("theft.json"), "{").unwrap();
        let message = Run::load(dir.path()).unwrap_err().to_string();
        assert!(message.contains("theft.json: not a case file") && message.contains("\nhint: "), "{message}");
    }

    #[test]
    fn every_torn_tail_of_a_trial_loads_and_never_counts_as_finished() {
        let events = Script::new("盗窃", 0, "zh").public("judge", "judge", "opening", "被告人…").end();
        let bytes = lines(&events);
        // All prefixes but the whole one and the one that lacks only the last newline.
        for end in 0..bytes.len() - 1 {
            let trial = Trial::parse(Path::new("events.jsonl"), "盗窃-0", &bytes[..end]).unwrap();
            assert!(!trial.is_finished(), "{end}");
            assert_eq!(trial.case, "盗窃");
        }
        assert!(Trial::parse(Path::new("events.jsonl"), "盗窃-0", &bytes).unwrap().is_finished());
    }

    #[test]
    fn a_broken_line_inside_names_file_and_line() {
        let mut bytes = lines(&Script::new("theft", 0, "en").public("judge", "judge", "opening", "x").end());
        let second = bytes.iter().position(|b| *b == b'\n').unwrap() + 1;
        bytes[second] = b'#';
        let dir = write_run(&[("theft-0", &bytes)]);
        let message = Run::load(dir.path()).unwrap_err().to_string();
        assert!(message.contains("theft-0/events.jsonl:2: not an event"), "{message}");
        assert!(message.lines().last().unwrap().starts_with("hint: "), "{message}");
    }

    #[test]
    fn a_last_line_with_its_newline_is_not_forgiven() {
        let mut bytes = lines(&Script::new("theft", 0, "en").end());
        bytes.extend(b"{\"seq\":2,\n");
        let error = Trial::parse(Path::new("e"), "theft-0", &bytes).unwrap_err();
        assert!(error.to_string().starts_with("e:3: "), "{error}");
    }

    #[test]
    fn gaps_second_starts_and_events_after_the_end_are_errors() {
        let whole = Script::new("theft", 0, "en").public("judge", "judge", "opening", "x").end();
        let mut gap = whole.clone();
        gap[1].seq = 7;
        let mut twice = whole.clone();
        twice[1].body = twice[0].body.clone();
        let mut after = whole.clone();
        after[1].body = Body::Finished;
        for (events, words) in
            [(gap, "event 7 where event 1"), (twice, "second start"), (after, "after the trial")]
        {
            let error = Trial::parse(Path::new("e"), "theft-0", &lines(&events)).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_later_format_is_refused_whatever_else_it_holds() {
        let line = format!("{{\"kind\":\"started\",\"schema\":{},\"new\":[]}}\n", SCHEMA_VERSION + 1);
        let error = Trial::parse(Path::new("e"), "theft-0", line.as_bytes()).unwrap_err();
        assert!(matches!(error, Error::Schema { found, .. } if found == u64::from(SCHEMA_VERSION) + 1));
    }

    #[test]
    fn what_is_not_a_run_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let message = Run::load(dir.path()).unwrap_err().to_string();
        assert!(message.contains("no run.toml") && message.contains("\nhint: "), "{message}");
        let file = dir.path().join("x");
        fs::write(&file, "").unwrap();
        assert!(Run::load(&file).unwrap_err().to_string().contains("it is a file"));
        assert!(Run::load(&dir.path().join("absent")).unwrap_err().to_string().contains("\nhint: "));
    }

    #[test]
    fn a_run_before_its_first_event_has_unfinished_trials() {
        let dir = write_run(&[("white-van-3", b"")]);
        let run = Run::load(dir.path()).unwrap();
        assert_eq!((run.trials[0].case.as_str(), run.trials[0].repeat), ("white-van", 3));
        assert_eq!(run.finished().count(), 0);
        assert!(run.unfinished_note().unwrap().contains("nothing recorded yet"));
    }
}
