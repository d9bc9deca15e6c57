mod latin_forms;

use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::*;
use crate::concordance::Concordance;
use crate::lookup::MemoryLookup;
use crate::manifest::{Grammar, Manifest};
use crate::pinpoint::pinpoints;
use crate::provision::{Edition, Provision, SourceRef, Status, StruckDown};

mod acts;
mod days;
mod forms_zh;
mod kinds;
mod quoted;

/// Names of real works, for the grammar; no text of theirs.
const NAMED: &[&str] = &[
    r#"id = "in/ipc"
kind = "substantive"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "1862-01-01"
[title]
en = "Indian Penal Code, 1860"
[names]
en = ["Indian Penal Code, 1860", "Indian Penal Code", "Penal Code", "IPC", "I.P.C."]
hi = ["भारतीय दंड संहिता", "भा.दं.सं.", "भादवि", "आईपीसी"]
hi-Latn = ["bharatiya dand sanhita"]"#,
    r#"id = "in/crpc"
kind = "procedure"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "1974-04-01"
[title]
en = "Code of Criminal Procedure, 1973"
[names]
en = ["Code of Criminal Procedure", "Criminal Procedure Code", "CrPC", "Cr.P.C.", "Act 2 of 1974"]
hi = ["दंड प्रक्रिया संहिता", "दं.प्र.सं."]"#,
    r#"id = "in/constitution"
kind = "constitution"
unit = "article"
grammar = "indian-act"
language = "en"
in_force_from = "1950-01-26"
[title]
en = "Constitution of India"
[names]
en = ["Constitution of India", "Indian Constitution", "Constitution"]
hi = ["भारत का संविधान", "संविधान"]"#,
    r#"id = "in/bns"
kind = "substantive"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2024-07-01"
[title]
en = "Bharatiya Nyaya Sanhita, 2023"
[names]
en = ["Bharatiya Nyaya Sanhita", "BNS"]
hi = ["भारतीय न्याय संहिता"]"#,
    r#"id = "in/bnss"
kind = "procedure"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2024-07-01"
[title]
en = "Bharatiya Nagarik Suraksha Sanhita, 2023"
[names]
en = ["Bharatiya Nagarik Suraksha Sanhita", "BNSS"]"#,
    r#"id = "in/evidence-act"
kind = "evidence"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "1872-09-01"
[title]
en = "Indian Evidence Act, 1872"
[names]
en = ["Indian Evidence Act", "Evidence Act"]"#,
    r#"id = "cn/criminal-law"
kind = "substantive"
unit = "article"
grammar = "chinese-code"
language = "zh"
in_force_from = "1997-10-01"
[title]
zh = "中华人民共和国刑法"
[names]
en = ["Criminal Law of the People's Republic of China", "Criminal Law of the PRC", "PRC Criminal Law", "Chinese Criminal Law"]
zh = ["中华人民共和国刑法", "刑法"]"#,
    r#"id = "cn/criminal-procedure-law"
kind = "procedure"
unit = "article"
grammar = "chinese-code"
language = "zh"
in_force_from = "1980-01-01"
[title]
zh = "中华人民共和国刑事诉讼法"
[names]
zh = ["刑事诉讼法", "中华人民共和国刑事诉讼法"]"#,
];

fn named() -> Catalogue {
    Catalogue::new(NAMED.iter().map(|t| Manifest::parse("test", t).unwrap()))
}

fn home(text: &str) -> &'static str {
    let china = text.chars().any(han::is_han) || ["PRC", "China", "Chinese"].iter().any(|w| text.contains(w));
    if china { "cn" } else { "in" }
}

/// `work#unit.pins`, `?` for none, `a~b` for a range, `a|b` for a second reading.
fn shape(e: &Extracted) -> String {
    let Some(work) = &e.work else { return "?".to_owned() };
    let Some(unit) = &e.unit else { return "?".to_owned() };
    let id = ProvisionId::new(work.clone(), unit.clone()).with_pins(e.pins.clone());
    let mut out = id.to_string();
    // A place beside it that was not read.
    if matches!(e.unresolved, Some(Unresolved::Place(..))) {
        out.push('!');
    }
    if let Some(to) = &e.until {
        out.push_str(&format!("~{to}"));
    }
    // That `299-304` may be one number is tried wherever a dash stands.
    let part = |u: &Unit| u.number().is_some_and(|n| n.sub.is_some());
    if let Some(or) = e.or.as_ref().filter(|or| !part(&or.unit) || part(unit)) {
        let tail: String = or.pins.iter().map(|p| format!(".{p}")).collect();
        out.push_str(&format!("|{}{tail}", or.unit));
    }
    out
}

fn shapes(text: &str, context: &Context) -> String {
    extract(text, &named(), context).iter().map(shape).collect::<Vec<_>>().join(" ")
}

fn check_rows(rows: &[(&str, &str)]) {
    let mut bad = Vec::new();
    for (text, want) in rows {
        let context = Context { jurisdiction: Some(home(text).to_owned()), ..Context::default() };
        let got = shapes(text, &context);
        let short = got.replace("in/", "").replace("cn/criminal-law", "cl");
        if short != *want {
            bad.push(format!("{text}\n  want {want}\n  got  {short}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn english_heads_names_and_lists() {
    check_rows(&[
        ("Section 302 of the Indian Penal Code", "ipc#s302"),
        ("sec 302 ipc", "ipc#s302"),
        ("§ 302 IPC", "ipc#s302"),
        ("§§ 302-304 IPC", "ipc#s302~s304"),
        ("U/S. 302 I. P. C.", "ipc#s302"),
        ("u/ss 302, 34 IPC", "ipc#s302 ipc#s34"),
        ("Section No. 302 of IPC", "ipc#s302"),
        ("Section(s) 302/34 of IPC", "ipc#s302 ipc#s34"),
        ("Section: 302 IPC", "ipc#s302"),
        ("Section 302, 307 & 34 of the Penal Code", "ipc#s302 ipc#s307 ipc#s34"),
        ("Sections 302 and/or 304 IPC", "ipc#s302 ipc#s304"),
        ("Section 302 as well as Section 201 IPC", "ipc#s302 ipc#s201"),
        ("Section 302 along with Section 34 IPC", "ipc#s302 ipc#s34"),
        ("Section 302 r.w. 34 IPC", "ipc#s302 ipc#s34"),
        ("Section 302 r/w. S.34 IPC", "ipc#s302 ipc#s34"),
        ("Section 302 read together with Section 34 of IPC", "ipc#s302 ipc#s34"),
        ("charged with 498A, 406 and 34 IPC", "ipc#s498A ipc#s406 ipc#s34"),
        ("302 of the Indian Penal Code", "ipc#s302"),
        ("302/34 IPC", "ipc#s302 ipc#s34"),
        ("IPC: 302", "ipc#s302"),
        ("IPC-302", "ipc#s302"),
        ("the Indian Penal Code, 1860, Section 302", "ipc#s302"),
        ("IPC (Section 302)", "ipc#s302"),
        ("BNS 103(1), BNSS 173 and IPC 302", "bns#s103.1 bnss#s173 ipc#s302"),
        ("Section 302 IPC, 34 IPC and 120B IPC", "ipc#s302 ipc#s34 ipc#s120B"),
        ("Sections 302 IPC, 164 CrPC", "ipc#s302 crpc#s164"),
        ("Section 302 (punishment for murder) of the IPC", "ipc#s302"),
        ("Section 302 [IPC]", "ipc#s302"),
        ("Sections 154 to 176 of the Cr.P.C.", "crpc#s154~s176"),
        ("Sections 376-A to 376-E IPC", "ipc#s376A~s376E"),
        ("Sections 376A-376D IPC", "ipc#s376A~s376D"),
        ("Section 120 B IPC", "ipc#s120B"),
        ("Section 376DB IPC", "ipc#s376DB"),
        ("Section 498a IPC", "ipc#s498A"),
        (
            "ARTICLE 21 OF THE CONSTITUTION OF INDIA AND SECTION 302 OF THE INDIAN PENAL CODE",
            "constitution#a21 ipc#s302",
        ),
        ("Section 302 IPC and Article 21", "ipc#s302 constitution#a21"),
        ("Article 226/227", "constitution#a226 constitution#a227"),
        ("Sec302IPC", "ipc#s302"),
        ("Section 161 of the Code of Criminal Procedure, 1973 (2 of 1974)", "crpc#s161"),
        ("section1 376AB of the Indian Penal Code", "ipc#s376AB"),
    ]);
}

#[test]
fn english_places() {
    check_rows(&[
        ("Section 376(2)(f) & (i) IPC", "ipc#s376.2.f ipc#s376.2.i"),
        ("Section 161(1), (2) and (3) CrPC", "crpc#s161.1 crpc#s161.2 crpc#s161.3"),
        ("Article 19(1)(a) to (c)", "constitution#a19.1.a constitution#a19.1.b constitution#a19.1.c"),
        ("Article 19 clause (1) sub-clause (a)", "constitution#a19.1.a"),
        ("clauses (a) and (g) of Article 19(1)", "constitution#a19.1.a constitution#a19.1.g"),
        ("sub-clause (i) of clause (a) of sub-section (2) of section 376 IPC", "ipc#s376.2.a.i"),
        ("sub-s. (2) of S. 304 IPC", "ipc#s304.2"),
        ("Sub Section (1) of Section 156 CrPC", "crpc#s156.1"),
        ("Exception 4 to S. 300 I.P.C.", "ipc#s300.exc4"),
        ("Exceptions 1 and 4 to Section 300 IPC", "ipc#s300.exc1 ipc#s300.exc4"),
        ("the Fourth Exception to Section 300 IPC", "ipc#s300.exc4"),
        ("Section 300, Exception 1 IPC", "ipc#s300.exc1"),
        ("Section 300 Exception I of IPC", "ipc#s300.exc1"),
        ("the exceptions to Section 300 IPC", "ipc#s300"),
        ("Explanation II to Section 167(2) CrPC", "crpc#s167.2.expl2"),
        ("the Explanation to section 149 IPC", "ipc#s149.expl"),
        ("illustration (b) to Exception 1 of Section 300 IPC", "ipc#s300.exc1.ill-b"),
        ("illustrations (a) and (b) to section 299 IPC", "ipc#s299.ill-a ipc#s299.ill-b"),
        ("the second proviso to section 437(1) CrPC", "crpc#s437.1.proviso2"),
        ("proviso (a) to Section 167(2) CrPC", "crpc#s167.2.proviso.a"),
        ("Section 162(1) proviso CrPC", "crpc#s162.1.proviso"),
        ("Section 300 3rdly IPC", "ipc#s300.third"),
        ("clause Thirdly of Section 300 IPC", "ipc#s300.third"),
        ("Section 304 Part-II IPC", "ipc#s304.part2"),
        ("Section 304 (Part I) IPC", "ipc#s304.part1"),
        ("first part of Section 304 IPC", "ipc#s304.part1"),
        ("Section 304-II IPC", "ipc#s304II|s304.part2"),
        ("Section 171-I IPC", "ipc#s171I|s171.part1"),
        ("Section 304(II) IPC", "ipc#s304.ii|s304.part2"),
        (
            "Entries 1 and 2 of List II of the Seventh Schedule to the Constitution",
            "constitution#sch7.list2.e1 constitution#sch7.list2.e2",
        ),
        ("Entry 97 of List I", "constitution#sch7.list1.e97"),
        ("Schedule VII, List III, Entry 2A of the Constitution", "constitution#sch7.list3.e2A"),
        ("paragraph 2 of the Tenth Schedule to the Constitution", "constitution#sch10.para2"),
        ("Tenth Schedule of the Constitution of India", "constitution#sch10"),
        ("Section 437(1)(i) Cr. P. C.", "crpc#s437.1.i"),
    ]);
}

#[test]
fn other_acts_and_what_is_no_citation() {
    check_rows(&[
        ("Section 302 of the Bangladesh Penal Code", "?"),
        ("Section 302, Ranbir Penal Code, 1989", "?"),
        ("Section 302 Pakistan Penal Code", "?"),
        ("Section 302 RPC", "?"),
        ("Section 302 of the Penal Code of Malaysia", "?"),
        ("Section 439 CrPC, 1898", "?"),
        ("Section 439 of the Criminal Procedure Code of 1898", "?"),
        ("Section 5 of the Code of Criminal Procedure (Amendment) Act, 2008", "?"),
        ("Section 7 POCSO Act and Section 34 IPC", "? ipc#s34"),
        ("Section 34 IPC & 25/27 Arms Act", "ipc#s34 ? ?"),
        ("Section 11 CPC", "?"),
        ("Sections 3 to 5 of the Arms Act", "?"),
        (
            "Section 3(1)(x) of the Scheduled Castes and the Scheduled Tribes (Prevention of Atrocities) Act, 1989",
            "?",
        ),
        ("Article 14 of the ICCPR", "?"),
        ("Article 6 of the European Convention on Human Rights", "?"),
        ("Article II of the Constitution of the United States", "?"),
        ("Article 2 of the Constitution of the United States", "?"),
        ("Article 5 of the Irish Constitution", "?"),
        ("Pakistan's Constitution, Article 8", "?"),
        ("Article 4 of the agreement", "?"),
        ("(2014) 8 SCC 273", "?"),
        ("[2014] 5 SCR 200", "?"),
        ("2014 (8) SCC 273 and 2023 INSC 100", "? ?"),
        ("2020 SCC OnLine SC 1", "?"),
        ("1994 Supp (1) SCC 324; 1965 Cri LJ 350", "? ?"),
        ("AIR 1973 SC 1461, Section 302 IPC", "? ipc#s302"),
        ("2019:DHC:123", "?"),
        ("12 IPC cases were registered in 2019", ""),
        ("page 34 IPC; para 12 IPC; Chapter 16 of the IPC", ""),
        ("FIR No. 302/2019, PW 3, Rs. 500, 12 May 2020, aged 34", ""),
        ("the Indian Penal Code, 1860 (45 of 1860)", ""),
        ("Crl.A. No. 34/2020", ""),
        ("a term of 3 years and 6 months", ""),
        ("Order 39 Rule 1", ""),
        ("the accused's 3 friends", ""),
        ("Section 3.5 of the report", ""),
        ("he lost 302 IPC", "ipc#s302"),
    ]);
}

#[test]
fn hindi_in_both_scripts() {
    check_rows(&[
        ("धारा 302/34 भारतीय दण्ड संहिता", "ipc#s302 ipc#s34"),
        ("भारतीय दंड संहिता की धारा 302 सहपठित धारा 34", "ipc#s302 ipc#s34"),
        ("धारा ३०२ भारतीय दंड संहिता", "ipc#s302"),
        ("धारा 376 घ भा.दं.सं.", "ipc#s376D"),
        ("धारा 376कख भारतीय दंड संहिता", "ipc#s376AB"),
        ("धारा 304 बी आईपीसी", "ipc#s304B"),
        ("धारा 498-ए आईपीसी", "ipc#s498A"),
        ("धारा 376 की उपधारा (2) के खंड (क) भारतीय दंड संहिता", "ipc#s376.2.a"),
        ("धारा 300 का अपवाद 1 भारतीय दंड संहिता", "ipc#s300.exc1"),
        ("दंड प्रक्रिया संहिता की धाराओं 161 एवं 164", "crpc#s161 crpc#s164"),
        ("धारा 299 से 304 भारतीय दंड संहिता", "ipc#s299~s304"),
        ("अनुच्छेद 14, 19 और 21", "constitution#a14 constitution#a19 constitution#a21"),
        ("भारत का संविधान, अनुच्छेद 21क", "constitution#a21A"),
        ("धारा 302 के तहत", "?"),
        ("आयुध अधिनियम की धारा 25", "?"),
        ("धारा 138 परक्राम्य लिखत अधिनियम", "?"),
        ("IPC ki dhara 302 aur 34", "ipc#s302 ipc#s34"),
        ("dhara 376(2) IPC aur dhara 164 CrPC", "ipc#s376.2 crpc#s164"),
        ("bharatiya dand sanhita ki dhara 420", "ipc#s420"),
        ("anuchchhed 21", "constitution#a21"),
    ]);
}

#[test]
fn chinese() {
    check_rows(&[
        ("刑法第一百二十条之一、之二", "cl#a120-1 cl#a120-2"),
        ("刑法第一百二十条之一至之三", "cl#a120-1~a120-3"),
        ("刑法第133之一条", "cl#a133-1"),
        ("刑法第133-1条", "cl#a133-1"),
        ("刑法第232-234条", "cl#a232~a234"),
        ("刑法第232～234条、第266条", "cl#a232~a234 cl#a266"),
        ("刑法第二百三十二至二百三十四条", "cl#a232~a234"),
        ("刑法第232、233、234条", "cl#a232 cl#a233 cl#a234"),
        ("刑法第二百六十四条、二百六十六条", "cl#a264 cl#a266"),
        ("《刑法》第六十七条第一款和第三款", "cl#a67.p1 cl#a67.p3"),
        ("《刑法》第六十七条第一款至第三款", "cl#a67.p1 cl#a67.p2 cl#a67.p3"),
        ("刑法第二百九十三条第一款第（一）、（三）项", "cl#a293.p1.i1 cl#a293.p1.i3"),
        ("刑法第三百八十三条第一款第三项、第二款", "cl#a383.p1.i3 cl#a383.p2"),
        ("刑法第3 8 3条", ""),
        ("刑法第 383 条第 1 款第(3)项", "cl#a383.p1.i3"),
        ("刑法第廿条第三款", "cl#a20.p3"),
        ("刑法第一三三条之一", "cl#a133-1"),
        ("刑法第１３３条之１", "cl#a133-1"),
        ("1979年刑法第一百三十二条", "?"),
        ("旧刑法第一百三十二条", "?"),
        ("1997年刑法第一百三十二条", "cl#a132"),
        ("日本刑法第一百九十九条", "?"),
        ("德国《刑法》第二百一十一条", "?"),
        ("我国《刑法》第二十条", "cl#a20"),
        ("《中华人民共和国刑法（2020年修正）》第二百三十二条", "cl#a232"),
        ("刑法修正案（十一）第一条", "?"),
        ("《中华人民共和国刑事诉讼法》第十五条，《刑法》第六十四条", "cn/criminal-procedure-law#a15 cl#a64"),
        ("道路交通安全法第九十一条", "?"),
        ("最高人民法院《关于审理盗窃案件具体应用法律若干问题的解释》第一条、第三条", "? ?"),
        ("依照刑法的规定，第二百三十二条规定了故意杀人罪", "cl#a232"),
        ("依照《刑法》第二百六十六条，合同第三条约定", "cl#a266 ?"),
        ("《刑法》第二百三十二条。第二百三十三条", "cl#a232 ?"),
        ("该条第二款规定", "?"),
        ("（2019）京01刑终1号判决书第三页，2015年8月3日，三年六个月", ""),
        ("Article 234(2) of the PRC Criminal Law", "cl#a234.p2"),
        ("Article 293(1)(3) of the Criminal Law of the PRC", "cl#a293.p1.i3"),
        ("paragraph 2 of Article 234 of the Chinese Criminal Law", "cl#a234.p2"),
        ("Articles 133-1 and 266 of the Criminal Law of the PRC", "cl#a133-1 cl#a266"),
        ("Article 232 of China's Criminal Law", "cl#a232"),
    ]);
}

#[test]
fn anaphora_stay_in_their_paragraph() {
    check_rows(&[
        ("Section 302 IPC. The said section is grave.", "ipc#s302 ipc#s302"),
        ("Section 302 IPC.\n\nThe said section is grave.", "ipc#s302 ?"),
        ("Section 302 IPC.\nThe said section is grave.", "ipc#s302 ipc#s302"),
        ("Sections 302 and 34 IPC. The said sections are grave.", "ipc#s302 ipc#s34 ipc#s302 ipc#s34"),
        ("Section 376 IPC and clause (a) of sub-section (2) thereof", "ipc#s376 ipc#s376.2.a"),
        ("Sub-section (2) of the said section", "?"),
        ("Section 164 Cr.P.C. and Section 161 of the said Code", "crpc#s164 crpc#s161"),
        ("Section 302 IPC, Section 3 of the Arms Act, Section 5 of the said Act", "ipc#s302 ? ?"),
        ("Section 302 IPC and Section 3 of the Arms Act; Section 34 of the said Code", "ipc#s302 ? ipc#s34"),
        ("Section 138 NI Act. The said section", "? ?"),
        ("Section 302 IPC. In Section 302 the word is used.", "ipc#s302 ipc#s302"),
        ("Section 161 IPC and Section 161 CrPC. Section 161 is used.", "ipc#s161 crpc#s161 ?"),
        ("Section 302 IPC. Section 164 is another.", "ipc#s302 ?"),
        ("Section 5 of this Act", "?"),
        ("that provision is made", ""),
        ("《刑法》第二百三十二条，该条第一款，同法第二百三十三条", "cl#a232 cl#a232.p1 cl#a233"),
        ("《刑法》第二百三十二条。\n同法第二百三十三条", "cl#a232 ?"),
        ("《关于抢劫的解释》第一条，同法第二条", "? ?"),
    ]);
}

#[test]
fn the_context_decides_what_the_text_leaves_open() {
    let plain = Context::default();
    assert_eq!(shapes("Article 21", &plain), "?");
    assert_eq!(shapes("Section 302", &plain), "?");
    let ipc = Context {
        default_work: Some("in/ipc".parse().unwrap()),
        jurisdiction: Some("in".to_owned()),
        ..plain.clone()
    };
    assert_eq!(shapes("Section 302 of this Code, Article 21", &ipc), "in/ipc#s302 in/constitution#a21");
    assert_eq!(shapes("POCSO Act, 2012, Section 4", &ipc), "?");
    assert_eq!(shapes("NDPS Section 20", &ipc), "?");
    let law = Context { default_work: Some("cn/criminal-law".parse().unwrap()), ..plain };
    assert_eq!(
        shapes("第二百三十二条，本法第三条，民法典第九条", &law),
        "cn/criminal-law#a232 cn/criminal-law#a3 ?"
    );
}

#[test]
fn spans_are_the_words() {
    let text = "x Section 302 read with Section 34 of the Indian Penal Code, 刑法第二百三十二条第一、三款。";
    let found = extract(text, &named(), &Context::default());
    let raw: Vec<&str> = found.iter().map(|e| e.raw.as_str()).collect();
    assert_eq!(raw, ["Section 302", "Section 34 of the Indian Penal Code", "刑法第二百三十二条第一", "三款"]);
    for e in &found {
        assert_eq!(&text[e.span.0..e.span.1], e.raw);
    }
}

// Verdicts, over an invented act.

const LAMP: &str = r#"id = "xx/lamp-act"
kind = "substantive"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2000-01-01"
repealed_on = "2020-01-01"
successor = "xx/light-code"
[title]
en = "Lamp Act, 1999"
[names]
en = ["Lamp Act"]
[[version]]
from = "2000-01-01"
expected = ["1-7"]
[[version]]
from = "2010-01-01"
expected = ["1-7", "3A"]
omitted = ["6"]
[[struck_down]]
number = "4"
date = "2015-06-01"
source = "The Keepers' Case"
[[commencement]]
id = "xx/lamp-act#s5.2"
note = "never brought into force"
[[commencement]]
id = "xx/lamp-act#s7"
from = "2012-01-01"
"#;

const CODE: &str = r#"id = "xx/light-code"
kind = "procedure"
unit = "section"
grammar = "indian-act"
language = "en"
in_force_from = "2020-01-01"
[title]
en = "Light Code, 2019"
[names]
en = ["Light Code"]
"#;

const S1: &str = "Whoever dims a lamp that another has lit shall be punished with a fine of nine coins and shall carry oil for a month.";
const S2: &str = "(1) A keeper shall light every lamp of the harbour before the sun has set behind the western hill.\n(2) A keeper who sleeps while a ship is in the harbour shall lose the key of the tower for one year.";

fn lamp(unit: &str, text: &str, status: Status) -> Provision {
    Provision {
        id: format!("xx/lamp-act#{unit}").parse().unwrap(),
        heading: None,
        breadcrumb: Vec::new(),
        text: text.to_owned(),
        status,
        in_force_from: None,
        in_force_until: None,
        struck_down: None,
        annotations: Vec::new(),
        pinpoints: pinpoints(text, Grammar::IndianAct),
        source: SourceRef { file_sha256: String::new(), page: None, offset: None },
    }
}

fn edition(version: Date, complete: bool, provisions: Vec<Provision>) -> Edition {
    Edition {
        work: "xx/lamp-act".parse().unwrap(),
        version,
        language: "en".to_owned(),
        source: "file".to_owned(),
        source_file: String::new(),
        source_sha256: String::new(),
        complete,
        provisions,
    }
}

fn lamps(complete: bool) -> MemoryLookup {
    let law = Status::InForce;
    MemoryLookup::new([edition(
        date(2010, 1, 1),
        complete,
        vec![
            lamp("s1", S1, law),
            lamp("s2", S2, law),
            lamp("s3", "A lamp may be of brass.", law),
            lamp("s3A", "A lamp may be of glass.", law),
            lamp("s4", "No moth shall be fined.", law),
            lamp("s5", "(1) Oil is free.\n(2) Wicks are free.", law),
            lamp("s6", "Omitted.", Status::Omitted),
            lamp("s7", "Gas is oil.", law),
        ],
    )])
}

fn lamp_catalogue() -> Catalogue {
    Catalogue::new([Manifest::parse("lamp", LAMP).unwrap(), Manifest::parse("code", CODE).unwrap()])
}

fn on(day: Date) -> Context {
    Context { as_of: Some(day), jurisdiction: Some("xx".to_owned()), ..Context::default() }
}

fn verdict_on(text: &str, day: Date) -> Vec<(Option<String>, Verdict)> {
    let report = check_text(text, &lamps(true), &lamp_catalogue(), &on(day));
    report.citations.into_iter().map(|c| (c.id.map(|i| i.to_string()), c.verdict)).collect()
}

fn one(text: &str, day: Date) -> Citation {
    let mut all = check_text(text, &lamps(true), &lamp_catalogue(), &on(day)).citations;
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.pop().unwrap()
}

const DAY: Date = date(2016, 5, 1);

#[test]
fn every_verdict() {
    assert_eq!(one("Section 1 of the Lamp Act", DAY).verdict, Verdict::Verified);
    let gone = one("Section 1 of the Lamp Act", date(2021, 1, 1));
    assert_eq!((gone.verdict, gone.successor), (Verdict::Repealed, vec!["xx/light-code".to_owned()]));
    assert_eq!(one("Section 1 of the Lamp Act", date(1999, 1, 1)).verdict, Verdict::NotYetInForce);
    let none = one("Section 9 of the Lamp Act", DAY);
    assert_eq!((none.verdict, none.range.as_deref()), (Verdict::NotFound, Some("1-7")));
    assert!(none.reason.contains("xx/lamp-act#s7"), "{}", none.reason);
    // What never was is not found on any day; repealed is said of real law only.
    assert_eq!(one("Section 9 of the Lamp Act", date(2021, 1, 1)).verdict, Verdict::NotFound);
    assert_eq!(one("Section 9 of the Lamp Act", date(1999, 1, 1)).verdict, Verdict::NotFound);
    assert_eq!(one("Section 2(3) of the Lamp Act", DAY).verdict, Verdict::PinpointNotFound);
    assert_eq!(one("Section 2(2) of the Lamp Act", DAY).verdict, Verdict::Verified);
    assert_eq!(one("Section 2(3) of the Lamp Act", date(2021, 1, 1)).verdict, Verdict::PinpointNotFound);
    assert_eq!(one("Section 6 of the Lamp Act", DAY).verdict, Verdict::Repealed);
    assert_eq!(one("Section 1 of the Light Code", DAY).verdict, Verdict::Unchecked);
    assert_eq!(one("Section 5", DAY).verdict, Verdict::Unchecked);
    assert_eq!(one("Section 5(2) of the Lamp Act", DAY).verdict, Verdict::NotYetInForce);
    assert_eq!(one("Section 5(1) of the Lamp Act", DAY).verdict, Verdict::Verified);
    assert!(one("Section 5 of the Lamp Act", DAY).reason.contains("except xx/lamp-act#s5.2"));
    assert_eq!(one("Section 7 of the Lamp Act", date(2011, 1, 1)).verdict, Verdict::NotYetInForce);
    assert_eq!(one("Section 7 of the Lamp Act", DAY).verdict, Verdict::Verified);
}

#[test]
fn a_flag_does_not_change_the_verdict() {
    let c = one("Section 4 of the Lamp Act", DAY);
    assert_eq!(c.verdict, Verdict::Verified);
    assert_eq!(
        c.struck_down,
        Some(StruckDown {
            date: date(2015, 6, 1),
            source: "The Keepers' Case".to_owned(),
            note: String::new()
        })
    );
    assert_eq!(one("Section 4 of the Lamp Act", date(2014, 1, 1)).struck_down, None);
}

#[test]
fn successors_come_from_the_concordance() {
    let pair = ("xx/lamp-act#s1".parse().unwrap(), "xx/light-code#s12.3".parse().unwrap());
    let found = extract("Section 1 of the Lamp Act", &lamp_catalogue(), &on(date(2021, 1, 1)));
    let c = verify_with(
        &found,
        &lamps(true),
        &lamp_catalogue(),
        &on(date(2021, 1, 1)),
        &Concordance::new([pair]),
    );
    assert_eq!(c[0].successor, ["xx/light-code#s12.3"]);
}

#[test]
fn an_incomplete_source_never_says_not_found() {
    for text in ["Section 9 of the Lamp Act", "Section 2(3) of the Lamp Act"] {
        let report = check_text(text, &lamps(false), &lamp_catalogue(), &on(DAY));
        assert_eq!(report.citations[0].verdict, Verdict::Unchecked, "{text}");
    }
}

#[test]
fn days_before_the_oldest_text() {
    let day = date(2005, 1, 1);
    let plain = one("Section 1 of the Lamp Act", day);
    assert_eq!(plain.verdict, Verdict::Verified);
    assert!(plain.reason.contains("2010-01-01, the oldest held"), "{}", plain.reason);
    // The manifest knows that it was not there yet.
    assert_eq!(one("Section 3A of the Lamp Act", day).verdict, Verdict::NotYetInForce);
    // Whether a place inside was there, or an omitted row was law, nobody can tell from a later text.
    assert_eq!(one("Section 2(2) of the Lamp Act", day).verdict, Verdict::Unchecked);
    assert_eq!(one("Section 6 of the Lamp Act", day).verdict, Verdict::Unchecked);
    assert_eq!(one("Section 2(3) of the Lamp Act", day).verdict, Verdict::Unchecked);
}

#[test]
fn without_a_date_nothing_is_verified() {
    let report =
        check_text("Sections 1 and 9 of the Lamp Act", &lamps(true), &lamp_catalogue(), &Context::default());
    let verdicts: Vec<Verdict> = report.citations.iter().map(|c| c.verdict).collect();
    assert_eq!(verdicts, [Verdict::Unchecked, Verdict::NotFound]);
}

#[test]
fn the_proceeding_governs_procedure() {
    let held = MemoryLookup::new([Edition {
        work: "xx/light-code".parse().unwrap(),
        provisions: vec![Provision {
            id: "xx/light-code#s1".parse().unwrap(),
            ..lamp("s1", S1, Status::InForce)
        }],
        ..edition(date(2020, 1, 1), true, Vec::new())
    }]);
    let context = Context { proceeding: Some(date(2022, 1, 1)), ..on(date(2019, 1, 1)) };
    let c = check_text("Section 1 of the Light Code", &held, &lamp_catalogue(), &context).citations;
    assert_eq!(c[0].verdict, Verdict::Verified);
    let c =
        check_text("Section 1 of the Light Code", &held, &lamp_catalogue(), &on(date(2019, 1, 1))).citations;
    assert_eq!(c[0].verdict, Verdict::NotYetInForce);
}

#[test]
fn a_place_that_ended_by_itself_is_no_longer_law() {
    let ended = format!(
        "{LAMP}\n[[commencement]]\nid = \"xx/lamp-act#s2.2\"\nfrom = \"2001-01-01\"\nuntil = \"2014-01-01\"\nnote = \"by a declaration\"\n"
    );
    let catalogue = Catalogue::new([Manifest::parse("lamp", &ended).unwrap()]);
    let ask = |text: &str, day| check_text(text, &lamps(true), &catalogue, &on(day)).citations.remove(0);
    assert_eq!(ask("Section 2(2) of the Lamp Act", date(2013, 12, 31)).verdict, Verdict::Verified);
    let gone = ask("Section 2(2) of the Lamp Act", date(2014, 1, 1));
    assert_eq!(gone.verdict, Verdict::Repealed);
    assert!(gone.reason.contains("2014-01-01; by a declaration"), "{}", gone.reason);
    assert_eq!(ask("Section 2(1) of the Lamp Act", DAY).verdict, Verdict::Verified);
    let whole = ask("Section 2 of the Lamp Act", DAY);
    assert_eq!(whole.verdict, Verdict::Verified);
    assert!(whole.reason.contains("except xx/lamp-act#s2.2"), "{}", whole.reason);
}

#[test]
fn a_range_takes_what_lies_between() {
    let got = verdict_on("Sections 3 to 6 of the Lamp Act", DAY);
    let ids: Vec<&str> = got.iter().map(|(id, _)| id.as_deref().unwrap()).collect();
    assert_eq!(
        ids,
        ["xx/lamp-act#s3", "xx/lamp-act#s3A", "xx/lamp-act#s4", "xx/lamp-act#s5", "xx/lamp-act#s6"]
    );
    assert_eq!(got[4].1, Verdict::Repealed);
    // An end that is not there makes what lies between a guess.
    for text in ["Sections 6 to 9 of the Lamp Act", "from section 6 to section 9 of the Lamp Act"] {
        let got = verdict_on(text, DAY);
        assert_eq!(
            got.iter().map(|(_, v)| *v).collect::<Vec<_>>(),
            [Verdict::Repealed, Verdict::Unchecked, Verdict::NotFound],
            "{text}"
        );
    }
    // Of an act that is not known, one for each number.
    assert_eq!(verdict_on("Sections 3 to 7 of the Arms Act", DAY).len(), 5);
}

#[test]
fn versions_decide_what_was_there() {
    let old = edition(
        date(2000, 1, 1),
        true,
        vec![lamp("s1", S1, Status::InForce), lamp("s8", "Torches.", Status::InForce)],
    );
    let new = edition(
        date(2010, 1, 1),
        true,
        vec![lamp("s1", S1, Status::InForce), lamp("s3A", "Glass.", Status::InForce)],
    );
    let held = MemoryLookup::new([old, new]);
    let ask = |text: &str, day| check_text(text, &held, &lamp_catalogue(), &on(day)).citations[0].verdict;
    assert_eq!(ask("Section 3A of the Lamp Act", date(2005, 1, 1)), Verdict::NotYetInForce);
    assert_eq!(ask("Section 3A of the Lamp Act", date(2011, 1, 1)), Verdict::Verified);
    assert_eq!(ask("Section 8 of the Lamp Act", date(2005, 1, 1)), Verdict::Verified);
    assert_eq!(ask("Section 8 of the Lamp Act", date(2011, 1, 1)), Verdict::Repealed);
}

#[test]
fn fields_of_a_model() {
    let ask = |raw: &str| check_id(raw, &lamps(true), &lamp_catalogue(), &on(DAY));
    for raw in
        ["xx/lamp-act#s2.2", " `xx/lamp-act#s2.2` ", "Section 2(2) of the Lamp Act", "Lamp Act s. 2(2)"]
    {
        let c = ask(raw);
        assert_eq!(c.id.unwrap().to_string(), "xx/lamp-act#s2.2", "{raw}");
        assert_eq!((c.verdict, c.span), (Verdict::Verified, (0, raw.len())));
    }
    assert_eq!(ask("xx/lamp-act#s99").verdict, Verdict::NotFound);
    assert_eq!(ask("xx/torch-act#s1").verdict, Verdict::Unchecked);
    assert_eq!(ask("murder").verdict, Verdict::Unchecked);
    let two = ask("Sections 1 and 2 of the Lamp Act");
    assert_eq!((two.verdict, two.id), (Verdict::Unchecked, None));
    let pinned = ask("xx/lamp-act@2010-01-01:en#s1");
    assert_eq!(
        (pinned.verdict, pinned.id.unwrap().to_string().as_str()),
        (Verdict::Verified, "xx/lamp-act@2010-01-01:en#s1")
    );
    assert_eq!(ask("xx/lamp-act@2011-01-01:en#s1").verdict, Verdict::Unchecked);
}

#[test]
fn coverage_counts_what_was_not_checked() {
    let report = check_text(
        "Sections 1, 9 of the Lamp Act. Section 3. AIR 1973 SC 1461.",
        &lamps(true),
        &lamp_catalogue(),
        &on(DAY),
    );
    assert_eq!((report.coverage.total, report.coverage.checked), (4, 2));
    assert_eq!(report.coverage.by_verdict.get(&Verdict::Unchecked), Some(&2));
}

// Quotations.

#[test]
fn the_words_of_the_law_stay_verified() {
    for text in [
        "Section 1 of the Lamp Act provides: “Whoever dims a lamp that another has lit shall be punished with a fine of nine coins”.",
        "Section 1 of the Lamp Act provides \"Whoever dims a lamp\n  that another has lit … shall carry oil for a month.\"",
        "“dims a lamp that another has lit shall be punished” (Section 1 of the Lamp Act)",
        "Section 2(1) of the Lamp Act says “before the sun has set behind the western hill”.",
    ] {
        let c = one(text, DAY);
        assert_eq!(
            (c.verdict, c.quoted.len(), c.quoted.first().map(|q| q.found)),
            (Verdict::Verified, 1, Some(QuoteMatch::Exact)),
            "{text} {c:?}"
        );
    }
}

#[test]
fn other_words_are_misquoted_and_the_difference_is_shown() {
    let c = one(
        "Section 1 of the Lamp Act provides “Whoever dims a lamp that another has lit shall be punished with a fine of ten coins”.",
        DAY,
    );
    assert_eq!(c.verdict, Verdict::Misquoted);
    assert!(c.reason.contains("“nine” where the quotation has “ten”"), "{}", c.reason);
    let made_up = one("Section 1 of the Lamp Act reads “every owner of a boat may sleep in the tower”.", DAY);
    assert_eq!(made_up.verdict, Verdict::Misquoted);
}

#[test]
fn words_of_another_provision_name_it() {
    let c = one(
        "Section 1 of the Lamp Act provides “A keeper who sleeps while a ship is in the harbour shall lose the key”.",
        DAY,
    );
    assert_eq!(c.verdict, Verdict::WrongNumber);
    assert!(c.reason.contains("xx/lamp-act#s2.2"), "{}", c.reason);
    let inside = one(
        "Section 2(1) of the Lamp Act provides “A keeper who sleeps while a ship is in the harbour shall lose the key”.",
        DAY,
    );
    assert_eq!(inside.verdict, Verdict::WrongNumber);
    assert!(inside.reason.contains("xx/lamp-act#s2.2"), "{}", inside.reason);
    // In a list the words may be of any member.
    let list = check_text(
        "Sections 1 and 2 of the Lamp Act provide “A keeper who sleeps while a ship is in the harbour”.",
        &lamps(true),
        &lamp_catalogue(),
        &on(DAY),
    );
    assert!(list.citations.iter().all(|c| c.verdict == Verdict::Verified), "{list:?}");
}

#[test]
fn speech_scare_quotes_and_distant_words_pass() {
    for text in [
        "The keeper said “I never saw that lamp in all my life” and Section 1 of the Lamp Act applies.",
        "Section 1 of the Lamp Act, and the keeper said “A keeper who sleeps while a ship is in the harbour shall lose”.",
        "Under Section 1 of the Lamp Act the so-called “dimming” is proved.",
        "Section 1 of the Lamp Act applies. “This is a sentence of its own about the harbour and ships.”",
        "Section 1 of the Lamp Act was put to the jury together with a long account of the night and the weather, and a sign with “every owner of a boat may sleep in the tower” was shown.",
    ] {
        assert_eq!(one(text, DAY).verdict, Verdict::Verified, "{text}");
    }
}

#[test]
fn a_worse_verdict_is_kept_beside_a_misquotation() {
    let c = one(
        "Section 1 of the Lamp Act provides “Whoever dims a lamp that another has lit shall be hanged”.",
        date(2021, 1, 1),
    );
    assert_eq!(c.verdict, Verdict::Repealed);
    assert_eq!(c.quoted[0].found, QuoteMatch::Differs);
}

// Properties.

fn soup() -> impl Strategy<Value = String> {
    let bits: Vec<&'static str> = vec![
        "Section ",
        "Sections ",
        "s. ",
        "u/s ",
        "Article ",
        "302",
        "376DA",
        "34",
        "1860",
        "(1)",
        "(a)",
        "(ii)",
        " IPC",
        " Cr.P.C.",
        " of the ",
        " Indian Penal Code",
        " Act",
        "the said section",
        " thereof",
        ", ",
        " and ",
        " to ",
        "/",
        "-",
        " r/w ",
        "Exception 1 to ",
        "clause (a) of ",
        "Seventh Schedule",
        "List II",
        "Entry 1",
        "\n\n",
        "\n",
        ". ",
        "“",
        "”",
        "\"",
        "धारा ",
        "भारतीय दंड संहिता",
        " की ",
        "क",
        "अनुच्छेद ",
        "刑法",
        "《",
        "》",
        "第",
        "二百三十二",
        "条",
        "之一",
        "款",
        "项",
        "（",
        "）",
        "、",
        "至",
        "同法",
        "该条",
        "。",
        "(2014) ",
        "8 SCC ",
        "AIR ",
        "é",
        "𝒳",
        "\u{200d}",
        "０",
    ];
    proptest::collection::vec(proptest::sample::select(bits), 0..50).prop_map(|v| v.concat())
}

fn holds(text: &str) -> Result<(), TestCaseError> {
    let context = Context {
        jurisdiction: Some("in".to_owned()),
        default_work: Some("in/ipc".parse().unwrap()),
        ..on(DAY)
    };
    let found = extract(text, &named(), &context);
    let mut last = 0;
    for e in &found {
        prop_assert_eq!(text.get(e.span.0..e.span.1), Some(e.raw.as_str()));
        prop_assert!(e.span.0 >= last, "{:?}", found);
        last = e.span.0;
        prop_assert!(e.work.is_some() || e.unresolved.is_some());
    }
    let citations = verify(&found, &lamps(true), &named(), &context);
    // No text is held of the works named: nothing can be green.
    prop_assert!(citations.len() >= found.len() && citations.iter().all(|c| c.verdict == Verdict::Unchecked));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_mixture_of_words_breaks_extraction(text in soup()) {
        holds(&text)?;
    }

    #[test]
    fn no_text_breaks_extraction(text in any::<String>()) {
        holds(&text)?;
    }
}

#[test]
fn every_number_in_every_spelling() {
    let context = Context::default();
    let extractor = Extractor::new(&named(), &context);
    for n in 1..=2000u32 {
        let zh = numerals::to_chinese(n).unwrap();
        let wide: String =
            n.to_string().chars().map(|c| char::from_u32(c as u32 + 0xFEE0).unwrap()).collect();
        let hindi: String = n
            .to_string()
            .chars()
            .map(|c| char::from_u32(c as u32 - '0' as u32 + '०' as u32).unwrap())
            .collect();
        let rows = [
            (format!("刑法第{zh}条"), format!("cn/criminal-law#a{n}")),
            (format!("刑法第{}条", zh.replace('零', "〇")), format!("cn/criminal-law#a{n}")),
            (format!("刑法第{n}条"), format!("cn/criminal-law#a{n}")),
            (format!("刑法第{wide}条之三"), format!("cn/criminal-law#a{n}-3")),
            (format!("Section {n} IPC"), format!("in/ipc#s{n}")),
            (format!("धारा {hindi} भारतीय दंड संहिता"), format!("in/ipc#s{n}")),
        ];
        for (text, want) in rows {
            let got: Vec<String> = extractor.extract(&text).iter().map(shape).collect();
            assert_eq!(got, [want], "{text}");
        }
    }
}

#[test]
fn hostile_texts_are_read_to_the_end() {
    let named = named();
    let extractor =
        Extractor::new(&named, &Context { jurisdiction: Some("in".to_owned()), ..Context::default() });
    for unit in [
        "1, ",
        "1 ",
        "302/",
        "Section ",
        "Section 1, ",
        "clause (a) of ",
        "(a) ",
        "IPC ",
        "IPC, ",
        "of the ",
        "“",
        "《",
        "第一",
        "第一、",
        "第一条、",
        "刑法",
        "之一",
        "（一",
        "Exception 1 ",
        "List I, ",
        "Entry 1, ",
        "2014 ",
        "(2014) ",
        "SCC ",
        "Section 1 (",
        "Section 1 of A ",
        "धारा 1 ",
        "क",
        "s 1 s ",
        "\n \n",
        "第一百",
        "Section 1 and ",
        "u/s 1/",
        "Section 1 IPC ",
        "Section 1 IPC “a b c” ",
        "第一条“甲乙丙丁”",
        "Section 1 IPC \" ",
        "Section 1 \n",
    ] {
        let text = unit.repeat(60_000 / unit.len());
        for found in extractor.extract(&text) {
            assert_eq!(text.get(found.span.0..found.span.1), Some(found.raw.as_str()), "{unit:?}");
        }
    }
}
