//! What is exported of a real code builds again to the same.

use std::path::Path;

use nyaya_corpora::export::{ExportFormat, export};
use nyaya_corpora::{Catalogue, Edition, Provision};
use nyaya_ingest::propose::{Facts, propose};
use nyaya_ingest::{Built, PdfReader, build_edition};

use crate::Test;
use crate::held;
use crate::ingest::that;

pub fn trials(shared: &Path) -> Vec<(&'static str, Test)> {
    let shared = shared.to_owned();
    vec![("what_is_exported_builds_again", Box::new(move || again(&shared)))]
}

/// Everything but where it was read.
fn whole(p: &Provision) -> String {
    let p = Provision {
        source: nyaya_corpora::SourceRef { file_sha256: String::new(), page: None, offset: None },
        ..p.clone()
    };
    serde_json::to_string(&p).unwrap_or_default()
}

/// What Markdown keeps.
fn lines(p: &Provision) -> String {
    format!("{} {:?} {:?} {:?} {}", p.id.unit, p.status, p.heading, p.struck_down, p.text)
}

/// What XML keeps: a mark stands apart from the words behind it, a preamble has no heading, and what is gone is not
/// said to be omitted or repealed.
fn signs(p: &Provision) -> String {
    let joined = |t: &str| t.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let heading = p.heading.as_deref().filter(|_| p.id.unit != nyaya_corpora::Unit::Preamble).map(joined);
    let status =
        if p.status == nyaya_corpora::Status::Omitted { nyaya_corpora::Status::Repealed } else { p.status };
    format!("{} {status:?} {heading:?} {}", p.id.unit, joined(&p.text))
}

/// What of a provision is compared.
type Form = fn(&Provision) -> String;

fn differing(first: &Edition, second: &Edition, form: Form) -> Vec<String> {
    let mut out = Vec::new();
    for p in &first.provisions {
        match second.get(&p.id.unit) {
            Some(other) if form(other) == form(p) => {}
            Some(other) => {
                if std::env::var_os("NYAYA_SHOW").is_some() {
                    eprintln!("- {}\n+ {}", form(p), form(other));
                }
                out.push(p.id.unit.to_string());
            }
            None => out.push(format!("{} is gone", p.id.unit)),
        }
    }
    out.extend(
        second
            .provisions
            .iter()
            .filter(|p| first.get(&p.id.unit).is_none())
            .map(|p| format!("{} is new", p.id.unit)),
    );
    out
}

fn again(shared: &Path) -> Result<(), String> {
    let catalogue = Catalogue::builtin().map_err(|e| e.to_string())?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let pdf = PdfReader::in_process();
    let mut bad = Vec::new();
    for edition in held::editions(shared)? {
        let manifest = catalogue.get(&edition.work).ok_or("no manifest")?;
        let write = |format, name: &str| -> Result<std::path::PathBuf, String> {
            let path = folder.path().join(name);
            let mut file = std::fs::File::create(&path).map_err(|e| e.to_string())?;
            export(edition, Some(manifest), format, &mut file).map_err(|e| e.to_string())?;
            Ok(path)
        };
        let path = write(ExportFormat::Jsonl, "held.jsonl")?;
        let built: Built = build_edition(manifest, None, &path, &pdf).map_err(|e| e.to_string())?;
        let name = format!("{} of {}", edition.work, edition.version);
        that(built.edition.version == edition.version, format!("{name}: now of {}", built.edition.version))?;
        that(
            built.edition.complete == edition.complete && built.fit,
            format!("{name}: {:?}", built.diagnostics.first()),
        )?;
        let other = differing(edition, &built.edition, whole);
        that(other.is_empty(), format!("{name}, JSON lines: {other:?}"))?;
        // Under another name, without the manifest.
        let facts = Facts {
            id: "xx/another-code".parse().map_err(|e| format!("{e}"))?,
            title: None,
            in_force_from: None,
            language: None,
            unit: None,
            kind: None,
        };
        let proposal = propose(&path, &facts, &pdf).map_err(|e| e.to_string())?;
        that(proposal.report.fit, format!("{name}: {:?}", proposal.report.diagnostics.first()))?;
        let added = build_edition(&proposal.manifest, None, &path, &pdf).map_err(|e| e.to_string())?;
        that(
            added.edition.version == edition.version
                && added.edition.provisions.len() == edition.provisions.len(),
            format!("{name}: {} provisions when added", added.edition.provisions.len()),
        )?;
        let bare = |p: &Provision| format!("{:?} {} {:?} {:?}", p.status, p.text, p.heading, p.annotations);
        let other = differing(edition, &added.edition, bare);
        that(other.is_empty(), format!("{name}, added: {other:?}"))?;
        // Markdown and XML keep provisions, words and statuses.
        let forms: [(ExportFormat, &str, Form); 2] =
            [(ExportFormat::Markdown, "held.md", lines), (ExportFormat::Akn, "held.xml", signs)];
        for (format, file, form) in forms {
            let path = write(format, file)?;
            let built = build_edition(manifest, None, &path, &pdf).map_err(|e| e.to_string())?;
            let other = differing(edition, &built.edition, form);
            if !other.is_empty() {
                bad.push(format!(
                    "{name}, {file}: {} of {}: {other:?}",
                    other.len(),
                    edition.provisions.len()
                ));
            }
        }
    }
    if bad.is_empty() { Ok(()) } else { Err(bad.join("\n")) }
}
