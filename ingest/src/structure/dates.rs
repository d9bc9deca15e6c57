//! Dates that notes on amendments give: `(w.e.f. 3-2-2013)`.

use jiff::civil::Date;
use nyaya_corpora::{Annotation, AnnotationKind};

/// The day named after "w.e.f.", if there is exactly one such day in the words.
pub(super) fn with_effect_from(words: &str) -> Option<Date> {
    let mut found: Option<Date> = None;
    for (at, mark) in words.match_indices("w.e.f.") {
        let rest = words.get(at + mark.len()..)?.trim_start();
        let end =
            rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '.' | '/'))).unwrap_or(rest.len());
        let parts: Vec<i16> =
            rest.get(..end)?.split(['-', '.', '/']).filter_map(|p| p.parse().ok()).collect();
        let [day, month, year] = parts.as_slice() else { return None };
        let date = Date::new(*year, i8::try_from(*month).ok()?, i8::try_from(*day).ok()?).ok()?;
        if found.is_some_and(|f| f != date) || !(1800..2100).contains(year) {
            return None;
        }
        found = Some(date);
    }
    found
}

/// From when a provision has been there: the one note at its number says that an act inserted it, and from when.
pub(super) fn inserted(notes: &[Annotation]) -> Option<Date> {
    let mut notes = notes.iter().filter(|n| n.kind == AnnotationKind::Footnote);
    let (note, other) = (notes.next()?, notes.next());
    if other.is_some() || !(note.text.starts_with("Ins.") || note.text.starts_with("Inserted")) {
        return None;
    }
    with_effect_from(&note.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn one_day_counts_and_two_do_not() {
        assert_eq!(
            with_effect_from("Ins. by Act 3 of 1999, s. 2 (w.e.f. 3-2-2013)."),
            Some(date(2013, 2, 3))
        );
        assert_eq!(with_effect_from("Ins. (w.e.f. 3-2-2013) and (w.e.f. 4-2-2013)"), None);
        for text in ["Ins. by Act 3", "w.e.f. a date to be notified", "w.e.f. 32-1-2000", ""] {
            assert_eq!(with_effect_from(text), None, "{text}");
        }
    }
}
