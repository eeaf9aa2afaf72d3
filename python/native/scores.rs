//! Scored data from arrays.

use super::answer::{Answer, Told, tree};
use super::figure::{Figure, palette};
use super::model::{Asked, Roc, transform};
use super::work::{at_once, stoppable, told};
use numpy::{PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rocproof::data::curves::Curves;
use rocproof::data::read::{ClassColumns, Classes, Content, Dataset};
use rocproof::data::{BadScore, Paired, ScoreDirection, Scored, Units, pools};
use rocproof::draw::scored::{Named, Options, Show, figure};
use rocproof::front::{Extras, Failure, Level, ScoredLevel, as_they_are, curves_named, write_curves_json};
use rocproof::model::Transform;
use rocproof::report::scored::{Details, Models};
use rocproof::report::spread::Uncertainty;
use rocproof::{Condition, Cost, Evaluation};
use serde_json::Value as Json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What scored data from arrays are called where files have names.
const FROM_ARRAYS: &str = "arrays";

/// Scores of both classes, sorted; of several models if there are several columns.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Scores {
    paired: Arc<Paired>,
    /// What reports say of the data; their rows are in `paired` only.
    described: Arc<Dataset>,
    transforms: Vec<Transform>,
}

/// What the data are called.
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
    /// Whether nobody said which label is positive.
    #[pyo3(item)]
    by_default: bool,
}

/// What is asked besides metrics and losses.
#[derive(FromPyObject)]
struct More {
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

impl From<More> for Extras {
    fn from(more: More) -> Extras {
        let More { at, known, decompose, finite_sample, bootstrap, seed, delong, confidence } = more;
        Extras { at, known, decompose, finite_sample, bootstrap, seed, delong, confidence }
    }
}

/// An evaluation of data.
struct Evaluated {
    described: Arc<Dataset>,
    transforms: Vec<Transform>,
    cost: Cost,
    evaluations: Vec<Evaluation>,
    details: Vec<Details>,
    uncertainty: Option<Uncertainty>,
}

impl Evaluated {
    fn models(&self) -> Models<'_> {
        let Evaluated { described, transforms, cost, evaluations, details, uncertainty } = self;
        Models { data: described, transforms, cost, evaluations, details, uncertainty: uncertainty.as_ref() }
    }
}

impl Told for Evaluated {
    fn json(&self) -> Json {
        self.models().json()
    }

    fn text(&self) -> String {
        self.models().tables()
    }
}

fn bad(error: BadScore) -> Failure {
    Failure::new(error.to_string())
}

fn level(asked: &Asked) -> Result<ScoredLevel, Failure> {
    match asked.level()? {
        Level::Numeric | Level::Best => Ok(ScoredLevel::Numeric),
        Level::Exact => Ok(ScoredLevel::Exact),
        Level::Certified => {
            let help = "--level exact is for a few thousand different scores, --level numeric for any number";
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

/// How often it is told how many samples were drawn.
const OFTEN: Duration = Duration::from_millis(50);

#[pymethods]
impl Scores {
    /// Reads arrays where they are: higher scores speak for the positive class, which is class 0.
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
        let paired = at_once(py, || match columns.as_slice() {
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
        let next = at_once(py, || transform(name))?;
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

    /// Evaluates all score columns. `progress` is called with the number of samples that are drawn, and then with how many were.
    fn evaluate(
        &self,
        py: Python<'_>,
        asked: Asked,
        more: More,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let (paired, described, transforms) = (self.paired.clone(), self.described.clone(), self.transforms.clone());
        let extras = Extras::from(more);
        let plan = at_once(py, || {
            as_they_are(&transforms, extras.is_anything())?;
            extras.plan()
        })?;
        if let (Some(progress), Some(samples)) = (&progress, plan.replicates()) {
            progress.call1((samples,))?;
        }
        told(py, progress, move |told| {
            let (cost, thresholds, level) = (asked.cost()?, asked.thresholds()?, level(&asked)?);
            let (mut evaluations, mut details) = (Vec::new(), Vec::new());
            for data in paired.models() {
                let (evaluation, detail) = plan.evaluated(data, &transforms, &cost, &thresholds, level)?;
                evaluations.push(evaluation);
                details.push(detail);
            }
            let (drawn, last) = (AtomicUsize::new(0), Mutex::new(Instant::now()));
            let uncertainty = plan.is_about_spread().then(|| {
                plan.uncertainty(&paired, &cost, &thresholds, || {
                    told.go_on();
                    let drawn = drawn.fetch_add(1, Ordering::Relaxed) + 1;
                    if let Ok(mut last) = last.try_lock()
                        && last.elapsed() >= OFTEN
                    {
                        *last = Instant::now();
                        told.done(drawn.to_string());
                    }
                })
            });
            Ok(Answer(Box::new(Evaluated { described, transforms, cost, evaluations, details, uncertainty })))
        })
    }

    fn figure(&self, py: Python<'_>, show: String, by: String, colour_blind_safe: bool) -> PyResult<Figure> {
        let (paired, transforms, names) = (self.paired.clone(), self.transforms.clone(), self.names());
        stoppable(py, move || {
            as_they_are(&transforms, true)?;
            let show = Show::named(&show).map_err(Failure::new)?;
            let options =
                Options { palette: palette(colour_blind_safe), condition: condition(&by)?, ..Options::default() };
            let curves: Vec<Curves> = paired.models().iter().map(Curves::new).collect();
            let named: Vec<Named> =
                names.iter().zip(&curves).map(|(name, curves)| Named { name: name.as_str(), curves }).collect();
            Ok(Figure(figure(show, &named, options)))
        })
    }

    /// Exact curves by their names, or all that apply: what `--curves` writes as JSON.
    fn curves<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        by: String,
        asked: Asked,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (paired, transforms, columns) = (self.paired.clone(), self.transforms.clone(), self.names());
        let found = stoppable(py, move || {
            as_they_are(&transforms, true)?;
            let curves: Vec<Curves> = paired.models().iter().map(Curves::new).collect();
            let models: Vec<(&str, &Curves)> = columns.iter().map(String::as_str).zip(&curves).collect();
            let found = curves_named(&names, &models, &asked.thresholds()?, condition(&by)?)?;
            let mut written = Vec::new();
            write_curves_json(&mut written, &found).map_err(|why| Failure::new(why.to_string()))?;
            serde_json::from_slice::<Json>(&written).map_err(|why| Failure::new(why.to_string()))
        })?;
        tree(py, &found)
    }

    /// The ROC curve by its corners, with the scores where they are reached; of the hull, if that was asked for.
    fn roc<'py>(&self, py: Python<'py>, model: usize) -> PyResult<Roc<'py>> {
        let found = at_once(py, || match self.paired.models().get(model) {
            Some(scored) => Ok(points_of(scored, &self.transforms)),
            None => Err(Failure::new("there is no such model")),
        })?;
        let column = |k: usize| found.iter().map(|point| point[k]).collect::<Vec<_>>().to_pyarray(py);
        Ok((column(0), column(1), column(2)))
    }
}

/// `F1`, `F0` and the score at each corner of the ROC curve. Scores that were computed by transforms are not told.
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
