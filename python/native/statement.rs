//! Statements: check, discover, verify.

use super::answer::{Answer, Printed, print_json, tree};
use super::model::Model;
use super::work::{run_here, run_on_thread};
use pyo3::prelude::*;
use rocproof::front::{self, ceiling, examine, read_statement};
use rocproof::lang::Source;
use rocproof::report::{discovery, page, verdict as report};
use rocproof::theory::certificate::Certificate;
use rocproof::theory::{derivation, sympy};
use rocproof::verdict::{Verdict, settle};
use serde_json::Value as Json;

/// The verdict on a statement, with its proof if there is one.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Judgement {
    json: Json,
    text: String,
    proof: Option<Box<Certificate>>,
}

#[pymethods]
impl Judgement {
    fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        tree(py, &self.json)
    }

    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        run_here(py, || print_json(&self.json))
    }

    fn text(&self) -> &str {
        &self.text
    }

    /// The proof in LaTeX.
    fn latex(&self, py: Python<'_>) -> PyResult<Option<String>> {
        run_here(py, || Ok(self.proof.as_deref().map(derivation::latex)))
    }

    /// The proof in HTML with MathML.
    fn html(&self, py: Python<'_>) -> PyResult<Option<String>> {
        run_here(py, || Ok(self.proof.as_deref().map(page::derivation)))
    }

    /// The proof as a script for SymPy.
    fn sympy(&self, py: Python<'_>) -> PyResult<Option<String>> {
        run_here(py, || Ok(self.proof.as_deref().map(sympy::script)))
    }
}

/// Settles a statement about all models, or decides it on the given ones.
#[pyfunction]
pub fn check(
    py: Python<'_>,
    statement: String,
    models: Vec<PyRef<'_, Model>>,
    over: Vec<String>,
    time: f64,
) -> PyResult<Judgement> {
    let models: Vec<rocproof::Model> = models.iter().map(|model| (*model.0).clone()).collect();
    run_on_thread(py, move || {
        let statement = read_statement(Source::new("statement", &statement), &over)?;
        if !models.is_empty() {
            let decision = examine(&statement, &models)?;
            let json = report::decision_json(&statement, &models, &decision);
            return Ok(Judgement { json, text: report::decision_text(&statement, &models, &decision), proof: None });
        }
        statement.meaning()?;
        let judgement = settle(&statement, ceiling(time)?);
        let (json, text) = (report::json(&judgement), report::text(&judgement));
        let proof = match judgement.verdict {
            Verdict::Proved(certificate) => Some(certificate),
            _ => None,
        };
        Ok(Judgement { json, text, proof })
    })
}

/// Finds the linear relations between a functional and others.
#[pyfunction]
pub fn discover(
    py: Python<'_>,
    target: String,
    basis: Vec<String>,
    classes: Vec<String>,
    conditions: Vec<String>,
    time: f64,
) -> PyResult<Answer> {
    run_on_thread(py, move || {
        let basis: Vec<Source> = basis.iter().map(|text| Source::new("basis", text)).collect();
        let (target, found) =
            front::discover(&Source::new("target", &target), &basis, &classes, &conditions, ceiling(time)?)?;
        let (json, text) = (discovery::json(&target, &found), discovery::text(&target, &found));
        Ok(Answer(Box::new(Printed { json, text })))
    })
}

/// Checks a certificate with the checker alone.
#[pyfunction]
pub fn verify(py: Python<'_>, name: String, text: String) -> PyResult<Answer> {
    run_on_thread(py, move || {
        let outcome = front::verify(&name, &text)?;
        let text = match &outcome {
            Ok(verified) => verified.statement.clone(),
            Err(rejected) => rejected.to_string(),
        };
        Ok(Answer(Box::new(Printed { json: report::verification_json(&outcome), text })))
    })
}

/// A statement in HTML with MathML.
#[pyfunction]
pub fn statement_html(py: Python<'_>, text: &str) -> PyResult<String> {
    run_here(py, || Ok(page::statement(text)))
}
