//! Which provision of a later code took the place of one of an earlier code: pairs of names, many to many, each with
//! its relation, how sure it is, and who says so.
//!
//! The tables under `corpora/concordance/` hold numbers only. Every section of the old and of the new code is in them;
//! `decisions.tsv` lists where the witnesses disagreed and what was decided.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::id::{ProvisionId, WorkId};

/// How an old and a new provision are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// One took the place of one, in nearly the same words.
    Same,
    /// One took the place of one, in other words or with other effect.
    Changed,
    /// Several old ones went into one.
    Merged,
    /// An old one went into several.
    Split,
    /// The old one has no successor.
    Dropped,
    /// The new one has no predecessor.
    New,
}

impl Relation {
    /// Its name in the tables: `same`, `changed`, `merged`, `split`, `dropped`, `new`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Merged => "merged",
            Self::Split => "split",
            Self::Dropped => "dropped",
            Self::New => "new",
        }
    }
}

/// How sure a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// One witness, or a text that is only near.
    Low,
    /// The texts alone, or two other witnesses.
    Medium,
    /// The texts and another witness.
    High,
}

impl Confidence {
    /// Its name in the tables: `low`, `medium`, `high`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// One row: an old provision and a new one, or one of them alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The provision of the earlier code; absent for [`Relation::New`].
    pub old: Option<ProvisionId>,
    /// The provision of the later code, or a place inside it; absent for [`Relation::Dropped`].
    pub new: Option<ProvisionId>,
    /// How they are related.
    pub relation: Relation,
    /// How sure that is.
    pub confidence: Confidence,
    /// Who says so: `text` (the words agree), `heading`, `order` (its neighbours went to the same place), `reviewed`
    /// (read by a person), `omitted-before`, and names of published tables.
    pub sources: Vec<String>,
}

/// Links between codes. An old provision without any row has no successor known, which is not the same as none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Concordance {
    links: Vec<Link>,
    by_old: BTreeMap<ProvisionId, Vec<usize>>,
    /// By whole provision.
    by_new: BTreeMap<ProvisionId, Vec<usize>>,
    successors: BTreeMap<ProvisionId, Vec<ProvisionId>>,
}

impl Concordance {
    /// A concordance of these pairs, old first, without any claim about how they are related.
    #[must_use]
    pub fn new(pairs: impl IntoIterator<Item = (ProvisionId, ProvisionId)>) -> Self {
        Self::of(pairs.into_iter().map(|(old, new)| Link {
            old: Some(old),
            new: Some(new),
            relation: Relation::Changed,
            confidence: Confidence::Low,
            sources: Vec::new(),
        }))
    }

    /// A concordance of these rows.
    #[must_use]
    pub fn of(links: impl IntoIterator<Item = Link>) -> Self {
        let mut this = Self { links: links.into_iter().collect(), ..Self::default() };
        for (n, link) in this.links.iter().enumerate() {
            if let Some(old) = &link.old {
                this.by_old.entry(old.clone()).or_default().push(n);
                if let Some(new) = &link.new {
                    let list = this.successors.entry(old.clone()).or_default();
                    if !list.contains(new) {
                        list.push(new.clone());
                    }
                }
            }
            if let Some(new) = &link.new {
                this.by_new.entry(new.provision()).or_default().push(n);
            }
        }
        this
    }

    /// Reads a table of `old<TAB>new<TAB>relation<TAB>confidence<TAB>sources`; `-` for none, `+` between sources.
    ///
    /// # Errors
    /// If a row is not of that form; the message holds the row.
    pub fn parse(old_work: &str, new_work: &str, table: &str) -> Result<Vec<Link>, String> {
        let mut links = Vec::new();
        for line in table.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [old, new, relation, confidence, sources] = cells.as_slice() else {
                return Err(format!("`{line}`: not five cells"));
            };
            let id = |work: &str, n: &str| match n {
                "-" => Ok(None),
                n => format!("{work}#s{n}")
                    .parse::<ProvisionId>()
                    .map(Some)
                    .map_err(|e| format!("`{line}`: {e}")),
            };
            let relation = match *relation {
                "same" => Relation::Same,
                "changed" => Relation::Changed,
                "merged" => Relation::Merged,
                "split" => Relation::Split,
                "dropped" => Relation::Dropped,
                "new" => Relation::New,
                other => return Err(format!("`{line}`: `{other}` is no relation")),
            };
            let confidence = match *confidence {
                "low" => Confidence::Low,
                "medium" => Confidence::Medium,
                "high" => Confidence::High,
                other => return Err(format!("`{line}`: `{other}` is no confidence")),
            };
            let sources = sources.split('+').filter(|s| *s != "-").map(str::to_owned).collect();
            links.push(Link {
                old: id(old_work, old)?,
                new: id(new_work, new)?,
                relation,
                confidence,
                sources,
            });
        }
        Ok(links)
    }

    /// The tables that come with the program: IPC to BNS, CrPC to BNSS.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILTIN: std::sync::OnceLock<Concordance> = std::sync::OnceLock::new();
        BUILTIN.get_or_init(|| {
            // That every row reads is a test.
            Self::of(
                TABLES.iter().flat_map(|(old, new, table)| Self::parse(old, new, table).unwrap_or_default()),
            )
        })
    }

    /// All rows.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// What took the place of a provision; for a place inside one without a pair of its own, of the whole.
    #[must_use]
    pub fn successors(&self, old: &ProvisionId) -> &[ProvisionId] {
        let mut id = ProvisionId { edition: None, ..old.clone() };
        loop {
            if let Some(new) = self.successors.get(&id) {
                return new;
            }
            if id.pins.pop().is_none() {
                return &[];
            }
        }
    }

    /// The rows of an old provision.
    #[must_use]
    pub fn forward(&self, old: &ProvisionId) -> Vec<&Link> {
        self.rows(self.by_old.get(&old.provision()))
    }

    /// The rows of a new provision; those of the place named, if it names one that the rows tell apart.
    #[must_use]
    pub fn back(&self, new: &ProvisionId) -> Vec<&Link> {
        let all = self.rows(self.by_new.get(&new.provision()));
        let inside = |link: &&Link| {
            let pins = link.new.as_ref().map(|n| n.pins.as_slice()).unwrap_or_default();
            new.pins.starts_with(pins) || pins.starts_with(&new.pins)
        };
        let near: Vec<&Link> = all.iter().copied().filter(inside).collect();
        if near.is_empty() { all } else { near }
    }

    fn rows(&self, at: Option<&Vec<usize>>) -> Vec<&Link> {
        at.into_iter().flatten().filter_map(|n| self.links.get(*n)).collect()
    }

    /// Whether a work is the old or the new side of a table, and the other side.
    #[must_use]
    pub fn side(work: &WorkId) -> Option<(Side, WorkId)> {
        TABLES.iter().find_map(|(old, new, _)| {
            if work.as_str() == *old {
                Some((Side::Old, new.parse().ok()?))
            } else if work.as_str() == *new {
                Some((Side::New, old.parse().ok()?))
            } else {
                None
            }
        })
    }
}

/// Where a work stands in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// It was replaced.
    Old,
    /// It replaced another.
    New,
}

/// Which of two codes governs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Governs {
    /// The earlier one.
    Old,
    /// The later one.
    New,
    /// The day is not known: either may.
    Either,
}

/// Which of two codes governs on a day, given the first day of the later one; without a day, either.
///
/// For offences the day is that of the act. For procedure it is the day on which the proceeding began: what was pending
/// when the later code came into force goes on under the earlier one (BNSS, section 531).
#[must_use]
pub fn governs(day: Option<Date>, commencement: Date) -> Governs {
    match day {
        None => Governs::Either,
        Some(day) if day < commencement => Governs::Old,
        Some(_) => Governs::New,
    }
}

/// Old work, new work, rows.
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
        assert_eq!(c.back(&id("xx/new#s10")).len(), 1);
        assert_eq!(c.back(&id("xx/new#s10.2.a")).len(), 1);
    }

    #[test]
    fn every_section_of_the_four_codes_is_in_the_tables_once_or_more_and_no_other_is() {
        let catalogue = crate::Catalogue::builtin().unwrap();
        for (old, new, table) in TABLES {
            let links = Concordance::parse(old, new, table).unwrap();
            for (work, of_new) in [(old, false), (new, true)] {
                let manifest = catalogue.get(&work.parse().unwrap()).unwrap();
                let expected: std::collections::BTreeSet<_> =
                    manifest.versions.last().unwrap().expected_units(manifest.unit).into_iter().collect();
                let found: std::collections::BTreeSet<_> = links
                    .iter()
                    .filter_map(|l| if of_new { l.new.as_ref() } else { l.old.as_ref() })
                    .map(|id| id.unit.clone())
                    .collect();
                let missing: Vec<_> = expected.difference(&found).map(ToString::to_string).collect();
                let extra: Vec<_> = found.difference(&expected).map(ToString::to_string).collect();
                assert!(
                    missing.is_empty() && extra.is_empty(),
                    "{work}: missing {missing:?}, extra {extra:?}"
                );
            }
            for link in &links {
                assert_eq!(link.relation == Relation::Dropped, link.new.is_none(), "{link:?}");
                assert_eq!(link.relation == Relation::New, link.old.is_none(), "{link:?}");
            }
        }
    }

    #[test]
    fn relations_say_how_many_go_where() {
        let all = Concordance::builtin().links();
        for link in all.iter().filter(|l| l.old.is_some() && l.new.is_some()) {
            let (old, new) = (link.old.clone().unwrap(), link.new.clone().unwrap().provision());
            let news = all.iter().filter(|l| l.old.as_ref() == Some(&old)).count();
            let olds = all
                .iter()
                .filter(|l| l.new.as_ref().is_some_and(|n| n.provision() == new) && l.old.is_some())
                .count();
            match link.relation {
                Relation::Split => assert!(news > 1, "{link:?}"),
                Relation::Merged => assert!(news == 1 && olds > 1, "{link:?}"),
                _ => assert!(news == 1 && olds == 1, "{link:?}"),
            }
        }
    }

    #[test]
    fn well_known_pairs() {
        let c = Concordance::builtin();
        let news = |old: &str| {
            c.successors(&id(old)).iter().map(|n| n.provision().to_string()).collect::<Vec<_>>().join(" ")
        };
        for (old, new) in [
            ("in/ipc#s302", "in/bns#s103"),
            ("in/ipc#s304A", "in/bns#s106"),
            ("in/ipc#s304B", "in/bns#s80"),
            ("in/ipc#s376AB", "in/bns#s65"),
            ("in/ipc#s378", "in/bns#s303"),
            ("in/ipc#s379", "in/bns#s303"),
            ("in/ipc#s403", "in/bns#s314"),
            ("in/ipc#s420", "in/bns#s318"),
            ("in/ipc#s489A", "in/bns#s178"),
            ("in/ipc#s34", "in/bns#s3"),
            ("in/crpc#s154", "in/bnss#s173"),
            ("in/crpc#s161", "in/bnss#s180"),
            ("in/crpc#s164", "in/bnss#s183"),
            ("in/crpc#s438", "in/bnss#s482"),
            ("in/crpc#s439", "in/bnss#s483"),
            ("in/crpc#s482", "in/bnss#s528"),
        ] {
            assert_eq!(news(old), new, "{old}");
        }
        for old in ["in/ipc#s377", "in/ipc#s497"] {
            assert_eq!(c.forward(&id(old)).first().map(|l| l.relation), Some(Relation::Dropped), "{old}");
        }
        for new in ["in/bns#s69", "in/bns#s111", "in/bns#s304"] {
            assert_eq!(c.back(&id(new)).first().map(|l| l.relation), Some(Relation::New), "{new}");
        }
    }

    #[test]
    fn the_day_picks_the_code() {
        let start: Date = "2024-07-01".parse().unwrap();
        assert_eq!(governs("2024-06-30".parse().ok(), start), Governs::Old);
        assert_eq!(governs("2024-07-01".parse().ok(), start), Governs::New);
        assert_eq!(governs(None, start), Governs::Either);
    }
}
