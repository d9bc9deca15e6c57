//! From when, and until when, a provision was law.

use std::sync::OnceLock;

use jiff::civil::Date;
use regex::Regex;

use crate::manifest::Manifest;
use crate::provision::{Provision, Status};

/// First day on which a provision was no longer law: what its source says, else the manifest, else the row that an
/// omitted provision left in the text, `Rep. by … (w.e.f. 6-4-1949)`.
pub(super) fn until(provision: &Provision, manifest: Option<&Manifest>) -> Option<Date> {
    let listed = || {
        let unit = &provision.id.unit;
        manifest?.commencements.iter().find(|x| &x.id.unit == unit && x.id.pins.is_empty())?.until
    };
    let gone = is_gone(provision);
    provision.in_force_until.or_else(listed).or_else(|| if gone { row_date(&provision.text) } else { None })
}

/// Whether all that is held of a provision is that it is no longer there.
pub(super) fn is_gone(provision: &Provision) -> bool {
    matches!(provision.status, Status::Omitted | Status::Repealed) || is_row(&provision.text)
}

/// Most bytes of a row that stands for a provision that is gone.
const LONGEST_ROW: usize = 400;

/// Whether a text is an editor's row and no provision: `[Torches.] Rep. by the Dusk Act`.
fn is_row(text: &str) -> bool {
    static PATTERN: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = PATTERN.get_or_init(|| {
        Regex::new(r"^[\s*\[(]*(?:[0-9]+[A-Z]*\.\s*)?(?:\[[^\]]{0,200}\][\s.]*)?[\s\[(—–-]*(?:Rep\.|(?:Rep|Repealed|Omitted|Deleted)\s+(?:by|vide|w\.)|(?:Repealed|Omitted|Deleted)[.\])\s]*$)").ok()
    });
    text.len() <= LONGEST_ROW && pattern.as_ref().is_some_and(|p| p.is_match(text))
}

/// The only day that a row names with "with effect from".
fn row_date(text: &str) -> Option<Date> {
    static PATTERN: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = PATTERN.get_or_init(|| {
        Regex::new(r"(?i)w\.\s*e\.\s*f\.?\s*([0-9]{1,2})\s*[-./]\s*([0-9]{1,2})\s*[-./]\s*([0-9]{4})").ok()
    });
    let mut days = pattern.as_ref()?.captures_iter(text).map(|c| {
        let part = |n: usize| c.get(n).map(|m| m.as_str());
        Date::new(part(3)?.parse().ok()?, part(2)?.parse().ok()?, part(1)?.parse().ok()?).ok()
    });
    match (days.next(), days.next()) {
        (Some(day), None) => day,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn rows_are_told_from_provisions() {
        for text in [
            "[Torches.] Rep. by the Dusk Act (w.e.f. 6-4-1949).",
            "Omitted by Act 3 of 1950, s. 2.",
            "[Omitted.]",
            "3. [Fees.] Omitted by Act 9 of 1950",
            "[Repealed by the Dusk Act, 1949]",
        ] {
            assert!(is_row(text), "{text}");
        }
        for text in
            ["", "Repealed lamps are kept.", "The acts named are repealed.", "Omitted lamps are lit again."]
        {
            assert!(!is_row(text), "{text}");
        }
    }

    #[test]
    fn one_day_in_a_row_is_the_day() {
        assert_eq!(row_date("[Torches.] Rep. by the Dusk Act (w. e. f. 6-4-1949)."), Some(date(1949, 4, 6)));
        assert_eq!(
            row_date("[Torches.] Rep. by the Dusk Act (w.e.f. 25- 11-1959)."),
            Some(date(1959, 11, 25))
        );
        for text in
            ["[Torches.] Rep. by Act 5 of 1949.", "(w.e.f. 31-2-1949)", "(w.e.f. 1-2-1949) (w.e.f. 1-3-1950)"]
        {
            assert_eq!(row_date(text), None, "{text}");
        }
    }
}
