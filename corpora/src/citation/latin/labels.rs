//! Labels of places: which are alike, which lie between two, and how an id writes them.

use crate::manifest::Grammar;

use super::super::numerals::{parse_roman, to_roman};
use super::Pin;

/// Words of two letters that are no labels.
pub(super) fn is_short_word(word: &str) -> bool {
    ["it", "he", "we", "us", "if", "at", "sc", "hc", "an", "be", "so", "up", "no", "my", "do", "go", "me"]
        .iter()
        .any(|w| word.eq_ignore_ascii_case(w))
}

/// Whether two labels are of one kind: figures, Roman numerals, or letters.
pub(super) fn same_kind(a: &str, b: &str) -> bool {
    let figure = |s: &str| s.starts_with(|c: char| c.is_ascii_digit());
    figure(a) == figure(b)
}

/// A label in capitals where the one before it, of the same list, is: `354(A) to (D)`.
pub(super) fn like(before: &str, label: String) -> String {
    let capital = before.len() == 1 && before.bytes().all(|b| b.is_ascii_uppercase());
    if capital && label.len() == 1 { label.to_ascii_uppercase() } else { label }
}

/// The labels strictly between two: (a) to (d), (1) to (3), (i) to (iv).
pub(super) fn labels_between(from: &str, to: &str) -> Vec<String> {
    if from.len() == 1 && from.bytes().all(|b| b.is_ascii_uppercase()) {
        let small = labels_between(&from.to_ascii_lowercase(), &to.to_ascii_lowercase());
        return small.into_iter().map(|label| label.to_ascii_uppercase()).collect();
    }
    let figure = |s: &str| s.parse::<u32>().ok();
    if let (Some(a), Some(b)) = (figure(from), figure(to)) {
        return (a + 1..b.min(a + 60)).map(|n| n.to_string()).collect();
    }
    let letter = |s: &str| if s.len() == 1 { s.bytes().next().filter(u8::is_ascii_lowercase) } else { None };
    // (i) to (iv) counts in Roman numerals; (c) to (i) in letters.
    if let (Some(a), Some(b)) = (parse_roman(from), parse_roman(to))
        && a < b
        && (from.len() > 1 || to.len() > 1 || from == "i")
    {
        return (a + 1..b).map(|n| to_roman(n).to_ascii_lowercase()).collect();
    }
    match (letter(from), letter(to)) {
        (Some(a), Some(b)) if a < b => (a + 1..b).map(|c| (c as char).to_string()).collect(),
        _ => Vec::new(),
    }
}

/// Pinpoints as ids have them. In a Chinese code the first figure in brackets is 款, the second 项.
pub(super) fn pins_of(pins: &[Pin], grammar: Grammar) -> Vec<String> {
    let mut out = Vec::new();
    for pin in pins {
        out.push(match (pin, grammar) {
            (Pin::Named(name), _) => name.clone(),
            (Pin::Paragraph(n), _) => format!("p{n}"),
            (Pin::Item(n), _) => format!("i{n}"),
            (Pin::Label(label), Grammar::ChineseCode) => {
                let figure = label.parse::<u32>().ok().or_else(|| parse_roman(label));
                match figure {
                    Some(n) if out.is_empty() => format!("p{n}"),
                    Some(n) => format!("i{n}"),
                    None => label.to_ascii_lowercase(),
                }
            }
            // Letters that follow a figure are capitals: `(1A)`.
            (Pin::Label(label), Grammar::IndianAct) if label.starts_with(|c: char| c.is_ascii_digit()) => {
                label.to_ascii_uppercase()
            }
            (Pin::Label(label), Grammar::IndianAct) => label.to_ascii_lowercase(),
        });
    }
    out
}
