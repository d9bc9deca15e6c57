//! `nyaya corpus add`.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use jiff::civil::Date;
use nyaya_corpora::manifest::{UnitName, WorkKind};
use nyaya_corpora::{Catalogue, Manifest, WorkId};
use nyaya_ingest::propose::{Facts, Proposal, propose};
use serde_json::json;

use super::super::context::Context;
use super::super::output;
use super::{BuildArgs, build, pdf_reader};

/// Options of `corpus add`.
#[derive(Debug, clap::Args)]
pub struct AddArgs {
    /// The document, or a folder of Markdown or text files
    #[arg(value_name = "FILE|DIR")]
    file: PathBuf,
    /// The name it shall have: country code and short name, such as xx/kite-act
    #[arg(long, value_name = "XX/NAME")]
    id: WorkId,
    /// Its title [default: what the document calls itself]
    #[arg(long)]
    title: Option<String>,
    /// The first day on which the text was in force [default: the day the document tells, else 1 January of the
    /// last year in its title]
    #[arg(long, value_name = "DATE")]
    in_force_from: Option<Date>,
    /// Language of the text, such as en, zh, hi [default: what its letters say]
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// What its provisions are called [default: what the document calls them]
    #[arg(long, value_name = "UNIT", value_parser = ["section", "article"])]
    unit: Option<String>,
    /// What governs which version applies
    #[arg(long, value_name = "KIND", value_parser = ["substantive", "procedure", "evidence", "constitution", "other"])]
    kind: Option<String>,
    /// Show the manifest and what was found, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Replace a manifest of this name, and build even if checks found errors
    #[arg(long)]
    force: bool,
}

/// First line of a manifest whose text is not built yet.
const PENDING: &str = "# being added";

/// Proposes a manifest, shows what was found, writes it, builds.
pub(super) async fn add(context: &Context, args: &AddArgs) -> anyhow::Result<ExitCode> {
    let catalogue = context.catalogue()?;
    let target =
        context.layout.manifests().join(format!("{}-{}.toml", args.id.jurisdiction(), args.id.name()));
    // What an interrupted addition left is taken up again.
    let pending = std::fs::read_to_string(&target).is_ok_and(|text| text.starts_with(PENDING));
    if let Some(known) = catalogue.get(&args.id).filter(|_| !args.force && !args.dry_run && !pending) {
        bail!(
            "{}: {} is known already\nhint: `nyaya corpus build {} --from FILE` adds a version of it; --force replaces its manifest",
            args.id,
            known.display_title(),
            args.id
        );
    }
    let facts = Facts {
        id: args.id.clone(),
        title: args.title.clone(),
        in_force_from: args.in_force_from,
        language: args.language.clone(),
        unit: args
            .unit
            .as_deref()
            .map(|u| if u == "article" { UnitName::Article } else { UnitName::Section }),
        kind: args.kind.as_deref().map(|k| match k {
            "substantive" => WorkKind::Substantive,
            "procedure" => WorkKind::Procedure,
            "evidence" => WorkKind::Evidence,
            "constitution" => WorkKind::Constitution,
            _ => WorkKind::Other,
        }),
    };
    let proposal = propose(&args.file, &facts, &pdf_reader()?)?;
    let text = proposal.toml();
    Manifest::parse(&target.display().to_string(), &text)
        .context("the proposed manifest cannot be read back\nhint: check --id, --title and --language")?;
    if let Some(other) = same_name(&catalogue, &proposal.manifest) {
        eprintln!(
            "warning: {other} has the name “{}” too; a citation by that name may mean either\nhint: give another --title, or add this text as a version of {other}: `nyaya corpus build {other} --from FILE --in-force-from DATE`",
            proposal.manifest.native_title()
        );
    }
    if args.dry_run {
        show(context, &proposal, &text, None)?;
        return Ok(if proposal.report.fit { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    context.layout.write_manifest(&target, &format!("{PENDING}\n{text}"))?;
    let build_args = BuildArgs {
        statutes: vec![args.id.clone()],
        from: Some(args.file.clone()),
        in_force_from: None,
        force: args.force,
        replace: args.force,
    };
    let reports = match build(context, &build_args).await {
        Ok(reports) => reports,
        Err(e) => {
            // A manifest without a text would only be in the way of the next attempt.
            let _ = std::fs::remove_file(&target);
            return Err(e);
        }
    };
    let code = super::build::exit_code(&reports, &build_args);
    if code == ExitCode::SUCCESS {
        context.layout.write_manifest(&target, &text)?;
    } else {
        let _ = std::fs::remove_file(&target);
    }
    if context.global.json {
        show(context, &proposal, &text, Some(json!(reports)))?;
    } else {
        show(context, &proposal, &text, None)?;
        output::text(&super::describe(&reports, &build_args)?)?;
        if code == ExitCode::SUCCESS {
            output::text(&format!("manifest: {}", target.display()))?;
            if let Some(first) = proposal.units.first() {
                output::text(&format!("try: nyaya show '{}#{first}'", args.id))?;
            }
        } else {
            output::text("nothing was added\nhint: correct the document, or --force to add it as it is")?;
        }
    }
    Ok(code)
}

/// Another statute that is cited by one of the names of this one.
fn same_name<'c>(catalogue: &'c Catalogue, manifest: &Manifest) -> Option<&'c WorkId> {
    let names = |m: &Manifest| -> HashSet<String> {
        m.names.values().flatten().chain(m.title.values()).map(|n| n.to_lowercase()).collect()
    };
    let own = names(manifest);
    catalogue.all().iter().find(|m| m.id != manifest.id && !names(m).is_disjoint(&own)).map(|m| &m.id)
}

fn show(
    context: &Context,
    proposal: &Proposal,
    text: &str,
    built: Option<serde_json::Value>,
) -> anyhow::Result<()> {
    if context.global.json {
        return output::json(&json!({
            "id": proposal.manifest.id,
            "manifest": proposal.manifest,
            "toml": text,
            "found": proposal.findings.iter().map(|(what, value)| json!({"what": what, "value": value})).collect::<Vec<_>>(),
            "fit": proposal.report.fit,
            "diagnostics": proposal.report.diagnostics,
            "built": built,
        }));
    }
    let mut table = output::table(["found", ""]);
    for (what, value) in &proposal.findings {
        table.add_row([(*what).to_owned(), value.clone()]);
    }
    output::text(&table.to_string())?;
    output::text(text)
}
