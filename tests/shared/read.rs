//! Files of `../shared`, packed or not.

use std::path::Path;

/// A text file; one whose name ends in `.gz` is unpacked by `gzip`.
pub fn text(path: &Path) -> Result<String, String> {
    let named = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    if path.extension().is_none_or(|x| x != "gz") {
        return std::fs::read_to_string(path).map_err(|e| named(&e));
    }
    let out = std::process::Command::new("gzip").arg("-dc").arg(path).output().map_err(|e| named(&e))?;
    if !out.status.success() {
        return Err(named(&String::from_utf8_lossy(&out.stderr)));
    }
    String::from_utf8(out.stdout).map_err(|e| named(&e))
}

/// Its lines.
pub fn lines(path: &Path) -> Result<Vec<String>, String> {
    Ok(text(path)?.lines().map(str::to_owned).collect())
}
