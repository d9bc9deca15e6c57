//! Reading a sentence out of a reply.

use serde_json::Value;

use crate::event::Sentence;
use crate::read::{Reading, Stage, TermClass, read_json, read_term};

/// A sentence as a reply states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentencing {
    /// The reasons.
    pub rationale: String,
    /// Provisions, as written by the model.
    pub cites: Vec<String>,
    /// What each round contributes, in a decision.
    pub rounds: Vec<String>,
    /// The sentence, or what is wrong with it: `contradiction`, `range`, `no_term`.
    pub sentence: Result<Sentence, &'static str>,
}

/// Reads a reply with a sentence: the structured fields first, then whatever term the words state.
#[must_use]
pub fn read_sentencing(content: &str) -> Reading<Sentencing> {
    let json = read_json::<Value>(content);
    let fields = json.value.as_ref().and_then(Value::as_object);
    let words = |name: &str| {
        fields.and_then(|f| f.get(name)).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
    };
    let list = |name: &str| -> Vec<String> {
        let list = fields.and_then(|f| f.get(name)).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(|s| s.trim().to_owned()).collect()
    };
    let class = words("class").to_lowercase().replace([' ', '-'], "_");
    let months =
        fields.and_then(|f| f.get("months")).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    let of = |class, months| Some(Ok(Sentence { class, months }));
    let stated: Option<Result<Sentence, &'static str>> = match (class.as_str(), months) {
        ("fixed_term", Some(0)) | ("exempt", Some(0) | None) => of(TermClass::Exempt, Some(0)),
        ("fixed_term", Some(n)) => of(TermClass::Fixed, Some(n)),
        ("life", Some(0) | None) => of(TermClass::Life, None),
        ("death", Some(0) | None) => of(TermClass::Death, None),
        ("death_with_reprieve", Some(0) | None) => of(TermClass::DeathWithReprieve, None),
        ("exempt" | "life" | "death" | "death_with_reprieve", Some(_)) => Some(Err("contradiction")),
        _ => None,
    };
    let (sentence, stage, mut notes) = match stated {
        Some(stated) => (stated, json.stage, json.notes),
        None => {
            // Not in the fields that were asked for: whatever one term the reply states.
            let term = read_term(content);
            let sentence = match term.class {
                TermClass::None => Err("no_term"),
                TermClass::Range => Err("range"),
                class => Ok(Sentence { class, months: term.months }),
            };
            let stage =
                if fields.is_some() && term.stage == Stage::Strict { Stage::Recovered } else { term.stage };
            (sentence, stage, term.notes)
        }
    };
    let mut rationale = words("rationale");
    if rationale.is_empty() {
        rationale = words("statement");
    }
    if rationale.is_empty() && fields.is_none() {
        content.trim().clone_into(&mut rationale);
    }
    if rationale.is_empty() && sentence.is_err() {
        notes.push("neither a rationale nor a term".to_owned());
        return Reading { value: None, stage: Stage::NoDecision, notes };
    }
    let stage = if sentence.is_err() && stage == Stage::NoDecision { json.stage } else { stage };
    let stage = if stage == Stage::NoDecision { Stage::Pattern } else { stage };
    Reading {
        value: Some(Sentencing { rationale, cites: list("cites"), rounds: list("rounds"), sentence }),
        stage,
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Sentence = Result<(TermClass, Option<u32>), &'static str>;

    fn read(content: &str) -> (Option<Sentence>, Stage) {
        let reading = read_sentencing(content);
        (reading.value.map(|s| s.sentence.map(|s| (s.class, s.months))), reading.stage)
    }

    #[test]
    fn a_sentence_is_read_from_its_fields_and_then_from_the_words() {
        use TermClass::{Death, DeathWithReprieve, Exempt, Fixed, Life};
        for (content, sentence, stage) in [
            (
                r#"{"rationale":"r","cites":[],"class":"fixed_term","months":38}"#,
                Ok((Fixed, Some(38))),
                Stage::Strict,
            ),
            (r#"{"rationale":"r","cites":[],"class":"life","months":0}"#, Ok((Life, None)), Stage::Strict),
            (r#"{"rationale":"r","cites":[],"class":"death","months":0}"#, Ok((Death, None)), Stage::Strict),
            (
                r#"{"rationale":"r","class":"death_with_reprieve"}"#,
                Ok((DeathWithReprieve, None)),
                Stage::Strict,
            ),
            (r#"{"rationale":"r","class":"fixed_term","months":0}"#, Ok((Exempt, Some(0))), Stage::Strict),
            (
                "Here it is: ```json\n{\"rationale\":\"r\",\"class\":\"fixed_term\",\"months\":38}\n```",
                Ok((Fixed, Some(38))),
                Stage::Recovered,
            ),
            (r#"{"rationale":"r","months":"三年二个月"}"#, Ok((Fixed, Some(38))), Stage::Recovered),
            ("综合全案，判处有期徒刑三年二个月。", Ok((Fixed, Some(38))), Stage::Pattern),
            (r#"{"rationale":"r","class":"life","months":120}"#, Err("contradiction"), Stage::Strict),
        ] {
            assert_eq!(read(content), (Some(sentence), stage), "{content}");
        }
        assert_eq!(read("{}").0, None);
        assert_eq!(read("").0, None);
        let (sentence, _) = read(r#"{"rationale":"It depends."}"#);
        assert_eq!(sentence, Some(Err("no_term")));
        assert!(matches!(read("判处三年以上十年以下有期徒刑。").0, Some(Err("range"))));
    }
}
