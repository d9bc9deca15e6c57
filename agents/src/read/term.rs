//! Prison terms, in months, out of a decision or a model's answer, in Chinese or English.
//!
//! Every duration and every class (acquittal, exemption, life, death) is found with the words around it. Words around
//! it say what it is: a date, an age, time in custody, probation and a statute's own range are no term; what the court
//! decides outweighs what a party asks for; a combined term outweighs its parts; what stands after a concluding word
//! or a correction outweighs what stands before it. A duration that nothing names as a penalty counts only where the
//! words around it could not make it anything else. Where two different terms of the same weight remain, or the one
//! that counts has no one length, there is no single answer.

#[cfg(test)]
mod causes;
mod change;
mod classes;
mod context;
mod number;
mod object;
mod plain;
mod rank;
mod rewrite;
mod spans;
mod speaker;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(in crate::read) use number::{english, number};
use object::of_json;
use words::of_text;

use super::Stage;
use super::json::candidates;

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
            What::Fixed { months: 0, days } => {
                return Self::nothing(format!("{days} days are less than a month"));
            }
            What::Unclear => return Self::nothing("a term whose length is not one number"),
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
            if let Some(later) = corrected(&found.prose).filter(|later| differ(&reading, later)) {
                return TermReading::nothing(format!(
                    "the words around the JSON correct it: {}",
                    later.months.map_or_else(|| "no number".to_owned(), |m| format!("{m} months"))
                ));
            }
            // What is said after the object is the last word.
            let after = of_text(found.prose.get(candidate.at..).unwrap_or_default());
            if !matches!(after.class, TermClass::None | TermClass::Range) && differ(&reading, &after) {
                return TermReading::nothing("the words after the JSON say something else");
            }
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
    let words = if cut { &found.prose } else { &found.spoken };
    let reading = of_text(words);
    if reading.class == TermClass::Fixed && context::offers_another(words) {
        return TermReading::nothing("another term is offered beside it");
    }
    reading
}

/// What the words around an object say where they correct it.
fn corrected(prose: &str) -> Option<TermReading> {
    context::corrects(prose).then(|| of_text(prose)).filter(|r| r.stage != Stage::NoDecision)
}

fn differ(a: &TermReading, b: &TermReading) -> bool {
    (a.class, a.months, a.range) != (b.class, b.months, b.range)
}

/// Full-width digits and signs as ASCII, and what the patterns know in simplified characters in those.
fn narrow(text: &str) -> String {
    let text: String = text
        .replace("&nbsp;", " ")
        .chars()
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'))
        .map(|c| match c {
            '０'..='９' | '．' | '％' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
            '～' | '〜' => '~',
            '－' | '—' | '–' | '\u{2212}' => '-',
            '\u{a0}' | '\u{3000}' => ' ',
            '\u{2019}' => '\'',
            '＜' => '<',
            '＞' => '>',
            '＝' => '=',
            '／' => '/',
            other if other >= '\u{4e00}' => simplified(other),
            other => other,
        })
        .collect();
    // The counters of months in Japanese.
    if text.contains(['か', 'ヶ', 'カ', 'ヵ', 'ケ']) {
        ["か月", "ヶ月", "カ月", "ヵ月", "ケ月"].iter().fold(text, |t, counter| t.replace(counter, "个月"))
    } else {
        text
    }
}

/// The simplified form of a traditional or Japanese character that a sentence is worded with.
fn simplified(c: char) -> char {
    const FORMS: &str = "無无處处処处緩缓執执貳贰弐贰壱壹參叁叄叁陸陆個个箇个決决應应減减監监終终懲惩猶犹間间後后過过內内總总併并並并盜盗竊窃詐诈騙骗訴诉檢检検检辯辩護护審审認认為为爲为於于與与從从發发構构準准權权對对場场實实実实際际計计數数銷销維维駁驳駕驾駛驶證证羈羁奪夺錮锢給给現现請请議议導导據据條条贓赃還还歲岁齡龄關关係系續续懷怀療疗醫医債债貸贷約约傷伤殺杀險险強强姦奸搶抢綜综結结論论極极顯显輕轻長长適适當当錯错誤误萬万經经別别則则調调變变縮缩罰罚僅仅請请負负責责標标準准號号書书類类間间產产業业徑径稱称絕绝納纳讓让許许";
    static PAIRS: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
        let (mut pairs, mut forms) = (HashMap::new(), FORMS.chars());
        while let (Some(from), Some(to)) = (forms.next(), forms.next()) {
            pairs.insert(from, to);
        }
        pairs
    });
    PAIRS.get(&c).copied().unwrap_or(c)
}

/// What a mention says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Fixed {
        months: u32,
        days: u32,
    },
    Range(u32, Option<u32>),
    Class(TermClass),
    /// A duration, but of no one length: 一年多, "1/2/3 years".
    Unclear,
}
