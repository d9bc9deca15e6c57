//! Looking provisions up: the one question the verifier asks, and nothing about how the answer is stored.

use std::sync::Arc;

use jiff::civil::Date;
use serde::Serialize;

use crate::id::{Unit, WorkId};
use crate::provision::{Edition, Provision};

/// An edition that a look-up holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditionInfo {
    /// The work.
    pub work: WorkId,
    /// First day on which this version was in force.
    pub version: Date,
    /// BCP 47.
    pub language: String,
    /// Whether an absent provision is really absent from the law.
    pub complete: bool,
}

/// Something that holds statutes.
pub trait ProvisionLookup: Send + Sync {
    /// The editions held of a work, oldest first; empty if none.
    fn editions(&self, work: &WorkId) -> Vec<EditionInfo>;

    /// The units of an edition in the order of the code.
    fn units(&self, work: &WorkId, version: Date) -> Arc<[Unit]>;

    /// A provision of an edition.
    fn provision(&self, work: &WorkId, version: Date, unit: &Unit) -> Option<Arc<Provision>>;

    /// All works held.
    fn works(&self) -> Vec<WorkId>;

    /// The edition in force on a day: the youngest that began on or before it, else the oldest held.
    ///
    /// The second value says whether the edition really covers the day; when it does not, the day lies
    /// before every version held.
    fn edition_at(&self, work: &WorkId, day: Date) -> Option<(EditionInfo, bool)> {
        let editions = self.editions(work);
        let covering = editions.iter().rev().find(|e| e.version <= day).cloned();
        match covering {
            Some(edition) => Some((edition, true)),
            None => editions.into_iter().next().map(|edition| (edition, false)),
        }
    }
}

/// Editions in memory.
#[derive(Debug, Default, Clone)]
pub struct MemoryLookup {
    editions: Vec<Held>,
}

#[derive(Debug, Clone)]
struct Held {
    info: EditionInfo,
    units: Arc<[Unit]>,
    provisions: Arc<std::collections::HashMap<Unit, Arc<Provision>>>,
}

impl MemoryLookup {
    /// Holds these editions.
    #[must_use]
    pub fn new(editions: impl IntoIterator<Item = Edition>) -> Self {
        let mut held: Vec<Held> = editions
            .into_iter()
            .map(|e| Held {
                info: EditionInfo {
                    work: e.work,
                    version: e.version,
                    language: e.language,
                    complete: e.complete,
                },
                units: e.provisions.iter().map(|p| p.id.unit.clone()).collect(),
                provisions: Arc::new(
                    e.provisions.into_iter().map(|p| (p.id.unit.clone(), Arc::new(p))).collect(),
                ),
            })
            .collect();
        held.sort_by(|a, b| (&a.info.work, a.info.version).cmp(&(&b.info.work, b.info.version)));
        Self { editions: held }
    }

    fn held(&self, work: &WorkId, version: Date) -> Option<&Held> {
        self.editions.iter().find(|h| &h.info.work == work && h.info.version == version)
    }
}

impl ProvisionLookup for MemoryLookup {
    fn editions(&self, work: &WorkId) -> Vec<EditionInfo> {
        self.editions.iter().filter(|h| &h.info.work == work).map(|h| h.info.clone()).collect()
    }

    fn units(&self, work: &WorkId, version: Date) -> Arc<[Unit]> {
        self.held(work, version).map_or_else(|| Arc::from([]), |h| Arc::clone(&h.units))
    }

    fn provision(&self, work: &WorkId, version: Date, unit: &Unit) -> Option<Arc<Provision>> {
        self.held(work, version)?.provisions.get(unit).cloned()
    }

    fn works(&self) -> Vec<WorkId> {
        let mut works: Vec<WorkId> = self.editions.iter().map(|h| h.info.work.clone()).collect();
        works.dedup();
        works
    }
}
