//! `nyaya run samvad`.

use std::process::ExitCode;

use nyaya_agents::protocols::{Court, samvad};

use super::Common;
use crate::cli::context::Context;

/// Options of `run samvad`.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Court")]
pub struct Args {
    /// Adjudicators on the bench
    #[arg(long, default_value_t = 5)]
    adjudicators: u32,
    /// Share of all adjudicators that the largest group must reach
    #[arg(long, default_value = "0.8")]
    threshold: String,
    /// The share must be exceeded
    #[arg(long)]
    strict_threshold: bool,
    /// Most rounds of deliberation after the independent views; 0 counts these alone
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Opening and rebuttal only, short statements
    #[arg(long)]
    short: bool,
    #[command(flatten)]
    common: Common,
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    let court = Court::Samvad(samvad::Options {
        adjudicators: args.adjudicators,
        threshold: args.threshold,
        strict_threshold: args.strict_threshold,
        rounds: args.rounds,
        short: args.short,
        ..samvad::Options::default()
    });
    let cases = args.common.load(|_| None)?;
    super::drive(context, &args.common, court, cases).await
}
