//! Durations in running text: where each stands, how long it is, and what its neighbours do to it.

use std::sync::LazyLock;

use regex::Regex;

use super::What;
use super::change::{self, CHANGED_AFTER, FROM_BEFORE};
use super::context::{Dropped, Lead, Mention, just_before, weigh};
use super::number::{duration, number, whole_months};
use crate::read::pattern;

macro_rules! zh_number {
    () => {
        r"(?:[0-9]+(?:\.[0-9]+)?|[零〇一二三四五六七八九十百廿卅两兩壹贰叁肆伍陆柒捌玖拾]+)"
    };
}
macro_rules! en_number {
    () => {
        r"(?:[0-9]+(?:\.[0-9]+)?|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)\b(?:[\s-]+(?:hundred\s+and|hundred|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b)*)"
    };
}
pub(super) use {en_number, zh_number};

static ZH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?:(?P<y>",
        zh_number!(),
        r")\s*年(?P<yh>半)?(?:\s*[零又另加和]?\s*(?P<ym>",
        zh_number!(),
        r")\s*[个個]?\s*(?P<ymh>半)?月(?P<ymh2>半)?|\s*[零又]\s*(?P<yhm>半[个個]?月))?|(?P<hy>半年)|(?P<m>",
        zh_number!(),
        r")\s*[个個]\s*(?P<mh>半)?月(?P<mh2>半)?|(?:徒刑|拘役|管制|刑期|惩役|禁锢)[\]】]?\s*[:：为是]?\s*(?P<sm>",
        zh_number!(),
        r")\s*月)(?:\s*[零又]?\s*(?P<d>",
        zh_number!(),
        r")\s*[日天])?"
    ))
});

static EN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:\b(?P<y>",
        en_number!(),
        r"|an?)(?:\s*\(\s*[0-9a-z]+(?:[\s-][a-z]+)?\s*\))?(?P<yh>[\s-]+and[\s-]+a[\s-]+half|½)?[\s-]*(?:years?|yrs?|y)\b'?(?P<yh2>\s+and\s+(?:a|one)[\s-]half\b)?(?:(?:\s*,)?(?:\s*(?:and|&)\s+|\s*|-)(?P<ym>",
        en_number!(),
        r")(?:\s*\(\s*[0-9a-z]+(?:[\s-][a-z]+)?\s*\))?[\s-]*(?:months?|mths?|mos?|m)\b'?)?|\b(?P<hy>half\s+a\s+year)\b|\b(?P<m>",
        en_number!(),
        r"|an?)(?:\s*\(\s*[0-9a-z]+(?:[\s-][a-z]+)?\s*\))?(?P<mh>[\s-]+and[\s-]+a[\s-]+half|½)?[\s-]*(?:months?|mths?|mos?)\b'?)(?:(?:\s*,)?(?:\s*and\s+|\s*)(?P<d>",
        en_number!(),
        r")[\s-]*days?\b)?"
    ))
});

/// A shared unit: the first number of "12 to 18 months".
static FIRST_OF_RANGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?P<n>",
        zh_number!(),
        "|",
        r"\b",
        en_number!(),
        r")(?:\s*\(\s*[0-9a-z]+\s*\))?\s*(?P<join>至|到|或|、|[-~]+|\bto\b|\band\b|\bor\b)\s*$"
    ))
});

static JOINS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:的?有期徒刑|的?拘役)?\s*(?:至|到|[-~]+|(?:up\s+)?to|and|或者?|or)\s*(?:有期徒刑|拘役)?\s*$",
    )
});
/// A unit of years: "twenty-four months" has a y, too.
static IN_YEARS: LazyLock<Regex> = LazyLock::new(|| pattern(r"年|years?\b|yrs?\b|[0-9]\s*y\b"));
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bbetween\s*$"));

static DATE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?:[12][0-9]{3}|[一二][〇零一二三四五六七八九○]{3})\s*年(?:\s*",
        zh_number!(),
        r"\s*月(?:份|\s*",
        zh_number!(),
        r"\s*[日号])?)?|",
        zh_number!(),
        r"\s*月\s*",
        zh_number!(),
        r"\s*[日号]"
    ))
});

static NUMBERED_YEAR: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[0-9]{1,3}\.(?:19|20)[0-9]{2}\s*年"));

/// What shows that a match is only the end of a longer number, or no count at all: 三千个月, 第三年, "1/2/3 years".
static PART_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:[0-9][,./×]|[千万亿又点几数多]|分之|[零〇一二三四五六七八九十百廿卅两]\s*[个個]?)$")
});
static ORDINAL_BEFORE: LazyLock<Regex> = LazyLock::new(|| pattern(r"第\s*$"));
/// What shows that the length is not exact, or that the end is missing: 一年多, 三年六.
static PART_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^(?:\s*(?:多|有?余|出头|挂零|又|零|点|分之|\+|-\s*odd\b|odd\b|or\s+two\b)|[ \t]*",
        zh_number!(),
        r"[ \t]*[个個]?[ \t]*(?:$|[。，；、,;）)]))"
    ))
});
/// "3 years and 6 months respectively": two terms, not one.
static RESPECTIVELY: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^[^.;\n]{0,60}\brespectively\b"));
/// The same term once more, in brackets: 三年（36个月）.
static RESTATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^[^\S\n]*[(（]\s*(?:即|合|折合|也就是|i\.e\.,?|ie\b|that\s+is,?|or|equals|=)?\s*$")
});
static CLOSED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*[)）]"));

/// A duration as found, before its surroundings are looked at.
#[derive(Debug, Clone, Copy)]
struct Raw {
    start: usize,
    end: usize,
    what: What,
}

/// All durations with what they are; those that are no terms are left out.
pub(super) fn durations(text: &str) -> Vec<Mention> {
    let raw = restated(text, mixed(text, found(text)));
    let mut mentions: Vec<Mention> = Vec::new();
    let mut lead = Lead::default();
    let mut items = raw.into_iter().peekable();
    while let Some(mut item) = items.next() {
        let near = just_before(text, item.start);
        let offset = item.start - near.len();
        let mut bound = false;
        let beyond = text.get(item.end..text.ceil_char_boundary(item.end + 120)).unwrap_or_default();
        let change = change::changed_by_to(near, beyond);
        let changed = change || FROM_BEFORE.is_match(near) || change::changed_by(near);
        // "12 to 18 months": the first number has the second one's unit.
        if let (What::Fixed { months: hi, days: 0 }, Some(first)) = (item.what, FIRST_OF_RANGE.captures(near))
        {
            let digits = text.get(item.start..item.end).unwrap_or_default().to_lowercase();
            let months_only = !IN_YEARS.is_match(&digits);
            let between = |m: &regex::Match<'_>| near.get(..m.start()).is_some_and(|t| BETWEEN.is_match(t));
            let join = first.name("join").map_or("", |j| j.as_str());
            let and = join.eq_ignore_ascii_case("and");
            // 三、四年 is about three or four; "一、五年" is the first item of a list.
            let listed = |lo: u32| join == "、" && hi != lo + if months_only { 1 } else { 12 };
            let n = first.name("n").filter(|m| offset + m.start() >= lead.end && (!and || between(m)));
            let lo = n
                .and_then(|m| number(m.as_str()))
                .and_then(|n| whole_months(if months_only { n } else { n * 12.0 }));
            if let (Some(m), Some((lo, 0))) = (n, lo)
                && lo <= hi
                && !listed(lo)
            {
                item.start = offset + m.start();
                item.what = What::Range(lo, Some(hi));
            }
        } else if let Some(next) = items.peek().copied() {
            let gap = text.get(item.end..next.start).filter(|gap| gap.len() <= 60).unwrap_or(".");
            let joined = JOINS.is_match(gap) && (!gap.contains("and") || BETWEEN.is_match(near));
            let bounds = gap.trim() == "以上" && text.get(next.end..).is_some_and(|t| t.starts_with("以下"));
            if let (What::Fixed { months: lo, .. }, What::Fixed { months: hi, .. }) = (item.what, next.what)
                && (joined || bounds)
                && !changed
                && lo <= hi
            {
                items.next();
                item.end = next.end;
                item.what = What::Range(lo, Some(hi));
                bound = bounds;
            }
        }
        if unclear(text, item, near) {
            item.what = What::Unclear;
        }
        let after = text.get(item.end..text.ceil_char_boundary(item.end + 120)).unwrap_or_default();
        let gap = text.get(lead.end..item.start).filter(|gap| gap.len() <= 60).unwrap_or_default();
        let operand = change || CHANGED_AFTER.is_match(after) || (lead.operand && change::operand(gap));
        let mention = if operand || ORDINAL_BEFORE.is_match(near) {
            Err(Dropped::Replaced)
        } else {
            weigh(text, &lead, item.start, item.end, item.what, bound)
        };
        lead = Lead {
            end: item.end,
            // What is taken away from an operand is one itself.
            operand: operand || (lead.operand && mention.is_err()),
            weight: mention.as_ref().ok().map(|m| m.weight),
            left_out: mention.as_ref().err().copied(),
        };
        mentions.extend(mention);
    }
    mentions
}

/// Every match of the two patterns outside dates, in order.
fn found(text: &str) -> Vec<Raw> {
    let dates: Vec<_> = DATE.find_iter(text).map(|m| m.range()).collect();
    let in_date = |at: usize| {
        let next = dates.partition_point(|d| d.start <= at);
        next.checked_sub(1).and_then(|i| dates.get(i)).is_some_and(|d| at < d.end)
    };
    let mut raw = Vec::new();
    for regex in [&*ZH, &*EN] {
        for found in regex.captures_iter(text) {
            let Some(all) = found.get(0) else { continue };
            // Only from its start on: 三年六月十日 is a term, though 六月十日 alone is a day.
            if in_date(all.start()) {
                continue;
            }
            // The second item of a list: "2.2009年".
            if NUMBERED_YEAR.is_match(all.as_str()) {
                continue;
            }
            let what = duration(&found).unwrap_or(What::Unclear);
            raw.push(Raw { start: all.start(), end: all.end(), what });
        }
    }
    raw.sort_by_key(|r| r.start);
    raw
}

/// Years and months in two scripts are one duration: `3年6 months`.
fn mixed(text: &str, raw: Vec<Raw>) -> Vec<Raw> {
    let mut out: Vec<Raw> = Vec::with_capacity(raw.len());
    for item in raw {
        if let (Some(last), What::Fixed { months, days }) = (out.last_mut(), item.what)
            && let What::Fixed { months: years, days: 0 } = last.what
            && years % 12 == 0
            && months < 12
            && text.get(last.end..item.start).is_some_and(|gap| gap.trim_matches([' ', '\t']).is_empty())
            && text.get(last.start..last.end).is_some_and(|t| IN_YEARS.is_match(t))
            && text.get(item.start..item.end).is_some_and(|t| !IN_YEARS.is_match(t))
        {
            (last.end, last.what) = (item.end, What::Fixed { months: years + months, days });
            continue;
        }
        out.push(item);
    }
    out
}

/// A term with itself in brackets is one mention; with another term in brackets it contradicts itself.
fn restated(text: &str, raw: Vec<Raw>) -> Vec<Raw> {
    let mut out: Vec<Raw> = Vec::with_capacity(raw.len());
    for item in raw {
        if let Some(last) = out.last_mut()
            && text.get(last.end..item.start).is_some_and(|gap| gap.len() <= 40 && RESTATED.is_match(gap))
            && let Some(close) = text.get(item.end..).and_then(|rest| CLOSED.find(rest))
        {
            if last.what != item.what {
                last.what = What::Unclear;
            }
            last.end = item.end + close.end();
            continue;
        }
        out.push(item);
    }
    out
}

/// Whether the match is only a part of what is written there.
fn unclear(text: &str, item: Raw, near: &str) -> bool {
    let after = text.get(item.end..text.ceil_char_boundary(item.end + 80)).unwrap_or_default();
    let own = text.get(item.start..item.end).unwrap_or_default();
    // Digits are a part of more digits, words of more words.
    let digit = |t: &str| t.starts_with(|c: char| c.is_ascii_digit());
    // 36±6个月: neither of the two is the length.
    static SPREAD: LazyLock<(Regex, Regex)> = LazyLock::new(|| {
        (
            pattern(r"(?i)(?:±|\+\s*/\s*-|\bplus\s+or\s+minus\b)\s*$"),
            pattern(r"(?i)^\s*(?:±|\+\s*/\s*-|plus\s+or\s+minus\b)"),
        )
    });
    if SPREAD.0.is_match(near) || SPREAD.1.is_match(after) {
        return true;
    }
    // "3 and 5 years": two terms. "Counts 3 and 5" are counted, not served.
    static TWO: LazyLock<Regex> =
        LazyLock::new(|| pattern(concat!(r"(?i)(?P<head>^|[a-z]+|\W)\s*\b", en_number!(), r"\s+and\s+$")));
    let two = TWO.captures(near).and_then(|c| c.name("head")).is_some_and(|head| {
        let head = head.as_str().to_lowercase();
        ![
            "count", "counts", "charge", "charges", "section", "sections", "article", "articles", "between",
            "accused",
        ]
        .contains(&head.as_str())
    });
    if two && !own.contains(" and ") {
        return true;
    }
    // "4 years and Jones 2": the second has no unit.
    static ELLIPSIS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:[^\n.;]{0,40}?(?:\band|,|;)\s+(?:[A-Z][a-z]+|(?-i:the\s+(?:second|third|other|latter)(?:\s+\w+)?))(?:\s+(?:gets?|got|to))?\s+[0-9]{1,2}\s*(?:[.;,]|$)|[^\n.;]{0,40}?(?:\band|,|;)\s+[0-9]{1,2}\s+(?:for|on|to)\s+(?:the\s+)?[a-z])",
        )
    });
    if ELLIPSIS.is_match(after) {
        return true;
    }
    let part = PART_BEFORE.find(near).is_some_and(|m| digit(m.as_str()) == digit(own));
    let composed = own.contains(" and ") || own.contains('&');
    let cut = PART_AFTER.is_match(after) && !own.ends_with(['月', ')', '）']);
    part || cut || (composed && RESPECTIVELY.is_match(after))
}
