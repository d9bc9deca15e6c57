//! Agreement of a bench, round by round.

use std::collections::BTreeMap;

use nyaya_agents::event::{Ballot, Body, Finding};
use nyaya_corpora::ProvisionId;
use serde::Serialize;

use crate::transcript::Trial;

/// The largest group on one charge in one round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChargeAgreement {
    /// The charge.
    pub id: ProvisionId,
    /// The finding of the largest group; absent if two groups are equally large, or nobody decided.
    pub leading: Option<Finding>,
    /// Size of the largest group.
    pub votes: u32,
    /// All adjudicators, those without a decision included.
    pub of: u32,
    /// `votes / of`.
    pub share: f64,
    /// Adjudicators without a decision on this charge.
    pub no_decision: u32,
}

/// Agreement in one round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundAgreement {
    /// The round; 0 is the independent view.
    pub round: u32,
    /// The largest group that agrees on all charges, as a share of all adjudicators. A ballot with an undecided
    /// charge is in no group.
    pub whole: f64,
    /// Per charge, in the order of the ballots.
    pub charges: Vec<ChargeAgreement>,
}

/// Counts agreement by round from the positions that were taken.
#[must_use]
pub fn agreement(trial: &Trial) -> Vec<RoundAgreement> {
    let mut rounds: BTreeMap<u32, BTreeMap<&str, &Ballot>> = BTreeMap::new();
    let mut of = 0;
    for event in &trial.events {
        match &event.body {
            Body::Position { ballot, .. } => {
                let round = event.round.unwrap_or(0);
                rounds.entry(round).or_default().insert(&event.actor.agent, ballot);
            }
            Body::Agreement { charges, .. } | Body::Verdict { charges, .. } => {
                of = charges.iter().map(|c| c.of).fold(of, u32::max);
            }
            _ => {}
        }
    }
    // An adjudicator whose reply was lost has no position in that round, and still counts among all.
    let of = rounds.values().map(|b| b.len() as u32).fold(of, u32::max);
    rounds
        .into_iter()
        .map(|(round, ballots)| {
            let mut order: Vec<&ProvisionId> = Vec::new();
            for (charge, _) in ballots.values().flat_map(|b| &b.findings) {
                if !order.contains(&charge) {
                    order.push(charge);
                }
            }
            let charges = order
                .into_iter()
                .map(|charge| {
                    let findings = ballots
                        .values()
                        .filter_map(|b| b.findings.iter().find(|(c, _)| c == charge)?.1.as_ref());
                    let (leading, votes, decided) = largest(findings);
                    ChargeAgreement {
                        id: charge.clone(),
                        leading: leading.cloned(),
                        votes,
                        of,
                        share: ratio(votes, of),
                        no_decision: of - decided,
                    }
                })
                .collect();
            let whole = ballots.values().filter(|b| !b.findings.is_empty()).filter_map(|b| {
                b.findings.iter().map(|(c, f)| Some((c, f.as_ref()?))).collect::<Option<Vec<_>>>()
            });
            let whole: Vec<_> = whole.map(sorted).collect();
            RoundAgreement { round, whole: ratio(largest(whole.iter()).1, of), charges }
        })
        .collect()
}

fn sorted<'a>(mut ballot: Vec<(&'a ProvisionId, &'a Finding)>) -> Vec<(&'a ProvisionId, &'a Finding)> {
    ballot.sort_by_key(|(charge, _)| *charge);
    ballot
}

/// The largest group of equal items if it is alone, its size, and how many items there are.
fn largest<'a, T: PartialEq>(items: impl Iterator<Item = &'a T>) -> (Option<&'a T>, u32, u32) {
    let mut groups: Vec<(&T, u32)> = Vec::new();
    for item in items {
        match groups.iter_mut().find(|(have, _)| *have == item) {
            Some((_, n)) => *n += 1,
            None => groups.push((item, 1)),
        }
    }
    let size = groups.iter().map(|(_, n)| *n).max().unwrap_or(0);
    let mut top = groups.iter().filter(|(_, n)| *n == size);
    let alone = match (top.next(), top.next()) {
        (Some((item, _)), None) => Some(*item),
        _ => None,
    };
    (alone, size, groups.iter().map(|(_, n)| n).sum())
}

fn ratio(count: u32, of: u32) -> f64 {
    if of == 0 { 0.0 } else { f64::from(count) / f64::from(of) }
}
