//! Writing a knowledge base: the next generation, under a lock, resumable.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use nyaya_corpora::{Edition, Manifest, Passage, Provision, WorkId};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::analyzer;
use crate::assets::Progress;
use crate::bm25;
use crate::embed::{Embedder, Identity, Kind};
use crate::error::{Error, Result};
use crate::seal;
use crate::store::{self, EditionEntry, FORMAT, Generation, Layout, PASSAGES, Span, VECTORS};
use crate::vectors::{EdgeStore, Payload, Point, VectorStore};

/// Tokens of a passage at most, heading included. Half of what the model reads: sharper than whole sections,
/// and a hit still reads as a whole.
pub const PASSAGE_TOKENS: usize = 256;

/// Texts go to the embedder in batches of this many, sorted by length so that little is spent on padding.
const BATCH: usize = 16;

/// Folders of a generation that are made from texts and vectors.
const INDEXES: [&str; 2] = [bm25::FOLDER, EdgeStore::FOLDER];

/// Namespace of point ids.
const POINTS: Uuid = Uuid::from_u128(0x6e79_6179_612e_4b42_9d5c_0c1e_5f7a_2b31);

/// Words before a passage, for the embedder only: the heading. Titles and chapters are left out on purpose; they are
/// the same for hundreds of passages and draw short ones together (ARCHITECTURE.md has the figures).
#[must_use]
pub fn head(provision: &Provision) -> String {
    provision.heading.as_deref().map(|h| format!("{h}\n")).unwrap_or_default()
}

/// Where a provision stands, for BM25 only: the statute's title, part and chapter.
#[must_use]
pub fn place(title: &str, provision: &Provision) -> String {
    let mut parts: Vec<&str> = vec![title];
    parts.extend(provision.breadcrumb.iter().map(String::as_str));
    parts.join(" ")
}

/// Name of a point: work, version, language, unit, range and text.
#[must_use]
pub fn point_id(entry: &EditionEntry, span: &Span, text: &str) -> Uuid {
    let text = hex::encode(Sha256::digest(text));
    let name = format!("{}#{}:{}-{}:{text}", entry.key(), span.unit, span.start, span.end);
    Uuid::new_v5(&POINTS, name.as_bytes())
}

/// A date as `yyyymmdd`.
#[must_use]
pub fn day_number(date: Date) -> i64 {
    i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day())
}

/// An edition ready to be stored, with what the builder knows of it.
pub struct NewEdition<'a> {
    /// The text.
    pub edition: Edition,
    /// Its passages, in order.
    pub passages: Vec<Passage>,
    /// The manifest.
    pub manifest: &'a Manifest,
    /// See [`EditionEntry::build_key`].
    pub build_key: String,
    /// Sections or articles that the version has, if known.
    pub expected: Option<usize>,
    /// Of those, how many are absent.
    pub missing: usize,
    /// Errors and warnings found.
    pub findings: (usize, usize),
}

/// The outcome of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Committed {
    /// Number of the generation that is current now.
    pub generation: u64,
    /// Whether it is a new one.
    pub changed: bool,
}

/// The one writer of a knowledge base.
pub struct Writer {
    layout: Layout,
    _lock: File,
    base: Option<Generation>,
    entries: BTreeMap<(WorkId, Date, String), EditionEntry>,
}

impl Writer {
    /// Takes the lock. Readers are not disturbed.
    ///
    /// # Errors
    /// If another writer is at work, or the folder cannot be written.
    pub fn open(layout: Layout) -> Result<Self> {
        store::create_dir(layout.root())?;
        let path = layout.root().join("write.lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|e| Error::io(&path, e))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                return Err(Error::hint(
                    format!("{}: another nyaya is building this knowledge base", layout.root().display()),
                    "wait until it has finished, or use another folder with --kb; searching is possible meanwhile",
                ));
            }
            Err(fs::TryLockError::Error(e)) => return Err(Error::io(&path, e)),
        }
        let base = layout.current()?;
        let entries = base
            .iter()
            .flat_map(|g| g.editions.iter().cloned())
            .map(|e| ((e.work.clone(), e.version, e.language.clone()), e))
            .collect();
        let writer = Self { layout, _lock: lock, base, entries };
        writer.sweep()?;
        Ok(writer)
    }

    /// Removes what a killed writer left half-made, and the indexes of generations that no reader can be opening any
    /// more.
    fn sweep(&self) -> Result<()> {
        let folder = self.layout.generations();
        let Ok(entries) = fs::read_dir(&folder) else { return Ok(()) };
        let current = self.base.as_ref().map_or(0, |g| g.number);
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            match name.parse::<u64>() {
                Ok(number) if number > current => remove(&entry.path())?,
                // The one before stays for readers that read the pointer a moment ago.
                Ok(number) if number + 1 < current => {
                    for index in INDEXES {
                        remove(&entry.path().join(index))?;
                    }
                }
                Ok(_) => {}
                Err(_) if name.starts_with("tmp-") => remove(&entry.path())?,
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// The entry of a work that was built with this key, if the current generation has one and its files are whole.
    #[must_use]
    pub fn with_key(&self, work: &WorkId, build_key: &str) -> Option<&EditionEntry> {
        let found = self.entries.values().find(|e| &e.work == work && e.build_key == build_key)?;
        let dimension = self.base.as_ref()?.embedder.dimension;
        self.layout.is_whole(found, dimension).then_some(found)
    }

    /// Fails if the knowledge base was made with another embedder.
    ///
    /// # Errors
    /// Then; the hint says how to go on.
    pub fn check_embedder(&self, identity: &Identity) -> Result<()> {
        match &self.base {
            Some(base) => check_embedder(&self.layout, base, identity),
            None => Ok(()),
        }
    }

    /// Drops the editions of a work but this one; says whether there were others.
    pub fn keep_only(&mut self, work: &WorkId, version: Date, language: &str) -> bool {
        let before = self.entries.len();
        self.entries.retain(|(w, v, l), _| w != work || (*v == version && l == language));
        self.entries.len() < before
    }

    /// Stores an edition and embeds its passages; what was embedded before a kill is not embedded again.
    ///
    /// # Errors
    /// If the embedder fails or the folder cannot be written.
    pub async fn put(
        &mut self,
        new: NewEdition<'_>,
        embedder: &dyn Embedder,
        progress: &dyn Progress,
    ) -> Result<()> {
        let edition = &new.edition;
        let file = self.layout.store_edition(edition)?;
        let spans: Vec<Span> = new.passages.iter().map(store::span).collect();
        let title = new.manifest.native_title();
        let heads: Vec<String> =
            new.passages.iter().map(|p| edition.get(&p.id.unit).map_or_else(String::new, head)).collect();
        let part = store::part_key(&file, &spans, embedder.identity(), &heads);
        let texts: Vec<String> =
            new.passages.iter().zip(&heads).map(|(p, head)| format!("{head}{}", p.text)).collect();
        self.drop_altered(&part)?;
        self.embed_part(&part, &spans, texts, embedder, progress, edition.work.as_str()).await?;
        let folder = self.layout.part(&part);
        let entry = EditionEntry {
            work: edition.work.clone(),
            version: edition.version,
            language: edition.language.clone(),
            title: new.manifest.display_title().to_owned(),
            native_title: title.to_owned(),
            repealed_on: new.manifest.repealed_on,
            file,
            part,
            passages_sha256: seal::of_file(&folder.join(PASSAGES))?,
            vectors_sha256: seal::of_file(&folder.join(VECTORS))?,
            build_key: new.build_key,
            source: edition.source.clone(),
            source_file: edition.source_file.clone(),
            source_sha256: edition.source_sha256.clone(),
            complete: edition.complete,
            provisions: edition.provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).count(),
            schedules: edition
                .provisions
                .iter()
                .filter(|p| matches!(p.id.unit, nyaya_corpora::Unit::Schedule(_)))
                .count(),
            expected: new.expected,
            missing: new.missing,
            passages: spans.len(),
            findings: new.findings,
        };
        self.entries.insert((entry.work.clone(), entry.version, entry.language.clone()), entry);
        Ok(())
    }

    /// Takes an edition out.
    pub fn remove(&mut self, work: &WorkId, version: Date, language: &str) {
        self.entries.remove(&(work.clone(), version, language.to_owned()));
    }

    /// Removes the vectors of a part that are not those that were written.
    fn drop_altered(&self, part: &str) -> Result<()> {
        let path = self.layout.part(part).join(VECTORS);
        let Some(entry) = self.entries.values().find(|e| e.part == part) else { return Ok(()) };
        if path.exists() && seal::of_file(&path)? != entry.vectors_sha256 {
            tracing::warn!("{}: altered since it was built; the vectors are made again", path.display());
            fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
        }
        Ok(())
    }

    async fn embed_part(
        &self,
        part: &str,
        spans: &[Span],
        texts: Vec<String>,
        embedder: &dyn Embedder,
        progress: &dyn Progress,
        label: &str,
    ) -> Result<()> {
        let folder = self.layout.part(part);
        store::create_dir(&folder)?;
        let list = folder.join(PASSAGES);
        let json = serde_json::to_vec(spans).map_err(|e| Error::backend("JSON", e))?;
        if fs::read(&list).ok().as_deref() != Some(&json) {
            store::write_atomically(&list, &json)?;
        }
        let path = folder.join(VECTORS);
        let width = embedder.identity().dimension * 4;
        let order = by_length(&texts);
        let mut file =
            OpenOptions::new().create(true).append(true).open(&path).map_err(|e| Error::io(&path, e))?;
        let len = file.metadata().map_err(|e| Error::io(&path, e))?.len();
        // A kill can leave a torn vector at the end; whole ones before it are good, since each batch is synced.
        let whole = usize::try_from(len).unwrap_or(usize::MAX) / width;
        let mut done = whole.min(texts.len());
        file.set_len((done * width) as u64).map_err(|e| Error::io(&path, e))?;
        if done == texts.len() {
            return Ok(());
        }
        progress.begin(&format!("embedding {label}"), texts.len() as u64);
        progress.at(done as u64);
        while done < texts.len() {
            let batch: Vec<String> =
                order.iter().skip(done).take(BATCH).filter_map(|i| texts.get(*i).cloned()).collect();
            let count = batch.len();
            let vectors = embedder.embed(batch, Kind::Passage).await?;
            let mut bytes = Vec::with_capacity(count * width);
            for vector in &vectors {
                if vector.len() * 4 != width {
                    return Err(Error::backend("embedder", format!("a vector of {} values", vector.len())));
                }
                if !vector.iter().all(|x| x.is_finite()) {
                    return Err(Error::hint(
                        format!(
                            "embedder {}: a vector holds values that are no numbers",
                            embedder.identity().short()
                        ),
                        "the model's files or the endpoint are at fault; `nyaya doctor` checks the files",
                    ));
                }
                bytes.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
            }
            file.write_all(&bytes).map_err(|e| Error::io(&path, e))?;
            file.sync_data().map_err(|e| Error::io(&path, e))?;
            done += count;
            progress.at(done as u64);
        }
        progress.end();
        Ok(())
    }

    /// Makes what was put the current generation, with fresh indexes; nothing new means no new generation.
    ///
    /// # Errors
    /// If an index cannot be written; the generation before stays current.
    pub async fn commit(self, identity: &Identity, progress: &dyn Progress) -> Result<Committed> {
        let number = self.base.as_ref().map_or(0, |g| g.number);
        let generation = Generation {
            format: FORMAT,
            number,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            analyzer: analyzer::NAME.to_owned(),
            embedder: identity.clone(),
            passage_tokens: PASSAGE_TOKENS,
            editions: self.entries.values().cloned().collect(),
            indexes: self.base.as_ref().map(|g| g.indexes.clone()).unwrap_or_default(),
        };
        if self.base.as_ref() == Some(&generation) {
            return Ok(Committed { generation: number, changed: false });
        }
        let number = self.layout.numbers().last().copied().unwrap_or(0).max(number) + 1;
        self.write_generation(Generation { number, ..generation }, progress).await
    }

    /// Makes the indexes of the current generation again, as a new generation.
    ///
    /// # Errors
    /// If there is none, or an index cannot be written.
    pub async fn rebuild(self, progress: &dyn Progress) -> Result<Committed> {
        let Some(base) = self.base.clone() else {
            return Err(Error::hint(
                format!("{}: no generation to rebuild", self.layout.root().display()),
                "run `nyaya corpus build` first",
            ));
        };
        let number = base.number + 1;
        self.write_generation(Generation { number, analyzer: analyzer::NAME.to_owned(), ..base }, progress)
            .await
    }

    /// Makes the indexes of a generation again in its own place; the current one stays current.
    ///
    /// # Errors
    /// If they cannot be made or written.
    pub async fn restore(&self, generation: Generation, progress: &dyn Progress) -> Result<Generation> {
        let target = self.layout.generation(generation.number);
        let (work, generation) = self.index(generation, progress).await?;
        for index in INDEXES {
            let place = target.join(index);
            remove(&place)?;
            fs::rename(work.join(index), &place).map_err(|e| Error::io(&place, e))?;
        }
        // Their seals last: a kill before leaves indexes that do not match, and they are made again.
        Layout::write_generation(&target, &generation)?;
        remove(&work)?;
        progress.end();
        Ok(generation)
    }

    async fn write_generation(&self, generation: Generation, progress: &dyn Progress) -> Result<Committed> {
        let (work, generation) = self.index(generation, progress).await?;
        let target = self.layout.generation(generation.number);
        fs::rename(&work, &target).map_err(|e| Error::io(&target, e))?;
        store::sync_dir(&self.layout.generations())?;
        self.layout.set_current(generation.number)?;
        progress.end();
        Ok(Committed { generation: generation.number, changed: true })
    }

    /// Makes the indexes of a generation in a folder of their own, with all that belongs beside them.
    async fn index(
        &self,
        mut generation: Generation,
        progress: &dyn Progress,
    ) -> Result<(PathBuf, Generation)> {
        let folder = self.layout.generations();
        store::create_dir(&folder)?;
        let work = folder.join(format!("tmp-{:06}", generation.number));
        store::create_dir(&work)?;
        let passages = crate::kb::load_passages(&self.layout, &generation)?;
        let free = fs4::available_space(&folder).map_err(|e| Error::io(&folder, e))?;
        let wanted = room_for(passages.len(), generation.embedder.dimension);
        if free < wanted {
            return Err(Error::hint(
                format!(
                    "{}: {} MB are free, the indexes need up to {} MB",
                    self.layout.root().display(),
                    free >> 20,
                    wanted >> 20
                ),
                "free some disk space and run the same command again; nothing is lost",
            ));
        }
        progress.begin("indexing", passages.len() as u64);
        bm25::build(
            &work.join(bm25::FOLDER),
            passages.iter().enumerate().map(|(key, p)| bm25::Entry {
                key: key as u64,
                edition: &p.edition_key,
                heading: &p.heading,
                place: &p.place,
                body: p.text(),
            }),
        )?;
        let vectors = EdgeStore::create(&work.join(EdgeStore::FOLDER), generation.embedder.dimension)?;
        let mut done = 0;
        for entry in &generation.editions {
            let points = points_of(&self.layout, entry, &generation, &passages)?;
            for chunk in points.chunks(512) {
                vectors.upsert(chunk.to_vec()).await?;
                done += chunk.len();
                progress.at(done as u64);
            }
        }
        vectors.seal().await?;
        drop(vectors);
        generation.indexes = INDEXES
            .into_iter()
            .map(|index| Ok((index.to_owned(), seal::of_folder(&work.join(index))?)))
            .collect::<Result<_>>()?;
        Layout::write_generation(&work, &generation)?;
        Ok((work, generation))
    }
}

/// Removes a folder, which may be absent.
fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(folder, e)),
        _ => Ok(()),
    }
}

/// Bytes of disk that indexing these passages may need. Qdrant writes through mapped files, so a disk that fills under it
/// ends the program with a signal instead of an error: room is looked for before. Measured: 13 MB for 3,187 passages of 384
/// values; twice that while segments are merged, and 32 MB for logs.
fn room_for(passages: usize, dimension: usize) -> u64 {
    let each = 4 * dimension as u64 + 4096;
    2 * passages as u64 * each + (32 << 20)
}

/// Longest last, ties in the order of the code: little padding, and the same order in every build.
fn by_length(texts: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|i| (texts.get(*i).map_or(0, String::len), *i));
    order
}

pub(crate) fn check_embedder(layout: &Layout, generation: &Generation, identity: &Identity) -> Result<()> {
    if &generation.embedder == identity {
        return Ok(());
    }
    Err(Error::hint(
        format!(
            "{}: its vectors were made with {}, this embedder is {}",
            layout.root().display(),
            generation.embedder.short(),
            identity.short()
        ),
        "use the embedder it was made with, or build another knowledge base: `nyaya --kb NEW_FOLDER corpus build`; `--mode bm25` works without an embedder",
    ))
}

/// The points of an edition: vectors as stored, ordered by length, back in the order of the code.
pub(crate) fn points_of(
    layout: &Layout,
    entry: &EditionEntry,
    generation: &Generation,
    passages: &[crate::kb::Loaded],
) -> Result<Vec<Point>> {
    let own: Vec<&crate::kb::Loaded> = passages.iter().filter(|p| p.edition_key == entry.key()).collect();
    let texts: Vec<String> = own.iter().map(|p| format!("{}{}", p.head, p.text())).collect();
    let vectors = numbers(&layout.load_vectors(entry)?, generation.embedder.dimension);
    if vectors.len() != own.len() {
        return Err(Error::hint(
            format!("{}: {} vectors for {} passages", entry.work, vectors.len(), own.len()),
            format!("run `nyaya corpus build {}` again", entry.work),
        ));
    }
    let order = by_length(&texts);
    let mut points = Vec::with_capacity(own.len());
    for (index, vector) in order.into_iter().zip(vectors) {
        let Some(passage) = own.get(index) else { continue };
        let from = passage.provision.in_force_from.unwrap_or(entry.version);
        let until = passage.provision.in_force_until.or(entry.repealed_on).map_or(99_999_999, day_number);
        points.push(Point {
            id: passage.point,
            vector,
            payload: Payload {
                edition: entry.key(),
                work: entry.work.to_string(),
                jurisdiction: entry.work.jurisdiction().to_owned(),
                unit: passage.span.unit.to_string(),
                version: day_number(entry.version),
                language: entry.language.clone(),
                status: serde_json::to_value(passage.provision.status)
                    .ok()
                    .and_then(|v| v.as_str().map(str::to_owned))
                    .unwrap_or_default(),
                from: day_number(from),
                until,
                start: i64::try_from(passage.span.start).unwrap_or(i64::MAX),
                end: i64::try_from(passage.span.end).unwrap_or(i64::MAX),
            },
        });
    }
    Ok(points)
}

fn numbers(bytes: &[u8], dimension: usize) -> Vec<Vec<f32>> {
    let floats: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    floats.chunks_exact(dimension.max(1)).map(<[f32]>::to_vec).collect()
}
