//! `nyaya run lmad`.

use std::process::ExitCode;

use clap::ValueEnum;
use nyaya_agents::protocols::{Court, lmad};

use super::Common;
use super::single::foreign;
use crate::cli::context::Context;

/// Options of `run lmad`.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Agents on the panel
    #[arg(long, default_value = "3", value_delimiter = ',', value_name = "N")]
    agents: Vec<u32>,
    /// Most rounds [default: 5 where the agents must agree, 3 where they vote]
    #[arg(long, value_delimiter = ',', value_name = "T")]
    rounds: Vec<u32>,
    /// How a decision comes about
    #[arg(long, value_enum, default_value_t = RuleArg::Hybrid)]
    decision: RuleArg,
    /// Who the agents are: written by the model for the case, or judge, attorney, lawyer
    #[arg(long, value_enum, default_value_t = PersonasArg::Generated)]
    personas: PersonasArg,
    /// How agents are asked to answer: without a side to take, or looking for flaws
    #[arg(long, value_enum, default_value_t = ResponseArg::Neutral)]
    response: ResponseArg,
    /// End as soon as all agree, without a vote
    #[arg(long)]
    early_stop: bool,
    /// Look the premises up in the knowledge base, so many passages, instead of taking them from the file
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=50))]
    retrieve: Option<u16>,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RuleArg {
    /// More than half of all agents
    Majority,
    /// More than 66 %: two of three pass
    Supermajority,
    /// All
    Unanimity,
    /// All; the supermajority when the rounds run out
    Hybrid,
    /// Each agent votes for one answer after the last round
    Vote,
    /// Each agent ranks the answers after the last round (Borda count)
    Borda,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PersonasArg {
    Generated,
    Fixed,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ResponseArg {
    Neutral,
    Critical,
}

/// Runs it.
pub async fn main(context: &Context, mut args: Args) -> anyhow::Result<ExitCode> {
    let rule = match args.decision {
        RuleArg::Majority => lmad::Rule::Majority,
        RuleArg::Supermajority => lmad::Rule::Supermajority,
        RuleArg::Unanimity => lmad::Rule::Unanimity,
        RuleArg::Hybrid => lmad::Rule::Hybrid,
        RuleArg::Vote => lmad::Rule::Vote,
        RuleArg::Borda => lmad::Rule::Borda,
    };
    let base = lmad::Options {
        agents: 3,
        rounds: None,
        rule,
        personas: match args.personas {
            PersonasArg::Generated => lmad::Personas::Generated,
            PersonasArg::Fixed => lmad::Personas::Fixed,
        },
        response: match args.response {
            ResponseArg::Neutral => lmad::Response::Neutral,
            ResponseArg::Critical => lmad::Response::Critical,
        },
        early_stop: args.early_stop,
    };
    if let Some(k) = args.retrieve {
        args.common.rag = Some("premises".to_owned());
        args.common.k = usize::from(k);
    }
    let cases = args.common.load(foreign)?;
    let (agents, rounds) = match (args.agents.as_slice(), args.rounds.as_slice()) {
        ([agents], rounds @ ([] | [_])) => (*agents, rounds.first().copied()),
        _ => anyhow::bail!(
            "several numbers of agents or rounds make several runs\nhint: add --sweep, or give one number each"
        ),
    };
    let court = Court::Lmad(lmad::Options { agents, rounds, ..base });
    super::drive(context, &args.common, court, cases).await
}
