//! The knowledge base: canonical store, analyzers, embedder, vectors, BM25, fusion, search; and the assets
//! (models and libraries) they need. It does not parse source files and knows nothing of prompts.

pub mod analyzer;
pub mod assets;
mod bm25;
pub mod embed;
pub mod error;
mod fusion;
pub mod hit;
pub mod kb;
mod seal;
pub mod store;
pub mod vectors;
pub mod writer;

pub use error::{Error, Result};
pub use hit::{Hit, Mode, Query, Retrieve};
pub use kb::{KnowledgeBase, VectorsAt};
pub use store::{EditionEntry, Generation, Layout};
pub use writer::{Committed, NewEdition, Writer};
