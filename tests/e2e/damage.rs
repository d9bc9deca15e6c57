//! Damaged knowledge bases: what is lost is named, nothing else goes with it, and a build heals it.

use crate::support::{Place, WORK};

const BUILD: [&str; 5] = ["corpus", "build", WORK, "--from", "river-act.txt"];

fn first_file(place: &Place, folder: &str, name: &str) -> std::path::PathBuf {
    let all = std::fs::read_dir(place.path(folder)).unwrap().flatten().map(|e| e.path());
    all.flat_map(|p| if p.is_dir() { vec![p.join(name)] } else { vec![p] }).find(|p| p.is_file()).unwrap()
}

#[test]
fn an_altered_text_does_not_pass_for_the_law() {
    let place = Place::built();
    let path = first_file(&place, "kb/editions", "");
    let text = std::fs::read_to_string(&path).unwrap().replace("three years", "thirty years");
    std::fs::write(&path, text).unwrap();
    place.fails(&["show", "xx/river-act#s6"], &["altered", WORK]);
    place.ok(&BUILD);
    assert!(place.ok(&["show", "xx/river-act#s6"]).contains("three years"));
}

#[test]
fn a_lost_pointer_loses_no_statute() {
    let place = Place::built();
    for content in [None, Some(""), Some("nonsense")] {
        match content {
            None => std::fs::remove_file(place.path("kb/CURRENT")).unwrap(),
            Some(text) => std::fs::write(place.path("kb/CURRENT"), text).unwrap(),
        }
        place.json(&["search", "dam"]);
        let said = place.ok(&BUILD);
        assert!(said.contains("unchanged"), "{said}");
    }
}

#[test]
fn cut_vectors_are_made_again_by_a_build() {
    let place = Place::built();
    let path = first_file(&place, "kb/parts", "vectors.f32");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..1001]).unwrap();
    place.fails(&["kb", "rebuild"], &["corpus build"]);
    place.ok(&BUILD);
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    place.ok(&["kb", "rebuild"]);
}

/// Files below a folder of the knowledge base that hold more than a name or a lock.
fn files(place: &Place, below: &str) -> Vec<std::path::PathBuf> {
    let root = place.path(below);
    let all = crate::support::listing(&root).into_iter().map(|(name, _)| root.join(name));
    all.filter(|p| {
        let name = p.display().to_string();
        !name.contains("/wal/") && !name.ends_with(".lock") && std::fs::metadata(p).unwrap().len() > 0
    })
    .collect()
}

#[test]
fn no_altered_byte_of_an_index_is_believed() {
    let place = Place::built();
    let generation = format!("kb/generations/{:0>6}", place.generation().unwrap());
    let (indexes, mut tried) = (files(&place, &generation), 0);
    for path in indexes.iter().filter(|p| !p.display().to_string().contains("/generation.")) {
        let whole = std::fs::read(path).unwrap();
        let mut altered = whole.clone();
        let middle = altered.len() / 2;
        altered[middle] ^= 0x40;
        std::fs::write(path, altered).unwrap();
        let said = place.fails(&["search", "dam"], &["altered", "kb rebuild"]);
        assert!(said.contains(&path.file_name().unwrap().display().to_string()), "{said}");
        std::fs::write(path, whole).unwrap();
        tried += 1;
    }
    assert!(tried > 10, "{indexes:?}");
    place.ok(&["search", "dam"]);
    std::fs::write(indexes.iter().find(|p| p.extension().is_some_and(|e| e == "idx")).unwrap(), "x").unwrap();
    place.fails(&["search", "dam", "--mode", "bm25"], &["altered"]);
    place.ok(&["kb", "rebuild"]);
    place.ok(&["search", "dam"]);
}

#[test]
fn a_knowledge_base_of_an_earlier_program_is_named_as_such() {
    let place = Place::built();
    let path = place.path("kb/generations/000001/generation.json");
    std::fs::write(&path, "{\"format\": 2, \"number\": 1}").unwrap();
    place.fails(&["search", "dam"], &["an older program (format 2)", "build it anew"]);
    std::fs::write(&path, "{\"format\": 99}").unwrap();
    place.fails(&["search", "dam"], &["a newer program (format 99)"]);
}

#[test]
fn altered_passages_and_vectors_are_named_and_made_again() {
    let place = Place::built();
    for name in ["passages.json", "vectors.f32"] {
        let path = first_file(&place, "kb/parts", name);
        let whole = std::fs::read(&path).unwrap();
        let mut altered = whole.clone();
        *altered.last_mut().unwrap() ^= 1;
        std::fs::write(&path, altered).unwrap();
        place.fails(&["kb", "rebuild"], &["altered", name, "corpus build"]);
        place.ok(&BUILD);
        assert_eq!(std::fs::read(&path).unwrap(), whole, "{name}");
        place.ok(&["kb", "rebuild"]);
    }
}

#[test]
fn a_named_provision_that_is_not_there_is_said() {
    let place = Place::built();
    let out = place.run(&["-q", "search", "section 55 of the River Act", "--mode", "bm25"]);
    assert!(String::from_utf8_lossy(&out.stderr).contains("xx/river-act#s55"));
    place.fails(&["search", "  ?! "], &["no words"]);
    place.fails(&["search", "dam", "--jurisdiction", "zz"], &["zz", "xx"]);
}

#[test]
fn show_knows_the_day() {
    let place = Place::built();
    place.fails(&["show", "xx/river-act#s6", "--as-of", "1999-12-31"], &["2001-01-01"]);
}
