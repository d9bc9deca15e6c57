//! `nyaya corpus build`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use jiff::civil::Date;
use nyaya_corpora::{Severity, WorkId};
use nyaya_ingest::pipeline::{Builder, Outcome, StatuteReport};

use super::super::context::Context;
use super::super::output;
use super::{choose, mirror, pdf_reader};

/// Options of `corpus build`.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct BuildArgs {
    /// Statutes, such as in/ipc [default: all that can be had]
    pub statutes: Vec<WorkId>,
    /// A source file, or a folder that holds source files
    #[arg(long, value_name = "FILE|DIR")]
    pub from: Option<PathBuf>,
    /// The first day on which the text in FILE was in force, where FILE is no known source
    #[arg(long, value_name = "DATE", requires = "from")]
    pub in_force_from: Option<Date>,
    /// Store a text even if checks found errors in it, or the one held is better
    #[arg(long)]
    pub force: bool,
    /// Drop the other editions of the statute that are held: the manifest is a new one.
    #[arg(skip)]
    pub replace: bool,
}

/// Nonzero if a statute that was asked for is not there afterwards, or a build failed, or nothing is there.
pub(super) fn exit_code(reports: &[StatuteReport], args: &BuildArgs) -> ExitCode {
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
        replace: args.replace,
        version: args.in_force_from,
        pdf: pdf_reader()?,
        embedder: &*embedder,
        progress: &*context.bars,
    };
    Ok(builder.build(&chosen, !args.statutes.is_empty()).await?)
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
