//! The sentence that each holds right, and the judgment.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::shared::{cites_schema, object, one_line, room, text_schema};
use super::asking::Words;
use super::{Bench, MOST_CITES, Member, Sentencing, read_sentencing};
use crate::event::{Body, Sentence};
use crate::read::TermClass;
use crate::session::SessionError;

/// Most months that the schema allows; fifty years.
const MOST_MONTHS: u32 = 600;

impl Bench<'_> {
    /// Everybody's sentence, independently: on what stands in the record, not on what the others say at this step.
    pub(super) async fn sentences(&mut self, round: u32) -> Result<(), SessionError> {
        let jobs = self.members.iter().map(|m| self.sentence(m, round)).collect();
        let entries = self.session.together("judge", jobs).await?;
        self.record.extend(entries.into_iter().flatten());
        Ok(())
    }

    async fn sentence(&self, member: &Member, round: u32) -> Result<Option<String>, SessionError> {
        let most = self.chars(75);
        let step = format!("sentence-{round}");
        let words = Words { round, law: !member.law.is_empty(), ..self.words(most) };
        let texts = self.sentence_problems()?;
        let answer = self
            .question(member, &step, if round == 0 { "sentence" } else { "update" }, &words)?
            .schema("sentence", object(&sentence_fields(most)))
            .max_tokens(self.tokens(member, room(most) + 80))
            .send_read(read_sentencing, |s| check(s, 0, &texts))
            .await?;
        let stage = answer.reading.stage.as_str().to_owned();
        let Some(said) = answer.reading.value else {
            let statement = self.session.statement("", &[]);
            let body = Body::Sentence { sentence: None, statement, stage };
            self.session.record(&member.actor, &step, Some(round), body)?;
            return Ok(None);
        };
        if let Err(kind) = said.sentence {
            self.session.record(
                &member.actor,
                &step,
                Some(round),
                Body::NoDecision { reason: self.problem(kind)? },
            )?;
        }
        let text = self.whole(member, &step, &said.rationale, room(most))?;
        let statement = self.session.statement(&text, &said.cites);
        let sentence = said.sentence.ok();
        let body = Body::Sentence { sentence, statement, stage };
        self.session.record(&member.actor, &step, Some(round), body)?;
        Ok(Some(self.entry(member, "sentence", round, &text, &said.cites, None, sentence)?))
    }

    /// The judgment: ratifies, or weighs all of it.
    pub(super) async fn decide(&self, agreed: bool) -> Result<Option<Sentence>, SessionError> {
        let Some(presiding) = self.members.first() else { return Ok(None) };
        let (most, each) = (self.chars(100), self.chars(30));
        let held = usize::try_from(self.rounds).unwrap_or(0) + 1;
        let words = Words { round: self.rounds, agreed, law: !presiding.law.is_empty(), ..self.words(most) };
        let rounds = json!({"type": "array", "minItems": held, "maxItems": held,
            "items": text_schema(room(each))});
        let mut fields = vec![("rounds", rounds)];
        fields.extend(sentence_fields(most));
        let texts = self.sentence_problems()?;
        let answer = self
            .question(presiding, "decision", "decision", &words)?
            .schema("decision", object(&fields))
            .max_tokens(self.tokens(presiding, room(most) + held * (room(each) + 4) + 80))
            .send_read(read_sentencing, |s| check(s, held, &texts))
            .await?;
        let stage = answer.reading.stage.as_str().to_owned();
        let Some(said) = answer.reading.value else {
            let statement = self.session.statement("", &[]);
            self.session.record(
                &presiding.actor,
                "decision",
                None,
                Body::Sentence { sentence: None, statement, stage },
            )?;
            return Ok(None);
        };
        if let Some(text) = answer.problem {
            self.session.record(&presiding.actor, "decision", None, Body::Discrepancy { text })?;
        }
        let rationale = self.whole(presiding, "decision", &said.rationale, room(most))?;
        let text = said.rounds.iter().map(|r| one_line(r)).chain([rationale]).collect::<Vec<_>>().join("\n");
        let statement = self.session.statement(&text, &said.cites);
        let sentence = said.sentence.ok();
        self.session.record(&presiding.actor, "decision", None, Body::Judgment(statement))?;
        // Its justification is the judgment; said once, it is counted once.
        let statement = self.session.statement("", &[]);
        let body = Body::Sentence { sentence, statement, stage };
        self.session.record(&presiding.actor, "decision", None, body)?;
        Ok(sentence)
    }

    fn sentence_problems(&self) -> Result<BTreeMap<&'static str, String>, SessionError> {
        ["contradiction", "no_term", "range", "empty", "rounds"]
            .into_iter()
            .map(|kind| Ok((kind, self.problem(kind)?)))
            .collect()
    }
}

fn sentence_fields(most: usize) -> Vec<(&'static str, Value)> {
    vec![
        ("rationale", text_schema(room(most))),
        ("cites", cites_schema(MOST_CITES)),
        (
            "class",
            json!({"type": "string", "enum": ["fixed_term", "exempt", "life", "death_with_reprieve", "death"]}),
        ),
        ("months", json!({"type": "integer", "minimum": 0, "maximum": MOST_MONTHS})),
    ]
}

pub(super) fn class_name(class: TermClass) -> &'static str {
    match class {
        TermClass::Fixed => "fixed_term",
        TermClass::Exempt => "exempt",
        TermClass::Acquittal => "acquittal",
        TermClass::Life => "life",
        TermClass::Death => "death",
        TermClass::DeathWithReprieve => "death_with_reprieve",
        TermClass::Range | TermClass::None => "",
    }
}

fn check(said: &Sentencing, rounds: usize, texts: &BTreeMap<&'static str, String>) -> Result<(), String> {
    let text = |kind: &str| Err(texts.get(kind).cloned().unwrap_or_default());
    if let Err(kind) = said.sentence {
        return text(kind);
    }
    if said.rationale.trim().is_empty() {
        return text("empty");
    }
    if said.rounds.iter().filter(|r| !r.trim().is_empty()).count() < rounds {
        return text("rounds");
    }
    Ok(())
}
