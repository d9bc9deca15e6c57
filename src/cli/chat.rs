//! Which chat model answers: an endpoint that the user names, else the embedded one.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use nyaya_agents::chat::ChatModel;
use nyaya_agents::chat::openai::OpenAiCompatible;
use nyaya_agents::session::Models;
use nyaya_retrieval::assets::CHAT_MODEL;

use super::context::Context;

/// Options for the chat model.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Model")]
pub struct ChatArgs {
    /// Base address of an OpenAI-compatible endpoint, such as http://localhost:11434/v1; its key comes from
    /// NYAYA_LLM_KEY or OPENAI_API_KEY [default: the embedded model]
    #[arg(long, value_name = "URL", env = "NYAYA_LLM")]
    pub llm: Option<String>,
    /// Model at the endpoint; NAME for all, or ROLE=NAME for one of the court's roles; may be repeated
    #[arg(long, value_name = "[ROLE=]NAME", env = "NYAYA_MODEL", value_delimiter = ',')]
    pub model: Vec<String>,
    /// A GGUF file to use instead of the embedded model that `nyaya models pull` gets
    #[arg(long, value_name = "FILE", conflicts_with = "llm")]
    pub gguf: Option<PathBuf>,
    /// Seconds to wait for a reply [default: 600]
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
    /// Calls in flight at the endpoint at most, over all trials
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub concurrency: u16,
}

impl ChatArgs {
    /// The models of a run of a court with these roles. `pull` gets the embedded one if it is not there.
    pub async fn models(&self, context: &Context, pull: bool, roles: &[&str]) -> anyhow::Result<Models> {
        let llm = self.llm.as_ref().or(context.config.llm.as_ref()).filter(|_| self.gguf.is_none());
        let timeout = Duration::from_secs(self.timeout.or(context.config.timeout).unwrap_or(600));
        let named: Vec<String> = if self.model.is_empty() {
            context.config.model.iter().cloned().collect()
        } else {
            self.model.clone()
        };
        let Some(url) = llm else {
            if !self.model.is_empty() {
                anyhow::bail!("--model names a model at an endpoint, but there is none\nhint: add --llm URL");
            }
            return Ok(Models::new(self.embedded(context, pull, timeout).await?));
        };
        let mut default: Option<Arc<dyn ChatModel>> = None;
        let mut by_role: Vec<(&str, Arc<dyn ChatModel>)> = Vec::new();
        let mut first: Option<Arc<OpenAiCompatible>> = None;
        let mut endpoint = |name: &str| -> anyhow::Result<Arc<dyn ChatModel>> {
            let model = Arc::new(self.endpoint(url, name, timeout, first.as_deref())?);
            first.get_or_insert_with(|| Arc::clone(&model));
            Ok(model)
        };
        for entry in &named {
            match entry.split_once('=') {
                Some((role, name)) if roles.contains(&role) => {
                    by_role.push((role, endpoint(name)?));
                }
                Some((role, _)) => anyhow::bail!(
                    "--model {entry}: `{role}` is not a role of this court\nhint: its roles are {}",
                    roles.join(", ")
                ),
                None => default = Some(endpoint(entry)?),
            }
        }
        let default = match default {
            Some(model) => model,
            None => anyhow::bail!(
                "--llm {url} needs the model's name\nhint: add --model NAME; `curl {url}/models` lists them"
            ),
        };
        Ok(by_role.into_iter().fold(Models::new(default), |models, (role, model)| models.with(role, model)))
    }

    /// A model at the endpoint; calls to all of its models count together.
    fn endpoint(
        &self,
        url: &str,
        name: &str,
        timeout: Duration,
        beside: Option<&OpenAiCompatible>,
    ) -> anyhow::Result<OpenAiCompatible> {
        let key = std::env::var("NYAYA_LLM_KEY").or_else(|_| std::env::var("OPENAI_API_KEY")).ok();
        let model = OpenAiCompatible::builder(url, name)
            .key(key)
            .timeout(timeout)
            .concurrency(usize::from(self.concurrency));
        Ok(beside.map_or(model.clone(), |other| model.beside(other)).build()?)
    }

    async fn embedded(
        &self,
        context: &Context,
        pull: bool,
        timeout: Duration,
    ) -> anyhow::Result<Arc<dyn ChatModel>> {
        let path = match &self.gguf {
            Some(path) => path.clone(),
            None => {
                let assets = context.assets()?;
                if pull && !context.global.offline {
                    assets.pull(&CHAT_MODEL, &*context.bars).await?
                } else {
                    assets.require(&CHAT_MODEL)?
                }
            }
        };
        let model = tokio::task::spawn_blocking(move || {
            nyaya_agents::chat::gguf::EmbeddedGguf::open(&path).map(|m| m.with_time_limit(Some(timeout)))
        })
        .await??;
        Ok(Arc::new(model))
    }
}
