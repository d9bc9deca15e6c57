//! A trial: what it is about, what it came to, and its parts.

use std::collections::BTreeMap;

use jiff::civil::Date;
use nyaya_agents::case::{Gold, Matter, Premise};
use nyaya_agents::event::{Body, Decision, Event};
use nyaya_corpora::ProvisionId;
use nyaya_retrieval::Hit;

use super::course::course;
use super::law::Law;
use super::names::{self, Language};
use super::numbers::{costs, failures, percent, trial_measures};
use super::relied::{audit_view, note_use};
use super::rounds::groups;
use super::statement::finding_view;
use super::text;
use super::view::{
    AgreementView, CaseView, ChargeView, DecisionView, GroupView, Speaker, TrialView, VerdictView,
};
use crate::audit::Audit;
use crate::measures::TrialMeasures;
use crate::transcript::Trial;

/// What the parts of one trial's page need to know of the whole.
pub struct TrialContext {
    pub found: BTreeMap<ProvisionId, (Date, Hit)>,
    pub day: Option<Date>,
    pub personas: BTreeMap<String, String>,
    pub language: Language,
    pub number: usize,
}

impl TrialContext {
    pub fn of(trial: &Trial, number: usize, language: Language) -> Self {
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

    pub fn speaker(&self, event: &Event) -> Speaker {
        Speaker {
            name: names::agent(&event.actor, self.language),
            class: names::role_class(&event.actor.role),
            persona: self.personas.get(&event.actor.agent).cloned().unwrap_or_default(),
        }
    }
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

/// What is asked, with the law that came with the question.
fn asked(matter: &Matter, language: Language) -> Vec<(&'static str, Vec<(String, String)>)> {
    let law = |given: &[Premise]| {
        let named = given.iter().enumerate().map(|(i, p)| {
            let name = p.id.as_ref().map_or_else(|| (i + 1).to_string(), ToString::to_string);
            (name, p.text.clone())
        });
        named.collect::<Vec<_>>()
    };
    let words = |text: &str| vec![(String::new(), text.to_owned())];
    let mut all = match matter {
        Matter::Charges => Vec::new(),
        Matter::Sentence { accusation, articles } => {
            vec![("accusation", words(accusation)), ("law_given", law(articles))]
        }
        Matter::Row { question, labels, .. } => {
            vec![("question", words(question)), ("labels", words(&labels.join(" · ")))]
        }
        Matter::Entailment { premises, hypothesis } => {
            vec![("law_given", law(premises)), ("hypothesis", words(hypothesis))]
        }
    };
    all.retain(|(_, rows)| rows.iter().any(|(_, text)| !text.trim().is_empty()));
    all.into_iter().map(|(key, rows)| (language.word(key), rows)).collect()
}

pub fn trial_view(
    trial: &Trial,
    number: usize,
    language: Language,
    law: &mut Law,
    several: bool,
) -> TrialView {
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
        asked: asked(&info.matter, language),
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
        decision: decision_view(trial, language).map(|mut view| {
            if let Some(gold) = trial.info.as_ref().and_then(|i| i.gold.as_ref()) {
                let answer = match gold {
                    Gold::Term(sentence) => names::sentence(Some(sentence), language),
                    Gold::Label(label) => label.clone(),
                };
                view.notes.push(format!("{}: {answer}", language.word("gold")));
            }
            view
        }),
        judgment,
        audit: audit_rows.iter().map(|row| audit_view(row, law, &context)).collect(),
        measures: if trial.is_finished() { trial_measures(&measured, language) } else { Vec::new() },
        cost: costs(&measured.cost, language),
        models: measured.models.clone(),
        failures: failures(trial, measured.failures, &measured.cost, language),
        steps,
    }
}
