//! `nyaya corpus check`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use jiff::civil::Date;
use nyaya_corpora::{Diagnostic, Edition, Manifest, Provision, Severity, Unit, WorkId};
use nyaya_ingest::build::{Built, build_edition_as};
use nyaya_ingest::check::{self, Report};
use nyaya_ingest::compare::{Change, Comparison, compare};
use nyaya_ingest::fetch::Places;
use nyaya_ingest::structure::Structured;
use serde_json::json;

use super::super::context::Context;
use super::super::output;
use super::{manifest_of, mirror, pdf_reader};

/// Options of `corpus check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The statute, such as in/ipc
    statute: WorkId,
    /// The file or folder to check [default: every version held; where none is, the source at hand]
    #[arg(long, value_name = "FILE|DIR")]
    from: Option<PathBuf>,
    /// Another source of the same text, to compare with [default: the version held, if it is complete]
    #[arg(long, value_name = "FILE|DIR")]
    against: Option<PathBuf>,
    /// The first day on which the text in FILE was in force, where FILE is no known source
    #[arg(long, value_name = "DATE", requires = "from")]
    in_force_from: Option<Date>,
}

/// A text that was checked.
struct Checked {
    edition: Edition,
    report: Report,
    contents: Vec<(Unit, Option<String>)>,
    unassigned_share: Option<f64>,
    unassigned: Vec<(u32, usize, String)>,
    comparison: Option<(String, Comparison)>,
}

impl From<Built> for Checked {
    fn from(built: Built) -> Self {
        Self {
            report: Report {
                diagnostics: built.diagnostics,
                fit: built.fit,
                missing: built.missing,
                extra: built.extra,
                duplicates: built.duplicates,
                expected: built.expected,
            },
            edition: built.edition,
            contents: built.contents,
            unassigned_share: Some(built.unassigned_share),
            unassigned: built.unassigned,
            comparison: None,
        }
    }
}

/// Checks a statute's text.
pub(super) async fn check(context: &Context, args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let catalogue = context.catalogue()?;
    let manifest = manifest_of(catalogue.all(), &args.statute)?;
    let mut checked = Vec::new();
    let held = held(context, manifest)?;
    match &args.from {
        Some(path) => checked.push(read(manifest, path, args.in_force_from)?),
        None if !held.is_empty() => {
            checked.extend(held.iter().map(|(e, errors)| again(manifest, e, *errors)))
        }
        None => {
            let places = Places {
                layout: &context.layout,
                folders: mirror().into_iter().collect(),
                online: false,
                progress: &*context.bars,
            };
            let (located, _) = places.locate(manifest).await?;
            let Some(located) = located else {
                bail!(
                    "{}: no version is held and no source is at hand\nhint: name a file: `nyaya corpus check {} --from FILE`",
                    manifest.id,
                    manifest.id
                );
            };
            checked.push(read(manifest, &located.path, None)?);
        }
    }
    for one in &mut checked {
        let (name, other): (String, Vec<Provision>) = match &args.against {
            Some(path) => (path.display().to_string(), read(manifest, path, None)?.edition.provisions),
            None => {
                let good = held.iter().map(|(e, _)| e).find(|e| {
                    e.complete
                        && e.version == one.edition.version
                        && e.source_sha256 != one.edition.source_sha256
                        && args.from.is_some()
                });
                let Some(good) = good else { continue };
                (format!("the version held ({})", good.source_file), good.provisions.clone())
            }
        };
        let comparison = compare(&other, &one.edition.provisions);
        check::against(&mut one.report, &comparison, &name);
        one.comparison = Some((name, comparison));
    }
    if context.global.json {
        output::json(&checked.iter().map(|c| as_json(manifest, c)).collect::<Vec<_>>())?;
    } else {
        for one in &checked {
            output::text(&describe(manifest, one))?;
        }
    }
    Ok(if checked.iter().all(|c| c.report.fit) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The editions held, each with the number of errors that checks found when it was built.
fn held(context: &Context, manifest: &Manifest) -> anyhow::Result<Vec<(Edition, usize)>> {
    let generation = context.layout.current()?;
    let entries = generation.iter().flat_map(|g| &g.editions).filter(|e| e.work == manifest.id);
    entries.map(|e| Ok((context.layout.load_edition(e)?, e.findings.0))).collect()
}

fn read(manifest: &Manifest, path: &Path, said: Option<Date>) -> anyhow::Result<Checked> {
    Ok(build_edition_as(manifest, None, said, path, &pdf_reader()?)?.into())
}

/// The checks on a text that is held: what only the source file tells is not known any more.
fn again(manifest: &Manifest, edition: &Edition, errors: usize) -> Checked {
    let structured = Structured { provisions: edition.provisions.clone(), ..Structured::default() };
    let source = manifest.sources.iter().find(|s| s.id == edition.source);
    let mut report = check::check(&structured, manifest, Some(edition.version), source);
    if report.fit && errors > 0 {
        // Such as text in no provision, which the text that is held cannot show any more.
        report.fit = false;
        let message = format!(
            "checks found {errors} errors when it was built, and it was stored with --force; `nyaya corpus check {} --from FILE` tells them",
            manifest.id
        );
        report.diagnostics.insert(0, Diagnostic::new(Severity::Error, "forced", message));
    }
    Checked {
        report,
        edition: edition.clone(),
        contents: Vec::new(),
        unassigned_share: None,
        unassigned: Vec::new(),
        comparison: None,
    }
}

fn names(units: &[Unit]) -> Vec<String> {
    units.iter().map(ToString::to_string).collect()
}

fn as_json(manifest: &Manifest, checked: &Checked) -> serde_json::Value {
    let Checked { edition, report, .. } = checked;
    let comparison = checked.comparison.as_ref().map(|(name, comparison)| {
        let of = |change| comparison.of(change).map(|r| r.unit.to_string()).collect::<Vec<_>>();
        json!({
            "with": name,
            "missing": of(Change::Removed),
            "extra": of(Change::Added),
            "changed": comparison.rows.iter().filter(|r| r.change == Change::Changed).collect::<Vec<_>>(),
            "status": of(Change::Status),
            "punctuation": comparison.of(Change::Punctuation).count(),
            "same": comparison.of(Change::Same).count(),
            "similarity": comparison.similarity(),
        })
    });
    json!({
        "id": manifest.id,
        "file": edition.source_file,
        "source": edition.source,
        "source_sha256": edition.source_sha256,
        "version": edition.version,
        "fit": report.fit,
        "complete": edition.complete,
        "expected": report.expected,
        "found": edition.provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).count(),
        "schedules": edition.provisions.iter().filter(|p| matches!(p.id.unit, Unit::Schedule(_))).count(),
        "missing": names(&report.missing),
        "extra": names(&report.extra),
        "duplicated": names(&report.duplicates),
        "in_contents_table": checked.contents.len(),
        "unassigned_share": checked.unassigned_share,
        "unassigned": checked.unassigned.iter().map(|(page, letters, words)| json!({
            "page": (*page > 0).then_some(page),
            "letters": letters,
            "begins": words.chars().take(80).collect::<String>(),
        })).collect::<Vec<_>>(),
        "comparison": comparison,
        "findings": report.diagnostics,
    })
}

/// Findings of one kind that are printed, and pages with text in no provision.
const MOST: usize = 8;

fn describe(manifest: &Manifest, checked: &Checked) -> String {
    let Checked { edition, report, .. } = checked;
    let found = edition.provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).count();
    let schedules = edition.provisions.iter().filter(|p| matches!(p.id.unit, Unit::Schedule(_))).count();
    let mut table = output::table([
        "statute",
        "version",
        "found",
        "missing",
        "extra",
        "twice",
        "schedules",
        "unassigned",
        "fit",
    ]);
    table.add_row([
        format!("{}\n{}", manifest.id, edition.source_file),
        edition.version.to_string(),
        if report.expected > 0 { format!("{found} of {}", report.expected) } else { found.to_string() },
        report.missing.len().to_string(),
        report.extra.len().to_string(),
        report.duplicates.len().to_string(),
        schedules.to_string(),
        checked.unassigned_share.map_or_else(|| "not known".into(), |s| format!("{:.2} %", s * 100.0)),
        if report.fit { "yes".into() } else { "no".to_owned() },
    ]);
    let mut lines = vec![table.to_string()];
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let word = match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "note",
        };
        let mut shown: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
        for d in report.diagnostics.iter().filter(|d| d.severity == severity) {
            shown.entry(&d.code).or_default().push(d);
        }
        for (code, list) in shown {
            for d in list.iter().take(MOST) {
                let page = d.page.map_or_else(String::new, |p| format!(" (page {p})"));
                lines.push(format!("{word}: {code}{page}: {}", d.message));
            }
            if list.len() > MOST {
                lines.push(format!("{word}: {code}: {} more (all with --json)", list.len() - MOST));
            }
        }
    }
    let mut pages: Vec<&(u32, usize, String)> = checked.unassigned.iter().filter(|p| p.1 > 0).collect();
    if !pages.is_empty() {
        pages.sort_by_key(|p| std::cmp::Reverse(p.1));
        lines.push("text in no provision, by page:".into());
        for (page, letters, words) in pages.iter().take(MOST) {
            let place = if *page == 0 { "no page".to_owned() } else { format!("page {page}") };
            lines.push(format!(
                "  {place}: {letters} letters, from “{}”",
                words.chars().take(60).collect::<String>()
            ));
        }
        if pages.len() > MOST {
            lines.push(format!("  {} more pages (all with --json)", pages.len() - MOST));
        }
    }
    if let Some((name, comparison)) = &checked.comparison {
        lines.push(format!(
            "against {name}: {} the same, {} differ in punctuation only, {} in words, {} missing here, {} only here; {:.1} % alike",
            comparison.of(Change::Same).count(),
            comparison.of(Change::Punctuation).count(),
            comparison.of(Change::Changed).count(),
            comparison.of(Change::Removed).count(),
            comparison.of(Change::Added).count(),
            comparison.similarity() * 100.0
        ));
        for row in comparison.of(Change::Changed).take(MOST * 2) {
            let words: String = row.difference.chars().take(160).collect();
            lines.push(format!("  {}: {:.0} % alike: {words}", row.unit, row.similarity * 100.0));
        }
    }
    if !report.fit {
        lines.push("not fit for use\nhint: use another source; what is wrong is said above".into());
    }
    lines.join("\n")
}
