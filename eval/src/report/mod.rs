//! `report.html`: one file that opens from disk, in which a trial reads as a trial.
//!
//! This module turns a run into plain values; `templates/report.html` lays them out. Everything that came from a
//! model, a case file or a statute reaches the page through the template's escaping, and a
//! content security policy in the page allows no script but its own and no request at all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use jiff::civil::Date;
use minijinja::{Environment, UndefinedBehavior, context};
use nyaya_agents::event::{Ballot, Body, CheckedCitation, Decision, Event, Finding, Statement};
use nyaya_corpora::{Catalogue, EditionInfo, Provision, ProvisionId, ProvisionLookup, WorkId};
use nyaya_retrieval::Hit;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::audit::{Audit, Row, VERDICTS, verdict_mark, verdict_name};
use crate::error::{Error, Result};
use crate::measures::{self, Cost, Failures, RunMeasures, Tokens, TrialMeasures};
use crate::stats::{Mean, Share};
use crate::transcript::{Run, Trial};

mod names;
mod text;

use names::Language;

/// Name of the report in a run's folder.
pub const REPORT_FILE: &str = "report.html";

const PAGE: &str = include_str!("../../templates/report.html");
const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// Writes `report.html` into the run's folder, replacing an earlier one in one step.
///
/// # Errors
/// If the page cannot be made or written.
pub fn write(run: &Run, lookup: &dyn ProvisionLookup, catalogue: &Catalogue) -> Result<PathBuf> {
    let page = render(run, lookup, catalogue)?;
    let path = run.dir.join(REPORT_FILE);
    let mut file = tempfile::NamedTempFile::new_in(&run.dir).map_err(|e| Error::io(&run.dir, e))?;
    std::io::Write::write_all(&mut file, page.as_bytes()).map_err(|e| Error::io(&path, e))?;
    file.persist(&path).map_err(|e| Error::io(&path, e.error))?;
    Ok(path)
}

/// The page as text. The same run and knowledge base give the same page.
///
/// # Errors
/// If the template fails, which would be a fault of the program.
pub fn render(run: &Run, lookup: &dyn ProvisionLookup, catalogue: &Catalogue) -> Result<String> {
    let fail = |e: minijinja::Error| Error::render("report", format!("{e:#}"));
    let page = Page::of(run, lookup, catalogue);
    let mut env = Environment::new();
    // The name's ending turns the escaping on; a value that the page lacks is an error and not an empty place.
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_trim_blocks(true);
    env.set_lstrip_blocks(true);
    env.add_template("report.html", PAGE).map_err(fail)?;
    env.add_template("report.css", STYLE).map_err(fail)?;
    env.add_template("report.js", SCRIPT).map_err(fail)?;
    let template = env.get_template("report.html").map_err(fail)?;
    let script = env.get_template("report.js").and_then(|t| t.render(context! {})).map_err(fail)?;
    template.render(context! { p => page, t => page.language.words(), script_hash => base64(&Sha256::digest(script)) }).map_err(fail)
}

/// Base64 with padding, for the policy's hash of the script.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |w, b| w << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let six = word >> (18 - 6 * i) & 63;
            let letter = ALPHABET.get(six as usize).copied().unwrap_or_default();
            out.push(if i <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

/// How much of a statute the knowledge base holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The work.
    pub id: WorkId,
    /// Its title in the language of its text.
    pub title: String,
    /// Version held; absent if no text is held.
    pub version: Option<Date>,
    /// Language of the text, BCP 47.
    pub language: Option<String>,
    /// Sections or articles held.
    pub held: usize,
    /// Sections or articles that the version should have, where the manifest lists them.
    pub expected: Option<usize>,
    /// Expected and not held.
    pub missing: Vec<String>,
    /// Whether the source says that it has every provision.
    pub complete: bool,
}

/// Coverage of every work that the catalogue or the knowledge base knows, one row an edition.
#[must_use]
pub fn coverage(lookup: &dyn ProvisionLookup, catalogue: &Catalogue) -> Vec<Coverage> {
    let mut works: BTreeSet<WorkId> = lookup.works().into_iter().collect();
    works.extend(catalogue.all().iter().map(|m| m.id.clone()));
    let mut out = Vec::new();
    for work in works {
        let manifest = catalogue.get(&work);
        let title = names::work(&work, catalogue);
        let editions = lookup.editions(&work);
        if editions.is_empty() {
            out.push(Coverage {
                id: work.clone(),
                title: title.clone(),
                version: None,
                language: None,
                held: 0,
                expected: None,
                missing: Vec::new(),
                complete: false,
            });
        }
        for edition in editions {
            let units = lookup.units(&work, edition.version);
            let held: BTreeSet<_> = units.iter().filter(|u| u.is_numbered_provision()).collect();
            let expected = manifest
                .and_then(|m| Some(m.version(edition.version)?.expected_units(m.unit)))
                .filter(|units| !units.is_empty());
            let missing =
                expected.iter().flatten().filter(|u| !held.contains(u)).map(ToString::to_string).collect();
            out.push(Coverage {
                id: work.clone(),
                title: title.clone(),
                version: Some(edition.version),
                language: Some(edition.language),
                held: held.len(),
                expected: expected.map(|e| e.len()),
                missing,
                complete: edition.complete,
            });
        }
    }
    out
}

// ---------------------------------------------------------------------------------------------------------
// What the template sees

#[derive(Serialize)]
struct Page {
    #[serde(skip)]
    language: Language,
    lang: &'static str,
    title: String,
    program: &'static str,
    trials: Vec<TrialView>,
    several: bool,
    law: Vec<LawView>,
    coverage: Vec<Coverage>,
    settings: Vec<(String, String)>,
    summary: Vec<MeasureView>,
    finished: usize,
    legend: Vec<(&'static str, &'static str, &'static str)>,
}

#[derive(Serialize)]
struct TrialView {
    anchor: String,
    name: String,
    title: String,
    lang: String,
    finished: bool,
    case: Option<CaseView>,
    verdict: Option<VerdictView>,
    decision: Option<DecisionView>,
    steps: Vec<StepView>,
    judgment: Vec<ItemView>,
    audit: Vec<AuditView>,
    measures: Vec<MeasureView>,
    cost: Vec<CostView>,
    models: Vec<String>,
    failures: Vec<(&'static str, u64)>,
}

#[derive(Serialize)]
struct CaseView {
    facts: Vec<text::Block>,
    evidence: Vec<(String, String, String)>,
    charges: Vec<(Link, String)>,
    offence_date: Option<String>,
    proceeding_date: Option<String>,
}

/// A name of a provision, with the anchor of its text where the page holds it.
#[derive(Clone, Serialize)]
struct Link {
    id: String,
    name: String,
    heading: String,
    href: Option<String>,
}

#[derive(Serialize)]
struct VerdictView {
    hung: bool,
    rounds: u32,
    charges: Vec<ChargeView>,
}

/// A sentence or a label.
#[derive(Serialize)]
struct DecisionView {
    result: String,
    decided: bool,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct ChargeView {
    charge: Link,
    finding: FindingView,
    votes: u32,
    of: u32,
    seats: Vec<bool>,
}

#[derive(Clone, Serialize)]
struct FindingView {
    class: &'static str,
    label: &'static str,
    offence: Option<Link>,
}

#[derive(Serialize)]
struct StepView {
    anchor: String,
    title: String,
    items: Vec<ItemView>,
    agreement: Option<AgreementView>,
}

#[derive(Serialize)]
struct AgreementView {
    whole: String,
    charges: Vec<(Link, Vec<GroupView>)>,
}

#[derive(Serialize)]
struct GroupView {
    finding: FindingView,
    count: u32,
    of: u32,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ItemView {
    Statement(StatementView),
    Search { speaker: Speaker, query: String, hits: Vec<HitView> },
    Private { speaker: Speaker, label: String, blocks: Vec<text::Block> },
    Notice { speaker: Speaker, label: &'static str, text: String },
}

#[derive(Clone, Serialize)]
struct Speaker {
    name: String,
    class: &'static str,
    persona: String,
}

#[derive(Serialize)]
struct StatementView {
    anchor: String,
    speaker: Speaker,
    blocks: Vec<text::Block>,
    cites: Vec<CiteView>,
    chips: Vec<ChipView>,
    ballot: Vec<(Link, FindingView)>,
    /// What the statement comes to, where that is not a finding: a sentence, a label.
    mark: Option<String>,
    stage: Option<String>,
}

/// A citation in the words.
#[derive(Serialize)]
struct CiteView {
    class: &'static str,
    mark: &'static str,
    label: &'static str,
    link: Link,
    reason: String,
}

/// A citation below a statement; equal ones are joined.
#[derive(Serialize, PartialEq)]
struct ChipView {
    class: &'static str,
    mark: &'static str,
    label: &'static str,
    name: String,
    id: String,
    href: Option<String>,
    places: Vec<&'static str>,
    reason: String,
    extra: Vec<String>,
    quoted: Vec<String>,
}

#[derive(Serialize)]
struct HitView {
    link: Link,
    rank: usize,
    exact: bool,
}

#[derive(Serialize)]
struct AuditView {
    agent: String,
    class: &'static str,
    link: Link,
    raw: String,
    statute: String,
    rank: Option<usize>,
    found: Vec<(String, usize)>,
    cited: String,
    quoted: Vec<String>,
    verdicts: Vec<(&'static str, &'static str, &'static str, usize)>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct MeasureView {
    label: &'static str,
    value: Option<String>,
    interval: String,
    over: String,
}

#[derive(Serialize)]
struct CostView {
    role: String,
    calls: u64,
    read: String,
    written: String,
    seconds: String,
    cut_off: u64,
    stages: String,
}

#[derive(Serialize)]
struct LawView {
    anchor: String,
    id: String,
    lang: String,
    statute: String,
    name: String,
    heading: String,
    breadcrumb: Vec<String>,
    version: String,
    status: &'static str,
    in_force: bool,
    struck_down: Option<String>,
    stretches: Vec<text::Stretch>,
    source: String,
    complete: bool,
    only_passage: bool,
    used: Vec<String>,
}

// ---------------------------------------------------------------------------------------------------------
// The law

/// One text on the page, before it is laid out.
struct Entry {
    edition: Option<EditionInfo>,
    provision: Option<Arc<Provision>>,
    hit: Option<Hit>,
    quoted: BTreeSet<String>,
    pins: BTreeSet<Vec<String>>,
    used: Vec<String>,
}

/// The texts that the page holds, each once, and how names lead to them.
struct Law<'a> {
    lookup: &'a dyn ProvisionLookup,
    catalogue: &'a Catalogue,
    language: Language,
    entries: Vec<(ProvisionId, Date, Entry)>,
}

impl Law<'_> {
    /// Index of the text of a provision in a version; takes it in if it is to be had.
    fn entry(&mut self, id: &ProvisionId, version: Date, hit: Option<&Hit>) -> Option<usize> {
        let id = id.provision();
        if let Some(at) = self.entries.iter().position(|(have, v, _)| *have == id && *v == version) {
            return Some(at);
        }
        let provision = self.lookup.provision(&id.work, version, &id.unit);
        if provision.is_none() && hit.is_none() {
            return None;
        }
        let edition = self.lookup.editions(&id.work).into_iter().find(|e| e.version == version);
        let entry = Entry {
            edition,
            provision,
            hit: hit.cloned(),
            quoted: BTreeSet::new(),
            pins: BTreeSet::new(),
            used: Vec::new(),
        };
        self.entries.push((id, version, entry));
        Some(self.entries.len() - 1)
    }

    /// The text that a name without an edition means in a trial: what a search of the trial gave, else the
    /// version of the day that governs, else the newest.
    fn resolve(&mut self, id: &ProvisionId, trial: &TrialContext) -> Option<usize> {
        if let Some(tag) = &id.edition {
            return self.entry(id, tag.version, None);
        }
        let bare = id.provision();
        if let Some((version, hit)) = trial.found.get(&bare) {
            return self.entry(id, *version, Some(hit));
        }
        let edition = match trial.day {
            Some(day) => self.lookup.edition_at(&id.work, day).map(|(edition, _)| edition),
            None => self.lookup.editions(&id.work).pop(),
        };
        self.entry(id, edition?.version, None)
    }

    fn link(&mut self, id: &ProvisionId, trial: &TrialContext) -> Link {
        let at = self.resolve(id, trial);
        let heading = at.and_then(|at| self.entries.get(at)).and_then(|(.., e)| e.heading());
        let name = self.name(id);
        Link {
            id: id.to_string(),
            name,
            heading: heading.unwrap_or_default(),
            href: at.map(|at| format!("#law-{}", at + 1)),
        }
    }

    /// `s. 302 Indian Penal Code`, `《刑法》第二百六十四条`.
    fn name(&self, id: &ProvisionId) -> String {
        let work = names::work(&id.work, self.catalogue);
        if self.is_chinese(&id.work) {
            format!("《{work}》{}", names::unit(id, true))
        } else {
            format!("{} {work}", names::unit(id, false))
        }
    }

    /// Names for ids; what is no id stays as it is.
    fn names(&self, ids: &[String]) -> String {
        let name = |id: &String| id.parse().map_or_else(|_| id.clone(), |id| self.name(&id));
        ids.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    fn is_chinese(&self, work: &WorkId) -> bool {
        let held = self.lookup.editions(work).pop().map(|e| e.language);
        let language = held.or_else(|| self.catalogue.get(work).map(|m| m.language.clone()));
        language.is_some_and(|l| Language::of(&l) == Language::Chinese)
    }

    fn views(&self) -> Vec<LawView> {
        self.entries
            .iter()
            .enumerate()
            .map(|(at, (id, version, entry))| self.view(at, id, *version, entry))
            .collect()
    }

    fn view(&self, at: usize, id: &ProvisionId, version: Date, entry: &Entry) -> LawView {
        let chinese = self.is_chinese(&id.work);
        let mut view = LawView {
            anchor: format!("law-{}", at + 1),
            id: id.to_string(),
            lang: entry
                .edition
                .as_ref()
                .map(|e| e.language.clone())
                .or_else(|| entry.hit.as_ref().map(|h| h.language.clone()))
                .unwrap_or_default(),
            statute: names::work(&id.work, self.catalogue),
            name: names::unit(id, chinese),
            heading: entry.heading().unwrap_or_default(),
            breadcrumb: Vec::new(),
            version: version.to_string(),
            status: "",
            in_force: true,
            struck_down: None,
            stretches: Vec::new(),
            source: String::new(),
            complete: entry.edition.as_ref().is_none_or(|e| e.complete),
            only_passage: false,
            used: entry.used.clone(),
        };
        let (status, struck_down) = match (&entry.provision, &entry.hit) {
            (Some(p), _) => {
                view.breadcrumb.clone_from(&p.breadcrumb);
                let mut marks: Vec<std::ops::Range<usize>> = Vec::new();
                for quoted in &entry.quoted {
                    marks.extend(p.text.match_indices(quoted.as_str()).map(|(at, q)| at..at + q.len()));
                }
                marks.extend(
                    p.pinpoints
                        .iter()
                        .filter(|pin| entry.pins.contains(&pin.path))
                        .map(|pin| pin.range.clone()),
                );
                view.stretches = text::stretches(&p.text, &marks);
                let page = p
                    .source
                    .page
                    .map(|n| format!(", {} {n}", self.language.word("page")))
                    .unwrap_or_default();
                let hash: String = p.source.file_sha256.chars().take(12).collect();
                view.source = format!("SHA-256 {hash}…{page}");
                (p.status, p.struck_down.clone())
            }
            (None, Some(hit)) => {
                view.breadcrumb.clone_from(&hit.breadcrumb);
                if view.statute == id.work.as_str() {
                    view.statute.clone_from(&hit.title);
                }
                view.stretches = text::stretches(&hit.text, &[]);
                view.only_passage = true;
                (hit.status, hit.struck_down.clone())
            }
            (None, None) => return view,
        };
        view.in_force = status == nyaya_corpora::Status::InForce;
        view.status = names::status(status, self.language);
        view.struck_down = struck_down.map(|s| {
            let note = if s.note.is_empty() { String::new() } else { format!("; {}", s.note) };
            format!("{} ({}){note}", s.source, s.date)
        });
        view
    }
}

impl Entry {
    fn heading(&self) -> Option<String> {
        self.provision
            .as_ref()
            .and_then(|p| p.heading.clone())
            .or_else(|| self.hit.as_ref().and_then(|h| h.heading.clone()))
    }
}

// ---------------------------------------------------------------------------------------------------------
// A trial

struct TrialContext {
    found: BTreeMap<ProvisionId, (Date, Hit)>,
    day: Option<Date>,
    personas: BTreeMap<String, String>,
    language: Language,
    number: usize,
}

impl TrialContext {
    fn of(trial: &Trial, number: usize, language: Language) -> Self {
        let mut found = BTreeMap::new();
        let mut personas = BTreeMap::new();
        let mut day = trial.info.as_ref().and_then(|i| i.offence_date);
        for event in &trial.events {
            match &event.body {
                Body::Retrieved { query, hits, .. } => {
                    day = day.or(query.as_of);
                    for hit in hits {
                        found.entry(hit.id.provision()).or_insert_with(|| (hit.version, hit.clone()));
                    }
                }
                Body::Persona { text } => {
                    personas.insert(event.actor.agent.clone(), text.clone());
                }
                _ => {}
            }
        }
        Self { found, day, personas, language, number }
    }

    fn speaker(&self, event: &Event) -> Speaker {
        Speaker {
            name: names::agent(&event.actor, self.language),
            class: names::role_class(&event.actor.role),
            persona: self.personas.get(&event.actor.agent).cloned().unwrap_or_default(),
        }
    }
}

fn finding_view(finding: Option<&Finding>, law: &mut Law, context: &TrialContext) -> FindingView {
    let offence = match finding {
        Some(Finding::Lesser { offence }) => Some(law.link(offence, context)),
        _ => None,
    };
    FindingView {
        class: names::finding_class(finding),
        label: names::finding(finding, context.language),
        offence,
    }
}

fn statement_view(
    event: &Event,
    statement: &Statement,
    ballot: Option<&Ballot>,
    law: &mut Law,
    context: &TrialContext,
) -> StatementView {
    let mut cites = Vec::new();
    let mut spans = Vec::new();
    let mut chips: Vec<ChipView> = Vec::new();
    for cited in &statement.citations {
        let view = cite_view(cited, law, context);
        let (from, to) = cited.citation.span;
        // A span counts only if the words still stand there.
        if cited.place == "text" && statement.text.get(from..to) == Some(cited.citation.raw.as_str()) {
            spans.push((from, to, cites.len()));
        }
        add_chip(&mut chips, &view, cited, law, context.language);
        cites.push(view);
    }
    let ballot_view = ballot.map(|b| {
        b.findings
            .iter()
            .map(|(charge, finding)| {
                (law.link(charge, context), finding_view(finding.as_ref(), law, context))
            })
            .collect()
    });
    StatementView {
        anchor: format!("t{}-e{}", context.number, event.seq),
        speaker: context.speaker(event),
        blocks: text::blocks(&statement.text, &spans),
        cites,
        chips,
        ballot: ballot_view.unwrap_or_default(),
        mark: None,
        stage: ballot.filter(|b| b.stage != "strict").map(|b| b.stage.clone()),
    }
}

fn cite_view(cited: &CheckedCitation, law: &mut Law, context: &TrialContext) -> CiteView {
    let citation = &cited.citation;
    let link = match &citation.id {
        Some(id) => {
            if let Some(at) = law.resolve(id, context)
                && let Some((.., entry)) = law.entries.get_mut(at)
            {
                entry.quoted.extend(cited.quoted.clone());
                if !id.pins.is_empty() {
                    entry.pins.insert(id.pins.clone());
                }
            }
            law.link(id, context)
        }
        None => Link { id: String::new(), name: citation.raw.clone(), heading: String::new(), href: None },
    };
    CiteView {
        class: verdict_name(citation.verdict),
        mark: verdict_mark(citation.verdict),
        label: names::verdict(citation.verdict, context.language),
        link,
        reason: citation.reason.clone(),
    }
}

fn add_chip(
    chips: &mut Vec<ChipView>,
    view: &CiteView,
    cited: &CheckedCitation,
    law: &Law,
    language: Language,
) {
    let citation = &cited.citation;
    let place = language.word(match cited.place.as_str() {
        "field" => "in_list",
        "finding" => "in_finding",
        _ => "in_words",
    });
    let at =
        chips.iter().position(|c| c.name == view.link.name && c.id == view.link.id && c.class == view.class);
    let at = at.unwrap_or_else(|| {
        let mut extra = Vec::new();
        if !citation.successor.is_empty() {
            extra.push(format!("{} {}", language.word("now"), law.names(&citation.successor)));
        }
        if let Some(range) = &citation.range {
            extra.push(format!("{} {range}", language.word("has_range")));
        }
        if let Some(finding) = &citation.struck_down {
            extra.push(format!("{}: {} ({})", language.word("struck_down"), finding.source, finding.date));
        }
        // A verified citation's reason says no more than its verdict.
        let verified = citation.verdict == nyaya_corpora::citation::Verdict::Verified;
        chips.push(ChipView {
            class: view.class,
            mark: view.mark,
            label: view.label,
            name: view.link.name.clone(),
            id: view.link.id.clone(),
            href: view.link.href.clone(),
            places: Vec::new(),
            reason: if verified { String::new() } else { view.reason.clone() },
            extra,
            quoted: Vec::new(),
        });
        chips.len() - 1
    });
    if let Some(chip) = chips.get_mut(at) {
        if !chip.places.contains(&place) {
            chip.places.push(place);
        }
        if let Some(quoted) = &cited.quoted
            && !chip.quoted.contains(quoted)
        {
            chip.quoted.push(quoted.clone());
        }
    }
}

/// The steps of a trial with what happened in them, and apart from them what belongs to the judgment.
///
/// What an agent looked up stands right before its next statement, where a reader wants it, although a protocol
/// may look everything up in one step.
fn course(trial: &Trial, context: &TrialContext, law: &mut Law) -> (Vec<StepView>, Vec<ItemView>) {
    let language = context.language;
    let mut steps: Vec<StepView> = Vec::new();
    let mut looked_up: Vec<(&Event, ItemView)> = Vec::new();
    let add = |steps: &mut Vec<StepView>, event: &Event, item: ItemView| {
        let title = names::step(&event.step, event.round, language);
        let at = steps.iter().position(|s| s.title == title).unwrap_or_else(|| {
            let anchor = format!("t{}-s{}", context.number, steps.len() + 1);
            steps.push(StepView { anchor, title, items: Vec::new(), agreement: None });
            steps.len() - 1
        });
        if let Some(step) = steps.get_mut(at) {
            step.items.push(item);
        }
    };
    let mut judgment_step = None;
    for event in &trial.events {
        let speaker = context.speaker(event);
        let notice = |key, text: &str| ItemView::Notice {
            speaker: speaker.clone(),
            label: language.word(key),
            text: text.to_owned(),
        };
        let private = |key, text: &str| ItemView::Private {
            speaker: speaker.clone(),
            label: language.word(key).to_owned(),
            blocks: text::blocks(text, &[]),
        };
        let item = match &event.body {
            Body::Public(s) => ItemView::Statement(statement_view(event, s, None, law, context)),
            Body::Position { ballot, statement } => {
                ItemView::Statement(statement_view(event, statement, Some(ballot), law, context))
            }
            Body::Judgment(s) => {
                judgment_step = Some(names::step(&event.step, event.round, language));
                ItemView::Statement(statement_view(event, s, None, law, context))
            }
            Body::Retrieved { query, hits, .. } => {
                let hits = hits.iter().map(|hit| hit_view(hit, law, context)).collect();
                let speaker = speaker.clone();
                looked_up.push((event, ItemView::Search { speaker, query: query.text.clone(), hits }));
                continue;
            }
            Body::Sentence { sentence, statement, stage } => {
                let mark = names::sentence(sentence.as_ref(), language);
                marked(event, statement, mark, stage, law, context)
            }
            Body::ConsensusCheck { reached, statement, stage } => {
                let key = match reached {
                    Some(true) => "consensus",
                    Some(false) => "no_consensus",
                    None => "no_decision",
                };
                marked(event, statement, language.word(key).to_owned(), stage, law, context)
            }
            Body::Answer { label, statement, agrees, stage } => {
                let mut mark = label.clone().unwrap_or_else(|| language.word("no_decision").to_owned());
                if let Some(agrees) = agrees {
                    mark.push_str(" · ");
                    mark.push_str(language.word(if *agrees { "agrees" } else { "disagrees" }));
                }
                marked(event, statement, mark, stage, law, context)
            }
            Body::Private { text } => private("private", text),
            Body::Plan { text } => private("plan", text),
            Body::Reflection { text } => private("reflection", text),
            Body::Memory { action, entries } => private(
                if action == "written" { "memory_written" } else { "memory_recalled" },
                &entries.join("\n\n"),
            ),
            Body::Belief { label, confidence, reasoning, moved_by, .. } => {
                let mut text = label.clone().unwrap_or_else(|| language.word("no_decision").to_owned());
                if let Some(confidence) = confidence {
                    text.push_str(&format!(", {}", names::confidence(*confidence, language)));
                }
                text.push_str("\n\n");
                text.push_str(reasoning);
                if !moved_by.is_empty() {
                    text.push_str(&format!("\n\n{}: {}", language.word("moved_by"), moved_by.join("; ")));
                }
                private("belief", &text)
            }
            Body::Vote { choice, .. } => {
                notice("vote", choice.as_deref().unwrap_or_else(|| language.word("no_decision")))
            }
            Body::Ranking { order, .. } => notice("ranking", &order.join(" > ")),
            Body::Tally { rule, points, of, reached } => {
                let points: Vec<String> = points.iter().map(|(name, n)| format!("{name} {n}")).collect();
                let word = language.word(if *reached { "reached" } else { "not_reached" });
                notice("tally", &format!("{} ({of}; {rule}): {word}", points.join(", ")))
            }
            Body::Refusal { text, mended } => {
                notice(if *mended { "refusal_mended" } else { "refusal" }, text)
            }
            Body::Discrepancy { text } => notice("discrepancy", text),
            Body::ContextCut { what, before, after } => {
                notice("context_cut", &format!("{what} ({before} → {after})"))
            }
            Body::BudgetStop { budget } => notice("budget_stop", budget),
            Body::NoDecision { reason } => notice("unreadable", reason),
            _ => continue,
        };
        if matches!(item, ItemView::Statement(_)) {
            for (_, search) in looked_up.extract_if(.., |(e, _)| e.actor == event.actor) {
                add(&mut steps, event, search);
            }
        }
        add(&mut steps, event, item);
    }
    for (event, search) in looked_up {
        add(&mut steps, event, search);
    }
    let at = judgment_step.and_then(|title| steps.iter().position(|s| s.title == title));
    let judgment = at.map(|at| steps.remove(at).items).unwrap_or_default();
    (steps, judgment)
}

/// A statement with what it comes to.
fn marked(
    event: &Event,
    statement: &Statement,
    mark: String,
    stage: &str,
    law: &mut Law,
    context: &TrialContext,
) -> ItemView {
    let mut view = statement_view(event, statement, None, law, context);
    view.mark = Some(mark);
    view.stage = (stage != "strict").then(|| stage.to_owned());
    ItemView::Statement(view)
}

fn decision_view(trial: &Trial, language: Language) -> Option<DecisionView> {
    let none = || language.word("no_decision").to_owned();
    Some(match trial.decision()? {
        Decision::Term { sentence, consensus, rounds } => DecisionView {
            result: names::sentence(sentence.as_ref(), language),
            decided: sentence.is_some(),
            notes: vec![
                language.word(if *consensus { "consensus" } else { "no_consensus" }).to_owned(),
                format!("{rounds} {}", language.word("rounds_held")),
            ],
        },
        Decision::Label { label, outcome, confidence, for_a_human, rounds } => {
            let mut notes =
                vec![outcome.replace('_', " "), format!("{} {rounds}", language.word("turns_held"))];
            notes.extend(confidence.map(|c| names::confidence(c, language)));
            notes.extend(for_a_human.iter().map(|why| format!("{}: {why}", language.word("for_a_human"))));
            DecisionView { result: label.clone().unwrap_or_else(none), decided: label.is_some(), notes }
        }
        Decision::Charges { .. } => return None,
    })
}

fn hit_view(hit: &Hit, law: &mut Law, context: &TrialContext) -> HitView {
    law.entry(&hit.id, hit.version, Some(hit));
    let mut link = law.link(&hit.id, context);
    if link.heading.is_empty() {
        link.heading = hit.heading.clone().unwrap_or_default();
    }
    HitView { link, rank: hit.rank, exact: hit.exact }
}

fn trial_view(trial: &Trial, number: usize, language: Language, law: &mut Law, several: bool) -> TrialView {
    let context = TrialContext::of(trial, number, language);
    let (mut steps, judgment) = course(trial, &context, law);
    for round in groups(trial) {
        let title = names::step("", Some(round.round), language);
        if let Some(at) = steps.iter().position(|s| s.title == title) {
            let charges = round
                .charges
                .into_iter()
                .map(|(charge, groups)| {
                    let views = groups
                        .into_iter()
                        .map(|(finding, count)| GroupView {
                            finding: finding_view(finding.as_ref(), law, &context),
                            count,
                            of: round.of,
                        })
                        .collect();
                    (law.link(&charge, &context), views)
                })
                .collect();
            if let Some(step) = steps.get_mut(at) {
                step.agreement = Some(AgreementView { whole: percent(round.whole), charges });
            }
        }
    }
    let audit_rows = Audit::of_trial(trial, law.catalogue).rows;
    for row in &audit_rows {
        note_use(row, law, &context, several.then_some(trial.name.as_str()));
    }
    let keywords = trial.info.as_ref().map(|i| i.keywords.clone()).unwrap_or_default();
    let measured = TrialMeasures::of(trial, &keywords);
    let verdict = trial.verdict().map(|(charges, hung, rounds)| VerdictView {
        hung,
        rounds,
        charges: charges
            .iter()
            .map(|c| {
                let mut finding = finding_view(c.finding.as_ref(), law, &context);
                if c.finding.is_none() {
                    (finding.class, finding.label) = ("hung", language.word("hung"));
                }
                ChargeView {
                    charge: law.link(&c.charge, &context),
                    finding,
                    votes: c.votes,
                    of: c.of,
                    seats: (0..c.of.min(99)).map(|seat| seat < c.votes).collect(),
                }
            })
            .collect(),
    });
    let case = trial.info.as_ref().map(|info| CaseView {
        facts: text::blocks(&info.facts, &[]),
        evidence: info
            .evidence
            .iter()
            .map(|e| {
                let side = match e.side.as_str() {
                    "prosecution" => language.word("r_prosecution"),
                    "defence" => language.word("r_defence"),
                    _ => "",
                };
                (e.mark.clone(), side.to_owned(), e.text.clone())
            })
            .collect(),
        charges: info.charges.iter().map(|c| (law.link(&c.id, &context), c.note.clone())).collect(),
        offence_date: info.offence_date.map(|d| d.to_string()),
        proceeding_date: info.proceeding_date.map(|d| d.to_string()),
    });
    let title = trial.info.as_ref().map(|i| i.title.clone()).filter(|t| !t.is_empty());
    TrialView {
        anchor: format!("t{number}"),
        name: trial.name.clone(),
        title: title.unwrap_or_else(|| trial.case.clone()),
        lang: trial.language.clone(),
        finished: trial.is_finished(),
        case,
        verdict,
        decision: decision_view(trial, language),
        judgment,
        audit: audit_rows.iter().map(|row| audit_view(row, law, &context)).collect(),
        measures: if trial.is_finished() { trial_measures(&measured, language) } else { Vec::new() },
        cost: costs(&measured.cost, language),
        models: measured.models.clone(),
        failures: failures(trial, measured.failures, &measured.cost, language),
        steps,
    }
}

/// Findings and how many adjudicators have them; `None` is no decision.
type Groups = Vec<(Option<Finding>, u32)>;

struct RoundGroups {
    round: u32,
    whole: f64,
    of: u32,
    charges: Vec<(ProvisionId, Groups)>,
}

/// Who found what in each round: findings with their numbers, the largest first, those without a decision last.
fn groups(trial: &Trial) -> Vec<RoundGroups> {
    measures::agreement(trial)
        .into_iter()
        .map(|round| {
            let of = round.charges.iter().map(|c| c.of).max().unwrap_or(0);
            let charges = round
                .charges
                .iter()
                .map(|c| {
                    let mut latest: BTreeMap<&str, Option<&Finding>> = BTreeMap::new();
                    for event in &trial.events {
                        if let Body::Position { ballot, .. } = &event.body
                            && event.round.unwrap_or(0) == round.round
                        {
                            let finding = ballot.findings.iter().find(|(id, _)| *id == c.id);
                            latest.insert(&event.actor.agent, finding.and_then(|(_, f)| f.as_ref()));
                        }
                    }
                    let mut counts: BTreeMap<&Finding, u32> = BTreeMap::new();
                    for finding in latest.into_values().flatten() {
                        *counts.entry(finding).or_default() += 1;
                    }
                    let mut groups: Vec<_> = counts.into_iter().map(|(f, n)| (Some(f.clone()), n)).collect();
                    groups.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
                    if c.no_decision > 0 {
                        groups.push((None, c.no_decision));
                    }
                    (c.id.clone(), groups)
                })
                .collect();
            RoundGroups { round: round.round, whole: round.whole, of, charges }
        })
        .collect()
}

/// Writes at the text of a provision who found and cited it.
fn note_use(row: &Row, law: &mut Law, context: &TrialContext, trial: Option<&str>) {
    let Some(id) = row.id.as_ref().and_then(|id| id.parse::<ProvisionId>().ok()) else { return };
    let Some(at) = law.resolve(&id, context) else { return };
    let language = context.language;
    let actor = nyaya_agents::event::Actor { role: row.role.clone(), agent: row.agent.clone() };
    let mut parts = Vec::new();
    if let Some(rank) = row.best_rank {
        parts.push(format!("{} #{rank}", language.word("found")));
    }
    if row.cited() > 0 {
        parts.push(format!("{} {}×", language.word("cited"), row.cited()));
    }
    let place = trial.map(|t| format!("{t}, ")).unwrap_or_default();
    if let Some((.., entry)) = law.entries.get_mut(at) {
        entry.used.push(format!("{place}{} ({})", names::agent(&actor, language), parts.join(", ")));
    }
}

fn audit_view(row: &Row, law: &mut Law, context: &TrialContext) -> AuditView {
    let language = context.language;
    let actor = nyaya_agents::event::Actor { role: row.role.clone(), agent: row.agent.clone() };
    let id = row.id.as_ref().and_then(|id| id.parse::<ProvisionId>().ok());
    let link = match &id {
        Some(id) => law.link(id, context),
        None => Link { id: String::new(), name: String::new(), heading: String::new(), href: None },
    };
    let chinese = id.as_ref().is_some_and(|id| law.is_chinese(&id.work));
    let mut notes = Vec::new();
    if row.cited_not_retrieved {
        notes.push(if row.retrieved_by_others.is_empty() {
            language.word("never_retrieved").to_owned()
        } else {
            format!("{} {}", language.word("retrieved_by"), row.retrieved_by_others.join(", "))
        });
    }
    if row.retrieved_not_cited {
        notes.push(language.word("never_cited").to_owned());
    }
    if !row.successor.is_empty() {
        notes.push(format!("{} {}", language.word("now"), law.names(&row.successor)));
    }
    if let Some(range) = &row.range {
        notes.push(format!("{} {range}", language.word("has_range")));
    }
    if let Some(finding) = &row.struck_down {
        notes.push(format!("{}: {finding}", language.word("struck_down")));
    }
    if row.verdicts.keys().any(|v| *v != "verified") {
        notes.extend(row.reasons.iter().cloned());
    }
    AuditView {
        agent: names::agent(&actor, language),
        class: names::role_class(&row.role),
        raw: if id.is_none() { row.raw.join("; ") } else { String::new() },
        statute: row.title.clone().unwrap_or_default(),
        rank: row.best_rank,
        found: row.retrieved.iter().map(|r| (r.query.clone(), r.rank)).collect(),
        cited: row.cited_label(),
        quoted: row.quoted.clone(),
        verdicts: VERDICTS
            .iter()
            .filter_map(|v| {
                let n = *row.verdicts.get(verdict_name(*v))?;
                Some((verdict_name(*v), verdict_mark(*v), names::verdict(*v, language), n))
            })
            .collect(),
        notes,
        link: Link { name: id.as_ref().map(|id| names::unit(id, chinese)).unwrap_or_default(), ..link },
    }
}

// ---------------------------------------------------------------------------------------------------------
// Numbers

fn percent(x: f64) -> String {
    format!("{:.0} %", x * 100.0)
}

fn number(x: f64, as_percent: bool) -> String {
    if as_percent {
        format!("{:.1} %", x * 100.0)
    } else if x.abs() >= 100.0 {
        format!("{x:.0}")
    } else {
        format!("{x:.3}")
    }
}

fn plain_row(label: &'static str, value: Option<String>, over: String) -> MeasureView {
    MeasureView { label, value, interval: String::new(), over }
}

fn share_row(label: &'static str, share: Option<Share>, things: &str) -> MeasureView {
    MeasureView {
        label,
        value: share.map(|s| format!("{}/{} = {:.1} %", s.count, s.of, s.share * 100.0)),
        interval: share
            .map(|s| format!("{:.1} – {:.1} %", s.low * 100.0, s.high * 100.0))
            .unwrap_or_default(),
        over: share.map(|s| format!("{} {things}", s.of)).unwrap_or_default(),
    }
}

fn mean_view(label: &'static str, mean: Option<Mean>, as_percent: bool, language: Language) -> MeasureView {
    MeasureView {
        label,
        value: mean.map(|m| number(m.mean, as_percent)),
        interval: match mean.map(|m| (m.low, m.high)) {
            Some((Some(low), Some(high))) => {
                format!("{} – {}", number(low, as_percent), number(high, as_percent))
            }
            _ => String::new(),
        },
        over: mean.map(|m| format!("{} {}", m.n, language.word("m_trials"))).unwrap_or_default(),
    }
}

fn trial_measures(m: &TrialMeasures, language: Language) -> Vec<MeasureView> {
    let w = |key| language.word(key);
    let g = &m.grounding;
    let over = |n: usize| format!("{n} {} × {} {}", w("m_statements"), g.keywords, w("m_keywords"));
    vec![
        plain_row(w("m_first"), m.agreement.first().map(|a| percent(a.whole)), String::new()),
        plain_row(w("m_last"), m.agreement.last().map(|a| percent(a.whole)), String::new()),
        share_row(w("m_precision"), m.citations.precision, w("m_citations")),
        share_row(w("m_unchecked"), m.citations.unchecked, w("m_citations")),
        share_row(w("m_not_retrieved"), m.not_retrieved.by_nobody, w("m_pairs")),
        plain_row(w("m_grounding"), g.score.map(|x| number(x, false)), over(g.statements)),
        plain_row(
            w("m_beyond"),
            g.beyond_passages.map(|x| number(x, false)),
            g.statements_beyond.to_string(),
        ),
        share_row(w("m_expected"), m.as_expected, w("m_charges")),
        plain_row(w("m_tokens"), m.tokens().map(|n| n.to_string()), String::new()),
    ]
}

fn run_measures(m: &RunMeasures, language: Language) -> Vec<MeasureView> {
    let w = |key| language.word(key);
    vec![
        mean_view(w("m_first"), m.agreement_first, true, language),
        mean_view(w("m_last"), m.agreement_last, true, language),
        mean_view(w("m_rounds"), m.rounds, false, language),
        share_row(w("m_hung"), m.hung, w("m_trials")),
        share_row(w("m_expected"), m.as_expected, w("m_charges")),
        share_row(w("m_precision"), m.citations.precision, w("m_citations")),
        share_row(w("m_unchecked"), m.citations.unchecked, w("m_citations")),
        share_row(w("m_not_retrieved"), m.cited_not_retrieved, w("m_pairs")),
        mean_view(w("m_grounding"), m.grounding, false, language),
        mean_view(w("m_beyond"), m.grounding_beyond_passages, false, language),
        mean_view(w("m_tokens"), m.tokens, false, language),
    ]
}

fn tokens(tokens: Tokens, language: Language) -> String {
    match (tokens.measured, tokens.unknown_calls) {
        (n, 0) => n.to_string(),
        (0, _) => language.word("unknown").to_owned(),
        (n, calls) => format!("{n} + {} ({calls})", language.word("unknown")),
    }
}

fn costs(cost: &BTreeMap<String, Cost>, language: Language) -> Vec<CostView> {
    cost.iter()
        .map(|(role, c)| {
            let actor = nyaya_agents::event::Actor { role: role.clone(), agent: role.clone() };
            CostView {
                role: names::agent(&actor, language),
                calls: c.calls,
                read: tokens(c.prompt_tokens, language),
                written: tokens(c.completion_tokens, language),
                seconds: format!("{:.1}", c.latency_ms as f64 / 1000.0),
                cut_off: c.cut_off,
                stages: c.stages.iter().map(|(s, n)| format!("{s} {n}")).collect::<Vec<_>>().join(", "),
            }
        })
        .collect()
}

fn failures(
    trial: &Trial,
    f: Failures,
    cost: &BTreeMap<String, Cost>,
    language: Language,
) -> Vec<(&'static str, u64)> {
    // A trial that is not finished has not failed to give a verdict.
    let ended = u64::from(trial.is_finished());
    [
        ("f_no_verdict", f.no_verdict * ended),
        ("f_no_judgment", f.no_judgment * ended),
        ("f_undecided", f.undecided_ballots),
        ("f_unreadable", f.no_decision),
        ("f_refusals", f.refusals),
        ("f_refusals_mended", f.refusals_mended),
        ("f_discrepancies", f.discrepancies),
        ("f_cuts", f.context_cuts),
        ("f_budget", f.budget_stops),
        ("f_cut_off", cost.values().map(|c| c.cut_off).sum()),
    ]
    .into_iter()
    .filter(|(_, n)| *n > 0)
    .map(|(key, n)| (language.word(key), n))
    .collect()
}

/// `run.toml` as pairs of path and value, without what must not be passed on.
fn settings(config: &toml::Table) -> Vec<(String, String)> {
    fn walk(path: &str, value: &toml::Value, out: &mut Vec<(String, String)>) {
        match value {
            toml::Value::Table(table) => {
                for (key, value) in table {
                    let secret = ["secret", "password", "api_key", "authorization"]
                        .iter()
                        .any(|word| key.to_ascii_lowercase().contains(word));
                    if !secret {
                        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                        walk(&path, value, out);
                    }
                }
            }
            toml::Value::String(text) => out.push((path.to_owned(), without_login(text))),
            other => out.push((path.to_owned(), other.to_string())),
        }
    }
    let mut out = Vec::new();
    walk("", &toml::Value::Table(config.clone()), &mut out);
    out
}

/// An address without the name and password that may stand in it.
fn without_login(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{host}{path}"),
        None => text.to_owned(),
    }
}

impl Page {
    fn of(run: &Run, lookup: &dyn ProvisionLookup, catalogue: &Catalogue) -> Self {
        let chinese = |t: &Trial| Language::of(&t.language) == Language::Chinese;
        let language = if !run.trials.is_empty() && run.trials.iter().all(chinese) {
            Language::Chinese
        } else {
            Language::English
        };
        let mut law = Law { lookup, catalogue, language, entries: Vec::new() };
        let several = run.trials.len() > 1;
        let trials: Vec<TrialView> = run
            .trials
            .iter()
            .enumerate()
            .map(|(at, trial)| trial_view(trial, at + 1, language, &mut law, several))
            .collect();
        let measured = RunMeasures::of(run);
        let title = match trials.as_slice() {
            [one] => one.title.clone(),
            _ => run.dir.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
        };
        Self {
            language,
            lang: language.tag(),
            title,
            program: env!("CARGO_PKG_VERSION"),
            several,
            law: law.views(),
            coverage: coverage(lookup, catalogue),
            settings: settings(&run.config),
            summary: if several { run_measures(&measured, language) } else { Vec::new() },
            finished: measured.finished,
            legend: VERDICTS
                .iter()
                .map(|v| (verdict_name(*v), verdict_mark(*v), names::verdict(*v, language)))
                .collect(),
            trials,
        }
    }
}

#[cfg(test)]
mod tests;
