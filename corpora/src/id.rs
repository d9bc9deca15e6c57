//! Names of provisions.
//!
//! A [`ProvisionId`] is the one name a provision has in the whole program: `in/ipc#s302`,
//! `in/constitution#a19.1.a`, `cn/criminal-law#a133-1.p1.i2`, `in/constitution#sch7.list2.e1`,
//! and, where edition matters, `in/ipc@2018-04-21:en#s302`. Formatting and parsing are inverse.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Why a string is not the name of a work or a provision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{input}` is not a {what}: {why}")]
pub struct IdError {
    /// What was read.
    pub input: String,
    /// `provision id`, `work id`, `provision number` or `jurisdiction`.
    pub what: &'static str,
    /// The rule it breaks.
    pub why: &'static str,
}

fn err(input: &str, what: &'static str, why: &'static str) -> IdError {
    IdError { input: input.to_owned(), what, why }
}

/// A jurisdiction as people write it, `IN` or ` cn `, in the form that ids have: the ISO 3166 code in lower case.
///
/// # Errors
/// If it is not two Latin letters.
pub fn jurisdiction(s: &str) -> Result<String, IdError> {
    let code = s.trim();
    if code.len() != 2 || !code.bytes().all(|b| b.is_ascii_alphabetic()) {
        return Err(err(s, "jurisdiction", "expected a two-letter ISO 3166 code, such as in or cn"));
    }
    Ok(code.to_ascii_lowercase())
}

/// A statute, whatever its version: `in/ipc`, `cn/criminal-law`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkId(String);

impl WorkId {
    /// The ISO 3166 code in lower case: `in`, `cn`.
    #[must_use]
    pub fn jurisdiction(&self) -> &str {
        self.0.split_once('/').map_or("", |(j, _)| j)
    }

    /// The name inside its jurisdiction: `ipc`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, n)| n)
    }

    /// The whole name: `in/ipc`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WorkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for WorkId {
    type Err = IdError;

    fn from_str(s: &str) -> Result<Self, IdError> {
        let what = "work id";
        let (jurisdiction, name) = s
            .split_once('/')
            .ok_or_else(|| err(s, what, "expected `jurisdiction/name`, such as `in/ipc`"))?;
        if jurisdiction.len() != 2 || !jurisdiction.bytes().all(|b| b.is_ascii_lowercase()) {
            return Err(err(s, what, "the jurisdiction is a two-letter ISO 3166 code in lower case"));
        }
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if name.is_empty() || !name.bytes().all(plain) || name.starts_with('-') || name.ends_with('-') {
            return Err(err(s, what, "the name has lower-case letters, digits and inner hyphens only"));
        }
        Ok(Self(s.to_owned()))
    }
}

/// The number of a section or article: `302`, `376AB`, `133-1` (第一百三十三条之一).
///
/// Ordered as a code orders its provisions: 376, 376A, 376AB, 376B, 377.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Number {
    /// The figure.
    pub base: u32,
    /// Capital letters after the figure; empty for most.
    pub letters: String,
    /// The figure after 之 in Chinese codes.
    pub sub: Option<u32>,
}

impl Number {
    /// A plain number.
    #[must_use]
    pub fn plain(base: u32) -> Self {
        Self { base, letters: String::new(), sub: None }
    }

    /// A lettered number, `376` + `AB`. Letters are made capital.
    #[must_use]
    pub fn lettered(base: u32, letters: &str) -> Self {
        Self { base, letters: letters.to_ascii_uppercase(), sub: None }
    }

    /// A number with 之, `133` + `1`.
    #[must_use]
    pub fn with_sub(base: u32, sub: u32) -> Self {
        Self { base, letters: String::new(), sub: Some(sub) }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.base, &self.letters, self.sub).cmp(&(other.base, &other.letters, other.sub))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.base, self.letters)?;
        if let Some(sub) = self.sub {
            write!(f, "-{sub}")?;
        }
        Ok(())
    }
}

impl FromStr for Number {
    type Err = IdError;

    fn from_str(s: &str) -> Result<Self, IdError> {
        let what = "provision number";
        let digits = s.bytes().take_while(u8::is_ascii_digit).count();
        let (figure, rest) = s.split_at(digits);
        if figure.is_empty() || (figure.len() > 1 && figure.starts_with('0')) {
            return Err(err(s, what, "it starts with a figure without leading zeros"));
        }
        let base = figure.parse().map_err(|_| err(s, what, "the figure is too large"))?;
        let (letters, sub) = match rest.split_once('-') {
            Some((letters, sub)) => {
                if sub.is_empty() || !sub.bytes().all(|b| b.is_ascii_digit()) || sub.starts_with('0') {
                    return Err(err(s, what, "a figure follows the hyphen"));
                }
                let sub = sub.parse().map_err(|_| err(s, what, "the figure is too large"))?;
                (letters, Some(sub))
            }
            None => (rest, None),
        };
        if !letters.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(err(s, what, "letters after the figure are capitals"));
        }
        Ok(Self { base, letters: letters.to_owned(), sub })
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A top-level unit of a statute.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// The words before the first section or article: `preamble`.
    Preamble,
    /// `s302`.
    Section(Number),
    /// `a21A`.
    Article(Number),
    /// `sch7`; its lists, entries, paragraphs follow as pinpoints.
    Schedule(Number),
}

impl Unit {
    /// The number, if the unit has one.
    #[must_use]
    pub fn number(&self) -> Option<&Number> {
        match self {
            Self::Preamble => None,
            Self::Section(n) | Self::Article(n) | Self::Schedule(n) => Some(n),
        }
    }

    /// Whether this is a section or an article, the units that coverage counts.
    #[must_use]
    pub fn is_numbered_provision(&self) -> bool {
        matches!(self, Self::Section(_) | Self::Article(_))
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preamble => f.write_str("preamble"),
            Self::Section(n) => write!(f, "s{n}"),
            Self::Article(n) => write!(f, "a{n}"),
            Self::Schedule(n) => write!(f, "sch{n}"),
        }
    }
}

impl FromStr for Unit {
    type Err = IdError;

    fn from_str(s: &str) -> Result<Self, IdError> {
        if s == "preamble" {
            Ok(Self::Preamble)
        } else if let Some(n) = s.strip_prefix("sch") {
            Ok(Self::Schedule(n.parse()?))
        } else if let Some(n) = s.strip_prefix('s') {
            Ok(Self::Section(n.parse()?))
        } else if let Some(n) = s.strip_prefix('a') {
            Ok(Self::Article(n.parse()?))
        } else {
            Err(err(s, "provision id", "a unit is `s302`, `a21A`, `sch7` or `preamble`"))
        }
    }
}

/// Which text of a work: the date from which it was in force, and the language (BCP 47).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EditionTag {
    /// First day on which this version was in force.
    pub version: Date,
    /// BCP 47 tag in lower case.
    pub language: String,
}

impl fmt::Display for EditionTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.version, self.language)
    }
}

/// The name of a provision, or of a place inside it.
///
/// ```
/// use nyaya_corpora::ProvisionId;
///
/// let id: ProvisionId = "cn/criminal-law#a133-1.p1.i2".parse()?;
/// assert_eq!(id.to_string(), "cn/criminal-law#a133-1.p1.i2");
/// assert_eq!(id.provision().to_string(), "cn/criminal-law#a133-1");
/// assert!("in/ipc#".parse::<ProvisionId>().is_err());
/// # Ok::<(), nyaya_corpora::IdError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProvisionId {
    /// The statute.
    pub work: WorkId,
    /// The edition; most names leave it to the date that governs.
    pub edition: Option<EditionTag>,
    /// The section, article or schedule.
    pub unit: Unit,
    /// Pinpoints from the outside in: `["1", "a"]` for (1)(a), `["exc1"]`, `["p1", "i2"]`.
    pub pins: Vec<String>,
}

impl ProvisionId {
    /// The name of a whole provision, of whatever edition.
    #[must_use]
    pub fn new(work: WorkId, unit: Unit) -> Self {
        Self { work, edition: None, unit, pins: Vec::new() }
    }

    /// The same name with these pinpoints.
    #[must_use]
    pub fn with_pins<I, S>(mut self, pins: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<String>,
    {
        self.pins = pins.into_iter().map(Into::into).collect();
        self
    }

    /// The whole provision this name lies in, without edition: what look-ups and counts use.
    #[must_use]
    pub fn provision(&self) -> Self {
        Self::new(self.work.clone(), self.unit.clone())
    }
}

impl fmt::Display for ProvisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.work.fmt(f)?;
        if let Some(edition) = &self.edition {
            write!(f, "@{edition}")?;
        }
        write!(f, "#{}", self.unit)?;
        for pin in &self.pins {
            write!(f, ".{pin}")?;
        }
        Ok(())
    }
}

impl FromStr for ProvisionId {
    type Err = IdError;

    fn from_str(s: &str) -> Result<Self, IdError> {
        let what = "provision id";
        let (head, tail) =
            s.split_once('#').ok_or_else(|| err(s, what, "expected `work#unit`, such as `in/ipc#s302`"))?;
        let (work, edition) = match head.split_once('@') {
            None => (head, None),
            Some((work, tag)) => {
                let (version, language) = tag
                    .split_once(':')
                    .ok_or_else(|| err(s, what, "an edition is `@YYYY-MM-DD:language`"))?;
                let version: Date =
                    version.parse().map_err(|_| err(s, what, "the edition's date is not YYYY-MM-DD"))?;
                let ok = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
                if language.is_empty() || !language.bytes().all(ok) {
                    return Err(err(s, what, "the edition's language is a BCP 47 tag"));
                }
                (work, Some(EditionTag { version, language: language.to_owned() }))
            }
        };
        let work = work.parse()?;
        let mut parts = tail.split('.');
        let unit = parts.next().unwrap_or_default().parse()?;
        let mut pins = Vec::new();
        for pin in parts {
            if pin.is_empty() || !pin.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
                return Err(err(s, what, "a pinpoint has letters, digits and hyphens only"));
            }
            pins.push(pin.to_owned());
        }
        Ok(Self { work, edition, unit, pins })
    }
}

macro_rules! serde_as_string {
    ($($t:ty),*) => {$(
        impl Serialize for $t {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $t {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}
serde_as_string!(WorkId, Unit, ProvisionId);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn jurisdictions_are_read_as_people_write_them() {
        for code in ["in", "IN", " In "] {
            assert_eq!(jurisdiction(code).unwrap(), "in");
        }
        for wrong in ["", "i", "ind", "中国", "1n"] {
            assert!(jurisdiction(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_of_the_design_round_trip() {
        for name in [
            "in/ipc#s302",
            "in/ipc#s376AB",
            "in/constitution#a19.1.a",
            "cn/criminal-law#a133-1",
            "cn/criminal-law#a133-1.p1.i2",
            "in/ipc#s300.exc1",
            "in/ipc#s299.ill-a",
            "in/ipc#s300.third",
            "in/constitution#sch7.list2.e1",
            "in/constitution#preamble",
            "in/ipc@2018-04-21:en#s302",
        ] {
            assert_eq!(name.parse::<ProvisionId>().map(|id| id.to_string()).as_deref(), Ok(name));
        }
    }

    #[test]
    fn what_is_not_a_name_is_refused() {
        for name in [
            "",
            "in/ipc",
            "ipc#s302",
            "in/ipc#302",
            "in/ipc#s",
            "in/ipc#s030",
            "in/ipc#s302..a",
            "in/ipc#s302a",
            "IN/ipc#s1",
            "in/ipc@2018#s1",
            "in/ipc#s4294967296",
        ] {
            assert!(name.parse::<ProvisionId>().is_err(), "{name}");
        }
    }

    #[test]
    fn lettered_numbers_sort_as_in_a_code() {
        let read = |s: &str| s.parse::<Number>().unwrap();
        let sorted = ["375", "376", "376A", "376AB", "376B", "376DA", "376DB", "376E", "377"];
        for pair in sorted.windows(2) {
            assert!(read(pair[0]) < read(pair[1]), "{pair:?}");
        }
        assert!(read("133") < read("133-1") && read("133-2") < read("134"));
    }

    proptest! {
        #[test]
        fn parse_is_the_inverse_of_format(base in 1u32..100_000, letters in "[A-Z]{0,3}", sub in proptest::option::of(1u32..40),
                                          pins in proptest::collection::vec("[a-z0-9]{1,4}(-[a-z0-9]{1,2})?", 0..4), which in 0..3) {
            let number = Number { base, letters, sub };
            let unit = match which { 0 => Unit::Section(number), 1 => Unit::Article(number), _ => Unit::Schedule(number) };
            let id = ProvisionId::new("xx/some-act".parse().unwrap(), unit).with_pins(pins);
            prop_assert_eq!(id.to_string().parse::<ProvisionId>().unwrap(), id);
        }
    }
}
