//! Which of the lines that look like the head of a provision are heads.
//!
//! The numbers of a statute ascend. Among all candidates the heads are the ascending chain of the greatest
//! weight, where a candidate weighs more the more it looks like a head. Cross-references that begin a line and
//! numbered lists inside a provision fall out.

/// A candidate: where it stands and how much it looks like a head.
#[derive(Debug, Clone)]
pub struct Candidate<K> {
    /// Its number.
    pub key: K,
    /// How much it looks like a head; at or below zero it is none.
    pub weight: f64,
}

/// Indices of the heaviest strictly ascending chain, in order. `O(n log n)`. Among equals the earlier one wins.
#[must_use]
pub fn heaviest<K: Ord>(candidates: &[Candidate<K>]) -> Vec<usize> {
    let mut keys: Vec<&K> = candidates.iter().map(|c| &c.key).collect();
    keys.sort();
    keys.dedup();
    // Fenwick tree over ranks: the best chain that ends with a key below a rank.
    let mut tree: Vec<Option<(f64, usize)>> = vec![None; keys.len() + 1];
    let mut before: Vec<Option<usize>> = vec![None; candidates.len()];
    let mut best: Option<(f64, usize)> = None;
    for (i, candidate) in candidates.iter().enumerate() {
        if candidate.weight <= 0.0 || candidate.weight.is_nan() {
            continue;
        }
        let Ok(rank) = keys.binary_search(&&candidate.key) else { continue };
        let mut below: Option<(f64, usize)> = None;
        let mut at = rank;
        while at > 0 {
            if let Some(Some(found)) = tree.get(at)
                && below.is_none_or(|b| found.0 > b.0)
            {
                below = Some(*found);
            }
            at &= at - 1;
        }
        let total = candidate.weight + below.map_or(0.0, |b| b.0);
        if let Some(slot) = before.get_mut(i) {
            *slot = below.map(|b| b.1);
        }
        if best.is_none_or(|b| total > b.0) {
            best = Some((total, i));
        }
        let mut at = rank + 1;
        while let Some(slot) = tree.get_mut(at) {
            if slot.is_none_or(|s| total > s.0) {
                *slot = Some((total, i));
            }
            at += at & at.wrapping_neg();
        }
    }
    let mut chain = Vec::new();
    let mut at = best.map(|b| b.1);
    while let Some(i) = at {
        chain.push(i);
        at = before.get(i).copied().flatten();
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(list: &[(u32, f64)]) -> Vec<Candidate<u32>> {
        list.iter().map(|(key, weight)| Candidate { key: *key, weight: *weight }).collect()
    }

    #[test]
    fn a_reference_between_heads_falls_out() {
        assert_eq!(
            heaviest(&of(&[(1, 1.0), (2, 1.0), (264, 0.2), (3, 1.0), (4, 1.0), (2, 0.2), (5, 1.0)])),
            [0, 1, 3, 4, 6]
        );
        assert_eq!(heaviest(&of(&[(1, 1.0), (1, 2.0), (2, 0.0)])), [1]);
        assert!(heaviest::<u32>(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn the_chain_ascends_and_is_the_heaviest(list in proptest::collection::vec((0u32..12, 0.1f64..3.0), 0..12)) {
            let candidates = of(&list);
            let chain = heaviest(&candidates);
            prop_assert!(chain.windows(2).all(|w| w[0] < w[1] && list[w[0]].0 < list[w[1]].0));
            let found: f64 = chain.iter().map(|i| list[*i].1).sum();
            let mut best = 0.0f64;
            for mask in 0u32..(1 << list.len()) {
                let picked: Vec<(u32, f64)> = (0..list.len()).filter(|i| mask & (1 << i) != 0).map(|i| list[i]).collect();
                if picked.windows(2).all(|w| w[0].0 < w[1].0) {
                    best = best.max(picked.iter().map(|p| p.1).sum());
                }
            }
            prop_assert!((found - best).abs() < 1e-9);
        }
    }
}
