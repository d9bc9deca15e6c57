//! The options that all courts share.

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use nyaya_agents::case::Case;
use nyaya_agents::protocols::Court;
use nyaya_agents::run::{Place, RUN, RunConfig, parse_rag};
use nyaya_retrieval::Mode;

use crate::cli::chat::ChatArgs;

/// How passages are found.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum ModeArg {
    /// Words
    Bm25,
    /// Meaning
    Dense,
    /// Both
    Hybrid,
}

/// A known set of options.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Preset {
    /// All as the court's paper has it; an option that says otherwise is an error
    Paper,
}

/// Options of every court.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct Common {
    /// A case: a TOML or JSON file, a JSONL file of many, or the name of a sample case; may be repeated
    #[arg(long, value_name = "FILE|NAME", help_heading = "Cases")]
    pub case: Vec<String>,
    /// A file of many cases; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Cases")]
    pub cases: Vec<PathBuf>,
    /// Only the first N cases
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Cases")]
    pub limit: Option<u32>,
    /// How often each case is tried
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Cases")]
    pub repeat: u32,
    /// As the court's paper has it; options that say otherwise are refused
    #[arg(long, value_enum)]
    pub preset: Option<Preset>,
    /// Seed of all chance
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Sampling temperature [default: the paper's]
    #[arg(long)]
    pub temperature: Option<f32>,
    /// Tokens that a model may think in before each answer, beside the answer's own (for models that reason)
    #[arg(long, value_name = "TOKENS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub thinking: u32,
    /// Who looks law up: none, all, or a list of the court's roles [default: the court's own]
    #[arg(long, value_name = "ROLES", help_heading = "Law")]
    pub rag: Option<String>,
    /// Passages an agent gets
    #[arg(short, default_value_t = 5, help_heading = "Law")]
    pub k: usize,
    /// How passages are found
    #[arg(long, value_enum, default_value_t = ModeArg::Hybrid, help_heading = "Law")]
    pub mode: ModeArg,
    /// Let an agent's list of provisions hold only those it was shown; every report of the run says so
    #[arg(long, help_heading = "Law")]
    pub constrain_citations: bool,
    /// The day that governs where a case gives no dates (YYYY-MM-DD)
    #[arg(long, value_name = "DATE", help_heading = "Law")]
    pub as_of: Option<Date>,
    /// Most tokens of the whole run, read and written
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub max_tokens_total: Option<u64>,
    /// Most that the whole run may cost, in the currency of --prices
    #[arg(long, value_name = "X", requires = "prices", help_heading = "Budget")]
    pub max_cost: Option<f64>,
    /// Prices a million tokens: a TOML file with `[models."NAME"]`, `read = 0.15`, `written = 0.6`
    #[arg(long, value_name = "FILE", help_heading = "Budget")]
    pub prices: Option<PathBuf>,
    /// Folder with prompts that replace those of the program
    #[arg(long, value_name = "DIR")]
    pub prompts: Option<PathBuf>,
    /// Print every prompt of the first case and call nobody
    #[arg(long)]
    pub dry_run: bool,
    /// Folder of the run [default: runs/NAME, NAME a hash of all that decides what comes out]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// A new run, even if the same command has been run before
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub chat: ChatArgs,
}

impl Common {
    /// The cases of `--case` and `--cases`. `foreign` reads a file that a court knows and others do not; `None`
    /// says that the file is not of that kind.
    pub fn load(
        &self,
        foreign: impl Fn(&Path) -> Option<anyhow::Result<Vec<Case>>>,
    ) -> anyhow::Result<Vec<Case>> {
        let mut cases = Vec::new();
        for name in self.case.iter().map(String::as_str).chain(self.cases.iter().filter_map(|p| p.to_str())) {
            let path = Path::new(name);
            if !path.exists() {
                if Case::builtin_names().contains(&name) {
                    cases.push(Case::builtin(name)?);
                    continue;
                }
                anyhow::bail!(
                    "{name}: no such file, and no sample case of that name\nhint: sample cases are {}",
                    Case::builtin_names().join(", ")
                );
            }
            match foreign(path) {
                Some(read) => cases.extend(read?),
                None => cases.extend(Case::load_all(path)?),
            }
        }
        Ok(cases)
    }

    /// The configuration of a run of this court.
    pub fn config(&self, court: Court) -> anyhow::Result<RunConfig> {
        let mut config = RunConfig::of(court);
        if let Some(rag) = &self.rag {
            config.rag = parse_rag(rag, config.court.rag_roles()).map_err(|e| {
                let usual = config.court.rag();
                let usual = if usual.is_empty() { "none".to_owned() } else { usual.join(",") };
                anyhow::anyhow!("--rag: {e}\nhint: the usual one is {usual}")
            })?;
        }
        config.k = self.k;
        config.mode = match self.mode {
            ModeArg::Bm25 => Mode::Bm25,
            ModeArg::Dense => Mode::Dense,
            ModeArg::Hybrid => Mode::Hybrid,
        };
        config.seed = self.seed;
        if let Some(temperature) = self.temperature {
            config.temperature = temperature;
        }
        config.thinking = self.thinking;
        config.constrain_citations = self.constrain_citations;
        config.as_of = self.as_of;
        config.prompts.clone_from(&self.prompts);
        config.max_tokens_total = self.max_tokens_total;
        if self.preset.is_some() {
            refuse_deviations(&config)?;
        }
        config.check()?;
        Ok(config)
    }

    /// Where the run lives.
    pub fn place(&self) -> Place {
        match (&self.out, self.fresh) {
            (Some(out), false) => Place::Folder(out.clone()),
            (Some(out), true) => Place::FreshFolder(out.clone()),
            (None, false) => Place::Under(PathBuf::from("runs")),
            (None, true) => Place::Fresh(PathBuf::from("runs")),
        }
    }
}

/// Fails if an option that wants the folder of a run has another.
pub fn check_run(option: &str, run: &Path) -> anyhow::Result<()> {
    if run.join(RUN).is_file() {
        return Ok(());
    }
    anyhow::bail!(
        "{option} {}: not the folder of a run\nhint: name the folder that `nyaya run …` has printed",
        run.display()
    )
}

/// With `--preset paper`, whatever says otherwise than the paper is named.
fn refuse_deviations(config: &RunConfig) -> anyhow::Result<()> {
    let paper = RunConfig {
        seed: config.seed,
        as_of: config.as_of,
        // What a model needs, not what the court does.
        thinking: config.thinking,
        max_tokens_total: config.max_tokens_total,
        ..RunConfig::of(config.court.paper())
    };
    let (here, there) = (serde_json::to_value(config)?, serde_json::to_value(&paper)?);
    let mut found = Vec::new();
    differences("", &here, &there, &mut found);
    if found.is_empty() {
        return Ok(());
    }
    anyhow::bail!(
        "--preset paper, but {}\nhint: leave these options out, or leave --preset out",
        found.join("; ")
    )
}

fn differences(name: &str, a: &serde_json::Value, b: &serde_json::Value, found: &mut Vec<String>) {
    let null = serde_json::Value::Null;
    if let (Some(x), Some(y)) = (a.as_object(), b.as_object()) {
        for key in x.keys().chain(y.keys().filter(|k| !x.contains_key(*k))) {
            differences(key, x.get(key).unwrap_or(&null), y.get(key).unwrap_or(&null), found);
        }
    } else if a != b {
        found.push(format!("{name} is {}, the paper's is {}", shown(a), shown(b)));
    }
}

/// A value as a person writes it: what is kept in 32 bits has more digits in 64 than it was given.
fn shown(value: &serde_json::Value) -> String {
    match value.as_f64() {
        #[expect(clippy::cast_possible_truncation, reason = "the options are kept in 32 bits")]
        Some(x) if value.is_f64() => (x as f32).to_string(),
        _ => value.to_string(),
    }
}
