//! Everything that `eval` says, of scored data.

use super::integrals::{integrals, walk};
use super::scored::Scored;
use crate::calculus::Estimate;
use crate::calculus::panel::{Corner, Point, posterior};
use crate::functional::along::along;
use crate::functional::evaluate::evaluate_readable;
use crate::functional::group::Group;
use crate::functional::program::View;
use crate::functional::readable::{Doubts, Readable};
use crate::functional::{Cost, Evaluation, Fixed};
use crate::model::Curve;

/// How many corners are integrated around at once.
const CHUNK: usize = 512;

/// All metrics and expected losses of scored data.
///
/// ```
/// use rocproof::data::{Scored, evaluate_scored};
/// use rocproof::{Cost, functional::Fixed};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
/// let evaluation = evaluate_scored(&data, &Cost::uniform(), Fixed::default());
/// assert_eq!(evaluation.metric("AUC").unwrap().estimate().unwrap().value, 0.75);
/// ```
pub fn evaluate_scored(data: &Scored, cost: &Cost, fixed: Fixed) -> Evaluation {
    let hull = data.pooled();
    evaluate_readable(data, &hull, data.proportions(), cost, fixed)
}

impl Readable for Scored {
    fn range(&self) -> (f64, f64) {
        let (first, last) = self.ends();
        if first >= 0.0 && last <= 1.0 { (0.0, 1.0) } else { (first, last) }
    }

    fn doubts(&self) -> Doubts {
        Doubts::default()
    }

    fn integrals<const N: usize>(&self, asked: [(&Group, &View); N]) -> [Vec<Estimate>; N] {
        integrals(self, Readable::range(self), asked)
    }

    fn with_corners(&self, group: &Group, view: &View) -> Vec<Estimate> {
        let frame = Curve { panels: Vec::new(), ..Curve::diagonal() };
        let mut corners: Vec<(usize, Corner)> = Vec::with_capacity(CHUNK);
        let mut sums = vec![Estimate { value: 0.0, error: 0.0 }; group.names.len()];
        let mut flush = |corners: &mut Vec<(usize, Corner)>| {
            for (sum, found) in sums.iter_mut().zip(along(&frame, corners, group, view)) {
                *sum = Estimate { value: sum.value + found.value, error: sum.error + found.error };
            }
            corners.clear();
        };
        let mut direction = [1.0, 0.0];
        let mut last = self.point(0.0, [0.0; 2]);
        let mut turn = |at: &Point, to: [f64; 2]| {
            if to != direction {
                let [from, to] = [direction, to].map(|q| posterior(q, (view.pi0, view.pi1)));
                corners.push((0, Corner { at: *at, from, to }));
            }
            direction = to;
            if corners.len() == CHUNK {
                flush(&mut corners);
            }
        };
        walk(self, Readable::range(self), |start, end, [dx, d0, d1]| {
            if dx == 0.0 {
                turn(start, [d0 / (d0 + d1), d1 / (d0 + d1)]);
            }
            last = *end;
        });
        turn(&last, [0.0, 1.0]);
        flush(&mut corners);
        sums
    }

    fn at_score(&self, t: f64) -> Point {
        let mut found = self.point(t, [0.0; 2]);
        walk(self, Readable::range(self), |_, end, [dx, ..]| {
            if dx == 0.0 && end.x <= t {
                found = Point { x: t, x_complement: 1.0 - t, ..*end };
            }
        });
        found
    }

    fn at_rate(&self, r: f64, pi0: f64) -> Point {
        let mut found = None;
        let mut last = self.point(0.0, [0.0; 2]);
        walk(self, Readable::range(self), |start, end, [dx, ..]| {
            let (from, to) = (start.rate(pi0), end.rate(pi0));
            if found.is_none() && dx == 0.0 && r <= to {
                found = Some(start.toward(end, ((r - from) / (to - from)).clamp(0.0, 1.0)));
            }
            last = *end;
        });
        found.unwrap_or(last)
    }

    fn largest(&self, value_at: &dyn Fn(&Point) -> f64) -> f64 {
        let mut largest = 0.0f64;
        walk(self, Readable::range(self), |_, end, [dx, ..]| {
            if dx == 0.0 {
                largest = largest.max(value_at(end));
            }
        });
        largest
    }
}
