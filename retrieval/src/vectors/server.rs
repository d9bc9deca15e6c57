//! A Qdrant server (one node or a cluster) over gRPC.

use async_trait::async_trait;
use qdrant_client::qdrant::{
    Condition, CountPointsBuilder, CreateCollectionBuilder, CreateFieldIndexCollectionBuilder,
    DeletePointsBuilder, Distance, FieldType, Filter, GetPointsBuilder, PointId, PointStruct, PointsIdsList,
    Query, QueryPointsBuilder, Range, UpsertPointsBuilder, VectorParamsBuilder, point_id::PointIdOptions,
};
use qdrant_client::{Payload as WirePayload, Qdrant, QdrantError};
use uuid::Uuid;

use super::{Payload, Point, PointFilter, VectorStore};
use crate::error::{Error, Result};

/// Points go to the server in batches of this many.
const BATCH: usize = 256;

/// A collection on a Qdrant server.
pub struct ServerStore {
    client: Qdrant,
    url: String,
    collection: String,
}

impl ServerStore {
    /// Connects, and makes the collection if it is not there. The key comes from `QDRANT_API_KEY` or the caller.
    ///
    /// # Errors
    /// If the server does not answer, refuses the key, or has a collection of that name with another dimension.
    pub async fn connect(url: &str, key: Option<String>, collection: &str, dimension: usize) -> Result<Self> {
        let mut config = Qdrant::from_url(url).skip_compatibility_check();
        if let Some(key) = key {
            config = config.api_key(key);
        }
        let client = config.build().map_err(|e| fault(url, &e))?;
        let store = Self { client, url: url.to_owned(), collection: collection.to_owned() };
        let exists = store.client.collection_exists(collection).await.map_err(|e| fault(url, &e))?;
        if !exists {
            let vectors = VectorParamsBuilder::new(dimension as u64, Distance::Cosine);
            store
                .client
                .create_collection(CreateCollectionBuilder::new(collection).vectors_config(vectors))
                .await
                .map_err(|e| fault(url, &e))?;
            for (field, kind) in
                [("edition", FieldType::Keyword), ("from", FieldType::Integer), ("until", FieldType::Integer)]
            {
                store
                    .client
                    .create_field_index(
                        CreateFieldIndexCollectionBuilder::new(collection, field, kind).wait(true),
                    )
                    .await
                    .map_err(|e| fault(url, &e))?;
            }
        }
        Ok(store)
    }

    fn fault(&self, e: &QdrantError) -> Error {
        fault(&self.url, e)
    }
}

fn fault(url: &str, e: &QdrantError) -> Error {
    Error::hint(
        format!("Qdrant server {url}: {e}"),
        "is it running, is this its gRPC port (6334), and is QDRANT_API_KEY right? Without --vectors the embedded Qdrant is used",
    )
}

fn wire_filter(filter: &PointFilter) -> Filter {
    let mut must = Vec::new();
    if !filter.editions.is_empty() {
        must.push(Condition::matches("edition", filter.editions.clone()));
    }
    if let Some(day) = filter.on_day {
        #[expect(clippy::cast_precision_loss, reason = "days as yyyymmdd have eight digits")]
        let day = day as f64;
        must.push(Condition::range("from", Range { lte: Some(day), ..Range::default() }));
        must.push(Condition::range("until", Range { gt: Some(day), ..Range::default() }));
    }
    Filter::must(must)
}

fn wire_ids(ids: &[Uuid]) -> Vec<PointId> {
    ids.iter().map(|id| id.to_string().into()).collect()
}

fn uuid(id: Option<PointId>) -> Option<Uuid> {
    match id?.point_id_options? {
        PointIdOptions::Uuid(text) => text.parse().ok(),
        PointIdOptions::Num(_) => None,
    }
}

#[async_trait]
impl VectorStore for ServerStore {
    async fn upsert(&self, points: Vec<Point>) -> Result<()> {
        for chunk in points.chunks(BATCH) {
            let points = chunk
                .iter()
                .map(|p| {
                    let value = serde_json::to_value(&p.payload).map_err(|e| Error::backend("Qdrant", e))?;
                    let payload = WirePayload::try_from(value).map_err(|e| self.fault(&e))?;
                    Ok(PointStruct::new(p.id.to_string(), p.vector.clone(), payload))
                })
                .collect::<Result<Vec<_>>>()?;
            self.client
                .upsert_points(UpsertPointsBuilder::new(&self.collection, points).wait(true))
                .await
                .map_err(|e| self.fault(&e))?;
        }
        Ok(())
    }

    async fn delete(&self, ids: &[Uuid]) -> Result<()> {
        let ids = PointsIdsList { ids: wire_ids(ids) };
        self.client
            .delete_points(DeletePointsBuilder::new(&self.collection).points(ids).wait(true))
            .await
            .map_err(|e| self.fault(&e))?;
        Ok(())
    }

    async fn query(&self, vector: Vec<f32>, filter: &PointFilter, limit: usize) -> Result<Vec<(Uuid, f32)>> {
        let request = QueryPointsBuilder::new(&self.collection)
            .query(Query::new_nearest(vector))
            .filter(wire_filter(filter))
            .limit(limit as u64);
        let found = self.client.query(request).await.map_err(|e| self.fault(&e))?;
        Ok(found.result.into_iter().filter_map(|p| Some((uuid(p.id)?, p.score))).collect())
    }

    async fn count(&self, filter: &PointFilter) -> Result<u64> {
        let request = CountPointsBuilder::new(&self.collection).filter(wire_filter(filter)).exact(true);
        let reply = self.client.count(request).await.map_err(|e| self.fault(&e))?;
        Ok(reply.result.map_or(0, |r| r.count))
    }

    async fn payloads(&self, ids: &[Uuid]) -> Result<Vec<(Uuid, Payload)>> {
        let request = GetPointsBuilder::new(&self.collection, wire_ids(ids)).with_payload(true);
        let reply = self.client.get_points(request).await.map_err(|e| self.fault(&e))?;
        reply
            .result
            .into_iter()
            .filter_map(|p| Some((uuid(p.id)?, p.payload)))
            .map(|(id, payload)| {
                let value: serde_json::Value = WirePayload::from(payload).into();
                let payload = serde_json::from_value(value).map_err(|e| Error::backend("Qdrant", e))?;
                Ok((id, payload))
            })
            .collect()
    }

    async fn seal(&self) -> Result<()> {
        // Writes wait for the server, which persists them itself.
        Ok(())
    }
}
