//! Schedules, lists and entries.

use crate::id::{Number, Unit};

use super::super::lex::{Kw, T};
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
        let mut list = None;
        let mut entries: Vec<String> = Vec::new();
        let mut paragraphs: Vec<Vec<String>> = Vec::new();
        let mut j = i;
        let mut end = i;
        for _ in 0..12 {
            let before = j;
            match self.kw(j) {
                Kw::Ordinal(n) if self.kw(j + 1) == Kw::Schedule && number.is_none() => {
                    number = Some(n);
                    j += 2;
                }
                Kw::Schedule if number.is_none() => {
                    let (n, next) = self.small_number(j + 1)?;
                    number = Some(n);
                    j = next;
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
                let named = match self.word(j).to_ascii_lowercase().as_str() {
                    "union" => Some(1),
                    "state" => Some(2),
                    "concurrent" => Some(3),
                    _ => None,
                };
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
        let act = act?;
        let (work, unresolved) = match act {
            Act::Known(w) => (Some(self.lexicon.work(w)?.id.clone()), None),
            Act::Other => (None, Some(Unresolved::OtherAct)),
            Act::Unclear => (None, Some(Unresolved::Unclear)),
            Act::Lost => (None, Some(Unresolved::NoAntecedent)),
        };
        self.remember(act, None);
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
        let span = (self.t(from).start as usize, self.t(next.wrapping_sub(1)).end as usize);
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
}
