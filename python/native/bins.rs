//! Scores that are known by bins, from arrays.

use super::answer::{Answer, Printable};
use super::model::EvaluationRequest;
use super::scores::Description;
use super::work::run_here;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rocproof::data::BinRows;
use rocproof::data::read::Dataset;
use rocproof::front::{BinEvaluation, Interface, read_closed};
use rocproof::report::summary::Layout;
use serde_json::Value as Json;

/// The evaluation of arrays, with the description of the data that reports need.
struct DescribedBins {
    described: Dataset,
    evaluation: BinEvaluation,
}

impl Printable for DescribedBins {
    fn json(&self) -> Json {
        self.evaluation.report(&self.described, Interface::Python).json()
    }

    fn text(&self) -> String {
        self.evaluation.report(&self.described, Interface::Python).table(Layout::default())
    }
}

/// Evaluates rows that are known by bins: the ends of each, and the weight of the positive class and of the other.
#[pyfunction]
pub fn evaluate_bins(
    py: Python<'_>,
    ends: [PyReadonlyArray1<'_, f64>; 2],
    counts: [PyReadonlyArray1<'_, f64>; 2],
    closed: String,
    description: Description,
    request: EvaluationRequest,
) -> PyResult<Answer> {
    let contiguous = |_| PyValueError::new_err("arrays must be contiguous");
    let [lo, hi] = [ends[0].as_slice().map_err(contiguous)?, ends[1].as_slice().map_err(contiguous)?];
    let [n0, n1] = [counts[0].as_slice().map_err(contiguous)?, counts[1].as_slice().map_err(contiguous)?];
    let answer = run_here(py, || {
        let (closed, cost, thresholds) = (read_closed(&closed)?, request.cost()?, request.thresholds()?);
        let mass: Vec<[f64; 2]> = n0.iter().zip(n1).map(|(n0, n1)| [*n0, *n1]).collect();
        let described = description.dataset([n0, n1].map(|counts| counts.iter().sum()));
        let rows = BinRows { lo, hi, mass: &mass };
        let evaluation = BinEvaluation::of_arrays(&described, rows, closed, cost, &thresholds)?;
        Ok(DescribedBins { described, evaluation })
    })?;
    Ok(Answer(Box::new(answer)))
}
