//! Which provision of a later code took the place of one of an earlier code: pairs of names, many to many.

use std::collections::BTreeMap;

use crate::id::ProvisionId;

/// Pairs of old and new provisions. Empty until pairs are given; an old provision without a pair has no
/// successor known, which is not the same as none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Concordance {
    forward: BTreeMap<ProvisionId, Vec<ProvisionId>>,
}

impl Concordance {
    /// A concordance of these pairs, old first.
    #[must_use]
    pub fn new(pairs: impl IntoIterator<Item = (ProvisionId, ProvisionId)>) -> Self {
        let mut forward: BTreeMap<ProvisionId, Vec<ProvisionId>> = BTreeMap::new();
        for (old, new) in pairs {
            let list = forward.entry(old).or_default();
            if !list.contains(&new) {
                list.push(new);
            }
        }
        Self { forward }
    }

    /// The pairs that come with the program.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILTIN: std::sync::OnceLock<Concordance> = std::sync::OnceLock::new();
        BUILTIN.get_or_init(|| {
            let mut pairs = Vec::new();
            for (old_work, new_work, table) in TABLES {
                for line in table.lines().filter(|l| !l.starts_with('#')) {
                    let Some((old, new)) = line.split_once('\t') else { continue };
                    let read = |work: &str, n: &str| format!("{work}#s{n}").parse::<ProvisionId>();
                    for one in new.split(',') {
                        if let (Ok(old), Ok(new)) = (read(old_work, old), read(new_work, one)) {
                            pairs.push((old, new));
                        }
                    }
                }
            }
            Self::new(pairs)
        })
    }

    /// What took the place of a provision; for a place inside one without a pair of its own, of the whole.
    #[must_use]
    pub fn successors(&self, old: &ProvisionId) -> &[ProvisionId] {
        let mut id = ProvisionId { edition: None, ..old.clone() };
        loop {
            if let Some(new) = self.forward.get(&id) {
                return new;
            }
            if id.pins.pop().is_none() {
                return &[];
            }
        }
    }
}

/// Old work, new work, rows `old<TAB>new[,new]`.
const TABLES: &[(&str, &str, &str)] = &[
    ("in/ipc", "in/bns", include_str!("../concordance/ipc-bns.tsv")),
    ("in/crpc", "in/bnss", include_str!("../concordance/crpc-bnss.tsv")),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn id(s: &str) -> ProvisionId {
        s.parse().unwrap()
    }

    #[test]
    fn a_place_inside_falls_back_to_the_whole() {
        let c = Concordance::new([(id("xx/old#s1"), id("xx/new#s9")), (id("xx/old#s1"), id("xx/new#s10.2"))]);
        assert_eq!(c.successors(&id("xx/old#s1.2.a")), [id("xx/new#s9"), id("xx/new#s10.2")]);
        assert!(c.successors(&id("xx/old#s2")).is_empty());
    }

    #[test]
    fn every_row_of_the_tables_reads() {
        for (old, new, table) in TABLES {
            for line in table.lines().filter(|l| !l.starts_with('#')) {
                let (a, b) = line.split_once('\t').unwrap();
                assert!(format!("{old}#s{a}").parse::<ProvisionId>().is_ok(), "{line}");
                for one in b.split(',') {
                    assert!(format!("{new}#s{one}").parse::<ProvisionId>().is_ok(), "{line}");
                }
            }
        }
        assert_eq!(Concordance::builtin().successors(&id("in/ipc#s302")), [id("in/bns#s103")]);
    }
}
