//! The text of an input file: UTF-8, with or without a byte order mark, packed with gzip or not.

use std::io::Read as _;
use std::path::Path;

use crate::case::{CaseError, form};

/// Most bytes of text that are read from one file.
const LONGEST: u64 = 512 << 20;

/// What a file's name says it holds: `jsonl` for `rows.jsonl` and `Rows.JSONL.gz`.
pub(crate) fn kind(path: &Path) -> String {
    let name = path.file_name().map(|n| n.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map(|(_, kind)| kind.to_owned()).unwrap_or_default()
}

/// The text.
///
/// # Errors
/// If the file cannot be read, inflates to more than is read, or is not UTF-8.
pub(crate) fn text(path: &Path) -> Result<String, CaseError> {
    let name = path.display().to_string();
    let io = |source| CaseError::Io { path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(io)?;
    let packed = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
    let mut bytes = Vec::new();
    if packed {
        flate2::read::MultiGzDecoder::new(std::io::BufReader::new(file))
            .take(LONGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(io)?;
    } else {
        file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(io)?;
    }
    if bytes.len() as u64 > LONGEST {
        return Err(form(
            &name,
            format!("holds more than {} MB of text", LONGEST >> 20),
            "give it in several files",
        ));
    }
    let text = String::from_utf8(bytes)
        .map_err(|e| form(&name, format!("not UTF-8: {e}"), "save the file as UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn packed_or_not_the_text_is_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let (plain, packed) = (dir.path().join("a.jsonl"), dir.path().join("a.JSONL.gz"));
        std::fs::write(&plain, "\u{feff}{\"a\":1}\n").unwrap();
        let mut gzip = flate2::write::GzEncoder::new(
            std::fs::File::create(&packed).unwrap(),
            flate2::Compression::fast(),
        );
        gzip.write_all("\u{feff}{\"a\":1}\n".as_bytes()).unwrap();
        gzip.finish().unwrap();
        for path in [&plain, &packed] {
            assert_eq!(text(path).unwrap(), "{\"a\":1}\n");
            assert_eq!(kind(path), "jsonl");
        }
        std::fs::write(&plain, [0xff, 0xfe, 0x41]).unwrap();
        assert!(text(&plain).unwrap_err().to_string().contains("UTF-8"));
        std::fs::write(&packed, "no gzip").unwrap();
        assert!(text(&packed).unwrap_err().to_string().contains("a.JSONL.gz"));
    }
}
