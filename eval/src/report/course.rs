//! The course of a trial: its steps, and what happened in each.

use nyaya_agents::event::{Body, Event, Statement};
use nyaya_retrieval::Hit;

use super::law::Law;
use super::names;
use super::statement::statement_view;
use super::text;
use super::trial::TrialContext;
use super::view::{HitView, ItemView, StepView};
use crate::transcript::Trial;

/// The steps of a trial with what happened in them, and apart from them what belongs to the judgment.
///
/// What an agent looked up stands right before its next statement, where a reader wants it, although a protocol
/// may look everything up in one step.
pub fn course(trial: &Trial, context: &TrialContext, law: &mut Law) -> (Vec<StepView>, Vec<ItemView>) {
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
fn hit_view(hit: &Hit, law: &mut Law, context: &TrialContext) -> HitView {
    law.entry(&hit.id, hit.version, Some(hit));
    let mut link = law.link(&hit.id, context);
    if link.heading.is_empty() {
        link.heading = hit.heading.clone().unwrap_or_default();
    }
    HitView { link, rank: hit.rank, exact: hit.exact }
}
