//! Places inside articles of Japan, Korea and Taiwan, which count otherwise than those of the PRC do.
//!
//! Japan: paragraphs (項) begin with `２`, items (号) with 一, points with イ. Korea: 항 begin with ②, 호 with `1.`, 목 with
//! `가.`. Taiwan: 項 are lines, 款 begin with 一、, 目 with （一）. A line that begins with none of these goes on.

use nyaya_corpora::provision::Pinpoint;
use nyaya_corpora::{Provision, Unit};

use super::numerals;

/// How deep a line stands that begins with a label: its level (0 is a paragraph) and number.
type Label = fn(&str) -> Option<(usize, u32)>;

/// The places of an article in one of these languages; none for other languages and for schedules.
pub(super) fn pinpoints(provision: &Provision, language: &str) -> Option<Vec<Pinpoint>> {
    if !matches!(provision.id.unit, Unit::Article(_)) {
        return None;
    }
    let label: Label = match language {
        l if l.starts_with("ja") => japanese,
        l if l.starts_with("ko") => korean,
        l if l.starts_with("zh-Hant") => traditional,
        _ => return None,
    };
    Some(places(&provision.text, label, !language.starts_with("ko")))
}

fn places(text: &str, label: Label, lines_count: bool) -> Vec<Pinpoint> {
    /// Start, end, and what its label says: level and number.
    type Line = (usize, usize, Option<(usize, u32)>);
    let mut lines: Vec<Line> = Vec::new();
    let mut at = 0;
    for raw in text.split_inclusive('\n') {
        let words = raw.trim();
        let start = at + raw.len() - raw.trim_start().len();
        at += raw.len();
        if !words.is_empty() {
            lines.push((start, start + words.len(), label(words)));
        }
    }
    // Where paragraphs are numbered, a line without a number goes on with the one before.
    let numbered = !lines_count || lines.iter().any(|l| matches!(l.2, Some((0, n)) if n > 1));
    let mut out: Vec<Pinpoint> = Vec::new();
    let mut open: [Option<(usize, u32)>; 3] = [None; 3];
    for (i, (start, end, label)) in lines.into_iter().enumerate() {
        let found = match label {
            _ if i == 0 => match label {
                Some((0, n)) => Some((0, n)),
                _ => Some((0, 1)),
            },
            Some(found) => Some(found),
            None if numbered => None,
            None => Some((0, open[0].map_or(1, |o| o.1 + 1))),
        };
        if let Some((level, number)) = found {
            let mut path: Vec<String> = Vec::new();
            for (slot, letter) in open.iter().zip(["p", "i", "m"]).take(level) {
                path.extend(slot.map(|s| format!("{letter}{}", s.1)));
            }
            path.push(format!("{}{number}", ["p", "i", "m"].get(level).copied().unwrap_or("m")));
            for slot in open.iter_mut().skip(level) {
                *slot = None;
            }
            if let Some(slot) = open.get_mut(level) {
                *slot = Some((out.len(), number));
            }
            out.push(Pinpoint { path, range: start..end });
        }
        for (index, _) in open.iter().flatten() {
            if let Some(place) = out.get_mut(*index) {
                place.range.end = end;
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    out.retain(|p| seen.insert(p.path.clone()));
    out
}

/// The number before one of these signs at the start of a line.
fn before(line: &str, is_part: fn(char) -> bool, signs: &[char]) -> Option<u32> {
    let end = line.find(|c: char| !is_part(c))?;
    let (word, rest) = line.split_at_checked(end)?;
    let number = numerals::value(word).filter(|n| (1..1000).contains(n))?;
    rest.starts_with(signs).then_some(number)
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

fn is_han(c: char) -> bool {
    numerals::is_numeral(c) && !is_digit(c)
}

fn japanese(line: &str) -> Option<(usize, u32)> {
    if let Some(n) = before(line, is_digit, &[' ', '\u{3000}']) {
        return Some((0, n));
    }
    if let Some(n) = before(line, is_han, &[' ', '\u{3000}', '、']) {
        return Some((1, n));
    }
    let mut chars = line.chars();
    let kana = "イロハニホヘトチリヌルヲ".chars().position(|k| line.starts_with(k))?;
    chars.next();
    chars.next().filter(|c| matches!(c, ' ' | '\u{3000}' | '、'))?;
    Some((2, u32::try_from(kana + 1).ok()?))
}

fn korean(line: &str) -> Option<(usize, u32)> {
    let first = line.chars().next()?;
    if ('①'..='⑳').contains(&first) {
        return Some((0, u32::from(first) - u32::from('①') + 1));
    }
    if let Some(n) = before(line, is_digit, &['.']) {
        return Some((1, n));
    }
    let place = "가나다라마바사아자차카타파하".chars().position(|k| k == first)?;
    line.get(first.len_utf8()..)?.starts_with('.').then_some((2, u32::try_from(place + 1).ok()?))
}

fn traditional(line: &str) -> Option<(usize, u32)> {
    if let Some(n) = before(line, is_digit, &[' ', '\u{3000}']) {
        return Some((0, n));
    }
    if let Some(n) = before(line, is_han, &['、']) {
        return Some((1, n));
    }
    let inside = line.strip_prefix(['（', '('])?;
    let n = before(inside, numerals::is_numeral, &['）', ')'])?;
    Some((2, n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str, label: Label, lines: bool) -> Vec<String> {
        places(text, label, lines)
            .into_iter()
            .map(|p| format!("{}={}", p.path.join("."), &text[p.range]))
            .collect()
    }

    #[test]
    fn paragraphs_and_items_count_as_each_country_counts_them() {
        let text = "凧とは、次のものをいう。\n一　紙の凧\n二　布の凧\n２　糸は、凧に含まない。";
        assert_eq!(
            paths(text, japanese, true),
            [
                "p1=凧とは、次のものをいう。\n一　紙の凧\n二　布の凧",
                "p1.i1=一　紙の凧",
                "p1.i2=二　布の凧",
                "p2=２　糸は、凧に含まない。"
            ]
        );
        let text = "風箏，指下列之物：\n一、紙風箏。\n（一）紅。\n二、布風箏。\n前項之物，不得出售。";
        let found: Vec<String> =
            places(text, traditional, true).into_iter().map(|p| p.path.join(".")).collect();
        assert_eq!(found, ["p1", "p1.i1", "p1.i1.m1", "p1.i2", "p2"]);
        let text = "① 연은 붉어야 한다.\n1. 종이\n가. 얇은 것\n② 실은 희어야 한다.";
        let found: Vec<String> = places(text, korean, false).into_iter().map(|p| p.path.join(".")).collect();
        assert_eq!(found, ["p1", "p1.i1", "p1.i1.m1", "p2"]);
    }
}
