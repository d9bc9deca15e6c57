//! The tables of `data/bench-recidivism`, told as narratives.

use std::path::Path;

use nyaya_agents::case::Gold;
use nyaya_agents::inputs::table::{Options, Told, read};

type Trial = (&'static str, crate::Test);

/// File, target, positive label, rows, rows with the positive label.
const TABLES: [(&str, &str, &str, usize, usize); 6] = [
    ("compas_vignettes_100.csv", "two_year_recid", "1", 100, 45),
    ("compas_vignettes_200.csv", "two_year_recid", "1", 200, 90),
    ("compas_full_filtered.csv", "two_year_recid", "1", 6172, 2809),
    ("nlsy97_vignettes_100.csv", "y_arrestedafter2002", "True", 100, 36),
    ("nlsy97_vignettes_200.csv", "y_arrestedafter2002", "True", 200, 65),
    ("credit_default_vignettes_100.csv", "default_payment_next_month", "1", 100, 22),
];

/// The trials of this area.
pub fn trials(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("data/bench-recidivism");
    vec![("every_row_is_told_without_its_target", Box::new(move || every_row(&folder)))]
}

fn every_row(folder: &Path) -> Result<(), String> {
    for (file, target, positive, rows, positives) in TABLES {
        let options = Options {
            target: target.to_owned(),
            positive: positive.to_owned(),
            question: "Will it happen?".to_owned(),
            language: "en".to_owned(),
            base_rate: true,
            ..Options::default()
        };
        let Told { cases, notices, positives: (yes, of) } =
            read(&folder.join(file), &options).map_err(|e| format!("{file}: {e}"))?;
        if cases.len() != rows || of != rows || yes != positives {
            return Err(format!("{file}: {} cases, {yes} of {of} positive", cases.len()));
        }
        if !notices.is_empty() {
            return Err(format!("{file}: {notices:?}"));
        }
        let words = [target.to_lowercase(), target.replace('_', " ").to_lowercase()];
        for case in &cases {
            let facts = case.facts.to_lowercase();
            if words.iter().any(|w| facts.contains(w.as_str())) {
                return Err(format!("{file}, {}: the target is in `{}`", case.id, case.facts));
            }
            if !matches!(&case.gold, Some(Gold::Label(_))) || case.facts.matches(": ").count() < 8 {
                return Err(format!("{file}, {}: {}", case.id, case.facts));
            }
        }
    }
    Ok(())
}
