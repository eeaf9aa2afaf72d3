//! Figures.

use super::error::raised;
use super::work::at_once;
use pyo3::prelude::*;
use rocproof::draw::{self, NotSaved, Palette};
use rocproof::front::Failure;
use std::path::PathBuf;

/// A figure.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Figure(pub draw::Figure);

#[pymethods]
impl Figure {
    /// As SVG; its identifiers begin with a name, so that a page can hold several figures.
    fn svg(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        at_once(py, || Ok(self.0.to_svg_within(name)))
    }

    /// As a file: .svg, .png or .pdf.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        match at_once(py, || Ok(draw::save(&self.0, &path)))? {
            Ok(()) => Ok(()),
            Err(NotSaved::File(_, why)) => Err(why.into()),
            Err(other) => Err(raised(py, &Failure::new(other.to_string()))),
        }
    }
}

/// Which colours figures have.
pub fn palette(colour_blind_safe: bool) -> Palette {
    if colour_blind_safe { Palette::ColourBlindSafe } else { Palette::Plain }
}
