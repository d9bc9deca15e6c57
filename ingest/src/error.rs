//! What can go wrong while reading a source, each with what to do about it.

use std::path::{Path, PathBuf};

/// An error that names the file and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{path}: {source}\nhint: {hint}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
        /// What to do.
        hint: String,
    },
    /// Anything else, with its hint.
    #[error("{message}\nhint: {hint}")]
    Hint {
        /// What is wrong, naming the thing.
        message: String,
        /// What to do.
        hint: String,
    },
}

impl Error {
    /// An error with a hint.
    pub fn hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Hint { message: message.into(), hint: hint.into() }
    }

    /// An error about a file.
    pub fn file(path: &Path, what: impl std::fmt::Display, hint: impl Into<String>) -> Self {
        Self::Hint { message: format!("{}: {what}", path.display()), hint: hint.into() }
    }

    /// An error of the file system.
    pub fn io(path: &Path, source: std::io::Error, hint: impl Into<String>) -> Self {
        Self::Io { path: path.to_owned(), source, hint: hint.into() }
    }
}
