//! `run.toml`: what a run is.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{RUN, RunConfig, RunError};

/// What differs where two runs have not the same knowledge base.
pub(super) const LAW: &str = "knowledge base";

/// `run.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// [`crate::event::SCHEMA_VERSION`].
    pub schema: u32,
    /// Version of the program that began the run.
    pub program: String,
    /// When the run began, RFC 3339.
    pub created: String,
    /// The day taken for the proceeding where a case gives none.
    pub today: Date,
    /// What the knowledge base held, see [`nyaya_retrieval::Retrieve::snapshot`].
    pub knowledge_base: String,
    /// SHA-256 over the prompts.
    pub prompts: String,
    /// Secret of the fences. It stands nowhere else but in the requests.
    pub fence_secret: String,
    /// Names of the models by role.
    pub models: BTreeMap<String, String>,
    /// SHA-256 of the cases by id.
    pub cases: BTreeMap<String, String>,
    /// The options.
    pub config: RunConfig,
}

impl RunRecord {
    /// Reads `run.toml` of a run's folder.
    ///
    /// # Errors
    /// If the folder is not that of a run.
    pub fn read(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(RUN);
        let text = std::fs::read_to_string(&path)
            .map_err(|e| RunError::File { path: path.clone(), message: e.to_string() })?;
        toml::from_str(&text)
            .map_err(|e| RunError::File { path, message: e.to_string().trim_end().to_owned() })
    }

    /// What decides what comes out, as pairs of a name and a value.
    pub(super) fn deciding(&self) -> Vec<(&'static str, String)> {
        let config = RunConfig { max_tokens_total: None, prompts: None, ..self.config.clone() };
        let text = |v: Result<String, serde_json::Error>| v.unwrap_or_default();
        vec![
            ("configuration", text(serde_json::to_string(&config))),
            (LAW, self.knowledge_base.clone()),
            ("set of prompts", self.prompts.clone()),
            ("model", text(serde_json::to_string(&self.models))),
            ("case", text(serde_json::to_string(&self.cases))),
        ]
    }

    /// Whether the other run differs in nothing but what its knowledge base held.
    #[must_use]
    pub fn differs_in_law_only(&self, other: &Self) -> bool {
        let differs: Vec<_> =
            self.deciding().into_iter().zip(other.deciding()).filter(|(a, b)| a != b).collect();
        matches!(differs.as_slice(), [((what, _), _)] if *what == LAW)
    }

    /// The name of the run: 12 hexadecimal digits of a SHA-256 over what decides what comes out.
    #[must_use]
    pub fn name(&self) -> String {
        let mut hasher = Sha256::new();
        for (name, value) in self.deciding() {
            hasher.update(format!("{name}\n{}\n{value}\n", value.len()));
        }
        hex::encode(hasher.finalize()).chars().take(12).collect()
    }
}
