//! Prompts: files with named blocks, one a role and language, compiled in and replaceable by a folder.
//!
//! `samvad/judge.en.md` holds blocks that begin with a line `# name`. A block is a minijinja template. What
//! parties, witnesses, statutes and other agents say is not in a template's context: a template can only place
//! it, by `{{ fenced("case") }}`, and the session puts the fence around it. `{{ fence_code }}` is the secret.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Why a prompt cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// A file of the user's could not be read.
    #[error("prompt file {path}: {source}\nhint: --prompts wants a folder laid out like agents/prompts")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A template does not read or does not render.
    #[error(
        "prompt {name}: {message}\nhint: compare the block with the one that comes with the program in agents/prompts"
    )]
    Template {
        /// File and block.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// No such block.
    #[error("there is no prompt `{name}`\nhint: {hint}")]
    Missing {
        /// File and block.
        name: String,
        /// What to do.
        hint: String,
    },
}

/// A piece of a message, before fences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Words of the program.
    Text(String),
    /// Words of others; the session puts a fence around them. Of several entries the session may leave out the
    /// oldest but the first where a conversation does not fit the model's window.
    Data {
        /// The program's word for it.
        label: String,
        /// What it holds, oldest first.
        entries: Vec<String>,
    },
    /// The secret of the fences.
    FenceCode,
}

/// Somebody whom an agent can play.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    /// Short name.
    pub id: String,
    /// Age, work and temperament, by language.
    pub text: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Personas {
    persona: Vec<Persona>,
}

macro_rules! builtin {
    ($($name:literal),* $(,)?) => {
        const BUILTIN: &[(&str, &str)] = &[$(($name, include_str!(concat!("../prompts/", $name)))),*];
    };
}
builtin!(
    "session/notes.en.md",
    "session/notes.zh.md",
    "samvad/common.en.md",
    "samvad/common.zh.md",
    "samvad/judge.en.md",
    "samvad/judge.zh.md",
    "samvad/prosecution.en.md",
    "samvad/prosecution.zh.md",
    "samvad/defence.en.md",
    "samvad/defence.zh.md",
    "samvad/adjudicator.en.md",
    "samvad/adjudicator.zh.md",
    "session/notes.ja.md",
    "simlaw/common.en.md",
    "simlaw/common.zh.md",
    "simlaw/counsel.en.md",
    "simlaw/counsel.zh.md",
    "simlaw/judge.en.md",
    "simlaw/judge.zh.md",
    "simlaw/domain-justice.en.md",
    "simlaw/domain-justice.zh.md",
    "simlaw/domain-credit.en.md",
    "simlaw/domain-credit.zh.md",
    "simlaw/domain-employment.en.md",
    "simlaw/domain-employment.zh.md",
    "simlaw/domain-fraud.en.md",
    "simlaw/domain-fraud.zh.md",
    "lmad/agent.en.md",
    "lmad/agent.zh.md",
    "lmad/agent.ja.md",
    "lmad/personas.en.md",
    "lmad/personas.zh.md",
    "lmad/personas.ja.md",
    "single/single.en.md",
    "single/single.zh.md",
    "single/single.ja.md",
    "personas.toml",
    "agentsbench/common.en.md",
    "agentsbench/common.zh.md",
    "agentsbench/steps.en.md",
    "agentsbench/steps.zh.md",
    "agentsbench/presiding.en.md",
    "agentsbench/presiding.zh.md",
    "agentsbench/judge.en.md",
    "agentsbench/judge.zh.md",
    "agentsbench/lay.en.md",
    "agentsbench/lay.zh.md",
    "agentsbench/personas.toml",
);

/// The prompts of a run.
#[derive(Debug, Clone)]
pub struct Prompts {
    env: Environment<'static>,
    /// By the name of the list: `personas`, `agentsbench/personas`.
    personas: BTreeMap<String, Vec<Persona>>,
    digest: String,
}

impl Prompts {
    /// The prompts that come with the program.
    ///
    /// # Errors
    /// If one of them does not read, which a test excludes.
    pub fn builtin() -> Result<Self, PromptError> {
        Self::of(BUILTIN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
    }

    /// The prompts that come with the program, where `folder` has no block of the same name in a file of the same name;
    /// plus those that only `folder` has.
    ///
    /// # Errors
    /// If a file cannot be read, or is not of the form of a prompt.
    pub fn with_folder(folder: &Path) -> Result<Self, PromptError> {
        let mut files: BTreeMap<String, String> =
            BUILTIN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let mut queue = vec![folder.to_owned()];
        while let Some(place) = queue.pop() {
            let io = |source| PromptError::Io { path: place.clone(), source };
            for entry in std::fs::read_dir(&place).map_err(io)? {
                let path = entry.map_err(io)?.path();
                if path.is_dir() {
                    queue.push(path);
                    continue;
                }
                let Ok(name) = path.strip_prefix(folder) else { continue };
                let name: Vec<_> = name.iter().map(|p| p.to_string_lossy()).collect();
                let name = name.join("/");
                if name.ends_with(".md") || is_personas(&name) {
                    let text = std::fs::read_to_string(&path)
                        .map_err(|source| PromptError::Io { path: path.clone(), source })?;
                    if !is_known(&name) {
                        tracing::warn!(
                            "{}: the program has no prompt of this name, so it replaces none\nhint: a file is COURT/ROLE.LANGUAGE.md, such as samvad/judge.en.md; `simlaw/domain-NAME.en.md` is a domain of your own",
                            path.display()
                        );
                    }
                    files.insert(name, text);
                }
            }
        }
        Self::of(files)
    }

    fn of(files: BTreeMap<String, String>) -> Result<Self, PromptError> {
        let mut env = Environment::new();
        env.set_auto_escape_callback(|_| AutoEscape::None);
        env.set_undefined_behavior(UndefinedBehavior::Strict);
        env.set_trim_blocks(true);
        env.set_lstrip_blocks(true);
        let mut hasher = Sha256::new();
        let mut personas = BTreeMap::new();
        for (name, text) in files {
            for part in [&name, &text] {
                hasher.update(part.len().to_le_bytes());
                hasher.update(part.as_bytes());
            }
            if is_personas(&name) {
                let list: Personas = toml::from_str(&text).map_err(|e| PromptError::Template {
                    name: name.clone(),
                    message: e.to_string().trim_end().to_owned(),
                })?;
                personas.insert(name.trim_end_matches(".toml").to_owned(), list.persona);
                continue;
            }
            let own = blocks(&text);
            // A file may replace some blocks and leave the others as they are.
            let builtin = BUILTIN.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| *text);
            let kept: Vec<_> =
                blocks(builtin).into_iter().filter(|(b, _)| own.iter().all(|(o, _)| o != b)).collect();
            for (block, source) in &kept {
                hasher.update(format!("{block}\n{}\n{source}", source.len()));
            }
            for (block, source) in own.into_iter().chain(kept) {
                let full = format!("{name}#{block}");
                env.add_template_owned(full.clone(), source)
                    .map_err(|e| PromptError::Template { name: full, message: format!("{e:#}") })?;
            }
        }
        Ok(Self { env, personas, digest: hex::encode(hasher.finalize()) })
    }

    /// SHA-256 over all files, in hex.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The personas of a list that have words in this language.
    #[must_use]
    pub fn personas_of(&self, list: &str, language: &str) -> Vec<&str> {
        let language = base(language);
        let list = self.personas.get(list).map(Vec::as_slice).unwrap_or_default();
        list.iter().filter_map(|p| p.text.get(language)).map(String::as_str).collect()
    }

    /// Renders a block, such as `samvad/judge#instruct`, in a language. `data` is what the block may place
    /// with `fenced`: label and entries.
    ///
    /// # Errors
    /// If there is no such block, or it does not render.
    pub fn render<S: Serialize>(
        &self,
        block: &str,
        language: &str,
        context: &S,
        data: &[(&str, Vec<String>)],
    ) -> Result<Vec<Piece>, PromptError> {
        // Nobody outside this call can know the marker, so no value can forge a place for data.
        let mark = uuid_like();
        let used: Arc<Mutex<Vec<usize>>> = Arc::default();
        let labels: Vec<String> = data.iter().map(|(label, _)| (*label).to_owned()).collect();
        let fenced = {
            let (mark, used) = (mark.clone(), Arc::clone(&used));
            Value::from_function(move |label: String| -> Result<String, minijinja::Error> {
                let place = labels.iter().position(|l| *l == label).ok_or_else(|| {
                    minijinja::Error::new(
                        minijinja::ErrorKind::UndefinedError,
                        format!("there is no data `{label}` here; there is {}", labels.join(", ")),
                    )
                })?;
                if let Ok(mut used) = used.lock() {
                    used.push(place);
                }
                Ok(format!("{mark}{place};"))
            })
        };
        let text = self.text_with(
            block,
            language,
            context! { fenced => fenced, fence_code => format!("{mark}code;"), ..Value::from_serialize(context) },
        )?;
        let mut pieces = Vec::new();
        let mut parts = text.split(mark.as_str());
        pieces.extend(parts.next().filter(|t| !t.is_empty()).map(|t| Piece::Text(t.to_owned())));
        for part in parts {
            let (place, rest) = part.split_once(';').unwrap_or((part, ""));
            match place.parse::<usize>().ok().and_then(|i| data.get(i)) {
                Some((label, entries)) => {
                    pieces.push(Piece::Data { label: (*label).to_owned(), entries: entries.clone() });
                }
                None => pieces.push(Piece::FenceCode),
            }
            if !rest.is_empty() {
                pieces.push(Piece::Text(rest.to_owned()));
            }
        }
        Ok(pieces)
    }

    /// Renders a block to a text that is itself data, such as the case file or an entry of the record.
    ///
    /// # Errors
    /// As [`Prompts::render`].
    pub fn text<S: Serialize>(
        &self,
        block: &str,
        language: &str,
        context: &S,
    ) -> Result<String, PromptError> {
        self.text_with(block, language, Value::from_serialize(context))
    }

    fn text_with(&self, block: &str, language: &str, context: Value) -> Result<String, PromptError> {
        let (file, part) = block.split_once('#').unwrap_or((block, ""));
        let name = format!("{file}.{}.md#{part}", base(language));
        let template = self.env.get_template(&name).map_err(|_| {
            let mut known: Vec<&str> = self
                .env
                .templates()
                .filter_map(|(n, _)| n.strip_prefix(file)?.strip_prefix('.')?.split_once(".md#"))
                .filter(|(_, p)| *p == part)
                .map(|(language, _)| language)
                .collect();
            known.sort_unstable();
            let hint = if known.is_empty() {
                format!("add a block `# {part}` to the file")
            } else {
                format!(
                    "it exists in {}; set the case's language, or give the prompt in a folder by --prompts",
                    known.join(", ")
                )
            };
            PromptError::Missing { name: name.clone(), hint }
        })?;
        template
            .render(context)
            .map(|text| text.trim().to_owned())
            .map_err(|e| PromptError::Template { name, message: format!("{e:#}") })
    }
}

/// Whether a file is a list of personas.
fn is_personas(name: &str) -> bool {
    name == "personas.toml" || name.ends_with("/personas.toml")
}

/// Whether the program has a prompt of this name, in any language, or asks for such names.
fn is_known(name: &str) -> bool {
    let stem =
        |name: &str| name.strip_suffix(".md").and_then(|n| n.rsplit_once('.')).map(|(s, _)| s.to_owned());
    let known = |s: String| {
        BUILTIN.iter().any(|(b, _)| stem(b).as_ref() == Some(&s)) || s.starts_with("simlaw/domain-")
    };
    is_personas(name) || stem(name).is_some_and(known)
}

/// `zh-Hans-CN` has the prompts of `zh`.
fn base(language: &str) -> &str {
    language.split(['-', '_']).next().unwrap_or(language)
}

fn uuid_like() -> String {
    use rand::Rng as _;
    let (a, b): (u64, u64) = (rand::rng().random(), rand::rng().random());
    format!("\u{e000}{a:016x}{b:016x}:")
}

/// The blocks of a file: from a line `# name` to the next such line. What stands before the first is a remark.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let name = line.strip_prefix("# ").map(str::trim);
        match name.filter(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')) {
            Some(name) => found.push((name.to_owned(), String::new())),
            None => {
                if let Some((_, source)) = found.last_mut() {
                    source.push_str(line);
                    source.push('\n');
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(source: &str) -> Prompts {
        Prompts::of([("t/a.en.md".to_owned(), source.to_owned())].into()).unwrap()
    }

    #[test]
    fn data_can_be_placed_but_not_quoted() {
        let prompts = with(
            "a remark\n# ask\nHello {{ name }}.\n{{ fenced(\"case\") }}\nCode {{ fence_code }}.\n# other\nx",
        );
        let data = [("case", vec!["facts".to_owned()])];
        let pieces = prompts.render("t/a#ask", "en-IN", &context! { name => "judge" }, &data).unwrap();
        assert_eq!(
            pieces,
            [
                Piece::Text("Hello judge.\n".to_owned()),
                Piece::Data { label: "case".to_owned(), entries: vec!["facts".to_owned()] },
                Piece::Text("\nCode ".to_owned()),
                Piece::FenceCode,
                Piece::Text(".".to_owned()),
            ]
        );
        let quoting = with("# ask\n{{ case }}");
        assert!(quoting.render("t/a#ask", "en", &context! {}, &data).is_err());
    }

    #[test]
    fn a_missing_language_names_those_there_are() {
        let error = Prompts::builtin().unwrap().text("samvad/judge#queries", "fr", &context! {}).unwrap_err();
        assert!(error.to_string().contains("it exists in en, zh"), "{error}");
    }

    #[test]
    fn a_folder_replaces_a_file_and_changes_the_digest() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("samvad")).unwrap();
        std::fs::write(folder.path().join("samvad/judge.en.md"), "# queries\nMine.").unwrap();
        let prompts = Prompts::with_folder(folder.path()).unwrap();
        assert_eq!(prompts.text("samvad/judge#queries", "en", &context! {}).unwrap(), "Mine.");
        let builtin = Prompts::builtin().unwrap();
        assert_ne!(prompts.digest(), builtin.digest());
        assert_eq!(builtin.digest(), Prompts::builtin().unwrap().digest());
    }

    #[test]
    fn there_are_personas_enough_in_both_languages() {
        let prompts = Prompts::builtin().unwrap();
        for language in ["en", "zh"] {
            assert!(prompts.personas_of("personas", language).len() >= 8, "{language}");
            assert!(prompts.personas_of("agentsbench/personas", language).len() >= 24, "{language}");
        }
    }
}
