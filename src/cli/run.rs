//! `nyaya run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use jiff::civil::Date;
use nyaya_agents::case::Case;
use nyaya_agents::event::{Body, ChargeVerdict, Decision, Finding};
use nyaya_agents::protocols::{Court, samvad};
use nyaya_agents::run::{Outcome, Parts, Place, Run, RunConfig, parse_rag};
use nyaya_agents::session::{Observer, Progress};
use nyaya_corpora::Catalogue;
use nyaya_retrieval::{KnowledgeBase, Retrieve};
use serde::Serialize;

use super::chat::ChatArgs;
use super::context::{Context, today};
use super::output;
use super::progress::Bars;

/// Run a court on a case.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    protocol: Protocol,
}

#[derive(Debug, clap::Subcommand)]
enum Protocol {
    /// Indian trial: judge, two counsel, a bench of adjudicators deliberating to consensus
    Samvad(Box<SamvadArgs>),
}

/// Options of `run samvad`.
#[derive(Debug, Clone, clap::Args)]
pub struct SamvadArgs {
    /// A case: a TOML or JSON file, a JSONL file of many, or the name of a sample case; may be repeated
    #[arg(long, value_name = "FILE|NAME", required = true)]
    pub case: Vec<String>,
    /// Adjudicators on the bench
    #[arg(long, default_value_t = 5)]
    pub adjudicators: u32,
    /// Share of all adjudicators that the largest group must reach
    #[arg(long, default_value = "0.8")]
    pub threshold: String,
    /// The share must be exceeded
    #[arg(long)]
    pub strict_threshold: bool,
    /// Most rounds of deliberation after the independent views
    #[arg(long, default_value_t = 3)]
    pub rounds: u32,
    /// Who looks law up: none, all, or a list of judge, counsel, adjudicators
    #[arg(long, default_value = "judge,counsel", value_name = "ROLES")]
    pub rag: String,
    /// Passages an agent gets
    #[arg(short, default_value_t = 5)]
    pub k: usize,
    /// Seed of personas and speaking order
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Opening and rebuttal only, short statements
    #[arg(long)]
    pub short: bool,
    /// Sampling temperature
    #[arg(long, default_value_t = 0.7)]
    pub temperature: f32,
    /// How often each case is tried
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub repeat: u32,
    /// The day that governs where a case gives no dates (YYYY-MM-DD)
    #[arg(long, value_name = "DATE")]
    pub as_of: Option<Date>,
    /// Most tokens of the whole run
    #[arg(long, value_name = "N")]
    pub max_tokens_total: Option<u64>,
    /// Folder with prompts that replace those of the program
    #[arg(long, value_name = "DIR")]
    pub prompts: Option<PathBuf>,
    /// Folder of the run [default: runs/NAME, NAME a hash of all that decides what comes out]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// A new run, even if the same command has been run before
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub chat: ChatArgs,
}

impl SamvadArgs {
    fn config(&self) -> anyhow::Result<RunConfig> {
        let rag = parse_rag(&self.rag)
            .map_err(|e| anyhow::anyhow!("--rag: {e}\nhint: the usual one is judge,counsel"))?;
        let court = samvad::Options {
            adjudicators: self.adjudicators,
            threshold: self.threshold.clone(),
            strict_threshold: self.strict_threshold,
            rounds: self.rounds,
            short: self.short,
            ..samvad::Options::default()
        };
        Ok(RunConfig {
            rag,
            k: self.k,
            seed: self.seed,
            temperature: self.temperature,
            as_of: self.as_of,
            prompts: self.prompts.clone(),
            max_tokens_total: self.max_tokens_total,
            ..RunConfig::of(Court::Samvad(court))
        })
    }
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    let Protocol::Samvad(args) = args.protocol;
    let config = args.config()?;
    config.check()?;
    let cases = load_cases(&args.case)?;
    let place = match (&args.out, args.fresh) {
        (Some(out), false) => Place::Folder(out.clone()),
        (Some(out), true) => Place::Fresh(out.clone()),
        (None, false) => Place::Under(PathBuf::from("runs")),
        (None, true) => Place::Fresh(PathBuf::from("runs")),
    };
    let kb = Arc::new(context.knowledge_base(config.rag.is_empty()).await?);
    check_charges(&cases, &kb)?;
    let models = args.chat.models(context, false).await?;
    let parts = Parts {
        models,
        retriever: Arc::clone(&kb) as Arc<dyn Retrieve>,
        catalogue: Arc::new(kb.catalogue().clone()),
        today: today(),
    };
    let run = Run::open(&config, &cases, parts, &place)?;
    context.bars.say(&format!("run: {}", run.folder().display()));
    let mut outcomes = Vec::new();
    for case in &cases {
        for repeat in 0..args.repeat {
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
            output::text(&verdict_text(case, outcome, kb.catalogue()))?;
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

fn load_cases(named: &[String]) -> anyhow::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for name in named {
        if Case::builtin_names().contains(&name.as_str()) && !Path::new(name).exists() {
            cases.push(Case::builtin(name)?);
        } else if !Path::new(name).exists() {
            anyhow::bail!(
                "{name}: no such file, and no sample case of that name\nhint: sample cases are {}",
                Case::builtin_names().join(", ")
            );
        } else {
            cases.extend(Case::load_all(name)?);
        }
    }
    Ok(cases)
}

/// Writes `report.html` into the run's folder.
pub fn write_report(folder: &Path, kb: &KnowledgeBase) -> anyhow::Result<PathBuf> {
    let run = nyaya_eval::Run::load(folder)?;
    Ok(nyaya_eval::report::write(&run, kb.lookup(), kb.catalogue())?)
}

/// The verdict in words.
pub fn verdict_text(case: &Case, outcome: &Outcome, catalogue: &Catalogue) -> String {
    let mut lines = vec![format!("case {}: {}", case.id, case.title)];
    match &outcome.decision {
        Some(Decision::Charges { charges, rounds, .. }) => {
            for charge in charges {
                lines.push(format!("  {}: {}", charge.charge, finding_text(charge, catalogue)));
            }
            lines.push(format!("  rounds of deliberation: {rounds}"));
        }
        Some(Decision::Term { sentence, consensus, rounds }) => {
            let term = sentence.map_or("no decision".to_owned(), |s| match s.months {
                Some(months) => format!("{months} months"),
                None => format!("{:?}", s.class).to_lowercase(),
            });
            let how = if *consensus { "the bench agrees" } else { "the bench does not agree" };
            lines.push(format!("  sentence: {term} ({how}; rounds of deliberation: {rounds})"));
        }
        Some(Decision::Label { label, outcome, for_a_human, .. }) => {
            lines.push(format!("  {} ({outcome})", label.as_deref().unwrap_or("no decision")));
            lines.extend(for_a_human.iter().map(|why| format!("  for a person to look at: {why}")));
        }
        None => {}
    }
    if let Some(why) = &outcome.stopped {
        lines.push(format!("  stopped: {why}"));
    }
    lines.join("\n")
}

fn finding_text(charge: &ChargeVerdict, _catalogue: &Catalogue) -> String {
    let votes = format!("{} of {}", charge.votes, charge.of);
    match &charge.finding {
        Some(Finding::Guilty) => format!("guilty ({votes})"),
        Some(Finding::NotGuilty) => format!("not guilty ({votes})"),
        Some(Finding::Lesser { offence }) => format!("guilty of the lesser offence {offence} ({votes})"),
        None => format!("hung: the largest group has {votes}"),
    }
}

/// Says on stderr what happens in a trial.
pub struct Watch {
    bars: Arc<Bars>,
    quiet: bool,
    since: Instant,
}

impl Watch {
    /// Nothing at all if `quiet`.
    pub fn new(bars: Arc<Bars>, quiet: bool) -> Self {
        Self { bars, quiet, since: Instant::now() }
    }
}

impl Observer for Watch {
    fn progress(&self, progress: &Progress<'_>) {
        if self.quiet {
            return;
        }
        let at = self.since.elapsed().as_secs();
        match progress {
            Progress::Trial { case, repeat, recorded, .. } if *recorded > 0 => {
                self.bars.say(&format!("  {case}-{repeat}: going on; {recorded} calls are recorded already"));
            }
            Progress::Trial { case, repeat, .. } => self.bars.say(&format!("  {case}-{repeat}")),
            Progress::Answered { step, actor, reply, stage, replayed } => {
                let tokens = match (reply.usage.prompt_tokens, reply.usage.completion_tokens) {
                    (Some(read), Some(written)) => format!("{read}+{written} tokens"),
                    _ => "tokens unknown".to_owned(),
                };
                let how = if *replayed {
                    "from the record".to_owned()
                } else {
                    let seconds = reply.latency_ms / 1000;
                    format!("{tokens}, {seconds} s, {}, {stage}", reply.finish_reason)
                };
                self.bars.say(&format!("  {at:>4} s  {step}: {} ({how})", actor.agent));
            }
            Progress::Searched { actor, query, hits, .. } => {
                self.bars.say(&format!("  {at:>4} s  {} looks up: {query} ({hits} passages)", actor.agent));
            }
            Progress::Recorded(event) => {
                if let Body::Agreement { reached, .. } = &event.body {
                    let word = if *reached { "agrees" } else { "does not agree yet" };
                    self.bars.say(&format!("  {at:>4} s  the bench {word}"));
                }
            }
            Progress::Asking { .. } => {}
        }
    }
}
