//! A folder that is written whole or not at all.

use super::audit::File;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The list of the files of a report, by which it is known when it is to be replaced.
const LIST: &str = ".rocproof";
/// The name of the earlier report while the new one takes its place.
const OLD: &str = "old";

/// A folder that is being written beside the place where it will stand.
pub struct Folder {
    place: PathBuf,
    /// Removed when it is dropped, unless it has taken its place.
    new: TempDir,
}

impl Folder {
    /// Prepares a folder; an error if its place cannot be written to, or holds something else than an earlier report.
    pub fn prepare(place: &Path) -> Result<Folder> {
        let place = settled(place)?;
        check(&place)?;
        let beside = place.parent().ok_or_else(|| refused("it is the root of the file system"))?;
        let new = tempfile::Builder::new().prefix(".rocproof").tempdir_in(beside)?;
        open_to_others(new.path())?;
        Ok(Folder { place, new })
    }

    /// Writes files into it.
    pub fn write(self, files: &[File]) -> Result<Folder> {
        for File { path, content } in files {
            let path = self.new.path().join(path);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&path, content)?;
        }
        let list: String = files.iter().map(|file| format!("{}\n", file.path)).collect();
        std::fs::write(self.new.path().join(LIST), list)?;
        Ok(self)
    }

    /// Puts it in its place; what was there is removed only then.
    pub fn replace(self) -> Result<()> {
        let Folder { place, new } = self;
        // Something may have come there since.
        check(&place)?;
        let old = if place.is_dir() {
            let beside = place.parent().unwrap_or(Path::new("."));
            let old = tempfile::Builder::new().prefix(".rocproof").tempdir_in(beside)?;
            std::fs::rename(&place, old.path().join(OLD))?;
            Some(old)
        } else {
            None
        };
        if let Err(why) = std::fs::rename(new.path(), &place) {
            if let Some(old) = old {
                std::fs::rename(old.path().join(OLD), &place)?;
            }
            return Err(why);
        }
        // It is no longer where it was made, so there is nothing to remove.
        let _ = new.keep();
        Ok(())
    }
}

fn refused(why: impl Into<String>) -> Error {
    Error::new(ErrorKind::AlreadyExists, why.into())
}

/// The place without links and without `.` and `..`; the folders above it are made.
fn settled(place: &Path) -> Result<PathBuf> {
    if place.exists() {
        return place.canonicalize();
    }
    if place.is_symlink() {
        return Err(refused("it is a link to nothing"));
    }
    let name = place.file_name().ok_or_else(|| refused("the folder needs a name"))?;
    let above = match place.parent() {
        Some(above) if !above.as_os_str().is_empty() => above,
        _ => Path::new("."),
    };
    if above.exists() && !above.is_dir() {
        return Err(refused(format!("{} is a file", above.display())));
    }
    std::fs::create_dir_all(above)?;
    Ok(above.canonicalize()?.join(name))
}

/// Refuses a place that holds something else than an earlier report: whatever is there must be on its list.
fn check(place: &Path) -> Result<()> {
    if !place.exists() {
        return Ok(());
    }
    if !place.is_dir() {
        return Err(refused("there is a file of that name"));
    }
    let list = std::fs::read_to_string(place.join(LIST)).unwrap_or_default();
    let known = |path: &str| path == LIST || list.lines().any(|line| line == path);
    let mut pending = vec![PathBuf::new()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(place.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            // Paths in the list have slashes.
            let written = path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
            if entry.file_type()?.is_dir() {
                pending.push(path);
            } else if !known(&written) {
                return Err(refused(format!("there is {written}, which is not of an earlier report")));
            }
        }
    }
    Ok(())
}

/// As for any new folder, the mask of the user decides who may read it.
fn open_to_others(folder: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let probe = folder.join("probe");
        std::fs::create_dir(&probe)?;
        let usual = probe.metadata()?.permissions().mode();
        std::fs::remove_dir(&probe)?;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(usual))?;
    }
    Ok(())
}
