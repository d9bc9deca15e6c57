//! An invented statute and a knowledge base that searches it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use jiff::civil::date;
use nyaya_corpora::{
    Catalogue, Edition, Manifest, MemoryLookup, Number, Provision, ProvisionId, ProvisionLookup, SourceRef,
    Status, Unit,
};
use nyaya_retrieval::{Hit, Query, Retrieve};

use super::stage::Shelf;

/// Words of the Harbour Act, which no country has.
pub const HARBOUR: &[(u32, &str, &str)] = &[
    (
        1,
        "Casting off",
        "Whoever casts off the boat of another without leave is liable to scrub the quay for a month.",
    ),
    (2, "Sinking", "Whoever sinks the boat of another on purpose is liable to be kept ashore for life."),
    (
        3,
        "Sinking by carelessness",
        "Whoever sinks a boat by want of care is liable to be kept ashore for a year.",
    ),
    (
        4,
        "Taking of nets",
        "Whoever takes a net from the drying racks to keep it is liable to mend nets for a winter.",
    ),
    (
        5,
        "Finding of nets",
        "Whoever finds a net adrift and keeps it from its owner is liable to mend nets for a week.",
    ),
];

fn manifest(id: &str, title: &str, kind: &str, until: &str) -> Manifest {
    let text = format!(
        "id = \"{id}\"\nkind = \"{kind}\"\nunit = \"section\"\ngrammar = \"indian-act\"\nlanguage = \"en\"\nin_force_from = \"1990-01-01\"\n{until}\n[title]\nen = \"{title}\"\n[names]\nen = [\"{title}\"]\n"
    );
    Manifest::parse(id, &text).unwrap()
}

pub fn catalogue() -> Arc<Catalogue> {
    Arc::new(Catalogue::new([
        manifest("xx/harbour-act", "Harbour Act", "substantive", ""),
        manifest(
            "xx/quay-procedure",
            "Quay Procedure Act",
            "procedure",
            "repealed_on = \"2020-01-01\"\nsuccessor = \"xx/new-procedure\"",
        ),
        manifest("xx/new-procedure", "New Procedure Act", "procedure", ""),
    ]))
}

pub fn harbour(n: u32) -> ProvisionId {
    format!("xx/harbour-act#s{n}").parse().unwrap()
}

/// Searches the Harbour Act: a query that has `N` as a word finds section N first, then the others follow.
pub struct Kb {
    lookup: MemoryLookup,
    pub searches: AtomicUsize,
    pub queries: Mutex<Vec<Query>>,
}

impl Kb {
    pub fn new() -> Self {
        Self::with_hostile(None)
    }

    pub fn with_hostile(hostile: Option<String>) -> Self {
        let provision = |(n, heading, text): &(u32, &str, &str)| Provision {
            id: harbour(*n),
            heading: Some((*heading).to_owned()),
            breadcrumb: vec!["Part I".to_owned()],
            text: match (&hostile, n) {
                (Some(words), 1) => words.clone(),
                _ => (*text).to_owned(),
            },
            status: Status::InForce,
            in_force_from: None,
            in_force_until: None,
            struck_down: None,
            annotations: Vec::new(),
            pinpoints: Vec::new(),
            source: SourceRef { file_sha256: "00".to_owned(), page: None, offset: None },
        };
        let edition = |work: &str, provisions| Edition {
            work: work.parse().unwrap(),
            version: date(1990, 1, 1),
            language: "en".to_owned(),
            source: "file".to_owned(),
            source_file: "harbour.txt".to_owned(),
            source_sha256: "00".to_owned(),
            complete: true,
            provisions,
        };
        let lookup = MemoryLookup::new([
            edition("xx/harbour-act", HARBOUR.iter().map(provision).collect()),
            edition("xx/quay-procedure", Vec::new()),
            edition("xx/new-procedure", Vec::new()),
        ]);
        Self { lookup, searches: AtomicUsize::new(0), queries: Mutex::default() }
    }
}

#[async_trait]
impl Retrieve for Kb {
    async fn search(&self, query: &Query) -> Result<Vec<Hit>, nyaya_retrieval::Error> {
        self.searches.fetch_add(1, Ordering::SeqCst);
        self.queries.lock().unwrap().push(query.clone());
        let named: Vec<u32> = query.text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        let work = "xx/harbour-act".parse().unwrap();
        let wanted = |n: &u32| query.works.is_empty() || query.works.contains(&harbour(*n).work);
        let numbers = if named.is_empty() { HARBOUR.iter().map(|h| h.0).collect() } else { named };
        Ok(numbers
            .into_iter()
            .filter(wanted)
            .take(query.k)
            .enumerate()
            .filter_map(|(i, n)| {
                let p = self.lookup.provision(&work, date(1990, 1, 1), &Unit::Section(Number::plain(n)))?;
                Some(Hit {
                    id: p.id.clone(),
                    version: date(1990, 1, 1),
                    language: "en".to_owned(),
                    rank: i + 1,
                    score: 0.1 / (i as f32 + 1.0),
                    exact: false,
                    bm25_rank: Some(i + 1),
                    dense_rank: None,
                    title: "Harbour Act".to_owned(),
                    breadcrumb: p.breadcrumb.clone(),
                    heading: p.heading.clone(),
                    status: p.status,
                    repealed_on: None,
                    struck_down: None,
                    range: 0..p.text.len(),
                    text: p.text.clone(),
                })
            })
            .collect())
    }

    fn lookup(&self) -> &dyn ProvisionLookup {
        &self.lookup
    }

    fn snapshot(&self) -> String {
        "harbour-1".to_owned()
    }
}

impl Default for Kb {
    fn default() -> Self {
        Self::new()
    }
}

impl Shelf for Kb {
    fn catalogue() -> Arc<Catalogue> {
        catalogue()
    }
}
