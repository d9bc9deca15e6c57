//! A knowledge base opened for reading: look-up, search, and what it holds.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;
use nyaya_corpora::citation::{self, Context, Extractor};
use nyaya_corpora::{
    Catalogue, Edition, EditionInfo, MemoryLookup, Provision, ProvisionId, ProvisionLookup, Status, Unit,
    WorkId,
};
use uuid::Uuid;

use crate::bm25::{self, Bm25};
use crate::embed::{Embedder, Kind};
use crate::error::{Error, Result};
use crate::fusion::{Candidates, Key, Side};
use crate::hit::{Hit, Mode, Query, Retrieve};
use crate::store::{EditionEntry, Generation, Layout, Span};
use crate::vectors::{EdgeStore, PointFilter, ServerStore, VectorStore};
use crate::writer::{check_embedder, head, place, point_id, points_of};

/// Passages that each of the two searches gives to the fusion.
const CANDIDATES: usize = 200;

/// Whose law a bare "Article 21" in a query is, unless the query says.
const DEFAULT_JURISDICTION: &str = "in";

/// A passage in memory.
pub(crate) struct Loaded {
    pub edition: usize,
    pub edition_key: String,
    pub provision: Arc<Provision>,
    pub span: Span,
    pub point: Uuid,
    /// Words before the passage, for the embedder.
    pub head: String,
    /// Heading of the provision, for BM25.
    pub heading: String,
    /// Title of the statute, part and chapter, for BM25.
    pub place: String,
}

impl Loaded {
    pub fn text(&self) -> &str {
        self.provision.text.get(self.span.start..self.span.end).unwrap_or_default()
    }
}

/// Where the vectors are.
#[derive(Debug, Clone, Default)]
pub enum VectorsAt {
    /// In the knowledge base's folder.
    #[default]
    Embedded,
    /// On a Qdrant server (gRPC address), with an API key if it wants one.
    Server(String, Option<String>),
}

/// A knowledge base, at one generation: the one that was current when it was opened, unless another was asked for.
pub struct KnowledgeBase {
    layout: Layout,
    generation: Generation,
    catalogue: Catalogue,
    /// Finds provisions that a query names.
    extractor: Extractor,
    lookup: MemoryLookup,
    passages: Vec<Loaded>,
    by_point: HashMap<Uuid, usize>,
    by_unit: HashMap<(usize, Unit), usize>,
    bm25: Bm25,
    vectors_at: VectorsAt,
    vectors: tokio::sync::OnceCell<Arc<dyn VectorStore>>,
    embedder: Option<Arc<dyn Embedder>>,
}

/// Reads the passages of a generation in the order of editions and of the code.
pub(crate) fn load_passages(layout: &Layout, generation: &Generation) -> Result<Vec<Loaded>> {
    let mut all = Vec::new();
    for (index, entry) in generation.editions.iter().enumerate() {
        let edition = layout.load_edition(entry)?;
        let provisions: HashMap<Unit, Arc<Provision>> =
            edition.provisions.into_iter().map(|p| (p.id.unit.clone(), Arc::new(p))).collect();
        load_into(&mut all, layout, entry, index, &provisions)?;
    }
    Ok(all)
}

fn load_into(
    all: &mut Vec<Loaded>,
    layout: &Layout,
    entry: &EditionEntry,
    index: usize,
    provisions: &HashMap<Unit, Arc<Provision>>,
) -> Result<()> {
    for span in layout.load_spans(entry)? {
        let damaged = || {
            Error::hint(
                format!("{}: a passage of {} lies outside its provision", layout.root().display(), span.unit),
                format!("run `nyaya corpus build {}` again", entry.work),
            )
        };
        let provision = provisions.get(&span.unit).ok_or_else(damaged)?;
        let text = provision.text.get(span.start..span.end).ok_or_else(damaged)?;
        all.push(Loaded {
            edition: index,
            edition_key: entry.key(),
            point: point_id(entry, &span, text),
            head: head(provision),
            heading: provision.heading.clone().unwrap_or_default(),
            place: place(&entry.native_title, provision),
            provision: Arc::clone(provision),
            span,
        });
    }
    Ok(())
}

impl KnowledgeBase {
    /// Opens the current generation. Without an embedder only `bm25` searches work.
    ///
    /// # Errors
    /// If nothing was built yet, something is damaged, or `embedder` is not the one that made the vectors.
    pub fn open(
        layout: Layout,
        catalogue: Catalogue,
        embedder: Option<Arc<dyn Embedder>>,
        vectors_at: VectorsAt,
    ) -> Result<Self> {
        let generation = layout.current()?.ok_or_else(|| {
            Error::hint(
                format!("{}: no knowledge base there yet", layout.root().display()),
                "run `nyaya corpus build`, or `nyaya demo` to see everything at once",
            )
        })?;
        Self::at(layout, generation, catalogue, embedder, vectors_at)
    }

    /// Opens a generation, current or not, whose indexes are there.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn at(
        layout: Layout,
        generation: Generation,
        catalogue: Catalogue,
        embedder: Option<Arc<dyn Embedder>>,
        vectors_at: VectorsAt,
    ) -> Result<Self> {
        if generation.analyzer != crate::analyzer::NAME {
            return Err(Error::hint(
                format!(
                    "{}: indexed with analyzer {}, this program has {}",
                    layout.root().display(),
                    generation.analyzer,
                    crate::analyzer::NAME
                ),
                "run `nyaya kb rebuild`",
            ));
        }
        if let Some(embedder) = &embedder {
            check_embedder(&layout, &generation, embedder.identity())?;
        }
        let mut passages = Vec::new();
        let mut editions = Vec::new();
        for (index, entry) in generation.editions.iter().enumerate() {
            let edition: Edition = layout.load_edition(entry)?;
            let provisions: HashMap<Unit, Arc<Provision>> =
                edition.provisions.iter().map(|p| (p.id.unit.clone(), Arc::new(p.clone()))).collect();
            load_into(&mut passages, &layout, entry, index, &provisions)?;
            editions.push(edition);
        }
        let by_point = passages.iter().enumerate().map(|(i, p)| (p.point, i)).collect();
        let mut by_unit = HashMap::new();
        for (i, p) in passages.iter().enumerate() {
            by_unit.entry((p.edition, p.span.unit.clone())).or_insert(i);
        }
        let context = Context { jurisdiction: Some(DEFAULT_JURISDICTION.to_owned()), ..Context::default() };
        let extractor = Extractor::new(&catalogue, &context);
        let none = BTreeMap::new();
        let bm25 = Bm25::open(
            &layout.generation(generation.number).join(bm25::FOLDER),
            generation.indexes.get(bm25::FOLDER).unwrap_or(&none),
        )?;
        Ok(Self {
            lookup: MemoryLookup::new(editions),
            layout,
            generation,
            catalogue,
            extractor,
            passages,
            by_point,
            by_unit,
            bm25,
            vectors_at,
            vectors: tokio::sync::OnceCell::new(),
            embedder,
        })
    }

    /// What the generation holds.
    #[must_use]
    pub fn generation(&self) -> &Generation {
        &self.generation
    }

    /// The manifests it was opened with.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// How many passages there are.
    #[must_use]
    pub fn passage_count(&self) -> usize {
        self.passages.len()
    }

    /// A provision by name; the edition is that of the name, else the one of `as_of`, else the newest.
    ///
    /// # Errors
    /// If the work or the provision is not held; the hint names what is.
    pub fn show(&self, id: &ProvisionId, as_of: Option<Date>) -> Result<(EditionInfo, Arc<Provision>)> {
        let editions = self.lookup.editions(&id.work);
        let Some(newest) = editions.last() else {
            let held: Vec<String> = self.lookup.works().iter().map(ToString::to_string).collect();
            return Err(Error::hint(
                format!("{}: the knowledge base does not hold {}", id, id.work),
                format!("it holds {}; `nyaya corpus build {}` adds it", held.join(", "), id.work),
            ));
        };
        let edition = match (&id.edition, as_of) {
            (Some(tag), _) => {
                editions.iter().find(|e| e.version == tag.version && e.language == tag.language).cloned()
            }
            (None, Some(day)) => self.lookup.edition_at(&id.work, day).map(|(e, _)| e),
            (None, None) => Some(newest.clone()),
        };
        let Some(edition) = edition else {
            let held: Vec<String> =
                editions.iter().map(|e| format!("{}:{}", e.version, e.language)).collect();
            return Err(Error::hint(
                format!("{id}: that edition is not held"),
                format!("held are {}", held.join(", ")),
            ));
        };
        let provision = self.lookup.provision(&id.work, edition.version, &id.unit).ok_or_else(|| {
            let units = self.lookup.units(&id.work, edition.version);
            let ends = (units.iter().find(|u| u.is_numbered_provision()), units.last());
            let range = match ends {
                (Some(first), Some(last)) => format!("it has {first} to {last}"),
                _ => "it is empty".to_owned(),
            };
            Error::hint(format!("{}: {} has no such provision", id, id.work), range)
        })?;
        Ok((edition, provision))
    }

    /// Editions that a query may look at: the newest of each work, or those in force on its day.
    fn editions_for(&self, query: &Query) -> Vec<usize> {
        let mut best: HashMap<&WorkId, usize> = HashMap::new();
        for (index, entry) in self.generation.editions.iter().enumerate() {
            if !query.works.is_empty() && !query.works.contains(&entry.work) {
                continue;
            }
            if query.jurisdiction.as_deref().is_some_and(|j| j != entry.work.jurisdiction()) {
                continue;
            }
            if let Some(day) = query.as_of {
                let begun = self.catalogue.get(&entry.work).is_none_or(|m| m.in_force_from <= day);
                let over = entry.repealed_on.is_some_and(|end| end <= day);
                if !begun || over {
                    continue;
                }
            }
            let better = |old: usize| {
                let Some(old) = self.generation.editions.get(old) else { return true };
                match query.as_of {
                    // A day before every version held is served by the oldest.
                    Some(day) if old.version > day => entry.version < old.version,
                    Some(day) => entry.version <= day && entry.version > old.version,
                    None => entry.version > old.version,
                }
            };
            match best.get(&entry.work) {
                Some(old) if !better(*old) => {}
                _ => {
                    best.insert(&entry.work, index);
                }
            }
        }
        let mut indexes: Vec<usize> = best.into_values().collect();
        indexes.sort_unstable();
        indexes
    }

    fn key_of(&self, passage: usize) -> Option<Key> {
        self.passages.get(passage).map(|p| (p.edition, p.span.unit.clone()))
    }

    /// Units that the query names, in the order named.
    fn named(&self, query: &Query, editions: &[usize]) -> Vec<Key> {
        let ids = self.named_ids(query, editions);
        let mut named = Vec::new();
        for id in ids {
            for index in editions {
                let held = self.generation.editions.get(*index).is_some_and(|e| e.work == id.work);
                let key = (*index, id.unit.clone());
                if held && self.by_unit.contains_key(&key) && !named.contains(&key) {
                    named.push(key);
                }
            }
        }
        named
    }

    fn named_ids(&self, query: &Query, editions: &[usize]) -> Vec<ProvisionId> {
        let mut ids: Vec<ProvisionId> =
            query.text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        let only = match (query.works.as_slice(), editions) {
            ([work], _) => Some(work.clone()),
            (_, [one]) => self.generation.editions.get(*one).map(|e| e.work.clone()),
            _ => None,
        };
        let found = if only.is_none() && query.jurisdiction.is_none() {
            self.extractor.extract(&query.text)
        } else {
            let jurisdiction = query.jurisdiction.clone().or_else(|| Some(DEFAULT_JURISDICTION.to_owned()));
            let context = Context { default_work: only, jurisdiction, ..Context::default() };
            citation::extract(&query.text, &self.catalogue, &context)
        };
        ids.extend(found.into_iter().filter_map(|f| Some(ProvisionId::new(f.work?, f.unit?))));
        ids
    }

    /// Provisions that the query names and the searched editions do not have: another number, a statute that is not
    /// held, or one that was not in force on the day.
    #[must_use]
    pub fn named_in_vain(&self, query: &Query) -> Vec<ProvisionId> {
        let editions = self.editions_for(query);
        let found = self.named_ids(query, &editions);
        found.into_iter().filter(|id| !editions.iter().any(|i| self.has(*i, id))).collect()
    }

    fn has(&self, edition: usize, id: &ProvisionId) -> bool {
        self.generation.editions.get(edition).is_some_and(|e| {
            e.work == id.work && self.lookup.provision(&e.work, e.version, &id.unit).is_some()
        })
    }

    async fn vectors(&self) -> Result<&Arc<dyn VectorStore>> {
        self.vectors
            .get_or_try_init(|| async {
                Ok(match &self.vectors_at {
                    VectorsAt::Embedded => {
                        let name = EdgeStore::FOLDER;
                        let folder = self.layout.generation(self.generation.number).join(name);
                        let seals = self.generation.indexes.get(name).cloned().unwrap_or_default();
                        let store =
                            tokio::task::spawn_blocking(move || EdgeStore::open(&folder, Some(&seals)))
                                .await
                                .map_err(|e| Error::backend("Qdrant", e))??;
                        Arc::new(store) as Arc<dyn VectorStore>
                    }
                    VectorsAt::Server(url, key) => {
                        let store = self.on_server(url, key.clone()).await?;
                        Arc::new(store) as Arc<dyn VectorStore>
                    }
                })
            })
            .await
    }

    /// The collection of this generation on a server; filled from the stored vectors where points are absent.
    async fn on_server(&self, url: &str, key: Option<String>) -> Result<ServerStore> {
        let dimension = self.generation.embedder.dimension;
        let mark = self.generation.embedder.model_sha256.get(..8).unwrap_or("model");
        let store = ServerStore::connect(url, key, &format!("nyaya-{mark}"), dimension).await?;
        for entry in &self.generation.editions {
            let filter = PointFilter { editions: vec![entry.key()], on_day: None };
            let points = points_of(&self.layout, entry, &self.generation, &self.passages)?;
            let ids: Vec<Uuid> = points.iter().map(|p| p.id).collect();
            let present: std::collections::HashSet<Uuid> =
                store.payloads(&ids).await?.into_iter().map(|(id, _)| id).collect();
            let absent: Vec<_> = points.into_iter().filter(|p| !present.contains(&p.id)).collect();
            if !absent.is_empty() {
                tracing::info!("{url}: writing {} points of {}", absent.len(), entry.key());
                store.upsert(absent).await?;
            }
            let held = store.count(&filter).await?;
            if held != ids.len() as u64 {
                // Points of an earlier text of this edition: never found by id, but they would take places.
                tracing::warn!("{url}: {held} points of {} for {} passages", entry.key(), ids.len());
            }
        }
        Ok(store)
    }

    fn hit(&self, passage: &Loaded) -> Option<Hit> {
        let entry = self.generation.editions.get(passage.edition)?;
        let provision = &passage.provision;
        Some(Hit {
            id: provision.id.clone(),
            version: entry.version,
            language: entry.language.clone(),
            rank: 0,
            score: 0.0,
            exact: false,
            bm25_rank: None,
            dense_rank: None,
            title: entry.native_title.clone(),
            breadcrumb: provision.breadcrumb.clone(),
            heading: provision.heading.clone(),
            status: provision.status,
            repealed_on: entry.repealed_on,
            struck_down: provision.struck_down.clone(),
            range: passage.span.start..passage.span.end,
            text: passage.text().to_owned(),
        })
    }

    /// The best passages for a vector that is known already; what [`Retrieve::search`] does after embedding.
    ///
    /// # Errors
    /// If an index fails.
    pub async fn search_with(&self, query: &Query, vector: Option<Vec<f32>>) -> Result<Vec<Hit>> {
        let editions = self.editions_for(query);
        if editions.is_empty() {
            return Ok(Vec::new());
        }
        let keys: Vec<String> =
            editions.iter().filter_map(|i| self.generation.editions.get(*i)).map(EditionEntry::key).collect();
        let all = editions.len() == self.generation.editions.len();
        let filter = if all { Vec::new() } else { keys };
        let candidates = CANDIDATES.max(query.k * 3);

        let mut found = Candidates::default();
        if query.mode != Mode::Dense {
            let list = self.bm25.search(&query.text, &filter, candidates)?;
            let list =
                list.into_iter().map(|(key, score)| (usize::try_from(key).unwrap_or(usize::MAX), score));
            found.add(Side::Bm25, list, |i| self.key_of(i));
        }
        if let Some(vector) = vector {
            let filter = PointFilter { editions: filter.clone(), on_day: None };
            let list = self.vectors().await?.query(vector, &filter, candidates).await?;
            // A point that is not of this generation is on the server for another one.
            let list = list.into_iter().filter_map(|(id, score)| Some((*self.by_point.get(&id)?, score)));
            found.add(Side::Dense, list, |i| self.key_of(i));
        }
        let ranked = found.ranked(query.mode);

        let mut hits: Vec<Hit> = Vec::new();
        for key in self.named(query, &editions) {
            // Of a provision that is named, the passage that fits the rest of the query best.
            let best = ranked.iter().find(|r| r.key == key).map(|r| r.passage);
            let Some(best) = best.or_else(|| self.by_unit.get(&key).copied()) else { continue };
            if let Some(mut hit) = self.passages.get(best).and_then(|p| self.hit(p)) {
                hit.exact = true;
                hit.score = 1.0;
                hits.push(hit);
            }
        }
        for ranked in ranked {
            if hits.len() >= query.k {
                break;
            }
            let Some(mut hit) = self.passages.get(ranked.passage).and_then(|p| self.hit(p)) else { continue };
            if hits.iter().any(|h| h.id == hit.id && h.version == hit.version) {
                continue;
            }
            // On a day, only what was law on it; a provision that is named is shown with its status.
            if query.as_of.is_some() && matches!(hit.status, Status::Omitted | Status::Repealed) {
                continue;
            }
            hit.score = ranked.score;
            hit.bm25_rank = ranked.bm25_rank;
            hit.dense_rank = ranked.dense_rank;
            hits.push(hit);
        }
        hits.truncate(query.k);
        for (i, hit) in hits.iter_mut().enumerate() {
            hit.rank = i + 1;
        }
        Ok(hits)
    }

    /// The vector of a query, or `None` where the mode needs none.
    ///
    /// # Errors
    /// If there is no embedder, or it fails.
    pub async fn embed_query(&self, query: &Query) -> Result<Option<Vec<f32>>> {
        if query.mode == Mode::Bm25 {
            return Ok(None);
        }
        let embedder = self.embedder.as_ref().ok_or_else(|| {
            Error::hint(
                "this search needs the embedder, which is not there",
                "run `nyaya models pull embedder onnxruntime`, or search with `--mode bm25`",
            )
        })?;
        let vectors = embedder.embed(vec![query.text.clone()], Kind::Query).await?;
        Ok(vectors.into_iter().next())
    }
}

#[async_trait]
impl Retrieve for KnowledgeBase {
    async fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let vector = self.embed_query(query).await?;
        self.search_with(query, vector).await
    }

    fn lookup(&self) -> &dyn ProvisionLookup {
        &self.lookup
    }

    fn snapshot(&self) -> String {
        self.generation.content()
    }
}
