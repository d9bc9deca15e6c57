//! Two versions of the Criminal Law in one knowledge base, as a person asks for them.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Test;
use crate::ingest::that;

/// What Amendment XII changed, from 1 March 2024.
const SEVEN: [&str; 7] = ["165", "166", "169", "387", "390", "391", "393"];
const BEFORE: &str = "2024-02-29";
const AFTER: &str = "2024-03-01";

pub fn trials(shared: &Path) -> Vec<(&'static str, Test)> {
    let sources = shared.join("data/corpus-prc-criminal-law");
    vec![("two_versions_of_the_criminal_law_side_by_side", Box::new(move || side_by_side(&sources)))]
}

/// The program on a knowledge base of its own; what is given goes to its standard input.
fn run(kb: &Path, args: &[&str], input: &str) -> Result<String, String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nyaya"))
        .args(args)
        .env("NYAYA_KB", kb)
        .env("NYAYA_OFFLINE", "1")
        .env_remove("NYAYA_MIRROR")
        .env_remove("NYAYA_LLM")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        // Commands that read nothing close it.
        let _ = stdin.write_all(input.as_bytes());
    }
    let out = child.wait_with_output().map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&out.stderr);
    that(out.status.success(), format!("{args:?}: {said}{}", String::from_utf8_lossy(&out.stdout)))?;
    String::from_utf8(out.stdout).map_err(|e| e.to_string())
}

fn json(kb: &Path, args: &[&str], input: &str) -> Result<Value, String> {
    let all: Vec<&str> = std::iter::once("--json").chain(args.iter().copied()).collect();
    serde_json::from_str(&run(kb, &all, input)?).map_err(|e| format!("{args:?}: {e}"))
}

fn field<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn side_by_side(sources: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let kb = folder.path();
    for file in ["criminal_law_am11.pdf", "lawrefbook_md/刑法.md"] {
        let path = sources.join(file);
        let path = path.to_str().ok_or("no path")?;
        run(kb, &["corpus", "build", "cn/criminal-law", "--from", path], "")?;
    }
    for (a, b) in [("2021-03-01", "2024-03-01"), (BEFORE, AFTER)] {
        let rows = json(kb, &["corpus", "diff", "cn/criminal-law", a, b], "")?;
        let ids: Vec<&str> = rows.as_array().into_iter().flatten().map(|r| field(r, "/id")).collect();
        let want: Vec<String> = SEVEN.iter().map(|n| format!("cn/criminal-law#a{n}")).collect();
        that(ids == want, format!("{a} and {b}: {ids:?}"))?;
        that(
            rows.as_array()
                .into_iter()
                .flatten()
                .all(|r| field(r, "/change") == "changed" && !field(r, "/difference").is_empty()),
            format!("{rows}"),
        )?;
    }
    let same = json(kb, &["corpus", "diff", "cn/criminal-law", "2021-03-01", BEFORE], "")?;
    that(same.as_array().is_some_and(Vec::is_empty), format!("one version differs from itself: {same}"))?;
    let show =
        |unit: &str, day: &str| json(kb, &["show", &format!("cn/criminal-law#{unit}"), "--as-of", day], "");
    for number in SEVEN {
        let unit = format!("a{number}");
        let (old, new) = (show(&unit, BEFORE)?, show(&unit, AFTER)?);
        that(
            field(&old, "/version") == "2021-03-01" && field(&new, "/version") == "2024-03-01",
            format!("{unit}: {old} {new}"),
        )?;
        that(field(&old, "/text") != field(&new, "/text"), format!("{unit} is the same on either side"))?;
        // The words of a version are those of its own days; of others only where the amendment added to them.
        let words = |v: &Value| field(v, "/text").replace('\n', "");
        let kept = words(&new).contains(&words(&old));
        let quoted = |text: &Value| {
            format!("《刑法》第{number}条规定：“{}”。", field(text, "/text").replace('\n', ""))
        };
        for (text, day, verdict) in [
            (&old, BEFORE, "verified"),
            (&new, AFTER, "verified"),
            (&old, AFTER, if kept { "verified" } else { "misquoted" }),
            (&new, BEFORE, "misquoted"),
        ] {
            let report = json(kb, &["cite", "-", "--jurisdiction", "cn", "--as-of", day], &quoted(text))?;
            that(
                field(&report, "/citations/0/verdict") == verdict
                    && field(&report, "/citations/0/id") == format!("cn/criminal-law#{unit}"),
                format!("{unit} on {day}, {verdict}: {report}"),
            )?;
        }
    }
    // What XII left alone is the same on either side.
    that(
        field(&show("a232", BEFORE)?, "/text") == field(&show("a232", AFTER)?, "/text"),
        "article 232 differs",
    )
}
