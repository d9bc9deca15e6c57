//! Holds the trials of a run, whichever the court.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use nyaya_agents::case::Case;
use nyaya_agents::protocols::Court;
use nyaya_agents::run::{Outcome, Parts, Run};
use nyaya_retrieval::{KnowledgeBase, Retrieve};
use serde::Serialize;

use super::Common;
use super::show::{Watch, verdict_text};
use crate::cli::context::{Context, today};
use crate::cli::output;

/// Holds the trials of a run, whichever the court.
pub async fn drive(
    context: &Context,
    common: &Common,
    court: Court,
    mut cases: Vec<Case>,
) -> anyhow::Result<ExitCode> {
    let config = common.config(court)?;
    if cases.is_empty() {
        anyhow::bail!("there is no case to try\nhint: name one with --case, or a file of many with --cases");
    }
    if let Some(limit) = common.limit {
        cases.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    }
    let kb = Arc::new(context.knowledge_base(config.rag.is_empty()).await?);
    check_charges(&cases, &kb)?;
    let models = common.chat.models(context, false, config.court.roles()).await?;
    let parts = Parts {
        models,
        retriever: Arc::clone(&kb) as Arc<dyn Retrieve>,
        catalogue: Arc::new(kb.catalogue().clone()),
        today: today(),
    };
    let run = Run::open(&config, &cases, parts, &common.place())?;
    context.bars.say(&format!("run: {}", run.folder().display()));
    let mut outcomes = Vec::new();
    for case in &cases {
        for repeat in 0..common.repeat {
            let observer = Arc::new(Watch::new(Arc::clone(&context.bars), context.global.quiet));
            outcomes.push((case.clone(), run.trial(case, repeat, observer).await?));
        }
    }
    let report = write_report(run.folder(), &kb)?;
    if context.global.json {
        output::json(&RunSummary {
            run: run.folder(),
            report: &report,
            trials: outcomes.iter().map(|(_, o)| o).collect(),
        })?;
    } else {
        for (case, outcome) in &outcomes {
            output::text(&verdict_text(case, outcome))?;
        }
        let folder = run.folder().display();
        output::text(&format!(
            "report: {}\naudit:  nyaya audit {folder}\nmeasures: nyaya eval run {folder}",
            report.display()
        ))?;
    }
    let stopped = outcomes.iter().any(|(_, o)| !o.finished);
    Ok(if stopped { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A charge under a provision that the law does not have is a slip in the case file.
fn check_charges(cases: &[Case], kb: &KnowledgeBase) -> anyhow::Result<()> {
    for case in cases {
        for charge in &case.charges {
            let editions = kb.lookup().editions(&charge.id.work);
            if editions.is_empty() {
                tracing::warn!("case {}: the knowledge base does not hold {}", case.id, charge.id.work);
            } else if !editions
                .iter()
                .any(|e| kb.lookup().provision(&e.work, e.version, &charge.id.unit).is_some())
            {
                anyhow::bail!(
                    "case {}: charge {}: no such provision\nhint: `nyaya show {}` says which there are",
                    case.id,
                    charge.id,
                    charge.id
                );
            }
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct RunSummary<'a> {
    run: &'a Path,
    report: &'a Path,
    trials: Vec<&'a Outcome>,
}

/// Writes `report.html` into the run's folder.
pub fn write_report(folder: &Path, kb: &KnowledgeBase) -> anyhow::Result<PathBuf> {
    let run = nyaya_eval::Run::load(folder)?;
    Ok(nyaya_eval::report::write(&run, kb.lookup(), kb.catalogue())?)
}
