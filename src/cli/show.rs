//! `nyaya show`.

use std::process::ExitCode;

use jiff::civil::Date;
use nyaya_corpora::citation::{self, Context as CitationContext};
use nyaya_corpora::{ProvisionId, Status, WorkId};
use nyaya_retrieval::{KnowledgeBase, Retrieve as _};
use serde_json::json;

use super::context::Context;
use super::output;

/// Show a provision.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// in/ipc#s302, in/constitution#a19.1.a, or a citation such as "s. 302 IPC" or 刑法第二百三十二条
    id: String,
    /// The version in force on this day (YYYY-MM-DD)
    #[arg(long, value_name = "DATE")]
    as_of: Option<Date>,
}

/// Runs it.
pub fn main(context: &Context, args: &Args) -> anyhow::Result<ExitCode> {
    let kb = KnowledgeBase::open(context.layout.clone(), context.catalogue()?, None, context.vectors_at())?;
    let id = resolve(&kb, &args.id, args.as_of)?;
    let (edition, provision) = kb.show(&id, args.as_of)?;
    let text = provision.at(&id.pins).ok_or_else(|| {
        let known: Vec<String> = provision.pinpoints.iter().map(|p| p.path.join(".")).collect();
        anyhow::anyhow!(
            "{id}: {} has no such place\nhint: it has {}",
            provision.id,
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        )
    })?;
    let entry =
        kb.generation().editions.iter().find(|e| e.work == edition.work && e.version == edition.version);
    let manifest = kb.catalogue().get(&id.work);
    if let (Some(day), Some(manifest)) = (args.as_of, manifest)
        && day < manifest.in_force_from
    {
        anyhow::bail!(
            "{id}: {} was not in force on {day}\nhint: it was from {}",
            manifest.display_title(),
            manifest.in_force_from
        );
    }
    let repealed_on = entry.and_then(|e| e.repealed_on);
    let over = repealed_on.is_some_and(|end| args.as_of.is_some_and(|day| day >= end));
    let status = if over { Status::Repealed } else { provision.status };
    if let Some(day) = args.as_of.filter(|day| *day < edition.version) {
        tracing::warn!("no version of {day} is held; this is the text in force from {}", edition.version);
    }
    if context.global.json {
        output::json(&json!({
            "id": id,
            "version": edition.version,
            "language": edition.language,
            "title": entry.map(|e| &e.title),
            "breadcrumb": provision.breadcrumb,
            "heading": provision.heading,
            "status": status,
            "repealed_on": repealed_on,
            "struck_down": provision.struck_down,
            "text": text,
            "annotations": provision.annotations,
            "source": provision.source,
            "source_file": entry.map(|e| &e.source_file),
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut lines = vec![format!("{id}  {}", provision.heading.as_deref().unwrap_or(""))];
    let mut place: Vec<&str> = entry.iter().map(|e| e.native_title.as_str()).collect();
    place.extend(provision.breadcrumb.iter().map(String::as_str));
    lines.push(format!("{} · version in force from {}", place.join(" > "), edition.version));
    if status != Status::InForce {
        lines.push(format!("status: {}", serde_json::to_value(status)?.as_str().unwrap_or_default()));
    }
    if let Some(end) = repealed_on {
        lines.push(format!("the statute was repealed with effect from {end}"));
    }
    if let Some(struck) = &provision.struck_down {
        lines.push(format!("struck down on {} by {} {}", struck.date, struck.source, struck.note));
    }
    lines.push(String::new());
    lines.push(text.to_owned());
    if !provision.annotations.is_empty() && id.pins.is_empty() {
        lines.push(String::new());
        lines.push("notes in the source, not part of the law:".into());
        for note in &provision.annotations {
            lines.push(format!("  {} {}", note.marker.as_deref().unwrap_or("-"), note.text.trim()));
        }
    }
    output::text(&lines.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn resolve(kb: &KnowledgeBase, text: &str, as_of: Option<Date>) -> anyhow::Result<ProvisionId> {
    let strict = text.parse::<ProvisionId>();
    if let Ok(id) = strict {
        return Ok(id);
    }
    if let Some(id) = citation::named_unit(text, kb.catalogue()) {
        return Ok(id);
    }
    let works: Vec<WorkId> = kb.generation().editions.iter().map(|e| e.work.clone()).collect();
    let context = CitationContext {
        as_of,
        default_work: match works.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        },
        jurisdiction: Some("in".into()),
        ..CitationContext::default()
    };
    let found = citation::check_text(text, kb.lookup(), kb.catalogue(), &context).citations;
    let mut ids = found.into_iter().filter_map(|c| c.id);
    let first = ids.next();
    for other in ids {
        tracing::warn!("only the first provision is shown; `nyaya show {other}` shows the next");
    }
    match first {
        Some(id) => Ok(id),
        None => anyhow::bail!(
            "`{text}` names no provision\nhint: write it as in/ipc#s302, cn/criminal-law#a133-1 or \"section 302 IPC\"; `nyaya search` finds provisions by what they say"
        ),
    }
}
