//! Who the members are, and what law they look up.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use super::super::shared::{
    QUERY_CHARS, Queries, limit, object, one_line, passages, queries_schema, room, text_schema,
};
use super::asking::Words;
use super::{Bench, Member, Personas};
use crate::event::Body;
use crate::session::SessionError;

#[derive(Debug, Deserialize)]
struct Written {
    personas: Vec<WrittenPersona>,
}

#[derive(Debug, Deserialize)]
struct WrittenPersona {
    member: String,
    persona: String,
}

impl Bench<'_> {
    /// Who the members are: lay judges from the pool, or everybody as the model writes them.
    pub(super) async fn personas(&mut self) -> Result<(), SessionError> {
        let lay = self.members.iter().filter(|m| m.is_lay()).count();
        let mut pool = self.session.personas_of("agentsbench/personas", "personas", lay).into_iter();
        for member in self.members.iter_mut().filter(|m| m.is_lay()) {
            member.persona = pool.next().unwrap_or_default();
        }
        if self.options.personas == Personas::Written {
            self.write_personas().await?;
        }
        for member in self.members.iter().filter(|m| !m.persona.is_empty()) {
            self.session.record(
                &member.actor,
                "start",
                None,
                Body::Persona { text: member.persona.clone() },
            )?;
        }
        Ok(())
    }

    async fn write_personas(&mut self) -> Result<(), SessionError> {
        let session = self.session;
        let names: Vec<String> = self.members.iter().map(|m| m.actor.agent.clone()).collect();
        let most = self.chars(40);
        let one = object(&[
            ("member", json!({"type": "string", "enum": names})),
            ("persona", text_schema(room(most))),
        ]);
        let schema = object(&[(
            "personas",
            json!({"type": "array", "minItems": names.len(), "maxItems": names.len(), "items": one}),
        )]);
        let words = json!({"limit": limit(session, most), "members": names});
        let Some(presiding) = self.members.first() else { return Ok(()) };
        // Without the case: who sits must not depend on who is tried.
        let answer = session
            .ask(&presiding.actor, "personas")
            .system_pieces(session.render(
                "agentsbench/common#system",
                &BTreeMap::from([("example", &self.example)]),
                &[],
            )?)
            .pieces(session.render("agentsbench/steps#personas", &words, &[])?)
            .schema("personas", schema)
            .max_tokens(self.tokens(presiding, names.len() * (room(most) + 40)))
            .send::<Written>()
            .await?;
        for written in answer.reading.value.into_iter().flat_map(|w| w.personas) {
            let text = one_line(&written.persona);
            if let Some(member) = self.members.iter_mut().find(|m| m.actor.agent == written.member.trim())
                && !text.is_empty()
            {
                member.persona = text;
            }
        }
        Ok(())
    }

    /// Those who may look law up.
    pub(super) async fn research(&mut self) -> Result<(), SessionError> {
        let may = |m: &Member| {
            let name = if m.actor.role == "judge" { "judges" } else { m.actor.role.as_str() };
            self.config.rag.iter().any(|r| r == name)
        };
        let asked: Vec<usize> =
            self.members.iter().enumerate().filter(|(_, m)| may(m)).map(|(i, _)| i).collect();
        let jobs = asked.iter().filter_map(|i| self.members.get(*i)).map(|m| self.look_up(m)).collect();
        let laws = self.session.together("judge", jobs).await?;
        for (i, law) in asked.into_iter().zip(laws) {
            if let Some(member) = self.members.get_mut(i) {
                member.law = law;
            }
        }
        Ok(())
    }

    async fn look_up(&self, member: &Member) -> Result<Vec<String>, SessionError> {
        let n = self.config.queries.unwrap_or(1);
        let words = Words { queries: n, ..self.words(0) };
        let answer = self
            .question(member, "queries", "queries", &words)?
            .schema("queries", queries_schema(n))
            .max_tokens(self.tokens(member, n * (QUERY_CHARS + 4)))
            .send::<Queries>()
            .await?;
        let mut hits = Vec::new();
        let queries = answer.reading.value.map(|q| q.queries).unwrap_or_default();
        for query in queries.iter().map(|q| q.trim()).filter(|q| !q.is_empty()).take(n) {
            for hit in self.session.search(&member.actor, "queries", query).await? {
                if hits.len() < self.config.k && !hits.iter().any(|h: &nyaya_retrieval::Hit| h.id == hit.id) {
                    hits.push(hit);
                }
            }
        }
        Ok(passages(&hits))
    }
}
