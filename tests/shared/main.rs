//! Tests that read `../shared`: real statutes and cases with their right values.
//!
//! Where the folder is absent (a user's clone) they are ignored, so that every runner counts them as not run; with
//! `NYAYA_REQUIRE_SHARED=1` an absent folder makes them fail.

mod citations;
mod concordance;
mod exports;
mod extraction;
mod held;
mod ingest;
mod lawbench;
mod pairs;
mod read;
mod readings;
mod rows;
mod sources;
mod tables;
mod versions;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

/// A test: reads the folder, says what is wrong.
pub type Test = Box<dyn FnOnce() -> Result<(), String> + Send>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let shared: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let present = shared.is_dir();
    let required = std::env::var("NYAYA_REQUIRE_SHARED").is_ok_and(|v| v == "1");
    let tests = [
        ("ingest", ingest::trials(&shared)),
        ("sources", sources::trials(&shared)),
        ("citations", citations::trials(&shared)),
        ("lawbench", lawbench::trials(&shared)),
        ("concordance", concordance::trials(&shared)),
        ("extraction", extraction::trials(&shared)),
        ("readings", readings::trials(&shared)),
        ("tables", tables::trials(&shared)),
        ("pairs", pairs::trials(&shared)),
        ("versions", versions::trials(&shared)),
        ("exports", exports::trials(&shared)),
    ];
    let trials = tests
        .into_iter()
        .flat_map(|(area, tests)| {
            tests.into_iter().map(move |(name, test)| (format!("{area}::{name}"), test))
        })
        .map(|(name, test)| {
            Trial::test(name, move || {
                if !present {
                    return Err(Failed::from("../shared is absent, and NYAYA_REQUIRE_SHARED=1 asks for it"));
                }
                test().map_err(Failed::from)
            })
            .with_ignored_flag(!present && !required)
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
