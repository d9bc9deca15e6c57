//! `nyaya eval`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use nyaya_corpora::ProvisionId;
use nyaya_eval::Run;
use nyaya_eval::measures::RunMeasures;
use nyaya_retrieval::{Mode, Query, Retrieve as _};
use serde::{Deserialize, Serialize};

use super::audit::width;
use super::context::Context;
use super::output;

/// Measures.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Measures of a run: agreement, grounding, citations, tokens
    Run {
        /// Folder of the run
        run: PathBuf,
    },
    /// Measures of search: how often the right provision comes first, or among the first three
    Retrieval {
        /// JSONL, a query a line: `query`, `relevant` (provision ids), optional `id`
        #[arg(long, value_name = "FILE")]
        queries: PathBuf,
    },
}

/// Runs it.
pub async fn main(context: &Context, args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Run { run } => measure_run(context, run),
        Command::Retrieval { queries } => measure_search(context, queries).await,
    }
}

fn measure_run(context: &Context, run: &Path) -> anyhow::Result<ExitCode> {
    let run = Run::load(run)?;
    super::audit::check_trials(&run)?;
    let measures = RunMeasures::of(&run);
    if context.global.json {
        output::text(&measures.to_json()?)?;
    } else {
        output::text(&measures.to_table(width()))?;
    }
    if let Some(note) = run.unfinished_note() {
        eprintln!("{note}");
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: String,
    query: String,
    relevant: Vec<ProvisionId>,
}

#[derive(Serialize)]
struct Found {
    id: String,
    query: String,
    mode: Mode,
    /// Rank of the first relevant provision, from 1; none among the first ten.
    rank: Option<usize>,
    first: Option<ProvisionId>,
}

async fn measure_search(context: &Context, path: &Path) -> anyhow::Result<ExitCode> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{}: cannot be read\nhint: check --queries", path.display()))?;
    let mut lines: Vec<Line> = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let place = format!("{}: line {}", path.display(), i + 1);
        let form = "hint: a line is {\"query\": …, \"relevant\": [\"in/ipc#s302\"]}";
        let line: Line =
            serde_json::from_str(line).with_context(|| format!("{place}: not a query\n{form}"))?;
        if line.relevant.is_empty() {
            anyhow::bail!("{place}: `relevant` names no provision\n{form}");
        }
        lines.push(line);
    }
    if lines.is_empty() {
        anyhow::bail!("{}: holds no query\nhint: a line each, with `query` and `relevant`", path.display());
    }
    let kb = context.knowledge_base(false).await?;
    let held: Vec<_> = kb.generation().editions.iter().map(|e| &e.work).collect();
    let (asked, out_of_reach): (Vec<&Line>, Vec<&Line>) =
        lines.iter().partition(|l| l.relevant.iter().any(|id| held.contains(&&id.work)));
    for id in asked.iter().flat_map(|l| &l.relevant).filter(|id| held.contains(&&id.work)) {
        // What is not there can never be found, and would count against the search.
        kb.show(id, None).with_context(|| format!("{}: `relevant` names {id}", path.display()))?;
    }
    if asked.is_empty() {
        let wanted: BTreeSet<String> =
            lines.iter().flat_map(|l| &l.relevant).map(|id| id.work.to_string()).collect();
        anyhow::bail!(
            "{}: the knowledge base holds no statute that a query is about ({})\nhint: `nyaya corpus build` adds one",
            path.display(),
            wanted.into_iter().collect::<Vec<_>>().join(", ")
        );
    }
    let mut all = Vec::new();
    let mut table = output::table(["mode", "queries", "top 1", "top 3", "top 10", "MRR@10"]);
    for mode in [Mode::Bm25, Mode::Dense, Mode::Hybrid] {
        let mut ranks = Vec::new();
        for line in &asked {
            let query = Query { text: line.query.clone(), k: 10, mode, ..Query::default() };
            let hits = kb.search(&query).await?;
            let rank = hits.iter().find(|h| line.relevant.contains(&h.id)).map(|h| h.rank);
            ranks.push(rank);
            all.push(Found {
                id: line.id.clone(),
                query: line.query.clone(),
                mode,
                rank,
                first: hits.into_iter().next().map(|h| h.id),
            });
        }
        let within = |n: usize| ranks.iter().flatten().filter(|r| **r <= n).count().to_string();
        #[expect(clippy::cast_precision_loss, reason = "counts of queries are small")]
        let mrr = ranks.iter().flatten().map(|r| 1.0 / *r as f64).sum::<f64>() / ranks.len().max(1) as f64;
        let name = serde_json::to_value(mode)?.as_str().unwrap_or_default().to_owned();
        table.add_row([name, ranks.len().to_string(), within(1), within(3), within(10), format!("{mrr:.3}")]);
    }
    if context.global.json {
        output::json(&all)?;
        return Ok(ExitCode::SUCCESS);
    }
    output::text(&table.to_string())?;
    for found in all.iter().filter(|f| f.mode == Mode::Hybrid && f.rank != Some(1)) {
        let rank = found.rank.map_or_else(|| "not among ten".to_owned(), |r| format!("rank {r}"));
        let first = found.first.as_ref().map_or_else(String::new, ToString::to_string);
        output::text(&format!("hybrid, {} {}: {rank}, first is {first}", found.id, found.query))?;
    }
    if !out_of_reach.is_empty() {
        output::text(&format!(
            "{} queries left out: their statutes are not in the knowledge base",
            out_of_reach.len()
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
