//! Geometric grading of straight patches towards an end where the density of operating conditions is singular.
//!
//! Part `k` covers distances `d` from the singular end with `ln d` in an interval of length `2·HALF`, so a power of `d` is a smooth
//! exponential on each part.

use super::weight::EnclosedCosts;
use crate::calculus::patch::{EnclosedPoint, Patch};
use rocproof_arith::{Interval, Series, libm};

/// Share of the mass of all conditions that the last part, next to the end, may carry.
const LEFT: f64 = 1e-18;
/// Half the length of a part in `ln d`.
const HALF: f64 = 1.5;
/// Largest number of parts: smaller distances are not floats.
const MOST_PARTS: usize = 230;

/// Cuts a straight patch into parts, graded towards the start if an operating condition may be 0 there, and towards the end if one
/// may be 1 there.
pub(super) fn grade_towards_ends(patch: &Patch, weight: &EnclosedCosts) -> Vec<Patch> {
    let is_none = |v: [Interval; 2]| v == [Interval::ZERO; 2];
    let (start, end) = (&patch.start, &patch.end);
    let at_start = !weight.is_smooth() && (start.x[0] == Interval::ZERO || is_none(start.below));
    let at_end = !weight.is_smooth() && (end.x[1] == Interval::ZERO || is_none(end.above));
    let needed = libm::log(LEFT) / weight.least_power() / (-2.0 * HALF);
    let count = (needed.ceil() as usize).min(MOST_PARTS);
    match [at_start, at_end] {
        [false, false] => vec![patch.clone()],
        [true, false] => GradedStretch { patch, is_forward: true, reach: 1.0 }.parts(count),
        [false, true] => GradedStretch { patch, is_forward: false, reach: 1.0 }.parts(count),
        [true, true] => {
            [true, false].map(|is_forward| GradedStretch { patch, is_forward, reach: 0.5 }.parts(count)).concat()
        }
    }
}

/// A straight patch, or half of it, seen from one of its ends.
struct GradedStretch<'a> {
    patch: &'a Patch,
    /// Whether distances are measured from the start of the patch.
    is_forward: bool,
    reach: f64,
}

impl GradedStretch<'_> {
    /// `count` parts of equal length in `ln d`, and the rest next to the end.
    fn parts(&self, count: usize) -> Vec<Patch> {
        let parts = (0..count).map(|k| {
            // Distance of the part from the end, relative to the whole patch.
            let far = Interval::from(-2.0 * HALF * k as f64 - HALF);
            let slope = if self.is_forward { HALF } else { -HALF };
            let distance = Series::linear(far, Interval::from(slope)).exp().scaled(Interval::from(self.reach));
            self.part(distance, distance.scaled(Interval::from(HALF)))
        });
        let left = Interval::from(-2.0 * HALF * count as f64).exp() * Interval::from(self.reach / 2.0);
        let distance = Series::linear(left, if self.is_forward { left } else { -left });
        parts.chain([self.part(distance, Series::from(left))]).collect()
    }

    /// The part on which the distance from the end is `distance`, with derivative `speed`.
    fn part(&self, distance: Series, speed: Series) -> Patch {
        let Patch { start, end, rate, dx, .. } = self.patch;
        let (near, far) = if self.is_forward { (start, end) } else { (end, start) };
        let moving = |near: [Interval; 2], far: [Interval; 2]| {
            [0, 1].map(|k| Series::from(near[k]) + distance.scaled(far[k] - near[k]))
        };
        let stands = rate.iter().all(Series::is_zero);
        let of_points = |which: fn(&EnclosedPoint) -> [Interval; 2], known: [Series; 2]| {
            if stands { known } else { moving(which(near), which(far)) }
        };
        // A patch has parameters from -1 to 1, of length 2; `distance` has length 1.
        let faster = speed.scaled(Interval::from(2.0));
        let part = Patch {
            x: moving(near.x, far.x),
            dx: *dx * faster,
            below: of_points(|point| point.below, self.patch.below),
            above: of_points(|point| point.above, self.patch.above),
            rate: rate.map(|rate| rate * faster),
            ..self.patch.clone()
        };
        let [start, end] = [-1.0, 1.0].map(|u| part.at(Interval::from(u)));
        Patch { start, end, ..part }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::Constant;

    /// `∫ x^(a-1) (1-x)^(b-1) dx / B(a, b) = 1` from 0 to 1, over scores without mass.
    #[test]
    fn a_singular_weight_has_mass_1() {
        let point = |x: f64| EnclosedPoint {
            x: [Interval::from(x), Interval::ONE - Interval::from(x)],
            below: [Interval::ZERO; 2],
            above: [Interval::ONE; 2],
        };
        let gap = Patch::straight(point(0.0), point(1.0), [Interval::ZERO; 2]);
        for [a, b] in [[0.3, 0.7], [1.5, 2.5], [0.5, 3.0]] {
            let weight = EnclosedCosts::new(&[a, b].map(|v| Constant::real(v, Interval::from(v)))).unwrap();
            let along = |part: &Patch| (weight.along(&part.x[0], &part.x[1]) * part.dx).integral();
            let parts = grade_towards_ends(&gap, &weight);
            let eighths =
                |part: &Patch| [0, 1, 2, 3, 4, 5, 6, 7].map(|k| part.part(k as f64 / 4.0 - 1.0, k as f64 / 4.0 - 0.75));
            let parts: Vec<Patch> = parts.iter().flat_map(eighths).collect();
            // The last parts, next to the ends, have no bounded series; they carry less than 1e-16.
            let known = parts.iter().map(along).filter(|v| v.is_bounded()).fold(Interval::ZERO, |a, b| a + b);
            assert!(
                (known + Interval::around(0.0, 1e-16)).contains(1.0) && known.width() < 1e-12,
                "{a} {b}: {known:?}"
            );
        }
    }
}
