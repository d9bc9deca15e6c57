//! `nyaya corpus fetch`.

use std::process::ExitCode;

use nyaya_corpora::WorkId;
use serde_json::json;

use super::super::context::Context;
use super::super::output;
use super::{choose, mirror};

/// Gets source files.
pub(super) async fn fetch(context: &Context, asked: &[WorkId]) -> anyhow::Result<ExitCode> {
    let catalogue = context.catalogue()?;
    let chosen = choose(catalogue.all(), asked)?;
    let places = nyaya_ingest::fetch::Places {
        layout: &context.layout,
        folders: mirror().into_iter().collect(),
        online: !context.global.offline,
        progress: &*context.bars,
    };
    let mut rows = Vec::new();
    let mut absent = false;
    for manifest in chosen {
        let (located, unavailable) = places.locate(manifest).await?;
        absent |= located.is_none();
        rows.push(json!({
            "id": manifest.id,
            "file": located.as_ref().map(|l| &l.path),
            "from": located.as_ref().map(|l| &l.how),
            "unavailable": unavailable,
        }));
        if !context.global.json {
            match &located {
                Some(l) => output::text(&format!("{}: {} ({})", manifest.id, l.path.display(), l.how))?,
                None => {
                    output::text(&format!("{}: not available here", manifest.id))?;
                    for u in &unavailable {
                        output::text(&format!("  {}: {}", u.source, u.reason))?;
                    }
                }
            }
        }
    }
    if context.global.json {
        output::json(&rows)?;
    }
    Ok(if absent && !asked.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
