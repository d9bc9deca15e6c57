//! Prison terms, in months, out of a decision or a model's answer, in Chinese or English.
//!
//! Every duration and every class (acquittal, exemption, life, death) is found with the words around it. Words around
//! it say what it is: a date, an age, time in custody, probation and a statute's own range are no term; what the court
//! decides outweighs what a party asks for; a combined term outweighs its parts; what stands after a concluding word
//! outweighs what stands before it. Where two different terms of the same weight remain, there is no single answer.

mod number;
mod object;
mod words;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(in crate::read) use number::english;
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

/// What a mention says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Fixed { months: u32, days: u32 },
    Range(u32, Option<u32>),
    Class(TermClass),
}

#[cfg(test)]
mod tests {
    use super::number::number;
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
