//! Markdown tables: a cell that says nothing by itself gets the header of its column.

use regex::Regex;

/// The text with `header: cell` for each cell under a header that `headers` knows, in tables that have a header row.
/// A cell with a colon of its own, or an empty one, stays as it is.
pub(super) fn spelled_out(text: &str, headers: &Regex) -> String {
    if !text.contains('|') {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    let mut columns: Option<(bool, Vec<&str>)> = None;
    let framed = |line: &str| line.trim_start().starts_with('|');
    let mut rest = lines.iter().copied().peekable();
    while let Some(line) = rest.next() {
        if rest.peek().is_some_and(|next| rule(next)) && line.contains('|') {
            columns = Some((framed(line), cells(line)));
            rest.next();
            continue;
        }
        match columns.as_ref().filter(|(frame, _)| line.contains('|') && framed(line) == *frame) {
            Some((_, columns)) => {
                let row = cells(line).into_iter().enumerate().map(|(i, cell)| match columns.get(i) {
                    Some(head)
                        if headers.is_match(head) && !cell.is_empty() && !cell.contains([':', '：']) =>
                    {
                        format!("{head}: {cell}")
                    }
                    _ => cell.to_owned(),
                });
                out.push(format!("| {} |", row.collect::<Vec<_>>().join(" | ")));
            }
            None => {
                columns = None;
                out.push(line.to_owned());
            }
        }
    }
    out.join("\n")
}

/// The line under the header: `|---|:-:|`.
fn rule(line: &str) -> bool {
    line.contains('-')
        && line.contains('|')
        && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_header_goes_before_its_cells() {
        let known = Regex::new("(?i)^months$").unwrap();
        let table = "Seen:\n| Count | Months |\n|---|---|\n| 1 | 30 |\n| 2 |\nend | here";
        assert_eq!(spelled_out(table, &known), "Seen:\n| 1 | Months: 30 |\n| 2 |\nend | here");
        assert_eq!(spelled_out("| a | b |\n| c | d |", &known), "| a | b |\n| c | d |");
        assert_eq!(spelled_out("no table", &known), "no table");
    }
}
