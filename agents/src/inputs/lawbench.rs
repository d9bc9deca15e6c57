//! Rows of LawBench 3-4 and 3-5: facts, offence and articles in, a prison term out.
//!
//! A row is a JSON object with `instruction`, `question` and `answer`; the question names the facts (事实), the
//! offences (罪名), the articles (法条) and, in 3-5, the words of the articles (法条内容). A file may be packed with
//! gzip.

use std::path::Path;
use std::sync::LazyLock;

use nyaya_corpora::citation::{Context, Extractor};
use nyaya_corpora::{Catalogue, ProvisionId};
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

use super::file;
use crate::case::{Case, CaseError, Gold, Matter, Premise, form};
use crate::event::Sentence;
use crate::read::{TermClass, read_term};

const HINT: &str = "a row has `instruction`, `question` with 事实, 罪名 and 法条, and `answer`";

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    idx: Option<u64>,
    question: String,
    answer: String,
}

/// Reads the rows of a file, `.jsonl` or `.jsonl.gz`; `None` if it is not a file of such rows.
///
/// # Errors
/// If the file cannot be read, or a row is not of the form.
pub fn read(path: &Path) -> Result<Option<Vec<Case>>, CaseError> {
    let name = path.display().to_string();
    if !matches!(file::kind(path).as_str(), "jsonl" | "ndjson") {
        return Ok(None);
    }
    let text = file::text(path)?;
    let mut lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()).peekable();
    let ours = lines.peek().and_then(|(_, l)| serde_json::from_str::<Value>(l).ok()).is_some_and(|v| {
        ["question", "answer"].iter().all(|k| v.get(k).is_some_and(Value::is_string)) && v.get("id").is_none()
    });
    if !ours {
        return Ok(None);
    }
    let catalogue = Catalogue::builtin().map_err(|e| form(&name, e.to_string(), HINT))?;
    let law = extractor(&catalogue);
    let mut cases: Vec<Case> = Vec::new();
    for (i, line) in lines {
        let place = format!("{name}, line {}", i + 1);
        let row: Row = serde_json::from_str(line).map_err(|e| form(&place, e.to_string(), HINT))?;
        cases.push(row.case(&place, i, &law)?);
    }
    let mut seen = std::collections::BTreeSet::new();
    if let Some(twice) = cases.iter().find(|c| !seen.insert(c.id.clone())) {
        return Err(form(&name, format!("{} stands twice", twice.id), "give each row its own `idx`"));
    }
    Ok(Some(cases))
}

#[expect(clippy::expect_used, reason = "constant patterns, compiled by the tests of this module")]
static FIELDS: LazyLock<Regex> = LazyLock::new(|| {
    // Greedy facts: they may hold these words themselves, and the last ones count.
    Regex::new(
        r"(?s)^\s*(?:事实[:：])?(?P<facts>.*)罪名[:：](?P<offence>.*?)。?\s*法条[:：](?P<named>.*?)(?:。?\s*法条内容[:：](?P<words>.*))?$",
    )
    .expect("a constant pattern")
});

#[expect(clippy::expect_used, reason = "constant patterns, compiled by the tests of this module")]
static ARTICLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|\s)(第[〇零一二三四五六七八九十百千]+条(?:之[一二三四五六七八九十]+)?)\s")
        .expect("a constant pattern")
});

impl Row {
    fn case(&self, place: &str, line: usize, law: &Extractor) -> Result<Case, CaseError> {
        let found = FIELDS
            .captures(&self.question)
            .ok_or_else(|| form(place, "the question cannot be taken apart", HINT))?;
        let field = |name: &str| found.name(name).map_or("", |m| m.as_str().trim());
        let (facts, named, words) = (field("facts"), field("named"), field("words"));
        if facts.is_empty() {
            return Err(form(place, "there are no facts", HINT));
        }
        let articles = if words.is_empty() {
            let ids = ids(named, law);
            ids.into_iter().map(|id| Premise { id: Some(id), text: String::new() }).collect()
        } else {
            articles(words, named, law)
        };
        let task = if words.is_empty() { "3-4" } else { "3-5" };
        let number = self.idx.unwrap_or(line as u64);
        let gold = gold(&self.answer)
            .ok_or_else(|| form(place, format!("the answer `{}` is no term", self.answer), HINT))?;
        Ok(Case {
            id: format!("lawbench-{task}-{number}"),
            title: format!("LawBench {task} {number}: {}", field("offence")),
            language: "zh".to_owned(),
            jurisdiction: "cn".to_owned(),
            offence_date: None,
            proceeding_date: None,
            facts: facts.to_owned(),
            evidence: Vec::new(),
            charges: Vec::new(),
            matter: Matter::Sentence { accusation: field("offence").to_owned(), articles },
            shots: None,
            keywords: Vec::new(),
            expected: Vec::new(),
            gold: Some(Gold::Term(gold)),
        })
    }
}

/// The right answer: `刑期:4个月`, `刑期:无期`, `刑期:死刑`.
fn gold(answer: &str) -> Option<Sentence> {
    let words = answer.trim().trim_start_matches("刑期").trim_start_matches([':', '：']).trim();
    let (class, months) = match words {
        "无期" | "无期徒刑" => (TermClass::Life, None),
        "死刑" => (TermClass::Death, None),
        _ => {
            let term = read_term(words);
            (term.class, term.months)
        }
    };
    (!matches!(class, TermClass::Range | TermClass::None)).then_some(Sentence { class, months })
}

fn extractor(catalogue: &Catalogue) -> Extractor {
    Extractor::new(catalogue, &Context { jurisdiction: Some("cn".to_owned()), ..Context::default() })
}

/// The provisions that words name, each once; what can be read in two ways is left out.
fn ids(words: &str, law: &Extractor) -> Vec<ProvisionId> {
    let mut ids = Vec::new();
    for found in law.extract(words).into_iter().filter(|f| f.or.is_none() && f.until.is_none()) {
        let (Some(work), Some(unit)) = (found.work, found.unit) else { continue };
        let id = ProvisionId { work, edition: None, unit, pins: Vec::new() };
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// The articles one by one. `named` says of which law they are.
fn articles(words: &str, named: &str, law: &Extractor) -> Vec<Premise> {
    let starts: Vec<(usize, &str)> =
        ARTICLE.captures_iter(words).filter_map(|c| c.get(1)).map(|m| (m.start(), m.as_str())).collect();
    if starts.first().is_none_or(|(at, _)| *at > 0) {
        return vec![Premise { id: None, text: words.to_owned() }];
    }
    let title = named.split('第').next().unwrap_or_default();
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([words.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|((start, number), end)| {
            let id = ids(&format!("{title}{number}"), law);
            // Several names would be a guess.
            let id = if id.len() == 1 { id.into_iter().next() } else { None };
            Premise { id, text: words.get(*start..end).unwrap_or_default().trim().to_owned() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(question: &str, answer: &str) -> Result<Case, CaseError> {
        let row = Row { idx: Some(7), question: question.to_owned(), answer: answer.to_owned() };
        row.case("here", 0, &extractor(&Catalogue::builtin().unwrap()))
    }

    const FACTS: &str = "事实:甲取走乙的船桨。其自称罪名:不成立。\r\n罪名:盗窃;抢劫。法条:刑法第264、263条";

    #[test]
    fn facts_offence_and_articles_are_told_apart() {
        let case = row(FACTS, "刑期:4个月").unwrap();
        assert_eq!(case.id, "lawbench-3-4-7");
        assert_eq!(case.facts, "甲取走乙的船桨。其自称罪名:不成立。");
        let Matter::Sentence { accusation, articles } = &case.matter else { panic!() };
        assert_eq!(accusation, "盗窃;抢劫");
        let ids: Vec<_> = articles.iter().map(|a| a.id.as_ref().unwrap().to_string()).collect();
        assert_eq!(ids, ["cn/criminal-law#a264", "cn/criminal-law#a263"]);
        assert_eq!(case.gold, Some(Gold::Term(Sentence { class: TermClass::Fixed, months: Some(4) })));
    }

    #[test]
    fn words_of_articles_are_split_at_their_numbers() {
        let question = format!(
            "{FACTS}。法条内容：第二百六十四条 甲款，依照第二百三十四条的规定。,乙款。 第二百六十三条 丙款。 第二百六十三条之一 丁款。"
        );
        let case = row(&question, "刑期:无期").unwrap();
        assert_eq!(case.id, "lawbench-3-5-7");
        let Matter::Sentence { articles, .. } = &case.matter else { panic!() };
        let of: Vec<_> =
            articles.iter().map(|a| (a.id.as_ref().unwrap().to_string(), a.text.as_str())).collect();
        assert_eq!(
            of,
            [
                ("cn/criminal-law#a264".to_owned(), "第二百六十四条 甲款，依照第二百三十四条的规定。,乙款。"),
                ("cn/criminal-law#a263".to_owned(), "第二百六十三条 丙款。"),
                ("cn/criminal-law#a263-1".to_owned(), "第二百六十三条之一 丁款。"),
            ]
        );
        assert_eq!(case.gold, Some(Gold::Term(Sentence { class: TermClass::Life, months: None })));
    }

    #[test]
    fn a_row_of_another_form_is_refused_with_its_place() {
        for (question, answer, needle) in [
            ("罪名:盗窃。法条:刑法第264条", "刑期:4个月", "no facts"),
            ("甲取走乙的船桨。", "刑期:4个月", "taken apart"),
            (FACTS, "刑期:不详", "is no term"),
        ] {
            let error = row(question, answer).unwrap_err().to_string();
            assert!(error.contains(needle) && error.contains("here") && error.contains("hint: "), "{error}");
        }
    }

    #[test]
    fn other_files_are_left_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cases.jsonl");
        std::fs::write(&path, "{\"id\":\"a\",\"facts\":\"x\"}\n").unwrap();
        assert_eq!(read(&path).unwrap(), None);
        assert_eq!(read(Path::new("cases.toml")).unwrap(), None);
        let line = serde_json::json!({"question": FACTS, "answer": "刑期:4个月"}).to_string();
        std::fs::write(&path, format!("\u{feff}{line}\n\n{line}\n")).unwrap();
        assert_eq!(read(&path).unwrap().unwrap().len(), 2);
    }
}
