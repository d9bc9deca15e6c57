//! A statement with its citations.

use nyaya_agents::event::{Ballot, CheckedCitation, Event, Finding, Statement};

use super::law::Law;
use super::names::{self, Language};
use super::text;
use super::trial::TrialContext;
use super::view::{ChipView, CiteView, FindingView, Link, StatementView};
use crate::audit::{verdict_mark, verdict_name};

pub fn finding_view(finding: Option<&Finding>, law: &mut Law, context: &TrialContext) -> FindingView {
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

pub fn statement_view(
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
