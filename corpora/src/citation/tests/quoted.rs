//! Words quoted beside a citation.

use super::*;

const ACT: &str = "of the Lamp Act";

/// Each text with its verdict, `{}` for the act's name.
fn check_quotes(rows: &[(&str, Verdict)]) {
    let mut bad = Vec::new();
    for (text, want) in rows {
        let text = text.replace("{}", ACT);
        let found = check_text(&text, &quotable(), &lamp_catalogue(), &on(DAY)).citations;
        let got: Vec<Verdict> = found.iter().map(|c| c.verdict).collect();
        if got.first() != Some(want) {
            bad.push(format!(
                "{text}\n  want {want:?}\n  got {:?}",
                found.iter().map(|c| (&c.verdict, &c.reason)).collect::<Vec<_>>()
            ));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

const S8: &str = "Whoever takes a lamp out of the tower without the keeper's consent—\n(a) by night shall lose a boat; or\n(b) by day shall lose an oar,\nand shall say so.\nExplanation.—“Dusk” means night.";

fn quotable() -> MemoryLookup {
    let law = Status::InForce;
    let headed = |unit: &str, heading: &str, text: &str| Provision {
        heading: Some(heading.to_owned()),
        ..lamp(unit, text, law)
    };
    MemoryLookup::new([edition(
        date(2010, 1, 1),
        true,
        vec![
            headed("s1", "Punishment for dimming", S1),
            lamp("s2", S2, law),
            headed("s8", "Taking of lamps.", S8),
        ],
    )])
}

#[test]
fn marks_of_every_kind_hold_quotations() {
    use Verdict::{Misquoted, Verified};
    check_quotes(&[
        ("Section 1 {} says 'Whoever dims a lamp that another has bought shall be punished'", Misquoted),
        ("Section 1 {} says 'Whoever dims a lamp that another has lit shall be punished'", Verified),
        ("Section 8 {} says 'Whoever takes a lamp out of the tower without the keeper's consent'", Verified),
        ("Section 8 {} says 'Whoever takes a boat out of the tower without the keeper's consent'", Misquoted),
        ("Section 1 {} says ‘Whoever dims a lamp that another has bought’.", Misquoted),
        ("The keeper's case under Section 1 {} isn't the moths' or the bats' case.", Verified),
        ("Section 1 {} provides: 'carry oil for a year'.", Misquoted),
    ]);
}

#[test]
fn a_quotation_may_stand_in_the_next_paragraph_or_in_a_block() {
    use Verdict::{Misquoted, Verified};
    check_quotes(&[
        ("Section 1 {} provides:\n> Whoever dims a lamp that another has lit shall be hanged.", Misquoted),
        (
            "Section 1 {} provides:\n> Whoever dims a lamp that another has lit shall be punished with a fine of nine coins\n> and shall carry oil for a month.",
            Verified,
        ),
        (
            "Section 1 {} reads as follows:\n\n> \"Whoever dims a lamp that another has lit shall be hanged.\"\n\nThat is all.",
            Misquoted,
        ),
        (
            "Section 1 {} provides:\n\n\"Whoever dims a lamp that another has lit shall be hanged.\"",
            Misquoted,
        ),
        ("Section 1 {}:\n\n“Whoever dims a lamp that another has lit shall be hanged.”", Misquoted),
        (
            "Section 2 {} reads:\n\n“(1) A keeper shall light every lamp of the harbour before the sun has set behind the western hill.\n\n“(2) A keeper who sleeps while a ship is in the harbour shall lose the key of the tower for one year.”",
            Verified,
        ),
        (
            "Section 1 {} is about lamps. It provides: “Whoever dims a lamp that another has lit shall be hanged”.",
            Misquoted,
        ),
        ("Section 1 {} is about lamps. The section says \"shall be hanged\".", Misquoted),
        (
            "Section 1 {} provides that \"Whoever dims a lamp\" pays. It also says \"shall be hanged\".",
            Misquoted,
        ),
        (
            "Section 1 {} is about lamps.\n\nIt reads: “Whoever dims a lamp that another has lit shall be hanged”.",
            Misquoted,
        ),
        // Nobody announces these.
        ("Section 1 {} applies.\n\n> Every owner of a boat may sleep in the tower tonight.", Verified),
        (
            "Section 1 {} applies.\n\n\"Every owner of a boat may sleep in the tower tonight,\" he wrote.",
            Verified,
        ),
        (
            "Section 1 {} was cited. The keeper, a man of sixty, then said: \"I never saw that lamp in my life\".",
            Verified,
        ),
    ]);
}

#[test]
fn each_quotation_of_several_is_compared() {
    use Verdict::{Misquoted, Verified};
    check_quotes(&[
        (
            "Section 1 {} says, inter alia, \"Whoever dims a lamp that another has lit\" and \"shall not carry any oil\".",
            Misquoted,
        ),
        (
            "Section 1 {} says \"Whoever dims a lamp that another has lit\" and \"shall carry oil for a month\".",
            Verified,
        ),
        ("Section 1 {} says \"shall never be punished\" and \"shall carry oil for a month\".", Misquoted),
        ("Section 1 {} says \"shall carry oil for a month … Whoever dims a lamp\"", Misquoted),
        ("Section 1 {}: \"Whoever dims a lamp ... shall carry oil for a month\"", Verified),
        ("Section 1 {}: \"shall carry oil for a month ... Whoever dims a lamp\"", Misquoted),
    ]);
}

#[test]
fn short_quotations_count_where_the_law_is_said_to_have_the_words() {
    use Verdict::{Misquoted, Unchecked, Verified};
    check_quotes(&[
        ("Section 1 {} says \"fine of ten coins\".", Misquoted),
        ("Section 1 {} says \"ten coins\".", Misquoted),
        ("Section 1 {} says \"nine coins\".", Verified),
        ("Section 1 {} speaks of a \"lamp that another has bought\".", Misquoted),
        ("Section 1 {} uses the words \"a big lamp\".", Misquoted),
        ("The words \"a big lamp\" in Section 1 {} are clear.", Misquoted),
        ("The words \"dims a lamp\" in Section 1 {} are clear.", Verified),
        ("Section 1 {} guarantees \"every owner of a boat a bed\".", Misquoted),
        ("Section 1 {} applies, and the expression \"lamp thief\" includes any keeper.", Verified),
        (
            "Section 1 {} says “nine coins”.\nForm of a summons:—\n“You shall appear before the keeper tonight”",
            Verified,
        ),
        // Names, terms and scare quotes are no claim about the words of the law.
        ("the so-called 'lamp murder' under Section 1 {}", Verified),
        ("Section 1 {} deals with the so-called \"lamp murder\".", Verified),
        ("Section 1 {} defines \"lamp murder\".", Verified),
        ("Section 1 {} punishes the \"dimming of lamps\".", Verified),
        ("Section 1 {} provides for a \"mandatory lamp fine\".", Verified),
        ("Section 1 {} guarantees the \"right to a lit lamp\".", Verified),
        ("Section 1 {} states the \"Dark Tower Rule\".", Verified),
        ("Section 1 {} is known as the \"lamp law\".", Verified),
        ("\"Lamp murder\" is what Section 1 {} is called.", Verified),
        ("The keeper told the court \"no oil\" and Section 1 {} was read.", Verified),
        ("Section 1 {} says \"lamps\".", Verified),
        // May be the law's words or not.
        ("Section 1 {} states that the fine is \"ten whole coins\".", Unchecked),
        ("Section 1 {} states that the fine is \"nine coins\".", Verified),
        ("Section 1 {} employs the term \"a big lamp\".", Misquoted),
        ("Section 1 {} says `fine of ten coins`.", Misquoted),
        ("Section 1 {} reads ``fine of ten coins''.", Misquoted),
    ]);
}

#[test]
fn forms_of_the_same_sign_and_the_first_letter_are_the_same() {
    use Verdict::{Misquoted, Verified};
    check_quotes(&[
        (
            "Section 8 {} reads \"Whoever takes a lamp out of the tower without the keeper’s consent-\"",
            Verified,
        ),
        ("Section 8 {} reads “whoever takes a lamp out of the tower”.", Verified),
        ("Section 8 {} reads “[w]hoever takes a lamp out of the tower”.", Verified),
        ("Section 8 {} reads “[a] lamp out of the tower”.", Verified),
        ("Section 8 {} reads: “'Dusk' means night”", Misquoted),
        ("Section 8 {} reads: “\"Dusk\" means night”", Verified),
        ("Section 8 {} reads “WHOEVER takes a lamp out of the tower”.", Misquoted),
        ("Section 8 {} reads “Whoever takes a Lamp out of the tower”.", Misquoted),
        ("Section 8 {} reads “Whoever takes a lamp [not] out of the tower”.", Misquoted),
        (
            "Section 1 {} reads thus:-\n\"1. Punishment for dimming.—Whoever dims a lamp that another has lit shall be punished with a fine of nine coins and shall carry oil for a month.\"",
            Verified,
        ),
        ("Section 1 {} reads: \"1. Whoever dims a lamp that another has lit\".", Verified),
        (
            "Section 1 {} reads: \"Section 1. Punishment for dimming.-Whoever dims a lamp that another has lit\".",
            Verified,
        ),
        (
            "Section 1 {} reads: \"Punishment for dimming: Whoever dims a lamp that another has lit\".",
            Verified,
        ),
        ("Section 1 {} says \"Punishment for dimming\".", Verified),
        // The number or the heading of another.
        ("Section 1 {} reads: \"2. Whoever dims a lamp that another has lit\".", Misquoted),
        (
            "Section 1 {} reads: \"1. Punishment for lighting.—Whoever dims a lamp that another has lit\".",
            Misquoted,
        ),
        ("Section 1 {} reads: \"12. Whoever dims a lamp that another has lit\".", Misquoted),
    ]);
}

#[test]
fn the_opening_words_are_those_of_each_clause() {
    use Verdict::{Verified, WrongNumber};
    check_quotes(&[
        (
            "Section 8(b) {} says “Whoever takes a lamp out of the tower without the keeper's consent … by day shall lose an oar”.",
            Verified,
        ),
        (
            "Section 8(b) {} says “Whoever takes a lamp out of the tower … by night shall lose a boat”.",
            WrongNumber,
        ),
        ("Section 8(a) {} says “by day shall lose an oar”.", WrongNumber),
    ]);
}

#[test]
fn words_of_a_later_text_are_not_checked_for_an_earlier_day() {
    let day = date(2005, 1, 1);
    let ask = |text: &str| {
        let text = text.replace("{}", ACT);
        check_text(&text, &quotable(), &lamp_catalogue(), &on(day)).citations[0].verdict
    };
    for text in [
        "Section 1 {} says “Whoever dims a lamp that another has lit shall be punished”.",
        "Section 1 {} says “Whoever dims a lamp that another has lit shall be hanged”.",
        "Section 1 {} says “nine coins”.",
        "Section 1 {} says “ten coins”.",
        "“dims a lamp that another has lit shall be punished” (Section 1 {})",
    ] {
        assert_eq!(ask(text), Verdict::Unchecked, "{text}");
    }
    assert_eq!(ask("Section 1 {} applies to “dimming”."), Verdict::Verified);
    assert_eq!(ask("Section 1 {} applies, and the keeper said “I never saw that lamp”."), Verdict::Verified);
}

#[test]
fn words_in_another_language_are_not_compared() {
    let ask = |text: &str| {
        check_text(&text.replace("{}", ACT), &quotable(), &lamp_catalogue(), &on(DAY)).citations[0].verdict
    };
    assert_eq!(ask("Section 1 {} provides “जो कोई दीपक बुझाता है वह दंडित किया जाएगा”."), Verdict::Unchecked);
    assert_eq!(ask("Section 1 {} provides “凡将他人点燃的灯熄灭者应受处罚”."), Verdict::Unchecked);
    assert_eq!(ask("Section 1 {} applies to the “दीपक”."), Verdict::Verified);
}

const CN: &str = "故意熄灭他人灯火的，处九枚铜钱的罚金；情节较轻的，处一日以上三日以下拘役。";

#[test]
fn chinese_quotations() {
    use Verdict::{Misquoted, Verified};
    let held = MemoryLookup::new([Edition {
        work: "cn/criminal-law".parse().unwrap(),
        language: "zh".to_owned(),
        provisions: vec![Provision {
            id: "cn/criminal-law#a232".parse().unwrap(),
            pinpoints: pinpoints(CN, Grammar::ChineseCode),
            ..lamp("s1", CN, Status::InForce)
        }],
        ..edition(date(2010, 1, 1), true, Vec::new())
    }]);
    let mut bad = Vec::new();
    for (text, want) in [
        ("《刑法》第二百三十二条规定：“故意熄灭他人灯火的，处九枚铜钱的罚金”", Verified),
        ("《刑法》第二百三十二条规定：\n“故意熄灭他人灯火的，处十枚铜钱的罚金”", Misquoted),
        ("《刑法》第二百三十二条规定：\n\n> 故意熄灭他人灯火的，处十枚铜钱的罚金。", Misquoted),
        ("《刑法》第二百三十二条“熄灯者死”", Misquoted),
        ("《刑法》第二百三十二条“情节较轻”的规定", Verified),
        ("《刑法》第二百三十二条规定“点灯者死”", Misquoted),
        ("《刑法》第二百三十二条规定：「故意熄灭他人灯火的，处十枚铜钱的罚金」", Misquoted),
        ("《刑法》第二百三十二条规定：“第二百三十二条 故意熄灭他人灯火的，处九枚铜钱的罚金”", Verified),
        (
            "《刑法》第二百三十二条规定：“第二百三十二条【熄灯罪】故意熄灭他人灯火的，处九枚铜钱的罚金”",
            Verified,
        ),
        ("《刑法》第二百三十二条规定：“第二百三十三条 故意熄灭他人灯火的，处九枚铜钱的罚金”", Misquoted),
        ("《刑法》第二百三十二条规定“故意熄灭他人灯火的”，又规定“处死刑或者无期徒刑”", Misquoted),
        // Names of offences and terms.
        ("《刑法》第二百三十二条规定的“熄灯罪”", Verified),
        ("《刑法》第二百三十二条“故意熄灭灯火罪”", Verified),
        ("《刑法》第二百三十二条规定的“利用影响力熄灭他人灯火罪”", Verified),
        ("《刑法》第二百三十二条规定了“灯火不得熄灭原则”", Verified),
        ("《刑法》第二百三十二条所谓“他人灯具”", Verified),
        ("被告人辩解称“我没有熄灭任何灯火啊”，《刑法》第二百三十二条", Verified),
    ] {
        let context = Context { jurisdiction: Some("cn".to_owned()), ..on(DAY) };
        let found = check_text(text, &held, &named(), &context).citations;
        if found.first().map(|c| c.verdict) != Some(want) {
            bad.push(format!("{text}\n  want {want:?}\n  got {found:?}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn entries_items_and_paragraphs_are_the_same_rows() {
    let rows = "1. Lamps.\n2. Torches.\n3. Candles.";
    let lists = "List I—Lamps\n1. Lighthouses.\n2. Beacons.";
    let held = MemoryLookup::new([edition(
        date(2010, 1, 1),
        true,
        vec![lamp("sch1", rows, Status::InForce), lamp("sch2", lists, Status::InForce)],
    )]);
    let ask = |id: &str| check_id(id, &held, &lamp_catalogue(), &on(DAY));
    for (id, place) in
        [("sch1.e2", "sch1.para2"), ("sch1.para2", "sch1.para2"), ("sch2.list1.para2", "sch2.list1.e2")]
    {
        let c = ask(&format!("xx/lamp-act#{id}"));
        assert_eq!(
            (c.verdict, c.id.unwrap().to_string()),
            (Verdict::Verified, format!("xx/lamp-act#{place}")),
            "{id}"
        );
    }
    for id in ["sch1.e9", "sch2.e1", "sch2.para1", "sch2.list1.e9"] {
        assert_eq!(ask(&format!("xx/lamp-act#{id}")).verdict, Verdict::PinpointNotFound, "{id}");
    }
}

#[test]
fn what_is_too_long_to_compare_is_not_green() {
    use Verdict::{Misquoted, Unchecked, Verified};
    let wrong = "Whoever lights a second lamp beside the first one shall be sent away. ";
    for (times, want) in [(200, Misquoted), (300, Unchecked), (660, Unchecked), (6000, Unchecked)] {
        let words = wrong.repeat(times);
        for text in [
            format!("Section 1 {ACT} provides: \"{words}\""),
            format!("Section 1 {ACT} provides that “{words}”."),
            format!("Section 1 {ACT} provides:'{}'", words.trim_end()),
            format!("Section 1 {ACT} provides: 「{words}」"),
        ] {
            let found = check_text(&text, &quotable(), &lamp_catalogue(), &on(DAY)).citations;
            assert_eq!(found[0].verdict, want, "{times}: {}", found[0].reason);
        }
    }
    check_quotes(&[
        (
            "Section 1 {} provides: \"Whoever dims a boat\n\nshall be sent away for ever.\" So it says.",
            Unchecked,
        ),
        // No quotation of it at all.
        ("Section 1 {} applies to a 5\" lamp.\n\nAnother 6\" lamp is free.", Verified),
    ]);
}

#[test]
fn words_that_are_plainly_the_provisions_are_compared_whatever_verb_leads_to_them() {
    use Verdict::{Misquoted, Unchecked, Verified};
    check_quotes(&[
        ("Section 1 {} punishes 'Whoever dims a lamp that another has bought'", Misquoted),
        ("Section 1 {} punishes 'Whoever dims a lamp that another has lit'", Verified),
        (
            "Under Section 8 {}, which catches 'Whoever takes a boat out of the tower without the keeper's consent', he is liable.",
            Misquoted,
        ),
        ("Section 1 {} punishes 'the man who never came home in the storm'", Verified),
        ("As Section 1 {} has it, he must act 'within 41 days'.", Unchecked),
        ("Section 1 {} was charged after 'three men' came.", Verified),
    ]);
}

#[test]
fn words_of_a_paper_made_under_a_provision_are_not_the_statutes() {
    use Verdict::{Misquoted, Verified, WrongNumber};
    check_quotes(&[
        (
            "The statement under Section 1 {} says \"I saw the keeper with a boat near the old pier\".",
            Verified,
        ),
        (
            "The notice under Section 1 {} reads \"you are hereby told to come to the pier on Monday\".",
            Verified,
        ),
        ("Section 1 {}, says counsel, \"is wholly out of place in the case of a fishing boat\".", Verified),
        ("Section 1 {} read with \"the confession that he gave to his brother in the night\"", Verified),
        // What the provision is said to say is its own.
        ("Section 1 {} says \"I saw the keeper with a boat near the old pier\".", Misquoted),
        ("The law under Section 1 {} says \"I saw the keeper with a boat near the old pier\".", Misquoted),
        // Each of two pairs has its own words.
        (
            "\"Whoever dims a lamp that another has lit\" (Section 1 {}); \"Whoever takes a lamp out of the tower\" (Section 8 {}).",
            Verified,
        ),
        ("\"Whoever takes a lamp out of the tower\" (Section 1 {}).", WrongNumber),
    ]);
}
