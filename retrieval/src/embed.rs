//! Embedding: texts to vectors, in process with ONNX Runtime or through an OpenAI-compatible endpoint.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use fastembed::{InitOptionsUserDefined, Pooling, TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel};
use ort::environment::Environment;
use serde::{Deserialize, Serialize};
use tokenizers::Tokenizer;

use crate::assets::sha256_of_file;
use crate::error::{Error, Result};

/// Which embedder made the vectors of a knowledge base. Vectors of two embedders are never compared, so a
/// knowledge base opens with an equal identity only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Name of the model.
    pub model: String,
    /// SHA-256 of the model file, in hex; for an endpoint, of its address and model name.
    pub model_sha256: String,
    /// SHA-256 of the tokenizer file, in hex; empty for an endpoint.
    pub tokenizer_sha256: String,
    /// Length of a vector.
    pub dimension: usize,
    /// Put before a query.
    pub query_prefix: String,
    /// Put before a passage.
    pub passage_prefix: String,
    /// `mean`, or `endpoint`.
    pub pooling: String,
    /// Tokens that the model reads at most.
    pub max_tokens: usize,
}

impl Identity {
    /// A short name for messages: model and the start of its hash.
    #[must_use]
    pub fn short(&self) -> String {
        format!("{} ({})", self.model, self.model_sha256.get(..12).unwrap_or(&self.model_sha256))
    }
}

/// What a text is embedded as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something to find.
    Query,
    /// Something to be found.
    Passage,
}

/// An embedding model. Vectors have length 1.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Which model this is.
    fn identity(&self) -> &Identity;

    /// The model's own tokenizer, by which passages are sized; `None` for an endpoint.
    fn tokenizer(&self) -> Option<&Tokenizer>;

    /// One vector a text, in order.
    ///
    /// # Errors
    /// If the model cannot be loaded or fails.
    async fn embed(&self, texts: Vec<String>, kind: Kind) -> Result<Vec<Vec<f32>>>;
}

/// A model folder (`model.onnx`, `tokenizer.json`, …), run in process.
pub struct LocalEmbedder {
    folder: PathBuf,
    library: Option<PathBuf>,
    identity: Identity,
    tokenizer: Tokenizer,
    // Loading takes a third of a second, so a search by words alone does not pay for it.
    model: Arc<OnceLock<std::result::Result<Mutex<TextEmbedding>, String>>>,
}

const MODEL_FILES: [&str; 5] =
    ["model.onnx", "tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"];

#[derive(Serialize, Deserialize)]
struct CachedHash {
    size: u64,
    modified: Option<u128>,
    sha256: String,
}

/// Hash of a large file, remembered beside it as long as size and time of change stay.
fn remembered_hash(path: &Path) -> Result<String> {
    let meta = std::fs::metadata(path).map_err(|e| Error::io(path, e))?;
    let modified =
        meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok()).map(|d| d.as_nanos());
    let note = path.with_extension("sha256.json");
    if let Ok(text) = std::fs::read_to_string(&note)
        && let Ok(cached) = serde_json::from_str::<CachedHash>(&text)
        && cached.size == meta.len()
        && cached.modified == modified
        && modified.is_some()
    {
        return Ok(cached.sha256);
    }
    let sha256 = sha256_of_file(path)?;
    let cached = CachedHash { size: meta.len(), modified, sha256: sha256.clone() };
    if let Ok(text) = serde_json::to_string(&cached) {
        // Only a cache: a folder that cannot be written means hashing again next time.
        let _ = std::fs::write(&note, text);
    }
    Ok(sha256)
}

impl LocalEmbedder {
    /// Opens a model folder. `library` is ONNX Runtime's; without it `ORT_DYLIB_PATH` decides.
    ///
    /// # Errors
    /// If a file is missing or the tokenizer cannot be read.
    pub fn open(folder: &Path, library: Option<PathBuf>) -> Result<Self> {
        for name in MODEL_FILES {
            let path = folder.join(name);
            if !path.is_file() {
                return Err(Error::hint(
                    format!("{} is not there", path.display()),
                    "run `nyaya models pull embedder`, or name a folder with model.onnx and the tokenizer's four JSON files",
                ));
            }
        }
        let config: serde_json::Value = read_json(&folder.join("config.json"))?;
        let dimension = config
            .get("hidden_size")
            .and_then(serde_json::Value::as_u64)
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(|| {
                Error::hint(
                    format!("{}: `hidden_size` is absent", folder.join("config.json").display()),
                    "use the config.json that belongs to the model",
                )
            })?;
        let path = folder.join("tokenizer.json");
        let mut tokenizer = Tokenizer::from_file(&path)
            .map_err(|e| Error::backend("tokenizer", format!("{}: {e}", path.display())))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|e| Error::backend("tokenizer", e))?;
        let name = folder.file_name().map_or_else(|| "model".into(), |n| n.to_string_lossy().into_owned());
        // E5 models want their two prefixes; others are given none.
        let e5 = name.to_lowercase().contains("e5");
        let identity = Identity {
            model: name,
            model_sha256: remembered_hash(&folder.join("model.onnx"))?,
            tokenizer_sha256: remembered_hash(&path)?,
            dimension,
            query_prefix: if e5 { "query: ".into() } else { String::new() },
            passage_prefix: if e5 { "passage: ".into() } else { String::new() },
            pooling: "mean".into(),
            max_tokens: 512,
        };
        Ok(Self { folder: folder.to_owned(), library, identity, tokenizer, model: Arc::default() })
    }
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
    serde_json::from_slice(&bytes).map_err(|e| {
        Error::hint(format!("{}: {e}", path.display()), "the file is damaged; fetch the model again")
    })
}

/// ONNX Runtime's environment: one a process, with the library that was named first.
fn environment(library: &Path) -> std::result::Result<Environment, String> {
    static ONE: OnceLock<std::result::Result<Environment, String>> = OnceLock::new();
    ONE.get_or_init(|| {
        ort::init_from(library)
            .map_err(|e| format!("{}: {e}", library.display()))?
            .build()
            .map_err(|e| e.to_string())
    })
    .clone()
}

fn load(
    folder: &Path,
    library: Option<&Path>,
    max_tokens: usize,
) -> std::result::Result<Mutex<TextEmbedding>, String> {
    let mut options = InitOptionsUserDefined::new().with_max_length(max_tokens);
    if let Some(library) = library {
        options = options.with_environment(environment(library)?);
    }
    let read = |name: &str| std::fs::read(folder.join(name)).map_err(|e| format!("{name}: {e}"));
    let files = TokenizerFiles {
        tokenizer_file: read("tokenizer.json")?,
        config_file: read("config.json")?,
        special_tokens_map_file: read("special_tokens_map.json")?,
        tokenizer_config_file: read("tokenizer_config.json")?,
    };
    let model = UserDefinedEmbeddingModel::new(read("model.onnx")?, files).with_pooling(Pooling::Mean);
    TextEmbedding::try_new_from_user_defined(model, options).map(Mutex::new).map_err(|e| e.to_string())
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn tokenizer(&self) -> Option<&Tokenizer> {
        Some(&self.tokenizer)
    }

    async fn embed(&self, texts: Vec<String>, kind: Kind) -> Result<Vec<Vec<f32>>> {
        let prefix = match kind {
            Kind::Query => self.identity.query_prefix.clone(),
            Kind::Passage => self.identity.passage_prefix.clone(),
        };
        let (cell, folder, library) = (Arc::clone(&self.model), self.folder.clone(), self.library.clone());
        let max_tokens = self.identity.max_tokens;
        tokio::task::spawn_blocking(move || {
            let texts: Vec<String> = texts.into_iter().map(|t| format!("{prefix}{t}")).collect();
            let model = cell.get_or_init(|| load(&folder, library.as_deref(), max_tokens)).as_ref().map_err(|e| {
                Error::hint(
                    format!("the embedder in {} cannot be loaded: {e}", folder.display()),
                    "run `nyaya models pull embedder onnxruntime`, or set ORT_DYLIB_PATH to another ONNX Runtime library",
                )
            })?;
            let mut model = model.lock().map_err(|_| Error::backend("ONNX Runtime", "an earlier call panicked"))?;
            let batch = texts.len().max(1);
            model.embed(texts, Some(batch)).map_err(|e| Error::backend("ONNX Runtime", e))
        })
        .await
        .map_err(|e| Error::backend("ONNX Runtime", e))?
    }
}

/// Longest answer of an embedding endpoint that is read, in bytes: sixteen vectors of 16,384 values, written out with
/// twenty digits and more, are some 6 MB.
const MOST_BYTES: usize = 64 << 20;

/// An OpenAI-compatible `/v1/embeddings` endpoint.
pub struct EndpointEmbedder {
    client: reqwest::Client,
    base: String,
    key: Option<String>,
    identity: Identity,
}

#[derive(Deserialize)]
struct EmbeddingReply {
    data: Vec<EmbeddingRow>,
}

#[derive(Deserialize)]
struct EmbeddingRow {
    #[serde(default)]
    index: usize,
    embedding: Vec<f32>,
}

impl EndpointEmbedder {
    /// Asks the endpoint once for the length of its vectors.
    ///
    /// # Errors
    /// If it does not answer with an embedding.
    pub async fn connect(base: &str, model: &str, key: Option<String>) -> Result<Self> {
        use sha2::Digest as _;
        let client = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .timeout(Duration::from_secs(120))
            .build()
            .map_err(|e| Error::backend("HTTP", e))?;
        let name = hex::encode(sha2::Sha256::digest(format!("{base}\n{model}")));
        let mut embedder = Self {
            client,
            base: base.trim_end_matches('/').to_owned(),
            key,
            identity: Identity {
                model: model.to_owned(),
                model_sha256: name,
                tokenizer_sha256: String::new(),
                dimension: 0,
                query_prefix: String::new(),
                passage_prefix: String::new(),
                pooling: "endpoint".into(),
                max_tokens: 512,
            },
        };
        let probe = embedder.embed(vec!["law".to_owned()], Kind::Query).await?;
        embedder.identity.dimension = probe.first().map_or(0, Vec::len);
        Ok(embedder)
    }
}

#[async_trait]
impl Embedder for EndpointEmbedder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn tokenizer(&self) -> Option<&Tokenizer> {
        None
    }

    async fn embed(&self, texts: Vec<String>, _: Kind) -> Result<Vec<Vec<f32>>> {
        let count = texts.len();
        let url = format!("{}/embeddings", self.base);
        let mut request =
            self.client.post(&url).json(&serde_json::json!({"model": self.identity.model, "input": texts}));
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        let fault = |e: String| {
            Error::hint(
                format!("{url}: {e}"),
                "check that the embedding endpoint is running and knows the model",
            )
        };
        let mut response = request.send().await.map_err(|e| fault(e.without_url().to_string()))?;
        let status = response.status();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|e| fault(e.without_url().to_string()))? {
            if bytes.len() + chunk.len() > MOST_BYTES {
                return Err(fault(format!("more than {} MB", MOST_BYTES >> 20)));
            }
            bytes.extend_from_slice(&chunk);
        }
        let body = String::from_utf8_lossy(&bytes);
        if !status.is_success() {
            return Err(fault(format!("HTTP {status}: {}", body.chars().take(200).collect::<String>())));
        }
        let mut reply: EmbeddingReply =
            serde_json::from_str(&body).map_err(|e| fault(format!("not an embedding reply: {e}")))?;
        reply.data.sort_by_key(|row| row.index);
        if reply.data.len() != count {
            return Err(fault(format!("{} vectors for {count} texts", reply.data.len())));
        }
        Ok(reply.data.into_iter().map(|row| normalised(row.embedding)).collect())
    }
}

fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}
