//! `nyaya corpus diff`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use jiff::civil::Date;
use nyaya_corpora::{Manifest, Provision, ProvisionId, WorkId};
use nyaya_ingest::build_edition;
use nyaya_ingest::compare::{Change, compare};
use serde_json::json;

use super::super::context::Context;
use super::super::output;
use super::{manifest_of, pdf_reader};

/// Options of `corpus diff`.
#[derive(Debug, clap::Args)]
pub struct DiffArgs {
    /// The statute, such as in/ipc
    statute: WorkId,
    /// The first text: a day on which a held version was in force, or a file
    #[arg(value_name = "DATE|FILE")]
    first: String,
    /// The second text
    #[arg(value_name = "DATE|FILE")]
    second: String,
    /// Show provisions of which only punctuation differs as well
    #[arg(long)]
    punctuation: bool,
}

/// A text to compare.
struct Text {
    name: String,
    version: Date,
    provisions: Vec<Provision>,
}

/// Compares two texts of one statute.
pub(super) fn diff(context: &Context, args: &DiffArgs) -> anyhow::Result<ExitCode> {
    let catalogue = context.catalogue()?;
    let manifest = manifest_of(catalogue.all(), &args.statute)?;
    let (first, second) = (text(context, manifest, &args.first)?, text(context, manifest, &args.second)?);
    let comparison = compare(&first.provisions, &second.provisions);
    let shown: Vec<_> = comparison
        .rows
        .iter()
        .filter(|r| match r.change {
            Change::Same => false,
            Change::Punctuation => args.punctuation,
            _ => true,
        })
        .collect();
    let id = |unit: &nyaya_corpora::Unit| ProvisionId::new(manifest.id.clone(), unit.clone());
    if context.global.json {
        let rows: Vec<_> = shown
            .iter()
            .map(|r| {
                json!({
                    "id": id(&r.unit),
                    "change": r.change,
                    "similarity": r.similarity,
                    "letters": [r.letters.0, r.letters.1],
                    "difference": r.difference,
                    "from": first.version,
                    "to": second.version,
                })
            })
            .collect();
        output::json(&rows)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut lines = vec![format!(
        "{}: {} ({} provisions) and {} ({} provisions)",
        manifest.display_title(),
        first.name,
        first.provisions.len(),
        second.name,
        second.provisions.len()
    )];
    for row in &shown {
        let change = serde_json::to_value(row.change)?.as_str().unwrap_or_default().to_owned();
        let heading = second
            .provisions
            .iter()
            .chain(&first.provisions)
            .find(|p| p.id.unit == row.unit)
            .and_then(|p| p.heading.clone())
            .unwrap_or_default();
        lines.push(String::new());
        lines.push(format!(
            "{}  {heading}  ({change}, {:.0} % alike)",
            id(&row.unit),
            row.similarity * 100.0
        ));
        if !row.difference.is_empty() {
            lines.push(format!("  {}", row.difference));
        }
    }
    let punctuation = comparison.of(Change::Punctuation).count();
    lines.push(String::new());
    lines.push(format!(
        "{} provisions differ; {punctuation} more in punctuation or heading only{}",
        shown.iter().filter(|r| r.change != Change::Punctuation).count(),
        if args.punctuation || punctuation == 0 { "" } else { " (--punctuation lists them)" }
    ));
    output::text(&lines.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// The version in force on a day, or the text of a file.
fn text(context: &Context, manifest: &Manifest, name: &str) -> anyhow::Result<Text> {
    if let Ok(day) = name.parse::<Date>() {
        let generation = context.layout.current()?;
        let mut held: Vec<_> =
            generation.iter().flat_map(|g| &g.editions).filter(|e| e.work == manifest.id).collect();
        held.sort_by_key(|e| e.version);
        let Some(entry) = held.iter().rev().find(|e| e.version <= day) else {
            let known: Vec<String> = held.iter().map(|e| e.version.to_string()).collect();
            bail!(
                "{}: no version of {day} is held\nhint: held are {}; `nyaya corpus build {} --from FILE` adds one",
                manifest.id,
                if known.is_empty() { "none".to_owned() } else { known.join(", ") },
                manifest.id
            );
        };
        let edition = context.layout.load_edition(entry)?;
        return Ok(Text {
            name: format!("the version of {}", entry.version),
            version: entry.version,
            provisions: edition.provisions,
        });
    }
    let path = PathBuf::from(name);
    if !path.exists() {
        bail!(
            "`{name}` is neither a day (YYYY-MM-DD) nor a file\nhint: `nyaya corpus list` shows the versions that are held"
        );
    }
    from_file(manifest, &path)
}

fn from_file(manifest: &Manifest, path: &Path) -> anyhow::Result<Text> {
    let built = build_edition(manifest, None, path, &pdf_reader()?)?;
    Ok(Text {
        name: format!("{} (version of {})", path.display(), built.edition.version),
        version: built.edition.version,
        provisions: built.edition.provisions,
    })
}
