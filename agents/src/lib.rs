//! Chat models, the session, the court protocols, and the records of a run. No scoring here.

pub mod chat;
pub mod event;
pub mod read;
