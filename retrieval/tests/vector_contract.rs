//! One contract for every [`VectorStore`]: embedded Qdrant, and a Qdrant server over gRPC. The server is one in
//! this process; with `QDRANT_URL` set, a real one as well.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::expect_used)]

use std::path::Path;

use nyaya_retrieval::vectors::{EdgeStore, Payload, Point, PointFilter, ServerStore, VectorStore};
use uuid::Uuid;

/// Services have many calls that the program does not make; they answer as a server answers what it lacks.
macro_rules! unsupported {
    ($($name:ident($request:ty) -> $reply:ty;)*) => {$(
        fn $name<'life, 'fut>(
            &'life self,
            _: tonic::Request<$request>,
        ) -> std::pin::Pin<Box<dyn Future<Output = Result<tonic::Response<$reply>, tonic::Status>> + Send + 'fut>>
        where
            'life: 'fut,
            Self: 'fut,
        {
            Box::pin(async { Err(tonic::Status::unimplemented(stringify!($name))) })
        }
    )*};
}

#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod support;

const EDITION_A: &str = "xx/fishing-act@2001-01-01:en";
const EDITION_B: &str = "xx/river-code@2010-05-01:en";

fn point(n: u128, vector: [f32; 4], edition: &str, from: i64, until: i64) -> Point {
    Point {
        id: Uuid::from_u128(n),
        vector: vector.to_vec(),
        payload: Payload {
            edition: edition.into(),
            work: edition.split('@').next().unwrap().into(),
            jurisdiction: "xx".into(),
            unit: format!("s{n}"),
            version: 20_010_101,
            language: "en".into(),
            status: "in_force".into(),
            from,
            until,
            start: 0,
            end: 10,
        },
    }
}

async fn contract(store: &dyn VectorStore) {
    let all = PointFilter::default();
    let of = |edition: &str| PointFilter { editions: vec![edition.into()], on_day: None };
    let on = |day| PointFilter { editions: vec![], on_day: Some(day) };
    assert_eq!(store.count(&all).await.unwrap(), 0);
    assert!(store.query(vec![1.0, 0.0, 0.0, 0.0], &all, 3).await.unwrap().is_empty());

    store
        .upsert(vec![
            point(1, [1.0, 0.0, 0.0, 0.0], EDITION_A, 20_010_101, 99_999_999),
            point(2, [0.8, 0.6, 0.0, 0.0], EDITION_A, 20_010_101, 20_200_101),
            point(3, [0.0, 1.0, 0.0, 0.0], EDITION_B, 20_100_501, 99_999_999),
        ])
        .await
        .unwrap();
    assert_eq!(store.count(&all).await.unwrap(), 3);
    assert_eq!(store.count(&of(EDITION_A)).await.unwrap(), 2);

    // Best first, by cosine.
    let found = store.query(vec![2.0, 0.0, 0.0, 0.0], &all, 10).await.unwrap();
    let ids: Vec<u128> = found.iter().map(|(id, _)| id.as_u128()).collect();
    assert_eq!(ids, [1, 2, 3]);
    assert!((found[0].1 - 1.0).abs() < 1e-5 && (found[1].1 - 0.8).abs() < 1e-5, "{found:?}");
    assert_eq!(store.query(vec![1.0, 0.0, 0.0, 0.0], &all, 2).await.unwrap().len(), 2);

    // Filters: edition, several editions, and the day that governs (the end of force is not in force).
    let ids = |found: Vec<(Uuid, f32)>| found.into_iter().map(|(id, _)| id.as_u128()).collect::<Vec<_>>();
    let q = || vec![1.0, 0.1, 0.0, 0.0];
    assert_eq!(ids(store.query(q(), &of(EDITION_B), 10).await.unwrap()), [3]);
    let both = PointFilter { editions: vec![EDITION_A.into(), EDITION_B.into()], on_day: None };
    assert_eq!(store.count(&both).await.unwrap(), 3);
    assert_eq!(ids(store.query(q(), &on(20_191_231), 10).await.unwrap()), [1, 2, 3]);
    assert_eq!(ids(store.query(q(), &on(20_200_101), 10).await.unwrap()), [1, 3]);
    assert_eq!(ids(store.query(q(), &on(20_050_101), 10).await.unwrap()), [1, 2]);
    assert!(store.query(q(), &of("xx/none@2000-01-01:en"), 10).await.unwrap().is_empty());

    // The same id again replaces, never doubles.
    store.upsert(vec![point(1, [0.0, 0.0, 1.0, 0.0], EDITION_B, 20_100_501, 99_999_999)]).await.unwrap();
    assert_eq!(store.count(&all).await.unwrap(), 3);
    assert_eq!(ids(store.query(vec![0.0, 0.0, 1.0, 0.0], &all, 1).await.unwrap()), [1]);
    let payloads = store.payloads(&[Uuid::from_u128(1), Uuid::from_u128(99)]).await.unwrap();
    assert_eq!(payloads.len(), 1);
    assert_eq!(payloads[0].1, point(1, [0.0; 4], EDITION_B, 20_100_501, 99_999_999).payload);

    store.delete(&[Uuid::from_u128(2), Uuid::from_u128(77)]).await.unwrap();
    assert_eq!(store.count(&all).await.unwrap(), 2);
    store.seal().await.unwrap();
    assert_eq!(store.count(&all).await.unwrap(), 2);
}

#[tokio::test]
async fn embedded_qdrant_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    contract(&EdgeStore::create(dir.path(), 4).unwrap()).await;
}

#[tokio::test]
async fn a_server_over_grpc_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    let url = support::start(dir.path(), 4, Some("secret")).await;
    let store = ServerStore::connect(&url, Some("secret".into()), "contract", 4).await.unwrap();
    contract(&store).await;
}

#[tokio::test]
#[ignore = "needs a Qdrant server: QDRANT_URL=… cargo nextest run --run-ignored all a_real_server"]
async fn a_real_server_keeps_the_contract() {
    let url = std::env::var("QDRANT_URL").unwrap();
    let name = format!("nyaya-contract-{}", std::process::id());
    let store = ServerStore::connect(&url, std::env::var("QDRANT_API_KEY").ok(), &name, 4).await.unwrap();
    contract(&store).await;
}

#[tokio::test]
async fn a_wrong_key_and_a_dead_server_are_errors_that_name_the_server() {
    let dir = tempfile::tempdir().unwrap();
    let url = support::start(dir.path(), 4, Some("secret")).await;
    let dead = "http://127.0.0.1:9".to_owned();
    for (url, key) in [(url, Some("wrong".to_owned())), (dead, None)] {
        let error = ServerStore::connect(&url, key, "contract", 4).await.err().unwrap().to_string();
        assert!(error.contains(&url) && error.contains("hint:"), "{error}");
    }
}

#[tokio::test]
async fn readers_and_a_writer_do_not_meet() {
    let dir = tempfile::tempdir().unwrap();
    let writer = EdgeStore::create(dir.path(), 4).unwrap();
    writer.upsert(vec![point(1, [1.0, 0.0, 0.0, 0.0], EDITION_A, 20_010_101, 99_999_999)]).await.unwrap();
    writer.seal().await.unwrap();
    drop(writer);
    let before = listing(dir.path());
    let (a, b) = (EdgeStore::open(dir.path(), None).unwrap(), EdgeStore::open(dir.path(), None).unwrap());
    for reader in [&a, &b] {
        assert_eq!(reader.count(&PointFilter::default()).await.unwrap(), 1);
    }
    drop((a, b));
    assert_eq!(listing(dir.path()), before, "a reader changed the sealed shard");
}

fn listing(dir: &Path) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(listing(&path));
        } else {
            all.push((path.display().to_string(), entry.metadata().unwrap().len()));
        }
    }
    all.sort();
    all
}
