use std::sync::Arc;

use jiff::civil::{Date, date};
use nyaya_agents::chat::Usage;
use nyaya_agents::event::{Body, Decision, Finding, Statement};
use nyaya_corpora::citation::Verdict;
use nyaya_corpora::{Manifest, MemoryLookup, Provision, StruckDown, Unit};
use nyaya_retrieval::Hit;

use super::*;
use crate::audit::Audit;
use crate::testing::*;
use crate::transcript::{CaseInfo, Progress, Trial};

const ORCHARD: &str = r#"
id = "xx/orchard"
kind = "substantive"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2000-01-01"
title = { en = "Orchard Act, 1999" }
names = { en = ["Orchard Act"] }
[[version]]
from = "2000-01-01"
expected = ["4-9"]
"#;

const GUOYUAN: &str = r#"
id = "xx/guoyuan"
kind = "substantive"
unit = "article"
grammar = "chinese-code"
language = "zh"
in_force_from = "2000-01-01"
title = { zh = "果园法" }
names = { zh = ["果园法"] }
"#;

fn catalogue() -> Catalogue {
    Catalogue::new([ORCHARD, GUOYUAN].map(|text| Manifest::parse("test", text).unwrap()))
}

fn orchard() -> MemoryLookup {
    statute(
        "xx/orchard",
        "en",
        false,
        &[
            (
                5,
                "Meaning of taking",
                "A person takes fruit who moves it from where its keeper left it.\nExplanation.—Fruit that lies on the ground beneath its tree is still in the keeping of the person who tends the tree.",
            ),
            (
                7,
                "Taking of fruit",
                "Whoever takes fruit from an orchard without leave of its keeper, meaning to keep it, shall give back the fruit or its worth, and shall work in that orchard for not more than ten days.",
            ),
            (
                8,
                "Taking of windfall",
                "Whoever takes fruit that has fallen, believing on some ground that nobody wanted it, shall give back the fruit or its worth, and no more.",
            ),
            (
                9,
                "Entering by night",
                "Whoever climbs a wall or a fence into an orchard between sunset and sunrise, meaning to take fruit, shall work in that orchard for not more than thirty days.",
            ),
        ],
    )
}

fn guoyuan() -> MemoryLookup {
    statute(
        "xx/guoyuan",
        "zh",
        true,
        &[
            (
                7,
                "擅取果实",
                "未经看管人同意，以据为己有为目的取走果园果实的，应当返还果实或者照价赔偿，并在该果园劳动十日以下。\n果实落在树下的，仍由看管人占有。",
            ),
            (8, "取走落果", "取走落果，并有理由认为该果实已被抛弃的，应当返还果实或者照价赔偿。"),
        ],
    )
}

fn hit_of(lookup: &dyn ProvisionLookup, name: &str, rank: usize, exact: bool) -> Hit {
    let id = id(name);
    let provision: Arc<Provision> = lookup.provision(&id.work, date(2000, 1, 1), &id.unit).unwrap();
    let mut hit = hit(name, rank, &provision.text);
    hit.heading = provision.heading.clone();
    hit.exact = exact;
    hit
}

fn persona(script: Script, agent: &str, text: &str) -> Script {
    script.push(actor("adjudicator", agent), "start", None, Body::Persona { text: text.to_owned() })
}

fn usage(prompt: u64, completion: u64) -> Usage {
    Usage { prompt_tokens: Some(prompt), completion_tokens: Some(completion) }
}

/// An invented trial in English with every kind of event and citation.
fn english() -> Trial {
    const C7: &str = "xx/orchard#s7";
    const C9: &str = "xx/orchard#s9";
    let lookup = orchard();
    let windfall = || Some(Finding::Lesser { offence: id("xx/orchard#s8") });
    let (g, n) = (|| Some(Finding::Guilty), || Some(Finding::NotGuilty));
    let instructions = "Members of the bench, there are two charges, and you will answer them one by one.\n\
        **The first charge** is under section 7 of the Orchard Act. It asks whether fruit was taken without leave of its keeper, meaning to keep it. What taking is, section 5 says; note its Explanation on fruit beneath a tree.\n\
        **The second charge** is under section 9. Entering by night must be shown with the wall or fence climbed.\n\
        Doubt that you can give a reason for belongs to the accused.";
    let opening = "The accused filled a sack with forty apples beneath the old tree and was seen to climb the north wall with it. \
        Fruit on the ground \"is still in the keeping of the person who tends the tree\" (s. 5). Taking it is an offence under s. 7(1) of the Orchard Act, and doing so by night one under s. 9.\n\
        - The ladder was found on the outer side of the wall.\n\
        - The sack bears the name of the accused.\n\
        See also s. 90 of the Orchard Act and Rule 4 of the Market Rules.";
    let mut quoted = cited(opening, "s. 5", Some("xx/orchard#s5"), Verdict::Verified);
    quoted.quoted = Some("is still in the keeping of the person who tends the tree".to_owned());
    let mut pinpoint =
        cited(opening, "s. 7(1) of the Orchard Act", Some("xx/orchard#s7.1"), Verdict::PinpointNotFound);
    pinpoint.citation.reason = "section 7 has no subsection (1)".to_owned();
    let mut absent = cited(opening, "s. 90 of the Orchard Act", Some("xx/orchard#s90"), Verdict::NotFound);
    absent.citation.range = Some("4-9".to_owned());
    absent.citation.reason = "the Orchard Act has no section 90".to_owned();
    let mut rule = cited(opening, "Rule 4 of the Market Rules", None, Verdict::Unchecked);
    rule.citation.reason = "no text of the Market Rules is held".to_owned();
    let defence = "Apples lay in the lane as well as in the orchard, and the gate had been open since the harvest. The accused believed that nobody wanted them; that is section 8 and not section 7. Nobody saw anybody on the wall by night: the witness speaks of dusk. The former s. 4 asked for a warning that was never given.";
    let mut repealed = cited(defence, "s. 4", Some("xx/orchard#s4"), Verdict::Repealed);
    repealed.citation.successor = vec!["xx/orchard#s6".to_owned()];
    repealed.citation.reason = "omitted from 2000-01-01".to_owned();
    let judgment = "## The charge under section 7\n\
        The bench finds by four of five that the accused took fruit that had fallen, believing on some ground that nobody wanted it. That is an offence under section 8 of the Orchard Act, and not one under section 7.\n\
        ## The charge under section 9\n\
        Nobody saw the wall climbed after sunset. The accused is not guilty.\n\
        ## Order\n\
        The accused shall give back forty apples or their worth.";
    let mut s8 = cited(judgment, "section 8 of the Orchard Act", Some("xx/orchard#s8"), Verdict::Verified);
    s8.quoted = Some("believing on some ground that nobody wanted it".to_owned());
    let cite = |text: &str, raw: &str, name: &str| cited(text, raw, Some(name), Verdict::Verified);

    let mut script = Script::new("old-apple-tree", 0, "en");
    for (agent, text) in [
        ("adjudicator-1", "a retired schoolteacher who wants every step shown"),
        ("adjudicator-2", "a fruit grower who has lost harvests to thieves"),
        ("adjudicator-3", "a young advocate, careful with doubt"),
        ("adjudicator-4", "a village clerk who reads statutes to the letter"),
        ("adjudicator-5", "a merchant who weighs what is usual"),
    ] {
        script = persona(script, agent, text);
    }
    script = script
        .searches("judge", "judge", "queries", "taking fruit without leave; entering an orchard by night", vec![
            hit_of(&lookup, C7, 1, false),
            hit_of(&lookup, C9, 2, false),
            hit_of(&lookup, "xx/orchard#s5", 3, false),
        ])
        .calls("judge", "judge", "strict", usage(1480, 212))
        .says("judge", "judge", "instructions", instructions, vec![
            in_field(C7, Verdict::Verified),
            in_field(C9, Verdict::Verified),
            cite(instructions, "section 7 of the Orchard Act", C7),
            cite(instructions, "section 5", "xx/orchard#s5"),
            cite(instructions, "section 9", C9),
        ])
        .push(actor("prosecution", "prosecution"), "opening", None, Body::Private {
            text: "The time of day is the weak point. Lead with the sack.".to_owned(),
        })
        .searches("prosecution", "prosecution", "opening", "section 7 Orchard Act fallen fruit", vec![
            hit_of(&lookup, C7, 1, true),
            hit_of(&lookup, "xx/orchard#s5", 2, false),
        ])
        .calls("prosecution", "prosecution", "recovered", usage(1622, 260))
        .says("prosecution", "prosecution", "opening", opening, vec![
            in_field(C7, Verdict::Verified),
            quoted,
            pinpoint,
            cite(opening, "s. 9", C9),
            absent,
            rule,
        ])
        .searches("defence", "defence", "opening", "fallen fruit that nobody wanted", vec![
            hit_of(&lookup, "xx/orchard#s8", 1, false),
            hit_of(&lookup, "xx/orchard#s5", 2, false),
        ])
        .calls("defence", "defence", "strict", usage(1701, 240))
        .says("defence", "defence", "opening", defence, vec![
            in_field("xx/orchard#s8", Verdict::Verified),
            cite(defence, "section 8", "xx/orchard#s8"),
            cite(defence, "section 7", C7),
            repealed,
        ])
        .says("prosecution", "prosecution", "rebuttal", "An open gate is no leave. Forty apples in a sack are not picked up in passing, and section 8 asks for some ground.", vec![])
        .push(actor("defence", "defence"), "rebuttal", None, Body::ContextCut {
            what: "the opening of the prosecution".to_owned(),
            before: 8432,
            after: 7810,
        })
        .says("defence", "defence", "rebuttal", "The ground is the open gate and the fruit in the lane.", vec![]);
    for round in 0..3u32 {
        for (i, finding) in [g(), g(), windfall(), if round == 0 { None } else { windfall() }, windfall()]
            .into_iter()
            .enumerate()
        {
            let agent = format!("adjudicator-{}", i + 1);
            let finding = match (round, i) {
                (1 | 2, 0) => windfall(),
                _ => finding,
            };
            let night = if round == 0 && i == 1 { g() } else { n() };
            let text = match (round, i) {
                (0, 3) => "I cannot yet say whether the belief had a ground.",
                (_, 1) => "Forty apples in a sack were taken to be kept. Section 7 is made out.",
                _ => {
                    "The gate stood open and fruit lay in the lane; under section 8 that is a ground for the belief."
                }
            };
            let raw = if text.contains("section 8") { "section 8" } else { "Section 7" };
            let name = if text.contains("section 8") { "xx/orchard#s8" } else { C7 };
            let cites = if text.contains("ection") { vec![cite(text, raw, name)] } else { vec![] };
            script = script
                .calls(
                    "adjudicator",
                    &agent,
                    if i == 3 { "pattern" } else { "strict" },
                    if i == 4 { Usage::default() } else { usage(2100, 96) },
                )
                .position(&agent, round, &[(C7, finding), (C9, night)], text, cites);
        }
    }
    let mut trial = script
        .verdict(vec![charge(C7, windfall(), 4, 5), charge(C9, n(), 5, 5)], 2)
        .push(
            actor("judge", "judge"),
            "judgment",
            None,
            Body::Refusal {
                text: "As a language model I should not pass judgment.".to_owned(),
                mended: true,
            },
        )
        .push(
            actor("judge", "judge"),
            "judgment",
            None,
            Body::Judgment(Statement {
                text: judgment.to_owned(),
                cites: vec!["xx/orchard#s8".to_owned()],
                citations: vec![
                    in_field("xx/orchard#s8", Verdict::Verified),
                    s8,
                    cite(judgment, "section 7", C7),
                    cite(judgment, "section 9", C9),
                ],
            }),
        )
        .finished();
    trial.name = "old-apple-tree-0".to_owned();
    trial.info = Some(
        serde_json::from_value::<CaseInfo>(serde_json::json!({
            "id": "old-apple-tree",
            "title": "The case of the old apple tree",
            "facts": "At dusk on 3 October a sack with forty apples was found in the hut of the accused. The apples are of the old tree in the north corner of the Millers' orchard. The gate of the orchard had stood open since the harvest, and apples lay in the lane outside it.\nThe accused says that the harvest was over and that nobody wanted what lay on the ground. The keeper of the orchard says that she had meant to press it.",
            "charges": [
                {"id": C7, "note": "Forty apples from beneath the old tree"},
                {"id": C9, "note": "Climbing the north wall"}
            ],
            "evidence": [
                {"mark": "P-1", "side": "prosecution", "text": "A sack that bears the name of the accused, with forty apples."},
                {"mark": "P-2", "side": "prosecution", "text": "A neighbour, who saw somebody with a sack at the north wall \"when it was getting dark\"."},
                {"mark": "D-1", "side": "defence", "text": "A photograph of the open gate, taken on 29 September."}
            ],
            "offence_date": "2021-10-03",
            "keywords": ["sack", "north wall", "open gate", "dusk", "apples"],
            "expected": [
                {"charge": C7, "finding": "lesser", "offence": "xx/orchard#s8", "why": "the belief had a ground"},
                {"charge": C9, "finding": "not_guilty", "why": "dusk is not night"}
            ]
        }))
        .unwrap(),
    );
    trial
}

/// An invented trial in Chinese.
fn chinese() -> Trial {
    const C7: &str = "xx/guoyuan#a7";
    let lookup = guoyuan();
    let prosecution = "被告人未经看管人同意，装走苹果四十个。依照《果园法》第七条第二款，“果实落在树下的，仍由看管人占有”。其行为已违反该法第七条，请合议庭依法认定。";
    let mut p2 = cited(prosecution, "《果园法》第七条第二款", Some("xx/guoyuan#a7.p2"), Verdict::Verified);
    p2.quoted = Some("果实落在树下的，仍由看管人占有".to_owned());
    let defence = "果园大门自采收后一直敞开，落果散落路边，被告人有理由认为果实已被抛弃，应适用第八条。另据《市场管理办法》第三条，路边果实不属于果园。";
    let mut unchecked = cited(defence, "《市场管理办法》第三条", None, Verdict::Unchecked);
    unchecked.citation.reason = "知识库没有《市场管理办法》".to_owned();
    let judgment = "合议庭一致认为，被告人取走树下落果，且无理由认为该果实已被抛弃。依照《果园法》第七条，判决被告人有罪，责令返还苹果四十个或者照价赔偿。";
    let lower = || Some(Finding::Guilty);
    let mut trial = Script::new("lao-guoshu", 0, "zh")
        .searches("judge", "judge", "instructions", "未经同意取走果园果实", vec![
            hit_of(&lookup, C7, 1, false),
            hit_of(&lookup, "xx/guoyuan#a8", 2, false),
        ])
        .says("judge", "judge", "instructions", "本案争议在于落果由谁占有，以及被告人是否有理由认为果实已被抛弃。请依照《果园法》第七条、第八条逐项判断。", vec![in_field(C7, Verdict::Verified)])
        .calls("judge", "judge", "strict", usage(900, 120))
        .says("prosecution", "prosecution", "opening", prosecution, vec![
            p2,
            cited(prosecution, "第七条，请", None, Verdict::Unchecked),
        ])
        .says("defence", "defence", "opening", defence, vec![
            cited(defence, "第八条", Some("xx/guoyuan#a8"), Verdict::Verified),
            unchecked,
        ])
        .position("adjudicator-1", 0, &[(C7, lower())], "麻袋与四十个苹果足以说明目的。", vec![])
        .position("adjudicator-2", 0, &[(C7, Some(Finding::NotGuilty))], "大门敞开，存在合理怀疑。", vec![])
        .position("adjudicator-3", 0, &[(C7, lower())], "第七条第二款写得很清楚。", vec![])
        .position("adjudicator-1", 1, &[(C7, lower())], "维持原意见。", vec![])
        .position("adjudicator-2", 1, &[(C7, lower())], "同意多数意见：敞开的大门不等于同意。", vec![])
        .position("adjudicator-3", 1, &[(C7, lower())], "维持原意见。", vec![])
        .verdict(vec![charge(C7, lower(), 3, 3)], 1)
        .push(actor("judge", "judge"), "judgment", None, Body::Judgment(Statement {
            text: judgment.to_owned(),
            cites: Vec::new(),
            citations: vec![cited(judgment, "《果园法》第七条", Some(C7), Verdict::Verified)],
        }))
        .finished();
    trial.name = "lao-guoshu-0".to_owned();
    trial.info = Some(
        serde_json::from_value(serde_json::json!({
            "id": "lao-guoshu",
            "title": "老果树案",
            "facts": "10月3日傍晚，被告人住处被发现一袋苹果，共四十个，出自果园北角的老果树。果园大门自采收后一直敞开，路边也有落果。\n被告人辩称采收已毕，地上的果实没有人要。看管人称本打算用来榨汁。",
            "charges": [{"id": C7, "note": "取走老果树下的苹果四十个"}],
            "evidence": [{"mark": "控1", "side": "prosecution", "text": "写有被告人姓名的麻袋一只，内有苹果四十个。"}],
            "offence_date": "2021-10-03",
            "keywords": ["麻袋", "大门敞开", "苹果", "榨汁"]
        }))
        .unwrap(),
    );
    trial
}

fn run(trials: Vec<Trial>) -> Run {
    let config = r#"
        protocol = "samvad"
        fence_secret = "never-show-this"
        seed = 7
        [models]
        judge = "toy"
        endpoint = "http://user:pass@localhost:1234/v1"
        [config]
        adjudicators = 5
        threshold = "0.8"
    "#;
    Run { dir: "runs/old-apple-tree".into(), config: toml::from_str(config).unwrap(), trials }
}

/// For looking at: `NYAYA_EXAMPLE_REPORTS=DIR cargo nextest run …` leaves the pages there.
fn keep(name: &str, page: &str) {
    if let Some(dir) = std::env::var_os("NYAYA_EXAMPLE_REPORTS") {
        std::fs::write(std::path::Path::new(&dir).join(name), page).unwrap();
    }
}

#[test]
fn an_english_trial_reads_as_a_trial() {
    let page = render(&run(vec![english()]), &orchard(), &catalogue()).unwrap();
    keep("english.html", &page);
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"), "{}", &page[..200]);
    assert_eq!(page.matches("not legal advice, not for deciding real cases.").count(), 2);
    for words in [
        "The case of the old apple tree",
        "a fruit grower who has lost harvests to thieves",
        "Deliberation, round 2",
        "Guilty of a lesser offence",
        "is still in the keeping of the person who tends the tree",
        "never retrieved",
        "The conversation was cut",
        "25200 + unknown (3)",
    ] {
        assert!(page.contains(words), "{words}");
    }
    // Text of each provision once, whoever found or cited it how often.
    assert_eq!(page.matches("shall work in that orchard for not more than thirty days").count(), 1);
    // The quoted words are marked in the provision.
    assert!(page.contains("<mark>is still in the keeping of the person who tends the tree</mark>"));
    // Every verdict of a citation stands there in words.
    for label in ["verified", "repealed", "not found", "place not found", "not checked"] {
        assert!(page.contains(&format!("</span> {label}</span>")), "{label}");
    }
}

#[test]
fn every_link_to_a_text_leads_to_one() {
    let page = render(&run(vec![english()]), &orchard(), &catalogue()).unwrap();
    let mut links = 0;
    for rest in page.split("href=\"#").skip(1) {
        let target = rest.split('"').next().unwrap();
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
        links += usize::from(target.starts_with("law-"));
    }
    assert!(links > 20, "{links}");
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).map(|r| r.split('"').next().unwrap()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "an id stands twice");
}

#[test]
fn a_chinese_trial_is_a_chinese_page() {
    let page = render(&run(vec![chinese()]), &guoyuan(), &catalogue()).unwrap();
    keep("chinese.html", &page);
    assert!(page.contains("<html lang=\"zh-Hans\">"));
    assert_eq!(page.matches("不构成法律意见，不得用于裁判真实案件").count(), 2);
    for words in [
        "《果园法》第七条第二款",
        "评议，第一轮",
        "合议庭成员 2",
        "未查验",
        "<mark>果实落在树下的，仍由看管人占有</mark>",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn several_trials_have_a_table_and_an_unfinished_one_says_so() {
    let mut second = english();
    second.repeat = 1;
    second.name = "old-apple-tree-1".to_owned();
    second.events.truncate(20);
    second.progress = Progress::Unfinished { torn: true, last_step: "opening".to_owned(), budget: None };
    let page = render(&run(vec![english(), second]), &orchard(), &catalogue()).unwrap();
    keep("several.html", &page);
    let both = run(vec![english(), chinese()]);
    keep("audit.txt", &Audit::of(&both, &catalogue()).to_table(Some(100)));
    keep("measures.txt", &RunMeasures::of(&both).to_table(Some(100)));
    assert!(page.contains("This trial is not finished."));
    assert!(page.contains("<details class=\"trial\" id=\"t2\">"));
    // The means are over the finished one.
    assert!(page.contains(">1 trials<"));
}

#[test]
fn the_page_asks_for_nothing_and_keeps_secrets() {
    let page = render(&run(vec![english(), chinese()]), &orchard(), &catalogue()).unwrap();
    for words in ["src=", "<link", "@import", "url(", "never-show-this", "user:pass"] {
        assert!(!page.contains(words), "{words}");
    }
    let outside = page.matches("http://").count() + page.matches("https://").count();
    assert_eq!(outside, page.matches("http://localhost:1234/v1").count());
}

#[test]
fn the_policy_allows_this_script_and_no_other() {
    let page = render(&run(vec![english()]), &orchard(), &catalogue()).unwrap();
    assert_eq!(page.matches("<script").count(), 1);
    let script = page.split("<script>").nth(1).unwrap().split("</script>").next().unwrap();
    let policy = format!("script-src 'sha256-{}'", base64(&Sha256::digest(script)));
    // The escaping writes a slash as a reference, which a reader of HTML takes back.
    assert!(page.replace("&#x2f;", "/").contains(&policy));
    // SHA-256 of nothing, a known value.
    assert_eq!(base64(&Sha256::digest("")), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    assert_eq!((base64(b"a").as_str(), base64(b"ab").as_str()), ("YQ==", "YWI="));
}

#[test]
fn nothing_that_others_wrote_becomes_markup() {
    let evil = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}{% raw %}\u{202e}";
    let text = format!("See {evil} for all.");
    let mut bad = cited(&text, evil, None, Verdict::Unchecked);
    bad.citation.reason = evil.to_owned();
    bad.citation.range = Some(evil.to_owned());
    bad.citation.successor = vec![evil.to_owned()];
    bad.citation.struck_down =
        Some(StruckDown { date: date(2020, 1, 1), source: evil.to_owned(), note: evil.to_owned() });
    bad.quoted = Some(evil.to_owned());
    let mut found = hit("xx/orchard#s77", 1, evil);
    found.heading = Some(evil.to_owned());
    found.title = evil.to_owned();
    found.breadcrumb = vec![evil.to_owned()];
    found.language = evil.to_owned();
    found.struck_down = bad.citation.struck_down.clone();
    let notice = |body| (actor(evil, evil), body);
    let mut script = Script::new(evil, 0, evil)
        .push(actor("judge", evil), evil, None, Body::Persona { text: evil.to_owned() })
        .searches("judge", evil, evil, evil, vec![found])
        .says("judge", evil, evil, &text, vec![bad.clone()])
        .push(actor("judge", evil), evil, None, Body::Private { text: text.clone() });
    for (actor, body) in [
        notice(Body::Refusal { text: evil.to_owned(), mended: false }),
        notice(Body::ContextCut { what: evil.to_owned(), before: 1, after: 0 }),
        notice(Body::BudgetStop { budget: evil.to_owned() }),
        notice(Body::NoDecision { reason: evil.to_owned() }),
        notice(Body::Discrepancy { text: evil.to_owned() }),
        notice(Body::Plan { text: evil.to_owned() }),
        notice(Body::Reflection { text: evil.to_owned() }),
        notice(Body::Memory { action: evil.to_owned(), entries: vec![evil.to_owned()] }),
        notice(Body::Belief {
            label: Some(evil.to_owned()),
            confidence: Some(0.5),
            reasoning: evil.to_owned(),
            moved_by: vec![evil.to_owned()],
            stage: evil.to_owned(),
        }),
        notice(Body::Answer {
            label: Some(evil.to_owned()),
            statement: Statement { text: text.clone(), cites: Vec::new(), citations: vec![bad.clone()] },
            agrees: Some(false),
            stage: evil.to_owned(),
        }),
        notice(Body::Vote { choice: Some(evil.to_owned()), stage: evil.to_owned() }),
        notice(Body::Ranking { order: vec![evil.to_owned()], stage: evil.to_owned() }),
        notice(Body::Tally {
            rule: evil.to_owned(),
            points: vec![(evil.to_owned(), 1)],
            of: 2,
            reached: false,
        }),
        notice(Body::Decision(Decision::Label {
            label: Some(evil.to_owned()),
            outcome: evil.to_owned(),
            confidence: Some(0.9),
            for_a_human: vec![evil.to_owned()],
            rounds: 7,
        })),
        notice(Body::Judgment(Statement { text, cites: vec![evil.to_owned()], citations: vec![bad] })),
    ] {
        script = script.push(actor, evil, None, body);
    }
    let mut trial = script.calls(evil, evil, evil, Usage::default()).finished();
    trial.name = evil.to_owned();
    trial.info = Some(
        serde_json::from_value(serde_json::json!({
            "id": evil, "title": evil, "facts": evil, "charges": [{"id": "xx/orchard#s77", "note": evil}],
            "evidence": [{"mark": evil, "side": evil, "text": evil}], "keywords": [evil]
        }))
        .unwrap(),
    );
    let mut lookup_run = run(vec![trial]);
    lookup_run.config.insert(evil.to_owned(), toml::Value::String(evil.to_owned()));
    let mut statutes = Manifest::parse("test", ORCHARD).unwrap();
    statutes.title.insert("en".to_owned(), evil.to_owned());
    let page = render(&lookup_run, &orchard(), &Catalogue::new([statutes])).unwrap();
    keep("hostile.html", &page);
    assert_eq!(page.matches("<script").count(), 1, "only the page's own");
    assert!(!page.contains("<img") && !page.contains(">49<"));
    assert!(page.matches("&lt;script&gt;").count() >= 20);
    // No attribute is left by a quotation mark: every one of them inside such words is written as a reference.
    assert!(!page.contains("\"'>") && !page.contains("'><"));
}

#[test]
fn a_sentence_of_a_bench_reads_as_one() {
    use nyaya_agents::event::Sentence;
    use nyaya_agents::read::TermClass;
    let say = |text: &str| Statement {
        text: text.to_owned(),
        cites: vec!["xx/guoyuan#a7".to_owned()],
        citations: vec![in_field("xx/guoyuan#a7", Verdict::Verified)],
    };
    let term = |months| Some(Sentence { class: TermClass::Fixed, months: Some(months) });
    let trial = Script::new("果园", 0, "zh")
        .push(actor("judge", "judge-1"), "sentence", Some(0), Body::Plan { text: "先看数额".to_owned() })
        .push(
            actor("judge", "judge-1"),
            "sentence",
            Some(0),
            Body::Sentence {
                sentence: term(10),
                statement: say("果实不多，宜从轻。"),
                stage: "recovered".to_owned(),
            },
        )
        .push(
            actor("judge", "judge-1"),
            "check",
            Some(1),
            Body::ConsensusCheck {
                reached: Some(false),
                statement: say("各方理由不同。"),
                stage: "strict".to_owned(),
            },
        )
        .push(
            actor("judge", "judge-1"),
            "decision",
            None,
            Body::Decision(Decision::Term { sentence: term(8), consensus: false, rounds: 1 }),
        )
        .finished();
    let rows = Audit::of_trial(&trial, &catalogue()).rows;
    assert_eq!(
        rows.iter().map(|r| r.cited()).sum::<usize>(),
        2,
        "sentences and checks are audited like statements"
    );
    let page = render(&run(vec![trial]), &guoyuan(), &catalogue()).unwrap();
    keep("sentence.html", &page);
    for words in [
        "<p class=\"mark\">10个月</p>",
        "<p class=\"result\">8个月</p>",
        "合议庭意见不一致",
        "计划（他人不可见）",
        "recovered",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("没有判决记录"), "a bench that sentences writes no judgment on charges");
}

#[test]
fn a_belief_says_what_its_confidence_is_worth() {
    let trial = Script::new("row-1", 0, "en")
        .push(
            actor("judge", "judge"),
            "belief",
            None,
            Body::Belief {
                label: Some("NO".to_owned()),
                confidence: Some(0.7),
                reasoning: "The first argument was the stronger.".to_owned(),
                moved_by: vec!["steady work".to_owned()],
                stage: "strict".to_owned(),
            },
        )
        .push(
            actor("judge", "judge"),
            "verdict",
            None,
            Body::Decision(Decision::Label {
                label: None,
                outcome: "no_decision".to_owned(),
                confidence: Some(0.4),
                for_a_human: vec!["confidence below 0.6".to_owned()],
                rounds: 7,
            }),
        )
        .finished();
    let page = render(&run(vec![trial]), &orchard(), &catalogue()).unwrap();
    keep("belief.html", &page);
    assert_eq!(page.matches("rhetorical, not a probability").count(), 2);
    for words in ["steady work", "No decision", "for a person to look at: confidence below 0.6"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn a_provision_that_is_gone_shows_the_passage_that_was_found() {
    let gone = hit("xx/orchard#s77", 1, "Words of a passage.");
    let trial = Script::new("t", 0, "en")
        .searches("judge", "judge", "opening", "q", vec![gone])
        .says(
            "judge",
            "judge",
            "opening",
            "s. 77",
            vec![cited("s. 77", "s. 77", Some("xx/orchard#s77"), Verdict::Verified)],
        )
        .finished();
    let page = render(&run(vec![trial]), &orchard(), &catalogue()).unwrap();
    assert!(page.contains("no longer in the knowledge base") && page.contains("Words of a passage."));
    assert!(page.contains("<a class=\"cite v-verified\" href=\"#law-1\""));
}

#[test]
fn an_edition_in_the_name_chooses_the_text() {
    let mut editions = Vec::new();
    for (year, words) in [(2000, "Old words."), (2010, "New words.")] {
        let lookup = statute("xx/orchard", "en", false, &[(7, "Taking", words)]);
        let provision = lookup.provision(
            &"xx/orchard".parse().unwrap(),
            date(2000, 1, 1),
            &"s7".parse::<Unit>().unwrap(),
        );
        editions.push(nyaya_corpora::Edition {
            work: "xx/orchard".parse().unwrap(),
            version: date(year, 1, 1),
            language: "en".to_owned(),
            source: "file".to_owned(),
            source_file: "act.txt".to_owned(),
            source_sha256: String::new(),
            complete: true,
            provisions: vec![Provision::clone(&provision.unwrap())],
        });
    }
    let lookup = MemoryLookup::new(editions);
    let page = |name: &str, day: Option<Date>| {
        let mut trial = Script::new("t", 0, "en")
            .says(
                "judge",
                "judge",
                "opening",
                "s. 7",
                vec![cited("s. 7", "s. 7", Some(name), Verdict::Verified)],
            )
            .finished();
        trial.info = Some(CaseInfo { offence_date: day, ..CaseInfo::default() });
        render(&run(vec![trial]), &lookup, &catalogue()).unwrap()
    };
    assert!(page("xx/orchard@2000-01-01:en#s7", None).contains("Old words."));
    assert!(page("xx/orchard#s7", None).contains("New words."));
    let old = page("xx/orchard#s7", Some(date(2005, 5, 5)));
    assert!(old.contains("Old words.") && !old.contains("New words."));
}

#[test]
fn a_run_with_constrained_citations_says_so() {
    let mut run = run(vec![english()]);
    let page = |run: &Run| render(run, &orchard(), &catalogue()).unwrap();
    assert!(!page(&run).contains(crate::transcript::CONSTRAINED));
    let config = run.config.get_mut("config").and_then(toml::Value::as_table_mut).unwrap();
    config.insert("constrain_citations".to_owned(), true.into());
    assert!(page(&run).contains(crate::transcript::CONSTRAINED));
    let measures = RunMeasures::of(&run);
    assert!(
        measures.constrained_citations
            && measures.to_table(Some(120)).contains(crate::transcript::CONSTRAINED)
    );
}

#[test]
fn coverage_counts_against_the_manifest() {
    let rows = coverage(&orchard(), &catalogue());
    let orchard = rows.iter().find(|c| c.id.as_str() == "xx/orchard").unwrap();
    assert_eq!((orchard.held, orchard.expected), (4, Some(6)));
    assert_eq!(orchard.missing, ["s4", "s6"]);
    let absent = rows.iter().find(|c| c.id.as_str() == "xx/guoyuan").unwrap();
    assert_eq!((absent.held, absent.version, absent.complete), (0, None, false));
}

#[test]
fn the_report_replaces_an_earlier_one() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = run(vec![english()]);
    run.dir = dir.path().to_owned();
    std::fs::write(dir.path().join(REPORT_FILE), "old").unwrap();
    let path = write(&run, &orchard(), &catalogue()).unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().contains("old apple tree"));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}
