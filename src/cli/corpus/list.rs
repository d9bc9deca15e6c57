//! `nyaya corpus list`.

use std::process::ExitCode;

use jiff::civil::Date;
use nyaya_corpora::manifest::SourceKind;
use serde_json::json;

use super::super::context::Context;
use super::super::output;

/// Options of `corpus list`.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Only versions in force on this day (YYYY-MM-DD)
    #[arg(long, value_name = "DATE")]
    as_of: Option<Date>,
    /// Also the statutes whose citations are known and whose text no source here has
    #[arg(long)]
    all: bool,
}

/// Lists statutes and the versions of them that are held.
pub(super) fn list(context: &Context, args: &ListArgs) -> anyhow::Result<ExitCode> {
    let catalogue = context.catalogue()?;
    let generation = context.layout.current()?;
    let (mut rows, mut by_name_only) = (Vec::new(), Vec::new());
    let mut table = output::table([
        "statute",
        "built version",
        "provisions",
        "schedules",
        "passages",
        "coverage",
        "sources",
    ]);
    for manifest in catalogue.all() {
        let mut entries: Vec<_> =
            generation.iter().flat_map(|g| &g.editions).filter(|e| e.work == manifest.id).collect();
        entries.sort_by_key(|e| e.version);
        if let Some(day) = args.as_of {
            let over = manifest.repealed_on.is_some_and(|end| end <= day);
            let last = entries.iter().rposition(|e| e.version <= day).filter(|_| !over);
            entries = last.and_then(|i| entries.get(i).copied()).into_iter().collect();
            if entries.is_empty() {
                continue;
            }
        }
        if entries.is_empty() && manifest.sources.is_empty() && !args.all && !context.global.json {
            by_name_only.push(manifest.id.to_string());
            continue;
        }
        let sources: Vec<String> = manifest
            .sources
            .iter()
            .map(|s| {
                let kind = match s.kind {
                    SourceKind::Official => "official",
                    SourceKind::Package => "package",
                    SourceKind::File => "file",
                };
                let part = if s.complete { "" } else { ", incomplete" };
                format!("{} ({kind}, {}{part})", s.id, s.version)
            })
            .collect();
        for entry in entries.iter().map(Some).chain(entries.is_empty().then_some(None)) {
            let coverage = entry.map(|e| match e.expected {
                Some(expected) if expected > 0 => format!("{} of {expected}", expected - e.missing),
                _ => "unknown".to_owned(),
            });
            rows.push(json!({
                "id": manifest.id,
                "title": manifest.display_title(),
                "jurisdiction": manifest.id.jurisdiction(),
                "built": entry.is_some(),
                "version": entry.map(|e| e.version),
                "language": manifest.language,
                "provisions": entry.map_or(0, |e| e.provisions),
                "schedules": entry.map_or(0, |e| e.schedules),
                "passages": entry.map_or(0, |e| e.passages),
                "expected": entry.and_then(|e| e.expected),
                "missing": entry.map(|e| e.missing),
                "complete": entry.map(|e| e.complete),
                "source": entry.map(|e| &e.source),
                "source_file": entry.map(|e| &e.source_file),
                "source_sha256": entry.map(|e| &e.source_sha256),
                "in_force_from": manifest.in_force_from,
                "repealed_on": manifest.repealed_on,
                "successor": manifest.successor,
                "sources": manifest.sources,
            }));
            table.add_row([
                format!("{}\n{}", manifest.id, manifest.display_title()),
                entry.map_or_else(|| "not built".into(), |e| e.version.to_string()),
                entry.map_or_else(String::new, |e| e.provisions.to_string()),
                entry.map_or_else(String::new, |e| e.schedules.to_string()),
                entry.map_or_else(String::new, |e| e.passages.to_string()),
                coverage.unwrap_or_default(),
                if sources.is_empty() { "citations only".into() } else { sources.join("\n") },
            ]);
        }
    }
    if context.global.json {
        output::json(&rows)?
    } else {
        output::text(&table.to_string())?;
        if !by_name_only.is_empty() {
            output::text(&format!(
                "{} more are known by their citations and numbers only (--all lists them); `corpus build ID --from FILE` adds a text",
                by_name_only.len()
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
