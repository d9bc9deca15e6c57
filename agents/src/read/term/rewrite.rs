//! Odd forms of numbers, units and labels, written as the plain ones: `2 1/2 years`, 五又二分之一年, `Years: 3`,
//! `Term (months) | 30`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::number::number;
use super::spans::{en_number, zh_number};
use crate::read::{pattern, tables};

/// How much of the text on each side a rewriting may look at.
const BESIDE: usize = 24;
/// Stands before months that had a label of their own, until they are joined to the years before them.
const LABELLED: char = '\u{1}';

/// The text with fractions as decimals, labelled units after their numbers, and abbreviations without full stops.
pub(super) fn plain(text: &str) -> String {
    static HEADERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:years?|months?)\b|[年月]\s*[)）]?\s*$|^(?:公诉机关|检察院|检察机关|公诉人|辩护人|本院|法院|法庭|合议庭)$|^(?:the\s+)?(?:prosecut(?:ion|or)|defen[cs]e|court|bench)$",
        )
    });
    // "Total (concurrent)": how a total is made up says nothing of how long it is.
    static TOTAL: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?P<total>\b(?:total|aggregate|combined|overall|effective)\b|合计|总计|总刑期|合并执行|决定执行)\s*[(（](?P<how>[^()（）\n0-9零〇一二三四五六七八九十两半年月]{1,30})[)）]",
        )
    });
    static LONG: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:years?|months?|days?)\b"));
    let text =
        replace(text, &TOTAL, |c, _, _| (!LONG.is_match(say(c, "how"))).then(|| say(c, "total").to_owned()));
    let text = tables::spelled_out(&text, &HEADERS);
    one_unit(&labels(&fractions(&abbreviations(&text))))
}

/// A number at the end that counts what was counted before: "between 24 and 36 months, so 30".
fn one_unit(text: &str) -> String {
    static SO: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?im)(?P<u>months|years|个月|年)(?P<mid>[^.;。；\n]{0,30}?(?:\b(?:so|thus|hence|therefore|say|choose|take|pick)\s+(?:about\s+|around\s+)?|(?:故|因此|所以|取|定为|选)\s*(?:取|为|定为)?\s*))(?P<n>[0-9]{1,3})(?P<end>\s*[.。!！]?\s*$)",
        )
    });
    replace(text, &SO, |c, _, _| {
        let u = say(c, "u");
        Some(format!("{u}{}{}{}{}", say(c, "mid"), say(c, "n"), unit(u), say(c, "end")))
    })
}

/// Replaces what `with` gives a new form for; it sees a few words on each side.
fn replace(text: &str, regex: &Regex, with: impl Fn(&Captures<'_>, &str, &str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for found in regex.captures_iter(text) {
        let Some(all) = found.get(0) else { continue };
        let from = text.floor_char_boundary(all.start().saturating_sub(BESIDE));
        let to = text.ceil_char_boundary(all.end() + BESIDE);
        let beside = |a, b| text.get(a..b).unwrap_or_default();
        if let Some(new) = with(&found, beside(from, all.start()), beside(all.end(), to)) {
            out.push_str(beside(done, all.start()));
            out.push_str(&new);
            done = all.end();
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// A full stop that ends no sentence: "R.I. for 2 yrs. 3 mos.", "Rs. 500".
fn abbreviations(text: &str) -> String {
    static RIGOUR: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b([RS])\.\s?I\.?(\s|,)"));
    static STOPS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"\b((?i:Rs|Secs?|Arts?|Nos|vs?|approx|Mr|Mrs|Ms|Dr|Hon|viz|cf|u/s))\.(\s)")
    });
    static UNITS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\b((?i:yrs?|mos?|mths?))\.([,)]|\s*[0-9a-z(])"));
    // No word boundary lies between the scripts.
    static SCRIPTS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)(\p{Han})([0-9]+(?:\.[0-9]+)?[\s-]*(?:years?|months?|yrs?|mos?|mths?)\b)")
    });
    static TAGS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)<(?:(?P<label>(?:final_?)?(?:answer|sentence|term|months|years|decision))|[/|]?[a-z_][^<>\n]{0,40})>",
        )
    });
    static SLANG: LazyLock<Regex> =
        LazyLock::new(|| pattern(concat!(r"判(", zh_number!(), r")缓(", zh_number!(), r")")));
    let text = RIGOUR.replace_all(text, "${1}I$2");
    let text = STOPS.replace_all(&text, "$1$2");
    let text = UNITS.replace_all(&text, "$1$2");
    let text = SCRIPTS.replace_all(&text, "$1 $2");
    let text = TAGS.replace_all(&text, |c: &Captures<'_>| {
        c.name("label").map_or_else(|| "\n".to_owned(), |label| format!("\n{}: ", label.as_str()))
    });
    // 判三缓四: three years, four of probation.
    replace(&text, &SLANG, |c, _, after| {
        let (years, probation) = (c.get(1)?.as_str(), c.get(2)?.as_str());
        (!after.trim_start().starts_with(['年', '个', '月', '天', '日']))
            .then(|| format!("判{years}年，缓刑{probation}年"))
    })
}

fn say<'t>(found: &'t Captures<'_>, name: &str) -> &'t str {
    found.name(name).map_or("", |m| m.as_str())
}

fn part(found: &Captures<'_>, name: &str) -> Option<f64> {
    found.name(name).and_then(|m| number(m.as_str()))
}

/// Fractions and unusual decimals before a unit, as decimals. What could be "two or three" is left alone, and is later
/// seen to be no number.
fn fractions(text: &str) -> String {
    static WRITTEN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)(?:(?:(?P<w>[0-9]+|\b",
            en_number!(),
            r")(?:\s*-?and-?\s*|\s*又\s*|\s+|-))?(?P<n>[0-9]{1,2})\s*/\s*(?P<d>[0-9]{1,2})|(?:\b(?P<w2>",
            en_number!(),
            r")\s*(?:and\s*)?)?(?P<sign>[½¼¾⅓⅔])|\b(?P<w3>",
            en_number!(),
            r")[\s-]+and[\s-]+(?P<words>(?:an?[\s-]+|one[\s-]+)?(?:half|quarter|third)|three[\s-]+quarters|two[\s-]+thirds)|\b(?P<alone>(?:an?\s+|one[\s-]+)?half|(?:an?|one)[\s-]+(?:quarter|third)|three[\s-]+quarters|two[\s-]+thirds))(?P<of>\s+of)?(?P<u>[\s-]*(?:an?\s+)?(?P<unit>years?|yrs?|months?|mths?)\b|\s*[个]?(?:年|月))"
        ))
    });
    static CHINESE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?:(?P<w>",
            zh_number!(),
            r")\s*[又零]\s*)?(?P<d>",
            zh_number!(),
            r")\s*分之\s*(?P<n>",
            zh_number!(),
            r")\s*(?P<u>年|个月)|(?P<whole>",
            zh_number!(),
            r")\s*点\s*(?P<digits>[0-9零〇一二三四五六七八九]{1,4})\s*(?P<u2>年|个月)"
        ))
    });
    static COMMAS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:(?P<w>[0-9]{1,2}),(?P<p>5|25|75)|(?P<k>[0-9]{1,3}(?:,[0-9]{3})+))(?P<u>[\s-]*(?:years?|yrs?|months?)\b|\s*(?:年|个月))",
        )
    });
    let text = replace(text, &WRITTEN, |c, before, _| {
        let whole = part(c, "w").or_else(|| part(c, "w2")).or_else(|| part(c, "w3"));
        // The end of a longer number or a date.
        if before.ends_with(['/', '.', ',', '又'])
            || before.trim_end().ends_with(|b: char| b.is_ascii_digit())
        {
            return None;
        }
        let unit = c.name("unit").map(|u| u.as_str().to_lowercase());
        let share = if let (Some(n), Some(d)) = (part(c, "n"), part(c, "d")) {
            let several = whole.is_none() && n >= 2.0 && unit.as_ref().is_none_or(|u| u.ends_with('s'));
            // "2/3 years" may be two or three of them.
            if !(n > 0.0 && n < d) || (several && (d - n - 1.0).abs() < 0.5) {
                return None;
            }
            n / d
        } else {
            let sign = c.name("sign").or_else(|| c.name("words")).or_else(|| c.name("alone"))?;
            let words = sign.as_str().to_lowercase();
            match words.as_str() {
                "½" => 0.5,
                "¼" => 0.25,
                "¾" => 0.75,
                "⅓" => 1.0 / 3.0,
                "⅔" => 2.0 / 3.0,
                w if w.starts_with("three") => 0.75,
                w if w.starts_with("two") => 2.0 / 3.0,
                w if w.ends_with("half") => 0.5,
                w if w.ends_with("quarter") => 0.25,
                _ => 1.0 / 3.0,
            }
        };
        // "A third year" is an ordinal, "a third of a year" is not.
        let halves = c.name("alone").is_none_or(|w| w.as_str().to_lowercase().ends_with("half"));
        if !halves && c.name("of").is_none() {
            return None;
        }
        let u = unit.map_or_else(|| say(c, "u").to_owned(), |u| format!(" {u}"));
        Some(format!("{}{u}", whole.unwrap_or(0.0) + share))
    });
    let text = replace(&text, &CHINESE, |c, _, _| {
        if let (Some(d), Some(n)) = (part(c, "d"), part(c, "n")) {
            let whole = if c.name("w").is_some() { part(c, "w")? } else { 0.0 };
            return (n > 0.0 && n < d).then(|| format!("{}{}", whole + n / d, say(c, "u")));
        }
        let digits: Option<String> = c
            .name("digits")?
            .as_str()
            .chars()
            .map(|d| number(&d.to_string()).map(|n| n.to_string()))
            .collect();
        Some(format!("{}.{}{}", part(c, "whole")?, digits?, say(c, "u2")))
    });
    replace(&text, &COMMAS, |c, before, _| {
        if before.ends_with(|b: char| b.is_ascii_digit() || matches!(b, '.' | ',')) {
            return None;
        }
        let number = match (c.name("w"), c.name("p"), c.name("k")) {
            (Some(w), Some(p), _) => format!("{}.{}", w.as_str(), p.as_str()),
            (.., Some(k)) => k.as_str().replace(',', ""),
            _ => return None,
        };
        Some(format!("{number}{}", say(c, "u")))
    })
}

/// Units that stand in a label, or in brackets after the number, put after the number.
fn labels(text: &str) -> String {
    static BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)(?P<n>",
            zh_number!(),
            r"|\b",
            en_number!(),
            r")\s*[(（\[]\s*(?P<u>years?|months?|年|个?月)\s*[)）\]]"
        ))
    });
    static IN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)(?:[(（\[]\s*(?:in\s+|单位\s*[:：]?\s*)?(?P<u>years?|months?|年|个?月)\s*[)）\]]|\bin\s+(?P<u2>years|months))\s*(?:[:：=|]|\bis\b|为)\s*(?P<n>(?:",
            zh_number!(),
            r"|",
            en_number!(),
            r")(?:\s*(?:-|~|to|至|到|or|或)\s*(?:",
            zh_number!(),
            r"|",
            en_number!(),
            r"))?)"
        ))
    });
    static LABEL: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)(?:\b(?P<u>years?|months?)(?:\s*\(s\))?(?P<q>\s+(?:of|in)(?:\s+[a-z]+){1,3}?)?\s*(?:[:：=|]|\bis\b)|(?P<edge>^|[\s,，;；、|（(:：]|刑期)(?P<u2>[年月]数?)\s*[:：=|])\s*(?P<n>(?:",
            zh_number!(),
            r"|",
            en_number!(),
            r")(?:\s*(?:-|~|to|至|到|or|或)\s*(?:",
            zh_number!(),
            r"|",
            en_number!(),
            r"))?)"
        ))
    });
    static IN_FRONT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?P<edge>[:：,，;；|(\n]\s*|^\s*)(?P<u>years?|months?)\s+(?P<n>[0-9]{1,3}(?:\.[0-9]+)?)\b",
        )
    });
    static JOINED: LazyLock<Regex> = LazyLock::new(|| {
        pattern("(?P<y>[0-9一二三四五六七八九十两a-z]\\s*(?:years?|年))[\\s,，;；、|-]{1,8}\u{1}")
    });
    let text = replace(text, &BRACKETS, |c, _, _| Some(format!("{}{}", say(c, "n"), unit(say(c, "u")))));
    let text = replace(&text, &IN, |c, _, after| {
        let u = c.name("u").or_else(|| c.name("u2"))?.as_str();
        (!has_unit(after)).then(|| format!(": {}{}", say(c, "n"), unit(u)))
    });
    let text = replace(&text, &LABEL, |c, before, after| {
        let edge = c.name("edge").map_or("", |m| m.as_str());
        if (edge.is_empty() && !opens(before)) || has_unit(after) {
            return None;
        }
        let u = c.name("u").or_else(|| c.name("u2"))?.as_str();
        let q = c.name("q").map_or(String::new(), |q| format!("{}: ", q.as_str().trim()));
        Some(format!("{edge}{q}{}{}{}", mark(u), say(c, "n"), unit(u)))
    });
    let text = replace(&text, &IN_FRONT, |c, _, after| {
        if has_unit(after) {
            return None;
        }
        let u = c.name("u")?.as_str();
        Some(format!("{}{}{}{}", say(c, "edge"), mark(u), say(c, "n"), unit(u)))
    });
    if !text.contains(LABELLED) {
        return text;
    }
    JOINED.replace_all(&text, "$y ").replace(LABELLED, "")
}

fn mark(unit: &str) -> &'static str {
    if unit.contains('月') || unit.to_lowercase().starts_with('m') { "\u{1}" } else { "" }
}

fn unit(unit: &str) -> &'static str {
    match unit {
        u if u.contains('月') => "个月",
        u if u.contains('年') => "年",
        u if u.to_lowercase().starts_with('m') => " months",
        _ => " years",
    }
}

/// Whether a label can begin here: `Years: 3`, "prison years: 3"; not "this month: 3 thefts", not "2 years: …".
fn opens(before: &str) -> bool {
    static OPENS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:^|[:：;；,，|.(（\n•-]|\b(?:prison|imprisonment|sentence|jail|term|total|number\s+of|fixed|custodial|in)|(?:years?|年)(?:\s*\(s\))?\s*[:：=|]\s*[0-9.]{1,4}\s)\s*$",
        )
    });
    OPENS.is_match(before)
}

/// Whether a number has a unit of its own.
fn has_unit(after: &str) -> bool {
    static UNIT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:\s*[(-]?\s*(?:years?|yrs?|months?|mths?|weeks?|days?)\b|\s*[年个月日天%周]|[0-9]|[.,/][0-9]|\s*[,、/]\s*[0-9]{1,3}\b)(?P<label>(?:\s*\(s\))?数?\s*[:：=|])?",
        )
    });
    // What is followed by a colon is the next label.
    UNIT.captures(after).is_some_and(|c| c.name("label").is_none())
}
