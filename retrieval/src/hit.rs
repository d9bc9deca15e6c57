//! What a search takes and gives.

use std::ops::Range;

use async_trait::async_trait;
use jiff::civil::Date;
use nyaya_corpora::{ProvisionId, ProvisionLookup, Status, StruckDown, WorkId};
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// How passages are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Words only.
    Bm25,
    /// Meaning only.
    Dense,
    /// Both, their scores combined by provision.
    #[default]
    Hybrid,
}

/// A search.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Query {
    /// The words.
    pub text: String,
    /// How many hits, at most one per provision.
    pub k: usize,
    /// How to find them.
    pub mode: Mode,
    /// Only these works; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub works: Vec<WorkId>,
    /// Only works of this jurisdiction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jurisdiction: Option<String>,
    /// Only provisions in force on this day; absent means the newest version held of each work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Date>,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The provision.
    pub id: ProvisionId,
    /// Version of its edition.
    pub version: Date,
    /// Language of its edition, BCP 47.
    pub language: String,
    /// Rank in the result, from 1.
    pub rank: usize,
    /// Fused score; comparable inside one result only.
    pub score: f32,
    /// The query named this provision, so it stands before what the scores found.
    pub exact: bool,
    /// Rank among the BM25 candidates, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bm25_rank: Option<usize>,
    /// Rank among the dense candidates, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dense_rank: Option<usize>,
    /// Title of the statute in the language of the text.
    pub title: String,
    /// Part and chapter, from the outside in.
    pub breadcrumb: Vec<String>,
    /// Heading of the provision.
    pub heading: Option<String>,
    /// Status in that version.
    pub status: Status,
    /// First day on which the statute was no longer in force, if it was repealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repealed_on: Option<Date>,
    /// A court's finding, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub struck_down: Option<StruckDown>,
    /// Byte range of the passage in the provision's text.
    pub range: Range<usize>,
    /// The passage, verbatim.
    pub text: String,
}

/// Something that can be searched; agents know the knowledge base as this.
#[async_trait]
pub trait Retrieve: Send + Sync {
    /// The best passages, best first, at most one a provision.
    ///
    /// # Errors
    /// If an index or the embedder fails; never because nothing was found.
    async fn search(&self, query: &Query) -> Result<Vec<Hit>, Error>;

    /// The provisions behind the hits.
    fn lookup(&self) -> &dyn ProvisionLookup;

    /// Name of what is searched, for the record: equal names find equal things. The [`crate::Generation::content`] of a
    /// knowledge base.
    fn snapshot(&self) -> String;
}
