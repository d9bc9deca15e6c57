//! AgentsBench against a scripted model that tells every request apart.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod bench;
mod memory;
mod privacy;
mod snapshots;
#[path = "../support/mod.rs"]
mod support;
mod world;
