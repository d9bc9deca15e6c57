//! SAMVAD and the session under it, against a scripted model and an invented statute.

mod court;
mod injection;
mod resume;
mod snapshots;
mod toy;
mod world;
