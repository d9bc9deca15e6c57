//! Looking citations up on the day that governs.
//!
//! The rules, in this order: what has no work, or a work without text, is `unchecked`. A number that no edition
//! has is `not_found` (if the edition is complete). A real number that had not begun, or had ended, on the day
//! is `not_yet_in_force` or `repealed`, whatever the place inside it. A place that the provision does not have
//! is `pinpoint_not_found`. What remains is `verified`.
//!
//! A day before every edition held: the facts of the manifest and of the provision decide whether it was law.
//! Without such facts a whole provision with a plain number counts as `verified` with a reason that names the
//! edition used, since acts give new provisions letters or 之; a lettered number, an omitted row, or a place
//! inside stays `unchecked`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::Date;

use crate::concordance::Concordance;
use crate::id::{Number, ProvisionId, Unit, WorkId};
use crate::lookup::{EditionInfo, ProvisionLookup};
use crate::manifest::{Catalogue, Grammar, Manifest, Version, WorkKind};
use crate::pinpoint::pinpoints;
use crate::provision::{Pinpoint, Provision, Status, StruckDown};

use super::quote::Plain;
use super::{Citation, Context, Extracted, Reading, Unresolved, Verdict};

mod absent;
mod dates;
mod grounds;
mod place;
mod quotes;

pub(in crate::citation) use grounds::settle;
pub(crate) use place::resolve;

/// Most provisions that all ranges of one call are expanded to; later ranges keep their ends only.
const EXPANDED: usize = 50_000;
/// Most provisions a range is expanded to.
const LONGEST_RANGE: usize = 2000;

/// Looks citations up, with the concordance that comes with the program. What they are cited for is told by the words
/// around them, which only [`super::report`] has.
#[must_use]
pub fn verify(
    found: &[Extracted],
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    context: &Context,
) -> Vec<Citation> {
    verify_with(found, lookup, catalogue, context, Concordance::builtin())
}

/// Looks citations up, with this concordance for successors.
#[must_use]
pub fn verify_with(
    found: &[Extracted],
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    context: &Context,
    concordance: &Concordance,
) -> Vec<Citation> {
    let mut v = Verifier {
        lookup,
        catalogue,
        context,
        concordance,
        plain: HashMap::new(),
        works: HashMap::new(),
        searches: 0,
        expanded: 0,
    };
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(first) = found.get(at) {
        let group = found.iter().skip(at).take_while(|e| e.group == first.group).count().max(1);
        let members = found.get(at..at + group).unwrap_or_default();
        let start = out.len();
        let mut read = None;
        for e in members {
            // The second of `4-1`, which was one provision.
            if read == Some(e.span) && e.or.is_none() {
                continue;
            }
            if v.by_parts(e, &mut out) {
                read = Some(e.span);
            } else {
                v.one(e, &mut out);
            }
        }
        if let Some(new) = out.get_mut(start..) {
            v.quotes(members, new);
        }
        at += group;
    }
    out
}

/// Checks an id, at its edition if it names one.
pub(super) fn verify_id(
    raw: &str,
    id: &ProvisionId,
    lookup: &dyn ProvisionLookup,
    catalogue: &Catalogue,
    context: &Context,
) -> Citation {
    let mut context = context.clone();
    if let Some(edition) = &id.edition {
        context.as_of = Some(edition.version);
        context.proceeding = None;
    }
    let e = Extracted {
        span: (0, raw.len()),
        raw: raw.to_owned(),
        work: Some(id.work.clone()),
        unit: Some(id.unit.clone()),
        pins: id.pins.clone(),
        or: None,
        until: None,
        group: 1,
        unresolved: None,
        quotes: Vec::new(),
    };
    if let Some(tag) = &id.edition {
        let held = lookup.editions(&id.work);
        if !held.iter().any(|h| h.version == tag.version && h.language == tag.language) {
            return blank(
                &e,
                Some(id.clone()),
                Verdict::Unchecked,
                format!("the edition {tag} is not in the knowledge base"),
            );
        }
    }
    let mut all = verify(std::slice::from_ref(&e), lookup, catalogue, &context);
    match all.pop() {
        Some(mut citation) => {
            // An id that was accepted keeps its edition.
            if let (Some(found), Some(tag)) = (&mut citation.id, &id.edition) {
                found.edition = Some(tag.clone());
            }
            citation
        }
        None => blank(&e, Some(id.clone()), Verdict::Unchecked, "not looked up".to_owned()),
    }
}

/// A court's finding on a provision, if it was made by the day that governs.
fn finding(
    own: Option<&StruckDown>,
    manifest: Option<&Manifest>,
    unit: &Unit,
    day: Option<Date>,
) -> Option<StruckDown> {
    let listed = || {
        let number = unit.number().filter(|_| unit.is_numbered_provision())?;
        manifest?.struck_down.iter().find(|s| &s.number == number).map(|s| &s.finding)
    };
    own.or_else(listed).filter(|found| day.is_none_or(|day| found.date <= day)).cloned()
}

fn blank(e: &Extracted, id: Option<ProvisionId>, verdict: Verdict, reason: String) -> Citation {
    Citation {
        span: e.span,
        raw: e.raw.clone(),
        id,
        verdict,
        successor: Vec::new(),
        range: None,
        reason,
        struck_down: None,
        quoted: Vec::new(),
    }
}

struct Verifier<'a> {
    lookup: &'a dyn ProvisionLookup,
    catalogue: &'a Catalogue,
    context: &'a Context,
    concordance: &'a Concordance,
    /// Normalised texts by work, version and unit.
    plain: HashMap<(WorkId, Date, Unit), Arc<Plain>>,
    /// Units and their normalised texts, for whole-work searches.
    works: HashMap<(WorkId, Date), Arc<WorkText>>,
    searches: usize,
    expanded: usize,
}

/// The normalised texts of a work in its order.
type WorkText = Vec<(Unit, Arc<Plain>)>;

/// Where a place was found.
enum Place {
    Found(Vec<String>),
    Absent(String),
}

impl Verifier<'_> {
    /// The day that governs a work: the proceeding's for procedure, evidence and constitutions.
    fn day(&self, manifest: Option<&Manifest>) -> Option<Date> {
        match manifest.map(|m| m.kind) {
            Some(WorkKind::Procedure | WorkKind::Evidence | WorkKind::Constitution) => {
                self.context.proceeding.or(self.context.as_of)
            }
            _ => self.context.as_of,
        }
    }

    fn edition(&self, work: &WorkId) -> Option<(EditionInfo, bool)> {
        let manifest = self.catalogue.get(work);
        let editions = self.lookup.editions(work);
        match self.day(manifest) {
            Some(day) => {
                // After its repeal a work is read as it last was.
                let last = manifest.and_then(|m| m.repealed_on).and_then(|d| d.yesterday().ok());
                let day = last.map_or(day, |l| day.min(l));
                self.lookup.edition_at(work, day)
            }
            None => editions.last().cloned().map(|e| (e, false)),
        }
    }

    /// `4-1`, where the work has such a number: one provision, and no range. Whether it was read so.
    fn by_parts(&mut self, e: &Extracted, out: &mut Vec<Citation>) -> bool {
        let (Some(work), Some(unit), Some(or)) = (&e.work, &e.unit, &e.or) else { return false };
        let part = |u: &Unit| u.number().is_some_and(|n| n.sub.is_some());
        // A place beside it that was not read stays so; only that of the dash itself is answered here.
        let beside = matches!(e.unresolved, Some(Unresolved::Place(a, b)) if (a, b) != e.span);
        // `12-5-3`: more of a number than was read.
        let longer = e.raw.chars().filter(|c| matches!(c, '-' | '–' | '—' | '‑')).count() > 1;
        if part(unit) || !part(&or.unit) || beside || longer {
            return false;
        }
        let id = ProvisionId::new(work.clone(), or.unit.clone()).with_pins(or.pins.clone());
        let whole = self.exists_anywhere(work, unit);
        if !self.exists_anywhere(work, &or.unit) {
            // Where all numbers of that part are such, it is one that is absent.
            let parts = self.edition(work).is_some_and(|(edition, _)| {
                let base = |u: &Unit| u.number().map(|n| n.base);
                let units = self.lookup.units(work, edition.version);
                units.iter().any(|u| part(u) && base(u) == base(unit))
            });
            if whole || !parts {
                return false;
            }
        } else if whole && e.until.as_ref().is_some_and(|to| self.exists_anywhere(work, to)) {
            let reason = format!("may be {} or a range", id.provision());
            out.push(blank(e, Some(id.provision()), Verdict::Unchecked, reason));
            return true;
        }
        out.push(self.check(e, id));
        true
    }

    fn one(&mut self, e: &Extracted, out: &mut Vec<Citation>) {
        if let Some(Unresolved::Place(from, to)) = e.unresolved {
            let inside = from.checked_sub(e.span.0).zip(to.checked_sub(e.span.0));
            let words = inside.and_then(|(a, b)| e.raw.get(a..b)).unwrap_or(&e.raw);
            let id = e.work.clone().zip(e.unit.clone()).map(|(work, unit)| ProvisionId::new(work, unit));
            let reason = format!("a place inside it is named that could not be read: `{words}`");
            out.push(blank(e, id, Verdict::Unchecked, reason));
            return;
        }
        let (Some(work), Some(unit)) = (&e.work, &e.unit) else {
            let reason = match e.unresolved {
                Some(Unresolved::OtherAct) => "of an act that is not in the catalogue",
                Some(Unresolved::NoAntecedent) => {
                    "refers back to something that this paragraph does not name"
                }
                Some(Unresolved::Unclear) => "names no act, and an act named beside it may be meant",
                Some(Unresolved::Roman) => "numbered in Roman numerals, as no statute of the catalogue is",
                Some(Unresolved::OddPlace) => {
                    "names a place inside the provision in a way that is not understood"
                }
                Some(Unresolved::Bare) => {
                    "a number beside the name of an act, which may count or label something else"
                }
                Some(Unresolved::TooLong) => "the rest of a list that is too long to be read",
                Some(Unresolved::Name) => "written like the name of a provision, and none",
                Some(Unresolved::Report) => "a law report; decisions are not checked",
                Some(Unresolved::NoAct | Unresolved::Place(..)) | None => "names no act, and none is implied",
            };
            // A range of an act that is not known still names that many provisions.
            let times = match (&e.unit, &e.until) {
                (Some(from), Some(to)) => match (from.number(), to.number()) {
                    (Some(a), Some(b)) if b.base > a.base && b.base - a.base < 100 => {
                        (b.base - a.base + 1) as usize
                    }
                    _ => 2,
                },
                _ => 1,
            };
            let times = if self.expanded < EXPANDED { times } else { times.min(2) };
            self.expanded += times;
            for _ in 0..times {
                out.push(blank(e, None, Verdict::Unchecked, reason.to_owned()));
            }
            return;
        };
        // What lies in a range that runs backwards, and whether its ends are meant, is not said.
        if let Some(to) = e.until.as_ref().filter(|to| to.number() < unit.number()) {
            for end in [unit, to] {
                let id = ProvisionId::new(work.clone(), end.clone());
                let reason = "an end of a range that runs backwards".to_owned();
                out.push(blank(e, Some(id), Verdict::Unchecked, reason));
            }
            return;
        }
        let id = ProvisionId::new(work.clone(), unit.clone()).with_pins(e.pins.clone());
        if self.lookup.editions(work).is_empty() {
            let manifest = self.catalogue.get(work);
            let title = manifest.map_or(work.as_str(), Manifest::display_title);
            let reason = format!("the text of the {title} is not in the knowledge base");
            let day = self.day(manifest);
            let units = match &e.until {
                Some(to) if self.expanded >= EXPANDED => vec![unit.clone(), to.clone()],
                Some(to) => self.expected_between(work, unit, to),
                None => vec![unit.clone()],
            };
            self.expanded += units.len();
            for unit in units {
                let struck_down = finding(None, manifest, &unit, day);
                let mut reason = reason.clone();
                let listed = manifest.and_then(|m| m.versions.last().map(|v| (m, v)));
                if let Some((m, v)) = listed.filter(|(_, v)| !v.expected.is_empty())
                    && !has(v, m, &unit)
                {
                    reason.push_str(&format!(
                        "; its list of numbers ({}) does not have it",
                        v.expected.join(", ")
                    ));
                }
                let id = ProvisionId::new(work.clone(), unit).with_pins(e.pins.clone());
                out.push(Citation { struck_down, ..blank(e, Some(id), Verdict::Unchecked, reason) });
            }
            return;
        }
        let Some((edition, _)) = self.edition(work) else {
            out.push(blank(e, Some(id), Verdict::Unchecked, "no edition is held".to_owned()));
            return;
        };
        if let Some(to) = &e.until {
            let units = if self.expanded < EXPANDED {
                self.between(&edition, unit, to)
            } else {
                vec![unit.clone(), to.clone()]
            };
            self.expanded += units.len();
            // What lies between is certain only if both ends are.
            let absent = [unit, to].into_iter().find(|end| !self.exists_anywhere(work, end));
            for inner in units {
                let id = ProvisionId::new(work.clone(), inner.clone());
                match absent.filter(|_| &inner != unit && &inner != to) {
                    Some(end) => {
                        let reason = format!("inside a range that {end} ends, which the work does not have");
                        out.push(blank(e, Some(id), Verdict::Unchecked, reason));
                    }
                    None => out.push(self.check(e, id)),
                }
            }
            return;
        }
        // `304-II`: a lettered section where one exists in any edition, else a limb of the section.
        if let Some(or) = &e.or {
            if &or.unit == unit {
                // `304(II)`: a limb where the section has no such clause.
                let held = self.lookup.provision(work, edition.version, unit);
                let manifest = self.catalogue.get(work);
                let other = ProvisionId::new(work.clone(), or.unit.clone()).with_pins(or.pins.clone());
                let limb = held.is_some_and(|p| {
                    matches!(self.place(&p, &id, manifest), Place::Absent(_))
                        && matches!(self.place(&p, &other, manifest), Place::Found(_))
                });
                out.push(self.check(e, if limb { other } else { id }));
                return;
            }
            if !e.pins.is_empty() && self.exists_anywhere(work, unit) && self.exists_anywhere(work, &or.unit)
            {
                self.clause_or_letter(e, or, id, &edition, out);
                return;
            }
            if !self.exists_anywhere(work, unit) {
                let other = ProvisionId::new(work.clone(), or.unit.clone()).with_pins(or.pins.clone());
                if self.exists_anywhere(work, &or.unit) {
                    out.push(self.check(e, other));
                    return;
                }
            }
        }
        out.push(self.check(e, id));
    }

    /// `498(A)`: a clause of 498, or section 498A, both of which the work may have.
    fn clause_or_letter(
        &mut self,
        e: &Extracted,
        or: &Reading,
        id: ProvisionId,
        edition: &EditionInfo,
        out: &mut Vec<Citation>,
    ) {
        let manifest = self.catalogue.get(&id.work);
        let other = ProvisionId::new(id.work.clone(), or.unit.clone()).with_pins(or.pins.clone());
        let held = self.lookup.provision(&id.work, edition.version, &id.unit);
        let label = e.pins.first().cloned().unwrap_or_default();
        // Whether any place in it, however deep, has that label.
        let clause = held.is_some_and(|p| {
            let all = if p.pinpoints.is_empty() {
                Cow::Owned(pinpoints(&p.text, manifest.map_or(Grammar::IndianAct, |m| m.grammar)))
            } else {
                Cow::Borrowed(&p.pinpoints)
            };
            all.iter().any(|pin| pin.path.last().is_some_and(|l| l.eq_ignore_ascii_case(&label)))
        });
        if self.lookup.numbers_only(&id.work) || clause {
            let reason = format!("may be a place in {} or {}", id.provision(), other.provision());
            out.push(blank(e, Some(id.provision()), Verdict::Unchecked, reason));
            return;
        }
        out.push(self.check(e, other));
    }

    fn exists_anywhere(&self, work: &WorkId, unit: &Unit) -> bool {
        let held = self
            .lookup
            .editions(work)
            .iter()
            .any(|ed| self.lookup.provision(work, ed.version, unit).is_some());
        held || self.catalogue.get(work).is_some_and(|m| {
            m.versions.iter().any(|v| has(v, m, unit)) || m.commencements.iter().any(|c| &c.id.unit == unit)
        })
    }

    /// Units from one to another in the order of the edition; ends that it lacks are kept.
    fn between(&self, edition: &EditionInfo, from: &Unit, to: &Unit) -> Vec<Unit> {
        let units = self.lookup.units(&edition.work, edition.version);
        let place = |u: &Unit| units.iter().position(|x| x == u);
        let mut out: Vec<Unit> = match (place(from), place(to)) {
            (Some(a), Some(b)) if a <= b => units.get(a..=b).unwrap_or_default().to_vec(),
            _ => {
                let (low, high) = (from.number(), to.number());
                let mut inner: Vec<Unit> = units
                    .iter()
                    .filter(|u| {
                        std::mem::discriminant(*u) == std::mem::discriminant(from)
                            && u.number() >= low
                            && u.number() <= high
                    })
                    .cloned()
                    .collect();
                if inner.first() != Some(from) {
                    inner.insert(0, from.clone());
                }
                if inner.last() != Some(to) {
                    inner.push(to.clone());
                }
                inner
            }
        };
        out.truncate(LONGEST_RANGE);
        out
    }

    fn expected_between(&self, work: &WorkId, from: &Unit, to: &Unit) -> Vec<Unit> {
        let expected = self
            .catalogue
            .get(work)
            .and_then(|m| m.versions.last().map(|v| v.expected_units(m.unit)))
            .unwrap_or_default();
        let inside: Vec<Unit> = expected
            .into_iter()
            .filter(|u| u.number() >= from.number() && u.number() <= to.number())
            .collect();
        if inside.len() > 1 {
            return inside;
        }
        match (from, from.number(), to.number()) {
            (_, Some(a), Some(b)) if b.base > a.base && b.base - a.base < 100 => {
                let make = |n: u32| match from {
                    Unit::Article(_) => Unit::Article(Number::plain(n)),
                    _ => Unit::Section(Number::plain(n)),
                };
                let mut all: Vec<Unit> = (a.base..=b.base).map(make).collect();
                if let (Some(first), Some(last)) = (all.first().cloned(), all.last().cloned()) {
                    if &first != from {
                        all.retain(|u| u != &first);
                        all.insert(0, from.clone());
                    }
                    if &last != to {
                        all.push(to.clone());
                    }
                }
                all
            }
            _ => vec![from.clone(), to.clone()],
        }
    }

    fn check(&mut self, e: &Extracted, id: ProvisionId) -> Citation {
        let manifest = self.catalogue.get(&id.work);
        let day = self.day(manifest);
        let Some((edition, covered)) = self.edition(&id.work) else {
            return blank(e, Some(id), Verdict::Unchecked, "no edition is held".to_owned());
        };
        let title = manifest.map_or(id.work.as_str(), Manifest::display_title).to_owned();
        let Some(provision) = self.lookup.provision(&id.work, edition.version, &id.unit) else {
            return self.absent(e, id, &edition, manifest, day, &title);
        };
        let numbers_only = self.lookup.numbers_only(&id.work);
        let mut c = blank(e, Some(id.clone()), Verdict::Verified, String::new());
        c.struck_down = finding(provision.struck_down.as_ref(), manifest, &id.unit, day);
        let Some(day) = day else {
            if !id.pins.is_empty() && !numbers_only {
                match self.place(&provision, &id, manifest) {
                    Place::Found(pins) => {
                        if let Some(id) = &mut c.id {
                            id.pins = pins;
                        }
                    }
                    Place::Absent(reason) => {
                        c.verdict = Verdict::Unchecked;
                        c.reason = format!("{reason}; no date was given on which it should be law");
                        return c;
                    }
                }
            }
            c.verdict = Verdict::Unchecked;
            c.reason = format!("{title} has it, but no date was given on which it should be law");
            return c;
        };
        // The place first, so that `repealed` and `not yet` are said of something real.
        let gone = dates::is_gone(&provision);
        if !id.pins.is_empty() && !gone && !numbers_only {
            match self.place(&provision, &id, manifest) {
                Place::Found(pins) => {
                    if let Some(id) = &mut c.id {
                        id.pins = pins;
                    }
                }
                Place::Absent(reason) => {
                    let (verdict, reason) = if !edition.complete {
                        (Verdict::Unchecked, format!("{reason}; the source held is incomplete"))
                    } else if !covered && manifest.is_none_or(|m| m.in_force_from <= day) {
                        (
                            Verdict::Unchecked,
                            format!(
                                "{reason} in the text in force from {}, the oldest held; the text of {day} is not held",
                                edition.version
                            ),
                        )
                    } else {
                        (Verdict::PinpointNotFound, reason)
                    };
                    c.verdict = verdict;
                    c.reason = reason;
                    return c;
                }
            }
        }
        let cited = c.id.clone().unwrap_or(id);
        // The work as a whole.
        if let Some(m) = manifest {
            // Some provisions of a constitution begin before the rest.
            let early = m.commencements.iter().any(|x| {
                x.id.unit == cited.unit && x.id.pins.is_empty() && x.from.is_some_and(|from| from <= day)
            });
            if day < m.in_force_from && !early {
                c.verdict = Verdict::NotYetInForce;
                c.reason = format!("{title} came into force on {}", m.in_force_from);
                return c;
            }
            let over = m.repealed_on.filter(|end| day >= *end);
            if let Some(end) = over
                && !gone
                && (!numbers_only || cited.pins.is_empty())
            {
                self.repealed(&mut c, &cited, m, &format!("{title} ceased to be in force on {end}"));
                return c;
            }
            // Commencement of its own.
            for entry in m
                .commencements
                .iter()
                .filter(|x| x.id.unit == cited.unit && cited.pins.starts_with(&x.id.pins))
            {
                if entry.from.is_none_or(|from| from > day) {
                    c.verdict = Verdict::NotYetInForce;
                    c.reason = match entry.from {
                        Some(from) => format!("in force from {from}"),
                        None => "excepted from commencement".to_owned(),
                    };
                    if !entry.note.is_empty() {
                        c.reason.push_str("; ");
                        c.reason.push_str(&entry.note);
                    }
                    return c;
                }
            }
        }
        if let Some(from) = provision.in_force_from.filter(|from| *from > day) {
            c.verdict = Verdict::NotYetInForce;
            c.reason = format!("in force from {from}");
            return c;
        }
        if numbers_only && !cited.pins.is_empty() && !gone {
            c.verdict = Verdict::Unchecked;
            c.reason = format!(
                "{title} has {}; its text is not in the knowledge base, so the place inside it could not be looked up",
                cited.provision()
            );
            return c;
        }
        // A place inside that ended by itself.
        let over = manifest.and_then(|m| {
            let within = |x: &&crate::manifest::Commencement| {
                x.id.unit == cited.unit && !x.id.pins.is_empty() && cited.pins.starts_with(&x.id.pins)
            };
            let entry = m.commencements.iter().filter(within).find(|x| x.until.is_some_and(|u| u <= day))?;
            Some((entry.until?, entry.note.as_str()))
        });
        if let Some((until, note)) = over {
            c.verdict = Verdict::Repealed;
            c.reason = format!("no longer in force from {until}; {note}");
            return c;
        }
        let until = dates::until(&provision, manifest);
        if let Some(until) = until.filter(|until| *until <= day) {
            match manifest {
                Some(m) => self.repealed(&mut c, &cited, m, &format!("no longer in force from {until}")),
                None => {
                    c.verdict = Verdict::Repealed;
                    c.reason = format!("no longer in force from {until}");
                }
            }
            return c;
        }
        if gone {
            let listed = manifest.and_then(|m| {
                let v = m.versions.iter().rev().find(|v| v.from <= day)?;
                is_omitted(v, m, &cited.unit).then_some(v.from)
            });
            if let Some(from) = listed.filter(|_| !covered) {
                c.verdict = Verdict::Repealed;
                c.reason = format!("omitted in the version in force from {from}");
                return c;
            }
            if !covered && until.is_none() {
                c.verdict = Verdict::Unchecked;
                c.reason = format!(
                    "omitted in the text in force from {}, the oldest held; whether it was law on {day} is not known",
                    edition.version
                );
                return c;
            }
            if until.is_none_or(|until| until <= day) {
                let word = if provision.status == Status::Omitted { "omitted" } else { "repealed" };
                c.verdict = Verdict::Repealed;
                c.reason = format!("{word} from {title}, whose other provisions stayed");
                return c;
            }
            // It was law that day, or was not yet; what it said is not held.
            let mut c =
                if covered { c } else { self.before_all(c, &cited, &edition, manifest, &provision, day) };
            if c.verdict == Verdict::Verified {
                c.verdict = Verdict::Unchecked;
                c.reason = format!(
                    "the text held is of a later version, in force from {}, in which it is omitted or repealed; its text of {day} is not held",
                    edition.version
                );
            }
            return c;
        }
        if provision.status == Status::NotYetInForce && provision.in_force_from.is_none() {
            c.verdict = Verdict::NotYetInForce;
            c.reason = "enacted, not brought into force in this edition".to_owned();
            return c;
        }
        if !covered {
            return self.before_all(c, &cited, &edition, manifest, &provision, day);
        }
        c.reason = if numbers_only {
            format!(
                "by its number only: listed in the version in force from {}, whose text is not in the knowledge base",
                edition.version
            )
        } else {
            format!("in force on {day}, in the text in force from {}", edition.version)
        };
        if let Some(m) = manifest {
            let open: Vec<String> = m
                .commencements
                .iter()
                .filter(|x| {
                    x.id.unit == cited.unit
                        && x.id.pins.len() > cited.pins.len()
                        && x.id.pins.starts_with(&cited.pins)
                })
                .filter(|x| x.from.is_none_or(|from| from > day) || x.until.is_some_and(|until| until <= day))
                .map(|x| x.id.to_string())
                .collect();
            if !open.is_empty() {
                c.reason.push_str(&format!("; except {}, not in force", open.join(", ")));
            }
        }
        c
    }

    /// Finds a place inside a provision; gives its path as the provision has it.
    fn place(&self, provision: &Provision, id: &ProvisionId, manifest: Option<&Manifest>) -> Place {
        let computed;
        let pins: &[Pinpoint] = if provision.pinpoints.is_empty() {
            computed = pinpoints(&provision.text, manifest.map_or(Grammar::IndianAct, |m| m.grammar));
            &computed
        } else {
            &provision.pinpoints
        };
        match resolve(pins, &id.pins) {
            Ok(path) => Place::Found(path),
            Err(reason) => Place::Absent(reason),
        }
    }
}

fn has(version: &Version, manifest: &Manifest, unit: &Unit) -> bool {
    match unit {
        Unit::Schedule(_) => version.expected_schedules().contains(unit),
        Unit::Preamble => false,
        _ => version.expected_units(manifest.unit).contains(unit),
    }
}

fn is_omitted(version: &Version, manifest: &Manifest, unit: &Unit) -> bool {
    version.omitted_units(manifest.unit).contains(unit)
}
