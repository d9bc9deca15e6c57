//! Acts and constitutions: parts, chapters, sections or articles, schedules.

use std::collections::{HashMap, HashSet};

use nyaya_corpora::{AnnotationKind, Diagnostic, Number, Severity, Status, Unit};

use crate::read::Line;

use super::again;
use super::annexed::{self, back_matter, explanatory_note, schedule_heads};
use super::chain::{Candidate, heaviest};
use super::contents::{Contents, contents};
use super::divisions::{division_at, is_division};
use super::heading::{bare_heading, gone, gone_in_words, heading_of, plain_heading, split_at, strip_carets};
use super::headline::{Habit, Place, place};
use super::heads::{Head, candidates, is_upper, number_at};
use super::pages::{BodyLine, Cleaned, Footnote, clean};
use super::titles::{Title, ends_text, looks_like_group, tidy, titles_before};
use super::words::{Builder, Join, plain_start};
use super::{Context, Structured, essence, letters};

pub(super) fn structure(lines: &[Line], context: &Context<'_>) -> Structured {
    let cleaned = clean(lines);
    let body = &cleaned.lines;
    let mut out =
        Structured { letters: lines.iter().map(|l| letters(&l.text)).sum(), ..Structured::default() };
    let (heads, all) = candidates(body, context.expected);
    let contents = contents(body, &heads, &all);
    out.contents = contents
        .entries
        .iter()
        .map(|(n, _, h)| (context.unit(n.clone()), Some(h.clone()).filter(|h| !h.is_empty())))
        .collect();
    let from = contents.range.1;
    let schedules = schedule_heads(body, from, &heads);
    let end = schedules.first().map_or_else(|| back_matter(body, from).unwrap_or(body.len()), |s| s.0);
    let end = explanatory_note(body, from, &heads).map_or(end, |note| note.min(end));
    let (chosen, finding) = again::choose_all(body, &heads, &contents, (from, end), context);
    out.diagnostics.extend(finding);
    out.diagnostics.extend(super::missed::heads(body, &heads, &chosen, end, context));
    if let Some(last) = chosen.last() {
        let others = annexed::others(body, last.line, &schedules);
        out.diagnostics.extend(super::missed::announced(&others, context));
    }

    let mut reader = Reader {
        body,
        cleaned: &cleaned,
        context,
        contents: &contents,
        builder: Builder::default(),
        out,
        habit: Habit::of(body, &chosen, end),
        margin: marginal(&cleaned, &chosen),
        placed: cleaned.furniture,
    };
    reader.placed += cleaned.margin.values().flatten().map(|l| letters(&l.text)).sum::<usize>();
    reader.placed += body
        .get(contents.range.0..contents.range.1)
        .unwrap_or_default()
        .iter()
        .map(|l| letters(l.text()))
        .sum::<usize>();
    reader.placed +=
        cleaned.footnotes.values().flatten().map(|n| letters(&n.text) + letters(&n.marker)).sum::<usize>();
    for head in &chosen {
        if let Some(line) = reader.habit.above(body, head).and_then(|at| body.get(at)) {
            reader.margin.entry(head.line).or_default().heading = line.text().to_owned();
        }
    }
    reader.front(contents.range, chosen.first().map_or(end, |h| reader.top(h)));
    reader.sections(&chosen, end);
    reader.schedules(&schedules);
    reader.omitted_in_contents();
    reader.stray_notes();
    let mut out = reader.out;
    let lost = out.letters.saturating_sub(reader.placed);
    out.unassigned_share = if out.letters == 0 { 0.0 } else { lost as f64 / out.letters as f64 };
    out
}

/// The heads among the candidates: their indices.
pub(super) fn choose(
    body: &[BodyLine<'_>],
    heads: &[&Head],
    contents: &Contents,
    from: usize,
    end: usize,
    context: &Context<'_>,
) -> Vec<usize> {
    let expected: HashSet<&Number> = context.expected.iter().collect();
    let known = !expected.is_empty() || !contents.entries.is_empty();
    let mut in_state = false;
    let mut marks = body.iter().enumerate().skip(from).peekable();
    let mut weighted = Vec::with_capacity(heads.len());
    for (i, head) in heads.iter().enumerate() {
        while let Some((_, l)) = marks.next_if(|(at, _)| *at < head.line) {
            in_state |= is_state_amendment(l.text());
        }
        let next = heads.get(i + 1).map_or(end, |h| h.line).min(head.line + 8);
        let opening: String = body
            .get(head.line..next)
            .unwrap_or_default()
            .iter()
            .enumerate()
            .map(|(k, l)| if k == 0 { l.line.text.get(head.end..).unwrap_or_default() } else { l.text() })
            .collect::<Vec<_>>()
            .join(" ");
        let listed = contents.by_number.get(&head.number).and_then(|i| contents.entries.get(*i));
        let mut weight: f64 = 1.0;
        if expected.contains(&head.number) || listed.is_some() {
            weight += 2.0;
            in_state = false;
        } else if known {
            // What a state inserted for itself is not this statute's.
            if in_state {
                weighted.push(Candidate { key: head.number.clone(), weight: 0.0 });
                continue;
            }
            weight = 0.3;
        }
        let dash = split_at(&opening).is_some_and(|(at, _)| at < 300);
        let gone = opening.trim_start().starts_with('[')
            || opening.contains("Omitted")
            || opening.contains("Rep.")
            || opening.contains("[Repealed");
        if dash || gone {
            weight += 1.0;
        }
        if let Some((_, _, heading)) = listed {
            let (a, b) = (essence(heading), essence(&opening));
            let same = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
            if a.len() >= 3 && same * 10 >= a.chars().count() * 6 {
                weight += 3.0;
            }
        }
        let line = body.get(head.line);
        let before = head
            .line
            .checked_sub(1)
            .and_then(|b| body.get(b))
            .map(|l| l.text().to_owned())
            .unwrap_or_default();
        if before.ends_with(['.', ':', ';', '—', ']', '”', ')'])
            || is_upper(&before)
            || line.is_some_and(|l| l.after_blank)
        {
            weight += 0.3;
        }
        if line.is_some_and(|l| l.line.at.is_some() && l.indent < 0.3) && !dash {
            weight *= 0.4;
        }
        if opening.trim_start().chars().next().is_some_and(char::is_lowercase) {
            weight *= 0.3;
        }
        if in_state && before.ends_with("namely:—") {
            weight *= 0.3;
        }
        // "Section 34 / of this Act applies": what goes on in lower case, or in the middle of a sentence, is a reference.
        if head.style == super::heads::Style::Titled {
            let own = line.is_some_and(|l| l.after_blank)
                || before.is_empty()
                || ends_text(&before)
                || is_division(&before);
            let alone = line.and_then(|l| l.line.text.get(head.end..)).is_some_and(|r| r.trim().is_empty());
            if alone && opening.trim_start().starts_with(|c: char| c.is_lowercase()) {
                weight *= 0.05;
            }
            if !own && before.chars().count() > 50 {
                weight *= 0.2;
            }
        }
        let quoted =
            line.is_some_and(|l| l.line.text.get(..head.start).is_some_and(|s| s.contains(['“', '"'])));
        if quoted {
            weight *= 0.2;
        }
        weighted.push(Candidate { key: head.number.clone(), weight });
    }
    heaviest(&weighted)
}

pub(super) fn is_state_amendment(text: &str) -> bool {
    let e = essence(text);
    e == "stateamendment" || e == "stateamendments"
}

struct Reader<'a> {
    body: &'a [BodyLine<'a>],
    cleaned: &'a Cleaned<'a>,
    context: &'a Context<'a>,
    contents: &'a Contents,
    builder: Builder,
    out: Structured,
    habit: Habit,
    /// Marginal notes by the line of the head they stand beside.
    margin: HashMap<usize, Marginal>,
    placed: usize,
}

/// Words that belong to a provision and are no part of its text.
fn note(text: String) -> nyaya_corpora::Annotation {
    nyaya_corpora::Annotation { kind: AnnotationKind::Other, marker: None, text, at: None }
}

/// What the contents table says of a provision that is gone, without the words that say so.
fn left_of(listed: &str) -> Option<String> {
    match gone_in_words(listed) {
        Some((_, title)) => title,
        None => Some(bare_heading(listed)),
    }
}

/// What stands in the margin beside a provision.
#[derive(Debug, Default)]
struct Marginal {
    /// Its heading.
    heading: String,
    /// Numbers of acts and other notes.
    others: Vec<String>,
}

/// Each note belongs to the last head at or above it. The heading is the run of lines that begins beside the head.
fn marginal(cleaned: &Cleaned<'_>, chosen: &[Head]) -> HashMap<usize, Marginal> {
    let mut notes: HashMap<usize, Marginal> = HashMap::new();
    let places: Vec<(u32, f32, usize)> = chosen
        .iter()
        .filter_map(|h| {
            let line = cleaned.lines.get(h.line)?;
            Some((line.page(), line.line.at?.y, h.line))
        })
        .collect();
    for head in chosen {
        if let Some(line) = cleaned.lines.get(head.line).filter(|l| !l.line.beside.is_empty()) {
            notes.entry(head.line).or_default().heading = line.line.beside.clone();
        }
    }
    let mut last: Option<(usize, f32)> = None;
    for (page, lines) in &cleaned.margin {
        for line in lines {
            let Some(at) = line.at else { continue };
            let beside =
                places.iter().rev().find(|p| p.0 < *page || (p.0 == *page && p.1 >= at.y - 0.6 * at.size));
            let Some((head_page, y, head)) = beside else { continue };
            let note = notes.entry(*head).or_default();
            let text = line.text.trim();
            let goes_on = last.is_some_and(|(h, above)| h == *head && above - at.y < 1.6 * at.size);
            let begins = head_page == page && y - at.y < 2.5 * at.size && note.heading.is_empty();
            if is_act_number(text) || !(begins || goes_on && note.others.is_empty()) {
                note.others.push(text.to_owned());
            } else {
                if note.heading.ends_with('-') {
                    note.heading.pop();
                } else if !note.heading.is_empty() {
                    note.heading.push(' ');
                }
                note.heading.push_str(text);
            }
            last = Some((*head, at.y));
        }
    }
    notes
}

/// `45 of 1860.`, as gazettes print it beside the act's name.
fn is_act_number(text: &str) -> bool {
    let text = text.trim_end_matches('.');
    text.split_once(" of ").is_some_and(|(n, year)| {
        [n, year].iter().all(|w| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit()))
    })
}

impl<'a> Reader<'a> {
    fn notes(&self, line: &BodyLine<'_>) -> &'a [Footnote] {
        self.cleaned.footnotes.get(&line.page()).map_or(&[], Vec::as_slice)
    }

    fn push_line(&mut self, line: &BodyLine<'_>, from: usize, join: Join) {
        let notes = self.notes(line);
        self.builder.line(line, from, join, notes);
        self.placed += letters(&line.line.text);
    }

    /// Title pages, long title and preamble, up to the first head.
    fn front(&mut self, contents: (usize, usize), first: usize) {
        let body = self.body;
        let (_, first_title) = titles_before(body, self.contents, first, contents.1);
        let start = (contents.1..first_title).find(|i| {
            body.get(*i).is_some_and(|l| {
                let e = essence(l.text());
                e == "preamble"
                    || e.starts_with("preamblewhereas")
                    || e.starts_with("whereas")
                    || e.starts_with("wethepeople")
                    || e.starts_with("beitenacted")
            })
        });
        for l in body.get(..contents.0).unwrap_or_default() {
            self.lose(l);
        }
        for i in contents.1..start.unwrap_or(first_title) {
            if let Some(l) = body.get(i) {
                if self.names_act(l.text()) { self.placed += letters(l.text()) } else { self.lose(l) }
            }
        }
        let Some(start) = start else { return };
        let Some(l) = body.get(start) else { return };
        let mut provision = self.context.provision(Unit::Preamble, l.line.page, l.line.offset);
        for i in start..first_title {
            if let Some(l) = body.get(i) {
                if i == start && essence(l.text()) == "preamble" {
                    self.placed += letters(l.text());
                    continue;
                }
                self.push_line(l, 0, Join::Auto);
            }
        }
        let (text, notes) = self.builder.take();
        let text = match text.strip_prefix("Preamble.") {
            Some(rest) => rest.trim_start_matches(['—', '–', '-', ' ']).to_owned(),
            None => text,
        };
        provision.text = text;
        provision.annotations = notes;
        provision.heading = Some("Preamble".to_owned());
        self.out.provisions.push(provision);
    }

    fn lose(&mut self, line: &BodyLine<'_>) {
        let n = letters(line.text());
        let page = line.page();
        match self.out.unassigned.last_mut() {
            Some((p, count, words)) if *p == page => {
                *count += n;
                if words.len() < 80 {
                    words.push(' ');
                    words.push_str(line.text());
                }
            }
            _ => self.out.unassigned.push((page, n, line.text().to_owned())),
        }
    }

    /// The line on which a provision begins: that of its number, or of the title above it.
    fn top(&self, head: &Head) -> usize {
        self.habit.above(self.body, head).unwrap_or(head.line)
    }

    /// Whether a line is the act's own title.
    fn names_act(&self, text: &str) -> bool {
        let e = essence(text);
        let e = e.strip_prefix("the").unwrap_or(&e);
        !e.is_empty()
            && self.context.manifest.title.values().any(|t| {
                let own = essence(t);
                own.strip_prefix("the").unwrap_or(&own) == e
            })
    }

    fn is_own_title(&self, title: &Title) -> bool {
        !title.divides && self.names_act(&title.text)
    }

    fn sections(&mut self, chosen: &[Head], end: usize) {
        let body = self.body;
        let end = self.signatures(chosen.last().map_or(0, |h| h.line + 1), end);
        let mut crumbs: Vec<(usize, String)> = Vec::new();
        let from = self.contents.range.1;
        for (k, head) in chosen.iter().enumerate() {
            let from = if k == 0 { from } else { chosen.get(k - 1).map_or(from, |h| h.line + 1) };
            let top = self.top(head);
            let (titles, first_title) = titles_before(body, self.contents, top, from);
            for i in first_title..head.line {
                if let Some(l) = body.get(i) {
                    self.placed += letters(l.text());
                    let notes = self.notes(l);
                    self.builder.skip(l, l.line.text.len(), notes);
                }
            }
            let (_, mut title_notes) = self.builder.take();
            let mut own: Vec<String> = Vec::new();
            let plain = body.get(head.line).is_some_and(|l| l.line.at.is_none());
            for title in titles {
                // The act's own title is none of its chapters'.
                if k == 0 && self.is_own_title(&title) {
                    continue;
                }
                // A title that another one ends at once stands over nothing; in a text its words are kept.
                crumbs.retain(|c| {
                    let stays = c.0 < title.level;
                    if !stays && plain && own.contains(&c.1) {
                        title_notes.push(note(c.1.clone()));
                    }
                    stays
                });
                own.push(title.text.clone());
                crumbs.push((title.level, title.text));
            }
            let next = chosen.get(k + 1);
            let stop = next.map_or(end, |n| titles_before(body, self.contents, self.top(n), head.line + 1).1);
            let breadcrumb: Vec<String> = crumbs.iter().map(|c| c.1.clone()).collect();
            self.section(head, stop, breadcrumb, title_notes);
        }
    }

    /// Where the names of those who signed and the printer's words begin, if the document ends with them; they are
    /// no part of the last section.
    fn signatures(&mut self, from: usize, end: usize) -> usize {
        const MOST: usize = 12;
        const WORDS: [&str; 9] = [
            "secretary",
            "printed",
            "uploaded",
            "press",
            "counsel",
            "published by",
            "signature",
            "manager",
            "registrar",
        ];
        if end < self.body.len() {
            return end;
        }
        let mut start = end;
        while start > from && end - start < MOST {
            let Some(l) = self.body.get(start - 1).filter(|l| l.line.at.is_some()) else { break };
            let lower = l.text().to_lowercase();
            let far = l.indent > 10.0;
            let named = WORDS.iter().any(|w| lower.contains(w)) && l.text().len() < 120;
            if !(far || named || (is_upper(l.text()) && (l.set_in() || start < end))) {
                break;
            }
            start -= 1;
        }
        let named = self.body.get(start..end).unwrap_or_default().iter().any(|l| {
            let lower = l.text().to_lowercase();
            WORDS.iter().any(|w| lower.contains(w))
        });
        if !named {
            return end;
        }
        for l in self.body.get(start..end).unwrap_or_default() {
            self.lose(l);
        }
        start
    }

    /// Whether line `i` divides the act, in the middle of what would be a provision.
    fn divides(&self, i: usize) -> bool {
        self.body.get(i).is_some_and(|l| is_division(l.text()) && is_upper(l.text()))
            || division_at(self.body, i).is_some()
    }

    /// One provision: from its head to `stop`.
    fn section(
        &mut self,
        head: &Head,
        stop: usize,
        breadcrumb: Vec<String>,
        mut title_notes: Vec<nyaya_corpora::Annotation>,
    ) {
        let body = self.body;
        let Some(first) = body.get(head.line) else { return };
        let notes = self.notes(first);
        self.builder.skip(first, head.start, notes);
        let (_, head_notes) = self.builder.take();
        let mut provision = self.context.provision(
            self.context.unit(head.number.clone()),
            first.line.page,
            first.line.offset,
        );
        provision.breadcrumb = breadcrumb;
        provision.in_force_from = super::dates::inserted(&head_notes);
        let mut state: Option<String> = None;
        let (mut footnotes, mut aside) = (false, false);
        let place = place(body, head, stop, self.habit);
        for i in head.line..stop {
            let Some(l) = body.get(i) else { continue };
            if i > head.line && (is_state_amendment(l.text()) || state.is_some()) {
                let text = state.get_or_insert_default();
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(l.text());
                self.placed += letters(l.text());
                continue;
            }
            // Markdown puts a section's footnotes under it.
            if aside {
                self.lose(l);
                continue;
            }
            if l.text().starts_with('#') && i > head.line && place != Some(Place::Line(i)) {
                // A title of the whole document opens the next file of a folder, with lines about that file.
                aside = l.text().starts_with("# ");
                if aside {
                    self.lose(l);
                    continue;
                }
                footnotes = essence(l.text()) == "footnotes";
                self.placed += letters(l.text());
                if !footnotes {
                    self.builder.note(AnnotationKind::Other, None, l.text().to_owned());
                }
                continue;
            }
            if footnotes {
                self.placed += letters(l.text());
                let text = l.text();
                let digits = text.bytes().take_while(u8::is_ascii_digit).count();
                let marker = text
                    .get(..digits)
                    .filter(|m| !m.is_empty() && text.get(digits..).is_some_and(|r| r.starts_with('.')));
                match marker {
                    Some(m) => {
                        let rest = text.get(m.len() + 1..).unwrap_or_default().trim();
                        self.builder.note(AnnotationKind::Footnote, Some(m.to_owned()), rest.to_owned());
                    }
                    None => self.builder.more_of_note(text),
                }
                continue;
            }
            // A division whose sections are all gone stands between sections.
            if i > head.line && (l.set_in() || l.line.at.is_none()) && self.divides(i) {
                state = Some(l.text().to_owned());
                self.placed += letters(l.text());
                continue;
            }
            let from = if i == head.line { head.end } else { 0 };
            match place {
                Some(Place::Until(end)) if i == head.line => {
                    let notes = self.notes(l);
                    self.builder.part(l, from..end, Join::Auto, notes);
                    self.builder.close();
                    self.push_line(l, end, Join::Paragraph);
                }
                _ => self.push_line(l, from, Join::Auto),
            }
            if place == Some(Place::Line(i)) {
                self.builder.close();
            }
        }
        let (raw, annotations) = self.builder.take();
        title_notes.extend(head_notes);
        for note in &mut title_notes {
            note.at = None;
        }
        let listed = self
            .contents
            .by_number
            .get(&head.number)
            .and_then(|i| self.contents.entries.get(*i))
            .map(|e| e.2.clone());
        let beside = self.margin.remove(&head.line).unwrap_or_default();
        let (heading, cut) = if beside.heading.is_empty() {
            let titled = place.and_then(|_| raw.find('\n')).filter(|at| raw.len() > at + 1);
            match titled {
                Some(at) => {
                    let heading = plain_heading(raw.get(..at).unwrap_or_default());
                    let inside = heading.strip_prefix('(').and_then(|h| h.strip_suffix(')'));
                    let heading = inside.map_or_else(|| heading.clone(), str::to_owned);
                    // "**1. Title.** — Words": the dash stood between the two.
                    let words = raw.get(at + 1..).unwrap_or_default();
                    let dash = match place {
                        Some(Place::Until(_)) => {
                            words.len() - words.trim_start_matches(['—', '–', ':', ' ']).len()
                        }
                        _ => 0,
                    };
                    let dash = if dash < words.len() { dash } else { 0 };
                    (Some(heading).filter(|h| !h.is_empty()), at + 1 + dash)
                }
                None => heading_of(&raw, listed.as_deref()),
            }
        } else {
            (Some(plain_heading(&beside.heading)).filter(|h| !h.is_empty()), 0)
        };
        // A row of stars is all that is left of some.
        let stars = raw.is_empty()
            && annotations
                .iter()
                .any(|a| a.kind == AnnotationKind::AmendmentMark && a.text.matches('*').count() >= 3);
        let gone = if stars { Some((Status::Omitted, None)) } else { gone(&raw, head.to.is_some()) };
        if let Some((status, title)) = gone {
            provision.status = status;
            provision.heading =
                title.or_else(|| listed.as_deref().and_then(left_of)).filter(|h| !h.is_empty());
            provision.in_force_from = None;
            provision.in_force_until = super::dates::with_effect_from(&raw);
            provision.text = raw;
            provision.annotations = annotations;
        } else {
            provision.heading = heading;
            provision.text = raw.get(cut..).unwrap_or_default().to_owned();
            provision.annotations = annotations
                .into_iter()
                .map(|mut a| {
                    a.at = a.at.and_then(|at| at.checked_sub(cut));
                    a
                })
                .collect();
        }
        title_notes.append(&mut provision.annotations);
        provision.annotations = title_notes;
        strip_carets(&mut provision);
        for text in beside.others {
            provision.annotations.push(nyaya_corpora::Annotation {
                kind: AnnotationKind::Other,
                marker: None,
                text,
                at: None,
            });
        }
        if let Some(text) = state {
            let at = Some(provision.text.len());
            provision.annotations.push(nyaya_corpora::Annotation {
                kind: AnnotationKind::Other,
                marker: None,
                text,
                at,
            });
        }
        let numbers = self.range(head);
        for number in numbers {
            let mut copy = provision.clone();
            copy.id = self.context.id(self.context.unit(number));
            self.out.provisions.push(copy);
        }
        self.out.provisions.push(provision);
        if head.to.is_some() {
            // The first of the range was pushed last; put the range in order.
            let n = self.range(head).len();
            let at = self.out.provisions.len() - 1 - n;
            if let Some(tail) = self.out.provisions.get_mut(at..) {
                tail.rotate_right(1);
            }
        }
    }

    /// The further numbers of a range: those expected or listed, else the plain ones, and its end.
    fn range(&self, head: &Head) -> Vec<Number> {
        let Some(to) = &head.to else { return Vec::new() };
        let inside = |n: &&Number| **n > head.number && *n <= to;
        let mut numbers: Vec<Number> = self.context.expected.iter().filter(inside).cloned().collect();
        numbers.extend(self.contents.entries.iter().map(|e| &e.0).filter(inside).cloned());
        if numbers.is_empty() && to.base - head.number.base < 500 {
            numbers.extend((head.number.base + 1..=to.base).map(Number::plain).filter(|n| n <= to));
            numbers.push(to.clone());
        }
        numbers.sort();
        numbers.dedup();
        numbers
    }

    fn schedules(&mut self, heads: &[(usize, u32)]) {
        let body = self.body;
        for (k, (start, n)) in heads.iter().enumerate() {
            let stop = heads.get(k + 1).map_or(body.len(), |h| h.0);
            if *n == 0 {
                for l in body.get(*start..).unwrap_or_default() {
                    self.lose(l);
                }
                continue;
            }
            let Some(first) = body.get(*start) else { continue };
            let mut provision =
                self.context.provision(Unit::Schedule(Number::plain(*n)), first.line.page, first.line.offset);
            let mut heading = self.contents.schedules.get(n).cloned().filter(|h| !h.is_empty());
            let announced = annexed::at(body, *start);
            let own = announced.as_ref().map(|a| a.title.clone()).filter(|t| !t.is_empty());
            let mut titles = Vec::new();
            let mut state: Option<String> = None;
            for i in start + 1..stop {
                let Some(l) = body.get(i) else { continue };
                if is_state_amendment(l.text()) || state.is_some() {
                    let text = state.get_or_insert_default();
                    text.push_str(l.text());
                    text.push('\n');
                    self.placed += letters(l.text());
                    continue;
                }
                if i <= start + 4 && is_upper(l.text()) && titles.len() + 1 == i - start {
                    titles.push(tidy(l));
                }
                // Entries, parts, lists and titles stand on lines of their own.
                let entry = number_at(plain_start(&l.line.text)).is_some_and(|(_, n)| {
                    plain_start(&l.line.text).get(n..).is_some_and(|r| r.starts_with('.'))
                });
                let title = is_upper(l.text())
                    || is_division(l.text())
                    || (l.set_in() && l.text().len() < 80 && looks_like_group(l.text()));
                let own = entry
                    || title
                    || !l.line.gaps.is_empty()
                    || l.text().starts_with("[Article")
                    || l.text().starts_with("(Article");
                self.push_line(l, 0, if own { Join::Paragraph } else { Join::Auto });
                if own && !entry {
                    self.builder.close();
                }
            }
            let notes = self.notes(first);
            self.placed += letters(first.text());
            let (text, mut annotations) = self.builder.take();
            self.builder.skip(first, first.line.text.len(), notes);
            let (_, own_notes) = self.builder.take();
            annotations.splice(
                0..0,
                own_notes.into_iter().map(|mut a| {
                    a.at = None;
                    a
                }),
            );
            if heading.is_none() {
                heading = own
                    .or_else(|| (!titles.is_empty()).then(|| titles.join(" ")))
                    .or_else(|| announced.and_then(|a| a.label).filter(|l| l.contains(' ')));
            }
            if let Some(text) = state {
                let at = Some(provision.text.len());
                annotations.push(nyaya_corpora::Annotation {
                    kind: AnnotationKind::Other,
                    marker: None,
                    text,
                    at,
                });
            }
            provision.heading = heading;
            provision.text = text;
            provision.annotations = annotations;
            self.out.provisions.push(provision);
        }
    }

    /// Numbers that the contents table gives as omitted and the body has no row for.
    fn omitted_in_contents(&mut self) {
        let held: HashSet<Number> = self
            .out
            .provisions
            .iter()
            .filter_map(|p| p.id.unit.number().cloned().filter(|_| p.id.unit.is_numbered_provision()))
            .collect();
        for (number, _, heading) in &self.contents.entries {
            if held.contains(number) {
                continue;
            }
            let gone =
                heading.contains("Omitted") || heading.contains("Repealed") || heading.contains("Rep.");
            if !gone {
                continue;
            }
            let status = if heading.contains("Omitted") { Status::Omitted } else { Status::Repealed };
            let mut provision = self.context.provision(self.context.unit(number.clone()), None, 0);
            provision.source.offset = None;
            provision.status = status;
            provision.heading = Some(bare_heading(heading)).filter(|h| !h.is_empty());
            provision.text = heading.trim_matches(['[', ']', ' ']).to_owned();
            let mut note = Diagnostic::new(
                Severity::Info,
                "omitted_in_contents",
                format!(
                    "{} stands in the contents table as omitted and has no row of its own in the body",
                    provision.id
                ),
            );
            note.id = Some(provision.id.clone());
            self.out.diagnostics.push(note);
            let at = self.out.provisions.iter().position(|p| {
                p.id.unit.is_numbered_provision() && p.id.unit.number().is_some_and(|n| n > number)
                    || matches!(p.id.unit, Unit::Schedule(_))
            });
            self.out.provisions.insert(at.unwrap_or(self.out.provisions.len()), provision);
        }
    }

    /// Footnotes that no mark pointed to go to the last provision that stands on their page.
    fn stray_notes(&mut self) {
        let mut strays = 0;
        for (page, notes) in &self.cleaned.footnotes {
            for (i, note) in notes.iter().enumerate() {
                if self.builder.used.contains(&(*page, i)) {
                    continue;
                }
                strays += 1;
                let provision = self
                    .out
                    .provisions
                    .iter_mut()
                    .filter(|p| p.source.page.is_some_and(|at| at <= *page))
                    .max_by_key(|p| p.source.page);
                if let Some(provision) = provision {
                    provision.annotations.push(nyaya_corpora::Annotation {
                        kind: AnnotationKind::Footnote,
                        marker: Some(note.marker.clone()).filter(|m| !m.is_empty()),
                        text: note.text.clone(),
                        at: None,
                    });
                }
            }
        }
        if strays > 0 {
            self.out.diagnostics.push(Diagnostic::new(Severity::Info, "unmarked_footnotes", format!("{strays} footnotes have no mark in the text; each is kept with the last provision of its page")));
        }
    }
}
