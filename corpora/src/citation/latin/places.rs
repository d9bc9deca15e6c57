//! Places inside a provision: `(1)(a)`, `Exception 1`, `the second proviso`.

use crate::manifest::UnitName;

use super::super::lex::{Kw, T};
use super::super::numerals::parse_roman;
use super::labels::{is_short_word, labels_between, like, same_kind};
use super::{LONGEST_LIST, Pin, Scanner};

impl Scanner<'_> {
    /// `(x)` or `[x]` at `i`: the label in lower case, figures with letters as `1A`, and the token after it.
    pub(super) fn bracketed(&self, i: usize) -> Option<(String, usize)> {
        let square = self.is(i, '[');
        if !square && !self.is(i, '(') {
            return None;
        }
        let (label, next) = match self.t(i + 1).t {
            // A figure in square brackets may be the mark of a note.
            T::Num(value, digits) if digits <= 3 && !square => {
                let mut label = value.to_string();
                let mut next = i + 2;
                // `(1A)`, `(1-A)`, not `(2nd)`.
                let k = next + usize::from(self.is(next, '-') && !self.t(next).spaced);
                let word = self.word(k);
                let letters = !self.t(k).spaced
                    && (1..=2).contains(&word.len())
                    && word.is_ascii()
                    && !["st", "nd", "rd", "th"].iter().any(|w| word.eq_ignore_ascii_case(w));
                if letters {
                    label.push_str(&word.to_ascii_uppercase());
                    next = k + 1;
                }
                (label, next)
            }
            T::Word(_) => {
                let word = self.word(i + 1);
                if word.is_ascii() {
                    let ok = match word.len() {
                        1 => true,
                        2 => self.kw(i + 1) == Kw::None && !is_short_word(word),
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
        self.is(next, if square { ']' } else { ')' }).then_some((label, next + 1))
    }

    /// A letter glued to a bracket that closed: the `a` of `19(1)a`.
    fn glued_label(&self, j: usize) -> Option<(String, usize)> {
        let (tok, word) = (self.t(j), self.word(j));
        let small = word.bytes().all(|b| b.is_ascii_lowercase());
        let letters = matches!(word.len(), 1) && word.is_ascii() || word.len() == 2 && small;
        let free = self.kw(j) == Kw::None || word.len() == 1 && self.kw(j) == Kw::SectionAbbr;
        (letters
            && free
            && !tok.spaced
            && !is_short_word(word)
            && self.closes(j + 1)
            && self.name_at(j).is_none()
            && self.read_with(j).is_none()
            && self.head_at(j).is_none())
        .then(|| (word.to_ascii_lowercase(), j + 1))
    }

    /// A number for an exception, explanation, part or list: `2`, `II`, `(2)`.
    pub(super) fn small_number(&self, i: usize) -> Option<(u32, usize)> {
        // `Exception No. 4`
        let i = i + usize::from(self.kw(i) == Kw::No);
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
        const WORDS: [&str; 12] = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
            "eleventh", "twelfth",
        ];
        let word = usize::try_from(n).ok().and_then(|n| WORDS.get(n.checked_sub(1)?));
        Pin::Named(word.map_or_else(|| n.to_string(), |w| (*w).to_owned()))
    }

    /// `Thirdly`, `3rdly`.
    pub(super) fn ordinally_at(&self, i: usize) -> Option<(Pin, usize)> {
        if let Kw::Ordinally(n) = self.kw(i) {
            return Some((Self::ordinally(n), i + 1));
        }
        let (n, 1 | 2) = self.num(i)? else { return None };
        let ends = ["stly", "ndly", "rdly", "thly"].iter().any(|e| self.word(i + 1).eq_ignore_ascii_case(e));
        (ends && !self.t(i + 1).spaced && (1..=12).contains(&n)).then(|| (Self::ordinally(n), i + 2))
    }

    /// What sort of place a word names, without ordinal: `sub-section` is one, whether written as one word or two.
    pub(super) fn place_kind(&self, i: usize) -> Option<Kw> {
        match self.kw(i) {
            Kw::Sub => {
                let k = i + 1 + usize::from(self.is(i + 1, '-'));
                match self.kw(k) {
                    Kw::Section { .. } | Kw::SectionAbbr => Some(Kw::SubSection),
                    Kw::Clause => Some(Kw::SubClause),
                    _ => None,
                }
            }
            kw @ (Kw::SubSection
            | Kw::SubClause
            | Kw::Clause
            | Kw::Proviso
            | Kw::Exception
            | Kw::Explanation
            | Kw::Illustration
            | Kw::Part
            | Kw::Limb
            | Kw::Paragraph
            | Kw::Item) => Some(kw),
            _ => None,
        }
    }

    /// `first`, `first and second`, `first, third and fourth`: the numbers and the token after them.
    pub(super) fn ordinals_at(&self, i: usize) -> (Vec<u32>, usize) {
        let mut all = Vec::new();
        let mut j = i;
        while let Kw::Ordinal(n) = self.kw(j) {
            all.push(n);
            j += 1;
            let Some((k, _)) = self.separator(j).filter(|_| all.len() < 12) else { break };
            let k = self.separator(k).map_or(k, |(k, _)| k);
            let k = k + usize::from(self.kw(k) == Kw::The);
            if !matches!(self.kw(k), Kw::Ordinal(_)) {
                break;
            }
            j = k;
        }
        (all, j)
    }

    /// One place with its label: `sub-section (2)`, `Exception 1`, `second proviso`. Alternatives for a list.
    pub(super) fn place(&self, i: usize) -> Option<(Vec<Vec<Pin>>, usize)> {
        let dotted = |j: usize| j + usize::from(self.is(j, '.'));
        let (ordinals, word) = match self.kw(i) {
            Kw::Ordinal(_) => self.ordinals_at(i),
            _ => (Vec::new(), i),
        };
        let kw = self.place_kind(word)?;
        let mut j = word + 1;
        if self.kw(word) == Kw::Sub {
            j += 1 + usize::from(self.is(j, '-'));
        }
        let ordinal = ordinals.first().copied();
        j = dotted(j);
        if ordinal.is_some() {
            let named = |stem: &str| {
                let all = ordinals.iter().map(|n| vec![Pin::Named(format!("{stem}{n}"))]).collect();
                Some((all, j))
            };
            match kw {
                Kw::Proviso if ordinals.len() > 1 => return named("proviso"),
                Kw::Exception => return named("exc"),
                Kw::Explanation => return named("expl"),
                Kw::Part => return named("part"),
                Kw::Proviso | Kw::Paragraph => {}
                // The second sub-section is (2), but which clause is the second nobody can tell.
                Kw::SubSection => {
                    return Some((ordinals.iter().map(|n| vec![Pin::Label(n.to_string())]).collect(), j));
                }
                _ => return None,
            }
        }
        match kw {
            Kw::SubSection | Kw::SubClause | Kw::Clause => {
                if let Some((pin, next)) = self.ordinally_at(j) {
                    return Some((vec![vec![pin]], next));
                }
                // `clause twelfth`
                if let Kw::Ordinal(n) = self.kw(j)
                    && self.place_kind(j + 1).is_none()
                {
                    return Some((vec![vec![Self::ordinally(n)]], j + 1));
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
                    // `provisos 1 and 2`
                    let mut all = vec![vec![Pin::Named(name.clone())]];
                    while let Some((k, _)) = self.separator(j).filter(|_| all.len() < 10) {
                        let Some((n, 1)) = self.num(k).filter(|(n, _)| *n > 0) else { break };
                        all.push(vec![Pin::Named(format!("proviso{n}"))]);
                        j = k + 1;
                    }
                    if all.len() > 1 {
                        return Some((all, j));
                    }
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
                // `Explanation (i)` is a clause of the explanation, `Explanation (1)` and `Explanation II` one of several.
                let inner = self.bracketed(j).filter(|(l, _)| l.bytes().all(|b| b.is_ascii_lowercase()));
                if inner.is_some() {
                    let (labels, next) = self.labels(j, &|label| Pin::Label(label))?;
                    let inside = |mut path: Vec<Pin>| {
                        path.insert(0, Pin::Named(stem.to_owned()));
                        path
                    };
                    return Some((labels.into_iter().map(inside).collect(), next));
                }
                let Some((n, mut next)) = self.small_number(j) else {
                    if self.word(word).ends_with(['s', 'S']) && !self.is(j, '(') {
                        // "the exceptions to section 300" names no place of its own.
                        return Some((vec![Vec::new()], j));
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
                // `Exceptions 1, 2 and 4`, `Exceptions 1 to 5`: numbers of exceptions, never of sections.
                let mut last = n;
                while all.len() <= 20 {
                    if self.kw(next) == Kw::To || self.is(next, '-') {
                        let to = self.small_number(next + 1).filter(|(n, _)| *n > last && *n <= 20);
                        let Some((to, after)) = to else { break };
                        all.extend((last + 1..=to).map(|n| vec![Pin::Named(format!("{stem}{n}"))]));
                        last = to;
                        next = after;
                        continue;
                    }
                    let Some((k, _)) = self.separator(next) else { break };
                    let k = self.separator(k).map_or(k, |(k, _)| k);
                    let Some((n, after)) = self.small_number(k).filter(|(n, _)| *n <= 20) else { break };
                    all.push(vec![Pin::Named(format!("{stem}{n}"))]);
                    last = n;
                    next = after;
                }
                Some((all, next))
            }
            Kw::Illustration => {
                if self.is(j, '(') {
                    return self.labels(j, &|label| Pin::Named(format!("ill-{label}")));
                }
                let letter = self.word(j);
                if letter.len() == 1 && letter.is_ascii() {
                    return Some((
                        vec![vec![Pin::Named(format!("ill-{}", letter.to_ascii_lowercase()))]],
                        j + 1,
                    ));
                }
                if self.word(word).ends_with(['s', 'S']) {
                    return Some((vec![Vec::new()], j));
                }
                Some((vec![vec![Pin::Named("ill".to_owned())]], j))
            }
            Kw::Part => {
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
            // `(1)(a) and (g)`: a brother of the innermost.
            let mut path = match all.last().and_then(|p| p.split_last()) {
                Some((Pin::Label(inner), stem))
                    if !stem.is_empty() && same_kind(inner, &label) && !same_kind(&last, &label) =>
                {
                    stem.iter().cloned().chain([Pin::Label(label.clone())]).collect()
                }
                _ => vec![pin(label.clone())],
            };
            let outer = path.len() == 1;
            while let Some((inner, more)) = self.bracketed(after) {
                path.push(Pin::Label(inner));
                after = more;
            }
            all.push(path);
            if outer {
                last = label;
            }
            next = after;
        }
        Some((all, next))
    }

    /// Places named before the provision: `clause (a) of sub-section (2) of` section 376. Gives paths from the
    /// outside in, and the token where the provision or its anaphor starts.
    pub(super) fn leading_pins(&self, i: usize) -> Option<(Vec<Vec<Pin>>, usize)> {
        // `Eighthly of Section 320`; `Thirdly, Section 302` counts the points of a speech.
        if let Some((pin, next)) = self.ordinally_at(i) {
            let head = next + 1 + usize::from(self.kw(next + 1) == Kw::The);
            return (self.is_of(next) && self.head_at(head).is_some()).then(|| (vec![vec![pin]], head));
        }
        let mut paths: Vec<Vec<Pin>> = vec![Vec::new()];
        let mut j = i;
        for _ in 0..6 {
            let (mut alternatives, mut next) = self.place(j)?;
            // `Exception 1 and Exception 4 to`: brothers by their word.
            let kind = self.place_kind(j);
            while kind.is_some() && alternatives.len() < 40 {
                let Some((k, _)) = self.separator(next) else { break };
                let k = self.separator(k).map_or(k, |(k, _)| k);
                let k = k + usize::from(self.kw(k) == Kw::The);
                let named = |kind: Option<Kw>| {
                    matches!(kind, Some(Kw::Exception | Kw::Explanation | Kw::Illustration | Kw::Proviso))
                };
                if self.place_kind(k) != kind && !(named(kind) && named(self.place_kind(k))) {
                    break;
                }
                let Some((more, after)) = self.place(k) else { break };
                alternatives.extend(more);
                next = after;
            }
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
            let (linked, after) = match self.link(j) {
                Some(after) => (true, after),
                None => (false, j + usize::from(self.kw(j) == Kw::The)),
            };
            let comma = self.is(j, ',');
            j = after;
            let part =
                alternatives.iter().flatten().any(|p| matches!(p, Pin::Named(n) if n.starts_with("part")));
            if part && comma {
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

    /// What joins a place to the provision behind it: `to`, `of the`, `appended to`, `below`, a comma. The token after.
    pub(super) fn link(&self, j: usize) -> Option<usize> {
        const PARTICIPLES: &[&str] = &[
            "appended",
            "attached",
            "annexed",
            "added",
            "given",
            "contained",
            "provided",
            "set",
            "out",
            "forth",
            "mentioned",
            "found",
            "inserted",
            "occurring",
            "appearing",
            "enumerated",
            "specified",
            "engrafted",
            "incorporated",
            "laid",
            "down",
            "carved",
            "referred",
            "stated",
            "listed",
            "made",
        ];
        const UNDER: &[&str] = &["below", "beneath", "after", "following", "behind", "at"];
        if self.is(j, ',') {
            return Some(j + 1 + usize::from(self.kw(j + 1) == Kw::The));
        }
        let one_of = |k: usize, list: &[&str]| list.iter().any(|w| self.word(k).eq_ignore_ascii_case(w));
        let mut k = j;
        while k < j + 2 && one_of(k, PARTICIPLES) {
            k += 1;
        }
        if !matches!(self.kw(k), Kw::Of | Kw::To | Kw::In | Kw::Under) && !one_of(k, UNDER) {
            return None;
        }
        Some(k + 1 + usize::from(self.kw(k + 1) == Kw::The))
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

    /// Places named after the number, inside the place `base`. Gives paths, each with the bytes where it starts and ends.
    ///
    /// `behind`: they stand behind the act's name, where words and brackets can be of something else.
    pub(super) fn trailing_pins(
        &self,
        mut j: usize,
        kind: Option<UnitName>,
        first_start: usize,
        mut base: Vec<Pin>,
        behind: bool,
    ) -> (Vec<(Vec<Pin>, usize, usize)>, usize) {
        let end_of = |j: usize| self.t(j.wrapping_sub(1)).end as usize;
        let begin = j;
        // `Section 376 2(n)`: the first bracket is missing.
        if !behind
            && let Some((n, 1 | 2)) = self.num(j).filter(|(n, _)| *n > 0)
            && self.t(j).spaced
            && self.is(j + 1, '(')
            && !self.t(j + 1).spaced
            && self.bracketed(j + 1).is_some_and(|(l, _)| l.bytes().all(|b| b.is_ascii_lowercase()))
        {
            base.push(Pin::Label(n.to_string()));
            j += 1;
        }
        loop {
            // `19(1).(a)`
            let dot = usize::from(
                j > begin
                    && self.is(j, '.')
                    && !self.t(j).spaced
                    && !self.t(j + 1).spaced
                    && self.is(j + 1, '('),
            );
            let Some((label, next)) = self.bracketed(j + dot) else { break };
            // `Section 302 IPC (DB)`: the bench.
            let letters = self.word(j + dot + 1);
            if behind && letters.len() == 2 && self.t(j + dot + 1).caps && parse_roman(letters).is_none() {
                break;
            }
            // `498(A)`: a section's letter rather than a clause's label.
            let letter = self.word(j + dot + 1);
            let capital = !behind
                && j == begin
                && (1..=2).contains(&letter.len())
                && letter.bytes().all(|b| b.is_ascii_uppercase());
            base.push(Pin::Label(if capital { letter.to_owned() } else { label }));
            j = next;
        }
        if j > begin
            && let Some((label, next)) = self.glued_label(j)
        {
            base.push(Pin::Label(label));
            j = next;
        }
        let read = j > begin;
        let mut paths = vec![(base, first_start, end_of(j))];
        // `(a) & (g)`, `(1), (2) and (3)`, `(a) to (d)`: brothers of the last.
        while let Some((last, start, _)) = paths.last().filter(|(p, _, _)| read && !p.is_empty()) {
            let start = *start;
            let (stem, tail) = match last.split_last() {
                Some((Pin::Label(tail), stem)) => (stem.to_vec(), tail.clone()),
                _ => break,
            };
            if (self.kw(j) == Kw::To || self.is(j, '-')) && paths.len() < LONGEST_LIST {
                let Some((to, after)) = self.bracketed(j + 1) else { break };
                // The words of a range belong to each of its members.
                let end = end_of(after);
                if let Some(first) = paths.last_mut() {
                    first.2 = end;
                }
                for label in labels_between(&tail, &to).into_iter().chain([like(&tail, to)]) {
                    let mut path = stem.clone();
                    path.push(Pin::Label(label));
                    paths.push((path, start, end));
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
            path.push(Pin::Label(like(&tail, label)));
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
            let k = self.place_joined(j, behind);
            let mut k = k;
            let open = (self.is(k, '(') || self.is(k, '['))
                && (matches!(self.kw(k + 1), Kw::Ordinally(_) | Kw::Ordinal(_))
                    || self.place_kind(k + 1).is_some());
            k += usize::from(open);
            // Part III is of the Constitution, not of an article.
            let article = kind == Some(UnitName::Article);
            if article && self.kw(k) == Kw::Part {
                match self.place(k).filter(|_| !behind) {
                    Some((_, next)) if !open || self.is(next, ')') || self.is(next, ']') => {
                        j = next + usize::from(open)
                    }
                    _ => {}
                }
                break;
            }
            let got = if let Some((pin, mut next)) = self.ordinal_alone(k, behind) {
                // `Seventhly and Eighthly`
                let mut all = vec![vec![pin]];
                while let Some((m, _)) = self.separator(next).filter(|_| all.len() < 12) {
                    let m = self.separator(m).map_or(m, |(m, _)| m);
                    let Some((pin, after)) = self.ordinally_at(m).filter(|_| !behind) else { break };
                    all.push(vec![pin]);
                    next = after;
                }
                Some((all, next))
            } else {
                let allowed = match self.kw(k) {
                    Kw::Paragraph | Kw::Item => article && !behind,
                    Kw::Ordinal(_) => !matches!(self.kw(k + 1), Kw::Schedule),
                    Kw::Exception | Kw::Explanation | Kw::Illustration if behind => self.place_is_said(k),
                    _ => true,
                };
                // A place that belongs to the next provision is not ours.
                if allowed && self.leading_pins(k).is_none() && self.unread_before(k).is_none() {
                    self.place(k)
                } else {
                    None
                }
            };
            let Some((mut alternatives, mut next)) = got else { break };
            // `sub-clause (a) of clause (1)`: the outer place behind the inner one.
            while self.is_of(next) {
                let k = next + 1 + usize::from(self.kw(next + 1) == Kw::The);
                if self.place_kind(k).is_none() || self.leading_pins(k).is_some() {
                    break;
                }
                let Some((outer, after)) = self.place(k).filter(|(o, _)| o.len() == 1) else { break };
                let outer = outer.into_iter().next().unwrap_or_default();
                for inner in &mut alternatives {
                    let mut path = outer.clone();
                    path.append(inner);
                    *inner = path;
                }
                next = after;
            }
            if open {
                if !self.is(next, ')') && !self.is(next, ']') {
                    break;
                }
                next += 1;
            }
            next += usize::from(k > j && self.is_quote(k - 1) && self.is_quote(next));
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

    fn is_quote(&self, k: usize) -> bool {
        matches!(self.t(k).t, T::Sign('"' | '“' | '”' | '\''))
    }

    /// Past what may stand between a provision and a place behind it: a comma, a dash, a particle; behind an act's name
    /// also `read with`, a colon or a quotation mark, where a numbered place follows.
    pub(super) fn place_joined(&self, j: usize, behind: bool) -> usize {
        let particle = self.kw(j) == Kw::Of && !self.is_of(j);
        if self.is(j, ',') || self.is(j, '-') || particle {
            let k = j + 1;
            return k + usize::from(
                self.is_quote(k) && (self.ordinally_at(k + 1).is_some() || self.numbered_place(k + 1)),
            );
        }
        let sign = matches!(self.t(j).t, T::Sign(':' | '/')) || self.is_quote(j);
        if sign && (self.numbered_place(j + 1) || self.is_quote(j) && self.ordinally_at(j + 1).is_some()) {
            return j + 1;
        }
        if !behind {
            return j;
        }
        // `the IPC's Exception 9`
        if self.is(j, '\'') && self.word(j + 1) == "s" && self.numbered_place(j + 2) {
            return j + 2;
        }
        match self.read_with(j) {
            Some(k) if self.numbered_place(k) => k,
            _ => j,
        }
    }

    /// Whether a place with its number or label stands at `k`.
    pub(super) fn numbered_place(&self, k: usize) -> bool {
        if matches!(self.kw(k), Kw::Ordinal(_)) {
            return self.place_kind(self.ordinals_at(k).1).is_some();
        }
        let Some(kind) = self.place_kind(k) else { return false };
        let sub = if self.kw(k) == Kw::Sub { 1 + usize::from(self.is(k + 1, '-')) } else { 0 };
        let n = k + 1 + sub;
        let n = n + usize::from(self.is(n, '.'));
        kind == Kw::Proviso || self.small_number(n).is_some() || self.bracketed(n).is_some()
    }

    /// `Thirdly`, `Twelfth` as the name of a place, and the token after it.
    fn ordinal_alone(&self, k: usize, behind: bool) -> Option<(Pin, usize)> {
        if let Some((pin, next)) = self.ordinally_at(k).filter(|_| self.leading_pins(k).is_none()) {
            // `firstly under Section 302 IPC, secondly under Section 34`: it counts the charges.
            let goes_on = next + usize::from(self.is(next, ','));
            let goes_on = goes_on + usize::from(matches!(self.kw(goes_on), Kw::Under | Kw::In | Kw::With));
            let adverb = behind
                && (self.head_at(goes_on).is_some()
                    || (self.is(next, ',') || !self.closes(next)) && !self.t(k).capital);
            return (!adverb).then_some((pin, next));
        }
        // `Section 21 Twelfth IPC`
        let Kw::Ordinal(n) = self.kw(k) else { return None };
        let next = k + 1;
        let named = self.t(k).capital
            && self.closes(next)
            && !self.is(next, '-')
            && !matches!(self.kw(next), Kw::And | Kw::Or)
            && !["former", "latter"].iter().any(|w| self.word(k).eq_ignore_ascii_case(w));
        named.then(|| (Self::ordinally(n), next))
    }

    /// Whether `exception`, `explanation`, `illustration` behind an act is the name of a place and no ordinary word.
    fn place_is_said(&self, k: usize) -> bool {
        let j = k + 1 + usize::from(self.is(k + 1, '.'));
        let numbered = self.small_number(j).is_some() || self.bracketed(j).is_some();
        let letter = self.kw(k) == Kw::Illustration && self.word(j).len() == 1;
        numbered || letter || (self.t(k).capital && matches!(self.t(j).t, T::Sign(_) | T::End))
    }
}
