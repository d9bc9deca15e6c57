//! The texts of the law that the page holds, and how names lead to them.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;
use nyaya_corpora::{Catalogue, EditionInfo, Provision, ProvisionId, ProvisionLookup, WorkId};
use nyaya_retrieval::Hit;

use super::names::{self, Language};
use super::text;
use super::trial::TrialContext;
use super::view::{LawView, Link};

/// One text on the page, before it is laid out.
pub struct Entry {
    pub edition: Option<EditionInfo>,
    pub provision: Option<Arc<Provision>>,
    pub hit: Option<Hit>,
    pub quoted: BTreeSet<String>,
    pub pins: BTreeSet<Vec<String>>,
    pub used: Vec<String>,
}

/// The texts that the page holds, each once, and how names lead to them.
pub struct Law<'a> {
    pub lookup: &'a dyn ProvisionLookup,
    pub catalogue: &'a Catalogue,
    pub language: Language,
    pub entries: Vec<(ProvisionId, Date, Entry)>,
}

impl Law<'_> {
    /// Index of the text of a provision in a version; takes it in if it is to be had.
    pub fn entry(&mut self, id: &ProvisionId, version: Date, hit: Option<&Hit>) -> Option<usize> {
        let id = id.provision();
        if let Some(at) = self.entries.iter().position(|(have, v, _)| *have == id && *v == version) {
            return Some(at);
        }
        let provision = self.lookup.provision(&id.work, version, &id.unit);
        if provision.is_none() && hit.is_none() {
            return None;
        }
        let edition = self.lookup.editions(&id.work).into_iter().find(|e| e.version == version);
        let entry = Entry {
            edition,
            provision,
            hit: hit.cloned(),
            quoted: BTreeSet::new(),
            pins: BTreeSet::new(),
            used: Vec::new(),
        };
        self.entries.push((id, version, entry));
        Some(self.entries.len() - 1)
    }

    /// The text that a name without an edition means in a trial: what a search of the trial gave, else the
    /// version of the day that governs, else the newest.
    pub fn resolve(&mut self, id: &ProvisionId, trial: &TrialContext) -> Option<usize> {
        if let Some(tag) = &id.edition {
            return self.entry(id, tag.version, None);
        }
        let bare = id.provision();
        if let Some((version, hit)) = trial.found.get(&bare) {
            return self.entry(id, *version, Some(hit));
        }
        let edition = match trial.day {
            Some(day) => self.lookup.edition_at(&id.work, day).map(|(edition, _)| edition),
            None => self.lookup.editions(&id.work).pop(),
        };
        self.entry(id, edition?.version, None)
    }

    pub fn link(&mut self, id: &ProvisionId, trial: &TrialContext) -> Link {
        let at = self.resolve(id, trial);
        let heading = at.and_then(|at| self.entries.get(at)).and_then(|(.., e)| e.heading());
        let name = self.name(id);
        Link {
            id: id.to_string(),
            name,
            heading: heading.unwrap_or_default(),
            href: at.map(|at| format!("#law-{}", at + 1)),
        }
    }

    /// `s. 302 Indian Penal Code`, `《刑法》第二百六十四条`.
    fn name(&self, id: &ProvisionId) -> String {
        let work = names::work(&id.work, self.catalogue);
        if self.is_chinese(&id.work) {
            format!("《{work}》{}", names::unit(id, true))
        } else {
            format!("{} {work}", names::unit(id, false))
        }
    }

    /// Names for ids; what is no id stays as it is.
    pub fn names(&self, ids: &[String]) -> String {
        let name = |id: &String| id.parse().map_or_else(|_| id.clone(), |id| self.name(&id));
        ids.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    pub fn is_chinese(&self, work: &WorkId) -> bool {
        let held = self.lookup.editions(work).pop().map(|e| e.language);
        let language = held.or_else(|| self.catalogue.get(work).map(|m| m.language.clone()));
        language.is_some_and(|l| Language::of(&l) == Language::Chinese)
    }

    pub fn views(&self) -> Vec<LawView> {
        self.entries
            .iter()
            .enumerate()
            .map(|(at, (id, version, entry))| self.view(at, id, *version, entry))
            .collect()
    }

    fn view(&self, at: usize, id: &ProvisionId, version: Date, entry: &Entry) -> LawView {
        let chinese = self.is_chinese(&id.work);
        let mut view = LawView {
            anchor: format!("law-{}", at + 1),
            id: id.to_string(),
            lang: entry
                .edition
                .as_ref()
                .map(|e| e.language.clone())
                .or_else(|| entry.hit.as_ref().map(|h| h.language.clone()))
                .unwrap_or_default(),
            statute: names::work(&id.work, self.catalogue),
            name: names::unit(id, chinese),
            heading: entry.heading().unwrap_or_default(),
            breadcrumb: Vec::new(),
            version: version.to_string(),
            status: "",
            in_force: true,
            struck_down: None,
            stretches: Vec::new(),
            source: String::new(),
            complete: entry.edition.as_ref().is_none_or(|e| e.complete),
            only_passage: false,
            used: entry.used.clone(),
        };
        let (status, struck_down) = match (&entry.provision, &entry.hit) {
            (Some(p), _) => {
                view.breadcrumb.clone_from(&p.breadcrumb);
                let mut marks: Vec<std::ops::Range<usize>> = Vec::new();
                for quoted in &entry.quoted {
                    marks.extend(p.text.match_indices(quoted.as_str()).map(|(at, q)| at..at + q.len()));
                }
                marks.extend(
                    p.pinpoints
                        .iter()
                        .filter(|pin| entry.pins.contains(&pin.path))
                        .map(|pin| pin.range.clone()),
                );
                view.stretches = text::stretches(&p.text, &marks);
                let page = p
                    .source
                    .page
                    .map(|n| format!(", {} {n}", self.language.word("page")))
                    .unwrap_or_default();
                let hash: String = p.source.file_sha256.chars().take(12).collect();
                view.source = format!("SHA-256 {hash}…{page}");
                (p.status, p.struck_down.clone())
            }
            (None, Some(hit)) => {
                view.breadcrumb.clone_from(&hit.breadcrumb);
                if view.statute == id.work.as_str() {
                    view.statute.clone_from(&hit.title);
                }
                view.stretches = text::stretches(&hit.text, &[]);
                view.only_passage = true;
                (hit.status, hit.struck_down.clone())
            }
            (None, None) => return view,
        };
        view.in_force = status == nyaya_corpora::Status::InForce;
        view.status = names::status(status, self.language);
        view.struck_down = struck_down.map(|s| {
            let note = if s.note.is_empty() { String::new() } else { format!("; {}", s.note) };
            format!("{} ({}){note}", s.source, s.date)
        });
        view
    }
}

impl Entry {
    fn heading(&self) -> Option<String> {
        self.provision
            .as_ref()
            .and_then(|p| p.heading.clone())
            .or_else(|| self.hit.as_ref().and_then(|h| h.heading.clone()))
    }
}
