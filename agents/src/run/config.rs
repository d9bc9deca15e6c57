//! The options of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::civil::Date;
use nyaya_retrieval::Mode;
use serde::{Deserialize, Serialize};

use super::{RunError, config};
use crate::protocols::{Court, samvad};

/// Reads a list of roles such as `judge,counsel`; `none` is the empty list, `all` is every role that `can` look
/// law up in the court at hand.
///
/// # Errors
/// If a role cannot look law up.
pub fn parse_rag(text: &str, can: &[&str]) -> Result<Vec<String>, String> {
    match text.trim() {
        "none" | "" => return Ok(Vec::new()),
        "all" if can.is_empty() => return Err("nobody looks law up in this court".to_owned()),
        "all" => return Ok(can.iter().map(|r| (*r).to_owned()).collect()),
        _ => {}
    }
    let mut roles = Vec::new();
    for role in text.split(',').map(str::trim) {
        // One of several is named as all of them are.
        let many = format!("{role}s");
        let role = if can.contains(&many.as_str()) { many.as_str() } else { role };
        if !can.contains(&role) {
            let list = if can.is_empty() { "nobody does here".to_owned() } else { can.join(", ") };
            return Err(format!("`{role}` cannot look law up: write none, all, or a list of {list}"));
        }
        if !roles.iter().any(|r| r == role) {
            roles.push(role.to_owned());
        }
    }
    // The same roles in another order are the same run.
    roles.sort_by_key(|r| can.iter().position(|k| k == r));
    Ok(roles)
}

/// The options of a run. What is `None` follows from the rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// Roles that look law up, see [`Court::rag_roles`].
    pub rag: Vec<String>,
    /// Passages an agent gets.
    pub k: usize,
    /// Queries an agent makes; by default 2, and 1 in a short trial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<usize>,
    /// How passages are found.
    pub mode: Mode,
    /// Most characters of a passage that a prompt shows, cut at the end of a sentence; by default all, and in a
    /// short trial 700 (300 in Chinese).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage_chars: Option<usize>,
    /// Seed of all chance.
    pub seed: u64,
    /// Most characters of a statement; by default 800, 480 in a short trial (Chinese: 260, 150).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement_chars: Option<usize>,
    /// Sampling temperature; a protocol may ask some steps at another.
    pub temperature: f32,
    /// Nucleus sampling.
    pub top_p: f32,
    /// Most tokens of a reply by role, where the default (what holds the largest reply that the schema allows)
    /// will not do.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub max_tokens: BTreeMap<String, u32>,
    /// Tokens that a model may think in before each answer, beside the answer's own.
    #[serde(skip_serializing_if = "is_zero")]
    pub thinking: u32,
    /// Let an agent's list of provisions hold only those that its request shows. Then a list says nothing of how well
    /// a model cites, and every report says that it was so.
    #[serde(skip_serializing_if = "is_false")]
    pub constrain_citations: bool,
    /// The day that governs where a case gives no dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Date>,
    /// Folder with prompts that replace those of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<PathBuf>,
    /// Most tokens of the whole run, read and written. Not part of the run's name, so it can be raised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens_total: Option<u64>,
    /// Which court, and its own options.
    pub court: Court,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(b: &bool) -> bool {
    !b
}

impl Default for RunConfig {
    fn default() -> Self {
        Self::of(Court::default())
    }
}

impl RunConfig {
    /// The configuration of a court as its paper has it.
    #[must_use]
    pub fn of(court: Court) -> Self {
        Self {
            rag: court.rag().iter().map(|r| (*r).to_owned()).collect(),
            k: 5,
            queries: None,
            mode: Mode::default(),
            passage_chars: None,
            seed: 0,
            statement_chars: None,
            temperature: court.temperature(),
            top_p: 1.0,
            max_tokens: BTreeMap::new(),
            thinking: 0,
            constrain_citations: false,
            as_of: None,
            prompts: None,
            max_tokens_total: None,
            court,
        }
    }

    /// The configuration of `nyaya demo`: three adjudicators, opening and rebuttal, one round.
    #[must_use]
    pub fn demo() -> Self {
        let options = samvad::Options {
            adjudicators: 3,
            rounds: 1,
            min_rounds: 1,
            short: true,
            ..samvad::Options::default()
        };
        Self { k: 3, temperature: 0.3, ..Self::of(Court::Samvad(options)) }
    }

    /// Checks what can be checked without a case.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        self.court.check()?;
        parse_rag(&self.rag.join(","), self.court.rag_roles()).map_err(|e| {
            let usual = self.court.rag();
            let usual = if usual.is_empty() { "none".to_owned() } else { usual.join(",") };
            config(format!("rag: {e}"), format!("the usual one is {usual}"))
        })?;
        if !(1..=50).contains(&self.k) {
            return Err(config(
                format!("k is {}", self.k),
                "an agent gets 1 to 50 passages; no retrieval is --rag none",
            ));
        }
        if self.queries.is_some_and(|n| !(1..=10).contains(&n)) {
            return Err(config("queries is out of range", "an agent makes 1 to 10"));
        }
        if self.statement_chars.is_some_and(|n| !(80..=20_000).contains(&n)) {
            return Err(config("statement_chars is out of range", "a statement has 80 to 20000 characters"));
        }
        if self.constrain_citations && !matches!(self.court, Court::Samvad(_) | Court::AgentsBench(_)) {
            return Err(config(
                "constrain_citations: nobody in this court gives a list of provisions",
                "leave it out; agents of samvad and agentsbench list what they rely on",
            ));
        }
        if i64::try_from(self.seed).is_err() {
            return Err(config(
                format!("seed {} is too large", self.seed),
                "a seed is at most 9223372036854775807",
            ));
        }
        let roles = self.court.roles();
        if let Some((role, n)) =
            self.max_tokens.iter().find(|(r, n)| **n == 0 || !roles.contains(&r.as_str()))
        {
            return Err(config(
                format!("max_tokens: {role} = {n}"),
                format!(
                    "give a number above 0 to one of {}, or leave it out for a limit that fits",
                    roles.join(", ")
                ),
            ));
        }
        let sampling = (0.0..=2.0).contains(&self.temperature) && self.top_p > 0.0 && self.top_p <= 1.0;
        if !sampling {
            return Err(config(
                format!("temperature {} or top_p {} is out of range", self.temperature, self.top_p),
                "temperature is 0 to 2, top_p is more than 0 and at most 1",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_read_in_any_order() {
        let can = ["judge", "counsel", "adjudicators"];
        assert_eq!(parse_rag("counsel, judge", &can).unwrap(), ["judge", "counsel"]);
        assert_eq!(parse_rag("adjudicator", &can).unwrap(), ["adjudicators"]);
        assert_eq!(parse_rag("none", &can).unwrap(), Vec::<String>::new());
        assert_eq!(parse_rag("all", &can).unwrap().len(), 3);
        assert!(parse_rag("judge,jury", &can).is_err());
        assert!(parse_rag("judge", &[]).unwrap_err().contains("nobody"));
    }

    #[test]
    fn options_without_sense_are_named() {
        let of = |change: fn(&mut RunConfig)| {
            let mut c = RunConfig::default();
            change(&mut c);
            c.check().map_err(|e| e.to_string())
        };
        assert!(of(|_| ()).is_ok() && RunConfig::demo().check().is_ok());
        let court = |options: samvad::Options| {
            RunConfig::of(Court::Samvad(options)).check().map_err(|e| e.to_string())
        };
        let usual = samvad::Options::default;
        assert!(court(samvad::Options { adjudicators: 0, ..usual() }).unwrap_err().contains("adjudicators"));
        let wrong = samvad::Options { threshold: "80".to_owned(), ..usual() };
        assert!(court(wrong).unwrap_err().contains("threshold"));
        assert!(court(samvad::Options { min_rounds: 4, ..usual() }).unwrap_err().contains("min_rounds"));
        assert!(of(|c| c.rag = vec!["jury".to_owned()]).unwrap_err().contains("jury"));
        assert!(of(|c| _ = c.max_tokens.insert("jury".to_owned(), 9)).unwrap_err().contains("jury"));
        assert!(of(|c| c.k = 0).unwrap_err().contains("hint: "));
        assert!(of(|c| c.temperature = f32::NAN).unwrap_err().contains("temperature"));
    }

    #[test]
    fn a_configuration_survives_toml() {
        let options =
            RunConfig { as_of: Some(jiff::civil::date(2020, 1, 2)), queries: Some(3), ..RunConfig::demo() };
        let text = toml::to_string_pretty(&options).unwrap();
        assert_eq!(toml::from_str::<RunConfig>(&text).unwrap(), options);
        assert!(toml::from_str::<RunConfig>("ronds = 3").is_err());
    }
}
