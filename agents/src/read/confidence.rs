//! A confidence in words and numbers, as a percentage.

use std::sync::LazyLock;

use regex::Regex;

use super::pattern;
use super::term::{english, number};

/// A confidence as stated.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Confidence {
    /// 0 to 100.
    pub(super) percent: f64,
    /// On what scale it was given, if not in percent: 1 for a fraction, 10 for "8 out of 10".
    pub(super) scale: Option<f64>,
}

impl Confidence {
    /// What was done to read it.
    pub(super) fn note(&self) -> Option<String> {
        self.scale.map(|scale| {
            if (scale - 1.0).abs() < 1e-9 {
                "the confidence was a fraction: multiplied by 100".to_owned()
            } else {
                format!("the confidence was out of {scale}: scaled to a percentage")
            }
        })
    }
}

/// What a reply says about its confidence.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stated {
    /// One number.
    Value(Confidence),
    /// Something, but no one number.
    Unclear(&'static str),
    /// A number that is none: the answer is invalid.
    Invalid(String),
}

/// A percentage from 0 to 100; a fraction strictly between 0 and 1 is rescaled.
pub(super) fn of_number(n: f64) -> Stated {
    if n > 0.0 && n < 1.0 { scaled(n, 1.0) } else { scaled(n, 100.0) }
}

/// A number on a scale from 0 to `scale`.
fn scaled(n: f64, scale: f64) -> Stated {
    if !(0.0..=scale).contains(&n) {
        return Stated::Invalid(format!("the confidence {n} is not between 0 and {scale}"));
    }
    if (scale - 100.0).abs() < 1e-9 {
        return Stated::Value(Confidence { percent: n, scale: None });
    }
    // Rounded, because 0.29 × 100 is 28.999… in binary.
    let percent = (n / scale * 1e8).round() / 1e6;
    Stated::Value(Confidence { percent, scale: Some(scale) })
}

macro_rules! words {
    () => {
        r"(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|a\s+hundred)\b(?:[\s-]+(?:one|two|three|four|five|six|seven|eight|nine|hundred)\b)?"
    };
}
macro_rules! number {
    () => {
        r"[-+]?(?:[0-9]+(?:[.,][0-9]+)?|\.[0-9]+)(?:e[+-]?[0-9]+)?"
    };
}

/// The scale of a label: `(0-100)`, `[out of 10]`, `, 0 to 100`, `(%)`, `in %`.
static SCALE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*,?\s*[(（\[]?\s*(?:(?:on\s+a\s+)?scale\s*(?:of|from|:)?\s*)?(?:(?P<lo>[0-9]+(?:\.[0-9]+)?)\s*%?\s*(?:-|–|—|~|to|至|到)\s*(?P<hi>[0-9]+(?:\.[0-9]+)?)\s*%?|(?:out\s+of|/)\s*(?P<of>[0-9]+)|(?:in\s+)?(?P<percent>%|percent(?:age)?|per\s+cent))\s*[)）\]]?\s*(?P<sep>[:：=|]|is\b|为)",
    )
});
static LEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:\s*(?:about|around|approximately|approx\.?|roughly|circa|ca\.?|nearly|almost|大约|约|[~≈]|is|at|of|I\b|would\b|say\b|'d\b|think\b|为|[:：=|(\[\x22'“”*]|not|very|fairly|quite|rather|pretty|moderately|extremely|reasonably|high(?:ly)?|medium|moderate|low|strong|weak|confident|certain|高|中|低|较|很|[,，]|[-–—]+\s))*\s*",
    )
});
static INEXACT_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:[<>≥≤＞＜]|at\s+least|at\s+most|more\s+than|less\s+than|greater\s+than|over|above|below|under|up\s+to|no\s+(?:more|less)\s+than|between|from|至少|至多|超过|高于|低于|不低于|不超过)",
    )
});
static VALUE: LazyLock<Regex> =
    LazyLock::new(|| pattern(concat!(r"(?i)^(?:(?P<n>", number!(), r")|(?P<w>", words!(), r"))")));
/// A second number, or another word that makes the first one inexact.
static INEXACT_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\s*(?:%|percent|per\s+cent)?\s*(?:-?\s*ish\b|±|\+\s*/\s*-|plus\s+or\s+minus|give\s+or\s+take|(?:(?:-|–|—|~|to|or|至|到|或)\s*(?:",
        number!(),
        r"|",
        words!(),
        r"))|\+(?:\W|$)|or\s+(?:more|less|so|above|below|higher|lower)\b|plus\b|以上|以下|左右|多)"
    ))
});
static UNIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^\s*(?:(?P<percent>%|percent\b|per\s*cent\b|％)|(?P<marks>分)|[(（\[]?\s*(?:on\s+)?(?:a\s+)?scale\s+(?:of\s+|from\s+)?0\s*(?:-|–|to)\s*(?P<scaled>[0-9]+)|[(（\[]?\s*(?:/|(?:out\s+)?of\b)\s*(?:(?P<of>[0-9]+(?:\.[0-9]+)?)\b|(?P<words>",
        words!(),
        r"))|[(（,]?\s*(?:on\s+)?(?:an?\s+)?(?:[0-9]+[\s-]points?\s+)?(?P<scale>scale|stars?\b|points?\b|marks?\b))"
    ))
});
/// What may follow the number of a field that holds nothing else.
static NOTHING_ELSE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^[\s.,;:!)\]}'\x22”]*(?:$|[(（,;]|confiden|certain|sure|because|since|as\b|based|given)")
});

/// Reads what follows the word "confidence", or stands in its field (`field`: and nothing else does).
///
/// `None` if no number follows.
pub(super) fn read(text: &str, field: bool) -> Option<Stated> {
    static PER_CENT: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"百分之\s*([0-9]{1,3}(?:\.[0-9]+)?|[零〇一二三四五六七八九十百]+)"));
    let text = PER_CENT.replace_all(text, |c: &regex::Captures<'_>| {
        let n = c.get(1).and_then(|m| number(m.as_str()));
        n.map_or_else(|| c.get(0).map_or("", |m| m.as_str()).to_owned(), |n| format!("{n}%"))
    });
    let text = text.as_ref();
    let mut scale = None;
    let mut rest = text;
    if let Some(found) = SCALE.captures(text) {
        rest = text.get(found.get(0)?.end()..)?;
        let end = |name| found.name(name).and_then(|m| m.as_str().parse::<f64>().ok());
        scale = match (end("lo"), end("hi"), end("of")) {
            (Some(lo), Some(hi), _) if lo == 0.0 || (lo <= 1.0 && hi >= 100.0) => Some(hi),
            (Some(_), Some(_), _) => {
                return Some(Stated::Unclear("a confidence on a scale that does not begin at 0"));
            }
            (_, _, Some(of)) => Some(of),
            _ => Some(100.0),
        };
    }
    if INEXACT_BEFORE.is_match(rest) {
        return Some(Stated::Unclear("a bound is no one confidence"));
    }
    let lead = rest.get(..LEAD.find(rest).map_or(0, |m| m.end()))?;
    let rest = rest.get(lead.len()..)?;
    if INEXACT_BEFORE.is_match(rest) {
        return Some(Stated::Unclear("a bound is no one confidence"));
    }
    let found = VALUE.captures(rest)?;
    // "Not high, 20" is 20; "not 80" is any other number.
    if lead.split_whitespace().next_back().is_some_and(|w| w.eq_ignore_ascii_case("not")) {
        return Some(Stated::Unclear("a number that is denied"));
    }
    let after = rest.get(found.get(0)?.end()..)?;
    let n = match (found.name("n"), found.name("w")) {
        (Some(n), _) => n.as_str().replace(',', ".").parse::<f64>().ok()?,
        (_, Some(w)) => english(w.as_str())?,
        _ => return None,
    };
    if INEXACT_AFTER.is_match(after) {
        return Some(Stated::Unclear("a range is no one confidence"));
    }
    if let Some(unit) = UNIT.captures(after) {
        // A mark is out of a hundred, if it is no small one.
        if unit.name("percent").is_some() || (unit.name("marks").is_some() && n > 10.0) {
            return Some(scaled(n, 100.0));
        }
        if unit.name("scale").is_some() || unit.name("marks").is_some() {
            return Some(Stated::Unclear("a confidence on a scale that is not clear"));
        }
        let of = unit.name("of").or_else(|| unit.name("scaled")).and_then(|m| m.as_str().parse().ok());
        let of: f64 = of.or_else(|| unit.name("words").and_then(|m| english(m.as_str())))?;
        if of > 0.0 {
            return Some(scaled(n, of));
        }
        return Some(Stated::Unclear("a confidence out of 0"));
    }
    if field && !NOTHING_ELSE.is_match(after) {
        return Some(Stated::Unclear("a number with a unit that is not known"));
    }
    let in_words = found.name("w").is_some();
    Some(match scale {
        Some(scale) if (scale - 100.0).abs() > 1e-9 => scaled(n, scale),
        _ if in_words => scaled(n, 100.0),
        _ => of_number(n),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_on_a_known_scale() {
        for (words, percent, scale) in [
            ("64", 64.0, None),
            ("64%", 64.0, None),
            ("0.64", 64.0, Some(1.0)),
            (".64", 64.0, Some(1.0)),
            ("0.5%", 0.5, None),
            ("6 out of 10", 60.0, Some(10.0)),
            ("six of ten", 60.0, Some(10.0)),
            ("2/5", 40.0, Some(5.0)),
            ("64/100", 64.0, None),
            ("62,5", 62.5, None),
            ("6e1", 60.0, None),
            ("sixty-four percent", 64.0, None),
            ("very high (93)", 93.0, None),
            ("not high, 20", 20.0, None),
            ("approx. 64", 64.0, None),
            (" (0-100): 64", 64.0, None),
            (" [out of 10]: 6", 60.0, Some(10.0)),
            (", 0 to 1: 0.64", 64.0, Some(1.0)),
            (" (%): 64", 64.0, None),
        ] {
            assert_eq!(read(words, true), Some(Stated::Value(Confidence { percent, scale })), "{words}");
        }
    }

    #[test]
    fn what_is_not_one_number() {
        for words in [
            "60-70",
            "60 to 70",
            "60–70%",
            "60 or 70",
            "> 60",
            "at least 60",
            "3 stars",
            "3 (scale 1-5)",
            " (1-10): 6",
            "60+",
        ] {
            assert!(
                matches!(read(words, true), Some(Stated::Unclear(_))),
                "{words}: {:?}",
                read(words, true)
            );
        }
        for words in ["high", "", "unknown", "n/a"] {
            assert_eq!(read(words, true), None, "{words}");
        }
        for words in ["101", "-1", "12/10", "150%", " (0-10): 11"] {
            assert!(
                matches!(read(words, true), Some(Stated::Invalid(_))),
                "{words}: {:?}",
                read(words, true)
            );
        }
    }
}
