//! `nyaya doctor`.

use std::process::ExitCode;
use std::time::Duration;

use nyaya_retrieval::assets::ONNX_RUNTIME;
use nyaya_retrieval::embed::Kind;
use nyaya_retrieval::{KnowledgeBase, VectorsAt};
use serde::Serialize;

use super::context::Context;
use super::output;

/// What is there, what is missing, what to run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// An OpenAI-compatible endpoint to try as well
    #[arg(long, value_name = "URL", env = "NYAYA_LLM")]
    llm: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Good,
    Missing,
    Broken,
}

#[derive(Debug, Serialize)]
struct Check {
    what: String,
    state: State,
    detail: String,
    hint: Option<String>,
}

impl Check {
    fn good(what: &str, detail: impl Into<String>) -> Self {
        Self { what: what.into(), state: State::Good, detail: detail.into(), hint: None }
    }
    fn bad(what: &str, state: State, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), state, detail: detail.into(), hint: Some(hint.into()) }
    }
    fn failed(what: &str, error: &impl std::fmt::Display) -> Self {
        let text = error.to_string();
        let (detail, hint) = text.split_once("\nhint:").unwrap_or((&text, ""));
        Self::bad(what, State::Broken, detail, hint.trim())
    }
}

/// Runs it. Exit code 1 if something needed is missing or broken.
pub async fn main(context: &Context, args: &Args) -> anyhow::Result<ExitCode> {
    let mut checks = vec![python()];
    let assets = context.assets()?;
    for state in assets.states() {
        let own_library = state.name == ONNX_RUNTIME.name && std::env::var_os("ORT_DYLIB_PATH").is_some();
        checks.push(if own_library {
            Check::good(state.name, "from ORT_DYLIB_PATH")
        } else if state.present {
            Check::good(state.name, state.path.display().to_string())
        } else {
            let size = state.download_bytes / 1_000_000;
            Check::bad(
                state.name,
                State::Missing,
                format!("{}, {size} MB to fetch", state.purpose),
                format!("nyaya models pull {}", state.name),
            )
        });
    }
    if let Ok(embedder) = context.embedder(false).await {
        checks.push(match embedder.embed(vec!["law".into()], Kind::Query).await {
            Ok(_) => Check::good("embedding", embedder.identity().short()),
            Err(e) => Check::failed("embedding", &e),
        });
    }
    checks.push(knowledge_base(context));
    if let Some(url) = args.llm.as_ref().or(context.config.llm.as_ref()) {
        checks.push(endpoint(url).await);
    }
    if let Some(url) = &context.global.vectors {
        checks.push(match context.knowledge_base(true).await {
            Ok(_) => Check::good("Qdrant server", url.clone()),
            Err(e) => Check::failed("Qdrant server", &e),
        });
    }
    if context.global.json {
        output::json(&checks)?;
    } else {
        let mut table = output::table(["what", "state", "detail", "what to run"]);
        for c in &checks {
            let state = match c.state {
                State::Good => "good",
                State::Missing => "missing",
                State::Broken => "broken",
            };
            table.add_row([&c.what, state, &c.detail, c.hint.as_deref().unwrap_or("")]);
        }
        output::text(&table.to_string())?;
    }
    let fine = checks.iter().all(|c| c.state == State::Good);
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn python() -> Check {
    let hint = "install Python 3 with pip; it is only needed to fetch packages";
    match std::process::Command::new("python3").args(["-m", "pip", "--version"]).output() {
        Ok(out) if out.status.success() => Check::good(
            "pip",
            String::from_utf8_lossy(&out.stdout).split(" from ").next().unwrap_or("").to_owned(),
        ),
        Ok(out) => {
            Check::bad("pip", State::Missing, String::from_utf8_lossy(&out.stderr).trim().to_owned(), hint)
        }
        Err(e) => Check::bad("pip", State::Missing, e.to_string(), hint),
    }
}

fn knowledge_base(context: &Context) -> Check {
    let place = context.layout.root().display();
    match context.layout.current() {
        Ok(Some(g)) => {
            let held: Vec<String> =
                g.editions.iter().map(|e| format!("{} ({})", e.work, e.provisions)).collect();
            let opened = context.catalogue().and_then(|catalogue| {
                KnowledgeBase::open(context.layout.clone(), catalogue, None, VectorsAt::Embedded)?;
                Ok(context.layout.check_indexes(&g)?)
            });
            match opened {
                Err(e) => Check::failed("knowledge base", &e),
                Ok(()) => Check::good(
                    "knowledge base",
                    format!("{place}: generation {}: {}", g.number, held.join(", ")),
                ),
            }
        }
        Ok(None) => {
            Check::bad("knowledge base", State::Missing, format!("nothing in {place}"), "nyaya corpus build")
        }
        Err(e) => Check::failed("knowledge base", &e),
    }
}

async fn endpoint(url: &str) -> Check {
    let what = "chat endpoint";
    let hint = "start the server, or leave --llm out to use the embedded model";
    let client = match reqwest::Client::builder().timeout(Duration::from_secs(10)).build() {
        Ok(client) => client,
        Err(e) => return Check::failed(what, &e),
    };
    match client.get(format!("{}/models", url.trim_end_matches('/'))).send().await {
        Ok(reply) if reply.status().is_success() => Check::good(what, url.to_owned()),
        Ok(reply) => Check::bad(what, State::Broken, format!("{url}: HTTP {}", reply.status()), hint),
        Err(e) => Check::bad(what, State::Missing, format!("{url}: {}", e.without_url()), hint),
    }
}
