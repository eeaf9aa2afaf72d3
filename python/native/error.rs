//! Failures as exceptions.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use rocproof::front::{Failure, Interface};

/// A failure as the exception `rocproof.RocproofError`.
pub fn to_exception(py: Python<'_>, failure: &Failure) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = match CLASS.import(py, "rocproof._errors", "RocproofError") {
        Ok(class) => class,
        Err(error) => return error,
    };
    let rendered = failure.render(Interface::Python, false);
    match class.call1((rendered.trim_end(), failure.message(Interface::Python), failure.help(Interface::Python))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
