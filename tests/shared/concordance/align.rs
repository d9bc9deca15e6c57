//! From two codes and what tables say about them to a concordance: which provision of the new code has the words of
//! which provision of the old one.
//!
//! Three witnesses. *Text*: the share of a provision's word pairs that stand in another one, each pair weighted by how
//! rare it is in both codes. *Heading*: the words of the headings. *Tables*: pairs that others published. Where the
//! text is clear it decides; where it is not, two other witnesses that agree do. What is decided against a witness is
//! a row of the decisions.

#![allow(clippy::indexing_slicing, reason = "tables of one size, made here")]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nyaya_corpora::{Edition, Number, Provision, Status};

/// A published table: its letter in the provenance, and what it says of each old number. An empty list means that it
/// says the provision was dropped.
pub struct Table {
    pub name: &'static str,
    pub old: BTreeMap<Number, Vec<Place>>,
    /// New numbers that it says have no old one.
    pub new: BTreeSet<Number>,
}

/// A number with the places inside it: `3.5`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub number: Number,
    pub pins: String,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.number)?;
        if self.pins.is_empty() { Ok(()) } else { write!(f, ".{}", self.pins) }
    }
}

/// A row of the concordance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub old: Option<Number>,
    pub new: Option<Place>,
    pub relation: &'static str,
    pub confidence: &'static str,
    pub sources: String,
}

/// A row where witnesses disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub number: String,
    pub says: Vec<(String, String)>,
    pub decided: String,
    pub reason: String,
}

/// What reading the provisions gave, where the witnesses were wrong or silent: an old number and its new ones, or, with
/// an empty old number, a new one without predecessor.
pub struct Reviewed {
    pub old: &'static str,
    pub new: &'static [&'static str],
    pub reason: &'static str,
}

/// Words of a text in lower case; what the new codes renamed throughout is made equal.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut out: Vec<String> = Vec::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        let word = match word {
            "sanhita" | "code" | "act" => "code",
            "rupees" | "rs" => "rupees",
            "transportation" => "imprisonment",
            "court" | "courts" => "court",
            "magistrate" | "magistrates" => "magistrate",
            w => w,
        };
        // Numbers of other sections differ between the codes by nature.
        if word.chars().any(|c| c.is_ascii_digit()) {
            continue;
        }
        out.push(word.to_owned());
    }
    out
}

type Shingles = HashMap<(u32, u32), f64>;

struct Unit {
    number: Number,
    heading: Vec<String>,
    whole: Shingles,
    weight: f64,
    /// Sub-sections and clauses of the first level.
    places: Vec<(String, Shingles)>,
    gone: bool,
    length: usize,
}

struct Vocabulary {
    ids: HashMap<String, u32>,
}

impl Vocabulary {
    fn pairs(&mut self, text: &str) -> Vec<(u32, u32)> {
        let ids: Vec<u32> = words(text)
            .into_iter()
            .map(|w| {
                let next = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
                *self.ids.entry(w).or_insert(next)
            })
            .collect();
        let single = ids.iter().map(|w| (*w, u32::MAX));
        single.chain(ids.windows(2).map(|w| (w[0], w[1]))).collect()
    }
}

fn units(edition: &Edition) -> Vec<&Provision> {
    edition.provisions.iter().filter(|p| p.id.unit.is_numbered_provision()).collect()
}

/// Sub-sections (1), (2), … of a text, or its clauses (a), (b), … where it has none, each with its words.
fn first_level(text: &str) -> Vec<(String, &str)> {
    let marks = |label: &dyn Fn(usize) -> String| {
        let mut starts: Vec<(String, usize, usize)> = Vec::new();
        let mut at = 0;
        for n in 1..60 {
            let mark = format!("({})", label(n));
            let Some(found) = text.get(at..).and_then(|t| t.find(&mark)).map(|i| at + i) else { break };
            starts.push((label(n), found, found + mark.len()));
            at = found + mark.len();
        }
        starts
    };
    let mut starts = marks(&|n| n.to_string());
    if starts.len() < 2 {
        starts = marks(&|n| char::from(b'a' + u8::try_from(n - 1).unwrap_or(25).min(25)).to_string());
    }
    if starts.len() < 2 {
        return Vec::new();
    }
    let ends: Vec<usize> = starts.iter().skip(1).map(|s| s.1).chain([text.len()]).collect();
    starts
        .into_iter()
        .zip(ends)
        .map(|((name, _, from), to)| (name, text.get(from..to).unwrap_or_default()))
        .collect()
}

fn read(edition: &Edition, vocabulary: &mut Vocabulary) -> Vec<(Unit, Vec<(u32, u32)>)> {
    units(edition)
        .into_iter()
        .map(|p| {
            // Where a reader cut heading from text does not matter here: both are words of the section.
            let heading = p.heading.as_deref().unwrap_or_default();
            let full = format!("{heading} {}", p.text);
            let all = vocabulary.pairs(&full);
            let count = |pairs: &[(u32, u32)]| {
                let mut map = Shingles::new();
                for pair in pairs {
                    *map.entry(*pair).or_default() += 1.0;
                }
                map
            };
            let places = first_level(&full)
                .into_iter()
                .map(|(name, text)| (name, count(&vocabulary.pairs(text))))
                .collect();
            let heading = heading.split_once(". ").map_or(heading, |(first, _)| first);
            let unit = Unit {
                number: p.id.unit.number().cloned().unwrap_or_else(|| Number::plain(0)),
                heading: words(heading),
                whole: count(&all),
                weight: 0.0,
                places,
                gone: matches!(p.status, Status::Omitted | Status::Repealed),
                length: words(&full).len(),
            };
            (unit, all)
        })
        .collect()
}

fn share(inner: &Shingles, outer: &Shingles, idf: &HashMap<(u32, u32), f64>) -> f64 {
    let (mut both, mut all) = (0.0, 0.0);
    for (pair, n) in inner {
        let weight = idf.get(pair).copied().unwrap_or(0.0);
        all += n * weight;
        both += n.min(outer.get(pair).copied().unwrap_or(0.0)) * weight;
    }
    if all > 0.0 { both / all } else { 0.0 }
}

/// Share of the heading's words that two headings have in common.
fn headings(a: &[String], b: &[String]) -> f64 {
    let stop =
        ["of", "the", "to", "in", "a", "an", "by", "for", "or", "and", "on", "etc", "with", "when", "be"];
    let set =
        |w: &[String]| w.iter().filter(|w| !stop.contains(&w.as_str())).cloned().collect::<BTreeSet<_>>();
    let (a, b) = (set(a), set(b));
    let all = a.union(&b).count();
    if all == 0 { 0.0 } else { a.intersection(&b).count() as f64 / all as f64 }
}

/// What the texts say of a pair.
#[derive(Debug, Clone, Copy)]
struct Score {
    /// Share of the old provision that stands in the new one.
    old_in_new: f64,
    /// Share of the new provision that stands in the old one.
    new_in_old: f64,
    heading: f64,
}

impl Score {
    fn both(self) -> f64 {
        let sum = self.old_in_new + self.new_in_old;
        if sum > 0.0 { 2.0 * self.old_in_new * self.new_in_old / sum } else { 0.0 }
    }
}

const NOTHING: Score = Score { old_in_new: 0.0, new_in_old: 0.0, heading: 0.0 };

/// Pairs worth comparing: for each provision the twenty that share most of its rarer word pairs, and what tables say.
fn candidates(
    a: &[Unit],
    b: &[Unit],
    idf: &HashMap<(u32, u32), f64>,
    seen: &HashMap<(u32, u32), f64>,
    tables: &[Table],
) -> BTreeSet<(usize, usize)> {
    const MOST: usize = 20;
    const COMMON: f64 = 120.0;
    let mut posted: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
    for (j, n) in b.iter().enumerate() {
        for pair in n.whole.keys().filter(|p| seen.get(*p).is_some_and(|n| *n <= COMMON)) {
            posted.entry(*pair).or_default().push(j);
        }
    }
    let index: HashMap<&Number, usize> = b.iter().enumerate().map(|(j, n)| (&n.number, j)).collect();
    let mut out = BTreeSet::new();
    let mut back: Vec<Vec<(f64, usize)>> = vec![Vec::new(); b.len()];
    for (i, o) in a.iter().enumerate() {
        let mut shared: BTreeMap<usize, f64> = BTreeMap::new();
        for pair in o.whole.keys() {
            for j in posted.get(pair).into_iter().flatten() {
                *shared.entry(*j).or_default() += idf.get(pair).copied().unwrap_or(0.0);
            }
        }
        let mut ranked: Vec<(f64, usize)> =
            shared.iter().map(|(j, w)| (w / (b[*j].weight + o.weight), *j)).collect();
        let mut inside: Vec<(f64, usize)> = shared.iter().map(|(j, w)| (*w, *j)).collect();
        for list in [&mut ranked, &mut inside] {
            list.sort_by(|x, y| y.partial_cmp(x).unwrap_or(std::cmp::Ordering::Equal));
            out.extend(list.iter().take(MOST).map(|(_, j)| (i, *j)));
        }
        for (j, w) in shared {
            back[j].push((w / o.weight.max(1.0), i));
        }
        for place in tables.iter().filter_map(|t| t.old.get(&o.number)).flatten() {
            out.extend(index.get(&place.number).map(|j| (i, *j)));
        }
    }
    for (j, list) in back.iter_mut().enumerate() {
        list.sort_by(|x, y| y.partial_cmp(x).unwrap_or(std::cmp::Ordering::Equal));
        out.extend(list.iter().take(MOST).map(|(_, i)| (*i, j)));
    }
    out
}

/// A text speaks for a pair from here on.
const CLEAR: f64 = 0.55;
/// Below this it speaks against every pair.
const FAINT: f64 = 0.34;
/// From here on two provisions say the same.
const SAME: f64 = 0.80;

pub struct Aligned {
    pub rows: Vec<Row>,
    pub decisions: Vec<Decision>,
}

/// Aligns two codes.
pub fn align(old: &Edition, new: &Edition, tables: &[Table], reviewed: &[Reviewed]) -> Aligned {
    let mut vocabulary = Vocabulary { ids: HashMap::new() };
    let (mut a, mut b) = (read(old, &mut vocabulary), read(new, &mut vocabulary));
    let mut seen: HashMap<(u32, u32), f64> = HashMap::new();
    for (unit, _) in a.iter().chain(&b) {
        for pair in unit.whole.keys() {
            *seen.entry(*pair).or_default() += 1.0;
        }
    }
    let total = (a.len() + b.len()) as f64;
    let idf: HashMap<(u32, u32), f64> = seen.iter().map(|(k, n)| (*k, (total / n).ln())).collect();
    for (unit, _) in a.iter_mut().chain(&mut b) {
        unit.weight = unit.whole.iter().map(|(k, n)| n * idf.get(k).copied().unwrap_or(0.0)).sum();
    }
    let (a, b): (Vec<Unit>, Vec<Unit>) =
        (a.into_iter().map(|x| x.0).collect(), b.into_iter().map(|x| x.0).collect());
    let score = |o: &Unit, n: &Unit| Score {
        old_in_new: share(&o.whole, &n.whole, &idf),
        new_in_old: share(&n.whole, &o.whole, &idf),
        heading: headings(&o.heading, &n.heading),
    };
    let candidates = candidates(&a, &b, &idf, &seen, tables);
    let mut scores: Vec<HashMap<usize, Score>> = vec![HashMap::new(); a.len()];
    for (i, j) in &candidates {
        scores[*i].insert(*j, score(&a[*i], &b[*j]));
    }
    let scores = |i: usize, j: usize| scores[i].get(&j).copied().unwrap_or(NOTHING);
    // A short provision is found in any long one by chance: what counts is the best place of its size.
    let strength = |i: usize, j: usize| -> f64 {
        let s = scores(i, j);
        let (o, n) = (&a[i], &b[j]);
        let place = n
            .places
            .iter()
            .map(|(_, p)| {
                let (x, y) = (share(&o.whole, p, &idf), share(p, &o.whole, &idf));
                if x + y > 0.0 { 2.0 * x * y / (x + y) } else { 0.0 }
            })
            .fold(0.0f64, f64::max);
        let inner = o
            .places
            .iter()
            .map(|(_, p)| {
                let (x, y) = (share(p, &n.whole, &idf), share(&n.whole, p, &idf));
                if x + y > 0.0 { 2.0 * x * y / (x + y) } else { 0.0 }
            })
            .fold(0.0f64, f64::max);
        let contained = if o.length >= 25 { s.old_in_new * 0.92 } else { 0.0 };
        let containing = if n.length >= 25 { s.new_in_old * 0.92 } else { 0.0 };
        let text = s.both().max(place * 0.97).max(inner * 0.97).max(contained).max(containing);
        text + 0.08 * s.heading
    };
    let mut strengths: Vec<Vec<f64>> = vec![vec![0.0; b.len()]; a.len()];
    for (i, j) in &candidates {
        strengths[*i][*j] = strength(*i, *j);
    }
    let best_of_old: Vec<usize> = strengths.iter().map(|row| best(row.iter().copied())).collect();
    let best_of_new: Vec<usize> = (0..b.len()).map(|j| best(strengths.iter().map(|row| row[j]))).collect();
    // The order of the code: neighbours go to neighbours.
    let neighbours = |i: usize, j: usize| {
        let near = |k: usize| best_of_old.get(k).is_some_and(|m| m.abs_diff(j) <= 2);
        usize::from(i > 0 && near(i - 1)) + usize::from(near(i + 1))
    };

    let index: HashMap<&Number, usize> = b.iter().enumerate().map(|(j, n)| (&n.number, j)).collect();
    let mut links: BTreeMap<(usize, usize), (BTreeSet<&'static str>, f64)> = BTreeMap::new();
    let mut decisions = Vec::new();
    let mut dropped: BTreeMap<usize, (BTreeSet<&'static str>, &'static str)> = BTreeMap::new();
    for (i, o) in a.iter().enumerate() {
        let top = best_of_old[i];
        let at = strengths[i][top];
        let text: BTreeSet<usize> = (0..b.len())
            .filter(|j| {
                let s = strengths[i][*j];
                // Its best, and others that are nearly as good or are themselves made of it.
                *j == top
                    || (s >= CLEAR
                        && best_of_new[*j] == i
                        && (s >= at - 0.06 || scores(i, *j).new_in_old >= 0.5))
            })
            .filter(|j| strengths[i][*j] >= FAINT)
            .collect();
        let says: Vec<(&'static str, BTreeSet<usize>, bool)> = tables
            .iter()
            .filter_map(|t| {
                let places = t.old.get(&o.number)?;
                let set: BTreeSet<usize> =
                    places.iter().filter_map(|p| index.get(&p.number).copied()).collect();
                Some((t.name, set, places.is_empty()))
            })
            .collect();
        let support = |j: usize| -> BTreeSet<&'static str> {
            let mut by: BTreeSet<&'static str> =
                says.iter().filter(|(_, s, _)| s.contains(&j)).map(|(n, _, _)| *n).collect();
            if text.contains(&j) && strengths[i][j] >= CLEAR {
                by.insert("text");
            }
            if scores(i, j).heading >= 0.6 {
                by.insert("heading");
            }
            if neighbours(i, j) == 2 {
                by.insert("order");
            }
            by
        };
        let named = |j: usize| says.iter().any(|(_, set, _)| set.contains(&j));
        let mut chosen: BTreeSet<usize> = BTreeSet::new();
        let mut reason = "";
        let clear = at >= CLEAR && !o.gone;
        let review = reviewed.iter().find(|r| !r.old.is_empty() && r.old == o.number.to_string());
        if let Some(review) = review {
            let numbers = review.new.iter().filter_map(|n| n.parse::<Number>().ok());
            chosen.extend(numbers.filter_map(|n| index.get(&n).copied()));
            reason = review.reason;
        } else if clear {
            chosen.extend(text.iter().filter(|j| strengths[i][**j] >= CLEAR));
            reason = "the texts agree";
            // A table's pair that the texts bear out too.
            for (_, set, _) in &says {
                chosen.extend(set.iter().filter(|j| strengths[i][**j] >= CLEAR - 0.08));
            }
        } else if !o.gone {
            let mut ranked: Vec<(usize, usize, f64)> = says
                .iter()
                .flat_map(|(_, s, _)| s.iter().copied())
                .chain(text.iter().copied())
                .collect::<BTreeSet<usize>>()
                .into_iter()
                .map(|j| (j, support(j).len(), strengths[i][j]))
                .filter(|(j, n, s)| *n >= 2 || (*n >= 1 && *s >= FAINT) || *s >= 0.45 || named(*j))
                .collect();
            ranked.sort_by(|x, y| (y.1, y.2).partial_cmp(&(x.1, x.2)).unwrap_or(std::cmp::Ordering::Equal));
            if let Some((j, n, _)) = ranked.first().copied() {
                chosen.insert(j);
                reason = match n {
                    2.. => "two witnesses agree",
                    _ if strengths[i][j] < FAINT => "one table names it; the text was too changed to tell",
                    _ => "the closest text",
                };
            }
        }
        if chosen.is_empty() {
            let mut by: BTreeSet<&'static str> =
                says.iter().filter(|(_, _, gone)| *gone).map(|(n, _, _)| *n).collect();
            if o.gone {
                by.insert("omitted-before");
            } else if at < FAINT {
                by.insert("text");
            }
            if review.is_some() {
                by.insert("reviewed");
            }
            let confidence = if o.gone || by.len() >= 2 {
                "high"
            } else if review.is_some() || (by.contains("text") && at < 0.25) {
                "medium"
            } else {
                "low"
            };
            dropped.insert(i, (by, confidence));
            reason = if review.is_some() {
                reason
            } else if o.gone {
                "it was omitted or repealed before the new code"
            } else {
                "no text of the new code is close"
            };
        }
        for j in &chosen {
            let mut by = support(*j);
            if review.is_some() {
                by.insert("reviewed");
            }
            links.insert((i, *j), (by, strengths[i][*j]));
        }
        let numbers = |set: &BTreeSet<usize>| {
            let list: Vec<String> = set.iter().map(|j| b[*j].number.to_string()).collect();
            if list.is_empty() { "none".to_owned() } else { list.join(" ") }
        };
        let parted =
            says.iter().any(|(_, set, _)| !set.is_subset(&chosen) || set.is_empty() != chosen.is_empty());
        let text_parted = at >= CLEAR && !chosen.contains(&top) && !o.gone;
        if parted || text_parted || review.is_some() {
            let mut witnesses: Vec<(String, String)> =
                says.iter().map(|(n, s, _)| ((*n).to_owned(), numbers(s))).collect();
            witnesses.push(("text".to_owned(), format!("{} ({at:.2})", b[top].number)));
            decisions.push(Decision {
                number: o.number.to_string(),
                says: witnesses,
                decided: numbers(&chosen),
                reason: reason.to_owned(),
            });
        }
    }
    // New provisions that no old one chose, but whose words come from one.
    for (j, n) in b.iter().enumerate() {
        if links.keys().any(|(_, x)| *x == j) {
            continue;
        }
        let i = best_of_new[j];
        let s = strengths[i][j];
        let contained = n.length >= 25 && scores(i, j).new_in_old >= 0.5;
        let is_new = tables.iter().any(|t| t.new.contains(&n.number))
            || reviewed.iter().any(|r| r.old.is_empty() && r.new.contains(&n.number.to_string().as_str()));
        let settled = reviewed.iter().any(|r| r.old == a[i].number.to_string());
        if !a[i].gone && !is_new && !settled && s >= CLEAR && contained {
            let mut by = BTreeSet::from(["text"]);
            if scores(i, j).heading >= 0.6 {
                by.insert("heading");
            }
            dropped.remove(&i);
            links.insert((i, j), (by, s));
        }
    }
    // Relations.
    let news = |i: usize| links.keys().filter(|(x, _)| *x == i).count();
    let olds = |j: usize| links.keys().filter(|(_, y)| *y == j).count();
    let mut rows = Vec::new();
    for (i, o) in a.iter().enumerate() {
        if let Some((by, confidence)) = dropped.get(&i) {
            rows.push(Row {
                old: Some(o.number.clone()),
                new: None,
                relation: "dropped",
                confidence,
                sources: join(by),
            });
            continue;
        }
        for ((_, j), (by, strength)) in links.range((i, 0)..(i + 1, 0)) {
            let n = &b[*j];
            let relation = if news(i) > 1 {
                "split"
            } else if olds(*j) > 1 {
                "merged"
            } else if scores(i, *j).both() >= SAME {
                "same"
            } else {
                "changed"
            };
            let tables_for =
                by.iter().filter(|s| !["text", "heading", "order", "reviewed"].contains(*s)).count();
            let confidence = if by.contains("text") && by.len() >= 2 && (tables_for > 0 || *strength >= 0.7) {
                "high"
            } else if by.contains("text") || by.contains("reviewed") || by.len() >= 2 {
                "medium"
            } else {
                "low"
            };
            rows.push(Row {
                old: Some(o.number.clone()),
                new: Some(Place { number: n.number.clone(), pins: place_of(o, n, &idf, olds(*j)) }),
                relation,
                confidence,
                sources: join(by),
            });
        }
    }
    for (j, n) in b.iter().enumerate() {
        if olds(j) == 0 {
            let mut by: BTreeSet<&'static str> =
                tables.iter().filter(|t| t.new.contains(&n.number)).map(|t| t.name).collect();
            if let Some(review) =
                reviewed.iter().find(|r| r.old.is_empty() && r.new.contains(&n.number.to_string().as_str()))
            {
                by.insert("reviewed");
                let top = &a[best_of_new[j]].number;
                decisions.push(Decision {
                    number: format!("new {}", n.number),
                    says: vec![("text".to_owned(), format!("{top} ({:.2})", strengths[best_of_new[j]][j]))],
                    decided: "new".to_owned(),
                    reason: review.reason.to_owned(),
                });
            } else {
                by.insert("text");
            }
            let at = strengths[best_of_new[j]][j];
            let confidence = if by.len() >= 2 {
                "high"
            } else if at < 0.4 {
                "medium"
            } else {
                "low"
            };
            rows.push(Row {
                old: None,
                new: Some(Place { number: n.number.clone(), pins: String::new() }),
                relation: "new",
                confidence,
                sources: join(&by),
            });
        }
    }
    Aligned { rows, decisions }
}

fn join(by: &BTreeSet<&'static str>) -> String {
    if by.is_empty() { "-".to_owned() } else { by.iter().copied().collect::<Vec<_>>().join("+") }
}

fn best(values: impl Iterator<Item = f64>) -> usize {
    let mut top = (0, f64::MIN);
    for (k, v) in values.enumerate() {
        if v > top.1 {
            top = (k, v);
        }
    }
    top.0
}

/// The sub-section or clause that holds the old provision, where the new one has several old ones.
fn place_of(o: &Unit, n: &Unit, idf: &HashMap<(u32, u32), f64>, olds: usize) -> String {
    if olds < 2 || n.places.len() < 2 || o.length < 4 {
        return String::new();
    }
    let whole = share(&o.whole, &n.whole, idf);
    let mut ranked: Vec<(f64, &String)> = n
        .places
        .iter()
        .map(|(name, p)| {
            let (x, y) = (share(&o.whole, p, idf), share(p, &o.whole, idf));
            (if x + y > 0.0 { 2.0 * x * y / (x + y) } else { 0.0 }, name)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(std::cmp::Ordering::Equal));
    match ranked.as_slice() {
        [(top, name), rest @ ..]
            if *top >= 0.5 && rest.first().is_none_or(|r| top - r.0 >= 0.1) && whole >= FAINT =>
        {
            (*name).clone()
        }
        _ => String::new(),
    }
}
