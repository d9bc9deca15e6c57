//! `nyaya audit`.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use nyaya_eval::Run;
use nyaya_eval::audit::Audit;
use nyaya_eval::transcript::CONSTRAINED;

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
    if args.csv && context.global.json {
        anyhow::bail!("--csv and --json exclude each other\nhint: leave one of them out");
    }
    let run = Run::load(&args.run)?;
    check_trials(&run)?;
    let audit = Audit::of(&run, &context.catalogue()?);
    if context.global.json {
        output::text(&audit.to_json()?)?;
    } else if args.csv {
        output::text(&audit.to_csv()?)?;
    } else {
        output::text(&audit.to_table(width()))?;
    }
    if run.constrained() {
        eprintln!("note: {CONSTRAINED}");
    }
    if let Some(note) = run.unfinished_note() {
        eprintln!("{note}");
    }
    Ok(ExitCode::SUCCESS)
}

/// A run without any event is nothing that could be audited or measured.
pub fn check_trials(run: &Run) -> anyhow::Result<()> {
    if run.trials.iter().all(|t| t.events.is_empty()) {
        anyhow::bail!(
            "{}: no trial of this run has recorded anything\nhint: give the same `nyaya run …` command again; it goes on from what is recorded",
            run.dir.display()
        );
    }
    Ok(())
}

/// Columns to fit a table into where stdout is no terminal.
pub fn width() -> Option<u16> {
    (!std::io::stdout().is_terminal()).then_some(120)
}
