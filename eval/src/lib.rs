//! Audit, measures and reports: functions of transcripts. No calls to a model.
//!
//! Start at [`Run::load`]; [`audit::Audit::of`], [`measures::RunMeasures::of`] and [`report::render`] take
//! what it gives.

pub mod answers;
pub mod audit;
pub mod error;
pub mod measures;
pub mod metrics;
pub mod report;
pub mod stats;
pub mod transcript;

#[cfg(test)]
mod testing;

pub use error::{Error, Result};
pub use transcript::{CaseInfo, Progress, Run, Trial};
