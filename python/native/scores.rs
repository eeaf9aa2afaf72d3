//! Scored data from arrays.

use super::answer::{Answer, Told};
use super::figure::{Figure, palette};
use super::model::{Asked, Roc, transform};
use super::work::{at_once, stoppable};
use numpy::{PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rocproof::data::curves::Curves;
use rocproof::data::read::{Classes, Content, Dataset, Origin, as_given};
use rocproof::data::{BadScore, Direction, Scored, evaluate_transformed, pools};
use rocproof::draw::scored::{Named, Options, Show, figure};
use rocproof::front::{Failure, Level, exactly};
use rocproof::model::Transform;
use rocproof::report::scored::Models;
use rocproof::{Condition, Cost, Evaluation};
use serde_json::Value as Json;
use std::sync::Arc;

/// What scored data from arrays are called where files have names.
const FROM_ARRAYS: &str = "arrays";

/// Scores of both classes, sorted.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Scores {
    scored: Arc<Scored>,
    /// What reports say of the data; their rows are in `scored` only.
    described: Arc<Dataset>,
    transforms: Vec<Transform>,
}

/// What the data are called.
#[derive(FromPyObject)]
struct Names {
    #[pyo3(item)]
    score: String,
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

/// An evaluation of data.
struct Evaluated {
    described: Arc<Dataset>,
    transforms: Vec<Transform>,
    cost: Cost,
    evaluations: [Evaluation; 1],
}

impl Evaluated {
    fn models(&self) -> Models<'_> {
        let Evaluated { described, transforms, cost, evaluations } = self;
        Models { data: described, transforms, cost, evaluations, details: &[], uncertainty: None }
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

#[pymethods]
impl Scores {
    /// Reads arrays where they are: higher scores speak for the positive class, which is class 0.
    #[new]
    fn new(
        py: Python<'_>,
        scores: PyReadonlyArray1<'_, f64>,
        is_class_1: PyReadonlyArray1<'_, bool>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        names: Names,
    ) -> PyResult<Scores> {
        let contiguous = |_| PyValueError::new_err("arrays must be contiguous");
        let (scores, is_class_1) = (scores.as_slice().map_err(contiguous)?, is_class_1.as_slice().map_err(contiguous)?);
        let weights = weights.as_ref().map(|weights| weights.as_slice().map_err(contiguous)).transpose()?;
        let scored =
            at_once(py, || Scored::directed(Direction::TowardClass0, scores, is_class_1, weights).map_err(bad))?;
        let described = Dataset {
            file: FROM_ARRAYS.into(),
            rows: scores.len(),
            score_columns: vec![names.score],
            origin: Origin::Labels { label: names.label, weight: names.weight },
            classes: Classes { names: names.classes, higher_means: 0, by_default: [names.by_default; 2] },
            scores: Vec::new(),
            content: Content::Groups(scored.totals().map(|total| vec![total])),
        };
        Ok(Scores { scored: Arc::new(scored), described: Arc::new(described), transforms: Vec::new() })
    }

    fn transformed(&self, py: Python<'_>, name: &str) -> PyResult<Scores> {
        let next = at_once(py, || transform(name))?;
        let transforms = self.transforms.iter().copied().chain([next]).collect();
        Ok(Scores { scored: self.scored.clone(), described: self.described.clone(), transforms })
    }

    #[getter]
    fn name(&self) -> String {
        let column = self.described.score_columns.first().cloned().unwrap_or_default();
        self.transforms.iter().fold(column, |name, transform| format!("{}({name})", transform.name()))
    }

    #[getter]
    fn rows(&self) -> usize {
        self.described.rows
    }

    /// The weight of the positive class and of the other.
    #[getter]
    fn totals(&self) -> [f64; 2] {
        self.scored.totals()
    }

    fn evaluate(&self, py: Python<'_>, asked: Asked) -> PyResult<Answer> {
        let (scored, described, transforms) = (self.scored.clone(), self.described.clone(), self.transforms.clone());
        stoppable(py, move || {
            let (cost, thresholds) = (asked.cost()?, asked.thresholds()?);
            let evaluation = match asked.level()? {
                Level::Numeric | Level::Best => evaluate_transformed(&scored, &transforms, &cost, thresholds.fixed()),
                Level::Exact => exactly(&scored, &transforms, &cost, &thresholds)?,
                Level::Certified => {
                    let help = "--level exact is for a few thousand different scores, --level numeric for any number";
                    return Err(Failure::with_help("scored data have no certified level", help));
                }
            };
            let evaluations = [as_given(&scored, &transforms, evaluation)];
            Ok(Answer(Box::new(Evaluated { described, transforms, cost, evaluations })))
        })
    }

    fn figure(&self, py: Python<'_>, show: String, by: String, colour_blind_safe: bool) -> PyResult<Figure> {
        let (scored, transforms, name) = (self.scored.clone(), self.transforms.clone(), self.name());
        stoppable(py, move || {
            if !transforms.is_empty() {
                let help = "what else there is to say is said of the scores as they are";
                return Err(Failure::with_help("transforms of scores go with metrics and losses only", help));
            }
            let show = Show::named(&show).map_err(Failure::new)?;
            let condition = match by.as_str() {
                "cost" => Condition::Cost,
                "skew" => Condition::Skew,
                _ => return Err(Failure::with_help(format!("losses by `{by}` there are none"), "by: cost, skew")),
            };
            let curves = Curves::new(&scored);
            let options = Options { palette: palette(colour_blind_safe), condition, ..Options::default() };
            Ok(Figure(figure(show, &[Named { name: &name, curves: &curves }], options)))
        })
    }

    /// The ROC curve by its corners, with the scores where they are reached; of the hull, if that was asked for.
    fn roc<'py>(&self, py: Python<'py>) -> PyResult<Roc<'py>> {
        let found = at_once(py, || Ok(points_of(&self.scored, &self.transforms)))?;
        let column = |k: usize| found.iter().map(|point| point[k]).collect::<Vec<_>>().to_pyarray(py);
        Ok((column(0), column(1), column(2)))
    }
}

/// `F1`, `F0` and the score at each corner of the ROC curve. Scores that were computed by transforms are not told.
fn points_of(scored: &Scored, transforms: &[Transform]) -> Vec<[f64; 3]> {
    let totals = scored.totals();
    let steps: Vec<(f64, [f64; 2])> = if transforms.iter().all(|transform| *transform == Transform::Even) {
        scored.steps().map(|step| (step.x, step.mass)).collect()
    } else {
        pools(scored.steps()).iter().map(|pool| (pool.last, pool.mass)).collect()
    };
    let own = transforms.iter().all(|transform| *transform == Transform::Conv);
    let mut reached = [0.0; 2];
    // Before any score nothing is predicted positive.
    let mut found = vec![[0.0, 0.0, f64::INFINITY]];
    for (k, (x, mass)) in steps.iter().enumerate() {
        reached = [reached[0] + mass[0], reached[1] + mass[1]];
        let [f0, f1] = if k + 1 == steps.len() { [1.0; 2] } else { [0, 1].map(|k| reached[k] / totals[k]) };
        found.push([f1, f0, if own { scored.as_given(*x) } else { f64::NAN }]);
    }
    found
}
