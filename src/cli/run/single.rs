//! `nyaya run single`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use nyaya_agents::case::Case;
use nyaya_agents::event::Body;
use nyaya_agents::inputs::examples::{By, Wanted, choose};
use nyaya_agents::inputs::{coliee, lawbench};
use nyaya_agents::prompts::Prompts;
use nyaya_agents::protocols::{Court, single};

use super::Common;
use super::common::check_run;
use super::table::TableArgs;
use crate::cli::context::Context;

/// Options of `run single`.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// How the model is asked
    #[arg(long, value_enum, default_value_t = MethodArg::Standard)]
    method: MethodArg,
    /// Samples of self-consistency
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    samples: u32,
    /// As many samples as fit into the tokens that a case took in this run (a debate, say)
    #[arg(long, value_name = "RUN", conflicts_with = "samples")]
    match_tokens: Option<PathBuf>,
    /// Cases with their right answers, of which examples are shown (fewshot)
    #[arg(long, value_name = "FILE", help_heading = "Examples")]
    train: Option<PathBuf>,
    /// Examples a case
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=200), help_heading = "Examples")]
    examples: u32,
    /// How examples are found
    #[arg(long, value_enum, default_value_t = ByArg::Bm25, help_heading = "Examples")]
    examples_by: ByArg,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MethodArg {
    /// The answer only
    Standard,
    /// Step by step
    Cot,
    /// Factors weighted low, medium, high
    WeightedCot,
    /// A legal syllogism, defined and applied
    Syllogism,
    /// Issue, rule, application, conclusion
    Irac,
    /// After examples of --train
    Fewshot,
    /// Step by step, several times; the most frequent answer
    SelfConsistency,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ByArg {
    /// Words
    Bm25,
    /// Meaning
    Dense,
    /// Both
    Hybrid,
    /// Chance
    Random,
}

/// The domain whose question is asked of a row unless the user asks something.
const DOMAIN: &str = "justice";

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    let method = match args.method {
        MethodArg::Standard => single::Method::Standard,
        MethodArg::Cot => single::Method::Cot,
        MethodArg::WeightedCot => single::Method::WeightedCot,
        MethodArg::Syllogism => single::Method::Syllogism,
        MethodArg::Irac => single::Method::Irac,
        MethodArg::Fewshot => single::Method::Fewshot,
        MethodArg::SelfConsistency => single::Method::SelfConsistency,
    };
    if (method == single::Method::Fewshot) != args.train.is_some() {
        anyhow::bail!(
            "examples are shown by --method fewshot, from a file of --train\nhint: give both, or neither"
        );
    }
    let match_tokens = args.match_tokens.as_deref().map(tokens_a_trial).transpose()?;
    let court = Court::Single(single::Options { method, samples: args.samples, match_tokens });
    court.check()?;
    let mut cases = args.common.load(foreign)?;
    cases.extend(args.table.load(context, &args.common, DOMAIN)?);
    if let Some(limit) = args.common.limit {
        cases.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    }
    if let Some(train) = &args.train {
        show_examples(context, &args, train, &mut cases).await?;
    }
    super::drive(context, &args.common, court, cases).await
}

/// Files of LawBench and COLIEE.
pub fn foreign(path: &Path) -> Option<anyhow::Result<Vec<Case>>> {
    let pairs = coliee::read(path, None).map_err(anyhow::Error::from).transpose();
    pairs.or_else(|| lawbench::read(path).map_err(anyhow::Error::from).transpose())
}

async fn show_examples(
    context: &Context,
    args: &Args,
    train: &Path,
    cases: &mut [Case],
) -> anyhow::Result<()> {
    let table = args.table.table.is_some()
        && train.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv") || e.eq_ignore_ascii_case("tsv"));
    let pool = if table {
        args.table.load_other(&args.common, train, DOMAIN)?
    } else {
        match foreign(train) {
            Some(read) => read?,
            None => Case::load_all(train)?,
        }
    };
    let by = match args.examples_by {
        ByArg::Bm25 => By::Bm25,
        ByArg::Dense => By::Dense,
        ByArg::Hybrid => By::Hybrid,
        ByArg::Random => By::Random,
    };
    let embedder = if by.embeds() { Some(context.embedder(false).await?) } else { None };
    let prompts = match &args.common.prompts {
        Some(folder) => Prompts::with_folder(folder)?,
        None => Prompts::builtin()?,
    };
    let wanted = Wanted { by, n: args.examples as usize, seed: args.common.seed };
    let chosen = choose(cases, &pool, wanted, embedder.as_deref(), &prompts, &context.catalogue()?).await?;
    context.bars.say(&format!(
        "examples: {} of {} rows in {} have a right answer; {} times a row was dropped, because it is the case or nearly so",
        pool.len() - chosen.unanswered,
        pool.len(),
        train.display(),
        chosen.dropped
    ));
    if chosen.short > 0 {
        tracing::warn!("{} cases get fewer than {} examples", chosen.short, args.examples);
    }
    Ok(())
}

/// Tokens, read and written, that a finished trial of a run took on the average.
fn tokens_a_trial(run: &Path) -> anyhow::Result<u64> {
    check_run("--match-tokens", run)?;
    let (mut tokens, mut trials) = (0u64, 0u64);
    for trial in nyaya_agents::record::trials(run)? {
        let events = nyaya_agents::record::read_events(&trial.events)?;
        if !matches!(events.last().map(|e| &e.body), Some(Body::Finished)) {
            continue;
        }
        trials += 1;
        for event in &events {
            let Body::ModelCall { reply, .. } = &event.body else { continue };
            match (reply.usage.prompt_tokens, reply.usage.completion_tokens) {
                (Some(read), Some(written)) => tokens += read + written,
                _ => anyhow::bail!(
                    "--match-tokens {}: a call has no measured tokens\nhint: use --samples K",
                    run.display()
                ),
            }
        }
    }
    match tokens.checked_div(trials) {
        Some(mean) if mean > 0 => {
            tracing::info!("{}: {mean} tokens a case, over {trials} trials", run.display());
            Ok(mean)
        }
        _ => anyhow::bail!(
            "--match-tokens {}: no trial of it has come to its end\nhint: name the folder of a finished run",
            run.display()
        ),
    }
}
