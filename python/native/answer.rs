//! Answers: what the command line prints, as JSON and for people.

use super::work::at_once;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rocproof::calculus::Estimate;
use rocproof::front::Failure;
use rocproof::output;
use serde_json::Value as Json;

/// What is answered. It is written out only when somebody looks at it.
pub trait Told: Send + Sync {
    /// As JSON.
    fn json(&self) -> Json;

    /// For people.
    fn text(&self) -> String;

    /// What the JSON has under a key; where that can be told without the rest, it is.
    fn part(&self, key: &str) -> Json {
        self.json().get_mut(key).map(Json::take).unwrap_or_default()
    }
}

/// An answer that is known in full.
pub struct Known {
    pub json: Json,
    pub text: String,
}

impl Told for Known {
    fn json(&self) -> Json {
        self.json.clone()
    }

    fn text(&self) -> String {
        self.text.clone()
    }
}

/// An answer.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Answer(pub Box<dyn Told>);

#[pymethods]
impl Answer {
    /// The JSON as Python's dictionaries, lists, numbers and strings.
    fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        tree(py, &at_once(py, || Ok(self.0.json()))?)
    }

    /// What the JSON has under a key.
    fn part<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        tree(py, &at_once(py, || Ok(self.0.part(key)))?)
    }

    /// The JSON as the command line prints it.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        at_once(py, || printed(&self.0.json()))
    }

    /// What the command line prints for people.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        at_once(py, || Ok(self.0.text()))
    }
}

/// JSON as the command line prints it.
pub fn printed(json: &Json) -> Result<String, Failure> {
    serde_json::to_string_pretty(json).map(|text| text + "\n").map_err(|error| Failure::new(error.to_string()))
}

/// JSON as Python's own objects.
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
