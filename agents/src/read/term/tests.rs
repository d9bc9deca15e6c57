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
        ("[刑期]12月<eoa>", 12),
        ("【刑期】十二月", 12),
        ("量刑在3至4年之间。[刑期]40月<eoa>", 40),
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
        ("先行羁押的，羁押一日折抵刑期一日，即自2019年1月2日起至2020年7月1日止。判处有期徒刑一年六个月", 18),
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
        ("{\"months\": [12, 18]}", Some((12, 18))),
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
        "<think>三年</think>",
        "罚金五千元",
        "{\"reasoning\":\"三年以下\",\"months\":8",
    ] {
        let r = read_term(text);
        assert_eq!((r.class, r.months, r.stage), (TermClass::None, None, Stage::NoDecision), "{text}: {r:?}");
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
