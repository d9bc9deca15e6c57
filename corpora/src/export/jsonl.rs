//! One object a provision and line. Each carries its provenance, so that a line on its own still says what it is.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::Provenance;
use crate::provision::{Annotation, Edition, Pinpoint, SourceRef, Status, StruckDown};

/// A line: a provision with what a reader of tables needs (`number`, `heading`, `text`) and its provenance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The provision's name.
    pub id: crate::id::ProvisionId,
    /// Its number as a table has it: `302`, `133-1`; `preamble`, `sch7` for what has none of the code's numbers.
    pub number: String,
    /// Marginal note or article heading.
    pub heading: Option<String>,
    /// Part, chapter, group, from the outside in.
    pub breadcrumb: Vec<String>,
    /// The words of the law.
    pub text: String,
    /// Status in this version.
    pub status: Status,
    /// First day in force, where it differs from the version's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_force_from: Option<jiff::civil::Date>,
    /// First day on which it was no longer in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_force_until: Option<jiff::civil::Date>,
    /// A court's finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub struck_down: Option<StruckDown>,
    /// Notes kept apart from the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<Annotation>,
    /// Places inside, with byte ranges in `text`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pinpoints: Vec<Pinpoint>,
    /// Where it was read.
    pub source: SourceRef,
    /// Where the edition came from and how complete it is.
    pub provenance: Provenance,
}

pub(super) fn write(edition: &Edition, provenance: &Provenance, out: &mut dyn Write) -> io::Result<()> {
    for p in &edition.provisions {
        let number = match &p.id.unit {
            unit if unit.is_numbered_provision() => {
                unit.number().map(ToString::to_string).unwrap_or_default()
            }
            unit => unit.to_string(),
        };
        let line = Line {
            id: p.id.clone(),
            number,
            heading: p.heading.clone(),
            breadcrumb: p.breadcrumb.clone(),
            text: p.text.clone(),
            status: p.status,
            in_force_from: p.in_force_from,
            in_force_until: p.in_force_until,
            struck_down: p.struck_down.clone(),
            annotations: p.annotations.clone(),
            pinpoints: p.pinpoints.clone(),
            source: p.source.clone(),
            provenance: provenance.clone(),
        };
        serde_json::to_writer(&mut *out, &line)?;
        writeln!(out)?;
    }
    Ok(())
}
