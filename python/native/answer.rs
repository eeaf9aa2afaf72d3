//! Answers: what the command line prints, as JSON and as text.

use super::work::run_here;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rocproof::calculus::Estimate;
use rocproof::front::Failure;
use rocproof::output;
use serde_json::Value as Json;

/// A result that is written out only when Python asks for it.
pub trait Printable: Send + Sync {
    /// The result as JSON.
    fn json(&self) -> Json;

    /// The result as text.
    fn text(&self) -> String;

    /// The part of the JSON under a key. Implementations may avoid making the rest.
    fn part(&self, key: &str) -> Json {
        self.json().get_mut(key).map(Json::take).unwrap_or_default()
    }
}

/// A result that was written out already.
pub struct Printed {
    pub json: Json,
    pub text: String,
}

impl Printable for Printed {
    fn json(&self) -> Json {
        self.json.clone()
    }

    fn text(&self) -> String {
        self.text.clone()
    }
}

/// An answer, as Python holds it.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Answer(pub Box<dyn Printable>);

#[pymethods]
impl Answer {
    /// The JSON as dictionaries, lists, numbers and strings.
    fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        tree(py, &run_here(py, || Ok(self.0.json()))?)
    }

    /// The part of the JSON under a key.
    fn part<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        tree(py, &run_here(py, || Ok(self.0.part(key)))?)
    }

    /// The JSON as the command line prints it.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        run_here(py, || print_json(&self.0.json()))
    }

    /// The text that the command line prints.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        run_here(py, || Ok(self.0.text()))
    }
}

/// JSON as the command line prints it.
pub fn print_json(json: &Json) -> Result<String, Failure> {
    serde_json::to_string_pretty(json).map(|text| text + "\n").map_err(|error| Failure::new(error.to_string()))
}

/// JSON as Python objects.
pub fn tree<'py>(py: Python<'py>, json: &Json) -> PyResult<Bound<'py, PyAny>> {
    Ok(match json {
        Json::Null => py.None().into_bound(py),
        Json::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Json::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?,
        },
        Json::String(text) => text.into_pyobject(py)?.into_any(),
        Json::Array(items) => {
            let items = items.iter().map(|item| tree(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Json::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries {
                dict.set_item(key, tree(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// A number with only the digits that its error justifies.
#[pyfunction]
pub fn digits(value: f64, error: f64) -> String {
    output::digits(Estimate { value, error })
}
