//! The folder of a knowledge base: immutable generations, what they share, and the pointer to the current one.
//!
//! ```text
//! kb/
//!   CURRENT                     name of the current generation; replaced atomically
//!   write.lock                  held by the one writer
//!   editions/NAME.json          the canonical text of one edition; named by its content
//!   parts/KEY/passages.json     where the passages of an edition are, for one embedder
//!   parts/KEY/vectors.f32       their vectors, appended as they are made: what a killed build keeps
//!   generations/000007/         generation.json with its SHA-256, qdrant/, tantivy/
//! ```
//! Editions and parts are shared between generations. `qdrant/` and `tantivy/` are derived from them; of generations
//! long past only `generation.json` is kept, so that a run that began with one can go on with it.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use nyaya_corpora::{Edition, Passage, Unit, WorkId};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::embed::Identity;
use crate::error::{Error, Result};
use crate::seal;

/// Version of the folder's form.
pub const FORMAT: u32 = 3;

/// Name of the file that says what a generation holds.
const GENERATION: &str = "generation.json";
/// Name of the file with its SHA-256, in hex.
const SEAL: &str = "generation.sha256";
/// Name of the file of a part that says where the passages are.
pub(crate) const PASSAGES: &str = "passages.json";
/// Name of the file of a part that holds the vectors.
pub(crate) const VECTORS: &str = "vectors.f32";

/// What a generation holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// [`FORMAT`].
    pub format: u32,
    /// Its number, from 1.
    pub number: u64,
    /// Version of the program that wrote it.
    pub program: String,
    /// Name of the analyzer.
    pub analyzer: String,
    /// The embedder.
    pub embedder: Identity,
    /// Most tokens of a passage, heading included.
    pub passage_tokens: usize,
    /// The editions, by work and version.
    pub editions: Vec<EditionEntry>,
    /// SHA-256 of each file of the indexes, in hex, by index (`tantivy`, `qdrant`) and path.
    pub indexes: BTreeMap<String, BTreeMap<String, String>>,
}

impl Generation {
    /// What its searches depend on, as 12 hexadecimal digits of a SHA-256: texts, passages, vectors, embedder and
    /// analyzer. Not its number, nor the indexes, which are made from these.
    #[must_use]
    pub fn content(&self) -> String {
        let mut hasher = Sha256::new();
        let mut part = |text: String| hasher.update(format!("{}\n{text}\n", text.len()));
        part(self.analyzer.clone());
        part(serde_json::to_string(&self.embedder).unwrap_or_default());
        for e in &self.editions {
            let repealed = e.repealed_on.map(|d| d.to_string()).unwrap_or_default();
            part(format!("{} {repealed} {} {} {}", e.key(), e.file, e.passages_sha256, e.vectors_sha256));
        }
        hex::encode(hasher.finalize()).chars().take(12).collect()
    }
}

/// An edition of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditionEntry {
    /// The work.
    pub work: WorkId,
    /// First day on which the version was in force.
    pub version: Date,
    /// BCP 47.
    pub language: String,
    /// Title in English, for people.
    pub title: String,
    /// Title in the language of the text.
    pub native_title: String,
    /// First day on which the work was no longer in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repealed_on: Option<Date>,
    /// File under `editions/`.
    pub file: String,
    /// Folder under `parts/`.
    pub part: String,
    /// SHA-256 of its `passages.json`, in hex.
    pub passages_sha256: String,
    /// SHA-256 of its `vectors.f32`, in hex.
    pub vectors_sha256: String,
    /// What the edition was made from and how; an equal key means that building again changes nothing.
    pub build_key: String,
    /// `id` of the source in the manifest.
    pub source: String,
    /// Name of the source file.
    pub source_file: String,
    /// SHA-256 of the source file, in hex.
    pub source_sha256: String,
    /// Whether the source has every provision.
    pub complete: bool,
    /// Sections or articles with a text or a status of their own.
    pub provisions: usize,
    /// Schedules.
    pub schedules: usize,
    /// Sections or articles that the version has, if the list is known.
    pub expected: Option<usize>,
    /// Of those, how many are absent.
    pub missing: usize,
    /// Passages.
    pub passages: usize,
    /// Findings when it was built, by severity: errors, warnings.
    pub findings: (usize, usize),
}

impl EditionEntry {
    /// Name for filters: `in/ipc@2018-04-21:en`.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}@{}:{}", self.work, self.version, self.language)
    }
}

/// Where passages of an edition are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The provision.
    pub unit: Unit,
    /// Start in its text, in bytes.
    pub start: usize,
    /// End in its text, in bytes.
    pub end: usize,
}

/// The folder.
#[derive(Debug, Clone)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    /// A knowledge base at `root`, existing or not.
    #[must_use]
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Manifests that the user added.
    #[must_use]
    pub fn manifests(&self) -> PathBuf {
        self.root.join("manifests")
    }

    /// Writes a manifest, whole or not at all: every command reads the manifests.
    ///
    /// # Errors
    /// If the folder cannot be made, or the file cannot be written.
    pub fn write_manifest(&self, file: &Path, text: &str) -> Result<()> {
        let folder = self.manifests();
        std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
        write_atomically(file, text.as_bytes())
    }

    /// Source files that were fetched.
    #[must_use]
    pub fn sources(&self) -> PathBuf {
        self.root.join("sources")
    }

    pub(crate) fn edition(&self, file: &str) -> PathBuf {
        self.root.join("editions").join(file)
    }

    pub(crate) fn part(&self, key: &str) -> PathBuf {
        self.root.join("parts").join(key)
    }

    pub(crate) fn generations(&self) -> PathBuf {
        self.root.join("generations")
    }

    pub(crate) fn generation(&self, number: u64) -> PathBuf {
        self.generations().join(format!("{number:06}"))
    }

    /// The current generation; `None` if nothing was built yet.
    ///
    /// # Errors
    /// If the pointer or the generation cannot be read.
    pub fn current(&self) -> Result<Option<Generation>> {
        let pointer = self.root.join("CURRENT");
        let number = match fs::read_to_string(&pointer) {
            Ok(name) => name.trim().parse::<u64>().ok(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            Err(e) => return Err(Error::io(pointer, e)),
        };
        let generation = match number.filter(|n| self.generation(*n).is_dir()) {
            Some(number) => self.read_generation(number)?,
            // Without a pointer, or with one to nothing, the newest generation on disk counts: it must not be lost by building another.
            None => match self.numbers().into_iter().rev().find_map(|n| self.read_generation(n).ok()) {
                Some(generation) => {
                    tracing::warn!(
                        "{}: names no generation; generation {} is used, the newest on disk",
                        pointer.display(),
                        generation.number
                    );
                    generation
                }
                None => return Ok(None),
            },
        };
        Ok(Some(generation))
    }

    /// The newest generation on disk with this [`Generation::content`], current or not. The indexes of an earlier one
    /// may be gone; [`crate::Writer::restore`] makes them again.
    ///
    /// # Errors
    /// If the current generation cannot be read. Damaged earlier ones are passed over.
    pub fn with_content(&self, content: &str) -> Result<Option<Generation>> {
        if let Some(current) = self.current()?.filter(|g| g.content() == content) {
            return Ok(Some(current));
        }
        let mut earlier = self.numbers().into_iter().rev().filter_map(|n| self.read_generation(n).ok());
        Ok(earlier.find(|g| g.content() == content))
    }

    /// Fails if a generation is of another form than this program's.
    fn check_format(&self, format: u32) -> Result<()> {
        let (age, hint) = match format.cmp(&FORMAT) {
            Ordering::Equal => return Ok(()),
            Ordering::Greater => ("a newer", "use that program, or another folder with --kb"),
            Ordering::Less => {
                ("an older", "build it anew: `nyaya --kb NEW_FOLDER corpus build`, or move this folder away")
            }
        };
        Err(Error::hint(format!("{}: written by {age} program (format {format})", self.root.display()), hint))
    }

    /// Writes what a generation holds, and its seal, into the folder that becomes it.
    pub(crate) fn write_generation(folder: &Path, generation: &Generation) -> Result<()> {
        let json = serde_json::to_vec_pretty(generation).map_err(|e| Error::backend("JSON", e))?;
        write_atomically(&folder.join(SEAL), hex::encode(Sha256::digest(&json)).as_bytes())?;
        write_atomically(&folder.join(GENERATION), &json)
    }

    /// Numbers of the generations on disk, ascending.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let entries = fs::read_dir(self.generations()).into_iter().flatten().flatten();
        let mut numbers: Vec<u64> =
            entries.filter_map(|e| e.file_name().to_string_lossy().parse().ok()).collect();
        numbers.sort_unstable();
        numbers
    }

    fn read_generation(&self, number: u64) -> Result<Generation> {
        /// All that every form has.
        #[derive(Deserialize)]
        struct Form {
            format: u32,
        }
        let folder = self.generation(number);
        let path = folder.join(GENERATION);
        let damaged = |why: String| {
            Error::hint(
                format!("{}: damaged: {why}", path.display()),
                "move the folder `generations` and the file CURRENT away and run `nyaya corpus build`; texts and vectors under editions/ and parts/ are used again",
            )
        };
        let bytes = fs::read(&path).map_err(|e| damaged(e.to_string()))?;
        let form: Form = serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))?;
        self.check_format(form.format)?;
        let seal = fs::read_to_string(folder.join(SEAL)).map_err(|e| damaged(format!("{SEAL}: {e}")))?;
        if seal.trim() != hex::encode(Sha256::digest(&bytes)) {
            return Err(damaged("altered since it was written".to_owned()));
        }
        serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))
    }

    /// Whether every file of the indexes is what was written.
    ///
    /// # Errors
    /// If one is not; the error names it.
    pub fn check_indexes(&self, generation: &Generation) -> Result<()> {
        generation.indexes.iter().try_for_each(|(index, seals)| {
            let folder = self.generation(generation.number).join(index);
            seal::check(&folder, seals, &folder)
        })
    }

    pub(crate) fn set_current(&self, number: u64) -> Result<()> {
        write_atomically(&self.root.join("CURRENT"), format!("{number}\n").as_bytes())
    }

    /// The text of an edition.
    ///
    /// # Errors
    /// If its file is gone or was altered.
    pub fn load_edition(&self, entry: &EditionEntry) -> Result<Edition> {
        let path = self.edition(&entry.file);
        let bytes = fs::read(&path).map_err(|e| lost(&path, entry, &e.to_string()))?;
        // The name carries the start of the content's hash, so a text that was altered cannot pass for the law.
        let hash = hex::encode(Sha256::digest(&bytes));
        if !hash.get(..16).is_some_and(|start| entry.file.ends_with(&format!("-{start}.json"))) {
            return Err(lost(&path, entry, "the text was altered after it was built"));
        }
        serde_json::from_slice(&bytes).map_err(|e| lost(&path, entry, &e.to_string()))
    }

    /// The passages of an edition.
    pub(crate) fn load_spans(&self, entry: &EditionEntry) -> Result<Vec<Span>> {
        let path = self.part(&entry.part).join(PASSAGES);
        let bytes = self.read_sealed(&path, entry, &entry.passages_sha256)?;
        serde_json::from_slice(&bytes).map_err(|e| lost(&path, entry, &e.to_string()))
    }

    /// The vectors of an edition, as bytes.
    pub(crate) fn load_vectors(&self, entry: &EditionEntry) -> Result<Vec<u8>> {
        self.read_sealed(&self.part(&entry.part).join(VECTORS), entry, &entry.vectors_sha256)
    }

    /// A file of an edition, which must be what was written.
    fn read_sealed(&self, path: &Path, entry: &EditionEntry, sha256: &str) -> Result<Vec<u8>> {
        let bytes = fs::read(path).map_err(|e| lost(path, entry, &e.to_string()))?;
        if hex::encode(Sha256::digest(&bytes)) != sha256 {
            return Err(lost(path, entry, "altered since it was built"));
        }
        Ok(bytes)
    }

    /// Whether text, passages and vectors of an edition are all there, for vectors of this length.
    pub(crate) fn is_whole(&self, entry: &EditionEntry, dimension: usize) -> bool {
        self.load_vectors(entry).is_ok_and(|v| v.len() == entry.passages * dimension * 4)
            && self.load_edition(entry).is_ok()
            && self.load_spans(entry).is_ok_and(|spans| spans.len() == entry.passages)
    }

    /// Stores an edition under a name made of its content; one that is there is left alone.
    pub(crate) fn store_edition(&self, edition: &Edition) -> Result<String> {
        let text = serde_json::to_vec(edition).map_err(|e| Error::backend("JSON", e))?;
        let hash = hex::encode(Sha256::digest(&text));
        let name = format!(
            "{}-{}-{}-{}-{}.json",
            edition.work.jurisdiction(),
            edition.work.name(),
            edition.version,
            edition.language,
            hash.get(..16).unwrap_or(&hash)
        );
        let path = self.edition(&name);
        if fs::read(&path).ok().as_deref() != Some(&text) {
            create_dir(path.parent().unwrap_or(&self.root))?;
            write_atomically(&path, &text)?;
        }
        Ok(name)
    }
}

pub(crate) fn create_dir(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|e| Error::io(path, e))
}

fn lost(path: &Path, entry: &EditionEntry, why: &str) -> Error {
    Error::hint(
        format!("{}: {}: {why}", entry.work, path.display()),
        format!(
            "make it again from its source: `nyaya corpus build {} --from FILE`, FILE being {}; without --from it is fetched, where it can be. Other statutes are not touched",
            entry.work, entry.source_file
        ),
    )
}

/// Writes beside the target, syncs, renames, syncs the folder: whole or not there.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|e| Error::io(folder, e))?;
    file.write_all(bytes).map_err(|e| Error::io(path, e))?;
    file.as_file().sync_all().map_err(|e| Error::io(path, e))?;
    file.persist(path).map_err(|e| Error::io(path, e.error))?;
    sync_dir(folder)
}

pub(crate) fn sync_dir(folder: &Path) -> Result<()> {
    File::open(folder).and_then(|f| f.sync_all()).map_err(|e| Error::io(folder, e))
}

/// Name of the passages and vectors of an edition: same text, same cutting, same embedder.
pub(crate) fn part_key(edition_file: &str, spans: &[Span], embedder: &Identity, heads: &[String]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(edition_file);
    for value in [serde_json::to_vec(spans), serde_json::to_vec(embedder), serde_json::to_vec(heads)] {
        hasher.update(value.unwrap_or_default());
    }
    let hash = hex::encode(hasher.finalize());
    hash.get(..24).unwrap_or(&hash).to_owned()
}

/// The place of a passage.
pub(crate) fn span(passage: &Passage) -> Span {
    Span { unit: passage.id.unit.clone(), start: passage.range.start, end: passage.range.end }
}
