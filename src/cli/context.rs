//! What every command starts from: folders, configuration, catalogue, embedder, knowledge base.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use etcetera::BaseStrategy as _;
use jiff::civil::Date;
use nyaya_corpora::{Catalogue, Manifest};
use nyaya_retrieval::assets::{Assets, EMBEDDER, ONNX_RUNTIME};
use nyaya_retrieval::embed::{Embedder, EndpointEmbedder, LocalEmbedder};
use nyaya_retrieval::{KnowledgeBase, Layout, VectorsAt, Writer};
use serde::Deserialize;

use super::Global;
use super::progress::Bars;

/// `nyaya.toml`: the keys are the names of the options that all commands share.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// `--kb`
    pub kb: Option<PathBuf>,
    /// `--offline`
    pub offline: Option<bool>,
    /// `--vectors`
    pub vectors: Option<String>,
    /// `--embedder`
    pub embedder: Option<String>,
    /// `--embedder-model`
    pub embedder_model: Option<String>,
    /// `--llm`
    pub llm: Option<String>,
    /// `--model`
    pub model: Option<String>,
    /// `--timeout`
    pub timeout: Option<u64>,
}

/// The settings in force.
pub struct Context {
    /// Command line over environment over file.
    pub global: Global,
    /// The file.
    pub config: Config,
    /// Folder of the knowledge base.
    pub layout: Layout,
    /// Progress on stderr.
    pub bars: Arc<Bars>,
}

impl Context {
    /// Reads the configuration file and settles what the command line leaves open.
    pub fn new(mut global: Global) -> anyhow::Result<Self> {
        let config = read_config(global.config.as_deref())?;
        global.offline |= config.offline.unwrap_or(false);
        global.vectors = global.vectors.or_else(|| config.vectors.clone());
        global.embedder = global.embedder.or_else(|| config.embedder.clone());
        global.embedder_model = global.embedder_model.or_else(|| config.embedder_model.clone());
        let root = match global.kb.clone().or_else(|| config.kb.clone()) {
            Some(dir) => dir,
            None => data_folder()?.join("kb"),
        };
        if root.exists() && !root.is_dir() {
            return Err(anyhow!(
                "{}: is a file, not the folder of a knowledge base\nhint: check --kb, NYAYA_KB and nyaya.toml",
                root.display()
            ));
        }
        let bars = Arc::new(Bars::new(global.quiet));
        Ok(Self { layout: Layout::new(root), global, config, bars })
    }

    /// The manifests of the program and of the knowledge base.
    pub fn catalogue(&self) -> anyhow::Result<Catalogue> {
        let mut manifests = Catalogue::builtin()?.all().to_vec();
        let folder = self.layout.manifests();
        if folder.is_dir() {
            let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
                .with_context(|| folder.display().to_string())?
                .flatten()
                .map(|e| e.path())
                .filter(|p| p.extension().is_some_and(|x| x == "toml") && p.is_file())
                .collect();
            files.sort();
            for file in files {
                // A manifest that cannot be read costs its own statute only.
                let read = std::fs::read_to_string(&file)
                    .map_err(anyhow::Error::from)
                    .and_then(|text| Ok(Manifest::parse(&file.display().to_string(), &text)?));
                match read {
                    Ok(manifest) => manifests.push(manifest),
                    Err(e) => tracing::warn!(
                        "{}: its statute is left out: {e:#}\nhint: correct the file or remove it; `nyaya corpus add --force` writes it anew",
                        file.display()
                    ),
                }
            }
        }
        Ok(Catalogue::new(manifests))
    }

    /// The cache of models.
    pub fn assets(&self) -> anyhow::Result<Assets> {
        Ok(Assets::shared(self.global.offline)?)
    }

    /// The embedder that the settings name. `pull` gets what is missing.
    pub async fn embedder(&self, pull: bool) -> anyhow::Result<Arc<dyn Embedder>> {
        if let Some(place) = &self.global.embedder {
            if place.starts_with("http://") || place.starts_with("https://") {
                let model = self.global.embedder_model.as_deref().ok_or_else(|| {
                    anyhow!("--embedder {place} needs the model's name\nhint: add --embedder-model NAME")
                })?;
                let key = std::env::var("NYAYA_EMBEDDER_KEY").ok();
                return Ok(Arc::new(EndpointEmbedder::connect(place, model, key).await?));
            }
            return Ok(Arc::new(LocalEmbedder::open(Path::new(place), self.library(pull).await?)?));
        }
        let assets = self.assets()?;
        let model =
            if pull { assets.pull(&EMBEDDER, &*self.bars).await? } else { assets.require(&EMBEDDER)? };
        let library = self.library(pull).await?;
        let folder = model.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Arc::new(LocalEmbedder::open(&folder, library)?))
    }

    /// ONNX Runtime's library; `ORT_DYLIB_PATH` goes first.
    async fn library(&self, pull: bool) -> anyhow::Result<Option<PathBuf>> {
        if std::env::var_os("ORT_DYLIB_PATH").is_some() {
            return Ok(None);
        }
        let assets = self.assets()?;
        let path = if pull {
            assets.pull(&ONNX_RUNTIME, &*self.bars).await?
        } else {
            assets.require(&ONNX_RUNTIME)?
        };
        Ok(Some(path))
    }

    /// The knowledge base, for reading. `words_only` leaves the embedder out.
    pub async fn knowledge_base(&self, words_only: bool) -> anyhow::Result<KnowledgeBase> {
        let embedder = if words_only { None } else { Some(self.embedder(false).await?) };
        Ok(KnowledgeBase::open(self.layout.clone(), self.catalogue()?, embedder, self.vectors_at())?)
    }

    /// The knowledge base as it was with this content, where it is still held; its indexes are made again if need be.
    pub async fn knowledge_base_with(
        &self,
        content: &str,
        words_only: bool,
    ) -> anyhow::Result<Option<KnowledgeBase>> {
        let Some(mut generation) = self.layout.with_content(content)? else { return Ok(None) };
        let current = self.layout.current()?.is_some_and(|g| g.number == generation.number);
        if !current && self.layout.check_indexes(&generation).is_err() {
            let writer = Writer::open(self.layout.clone())?;
            generation = writer.restore(generation, &*self.bars).await?;
        }
        let embedder = if words_only { None } else { Some(self.embedder(false).await?) };
        let (layout, catalogue) = (self.layout.clone(), self.catalogue()?);
        Ok(Some(KnowledgeBase::at(layout, generation, catalogue, embedder, self.vectors_at())?))
    }

    /// Where the vectors are.
    pub fn vectors_at(&self) -> VectorsAt {
        match &self.global.vectors {
            Some(url) => VectorsAt::Server(url.clone(), std::env::var("QDRANT_API_KEY").ok()),
            None => VectorsAt::Embedded,
        }
    }
}

/// Today, by the machine's clock.
pub fn today() -> Date {
    jiff::ZonedDateTime::now().date()
}

/// The user's data folder for this program.
pub fn data_folder() -> anyhow::Result<PathBuf> {
    let base = etcetera::choose_base_strategy()
        .map_err(|e| anyhow!("there is no data folder: {e}\nhint: name one with --kb"))?;
    Ok(base.data_dir().join("nyaya"))
}

fn read_config(named: Option<&Path>) -> anyhow::Result<Config> {
    let path = match named {
        Some(path) => path.to_owned(),
        None if Path::new("nyaya.toml").is_file() => PathBuf::from("nyaya.toml"),
        None => return Ok(Config::default()),
    };
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{}: cannot be read\nhint: check --config", path.display()))?;
    toml::from_str(&text).with_context(|| {
        format!("{}: not a configuration\nhint: the keys are the names of the options that all commands share: kb, llm, model, vectors, embedder, offline", path.display())
    })
}
