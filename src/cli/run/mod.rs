//! `nyaya run`: a file a court with its own options, and what all of them share.

mod common;
mod drive;
mod samvad;
mod show;

use std::process::ExitCode;

use super::context::Context;
pub use common::Common;
pub use drive::{drive, write_report};
pub use show::{Watch, verdict_text};

/// Run a court on cases.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    protocol: Protocol,
}

#[derive(Debug, clap::Subcommand)]
enum Protocol {
    /// Indian trial: judge, two counsel, a bench of adjudicators deliberating to consensus
    Samvad(Box<samvad::Args>),
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    match args.protocol {
        Protocol::Samvad(args) => samvad::main(context, *args).await,
    }
}
