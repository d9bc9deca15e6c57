//! Spaces that a file left out of its titles.
//!
//! Some printings set titles in small capitals and lose the spaces between words (`OFFENCESAFFECTINGTHE`). The words
//! of the act itself say where they were. Only titles are mended, never the text of a provision.

use std::collections::{HashMap, HashSet};

use nyaya_corpora::Provision;

/// Shorter runs of capitals are words.
const SHORTEST: usize = 9;
/// More words than this are not run together.
const MOST_WORDS: usize = 6;

/// Mends the titles; gives those that were changed.
pub(super) fn mend(provisions: &mut [Provision]) -> Vec<String> {
    let run = |w: &&str| w.chars().count() >= SHORTEST && w.chars().all(|c| c.is_ascii_uppercase());
    let suspects: HashSet<String> = provisions
        .iter()
        .flat_map(|p| &p.breadcrumb)
        .flat_map(|title| {
            title.split(' ').map(|w| w.trim_matches(|c: char| !c.is_alphanumeric())).filter(run)
        })
        .map(str::to_owned)
        .collect();
    if suspects.is_empty() {
        return Vec::new();
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for provision in provisions.iter() {
        for word in provision.text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()) {
            *counts.entry(word.to_ascii_uppercase()).or_default() += 1;
        }
    }
    let mut mended: HashMap<String, String> = HashMap::new();
    for suspect in suspects {
        if !counts.contains_key(&suspect)
            && let Some(words) = divide(&suspect, &counts)
        {
            mended.insert(suspect, words);
        }
    }
    let mut changed: Vec<String> = Vec::new();
    for title in provisions.iter_mut().flat_map(|p| &mut p.breadcrumb) {
        let new: Vec<String> = title
            .split(' ')
            .map(|w| {
                let core = w.trim_matches(|c: char| !c.is_alphanumeric());
                mended.get(core).map_or_else(|| w.to_owned(), |m| w.replace(core, m))
            })
            .collect();
        let new = new.join(" ");
        if *title != new {
            *title = new.clone();
            if !changed.contains(&new) {
                changed.push(new);
            }
        }
    }
    changed
}

/// The fewest known words that make up a run of letters.
fn divide(run: &str, counts: &HashMap<String, usize>) -> Option<String> {
    let mut best: Vec<Option<(usize, usize)>> = vec![None; run.len() + 1];
    if let Some(first) = best.first_mut() {
        *first = Some((0, 0));
    }
    for end in 1..=run.len() {
        for start in end.saturating_sub(20)..end {
            let Some(words) = best.get(start).copied().flatten().map(|b| b.0) else { continue };
            let word = run.get(start..end)?;
            // Short words are in every text by chance; only the common ones count.
            let least = if word.len() < 4 { 20 } else { 1 };
            let better = best.get(end).copied().flatten().is_none_or(|b| words + 1 < b.0);
            if better
                && word.len() > 1
                && counts.get(word).is_some_and(|n| *n >= least)
                && let Some(slot) = best.get_mut(end)
            {
                *slot = Some((words + 1, start));
            }
        }
    }
    let (count, _) = best.last().copied().flatten()?;
    if !(2..=MOST_WORDS).contains(&count) {
        return None;
    }
    let mut words = Vec::new();
    let mut end = run.len();
    while end > 0 {
        let start = best.get(end).copied().flatten()?.1;
        words.push(run.get(start..end)?);
        end = start;
    }
    words.reverse();
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_run_together_are_divided_by_the_words_of_the_act() {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (word, n) in [("OFFENCES", 40), ("AFFECTING", 3), ("THE", 900), ("OFF", 3), ("KITES", 2)] {
            counts.insert(word.into(), n);
        }
        assert_eq!(divide("OFFENCESAFFECTINGTHE", &counts).as_deref(), Some("OFFENCES AFFECTING THE"));
        assert_eq!(divide("PRELIMINARY", &counts), None);
    }
}
