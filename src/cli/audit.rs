//! `nyaya audit`.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use nyaya_eval::Run;
use nyaya_eval::audit::Audit;

use super::context::Context;
use super::output;

/// Which provisions each agent relied on.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of a run
    run: PathBuf,
    /// As CSV
    #[arg(long)]
    csv: bool,
}

/// Runs it.
pub fn main(context: &Context, args: &Args) -> anyhow::Result<ExitCode> {
    let run = Run::load(&args.run)?;
    let audit = Audit::of(&run, &context.catalogue()?);
    if context.global.json {
        output::text(&audit.to_json()?)?;
    } else if args.csv {
        output::text(&audit.to_csv()?)?;
    } else {
        output::text(&audit.to_table(width()))?;
    }
    if let Some(note) = run.unfinished_note() {
        context.bars.say(&note);
    }
    Ok(ExitCode::SUCCESS)
}

/// Columns to fit a table into where stdout is no terminal.
pub fn width() -> Option<u16> {
    (!std::io::stdout().is_terminal()).then_some(120)
}
