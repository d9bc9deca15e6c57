//! Search over a knowledge base that is there (`NYAYA_KB`): median times of BM25, of embedding a query and of a
//! hybrid search in one process, and their ratios. `cargo bench --profile release --bench search`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nyaya_corpora::Catalogue;
use nyaya_retrieval::assets::{Assets, EMBEDDER, ONNX_RUNTIME};
use nyaya_retrieval::embed::{Embedder, LocalEmbedder};
use nyaya_retrieval::{KnowledgeBase, Layout, Mode, Query, Retrieve as _, VectorsAt};

const ROUNDS: usize = 20;

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

#[tokio::main]
async fn main() {
    let Some(kb) = std::env::var_os("NYAYA_KB") else {
        println!("not run: set NYAYA_KB to a knowledge base's folder");
        return;
    };
    let assets = Assets::shared(true).unwrap();
    let folder = assets.require(&EMBEDDER).unwrap();
    let library = assets.require(&ONNX_RUNTIME).unwrap();
    let embedder: Arc<dyn Embedder> =
        Arc::new(LocalEmbedder::open(folder.parent().unwrap(), Some(library)).unwrap());
    let layout = Layout::new(PathBuf::from(kb));
    let kb = KnowledgeBase::open(layout, Catalogue::builtin().unwrap(), Some(embedder), VectorsAt::Embedded)
        .unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/queries/thirty.jsonl");
    let texts: Vec<String> = std::fs::read_to_string(file)
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["query"].as_str().unwrap().to_owned())
        .collect();
    let query = |text: &str, mode| Query { text: text.to_owned(), k: 10, mode, ..Query::default() };
    // Once each, so that models and indexes are loaded.
    for text in &texts {
        kb.search(&query(text, Mode::Hybrid)).await.unwrap();
    }
    let (mut words, mut embedding, mut hybrid, mut above) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        for text in &texts {
            let start = Instant::now();
            kb.search(&query(text, Mode::Bm25)).await.unwrap();
            words.push(start.elapsed());

            let q = query(text, Mode::Hybrid);
            let start = Instant::now();
            let vector = kb.embed_query(&q).await.unwrap();
            let embedded = start.elapsed();
            kb.search_with(&q, vector).await.unwrap();
            let whole = start.elapsed();
            embedding.push(embedded);
            hybrid.push(whole);
            above.push(whole - embedded);
        }
    }
    println!("{} passages, {} queries, {ROUNDS} rounds", kb.passage_count(), texts.len());
    let (words, embedding, hybrid, above) = (median(words), median(embedding), median(hybrid), median(above));
    println!("BM25 p50                 {words:8.3} ms");
    println!("embedding a query p50    {embedding:8.3} ms");
    println!("hybrid p50               {hybrid:8.3} ms   {:.2} × embedding", hybrid / embedding);
    println!("hybrid above embedding   {above:8.3} ms   {:.2} × BM25", above / words);
}
