//! Forms of English and Hindi citations that are easily read as less, or as more, than they say.

use super::*;

#[test]
fn a_list_of_places_is_no_range_of_sections() {
    check_rows(&[
        ("Exceptions 2 to 4 to Section 300 IPC", "ipc#s300.exc2 ipc#s300.exc3 ipc#s300.exc4"),
        ("Exceptions 1-3 of Section 300 IPC", "ipc#s300.exc1 ipc#s300.exc2 ipc#s300.exc3"),
        ("Explanations 1 and 2 to section 299 of the IPC", "ipc#s299.expl1 ipc#s299.expl2"),
        ("Exception No. 2 to Section 300 IPC", "ipc#s300.exc2"),
        ("Exception 1 and Exception 3 to Section 300 IPC", "ipc#s300.exc1 ipc#s300.exc3"),
        ("Exception 1 and the Explanation to Section 300 IPC", "ipc#s300.exc1 ipc#s300.expl"),
        ("first and third provisos to Section 437(1) CrPC", "crpc#s437.1.proviso1 crpc#s437.1.proviso3"),
        ("the 2nd proviso to Section 437(1) CrPC", "crpc#s437.1.proviso2"),
        ("accused nos. 4 to 8 to Section 307 IPC", "ipc#s307"),
        ("witnesses 2 to 6 to Section 307 IPC", "ipc#s307"),
        ("Section 299 to Section 304 IPC", "ipc#s299~s304"),
    ]);
}

#[test]
fn a_change_from_one_to_another_is_no_range() {
    check_rows(&[
        ("altered from Section 304 to Section 304A IPC", "ipc#s304 ipc#s304A"),
        ("the conviction was modified from 307 to 324 IPC", "ipc#s307 ipc#s324"),
        ("reduced from Section 302 to Section 304 Part I IPC", "ipc#s302 ipc#s304.part1"),
        ("converted from Sections 302 to 304 IPC", "ipc#s302 ipc#s304"),
        ("धारा 302 से धारा 304 भादवि में परिवर्तित", "ipc#s302 ipc#s304"),
        ("the charge went from Section 299 to Section 304 IPC", "ipc#s299 ipc#s304"),
        ("a case that moved from s. 307 to s. 302 IPC", "ipc#s307 ipc#s302"),
        ("offences from Sections 299 to 304 IPC", "ipc#s299~s304"),
        ("Sections 299 to 304 IPC", "ipc#s299~s304"),
    ]);
}

#[test]
fn ranges_in_words_are_ranges() {
    check_rows(&[
        ("from Section 299 to Section 304 IPC", "ipc#s299~s304"),
        ("The right is dealt with from section 96 to section 98 of the IPC", "ipc#s96~s98"),
        ("from section 96 upto section 98 IPC", "ipc#s96~s98"),
        ("from section 96 up to section 98 IPC", "ipc#s96~s98"),
        ("sections 96 through 98 of the IPC", "ipc#s96~s98"),
        ("sections 96 to 98, both inclusive, of the IPC", "ipc#s96~s98"),
        ("s. 96 to s. 98 IPC", "ipc#s96~s98"),
        ("ss. 96–98 IPC", "ipc#s96~s98"),
        ("u/s 96 to 98 IPC", "ipc#s96~s98"),
        ("IPC sections 96 to 98", "ipc#s96~s98"),
        ("Articles 14 to 18 of the Constitution", "constitution#a14~a18"),
        ("धारा 96 से 98 भादवि", "ipc#s96~s98"),
        ("भादवि की धारा 96 से धारा 98 तक", "ipc#s96~s98"),
        ("धारा 96 से लेकर 98 तक भादवि", "ipc#s96~s98"),
        ("dhara 96 se lekar dhara 98 tak IPC", "ipc#s96~s98"),
        ("sections 96 to 98 and 100 IPC", "ipc#s96~s98 ipc#s100"),
        // Two, and nothing between them.
        ("between sections 96 and 98 IPC", "ipc#s96 ipc#s98"),
        ("the difference between section 96 and section 98 of the IPC", "ipc#s96 ipc#s98"),
    ]);
}

#[test]
fn a_provision_with_a_word_of_its_own_behind_an_act_may_be_another_acts() {
    check_rows(&[
        ("Section 302 IPC and Section 313", "ipc#s302 ?"),
        ("Section 302 IPC, Section 313 and 34", "ipc#s302 ? ?"),
        ("under Section 302 of the IPC and under sections 313, 314", "ipc#s302 ? ?"),
        ("धारा 302 भादवि एवं धारा 313", "ipc#s302 ?"),
        // What is tied to the provision before is of its act, and so is what the act stands before or behind.
        ("Section 302 IPC read with Section 34", "ipc#s302 ipc#s34"),
        ("Section 302 IPC r/w section 34", "ipc#s302 ipc#s34"),
        ("Section 302 IPC and 34", "ipc#s302 ipc#s34"),
        ("IPC Section 302 and Section 313", "ipc#s302 ipc#s313"),
        ("Section 302 and Section 313 IPC", "ipc#s302 ipc#s313"),
        ("Section 302 IPC and Section 313 CrPC", "ipc#s302 crpc#s313"),
        // Cited with its act before.
        ("Section 34 IPC applies. Section 302 IPC and Section 34 were used", "ipc#s34 ipc#s302 ipc#s34"),
    ]);
    let ipc = Context { default_work: Some("in/ipc".parse().unwrap()), ..Context::default() };
    // The letters of a number are no name of an act.
    assert_eq!(shapes("section 376AB, section 376B", &ipc), "in/ipc#s376AB in/ipc#s376B");
    assert_eq!(shapes("the NDPS, section 37", &ipc), "?");
    // What a procedure is for is punished by the code of offences.
    let text = "under section 154 of the Code of Criminal Procedure, for an offence punishable under section 326A, section 354 or section 509";
    assert_eq!(shapes(text, &ipc), "in/crpc#s154 in/ipc#s326A in/ipc#s354 in/ipc#s509");
    assert_eq!(shapes("Section 27 of the Arms Act, and punishable under section 302", &ipc), "? ?");
    assert_eq!(
        shapes("section 154 of the Code of Criminal Procedure and section 302", &ipc),
        "in/crpc#s154 ?"
    );
    assert_eq!(shapes("Section 302 IPC and Section 313", &ipc), "in/ipc#s302 in/ipc#s313");
    let crpc = Context { default_work: Some("in/crpc".parse().unwrap()), ..Context::default() };
    assert_eq!(shapes("Section 302 IPC and Section 313", &crpc), "in/ipc#s302 ?");
}

#[test]
fn places_are_read_behind_the_act() {
    check_rows(&[
        ("Section 304 IPC Part II", "ipc#s304.part2"),
        ("304 IPC, Part-I", "ipc#s304.part1"),
        ("Section 304 of the IPC [Part II]", "ipc#s304.part2"),
        ("Section 300 of the Indian Penal Code, Exception 2", "ipc#s300.exc2"),
        ("Section 300 IPC (Exceptions 1 and 4)", "ipc#s300.exc1 ipc#s300.exc4"),
        ("Section 300 IPC read with Exception 4", "ipc#s300.exc4"),
        ("Section 300 IPC: Exception 9", "ipc#s300.exc9"),
        ("Article 19 of the Constitution, sub-clause (a) of clause (1)", "constitution#a19.1.a"),
        ("Section 376 IPC, sub-section (2), clause (n)", "ipc#s376.2.n"),
        ("Section 376 IPC (2)(n) and (f)", "ipc#s376.2.n ipc#s376.2.f"),
        (
            "Article 19 of the Constitution, clauses (1)(a) and (g)",
            "constitution#a19.1.a constitution#a19.1.g",
        ),
        ("Section 300 IPC, fourthly", "ipc#s300.fourth"),
        ("Section 300 IPC \"Thirdly\"", "ipc#s300.third"),
        ("Section 437 CrPC, second proviso", "crpc#s437.proviso2"),
        ("Sections 302 and 304 IPC Part II", "ipc#s302 ipc#s304.part2"),
        ("धारा 376 भादवि की उपधारा (2)", "ipc#s376.2"),
        // What stands behind an act is not always a place in the section.
        ("Section 300 IPC, Exception 1 to Section 299 IPC", "ipc#s300 ipc#s299.exc1"),
        ("Section 313 CrPC, explanation of the accused", "crpc#s313"),
        ("Section 302 IPC (murder)", "ipc#s302"),
        ("Section 302 IPC (DB)", "ipc#s302"),
        ("Section 302 IPC [12]", "ipc#s302"),
        ("Section 302 IPC, para 12 of the judgment", "ipc#s302"),
        ("Section 302 IPC and Part II of the agreement", "ipc#s302"),
        ("Article 19 of the Constitution, Part III", "constitution#a19"),
        ("(1) Section 302 IPC (2) Section 34 IPC", "ipc#s302 ipc#s34"),
        ("firstly under Section 302 IPC, secondly under Section 201 IPC", "ipc#s302 ipc#s201"),
    ]);
}

#[test]
fn labels_in_other_spellings_are_read() {
    check_rows(&[
        ("Article 16(4-A)", "constitution#a16.4A"),
        ("Article 16(4b)", "constitution#a16.4B"),
        ("Section 439(1A) CrPC", "crpc#s439.1A"),
        ("Article 366(29A)(d) of the Constitution", "constitution#a366.29A.d"),
        ("Article 19(1)[a]", "constitution#a19.1.a"),
        ("Article 19(1)a", "constitution#a19.1.a"),
        ("Section 376(2)n IPC", "ipc#s376.2.n"),
        ("Section 376 2(n) IPC", "ipc#s376.2.n"),
        ("Article 19(1).(a)", "constitution#a19.1.a"),
        ("धारा 376 (2) (एन) भादवि", "ipc#s376.2.n"),
        ("धारा 376(2)(जेड) भादवि", "ipc#s376.2.z"),
        ("Article 22(4) to 22(6)", "constitution#a22.4 constitution#a22.5 constitution#a22.6"),
        ("Article 22(4)-22(6)", "constitution#a22.4 constitution#a22.5 constitution#a22.6"),
        ("Section 376 D-A IPC", "ipc#s376DA"),
        ("Section 376A/B IPC", "ipc#s376A ipc#s376B"),
        ("Section 320 Eighthly of the IPC", "ipc#s320.eighth"),
        ("clause twelfth of Section 21 IPC", "ipc#s21.twelfth"),
        ("Section 320, Seventhly and Eighthly, IPC", "ipc#s320.seventh ipc#s320.eighth"),
        ("Eighthly of Section 320 IPC", "ipc#s320.eighth"),
        ("the Explanation appended to Section 498A IPC", "ipc#s498A.expl"),
        ("Explanation below Section 405 IPC", "ipc#s405.expl"),
        ("Explanation (b) to Section 498A IPC", "ipc#s498A.expl.b"),
        ("fifth sub-section of section 302 IPC", "ipc#s302.5"),
    ]);
}

#[test]
fn a_place_that_cannot_be_read_is_said() {
    check_rows(&[
        ("Article 19(1)(a-g)", "constitution#a19.1!"),
        ("Section 376(2)(n,f) IPC", "ipc#s376.2!"),
        ("Section 376 (2 n) IPC", "ipc#s376!"),
        ("Section 376(2) (z z) IPC", "ipc#s376.2!"),
        ("Section 376[2] IPC", "ipc#s376!"),
        ("Article 19 1", "constitution#a19!"),
        ("the third limb of section 304 IPC", "ipc#s304!"),
        ("second clause of Section 300 IPC", "ipc#s300!"),
        ("the last proviso to Section 437(1) CrPC", "crpc#s437.1!"),
        ("Section 437 CrPC, last proviso", "crpc#s437!"),
        ("Exception Nine to Section 300 IPC", "ipc#s300!"),
        ("Section 302 IPC, secondly, the motive is proved", "ipc#s302!"),
        ("Section 300 IPC under Exception 9", "ipc#s300!"),
        ("Section 300 IPC as per Exception 9", "ipc#s300!"),
        ("Section 302 IPC along with its proviso", "ipc#s302!"),
        ("Section 376 IPC sub-section two", "ipc#s376!"),
        ("Section 304 IPC-II", "ipc#s304!"),
        ("Article 19-1", "constitution#a19! constitution#a1!"),
        ("अनुच्छेद 19 (1) (ह)", "constitution#a19.1!"),
        ("Section 302-34 IPC", "ipc#s302 ipc#s34"),
        ("Section 302 IPC and the witness read Part II of the file", "ipc#s302"),
        ("Article 19 (1", "constitution#a19!"),
        ("Articles 14(1) to 18", "constitution#a14.1!"),
        ("Section 299 to 304 Part II IPC", "ipc#s299!~s304"),
        // A gloss is no place.
        ("Section 302 (murder) IPC", "ipc#s302"),
        ("Section 302 (for murder of A) IPC", "ipc#s302"),
        ("Section 302 IPC (P.W. 3)", "ipc#s302"),
    ]);
    let text = "see Article 19(1)(a-g) there";
    let context = Context { jurisdiction: Some("in".to_owned()), ..Context::default() };
    let found = extract(text, &named(), &context);
    let Some(Unresolved::Place(from, to)) = found[0].unresolved else { panic!("{found:?}") };
    assert_eq!((&text[from..to], found[0].raw.as_str()), ("(a-g)", "Article 19(1)(a-g)"));
    let c = one("Section 2(a-c) of the Lamp Act", DAY);
    assert_eq!(c.verdict, Verdict::Unchecked);
    assert!(c.reason.contains("`(a-c)`"), "{}", c.reason);
}

#[test]
fn a_number_beside_a_name_may_count_or_label() {
    check_rows(&[
        // As courts write.
        ("302 IPC", "ipc#s302"),
        ("u/s 302, 34 IPC", "ipc#s302 ipc#s34"),
        ("an order under 156(3) CrPC", "crpc#s156.3"),
        ("FIR under 420/406 IPC registered", "ipc#s420 ipc#s406"),
        ("in this case and 302 IPC", "ipc#s302"),
        ("226 of the Constitution of India", "constitution#a226"),
        ("a 498A IPC case", "ipc#s498A"),
        ("IPC 302 and 34", "ipc#s302 ipc#s34"),
        ("(under IPC 302)", "ipc#s302"),
        // Counts and labels.
        ("7 IPC provisions", ""),
        ("30 CrPC riddles for the bar", ""),
        ("each of the 9 IPC sections", ""),
        ("IPC 12 essays", ""),
        ("Chapters 5, 6 and 7 of the IPC", ""),
        ("Chapters 1 to 3, 5 and 7 of the IPC", ""),
        ("Rules 3 and 4 of the CrPC", ""),
        ("Questions 8 and 9 of the IPC", ""),
        ("Lessons 1 to 4 of the IPC", ""),
        ("Suspects 1 and 2, 302 IPC", "ipc#s302"),
        ("1. IPC 2. CrPC", ""),
        ("a) IPC b) CrPC 3) BNS", ""),
        ("1. IPC\n2. CrPC", ""),
        ("अध्याय 16 भादवि", ""),
        ("7 भादवि मामले", ""),
        // Nobody can tell.
        ("Bogie 302 of the IPC", "?"),
        ("Q. 34 IPC", "?"),
        ("S. No. 5 IPC", "?"),
        ("Night 12 – IPC", "?"),
        ("IPC - 100", "?"),
        ("Accused No. 2, 302 IPC", "?"),
        ("21 Constitution", "?"),
        // People and things behind an act.
        ("u/s 302 IPC and 5 others", "ipc#s302"),
        ("Sections 302, 307 IPC and 4 policemen", "ipc#s302 ipc#s307"),
        ("Section 302 IPC and 5 were hurt", "ipc#s302 ?"),
        ("Section 302 IPC and 34", "ipc#s302 ipc#s34"),
        ("Articles 14, 19 and 5 judges", "constitution#a14 constitution#a19"),
        // Writings.
        ("In her article 370 voters objected", "?"),
        ("the article 21 pages long", ""),
        ("article 21 protects liberty", "constitution#a21"),
    ]);
}

#[test]
fn what_is_pointed_at_has_units_of_its_own_kind() {
    check_rows(&[
        ("Section 302 IPC. Section 34 thereof", "ipc#s302 ipc#s34"),
        ("Article 21 of the Constitution. Article 32 thereof", "constitution#a21 constitution#a32"),
        ("Section 302 IPC. Article 3 thereof", "ipc#s302 ?"),
        ("Article 21 of the Constitution. Section 3 thereof", "constitution#a21 ?"),
    ]);
}

#[test]
fn the_code_is_the_one_defined() {
    check_rows(&[
        (
            "The Code of Criminal Procedure, 1973 (for short, \"the Code\"). Section 302 IPC. Section 439 of the Code",
            "ipc#s302 crpc#s439",
        ),
        (
            "Section 154 of the Code of Criminal Procedure, 1973 (hereinafter called the \"Code\").\n\n\
             Section 302 IPC. Section 164 of the Code",
            "crpc#s154 ipc#s302 crpc#s164",
        ),
        ("the Customs Act, 1962 (\"the Act\"). Section 108 of the Act", "?"),
        ("the Indian Penal Code (the Code). Section 164 CrPC. Section 409 of the Code", "crpc#s164 ipc#s409"),
        // Not defined: it may be elsewhere.
        ("Section 302 IPC. Section 313 of the Code", "ipc#s302 ?"),
        ("Section 302 IPC. Section 34 of the said Code", "ipc#s302 ipc#s34"),
        ("Section 164 CrPC, Section 302 IPC. Section 34 of the said Code", "crpc#s164 ipc#s302 ?"),
        ("Section 164 CrPC, Section 302 IPC. Section 34 of the same Code", "crpc#s164 ipc#s302 ipc#s34"),
        ("भारतीय दंड संहिता की धारा 300; उक्त संहिता की धारा 302", "ipc#s300 ipc#s302"),
        (
            "दंड प्रक्रिया संहिता की धारा 154, भारतीय दंड संहिता की धारा 300; उक्त संहिता की धारा 302",
            "crpc#s154 ipc#s300 ?",
        ),
    ]);
}

#[test]
fn brackets_inside_a_title_are_part_of_it() {
    let catalogue = Catalogue::builtin().unwrap();
    let context = Context { jurisdiction: Some("in".to_owned()), ..Context::default() };
    for text in [
        "Section 15 of the Unlawful Activities (Prevention) Act, 1967",
        "Section 15 of the Unlawful Activities (Prevention) Act",
        "Section 15 of the Unlawful Activities Prevention Act",
        "Section 15 of UA(P) Act",
    ] {
        let found = extract(text, &catalogue, &context);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].work.as_ref().map(ToString::to_string).as_deref(), Some("in/uapa"), "{found:?}");
    }
    check_rows(&[("Section 302 of the Indian Penal Code (Amendment) Act, 2013", "?")]);
}

#[test]
fn names_that_go_on_are_of_other_acts() {
    check_rows(&[
        ("Section 302 Cr.P.C. Pakistan", "?"),
        ("Section 302 CrPC (Bangladesh)", "?"),
        ("Section 3 of the CrPC Training Manual", "?"),
        ("Section 302 IPC Delhi", "ipc#s302"),
        ("Code of Criminal Procedure (2 of 1974), S. 482", "crpc#s482"),
        ("Code of Criminal Procedure, 1973 (Act 2 of 1974), Section 482", "crpc#s482"),
        ("Code of Criminal Procedure (5 of 1898), S. 482", "?"),
        ("Indian Penal Code (IPC) Section 302", "ipc#s302"),
        (
            "Section 2 of the Constitution (Third Amendment) Act, 1954 changed Article 19",
            "? constitution#a19",
        ),
    ]);
}

#[test]
fn joins_and_broken_words() {
    check_rows(&[
        ("Section 302 alternatively Section 304 IPC", "ipc#s302 ipc#s304"),
        ("Section 302 in conjunction with Section 34 IPC", "ipc#s302 ipc#s34"),
        ("Section 302 of the Indian Pe-\nnal Code", "ipc#s302"),
        ("Section 302\u{200b} IPC", "ipc#s302"),
        ("<b>Section 302</b> IPC", "ipc#s302"),
        ("Section 302&nbsp;IPC", "ipc#s302"),
        ("a < b and Section 302 IPC > c", "ipc#s302"),
    ]);
}

#[test]
fn hindi_abbreviations_and_joins() {
    check_rows(&[
        ("धारा 299 से 304 तक भादवि", "ipc#s299~s304"),
        ("भादवि की धारा 302 तक", "ipc#s302"),
        ("धारा 302 भा०दं०सं०", "ipc#s302"),
        ("धारा 154 दं0प्र0सं0 के तहत", "crpc#s154"),
        ("धारा 302 सपठित 34 भा0दं0सं0", "ipc#s302 ipc#s34"),
        ("भारतीय दंड संहिता की धारा 302 तथा विस्फोटक अधिनियम की धारा 5", "ipc#s302 ?"),
        ("भादवि की धारा 302 एवं दंड प्रक्रिया संहिता की धारा 164", "ipc#s302 crpc#s164"),
        ("धारा 302 के तहत भारतीय दंड संहिता", "ipc#s302"),
        ("धारा 302 का अपराध भादवि", "ipc#s302"),
        ("धारा 25 के तहत भारतीय दंड संहिता की धारा 302", "? ipc#s302"),
        ("अनुसूचित जाति और जनजाति अधिनियम की धारा 3", "?"),
    ]);
}

#[test]
fn spans_end_where_the_words_do() {
    let raws = |text: &str| -> Vec<String> {
        let context = Context { jurisdiction: Some("in".to_owned()), ..Context::default() };
        extract(text, &named(), &context).into_iter().map(|e| e.raw).collect()
    };
    for (text, want) in [
        ("See Section 302 IPC. He", vec!["Section 302 IPC"]),
        ("See Section 302 I.P.C. He", vec!["Section 302 I.P.C."]),
        ("the Constitution of India (Article 14)", vec!["the Constitution of India (Article 14)"]),
        ("IPC (Sections 302, 34)", vec!["Sections 302", "34"]),
        ("Section 302 of the report", vec!["Section 302"]),
        (
            "Section 374 of the old Code of Criminal Procedure, 1898 was",
            vec!["Section 374 of the old Code of Criminal Procedure, 1898"],
        ),
        (
            "Section 9 of the Criminal Law (Amendment) Act, 2013",
            vec!["Section 9 of the Criminal Law (Amendment) Act, 2013"],
        ),
        ("S. 30, Income-tax Act, 1961", vec!["S. 30, Income-tax Act, 1961"]),
        ("in Singapore Penal Code s 302", vec!["Singapore Penal Code s 302"]),
        ("Article 19(2) to (4) of the Constitution", vec!["Article 19(2) to (4) of the Constitution"; 3]),
    ] {
        let got = raws(text);
        let want: Vec<&str> = want.into_iter().map(|w| w.strip_prefix("the ").unwrap_or(w)).collect();
        assert_eq!(got, want, "{text}");
    }
}

#[test]
fn names_of_this_program_are_citations_and_nothing_inside_them_is() {
    check_rows(&[
        (
            "See in/ipc#s302 and cn/criminal-law#a264, then in/constitution#a19.1.a.",
            "ipc#s302 cl#a264 constitution#a19.1.a",
        ),
        ("根据cn/criminal-law#a133-1.p1处罚", "cl#a133-1.p1"),
        ("[in/ipc#s300.exc1], as (in/ipc@2018-04-21:en#s304B)", "ipc#s300.exc1 ipc#s304B"),
        ("in/ipc#section-302", "?"),
        ("see issue a/b#12 and docs/readme#s3x", ""),
    ]);
    let catalogue = Catalogue::builtin().unwrap();
    let ipc = "in/ipc".parse().unwrap();
    let context = Context { default_work: Some(ipc), ..Context::default() };
    let found = extract("Under xx/kite-act#s3 it is flown.", &catalogue, &context);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].work.as_ref().unwrap().to_string(), "xx/kite-act");
    assert_eq!(found[0].raw, "xx/kite-act#s3");
}

#[test]
fn a_number_parted_at_a_line_end_is_neither_piece() {
    check_rows(&[
        ("Section 30-\n2 IPC", "ipc#s30!"),
        ("Section 30–\n  2 of the IPC", "ipc#s30!"),
        ("IPC Section 30-\n2", "ipc#s30!"),
        ("IPC Section 3-\n02", "ipc#s3!"),
        ("IPC Section 376-\nAB", "ipc#s376!"),
        ("CrPC Section 161-\n(3)", "crpc#s161!"),
        ("Section 30¬\n2 IPC", "ipc#s30!"),
        ("IPC Section 304- A", "ipc#s304!"),
        ("IPC Section 304 - A", "ipc#s304!"),
        ("IPC Section 304 -A", "ipc#s304A"),
        ("IPC S. 302 - A case of murder", "ipc#s302"),
        ("IPC S. 302 - S. 34", "ipc#s302 ?"),
        ("Sections 299-\n304 IPC", "ipc#s299~s304"),
        ("Section 161-\nCrPC", "crpc#s161"),
    ]);
}

#[test]
fn full_width_letters_are_letters() {
    check_rows(&[
        ("Section ３０２ ＩＰＣ", "ipc#s302"),
        ("Ｓｅｃｔｉｏｎ　３０２ of the ＩＰＣ", "ipc#s302"),
        ("Section ４９８Ａ ＩＰＣ", "ipc#s498A"),
        ("Section 498Ａ IPC", "ipc#s498A"),
        ("ＩＰＣ Section ３７６ ＡＢ", "ipc#s376AB"),
        ("Section ３０２（１） ＩＰＣ", "ipc#s302.1"),
    ]);
}

#[test]
fn nor_joins() {
    check_rows(&[
        ("neither Section 299 nor 300 IPC", "ipc#s299 ipc#s300"),
        ("neither Section 299 nor Section 300 of the IPC", "ipc#s299 ipc#s300"),
        ("neither under Section 302 nor under Section 304 IPC", "ipc#s302 ipc#s304"),
    ]);
}

#[test]
fn what_a_list_has_too_many_of_is_counted() {
    for times in [5_000, 200_000, 600_000] {
        let text = format!("Section 302 of the Penal Code and Sections {}34", "302, ".repeat(times));
        let found = extract(&text, &named(), &Context::default());
        assert!(found.iter().filter(|e| e.work.is_some()).count() < 5_000);
        let rest: Vec<_> = found.iter().filter(|e| e.unresolved == Some(Unresolved::TooLong)).collect();
        assert!(!rest.is_empty(), "{times}");
        assert_eq!(rest.last().unwrap().span.1, text.len(), "{times}");
    }
}

#[test]
fn a_stretch_that_no_id_has_is_not_the_whole() {
    check_rows(&[
        ("Section 13, para 3 of the Indian Penal Code", "ipc#s13!"),
        ("Section 300 (para 3) IPC", "ipc#s300!"),
        ("Section 300, item 3 of the Indian Penal Code", "ipc#s300!"),
        ("Section 300, sentence 2 of the Indian Penal Code", "ipc#s300!"),
        ("Section 300 of the Indian Penal Code, in its third paragraph", "ipc#s300!"),
        ("Section 300 IPC, second sentence", "ipc#s300!"),
        ("Section 300 ¶ 3 of the IPC", "ipc#s300!"),
        ("Section 300:3 IPC", "ipc#s300!"),
        ("s. 300 § 3 IPC", "ipc#s300!"),
        // Of other papers.
        ("Section 302 IPC, para 12 of the order", "ipc#s302"),
        ("Section 302 IPC, line 4 of the impugned order", "ipc#s302"),
        ("Section 302 IPC. Para 3 of the judgment", "ipc#s302"),
        ("Section 302 IPC, sentence of ten years", "ipc#s302"),
        ("under Section 302 IPC in the first half of the year", "ipc#s302"),
    ]);
}
