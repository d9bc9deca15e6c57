//! A folder for a run, and trials in it.

use std::sync::Arc;

use jiff::civil::date;
use nyaya_agents::Case;
use nyaya_agents::chat::ChatModel;
use nyaya_agents::event::Event;
use nyaya_agents::record::{comparable, read_events};
use nyaya_agents::run::{Outcome, Parts, Place, Run, RunConfig, RunError, RunRecord};
use nyaya_agents::session::Models;
use nyaya_corpora::Catalogue;
use nyaya_retrieval::Retrieve;
use serde_json::Value;

/// A knowledge base with the catalogue that belongs to it.
pub trait Shelf: Retrieve + Default + 'static {
    fn catalogue() -> Arc<Catalogue>;
}

/// A run in a folder of its own.
pub struct Stage<K> {
    pub folder: tempfile::TempDir,
    pub kb: Arc<K>,
}

impl<K: Shelf> Stage<K> {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), kb: Arc::default() }
    }

    pub fn place(&self) -> Place {
        Place::Folder(self.folder.path().to_owned())
    }

    pub fn parts<M: ChatModel + 'static>(&self, model: Arc<M>) -> Parts {
        let kb: Arc<dyn Retrieve> = Arc::clone(&self.kb) as _;
        let model: Arc<dyn ChatModel> = model;
        Parts {
            models: Models::new(model),
            retriever: kb,
            catalogue: K::catalogue(),
            today: date(2026, 1, 1),
        }
    }

    pub fn run<M: ChatModel + 'static>(
        &self,
        config: &RunConfig,
        case: &Case,
        model: &Arc<M>,
    ) -> Result<Run, RunError> {
        Run::open(config, std::slice::from_ref(case), self.parts(Arc::clone(model)), &self.place())
    }

    pub async fn hold<M: ChatModel + 'static>(
        &self,
        config: &RunConfig,
        case: &Case,
        model: &Arc<M>,
    ) -> Result<Outcome, RunError> {
        self.run(config, case, model)?.trial(case, 0, Arc::new(())).await
    }

    pub fn events(&self, case: &Case) -> Vec<Event> {
        let trial = self.folder.path().join("trials").join(format!("{}-0", case.id));
        read_events(&trial.join("events.jsonl")).unwrap()
    }

    /// The code of the run's fences.
    pub fn secret(&self) -> String {
        RunRecord::read(self.folder.path()).unwrap().fence_secret
    }

    /// The record without times, latencies and the secret.
    pub fn comparable(&self, case: &Case) -> Vec<Value> {
        let secret = self.secret();
        self.events(case).iter().map(|e| comparable(e, Some(&secret))).collect()
    }
}
