//! 款, 项 and 目 of an article of a Chinese code.

use crate::citation::numerals::{digit, is_chinese_numeral, parse_chinese};
use crate::provision::Pinpoint;

/// The label of an item at the start of a line: `（一）` or `(1)`: number and length.
fn han_label(line: &str) -> Option<(u32, usize)> {
    let mut chars = line.char_indices();
    let (_, open) = chars.next()?;
    if !matches!(open, '（' | '(') {
        return None;
    }
    let inner = line.get(open.len_utf8()..)?;
    let close = inner.char_indices().take(8).find(|(_, c)| matches!(c, '）' | ')'))?;
    let word = inner.get(..close.0)?.trim();
    let end = open.len_utf8() + close.0 + close.1.len_utf8();
    number(word).map(|n| (n, end))
}

/// A label of 目: `1.`, `１、`.
fn point_label(line: &str) -> Option<(u32, usize)> {
    let len: usize = line.chars().take_while(|c| digit(*c).is_some()).map(char::len_utf8).sum();
    let n = number(line.get(..len)?)?;
    let rest = line.get(len..)?;
    let sign = rest.chars().next().filter(|c| matches!(c, '.' | '．' | '、'))?;
    // A decimal is no label.
    if rest.get(sign.len_utf8()..)?.starts_with(|c: char| digit(c).is_some()) {
        return None;
    }
    Some((n, len + sign.len_utf8()))
}

fn number(word: &str) -> Option<u32> {
    if word.is_empty() {
        return None;
    }
    if word.chars().all(is_chinese_numeral) {
        return parse_chinese(word);
    }
    word.chars().map(digit).try_fold(0u32, |n, d| n.checked_mul(10)?.checked_add(d?)).filter(|n| *n > 0)
}

pub(super) fn chinese(text: &str) -> Vec<Pinpoint> {
    struct Open {
        path: Vec<String>,
        start: usize,
        end: usize,
    }
    let mut done: Vec<Open> = Vec::new();
    let (mut paragraph, mut item) = (0u32, None::<u32>);
    // The place in `done` of the open 款, 项 and 目.
    let mut open: [Option<usize>; 3] = [None; 3];
    let mut at = 0;
    let grow = |done: &mut Vec<Open>, open: &[Option<usize>; 3], end: usize| {
        for index in open.iter().flatten() {
            if let Some(o) = done.get_mut(*index) {
                o.end = end;
            }
        }
    };
    for raw in text.split_inclusive('\n') {
        let line = raw.trim();
        let start = at + (raw.len() - raw.trim_start().len());
        let end = start + line.len();
        at += raw.len();
        if line.is_empty() {
            continue;
        }
        // Items may follow on the same line: `……之一：（一）……；（二）……`.
        let mut cuts: Vec<(usize, u32)> = Vec::new();
        let mut due = 1;
        for (i, c) in line.char_indices() {
            if !matches!(c, '（' | '(') {
                continue;
            }
            let Some((n, _)) = line.get(i..).and_then(han_label) else { continue };
            let before = line.get(..i).unwrap_or_default().trim_end();
            let fresh = i == 0;
            if fresh || (n == due && before.ends_with(['：', '；', '。', ':', ';'])) {
                cuts.push((i, n));
                due = n + 1;
            }
        }
        let first = cuts.first().map_or(line.len(), |(i, _)| *i);
        if first > 0 {
            let inside_item = open.get(1).copied().flatten().is_some();
            if let Some((n, _)) = point_label(line).filter(|_| inside_item) {
                let mut path = vec![format!("p{paragraph}")];
                path.extend(item.map(|i| format!("i{i}")));
                path.push(format!("m{n}"));
                done.push(Open { path, start, end });
                open[2] = Some(done.len() - 1);
                grow(&mut done, &open, end);
                continue;
            }
            paragraph += 1;
            item = None;
            open = [Some(done.len()), None, None];
            done.push(Open { path: vec![format!("p{paragraph}")], start, end });
        } else if paragraph == 0 {
            // A provision that is nothing but items.
            paragraph = 1;
            open = [Some(done.len()), None, None];
            done.push(Open { path: vec!["p1".to_owned()], start, end });
        }
        for (n, (i, label)) in cuts.iter().enumerate() {
            let stop = cuts
                .get(n + 1)
                .map_or(end, |(next, _)| start + line.get(..*next).unwrap_or_default().trim_end().len());
            item = Some(*label);
            open[1] = Some(done.len());
            open[2] = None;
            done.push(Open {
                path: vec![format!("p{paragraph}"), format!("i{label}")],
                start: start + i,
                end: stop,
            });
        }
        grow(&mut done, &[open[0], None, None], end);
    }
    let mut seen = std::collections::HashSet::new();
    done.into_iter()
        .filter(|o| seen.insert(o.path.clone()))
        .map(|o| Pinpoint { path: o.path, range: o.start..o.end })
        .collect()
}
