//! Terms in running text: every mention with what the words around it make of it, and the one that counts.

use std::sync::LazyLock;

use regex::Regex;

use super::classes::classes;
use super::context::{CONCLUDE, CORRECTION, Mention, SENTENCE_END, Weight, start_of};
use super::number::number;
use super::object::of_number;
use super::rewrite;
use super::spans::{durations, zh_number};
use super::speaker;
use super::{Stage, TermClass, TermReading, What};
use crate::read::{pattern, unboxed};

pub(super) fn of_text(text: &str) -> TermReading {
    static SHORT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b([0-9]{1,2})\s*y\s*([0-9]{1,2})\s*m\b"));
    static UNDERLINED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?m)(?P<before>^|[\s:：(（|])_{1,2}(?P<words>[^_\n]+)_{1,2}(?P<after>[\s.,;:!)。，；：）|]|$)",
        )
    });
    let text = unboxed(text);
    // Emphasis carries no meaning here.
    let text: String = text.chars().filter(|c| !matches!(c, '*' | '`' | '#')).collect();
    let text = UNDERLINED.replace_all(&text, "$before$words$after");
    let text = rewrite::plain(&text);
    let text = SHORT.replace_all(&text, "$1 years $2 months");
    let text = text.as_ref();
    static BARE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^[\s*`#.\[【]*(?:(?:final\s+)?(?:answer|term|sentence|months|prison\s+term|刑期|答案|月数)[\]】]?\s*(?:\(months?\))?\s*[:：=]?)?[\s*]*([0-9]{1,4})(?:\.0+)?\s*(?:\(months?\))?[\s*`.。]*$",
        )
    });
    if let Some(n) = BARE.captures(text).and_then(|c| c.get(1)).and_then(|m| m.as_str().parse::<f64>().ok()) {
        let mut reading = of_number(n, Stage::Pattern);
        reading.notes.push("a number alone, read as months".to_owned());
        return reading;
    }
    static MONTHS: LazyLock<Regex> =
        LazyLock::new(|| pattern(concat!(r"^\s*(", zh_number!(), r")\s*月[。.]?\s*$")));
    if let Some(n) = MONTHS.captures(text).and_then(|c| c.get(1)).and_then(|m| number(m.as_str())) {
        return of_number(n, Stage::Pattern);
    }
    let mut mentions = durations(text);
    mentions.extend(classes(text));
    mentions.sort_by_key(|m| m.start);
    // Who is acquitted on one count may be sentenced on another.
    let sentenced = |m: &Mention| m.weight >= Weight::Bare && m.what != What::Class(TermClass::Acquittal);
    if mentions.iter().any(sentenced) {
        mentions.retain(|m| !m.partial);
    }
    if mentions.iter().any(|m| m.of_one) && mentions.iter().any(sentenced) {
        return TermReading::nothing("one accused is acquitted, another sentenced");
    }
    let latest_named = mentions.iter().rposition(|m| m.weight >= Weight::Penalty);
    // What stands before a correction that names a term is taken back.
    let taken_back = CORRECTION
        .find_iter(text)
        .map(|c| c.start())
        .take_while(|at| mentions.last().is_some_and(|m| m.start >= *at))
        .filter(|at| {
            let after = mentions.partition_point(|m| m.start < *at);
            latest_named.is_some_and(|named| named >= after)
        })
        .last();
    if let Some(at) = taken_back {
        mentions.retain(|m| m.start >= at);
    }
    choose(text, &mentions)
}

/// The mention that counts, if there is one.
fn choose(text: &str, mentions: &[Mention]) -> TermReading {
    let mut concluding: Vec<usize> = [&*CONCLUDE, &*CORRECTION]
        .into_iter()
        .flat_map(|marks| marks.find_iter(text).map(|c| c.start()))
        .chain(mentions.iter().filter(|m| m.settles).map(|m| m.start))
        .collect();
    concluding.sort_unstable();
    let section = |m: &Mention| concluding.partition_point(|at| *at <= m.start);
    let named: Vec<&Mention> =
        mentions.iter().filter(|m| m.weight >= Weight::Penalty && m.weight < Weight::Combined).collect();
    let of_weight = |w: Weight| mentions.iter().filter(|m| m.weight == w).collect::<Vec<_>>();
    let combined = of_weight(Weight::Combined);
    let mut chosen = if !combined.is_empty() {
        combined
    } else if !named.is_empty() {
        // What is named as a penalty after the last concluding word that has one; there, what is decided.
        let latest = named.iter().map(|m| section(m)).max().unwrap_or(0);
        let here: Vec<_> = named.into_iter().filter(|m| section(m) == latest).collect();
        let top = here.iter().map(|m| m.weight).max().unwrap_or(Weight::Bare);
        here.into_iter().filter(|m| m.weight == top).collect()
    } else {
        let bare = of_weight(Weight::Bare);
        let latest = bare.iter().map(|m| section(m)).max().unwrap_or(0);
        let bare: Vec<_> = bare.into_iter().filter(|m| section(m) == latest).collect();
        [bare, of_weight(Weight::Party), of_weight(Weight::Bound)]
            .into_iter()
            .find(|group| !group.is_empty())
            .unwrap_or_default()
    };
    chosen.dedup_by_key(|m| m.what);
    if let [a, b] = chosen.as_slice()
        && let (What::Range(lo, None), What::Range(0, Some(hi)))
        | (What::Range(0, Some(hi)), What::Range(lo, None)) = (a.what, b.what)
        && lo <= hi
    {
        // "At least 6 months but not more than 2 years": the two ends of one range.
        let mut reading = TermReading::of(What::Range(lo, Some(hi)), a.kind.or(b.kind), Stage::Pattern);
        reading.notes.push("a bound, no decision".to_owned());
        return reading;
    }
    let Some(first) = chosen.first() else { return TermReading::nothing("no term in the text") };
    if chosen.iter().any(|m| m.what != first.what) {
        let list: Vec<String> =
            chosen.iter().filter_map(|m| text.get(m.start..m.end)).map(str::to_owned).collect();
        return TermReading::nothing(format!(
            "several terms, none of them the combined one: {}",
            list.join("; ")
        ));
    }
    let kind = chosen.iter().find_map(|m| m.kind);
    let mut reading = TermReading::of(first.what, kind, Stage::Pattern);
    if first.weight == Weight::Party {
        let sentence = text.get(start_of(&SENTENCE_END, text, first.start)..first.end).unwrap_or_default();
        if !speaker::adopts(text) || speaker::adopts_the_other_side(text, sentence) {
            return TermReading::nothing("only a party asks for a term, and nobody takes it over");
        }
        reading.notes.push("proposed by a party".to_owned());
    }
    if first.weight == Weight::Bound {
        reading.notes.push("a bound, no decision".to_owned());
    }
    reading
}
