//! What goes on behind a provision's number: the end of a range, what it was changed to, places behind the act's name.

use crate::manifest::UnitName;

use super::super::lex::{Kw, T};
use super::labels::{labels_between, like};
use super::{Item, Num, Pin, Scanner};
use crate::citation::{Extracted, Unresolved};

/// Beside `from Section 302 to Section 304`: what goes over from one provision to another, and how.
const MOVED: &[&str] = &[
    "charge",
    "charges",
    "charged",
    "offence",
    "offense",
    "crime",
    "case",
    "conviction",
    "convicted",
    "sentence",
    "verdict",
    "finding",
    "fir",
    "accusation",
    "liability",
    "culpability",
    "moved",
    "move",
    "went",
    "go",
    "goes",
    "came",
    "come",
    "comes",
    "passed",
    "fell",
    "falls",
    "taken",
    "took",
    "turned",
    "slid",
    "travels",
    "apradh",
    "अपराध",
    "आरोप",
    "मामला",
    "मामले",
];

impl Scanner<'_> {
    /// What a list has beyond the longest that is read: one citation for all of it, so that it is counted. The token after.
    pub(super) fn rest_of_list(&mut self, j: usize, group: &mut usize, out: &mut Vec<Extracted>) -> usize {
        let end = self.end_of_list(j);
        self.runs_on = end == self.toks.len();
        if (j..end).any(|n| self.num(n).is_some()) {
            return self.unnumbered(j, end, Unresolved::TooLong, group, out);
        }
        end.max(j)
    }

    /// The token after the numbers and separators that stand at `j`.
    pub(super) fn end_of_list(&self, j: usize) -> usize {
        let mut end = j;
        while end < self.toks.len() {
            end = match (self.number_at(end), self.num(end), self.separator(end)) {
                (Some((_, next)), ..) | (None, None, Some((next, _))) => next,
                (None, Some(_), _) => end + 1,
                _ => break,
            };
        }
        end
    }

    /// `/B` behind `304A`: the letter of the next section of that figure.
    pub(super) fn next_letter(&self, j: usize, num: &Num) -> Option<(String, usize)> {
        let word = self.word(j + 1);
        let single = word.len() == 1 && word.bytes().all(|b| b.is_ascii_uppercase());
        (num.letters.len() == 1
            && self.is(j, '/')
            && !self.t(j + 1).spaced
            && single
            && word > num.letters.as_str()
            && self.closes(j + 2))
        .then(|| (word.to_owned(), j + 2))
    }

    /// `to`, `through`, `up to`, `-`, `से लेकर` between the ends of a range: the token after it.
    pub(super) fn range_word(&self, j: usize) -> Option<usize> {
        if self.is(j, '-') {
            return self.num(j + 1).map(|_| j + 1);
        }
        let j = j + usize::from(self.word(j).eq_ignore_ascii_case("up") && self.kw(j + 1) == Kw::To);
        let long = ["लेकर", "lekar"].iter().any(|w| self.word(j + 1).eq_ignore_ascii_case(w));
        matches!(self.kw(j), Kw::To | Kw::Through).then(|| j + 1 + usize::from(long))
    }

    /// The token behind `both inclusive`, which says of a range what it means anyway.
    pub(super) fn inclusive(&self, j: usize) -> usize {
        let says = |k: usize, words: &[&str]| words.iter().any(|w| self.word(k).eq_ignore_ascii_case(w));
        let k = j + usize::from(self.is(j, ',') || self.is(j, '('));
        let k = k + usize::from(says(k, &["both", "all"]));
        if !says(k, &["inclusive"]) {
            return j;
        }
        let k = k + 1 + usize::from(self.is(k + 1, ')'));
        k + usize::from(self.is(k, ',') && matches!(self.kw(k + 1), Kw::Of | Kw::In | Kw::Under))
    }

    /// `altered from Section 302 to Section 304`: whether the words before or behind say that one became the other.
    ///
    /// `first` is the token where the first provision starts, `next` the one behind the second.
    pub(super) fn changed(&self, first: usize, next: usize, plural: bool) -> bool {
        const CHANGES: &[&str] = &[
            "alter",
            "reduc",
            "convert",
            "conversion",
            "chang",
            "modif",
            "enhanc",
            "upgrad",
            "downgrad",
            "downscal",
            "scal",
            "commut",
            "substitut",
            "amend",
            "shift",
            "replac",
            "dilut",
            "lessen",
            "lower",
            "brought",
            "bring",
            "mitigat",
            "switch",
            "transform",
            "toned",
            "बदल",
            "परिवर्त",
            "तब्दील",
            "संशोध",
            "रूपांत",
            "badal",
            "badl",
            "parivart",
            "tabdil",
        ];
        let starts = |k: usize| {
            let word = self.word(k);
            word.len() > 3
                && CHANGES.iter().any(|c| word.get(..c.len()).is_some_and(|w| w.eq_ignore_ascii_case(c)))
        };
        let ends = |k: usize| matches!(self.t(k).t, T::Sign('.' | ';' | '।' | '?' | '!'));
        let before = (1..10).map_while(|n| first.checked_sub(n)).take_while(|k| !ends(*k));
        if before.clone().any(starts) {
            return true;
        }
        // `धारा 302 से 304 में परिवर्तित`
        let behind = (next..next + 10).take_while(|k| !ends(*k));
        let into = behind.clone().find(|k| ["में", "me", "mein"].iter().any(|w| self.word(*k) == *w));
        if into.is_some_and(|k| (k..k + 4).any(starts)) {
            return true;
        }
        // `the charge went from Section 302 to Section 304`: what a court has one of can only have become the other.
        let from = before.clone().take(3).any(|k| self.word(k).eq_ignore_ascii_case("from"));
        from && !plural
            && before.chain(behind).any(|k| MOVED.iter().any(|w| self.word(k).eq_ignore_ascii_case(w)))
    }

    /// The end of a range behind `to`: a whole provision, or places of the same one (`22(4) to 22(7)`). The token after.
    pub(super) fn range_to(
        &self,
        j: usize,
        to: Num,
        next: usize,
        kind: Option<UnitName>,
        items: &mut Vec<Item>,
    ) -> usize {
        let mut labels: Vec<Pin> = Vec::new();
        let mut after = next;
        while let Some((label, n)) = self.bracketed(after) {
            labels.push(Pin::Label(label));
            after = n;
        }
        let end = self.t(after.saturating_sub(1)).end as usize;
        let piece = self.bytes(j, after);
        let Some(last) = items.last_mut() else { return after };
        last.end = end;
        if labels.is_empty() && last.pins.is_empty() {
            last.until = Some(to);
            // `299 to 304 Part II` names no range of provisions.
            let (paths, more) = self.trailing_pins(after, kind, 0, Vec::new(), false);
            if more > after {
                last.unread = last.unread.or(Some((piece.0, self.t(more - 1).end as usize)));
                last.end = self.t(more - 1).end as usize;
                return more;
            }
            drop(paths);
            return after;
        }
        let same = to.base == last.num.base && to.letters == last.num.letters && last.num.dash.is_none();
        let between = match (last.pins.split_last(), labels.split_last()) {
            (Some((Pin::Label(a), stem)), Some((Pin::Label(b), other))) if same && stem == other => {
                Some((stem.to_vec(), labels_between(a, b), like(a, b.clone())))
            }
            _ => None,
        };
        match between {
            Some((stem, middle, b)) => {
                let model = last.clone();
                for label in middle.into_iter().chain([b]) {
                    let pins = stem.iter().cloned().chain([Pin::Label(label)]).collect();
                    items.push(Item { pins, ..model.clone() });
                }
            }
            None => last.unread = last.unread.or(Some(piece)),
        }
        after
    }

    /// Places written behind the act's name: `Section 304 IPC Part II`, `Section 154 CrPC, sub-section (3)`. The token after.
    pub(super) fn places_behind(
        &self,
        j: usize,
        kind: Option<UnitName>,
        from: usize,
        items: &mut Vec<Item>,
    ) -> usize {
        let Some(last) = items.last().cloned() else { return j };
        // `(1) Section 302 IPC (2) Section 34 IPC`: labels of a list.
        let listed = from.checked_sub(1).is_some_and(|p| self.is(p, ')'));
        if listed && self.is(j, '(') && self.bracketed(j).is_some() {
            return j;
        }
        let (paths, mut next) = self.trailing_pins(j, kind, last.start, last.pins.clone(), true);
        let mut unread = None;
        // A bracket with words behind it may be the next line of a list.
        let bracket = (self.is(j, '(') || self.is(j, '[')) && next > j && self.place_kind(j + 1).is_none();
        if bracket
            && (self.num(next).is_some()
                || self.head_at(next).is_some()
                || matches!(self.t(next).t, T::Word(_)) && !self.closes(next))
        {
            unread = Some(self.bytes(j, next));
        }
        if next > j && last.until.is_some() {
            unread = Some(self.bytes(j, next));
        }
        if let Some((piece, after, on)) = self.unread_behind(next, kind, true) {
            unread = unread.or(Some(self.bytes(piece, after)));
            next = if on { after } else { next };
        }
        if next == j && unread.is_none() {
            return j;
        }
        items.pop();
        let end = self.t(next.saturating_sub(1)).end as usize;
        let several = paths.len() > 1;
        for (n, (pins, at, until)) in paths.into_iter().enumerate() {
            items.push(Item {
                start: if n == 0 { last.start } else { at },
                end: if several { until.max(last.end) } else { end.max(last.end) },
                pins,
                unread: unread.or(last.unread),
                ..last.clone()
            });
        }
        next
    }
}
