//! `nyaya read`.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use comfy_table::Table;
use nyaya_agents::read::{Line, Stage, TermReading, VerdictLine, term_lines, verdict_lines};
use serde::Serialize;

use super::output;

/// What the readers of answers make of texts of yours.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Prison terms: months, class, range
    Terms(File),
    /// Verdicts: YES or NO, with a confidence (rhetorical, not a probability)
    Verdicts(File),
}

/// A file, and how its readings are shown.
#[derive(Debug, clap::Args)]
struct File {
    /// JSON Lines with `text` or `reply` on each line; `-` is stdin. Where a line also has the right value (`months`,
    /// `class`, `prediction`, `confidence`), the reading is compared with it
    file: PathBuf,
    /// One JSON object a line, in the order of the file [default where stdout is no terminal]
    #[arg(long, conflicts_with = "table")]
    jsonl: bool,
    /// A table
    #[arg(long)]
    table: bool,
}

/// Runs it. An unreadable line is an error after all the others are shown.
pub fn main(json: bool, args: &Args) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Terms(file) => {
            let text = content(&file.file)?;
            show(json, file, &term_lines(&text), terms)
        }
        What::Verdicts(file) => {
            let text = content(&file.file)?;
            show(json, file, &verdict_lines(&text), verdicts)
        }
    }
}

fn content(path: &Path) -> anyhow::Result<String> {
    let hint = "hint: give a file of JSON Lines with `text` or `reply` on each line";
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes)?;
        bytes
    } else {
        std::fs::read(path).with_context(|| format!("{}: cannot be read\n{hint}", path.display()))?
    };
    // A byte that is no UTF-8 spoils its own line only.
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

/// A reading that says how it was read.
trait Staged {
    fn stage(&self) -> Stage;
}

impl Staged for TermReading {
    fn stage(&self) -> Stage {
        self.stage
    }
}

impl Staged for VerdictLine {
    fn stage(&self) -> Stage {
        self.stage
    }
}

fn show<T: Serialize + Staged>(
    json: bool,
    file: &File,
    lines: &[Line<T>],
    table: fn(&[Line<T>]) -> Table,
) -> anyhow::Result<ExitCode> {
    if lines.is_empty() {
        anyhow::bail!(
            "{}: holds no line\nhint: write one JSON object a line, with `text` or `reply`",
            file.file.display()
        );
    }
    let as_table = file.table || (!file.jsonl && std::io::stdout().is_terminal());
    if json {
        output::json(lines)?;
    } else if as_table {
        output::text(&table(lines).to_string())?;
    } else {
        let mut text = String::new();
        for line in lines {
            text += &serde_json::to_string(line)?;
            text.push('\n');
        }
        output::text(&text)?;
    }
    let count = |stage| lines.iter().filter(|l| l.read.as_ref().is_some_and(|r| r.stage() == stage)).count();
    tracing::info!(
        "{} lines: {} strict, {} recovered, {} pattern, {} no decision, {} unreadable{}",
        lines.len(),
        count(Stage::Strict),
        count(Stage::Recovered),
        count(Stage::Pattern),
        count(Stage::NoDecision),
        lines.iter().filter(|l| l.error.is_some()).count(),
        compared(lines),
    );
    let wrong: Vec<String> =
        lines.iter().filter_map(|l| Some(format!("line {}: {}", l.line, l.error.as_ref()?))).collect();
    if wrong.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let count = wrong.len();
    for line in wrong {
        tracing::warn!("{}, {line}", file.file.display());
    }
    anyhow::bail!(
        "{}: {count} of {} lines could not be read; the others were\nhint: a line is a JSON object with `text` or `reply`; mend the lines named above",
        file.file.display(),
        lines.len()
    )
}

fn compared<T>(lines: &[Line<T>]) -> String {
    let said: Vec<bool> = lines.iter().filter_map(|l| l.as_expected).collect();
    if said.is_empty() {
        return String::new();
    }
    format!("; {} of {} as the file says", said.iter().filter(|s| **s).count(), said.len())
}

fn name<T: Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The line's number, and its id where it has one.
fn place<T>(line: &Line<T>) -> String {
    match &line.id {
        Some(serde_json::Value::String(id)) => format!("{} {id}", line.line),
        Some(id) => format!("{} {id}", line.line),
        None => line.line.to_string(),
    }
}

fn mark<T>(line: &Line<T>, notes: &[String]) -> String {
    let differs = (line.as_expected == Some(false)).then(|| "differs from what the file says".to_owned());
    differs.into_iter().chain(notes.iter().cloned()).collect::<Vec<_>>().join("; ")
}

fn terms(lines: &[Line<TermReading>]) -> Table {
    let mut table = output::table(["line", "months", "class", "range", "kind", "stage", "notes"]);
    for line in lines {
        let error = line.error.clone().unwrap_or_default();
        let row = line.read.as_ref().map_or_else(
            || [String::new(), String::new(), String::new(), String::new(), "-".to_owned(), error],
            |r| {
                [
                    r.months.map(|m| m.to_string()).unwrap_or_default(),
                    name(&r.class),
                    r.range.map(|(lo, hi)| format!("{lo} to {hi}")).unwrap_or_default(),
                    r.kind.map(|k| name(&k)).unwrap_or_default(),
                    r.stage.to_string(),
                    mark(line, &r.notes),
                ]
            },
        );
        table.add_row(std::iter::once(place(line)).chain(row));
    }
    table
}

fn verdicts(lines: &[Line<VerdictLine>]) -> Table {
    let mut table =
        output::table(["line", "prediction", "confidence (rhetorical, not a probability)", "stage", "notes"]);
    for line in lines {
        let error = line.error.clone().unwrap_or_default();
        let row = line.read.as_ref().map_or_else(
            || [String::new(), String::new(), "-".to_owned(), error],
            |r| {
                [
                    r.prediction.map_or("no decision", |p| p.as_str()).to_owned(),
                    r.confidence.map(|c| c.to_string()).unwrap_or_default(),
                    r.stage.to_string(),
                    mark(line, &r.notes),
                ]
            },
        );
        table.add_row(std::iter::once(place(line)).chain(row));
    }
    table
}
