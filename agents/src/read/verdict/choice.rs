//! One of several labels.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::confidence::Stated;
use super::speaker;
use super::words::{denied, sentence_before};
use super::{holders, predicted, short, stated};
use crate::read::json::candidates;
use crate::read::{Reading, Stage, pattern};

/// Labels by their plain forms.
struct Labels<'l> {
    known: Vec<(String, &'l str)>,
}

/// In lower case, with single spaces for `_` and `-`, without marks around it.
fn plain(words: &str) -> String {
    let words: String = words
        .chars()
        .map(|c| if matches!(c, '_' | '-' | '‑') { ' ' } else { c })
        .collect::<String>()
        .to_lowercase();
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl<'l> Labels<'l> {
    fn of(labels: &'l [String]) -> Self {
        let mut known: Vec<(String, &str)> = labels.iter().map(|l| (plain(l), l.as_str())).collect();
        // The longest first: one label may be a part of another.
        known.sort_by_key(|(l, _)| std::cmp::Reverse(l.len()));
        Self { known }
    }

    /// The label that the words are, and nothing else.
    fn whole(&self, words: &str, labels: &'l [String]) -> Option<&'l str> {
        let trimmed = words.trim();
        if let Some(exact) = labels.iter().find(|l| l.as_str() == trimmed) {
            return Some(exact);
        }
        if trimmed.ends_with(['?', '？']) {
            return None;
        }
        let words = plain(trimmed);
        let mut found = self.known.iter().filter(|(l, _)| *l == words).map(|(_, l)| *l);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The label that the words begin with, and what follows it.
    fn first<'w>(&self, words: &'w str) -> Option<(&'l str, &'w str)> {
        let words = words.trim_start_matches(|c: char| !c.is_alphanumeric());
        self.known.iter().filter(|(l, _)| !l.is_empty()).find_map(|(plain_label, label)| {
            let mut rest = words;
            for (i, part) in plain_label.split(' ').enumerate() {
                if i > 0 {
                    let next = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '_' | '-'));
                    if next.len() == rest.len() {
                        return None;
                    }
                    rest = next;
                }
                rest = strip_prefix(rest, part)?;
            }
            let ends = rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '_');
            ends.then_some((*label, rest))
        })
    }
}

fn strip_prefix<'w>(words: &'w str, lower: &str) -> Option<&'w str> {
    let mut rest = words.chars();
    for want in lower.chars() {
        if !rest.next()?.to_lowercase().eq(std::iter::once(want)) {
            return None;
        }
    }
    Some(rest.as_str())
}

/// Reads one of several labels, asked for as `prediction`; the confidence is a percentage where there is one.
///
/// A label counts where it is the whole of the field, or stands after a word such as "Answer:", whatever its case;
/// two different ones in running text are no decision, unless one is called final.
pub fn read_choice(raw: &str, labels: &[String]) -> Reading<(String, Option<f64>)> {
    let known = Labels::of(labels);
    let whole = serde_json::from_str::<Value>(raw.trim()).is_ok();
    let found = candidates(raw);
    let mut passed_over = false;
    for candidate in found.in_order_of_trust() {
        let held = holders(&candidate.value, 0);
        let value = match held.as_slice() {
            [] => continue,
            [one] => one.clone(),
            _ => return Reading::no_decision("several objects with a label"),
        };
        if speaker::not_the_answer(&found.prose, candidate.at) {
            passed_over = true;
            continue;
        }
        let (given, in_words) = match predicted(&value) {
            Some(Value::String(s)) => (s.clone(), true),
            Some(other) => (other.to_string(), false),
            None => continue,
        };
        let Some(label) = known.whole(&given, labels) else {
            return Reading::no_decision(format!("`{}` is none of the labels", short(&given)));
        };
        let confidence = match stated(&value) {
            None | Some(Stated::Unclear(_)) => None,
            Some(Stated::Value(confidence)) => Some(confidence),
            Some(Stated::Invalid(why)) => return Reading::no_decision(why),
        };
        // A number where a label was asked for, or a share where a percentage was, had to be converted.
        let converted = !in_words || confidence.as_ref().is_some_and(|c| c.scale.is_some());
        let stage = if whole && label == given && !converted { Stage::Strict } else { Stage::Recovered };
        return Reading {
            value: Some((label.to_owned(), confidence.map(|c| c.percent))),
            stage,
            notes: Vec::new(),
        };
    }
    match of_words(&found.prose, &known, labels) {
        Ok(Some(label)) => Reading {
            value: Some((label.to_owned(), None)),
            stage: Stage::Pattern,
            notes: vec!["read from running text".to_owned()],
        },
        Ok(None) if passed_over => Reading::no_decision("the only object is another's or an example"),
        Ok(None) => Reading::no_decision("no label in the reply"),
        Err(why) => Reading::no_decision(why),
    }
}

/// The label that running text states.
fn of_words<'l>(
    prose: &str,
    known: &Labels<'l>,
    labels: &'l [String],
) -> Result<Option<&'l str>, &'static str> {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?im)(?P<final>\bfinal\s+|最终)?(?:\b(?:prediction|answer|label|verdict|decision|category|class|choice)\b|答案|结论|预测|回答|罪名|类别|选项)\W{0,4}\s*(?:is\b|为|是)?\s*[:：]?\s*",
        )
    });
    static BRACKETS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"[(（\[<【][^()（）\[\]<>【】\n]{1,120}[)）\]>】]"));
    // The options of the form: (guilty/not guilty).
    let text = BRACKETS.replace_all(prose, |c: &regex::Captures<'_>| {
        let inner = c.get(0).map_or("", |m| m.as_str());
        let options =
            inner.split(['/', '|', ',', '，', '、']).filter(|p| known.whole(p, labels).is_some()).count();
        if options >= 2 { String::new() } else { inner.to_owned() }
    });
    let mut said: Vec<(bool, &str)> = Vec::new();
    for found in NAMED.captures_iter(&text) {
        let Some(all) = found.get(0) else { continue };
        let rest = text.get(all.end()..).and_then(|r| r.lines().next()).unwrap_or_default();
        let sentence = sentence_before(&text, all.start());
        if speaker::attributed(sentence) || speaker::conditional_before(sentence) || denied(sentence) {
            continue;
        }
        let Some((label, after)) = known.first(rest) else { continue };
        if speaker::given_by_others(after) {
            continue;
        }
        match stands(after, known, label) {
            Some(true) => said.push((found.name("final").is_some(), label)),
            Some(false) => {}
            None => return Err("several labels are offered"),
        }
    }
    if let Some((_, label)) = said.iter().rev().find(|(last, _)| *last) {
        return Ok(Some(label));
    }
    match said.as_slice() {
        [(_, one), others @ ..] if others.iter().all(|(_, l)| l == one) => Ok(Some(one)),
        [] => Ok(known.whole(&text, labels)),
        _ => Err("the reply contradicts itself"),
    }
}

/// Whether what follows a label leaves it standing; `None` if it goes on with another label.
fn stands(after: &str, known: &Labels<'_>, label: &str) -> Option<bool> {
    static ANOTHER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\W*?(?:[,，、/|&]|\b(?:and|or|to)\b|或者?|[和及与至])\s*(?:(?:and|or|perhaps|maybe)\b\s*)*(?P<next>.*)$",
        )
    });
    static REASONS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\s*(?:because|since|as|given|for|with|confidence|I\b|which|based|due|the|he|she|it|this|that|not|rather|therefore|因为|由于|理由|不是|而非|置信|信心)",
        )
    });
    static UNLESS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\W*(?:but\s+|and\s+)?(?:only\s+)?(?:if|unless|provided|assuming|depending|in\s+case|subject\s+to)\b|^[，,：:\s]*(?:如果|若|假如|除非)",
        )
    });
    let after = after.trim_start_matches(['"', '\'', '”', '*', '`', ')', ']', '）']);
    // "medium-high"
    if after.strip_prefix(['-', '–', '‑']).is_some_and(|r| r.starts_with(char::is_alphanumeric)) {
        return Some(false);
    }
    if UNLESS.is_match(after) || after.trim_start().starts_with(['?', '？']) {
        return Some(false);
    }
    if let Some(next) = ANOTHER.captures(after).and_then(|c| c.name("next")) {
        return match known.first(next.as_str()) {
            Some((other, _)) if other != label => None,
            _ => {
                let words = next.as_str().split_whitespace().count();
                Some(
                    REASONS.is_match(next.as_str())
                        || (words > 2 && after.trim_start().starts_with([',', '，'])),
                )
            }
        };
    }
    let next = after.trim_start();
    let starts_word = next.starts_with(char::is_alphanumeric);
    Some(!starts_word || REASONS.is_match(next))
}
