//! Models of two densities.

use super::answer::{Answer, Told};
use super::figure::{Figure, palette};
use super::work::{at_once, stoppable};
use clap::ValueEnum;
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;
use rocproof::calculus::panel::{Motion, Point};
use rocproof::draw::model::Portrait;
use rocproof::front::{Failure, Level, evaluated, named, number, rate};
use rocproof::functional::Thresholds;
use rocproof::lang::{Diagnostic, Source};
use rocproof::model::family::Function;
use rocproof::model::{Density, Transform, file};
use rocproof::report::{json, table};
use rocproof::{Cost, Evaluation};
use serde_json::Value as Json;
use std::panic::resume_unwind;
use std::sync::Arc;

/// A model.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Model(pub Arc<rocproof::Model>);

/// A density as Python gives it.
#[derive(FromPyObject)]
pub enum Given {
    /// In the language.
    Text(String),
    /// By its values.
    Values(Tabulated),
}

/// A density that is known by its values only: those of `location + scale·z` at `z`.
#[derive(FromPyObject)]
pub struct Tabulated {
    /// What the density is.
    #[pyo3(item)]
    text: String,
    /// Between which `z` it is.
    #[pyo3(item)]
    ends: (f64, f64),
    /// The `z` between which nothing hides.
    #[pyo3(item)]
    marks: Vec<f64>,
    #[pyo3(item)]
    location: f64,
    #[pyo3(item)]
    scale: f64,
    /// Takes an array of `z`, and returns one of values.
    #[pyo3(item)]
    pdf: Py<PyAny>,
}

impl Given {
    fn density(self, name: &str) -> Result<Density, Diagnostic> {
        match self {
            Given::Text(text) => Density::from_source(Source::new(name, &text)),
            Given::Values(Tabulated { text, ends, marks, location, scale, pdf }) => {
                let source = Source::new(name, &text);
                let function = Function::new(ends, marks, move |z| values_of(&pdf, z))
                    .map_err(|bad| source.error(source.whole(), bad.to_string(), "not a density"))?;
                Density::of_function(source, function.moved(location, scale))
            }
        }
    }
}

/// What Python's function returns. What it raises goes through all of Rust, and is raised again.
fn values_of(pdf: &Py<PyAny>, z: &[f64]) -> Vec<f64> {
    Python::attach(|py| {
        let values = pdf.bind(py).call1((z.to_pyarray(py),)).and_then(|found| found.extract::<Vec<f64>>());
        values.unwrap_or_else(|error| resume_unwind(Box::new(error)))
    })
}

/// Three columns of a ROC curve: `F1`, `F0` and the thresholds.
pub type Roc<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// What is asked of an evaluation, in texts.
#[derive(FromPyObject)]
pub struct Asked {
    #[pyo3(item)]
    level: String,
    #[pyo3(item)]
    cost: String,
    #[pyo3(item)]
    threshold: String,
    #[pyo3(item)]
    rate: String,
}

impl Asked {
    pub fn level(&self) -> Result<Level, Failure> {
        Level::from_str(&self.level, false).map_err(|_| {
            let help = "levels: numeric, certified, exact, best";
            Failure::with_help(format!("there is no level `{}`", self.level), help)
        })
    }

    pub fn cost(&self) -> Result<Cost, Failure> {
        Ok(Cost::parse(&self.cost)?)
    }

    pub fn thresholds(&self) -> Result<Thresholds, Failure> {
        let threshold = number(&Source::new("threshold", &self.threshold))?;
        Ok(Thresholds { threshold, rate: rate(&Source::new("rate", &self.rate))? })
    }
}

/// An evaluation of a model.
struct Evaluated {
    model: Arc<rocproof::Model>,
    cost: Cost,
    evaluation: Evaluation,
    digits: Option<usize>,
}

impl Told for Evaluated {
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
    fn new(py: Python<'_>, f0: Given, f1: Given, pi0: &str, name: Option<&str>) -> PyResult<Model> {
        let densities = || Ok([f0.density("f0")?, f1.density("f1")?]);
        let model = at_once(py, || Ok(rocproof::Model::of_densities(Source::new("pi0", pi0), densities)?))?;
        Ok(Model(Arc::new(match name {
            Some(name) => model.named(name),
            None => model,
        })))
    }

    /// A model of the paper.
    #[staticmethod]
    fn paper(py: Python<'_>, name: &str) -> PyResult<Model> {
        let model = at_once(py, || named(&format!("@{}", name.trim_start_matches('@'))))?;
        Ok(Model(Arc::new(model)))
    }

    /// A model from the text of a model file.
    #[staticmethod]
    fn parse(py: Python<'_>, origin: &str, text: &str) -> PyResult<Model> {
        Ok(Model(Arc::new(at_once(py, || Ok(file::parse(origin, text)?))?)))
    }

    fn transformed(&self, py: Python<'_>, name: &str) -> PyResult<Model> {
        let transform = at_once(py, || transform(name))?;
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

    #[pyo3(signature = (asked, width, digits))]
    fn evaluate(&self, py: Python<'_>, asked: Asked, width: Option<&str>, digits: Option<u16>) -> PyResult<Answer> {
        let (model, width) = (self.0.clone(), width.map(|text| Source::new("width", text)));
        let digits = digits.map(usize::from);
        let level = at_once(py, || asked.level())?;
        let work = move || {
            let cost = asked.cost()?;
            let evaluation = evaluated(&model, &cost, &asked.thresholds()?, level, width)?;
            Ok(Answer(Box::new(Evaluated { model, cost, evaluation, digits })))
        };
        // A thread would take longer to start than this takes.
        if level == Level::Numeric { at_once(py, work) } else { stoppable(py, work) }
    }

    fn figure(&self, py: Python<'_>, colour_blind_safe: bool) -> PyResult<Figure> {
        let model = self.0.clone();
        stoppable(py, move || Ok(Figure(Portrait::of(&model)?.figure(palette(colour_blind_safe)))))
    }

    /// The ROC curve: its corners and straight pieces by their ends, and so many points on each smooth piece.
    fn roc<'py>(&self, py: Python<'py>, points: usize) -> PyResult<Roc<'py>> {
        let found = at_once(py, || match self.0.beyond_floating_point() {
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
