//! The measures of a trial.

use std::collections::BTreeMap;

use nyaya_agents::case::Gold;
use nyaya_agents::event::{Body, ChargeVerdict, Decision};
use nyaya_agents::protocols::simlaw;
use serde::Serialize;

use super::agreement::{RoundAgreement, agreement};
use super::citations::{Citations, NotRetrieved, cited_not_retrieved};
use super::cost::{Cost, PaperCost};
use super::grounding::{Grounding, grounding};
use crate::stats::{self, Share};
use crate::transcript::Trial;

/// What went wrong in a trial without ending it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Failures {
    /// The trial ended without a verdict, a sentence or a label.
    pub no_verdict: u64,
    /// The trial ended without a final judgment.
    pub no_judgment: u64,
    /// Ballots with a charge on which no decision could be read.
    pub undecided_ballots: u64,
    /// Replies from which nothing could be read, those of undecided ballots included.
    pub no_decision: u64,
    /// Refusals that stayed.
    pub refusals: u64,
    /// Refusals mended by asking again.
    pub refusals_mended: u64,
    /// Statements that still differ from what they had to follow, such as a judgment that leaves the verdict.
    pub discrepancies: u64,
    /// Conversations cut to fit the window.
    pub context_cuts: u64,
    /// Trials that a budget ended; for a run, unfinished ones are counted here too.
    pub budget_stops: u64,
}

impl Failures {
    pub(super) fn absorb(&mut self, other: Self) {
        self.no_verdict += other.no_verdict;
        self.no_judgment += other.no_judgment;
        self.undecided_ballots += other.undecided_ballots;
        self.no_decision += other.no_decision;
        self.refusals += other.refusals;
        self.refusals_mended += other.refusals_mended;
        self.discrepancies += other.discrepancies;
        self.context_cuts += other.context_cuts;
        self.budget_stops += other.budget_stops;
    }
}

/// The measures of one finished trial.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrialMeasures {
    /// Folder of the trial.
    pub trial: String,
    /// Case id.
    pub case: String,
    /// Repeat, from 0.
    pub repeat: u32,
    /// The bench's verdict; absent if there was none.
    pub verdict: Option<Vec<ChargeVerdict>>,
    /// Whether the bench hung on any charge; absent without a verdict.
    pub hung: Option<bool>,
    /// Rounds of deliberation after the independent views; absent without a verdict.
    pub rounds: Option<u32>,
    /// What it came to, where that is not a verdict on charges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The right answer to compare it with, where the case has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<Gold>,
    /// Charges with the finding that the case file gives as right, of those it gives; absent if it gives none,
    /// or if there was no verdict. A hung charge is not right.
    pub as_expected: Option<Share>,
    /// Agreement by round.
    pub agreement: Vec<RoundAgreement>,
    /// The grounding scores.
    pub grounding: Grounding,
    /// Citations of all kinds.
    pub citations: Citations,
    /// Citations in the structured lists.
    pub citations_in_field: Citations,
    /// Citations in the words.
    pub citations_in_text: Citations,
    /// Cited but not retrieved.
    pub not_retrieved: NotRetrieved,
    /// Models that answered, by their own word, each once.
    pub models: Vec<String>,
    /// Cost by role.
    pub cost: BTreeMap<String, Cost>,
    /// What its paper states of a case, where the court is a debate over a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper: Option<PaperCost>,
    /// How the ballots were read.
    pub ballot_stages: BTreeMap<String, u64>,
    /// What went wrong.
    pub failures: Failures,
}

impl TrialMeasures {
    /// Measures one trial with the case's keywords.
    #[must_use]
    pub fn of(trial: &Trial, keywords: &[String]) -> Self {
        let mut cost: BTreeMap<String, Cost> = BTreeMap::new();
        let mut ballot_stages: BTreeMap<String, u64> = BTreeMap::new();
        let mut failures = Failures::default();
        let mut models: Vec<String> = Vec::new();
        let mut judged = false;
        for event in &trial.events {
            match &event.body {
                Body::ModelCall { reply, stage, .. } => {
                    let cost = cost.entry(event.actor.role.clone()).or_default();
                    cost.calls += 1;
                    cost.attempts += u64::from(reply.attempts);
                    cost.prompt_tokens.add(reply.usage.prompt_tokens);
                    cost.completion_tokens.add(reply.usage.completion_tokens);
                    cost.latency_ms += reply.latency_ms;
                    cost.cut_off += u64::from(reply.finish_reason == "length");
                    *cost.stages.entry(stage.clone()).or_default() += 1;
                    if !models.contains(&reply.model) {
                        models.push(reply.model.clone());
                    }
                }
                Body::Position { ballot, .. } => {
                    *ballot_stages.entry(ballot.stage.clone()).or_default() += 1;
                    let undecided =
                        ballot.findings.is_empty() || ballot.findings.iter().any(|(_, f)| f.is_none());
                    failures.undecided_ballots += u64::from(undecided);
                }
                Body::Judgment(_) => judged = true,
                Body::Refusal { mended: true, .. } => failures.refusals_mended += 1,
                Body::Refusal { mended: false, .. } => failures.refusals += 1,
                Body::Discrepancy { .. } => failures.discrepancies += 1,
                Body::ContextCut { .. } => failures.context_cuts += 1,
                Body::BudgetStop { .. } => failures.budget_stops += 1,
                Body::NoDecision { .. } => failures.no_decision += 1,
                _ => {}
            }
        }
        let verdict = trial.verdict();
        let decision = trial.decision();
        let undecided = match decision {
            Some(Decision::Term { sentence, .. }) => sentence.is_none(),
            Some(Decision::Label { label, .. }) => label.is_none(),
            Some(Decision::Charges { .. }) | None => verdict.is_none(),
        };
        failures.no_verdict = u64::from(undecided);
        // Only a court that finds on charges writes one.
        failures.no_judgment = u64::from(!judged && decision.is_none());
        let citations = |place: Option<&str>| {
            Citations::of(
                trial
                    .statements()
                    .flat_map(|(_, s)| &s.citations)
                    .filter(|c| place.is_none_or(|p| c.place == p))
                    .map(|c| c.citation.verdict),
            )
        };
        let [nobody, itself] = cited_not_retrieved(trial);
        Self {
            trial: trial.name.clone(),
            case: trial.case.clone(),
            repeat: trial.repeat,
            verdict: verdict.map(|(charges, ..)| charges.to_vec()),
            hung: verdict.map(|(_, hung, _)| hung),
            rounds: verdict.map(|(.., rounds)| rounds).or(match decision {
                Some(Decision::Term { rounds, .. } | Decision::Label { rounds, .. }) => Some(*rounds),
                _ => None,
            }),
            decision: decision.cloned(),
            gold: trial.info.as_ref().and_then(|i| i.gold.clone()),
            as_expected: verdict.and_then(|(charges, ..)| as_expected(trial, charges)),
            agreement: agreement(trial),
            grounding: grounding(trial, keywords),
            citations: citations(None),
            citations_in_field: citations(Some("field")),
            citations_in_text: citations(Some("text")),
            not_retrieved: NotRetrieved {
                by_nobody: stats::share(nobody.0, nobody.1),
                not_by_itself: stats::share(itself.0, itself.1),
            },
            models,
            cost,
            paper: trial
                .events
                .iter()
                .any(|e| matches!(e.body, Body::Belief { .. }))
                .then_some(PaperCost { calls: simlaw::PAPER_CALLS, tokens: simlaw::PAPER_TOKENS }),
            ballot_stages,
            failures,
        }
    }

    /// Replies of all roles.
    #[must_use]
    pub fn calls(&self) -> u64 {
        Cost::all(&self.cost).calls
    }

    /// Tokens read and written by all roles, if every call was measured and there was one.
    #[must_use]
    pub fn tokens(&self) -> Option<u64> {
        let sum = Cost::all(&self.cost);
        if sum.calls == 0 {
            return None;
        }
        Some(sum.prompt_tokens.total()? + sum.completion_tokens.total()?)
    }
}

fn as_expected(trial: &Trial, charges: &[ChargeVerdict]) -> Option<Share> {
    let expected = &trial.info.as_ref()?.expected;
    let right = expected
        .iter()
        .filter(|e| charges.iter().any(|c| c.charge == e.charge && c.finding.as_ref() == Some(&e.finding)));
    stats::share(right.count() as u64, expected.len() as u64)
}
