//! A folder that is replaced as a whole.

use super::audit::File;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The file that lists the files of a report. A folder whose files are all on its list may be replaced.
const LIST: &str = ".rocproof";
/// The name of the earlier report while the new one takes its place.
const OLD: &str = "old";

/// A folder that is written beside its final place.
pub struct Folder {
    place: PathBuf,
    /// The new folder; removed on drop, unless it was moved to its place.
    new: TempDir,
}

impl Folder {
    /// Prepares a folder. It fails if the place cannot be written, or holds anything but an earlier report.
    pub fn prepare(place: &Path) -> Result<Folder> {
        let place = resolve(place)?;
        check_replaceable(&place)?;
        let beside = place.parent().ok_or_else(|| refused("it is the root of the file system"))?;
        let new = tempfile::Builder::new().prefix(".rocproof").tempdir_in(beside)?;
        use_default_permissions(new.path())?;
        Ok(Folder { place, new })
    }

    /// Writes files into the folder.
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

    /// Moves the folder to its place, and removes the earlier report. If the move fails, the earlier report returns to its place.
    pub fn replace(self) -> Result<()> {
        let Folder { place, new } = self;
        // The place may have changed since `prepare`.
        check_replaceable(&place)?;
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
        // The folder was moved, so there is nothing to remove on drop.
        let _ = new.keep();
        Ok(())
    }
}

/// The error for a place that must not be replaced.
fn refused(why: impl Into<String>) -> Error {
    Error::new(ErrorKind::AlreadyExists, why.into())
}

/// The absolute path of a place, without links, `.` and `..`. Creates the folders above the place.
fn resolve(place: &Path) -> Result<PathBuf> {
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

/// Refuses a place that holds anything but an earlier report: every file there must be on its list.
fn check_replaceable(place: &Path) -> Result<()> {
    if !place.exists() {
        return Ok(());
    }
    if !place.is_dir() {
        return Err(refused("there is a file of that name"));
    }
    let list = std::fs::read_to_string(place.join(LIST)).unwrap_or_default();
    let is_listed = |path: &str| path == LIST || list.lines().any(|line| line == path);
    // Folders still to be visited, relative to the place.
    let mut pending = vec![PathBuf::new()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(place.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            // The list has slashes on all systems.
            let name = path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
            if entry.file_type()?.is_dir() {
                pending.push(path);
            } else if !is_listed(&name) {
                return Err(refused(format!("there is {name}, which is not of an earlier report")));
            }
        }
    }
    Ok(())
}

/// Gives a temporary folder, which only its owner may read, the permissions of any new folder: those of one created inside it.
fn use_default_permissions(folder: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let probe = folder.join("probe");
        std::fs::create_dir(&probe)?;
        let default_mode = probe.metadata()?.permissions().mode();
        std::fs::remove_dir(&probe)?;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(default_mode))?;
    }
    Ok(())
}
