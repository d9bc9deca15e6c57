//! Citations by verdict, and those that nobody had found before.

use std::collections::{BTreeMap, BTreeSet};

use nyaya_agents::event::Body;
use nyaya_corpora::ProvisionId;
use nyaya_corpora::citation::Verdict;
use serde::Serialize;

use crate::audit::{VERDICTS, verdict_name};
use crate::stats::{self, Share};
use crate::transcript::Trial;

/// How many citations have which verdict.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Citations {
    /// All citations.
    pub all: u64,
    /// Those that were looked up: all but `unchecked`.
    pub looked_up: u64,
    /// By verdict; all verdicts are there, `unchecked` among them.
    pub by_verdict: BTreeMap<&'static str, u64>,
    /// Verified of those looked up, with a Wilson interval; absent if none was looked up.
    pub precision: Option<Share>,
    /// Not looked up, of all; absent if nothing was cited.
    pub unchecked: Option<Share>,
}

impl Citations {
    pub(super) fn of(verdicts: impl Iterator<Item = Verdict>) -> Self {
        let mut by_verdict: BTreeMap<&'static str, u64> =
            VERDICTS.iter().map(|v| (verdict_name(*v), 0)).collect();
        let mut all = 0;
        for verdict in verdicts {
            *by_verdict.entry(verdict_name(verdict)).or_default() += 1;
            all += 1;
        }
        let count = |v: Verdict| by_verdict.get(verdict_name(v)).copied().unwrap_or(0);
        let (verified, unchecked) = (count(Verdict::Verified), count(Verdict::Unchecked));
        let looked_up = all - unchecked;
        Self {
            all,
            looked_up,
            precision: stats::share(verified, looked_up),
            unchecked: stats::share(unchecked, all),
            by_verdict,
        }
    }
}

/// Provisions cited without having been found first. Counted over pairs of agent and provision, so that citing
/// one provision often weighs no more than citing it once; citations that are no provision are left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NotRetrieved {
    /// Pairs whose provision no search of the trial had found before the agent first cited it.
    pub by_nobody: Option<Share>,
    /// Pairs whose provision none of the agent's own searches had found before; adjudicators without searches
    /// of their own make this high, which is no fault.
    pub not_by_itself: Option<Share>,
}

pub(super) fn cited_not_retrieved(trial: &Trial) -> [(u64, u64); 2] {
    let mut found: BTreeMap<ProvisionId, BTreeSet<&str>> = BTreeMap::new();
    let mut seen: BTreeSet<(&str, ProvisionId)> = BTreeSet::new();
    let (mut nobody, mut not_itself) = (0, 0);
    for event in &trial.events {
        let agent = event.actor.agent.as_str();
        match &event.body {
            Body::Retrieved { hits, .. } => {
                for hit in hits {
                    found.entry(hit.id.provision()).or_default().insert(agent);
                }
            }
            body => {
                for id in body
                    .statement()
                    .into_iter()
                    .flat_map(|s| &s.citations)
                    .filter_map(|c| c.citation.id.as_ref())
                {
                    let id = id.provision();
                    let finders = found.get(&id);
                    if seen.insert((agent, id)) {
                        nobody += u64::from(finders.is_none());
                        not_itself += u64::from(!finders.is_some_and(|f| f.contains(agent)));
                    }
                }
            }
        }
    }
    let of = seen.len() as u64;
    [(nobody, of), (not_itself, of)]
}
