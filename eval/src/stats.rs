//! Small statistics: means with bootstrap intervals, shares with Wilson intervals.
//!
//! Written out here because both are a few lines; a statistics crate would bring linear algebra along.

use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// Resamples of a bootstrap.
pub const RESAMPLES: usize = 5000;
/// Seed of the resampling, fixed so that the same run gives the same interval.
pub const SEED: u64 = 0x6e79_6179;
/// Quantile of the standard normal distribution for a two-sided 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;

/// A mean over trials with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean of the values that are known.
    pub mean: f64,
    /// Lower end; absent below two values, where nothing is known about the spread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Trials with a value.
    pub n: usize,
    /// Trials without one: a failure or unknown, left out of the mean and never counted as zero.
    pub without: usize,
}

/// A share of a whole with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// Cases with the property.
    pub count: u64,
    /// All cases.
    pub of: u64,
    /// `count / of`.
    pub share: f64,
    /// Lower end of the Wilson score interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The mean of the known values, with the percentile bootstrap interval (Efron 1979): values are drawn with
/// replacement [`RESAMPLES`] times, and the 2.5th and 97.5th percentiles of the resampled means are the ends.
///
/// `None` if no value is known. With fewer than about eight values the interval is too narrow; `n` is shown
/// beside it everywhere for that reason.
#[must_use]
pub fn mean(values: &[Option<f64>]) -> Option<Mean> {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    let n = known.len();
    if n == 0 {
        return None;
    }
    let without = values.len() - n;
    let average = |sum: f64| sum / n as f64;
    let centre = average(known.iter().sum());
    if n < 2 {
        return Some(Mean { mean: centre, low: None, high: None, n, without });
    }
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| average((0..n).filter_map(|_| known.get(rng.random_range(0..n))).sum()))
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |q: f64| means.get(((RESAMPLES - 1) as f64 * q).round() as usize).copied();
    Some(Mean { mean: centre, low: at(0.025), high: at(0.975), n, without })
}

/// A share with the Wilson score interval (Wilson 1927), without continuity correction.
///
/// `None` of nothing.
#[must_use]
pub fn share(count: u64, of: u64) -> Option<Share> {
    if of == 0 {
        return None;
    }
    let n = of as f64;
    let p = count as f64 / n;
    let z2 = Z95 * Z95;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Some(Share { count, of, share: p, low: (centre - half).max(0.0), high: (centre + half).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_gives_the_textbook_values() {
        // 8 of 10: .490 to .943; 0 of 10: 0 to .278.
        let s = share(8, 10).unwrap();
        assert!((s.low - 0.4902).abs() < 5e-4 && (s.high - 0.9433).abs() < 5e-4, "{s:?}");
        let s = share(0, 10).unwrap();
        assert!(s.low.abs() < 1e-12 && (s.high - 0.2775).abs() < 5e-4, "{s:?}");
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn a_mean_leaves_out_what_is_unknown_and_counts_it() {
        let m = mean(&[Some(0.2), None, Some(0.4)]).unwrap();
        assert!((m.mean - 0.3).abs() < 1e-12);
        assert_eq!((m.n, m.without), (2, 1));
        assert_eq!((m.low, m.high), (Some(0.2), Some(0.4)));
        assert_eq!(mean(&[None, None]), None);
        assert_eq!(mean(&[Some(1.0)]).unwrap().low, None);
    }

    #[test]
    fn the_bootstrap_is_near_the_normal_interval_for_many_values() {
        // 0, 1, 0, 1, …: standard error .5 / 20, so .451 to .549.
        let values: Vec<Option<f64>> = (0..400).map(|i| Some(f64::from(i % 2))).collect();
        let m = mean(&values).unwrap();
        assert!((m.low.unwrap() - 0.451).abs() < 0.006 && (m.high.unwrap() - 0.549).abs() < 0.006, "{m:?}");
        assert_eq!(mean(&values), Some(m));
    }
}
