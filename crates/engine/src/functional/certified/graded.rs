//! Geometric grading of straight patches towards an end where the density of operating conditions is singular.
//!
//! Part `k` covers distances `d` from the singular end with `ln d` in an interval of length `2·HALF`, so a power of `d` is a smooth
//! exponential on each part.

use super::weight::EnclosedCosts;
use crate::calculus::patch::{EnclosedPoint, Patch};
use rocproof_arith::{Interval, Series, libm};

/// Largest share of the mass of all conditions in the last part, next to the singular end.
const LAST_SHARE: f64 = 1e-18;
/// Half the length of a part in `ln d`.
const HALF: f64 = 1.5;
/// Largest number of parts: smaller distances are not floats.
const MOST_PARTS: usize = 230;

/// Cuts a straight patch into parts, graded towards the start if an operating condition may be 0 there, and towards the end if one
/// may be 1 there.
pub(super) fn grade_towards_ends(patch: &Patch, weight: &EnclosedCosts) -> Vec<Patch> {
    let are_zero = |v: [Interval; 2]| v == [Interval::ZERO; 2];
    let (start, end) = (&patch.start, &patch.end);
    let at_start = !weight.is_smooth() && (start.x[0] == Interval::ZERO || are_zero(start.below));
    let at_end = !weight.is_smooth() && (end.x[1] == Interval::ZERO || are_zero(end.above));
    // The mass within a distance d of the end is about d^power, and each part multiplies d by e^(-2·HALF).
    let needed = libm::log(LAST_SHARE) / weight.least_power() / (-2.0 * HALF);
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
    /// The largest distance from that end, relative to the patch: 1 for the whole patch, 1/2 for half of it.
    reach: f64,
}

impl GradedStretch<'_> {
    /// `count` parts of equal length in `ln d`, and one last part with the remaining distances down to 0.
    fn parts(&self, count: usize) -> Vec<Patch> {
        let parts = (0..count).map(|k| {
            // d = reach·e^(middle ± HALF·u), for the parameter u from -1 to 1.
            let middle = Interval::from(-2.0 * HALF * k as f64 - HALF);
            let slope = if self.is_forward { HALF } else { -HALF };
            let distance = Series::linear(middle, Interval::from(slope)).exp().scaled(Interval::from(self.reach));
            self.part(distance, distance.scaled(Interval::from(HALF)))
        });
        // Half the length of the last part, on which the distance is linear.
        let half = Interval::from(-2.0 * HALF * count as f64).exp() * Interval::from(self.reach / 2.0);
        let distance = Series::linear(half, if self.is_forward { half } else { -half });
        parts.chain([self.part(distance, Series::from(half))]).collect()
    }

    /// The part of the patch on which the distance from the end, relative to the patch, is `distance`; `speed` is the absolute value of its
    /// derivative.
    fn part(&self, distance: Series, speed: Series) -> Patch {
        let Patch { start, end, rate, dx, .. } = self.patch;
        let (near_end, far_end) = if self.is_forward { (start, end) } else { (end, start) };
        // near + distance·(far - near), for a pair of coordinates.
        let interpolate = |near: [Interval; 2], far: [Interval; 2]| {
            [0, 1].map(|k| Series::from(near[k]) + distance.scaled(far[k] - near[k]))
        };
        let no_mass = rate.iter().all(Series::is_zero);
        // F0 and F1, or their complements. Without mass they are constant, and the series of the patch hold.
        let rates_at = |coordinates: fn(&EnclosedPoint) -> [Interval; 2], constant: [Series; 2]| {
            if no_mass { constant } else { interpolate(coordinates(near_end), coordinates(far_end)) }
        };
        // `rate` and `dx` are per unit of the patch's parameter, which runs over 2 while `distance` runs over 1: hence the factor 2.
        let doubled_speed = speed.scaled(Interval::from(2.0));
        let part = Patch {
            x: interpolate(near_end.x, far_end.x),
            dx: *dx * doubled_speed,
            below: rates_at(|point| point.below, self.patch.below),
            above: rates_at(|point| point.above, self.patch.above),
            rate: rate.map(|rate| rate * doubled_speed),
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
    fn graded_parts_resolve_a_singular_weight() {
        let point = |x: f64| EnclosedPoint {
            x: [Interval::from(x), Interval::ONE - Interval::from(x)],
            below: [Interval::ZERO; 2],
            above: [Interval::ONE; 2],
        };
        let gap = Patch::straight(point(0.0), point(1.0), [Interval::ZERO; 2]);
        for [a, b] in [[0.3, 0.7], [1.5, 2.5], [0.5, 3.0]] {
            let weight = EnclosedCosts::new(&[a, b].map(|v| Constant::real(v, Interval::from(v)))).unwrap();
            let mass_on = |part: &Patch| (weight.along(&part.x[0], &part.x[1]) * part.dx).integral();
            // Each part is cut into eighths, from u = -1 to 1 in steps of 1/4.
            let eighths =
                |part: &Patch| [0, 1, 2, 3, 4, 5, 6, 7].map(|k| part.part(k as f64 / 4.0 - 1.0, k as f64 / 4.0 - 0.75));
            let parts: Vec<Patch> = grade_towards_ends(&gap, &weight).iter().flat_map(eighths).collect();
            // The last parts, next to the ends, have no bounded series; they carry less than 1e-16.
            let known = parts.iter().map(mass_on).filter(|v| v.is_bounded()).fold(Interval::ZERO, |a, b| a + b);
            assert!(
                (known + Interval::around(0.0, 1e-16)).contains(1.0) && known.width() < 1e-12,
                "{a} {b}: {known:?}"
            );
        }
    }
}
