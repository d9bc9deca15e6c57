//! Two texts of one statute, provision by provision.
//!
//! Only letters and figures are compared: punctuation, brackets and line breaks differ between printings of one
//! text. Letters that fonts are known to confuse count as the same, and the reader reports them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use nyaya_corpora::{Provision, Status, Unit};
use serde::Serialize;
use similar::{Algorithm, ChangeTag, TextDiff};

/// What became of a provision from the first text to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Letter for letter the same.
    Same,
    /// The same letters; punctuation, spacing or heading differ.
    Punctuation,
    /// Other words.
    Changed,
    /// Only in the second.
    Added,
    /// Only in the first.
    Removed,
    /// In force in one of them, omitted or repealed in the other.
    Status,
}

/// A provision in both texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The provision.
    pub unit: Unit,
    /// What became of it.
    pub change: Change,
    /// Share of letters that both have, 0 to 1: twice the common ones over all.
    pub similarity: f64,
    /// Letters and figures in the first and the second.
    pub letters: (usize, usize),
    /// The words that differ: `[-old-]{+new+}` with a few words around; empty where nothing does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub difference: String,
}

/// Two texts of one statute.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// Every provision of either, in the order of the code.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// The rows with this change.
    pub fn of(&self, change: Change) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |r| r.change == change)
    }

    /// Whether a provision's second text is the first one cut short: most of it gone, nearly nothing new.
    #[must_use]
    pub fn cut_short(row: &Row) -> bool {
        let (first, second) = row.letters;
        // Everything that is left is common: similarity is then 2s / (f + s).
        let bound = 2.0 * second as f64 / (first + second).max(1) as f64;
        row.change == Change::Changed && second * 10 < first * 9 && row.similarity > 0.9 * bound
    }

    /// Mean similarity over provisions that both have.
    #[must_use]
    pub fn similarity(&self) -> f64 {
        let shared: Vec<f64> = self
            .rows
            .iter()
            .filter(|r| !matches!(r.change, Change::Added | Change::Removed))
            .map(|r| r.similarity)
            .collect();
        if shared.is_empty() { 0.0 } else { shared.iter().sum::<f64>() / shared.len() as f64 }
    }
}

/// Letters that readers of PDF are known to take for others: what comes out, what the law has. They are reported
/// and left as they are; only comparisons count them as the same.
pub const CONFUSED: [(char, char); 1] = [('臵', '置')];

/// Spellings of one word that printings interchange.
const VARIANTS: [(char, char); 1] = [('账', '帐')];

/// Letters and figures in lower case, width and confusion of fonts undone.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| CONFUSED.iter().chain(&VARIANTS).find(|p| p.0 == c).map_or(c, |p| p.1))
        .map(|c| match c {
            '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => {
                char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c)
            }
            _ => c,
        })
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Compares two texts.
#[must_use]
pub fn compare(first: &[Provision], second: &[Provision]) -> Comparison {
    let index = |list: &[Provision]| {
        let mut map: BTreeMap<Unit, usize> = BTreeMap::new();
        for (i, p) in list.iter().enumerate() {
            map.entry(p.id.unit.clone()).or_insert(i);
        }
        map
    };
    let (a, b) = (index(first), index(second));
    let units: BTreeSet<&Unit> = a.keys().chain(b.keys()).collect();
    let rows = units
        .into_iter()
        .map(|unit| {
            let old = a.get(unit).and_then(|i| first.get(*i));
            let new = b.get(unit).and_then(|i| second.get(*i));
            row(unit.clone(), old, new)
        })
        .collect();
    Comparison { rows }
}

fn row(unit: Unit, old: Option<&Provision>, new: Option<&Provision>) -> Row {
    let (a, b) =
        (old.map_or_else(String::new, |p| plain(&p.text)), new.map_or_else(String::new, |p| plain(&p.text)));
    let letters = (a.chars().count(), b.chars().count());
    let base = Row { unit, change: Change::Same, similarity: 1.0, letters, difference: String::new() };
    let (Some(old), Some(new)) = (old, new) else {
        let change = if old.is_none() { Change::Added } else { Change::Removed };
        return Row { change, similarity: 0.0, ..base };
    };
    // The words for "omitted" are an editor's.
    let law = |p: &Provision| matches!(p.status, Status::InForce | Status::NotYetInForce);
    match (law(old), law(new)) {
        (false, false) => return base,
        (true, false) | (false, true) => return Row { change: Change::Status, similarity: 0.0, ..base },
        (true, true) => {}
    }
    if a == b {
        let change = if old.text == new.text && old.heading == new.heading {
            Change::Same
        } else {
            Change::Punctuation
        };
        return Row { change, ..base };
    }
    let (similarity, difference) = difference(&old.text, &new.text);
    Row { change: Change::Changed, similarity, difference, ..base }
}

/// Similarity by letters, and the words that differ.
fn difference(old: &str, new: &str) -> (f64, String) {
    // A word of Latin or a single Han letter at a time.
    let words = |text: &str| -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut open = false;
        for c in text.chars() {
            let han = matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}');
            if !c.is_alphanumeric() {
                open = false;
                continue;
            }
            match words.last_mut().filter(|_| open && !han) {
                Some(word) => word.push(c),
                None => words.push(c.to_string()),
            }
            open = !han;
        }
        words
    };
    let (a, b) = (words(old), words(new));
    let (a, b): (Vec<&str>, Vec<&str>) =
        (a.iter().map(String::as_str).collect(), b.iter().map(String::as_str).collect());
    let plain_a: Vec<String> = a.iter().map(|w| plain(w)).collect();
    let plain_b: Vec<String> = b.iter().map(|w| plain(w)).collect();
    let (pa, pb): (Vec<&str>, Vec<&str>) =
        (plain_a.iter().map(String::as_str).collect(), plain_b.iter().map(String::as_str).collect());
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Myers)
        .timeout(Duration::from_secs(2))
        .diff_slices(&pa, &pb);
    let (mut common, mut all) = (0_usize, 0_usize);
    let mut out = String::new();
    let mut kept: Vec<&str> = Vec::new();
    let mut last = ChangeTag::Equal;
    let spaced = |out: &mut String, word: &str| {
        let latin =
            |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !matches!(c, '\u{2E80}'..='\u{9FFF}'));
        if latin(out.chars().next_back()) && latin(word.chars().next()) {
            out.push(' ');
        }
        out.push_str(word);
    };
    for change in diff.iter_all_changes() {
        let count = change.value().chars().count();
        let tag = change.tag();
        all += count;
        if tag == ChangeTag::Equal {
            common += 2 * count;
            all += count;
        }
        if tag != last {
            match last {
                ChangeTag::Delete => out.push_str("-]"),
                ChangeTag::Insert => out.push_str("+}"),
                ChangeTag::Equal => {
                    const AROUND: usize = 4;
                    let from = kept.len().saturating_sub(AROUND);
                    if from > 0 {
                        out.push_str(" … ");
                    }
                    for word in kept.get(from..).unwrap_or_default() {
                        spaced(&mut out, word);
                    }
                    kept.clear();
                }
            }
            match tag {
                ChangeTag::Delete => out.push_str(" [-"),
                ChangeTag::Insert => out.push_str(" {+"),
                ChangeTag::Equal => out.push(' '),
            }
            last = tag;
        }
        let word = match tag {
            ChangeTag::Insert => change.new_index().and_then(|i| b.get(i)),
            _ => change.old_index().and_then(|i| a.get(i)),
        };
        let word = word.copied().unwrap_or_default();
        match tag {
            ChangeTag::Equal => kept.push(word),
            _ => spaced(&mut out, word),
        }
    }
    match last {
        ChangeTag::Delete => out.push_str("-]"),
        ChangeTag::Insert => out.push_str("+}"),
        ChangeTag::Equal => {}
    }
    let out = out.trim();
    let short: String = out.chars().take(2_000).collect();
    let out = if short.len() < out.len() { format!("{short} …") } else { short };
    (if all == 0 { 1.0 } else { common as f64 / all as f64 }, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nyaya_corpora::{Number, ProvisionId, SourceRef};

    fn provision(n: u32, text: &str) -> Provision {
        Provision {
            id: ProvisionId::new("xx/kite-act".parse().unwrap(), Unit::Section(Number::plain(n))),
            heading: None,
            breadcrumb: vec![],
            text: text.into(),
            status: if text == "Omitted." { Status::Omitted } else { Status::InForce },
            in_force_from: None,
            in_force_until: None,
            struck_down: None,
            annotations: vec![],
            pinpoints: vec![],
            source: SourceRef { file_sha256: String::new(), page: None, offset: None },
        }
    }

    #[test]
    fn punctuation_is_no_amendment_and_words_are() {
        let old = [
            provision(1, "A kite, which flies."),
            provision(2, "Whoever flies a kite shall be fined two coins."),
            provision(
                3,
                "Whoever flies a kite over a road at night shall be warned and the kite shall be taken.",
            ),
            provision(4, "Gone later."),
            provision(5, "At the place 臵."),
            provision(6, "The kites are red."),
        ];
        let new = [
            provision(1, "A kite which flies"),
            provision(2, "Whoever flies a kite shall be fined nine coins."),
            provision(3, "Whoever flies a kite over a road"),
            provision(4, "Omitted."),
            provision(5, "At the place 置."),
            provision(7, "New."),
        ];
        let comparison = compare(&old, &new);
        let changes: Vec<Change> = comparison.rows.iter().map(|r| r.change).collect();
        assert_eq!(
            changes,
            [
                Change::Punctuation,
                Change::Changed,
                Change::Changed,
                Change::Status,
                Change::Punctuation,
                Change::Removed,
                Change::Added
            ]
        );
        assert_eq!(comparison.rows[1].difference, "… kite shall be fined [-two-] {+nine+}");
        assert!(Comparison::cut_short(&comparison.rows[2]) && !Comparison::cut_short(&comparison.rows[1]));
    }

    #[test]
    fn chinese_is_compared_letter_by_letter() {
        let (similarity, words) = difference("处三年以下有期徒刑。", "处五年以下有期徒刑；");
        assert_eq!(words, "处 [-三-] {+五+}");
        assert!((similarity - 0.888).abs() < 0.01, "{similarity}");
    }
}
