//! The expected calibration error by stated bins, and whether a calibration loss by ties means anything.

use super::partition::{BadPartition, Partition, PartitionCell, cells};
use super::scored::Scored;
use super::sum::CompensatedSum;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::definition::Scores;
use rocproof_engine::functional::{Missing, Value};

/// Relative error bound of a compensated sum of distances.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The calibration error of stated bins: the distance of the mean score of a bin from the share of the class that higher scores indicate.
#[derive(Clone, Debug)]
pub struct CalibrationError {
    /// The bins.
    pub partition: Partition,
    /// The mean distance over rows: the expected calibration error.
    pub expected: Value,
    /// The largest distance: the maximum calibration error.
    pub largest: Value,
    /// The bins that hold a score, in order.
    pub cells: Vec<PartitionCell>,
    /// The number of bins that hold no score.
    pub empty: usize,
}

/// Computes the calibration error of stated bins.
///
/// ```
/// use rocproof_scored::{Scored, calibration_error};
/// let data = Scored::from_rows(&[0.1, 0.3, 0.6, 0.8], &[false, true, true, true], None).unwrap();
/// let error = calibration_error(&data, &"width:2".parse().unwrap()).unwrap();
/// // Mean scores 0.2 and 0.7, shares 0.5 and 1.
/// assert!((error.expected.estimate().unwrap().value - 0.3).abs() < 1e-15);
/// ```
pub fn calibration_error(data: &Scored, partition: &Partition) -> Result<CalibrationError, BadPartition> {
    // Bins are stated on the scale of the input.
    let input_scores = data.with_input_scores();
    let (mut cells, empty) = cells(&input_scores, partition)?;
    if data.is_reversed() {
        let exchange_classes =
            |cell: &mut PartitionCell| (cell.mass, cell.indicates) = ([cell.mass[1], cell.mass[0]], 0);
        cells.iter_mut().for_each(exchange_classes);
    }
    let distance = |cell: &PartitionCell| (cell.mean - cell.share()).abs();
    let weight: f64 = cells.iter().map(PartitionCell::weight).sum();
    let sum = cells.iter().fold(CompensatedSum::default(), |sum, cell| sum.plus(cell.weight() * distance(cell)));
    let largest = cells.iter().map(distance).fold(0.0, f64::max);
    // A distance is rounded relative to 1, the scale of probabilities.
    let number = |value: f64| Value::Numeric(Estimate { value, error: ROUNDING });
    let value = |value: f64| match Scores::Probabilities.refusal(data.range()) {
        Some(why) => Value::Missing(Missing::Inapplicable(why.into())),
        None => number(value),
    };
    Ok(CalibrationError {
        expected: value(sum.value() / weight),
        largest: value(largest),
        partition: partition.clone(),
        cells,
        empty,
    })
}

/// Fewer rows than this for each different score say little about calibration by ties.
pub const ENOUGH_ROWS_PER_SCORE: f64 = 20.0;

/// The mean number of rows for each different score.
///
/// The calibration loss by ties is biased upward: a tie of `k` rows adds the variance `p(1-p)/k` of its share. Summed over ties that is at
/// most the number of different scores divided by four times the number of rows.
pub fn rows_per_score(data: &Scored) -> f64 {
    let [n0, n1] = data.totals();
    (n0 + n1) / data.tied_rows().count() as f64
}
