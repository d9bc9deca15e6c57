//! Which citation a quotation stands beside.

use super::lead::{self, Lead};
use super::marks::{self, Quotation};
use super::{Quote, units};
use crate::citation::Extracted;
use crate::citation::han::is_han;

/// Most characters between a citation and a quotation that is taken for its words without being announced.
const NEAR: usize = 40;
/// Most bytes between a citation and a quotation of the same sentence.
const REACH: usize = 600;
/// Bytes kept of a quotation that cannot be compared.
const BEGINNING: usize = 240;

/// What is remembered of the last quotation that stood beside a citation before it.
#[derive(Debug, Clone, Copy)]
struct Last {
    start: usize,
    end: usize,
    /// Index of the citation.
    citation: usize,
    lead: Lead,
}

/// Puts the quotations of a text beside the citations.
///
/// A quotation goes to the list of citations that stands last before it in its sentence, else to the first after it.
/// Where words announce it, it may begin the next paragraph, and where they refer back, the next sentence.
/// Quotations of a list are kept with its first member.
pub(in crate::citation) fn attach(text: &str, found: &mut [Extracted]) {
    if found.is_empty() {
        return;
    }
    let mut last: Option<Last> = None;
    // Behind a block quote that was taken as a whole: what is quoted inside it is part of it.
    let mut behind = 0;
    // First member of the group looked at last.
    let mut first: (usize, usize) = (usize::MAX, 0);
    for q in marks::quotations(text) {
        if q.end <= behind && q.start < behind {
            continue;
        }
        let words = words(text, &q);
        if units(&words) < 2 {
            continue;
        }
        let han = words.chars().any(is_han);
        // Citations inside the quotation are part of its words, and one that holds it is no witness for it.
        let before = found.partition_point(|e| e.span.0 < q.start);
        let mut previous = before.checked_sub(1);
        if let Some(e) = previous.and_then(|p| found.get(p))
            && e.span.1 > q.start
        {
            if e.span.1 >= q.end {
                continue;
            }
            previous = None;
        }
        // So are those inside the quotation before it.
        let mut chained = None;
        if let (Some(p), Some(l)) = (previous, last) {
            let inside = found.get(p).is_some_and(|e| l.start <= e.span.0 && e.span.1 <= l.end);
            if inside || p == l.citation {
                previous = Some(l.citation);
                chained = Some(l);
            }
        }
        // `"…" (section 304A); "…" (section 34)`: where the one before has its words, the next are of what follows them.
        if previous.is_some_and(|p| has_words(found, p)) && cited_behind(text, found, before, q.to) {
            previous = None;
        }
        let lead = previous.and_then(|p| found.get(p).map(|e| (p, e.span))).and_then(|(p, span)| {
            let from = chained.map_or(span.1, |l| l.end).max(span.1);
            let between = text.get(from..q.from)?;
            // Quotations of further paragraphs are others' unless a sentence refers back.
            if chained.is_some() && between.trim_end().contains('\n') && !lead::refers_back(between) {
                return None;
            }
            let lead = leads(text, span, between, &q, han, chained)?;
            Some((p, lead))
        });
        if let Some((p, lead)) = lead {
            if q.block && !lead.0.introduced {
                continue;
            }
            if q.block {
                behind = q.end;
            }
            let (lead, near) = if lead::defines(text.get(q.to..).unwrap_or_default()) {
                (Lead { passes: true, ..Lead::default() }, false)
            } else {
                lead
            };
            // What stands between marks that may be strays is not all quoted.
            if !q.beyond {
                last = Some(Last { start: q.from, end: q.to, citation: p, lead });
            }
            push(found, p, &mut first, quote(&q, words, lead, near));
            continue;
        }
        if q.block {
            continue;
        }
        let next = found.iter().enumerate().skip(before).find(|(_, e)| e.span.0 >= q.to);
        let Some((n, span)) = next.map(|(n, e)| (n, e.span)) else { continue };
        let between = text.get(q.to..span.0).unwrap_or_default();
        let dash = between.trim_start().starts_with(['—', '–', '-']) && between.len() < 12;
        if !same_sentence(between) || (marks::has_blank_line(between) && !dash) {
            continue;
        }
        let lead_text = text.get(..q.from).unwrap_or_default();
        let given = lead::attributed(lead_text, between);
        let before_it = lead::read(lead::last_chars(lead_text, 60), false);
        let near = (given || !before_it.passes) && between.chars().count() <= NEAR;
        let lead = Lead { introduced: given, strong: given && !han, passes: !near, ..Lead::default() };
        push(found, n, &mut first, quote(&q, words, lead, near));
    }
}

/// Whether a quotation stands with the list that a citation is of.
fn has_words(found: &[Extracted], p: usize) -> bool {
    /// Longer lists have no words of their own.
    const MOST: usize = 32;
    let Some(group) = found.get(p).map(|e| e.group) else { return false };
    found.iter().take(p + 1).rev().take(MOST).take_while(|e| e.group == group).any(|e| !e.quotes.is_empty())
}

/// Whether a citation follows directly on a quotation that ends at `to`: in brackets, behind a colon, `in`, `见`.
fn cited_behind(text: &str, found: &[Extracted], from: usize, to: usize) -> bool {
    const LINKS: [&str; 12] = ["", "(", "[", ":", "（", "【", "见", "in", "(see", "[see", "see", "vide"];
    let next = found.iter().skip(from).take(32).find(|e| e.span.0 >= to);
    next.and_then(|e| text.get(to..e.span.0))
        .is_some_and(|between| between.len() < 12 && LINKS.contains(&between.trim()))
}

fn quote(q: &Quotation, text: String, lead: Lead, near: bool) -> Quote {
    let name = lead::is_name(&text);
    Quote {
        span: (q.start, q.end),
        introduced: lead.introduced && !name,
        strong: lead.strong && !name,
        doubtful: lead.doubtful && !name,
        near: near && !name,
        beyond: q.beyond,
        text,
    }
}

/// The lead of a quotation behind a citation, and whether it is near; nothing if the two do not belong together.
fn leads(
    text: &str,
    citation: (usize, usize),
    between: &str,
    q: &Quotation,
    han: bool,
    chained: Option<Last>,
) -> Option<(Lead, bool)> {
    // The part of the text that leads on: of a citation in the sentence before, the last sentence only.
    let mut said = between;
    let mut joined = same_sentence(between);
    if !joined && between.len() <= 2 * REACH {
        let start = sentence_start(between);
        let (head, tail) = (between.get(..start)?, between.get(start..)?);
        if same_sentence(head.trim_end().trim_end_matches(['.', '。', '!', '?', '！', '？', '।']))
            && lead::refers_back(tail)
        {
            let lead = lead::read(tail, han);
            joined = lead.introduced && same_sentence(tail);
            said = tail;
        }
    }
    if !joined {
        return None;
    }
    // In a paragraph of its own it must be announced at the end of the one before.
    let gap = said.len() - said.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '*')).len();
    let gap_text = said.get(said.len() - gap..).unwrap_or_default();
    let apart = q.block || gap_text.matches('\n').count() > 1;
    let head = said.get(..said.len() - gap).unwrap_or_default();
    // A sentence that refers back may begin a paragraph.
    if marks::has_blank_line(head.trim_start()) {
        return None;
    }
    let announced = head.ends_with([':', '：', '—', '–', '-']) || lead::read(head, han).strong;
    if apart && !announced {
        return None;
    }
    let mut lead = lead::read(said, han);
    if lead::of_a_document(text.get(..citation.0).unwrap_or_default(), said) {
        lead = Lead { passes: true, ..Lead::default() };
    }
    if apart && !lead.passes {
        lead.introduced = true;
        lead.strong = true;
    }
    if let Some(l) = chained
        && !lead.introduced
        && goes_on(said)
    {
        lead = l.lead;
    } else if chained.is_none()
        && !lead.introduced
        && !lead.passes
        && said.trim().chars().count() <= 3
        && text.get(..citation.0).is_some_and(lead::promised)
    {
        lead.introduced = true;
    }
    let near = !lead.passes && said.chars().count() <= NEAR;
    Some((lead, near))
}

/// Whether the words between two quotations only join them.
fn goes_on(between: &str) -> bool {
    const JOINS: &[&str] = &[
        "and", "or", "but", "also", "that", "as", "well", "further", "then", "it", "&", "nor", "again",
        "adds", "plus", "/", "…", "...",
    ];
    const HAN: &[&str] =
        &["和", "及", "以及", "并", "并且", "同时", "又", "、", "与", "或", "而", "还", "且"];
    if between.chars().count() > 40 {
        return false;
    }
    let lower = between.to_lowercase();
    lower
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '，' | '；' | ':' | '：' | '.'))
        .filter(|w| !w.is_empty())
        .all(|w| JOINS.contains(&w) || HAN.contains(&w))
}

fn push(found: &mut [Extracted], index: usize, first: &mut (usize, usize), quote: Quote) {
    let Some(group) = found.get(index).map(|e| e.group) else { return };
    // Members of a list stand side by side.
    if first.0 != group {
        let start = found
            .get(..index)
            .unwrap_or_default()
            .iter()
            .rposition(|e| e.group != group)
            .map_or(0, |p| p + 1);
        *first = (group, start);
    }
    if let Some(e) = found.get_mut(first.1) {
        e.quotes.push(quote);
    }
}

/// The words of a quotation, without the marks of a block and without marks around the whole.
fn words(text: &str, q: &Quotation) -> String {
    let inner = text.get(q.start..q.end).unwrap_or_default();
    let inner = if q.beyond { beginning(inner) } else { inner };
    let mut lines: Vec<&str> = Vec::new();
    for line in inner.split('\n') {
        let line = marks::unmarked(line).unwrap_or(line);
        // Each paragraph of a long quotation begins with a mark that nothing closes.
        let continues = lines.last().is_some_and(|l| l.trim().is_empty());
        let body = line.trim_start();
        let open = |c: char| body.matches(c).count();
        let unclosed = open('“') > open('”') || (body.starts_with('"') && open('"') % 2 == 1);
        lines.push(if continues && unclosed { body.trim_start_matches(['“', '"']) } else { line });
    }
    lines.join("\n").trim().trim_matches(['“', '”', '"', '*', '_']).trim().to_owned()
}

/// The beginning of a quotation that is not compared.
fn beginning(text: &str) -> &str {
    let end = (0..=BEGINNING.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// Whether a text holds no end of a sentence.
pub(super) fn same_sentence(between: &str) -> bool {
    between.len() <= REACH && ends(between).next().is_none()
}

/// Where the last sentence of a text begins.
fn sentence_start(between: &str) -> usize {
    ends(between).last().unwrap_or(0)
}

/// Where sentences end inside a text: the bytes behind their signs.
pub(in crate::citation) fn ends(between: &str) -> impl Iterator<Item = usize> + '_ {
    between.char_indices().filter_map(move |(i, c)| {
        let next = i + c.len_utf8();
        if matches!(c, '。' | '！' | '？' | '।') {
            return Some(next);
        }
        if !matches!(c, '.' | '?' | '!') {
            return None;
        }
        let rest = between.get(next..).unwrap_or_default();
        let tail = rest.trim_start();
        let ends = rest.len() != tail.len() && tail.starts_with(|c: char| c.is_uppercase());
        let before = between.get(..i).unwrap_or_default();
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        // `Cr. P.C.`, `v. State`, `Sec. 3` end no sentence.
        let short = word.len() <= 3 && c == '.' && !word.is_empty();
        (ends && !short).then_some(next)
    })
}
