//! Rows of a table as cases: options that several courts share.

use std::path::PathBuf;

use nyaya_agents::case::Case;
use nyaya_agents::inputs::table::{self, Dictionary};
use nyaya_agents::prompts::Prompts;

use super::Common;
use crate::cli::context::Context;

/// Options for rows of a table.
#[derive(Debug, Clone, clap::Args)]
pub struct TableArgs {
    /// A table, CSV or TSV with a header line: each row is told as a narrative of plain sentences
    #[arg(long, value_name = "FILE", requires_all = ["target", "positive"], help_heading = "Table")]
    pub table: Option<PathBuf>,
    /// The column to be predicted; it never gets into the narrative
    #[arg(long, value_name = "COLUMN", requires = "table", help_heading = "Table")]
    pub target: Option<String>,
    /// The value of it that the question asks for
    #[arg(long, value_name = "LABEL", requires = "table", help_heading = "Table")]
    pub positive: Option<String>,
    /// Columns to leave out, such as the score of another system
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "table", help_heading = "Table")]
    pub drop: Vec<String>,
    /// The column that names the rows [default: id, if there is one]
    #[arg(long, value_name = "COLUMN", requires = "table", help_heading = "Table")]
    pub id: Option<String>,
    /// What columns and values mean: TOML (`[age]`, `text = "The person is {value} years old."`) or CSV (column, text,
    /// value)
    #[arg(long, value_name = "FILE", requires = "table", help_heading = "Table")]
    pub dictionary: Option<PathBuf>,
    /// The question, answered with yes for --positive [default: the domain's]
    #[arg(long, value_name = "TEXT", requires = "table", help_heading = "Table")]
    pub question: Option<String>,
    /// Language of narrative and prompts
    #[arg(long, value_name = "LANG", default_value = "en", help_heading = "Table")]
    pub language: String,
    /// Tell how often the positive label is in the table, and have both classes considered
    #[arg(long, requires = "table", help_heading = "Table")]
    pub base_rate: bool,
}

impl TableArgs {
    /// The options for reading a table; `domain` has the question where the user gives none.
    fn options(&self, common: &Common, domain: &str) -> anyhow::Result<table::Options> {
        let question = match &self.question {
            Some(question) => question.clone(),
            None => {
                let prompts = match &common.prompts {
                    Some(folder) => Prompts::with_folder(folder)?,
                    None => Prompts::builtin()?,
                };
                prompts.text(&format!("simlaw/domain-{domain}#question"), &self.language, &())?
            }
        };
        Ok(table::Options {
            target: self.target.clone().unwrap_or_default(),
            positive: self.positive.clone().unwrap_or_default(),
            question,
            drop: self.drop.clone(),
            id: self.id.clone(),
            language: self.language.clone(),
            base_rate: self.base_rate,
            dictionary: self.dictionary.as_deref().map(Dictionary::load).transpose()?.unwrap_or_default(),
            limit: None,
        })
    }

    /// The rows of `--table`, if there is one.
    pub fn load(&self, context: &Context, common: &Common, domain: &str) -> anyhow::Result<Vec<Case>> {
        let Some(path) = &self.table else { return Ok(Vec::new()) };
        if self.base_rate && common.preset.is_some() {
            anyhow::bail!("--preset paper, but --base-rate is on\nhint: leave --base-rate or --preset out");
        }
        let told = table::read(path, &self.options(common, domain)?)?;
        for notice in &told.notices {
            tracing::warn!("{}: {notice}", path.display());
        }
        let (positive, of) = told.positives;
        context.bars.say(&format!(
            "{}: {of} rows, {positive} with {} = {}; always saying no is right in {} of them",
            path.display(),
            self.target.as_deref().unwrap_or_default(),
            self.positive.as_deref().unwrap_or_default(),
            of - positive
        ));
        Ok(told.cases)
    }

    /// The rows of another file with the same columns.
    pub fn load_other(
        &self,
        common: &Common,
        path: &std::path::Path,
        domain: &str,
    ) -> anyhow::Result<Vec<Case>> {
        Ok(table::read(path, &self.options(common, domain)?)?.cases)
    }
}
