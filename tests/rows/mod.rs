//! Rows drawn for tests of scored data, and what they say one by one in rational arithmetic.
#![allow(dead_code)]

use proptest::prelude::*;
use rocproof::Cost;
use rocproof::arith::Rational;
use rocproof::arith::rational::from_f64;
use rocproof::calculus::Estimate;
use rocproof::data::{Scored, evaluate_scored};
use rocproof::functional::{Evaluation, Thresholds, Value};

/// Rows: a score in 16ths, which is exact and often tied, whether it is of class 1, and a weight.
#[derive(Clone, Debug)]
pub struct Rows {
    pub scores: Vec<f64>,
    pub classes: Vec<bool>,
    pub weights: Vec<f64>,
}

pub fn q(value: f64) -> Rational {
    from_f64(value).unwrap()
}

pub fn whole(n: usize) -> Rational {
    Rational::from(n)
}

impl Rows {
    pub fn data(&self) -> Scored {
        Scored::from_rows(&self.scores, &self.classes, Some(&self.weights)).unwrap()
    }

    pub fn evaluation(&self) -> Evaluation {
        evaluate_scored(&self.data(), &Cost::uniform(), &Thresholds::default())
    }

    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Score, class and weight of each row.
    pub fn exact(&self) -> Vec<(Rational, bool, Rational)> {
        (0..self.len()).map(|i| (q(self.scores[i]), self.classes[i], q(self.weights[i]))).collect()
    }

    /// The weight of rows that a condition holds for.
    pub fn weight(&self, holds: impl Fn(f64, bool) -> bool) -> Rational {
        let rows = (0..self.len()).filter(|i| holds(self.scores[*i], self.classes[*i]));
        rows.fold(Rational::ZERO, |sum, i| sum + q(self.weights[i]))
    }

    pub fn total(&self) -> Rational {
        self.weight(|_, _| true)
    }

    /// The proportion of a class.
    pub fn pi(&self, class: bool) -> Rational {
        self.weight(|_, c| c == class) / self.total()
    }

    /// The share of a class with scores up to `t`.
    pub fn below(&self, class: bool, t: f64) -> Rational {
        self.weight(|s, c| c == class && s <= t) / self.weight(|_, c| c == class)
    }

    /// The distinct scores in order.
    pub fn distinct(&self) -> Vec<f64> {
        let mut scores = self.scores.clone();
        scores.sort_by(f64::total_cmp);
        scores.dedup();
        scores
    }

    /// The area under the ROC curve: pairs in the right order, half of those that are tied.
    pub fn auc(&self) -> Rational {
        let (rows, mut pairs) = (self.exact(), Rational::ZERO);
        for (s, _, w) in rows.iter().filter(|row| !row.1) {
            for (t, _, v) in rows.iter().filter(|row| row.1) {
                let credit = if s < t { whole(2) } else { whole(usize::from(s == t)) };
                pairs += credit * w * v;
            }
        }
        pairs / (whole(2) * self.weight(|_, c| !c) * self.weight(|_, c| c))
    }
}

fn rows_with(weights: impl Strategy<Value = f64>, most: usize) -> impl Strategy<Value = Rows> {
    prop::collection::vec((0u8..=16, any::<bool>(), weights), 2..most)
        .prop_filter("both classes", |rows| rows.iter().any(|r| r.1) && rows.iter().any(|r| !r.1))
        .prop_map(|rows| Rows {
            scores: rows.iter().map(|r| f64::from(r.0) / 16.0).collect(),
            classes: rows.iter().map(|r| r.1).collect(),
            weights: rows.iter().map(|r| r.2).collect(),
        })
}

/// Rows with weights that are quarters.
pub fn weighted() -> impl Strategy<Value = Rows> {
    rows_with((1u8..12).prop_map(|w| f64::from(w) / 4.0), 40)
}

/// Rows with weights and scores that floats round: tenths, and anything.
pub fn rough() -> impl Strategy<Value = Rows> {
    let rows = rows_with(prop_oneof![(1u8..9).prop_map(|w| f64::from(w) / 10.0), 0.01..3.0f64], 40);
    (rows, prop::collection::vec(prop_oneof![(0u8..=10).prop_map(|s| f64::from(s) / 10.0), 0.0..1.0f64], 40))
        .prop_map(|(rows, scores)| Rows { scores: scores[..rows.len()].to_vec(), ..rows })
}

/// Rows with weights, round or not.
pub fn any_rows() -> impl Strategy<Value = Rows> {
    prop_oneof![weighted(), rough()]
}

/// Rows of weight one.
pub fn plain() -> impl Strategy<Value = Rows> {
    rows_with(Just(1.0), 40)
}

/// Rows of weight one without ties.
pub fn untied() -> impl Strategy<Value = Rows> {
    let classes = prop::collection::vec(any::<bool>(), 2..24);
    let classes = classes.prop_filter("both classes", |c| c.contains(&true) && c.contains(&false));
    classes.prop_map(|classes| {
        let n = classes.len();
        Rows { scores: (0..n).map(|i| i as f64 / 32.0).collect(), classes, weights: vec![1.0; n] }
    })
}

/// Whether a value with its error holds the truth, and the error is small.
pub fn holds(value: &Value, truth: &Rational) -> bool {
    let Some(Estimate { value, error }) = value.estimate() else { return false };
    let off = q(value) - truth;
    error < 1e-12 && off.clone() <= q(error) && -off <= q(error)
}
