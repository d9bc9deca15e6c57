//! `nyaya corpus`: one file a subcommand.

mod add;
mod build;
mod check;
mod diff;
mod fetch;
mod list;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use nyaya_corpora::{Manifest, WorkId};
use nyaya_ingest::read::PdfReader;

pub use build::{BuildArgs, build, describe};

use super::context::Context;
use super::output;

/// Statutes: list, fetch, build, check, compare, add, export.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Sources, what is built, versions, coverage
    List(list::ListArgs),
    /// Get source files without building
    Fetch {
        /// Statutes, such as in/ipc [default: all]
        statutes: Vec<WorkId>,
    },
    /// Build statutes into the knowledge base; what is there and unchanged is left alone
    Build(BuildArgs),
    /// Whether a text is fit for use: what is missing, twice, cut short, commentary, or in no provision
    Check(check::CheckArgs),
    /// What differs between two versions of a statute; punctuation does not count
    Diff(diff::DiffArgs),
    /// Write a statute out: JSON lines, Markdown, Akoma Ntoso
    Export(super::export::ExportArgs),
    /// Make a manifest from a document of your own, and build it
    Add(add::AddArgs),
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::List(args) => list::list(context, &args),
        Command::Fetch { statutes } => fetch::fetch(context, &statutes).await,
        Command::Build(args) => {
            let reports = build(context, &args).await?;
            if context.global.json {
                output::json(&reports)?;
            } else {
                output::text(&describe(&reports, &args)?)?;
            }
            Ok(build::exit_code(&reports, &args))
        }
        Command::Check(args) => check::check(context, &args).await,
        Command::Diff(args) => diff::diff(context, &args),
        Command::Export(args) => super::export::main(context, &args),
        Command::Add(args) => add::add(context, &args).await,
    }
}

/// Folder with source files that stands in for their official addresses.
fn mirror() -> Option<PathBuf> {
    std::env::var_os("NYAYA_MIRROR").map(PathBuf::from)
}

fn pdf_reader() -> anyhow::Result<PdfReader> {
    Ok(PdfReader::new(std::env::current_exe()?))
}

fn choose<'a>(manifests: &'a [Manifest], asked: &[WorkId]) -> anyhow::Result<Vec<&'a Manifest>> {
    let buildable: Vec<&Manifest> = manifests.iter().filter(|m| !m.sources.is_empty()).collect();
    if asked.is_empty() {
        return Ok(buildable);
    }
    let mut chosen = Vec::new();
    for id in asked {
        match manifests.iter().find(|m| &m.id == id) {
            Some(m) if m.sources.is_empty() => bail!(
                "{id}: {} is known for citations only; no source of its text is\nhint: `nyaya corpus list` shows the statutes that can be built",
                m.display_title()
            ),
            Some(m) => chosen.push(m),
            None => {
                let known: Vec<String> = buildable.iter().map(|m| m.id.to_string()).collect();
                bail!("{id}: unknown statute\nhint: known are {}", known.join(", "));
            }
        }
    }
    Ok(chosen)
}

/// The manifest of a statute, with a source or without.
fn manifest_of<'a>(manifests: &'a [Manifest], id: &WorkId) -> anyhow::Result<&'a Manifest> {
    if let Some(manifest) = manifests.iter().find(|m| &m.id == id) {
        return Ok(manifest);
    }
    let known: Vec<String> = manifests.iter().map(|m| m.id.to_string()).collect();
    bail!(
        "{id}: unknown statute\nhint: `nyaya corpus add FILE --id {id}` makes a manifest from a document; known are {}",
        known.join(", ")
    );
}

/// The child process that reads a PDF.
pub fn read_pdf(file: &Path) -> anyhow::Result<ExitCode> {
    nyaya_ingest::read::read_pdf_child_main(file, &mut std::io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
