//! AgenticSimLaw, L-MAD and the baselines, against a scripted model that every request can be held against.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod injection;
mod lmad;
mod replies;
mod resume;
mod simlaw;
mod single;
mod snapshots;
mod world;
