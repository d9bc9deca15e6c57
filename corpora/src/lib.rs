//! What the law *is*: names of provisions, provisions and passages, manifests, and the citation grammar with
//! its verifier. No async, no network, no models, no indexes.

pub mod citation;
pub mod concordance;
pub mod export;
pub mod id;
pub mod lookup;
pub mod manifest;
pub mod numerals;
pub mod pinpoint;
pub mod provision;
pub mod statutes;

pub use concordance::Concordance;
pub use id::{EditionTag, IdError, Number, ProvisionId, Unit, WorkId};
pub use lookup::{EditionInfo, MemoryLookup, ProvisionLookup, WithNumbers};
pub use manifest::{Catalogue, Manifest, ManifestError, UnitName, WorkKind};
pub use provision::{
    Annotation, AnnotationKind, Diagnostic, Edition, Passage, Pinpoint, Provision, Severity, SourceRef,
    Status, StruckDown,
};
