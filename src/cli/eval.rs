//! `nyaya eval`.

use std::path::PathBuf;
use std::process::ExitCode;

use nyaya_eval::Run;
use nyaya_eval::measures::RunMeasures;

use super::audit::width;
use super::context::Context;
use super::output;

/// Measures.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Measures of a run: agreement, grounding, citations, tokens
    Run {
        /// Folder of the run
        run: PathBuf,
    },
}

/// Runs it.
pub fn main(context: &Context, args: &Args) -> anyhow::Result<ExitCode> {
    let Command::Run { run } = &args.command;
    let run = Run::load(run)?;
    let measures = RunMeasures::of(&run);
    if context.global.json {
        output::text(&measures.to_json()?)?;
    } else {
        output::text(&measures.to_table(width()))?;
    }
    if let Some(note) = run.unfinished_note() {
        context.bars.say(&note);
    }
    Ok(ExitCode::SUCCESS)
}
