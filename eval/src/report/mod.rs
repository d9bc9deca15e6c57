//! `report.html`: one file that opens from disk, in which a trial reads as a trial.
//!
//! This module turns a run into plain values; `templates/report.html` lays them out. Everything that came from a
//! model, a case file or a statute reaches the page through the template's escaping, and a
//! content security policy in the page allows no script but its own and no request at all.

use std::collections::BTreeSet;
use std::path::PathBuf;

use minijinja::{Environment, UndefinedBehavior, context};
use nyaya_corpora::{Catalogue, ProvisionLookup, WorkId};
use sha2::{Digest, Sha256};

use crate::audit::{VERDICTS, verdict_mark, verdict_name};
use crate::error::{Error, Result};
use crate::measures::RunMeasures;
use crate::transcript::{Run, Trial};

mod course;
mod coverage;
mod law;
mod names;
mod numbers;
mod relied;
mod rounds;
mod settings;
mod statement;
mod text;
mod trial;
mod view;

pub use coverage::{Coverage, coverage};
use law::Law;
use names::Language;
use view::{Page, TrialView};

/// Name of the report in a run's folder.
pub const REPORT_FILE: &str = "report.html";

const PAGE: &str = include_str!("../../templates/report.html");
const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// Writes `report.html` into the run's folder, replacing an earlier one in one step.
///
/// # Errors
/// If the page cannot be made or written.
pub fn write(run: &Run, lookup: &dyn ProvisionLookup, catalogue: &Catalogue) -> Result<PathBuf> {
    let page = render(run, lookup, catalogue)?;
    let path = run.dir.join(REPORT_FILE);
    let mut file = tempfile::NamedTempFile::new_in(&run.dir).map_err(|e| Error::io(&run.dir, e))?;
    std::io::Write::write_all(&mut file, page.as_bytes()).map_err(|e| Error::io(&path, e))?;
    file.persist(&path).map_err(|e| Error::io(&path, e.error))?;
    Ok(path)
}

/// The page as text. The same run and knowledge base give the same page.
///
/// # Errors
/// If the template fails, which would be a fault of the program.
pub fn render(run: &Run, lookup: &dyn ProvisionLookup, catalogue: &Catalogue) -> Result<String> {
    let fail = |e: minijinja::Error| Error::render("report", format!("{e:#}"));
    let page = Page::of(run, lookup, catalogue);
    let mut env = Environment::new();
    // The name's ending turns the escaping on; a value that the page lacks is an error and not an empty place.
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_trim_blocks(true);
    env.set_lstrip_blocks(true);
    env.add_template("report.html", PAGE).map_err(fail)?;
    env.add_template("report.css", STYLE).map_err(fail)?;
    env.add_template("report.js", SCRIPT).map_err(fail)?;
    let template = env.get_template("report.html").map_err(fail)?;
    let script = env.get_template("report.js").and_then(|t| t.render(context! {})).map_err(fail)?;
    template.render(context! { p => page, t => page.language.words(), script_hash => base64(&Sha256::digest(script)) }).map_err(fail)
}

/// Base64 with padding, for the policy's hash of the script.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |w, b| w << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let six = word >> (18 - 6 * i) & 63;
            let letter = ALPHABET.get(six as usize).copied().unwrap_or_default();
            out.push(if i <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

impl Page {
    fn of(run: &Run, lookup: &dyn ProvisionLookup, catalogue: &Catalogue) -> Self {
        let chinese = |t: &Trial| Language::of(&t.language) == Language::Chinese;
        let language = if !run.trials.is_empty() && run.trials.iter().all(chinese) {
            Language::Chinese
        } else {
            Language::English
        };
        let mut law = Law { lookup, catalogue, language, entries: Vec::new() };
        let several = run.trials.len() > 1;
        let trials: Vec<TrialView> = run
            .trials
            .iter()
            .enumerate()
            .map(|(at, trial)| trial::trial_view(trial, at + 1, language, &mut law, several))
            .collect();
        let measured = RunMeasures::of(run);
        // Of the many statutes that are known and not held, those that somebody named matter here.
        let statements = run.trials.iter().flat_map(Trial::statements);
        let named: BTreeSet<&WorkId> = statements
            .flat_map(|(_, s)| &s.citations)
            .filter_map(|c| c.citation.id.as_ref().map(|id| &id.work))
            .collect();
        let title = match trials.as_slice() {
            [one] => one.title.clone(),
            _ => run.dir.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
        };
        Self {
            language,
            lang: language.tag(),
            title,
            program: env!("CARGO_PKG_VERSION"),
            several,
            law: law.views(),
            coverage: coverage(lookup, catalogue)
                .into_iter()
                .filter(|c| c.version.is_some() || named.contains(&c.id))
                .collect(),
            constrained: run.constrained(),
            settings: settings::settings(&run.config),
            summary: if several { numbers::run_measures(&measured, language) } else { Vec::new() },
            finished: measured.finished,
            legend: VERDICTS
                .iter()
                .map(|v| (verdict_name(*v), verdict_mark(*v), names::verdict(*v, language)))
                .collect(),
            trials,
        }
    }
}

#[cfg(test)]
mod tests;
