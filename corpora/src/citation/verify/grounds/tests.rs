//! Sentences on invented statutes: those that bind an offence to a provision about another, and those that do not.

use jiff::civil::{Date, date};

use crate::citation::{Citation, Context, Verdict, check_text};
use crate::id::ProvisionId;
use crate::lookup::MemoryLookup;
use crate::manifest::{Catalogue, Grammar, Manifest};
use crate::pinpoint::pinpoints;
use crate::provision::{Annotation, AnnotationKind, Edition, Provision, SourceRef, Status};

const ORCHARD: &str = r#"id = "xx/orchard-code"
kind = "substantive"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "1990-01-01"
[title]
en = "Orchard Code, 1990"
[names]
en = ["Orchard Code"]
"#;

const RULES: &str = r#"id = "xx/bench-rules"
kind = "procedure"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "1990-01-01"
[title]
en = "Bench Rules, 1990"
[names]
en = ["Bench Rules"]
"#;

const GARDEN: &str = r#"id = "yy/garden-law"
kind = "substantive"
unit = "article"
grammar = "chinese-code"
language = "zh"
in_force_from = "1990-01-01"
[title]
zh = "果园法"
[names]
zh = ["果园法"]
"#;

/// Number, heading, text.
const SECTIONS: &[(&str, &str, &str)] = &[
    ("s1", "Short title", "This Code may be cited as the Orchard Code."),
    ("s2", "“Keeper”", "The word keeper denotes whoever holds the key of a gate."),
    (
        "s3",
        "Scrumping",
        "Whoever takes fruit off a tree that another has planted is said to commit scrumping.",
    ),
    (
        "s4",
        "Punishment for scrumping",
        "Whoever commits scrumping shall be punished with a fine of nine coins.",
    ),
    ("s5", "Lamp-dimming", "Whoever turns down a lamp that another has lit is said to commit lamp-dimming."),
    (
        "s6",
        "Punishment for lamp-dimming",
        "Whoever commits lamp-dimming shall be punished with the loss of the key for a year.",
    ),
    (
        "s7",
        "Punishment for hive-breaking",
        "Whoever breaks a hive shall be punished with labour for a month.",
    ),
    ("s8", "Gate-jumping", "Whoever climbs over a gate by night shall be punished with a fine of two coins."),
    ("s9", "Abetment of an offence", "Whoever helps a keeper shall be punished as the keeper is."),
    ("s10", "Attempt to commit gate-jumping", "Whoever tries it shall be punished with half of the fine."),
    ("s11", "Scrumping by night", "Whoever takes fruit after sunset shall be punished with a double fine."),
    ("s12", "Hive-breaking in order to scrump", "Whoever does so shall be punished with labour for a year."),
    ("s13", "Exceptions to the rule of lamps", "Nothing is punished that is done in fog."),
    ("s14", "Acts done by several keepers in common", "Each is liable as if he alone had done it."),
    (
        "s15",
        "Bell-muffling",
        "Whoever, being liable under section 4, muffles the bell shall be punished with a fine of three coins.",
    ),
    (
        "s16",
        "Well-spoiling",
        "Whoever commits such offence beside a well shall be punished with a fine of ten coins.",
    ),
    ("s17", "Grafting without leave", "Whoever grafts a tree of another shall be punished with a fine."),
    ("s18", "Windfall", "Fruit on the ground belongs to nobody; to take it is no scrumping."),
    (
        "s19",
        "Punishment for windfall",
        "Whoever fences windfall in shall be punished with a fine of one coin.",
    ),
    ("s21", "“Plucked fruit”", "Fruit got by scrumping is called plucked fruit."),
    (
        "s22",
        "Dishonestly hoarding plucked fruit",
        "Whoever hoards plucked fruit, knowing it for what it is, shall be punished with a fine of six coins.",
    ),
    ("s20", "", "Whoever whistles in the orchard shall be punished with silence."),
];

/// Number, heading, names over later paragraphs, text.
const ARTICLES: &[(&str, &str, &[&str], &str)] = &[
    ("a1", "立法目的", &[], "为了保护果园，制定本法。"),
    ("a2", "果农的含义", &[], "本法所称果农，是指看守果园的人。"),
    ("a3", "偷摘果实罪", &[], "偷摘他人果实的，罚九枚铜钱。"),
    ("a4", "故意熄灯罪", &[], "故意熄灭他人所点灯火的，收回钥匙一年。"),
    ("a5", "毁坏蜂箱罪", &["【私酿蜂蜜罪】"], "毁坏他人蜂箱的，劳作一月。\n私自酿蜜的，罚三枚铜钱。"),
    ("a6", "夜间翻门罪；堵塞水井罪", &[], "夜里翻越园门，或者堵住水井的，罚二枚铜钱。"),
    ("a7", "共同犯罪", &[], "几个人一起做的，各自承担。"),
    ("a8", "抢收庄稼罪", &[], "抢收他人庄稼的，罚十枚铜钱。偷摘果实时使用棍棒的，也是如此。"),
    ("a9", "捂钟罪", &[], "捂住大钟的，依照第三条的规定处理。"),
    ("a10", "故意折枝罪", &[], "故意折断果树枝条的，罚五枚铜钱。"),
];

fn provision(work: &str, unit: &str, heading: &str, text: &str, grammar: Grammar) -> Provision {
    Provision {
        id: format!("{work}#{unit}").parse().unwrap(),
        heading: Some(heading.to_owned()).filter(|h| !h.is_empty()),
        breadcrumb: Vec::new(),
        text: text.to_owned(),
        status: Status::InForce,
        in_force_from: None,
        in_force_until: None,
        struck_down: None,
        annotations: Vec::new(),
        pinpoints: pinpoints(text, grammar),
        source: SourceRef { file_sha256: String::new(), page: None, offset: None },
    }
}

fn edition(work: &str, language: &str, provisions: Vec<Provision>) -> Edition {
    Edition {
        work: work.parse().unwrap(),
        version: date(2000, 1, 1),
        language: language.to_owned(),
        source: "file".to_owned(),
        source_file: String::new(),
        source_sha256: String::new(),
        complete: true,
        provisions,
    }
}

fn orchard(work: &str) -> Edition {
    let all =
        SECTIONS.iter().map(|(unit, heading, text)| provision(work, unit, heading, text, Grammar::IndianAct));
    edition(work, "en", all.collect())
}

fn garden() -> Edition {
    let all = ARTICLES.iter().map(|(unit, heading, parts, text)| {
        let mut p = provision("yy/garden-law", unit, heading, text, Grammar::ChineseCode);
        p.annotations = parts
            .iter()
            .map(|part| Annotation {
                kind: AnnotationKind::EditorHeading,
                marker: None,
                text: (*part).to_owned(),
                at: None,
            })
            .collect();
        p
    });
    edition("yy/garden-law", "zh", all.collect())
}

fn catalogue() -> Catalogue {
    Catalogue::new([ORCHARD, RULES, GARDEN].map(|text| Manifest::parse("test", text).unwrap()))
}

const DAY: Date = date(2010, 1, 1);

fn ask(editions: Vec<Edition>, text: &str, day: Date) -> Vec<Citation> {
    let context = Context { as_of: Some(day), jurisdiction: Some("xx".to_owned()), ..Context::default() };
    check_text(text, &MemoryLookup::new(editions), &catalogue(), &context).citations
}

fn check(text: &str) -> Vec<Citation> {
    ask(vec![orchard("xx/orchard-code"), orchard("xx/bench-rules"), garden()], text, DAY)
}

/// Bound to a provision about something else, and the provision that is about it.
const WRONG: &[(&str, &str)] = &[
    ("scrumping under section 6 of the Orchard Code", "s4"),
    ("Scrumping under Section 6 of the Orchard Code.", "s4"),
    ("He was convicted of scrumping under section 6 of the Orchard Code.", "s4"),
    ("The offence of scrumping punishable under Section 6 of the Orchard Code is made out.", "s4"),
    ("the offence of scrumping, punishable under section 7 of the Orchard Code, was proved", "s4"),
    ("She committed lamp-dimming under section 4 of the Orchard Code.", "s6"),
    ("lamp-dimming u/s 4 of the Orchard Code", "s6"),
    ("The charge is lamp dimming under section 7 of the Orchard Code.", "s6"),
    ("Scrumping is punishable under section 6 of the Orchard Code.", "s4"),
    ("Scrumping is an offence under section 6 of the Orchard Code.", "s4"),
    ("Scrumping is defined in section 5 of the Orchard Code.", "s3"),
    ("scrumping as defined in section 5 of the Orchard Code", "s3"),
    ("scrumping, as defined under section 5 of the Orchard Code", "s3"),
    ("scrumping within the meaning of section 5 of the Orchard Code", ""),
    ("hive-breaking under section 8 of the Orchard Code", "s7"),
    ("gate-jumping under section 7 of the Orchard Code", "s8"),
    ("an act of gate-jumping under section 4 of the Orchard Code", "s8"),
    ("guilty of gate jumping under the provisions of section 6 of the Orchard Code", "s8"),
    ("Section 6 of the Orchard Code (scrumping) applies.", "s4"),
    ("He is charged under section 6 of the Orchard Code (punishment for scrumping).", "s4"),
    ("Section 4 of the Orchard Code (the offence of lamp-dimming) governs.", "s6"),
    ("Scrumping (section 6 of the Orchard Code) was proved.", "s4"),
    ("Scrumping (punishable under section 6 of the Orchard Code) was proved.", "s4"),
    ("He was sentenced under section 6 of the Orchard Code for scrumping.", "s4"),
    ("He was sentenced under section 6 of the Orchard Code for the offence of scrumping.", "s4"),
    ("Convicted u/s 7 of the Orchard Code for committing lamp-dimming in the harbour.", "s6"),
    ("Section 6 of the Orchard Code, which punishes scrumping, is clear.", "s4"),
    ("Section 6 of the Orchard Code, which deals with scrumping, is clear.", "s4"),
    ("Section 6 of the Orchard Code deals with scrumping.", "s4"),
    ("Section 6 of the Orchard Code provides punishment for scrumping.", "s4"),
    ("Section 6 of the Orchard Code prescribes the punishment for scrumping.", "s4"),
    ("Section 5 of the Orchard Code defines scrumping.", "s3"),
    ("Section 7 of the Orchard Code relates to gate-jumping.", "s8"),
    ("Section 6 of the Orchard Code: Scrumping\n\nThe tree was old.", "s4"),
    ("Section 6 of the Orchard Code - Punishment for scrumping\n\nThe tree was old.", "s4"),
    ("1. Scrumping under Section 6 of the Orchard Code\n2. The rest is open.", "s4"),
    ("- **Scrumping** under **Section 6 of the Orchard Code**: a fine.", "s4"),
    (
        "The accused did not speak. He committed scrumping under section 6 of the Orchard Code. Nothing else matters.",
        "s4",
    ),
    ("FIR No. 12 was lodged for scrumping under section 6 of the Orchard Code.", "s4"),
    ("grafting without leave under section 4 of the Orchard Code", "s17"),
    ("His scrumping, an offence punishable under section 8 of the Orchard Code, came first.", "s4"),
    ("this amounts to scrumping under section 8 of the Orchard Code", "s4"),
    ("《果园法》第四条规定的偷摘果实罪", "a3"),
    ("被告人的行为构成《果园法》第四条规定的偷摘果实罪。", "a3"),
    ("被告人构成偷摘果实罪（《果园法》第四条）。", "a3"),
    ("《果园法》第五条（偷摘果实罪）", "a3"),
    ("《果园法》第五条【故意熄灯罪】", "a4"),
    ("依照《果园法》第四条之规定，以偷摘果实罪判处罚金。", "a3"),
    ("根据《果园法》第五条的规定，应当以故意熄灯罪定罪处罚。", "a4"),
    ("依照《果园法》第三条以毁坏蜂箱罪论处。", "a5"),
    ("根据《果园法》第四条，偷摘果实罪的刑期为一年。", "a3"),
    ("《果园法》第三条夜间翻门罪", "a6"),
    ("《果园法》第三条所规定的堵塞水井罪已经成立。", "a6"),
    ("《果园法》第三条规定的“私酿蜂蜜罪”", "a5"),
    ("故意折枝罪（《果园法》第四条）：罚五枚铜钱，并非重罚。", "a10"),
    ("《果园法》第十条规定的故意熄灯罪", "a4"),
];

/// Right, or not certain to be wrong: the verdict stays.
const RIGHT: &[&str] = &[
    // The right provision, and others that speak of the offence.
    "scrumping under section 4 of the Orchard Code",
    "scrumping under section 3 of the Orchard Code",
    "scrumping under section 11 of the Orchard Code",
    "scrumping under section 12 of the Orchard Code",
    "hive-breaking under section 12 of the Orchard Code",
    "Section 6 of the Orchard Code punishes lamp-dimming.",
    "Section 6 of the Orchard Code, which punishes lamp-dimming, is clear.",
    "scrumping by night under section 11 of the Orchard Code",
    // A penalty whose definition speaks of the offence.
    "scrumping under section 19 of the Orchard Code",
    "scrumping under section 22 of the Orchard Code",
    // General provisions.
    "scrumping under section 9 of the Orchard Code",
    "scrumping under section 10 of the Orchard Code",
    "scrumping under section 13 of the Orchard Code",
    "scrumping under section 14 of the Orchard Code",
    "scrumping under section 1 of the Orchard Code",
    "scrumping under section 2 of the Orchard Code",
    // Takes the offence from elsewhere, or names the other provision.
    "scrumping under section 15 of the Orchard Code",
    "scrumping under section 16 of the Orchard Code",
    // A provision without a heading.
    "scrumping under section 20 of the Orchard Code",
    // What no heading names.
    "whistling under section 6 of the Orchard Code",
    "murder under section 6 of the Orchard Code",
    "keeper under section 6 of the Orchard Code",
    // Another noun than the name.
    "the scrumping case under section 6 of the Orchard Code",
    "aggravated scrumping under section 6 of the Orchard Code",
    "attempted scrumping under section 6 of the Orchard Code",
    "section 6 of the Orchard Code (scrumping case)",
    "section 6 of the Orchard Code (see scrumping)",
    "sentenced under section 6 of the Orchard Code for scrumping offences",
    // Denied, contrasted, doubted, asked.
    "not scrumping under section 6 of the Orchard Code",
    "It is not scrumping under section 6 of the Orchard Code but something else.",
    "This was never scrumping under section 6 of the Orchard Code.",
    "Acquitted of scrumping, he was convicted under section 6 of the Orchard Code.",
    "He was acquitted of scrumping under section 6 of the Orchard Code.",
    "Is this scrumping under section 6 of the Orchard Code?",
    "Whether it is scrumping under section 6 of the Orchard Code is open.",
    "What is scrumping under section 6 of the Orchard Code?",
    "If it were scrumping under section 6 of the Orchard Code, he is free.",
    "The lower court wrongly saw scrumping under section 6 of the Orchard Code.",
    "It is a mistake to speak of scrumping under section 6 of the Orchard Code.",
    "The charge of scrumping under section 6 of the Orchard Code was quashed.",
    "Section 6 of the Orchard Code does not deal with scrumping.",
    "Section 6 of the Orchard Code, unlike scrumping, is strict.",
    "Instead of scrumping under section 6 of the Orchard Code he was tried for less.",
    "There isn't scrumping under section 6 of the Orchard Code.",
    "The charge was altered from scrumping under section 6 of the Orchard Code.",
    "It would be scrumping under section 6 of the Orchard Code.",
    // Aimed at only.
    "with intent to commit scrumping under section 6 of the Orchard Code",
    "a threat of scrumping under section 6 of the Orchard Code",
    "conspiracy to commit scrumping under section 6 of the Orchard Code",
    "abetment of scrumping under section 6 of the Orchard Code",
    // Not what somebody is charged with.
    "evidence of scrumping under section 6 of the Orchard Code",
    "the victim of the scrumping under section 6 of the Orchard Code",
    "proceeds of scrumping under section 6 of the Orchard Code",
    // Two names, or two provisions.
    "scrumping and lamp-dimming under section 6 of the Orchard Code",
    "lamp-dimming or scrumping under section 6 of the Orchard Code",
    "guilty of lamp-dimming, not of scrumping under section 6 of the Orchard Code",
    "scrumping under section 4 and lamp-dimming under section 6 of the Orchard Code",
    "scrumping under sections 6 and 4 of the Orchard Code",
    "scrumping under sections 6, 4 of the Orchard Code",
    "scrumping under section 6/4 of the Orchard Code",
    "scrumping under section 6 read with section 4 of the Orchard Code",
    "scrumping under section 6 r/w 4 of the Orchard Code",
    "scrumping under sections 5 to 8 of the Orchard Code",
    "scrumping (section 4 of the Orchard Code) under section 6 of the Orchard Code",
    "scrumping and hive-breaking, sections 6 and 7 of the Orchard Code respectively",
    // Not bound.
    "Scrumping is common. Section 6 of the Orchard Code was read out.",
    "He went scrumping. Under section 6 of the Orchard Code he lost the key.",
    "In a matter of scrumping the court turned to section 6 of the Orchard Code.",
    "Section 6 of the Orchard Code; scrumping",
    // Procedure is cited for what it does.
    "scrumping under section 6 of the Bench Rules",
    // Chinese.
    "《果园法》第三条规定的偷摘果实罪",
    "被告人构成偷摘果实罪（《果园法》第三条）。",
    "依照《果园法》第三条之规定，以偷摘果实罪判处罚金。",
    "《果园法》第五条第二款规定的私酿蜂蜜罪",
    "《果园法》第六条规定的堵塞水井罪",
    "《果园法》第八条规定的偷摘果实罪",
    "《果园法》第九条规定的偷摘果实罪",
    "《果园法》第七条规定的偷摘果实罪",
    "《果园法》第一条规定的偷摘果实罪",
    "《果园法》第四条规定的吹口哨罪",
    "《果园法》第四条规定的不是偷摘果实罪",
    "不构成《果园法》第四条规定的偷摘果实罪",
    "是否构成《果园法》第四条规定的偷摘果实罪？",
    "一审错误适用《果园法》第四条规定的偷摘果实罪",
    "《果园法》第四条规定的偷摘果实罪和毁坏蜂箱罪",
    "《果园法》第四条规定的偷摘果实罪、毁坏蜂箱罪",
    "《果园法》第三条、第四条规定的偷摘果实罪",
    "《果园法》第四条至第六条规定的偷摘果实罪",
    "构成偷摘果实罪，依照《果园法》第四条处理。",
    "教唆他人犯《果园法》第四条规定的偷摘果实罪",
    "故意熄灯罪与偷摘果实罪（《果园法》第五条）不同。",
    "《果园法》第四条规定的夜偷摘果实罪",
];

#[test]
fn an_offence_bound_to_a_provision_about_another_is_misgrounded() {
    let mut bad = Vec::new();
    for (text, about) in WRONG {
        let found = check(text);
        let work = if text.contains('第') { "yy/garden-law" } else { "xx/orchard-code" };
        let says = found.iter().any(|c| {
            c.verdict == Verdict::Misgrounded
                && c.reason.contains("cited for ")
                && (about.is_empty() || c.reason.contains(&format!("{work}#{about}")))
        });
        if found.len() != 1 || !says {
            bad.push(format!(
                "{text}: {:?}",
                found.iter().map(|c| (c.verdict, &c.reason)).collect::<Vec<_>>()
            ));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(WRONG.len() >= 40);
}

#[test]
fn what_is_right_or_not_certain_keeps_its_verdict() {
    let mut bad = Vec::new();
    for text in RIGHT {
        let found = check(text);
        // Each has a citation that the look-up alone finds.
        if !found.iter().any(|c| c.verdict == Verdict::Verified)
            || found.iter().any(|c| c.verdict == Verdict::Misgrounded || c.reason.contains("cited for"))
        {
            bad.push(format!(
                "{text}: {:?}",
                found.iter().map(|c| (c.verdict, &c.reason)).collect::<Vec<_>>()
            ));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(RIGHT.len() >= 60);
}

#[test]
fn the_reason_names_both_provisions_and_what_they_are_about() {
    let c = check("scrumping under section 6 of the Orchard Code").remove(0);
    assert_eq!(
        c.reason,
        "cited for scrumping, but xx/orchard-code#s6 is “Punishment for lamp-dimming”; \
         scrumping is in xx/orchard-code#s4 (Punishment for scrumping), xx/orchard-code#s3 (Scrumping)"
    );
    assert_eq!(c.id, Some("xx/orchard-code#s6".parse::<ProvisionId>().unwrap()));
}

#[test]
fn every_heading_is_at_home_at_its_own_number() {
    for (unit, heading, _) in SECTIONS {
        let name = heading.trim_start_matches("Punishment for ").to_lowercase();
        let number = unit.trim_start_matches('s');
        for text in [
            format!("{name} under section {number} of the Orchard Code"),
            format!("Section {number} of the Orchard Code ({name})"),
            format!("Section {number} of the Orchard Code, which deals with {name}"),
        ] {
            assert!(check(&text).iter().all(|c| c.verdict != Verdict::Misgrounded), "{text}");
        }
    }
}

#[test]
fn without_headings_nothing_is_misgrounded() {
    let mut plain = orchard("xx/orchard-code");
    for p in &mut plain.provisions {
        p.heading = None;
    }
    for (text, _) in WRONG.iter().filter(|(text, _)| !text.contains('第')) {
        let found = ask(vec![plain.clone()], text, DAY);
        assert!(found.iter().all(|c| c.verdict == Verdict::Verified), "{text}: {found:?}");
    }
}

#[test]
fn before_the_oldest_text_it_is_not_green_and_not_charged() {
    let c = ask(
        vec![orchard("xx/orchard-code")],
        "scrumping under section 6 of the Orchard Code",
        date(1995, 1, 1),
    )
    .remove(0);
    assert_eq!(c.verdict, Verdict::Unchecked);
    assert!(c.reason.contains("in that text: cited for scrumping"), "{}", c.reason);
}

#[test]
fn a_worse_verdict_stays() {
    let found = check("scrumping under section 90 of the Orchard Code");
    assert_eq!(found.first().map(|c| c.verdict), Some(Verdict::NotFound));
}

#[test]
fn a_sentence_out_of_sight_is_not_judged() {
    let long = "the keeper of the orchard went along the wall and along the river and ".repeat(12);
    let text = format!("It was {long} scrumping under section 6 of the Orchard Code");
    assert!(check(&text).iter().all(|c| c.verdict == Verdict::Verified));
}

#[test]
fn many_citations_take_time_in_proportion() {
    let time = |n: usize| {
        let text = "He committed scrumping under section 6 of the Orchard Code.\n\n".repeat(n);
        let start = std::time::Instant::now();
        assert_eq!(check(&text).iter().filter(|c| c.verdict == Verdict::Misgrounded).count(), n);
        start.elapsed()
    };
    time(50);
    let (few, many) = (time(400), time(3200));
    assert!(many < few * 32, "{few:?} for 400, {many:?} for 3200");
}
