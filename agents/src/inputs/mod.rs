//! Cases out of files that others have laid out: benchmarks and tables. A file here each.

pub mod lawbench;
