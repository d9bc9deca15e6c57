//! The knowledge base: canonical store, analyzers, embedder, vectors, BM25, fusion, search; and the assets
//! (models and libraries) they need. It does not parse source files and knows nothing of prompts.

pub mod error;
pub mod hit;

pub use error::{Error, Result};
pub use hit::{Hit, Mode, Query, Retrieve};
