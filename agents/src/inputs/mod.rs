//! Cases out of files that others have laid out: benchmarks and tables. A file here each.

pub mod coliee;
pub mod examples;
pub(crate) mod file;
pub mod lawbench;
pub mod table;
