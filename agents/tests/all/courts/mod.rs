//! AgenticSimLaw, L-MAD and the baselines, against a scripted model that every request can be held against.

mod injection;
mod lmad;
mod replies;
mod resume;
mod simlaw;
mod single;
mod snapshots;
mod world;
