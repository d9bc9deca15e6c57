//! Limbs of a section that gives more than one punishment.

use crate::provision::Pinpoint;

/// The limbs that courts call Part I and Part II: of section 304, 308, 506 and their kind.
pub(super) fn limbs(text: &str) -> Vec<Pinpoint> {
    let mut cuts: Vec<usize> = Vec::new();
    let lower = text.to_ascii_lowercase();
    let starts = |rest: &str| {
        let ways = [
            "or with ",
            "or shall ",
            "and if ",
            "and, if ",
            "if the ",
            "if a ",
            "if such ",
            "if threat ",
            "if punishable ",
            "but if ",
        ];
        ways.iter().any(|w| rest.starts_with(w))
            && !rest.starts_with("or with fine")
            && !rest.starts_with("or with both")
    };
    // At the start of a line.
    let mut at = 0;
    for raw in lower.split_inclusive('\n') {
        let line = raw.trim_start();
        let start = at + raw.len() - line.len();
        at += raw.len();
        let before = lower.get(..start).unwrap_or_default().trim_end();
        if start > 0 && before.ends_with([',', ';', '.', ':', '—', '–', '-']) && starts(line) {
            cuts.push(start);
        }
    }
    // Behind a semicolon, a full stop or a dash inside a line.
    for (i, c) in lower.char_indices() {
        if !matches!(c, ';' | '.' | '—' | '–') {
            continue;
        }
        let rest = lower.get(i + c.len_utf8()..).unwrap_or_default();
        let body = rest.trim_start();
        let start = i + c.len_utf8() + rest.len() - body.len();
        let limb = (body.starts_with("or with ")
            && !body.starts_with("or with fine")
            && !body.starts_with("or with both"))
            || body.starts_with("and if ")
            || body.starts_with("and, if ");
        // The heading of a limb ("If threat be to cause death, etc.—And if …") has been cut already.
        let headed = matches!(c, '—' | '–')
            && cuts.iter().any(|cut| lower.get(*cut..i).is_some_and(|s| !s.contains('\n') && s.len() < 120));
        if limb && !headed {
            cuts.push(start);
        }
    }
    // `…, if the act is done …, or with imprisonment …, if the act is done …` on one line.
    for (i, _) in lower.match_indices(", or with imprisonment") {
        let (head, tail) = (lower.get(..i).unwrap_or_default(), lower.get(i..).unwrap_or_default());
        if head.contains(", if the act") && tail.contains(", if the act") {
            cuts.push(i + 2);
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts.retain(|c| *c > 0);
    if cuts.is_empty() {
        return Vec::new();
    }
    let mut edges = vec![0];
    edges.extend(cuts);
    edges.push(text.len());
    (1u32..)
        .zip(edges.windows(2))
        .filter_map(|(n, pair)| {
            let [from, to] = pair else { return None };
            let end = from + text.get(*from..*to)?.trim_end().len();
            Some(Pinpoint { path: vec![format!("part{n}")], range: *from..end })
        })
        .collect()
}
