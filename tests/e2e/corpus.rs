//! Building, searching, showing.

use crate::support::{Place, WORK, listing};

#[test]
fn a_statute_of_the_users_is_built_searched_and_shown() {
    let place = Place::built();
    let list = place.json(&["corpus", "list"]);
    let row = list.as_array().unwrap().iter().find(|r| r["id"] == WORK).unwrap();
    assert_eq!(row["provisions"], 10, "{row}");
    assert_eq!(row["missing"], 0);
    assert_eq!(row["version"], "2001-01-01");
    assert!(row["passages"].as_u64().unwrap() >= 9);

    let shown = place.json(&["show", "xx/river-act#s4A"]);
    assert_eq!(
        shown["text"],
        "Whoever commits the offence of section 4 between sunset and sunrise shall be punished with imprisonment for a term which may extend to two years."
    );
    assert_eq!(shown["heading"], "Damming by night");
    assert_eq!(place.json(&["show", "xx/river-act#s7"])["status"], "omitted");
    assert!(place.json(&["show", "xx/river-act#s2.b"])["text"].as_str().unwrap().contains("March to May"));
    assert!(
        place.json(&["show", "section 8 of the River Act"])["text"].as_str().unwrap().contains("fishing net")
    );

    for mode in ["bm25", "dense", "hybrid"] {
        let hits = place.json(&["search", "someone stole my fishing net", "--mode", mode, "-k", "3"]);
        let ids: Vec<&str> = hits.as_array().unwrap().iter().map(|h| h["id"].as_str().unwrap()).collect();
        assert!(ids.contains(&"xx/river-act#s8") || ids.contains(&"xx/river-act#s9"), "{mode}: {ids:?}");
        assert!(ids.len() <= 3);
    }
}

#[test]
fn a_provision_that_is_named_comes_first() {
    let place = Place::built();
    for query in ["punishment under section 6 of the River Act", "s. 6 River Act", "xx/river-act#s6"] {
        let hits = place.json(&["search", query, "-k", "3"]);
        assert_eq!(hits[0]["id"], "xx/river-act#s6", "{query}");
        assert_eq!(hits[0]["exact"], true, "{query}");
        assert_eq!(hits[0]["rank"], 1);
    }
}

#[test]
fn a_passage_is_a_slice_of_its_provision() {
    let place = Place::built();
    for hit in place.json(&["search", "water", "-k", "10"]).as_array().unwrap() {
        let whole = place.json(&["show", hit["id"].as_str().unwrap()]);
        let (start, end) = (hit["range"]["start"].as_u64().unwrap(), hit["range"]["end"].as_u64().unwrap());
        let text = whole["text"].as_str().unwrap();
        assert_eq!(&text[start as usize..end as usize], hit["text"].as_str().unwrap());
    }
}

#[test]
fn a_second_build_changes_nothing_and_says_so() {
    let place = Place::built();
    let (before, generation) = (listing(&place.path("kb")), place.generation());
    let said = place.ok(&["corpus", "build", WORK, "--from", "river-act.txt"]);
    assert!(said.contains("nothing changed"), "{said}");
    assert_eq!(place.generation(), generation);
    assert_eq!(listing(&place.path("kb")), before);
}

#[test]
fn a_changed_source_makes_a_new_generation_without_stale_passages() {
    let place = Place::built();
    let text = std::fs::read_to_string(place.path("river-act.txt")).unwrap();
    std::fs::write(place.path("river-act.txt"), text.replace("two hundred coins", "seven hundred zlotys"))
        .unwrap();
    place.ok(&["corpus", "build", WORK, "--from", "river-act.txt"]);
    assert_eq!(place.generation().as_deref(), Some("2"));
    let hits = place.json(&["search", "zlotys", "--mode", "bm25"]);
    assert_eq!(hits[0]["id"], "xx/river-act#s9");
    for hit in place.json(&["search", "fine of two hundred coins", "-k", "20"]).as_array().unwrap() {
        assert!(!hit["text"].as_str().unwrap().contains("two hundred coins"), "{hit}");
    }
}

#[test]
fn indexes_can_be_made_again() {
    let place = Place::built();
    let before = place.json(&["search", "dam", "-k", "5"]);
    std::fs::remove_dir_all(place.path("kb/generations/000001/tantivy")).unwrap();
    std::fs::remove_dir_all(place.path("kb/generations/000001/qdrant")).unwrap();
    place.fails(&["search", "dam"], &["kb rebuild"]);
    place.ok(&["kb", "rebuild"]);
    assert_eq!(place.json(&["search", "dam", "-k", "5"]), before);
}

#[test]
fn a_folder_that_nobody_may_write_can_be_read() {
    let place = Place::built();
    let before = place.json(&["search", "dam", "-k", "5"]);
    // Even the lock that a reader takes for a moment cannot be had.
    let lock = place.path("kb/generations/000001/tantivy/.tantivy-meta.lock");
    let _ = std::fs::remove_file(&lock);
    std::fs::create_dir(&lock).unwrap();
    assert_eq!(place.json(&["search", "dam", "-k", "5"]), before);
}

#[test]
fn an_export_leaves_what_is_no_file_as_it_is() {
    let place = Place::built();
    let whole = place.ok(&["corpus", "export", WORK]);
    std::fs::write(place.path("real.jsonl"), "old").unwrap();
    std::os::unix::fs::symlink("real.jsonl", place.path("link.jsonl")).unwrap();
    place.ok(&["corpus", "export", WORK, "-o", "link.jsonl"]);
    assert!(std::fs::symlink_metadata(place.path("link.jsonl")).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(place.path("real.jsonl")).unwrap(), whole);
    let socket = std::os::unix::net::UnixListener::bind(place.path("socket")).unwrap();
    place.fails(&["corpus", "export", WORK, "-o", "socket"], &["socket"]);
    drop(socket);
    assert!(!std::fs::symlink_metadata(place.path("socket")).unwrap().is_file());
}

#[test]
fn readers_work_while_a_writer_holds_the_lock() {
    let place = Place::built();
    let lock = std::fs::OpenOptions::new().write(true).open(place.path("kb/write.lock")).unwrap();
    lock.lock().unwrap();
    place.json(&["search", "dam"]);
    place.fails(&["corpus", "build", WORK, "--from", "river-act.txt"], &["another nyaya"]);
}
