//! Entailment pairs: COLIEE's XML (`<pair id="…" label="Y"><t1>premises</t1><t2>hypothesis</t2></pair>`), and JSON Lines
//! with `premises`, `hypothesis` and `label` (or `id`, `t1`, `t2`, `label`).

use std::collections::BTreeSet;
use std::path::Path;

use quick_xml::events::Event;
use serde::Deserialize;
use serde_json::Value;

use super::file;
use super::table::plain;
use crate::case::{Case, CaseError, Gold, Matter, Premise, form};

const HINT: &str = "a pair is `<pair id=\"R05-01\" label=\"Y\"><t1>…</t1><t2>…</t2></pair>`, or a line of JSON with `premises` (a string, or a list), `hypothesis`, and `label`, Y or N, where it is known";

/// A pair before its words are understood.
#[derive(Debug, Default, PartialEq, Eq)]
struct Pair {
    id: String,
    /// Where its law is of; empty where nobody says.
    jurisdiction: String,
    label: Option<String>,
    premises: Vec<String>,
    hypothesis: String,
}

/// Reads the pairs of a file; `None` if it is not a file of pairs. `language` is that of the pairs, by default guessed
/// from their letters.
///
/// # Errors
/// If the file cannot be read, or a pair lacks something.
pub fn read(path: &Path, language: Option<&str>) -> Result<Option<Vec<Case>>, CaseError> {
    let name = path.display().to_string();
    let kind = file::kind(path);
    if !matches!(kind.as_str(), "xml" | "jsonl" | "ndjson") {
        return Ok(None);
    }
    let text = file::text(path)?;
    let pairs = if kind == "xml" {
        of_xml(&name, &text)?
    } else {
        match of_lines(&name, &text)? {
            Some(pairs) => pairs,
            None => return Ok(None),
        }
    };
    if pairs.is_empty() {
        return Err(form(&name, "holds no pair", HINT));
    }
    let mut seen = BTreeSet::new();
    let mut cases = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let id = plain(&pair.id);
        if !seen.insert(id.clone()) {
            return Err(form(&name, format!("pair {id} stands twice"), "give each pair its own id"));
        }
        cases.push(pair.case(&name, id, language)?);
    }
    Ok(Some(cases))
}

impl Pair {
    fn case(self, name: &str, id: String, language: Option<&str>) -> Result<Case, CaseError> {
        let place = format!("{name}, pair {id}");
        if id.is_empty() {
            return Err(form(&place, "there is no id", HINT));
        }
        if self.hypothesis.trim().is_empty() {
            return Err(form(&place, "there is no hypothesis", HINT));
        }
        let gold = match self.label.as_deref().map(|l| l.trim().to_uppercase()) {
            None => None,
            Some(l) if l.is_empty() => None,
            Some(l) if matches!(l.as_str(), "Y" | "YES" | "TRUE") => Some("Y"),
            Some(l) if matches!(l.as_str(), "N" | "NO" | "FALSE") => Some("N"),
            Some(other) => return Err(form(&place, format!("label `{other}` is neither Y nor N"), HINT)),
        };
        let language = language.map_or_else(|| guess(&self.hypothesis), str::to_owned);
        let hypothesis = self.hypothesis.trim().to_owned();
        Ok(Case {
            title: id.clone(),
            id,
            language,
            jurisdiction: self.jurisdiction.trim().to_lowercase(),
            offence_date: None,
            proceeding_date: None,
            facts: hypothesis.clone(),
            evidence: Vec::new(),
            charges: Vec::new(),
            matter: Matter::Entailment {
                premises: self
                    .premises
                    .into_iter()
                    .map(|p| p.trim().to_owned())
                    .filter(|p| !p.is_empty())
                    .map(|text| Premise { id: None, text })
                    .collect(),
                hypothesis,
            },
            shots: None,
            keywords: Vec::new(),
            expected: Vec::new(),
            gold: gold.map(|g| Gold::Label(g.to_owned())),
        })
    }
}

/// Kana is Japanese, other Han letters Chinese, all else English.
fn guess(text: &str) -> String {
    let kana = |c: char| ('\u{3040}'..='\u{30ff}').contains(&c);
    let han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    if text.chars().any(kana) {
        "ja"
    } else if text.chars().any(han) {
        "zh"
    } else {
        "en"
    }
    .to_owned()
}

fn of_xml(name: &str, text: &str) -> Result<Vec<Pair>, CaseError> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut pairs = Vec::new();
    let mut pair: Option<Pair> = None;
    let (mut place, mut open) = (0, 0usize);
    let mut words = String::new();
    loop {
        let at = reader.buffer_position();
        let wrong = |what: String| form(name, format!("at byte {at}: {what}"), HINT);
        let event = reader.read_event().map_err(|e| wrong(e.to_string()))?;
        match &event {
            Event::Start(_) => open += 1,
            Event::End(_) => open = open.saturating_sub(1),
            _ => {}
        }
        match event {
            Event::Start(tag) => match tag.name().as_ref() {
                b"pair" => {
                    let mut new = Pair::default();
                    for attribute in tag.attributes() {
                        let attribute = attribute.map_err(|e| wrong(e.to_string()))?;
                        let value =
                            attribute.unescape_value().map_err(|e| wrong(e.to_string()))?.into_owned();
                        match attribute.key.as_ref() {
                            b"id" => new.id = value,
                            b"label" => new.label = Some(value),
                            b"jurisdiction" => new.jurisdiction = value,
                            _ => {}
                        }
                    }
                    pair = Some(new);
                }
                b"t1" | b"t2" => {
                    place = usize::from(tag.name().as_ref() == b"t2") + 1;
                    words.clear();
                }
                _ => {}
            },
            Event::Text(part) if place > 0 => {
                words.push_str(&part.decode().map_err(|e| wrong(e.to_string()))?);
            }
            Event::CData(part) if place > 0 => {
                words.push_str(&part.decode().map_err(|e| wrong(e.to_string()))?);
            }
            Event::GeneralRef(entity) if place > 0 => {
                let code = entity.decode().map_err(|e| wrong(e.to_string()))?;
                let known = match code.as_ref() {
                    "amp" => Some('&'),
                    "lt" => Some('<'),
                    "gt" => Some('>'),
                    "quot" => Some('"'),
                    "apos" => Some('\''),
                    _ => entity.resolve_char_ref().map_err(|e| wrong(e.to_string()))?,
                };
                words.push(known.ok_or_else(|| wrong(format!("&{code}; is not known")))?);
            }
            Event::End(tag) => match tag.name().as_ref() {
                b"t1" | b"t2" => {
                    if let Some(pair) = &mut pair {
                        if place == 2 {
                            pair.hypothesis = words.trim().to_owned();
                        } else {
                            pair.premises = paragraphs(&words);
                        }
                    }
                    place = 0;
                }
                b"pair" => pairs.extend(pair.take()),
                _ => {}
            },
            Event::Eof if pair.is_some() => return Err(wrong("the file ends inside a pair".to_owned())),
            Event::Eof if open > 0 => return Err(wrong("the file is cut short".to_owned())),
            Event::Eof => return Ok(pairs),
            _ => {}
        }
    }
}

/// Articles are set apart by empty lines.
fn paragraphs(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in text.lines() {
        if line.trim().is_empty() {
            all.push(String::new());
        } else if let Some(last) = all.last_mut() {
            if !last.is_empty() {
                last.push('\n');
            }
            last.push_str(line.trim());
        }
    }
    all.retain(|p| !p.is_empty());
    all
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Option<Value>,
    #[serde(alias = "t1", alias = "premise", alias = "articles")]
    premises: Value,
    #[serde(alias = "t2", alias = "query")]
    hypothesis: String,
    #[serde(default, alias = "gold", alias = "answer")]
    label: Option<Value>,
    #[serde(default)]
    jurisdiction: String,
}

fn of_lines(name: &str, text: &str) -> Result<Option<Vec<Pair>>, CaseError> {
    let mut lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()).peekable();
    let ours = lines.peek().and_then(|(_, l)| serde_json::from_str::<Value>(l).ok()).is_some_and(|v| {
        ["hypothesis", "t2"].iter().any(|k| v.get(k).is_some_and(Value::is_string))
            && v.get("facts").is_none()
    });
    if !ours {
        return Ok(None);
    }
    let mut pairs = Vec::new();
    for (i, line) in lines {
        let place = format!("{name}, line {}", i + 1);
        let line: Line = serde_json::from_str(line).map_err(|e| form(&place, e.to_string(), HINT))?;
        let words = |v: &Value| match v {
            Value::String(s) => s.clone(),
            other => other.to_string(),
        };
        let premises = match &line.premises {
            Value::String(s) => paragraphs(s),
            Value::Array(items) if items.iter().all(Value::is_string) => items.iter().map(words).collect(),
            _ => return Err(form(&place, "`premises` is neither a string nor a list of strings", HINT)),
        };
        let label = match &line.label {
            Some(Value::Bool(b)) => Some(if *b { "Y" } else { "N" }.to_owned()),
            Some(Value::Null) | None => None,
            Some(other) => Some(words(other)),
        };
        let id = line.id.as_ref().map_or_else(|| format!("pair-{}", i + 1), words);
        let (jurisdiction, hypothesis) = (line.jurisdiction, line.hypothesis);
        pairs.push(Pair { id, jurisdiction, label, premises, hypothesis });
    }
    Ok(Some(pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(name: &str, text: &str) -> Result<Option<Vec<Case>>, CaseError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        read(&path, None)
    }

    #[test]
    fn pairs_of_xml() {
        let text = "<?xml version=\"1.0\"?>\n<dataset><pair id=\"R05-01-A\" label=\"Y\">\n<t1>\n(Boats) Article 1\nA boat &amp; its oars are one thing.\n\nArticle 2 Oars &#x3c;3 m are small.\n</t1>\n<t2>\nAn oar belongs to the boat.\n</t2>\n</pair><pair id=\"b\" label=\"\"><t1/><t2>船は物である。</t2></pair></dataset>";
        let cases = load("a.xml", text).unwrap().unwrap();
        let Matter::Entailment { premises, hypothesis } = &cases[0].matter else { panic!() };
        assert_eq!(cases[0].id, "R05-01-A");
        assert_eq!(premises.len(), 2);
        assert_eq!(premises[0].text, "(Boats) Article 1\nA boat & its oars are one thing.");
        assert_eq!(premises[1].text, "Article 2 Oars <3 m are small.");
        assert_eq!(hypothesis, "An oar belongs to the boat.");
        assert_eq!(cases[0].gold, Some(Gold::Label("Y".to_owned())));
        assert_eq!((cases[1].language.as_str(), &cases[1].gold), ("ja", &None));
        // What a run keeps of a case can be read again.
        let kept = serde_json::to_string(&cases[0]).unwrap();
        assert_eq!(Case::from_json("kept", &kept).unwrap(), cases[0]);
    }

    #[test]
    fn pairs_of_json_lines() {
        let text = "{\"id\":1,\"premises\":[\"第一条 甲。\",\"第二条 乙。\"],\"hypothesis\":\"甲是乙。\",\"label\":\"N\"}\n\n{\"t1\":\"A.\",\"t2\":\"B.\",\"label\":true,\"jurisdiction\":\"in\"}\n";
        let cases = load("a.jsonl", text).unwrap().unwrap();
        assert_eq!((cases[0].id.as_str(), cases[0].language.as_str()), ("1", "zh"));
        assert_eq!((cases[1].id.as_str(), cases[1].jurisdiction.as_str()), ("pair-3", "in"));
        assert_eq!(cases[1].gold, Some(Gold::Label("Y".to_owned())));
        assert!(load("b.jsonl", "{\"id\":\"x\",\"facts\":\"f\"}\n").unwrap().is_none());
        assert!(read(Path::new("c.toml"), None).unwrap().is_none());
    }

    #[test]
    fn what_a_pair_lacks_is_named() {
        for (name, text, needle) in [
            ("a.xml", "<d><pair id=\"a\" label=\"M\"><t1>x</t1><t2>y</t2></pair></d>", "neither Y nor N"),
            ("a.xml", "<d><pair id=\"a\"><t1>x</t1><t2> </t2></pair></d>", "no hypothesis"),
            ("a.xml", "<d><pair><t1>x</t1><t2>y</t2></pair></d>", "no id"),
            ("a.xml", "<d><pair id=\"a\"><t1>x</t1>", "inside a pair"),
            ("a.xml", "<d></d>", "no pair"),
            ("a.xml", "<d><pair id=\"a\"><t1>x</t1><t2>y</t2></pair>", "cut short"),
            ("a.xml", "<d><pair id=\"a\"><t1>x</t2></pair></d>", "at byte"),
            ("a.jsonl", "{\"premises\":7,\"hypothesis\":\"h\"}", "premises"),
            ("a.jsonl", "{\"premises\":\"p\",\"hypothesis\":\"h\"}\nx", "line 2"),
        ] {
            let error = load(name, text).unwrap_err().to_string();
            assert!(error.contains(needle) && error.contains("hint: "), "{text}: {error}");
        }
    }
}
