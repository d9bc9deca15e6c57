//! The published tables of `../shared/data/concordance-ipc-bns`, and how rows and decisions are written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nyaya_corpora::Number;
use serde_json::Value;

use super::align::{Decision, Place, Reviewed, Row, Table};

/// `3(5)`, `351(2)/(3)`, `8(4), (5)`: the places named; a bare bracket is of the number before it.
fn places(cell: &str) -> Vec<Place> {
    let mut out: Vec<Place> = Vec::new();
    for part in cell.split([',', '/', ';', '&']).flat_map(|p| p.split(" and ")).map(str::trim) {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        let rest = part.get(digits.len()..).unwrap_or_default();
        let letters: String = rest.chars().take_while(char::is_ascii_uppercase).collect();
        let pins: Vec<String> = rest
            .get(letters.len()..)
            .unwrap_or_default()
            .split(['(', ')'])
            .map(str::trim)
            .filter(|p| !p.is_empty() && p.chars().all(char::is_alphanumeric))
            .map(str::to_lowercase)
            .collect();
        let number = match digits.parse::<u32>() {
            Ok(base) if base > 0 => Number::lettered(base, &letters),
            _ => match out.last() {
                Some(last) if !pins.is_empty() => last.number.clone(),
                _ => continue,
            },
        };
        out.push(Place { number, pins: pins.join(".") });
    }
    out
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_default().trim()
}

fn table(name: &'static str, rows: &[Value], old_key: &str, new_key: &str) -> Table {
    let mut table = Table { name, old: BTreeMap::new(), new: BTreeSet::new() };
    for row in rows {
        let news = places(text(row, new_key));
        let olds = places(text(row, old_key));
        if olds.is_empty() {
            table.new.extend(news.iter().map(|p| p.number.clone()));
            continue;
        }
        for old in olds {
            table.old.entry(old.number).or_default().extend(news.iter().cloned());
        }
    }
    table
}

fn json(path: &Path) -> Result<Vec<Value>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Both tables on IPC and BNS.
pub fn ipc_bns(shared: &Path) -> Result<Vec<Table>, String> {
    let folder = shared.join("data/concordance-ipc-bns");
    let path = folder.join("ipc_bns_fulltext.jsonl.gz");
    let rows: Vec<Value> = crate::read::text(&path)?
        .lines()
        .map(|l| serde_json::from_str(l).map_err(|e| format!("{}: {e}", path.display())))
        .collect::<Result<_, _>>()?;
    Ok(vec![
        table("chakravyuha", &rows, "ipc_section", "bns_section"),
        table("adhikaar", &json(&folder.join("adhikaar_ipc_bns.json"))?, "ipc_section", "bns_section"),
    ])
}

/// The table on CrPC and BNSS.
pub fn crpc_bnss(shared: &Path) -> Result<Vec<Table>, String> {
    let path = shared.join("data/concordance-ipc-bns/adhikaar_crpc_bnss.json");
    Ok(vec![table("adhikaar", &json(&path)?, "crpc_section", "bnss_section")])
}

/// Rows as the committed file has them.
pub fn rows_tsv(rows: &[Row]) -> String {
    let cell = |s: Option<String>| s.unwrap_or_else(|| "-".to_owned());
    rows.iter()
        .map(|r| {
            format!(
                "{}\t{}\t{}\t{}\t{}\n",
                cell(r.old.as_ref().map(ToString::to_string)),
                cell(r.new.as_ref().map(ToString::to_string)),
                r.relation,
                r.confidence,
                r.sources
            )
        })
        .collect()
}

/// Decisions as the committed file has them.
pub fn decisions_tsv(pair: &str, decisions: &[Decision]) -> String {
    decisions
        .iter()
        .map(|d| {
            let says: Vec<String> = d.says.iter().map(|(who, what)| format!("{who}: {what}")).collect();
            format!("{pair}\t{}\t{}\t{}\t{}\n", d.number, says.join("; "), d.decided, d.reason)
        })
        .collect()
}

/// IPC and BNS, read by eye.
pub const IPC_REVIEWED: &[Reviewed] = &[
    Reviewed { old: "1", new: &["1"], reason: "read: the title and extent; the new section 1 opens with it" },
    Reviewed {
        old: "14",
        new: &[],
        reason: "read: servants of Government are no term of the new code; 2(28) is public servants",
    },
    Reviewed {
        old: "29A",
        new: &["2"],
        reason: "read: 2(39) takes words from the Information Technology Act",
    },
    Reviewed {
        old: "54",
        new: &["5"],
        reason: "read: commutation of a sentence of death is in the one section on commutation",
    },
    Reviewed {
        old: "55",
        new: &["5"],
        reason: "read: commutation of imprisonment for life is in the one section on commutation",
    },
    Reviewed {
        old: "108A",
        new: &["47"],
        reason: "read: abetment in India of offences outside; 48 is its mirror and new",
    },
    Reviewed { old: "260", new: &["179"], reason: "read: use as genuine is 179, counterfeiting is 178" },
    Reviewed { old: "305", new: &["107"], reason: "read: suicide of a child; 108 is of 306" },
    Reviewed {
        old: "309",
        new: &["226"],
        reason: "read: only an attempt meant to compel a public servant is left",
    },
    Reviewed { old: "341", new: &["126"], reason: "read: 126(2) punishes restraint, 127(2) confinement" },
    Reviewed { old: "380", new: &["305"], reason: "read: theft in a dwelling house" },
    Reviewed {
        old: "400",
        new: &["310"],
        reason: "read: belonging to a gang of dacoits is 310(6); 313 is of 401",
    },
    Reviewed { old: "448", new: &["329"], reason: "read: 329(4) punishes house-trespass" },
    Reviewed { old: "455", new: &["331"], reason: "read: after preparation is 331(5); 333 is of 452" },
    Reviewed { old: "406", new: &["316"], reason: "read: 316(2) punishes breach of trust" },
    Reviewed { old: "446", new: &["331"], reason: "read: house-breaking by night is in 331" },
    Reviewed { old: "450", new: &["332"], reason: "read: 332(b)" },
    Reviewed { old: "451", new: &["332"], reason: "read: 332(c) and its proviso" },
    Reviewed {
        old: "458",
        new: &["331"],
        reason: "read: by night and after preparation is 331(6); 333 is of 452",
    },
    Reviewed { old: "468", new: &["336"], reason: "read: 336(3) is forgery for cheating; 339 is possession" },
    Reviewed {
        old: "",
        new: &["48"],
        reason: "read: abetment outside India of an offence in India was not in the old code",
    },
    Reviewed {
        old: "",
        new: &["95"],
        reason: "read: engaging a child to commit an offence was not in the old code",
    },
];

/// CrPC and BNSS, read by eye.
pub const CRPC_REVIEWED: &[Reviewed] = &[
    Reviewed { old: "16", new: &[], reason: "read: there are no metropolitan magistrates in the new code" },
    Reviewed { old: "17", new: &[], reason: "read: there are no metropolitan magistrates in the new code" },
    Reviewed { old: "18", new: &[], reason: "read: there are no metropolitan magistrates in the new code" },
    Reviewed { old: "19", new: &[], reason: "read: there are no metropolitan magistrates in the new code" },
    Reviewed { old: "27", new: &[], reason: "read: juveniles are left to the Juvenile Justice Act" },
    Reviewed {
        old: "41C",
        new: &["37"],
        reason: "read: control rooms gave way to the designated police officer",
    },
    Reviewed { old: "58", new: &["59"], reason: "read: the report of apprehensions; 58 is of 57" },
    Reviewed {
        old: "246",
        new: &["269"],
        reason: "read: cases instituted otherwise than on a police report",
    },
    Reviewed { old: "355", new: &[], reason: "read: there are no metropolitan magistrates in the new code" },
];
