//! Whether a structured source is fit for use, and everything that is odd about it.

use std::collections::{BTreeMap, HashSet};

use jiff::civil::Date;
use nyaya_corpora::manifest::{Grammar, Manifest, Source, expand};
use nyaya_corpora::{Diagnostic, Number, Provision, ProvisionId, Severity, Status, Unit};

use crate::structure::Structured;

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
    checks.stops(&structured.provisions);
    checks.unassigned(structured);
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
            }
        }
        let (mut private, mut lost, mut control, mut foreign) = (0, 0, 0, 0);
        for c in provision.text.chars() {
            match c {
                '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFD}' => private += 1,
                '\u{FFFD}' => lost += 1,
                '\n' => {}
                c if c.is_control() => control += 1,
                // Fonts without a Unicode map come out as accented Latin letters and signs.
                '\u{00A1}'..='\u{00FF}' | '\u{0152}' | '\u{0153}' | '\u{0178}' | '\u{0192}' | '\u{02C6}'
                    if !matches!(c, '§' | '°' | '·' | '¼' | '½' | '¾' | '£' | '×' | '«' | '»' | '´') =>
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

    /// Text that ends in the middle of a sentence has been cut.
    fn stops(&mut self, provisions: &[Provision]) {
        let ends = [
            '.', ';', ':', '—', '–', '-', '”', '"', '’', '\'', ')', ']', '*', '。', '；', '：', '》', '）',
            '!', '?', '…', ',',
        ];
        let cut: Vec<&Provision> = provisions
            .iter()
            .filter(|p| {
                p.id.unit.is_numbered_provision()
                    && p.status == Status::InForce
                    && !p.text.is_empty()
                    && !p.text.trim_end().ends_with(ends)
            })
            .collect();
        if cut.is_empty() {
            return;
        }
        let share = cut.len() * 100 / provisions.len().max(1);
        let severity = if share >= 3 { Severity::Warning } else { Severity::Info };
        let names: Vec<String> = cut.iter().take(12).map(|p| p.id.unit.to_string()).collect();
        let more = if cut.len() > names.len() { " …" } else { "" };
        self.out.push(Diagnostic::new(
            severity,
            "no_stop",
            format!("{} provisions end without a stop, perhaps cut: {}{more}", cut.len(), names.join(", ")),
        ));
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
