//! Decompositions of the Brier score: by a partition (calibration and refinement, Murphy's three parts, and terms within cells), and by
//! isotonic recalibration.
//!
//! With `s̄`, `ȳ` the mean score and the share of class 1 in a cell, and means over all rows,
//!
//! ```text
//! CL = mean (s̄ - ȳ)²        RL = mean ȳ(1 - ȳ) = UNC - RES        RES = mean (ȳ - π1)²        UNC = π0 π1
//! BS = CL + RL + mean (s - s̄)² - 2 mean (s - s̄)(y - ȳ)
//! ```
//!
//! (Murphy 1973; Stephenson, Coelho and Jolliffe 2008 for the two terms within cells). The terms within cells vanish if all scores in a
//! cell are equal. `CL` and `RL` are those of the data with each score replaced by the mean of its cell.

use super::partition::{BadPartition, Partition, PartitionCell, cells};
use super::reading::evaluate_scored;
use super::scored::{Scored, Tie};
use super::sum::CompensatedSum;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::definition::Scores;
use rocproof_engine::functional::formula;
use rocproof_engine::functional::{Cost, Evaluation, Missing, Thresholds, Value};

/// Error bound of a compensated sum, relative to the sum of absolute values.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The note on Flach and Matsubara's condition for exactness, as the paper quotes it.
const ON_PARTITIONS: &str = "the paper says that the decomposition is exact for partitions coarser than the ties; it is exact for ties and \
    whatever is finer (equal scores in each cell), and in a coarser cell only where the terms within it cancel";

/// The Brier score decomposed by the cells of a partition.
#[derive(Clone, Debug)]
pub struct Decomposition {
    /// The partition.
    pub partition: Partition,
    /// The number of cells that hold a score.
    pub filled: usize,
    /// The number of stated bins that hold no score.
    pub empty: usize,
    /// The cells that hold a score, in order; empty for the partition into ties, which are [`Scored::ties`].
    pub cells: Vec<PartitionCell>,
    /// `BS`, the Brier score.
    pub brier_score: Value,
    /// `CL`, the calibration loss: Murphy's reliability.
    pub calibration_loss: Value,
    /// `RL`, the refinement loss: uncertainty minus resolution.
    pub refinement_loss: Value,
    /// `RES`, Murphy's resolution.
    pub resolution: Value,
    /// `UNC = π0 π1`, the uncertainty.
    pub uncertainty: Value,
    /// The variance of scores within cells.
    pub within_variance: Value,
    /// Twice the covariance of scores and classes within cells.
    pub within_covariance: Value,
    /// `BS - (CL + RL)`, computed as `within_variance - within_covariance`.
    pub defect: Value,
    /// `BS - (CL + RL + defect)`: 0 up to rounding.
    pub residual: Value,
    /// A note on the partition.
    pub note: Option<&'static str>,
}

/// Decomposes the Brier score by a partition, given the evaluation of the same data.
///
/// ```
/// use rocproof_scored::{Partition, Scored, decompose, evaluate_scored};
/// use rocproof_engine::{Cost, functional::Thresholds};
/// let data = Scored::from_rows(&[0.2, 0.8], &[false, true], None).unwrap();
/// let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
/// let parts = decompose(&data, &evaluation, &"width:1".parse().unwrap()).unwrap();
/// let number = |value: &rocproof_engine::functional::Value| value.estimate().unwrap().value;
/// // One bin: calibrated on average, no resolution, and a large defect.
/// assert!(number(&parts.calibration_loss).abs() < 1e-15 && number(&parts.resolution).abs() < 1e-15);
/// assert!((number(&parts.defect) - (0.04 - 0.25)).abs() < 1e-15);
/// ```
pub fn decompose(data: &Scored, evaluation: &Evaluation, partition: &Partition) -> Result<Decomposition, BadPartition> {
    if data.is_reversed() {
        // Bins are stated on the scale of the input.
        let data = data.with_input_scores();
        let evaluation = evaluate_scored(&data, &Cost::uniform(), &evaluation.thresholds);
        let decomposition = decompose(&data, &evaluation, partition)?;
        let exchange_classes =
            |cell: PartitionCell| PartitionCell { mass: [cell.mass[1], cell.mass[0]], indicates: 0, ..cell };
        return Ok(Decomposition {
            cells: decomposition.cells.into_iter().map(exchange_classes).collect(),
            ..decomposition
        });
    }
    let parts = match partition {
        Partition::Ties => PartitionParts::of_ties(data, evaluation),
        _ => PartitionParts::of_cells(data, partition)?,
    };
    let PartitionParts { filled, empty, cells, mut calibration_loss, refinement_loss, mut within } = parts;
    if let Some(why) = Scores::Probabilities.refusal(data.range()) {
        let refused = || Value::Missing(Missing::Inapplicable(why.into()));
        (calibration_loss, within) = (refused(), [refused(), refused()]);
    }
    let [within_variance, within_covariance] = within;
    let brier_score = metric(evaluation, "BS");
    let uncertainty = uncertainty(data.totals());
    let defect = difference(&within_variance, &within_covariance);
    let explained = evaluate_formula(
        "CL + RL + defect",
        &[("CL", &calibration_loss), ("RL", &refinement_loss), ("defect", &defect)],
    );
    Ok(Decomposition {
        resolution: difference(&uncertainty, &refinement_loss),
        residual: difference(&brier_score, &explained),
        note: (*partition != Partition::Ties).then_some(ON_PARTITIONS),
        partition: partition.clone(),
        filled,
        empty,
        cells,
        brier_score,
        calibration_loss,
        refinement_loss,
        uncertainty,
        within_variance,
        within_covariance,
        defect,
    })
}

/// The parts of a decomposition that depend on the partition.
struct PartitionParts {
    filled: usize,
    empty: usize,
    cells: Vec<PartitionCell>,
    calibration_loss: Value,
    refinement_loss: Value,
    /// The variance within cells, and twice the covariance.
    within: [Value; 2],
}

impl PartitionParts {
    /// The partition into ties: nothing varies within a tie.
    fn of_ties(data: &Scored, evaluation: &Evaluation) -> PartitionParts {
        let zero = Value::Numeric(Estimate::exact(0.0));
        PartitionParts {
            filled: data.ties().count(),
            empty: 0,
            cells: Vec::new(),
            calibration_loss: metric(evaluation, "CL"),
            refinement_loss: metric(evaluation, "RL"),
            within: [zero.clone(), zero],
        }
    }

    /// Any other partition: losses are those of the data in which each score is replaced by the mean of its cell.
    fn of_cells(data: &Scored, partition: &Partition) -> Result<PartitionParts, BadPartition> {
        let (cells, empty) = cells(data, partition)?;
        let means: Vec<Tie> = cells.iter().map(|cell| Tie { x: cell.mean, mass: cell.mass }).collect();
        let evaluate = |coarse: Scored| evaluate_scored(&coarse, &Cost::uniform(), &Thresholds::default());
        let coarse = Scored::from_groups(&means).map(evaluate);
        let [calibration_loss, refinement_loss] = ["CL", "RL"].map(|name| match &coarse {
            Ok(coarse) => widened(metric(coarse, name), ROUNDING),
            Err(_) => not_computed(),
        });
        let within = within(data, &cells).map(Value::Numeric);
        Ok(PartitionParts { filled: cells.len(), empty, cells, calibration_loss, refinement_loss, within })
    }
}

/// A metric of an evaluation.
fn metric(evaluation: &Evaluation, name: &str) -> Value {
    evaluation.metric(name).cloned().unwrap_or_else(not_computed)
}

/// The Brier score decomposed by isotonic recalibration (CORP: Dimitriadis, Gneiting and Jordan 2021): `BS = MCB - DSC + UNC`.
#[derive(Clone, Debug)]
pub struct Corp {
    /// `BS`, the Brier score.
    pub brier_score: Value,
    /// The Brier score of the recalibrated scores, `BS(PAV)`.
    pub recalibrated: Value,
    /// `MCB = BS - BS(PAV)`, the miscalibration: the gain by recalibration.
    pub miscalibration: Value,
    /// `DSC = UNC - BS(PAV)`, the discrimination: the gain of recalibrated scores over the class proportions.
    pub discrimination: Value,
    /// `UNC = π0 π1`, the uncertainty: the Brier score of the class proportions.
    pub uncertainty: Value,
}

/// Decomposes the Brier score by isotonic recalibration, given the evaluation of the same data.
pub fn corp(data: &Scored, evaluation: &Evaluation) -> Corp {
    let brier_score = metric(evaluation, "BS");
    let recalibrated = evaluate_scored(&data.pooled(), &Cost::uniform(), &Thresholds::default());
    // Recalibrated scores are rounded shares.
    let recalibrated = widened(metric(&recalibrated, "BS"), ROUNDING);
    Corp::new(brier_score, recalibrated, uncertainty(data.totals()))
}

/// The decomposition by isotonic recalibration from the refinement loss of the hull, which is the Brier score of the recalibrated scores.
/// It reads the evaluation and the total weights of the classes only.
pub fn corp_of_hull(totals: [f64; 2], evaluation: &Evaluation) -> Corp {
    let [brier_score, recalibrated] = ["BS", "RL_conv"].map(|name| metric(evaluation, name));
    Corp::new(brier_score, recalibrated, uncertainty(totals))
}

/// `π0 π1`.
fn uncertainty(totals: [f64; 2]) -> Value {
    let [pi0, pi1] = totals.map(|total| total / (totals[0] + totals[1]));
    Value::Numeric(Estimate { value: pi0 * pi1, error: 4.0 * f64::EPSILON * pi0 * pi1 })
}

/// The variance of scores within cells, and twice their covariance with classes: `Σ w (s - m)² / n` and `2 Σ w (s - m)(y - q) / n`, with the
/// mean score `m` and the share `q` of class 1 of a cell, and `y` 0 or 1 by class.
fn within(data: &Scored, cells: &[PartitionCell]) -> [Estimate; 2] {
    let [n0, n1] = data.totals();
    let n = n0 + n1;
    let mut sums = [CompensatedSum::default(); 2];
    let mut magnitudes = [0.0; 2];
    let mut next_cells = cells.iter();
    let mut cell = next_cells.next();
    for tie in data.ties() {
        while cell.is_some_and(|cell| cell.scores.1 < tie.x) {
            cell = next_cells.next();
        }
        let Some(cell) = cell else { break };
        let share = [cell.mass[0] / cell.weight(), cell.mass[1] / cell.weight()];
        let deviation = tie.x - cell.mean;
        let variance = (tie.mass[0] + tie.mass[1]) * deviation * deviation;
        let [covariance_0, covariance_1] = [-tie.mass[0] * share[1] * deviation, tie.mass[1] * share[0] * deviation];
        sums = [sums[0].plus(variance), sums[1].plus(covariance_0).plus(covariance_1)];
        magnitudes = [magnitudes[0] + variance, magnitudes[1] + covariance_0.abs() + covariance_1.abs()];
    }
    let estimate = |k: usize, scale: f64| Estimate {
        value: scale * sums[k].value() / n,
        error: scale * ROUNDING * magnitudes[k] / n,
    };
    [estimate(0, 1.0), estimate(1, 2.0)]
}

/// The value of a formula; if one of the values that it reads is missing, it is missing for the same reason.
pub(super) fn evaluate_formula(text: &str, named_values: &[(&str, &Value)]) -> Value {
    if let Some((_, Value::Missing(why))) = named_values.iter().find(|(_, value)| value.estimate().is_none()) {
        return Value::Missing(why.clone());
    }
    let named = |name: &str| named_values.iter().find(|(n, _)| *n == name).and_then(|(_, value)| value.estimate());
    formula::estimate(text, named).map_or_else(not_computed, Value::Numeric)
}

/// The difference of two values.
pub(super) fn difference(a: &Value, b: &Value) -> Value {
    evaluate_formula("a - b", &[("a", a), ("b", b)])
}

/// A value with a wider error, if it is an estimate.
fn widened(value: Value, error: f64) -> Value {
    if let Value::Numeric(estimate) = value { Value::Numeric(estimate.widened(error)) } else { value }
}

/// The value of a quantity that should have one, but has no estimate.
pub(super) fn not_computed() -> Value {
    Missing::NotComputed.into()
}

impl Decomposition {
    /// The parts: name in JSON, name in words, value.
    pub fn parts(&self) -> [(&'static str, &'static str, &Value); 9] {
        [
            ("BS", "Brier score", &self.brier_score),
            ("CL", "calibration loss (reliability)", &self.calibration_loss),
            ("RL", "refinement loss (uncertainty - resolution)", &self.refinement_loss),
            ("RES", "resolution", &self.resolution),
            ("UNC", "uncertainty", &self.uncertainty),
            ("within_variance", "variance of scores within cells", &self.within_variance),
            ("within_covariance", "twice the covariance of scores and classes within cells", &self.within_covariance),
            ("defect", "BS - (CL + RL): variance - covariance within cells", &self.defect),
            ("residual", "BS less all parts: zero within its error", &self.residual),
        ]
    }
}

impl Corp {
    /// `MCB = BS - BS(PAV)` and `DSC = UNC - BS(PAV)`.
    fn new(brier_score: Value, recalibrated: Value, uncertainty: Value) -> Corp {
        Corp {
            miscalibration: difference(&brier_score, &recalibrated),
            discrimination: difference(&uncertainty, &recalibrated),
            brier_score,
            recalibrated,
            uncertainty,
        }
    }

    /// The parts: name in JSON, name in words, value.
    pub fn parts(&self) -> [(&'static str, &'static str, &Value); 5] {
        [
            ("BS", "Brier score", &self.brier_score),
            ("BS_recalibrated", "Brier score of the recalibrated scores", &self.recalibrated),
            ("MCB", "miscalibration: BS - BS_recalibrated", &self.miscalibration),
            ("DSC", "discrimination: UNC - BS_recalibrated", &self.discrimination),
            ("UNC", "uncertainty", &self.uncertainty),
        ]
    }
}
