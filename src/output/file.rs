//! Files that are replaced atomically.

use std::io::{BufWriter, Error, Result, Write};
use std::path::Path;

/// Writes a file under another name and then renames it, so that readers see the old file or the new one, never a part.
pub(crate) fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if path.is_dir() {
        return Err(Error::other("it is a folder"));
    }
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        // A device or a pipe is written to directly.
        let mut out = BufWriter::new(std::fs::OpenOptions::new().write(true).open(path)?);
        write(&mut out)?;
        return out.flush();
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Give it the permissions of any new file; the umask restricts them.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut out = BufWriter::new(builder.prefix(".rocproof").tempfile_in(folder)?);
    write(&mut out)?;
    let file = out.into_inner().map_err(|why| why.into_error())?;
    file.persist(path).map_err(|why| why.error)?;
    Ok(())
}
