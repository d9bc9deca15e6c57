//! `nyaya corpus`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use nyaya_corpora::manifest::SourceKind;
use nyaya_corpora::{Manifest, Severity, WorkId};
use nyaya_ingest::pipeline::{Builder, Outcome, StatuteReport};
use nyaya_ingest::read::PdfReader;
use serde_json::json;

use super::context::Context;
use super::output;

/// Statutes: list, fetch, build.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Sources, what is built, version, coverage
    List,
    /// Get source files without building
    Fetch {
        /// Statutes, such as in/ipc [default: all]
        statutes: Vec<WorkId>,
    },
    /// Build statutes into the knowledge base; what is there and unchanged is left alone
    Build(BuildArgs),
    /// Write a statute out: JSON lines, Markdown, Akoma Ntoso
    Export(super::export::ExportArgs),
}

/// Options of `corpus build`.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct BuildArgs {
    /// Statutes, such as in/ipc [default: all that can be had]
    pub statutes: Vec<WorkId>,
    /// A source file, or a folder that holds source files
    #[arg(long, value_name = "FILE|DIR")]
    pub from: Option<PathBuf>,
    /// Store a text even if checks found errors in it
    #[arg(long)]
    pub force: bool,
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::List => list(context),
        Command::Fetch { statutes } => fetch(context, &statutes).await,
        Command::Export(args) => super::export::main(context, &args),
        Command::Build(args) => {
            let reports = build(context, &args).await?;
            if context.global.json {
                output::json(&reports)?;
            } else {
                output::text(&describe(&reports, &args)?)?;
            }
            Ok(exit_code(&reports, &args))
        }
    }
}

/// Nonzero if a statute that was asked for is not there afterwards, or a build failed, or nothing is there.
fn exit_code(reports: &[StatuteReport], args: &BuildArgs) -> ExitCode {
    let there = |r: &StatuteReport| matches!(r.outcome, Outcome::Built | Outcome::Unchanged);
    let failed = reports.iter().any(|r| matches!(r.outcome, Outcome::Failed | Outcome::Refused));
    let asked_but_absent = !args.statutes.is_empty() && !reports.iter().all(there);
    if failed || asked_but_absent || !reports.iter().any(there) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Builds; used by `demo` too.
pub async fn build(context: &Context, args: &BuildArgs) -> anyhow::Result<Vec<StatuteReport>> {
    let catalogue = context.catalogue()?;
    let chosen = choose(catalogue.all(), &args.statutes)?;
    let mut folders = Vec::new();
    if let Some(from) = &args.from {
        if !from.exists() {
            bail!("{}: no such file or folder\nhint: check --from", from.display());
        }
        folders.push(from.clone());
    }
    folders.extend(mirror());
    let embedder = context.embedder(!context.global.offline).await?;
    let builder = Builder {
        layout: &context.layout,
        folders,
        explicit_file: args.from.clone().filter(|p| p.is_file()),
        online: !context.global.offline && args.from.is_none(),
        force: args.force,
        pdf: pdf_reader()?,
        embedder: &*embedder,
        progress: &*context.bars,
    };
    Ok(builder.build(&chosen, !args.statutes.is_empty()).await?)
}

/// Folder with source files that stands in for their official addresses.
fn mirror() -> Option<PathBuf> {
    std::env::var_os("NYAYA_MIRROR").map(PathBuf::from)
}

fn pdf_reader() -> anyhow::Result<PdfReader> {
    Ok(PdfReader::new(std::env::current_exe()?))
}

fn choose<'a>(manifests: &'a [Manifest], asked: &[WorkId]) -> anyhow::Result<Vec<&'a Manifest>> {
    let buildable: Vec<&Manifest> = manifests.iter().filter(|m| !m.sources.is_empty()).collect();
    if asked.is_empty() {
        return Ok(buildable);
    }
    let mut chosen = Vec::new();
    for id in asked {
        match manifests.iter().find(|m| &m.id == id) {
            Some(m) if m.sources.is_empty() => bail!(
                "{id}: {} is known for citations only; no source of its text is\nhint: `nyaya corpus list` shows the statutes that can be built",
                m.display_title()
            ),
            Some(m) => chosen.push(m),
            None => {
                let known: Vec<String> = buildable.iter().map(|m| m.id.to_string()).collect();
                bail!("{id}: unknown statute\nhint: known are {}", known.join(", "));
            }
        }
    }
    Ok(chosen)
}

async fn fetch(context: &Context, asked: &[WorkId]) -> anyhow::Result<ExitCode> {
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

/// Findings of one kind that are printed.
const MOST_OF_A_KIND: usize = 8;

/// What a build did, for people. Used by `demo` too.
pub fn describe(reports: &[StatuteReport], args: &BuildArgs) -> anyhow::Result<String> {
    let mut table =
        output::table(["statute", "result", "version", "provisions", "schedules", "passages", "source"]);
    for r in reports {
        let provisions = match (r.provisions, r.expected) {
            (Some(found), Some(expected)) => format!("{found} of {expected}"),
            (Some(found), None) => found.to_string(),
            _ => String::new(),
        };
        table.add_row([
            r.id.to_string(),
            serde_json::to_value(r.outcome)?.as_str().unwrap_or_default().to_owned(),
            r.version.map_or_else(String::new, |v| v.to_string()),
            provisions,
            r.schedules.map_or_else(String::new, |n| n.to_string()),
            r.passages.map_or_else(String::new, |n| n.to_string()),
            r.source.clone().unwrap_or_default(),
        ]);
    }
    let mut lines = vec![table.to_string()];
    for r in reports {
        if let (Outcome::Refused, Some(found), Some(expected)) = (r.outcome, r.provisions, r.expected)
            && found * 2 < expected
        {
            lines.push(format!("{}: {found} of {expected} provisions: is this the right statute?", r.id));
        }
        let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
        for d in r.diagnostics.iter().filter(|d| d.severity >= Severity::Warning) {
            let count = shown.entry(&d.code).or_default();
            *count += 1;
            if *count <= MOST_OF_A_KIND {
                let place = d.page.map_or_else(String::new, |p| format!(" (page {p})"));
                lines.push(format!("{}: {}{place}: {}", r.id, d.code, d.message));
            }
        }
        for (code, count) in shown.iter().filter(|(_, n)| **n > MOST_OF_A_KIND) {
            let more = count - MOST_OF_A_KIND;
            lines.push(format!("{}: {code}: {more} more (all with --json)", r.id));
        }
        if let Some(error) = &r.error {
            lines.push(format!("{}: {error}", r.id));
        }
        if r.outcome == Outcome::Unavailable {
            for u in &r.unavailable {
                lines.push(format!("{}: {}: {}", r.id, u.source, u.reason));
            }
        }
    }
    let changed = reports.iter().any(|r| r.outcome == Outcome::Built);
    let missing: Vec<String> =
        reports.iter().filter(|r| r.outcome == Outcome::Unavailable).map(|r| r.id.to_string()).collect();
    if !missing.is_empty() && args.statutes.is_empty() {
        lines.push(format!(
            "not available here: {}. Give their files: `nyaya corpus build --from FOLDER`, or set NYAYA_MIRROR=FOLDER",
            missing.join(", ")
        ));
    }
    if !changed {
        lines.push("nothing changed".into());
    }
    Ok(lines.join("\n"))
}

fn list(context: &Context) -> anyhow::Result<ExitCode> {
    let catalogue = context.catalogue()?;
    let generation = context.layout.current()?;
    let mut rows = Vec::new();
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
        let entries: Vec<_> =
            generation.iter().flat_map(|g| &g.editions).filter(|e| e.work == manifest.id).collect();
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
        output::text(&table.to_string())?
    }
    Ok(ExitCode::SUCCESS)
}

/// The child process that reads a PDF.
pub fn read_pdf(file: &Path) -> anyhow::Result<ExitCode> {
    nyaya_ingest::read::read_pdf_child_main(file, &mut std::io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
