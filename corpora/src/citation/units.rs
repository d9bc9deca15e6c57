//! Rules, regulations and byelaws, named as people name them: `rule 7A Village Library Rules`.
//!
//! In running text a rule is no section, and the grammar leaves it alone. Where a user names one statute of the
//! catalogue in full, and its title says that its provisions are called so, the words mean that provision.

use crate::manifest::Catalogue;
use crate::{Number, ProvisionId};

/// A word for a provision, and the words of which the title must have one.
const UNITS: [(&str, &[&str]); 9] = [
    ("rule", &["rule"]),
    ("r.", &["rule"]),
    ("regulation", &["regulation"]),
    ("reg.", &["regulation"]),
    ("byelaw", &["byelaw", "bye-law"]),
    ("bye-law", &["byelaw", "bye-law"]),
    ("clause", &["code", "order", "scheme", "charter", "tenancy", "contract"]),
    ("canon", &["canon", "code"]),
    ("नियम", &["नियम"]),
];

/// The provision that a whole text names by the unit's own name: a word, a number, the statute's name.
#[must_use]
pub fn named_unit(text: &str, catalogue: &Catalogue) -> Option<ProvisionId> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace)?;
    let word = word.to_lowercase();
    let (_, titles) = UNITS.iter().find(|(w, _)| *w == word || word.strip_suffix('s') == Some(w))?;
    let (number, name) = rest.trim_start().split_once(char::is_whitespace)?;
    let number: Number = number.trim_end_matches([',', '.']).replace('-', "").to_uppercase().parse().ok()?;
    let wanted = plain(name);
    let named = catalogue.all().iter().find(|m| {
        let all = m.names.values().flatten().chain(m.title.values());
        let mut names = all.map(|n| plain(n));
        let called = m.title.values().any(|t| {
            let lower = t.to_lowercase();
            titles.iter().any(|w| lower.contains(w))
        });
        called && names.any(|n| !n.is_empty() && n == wanted)
    })?;
    Some(ProvisionId::new(named.id.clone(), named.unit.unit(number)))
}

/// Letters and figures without `of the` before and the year behind.
fn plain(name: &str) -> String {
    let lower = name.to_lowercase();
    let mut words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || ('\u{0900}'..='\u{0963}').contains(&c)))
        .filter(|w| !w.is_empty())
        .collect();
    while words.first().is_some_and(|w| ["of", "the"].contains(w)) {
        words.remove(0);
    }
    if words.len() > 1 && words.last().is_some_and(|w| w.len() == 4 && w.bytes().all(|b| b.is_ascii_digit()))
    {
        words.pop();
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;

    #[test]
    fn a_rule_of_rules_is_a_provision_and_a_rule_of_an_act_is_not() {
        let manifest = |id: &str, title: &str| {
            let text = format!(
                "id = \"{id}\"\nkind = \"other\"\nunit = \"section\"\ngrammar = \"indian-act\"\nlanguage = \"en\"\nin_force_from = \"2001-01-01\"\n[title]\nen = \"{title}\"\n[names]\nen = [\"{title}\"]\n"
            );
            Manifest::parse("test", &text).unwrap()
        };
        let catalogue = Catalogue::new(vec![
            manifest("xx/kite-rules", "The Kite Rules, 1994"),
            manifest("xx/kite-act", "The Kite Act, 1990"),
        ]);
        for text in ["rule 7A Kite Rules", "Rule 7-A of the Kite Rules, 1994", "r. 7A The Kite Rules"] {
            let id = named_unit(text, &catalogue).map(|id| id.to_string());
            assert_eq!(id.as_deref(), Some("xx/kite-rules#s7A"), "{text}");
        }
        for text in ["rule 7A Kite Act", "rule 7A", "regulation 2 Kite Rules", "rule of the Kite Rules"] {
            assert_eq!(named_unit(text, &catalogue), None, "{text}");
        }
    }
}
