//! How far a chain of stretches may be from the hull, and under which operating conditions that counts.
//!
//! Let `θ` be the share of class 1 in the direction of the chain, as a function of the mass `s` of both classes. Along the chain the loss
//! `Q` under a condition `c` changes by `2 k (θ - t) ds`, where `k = π0 c + π1 (1-c)` and `t` is the direction whose posterior is `c`. What
//! `∫ Q(c) w(c) dc` along the chain counts under `c` are the losses where `θ` rises through `t`, less those where it falls through `t`.
//!
//! Let `θ'` be any direction that never falls, `s'` where it passes `t`, and `W` the integral of `|θ - t|` over what goes the wrong way: before
//! `s'` where `θ > t`, and after it where `θ < t`. Between rising and falling through `t`, and between falling and rising, `Q` changes by
//! the integral of `2 k (θ - t)`; so what is counted is `Q(s') - 2 k W`, while no loss on the chain is lower than that, and the least is
//! not above `Q(s')`. Hence it is off the least loss by at most `2 k W`, and `W` is at most the integral of `|θ' - θ|` over those `s` for which
//! `t` lies between `θ'` and `θ`. Here `θ'` is `θ` kept between levels that never fall.
//!
//! `k t = π0 c` and `k (1-t) = π1 (1-c)`, so what is moved up counts at most as much as if its mass of class 0 alone were off, and what is
//! moved down as if that of class 1 alone were.
//!
//! Stretches without a direction are passed at once, from a direction `α` before them to `β` after, at any of their points. That counts what
//! goes the right way there, too, unless `t` lies between `α` and a larger `β`, and then the point may be chosen so that nothing is: at most
//! `θ - t` where `β < t < θ`, and `t - θ` where `θ < t < α`.
//!
//! What lies beyond a chord by `e` has the least loss only if `t` is among its directions, and lowers it by `2 k e` at most.
//!
//! A refinement loss is such an integral under uniform costs. An area grows by `(θ - θ*) ds ds*` with each pair of steps, of directions `θ` and
//! `θ*` and in the wrong order, that change places; with all of them in order no curve of these steps has more. As `θ'` never falls, that is at
//! most twice the integral of `|θ' - θ|`, and what lies beyond chords by `e` adds at most `2e`.

use crate::calculus::patch::{Patch, PatchMotion};
use rocproof_arith::Interval;

/// How often a stretch is halved to find where it reaches a level.
const MOST_HALVINGS: u32 = 60;

/// What a sum of tens of thousands of floats is to be multiplied with to be no less than it is.
const SUMMED: f64 = 1.0 + 1e-11;

/// How far off a chain may be where the direction lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct Slack {
    /// How far, in `F0` and in `F1`.
    pub by: f64,
    /// How far if it is off in one class alone, and which.
    pub alone: Option<(usize, f64)>,
    /// The directions, as shares of class 1.
    pub directions: Interval,
}

impl Slack {
    /// Slack by so much anywhere.
    pub(super) fn anywhere(by: f64) -> Slack {
        Slack { by, alone: None, directions: Interval::UNIT }
    }

    /// A mass whose direction may be anything between two levels, and should be the first.
    fn moved(mass: Interval, from: Interval, to: Interval, class: usize) -> Slack {
        let way = if class == 0 { from - to } else { to - from };
        let by = match (mass * way).hi() {
            // Nothing is known.
            by if by.is_nan() => f64::INFINITY,
            by => by.max(0.0),
        };
        Slack { by, alone: Some((class, mass.hi())), directions: from.hull(to) }
    }
}

/// What is known of the direction along stretches that go on from one another.
struct Course<'a> {
    patches: &'a [Patch],
    mass: f64,
    /// All directions that they may have; if they never fall, the one at the start and the one at the end.
    directions: Result<Interval, [Interval; 2]>,
}

fn never_falls(patch: &Patch) -> bool {
    patch.motion == PatchMotion::Arc && patch.bend.rough_range().lo() >= 0.0
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

    /// Bounds on `∫ |θ' - θ| ds` if `θ'` is kept between two levels: all of it, what is moved up, and what is moved down.
    fn moved(&self, low: f64, high: f64) -> (f64, [Slack; 2]) {
        let [start, end] = match self.directions {
            Err(ends) => ends,
            Ok(all) => {
                // A constant.
                let level = Interval::from(all.mid().clamp(low, high));
                let mass = Interval::from(self.mass);
                let [least, most] = [all.lo(), all.hi()].map(Interval::from);
                let offs = [Slack::moved(mass, level, least, 0), Slack::moved(mass, level, most, 1)];
                return (offs[0].by.max(offs[1].by), offs);
            }
        };
        // As far as the place from which on it is above the level, and from the place up to which it is below.
        let [mut up, mut down] = [Interval::ZERO; 2];
        for patch in self.patches.iter().take_while(|patch| rising(patch, -1.0).lo() < low) {
            let reached = last_place(|u| rising(patch, u).lo() < low);
            up = up + speed(patch) * (Interval::from(reached) + Interval::ONE);
        }
        for patch in self.patches.iter().rev().take_while(|patch| rising(patch, 1.0).hi() > high) {
            let left = last_place(|u| rising(patch, -u).hi() > high);
            down = down + speed(patch) * (Interval::from(left) + Interval::ONE);
        }
        let offs = [Slack::moved(up, Interval::from(low), start, 0), Slack::moved(down, Interval::from(high), end, 1)];
        ((Interval::from(offs[0].by) + Interval::from(offs[1].by)).hi(), offs)
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

/// The integral of `|θ' - θ|`, and what is moved for it.
pub(super) fn off_convex(patches: &[Patch]) -> (f64, Vec<Slack>) {
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
    let mut found = Vec::new();
    for course in &courses {
        // Between where one course ends and the next one starts.
        let high = if has_say(course) {
            next += 2;
            fitted.get(next).map_or(1.0, |start| fitted[next - 1] / 2.0 + start / 2.0).clamp(low, 1.0)
        } else {
            low
        };
        let (moved, offs) = course.moved(low, high);
        distance += moved;
        found.extend(offs.into_iter().filter(|off| off.by != 0.0));
        low = high;
    }
    (distance * SUMMED, found)
}

/// What passing stretches without a direction at once may be off under any one condition, and where.
pub(super) fn off_passed(patches: &[Patch]) -> (f64, Vec<Slack>) {
    let mut most_of_all = 0.0;
    let mut found = Vec::new();
    let mut before = Interval::ZERO;
    let mut at = 0;
    for run in patches.chunk_by(|a, b| a.is_directed() == b.is_directed()) {
        at += run.len();
        if let Some(last) = run.last().filter(|last| last.is_directed()) {
            before = rising(last, 1.0);
            continue;
        }
        let after = patches.get(at).map_or(Interval::ONE, |next| rising(next, -1.0));
        for patch in run {
            let directions = patch.share[1].range().meet(Interval::UNIT);
            let mass = Interval::from(patch.most_mass());
            let [least, most] = [directions.lo(), directions.hi()].map(Interval::from);
            let offs = [Slack::moved(mass, before, least, 0), Slack::moved(mass, after, most, 1)];
            most_of_all += offs[0].by.max(offs[1].by);
            found.extend(offs.into_iter().filter(|off| off.by != 0.0));
        }
    }
    (most_of_all * SUMMED, found)
}

/// The same with all that no value feels taken together.
pub(super) fn gathered(offs: Vec<Slack>) -> Vec<Slack> {
    const LITTLE: f64 = 1e-18;
    // All mass is 2.
    let known = |off: Slack| Slack { by: off.by.min(2.0), ..off };
    let (little, mut found): (Vec<Slack>, Vec<Slack>) = offs.into_iter().map(known).partition(|off| off.by <= LITTLE);
    let by = little.iter().map(|off| off.by).sum::<f64>() * SUMMED;
    if by > 0.0 {
        found.push(Slack::anywhere(by));
    }
    found
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::calculus::patch::EnclosedPoint;
    use crate::functional::certified::enclosed_curve;

    fn distance(patches: &[Patch]) -> f64 {
        off_convex(patches).0
    }

    #[test]
    fn neighbours_that_fall_are_pooled() {
        assert_eq!(never_falling(&[(0.5, 1.0), (0.25, 3.0), (0.75, 1.0)]), [0.3125, 0.3125, 0.75]);
        assert_eq!(never_falling(&[(0.75, 1.0), (0.5, 1.0), (0.25, 2.0)]), [0.4375; 3]);
    }

    /// Straight stretches with these masses of both classes.
    pub(in crate::transform::certified_hull) fn polygon(steps: &[[f64; 2]]) -> Vec<Patch> {
        let spot = |below: [f64; 2]| EnclosedPoint {
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
        assert!(distance(&polygon(&[[0.5, 0.125], [0.25, 0.125], [0.25, 0.75]])) < 1e-15);
        // One corner is 1/8 beyond the diagonal: no convex curve from (0, 0) is closer than half of that.
        let bent = distance(&polygon(&[[0.375, 0.625], [0.625, 0.375]]));
        assert!((0.0625..0.5).contains(&bent), "{bent}");
        // What carries little moves little.
        let nearly = distance(&polygon(&[[0.5, 0.25], [9.313225746154785e-10, 0.0], [0.5, 0.75]]));
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
        let moved = |low: f64, high: f64| course.moved(low, high).0;
        let (up, down) = (moved(0.25, 1.0), moved(0.0, 0.5));
        assert!((1.0 / 48.0..0.1).contains(&up) && (0.125..0.3).contains(&down), "{up} {down}");
        assert!(moved(0.0, 1.0) < 1e-15);
    }

    #[test]
    fn a_corner_that_turns_back_and_a_lump_have_a_distance() {
        // The middle of x = 0.3, 0.5, 0.7 lies 0.08 above the line between the others, which rises by at most 2.
        let back = distance(&stretches("uniform(0, 1)", "{ 4*x on [0, 1/2]; 4/3*x on [1/2, 1] }"));
        assert!((0.013..0.5).contains(&back), "{back}");
        let mut patches = polygon(&[[0.25, 0.25], [0.5, 0.5], [0.25, 0.25]]);
        let [start, end] = [patches[1].start, patches[1].end];
        patches[1] = Patch::lump(start, end, [Interval::from(0.5); 2], Interval::ZERO, Interval::ALL);
        // It may go on to (3/4, 1/4): a convex curve is 1/8 away from the corner or from an end.
        let lump = distance(&patches);
        assert!((0.125..=1.0).contains(&lump), "{lump}");
    }

    /// What no value feels is taken together, not left out; and nothing is off by more than all mass.
    #[test]
    fn little_is_not_nothing() {
        let off = |by: f64| Slack { directions: Interval::new(0.25, 0.5), ..Slack::anywhere(by) };
        let found = gathered(vec![off(5e-19), off(5e-19), off(f64::INFINITY)]);
        assert_eq!(found.len(), 2);
        assert!(found[0].by == 2.0 && found[0].directions.hi() == 0.5, "{found:?}");
        assert!((1e-18..1.1e-18).contains(&found[1].by) && found[1].directions == Interval::UNIT, "{found:?}");
    }

    /// What is passed counts where its direction may lie beyond those of its neighbours, on either side.
    #[test]
    fn what_is_passed_counts_beyond_its_neighbours() {
        let mut patches = polygon(&[[0.75, 0.25], [0.125, 0.125], [0.125, 0.625]]);
        let [start, end] = [patches[1].start, patches[1].end];
        patches[1] = Patch::lump(start, end, [Interval::from(0.125); 2], Interval::ZERO, Interval::ALL);
        // Its mass is 1/4, and the directions next to it are 1/4 and 5/6.
        let (by, offs) = off_passed(&patches);
        assert!((0.0625..0.0626).contains(&by) && offs.len() == 2, "{offs:?}");
        assert!(offs[0].by >= 0.0625 && offs[0].directions.contains(0.25) && offs[0].directions.lo() <= 0.0);
        assert!(offs[1].by >= 0.25 / 6.0 && offs[1].directions.hi() >= 1.0 && !offs[1].directions.contains(0.8));
        assert_eq!([offs[0].alone, offs[1].alone], [Some((0, 0.25)), Some((1, 0.25))]);
    }
}
