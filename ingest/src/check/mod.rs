//! Whether a structured source is fit for use, and everything that is odd about it.

use std::collections::{BTreeMap, HashSet};

use jiff::civil::Date;
use nyaya_corpora::manifest::{Grammar, Manifest, Source, expand};
use nyaya_corpora::{Diagnostic, Number, Provision, ProvisionId, Severity, Status, Unit};

use crate::compare::{Change, Comparison, Row};
use crate::structure::Structured;

mod words;

/// The outcome of the checks.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// All findings, the reader's and the structure's included, the worst first.
    pub diagnostics: Vec<Diagnostic>,
    /// No finding is an error.
    pub fit: bool,
    /// Expected units that were not found.
    pub missing: Vec<Unit>,
    /// Units found that were not expected.
    pub extra: Vec<Unit>,
    /// Units found more than once.
    pub duplicates: Vec<Unit>,
    /// Number of units expected; 0 if neither the manifest nor the document says.
    pub expected: usize,
}

/// Shares of unassigned text above which a source is odd, and unfit.
const UNASSIGNED: (f64, f64) = (0.05, 0.25);

/// Share of the expected provisions that may be absent or known to be spoiled; a source that lacks more is refused
/// even where that is known.
const INCOMPLETE: f64 = 0.2;

/// Shares of provisions that end without a stop above which a source is odd, and cut short. Beyond the last one it is
/// the style of the source.
const CUT: (f64, f64, f64) = (0.02, 0.06, 0.6);

/// Letters of a section above which it is odd.
const LONG: usize = 30_000;

/// Checks a structured source against what the manifest expects of this version, and against itself.
#[must_use]
pub fn check(
    structured: &Structured,
    manifest: &Manifest,
    version: Option<Date>,
    source: Option<&Source>,
) -> Report {
    let mut checks =
        Checks { manifest, source, known: known(manifest, source), out: structured.diagnostics.clone() };
    let mut report = Report::default();
    let found: HashSet<&Unit> = structured.provisions.iter().map(|p| &p.id.unit).collect();

    let mut counts: BTreeMap<&Unit, usize> = BTreeMap::new();
    for provision in &structured.provisions {
        *counts.entry(&provision.id.unit).or_default() += 1;
    }
    for (unit, n) in counts.into_iter().filter(|(_, n)| *n > 1) {
        report.duplicates.push(unit.clone());
        checks.at(unit, Severity::Error, "duplicate", format!("stands {n} times in the source"));
    }

    let version = version.and_then(|v| manifest.version(v));
    let listed: Vec<Unit> = structured.contents.iter().map(|c| c.0.clone()).collect();
    let wanted = version.map_or_else(Vec::new, |v| v.expected_units(manifest.unit));
    let expected = if wanted.is_empty() { listed.clone() } else { wanted.clone() };
    report.expected = expected.len();
    let expected_set: HashSet<&Unit> = expected.iter().collect();
    for unit in expected.iter().filter(|u| !found.contains(u)) {
        report.missing.push(unit.clone());
        let code = if wanted.is_empty() { "contents_mismatch" } else { "missing" };
        checks.missing(unit, code);
    }
    if let Some(version) = version {
        for unit in version.expected_schedules().iter().filter(|u| !found.contains(u)) {
            report.missing.push(unit.clone());
            checks.at(unit, Severity::Warning, "missing", "the schedule is not in this source");
        }
    }
    if !expected_set.is_empty() {
        for provision in &structured.provisions {
            let unit = &provision.id.unit;
            if unit.is_numbered_provision() && !expected_set.contains(unit) && !report.extra.contains(unit) {
                report.extra.push(unit.clone());
                checks.at(unit, Severity::Warning, "extra", "is not expected in this version");
            }
        }
    }
    checks.contents(&listed, &found, &wanted);
    if expected.is_empty() {
        checks.continuity(&structured.provisions);
    }
    for provision in &structured.provisions {
        checks.provision(provision);
    }
    checks.sequence(&structured.provisions);
    checks.cut_short(&structured.provisions);
    checks.commentary(&structured.provisions);
    checks.language(&structured.provisions);
    checks.headings(&structured.provisions, &structured.contents);
    checks.unassigned(structured);
    if let Some(version) = version
        && !version.expected.is_empty()
    {
        let gone = report.missing.iter().filter(|u| u.is_numbered_provision()).count();
        if gone as f64 > INCOMPLETE * report.expected as f64 {
            checks.out.push(Diagnostic::new(
                Severity::Error,
                "incomplete",
                format!(
                    "{gone} of the {} provisions of this version are missing from this source or spoiled in it",
                    report.expected
                ),
            ));
        }
    }
    if !structured.provisions.iter().any(|p| p.id.unit.is_numbered_provision()) {
        checks.out.push(Diagnostic::new(
            Severity::Error,
            "no_provisions",
            format!(
                "no {} was found in the source",
                if manifest.unit == nyaya_corpora::UnitName::Article { "article" } else { "section" }
            ),
        ));
    }
    let mut diagnostics = checks.out;
    diagnostics.sort_by_key(|d| std::cmp::Reverse(d.severity));
    report.fit = diagnostics.iter().all(|d| d.severity != Severity::Error);
    report.diagnostics = diagnostics;
    report
}

/// What another source of the same text says about this one: `theirs` first in the comparison, this one second.
///
/// Findings are added to the report, which may become unfit by them.
pub fn against(report: &mut Report, comparison: &Comparison, other: &str) {
    let mut add = |severity: Severity, code: &str, what: &str, rows: Vec<&Row>| {
        if rows.is_empty() {
            return;
        }
        let names: Vec<String> = rows.iter().take(12).map(|r| r.unit.to_string()).collect();
        let more = if rows.len() > names.len() { " …" } else { "" };
        let said = format!("{} {what} {other}: {}{more}", rows.len(), names.join(", "));
        report.diagnostics.push(Diagnostic::new(severity, code, said));
    };
    let numbered = |r: &&Row| r.unit.is_numbered_provision();
    let all = comparison.rows.iter().filter(numbered).count().max(1);
    let cut: Vec<&Row> =
        comparison.rows.iter().filter(numbered).filter(|r| Comparison::cut_short(r)).collect();
    let other_words: Vec<&Row> = comparison
        .of(Change::Changed)
        .filter(numbered)
        .filter(|r| r.similarity < 0.6 && !Comparison::cut_short(r))
        .collect();
    let lacking: Vec<&Row> = comparison.of(Change::Removed).filter(numbered).collect();
    let severity = |n: usize| if n * 20 > all { Severity::Error } else { Severity::Warning };
    add(severity(cut.len()), "cut_short", "provisions lack a tenth or more of the words in", cut.clone());
    add(
        severity(other_words.len()),
        "other_words",
        "provisions say something else than in",
        other_words.clone(),
    );
    add(severity(lacking.len()), "lacking", "provisions are not here that are in", lacking.clone());
    add(
        Severity::Info,
        "additional",
        "provisions are here that are not in",
        comparison.of(Change::Added).filter(numbered).collect(),
    );
    report.diagnostics.sort_by_key(|d| std::cmp::Reverse(d.severity));
    report.fit = report.diagnostics.iter().all(|d| d.severity != Severity::Error);
}

/// The units that the source is known to lack or to spoil.
pub(crate) fn known(manifest: &Manifest, source: Option<&Source>) -> HashSet<Unit> {
    source
        .and_then(|s| expand("", &s.missing).ok())
        .unwrap_or_default()
        .into_iter()
        .map(|n: Number| manifest.unit.unit(n))
        .collect()
}

struct Checks<'a> {
    manifest: &'a Manifest,
    source: Option<&'a Source>,
    known: HashSet<Unit>,
    out: Vec<Diagnostic>,
}

impl Checks<'_> {
    fn at(&mut self, unit: &Unit, severity: Severity, code: &str, what: impl std::fmt::Display) {
        let id = ProvisionId::new(self.manifest.id.clone(), unit.clone());
        let mut finding = Diagnostic::new(severity, code, format!("{id}: {what}"));
        finding.id = Some(id);
        self.out.push(finding);
    }

    fn missing(&mut self, unit: &Unit, code: &str) {
        if self.known.contains(unit) {
            self.at(
                unit,
                Severity::Info,
                "known_missing",
                "this source is known to lack it or to have something else in its place",
            );
        } else if self.source.is_some_and(|s| !s.complete) {
            self.at(unit, Severity::Warning, code, "is expected and not in this source, which is incomplete");
        } else {
            self.at(unit, Severity::Error, code, "is expected and was not found");
        }
    }

    /// The document's own table against its body.
    fn contents(&mut self, listed: &[Unit], found: &HashSet<&Unit>, wanted: &[Unit]) {
        if listed.is_empty() {
            return;
        }
        let table: HashSet<&Unit> = listed.iter().collect();
        if !wanted.is_empty() {
            for unit in listed.iter().filter(|u| !found.contains(u)) {
                self.at(
                    unit,
                    Severity::Error,
                    "contents_mismatch",
                    "stands in the contents table, not in the body",
                );
            }
        }
        let mut absent: Vec<&Unit> =
            found.iter().filter(|u| u.is_numbered_provision() && !table.contains(**u)).copied().collect();
        absent.sort();
        for unit in absent {
            self.at(
                unit,
                Severity::Info,
                "contents_mismatch",
                "stands in the body, not in the contents table",
            );
        }
    }

    /// Without any list the numbers themselves must be without gaps.
    fn continuity(&mut self, provisions: &[Provision]) {
        let mut bases: Vec<u32> = provisions
            .iter()
            .filter(|p| p.id.unit.is_numbered_provision())
            .filter_map(|p| p.id.unit.number().map(|n| n.base))
            .collect();
        bases.sort_unstable();
        bases.dedup();
        let mut last = 0;
        for base in bases {
            if base > last + 1 {
                let (from, to) = (last + 1, base - 1);
                let what = if from == to {
                    format!("number {from} is missing")
                } else {
                    format!("numbers {from} to {to} are missing")
                };
                self.out.push(Diagnostic::new(Severity::Warning, "gap", what));
            }
            last = base;
        }
    }

    fn provision(&mut self, provision: &Provision) {
        let unit = &provision.id.unit;
        let letters = provision.text.chars().filter(|c| c.is_alphanumeric()).count();
        let chinese = self.manifest.grammar == Grammar::ChineseCode;
        if provision.status == Status::InForce {
            let least = if chinese { 5 } else { 12 };
            if letters == 0 {
                let severity = if self.known.contains(unit) { Severity::Info } else { Severity::Error };
                self.at(unit, severity, "empty", "has no text");
            } else if letters < least {
                self.at(unit, Severity::Warning, "short", format!("has {letters} letters only"));
            } else if letters > LONG && unit.is_numbered_provision() {
                self.at(
                    unit,
                    Severity::Warning,
                    "long",
                    format!("has {letters} letters: perhaps others were read into it"),
                );
            }
        }
        let (mut private, mut lost, mut control, mut foreign) = (0, 0, 0, 0);
        // Where accented letters are letters of the language, they are no noise.
        let accents = words::is_accented(&self.manifest.language);
        for c in provision.text.chars() {
            match c {
                '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFD}' => private += 1,
                '\u{FFFD}' => lost += 1,
                '\n' => {}
                c if c.is_control() => control += 1,
                // Fonts without a Unicode map come out as accented Latin letters and signs.
                '\u{00A1}'..='\u{00FF}' | '\u{0152}' | '\u{0153}' | '\u{0178}' | '\u{0192}' | '\u{02C6}'
                    if !(matches!(c, '§' | '°' | '·' | '¼' | '½' | '¾' | '£' | '×' | '«' | '»' | '´')
                        || accents && c.is_alphabetic()) =>
                {
                    foreign += 1
                }
                _ => {}
            }
        }
        for (n, what, severity) in [
            (lost, "U+FFFD: text was lost in a conversion", Severity::Error),
            // A stray sign is said and the text kept; a text in letters of the font's own is not readable.
            (
                private,
                "private-use characters: the font has letters of its own",
                if private * 50 > letters.max(1) { Severity::Error } else { Severity::Warning },
            ),
            (control, "control characters", Severity::Warning),
        ] {
            if n > 0 {
                self.at(unit, severity, "characters", format!("{n} × {what}"));
            }
        }
        if foreign * 50 > letters.max(1) && foreign > 2 {
            self.at(
                unit,
                Severity::Warning,
                "legacy_font",
                format!("{foreign} accented letters or signs: noise of a legacy font"),
            );
        }
    }

    /// Gaps among lettered and 之 numbers: 376A, 376C; 第一百二十条之一, 之三.
    fn sequence(&mut self, provisions: &[Provision]) {
        let omitted: HashSet<&Number> = provisions.iter().filter_map(|p| p.id.unit.number()).collect();
        let mut gaps = Vec::new();
        for provision in provisions.iter().filter(|p| p.id.unit.is_numbered_provision()) {
            let Some(number) = provision.id.unit.number() else { continue };
            if let Some(sub) = number.sub.filter(|s| *s > 1) {
                let before = Number::with_sub(number.base, sub - 1);
                // の二 is the first after its article; and 4-101 counts in another way where there is no 4.
                let first = sub == 2 && self.manifest.language.starts_with("ja");
                let counted = omitted.contains(&Number::plain(number.base));
                if !omitted.contains(&before) && !first && counted {
                    gaps.push(before);
                }
            }
            if let [letter @ b'B'..=b'Z'] = number.letters.as_bytes() {
                let before = Number::lettered(number.base, &char::from(letter - 1).to_string());
                if !omitted.contains(&before) {
                    gaps.push(before);
                }
            }
        }
        if !gaps.is_empty() {
            let names: Vec<String> = gaps.iter().take(12).map(ToString::to_string).collect();
            self.out.push(Diagnostic::new(
                Severity::Info,
                "gap",
                format!("numbers that their followers suggest are not there: {}", names.join(", ")),
            ));
        }
    }

    /// Text that ends in the middle of a sentence, or promises what does not follow, has been cut.
    fn cut_short(&mut self, provisions: &[Provision]) {
        let all = provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).count().max(1);
        let mut units: Vec<&Unit> = words::cut(provisions).into_iter().map(|p| &p.id.unit).collect();
        let without_stop = units.len();
        if without_stop as f64 > CUT.2 * all as f64 {
            // The source leaves stops out.
            units.clear();
        }
        units.extend(words::unfulfilled(provisions));
        units.sort();
        units.dedup();
        if units.is_empty() {
            return;
        }
        let share = units.len() as f64 / all as f64;
        let severity = if share >= CUT.1 && units.len() >= 5 {
            Severity::Error
        } else if share >= CUT.0 && units.len() >= 2 {
            Severity::Warning
        } else {
            Severity::Info
        };
        let what = format!(
            "{} provisions end in the middle of a sentence or before what they announce, perhaps cut",
            units.len()
        );
        self.list(severity, "cut_short", &what, units.into_iter());
    }

    fn commentary(&mut self, provisions: &[Provision]) {
        let all = provisions.len().max(1);
        let found = words::commentary(provisions);
        if !found.is_empty() {
            let severity =
                if found.len() * 50 >= all && found.len() > 2 { Severity::Error } else { Severity::Info };
            let what =
                format!("{} provisions hold words that explain the law instead of giving it", found.len());
            self.list(severity, "commentary", &what, found.into_iter());
        }
        if let Some((line, n)) = words::frames(provisions).into_iter().next() {
            self.out.push(Diagnostic::new(
                Severity::Error,
                "commentary",
                format!("{n} provisions hold the line “{line}” but for a number: the frame of a page about the law"),
            ));
        }
        let twins = words::twins(provisions);
        if !twins.is_empty() {
            let severity = if twins.len() * 20 >= all { Severity::Error } else { Severity::Warning };
            let names: Vec<String> = twins.iter().take(8).map(|(a, b)| format!("{a} and {b}")).collect();
            self.out.push(Diagnostic::new(
                severity,
                "same_text",
                format!("{} provisions have the text of another one: {}", twins.len(), names.join(", ")),
            ));
        }
    }

    fn language(&mut self, provisions: &[Provision]) {
        let language = &self.manifest.language;
        let (mut all, mut foreign) = (0, 0);
        let mut odd: Vec<&Unit> = Vec::new();
        for provision in provisions {
            let (letters, other) = words::foreign(&provision.text, language);
            all += letters;
            foreign += other;
            if other * 5 > letters && other > 20 {
                odd.push(&provision.id.unit);
            }
        }
        if foreign * 2 > all && all > 200 {
            self.out.push(Diagnostic::new(
                Severity::Error,
                "language",
                format!(
                    "{} of 100 letters are not of the language `{language}` that the manifest names",
                    foreign * 100 / all
                ),
            ));
        } else if !odd.is_empty() {
            let what = format!(
                "{} provisions have more than a fifth of their letters in another script than `{language}`",
                odd.len()
            );
            self.list(Severity::Warning, "language", &what, odd.into_iter());
        }
        if language.starts_with("zh") && !language.contains("Hant") {
            for (c, n, unit) in words::rare_han(provisions) {
                let known = crate::compare::CONFUSED.iter().find(|p| p.0 == c);
                let finding = match known {
                    Some((_, right)) => (
                        Severity::Warning,
                        "reader_defect",
                        format!(
                            "{c} stands {n} times where the law has {right}: the file's font maps this letter wrongly; the text is left as it is"
                        ),
                    ),
                    None => (
                        Severity::Info,
                        "rare_character",
                        format!(
                            "{c} stands {n} times and is not among the letters of GB 2312: perhaps a font's mistake"
                        ),
                    ),
                };
                self.at(unit, finding.0, finding.1, finding.2);
            }
        }
    }

    /// Headings of the contents table against those of the body.
    fn headings(&mut self, provisions: &[Provision], contents: &[(Unit, Option<String>)]) {
        let listed: BTreeMap<&Unit, &String> =
            contents.iter().filter_map(|(u, h)| Some((u, h.as_ref()?))).collect();
        let mut differ: Vec<&Unit> = Vec::new();
        for provision in provisions.iter().filter(|p| p.status == Status::InForce) {
            let (Some(listed), Some(own)) = (listed.get(&provision.id.unit), &provision.heading) else {
                continue;
            };
            let (a, b) = (crate::structure::essence(listed), crate::structure::essence(own));
            if !a.is_empty() && !b.is_empty() && !a.starts_with(&b) && !b.starts_with(&a) {
                differ.push(&provision.id.unit);
            }
        }
        if !differ.is_empty() {
            let what = format!("{} headings are worded otherwise in the contents table", differ.len());
            self.list(Severity::Info, "contents_heading", &what, differ.into_iter());
        }
    }

    fn list<'u>(
        &mut self,
        severity: Severity,
        code: &str,
        what: &str,
        units: impl Iterator<Item = &'u Unit>,
    ) {
        const SHOWN: usize = 12;
        let mut names: Vec<String> = units.map(ToString::to_string).collect();
        let more = if names.len() > SHOWN { " …" } else { "" };
        names.truncate(SHOWN);
        self.out.push(Diagnostic::new(severity, code, format!("{what}: {}{more}", names.join(", "))));
    }

    fn unassigned(&mut self, structured: &Structured) {
        let share = structured.unassigned_share;
        let severity = if share > UNASSIGNED.1 {
            Severity::Error
        } else if share > UNASSIGNED.0 {
            Severity::Warning
        } else if share > 0.0 {
            Severity::Info
        } else {
            return;
        };
        let mut pages = structured.unassigned.clone();
        pages.sort_by_key(|p| std::cmp::Reverse(p.1));
        let list: Vec<String> = pages
            .iter()
            .take(5)
            .map(|(page, letters, words)| {
                let words: String = words.chars().take(40).collect();
                if *page == 0 {
                    format!("{letters} letters from “{words}”")
                } else {
                    format!("page {page}: {letters} letters from “{words}”")
                }
            })
            .collect();
        let mut message = format!("{:.1} % of the letters of the source are in no provision", share * 100.0);
        if !list.is_empty() {
            message.push_str(&format!(": {}", list.join("; ")));
        }
        self.out.push(Diagnostic::new(severity, "unassigned", message));
    }
}
