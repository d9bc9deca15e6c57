//! Whether a provision is about what a sentence cites it for: "theft under Section 302" is not.
//!
//! Judged is only a sentence that binds the name of one offence to one provision by its grammar, and only by the names
//! that the headings of the same edition give. The cited provision must be headed by another offence, and neither
//! its words nor those of the provisions that share its name may speak of the offence that was named. A denial, a
//! contrast, a question, a second name or a second provision near by, or an edition without headings leaves the
//! verdict as it was.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::Date;

use crate::citation::{Citation, Context, Extracted, Unresolved, Verdict};
use crate::concordance::Concordance;
use crate::id::{ProvisionId, Unit, WorkId};
use crate::lookup::{EditionInfo, ProvisionLookup};
use crate::manifest::{Catalogue, WorkKind};

use super::Verifier;
use names::{Table, Tongue};

mod chinese;
mod english;
mod names;
#[cfg(test)]
mod tests;

/// Nearest that another provision may stand on either side, in bytes.
const APART: usize = 80;
/// How far a sentence is read on either side of a citation, in bytes; one that is longer is not judged.
const REACH: usize = 600;
/// Most provisions that are named as those about the offence.
const POINTERS: usize = 2;

/// Takes the green from citations of a text that are bound to an offence which the provision is not about.
pub(in crate::citation) fn settle(
    text: &str,
    found: &[Extracted],
    citations: &mut [Citation],
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    context: &Context,
) {
    if !citations.iter().any(|c| c.verdict == Verdict::Verified) {
        return;
    }
    let verifier = Verifier {
        lookup,
        catalogue,
        context,
        concordance: Concordance::builtin(),
        plain: HashMap::new(),
        works: HashMap::new(),
        searches: 0,
        expanded: 0,
    };
    let mut tables: HashMap<(WorkId, Date), Arc<Table>> = HashMap::new();
    let alone = alone(found);
    for c in citations.iter_mut().filter(|c| c.verdict == Verdict::Verified) {
        let Some(neighbours) = alone.get(&c.span) else { continue };
        let Some(id) = c.id.clone().filter(|id| id.unit.is_numbered_provision()) else { continue };
        // Names of offences are law of substance; what procedure says of them is not about them.
        let substantive = catalogue.get(&id.work).is_some_and(|m| m.kind == WorkKind::Substantive);
        if !substantive || lookup.numbers_only(&id.work) {
            continue;
        }
        let Some((edition, covered)) = verifier.edition(&id.work) else { continue };
        let Some(tongue) = Tongue::of(&edition.language) else { continue };
        let binding = match tongue {
            Tongue::English => english::Binding::find(text, c.span).map(Bound::English),
            Tongue::Chinese => chinese::Binding::find(text, c.span).map(Bound::Chinese),
        };
        let Some(binding) = binding else { continue };
        let sentence = match &binding {
            Bound::English(b) => b.sentence,
            Bound::Chinese(b) => b.sentence,
        };
        if neighbours.near(c.span, sentence) {
            continue;
        }
        let table = tables
            .entry((edition.work.clone(), edition.version))
            .or_insert_with(|| Arc::new(Table::new(lookup, &edition, tongue)));
        let name = match &binding {
            Bound::English(b) => b.name(table),
            Bound::Chinese(b) => b.name(table),
        };
        let Some(name) = name else { continue };
        let Some(charge) = judge(lookup, &edition, table, &id, &name) else { continue };
        if covered {
            c.verdict = Verdict::Misgrounded;
            c.reason = charge;
        } else {
            // What it was about on the day is not known; the text that was looked up does not bear it out.
            c.verdict = Verdict::Unchecked;
            c.reason.push_str("; in that text: ");
            c.reason.push_str(&charge);
        }
    }
}

enum Bound<'a> {
    English(english::Binding<'a>),
    Chinese(chinese::Binding<'a>),
}

/// Where the provisions before and behind a citation end and begin.
#[derive(Debug, Clone, Copy)]
struct Neighbours {
    before: Option<usize>,
    after: Option<usize>,
}

impl Neighbours {
    /// Whether one of them stands near in the same sentence.
    fn near(&self, span: (usize, usize), sentence: (usize, usize)) -> bool {
        self.before.is_some_and(|end| end > sentence.0 && end + APART > span.0)
            || self.after.is_some_and(|start| start < sentence.1 && span.1 + APART > start)
    }
}

/// The spans that name one provision each, with their neighbours.
fn alone(found: &[Extracted]) -> HashMap<(usize, usize), Neighbours> {
    let mut groups: HashMap<usize, usize> = HashMap::new();
    let mut at: HashMap<(usize, usize), usize> = HashMap::new();
    for e in found {
        *groups.entry(e.group).or_insert(0) += 1;
        *at.entry(e.span).or_insert(0) += 1;
    }
    let provisions: Vec<&Extracted> =
        found.iter().filter(|e| e.unresolved != Some(Unresolved::Report)).collect();
    let mut before: Option<usize> = None;
    let mut spans = HashMap::new();
    for (n, e) in provisions.iter().enumerate() {
        let one = groups.get(&e.group) == Some(&1) && at.get(&e.span) == Some(&1);
        if one && e.until.is_none() && e.or.is_none() {
            let after = provisions.get(n + 1).map(|next| next.span.0);
            spans.insert(e.span, Neighbours { before, after });
        }
        before = before.max(Some(e.span.1));
    }
    spans
}

/// Why a provision cannot be what is meant by the name of an offence, if that is certain.
fn judge(
    lookup: &dyn ProvisionLookup,
    edition: &EditionInfo,
    table: &Table,
    id: &ProvisionId,
    name: &str,
) -> Option<String> {
    let get = |unit: &Unit| lookup.provision(&edition.work, edition.version, unit);
    let cited = get(&id.unit)?;
    let heading = cited.heading.clone()?;
    let about = table.named_by(name).filter(|units| !units.contains(&id.unit))?;
    // It must be about an offence itself: what is general serves every offence.
    let own = table.names_of(&cited);
    if own.is_empty() || table.defers(&cited) || table.mentions(&cited, name) {
        return None;
    }
    // So must all that has its name: murder is a kind of culpable homicide, which only the definition says.
    if table.kin(&cited).any(|unit| get(unit).is_none_or(|p| table.mentions(&p, name))) {
        return None;
    }
    // One that sends the reader to the other may be cited for it; not so a third that sends to both.
    let mut whole: Vec<&Unit> = about.iter().filter(|unit| !table.in_part(name, unit)).collect();
    if whole.is_empty() {
        whole = about.iter().collect();
    }
    let elsewhere = |unit: &Unit| {
        let p = get(unit);
        whole.iter().any(|other| *other != unit && p.as_ref().is_some_and(|p| table.refers(p, other)))
    };
    let related = whole.iter().any(|unit| {
        let back = get(unit).is_none_or(|p| table.refers(&p, &id.unit));
        table.refers(&cited, unit) || (back && !elsewhere(unit))
    });
    if related {
        return None;
    }
    let (mut first, others): (Vec<&Unit>, Vec<&Unit>) = whole.iter().partition(|unit| !elsewhere(unit));
    first.extend(others);
    let pointers: Vec<String> = first
        .iter()
        .take(POINTERS)
        .map(|unit| {
            let heading = get(unit).and_then(|p| p.heading.clone()).unwrap_or_default();
            format!("{} ({heading})", ProvisionId::new(id.work.clone(), (*unit).clone()))
        })
        .collect();
    Some(format!(
        "cited for {name}, but {} is \u{201c}{heading}\u{201d}; {name} is in {}",
        ProvisionId::new(id.work.clone(), id.unit.clone()),
        pointers.join(", ")
    ))
}
