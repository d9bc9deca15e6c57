//! How a member is asked, and how what it says enters the record.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use super::super::shared::{CITE_CHARS, chars, count, limit, one_line, others, tokens};
use super::sentence::class_name;
use super::{Bench, MOST_CITES, Member, Personas};
use crate::event::{Body, Sentence, Statement};
use crate::session::{Ask, SessionError};

/// What a template can say in its own words.
#[derive(Serialize, Default)]
pub(super) struct Words {
    pub(super) limit: usize,
    pub(super) round: u32,
    pub(super) rounds: u32,
    pub(super) bench: u32,
    pub(super) law: bool,
    pub(super) agreed: bool,
    pub(super) queries: usize,
    pub(super) judges: u32,
    pub(super) lay: u32,
}

/// An entry of the record as the prompts show it.
#[derive(Serialize, Default)]
struct Entry<'a> {
    kind: &'a str,
    round: u32,
    role: &'a str,
    number: u32,
    text: String,
    cites: Vec<String>,
    to_role: &'a str,
    to_number: u32,
    class: &'a str,
    months: u32,
}

impl<'s> Bench<'s> {
    pub(super) fn words(&self, chars: usize) -> Words {
        Words {
            limit: limit(self.session, chars),
            bench: count(self.members.len()),
            rounds: self.rounds,
            judges: self.options.judges,
            lay: self.options.lay,
            ..Words::default()
        }
    }

    pub(super) fn chars(&self, percent: usize) -> usize {
        (chars(self.session, self.config) * percent / 100).max(40)
    }

    /// Begins a question: what is common to all first, what is the agent's own last.
    pub(super) fn question(
        &self,
        member: &Member,
        step: &str,
        block: &str,
        words: &Words,
    ) -> Result<Ask<'s>, SessionError> {
        let session = self.session;
        let mut ask = session.ask(&member.actor, step).round(words.round).system_pieces(session.render(
            "agentsbench/common#system",
            &BTreeMap::from([("example", self.example.as_str())]),
            &[],
        )?);
        let joined = |parts: &[String], by: &str| -> Vec<String> {
            if parts.is_empty() { Vec::new() } else { vec![parts.join(by)] }
        };
        for (label, entries) in [
            ("offence", vec![self.articles.clone()]),
            ("facts", vec![self.facts.clone()]),
            ("record", self.record.clone()),
            ("law", joined(&member.law, "\n\n")),
            ("memory", joined(&member.recalled, "\n")),
            ("notes", member.notes.clone()),
        ] {
            ask = others(session, ask, &format!("agentsbench/common#{label}"), label, entries)?;
        }
        let role = json!({"number": member.number, "bench": words.bench});
        let persona = if member.persona.is_empty() { vec![] } else { vec![member.persona.clone()] };
        let who = if persona.is_empty() || self.options.personas == Personas::Pool {
            // The pool is the program's own text.
            let role = json!({"number": member.number, "bench": words.bench, "persona": member.persona});
            session.render(&format!("agentsbench/{}#role", member.actor.role), &role, &[])?
        } else {
            session.render(
                &format!("agentsbench/{}#role-written", member.actor.role),
                &role,
                &[("persona", persona)],
            )?
        };
        Ok(ask.pieces(who).pieces(session.render(&format!("agentsbench/steps#{block}"), words, &[])?))
    }

    pub(super) fn tokens(&self, member: &Member, chars: usize) -> u32 {
        // Ids are of Roman letters in every language: two characters a token at least.
        let ids = MOST_CITES * (CITE_CHARS + 4) / 2;
        let text = tokens(self.session, self.config, &member.actor.role, chars);
        if self.config.max_tokens.contains_key(&member.actor.role) {
            text
        } else {
            text.saturating_add(u32::try_from(ids).unwrap_or(u32::MAX))
        }
    }

    pub(super) fn problem(&self, kind: &str) -> Result<String, SessionError> {
        self.session.text("agentsbench/common#problem", &BTreeMap::from([("kind", kind)]))
    }

    /// What is said of a text: all of it, but for a last sentence that the schema's limit broke off.
    pub(super) fn whole(
        &self,
        member: &Member,
        step: &str,
        text: &str,
        most: usize,
    ) -> Result<String, SessionError> {
        self.session.whole_sentences(&member.actor, step, text, most)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of an entry, named at the few places that use them"
    )]
    pub(super) fn entry(
        &self,
        member: &Member,
        kind: &str,
        round: u32,
        text: &str,
        cites: &[String],
        to: Option<&Member>,
        sentence: Option<Sentence>,
    ) -> Result<String, SessionError> {
        let entry = Entry {
            kind,
            round,
            role: &member.actor.role,
            number: member.number,
            text: one_line(text),
            cites: cites.iter().map(|c| one_line(c)).collect(),
            to_role: to.map_or("", |m| m.actor.role.as_str()),
            to_number: to.map_or(0, |m| m.number),
            class: sentence.map_or("", |s| class_name(s.class)),
            months: sentence.and_then(|s| s.months).unwrap_or(0),
        };
        self.session.text("agentsbench/common#entry", &entry)
    }

    pub(super) fn public(
        &self,
        member: &Member,
        step: &str,
        round: u32,
        text: &str,
        cites: &[String],
    ) -> Result<(), SessionError> {
        let statement: Statement = self.session.statement(text, cites);
        self.session.record(&member.actor, step, Some(round), Body::Public(statement))
    }
}
