//! Measures of a run: agreement, grounding, citation precision, cost, and what failed.
//!
//! What failed or is unknown is counted in a column of its own; it is `None` in a value and never a zero.
//! Only finished trials count.

use std::collections::{BTreeMap, BTreeSet};

use comfy_table::{Cell, CellAlignment};
use nyaya_agents::case::Gold;
use nyaya_agents::event::{Ballot, Body, ChargeVerdict, Decision, Finding};
use nyaya_corpora::ProvisionId;
use nyaya_corpora::citation::Verdict;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::answers::Answers;
use crate::audit::{VERDICTS, plain, table, verdict_mark, verdict_name};
use crate::error::{Error, Result};
use crate::stats::{self, Mean, Share};
use crate::transcript::{Progress, Run, Trial};

// ---------------------------------------------------------------------------------------------------------
// Agreement

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

// ---------------------------------------------------------------------------------------------------------
// Grounding

/// How much of the case's keywords what was said names.
///
/// **`score`, SAMVAD's grounding score.** SAMVAD (Devadiga, Shetty, Agarwal, arXiv 2509.03793) rates an
/// utterance by the keywords of the case file that occur in it. The formula printed in the paper was not
/// available when this was written, so this is a reconstruction from descriptions of it, and figures may differ
/// from published ones (.21 to .42 for Qwen2.5-7B with retrieval). With `U` the statements made in
/// court and to the bench (instructions, arguments, positions, judgment; not empty ones) and `K` the case's keywords:
///
/// ```text
/// score = 1/|U| · Σ over u in U of |{k in K : k occurs in u}| / |K|
/// ```
///
/// **`beyond_passages`.** Retrieval puts words of the statutes into the prompt, so naming them shows little.
/// For each `u` the keywords are left out that occur in a passage, heading or breadcrumb which any search of
/// the trial gave before `u` (any agent's: the words travel through statements too). `K(u)` is what remains:
///
/// ```text
/// beyond_passages = mean over the u with K(u) not empty of |{k in K(u) : k occurs in u}| / |K(u)|
/// ```
///
/// Neither score says whether what was said is right, and case facts, which every agent reads, hold keywords too.
///
/// A keyword occurs where its words stand in this order, whatever the case, width (NFKC) and white space; a
/// letter or digit may not touch either end, except between Chinese characters, which have no word boundaries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Grounding {
    /// Keywords of the case after normalisation, each once.
    pub keywords: usize,
    /// Statements that were looked at.
    pub statements: usize,
    /// SAMVAD's score, 0 to 1; absent without keywords or statements.
    pub score: Option<f64>,
    /// The score without words that passages supplied; absent if nothing is left to count.
    pub beyond_passages: Option<f64>,
    /// Statements for which a keyword was left to count in the second score.
    pub statements_beyond: usize,
    /// Keywords that passages had supplied by the end of the trial.
    pub supplied: Vec<String>,
    /// Keywords that nobody named.
    pub unnamed: Vec<String>,
    /// SAMVAD's score by role.
    pub by_role: BTreeMap<String, f64>,
}

fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.nfkc().flat_map(char::to_lowercase).collect::<String>().split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Whether a letter before or after a keyword would make it part of a longer word.
fn joins(c: char) -> bool {
    let unspaced = matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    c.is_alphanumeric() && !unspaced
}

/// Whether a normalised keyword stands in a normalised text.
fn occurs(keyword: &str, text: &str) -> bool {
    let starts_word = keyword.chars().next().is_some_and(joins);
    let ends_word = keyword.chars().next_back().is_some_and(joins);
    text.match_indices(keyword).any(|(at, found)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|t| t.chars().next());
        !(starts_word && before.is_some_and(joins) || ends_word && after.is_some_and(joins))
    })
}

/// Both grounding scores of a trial; see [`Grounding`].
#[must_use]
pub fn grounding(trial: &Trial, keywords: &[String]) -> Grounding {
    let mut wanted: Vec<String> = Vec::new();
    for keyword in keywords.iter().map(|k| normal(k)) {
        if !keyword.is_empty() && !wanted.contains(&keyword) {
            wanted.push(keyword);
        }
    }
    let mut supplied: BTreeSet<&str> = BTreeSet::new();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let mut plain_scores: Vec<(&str, f64)> = Vec::new();
    let mut beyond: Vec<f64> = Vec::new();
    let mut statements = 0;
    for event in &trial.events {
        let text = match &event.body {
            Body::Retrieved { hits, .. } => {
                for hit in hits {
                    let heading = hit.heading.as_deref().unwrap_or_default();
                    let read =
                        normal(&format!("{} {} {heading} {}", hit.title, hit.breadcrumb.join(" "), hit.text));
                    supplied.extend(wanted.iter().filter(|k| occurs(k, &read)).map(String::as_str));
                }
                continue;
            }
            body => match body.statement() {
                Some(statement) => normal(&statement.text),
                None => continue,
            },
        };
        // A reply that could not be read left no words; that is a failure, and no statement without keywords.
        if text.is_empty() {
            continue;
        }
        statements += 1;
        if wanted.is_empty() {
            continue;
        }
        let here: BTreeSet<&str> = wanted.iter().filter(|k| occurs(k, &text)).map(String::as_str).collect();
        plain_scores.push((&event.actor.role, here.len() as f64 / wanted.len() as f64));
        let left = wanted.len() - supplied.len();
        if left > 0 {
            beyond.push(here.difference(&supplied).count() as f64 / left as f64);
        }
        named.extend(here);
    }
    let mean =
        |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let mut by_role: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (role, score) in &plain_scores {
        by_role.entry((*role).to_owned()).or_default().push(*score);
    }
    Grounding {
        keywords: wanted.len(),
        statements,
        score: mean(&plain_scores.iter().map(|(_, s)| *s).collect::<Vec<_>>()),
        beyond_passages: mean(&beyond),
        statements_beyond: beyond.len(),
        supplied: wanted.iter().filter(|k| supplied.contains(k.as_str())).cloned().collect(),
        unnamed: wanted.iter().filter(|k| !named.contains(k.as_str())).cloned().collect(),
        by_role: by_role.into_iter().filter_map(|(role, s)| Some((role, mean(&s)?))).collect(),
    }
}

// ---------------------------------------------------------------------------------------------------------
// Citations

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
    fn of(verdicts: impl Iterator<Item = Verdict>) -> Self {
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

fn cited_not_retrieved(trial: &Trial) -> [(u64, u64); 2] {
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

// ---------------------------------------------------------------------------------------------------------
// Cost

/// Tokens as far as they were measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Sum over the calls whose reply said it.
    pub measured: u64,
    /// Calls whose reply did not say.
    pub unknown_calls: u64,
}

impl Tokens {
    fn add(&mut self, value: Option<u64>) {
        match value {
            Some(n) => self.measured += n,
            None => self.unknown_calls += 1,
        }
    }

    /// The total, if every call was measured.
    #[must_use]
    pub fn total(self) -> Option<u64> {
        (self.unknown_calls == 0).then_some(self.measured)
    }

    /// `1234`, `unknown`, or `1234 + unknown (3 calls)`.
    #[must_use]
    pub fn label(self) -> String {
        match (self.measured, self.unknown_calls) {
            (n, 0) => n.to_string(),
            (0, _) => "unknown".to_owned(),
            (n, calls) => format!("{n} + unknown ({calls} calls)"),
        }
    }
}

/// What one role cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Cost {
    /// Replies.
    pub calls: u64,
    /// Requests sent, retries included.
    pub attempts: u64,
    /// Tokens read.
    pub prompt_tokens: Tokens,
    /// Tokens written.
    pub completion_tokens: Tokens,
    /// Milliseconds waited, retries included; calls at the same time add up.
    pub latency_ms: u64,
    /// Replies that a token limit cut off.
    pub cut_off: u64,
    /// How the replies were read: `strict`, `recovered`, `pattern`, `text`, `no_decision`.
    pub stages: BTreeMap<String, u64>,
}

impl Cost {
    fn absorb(&mut self, other: &Self) {
        self.calls += other.calls;
        self.attempts += other.attempts;
        self.prompt_tokens.measured += other.prompt_tokens.measured;
        self.prompt_tokens.unknown_calls += other.prompt_tokens.unknown_calls;
        self.completion_tokens.measured += other.completion_tokens.measured;
        self.completion_tokens.unknown_calls += other.completion_tokens.unknown_calls;
        self.latency_ms += other.latency_ms;
        self.cut_off += other.cut_off;
        for (stage, n) in &other.stages {
            *self.stages.entry(stage.clone()).or_default() += n;
        }
    }

    fn all(by_role: &BTreeMap<String, Self>) -> Self {
        let mut sum = Self::default();
        by_role.values().for_each(|cost| sum.absorb(cost));
        sum
    }
}

// ---------------------------------------------------------------------------------------------------------
// A trial

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
    fn absorb(&mut self, other: Self) {
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
            ballot_stages,
            failures,
        }
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

// ---------------------------------------------------------------------------------------------------------
// A run

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
    /// Pairs of agent and provision cited without any search having found it.
    pub cited_not_retrieved: Option<Share>,
    /// Tokens of a trial, where every call was measured.
    pub tokens: Option<Mean>,
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
            cited_not_retrieved: pooled(&|t| t.not_retrieved.by_nobody),
            as_expected: pooled(&|t| t.as_expected),
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

    /// As tables for people, `width` columns wide (the terminal's where `None`).
    #[must_use]
    pub fn to_table(&self, width: Option<u16>) -> String {
        let mut out = format!("{} of {} trials finished", self.finished, self.trials);
        if !self.unfinished.is_empty() {
            let names: Vec<String> = self.unfinished.iter().map(|n| plain(n)).collect();
            out.push_str(&format!("; unfinished, not counted: {}", names.join(", ")));
        }
        out.push('\n');

        let mut main = table(width);
        main.set_header(["measure", "value", "95% interval", "over", "without a value"]);
        for (name, mean, percent) in [
            ("grounding score (SAMVAD)", self.grounding, false),
            ("… without words the passages supplied", self.grounding_beyond_passages, false),
            ("agreement, independent views", self.agreement_first, true),
            ("agreement, last round", self.agreement_last, true),
            ("rounds of deliberation", self.rounds, false),
            ("citation precision, mean of trials", self.citation_precision, true),
            ("tokens a trial", self.tokens, false),
        ] {
            main.add_row(mean_row(name, mean, percent, self.finished));
        }
        for (name, share, things) in [
            ("citation precision: verified of looked up", self.citations.precision, "citations"),
            ("citations not checked", self.citations.unchecked, "citations"),
            ("cited, retrieved by nobody before", self.cited_not_retrieved, "agent × provision"),
            ("hung", self.hung, "trials"),
            ("verdict as the case file expects", self.as_expected, "charges"),
        ] {
            main.add_row(match share {
                Some(s) => vec![
                    name.to_owned(),
                    format!("{}/{} = {:.1}%", s.count, s.of, s.share * 100.0),
                    format!("{:.1}% – {:.1}%", s.low * 100.0, s.high * 100.0),
                    format!("{} {things}", s.of),
                    String::new(),
                ],
                None => vec![
                    name.to_owned(),
                    "–".to_owned(),
                    "–".to_owned(),
                    format!("0 {things}"),
                    String::new(),
                ],
            });
        }
        push_table(&mut out, "", &main);
        let answers = self.answers.rows();
        if !answers.is_empty() {
            let mut table = table(width);
            table.set_header(["answers", "value", "95% interval", "always the same answer"]);
            for row in answers {
                table.add_row(row);
            }
            push_table(&mut out, "Answers against the right ones", &table);
        }
        if !self.by_trial.is_empty() && self.by_trial.iter().all(|t| t.grounding.keywords == 0) {
            out.push_str("Grounding is unknown: the run's folder holds no case file with keywords (cases/<case>.json).\n");
        }

        let mut rounds = table(width);
        rounds.set_header([
            "trial",
            "round",
            "whole ballot",
            "charge",
            "largest group",
            "finding",
            "no decision",
        ]);
        for trial in &self.by_trial {
            for (at, round) in trial.agreement.iter().enumerate() {
                for (i, charge) in round.charges.iter().enumerate() {
                    let first = i == 0;
                    rounds.add_row([
                        if first && at == 0 { plain(&trial.trial) } else { String::new() },
                        if first { round_name(round.round) } else { String::new() },
                        if first { format!("{:.0}%", round.whole * 100.0) } else { String::new() },
                        charge.id.to_string(),
                        format!("{}/{}", charge.votes, charge.of),
                        charge.leading.as_ref().map_or_else(|| "tied or none".to_owned(), finding_name),
                        charge.no_decision.to_string(),
                    ]);
                }
            }
        }
        push_table(&mut out, "Agreement by round", &rounds);

        let mut verdicts = table(width);
        verdicts.set_header(["verdict", "citations", "by trial, mean"]);
        for verdict in VERDICTS {
            let name = verdict_name(verdict);
            let n = self.citations.by_verdict.get(name).copied().unwrap_or(0);
            let by_trial: Vec<f64> = self
                .by_trial
                .iter()
                .map(|t| t.citations.by_verdict.get(name).copied().unwrap_or(0) as f64)
                .collect();
            let mean = by_trial.iter().sum::<f64>() / (by_trial.len().max(1) as f64);
            verdicts.add_row([
                format!("{} {}", verdict_mark(verdict), name.replace('_', " ")),
                n.to_string(),
                format!("{mean:.1}"),
            ]);
        }
        push_table(&mut out, "Citations by verdict", &verdicts);

        let mut cost = table(width);
        cost.set_header([
            "role",
            "calls",
            "tokens read",
            "tokens written",
            "seconds",
            "cut off",
            "replies read as",
        ]);
        for column in 1..=5 {
            if let Some(column) = cost.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let total = Cost::all(&self.cost);
        for (role, c) in self.cost.iter().map(|(r, c)| (r.as_str(), c)).chain([("all", &total)]) {
            let stages: Vec<String> = c.stages.iter().map(|(s, n)| format!("{} {n}", plain(s))).collect();
            cost.add_row([
                Cell::new(plain(role)),
                Cell::new(c.calls),
                Cell::new(c.prompt_tokens.label()),
                Cell::new(c.completion_tokens.label()),
                Cell::new(format!("{:.1}", c.latency_ms as f64 / 1000.0)),
                Cell::new(c.cut_off),
                Cell::new(stages.join(", ")),
            ]);
        }
        push_table(&mut out, "Cost and reading of replies, by role", &cost);

        let mut failures = table(width);
        failures.set_header(["failure", "times"]);
        let f = self.failures;
        for (name, n) in [
            ("trials without a verdict", f.no_verdict),
            ("trials without a judgment", f.no_judgment),
            ("trials stopped by a budget", f.budget_stops),
            ("ballots with an undecided charge", f.undecided_ballots),
            ("replies from which nothing could be read", f.no_decision),
            ("replies cut off by a token limit", total.cut_off),
            ("refusals", f.refusals),
            ("refusals mended by asking again", f.refusals_mended),
            ("statements that differ from what they had to follow", f.discrepancies),
            ("conversations cut to fit the window", f.context_cuts),
        ] {
            failures.add_row([name.to_owned(), n.to_string()]);
        }
        let stages: Vec<String> =
            self.ballot_stages.iter().map(|(s, n)| format!("{} {n}", plain(s))).collect();
        failures.add_row(["ballots read as".to_owned(), stages.join(", ")]);
        push_table(&mut out, "Failures, and how ballots were read", &failures);
        out
    }
}

/// `independent views` or `round 2`.
#[must_use]
pub fn round_name(round: u32) -> String {
    if round == 0 { "independent".to_owned() } else { format!("round {round}") }
}

/// `guilty`, `not guilty`, `lesser offence in/ipc#s304`.
#[must_use]
pub fn finding_name(finding: &Finding) -> String {
    match finding {
        Finding::Guilty => "guilty".to_owned(),
        Finding::NotGuilty => "not guilty".to_owned(),
        Finding::Lesser { offence } => format!("lesser offence {offence}"),
    }
}

fn mean_row(name: &str, mean: Option<Mean>, percent: bool, trials: usize) -> Vec<String> {
    let number = |x: f64| {
        if percent {
            format!("{:.1}%", x * 100.0)
        } else if x.abs() >= 100.0 {
            format!("{x:.0}")
        } else {
            format!("{x:.3}")
        }
    };
    match mean {
        Some(m) => vec![
            name.to_owned(),
            number(m.mean),
            match (m.low, m.high) {
                (Some(low), Some(high)) => format!("{} – {}", number(low), number(high)),
                _ => "–".to_owned(),
            },
            if m.n == 1 { "1 trial".to_owned() } else { format!("{} trials", m.n) },
            m.without.to_string(),
        ],
        None => vec![
            name.to_owned(),
            "unknown".to_owned(),
            "–".to_owned(),
            "0 trials".to_owned(),
            trials.to_string(),
        ],
    }
}

fn push_table(out: &mut String, title: &str, table: &comfy_table::Table) {
    if table.row_count() > 0 {
        if !title.is_empty() {
            out.push_str(&format!("\n{title}\n"));
        }
        out.push_str(&table.to_string());
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use nyaya_agents::chat::Usage;

    const C1: &str = "xx/orchard#s7";
    const C2: &str = "xx/orchard#s9";

    fn near(value: Option<f64>, right: f64) -> bool {
        value.is_some_and(|v| (v - right).abs() < 1e-9)
    }

    fn words(list: &[&str]) -> Vec<String> {
        list.iter().map(|w| (*w).to_owned()).collect()
    }

    fn run(trials: Vec<Trial>) -> Run {
        Run { dir: "run".into(), config: toml::Table::new(), trials }
    }

    #[test]
    fn agreement_counts_those_without_a_decision_in_the_denominator() {
        let (g, n) = (Some(Finding::Guilty), Some(Finding::NotGuilty));
        let lesser = Some(Finding::Lesser { offence: id("xx/orchard#s8") });
        let trial = Script::new("t", 0, "en")
            .position("adjudicator-1", 0, &[(C1, g.clone()), (C2, n.clone())], "", vec![])
            .position("adjudicator-2", 0, &[(C1, g.clone()), (C2, g.clone())], "", vec![])
            .position("adjudicator-3", 0, &[(C1, n.clone()), (C2, None)], "", vec![])
            .position("adjudicator-4", 0, &[(C1, lesser.clone()), (C2, n.clone())], "", vec![])
            .position("adjudicator-1", 1, &[(C1, g.clone()), (C2, n.clone())], "", vec![])
            // The order of the charges in a ballot is no difference.
            .position("adjudicator-2", 1, &[(C2, n.clone()), (C1, g.clone())], "", vec![])
            .position("adjudicator-3", 1, &[(C1, g.clone()), (C2, n.clone())], "", vec![])
            .verdict(vec![charge(C1, g.clone(), 4, 5), charge(C2, n.clone(), 4, 5)], 1)
            .finished();
        let rounds = agreement(&trial);
        assert_eq!(rounds.len(), 2);
        let c = &rounds[0].charges;
        assert_eq!((c[0].leading.clone(), c[0].votes, c[0].of, c[0].no_decision), (g.clone(), 2, 5, 1));
        assert_eq!((c[1].leading.clone(), c[1].votes, c[1].no_decision), (n.clone(), 2, 2));
        assert!((rounds[0].whole - 0.2).abs() < 1e-12);
        // The fourth has no position in round 1, the bench is still five.
        assert!((rounds[1].whole - 0.6).abs() < 1e-12);
        assert_eq!(rounds[1].charges[0].no_decision, 2);
    }

    #[test]
    fn a_tie_has_no_leading_finding_and_nobody_deciding_is_no_group() {
        let trial = Script::new("t", 0, "en")
            .position("adjudicator-1", 0, &[(C1, Some(Finding::Guilty))], "", vec![])
            .position("adjudicator-2", 0, &[(C1, Some(Finding::NotGuilty))], "", vec![])
            .position("adjudicator-1", 1, &[(C1, None)], "", vec![])
            .position("adjudicator-2", 1, &[(C1, None)], "", vec![])
            .finished();
        let rounds = agreement(&trial);
        assert_eq!((rounds[0].charges[0].leading.clone(), rounds[0].charges[0].votes), (None, 1));
        assert_eq!((rounds[1].charges[0].votes, rounds[1].whole), (0, 0.0));
    }

    #[test]
    fn grounding_is_the_mean_share_of_keywords_by_statement() {
        let trial = Script::new("t", 0, "en")
            .public("judge", "judge", "instructions", "A LADDER and an  orchard\nwall.")
            .searches(
                "prosecution",
                "prosecution",
                "opening",
                "q",
                vec![hit(C1, 1, "Whoever takes an apple from an orchard")],
            )
            .public("prosecution", "prosecution", "opening", "The apple, the ladder, the orchard wall.")
            .public("defence", "defence", "opening", "Pineapple ladders.")
            .position("adjudicator-1", 0, &[(C1, None)], "", vec![])
            .finished();
        let g = grounding(&trial, &words(&["ladder", "Orchard wall", "apple", "moonlight", "ladder "]));
        assert_eq!((g.keywords, g.statements), (4, 3));
        // 2/4, 3/4, 0/4: neither `pineapple` nor `ladders` is the keyword.
        assert!(near(g.score, (0.5 + 0.75) / 3.0), "{g:?}");
        // The passage supplies `apple`: before it 2/4, after it 2/3 and 0/3.
        assert!(near(g.beyond_passages, (0.5 + 2.0 / 3.0) / 3.0), "{g:?}");
        assert_eq!(g.supplied, ["apple"]);
        assert_eq!(g.unnamed, ["moonlight"]);
        assert!(near(g.by_role.get("judge").copied(), 0.5));
    }

    #[test]
    fn keywords_in_chinese_need_no_word_boundary_and_width_is_no_difference() {
        let trial = Script::new("t", 0, "zh")
            .public("judge", "judge", "x", "被告人秘密窃取手机３部，价值8000元。")
            .finished();
        let g = grounding(&trial, &words(&["秘密窃取", "手机3部", "入户"]));
        assert!(near(g.score, 2.0 / 3.0), "{g:?}");
        let g = grounding(&trial, &words(&["800"]));
        assert!(near(g.score, 0.0), "part of a number is not the number: {g:?}");
    }

    #[test]
    fn grounding_is_unknown_and_not_zero_where_there_is_nothing_to_count() {
        let trial = Script::new("t", 0, "en").public("judge", "judge", "x", "words").finished();
        assert_eq!(grounding(&trial, &[]).score, None);
        assert_eq!(grounding(&Script::new("t", 0, "en").finished(), &words(&["a"])).score, None);
        // Every keyword supplied: the first score is there, the second has nothing left.
        let trial = Script::new("t", 0, "en")
            .searches("judge", "judge", "x", "q", vec![hit(C1, 1, "apple")])
            .public("judge", "judge", "x", "apple")
            .finished();
        let g = grounding(&trial, &words(&["apple"]));
        assert!(near(g.score, 1.0) && g.beyond_passages.is_none() && g.statements_beyond == 0);
    }

    #[test]
    fn precision_is_of_those_looked_up_and_unchecked_stands_apart() {
        let c = Citations::of(
            [
                Verdict::Verified,
                Verdict::Verified,
                Verdict::Verified,
                Verdict::NotFound,
                Verdict::Misquoted,
                Verdict::Unchecked,
                Verdict::Unchecked,
            ]
            .into_iter(),
        );
        assert_eq!((c.all, c.looked_up), (7, 5));
        assert!(near(c.precision.map(|p| p.share), 0.6));
        assert_eq!(c.by_verdict["unchecked"], 2);
        assert_eq!(c.by_verdict.len(), 9);
        let c = Citations::of([Verdict::Unchecked].into_iter());
        assert_eq!(c.precision, None, "nothing looked up is no precision, neither 0 nor 1");
    }

    #[test]
    fn cited_before_anybody_found_it_is_counted_once_for_an_agent() {
        let cite = |name: &str| vec![in_field(name, Verdict::Verified), in_field(name, Verdict::Verified)];
        let trial = Script::new("t", 0, "en")
            .says("judge", "judge", "a", "", cite(C1))
            .searches("prosecution", "prosecution", "b", "q", vec![hit(C1, 1, "x"), hit(C2, 2, "y")])
            .says("prosecution", "prosecution", "b", "", cite(C1))
            .says("defence", "defence", "b", "", cite(C2))
            .says("judge", "judge", "c", "", cite(C1))
            .finished();
        // Pairs: judge×7 (nobody yet), prosecution×7 (itself), defence×9 (the prosecution).
        assert_eq!(cited_not_retrieved(&trial), [(1, 3), (2, 3)]);
    }

    #[test]
    fn tokens_are_measured_or_unknown() {
        let measured = Usage { prompt_tokens: Some(100), completion_tokens: Some(20) };
        let trial = Script::new("t", 0, "en")
            .calls("judge", "judge", "text", measured)
            .calls("judge", "judge", "text", measured)
            .calls("adjudicator", "adjudicator-1", "strict", measured)
            .calls("adjudicator", "adjudicator-2", "no_decision", Usage::default())
            .finished();
        let m = TrialMeasures::of(&trial, &[]);
        assert_eq!(m.cost["judge"].prompt_tokens.total(), Some(200));
        assert_eq!(m.cost["adjudicator"].prompt_tokens.label(), "100 + unknown (1 calls)");
        assert_eq!(m.cost["adjudicator"].stages["no_decision"], 1);
        assert_eq!(m.cost["judge"].latency_ms, 500);
        assert_eq!(m.tokens(), None);
        assert_eq!(m.models, ["toy"]);
    }

    #[test]
    fn unfinished_trials_and_failures_are_columns_and_never_zeros() {
        let mut good = Script::new("t", 0, "en")
            .public("judge", "judge", "x", "apple")
            .verdict(
                vec![charge(C1, Some(Finding::Guilty), 4, 5), charge(C2, Some(Finding::Guilty), 4, 5)],
                2,
            )
            .finished();
        let case = r#"{"id":"t","language":"en","jurisdiction":"xx","keywords":["apple"],
            "charges":[{"id":"xx/orchard#s7","note":"n"},{"id":"xx/orchard#s9"}],
            "evidence":[{"mark":"P-1","side":"prosecution","text":"a ladder"}],
            "expected":[{"charge":"xx/orchard#s7","finding":"guilty","why":"w"},
                        {"charge":"xx/orchard#s9","finding":"lesser","offence":"xx/orchard#s8","why":"w"}]}"#;
        good.info = Some(serde_json::from_str(case).unwrap());
        let hung = Script::new("t", 1, "en").verdict(vec![charge(C1, None, 3, 5)], 3).finished();
        let budget = Body::BudgetStop { budget: "tokens".to_owned() };
        let stopped =
            Script::new("t", 4, "en").push(actor("session", "session"), "end", None, budget).trial();
        let refused = Script::new("t", 2, "en")
            .push(
                actor("defence", "defence"),
                "x",
                None,
                Body::Refusal { text: "no".to_owned(), mended: false },
            )
            .finished();
        let unfinished = Script::new("t", 3, "en").public("judge", "judge", "x", "apple").trial();
        let m = RunMeasures::with_keywords(&run(vec![good, hung, refused, unfinished, stopped]), |_| {
            words(&["apple"])
        });
        assert_eq!((m.trials, m.finished, m.unfinished.len()), (5, 3, 2));
        let rounds = m.rounds.unwrap();
        assert_eq!((rounds.mean, rounds.n, rounds.without), (2.5, 2, 1));
        let hung = m.hung.unwrap();
        assert_eq!((hung.count, hung.of), (1, 2));
        let g = m.grounding.unwrap();
        assert_eq!((g.mean, g.n, g.without), (1.0, 1, 2));
        assert_eq!((m.failures.no_verdict, m.failures.budget_stops, m.failures.refusals), (1, 1, 1));
        assert_eq!(m.failures.no_judgment, 3);
        assert_eq!(m.citation_precision, None);
        assert_eq!(m.as_expected.map(|s| (s.count, s.of)), Some((1, 2)));
        let text = m.to_table(Some(140));
        assert!(text.contains("3 of 5 trials finished; unfinished, not counted"), "{text}");
        assert!(serde_json::from_str::<serde_json::Value>(&m.to_json().unwrap()).is_ok());
    }
}
