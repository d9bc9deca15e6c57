//! Prison terms, in months, out of a decision or a model's answer, in Chinese or English.
//!
//! Every duration and every class (acquittal, exemption, life, death) is found with the words around it. Words around
//! it say what it is: a date, an age, time in custody, probation and a statute's own range are no term; what the court
//! decides outweighs what a party asks for; a combined term outweighs its parts; what stands after a concluding word
//! outweighs what stands before it. Where two different terms of the same weight remain, there is no single answer.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::json::candidates;
use super::{Stage, pattern, unboxed};

/// What sort of sentence was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TermClass {
    /// A fixed term, in months.
    Fixed,
    /// Exemption from punishment: 0 months.
    Exempt,
    /// Acquittal: no term.
    Acquittal,
    /// Life imprisonment: no number of months.
    Life,
    /// Death, to be carried out.
    Death,
    /// Death with a reprieve (死刑缓期执行).
    DeathWithReprieve,
    /// From one term to another: no single answer.
    Range,
    /// Nothing that can be read as one sentence.
    None,
}

/// What a fixed term is served as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TermKind {
    /// Imprisonment (有期徒刑).
    Imprisonment,
    /// Criminal detention (拘役).
    Detention,
    /// Public surveillance (管制).
    Surveillance,
}

/// A prison term as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermReading {
    /// Months, if there is one fixed term (or 0 for an exemption).
    pub months: Option<u32>,
    /// What sort of sentence.
    pub class: TermClass,
    /// Lowest and highest months of a range; a missing lower end is 0, without a missing upper end there is no range.
    pub range: Option<(u32, u32)>,
    /// What the term is served as, if the text says so.
    pub kind: Option<TermKind>,
    /// Days beyond full months that were dropped.
    pub days_dropped: u32,
    /// How it was read.
    pub stage: Stage,
    /// What was converted, or why nothing could be read.
    pub notes: Vec<String>,
}

impl TermReading {
    fn nothing(why: impl Into<String>) -> Self {
        Self {
            months: None,
            class: TermClass::None,
            range: None,
            kind: None,
            days_dropped: 0,
            stage: Stage::NoDecision,
            notes: vec![why.into()],
        }
    }

    fn of(what: What, kind: Option<TermKind>, stage: Stage) -> Self {
        let mut reading = Self { stage, kind, notes: Vec::new(), ..Self::nothing("") };
        match what {
            What::Fixed { months: 0, days: 0 } => {
                reading.class = TermClass::Exempt;
                reading.months = Some(0);
                reading.notes.push("0 months read as exemption from punishment".to_owned());
            }
            What::Fixed { months, days } => {
                reading.class = TermClass::Fixed;
                reading.months = Some(months);
                reading.days_dropped = days;
                if days > 0 {
                    reading.notes.push(format!("{days} days dropped"));
                }
            }
            What::Range(lo, hi) => {
                reading.class = TermClass::Range;
                reading.range = hi.map(|hi| (lo, hi));
            }
            What::Class(class) => {
                reading.class = class;
                reading.months = (class == TermClass::Exempt).then_some(0);
            }
        }
        reading
    }
}

/// Reads the prison term of a decision or an answer. A JSON object with a term counts before any words.
pub fn read_term(text: &str) -> TermReading {
    let text = narrow(text);
    if text.trim().is_empty() {
        return TermReading::nothing("empty reply");
    }
    let found = candidates(&text);
    for candidate in found.in_order_of_trust() {
        if let Some(mut reading) = of_json(&candidate.value) {
            let whole = serde_json::from_str::<Value>(text.trim()).is_ok_and(|v| v == candidate.value);
            if reading.stage == Stage::Strict && !whole {
                reading.stage = Stage::Recovered;
                reading.notes.extend(found.notes(candidate));
            }
            return reading;
        }
    }
    // What a cut-off object says before its term is no answer.
    let cut = found.list.last().is_some_and(|c| !c.complete);
    of_text(if cut { &found.prose } else { &found.spoken })
}

/// Full-width digits and signs as ASCII.
fn narrow(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '０'..='９' | '．' | '％' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
            '～' | '〜' => '~',
            '－' | '—' | '–' => '-',
            '\u{a0}' | '\u{3000}' => ' ',
            '\u{2019}' => '\'',
            other => other,
        })
        .collect()
}

// ---------------------------------------------------------------- JSON

const MONTH_KEYS: [&str; 11] = [
    "months",
    "month",
    "term_months",
    "term_in_months",
    "sentence_months",
    "sentence_in_months",
    "prison_months",
    "prison_term_months",
    "imprisonment_months",
    "月数",
    "刑期月数",
];
const TERM_KEYS: [&str; 11] = [
    "term",
    "sentence",
    "prison_term",
    "term_of_imprisonment",
    "imprisonment",
    "penalty",
    "answer",
    "刑期",
    "量刑",
    "判决",
    "宣告刑",
];

fn of_json(value: &Value) -> Option<TermReading> {
    let fields = value.as_object()?;
    let get = |keys: &[&str]| {
        keys.iter()
            .find_map(|k| fields.iter().find(|(f, _)| f.trim().eq_ignore_ascii_case(k)).map(|(_, v)| v))
    };
    let months = get(&MONTH_KEYS);
    let years = get(&["years", "年"]).and_then(Value::as_f64);
    let stated = months.or_else(|| get(&TERM_KEYS));
    if let Some(years) = years {
        let extra = months.map_or(Some(0.0), Value::as_f64);
        return Some(extra.map_or_else(
            || TermReading::nothing("the months cannot be read"),
            |m| of_number(years.mul_add(12.0, m), Stage::Recovered),
        ));
    }
    let class = get(&["class", "type", "kind", "outcome"]).and_then(Value::as_str);
    // A class of its own and a number of months contradict each other; 0 only says that there are none.
    if let Some(class) = class.and_then(class_named).filter(|c| *c != TermClass::Exempt) {
        return Some(match stated.and_then(Value::as_f64) {
            Some(months) if months > 0.0 => {
                TermReading::nothing(format!("the class says {class:?}, the months say {months}"))
            }
            _ => TermReading::of(What::Class(class), None, Stage::Strict),
        });
    }
    match stated {
        None => None,
        Some(Value::Null) => Some(class.map_or_else(
            || TermReading::nothing("the term is null"),
            |words| TermReading { stage: Stage::Recovered, ..of_words(words) },
        )),
        Some(Value::Number(n)) => Some(of_number(n.as_f64().unwrap_or(-1.0), Stage::Strict)),
        Some(Value::String(words)) => Some(of_words(words)),
        // A nested object, or a list: somebody else's shape.
        Some(other @ Value::Object(_)) => of_json(other),
        Some(_) => Some(TermReading::nothing("the term is not a number")),
    }
}

fn of_words(words: &str) -> TermReading {
    if let Ok(n) = words.trim().parse::<f64>() {
        return of_number(n, Stage::Recovered);
    }
    static SPAN: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^\s*(\d{1,4})\s*(?:-|~|to|至|到)\s*(\d{1,4})\s*$"));
    if let Some(found) = SPAN.captures(words) {
        let end = |i| found.get(i).and_then(|m: regex::Match<'_>| m.as_str().parse::<u32>().ok());
        if let (Some(lo), Some(hi)) = (end(1), end(2)) {
            return TermReading::of(What::Range(lo, Some(hi)), None, Stage::Recovered);
        }
    }
    let class = class_named(words);
    if let Some(class) = class {
        return TermReading::of(What::Class(class), None, Stage::Recovered);
    }
    let mut reading = of_text(words);
    if reading.stage != Stage::NoDecision {
        reading.stage = Stage::Recovered;
    }
    reading
}

/// A class by its name in records.
fn class_named(words: &str) -> Option<TermClass> {
    match words.trim().to_lowercase().as_str() {
        "life" => Some(TermClass::Life),
        "death" => Some(TermClass::Death),
        "death_with_reprieve" => Some(TermClass::DeathWithReprieve),
        "acquittal" | "acquitted" => Some(TermClass::Acquittal),
        "exempt" | "exemption" => Some(TermClass::Exempt),
        _ => None,
    }
}

fn of_number(months: f64, stage: Stage) -> TermReading {
    let Some((whole, days)) = whole_months(months) else {
        return TermReading::nothing(format!("{months} is no number of months"));
    };
    let stage = if days == 0 { stage } else { Stage::Recovered };
    TermReading::of(What::Fixed { months: whole, days }, None, stage)
}

/// Full months and the days left over, at 30 days a month. Beyond 100,000 months is no sentence.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked first")]
fn whole_months(months: f64) -> Option<(u32, u32)> {
    if !(0.0..=100_000.0).contains(&months) {
        return None;
    }
    let whole = (months + 1e-6).floor();
    Some((whole as u32, ((months - whole).max(0.0) * 30.0).round() as u32))
}

// ---------------------------------------------------------------- words

/// What a mention says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Fixed { months: u32, days: u32 },
    Range(u32, Option<u32>),
    Class(TermClass),
}

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

fn of_text(text: &str) -> TermReading {
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

// ---------------------------------------------------------------- numbers

fn duration(found: &regex::Captures<'_>) -> Option<What> {
    let text = |name: &str| found.name(name).map(|m| m.as_str());
    let has = |name: &str| found.name(name).is_some();
    if has("hy") {
        return Some(What::Fixed { months: 6, days: 0 });
    }
    let mut months = 0.0;
    if let Some(years) = text("y") {
        match number(years) {
            Some(n) => months += n * 12.0,
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
fn number(words: &str) -> Option<f64> {
    let words = words.trim();
    if let Ok(n) = words.parse::<f64>() {
        return Some(n);
    }
    if words.is_ascii() { english(words) } else { chinese(words) }
}

fn chinese_digit(c: char) -> Option<u32> {
    Some(match c {
        '零' | '〇' => 0,
        '一' | '壹' => 1,
        '二' | '两' | '兩' | '贰' => 2,
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

pub(super) fn english(words: &str) -> Option<f64> {
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
    let mut total = 0usize;
    for word in words.to_lowercase().split([' ', '-', '\n', '\t']).filter(|w| !w.is_empty()) {
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
    u32::try_from(total).ok().map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(text: &str) -> Option<u32> {
        let r = read_term(text);
        (r.class == TermClass::Fixed).then_some(r.months).flatten()
    }

    #[test]
    fn chinese_terms() {
        for (text, months) in [
            ("有期徒刑二年零八个月", 32),
            ("有期徒刑11年", 132),
            ("判处有期徒刑十一年三个月，剥夺政治权利二年", 135),
            ("拘役5个月，缓刑10个月", 5),
            ("一百二十个月", 120),
            ("[刑期]36个月<eoa>", 36),
            ("刑期为7个月。", 7),
            ("量刑：2年6月", 30),
            ("有期徒刑9月", 9),
            ("半年", 6),
            ("两年半有期徒刑", 30),
            ("1.5年", 18),
            ("三年六个月（42个月）", 42),
            ("贰年", 24),
            ("廿个月", 20),
            ("被告人曾因盗窃于二〇一二年五月被判处有期徒刑二年。现判处有期徒刑一年六个月", 18),
            ("公诉机关建议判处有期徒刑二年，本院判处有期徒刑一年八个月", 20),
            ("基准刑为三年，自首减少六个月，宣告刑为二年六个月", 30),
            ("数罪并罚，总和刑期七年，决定执行有期徒刑五年", 60),
            ("类似案件多判处有期徒刑二年。综上，本案判处有期徒刑三年", 36),
            (
                "先行羁押的，羁押一日折抵刑期一日，即自2019年1月2日起至2020年7月1日止。判处有期徒刑一年六个月",
                18,
            ),
            ("法定刑为三年以上十年以下有期徒刑，判处有期徒刑四年", 48),
            ("经过三年的经营后，被告人判处有期徒刑五年", 60),
            ("判处有期徒刑三年。如不服本判决，可在接到判决书的第二日起十日内上诉", 36),
            ("处十年以上有期徒刑、无期徒刑或者死刑。判处有期徒刑十二年", 144),
            ("54月", 54),
            ("一年零半个月", 12),
            ("最高可判三年，建议一年", 12),
            ("辩护人认为被告人无罪。本院判处有期徒刑一年", 12),
        ] {
            assert_eq!(fixed(text), Some(months), "{text}: {:?}", read_term(text));
        }
    }

    #[test]
    fn english_terms() {
        for (text, months) in [
            ("3 years, 6 months", 42),
            ("eighteen months' imprisonment", 18),
            ("An 18-month term is proposed", 18),
            ("The sentence is a year and a half.", 18),
            ("sentenced to seven (7) years and 3 months", 87),
            ("twenty-five years", 300),
            ("half a year", 6),
            ("Punishable with imprisonment up to 7 years. I propose 2 years.", 24),
            ("2 years for theft and 3 years for fraud, a total of 4 years", 48),
            ("3 years' imprisonment, suspended for 4 years", 36),
            (
                "He is 29 years old and married for 3 years. Imprisonment for 5 years; in default, 6 months more.",
                60,
            ),
            ("The prosecution asks for 5 years. The court imposes 3 years.", 36),
            ("Similar cases: sentence of 2 years. Therefore, a sentence of 3 years.", 36),
            ("Answer: 30", 30),
            ("a term of one hundred and twenty months", 120),
            ("**36**", 36),
            ("1 year and 2 days", 12),
        ] {
            assert_eq!(fixed(text), Some(months), "{text}: {:?}", read_term(text));
        }
    }

    #[test]
    fn ranges_are_no_answer() {
        for (text, range) in [
            ("六至八个月", Some((6, 8))),
            ("10-12个月", Some((10, 12))),
            ("三年至五年有期徒刑", Some((36, 60))),
            ("3～5年", Some((36, 60))),
            ("between 2 and 3 years", Some((24, 36))),
            ("1 year to 18 months", Some((12, 18))),
            ("三年以上七年以下有期徒刑", Some((36, 84))),
            ("三年以下有期徒刑", Some((0, 36))),
            ("两三年", Some((24, 36))),
            ("at least 3 years", None),
            ("{\"months\": \"48-54\"}", Some((48, 54))),
        ] {
            let r = read_term(text);
            assert_eq!((r.class, r.months, r.range), (TermClass::Range, None, range), "{text}: {r:?}");
        }
    }

    #[test]
    fn classes_of_their_own() {
        for (text, class) in [
            ("宣告被告人无罪", TermClass::Acquittal),
            ("判处死刑，剥夺政治权利终身", TermClass::Death),
            ("判处死刑，缓期二年执行，剥夺政治权利终身", TermClass::DeathWithReprieve),
            ("死缓", TermClass::DeathWithReprieve),
            ("判处无期徒刑", TermClass::Life),
            ("犯故意伤害罪，判处有期徒刑十年；犯故意杀人罪，判处死刑；决定执行死刑", TermClass::Death),
            ("免于刑事处罚", TermClass::Exempt),
            ("The accused is acquitted.", TermClass::Acquittal),
            ("imprisonment for life", TermClass::Life),
            ("终身监禁", TermClass::Life),
            ("0个月", TermClass::Exempt),
            ("Sentenced to death with a two-year reprieve", TermClass::DeathWithReprieve),
            ("{\"class\": \"life\", \"months\": null}", TermClass::Life),
            ("{\"months\": 0}", TermClass::Exempt),
        ] {
            let r = read_term(text);
            assert_eq!(r.class, class, "{text}: {r:?}");
            assert_eq!(r.months, (class == TermClass::Exempt).then_some(0), "{text}");
        }
    }

    #[test]
    fn nothing_is_made_up() {
        for text in [
            "",
            "被告人于2015年8月3日被抓获。",
            "被告人今年34岁，从业三年。",
            "He has been on remand for 7 months.",
            "甲判处有期徒刑三年；乙判处有期徒刑二年",
            "2 years for theft and 3 years for fraud",
            "不应判处死刑。",
            "{\"months\": -3}",
            "{\"months\": null}",
            "{\"months\": [12, 18]}",
            "<think>三年</think>",
            "罚金五千元",
            "{\"reasoning\":\"三年以下\",\"months\":8",
        ] {
            let r = read_term(text);
            assert_eq!(
                (r.class, r.months, r.stage),
                (TermClass::None, None, Stage::NoDecision),
                "{text}: {r:?}"
            );
        }
    }

    #[test]
    fn stages_kinds_and_days() {
        assert_eq!(read_term("{\"months\": 7}").stage, Stage::Strict);
        assert_eq!(read_term("```json\n{\"months\": 7}\n```").stage, Stage::Recovered);
        assert_eq!(read_term("{\"term\": \"三年\"}").months, Some(36));
        assert_eq!(read_term("{\"years\": 3, \"months\": 6}").months, Some(42));
        assert_eq!(read_term("{\"months\": 4.5}").days_dropped, 15);
        assert_eq!(read_term("拘役三个月二十日").days_dropped, 20);
        assert_eq!(read_term("一个半月").days_dropped, 15);
        assert_eq!(read_term("拘役三个月").kind, Some(TermKind::Detention));
        assert_eq!(read_term("管制一年").kind, Some(TermKind::Surveillance));
        assert_eq!(read_term("三年六个月的有期徒刑").kind, Some(TermKind::Imprisonment));
        assert_eq!(read_term("3年").kind, None);
    }

    #[test]
    fn every_chinese_number_to_999() {
        let digits = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
        for n in 1..1000usize {
            let (h, t, u) = (n / 100, n / 10 % 10, n % 10);
            let mut words = String::new();
            if h > 0 {
                words += digits[h];
                words += "百";
            }
            match (h, t, u) {
                (0, 1, _) => words += "十",
                (_, 0, 1..) if h > 0 => words += "零",
                (_, 0, _) => {}
                _ => {
                    words += digits[t];
                    words += "十";
                }
            }
            words += digits[u];
            assert_eq!(number(&words), Some(n as f64), "{words}");
        }
    }

    #[test]
    fn hostile_input_ends() {
        let start = std::time::Instant::now();
        for unit in ["三年", "有期徒刑三年至", "，", "one ", "1 year ", "死刑", "一", "判处三年。", "12 to "]
        {
            let _ = read_term(&unit.repeat(2_000));
        }
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }
}
