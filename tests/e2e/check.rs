//! `corpus check`, `corpus diff`, and what a build refuses.

use crate::support::{ACT, Place, WORK};

#[test]
fn a_good_text_is_fit_and_says_what_it_has() {
    let place = Place::new();
    let list = place.json(&["corpus", "check", WORK, "--from", "river-act.txt"]);
    let row = &list[0];
    assert_eq!(row["fit"], true, "{row}");
    assert_eq!((row["found"].as_u64(), row["expected"].as_u64()), (Some(10), Some(10)));
    assert_eq!(row["missing"].as_array().unwrap().len(), 0);
    assert!(row["unassigned_share"].as_f64().unwrap() < 0.2);
    assert!(row["in_contents_table"].as_u64().unwrap() > 0);
}

#[test]
fn what_is_wrong_is_said_and_the_exit_code_says_no() {
    let place = Place::new();
    let cut = |text: &str, from: &str, to: &str| {
        let (start, end) = (text.rfind(from).unwrap(), text.rfind(to).unwrap());
        format!("{}{}", &text[..start], &text[end..])
    };
    for (name, text, code) in [
        ("missing.txt", cut(ACT, "\n8. ", "\n9. "), "missing"),
        (
            "commentary.txt",
            ACT.replace("Whoever", "In simple words, this section means that whoever"),
            "commentary",
        ),
        (
            "lost.txt",
            ACT.replace("Whoever", "\u{E001}\u{E002}\u{E003}\u{E004}\u{E005}\u{E006}\u{E007}"),
            "characters",
        ),
    ] {
        std::fs::write(place.path(name), text).unwrap();
        let out = place.run(&["--json", "corpus", "check", WORK, "--from", name]);
        let list: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        let codes: Vec<&str> =
            list[0]["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
        assert!(codes.contains(&code), "{name}: {codes:?}");
        if code != "characters" {
            assert!(!out.status.success(), "{name} counts as fit: {codes:?}");
            let said = place.fails(&["corpus", "check", WORK, "--from", name], &[code]);
            assert!(said.contains("not fit for use"), "{said}");
        }
    }
}

#[test]
fn another_source_shows_what_was_cut() {
    let place = Place::new();
    let short: String = ACT
        .lines()
        .map(|l| if l.starts_with("Whoever") || l.contains("—Whoever") { &l[..l.len().min(60)] } else { l })
        .collect::<Vec<_>>()
        .join("\n");
    std::fs::write(place.path("short.txt"), short).unwrap();
    let out =
        place.run(&["--json", "corpus", "check", WORK, "--from", "short.txt", "--against", "river-act.txt"]);
    let list: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let comparison = &list[0]["comparison"];
    assert!(comparison["similarity"].as_f64().unwrap() < 1.0, "{comparison}");
    assert!(!comparison["changed"].as_array().unwrap().is_empty(), "{comparison}");
    assert!(!out.status.success());
}

#[test]
fn a_worse_text_does_not_replace_a_better_one_unless_forced() {
    let place = Place::built();
    // Fit by itself, but a provision's second half is gone from three sections.
    let mut worse = ACT.to_owned();
    let mut cuts = 0;
    for section in ["4", "6", "8", "9"] {
        let Some(start) = worse.rfind(&format!("\n{section}. ")) else { continue };
        let end = worse[start + 1..].find("\n\n").map_or(worse.len(), |n| start + 1 + n);
        let half = start + (end - start) / 2;
        let Some(space) = worse[half..end].find(' ') else { continue };
        worse.replace_range(half + space..end, ".");
        cuts += 1;
    }
    assert!(cuts > 2);
    std::fs::write(place.path("worse.txt"), worse).unwrap();
    place.fails(&["corpus", "build", WORK, "--from", "worse.txt"], &["better", "--force"]);
    assert_eq!(place.generation().as_deref(), Some("1"));
    place.ok(&["corpus", "build", WORK, "--from", "worse.txt", "--force"]);
    assert_eq!(place.generation().as_deref(), Some("2"));
}

#[test]
fn a_later_text_that_lacks_much_of_the_one_before_is_refused_and_a_forced_one_is_not_fit() {
    let place = Place::built();
    let start = ACT.rfind("\n6. ").unwrap();
    std::fs::write(place.path("part.txt"), &ACT[..start]).unwrap();
    let later = ["corpus", "build", WORK, "--from", "part.txt", "--in-force-from", "2010-06-01"];
    place.fails(&later, &["hint:", "--force"]);
    assert_eq!(place.generation().as_deref(), Some("1"));
    place.ok(&[&later[..], &["--force"]].concat());
    assert_eq!(place.generation().as_deref(), Some("2"));
    // What is held has the errors that it was stored with.
    let held = place.run(&["--json", "corpus", "check", WORK]);
    let list: serde_json::Value = serde_json::from_slice(&held.stdout).unwrap();
    let fit: Vec<_> = list.as_array().unwrap().iter().map(|c| c["fit"].as_bool().unwrap()).collect();
    assert_eq!(fit.iter().filter(|f| !**f).count(), 1, "{list}");
    assert!(!held.status.success());
}

#[test]
fn the_text_of_another_act_is_refused() {
    let place = Place::built();
    let other =
        ACT.replacen(ACT.lines().next().unwrap(), "THE KITE STRINGS ACT, 1999", 1).replace("River", "Kite");
    std::fs::write(place.path("kite.txt"), other).unwrap();
    let build = ["corpus", "build", WORK, "--from", "kite.txt", "--in-force-from", "2012-01-01"];
    place.fails(&build, &["KITE STRINGS ACT", WORK]);
    assert_eq!(place.generation().as_deref(), Some("1"));
}

#[test]
fn versions_stand_side_by_side_and_the_day_chooses() {
    let place = Place::built();
    std::fs::write(
        place.path("later.txt"),
        ACT.replace("two hundred coins", "nine hundred coins").replace("; ", ", "),
    )
    .unwrap();
    place.ok(&["corpus", "build", WORK, "--from", "later.txt", "--in-force-from", "2010-06-01"]);
    let list = place.json(&["corpus", "list"]);
    let versions: Vec<&str> = list
        .as_array()
        .unwrap()
        .iter()
        .filter(|r| r["id"] == WORK)
        .map(|r| r["version"].as_str().unwrap())
        .collect();
    assert_eq!(versions, ["2001-01-01", "2010-06-01"]);
    let old = place.json(&["show", "xx/river-act#s9", "--as-of", "2009-12-31"]);
    let new = place.json(&["show", "xx/river-act#s9", "--as-of", "2010-06-01"]);
    assert!(old["text"].as_str().unwrap().contains("two hundred"), "{old}");
    assert!(new["text"].as_str().unwrap().contains("nine hundred"), "{new}");
    let hits =
        place.json(&["search", "fine coins net", "--mode", "bm25", "--as-of", "2009-12-31", "-k", "9"]);
    assert!(hits.as_array().unwrap().iter().all(|h| h["version"] == "2001-01-01"), "{hits}");
    let now = place.json(&["corpus", "list", "--as-of", "2011-01-01"]);
    assert_eq!(now.as_array().unwrap().len(), 1);
    assert_eq!(now[0]["version"], "2010-06-01");
    let diff = place.json(&["corpus", "diff", WORK, "2005-01-01", "2011-01-01"]);
    let ids: Vec<&str> = diff.as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["xx/river-act#s9"], "{diff}");
    assert!(diff[0]["difference"].as_str().unwrap().contains("{+nine+}"), "{diff}");
    let said = place.ok(&["corpus", "diff", WORK, "river-act.txt", "later.txt"]);
    assert!(said.contains("1 provisions differ"), "{said}");
    place.fails(&["corpus", "diff", WORK, "1999-01-01", "2011-01-01"], &["no version of 1999-01-01"]);
    place.fails(&["corpus", "diff", WORK, "nothing.txt", "2011-01-01"], &["neither a day"]);
}
