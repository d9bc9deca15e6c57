//! Two printings of one code, section by section: every difference is named in `pairs.tsv`.
//!
//! Letters, figures and signs are compared; white space is left out, dashes and quotation marks count as one each.
//! `NYAYA_SHOW=1` prints the two texts of every section that differs, as JSON lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nyaya_corpora::{Status, Unit};
use nyaya_ingest::Built;

use crate::Test;
use crate::ingest::{build, that};

/// Code, the older printing, the newer one.
const PAIRS: [(&str, &str, &str); 2] = [
    ("in/ipc", "corpus-ipc/ipc_indiacode.pdf", "corpus-ipc/ipc_indiacode_resaved.pdf"),
    ("in/crpc", "corpus-crpc/crpc_indiacode_resaved.pdf", "corpus-crpc/crpc_indiacode.pdf"),
];

/// What a difference may be.
const KINDS: [&str; 3] = ["amendment", "defect", "printing"];

pub fn trials(shared: &Path) -> Vec<(&'static str, Test)> {
    let data = shared.join("data");
    ["the_two_printings_of_the_ipc", "the_two_printings_of_the_crpc"]
        .into_iter()
        .zip(PAIRS)
        .map(|(name, pair)| {
            let data = data.clone();
            (name, Box::new(move || every_difference_is_named(&data, pair)) as Test)
        })
        .collect()
}

/// The signs of a text, printed alike.
fn signs(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}' | '`' | '"' => '\'',
            c => c,
        })
        .collect()
}

/// The text of a section for comparison; what is no law has none, since the words that say so are an editor's.
fn texts(built: &Built) -> BTreeMap<Unit, String> {
    let law = |status| matches!(status, Status::InForce | Status::NotYetInForce);
    let provisions = &built.edition.provisions;
    let text =
        |p: &nyaya_corpora::Provision| if law(p.status) { signs(&p.text) } else { "no law".to_owned() };
    provisions.iter().map(|p| (p.id.unit.clone(), text(p))).collect()
}

fn every_difference_is_named(data: &Path, (work, old, new): (&str, &str, &str)) -> Result<(), String> {
    let (old, new) = (build(&data.join(old), work)?, build(&data.join(new), work)?);
    let (a, b) = (texts(&old), texts(&new));
    let units: BTreeSet<&Unit> = a.keys().chain(b.keys()).collect();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for unit in units {
        let (one, other) = (a.get(unit), b.get(unit));
        if one == other {
            continue;
        }
        let count =
            |text: Option<&String>| text.map_or_else(|| "-".to_owned(), |t| t.chars().count().to_string());
        found.insert(unit.to_string(), format!("{}:{}", count(one), count(other)));
        if std::env::var_os("NYAYA_SHOW").is_some() {
            let show = |built: &Built| built.edition.get(unit).map(|p| p.text.clone());
            eprintln!(
                "{}",
                serde_json::json!({"work": work, "unit": unit.to_string(), "old": show(&old), "new": show(&new)})
            );
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shared/pairs.tsv");
    let committed = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut bad = Vec::new();
    let mut named: BTreeSet<String> = BTreeSet::new();
    for line in committed.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [code, unit, lengths, kind, why] = fields[..] else {
            return Err(format!("not five fields: {line}"));
        };
        if code != work {
            continue;
        }
        that(KINDS.contains(&kind) && why.len() > 10, format!("no reason: {line}"))?;
        that(named.insert(unit.to_owned()), format!("twice: {line}"))?;
        match found.get(unit) {
            Some(now) if now == lengths => {}
            Some(now) => bad.push(format!("{unit}: {now} signs now, {lengths} when it was read by eye")),
            None => bad.push(format!("{unit} does not differ any more")),
        }
    }
    bad.extend(
        found
            .iter()
            .filter(|(u, _)| !named.contains(*u))
            .map(|(u, n)| format!("{u} differs ({n}) and is not named")),
    );
    eprintln!("{work}: {} of {} differ", found.len(), a.len().max(b.len()));
    if bad.is_empty() { Ok(()) } else { Err(bad.join("\n")) }
}
