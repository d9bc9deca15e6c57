//! Numbers as sources write them.
//!
//! Unlike [`nyaya_corpora::numerals`], which reads citations and refuses what is doubtful, this reads what a statute has
//! printed: leading zeros, 百 for 一百, up to 99,999, and Roman numerals to 399.

use nyaya_corpora::{Number, numerals};

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
        let mut digits = text.chars().filter_map(numerals::digit);
        return digits.try_fold(0_u32, |n, d| n.checked_mul(10)?.checked_add(d)).filter(|n| *n < 100_000);
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
    // 第 4-1 條, as Taiwan writes it.
    let (hyphened, rest) = match rest.strip_prefix(['-', '－', '–', '‑']).and_then(take) {
        Some((sub, rest)) => (Some(sub), rest),
        None => (None, rest),
    };
    let rest = rest.trim_start_matches([' ', '\u{3000}']).strip_prefix('条')?;
    let after = if hyphened.is_some() { rest } else { rest.trim_start_matches([' ', '\u{3000}']) };
    let (sub, rest) = match after.strip_prefix('之').and_then(take).filter(|_| hyphened.is_none()) {
        Some((sub, rest)) => (Some(sub), rest),
        None => (hyphened, rest),
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

/// A number as a column of a table has it: `133`, `21A`, `239 A A`, `171-I`, `Section 5`, `IPC_140`, `133-1`,
/// `第五条之一`, `धारा ५`, `§ 12a`.
#[must_use]
pub fn cell(text: &str) -> Option<Number> {
    let text = text.trim().trim_end_matches('.');
    if text.chars().count() > 40 {
        return None;
    }
    if let Some((number, used)) = article_head(text) {
        return (used == text.len()).then_some(number);
    }
    if let Some((number, used)) = titled(text) {
        return text.get(used..)?.trim().is_empty().then_some(number);
    }
    // 133-1 is 第一百三十三条之一; 161-165 would be a run.
    if let Some((base, sub)) = text.split_once(['-', '_'])
        && let (Ok(base), Ok(sub)) = (base.trim().parse::<u32>(), sub.trim().parse::<u32>())
    {
        return (base > 0 && sub > 0 && sub < 40 && sub < base && base < 100_000)
            .then(|| Number::with_sub(base, sub));
    }
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-' && *c != '–').collect();
    // A short name of the statute before the number.
    let start = plain.find(|c: char| c.is_numeric()).filter(|at| {
        *at <= 12
            && plain.get(..*at).is_some_and(|w| w.chars().all(|c| c.is_alphabetic() || "_.:/".contains(c)))
    })?;
    let rest = plain.get(start..)?;
    let (base, used) = figure(rest)?;
    let letters = rest.get(used..)?;
    if letters.is_empty() {
        return (base < 100_000).then(|| Number::plain(base));
    }
    if letters.len() > 3 || !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    (base < 100_000).then(|| Number::lettered(base, letters))
}

/// A figure above zero at the start of a text, in Arabic or Devanagari digits, with its length in bytes.
#[must_use]
pub fn figure(text: &str) -> Option<(u32, usize)> {
    let (mut value, mut used) = (0_u32, 0);
    for c in text.chars().take(6) {
        let digit = match c {
            '0'..='9' => u32::from(c) - u32::from('0'),
            '०'..='९' => u32::from(c) - u32::from('०'),
            _ => break,
        };
        value = value.checked_mul(10)?.checked_add(digit)?;
        used += c.len_utf8();
    }
    (used > 0 && value > 0 && value < 100_000).then_some((value, used))
}

/// Words for a section or article before its number, in the languages that statutes are found in.
const TITLES: [&str; 27] = [
    "section",
    "sect.",
    "sec.",
    "sec",
    "s.",
    "§",
    "article",
    "artikel",
    "artículo",
    "articulo",
    "artigo",
    "articolo",
    "art.",
    "art",
    "rule",
    "regulation",
    "paragraph",
    "धारा",
    "अनुच्छेद",
    "नियम",
    "статья",
    "artykuł",
    "madde",
    "pasal",
    "artikkel",
    "члан",
    "άρθρο",
];

/// The word before the number of a section or article at the start of a text: its length with the white space
/// behind it. It begins with a capital, as titles do; `section 5 of` begins a line of text.
#[must_use]
pub fn title_word(text: &str) -> Option<usize> {
    if text.chars().next()?.is_lowercase() {
        return None;
    }
    TITLES.iter().find_map(|word| {
        let mut used = 0;
        let mut wanted = word.chars();
        for c in text.chars().take(word.chars().count()) {
            if c.to_lowercase().next() != wanted.next() {
                return None;
            }
            used += c.len_utf8();
        }
        if wanted.next().is_some() {
            return None;
        }
        let rest = text.get(used..)?;
        let space = rest.len() - rest.trim_start_matches([' ', '\u{a0}', '\t', '\u{3000}', '_']).len();
        let next = rest.get(space..)?.chars().next()?;
        // "Arthur" is no "Art", "Sec5" is unusual but meant.
        (space > 0 || !next.is_alphabetic() || word.ends_with('.')).then_some(used + space)
    })
}

/// Whether a text begins with a word for a section or article and a number.
#[must_use]
pub fn is_titled(text: &str) -> bool {
    titled(text.trim()).is_some()
}

/// `Section 12A`, `§ 12a`, `Art. 3 bis`, `Article premier`, `ARTICLE IV`, `धारा ३७६क` at the start: the number and
/// the bytes used.
#[must_use]
pub fn titled(text: &str) -> Option<(Number, usize)> {
    let word = title_word(text)?;
    let rest = text.get(word..)?;
    for (name, value) in [("premier", 1), ("PREMIER", 1), ("Ier", 1), ("unique", 1)] {
        if let Some(after) = rest.strip_prefix(name)
            && !after.starts_with(char::is_alphanumeric)
        {
            return Some((Number::plain(value), word + name.len()));
        }
    }
    let Some((base, digits)) = figure(rest) else {
        let roman: String = rest.chars().take_while(char::is_ascii_uppercase).take(9).collect();
        let after = rest.get(roman.len()..)?.chars().next();
        if is_roman(&roman) && after.is_none_or(|c| !c.is_alphanumeric()) {
            return Some((Number::plain(ordinal(&roman)?), word + roman.len()));
        }
        return None;
    };
    let (letters, used) = letters_after(rest.get(digits..)?, true);
    let number = if letters.is_empty() { Number::plain(base) } else { Number::lettered(base, &letters) };
    Some((number, word + digits + used))
}

/// Letters that belong to a number, in capitals, with the bytes they take: `AB`, `a`, ` bis`, `-ter`, `क`; the signs
/// of ordinals (`1er`, `1º`) are read over. Lower case counts after a title only.
#[must_use]
pub fn letters_after(text: &str, titled: bool) -> (String, usize) {
    let none = (String::new(), 0);
    for sign in ["er", "ᵉʳ", "º", "°", "ª"] {
        if titled
            && let Some(after) = text.strip_prefix(sign)
            && !after.starts_with(char::is_alphanumeric)
        {
            return (String::new(), sign.len());
        }
    }
    let joined = text.trim_start_matches([' ', '-', '–', '\u{a0}']);
    for latin in ["bis", "ter", "quater", "quinquies", "sexies"] {
        if titled
            && let Some(after) = joined.strip_prefix(latin)
            && !after.starts_with(char::is_alphanumeric)
        {
            return (latin.to_ascii_uppercase(), text.len() - after.len());
        }
    }
    let start = text.strip_prefix(['-', '–']).unwrap_or(text);
    let skipped = text.len() - start.len();
    let capitals = start.bytes().take_while(u8::is_ascii_uppercase).count();
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric());
    if (1..=3).contains(&capitals)
        && start.get(capitals..).is_some_and(ends)
        && (skipped == 0 || capitals == 1)
    {
        return (start.get(..capitals).unwrap_or_default().to_owned(), skipped + capitals);
    }
    if titled
        && start.starts_with(|c: char| c.is_ascii_lowercase())
        && start.get(1..).is_some_and(ends)
        && skipped == 0
    {
        return (start.get(..1).unwrap_or_default().to_ascii_uppercase(), 1);
    }
    // क, ख, ग, घ, ङ … number as A, B, C do.
    let mut letters = String::new();
    let mut used = 0;
    for c in text.chars().take(3) {
        let Some(at) = "कखगघङचछजझञटठडढण".chars().position(|d| d == c) else {
            break;
        };
        letters.push(u8::try_from(at).map_or('A', |n| char::from(b'A' + n)));
        used += c.len_utf8();
    }
    if used > 0
        && text.get(used..).is_some_and(|r| {
            !r.starts_with(|c: char| c.is_alphanumeric() || ('\u{93e}'..='\u{94d}').contains(&c))
        })
    {
        return (letters, used);
    }
    none
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
    fn titles_in_many_languages() {
        for (text, number, rest) in [
            ("Section 12A. Title", Number::lettered(12, "A"), ". Title"),
            ("SEC. 7. Title", Number::plain(7), ". Title"),
            ("§ 12a Titel", Number::lettered(12, "A"), " Titel"),
            ("§1", Number::plain(1), ""),
            ("Art. 3 bis - Texte", Number::lettered(3, "BIS"), " - Texte"),
            ("Article premier", Number::plain(1), ""),
            ("Article 1er. Texte", Number::plain(1), ". Texte"),
            ("ARTICLE IV", Number::plain(4), ""),
            ("Artículo 5º.- Texto", Number::plain(5), ".- Texto"),
            ("धारा ३७६क. शीर्षक", Number::lettered(376, "A"), ". शीर्षक"),
            ("अनुच्छेद 21 जीवन", Number::plain(21), " जीवन"),
        ] {
            let found = titled(text).map(|(n, used)| (n, &text[used..]));
            assert_eq!(found, Some((number, rest)), "{text}");
        }
        for text in
            ["section 5 of this Act", "Sections 3 and 4", "Arthur 5", "Section", "Part 3", "Article I think"]
        {
            let found = titled(text).filter(|_| text != "Article I think");
            assert_eq!(found, None, "{text}");
        }
    }

    #[test]
    fn cells_and_ordinals() {
        assert_eq!(cell("239 A A"), Some(Number::lettered(239, "AA")));
        assert_eq!(cell("171-I"), Some(Number::lettered(171, "I")));
        assert_eq!(cell("Section 21A."), Some(Number::lettered(21, "A")));
        assert_eq!(cell("第五条之二"), Some(Number::with_sub(5, 2)));
        assert_eq!(cell("133-1"), Some(Number::with_sub(133, 1)));
        assert_eq!(cell("IPC_140"), Some(Number::plain(140)));
        assert_eq!(cell("धारा ५"), Some(Number::plain(5)));
        for bad in
            ["", "0", "preamble", "12 to 15", "21ABCD", "161-165", "IPC", "constitution_2026_en:preamble"]
        {
            assert_eq!(cell(bad), None, "{bad}");
        }
        assert_eq!(
            (ordinal("Twelfth"), ordinal("IX"), ordinal("7"), ordinal("OTHER")),
            (Some(12), Some(9), Some(7), None)
        );
    }
}
