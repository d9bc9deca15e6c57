//! Sentences by what makes them hard, each with neighbours that look like them and are read otherwise.

use super::*;

/// A term in months, `Some(0)` for an exemption, or `None` with the class that has no number.
fn check(rows: &[(&str, Option<u32>, TermClass)]) {
    for (text, months, class) in rows {
        let r = read_term(text);
        assert_eq!((r.months, r.class), (*months, *class), "{text}: {r:?}");
    }
}

#[test]
fn fractions_and_mixed_numbers() {
    use TermClass::Fixed;
    check(&[
        ("4 1/2 years", Some(54), Fixed),
        ("The court imposes 6 1/2 years.", Some(78), Fixed),
        ("1 3/4 years", Some(21), Fixed),
        ("3/4 of a year", Some(9), Fixed),
        ("three-quarters of a year", Some(9), Fixed),
        ("2-1/2 years' imprisonment", Some(30), Fixed),
        ("7½ years", Some(90), Fixed),
        ("two and three quarters years", Some(33), Fixed),
        ("六点五年", Some(78), Fixed),
        ("八又四分之一年", Some(99), Fixed),
        ("有期徒刑四又二分之一年", Some(54), Fixed),
        ("有期徒刑一点五年", Some(18), Fixed),
        ("2,5 years", Some(30), Fixed),
        ("half a year", Some(6), Fixed),
        ("a year and a half", Some(18), Fixed),
        ("one and a half months", Some(1), Fixed),
        ("a half year", Some(6), Fixed),
        ("12/24/2020", None, TermClass::None),
        ("Section 1/2 applies; 3 years", Some(36), Fixed),
        ("2/3 years", None, TermClass::None),
        ("two and one third years", Some(28), Fixed),
        ("1,200 months", Some(1200), Fixed),
        ("二分之一年", Some(6), Fixed),
        ("ten and a half years", Some(126), Fixed),
        ("判处有期徒刑2又1/2年", Some(30), Fixed),
        ("3.5 yrs", Some(42), Fixed),
        ("3 ½ years", Some(42), Fixed),
        ("sentence: 5 and a half years", Some(66), Fixed),
        ("a third year student", None, TermClass::None),
        ("two thirds of a year", Some(8), Fixed),
    ]);
}

#[test]
fn years_and_months_under_labels_and_keys() {
    use TermClass::{Fixed, Range};
    check(&[
        ("Prison years: 4, months: 3", Some(51), Fixed),
        ("{\"years_of_imprisonment\": 2, \"months_of_imprisonment\": 3}", None, TermClass::None),
        ("{\"duration\": 5, \"unit\": \"years\"}", Some(60), Fixed),
        ("{\"term\": {\"value\": 18, \"unit\": \"months\"}}", Some(18), Fixed),
        ("{\"termYears\": 4}", Some(48), Fixed),
        ("{\"sentence_in_years\": 1.5}", Some(18), Fixed),
        ("{\"probation_years\": 3, \"prison_years\": 2}", Some(24), Fixed),
        ("{\"years\": 2, \"months\": 5, \"total_months\": 29}", Some(29), Fixed),
        ("{\"years\": 2, \"months\": 5, \"total_months\": 24}", None, TermClass::None),
        ("{\"min_years\": 1, \"max_years\": 2}", None, Range),
        ("{\"刑期上限\": 36, \"刑期下限\": 24}", None, Range),
        ("{\"刑期(年)\": 2}", Some(24), Fixed),
        ("{\"有期徒刑（月）\": 22}", Some(22), Fixed),
        ("Imprisonment in months: 44", Some(44), Fixed),
        ("刑期（单位：月）：18", Some(18), Fixed),
        ("刑期（月）：三十", Some(30), Fixed),
        ("Sentence (months): 15 to 18", None, Range),
        ("Years: 4\nMonths: 2", Some(50), Fixed),
        ("年数：3\n月数：2", Some(38), Fixed),
        ("| Years | Months |\n|---|---|\n| 3 | 4 |", Some(40), Fixed),
        ("| Offence | Term (years) |\n|---|---|\n| theft | 2 |", Some(24), Fixed),
        ("This month: 3 thefts. Sentence: 2 years.", Some(24), Fixed),
        ("In the past year: 5 offences. 18 months.", Some(18), Fixed),
        ("{\"fine_months\": 4, \"months\": 9}", Some(9), Fixed),
        ("{\"months\": [10]}", Some(10), Fixed),
        ("{\"years\": [1, 2]}", None, Range),
        ("{\"sentence\": \"2 years\", \"months\": 24}", Some(24), Fixed),
        ("{\"sentence\": \"2 years\", \"months\": 30}", None, TermClass::None),
        ("Term (in years): 3", Some(36), Fixed),
        ("Number of months: 27", Some(27), Fixed),
        ("{\"age_years\": 30, \"months\": 9}", Some(9), Fixed),
        ("{\"min\": 12, \"max\": 24}", None, Range),
        ("Months of probation: 12", None, TermClass::None),
        ("{\"term\": 4, \"units\": \"year\"}", Some(48), Fixed),
    ]);
}

#[test]
fn what_is_rejected_is_no_term() {
    use TermClass::Fixed;
    check(&[
        ("不应当判处有期徒刑四年。", None, TermClass::None),
        ("判处六年有期徒刑明显过重", None, TermClass::None),
        ("三年太轻，应判处五年。", Some(60), Fixed),
        ("不同意判处三年的建议", None, TermClass::None),
        ("I cannot support a term of 4 years.", None, TermClass::None),
        ("Six years would be too harsh; four years is proper.", Some(48), Fixed),
        ("A term of 3 years is not excessive.", Some(36), Fixed),
        ("There is no reason to impose 4 years.", None, TermClass::None),
        ("The sentence of 8 years was quashed.", None, TermClass::None),
        ("The High Court set aside the sentence of 8 years.", None, TermClass::None),
        ("I do not hesitate to impose 3 years.", Some(36), Fixed),
        ("The accused did not cooperate and is sentenced to 3 years.", Some(36), Fixed),
        ("没有前科，判处有期徒刑一年。", Some(12), Fixed),
        ("不认罪，判处有期徒刑二年。", Some(24), Fixed),
        ("未遂，判处有期徒刑三年", Some(36), Fixed),
        ("I refuse to give 10 years.", None, TermClass::None),
        ("Not a single mitigating factor exists; 7 years.", Some(84), Fixed),
        ("判处有期徒刑三年，量刑适当", Some(36), Fixed),
        ("判处有期徒刑三年并无不当", Some(36), Fixed),
        ("We do not agree that 5 years is right.", None, TermClass::None),
        ("5 years is clearly not enough.", None, TermClass::None),
        ("被告人不服一审判决三年有期徒刑的判决", None, TermClass::None),
        ("判处有期徒刑三年，撤销缓刑", Some(36), Fixed),
        ("判处有期徒刑二年，不宜缓刑", Some(24), Fixed),
        ("He showed no remorse. Sentenced to 6 years.", Some(72), Fixed),
        ("The 3-year sentence is upheld.", Some(36), Fixed),
        ("The appeal against the sentence of 3 years is dismissed.", Some(36), Fixed),
        ("4 years is not unreasonable.", Some(48), Fixed),
        ("并非三年，而是四年", Some(48), Fixed),
        ("the sentence of 5 years cannot stand", None, TermClass::None),
        ("不可能判处十年", None, TermClass::None),
        ("是否应当判处三年？", None, TermClass::None),
        ("The sentence of 3 years shall not be suspended.", Some(36), Fixed),
        ("judgment reversed; the sentence of 5 years is vacated", None, TermClass::None),
    ]);
}

#[test]
fn the_last_word_counts() {
    use TermClass::{Fixed, Life};
    check(&[
        ("Sentence: 4 years. Correction: 3 years.", Some(36), Fixed),
        ("刑期：二年。不对，应为三年。", Some(36), Fixed),
        ("有期徒刑五年。更正为四年。", Some(48), Fixed),
        ("I would say 5 years — no, actually 4 years.", Some(48), Fixed),
        ("The term of 6 years is cut to 4 years.", Some(48), Fixed),
        ("sentence enhanced to 9 years", Some(108), Fixed),
        ("The sentence was increased from 2 years to 30 months.", Some(30), Fixed),
        ("刑期由五年提高到七年", Some(84), Fixed),
        ("将三年改为二年六个月", Some(30), Fixed),
        ("between 2 and 3 years, so 30 months", Some(30), Fixed),
        ("一年至二年，取一年半", Some(18), Fixed),
        ("三年减去六个月", None, TermClass::None),
        ("3 years plus 6 months for recidivism", None, TermClass::None),
        ("3 years plus 6 months = 42 months", Some(42), Fixed),
        ("The term is 5 years, reduced by 1 year to 4 years.", Some(48), Fixed),
        ("10 years substituted with 7 years", Some(84), Fixed),
        ("7 years is substituted for 10 years", Some(84), Fixed),
        ("Imprisonment for 5 years in place of 10 years", Some(60), Fixed),
        ("The two terms of 2 years and 4 years run consecutively.", None, TermClass::None),
        ("Sentence: 3 years. Sorry for the delay.", Some(36), Fixed),
        ("决定执行有期徒刑四年。更正：决定执行有期徒刑五年。", Some(60), Fixed),
        ("{\"months\": 12}\nCorrection: 16 months", None, TermClass::None),
        ("Answer: 18 months. Wait — the accused is a minor. Answer: 12 months.", Some(12), Fixed),
        ("The sentence of death is commuted to life imprisonment.", None, Life),
        ("刑期从三年降到两年", Some(24), Fixed),
        ("基准刑二年，增加三个月，减少六个月，宣告刑一年九个月", Some(21), Fixed),
        ("Term: 2 years (corrected from 3 years)", Some(24), Fixed),
        ("5 years reduced from 8 years", Some(60), Fixed),
        ("I thought of 5 years at first, but I settle on 4 years.", Some(48), Fixed),
    ]);
}

#[test]
fn a_duration_is_not_yet_a_sentence() {
    use TermClass::Fixed;
    check(&[
        ("The lease runs for 5 years.", None, TermClass::None),
        ("租期两年", None, TermClass::None),
        ("She spent 3 years abroad.", None, TermClass::None),
        ("The trial lasted 18 months.", None, TermClass::None),
        ("The child is 6 months old.", None, TermClass::None),
        ("服务年限五年", None, TermClass::None),
        ("保修期三年", None, TermClass::None),
        ("The warranty is 24 months.", None, TermClass::None),
        ("双方恋爱两年", None, TermClass::None),
        ("He studied law for 4 years.", None, TermClass::None),
        ("治疗六个月后痊愈", None, TermClass::None),
        ("停职六个月", None, TermClass::None),
        ("误工期三个月", None, TermClass::None),
        ("The company existed for 12 years.", None, TermClass::None),
        ("He borrowed the money for 6 months.", None, TermClass::None),
        ("The policy covers 3 years.", None, TermClass::None),
        ("试用期六个月", None, TermClass::None),
        ("The dispute has gone on for 9 years.", None, TermClass::None),
        ("公司成立三年", None, TermClass::None),
        ("被告人经商十年", None, TermClass::None),
        ("The child was missing for 2 years.", None, TermClass::None),
        ("42 months", Some(42), Fixed),
        ("一年半", Some(18), Fixed),
        ("My answer is 42 months", Some(42), Fixed),
        ("I'd say about 3 years.", Some(36), Fixed),
        ("Theft: 2 years", Some(24), Fixed),
        ("盗窃罪：二年", Some(24), Fixed),
        ("He gets 3 years.", Some(36), Fixed),
        ("It should be 18 months.", Some(18), Fixed),
        ("我认为应为一年半", Some(18), Fixed),
        ("建议休息三个月", None, TermClass::None),
        ("ordered to do community service for 6 months", None, TermClass::None),
        ("given 3 months to pay", None, TermClass::None),
        ("The contract was for 2 years. Sentence: 14 months.", Some(14), Fixed),
        ("He was ill for 8 months; imprisonment of 2 years.", Some(24), Fixed),
        ("试用期两年。判处有期徒刑一年。", Some(12), Fixed),
        ("戒毒两年", None, TermClass::None),
        ("The probationary period is 2 years.", None, TermClass::None),
        ("The victim's treatment took 5 months. 3 years.", Some(36), Fixed),
        ("He was married for 10 years and is sentenced to 4 years.", Some(48), Fixed),
        ("He has been a teacher for 15 years.", None, TermClass::None),
        ("年龄三十年", None, TermClass::None),
        ("他干了五年", None, TermClass::None),
        ("The stolen car was 3 years in use.", None, TermClass::None),
        ("interest for 6 months", None, TermClass::None),
        ("Three years passed.", None, TermClass::None),
        ("Three years.", Some(36), Fixed),
        ("保证期间为两年", None, TermClass::None),
        ("18 months seems fair.", Some(18), Fixed),
        ("two years should do", Some(24), Fixed),
        ("The defendant: 30 months", Some(30), Fixed),
        ("Punishment is 2 years.", Some(24), Fixed),
        ("执行有期徒刑二年", Some(24), Fixed),
        ("Five years, no less.", Some(60), Fixed),
        ("The loan term is 24 months.", None, TermClass::None),
        ("The term of office is 5 years.", None, TermClass::None),
        ("她怀孕五个月，判处有期徒刑一年", Some(12), Fixed),
        ("判处有期徒刑一年，赔偿误工六个月", Some(12), Fixed),
    ]);
}

#[test]
fn acquittal_on_one_count() {
    use TermClass::{Acquittal, Fixed};
    check(&[
        ("Acquitted of murder; convicted of theft, 2 years.", Some(24), Fixed),
        ("The accused is acquitted.", None, Acquittal),
        ("not guilty on count 1; guilty on count 2: 18 months", Some(18), Fixed),
        ("被告人故意杀人罪无罪，盗窃罪判处有期徒刑二年", Some(24), Fixed),
        ("Acquitted of all charges.", None, Acquittal),
        ("A is acquitted; B is sentenced to 3 years.", None, TermClass::None),
        ("acquitted of rape", None, Acquittal),
        ("The acquittal is set aside; 5 years.", Some(60), Fixed),
    ]);
}

#[test]
fn what_could_be_two_terms_is_none() {
    use TermClass::{Fixed, Range};
    check(&[
        ("五、六年", None, Range),
        ("张三判处有期徒刑三年，李四两年", None, TermClass::None),
        ("分别判处有期徒刑五年、四年、三年", None, TermClass::None),
        ("John is sentenced to 3 years and Mary to 2 years.", None, TermClass::None),
        ("两年多", None, TermClass::None),
        ("三年有余", None, TermClass::None),
        ("a year or two", None, TermClass::None),
        ("判处被告人甲、乙有期徒刑三年和二年", None, TermClass::None),
        ("3 years and 6 months respectively for A and B", None, TermClass::None),
        ("十余年", None, TermClass::None),
        ("三四个月", None, Range),
        ("近三年", Some(36), Fixed),
        ("几年", None, TermClass::None),
        ("数十年", None, TermClass::None),
        ("三千个月", None, TermClass::None),
        ("一、判处有期徒刑三年", Some(36), Fixed),
        ("二、三年", None, Range),
        ("Accused 1: 3 years; Accused 2: 5 years", None, TermClass::None),
        ("判处有期徒刑三年、罚金二千元", Some(36), Fixed),
        ("判处有期徒刑三年，剥夺政治权利一年", Some(36), Fixed),
    ]);
}

#[test]
fn traditional_and_japanese_forms() {
    use TermClass::{Acquittal, Exempt, Fixed, Life};
    check(&[
        ("處有期徒刑貳年陸月", Some(30), Fixed),
        ("處有期徒刑參年", Some(36), Fixed),
        ("懲役２年６か月", Some(30), Fixed),
        ("禁錮1年", Some(12), Fixed),
        ("懲役三年、執行猶予五年", Some(36), Fixed),
        ("無期懲役", None, Life),
        ("褫奪公權五年，有期徒刑七年", Some(84), Fixed),
        ("應執行有期徒刑壹年捌月", Some(20), Fixed),
        ("判處有期徒刑三個月，緩刑二年", Some(3), Fixed),
        ("被告人を懲役1年2月に処する。", Some(14), Fixed),
        ("被告無罪", None, Acquittal),
        ("拘役伍拾日", None, TermClass::None),
        ("免除其刑", Some(0), Exempt),
        ("懲役10月", Some(10), Fixed),
        ("１０年６ヶ月", Some(126), Fixed),
    ]);
}

#[test]
fn other_people_bounds_and_slang() {
    use TermClass::{Fixed, Range};
    check(&[
        ("今次判处有期徒刑二年", Some(24), Fixed),
        ("前罪判处三年。本罪判处有期徒刑一年", Some(12), Fixed),
        ("S.I. for 6 months and fine of Rs. 1000, in default S.I. for 1 month", Some(6), Fixed),
        ("二年，缓三年", Some(24), Fixed),
        ("判二缓三", Some(24), Fixed),
        ("24 mo", Some(24), Fixed),
        ("有期徒刑二年缓刑三年", Some(24), Fixed),
        ("12个月≤刑期≤24个月", None, Range),
        ("下限六个月，上限一年", None, Range),
        ("如果退赃，判处六个月", None, TermClass::None),
        ("If convicted he may get 5 years.", None, TermClass::None),
        ("合计：三年", Some(36), Fixed),
        ("30 months (2.5 years)", Some(30), Fixed),
        ("有期徒刑二年（24个月）至三年（36个月）", None, Range),
        ("三年（四十个月）", None, TermClass::None),
        ("6 years (72 months)", Some(72), Fixed),
    ]);
}

#[test]
fn what_models_write_about_chinese_cases() {
    use TermClass::Fixed;
    check(&[
        ("被告人前来自首。\n\n3.2007年，被告人再次行窃。", None, TermClass::None),
        ("[刑期]危险驾驶：6个月<eoa>\n[刑期]职务侵占：36个月<eoa>", None, TermClass::None),
        ("[刑期]挪用公款：10年<eoa> 受贿：无法确定<eoa> 巨额财产来源不明：5年<eoa>", None, TermClass::None),
        ("该罪最高刑期为死刑，无法预测。", None, TermClass::None),
        ("最高刑期为10年。初步预测判决刑期为[刑期]48个月<eoa>。", Some(48), Fixed),
        ("预测刑期为[刑期]10年+3年<eoa>", None, TermClass::None),
        ("非法经营罪：五年", Some(60), Fixed),
        ("合同诈骗罪，三年", Some(36), Fixed),
    ]);
}

#[test]
fn more_of_each_kind() {
    use TermClass::{Fixed, Range};
    check(&[
        ("The accused should not be sentenced to 5 years.", None, TermClass::None),
        ("I don't think 4 years is right.", None, TermClass::None),
        ("4 years would be unjust.", None, TermClass::None),
        ("A sentence of 4 years is unwarranted.", None, TermClass::None),
        ("Nobody proposes 5 years.", None, TermClass::None),
        ("无需判处三年", None, TermClass::None),
        ("判处三年有期徒刑不当", None, TermClass::None),
        ("三年的刑期过长", None, TermClass::None),
        ("原判三年量刑畸重，改判二年", Some(24), Fixed),
        ("The sentence of 3 years was set aside and replaced by 2 years.", Some(24), Fixed),
        ("We reduce the sentence from 4 years to 3 years.", Some(36), Fixed),
        ("Sentence: 3 years -> 2 years", Some(24), Fixed),
        ("更正：三年应改为二年", Some(24), Fixed),
        ("Sentence: 36 months. Edit: 30 months.", Some(30), Fixed),
        ("Term: 3 years. Update: 2 years.", Some(24), Fixed),
        ("Initially I proposed 5 years; on review I now propose 4 years.", Some(48), Fixed),
        ("My first answer was 24 months; my revised answer is 30 months.", Some(30), Fixed),
        ("He was in a coma for 6 months.", None, TermClass::None),
        ("The patent lasts 20 years.", None, TermClass::None),
        ("The marriage ended after 7 years.", None, TermClass::None),
        ("The couple lived apart for 2 years.", None, TermClass::None),
        ("The victim has been unable to work for 4 months.", None, TermClass::None),
        ("被害人卧床三个月", None, TermClass::None),
        ("股权转让两年后", None, TermClass::None),
        ("建设工期十八个月", None, TermClass::None),
        ("The probation lasts 3 years.", None, TermClass::None),
        ("Community correction for 1 year.", None, TermClass::None),
        ("监视居住六个月", None, TermClass::None),
        ("取保候审十二个月", None, TermClass::None),
        ("质保期两年", None, TermClass::None),
        ("The limitation expired after 3 years.", None, TermClass::None),
        ("他工作了十年。判处有期徒刑两年。", Some(24), Fixed),
        ("The project took 2 years. I impose 18 months.", Some(18), Fixed),
        ("The gun licence was valid for 5 years.", None, TermClass::None),
        ("Count 1: acquitted. Count 2: 4 years.", Some(48), Fixed),
        ("Acquitted under section 302, convicted under section 304: 7 years.", Some(84), Fixed),
        ("一审宣告无罪，二审改判有期徒刑三年", Some(36), Fixed),
        ("甲：三年；乙：二年", None, TermClass::None),
        ("甲三年，乙两年", None, TermClass::None),
        ("The first accused gets 3 years, the second 2 years.", None, TermClass::None),
        ("三年上下", Some(36), Fixed),
        ("三年左右", Some(36), Fixed),
        ("a few years", None, TermClass::None),
        ("two or three years", None, Range),
        ("three to four years", None, Range),
        ("3 or 4 years", None, Range),
        ("2 years 6 months", Some(30), Fixed),
        ("Two years and six months' imprisonment", Some(30), Fixed),
        ("imprisonment for a period of 3 1/2 years", Some(42), Fixed),
        ("1½ years", Some(18), Fixed),
        ("0.75 years", Some(9), Fixed),
        ("有期徒刑1.5年", Some(18), Fixed),
        ("三又三分之一年", Some(40), Fixed),
        ("Years - 2, Months - 6", None, TermClass::None),
        ("Term: 2 yrs. 6 mos.", Some(30), Fixed),
        ("Sentence: [3] years", None, TermClass::None),
        ("{\"term\": \"2.5\", \"unit\": \"years\"}", Some(30), Fixed),
        ("{\"sentence\": {\"min_months\": 12, \"max_months\": 24}}", None, Range),
        ("{\"months\": \"12 to 18\"}", None, Range),
        ("{\"months\": {\"min\": 12, \"max\": 18}}", None, Range),
        ("{\"prison_term_in_years\": \"3\"}", Some(36), Fixed),
        ("{\"imprisonment_years\": 1, \"imprisonment_months\": 6}", None, TermClass::None),
        ("{\"years\": 0, \"months\": 18}", Some(18), Fixed),
        ("{\"months\": 36, \"years\": 3}", Some(36), Fixed),
        ("{\"fine\": 3, \"unit\": \"years\"}", None, TermClass::None),
        ("{\"years\": \"2\", \"months\": \"6\"}", None, TermClass::None),
        ("The loan of 3 years was repaid. Sentence: 5 years.", Some(60), Fixed),
        ("判处有期徒刑三年，并赔偿误工三个月", Some(36), Fixed),
        ("有期徒刑三年，罚金限三个月内缴纳", Some(36), Fixed),
        ("判处有期徒刑一年，禁止令两年", Some(12), Fixed),
        ("Sentenced to 3 years; appeal within 2 months.", Some(36), Fixed),
        ("3 years to run concurrently with the 2 years imposed earlier", None, TermClass::None),
        ("death", None, TermClass::None),
        ("I would impose neither 5 nor 3 years but 4 years.", Some(48), Fixed),
        ("Five years is the maximum; I impose three.", None, Range),
        ("判决：三年。", Some(36), Fixed),
        ("结论：有期徒刑三年。", Some(36), Fixed),
        ("量刑建议：三年", Some(36), Fixed),
        ("刑期三年（含羁押两个月）", Some(36), Fixed),
        ("The minimum is 3 years and the maximum is 7 years.", None, Range),
        ("5 years? No, 3 years.", Some(36), Fixed),
        ("应处五年以上，但有自首情节，减轻为四年", Some(48), Fixed),
        ("不超过三年，判二年", Some(24), Fixed),
    ]);
}
