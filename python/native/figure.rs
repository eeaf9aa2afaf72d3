//! Figures.

use super::error::to_exception;
use super::work::run_here;
use pyo3::prelude::*;
use rocproof::draw::{self, NotSaved, Palette};
use rocproof::front::Failure;
use std::path::PathBuf;

/// A figure, as Python holds it.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Figure(pub draw::Figure);

#[pymethods]
impl Figure {
    /// The figure as SVG. Its identifiers begin with `name`, so that a page can hold several figures.
    fn svg(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        run_here(py, || Ok(self.0.to_svg_within(name)))
    }

    /// Writes the figure as .svg, .png or .pdf.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        match run_here(py, || Ok(draw::save(&self.0, &path)))? {
            Ok(()) => Ok(()),
            Err(NotSaved::File(_, why)) => Err(why.into()),
            Err(other) => Err(to_exception(py, &Failure::new(other.to_string()))),
        }
    }
}

/// The palette of figures.
pub fn palette(colour_blind_safe: bool) -> Palette {
    if colour_blind_safe { Palette::ColourBlindSafe } else { Palette::Plain }
}
