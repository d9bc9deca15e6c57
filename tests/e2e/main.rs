//! End-to-end tests of the built binary, over an invented statute. They use the embedder in the model cache
//! (`nyaya models pull embedder onnxruntime`).

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod add;
mod chaos;
mod check;
mod cite;
mod corpus;
mod courts;
mod damage;
mod endpoint;
mod formats;
mod kill;
mod many;
mod support;
mod trial;
mod wrong_inputs;
