//! The part of the Python package that is Rust: answers as JSON and as text, from what the library's front says.
//!
//! Everything that Python users see is made of these by the package itself, in `rocproof/*.py`.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answer;
mod error;
mod figure;
mod model;
mod paper;
mod scores;
mod statement;
mod work;

use pyo3::prelude::*;

/// rocproof, as far as it is Rust.
#[pymodule]
mod _rocproof {
    use super::*;

    #[pymodule_export]
    use super::answer::{Answer, digits};
    #[pymodule_export]
    use super::figure::Figure;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::paper::{paper_models, reproduce};
    #[pymodule_export]
    use super::scores::Scores;
    #[pymodule_export]
    use super::statement::{Judgement, check, discover, statement_html, verify};
    #[pymodule_export]
    use super::work::panics;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::work::quiet();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
