//! SAMVAD and the session under it, against a scripted model and an invented statute.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod court;
mod injection;
mod resume;
mod snapshots;
#[path = "../support/mod.rs"]
mod support;
mod toy;
mod world;
