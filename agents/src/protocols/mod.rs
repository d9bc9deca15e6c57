//! The courts. A protocol is one file here and its prompts; it knows the session and nothing below it.
//!
//! [`Court`] is where a protocol is made known: its name, roles, defaults, what cases it takes, and how it is held.

pub mod samvad;

use serde::{Deserialize, Serialize};

use crate::case::{Case, CaseError};
use crate::event::Decision;
use crate::run::{RunConfig, RunError};
use crate::session::{Session, SessionError};

/// A court and its own options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "protocol", rename_all = "lowercase")]
pub enum Court {
    /// Judge, two counsel, a bench of adjudicators.
    Samvad(samvad::Options),
}

impl Default for Court {
    fn default() -> Self {
        Self::Samvad(samvad::Options::default())
    }
}

impl Court {
    /// Names of all courts.
    pub const NAMES: &'static [&'static str] = &[samvad::NAME];

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Samvad(_) => samvad::NAME,
        }
    }

    /// Roles that a model answers for.
    #[must_use]
    pub fn roles(&self) -> &'static [&'static str] {
        match self {
            Self::Samvad(_) => samvad::ROLES,
        }
    }

    /// Roles that can look law up.
    #[must_use]
    pub fn rag_roles(&self) -> &'static [&'static str] {
        match self {
            Self::Samvad(_) => &["judge", "counsel", "adjudicators"],
        }
    }

    /// Roles that look law up unless something else is asked for.
    #[must_use]
    pub fn rag(&self) -> &'static [&'static str] {
        match self {
            Self::Samvad(_) => &["judge", "counsel"],
        }
    }

    /// The court as its paper has it.
    #[must_use]
    pub fn paper(&self) -> Self {
        match self {
            Self::Samvad(_) => Self::Samvad(samvad::Options::default()),
        }
    }

    /// Temperature of the paper.
    #[must_use]
    pub fn temperature(&self) -> f32 {
        match self {
            Self::Samvad(_) => 0.7,
        }
    }

    /// Checks the options.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        match self {
            Self::Samvad(options) => options.check(),
        }
    }

    /// Whether the court can take the case.
    ///
    /// # Errors
    /// Says what the case lacks.
    pub fn accepts(&self, case: &Case) -> Result<(), CaseError> {
        match self {
            Self::Samvad(_) => samvad::accepts(case),
        }
    }

    /// Holds a trial.
    ///
    /// # Errors
    /// If the session cannot go on.
    pub async fn hold(&self, session: &Session, config: &RunConfig) -> Result<Decision, SessionError> {
        match self {
            Self::Samvad(options) => samvad::hold(session, config, options).await,
        }
    }
}
