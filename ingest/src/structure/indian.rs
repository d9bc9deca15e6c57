//! Acts and the Constitution of India.

use std::collections::{BTreeMap, HashMap, HashSet};

use nyaya_corpora::{AnnotationKind, Diagnostic, Number, Provision, Severity, Status, Unit};

use crate::read::Line;

use super::chain::{Candidate, heaviest};
use super::pages::{BodyLine, Cleaned, Footnote, clean};
use super::words::{Builder, Join, is_label, plain_start};
use super::{Context, Structured, essence, letters, numerals};

/// Something at the start of a line that may be the number of a provision.
#[derive(Debug, Clone)]
struct Head {
    /// Index of the line.
    line: usize,
    number: Number,
    /// Last number of a range ("161 to 165A").
    to: Option<Number>,
    /// Byte at which the number begins, and at which what follows it begins.
    start: usize,
    end: usize,
}

/// A table of contents.
#[derive(Debug, Default)]
struct Contents {
    /// Line of its first entry and of the first line after it.
    range: (usize, usize),
    entries: Vec<(Number, Option<Number>, String)>,
    by_number: HashMap<Number, usize>,
    /// Titles and group headings in it.
    titles: HashSet<String>,
    schedules: BTreeMap<u32, String>,
}

pub(super) fn structure(lines: &[Line], context: &Context<'_>) -> Structured {
    let cleaned = clean(lines);
    let body = &cleaned.lines;
    let mut out =
        Structured { letters: lines.iter().map(|l| letters(&l.text)).sum(), ..Structured::default() };
    let heads = candidates(body);
    let contents = contents(body, &heads);
    out.contents = contents
        .entries
        .iter()
        .map(|(n, _, h)| (context.unit(n.clone()), Some(h.clone()).filter(|h| !h.is_empty())))
        .collect();
    let from = contents.range.1;
    let schedules = schedule_heads(body, from, &heads);
    let end = schedules.first().map_or_else(|| back_matter(body, from).unwrap_or(body.len()), |s| s.0);
    let chosen = choose(body, &heads, &contents, from, end, context);

    let mut reader = Reader {
        body,
        cleaned: &cleaned,
        context,
        contents: &contents,
        builder: Builder::default(),
        out,
        placed: cleaned.furniture,
    };
    reader.placed += body
        .get(contents.range.0..contents.range.1)
        .unwrap_or_default()
        .iter()
        .map(|l| letters(l.text()))
        .sum::<usize>();
    reader.placed +=
        cleaned.footnotes.values().flatten().map(|n| letters(&n.text) + letters(&n.marker)).sum::<usize>();
    reader.front(contents.range, chosen.first().map_or(end, |h| h.line));
    reader.sections(&chosen, end);
    reader.schedules(&schedules);
    reader.omitted_in_contents();
    reader.stray_notes();
    let mut out = reader.out;
    let lost = out.letters.saturating_sub(reader.placed);
    out.unassigned_share = if out.letters == 0 { 0.0 } else { lost as f64 / out.letters as f64 };
    out
}

/// The number at the start of a line, if one is there.
fn head_at(line: &Line) -> Option<(Number, Option<Number>, usize, usize)> {
    let text = line.text.as_str();
    // A raised figure is the mark of a note, glued to the number it stands before.
    let mut mark = 0;
    loop {
        let rest = text.get(mark..)?;
        let after = rest.len() - rest.trim_start_matches([' ', '[', '*']).len();
        match line.raised.iter().find(|r| r.start == mark + after && r.end > r.start) {
            Some(range) => mark = range.end,
            None => break,
        }
    }
    let plain = plain_start(text.get(mark..)?);
    let mut start = text.len() - plain.len();
    let mut rest = plain;
    // Markdown and bare headings: "## Section 12 - Title", "**12. Title**".
    let hashes = rest.len() - rest.trim_start_matches(['#', '*', ' ']).len();
    let marked = rest.starts_with('#') || rest.starts_with("**");
    if marked {
        rest = rest.get(hashes..)?;
        start += hashes;
        for word in ["Section ", "SECTION ", "Article ", "ARTICLE ", "Sec. ", "Art. ", "S. "] {
            if let Some(after) = rest.strip_prefix(word) {
                start += word.len();
                rest = after;
                break;
            }
        }
    }
    let (number, mut used) = number_at(rest)?;
    let mut to = None;
    // "161 to 165A.", "161. to 165A. [Repealed]", "379-391."
    let after = rest.get(used..)?.trim_start_matches(['.', ' ']);
    for word in ["to ", "—", "–", "-"] {
        if let Some(next) = after.strip_prefix(word)
            && let Some((last, n)) = number_at(next.trim_start())
            && last > number
            && next.trim_start().get(n..).is_some_and(|r| r.starts_with(['.', ' ', ']']))
        {
            let tail = next.trim_start().get(n..).unwrap_or_default();
            used = rest.len() - tail.len();
            to = Some(last);
            break;
        }
    }
    let tail = rest.get(used..)?;
    let stop = if let Some(t) = tail.strip_prefix('.').or_else(|| tail.strip_prefix(" .")) {
        // "12.5" is no head.
        if t.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        tail.len() - t.len()
    } else if marked || to.is_some() {
        let separator = tail.trim_start_matches([' ', '-', '–', '—', ':', '.']);
        tail.len() - separator.len()
    } else if tail.starts_with(" “") || tail.starts_with(" \"") || tail.starts_with(" [") {
        0
    } else {
        return None;
    };
    let end = start + used + stop;
    let skip = text.get(end..)?.len() - text.get(end..)?.trim_start().len();
    Some((number, to, start, end + skip))
}

/// `376AB`, `171-I`, `29 A` at the start; with its length.
fn number_at(text: &str) -> Option<(Number, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 4 || text.starts_with('0') {
        return None;
    }
    let base: u32 = text.get(..digits)?.parse().ok()?;
    let mut rest = text.get(digits..)?;
    let mut used = digits;
    if let Some(r) = rest.strip_prefix(['-', '–'])
        && r.bytes().next().is_some_and(|b| b.is_ascii_uppercase())
        && r.as_bytes().get(1).copied().is_none_or(|b| !b.is_ascii_alphabetic())
    {
        used += rest.len() - r.len();
        rest = r;
    }
    let capitals = rest.bytes().take_while(u8::is_ascii_uppercase).count();
    let next = rest.as_bytes().get(capitals).copied();
    if capitals > 0 && capitals <= 3 && next.is_none_or(|b| !b.is_ascii_alphabetic()) {
        return Some((Number::lettered(base, rest.get(..capitals)?), used + capitals));
    }
    Some((Number::plain(base), digits))
}

fn candidates(body: &[BodyLine<'_>]) -> Vec<Head> {
    let found: Vec<(Head, bool)> = body
        .iter()
        .enumerate()
        .filter_map(|(line, l)| {
            let (number, to, start, end) = head_at(l.line)?;
            let marked = plain_start(&l.line.text).starts_with('#');
            Some((Head { line, number, to, start, end }, marked))
        })
        .collect();
    // In Markdown that marks its heads, only those are heads.
    let marked = found.iter().filter(|(_, m)| *m).count();
    found.into_iter().filter(|(_, m)| *m || marked < 3).map(|(h, _)| h).collect()
}

fn is_contents_title(text: &str) -> bool {
    let e = essence(text);
    e.starts_with("arrangementof")
        || ["contents", "tableofcontents", "index", "arrangement"].contains(&e.as_str())
}

/// The table of contents, if there is one: from its title to where the numbers begin again.
fn contents(body: &[BodyLine<'_>], heads: &[Head]) -> Contents {
    let mut contents = Contents::default();
    let Some(title) = body.iter().position(|l| is_contents_title(l.text())) else { return contents };
    let after: Vec<&Head> = heads.iter().filter(|h| h.line > title).collect();
    let Some(first) = after.first() else { return contents };
    let again = after.iter().skip(3).find(|h| h.number == first.number && h.line > first.line + 3);
    let Some(again) = again else { return contents };
    let entries: Vec<&&Head> = after.iter().filter(|h| h.line < again.line).collect();
    // The first body head may be preceded by pages of front matter; the table ends a few lines after its last entry.
    let picks: Vec<Candidate<Number>> =
        entries.iter().map(|h| Candidate { key: h.number.clone(), weight: 1.0 }).collect();
    let chain = heaviest(&picks);
    let mut last_line = first.line;
    for (n, index) in chain.iter().enumerate() {
        let Some(head) = entries.get(*index) else { continue };
        let next = chain.get(n + 1).and_then(|i| entries.get(*i)).map_or(again.line, |h| h.line);
        let mut heading =
            clean_heading(body.get(head.line).and_then(|l| l.line.text.get(head.end..)).unwrap_or_default());
        let mut line = head.line + 1;
        while line < next {
            let Some(l) = body.get(line) else { break };
            if is_division(l.text())
                || is_upper(l.text())
                || starts_act(l.text())
                || line > head.line + 8
                || l.text().eq_ignore_ascii_case("sections")
            {
                break;
            }
            let closed =
                heading.ends_with(['.', ']']) && (n + 1 == chain.len() || l.set_in() || l.indent < 0.5);
            if closed {
                break;
            }
            heading.push(' ');
            heading.push_str(l.text());
            line += 1;
        }
        last_line = line;
        let mut group = String::new();
        for l in body.get(line..next).unwrap_or_default() {
            if n + 1 < chain.len() {
                contents.titles.insert(essence(l.text()));
                // A group heading may run over two lines here and one line there.
                group = if is_division(l.text()) || is_upper(l.text()) {
                    String::new()
                } else {
                    format!("{group}{}", essence(l.text()))
                };
                contents.titles.insert(group.clone());
            }
        }
        contents.by_number.entry(head.number.clone()).or_insert(contents.entries.len());
        contents.entries.push((head.number.clone(), head.to.clone(), clean_heading(&heading)));
    }
    for l in body.get(title..first.line).unwrap_or_default() {
        contents.titles.insert(essence(l.text()));
    }
    // Schedules and appendices are listed after the sections.
    let mut end = last_line;
    let mut schedule: Option<u32> = None;
    for (i, l) in body.iter().enumerate().take(again.line).skip(last_line) {
        if let Some((n, title)) = schedule_title(l.text()) {
            schedule = Some(n);
            contents.schedules.insert(n, title);
            end = i + 1;
        } else if starts_act(l.text()) || (is_upper(l.text()) && essence(l.text()).contains("preamble")) {
            break;
        } else if let Some(n) = schedule
            && !is_back_matter(l.text())
        {
            if let Some(t) = contents.schedules.get_mut(&n).filter(|t| !t.ends_with('.')) {
                t.push(' ');
                t.push_str(l.text());
            }
            end = i + 1;
        } else {
            schedule = None;
            if is_back_matter(l.text()) {
                end = i + 1;
            } else if end > last_line {
                // A second line of an appendix's title.
                end = if i == end { i + 1 } else { end };
            }
        }
    }
    for title in contents.schedules.values_mut() {
        *title =
            title.trim_matches(|c: char| c.is_whitespace() || matches!(c, '—' | '–' | '-' | '.')).to_owned();
    }
    contents.range = (title, end.min(again.line));
    contents
}

/// Words with which the act itself begins after its contents.
fn starts_act(text: &str) -> bool {
    let e = essence(text);
    e.starts_with("actno")
        || e.starts_with("theconstitutionofindia")
        || e.starts_with("anactto")
        || e.starts_with("wethepeople")
}

fn clean_heading(text: &str) -> String {
    let mut text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    while text.ends_with(['#', '*', ' ']) {
        text.pop();
    }
    text
}

/// `CHAPTER IV`, `PART IXA—…`, with the rest of the line.
fn division(text: &str) -> Option<(usize, String, String)> {
    let plain = plain_start(text.trim_start_matches(['#', ' ']));
    let (level, word, rest) = [(0, "PART"), (1, "CHAPTER"), (0, "BOOK"), (0, "Part"), (1, "Chapter")]
        .iter()
        .find_map(|(level, word)| plain.strip_prefix(word).map(|rest| (*level, *word, rest)))?;
    let rest = rest.trim_start();
    let numeral: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
    let tail = rest.get(numeral.len()..)?.trim_start();
    let romans = numeral
        .trim_end_matches(|c: char| c.is_ascii_uppercase() && !matches!(c, 'I' | 'V' | 'X' | 'L' | 'C'));
    let plain_number = !numeral.is_empty() && numeral.bytes().all(|b| b.is_ascii_digit());
    if !(plain_number || numerals::is_roman(romans)) || numeral.len() > 9 {
        return None;
    }
    let title = tail.trim_start_matches(['.', '—', '–', '-', ':', ' ', ']']).trim().to_owned();
    let separated = tail.is_empty() || tail.starts_with(['.', '—', '–', '-', ':', ']']);
    let lower = word == "Part" || word == "Chapter";
    // "Part III of this Constitution" and "CHAPTER X shall" are text.
    if !separated || (lower && !title.is_empty() && !text.trim_start().starts_with('#')) || title.len() > 120
    {
        return None;
    }
    Some((level, format!("{} {}", word.to_ascii_uppercase(), numeral), title))
}

fn is_division(text: &str) -> bool {
    division(text).is_some()
}

/// Mostly capitals, as titles are.
fn is_upper(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    letters.len() >= 4 && letters.iter().filter(|c| c.is_uppercase()).count() * 10 >= letters.len() * 9
}

/// `THE FIRST SCHEDULE—Title`: the number and the title.
fn schedule_title(text: &str) -> Option<(u32, String)> {
    let plain = plain_start(text.trim_start_matches(['#', ' ']));
    let upper = plain.to_ascii_uppercase();
    if upper.len() != plain.len() || plain.len() > 160 {
        return None;
    }
    let core = upper.strip_prefix("THE ").unwrap_or(&upper);
    let skipped = upper.len() - core.len();
    if !plain.get(skipped..)?.chars().take(6).all(|c| !c.is_lowercase()) {
        return None;
    }
    let (n, at) = if let Some(rest) = core.strip_prefix("SCHEDULE") {
        let word: String = rest.trim_start().chars().take_while(char::is_ascii_alphanumeric).collect();
        match numerals::ordinal(&word) {
            Some(n) => (n, skipped + core.len() - rest.trim_start().len() + word.len()),
            None => (1, skipped + "SCHEDULE".len()),
        }
    } else {
        let word = core.split(' ').next()?;
        let n = numerals::ordinal(word)?;
        let rest = core.get(word.len()..)?.trim_start();
        rest.strip_prefix("SCHEDULE")?;
        (n, skipped + core.len() - rest.len() + "SCHEDULE".len())
    };
    let title = plain.get(at..)?;
    let tail = title.trim_start();
    if !(tail.is_empty() || tail.starts_with(['.', '—', '–', '-', ':', ']', '('])) {
        return None;
    }
    Some((n, tail.trim_start_matches(['.', '—', '–', '-', ':', ']', ' ']).to_owned()))
}

fn is_back_matter(text: &str) -> bool {
    let upper = plain_start(text);
    ["APPENDIX", "ANNEXURE", "ANNEX ", "APPENDICES"].iter().any(|w| upper.starts_with(w)) && text.len() < 200
}

fn back_matter(body: &[BodyLine<'_>], from: usize) -> Option<usize> {
    body.iter().enumerate().skip(from).find(|(_, l)| is_back_matter(l.text())).map(|(i, _)| i)
}

/// Lines on which schedules begin, in ascending order, after the sections.
fn schedule_heads(body: &[BodyLine<'_>], from: usize, heads: &[Head]) -> Vec<(usize, u32)> {
    let mut found: Vec<(usize, u32)> = Vec::new();
    // A schedule cannot come before the greatest part of the sections.
    let numbered = heads.iter().filter(|h| h.line >= from).count();
    let mut seen = 0;
    let mut index = 0;
    let starts: Vec<usize> = heads.iter().filter(|h| h.line >= from).map(|h| h.line).collect();
    for (i, l) in body.iter().enumerate().skip(from) {
        while starts.get(index).is_some_and(|s| *s < i) {
            index += 1;
            seen += 1;
        }
        if !found.is_empty() && is_back_matter(l.text()) {
            found.push((i, 0));
            break;
        }
        let Some((n, _)) = schedule_title(l.text()) else { continue };
        if (found.is_empty() && seen * 4 < numbered && n == 1 && numbered > 8 && seen < 5)
            || !is_upper(l.text())
        {
            continue;
        }
        let next = found.last().map_or(1, |f| f.1 + 1);
        if n == next {
            found.push((i, n));
        }
    }
    found
}

/// The heads among the candidates.
fn choose(
    body: &[BodyLine<'_>],
    heads: &[Head],
    contents: &Contents,
    from: usize,
    end: usize,
    context: &Context<'_>,
) -> Vec<Head> {
    let heads: Vec<&Head> = heads.iter().filter(|h| h.line >= from && h.line < end).collect();
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
        let quoted =
            line.is_some_and(|l| l.line.text.get(..head.start).is_some_and(|s| s.contains(['“', '"'])));
        if quoted {
            weight *= 0.2;
        }
        weighted.push(Candidate { key: head.number.clone(), weight });
    }
    heaviest(&weighted).into_iter().filter_map(|i| heads.get(i).map(|h| (*h).clone())).collect()
}

fn is_state_amendment(text: &str) -> bool {
    let e = essence(text);
    e == "stateamendment" || e == "stateamendments"
}

/// Where a heading ends and the text begins: byte of the end and of the start.
fn split_at(text: &str) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    for (mark, from) in [
        ("—", 0),
        (".–", 1),
        (". –", 1),
        (".-", 1),
        (". -", 1),
        (".__", 1),
        ("”–", "”".len()),
        (".--", 1),
        ("--", 0),
    ] {
        if let Some(at) = text.find(mark)
            && best.is_none_or(|b| at + from < b.0)
        {
            best = Some((at + from, at + mark.len()));
        }
    }
    best
}

struct Reader<'a> {
    body: &'a [BodyLine<'a>],
    cleaned: &'a Cleaned<'a>,
    context: &'a Context<'a>,
    contents: &'a Contents,
    builder: Builder,
    out: Structured,
    placed: usize,
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
        let (_, first_title) = self.titles_before(first, contents.1);
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
                self.lose(l);
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

    /// Titles directly before a head: division lines, lines of capitals, group headings. Returns them from the
    /// outside in, with the index of the first.
    fn titles_before(&self, head: usize, from: usize) -> (Vec<Title>, usize) {
        let mut first = head;
        while first > from {
            let Some(l) = self.body.get(first - 1) else { break };
            let text = l.text();
            let known = self.contents.titles.contains(&essence(text)) && letters(text) > 3;
            let before_ends = first
                .checked_sub(2)
                .and_then(|i| self.body.get(i))
                .is_none_or(|b| ends_text(b.text()) || is_division(b.text()) || is_upper(b.text()));
            let group = looks_like_group(text)
                && !is_label(text)
                && (l.set_in() || known || text.starts_with('#'))
                && (before_ends || known);
            // "Part XI." at the margin is the end of a sentence.
            let divides = is_division(text) && (l.line.at.is_none() || l.set_in());
            if !(divides
                || (is_upper(text) && !is_label(text) && (l.line.at.is_none() || l.set_in() || known))
                || group
                || essence(text) == "sections")
            {
                break;
            }
            first -= 1;
            if head - first > 14 {
                break;
            }
        }
        let mut titles: Vec<Title> = Vec::new();
        let mut open = false;
        for i in first..head {
            let Some(l) = self.body.get(i) else { continue };
            let text = tidy(l);
            if essence(&text) == "sections" {
                continue;
            }
            if let Some((level, name, title)) = division(&l.line.text).filter(|_| is_division(l.text())) {
                titles.push(Title {
                    level,
                    text: if title.is_empty() { name } else { format!("{name}. {}", tidy_text(&title)) },
                });
                open = true;
            } else if let Some(last) = titles.last_mut().filter(|t| open && t.level < 2 && is_upper(&text)) {
                let glue = if last.text.contains(['.', ' ']) && last.text.split(' ').count() > 2 {
                    " "
                } else {
                    ". "
                };
                last.text.push_str(glue);
                last.text.push_str(&text);
            } else if let Some(last) = titles.last_mut().filter(|t| {
                t.level == 2
                    && is_upper(&text) == is_upper(&t.text)
                    && !self.contents.titles.contains(&essence(&text))
            }) {
                last.text.push(' ');
                last.text.push_str(&text);
            } else {
                titles.push(Title { level: 2, text });
                open = false;
            }
        }
        (titles, first)
    }

    fn sections(&mut self, chosen: &[Head], end: usize) {
        let body = self.body;
        let mut crumbs: [Option<String>; 3] = [None, None, None];
        let from = self.contents.range.1;
        for (k, head) in chosen.iter().enumerate() {
            let (titles, first_title) = self.titles_before(
                head.line,
                if k == 0 { from } else { chosen.get(k - 1).map_or(from, |h| h.line + 1) },
            );
            for i in first_title..head.line {
                if let Some(l) = body.get(i) {
                    self.placed += letters(l.text());
                    let notes = self.notes(l);
                    self.builder.skip(l, l.line.text.len(), notes);
                }
            }
            let (_, title_notes) = self.builder.take();
            for title in titles {
                let level = title.level.min(2);
                if let Some(slots) = crumbs.get_mut(level..) {
                    for slot in slots.iter_mut() {
                        *slot = None;
                    }
                    if let Some(slot) = slots.first_mut() {
                        *slot = Some(title.text);
                    }
                }
            }
            let next = chosen.get(k + 1);
            let stop = next.map_or(end, |n| self.titles_before(n.line, head.line + 1).1);
            let breadcrumb: Vec<String> = crumbs.iter().flatten().cloned().collect();
            self.section(head, stop, breadcrumb, title_notes);
        }
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
        let mut state: Option<String> = None;
        let (mut footnotes, mut aside) = (false, false);
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
            if l.text().starts_with('#') && i > head.line {
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
            if i > head.line
                && is_division(l.text())
                && (l.set_in() || l.line.at.is_none())
                && is_upper(l.text())
            {
                state = Some(l.text().to_owned());
                self.placed += letters(l.text());
                continue;
            }
            let from = if i == head.line { head.end } else { 0 };
            self.push_line(l, from, Join::Auto);
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
        let (heading, cut) = heading_of(&raw, listed.as_deref());
        let gone = gone(&raw, head.to.is_some());
        if let Some((status, title)) = gone {
            provision.status = status;
            provision.heading =
                title.or_else(|| listed.clone().map(|h| bare_heading(&h))).filter(|h| !h.is_empty());
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
            let own = schedule_title(first.text()).map(|t| t.1).filter(|t| !t.is_empty());
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
                heading = own.or_else(|| (!titles.is_empty()).then(|| titles.join(" ")));
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

/// `date^1` in Markdown is the mark of a footnote.
fn strip_carets(provision: &mut Provision) {
    while let Some(at) = provision.text.find('^') {
        let digits =
            provision.text.get(at + 1..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 2 {
            break;
        }
        let marker = provision.text.get(at + 1..at + 1 + digits).unwrap_or_default().to_owned();
        provision.text.replace_range(at..at + 1 + digits, "");
        for note in &mut provision.annotations {
            match note.at {
                Some(place)
                    if note.kind == AnnotationKind::Footnote && note.marker.as_deref() == Some(&marker) =>
                {
                    note.at = Some(at.min(place))
                }
                Some(place) if place > at => note.at = Some(place.saturating_sub(1 + digits).max(at)),
                _ => {}
            }
        }
    }
}

#[derive(Debug)]
struct Title {
    level: usize,
    text: String,
}

fn tidy(line: &BodyLine<'_>) -> String {
    let mut text = String::new();
    let source = &line.line.text;
    for (i, c) in source.char_indices() {
        if !line.line.raised.iter().any(|r| r.contains(&i)) {
            text.push(c);
        }
    }
    tidy_text(&text)
}

fn tidy_text(text: &str) -> String {
    let text = plain_start(text.trim_start_matches(['#', ' '])).trim();
    let open = text.matches('[').count();
    let text = if open == 0 { text.trim_end_matches(']') } else { text };
    text.trim().to_owned()
}

fn ends_text(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_ascii_digit());
    text.ends_with(['.', ';', ':', ']', '”', '"', ')', '—', '*', ','])
}

/// Short, beginning with a capital, without a stop at the end.
fn looks_like_group(text: &str) -> bool {
    let text = text.trim_start_matches(['#', ' ']);
    let plain = plain_start(text);
    plain.chars().count() <= 90
        && letters(plain) >= 4
        && plain.chars().next().is_some_and(char::is_uppercase)
        && !plain.ends_with(['.', ';', ':', ',', '—', '-'])
}

/// The heading at the start of a provision's words, and where the text begins.
fn heading_of(raw: &str, listed: Option<&str>) -> (Option<String>, usize) {
    let split = split_at(raw).filter(|(at, _)| *at < 400);
    let plausible = split.filter(|(at, _)| {
        let words = raw.get(..*at).unwrap_or_default();
        // A dash inside the first paragraph of a section without heading follows a clause, not a title.
        listed.is_none() || essence(words).len() <= essence(listed.unwrap_or_default()).len() * 2 + 20
    });
    let from_list = listed.and_then(|l| after_essence(raw, &essence(l)));
    let (end, start) = match (plausible, from_list) {
        // A dash that was set into the heading does not end it.
        (Some(split), Some(at)) if at > split.0 => (at, at),
        (Some(split), _) => split,
        (None, Some(at)) => (at, at),
        (None, None) => match first_line(raw) {
            Some(at) => (at, at),
            None => return (None, 0),
        },
    };
    let words = raw.get(..end).unwrap_or_default();
    let heading = bare_heading(&if end == start { words.replace(" — ", " ") } else { words.to_owned() });
    let rest = raw.get(start..).unwrap_or_default();
    let skipped = rest.len()
        - rest
            .trim_start_matches(|c: char| {
                c.is_whitespace() || matches!(c, '—' | '–' | '.' | ':') || (c == '-' && start == end)
            })
            .len();
    if rest.len() == skipped {
        // Nothing follows: what looked like the heading is the text.
        return (None, 0);
    }
    (Some(heading).filter(|h| !h.is_empty()), start + skipped)
}

/// In Markdown the heading is the line of the head.
fn first_line(raw: &str) -> Option<usize> {
    let at = raw.find('\n')?;
    let line = raw.get(..at)?;
    (line.len() < 300
        && !line.contains('—')
        && line.split(' ').count() < 40
        && !line.ends_with([';', ',', ':']))
    .then_some(at)
}

/// Byte at which the letters of `wanted` are used up, if `raw` begins with them.
fn after_essence(raw: &str, wanted: &str) -> Option<usize> {
    let mut wanted = wanted.chars();
    let mut next = wanted.next()?;
    for (i, c) in raw.char_indices() {
        if !c.is_alphanumeric() {
            continue;
        }
        for lower in c.to_lowercase() {
            if lower != next {
                return None;
            }
            match wanted.next() {
                Some(n) => next = n,
                None => return Some(i + c.len_utf8()),
            }
        }
    }
    None
}

fn bare_heading(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = text.trim();
    for word in ["Omitted.", "Omitted", "Repealed.", "Repealed", "Rep."] {
        let cut = text.trim_end_matches([']', '.', ' ']);
        if let Some(rest) = cut.strip_suffix(word.trim_end_matches('.')) {
            text = rest;
            break;
        }
    }
    let trimmed = text
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '—' | '–' | ':' | '#' | '*' | '-'));
    let trimmed = match (trimmed.starts_with('['), trimmed.ends_with(']')) {
        (true, true) => trimmed.trim_start_matches('[').trim_end_matches(']'),
        (true, false) if !trimmed.contains(']') => trimmed.trim_start_matches('['),
        (false, true) if !trimmed.contains('[') => trimmed.trim_end_matches(']'),
        _ => trimmed,
    };
    trimmed.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '—' | '–')).to_owned()
}

/// Whether the words say that the provision is no longer there, and what its heading was.
fn gone(raw: &str, range: bool) -> Option<(Status, Option<String>)> {
    let trimmed = raw.trim();
    let bound = trimmed.char_indices().map(|(i, _)| i).nth(700).unwrap_or(trimmed.len());
    let head = trimmed.get(..bound)?;
    let words = ["Omitted", "Repealed", "Rep.", "Rep "];
    let (at, word) = words.iter().filter_map(|w| head.find(w).map(|at| (at, *w))).min()?;
    let before = head.get(..at)?.trim_end();
    let status = if word == "Omitted" { Status::Omitted } else { Status::Repealed };
    let title = bare_heading(before);
    // "[Title.] Omitted by …", "[Repealed.]", "Rep. by …"; not "Repeals.—The acts … are repealed".
    let bare = title.is_empty();
    let bracketed = before.starts_with('[') || before.ends_with([']', '.', '—']);
    let after = head.get(at + word.len()..)?.trim_start_matches(['.', ']', ' ', '\n']);
    let follows = after.is_empty()
        || after.starts_with("by")
        || after.starts_with("ibid")
        || after.starts_with(',')
        || after.starts_with("by the")
        || after.starts_with('(')
        || after.starts_with("w.e.f");
    let short = trimmed.chars().count() < 700;
    // A dash with words of law before "Omitted" means that only a part went.
    let plain_title =
        before.matches('—').count() <= 1 && before.trim_end_matches(['—', ' ']).find('—').is_none();
    ((bare || bracketed || range) && follows && short && plain_title)
        .then(|| (status, Some(title).filter(|t| !t.is_empty())))
}
