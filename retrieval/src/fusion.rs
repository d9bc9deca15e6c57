//! Two lists of passages become one list of provisions.
//!
//! Everything is counted by provision: its score in a list is that of its best passage, and its rank is among
//! provisions. So a long provision whose passages all fit takes one place, and a passage that BM25 likes and another
//! of the same provision that is near in meaning support each other.
//!
//! Hybrid scores are a convex combination of the two scores, each brought to 0 to 1 within its list (Bruch, Gai and
//! Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", ACM TOIS 2023). BM25 is divided by the best score,
//! since it has a zero of its own; cosines of one embedder lie in a narrow band, so their zero is the last candidate.

use std::collections::HashMap;

use nyaya_corpora::Unit;

use crate::hit::Mode;

/// Share of BM25 in the hybrid score. Chosen on questions of laymen and of practitioners that are not those whose
/// results the README states; between 0.3 and 0.5 little changes.
const BM25_SHARE: f32 = 0.4;

/// What the hybrid score of a schedule counts beside that of a section or article. Forms, tables and lists repeat the
/// words of the provisions they serve, some in the first person, and a long one has many passages to be best with; so
/// of two that fit alike the provision comes first.
const SCHEDULE_WEIGHT: f32 = 0.8;

/// A provision of an edition: the edition's place in the generation, and the unit.
pub(crate) type Key = (usize, Unit);

/// Which search a list comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Bm25,
    Dense,
}

/// A place in a list: rank from 1, and score.
type Place = Option<(usize, f32)>;

#[derive(Debug, Default, Clone)]
struct Candidate {
    bm25: Place,
    dense: Place,
    /// Scores of its passages, BM25 and dense.
    passages: HashMap<usize, (f32, f32)>,
}

/// What the searches found.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    provisions: HashMap<Key, Candidate>,
    /// Highest and lowest score of the dense list.
    band: Option<(f32, f32)>,
    /// Highest score of BM25.
    most: f32,
}

/// A provision with its place in the result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranked {
    pub key: Key,
    /// The passage to show: the one with the best combined score.
    pub passage: usize,
    pub score: f32,
    pub bm25_rank: Option<usize>,
    pub dense_rank: Option<usize>,
}

impl Candidates {
    /// Adds a list of passages with their scores, best first.
    pub fn add(
        &mut self,
        side: Side,
        list: impl Iterator<Item = (usize, f32)>,
        key_of: impl Fn(usize) -> Option<Key>,
    ) {
        let mut rank = 0;
        for (passage, score) in list {
            let Some(key) = key_of(passage) else { continue };
            let candidate = self.provisions.entry(key).or_default();
            let scores = candidate.passages.entry(passage).or_default();
            let place = match side {
                Side::Bm25 => {
                    self.most = self.most.max(score);
                    scores.0 = score;
                    &mut candidate.bm25
                }
                Side::Dense => {
                    let (high, low) = self.band.unwrap_or((score, score));
                    self.band = Some((high.max(score), low.min(score)));
                    scores.1 = score;
                    &mut candidate.dense
                }
            };
            if place.is_none() {
                rank += 1;
                *place = Some((rank, score));
            }
        }
    }

    /// BM25 from 0 to 1.
    fn words(&self, score: f32) -> f32 {
        if self.most > 0.0 { (score / self.most).max(0.0) } else { 0.0 }
    }

    /// Cosine from 0 to 1.
    fn meaning(&self, score: f32) -> f32 {
        match self.band {
            Some((high, low)) if high > low => ((score - low) / (high - low)).max(0.0),
            Some((high, _)) if score >= high => 1.0,
            _ => 0.0,
        }
    }

    fn combined(&self, bm25: Option<f32>, dense: Option<f32>) -> f32 {
        BM25_SHARE * bm25.map_or(0.0, |s| self.words(s))
            + (1.0 - BM25_SHARE) * dense.map_or(0.0, |s| self.meaning(s))
    }

    /// The provisions, best first; equal ones in the order of the code.
    pub fn ranked(self, mode: Mode) -> Vec<Ranked> {
        let mut ranked: Vec<Ranked> = self
            .provisions
            .iter()
            .filter_map(|(key, candidate)| {
                let score = |place: Place| place.map(|(_, score)| score);
                let passage = candidate
                    .passages
                    .iter()
                    .max_by(|(i, a), (j, b)| {
                        let of = |s: &(f32, f32)| self.combined(Some(s.0), Some(s.1));
                        of(a).total_cmp(&of(b)).then(j.cmp(i))
                    })
                    .map(|(i, _)| *i)?;
                Some(Ranked {
                    key: key.clone(),
                    passage,
                    score: match mode {
                        Mode::Bm25 => score(candidate.bm25)?,
                        Mode::Dense => score(candidate.dense)?,
                        Mode::Hybrid => {
                            let schedule = matches!(key.1, Unit::Schedule(_));
                            let weight = if schedule { SCHEDULE_WEIGHT } else { 1.0 };
                            weight * self.combined(score(candidate.bm25), score(candidate.dense))
                        }
                    },
                    bm25_rank: candidate.bm25.map(|(rank, _)| rank),
                    dense_rank: candidate.dense.map(|(rank, _)| rank),
                })
            })
            .collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passages 0 and 1 are of section 1, the others of a section each.
    fn key(passage: usize) -> Option<Key> {
        let section = if passage <= 1 { 1 } else { passage };
        Some((0, format!("s{section}").parse().unwrap()))
    }

    fn rank(bm25: &[(usize, f32)], dense: &[(usize, f32)], mode: Mode) -> Vec<Ranked> {
        let mut found = Candidates::default();
        found.add(Side::Bm25, bm25.iter().copied(), key);
        found.add(Side::Dense, dense.iter().copied(), key);
        found.ranked(mode)
    }

    #[test]
    fn passages_of_one_provision_take_one_place_and_support_each_other() {
        let bm25 = [(0, 9.0), (2, 8.9), (3, 1.0)];
        let dense = [(3, 0.90), (1, 0.89), (2, 0.80)];
        let ranked = rank(&bm25, &dense, Mode::Hybrid);
        assert_eq!(ranked.len(), 3);
        assert_eq!(ranked[0].key.1.to_string(), "s1");
        assert_eq!((ranked[0].bm25_rank, ranked[0].dense_rank), (Some(1), Some(2)));
        // 0.4 · 1 + 0.6 · 0.9
        assert!((ranked[0].score - 0.94).abs() < 1e-4, "{ranked:?}");
        assert_eq!(ranked[0].passage, 1, "0.9 of the dense list outweighs BM25");
    }

    #[test]
    fn a_schedule_comes_after_a_section_that_fits_alike_but_not_after_one_that_fits_less() {
        let unit = |passage: usize| {
            let name = if passage == 0 { "sch2".to_owned() } else { format!("s{passage}") };
            Some((0, name.parse().unwrap()))
        };
        let order = |dense: &[(usize, f32)]| -> Vec<usize> {
            let mut found = Candidates::default();
            found.add(Side::Dense, dense.iter().copied(), unit);
            found.ranked(Mode::Hybrid).iter().map(|r| r.passage).collect()
        };
        assert_eq!(order(&[(0, 0.90), (1, 0.89), (2, 0.80)]), [1, 0, 2]);
        assert_eq!(order(&[(0, 0.90), (1, 0.85), (2, 0.80)]), [0, 1, 2]);
    }

    #[test]
    fn one_list_alone_keeps_its_order_and_scores() {
        let bm25 = [(2, 3.0), (0, 2.0), (1, 1.0)];
        let ranked = rank(&bm25, &[], Mode::Bm25);
        let seen: Vec<_> = ranked.iter().map(|r| (r.passage, r.score)).collect();
        assert_eq!(seen, [(2, 3.0), (0, 2.0)]);
        let ranked = rank(&[], &[(5, 0.8)], Mode::Hybrid);
        assert!((ranked[0].score - 0.6).abs() < 1e-6, "a single dense hit is the best there is: {ranked:?}");
        assert!(rank(&[], &[], Mode::Hybrid).is_empty());
    }

    #[test]
    fn scores_without_sense_do_not_spoil_the_order() {
        let ranked = rank(&[(2, 0.0), (3, 0.0)], &[(3, 0.5), (2, 0.5)], Mode::Hybrid);
        assert_eq!(
            ranked.iter().map(|r| r.passage).collect::<Vec<_>>(),
            [2, 3],
            "ties in the order of the code"
        );
        assert!(ranked.iter().all(|r| r.score.is_finite()));
    }
}
