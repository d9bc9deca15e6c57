//! Provisions that a text calls by this program's own names: `in/ipc#s302`, `cn/criminal-law#a133-1.p1`.
//!
//! Courts run by the program are told to write them, so they are citations like any other. The readers of running text
//! must not see them: `s3` inside `xx/kite-act#s3` would be section 3 of whatever act the context implies.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::Regex;

use super::Extracted;
use crate::id::ProvisionId;

/// A name with its places. A full stop at its end is the sentence's.
fn pattern() -> Option<&'static Regex> {
    static PATTERN: OnceLock<Option<Regex>> = OnceLock::new();
    const NAME: &str = r"(?x) (?-u:\b)
        [a-zA-Z]{2,3} / [a-zA-Z0-9]+ (?:-[a-zA-Z0-9]+)*
        (?: @ [0-9]{4}-[0-9]{2}-[0-9]{2} : [a-zA-Z0-9-]+ )?
        \# [a-zA-Z][a-zA-Z0-9-]* (?:\.[a-zA-Z0-9-]+)*";
    PATTERN.get_or_init(|| Regex::new(NAME).ok()).as_ref()
}

/// The names in a text, and the text with a word of the same length in the place of each.
pub(super) fn take<'t>(text: &'t str, group: &mut usize) -> (Vec<Extracted>, Cow<'t, str>) {
    let mut found = Vec::new();
    let Some(pattern) = pattern().filter(|_| text.contains('#')) else { return (found, Cow::Borrowed(text)) };
    let mut masked = String::new();
    let mut done = 0;
    for m in pattern.find_iter(text) {
        let id: Option<ProvisionId> = m.as_str().parse().ok();
        *group += 1;
        found.push(Extracted {
            span: (m.start(), m.end()),
            raw: m.as_str().to_owned(),
            work: id.as_ref().map(|id| id.work.clone()),
            unit: id.as_ref().map(|id| id.unit.clone()),
            pins: id.map(|id| id.pins).unwrap_or_default(),
            or: None,
            until: None,
            group: *group,
            unresolved: None,
            quotes: Vec::new(),
        });
        masked.push_str(text.get(done..m.start()).unwrap_or_default());
        masked.extend(std::iter::repeat_n('x', m.len()));
        done = m.end();
    }
    if found.is_empty() {
        return (found, Cow::Borrowed(text));
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    for one in found.iter_mut().filter(|e| e.work.is_none()) {
        one.unresolved = Some(super::Unresolved::Name);
    }
    (found, Cow::Owned(masked))
}
