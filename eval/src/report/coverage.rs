//! How much of each statute the knowledge base holds.

use std::collections::BTreeSet;

use jiff::civil::Date;
use nyaya_corpora::{Catalogue, ProvisionLookup, WorkId};
use serde::Serialize;

use super::names;

/// How much of a statute the knowledge base holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The work.
    pub id: WorkId,
    /// Its title in the language of its text.
    pub title: String,
    /// Version held; absent if no text is held.
    pub version: Option<Date>,
    /// Language of the text, BCP 47.
    pub language: Option<String>,
    /// Sections or articles held.
    pub held: usize,
    /// Sections or articles that the version should have, where the manifest lists them.
    pub expected: Option<usize>,
    /// Expected and not held.
    pub missing: Vec<String>,
    /// Whether the source says that it has every provision.
    pub complete: bool,
}

/// Coverage of every work that the catalogue or the knowledge base knows, one row an edition.
#[must_use]
pub fn coverage(lookup: &dyn ProvisionLookup, catalogue: &Catalogue) -> Vec<Coverage> {
    let mut works: BTreeSet<WorkId> = lookup.works().into_iter().collect();
    works.extend(catalogue.all().iter().map(|m| m.id.clone()));
    let mut out = Vec::new();
    for work in works {
        let manifest = catalogue.get(&work);
        let title = names::work(&work, catalogue);
        let editions = lookup.editions(&work);
        if editions.is_empty() {
            out.push(Coverage {
                id: work.clone(),
                title: title.clone(),
                version: None,
                language: None,
                held: 0,
                expected: None,
                missing: Vec::new(),
                complete: false,
            });
        }
        for edition in editions {
            let units = lookup.units(&work, edition.version);
            let held: BTreeSet<_> = units.iter().filter(|u| u.is_numbered_provision()).collect();
            let expected = manifest
                .and_then(|m| Some(m.version(edition.version)?.expected_units(m.unit)))
                .filter(|units| !units.is_empty());
            let missing =
                expected.iter().flatten().filter(|u| !held.contains(u)).map(ToString::to_string).collect();
            out.push(Coverage {
                id: work.clone(),
                title: title.clone(),
                version: Some(edition.version),
                language: Some(edition.language),
                held: held.len(),
                expected: expected.map(|e| e.len()),
                missing,
                complete: edition.complete,
            });
        }
    }
    out
}
