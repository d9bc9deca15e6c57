//! The statutes of `../shared`, built once a process by the program's own readers.

use std::path::Path;
use std::sync::OnceLock;

use nyaya_corpora::{Catalogue, Edition, MemoryLookup};
use nyaya_ingest::{PdfReader, build_edition};

/// Statute and source.
const SOURCES: [(&str, &str); 7] = [
    ("in/ipc", "data/corpus-ipc/ipc_indiacode_resaved.pdf"),
    ("in/crpc", "data/corpus-crpc/crpc_indiacode.pdf"),
    ("in/constitution", "data/corpus-constitution-india/constitution_2024_05.pdf"),
    ("in/bns", "data/corpus-india-2023-codes/bns_md"),
    ("in/bnss", "data/corpus-india-2023-codes/bnss_md"),
    ("cn/criminal-law", "data/corpus-prc-criminal-law/lawrefbook_md/刑法.md"),
    ("cn/criminal-law", "data/corpus-prc-criminal-law/criminal_law_am11.pdf"),
];

static EDITIONS: OnceLock<Result<Vec<Edition>, String>> = OnceLock::new();

/// All editions.
pub fn editions(shared: &Path) -> Result<&'static [Edition], String> {
    EDITIONS.get_or_init(|| build(shared)).as_deref().map_err(Clone::clone)
}

/// All editions, to look provisions up in.
pub fn lookup(shared: &Path) -> Result<MemoryLookup, String> {
    Ok(MemoryLookup::new(editions(shared)?.iter().cloned()))
}

fn build(shared: &Path) -> Result<Vec<Edition>, String> {
    let catalogue = Catalogue::builtin().map_err(|e| e.to_string())?;
    let pdf = PdfReader::new(env!("CARGO_BIN_EXE_nyaya"));
    SOURCES
        .iter()
        .map(|(work, file)| {
            let work = work.parse().map_err(|_| format!("{work} is not a work"))?;
            let manifest = catalogue.get(&work).ok_or_else(|| format!("{work} has no manifest"))?;
            let built = build_edition(manifest, None, &shared.join(file), &pdf).map_err(|e| e.to_string())?;
            Ok(built.edition)
        })
        .collect()
}
