//! The command line: one file a command. Parsing, wiring and printing; the logic is in the crates.

mod audit;
mod chat;
mod cite;
mod concord;
mod context;
mod corpus;
mod demo;
mod doctor;
mod eval;
mod export;
mod kb;
mod models;
mod output;
mod progress;
mod read;
mod run;
mod search;
mod show;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use context::Context;

/// Statutes one can cite, courts that must cite them, and an audit of what they relied on.
///
/// Not legal advice, not for deciding real cases.
#[derive(Debug, Parser)]
#[command(name = "nyaya", version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options that every command takes.
#[derive(Debug, Clone, clap::Args)]
pub struct Global {
    /// Folder of the knowledge base [default: nyaya/kb in the user's data folder]
    #[arg(long, global = true, value_name = "DIR", env = "NYAYA_KB")]
    pub kb: Option<PathBuf>,
    /// Configuration file; its keys are the names of the options that all commands share [default: nyaya.toml here, if there is one]
    #[arg(long, global = true, value_name = "FILE", env = "NYAYA_CONFIG")]
    pub config: Option<PathBuf>,
    /// Print results as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Never use the network, except endpoints that are named
    #[arg(long, global = true, env = "NYAYA_OFFLINE", value_parser = clap::builder::FalseyValueParser::new())]
    pub offline: bool,
    /// No progress on stderr
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Qdrant server (gRPC address, such as http://localhost:6334) instead of the embedded one; its key comes
    /// from QDRANT_API_KEY
    #[arg(long, global = true, value_name = "URL", env = "NYAYA_VECTORS")]
    pub vectors: Option<String>,
    /// Embedder: a model folder, or the base address of an OpenAI-compatible endpoint (with --embedder-model)
    #[arg(long, global = true, value_name = "DIR|URL", env = "NYAYA_EMBEDDER")]
    pub embedder: Option<String>,
    /// Model name at the embedding endpoint
    #[arg(long, global = true, value_name = "NAME", env = "NYAYA_EMBEDDER_MODEL")]
    pub embedder_model: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Statutes: list, fetch, build
    Corpus(corpus::Args),
    /// Find provisions by what they say, or by name
    Search(search::Args),
    /// Check every citation of a text
    Cite(cite::Args),
    /// Which provision of a later code took the place of one of an earlier code, and back
    Concord(concord::Args),
    /// Show a provision
    Show(show::Args),
    /// Run a court on a case
    Run(run::Args),
    /// Which provisions each agent relied on
    Audit(audit::Args),
    /// What the readers of answers make of prison terms and verdicts
    Read(read::Args),
    /// Measures of a run
    Eval(eval::Args),
    /// From nothing to a cited, audited trial
    Demo(demo::Args),
    /// Models and libraries
    Models(models::Args),
    /// The knowledge base's folder
    Kb(kb::Args),
    /// What is there, what is missing, what to run
    Doctor(doctor::Args),
    /// Completions for a shell, on stdout
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Reads a PDF in a process of its own (used by the program itself)
    #[command(name = "__read-pdf", hide = true)]
    ReadPdf {
        /// The file
        file: PathBuf,
    },
}

/// Parses, runs, prints errors. Exit code 0: done; 1: an error; 2: the command line is wrong.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            let code = e.exit_code();
            let _ = e.print();
            if code != 0 {
                eprintln!("hint: `nyaya help` lists the commands, `nyaya COMMAND --help` their options");
            }
            return ExitCode::from(u8::try_from(code).unwrap_or(2));
        }
    };
    init_logs(cli.global.quiet);
    let outcome = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(anyhow::Error::from)
        .and_then(|runtime| runtime.block_on(dispatch(cli)));
    match outcome {
        Ok(code) => code,
        Err(error) => {
            if error.chain().any(stdout_is_closed) {
                // The reader of stdout has had enough.
                return ExitCode::SUCCESS;
            }
            output::error(&error);
            ExitCode::FAILURE
        }
    }
}

/// Whether an error comes from a stdout that nobody reads any more, also inside a serializer's error.
fn stdout_is_closed(error: &(dyn std::error::Error + 'static)) -> bool {
    let kind = match error.downcast_ref::<std::io::Error>() {
        Some(e) => Some(e.kind()),
        None => error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind),
    };
    kind == Some(std::io::ErrorKind::BrokenPipe)
}

async fn dispatch(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::ReadPdf { file } => return corpus::read_pdf(&file),
        Command::Completions { shell } => {
            // The generator panics on a closed pipe, so it writes to memory.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "nyaya", &mut script);
            std::io::Write::write_all(&mut std::io::stdout(), &script)?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let context = Context::new(cli.global)?;
    match cli.command {
        Command::Corpus(args) => corpus::main(&context, args).await,
        Command::Search(args) => search::main(&context, args).await,
        Command::Cite(args) => cite::main(&context, &args),
        Command::Concord(args) => concord::main(&context, &args),
        Command::Show(args) => show::main(&context, &args),
        Command::Run(args) => run::main(&context, args).await,
        Command::Read(args) => read::main(context.global.json, &args),
        Command::Audit(args) => audit::main(&context, &args),
        Command::Eval(args) => eval::main(&context, &args).await,
        Command::Demo(args) => demo::main(&context, args).await,
        Command::Models(args) => models::main(&context, &args).await,
        Command::Kb(args) => kb::main(&context, &args).await,
        Command::Doctor(args) => doctor::main(&context, &args).await,
        Command::Completions { .. } | Command::ReadPdf { .. } => Ok(ExitCode::SUCCESS),
    }
}

fn init_logs(quiet: bool) {
    use tracing_subscriber::EnvFilter;
    // Warnings are no progress: they stay.
    let level = if quiet { "warn" } else { "info" };
    let own = ["nyaya", "nyaya_corpora", "nyaya_retrieval", "nyaya_ingest", "nyaya_agents", "nyaya_eval"];
    let default = own.iter().fold("error".to_owned(), |all, one| format!("{all},{one}={level}"));
    let filter = EnvFilter::try_from_env("NYAYA_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .with_target(false)
        .try_init();
}
