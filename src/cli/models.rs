//! `nyaya models`.

use std::process::ExitCode;

use nyaya_retrieval::assets::{Asset, CHAT_MODEL, EMBEDDER, ONNX_RUNTIME};

use super::context::Context;
use super::output;

/// Models and libraries.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// What is there
    List,
    /// Get what is missing; verified, and resumed where it was stopped
    Pull {
        /// Which ones [default: all]
        #[arg(value_enum)]
        names: Vec<Name>,
    },
    /// Check files against their pinned hashes
    Verify,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Name {
    /// multilingual-e5-small
    Embedder,
    /// ONNX Runtime's library
    Onnxruntime,
    /// The embedded chat model
    Chat,
}

impl Name {
    fn asset(self) -> &'static Asset {
        match self {
            Self::Embedder => &EMBEDDER,
            Self::Onnxruntime => &ONNX_RUNTIME,
            Self::Chat => &CHAT_MODEL,
        }
    }
}

/// Runs it.
pub async fn main(context: &Context, args: &Args) -> anyhow::Result<ExitCode> {
    let assets = context.assets()?;
    match &args.command {
        Command::List => {}
        Command::Pull { names } => {
            let all = [Name::Embedder, Name::Onnxruntime, Name::Chat];
            for name in if names.is_empty() { &all[..] } else { names } {
                assets.pull(name.asset(), &*context.bars).await?;
            }
        }
        Command::Verify => {
            for name in [Name::Embedder, Name::Onnxruntime, Name::Chat] {
                assets.verify(name.asset())?;
            }
        }
    }
    let states = assets.states();
    if context.global.json {
        output::json(&states)?;
    } else {
        let mut table = output::table(["name", "there", "what for", "where"]);
        for s in &states {
            let there =
                if s.present { "yes".to_owned() } else { format!("no, {} MB", s.download_bytes / 1_000_000) };
            table.add_row([s.name.to_owned(), there, s.purpose.to_owned(), s.path.display().to_string()]);
        }
        output::text(&table.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}
