//! The concordance of the program made again from the texts and the published tables.
//!
//! With `NYAYA_WRITE=1` the files under `corpora/concordance/` are written. Else they are compared: a reader that cuts a
//! text otherwise may move a few of the faint rows, so one pair in a hundred may differ.

mod align;
mod tables;

use std::collections::BTreeSet;
use std::path::Path;

use nyaya_corpora::Edition;

use crate::held;

/// All trials of this folder.
pub fn trials(shared: &Path) -> Vec<(&'static str, crate::Test)> {
    let shared = shared.to_owned();
    vec![("the tables follow from the texts and the published tables", Box::new(move || rebuild(&shared)))]
}

const ROWS: &str = "# Earlier section, later section (with the place inside it where several went into one), relation, confidence, sources.\n\
# Numbers only. `-` is none. text: the words agree; heading; order: its neighbours went to the same place; reviewed: read\n\
# by eye, see decisions.tsv; omitted-before: no law when the later code came; chakravyuha, adhikaar: published tables\n\
# (muhammedsayeedurrahman/chakravyuha, MAsTeRlssPd/AdhiKaar). Made by `tests/shared/concordance`.\n";

const DECISIONS: &str = "# Where the witnesses disagree: table, earlier section, who says what (text: the closest, with its score), decision,\n\
# reason. Numbers of sections only; `none` is dropped. Made by `tests/shared/concordance`.\n";

fn rebuild(shared: &Path) -> Result<(), String> {
    let editions = held::editions(shared)?;
    let get = |work: &str| -> Result<&Edition, String> {
        editions.iter().find(|e| e.work.as_str() == work).ok_or_else(|| format!("{work} is not held"))
    };
    let ipc = align::align(get("in/ipc")?, get("in/bns")?, &tables::ipc_bns(shared)?, tables::IPC_REVIEWED);
    let crpc =
        align::align(get("in/crpc")?, get("in/bnss")?, &tables::crpc_bnss(shared)?, tables::CRPC_REVIEWED);
    let decisions = format!(
        "{DECISIONS}{}{}",
        tables::decisions_tsv("ipc-bns", &ipc.decisions),
        tables::decisions_tsv("crpc-bnss", &crpc.decisions)
    );
    let made = [
        ("ipc-bns.tsv", format!("{ROWS}{}", tables::rows_tsv(&ipc.rows))),
        ("crpc-bnss.tsv", format!("{ROWS}{}", tables::rows_tsv(&crpc.rows))),
        ("decisions.tsv", decisions),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/concordance");
    if std::env::var("NYAYA_WRITE").is_ok_and(|v| v == "1") {
        for (name, text) in &made {
            std::fs::write(folder.join(name), text).map_err(|e| format!("{name}: {e}"))?;
        }
        return Ok(());
    }
    let mut report = Vec::new();
    for (name, text) in &made {
        let committed = std::fs::read_to_string(folder.join(name)).map_err(|e| format!("{name}: {e}"))?;
        let key = |line: &str| -> Option<String> {
            if line.starts_with('#') {
                return None;
            }
            let mut cells = line.split('\t');
            let (a, b, c) = (cells.next()?, cells.next()?, cells.next().unwrap_or_default());
            // Tables: both sections, without the place. Decisions: table, section, and the decision.
            Some(if *name == "decisions.tsv" {
                format!("{a} {b} {}", cells.next().unwrap_or(c))
            } else {
                format!("{a} {}", b.split('.').next().unwrap_or(b))
            })
        };
        let there: BTreeSet<String> = committed.lines().filter_map(key).collect();
        let here: BTreeSet<String> = text.lines().filter_map(key).collect();
        let differ: Vec<&String> = there.symmetric_difference(&here).collect();
        let allowed = if *name == "decisions.tsv" { there.len() / 5 } else { there.len() / 100 };
        if differ.len() > allowed {
            report.push(format!("{name}: {} of {} differ: {differ:?}", differ.len(), there.len()));
        }
    }
    if report.is_empty() { Ok(()) } else { Err(report.join("\n")) }
}
