//! Examples for a prompt: cases that were decided before, the most similar ones to a case, never the case itself.
//!
//! Similar by words (BM25 over the terms of the program's analyzer, k1 = 1.2, b = 0.75), by meaning (cosine of an
//! embedder's vectors), by both (reciprocal rank fusion with k = 60), or drawn by the seed.

use std::collections::{BTreeMap, BTreeSet};

use nyaya_corpora::{Catalogue, ProvisionId};
use nyaya_retrieval::analyzer;
use nyaya_retrieval::embed::{Embedder, Kind};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::case::{Case, CaseError, Gold, Matter, Shot, Shots, form};
use crate::event::Finding;
use crate::prompts::Prompts;
use crate::protocols::single::question_text;

/// How examples are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Words.
    #[default]
    Bm25,
    /// Meaning.
    Dense,
    /// Both.
    Hybrid,
    /// Chance.
    Random,
}

impl By {
    /// The name used in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bm25 => "bm25",
            Self::Dense => "dense",
            Self::Hybrid => "hybrid",
            Self::Random => "random",
        }
    }

    /// Whether an embedder is needed.
    #[must_use]
    pub fn embeds(self) -> bool {
        matches!(self, Self::Dense | Self::Hybrid)
    }
}

/// Share of common word sequences from which on two texts are nearly the same.
const NEARLY: f64 = 0.8;
/// Share from which on they are compared letter by letter: in a short text one other word breaks several sequences.
const ALIKE: f64 = 0.5;
/// Share of letters that stay (Levenshtein) from which on two such texts are nearly the same.
const LETTERS: f64 = 0.9;
/// Words of a sequence.
const SEQUENCE: usize = 3;

/// Which examples are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// How they are found.
    pub by: By,
    /// Examples a case.
    pub n: usize,
    /// Seed of chance.
    pub seed: u64,
}

/// What came of the choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Chosen {
    /// Rows of the training file without a right answer, which cannot be examples.
    pub unanswered: usize,
    /// Over all cases, rows that were left out, because they are the case or nearly so.
    pub dropped: usize,
    /// Cases that got fewer examples than asked for.
    pub short: usize,
}

/// Puts examples of `train` before each case.
///
/// # Errors
/// If no row of `train` has a right answer, a prompt does not render, or the embedder fails.
pub async fn choose(
    cases: &mut [Case],
    train: &[Case],
    wanted: Wanted,
    embedder: Option<&dyn Embedder>,
    prompts: &Prompts,
    catalogue: &Catalogue,
) -> Result<Chosen, CaseError> {
    let Wanted { by, n, seed } = wanted;
    let hint = "a training file has the right answer in each row: `gold`, the target column, or `label`";
    let answered: Vec<(&Case, String)> = train.iter().filter_map(|c| Some((c, answer_text(c)?))).collect();
    let mut chosen = Chosen { unanswered: train.len() - answered.len(), ..Chosen::default() };
    if answered.is_empty() {
        return Err(form("training file", "no row has a right answer", hint));
    }
    let pool: Vec<Text> = answered.iter().map(|(c, _)| Text::of(c)).collect();
    let index = Bm25::new(&pool);
    let embed = async |texts: Vec<String>, kind: Kind| match embedder {
        Some(e) => e.embed(texts, kind).await.map_err(|e| form("examples", e.to_string(), hint)),
        None => Err(form("examples", "there is no embedder", "use --examples-by bm25 or random")),
    };
    let vectors = if by.embeds() {
        embed(pool.iter().map(|t| t.words.clone()).collect(), Kind::Passage).await?
    } else {
        Vec::new()
    };
    for case in cases.iter_mut() {
        let own = Text::of(case);
        let allowed: Vec<usize> = pool
            .iter()
            .enumerate()
            .filter(|(i, other)| {
                let same_id = answered.get(*i).is_some_and(|(c, _)| c.id == case.id);
                !same_id && !own.nearly(other, matches!(case.matter, Matter::Row { .. }))
            })
            .map(|(i, _)| i)
            .collect();
        let dropped = pool.len() - allowed.len();
        let bm25 = || ranked(&allowed, |i| index.score(&own.terms, i));
        let order = match by {
            By::Bm25 => bm25(),
            By::Random => {
                let digest = Sha256::digest(format!("{seed}\n{}\nexamples", case.id));
                let seed = digest.iter().take(8).fold(0u64, |n, b| (n << 8) | u64::from(*b));
                let mut order = allowed.clone();
                order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
                order
            }
            By::Dense | By::Hybrid => {
                let query = embed(vec![own.words.clone()], Kind::Query).await?;
                let query = query.first().cloned().unwrap_or_default();
                let dense = ranked(&allowed, |i| {
                    let vector = vectors.get(i).map_or(&[][..], Vec::as_slice);
                    f64::from(vector.iter().zip(&query).map(|(a, b)| a * b).sum::<f32>())
                });
                if by == By::Dense { dense } else { fused(&[bm25(), dense]) }
            }
        };
        let mut list = Vec::with_capacity(n);
        for i in order.into_iter().take(n) {
            let Some((example, answer)) = answered.get(i) else { continue };
            let text = |block: &str, context: &Value| prompts.text(block, &case.language, context);
            let called = |id: &ProvisionId| called(catalogue, id);
            let question = question_text(&text, example, &called)
                .map_err(|e| form(&example.id, e.to_string(), "check the prompts of --prompts"))?;
            list.push(Shot {
                id: example.id.clone(),
                question: one_paragraph(&question),
                answer: answer.clone(),
            });
        }
        // The most similar stands nearest to the question.
        list.reverse();
        chosen.dropped += dropped;
        chosen.short += usize::from(list.len() < n);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        case.shots = Some(Shots {
            by: by.as_str().to_owned(),
            list,
            dropped: number(dropped),
            of: number(pool.len()),
        });
    }
    Ok(chosen)
}

fn called(catalogue: &Catalogue, id: &ProvisionId) -> Option<String> {
    Some(format!("{} ({})", id, catalogue.get(&id.work)?.native_title()))
}

/// Without empty lines, which part examples.
fn one_paragraph(text: &str) -> String {
    text.lines().map(str::trim_end).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The right answer in the form that a model is asked for; `None` if nobody gave one.
fn answer_text(case: &Case) -> Option<String> {
    let value = match (&case.gold, &case.matter) {
        (Some(Gold::Term(s)), _) => json!({"class": s.class, "months": s.months.unwrap_or(0)}),
        (Some(Gold::Label(label)), Matter::Row { labels, .. }) => match labels.as_slice() {
            [yes, _] => json!({"prediction": if label == yes { "YES" } else { "NO" }}),
            _ => json!({"prediction": label}),
        },
        (Some(Gold::Label(label)), _) => json!({"answer": label}),
        (None, Matter::Charges) if case.expected.len() == case.charges.len() && !case.charges.is_empty() => {
            let findings: Vec<Value> = case
                .expected
                .iter()
                .map(|e| {
                    let (finding, offence) = match &e.finding {
                        Finding::Guilty => ("guilty", String::new()),
                        Finding::NotGuilty => ("not_guilty", String::new()),
                        Finding::Lesser { offence } => ("lesser_offence", offence.to_string()),
                    };
                    json!({"charge": e.charge.to_string(), "finding": finding, "offence": offence})
                })
                .collect();
            json!({ "findings": findings })
        }
        _ => return None,
    };
    Some(value.to_string())
}

/// What a case says, for comparing it with others.
struct Text {
    words: String,
    terms: Vec<String>,
    sequences: BTreeSet<Vec<String>>,
}

impl Text {
    fn of(case: &Case) -> Self {
        let mut parts = vec![case.facts.clone()];
        if let Matter::Entailment { premises, hypothesis } = &case.matter {
            if *hypothesis != case.facts {
                parts.push(hypothesis.clone());
            }
            parts.extend(premises.iter().map(|p| p.text.clone()));
        }
        let words = parts.join("\n");
        let terms = analyzer::terms(&words);
        let sequences = terms.windows(SEQUENCE).map(<[String]>::to_vec).collect();
        Self { words, terms, sequences }
    }

    /// Whether two texts say the same or nearly so. Rows of a table share all their words but the values, so there
    /// only the same row counts.
    fn nearly(&self, other: &Self, row: bool) -> bool {
        if self.terms == other.terms {
            return true;
        }
        if row || self.sequences.is_empty() || other.sequences.is_empty() {
            return false;
        }
        let common = self.sequences.intersection(&other.sequences).count();
        let all = self.sequences.len() + other.sequences.len() - common;
        #[expect(clippy::cast_precision_loss, reason = "counts of words")]
        let share = common as f64 / all as f64;
        share >= NEARLY
            || (share >= ALIKE && strsim::normalized_levenshtein(&self.words, &other.words) >= LETTERS)
    }
}

/// The best first; of equal ones the earlier.
fn ranked(allowed: &[usize], score: impl Fn(usize) -> f64) -> Vec<usize> {
    let mut scored: Vec<(usize, f64)> = allowed.iter().map(|i| (*i, score(*i))).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.into_iter().map(|(i, _)| i).collect()
}

/// Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009), k = 60.
fn fused(lists: &[Vec<usize>]) -> Vec<usize> {
    let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
    for list in lists {
        for (rank, i) in list.iter().enumerate() {
            let rank = u32::try_from(rank).unwrap_or(u32::MAX);
            *scores.entry(*i).or_default() += 1.0 / (61.0 + f64::from(rank));
        }
    }
    let all: Vec<usize> = scores.keys().copied().collect();
    ranked(&all, |i| scores.get(&i).copied().unwrap_or_default())
}

/// Okapi BM25 over a pool of texts.
struct Bm25 {
    counts: Vec<(BTreeMap<String, f64>, f64)>,
    documents: BTreeMap<String, f64>,
    mean: f64,
}

#[expect(clippy::cast_precision_loss, reason = "counts of words")]
impl Bm25 {
    fn new(pool: &[Text]) -> Self {
        let mut documents: BTreeMap<String, f64> = BTreeMap::new();
        let mut counts = Vec::with_capacity(pool.len());
        for text in pool {
            let mut own: BTreeMap<String, f64> = BTreeMap::new();
            for term in &text.terms {
                *own.entry(term.clone()).or_default() += 1.0;
            }
            for term in own.keys() {
                *documents.entry(term.clone()).or_default() += 1.0;
            }
            counts.push((own, text.terms.len() as f64));
        }
        let mean = counts.iter().map(|c| c.1).sum::<f64>() / (counts.len().max(1) as f64);
        Self { counts, documents, mean: mean.max(1.0) }
    }

    fn score(&self, query: &[String], i: usize) -> f64 {
        let Some((own, length)) = self.counts.get(i) else { return 0.0 };
        let n = self.counts.len() as f64;
        let terms: BTreeSet<&String> = query.iter().collect();
        terms
            .into_iter()
            .filter_map(|t| {
                let (tf, df) = (own.get(t)?, self.documents.get(t)?);
                let idf = ((n - df + 0.5) / (df + 0.5)).ln_1p();
                Some(idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / self.mean)))
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(id: &str, hypothesis: &str, label: Option<&str>) -> Case {
        let label = label.map(|l| format!(",\"gold\":{{\"label\":\"{l}\"}}")).unwrap_or_default();
        let text = format!(
            "{{\"id\":\"{id}\",\"language\":\"en\",\"facts\":\"{hypothesis}\",\"jurisdiction\":\"\",\"matter\":{{\"asks\":\"entailment\",\"hypothesis\":\"{hypothesis}\"}}{label}}}"
        );
        Case::from_json(id, &text).unwrap()
    }

    async fn chosen(case: Case, train: &[Case], by: By, n: usize) -> (Shots, Chosen) {
        let mut cases = [case];
        let prompts = Prompts::builtin().unwrap();
        let catalogue = Catalogue::builtin().unwrap();
        let chosen =
            choose(&mut cases, train, Wanted { by, n, seed: 1 }, None, &prompts, &catalogue).await.unwrap();
        (cases[0].shots.clone().unwrap(), chosen)
    }

    #[tokio::test]
    async fn the_most_similar_come_last_and_the_case_itself_never() {
        let train = [
            pair("a", "The owner of a boat may sell the boat and its oars to anybody.", Some("Y")),
            pair("b", "A lender may ask for interest on a loan of money.", Some("N")),
            pair("c", "The owner of a boat may lend it.", Some("N")),
            pair("d", "The owner of a boat may sell the boat and its oars to somebody.", Some("Y")),
            pair("e", "The owner of a boat may paint it.", None),
            pair("me", "Quite another text about a harbour fee.", Some("Y")),
        ];
        let me = pair("me", "The owner of a boat may sell the boat and its oars to anybody.", None);
        let (shots, report) = chosen(me, &train, By::Bm25, 2).await;
        let ids: Vec<_> = shots.list.iter().map(|s| s.id.as_str()).collect();
        // a is the same text, me the same id; d differs in one word.
        assert!(!ids.contains(&"a") && !ids.contains(&"me") && !ids.contains(&"e"), "{ids:?}");
        assert_eq!(ids.last(), Some(&"c"), "{ids:?}");
        assert_eq!((report.unanswered, shots.of, shots.dropped), (1, 5, 3));
        assert_eq!(shots.list[1].answer, "{\"answer\":\"N\"}");
        assert!(shots.list[1].question.contains("Hypothesis: The owner of a boat may lend it."));
    }

    #[tokio::test]
    async fn chance_depends_on_the_seed_and_the_case_alone() {
        let train: Vec<Case> = (0..30)
            .map(|i| pair(&format!("t{i}"), &format!("Text number {i} about item {i}."), Some("Y")))
            .collect();
        let me = pair("me", "A harbour fee is due.", None);
        let (one, _) = chosen(me.clone(), &train, By::Random, 6).await;
        let (two, _) = chosen(me, &train, By::Random, 6).await;
        assert_eq!(one, two);
        let (other, _) = chosen(pair("you", "A harbour fee is due.", None), &train, By::Random, 6).await;
        assert_ne!(one, other);
        assert_eq!(one.list.len(), 6);
    }

    #[test]
    fn ranks_are_fused() {
        assert_eq!(fused(&[vec![1, 2, 3], vec![3, 1, 2]]), [1, 3, 2]);
    }
}
