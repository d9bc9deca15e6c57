//! Kinds of sentence that once gave a wrong verdict: acts before and codes behind a number, letters in brackets, numbers in
//! words, schedules, long lists, places that are found in one way and not in another.

use super::*;

#[test]
fn an_act_before_and_a_code_behind_leave_a_number_open() {
    check_rows(&[
        // Whatever words stand between the act and the first of several sections.
        ("the Railways Act squarely section 147 and section 353 IPC", "? ipc#s353"),
        ("Under the Excise Act the petitioner faces section 60 and section 420 IPC", "? ipc#s420"),
        ("MCOCA squarely attracts section 3 and section 120B IPC", "? ipc#s120B"),
        ("the 1996 Act, section 34 and section 420 IPC", "? ipc#s420"),
        ("गोवध अधिनियम में दर्ज मुकदमे में धारा 3 व धारा 429 भादवि", "? ipc#s429"),
        // A plural has more than one number, and `of` ties them to what follows.
        ("the Railways Act squarely sections 147 and 353 IPC", "ipc#s147 ipc#s353"),
        ("Gangsters Act, section 3 of the IPC", "ipc#s3"),
        ("Penal Code, S. 302 of Criminal Procedure Code", "crpc#s302"),
        // An act that a provision has taken is not the next one's.
        ("Section 25 of the Forest Act; then section 147 and section 353 IPC", "? ipc#s147 ipc#s353"),
        // Nothing ties it to either.
        ("Gangsters Act, section 3 IPC", "?"),
        ("Gangsters Act section 3 IPC", "?"),
        ("IPC S. 164 CrPC", "?"),
        ("Gangsters Act, sections 2, 3 IPC", "? ?"),
        ("under the Forest Act, 1927, sections 26, 33 and 379 IPC", "? ? ipc#s379"),
        ("Forest Act 26, 33 IPC 379", "? ?"),
        ("sections 302, 164 and 27 of IPC, CrPC and Evidence Act respectively", "? ? ?"),
        ("sections 302 and 34 of IPC, CrPC 164", "ipc#s302 ipc#s34 crpc#s164"),
    ]);
}

#[test]
fn numbers_behind_an_act_that_is_not_known_are_counted() {
    check_rows(&[
        ("एम.वी. एक्ट 3/181", "? ?"),
        ("धारा 279 भादवि व एम.वी. एक्ट 3/181", "ipc#s279 ? ?"),
        ("Essential Commodities Act 3/7 and 420 IPC", "? ?"),
        ("Essential Commodities Act 3/7, 420 IPC", "? ? ipc#s420"),
        ("Punjab Excise Act, 61/1/14", "? ? ?"),
        ("Companies Act 2013", ""),
        ("Arms Act 25 cases", ""),
        ("Act 5 of 1908", ""),
    ]);
}

#[test]
fn numbers_in_words() {
    check_rows(&[
        ("Section three hundred and two of the Indian Penal Code", "ipc#s302"),
        ("Section four twenty IPC", "ipc#s420"),
        ("section four hundred ninety eight A of the IPC", "ipc#s498A"),
        ("sections one hundred and forty-seven to one hundred and forty-nine IPC", "ipc#s147~s149"),
        ("Articles fourteen, nineteen and twenty-one", "constitution#a14 constitution#a19 constitution#a21"),
        ("Article twenty-one guarantees life", "constitution#a21"),
        ("Section five of the Indian Penal Code", "ipc#s5"),
        ("section three hundred and two of the Pakistan Penal Code", "?"),
        ("धारा तीन सौ दो व चार सौ बीस भादवि", "ipc#s302 ipc#s420"),
        ("अनुच्छेद इक्कीस", "constitution#a21"),
        // One section or two.
        ("sections three hundred and two IPC", ""),
        // Ordinary words.
        ("in this section one finds", ""),
        ("section twenty men stood", ""),
        ("section one hundred men", ""),
        ("article twenty one pages", ""),
        ("धारा तीन सौ रुपये भादवि", ""),
    ]);
}

#[test]
fn schedules_by_ordinal_and_their_parts() {
    check_rows(&[
        ("paragraph 2 of the Tenth Schedule", "constitution#sch10.para2"),
        ("Para 6 of the Fifth Schedule", "constitution#sch5.para6"),
        ("Entry 97 of List I of the Seventh Schedule", "constitution#sch7.list1.e97"),
        ("Concurrent List, Entries 1 and 2", "constitution#sch7.list3.e1 constitution#sch7.list3.e2"),
        ("Entries 1 to 2 of List I", "constitution#sch7.list1.e1 constitution#sch7.list1.e2"),
        ("संविधान की दसवीं अनुसूची", "constitution#sch10"),
        // Any act may have a first one.
        ("Entry 2 of the First Schedule", "?"),
        ("the First Schedule", ""),
        ("the Companies Act, paragraph 2 of the Tenth Schedule", "?"),
        ("paragraph 2 of the Tenth Schedule to the Income-tax Act", "?"),
        // A part that is not read is not left out.
        ("Part B of the Fifth Schedule to the Constitution", "constitution#sch5!"),
        ("Schedule 10 of the Constitution, para 2", "constitution#sch10!"),
        ("Form No. 45 of the Second Schedule to the CrPC", "crpc#sch2!"),
    ]);
}

#[test]
fn labels_and_far_ends_are_no_sections() {
    let ipc = Context {
        default_work: Some("in/ipc".parse().unwrap()),
        jurisdiction: Some("in".to_owned()),
        ..Context::default()
    };
    assert_eq!(shapes("from the High Court of S1 to that of S2", &ipc), "");
    assert_eq!(shapes("Sections 302 and 304. The said section", &ipc), "in/ipc#s302 in/ipc#s304 ?");
    // The act that the paragraph speaks of, however long ago it was named.
    let text = "The appellant was tried under the Railways Act. He pleaded guilty. He was sentenced under section 147.";
    assert_eq!(shapes(text, &ipc), "?");
    check_rows(&[
        ("Sections 34-302 IPC", "ipc#s34 ipc#s302"),
        ("302-2019 IPC", "ipc#s302! ipc#s2019!"),
        ("Age: 34 IPC: 302", "?"),
        ("Section 203 of the Penal Code, Cap. 63, Laws of Kenya", "?"),
        ("Art. 17, GDPR and Art. 21", "? constitution#a21"),
    ]);
}

#[test]
fn chinese_documents_and_things_counted_by_the_strip() {
    let law = Context {
        default_work: Some("cn/criminal-law".parse().unwrap()),
        jurisdiction: Some("cn".to_owned()),
        ..Context::default()
    };
    for (text, want) in [
        ("依照第二百六十四条处罚", "cn/criminal-law#a264"),
        ("判决书第三条", "?"),
        ("校规第五条", "?"),
        ("成立犯罪的第一条件是故意", ""),
        ("第五条线索", "?"),
        ("第三条毛巾", "?"),
        ("民法典第九条。第十条", "cn/civil-code#a9 ?"),
        ("看守所条例另有规定。依第五条的规定", "?"),
        ("刑法第九条。依第十条的规定", "cn/criminal-law#a9 cn/criminal-law#a10"),
    ] {
        let found = extract(text, &Catalogue::builtin().unwrap(), &law);
        assert_eq!(found.iter().map(shape).collect::<Vec<_>>().join(" "), want, "{text}");
    }
    check_rows(&[
        ("依照《刑法》第二百七十四条以及相关解释，第二条", "cl#a274 ?"),
        ("经济刑法第三条", "?"),
        ("《刑法》教材第三条", "?"),
    ]);
}

#[test]
fn a_list_of_bare_numbers_that_is_too_long_is_one_citation_in_doubt() {
    let numbers = |n: u32| (1..=n).map(|i| (i % 400 + 1).to_string()).collect::<Vec<_>>().join(", ");
    for (text, want) in
        [(format!("{} IPC", numbers(9000)), 1), (format!("{} are the scores", numbers(9000)), 0)]
    {
        let found = extract(&text, &named(), &Context::default());
        assert_eq!(found.len(), want);
        assert!(found.iter().all(|e| e.unresolved == Some(Unresolved::TooLong)));
    }
    // The act that would say whose they are stands behind what is not read: the context's is not theirs.
    let ipc = Context { default_work: Some("in/ipc".parse().unwrap()), ..Context::default() };
    let found = extract(&format!("Sections {} CrPC", numbers(9000)), &named(), &ipc);
    assert!(found.len() > 4000);
    assert!(found.iter().all(|e| e.work.is_none()));
}

/// An act with clauses, and with sections that have a letter.
fn lettered() -> (MemoryLookup, Catalogue) {
    let law = Status::InForce;
    let manifest =
        Manifest::parse("lamp", &LAMP.replace("\"1-7\", \"3A\"", "\"1-5\", \"1A\", \"2A\", \"3A\"")).unwrap();
    let held = MemoryLookup::new([edition(
        date(2010, 1, 1),
        true,
        vec![
            lamp("s1", S1, law),
            lamp("s1A", "(1) Oil is free.\n(2) Wicks are free.", law),
            lamp("s2", "Whoever—\n(a) dims a lamp, or\n(b) breaks one,\nshall be fined.", law),
            lamp("s2A", "Moths are free.", law),
            lamp("s3", "(1) A lamp may be—\n(a) of brass;\n(b) of tin.\n(2) No lamp is of wood.", law),
            lamp("s3A", "A lamp may be of glass.", law),
            lamp("s4", "No moth shall be fined.", law),
            lamp("s5", "Gas is oil.\nProvided that a lantern is none.", law),
        ],
    )]);
    (held, Catalogue::new([manifest]))
}

#[test]
fn a_letter_in_brackets_is_a_sections_where_no_clause_has_it() {
    let (held, catalogue) = lettered();
    for (text, id, verdict) in [
        ("Section 1(A) of the Lamp Act", "s1A", Verdict::Verified),
        ("Section 1 (A) of the Lamp Act", "s1A", Verdict::Verified),
        ("Section 1(A)(2) of the Lamp Act", "s1A.2", Verdict::Verified),
        ("Section 1(A)(3) of the Lamp Act", "s1A.3", Verdict::PinpointNotFound),
        // A small letter is a clause's.
        ("Section 1(a) of the Lamp Act", "s1.a", Verdict::PinpointNotFound),
        // Both exist, or a place further inside has the letter.
        ("Section 2(A) of the Lamp Act", "s2", Verdict::Unchecked),
        ("Section 3(A) of the Lamp Act", "s3", Verdict::Unchecked),
        ("Section 2(B) of the Lamp Act", "s2.b", Verdict::Verified),
        // Neither does.
        ("Section 4(A) of the Lamp Act", "s4.a", Verdict::PinpointNotFound),
    ] {
        let c = check_text(text, &held, &catalogue, &on(DAY)).citations;
        let got = c[0].id.as_ref().map(ToString::to_string).unwrap();
        assert_eq!(
            (c.len(), got.as_str(), c[0].verdict),
            (1, &*format!("xx/lamp-act#{id}"), verdict),
            "{text}"
        );
    }
}

#[test]
fn a_place_is_found_in_the_same_way_whoever_asks() {
    let (held, catalogue) = lettered();
    let provision = lamp("s5", "Gas is oil.\nProvided that a lantern is none.", Status::InForce);
    assert_eq!(provision.at(&["proviso1".to_owned()]), provision.at(&["proviso".to_owned()]));
    assert_eq!(provision.at(&["proviso2".to_owned()]), None);
    let mut chinese = provision;
    chinese.text =
        "有下列情形之一的，处罚：\n（一）熄灯的；\n（二）偷油的。\n有前款行为的，从重。".to_owned();
    chinese.pinpoints = pinpoints(&chinese.text, Grammar::ChineseCode);
    assert_eq!(chinese.at(&["i2".to_owned()]), Some("（二）偷油的。"));
    // Without a date nothing is verified, and the place is the one that the text has.
    let nowhen = Context { as_of: None, ..on(DAY) };
    let c =
        check_text("the first proviso to section 5 of the Lamp Act", &held, &catalogue, &nowhen).citations;
    assert_eq!(c[0].id.as_ref().map(ToString::to_string).as_deref(), Some("xx/lamp-act#s5.proviso"));
    assert_eq!(c[0].verdict, Verdict::Unchecked);
}

/// An act of the user's, whose sections have an invented text.
fn of_the_user(id: &str, head: &str, units: &[&str]) -> (Manifest, Edition) {
    let text = format!("id = \"{id}\"\nkind = \"substantive\"\nin_force_from = \"1990-01-01\"\n{head}");
    let manifest = Manifest::parse("user", &text).unwrap();
    let mut edition = edition(date(1990, 1, 1), true, Vec::new());
    edition.work = manifest.id.clone();
    edition.provisions = units
        .iter()
        .map(|u| {
            let mut p = lamp("s1", "Lamps are lit.", Status::InForce);
            p.id = format!("{id}#{u}").parse().unwrap();
            p
        })
        .collect();
    (manifest, edition)
}

#[test]
fn acts_of_the_users_are_cited_as_they_number_and_name_themselves() {
    let latin = |unit: &str, title: &str| {
        format!(
            "unit = \"{unit}\"\ngrammar = \"indian-act\"\nlanguage = \"en\"\n[title]\nen = \"{title}\"\n[names]\nen = [\"{title}\"]"
        )
    };
    let han = |lang: &str, title: &str| {
        format!(
            "unit = \"article\"\ngrammar = \"chinese-code\"\nlanguage = \"{lang}\"\n[title]\n{lang} = \"{title}\"\n[names]\n{lang} = [\"{title}\"]"
        )
    };
    let (manifests, editions): (Vec<_>, Vec<_>) = [
        of_the_user("xx/levy", &latin("section", "The Invented Levy Act, 1990 (ILA)"), &["s1", "s3"]),
        of_the_user("xx/dues-75", &latin("section", "Harbour Dues Act, 1975"), &["s1", "s10"]),
        of_the_user("xx/dues-88", &latin("section", "Harbour Dues Act, 1988"), &["s1"]),
        of_the_user("xx/lantern", &latin("article", "Lantern Code"), &["a1", "a2", "a4", "a14"]),
        of_the_user("xx/signal", &latin("section", "Signal Code"), &["s4-1", "s4-2", "s12-5"]),
        of_the_user("jp/lamp", &han("ja", "灯火法"), &["a1", "a2", "a2-2", "a3"]),
        of_the_user("tw/lamp", &han("zh", "燈火管理法"), &["a3", "a4", "a4-1"]),
    ]
    .into_iter()
    .unzip();
    let (catalogue, held) = (Catalogue::new(manifests), MemoryLookup::new(editions));
    for (text, want) in [
        ("Section 3 of the ILA", "xx/levy#s3"),
        ("Section 3 of the Invented Levy Act, 1990 (ILA)", "xx/levy#s3"),
        ("Section 3 of the ILA, 1997", ""),
        ("Section 10 of the Harbour Dues Act, 1975", "xx/dues-75#s10"),
        ("Section 1 of the Harbour Dues Act, 1988", "xx/dues-88#s1"),
        ("Section 10 of the Harbour Dues Act, 1988", ""),
        ("Section 1 of the Harbour Dues Act", ""),
        ("Article IV of the Lantern Code", "xx/lantern#a4"),
        ("Lantern Code, Art. XIV", "xx/lantern#a14"),
        ("Article III of the Lantern Code", ""),
        ("Article IV of the Treaty", ""),
        ("Section 4-1 of the Signal Code", "xx/signal#s4-1"),
        ("Section 4-3 of the Signal Code", ""),
        ("Section 12-5-3 of the Signal Code", ""),
        ("Section 12-5A of the Signal Code", ""),
        ("灯火法第二条の二", "jp/lamp#a2-2"),
        ("灯火法第２条の２", "jp/lamp#a2-2"),
        ("灯火法第二条の三", ""),
        ("灯火法第二条の二の二", ""),
        ("灯火法第三条第一号", ""),
        ("灯火法第二条の規定", "jp/lamp#a2"),
        ("灯火法施行令第二条", ""),
        ("灯火法附則第二条", ""),
        ("燈火管理法第4-1條", "tw/lamp#a4-1"),
        ("燈火管理法第4-2條", ""),
        ("燈火管理法施行細則第3條", ""),
    ] {
        let found = check_text(text, &held, &catalogue, &on(DAY)).citations;
        let green: Vec<String> = found
            .iter()
            .filter(|c| c.verdict == Verdict::Verified)
            .filter_map(|c| c.id.as_ref().map(ToString::to_string))
            .collect();
        assert_eq!(green.join(" "), want, "{text}");
    }
}
