//! The baselines: one model alone, asked in one of the usual ways. The courts are compared with these.
//!
//! - `standard`: the answer only.
//! - `cot`: step by step.
//! - `weighted-cot`: the factors of the case, each weighted low, medium or high, then the answer.
//! - `syllogism`: the prompt says what a legal syllogism is, then it is applied.
//! - `irac`: issue, rule, application, conclusion.
//! - `fewshot`: `standard` after examples with their right answers. The debate paper puts them into the system
//!   prompt; examples are words of others, which stand in the user role only, so here they open that role.
//! - `self-consistency`: `cot` several times, the most frequent answer counts; with a token budget, as many times as
//!   fit into it.
//!
//! Cases are those of the courts: charges, sentences, rows, entailment. Calls: 1, and k for self-consistency.

use std::collections::BTreeMap;

use nyaya_corpora::ProvisionId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::shared::{
    RawFinding, charges, chars, count, evidence, limit, object, one_line, text_schema, tokens,
};
use crate::case::{Case, CaseError, Matter, Premise, form};
use crate::event::{Actor, Ballot, Body, ChargeVerdict, Decision, Finding, Sentence};
use crate::read::{
    Label, Reading, Stage, TermClass, read_choice, read_json, read_term, read_verdict, read_yes_no,
};
use crate::run::{RunConfig, RunError, config};
use crate::session::{Session, SessionError};

/// Name of the protocol.
pub const NAME: &str = "single";

/// Roles that a model answers for.
pub const ROLES: &[&str] = &["single"];

/// How the model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The answer only.
    #[default]
    Standard,
    /// Step by step.
    Cot,
    /// Factors with weights.
    WeightedCot,
    /// A legal syllogism.
    Syllogism,
    /// Issue, rule, application, conclusion.
    Irac,
    /// After examples.
    Fewshot,
    /// Several times, the most frequent answer.
    SelfConsistency,
}

/// What is the baselines' own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How the model is asked.
    pub method: Method,
    /// Samples of self-consistency.
    pub samples: u32,
    /// Tokens, read and written, that self-consistency may use for a case instead of a number of samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_tokens: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::default(), samples: 3, match_tokens: None }
    }
}

/// Most samples that a budget of tokens is used for.
const MOST_SAMPLES: u32 = 1_000;

impl Options {
    /// Temperature: 0, and 0.7 for self-consistency, whose samples must differ.
    #[must_use]
    pub fn temperature(&self) -> f32 {
        if self.method == Method::SelfConsistency { 0.7 } else { 0.0 }
    }

    /// Checks the options.
    ///
    /// # Errors
    /// Names the option and what it may be.
    pub fn check(&self) -> Result<(), RunError> {
        if !(1..=MOST_SAMPLES).contains(&self.samples) {
            return Err(config(format!("{} samples", self.samples), "self-consistency takes 1 to 1000"));
        }
        if self.match_tokens.is_some() && self.method != Method::SelfConsistency {
            return Err(config(
                "a budget of tokens is for self-consistency",
                "add --method self-consistency",
            ));
        }
        if self.match_tokens == Some(0) {
            return Err(config("the run to match has used no tokens", "name a run with finished trials"));
        }
        Ok(())
    }
}

/// Whether a case can be asked here: every kind can.
///
/// # Errors
/// If a case of charges has none, or a row fewer than two labels.
pub fn accepts(case: &Case) -> Result<(), CaseError> {
    let lacks = |message: &str, hint: &str| Err(form(&case.id, message, hint));
    match &case.matter {
        Matter::Charges if case.charges.is_empty() => {
            lacks("there is no charge", "add `[[charge]]` with `id = \"in/ipc#s302\"`")
        }
        Matter::Row { labels, .. } if labels.len() < 2 => {
            lacks("there are no labels", "a row has two or more")
        }
        _ => Ok(()),
    }
}

/// An answer, whatever was asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Label(String),
    Term(Sentence),
    Findings(Vec<(ProvisionId, Option<Finding>)>),
}

/// An answer with what the model says of its certainty (0 to 1) and of its reasons.
#[derive(Debug, Clone)]
struct Reply {
    answer: Answer,
    confidence: Option<f64>,
    reasons: String,
}

#[derive(Deserialize)]
struct RawFindings {
    findings: Vec<RawFinding>,
}

#[derive(Serialize)]
struct Words<'a> {
    method: Method,
    kind: &'static str,
    binary: bool,
    limit: usize,
    base_rate: &'a str,
}

/// Asks.
///
/// # Errors
/// If the session cannot go on.
pub async fn hold(
    session: &Session,
    config: &RunConfig,
    options: &Options,
) -> Result<Decision, SessionError> {
    let single = Single { session, config, options, case: session.case() };
    let actor = session.actor("single", "single");
    if let Some(shots) = &single.case.shots {
        let mut entries: Vec<String> = shots.list.iter().map(|s| s.id.clone()).collect();
        entries.push(format!(
            "{} of {} rows dropped, because they are this case or nearly so; examples found by {}",
            shots.dropped, shots.of, shots.by
        ));
        let body = Body::Memory { action: "recalled".to_owned(), entries };
        session.record(&actor, "examples", None, body)?;
    }
    let decision = if options.method == Method::SelfConsistency {
        single.consistent(&actor).await?
    } else {
        let reply = single.ask(&actor, 0).await?;
        single.decision(reply, Vec::new())
    };
    if let Decision::Charges { charges, hung, rounds, .. } = &decision {
        let body = Body::Verdict { charges: charges.clone(), hung: *hung, rounds: *rounds };
        session.record(&actor, "verdict", None, body)?;
    } else {
        session.record(&actor, "verdict", None, Body::Decision(decision.clone()))?;
    }
    Ok(decision)
}

/// What a case asks and holds, as a text that a model reads as data: for the question itself and for examples.
///
/// # Errors
/// If a prompt does not render.
pub fn question_text<E>(
    text: &impl Fn(&str, &Value) -> Result<String, E>,
    case: &Case,
    called: &impl Fn(&ProvisionId) -> Option<String>,
) -> Result<String, E> {
    let shown = |p: &Premise| match &p.id {
        Some(id) if p.text.is_empty() => called(id).unwrap_or_else(|| id.to_string()),
        Some(id) => format!("[{id}] {}", p.text),
        None => p.text.clone(),
    };
    let mut context = json!({
        "kind": kind(&case.matter),
        "facts": case.facts,
        "charges": charges(case, called),
        "evidence": evidence(case),
        "offence_date": case.offence_date.map(|d| d.to_string()),
        "question": "", "labels": [], "accusation": "", "articles": [], "premises": [], "hypothesis": "",
    });
    let mut put = |key: &str, value: Value| {
        if let Some(slot) = context.get_mut(key) {
            *slot = value;
        }
    };
    match &case.matter {
        Matter::Charges => {}
        Matter::Sentence { accusation, articles } => {
            put("accusation", json!(accusation));
            put("articles", json!(articles.iter().map(shown).collect::<Vec<_>>()));
        }
        Matter::Row { question, labels, .. } => {
            put("question", json!(question));
            put("labels", json!(labels));
        }
        Matter::Entailment { premises, hypothesis } => {
            put("premises", json!(premises.iter().map(shown).collect::<Vec<_>>()));
            put("hypothesis", json!(hypothesis));
        }
    }
    text("single/single#case", &context)
}

fn kind(matter: &Matter) -> &'static str {
    match matter {
        Matter::Charges => "charges",
        Matter::Sentence { .. } => "sentence",
        Matter::Row { .. } => "row",
        Matter::Entailment { .. } => "entailment",
    }
}

struct Single<'s> {
    session: &'s Session,
    config: &'s RunConfig,
    options: &'s Options,
    case: &'s Case,
}

impl Single<'_> {
    fn binary(&self) -> bool {
        matches!(&self.case.matter, Matter::Row { labels, .. } if labels.len() == 2)
    }

    fn words(&self, limit: usize) -> Words<'_> {
        let base_rate = match &self.case.matter {
            Matter::Row { base_rate, .. } => base_rate.as_str(),
            _ => "",
        };
        Words {
            method: self.options.method,
            kind: kind(&self.case.matter),
            binary: self.binary(),
            limit,
            base_rate,
        }
    }

    /// The fields of the reasoning that the method asks for.
    fn thoughts(&self, chars: usize) -> Vec<(&'static str, Value)> {
        let text = text_schema;
        match self.options.method {
            Method::Standard | Method::Fewshot => Vec::new(),
            Method::Cot | Method::SelfConsistency => vec![("reasoning", text(chars))],
            Method::WeightedCot => vec![
                (
                    "factors",
                    json!({
                        "type": "array", "minItems": 1, "maxItems": 6,
                        "items": object(&[
                            ("factor", text(chars / 8)),
                            ("weight", json!({"type": "string", "enum": ["low", "medium", "high"]})),
                            ("effect", text(chars / 10)),
                        ]),
                    }),
                ),
                ("reasoning", text(chars / 2)),
            ],
            Method::Syllogism => vec![
                ("major_premise", text(chars / 2)),
                ("minor_premise", text(chars / 2)),
                ("conclusion_reasoning", text(chars / 2)),
            ],
            Method::Irac => vec![
                ("issue", text(chars / 4)),
                ("rule", text(chars / 2)),
                ("application", text(chars / 2)),
                ("conclusion_reasoning", text(chars / 4)),
            ],
        }
    }

    /// The fields of the answer.
    fn answer_fields(&self) -> Vec<(&'static str, Value)> {
        let confidence = ("confidence", json!({"type": "integer", "minimum": 0, "maximum": 100}));
        match &self.case.matter {
            Matter::Sentence { .. } => vec![
                (
                    "class",
                    json!({"type": "string", "enum": ["fixed", "exempt", "acquittal", "life", "death", "death_with_reprieve"]}),
                ),
                ("months", json!({"type": "integer", "minimum": 0, "maximum": 300})),
            ],
            Matter::Row { labels, .. } if labels.len() == 2 => {
                vec![("prediction", json!({"type": "string", "enum": ["YES", "NO"]})), confidence]
            }
            Matter::Row { labels, .. } => {
                vec![("prediction", json!({"type": "string", "enum": labels})), confidence]
            }
            Matter::Entailment { .. } => vec![("answer", json!({"type": "string", "enum": ["Y", "N"]}))],
            Matter::Charges => {
                let charges: Vec<String> = self.case.charges.iter().map(|c| c.id.to_string()).collect();
                let item = object(&[
                    ("charge", json!({"type": "string", "enum": charges})),
                    (
                        "finding",
                        json!({"type": "string", "enum": ["guilty", "not_guilty", "lesser_offence"]}),
                    ),
                    ("offence", json!({"type": "string", "maxLength": 60})),
                ]);
                vec![(
                    "findings",
                    json!({"type": "array", "minItems": charges.len(), "maxItems": charges.len(), "items": item}),
                )]
            }
        }
    }

    fn read(&self, raw: &str) -> Reading<Reply> {
        let reasons = reasons(raw);
        let reply = |answer, confidence: Option<f64>| Reply {
            answer,
            confidence: confidence.map(|percent| percent / 100.0),
            reasons: reasons.clone(),
        };
        match &self.case.matter {
            Matter::Row { labels, .. } => match labels.as_slice() {
                [yes, no] => read_verdict(raw).map(|v| {
                    let label = if v.prediction == Label::Yes { yes } else { no };
                    reply(Answer::Label(label.clone()), v.confidence)
                }),
                _ => read_choice(raw, labels).map(|(label, c)| reply(Answer::Label(label), c)),
            },
            Matter::Entailment { .. } => read_yes_no(raw).map(|v| {
                let label = if v.prediction == Label::Yes { "Y" } else { "N" };
                reply(Answer::Label(label.to_owned()), None)
            }),
            Matter::Sentence { .. } => {
                let term = read_term(raw);
                let value = match term.class {
                    TermClass::None | TermClass::Range => None,
                    class => Some(reply(Answer::Term(Sentence { class, months: term.months }), None)),
                };
                let stage = if value.is_some() { term.stage } else { Stage::NoDecision };
                let mut notes = term.notes;
                if term.class == TermClass::Range {
                    notes.push("a range is no single term".to_owned());
                }
                Reading { value, stage, notes }
            }
            Matter::Charges => {
                let read = read_json::<RawFindings>(raw);
                let stage = read.stage;
                let notes = read.notes;
                let Some(raw) = read.value else { return Reading { value: None, stage, notes } };
                let findings: Vec<_> = self
                    .case
                    .charges
                    .iter()
                    .map(|c| (c.id.clone(), self.finding(&c.id, &raw.findings)))
                    .collect();
                if findings.iter().all(|(_, f)| f.is_none()) {
                    return Reading::no_decision("no finding can be read");
                }
                Reading { value: Some(reply(Answer::Findings(findings), None)), stage, notes }
            }
        }
    }

    fn finding(&self, charge: &ProvisionId, raw: &[RawFinding]) -> Option<Finding> {
        let only = self.case.charges.len() == 1 && raw.len() == 1;
        let raw = raw.iter().find(|f| {
            let text = f.charge.trim();
            text == charge.to_string()
                || self.session.provision_named(text).as_ref() == Some(charge)
                || (only && text.is_empty())
        })?;
        match raw.finding.trim().to_lowercase().replace([' ', '-'], "_").as_str() {
            "guilty" | "有罪" => Some(Finding::Guilty),
            "not_guilty" | "无罪" => Some(Finding::NotGuilty),
            "lesser_offence" | "lesser" | "轻罪" => {
                let offence = self.session.provision_named(raw.offence.as_deref()?)?;
                (offence != *charge).then_some(Finding::Lesser { offence })
            }
            _ => None,
        }
    }

    /// One question, read and recorded.
    async fn ask(&self, actor: &Actor, sample: u32) -> Result<Option<Reply>, SessionError> {
        let session = self.session;
        let chars = chars(session, self.config);
        let words = self.words(limit(session, chars));
        let mut fields = self.thoughts(chars);
        let thinking = match self.options.method {
            Method::Standard | Method::Fewshot => 0,
            Method::WeightedCot => chars * 2 + 200,
            _ => chars * 3 / 2,
        };
        fields.extend(self.answer_fields());
        let question = question_text(&|block, context| session.text(block, context), self.case, &|id| {
            session.called(id)
        })?;
        let mut ask = session.ask(actor, "answer").sample(sample).system_pieces(session.render(
            "single/single#system",
            &words,
            &[],
        )?);
        if let Some(shots) = &self.case.shots
            && self.options.method == Method::Fewshot
        {
            let mut shown = Vec::with_capacity(shots.list.len());
            for shot in &shots.list {
                let entry = BTreeMap::from([("question", &shot.question), ("answer", &shot.answer)]);
                shown.push(session.text("single/single#example", &entry)?);
            }
            ask = ask.pieces(session.render("single/single#examples", &words, &[("examples", shown)])?);
        }
        let findings = self.case.charges.len() * 220;
        let answer = ask
            .pieces(session.render("single/single#question", &words, &[("case", vec![question])])?)
            .pieces(session.render("single/single#task", &words, &[])?)
            .schema("answer", object(&fields))
            .max_tokens(tokens(session, self.config, &actor.role, thinking + findings + 60))
            .send_read(|raw| self.read(raw), |_| Ok(()))
            .await?;
        let stage = answer.reading.stage.as_str().to_owned();
        let reply = answer.reading.value;
        let statement = session.statement(reply.as_ref().map_or("", |r| r.reasons.as_str()), &[]);
        let body = match (&self.case.matter, &reply) {
            (Matter::Sentence { .. }, reply) => {
                let sentence = reply.as_ref().and_then(|r| match &r.answer {
                    Answer::Term(s) => Some(*s),
                    _ => None,
                });
                Body::Sentence { sentence, statement, stage }
            }
            (Matter::Charges, reply) => {
                let none = || self.case.charges.iter().map(|c| (c.id.clone(), None)).collect();
                let findings = match reply.as_ref().map(|r| &r.answer) {
                    Some(Answer::Findings(f)) => f.clone(),
                    _ => none(),
                };
                Body::Position { ballot: Ballot { findings, stage }, statement }
            }
            (_, reply) => {
                let label = reply.as_ref().and_then(|r| match &r.answer {
                    Answer::Label(l) => Some(l.clone()),
                    _ => None,
                });
                Body::Answer { label, statement, agrees: None, stage }
            }
        };
        session.record(actor, "answer", Some(sample), body)?;
        Ok(reply)
    }

    /// The most frequent of several answers.
    async fn consistent(&self, actor: &Actor) -> Result<Decision, SessionError> {
        let mut replies = Vec::new();
        match self.options.match_tokens {
            None => {
                let jobs = (0..self.options.samples).map(|i| self.ask(actor, i)).collect();
                replies = self.session.together("single", jobs).await?;
            }
            Some(budget) => {
                let mut dearest = 0;
                let mut before = 0;
                while count(replies.len()) < MOST_SAMPLES {
                    replies.push(self.ask(actor, count(replies.len())).await?);
                    let counts = self.session.counts();
                    if counts.unmeasured > 0 && count(replies.len()) >= self.options.samples {
                        let text = format!(
                            "nobody measured the tokens, so the budget of {budget} cannot be matched; {} samples were taken",
                            replies.len()
                        );
                        self.session.record(actor, "answer", None, Body::Discrepancy { text })?;
                        break;
                    }
                    let spent = counts.prompt_tokens + counts.completion_tokens;
                    dearest = dearest.max(spent - before);
                    before = spent;
                    if counts.unmeasured == 0 && spent + dearest > budget {
                        break;
                    }
                }
            }
        }
        let of = count(replies.len());
        let answers: Vec<&Reply> = replies.iter().flatten().collect();
        let mut groups: BTreeMap<&Answer, u32> = BTreeMap::new();
        for reply in &answers {
            *groups.entry(&reply.answer).or_default() += 1;
        }
        let most = groups.values().copied().max().unwrap_or(0);
        let top: Vec<&Answer> = groups.iter().filter(|(_, n)| **n == most).map(|(a, _)| *a).collect();
        let chosen = match top.as_slice() {
            [one] => Some((*one).clone()),
            _ => median_term(&answers),
        };
        let body = Body::Tally {
            rule: "samples".to_owned(),
            points: groups.iter().map(|(a, n)| (name(a), *n)).collect(),
            of,
            reached: chosen.is_some(),
        };
        self.session.record(actor, "tally", None, body)?;
        let why = match (&chosen, answers.is_empty()) {
            (None, false) => vec![format!("no answer is the most frequent of {of} samples")],
            _ => Vec::new(),
        };
        let mut decision = self
            .decision(chosen.map(|answer| Reply { answer, confidence: None, reasons: String::new() }), why);
        if let Decision::Label { label: None, outcome, .. } = &mut decision
            && !answers.is_empty()
        {
            "split".clone_into(outcome);
        }
        Ok(decision)
    }

    fn decision(&self, reply: Option<Reply>, mut for_a_human: Vec<String>) -> Decision {
        let confidence = reply.as_ref().and_then(|r| r.confidence);
        let answer = reply.map(|r| r.answer);
        if answer.is_none() && for_a_human.is_empty() {
            for_a_human.push("the answer cannot be read".to_owned());
        }
        match (&self.case.matter, answer) {
            (Matter::Sentence { .. }, answer) => {
                let sentence = match answer {
                    Some(Answer::Term(s)) => Some(s),
                    _ => None,
                };
                Decision::Term { sentence, consensus: sentence.is_some(), rounds: 0 }
            }
            (Matter::Charges, answer) => {
                let findings = match answer {
                    Some(Answer::Findings(f)) => f,
                    _ => self.case.charges.iter().map(|c| (c.id.clone(), None)).collect(),
                };
                let charges: Vec<ChargeVerdict> = findings
                    .into_iter()
                    .map(|(charge, finding)| ChargeVerdict {
                        votes: u32::from(finding.is_some()),
                        charge,
                        finding,
                        of: 1,
                    })
                    .collect();
                let hung = charges.iter().any(|c| c.finding.is_none());
                Decision::Charges { charges, hung, rounds: 0, judgment: None }
            }
            (_, answer) => {
                let label = match answer {
                    Some(Answer::Label(l)) => Some(l),
                    _ => None,
                };
                let outcome = if label.is_some() { "decided" } else { "no_decision" }.to_owned();
                Decision::Label { label, outcome, confidence, for_a_human, rounds: 0 }
            }
        }
    }
}

/// Where no sentence is the most frequent: the lower median of the fixed terms, if all answers are fixed terms.
fn median_term(answers: &[&Reply]) -> Option<Answer> {
    let mut months: Vec<u32> = answers
        .iter()
        .map(|r| match &r.answer {
            Answer::Term(Sentence { class: TermClass::Fixed, months }) => *months,
            _ => None,
        })
        .collect::<Option<_>>()?;
    months.sort_unstable();
    let middle = months.get(months.len().checked_sub(1)? / 2).copied()?;
    Some(Answer::Term(Sentence { class: TermClass::Fixed, months: Some(middle) }))
}

fn name(answer: &Answer) -> String {
    match answer {
        Answer::Label(l) => l.clone(),
        Answer::Term(s) => term_name(s),
        Answer::Findings(f) => f
            .iter()
            .map(|(charge, finding)| match finding {
                Some(Finding::Guilty) => format!("{charge}: guilty"),
                Some(Finding::NotGuilty) => format!("{charge}: not guilty"),
                Some(Finding::Lesser { offence }) => format!("{charge}: {offence}"),
                None => format!("{charge}: none"),
            })
            .collect::<Vec<_>>()
            .join("; "),
    }
}

/// A sentence in a word: `18 months`, `life`.
#[must_use]
pub fn term_name(sentence: &Sentence) -> String {
    match (sentence.class, sentence.months) {
        (TermClass::Fixed, Some(months)) => format!("{months} months"),
        (class, _) => {
            serde_json::to_value(class).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
        }
    }
}

/// The reasons in a reply: the longest of its fields of words, or running text itself.
fn reasons(raw: &str) -> String {
    let fields = read_json::<BTreeMap<String, Value>>(raw).value;
    let Some(fields) = fields else {
        return if raw.trim_start().starts_with(['{', '[']) { String::new() } else { one_line(raw) };
    };
    let parts = [
        "issue",
        "rule",
        "application",
        "major_premise",
        "minor_premise",
        "reasoning",
        "conclusion_reasoning",
    ];
    let said: Vec<&str> = parts.iter().filter_map(|k| fields.get(*k).and_then(Value::as_str)).collect();
    one_line(&said.join(" "))
}
