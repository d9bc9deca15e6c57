//! `nyaya corpus export`: an edition for other programs.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use jiff::civil::Date;
use nyaya_corpora::export::{ExportFormat, Provenance, export};
use nyaya_corpora::{Edition, WorkId};
use nyaya_retrieval::{KnowledgeBase, Retrieve as _};
use serde_json::json;

use super::context::Context;
use super::output;

/// Write a statute out: JSON lines, Markdown or Akoma Ntoso, with provenance, licence and coverage.
#[derive(Debug, Clone, clap::Args)]
pub struct ExportArgs {
    /// The statute, such as in/ipc
    statute: WorkId,
    /// jsonl (one provision a line), markdown, or akn (Akoma Ntoso 1.0)
    #[arg(long, default_value = "jsonl")]
    format: ExportFormat,
    /// The version in force on this day [default: the newest that is held]
    #[arg(long, value_name = "DATE")]
    as_of: Option<Date>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs it.
pub fn main(context: &Context, args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let kb = KnowledgeBase::open(context.layout.clone(), context.catalogue()?, None, context.vectors_at())?;
    let editions = kb.lookup().editions(&args.statute);
    let info = match args.as_of {
        Some(day) => editions.iter().rev().find(|e| e.version <= day),
        None => editions.last(),
    };
    let Some(info) = info else {
        let held: Vec<String> =
            kb.generation().editions.iter().map(nyaya_retrieval::EditionEntry::key).collect();
        return Err(match args.as_of {
            Some(day) if !editions.is_empty() => {
                anyhow!("{}: no version of {day} is held\nhint: held are {}", args.statute, held.join(", "))
            }
            _ => anyhow!(
                "{}: not in the knowledge base\nhint: it holds {}; `nyaya corpus build {}` adds it",
                args.statute,
                if held.is_empty() { "nothing".to_owned() } else { held.join(", ") },
                args.statute
            ),
        });
    };
    let entry = kb
        .generation()
        .editions
        .iter()
        .find(|e| e.work == info.work && e.version == info.version && e.language == info.language)
        .ok_or_else(|| {
            anyhow!("{}: the generation does not list it\nhint: run `nyaya kb rebuild`", args.statute)
        })?;
    let units = kb.lookup().units(&info.work, info.version);
    let edition = Edition {
        work: info.work.clone(),
        version: info.version,
        language: info.language.clone(),
        source: entry.source.clone(),
        source_file: entry.source_file.clone(),
        source_sha256: entry.source_sha256.clone(),
        complete: info.complete,
        provisions: units
            .iter()
            .filter_map(|unit| kb.lookup().provision(&info.work, info.version, unit))
            .map(|p| p.as_ref().clone())
            .collect(),
    };
    let manifest = kb.catalogue().get(&info.work);
    match &args.out {
        None => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            export(&edition, manifest, args.format, &mut out)?;
            out.flush()?;
        }
        Some(path) => {
            write_to(path, |out| Ok(export(&edition, manifest, args.format, out)?))
                .with_context(|| format!("{}: cannot be written\nhint: check --out", path.display()))?;
            let provenance = Provenance::of(&edition, manifest);
            if context.global.json {
                output::json(&json!({
                    "id": info.work,
                    "file": path,
                    "exported": edition.provisions.len(),
                    "provenance": provenance,
                }))?;
            } else {
                output::text(&format!(
                    "{}: {} provisions and schedules of the version in force from {} in {} ({})",
                    info.work,
                    edition.provisions.len(),
                    info.version,
                    path.display(),
                    provenance.coverage()
                ))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a file whole or not at all. What is there and is no file (a device, a pipe) is written to and stays what it
/// is; of a link, the file it names is replaced.
fn write_to(path: &Path, write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let there = std::fs::metadata(path).ok();
    if there.as_ref().is_some_and(|m| !m.is_file()) {
        let mut out = BufWriter::new(std::fs::OpenOptions::new().write(true).open(path)?);
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let target = if there.is_some() { path.canonicalize()? } else { path.to_owned() };
    // Beside the file first, so that a failure leaves no half of it.
    let mut partial = target.clone().into_os_string();
    partial.push(".part");
    let written = (|| {
        let file = std::fs::File::create(&partial)?;
        if let Some(there) = &there {
            file.set_permissions(there.permissions())?;
        }
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()?;
        Ok(std::fs::rename(&partial, &target)?)
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    written
}
