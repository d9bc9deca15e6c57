//! The measures of a run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::citations::{Citations, NotRetrieved};
use super::cost::{Cost, PaperCost};
use super::trial::{Failures, TrialMeasures};
use crate::answers::Answers;
use crate::error::{Error, Result};
use crate::stats::{self, Mean, Share};
use crate::transcript::{Progress, Run, Trial};

/// The measures of a run.
///
/// Means are over finished trials, with bootstrap intervals over trials ([`stats::mean`]); shares are pooled
/// over all finished trials, with Wilson intervals ([`stats::share`]). Trials of one case are not independent of each
/// other, and neither are citations of one trial, so that both intervals are, if anything, too narrow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunMeasures {
    /// Trials in the folder.
    pub trials: usize,
    /// Those that are finished, and counted here.
    pub finished: usize,
    /// Names of the others.
    pub unfinished: Vec<String>,
    /// Trials that hung, of those with a verdict.
    pub hung: Option<Share>,
    /// Charges with the finding that the case files give as right, of those with a verdict.
    pub as_expected: Option<Share>,
    /// Labels and sentences against the right answers, beside constant answers.
    pub answers: Answers,
    /// Rounds of deliberation.
    pub rounds: Option<Mean>,
    /// Agreement on whole ballots in the independent views.
    pub agreement_first: Option<Mean>,
    /// Agreement on whole ballots in the last round.
    pub agreement_last: Option<Mean>,
    /// SAMVAD's grounding score.
    pub grounding: Option<Mean>,
    /// The same without words that passages supplied.
    pub grounding_beyond_passages: Option<Mean>,
    /// Citations of all finished trials.
    pub citations: Citations,
    /// Citation precision, mean over trials.
    pub citation_precision: Option<Mean>,
    /// The lists of provisions could hold only what the agents were shown, so that these measures say nothing of how
    /// well a model cites.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub constrained_citations: bool,
    /// Cited but not retrieved, over all finished trials.
    pub not_retrieved: NotRetrieved,
    /// Calls of a trial.
    pub calls: Option<Mean>,
    /// Tokens of a trial, where every call was measured.
    pub tokens: Option<Mean>,
    /// What the court's paper states of a case, where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper: Option<PaperCost>,
    /// Cost by role, all finished trials.
    pub cost: BTreeMap<String, Cost>,
    /// How ballots were read, all finished trials.
    pub ballot_stages: BTreeMap<String, u64>,
    /// What went wrong, all finished trials.
    pub failures: Failures,
    /// By trial.
    pub by_trial: Vec<TrialMeasures>,
}

impl RunMeasures {
    /// Measures a run; keywords come from the case files in the run's folder.
    #[must_use]
    pub fn of(run: &Run) -> Self {
        Self::with_keywords(run, |trial| trial.info.as_ref().map(|i| i.keywords.clone()).unwrap_or_default())
    }

    /// Measures a run with keywords from elsewhere.
    pub fn with_keywords(run: &Run, keywords: impl Fn(&Trial) -> Vec<String>) -> Self {
        let by_trial: Vec<TrialMeasures> =
            run.finished().map(|trial| TrialMeasures::of(trial, &keywords(trial))).collect();
        let mean = |value: &dyn Fn(&TrialMeasures) -> Option<f64>| {
            stats::mean(&by_trial.iter().map(value).collect::<Vec<_>>())
        };
        let mut cost: BTreeMap<String, Cost> = BTreeMap::new();
        let mut ballot_stages: BTreeMap<String, u64> = BTreeMap::new();
        let mut failures = Failures::default();
        for trial in &by_trial {
            for (role, c) in &trial.cost {
                cost.entry(role.clone()).or_default().absorb(c);
            }
            for (stage, n) in &trial.ballot_stages {
                *ballot_stages.entry(stage.clone()).or_default() += n;
            }
            failures.absorb(trial.failures);
        }
        let stopped = |t: &&Trial| matches!(&t.progress, Progress::Unfinished { budget: Some(_), .. });
        failures.budget_stops += run.trials.iter().filter(stopped).count() as u64;
        let hung = by_trial.iter().filter(|t| t.hung == Some(true)).count() as u64;
        let with_verdict = by_trial.iter().filter(|t| t.hung.is_some()).count() as u64;
        let pooled = |share: &dyn Fn(&TrialMeasures) -> Option<Share>| {
            let (count, of) =
                by_trial.iter().filter_map(share).fold((0, 0), |(c, o), s| (c + s.count, o + s.of));
            stats::share(count, of)
        };
        Self {
            trials: run.trials.len(),
            finished: by_trial.len(),
            unfinished: run.trials.iter().filter(|t| !t.is_finished()).map(|t| t.name.clone()).collect(),
            hung: stats::share(hung, with_verdict),
            answers: Answers::of(
                by_trial.iter().filter_map(|t| Some((t.decision.as_ref()?, t.gold.as_ref()?))),
            ),
            rounds: mean(&|t| t.rounds.map(f64::from)),
            agreement_first: mean(&|t| t.agreement.first().map(|a| a.whole)),
            agreement_last: mean(&|t| t.agreement.last().map(|a| a.whole)),
            grounding: mean(&|t| t.grounding.score),
            grounding_beyond_passages: mean(&|t| t.grounding.beyond_passages),
            citations: Citations::of(run.finished().flat_map(|t| {
                t.statements().flat_map(|(_, s)| s.citations.iter().map(|c| c.citation.verdict))
            })),
            citation_precision: mean(&|t| t.citations.precision.map(|p| p.share)),
            constrained_citations: run.constrained(),
            not_retrieved: NotRetrieved {
                by_nobody: pooled(&|t| t.not_retrieved.by_nobody),
                not_by_itself: pooled(&|t| t.not_retrieved.not_by_itself),
            },
            as_expected: pooled(&|t| t.as_expected),
            calls: mean(&|t| Some(t.calls() as f64).filter(|n| *n > 0.0)),
            paper: by_trial.iter().find_map(|t| t.paper),
            tokens: mean(&|t| t.tokens().map(|n| n as f64)),
            cost,
            ballot_stages,
            failures,
            by_trial,
        }
    }

    /// As JSON: one object, its lists arrays of objects.
    ///
    /// # Errors
    /// If it cannot be written, which would be a fault of the program.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(self).map_err(|e| Error::render("measures as JSON", e))
    }
}
