use super::*;
use proptest::prelude::*;

/// Path → the words it covers.
fn read(text: &str, grammar: Grammar) -> Vec<(String, String)> {
    pinpoints(text, grammar).into_iter().map(|p| (p.path.join("."), text[p.range].to_owned())).collect()
}

fn paths(text: &str) -> Vec<String> {
    read(text, Grammar::IndianAct).into_iter().map(|(p, _)| p).collect()
}

fn words<'a>(all: &'a [(String, String)], path: &str) -> &'a str {
    all.iter().find(|(p, _)| p == path).map_or("", |(_, w)| w)
}

#[test]
fn sub_sections_clauses_and_roman_numerals() {
    let text = "(1) A lamp shall be lit—\n(a) at dusk; or\n(b) by a keeper who—\n(i) is sober;\n(ii) is awake; and\n(iii) has oil:\nProvided that a blind lamp is excused.\n(2) Nothing in sub-section (1) or clause (b) thereof binds a moth.\n(2A) Nor a bat.\n(3) The end.";
    assert_eq!(
        paths(text),
        ["1", "1.a", "1.b", "1.b.i", "1.b.ii", "1.b.iii", "proviso", "1.proviso", "2", "2A", "3"]
            .map(String::from)
    );
    let all = read(text, Grammar::IndianAct);
    assert_eq!(words(&all, "1.b.ii"), "(ii) is awake; and");
    assert_eq!(words(&all, "1.proviso"), "Provided that a blind lamp is excused.");
    assert_eq!(words(&all, "2A"), "(2A) Nor a bat.");
}

#[test]
fn h_i_j_is_a_run_of_letters_and_i_ii_is_not() {
    let letters: String = ('a'..='k').map(|c| format!("({c}) thing;\n")).collect();
    let run = paths(&format!("In this Act,—\n{letters}"));
    assert_eq!(run, ('a'..='k').map(|c| c.to_string()).collect::<Vec<_>>());
    let nested: String = ('a'..='h').map(|c| format!("({c}) thing;\n")).collect();
    let run = paths(&format!("In this Act,—\n{nested}(i) first;\n(ii) second;\n(i) a letter again;"));
    assert!(run.contains(&"h.i".to_owned()) && run.contains(&"h.ii".to_owned()), "{run:?}");
}

#[test]
fn labels_on_one_line_count_only_when_due() {
    let text = "(1) A keeper may— (a) light; (b) trim; or (c) quench the lamp named in clause (b) of sub-section (1) of section 9. (2) Clause (a) and clauses (b), (c) are subject to (d).";
    assert_eq!(paths(text), ["1", "1.a", "1.b", "1.c", "2"].map(String::from));
}

#[test]
fn exceptions_explanations_and_illustrations() {
    let text = "Whoever dims a lamp commits dimming.\nIllustrations\n(a) A dims a lamp. A commits dimming.\n(b) B blinks. B does not.\nExplanation 1.—A candle is a lamp.\nExplanation 2.—A star is not.\nException 1.—Fog.\nIllustration\n(a) C dims in fog.\nException 2.—Sleep.";
    let all = read(text, Grammar::IndianAct);
    for path in ["ill-a", "ill-b", "expl1", "expl2", "exc1", "exc1.ill-a", "exc2"] {
        assert!(all.iter().any(|(p, _)| p == path), "{path} {all:?}");
    }
    assert_eq!(words(&all, "ill-b"), "(b) B blinks. B does not.");
    assert_eq!(words(&all, "exc1.ill-a"), "(a) C dims in fog.");
    assert_eq!(words(&all, "ill-a"), "(a) A dims a lamp. A commits dimming.");
}

#[test]
fn a_sole_place_has_no_number_and_brothers_have() {
    assert_eq!(
        paths("A lamp.\nException.—Fog.\nExplanation.—Mist is fog."),
        ["exc", "expl", "exc.expl"].map(String::from)
    );
    let several = paths("A lamp:\nProvided that one.\nProvided further that two.\nProvided also that three.");
    assert_eq!(several, ["proviso", "proviso1", "proviso2", "proviso3"].map(String::from));
    // A label that is written is kept, sole or not.
    assert_eq!(paths("A lamp.\nExplanation II.—Mist."), ["expl2".to_owned()]);
}

#[test]
fn limbs_that_are_counted_in_words() {
    let text = "Dimming is grave, if done by night, or—\n2ndly.—If done at sea, or—\n3rdly.—If done in jest.\nException 1.—Fog, if—\nFirst.—It is thick.\nSecondly.—It is cold.";
    let all = read(text, Grammar::IndianAct);
    assert_eq!(words(&all, "first"), "Dimming is grave, if done by night, or—");
    assert_eq!(words(&all, "third"), "3rdly.—If done in jest.");
    assert_eq!(words(&all, "exc1.second"), "Secondly.—It is cold.");
}

#[test]
fn limbs_that_courts_call_parts() {
    let text = "Whoever dims shall be punished with a fine, if the act is done by night;\nor with imprisonment, or with fine, or with both, if the act is done by day.";
    let all = read(text, Grammar::IndianAct);
    assert_eq!(all.iter().map(|(p, _)| p.as_str()).collect::<Vec<_>>(), ["part1", "part2"]);
    assert!(words(&all, "part2").starts_with("or with imprisonment"));
    // "or with fine, or with both" is no limb.
    assert!(
        paths("Whoever dims shall be punished with imprisonment, or with fine, or with both.").is_empty()
    );
    // A section with sub-sections has none.
    assert_eq!(paths("(1) One;\nor with more.\n(2) Two."), ["1", "2"].map(String::from));
}

#[test]
fn a_list_goes_on_behind_an_explanation_and_behind_flush_words() {
    let text = "(1) In this Act,—\n(a) \"lamp\" means light;\n(b) \"oil\" means fuel.\n\nExplanation.—Gas is oil.\n\n(c) \"wick\" means thread.\n(2) Words.";
    assert_eq!(paths(text), ["1", "1.a", "1.b", "expl", "1.expl", "1.c", "2"].map(String::from));
    let text = "(1) Any of these,—\n(a) a keeper;\n(b) a guard,\nmay put out—\n(i) a lamp;\n(ii) a torch.";
    assert_eq!(paths(text), ["1", "1.a", "1.b", "1.i", "1.ii"].map(String::from));
}

#[test]
fn schedules_have_lists_entries_and_paragraphs() {
    let text = "List I—Lamps of the Union\n1. Lighthouses.\n2. Beacons.\n2A. Flares.\nList II—Lamps of a State\n1. Street lamps; but not those of List I.\n2. Candles.";
    assert_eq!(
        paths(text),
        ["list1", "list1.e1", "list1.e2", "list1.e2A", "list2", "list2.e1", "list2.e2"].map(String::from)
    );
    let text = "PART A\n1. Interpretation.—In this Schedule a lamp is a lamp.\n2. Power.—(1) It shines.\n(2) It dims.\n3. End.";
    assert_eq!(paths(text), ["para1", "para2", "para2.1", "para2.2", "para3"].map(String::from));
}

#[test]
fn letters_inside_roman_numerals_inside_letters() {
    let text = "(1) A keeper may put out a lamp—\n(a) at dawn;\n(b) on any of these grounds, namely:—\n(i) it smokes;\n(ii) the keeper is satisfied that it is necessary—\n(a) to save oil; or\n(b) to sleep; or\n(c) to hide; or\n(d) for the moon,\nand the keeper shall write it down:\nProvided that nobody waits.;\n(ba) when a ship asks;\n(c) in a storm; or\n(d) in a war.\n(2) The end.";
    let all = read(text, Grammar::IndianAct);
    for (path, want) in [
        ("1.b.ii.a", "(a) to save oil; or"),
        ("1.b.ii.d", "(d) for the moon,"),
        ("1.ba", "(ba) when a ship asks;"),
        ("1.c", "(c) in a storm; or"),
        ("1.d", "(d) in a war."),
        ("2", "(2) The end."),
    ] {
        assert_eq!(words(&all, path), want, "{path} {all:?}");
    }
    // Without such an inner list the letters go on as before.
    let text = "(1) May—\n(a) light;\n(b) trim—\n(i) at dusk;\n(ii) at dawn;\n(c) quench.";
    assert_eq!(paths(text), ["1", "1.a", "1.b", "1.b.i", "1.b.ii", "1.c"].map(String::from));
    // A cross-reference that starts a line behind a comma opens nothing.
    let text = "(a) light;\n(b) trim as in sub-clause (i),\n(a) and no other;\n(c) quench.";
    assert!(!paths(text).contains(&"b.a".to_owned()), "{:?}", paths(text));
}

#[test]
fn items_of_a_proviso_among_several() {
    let text = "(1) A lamp:\nProvided that—\n(a) one, if—\n(i) by night;\n(ii) by day;\n(b) two.\nProvided further that three.\n(2) End.";
    let all = read(text, Grammar::IndianAct);
    for path in ["1.proviso.a", "1.proviso.a.ii", "1.proviso1.a.ii", "proviso.b"] {
        assert!(all.iter().any(|(p, _)| p == path), "{path} {all:?}");
    }
    assert_eq!(words(&all, "1.proviso.a.ii"), words(&all, "1.proviso1.a.ii"));
    // Both have an (a): "the proviso, (a)" says nothing.
    let twice = "A lamp:\nProvided that—\n(a) one;\n(b) two.\nProvided further that—\n(a) three;\n(b) four.";
    assert!(!paths(twice).contains(&"proviso.a".to_owned()), "{:?}", paths(twice));
}

#[test]
fn an_omitted_ordinal_leaves_a_gap_and_a_figure_may_touch_its_word() {
    let text = "The fines are—\nFirst.—Nine coins;\nSecondly.—A month of oil;\nFourthly.—The key, that is:—\n(1) of iron;\n(2) of brass;\nFifthly.—The boat.";
    let all = read(text, Grammar::IndianAct);
    assert_eq!(words(&all, "second"), "Secondly.—A month of oil;");
    assert_eq!(words(&all, "fourth.2"), "(2) of brass;");
    assert_eq!(words(&all, "fifth"), "Fifthly.—The boat.");
    let text = "[Section 9]\n1.Interpretation.—In this Schedule,—\n(a) a lamp is a lamp;\n2. Fines.—(1) Nine coins—\n(a) by night; or\n(b) by day.\n(2) More.\n- 4.Appeals.—None.\n4A.Moths.—Free.\n5. End.";
    let read = paths(text);
    for path in ["para1", "para1.a", "para2.1.b", "para2.2", "para4", "para4A", "para5"] {
        assert!(read.contains(&path.to_owned()), "{path} {read:?}");
    }
    assert!(!read.contains(&"para3".to_owned()));
}

#[test]
fn illustrations_of_an_exception_are_not_the_section_s() {
    let own = "Dimming is grave.\nIllustrations\n(a) A dims.\n(b) B dims.\nException 1.—Fog.\nIllustrations\n(a) C dims.\n(b) D dims.\n(c) E dims.";
    let all = paths(own);
    assert!(all.contains(&"ill-b".to_owned()) && all.contains(&"exc1.ill-c".to_owned()), "{all:?}");
    assert!(!all.contains(&"ill-c".to_owned()), "{all:?}");
    // Where only an exception has any, they are the only ones.
    let only = paths("Dimming is grave.\nException 1.—Fog.\nIllustrations\n(a) C dims.\n(b) D dims.");
    assert!(only.contains(&"ill-b".to_owned()), "{only:?}");
}

#[test]
fn chinese_paragraphs_and_items() {
    let text = "有下列点灯行为之一的，处罚金：\n（一）白天点灯的；\n（二）夜里灭灯的。\n\n前款行为情节严重的，从重处罚。\n单位犯前款罪的，有下列情形之一，处罚：（一）多次的；（二）在海上的。";
    let all = read(text, Grammar::ChineseCode);
    let names: Vec<&str> = all.iter().map(|(p, _)| p.as_str()).collect();
    assert_eq!(names, ["p1", "p1.i1", "p1.i2", "p2", "p3", "p3.i1", "p3.i2"]);
    assert_eq!(words(&all, "p1.i2"), "（二）夜里灭灯的。");
    assert!(words(&all, "p1").ends_with("夜里灭灯的。"));
    assert_eq!(words(&all, "p3.i1"), "（一）多次的；");
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(text in "(\\(([0-9]{1,2}|[a-z]{1,3}|[A-Z])\\)|Provided that|Explanation|Exception 1|Illustrations|2ndly|List I—|[0-9]\\. |\\n|; |, |\\. |or with |if the |[a-z]{1,6} |（[一二三]）|。|ä|—|“){0,60}") {
        for grammar in [Grammar::IndianAct, Grammar::ChineseCode] {
            let found = pinpoints(&text, grammar);
            let mut seen = std::collections::HashSet::new();
            for p in &found {
                prop_assert!(text.get(p.range.clone()).is_some_and(|s| !s.is_empty()), "{:?}", p);
                prop_assert!(seen.insert(p.path.clone()), "{:?} twice", p.path);
                prop_assert!(!p.path.is_empty());
                let id = crate::ProvisionId::new("xx/a".parse().unwrap(), "s1".parse().unwrap()).with_pins(p.path.clone());
                prop_assert_eq!(id.to_string().parse::<crate::ProvisionId>().unwrap(), id);
            }
        }
    }

    #[test]
    fn any_text_at_all(text in any::<String>()) {
        for grammar in [Grammar::IndianAct, Grammar::ChineseCode] {
            for p in pinpoints(&text, grammar) {
                prop_assert!(text.get(p.range).is_some());
            }
        }
    }
}
