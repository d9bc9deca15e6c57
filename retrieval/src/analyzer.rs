//! Words for BM25: one analyzer for what is indexed and for what is asked, in every language.
//!
//! Latin letters: lower case, English stop words left out, stemmed; a number with its letters (`376AB`, `133-1`)
//! stays whole. Han: jieba's words and, beside them, every pair of neighbouring characters, so that a query
//! split otherwise than the text still meets it. Other scripts: lower case.

use std::sync::{Arc, LazyLock};

use jieba_rs::Jieba;
use tantivy::tokenizer::{
    Language, LowerCaser, Stemmer, StopWordFilter, TextAnalyzer, Token, TokenStream, Tokenizer,
};

/// Name under which the analyzer is registered; changes when its output does, or what is put through it.
pub const NAME: &str = "nyaya-2";

static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// The analyzer.
///
/// # Errors
/// Never in practice: English stop words come with the library.
#[must_use]
pub fn analyzer() -> TextAnalyzer {
    let base = TextAnalyzer::builder(MixedTokenizer).filter(LowerCaser);
    match StopWordFilter::new(Language::English) {
        Some(stop) => base.filter(stop).filter(Stemmer::new(Language::English)).build(),
        None => base.filter(Stemmer::new(Language::English)).build(),
    }
}

/// The terms of a text, in order.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    let mut analyzer = analyzer();
    let mut stream = analyzer.token_stream(text);
    let mut terms = Vec::new();
    stream.process(&mut |token| terms.push(token.text.clone()));
    terms
}

/// Splits text of mixed scripts.
#[derive(Clone)]
struct MixedTokenizer;

struct Tokens {
    tokens: Arc<[Token]>,
    next: usize,
    current: Token,
}

impl Tokenizer for MixedTokenizer {
    type TokenStream<'a> = Tokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens {
        Tokens { tokens: split(text).into(), next: 0, current: Token::default() }
    }
}

impl TokenStream for Tokens {
    fn advance(&mut self) -> bool {
        match self.tokens.get(self.next) {
            Some(token) => {
                self.current.clone_from(token);
                self.next += 1;
                true
            }
            None => false,
        }
    }
    fn token(&self) -> &Token {
        &self.current
    }
    fn token_mut(&mut self) -> &mut Token {
        &mut self.current
    }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}' | '〇')
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Han,
    Word,
    Other,
}

fn class(c: char) -> Class {
    if is_han(c) {
        Class::Han
    } else if c.is_alphanumeric() || matches!(c, '\u{0900}'..='\u{097f}') {
        // Devanagari vowel signs are marks, not letters, but belong to the word.
        Class::Word
    } else {
        Class::Other
    }
}

fn split(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut push = |from: usize, piece: &str| {
        tokens.push(Token {
            offset_from: from,
            offset_to: from + piece.len(),
            position: tokens.len(),
            text: piece.to_owned(),
            position_length: 1,
        });
    };
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        let kind = class(first);
        let mut end = start + first.len_utf8();
        while let Some(&(at, c)) = chars.peek() {
            if class(c) != kind {
                break;
            }
            end = at + c.len_utf8();
            chars.next();
        }
        let Some(run) = text.get(start..end) else { continue };
        match kind {
            Class::Other => {}
            Class::Word => push(start, run),
            Class::Han => {
                let mut at = start;
                for word in JIEBA.cut(run, false) {
                    // Pairs are added below; a word of two characters would stand twice.
                    if word.chars().count() != 2 {
                        push(at, word);
                    }
                    at += word.len();
                }
                let ends: Vec<(usize, char)> = run.char_indices().collect();
                for pair in ends.windows(2) {
                    if let [(a, _), (b, c)] = pair
                        && let Some(two) = run.get(*a..*b + c.len_utf8())
                    {
                        push(start + a, two);
                    }
                }
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn section_numbers_stay_whole_and_words_are_stemmed() {
        assert_eq!(
            terms("Section 376AB: punishments of the murderers"),
            ["section", "376ab", "punish", "murder"]
        );
    }

    #[test]
    fn chinese_gives_words_and_pairs_on_both_sides() {
        let text = terms("故意杀人的,处死刑");
        for pair in ["故意", "意杀", "杀人", "死刑"] {
            assert!(text.iter().any(|t| t == pair), "{pair} in {text:?}");
        }
        let query = terms("杀人怎么判");
        assert!(query.iter().any(|t| text.contains(t)));
    }

    #[test]
    fn spans_are_those_of_the_text() {
        let text = "第133条之一 drunk-driving धारा ３０२";
        for token in split(text) {
            assert_eq!(&text[token.offset_from..token.offset_to], token.text);
        }
    }
}
