//! The native module of the Python package: requests go to `rocproof::front`, answers come back as JSON and text.
//!
//! The classes and functions that users see are written in Python, in `rocproof/*.py`.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answer;
mod bins;
mod error;
mod figure;
mod model;
mod paper;
mod scores;
mod statement;
mod work;

use pyo3::prelude::*;

/// The native module.
#[pymodule]
mod _rocproof {
    use super::*;

    #[pymodule_export]
    use super::answer::{Answer, digits};
    #[pymodule_export]
    use super::bins::evaluate_bins;
    #[pymodule_export]
    use super::figure::Figure;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::paper::{paper_models, reproduce};
    #[pymodule_export]
    use super::scores::{Scores, better, first_metrics, interval_time};
    #[pymodule_export]
    use super::statement::{Judgement, check, discover, statement_html, verify};
    #[pymodule_export]
    use super::work::panics;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::work::silence_panics();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
