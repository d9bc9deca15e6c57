//! From sources to a knowledge base: locate, read, check, cut, embed, commit. Can be stopped and run again.

use std::path::PathBuf;

use jiff::civil::Date;
use nyaya_corpora::manifest::Source;
use nyaya_corpora::{Diagnostic, Edition, Manifest, Severity, WorkId};
use nyaya_retrieval::assets::Progress;
use nyaya_retrieval::embed::Embedder;
use nyaya_retrieval::writer::{PASSAGE_TOKENS, head};
use nyaya_retrieval::{EditionEntry, Layout, NewEdition, Writer};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::build::{Built, build_edition_as};
use crate::chunk;
use crate::compare::{Change, Comparison, compare};
use crate::fetch::{Located, Places, Unavailable};
use crate::read::{PdfReader, source_sha256};

/// Version of readers, grammars and chunking; a higher one builds every statute again.
pub const INGEST_VERSION: u32 = 4;

/// What became of a statute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Built, and part of the new generation.
    Built,
    /// Source, program and manifest are those of the build that is there.
    Unchanged,
    /// No source of it is at hand.
    Unavailable,
    /// The source could not be read.
    Failed,
    /// Read, but not fit for use.
    Refused,
}

/// What a build did for one statute.
#[derive(Debug, Clone, Serialize)]
pub struct StatuteReport {
    /// The statute.
    pub id: WorkId,
    /// What became of it.
    pub outcome: Outcome,
    /// Version of the text.
    pub version: Option<Date>,
    /// Where the source came from.
    pub source: Option<String>,
    /// Sections or articles.
    pub provisions: Option<usize>,
    /// Sections or articles that the version has, if the list is known.
    pub expected: Option<usize>,
    /// Sections or articles in the document's own table of contents.
    pub contents: Option<usize>,
    /// Schedules.
    pub schedules: Option<usize>,
    /// Passages.
    pub passages: Option<usize>,
    /// Share of the source's text that landed in no provision, 0 to 1.
    pub unassigned_share: Option<f64>,
    /// What is missing or odd.
    pub diagnostics: Vec<Diagnostic>,
    /// Sources that could not be had.
    pub unavailable: Vec<Unavailable>,
    /// Why it failed or was refused.
    pub error: Option<String>,
}

impl StatuteReport {
    fn new(id: &WorkId, outcome: Outcome) -> Self {
        Self {
            id: id.clone(),
            outcome,
            version: None,
            source: None,
            provisions: None,
            expected: None,
            contents: None,
            schedules: None,
            passages: None,
            unassigned_share: None,
            diagnostics: Vec::new(),
            unavailable: Vec::new(),
            error: None,
        }
    }
}

/// A build of some statutes into a knowledge base.
pub struct Builder<'a> {
    /// The knowledge base.
    pub layout: &'a Layout,
    /// Folders and files of the user's to look in first.
    pub folders: Vec<PathBuf>,
    /// A single file that the user named; it is used for the one statute asked for, whatever its name.
    pub explicit_file: Option<PathBuf>,
    /// Whether sources may be fetched.
    pub online: bool,
    /// Store a text that checks found unfit, or that is worse than the one held.
    pub force: bool,
    /// Drop the other editions of the statutes that are built.
    pub replace: bool,
    /// The version that the user says the explicit file has.
    pub version: Option<Date>,
    /// Reader of PDFs.
    pub pdf: PdfReader,
    /// The embedder.
    pub embedder: &'a dyn Embedder,
    /// Told of long work.
    pub progress: &'a dyn Progress,
}

impl Builder<'_> {
    /// Builds; one statute's failure does not keep the others out.
    ///
    /// # Errors
    /// If the knowledge base cannot be written, or was made with another embedder.
    pub async fn build(&self, manifests: &[&Manifest], asked: bool) -> Result<Vec<StatuteReport>, Error> {
        let mut writer = Writer::open(self.layout.clone())?;
        writer.check_embedder(self.embedder.identity())?;
        let mut reports = Vec::new();
        let (mut used, mut dropped) = (false, false);
        for manifest in manifests {
            let (located, unavailable) = self.locate(manifest, asked && manifests.len() == 1).await?;
            let mut report = match located {
                Some(located) => {
                    used = true;
                    self.one(&mut writer, manifest, &located).await?
                }
                None => StatuteReport::new(&manifest.id, Outcome::Unavailable),
            };
            if self.replace
                && let (Outcome::Built | Outcome::Unchanged, Some(version)) = (report.outcome, report.version)
            {
                dropped |= writer.keep_only(&manifest.id, version, &manifest.language);
            }
            report.unavailable = unavailable;
            reports.push(report);
        }
        if let Some(file) = &self.explicit_file
            && !used
        {
            return Err(Error::hint(
                format!("{}: no statute's source is known by this name or hash", file.display()),
                "name the statute: `nyaya corpus build in/ipc --from FILE`",
            ));
        }
        if dropped || reports.iter().any(|r| r.outcome == Outcome::Built) {
            writer.commit(self.embedder.identity(), self.progress).await?;
        }
        Ok(reports)
    }

    async fn locate<'m>(
        &self,
        manifest: &'m Manifest,
        only: bool,
    ) -> Result<(Option<Located<'m>>, Vec<Unavailable>), Error> {
        let places = Places {
            layout: self.layout,
            folders: self.folders.clone(),
            online: self.online,
            progress: self.progress,
        };
        let (located, unavailable) = places.locate(manifest).await?;
        let named = self.explicit_file.as_ref().filter(|_| only);
        Ok(match (located, named) {
            // A file that the user names is taken even where the manifest does not know it.
            (found, Some(file)) if found.as_ref().is_none_or(|l| &l.path != file) => (
                Some(Located { source: None, path: file.clone(), how: file.display().to_string() }),
                Vec::new(),
            ),
            (found, _) => (found, unavailable),
        })
    }

    async fn one(
        &self,
        writer: &mut Writer,
        manifest: &Manifest,
        located: &Located<'_>,
    ) -> Result<StatuteReport, Error> {
        let mut report = StatuteReport::new(&manifest.id, Outcome::Unchanged);
        report.source = Some(located.how.clone());
        let sha256 = match source_sha256(&located.path) {
            Ok(hash) => hash,
            Err(e) => {
                report.outcome = Outcome::Failed;
                report.error = Some(e.to_string());
                return Ok(report);
            }
        };
        let said = self.version.filter(|_| self.explicit_file.is_some());
        let key = build_key(manifest, located.source, said, &sha256, self.embedder);
        if let Some(held) = writer.with_key(&manifest.id, &key) {
            report.version = Some(held.version);
            report.provisions = Some(held.provisions);
            report.expected = held.expected;
            report.schedules = Some(held.schedules);
            report.passages = Some(held.passages);
            return Ok(report);
        }
        self.progress.begin(&format!("reading {}", manifest.id), 0);
        let (owned, source, path, pdf) =
            (manifest.clone(), located.source.cloned(), located.path.clone(), self.pdf.clone());
        let built =
            tokio::task::spawn_blocking(move || build_edition_as(&owned, source.as_ref(), said, &path, &pdf))
                .await
                .map_err(|e| Error::backend("reader", e))?;
        self.progress.end();
        let built = match built {
            Ok(built) => built,
            Err(e) => {
                report.outcome = Outcome::Failed;
                report.error = Some(e.to_string());
                return Ok(report);
            }
        };
        fill(&mut report, &built);
        if !built.fit && !self.force {
            report.outcome = Outcome::Refused;
            report.error = Some(
                "the checks above found errors, so the text was not stored\nhint: use another source, or --force to store it all the same".into(),
            );
            return Ok(report);
        }
        // What has one name twice cannot be stored, whatever is asked for: the name would lead to either.
        let mut seen = std::collections::HashSet::new();
        let twice: Vec<String> = built
            .edition
            .provisions
            .iter()
            .filter(|p| !seen.insert(&p.id.unit))
            .map(|p| p.id.unit.to_string())
            .collect();
        if !twice.is_empty() {
            report.outcome = Outcome::Refused;
            report.error = Some(format!(
                "different provisions have the same name, so they cannot be stored, not even with --force: {}\nhint: number them apart in the source, or give each part as a file and a statute of its own",
                twice.iter().take(8).cloned().collect::<Vec<_>>().join(", ")
            ));
            return Ok(report);
        }
        let worse = self.worse(&built)?;
        if !worse.is_empty() && !self.force {
            report.outcome = Outcome::Refused;
            report.error = Some(format!(
                "a text that is held is better: {}\nhint: look at this one with `nyaya corpus check {} --from FILE`; --force stores it all the same",
                worse.join("; "),
                manifest.id
            ));
            return Ok(report);
        }
        let passages = self.cut(&built);
        report.passages = Some(passages.len());
        report.outcome = Outcome::Built;
        let count = |s: Severity| built.diagnostics.iter().filter(|d| d.severity == s).count();
        let new = NewEdition {
            passages,
            manifest,
            build_key: key,
            expected: (built.expected > 0).then_some(built.expected),
            missing: built.missing.len(),
            findings: (count(Severity::Error), count(Severity::Warning)),
            edition: built.edition,
        };
        writer.put(new, self.embedder, self.progress).await?;
        Ok(report)
    }

    /// In what a text is worse than the one of the same version that is held, or lacks too much of the version before;
    /// nothing if that is from the same file.
    fn worse(&self, built: &Built) -> Result<Vec<String>, Error> {
        let edition = &built.edition;
        let generation = self.layout.current()?;
        let mut same = generation.iter().flat_map(|g| &g.editions).filter(|e| {
            e.work == edition.work && e.language == edition.language && e.version <= edition.version
        });
        let held = same.clone().find(|e| e.version == edition.version);
        let Some(held) = held else {
            return match same.next_back() {
                Some(before) if !self.replace => self.lacks_too_much(before, edition),
                _ => Ok(Vec::new()),
            };
        };
        if held.source_sha256 == edition.source_sha256 {
            return Ok(Vec::new());
        }
        // A text that cannot be read any more is no reason to keep it.
        let Ok(text) = self.layout.load_edition(held) else { return Ok(Vec::new()) };
        let mut worse = Vec::new();
        if held.complete && !edition.complete {
            worse.push("it is complete, this one is not".to_owned());
        }
        let comparison = compare(&text.provisions, &edition.provisions);
        let lacking = comparison.of(Change::Removed).count();
        let added = comparison.of(Change::Added).count();
        if lacking > added {
            worse.push(format!("it has {lacking} provisions or schedules that this one lacks"));
        }
        let cut = comparison.rows.iter().filter(|r| Comparison::cut_short(r)).count();
        if cut > 2 {
            worse.push(format!("{cut} provisions are cut short in this one"));
        }
        let errors = built.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        if errors > held.findings.0 {
            worse.push(format!("checks found {errors} errors here and {} there", held.findings.0));
        }
        Ok(worse)
    }

    /// Whether a quarter of the version before, and more than is new, is gone without a row that says so: an amendment
    /// leaves what it omits as a row.
    fn lacks_too_much(&self, before: &EditionEntry, edition: &Edition) -> Result<Vec<String>, Error> {
        let Ok(text) = self.layout.load_edition(before) else { return Ok(Vec::new()) };
        let comparison = compare(&text.provisions, &edition.provisions);
        let lacking = comparison.of(Change::Removed).count();
        let added = comparison.of(Change::Added).count();
        let much = lacking > added && lacking * 4 >= text.provisions.len();
        Ok(if much {
            vec![format!(
                "it is of an earlier day, and has {lacking} of {} provisions or schedules that this one lacks without saying so",
                text.provisions.len()
            )]
        } else {
            Vec::new()
        })
    }

    fn cut(&self, built: &Built) -> Vec<nyaya_corpora::Passage> {
        let prefix = self.embedder.identity().passage_prefix.clone();
        let heading = |p: &nyaya_corpora::Provision| format!("{prefix}{}", head(p));
        let most = PASSAGE_TOKENS.min(self.embedder.identity().max_tokens);
        match self.embedder.tokenizer() {
            Some(tokenizer) => {
                let overhead = |p: &nyaya_corpora::Provision| {
                    tokenizer.encode(heading(p), true).map_or(0, |e| e.get_ids().len())
                };
                chunk::passages(&built.edition, tokenizer, most, overhead)
            }
            None => {
                // An endpoint does not show its tokenizer. A Han character is a token at most, and so are three
                // letters of another script in nearly all text.
                let scale = if built.edition.language.starts_with("zh") { 1 } else { 3 };
                let overhead = |p: &nyaya_corpora::Provision| heading(p).chars().count();
                chunk::passages(&built.edition, &text_splitter::Characters, most * scale, overhead)
            }
        }
    }
}

fn fill(report: &mut StatuteReport, built: &Built) {
    let edition = &built.edition;
    report.version = Some(edition.version);
    report.provisions = Some(edition.provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).count());
    report.schedules = Some(
        edition.provisions.iter().filter(|p| matches!(p.id.unit, nyaya_corpora::Unit::Schedule(_))).count(),
    );
    report.expected = (built.expected > 0).then_some(built.expected);
    report.contents = (!built.contents.is_empty()).then_some(built.contents.len());
    report.unassigned_share = Some(built.unassigned_share);
    report.diagnostics.clone_from(&built.diagnostics);
}

/// Equal keys give equal editions: same source, program, manifest and way of cutting.
fn build_key(
    manifest: &Manifest,
    source: Option<&Source>,
    said: Option<Date>,
    sha256: &str,
    embedder: &dyn Embedder,
) -> String {
    let mut hasher = Sha256::new();
    hasher.update(INGEST_VERSION.to_le_bytes());
    hasher.update(PASSAGE_TOKENS.to_le_bytes());
    hasher.update(sha256);
    hasher.update(source.map_or("", |s| &s.id));
    hasher.update(said.map_or_else(String::new, |d| d.to_string()));
    hasher.update(serde_json::to_vec(manifest).unwrap_or_default());
    hasher.update(serde_json::to_vec(embedder.identity()).unwrap_or_default());
    hex::encode(hasher.finalize())
}
