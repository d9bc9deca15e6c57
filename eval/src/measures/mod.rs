//! Measures of a run: agreement, grounding, citation precision, cost, and what failed.
//!
//! What failed or is unknown is counted in a column of its own; it is `None` in a value and never a zero.
//! Only finished trials count.

mod agreement;
mod citations;
mod cost;
mod grounding;
mod run;
mod table;
mod trial;

pub use agreement::{ChargeAgreement, RoundAgreement, agreement};
pub use citations::{Citations, NotRetrieved};
pub use cost::{Cost, PaperCost, Tokens};
pub use grounding::{Grounding, grounding};
pub use run::RunMeasures;
pub use table::{finding_name, round_name};
pub use trial::{Failures, TrialMeasures};

#[cfg(test)]
mod tests;
