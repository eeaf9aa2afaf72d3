//! Scored data from arrays.

use super::answer::{Answer, Printable, tree};
use super::figure::{Figure, palette};
use super::model::{EvaluationRequest, Roc, transform};
use super::work::{run_here, run_on_thread, run_with_progress};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rocproof::data::curves::Curves;
use rocproof::data::read::{ClassColumns, Classes, ColumnRequest, Content, Dataset, read_all};
use rocproof::data::{BadScore, Paired, Rows, ScoreDirection, Scored, Units, pools};
use rocproof::draw::scored::{DrawnModel, FigureKind, FigureOptions, figure};
use rocproof::front::{
    Extras, Failure, Interface, ScoreEvaluation, ScoreSettings, ScoredLevel, are_groups_sampled, check_transforms,
    explain_unreadable, find_curves, read_delimiter, read_prevalence, write_curves_json,
};
use rocproof::lang::Source;
use rocproof::model::Transform;
use rocproof::report::summary::{self, Better};
use rocproof::{Condition, Level};
use serde_json::Value as Json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Scored data: one model, or several models that scored the same rows.
#[pyclass(frozen, module = "rocproof._rocproof")]
pub struct Scores {
    paired: Arc<Paired>,
    /// The description of the data for reports. The rows are in `paired` only.
    described: Arc<Dataset>,
    transforms: Vec<Transform>,
}

/// The description of data: names of columns and classes.
#[derive(FromPyObject, IntoPyObject)]
pub struct Description {
    /// The name of the data: a file, or that they are arrays.
    #[pyo3(item)]
    file: String,
    /// The number of rows of the input.
    #[pyo3(item)]
    rows: usize,
    /// The score columns.
    #[pyo3(item)]
    scores: Vec<String>,
    /// The column of labels; `None` if there are counts.
    #[pyo3(item)]
    label: Option<String>,
    #[pyo3(item)]
    weight: Option<String>,
    /// The columns that count the rows of the positive class and of the other. The weights are counts then.
    #[pyo3(item)]
    counts: Option<[String; 2]>,
    /// The labels of the positive class and of the other.
    #[pyo3(item)]
    classes: [String; 2],
    /// The class that higher scores speak for.
    #[pyo3(item)]
    higher_means: usize,
    /// Whether the positive label, and that which higher scores speak for, were chosen by default.
    #[pyo3(item)]
    by_default: [bool; 2],
}

impl Description {
    /// The description of a data set.
    fn of(data: &Dataset) -> Description {
        let (label, weight, counts) = match &data.origin {
            ClassColumns::Labels { label, weight } => (Some(label.clone()), weight.clone(), None),
            ClassColumns::Counts(counts) => (None, None, Some(counts.clone())),
        };
        let Classes { names, higher_means, by_default } = &data.classes;
        Description {
            file: data.file.clone(),
            rows: data.rows,
            scores: data.score_columns.clone(),
            label,
            weight,
            counts,
            classes: names.clone(),
            higher_means: *higher_means,
            by_default: *by_default,
        }
    }

    /// The data set as reports need it, without its rows.
    pub fn dataset(self, totals: [f64; 2]) -> Dataset {
        Dataset {
            file: self.file,
            rows: self.rows,
            score_columns: self.scores,
            origin: match self.counts {
                Some(counts) => ClassColumns::Counts(counts),
                None => ClassColumns::Labels { label: self.label.unwrap_or_default(), weight: self.weight },
            },
            classes: Classes { names: self.classes, higher_means: self.higher_means, by_default: self.by_default },
            scores: Vec::new(),
            content: Content::Groups(totals.map(|total| vec![total])),
        }
    }
}

/// The columns of a file, as on the command line.
#[derive(FromPyObject)]
struct FileArguments {
    #[pyo3(item)]
    score: Vec<String>,
    #[pyo3(item)]
    label: Option<String>,
    #[pyo3(item)]
    weight: Option<String>,
    #[pyo3(item)]
    counts: Option<String>,
    #[pyo3(item)]
    positive: Option<String>,
    #[pyo3(item)]
    higher_means: Option<String>,
    #[pyo3(item)]
    group_by: Option<String>,
    #[pyo3(item)]
    delimiter: Option<String>,
}

impl FileArguments {
    /// The request for columns.
    fn request(self) -> Result<ColumnRequest, Failure> {
        Ok(ColumnRequest {
            scores: self.score,
            bins: None,
            label: self.label,
            weight: self.weight,
            counts: self.counts,
            positive: self.positive,
            higher_means: self.higher_means,
            group_by: self.group_by,
            delimiter: self.delimiter.as_deref().map(read_delimiter).transpose()?,
        })
    }
}

/// The arrays of models with their description and the names of transforms, from which the models can be made again.
type State<'py> = (
    Vec<Bound<'py, PyArray1<f64>>>,
    Bound<'py, PyArray1<bool>>,
    Option<Bound<'py, PyArray1<f64>>>,
    Description,
    Vec<String>,
);

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
    ece: Vec<String>,
    #[pyo3(item)]
    severity: Vec<String>,
    #[pyo3(item)]
    finite_sample: bool,
    #[pyo3(item)]
    bootstrap: Option<u32>,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    stratified: bool,
    #[pyo3(item)]
    delong: bool,
    #[pyo3(item)]
    confidence: Option<f64>,
    #[pyo3(item)]
    power: Option<f64>,
    #[pyo3(item)]
    detect: Option<f64>,
    #[pyo3(item)]
    intervals: IntervalTime,
}

/// When intervals are made without a requested number of samples.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IntervalTime {
    Never,
    /// In another call.
    Later,
    Now,
    /// Now, by formulas: samples would take too long.
    Formulas,
}

impl<'py> FromPyObject<'_, 'py> for IntervalTime {
    type Error = PyErr;

    fn extract(text: Borrowed<'_, 'py, PyAny>) -> PyResult<IntervalTime> {
        match text.extract::<String>()?.as_str() {
            "none" => Ok(IntervalTime::Never),
            "later" => Ok(IntervalTime::Later),
            "now" => Ok(IntervalTime::Now),
            "formulas" => Ok(IntervalTime::Formulas),
            other => {
                Err(PyValueError::new_err(format!("intervals are made none, later, now or formulas, not {other}")))
            }
        }
    }
}

impl From<ExtraArguments> for Extras {
    fn from(arguments: ExtraArguments) -> Extras {
        let ExtraArguments {
            at,
            known,
            decompose,
            ece,
            severity,
            finite_sample,
            bootstrap,
            seed,
            stratified,
            delong,
            confidence,
            power,
            detect,
            intervals,
        } = arguments;
        let at = at.iter().map(|text| Source::new("at", text)).collect();
        let severity = severity.iter().map(|text| Source::new("severity", text)).collect();
        let default_intervals = intervals != IntervalTime::Never;
        Extras {
            at,
            known,
            decompose,
            severity,
            ece,
            finite_sample,
            bootstrap,
            seed,
            stratified,
            delong,
            confidence,
            power,
            detect,
            default_intervals,
        }
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
        _ => Err(Failure::with_help(format!("there are no losses by `{by}`"), "by: cost, skew")),
    }
}

/// A value of a column with its rows, or without them and with the reason.
type Group = (Option<String>, Option<Scores>, String);

/// The names of the metrics that are shown first, in order.
#[pyfunction]
pub fn first_metrics() -> Vec<&'static str> {
    summary::first_metrics()
}

/// 1 if more of a metric is better, -1 if less is, 0 if neither.
#[pyfunction]
pub fn better(name: &str) -> i8 {
    match summary::better(name) {
        Some(Better::Higher) => 1,
        Some(Better::Lower) => -1,
        None => 0,
    }
}

/// How intervals of groups with so many rows are made that nobody asked for: `now`, by samples where groups are small, or by `formulas`.
#[pyfunction]
pub fn interval_time(rows: Vec<f64>, models: usize) -> &'static str {
    if are_groups_sampled(&rows, models) { "now" } else { "formulas" }
}

impl Scores {
    /// The score columns of a data set.
    fn of_data(data: &Dataset) -> Result<Scores, Failure> {
        let paired = data.paired().map_err(|why| Failure::new(format!("{}: {why}", data.file)))?;
        // The notes on defaults name options of the command line.
        Ok(Scores::described(paired, Description { by_default: [false; 2], ..Description::of(data) }))
    }

    /// Models with the description of their data.
    fn described(paired: Paired, description: Description) -> Scores {
        let totals = paired.models().first().map_or([0.0; 2], Scored::totals);
        let described = Arc::new(description.dataset(totals));
        Scores { paired: Arc::new(paired), described, transforms: Vec::new() }
    }
}

/// The interval between reports of how many samples were drawn.
const OFTEN: Duration = Duration::from_millis(50);

#[pymethods]
impl Scores {
    /// Reads arrays without a copy. Class 0 is the positive class. With counts the weights are the numbers of rows.
    #[new]
    fn new(
        py: Python<'_>,
        scores: Vec<PyReadonlyArray1<'_, f64>>,
        is_class_1: PyReadonlyArray1<'_, bool>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        description: Description,
    ) -> PyResult<Scores> {
        let contiguous = |_| PyValueError::new_err("arrays must be contiguous");
        let columns: Vec<&[f64]> =
            scores.iter().map(|scores| scores.as_slice().map_err(contiguous)).collect::<PyResult<_>>()?;
        let is_class_1 = is_class_1.as_slice().map_err(contiguous)?;
        let weights = weights.as_ref().map(|weights| weights.as_slice().map_err(contiguous)).transpose()?;
        let toward = match description.higher_means {
            0 => ScoreDirection::TowardClass0,
            _ => ScoreDirection::TowardClass1,
        };
        let units = if description.counts.is_some() { Units::Counts } else { Units::Rows };
        let paired = run_here(py, || match columns.as_slice() {
            [scores] => {
                let scored = Scored::directed(toward, scores, is_class_1, weights).map_err(bad)?;
                Ok(Paired::single(scored, units))
            }
            columns => Paired::new(columns, &vec![toward; columns.len()], is_class_1, weights).map_err(bad),
        })?;
        Ok(Scores::described(paired, description))
    }

    /// Reads the score columns of files as one data set.
    #[staticmethod]
    fn read(py: Python<'_>, files: Vec<String>, columns: FileArguments) -> PyResult<Scores> {
        run_on_thread(py, move || {
            let data = read_all(&files, &columns.request()?).map_err(|error| explain_unreadable(&error))?.data;
            Scores::of_data(&data)
        })
    }

    /// Reads the score columns of files as one data set, and by the value of a column.
    #[staticmethod]
    fn read_groups(py: Python<'_>, files: Vec<String>, columns: FileArguments) -> PyResult<(Scores, Vec<Group>)> {
        run_on_thread(py, move || {
            let read = read_all(&files, &columns.request()?).map_err(|error| explain_unreadable(&error))?;
            let all = Scores::of_data(&read.data)?;
            let slices =
                read.slices.iter().flat_map(|slices| slices.values.iter().enumerate().map(move |v| (slices, v)));
            let groups = slices.map(|(slices, (k, value))| match slices.slice(&read.data, k) {
                Ok(slice) => Ok((value.clone(), Some(Scores::of_data(&slice)?), String::new())),
                Err(cause) => {
                    let rows = slices.rows(k);
                    Ok((value.clone(), None, format!("{rows} rows: {cause}")))
                }
            });
            let groups = groups.collect::<Result<_, Failure>>()?;
            Ok((all, groups))
        })
    }

    /// The arrays and the description from which equal data can be made again.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<State<'py>> {
        let Rows { scores, is_class_1, weights, .. } = run_here(py, || Ok(self.paired.to_rows()))?;
        let transforms = self.transforms.iter().map(|transform| transform.name().to_lowercase()).collect();
        Ok((
            scores.into_iter().map(|column| column.into_pyarray(py)).collect(),
            is_class_1.into_pyarray(py),
            weights.map(|weights| weights.into_pyarray(py)),
            Description::of(&self.described),
            transforms,
        ))
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

    /// The number of rows that samples have.
    #[getter]
    fn sampled_rows(&self) -> f64 {
        self.paired.sampled_rows()
    }

    #[getter]
    fn rows(&self) -> usize {
        self.described.rows
    }

    /// The labels of the positive class and of the other.
    #[getter]
    fn classes(&self) -> [String; 2] {
        self.described.classes.names.clone()
    }

    /// The weight of the positive class and of the other.
    #[getter]
    fn totals(&self) -> [f64; 2] {
        self.described.totals()
    }

    /// Evaluates all score columns. `progress` is called first with the total number of bootstrap samples, then repeatedly with the number
    /// drawn so far.
    fn evaluate(
        &self,
        py: Python<'_>,
        request: EvaluationRequest,
        extras: ExtraArguments,
        progress: Option<Bound<'_, PyAny>>,
        train: Option<PyRef<'_, Scores>>,
    ) -> PyResult<Answer> {
        let (paired, described, transforms) = (self.paired.clone(), self.described.clone(), self.transforms.clone());
        let time = extras.intervals;
        let are_due = matches!(time, IntervalTime::Now | IntervalTime::Formulas);
        let extras = Extras::from(extras);
        let training = train.map(|train| (train.paired.clone(), train.described.clone()));
        let plan = run_here(py, || {
            check_transforms(&transforms, extras.has_any() || training.is_some())?;
            let mut plan = extras.plan()?;
            if are_due && transforms.is_empty() {
                let rows = match &described.origin {
                    ClassColumns::Labels { .. } => described.rows as f64,
                    ClassColumns::Counts(_) => described.totals().iter().sum(),
                };
                let models = paired.models().len();
                plan = plan.with_default_intervals(rows, models, time == IntervalTime::Now);
            }
            plan = plan.within_memory(paired.rows(), paired.sampled_rows(), paired.models().len())?;
            match training {
                None => Ok(plan),
                Some((training, columns)) => {
                    check_training(&described, &columns)?;
                    Ok(plan.chosen_on(training.models().to_vec()))
                }
            }
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

    #[pyo3(signature = (show, by, colour_blind_safe, prevalence=None))]
    fn figure(
        &self,
        py: Python<'_>,
        show: String,
        by: String,
        colour_blind_safe: bool,
        prevalence: Option<String>,
    ) -> PyResult<Figure> {
        let (paired, transforms, names) = (self.paired.clone(), self.transforms.clone(), self.names());
        let labels = self.described.classes.names.clone();
        run_on_thread(py, move || {
            check_transforms(&transforms, true)?;
            let show = FigureKind::named(&show).map_err(Failure::new)?;
            let options = FigureOptions {
                palette: palette(colour_blind_safe),
                condition: condition(&by)?,
                labels: labels.each_ref().map(String::as_str),
                ..FigureOptions::default()
            };
            let curves = curves_of(&paired, prevalence)?;
            let named: Vec<DrawnModel> =
                names.iter().zip(&curves).map(|(name, curves)| DrawnModel { name: name.as_str(), curves }).collect();
            Ok(Figure(figure(show, &named, options)))
        })
    }

    /// Exact curves by name, or all that apply, as the command line writes them.
    #[pyo3(signature = (names, by, request, prevalence=None))]
    fn curves<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        by: String,
        request: EvaluationRequest,
        prevalence: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (paired, transforms, columns) = (self.paired.clone(), self.transforms.clone(), self.names());
        let found = run_on_thread(py, move || {
            check_transforms(&transforms, true)?;
            let curves = curves_of(&paired, prevalence)?;
            let models: Vec<(&str, &Curves)> = columns.iter().map(String::as_str).zip(&curves).collect();
            let found = find_curves(&names, &models, &request.thresholds()?, condition(&by)?)?;
            let mut written = Vec::new();
            write_curves_json(&mut written, &found, None).map_err(|why| Failure::new(why.to_string()))?;
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

/// The curves of all models, with net benefit under a prevalence if one is given.
fn curves_of(paired: &Paired, prevalence: Option<String>) -> Result<Vec<Curves<'_>>, Failure> {
    let prevalence = prevalence.map(|text| read_prevalence(&Source::new("prevalence", text))).transpose()?;
    Ok(paired.models().iter().map(|model| Curves::new(model).with_prevalence(prevalence)).collect())
}

/// Refuses training data of other models, of other labels or with other directions.
fn check_training(data: &Dataset, training: &Dataset) -> Result<(), Failure> {
    if training.score_columns.len() != data.score_columns.len() {
        let [models, trained] = [data, training].map(|data| data.score_columns.len());
        return Err(Failure::with_help(
            format!("train= has another number of models: {trained} instead of {models}"),
            "train= takes training rows of the same models, in the same order",
        ));
    }
    let [classes, others] = [data, training].map(|data| (&data.classes.names, data.classes.higher_means));
    if classes != others {
        return Err(Failure::with_help(
            "train= has other labels, or another positive one",
            "give both the same labels and the same pos_label",
        ));
    }
    Ok(())
}

/// `F1`, `F0` and the score at each corner of the ROC curve. Scores that transforms compute are NaN.
fn points_of(scored: &Scored, transforms: &[Transform]) -> Vec<[f64; 3]> {
    let totals = scored.totals();
    let steps: Vec<(f64, [f64; 2])> = if transforms.iter().all(|transform| *transform == Transform::Even) {
        scored.ties_on_input_scale().map(|step| (step.x, step.mass)).collect()
    } else {
        pools(scored.ties_on_input_scale()).iter().map(|pool| (pool.last, pool.mass)).collect()
    };
    let own = transforms.iter().all(|transform| *transform == Transform::Conv);
    let mut reached = [0.0; 2];
    // Before any score nothing is predicted positive.
    let mut found = vec![[0.0, 0.0, f64::INFINITY]];
    for (k, (x, mass)) in steps.iter().enumerate() {
        reached = [reached[0] + mass[0], reached[1] + mass[1]];
        let [f0, f1] = if k + 1 == steps.len() { [1.0; 2] } else { [0, 1].map(|k| reached[k] / totals[k]) };
        found.push([f1, f0, if own { *x } else { f64::NAN }]);
    }
    found
}
