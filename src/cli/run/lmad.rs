//! `nyaya run lmad`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use nyaya_agents::case::{Case, Gold};
use nyaya_agents::event::Decision;
use nyaya_agents::protocols::{Court, lmad};
use serde::Serialize;

use super::Common;
use super::single::foreign;
use crate::cli::context::Context;
use crate::cli::output;

/// Options of `run lmad`.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Agents on the panel [default: 3]
    #[arg(long, value_delimiter = ',', value_name = "N")]
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
    /// A run for each number of --agents with each of --rounds, each in a folder of its own below --out, and a table of
    /// them [numbers where none are given: 2 to 5 agents, 1 to 5 rounds]
    #[arg(long)]
    sweep: bool,
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
    if args.sweep {
        return sweep(context, args, base, cases).await;
    }
    let (agents, rounds) = match (args.agents.as_slice(), args.rounds.as_slice()) {
        (agents @ ([] | [_]), rounds @ ([] | [_])) => {
            (agents.first().copied().unwrap_or(base.agents), rounds.first().copied())
        }
        _ => anyhow::bail!(
            "several numbers of agents or rounds make several runs\nhint: add --sweep, or give one number each"
        ),
    };
    let court = Court::Lmad(lmad::Options { agents, rounds, ..base });
    super::drive(context, &args.common, court, cases).await
}

/// One run of a sweep.
#[derive(Debug, Serialize)]
struct Cell {
    agents: u32,
    rounds: u32,
    planned: usize,
    finished: usize,
    /// Trials with a label.
    decided: usize,
    /// Trials whose label is the right one, of those whose right answer is known.
    right: usize,
    known: usize,
    calls: u64,
    prompt_tokens: u64,
    completion_tokens: u64,
    /// Calls whose tokens nobody measured.
    unmeasured: u64,
    run: PathBuf,
}

/// A run for each number of agents with each number of rounds.
async fn sweep(
    context: &Context,
    args: Args,
    base: lmad::Options,
    cases: Vec<Case>,
) -> anyhow::Result<ExitCode> {
    let or = |given: &[u32], usual: &[u32]| if given.is_empty() { usual.to_vec() } else { given.to_vec() };
    let (agents, rounds) = (or(&args.agents, &[2, 3, 4, 5]), or(&args.rounds, &[1, 2, 3, 4, 5]));
    let place = args.common.out.clone().unwrap_or_else(|| PathBuf::from("runs/lmad-sweep"));
    let courts = agents.iter().flat_map(|n| rounds.iter().map(move |t| (*n, *t)));
    let mut cells = Vec::new();
    let mut complete = true;
    for (agents, rounds) in courts {
        let court = Court::Lmad(lmad::Options { agents, rounds: Some(rounds), ..base.clone() });
        let mut common = args.common.clone();
        common.out = Some(place.join(format!("n{agents}-t{rounds}")));
        context.bars.say(&format!("{agents} agents, {rounds} rounds"));
        let Some(held) = super::drive::hold(context, &common, court, cases.clone(), None).await? else {
            // A dry run; the others differ in how many there are and how often they speak.
            return Ok(ExitCode::SUCCESS);
        };
        complete &= held.report.complete();
        cells.push(cell(agents, rounds, &held));
        if held.report.stopped.is_some() {
            break;
        }
    }
    if context.global.json {
        output::json(&cells)?;
    } else {
        output::text(&table(&cells, &place))?;
    }
    if complete {
        return Ok(ExitCode::SUCCESS);
    }
    anyhow::bail!("the sweep is not complete\nhint: the same command goes on where it stopped")
}

fn cell(agents: u32, rounds: u32, held: &super::drive::Held) -> Cell {
    let labels = held.report.trials.iter().filter(|t| t.finished).map(|t| {
        let gold = held.cases.iter().find(|c| c.id == t.case).and_then(|c| c.gold.as_ref());
        let label = match &t.decision {
            Some(Decision::Label { label, .. }) => label.clone(),
            _ => None,
        };
        (label, gold)
    });
    let (mut decided, mut right, mut known) = (0, 0, 0);
    for (label, gold) in labels {
        decided += usize::from(label.is_some());
        if let Some(Gold::Label(gold)) = gold {
            known += 1;
            right += usize::from(label.as_ref() == Some(gold));
        }
    }
    let total = &held.report.total;
    Cell {
        agents,
        rounds,
        planned: held.report.planned,
        finished: held.report.finished(),
        decided,
        right,
        known,
        calls: total.asked + total.replayed,
        prompt_tokens: total.prompt_tokens,
        completion_tokens: total.completion_tokens,
        unmeasured: total.unmeasured,
        run: held.run.folder().to_owned(),
    }
}

fn table(cells: &[Cell], place: &Path) -> String {
    let mut table = output::table([
        "agents",
        "rounds",
        "finished",
        "decided",
        "right",
        "calls",
        "tokens read",
        "written",
        "run",
    ]);
    for c in cells {
        let unmeasured =
            if c.unmeasured > 0 { format!(" ({} unmeasured)", c.unmeasured) } else { String::new() };
        table.add_row([
            c.agents.to_string(),
            c.rounds.to_string(),
            format!("{} of {}", c.finished, c.planned),
            c.decided.to_string(),
            if c.known > 0 { format!("{} of {}", c.right, c.known) } else { "not known".to_owned() },
            c.calls.to_string(),
            format!("{}{unmeasured}", c.prompt_tokens),
            c.completion_tokens.to_string(),
            c.run.strip_prefix(place).unwrap_or(&c.run).display().to_string(),
        ]);
    }
    format!("{table}\nruns below {}", place.display())
}
