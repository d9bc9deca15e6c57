//! Chat models, the session, the court protocols, and the records of a run. No scoring here.

pub mod case;
pub mod chat;
pub mod event;
pub mod fence;
pub mod inputs;
pub mod memory;
pub mod nolaw;
pub mod prompts;
pub mod protocols;
pub mod read;
pub mod record;
pub mod run;
pub mod runner;
pub mod session;
mod task;

pub use case::Case;
pub use session::Session;
