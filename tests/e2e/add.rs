//! `corpus add`: acts that nobody made a manifest for.

use crate::support::Place;

const HARBOUR: &str = "THE HARBOUR LAMPS ORDINANCE, 1987

ARRANGEMENT OF SECTIONS

1. Short title and commencement ........ 1
2. Interpretation ........ 1
3. Duty to light lamps ........ 2
3A. Lamps in fog ........ 2
4. Penalty ........ 3

An Ordinance to provide for the lighting of harbours.

PART I - PRELIMINARY

1. Short title and commencement

This Ordinance may be cited as the Harbour Lamps Ordinance, 1987, and shall come into operation on the 1st day of March, 1988.

2. Interpretation

In this Ordinance—
(a) \"harbour\" means any place where ships lie;
(b) \"lamp\" means any light on a post.

PART II - DUTIES

3. Duty to light lamps

(1) Every warden shall light the lamps of the harbour at sunset.
(2) A warden who has no oil shall say so to the master under section
4 of this Ordinance.

3A. Lamps in fog

In fog the lamps shall be lit by day.

4. Penalty

A warden who does not light a lamp commits an offence and is liable to a fine of ten coins.

FIRST SCHEDULE

1. Lamp of the east pier.
2. Lamp of the west pier.
";

#[test]
fn an_unseen_act_is_proposed_built_and_cited() {
    let place = Place::new();
    std::fs::write(place.path("lamps.txt"), HARBOUR).unwrap();
    let dry = place.ok(&["corpus", "add", "lamps.txt", "--id", "xx/harbour-lamps", "--dry-run"]);
    assert!(dry.contains("1988-03-01") && dry.contains("5 (1 to 4)"), "{dry}");
    assert!(!place.path("kb/manifests/xx-harbour-lamps.toml").exists());
    let said = place.ok(&["corpus", "add", "lamps.txt", "--id", "xx/harbour-lamps"]);
    assert!(said.contains("built"), "{said}");
    let list = place.json(&["corpus", "list"]);
    let row = list.as_array().unwrap().iter().find(|r| r["id"] == "xx/harbour-lamps").unwrap();
    assert_eq!((row["provisions"].as_u64(), row["schedules"].as_u64()), (Some(5), Some(1)), "{row}");
    assert_eq!(row["version"], "1988-03-01");
    let shown = place.json(&["show", "xx/harbour-lamps#s3"]);
    assert_eq!(shown["heading"], "Duty to light lamps");
    assert!(shown["text"].as_str().unwrap().contains("under section 4 of this Ordinance"), "{shown}");
    assert!(
        place.json(&["show", "section 3A of the Harbour Lamps Ordinance"])["text"]
            .as_str()
            .unwrap()
            .contains("fog")
    );
    // The same again changes nothing; a second document under the name is refused.
    place.fails(&["corpus", "add", "lamps.txt", "--id", "xx/harbour-lamps"], &["known already"]);
    place.ok(&["corpus", "build", "xx/harbour-lamps", "--from", "lamps.txt"]);
    assert_eq!(place.generation().as_deref(), Some("1"));
}

#[test]
fn an_act_that_is_added_again_by_force_leaves_nothing_of_the_first() {
    let place = Place::new();
    std::fs::write(place.path("lamps.txt"), HARBOUR).unwrap();
    place.ok(&["corpus", "add", "lamps.txt", "--id", "xx/harbour-lamps"]);
    let other = HARBOUR.replace("LAMPS ORDINANCE", "BUOYS ORDINANCE").replace("1988", "1989");
    std::fs::write(place.path("buoys.txt"), other).unwrap();
    place.fails(&["corpus", "add", "buoys.txt", "--id", "xx/harbour-lamps"], &["hint:", "--force"]);
    place.ok(&["corpus", "add", "buoys.txt", "--id", "xx/harbour-lamps", "--force"]);
    let list = place.json(&["corpus", "list"]);
    let held: Vec<_> = list.as_array().unwrap().iter().filter(|r| r["id"] == "xx/harbour-lamps").collect();
    assert_eq!(held.len(), 1, "{list}");
    assert_eq!(held[0]["version"], "1989-03-01");
}

#[test]
fn a_bad_or_unfinished_manifest_costs_nothing_else() {
    let place = Place::new();
    std::fs::write(place.path("lamps.txt"), HARBOUR).unwrap();
    // The language becomes part of file names.
    let walk = ["corpus", "add", "lamps.txt", "--id", "xx/harbour-lamps", "--language", "../../../out"];
    place.fails(&walk, &["../../../out", "language"]);
    let written = place.ok(&["corpus", "add", "lamps.txt", "--id", "xx/harbour-lamps", "--dry-run"]);
    // A killed addition leaves a manifest that says so; the same command takes it up.
    let folder = place.path("kb/manifests");
    std::fs::create_dir_all(&folder).unwrap();
    let toml = &written[written.find("id = ").unwrap()..];
    std::fs::write(folder.join("xx-harbour-lamps.toml"), format!("# being added\n{toml}")).unwrap();
    place.ok(&["corpus", "add", "lamps.txt", "--id", "xx/harbour-lamps"]);
    place.fails(&["corpus", "add", "lamps.txt", "--id", "xx/harbour-lamps"], &["known already"]);
    // A manifest that cannot be read is told of, and the others go on.
    std::fs::write(folder.join("xx-broken.toml"), "").unwrap();
    let out = place.run(&["show", "xx/harbour-lamps#s3A"]);
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && said.contains("xx-broken.toml") && said.contains("hint:"), "{said}");
}

#[test]
fn laws_in_other_languages_and_styles_are_added() {
    let place = Place::new();
    for (file, id, text, last, count) in [
        (
            "lamps-zh.txt",
            "cn/harbour-lamps",
            "海港灯火条例\n\n第一章　总则\n\n第一条　为了管理海港灯火，制定本条例。\n\n第二条　守灯人应当在日落时点灯。\n\n第二条之一　大雾时，白天也应当点灯。\n\n第二章　附则\n\n第三条　本条例自2005年7月1日起施行。\n".to_owned(),
            "cn/harbour-lamps#a3",
            4,
        ),
        (
            "lamps-de.txt",
            "de/harbour-lamps",
            "Hafenlampengesetz 1998\n\n§ 1 Zweck\n\nDas Gesetz regelt die Lampen der Häfen.\n\n§ 2 Pflicht\n\n(1) Der Wärter zündet die Lampe an.\n(2) § 1 gilt entsprechend.\n\n§ 3 Inkrafttreten\n\nDieses Gesetz tritt am 1. Januar 1998 in Kraft.\n".to_owned(),
            "de/harbour-lamps#s3",
            3,
        ),
        (
            "lamps-hi.txt",
            "in/harbour-lamps",
            "बंदरगाह दीप अधिनियम, 2003\n\nधारा 1. संक्षिप्त नाम\n\nइस अधिनियम का नाम बंदरगाह दीप अधिनियम है।\n\nधारा 2. कर्तव्य\n\nहर रक्षक दीप जलाएगा।\n\nधारा 3. दण्ड\n\nजो दीप नहीं जलाता वह दण्डित होगा।\n".to_owned(),
            "in/harbour-lamps#s3",
            3,
        ),
        (
            "lamps-titled.txt",
            "xx/lamps-titled",
            "LAMP CODE OF 1991\n\nArticle 1. Purpose\n\nThis Code is about lamps and shall come into force on 2 May 1991.\n\nArticle 2. Duty\n\nEvery warden shall light the lamps in the manner that\nArticle 1 of this Code does not say, and as\nArticle 3\nof this Code says.\n\nArticle 3. Penalty\n\nA fine of ten coins.\n".to_owned(),
            "xx/lamps-titled#a3",
            3,
        ),
    ] {
        std::fs::write(place.path(file), text).unwrap();
        place.ok(&["corpus", "add", file, "--id", id]);
        let list = place.json(&["corpus", "list"]);
        let row = list.as_array().unwrap().iter().find(|r| r["id"] == id).unwrap().clone();
        assert_eq!(row["provisions"].as_u64(), Some(count), "{row}");
        place.json(&["show", last]);
    }
}

#[test]
fn what_is_no_statute_is_refused_and_leaves_nothing() {
    let place = Place::new();
    std::fs::write(place.path("letter.txt"), "Dear Sir,\n\nthe lamps are out.\n\nYours, a warden, 1990\n")
        .unwrap();
    place.fails(&["corpus", "add", "letter.txt", "--id", "xx/letter"], &[]);
    assert!(!place.path("kb/manifests/xx-letter.toml").exists());
    std::fs::write(
        place.path("dateless.txt"),
        "LAMP ACT\n\n1. Lamps\n\nA lamp is lit.\n\n2. Wardens\n\nA warden lights it.\n",
    )
    .unwrap();
    place.fails(&["corpus", "add", "dateless.txt", "--id", "xx/dateless"], &["--in-force-from"]);
    place.ok(&["corpus", "add", "dateless.txt", "--id", "xx/dateless", "--in-force-from", "1990-01-01"]);
}
