//! Which of a provision's places a citation means.

use crate::provision::Pinpoint;

/// How names of named places begin.
const STEMS: [&str; 4] = ["proviso", "expl", "exc", "ill"];

/// The path with `e` for `para` and the other way round, where the place that holds the rows has only the other.
fn rows_renamed(pins: &[Pinpoint], cited: &[String]) -> Vec<String> {
    let row = |pin: &str, kind: &str| {
        pin.strip_prefix(kind).is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut path: Vec<String> = Vec::with_capacity(cited.len());
    for pin in cited {
        let number =
            ["para", "e"].iter().find(|k| row(pin, k)).and_then(|k| pin.strip_prefix(k).map(|n| (*k, n)));
        let Some((kind, number)) = number else {
            path.push(pin.clone());
            continue;
        };
        let other = if kind == "e" { "para" } else { "e" };
        let has = |kind: &str| {
            pins.iter().any(|p| {
                p.path.len() == path.len() + 1
                    && p.path.starts_with(&path)
                    && p.path.last().is_some_and(|l| row(l, kind))
            })
        };
        let name = if !has(kind) && has(other) { format!("{other}{number}") } else { pin.clone() };
        path.push(name);
    }
    path
}

/// The path that a citation means, among those a provision has.
///
/// A path as cited wins. Else a sole exception may be called the first, 项 may leave its only paragraph out,
/// and a place may leave out the sub-section where only one has it.
pub(crate) fn resolve(pins: &[Pinpoint], cited: &[String]) -> Result<Vec<String>, String> {
    let has = |path: &[String]| pins.iter().any(|p| p.path == path);
    if has(cited) {
        return Ok(cited.to_vec());
    }
    // Entry 22, item 22 or paragraph 22 of a schedule that numbers its rows in one way only.
    let renamed = rows_renamed(pins, cited);
    if renamed != cited && has(&renamed) {
        return Ok(renamed);
    }
    // A knowledge base of an older reader has `1a` for (1A).
    let mut same = pins.iter().filter(|p| {
        p.path.len() == cited.len() && p.path.iter().zip(cited).all(|(a, b)| a.eq_ignore_ascii_case(b))
    });
    if let (Some(one), None) = (same.next(), same.next()) {
        return Ok(one.path.clone());
    }
    // `the first proviso` of a sole one.
    let sole: Vec<String> = cited
        .iter()
        .map(|pin| {
            for stem in ["proviso", "exc", "expl"] {
                if pin.strip_prefix(stem).is_some_and(|n| n == "1") {
                    return stem.to_owned();
                }
            }
            pin.clone()
        })
        .collect();
    if sole != cited && has(&sole) {
        return Ok(sole);
    }
    // 第二项 without 款.
    let first = cited.first().map(String::as_str).unwrap_or_default();
    let counted = |s: &str, c: char| {
        s.strip_prefix(c).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    if counted(first, 'i') {
        let mut with_items: Vec<&str> = pins
            .iter()
            .filter(|p| p.path.len() == 2 && p.path.get(1).is_some_and(|i| counted(i, 'i')))
            .filter_map(|p| p.path.first().map(String::as_str))
            .collect();
        with_items.dedup();
        return match with_items.as_slice() {
            [only] => {
                let path: Vec<String> =
                    std::iter::once((*only).to_owned()).chain(cited.iter().cloned()).collect();
                if has(&path) {
                    Ok(path)
                } else {
                    Err(format!("paragraph {only} has no {}", cited.join(".")))
                }
            }
            [] => Err("none of its paragraphs has items".to_owned()),
            many => Err(format!(
                "{} of its paragraphs have items, and the citation does not say which",
                many.len()
            )),
        };
    }
    // A proviso, explanation, exception or illustration in the only sub-section that has one.
    let stem = STEMS.iter().find(|stem| first.starts_with(**stem));
    // A section with illustrations of its own means those, not an exception's.
    let own = stem.is_some_and(|stem| {
        pins.iter().any(|p| p.path.len() == 1 && p.path.first().is_some_and(|f| f.starts_with(*stem)))
    });
    if let Some(stem) = stem.filter(|_| own && cited.len() == 1) {
        let theirs: Vec<&str> = pins
            .iter()
            .filter(|p| p.path.len() == 1)
            .filter_map(|p| p.path.first().map(String::as_str))
            .filter(|f| f.starts_with(*stem))
            .collect();
        return Err(format!("it has {}, not {}", theirs.join(", "), cited.join(".")));
    }
    if stem.is_some() && !own {
        for want in [cited, sole.as_slice()] {
            let mut inside =
                pins.iter().filter(|p| p.path.len() > want.len() && p.path.ends_with(want)).map(|p| &p.path);
            match (inside.next(), inside.next()) {
                (Some(path), None) => return Ok(path.clone()),
                (Some(_), Some(_)) => {
                    return Err(format!("more than one place in it is called {}", cited.join(".")));
                }
                _ => {}
            }
        }
        let siblings: Vec<&str> = pins
            .iter()
            .filter(|p| {
                p.path.len() == cited.len()
                    && p.path.last().zip(cited.last()).is_some_and(|(a, b)| {
                        a.trim_end_matches(|c: char| c.is_ascii_digit())
                            == b.trim_end_matches(|c: char| c.is_ascii_digit())
                    })
            })
            .filter_map(|p| p.path.last().map(String::as_str))
            .collect();
        if !siblings.is_empty() {
            return Err(format!("it has {}, not {}", siblings.join(", "), cited.join(".")));
        }
    }
    // How far does the path go?
    let known = (1..cited.len()).rev().find(|n| cited.get(..*n).is_some_and(&has)).unwrap_or(0);
    let stem = cited.get(..known).unwrap_or_default();
    let children: Vec<&str> = pins
        .iter()
        .filter(|p| p.path.len() == known + 1 && p.path.starts_with(stem))
        .filter_map(|p| p.path.last().map(String::as_str))
        .collect();
    let place = if stem.is_empty() { "it".to_owned() } else { format!("its {}", stem.join(".")) };
    let shown = if children.len() > 8 {
        format!("{} to {}", children.first().unwrap_or(&""), children.last().unwrap_or(&""))
    } else {
        children.join(", ")
    };
    Err(if children.is_empty() {
        format!("{place} has no parts of its own")
    } else {
        format!("{place} has {shown}, not {}", cited.get(known).map_or("", String::as_str))
    })
}
