//! Retrieval metrics over TREC relevance judgments and runs, under the names that `trec_eval` uses.
//!
//! Useful for comparing searches; nothing in a trial needs it.

use std::collections::BTreeMap;

/// Documents in the order of a run, best first.
pub type Ranking = Vec<String>;
/// Grade of relevance by document; 0 and below is not relevant.
pub type Grades = BTreeMap<String, i32>;

fn relevant(grades: &Grades) -> usize {
    grades.values().filter(|g| **g > 0).count()
}

fn grade(grades: &Grades, doc: &str) -> i32 {
    grades.get(doc).copied().unwrap_or(0).max(0)
}

/// `R@k`: relevant documents among the first `k`, of all relevant ones (`recall_k`). `None` without any.
#[must_use]
pub fn recall_at(ranking: &[String], grades: &Grades, k: usize) -> Option<f64> {
    let of = relevant(grades);
    let found = ranking.iter().take(k).filter(|d| grade(grades, d) > 0).count();
    (of > 0).then(|| found as f64 / of as f64)
}

/// `MRR` of one query: one over the rank of the first relevant document (`recip_rank`), 0 if it is not there.
/// `None` without any relevant document.
#[must_use]
pub fn reciprocal_rank(ranking: &[String], grades: &Grades) -> Option<f64> {
    let first = ranking.iter().position(|d| grade(grades, d) > 0);
    (relevant(grades) > 0).then(|| first.map_or(0.0, |i| 1.0 / (i as f64 + 1.0)))
}

/// `MAP` of one query: the mean, over all relevant documents, of the precision at their ranks (`map`).
/// `None` without any relevant document.
#[must_use]
pub fn average_precision(ranking: &[String], grades: &Grades) -> Option<f64> {
    let of = relevant(grades);
    let mut found = 0.0;
    let mut sum = 0.0;
    for (i, doc) in ranking.iter().enumerate() {
        if grade(grades, doc) > 0 {
            found += 1.0;
            sum += found / (i as f64 + 1.0);
        }
    }
    (of > 0).then(|| sum / of as f64)
}

/// `nDCG@k` (`ndcg_cut_k`): gains are the grades, discounted by `log2(rank + 1)`, over the same of the best
/// order (Järvelin and Kekäläinen 2002, as `trec_eval` computes it). `None` without any relevant document.
#[must_use]
pub fn ndcg_at(ranking: &[String], grades: &Grades, k: usize) -> Option<f64> {
    let dcg = |gains: &mut dyn Iterator<Item = i32>| -> f64 {
        gains.take(k).enumerate().map(|(i, g)| f64::from(g) / (i as f64 + 2.0).log2()).sum()
    };
    let mut best: Vec<i32> = grades.values().copied().filter(|g| *g > 0).collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let ideal = dcg(&mut best.into_iter());
    (ideal > 0.0).then(|| dcg(&mut ranking.iter().map(|d| grade(grades, d))) / ideal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_trec_eval() {
        let grades: Grades = [("a", 2), ("b", 1), ("c", 1), ("z", 0)].map(|(d, g)| (d.to_owned(), g)).into();
        let run: Ranking = ["x", "a", "z", "b"].map(str::to_owned).to_vec();
        let near = |v: Option<f64>, right: f64| assert!((v.unwrap() - right).abs() < 1e-4, "{v:?} {right}");
        near(recall_at(&run, &grades, 2), 1.0 / 3.0);
        near(recall_at(&run, &grades, 10), 2.0 / 3.0);
        near(reciprocal_rank(&run, &grades), 0.5);
        near(average_precision(&run, &grades), (0.5 + 0.5) / 3.0);
        // (2/log2 3 + 1/log2 5) / (2 + 1/log2 3 + 1/2)
        near(ndcg_at(&run, &grades, 10), (1.261_86 + 0.430_68) / (2.0 + 0.630_93 + 0.5));
        assert_eq!(ndcg_at(&run, &Grades::new(), 10), None);
    }
}
