//! The tokenizer of a GGUF file, and its tokens as bytes for constrained decoding.

use std::sync::Arc;

use candle_core::quantized::gguf_file;
use candle_core::quantized::tokenizer::TokenizerFromGguf;
use tokenizers::Tokenizer;
use toktrie::{TokEnv, TokRxInfo, TokTrie, TokenId, TokenizerEnv};

/// Tokens that end a turn, by name; a file may name only one of its own.
const ENDS: [&str; 8] = [
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    "<|end|>",
    "</s>",
    "<end_of_turn>",
    "<|return|>",
];

/// Types of token in GGUF that are no text: control, and reserved.
const NO_TEXT: [u64; 2] = [3, 5];

pub(super) struct Vocabulary {
    /// Reads special tokens as such: for the words of the chat template only.
    template: Tokenizer,
    /// Reads everything as text: for what people and documents say.
    content: Tokenizer,
    /// Bytes of each token; none for a special token.
    bytes: Vec<Vec<u8>>,
    pub(super) ends: Vec<u32>,
    pub(super) bos: String,
    pub(super) eos: String,
}

/// A token as a number in the file's metadata, whatever its width.
fn id(content: &gguf_file::Content, name: &str) -> Option<u32> {
    let value = content.metadata.get(name)?;
    value.to_u32().ok().or_else(|| value.to_u64().ok().and_then(|v| u32::try_from(v).ok()))
}

/// The byte that a character of byte-level BPE stands for (Radford et al. 2019): printable ones are themselves, the
/// others were moved up from 256 in order.
fn byte_of(c: char) -> Option<u8> {
    let code = u32::from(c);
    let printable = |b: u32| matches!(b, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
    if printable(code) {
        return u8::try_from(code).ok();
    }
    let moved = code.checked_sub(256)?;
    (0u8..=255).filter(|b| !printable(u32::from(*b))).nth(usize::try_from(moved).ok()?)
}

impl Vocabulary {
    pub(super) fn read(content: &gguf_file::Content) -> Result<Self, String> {
        let template = Tokenizer::from_gguf(content).map_err(|e| e.to_string())?;
        let mut plain = template.clone();
        plain.set_encode_special_tokens(true);
        let list = |name: &str| content.metadata.get(name).and_then(|v| v.to_vec().ok());
        let names: Vec<String> = list("tokenizer.ggml.tokens")
            .ok_or("the file has no `tokenizer.ggml.tokens`")?
            .iter()
            .map(|v| v.to_string().cloned().unwrap_or_default())
            .collect();
        let kinds: Vec<u64> = list("tokenizer.ggml.token_type").map_or_else(Vec::new, |v| {
            v.iter()
                .map(|k| {
                    k.to_i32()
                        .map(|k| k.unsigned_abs().into())
                        .or_else(|_| k.to_u32().map(u64::from))
                        .unwrap_or(1)
                })
                .collect()
        });
        let position = |name: &str| names.iter().position(|n| n == name).and_then(|p| u32::try_from(p).ok());
        let mut ends: Vec<u32> = ["tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"]
            .iter()
            .filter_map(|name| id(content, name))
            .chain(ENDS.iter().filter_map(|name| position(name)))
            .filter(|id| usize::try_from(*id).is_ok_and(|i| i < names.len()))
            .collect();
        ends.sort_unstable();
        ends.dedup();
        if ends.is_empty() {
            return Err("the file does not say which token ends a reply".to_owned());
        }
        let bytes = names
            .iter()
            .enumerate()
            .map(|(i, name)| {
                let end = u32::try_from(i).is_ok_and(|i| ends.contains(&i));
                if end || kinds.get(i).is_some_and(|k| NO_TEXT.contains(k)) {
                    return Vec::new();
                }
                // User-defined tokens are written as they are, not as bytes.
                name.chars()
                    .map(byte_of)
                    .collect::<Option<Vec<u8>>>()
                    .unwrap_or_else(|| name.clone().into_bytes())
            })
            .collect();
        let name_of = |key: &str| {
            id(content, key).and_then(|i| names.get(usize::try_from(i).ok()?)).cloned().unwrap_or_default()
        };
        Ok(Self {
            bos: name_of("tokenizer.ggml.bos_token_id"),
            eos: name_of("tokenizer.ggml.eos_token_id"),
            template,
            content: plain,
            bytes,
            ends,
        })
    }

    /// Tokens of the template's own words.
    pub(super) fn of_template(&self, text: &str) -> Result<Vec<u32>, String> {
        encode(&self.template, text)
    }

    /// Tokens of words that must never become a special token.
    pub(super) fn of_content(&self, text: &str) -> Result<Vec<u32>, String> {
        encode(&self.content, text)
    }

    /// Bytes of a token.
    pub(super) fn bytes(&self, token: u32) -> &[u8] {
        usize::try_from(token).ok().and_then(|i| self.bytes.get(i)).map_or(&[], Vec::as_slice)
    }

    /// Number of tokens.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The vocabulary in the form that the grammar works on.
    pub(super) fn token_env(&self) -> Result<TokEnv, String> {
        let size = u32::try_from(self.bytes.len()).map_err(|e| e.to_string())?;
        let first = self.ends.first().copied().ok_or("no end token")?;
        let words: Vec<Vec<u8>> = self
            .bytes
            .iter()
            .enumerate()
            .map(|(i, bytes)| {
                if bytes.is_empty() {
                    // A special token: the marker, and a name that no text can have.
                    let mut name = vec![TokTrie::SPECIAL_TOKEN_MARKER];
                    name.extend_from_slice(format!("<[{i}]>").as_bytes());
                    name
                } else {
                    bytes.clone()
                }
            })
            .collect();
        let trie = TokTrie::from(&TokRxInfo::new(size, first), &words).with_eos_tokens(&self.ends);
        Ok(Arc::new(Env { trie, tokenizer: self.content.clone() }))
    }
}

fn encode(tokenizer: &Tokenizer, text: &str) -> Result<Vec<u32>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    tokenizer.encode_fast(text, false).map(|e| e.get_ids().to_vec()).map_err(|e| e.to_string())
}

struct Env {
    trie: TokTrie,
    tokenizer: Tokenizer,
}

impl TokenizerEnv for Env {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, s: &[u8]) -> Vec<TokenId> {
        self.trie.tokenize_with_greedy_fallback(s, |text| {
            encode(&self.tokenizer, text).unwrap_or_else(|_| self.trie.greedy_tokenize(text.as_bytes()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_byte_level_characters() {
        assert_eq!(byte_of('a'), Some(b'a'));
        assert_eq!(byte_of('Ġ'), Some(b' '));
        assert_eq!(byte_of('Ċ'), Some(b'\n'));
        assert_eq!(byte_of('ä'), Some(0xE4));
        assert_eq!(byte_of('乙'), None);
        let all: std::collections::BTreeSet<u8> =
            (0u32..400).filter_map(char::from_u32).filter_map(byte_of).collect();
        assert_eq!(all.len(), 256);
    }
}
