//! Models of two densities.

use super::answer::{Answer, Printable};
use super::figure::{Figure, palette};
use super::work::{run_here, run_on_thread};
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;
use rocproof::calculus::panel::{Motion, Point};
use rocproof::draw::model::Portrait;
use rocproof::front::{Failure, evaluate, read_model, read_number, read_rate};
use rocproof::functional::Thresholds;
use rocproof::lang::{Diagnostic, Source};
use rocproof::model::family::Function;
use rocproof::model::{Density, Transform, file};
use rocproof::report::{json, table};
use rocproof::{Cost, Evaluation, Level};
use serde_json::Value as Json;
use std::panic::resume_unwind;
use std::sync::Arc;

/// A model, as Python holds it.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Model(pub Arc<rocproof::Model>);

/// A density as an argument from Python.
#[derive(FromPyObject)]
pub enum DensityArgument {
    /// An expression in the language.
    Text(String),
    /// A Python function.
    Values(Tabulated),
}

/// A density given by a Python function of the standardised score `z`; the score is `location + scale·z`.
#[derive(FromPyObject)]
pub struct Tabulated {
    /// The text that names the density in reports.
    #[pyo3(item)]
    text: String,
    /// The support in `z`.
    #[pyo3(item)]
    ends: (f64, f64),
    /// Values of `z` that are dense enough to see every peak of the density.
    #[pyo3(item)]
    marks: Vec<f64>,
    #[pyo3(item)]
    location: f64,
    #[pyo3(item)]
    scale: f64,
    /// The function: takes an array of `z`, returns an array of densities.
    #[pyo3(item)]
    pdf: Py<PyAny>,
}

impl DensityArgument {
    fn density(self, name: &str) -> Result<Density, Diagnostic> {
        match self {
            DensityArgument::Text(text) => Density::from_source(Source::new(name, &text)),
            DensityArgument::Values(Tabulated { text, ends, marks, location, scale, pdf }) => {
                let source = Source::new(name, &text);
                let function = Function::new(ends, marks, move |z| call_pdf(&pdf, z))
                    .map_err(|bad| source.error(source.whole(), bad.to_string(), "not a density"))?;
                Density::of_function(source, function.moved(location, scale))
            }
        }
    }
}

/// Calls the Python function. An exception unwinds through Rust, and is raised again at the end.
fn call_pdf(pdf: &Py<PyAny>, z: &[f64]) -> Vec<f64> {
    Python::attach(|py| {
        let values = pdf.bind(py).call1((z.to_pyarray(py),)).and_then(|found| found.extract::<Vec<f64>>());
        values.unwrap_or_else(|error| resume_unwind(Box::new(error)))
    })
}

/// Three columns of a ROC curve: `F1`, `F0` and the thresholds.
pub type Roc<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// The arguments of an evaluation, as text.
#[derive(FromPyObject)]
pub struct EvaluationRequest {
    #[pyo3(item)]
    level: String,
    #[pyo3(item)]
    cost: String,
    #[pyo3(item)]
    threshold: String,
    #[pyo3(item)]
    rate: String,
}

impl EvaluationRequest {
    pub fn level(&self) -> Result<Level, Failure> {
        match self.level.as_str() {
            "numeric" => Ok(Level::Numeric),
            "certified" => Ok(Level::Certified),
            "exact" => Ok(Level::Exact),
            "best" => Ok(Level::Best),
            other => {
                let help = "levels: numeric, certified, exact, best";
                Err(Failure::with_help(format!("there is no level `{other}`"), help))
            }
        }
    }

    pub fn cost(&self) -> Result<Cost, Failure> {
        Ok(Cost::parse(&self.cost)?)
    }

    pub fn thresholds(&self) -> Result<Thresholds, Failure> {
        let threshold = read_number(&Source::new("threshold", &self.threshold))?;
        Ok(Thresholds { threshold, rate: read_rate(&Source::new("rate", &self.rate))? })
    }
}

/// An evaluation of a model.
struct ModelEvaluation {
    model: Arc<rocproof::Model>,
    cost: Cost,
    evaluation: Evaluation,
    digits: Option<usize>,
}

impl Printable for ModelEvaluation {
    fn json(&self) -> Json {
        json::evaluation(&self.model, &self.cost, &self.evaluation, self.digits)
    }

    fn text(&self) -> String {
        table::evaluation(&self.model, &self.cost, &self.evaluation, self.digits)
    }

    fn part(&self, key: &str) -> Json {
        match key {
            "metrics" => json::metrics(&self.evaluation, self.digits),
            "loss" => json::loss(&self.evaluation, self.digits),
            _ => self.json().get_mut(key).map(Json::take).unwrap_or_default(),
        }
    }
}

/// A transform by name.
pub fn transform(name: &str) -> Result<Transform, Failure> {
    match name {
        "conv" => Ok(Transform::Conv),
        "cal" => Ok(Transform::Cal),
        "even" => Ok(Transform::Even),
        _ => Err(Failure::with_help(format!("there is no transform `{name}`"), "transforms: conv, cal, even")),
    }
}

#[pymethods]
impl Model {
    #[new]
    fn new(py: Python<'_>, f0: DensityArgument, f1: DensityArgument, pi0: &str, name: Option<&str>) -> PyResult<Model> {
        let densities = || Ok([f0.density("f0")?, f1.density("f1")?]);
        let model = run_here(py, || Ok(rocproof::Model::of_densities(Source::new("pi0", pi0), densities)?))?;
        Ok(Model(Arc::new(match name {
            Some(name) => model.named(name),
            None => model,
        })))
    }

    /// A model of the paper.
    #[staticmethod]
    fn paper(py: Python<'_>, name: &str) -> PyResult<Model> {
        let model = run_here(py, || read_model(&format!("@{}", name.trim_start_matches('@'))))?;
        Ok(Model(Arc::new(model)))
    }

    /// A model from the text of a model file.
    #[staticmethod]
    fn parse(py: Python<'_>, origin: &str, text: &str) -> PyResult<Model> {
        Ok(Model(Arc::new(run_here(py, || Ok(file::parse(origin, text)?))?)))
    }

    fn transformed(&self, py: Python<'_>, name: &str) -> PyResult<Model> {
        let transform = run_here(py, || transform(name))?;
        Ok(Model(Arc::new(self.0.transformed(transform))))
    }

    #[getter]
    fn name(&self) -> String {
        self.0.name()
    }

    #[getter]
    fn pi0(&self) -> String {
        self.0.pi0().to_string()
    }

    #[getter]
    fn f0(&self) -> &str {
        self.0.density(0).text()
    }

    #[getter]
    fn f1(&self) -> &str {
        self.0.density(1).text()
    }

    #[getter]
    fn note(&self) -> Option<&str> {
        self.0.note.as_deref()
    }

    #[pyo3(signature = (request, width, digits))]
    fn evaluate(
        &self,
        py: Python<'_>,
        request: EvaluationRequest,
        width: Option<&str>,
        digits: Option<u16>,
    ) -> PyResult<Answer> {
        let (model, width) = (self.0.clone(), width.map(|text| Source::new("width", text)));
        let digits = digits.map(usize::from);
        let level = run_here(py, || request.level())?;
        let work = move || {
            let cost = request.cost()?;
            let evaluation = evaluate(&model, &cost, &request.thresholds()?, level, width)?;
            Ok(Answer(Box::new(ModelEvaluation { model, cost, evaluation, digits })))
        };
        // Starting a thread would take longer than the evaluation.
        if level == Level::Numeric { run_here(py, work) } else { run_on_thread(py, work) }
    }

    fn figure(&self, py: Python<'_>, colour_blind_safe: bool) -> PyResult<Figure> {
        let model = self.0.clone();
        run_on_thread(py, move || Ok(Figure(Portrait::of(&model)?.figure(palette(colour_blind_safe)))))
    }

    /// The ROC curve: the ends of straight pieces, and `points` points on each smooth piece.
    fn roc<'py>(&self, py: Python<'py>, points: usize) -> PyResult<Roc<'py>> {
        let found = run_here(py, || match self.0.beyond_floating_point() {
            Some(diagnostic) => Err(diagnostic.into()),
            None => Ok(points_of(&self.0, points.max(1))),
        })?;
        let column = |of: fn(&Point) -> f64| found.iter().map(of).collect::<Vec<_>>().to_pyarray(py);
        Ok((column(|point| point.below[1]), column(|point| point.below[0]), column(|point| point.x)))
    }
}

fn points_of(model: &rocproof::Model, points: usize) -> Vec<Point> {
    let curve = model.curve();
    let mut found = vec![curve.start()];
    for panel in &curve.panels {
        let steps = if panel.motion == Motion::Arc { points } else { 1 };
        found.extend((1..steps).map(|k| panel.at(k as f64 / steps as f64)));
        found.push(panel.end);
    }
    found
}
