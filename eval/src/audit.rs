//! Which provisions each agent relied on: found, cited, quoted, and what looking the citations up gave.

use std::collections::{BTreeMap, BTreeSet};

use comfy_table::{ContentArrangement, Table, TableComponent, presets};
use nyaya_agents::event::{Body, CheckedCitation};
use nyaya_corpora::citation::Verdict;
use nyaya_corpora::{Catalogue, ProvisionId};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::transcript::{Run, Trial};

/// All verdicts, in the order in which tables show them.
pub const VERDICTS: [Verdict; 9] = [
    Verdict::Verified,
    Verdict::Repealed,
    Verdict::NotYetInForce,
    Verdict::NotFound,
    Verdict::PinpointNotFound,
    Verdict::Misquoted,
    Verdict::WrongNumber,
    Verdict::Misgrounded,
    Verdict::Unchecked,
];

/// The verdict's name, as in JSON: `verified`, `not_found`, …
#[must_use]
pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Repealed => "repealed",
        Verdict::NotYetInForce => "not_yet_in_force",
        Verdict::NotFound => "not_found",
        Verdict::PinpointNotFound => "pinpoint_not_found",
        Verdict::Unchecked => "unchecked",
        Verdict::Misquoted => "misquoted",
        Verdict::WrongNumber => "wrong_number",
        Verdict::Misgrounded => "misgrounded",
    }
}

/// A mark that tells the verdicts apart without colour: looked up and good, looked up and bad, not looked up.
#[must_use]
pub fn verdict_mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "✓",
        Verdict::Repealed | Verdict::NotYetInForce => "!",
        Verdict::Unchecked => "?",
        _ => "✗",
    }
}

/// One time that a search of the agent's found the provision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Retrieval {
    /// The words that were searched for.
    pub query: String,
    /// Rank of the provision, from 1.
    pub rank: usize,
    /// The query named the provision.
    pub exact: bool,
    /// Where in the protocol.
    pub step: String,
    /// Number of the event.
    pub seq: u64,
}

/// What one agent did with one provision in one trial.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Folder of the trial.
    pub trial: String,
    /// Role of the agent.
    pub role: String,
    /// The agent.
    pub agent: String,
    /// The provision, without edition and pinpoints; absent if the citation could not be resolved.
    pub id: Option<String>,
    /// Title of the statute, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Heading of the provision, where a search gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// Best rank among the agent's own searches, from 1.
    pub best_rank: Option<usize>,
    /// The agent's searches that found it, in order.
    pub retrieved: Vec<Retrieval>,
    /// Other agents of the trial whose searches found it; their words may have carried it here.
    pub retrieved_by_others: Vec<String>,
    /// Citations in the structured list of a statement.
    pub cited_in_field: usize,
    /// Citations in the words of a statement.
    pub cited_in_text: usize,
    /// Ballots that name it as a lesser offence.
    pub cited_in_finding: usize,
    /// The citations as written, each once.
    pub raw: Vec<String>,
    /// Places inside the provision that were named, each once.
    pub pinpoints: Vec<String>,
    /// Words of the provision that stand beside a citation, each once.
    pub quoted: Vec<String>,
    /// How many citations have which verdict; verdicts without any are absent.
    pub verdicts: BTreeMap<&'static str, usize>,
    /// For `repealed`: what took its place.
    pub successor: Vec<String>,
    /// For `not_found`: the numbers the work has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// Reasons of the verdicts, each once.
    pub reasons: Vec<String>,
    /// A court's finding on the provision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub struck_down: Option<String>,
    /// Cited, and found by none of the agent's own searches.
    pub not_retrieved_by_itself: bool,
    /// Found, and never cited by the agent.
    pub retrieved_not_cited: bool,
}

impl Row {
    /// Citations of all kinds.
    #[must_use]
    pub fn cited(&self) -> usize {
        self.cited_in_field + self.cited_in_text + self.cited_in_finding
    }
}

/// The audit of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Audit {
    /// By trial; inside it by agent in order of first appearance, cited provisions before those only found.
    pub rows: Vec<Row>,
}

/// Rows are joined on the provision; a citation that is no provision stands on its own words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Provision(ProvisionId),
    Raw(String),
}

fn push_new(list: &mut Vec<String>, item: &str) {
    if !item.is_empty() && !list.iter().any(|have| have == item) {
        list.push(item.to_owned());
    }
}

impl Audit {
    /// Audits all trials of a run, unfinished ones included: what they recorded is real.
    #[must_use]
    pub fn of(run: &Run, catalogue: &Catalogue) -> Self {
        Self { rows: run.trials.iter().flat_map(|trial| Self::of_trial(trial, catalogue).rows).collect() }
    }

    /// Audits one trial.
    #[must_use]
    pub fn of_trial(trial: &Trial, catalogue: &Catalogue) -> Self {
        let mut agents: Vec<(String, String)> = Vec::new();
        let mut rows: BTreeMap<(usize, Key), Row> = BTreeMap::new();
        let mut found_by: BTreeMap<ProvisionId, BTreeSet<String>> = BTreeMap::new();
        for event in &trial.events {
            // Agents stand in the order in which they first look something up or speak.
            if !matches!(event.body, Body::Retrieved { .. }) && event.body.statement().is_none() {
                continue;
            }
            let actor = (event.actor.role.clone(), event.actor.agent.clone());
            let agent = agents.iter().position(|a| *a == actor).unwrap_or_else(|| {
                agents.push(actor);
                agents.len() - 1
            });
            let fresh = |id: Option<&ProvisionId>| {
                empty_row(trial, &event.actor.role, &event.actor.agent, id, catalogue)
            };
            match (&event.body, event.body.statement()) {
                (Body::Retrieved { query, hits, .. }, _) => {
                    for hit in hits {
                        let id = hit.id.provision();
                        found_by.entry(id.clone()).or_default().insert(event.actor.agent.clone());
                        let row = rows
                            .entry((agent, Key::Provision(id.clone())))
                            .or_insert_with(|| fresh(Some(&id)));
                        row.best_rank = Some(row.best_rank.map_or(hit.rank, |best| best.min(hit.rank)));
                        row.heading = row.heading.take().or_else(|| hit.heading.clone());
                        if row.title.is_none() && !hit.title.is_empty() {
                            row.title = Some(hit.title.clone());
                        }
                        row.retrieved.push(Retrieval {
                            query: query.text.clone(),
                            rank: hit.rank,
                            exact: hit.exact,
                            step: event.step.clone(),
                            seq: event.seq,
                        });
                    }
                }
                (_, Some(statement)) => {
                    for citation in &statement.citations {
                        let id = citation.citation.id.as_ref().map(ProvisionId::provision);
                        let key = match &id {
                            Some(id) => Key::Provision(id.clone()),
                            None => Key::Raw(citation.citation.raw.clone()),
                        };
                        let row = rows.entry((agent, key)).or_insert_with(|| fresh(id.as_ref()));
                        add_citation(row, citation);
                    }
                }
                _ => {}
            }
        }
        let mut rows: Vec<((usize, Key), Row)> = rows.into_iter().collect();
        for ((_, key), row) in &mut rows {
            if let Key::Provision(id) = key {
                row.retrieved_by_others =
                    found_by.get(id).into_iter().flatten().filter(|a| **a != row.agent).cloned().collect();
            }
            row.not_retrieved_by_itself = row.cited() > 0 && row.retrieved.is_empty();
            row.retrieved_not_cited = row.cited() == 0;
        }
        // Stable: inside an agent, what it cited comes first, each part in the order of the ids.
        rows.sort_by_key(|((agent, _), row)| (*agent, row.retrieved_not_cited));
        Self { rows: rows.into_iter().map(|(_, row)| row).collect() }
    }

    /// The rows as JSON: an array of objects, the provision under `id`.
    ///
    /// # Errors
    /// If a row cannot be written, which would be a fault of the program.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(self).map_err(|e| Error::render("audit as JSON", e))
    }

    /// The rows as CSV with a header; lists are joined by ` | `. A cell of free text that a spreadsheet would
    /// take for a formula gets an apostrophe before it.
    ///
    /// # Errors
    /// If a row cannot be written, which would be a fault of the program.
    pub fn to_csv(&self) -> Result<String> {
        let fail = |e: &dyn std::fmt::Display| Error::render("audit as CSV", e);
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(CSV_HEADER).map_err(|e| fail(&e))?;
        for row in &self.rows {
            let queries: Vec<String> =
                row.retrieved.iter().map(|r| format!("{} (rank {})", r.query, r.rank)).collect();
            let verdicts: Vec<String> = row.verdicts.iter().map(|(name, n)| format!("{name}={n}")).collect();
            let text = |list: &[String]| inert(list.join(" | "));
            out.write_record([
                inert(row.trial.clone()),
                inert(row.role.clone()),
                inert(row.agent.clone()),
                row.id.clone().unwrap_or_default(),
                inert(row.title.clone().unwrap_or_default()),
                inert(row.heading.clone().unwrap_or_default()),
                row.best_rank.map(|r| r.to_string()).unwrap_or_default(),
                row.retrieved.len().to_string(),
                text(&queries),
                text(&row.retrieved_by_others),
                row.cited_in_field.to_string(),
                row.cited_in_text.to_string(),
                row.cited_in_finding.to_string(),
                text(&row.raw),
                row.pinpoints.join(" | "),
                text(&row.quoted),
                verdicts.join(" | "),
                text(&row.successor),
                inert(row.range.clone().unwrap_or_default()),
                text(&row.reasons),
                inert(row.struck_down.clone().unwrap_or_default()),
                row.not_retrieved_by_itself.to_string(),
                row.retrieved_not_cited.to_string(),
            ])
            .map_err(|e| fail(&e))?;
        }
        let bytes = out.into_inner().map_err(|e| fail(&e))?;
        String::from_utf8(bytes).map_err(|e| fail(&e))
    }

    /// The rows as a table for people, `width` columns wide (the terminal's where `None`; unlimited where
    /// there is no terminal), one table a trial, then what the marks mean and how many citations were not
    /// checked.
    #[must_use]
    pub fn to_table(&self, width: Option<u16>) -> String {
        let mut out = String::new();
        let mut trials: Vec<&str> = self.rows.iter().map(|r| r.trial.as_str()).collect();
        trials.dedup();
        for trial in &trials {
            if trials.len() > 1 {
                out.push_str(&format!("{}\n", plain(trial)));
            }
            let mut table = table(width);
            table.set_header(["agent", "provision", "found", "cited", "verdict", "notes"]);
            let (mut agent, mut title) = ("", "");
            for row in self.rows.iter().filter(|r| r.trial == *trial) {
                let first = row.agent != agent;
                agent = &row.agent;
                // The statute is named where it changes; rows of an agent are in the order of their ids.
                let mut provision = row.provision_label();
                let statute = row.title.as_deref().unwrap_or_default();
                if !statute.is_empty() && (first || statute != title) {
                    provision = format!("{statute}\n{provision}");
                }
                title = statute;
                let quoted = row.quoted.iter().map(|q| format!("quotes “{q}”"));
                let notes: Vec<String> = row.notes().into_iter().chain(quoted).collect();
                table.add_row([
                    if first { plain(&row.agent) } else { String::new() },
                    provision.split('\n').map(plain).collect::<Vec<_>>().join("\n"),
                    row.found_label(),
                    row.cited_label(),
                    row.verdict_label(),
                    plain(&notes.join("; ")),
                ]);
            }
            out.push_str(&table.to_string());
            out.push('\n');
        }
        let count = |test: &dyn Fn(Verdict) -> bool| -> usize {
            self.rows
                .iter()
                .flat_map(|r| {
                    VERDICTS.iter().filter(|v| test(**v)).filter_map(|v| r.verdicts.get(verdict_name(*v)))
                })
                .sum()
        };
        let all = count(&|_| true);
        let unchecked = count(&|v| v == Verdict::Unchecked);
        let verified = count(&|v| v == Verdict::Verified);
        out.push_str(&format!(
            "{all} citations: {verified} verified, {} looked up with another result, {unchecked} not checked.\n\
             found: best rank ×searches   cited: in the list + in the words (+ in ballots)\n\
             ✓ looked up and in force   ! real, not law on the day   ✗ looked up and wrong   ? not looked up\n",
            all - verified - unchecked
        ));
        out
    }
}

const CSV_HEADER: [&str; 23] = [
    "trial",
    "role",
    "agent",
    "id",
    "title",
    "heading",
    "best_rank",
    "retrieved",
    "queries",
    "retrieved_by_others",
    "cited_in_field",
    "cited_in_text",
    "cited_in_finding",
    "raw",
    "pinpoints",
    "quoted",
    "verdicts",
    "successor",
    "range",
    "reasons",
    "struck_down",
    "not_retrieved_by_itself",
    "retrieved_not_cited",
];

impl Row {
    /// The id with the pinpoints that were named, or the words of a citation that is no provision.
    #[must_use]
    pub fn provision_label(&self) -> String {
        match &self.id {
            Some(id) if self.pinpoints.is_empty() => id.clone(),
            Some(id) => {
                format!(
                    "{id} ({})",
                    self.pinpoints.iter().map(|p| format!(".{p}")).collect::<Vec<_>>().join(", ")
                )
            }
            None => format!("“{}”", self.raw.join("”, “")),
        }
    }

    /// `#1 ×2`: best rank among the agent's own searches, and how many of them found it.
    #[must_use]
    pub fn found_label(&self) -> String {
        match (self.best_rank, self.retrieved.len()) {
            (Some(rank), 1) => format!("#{rank}"),
            (Some(rank), n) => format!("#{rank} ×{n}"),
            (None, _) => "–".to_owned(),
        }
    }

    /// `1+2`: citations in the list and in the words, and those in ballots where there are any.
    #[must_use]
    pub fn cited_label(&self) -> String {
        match (self.cited(), self.cited_in_finding) {
            (0, _) => "–".to_owned(),
            (_, 0) => format!("{}+{}", self.cited_in_field, self.cited_in_text),
            (_, n) => format!("{}+{}+{n}", self.cited_in_field, self.cited_in_text),
        }
    }

    /// `✓ verified ×2, ? unchecked`.
    #[must_use]
    pub fn verdict_label(&self) -> String {
        let parts: Vec<String> = VERDICTS
            .iter()
            .filter_map(|v| {
                let n = self.verdicts.get(verdict_name(*v))?;
                let times = if *n > 1 { format!(" ×{n}") } else { String::new() };
                Some(format!("{} {}{times}", verdict_mark(*v), verdict_name(*v).replace('_', " ")))
            })
            .collect();
        if parts.is_empty() { "–".to_owned() } else { parts.join("\n") }
    }

    /// What else a reader should know, a few words each.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.not_retrieved_by_itself {
            notes.push(if self.retrieved_by_others.is_empty() {
                "cited, never retrieved".to_owned()
            } else {
                format!("not retrieved by itself, but by {}", self.retrieved_by_others.join(", "))
            });
        }
        if self.retrieved_not_cited {
            notes.push("retrieved, never cited".to_owned());
        }
        if !self.successor.is_empty() {
            notes.push(format!("now {}", self.successor.join(", ")));
        }
        if let Some(range) = &self.range {
            notes.push(format!("the statute has {range}"));
        }
        if let Some(finding) = &self.struck_down {
            notes.push(format!("struck down: {finding}"));
        }
        // The reason of a verified citation says no more than the verdict.
        if self.verdicts.keys().any(|v| *v != "verified") {
            notes.extend(self.reasons.iter().cloned());
        }
        notes
    }
}

fn empty_row(trial: &Trial, role: &str, agent: &str, id: Option<&ProvisionId>, catalogue: &Catalogue) -> Row {
    let title = id.and_then(|id| catalogue.get(&id.work)).map(|m| m.native_title().to_owned());
    Row {
        trial: trial.name.clone(),
        role: role.to_owned(),
        agent: agent.to_owned(),
        id: id.map(ToString::to_string),
        title,
        heading: None,
        best_rank: None,
        retrieved: Vec::new(),
        retrieved_by_others: Vec::new(),
        cited_in_field: 0,
        cited_in_text: 0,
        cited_in_finding: 0,
        raw: Vec::new(),
        pinpoints: Vec::new(),
        quoted: Vec::new(),
        verdicts: BTreeMap::new(),
        successor: Vec::new(),
        range: None,
        reasons: Vec::new(),
        struck_down: None,
        not_retrieved_by_itself: false,
        retrieved_not_cited: false,
    }
}

fn add_citation(row: &mut Row, cited: &CheckedCitation) {
    let citation = &cited.citation;
    match cited.place.as_str() {
        "field" => row.cited_in_field += 1,
        "finding" => row.cited_in_finding += 1,
        _ => row.cited_in_text += 1,
    }
    *row.verdicts.entry(verdict_name(citation.verdict)).or_default() += 1;
    push_new(&mut row.raw, &citation.raw);
    push_new(&mut row.reasons, &citation.reason);
    if let Some(id) = &citation.id {
        push_new(&mut row.pinpoints, &id.pins.join("."));
    }
    if let Some(quoted) = &cited.quoted {
        push_new(&mut row.quoted, quoted);
    }
    for successor in &citation.successor {
        push_new(&mut row.successor, successor);
    }
    row.range = row.range.take().or_else(|| citation.range.clone());
    if let Some(finding) = &citation.struck_down {
        row.struck_down.get_or_insert_with(|| format!("{} ({})", finding.source, finding.date));
    }
}

/// A table in the style of all tables of this crate.
pub(crate) fn table(width: Option<u16>) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    for line in [
        TableComponent::HorizontalLines,
        TableComponent::LeftBorderIntersections,
        TableComponent::MiddleIntersections,
        TableComponent::RightBorderIntersections,
    ] {
        table.remove_style(line);
    }
    if let Some(width) = width {
        table.set_width(width);
    }
    table
}

/// Words of a model or a file for a terminal: control characters could move the cursor or colour what follows.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn inert(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use jiff::civil::date;
    use nyaya_corpora::StruckDown;

    fn trial() -> Trial {
        let text = "Under s. 7(1) of the Orchard Act, and section 90, and the old s. 4, and Rule Nine.";
        let mut quoted = cited(text, "s. 7(1)", Some("xx/orchard#s7.1"), Verdict::Verified);
        quoted.quoted = Some("takes fruit from a tree".to_owned());
        quoted.citation.struck_down =
            Some(StruckDown { date: date(2018, 9, 6), source: "A v. B".to_owned(), note: String::new() });
        let mut absent = cited(text, "section 90", Some("xx/orchard#s90"), Verdict::NotFound);
        absent.citation.range = Some("1-40".to_owned());
        absent.citation.reason = "the Orchard Act has no section 90".to_owned();
        let mut repealed = cited(text, "s. 4", Some("xx/orchard#s4"), Verdict::Repealed);
        repealed.citation.successor = vec!["xx/fruit#s9".to_owned()];
        Script::new("theft", 0, "en")
            .searches(
                "prosecution",
                "prosecution",
                "opening",
                "taking apples",
                vec![hit("xx/orchard#s9", 1, "b"), hit("xx/orchard#s7", 2, "a")],
            )
            .searches("prosecution", "prosecution", "rebuttal", "s. 7", vec![hit("xx/orchard#s7", 1, "a")])
            .says(
                "prosecution",
                "prosecution",
                "opening",
                text,
                vec![
                    in_field("xx/orchard#s7", Verdict::Verified),
                    quoted,
                    absent,
                    repealed,
                    cited(text, "Rule Nine", None, Verdict::Unchecked),
                ],
            )
            .position(
                "adjudicator-1",
                0,
                &[],
                "s. 7",
                vec![cited("s. 7", "s. 7", Some("xx/orchard#s7"), Verdict::Verified)],
            )
            .finished()
    }

    fn row<'a>(audit: &'a Audit, agent: &str, id: Option<&str>) -> &'a Row {
        audit.rows.iter().find(|r| r.agent == agent && r.id.as_deref() == id).unwrap()
    }

    #[test]
    fn every_column_has_its_right_value() {
        let audit = Audit::of_trial(&trial(), &Catalogue::default());
        assert_eq!(audit.rows.len(), 6);
        let r = row(&audit, "prosecution", Some("xx/orchard#s7"));
        assert_eq!((r.best_rank, r.retrieved.len(), r.cited_in_field, r.cited_in_text), (Some(1), 2, 1, 1));
        assert_eq!((r.retrieved[0].query.as_str(), r.retrieved[0].rank), ("taking apples", 2));
        assert_eq!(r.retrieved[1].step, "rebuttal");
        assert_eq!(r.title.as_deref(), Some("The Orchard Act, 1999"));
        assert_eq!(r.heading.as_deref(), Some("Taking of fruit"));
        assert_eq!(r.pinpoints, ["1"]);
        assert_eq!(r.quoted, ["takes fruit from a tree"]);
        assert_eq!(r.verdicts, BTreeMap::from([("verified", 2)]));
        assert_eq!(r.struck_down.as_deref(), Some("A v. B (2018-09-06)"));
        assert!(!r.not_retrieved_by_itself && !r.retrieved_not_cited);

        let r = row(&audit, "prosecution", Some("xx/orchard#s9"));
        assert!(r.retrieved_not_cited && !r.not_retrieved_by_itself && r.verdicts.is_empty());
        let r = row(&audit, "prosecution", Some("xx/orchard#s90"));
        assert!(r.not_retrieved_by_itself && r.retrieved_by_others.is_empty());
        assert_eq!(r.range.as_deref(), Some("1-40"));
        assert_eq!(r.reasons, ["the Orchard Act has no section 90"]);
        let r = row(&audit, "prosecution", Some("xx/orchard#s4"));
        assert_eq!(r.successor, ["xx/fruit#s9"]);
        let r = row(&audit, "prosecution", None);
        assert_eq!(
            (r.raw.as_slice(), r.verdicts.get("unchecked")),
            (&["Rule Nine".to_owned()][..], Some(&1))
        );

        let r = row(&audit, "adjudicator-1", Some("xx/orchard#s7"));
        assert!(r.not_retrieved_by_itself);
        assert_eq!(r.retrieved_by_others, ["prosecution"]);
        // Within an agent, what was only found comes last.
        assert_eq!(audit.rows[4].id.as_deref(), Some("xx/orchard#s9"));
    }

    #[test]
    fn json_is_an_array_of_objects_with_the_provision_under_id() {
        let audit = Audit::of_trial(&trial(), &Catalogue::default());
        let json: serde_json::Value = serde_json::from_str(&audit.to_json().unwrap()).unwrap();
        assert_eq!(json[0]["id"], "xx/orchard#s4");
        assert_eq!(json.as_array().unwrap().len(), 6);
    }

    #[test]
    fn csv_reads_back_and_holds_no_formula() {
        let text = "=HYPERLINK(\"http://x\")";
        let trial = Script::new("t", 0, "en")
            .says("judge", "judge", "opening", text, vec![cited(text, text, None, Verdict::Unchecked)])
            .finished();
        let csv = Audit::of_trial(&trial, &Catalogue::default()).to_csv().unwrap();
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        assert_eq!(reader.headers().unwrap().len(), CSV_HEADER.len());
        let record = reader.records().next().unwrap().unwrap();
        assert_eq!(&record[13], format!("'{text}"));
    }

    #[test]
    fn the_table_fits_its_width_and_never_shows_unchecked_as_verified() {
        let audit = Audit::of_trial(&trial(), &Catalogue::default());
        let table = audit.to_table(Some(100));
        assert!(table.lines().all(|l| l.chars().count() <= 100), "{table}");
        assert!(table.contains("? unchecked"), "{table}");
        assert!(
            table.contains("6 citations: 3 verified, 2 looked up with another result, 1 not checked."),
            "{table}"
        );
    }

    #[test]
    fn escape_codes_of_a_model_do_not_reach_the_terminal() {
        let text = "\u{1b}[32mRule 9";
        let trial = Script::new("t", 0, "en")
            .says("judge", "judge", "opening", text, vec![cited(text, text, None, Verdict::Unchecked)])
            .finished();
        assert!(!Audit::of_trial(&trial, &Catalogue::default()).to_table(Some(100)).contains('\u{1b}'));
    }
}
