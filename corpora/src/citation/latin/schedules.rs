//! Schedules, lists and entries.

use crate::id::{Number, Unit};
use crate::manifest::UnitName;

use super::super::lex::{Kw, T};
use super::super::numerals::parse_roman;
use super::super::{Extracted, Unresolved};
use super::{Act, Scanner};

impl Scanner<'_> {
    /// `Seventh Schedule, List II, Entry 1 of the Constitution`.
    pub(super) fn schedule(
        &mut self,
        i: usize,
        prefix: Option<Act>,
        from: usize,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> Option<usize> {
        let mut number = None;
        let mut ordinal = false;
        let mut list = None;
        let mut entries: Vec<String> = Vec::new();
        let mut paragraphs: Vec<Vec<String>> = Vec::new();
        let mut j = i;
        let mut end = i;
        let mut start = from;
        let named_before = i.checked_sub(1).and_then(|p| self.named_list(p));
        for _ in 0..12 {
            let before = j;
            match self.kw(j) {
                Kw::Ordinal(n) if self.kw(j + 1) == Kw::Schedule && number.is_none() => {
                    number = Some(n);
                    ordinal = self.t(j + 1).capital;
                    j += 2;
                }
                Kw::Schedule if number.is_none() => {
                    let (n, next) = self.small_number(j + 1)?;
                    number = Some(n);
                    j = next;
                }
                // `Concurrent List, Entries 1 and 2`
                Kw::List if list.is_none() && j == i && named_before.is_some() => {
                    list = named_before;
                    start = from.min(i.saturating_sub(1));
                    j += 1;
                }
                Kw::List if list.is_none() => {
                    let (n, next) = self.small_number(j + 1)?;
                    list = Some(n);
                    j = next;
                }
                Kw::Entry if entries.is_empty() => {
                    let mut k = j + 1;
                    k += usize::from(self.kw(k) == Kw::No);
                    k += usize::from(self.is(k, '.'));
                    while let Some((num, next)) = self.number_at(k) {
                        entries.push(format!("{}{}", num.base, num.letters));
                        if let Some((to, _)) = num.dash {
                            entries.extend((num.base + 1..=to.min(num.base + 100)).map(|n| n.to_string()));
                        }
                        k = next;
                        // `Entries 1 to 5`
                        if self.kw(k) == Kw::To
                            && num.letters.is_empty()
                            && let Some((to, after)) = self.number_at(k + 1)
                        {
                            entries
                                .extend((num.base + 1..=to.base.min(num.base + 100)).map(|n| n.to_string()));
                            k = after;
                        }
                        let Some((s, _)) = self.separator(k) else { break };
                        let s = self.separator(s).map_or(s, |(s, _)| s);
                        if self.num(s).is_none() || entries.len() > 100 {
                            break;
                        }
                        k = s;
                    }
                    if entries.is_empty() {
                        return None;
                    }
                    j = k;
                }
                Kw::Paragraph if paragraphs.is_empty() => {
                    let (num, mut next) = self.number_at(j + 1 + usize::from(self.is(j + 1, '.')))?;
                    let mut path = vec![format!("para{}{}", num.base, num.letters)];
                    while let Some((label, after)) = self.bracketed(next) {
                        path.push(label);
                        next = after;
                    }
                    paragraphs.push(path);
                    j = next;
                }
                _ => {}
            }
            if j == before {
                let named = self.named_list(j);
                if let Some(n) =
                    named.filter(|_| self.kw(j + 1) == Kw::List && list.is_none_or(|l| Some(l) == named))
                {
                    list = Some(n);
                    j += 2;
                } else {
                    // Between the parts.
                    let link = matches!(self.kw(j), Kw::Of | Kw::To | Kw::In | Kw::The)
                        || matches!(self.t(j).t, T::Sign(',' | '-' | '(' | ')'));
                    let more = (1..4).any(|n| {
                        matches!(
                            self.kw(j + n),
                            Kw::Schedule | Kw::List | Kw::Entry | Kw::Paragraph | Kw::Ordinal(_)
                        )
                    });
                    if link && more {
                        j += 1;
                        continue;
                    }
                    break;
                }
            }
            end = j;
        }
        if number.is_none() && list.is_none() {
            return None;
        }
        if number.is_none() && entries.is_empty() {
            return None;
        }
        let mut next = end;
        let mut act = prefix;
        if act.is_none() {
            let k = end + usize::from(self.is(end, ','));
            let k = if self.kw(k) == Kw::To { k + 1 } else { k };
            let k = k + usize::from(self.kw(k) == Kw::The);
            if let Some((found, after)) = self.name_at(k) {
                act = Some(found);
                next = after;
            } else if let Some((found, after, _)) = self.act_after(end, true, false) {
                act = Some(found);
                next = after;
            }
        }
        if act.is_none()
            && list.is_some()
            && number.is_none_or(|n| n == 7)
            && self.context.jurisdiction.as_deref() == Some("in")
        {
            act = self.lexicon.works.iter().position(|w| w.id.as_str() == "in/constitution").map(Act::Known);
        }
        let number = number.or_else(|| list.map(|_| 7))?;
        let named_inside = !entries.is_empty() || !paragraphs.is_empty();
        if act.is_none() && ordinal {
            act = self.constitutional_schedule(number, i);
        }
        // An entry of a schedule that nobody's act is named for is counted; the mere word is not.
        if act.is_none() && !named_inside {
            return None;
        }
        let (work, unresolved) = match act {
            Some(Act::Known(w)) => (Some(self.lexicon.work(w)?.id.clone()), None),
            Some(Act::Other) => (None, Some(Unresolved::OtherAct)),
            Some(Act::Unclear) => (None, Some(Unresolved::Unclear)),
            Some(Act::Lost) => (None, Some(Unresolved::NoAntecedent)),
            None => (None, Some(Unresolved::NoAct)),
        };
        if let Some(act) = act {
            self.remember(act, None);
        }
        let mut paths: Vec<Vec<String>> = Vec::new();
        let stem: Vec<String> = list.map(|l| format!("list{l}")).into_iter().collect();
        for entry in &entries {
            let mut path = stem.clone();
            path.push(format!("e{entry}"));
            paths.push(path);
        }
        paths.extend(paragraphs);
        if paths.is_empty() {
            paths.push(stem);
        }
        // `Part B of the Fifth Schedule`, `the Second Schedule to the CrPC, Form No. 45`: the place is more than was read.
        let before = self.schedule_part_before(start);
        let behind = self.schedule_part_behind(next);
        let place = match (before, behind) {
            (_, Some(after)) => Some(self.bytes(next, after)),
            (Some(first), None) => Some(self.bytes(first, start)),
            (None, None) => None,
        };
        let start = before.unwrap_or(start);
        let next = behind.unwrap_or(next);
        let unresolved = unresolved.or(place.map(|(from, to)| Unresolved::Place(from, to)));
        let span = (self.t(start).start as usize, self.t(next.wrapping_sub(1)).end as usize);
        let raw = self.text.get(span.0..span.1)?.to_owned();
        *group += 1;
        for pins in paths {
            out.push(Extracted {
                span,
                raw: raw.clone(),
                work: work.clone(),
                unit: Some(Unit::Schedule(Number::plain(number))),
                pins,
                or: None,
                until: None,
                group: *group,
                unresolved,
                quotes: Vec::new(),
            });
        }
        Some(next)
    }

    /// `Union List`, `State List`, `Concurrent List`: the number of the list that the word at `j` names.
    fn named_list(&self, j: usize) -> Option<u32> {
        if self.kw(j + 1) != Kw::List {
            return None;
        }
        match self.word(j).to_ascii_lowercase().as_str() {
            "union" => Some(1),
            "state" => Some(2),
            "concurrent" => Some(3),
            _ => None,
        }
    }

    /// A numbered or lettered part before `of the Fifth Schedule`, whose first word stands at `start`: its first token.
    fn schedule_part_before(&self, start: usize) -> Option<usize> {
        let the = usize::from(start > 0 && self.kw(start - 1) == Kw::The);
        let of = start.checked_sub(1 + the).filter(|p| self.is_of(*p))?;
        let label = of.checked_sub(1)?;
        let single = self.num(label).is_some()
            || self.t(label).capital
                && (self.word(label).len() == 1 || parse_roman(self.word(label)).is_some());
        let mut word = label.checked_sub(1).filter(|_| single)?;
        while word > 0 && (self.is(word, '.') || self.kw(word) == Kw::No) {
            word -= 1;
        }
        matches!(self.t(word).t, T::Word(_)).then_some(word)
    }

    /// The same behind the act's name at `j`: the token after it.
    fn schedule_part_behind(&self, j: usize) -> Option<usize> {
        let k = j + usize::from(self.is(j, ','));
        let part = matches!(self.kw(k), Kw::Part | Kw::Paragraph | Kw::Item | Kw::Entry | Kw::List)
            || ["form", "table", "column", "serial"].iter().any(|w| self.word(k).eq_ignore_ascii_case(w));
        let mut n = k + 1;
        while n < k + 4 && (self.is(n, '.') || self.kw(n) == Kw::No) {
            n += 1;
        }
        let label =
            self.num(n).is_some() || self.t(n).capital && self.word(n).len() <= 4 && !self.word(n).is_empty();
        // `paragraph 12 of the judgment`
        (part && label && !self.is_of(n + 1)).then_some(n + 1)
    }

    /// Whose `the Tenth Schedule` is: from the Fifth to the Twelfth those of India's Constitution are called so by ordinals
    /// and without an act; its first four are called as those of other acts are. Another act in the paragraph may have one.
    fn constitutional_schedule(&mut self, number: u32, at: usize) -> Option<Act> {
        if !(5..=12).contains(&number) || self.context.jurisdiction.as_deref() != Some("in") {
            return None;
        }
        let work =
            self.lexicon.works.iter().position(|w| w.id.as_str() == "in/constitution").map(Act::Known)?;
        let other = self.rival(at, work, UnitName::Section) || self.rival(at, work, UnitName::Article);
        Some(if other { Act::Unclear } else { work })
    }
}
