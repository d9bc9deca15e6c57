//! Holds the trials of a run, whichever the court.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use nyaya_agents::case::Case;
use nyaya_agents::chat::dry::Dry;
use nyaya_agents::chat::{ChatModel, Role};
use nyaya_agents::event::Body;
use nyaya_agents::memory::Memory;
use nyaya_agents::nolaw::{self, NoLaw};
use nyaya_agents::protocols::{Court, simlaw};
use nyaya_agents::record::read_events;
use nyaya_agents::run::{Outcome, Parts, Place, RUN, Run, RunConfig, RunRecord};
use nyaya_agents::runner;
use nyaya_agents::session::{Counts, Models, Prices, Stop};
use nyaya_corpora::{Catalogue, ProvisionLookup};
use nyaya_retrieval::Retrieve;
use serde::Serialize;

use super::Common;
use super::board::Board;
use super::show::verdict_text;
use crate::cli::context::{Context, today};
use crate::cli::output;

/// Records of so many bytes are put into one report; a page with more is of no use, and takes memory to make.
const REPORT_BYTES: u64 = 48 * 1024 * 1024;

/// Trials whose verdicts are printed one by one.
const MOST_SHOWN: usize = 25;

/// Trials one after the other that are shown step by step.
const MOST_STEPS: usize = 20;

/// Descriptors that the most trials and calls at once can need.
const DESCRIPTORS: u64 = 2048;

/// Holds the trials of a run, whichever the court.
pub async fn drive(
    context: &Context,
    common: &Common,
    court: Court,
    cases: Vec<Case>,
) -> anyhow::Result<ExitCode> {
    with_memory(context, common, court, cases, None).await
}

/// The same for a court whose agents have a memory.
pub async fn with_memory(
    context: &Context,
    common: &Common,
    court: Court,
    cases: Vec<Case>,
    memory: Option<Memory>,
) -> anyhow::Result<ExitCode> {
    match hold(context, common, court, cases, memory).await? {
        Some(held) => tell(context, &held.run, &held.cases, held.report, &held.law),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// A run whose trials were held, as far as they could be.
pub struct Held {
    /// The run.
    pub run: Arc<Run>,
    /// Its cases.
    pub cases: Vec<Case>,
    /// What came of it.
    pub report: runner::Report,
    law: Law,
}

/// The law at hand: a knowledge base, or nothing, where none is built and nobody looks law up.
struct Law {
    retriever: Arc<dyn Retrieve>,
    catalogue: Catalogue,
}

impl Law {
    /// `begun` is the run that is gone on with: what its knowledge base held then still goes for it, whatever was built
    /// since.
    async fn open(
        context: &Context,
        config: &RunConfig,
        cases: &[Case],
        begun: Option<&RunRecord>,
    ) -> anyhow::Result<Self> {
        let needed = !config.rag.is_empty() || cases.iter().any(|c| !c.charges.is_empty());
        let current = context.layout.current()?;
        let content = begun.map(|b| b.knowledge_base.as_str());
        if !needed && (current.is_none() || content == Some(nolaw::SNAPSHOT)) {
            tracing::info!(
                "there is no knowledge base; this court looks no law up, and what it cites is not checked"
            );
            return Ok(Self { retriever: Arc::new(NoLaw::new()), catalogue: context.catalogue()? });
        }
        let words_only = config.rag.is_empty();
        let changed = content.filter(|c| current.as_ref().is_none_or(|g| g.content() != *c));
        let kb = match changed {
            None => context.knowledge_base(words_only).await?,
            Some(content) => match context.knowledge_base_with(content, words_only).await? {
                Some(kb) => {
                    context.bars.say(&format!(
                        "the knowledge base has changed since this run began; the run goes on with generation {}, with which it began",
                        kb.generation().number
                    ));
                    kb
                }
                None => anyhow::bail!(
                    "the run began with a knowledge base of content {content}, which {} no longer holds\nhint: name the folder that does with --kb, or make a new run with --fresh",
                    context.layout.root().display()
                ),
            },
        };
        let catalogue = kb.catalogue().clone();
        Ok(Self { retriever: Arc::new(kb), catalogue })
    }
}

/// The run of this folder, if one was begun there.
fn begun(place: &Place) -> anyhow::Result<Option<RunRecord>> {
    match place {
        Place::Folder(folder) if folder.join(RUN).is_file() => Ok(Some(RunRecord::read(folder)?)),
        _ => Ok(None),
    }
}

/// Says where a run lies that is the same but for what the knowledge base held: who gave the same command to go on
/// with it has a new run now.
fn tell_of_earlier(context: &Context, run: &Run, place: &Place) {
    let Place::Under(base) = place else { return };
    let folders = std::fs::read_dir(base).into_iter().flatten().flatten().map(|e| e.path());
    for folder in folders.filter(|f| f != run.folder()) {
        if RunRecord::read(&folder).is_ok_and(|r| r.differs_in_law_only(run.record())) {
            context.bars.say(&format!(
                "{} is the same run but for the knowledge base, which has changed since; --out {} goes on with that one",
                folder.display(),
                folder.display()
            ));
        }
    }
}

/// Holds the trials and prints no result; `None` after a dry run.
pub async fn hold(
    context: &Context,
    common: &Common,
    court: Court,
    mut cases: Vec<Case>,
    memory: Option<Memory>,
) -> anyhow::Result<Option<Held>> {
    let config = common.config(court)?;
    if cases.is_empty() {
        anyhow::bail!("there is no case to try\nhint: name one with --case, or a file of many with --cases");
    }
    if let Some(limit) = common.limit {
        cases.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    }
    for case in &cases {
        config.court.accepts(case)?;
    }
    let place = common.place();
    let begun = begun(&place)?;
    let law = Law::open(context, &config, &cases, begun.as_ref()).await?;
    check_charges(&cases, law.retriever.lookup())?;
    warn_of_undated(&config, &cases);
    if common.dry_run {
        dry_run(context, &config, &cases, &law).await?;
        return Ok(None);
    }
    let prices = match &common.prices {
        Some(path) => Prices::load(path).map_err(|e| anyhow::anyhow!("{e}"))?,
        None => Prices::default(),
    };
    let models = common.chat.models(context, false, config.court.roles()).await?;
    let parts = Parts {
        models: models.clone(),
        retriever: Arc::clone(&law.retriever),
        catalogue: Arc::new(law.catalogue.clone()),
        today: today(),
    };
    let writes = config.court.one_by_one();
    let mut run = Run::open(&config, &cases, parts, &place)?.priced(prices, common.max_cost)?;
    if let Some(memory) = memory {
        run = run.with_memory(memory)?;
    }
    let run = Arc::new(run);
    context.bars.say(&format!("run: {}", run.folder().display()));
    tell_of_earlier(context, &run, &place);
    let total = cases.len() * common.repeat as usize;
    let steps = total == 1 || (run.concurrency() == 1 && total <= MOST_STEPS);
    let quiet = context.global.quiet;
    let board =
        Board::new(Arc::clone(&context.bars), quiet, total, steps, run.prices().clone(), move |role| {
            models.of(role).name()
        });
    // Each open trial has two files, each call in flight a connection. What the system grants has to do.
    let _granted = rlimit::increase_nofile_limit(DESCRIPTORS);
    let listener = tokio::spawn(listen(run.stop().clone()));
    let report = runner::hold(&run, &cases, common.repeat, &board).await;
    listener.abort();
    board.close();
    if writes {
        context.bars.say(&format!("memory: {}", run.save_memory()?.display()));
    }
    Ok(Some(Held { run, cases, report, law }))
}

/// Says how many cases leave the day open that decides which law governs.
fn warn_of_undated(config: &RunConfig, cases: &[Case]) {
    // Rows of a table are no offences, and their debates cite no law.
    if config.as_of.is_some() || matches!(config.court, Court::Simlaw(_)) {
        return;
    }
    let undated: Vec<&Case> = cases.iter().filter(|c| c.offence_date.is_none()).collect();
    if let Some(first) = undated.first() {
        tracing::warn!(
            "{} of {} cases give no offence date ({}, …): citations of substantive law in them stay unchecked\nhint: give `offence_date` in the case, or --as-of DATE for all of them",
            undated.len(),
            cases.len(),
            first.id
        );
    }
}

/// The first interrupt asks the run to stop, the second ends it.
async fn listen(stop: Stop) {
    if tokio::signal::ctrl_c().await.is_err() {
        return;
    }
    stop.set();
    eprintln!(
        "\n  stopping: calls in flight are brought to their end; once more ends at once, and loses only these"
    );
    if tokio::signal::ctrl_c().await.is_ok() {
        eprintln!("\n  ended; the same command goes on where it stopped");
        std::process::exit(130);
    }
}

/// What came of the run.
fn tell(
    context: &Context,
    run: &Run,
    cases: &[Case],
    report: runner::Report,
    law: &Law,
) -> anyhow::Result<ExitCode> {
    let folder = run.folder();
    let page = if report.trials.iter().any(|t| t.finished) && bytes_of(folder) <= REPORT_BYTES {
        Some(write_report(folder, law.retriever.lookup(), &law.catalogue)?)
    } else {
        None
    };
    let (finished, failed, complete) = (report.finished(), report.failed(), report.complete());
    if context.global.json {
        output::json(&RunSummary {
            run: folder,
            report: page.as_deref(),
            planned: report.planned,
            finished,
            failed,
            stopped: report.stopped.as_deref(),
            total: report.total,
            trials: &report.trials,
        })?;
    } else {
        for outcome in report.trials.iter().take(MOST_SHOWN) {
            if let Some(case) = cases.iter().find(|c| c.id == outcome.case) {
                output::text(&verdict_text(case, outcome))?;
            }
        }
        if report.trials.len() > MOST_SHOWN {
            output::text(&format!(
                "… and {} more trials; --json lists all",
                report.trials.len() - MOST_SHOWN
            ))?;
        }
        output::text(&totals(&report, run.prices()))?;
        if let Some(line) = beside_the_paper(&run.record().config.court, &report) {
            output::text(&line)?;
        }
        let shown = folder.display();
        let page = page.map_or_else(
            || "none: there are no finished trials, or too many for one page".to_owned(),
            |p| p.display().to_string(),
        );
        output::text(&format!(
            "report: {page}\naudit:  nyaya audit {shown}\nmeasures: nyaya eval run {shown}"
        ))?;
    }
    if report.total.cut_while_thinking > 0 {
        tracing::warn!(
            "{} replies were cut off while the model was thinking and asked for again\nhint: give it room from the start, such as --thinking 8192",
            report.total.cut_while_thinking
        );
    }
    let replies = report.total.asked + report.total.replayed;
    if complete && replies > 0 && report.total.unread == replies {
        anyhow::bail!(
            "none of the {replies} replies could be read: what came out is no decision of anybody\nhint: look at a reply in {}/trials/*/events.jsonl; is this a chat model that can answer in JSON? `nyaya read verdicts` shows how answers are read; then run again with --fresh",
            folder.display()
        );
    }
    if complete {
        return Ok(ExitCode::SUCCESS);
    }
    let why = report.stopped.unwrap_or_else(|| {
        let first = report.trials.into_iter().find(|t| t.failed).and_then(|t| t.stopped);
        first.unwrap_or_else(|| "some trials were not held".to_owned())
    });
    // Where the record itself is in the way, the same command would fail again.
    let again = if why.contains("--fresh") {
        "nothing recorded is lost"
    } else {
        "the same command goes on where it stopped; nothing recorded is lost"
    };
    anyhow::bail!("{finished} of {} trials finished, {failed} failed: {why}\nhint: {again}", report.planned)
}

/// Calls and tokens a case beside what the paper of the debates states.
fn beside_the_paper(court: &Court, report: &runner::Report) -> Option<String> {
    let trials: Vec<&Outcome> = report.trials.iter().filter(|t| t.finished).collect();
    let n = trials.len() as u64;
    let calls: u64 = trials.iter().map(|t| t.counts.asked + t.counts.replayed).sum();
    let tokens: u64 = trials.iter().map(|t| t.counts.prompt_tokens + t.counts.completion_tokens).sum();
    let measured = trials.iter().all(|t| t.counts.unmeasured == 0);
    if n == 0 || !matches!(court, Court::Simlaw(_)) {
        return None;
    }
    let tokens = if measured { (tokens / n).to_string() } else { "unknown".to_owned() };
    Some(format!(
        "a case: {} calls, {tokens} tokens; the paper's code {} calls, the paper {} tokens",
        calls / n,
        simlaw::PAPER_CALLS,
        simlaw::PAPER_TOKENS
    ))
}

fn totals(report: &runner::Report, prices: &Prices) -> String {
    let t = &report.total;
    let unmeasured =
        if t.unmeasured > 0 { format!(" ({} calls unmeasured)", t.unmeasured) } else { String::new() };
    format!(
        "{} of {} trials finished, {} failed; {} calls made, {} read from the record; {} tokens read, {} written{unmeasured}; cost {}",
        report.finished(),
        report.planned,
        report.failed(),
        t.asked,
        t.replayed,
        t.prompt_tokens,
        t.completion_tokens,
        t.cost.shown(&prices.currency)
    )
}

fn bytes_of(run: &Path) -> u64 {
    let trials = nyaya_agents::record::trials(run).unwrap_or_default();
    trials.iter().filter_map(|t| std::fs::metadata(&t.events).ok()).map(|m| m.len()).sum()
}

/// Prints what the first case would ask, by holding it against a model that is none.
async fn dry_run(
    context: &Context,
    config: &RunConfig,
    cases: &[Case],
    law: &Law,
) -> anyhow::Result<ExitCode> {
    #[derive(Serialize)]
    struct Shown {
        step: String,
        agent: String,
        system: String,
        user: String,
        schema: Option<serde_json::Value>,
        max_tokens: u32,
        temperature: f32,
    }
    let Some(case) = cases.first() else { return Ok(ExitCode::SUCCESS) };
    let folder = tempfile::tempdir()?;
    let model: Arc<dyn ChatModel> = Arc::new(Dry);
    let parts = Parts {
        models: Models::new(model),
        retriever: Arc::clone(&law.retriever),
        catalogue: Arc::new(law.catalogue.clone()),
        today: today(),
    };
    let config = RunConfig { max_tokens_total: None, ..config.clone() };
    let run =
        Run::open(&config, std::slice::from_ref(case), parts, &Place::Folder(folder.path().to_owned()))?;
    let outcome = run.trial(case, 0, Arc::new(())).await?;
    let mut all = Vec::new();
    for event in read_events(&outcome.trial.join(nyaya_agents::record::EVENTS))? {
        let Body::ModelCall { request, .. } = event.body else { continue };
        let of = |role: Role| {
            let words = request.messages.iter().filter(|m| m.role == role).map(|m| m.content.as_str());
            words.collect::<Vec<_>>().join("\n\n")
        };
        all.push(Shown {
            step: event.step,
            agent: event.actor.agent,
            system: of(Role::System),
            user: of(Role::User),
            schema: request.schema.as_ref().map(|s| s.schema.clone()),
            max_tokens: request.max_tokens,
            temperature: request.temperature,
        });
    }
    if context.global.json {
        output::json(&all)?;
        return Ok(ExitCode::SUCCESS);
    }
    let n = all.len();
    for (i, call) in all.iter().enumerate() {
        output::text(&format!(
            "──── {} of {n}: {} ({}), temperature {}, at most {} tokens ────\n[system]\n{}\n[user]\n{}\n",
            i + 1,
            call.agent,
            call.step,
            call.temperature,
            call.max_tokens,
            call.system,
            call.user
        ))?;
    }
    context.bars.say(&format!(
        "dry run of case {}: nobody was called; the replies in these prompts are the smallest that the schemas allow, marked (dry run), so a real trial may have more rounds or fewer",
        case.id
    ));
    Ok(ExitCode::SUCCESS)
}

/// A charge under a provision that the law does not have is a slip in the case file.
fn check_charges(cases: &[Case], lookup: &dyn ProvisionLookup) -> anyhow::Result<()> {
    for case in cases {
        for charge in &case.charges {
            let editions = lookup.editions(&charge.id.work);
            if editions.is_empty() {
                tracing::warn!("case {}: the knowledge base does not hold {}", case.id, charge.id.work);
            } else if !editions
                .iter()
                .any(|e| lookup.provision(&e.work, e.version, &charge.id.unit).is_some())
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
    report: Option<&'a Path>,
    planned: usize,
    finished: usize,
    failed: usize,
    stopped: Option<&'a str>,
    total: Counts,
    trials: &'a [Outcome],
}

/// Writes `report.html` into the run's folder.
pub fn write_report(
    folder: &Path,
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
) -> anyhow::Result<PathBuf> {
    let run = nyaya_eval::Run::load(folder)?;
    Ok(nyaya_eval::report::write(&run, lookup, catalogue)?)
}
