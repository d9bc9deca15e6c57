//! Provisions that the edition looked in does not settle: numbers that it lacks, days before every edition held, and what
//! took the place of a repealed one.

use jiff::civil::Date;

use super::{Verifier, blank, has, is_omitted};
use crate::citation::{Citation, Extracted, Verdict};
use crate::id::{ProvisionId, Unit};
use crate::lookup::EditionInfo;
use crate::manifest::Manifest;
use crate::provision::Provision;

impl Verifier<'_> {
    /// The day lies before every edition held.
    pub(super) fn before_all(
        &self,
        mut c: Citation,
        id: &ProvisionId,
        edition: &EditionInfo,
        manifest: Option<&Manifest>,
        provision: &Provision,
        day: Date,
    ) -> Citation {
        let numbers_only = self.lookup.numbers_only(&id.work);
        let oldest = if numbers_only {
            format!(
                "by its number only: listed in the version in force from {}, the oldest listed, whose text is not in the knowledge base; whether it was law on {day} is not known",
                edition.version
            )
        } else {
            format!(
                "looked up in the text in force from {}, the oldest held; its wording on {day} may have been another",
                edition.version
            )
        };
        let from_fact = provision.in_force_from.is_some_and(|from| from <= day)
            || manifest.is_some_and(|m| {
                m.commencements
                    .iter()
                    .any(|x| x.id.unit == id.unit && x.id.pins.is_empty() && x.from.is_some_and(|f| f <= day))
            });
        let version = manifest.and_then(|m| {
            m.versions.iter().rev().find(|v| v.from <= day && !v.expected.is_empty()).map(|v| (m, v))
        });
        if let Some((m, v)) = version {
            if is_omitted(v, m, &id.unit) {
                c.verdict = Verdict::Repealed;
                c.reason = format!("omitted in the version in force from {}", v.from);
                return c;
            }
            if id.unit.is_numbered_provision() && !has(v, m, &id.unit) {
                c.verdict = Verdict::NotYetInForce;
                c.reason = format!("the version in force from {} does not have it", v.from);
                return c;
            }
        }
        let known = from_fact || version.is_some();
        // A number of a later list says nothing of an earlier day; a text at least shows the reader what was looked up.
        if numbers_only && !known {
            c.verdict = Verdict::Unchecked;
            c.reason = oldest;
            return c;
        }
        let plain = id.unit.number().is_some_and(|n| n.letters.is_empty() && n.sub.is_none());
        if !id.pins.is_empty() || !(known || plain) {
            c.verdict = Verdict::Unchecked;
            c.reason = if known || plain {
                oldest
            } else {
                format!(
                    "inserted on a day that is not known; the oldest text held is in force from {}",
                    edition.version
                )
            };
            return c;
        }
        c.reason = oldest;
        c
    }

    pub(super) fn repealed(&self, c: &mut Citation, id: &ProvisionId, manifest: &Manifest, reason: &str) {
        c.verdict = Verdict::Repealed;
        reason.clone_into(&mut c.reason);
        let new = self.concordance.successors(id);
        if new.is_empty() {
            if let Some(work) = &manifest.successor {
                c.successor = vec![work.to_string()];
                c.reason.push_str(&format!("; replaced by {work}, the corresponding provision is not known"));
            }
        } else {
            c.successor = new.iter().map(ToString::to_string).collect();
            c.reason.push_str(&format!("; now {}", c.successor.join(", ")));
        }
    }

    /// The edition lacks the number.
    pub(super) fn absent(
        &self,
        e: &Extracted,
        id: ProvisionId,
        edition: &EditionInfo,
        manifest: Option<&Manifest>,
        day: Option<Date>,
        title: &str,
    ) -> Citation {
        let mut c = blank(e, Some(id.clone()), Verdict::NotFound, String::new());
        let editions = self.lookup.editions(&id.work);
        if let Some(m) = manifest {
            if let Some(entry) = m.commencements.iter().find(|x| x.id.unit == id.unit && x.id.pins.is_empty())
                && let (Some(from), Some(day)) = (entry.from, day)
                && from > day
            {
                c.verdict = Verdict::NotYetInForce;
                c.reason = format!("in force from {from}");
                return c;
            }
            let current =
                m.versions.iter().rev().find(|v| day.is_none_or(|d| v.from <= d)).or(m.versions.first());
            if current.is_some_and(|v| is_omitted(v, m, &id.unit)) {
                c.verdict = Verdict::Repealed;
                c.reason = format!("omitted from {title}, whose other provisions stayed");
                return c;
            }
        }
        if let Some(day) = day {
            if let Some(later) = editions
                .iter()
                .find(|x| x.version > day && self.lookup.provision(&id.work, x.version, &id.unit).is_some())
            {
                c.verdict = Verdict::NotYetInForce;
                c.reason = format!("first in the text in force from {}", later.version);
                return c;
            }
            if let Some(m) = manifest
                && let Some(later) = m
                    .versions
                    .iter()
                    .find(|v| v.from > day && has(v, m, &id.unit) && !is_omitted(v, m, &id.unit))
            {
                c.verdict = Verdict::NotYetInForce;
                c.reason = format!("first in the version in force from {}", later.from);
                return c;
            }
            if edition.complete
                && editions.iter().any(|x| {
                    x.version < edition.version
                        && self.lookup.provision(&id.work, x.version, &id.unit).is_some()
                })
            {
                c.verdict = Verdict::Repealed;
                c.reason = format!("gone from the text in force from {}", edition.version);
                return c;
            }
        }
        let (range, nearest) = self.range(edition, &id.unit);
        if !edition.complete {
            c.verdict = Verdict::Unchecked;
            c.reason = format!("the source of {title} that is held is incomplete and does not have it");
            return c;
        }
        if !id.unit.is_numbered_provision() {
            // Some sources leave schedules out; that one does not exist is known from the manifest only.
            let known = manifest.is_some_and(|m| m.versions.iter().any(|v| !v.schedules.is_empty()));
            let expected = manifest.is_some_and(|m| m.versions.iter().any(|v| has(v, m, &id.unit)));
            if expected || !known {
                c.verdict = Verdict::Unchecked;
                c.reason = format!("the source of {title} that is held does not have it");
                return c;
            }
        }
        c.reason = match &range {
            Some(range) => format!("{title} has {range}"),
            None => format!("{title} has no such part"),
        };
        if let Some(nearest) = nearest {
            c.reason.push_str(&format!("; nearest is {}", ProvisionId::new(id.work.clone(), nearest)));
        }
        c.range = range;
        c
    }

    /// The plain numbers an edition runs over, and the unit nearest to one that it lacks.
    fn range(&self, edition: &EditionInfo, unit: &Unit) -> (Option<String>, Option<Unit>) {
        let units = self.lookup.units(&edition.work, edition.version);
        let same = |u: &&Unit| std::mem::discriminant(*u) == std::mem::discriminant(unit);
        let bases = || units.iter().filter(same).filter_map(|u| u.number().map(|n| n.base));
        let range = match (bases().min(), bases().max()) {
            (Some(a), Some(b)) if a < b => Some(format!("{a}-{b}")),
            (Some(a), _) => Some(a.to_string()),
            _ => None,
        };
        let wanted = unit.number();
        let nearest = wanted.and_then(|w| {
            let key = |u: &Unit| {
                u.number().map_or((u32::MAX, u32::MAX, true), |n| {
                    let letters =
                        n.letters.bytes().zip(w.letters.bytes()).take_while(|(a, b)| a == b).count();
                    let sub = n.sub.unwrap_or(0).abs_diff(w.sub.unwrap_or(0));
                    (
                        n.base.abs_diff(w.base),
                        sub + u32::try_from(w.letters.len().abs_diff(letters)).unwrap_or(0),
                        n < w,
                    )
                })
            };
            units.iter().filter(same).min_by_key(|u| key(u)).cloned()
        });
        (range, nearest)
    }
}
