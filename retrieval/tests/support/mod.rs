//! A Qdrant server in this process: the gRPC services that `qdrant-client` ships, backed by an [`EdgeStore`].
//! It speaks the wire format, so what the client sends is really encoded, sent and read.

use std::sync::{Arc, Mutex};

use ::qdrant_client::Payload as WirePayload;
use ::qdrant_client::qdrant::collections_server::{Collections, CollectionsServer};
use ::qdrant_client::qdrant::condition::ConditionOneOf;
use ::qdrant_client::qdrant::r#match::MatchValue;
use ::qdrant_client::qdrant::point_id::PointIdOptions;
use ::qdrant_client::qdrant::points_selector::PointsSelectorOneOf;
use ::qdrant_client::qdrant::points_server::{Points, PointsServer};
use ::qdrant_client::qdrant::*;
use nyaya_retrieval::vectors::{EdgeStore, Payload, Point, PointFilter, VectorStore};
use tonic::{Request, Response, Status};
use uuid::Uuid;

type Reply<T> = Result<Response<T>, Status>;

/// What the server was asked for, and its one collection.
pub struct Server {
    store: EdgeStore,
    collection: Mutex<Option<String>>,
    key: Option<String>,
}

fn internal(e: impl std::fmt::Display) -> Status {
    Status::internal(e.to_string())
}

fn uuid(id: Option<PointId>) -> Result<Uuid, Status> {
    match id.and_then(|id| id.point_id_options) {
        Some(PointIdOptions::Uuid(text)) => text.parse().map_err(internal),
        _ => Err(Status::invalid_argument("points have UUIDs")),
    }
}

fn filter(wire: Option<Filter>) -> Result<PointFilter, Status> {
    let mut out = PointFilter::default();
    for condition in wire.into_iter().flat_map(|f| f.must) {
        let Some(ConditionOneOf::Field(field)) = condition.condition_one_of else {
            return Err(Status::invalid_argument("only field conditions"));
        };
        match (field.key.as_str(), field.r#match.and_then(|m| m.match_value), field.range) {
            ("edition", Some(MatchValue::Keywords(list)), None) => out.editions = list.strings,
            ("edition", Some(MatchValue::Keyword(one)), None) => out.editions = vec![one],
            ("from", None, Some(Range { lte: Some(day), .. }))
            | ("until", None, Some(Range { gt: Some(day), .. })) => {
                out.on_day = Some(day as i64);
            }
            other => return Err(Status::invalid_argument(format!("unexpected condition {other:?}"))),
        }
    }
    Ok(out)
}

impl Server {
    fn check<T>(&self, request: &Request<T>, collection: &str) -> Result<(), Status> {
        let given = request.metadata().get("api-key").and_then(|v| v.to_str().ok());
        if given != self.key.as_deref() {
            return Err(Status::unauthenticated("Invalid API key or JWT"));
        }
        let exists = self.collection.lock().unwrap().as_deref() == Some(collection);
        if exists {
            Ok(())
        } else {
            Err(Status::not_found(format!("Collection `{collection}` doesn't exist!")))
        }
    }
}

fn dense(vectors: Option<Vectors>) -> Result<Vec<f32>, Status> {
    use vectors::VectorsOptions;
    match vectors.and_then(|v| v.vectors_options) {
        Some(VectorsOptions::Vector(vector)) => match vector.vector {
            Some(vector::Vector::Dense(dense)) => Ok(dense.data),
            #[allow(deprecated)]
            None => Ok(vector.data),
            Some(_) => Err(Status::invalid_argument("only dense vectors")),
        },
        _ => Err(Status::invalid_argument("one vector a point")),
    }
}

#[tonic::async_trait]
impl Points for Shared {
    async fn upsert(&self, request: Request<UpsertPoints>) -> Reply<PointsOperationResponse> {
        self.0.check(&request, &request.get_ref().collection_name)?;
        let mut points = Vec::new();
        for p in request.into_inner().points {
            let payload: serde_json::Value = WirePayload::from(p.payload).into();
            let payload: Payload = serde_json::from_value(payload).map_err(internal)?;
            points.push(Point { id: uuid(p.id)?, vector: dense(p.vectors)?, payload });
        }
        self.0.store.upsert(points).await.map_err(internal)?;
        Ok(Response::new(PointsOperationResponse::default()))
    }
    async fn delete(&self, request: Request<DeletePoints>) -> Reply<PointsOperationResponse> {
        self.0.check(&request, &request.get_ref().collection_name)?;
        let selector = request.into_inner().points.and_then(|p| p.points_selector_one_of);
        let Some(PointsSelectorOneOf::Points(list)) = selector else {
            return Err(Status::invalid_argument("only lists of ids"));
        };
        let ids = list.ids.into_iter().map(|id| uuid(Some(id))).collect::<Result<Vec<_>, _>>()?;
        self.0.store.delete(&ids).await.map_err(internal)?;
        Ok(Response::new(PointsOperationResponse::default()))
    }
    async fn get(&self, request: Request<GetPoints>) -> Reply<GetResponse> {
        self.0.check(&request, &request.get_ref().collection_name)?;
        let ids =
            request.into_inner().ids.into_iter().map(|id| uuid(Some(id))).collect::<Result<Vec<_>, _>>()?;
        let result = self.0.store.payloads(&ids).await.map_err(internal)?;
        let result = result
            .into_iter()
            .map(|(id, payload)| {
                let value = serde_json::to_value(payload).map_err(internal)?;
                let payload = WirePayload::try_from(value).map_err(internal)?;
                Ok(RetrievedPoint {
                    id: Some(id.to_string().into()),
                    payload: payload.into(),
                    ..Default::default()
                })
            })
            .collect::<Result<Vec<_>, Status>>()?;
        Ok(Response::new(GetResponse { result, ..Default::default() }))
    }
    async fn create_field_index(
        &self,
        request: Request<CreateFieldIndexCollection>,
    ) -> Reply<PointsOperationResponse> {
        self.0.check(&request, &request.get_ref().collection_name)?;
        Ok(Response::new(PointsOperationResponse::default()))
    }
    async fn count(&self, request: Request<CountPoints>) -> Reply<CountResponse> {
        self.0.check(&request, &request.get_ref().collection_name)?;
        let count = self.0.store.count(&filter(request.into_inner().filter)?).await.map_err(internal)?;
        Ok(Response::new(CountResponse { result: Some(CountResult { count }), ..Default::default() }))
    }
    async fn query(&self, request: Request<QueryPoints>) -> Reply<QueryResponse> {
        self.0.check(&request, &request.get_ref().collection_name)?;
        let request = request.into_inner();
        let Some(query::Variant::Nearest(input)) = request.query.and_then(|q| q.variant) else {
            return Err(Status::invalid_argument("only nearest"));
        };
        let Some(vector_input::Variant::Dense(vector)) = input.variant else {
            return Err(Status::invalid_argument("only dense"));
        };
        let limit = request.limit.unwrap_or(10) as usize;
        let found =
            self.0.store.query(vector.data, &filter(request.filter)?, limit).await.map_err(internal)?;
        let result = found
            .into_iter()
            .map(|(id, score)| ScoredPoint { id: Some(id.to_string().into()), score, ..Default::default() })
            .collect();
        Ok(Response::new(QueryResponse { result, ..Default::default() }))
    }

    unsupported! {
        update_vectors(UpdatePointVectors) -> PointsOperationResponse;
        delete_vectors(DeletePointVectors) -> PointsOperationResponse;
        set_payload(SetPayloadPoints) -> PointsOperationResponse;
        overwrite_payload(SetPayloadPoints) -> PointsOperationResponse;
        delete_payload(DeletePayloadPoints) -> PointsOperationResponse;
        clear_payload(ClearPayloadPoints) -> PointsOperationResponse;
        delete_field_index(DeleteFieldIndexCollection) -> PointsOperationResponse;
        create_vector_name(CreateVectorNameRequest) -> PointsOperationResponse;
        delete_vector_name(DeleteVectorNameRequest) -> PointsOperationResponse;
        search(SearchPoints) -> SearchResponse;
        search_batch(SearchBatchPoints) -> SearchBatchResponse;
        search_groups(SearchPointGroups) -> SearchGroupsResponse;
        scroll(ScrollPoints) -> ScrollResponse;
        recommend(RecommendPoints) -> RecommendResponse;
        recommend_batch(RecommendBatchPoints) -> RecommendBatchResponse;
        recommend_groups(RecommendPointGroups) -> RecommendGroupsResponse;
        discover(DiscoverPoints) -> DiscoverResponse;
        discover_batch(DiscoverBatchPoints) -> DiscoverBatchResponse;
        update_batch(UpdateBatchPoints) -> UpdateBatchResponse;
        query_batch(QueryBatchPoints) -> QueryBatchResponse;
        query_groups(QueryPointGroups) -> QueryGroupsResponse;
        facet(FacetCounts) -> FacetResponse;
        search_matrix_pairs(SearchMatrixPoints) -> SearchMatrixPairsResponse;
        search_matrix_offsets(SearchMatrixPoints) -> SearchMatrixOffsetsResponse;
    }
}

#[tonic::async_trait]
impl Collections for Shared {
    async fn create(&self, request: Request<CreateCollection>) -> Reply<CollectionOperationResponse> {
        *self.0.collection.lock().unwrap() = Some(request.into_inner().collection_name);
        Ok(Response::new(CollectionOperationResponse { result: true, time: 0.0 }))
    }
    async fn collection_exists(
        &self,
        request: Request<CollectionExistsRequest>,
    ) -> Reply<CollectionExistsResponse> {
        let exists = match self.0.check(&request, &request.get_ref().collection_name) {
            Ok(()) => true,
            Err(status) if status.code() == tonic::Code::NotFound => false,
            Err(status) => return Err(status),
        };
        Ok(Response::new(CollectionExistsResponse { result: Some(CollectionExists { exists }), time: 0.0 }))
    }

    unsupported! {
        get(GetCollectionInfoRequest) -> GetCollectionInfoResponse;
        list(ListCollectionsRequest) -> ListCollectionsResponse;
        update(UpdateCollection) -> CollectionOperationResponse;
        delete(DeleteCollection) -> CollectionOperationResponse;
        update_aliases(ChangeAliases) -> CollectionOperationResponse;
        list_collection_aliases(ListCollectionAliasesRequest) -> ListAliasesResponse;
        list_aliases(ListAliasesRequest) -> ListAliasesResponse;
        collection_cluster_info(CollectionClusterInfoRequest) -> CollectionClusterInfoResponse;
        update_collection_cluster_setup(UpdateCollectionClusterSetupRequest) -> UpdateCollectionClusterSetupResponse;
        create_shard_key(CreateShardKeyRequest) -> CreateShardKeyResponse;
        delete_shard_key(DeleteShardKeyRequest) -> DeleteShardKeyResponse;
        list_shard_keys(ListShardKeysRequest) -> ListShardKeysResponse;
    }
}

#[derive(Clone)]
pub struct Shared(Arc<Server>);

/// Starts the server on a free port of this machine; it ends with the runtime.
pub async fn start(folder: &std::path::Path, dimension: usize, key: Option<&str>) -> String {
    let server = Shared(Arc::new(Server {
        store: EdgeStore::create(folder, dimension).unwrap(),
        collection: Mutex::new(None),
        key: key.map(str::to_owned),
    }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(
        tonic::transport::Server::builder()
            .add_service(CollectionsServer::new(server.clone()))
            .add_service(PointsServer::new(server))
            .serve_with_incoming(tonic::transport::server::TcpIncoming::from(listener)),
    );
    format!("http://{address}")
}
