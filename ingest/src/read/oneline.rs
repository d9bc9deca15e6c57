//! Texts whose provisions do not begin lines: an act in one line, and lists of Markdown that leave the counting to the
//! page (`1.`, `1.`, `1.`).

use nyaya_corpora::{Diagnostic, Severity};

use super::Line;
use crate::structure::numerals;

/// Puts each provision of an act that was written in one line, or in two with its title, on a line of its own.
pub(super) fn divide(lines: &mut Vec<Line>) -> Option<Diagnostic> {
    let full: Vec<usize> =
        (0..lines.len()).filter(|i| lines.get(*i).is_some_and(|l| !l.text.trim().is_empty())).collect();
    if full.len() > 2 {
        return None;
    }
    let at = *full.last()?;
    let line = lines.get(at)?;
    let cuts = [han(&line.text), figures(&line.text)].into_iter().max_by_key(Vec::len)?;
    if cuts.len() < 2 {
        return None;
    }
    let mut out: Vec<Line> = Vec::new();
    let bounds: Vec<usize> = [0].into_iter().chain(cuts.iter().copied()).chain([line.text.len()]).collect();
    for pair in bounds.windows(2) {
        let [from, to] = pair else { continue };
        let text = line.text.get(*from..*to).unwrap_or_default().trim();
        if !text.is_empty() {
            let offset = line.offset + from;
            out.push(Line { text: text.trim_end_matches([':', '：']).to_owned(), offset, ..line.clone() });
            out.push(Line { offset, file: line.file, ..Line::default() });
        }
    }
    lines.splice(at..=at, out);
    Some(Diagnostic::new(
        Severity::Info,
        "one_line",
        format!("the act is written in one line; it was divided at its {} ascending numbers", cuts.len()),
    ))
}

/// Where 第一条, 第二条, … begin, counted without a gap.
fn han(text: &str) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut next = 1;
    for (at, _) in text.match_indices('第') {
        let head: String = text.get(at..).unwrap_or_default().chars().take(24).collect();
        let found = numerals::article_head(&head.replacen('條', "条", 1));
        let begins = text
            .get(..at)
            .is_some_and(|b| b.trim_end().is_empty() || b.ends_with([' ', '\u{3000}', '。', '；', '”']));
        if begins && found.is_some_and(|(n, _)| n.base == next && n.sub.is_none()) {
            cuts.push(at);
            next += 1;
        }
    }
    cuts
}

/// Where `1. `, `2. `, … begin, or `Section 1`, counted without a gap, each behind the end of a sentence.
fn figures(text: &str) -> Vec<usize> {
    let mut cuts: Vec<usize> = Vec::new();
    let mut from = 0;
    for next in 1..2_000_u32 {
        let word = |w: &str| format!("{w} {next}");
        let marks =
            [format!("{next}. "), word("Section"), word("Article"), word("§"), word("Art."), word("Rule")];
        let ends = |b: &str| {
            let b = b.trim_end();
            b.is_empty()
                || b.ends_with(['.', ':', ';', ')', '”', '"'])
                // The first stands behind the title.
                || cuts.is_empty() && b.ends_with(char::is_alphanumeric)
        };
        let found = marks
            .iter()
            .filter_map(|mark| {
                text.get(from..)?.match_indices(mark.as_str()).map(|(i, _)| from + i).find(|at| {
                    let before = text.get(..*at).unwrap_or_default();
                    let after = text.get(at + mark.len()..).unwrap_or_default();
                    let free = before.is_empty() || before.ends_with(char::is_whitespace);
                    let own = after.trim_start_matches(['.', ':', '—', ' ']).chars().next();
                    free && ends(before)
                        && !after.starts_with(|c: char| c.is_ascii_digit())
                        && own.is_some_and(|c| !c.is_lowercase() && !c.is_ascii_digit())
                })
            })
            .min();
        let Some(at) = found else { break };
        cuts.push(at);
        from = at + 1;
    }
    cuts
}

/// Counts the items of a list whose numbers are all `1.`, where nothing else of the file is numbered.
pub(super) fn count(lines: &mut [Line]) -> Option<Diagnostic> {
    let own: Vec<usize> = (0..lines.len())
        .filter(|i| lines.get(*i).is_some_and(|l| l.text.starts_with("1. ") && l.text.len() > 3))
        .collect();
    let numbered = |text: &str| {
        let bare = text.trim_start_matches(['#', '*', ' ']);
        numerals::is_titled(bare) || bare.starts_with('第') || bare.starts_with(|c: char| c.is_ascii_digit())
    };
    let others = lines.iter().enumerate().any(|(i, l)| !own.contains(&i) && numbered(&l.text));
    if own.len() < 2 || others {
        return None;
    }
    for (k, i) in own.iter().enumerate() {
        if let Some(line) = lines.get_mut(*i) {
            line.text.replace_range(..1, &(k + 1).to_string());
        }
    }
    Some(Diagnostic::new(
        Severity::Info,
        "counted",
        format!("the {} items of a list that all have the number 1 were counted", own.len()),
    ))
}

#[cfg(test)]
mod tests {
    use nyaya_corpora::manifest::Format;

    use super::*;
    use crate::read::text::lines_of;

    fn divided(text: &str) -> Vec<String> {
        let mut lines = lines_of(text, Format::Text, 0);
        divide(&mut lines);
        lines.into_iter().map(|l| l.text).filter(|t| !t.is_empty()).collect()
    }

    #[test]
    fn an_act_in_one_line_is_divided_at_its_numbers() {
        assert_eq!(
            divided(
                "The Reed Act 1988: 1. Reeds are green. 2. The fine is 3. It is due under section 1. 3. The end."
            ),
            [
                "The Reed Act 1988",
                "1. Reeds are green.",
                "2. The fine is 3. It is due under section 1.",
                "3. The end."
            ]
        );
        assert_eq!(
            divided("芦苇条例 第一条 依照第二条保护芦苇。 第二条 不得割芦苇。"),
            ["芦苇条例", "第一条 依照第二条保护芦苇。", "第二条 不得割芦苇。"]
        );
        let plain = "A letter of 1988. It says: section 1. is short.";
        assert_eq!(divided(plain), [plain]);
    }

    #[test]
    fn a_list_of_ones_is_counted() {
        let mut lines = lines_of("# Reed Act\n\n1. One.\n1. Two.\n1. Three.\n", Format::Markdown, 0);
        assert!(count(&mut lines).is_some());
        let texts: Vec<&str> = lines.iter().map(|l| l.text.as_str()).filter(|t| !t.is_empty()).collect();
        assert_eq!(texts, ["# Reed Act", "1. One.", "2. Two.", "3. Three."]);
        let mut lines = lines_of("## 1 Name\n\n1. One.\n1. Two.\n", Format::Markdown, 0);
        assert!(count(&mut lines).is_none());
    }
}
