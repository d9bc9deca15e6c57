//! The network: a quantised decoder of the Qwen2, Qwen3 or Llama kind, with key-value caches that can be cut back to a
//! common beginning and copied, so that a conversation that grows is never read twice.
//!
//! Attention with grouped queries (Ainslie et al. 2023, arXiv:2305.13245), rotary positions (Su et al. 2021,
//! arXiv:2104.09864), gated feed-forward (Shazeer 2020, arXiv:2002.05202), root-mean-square norms (Zhang and Sennrich
//! 2019, arXiv:1910.07467).

use std::io::{Read, Seek};

use candle_core::quantized::{QMatMul, gguf_file};
use candle_core::{DType, Device, Module, Result, Tensor, bail};
use candle_nn::ops::{rms_norm, silu, softmax_last_dim};
use candle_nn::rotary_emb::{rope, rope_i};

/// Tokens that a cache grows by.
const STEP: usize = 512;

/// Numbers that describe the network.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    heads: usize,
    kv_heads: usize,
    head_dim: usize,
    eps: f32,
    /// Whether positions turn neighbours (Llama) or halves (Qwen).
    interleaved: bool,
    /// Tokens the network was trained for.
    pub(super) context: usize,
}

struct Layer {
    attention_norm: Tensor,
    query: Linear,
    key: Linear,
    value: Linear,
    query_norm: Option<Tensor>,
    key_norm: Option<Tensor>,
    output: Linear,
    feed_norm: Tensor,
    gate: Linear,
    up: Linear,
    down: Linear,
}

struct Linear {
    weight: QMatMul,
    bias: Option<Tensor>,
}

impl Linear {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let y = self.weight.forward(x)?;
        match &self.bias {
            Some(bias) => y.broadcast_add(bias),
            None => Ok(y),
        }
    }
}

/// The weights.
pub(super) struct Network {
    pub(super) shape: Shape,
    embedding: QMatMul,
    layers: Vec<Layer>,
    norm: Tensor,
    output: Option<QMatMul>,
    /// Angles of a position: `head_dim / 2` frequencies.
    frequencies: Vec<f32>,
    device: Device,
}

/// What the network has read so far of one conversation: keys and values, `[1, kv_heads, capacity, head_dim]` a layer.
pub(super) struct Cache {
    layers: Vec<(Tensor, Tensor)>,
    capacity: usize,
    /// Tokens read.
    pub(super) tokens: Vec<u32>,
}

impl Cache {
    /// Tokens at the beginning that the cache shares with `tokens`.
    pub(super) fn common(&self, tokens: &[u32]) -> usize {
        self.tokens.iter().zip(tokens).take_while(|(a, b)| a == b).count()
    }

    /// Forgets what was read after the first `length` tokens.
    pub(super) fn cut(&mut self, length: usize) {
        self.tokens.truncate(length);
    }
}

fn number(content: &gguf_file::Content, name: &str) -> Result<usize> {
    match content.metadata.get(name) {
        Some(v) => {
            Ok(usize::try_from(v.to_u64().or_else(|_| v.to_u32().map(u64::from))?).unwrap_or(usize::MAX))
        }
        None => bail!("the file does not say `{name}`"),
    }
}

/// The architectures this network can be, for the error that names them.
pub(super) const ARCHITECTURES: &str = "qwen2, qwen3, llama";

impl Network {
    /// Reads the weights.
    pub(super) fn read<R: Read + Seek>(
        content: &gguf_file::Content,
        file: &mut R,
        arch: &str,
    ) -> Result<Self> {
        let device = Device::Cpu;
        let heads = number(content, &format!("{arch}.attention.head_count"))?;
        let width = number(content, &format!("{arch}.embedding_length"))?;
        let kv_heads = number(content, &format!("{arch}.attention.head_count_kv")).unwrap_or(heads);
        if heads == 0 || kv_heads == 0 || heads % kv_heads != 0 {
            bail!("{heads} heads cannot share {kv_heads} keys");
        }
        let head_dim = number(content, &format!("{arch}.attention.key_length")).unwrap_or(width / heads);
        let float = |name: &str| content.metadata.get(name).and_then(|v| v.to_f32().ok());
        let eps = float(&format!("{arch}.attention.layer_norm_rms_epsilon")).unwrap_or(1e-6);
        let base = float(&format!("{arch}.rope.freq_base")).unwrap_or(10_000.0);
        let scaling =
            content.metadata.get(&format!("{arch}.rope.scaling.type")).and_then(|v| v.to_string().ok());
        if let Some(kind) = scaling.filter(|k| k.as_str() != "none") {
            bail!("scaled positions (`{kind}`) are not supported");
        }
        let mut tensor = |name: String| content.tensor(file, &name, &device);
        let mut frequencies: Vec<f32> =
            (0..head_dim).step_by(2).map(|i| 1.0 / base.powf(i as f32 / head_dim as f32)).collect();
        // Llama 3.1 and later scale each frequency by a factor that the file holds.
        if let Ok(factors) = tensor("rope_freqs.weight".to_owned()) {
            let factors = factors.dequantize(&device)?.flatten_all()?.to_vec1::<f32>()?;
            for (frequency, factor) in frequencies.iter_mut().zip(factors) {
                *frequency /= factor;
            }
        }
        let shape = Shape {
            heads,
            kv_heads,
            head_dim,
            eps,
            interleaved: arch == "llama",
            context: number(content, &format!("{arch}.context_length")).unwrap_or(4096),
        };
        let embedding = QMatMul::from_qtensor(tensor("token_embd.weight".to_owned())?)?;
        let norm = tensor("output_norm.weight".to_owned())?.dequantize(&device)?;
        // Small models use the embedding as output too.
        let output = match tensor("output.weight".to_owned()) {
            Ok(t) => Some(QMatMul::from_qtensor(t)?),
            Err(_) => None,
        };
        let mut layers = Vec::new();
        for i in 0..number(content, &format!("{arch}.block_count"))? {
            let plain = |t: candle_core::quantized::QTensor| t.dequantize(&Device::Cpu);
            let mut linear = |name: &str| -> Result<Linear> {
                let weight = QMatMul::from_qtensor(tensor(format!("blk.{i}.{name}.weight"))?)?;
                let bias = match tensor(format!("blk.{i}.{name}.bias")) {
                    Ok(t) => Some(plain(t)?),
                    Err(_) => None,
                };
                Ok(Linear { weight, bias })
            };
            let (query, key, value) = (linear("attn_q")?, linear("attn_k")?, linear("attn_v")?);
            let output = linear("attn_output")?;
            let (gate, up, down) = (linear("ffn_gate")?, linear("ffn_up")?, linear("ffn_down")?);
            let mut optional = |name: &str| -> Result<Option<Tensor>> {
                match tensor(format!("blk.{i}.{name}.weight")) {
                    Ok(t) => plain(t).map(Some),
                    Err(_) => Ok(None),
                }
            };
            let (query_norm, key_norm) = (optional("attn_q_norm")?, optional("attn_k_norm")?);
            let attention_norm = plain(tensor(format!("blk.{i}.attn_norm.weight"))?)?;
            let feed_norm = plain(tensor(format!("blk.{i}.ffn_norm.weight"))?)?;
            layers.push(Layer {
                attention_norm,
                query,
                key,
                value,
                query_norm,
                key_norm,
                output,
                feed_norm,
                gate,
                up,
                down,
            });
        }
        Ok(Self { shape, embedding, layers, norm, output, frequencies, device })
    }

    /// An empty cache.
    pub(super) fn cache(&self) -> Result<Cache> {
        self.cache_of(STEP)
    }

    fn cache_of(&self, capacity: usize) -> Result<Cache> {
        let dims = (1, self.shape.kv_heads, capacity, self.shape.head_dim);
        let layers = self
            .layers
            .iter()
            .map(|_| {
                Ok((
                    Tensor::zeros(dims, DType::F32, &self.device)?,
                    Tensor::zeros(dims, DType::F32, &self.device)?,
                ))
            })
            .collect::<Result<_>>()?;
        Ok(Cache { layers, capacity, tokens: Vec::new() })
    }

    /// Memory that a cache takes.
    pub(super) fn bytes(&self, cache: &Cache) -> usize {
        let Shape { kv_heads, head_dim, .. } = self.shape;
        2 * self.layers.len() * cache.capacity * kv_heads * head_dim * size_of::<f32>()
    }

    /// A copy of the first `length` tokens of a cache, with room for `room` tokens.
    pub(super) fn copy(&self, cache: &Cache, length: usize, room: usize) -> Result<Cache> {
        let length = length.min(cache.tokens.len());
        let capacity = room.max(length).max(1).div_ceil(STEP) * STEP;
        let mut copy = self.cache_of(capacity)?;
        if length > 0 {
            for ((to_k, to_v), (k, v)) in copy.layers.iter().zip(&cache.layers) {
                to_k.slice_set(&k.narrow(2, 0, length)?.contiguous()?, 2, 0)?;
                to_v.slice_set(&v.narrow(2, 0, length)?.contiguous()?, 2, 0)?;
            }
        }
        copy.tokens = cache.tokens.iter().take(length).copied().collect();
        Ok(copy)
    }

    /// Reads `tokens` after what the cache holds, and gives the logits after the last one, one for each token of the
    /// vocabulary. If it fails, the cache is as before.
    pub(super) fn forward(&self, cache: &mut Cache, tokens: &[u32]) -> Result<Vec<f32>> {
        let count = tokens.len();
        let past = cache.tokens.len();
        let total = past + count;
        if count == 0 {
            bail!("nothing to read");
        }
        if total > cache.capacity {
            // Half as much again, so that a long reply is not copied at every step.
            *cache = self.copy(cache, past, total.max(cache.capacity * 3 / 2))?;
        }
        let (cos, sin) = self.angles(past, count)?;
        let mask = if count > 1 { Some(self.mask(past, count)?) } else { None };
        let ids = Tensor::from_slice(tokens, (1, count), &self.device)?;
        let mut x = self.embedding.embedding(&ids)?;
        for (layer, (keys, values)) in self.layers.iter().zip(&cache.layers) {
            let h = rms_norm(&x, &layer.attention_norm, self.shape.eps)?;
            let h = self.attend(layer, &h, keys, values, past, (&cos, &sin), mask.as_ref())?;
            x = (x + h)?;
            let h = rms_norm(&x, &layer.feed_norm, self.shape.eps)?;
            let h = (silu(&layer.gate.forward(&h)?)? * layer.up.forward(&h)?)?;
            x = (x + layer.down.forward(&h)?)?;
        }
        let last = x.narrow(1, count - 1, 1)?.contiguous()?;
        let last = rms_norm(&last, &self.norm, self.shape.eps)?;
        let logits = self.output.as_ref().unwrap_or(&self.embedding).forward(&last)?;
        let logits = logits.flatten_all()?.to_vec1::<f32>()?;
        cache.tokens.extend_from_slice(tokens);
        Ok(logits)
    }

    #[expect(clippy::too_many_arguments, reason = "one attention has these inputs")]
    fn attend(
        &self,
        layer: &Layer,
        x: &Tensor,
        keys: &Tensor,
        values: &Tensor,
        past: usize,
        (cos, sin): (&Tensor, &Tensor),
        mask: Option<&Tensor>,
    ) -> Result<Tensor> {
        let Shape { heads, kv_heads, head_dim, eps, interleaved, .. } = self.shape;
        let count = x.dim(1)?;
        let split =
            |t: Tensor, heads: usize| t.reshape((1, count, heads, head_dim))?.transpose(1, 2)?.contiguous();
        let normed = |t: Tensor, norm: &Option<Tensor>| match norm {
            Some(norm) => rms_norm(&t, norm, eps),
            None => Ok(t),
        };
        let turned = |t: &Tensor| if interleaved { rope_i(t, cos, sin) } else { rope(t, cos, sin) };
        let q = turned(&normed(split(layer.query.forward(x)?, heads)?, &layer.query_norm)?)?;
        let k = turned(&normed(split(layer.key.forward(x)?, kv_heads)?, &layer.key_norm)?)?;
        let v = split(layer.value.forward(x)?, kv_heads)?;
        keys.slice_set(&k, 2, past)?;
        values.slice_set(&v, 2, past)?;
        let total = past + count;
        let k = keys.narrow(2, 0, total)?.squeeze(0)?;
        let v = values.narrow(2, 0, total)?.squeeze(0)?;
        // The queries that share a key become rows of one matrix, so that nothing is repeated.
        let group = heads / kv_heads;
        let q = (q.reshape((kv_heads, group * count, head_dim))? * (1.0 / (head_dim as f64).sqrt()))?;
        let scores = q.matmul(&k.transpose(1, 2)?)?;
        let scores = match mask {
            Some(mask) => scores.reshape((kv_heads, group, count, total))?.broadcast_add(mask)?.reshape((
                kv_heads,
                group * count,
                total,
            ))?,
            None => scores,
        };
        let y = softmax_last_dim(&scores)?.matmul(&v)?;
        let y =
            y.reshape((heads, count, head_dim))?.transpose(0, 1)?.reshape((1, count, heads * head_dim))?;
        layer.output.forward(&y)
    }

    /// Cosines and sines of the positions from `past` on: `[count, head_dim / 2]`.
    fn angles(&self, past: usize, count: usize) -> Result<(Tensor, Tensor)> {
        let half = self.frequencies.len();
        let mut cos = Vec::with_capacity(count * half);
        let mut sin = Vec::with_capacity(count * half);
        for position in past..past + count {
            for frequency in &self.frequencies {
                let angle = position as f32 * frequency;
                cos.push(angle.cos());
                sin.push(angle.sin());
            }
        }
        Ok((
            Tensor::from_vec(cos, (count, half), &self.device)?,
            Tensor::from_vec(sin, (count, half), &self.device)?,
        ))
    }

    /// What may be looked at: `[count, past + count]`, 0 or minus infinity.
    fn mask(&self, past: usize, count: usize) -> Result<Tensor> {
        let total = past + count;
        let mask: Vec<f32> = (0..count)
            .flat_map(|i| (0..total).map(move |j| if j > past + i { f32::NEG_INFINITY } else { 0.0 }))
            .collect();
        Tensor::from_vec(mask, (count, total), &self.device)
    }
}
