//! Which model answers for which role.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::chat::ChatModel;

/// A model for each role.
#[derive(Clone)]
pub struct Models {
    default: Arc<dyn ChatModel>,
    by_role: BTreeMap<String, Arc<dyn ChatModel>>,
}

impl Models {
    /// One model for all.
    #[must_use]
    pub fn new(default: Arc<dyn ChatModel>) -> Self {
        Self { default, by_role: BTreeMap::new() }
    }

    /// Another model for one role: `judge`, `prosecution`, `defence`, `adjudicator`.
    #[must_use]
    pub fn with(mut self, role: &str, model: Arc<dyn ChatModel>) -> Self {
        self.by_role.insert(role.to_owned(), model);
        self
    }

    /// The model of a role.
    #[must_use]
    pub fn of(&self, role: &str) -> &Arc<dyn ChatModel> {
        self.by_role.get(role).unwrap_or(&self.default)
    }

    /// Names by role; `default` for the others.
    #[must_use]
    pub fn names(&self) -> BTreeMap<String, String> {
        let mut names: BTreeMap<_, _> = self.by_role.iter().map(|(r, m)| (r.clone(), m.name())).collect();
        names.insert("default".to_owned(), self.default.name());
        names
    }

    /// Calls that may be in flight at once, at most.
    #[must_use]
    pub fn concurrency(&self) -> usize {
        let all = self.by_role.values().chain([&self.default]);
        all.map(|m| m.concurrency()).max().unwrap_or(1).max(1)
    }
}

impl From<Arc<dyn ChatModel>> for Models {
    fn from(model: Arc<dyn ChatModel>) -> Self {
        Self::new(model)
    }
}
