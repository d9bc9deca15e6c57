//! AgentsBench against a scripted model that tells every request apart.

mod bench;
mod memory;
mod privacy;
mod snapshots;
mod world;
