//! A knowledge base of one test, and the program run on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// An invented act: contents, chapters, a lettered section, an explanation, an omitted section.
pub const ACT: &str = include_str!("fixtures/river-act.txt");

/// Its manifest.
pub const MANIFEST: &str = include_str!("fixtures/river-act.toml");

pub const WORK: &str = "xx/river-act";

/// A folder for one test: knowledge base, sources, runs.
pub struct Place {
    pub dir: TempDir,
}

impl Place {
    /// With the act's manifest, nothing built.
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let manifests = dir.path().join("kb/manifests");
        std::fs::create_dir_all(&manifests).unwrap();
        std::fs::write(manifests.join("river-act.toml"), MANIFEST).unwrap();
        std::fs::write(dir.path().join("river-act.txt"), ACT).unwrap();
        Self { dir }
    }

    /// With the act built.
    pub fn built() -> Self {
        let place = Self::new();
        place.ok(&["corpus", "build", WORK, "--from", "river-act.txt"]);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nyaya"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env("NYAYA_KB", self.path("kb"))
            .env("NYAYA_OFFLINE", "1")
            .env_remove("NYAYA_MIRROR")
            .env_remove("NYAYA_LLM")
            .env_remove("NYAYA_MODEL")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs and wants success; gives stdout.
    #[track_caller]
    pub fn ok(&self, args: &[&str]) -> String {
        let out = self.run(args);
        assert!(
            out.status.success(),
            "{args:?}: {}\n{}{}",
            out.status,
            String::from_utf8_lossy(&out.stderr),
            String::from_utf8_lossy(&out.stdout)
        );
        String::from_utf8(out.stdout).unwrap()
    }

    /// Runs with `--json` and reads stdout.
    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        let mut all = vec!["--json"];
        all.extend(args);
        serde_json::from_str(&self.ok(&all)).unwrap()
    }

    /// Runs and wants an error with a hint that mentions each of `words`; gives stderr.
    #[track_caller]
    pub fn fails(&self, args: &[&str], words: &[&str]) -> String {
        let out = self.run(args);
        let said = String::from_utf8_lossy(&out.stderr).into_owned() + &String::from_utf8_lossy(&out.stdout);
        assert!(!out.status.success(), "{args:?} succeeded: {said}");
        assert!(out.status.code().is_some(), "{args:?} was killed by a signal: {said}");
        assert!(!said.contains("panicked"), "{said}");
        assert!(said.contains("hint:"), "no hint: {said}");
        for word in words {
            assert!(said.contains(word), "`{word}` is not in: {said}");
        }
        said
    }

    /// Number of the current generation.
    pub fn generation(&self) -> Option<String> {
        std::fs::read_to_string(self.path("kb/CURRENT")).ok().map(|s| s.trim().to_owned())
    }
}

/// Every file below a folder with its content's hash, sorted.
pub fn listing(dir: &Path) -> Vec<(String, String)> {
    use sha2::Digest as _;
    fn walk(root: &Path, dir: &Path, all: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(root, &path, all);
            } else {
                let hash = sha2::Sha256::digest(std::fs::read(&path).unwrap());
                let name = path.strip_prefix(root).unwrap().display().to_string();
                all.push((name, format!("{hash:x}")));
            }
        }
    }
    let mut all = Vec::new();
    walk(dir, dir, &mut all);
    all.sort();
    all
}
