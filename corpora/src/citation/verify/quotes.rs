//! Words quoted beside a citation, compared letter by letter with the provision's text; where they are not in it, the
//! provision of the same work that has them.

use std::sync::Arc;

use crate::citation::quote::{self, Plain, QuoteMatch, QuotedWords};
use crate::citation::{Citation, Extracted, Verdict};
use crate::id::{ProvisionId, Unit, WorkId};
use crate::lookup::EditionInfo;
use crate::manifest::Grammar;
use crate::pinpoint::pinpoints;
use crate::provision::Provision;

use super::Verifier;

/// Most whole-work searches for the source of a quotation in one call.
const SEARCHES: usize = 256;

impl Verifier<'_> {
    pub(super) fn quotes(&mut self, members: &[Extracted], citations: &mut [Citation]) {
        let Some(first) = members.first() else { return };
        for q in &first.quotes {
            let pieces = quote::pieces(&q.text);
            if pieces.is_empty() {
                continue;
            }
            let long = quote::long_enough(&q.text);
            // Where only numbers are held, words announced as the law's cannot be compared, so nothing is green.
            for c in citations.iter_mut().filter(|_| long && q.introduced) {
                let bare = c.id.as_ref().is_some_and(|id| self.lookup.numbers_only(&id.work));
                if bare && c.verdict == Verdict::Verified {
                    c.verdict = Verdict::Unchecked;
                    c.reason.push_str("; the words quoted could not be compared");
                }
            }
            // Does any citation of the list have the words?
            let mut exact = false;
            let mut closest: Option<(usize, f64, String)> = None;
            let mut elsewhere_inside: Option<(usize, ProvisionId)> = None;
            for (n, c) in citations.iter_mut().enumerate() {
                if !matches!(
                    c.verdict,
                    Verdict::Verified
                        | Verdict::Repealed
                        | Verdict::NotYetInForce
                        | Verdict::Misquoted
                        | Verdict::WrongNumber
                ) {
                    continue;
                }
                let Some(id) = c.id.clone().filter(|id| !self.lookup.numbers_only(&id.work)) else {
                    continue;
                };
                let Some((edition, _)) = self.edition(&id.work) else { continue };
                let Some(provision) = self.lookup.provision(&id.work, edition.version, &id.unit) else {
                    continue;
                };
                let plain = self.plain_of(&edition, &id.unit, &provision);
                if let Some((start, end)) = quote::find_pieces(&plain, &pieces) {
                    let inside = id.pins.is_empty()
                        || holds(&provision, &id.pins, start, end)
                        || self.holds_computed(&provision, &id, start, end);
                    if inside {
                        exact = true;
                        c.quoted.push(QuotedWords {
                            span: q.span,
                            found: QuoteMatch::Exact,
                            detail: String::new(),
                        });
                    } else {
                        let real = ProvisionId { pins: innermost(&provision, start, end), ..id.clone() };
                        elsewhere_inside.get_or_insert((n, real));
                    }
                } else if long {
                    let (close, detail) = quote::closeness(&Plain::new(&q.text).text, &plain.text);
                    if closest.as_ref().is_none_or(|(_, best, _)| close > *best) {
                        closest = Some((n, close, detail));
                    }
                }
            }
            if exact || !long {
                continue;
            }
            if !q.introduced && !q.near {
                for c in citations.iter_mut() {
                    c.quoted.push(QuotedWords {
                        span: q.span,
                        found: QuoteMatch::NotStatute,
                        detail: String::new(),
                    });
                }
                continue;
            }
            if let Some((n, real)) = elsewhere_inside {
                self.charge(
                    citations,
                    n,
                    q.span,
                    QuoteMatch::Elsewhere,
                    Verdict::WrongNumber,
                    real.to_string(),
                    format!("the words quoted are those of {real}"),
                );
                continue;
            }
            let Some((n, close, detail)) = closest else { continue };
            let Some(id) = citations.get(n).and_then(|c| c.id.clone()) else { continue };
            if let Some(real) = self.search(&id.work, &pieces) {
                let words = format!("the words quoted are those of {real}");
                self.charge(
                    citations,
                    n,
                    q.span,
                    QuoteMatch::Elsewhere,
                    Verdict::WrongNumber,
                    real.to_string(),
                    words,
                );
            } else if close >= quote::CLOSE || q.introduced {
                let reason = if close >= quote::CLOSE {
                    format!("quoted words differ: {detail}")
                } else {
                    "the words quoted as its text are not in it".to_owned()
                };
                self.charge(citations, n, q.span, QuoteMatch::Differs, Verdict::Misquoted, detail, reason);
            } else if let Some(c) = citations.get_mut(n) {
                c.quoted.push(QuotedWords {
                    span: q.span,
                    found: QuoteMatch::NotStatute,
                    detail: String::new(),
                });
            }
        }
    }

    /// Lays a quotation to a citation's charge. Only `verified` gives way: another verdict is worse already.
    #[expect(clippy::too_many_arguments, reason = "one record, spelt out")]
    fn charge(
        &self,
        citations: &mut [Citation],
        n: usize,
        span: (usize, usize),
        found: QuoteMatch,
        verdict: Verdict,
        detail: String,
        reason: String,
    ) {
        let Some(c) = citations.get_mut(n) else { return };
        c.quoted.push(QuotedWords { span, found, detail });
        let covered = c.id.as_ref().and_then(|id| self.edition(&id.work)).is_some_and(|(_, covered)| covered);
        if c.verdict == Verdict::Verified && (covered || found == QuoteMatch::Elsewhere) {
            c.verdict = verdict;
            c.reason = reason;
        } else {
            c.reason.push_str("; ");
            c.reason.push_str(&reason);
        }
    }

    fn holds_computed(&self, provision: &Provision, id: &ProvisionId, start: usize, end: usize) -> bool {
        if !provision.pinpoints.is_empty() {
            return false;
        }
        let grammar = self.catalogue.get(&id.work).map_or(Grammar::IndianAct, |m| m.grammar);
        pinpoints(&provision.text, grammar)
            .iter()
            .any(|p| p.path == id.pins && p.range.start <= start && end <= p.range.end)
    }

    fn plain_of(&mut self, edition: &EditionInfo, unit: &Unit, provision: &Provision) -> Arc<Plain> {
        let key = (edition.work.clone(), edition.version, unit.clone());
        Arc::clone(self.plain.entry(key).or_insert_with(|| Arc::new(Plain::new(&provision.text))))
    }

    /// The provision of a work that has these words, by a search of the whole edition.
    fn search(&mut self, work: &WorkId, pieces: &[String]) -> Option<ProvisionId> {
        if self.searches >= SEARCHES {
            return None;
        }
        self.searches += 1;
        let (edition, _) = self.edition(work)?;
        let key = (work.clone(), edition.version);
        if !self.works.contains_key(&key) {
            let mut all = Vec::new();
            for unit in self.lookup.units(work, edition.version).iter() {
                if let Some(p) = self.lookup.provision(work, edition.version, unit) {
                    all.push((unit.clone(), self.plain_of(&edition, unit, &p)));
                }
            }
            self.works.insert(key.clone(), Arc::new(all));
        }
        let all = self.works.get(&key)?;
        let (unit, start, end) = all.iter().find_map(|(unit, plain)| {
            quote::find_pieces(plain, pieces).map(|(start, end)| (unit.clone(), start, end))
        })?;
        let provision = self.lookup.provision(work, edition.version, &unit)?;
        Some(ProvisionId::new(work.clone(), unit).with_pins(innermost(&provision, start, end)))
    }
}

/// Whether a place of a provision holds the bytes.
fn holds(provision: &Provision, path: &[String], start: usize, end: usize) -> bool {
    provision.pinpoints.iter().any(|p| p.path == path && p.range.start <= start && end <= p.range.end)
}

/// The smallest place that holds the bytes; empty if only the whole does.
fn innermost(provision: &Provision, start: usize, end: usize) -> Vec<String> {
    provision
        .pinpoints
        .iter()
        .filter(|p| p.range.start <= start && end <= p.range.end)
        .min_by_key(|p| (p.range.len(), std::cmp::Reverse(p.path.len())))
        .map(|p| p.path.clone())
        .unwrap_or_default()
}
