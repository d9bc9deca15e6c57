//! `nyaya demo`: from nothing to a cited, audited trial.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use nyaya_agents::case::Case;
use nyaya_agents::run::{Parts, Place, Run, RunConfig};
use nyaya_corpora::WorkId;
use nyaya_eval::audit::Audit;
use nyaya_eval::measures::RunMeasures;
use nyaya_ingest::pipeline::Outcome;
use nyaya_retrieval::Retrieve;
use nyaya_retrieval::assets::{CHAT_MODEL, EMBEDDER, ONNX_RUNTIME};

use super::audit::width;
use super::chat::ChatArgs;
use super::context::{Context, data_folder, today};
use super::corpus::{self, BuildArgs};
use super::output;
use super::run::{Watch, verdict_text, write_report};

/// The sample case that needs only what registries carry, and the one for the Indian codes.
const CASES: [(&str, &str); 2] = [("theft-zh", "cn/criminal-law"), ("rickshaw-bag", "in/ipc")];

/// From nothing to a cited, audited trial.
///
/// Gets the models that are missing, builds the statutes that can be had, runs one short trial (three
/// adjudicators, opening and rebuttal, one round), and prints verdict, audit, measures and coverage. Official
/// documents are fetched where their addresses can be reached, or taken from NYAYA_MIRROR=FOLDER.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the run [default: demo/ in the user's data folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A new trial, even if the demo has been run before
    #[arg(long)]
    fresh: bool,
    /// Seed of the trial
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    chat: ChatArgs,
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    let bars = &context.bars;
    let start = Instant::now();
    bars.say("nyaya demo: not legal advice, not for deciding real cases\n\n1. models");
    if !context.global.offline {
        let assets = context.assets()?;
        let own_chat = args.chat.llm.is_some() || args.chat.gguf.is_some() || context.config.llm.is_some();
        for asset in [&EMBEDDER, &ONNX_RUNTIME, &CHAT_MODEL] {
            if !(own_chat && asset.name == CHAT_MODEL.name) {
                assets.pull(asset, &**bars).await?;
            }
        }
    }
    let models_done = start.elapsed();

    bars.say("\n2. statutes");
    let build = BuildArgs::default();
    let reports = corpus::build(context, &build).await?;
    let table = corpus::describe(&reports, &build)?;
    if !context.global.json {
        output::text(&table)?;
    }
    let kb = Arc::new(context.knowledge_base(false).await?);
    let built_done = start.elapsed();

    bars.say("\n3. trial");
    let held: Vec<WorkId> = kb.generation().editions.iter().map(|e| e.work.clone()).collect();
    let names: Vec<&str> =
        CASES.iter().filter(|(_, work)| held.iter().any(|h| h.as_str() == *work)).map(|(n, _)| *n).collect();
    if names.is_empty() {
        anyhow::bail!(
            "no statute could be built that a sample case needs\nhint: check that the package registry is reachable, or give the files: NYAYA_MIRROR=FOLDER nyaya demo"
        );
    }
    let cases = names.iter().map(|n| Case::builtin(n)).collect::<Result<Vec<_>, _>>()?;
    let config = RunConfig { seed: args.seed, ..RunConfig::demo() };
    let place = match (args.out, args.fresh) {
        (Some(out), false) => Place::Folder(out),
        (Some(out), true) => Place::FreshFolder(out),
        (None, false) => Place::Under(data_folder()?.join("demo")),
        (None, true) => Place::Fresh(data_folder()?.join("demo")),
    };
    let parts = Parts {
        models: args.chat.models(context, true, config.court.roles()).await?,
        retriever: Arc::clone(&kb) as Arc<dyn Retrieve>,
        catalogue: Arc::new(kb.catalogue().clone()),
        today: today(),
    };
    let run = Run::open(&config, &cases, parts, &place)?;
    let mut outcomes = Vec::new();
    for case in &cases {
        let watch = Arc::new(Watch::new(Arc::clone(bars), context.global.quiet));
        outcomes.push((case, run.trial(case, 0, watch).await?));
    }
    let trial_done = start.elapsed();

    let folder = run.folder();
    let report = write_report(folder, kb.lookup(), kb.catalogue())?;
    let record = nyaya_eval::Run::load(folder)?;
    let (audit, measures) = (Audit::of(&record, kb.catalogue()), RunMeasures::of(&record));
    let missing: Vec<&WorkId> =
        reports.iter().filter(|r| r.outcome == Outcome::Unavailable).map(|r| &r.id).collect();
    if context.global.json {
        output::json(&serde_json::json!({
            "run": folder,
            "report": report,
            "statutes": reports,
            "trials": outcomes.iter().map(|(_, o)| o).collect::<Vec<_>>(),
            "audit": serde_json::from_str::<serde_json::Value>(&audit.to_json()?)?,
            "measures": serde_json::from_str::<serde_json::Value>(&measures.to_json()?)?,
            "missing": missing,
            "seconds": {
                "models": models_done.as_secs_f64(),
                "statutes": (built_done - models_done).as_secs_f64(),
                "trial": (trial_done - built_done).as_secs_f64(),
            },
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    output::text("\nVerdict")?;
    for (case, outcome) in &outcomes {
        output::text(&verdict_text(case, outcome))?;
    }
    output::text("\nAudit: which provisions each agent relied on")?;
    output::text(&audit.to_table(width()))?;
    output::text("\nMeasures")?;
    output::text(&measures.to_table(width()))?;
    if !missing.is_empty() {
        let list: Vec<String> = missing.iter().map(ToString::to_string).collect();
        output::text(&format!(
            "\nMissing statutes: {}\n  Their official addresses could not be reached. With the files in a folder:\n  NYAYA_MIRROR=FOLDER nyaya demo, or nyaya corpus build --from FOLDER",
            list.join(", ")
        ))?;
    }
    output::text(&format!(
        "\nmodels {:.0} s, statutes {:.0} s, trial {:.0} s\nreport: {}",
        models_done.as_secs_f64(),
        (built_done - models_done).as_secs_f64(),
        (trial_done - built_done).as_secs_f64(),
        report.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
