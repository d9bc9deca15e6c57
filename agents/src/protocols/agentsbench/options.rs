//! What is AgentsBench's own to choose.

use serde::{Deserialize, Serialize};

use crate::run::{RunError, config};

/// Who writes what the members of the bench are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Personas {
    /// Lay judges are drawn by the seed from the pool that comes with the program.
    #[default]
    Pool,
    /// The presiding judge's model writes them, lay judges and professional ones.
    Written,
}

/// What is done with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryUse {
    /// Nothing.
    #[default]
    Off,
    /// The most similar entries are recalled.
    Read,
    /// They are recalled, and each trial adds to them; trials are held one after the other.
    Write,
}

/// What is AgentsBench's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Judges beside the presiding one.
    pub judges: u32,
    /// Lay judges.
    pub lay: u32,
    /// Most rounds of deliberation after the independent sentences.
    pub rounds: u32,
    /// Who writes the personas.
    pub personas: Personas,
    /// What is done with memory.
    pub memory: MemoryUse,
    /// Entries that an agent recalls at most.
    pub recall: u32,
    /// SHA-256 of the memory with which the run begins; empty if it is off.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub memory_digest: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            judges: 1,
            lay: 1,
            rounds: 3,
            personas: Personas::Pool,
            memory: MemoryUse::Off,
            recall: 3,
            memory_digest: String::new(),
        }
    }
}

impl Options {
    /// Checks the options.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        if self.judges > 20 || self.lay > 20 || self.judges + self.lay == 0 {
            return Err(config(
                format!("{} judges and {} lay judges beside the presiding judge", self.judges, self.lay),
                "up to 20 of each, and at least one of them",
            ));
        }
        if self.rounds > 20 {
            return Err(config(
                format!("{} rounds", self.rounds),
                "0 to 20; 0 has the presiding judge weigh S(0)",
            ));
        }
        if !(1..=20).contains(&self.recall) {
            return Err(config(format!("recall is {}", self.recall), "an agent recalls 1 to 20 entries"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_without_sense_are_named() {
        let of = |o: Options| o.check().map_err(|e| e.to_string());
        assert!(of(Options::default()).is_ok() && of(Options { rounds: 0, ..Options::default() }).is_ok());
        assert!(of(Options { judges: 0, lay: 0, ..Options::default() }).unwrap_err().contains("hint: "));
        assert!(of(Options { rounds: 21, ..Options::default() }).unwrap_err().contains("rounds"));
    }
}
