//! Where there is no knowledge base, for courts that look no law up.

use async_trait::async_trait;
use nyaya_corpora::{MemoryLookup, ProvisionLookup};
use nyaya_retrieval::{Hit, Query, Retrieve};

/// What a run records in place of a knowledge base.
pub const SNAPSHOT: &str = "none";

/// Holds no law: a search finds nothing, and a citation is `unchecked`.
pub struct NoLaw {
    lookup: MemoryLookup,
}

impl NoLaw {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self { lookup: MemoryLookup::new([]) }
    }
}

impl Default for NoLaw {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Retrieve for NoLaw {
    async fn search(&self, _: &Query) -> Result<Vec<Hit>, nyaya_retrieval::Error> {
        Ok(Vec::new())
    }

    fn lookup(&self) -> &dyn ProvisionLookup {
        &self.lookup
    }

    fn snapshot(&self) -> String {
        SNAPSHOT.to_owned()
    }
}
