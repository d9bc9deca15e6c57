//! Real source files: every provision there, none twice, texts right to the letter, checks that catch the broken.

use std::collections::HashSet;
use std::path::Path;

use nyaya_corpora::{Catalogue, Unit};
use nyaya_ingest::{Built, PdfReader, build_edition};
use sha2::{Digest as _, Sha256};

use crate::{Test, held};

/// Statute, source, sections or articles, schedules. The numbers are those of the official texts: the Code of 1860
/// ends with 511, that of 1973 with 484, the Criminal Law has 452 articles and 53 with 之.
const SOURCES: [(&str, &str, usize, usize); 11] = [
    ("in/ipc", "corpus-ipc/ipc_indiacode_resaved.pdf", 575, 0),
    ("in/ipc", "corpus-ipc/ipc_indiacode.pdf", 572, 0),
    ("in/crpc", "corpus-crpc/crpc_indiacode.pdf", 535, 2),
    ("in/constitution", "corpus-constitution-india/constitution_2024_05.pdf", 506, 12),
    ("in/bns", "corpus-india-2023-codes/bns_md", 358, 0),
    ("in/bnss", "corpus-india-2023-codes/bnss_md", 531, 0),
    ("cn/criminal-law", "corpus-prc-criminal-law/lawrefbook_md/刑法.md", 505, 2),
    ("cn/criminal-law", "corpus-prc-criminal-law/criminal_law.txt", 505, 2),
    ("cn/criminal-law", "corpus-prc-criminal-law/criminal_law_am11.pdf", 505, 2),
    ("in/constitution", "corpus-constitution-india/civictech_constitution.json", 464, 0),
    ("in/crpc", "corpus-crpc/civictech_crpc.json", 525, 0),
];

/// SHA-256 of texts that were compared with the printed page by eye.
const TEXTS: [(&str, &str); 8] = [
    ("in/ipc#s302", "c80dbf40541e40dea7b2d068d46332bced2497e008d9a1583b137f016bd152c7"),
    ("in/ipc#s304B", "31cc5220ced00e5db6b8642837a808547242c106a1294aa60b340ee0b569ae1d"),
    ("in/ipc#s376DB", "7101f843823e6e849a30cf9e559745b1142de6661d79e28a6ecf84d660f7c034"),
    ("in/constitution#a21A", "a60732ea6a7f1a5bf7fd39d0d719043a86470b116d49331685ffdcf2852d335c"),
    ("in/constitution#a243ZT", "1f57542c5e20931ec26a9db7794653df2dc0f69a02de38d5938d94155c6f120e"),
    ("in/constitution#a371J", "8db153a1473c7bb5c918dfb590fcfd72c4a27d5c00d009296c705612898b4201"),
    ("cn/criminal-law#a133-1", "306981930db92e4e9503ae375e3445c6e208a543d4566f65f4e171a7d3508016"),
    ("cn/criminal-law#a418", "f37e431a5043572dfbff6fc694936cb65cb0339f0738969201a5b3e77682d62f"),
];

/// The trials of this area.
pub fn trials(shared: &Path) -> Vec<(&'static str, Test)> {
    let at = |f: fn(&Path) -> Result<(), String>| {
        let shared = shared.to_owned();
        Box::new(move || f(&shared)) as Test
    };
    vec![
        ("every_provision_of_every_source", at(counts)),
        ("texts_are_right_to_the_letter", at(letters)),
        ("two_readings_of_the_criminal_law_agree", at(chinese)),
        ("a_source_cut_short_is_not_fit", at(broken)),
    ]
}

fn built(shared: &Path, work: &str, file: &str) -> Result<Built, String> {
    let catalogue = Catalogue::builtin().map_err(|e| e.to_string())?;
    let id = work.parse().map_err(|_| format!("{work} is not a work"))?;
    let manifest = catalogue.get(&id).ok_or_else(|| format!("{work} has no manifest"))?;
    let pdf = PdfReader::new(env!("CARGO_BIN_EXE_nyaya"));
    build_edition(manifest, None, &shared.join("data").join(file), &pdf).map_err(|e| format!("{file}: {e}"))
}

fn counts(shared: &Path) -> Result<(), String> {
    let mut wrong = Vec::new();
    for (work, file, provisions, schedules) in SOURCES {
        let built = built(shared, work, file)?;
        let units: Vec<&Unit> = built.edition.provisions.iter().map(|p| &p.id.unit).collect();
        let numbered = units.iter().filter(|u| u.is_numbered_provision()).count();
        let found = units.iter().filter(|u| matches!(u, Unit::Schedule(_))).count();
        let distinct = units.iter().collect::<HashSet<_>>().len();
        eprintln!(
            "{file}: {numbered} provisions (contents {}, expected {}, missing {}), {found} schedules, {:.2} % unassigned, {} findings",
            built.contents.len(),
            built.expected,
            built.missing.len(),
            built.unassigned_share * 100.0,
            built.diagnostics.len(),
        );
        if (numbered, found) != (provisions, schedules) {
            wrong.push(format!(
                "{file}: {numbered} provisions and {found} schedules, not {provisions} and {schedules}"
            ));
        }
        if distinct != units.len() {
            wrong.push(format!("{file}: an id is there twice"));
        }
        let json = file.ends_with(".json");
        if !json && !built.missing.is_empty() {
            wrong.push(format!("{file}: missing {:?}", built.missing));
        }
        if json && built.edition.complete {
            wrong.push(format!("{file}: it lacks provisions, and says that it is complete"));
        }
        if !json && !built.fit {
            wrong.push(format!("{file}: not fit: {:?}", built.diagnostics.first()));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn letters(shared: &Path) -> Result<(), String> {
    let lookup = held::lookup(shared)?;
    for (id, expected) in TEXTS {
        let id: nyaya_corpora::ProvisionId = id.parse().map_err(|e| format!("{e}"))?;
        let text = nyaya_corpora::ProvisionLookup::editions(&lookup, &id.work)
            .last()
            .and_then(|e| nyaya_corpora::ProvisionLookup::provision(&lookup, &id.work, e.version, &id.unit))
            .ok_or_else(|| format!("{id} is not there"))?
            .text
            .clone();
        let found = format!("{:x}", Sha256::digest(&text));
        if found != expected {
            return Err(format!("{id} reads otherwise: {text}"));
        }
    }
    Ok(())
}

/// Markdown and plain text are of one version; the texts must be equal, article by article.
fn chinese(shared: &Path) -> Result<(), String> {
    let a = built(shared, "cn/criminal-law", "corpus-prc-criminal-law/lawrefbook_md/刑法.md")?.edition;
    let b = built(shared, "cn/criminal-law", "corpus-prc-criminal-law/criminal_law.txt")?.edition;
    let letters = |t: &str| t.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let differing: Vec<String> = a
        .provisions
        .iter()
        .filter(|p| p.id.unit.is_numbered_provision())
        .filter(|p| b.get(&p.id.unit).is_none_or(|q| letters(&q.text) != letters(&p.text)))
        .map(|p| p.id.to_string())
        .collect();
    if differing.is_empty() { Ok(()) } else { Err(format!("they differ in {}", differing.join(", "))) }
}

/// The popular JSON of the Code leaves out much of the law; it must not pass for the Code.
fn broken(shared: &Path) -> Result<(), String> {
    let built = built(shared, "in/ipc", "corpus-ipc/civictech_ipc.json")?;
    if built.fit && built.edition.complete {
        return Err("civictech_ipc.json passes for a complete text".to_owned());
    }
    Ok(())
}
