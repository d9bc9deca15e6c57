//! A round: the discussion, the presiding judge's reading of it, and what each keeps for itself.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use super::super::shared::{Said, limit, object, one_line, room, said_schema, text_schema};
use super::asking::Words;
use super::{Bench, MOST_CITES, Member};
use crate::event::Body;
use crate::session::SessionError;

#[derive(Debug, Deserialize)]
struct Question {
    #[serde(default)]
    remark: String,
    to: String,
    question: String,
}

#[derive(Debug, Deserialize)]
struct Thought {
    thought: String,
    #[serde(default)]
    plan: String,
}

#[derive(Debug, Deserialize)]
struct Agreement {
    reason: String,
    consensus: bool,
}

impl Bench<'_> {
    /// A plan before the first sentence, or a reflection after a round; each agent's own.
    pub(super) async fn think(&mut self, what: &'static str, round: u32) -> Result<(), SessionError> {
        let jobs = self.members.iter().map(|m| self.thought(m, what, round)).collect();
        let notes = self.session.together("judge", jobs).await?;
        for (member, note) in self.members.iter_mut().zip(notes) {
            member.notes.extend(note);
        }
        Ok(())
    }

    async fn thought(&self, member: &Member, what: &str, round: u32) -> Result<Option<String>, SessionError> {
        let most = self.chars(50);
        let step = if round == 0 { what.to_owned() } else { format!("{what}-{round}") };
        let text = text_schema(room(most));
        let schema = if what == "plan" {
            object(&[("thought", text)])
        } else {
            object(&[("thought", text.clone()), ("plan", text)])
        };
        let words = Words { round, ..self.words(most) };
        let answer = self
            .question(member, &step, what, &words)?
            .schema(what, schema)
            .max_tokens(self.tokens(member, 2 * room(most)))
            .send::<Thought>()
            .await?;
        let Some(said) = answer.reading.value else { return Ok(None) };
        let (thought, plan) = (one_line(&said.thought), one_line(&said.plan));
        if what == "plan" {
            self.session.record(&member.actor, &step, Some(round), Body::Plan { text: thought.clone() })?;
        } else {
            self.session.record(
                &member.actor,
                &step,
                Some(round),
                Body::Reflection { text: thought.clone() },
            )?;
            if !plan.is_empty() {
                self.session.record(&member.actor, &step, Some(round), Body::Plan { text: plan.clone() })?;
            }
        }
        let note = json!({"kind": what, "round": round, "text": thought, "plan": plan});
        Ok(Some(self.session.text("agentsbench/common#note", &note)?))
    }

    /// The discussion of a round: opened and summed up by the presiding judge.
    pub(super) async fn discuss(&mut self, round: u32) -> Result<(), SessionError> {
        self.preside("open", round).await?;
        let asked: Vec<_> = self.members.iter().skip(1).map(|m| self.ask_another(m, round)).collect();
        let asked = self.session.together("judge", asked).await?;
        // Who was asked what, by whom, in the order in which it was asked.
        let mut put: Vec<(usize, String)> = Vec::new();
        for (entry, to) in asked.into_iter().flatten() {
            put.extend(to.map(|to| (to, entry.clone())));
            self.record.push(entry);
        }
        let jobs = self
            .members
            .iter()
            .enumerate()
            .filter_map(|(i, m)| {
                let mine: Vec<String> =
                    put.iter().filter(|(to, _)| *to == i).map(|(_, e)| e.clone()).collect();
                (!mine.is_empty()).then(|| self.answer(m, mine, round))
            })
            .collect();
        let answers = self.session.together("judge", jobs).await?;
        self.record.extend(answers.into_iter().flatten());
        self.preside("summary", round).await
    }

    /// The presiding judge opens or sums up a discussion.
    async fn preside(&mut self, what: &'static str, round: u32) -> Result<(), SessionError> {
        let Some(presiding) = self.members.first() else { return Ok(()) };
        let most = self.chars(if what == "open" { 50 } else { 100 });
        let step = format!("{what}-{round}");
        let words = Words { round, ..self.words(most) };
        let empty = self.problem("empty")?;
        let answer = self
            .question(presiding, &step, what, &words)?
            .schema(what, said_schema(most, MOST_CITES))
            .max_tokens(self.tokens(presiding, room(most)))
            .send_checked(|s: &Said| s.check(&empty))
            .await?;
        let Some(said) = answer.reading.value.filter(Said::says) else {
            return Ok(());
        };
        let text = self.whole(presiding, &step, &said.statement, room(most))?;
        self.public(presiding, &step, round, &text, &said.cites)?;
        let entry = self.entry(presiding, what, round, &text, &said.cites, None, None)?;
        self.record.push(entry);
        Ok(())
    }

    /// A remark and a question to another member; the entry, and whom it is put to.
    async fn ask_another(
        &self,
        member: &Member,
        round: u32,
    ) -> Result<Option<(String, Option<usize>)>, SessionError> {
        let most = self.chars(40);
        let step = format!("question-{round}");
        let others: Vec<&str> = self
            .members
            .iter()
            .map(|m| m.actor.agent.as_str())
            .filter(|a| *a != member.actor.agent)
            .collect();
        let text = text_schema(room(most));
        let schema = object(&[
            ("remark", text.clone()),
            ("to", json!({"type": "string", "enum": others})),
            ("question", text),
        ]);
        let words = json!({
            "limit": limit(self.session, most), "round": round, "members": others,
        });
        let none = Words { round, ..self.words(most) };
        let answer = self
            .question(member, &step, "question-intro", &none)?
            .pieces(self.session.render("agentsbench/steps#question", &words, &[])?)
            .schema("question", schema)
            .max_tokens(self.tokens(member, 2 * room(most) + 40))
            .send::<Question>()
            .await?;
        let Some(said) = answer.reading.value else { return Ok(None) };
        let to = self
            .members
            .iter()
            .position(|m| m.actor.agent == said.to.trim() && m.actor.agent != member.actor.agent);
        let remark = self.whole(member, &step, &said.remark, room(most))?;
        let question = self.whole(member, &step, &said.question, room(most))?;
        let text = [remark.trim(), question.trim()].join(" ").trim().to_owned();
        if text.is_empty() {
            return Ok(None);
        }
        self.public(member, &step, round, &text, &[])?;
        let asked = to.and_then(|i| self.members.get(i));
        Ok(Some((self.entry(member, "question", round, &text, &[], asked, None)?, to)))
    }

    async fn answer(
        &self,
        member: &Member,
        questions: Vec<String>,
        round: u32,
    ) -> Result<Option<String>, SessionError> {
        let most = self.chars(50);
        let step = format!("answer-{round}");
        let words = Words { round, ..self.words(most) };
        let asked = self.session.render(
            "agentsbench/common#questions",
            &BTreeMap::<String, String>::new(),
            &[("questions", vec![questions.join("\n")])],
        )?;
        let answer = self
            .question(member, &step, "answer", &words)?
            .pieces(asked)
            .schema("answer", said_schema(most, MOST_CITES))
            .max_tokens(self.tokens(member, room(most)))
            .send::<Said>()
            .await?;
        let Some(said) = answer.reading.value.filter(Said::says) else {
            return Ok(None);
        };
        let text = self.whole(member, &step, &said.statement, room(most))?;
        self.public(member, &step, round, &text, &said.cites)?;
        Ok(Some(self.entry(member, "answer", round, &text, &said.cites, None, None)?))
    }

    /// The presiding judge's own reading of positions and rationales. What cannot be read is no agreement.
    pub(super) async fn agree(&mut self, round: u32) -> Result<bool, SessionError> {
        let Some(presiding) = self.members.first() else { return Ok(false) };
        let most = self.chars(50);
        let step = format!("consensus-{round}");
        let words = Words { round, ..self.words(most) };
        let schema =
            object(&[("reason", text_schema(room(most))), ("consensus", json!({"type": "boolean"}))]);
        let answer = self
            .question(presiding, &step, "consensus", &words)?
            .schema("consensus", schema)
            .max_tokens(self.tokens(presiding, room(most) + 20))
            .send::<Agreement>()
            .await?;
        let stage = answer.reading.stage.as_str().to_owned();
        let (reached, reason) = match answer.reading.value {
            Some(said) => (Some(said.consensus), said.reason),
            None => (None, String::new()),
        };
        let text = self.whole(presiding, &step, &reason, room(most))?;
        let statement = self.session.statement(&text, &[]);
        let body = Body::ConsensusCheck { reached, statement, stage };
        self.session.record(&presiding.actor, &step, Some(round), body)?;
        Ok(reached == Some(true))
    }
}
