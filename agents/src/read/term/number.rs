//! Numbers and durations in digits, Chinese and English words.

use nyaya_corpora::numerals::chinese_digit;

use super::What;

/// Full months and the days left over, at 30 days a month. Beyond 100,000 months is no sentence.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked first")]
pub(super) fn whole_months(months: f64) -> Option<(u32, u32)> {
    if !(0.0..=100_000.0).contains(&months) {
        return None;
    }
    let whole = (months + 1e-6).floor();
    Some((whole as u32, ((months - whole).max(0.0) * 30.0).round() as u32))
}

pub(super) fn duration(found: &regex::Captures<'_>) -> Option<What> {
    let text = |name: &str| found.name(name).map(|m| m.as_str());
    let has = |name: &str| found.name(name).is_some();
    if has("hy") {
        return Some(What::Fixed { months: 6, days: 0 });
    }
    let mut months = 0.0;
    let mut in_years = None;
    if let Some(years) = text("y") {
        match number(years) {
            Some(n) => {
                months += n * 12.0;
                in_years = Some(months);
            }
            // 两三年: two or three years.
            None => {
                let (lo, hi) = two_digits(years)?;
                return Some(What::Range(lo * 12, Some(hi * 12)));
            }
        }
    }
    if has("yh") || has("yh2") {
        months += 6.0;
    }
    for name in ["ym", "m", "sm"] {
        if let Some(n) = text(name) {
            match number(n) {
                // "1.5 years, 18 months" says one term twice; "1 year 14 months" says nothing that is sure.
                Some(n) if in_years.is_some_and(|y| y > 0.0) && n >= 12.0 => {
                    if in_years.is_none_or(|y| (y - n).abs() > 1e-6) {
                        return Some(What::Unclear);
                    }
                }
                Some(n) => months += n,
                None if !has("y") => {
                    let (lo, hi) = two_digits(n)?;
                    return Some(What::Range(lo, Some(hi)));
                }
                None => return None,
            }
        }
    }
    if ["ymh", "ymh2", "yhm", "mh", "mh2"].iter().any(|n| has(n)) {
        months += 0.5;
    }
    let (months, mut days) = whole_months(months)?;
    if let Some(d) = text("d").and_then(number) {
        days += whole_months(d)?.0;
    }
    Some(What::Fixed { months, days })
}

/// A number in digits, Chinese or English words.
pub(in crate::read) fn number(words: &str) -> Option<f64> {
    let words = words.trim();
    if let Ok(n) = words.parse::<f64>() {
        return Some(n);
    }
    if words.is_ascii() { english(words) } else { chinese(words) }
}

fn chinese(words: &str) -> Option<f64> {
    let units = words.chars().any(|c| "十百廿卅拾".contains(c));
    let trimmed: Vec<char> = words.trim_start_matches(['零', '〇']).chars().collect();
    if !units {
        return match trimmed.as_slice() {
            [] => Some(0.0),
            [one] => chinese_digit(*one).map(f64::from),
            // Two digits in a row are "two or three"; with a zero, or three and more, they are read one by one.
            [_, second] if chinese_digit(*second) != Some(0) => None,
            digits => digits
                .iter()
                .try_fold(0u32, |n, c| n.checked_mul(10)?.checked_add(chinese_digit(*c)?))
                .map(f64::from),
        };
    }
    let (mut total, mut digit) = (0u32, None);
    for c in trimmed {
        match c {
            '百' => total = total.checked_add(digit.take().unwrap_or(1) * 100)?,
            '十' | '拾' => total = total.checked_add(digit.take().unwrap_or(1) * 10)?,
            '廿' => total = total.checked_add(20)?,
            '卅' => total = total.checked_add(30)?,
            other => {
                let d = chinese_digit(other)?;
                if digit.is_some_and(|d| d != 0) {
                    return None;
                }
                digit = Some(d);
            }
        }
    }
    Some(f64::from(total + digit.unwrap_or(0)))
}

/// 三五 in 三五年: three to five.
fn two_digits(words: &str) -> Option<(u32, u32)> {
    let digits: Vec<u32> = words.chars().map(chinese_digit).collect::<Option<_>>()?;
    match digits.as_slice() {
        [lo, hi] if lo < hi => Some((*lo, *hi)),
        _ => None,
    }
}

pub(in crate::read) fn english(words: &str) -> Option<f64> {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let (mut total, mut any) = (0usize, false);
    for word in words.to_lowercase().split([' ', '-', '\n', '\t']).filter(|w| !w.is_empty()) {
        any |= word != "and";
        if word == "and" {
        } else if word == "a" || word == "an" {
            total += 1;
        } else if let Some(n) = SMALL.iter().position(|w| *w == word) {
            total += n;
        } else if let Some(n) = TENS.iter().position(|w| *w == word) {
            total += (n + 2) * 10;
        } else if word == "hundred" {
            total = total.max(1) * 100;
        } else {
            return None;
        }
    }
    // Nothing counts nothing: an empty field is no zero.
    u32::try_from(total).ok().filter(|_| any).map(f64::from)
}
