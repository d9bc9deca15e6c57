//! Sources that already have a row a provision.

use nyaya_corpora::manifest::{Grammar, UnitName};
use nyaya_corpora::{Diagnostic, Number, Severity, Status, Unit};

use crate::read::Row;

use super::{Context, Structured, letters, numerals};

pub(super) fn structure(rows: &[Row], context: &Context<'_>) -> Structured {
    let mut out =
        Structured { letters: rows.iter().map(|r| letters(&r.text)).sum(), ..Structured::default() };
    let mut lost = 0;
    for row in rows {
        let Some(unit) = unit(row, context) else {
            lost += letters(&row.text);
            out.unassigned.push((0, letters(&row.text), format!("row {}: {}", row.index, row.number)));
            out.diagnostics.push(Diagnostic::new(
                Severity::Warning,
                "unreadable_number",
                format!("row {}: `{}` is not the number of a provision", row.index, row.number),
            ));
            continue;
        };
        let mut provision = context.provision(unit, None, row.index);
        provision.heading = row
            .heading
            .as_deref()
            .map(|h| squeeze(h).trim_end_matches('.').to_owned())
            .filter(|h| !h.is_empty());
        provision.breadcrumb = row.breadcrumb.iter().map(|b| squeeze(b)).collect();
        provision.text = tidy(&row.text, context.manifest.grammar);
        if let Some((used, _)) = numerals::article_head(&provision.text)
            .filter(|(n, _)| provision.id.unit.number() == Some(n))
            .map(|(_, u)| (u, ()))
        {
            provision.text = provision.text.get(used..).unwrap_or_default().trim_start().to_owned();
        }
        if context.manifest.grammar == Grammar::ChineseCode {
            split_appendix(&mut provision.text, &mut provision.annotations);
        }
        let plain = provision.text.trim_matches(|c: char| {
            c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')' | '（' | '）' | '.' | '。')
        });
        let lower = plain.to_ascii_lowercase();
        let short = plain.chars().count() < 200;
        if short && (lower.starts_with("omitted") || plain == "删去" || plain == "删除") {
            provision.status = Status::Omitted;
        } else if short
            && (lower.starts_with("repealed") || lower.starts_with("rep.") || lower.starts_with("rep by"))
        {
            provision.status = Status::Repealed;
        } else if let Some((status, _)) = super::heading::gone_in_words(&provision.text) {
            provision.status = status;
        } else if row.gone {
            let omitted = lower.contains("omitted") || plain.contains("删去");
            provision.status = if omitted { Status::Omitted } else { Status::Repealed };
        }
        out.provisions.push(provision);
    }
    out.unassigned_share = if out.letters == 0 { 0.0 } else { lost as f64 / out.letters as f64 };
    out
}

fn unit(row: &Row, context: &Context<'_>) -> Option<Unit> {
    let name = row.number.trim();
    let constitution = context.manifest.unit == UnitName::Article;
    if name.eq_ignore_ascii_case("preamble") || (name == "0" && constitution) {
        return Some(Unit::Preamble);
    }
    if let Some(rest) = name.strip_prefix("Schedule ").or_else(|| name.strip_prefix("SCHEDULE ")) {
        return numerals::ordinal(rest.trim()).map(|n| Unit::Schedule(Number::plain(n)));
    }
    numerals::cell(name).map(|n| context.unit(n))
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines of a cell without the white space that exporters put around them. A Chinese line is not joined.
fn tidy(text: &str, grammar: Grammar) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = if grammar == Grammar::ChineseCode { line.trim().to_owned() } else { squeeze(line) };
        if line.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&line);
    }
    out
}

/// What stands after an article (附件, the title of the next part) is not part of it.
fn split_appendix(text: &mut String, notes: &mut Vec<nyaya_corpora::Annotation>) {
    let at = text.match_indices('\n').map(|(i, _)| i).find(|i| {
        let line = text.get(i + 1..).and_then(|t| t.lines().next()).unwrap_or_default().trim();
        (line.starts_with("附件") && line.chars().count() <= 5) || super::chinese::is_division(line)
    });
    if let Some(at) = at {
        let rest = text.split_off(at);
        notes.push(nyaya_corpora::Annotation {
            kind: nyaya_corpora::AnnotationKind::Other,
            marker: None,
            text: rest.trim().to_owned(),
            at: Some(text.len()),
        });
    }
}
