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
    // Text of UTF-16 without a mark has its high bytes in every other place: zero in Latin, of a few values in any
    // language. Read in the wrong order, or from another encoding, the letters are of no one script.
    if bytes.len().is_multiple_of(2) {
        let mut best: Option<(usize, (String, &'static str))> = None;
        for encoding in [UTF_16LE, UTF_16BE] {
            let Ok(decoded) = strict(path, bytes, encoding, 0) else { continue };
            let (mut common, mut all) = (0, 0);
            for c in decoded.0.chars() {
                all += 1;
                common += usize::from(
                    matches!(c, '\n' | '\r' | '\t' | ' '..='~' | '\u{3000}'..='\u{3002}' | '，' | '；' | '：' | '（' | '）' | '的' | '第' | '条' | '一' | '二' | '十' | '百' | '者'),
                );
            }
            if common * 10 >= all && all > 0 && best.as_ref().is_none_or(|b| common > b.0) {
                best = Some((common, decoded));
            }
        }
        if let Some((common, decoded)) = best
            // GB18030 text that happens to be valid UTF-16 has hardly a common sign in it.
            && (common * 4 >= decoded.0.chars().count() || strict(path, bytes, GB18030, 0).is_err())
        {
            return Ok(decoded);
        }
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
        Some(text) if text.contains('\0') => {
            Err(Error::file(path, "the file holds zero bytes: it is not text", super::KINDS))
        }
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
