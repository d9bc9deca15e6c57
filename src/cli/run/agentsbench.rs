//! `nyaya run agentsbench`.

use std::path::PathBuf;
use std::process::ExitCode;

use nyaya_agents::inputs::lawbench;
use nyaya_agents::memory::Memory;
use nyaya_agents::protocols::{Court, agentsbench};

use super::Common;
use crate::cli::context::Context;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PersonasArg {
    /// Lay judges are drawn by the seed from the program's pool
    Pool,
    /// The presiding judge's model writes who everybody is
    Written,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum MemoryArg {
    /// None, as an evaluation needs it
    Off,
    /// Recall what is most similar in --memory-from
    Read,
    /// Recall, and keep something of each case for the next; one trial at a time
    Write,
}

/// Options of `run agentsbench`.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Court")]
pub struct Args {
    /// Judges beside the presiding judge
    #[arg(long, default_value_t = 1)]
    judges: u32,
    /// Lay judges
    #[arg(long, default_value_t = 1)]
    lay: u32,
    /// Most rounds of deliberation after the independent sentences
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Who writes the personas
    #[arg(long, value_enum, default_value_t = PersonasArg::Pool)]
    personas: PersonasArg,
    /// What is done with memory
    #[arg(long, value_enum, default_value_t = MemoryArg::Off)]
    memory: MemoryArg,
    /// A memory to begin with: memory.jsonl in the folder of a run with --memory write
    #[arg(long, value_name = "FILE")]
    memory_from: Option<PathBuf>,
    /// Entries that an agent recalls at most
    #[arg(long, value_name = "N", default_value_t = 3)]
    recall: u32,
    #[command(flatten)]
    common: Common,
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    let memory = match (args.memory, &args.memory_from) {
        (MemoryArg::Off, Some(_)) => {
            anyhow::bail!(
                "--memory-from is given, but memory is off\nhint: add --memory read or --memory write"
            )
        }
        (MemoryArg::Read, None) => {
            anyhow::bail!("--memory read has nothing to read\nhint: name a memory with --memory-from FILE")
        }
        (_, Some(path)) => Memory::load(path).map_err(|e| anyhow::anyhow!("{e}"))?,
        _ => Memory::default(),
    };
    let uses = match args.memory {
        MemoryArg::Off => agentsbench::MemoryUse::Off,
        MemoryArg::Read => agentsbench::MemoryUse::Read,
        MemoryArg::Write => agentsbench::MemoryUse::Write,
    };
    let off = uses == agentsbench::MemoryUse::Off;
    let court = Court::AgentsBench(agentsbench::Options {
        judges: args.judges,
        lay: args.lay,
        rounds: args.rounds,
        personas: match args.personas {
            PersonasArg::Pool => agentsbench::Personas::Pool,
            PersonasArg::Written => agentsbench::Personas::Written,
        },
        memory: uses,
        recall: args.recall,
        memory_digest: if off { String::new() } else { memory.digest() },
    });
    let cases = args.common.load(|path| lawbench::read(path).map_err(anyhow::Error::from).transpose())?;
    super::drive::with_memory(context, &args.common, court, cases, (!off).then_some(memory)).await
}
