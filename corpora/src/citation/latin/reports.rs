//! Law reports and neutral citations.

use super::super::lex::T;
use super::super::{Extracted, Unresolved};
use super::Scanner;

/// Reporters and courts of law reports and neutral citations, in lower case.
const REPORTERS: &[&str] = &[
    "scc",
    "scr",
    "air",
    "insc",
    "scale",
    "livelaw",
    "crlj",
    "crilj",
    "cri",
    "crl",
    "cr",
    "lj",
    "jt",
    "scj",
    "ilr",
    "mlj",
    "dlt",
    "bom",
    "bomcr",
    "bomlr",
    "all",
    "er",
    "wlr",
    "ac",
    "qb",
    "kb",
    "uksc",
    "ukhl",
    "ewca",
    "ewhc",
    "hca",
    "scconline",
    "online",
    "sc",
    "supp",
    "slt",
    "rcr",
    "acr",
    "alj",
    "awc",
    "klt",
    "khc",
    "klj",
    "plr",
    "mplj",
    "glr",
    "glh",
    "ker",
    "kar",
    "del",
    "mad",
    "cal",
    "pat",
    "raj",
    "guj",
    "pc",
    "fc",
    "taxmann",
    "itr",
    "comp",
    "cas",
    "slr",
    "llj",
    "aic",
    "ctc",
    "wlc",
    "wln",
    "jcc",
    "ad",
    "drj",
    "dhc",
    "bhc",
    "mhc",
    "phhc",
    "ahc",
    "khc",
    "ori",
    "gau",
    "hp",
    "jk",
    "civ",
    "lw",
    "uj",
    "unreported",
];

/// Of those, the ones that alone make a citation of a case.
pub(crate) const STRONG: &[&str] = &[
    "scc",
    "scr",
    "air",
    "insc",
    "scale",
    "livelaw",
    "crlj",
    "crilj",
    "jt",
    "scj",
    "ilr",
    "mlj",
    "dlt",
    "bomcr",
    "bomlr",
    "wlr",
    "uksc",
    "ukhl",
    "ewca",
    "ewhc",
    "hca",
    "online",
    "scconline",
    "rcr",
    "klt",
    "khc",
    "klj",
    "mplj",
    "glr",
    "slt",
    "lj",
    "taxmann",
    "itr",
    "llj",
    "slr",
    "jcc",
    "drj",
    "qb",
    "kb",
    "ac",
    "er",
    "dhc",
    "bhc",
    "mhc",
    "phhc",
    "ahc",
    "all",
    "cr",
];

impl Scanner<'_> {
    pub(super) fn reporter(&self, i: usize, list: &[&str]) -> bool {
        let word = self.word(i);
        if word.is_empty() || word.len() > 10 || !self.t(i).capital {
            return false;
        }
        list.iter().any(|r| word.eq_ignore_ascii_case(r))
    }

    /// A law report or a neutral citation at `i`: the token after it.
    pub(super) fn report_at(&self, i: usize) -> Option<usize> {
        let year = |k: usize| self.year_like(k);
        // MANU/SC/0001/2000
        if self.word(i).eq_ignore_ascii_case("manu") && self.is(i + 1, '/') {
            let mut k = i + 1;
            while k < i + 8
                && matches!(self.t(k).t, T::Sign('/' | '-') | T::Word(_) | T::Num(..))
                && !self.t(k).spaced
            {
                k += 1;
            }
            return Some(k);
        }
        let mut k = i;
        let mut dated = false;
        match self.t(i).t {
            T::Sign('(' | '[') => {
                if !(year(i + 1) && matches!(self.t(i + 2).t, T::Sign(')' | ']'))) {
                    return None;
                }
                dated = true;
                k = i + 3;
            }
            T::Num(..) if year(i) => {
                dated = true;
                k = i + 1;
                // 2019:DHC:123
                if self.is(k, ':') && self.t(k + 1).caps {
                    let mut m = k;
                    while m < k + 7
                        && matches!(self.t(m).t, T::Sign(':' | '-') | T::Word(_) | T::Num(..))
                        && !self.t(m).spaced
                    {
                        m += 1;
                    }
                    return matches!(self.t(m - 1).t, T::Num(..)).then_some(m);
                }
            }
            T::Word(_) if self.reporter(i, STRONG) => {}
            _ => return None,
        }
        // Reporter words, volumes and a page, in any of the usual orders; it ends in a number.
        let mut strong = false;
        let mut end = None;
        let start = k;
        while k < start + 12 {
            match self.t(k).t {
                T::Word(_) if self.reporter(k, REPORTERS) => {
                    strong |= self.reporter(k, STRONG);
                    end = None;
                }
                T::Word(_) if self.word(k).eq_ignore_ascii_case("on") && self.reporter(k + 1, &["line"]) => {
                    k += 1
                }
                T::Num(..) if year(k) && !dated && k > start => dated = true,
                T::Num(..) => {
                    if end.is_some() {
                        break;
                    }
                    if strong && dated {
                        end = Some(k + 1);
                    }
                }
                T::Sign('(' | '[') => {
                    // `(8)`, `(Cri)`, `(2001)` inside.
                    let inner = matches!(self.t(k + 1).t, T::Num(..)) || self.reporter(k + 1, REPORTERS);
                    if !inner || end.is_some() {
                        break;
                    }
                    if year(k + 1) {
                        dated = true;
                    }
                    strong |= self.reporter(k + 1, STRONG);
                    if !matches!(self.t(k + 2).t, T::Sign(')' | ']')) {
                        break;
                    }
                    k += 2;
                }
                T::Sign('.') if self.reporter(k.wrapping_sub(1), REPORTERS) => {}
                _ => break,
            }
            k += 1;
        }
        if strong && dated { end } else { None }
    }

    pub(super) fn report(
        &mut self,
        i: usize,
        end: usize,
        group: &mut usize,
        out: &mut Vec<Extracted>,
    ) -> usize {
        let span = (self.t(i).start as usize, self.t(end - 1).end as usize);
        self.read_to = end;
        *group += 1;
        out.push(Extracted {
            span,
            raw: self.text.get(span.0..span.1).unwrap_or_default().to_owned(),
            work: None,
            unit: None,
            pins: Vec::new(),
            or: None,
            until: None,
            group: *group,
            unresolved: Some(Unresolved::Report),
            quotes: Vec::new(),
        });
        end
    }
}
