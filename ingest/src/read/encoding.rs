//! From bytes to text, without a single character made up.

use std::borrow::Cow;
use std::path::Path;

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};

use crate::Error;

/// Decodes a text file: UTF-8 or UTF-16 by its byte order mark, else UTF-8, else UTF-16 by its zero bytes, else
/// GB18030 (which contains GBK and GB 2312). Returns the text and the encoding's name.
///
/// # Errors
/// If the bytes are not valid in the encoding, with the offset of the first bad one. Nothing is replaced.
pub fn decode(path: &Path, bytes: &[u8]) -> Result<(String, &'static str), Error> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let rest = bytes.get(mark..).unwrap_or_default();
        return strict(path, rest, encoding, mark);
    }
    if std::str::from_utf8(bytes).is_ok() {
        return strict(path, bytes, UTF_8, 0);
    }
    // Text of UTF-16 without mark has a zero in every other byte wherever it is ASCII.
    let zeros = |parity: usize| bytes.iter().skip(parity).step_by(2).filter(|b| **b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let few = bytes.len() / 20;
    if bytes.len().is_multiple_of(2) && odd > few && even <= odd / 8 {
        return strict(path, bytes, UTF_16LE, 0);
    }
    if bytes.len().is_multiple_of(2) && even > few && odd <= even / 8 {
        return strict(path, bytes, UTF_16BE, 0);
    }
    if let Ok(decoded) = strict(path, bytes, GB18030, 0) {
        // Bytes of Western text also decode as GB18030, to rare letters; statutes in it are mostly common ones.
        let wide = decoded.0.chars().filter(|c| ('\u{4E00}'..='\u{9FFF}').contains(c)).count();
        if wide * 10 >= decoded.0.chars().count() {
            return Ok(decoded);
        }
    }
    let valid = std::str::from_utf8(bytes).err().map_or(0, |e| e.valid_up_to());
    let bad = bytes.get(valid).copied().unwrap_or_default();
    Err(Error::file(
        path,
        format!("byte 0x{bad:02X} at offset {valid} is neither UTF-8 nor GB18030 text"),
        "convert the file to UTF-8, for example with iconv, and build again",
    ))
}

fn strict(
    path: &Path,
    bytes: &[u8],
    encoding: &'static Encoding,
    skipped: usize,
) -> Result<(String, &'static str), Error> {
    let text: Option<Cow<'_, str>> = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    match text {
        Some(text) if text.contains('\0') => Err(Error::file(
            path,
            "the file holds zero bytes: it is not text",
            "give a PDF, Markdown, text, JSON or SQLite file",
        )),
        Some(text) if text.contains('\u{FFFD}') => {
            let at = text.find('\u{FFFD}').unwrap_or_default();
            Err(Error::file(
                path,
                format!("character U+FFFD at offset {at}: an earlier conversion of this file has lost text"),
                "get the file from its publisher again",
            ))
        }
        Some(text) => Ok((text.into_owned(), encoding.name())),
        None => {
            let at = match encoding {
                e if e == UTF_8 => std::str::from_utf8(bytes).err().map_or(0, |e| e.valid_up_to()),
                _ => 0,
            };
            Err(Error::file(
                path,
                format!("not valid {} (first bad byte at or after offset {})", encoding.name(), at + skipped),
                "convert the file to UTF-8 and build again",
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "第一条　为了试验，制定本法。\nSection 1. Test.";

    fn utf16(bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
        TEXT.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn one_text_in_every_encoding_is_one_text() {
        let path = Path::new("t.txt");
        let mut files = vec![TEXT.as_bytes().to_vec(), [b"\xEF\xBB\xBF", TEXT.as_bytes()].concat()];
        files.push(GB18030.encode(TEXT).0.into_owned());
        files.push([b"\xFF\xFE".to_vec(), utf16(u16::to_le_bytes)].concat());
        files.push([b"\xFE\xFF".to_vec(), utf16(u16::to_be_bytes)].concat());
        files.push(utf16(u16::to_le_bytes));
        for bytes in files {
            assert_eq!(decode(path, &bytes).unwrap().0, TEXT);
        }
    }

    #[test]
    fn nothing_is_made_up() {
        let path = Path::new("t.txt");
        for bad in [
            b"plain text \xff\xff and more".as_slice(),
            b"caf\xe9 au lait, latin one text",
            "lost \u{FFFD} here".as_bytes(),
            b"zero\0byte",
        ] {
            let error = decode(path, bad).unwrap_err().to_string();
            assert!(error.contains("hint: "), "{error}");
        }
    }
}
