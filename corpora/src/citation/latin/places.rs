//! Places inside a provision: `(1)(a)`, `Exception 1`, `the second proviso`.

use crate::manifest::{Grammar, UnitName};

use super::super::lex::{Kw, T};
use super::super::numerals::{parse_roman, to_roman};
use super::{LONGEST_LIST, Pin, Scanner};

impl Scanner<'_> {
    /// `(x)` at `i`: the label in lower case, and the token after it.
    pub(super) fn bracketed(&self, i: usize) -> Option<(String, usize)> {
        if !self.is(i, '(') {
            return None;
        }
        let (label, next) = match self.t(i + 1).t {
            T::Num(value, digits) if digits <= 3 => {
                let mut label = value.to_string();
                let mut next = i + 2;
                let word = self.word(next);
                if !self.t(next).spaced && (1..=2).contains(&word.len()) && word.is_ascii() {
                    label.push_str(&word.to_ascii_lowercase());
                    next += 1;
                }
                (label, next)
            }
            T::Word(_) => {
                let word = self.word(i + 1);
                if word.is_ascii() {
                    let ok = match word.len() {
                        1 => true,
                        2 => {
                            self.kw(i + 1) == Kw::None
                                && !["it", "he", "we", "us", "if", "at", "sc", "hc"]
                                    .iter()
                                    .any(|w| word.eq_ignore_ascii_case(w))
                        }
                        3..=5 => parse_roman(word).is_some(),
                        _ => false,
                    };
                    if !ok || self.name_at(i + 1).is_some() {
                        return None;
                    }
                    // `304(II)` is a limb; its capitals are kept to tell it from a clause.
                    let limb = word.len() > 1
                        && word.bytes().all(|b| b.is_ascii_uppercase())
                        && parse_roman(word).is_some();
                    (if limb { word.to_owned() } else { word.to_ascii_lowercase() }, i + 2)
                } else {
                    (Self::devanagari_letters(word)?.to_ascii_lowercase(), i + 2)
                }
            }
            _ => return None,
        };
        self.is(next, ')').then_some((label, next + 1))
    }

    /// A number for an exception, explanation, part or list: `2`, `II`, `(2)`.
    pub(super) fn small_number(&self, i: usize) -> Option<(u32, usize)> {
        let j = i + usize::from(self.is(i, '-') || self.is(i, '.'));
        if let Some((n, digits)) = self.num(j) {
            // A figure that goes on is a section: `Exception 300A`.
            return (digits <= 2 && n > 0).then_some((n, j + 1));
        }
        if let Some((label, next)) = self.bracketed(j) {
            return label.parse().ok().or_else(|| parse_roman(&label)).map(|n| (n, next));
        }
        let word = self.word(j);
        if word.bytes().all(|b| b.is_ascii_uppercase()) {
            return parse_roman(word).map(|n| (n, j + 1));
        }
        None
    }

    pub(super) fn ordinally(n: u32) -> Pin {
        let word = match n {
            1 => "first",
            2 => "second",
            3 => "third",
            4 => "fourth",
            5 => "fifth",
            6 => "sixth",
            _ => "seventh",
        };
        Pin::Named(word.to_owned())
    }

    /// `Thirdly`, `3rdly`.
    pub(super) fn ordinally_at(&self, i: usize) -> Option<(Pin, usize)> {
        if let Kw::Ordinally(n) = self.kw(i) {
            return Some((Self::ordinally(n), i + 1));
        }
        let (n, 1) = self.num(i)? else { return None };
        let ends = ["stly", "ndly", "rdly", "thly"].iter().any(|e| self.word(i + 1).eq_ignore_ascii_case(e));
        (ends && !self.t(i + 1).spaced && (1..=7).contains(&n)).then(|| (Self::ordinally(n), i + 2))
    }

    /// One place with its label: `sub-section (2)`, `Exception 1`, `second proviso`. Alternatives for a list.
    pub(super) fn place(&self, i: usize) -> Option<(Vec<Vec<Pin>>, usize)> {
        let mut kw = self.kw(i);
        let mut j = i + 1;
        let dotted = |j: usize| j + usize::from(self.is(j, '.'));
        let mut ordinal = None;
        if let Kw::Ordinal(n) = kw {
            ordinal = Some(n);
            kw = self.kw(j);
            j += 1;
        }
        if kw == Kw::Sub {
            let k = j + usize::from(self.is(j, '-'));
            kw = match self.kw(k) {
                Kw::Section { .. } | Kw::SectionAbbr => Kw::SubSection,
                Kw::Clause => Kw::SubClause,
                _ => return None,
            };
            j = k + 1;
        }
        if ordinal.is_some()
            && !matches!(kw, Kw::Proviso | Kw::Exception | Kw::Explanation | Kw::Part | Kw::Paragraph)
        {
            return None;
        }
        j = dotted(j);
        match kw {
            Kw::SubSection | Kw::SubClause | Kw::Clause => {
                if let Some((pin, next)) = self.ordinally_at(j) {
                    return Some((vec![vec![pin]], next));
                }
                // `sub-section 2`, `clause 3`: a bare number.
                if let Some((n, digits)) = self.num(j) {
                    if digits <= 2 && n > 0 {
                        return Some((vec![vec![Pin::Label(n.to_string())]], j + 1));
                    }
                    return None;
                }
                if self.is(j, '(') {
                    return self.labels(j, &|label| Pin::Label(label));
                }
                let word = self.word(j);
                if word.len() == 1 && word.bytes().all(|b| b.is_ascii_lowercase()) && self.closes(j + 1) {
                    return Some((vec![vec![Pin::Label(word.to_owned())]], j + 1));
                }
                None
            }
            Kw::Proviso => {
                let name = match ordinal
                    .or_else(|| self.num(j).filter(|(n, d)| *d == 1 && *n > 0).map(|(n, _)| n))
                {
                    Some(n) => format!("proviso{n}"),
                    None => "proviso".to_owned(),
                };
                if ordinal.is_none() && self.num(j).is_some_and(|(n, d)| d == 1 && n > 0) {
                    j += 1;
                }
                let mut pins = vec![Pin::Named(name)];
                if let Some((label, next)) = self.bracketed(j) {
                    pins.push(Pin::Label(label));
                    j = next;
                }
                Some((vec![pins], j))
            }
            Kw::Exception | Kw::Explanation => {
                let stem = if kw == Kw::Exception { "exc" } else { "expl" };
                if let Some(n) = ordinal {
                    return Some((vec![vec![Pin::Named(format!("{stem}{n}"))]], j));
                }
                let Some((n, mut next)) = self.small_number(j) else {
                    if self.word(i).ends_with(['s', 'S']) && !self.is(j, '(') {
                        // "the exceptions to section 300" names no place of its own.
                        return Some((vec![Vec::new()], j));
                    }
                    if let Some((label, next)) = self.bracketed(j) {
                        return Some((vec![vec![Pin::Named(stem.to_owned()), Pin::Label(label)]], next));
                    }
                    return Some((vec![vec![Pin::Named(stem.to_owned())]], j));
                };
                let mut all = vec![vec![Pin::Named(format!("{stem}{n}"))]];
                if let Some((label, after)) = self.bracketed(next) {
                    if let Some(last) = all.last_mut() {
                        last.push(Pin::Label(label));
                    }
                    next = after;
                }
                // `Exceptions 1, 2 and 4`
                while let Some((k, _)) = self.separator(next) {
                    let k = self.separator(k).map_or(k, |(k, _)| k);
                    let Some((n, after)) = self.small_number(k).filter(|(n, _)| *n <= 20) else { break };
                    all.push(vec![Pin::Named(format!("{stem}{n}"))]);
                    next = after;
                    if all.len() > 20 {
                        break;
                    }
                }
                Some((all, next))
            }
            Kw::Illustration => {
                if self.is(j, '(') {
                    return self.labels(j, &|label| Pin::Named(format!("ill-{label}")));
                }
                let word = self.word(j);
                if word.len() == 1 && word.is_ascii() {
                    return Some((
                        vec![vec![Pin::Named(format!("ill-{}", word.to_ascii_lowercase()))]],
                        j + 1,
                    ));
                }
                if self.word(i).ends_with(['s', 'S']) {
                    return Some((vec![Vec::new()], j));
                }
                Some((vec![vec![Pin::Named("ill".to_owned())]], j))
            }
            Kw::Part => {
                if let Some(n) = ordinal {
                    return Some((vec![vec![Pin::Named(format!("part{n}"))]], j));
                }
                let (n, next) = self.small_number(j)?;
                Some((vec![vec![Pin::Named(format!("part{n}"))]], next))
            }
            Kw::Paragraph | Kw::Item => {
                let (n, next) = match ordinal {
                    Some(n) => (n.to_string(), j),
                    None => match self.num(j) {
                        Some((n, d)) if d <= 2 && n > 0 => (n.to_string(), j + 1),
                        Some(_) => return None,
                        None => self.bracketed(j)?,
                    },
                };
                let pin = if kw == Kw::Item { Pin::Item(n) } else { Pin::Paragraph(n) };
                Some((vec![vec![pin]], next))
            }
            _ => None,
        }
    }

    /// `(a)`, `(a) and (b)`, `(a) to (d)`, `(2)(a)`.
    pub(super) fn labels(&self, j: usize, pin: &dyn Fn(String) -> Pin) -> Option<(Vec<Vec<Pin>>, usize)> {
        let (first, mut next) = self.bracketed(j)?;
        let mut all = vec![vec![pin(first.clone())]];
        let mut last = first;
        while let Some((label, after)) = self.bracketed(next) {
            if let Some(path) = all.last_mut() {
                path.push(Pin::Label(label));
            }
            next = after;
        }
        loop {
            if all.len() > 40 {
                break;
            }
            if self.kw(next) == Kw::To || self.is(next, '-') {
                let Some((to, after)) = self.bracketed(next + 1) else { break };
                for label in labels_between(&last, &to) {
                    all.push(vec![pin(label)]);
                }
                all.push(vec![pin(to.clone())]);
                last = to;
                next = after;
                continue;
            }
            let Some((k, _)) = self.separator(next) else { break };
            let k = self.separator(k).map_or(k, |(k, _)| k);
            let Some((label, mut after)) = self.bracketed(k) else { break };
            let mut path = vec![pin(label.clone())];
            while let Some((inner, more)) = self.bracketed(after) {
                path.push(Pin::Label(inner));
                after = more;
            }
            all.push(path);
            last = label;
            next = after;
        }
        Some((all, next))
    }

    /// Places named before the provision: `clause (a) of sub-section (2) of` section 376. Gives paths from the
    /// outside in, and the token where the provision or its anaphor starts.
    pub(super) fn leading_pins(&self, i: usize) -> Option<(Vec<Vec<Pin>>, usize)> {
        let mut paths: Vec<Vec<Pin>> = vec![Vec::new()];
        let mut j = i;
        for _ in 0..6 {
            let (alternatives, next) = self.place(j)?;
            // What was read so far lies inside this place.
            let mut longer = Vec::new();
            for outer in &alternatives {
                for inner in &paths {
                    longer.push(outer.iter().chain(inner).cloned().collect::<Vec<_>>());
                }
            }
            if longer.len() > 64 {
                return None;
            }
            paths = longer;
            j = next;
            if self.kw(j) == Kw::Thereof {
                return Some((paths, j));
            }
            let linked = matches!(self.kw(j), Kw::Of | Kw::To | Kw::In | Kw::Under) || self.is(j, ',');
            if linked {
                j += 1;
            }
            if self.kw(j) == Kw::The {
                j += 1;
            }
            let part =
                alternatives.iter().flatten().any(|p| matches!(p, Pin::Named(n) if n.starts_with("part")));
            if part && self.is(j.wrapping_sub(1), ',') {
                // `Gazette, Part II, sec. 3`
                return None;
            }
            if self.head_at(j).is_some() {
                // Without a link it is another citation, except that Hindi and lists write it so.
                return linked.then_some((paths, j));
            }
            if self.anaphor_at(j).is_some() {
                return linked.then_some((paths, j));
            }
            self.place(j)?;
        }
        None
    }

    /// "said section", "that article", "thereof": the token after it.
    pub(super) fn anaphor_at(&self, i: usize) -> Option<usize> {
        match self.kw(i) {
            Kw::Thereof => Some(i + 1),
            Kw::Said | Kw::That => {
                let k = i + 1;
                let noun = match self.kw(k) {
                    Kw::Section { .. } | Kw::Article { .. } => true,
                    // "that provision is made" says nothing.
                    Kw::Provision => self.kw(i) == Kw::Said,
                    _ => false,
                };
                (noun && self.head_at(k).is_none()).then_some(k + 1)
            }
            _ => None,
        }
    }

    /// Places named after the number. Gives paths, each with the bytes where it starts and ends.
    pub(super) fn trailing_pins(
        &self,
        mut j: usize,
        kind: Option<UnitName>,
        first_start: usize,
    ) -> (Vec<(Vec<Pin>, usize, usize)>, usize) {
        let end_of = |j: usize| self.t(j.wrapping_sub(1)).end as usize;
        let mut base: Vec<Pin> = Vec::new();
        while let Some((label, next)) = self.bracketed(j) {
            base.push(Pin::Label(label));
            j = next;
        }
        let mut paths = vec![(base, first_start, end_of(j))];
        // `(a) & (g)`, `(1), (2) and (3)`, `(a) to (d)`: brothers of the last.
        while let Some((last, _, _)) = paths.last().filter(|(p, _, _)| !p.is_empty()) {
            let (stem, tail) = match last.split_last() {
                Some((Pin::Label(tail), stem)) => (stem.to_vec(), tail.clone()),
                _ => break,
            };
            if (self.kw(j) == Kw::To || self.is(j, '-')) && paths.len() < LONGEST_LIST {
                let Some((to, after)) = self.bracketed(j + 1) else { break };
                let at = (self.t(j + 1).start as usize, end_of(after));
                for label in labels_between(&tail, &to).into_iter().chain([to]) {
                    let mut path = stem.clone();
                    path.push(Pin::Label(label));
                    paths.push((path, at.0, at.1));
                }
                j = after;
                continue;
            }
            let Some((k, _)) = self.separator(j) else { break };
            let k = self.separator(k).map_or(k, |(k, _)| k);
            let Some((label, mut after)) = self.bracketed(k) else { break };
            let depth = if same_kind(&tail, &label) {
                stem.len()
            } else {
                // `(1)(a) and (2)(b)`: back to the level that looks alike.
                stem.iter()
                    .position(|p| matches!(p, Pin::Label(l) if same_kind(l, &label)))
                    .unwrap_or(stem.len())
            };
            let mut path: Vec<Pin> = stem.into_iter().take(depth).collect();
            path.push(Pin::Label(label));
            while let Some((inner, more)) = self.bracketed(after) {
                path.push(Pin::Label(inner));
                after = more;
            }
            paths.push((path, self.t(k).start as usize, end_of(after)));
            j = after;
            if paths.len() >= LONGEST_LIST {
                break;
            }
        }
        // Named places: `, Thirdly`, `Part II`, `Exception 1`, `की उपधारा (2)`.
        for _ in 0..4 {
            let mut k = j;
            if self.is(k, ',') || self.is(k, '-') || (self.kw(k) == Kw::Of && !self.is_of(k)) {
                k += 1;
            }
            let open = self.is(k, '(')
                && matches!(
                    self.kw(k + 1),
                    Kw::Part | Kw::Ordinally(_) | Kw::Ordinal(_) | Kw::Exception | Kw::Explanation
                );
            k += usize::from(open);
            let got = if let Some((pin, next)) = self.ordinally_at(k) {
                Some((vec![vec![pin]], next))
            } else {
                let allowed = match self.kw(k) {
                    Kw::Paragraph | Kw::Item => kind == Some(UnitName::Article),
                    Kw::Ordinal(_) => !matches!(self.kw(k + 1), Kw::Schedule),
                    _ => true,
                };
                // A place that belongs to the next provision is not ours.
                if allowed && self.leading_pins(k).is_none() { self.place(k) } else { None }
            };
            let Some((alternatives, mut next)) = got else { break };
            if open {
                if !self.is(next, ')') {
                    break;
                }
                next += 1;
            }
            let end = end_of(next);
            let Some((path, start, _)) = paths.pop() else { break };
            for pins in alternatives {
                let mut longer = path.clone();
                longer.extend(pins);
                paths.push((longer, start, end));
            }
            j = next;
        }
        (paths, j)
    }
}

/// Whether two labels are of one kind: figures, Roman numerals, or letters.
pub(super) fn same_kind(a: &str, b: &str) -> bool {
    let figure = |s: &str| s.starts_with(|c: char| c.is_ascii_digit());
    figure(a) == figure(b)
}

/// The labels strictly between two: (a) to (d), (1) to (3), (i) to (iv).
pub(super) fn labels_between(from: &str, to: &str) -> Vec<String> {
    let figure = |s: &str| s.parse::<u32>().ok();
    if let (Some(a), Some(b)) = (figure(from), figure(to)) {
        return (a + 1..b.min(a + 60)).map(|n| n.to_string()).collect();
    }
    let letter = |s: &str| if s.len() == 1 { s.bytes().next().filter(u8::is_ascii_lowercase) } else { None };
    // (i) to (iv) counts in Roman numerals; (c) to (i) in letters.
    if let (Some(a), Some(b)) = (parse_roman(from), parse_roman(to))
        && a < b
        && (from.len() > 1 || to.len() > 1 || from == "i")
    {
        return (a + 1..b).map(|n| to_roman(n).to_ascii_lowercase()).collect();
    }
    match (letter(from), letter(to)) {
        (Some(a), Some(b)) if a < b => (a + 1..b).map(|c| (c as char).to_string()).collect(),
        _ => Vec::new(),
    }
}

/// Pinpoints as ids have them. In a Chinese code the first figure in brackets is 款, the second 项.
pub(super) fn pins_of(pins: &[Pin], grammar: Grammar) -> Vec<String> {
    let mut out = Vec::new();
    for pin in pins {
        out.push(match (pin, grammar) {
            (Pin::Named(name), _) => name.clone(),
            (Pin::Paragraph(n), _) => format!("p{n}"),
            (Pin::Item(n), _) => format!("i{n}"),
            (Pin::Label(label), Grammar::ChineseCode) => {
                let figure = label.parse::<u32>().ok().or_else(|| parse_roman(label));
                match figure {
                    Some(n) if out.is_empty() => format!("p{n}"),
                    Some(n) => format!("i{n}"),
                    None => label.to_ascii_lowercase(),
                }
            }
            (Pin::Label(label), Grammar::IndianAct) => label.to_ascii_lowercase(),
        });
    }
    out
}
