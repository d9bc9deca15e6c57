//! Measures, cost and failures as rows.

use std::collections::BTreeMap;

use super::names::{self, Language};
use super::view::{CostView, MeasureView};
use crate::measures::{Cost, Failures, PaperCost, RunMeasures, Tokens, TrialMeasures};
use crate::stats::{Mean, Share};
use crate::transcript::Trial;

pub fn percent(x: f64) -> String {
    format!("{:.0} %", x * 100.0)
}

fn number(x: f64, as_percent: bool) -> String {
    if as_percent {
        format!("{:.1} %", x * 100.0)
    } else if x.abs() >= 100.0 {
        format!("{x:.0}")
    } else {
        format!("{x:.3}")
    }
}

fn plain_row(label: &'static str, value: Option<String>, over: String) -> MeasureView {
    MeasureView { label, value, interval: String::new(), over }
}

fn share_row(label: &'static str, share: Option<Share>, things: &str) -> MeasureView {
    MeasureView {
        label,
        value: share.map(|s| format!("{}/{} = {:.1} %", s.count, s.of, s.share * 100.0)),
        interval: share
            .map(|s| format!("{:.1} – {:.1} %", s.low * 100.0, s.high * 100.0))
            .unwrap_or_default(),
        over: share.map(|s| format!("{} {things}", s.of)).unwrap_or_default(),
    }
}

fn mean_view(label: &'static str, mean: Option<Mean>, as_percent: bool, language: Language) -> MeasureView {
    MeasureView {
        label,
        value: mean.map(|m| number(m.mean, as_percent)),
        interval: match mean.map(|m| (m.low, m.high)) {
            Some((Some(low), Some(high))) => {
                format!("{} – {}", number(low, as_percent), number(high, as_percent))
            }
            _ => String::new(),
        },
        over: mean.map(|m| format!("{} {}", m.n, language.word("m_trials"))).unwrap_or_default(),
    }
}

/// The rows that have a value: not every court deliberates, cites or is told the right verdict.
fn measured(mut rows: Vec<MeasureView>) -> Vec<MeasureView> {
    rows.retain(|row| row.value.is_some());
    rows
}

pub fn trial_measures(m: &TrialMeasures, language: Language) -> Vec<MeasureView> {
    let w = |key| language.word(key);
    let g = &m.grounding;
    let [calls, tokens] = stated(m.paper, language);
    let over = |n: usize| format!("{n} {} × {} {}", w("m_statements"), g.keywords, w("m_keywords"));
    measured(vec![
        plain_row(w("m_first"), m.agreement.first().map(|a| percent(a.whole)), String::new()),
        plain_row(w("m_last"), m.agreement.last().map(|a| percent(a.whole)), String::new()),
        share_row(w("m_precision"), m.citations.precision, w("m_citations")),
        share_row(w("m_unchecked"), m.citations.unchecked, w("m_citations")),
        share_row(w("m_not_retrieved"), m.not_retrieved.by_nobody, w("m_pairs")),
        plain_row(w("m_grounding"), g.score.map(|x| number(x, false)), over(g.statements)),
        plain_row(
            w("m_beyond"),
            g.beyond_passages.map(|x| number(x, false)),
            g.statements_beyond.to_string(),
        ),
        share_row(w("m_expected"), m.as_expected, w("m_charges")),
        plain_row(w("m_calls"), Some(m.calls()).filter(|n| *n > 0).map(|n| n.to_string()), calls),
        plain_row(w("m_tokens"), m.tokens().map(|n| n.to_string()), tokens),
    ])
}

pub fn run_measures(m: &RunMeasures, language: Language) -> Vec<MeasureView> {
    let w = |key| language.word(key);
    let [calls, tokens] = stated(m.paper, language);
    measured(vec![
        mean_view(w("m_first"), m.agreement_first, true, language),
        mean_view(w("m_last"), m.agreement_last, true, language),
        mean_view(w("m_rounds"), m.rounds, false, language),
        share_row(w("m_hung"), m.hung, w("m_trials")),
        share_row(w("m_expected"), m.as_expected, w("m_charges")),
        share_row(w("m_precision"), m.citations.precision, w("m_citations")),
        share_row(w("m_unchecked"), m.citations.unchecked, w("m_citations")),
        share_row(w("m_not_retrieved"), m.not_retrieved.by_nobody, w("m_pairs")),
        mean_view(w("m_grounding"), m.grounding, false, language),
        mean_view(w("m_beyond"), m.grounding_beyond_passages, false, language),
        beside(mean_view(w("m_calls"), m.calls, false, language), calls),
        beside(mean_view(w("m_tokens"), m.tokens, false, language), tokens),
    ])
}

/// What the court's paper states of the calls and the tokens of a case.
fn stated(paper: Option<PaperCost>, language: Language) -> [String; 2] {
    let of = |name: &'static str, n: u64| format!("{} {n}", language.word(name));
    paper.map_or_else(Default::default, |p| [of("m_paper_code", p.calls), of("m_paper", p.tokens)])
}

fn beside(mut row: MeasureView, more: String) -> MeasureView {
    if !more.is_empty() {
        row.over = format!("{}; {more}", row.over);
    }
    row
}

fn tokens(tokens: Tokens, language: Language) -> String {
    match (tokens.measured, tokens.unknown_calls) {
        (n, 0) => n.to_string(),
        (0, _) => language.word("unknown").to_owned(),
        (n, calls) => format!("{n} + {} ({calls})", language.word("unknown")),
    }
}

pub fn costs(cost: &BTreeMap<String, Cost>, language: Language) -> Vec<CostView> {
    cost.iter()
        .map(|(role, c)| {
            let actor = nyaya_agents::event::Actor { role: role.clone(), agent: role.clone() };
            CostView {
                role: names::agent(&actor, language),
                calls: c.calls,
                read: tokens(c.prompt_tokens, language),
                written: tokens(c.completion_tokens, language),
                seconds: format!("{:.1}", c.latency_ms as f64 / 1000.0),
                cut_off: c.cut_off,
                stages: c.stages.iter().map(|(s, n)| format!("{s} {n}")).collect::<Vec<_>>().join(", "),
            }
        })
        .collect()
}

pub fn failures(
    trial: &Trial,
    f: Failures,
    cost: &BTreeMap<String, Cost>,
    language: Language,
) -> Vec<(&'static str, u64)> {
    // A trial that is not finished has not failed to give a verdict.
    let ended = u64::from(trial.is_finished());
    [
        ("f_no_verdict", f.no_verdict * ended),
        ("f_no_judgment", f.no_judgment * ended),
        ("f_undecided", f.undecided_ballots),
        ("f_unreadable", f.no_decision),
        ("f_refusals", f.refusals),
        ("f_refusals_mended", f.refusals_mended),
        ("f_discrepancies", f.discrepancies),
        ("f_cuts", f.context_cuts),
        ("f_budget", f.budget_stops),
        ("f_cut_off", cost.values().map(|c| c.cut_off).sum()),
    ]
    .into_iter()
    .filter(|(_, n)| *n > 0)
    .map(|(key, n)| (language.word(key), n))
    .collect()
}
