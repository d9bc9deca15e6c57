//! Words quoted beside a citation, compared letter by letter with the provision's text; where they are not in it, the
//! provision of the same work that has them.

use std::sync::Arc;

use crate::citation::numerals::to_chinese;
use crate::citation::quote::{self, Piece, Plain, Quote, QuoteMatch, QuotedWords};
use crate::citation::{Citation, Extracted, Verdict};
use crate::id::{ProvisionId, Unit, WorkId};
use crate::lookup::EditionInfo;
use crate::manifest::Grammar;
use crate::pinpoint::pinpoints;
use crate::provision::{Pinpoint, Provision};

use super::Verifier;

/// Most whole-work searches for the source of a quotation in one call.
const SEARCHES: usize = 256;

/// What a quotation is to one citation of its list.
enum Found {
    /// Its words.
    Here,
    /// Words of the provision, at another place than the one cited.
    Inside(ProvisionId),
    /// Not its words: how much agrees, and the first difference.
    Not(f64, String),
}

impl Verifier<'_> {
    pub(super) fn quotes(&mut self, members: &[Extracted], citations: &mut [Citation]) {
        let Some(first) = members.first() else { return };
        for q in &first.quotes {
            self.quote(q, citations);
        }
    }

    fn quote(&mut self, q: &Quote, citations: &mut [Citation]) {
        if q.beyond {
            for c in
                citations.iter_mut().filter(|c| (q.introduced || q.near) && c.verdict == Verdict::Verified)
            {
                c.verdict = Verdict::Unchecked;
                c.reason.push_str(
                    "; the words quoted as its text are too long, or too far apart, to be compared",
                );
            }
            return;
        }
        let pieces = quote::pieces(&q.text);
        if pieces.is_empty() {
            return;
        }
        let long = quote::long_enough(&q.text);
        // A short quotation counts only where the law is said to have these very words.
        let counts = if long { q.introduced || q.near } else { q.strong && quote::enough(&q.text) };
        let announced = q.introduced && (long || counts);
        // Words that cannot be compared make nothing false, and nothing green.
        for c in citations.iter_mut().filter(|_| announced) {
            let Some(why) = self.not_comparable(c, &q.text) else { continue };
            if c.verdict == Verdict::Verified {
                c.verdict = Verdict::Unchecked;
                c.reason.push_str(why);
            }
        }
        // Does any citation of the list have the words?
        let mut exact = false;
        let mut closest: Option<(usize, f64, String)> = None;
        let mut inside: Option<(usize, ProvisionId)> = None;
        for (n, c) in citations.iter_mut().enumerate() {
            match self.compare(c, q, &pieces, long) {
                Some(Found::Here) => {
                    exact = true;
                    c.quoted.push(QuotedWords {
                        span: q.span,
                        found: QuoteMatch::Exact,
                        detail: String::new(),
                    });
                    if counts {
                        self.later_words(c);
                    }
                }
                Some(Found::Inside(real)) => {
                    inside.get_or_insert((n, real));
                }
                Some(Found::Not(close, detail))
                    if closest.as_ref().is_none_or(|(_, best, _)| close > *best) =>
                {
                    closest = Some((n, close, detail));
                }
                Some(Found::Not(..)) | None => {}
            }
        }
        if exact {
            return;
        }
        // Nobody writes ten words that are nearly the provision's by chance, whatever verb leads to them.
        let plainly = |close: f64| long && close >= quote::PLAINLY;
        let counts = counts
            || closest.as_ref().is_some_and(|(n, close, _)| {
                let work = citations.get(*n).and_then(|c| c.id.as_ref()).map(|id| id.work.clone());
                plainly(*close) && work.is_some_and(|work| self.search(&work, &pieces).is_none())
            });
        if !counts {
            // "Within 41 days" beside a section is what somebody says that it says.
            let counted = q.near && q.text.chars().any(char::is_numeric);
            let doubt = !long && (q.doubtful || counted) && quote::enough(&q.text);
            for c in citations.iter_mut() {
                if doubt && c.verdict == Verdict::Verified {
                    c.verdict = Verdict::Unchecked;
                    c.reason.push_str(
                        "; words quoted beside it are not in its text, and whether they are meant as its words is not clear",
                    );
                }
                c.quoted.push(QuotedWords {
                    span: q.span,
                    found: QuoteMatch::NotStatute,
                    detail: String::new(),
                });
            }
            return;
        }
        if let Some((n, real)) = inside {
            let reason = format!("the words quoted are those of {real}");
            self.charge(citations, n, q.span, QuoteMatch::Elsewhere, real.to_string(), reason);
            return;
        }
        let Some((n, close, detail)) = closest else { return };
        let Some(id) = citations.get(n).and_then(|c| c.id.clone()) else { return };
        // A few words stand in many provisions.
        let elsewhere = if long { self.search(&id.work, &pieces) } else { None };
        if let Some(real) = elsewhere {
            let reason = format!("the words quoted are those of {real}");
            self.charge(citations, n, q.span, QuoteMatch::Elsewhere, real.to_string(), reason);
        } else if close >= quote::CLOSE || q.introduced {
            let reason = if close >= quote::CLOSE {
                format!("quoted words differ: {detail}")
            } else {
                "the words quoted as its text are not in it".to_owned()
            };
            self.charge(citations, n, q.span, QuoteMatch::Differs, detail, reason);
        } else if let Some(c) = citations.get_mut(n) {
            c.quoted.push(QuotedWords { span: q.span, found: QuoteMatch::NotStatute, detail: String::new() });
        }
    }

    /// Why the words beside a citation cannot be compared with the text held, if so.
    fn not_comparable(&self, c: &Citation, words: &str) -> Option<&'static str> {
        let id = c.id.as_ref()?;
        if self.lookup.numbers_only(&id.work) {
            return Some("; the words quoted could not be compared");
        }
        let (edition, _) = self.edition(&id.work)?;
        let provision = self.lookup.provision(&id.work, edition.version, &id.unit)?;
        let (quoted, held) = (quote::script(words)?, quote::script(&provision.text)?);
        (quoted != held)
            .then_some("; the words quoted are in another language than the text held, and were not compared")
    }

    fn compare(&mut self, c: &Citation, q: &Quote, pieces: &[Piece], long: bool) -> Option<Found> {
        if !matches!(
            c.verdict,
            Verdict::Verified
                | Verdict::Repealed
                | Verdict::NotYetInForce
                | Verdict::Misquoted
                | Verdict::WrongNumber
        ) {
            return None;
        }
        let id = c.id.clone().filter(|id| !self.lookup.numbers_only(&id.work))?;
        let (edition, _) = self.edition(&id.work)?;
        let provision = self.lookup.provision(&id.work, edition.version, &id.unit)?;
        let plain = self.plain_of(&edition, &id.unit, &provision);
        let numbers = heads(&id.unit);
        let headless: Option<Vec<Piece>> = pieces.split_first().and_then(|(first, rest)| {
            let first = first.without_head(&numbers, provision.heading.as_deref())?;
            Some(std::iter::once(first).chain(rest.iter().cloned()).collect())
        });
        let ways: Vec<&[Piece]> = std::iter::once(pieces).chain(headless.as_deref()).collect();
        let computed;
        let places: &[Pinpoint] = if provision.pinpoints.is_empty() && !id.pins.is_empty() {
            let grammar = self.catalogue.get(&id.work).map_or(Grammar::IndianAct, |m| m.grammar);
            computed = pinpoints(&provision.text, grammar);
            &computed
        } else {
            &provision.pinpoints
        };
        let mut outside = None;
        for way in &ways {
            // At the place cited first: the same words may also stand before it.
            let cited = places.iter().find(|p| p.path == id.pins);
            if let Some(p) = cited
                && quote::find_pieces_in(&plain, way, p.range.start, p.range.end).is_some()
            {
                return Some(Found::Here);
            }
            let Some(ranges) = quote::find_pieces(&plain, way) else { continue };
            if ranges.iter().all(|(start, end)| belongs(places, &id.pins, *start, *end)) {
                return Some(Found::Here);
            }
            let (start, end) = (ranges.first()?.0, ranges.last()?.1);
            outside.get_or_insert_with(|| ProvisionId { pins: innermost(places, start, end), ..id.clone() });
        }
        if let Some(real) = outside {
            return Some(Found::Inside(real));
        }
        if !long {
            return Some(Found::Not(0.0, String::new()));
        }
        let words = match headless.as_deref() {
            Some(pieces) => pieces.iter().map(Piece::text).collect::<Vec<_>>().join(" "),
            None => Plain::new(&q.text).text,
        };
        let (close, detail) = quote::closeness(&words, &plain.text);
        Some(Found::Not(close, detail))
    }

    /// The words of a later text beside a citation for a day before it: what stood there that day is not known.
    fn later_words(&self, c: &mut Citation) {
        if c.verdict != Verdict::Verified {
            return;
        }
        let Some((edition, false)) = c.id.as_ref().and_then(|id| self.edition(&id.work)) else { return };
        c.verdict = Verdict::Unchecked;
        c.reason = format!(
            "the words quoted are those of the text in force from {}, the oldest held; what the text was on the day is not known",
            edition.version
        );
    }

    /// Lays a quotation to a citation's charge. Only `verified` gives way: another verdict is worse already. On a day
    /// before every text held nothing is known of the words, so nothing is charged, and nothing is green.
    fn charge(
        &self,
        citations: &mut [Citation],
        n: usize,
        span: (usize, usize),
        found: QuoteMatch,
        detail: String,
        reason: String,
    ) {
        let Some(c) = citations.get_mut(n) else { return };
        c.quoted.push(QuotedWords { span, found, detail });
        let covered = c.id.as_ref().and_then(|id| self.edition(&id.work)).is_some_and(|(_, covered)| covered);
        if c.verdict != Verdict::Verified {
            c.reason.push_str("; ");
            c.reason.push_str(&reason);
        } else if covered {
            c.verdict =
                if found == QuoteMatch::Elsewhere { Verdict::WrongNumber } else { Verdict::Misquoted };
            c.reason = reason;
        } else {
            c.verdict = Verdict::Unchecked;
            c.reason.push_str("; in that text ");
            c.reason.push_str(&reason);
        }
    }

    fn plain_of(&mut self, edition: &EditionInfo, unit: &Unit, provision: &Provision) -> Arc<Plain> {
        let key = (edition.work.clone(), edition.version, unit.clone());
        Arc::clone(self.plain.entry(key).or_insert_with(|| Arc::new(Plain::new(&provision.text))))
    }

    /// The provision of a work that has these words, by a search of the whole edition.
    fn search(&mut self, work: &WorkId, pieces: &[Piece]) -> Option<ProvisionId> {
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
            let ranges = quote::find_pieces(plain, pieces)?;
            Some((unit.clone(), ranges.first()?.0, ranges.last()?.1))
        })?;
        let provision = self.lookup.provision(work, edition.version, &unit)?;
        Some(ProvisionId::new(work.clone(), unit).with_pins(innermost(&provision.pinpoints, start, end)))
    }
}

/// Whether bytes of a provision are words of a place: inside it, or of what the place is part of and no other part has.
fn belongs(places: &[Pinpoint], path: &[String], start: usize, end: usize) -> bool {
    if path.is_empty()
        || places.iter().any(|p| p.path == path && p.range.start <= start && end <= p.range.end)
    {
        return true;
    }
    // The opening words of a sub-section are those of each of its clauses.
    let inner = innermost(places, start, end);
    path.starts_with(&inner)
        && !places.iter().any(|p| {
            p.path.len() > inner.len()
                && p.path.starts_with(&inner)
                && !path.starts_with(&p.path)
                && !p.path.starts_with(path)
                && p.range.start < end
                && start < p.range.end
        })
}

/// The smallest place that holds the bytes; empty if only the whole does.
fn innermost(places: &[Pinpoint], start: usize, end: usize) -> Vec<String> {
    places
        .iter()
        .filter(|p| p.range.start <= start && end <= p.range.end)
        .min_by_key(|p| (p.range.len(), std::cmp::Reverse(p.path.len())))
        .map(|p| p.path.clone())
        .unwrap_or_default()
}

/// How a quotation of a whole provision may begin: `302`, `Section 302`, 第二百三十二条, normalised.
fn heads(unit: &Unit) -> Vec<String> {
    let Some(number) = unit.number() else { return Vec::new() };
    let mut out: Vec<String> = Vec::new();
    if number.letters.is_empty() {
        let sub = number
            .sub
            .map_or_else(String::new, |s| to_chinese(s).map_or_else(String::new, |s| format!("之{s}")));
        if let Some(base) = to_chinese(number.base) {
            out.push(format!("第{base}条{sub}"));
            out.push(format!("第{}条{sub}", base.replace('零', "〇")));
        }
        out.push(format!("第{}条{sub}", number.base));
    }
    let words: &[&str] = match unit {
        Unit::Article(_) => &["article ", "art.", "art "],
        _ => &["section ", "sec.", "s.", "§"],
    };
    out.extend(words.iter().map(|w| format!("{w}{number}")));
    out.push(number.to_string());
    out
}
