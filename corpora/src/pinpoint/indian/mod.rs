//! Sub-sections, clauses, provisos, explanations, exceptions and illustrations of a section of an Indian act.

use std::ops::Range;

use crate::citation::numerals::parse_roman;
use crate::provision::Pinpoint;

use super::limbs::limbs;

mod marks;

use marks::Mark;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Figure,
    Letter,
    Roman,
    Capital,
    CapitalRoman,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Named {
    Proviso,
    Explanation,
    Exception,
}

impl Named {
    fn stem(self) -> &'static str {
        match self {
            Self::Proviso => "proviso",
            Self::Explanation => "expl",
            Self::Exception => "exc",
        }
    }
}

#[derive(Debug, Clone)]
enum Kind {
    Level(Style, String),
    Named(Named, Option<u32>),
    Illustrations,
    Ordinal(u32),
    List(u32),
    Figure(u32, String),
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    parent: Option<usize>,
    range: Range<usize>,
}

pub(super) struct Indian<'a> {
    text: &'a str,
    nodes: Vec<Node>,
    /// Open nodes, outermost first.
    open: Vec<usize>,
    /// Lists closed by a named place or a flush paragraph that may go on behind it, outermost first, and the
    /// number of nodes that were open below them.
    suspended: (usize, Vec<usize>),
}

/// How names of named places begin.
const NAMED: [&str; 4] = ["proviso", "exc", "expl", "ill"];

const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];
/// Which labels can open a list.
fn opening(label: &str) -> Option<Style> {
    match label {
        "1" => Some(Style::Figure),
        "a" => Some(Style::Letter),
        "i" => Some(Style::Roman),
        "A" => Some(Style::Capital),
        "I" => Some(Style::CapitalRoman),
        _ => None,
    }
}

fn split_figure(label: &str) -> Option<(u32, &str)> {
    let figures = label.bytes().take_while(u8::is_ascii_digit).count();
    Some((label.get(..figures)?.parse().ok()?, label.get(figures..)?))
}

/// Whether `next` can follow `current` in a list of this style: 0 no, 1 directly, 2 with a gap.
fn follows(style: Style, current: &str, next: &str) -> u8 {
    match style {
        Style::Figure => {
            let (Some((a, la)), Some((b, lb))) = (split_figure(current), split_figure(next)) else {
                return 0;
            };
            if (b == a + 1 && lb.is_empty()) || (b == a && lb > la && lb.len() <= 2) {
                1
            } else if b > a && b - a <= 8 {
                2
            } else {
                0
            }
        }
        Style::Roman | Style::CapitalRoman => {
            let capital = style == Style::CapitalRoman;
            if next.bytes().any(|b| b.is_ascii_uppercase() != capital) {
                return 0;
            }
            match (roman_head(current), roman_head(next)) {
                (Some((a, la)), Some((b, lb))) => {
                    if (b == a + 1 && lb.is_empty()) || (b == a && lb > la && !lb.is_empty()) {
                        1
                    } else if b > a && b - a <= 6 && lb.is_empty() {
                        2
                    } else {
                        0
                    }
                }
                _ => 0,
            }
        }
        Style::Letter | Style::Capital => {
            let capital = style == Style::Capital;
            if next.bytes().any(|b| !b.is_ascii_alphabetic() || b.is_ascii_uppercase() != capital)
                || next.is_empty()
            {
                return 0;
            }
            let (a, b) = (current.as_bytes(), next.as_bytes());
            let (Some(a0), Some(b0)) = (a.first().copied(), b.first().copied()) else { return 0 };
            // (b) (ba) (bb) (c); (a) (aa) (b); (z) (za) (zb).
            if b.len() > 1 {
                let deeper = b.len() == a.len() + 1 && next.starts_with(current);
                let doubled = b.len() == a.len()
                    && a.len() > 1
                    && b.get(..b.len() - 1) == a.get(..a.len() - 1)
                    && b.last() > a.last();
                let twin = a.len() == 1 && b.len() == 2 && b0 == a0;
                return u8::from(deeper || doubled || twin);
            }
            if b0 == a0 + 1 {
                1
            } else if b0 > a0 && b0 - a0 <= 6 {
                2
            } else {
                0
            }
        }
    }
}

/// Most marks that are looked at to tell which of two lists a label belongs to.
const AHEAD: usize = 200;

/// Whether a label comes again before the next sub-section.
fn comes_again(label: &str, ahead: &[(usize, Mark)]) -> bool {
    ahead
        .iter()
        .take(AHEAD)
        .map_while(|(_, m)| match m {
            Mark::Label { label, sure: true } if label.starts_with(|c: char| c.is_ascii_digit()) => None,
            Mark::List(_) | Mark::Figure(..) => None,
            // The next inner list has the same labels.
            Mark::Label { label, .. } if matches!(label.as_str(), "a" | "i" | "A" | "I") => None,
            m => Some(m),
        })
        .any(|m| matches!(m, Mark::Label { label: l, .. } if l == label))
}

/// `iia` is ii with a letter.
fn roman_head(label: &str) -> Option<(u32, &str)> {
    if let Some(n) = parse_roman(label) {
        return Some((n, ""));
    }
    let cut = label.len().checked_sub(1)?;
    let (head, tail) = (label.get(..cut)?, label.get(cut..)?);
    parse_roman(head).map(|n| (n, tail))
}

impl<'a> Indian<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, nodes: Vec::new(), open: Vec::new(), suspended: (0, Vec::new()) }
    }

    /// Closes to a depth, and remembers lists that may go on.
    fn suspend_to(&mut self, depth: usize, at: usize) {
        let lists: Vec<usize> = self
            .open
            .iter()
            .skip(depth)
            .take_while(|i| self.nodes.get(**i).is_some_and(|n| matches!(n.kind, Kind::Level(..))))
            .copied()
            .collect();
        if !lists.is_empty() || self.suspended.0 != depth {
            self.suspended = (depth, lists);
        }
        self.close_to(depth, at);
    }

    /// Goes on with a suspended list if `label` is its next.
    fn resume(&mut self, label: &str, at: usize) -> bool {
        let (depth, lists) = self.suspended.clone();
        for n in (0..lists.len()).rev() {
            let Some(index) = lists.get(n).copied() else { continue };
            let Some(Kind::Level(style, current)) = self.nodes.get(index).map(|n| n.kind.clone()) else {
                continue;
            };
            if follows(style, &current, label) != 1 || self.open.len() < depth {
                continue;
            }
            self.close_to(depth, at);
            self.open.extend(lists.iter().take(n + 1));
            // The flush words between belong to the item before.
            self.close_to(self.open.len() - 1, at);
            self.suspended = (depth, Vec::new());
            self.push(Kind::Level(style, label.to_owned()), at);
            return true;
        }
        false
    }

    fn close_to(&mut self, depth: usize, at: usize) {
        while self.open.len() > depth {
            let Some(index) = self.open.pop() else { break };
            let text = self.text;
            if let Some(node) = self.nodes.get_mut(index) {
                let end = text.get(node.range.start..at).map_or(at, |s| {
                    node.range.start
                        + s.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '[' | '“')).len()
                });
                node.range.end = end;
            }
        }
    }

    fn push(&mut self, kind: Kind, at: usize) {
        let parent = self.open.last().copied();
        self.open.push(self.nodes.len());
        self.nodes.push(Node { kind, parent, range: at..at });
    }

    fn kind(&self, depth: usize) -> Option<&Kind> {
        self.open.get(depth).and_then(|i| self.nodes.get(*i)).map(|n| &n.kind)
    }

    /// Depth of the innermost open place of which named places are part: a sub-section, a paragraph, or none.
    fn base_depth(&self) -> usize {
        (0..self.open.len())
            .rev()
            .find(|d| {
                matches!(
                    self.kind(*d),
                    Some(Kind::Level(Style::Figure, _) | Kind::Figure(..) | Kind::List(_))
                )
            })
            .map_or(0, |d| d + 1)
    }

    fn depth_of(&self, test: impl Fn(&Kind) -> bool) -> Option<usize> {
        (0..self.open.len()).rev().find(|d| self.kind(*d).is_some_and(&test))
    }

    fn label(&mut self, label: &str, sure: bool, at: usize, ahead: &[(usize, Mark)]) {
        let next = ahead.iter().find_map(|(_, m)| match m {
            Mark::Label { label, .. } => Some(label.as_str()),
            _ => None,
        });
        // Brothers of an open label, innermost first.
        let mut gap = None;
        let mut brother = None;
        for depth in (0..self.open.len()).rev() {
            let Some(Kind::Level(style, current)) = self.kind(depth) else { continue };
            match follows(*style, current, label) {
                // Two lists wait for the same label: the outer one's comes last.
                1 if brother.is_some() => {
                    if !comes_again(label, ahead) {
                        brother = Some((depth, *style));
                    }
                    break;
                }
                1 => brother = Some((depth, *style)),
                2 if gap.is_none() => gap = Some((depth, *style)),
                _ => {}
            }
        }
        let opens = opening(label);
        if brother.is_none() && !(opens == Some(Style::Roman) && next == Some("ii")) && self.resume(label, at)
        {
            return;
        }
        // (i) behind (h) is a letter unless (ii) comes next.
        let roman_child = opens == Some(Style::Roman)
            && next == Some("ii")
            && brother.is_some_and(|(_, s)| s == Style::Letter);
        if let Some((depth, style)) = brother.filter(|_| !roman_child) {
            self.close_to(depth, at);
            self.push(Kind::Level(style, label.to_owned()), at);
            return;
        }
        if let Some(style) = opens {
            // A list of figures inside an open list of figures is a cross-reference that starts a line.
            let container = self.depth_of(|k| !matches!(k, Kind::Level(..))).map_or(0, |d| d + 1);
            let taken = (container..self.open.len())
                .any(|d| matches!(self.kind(d), Some(Kind::Level(s, _)) if *s == style));
            // A list inside an item of a list of another kind may count as the outermost does: (b)(ii)(a).
            let inner = sure
                && self
                    .open
                    .last()
                    .and_then(|i| self.nodes.get(*i))
                    .is_some_and(|n| matches!(&n.kind, Kind::Level(s, _) if *s != style))
                && self.introduced(at);
            let taken = taken && !inner;
            let gap_wins = gap.is_some() && style == Style::Roman && next != Some("ii") && sure;
            if !taken && !gap_wins {
                self.push(Kind::Level(style, label.to_owned()), at);
                return;
            }
        }
        if let (Some((depth, style)), true) = (gap, sure) {
            self.close_to(depth, at);
            self.push(Kind::Level(style, label.to_owned()), at);
        }
    }

    /// Whether the words before byte `at` announce a list.
    fn introduced(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default().trim_end();
        before.ends_with(['—', '–', '―', ':']) || before.ends_with(":-") || before.ends_with("--")
    }

    pub(super) fn read(mut self) -> Vec<Pinpoint> {
        let marks = self.marks();
        let mut first_named: Option<usize> = None;
        for (n, (at, mark)) in marks.iter().enumerate() {
            let at = *at;
            match mark {
                Mark::Label { label, sure } => {
                    let ahead = marks.get(n + 1..).unwrap_or_default();
                    self.label(label, *sure, at, ahead);
                }
                Mark::Named(named, number) => {
                    first_named.get_or_insert(at);
                    // An explanation inside an exception is the exception's.
                    let depth = match named {
                        Named::Explanation => self
                            .depth_of(|k| matches!(k, Kind::Named(Named::Exception, _)))
                            .map(|d| d + 1)
                            .unwrap_or_else(|| self.base_depth()),
                        _ => self.base_depth(),
                    };
                    self.suspend_to(depth, at);
                    self.push(Kind::Named(*named, *number), at);
                }
                Mark::Illustrations => {
                    first_named.get_or_insert(at);
                    let depth = self
                        .depth_of(|k| matches!(k, Kind::Named(Named::Exception | Named::Explanation, _)))
                        .map_or_else(|| self.base_depth(), |d| d + 1);
                    self.close_to(depth, at);
                    self.push(Kind::Illustrations, at);
                }
                Mark::Ordinal { n, sure } => {
                    let exception = self.depth_of(|k| matches!(k, Kind::Named(Named::Exception, _)));
                    // What Fourthly lists ends before Fifthly.
                    let brother = self.depth_of(|k| matches!(k, Kind::Ordinal(_)));
                    let depth = match (brother, exception) {
                        (Some(b), e) if e.is_none_or(|e| e < b) => b,
                        (_, Some(e)) => e + 1,
                        _ => self.base_depth(),
                    };
                    // In running text "First" needs no structure; a run of them does: 2 follows 1 or nothing.
                    let before = self.nodes.iter().rev().find_map(|x| match x.kind {
                        Kind::Ordinal(m) => Some(m),
                        _ => None,
                    });
                    // One that was omitted leaves a gap: Secondly, Fourthly.
                    let gap = *sure && before.is_some_and(|b| *n > b && n - b <= 3);
                    if *n == 1 || *n == 2 || before == Some(n - 1) || gap {
                        first_named.get_or_insert(at);
                        self.close_to(depth, at);
                        self.push(Kind::Ordinal(*n), at);
                    }
                }
                Mark::Flush => {
                    // Inside a named place a paragraph changes nothing.
                    let depth = self.base_depth();
                    let level = self
                        .open
                        .get(depth)
                        .and_then(|i| self.nodes.get(*i))
                        .is_some_and(|n| matches!(n.kind, Kind::Level(..)));
                    if level {
                        self.suspend_to(depth, at);
                    }
                }
                Mark::List(n) => {
                    self.close_to(0, at);
                    self.push(Kind::List(*n), at);
                }
                Mark::Figure(n, letters) => {
                    let list = self.depth_of(|k| matches!(k, Kind::List(_)));
                    let depth = list.map_or(0, |d| d + 1);
                    let last = self.nodes.iter().rev().find_map(|x| match &x.kind {
                        Kind::Figure(m, _) => Some(Some(*m)),
                        Kind::List(_) => Some(None),
                        _ => None,
                    });
                    let ok = match last.flatten() {
                        Some(m) => *n >= m && *n - m <= 12,
                        None => *n <= 2 && (list.is_some() || self.nodes.is_empty()),
                    };
                    if ok {
                        self.close_to(depth, at);
                        self.push(Kind::Figure(*n, letters.clone()), at);
                    }
                }
            }
        }
        let end = self.text.len();
        self.close_to(0, end);
        self.finish(first_named)
    }

    /// Names the nodes.
    fn finish(self, first_named: Option<usize>) -> Vec<Pinpoint> {
        let mut out: Vec<Pinpoint> = Vec::new();
        let mut paths: Vec<Option<Vec<String>>> = Vec::with_capacity(self.nodes.len());
        // How many of a kind a parent has, and which one this is.
        let mut counts: std::collections::HashMap<(Option<usize>, Named), usize> =
            std::collections::HashMap::new();
        for node in &self.nodes {
            if let Kind::Named(named, _) = node.kind {
                *counts.entry((node.parent, named)).or_default() += 1;
            }
        }
        let mut nth: std::collections::HashMap<(Option<usize>, Named), u32> =
            std::collections::HashMap::new();
        let mut provisos: Vec<(Vec<String>, Range<usize>)> = Vec::new();
        for node in &self.nodes {
            let parent: Option<Vec<String>> = match node.parent {
                None => Some(Vec::new()),
                Some(p) => paths.get(p).cloned().flatten(),
            };
            let in_illustrations = node
                .parent
                .and_then(|p| self.nodes.get(p))
                .is_some_and(|p| matches!(p.kind, Kind::Illustrations));
            let mut shown = true;
            let path = parent.map(|mut path| {
                match &node.kind {
                    Kind::Level(_, label) if in_illustrations => {
                        path.pop();
                        path.push(format!("ill-{}", label.to_ascii_lowercase()));
                    }
                    // Letters behind a figure stay capitals, as in `(1A)`.
                    Kind::Level(_, label) if label.starts_with(|c: char| c.is_ascii_digit()) => {
                        path.push(label.clone());
                    }
                    Kind::Level(_, label) => path.push(label.to_ascii_lowercase()),
                    Kind::Named(named, number) => {
                        let key = (node.parent, *named);
                        let count = nth.entry(key).or_default();
                        *count += 1;
                        let several = counts.get(&key).is_some_and(|n| *n > 1);
                        let name = match number {
                            Some(n) => format!("{}{n}", named.stem()),
                            None if several => format!("{}{count}", named.stem()),
                            None => named.stem().to_owned(),
                        };
                        if *named == Named::Proviso && several {
                            let mut whole = path.clone();
                            whole.push(named.stem().to_owned());
                            match provisos.iter_mut().find(|(p, _)| *p == whole) {
                                Some((_, range)) => range.end = range.end.max(node.range.end),
                                None => provisos.push((whole, node.range.clone())),
                            }
                        }
                        path.push(name);
                    }
                    Kind::Illustrations => {
                        // A sole illustration without a letter is `ill`; a list has only its members.
                        shown = true;
                        path.push("ill".to_owned());
                    }
                    Kind::Ordinal(n) => path.push(
                        ORDINALS
                            .get((*n as usize).saturating_sub(1))
                            .copied()
                            .unwrap_or("twelfth")
                            .to_owned(),
                    ),
                    Kind::List(n) => path.push(format!("list{n}")),
                    Kind::Figure(n, letters) => {
                        let in_list = path.first().is_some_and(|p| p.starts_with("list"));
                        path.push(format!("{}{n}{letters}", if in_list { "e" } else { "para" }));
                    }
                }
                path
            });
            if let (Some(path), true) = (&path, shown) {
                out.push(Pinpoint { path: path.clone(), range: node.range.clone() });
            }
            paths.push(path);
        }
        for (path, range) in provisos {
            out.push(Pinpoint { path, range });
        }
        // `2ndly` without `1stly`: the words before it are the first limb.
        let firsts: Vec<Pinpoint> = out
            .iter()
            .filter(|p| p.path.last().is_some_and(|l| l == "second"))
            .filter(|p| {
                let first: Vec<String> =
                    p.path.iter().take(p.path.len() - 1).cloned().chain(["first".to_owned()]).collect();
                !out.iter().any(|q| q.path == first)
            })
            .filter_map(|p| {
                let (_, stem) = p.path.split_last()?;
                let start =
                    if stem.is_empty() { 0 } else { out.iter().find(|q| q.path == stem)?.range.start };
                let end = start + self.text.get(start..p.range.start)?.trim_end().len();
                let path = stem.iter().cloned().chain(["first".to_owned()]).collect();
                Some(Pinpoint { path, range: start..end })
            })
            .collect();
        out.extend(firsts);
        // Limbs of a section that has no numbered parts.
        if !out.iter().any(|p| p.path.len() == 1 && p.range.start < first_named.unwrap_or(usize::MAX)) {
            let end = first_named.unwrap_or(self.text.len());
            out.extend(limbs(self.text.get(..end).unwrap_or_default()));
        }
        // The same path once, the first.
        let mut seen = std::collections::HashSet::new();
        out.retain(|p| seen.insert(p.path.clone()) && p.range.start < p.range.end);
        // The items of one of several provisos are also those of "the proviso", where only one has them.
        let mut items: std::collections::HashMap<Vec<String>, Vec<Range<usize>>> =
            std::collections::HashMap::new();
        for p in &out {
            let counted = p.path.iter().position(|s| {
                s.strip_prefix("proviso")
                    .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
            });
            if let Some(at) = counted.filter(|at| p.path.len() > at + 1) {
                let mut path = p.path.clone();
                if let Some(name) = path.get_mut(at) {
                    "proviso".clone_into(name);
                }
                items.entry(path).or_default().push(p.range.clone());
            }
        }
        out.extend(
            items
                .into_iter()
                .filter(|(path, ranges)| ranges.len() == 1 && !seen.contains(path))
                .filter_map(|(path, ranges)| Some(Pinpoint { path, range: ranges.into_iter().next()? })),
        );
        // A section with illustrations of its own has no others without their exception.
        let own: Vec<&str> = NAMED
            .iter()
            .copied()
            .filter(|stem| {
                out.iter().any(|p| p.path.len() == 1 && p.path.first().is_some_and(|f| f.starts_with(stem)))
            })
            .collect();
        // Named places also without what they stand in, where that is unambiguous.
        let mut short: std::collections::HashMap<Vec<String>, Vec<Range<usize>>> =
            std::collections::HashMap::new();
        for p in &out {
            for cut in 1..p.path.len() {
                let tail = p.path.get(cut..).unwrap_or_default();
                let named = tail.first().is_some_and(|t| {
                    NAMED.iter().any(|s| t.starts_with(s)) && !own.iter().any(|s| t.starts_with(s))
                });
                if named {
                    short.entry(tail.to_vec()).or_default().push(p.range.clone());
                }
            }
        }
        // An illustration to the explanation of an exception is also the exception's.
        for p in &out {
            let Some(at) = p
                .path
                .windows(2)
                .position(|w| matches!(w, [a, b] if a.starts_with("exc") && b.starts_with("expl")))
            else {
                continue;
            };
            if p.path.get(at + 2).is_some_and(|i| i.starts_with("ill")) {
                let mut path = p.path.clone();
                path.remove(at + 1);
                short.entry(path).or_default().push(p.range.clone());
            }
        }
        let mut more: Vec<Pinpoint> = short
            .into_iter()
            .filter(|(path, ranges)| ranges.len() == 1 && !seen.contains(path))
            .filter_map(|(path, ranges)| Some(Pinpoint { path, range: ranges.into_iter().next()? }))
            .collect();
        out.append(&mut more);
        out.sort_by(|a, b| {
            (a.range.start, std::cmp::Reverse(a.range.end), a.path.len(), &a.path).cmp(&(
                b.range.start,
                std::cmp::Reverse(b.range.end),
                b.path.len(),
                &b.path,
            ))
        });
        out
    }
}
