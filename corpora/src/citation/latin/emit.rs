//! What a list that was read gives: citations with their work, and what refers back to them.

use crate::id::Number;
use crate::manifest::{Grammar, UnitName};

use super::super::lex::Kw;
use super::super::numerals::parse_roman;
use super::super::{Extracted, Reading, Unresolved};
use super::labels::pins_of;
use super::{Act, Cited, Item, Pin, Scanner};

/// Between numbers that a dash joins backwards: those of a range that someone turned round are close together.
const NEAR_ENDS: u32 = 50;

/// Between numbers that a dash joins: more would be a range of half a code, where two numbers are rather meant.
const LONGEST_DASH: u32 = 100;

impl Scanner<'_> {
    pub(super) fn emit(&mut self, item: &Item, group: usize, out: &mut Vec<Extracted>) {
        let mut span = (item.start, item.end.max(item.start));
        if let Some((from, to)) = item.unread {
            span = (span.0.min(from), span.1.max(to));
        }
        let raw = self.text.get(span.0..span.1).unwrap_or_default().to_owned();
        let kind = item.kind;
        if let (Some(act), Some(kind)) = (item.act, kind)
            && !matches!(act, Act::Lost | Act::Unclear)
        {
            self.by_number
                .entry((kind, item.num.base, item.num.letters.clone()))
                .and_modify(|a| {
                    if *a != Some(act) {
                        *a = None;
                    }
                })
                .or_insert(Some(act));
        }
        let blank = Extracted {
            span,
            raw,
            work: None,
            unit: None,
            pins: Vec::new(),
            or: None,
            until: None,
            group,
            unresolved: None,
            quotes: Vec::new(),
        };
        // Of the works that come with the program, none is numbered in Roman numerals.
        let roman_act = |w: usize| {
            self.lexicon.work(w).is_some_and(|work| {
                work.unit == UnitName::Article
                    && work.grammar == Grammar::IndianAct
                    && work.id.as_str() != "in/constitution"
            })
        };
        if item.num.roman && !matches!(item.act, Some(Act::Known(w)) if roman_act(w)) {
            self.last.push(Cited { act: None, unit: None, pins: Vec::new() });
            out.push(Extracted { unresolved: Some(Unresolved::Roman), ..blank });
            return;
        }
        let (work, unit_name, grammar) = match item.act {
            Some(Act::Known(w)) => match self.lexicon.work(w) {
                Some(work) => (Some(work.id.clone()), work.unit, work.grammar),
                None => return,
            },
            _ => (None, kind.unwrap_or(UnitName::Section), Grammar::IndianAct),
        };
        let mut unresolved = match item.act {
            Some(Act::Known(_)) => item.unread.map(|(from, to)| Unresolved::Place(from, to)),
            Some(Act::Other) => Some(Unresolved::OtherAct),
            Some(Act::Unclear) if item.bare => Some(Unresolved::Bare),
            Some(Act::Unclear) => Some(Unresolved::Unclear),
            Some(Act::Lost) => Some(Unresolved::NoAntecedent),
            None => Some(Unresolved::NoAct),
        };
        let num = &item.num;
        let mut number = Number::lettered(num.base, &num.letters);
        let mut or = None;
        let mut until = item.until.as_ref().map(|n| unit_name.unit(Number::lettered(n.base, &n.letters)));
        let mut second = None;
        let pins = pins_of(&item.pins, grammar);
        // `Explanation (ii)` may be the second of several.
        if let [stem @ .., Pin::Named(name), Pin::Label(label)] = item.pins.as_slice()
            && (name == "expl" || name == "exc")
            && let Some(n) = parse_roman(label).filter(|n| *n > 1)
        {
            let mut several = pins_of(stem, grammar);
            several.push(format!("{name}{n}"));
            or = Some(Reading { unit: unit_name.unit(number.clone()), pins: several });
        }
        if let [Pin::Label(label), inner @ ..] = item.pins.as_slice()
            && grammar == Grammar::IndianAct
            && label.starts_with(|c: char| c.is_ascii_uppercase())
        {
            // `304(II)` may be a limb, `498(A)` section 498A: no act has a thousand limbs.
            let limb = parse_roman(label).filter(|n| *n < 50 && inner.is_empty());
            or = match limb {
                Some(limb) => {
                    Some(Reading { unit: unit_name.unit(number.clone()), pins: vec![format!("part{limb}")] })
                }
                None if num.letters.is_empty() && num.dash.is_none() && label.len() < 3 => Some(Reading {
                    unit: unit_name.unit(Number::lettered(num.base, label)),
                    pins: pins_of(inner, grammar),
                }),
                None => None,
            };
        }
        if let Some((to, letters)) = &num.dash {
            let to_number = Number::lettered(*to, letters);
            // `4-1` may be one provision, which only the work's own numbers tell.
            if letters.is_empty() && num.letters.is_empty() && or.is_none() {
                let one = unit_name.unit(Number::with_sub(num.base, *to));
                or = Some(Reading { unit: one, pins: pins.clone() });
            }
            if grammar == Grammar::ChineseCode && letters.is_empty() && *to <= num.base {
                or = None;
                number = Number::with_sub(num.base, *to);
            } else if to_number > number && number.base.abs_diff(*to) > LONGEST_DASH {
                // `34-302`: a range, or two; both ends are cited either way. `302-2019` is the number of a case.
                if *to >= 1000 && unresolved.is_none() {
                    unresolved = Some(Unresolved::Place(span.0, span.1));
                }
                second = Some(to_number);
            } else if to_number > number || *to >= 10 && number.base.abs_diff(*to) <= NEAR_ENDS {
                // A range, or what would be one if it did not run backwards; `302-34` are two.
                until = Some(unit_name.unit(to_number));
            } else {
                // `19-1` may be clause (1) of it.
                if *to < 10 && grammar == Grammar::IndianAct && unresolved.is_none() {
                    unresolved = Some(Unresolved::Place(span.0, span.1));
                }
                second = Some(to_number);
            }
        } else if !num.letters.is_empty()
            && let Some(limb) = parse_roman(&num.letters)
        {
            // `304-II`: Part II of 304, where no section 304II exists.
            or = Some(match grammar {
                Grammar::ChineseCode => {
                    Reading { unit: unit_name.unit(Number::with_sub(num.base, limb)), pins: pins.clone() }
                }
                Grammar::IndianAct => Reading {
                    unit: unit_name.unit(Number::plain(num.base)),
                    pins: std::iter::once(format!("part{limb}")).chain(pins.iter().cloned()).collect(),
                },
            });
        }
        let first = Extracted {
            work: work.clone(),
            unit: Some(unit_name.unit(number)),
            pins: if second.is_some() { Vec::new() } else { pins.clone() },
            or,
            until,
            unresolved,
            ..blank.clone()
        };
        let back = matches!((&first.unit, &first.until), (Some(a), Some(b)) if b.number() < a.number());
        let cited = if back { None } else { item.act };
        self.last.push(Cited { act: cited, unit: first.unit.clone(), pins: first.pins.clone() });
        let whole = Cited { act: item.act, unit: first.unit.clone(), pins: Vec::new() };
        if self.history.len() < 3 && !self.history.contains(&whole) {
            self.history.push(whole);
        }
        out.push(first);
        if let Some(number) = second {
            let unit = Some(unit_name.unit(number));
            self.last.push(Cited { act: item.act, unit: unit.clone(), pins: pins.clone() });
            out.push(Extracted { work, unit, pins, unresolved, ..blank });
        }
    }

    /// "the said section": the last provision named in this paragraph, or all of the last list for a plural.
    pub(super) fn anaphor(
        &mut self,
        i: usize,
        end: usize,
        pins: &[Vec<Pin>],
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        let span = (self.t(i).start as usize, self.t(end - 1).end as usize);
        let raw = self.text.get(span.0..span.1).unwrap_or_default().to_owned();
        let noun = self.kw(end - 1);
        let plural = matches!(noun, Kw::Section { plural: true } | Kw::Article { plural: true });
        *group += 1;
        // One section is referred back to, and several were cited together.
        let unit = self.last.last().and_then(|cited| cited.unit.clone());
        let several = noun_is_one(noun) && self.last.iter().any(|cited| cited.unit != unit);
        let targets: Vec<Cited> = if plural {
            self.last.clone()
        } else {
            self.last.last().filter(|_| !several).cloned().into_iter().collect()
        };
        let blank = Extracted {
            span,
            raw,
            work: None,
            unit: None,
            pins: Vec::new(),
            or: None,
            until: None,
            group: *group,
            unresolved: Some(Unresolved::NoAntecedent),
            quotes: Vec::new(),
        };
        if targets.is_empty() {
            out.push(blank);
            return end;
        }
        for cited in targets {
            let (work, grammar, unresolved) = match cited.act {
                Some(Act::Known(w)) => match self.lexicon.work(w) {
                    Some(w) => (Some(w.id.clone()), w.grammar, None),
                    None => continue,
                },
                Some(Act::Other) => (None, Grammar::IndianAct, Some(Unresolved::OtherAct)),
                _ => (None, Grammar::IndianAct, Some(Unresolved::NoAntecedent)),
            };
            let keeps = noun == Kw::Provision;
            let paths: Vec<Vec<String>> = if pins.is_empty() {
                vec![if keeps { cited.pins.clone() } else { Vec::new() }]
            } else {
                pins.iter().map(|p| pins_of(p, grammar)).collect()
            };
            for path in paths {
                out.push(Extracted {
                    work: work.clone(),
                    unit: cited.unit.clone(),
                    pins: path,
                    unresolved,
                    ..blank.clone()
                });
            }
        }
        end
    }
}

/// `section`, `article`, `provision` in the singular.
fn noun_is_one(noun: Kw) -> bool {
    matches!(noun, Kw::Section { plural: false } | Kw::Article { plural: false } | Kw::Provision)
}
