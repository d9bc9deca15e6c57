//! A share of votes, counted exactly.

/// A share, exactly as it is written: `0.8` is 8/10, and 4 of 5 reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    numerator: u64,
    denominator: u64,
}

impl Share {
    /// Whether `votes` of `of` reach the share; with `strict` they must exceed it. Nothing reaches a share of
    /// nobody.
    #[must_use]
    pub fn reached(self, votes: u32, of: u32, strict: bool) -> bool {
        let left = u128::from(votes) * u128::from(self.denominator);
        let right = u128::from(self.numerator) * u128::from(of);
        of > 0 && if strict { left > right } else { left >= right }
    }
}

impl std::str::FromStr for Share {
    type Err = String;

    /// Reads `0.8`, `.8`, `1`, `80%`, `2/3`: more than 0, at most 1.
    fn from_str(s: &str) -> Result<Self, String> {
        let wrong = || format!("`{s}` is not a share: write 0.8, 80% or 2/3, more than 0 and at most 1");
        let plain = |t: &str| t.bytes().all(|b| b.is_ascii_digit()) && t.len() <= 9;
        let number = |t: &str| if plain(t) { t.parse::<u64>().ok() } else { None };
        let text = s.trim();
        let (numerator, denominator) = if let Some((a, b)) = text.split_once('/') {
            (number(a.trim()), number(b.trim()))
        } else {
            let (text, per) = text.strip_suffix('%').map_or((text, 1), |t| (t.trim_end(), 100));
            let (whole, digits) = text.split_once('.').unwrap_or((text, ""));
            if !plain(whole) || !plain(digits) || whole.len() + digits.len() == 0 {
                return Err(wrong());
            }
            let scale = 10u64.pow(u32::try_from(digits.len()).map_err(|_| wrong())?);
            let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| wrong())? };
            let digits: u64 = if digits.is_empty() { 0 } else { digits.parse().map_err(|_| wrong())? };
            (whole.checked_mul(scale).and_then(|w| w.checked_add(digits)), scale.checked_mul(per))
        };
        match (numerator, denominator) {
            (Some(numerator), Some(denominator)) if numerator > 0 && numerator <= denominator => {
                Ok(Self { numerator, denominator })
            }
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact() {
        let share = |s: &str| s.parse::<Share>().unwrap();
        assert!(share("0.8").reached(4, 5, false) && !share("0.8").reached(4, 5, true));
        assert!(share("0.8").reached(5, 5, true) && !share("0.8").reached(3, 5, false));
        // 0.7 · 10 is 7 exactly, which floating point misses.
        assert!(share(".7").reached(7, 10, false) && !share("0.70").reached(7, 10, true));
        assert!(share("2/3").reached(2, 3, false) && !share("0.67").reached(2, 3, false));
        assert!(share("80%").reached(4, 5, false) && share("1").reached(5, 5, false));
        assert!(!share("0.1").reached(0, 5, false) && !share("0.8").reached(0, 0, false));
        assert!(share("0.123456789").reached(u32::MAX, u32::MAX, false));
        for wrong in [
            "",
            ".",
            "0",
            "0.0",
            "1.1",
            "-0.5",
            "0,8",
            "NaN",
            "8e-1",
            "1/0",
            "3/2",
            "0/3",
            "120%",
            "0.1234567890",
        ] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}
