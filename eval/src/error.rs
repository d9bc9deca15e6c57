//! What can go wrong between a run's folder and a report, each with what to do about it.

use std::path::PathBuf;

/// An error that names the file (and the line) and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder is there, and is not a run.
    #[error("{path}: not a run folder: {why}\nhint: {hint}")]
    NotARun {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        why: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}\nhint: {hint}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
        /// What to do.
        hint: &'static str,
    },
    /// A line of a transcript is not an event, or not the one that must stand there.
    #[error("{path}:{line}: {message}\nhint: {hint}")]
    Line {
        /// The transcript.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
        /// What to do.
        hint: &'static str,
    },
    /// The transcript was written by a later program.
    #[error(
        "{path}:1: events of format {found}; this program reads formats up to {supported}\nhint: read the run with the version of nyaya that wrote it, or a later one"
    )]
    Schema {
        /// The transcript.
        path: PathBuf,
        /// Its format.
        found: u64,
        /// [`nyaya_agents::event::SCHEMA_VERSION`].
        supported: u32,
    },
    /// A file of the run that is not a transcript does not have the form it should have.
    #[error("{path}: {message}\nhint: {hint}")]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
        /// What to do.
        hint: &'static str,
    },
    /// A finished transcript was altered.
    #[error(transparent)]
    Record(#[from] nyaya_agents::record::RecordError),
    /// The report or a table could not be made.
    #[error(
        "{what}: {message}\nhint: this is a fault of the program; please report it with the run's folder"
    )]
    Render {
        /// Which output.
        what: &'static str,
        /// What the library says.
        message: String,
    },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        let hint = match source.kind() {
            std::io::ErrorKind::NotFound => "check the path; `nyaya run … --out DIR` makes a run",
            std::io::ErrorKind::PermissionDenied => "check who owns the file",
            std::io::ErrorKind::StorageFull => "free some disk space and give the same command again",
            _ => "give the same command again; if it stays, the disk may be at fault",
        };
        Self::Io { path: path.into(), source, hint }
    }

    pub(crate) fn render(what: &'static str, message: impl std::fmt::Display) -> Self {
        Self::Render { what, message: message.to_string() }
    }
}

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
