//! Slack: how far the losses and the area of a chain of patches may be from those of its hull.
//!
//! **Notation.** `s` is the mass of both classes along the chain, and `θ(s)` the share of class 1 in its direction. `Q` is the loss under an
//! operating condition `c`. Then `dQ = 2k (θ - t) ds` with `k = π0 c + π1 (1-c)` and `t = π0 c/k`, the direction whose posterior is `c`. For
//! one `c` the integral `∫ Q(c) w(c) dc` along the chain adds `Q` where `θ` rises through `t`, and subtracts `Q` where `θ` falls through
//! `t`. On a convex chain the result is the least loss.
//!
//! **Patches with a direction.** Let `θ'` be a direction that never falls, and `s'` the mass where it passes `t`. Let `W` be the integral
//! of `|θ - t|` over the wrong side: `θ > t` before `s'`, and `θ < t` after it. The sum above is `Q(s') - 2kW`. All losses on the chain are
//! at least that, and the least loss is at most `Q(s')`. So the sum differs from the least loss by at most `2kW`. Furthermore `W` is at
//! most the integral of `|θ' - θ|` over those `s` where `t` lies between `θ'` and `θ`. The code takes for `θ'` the direction `θ` clamped
//! between levels that never fall.
//!
//! **One class.** Where `θ` is moved up to `θ'`, `k (t - θ) <= k t = π0 c`: mass counts at most as much as slack in class 0 alone. Where it is
//! moved down, `k (θ - t) <= k (1 - t) = π1 (1-c)`: mass counts at most as much as slack in class 1 alone.
//!
//! **Patches without a direction** are passed in one turn at any of their points, from the direction `α` before them to `β` after them. If
//! `α < t < β`, the point can be chosen so that the turn adds no error. Otherwise the turn misses at most `θ - t` where `β < t < θ`,
//! and `t - θ` where `θ < t < α`, for each unit of mass.
//!
//! **Overshoot.** A part of the curve that lies beyond a chord by `e` has the least loss only if `t` is among its directions. It lowers the
//! loss by at most `2ke`.
//!
//! **Areas.** A refinement loss is such an integral under uniform costs. For the area under the chain, think of it as steps: when two steps
//! with directions `θ > θ*` in the wrong order change places, the area grows by `(θ - θ*) ds ds*`. No curve of these steps has more area than
//! the sorted one. As `θ'` never falls, sorting gains at most twice the integral of `|θ' - θ|`. An overshoot of `e` adds at most `2e`.

use crate::calculus::patch::{Patch, PatchMotion};
use rocproof_arith::Interval;

/// Largest number of bisections for the parameter where a patch reaches a level.
const MOST_HALVINGS: u32 = 60;

/// Safety factor that covers the rounding of a sum of up to 10⁵ terms.
const SUM_SAFETY: f64 = 1.0 + 1e-11;

/// A bound on the distance between a chain and its hull, for a range of directions.
#[derive(Clone, Copy, Debug)]
pub struct Slack {
    /// The distance in `F0` and in `F1`.
    pub by: f64,
    /// A second bound, if the chain is off in one class alone: that class and the distance in it. Both bounds hold.
    pub alone: Option<(usize, f64)>,
    /// The directions, as shares of class 1.
    pub directions: Interval,
}

impl Slack {
    /// A distance that may occur in any direction.
    pub(super) fn anywhere(by: f64) -> Slack {
        Slack { by, alone: None, directions: Interval::UNIT }
    }

    /// The slack of a mass whose direction `actual` is moved up to `fitted`; 0 if it is above already.
    fn of_moving_up(mass: Interval, actual: Interval, fitted: Interval) -> Slack {
        Slack::of_moved_mass(mass, fitted - actual, 0, fitted.hull(actual))
    }

    /// The slack of a mass whose direction `actual` is moved down to `fitted`; 0 if it is below already.
    fn of_moving_down(mass: Interval, actual: Interval, fitted: Interval) -> Slack {
        Slack::of_moved_mass(mass, actual - fitted, 1, fitted.hull(actual))
    }

    /// The slack of a mass whose direction is moved by `distance`, which counts at most as much as slack in the one class `alone`.
    fn of_moved_mass(mass: Interval, distance: Interval, alone: usize, directions: Interval) -> Slack {
        let by = match (mass * distance).hi() {
            // NaN: nothing is known.
            by if by.is_nan() => f64::INFINITY,
            by => by.max(0.0),
        };
        Slack { by, alone: Some((alone, mass.hi())), directions }
    }
}

/// Slacks, and a bound on all of them together.
pub(super) struct SlackSum {
    /// A bound on the distance for areas and refinement losses. It may be smaller than the sum of the slacks, because of two slacks of one
    /// mass only the larger counts.
    pub(super) total: f64,
    pub(super) slacks: Vec<Slack>,
}

/// A run of patches along which the direction never falls, or a single patch.
struct DirectionRun<'a> {
    patches: &'a [Patch],
    /// An upper bound on the mass of both classes.
    mass: f64,
    /// The directions along the run.
    directions: RunDirections,
}

/// The enclosed directions along a run, as shares of class 1.
#[derive(Clone, Copy)]
enum RunDirections {
    /// They never fall: those at the start and at the end.
    Rising([Interval; 2]),
    /// The range of all of them.
    Within(Interval),
}

/// Whether a patch is an arc whose direction never falls.
fn never_falls(patch: &Patch) -> bool {
    patch.motion == PatchMotion::Arc && patch.bend.rough_range().lo() >= 0.0
}

impl DirectionRun<'_> {
    /// The run of the given patches. If there are several, each must be an arc that never falls and continue the one before smoothly.
    fn new(patches: &[Patch]) -> DirectionRun<'_> {
        let mass = patches.iter().map(Patch::most_mass).sum();
        let directions = match patches {
            [first, .., last] => RunDirections::Rising([direction_at(first, -1.0), direction_at(last, 1.0)]),
            [only] if never_falls(only) => RunDirections::Rising([-1.0, 1.0].map(|u| direction_at(only, u))),
            [only] => RunDirections::Within(only.share[1].range().meet(Interval::UNIT)),
            [] => RunDirections::Within(Interval::UNIT),
        };
        DirectionRun { patches, mass, directions }
    }

    /// Midpoints of the enclosed directions at the start and at the end.
    fn ends(&self) -> [f64; 2] {
        match self.directions {
            RunDirections::Rising(ends) => ends.map(Interval::mid),
            RunDirections::Within(all) => [all.mid(); 2],
        }
    }

    /// Bounds on `∫ |θ' - θ| ds` if `θ'` is `θ` clamped to `[low, high]`: the total, and the slacks of moving up and of moving down.
    fn clamp(&self, low: f64, high: f64) -> (f64, [Slack; 2]) {
        match self.directions {
            RunDirections::Rising(ends) => self.clamp_rising(ends, low, high),
            RunDirections::Within(all) => {
                // Take a constant `θ'`.
                let level = Interval::from(all.mid().clamp(low, high));
                let mass = Interval::from(self.mass);
                let [least, most] = [all.lo(), all.hi()].map(Interval::from);
                let up = Slack::of_moving_up(mass, least, level);
                let down = Slack::of_moving_down(mass, most, level);
                // Each unit of mass is moved up or down, not both.
                (up.by.max(down.by), [up, down])
            }
        }
    }

    /// [`clamp`](Self::clamp) for directions that rise from `start` to `end`: only a first part of the run may be below `low`, and only
    /// a last part above `high`.
    fn clamp_rising(&self, [start, end]: [Interval; 2], low: f64, high: f64) -> (f64, [Slack; 2]) {
        // Bounds on the masses of these parts: the largest rate times the length in the parameter, which starts at -1.
        let [mut mass_below, mut mass_above] = [Interval::ZERO; 2];
        for patch in self.patches.iter().take_while(|patch| direction_at(patch, -1.0).lo() < low) {
            let reached = bisect(|u| direction_at(patch, u).lo() < low);
            mass_below = mass_below + largest_mass_rate(patch) * (Interval::from(reached) + Interval::ONE);
        }
        for patch in self.patches.iter().rev().take_while(|patch| direction_at(patch, 1.0).hi() > high) {
            // Mirrored: from the end back.
            let reached = bisect(|u| direction_at(patch, -u).hi() > high);
            mass_above = mass_above + largest_mass_rate(patch) * (Interval::from(reached) + Interval::ONE);
        }
        let up = Slack::of_moving_up(mass_below, start, Interval::from(low));
        let down = Slack::of_moving_down(mass_above, end, Interval::from(high));
        ((Interval::from(up.by) + Interval::from(down.by)).hi(), [up, down])
    }
}

/// The share of class 1 in the direction at a parameter.
fn direction_at(patch: &Patch, u: f64) -> Interval {
    patch.direction(Interval::from(u))[1]
}

/// A bound on the mass of both classes per unit of the parameter.
fn largest_mass_rate(patch: &Patch) -> Interval {
    Interval::from((patch.rate[0] + patch.rate[1]).rough_range().hi())
}

/// Bisects `[-1, 1]` for where a predicate that holds on the left stops holding; rounded to the right. 1 if it holds everywhere.
fn bisect(holds: impl Fn(f64) -> bool) -> f64 {
    if holds(1.0) {
        return 1.0;
    }
    let (mut lo, mut hi) = (-1.0, 1.0);
    for _ in 0..MOST_HALVINGS {
        let middle = lo / 2.0 + hi / 2.0;
        if middle <= lo || middle >= hi {
            break;
        }
        if holds(middle) { lo = middle } else { hi = middle }
    }
    hi
}

/// Isotonic regression by pooling adjacent violators. Takes pairs of a value and a weight; returns the non-decreasing values with the least
/// weighted squared distance from them.
fn isotonic_fit(values: &[(f64, f64)]) -> Vec<f64> {
    struct Pool {
        mean: f64,
        weight: f64,
        count: usize,
    }
    let mut pools: Vec<Pool> = Vec::new();
    for &(value, weight) in values {
        let mut pool = Pool { mean: value, weight, count: 1 };
        while let Some(previous) = pools.pop_if(|previous| previous.mean > pool.mean) {
            let weight = previous.weight + pool.weight;
            let share = if weight > 0.0 { pool.weight / weight } else { 0.5 };
            let mean = previous.mean + (pool.mean - previous.mean) * share;
            pool = Pool { mean, weight, count: previous.count + pool.count };
        }
        pools.push(pool);
    }
    pools.iter().flat_map(|pool| std::iter::repeat_n(pool.mean, pool.count)).collect()
}

/// The slack of directions that fall: the integral of `|θ' - θ|` for a suitable `θ'` that never falls.
///
/// Each run is clamped between two levels. The upper level of a run is the lower one of the next, so `θ'` never falls. The levels lie
/// halfway between runs, after an isotonic fit to the directions at the ends of all runs.
pub(super) fn slack_to_convex(patches: &[Patch]) -> SlackSum {
    let runs: Vec<DirectionRun> =
        patches.chunk_by(|a, b| never_falls(a) && never_falls(b) && b.smooth).map(DirectionRun::new).collect();
    // Lumps have no direction to fit.
    let has_direction = |run: &DirectionRun| run.patches.iter().all(Patch::is_directed);
    let ends: Vec<(f64, f64)> =
        runs.iter().filter(|run| has_direction(run)).flat_map(|run| run.ends().map(|end| (end, run.mass))).collect();
    // Two values for each run with a direction.
    let fitted = isotonic_fit(&ends);
    let (mut low, mut next_start) = (0.0f64, 0);
    let mut total = 0.0;
    let mut slacks = Vec::new();
    for run in &runs {
        let high = if has_direction(run) {
            next_start += 2;
            // Halfway between the end of this run and the start of the next; 1 after the last run.
            let between = fitted.get(next_start).map_or(1.0, |start| fitted[next_start - 1] / 2.0 + start / 2.0);
            between.clamp(low, 1.0)
        } else {
            low
        };
        let (run_total, run_slacks) = run.clamp(low, high);
        total += run_total;
        slacks.extend(run_slacks.into_iter().filter(|slack| slack.by != 0.0));
        low = high;
    }
    SlackSum { total: total * SUM_SAFETY, slacks }
}

/// The slack of passing patches without a direction in one turn.
pub(super) fn slack_of_lumps(patches: &[Patch]) -> SlackSum {
    let mut total = 0.0;
    let mut slacks = Vec::new();
    // The direction `α` before a run, and the index of the first patch after the run.
    let mut before = Interval::ZERO;
    let mut next_index = 0;
    for run in patches.chunk_by(|a, b| a.is_directed() == b.is_directed()) {
        next_index += run.len();
        if let Some(last) = run.last().filter(|last| last.is_directed()) {
            before = direction_at(last, 1.0);
            continue;
        }
        let after = patches.get(next_index).map_or(Interval::ONE, |next| direction_at(next, -1.0));
        for patch in run {
            let directions = patch.share[1].range().meet(Interval::UNIT);
            let mass = Interval::from(patch.most_mass());
            let [least, most] = [directions.lo(), directions.hi()].map(Interval::from);
            let up = Slack::of_moving_up(mass, least, before);
            let down = Slack::of_moving_down(mass, most, after);
            total += up.by.max(down.by);
            slacks.extend([up, down].into_iter().filter(|slack| slack.by != 0.0));
        }
    }
    SlackSum { total: total * SUM_SAFETY, slacks }
}

/// Merges slacks too small to change a value into one.
pub(super) fn merge_negligible(slacks: Vec<Slack>) -> Vec<Slack> {
    const NEGLIGIBLE: f64 = 1e-18;
    // The mass of both classes is 2, so a larger bound says nothing more.
    let capped = |slack: Slack| Slack { by: slack.by.min(2.0), ..slack };
    let (negligible, mut merged): (Vec<Slack>, Vec<Slack>) =
        slacks.into_iter().map(capped).partition(|slack| slack.by <= NEGLIGIBLE);
    let by = negligible.iter().map(|slack| slack.by).sum::<f64>() * SUM_SAFETY;
    if by > 0.0 {
        merged.push(Slack::anywhere(by));
    }
    merged
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::calculus::patch::EnclosedPoint;
    use crate::functional::certified::enclosed_curve;

    /// The total slack of directions that fall.
    fn distance(patches: &[Patch]) -> f64 {
        slack_to_convex(patches).total
    }

    #[test]
    fn neighbours_that_fall_are_pooled() {
        assert_eq!(isotonic_fit(&[(0.5, 1.0), (0.25, 3.0), (0.75, 1.0)]), [0.3125, 0.3125, 0.75]);
        assert_eq!(isotonic_fit(&[(0.75, 1.0), (0.5, 1.0), (0.25, 2.0)]), [0.4375; 3]);
    }

    /// Straight patches with these masses of both classes, from (0, 0).
    pub(in crate::transform::certified_hull) fn polygon(steps: &[[f64; 2]]) -> Vec<Patch> {
        let point = |below: [f64; 2]| EnclosedPoint {
            x: [Interval::ZERO; 2],
            below: below.map(Interval::from),
            above: below.map(|f| Interval::ONE - Interval::from(f)),
        };
        let mut at = [0.0; 2];
        let mut straight = |step: &[f64; 2]| {
            let from = point(at);
            at = [at[0] + step[0], at[1] + step[1]];
            Patch::straight(from, point(at), step.map(Interval::from))
        };
        steps.iter().map(&mut straight).collect()
    }

    #[test]
    fn a_convex_polygon_has_no_slack_and_a_bent_one_at_least_its_distance() {
        assert!(distance(&polygon(&[[0.5, 0.125], [0.25, 0.125], [0.25, 0.75]])) < 1e-15);
        // One corner is 1/8 beyond the diagonal. No convex curve from (0, 0) comes closer than half of that.
        let bent = distance(&polygon(&[[0.375, 0.625], [0.625, 0.375]]));
        assert!((0.0625..0.5).contains(&bent), "{bent}");
        // A patch of little mass, 2^-30, adds little.
        let nearly = distance(&polygon(&[[0.5, 0.25], [9.313225746154785e-10, 0.0], [0.5, 0.75]]));
        assert!(nearly < 1e-9, "{nearly}");
    }

    /// The patches of the model with these densities.
    fn patches_of(f0: &str, f1: &str) -> Vec<Patch> {
        let model = crate::Model::new(f0, f1, "1/2").unwrap();
        enclosed_curve(&model, 1.0).unwrap().massive().cloned().collect()
    }

    /// Along `(x, x²)` the direction is `2x/(1 + 2x)`, and the mass `(1 + 2x) dx`.
    #[test]
    fn clamping_bounds_the_integral_from_above() {
        let patches = patches_of("1", "2*x");
        let run = DirectionRun::new(&patches);
        // Moving up to 1/4 concerns x < 1/6: 1/48. Moving down to 1/2 concerns x > 1/2: 1/8.
        let moved = |low: f64, high: f64| run.clamp(low, high).0;
        let (up, down) = (moved(0.25, 1.0), moved(0.0, 0.5));
        assert!((1.0 / 48.0..0.1).contains(&up) && (0.125..0.3).contains(&down), "{up} {down}");
        assert!(moved(0.0, 1.0) < 1e-15);
    }

    #[test]
    fn a_corner_that_turns_back_and_a_lump_have_a_distance() {
        // The point at x = 0.5 lies 0.08 above the line through those at 0.3 and 0.7, which rises by at most 2.
        let back = distance(&patches_of("uniform(0, 1)", "{ 4*x on [0, 1/2]; 4/3*x on [1/2, 1] }"));
        assert!((0.013..0.5).contains(&back), "{back}");
        let mut patches = polygon(&[[0.25, 0.25], [0.5, 0.5], [0.25, 0.25]]);
        let [start, end] = [patches[1].start, patches[1].end];
        patches[1] = Patch::lump(start, end, [Interval::from(0.5); 2], Interval::ZERO, Interval::ALL);
        // The lump may pass (3/4, 1/4): a convex curve is 1/8 away from that corner or from an end.
        let lump = distance(&patches);
        assert!((0.125..=1.0).contains(&lump), "{lump}");
    }

    /// Tiny slacks are merged, not dropped. A slack is at most the total mass.
    #[test]
    fn negligible_slacks_are_merged_and_large_ones_capped() {
        let slack = |by: f64| Slack { directions: Interval::new(0.25, 0.5), ..Slack::anywhere(by) };
        let merged = merge_negligible(vec![slack(5e-19), slack(5e-19), slack(f64::INFINITY)]);
        assert_eq!(merged.len(), 2);
        assert!(merged[0].by == 2.0 && merged[0].directions.hi() == 0.5, "{merged:?}");
        assert!((1e-18..1.1e-18).contains(&merged[1].by) && merged[1].directions == Interval::UNIT, "{merged:?}");
    }

    /// A lump has slack where its direction may lie beyond the directions of its neighbours, on either side.
    #[test]
    fn a_lump_has_slack_beyond_the_directions_of_its_neighbours() {
        let mut patches = polygon(&[[0.75, 0.25], [0.125, 0.125], [0.125, 0.625]]);
        let [start, end] = [patches[1].start, patches[1].end];
        patches[1] = Patch::lump(start, end, [Interval::from(0.125); 2], Interval::ZERO, Interval::ALL);
        // Its mass is 1/4; its neighbours have directions 1/4 and 5/6.
        let SlackSum { total, slacks } = slack_of_lumps(&patches);
        assert!((0.0625..0.0626).contains(&total) && slacks.len() == 2, "{slacks:?}");
        // Moving up to 1/4 costs at most 1/4 · 1/4, moving down to 5/6 at most 1/4 · 1/6.
        assert!(slacks[0].by >= 0.0625 && slacks[0].directions.contains(0.25) && slacks[0].directions.lo() <= 0.0);
        assert!(slacks[1].by >= 0.25 / 6.0 && slacks[1].directions.hi() >= 1.0 && !slacks[1].directions.contains(0.8));
        assert_eq!([slacks[0].alone, slacks[1].alone], [Some((0, 0.25)), Some((1, 0.25))]);
    }
}
