//! How far a chain of stretches may be from convex.
//!
//! Let `θ` be the share of class 1 in the direction of the chain, as a function of the mass `s` of both classes. Any `θ'` that never
//! falls is the direction of a convex curve that starts where the chain does, and no point of it is further away than `∫ |θ' - θ| ds`,
//! in `F0` or in `F1`. Here `θ'` is `θ` kept between levels that never fall.
//!
//! What that is worth: let `A(c)` and `B(c)` be the integrals of `c w(c)` and `(1-c) w(c)` from 0. The integral of `Q(c) w(c) dc` along any
//! chain from (0, 0) to (1, 1) is `2 π1 B(1) + 2 ∫ h(θ) ds` with `h(θ) = π0 A(c) (1-θ) - π1 B(c) θ`, where `c` is the posterior of `θ`;
//! and `h' = -(π0 A + π1 B)` is at most 1 in size, whatever the costs and the proportions. So with a distance `D`, and nothing further than `e`
//! beyond its chords, the chain's integral is off the optimal loss of the hull by at most `2e` for what lies beyond, `2D` for the directions,
//! `2D` for the points of the convex curve, and `2D` where stretches without a direction are passed straight: less than `2 (e + 4D)`.
//! A refinement loss is such an integral under uniform costs; an area changes by no more than `2 (e + 2D)`.

use crate::arith::Interval;
use crate::calculus::patch::{Motion, Patch};

/// How often a stretch is halved to find where it reaches a level.
const MOST_HALVINGS: u32 = 60;

/// What is known of the direction along stretches that go on from one another.
struct Course<'a> {
    patches: &'a [Patch],
    mass: f64,
    /// All directions that they may have; if they never fall, the one at the start and the one at the end.
    directions: Result<Interval, [Interval; 2]>,
}

fn never_falls(patch: &Patch) -> bool {
    patch.motion == Motion::Arc && patch.bend.rough_range().lo() >= 0.0
}

impl Course<'_> {
    fn new(patches: &[Patch]) -> Course<'_> {
        let mass = patches.iter().map(Patch::most_mass).sum();
        let directions = match patches {
            [first, .., last] => Err([rising(first, -1.0), rising(last, 1.0)]),
            [only] if never_falls(only) => Err([-1.0, 1.0].map(|u| rising(only, u))),
            [only] => Ok(only.share[1].range().meet(Interval::UNIT)),
            [] => Ok(Interval::UNIT),
        };
        Course { patches, mass, directions }
    }

    /// The direction in the middle of what is known of it, at the start and at the end.
    fn ends(&self) -> [f64; 2] {
        self.directions.map_or_else(|ends| ends.map(Interval::mid), |all| [all.mid(); 2])
    }

    /// A bound on `∫ |θ' - θ| ds` if `θ'` is kept between two levels.
    fn moved(&self, low: f64, high: f64) -> f64 {
        let [start, end] = match self.directions {
            Err(ends) => ends,
            Ok(all) => {
                // A constant.
                let off = all - Interval::from(all.mid().clamp(low, high));
                return (Interval::from(off.magnitude()) * Interval::from(self.mass)).hi();
            }
        };
        // As far as the place from which on it is above the level, and from the place up to which it is below.
        let mut moved = Interval::ZERO;
        for patch in self.patches.iter().take_while(|patch| rising(patch, -1.0).lo() < low) {
            let reached = last_place(|u| rising(patch, u).lo() < low);
            moved = moved + (Interval::from(low) - start) * speed(patch) * (Interval::from(reached) + Interval::ONE);
        }
        for patch in self.patches.iter().rev().take_while(|patch| rising(patch, 1.0).hi() > high) {
            let left = last_place(|u| rising(patch, -u).hi() > high);
            moved = moved + (end - Interval::from(high)) * speed(patch) * (Interval::from(left) + Interval::ONE);
        }
        moved.hi()
    }
}

/// The share of class 1 in the direction at a place.
fn rising(patch: &Patch, u: f64) -> Interval {
    patch.direction(Interval::from(u))[1]
}

/// The mass of both classes for each unit of `u`, at most.
fn speed(patch: &Patch) -> Interval {
    Interval::from((patch.rate[0] + patch.rate[1]).rough_range().hi())
}

/// A place from which on something is not so, where it stays so once it is.
fn last_place(is_so: impl Fn(f64) -> bool) -> f64 {
    if is_so(1.0) {
        return 1.0;
    }
    let (mut lo, mut hi) = (-1.0, 1.0);
    for _ in 0..MOST_HALVINGS {
        let middle = lo / 2.0 + hi / 2.0;
        if middle <= lo || middle >= hi {
            break;
        }
        if is_so(middle) { lo = middle } else { hi = middle }
    }
    hi
}

/// Values that never fall and are as close to the given ones as can be, squares weighted: neighbours that fall are pooled.
fn never_falling(values: &[(f64, f64)]) -> Vec<f64> {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for &(value, weight) in values {
        let mut pool = (value, weight, 1);
        while let Some(&(before, its_weight, count)) = pools.last().filter(|(before, ..)| *before > pool.0) {
            let sum = its_weight + pool.1;
            let share = if sum > 0.0 { pool.1 / sum } else { 0.5 };
            pool = (before + (pool.0 - before) * share, sum, count + pool.2);
            pools.pop();
        }
        pools.push(pool);
    }
    pools.iter().flat_map(|&(value, _, count)| std::iter::repeat_n(value, count)).collect()
}

/// How far from a chain there is a convex curve, in `F0` or in `F1`.
pub(super) fn distance_to_convex(patches: &[Patch]) -> f64 {
    let courses: Vec<Course> =
        patches.chunk_by(|a, b| never_falls(a) && never_falls(b) && b.smooth).map(Course::new).collect();
    // What has no direction has no say in the levels.
    let has_say = |course: &Course| course.patches.iter().all(Patch::is_directed);
    let ends: Vec<(f64, f64)> = courses
        .iter()
        .filter(|course| has_say(course))
        .flat_map(|course| course.ends().map(|end| (end, course.mass)))
        .collect();
    let fitted = never_falling(&ends);
    let (mut low, mut next) = (0.0f64, 0);
    let mut distance = 0.0;
    for course in &courses {
        // Between where one course ends and the next one starts.
        let high = if has_say(course) {
            next += 2;
            fitted.get(next).map_or(1.0, |start| fitted[next - 1] / 2.0 + start / 2.0).clamp(low, 1.0)
        } else {
            low
        };
        let moved = course.moved(low, high);
        distance += if moved.is_nan() { f64::INFINITY } else { moved };
        low = high;
    }
    // A sum of tens of thousands of floats.
    distance * (1.0 + 1e-11)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::calculus::patch::Spot;
    use crate::functional::certified::enclosed_curve;

    #[test]
    fn neighbours_that_fall_are_pooled() {
        assert_eq!(never_falling(&[(0.5, 1.0), (0.25, 3.0), (0.75, 1.0)]), [0.3125, 0.3125, 0.75]);
        assert_eq!(never_falling(&[(0.75, 1.0), (0.5, 1.0), (0.25, 2.0)]), [0.4375; 3]);
    }

    /// Straight stretches with these masses of both classes.
    pub(in crate::transform::certified_hull) fn polygon(steps: &[[f64; 2]]) -> Vec<Patch> {
        let spot = |below: [f64; 2]| Spot {
            x: [Interval::ZERO; 2],
            below: below.map(Interval::from),
            above: below.map(|f| Interval::ONE - Interval::from(f)),
        };
        let mut at = [0.0; 2];
        let mut straight = |step: &[f64; 2]| {
            let from = spot(at);
            at = [at[0] + step[0], at[1] + step[1]];
            Patch::straight(from, spot(at), step.map(Interval::from))
        };
        steps.iter().map(&mut straight).collect()
    }

    #[test]
    fn a_convex_polygon_has_no_distance_and_others_no_less_than_theirs() {
        assert!(distance_to_convex(&polygon(&[[0.5, 0.125], [0.25, 0.125], [0.25, 0.75]])) < 1e-15);
        // One corner is 1/8 beyond the diagonal: no convex curve from (0, 0) is closer than half of that.
        let bent = distance_to_convex(&polygon(&[[0.375, 0.625], [0.625, 0.375]]));
        assert!((0.0625..0.5).contains(&bent), "{bent}");
        // What carries little moves little.
        let nearly = distance_to_convex(&polygon(&[[0.5, 0.25], [9.313225746154785e-10, 0.0], [0.5, 0.75]]));
        assert!(nearly < 1e-9, "{nearly}");
    }
    /// The stretches of a model.
    fn stretches(f0: &str, f1: &str) -> Vec<Patch> {
        let model = crate::Model::new(f0, f1, "1/2").unwrap();
        enclosed_curve(&model, 1.0).unwrap().massive().cloned().collect()
    }

    /// Along `(x, x²)` the direction is `2x/(1 + 2x)`, and the mass `(1 + 2x) dx`.
    #[test]
    fn what_is_moved_is_not_less_than_it_is() {
        let patches = stretches("1", "2*x");
        let course = Course::new(&patches);
        // Up to 1/4 as far as x = 1/6: 1/48; down to 1/2 from x = 1/2 on: 1/8.
        let (up, down) = (course.moved(0.25, 1.0), course.moved(0.0, 0.5));
        assert!((1.0 / 48.0..0.1).contains(&up) && (0.125..0.3).contains(&down), "{up} {down}");
        assert!(course.moved(0.0, 1.0) < 1e-15);
    }

    #[test]
    fn a_corner_that_turns_back_and_a_lump_have_a_distance() {
        // The middle of x = 0.3, 0.5, 0.7 lies 0.08 above the line between the others, which rises by at most 2.
        let back = distance_to_convex(&stretches("uniform(0, 1)", "{ 4*x on [0, 1/2]; 4/3*x on [1/2, 1] }"));
        assert!((0.013..0.5).contains(&back), "{back}");
        let mut patches = polygon(&[[0.25, 0.25], [0.5, 0.5], [0.25, 0.25]]);
        let [start, end] = [patches[1].start, patches[1].end];
        patches[1] = Patch::lump(start, end, [Interval::from(0.5); 2], Interval::ZERO, Interval::ALL);
        // It may go on to (3/4, 1/4): a convex curve is 1/8 away from the corner or from an end.
        let lump = distance_to_convex(&patches);
        assert!((0.125..=1.0).contains(&lump), "{lump}");
    }
}
