//! Numbers as sources write them.

use nyaya_corpora::Number;

fn digit(c: char) -> Option<u32> {
    Some(match c {
        '〇' | '零' | '○' | 'Ｏ' => 0,
        '一' | '壹' => 1,
        '二' | '贰' | '两' => 2,
        '三' | '叁' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

fn unit(c: char) -> Option<u32> {
    Some(match c {
        '十' | '拾' => 10,
        '百' | '佰' => 100,
        '千' | '仟' => 1000,
        _ => return None,
    })
}

/// Whether a character can stand in a Chinese number.
#[must_use]
pub fn is_numeral(c: char) -> bool {
    digit(c).is_some() || unit(c).is_some() || c.is_ascii_digit() || ('０'..='９').contains(&c)
}

/// The value of a Chinese or Arabic number below 10,000: `一百三十三`, `四〇一`, `133`.
#[must_use]
pub fn value(text: &str) -> Option<u32> {
    if text.is_empty() || text.chars().count() > 12 {
        return None;
    }
    if text.chars().all(|c| c.is_ascii_digit() || ('０'..='９').contains(&c)) {
        let plain: String = text
            .chars()
            .map(|c| {
                if c.is_ascii_digit() {
                    c
                } else {
                    char::from_u32(u32::from(c) - 0xFF10 + 0x30).unwrap_or('0')
                }
            })
            .collect();
        return plain.parse().ok().filter(|n| *n < 100_000);
    }
    if text.chars().all(|c| digit(c).is_some()) {
        let mut total = 0_u32;
        for c in text.chars() {
            total = total.checked_mul(10)?.checked_add(digit(c)?)?;
        }
        return Some(total).filter(|n| *n < 100_000);
    }
    let (mut total, mut pending) = (0_u32, None);
    for c in text.chars() {
        if let Some(d) = digit(c) {
            if d != 0 && pending.is_some_and(|p| p != 0) {
                return None;
            }
            pending = Some(d);
        } else {
            total = total.checked_add(pending.filter(|p| *p != 0).unwrap_or(1).checked_mul(unit(c)?)?)?;
            pending = None;
        }
    }
    total.checked_add(pending.unwrap_or(0)).filter(|n| *n < 100_000)
}

/// `第一百三十三条之一` at the start of a text: the number and the byte length of what was read.
#[must_use]
pub fn article_head(text: &str) -> Option<(Number, usize)> {
    let rest = text.strip_prefix('第')?;
    let (base, rest) = take(rest)?;
    let rest = rest.trim_start_matches([' ', '\u{3000}']).strip_prefix('条')?;
    let (sub, rest) = match rest.strip_prefix('之').and_then(take) {
        Some((sub, rest)) => (Some(sub), rest),
        None => (None, rest),
    };
    let number = match sub {
        Some(sub) => Number::with_sub(base, sub),
        None => Number::plain(base),
    };
    Some((number, text.len() - rest.len()))
}

/// A number at the start of a text, and what follows it.
fn take(text: &str) -> Option<(u32, &str)> {
    let text = text.trim_start_matches([' ', '\u{3000}']);
    let end = text.find(|c: char| !is_numeral(c)).unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end)?;
    Some((value(number)?, rest)).filter(|(n, _)| *n > 0)
}

/// A number as a column of a table has it: `133`, `21A`, `239 A A`, `171-I`, `Section 5`, `第五条之一`.
#[must_use]
pub fn cell(text: &str) -> Option<Number> {
    let text = text.trim().trim_end_matches('.');
    if let Some((number, used)) = article_head(text) {
        return (used == text.len()).then_some(number);
    }
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-' && *c != '–').collect();
    let lower = plain.to_ascii_lowercase();
    let start = ["section", "article", "sec.", "art.", "s.", "art"]
        .iter()
        .find(|p| lower.starts_with(**p))
        .map_or(0, |p| p.len());
    let rest = plain.get(start..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (figure, letters) = rest.split_at_checked(digits)?;
    if figure.is_empty() || letters.len() > 3 || !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let base: u32 = figure.parse().ok()?;
    (base > 0 && base < 100_000).then(|| Number::lettered(base, letters))
}

/// `IV`, `IX` … in capitals, as the rules of Roman numerals have them: `CIVIL` is a word.
#[must_use]
pub fn is_roman(text: &str) -> bool {
    let mut rest = text;
    for (nine, four, five, one) in [("", "CD", "D", "C"), ("XC", "XL", "L", "X"), ("IX", "IV", "V", "I")] {
        let pair = [nine, four].into_iter().find(|p| !p.is_empty() && rest.starts_with(p));
        if let Some(after) = pair.and_then(|p| rest.strip_prefix(p)) {
            rest = after;
            continue;
        }
        rest = rest.strip_prefix(five).unwrap_or(rest);
        for _ in 0..3 {
            rest = rest.strip_prefix(one).unwrap_or(rest);
        }
    }
    !text.is_empty() && rest.is_empty()
}

/// `FIRST` … `TWENTIETH`, or a Roman or Arabic number, as schedules are numbered.
#[must_use]
pub fn ordinal(word: &str) -> Option<u32> {
    const WORDS: [&str; 20] = [
        "FIRST",
        "SECOND",
        "THIRD",
        "FOURTH",
        "FIFTH",
        "SIXTH",
        "SEVENTH",
        "EIGHTH",
        "NINTH",
        "TENTH",
        "ELEVENTH",
        "TWELFTH",
        "THIRTEENTH",
        "FOURTEENTH",
        "FIFTEENTH",
        "SIXTEENTH",
        "SEVENTEENTH",
        "EIGHTEENTH",
        "NINETEENTH",
        "TWENTIETH",
    ];
    let upper = word.to_ascii_uppercase();
    if let Some(i) = WORDS.iter().position(|w| *w == upper) {
        return u32::try_from(i + 1).ok();
    }
    if let Ok(n) = upper.parse::<u32>() {
        return Some(n).filter(|n| (1..1000).contains(n));
    }
    if !is_roman(&upper) {
        return None;
    }
    let figure = |b: u8| match b {
        b'I' => 1,
        b'V' => 5,
        b'X' => 10,
        b'L' => 50,
        _ => 100,
    };
    let (mut total, mut last) = (0_i32, 0);
    for b in upper.bytes().rev() {
        let v = figure(b);
        total += if v < last { -v } else { v };
        last = last.max(v);
    }
    u32::try_from(total).ok().filter(|n| *n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_every_spelling() {
        for (text, n) in [
            ("一", 1),
            ("十", 10),
            ("十九", 19),
            ("二十", 20),
            ("一百零一", 101),
            ("一百一十", 110),
            ("二百五十二", 252),
            ("一千二百六十", 1260),
            ("四〇一", 401),
            ("133", 133),
            ("１３３", 133),
            ("一百十", 110),
        ] {
            assert_eq!(value(text), Some(n), "{text}");
        }
        for text in ["", "一二百三百百百百百百百百百", "甲", "三四十"] {
            assert_eq!(value(text), None, "{text}");
        }
        assert_eq!(
            article_head("第一百三十三条之一　在"),
            Some((Number::with_sub(133, 1), "第一百三十三条之一".len()))
        );
        assert_eq!(article_head("第三条规定"), Some((Number::plain(3), "第三条".len())));
        assert_eq!(article_head("第条"), None);
    }

    #[test]
    fn cells_and_ordinals() {
        assert_eq!(cell("239 A A"), Some(Number::lettered(239, "AA")));
        assert_eq!(cell("171-I"), Some(Number::lettered(171, "I")));
        assert_eq!(cell("Section 21A."), Some(Number::lettered(21, "A")));
        assert_eq!(cell("第五条之二"), Some(Number::with_sub(5, 2)));
        for bad in ["", "0", "preamble", "12 to 15", "21ABCD"] {
            assert_eq!(cell(bad), None, "{bad}");
        }
        assert_eq!(
            (ordinal("Twelfth"), ordinal("IX"), ordinal("7"), ordinal("OTHER")),
            (Some(12), Some(9), Some(7), None)
        );
    }
}
