//! Figures as files: SVG, PNG, PDF.

use super::figure::Figure;
#[cfg(feature = "images")]
use super::image;
use crate::output::file::write_whole;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a figure was not saved.
#[derive(Debug)]
pub enum NotSaved {
    /// The extension of the file is not a known format.
    Format(PathBuf),
    /// This build has no such format.
    NotBuilt(&'static str),
    /// The file could not be written.
    File(PathBuf, std::io::Error),
    /// The figure could not be converted to this format.
    Conversion(&'static str, String),
}

impl fmt::Display for NotSaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotSaved::Format(path) => {
                write!(f, "`{}` does not say which format: the name must end in .svg, .png or .pdf", path.display())
            }
            NotSaved::NotBuilt(format) => {
                write!(f, "this build of rocproof cannot write {format}, only .svg: the feature `images` is off")
            }
            NotSaved::File(path, why) => write!(f, "cannot write `{}`: {why}", path.display()),
            NotSaved::Conversion(format, why) => write!(f, "the figure cannot be made into {format}: {why}"),
        }
    }
}

impl std::error::Error for NotSaved {}

/// The formats that this build can write, as file extensions.
pub(crate) const FORMATS: &[&str] = if cfg!(feature = "images") { &["svg", "pdf", "png"] } else { &["svg"] };

#[derive(Clone, Copy)]
enum Format {
    Svg,
    #[cfg(feature = "images")]
    Png,
    #[cfg(feature = "images")]
    Pdf,
}

/// The format that the extension of a path names.
fn format_of(path: &Path) -> Result<Format, NotSaved> {
    let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("svg") => Ok(Format::Svg),
        #[cfg(feature = "images")]
        Some("png") => Ok(Format::Png),
        #[cfg(feature = "images")]
        Some("pdf") => Ok(Format::Pdf),
        #[cfg(not(feature = "images"))]
        Some("png") => Err(NotSaved::NotBuilt("PNG")),
        #[cfg(not(feature = "images"))]
        Some("pdf") => Err(NotSaved::NotBuilt("PDF")),
        _ => Err(NotSaved::Format(path.to_owned())),
    }
}

/// Checks that the extension of a file is a format of figures.
pub fn check(path: &Path) -> Result<(), NotSaved> {
    format_of(path).map(drop)
}

/// Writes a figure in the format of the file's extension: `.svg`, `.png` or `.pdf`.
///
/// The file is replaced atomically: it is written under another name and then renamed.
pub fn save(figure: &Figure, path: impl AsRef<Path>) -> Result<(), NotSaved> {
    let path = path.as_ref();
    let bytes = to_bytes(figure, path)?;
    write_whole(path, |out| out.write_all(&bytes)).map_err(|why| NotSaved::File(path.to_owned(), why))
}

/// The bytes of a figure in the format of a file's extension.
///
/// ```
/// use rocproof::draw::{Figure, to_bytes};
/// assert!(to_bytes(&Figure::new("t"), "a.svg".as_ref())?.starts_with(b"<svg"));
/// # #[cfg(feature = "images")]
/// assert!(to_bytes(&Figure::new("t"), "a.pdf".as_ref())?.starts_with(b"%PDF"));
/// assert!(to_bytes(&Figure::new("t"), "a.gif".as_ref()).unwrap_err().to_string().contains(".svg, .png or .pdf"));
/// # Ok::<(), rocproof::draw::NotSaved>(())
/// ```
pub fn to_bytes(figure: &Figure, path: &Path) -> Result<Vec<u8>, NotSaved> {
    match format_of(path)? {
        Format::Svg => Ok(figure.to_svg().into_bytes()),
        #[cfg(feature = "images")]
        Format::Png => image::png(figure),
        #[cfg(feature = "images")]
        Format::Pdf => image::pdf(figure),
    }
}
