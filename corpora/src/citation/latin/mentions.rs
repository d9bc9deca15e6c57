//! Which acts a paragraph names, sentence by sentence: a provision without an act takes the implied one only where no
//! other act stands beside it.

use crate::manifest::{UnitName, WorkKind};

use super::super::lex::{Class, Kw, T};
use super::super::numerals::parse_roman;
use super::{Act, Item, Scanner};
use crate::citation::{Extracted, Unresolved};

/// An act named in a paragraph.
#[derive(Debug, Clone, Copy)]
struct Mention {
    /// Its last token.
    at: usize,
    act: Act,
    class: Option<Class>,
}

/// The acts that a paragraph names, and where its sentences start, both as tokens in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Mentions {
    acts: Vec<Mention>,
    sentences: Vec<usize>,
    /// Where lines begin with `(2)`.
    labels: Vec<usize>,
    /// Whether a sentence names a rival of an act, for provisions of a kind.
    found: std::collections::HashMap<(usize, Act, UnitName), bool>,
}

/// Words before `act` in lower case that make it a deed, not a statute.
const DEEDS: &[&str] = &[
    "a",
    "any",
    "such",
    "every",
    "each",
    "some",
    "no",
    "same",
    "his",
    "her",
    "its",
    "their",
    "criminal",
    "wrongful",
    "illegal",
    "overt",
    "unlawful",
    "negligent",
    "rash",
    "voluntary",
    "involuntary",
    "same",
    "single",
    "sexual",
    "physical",
    "violent",
    "such",
    "other",
    "every",
    "any",
    "each",
    "another",
    "his",
    "her",
    "their",
    "its",
    "one",
    "first",
    "second",
    "last",
    "final",
    "joint",
    "heinous",
    "brutal",
    "cruel",
    "dangerous",
    "punishable",
    "alleged",
    "intentional",
    "deliberate",
    "very",
    "or",
    "an",
    "to",
    "not",
    "must",
    "will",
    "would",
    "should",
    "may",
    "can",
    "shall",
    "did",
    "do",
    "does",
    "and",
    "who",
    "they",
    "we",
    "you",
    "he",
    "she",
    "it",
    "of",
    "in",
    "by",
    "for",
    "public",
    "official",
    "private",
    "terrorist",
    "guilty",
    "fraudulent",
    "obscene",
    "good",
    "bad",
    "mere",
    "neglectful",
];

impl Scanner<'_> {
    /// Whether another act than `own` is named in the sentence of token `at`, or else last before it in the paragraph,
    /// so that a provision of this kind may be that act's.
    pub(super) fn rival(&mut self, at: usize, own: Act, kind: UnitName) -> bool {
        let mut mentions = match self.mentions.take() {
            Some(known) => known,
            None => self.mentions_of_paragraph(),
        };
        let sentence = mentions.sentences.partition_point(|s| *s <= at);
        let from = sentence.checked_sub(1).and_then(|s| mentions.sentences.get(s)).copied().unwrap_or(0);
        let to = mentions.sentences.get(sentence).copied().unwrap_or(usize::MAX);
        let first = mentions.acts.partition_point(|m| m.at < from);
        let last = mentions.acts.partition_point(|m| m.at < to);
        // What does not depend on the place is found out once a sentence, or long sentences would cost their square.
        let key = (sentence, own, kind);
        let found = match mentions.found.get(&key) {
            Some(found) => *found,
            None => {
                let here = mentions.acts.get(first..last).unwrap_or_default();
                let found = if here.is_empty() {
                    // The act that the paragraph speaks of, however many sentences ago it was named; a sub-section speaks
                    // for itself.
                    let before = first.checked_sub(1).and_then(|p| mentions.acts.get(p));
                    let opened = mentions.labels.partition_point(|l| *l <= at).checked_sub(1);
                    let since = opened.and_then(|l| mentions.labels.get(l)).copied().unwrap_or(0);
                    before.is_some_and(|m| m.at >= since && self.rivals(*m, own, kind, None))
                } else {
                    here.iter().any(|m| self.rivals(*m, own, kind, None))
                };
                mentions.found.insert(key, found);
                found
            }
        };
        let near =
            mentions.acts.partition_point(|m| m.at < at).checked_sub(1).and_then(|p| mentions.acts.get(p));
        let found = found || near.is_some_and(|m| m.at >= from && self.rivals(*m, own, kind, Some(at)));
        self.mentions = Some(mentions);
        found
    }

    /// Whether another act than `own` is named before token `first` in its sentence, and no provision has taken it: a number
    /// behind may be of that act, whatever words stand between. The document's own act (`this Code`) is none of these
    /// where a word ties the act behind to the list.
    pub(super) fn other_act_before(&mut self, first: usize, own: Act, kind: UnitName, tied: bool) -> bool {
        /// More acts before a list are not looked through.
        const MOST: usize = 8;
        let mentions = match self.mentions.take() {
            Some(known) => known,
            None => self.mentions_of_paragraph(),
        };
        let sentence = mentions.sentences.partition_point(|s| *s <= first);
        let start = sentence.checked_sub(1).and_then(|s| mentions.sentences.get(s)).copied().unwrap_or(0);
        let from = start.max(self.read_to);
        let last = mentions.acts.partition_point(|m| m.at < first);
        let named = mentions.acts.get(last.saturating_sub(MOST)..last).unwrap_or_default();
        let default = self.context.default_work.as_ref().and_then(|w| self.lexicon.index(w)).map(Act::Known);
        let counts = |m: &Mention| m.at >= from && !(tied && Some(m.act) == default);
        let found = named.iter().any(|m| counts(m) && self.rivals(*m, own, kind, None));
        self.mentions = Some(mentions);
        found || (from.max(first.saturating_sub(MOST * 3))..first).any(|n| self.act_in_capitals(n))
    }

    /// Whether `own` is a code of offences, and no act named in the sentence of token `at` or in the one before is
    /// anything but itself or a law of procedure or evidence.
    pub(super) fn procedure_only(&self, at: usize, own: Act) -> bool {
        /// More acts in two sentences are not looked through.
        const MOST: usize = 32;
        let Some(mentions) = &self.mentions else { return false };
        let kind = |act: Act| match act {
            Act::Known(w) => self.lexicon.work(w).map(|w| w.kind),
            _ => None,
        };
        let sentence = mentions.sentences.partition_point(|s| *s <= at);
        let start = |n: usize| sentence.checked_sub(n).and_then(|s| mentions.sentences.get(s)).copied();
        let from = start(2).or_else(|| start(1)).unwrap_or(0);
        let to = mentions.sentences.get(sentence).copied().unwrap_or(usize::MAX);
        let first = mentions.acts.partition_point(|m| m.at < from);
        let last = mentions.acts.partition_point(|m| m.at < to);
        let named = mentions.acts.get(first..last).unwrap_or_default();
        kind(own) == Some(WorkKind::Substantive)
            && named.len() <= MOST
            && named.iter().all(|m| {
                m.act == own || matches!(kind(m.act), Some(WorkKind::Procedure | WorkKind::Evidence))
            })
    }

    fn rivals(&self, mention: Mention, own: Act, kind: UnitName, at: Option<usize>) -> bool {
        match mention.act {
            act if act == own => false,
            act @ Act::Known(_) => self.fits(act, Some(kind)),
            _ => match (kind, mention.class) {
                (UnitName::Section, Some(Class::Constitution)) => false,
                (UnitName::Section, _) => true,
                // Indian acts have sections; one with articles (a schedule of periods) stands close before them:
                // `the Limitation Act, in article 137`.
                (UnitName::Article, Some(Class::Act | Class::Sanhita | Class::Adhiniyam)) => {
                    at.is_some_and(|at| {
                        let between = mention.at + 1..at;
                        at > mention.at
                            && at - mention.at <= 4
                            && between.clone().any(|n| self.is(n, ',') || self.kw(n) == Kw::In)
                    })
                }
                (UnitName::Article, _) => true,
            },
        }
    }

    fn mentions_of_paragraph(&self) -> Mentions {
        let mut out = Mentions { sentences: vec![0], ..Mentions::default() };
        let mut i = 0;
        while i < self.toks.len() {
            let mut next = i + 1;
            match self.t(i).t {
                T::Word(0) => {}
                T::Word(_) if self.opens_explanation(i) => out.labels.push(i),
                T::Word(_) => {
                    if let Some((act, end)) = self.name_at(i) {
                        // `the Constitution (… Amendment) Act` has sections.
                        let kind = |n| match self.kw(n) {
                            Kw::Act(class) => Some(class),
                            _ => None,
                        };
                        let class = (i..end).rev().take(3).find_map(kind).filter(|_| act == Act::Other);
                        out.acts.push(Mention { at: end.saturating_sub(1), act, class });
                        next = end.max(i + 1);
                    } else if let Kw::Act(class) = self.kw(i) {
                        if let Some(act) = self.act_named(i, class) {
                            out.acts.push(Mention { at: i, act, class: Some(class) });
                        }
                    } else if matches!(self.kw(i), Kw::Article { plural: true })
                        && self.is_of(i + 1)
                        && self.word(i + 2).eq_ignore_ascii_case("association")
                    {
                        out.acts.push(Mention { at: i + 2, act: Act::Other, class: Some(Class::Other) });
                    }
                }
                T::Sign('.' | '?' | '!' | '।') if self.ends_sentence(i) => out.sentences.push(i + 1),
                T::Sign('(') if self.opens_subsection(i) => {
                    out.labels.push(i);
                    // `… the Boats Act.` looks like an abbreviation.
                    out.sentences.push(i);
                }
                _ => {}
            }
            i = next;
        }
        out
    }

    /// `Explanation` or `Exception` at the start of a line.
    fn opens_explanation(&self, i: usize) -> bool {
        self.t(i).capital
            && ["explanation", "exception"].iter().any(|w| self.word(i).eq_ignore_ascii_case(w))
            && self.begins_line(i)
    }

    fn begins_line(&self, i: usize) -> bool {
        i.checked_sub(1).map(|p| self.t(p).end as usize).is_none_or(|from| {
            self.text.get(from..self.t(i).start as usize).is_some_and(|s| s.contains('\n'))
        })
    }

    /// `(2)` or `(1A)` at the start of a line; `(See section 5)` there, as forms have it below their heading.
    fn opens_subsection(&self, i: usize) -> bool {
        let sees = self.word(i + 1).eq_ignore_ascii_case("see") && self.head_at(i + 2).is_some();
        (sees || (self.num(i + 1).is_some() && self.is(i + 2, ')'))) && self.begins_line(i)
    }

    pub(super) fn ends_sentence(&self, i: usize) -> bool {
        if !self.is(i, '.') {
            return true;
        }
        let next = self.t(i + 1);
        let starts =
            next.t == T::End || (next.spaced && (next.capital || !matches!(next.t, T::Word(_) | T::Num(..))));
        let Some(p) = i.checked_sub(1) else { return starts };
        // `Sec. 3`, `v. State`, `Cr. P.C.`: a short word that is no abbreviation in capitals.
        let short = matches!(self.t(p).t, T::Word(_)) && self.word(p).len() <= 3 && !self.t(p).caps;
        starts && !short
    }

    /// Whose `Act`, `Code`, `Rules` at `i` is, where no name of the catalogue has it; nothing where it is no statute.
    pub(super) fn act_named(&self, i: usize, class: Class) -> Option<Act> {
        let own = || {
            let own = self.context.default_work.as_ref().and_then(|w| self.lexicon.index(w))?;
            self.lexicon.work(own).filter(|w| w.classes.contains(&class)).map(|_| Act::Known(own))
        };
        let bare = own().unwrap_or(Act::Other);
        let tok = self.t(i);
        let devanagari = !self.word(i).is_ascii();
        let Some(p) = i.checked_sub(1) else { return (tok.capital || devanagari).then_some(bare) };
        let before = self.t(p);
        let word = self.word(p);
        if devanagari {
            let titled = matches!(before.t, T::Word(_)) && !word.is_ascii() && self.kw(p) == Kw::None;
            return Some(if titled { Act::Other } else { bare });
        }
        if tok.capital {
            return Some(match (before.t, self.kw(p)) {
                (T::Word(_), Kw::The | Kw::This | Kw::That | Kw::Said | Kw::Under | Kw::Of | Kw::In) => bare,
                (T::Word(_), _) if before.capital => Act::Other,
                (T::Sign(')' | '\'' | '&'), _) => Act::Other,
                // `the 1996 Act`
                (T::Num(..), _) if self.year_like(p) => Act::Other,
                // `Act` at the start of a sentence, or a title that goes on: `Act 5 of 1908`.
                _ if self.num(i + 1).is_some() => Act::Other,
                (T::Word(_), _) => Act::Other,
                _ => return None,
            });
        }
        // In lower case: `the forest act, section 5`, `dowry act ki dhara 4`, `under the act`.
        if self.word(i).eq_ignore_ascii_case("acts") && self.kw(i + 1) == Kw::Under {
            return None;
        }
        let statute = matches!(class, Class::Act | Class::Code)
            || [
                "ordinance",
                "convention",
                "covenant",
                "declaration",
                "adhiniyam",
                "sanhita",
                "kanoon",
                "kanun",
            ]
            .iter()
            .any(|w| self.word(i).eq_ignore_ascii_case(w));
        if !statute || !matches!(before.t, T::Word(_)) {
            return None;
        }
        if matches!(self.kw(p), Kw::The | Kw::This | Kw::That | Kw::Said) {
            let under = p.checked_sub(1).is_some_and(|q| self.kw(q) == Kw::Under);
            return under.then_some(bare);
        }
        if self.kw(p) != Kw::None || DEEDS.iter().any(|w| word.eq_ignore_ascii_case(w)) {
            return None;
        }
        let article = (2..6).any(|n| i.checked_sub(n).is_some_and(|q| self.kw(q) == Kw::The));
        let particle = self.kw(i + 1) == Kw::Of && !self.is_of(i + 1);
        let after = i + 1 + usize::from(self.is(i + 1, ','));
        let followed = self.head_at(after).is_some() || self.num(after).is_some();
        (article || particle || followed).then_some(Act::Other)
    }

    /// A capital abbreviation behind a comma: `Article 9, ICCPR`.
    pub(super) fn abbreviation_behind(&self, item: &Item) -> bool {
        let end = self.toks.partition_point(|t| (t.start as usize) < item.end);
        let (comma, word) = (self.is(end, ','), self.t(end + 1));
        // `Art. 17, GDPR and Art. 21`
        let joined = matches!(self.kw(end + 2), Kw::And | Kw::Or | Kw::Rw | Kw::Read);
        comma
            && word.caps
            && self.kw(end + 1) == Kw::None
            && (2..=7).contains(&self.word(end + 1).len())
            && parse_roman(self.word(end + 1)).is_none()
            && (joined || !matches!(self.t(end + 2).t, T::Word(_)))
    }

    /// `sections of the X Act`: keeps whose the numbers are that follow in this sentence.
    pub(super) fn announce(&mut self, i: usize) {
        let plural =
            matches!(self.kw(i), Kw::Section { plural: true } | Kw::Article { plural: true } | Kw::Provision);
        if !plural || !matches!(self.kw(i + 1), Kw::Of | Kw::In | Kw::Under) {
            return;
        }
        let k = i + 2 + usize::from(self.kw(i + 2) == Kw::The);
        let act = match self.name_at(k) {
            Some((act, end)) => Some((act, end)),
            None => self.title_at(k, self.is_of(i + 1)).map(|(end, _)| (Act::Other, end)),
        };
        if let Some((act, end)) = act {
            let mut until = end;
            while until < end + 400 && self.t(until).t != T::End {
                if matches!(self.t(until).t, T::Sign('.' | '?' | '!' | '।')) && self.ends_sentence(until) {
                    break;
                }
                // Another act begins: the announcement is over.
                if self.name_at(until).is_some()
                    || (matches!(self.kw(until), Kw::Act(_)) && self.t(until).capital)
                {
                    break;
                }
                until += 1;
            }
            self.announced = Some((act, until));
        }
    }

    /// `Article XXI`: the token after it.
    pub(super) fn roman_article(&self, i: usize) -> Option<usize> {
        if !matches!(self.kw(i), Kw::Article { .. }) || !self.t(i).capital {
            return None;
        }
        let j = i + 1 + usize::from(self.is(i + 1, '.'));
        let word = self.word(j);
        let roman = !word.is_empty() && word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X' | b'L' | b'C'));
        (roman && self.closes(j + 1)).then_some(j + 1)
    }

    /// A citation without a number that could be looked up.
    pub(super) fn unnumbered(
        &mut self,
        i: usize,
        end: usize,
        unresolved: Unresolved,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        *group += 1;
        out.push(self.blank(i, end, *group, unresolved));
        end
    }

    /// `the former section`, `the latter provision`: whether the second is meant, and the token after it.
    pub(super) fn former_or_latter(&self, i: usize) -> Option<(bool, usize)> {
        let latter = match self.word(i).to_ascii_lowercase().as_str() {
            "former" => false,
            "latter" => true,
            _ => return None,
        };
        let noun = matches!(self.kw(i + 1), Kw::Section { .. } | Kw::Article { .. } | Kw::Provision);
        (noun && self.head_at(i + 1).is_none()).then_some((latter, i + 2))
    }

    /// The first or second of the two provisions that this paragraph has cited; of any other number, none.
    pub(super) fn of_two(
        &mut self,
        i: usize,
        latter: bool,
        end: usize,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        *group += 1;
        let cited = match self.history.as_slice() {
            [first, second] => Some(if latter { second.clone() } else { first.clone() }),
            _ => None,
        };
        let mut found = self.blank(i, end, *group, Unresolved::NoAntecedent);
        if let Some(cited) = cited
            && let Some(Act::Known(work)) = cited.act
            && let Some(work) = self.lexicon.work(work)
        {
            found.work = Some(work.id.clone());
            found.unit = cited.unit;
            found.unresolved = None;
        }
        out.push(found);
        end
    }

    fn blank(&self, i: usize, end: usize, group: usize, unresolved: Unresolved) -> Extracted {
        let span = (self.t(i).start as usize, self.t(end.saturating_sub(1)).end as usize);
        Extracted {
            span,
            raw: self.text.get(span.0..span.1).unwrap_or_default().to_owned(),
            work: None,
            unit: None,
            pins: Vec::new(),
            or: None,
            until: None,
            group,
            unresolved: Some(unresolved),
            quotes: Vec::new(),
        }
    }
}
