//! Files: SVG, PNG, PDF.

use super::figure::Figure;
use super::text::{fonts, is_covered};
use crate::output::file::written_whole;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Tree, fontdb::Database, fontdb::Source};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many pixels of a PNG there are in a point: 216 in an inch.
const PIXELS: f32 = 3.0;

/// Why a figure was not saved.
#[derive(Debug)]
pub enum NotSaved {
    /// The name of the file does not end in a format.
    Format(PathBuf),
    /// The file could not be written.
    File(PathBuf, std::io::Error),
    /// The figure could not be made into this format.
    Conversion(&'static str, String),
}

impl fmt::Display for NotSaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotSaved::Format(path) => {
                write!(f, "`{}` does not say which format: the name must end in .svg, .png or .pdf", path.display())
            }
            NotSaved::File(path, why) => write!(f, "cannot write `{}`: {why}", path.display()),
            NotSaved::Conversion(format, why) => write!(f, "the figure cannot be made into {format}: {why}"),
        }
    }
}

impl std::error::Error for NotSaved {}

#[derive(Clone, Copy)]
enum Format {
    Svg,
    Png,
    Pdf,
}

fn format_of(path: &Path) -> Result<Format, NotSaved> {
    let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        Some("pdf") => Ok(Format::Pdf),
        _ => Err(NotSaved::Format(path.to_owned())),
    }
}

/// Whether the name of a file says a format that figures have.
pub fn check(path: &Path) -> Result<(), NotSaved> {
    format_of(path).map(drop)
}

/// Writes a figure in the format that the name of the file asks for: `.svg`, `.png` or `.pdf`.
///
/// The file is written under another name and then renamed: what was there is replaced by the whole figure or not at all.
pub fn save(figure: &Figure, path: impl AsRef<Path>) -> Result<(), NotSaved> {
    let path = path.as_ref();
    let bytes = to_bytes(figure, path)?;
    written_whole(path, |out| out.write_all(&bytes)).map_err(|why| NotSaved::File(path.to_owned(), why))
}

/// The bytes of a figure in the format that a file name asks for.
///
/// ```
/// use rocproof::draw::{Figure, to_bytes};
/// assert!(to_bytes(&Figure::new("t"), "a.pdf".as_ref())?.starts_with(b"%PDF"));
/// assert!(to_bytes(&Figure::new("t"), "a.gif".as_ref()).unwrap_err().to_string().contains(".svg, .png or .pdf"));
/// # Ok::<(), rocproof::draw::NotSaved>(())
/// ```
pub fn to_bytes(figure: &Figure, path: &Path) -> Result<Vec<u8>, NotSaved> {
    match format_of(path)? {
        Format::Svg => Ok(figure.to_svg().into_bytes()),
        Format::Png => png(figure),
        Format::Pdf => pdf(figure),
    }
}

fn tree(figure: &Figure, format: &'static str) -> Result<Tree, NotSaved> {
    let mut database = Database::new();
    fonts().into_iter().for_each(|font| drop(database.load_font_source(Source::Binary(Arc::new(font)))));
    if !is_covered(&figure.text()) {
        // Names in other scripts need fonts of the machine.
        database.load_system_fonts();
    }
    let options = usvg::Options { fontdb: Arc::new(database), ..usvg::Options::default() };
    Tree::from_str(&figure.to_svg(), &options).map_err(|why| NotSaved::Conversion(format, why.to_string()))
}

fn png(figure: &Figure) -> Result<Vec<u8>, NotSaved> {
    let tree = tree(figure, "PNG")?;
    let refused = |why: String| NotSaved::Conversion("PNG", why);
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| (side * PIXELS).ceil() as u32);
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| refused(format!("{width}×{height} pixels")))?;
    resvg::render(&tree, Transform::from_scale(PIXELS, PIXELS), &mut pixels.as_mut());
    pixels.encode_png().map_err(|why| refused(why.to_string()))
}

fn pdf(figure: &Figure) -> Result<Vec<u8>, NotSaved> {
    let tree = tree(figure, "PDF")?;
    svg2pdf::to_pdf(&tree, svg2pdf::ConversionOptions::default(), svg2pdf::PageOptions::default())
        .map_err(|why| NotSaved::Conversion("PDF", why.to_string()))
}
