//! What can go wrong in the knowledge base and on the way into it, each with what to do about it.

use std::path::{Path, PathBuf};

/// An error that names the thing and says what to do.
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
    /// A fault of a library underneath.
    #[error("{what}: {message}")]
    Backend {
        /// `Qdrant`, `Tantivy`, `ONNX Runtime`, …
        what: &'static str,
        /// What it says.
        message: String,
    },
}

impl Error {
    /// An error with a hint.
    pub fn hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Hint { message: message.into(), hint: hint.into() }
    }

    /// An error about a file.
    pub fn file(path: &Path, what: impl std::fmt::Display, hint: impl Into<String>) -> Self {
        Self::hint(format!("{}: {what}", path.display()), hint)
    }

    /// A fault of a library.
    pub fn backend(what: &'static str, message: impl std::fmt::Display) -> Self {
        Self::Backend { what, message: message.to_string() }
    }

    /// A file error; the hint is chosen from the kind.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        let hint = match source.kind() {
            std::io::ErrorKind::NotFound => "check the path; `nyaya doctor` says what is missing",
            std::io::ErrorKind::PermissionDenied => {
                "check who owns the file, or choose another folder with --kb"
            }
            std::io::ErrorKind::StorageFull => {
                "free some disk space and run the same command again; nothing is lost"
            }
            _ => "run the same command again; if it stays, `nyaya doctor` may say more",
        };
        Self::io_hint(path, source, hint)
    }

    /// A file error with a hint of its own.
    pub fn io_hint(path: impl Into<PathBuf>, source: std::io::Error, hint: impl Into<String>) -> Self {
        Self::Io { path: path.into(), source, hint: hint.into() }
    }
}

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
