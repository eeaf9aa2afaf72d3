//! The threshold that each method chooses on training rows, and the calibration by their ROC hull.

use crate::pools::pools;
use crate::scored::{Scored, Tie};
use rocproof_arith::Rational;
use rocproof_arith::rational::to_f64;
use rocproof_engine::functional::Condition;

/// Losses that differ by less than this, relative to the largest, are equal up to rounding.
const CLOSE: f64 = 32.0 * f64::EPSILON;

/// The ties of the training rows in the order of the curve. Keys are scores, or their negatives if higher scores mean class 0.
#[derive(Clone, Debug)]
pub(super) struct Training {
    keys: Vec<f64>,
    mass: Vec<[f64; 2]>,
    totals: [f64; 2],
}

/// A threshold as a key: class 0 is predicted below it, and with probability `share` at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    pub(super) key: f64,
    pub(super) share: f64,
}

impl Cut {
    /// The probability that class 0 is predicted for a key.
    pub(super) fn positive_share(self, key: f64) -> f64 {
        if key < self.key {
            1.0
        } else if key > self.key {
            0.0
        } else {
            self.share
        }
    }
}

/// The middle between two neighbouring keys. It lies below the second, so that both stay on their sides.
fn middle(a: f64, b: f64) -> f64 {
    let middle = a / 2.0 + b / 2.0;
    if middle < b { middle } else { a }
}

impl Training {
    /// The ties that have weight.
    pub(super) fn new(ties: impl Iterator<Item = (f64, [f64; 2])>) -> Training {
        let (keys, mass): (Vec<f64>, Vec<[f64; 2]>) = ties.filter(|(_, mass)| *mass != [0.0; 2]).unzip();
        let totals = mass.iter().fold([0.0; 2], |sums, mass| [sums[0] + mass[0], sums[1] + mass[1]]);
        Training { keys, mass, totals }
    }

    /// All rows of scored data.
    pub(super) fn of(data: &Scored) -> Training {
        let sign = if data.is_reversed() { -1.0 } else { 1.0 };
        Training::new(data.ties_on_input_scale().map(|tie| (sign * tie.x, tie.mass)))
    }

    /// The keys of the ties.
    pub(super) fn keys(&self) -> &[f64] {
        &self.keys
    }

    /// The weight of each class in each tie.
    pub(super) fn mass(&self) -> &[[f64; 2]] {
        &self.mass
    }

    /// The weight of each class.
    pub(super) fn totals(&self) -> [f64; 2] {
        self.totals
    }

    /// The calibrated probability of class 1 at a cut: that of the tie that it splits, or the mean of those on both sides.
    pub(super) fn posterior_at(&self, condition: Condition, cut: Cut) -> f64 {
        let posteriors = self.posteriors(condition);
        let first = self.keys.partition_point(|key| *key < cut.key);
        let is_split = self.keys.get(first) == Some(&cut.key);
        let after = posteriors.get(first).or(posteriors.last());
        let before = if is_split { after } else { first.checked_sub(1).map(|k| &posteriors[k]).or(after) };
        after.zip(before).map_or(0.5, |(a, b)| (a + b) / 2.0)
    }

    /// Whether both classes have weight.
    pub(super) fn has_both_classes(&self) -> bool {
        self.totals.iter().all(|total| *total > 0.0)
    }

    /// The factors of the weights of both classes: under skews they balance the classes.
    fn factors(&self, condition: Condition) -> [f64; 2] {
        match condition {
            Condition::Cost => [1.0, 1.0],
            Condition::Skew => [self.totals[1], self.totals[0]],
        }
    }

    /// The predicted positive rate at the end of each tie.
    fn rates(&self, condition: Condition) -> Vec<f64> {
        let [f0, f1] = self.factors(condition);
        let total = f0 * self.totals[0] + f1 * self.totals[1];
        let mut sums = [0.0; 2];
        let rate = |mass: &[f64; 2]| {
            sums = [sums[0] + mass[0], sums[1] + mass[1]];
            ((f0 * sums[0] + f1 * sums[1]) / total).min(1.0)
        };
        self.mass.iter().map(rate).collect()
    }

    /// The calibrated probability of class 1 at each tie: its share in the pool of the ROC hull.
    fn posteriors(&self, condition: Condition) -> Vec<f64> {
        let [f0, f1] = self.factors(condition);
        let ties = self.keys.iter().zip(&self.mass).map(|(key, mass)| Tie { x: *key, mass: *mass });
        let mut posteriors = Vec::with_capacity(self.keys.len());
        for pool in pools(ties) {
            let [m0, m1] = [f0 * pool.mass[0], f1 * pool.mass[1]];
            let rest = self.keys[posteriors.len()..].iter().take_while(|key| **key <= pool.last).count();
            posteriors.resize(posteriors.len() + rest, m1 / (m0 + m1));
        }
        posteriors
    }

    /// The cut with a predicted positive rate: between two ties if it is reached there, else one that splits a tie.
    pub(super) fn cut_at_rate(&self, condition: Condition, rate: f64) -> Cut {
        if rate <= 0.0 {
            return Cut { key: f64::NEG_INFINITY, share: 0.0 };
        }
        let rates = self.rates(condition);
        let k = rates.partition_point(|reached| *reached < rate);
        let Some(reached) = rates.get(k) else { return Cut { key: f64::INFINITY, share: 1.0 } };
        if *reached == rate {
            return self.cut_after(k + 1);
        }
        let before = if k == 0 { 0.0 } else { rates[k - 1] };
        Cut { key: self.keys[k], share: (rate - before) / (reached - before) }
    }

    /// The cut after the first `ties` ties: the middle between two scores.
    fn cut_after(&self, ties: usize) -> Cut {
        let key = match (ties.checked_sub(1).map(|k| self.keys[k]), self.keys.get(ties)) {
            (None, _) => f64::NEG_INFINITY,
            (Some(_), None) => f64::INFINITY,
            (Some(a), Some(b)) => middle(a, *b),
        };
        Cut { key, share: 1.0 }
    }

    /// The cut of least loss at a condition. Of several the middle one; of two in the middle, that in the wider gap between scores.
    pub(super) fn best_cut(&self, condition: Condition, value: &Rational) -> Cut {
        let [f0, f1] = self.factors(condition);
        let [miss, alarm] = cost_ratio(value);
        let (miss, alarm) = (miss * f0, alarm * f1);
        let tolerance = CLOSE * (miss * self.totals[0] + alarm * self.totals[1]);
        let mut sums = [0.0; 2];
        let mut losses = Vec::with_capacity(self.keys.len() + 1);
        losses.push(0.0);
        losses.extend(self.mass.iter().map(|mass| {
            sums = [sums[0] + mass[0], sums[1] + mass[1]];
            alarm * sums[1] - miss * sums[0]
        }));
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        let is_least = |k: &usize| losses[*k] <= least + tolerance;
        let count = (0..losses.len()).filter(is_least).count();
        let mut middle_ones = (0..losses.len()).filter(is_least).skip((count.max(1) - 1) / 2);
        let first = middle_ones.next().unwrap_or(0);
        // Ends have no gap: they are chosen only if nothing else is.
        let gap = |k: usize| if k == 0 || k == self.keys.len() { -1.0 } else { self.keys[k] - self.keys[k - 1] };
        match middle_ones.next().filter(|_| count.is_multiple_of(2)) {
            Some(second) if gap(second) > gap(first) => self.cut_after(second),
            _ => self.cut_after(first),
        }
    }

    /// The losses of cuts on these rows, at a condition.
    pub(super) fn cut_losses(&self, condition: Condition, value: f64) -> CutLosses<'_> {
        let mut sums = [0.0; 2];
        let mut cumulative = vec![sums];
        cumulative.extend(self.mass.iter().map(|mass| {
            sums = [sums[0] + mass[0], sums[1] + mass[1]];
            sums
        }));
        let [f0, f1] = self.factors(condition);
        let total = f0 * self.totals[0] + f1 * self.totals[1];
        let factors = [2.0 * value * f0 / total, 2.0 * (1.0 - value) * f1 / total];
        CutLosses { training: self, cumulative, factors }
    }

    /// Places scores among the training rows, in ascending order of their keys.
    pub(super) fn placer(&self, condition: Condition) -> Placer<'_> {
        Placer { training: self, rates: self.rates(condition), posteriors: self.posteriors(condition), next: 0 }
    }
}

/// The costs of a false negative and of a false positive, up to a factor: whole numbers if the condition is a fraction of such.
fn cost_ratio(value: &Rational) -> [f64; 2] {
    let denominator = to_f64(&Rational::from(value.denominator().clone()));
    let miss = to_f64(&(value * Rational::from(value.denominator().clone())));
    match denominator < 1e9 {
        true => [miss, denominator - miss],
        false => [to_f64(value), to_f64(&(Rational::ONE - value))],
    }
}

/// The losses of cuts at one condition.
pub(super) struct CutLosses<'a> {
    training: &'a Training,
    /// The weight of each class before each tie, and in total.
    cumulative: Vec<[f64; 2]>,
    /// The loss for each weight of class 0 that is missed, and of class 1 that is taken for class 0.
    factors: [f64; 2],
}

impl CutLosses<'_> {
    /// The loss of a cut.
    pub(super) fn of(&self, cut: Cut) -> f64 {
        let Training { keys, mass, totals } = self.training;
        let ties = keys.partition_point(|key| *key < cut.key);
        let mut below = self.cumulative[ties];
        if keys.get(ties) == Some(&cut.key) {
            below = [0, 1].map(|k| below[k] + cut.share * mass[ties][k]);
        }
        self.factors[0] * (totals[0] - below[0]) + self.factors[1] * below[1]
    }
}

/// The place of a score among training rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    /// The predicted positive rates just before the score and at it. They differ if training rows have this score.
    pub(super) rates: [f64; 2],
    /// The calibrated probability of class 1.
    pub(super) posterior: f64,
}

/// Places scores in ascending order.
pub(super) struct Placer<'a> {
    training: &'a Training,
    rates: Vec<f64>,
    posteriors: Vec<f64>,
    /// The first training tie that is not below the last key.
    next: usize,
}

impl Placer<'_> {
    /// The place of a key, which is not below the one before. Between two training scores the nearer one calibrates.
    pub(super) fn place(&mut self, key: f64) -> Placed {
        let keys = &self.training.keys;
        while keys.get(self.next).is_some_and(|next| *next < key) {
            self.next += 1;
        }
        let before = self.next.checked_sub(1);
        let rate_before = before.map_or(0.0, |k| self.rates[k]);
        if keys.get(self.next) == Some(&key) {
            return Placed { rates: [rate_before, self.rates[self.next]], posterior: self.posteriors[self.next] };
        }
        let nearest = match (before, keys.get(self.next)) {
            (Some(k), Some(above)) if key > middle(keys[k], *above) => self.next,
            (Some(k), _) => k,
            (None, _) => self.next,
        };
        Placed { rates: [rate_before; 2], posterior: self.posteriors[nearest] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn training(rows: &[(f64, [f64; 2])]) -> Training {
        Training::new(rows.iter().copied())
    }

    fn rational(p: i64, q: i64) -> Rational {
        Rational::from(p) / Rational::from(q)
    }

    /// One row of class 0 at 1, of class 1 at 2, of class 0 at 4 and of class 1 at 7.
    fn four() -> Training {
        training(&[(1.0, [1.0, 0.0]), (2.0, [0.0, 1.0]), (4.0, [1.0, 0.0]), (7.0, [0.0, 1.0])])
    }

    #[test]
    fn cuts_lie_in_the_middle() {
        let cut = |p, q| four().best_cut(Condition::Cost, &rational(p, q)).key;
        // Misses are cheap: only the first row is predicted to be of class 0. Then they are dear.
        assert_eq!((cut(1, 5), cut(4, 5)), (1.5, 5.5));
        // At 1/2 both lose one row: the gap from 4 to 7 is wider than that from 1 to 2.
        assert_eq!(cut(1, 2), 5.5);
        // Nothing is lost before the second row, or after the third: a cut between scores is taken before one at an end.
        assert_eq!((cut(0, 1), cut(1, 1)), (1.5, 5.5));
        // All scores are equal: everything is predicted alike.
        let constant = training(&[(0.5, [3.0, 1.0])]);
        let cut = |p, q| constant.best_cut(Condition::Cost, &rational(p, q)).key;
        assert_eq!((cut(1, 10), cut(9, 10)), (f64::NEG_INFINITY, f64::INFINITY));
        // Neighbouring floats keep their sides.
        let (a, b) = (1.0, 1.0f64.next_up());
        let close = training(&[(a, [1.0, 0.0]), (b, [0.0, 1.0])]).best_cut(Condition::Cost, &rational(1, 2));
        assert_eq!((close.positive_share(a), close.positive_share(b)), (1.0, 0.0));
    }

    #[test]
    fn rates_are_reached_between_ties_or_split_one() {
        let at = |rate| four().cut_at_rate(Condition::Cost, rate);
        assert_eq!(at(0.5), Cut { key: 3.0, share: 1.0 });
        assert_eq!(at(0.6), Cut { key: 4.0, share: (0.6 - 0.5) / 0.25 });
        assert_eq!((at(0.0).positive_share(-9.0), at(1.0).positive_share(9.0)), (0.0, 1.0));
    }

    #[test]
    fn scores_are_calibrated_by_the_nearer_pool() {
        let training = four();
        let mut placer = training.placer(Condition::Cost);
        let mut at = |key| (placer.place(key).rates, placer.place(key).posterior);
        assert_eq!(at(0.0), ([0.0, 0.0], 0.0));
        assert_eq!(at(1.0), ([0.0, 0.25], 0.0));
        assert_eq!(at(1.5), ([0.25, 0.25], 0.0));
        assert_eq!(at(1.6), ([0.25, 0.25], 0.5));
        assert_eq!(at(3.0), ([0.5, 0.5], 0.5));
        assert_eq!(at(5.5), ([0.75, 0.75], 0.5));
        assert_eq!(at(9.0), ([1.0, 1.0], 1.0));
    }

    /// Of two rows of each class, the cut at 3 misses the row at 4 and takes the row at 2; split, half of the row at 4.
    #[test]
    fn losses_of_cuts() {
        let training = four();
        let loss = |key, share| training.cut_losses(Condition::Cost, 0.3).of(Cut { key, share });
        assert!((loss(3.0, 1.0) - (0.6 + 1.4) / 4.0).abs() < 1e-15);
        assert!((loss(4.0, 0.5) - (0.3 + 1.4) / 4.0).abs() < 1e-15);
        assert!((loss(f64::NEG_INFINITY, 0.0) - 0.3).abs() < 1e-15 && (loss(f64::INFINITY, 1.0) - 0.7).abs() < 1e-15);
    }

    /// With three rows of class 0 for one of class 1, skews weigh the latter threefold.
    #[test]
    fn skews_balance_the_classes() {
        let training = training(&[(1.0, [3.0, 1.0]), (2.0, [3.0, 1.0])]);
        assert_eq!(training.placer(Condition::Skew).place(1.0), Placed { rates: [0.0, 0.5], posterior: 0.5 });
        assert_eq!(training.placer(Condition::Cost).place(1.0).posterior, 0.25);
        assert_eq!(training.best_cut(Condition::Skew, &rational(2, 5)).key, f64::NEG_INFINITY);
        assert_eq!(training.best_cut(Condition::Skew, &rational(3, 5)).key, f64::INFINITY);
    }
}
