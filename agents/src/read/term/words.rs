//! Terms in running text: every mention with what the words around it make of it, and the one that counts.

use std::sync::LazyLock;

use regex::Regex;

use super::number::{duration, number, whole_months};
use super::object::of_number;
use super::{Stage, TermClass, TermKind, TermReading, What};
use crate::read::{pattern, unboxed};

/// How much a mention weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// The statute's range, or another bound.
    Bound,
    /// What a party asks for.
    Party,
    /// A duration without a word that says what it is.
    Bare,
    /// Named as a penalty.
    Penalty,
    /// Decided.
    Decided,
    /// The combined term.
    Combined,
}

#[derive(Debug, Clone)]
struct Mention {
    start: usize,
    end: usize,
    what: What,
    kind: Option<TermKind>,
    weight: Weight,
}

macro_rules! zh_number {
    () => {
        r"(?:[0-9]+(?:\.[0-9]+)?|[零〇一二三四五六七八九十百廿卅两兩壹贰叁肆伍陆柒捌玖拾]+)"
    };
}

macro_rules! en_number {
    () => {
        r"(?:[0-9]+(?:\.[0-9]+)?|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)(?:[\s-]+(?:hundred\s+and|hundred|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b)*)"
    };
}

static ZH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?:(?P<y>",
        zh_number!(),
        r")\s*年(?P<yh>半)?(?:\s*[零又另加和]?\s*(?P<ym>",
        zh_number!(),
        r")\s*[个個]?\s*(?P<ymh>半)?月(?P<ymh2>半)?|\s*[零又]\s*(?P<yhm>半[个個]?月))?|(?P<hy>半年)|(?P<m>",
        zh_number!(),
        r")\s*[个個]\s*(?P<mh>半)?月(?P<mh2>半)?|(?:徒刑|拘役|管制|刑期)\s*[:：为是]?\s*(?P<sm>",
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
        r"|an?)(?:\s*\(\s*[0-9a-z]+(?:[\s-][a-z]+)?\s*\))?(?P<yh>[\s-]+and[\s-]+a[\s-]+half|½)?[\s-]*(?:years?|yrs?|y)\b'?(?P<yh2>\s+and\s+a\s+half\b)?(?:(?:\s*,)?(?:\s*(?:and|&)\s+|\s*)(?P<ym>",
        en_number!(),
        r")(?:\s*\(\s*[0-9a-z]+(?:[\s-][a-z]+)?\s*\))?[\s-]*(?:months?|mths?|mos?|m)\b'?)?|\b(?P<hy>half\s+a\s+year)\b|\b(?P<m>",
        en_number!(),
        r"|an?)(?:\s*\(\s*[0-9a-z]+(?:[\s-][a-z]+)?\s*\))?(?P<mh>[\s-]+and[\s-]+a[\s-]+half|½)?[\s-]*(?:months?|mths?|mos)\b'?)(?:(?:\s*,)?(?:\s*and\s+|\s*)(?P<d>",
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
        r")(?:\s*\(\s*[0-9a-z]+\s*\))?\s*(?P<join>至|到|或|[-~]+|\bto\b|\band\b|\bor\b)\s*$"
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

/// A bound that follows, with whether it is an upper one.
static BOUND_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:(?P<hi>以下|以内|之内|or\s+(?:less|under|below))|(?:以上|or\s+(?:more|over|above)|and\s+above))",
    )
});
static BOUND_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:(?P<hi>不超过|不多于|至多|最高|最多|不满|低于|up\s+to|not\s+exceed(?:ing)?|no(?:t)?\s+more\s+than|at\s+most|maximum(?:\s+(?:term|sentence|of))*|extend\s+to|less\s+than|under)|不低于|不少于|至少|最低|超过|高于|not?\s+less\s+than|at\s+least|minimum(?:\s+(?:term|sentence|of))*|more\s+than|over|exceeding)\s*(?:为|是|可?判处?|可?处|of|is|a\s+term\s+of|有期徒刑)?\s*$",
    )
});

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

/// Ends of sentences.
static SENTENCE_END: LazyLock<Regex> = LazyLock::new(|| pattern(r"[。！？；;!?\n]|\.(?:\s|$)"));
/// Ends of clauses.
static CLAUSE_END: LazyLock<Regex> = LazyLock::new(|| pattern(r"[。！？；;!?\n，,、（）()]|\.(?:\s|$)"));

/// What makes a duration no term, if nothing nearer says otherwise.
static EXCLUDE_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)缓刑|缓期|考验|羁押|拘留|折抵|政治权利|减刑|减去|减少|减轻|增加|扣除|工作|从业|结婚|时效|年龄|已执行|已服|剩余|余刑|假释|基准刑|量刑起点|起点刑|起点|相距|历时|长达|驾驶证|从业禁止|\bcustody\b|\bremand(?:ed)?\b|\bdetained\b|\bserved\b|\bserving\b|\bprobation|\bsuspended\s+for\b|\bsuspended\b.*\bfor\b|\bsupervis|\baged?\b|\bmarried\b|\bemploy|\bexperience|\blimitation|\bparole|\bdefault\b|\bdisqualif|\blicen[cs]e|\bworked\b|\blived\b|\bcredit\b|\breduc|\bincreas|\bdeduct|\bsince\b|\bwithin\b|\bover\s+the\b|\bstarting\s+point\b",
    )
});
static EXCLUDE_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:前|后|之前|之后|以前|以来|内|间|来|的?考验|的?缓刑|缓刑考验|-?\s*old\b|ago\b|of\s+age\b|(?:of|on|in)\s+(?:supervised\s+)?(?:probation|custody|remand|parole|release|experience)\b|probation|later\b|earlier\b|before\b|after\b|reprieve\b)",
    )
});
/// What makes a whole clause no answer, however near the penalty's name.
static EXCLUDE_CLAUSE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)总和刑期|刑期总和|合计刑期|刑满|原判|\bpleaded\b|\bpleads\b|\bplea\b"));
/// Earlier convictions, up to the next word that turns back to this case.
static PRIOR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)曾因|前科|曾于|曾被|因前罪|\b(?:previous(?:ly)?|prior|earlier)\s+(?:\w+\s+)?(?:convict|sentence)|\bhad\s+been\s+(?:convicted|sentenced)",
    )
});
static PARTY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)公诉机关|公诉人|检察院|检察机关|辩护人|辩护律师|辩称|被害人请求|\bprosecut(?:ion|or)\b|\bdefen[cs]e\b|\bcounsel\b|\bvictim\b",
    )
});
static RESET: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)本院|法院|合议庭|现|综上|判决如下|决定|因此|但是|最终|本案|应判|\bcourt\b|\bbench\b|\bjudge\b|\bI\b|\btherefore\b|\bhowever\b|\bnow\b|\bfinal",
    )
});
/// After these words comes the conclusion.
static CONCLUDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)综上|因此|所以|最终|改判|判决如下|结论|答案|本院认为|宣告刑|综合(?:考虑|以上|全案)|\btherefore\b|\bthus\b|\bhence\b|\baccordingly\b|\bin\s+conclusion\b|\bfinal(?:ly)?\b|\banswer\s*[:：]|\bconclusion\b|\ball\s+things\s+considered\b",
    )
});
static COMBINED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)决定执行|合并执行|并罚[^。；]{0,8}执行|共执行|实际执行|应执行|\b(?:total|aggregate|combined|overall|effective|cumulative)\b",
    )
});
static DECIDED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)判处|应判|判决|改判|科处|量处|建议|刑期\s*[\]】]?\s*[:：为是]?\s*$|宣告刑|\bsentenced\b|\bsentences\b|\bimpos|\bpropos|\brecommend|\baward|\border|\bdecide|\b(?:sentence|term|months|answer|punishment)\s*(?:[:=]|is\b|of\b|should\s+be\b|would\s+be\b)",
    )
});
static PENALTY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)有期徒刑|拘役|管制|刑期|徒刑|\bsentence|\bimprison|\bprison\b|\bjail\b|\bterm\b|\bincarcerat|\bcustodial\b|\bdetention\b|\bsurveillance\b",
    )
});
/// The words of a statute: alternatives and bounds.
static STATUTE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)以上|以下|或者|可以?判处?|可以?处|punishable|shall\s+be\s+punished|shall\s+also|may\s+extend|liable\s+to|\bor\s+with\b|\bor\s+imprisonment\b",
    )
});
static CLASS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?P<reprieve>死刑[，,、\s（(]*(?:并|同时)?(?:宣告)?缓期|死缓|suspended\s+death|death\s+(?:sentence|penalty)?[^.;]{0,20}(?:reprieve|suspen)|sentenced?\s+to\s+death[^.;]{0,30}(?:reprieve|suspen))|(?P<death>死刑|sentenced?\s+to\s+death|death\s+(?:sentence|penalty)|capital\s+punishment|death\s+by\s+hanging|hang(?:ed|ing)?\s+(?:by\s+the\s+neck|till|until)|be\s+hanged\b|put\s+to\s+death)|(?P<life>无期(?:徒刑)?|(?:remainder|rest)\s+of\s+(?:his|her|their|the\s+accused's)\s+(?:natural\s+)?life|终身监禁|life\s+imprisonment|imprisonment\s+for\s+life|life\s+sentence|life\s+in\s+prison|sentenced?\s+to\s+life)|(?P<acquittal>无罪|acquit(?:s|ted|tal)?\b|not\s+guilty)|(?P<exempt>免(?:予|于|除|去)(?:其)?(?:刑事)?(?:处罚|处分|刑罚)|免刑|exempt(?:ed|ion)?\s+from\s+(?:criminal\s+)?(?:punishment|penalty))",
    )
});
static NEGATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:不|未|非|无需|没有|排除|不予|不能|不应|不宜|尚不|不构成|不认定为|\bnot\b|n't\b|\bno\b|\bwithout\b|\brather\s+than\b|\binstead\s+of\b|\bneither\b|\bnor\b|\bavoid\w*\b)[^，。；,.;]{0,12}$",
    )
});
/// The term that is not meant: "3 years, not 4 years".
static INSTEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:而非|而不是|并非|不是|\bnot|\brather\s+than|\binstead\s+of)\s*(?:有期徒刑|for|of|the|an?)?\s*$",
    )
});
static NO_CLASS_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\s*(?:辩护|推定|意见|供述|主张|的?辩解|plea|的人|后果|限|不当|不妥|不宜|过重|畸重|(?:is|was|would\s+be)\s+(?:not|too|excessive|unwarranted))",
    )
});
static LENIENCY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)可以|或者?[^，。；]{0,4}$|减轻[、或]|\bmay\b|\bcould\b|\bmight\b"));

/// How far, in bytes, the words around a mention are looked at: longer than any sentence that names a penalty, and a
/// bound on the time that hostile input can take.
const REACH: usize = 1_200;

/// Where the text before `at` last ended a sentence or clause.
fn start_of(ends: &Regex, text: &str, at: usize) -> usize {
    let from = text.floor_char_boundary(at.saturating_sub(REACH));
    text.get(from..at).map_or(at, |before| ends.find_iter(before).last().map_or(from, |m| from + m.end()))
}

/// Where the text from `at` on next ends a sentence or clause.
fn end_of(ends: &Regex, text: &str, at: usize) -> usize {
    let to = text.ceil_char_boundary(at.saturating_add(REACH));
    text.get(at..to).and_then(|after| ends.find(after)).map_or(to, |m| at + m.start())
}

/// The few words just before `at`, for patterns that end there.
fn just_before(text: &str, at: usize) -> &str {
    text.get(text.floor_char_boundary(at.saturating_sub(60))..at).unwrap_or_default()
}

/// The words after the last turn back to the case at hand.
fn since_reset(text: &str) -> &str {
    RESET.find_iter(text).last().and_then(|m| text.get(m.start()..)).unwrap_or(text)
}

fn last(regex: &Regex, text: &str) -> Option<usize> {
    regex.find_iter(text).last().map(|m| m.end())
}

pub(super) fn of_text(text: &str) -> TermReading {
    static SHORT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b([0-9]{1,2})\s*y\s*([0-9]{1,2})\s*m\b"));
    let text = unboxed(text);
    let text = SHORT.replace_all(&text, "$1 years $2 months");
    let text = text.as_ref();
    static BARE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^[\s*`#.\[【]*(?:(?:final\s+)?(?:answer|term|sentence|months|prison\s+term|刑期|答案|月数)[\]】]?\s*(?:\(months?\))?\s*[:：=]?)?[\s*]*([0-9]{1,4})(?:\.0+)?\s*(?:\(months?\))?[\s*`.。]*$",
        )
    });
    if let Some(n) = BARE.captures(text).and_then(|c| c.get(1)).and_then(|m| m.as_str().parse::<f64>().ok()) {
        let mut reading = of_number(n, Stage::Pattern);
        reading.notes.push("a number alone, read as months".to_owned());
        return reading;
    }
    static MONTHS: LazyLock<Regex> =
        LazyLock::new(|| pattern(concat!(r"^\s*(", zh_number!(), r")\s*月[。.]?\s*$")));
    if let Some(n) = MONTHS.captures(text).and_then(|c| c.get(1)).and_then(|m| number(m.as_str())) {
        return of_number(n, Stage::Pattern);
    }
    let text: String = text.chars().filter(|c| !matches!(c, '*' | '`' | '#')).collect();
    let mut mentions = durations(&text);
    mentions.extend(classes(&text));
    mentions.sort_by_key(|m| m.start);
    choose(&text, &mentions)
}

/// The mention that counts, if there is one.
fn choose(text: &str, mentions: &[Mention]) -> TermReading {
    let concluding: Vec<usize> = CONCLUDE.find_iter(text).map(|c| c.start()).collect();
    let section = |m: &Mention| concluding.partition_point(|at| *at <= m.start);
    let named: Vec<&Mention> =
        mentions.iter().filter(|m| m.weight >= Weight::Penalty && m.weight < Weight::Combined).collect();
    let of_weight = |w: Weight| mentions.iter().filter(|m| m.weight == w).collect::<Vec<_>>();
    let combined = of_weight(Weight::Combined);
    let mut chosen = if !combined.is_empty() {
        combined
    } else if !named.is_empty() {
        // What is named as a penalty after the last concluding word that has one; there, what is decided.
        let latest = named.iter().map(|m| section(m)).max().unwrap_or(0);
        let here: Vec<_> = named.into_iter().filter(|m| section(m) == latest).collect();
        let top = here.iter().map(|m| m.weight).max().unwrap_or(Weight::Bare);
        here.into_iter().filter(|m| m.weight == top).collect()
    } else {
        let bare = of_weight(Weight::Bare);
        let latest = bare.iter().map(|m| section(m)).max().unwrap_or(0);
        let bare: Vec<_> = bare.into_iter().filter(|m| section(m) == latest).collect();
        [bare, of_weight(Weight::Party), of_weight(Weight::Bound)]
            .into_iter()
            .find(|group| !group.is_empty())
            .unwrap_or_default()
    };
    chosen.dedup_by_key(|m| m.what);
    if let [a, b] = chosen.as_slice()
        && let (What::Range(lo, None), What::Range(0, Some(hi)))
        | (What::Range(0, Some(hi)), What::Range(lo, None)) = (a.what, b.what)
        && lo <= hi
    {
        // "At least 6 months but not more than 2 years": the two ends of one range.
        let mut reading = TermReading::of(What::Range(lo, Some(hi)), a.kind.or(b.kind), Stage::Pattern);
        reading.notes.push("a bound, no decision".to_owned());
        return reading;
    }
    let Some(first) = chosen.first() else { return TermReading::nothing("no term in the text") };
    if chosen.iter().any(|m| m.what != first.what) {
        let list: Vec<String> =
            chosen.iter().filter_map(|m| text.get(m.start..m.end)).map(str::to_owned).collect();
        return TermReading::nothing(format!(
            "several terms, none of them the combined one: {}",
            list.join("; ")
        ));
    }
    let kind = chosen.iter().find_map(|m| m.kind);
    let mut reading = TermReading::of(first.what, kind, Stage::Pattern);
    if first.weight == Weight::Party {
        reading.notes.push("proposed by a party".to_owned());
    }
    if first.weight == Weight::Bound {
        reading.notes.push("a bound, no decision".to_owned());
    }
    reading
}

/// All durations with what they are; those that are no terms are left out.
fn durations(text: &str) -> Vec<Mention> {
    let dates: Vec<_> = DATE.find_iter(text).map(|m| m.range()).collect();
    let in_date = |at: usize| {
        let next = dates.partition_point(|d| d.start <= at);
        next.checked_sub(1).and_then(|i| dates.get(i)).is_some_and(|d| at < d.end)
    };
    let mut raw: Vec<(usize, usize, What)> = Vec::new();
    for regex in [&*ZH, &*EN] {
        for found in regex.captures_iter(text) {
            let Some(all) = found.get(0) else { continue };
            // Only from its start on: 三年六月十日 is a term, though 六月十日 alone is a day.
            if in_date(all.start()) {
                continue;
            }
            if let Some(what) = duration(&found) {
                raw.push((all.start(), all.end(), what));
            }
        }
    }
    raw.sort_by_key(|r| r.0);
    let mut mentions = Vec::new();
    let mut previous_end = 0;
    let mut items = raw.into_iter().peekable();
    while let Some((mut start, mut end, mut what)) = items.next() {
        let near = just_before(text, start);
        let offset = start - near.len();
        let mut bound = false;
        // "12 to 18 months": the first number has the second one's unit.
        if let (What::Fixed { months: hi, days: 0 }, Some(first)) = (what, FIRST_OF_RANGE.captures(near)) {
            let digits = text.get(start..end).unwrap_or_default().to_lowercase();
            let months_only = !IN_YEARS.is_match(&digits);
            let between = |m: &regex::Match<'_>| near.get(..m.start()).is_some_and(|t| BETWEEN.is_match(t));
            let and = first.name("join").is_some_and(|j| j.as_str().eq_ignore_ascii_case("and"));
            let n = first.name("n").filter(|m| offset + m.start() >= previous_end && (!and || between(m)));
            let lo = n
                .and_then(|m| number(m.as_str()))
                .and_then(|n| whole_months(if months_only { n } else { n * 12.0 }));
            if let (Some(m), Some((lo, 0))) = (n, lo)
                && lo <= hi
            {
                start = offset + m.start();
                what = What::Range(lo, Some(hi));
            }
        } else if let Some((next_start, next_end, What::Fixed { months: hi, .. })) = items.peek().copied() {
            let gap = text.get(end..next_start).filter(|gap| gap.len() <= 60).unwrap_or(".");
            let joined = JOINS.is_match(gap) && (!gap.contains("and") || BETWEEN.is_match(near));
            let bounds = gap.trim() == "以上" && text.get(next_end..).is_some_and(|t| t.starts_with("以下"));
            if let What::Fixed { months: lo, .. } = what
                && (joined || bounds)
                && lo <= hi
            {
                items.next();
                end = next_end;
                what = What::Range(lo, Some(hi));
                bound = bounds;
            }
        }
        if let Some(mention) = weigh(text, previous_end, start, end, what, bound) {
            mentions.push(mention);
        }
        previous_end = end;
    }
    mentions
}

/// What the words around a duration make of it.
fn weigh(
    text: &str,
    previous_end: usize,
    start: usize,
    end: usize,
    what: What,
    bound: bool,
) -> Option<Mention> {
    let clause_start = start_of(&CLAUSE_END, text, start).max(previous_end.min(start));
    let before = text.get(clause_start..start)?;
    let own = text.get(start..end)?;
    let after_all = text.get(end..text.ceil_char_boundary(end + 60))?;
    let after = text.get(end..end_of(&CLAUSE_END, text, end))?;
    let sentence = text.get(start_of(&SENTENCE_END, text, start)..start)?;
    let since = since_reset(sentence);
    if EXCLUDE_AFTER.is_match(after_all) && !BOUND_AFTER.is_match(after_all) {
        return None;
    }
    if EXCLUDE_CLAUSE.is_match(before) || PRIOR.is_match(since) || INSTEAD.is_match(before) {
        return None;
    }
    if let Some(excluded) = last(&EXCLUDE_BEFORE, before)
        && last(&PENALTY, before).is_none_or(|named| named < excluded)
    {
        return None;
    }
    let kind = kind_of(before, after, own);
    let mut what = what;
    let mut bound = bound;
    if let What::Fixed { months, .. } = what {
        let sided = BOUND_AFTER.captures(after_all).or_else(|| BOUND_BEFORE.captures(before));
        if let Some(sided) = sided {
            bound = true;
            what = match sided.name("hi") {
                Some(_) => What::Range(0, Some(months)),
                None => What::Range(months, None),
            };
        }
    }
    let weight = if bound {
        Weight::Bound
    } else if COMBINED.is_match(before) {
        Weight::Combined
    } else if PARTY.is_match(since) {
        Weight::Party
    } else if DECIDED.is_match(before) {
        Weight::Decided
    } else if PENALTY.is_match(before) || PENALTY.is_match(after) || PENALTY.is_match(own) {
        Weight::Penalty
    } else {
        Weight::Bare
    };
    Some(Mention { start, end, what, kind, weight })
}

fn kind_of(before: &str, after: &str, own: &str) -> Option<TermKind> {
    static KIND: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?P<d>拘役|criminal\s+detention)|(?P<s>管制|public\s+surveillance)|(?P<i>徒刑|\bimprison|\bprison\b|\bjail\b|\bincarcerat)",
        )
    });
    let near =
        KIND.captures(own).or_else(|| KIND.captures_iter(before).last()).or_else(|| KIND.captures(after))?;
    Some(if near.name("d").is_some() {
        TermKind::Detention
    } else if near.name("s").is_some() {
        TermKind::Surveillance
    } else {
        TermKind::Imprisonment
    })
}

/// Mentions of acquittal, exemption, life and death.
fn classes(text: &str) -> Vec<Mention> {
    let mut mentions = Vec::new();
    for found in CLASS.captures_iter(text) {
        let Some(all) = found.get(0) else { continue };
        let class = if found.name("reprieve").is_some() {
            TermClass::DeathWithReprieve
        } else if found.name("death").is_some() {
            TermClass::Death
        } else if found.name("life").is_some() {
            TermClass::Life
        } else if found.name("acquittal").is_some() {
            TermClass::Acquittal
        } else {
            TermClass::Exempt
        };
        let (start, end) = (all.start(), all.end());
        let before = text.get(start_of(&CLAUSE_END, text, start)..start).unwrap_or_default();
        let sentence = text.get(start_of(&SENTENCE_END, text, start)..start).unwrap_or_default();
        let since = since_reset(sentence);
        let rest = text.get(end..end_of(&SENTENCE_END, text, end)).unwrap_or_default();
        let until = RESET.find(rest).and_then(|m| rest.get(..m.start())).unwrap_or(rest);
        if NEGATED.is_match(before)
            || NO_CLASS_AFTER.is_match(rest)
            || EXCLUDE_CLAUSE.is_match(before)
            || PRIOR.is_match(since)
            || (class == TermClass::Exempt && LENIENCY.is_match(before))
            || STATUTE.is_match(since)
            || STATUTE.is_match(until)
        {
            continue;
        }
        let weight = if COMBINED.is_match(before) {
            Weight::Combined
        } else if PARTY.is_match(since) {
            Weight::Party
        } else if DECIDED.is_match(before) {
            Weight::Decided
        } else {
            Weight::Penalty
        };
        mentions.push(Mention { start, end, what: What::Class(class), kind: None, weight });
    }
    mentions
}
