//! All tests of this crate that are not beside the code, in one program: linking takes longer than they do.

#![allow(missing_docs, reason = "tests")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod agentsbench;
#[cfg(feature = "gguf")]
mod chat_gguf;
mod chat_openai;
mod courts;
mod readers;
mod samvad;
mod support;
