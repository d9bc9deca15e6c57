//! What can go wrong while reading a source: the errors of the knowledge base that it is read for.

pub use nyaya_retrieval::Error;
