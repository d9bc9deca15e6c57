//! Numbers as statutes and judgments write them: Chinese numerals, digits of several scripts, Roman numerals.

/// What one Chinese numeral character stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Digit(u32),
    Zero,
    Unit(u32),
    /// 廿, 卅, 卌: tens in one character.
    Tens(u32),
}

fn sign(c: char) -> Option<Sign> {
    Some(match c {
        '零' | '〇' | '○' | 'Ｏ' => Sign::Zero,
        '一' | '壹' => Sign::Digit(1),
        '二' | '贰' | '貳' | '两' | '兩' => Sign::Digit(2),
        '三' | '叁' | '參' => Sign::Digit(3),
        '四' | '肆' => Sign::Digit(4),
        '五' | '伍' => Sign::Digit(5),
        '六' | '陆' | '陸' => Sign::Digit(6),
        '七' | '柒' => Sign::Digit(7),
        '八' | '捌' => Sign::Digit(8),
        '九' | '玖' => Sign::Digit(9),
        '十' | '拾' => Sign::Unit(10),
        '百' | '佰' => Sign::Unit(100),
        '千' | '仟' => Sign::Unit(1000),
        '廿' => Sign::Tens(20),
        '卅' => Sign::Tens(30),
        '卌' => Sign::Tens(40),
        _ => return None,
    })
}

/// Whether a character can stand in a Chinese numeral.
#[must_use]
pub fn is_chinese_numeral(c: char) -> bool {
    sign(c).is_some()
}

/// The value of a Chinese digit on its own, from 〇 and 零 to 九, financial and traditional characters among them; 十
/// and what is above are no digits.
#[must_use]
pub fn chinese_digit(c: char) -> Option<u32> {
    match sign(c)? {
        Sign::Digit(d) => Some(d),
        Sign::Zero => Some(0),
        Sign::Unit(_) | Sign::Tens(_) => None,
    }
}

/// The value of a decimal digit in ASCII, full width or Devanagari.
#[must_use]
pub fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        '０'..='９' => Some(c as u32 - '０' as u32),
        '०'..='९' => Some(c as u32 - '०' as u32),
        _ => None,
    }
}

/// The value of a numeral in a circle, in brackets or with a full stop, in one character: ㈨, ⑨, ⑼, ⒐.
#[must_use]
pub fn enclosed(c: char) -> Option<u32> {
    let from = match c {
        '\u{2460}'..='\u{2473}' => '\u{2460}',
        '\u{2474}'..='\u{2487}' => '\u{2474}',
        '\u{2488}'..='\u{249B}' => '\u{2488}',
        '\u{3220}'..='\u{3229}' => '\u{3220}',
        '\u{3280}'..='\u{3289}' => '\u{3280}',
        '\u{2776}'..='\u{277F}' => '\u{2776}',
        '\u{24F5}'..='\u{24FE}' => '\u{24F5}',
        _ => return None,
    };
    Some(c as u32 - from as u32 + 1)
}

/// Reads a whole number as a text writes it: digits of any script that [`digit`] knows, or a Chinese numeral.
///
/// `302`, `３０２`, `३०२`, `三百零二`. Numbers from 1 to 99,999 in digits, to 9,999 in Chinese; leading zeros are refused.
#[must_use]
pub fn value(text: &str) -> Option<u32> {
    let digits: Option<Vec<u32>> = text.chars().map(digit).collect();
    match digits {
        Some(digits) if !digits.is_empty() && digits.len() <= 5 => {
            let n = digits.iter().fold(0, |n, d| n * 10 + d);
            (digits.first() != Some(&0)).then_some(n)
        }
        Some(_) => None,
        None => parse_chinese(text),
    }
}

/// Reads a whole Chinese numeral from 1 to 9999.
///
/// Taken: full forms (一百一十六), short forms (一百十六), positional ones (一一六, 二〇一), 廿 卅 卌,
/// financial characters, 〇 and 零. A form with a gap that is not marked by 零 (二百三) means 203 to some and
/// 230 to others and is refused.
#[must_use]
pub fn parse_chinese(text: &str) -> Option<u32> {
    let signs: Vec<Sign> = text.chars().map(sign).collect::<Option<_>>()?;
    let positional = signs.iter().all(|s| matches!(s, Sign::Digit(_) | Sign::Zero));
    if positional {
        if signs.is_empty() || signs.len() > 4 || signs.first() == Some(&Sign::Zero) {
            return None;
        }
        return Some(signs.iter().fold(0, |n, s| n * 10 + if let Sign::Digit(d) = s { *d } else { 0 }));
    }
    let (mut total, mut pending, mut smallest, mut zero) = (0u32, None::<u32>, 10_000u32, false);
    for s in signs {
        match s {
            Sign::Digit(d) => {
                if pending.is_some() {
                    return None;
                }
                pending = Some(d);
            }
            Sign::Zero => {
                if pending.is_some() || zero || total == 0 {
                    return None;
                }
                zero = true;
            }
            Sign::Unit(unit) => {
                let times = match pending.take() {
                    Some(d) => d,
                    // 十六, 一百十六 and 一千零十 leave the 一 before 十 out; no other unit may.
                    None if unit == 10 => 1,
                    None => return None,
                };
                if unit >= smallest || (unit * 10 < smallest && smallest < 10_000 && !zero) {
                    return None;
                }
                total += times * unit;
                smallest = unit;
                zero = false;
            }
            Sign::Tens(tens) => {
                if pending.is_some() || smallest <= 10 || (smallest > 100 && smallest < 10_000 && !zero) {
                    return None;
                }
                total += tens;
                smallest = 10;
                zero = false;
            }
        }
    }
    match pending {
        Some(d) if smallest == 10 || zero => Some(total + d),
        Some(_) => None,
        None if zero => None,
        None => (total > 0).then_some(total),
    }
}

/// Writes a number from 1 to 9999 as a Chinese code does: 一百一十六, 二百零一, 十.
#[must_use]
pub fn to_chinese(n: u32) -> Option<String> {
    const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    if n == 0 || n > 9999 {
        return None;
    }
    let mut out = String::new();
    let mut gap = false;
    for (unit, name) in [(1000, Some('千')), (100, Some('百')), (10, Some('十')), (1, None)] {
        let d = n / unit % 10;
        if d == 0 {
            gap = !out.is_empty();
            continue;
        }
        if gap {
            out.push('零');
            gap = false;
        }
        if !(unit == 10 && d == 1 && out.is_empty()) {
            out.push(DIGITS.get(d as usize).copied()?);
        }
        out.extend(name);
    }
    Some(out)
}

/// Reads a Roman numeral from 1 to 89 in either case; mixed case and irregular forms are refused.
#[must_use]
pub fn parse_roman(text: &str) -> Option<u32> {
    let upper = text.to_ascii_uppercase();
    if text.is_empty() || text.len() > 8 || (upper != text && text.to_ascii_lowercase() != text) {
        return None;
    }
    let value = |b: u8| match b {
        b'I' => Some(1u32),
        b'V' => Some(5),
        b'X' => Some(10),
        b'L' => Some(50),
        _ => None,
    };
    let mut total = 0;
    let mut bytes = upper.bytes().peekable();
    while let Some(b) = bytes.next() {
        let v = value(b)?;
        match bytes.peek().copied().and_then(value) {
            Some(next) if next > v => total -= i64::from(v),
            _ => total += i64::from(v),
        }
    }
    let n = u32::try_from(total).ok().filter(|n| (1..90).contains(n))?;
    (to_roman(n) == upper).then_some(n)
}

/// Writes a number below 90 as a Roman numeral in capitals.
#[must_use]
pub fn to_roman(n: u32) -> String {
    let mut out = String::new();
    let mut rest = n;
    for (value, sign) in [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")] {
        while rest >= value {
            out.push_str(sign);
            rest -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way in which a number is spelt in the judgments seen.
    fn spellings(n: u32) -> Vec<String> {
        let full = to_chinese(n).unwrap();
        let mut all = vec![full.clone(), full.replace('零', "〇")];
        if n > 100 && (10..20).contains(&(n % 100)) {
            all.push(full.replace("一十", "十"));
        }
        if (10..20).contains(&n) {
            all.push(format!("一{full}"));
        }
        for (long, short) in [("二十", "廿"), ("三十", "卅"), ("四十", "卌")] {
            if full.contains(long) {
                all.push(full.replace(long, short));
            }
        }
        let positional: String = n
            .to_string()
            .chars()
            .filter_map(|c| "〇一二三四五六七八九".chars().nth(digit(c)? as usize))
            .collect();
        if n >= 10 {
            all.push(positional.replace('〇', "零"));
            all.push(positional);
        }
        all.push(
            full.chars()
                .map(|c| match c {
                    '一' => '壹',
                    '二' => '贰',
                    '三' => '叁',
                    '百' => '佰',
                    '十' => '拾',
                    c => c,
                })
                .collect(),
        );
        if n >= 200 {
            all.push(full.replace("二百", "两百"));
        }
        all
    }

    #[test]
    fn every_spelling_of_every_number_reads_back() {
        for n in 1..=2000 {
            for s in spellings(n) {
                assert_eq!(parse_chinese(&s), Some(n), "{s}");
            }
        }
        for n in 2001..=9999 {
            assert_eq!(parse_chinese(&to_chinese(n).unwrap()), Some(n));
        }
    }

    #[test]
    fn a_chinese_digit_is_worth_what_it_is_worth_as_a_numeral() {
        for c in ('\u{3000}'..='\u{9fff}').chain(['Ｏ', '○', '7']) {
            let alone = parse_chinese(&c.to_string()).filter(|n| *n < 10);
            assert_eq!(chinese_digit(c).filter(|d| *d > 0), alone, "{c}");
        }
        assert!(['〇', '零', '○', 'Ｏ'].into_iter().all(|c| chinese_digit(c) == Some(0)));
        assert_eq!((chinese_digit('十'), chinese_digit('廿'), chinese_digit('7')), (None, None, None));
    }

    #[test]
    fn no_two_numbers_share_a_spelling() {
        let all: std::collections::HashSet<String> = (1..=9999).map(|n| to_chinese(n).unwrap()).collect();
        assert_eq!(all.len(), 9999);
        assert_eq!(to_chinese(116).as_deref(), Some("一百一十六"));
        assert_eq!(to_chinese(10).as_deref(), Some("十"));
        assert_eq!(to_chinese(1010).as_deref(), Some("一千零一十"));
    }

    #[test]
    fn what_is_ambiguous_or_broken_is_refused() {
        for s in [
            "",
            "零",
            "百",
            "二百三",
            "一千二",
            "十十",
            "百一",
            "二百零",
            "一千二十",
            "零一",
            "一百零零一",
            "甲",
        ] {
            assert_eq!(parse_chinese(s), None, "{s}");
        }
    }

    #[test]
    fn a_number_in_digits_of_any_script_or_in_chinese() {
        for n in 1..=2000u32 {
            let of = |zero: char| -> String {
                n.to_string().chars().filter_map(|c| char::from_u32(zero as u32 + digit(c)?)).collect()
            };
            for text in [of('0'), of('０'), of('०'), to_chinese(n).unwrap()] {
                assert_eq!(value(&text), Some(n), "{text}");
            }
        }
        for text in ["", "0", "007", "123456", "30a", "三0"] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn roman_numerals_round_trip() {
        for n in 1..90 {
            assert_eq!(parse_roman(&to_roman(n)), Some(n));
            assert_eq!(parse_roman(&to_roman(n).to_lowercase()), Some(n));
        }
        for s in ["", "IIII", "IC", "Iv", "VX", "a"] {
            assert_eq!(parse_roman(s), None, "{s}");
        }
    }
}
