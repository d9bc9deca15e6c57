//! What agents keep of one case for later ones: lines of text, by kind of agent, found again by their words.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nyaya_retrieval::analyzer::terms;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Constants of BM25 (Robertson and Zaragoza 2009) as they are mostly used.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Whose it is: `judge`, `lay`.
    pub kind: String,
    /// The words, on one line.
    pub text: String,
}

/// Entries, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    entries: Vec<Entry>,
}

impl Memory {
    /// Reads JSON Lines, an entry a line.
    ///
    /// # Errors
    /// If the file cannot be read or a line is no entry; with a hint.
    pub fn load(path: &Path) -> Result<Self, String> {
        let hint = "hint: a memory has a line {\"kind\": \"judge\", \"text\": \"…\"} for each entry; a run with --memory write leaves one as memory.jsonl in its folder";
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}\n{hint}"))?;
        let mut entries = Vec::new();
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            entries.push(
                serde_json::from_str(line).map_err(|e| format!("{name}, line {}: {e}\n{hint}", i + 1))?,
            );
        }
        Ok(Self { entries })
    }

    /// As JSON Lines.
    #[must_use]
    pub fn to_lines(&self) -> String {
        // Two strings always serialise.
        self.entries.iter().filter_map(|e| serde_json::to_string(e).ok()).map(|l| l + "\n").collect()
    }

    /// SHA-256 of the entries, in hex.
    #[must_use]
    pub fn digest(&self) -> String {
        hex::encode(Sha256::digest(self.to_lines().as_bytes()))
    }

    /// The entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Adds an entry, unless it is there word for word.
    pub fn add(&mut self, entry: Entry) {
        if !self.entries.contains(&entry) {
            self.entries.push(entry);
        }
    }

    /// The entries of a kind that share most with a text, by BM25 over the words of the law's own analyzer, best
    /// first, at most `most`; none that shares nothing. Of equals the newer one goes first.
    #[must_use]
    pub fn recall(&self, kind: &str, text: &str, most: usize) -> Vec<String> {
        let own: Vec<(usize, &Entry, Vec<String>)> = self
            .entries
            .iter()
            .enumerate()
            .filter(|(_, e)| e.kind == kind)
            .map(|(i, e)| (i, e, terms(&e.text)))
            .collect();
        if own.is_empty() {
            return Vec::new();
        }
        let asked: BTreeSet<String> = terms(text).into_iter().collect();
        let mut in_how_many: BTreeMap<&str, f64> = BTreeMap::new();
        for (_, _, words) in &own {
            for word in words.iter().collect::<BTreeSet<_>>() {
                *in_how_many.entry(word).or_default() += 1.0;
            }
        }
        let size = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        let (n, average) =
            (size(own.len()), own.iter().map(|(_, _, w)| size(w.len())).sum::<f64>() / size(own.len()));
        let mut scored: Vec<(f64, usize, &Entry)> = own
            .iter()
            .map(|(i, entry, words)| {
                let score: f64 = asked
                    .iter()
                    .map(|word| {
                        let often = size(words.iter().filter(|w| *w == word).count());
                        let df = in_how_many.get(word.as_str()).copied().unwrap_or(0.0);
                        let idf = ((n - df + 0.5) / (df + 0.5)).ln_1p();
                        let length = K1 * (1.0 - B + B * size(words.len()) / average.max(1.0));
                        idf * often * (K1 + 1.0) / (often + length)
                    })
                    .sum();
                (score, *i, *entry)
            })
            .filter(|(score, _, _)| *score > 0.0)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        scored.into_iter().take(most).map(|(_, _, e)| e.text.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        let mut memory = Memory::default();
        for (kind, text) in [
            ("judge", "A boat sunk by want of care: weigh the warning that was given."),
            ("judge", "A net taken from the racks: look at how long it was kept."),
            ("judge", "盗窃手机：退赃并取得谅解的，从轻。"),
            ("lay", "A net is a family's living; neighbours notice its loss."),
        ] {
            memory.add(Entry { kind: kind.to_owned(), text: text.to_owned() });
        }
        memory
    }

    #[test]
    fn the_most_similar_of_the_own_kind_are_recalled() {
        let memory = memory();
        let of = |kind, text, n| memory.recall(kind, text, n);
        assert!(of("judge", "He took the net and kept it for nine days.", 1)[0].contains("racks"));
        assert!(of("judge", "被告人盗窃手机一部，已退赃。", 2)[0].contains("从轻"));
        assert_eq!(of("lay", "the net", 5).len(), 1);
        assert!(of("lay", "zzz", 5).is_empty() && of("clerk", "net", 5).is_empty());
    }

    #[test]
    fn a_memory_survives_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.jsonl");
        std::fs::write(&path, memory().to_lines()).unwrap();
        let again = Memory::load(&path).unwrap();
        assert_eq!(again, memory());
        assert_eq!(again.digest(), memory().digest());
        std::fs::write(&path, "{\"text\":\"x\"}").unwrap();
        assert!(Memory::load(&path).unwrap_err().contains("line 1"));
    }
}
