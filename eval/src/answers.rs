//! Labels and sentences against the right answers, beside what a constant answer scores.
//!
//! A trial without a decision is a failure and a column of its own: it is never counted as a wrong label with
//! accuracy 0, nor as a sentence of 0 months.

use std::collections::BTreeMap;

use nyaya_agents::case::Gold;
use nyaya_agents::event::{Decision, Sentence};
use serde::Serialize;

use crate::stats::{self, Mean, Share};

/// Months after which the distance of a term is as bad as no answer: the logarithm's base of LawBench's score.
const SCALE_MONTHS: f64 = 216.0;

/// Labels that were given.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Labels {
    /// Trials with a right answer to compare with.
    pub trials: u64,
    /// Those that ended without a label.
    pub no_decision: u64,
    /// Right ones of those that gave a label.
    pub accuracy: Option<Share>,
    /// The most frequent right answer, and how often it is right of all trials: what always saying it scores.
    pub constant: Option<(String, Share)>,
}

/// Sentences that were given.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Terms {
    /// Trials with a right answer to compare with.
    pub trials: u64,
    /// Those that ended without a sentence.
    pub no_decision: u64,
    /// Same class, and for terms the same number of months, of those that gave a sentence.
    pub exact: Option<Share>,
    /// Closeness of terms in months, 0 to 1, over the trials where both are terms (Xiao et al., CAIL 2018, in the form
    /// of LawBench): `1 − |ln(r + 1) − ln(p + 1)| / ln 216`, not below 0. LawBench's own figure counts a missing
    /// answer as 0 and reads answers otherwise, so the two differ.
    pub closeness: Option<Mean>,
    /// The constant number of months that is closest over the same right answers, and its closeness.
    pub constant: Option<(u32, f64)>,
}

/// Labels and sentences of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Answers {
    /// Absent if no case asks for a label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Labels>,
    /// Absent if no case asks for a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Terms>,
}

impl Answers {
    /// Compares decisions with right answers.
    #[must_use]
    pub fn of<'a>(pairs: impl Iterator<Item = (&'a Decision, &'a Gold)>) -> Self {
        let (mut labels, mut terms) = (Vec::new(), Vec::new());
        for pair in pairs {
            match pair {
                (Decision::Label { label, .. }, Gold::Label(gold)) => {
                    labels.push((label.as_deref(), gold.as_str()));
                }
                (Decision::Term { sentence, .. }, Gold::Term(gold)) => terms.push((*sentence, *gold)),
                _ => {}
            }
        }
        Self { labels: Labels::of(&labels), terms: Terms::of(&terms) }
    }

    /// Rows for people: name, value, interval, the constant answer.
    #[must_use]
    pub fn rows(&self) -> Vec<[String; 4]> {
        let share = |s: Option<Share>| {
            s.map_or_else(
                || ("–".to_owned(), "–".to_owned()),
                |s| {
                    let value = format!("{}/{} = {:.1}%", s.count, s.of, s.share * 100.0);
                    (value, format!("{:.1}% – {:.1}%", s.low * 100.0, s.high * 100.0))
                },
            )
        };
        let plain = |name: &str, n: u64, of: u64| {
            [name.to_owned(), format!("{n} of {of} trials"), String::new(), String::new()]
        };
        let mut rows = Vec::new();
        if let Some(labels) = &self.labels {
            let (value, interval) = share(labels.accuracy);
            let constant = labels
                .constant
                .as_ref()
                .map(|(label, s)| format!("{label}: {:.1}%", s.share * 100.0))
                .unwrap_or_default();
            rows.push(["right labels, of those given".to_owned(), value, interval, constant]);
            rows.push(plain("no label", labels.no_decision, labels.trials));
        }
        if let Some(terms) = &self.terms {
            let (value, interval) = share(terms.exact);
            rows.push(["right sentences, of those given".to_owned(), value, interval, String::new()]);
            let (value, interval) = terms.closeness.map_or_else(
                || ("–".to_owned(), "–".to_owned()),
                |m| {
                    let interval = m.low.zip(m.high).map(|(l, h)| format!("{l:.3} – {h:.3}"));
                    (format!("{:.3} (n = {})", m.mean, m.n), interval.unwrap_or_else(|| "–".to_owned()))
                },
            );
            let constant =
                terms.constant.map(|(months, c)| format!("{months} months: {c:.3}")).unwrap_or_default();
            rows.push(["closeness of terms, 0 to 1".to_owned(), value, interval, constant]);
            rows.push(plain("no sentence", terms.no_decision, terms.trials));
        }
        rows
    }
}

impl Labels {
    fn of(pairs: &[(Option<&str>, &str)]) -> Option<Self> {
        let trials = pairs.len() as u64;
        let given: Vec<_> = pairs.iter().filter_map(|(label, gold)| Some(((*label)?, *gold))).collect();
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (_, gold) in pairs {
            *counts.entry(gold).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, n)| *n);
        (trials > 0).then(|| Self {
            trials,
            no_decision: trials - given.len() as u64,
            accuracy: stats::share(given.iter().filter(|(a, b)| a == b).count() as u64, given.len() as u64),
            constant: most.and_then(|(label, n)| Some((label.to_owned(), stats::share(n, trials)?))),
        })
    }
}

/// Closeness of two terms in months; see [`Terms::closeness`].
#[must_use]
pub fn closeness(right: u32, given: u32) -> f64 {
    let distance = ((f64::from(right) + 1.0).ln() - (f64::from(given) + 1.0).ln()).abs();
    (1.0 - distance / SCALE_MONTHS.ln()).max(0.0)
}

impl Terms {
    fn of(pairs: &[(Option<Sentence>, Sentence)]) -> Option<Self> {
        let trials = pairs.len() as u64;
        let given: Vec<_> = pairs.iter().filter_map(|(s, gold)| Some(((*s)?, *gold))).collect();
        let months: Vec<_> = given.iter().map(|(s, gold)| Some((gold.months?, s.months?))).collect();
        let right: Vec<u32> = months.iter().flatten().map(|(right, _)| *right).collect();
        let constant =
            |guess: u32| right.iter().map(|r| closeness(*r, guess)).sum::<f64>() / right.len().max(1) as f64;
        // The best constant is the geometric median, so one of the right answers themselves.
        let best = right.iter().map(|r| (*r, constant(*r))).max_by(|a, b| a.1.total_cmp(&b.1));
        (trials > 0).then(|| Self {
            trials,
            no_decision: trials - given.len() as u64,
            exact: stats::share(given.iter().filter(|(a, b)| a == b).count() as u64, given.len() as u64),
            closeness: stats::mean(
                &months
                    .iter()
                    .map(|pair| pair.map(|(right, given)| closeness(right, given)))
                    .collect::<Vec<_>>(),
            ),
            constant: best,
        })
    }
}

#[cfg(test)]
mod tests {
    use nyaya_agents::read::TermClass;

    use super::*;

    fn term(months: u32) -> Sentence {
        Sentence { class: TermClass::Fixed, months: Some(months) }
    }

    fn decided(sentence: Option<Sentence>) -> Decision {
        Decision::Term { sentence, consensus: true, rounds: 1 }
    }

    fn labelled(label: Option<&str>) -> Decision {
        Decision::Label {
            label: label.map(str::to_owned),
            outcome: "decided".to_owned(),
            confidence: None,
            for_a_human: Vec::new(),
            rounds: 1,
        }
    }

    #[test]
    fn no_decision_is_neither_right_nor_wrong() {
        let decisions = [labelled(Some("Y")), labelled(Some("N")), labelled(None)];
        let gold = ["Y", "Y", "N"].map(|g| Gold::Label(g.to_owned()));
        let labels = Answers::of(decisions.iter().zip(&gold)).labels.unwrap();
        assert_eq!((labels.trials, labels.no_decision), (3, 1));
        let accuracy = labels.accuracy.unwrap();
        assert_eq!((accuracy.count, accuracy.of), (1, 2));
        let (label, share) = labels.constant.unwrap();
        assert_eq!((label.as_str(), share.count, share.of), ("Y", 2, 3));
    }

    #[test]
    fn terms_are_compared_in_months_and_classes_by_name() {
        let life = Sentence { class: TermClass::Life, months: None };
        let decisions = [decided(Some(term(12))), decided(Some(life)), decided(Some(term(6))), decided(None)];
        let gold = [term(12), life, term(24), term(24)].map(Gold::Term);
        let terms = Answers::of(decisions.iter().zip(&gold)).terms.unwrap();
        assert_eq!((terms.trials, terms.no_decision), (4, 1));
        assert_eq!(terms.exact.map(|s| (s.count, s.of)), Some((2, 3)));
        let mean = terms.closeness.unwrap();
        assert_eq!((mean.n, mean.without), (2, 1));
        let expected = (1.0 + 1.0 - (25f64.ln() - 7f64.ln()) / 216f64.ln()) / 2.0;
        assert!((mean.mean - expected).abs() < 1e-12);
        assert_eq!(closeness(0, u32::MAX), 0.0);
        assert_eq!(closeness(18, 18), 1.0);
    }

    #[test]
    fn nothing_to_compare_gives_no_rows() {
        let pair = (labelled(Some("Y")), Gold::Term(term(3)));
        let answers = Answers::of(std::iter::once((&pair.0, &pair.1)));
        assert_eq!(answers, Answers::default());
        assert!(answers.rows().is_empty());
    }
}
