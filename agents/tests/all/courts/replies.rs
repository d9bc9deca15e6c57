//! Replies of the embedded model to AgenticSimLaw (all sixteen calls of a debate on a row of COMPAS), L-MAD (personas and
//! one round), AgentsBench (ten of the nineteen of a bench, those without the words of an article) and a baseline (both on
//! a row of LawBench 3-5), and how each must be read. The right readings come from a plain JSON
//! parser, not from the readers.

use nyaya_agents::read::{read_json, read_term, read_verdict, read_yes_no};
use serde_json::{Map, Value, json};

#[test]
fn replies_of_the_embedded_model_are_read_as_they_stand() {
    let mut courts = std::collections::BTreeMap::<String, usize>::new();
    for line in include_str!("replies.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (form, reply) = (row["form"].as_str().unwrap(), row["reply"].as_str().unwrap());
        let verdict = |r: nyaya_agents::read::Reading<nyaya_agents::read::VerdictReply>| {
            let v = r.value.as_ref();
            json!({
                "stage": r.stage.as_str(),
                "prediction": v.map(|v| v.prediction.as_str()),
                "confidence": v.and_then(|v| v.confidence),
            })
        };
        let read = match form {
            "verdict" => verdict(read_verdict(reply)),
            "yes_no" => verdict(read_yes_no(reply)),
            "term" => {
                let r = read_term(reply);
                json!({"stage": r.stage.as_str(), "class": r.class, "months": r.months})
            }
            _ => {
                let r = read_json::<Map<String, Value>>(reply);
                let keys: Vec<String> = r.value.map(|v| v.keys().cloned().collect()).unwrap_or_default();
                json!({"stage": r.stage.as_str(), "fields": keys})
            }
        };
        assert_eq!(read, row["read"], "{line}");
        *courts.entry(row["court"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    for court in ["agentsbench", "simlaw", "lmad", "single"] {
        assert!(courts.contains_key(court), "{courts:?}");
    }
}
