//! Rows of the audit: which provisions an agent relied on.

use nyaya_corpora::ProvisionId;

use super::law::Law;
use super::names;
use super::trial::TrialContext;
use super::view::{AuditView, Link};
use crate::audit::{Row, VERDICTS, verdict_mark, verdict_name};

/// Writes at the text of a provision who found and cited it.
pub fn note_use(row: &Row, law: &mut Law, context: &TrialContext, trial: Option<&str>) {
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

pub fn audit_view(row: &Row, law: &mut Law, context: &TrialContext) -> AuditView {
    let language = context.language;
    let actor = nyaya_agents::event::Actor { role: row.role.clone(), agent: row.agent.clone() };
    let id = row.id.as_ref().and_then(|id| id.parse::<ProvisionId>().ok());
    let link = match &id {
        Some(id) => law.link(id, context),
        None => Link { id: String::new(), name: String::new(), heading: String::new(), href: None },
    };
    let chinese = id.as_ref().is_some_and(|id| law.is_chinese(&id.work));
    let mut notes = Vec::new();
    if row.not_retrieved_by_itself {
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
