//! `nyaya kb`.

use std::process::ExitCode;

use nyaya_retrieval::Writer;

use super::context::Context;
use super::output;

/// The knowledge base's folder.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// What the current generation holds and what made it
    Info,
    /// Make the indexes (Qdrant, Tantivy) again from the stored texts and vectors
    Rebuild,
}

/// Runs it.
pub async fn main(context: &Context, args: &Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Info => match context.layout.current()? {
            Some(generation) if context.global.json => output::json(&generation)?,
            Some(generation) => {
                let mut table = output::table(["statute", "version", "provisions", "passages", "source"]);
                for e in &generation.editions {
                    table.add_row([
                        e.work.to_string(),
                        format!("{}:{}", e.version, e.language),
                        e.provisions.to_string(),
                        e.passages.to_string(),
                        e.source_file.clone(),
                    ]);
                }
                output::text(&format!(
                    "{}\ngeneration {}, content {}, embedder {}, analyzer {}\n{table}",
                    context.layout.root().display(),
                    generation.number,
                    generation.content(),
                    generation.embedder.short(),
                    generation.analyzer,
                ))?;
            }
            None => anyhow::bail!(
                "{}: no knowledge base there yet\nhint: run `nyaya corpus build`",
                context.layout.root().display()
            ),
        },
        Command::Rebuild => {
            let writer = Writer::open(context.layout.clone())?;
            let done = writer.rebuild(&*context.bars).await?;
            if context.global.json {
                output::json(&done)?;
            } else {
                output::text(&format!("generation {} is current", done.generation))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
