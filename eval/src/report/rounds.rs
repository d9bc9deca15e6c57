//! Who agreed with whom in each round.

use std::collections::BTreeMap;

use nyaya_agents::event::{Body, Finding};
use nyaya_corpora::ProvisionId;

use crate::measures;
use crate::transcript::Trial;

/// Findings and how many adjudicators have them; `None` is no decision.
pub type Groups = Vec<(Option<Finding>, u32)>;

pub struct RoundGroups {
    pub round: u32,
    pub whole: f64,
    pub of: u32,
    pub charges: Vec<(ProvisionId, Groups)>,
}

/// Who found what in each round: findings with their numbers, the largest first, those without a decision last.
pub fn groups(trial: &Trial) -> Vec<RoundGroups> {
    measures::agreement(trial)
        .into_iter()
        .map(|round| {
            let of = round.charges.iter().map(|c| c.of).max().unwrap_or(0);
            let charges = round
                .charges
                .iter()
                .map(|c| {
                    let mut latest: BTreeMap<&str, Option<&Finding>> = BTreeMap::new();
                    for event in &trial.events {
                        if let Body::Position { ballot, .. } = &event.body
                            && event.round.unwrap_or(0) == round.round
                        {
                            let finding = ballot.findings.iter().find(|(id, _)| *id == c.id);
                            latest.insert(&event.actor.agent, finding.and_then(|(_, f)| f.as_ref()));
                        }
                    }
                    let mut counts: BTreeMap<&Finding, u32> = BTreeMap::new();
                    for finding in latest.into_values().flatten() {
                        *counts.entry(finding).or_default() += 1;
                    }
                    let mut groups: Vec<_> = counts.into_iter().map(|(f, n)| (Some(f.clone()), n)).collect();
                    groups.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
                    if c.no_decision > 0 {
                        groups.push((None, c.no_decision));
                    }
                    (c.id.clone(), groups)
                })
                .collect();
            RoundGroups { round: round.round, whole: round.whole, of, charges }
        })
        .collect()
}
