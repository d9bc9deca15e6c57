//! Codes of the PRC: 编, 章, 节, 条, 款, 项; the same in traditional letters, and laws of Japan.

use std::collections::HashSet;

use nyaya_corpora::{Annotation, AnnotationKind, Diagnostic, Number, Severity, Unit};

use crate::read::Line;

use super::chain::{Candidate, heaviest};
use super::heading::gone_in_words;
use super::pages::{BodyLine, clean};
use super::{Context, Structured, essence, letters, numerals};

struct Head {
    line: usize,
    number: Number,
    end: usize,
}

/// The line without Markdown's marks and white space before its first word.
fn bare(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '>' | '\u{3000}'))
}

fn head_at(text: &str) -> Option<(Number, usize)> {
    let plain = bare(text);
    // 제4조의2: 제, 조 and 의 stand for 第, 条 and 之, and take as many bytes.
    if plain.starts_with('제') {
        let start: String = plain.chars().take(24).collect();
        let start = start.replacen('제', "第", 1).replacen('조', "条", 1).replace("条의", "条之");
        let (number, used) = numerals::article_head(&start)?;
        return Some((number, ends(text, text.len() - plain.len() + used)?));
    }
    if !plain.starts_with('第') {
        return None;
    }
    let (number, used) = match numerals::article_head(plain) {
        Some(found) if !plain.get(found.1..).is_some_and(|r| r.starts_with('の')) => found,
        // 條 and の stand for 条 and 之, and take as many bytes.
        _ => {
            let start: String = plain.chars().take(24).collect();
            numerals::article_head(&start.replace('條', "条").replace("条の", "条之"))?
        }
    };
    Some((number, ends(text, text.len() - plain.len() + used)?))
}

/// 第二条の二の二: no number has two figures behind the first.
fn is_deeper(text: &str) -> bool {
    let Some((_, at)) = head_at(text).filter(|h| h.0.sub.is_some()) else { return false };
    let before = text.get(..at).is_some_and(|t| !t.ends_with(char::is_whitespace));
    let rest = text.get(at..).and_then(|t| t.strip_prefix(['之', 'の', '의']));
    before && rest.is_some_and(|r| r.starts_with(|c: char| numerals::is_numeral(c)))
}

/// Where the words begin behind a head that ends at byte `end`.
fn ends(text: &str, end: usize) -> Option<usize> {
    let rest = text.get(end..)?;
    let words =
        rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '\u{3000}' | '：' | ':'));
    Some(end + rest.len() - words.len())
}

/// `第三章　危害公共安全罪`: level and text.
fn division(line: &BodyLine<'_>) -> Option<(usize, String)> {
    division_in(line.text())
}

/// Whether a line is the title of a part, chapter or section.
pub(super) fn is_division(text: &str) -> bool {
    division_in(text).is_some()
}

fn division_in(text: &str) -> Option<(usize, String)> {
    let plain = bare(text).trim_end();
    let squeezed: String = plain.chars().filter(|c| !c.is_whitespace()).collect();
    if ["附则", "总则", "分则", "附則", "總則", "総則", "分則"].contains(&squeezed.as_str()) {
        return Some((0, squeezed));
    }
    if squeezed == "부칙" || squeezed.starts_with("부칙<") {
        return Some((0, squeezed));
    }
    let rest = plain.strip_prefix(['第', '제'])?;
    let end = rest.find(|c: char| !numerals::is_numeral(c) && !c.is_whitespace())?;
    let numeral: String = rest.get(..end)?.chars().filter(|c| !c.is_whitespace()).collect();
    numerals::value(&numeral)?;
    let after = rest.get(end..)?;
    let kind = after.chars().next()?;
    let level = match kind {
        '编' | '編' | '편' => 0,
        '章' | '장' => 1,
        '节' | '節' | '절' => 2,
        _ => return None,
    };
    let title = after
        .get(kind.len_utf8()..)?
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '#' | '\u{3000}'));
    let reference = title.starts_with(['的', '规', '、', '和', '或', '至', '第', '，', '。', '所', '与'])
        || title.contains(['。', '；', '：', '，']);
    if title.chars().count() > 40 || (reference && !text.starts_with('#')) {
        return None;
    }
    let ordinal = plain.chars().next()?;
    Some((level, format!("{ordinal}{numeral}{kind} {title}").trim_end().to_owned()))
}

fn appendix(text: &str) -> Option<u32> {
    let plain: String = bare(text).chars().filter(|c| !c.is_whitespace()).collect();
    let rest = plain.strip_prefix("附件")?.trim_end_matches(['：', ':', '。']);
    if rest.is_empty() {
        return Some(1);
    }
    numerals::value(rest).filter(|n| *n > 0)
}

pub(super) fn structure(lines: &[Line], context: &Context<'_>) -> Structured {
    let cleaned = clean(lines);
    let body = &cleaned.lines;
    let mut out =
        Structured { letters: lines.iter().map(|l| letters(&l.text)).sum(), ..Structured::default() };
    let mut placed = cleaned.furniture;
    placed +=
        cleaned.footnotes.values().flatten().map(|n| letters(&n.text) + letters(&n.marker)).sum::<usize>();

    let (heads, others) = choose(body, context);
    let others: Vec<&str> = others.iter().filter_map(|l| body.get(*l)).map(BodyLine::text).collect();
    out.diagnostics.extend(super::missed::said(&others, context));
    let first = heads.first().map_or(body.len(), |h| h.line);
    // The table of contents is where divisions stand before the first article; the last run of them, without
    // text between, belongs to the article.
    let mut opening = first;
    while opening > 0
        && body
            .get(opening - 1)
            .is_some_and(|l| division(l).is_some() || is_note(l.text()) || caption(l).is_some())
    {
        opening -= 1;
    }
    let (toc, opening) = contents(body, opening, first);
    let listed: Vec<String> =
        toc.iter().filter_map(|i| body.get(*i).and_then(division)).map(|d| essence(&d.1)).collect();
    let toc: HashSet<usize> = toc.into_iter().collect();
    for (i, l) in body.iter().enumerate().take(opening) {
        let own = context.manifest.title.values().any(|t| essence(t) == essence(l.text()));
        if own || toc.contains(&i) || ["目录", "目次", "目錄"].contains(&essence(l.text()).as_str()) {
            placed += letters(l.text());
        } else {
            lose(&mut out, l);
        }
    }
    let korean = context.manifest.language.starts_with("ko");
    let mut crumbs: [Option<String>; 3] = [None, None, None];
    let mut seen: HashSet<String> = HashSet::new();
    let mut at = opening;
    let mut appendices: Option<usize> = None;
    for (k, head) in heads.iter().enumerate() {
        let stop = heads.get(k + 1).map_or(body.len(), |h| h.line);
        let mut above: Option<String> = None;
        for l in body.get(at..head.line).unwrap_or_default() {
            above = caption(l);
            if let Some((level, title)) = division(l) {
                set(&mut crumbs, level, title.clone());
                seen.insert(essence(&title));
            }
            placed += letters(l.text());
        }
        let Some(line) = body.get(head.line) else { continue };
        let mut provision =
            context.provision(context.unit(head.number.clone()), line.line.page, line.line.offset);
        provision.breadcrumb = crumbs.iter().flatten().cloned().collect();
        provision.heading = above;
        let mut text = String::new();
        let mut notes: Vec<Annotation> = Vec::new();
        at = stop;
        for i in head.line..stop {
            let Some(l) = body.get(i) else { continue };
            let from = if i == head.line { head.end } else { 0 };
            if i > head.line && (division(l).is_some() || appendix(l.text()).is_some()) {
                at = i;
                if appendix(l.text()).is_some() {
                    appendices = Some(i);
                }
                break;
            }
            // （定義） before an article is its heading.
            if i > head.line && i + 1 == stop && k + 1 < heads.len() && caption(l).is_some() {
                at = i;
                break;
            }
            placed += letters(&l.line.text);
            if i > head.line && l.text().starts_with("<!--") {
                continue;
            }
            add(&mut text, &mut notes, l, from, i == head.line, &cleaned.footnotes, korean);
        }
        // A title may run over two lines: what stands between a division and the next head is read above.
        take_heading(&mut text, &mut provision.heading, &mut notes);
        take_caption(&mut text, line, &mut provision.heading, &mut notes);
        if korean {
            take_bracketed(&mut text, &mut provision.heading, &mut notes);
        }
        if let Some((status, _)) = gone_in_words(&text) {
            provision.status = status;
        }
        provision.text = text.trim().to_owned();
        provision.annotations = notes;
        out.provisions.push(provision);
        if appendices.is_some() {
            break;
        }
    }
    // What follows 附則 without an article of the numbering is kept together.
    if appendices.is_none() && at < body.len() && !heads.is_empty() {
        placed += supplement(body, at, context, &mut out);
    }
    if let Some(start) = appendices {
        placed += add_appendices(body, start, context, &mut out);
    }
    for title in &listed {
        if !seen.contains(title) && !seen.is_empty() {
            out.diagnostics.push(Diagnostic::new(
                Severity::Warning,
                "contents_mismatch",
                format!("the contents table lists `{title}`, which the body does not have"),
            ));
        }
    }
    let lost = out.letters.saturating_sub(placed);
    out.unassigned_share = if out.letters == 0 { 0.0 } else { lost as f64 / out.letters as f64 };
    out
}

/// Lines of the contents table, and where the body begins.
fn contents(body: &[BodyLine<'_>], opening: usize, first: usize) -> (Vec<usize>, usize) {
    let divisions: Vec<(usize, String)> =
        (0..first).filter_map(|i| Some((i, essence(&body.get(i).and_then(division)?.1)))).collect();
    // The body's own first division is the last one that occurs for the second time.
    let mut start = opening;
    for (n, (i, title)) in divisions.iter().enumerate() {
        if divisions.iter().take(n).any(|(_, t)| t == title) {
            start = *i;
            break;
        }
    }
    if divisions.iter().all(|(i, _)| *i >= start) {
        return (Vec::new(), start.min(opening));
    }
    (divisions.into_iter().map(|d| d.0).filter(|i| *i < start).collect(), start)
}

fn is_note(text: &str) -> bool {
    text.starts_with("<!--")
}

/// `（定義）` alone on a line: a heading that stands before its article.
fn caption(line: &BodyLine<'_>) -> Option<String> {
    let text = bare(line.text()).trim_end();
    let inside = text.strip_prefix(['（', '('])?.strip_suffix(['）', ')'])?.trim();
    let count = inside.chars().count();
    // （一） counts, and （2016年…通过） tells of the law.
    ((1..=30).contains(&count)
        && !inside.contains(['。', '，', '、', '；', '（', '）'])
        && !inside.chars().all(numerals::is_numeral)
        && !inside.chars().any(|c| c.is_ascii_digit())
        && line.line.at.is_none()
        && gone_in_words(inside).is_none())
    .then(|| inside.to_owned())
}

/// `第1条（目的）` with the text under it: what is in the brackets is the heading.
fn take_caption(
    text: &mut String,
    line: &BodyLine<'_>,
    heading: &mut Option<String>,
    notes: &mut [Annotation],
) {
    if heading.is_some() || line.line.at.is_some() {
        return;
    }
    let Some((first, rest)) = text.split_once('\n') else { return };
    if !bare(first).starts_with(['（', '(']) {
        return;
    }
    let alone = BodyLine {
        line: std::borrow::Cow::Owned(Line { text: first.to_owned(), ..Line::default() }),
        ..line.clone()
    };
    if let Some(inside) = caption(&alone).filter(|_| !rest.trim().is_empty()) {
        *heading = Some(inside);
        let skipped = text.len() - rest.len();
        *text = rest.to_owned();
        for note in notes.iter_mut() {
            note.at = note.at.map(|at| at.saturating_sub(skipped));
        }
    }
}

/// 제1조(목적): what stands in brackets behind the number is the heading, with the text on the same line.
fn take_bracketed(text: &mut String, heading: &mut Option<String>, notes: &mut [Annotation]) {
    let Some((inside, rest)) = text.strip_prefix('(').and_then(|t| t.split_once(')')) else { return };
    if heading.is_some() || inside.is_empty() || inside.chars().count() > 60 || inside.contains('\n') {
        return;
    }
    let (inside, words) = (inside.trim().to_owned(), rest.trim_start().to_owned());
    let skipped = text.len() - words.len();
    for note in notes.iter_mut() {
        note.at = note.at.map(|at| at.saturating_sub(skipped));
    }
    *heading = Some(inside);
    *text = words;
}

/// 附則 with its words, as one provision behind the articles.
fn supplement(body: &[BodyLine<'_>], start: usize, context: &Context<'_>, out: &mut Structured) -> usize {
    let Some(first) = body.get(start).filter(|l| division(l).is_some()) else { return 0 };
    let words: Vec<&BodyLine<'_>> =
        body.get(start + 1..).unwrap_or_default().iter().filter(|l| !l.text().is_empty()).collect();
    if words.is_empty() {
        return 0;
    }
    let mut provision =
        context.provision(Unit::Schedule(Number::plain(1)), first.line.page, first.line.offset);
    provision.heading = division(first).map(|d| d.1);
    let mut placed = letters(first.text());
    let empty = std::collections::BTreeMap::new();
    for (i, l) in words.into_iter().enumerate() {
        placed += letters(&l.line.text);
        let korean = context.manifest.language.starts_with("ko");
        add(&mut provision.text, &mut provision.annotations, l, 0, i == 0, &empty, korean);
    }
    out.provisions.push(provision);
    placed
}

fn lose(out: &mut Structured, line: &BodyLine<'_>) {
    let n = letters(line.text());
    let page = line.page();
    match out.unassigned.last_mut() {
        Some((p, count, _)) if *p == page => *count += n,
        _ => out.unassigned.push((page, n, line.text().chars().take(60).collect())),
    }
}

fn set(crumbs: &mut [Option<String>; 3], level: usize, title: String) {
    // 附则 stands beside the parts.
    if let Some(slots) = crumbs.get_mut(level..) {
        for slot in slots.iter_mut() {
            *slot = None;
        }
        if let Some(slot) = slots.first_mut() {
            *slot = Some(title);
        }
    }
}

/// The heads, and the lines that look like heads of numbers that none of them has.
fn choose(body: &[BodyLine<'_>], context: &Context<'_>) -> (Vec<Head>, Vec<usize>) {
    let expected: HashSet<&Number> = context.expected.iter().collect();
    let mut heads = Vec::new();
    let mut weighted = Vec::new();
    for (line, l) in body.iter().enumerate() {
        let Some((number, end)) = head_at(&l.line.text) else { continue };
        let rest = l.line.text.get(end..).unwrap_or_default();
        let gap = l.line.text.get(..end).is_some_and(|s| s.ends_with([' ', '\u{3000}', '*', '：', ':']));
        let mut weight: f64 = 1.0;
        if expected.contains(&number) {
            weight += 1.0;
        } else if !expected.is_empty() {
            weight = 0.4;
        }
        // "第二百六十四条的规定定罪处罚" goes on with what a reference goes on with.
        let reference = [
            "的规定",
            "规定",
            "、",
            "和",
            "或",
            "，",
            "至",
            "第",
            "的",
            "所",
            "以及",
            "与",
            "）",
            "。",
            "；",
            "中",
            "の",
            "に",
            "を",
            "は",
            "及び",
            "又は",
            "規定",
            "之罪",
            "所列",
            "修改",
            "改为",
            "作为",
            "增加",
        ];
        if !gap && reference.iter().any(|r| rest.starts_with(r)) {
            weight *= 0.05;
        }
        if l.line.at.is_some() {
            // A head begins a paragraph, and paragraphs are set in by two letters.
            weight *= if l.indent > 1.0 { 1.0 } else { 0.2 };
        }
        let before =
            line.checked_sub(1).and_then(|b| body.get(b)).map(|b| b.text().to_owned()).unwrap_or_default();
        if !(before.is_empty()
            || before.ends_with(['。', '；', '：', '）', '>'])
            || line.checked_sub(1).and_then(|b| body.get(b)).is_some_and(|b| division(b).is_some()))
            && l.line.at.is_some()
        {
            weight *= 0.5;
        }
        if !rest.trim().is_empty() || body.get(line + 1).is_some() {
            weighted.push(Candidate { key: number.clone(), weight });
            heads.push(Head { line, number, end });
        }
    }
    let mut chain: HashSet<usize> = heaviest(&weighted).into_iter().collect();
    // Some editions set an article in the wrong place; what is surely a head and not yet found is one there too.
    let mut found: HashSet<Number> =
        chain.iter().filter_map(|i| heads.get(*i).map(|h: &Head| h.number.clone())).collect();
    let last = chain.iter().max().copied().unwrap_or_default();
    for (i, candidate) in weighted.iter().enumerate().take(last) {
        let whole =
            heads.get(i).and_then(|h| body.get(h.line)).is_some_and(|l| l.text().chars().count() > 12);
        if candidate.weight >= 1.6
            && expected.contains(&candidate.key)
            && whole
            && found.insert(candidate.key.clone())
        {
            chain.insert(i);
        }
    }
    let bounds: Vec<usize> = chain.iter().copied().collect();
    let from = bounds.iter().min().and_then(|i| heads.get(*i)).map_or(0, |h| h.line);
    let most = bounds.iter().filter_map(|i| heads.get(*i)).map(|h| h.number.base).max().unwrap_or_default();
    let others = heads
        .iter()
        .zip(&weighted)
        .filter(|(h, w)| {
            w.weight >= 1.0 && h.line > from && h.number.base <= most && !found.contains(&h.number)
        })
        .map(|(h, _)| h.line)
        .chain((from..body.len()).filter(|i| body.get(*i).is_some_and(|l| is_deeper(l.text()))))
        .collect();
    let mut index = 0;
    heads.retain(|_| {
        let keep = chain.remove(&index);
        index += 1;
        keep
    });
    (heads, others)
}

fn add(
    text: &mut String,
    notes: &mut Vec<Annotation>,
    line: &BodyLine<'_>,
    from: usize,
    first: bool,
    footnotes: &std::collections::BTreeMap<u32, Vec<super::pages::Footnote>>,
    // ① counts paragraphs in Korean, and notes elsewhere.
    circled: bool,
) {
    let mut plain = String::new();
    for (i, c) in line.line.text.char_indices().filter(|(i, _)| *i >= from) {
        if line.line.raised.iter().any(|r| r.contains(&i)) && (c.is_ascii_digit() || ('①'..='⑳').contains(&c))
        {
            let marker = c.to_string();
            let words = footnotes
                .get(&line.page())
                .and_then(|f| f.iter().find(|n| n.marker == marker))
                .map(|n| n.text.clone());
            notes.push(Annotation {
                kind: AnnotationKind::Footnote,
                marker: Some(marker),
                text: words.unwrap_or_default(),
                at: Some(text.len()),
            });
        } else {
            plain.push(if c == '\u{3000}' { ' ' } else { c });
        }
    }
    let plain = plain.trim().trim_end_matches("**");
    if plain.is_empty() {
        return;
    }
    // A circled figure at the start of a line is a note of the edition's.
    if let Some(marker) = plain.chars().next().filter(|c| ('①'..='⑳').contains(c) && !first && !circled) {
        let words = plain.get(marker.len_utf8()..).unwrap_or_default().trim().to_owned();
        notes.push(Annotation {
            kind: AnnotationKind::Footnote,
            marker: Some(marker.to_string()),
            text: words,
            at: None,
        });
        return;
    }
    let paragraph = match line.line.at {
        Some(_) => line.indent > 1.0,
        None => true,
    };
    if !first && !text.is_empty() {
        if paragraph {
            text.push('\n');
        } else if text.chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric())
            && plain.chars().next().is_some_and(|c| c.is_ascii_alphanumeric())
        {
            text.push(' ');
        }
    }
    text.push_str(plain);
}

/// 【…】 at the start is a heading that editors of the code have given.
fn take_heading(text: &mut String, heading: &mut Option<String>, notes: &mut Vec<Annotation>) {
    let trimmed = text.trim_start();
    let Some(rest) = trimmed.strip_prefix('【') else { return };
    let Some((inside, after)) = rest.split_once('】') else { return };
    if inside.chars().count() > 80 {
        return;
    }
    let inside = inside.trim().to_owned();
    let skipped = text.len() - after.trim_start().len();
    for note in notes.iter_mut() {
        note.at = note.at.map(|at| at.saturating_sub(skipped));
    }
    *text = after.trim_start().to_owned();
    notes.insert(
        0,
        Annotation {
            kind: AnnotationKind::EditorHeading,
            marker: None,
            text: format!("【{inside}】"),
            at: Some(0),
        },
    );
    *heading = Some(inside);
    // Further ones name the offences of later paragraphs.
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|t| t.find('【')).map(|i| i + at) {
        let Some(end) = text.get(start..).and_then(|t| t.find('】')).map(|i| start + i + '】'.len_utf8())
        else {
            break;
        };
        let mark = text.get(start..end).unwrap_or_default().to_owned();
        let paragraph = start == 0 || text.get(..start).is_some_and(|t| t.ends_with('\n'));
        if !paragraph || mark.chars().count() > 80 {
            at = end;
            continue;
        }
        text.replace_range(start..end, "");
        let length = end - start;
        for note in notes.iter_mut() {
            if let Some(place) = note.at.as_mut().filter(|p| **p >= end) {
                *place -= length;
            }
        }
        notes.push(Annotation {
            kind: AnnotationKind::EditorHeading,
            marker: None,
            text: mark,
            at: Some(start),
        });
        at = start;
    }
}

fn add_appendices(body: &[BodyLine<'_>], start: usize, context: &Context<'_>, out: &mut Structured) -> usize {
    let mut placed = 0;
    let mut current: Option<nyaya_corpora::Provision> = None;
    let mut next = 1;
    let empty = std::collections::BTreeMap::new();
    let file = body.get(start).map(|l| l.line.file);
    for l in body.get(start..).unwrap_or_default() {
        // Another file of the folder is another document.
        if Some(l.line.file) != file {
            continue;
        }
        placed += letters(&l.line.text);
        if let Some(n) = appendix(l.text()).filter(|n| *n == next) {
            next += 1;
            out.provisions.extend(current.take());
            let mut provision =
                context.provision(Unit::Schedule(Number::plain(n)), l.line.page, l.line.offset);
            provision.heading = Some(bare(l.text()).trim().to_owned());
            current = Some(provision);
        } else if let Some(p) = current.as_mut() {
            let first = p.text.is_empty();
            let korean = context.manifest.language.starts_with("ko");
            add(&mut p.text, &mut p.annotations, l, 0, first, &empty, korean);
        }
    }
    out.provisions.extend(current);
    placed
}
