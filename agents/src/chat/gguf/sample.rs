//! Choosing the next token.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Probability, relative to the likeliest token's, below which a token is never drawn; keeps the sort short.
const NEGLIGIBLE: f32 = 1e-6;

/// Draws tokens; the same seed and logits give the same tokens on every machine.
pub(super) struct Sampler {
    rng: ChaCha8Rng,
    temperature: f32,
    top_p: f32,
}

impl Sampler {
    pub(super) fn new(seed: u64, temperature: f32, top_p: f32) -> Self {
        let top_p = if top_p > 0.0 && top_p <= 1.0 { top_p } else { 1.0 };
        Self { rng: ChaCha8Rng::seed_from_u64(seed), temperature, top_p }
    }

    /// A token among those allowed: the likeliest at temperature 0, else drawn from the smallest set of likeliest
    /// tokens that has probability `top_p` (Holtzman et al. 2020, arXiv:1904.09751). `None` if none is allowed.
    pub(super) fn draw(&mut self, logits: &[f32], allowed: impl Fn(u32) -> bool) -> Option<u32> {
        let open =
            || (0u32..).zip(logits.iter().copied()).filter(|(id, logit)| logit.is_finite() && allowed(*id));
        // The first of equals, so that nothing depends on how an iterator breaks ties.
        let (best, top) = open().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        if self.temperature < 1e-4 {
            return Some(best);
        }
        let mut likely: Vec<(u32, f32)> = open()
            .map(|(id, logit)| (id, ((logit - top) / self.temperature).exp()))
            .filter(|(_, p)| *p >= NEGLIGIBLE)
            .collect();
        likely.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let total: f32 = likely.iter().map(|(_, p)| p).sum();
        let mut mass = 0.0;
        let mut kept = 0;
        for (_, p) in &likely {
            kept += 1;
            mass += p;
            if mass >= self.top_p * total {
                break;
            }
        }
        likely.truncate(kept);
        let mut point = self.rng.random::<f32>() * mass;
        for (id, p) in &likely {
            point -= p;
            if point <= 0.0 {
                return Some(*id);
            }
        }
        likely.last().map(|(id, _)| *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greedy_takes_the_likeliest_allowed() {
        let mut s = Sampler::new(1, 0.0, 1.0);
        assert_eq!(s.draw(&[1.0, 3.0, 2.0], |_| true), Some(1));
        assert_eq!(s.draw(&[1.0, 3.0, 2.0], |id| id != 1), Some(2));
        assert_eq!(s.draw(&[1.0, 3.0, 3.0], |_| true), Some(1));
        assert_eq!(s.draw(&[1.0], |_| false), None);
        assert_eq!(s.draw(&[f32::NAN, 0.5], |_| true), Some(1));
    }

    #[test]
    fn draws_follow_the_probabilities() {
        let mut s = Sampler::new(7, 1.0, 1.0);
        let logits = [0.0, (3f32).ln()];
        let n = 4_000;
        let ones = (0..n).filter(|_| s.draw(&logits, |_| true) == Some(1)).count();
        // Three quarters; five standard deviations are 0.034.
        assert!((ones as f64 / f64::from(n) - 0.75).abs() < 0.034, "{ones}");
    }

    #[test]
    fn the_nucleus_cuts_the_tail_and_the_seed_repeats() {
        let logits = [5.0, 1.0, 0.0];
        let mut s = Sampler::new(3, 1.0, 0.5);
        assert!((0..200).all(|_| s.draw(&logits, |_| true) == Some(0)));
        let draws = |seed| {
            let mut s = Sampler::new(seed, 2.0, 1.0);
            (0..50).map(|_| s.draw(&logits, |_| true)).collect::<Vec<_>>()
        };
        assert_eq!(draws(5), draws(5));
        assert_ne!(draws(5), draws(6));
    }
}
