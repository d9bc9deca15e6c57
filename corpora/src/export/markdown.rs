//! Markdown with front matter: a heading a part, chapter and provision.

use std::io::{self, Write};

use super::{Provenance, label};
use crate::manifest::Manifest;
use crate::provision::{Edition, Status};

pub(super) fn write(
    edition: &Edition,
    manifest: Option<&Manifest>,
    provenance: &Provenance,
    out: &mut dyn Write,
) -> io::Result<()> {
    // JSON strings are YAML strings.
    let quoted = |s: &str| serde_json::to_string(s).unwrap_or_default();
    writeln!(out, "---")?;
    writeln!(
        out,
        "id: {}",
        quoted(&format!("{}@{}:{}", provenance.work, provenance.version, provenance.language))
    )?;
    writeln!(out, "title: {}", quoted(&provenance.title))?;
    writeln!(out, "in_force_from: {}", provenance.version)?;
    if let Some(end) = &provenance.repealed_on {
        writeln!(out, "repealed_on: {end}")?;
    }
    writeln!(out, "source: {}", quoted(&provenance.source))?;
    writeln!(out, "source_file: {}", quoted(&provenance.source_file))?;
    writeln!(out, "source_sha256: {}", quoted(&provenance.source_sha256))?;
    writeln!(out, "licence: {}", quoted(&provenance.licence))?;
    writeln!(out, "coverage: {}", quoted(&provenance.coverage()))?;
    writeln!(out, "---\n\n# {}", provenance.title)?;
    let mut above: &[String] = &[];
    for p in &edition.provisions {
        let same = above.iter().zip(&p.breadcrumb).take_while(|(a, b)| a == b).count();
        for (depth, name) in p.breadcrumb.iter().enumerate().skip(same) {
            writeln!(out, "\n{} {}", "#".repeat((depth + 2).min(4)), one_line(name))?;
        }
        above = &p.breadcrumb;
        let heading = p.heading.as_deref().map(one_line).unwrap_or_default();
        writeln!(out, "\n##### {} {heading} {{#{}}}\n", label(p, manifest), p.id.unit)?;
        match p.status {
            Status::InForce => {}
            Status::NotYetInForce => writeln!(out, "*Enacted, not in force.*\n")?,
            Status::Repealed => writeln!(out, "*Repealed.*\n")?,
            Status::Omitted => writeln!(out, "*Omitted.*\n")?,
        }
        if let Some(found) = &p.struck_down {
            writeln!(out, "*Struck down on {}, {}: {}.*\n", found.date, found.source, found.note)?;
        }
        // A line of the text is a paragraph, so that no reader joins two of them.
        for line in p.text.lines() {
            writeln!(out, "{}\n", escaped(line))?;
        }
        for note in &p.annotations {
            writeln!(out, "> {} {}\n", note.marker.as_deref().unwrap_or("note:"), one_line(&note.text))?;
        }
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line of the law with what Markdown would read as its own escaped.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 4);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    for (i, c) in line.char_indices() {
        let numbered = i == digits && digits > 0 && matches!(c, '.' | ')');
        let starts = i == 0 && matches!(c, '#' | '>' | '-' | '+' | '=' | '|');
        if numbered || starts || matches!(c, '*' | '_' | '`' | '\\' | '[' | ']' | '<') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
