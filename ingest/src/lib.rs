//! From a source file to provisions and passages: read, structure, check, chunk, build.
//!
//! Reading never guesses in silence: what is missing, doubtful or odd becomes a
//! [`nyaya_corpora::Diagnostic`], and an error names the thing and ends with a hint.

pub mod build;
pub mod check;
pub mod chunk;
pub mod compare;
pub mod error;
pub mod fetch;
pub mod pipeline;
pub mod propose;
pub mod read;
pub mod structure;

pub use build::{Built, build_edition};
pub use check::{Report, check};
pub use chunk::passages;
pub use error::Error;
pub use read::{Document, PdfReader};
pub use structure::{Structured, structure};
