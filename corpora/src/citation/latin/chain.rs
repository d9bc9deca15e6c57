//! Chains of provisions: a list with its acts, and what it means.

use crate::manifest::UnitName;

use super::super::lex::{Kw, T};
use super::super::{Extracted, Unresolved};
use super::bare::Bare;
use super::{Act, Item, LONGEST_LIST, Num, Pin, Scanner};

impl Scanner<'_> {
    /// A catalogue name at `i..end`: the start of a citation, or only a mention.
    pub(super) fn name(
        &mut self,
        i: usize,
        act: Act,
        end: usize,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        self.remember(act, None);
        // `IPC and CrPC sections 302 and 164`: of which of the two is not said.
        let joined = i.checked_sub(1).is_some_and(|p| {
            let link =
                matches!(self.kw(p), Kw::And | Kw::Or) || matches!(self.t(p).t, T::Sign('&' | '/' | ','));
            let the = usize::from(self.kw(p) == Kw::The);
            let p = p - the.min(p);
            let link = link || (the == 1 && (matches!(self.kw(p), Kw::And | Kw::Or) || self.is(p, '&')));
            link && self.name_end == Some(p)
        });
        self.name_end = Some(end);
        self.named = Some((act, end));
        // `Penal Code § 187`: the sign is that of other countries; a name that is not India's own may be theirs.
        let bare_name = !self.t(i).caps
            && ["penal", "criminal", "code"].iter().any(|w| self.word(i).eq_ignore_ascii_case(w));
        let foreign_sign = self.is(end, '§') && bare_name;
        let turned = self.turned.is_some() && self.turned == i.checked_sub(1);
        let act = if (joined && !self.is(end, '(')) || foreign_sign || turned { Act::Unclear } else { act };
        // `Singapore Penal Code s 302`: the country is part of what is cited.
        let owner = i.checked_sub(1).filter(|p| {
            act == Act::Other
                && *p >= self.read_to
                && self.t(*p).capital
                && self.kw(*p) == Kw::None
                && self.t(i).spaced
        });
        let i = owner.unwrap_or(i);
        // `Indian Penal Code (IPC) Section 302`
        let end = match self.name_at(end + 1) {
            Some((again, after)) if self.is(end, '(') && again == act && self.is(after, ')') => after + 1,
            _ => end,
        };
        let mut j = end;
        let mut linked = false;
        for _ in 0..4 {
            if self.head_at(j).is_some() {
                return self.chain(i, j, Some(act), &[], group, out);
            }
            let sign = matches!(self.t(j).t, T::Sign(',' | ':' | '-' | '(' | '\''));
            let word = matches!(self.kw(j), Kw::Of | Kw::Under | Kw::In | Kw::The)
                || (self.is(j.wrapping_sub(1), '\'') && self.word(j).eq_ignore_ascii_case("s"));
            if !(sign || word) {
                break;
            }
            linked |= word;
            j += 1;
        }
        if let Some(next) = self.schedule(j, Some(act), i, group, out) {
            return next;
        }
        if let Some((pins, next)) = self.leading_pins(j)
            && self.head_at(next).is_some()
        {
            return self.after_leading_pins(i, &pins, next, Some(act), group, out);
        }
        // `IPC 302`, `IPC-302`, `CrPC: 164`.
        let near = j <= end + 1 && !linked && !self.is(end, ',') && !self.is(end, '(');
        if near
            && self.num(j).is_some()
            && !self.year_like(j)
            && act != Act::Other
            && self.report_at(j).is_none()
        {
            let follows = self.number_at(j).map(|(_, n)| n).unwrap_or(j + 1);
            // `IPC 12 cases`, `IPC (45 of 1860)`, `1. IPC 2. CrPC`
            let counted = self.counts_something(follows, false);
            let of_year = self.is_of(follows) && self.year_like(follows + 1);
            if !counted && !of_year && !self.list_label(i, j) {
                // `IPC - 100` may give the marks of a paper.
                let parted = self.is(end, '-') && self.t(end).spaced && self.t(end + 1).spaced;
                self.doubted = parted;
                return self.chain(i, j, Some(act), &[], group, out);
            }
        }
        end
    }

    pub(super) fn year_like(&self, i: usize) -> bool {
        self.num(i).is_some_and(|(n, d)| d == 4 && (1700..2100).contains(&n))
    }

    pub(super) fn after_leading_pins(
        &mut self,
        i: usize,
        pins: &[Vec<Pin>],
        next: usize,
        prefix: Option<Act>,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        if self.head_at(next).is_some() {
            return self.chain(i, next, prefix, pins, group, out);
        }
        match self.anaphor_at(next) {
            Some(end) => self.anaphor(i, end, pins, group, out),
            None => next,
        }
    }

    /// A number without a head: a citation only if an act of the catalogue follows (`156(3) Cr.P.C.`).
    pub(super) fn bare(&mut self, i: usize, group: &mut usize, out: &mut Vec<Extracted>) -> usize {
        if let Some(p) = i.checked_sub(1) {
            let glued = !self.t(i).spaced
                && matches!(self.t(p).t, T::Word(_) | T::Sign('.' | '-' | '/' | '#' | '\''));
            if glued {
                return i + 1;
            }
            if let Some(end) = self.foreign_numbers(i, group, out) {
                return end;
            }
            if matches!(self.kw(p), Kw::Act(_)) {
                return i + 1;
            }
            match self.governed(i) {
                Bare::Provision => {}
                Bare::Doubt => self.doubted = true,
                Bare::Other => return i + 1,
            }
            // `the following sections of the X Act, namely: 5, 6 and 7`
            if let Some((act, _)) = self.announced.filter(|(_, until)| i < *until) {
                let signs = (0..3)
                    .take_while(|n| {
                        p.checked_sub(*n)
                            .is_some_and(|q| matches!(self.t(q).t, T::Sign(':' | ',' | '-' | '.')))
                    })
                    .count();
                let lead = p.checked_sub(signs).map_or("", |q| self.word(q));
                let says = ["namely", "viz", "are", "being"].iter().any(|w| lead.eq_ignore_ascii_case(w));
                if (says || (signs > 0 && self.is(p, ':'))) && !self.year_like(i) {
                    return self.chain(i, i, Some(act), &[], group, out);
                }
            }
        }
        self.chain(i, i, None, &[], group, out)
    }

    /// A list of provisions from `j` on; its first citation starts at token `from`.
    pub(super) fn chain(
        &mut self,
        from: usize,
        j: usize,
        prefix: Option<Act>,
        leading: &[Vec<Pin>],
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        let mut items: Vec<Item> = Vec::new();
        let mut beside = self.beside.take();
        let doubted = std::mem::take(&mut self.doubted);
        let mut first_tok = from;
        let mut j = j;
        let mut prefix = prefix;
        let mut leading = leading.to_vec();
        let mut start = self.t(from).start as usize;
        let mut kind = None;
        let mut plural = false;
        let mut caps = false;
        let mut headed = false;
        let mut weak = true;
        let mut last_act: Option<Act> = prefix;
        // Items before this one have their act.
        let mut settled = 0;
        let mut loose = false;
        // From this item on, the numbers may count something.
        let mut uncertain: Option<usize> = None;
        // Whether the next provision begins anew behind an act; `read with` ties it to the one before.
        let mut apart = false;
        let mut read_with = false;
        let mut cut = false;
        let foreign = prefix.is_none() && self.foreign_act_before(from);
        // Where the numbers of the last word for a section begin, and those behind the last act's name.
        let mut headed_from = 0;
        let mut prefix_from = 0;
        // Whether that word is in the plural, so that it has more than one number.
        let mut sections = false;
        // Whether an `and` parts the list.
        let mut by_and = false;
        // Whether its only number may be of the act before or of the one behind.
        let mut disputed = false;
        loop {
            if let Some((head, next)) = self.head_at(j) {
                headed_from = items.len();
                sections = head.plural && !self.word(j).eq_ignore_ascii_case("u");
                apart = settled > 0 && prefix.is_none() && !read_with;
                kind = Some(head.kind);
                plural = head.plural;
                caps = head.caps;
                weak &= head.weak;
                headed = true;
                j = next;
            }
            let Some((num, next)) = self.number_at(j) else { break };
            // `an article 21 days later`, `Sections 302, 307 IPC and 2 other offences`
            if self.measured(next, !items.is_empty() || !headed, plural) {
                break;
            }
            if !headed
                && prefix.is_none()
                && items.is_empty()
                && self.year_like(j)
                && next == j + 1
                && !self.is(next, '(')
            {
                return j + 1;
            }
            let parted = self.parted_number(j, next);
            let broken = parted.map(|after| self.bytes(j, after));
            let next = parted.unwrap_or(next);
            let (paths, next) = self.trailing_pins(next, kind, start, Vec::new(), false);
            j = next;
            let mut unread = beside.take().or(broken);
            if let Some((piece, after, on)) = self.unread_behind(j, kind, false) {
                unread = unread.or(Some(self.bytes(piece, after)));
                j = if on { after } else { j };
            }
            for (n, (pins, at, end)) in paths.into_iter().enumerate() {
                let leads = if leading.is_empty() { vec![Vec::new()] } else { leading.clone() };
                for lead in leads {
                    let mut path = pins.clone();
                    path.extend(lead);
                    items.push(Item {
                        start: if n == 0 { start } else { at },
                        end,
                        kind,
                        num: num.clone(),
                        pins: path,
                        act: prefix.filter(|a| self.fits(*a, kind)),
                        until: None,
                        unread,
                        bare: false,
                        loose,
                        apart,
                    });
                }
            }
            leading.clear();
            loose = false;
            if items.len() > LONGEST_LIST {
                cut = true;
                break;
            }
            // `304A/B`
            while let Some((letters, next)) = items.last().and_then(|last| self.next_letter(j, &last.num)) {
                let start = self.t(j + 1).start as usize;
                if let Some(last) = items.last().cloned() {
                    let end = self.t(next.saturating_sub(1)).end as usize;
                    let num = Num { letters, ..num.clone() };
                    items.push(Item { start, end, num, pins: Vec::new(), ..last });
                }
                j = next;
            }
            // A range: `299 to 304`, `376-A to 376-E`.
            if let Some(mut k) = self.range_word(j) {
                let head = self.head_at(k).map(|(_, next)| next);
                // `accused 3 to 9 to Section 302`: no number without a word for a section begins a range of sections.
                if head.is_some() && !headed && prefix.is_none() {
                    break;
                }
                k = head.unwrap_or(k);
                if let Some((to, next)) = self.number_at(k).filter(|(_, n)| !self.year_like(k) || *n > k + 1)
                    && to.dash.is_none()
                    && (self.closes(next) || plural || self.num(next).is_none())
                {
                    // `altered from Section 302 to Section 304`: two provisions.
                    if self.changed(first_tok, next, plural) {
                        start = self.t(j + 1).start as usize;
                        first_tok = j + 1;
                        j = if head.is_some() { j + 1 } else { k };
                        continue;
                    }
                    j = self.inclusive(self.range_to(j, to, next, kind, &mut items));
                }
            }
            // The act behind it.
            let near = prefix.is_some();
            if let Some((act, end, class)) = self.act_after(j, caps, near) {
                let by_comma = self.is(j, ',');
                let dash = self.is(j, '-');
                let opens = self.opens_entry(end);
                let next_is_prefix = by_comma
                    && matches!(act, Act::Known(_))
                    && (last_act.is_some() || foreign || self.kw(j + 1) == Kw::In)
                    && if foreign {
                        opens
                    } else {
                        self.num(end).is_some_and(|_| !self.year_like(end)) || self.head_at(end).is_some()
                    };
                // In headnotes (`ACT - S. 1 - ACT - S. 2`) what stands behind a dash begins the next entry.
                let reads_on = near && (dash || opens || self.num(end).is_some());
                // Without an act before, the act behind the dash may be either's.
                let turns = !near && dash && opens;
                if turns && !foreign {
                    items.iter_mut().filter(|i| i.act.is_none()).for_each(|i| i.act = Some(Act::Unclear));
                    self.turned = Some(j);
                }
                let beside = foreign && settled == 0 && (turns || next_is_prefix);
                let reads_on = reads_on || turns;
                if beside {
                    items.iter_mut().filter(|i| i.act.is_none()).for_each(|i| i.act = Some(Act::Other));
                } else if foreign && settled == 0 {
                    Self::to_foreign(&mut items, headed_from);
                }
                // A bare number needs a name directly behind it, or behind "of".
                let far = !headed
                    && prefix.is_none()
                    && (by_comma && items.len() == 1 || matches!(self.kw(j), Kw::Under | Kw::In));
                if !next_is_prefix && !reads_on && !far {
                    let act = if items.len() > 1 && self.of_several(end) { Act::Unclear } else { act };
                    self.remember(act, class);
                    let direct = items.len() - 1;
                    // `NDPS Act, sections 8, 20 and sections 353, 332 IPC`: those with a word of their own.
                    let own = headed_from > 0 && headed_from < items.len();
                    let first = if !near {
                        settled
                    } else if own {
                        headed_from
                    } else {
                        direct
                    };
                    // `Gangsters Act, section 3 IPC`, `IPC S. 164 CrPC`: an act before and another behind, unless a word ties
                    // the one behind to the number.
                    let tied = matches!(self.kw(j), Kw::Of | Kw::In | Kw::Under | Kw::Thereof);
                    let alone = if headed {
                        items.len() == 1 || !by_and
                    } else {
                        items.len() == 1 && self.title_before(from)
                    };
                    let between = if near {
                        last_act != Some(act) && items.len() - prefix_from == 1
                    } else {
                        foreign && settled == 0 && headed_from == 0 && alone
                    };
                    disputed |= between && !tied;
                    if between && !tied && !near {
                        items.iter_mut().for_each(|i| i.act = Some(Act::Unclear));
                    }
                    let act = if between && !tied { Act::Unclear } else { act };
                    // `the Railways Act squarely section 147 and section 353 IPC`: the first may be of the act named before.
                    let earlier = if own { headed_from } else { direct };
                    let several = headed && !near && settled == 0 && earlier > 0 && (own || !sections);
                    if several && self.other_act_before(from, act, kind.unwrap_or(UnitName::Section), tied) {
                        let open = items.iter_mut().take(earlier).filter(|i| i.act.is_none());
                        open.for_each(|i| i.act = Some(Act::Unclear));
                    }
                    let end_byte = self.t(end.wrapping_sub(1)).end as usize;
                    let fits: Vec<bool> = items.iter().map(|item| self.fits(act, item.kind)).collect();
                    let back = self.kw(j) == Kw::Thereof;
                    for (n, item) in items.iter_mut().enumerate().skip(first) {
                        if near || item.act.is_none() {
                            // The word before the number is wrong for that act; the act named directly behind wins,
                            // but one that is only pointed at ("Article 3 thereof" behind a code) is another.
                            if n == direct && back && !fits.get(n).copied().unwrap_or(false) {
                                item.act = Some(Act::Lost);
                            } else if n == direct || fits.get(n).copied().unwrap_or(false) {
                                item.act = Some(act);
                            }
                        }
                        item.loose = false;
                    }
                    // Members of one range of places end together.
                    let whole = items.last().map(|last| (last.start, last.end));
                    for item in items.iter_mut().filter(|i| whole == Some((i.start, i.end))) {
                        item.end = item.end.max(end_byte);
                    }
                    last_act = Some(act);
                    j = end;
                    self.named = Some((act, end));
                    if matches!(act, Act::Known(_)) {
                        j = self.places_behind(j, kind, from, &mut items);
                    }
                    settled = items.len();
                }
            }
            // What follows.
            let Some((k, strong)) = self.separators(j) else { break };
            let begins = self.t(k).start as usize;
            first_tok = k;
            read_with = (j..k).any(|n| self.read_with(n).is_some());
            by_and |= read_with || (j..k).any(|n| self.kw(n) == Kw::And || self.is(n, '&'));
            apart = false;
            if let Some((_, _)) = self.head_at(k) {
                start = begins;
                j = k;
                continue;
            }
            if let Some((pins, next)) = self.leading_pins(k).filter(|(_, n)| self.head_at(*n).is_some()) {
                leading = pins;
                start = begins;
                j = next;
                continue;
            }
            if let Some((act, end)) = self.name_at(k) {
                let n = end + usize::from(self.is(end, ',') || self.is(end, '-') || self.is(end, ':'));
                let head = self.head_at(n).is_some();
                if matches!(act, Act::Known(_))
                    && (head || (n == end && self.num(n).is_some() && !self.year_like(n)))
                {
                    self.remember(act, None);
                    prefix = Some(act);
                    last_act = Some(act);
                    settled = items.len();
                    prefix_from = items.len();
                    start = begins;
                    kind = None;
                    j = n;
                    continue;
                }
                break;
            }
            // A number alone.
            if self.num(k).is_none() || self.year_like(k) || self.report_at(k).is_some() {
                break;
            }
            let Some((_, after)) = self.number_at(k) else { break };
            // `25/27 Arms Act`: a stroke without space joins whatever comes.
            let stroke = self.is(k.wrapping_sub(1), '/') && !self.t(k).spaced;
            let behind = settled > 0 && settled == items.len() && prefix.is_none();
            let has_act = self.act_after(after, caps, false).is_some();
            let follows = self.is(after, '(')
                || self.closes(after)
                || stroke
                || plural && !behind && self.t(after).t != T::Sign('%')
                || has_act;
            if !follows {
                break;
            }
            // `Section 302 IPC and 5 were hurt`: behind an act, what goes on with a verb may count people.
            let verb = matches!(self.kw(after), Kw::After | Kw::In | Kw::Of) && !has_act;
            if behind && verb && matches!(self.kw(k.wrapping_sub(1)), Kw::And | Kw::Or) && !stroke {
                uncertain.get_or_insert(items.len());
            }
            // Behind an act, a comma may start something else: only a strong link or a further act goes on.
            loose = settled > 0
                && prefix.is_none()
                && !strong
                && (settled == items.len() || items.last().is_some_and(|i| i.loose));
            start = begins;
            j = k;
        }
        items.retain(|i| !i.loose);
        if cut {
            let end = self.end_of_list(j);
            let whose = self.act_after(end, caps, prefix.is_some());
            if !headed && prefix.is_none() && settled == 0 {
                // Numbers that no act follows are a table.
                return match whose {
                    Some((Act::Known(_) | Act::Other, after, _)) => {
                        self.unnumbered(from, after, Unresolved::TooLong, group, out)
                    }
                    _ => end,
                };
            }
            // The act stands behind what is not read.
            if whose.is_some() {
                items.iter_mut().filter(|i| i.act.is_none()).for_each(|i| i.act = Some(Act::Unclear));
            }
        }
        if !headed
            && prefix.is_none()
            && (settled == 0 || !disputed && !items.iter().any(|i| matches!(i.act, Some(Act::Known(_)))))
        {
            return j.max(from + 1);
        }
        if let Some(first) = uncertain {
            items.iter_mut().skip(first).filter(|i| i.act.is_none()).for_each(Item::doubt);
        }
        if doubted && prefix.is_some() {
            items.iter_mut().for_each(Item::doubt);
        }
        if !headed && prefix.is_none() {
            items.truncate(settled);
            let bare = match self.bare_list(from, j, &items) {
                Bare::Provision if doubted => Bare::Doubt,
                bare => bare,
            };
            match bare {
                Bare::Provision => {}
                Bare::Doubt => items.iter_mut().for_each(Item::doubt),
                Bare::Other => return j,
            }
        }
        // `In her article 370 readers`: no provision of a constitution that nobody names.
        if headed && self.of_an_author(from) {
            let open = |i: &&mut Item| i.act.is_none() && i.kind == Some(UnitName::Article);
            items.iter_mut().filter(open).for_each(Item::doubt);
        }
        if prefix == Some(Act::Unclear) {
            self.turned = Some(j);
        }
        // `Railways Act, s 147`: recognised, though the head is weak.
        if foreign && weak && headed {
            items.iter_mut().filter(|i| i.act.is_none()).for_each(|i| i.act = Some(Act::Other));
        }
        // `the High Court of S1`: a letter and a figure label anything, unless an act is named.
        let glued = !self.t(from + 1).spaced && self.num(from + 1).is_some();
        if weak && headed && glued && self.word(from).len() == 1 && items.iter().all(|i| i.act.is_none()) {
            return from + 1;
        }
        self.read_to = j.max(from + 1);
        self.finish(items, weak && headed, group, out);
        if cut { self.rest_of_list(j, group, out) } else { j.max(from + 1) }
    }

    /// `302 and 164 of IPC and CrPC respectively`: whether another act follows at `end` that shares the numbers.
    pub(super) fn of_several(&self, end: usize) -> bool {
        // `of IPC, CrPC and Evidence Act`
        let (mut after, mut joined) = (end, false);
        for _ in 0..8 {
            let and = self.kw(after) == Kw::And || self.is(after, '&') || self.is(after, '/');
            if !and && !self.is(after, ',') {
                break;
            }
            let k = after + 1 + usize::from(self.kw(after + 1) == Kw::And);
            let the = usize::from(self.kw(k) == Kw::The);
            let name = self.name_at(k + the).map(|(_, n)| n);
            let Some(next) = name.or_else(|| self.title_at(k + the, false).map(|(n, _)| n)) else { break };
            joined = and || k > after + 1;
            after = next;
        }
        if !joined {
            return false;
        }
        let after = after + usize::from(self.is(after, ','));
        let n = after + usize::from(self.is(after, ':') || self.is(after, '-'));
        self.word(after).eq_ignore_ascii_case("respectively")
            || !(self.head_at(n).is_some() || self.num(n).is_some() && !self.year_like(n))
    }

    /// Whether a section can be this work's: a section is not the Constitution's.
    pub(super) fn fits(&self, act: Act, kind: Option<UnitName>) -> bool {
        match (act, kind) {
            (Act::Known(w), Some(kind)) => self.lexicon.work(w).is_none_or(|w| w.unit == kind),
            _ => true,
        }
    }

    pub(super) fn finish(
        &mut self,
        mut items: Vec<Item>,
        weak: bool,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) {
        if items.is_empty() {
            return;
        }
        // An item without an act takes the act before it in the list.
        let mut before: Option<Act> = None;
        let punishable = items.first().is_some_and(|i| self.punishable(i));
        for n in 0..items.len() {
            let Some(item) = items.get(n).cloned() else { break };
            match item.act {
                Some(act) => before = Some(act),
                None => {
                    let inherited = before.filter(|a| self.fits(*a, item.kind));
                    let act = match inherited {
                        Some(Act::Known(_)) if item.apart => {
                            self.implied(&item, punishable).or(Some(Act::Unclear))
                        }
                        Some(act) => Some(act),
                        None => self.implied(&item, punishable),
                    };
                    if let Some(doubt @ (Act::Other | Act::Unclear)) = act {
                        before = Some(doubt);
                    }
                    if let Some(item) = items.get_mut(n) {
                        item.act = act;
                    }
                }
            }
        }
        if weak && items.iter().all(|i| i.act.is_none()) {
            return;
        }
        *group += 1;
        self.last.clear();
        let alone = items.len() == 1;
        for mut item in items {
            self.balance(&mut item, alone);
            self.emit(&item, *group, out);
        }
    }

    /// Leaves no bracket open in the words: `the Constitution of India (Article 14)` takes the one that closes, or else
    /// starts behind the one that opens.
    fn balance(&self, item: &mut Item, alone: bool) {
        let Some(raw) = self.text.get(item.start..item.end) else { return };
        let mut open: Vec<usize> = Vec::new();
        for (at, b) in raw.bytes().enumerate() {
            match b {
                b'(' => open.push(at),
                b')' => {
                    open.pop();
                }
                _ => {}
            }
        }
        let Some(last) = open.pop() else { return };
        if alone && open.is_empty() && self.text.get(item.end..).is_some_and(|rest| rest.starts_with(')')) {
            item.end += 1;
        } else if item.unread.is_none_or(|(from, _)| from > item.start + last) {
            item.start += last + 1;
        }
    }

    /// The act of a provision that names none: cited with its act before in this paragraph, the context's, or
    /// the constitution of the jurisdiction for an article.
    ///
    /// `punishable`: it is what an offence is punished by, so that no code of procedure can be meant.
    pub(super) fn implied(&mut self, item: &Item, punishable: bool) -> Option<Act> {
        let kind = item.kind?;
        let at = self.toks.partition_point(|t| (t.start as usize) < item.start);
        if let Some((act, _)) =
            self.announced.filter(|(act, until)| at < *until && self.fits(*act, Some(kind)))
        {
            return Some(act);
        }
        if let Some(act) = self.by_number.get(&(kind, item.num.base, item.num.letters.clone())).copied() {
            let act = act?;
            return Some(if self.rival(at, act, kind) { Act::Unclear } else { act });
        }
        let default = self.context.default_work.as_ref().and_then(|w| self.lexicon.index(w)).map(Act::Known);
        let constitution = || {
            (kind == UnitName::Article && self.context.jurisdiction.as_deref() == Some("in")).then(|| {
                self.lexicon.works.iter().position(|w| w.id.as_str() == "in/constitution").map(Act::Known)
            })?
        };
        let own = default.filter(|act| self.fits(*act, Some(kind))).or_else(constitution)?;
        if self.foreign_before(item) {
            return Some(Act::Other);
        }
        let rival = self.rival(at, own, kind) && !(punishable && self.procedure_only(at, own));
        Some(if self.abbreviation_behind(item) || rival { Act::Unclear } else { own })
    }

    /// `punishable under section 302`
    fn punishable(&self, item: &Item) -> bool {
        let first = self.toks.partition_point(|t| (t.start as usize) < item.start);
        first
            .checked_sub(2)
            .is_some_and(|p| self.kw(p + 1) == Kw::Under && self.word(p).eq_ignore_ascii_case("punishable"))
    }

    /// Whether an act that is not of the catalogue stands directly before: `POCSO Act, 2012, Section 4`.
    pub(super) fn foreign_before(&self, item: &Item) -> bool {
        let first = self.toks.partition_point(|t| (t.start as usize) < item.start);
        let mut p = first;
        for _ in 0..5 {
            let Some(q) = p.checked_sub(1) else { return false };
            p = q;
            let tok = self.t(p);
            match tok.t {
                T::Sign(',' | '\'' | '(' | ')' | ':' | '-') => {}
                T::Num(y, 4) if (1700..2100).contains(&y) => {}
                T::Word(_) => match self.kw(p) {
                    Kw::Act(_) => return tok.capital && p > 0 && self.t(p - 1).capital,
                    Kw::Under | Kw::In | Kw::Of | Kw::SectionAbbr => {}
                    // The letters of the number before: `section 376AB, section 376B`.
                    Kw::None if !tok.spaced && p.checked_sub(1).is_some_and(|n| self.num(n).is_some()) => {
                        return false;
                    }
                    Kw::None => {
                        let near = (p + 1..first).all(|n| matches!(self.t(n).t, T::Sign(_)));
                        return tok.caps && near && self.word(p).len() <= 7 && !self.t(first).caps;
                    }
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }
}
