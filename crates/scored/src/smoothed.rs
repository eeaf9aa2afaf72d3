//! The smoothed bootstrap: samples from a smooth model of the data, for quantities of the ROC hull.
//!
//! The hull is fitted to the rows, so that its quantities flatter the scores. Samples of the rows themselves flatter twice and do not tell
//! by how much. In samples from a smooth model the truth is known: the bias of the hull there is an estimate of its bias on the data.

use super::reading::evaluate_scored;
use super::resample::{MultinomialDraws, RowDraws, draw_hypergeometric};
use super::scored::{Scored, Tie};
use super::smooth::class_1_probabilities;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution};
use rocproof_engine::functional::{Cost, Evaluation, Thresholds};

/// A smooth model of scored data: the scores of the data, and a smooth probability of class 1 at each.
pub(super) struct SmoothModel {
    ties: Vec<Tie>,
    /// The probability of class 1 at each tie.
    probabilities: Vec<f64>,
    /// The number of rows.
    rows: f64,
}

/// Values of a sample, or of the model itself.
pub(super) struct SmoothedValues {
    /// The evaluation of ranks. Only values that depend on ranks alone are those of the sample.
    pub by_rank: Evaluation,
    /// The Brier score, of the scores themselves.
    pub brier_score: f64,
    /// The weight of class 0 and of class 1.
    pub totals: [f64; 2],
}

impl SmoothModel {
    /// The smooth model of data whose weights count rows.
    pub(super) fn new(data: &Scored) -> SmoothModel {
        let ties: Vec<Tie> = data.ties().collect();
        let probabilities = class_1_probabilities(&ties);
        let rows = data.totals().iter().sum();
        SmoothModel { ties, probabilities, rows }
    }

    /// The rows that the model expects, by rank: the truth that samples estimate; `None` if a class has no weight.
    pub(super) fn expected(&self) -> Option<Scored> {
        rank(&self.expected_ties())
    }

    /// The scores with the expected weight of each class.
    fn expected_ties(&self) -> Vec<(f64, [f64; 2])> {
        let expected = |(tie, p): (&Tie, &f64)| {
            let weight = tie.mass[0] + tie.mass[1];
            (tie.x, [weight * (1.0 - p), weight * p])
        };
        self.ties.iter().zip(&self.probabilities).map(expected).collect()
    }

    /// The values of the model itself, which samples estimate; `None` if a class has no weight.
    pub(super) fn truth(&self, cost: &Cost, thresholds: &Thresholds) -> Option<SmoothedValues> {
        evaluate_ranks(&self.expected_ties(), cost, thresholds)
    }

    /// A sample of as many rows, or as many of each class if it is stratified, by rank; `None` if it lacks a class.
    pub(super) fn draw(&self, stratified: bool, generator: &mut ChaCha8Rng) -> Option<Scored> {
        rank(&self.drawn_ties(stratified, generator))
    }

    /// The values of a sample of these rows; `None` if it lacks a class. `order` is the row of each sorted row, if that is not its own index.
    ///
    /// Models whose samples share the draws have paired values: the difference of their biases varies little if they rank rows alike, and
    /// is 0 if they rank them the same.
    pub(super) fn sample_of_rows(
        &self,
        draws: &RowDraws,
        order: Option<&[u32]>,
        cost: &Cost,
        thresholds: &Thresholds,
    ) -> Option<SmoothedValues> {
        let mut drawn: Vec<(f64, [f64; 2])> = Vec::with_capacity(self.ties.len());
        let mut sorted_row = 0;
        for (tie, p) in self.ties.iter().zip(&self.probabilities) {
            let rows = (tie.mass[0] + tie.mass[1]) as usize;
            let of_tie = sorted_row..sorted_row + rows;
            let numbers = of_tie.flat_map(|row| draws.of(order.map_or(row, |order| order[row] as usize)));
            let masses = numbers.map(|number| if number < p { [0.0, 1.0] } else { [1.0, 0.0] });
            if rows == 1 {
                drawn.extend(masses.map(|mass| (tie.x, mass)));
            } else {
                let mass = masses.fold([0.0, 0.0], |sum: [f64; 2], mass| [sum[0] + mass[0], sum[1] + mass[1]]);
                drawn.extend((mass != [0.0, 0.0]).then_some((tie.x, mass)));
            }
            sorted_row += rows;
        }
        evaluate_ranks(&drawn, cost, thresholds)
    }

    /// The scores of a sample with the number of rows of each class.
    fn drawn_ties(&self, stratified: bool, generator: &mut ChaCha8Rng) -> Vec<(f64, [f64; 2])> {
        if stratified { self.draw_ties_by_class(generator) } else { self.draw_ties(generator) }
    }

    /// The values of a sample of as many rows, or as many of each class if it is stratified; `None` if it lacks a class.
    pub(super) fn sample(
        &self,
        stratified: bool,
        generator: &mut ChaCha8Rng,
        cost: &Cost,
        thresholds: &Thresholds,
    ) -> Option<SmoothedValues> {
        evaluate_ranks(&self.drawn_ties(stratified, generator), cost, thresholds)
    }

    /// The scores of a sample of as many rows, with the number of rows of each class.
    ///
    /// Rows with one score in the data tie in the sample. A score that occurs once in the data stands for a stretch of scores: rows that are
    /// drawn there do not tie.
    fn draw_ties(&self, generator: &mut ChaCha8Rng) -> Vec<(f64, [f64; 2])> {
        let mut drawn: Vec<(f64, [f64; 2])> = Vec::with_capacity(self.ties.len());
        let (mut remaining_rows, mut remaining_weight) = (self.rows as u64, self.rows);
        for (tie, p) in self.ties.iter().zip(&self.probabilities) {
            let weight = tie.mass[0] + tie.mass[1];
            let mut draws = MultinomialDraws { generator, draws: remaining_rows, weight: remaining_weight };
            let count = draws.next(weight);
            remaining_rows -= count;
            remaining_weight -= weight;
            if weight == 1.0 {
                for _ in 0..count {
                    let is_1 = generator.random::<f64>() < *p;
                    drawn.push((tie.x, if is_1 { [0.0, 1.0] } else { [1.0, 0.0] }));
                }
            } else if count > 0 {
                let ones = Binomial::new(count, *p).map_or(0, |binomial| binomial.sample(generator)).min(count);
                drawn.push((tie.x, [(count - ones) as f64, ones as f64]));
            }
        }
        drawn
    }

    /// As [`SmoothModel::draw_ties`], with as many rows of each class as the data: given the class, scores have the probabilities that the
    /// model gives them.
    fn draw_ties_by_class(&self, generator: &mut ChaCha8Rng) -> Vec<(f64, [f64; 2])> {
        let expected = self.expected_ties();
        let rows = self.ties.iter().fold([0.0; 2], |sums, tie| [0, 1].map(|k| sums[k] + tie.mass[k]));
        let counts = [0, 1].map(|class| {
            let weight = expected.iter().map(|(_, mass)| mass[class]).sum();
            let mut cells = MultinomialDraws { generator, draws: rows[class] as u64, weight };
            expected.iter().map(|(_, mass)| cells.next(mass[class])).collect::<Vec<u64>>()
        });
        let mut drawn = Vec::with_capacity(self.ties.len());
        for (k, tie) in self.ties.iter().enumerate() {
            let [mut zeros, mut ones] = [counts[0][k], counts[1][k]];
            if tie.mass[0] + tie.mass[1] == 1.0 {
                // Rows of one stretch of scores come in random order.
                while zeros + ones > 0 {
                    let is_1 = generator.random_range(0..zeros + ones) < ones;
                    drawn.push((tie.x, if is_1 { [0.0, 1.0] } else { [1.0, 0.0] }));
                    if is_1 { ones -= 1 } else { zeros -= 1 }
                }
            } else if zeros + ones > 0 {
                drawn.push((tie.x, [zeros as f64, ones as f64]));
            }
        }
        drawn
    }

    /// The values of the scores of the data with the classes of its rows permuted, given the number of rows of class 1: scores no better
    /// than chance. `None` if a class has no rows.
    pub(super) fn permuted(
        &self,
        class_1_rows: f64,
        generator: &mut ChaCha8Rng,
        cost: &Cost,
        thresholds: &Thresholds,
    ) -> Option<SmoothedValues> {
        let (mut remaining_rows, mut remaining_ones) = (self.rows as u64, class_1_rows as u64);
        // Rows without replacement: given the ties before, the rows of class 1 in a tie are hypergeometric.
        let mut permute = |tie: &Tie| {
            let rows = (tie.mass[0] + tie.mass[1]) as u64;
            let ones = draw_hypergeometric(generator, remaining_rows, remaining_ones, rows);
            remaining_rows -= rows;
            remaining_ones -= ones;
            (tie.x, [(rows - ones) as f64, ones as f64])
        };
        let permuted: Vec<(f64, [f64; 2])> = self.ties.iter().map(&mut permute).collect();
        evaluate_ranks(&permuted, cost, thresholds)
    }
}

/// Ties in the order of their scores, given with the weight of each class, as data whose scores are ranks; `None` if a class has no weight.
fn rank(ties: &[(f64, [f64; 2])]) -> Option<Scored> {
    let ranked =
        |(k, (_, mass)): (usize, &(f64, [f64; 2]))| Tie { x: (k + 1) as f64 / (ties.len() + 1) as f64, mass: *mass };
    Scored::from_groups(&ties.iter().enumerate().map(ranked).collect::<Vec<_>>()).ok()
}

/// The values of ties in the order of their scores, given with the weight of each class; `None` if a class has no weight.
fn evaluate_ranks(ties: &[(f64, [f64; 2])], cost: &Cost, thresholds: &Thresholds) -> Option<SmoothedValues> {
    let data = rank(ties)?;
    let squares = |(x, [m0, m1]): &(f64, [f64; 2])| m0 * x * x + m1 * (1.0 - x) * (1.0 - x);
    let brier_score = ties.iter().map(squares).sum::<f64>() / data.totals().iter().sum::<f64>();
    Some(SmoothedValues { by_rank: evaluate_scored(&data, cost, thresholds), brier_score, totals: data.totals() })
}
