//! `the Code`, `the said Act`, `उक्त संहिता`: acts that a text names by their kind.

use super::super::lex::{Class, Kw, T};
use super::{Act, Scanner};

/// Most tokens between an act's name and the bracket that gives it a short name: a year, `(Act 2 of 1974)`.
const NEAR: usize = 12;

impl Scanner<'_> {
    pub(super) fn remember(&mut self, act: Act, class: Option<Class>) {
        if matches!(act, Act::Lost | Act::Unclear) {
            return;
        }
        let classes: Vec<Option<Class>> = match act {
            Act::Known(w) => self
                .lexicon
                .work(w)
                .map(|w| w.classes.iter().copied().map(Some).collect())
                .unwrap_or_default(),
            _ => vec![class],
        };
        for class in classes.into_iter().chain([None]) {
            if let Some(class) = class
                && self.acts.iter().any(|(c, a)| *c == Some(class) && *a != act)
                && !self.several.contains(&class)
            {
                self.several.push(class);
            }
            self.acts.retain(|(c, _)| *c != class);
            self.acts.push((class, act));
        }
    }

    /// "the said Code", "the Code": the act meant.
    ///
    /// `said` is the word before it. A text that defines `the Code` means that one everywhere. Otherwise `the same Code`
    /// is the last one named, `the said Code` the only one; `the Code` alone may be defined where this text is cut from,
    /// so it is nobody's but the context's.
    pub(super) fn recall(&self, class: Class, said: Option<&str>) -> Act {
        if let Some((_, act)) = self.defined.iter().find(|(c, _)| *c == class) {
            return *act;
        }
        let last = self.acts.iter().find(|(c, _)| *c == Some(class)).map(|(_, a)| *a);
        let Some(said) = said else {
            let own = self.context.default_work.as_ref().and_then(|w| self.lexicon.index(w));
            let own = own.filter(|w| self.lexicon.work(*w).is_some_and(|w| w.classes.contains(&class)));
            return match (own.map(Act::Known), last) {
                (Some(own), None) => own,
                (Some(own), Some(last)) if own == last && !self.several.contains(&class) => own,
                (None, None) => Act::Lost,
                (None, Some(Act::Other)) => Act::Other,
                _ => Act::Unclear,
            };
        };
        // `said` may go back beyond the last.
        let far = ["said", "aforesaid", "aforementioned", "उक्त", "ukt"]
            .iter()
            .any(|w| said.eq_ignore_ascii_case(w));
        if far && self.several.contains(&class) {
            return Act::Unclear;
        }
        last.unwrap_or(Act::Lost)
    }

    pub(super) fn this_act(&self) -> Act {
        self.context.default_work.as_ref().and_then(|w| self.lexicon.index(w)).map_or(Act::Lost, Act::Known)
    }

    /// `उक्त संहिता की धारा 302`, `the said Code, section 302`: whose it is, and the head.
    pub(super) fn said_act_at(&self, i: usize) -> Option<(Act, usize)> {
        let Kw::Act(class) = self.kw(i + 1) else { return None };
        let k = i + 2;
        let linked = self.kw(k) == Kw::Of && !self.is_of(k) || self.is(k, ',');
        let head = k + usize::from(linked);
        self.head_at(head)?;
        let act = match self.kw(i) {
            Kw::This => self.this_act(),
            _ => self.recall(class, Some(self.word(i))),
        };
        Some((act, head))
    }

    /// `("the Code")`, `(hereinafter referred to as the "Act")` behind an act's name: keeps what the words mean, for the
    /// whole text.
    pub(super) fn define(&mut self, i: usize) {
        let Some((act, end)) = self.named else { return };
        if i < end || i - end > NEAR {
            return;
        }
        // Between them only its year and number.
        let plain = (end..i).all(|n| match self.t(n).t {
            T::Num(..) | T::Sign('(' | ')' | ',' | '.' | '[' | ']') => true,
            T::Word(_) => matches!(self.kw(n), Kw::Of | Kw::No | Kw::Act(Class::Act)) || self.t(n).caps,
            _ => false,
        });
        if !plain {
            return;
        }
        let quote = |n: usize| matches!(self.t(n).t, T::Sign('"' | '“' | '”' | '\'' | '«' | '»' | '`'));
        let mut j = i + 1;
        for _ in 0..10 {
            let lead = quote(j)
                || matches!(self.kw(j), Kw::The | Kw::In | Kw::To | Kw::As | Kw::Said | Kw::After | Kw::Also)
                || self.is(j, ',')
                || [
                    "hereinafter",
                    "hereafter",
                    "henceforth",
                    "short",
                    "brevity",
                    "sake",
                    "referred",
                    "called",
                    "termed",
                    "described",
                    "known",
                    "convenience",
                ]
                .iter()
                .any(|w| self.word(j).eq_ignore_ascii_case(w))
                || self.is_of(j);
            if !lead {
                break;
            }
            j += 1;
        }
        let Kw::Act(class) = self.kw(j) else { return };
        let mut close = j + 1;
        while close < j + 3 && quote(close) {
            close += 1;
        }
        if !matches!(self.t(close).t, T::Sign(')' | ']')) {
            return;
        }
        self.defined.retain(|(c, _)| *c != class);
        self.defined.push((class, act));
    }
}
