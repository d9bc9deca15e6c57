//! Seals: hashes of what was written, so that a file that was altered or has rotted is named instead of believed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};

/// SHA-256 of each file, in hex, by its path below the sealed folder (with `/`).
pub(crate) type Seals = BTreeMap<String, String>;

/// Files that no reader reads: Qdrant's log, which a sealed shard does not need, and locks.
fn is_read(name: &str) -> bool {
    name != "wal" && !name.ends_with(".lock")
}

/// SHA-256 of a file, in hex.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn of_file(path: &Path) -> Result<String> {
    let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
    let mut hasher = Sha256::new();
    std::io::copy(&mut file, &mut hasher).map_err(|e| Error::io(path, e))?;
    Ok(hex::encode(hasher.finalize()))
}

/// The seals of all files of a folder that a reader reads.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn of_folder(folder: &Path) -> Result<Seals> {
    let mut seals = Seals::new();
    walk(folder, "", &mut seals)?;
    Ok(seals)
}

fn walk(folder: &Path, below: &str, seals: &mut Seals) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(|e| Error::io(folder, e))? {
        let entry = entry.map_err(|e| Error::io(folder, e))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_read(&name) {
            continue;
        }
        let (path, place) = (entry.path(), format!("{below}{name}"));
        if path.is_dir() {
            walk(&path, &format!("{place}/"), seals)?;
        } else {
            seals.insert(place, of_file(&path)?);
        }
    }
    Ok(())
}

/// Fails if a file of the folder is not what was sealed, is gone, or was not there. Errors name the file below
/// `shown`, for a reader works on a copy.
///
/// # Errors
/// Then; the hint is how an index is made again.
pub(crate) fn check(folder: &Path, seals: &Seals, shown: &Path) -> Result<()> {
    let broken = |name: &str, what: &str| {
        let path = if name.is_empty() { shown.to_owned() } else { shown.join(name) };
        Error::file(&path, what, "run `nyaya kb rebuild`; the statutes themselves are not touched")
    };
    if !folder.is_dir() {
        return Err(broken("", "gone since the index was built"));
    }
    let found = of_folder(folder)?;
    for (name, seal) in seals {
        match found.get(name) {
            None => return Err(broken(name, "gone since the index was built")),
            Some(now) if now != seal => return Err(broken(name, "altered since the index was built")),
            Some(_) => {}
        }
    }
    match found.keys().find(|name| !seals.contains_key(*name)) {
        Some(name) => Err(broken(name, "no part of the index that was built")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_named() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/wal")).unwrap();
        fs::write(dir.path().join("a/one"), "1").unwrap();
        fs::write(dir.path().join("a/wal/log"), "x").unwrap();
        let seals = of_folder(dir.path()).unwrap();
        assert_eq!(seals.keys().collect::<Vec<_>>(), ["a/one"]);
        let shown = Path::new("kb");
        fs::write(dir.path().join("a/wal/log"), "y").unwrap();
        check(dir.path(), &seals, shown).unwrap();
        fs::write(dir.path().join("a/two"), "2").unwrap();
        assert!(check(dir.path(), &seals, shown).unwrap_err().to_string().contains("kb/a/two: no part"));
        fs::remove_file(dir.path().join("a/two")).unwrap();
        fs::write(dir.path().join("a/one"), "2").unwrap();
        assert!(check(dir.path(), &seals, shown).unwrap_err().to_string().contains("kb/a/one: altered"));
        fs::remove_file(dir.path().join("a/one")).unwrap();
        assert!(check(dir.path(), &seals, shown).unwrap_err().to_string().contains("kb/a/one: gone"));
    }
}
