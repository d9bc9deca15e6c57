//! Grounding: how much of the case what was said names.

use std::collections::{BTreeMap, BTreeSet};

use nyaya_agents::event::Body;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::transcript::Trial;

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
