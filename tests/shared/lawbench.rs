//! Every row of LawBench 3-4 and 3-5 becomes a case.

use std::path::Path;

use nyaya_agents::case::{Gold, Matter};
use nyaya_agents::inputs::lawbench;
use nyaya_agents::read::TermClass;

type Trial = (&'static str, crate::Test);

/// The trials of this area.
pub fn trials(shared: &Path) -> Vec<Trial> {
    let file = |task: &str| shared.join(format!("data/bench-lawbench/zero_shot_{task}.jsonl.gz"));
    let (without, with) = (file("3-4"), file("3-5"));
    vec![
        ("every_row_of_3_4", Box::new(move || rows(&without, false))),
        ("every_row_of_3_5", Box::new(move || rows(&with, true))),
    ]
}

fn rows(path: &Path, words: bool) -> Result<(), String> {
    let cases = lawbench::read(path).map_err(|e| e.to_string())?.ok_or("not read as LawBench")?;
    if cases.len() != 500 {
        return Err(format!("{} rows", cases.len()));
    }
    let mut classes = (0, 0, 0);
    for case in &cases {
        let Matter::Sentence { accusation, articles } = &case.matter else {
            return Err(format!("{}: no sentence is asked for", case.id));
        };
        let named = articles.iter().all(|a| {
            a.id.as_ref().is_some_and(|id| id.work.as_str() == "cn/criminal-law") && a.text.is_empty() != words
        });
        if accusation.is_empty() || articles.is_empty() || !named || case.facts.contains("法条内容") {
            return Err(format!("{}: {accusation}, {articles:?}", case.id));
        }
        match &case.gold {
            Some(Gold::Term(s)) if s.class == TermClass::Life => classes.1 += 1,
            Some(Gold::Term(s)) if s.class == TermClass::Death => classes.2 += 1,
            Some(Gold::Term(s)) if s.months.is_some() => classes.0 += 1,
            other => return Err(format!("{}: {other:?}", case.id)),
        }
    }
    if classes.0 + classes.1 + classes.2 == 500 && classes.1 > 0 && classes.2 > 0 {
        Ok(())
    } else {
        Err(format!("terms, life, death: {classes:?}"))
    }
}
