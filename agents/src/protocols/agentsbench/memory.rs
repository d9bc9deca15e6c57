//! What is recalled of earlier cases, and what is kept of this one.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::shared::{object, one_line, room, text_schema};
use super::sentence::class_name;
use super::{Bench, Member, MemoryUse};
use crate::event::{Actor, Body, Sentence};
use crate::session::SessionError;

impl Bench<'_> {
    /// What each remembers of similar cases.
    pub(super) fn recall(&mut self) -> Result<(), SessionError> {
        if self.options.memory == MemoryUse::Off {
            return Ok(());
        }
        let query = format!("{}\n{}", self.articles, self.facts);
        let most = usize::try_from(self.options.recall).unwrap_or(usize::MAX);
        for member in &mut self.members {
            member.recalled = self.session.recall(kind_of(&member.actor), &query, most);
            if !member.recalled.is_empty() {
                let body = Body::Memory { action: "recalled".to_owned(), entries: member.recalled.clone() };
                self.session.record(&member.actor, "start", None, body)?;
            }
        }
        Ok(())
    }

    /// What each keeps of the case for later ones.
    pub(super) async fn remember(&mut self, sentence: Option<Sentence>) -> Result<(), SessionError> {
        let term = json!({
            "class": sentence.map_or("", |s| class_name(s.class)),
            "months": sentence.and_then(|s| s.months).unwrap_or(0),
        });
        let jobs = self.members.iter().map(|m| self.memory(m, &term)).collect();
        self.session.together("judge", jobs).await?;
        Ok(())
    }

    async fn memory(&self, member: &Member, term: &Value) -> Result<(), SessionError> {
        let most = self.chars(40);
        let words = self.words(most);
        let fields: &[&str] =
            if member.is_lay() { &["observation"] } else { &["situation", "rule", "reasoning"] };
        let schema: Vec<(&str, Value)> = fields.iter().map(|f| (*f, text_schema(room(most)))).collect();
        let block = if member.is_lay() { "memory-lay" } else { "memory-judge" };
        let outcome = self.session.text("agentsbench/common#outcome", term)?;
        let answer = self
            .question(member, "memory", block, &words)?
            .pieces(self.session.render(
                "agentsbench/common#decided",
                &BTreeMap::<String, String>::new(),
                &[("decision", vec![outcome.clone()])],
            )?)
            .schema("memory", object(&schema))
            .max_tokens(self.tokens(member, fields.len() * room(most)))
            .send::<BTreeMap<String, String>>()
            .await?;
        let Some(said) = answer.reading.value else { return Ok(()) };
        let parts: Vec<String> = fields
            .iter()
            .filter_map(|f| said.get(*f))
            .map(|t| one_line(t))
            .filter(|t| !t.is_empty())
            .collect();
        if parts.is_empty() {
            return Ok(());
        }
        let entry = self
            .session
            .text("agentsbench/common#entry-memory", &json!({"parts": parts, "outcome": outcome}))?;
        self.session.remember(&member.actor, "memory", kind_of(&member.actor), one_line(&entry))
    }
}

/// Whose memory it is: judges share theirs, lay judges share theirs.
fn kind_of(actor: &Actor) -> &'static str {
    if actor.role == "lay" { "lay" } else { "judge" }
}
