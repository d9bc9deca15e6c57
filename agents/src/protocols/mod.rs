//! The courts. A protocol is one file or folder here and its prompts; it knows the session and nothing below it.
//!
//! [`Court`] is where a protocol is made known: its name, roles, defaults, what cases it takes, and how it is held.

pub mod agentsbench;
pub mod lmad;
pub mod samvad;
mod shared;
pub mod simlaw;
pub mod single;

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
    /// Prosecution and defence debate a row of a table before a judge.
    Simlaw(simlaw::Options),
    /// Agents debate whether premises entail a hypothesis.
    Lmad(lmad::Options),
    /// One model alone.
    Single(single::Options),
    /// Presiding, professional and lay judges who sentence in deliberation.
    AgentsBench(agentsbench::Options),
}

impl Default for Court {
    fn default() -> Self {
        Self::Samvad(samvad::Options::default())
    }
}

impl Court {
    /// Names of all courts.
    pub const NAMES: &'static [&'static str] =
        &[samvad::NAME, agentsbench::NAME, simlaw::NAME, lmad::NAME, single::NAME];

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Samvad(_) => samvad::NAME,
            Self::Simlaw(_) => simlaw::NAME,
            Self::Lmad(_) => lmad::NAME,
            Self::Single(_) => single::NAME,
            Self::AgentsBench(_) => agentsbench::NAME,
        }
    }

    /// Roles that a model answers for.
    #[must_use]
    pub fn roles(&self) -> &'static [&'static str] {
        match self {
            Self::Samvad(_) => samvad::ROLES,
            Self::Simlaw(_) => simlaw::ROLES,
            Self::Lmad(_) => lmad::ROLES,
            Self::Single(_) => single::ROLES,
            Self::AgentsBench(_) => agentsbench::ROLES,
        }
    }

    /// Roles that can look law up.
    #[must_use]
    pub fn rag_roles(&self) -> &'static [&'static str] {
        match self {
            Self::Samvad(_) => &["judge", "counsel", "adjudicators"],
            Self::Lmad(_) => &["premises"],
            Self::Simlaw(_) | Self::Single(_) => &[],
            Self::AgentsBench(_) => agentsbench::RAG_ROLES,
        }
    }

    /// Roles that look law up unless something else is asked for.
    #[must_use]
    pub fn rag(&self) -> &'static [&'static str] {
        match self {
            Self::Samvad(_) => &["judge", "counsel"],
            Self::AgentsBench(_) | Self::Simlaw(_) | Self::Lmad(_) | Self::Single(_) => &[],
        }
    }

    /// The court as its paper has it.
    #[must_use]
    pub fn paper(&self) -> Self {
        match self {
            Self::Samvad(_) => Self::Samvad(samvad::Options::default()),
            Self::Simlaw(options) => {
                Self::Simlaw(simlaw::Options { domain: options.domain.clone(), ..simlaw::Options::default() })
            }
            // Each way of deciding is one of the paper's.
            Self::Lmad(options) => {
                Self::Lmad(lmad::Options { rule: options.rule, ..lmad::Options::default() })
            }
            Self::Single(options) => {
                Self::Single(single::Options { method: options.method, ..single::Options::default() })
            }
            Self::AgentsBench(_) => Self::AgentsBench(agentsbench::Options::default()),
        }
    }

    /// Whether a trial depends on the ones before it, so that they cannot be held at once.
    #[must_use]
    pub fn one_by_one(&self) -> bool {
        match self {
            Self::Samvad(_) | Self::Simlaw(_) | Self::Lmad(_) | Self::Single(_) => false,
            Self::AgentsBench(options) => options.memory == agentsbench::MemoryUse::Write,
        }
    }

    /// Temperature of the paper.
    #[must_use]
    pub fn temperature(&self) -> f32 {
        match self {
            Self::Samvad(_) | Self::Simlaw(_) => 0.7,
            Self::Lmad(_) => 0.1,
            Self::Single(options) => options.temperature(),
            Self::AgentsBench(_) => 0.0,
        }
    }

    /// Checks the options.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        match self {
            Self::Samvad(options) => options.check(),
            Self::Simlaw(options) => options.check(),
            Self::Lmad(options) => options.check(),
            Self::Single(options) => options.check(),
            Self::AgentsBench(options) => options.check(),
        }
    }

    /// Whether the court can take the case.
    ///
    /// # Errors
    /// Says what the case lacks.
    pub fn accepts(&self, case: &Case) -> Result<(), CaseError> {
        match self {
            Self::Samvad(_) => samvad::accepts(case),
            Self::Simlaw(_) => simlaw::accepts(case),
            Self::Lmad(_) => lmad::accepts(case),
            Self::Single(_) => single::accepts(case),
            Self::AgentsBench(_) => agentsbench::accepts(case),
        }
    }

    /// Holds a trial.
    ///
    /// # Errors
    /// If the session cannot go on.
    pub async fn hold(&self, session: &Session, config: &RunConfig) -> Result<Decision, SessionError> {
        match self {
            Self::Samvad(options) => samvad::hold(session, config, options).await,
            Self::Simlaw(options) => simlaw::hold(session, config, options).await,
            Self::Lmad(options) => lmad::hold(session, config, options).await,
            Self::Single(options) => single::hold(session, config, options).await,
            Self::AgentsBench(options) => agentsbench::hold(session, config, options).await,
        }
    }
}
