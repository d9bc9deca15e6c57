//! `nyaya run`: a file a court with its own options, and what all of them share.

mod agentsbench;
mod board;
mod common;
mod drive;
mod lmad;
mod samvad;
mod show;
mod simlaw;
mod single;
mod table;

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
    /// Debate over a row of a table: prosecution, defence, and a judge whose belief is followed
    Simlaw(Box<simlaw::Args>),
    /// Panel that debates whether premises entail a hypothesis
    Lmad(Box<lmad::Args>),
    /// One model alone: the baselines
    Single(Box<single::Args>),
    /// Sentencing bench: presiding, professional and lay judges, in months
    #[command(name = "agentsbench")]
    AgentsBench(Box<agentsbench::Args>),
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    match args.protocol {
        Protocol::Samvad(args) => samvad::main(context, *args).await,
        Protocol::Simlaw(args) => simlaw::main(context, *args).await,
        Protocol::Lmad(args) => lmad::main(context, *args).await,
        Protocol::Single(args) => single::main(context, *args).await,
        Protocol::AgentsBench(args) => agentsbench::main(context, *args).await,
    }
}
