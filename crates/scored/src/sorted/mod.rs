//! Sorted rows, evaluated while they pass by: memory does not grow with their number.
//!
//! | file | contents |
//! | --- | --- |
//! | `frame` | coordinates of the curve along links of rows |
//! | `sums` | the monomials that definitions need, summed |
//! | `rate` | some points of the curve, for the point at a rate |
//! | `reader` | the curve of all rows, read as the engine reads curves |
//!
//! Definitions are asked for the monomials that they need before the first row, and are read again when the totals are known. The ROC hull
//! is kept as pools, of which there are few.

mod frame;
mod rate;
mod reader;
mod sums;
#[cfg(test)]
mod tests;

use super::chain::{Scale, link_kind};
use super::polynomial::VARIABLES;
use super::scored::{BadScore, ScoreDirection, check_totals, scale_of_keys};
use super::segments::{Segment, pool};
use super::sum::CompensatedSum;
use frame::Frame;
use rate::RatePoints;
use rocproof_engine::functional::{Cost, Evaluation, Thresholds};
use sums::MonomialSums;

/// Rows in ascending or descending order of their scores, evaluated in one pass.
///
/// ```
/// use rocproof_engine::{Cost, functional::Thresholds};
/// use rocproof_scored::{ScoreDirection, SortedRows};
/// let mut rows = SortedRows::new(&Cost::uniform(), &Thresholds::default());
/// for (score, weights) in [(0.1, [1.0, 0.0]), (0.35, [0.0, 1.0]), (0.4, [1.0, 0.0]), (0.8, [0.0, 1.0])] {
///     rows.push(score, weights).unwrap();
/// }
/// let evaluation = rows.finish([0, 1], ScoreDirection::TowardClass1).unwrap();
/// assert!((evaluation.metric("AUC").unwrap().estimate().unwrap().value - 0.75).abs() < 1e-15);
/// ```
pub struct SortedRows {
    cost: Cost,
    thresholds: Thresholds,
    sums: MonomialSums,
    /// The tie that is not complete.
    tie: Option<(f64, [CompensatedSum; 2])>,
    /// The number of ties that are complete.
    ties: u64,
    /// The score of the last row.
    last: Option<f64>,
    /// Whether scores grow; `None` while all are equal.
    grows: Option<bool>,
    /// The first and the last tie.
    ends: Option<(f64, f64)>,
    /// The weight of each label before the tie.
    before: [CompensatedSum; 2],
    /// Whether all weights are whole numbers.
    whole: bool,
    /// The pools along which the share of the first label grows, and those along which the share of the second one does. Weights are those
    /// of the other label and of this one.
    hulls: [Vec<Segment>; 2],
    /// Ties of one label that were not pooled yet.
    run: Option<Segment>,
    /// For each threshold, the weight of each label below it and at it.
    at_scores: Vec<(f64, [[CompensatedSum; 2]; 2])>,
    points: RatePoints,
}

/// A row is not in the order of those before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotSorted {
    /// The score of the row before.
    pub before: f64,
    /// The score of the row.
    pub score: f64,
}

impl SortedRows {
    /// No rows; they will be evaluated under these operating conditions.
    pub fn new(cost: &Cost, thresholds: &Thresholds) -> SortedRows {
        let mut sums = MonomialSums::new();
        let scores = reader::ask(&mut sums, cost, thresholds);
        SortedRows {
            cost: cost.clone(),
            thresholds: thresholds.clone(),
            sums,
            tie: None,
            ties: 0,
            last: None,
            grows: None,
            ends: None,
            before: Default::default(),
            whole: true,
            hulls: [Vec::new(), Vec::new()],
            run: None,
            at_scores: scores.into_iter().map(|score| (score, Default::default())).collect(),
            points: RatePoints::new(),
        }
    }

    /// Adds a row, or several with one score: the weight of each of two labels.
    #[inline]
    pub fn push(&mut self, score: f64, weights: [f64; 2]) -> Result<(), NotSorted> {
        if let Some(before) = self.last.filter(|before| *before != score) {
            let grows = score > before;
            if *self.grows.get_or_insert(grows) != grows {
                return Err(NotSorted { before, score });
            }
        }
        self.last = Some(score);
        if weights == [0.0; 2] {
            return Ok(());
        }
        self.whole &= weights[0].fract() == 0.0 && weights[1].fract() == 0.0;
        match &mut self.tie {
            Some((at, sums)) if *at == score => *sums = [0, 1].map(|label| sums[label].plus(weights[label])),
            _ => {
                self.end_tie();
                self.tie = Some((score, weights.map(CompensatedSum::from)));
            }
        }
        Ok(())
    }

    /// Adds the tie that is complete, and the gap before it.
    fn end_tie(&mut self) {
        let Some((score, sums)) = self.tie.take() else { return };
        self.ties += 1;
        let mass = sums.map(CompensatedSum::value);
        let before = self.before.map(CompensatedSum::value);
        if let Some((_, last)) = self.ends {
            self.push_gap(last, score, before);
        }
        self.ends = Some((self.ends.map_or(score, |(first, _)| first), score));
        let share = if mass[0] > 0.0 && mass[1] > 0.0 { 1.0 / (mass[0] + mass[1]) } else { 0.0 };
        let values: [f64; VARIABLES] = [score, 1.0 - score, before[0], share, before[1], 0.0, 0.0, mass[0], mass[1]];
        self.sums.push(link_kind::of([0.0, mass[0], mass[1]]), &values);
        self.points.push(before);
        for (at, weights) in &mut self.at_scores {
            if score <= *at {
                let side = &mut weights[usize::from(score == *at)];
                *side = [0, 1].map(|label| side[label].plus(mass[label]));
            }
        }
        self.pool(score, mass);
        self.before = [0, 1].map(|label| self.before[label].plus_sum(sums[label]));
    }

    /// Adds the gap between two scores.
    fn push_gap(&mut self, a: f64, b: f64, before: [f64; 2]) {
        let (low, high) = (a.min(b), a.max(b));
        let distance = high - low;
        if distance > 0.0 {
            let values = [low, 1.0 - low, before[0], 0.0, before[1], 0.0, distance, 0.0, 0.0];
            self.sums.push(link_kind::SCORE, &values);
        }
    }

    /// Adds a tie to the hulls. Ties of one label are joined first.
    fn pool(&mut self, score: f64, mass: [f64; 2]) {
        let score = [score, 1.0 - score];
        match &mut self.run {
            Some(run) if run.is_of_one_class_with(&mass) => run.extend(score, mass),
            _ => {
                let done = self.run.replace(Segment::at(score, mass));
                self.pool_run(done);
            }
        }
    }

    /// Adds a run of ties to both hulls.
    fn pool_run(&mut self, run: Option<Segment>) {
        let Some(run) = run else { return };
        let [m0, m1] = run.mass;
        pool(&mut self.hulls[0], Segment { mass: [m1, m0], ..run });
        pool(&mut self.hulls[1], run);
    }

    /// The total weight of each label so far.
    pub fn totals(&self) -> [f64; 2] {
        let pending = self.tie.map_or([CompensatedSum::default(); 2], |(_, sums)| sums);
        [0, 1].map(|label| self.before[label].plus_sum(pending[label]).value())
    }

    /// The mean number of rows for each different score so far.
    pub fn rows_per_score(&self) -> f64 {
        let [n0, n1] = self.totals();
        (n0 + n1) / (self.ties + u64::from(self.tie.is_some())) as f64
    }

    /// All metrics and expected losses. `labels` are the indices of the labels of class 0 and of class 1.
    ///
    /// Thresholds and scores are on the scale of the rows. The loss at a fixed rate is that of a nearby point if there are very many ties; its
    /// error says how near. Values that one pass does not give are missing.
    pub fn finish(mut self, labels: [usize; 2], direction: ScoreDirection) -> Result<Evaluation, BadScore> {
        self.end_tie();
        let run = self.run.take();
        self.pool_run(run);
        let by_label = self.before.map(CompensatedSum::value);
        let totals = labels.map(|label| by_label[label]);
        check_totals(totals)?;
        let is_reversed = direction == ScoreDirection::TowardClass0;
        let grows = self.grows.unwrap_or(true);
        let (first, last) = self.ends.unwrap_or_default();
        let (low, high) = (first.min(last), first.max(last));
        let keys = if is_reversed { (-high, -low) } else { (low, high) };
        let (scale, range) = scale_of_keys(is_reversed, keys.0, keys.1);
        if range == (0.0, 1.0) && scale != Scale::Negated {
            let (at_low, at_high) = if grows { ([0.0; 2], by_label) } else { (by_label, [0.0; 2]) };
            self.push_gap(0.0, low, at_low);
            self.push_gap(high, 1.0, at_high);
        }
        self.sums.finish();
        let frame = Frame { labels, backwards: grows == is_reversed, scale, totals };
        Ok(reader::evaluate(&self, &frame, range))
    }
}
