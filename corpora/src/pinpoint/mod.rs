//! The places inside a provision that a citation can name: sub-sections, clauses, provisos, explanations,
//! exceptions, illustrations, limbs, 款 and 项.
//!
//! [`pinpoints`] reads the verbatim text of one provision, without number and heading. Labels are taken for
//! structure where they start a line, or where they stand behind a colon, semicolon, dash or full stop *and* are
//! the next label due; "clause (b) of" in running text is neither. A place that names itself (`Exception 1`)
//! keeps its number; one that does not is numbered only if it has brothers.

use crate::manifest::Grammar;
use crate::provision::Pinpoint;

mod chinese;
mod indian;
mod limbs;

/// The places inside a provision's text, in the order of the text, an outer place before its inner ones.
///
/// No path occurs twice. A named place inside a sub-section is also given without the sub-section where that is
/// unambiguous: the only explanation of a section is `expl`, wherever it stands. Where a place has several
/// provisos, `proviso` is all of them and `proviso1`, `proviso2` … are the single ones.
#[must_use]
pub fn pinpoints(text: &str, grammar: Grammar) -> Vec<Pinpoint> {
    match grammar {
        Grammar::IndianAct => indian::Indian::new(text).read(),
        Grammar::ChineseCode => chinese::chinese(text),
    }
}

#[cfg(test)]
mod tests;
