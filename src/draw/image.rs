//! PNG and PDF, made from SVG.

use super::figure::Figure;
use super::save::NotSaved;
use super::text::{fonts, is_covered};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Tree, fontdb::Database, fontdb::Source};
use std::sync::Arc;

/// Pixels per point in a PNG: 216 per inch.
const PIXELS: f32 = 3.0;

/// A figure as the tree that the converters read.
fn tree(figure: &Figure, format: &'static str) -> Result<Tree, NotSaved> {
    let mut database = Database::new();
    fonts().into_iter().for_each(|font| drop(database.load_font_source(Source::Binary(Arc::new(font)))));
    if !is_covered(&figure.text()) {
        // Names in other scripts need the fonts of the system.
        database.load_system_fonts();
    }
    let options = usvg::Options { fontdb: Arc::new(database), ..usvg::Options::default() };
    Tree::from_str(&figure.to_svg(), &options).map_err(|why| NotSaved::Conversion(format, why.to_string()))
}

/// A figure as PNG.
pub(super) fn png(figure: &Figure) -> Result<Vec<u8>, NotSaved> {
    let tree = tree(figure, "PNG")?;
    let refused = |why: String| NotSaved::Conversion("PNG", why);
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| (side * PIXELS).ceil() as u32);
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| refused(format!("{width}×{height} pixels")))?;
    resvg::render(&tree, Transform::from_scale(PIXELS, PIXELS), &mut pixels.as_mut());
    pixels.encode_png().map_err(|why| refused(why.to_string()))
}

/// A figure as PDF.
pub(super) fn pdf(figure: &Figure) -> Result<Vec<u8>, NotSaved> {
    let tree = tree(figure, "PDF")?;
    svg2pdf::to_pdf(&tree, svg2pdf::ConversionOptions::default(), svg2pdf::PageOptions::default())
        .map_err(|why| NotSaved::Conversion("PDF", why.to_string()))
}
