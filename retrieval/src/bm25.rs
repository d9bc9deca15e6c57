//! BM25 over passages, in Tantivy. Derived from the canonical store; `nyaya kb rebuild` makes it again.

use std::collections::HashMap;
use std::path::Path;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, ConstScoreQuery, Occur, Query, TermQuery, TermSetQuery};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{Index, IndexReader, ReloadPolicy, TantivyError, Term, doc};

use crate::analyzer;
use crate::error::{Error, Result};
use crate::seal::Seals;

/// Weight of title, part and chapter against body and heading: enough for a query that names a chapter to favour it,
/// too little to lift provisions that only stand in it.
const PLACE_WEIGHT: f32 = 0.3;

/// Name of the index's folder in a generation.
pub(crate) const FOLDER: &str = "tantivy";

/// A passage as it is indexed.
pub(crate) struct Entry<'a> {
    /// Its number in the generation.
    pub key: u64,
    /// Its edition, as the filter names it.
    pub edition: &'a str,
    /// Heading of its provision.
    pub heading: &'a str,
    /// Title of the statute, part, chapter.
    pub place: &'a str,
    /// Its words.
    pub body: &'a str,
}

#[derive(Clone, Copy)]
struct Fields {
    key: Field,
    edition: Field,
    heading: Field,
    place: Field,
    body: Field,
}

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let words = TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(analyzer::NAME)
            .set_index_option(IndexRecordOption::WithFreqs),
    );
    let fields = Fields {
        key: builder.add_u64_field("key", FAST | STORED | INDEXED),
        edition: builder.add_text_field("edition", STRING),
        heading: builder.add_text_field("heading", words.clone()),
        place: builder.add_text_field("place", words.clone()),
        body: builder.add_text_field("body", words),
    };
    (builder.build(), fields)
}

fn fault(e: impl std::fmt::Display) -> Error {
    Error::backend("Tantivy", e)
}

/// Writes the index of a generation.
///
/// # Errors
/// If the folder cannot be written.
pub(crate) fn build<'a>(folder: &Path, entries: impl IntoIterator<Item = Entry<'a>>) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let (schema, fields) = schema();
    let index = Index::create_in_dir(folder, schema).map_err(fault)?;
    index.tokenizers().register(analyzer::NAME, analyzer::analyzer());
    // One thread and one commit: one segment, and the same numbers in every build.
    let mut writer = index.writer_with_num_threads(1, 64 << 20).map_err(fault)?;
    for entry in entries {
        writer
            .add_document(doc!(
                fields.key => entry.key,
                fields.edition => entry.edition,
                fields.heading => entry.heading,
                fields.place => entry.place,
                fields.body => entry.body,
            ))
            .map_err(fault)?;
    }
    writer.commit().map_err(fault)?;
    writer.wait_merging_threads().map_err(fault)
}

fn reader(folder: &Path) -> Result<IndexReader, TantivyError> {
    let index = Index::open_in_dir(folder)?;
    index.tokenizers().register(analyzer::NAME, analyzer::analyzer());
    index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()
}

/// An index opened for reading.
pub(crate) struct Bm25 {
    reader: IndexReader,
    // Of an index that lies in a folder nobody may write; dropped after the reader.
    _copy: Option<tempfile::TempDir>,
    fields: Fields,
}

impl Bm25 {
    /// Opens the index of a generation.
    ///
    /// # Errors
    /// If it is absent or damaged.
    pub fn open(folder: &Path, seals: &Seals) -> Result<Self> {
        crate::seal::check(folder, seals, folder)?;
        let damaged = |e: tantivy::TantivyError| {
            Error::hint(
                format!("{}: the BM25 index cannot be opened: {e}", folder.display()),
                "run `nyaya kb rebuild`; the statutes themselves are not touched",
            )
        };
        let (reader, copy) = match reader(folder) {
            // A reader takes a lock for a moment, which a folder that nobody may write does not allow.
            Err(TantivyError::LockFailure(..)) => {
                let copy = tempfile::Builder::new()
                    .prefix("nyaya-words-")
                    .tempdir()
                    .map_err(|e| Error::io("temporary folder", e))?;
                for name in seals.keys() {
                    let source = folder.join(name);
                    std::fs::copy(&source, copy.path().join(name)).map_err(|e| Error::io(&source, e))?;
                }
                (reader(copy.path()).map_err(damaged)?, Some(copy))
            }
            other => (other.map_err(damaged)?, None),
        };
        Ok(Self { reader, _copy: copy, fields: schema().1 })
    }

    /// Keys of the best passages with their scores, best first. `editions` empty means all.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn search(&self, text: &str, editions: &[String], limit: usize) -> Result<Vec<(u64, f32)>> {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for term in analyzer::terms(text) {
            *counts.entry(term).or_default() += 1;
        }
        if counts.is_empty() {
            return Ok(Vec::new());
        }
        let mut words: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for word in counts.keys() {
            for (field, boost) in
                [(self.fields.body, 1.0), (self.fields.heading, 1.0), (self.fields.place, PLACE_WEIGHT)]
            {
                let term = Term::from_field_text(field, word);
                let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
                words.push((Occur::Should, Box::new(BoostQuery::new(Box::new(query), boost))));
            }
        }
        let words: Box<dyn Query> = Box::new(BooleanQuery::new(words));
        let query: Box<dyn Query> = if editions.is_empty() {
            words
        } else {
            let terms = editions.iter().map(|e| Term::from_field_text(self.fields.edition, e));
            let only = ConstScoreQuery::new(Box::new(TermSetQuery::new(terms)), 0.0);
            Box::new(BooleanQuery::new(vec![(Occur::Must, words), (Occur::Must, Box::new(only))]))
        };
        let searcher = self.reader.searcher();
        let found =
            searcher.search(&query, &TopDocs::with_limit(limit.max(1)).order_by_score()).map_err(fault)?;
        let mut hits = Vec::with_capacity(found.len());
        for (score, address) in found {
            let segment = searcher.segment_reader(address.segment_ord);
            let column = segment.fast_fields().u64("key").map_err(fault)?;
            if let Some(key) = column.first(address.doc_id) {
                hits.push((key, score));
            }
        }
        // Equal scores in the order of the code, so that a result does not depend on the index's layout.
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(hits)
    }
}
