//! Scored data from arrays.

use super::answer::{Answer, Printable, tree};
use super::figure::{Figure, palette};
use super::model::{EvaluationRequest, Roc, transform};
use super::work::{run_here, run_on_thread, run_with_progress};
use numpy::{PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rocproof::data::curves::Curves;
use rocproof::data::read::{ClassColumns, Classes, Content, Dataset};
use rocproof::data::{BadScore, Paired, ScoreDirection, Scored, Units, pools};
use rocproof::draw::scored::{DrawnModel, FigureKind, FigureOptions, figure};
use rocproof::front::{
    Extras, Failure, Interface, ScoreEvaluation, ScoreSettings, ScoredLevel, check_transforms, find_curves,
    write_curves_json,
};
use rocproof::lang::Source;
use rocproof::model::Transform;
use rocproof::{Condition, Level};
use serde_json::Value as Json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The name of data from arrays, where reports name a file.
const FROM_ARRAYS: &str = "arrays";

/// Scored data: one model, or several models that scored the same rows.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Scores {
    paired: Arc<Paired>,
    /// The description of the data for reports. The rows are in `paired` only.
    described: Arc<Dataset>,
    transforms: Vec<Transform>,
}

/// The names of columns and classes.
#[derive(FromPyObject)]
struct Names {
    /// The score columns.
    #[pyo3(item)]
    scores: Vec<String>,
    #[pyo3(item)]
    label: String,
    #[pyo3(item)]
    weight: Option<String>,
    /// The labels of the positive class and of the other.
    #[pyo3(item)]
    classes: [String; 2],
    /// Whether the positive label was chosen by default.
    #[pyo3(item)]
    by_default: bool,
}

/// Requests besides metrics and losses.
#[derive(FromPyObject)]
struct ExtraArguments {
    #[pyo3(item)]
    at: Vec<String>,
    #[pyo3(item)]
    known: Option<String>,
    #[pyo3(item)]
    decompose: Vec<String>,
    #[pyo3(item)]
    finite_sample: bool,
    #[pyo3(item)]
    bootstrap: Option<u32>,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    delong: bool,
    #[pyo3(item)]
    confidence: Option<f64>,
}

impl From<ExtraArguments> for Extras {
    fn from(arguments: ExtraArguments) -> Extras {
        let ExtraArguments { at, known, decompose, finite_sample, bootstrap, seed, delong, confidence } = arguments;
        let at = at.iter().map(|text| Source::new("at", text)).collect();
        Extras { at, known, decompose, finite_sample, bootstrap, seed, delong, confidence }
    }
}

/// The evaluation of arrays, with the description of the data that reports need.
struct DescribedEvaluation {
    described: Arc<Dataset>,
    evaluation: ScoreEvaluation,
}

impl Printable for DescribedEvaluation {
    fn json(&self) -> Json {
        self.evaluation.report(&self.described, Interface::Python).json()
    }

    fn text(&self) -> String {
        self.evaluation.report(&self.described, Interface::Python).tables()
    }
}

fn bad(error: BadScore) -> Failure {
    Failure::new(error.to_string())
}

fn level(request: &EvaluationRequest) -> Result<ScoredLevel, Failure> {
    match request.level()? {
        Level::Numeric | Level::Best => Ok(ScoredLevel::Numeric),
        Level::Exact => Ok(ScoredLevel::Exact),
        Level::Certified => {
            let help = "level=\"exact\" is for a few thousand different scores, level=\"numeric\" for any number";
            Err(Failure::with_help("scored data have no certified level", help))
        }
    }
}

fn condition(by: &str) -> Result<Condition, Failure> {
    match by {
        "cost" => Ok(Condition::Cost),
        "skew" => Ok(Condition::Skew),
        _ => Err(Failure::with_help(format!("losses by `{by}` there are none"), "by: cost, skew")),
    }
}

/// The interval between reports of how many samples were drawn.
const OFTEN: Duration = Duration::from_millis(50);

#[pymethods]
impl Scores {
    /// Reads arrays without a copy. Higher scores speak for the positive class, which is class 0.
    #[new]
    fn new(
        py: Python<'_>,
        scores: Vec<PyReadonlyArray1<'_, f64>>,
        is_class_1: PyReadonlyArray1<'_, bool>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        names: Names,
    ) -> PyResult<Scores> {
        let contiguous = |_| PyValueError::new_err("arrays must be contiguous");
        let columns: Vec<&[f64]> =
            scores.iter().map(|scores| scores.as_slice().map_err(contiguous)).collect::<PyResult<_>>()?;
        let is_class_1 = is_class_1.as_slice().map_err(contiguous)?;
        let weights = weights.as_ref().map(|weights| weights.as_slice().map_err(contiguous)).transpose()?;
        let toward = ScoreDirection::TowardClass0;
        let paired = run_here(py, || match columns.as_slice() {
            [scores] => {
                let scored = Scored::directed(toward, scores, is_class_1, weights).map_err(bad)?;
                Ok(Paired::single(scored, Units::Rows))
            }
            columns => Paired::new(columns, &vec![toward; columns.len()], is_class_1, weights).map_err(bad),
        })?;
        let totals = paired.models().first().map_or([0.0; 2], Scored::totals);
        let described = Dataset {
            file: FROM_ARRAYS.into(),
            rows: is_class_1.len(),
            score_columns: names.scores,
            origin: ClassColumns::Labels { label: names.label, weight: names.weight },
            classes: Classes { names: names.classes, higher_means: 0, by_default: [names.by_default; 2] },
            scores: Vec::new(),
            content: Content::Groups(totals.map(|total| vec![total])),
        };
        Ok(Scores { paired: Arc::new(paired), described: Arc::new(described), transforms: Vec::new() })
    }

    fn transformed(&self, py: Python<'_>, name: &str) -> PyResult<Scores> {
        let next = run_here(py, || transform(name))?;
        let transforms = self.transforms.iter().copied().chain([next]).collect();
        Ok(Scores { paired: self.paired.clone(), described: self.described.clone(), transforms })
    }

    /// The names of the score columns, inside their transforms.
    #[getter]
    fn names(&self) -> Vec<String> {
        let named = |column: &String| {
            self.transforms.iter().fold(column.clone(), |name, transform| format!("{}({name})", transform.name()))
        };
        self.described.score_columns.iter().map(named).collect()
    }

    #[getter]
    fn rows(&self) -> usize {
        self.described.rows
    }

    /// The weight of the positive class and of the other.
    #[getter]
    fn totals(&self) -> [f64; 2] {
        self.described.totals()
    }

    /// Evaluates all score columns. `progress` is called with the number of bootstrap samples, and then with the number drawn so far.
    fn evaluate(
        &self,
        py: Python<'_>,
        request: EvaluationRequest,
        extras: ExtraArguments,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let (paired, described, transforms) = (self.paired.clone(), self.described.clone(), self.transforms.clone());
        let extras = Extras::from(extras);
        let plan = run_here(py, || {
            check_transforms(&transforms, extras.has_any())?;
            extras.plan()
        })?;
        if let (Some(progress), Some(samples)) = (&progress, plan.replicates()) {
            progress.call1((samples,))?;
        }
        run_with_progress(py, progress, move |progress| {
            let (cost, thresholds, level) = (request.cost()?, request.thresholds()?, level(&request)?);
            let settings = ScoreSettings { transforms, cost, thresholds, level };
            let (drawn, last) = (AtomicUsize::new(0), Mutex::new(Instant::now()));
            let next = || {
                progress.check_stopped();
                let drawn = drawn.fetch_add(1, Ordering::Relaxed) + 1;
                if let Ok(mut last) = last.try_lock()
                    && last.elapsed() >= OFTEN
                {
                    *last = Instant::now();
                    progress.done(drawn.to_string());
                }
            };
            let models = paired.models().iter().map(Ok);
            let evaluation = plan.evaluate(settings, models, |_: &Scored| (), || Ok(&*paired), next)?;
            Ok(Answer(Box::new(DescribedEvaluation { described, evaluation })))
        })
    }

    fn figure(&self, py: Python<'_>, show: String, by: String, colour_blind_safe: bool) -> PyResult<Figure> {
        let (paired, transforms, names) = (self.paired.clone(), self.transforms.clone(), self.names());
        run_on_thread(py, move || {
            check_transforms(&transforms, true)?;
            let show = FigureKind::named(&show).map_err(Failure::new)?;
            let options = FigureOptions {
                palette: palette(colour_blind_safe),
                condition: condition(&by)?,
                ..FigureOptions::default()
            };
            let curves: Vec<Curves> = paired.models().iter().map(Curves::new).collect();
            let named: Vec<DrawnModel> =
                names.iter().zip(&curves).map(|(name, curves)| DrawnModel { name: name.as_str(), curves }).collect();
            Ok(Figure(figure(show, &named, options)))
        })
    }

    /// Exact curves by name, or all that apply, as the command line writes them.
    fn curves<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        by: String,
        request: EvaluationRequest,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (paired, transforms, columns) = (self.paired.clone(), self.transforms.clone(), self.names());
        let found = run_on_thread(py, move || {
            check_transforms(&transforms, true)?;
            let curves: Vec<Curves> = paired.models().iter().map(Curves::new).collect();
            let models: Vec<(&str, &Curves)> = columns.iter().map(String::as_str).zip(&curves).collect();
            let found = find_curves(&names, &models, &request.thresholds()?, condition(&by)?)?;
            let mut written = Vec::new();
            write_curves_json(&mut written, &found).map_err(|why| Failure::new(why.to_string()))?;
            serde_json::from_slice::<Json>(&written).map_err(|why| Failure::new(why.to_string()))
        })?;
        tree(py, &found)
    }

    /// The ROC curve of a model by its corners, with the score at each.
    fn roc<'py>(&self, py: Python<'py>, model: usize) -> PyResult<Roc<'py>> {
        let found = run_here(py, || match self.paired.models().get(model) {
            Some(scored) => Ok(points_of(scored, &self.transforms)),
            None => Err(Failure::new("there is no such model")),
        })?;
        let column = |k: usize| found.iter().map(|point| point[k]).collect::<Vec<_>>().to_pyarray(py);
        Ok((column(0), column(1), column(2)))
    }
}

/// `F1`, `F0` and the score at each corner of the ROC curve. Scores that transforms compute are NaN.
fn points_of(scored: &Scored, transforms: &[Transform]) -> Vec<[f64; 3]> {
    let totals = scored.totals();
    let steps: Vec<(f64, [f64; 2])> = if transforms.iter().all(|transform| *transform == Transform::Even) {
        scored.ties().map(|step| (step.x, step.mass)).collect()
    } else {
        pools(scored.ties()).iter().map(|pool| (pool.last, pool.mass)).collect()
    };
    let own = transforms.iter().all(|transform| *transform == Transform::Conv);
    let mut reached = [0.0; 2];
    // Before any score nothing is predicted positive.
    let mut found = vec![[0.0, 0.0, f64::INFINITY]];
    for (k, (x, mass)) in steps.iter().enumerate() {
        reached = [reached[0] + mass[0], reached[1] + mass[1]];
        let [f0, f1] = if k + 1 == steps.len() { [1.0; 2] } else { [0, 1].map(|k| reached[k] / totals[k]) };
        found.push([f1, f0, if own { scored.input_score(*x) } else { f64::NAN }]);
    }
    found
}
