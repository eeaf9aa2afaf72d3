//! Scores of both classes, sorted.

use crate::calculus::panel::Point;

/// Scores with their classes, sorted. Equal scores are ties; nearly equal ones are not.
///
/// ```
/// use rocproof::data::Scored;
/// let data = Scored::from_rows(&[0.1, 0.4, 0.4, 0.8], &[false, true, false, true], None).unwrap();
/// let steps: Vec<_> = data.steps().map(|step| (step.x, step.mass)).collect();
/// assert_eq!(steps, [(0.1, [1.0, 0.0]), (0.4, [1.0, 1.0]), (0.8, [0.0, 1.0])]);
/// ```
#[derive(Clone, Debug)]
pub struct Scored {
    /// The scores of each class, never falling.
    scores: [Vec<f64>; 2],
    /// The weight of each of them; 1 if there are none.
    weights: Option<[Vec<f64>; 2]>,
    /// The weight of each class.
    totals: [f64; 2],
}

/// Why rows are no scored data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BadScore {
    /// There are not as many labels or weights as scores.
    Ragged,
    /// The score in this row is not a finite number.
    Score(usize, f64),
    /// The weight in this row is negative or not a finite number.
    Weight(usize, f64),
    /// No row of this class has any weight.
    OneClass(usize),
}

impl std::fmt::Display for BadScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadScore::Ragged => write!(f, "there must be one label, and one weight if any, for each score"),
            BadScore::Score(row, score) => write!(f, "the score in row {row} is {score}; scores are finite numbers"),
            BadScore::Weight(row, weight) => {
                write!(f, "the weight in row {row} is {weight}; weights are finite and not negative")
            }
            BadScore::OneClass(class) => write!(f, "no row of class {class}: both classes are needed"),
        }
    }
}

impl std::error::Error for BadScore {}

/// All rows with one score: its weight in each class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The score.
    pub x: f64,
    /// The weight of class 0 and of class 1.
    pub mass: [f64; 2],
}

impl Scored {
    /// Reads rows: a score, whether it is of class 1, and perhaps a weight.
    pub fn from_rows(scores: &[f64], is_class_1: &[bool], weights: Option<&[f64]>) -> Result<Scored, BadScore> {
        if scores.len() != is_class_1.len() || weights.is_some_and(|w| w.len() != scores.len()) {
            return Err(BadScore::Ragged);
        }
        if let Some(row) = scores.iter().position(|score| !score.is_finite()) {
            return Err(BadScore::Score(row, scores[row]));
        }
        let Some(weights) = weights else {
            let ones = is_class_1.iter().filter(|is_1| **is_1).count();
            let mut classes = [Vec::with_capacity(scores.len() - ones), Vec::with_capacity(ones)];
            for (score, is_1) in scores.iter().zip(is_class_1) {
                // No zero is below another.
                classes[usize::from(*is_1)].push(score + 0.0);
            }
            classes.iter_mut().for_each(|class| class.sort_unstable_by(f64::total_cmp));
            let totals = classes.each_ref().map(|class| class.len() as f64);
            return Scored { scores: classes, weights: None, totals }.checked();
        };
        if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
            return Err(BadScore::Weight(row, weights[row]));
        }
        let rows = scores.iter().zip(is_class_1).zip(weights).map(|((score, is_1), weight)| (*score, *is_1, *weight));
        Scored::from_weighted(rows)
    }

    /// Reads groups, as `GROUP BY` makes them: a score and the weight of each class with it, in any order.
    pub fn from_groups(groups: &[Step]) -> Result<Scored, BadScore> {
        for (row, step) in groups.iter().enumerate() {
            if !step.x.is_finite() {
                return Err(BadScore::Score(row, step.x));
            }
            if let Some(weight) = step.mass.iter().find(|w| !(w.is_finite() && **w >= 0.0)) {
                return Err(BadScore::Weight(row, *weight));
            }
        }
        Scored::from_weighted(groups.iter().flat_map(|s| [(s.x, false, s.mass[0]), (s.x, true, s.mass[1])]))
    }

    fn from_weighted(rows: impl Iterator<Item = (f64, bool, f64)>) -> Result<Scored, BadScore> {
        let mut classes = [Vec::new(), Vec::new()];
        for (score, is_1, weight) in rows.filter(|(.., weight)| *weight > 0.0) {
            classes[usize::from(is_1)].push((score + 0.0, weight));
        }
        classes.iter_mut().for_each(|class| class.sort_unstable_by(|a, b| a.0.total_cmp(&b.0)));
        let totals =
            classes.each_ref().map(|class| class.iter().fold(Sum::default(), |sum, row| sum.plus(row.1)).value());
        let [class0, class1] = classes.map(|class| class.into_iter().unzip::<f64, f64, Vec<f64>, Vec<f64>>());
        Scored { scores: [class0.0, class1.0], weights: Some([class0.1, class1.1]), totals }.checked()
    }

    fn checked(self) -> Result<Scored, BadScore> {
        match self.totals.iter().position(|total| *total <= 0.0) {
            Some(class) => Err(BadScore::OneClass(class)),
            None => Ok(self),
        }
    }

    /// The proportions of both classes.
    pub fn proportions(&self) -> (f64, f64) {
        let [n0, n1] = self.totals;
        (n0 / (n0 + n1), n1 / (n0 + n1))
    }

    /// The weight of both classes.
    pub fn totals(&self) -> [f64; 2] {
        self.totals
    }

    /// The smallest and the largest score.
    pub fn ends(&self) -> (f64, f64) {
        let first = self.scores.iter().filter_map(|s| s.first()).copied().fold(f64::INFINITY, f64::min);
        let last = self.scores.iter().filter_map(|s| s.last()).copied().fold(f64::NEG_INFINITY, f64::max);
        (first, last)
    }

    /// The ties, in the order of their scores.
    pub fn steps(&self) -> Steps<'_> {
        Steps { data: self, next: [0; 2] }
    }

    /// `Cal`: adjacent ties are pooled until the share of class 1 grows, and their score becomes that share. The ties that are left
    /// are the segments of the hull of the ROC curve.
    pub fn pooled(&self) -> Scored {
        let mut pools: Vec<Step> = Vec::new();
        for step in self.steps() {
            let mut pool = step;
            while let Some(last) = pools.pop_if(|last| !has_lower_share(&last.mass, &pool.mass)) {
                pool.mass = [last.mass[0] + pool.mass[0], last.mass[1] + pool.mass[1]];
            }
            pools.push(pool);
        }
        let mut scores = [Vec::new(), Vec::new()];
        let mut weights = [Vec::new(), Vec::new()];
        for Step { mass, .. } in pools {
            for class in [0, 1].into_iter().filter(|class| mass[*class] > 0.0) {
                scores[class].push(mass[1] / (mass[0] + mass[1]));
                weights[class].push(mass[class]);
            }
        }
        Scored { scores, weights: Some(weights), totals: self.totals }
    }

    /// A point of the curve, given the weights up to it.
    pub(super) fn point(&self, x: f64, reached: [f64; 2]) -> Point {
        let below = |k: usize| (reached[k] / self.totals[k]).min(1.0);
        let above = |k: usize| ((self.totals[k] - reached[k]) / self.totals[k]).max(0.0);
        Point { x, x_complement: 1.0 - x, below: [below(0), below(1)], above: [above(0), above(1)] }
    }
}

/// Whether class 1 has a smaller share in one than in the other. Products of weights are compared with what rounding took off them.
fn has_lower_share(one: &[f64; 2], other: &[f64; 2]) -> bool {
    let (a, b) = (one[1] * other[0], other[1] * one[0]);
    if a != b { a < b } else { one[1].mul_add(other[0], -a) < other[1].mul_add(one[0], -b) }
}

/// The ties of scored data, one by one.
pub struct Steps<'a> {
    data: &'a Scored,
    next: [usize; 2],
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let [s0, s1] = &self.data.scores;
        let x = match (s0.get(self.next[0]), s1.get(self.next[1])) {
            (None, None) => return None,
            (Some(x), None) | (None, Some(x)) => *x,
            (Some(a), Some(b)) => a.min(*b),
        };
        let mut mass = [0.0; 2];
        for class in [0, 1] {
            let scores = &self.data.scores[class];
            let from = self.next[class];
            let mut to = from;
            while scores.get(to) == Some(&x) {
                to += 1;
            }
            mass[class] = match &self.data.weights {
                None => (to - from) as f64,
                Some(weights) => weights[class][from..to].iter().sum(),
            };
            self.next[class] = to;
        }
        Some(Step { x, mass })
    }
}

/// A sum that keeps what rounding takes off it (Neumaier).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    pub(super) fn plus(self, term: f64) -> Sum {
        let sum = self.sum + term;
        let lost = if self.sum.abs() >= term.abs() { (self.sum - sum) + term } else { (term - sum) + self.sum };
        Sum { sum, lost: self.lost + lost }
    }

    pub(super) fn value(self) -> f64 {
        self.sum + self.lost
    }
}
