//! The courts. A protocol is one file here and its prompts; it knows the session and nothing below it.

pub mod samvad;
