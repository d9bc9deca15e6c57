//! Vectors: one trait, an embedded Qdrant shard and a Qdrant server behind it.

mod edge;
mod server;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::Result;
pub use edge::EdgeStore;
pub use server::ServerStore;

/// What a point carries beside its vector; filters are over these fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payload {
    /// Edition, as `work@version:language`.
    pub edition: String,
    /// Work, `in/ipc`.
    pub work: String,
    /// ISO 3166 code in lower case.
    pub jurisdiction: String,
    /// Unit, `s302`.
    pub unit: String,
    /// First day of the version as `yyyymmdd`.
    pub version: i64,
    /// BCP 47.
    pub language: String,
    /// Status in that version.
    pub status: String,
    /// First day in force as `yyyymmdd`.
    pub from: i64,
    /// First day no longer in force as `yyyymmdd`; 99999999 if none is known.
    pub until: i64,
    /// Byte range of the passage in the provision's text.
    pub start: i64,
    /// End of that range.
    pub end: i64,
}

/// A point.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Name of the passage (UUIDv5).
    pub id: Uuid,
    /// Vector of length 1.
    pub vector: Vec<f32>,
    /// Payload.
    pub payload: Payload,
}

/// Which points a query or a count looks at; all conditions hold together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PointFilter {
    /// Edition is one of these; empty means any.
    pub editions: Vec<String>,
    /// In force on this day (`yyyymmdd`): `from <= day < until`.
    pub on_day: Option<i64>,
}

/// Where vectors are.
#[async_trait]
pub trait VectorStore: Send + Sync {
    /// Writes points; one with an id that is there replaces it.
    async fn upsert(&self, points: Vec<Point>) -> Result<()>;

    /// Removes points; ids that are not there are no error.
    async fn delete(&self, ids: &[Uuid]) -> Result<()>;

    /// The nearest points by cosine, best first.
    async fn query(&self, vector: Vec<f32>, filter: &PointFilter, limit: usize) -> Result<Vec<(Uuid, f32)>>;

    /// How many points there are.
    async fn count(&self, filter: &PointFilter) -> Result<u64>;

    /// The payloads of points, in no order; ids that are not there are left out.
    async fn payloads(&self, ids: &[Uuid]) -> Result<Vec<(Uuid, Payload)>>;

    /// Makes what was written last: optimised and on disk.
    async fn seal(&self) -> Result<()>;
}
