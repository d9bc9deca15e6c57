//! Which of a provision's places a citation means.

use crate::provision::Pinpoint;

/// The path that a citation means, among those a provision has.
///
/// A path as cited wins. Else a sole exception may be called the first, 项 may leave its only paragraph out,
/// and a place may leave out the sub-section where only one has it.
pub(crate) fn resolve(pins: &[Pinpoint], cited: &[String]) -> Result<Vec<String>, String> {
    let has = |path: &[String]| pins.iter().any(|p| p.path == path);
    if has(cited) {
        return Ok(cited.to_vec());
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
    let named = ["proviso", "expl", "exc", "ill"].iter().any(|stem| first.starts_with(stem));
    if named {
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
