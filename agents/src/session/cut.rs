//! Making a conversation fit the model's window.
//!
//! The rule, a step at a time, as far as needed: of the longest list of entries (the record of what was said) the
//! first entry and the last two stay as they are; of the others, from the oldest on, only the first sentence stays,
//! so that a summary of the earlier turns remains; then the oldest of these go altogether; where no list has
//! anything left to give, the longest single text (as a rule the facts of the case) is cut off at its right end, a
//! tenth at a time, down to a third of its length; then the next.

use crate::chat::Message;
use crate::prompts::Piece;

/// Entries at the end of a list that are never touched.
const LAST: usize = 2;
/// Most characters of an entry in the summary.
const LEAD: usize = 120;
/// Begins an entry of the summary.
const SHORTENED: &str = "[…] ";
/// Stands where entries are gone.
const GONE: &str = "[…]";

/// A conversation and what was left out of it.
#[derive(Debug, Clone)]
pub(super) struct Cut {
    pub(super) pieces: Vec<Piece>,
    shortened: usize,
    dropped: usize,
    /// Label and length of each text that was cut on the right, before any cut.
    right: Vec<(String, usize)>,
}

impl Cut {
    pub(super) fn new(pieces: &[Piece]) -> Self {
        Self { pieces: pieces.to_vec(), shortened: 0, dropped: 0, right: Vec::new() }
    }

    /// What was left out, in words; `None` if nothing was.
    pub(super) fn what(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.shortened > self.dropped {
            parts.push(format!(
                "{} of the older entries, but for their first sentence",
                self.shortened - self.dropped
            ));
        }
        if self.dropped > 0 {
            parts.push(format!("{} of the oldest entries", self.dropped));
        }
        for (label, _) in &self.right {
            parts.push(format!("the right end of `{label}`"));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// One step shorter. False if there is nothing left to take.
    pub(super) fn step(&mut self) -> bool {
        self.shorten() || self.drop_oldest() || self.cut_right()
    }

    fn longest_list(&mut self) -> Option<&mut Vec<String>> {
        self.pieces
            .iter_mut()
            .filter_map(|p| match p {
                Piece::Data { entries, .. } if entries.len() > 1 + LAST => Some(entries),
                _ => None,
            })
            .max_by_key(|entries| entries.len())
    }

    fn shorten(&mut self) -> bool {
        let Some(entries) = self.longest_list() else { return false };
        let middle = 1..entries.len() - LAST;
        for entry in entries.get_mut(middle).unwrap_or_default() {
            if !entry.starts_with(SHORTENED) && entry != GONE {
                *entry = lead(entry);
                self.shortened += 1;
                return true;
            }
        }
        false
    }

    fn drop_oldest(&mut self) -> bool {
        let dropped = self.dropped;
        let Some(entries) = self.longest_list() else { return false };
        if dropped == 0 {
            if let Some(entry) = entries.get_mut(1) {
                GONE.clone_into(entry);
            }
        } else if entries.len() > 2 + LAST {
            entries.remove(2);
        } else {
            return false;
        }
        self.dropped += 1;
        true
    }

    fn cut_right(&mut self) -> bool {
        let right = &mut self.right;
        let longest = self
            .pieces
            .iter_mut()
            .filter_map(|p| match p {
                Piece::Data { label, entries } if entries.len() == 1 => {
                    let text = entries.first_mut()?;
                    let chars = text.chars().count();
                    let whole = right.iter().find(|(l, _)| l == label).map_or(chars, |(_, n)| *n);
                    let keep = chars.saturating_sub((whole / 10).max(20));
                    (keep >= whole / 3 && keep >= 40).then(|| (label.clone(), text, whole, keep))
                }
                _ => None,
            })
            .max_by_key(|(_, text, ..)| text.chars().count());
        let Some((label, text, whole, keep)) = longest else { return false };
        *text = text.trim_end_matches(SHORTENED.trim_end()).chars().take(keep).collect::<String>()
            + SHORTENED.trim_end();
        if !right.iter().any(|(l, _)| *l == label) {
            right.push((label, whole));
        }
        true
    }
}

/// The first sentence of an entry, marked as such. What stands before a colon near the start (who speaks) counts
/// with it.
fn lead(entry: &str) -> String {
    let mut end = entry.len();
    for (n, (i, c)) in entry.char_indices().enumerate() {
        let stop = matches!(c, '.' | '!' | '?')
            && entry.get(i + 1..).is_none_or(|r| r.is_empty() || r.starts_with(' '));
        if n >= LEAD || stop || matches!(c, '。' | '！' | '？' | '；') {
            end = i + c.len_utf8();
            break;
        }
    }
    format!("{SHORTENED}{}", entry.get(..end).unwrap_or(entry).trim_end())
}

/// Tokens of a conversation where no tokenizer is at hand: a letter of a script without spaces is one token, of
/// the others three make one. On the safe side of the tokenizers in use.
pub(super) fn estimate(messages: &[Message]) -> usize {
    let (wide, narrow) = counts(messages);
    wide + narrow.div_ceil(3) + 8 * messages.len()
}

/// Fewer tokens than any tokenizer in use makes of the conversation.
pub(super) fn floor(messages: &[Message]) -> u64 {
    let (wide, narrow) = counts(messages);
    (wide * 3 / 10 + narrow / 8) as u64
}

fn counts(messages: &[Message]) -> (usize, usize) {
    let chars = messages.iter().flat_map(|m| m.content.chars());
    chars.fold(
        (0, 0),
        |(wide, narrow), c| if c < '\u{2e80}' { (wide, narrow + 1) } else { (wide + 1, narrow) },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(entries: &[&str]) -> Vec<Piece> {
        vec![Piece::Data {
            label: "record".to_owned(),
            entries: entries.iter().map(|e| (*e).to_owned()).collect(),
        }]
    }

    fn entries(cut: &Cut) -> Vec<&str> {
        match &cut.pieces[0] {
            Piece::Data { entries, .. } => entries.iter().map(String::as_str).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_first_and_the_last_two_stay_and_the_others_become_a_summary() {
        let long =
            ["judge: Law. All of it.", "a: One. Two.", "b: 一。二。", "c: Five. Six.", "d: Seven. Eight."];
        let mut cut = Cut::new(&data(&long));
        assert_eq!(cut.what(), None);
        assert!(cut.step() && cut.step());
        assert_eq!(entries(&cut), [long[0], "[…] a: One.", "[…] b: 一。", long[3], long[4]]);
        assert_eq!(cut.what().unwrap(), "2 of the older entries, but for their first sentence");
        assert!(cut.step());
        assert_eq!(entries(&cut), [long[0], "[…]", "[…] b: 一。", long[3], long[4]]);
        assert!(cut.step());
        assert_eq!(entries(&cut), [long[0], "[…]", long[3], long[4]]);
        assert!(!cut.step());
        assert_eq!(cut.what().unwrap(), "2 of the oldest entries");
    }

    #[test]
    fn a_long_text_is_cut_on_the_right_last_of_all() {
        let facts = "甲".repeat(500);
        let mut pieces = data(&["one"]);
        pieces.push(Piece::Data { label: "facts".to_owned(), entries: vec![facts] });
        let mut cut = Cut::new(&pieces);
        let mut steps = 0;
        while cut.step() {
            steps += 1;
        }
        assert_eq!(steps, 7);
        assert_eq!(cut.what().unwrap(), "the right end of `facts`");
        let Piece::Data { entries, .. } = &cut.pieces[1] else { panic!() };
        assert!(entries[0].starts_with("甲甲") && entries[0].ends_with("甲[…]"));
    }

    #[test]
    fn when_the_longest_text_has_given_what_it_can_the_next_gives() {
        let text = |label: &str, chars: usize| Piece::Data {
            label: label.to_owned(),
            entries: vec!["甲".repeat(chars)],
        };
        let mut cut = Cut::new(&[text("law", 2_000), text("facts", 400)]);
        while cut.step() {}
        let lengths: Vec<usize> = cut
            .pieces
            .iter()
            .map(|p| if let Piece::Data { entries, .. } = p { entries[0].chars().count() } else { 0 })
            .collect();
        assert!(lengths[0] < 900 && lengths[1] < 200, "{lengths:?}");
    }

    #[test]
    fn a_floor_is_below_an_estimate() {
        let of = |s: &str| vec![Message { role: crate::chat::Role::User, content: s.to_owned() }];
        for text in ["Plain words of a trial in English. ", "被告人趁乙离开之机取走船桨。"] {
            let messages = of(&text.repeat(100));
            assert!(floor(&messages) < estimate(&messages) as u64);
        }
    }
}
