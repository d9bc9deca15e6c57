//! Embedded Qdrant: a shard in a folder, in this process.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use qdrant_edge::{
    AnyVariants, Condition, CountRequest, DEFAULT_VECTOR_NAME, Distance, EdgeConfig, EdgeShard,
    EdgeVectorParams, FieldCondition, Filter, JsonPath, Match, MatchAny, NamedQuery, PointId,
    PointInsertOperations, PointOperations, PointStruct, QueryEnum, Range, SearchRequest, UpdateOperation,
    WalOptions, WithPayloadInterface, WithVector,
};
use uuid::Uuid;

use super::{Payload, Point, PointFilter, VectorStore};
use crate::error::{Error, Result};

/// A Qdrant shard. A writer works on the folder itself; a reader works on a private copy of a sealed shard, so
/// that any number of readers and the next writer never meet (the shard's log takes an exclusive lock, and this
/// version of the crate has no read-only opening).
pub struct EdgeStore {
    shard: Arc<EdgeShard>,
    // Holds a reader's copy; dropped after the shard.
    _copy: Option<tempfile::TempDir>,
}

fn fault(e: impl std::fmt::Display) -> Error {
    Error::backend("Qdrant", e)
}

fn config(dimension: usize) -> EdgeConfig {
    EdgeConfig::builder()
        .vector(DEFAULT_VECTOR_NAME, EdgeVectorParams::builder(dimension, Distance::Cosine).build())
        .wal_options(WalOptions { segment_capacity: 4 << 20, ..WalOptions::default() })
        .build()
}

impl EdgeStore {
    /// Makes a new shard in an empty or absent folder.
    ///
    /// # Errors
    /// If the folder holds a shard already or cannot be written.
    pub fn create(folder: &Path, dimension: usize) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
        let shard = EdgeShard::new(folder, config(dimension)).map_err(fault)?;
        Ok(Self { shard: Arc::new(shard), _copy: None })
    }

    /// Name of the shard's folder in a generation.
    pub(crate) const FOLDER: &str = "qdrant";

    /// Opens a sealed shard for reading. With `seals` (SHA-256 by path), its files must be what they were.
    ///
    /// # Errors
    /// If it is damaged or was altered, or there is no room for the copy.
    pub fn open(folder: &Path, seals: Option<&BTreeMap<String, String>>) -> Result<Self> {
        if !folder.join("segments").is_dir() {
            return Err(Error::hint(
                format!("{}: no vectors there", folder.display()),
                "run `nyaya kb rebuild`; the statutes themselves are not touched",
            ));
        }
        let copy = tempfile::Builder::new()
            .prefix("nyaya-vectors-")
            .tempdir()
            .map_err(|e| Error::io("temporary folder", e))?;
        copy_tree(folder, copy.path())?;
        if let Some(seals) = seals {
            crate::seal::check(copy.path(), seals, folder)?;
        }
        let shard = EdgeShard::load(copy.path(), None).map_err(|e| {
            Error::hint(
                format!("{}: the vectors cannot be opened: {e}", folder.display()),
                "run `nyaya kb rebuild`; the statutes themselves are not touched",
            )
        })?;
        Ok(Self { shard: Arc::new(shard), _copy: Some(copy) })
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&EdgeShard) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let shard = Arc::clone(&self.shard);
        tokio::task::spawn_blocking(move || work(&shard)).await.map_err(fault)?
    }
}

/// Copies what a reader needs; the log is left behind, because a sealed shard has everything in its segments.
fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).map_err(|e| Error::io(from, e))? {
        let entry = entry.map_err(|e| Error::io(from, e))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "wal" {
            continue;
        }
        if source.is_dir() {
            fs::create_dir_all(&target).map_err(|e| Error::io(&target, e))?;
            copy_tree(&source, &target)?;
        } else {
            fs::copy(&source, &target).map_err(|e| Error::io(&source, e))?;
        }
    }
    Ok(())
}

fn path(name: &str) -> Result<JsonPath> {
    name.parse().map_err(|()| fault(format!("{name} is not a payload path")))
}

fn edge_filter(filter: &PointFilter) -> Result<Option<Filter>> {
    let mut must = Vec::new();
    if !filter.editions.is_empty() {
        let any = Match::Any(MatchAny {
            any: AnyVariants::Strings(filter.editions.iter().map(|e| e.as_str().into()).collect()),
        });
        must.push(Condition::Field(FieldCondition::new_match(path("edition")?, any)));
    }
    if let Some(day) = filter.on_day {
        #[expect(clippy::cast_precision_loss, reason = "days as yyyymmdd have eight digits")]
        let day = day as f64;
        let from = Range { lte: Some(day.into()), ..Range::default() };
        let until = Range { gt: Some(day.into()), ..Range::default() };
        must.push(Condition::Field(FieldCondition::new_range(path("from")?, from)));
        must.push(Condition::Field(FieldCondition::new_range(path("until")?, until)));
    }
    Ok((!must.is_empty()).then(|| Filter { must: Some(must), ..Filter::default() }))
}

fn uuid(id: &PointId) -> Option<Uuid> {
    match id {
        PointId::Uuid(id) => Some(*id),
        PointId::NumId(_) => None,
    }
}

#[async_trait]
impl VectorStore for EdgeStore {
    async fn upsert(&self, points: Vec<Point>) -> Result<()> {
        let points = points
            .into_iter()
            .map(|p| {
                let payload = serde_json::to_value(&p.payload).map_err(fault)?;
                Ok(PointStruct::new(PointId::Uuid(p.id), p.vector, payload).into())
            })
            .collect::<Result<Vec<_>>>()?;
        self.run(move |shard| {
            let insert = PointInsertOperations::PointsList(points);
            shard
                .update(UpdateOperation::PointOperation(PointOperations::UpsertPoints(insert)))
                .map_err(fault)
        })
        .await
    }

    async fn delete(&self, ids: &[Uuid]) -> Result<()> {
        let ids = ids.iter().map(|id| PointId::Uuid(*id)).collect();
        self.run(move |shard| {
            shard
                .update(UpdateOperation::PointOperation(PointOperations::DeletePoints { ids }))
                .map_err(fault)
        })
        .await
    }

    async fn query(&self, vector: Vec<f32>, filter: &PointFilter, limit: usize) -> Result<Vec<(Uuid, f32)>> {
        let filter = edge_filter(filter)?;
        self.run(move |shard| {
            let query = NamedQuery::default_dense(vector);
            let request = SearchRequest {
                query: QueryEnum::Nearest(query),
                filter,
                params: None,
                limit,
                offset: 0,
                with_payload: None,
                with_vector: None,
                score_threshold: None,
            };
            let found = shard.search(request).map_err(fault)?;
            Ok(found.iter().filter_map(|p| Some((uuid(&p.id)?, p.score))).collect())
        })
        .await
    }

    async fn count(&self, filter: &PointFilter) -> Result<u64> {
        let filter = edge_filter(filter)?;
        self.run(move |shard| {
            let n = shard.count(CountRequest { filter, exact: true }).map_err(fault)?;
            Ok(n as u64)
        })
        .await
    }

    async fn payloads(&self, ids: &[Uuid]) -> Result<Vec<(Uuid, Payload)>> {
        let ids: Vec<PointId> = ids.iter().map(|id| PointId::Uuid(*id)).collect();
        self.run(move |shard| {
            let records = shard
                .retrieve(&ids, Some(WithPayloadInterface::Bool(true)), Some(WithVector::Bool(false)))
                .map_err(fault)?;
            records
                .into_iter()
                .filter_map(|r| Some((uuid(&r.id)?, r.payload?)))
                .map(|(id, payload)| {
                    let value = serde_json::Value::Object(payload.0.into_iter().collect());
                    Ok((id, serde_json::from_value(value).map_err(fault)?))
                })
                .collect()
        })
        .await
    }

    async fn seal(&self) -> Result<()> {
        self.run(|shard| {
            shard.optimize().map_err(fault)?;
            // `flush` panics when the disk is full; that must be an error that names it.
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| shard.flush())).map_err(|_| {
                Error::hint(
                    "the vectors could not be written to disk",
                    "free some disk space and run the same command again; nothing is lost",
                )
            })
        })
        .await
    }
}
