//! Looking provisions up: the one question the verifier asks, and nothing about how the answer is stored.
//!
//! [`MemoryLookup`] holds editions. [`WithNumbers`] adds, for works without text, the numbers that their manifests list.

use std::sync::Arc;

use jiff::civil::Date;
use serde::Serialize;

use crate::id::{Unit, WorkId};
use crate::manifest::{Catalogue, Manifest, Version};
use crate::provision::{Edition, Provision, SourceRef, Status};

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

    /// Whether of this work only the list of its numbers is held, and no text.
    fn numbers_only(&self, work: &WorkId) -> bool {
        let _ = work;
        false
    }

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

/// A look-up that answers by the manifests' lists of numbers for works whose text it does not hold.
///
/// Only works that have a source can be asked so: an act that is known by name alone stays unknown. Its provisions
/// have no words, so a place inside one, or a quotation, cannot be checked; [`ProvisionLookup::numbers_only`] says so.
pub struct WithNumbers<'a> {
    inner: &'a dyn ProvisionLookup,
    numbers: MemoryLookup,
}

impl<'a> WithNumbers<'a> {
    /// Adds what the catalogue lists to what `inner` holds.
    #[must_use]
    pub fn new(inner: &'a dyn ProvisionLookup, catalogue: &Catalogue) -> Self {
        let editions = catalogue
            .all()
            .iter()
            .filter(|m| !m.sources.is_empty() && inner.editions(&m.id).is_empty())
            .flat_map(|m| m.versions.iter().filter(|v| !v.expected.is_empty()).map(|v| bare_edition(m, v)));
        Self { inner, numbers: MemoryLookup::new(editions) }
    }

    fn holder(&self, work: &WorkId) -> &dyn ProvisionLookup {
        if self.numbers_only(work) { &self.numbers } else { self.inner }
    }
}

/// An edition whose provisions have a number and no words.
fn bare_edition(manifest: &Manifest, version: &Version) -> Edition {
    let omitted = version.omitted_units(manifest.unit);
    let units = version.expected_units(manifest.unit).into_iter().chain(version.expected_schedules());
    let provisions = units.map(|unit| Provision {
        status: if omitted.contains(&unit) { Status::Omitted } else { Status::InForce },
        id: crate::id::ProvisionId::new(manifest.id.clone(), unit),
        heading: None,
        breadcrumb: Vec::new(),
        text: String::new(),
        in_force_from: None,
        in_force_until: None,
        struck_down: None,
        annotations: Vec::new(),
        pinpoints: Vec::new(),
        source: SourceRef { file_sha256: String::new(), page: None, offset: None },
    });
    Edition {
        work: manifest.id.clone(),
        version: version.from,
        language: manifest.language.clone(),
        source: "manifest".to_owned(),
        source_file: String::new(),
        source_sha256: String::new(),
        complete: true,
        provisions: provisions.collect(),
    }
}

impl ProvisionLookup for WithNumbers<'_> {
    fn editions(&self, work: &WorkId) -> Vec<EditionInfo> {
        self.holder(work).editions(work)
    }

    fn units(&self, work: &WorkId, version: Date) -> Arc<[Unit]> {
        self.holder(work).units(work, version)
    }

    fn provision(&self, work: &WorkId, version: Date, unit: &Unit) -> Option<Arc<Provision>> {
        self.holder(work).provision(work, version, unit)
    }

    fn works(&self) -> Vec<WorkId> {
        self.inner.works()
    }

    fn numbers_only(&self, work: &WorkId) -> bool {
        !self.numbers.editions(work).is_empty()
    }
}
