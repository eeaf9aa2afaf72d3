//! Integrals over the posterior around the corners of an enclosed curve, where all else stands still.

use super::super::group::{GradedParts, Group, Origin};
use super::super::program::Program;
use super::along::{DC, EnclosedEnvironment, MOST_LOSS, PATIENCE, along, inputs};
use super::slope::Dual;
use crate::calculus::patch::EnclosedPoint;
use crate::model::certified::EnclosedCurve;
use rocproof_arith::{Interval, Series};
use rocproof_language::meaning::Piece;

/// How often a corner is halved.
const MOST_HALVINGS: u32 = 1100;
/// Into how many parts it is cut.
const MOST_PARTS: usize = 10_000;

/// A posterior and one minus it.
pub(super) type Posterior = [Interval; 2];

pub(super) const FIRST: Posterior = [Interval::ZERO, Interval::ONE];
pub(super) const LAST: Posterior = [Interval::ONE, Interval::ZERO];

/// Where the posterior goes from one value to another while all else stands still, or moves by little.
pub(super) struct Turn {
    /// Where it starts and ends.
    pub(super) ends: [EnclosedPoint; 2],
    /// What holds all points on the way.
    pub(super) spot: EnclosedPoint,
    /// The posterior before and after.
    pub(super) posterior: [Posterior; 2],
}

/// The corners of a curve, and the stretches of which the direction is not known: they take the posterior from where one directed
/// stretch ends to where the next starts.
pub(super) fn turns(curve: &EnclosedCurve, proportions: [Interval; 2]) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut last = FIRST;
    // The first point of the stretches without direction, and what holds them.
    let mut lumps: Option<(EnclosedPoint, EnclosedPoint)> = None;
    let mut add = |lumps: Option<(EnclosedPoint, EnclosedPoint)>, end: EnclosedPoint, posterior: [Posterior; 2]| {
        let (start, spot) = lumps.map_or((end, end), |(start, spot)| (start, spot.hull(&end)));
        turns.push(Turn { ends: [start, end], spot, posterior });
    };
    for patch in curve.massive() {
        if !patch.is_directed() {
            let all = patch.start.hull(&patch.end);
            lumps = Some(lumps.map_or((patch.start, all), |(start, before)| (start, before.hull(&all))));
            continue;
        }
        let [from, to] = [-1.0, 1.0].map(|u| patch.posterior(Interval::from(u), proportions));
        if lumps.is_some() || !patch.smooth || !last[0].meets(from[0]) {
            add(lumps.take(), patch.start, [last, from]);
        }
        last = to;
    }
    if let Some(end) = curve.patches.last().map(|p| p.end) {
        add(lumps, end, [last, LAST]);
    }
    turns
}

/// The integrals of a group along a curve and around its corners.
pub(super) fn with_corners(curve: &EnclosedCurve, group: &Group, view: &EnclosedEnvironment) -> Vec<Interval> {
    let mut found = along(curve, group, view);
    let turns = turns(curve, view.proportions);
    for (of, around) in Around::all(group, view) {
        let sum = turns.iter().fold(Interval::ZERO, |sum, turn| sum + around.turn(turn));
        found[of] = found[of] + sum;
    }
    group.on(Piece::Corner).parts().whole.iter().for_each(|k| found[*k] = Interval::ALL);
    // On a stretch without a known direction, what the posterior does on arcs and what it does at corners cannot be told apart.
    if curve.massive().any(|patch| !patch.is_directed()) {
        let masked = |k: &usize| group.turns[*k] && group.is_masked(*k);
        (0..found.len()).filter(masked).for_each(|k| found[k] = Interval::ALL);
    }
    found
}

/// A float close to a posterior, or to one minus it.
fn middle(p: Posterior) -> (f64, bool) {
    if p[0].mid() <= 0.5 { (p[0].mid(), false) } else { (p[1].mid(), true) }
}

/// All posteriors between the one that is reached and the float close to it, unless that is it.
pub(super) fn spread(p: Posterior) -> Option<Posterior> {
    let (mid, is_complement) = middle(p);
    let spread = p[usize::from(is_complement)].hull(Interval::from(mid));
    let other = Interval::ONE - spread;
    (!spread.is_point()).then_some(if is_complement { [other, spread] } else { [spread, other] })
}

/// Something that is integrated over the posterior.
pub(super) struct Around<'a> {
    program: &'a Program,
    /// Which of its outputs.
    k: usize,
    /// Whether it is a loss, weighted with the density of conditions.
    is_loss: bool,
    view: &'a EnclosedEnvironment<'a>,
}

impl<'a> Around<'a> {
    /// What a group integrates over the posterior, and which of its expressions that is of.
    pub(super) fn all(
        group: &'a Group,
        view: &'a EnclosedEnvironment<'a>,
    ) -> impl Iterator<Item = (usize, Around<'a>)> {
        let GradedParts { program, list, .. } = group.on(Piece::Corner).parts();
        let over_posterior = list.iter().enumerate().filter(|(_, (_, grade))| *grade == DC);
        over_posterior.map(move |(k, (of, _))| {
            let is_loss = group.origins[*of] == Origin::Loss;
            (*of, Around { program, k, is_loss, view })
        })
    }

    /// The integral while the posterior turns, where the rest may move by little.
    fn turn(&self, Turn { ends: [start, end], posterior: [from, to], spot }: &Turn) -> Interval {
        // By parts: what the integrand changes by with the point counts at most twice, however the posterior gets there.
        let [d0, d1] = start.towards(end).map(Interval::magnitude);
        let way = [(end.x[0] - start.x[0]).magnitude(), d0, d1];
        let moved = if way == [0.0; 3] { 0.0 } else { self.slopes(spot, way) };
        self.corner(start, *from, *to) + Interval::around(0.0, 2.0 * moved * (1.0 + 1e-12))
    }

    /// What the integrand may change by when score, `F0` and `F1` move so far, whatever the posterior is.
    fn slopes(&self, spot: &EnclosedPoint, way: [f64; 3]) -> f64 {
        let posterior = [Interval::UNIT, Interval::UNIT, Interval::ONE].map(Dual::from);
        let numbers = self.view.numbers();
        let inputs = Dual::inputs(spot);
        let weight = |c: &Dual, complement: &Dual| Some(c.weighted(complement, self.view.weight));
        let value = self.program.values(&inputs, &numbers, Some(&posterior), weight).into_iter().nth(self.k).flatten();
        value.map_or(f64::INFINITY, |value| {
            let product = |(slope, way): (Interval, f64)| slope.abs() * Interval::from(way);
            value.slope.into_iter().zip(way).map(product).fold(Interval::ZERO, |sum, part| sum + part).hi()
        })
    }

    /// The integral at a point while the posterior goes from one value to another.
    fn corner(&self, at: &EnclosedPoint, from: Posterior, to: Posterior) -> Interval {
        let off = |p: Posterior| spread(p).map_or(0.0, |between| self.largest(at, between));
        let fuzz = (off(from) + off(to)) * (1.0 + 1e-12);
        self.between(at, from, to) + Interval::around(0.0, fuzz)
    }

    /// The same from a float close to the one value to a float close to the other.
    pub(super) fn between(&self, at: &EnclosedPoint, from: Posterior, to: Posterior) -> Interval {
        let half = |from: f64, to: f64, is_complement: bool| self.stretch(at, from, to, is_complement);
        let ((a, high_a), (b, high_b)) = (middle(from), middle(to));
        match (high_a, high_b) {
            (false, false) => half(a, b, false),
            (true, true) => half(a, b, true),
            (false, true) => half(a, 0.5, false) + half(0.5, b, true),
            (true, false) => half(a, 0.5, true) + half(0.5, b, false),
        }
    }

    /// What all posteriors between two can add, at most.
    fn largest(&self, at: &EnclosedPoint, between: Posterior) -> f64 {
        let [c, complement] = between;
        (self.rate(at, between).abs() * Interval::from(c.width().min(complement.width()))).hi()
    }

    /// The integrand at all posteriors between two.
    fn rate(&self, at: &EnclosedPoint, [c, complement]: Posterior) -> Interval {
        let pair = |k: usize| [at.below[k], at.above[k]];
        let still = [Interval::ZERO; 3];
        let inputs = inputs(at.x, pair(0), pair(1), still, still);
        let weight = |c: &Interval, complement: &Interval| Some(self.view.weight.at(*c, *complement));
        let posterior = [c, complement, Interval::ONE];
        let values = self.program.values(&inputs, &self.view.numbers(), Some(&posterior), weight);
        values.into_iter().nth(self.k).flatten().unwrap_or(Interval::ALL)
    }

    /// The same between two floats: values of the posterior, or of one minus it.
    fn stretch(&self, at: &EnclosedPoint, from: f64, to: f64, is_complement: bool) -> Interval {
        if from == to {
            return Interval::ZERO;
        }
        let view = self.view;
        let (lo, hi) = (from.min(to), from.max(to));
        let mut sum = Interval::ZERO;
        let mut pending = vec![(lo, hi, f64::INFINITY, 0, 0)];
        let mut parts = 0;
        while let Some((lo, hi, before, halvings, in_vain)) = pending.pop() {
            parts += 1;
            let resolved = self.part(at, lo, hi, is_complement);
            let part = resolved.unwrap_or_else(|| self.bounded(at, lo, hi, is_complement));
            let width = part.width();
            let middle = lo / 2.0 + hi / 2.0;
            let size = part.magnitude().max(1.0);
            // Series that hardly converge may be as wide on a half, and better on the next one.
            let in_vain = if 2.0 * width > PATIENCE * before { in_vain + 1 } else { 0 };
            let enough = width <= view.width * 1e-3 || (width <= view.rounded() * size && in_vain > 1);
            if enough || halvings == MOST_HALVINGS || parts > MOST_PARTS || middle <= lo || middle >= hi {
                sum = sum + part;
                continue;
            }
            // What is not resolved yet says nothing about what halving gains.
            let width = if resolved.is_some() { width } else { f64::INFINITY };
            pending.push((middle, hi, width, halvings + 1, in_vain));
            pending.push((lo, middle, width, halvings + 1, in_vain));
        }
        // One minus the posterior falls as the posterior grows.
        if (from < to) == is_complement { -sum } else { sum }
    }

    /// The integral between two floats in one piece, if it can be resolved.
    fn part(&self, at: &EnclosedPoint, lo: f64, hi: f64, is_complement: bool) -> Option<Interval> {
        let (lo, hi) = (Interval::from(lo), Interval::from(hi));
        let half = (hi - lo) * Interval::from(0.5);
        let moving = Series::linear((hi + lo) * Interval::from(0.5), half);
        let rest = Series::from(1.0) - moving;
        let [c, complement] = if is_complement { [rest, moving] } else { [moving, rest] };
        let constant = |v: [Interval; 2]| v.map(Series::from);
        let pair = |k: usize| constant([at.below[k], at.above[k]]);
        let still = [Series::from(0.0); 3];
        let inputs = inputs(constant(at.x), pair(0), pair(1), still, still);
        let posterior = [c, complement, Series::from(half)];
        let weight = |c: &Series, complement: &Series| Some(self.view.weight.along(c, complement));
        let values = self.program.values(&inputs, &self.view.numbers(), Some(&posterior), weight);
        let found = values.into_iter().nth(self.k).flatten()?.integral();
        found.is_bounded().then_some(found)
    }

    /// What it is at most.
    fn bounded(&self, at: &EnclosedPoint, lo: f64, hi: f64, is_complement: bool) -> Interval {
        let range = Interval::new(lo, hi);
        let other = Interval::ONE - range;
        let [c, complement] = if is_complement { [other, range] } else { [range, other] };
        if self.is_loss {
            // The largest loss under all operating conditions between.
            return Interval::new(0.0, MOST_LOSS) * Interval::from(self.view.weight.mass(c, complement));
        }
        self.rate(at, [c, complement]) * (Interval::from(hi) - Interval::from(lo))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::group::OPTIMAL;
    use super::super::weight::EnclosedBeta;
    use super::*;
    use crate::constant::Constant;

    /// Halfway the loss is 1/2 under all conditions; half of them lie below 1/2, also where their density has no bound.
    #[test]
    fn what_cannot_be_resolved_is_bounded() {
        let half = Interval::from(0.5);
        let weight = EnclosedBeta::new(&[half; 2].map(|v| Constant::real(0.5, v))).unwrap();
        let at = EnclosedPoint { x: [half; 2], below: [half; 2], above: [half; 2] };
        for width in [1e-2, 1e-4, 1e-6, 1e-8] {
            let view = EnclosedEnvironment { proportions: [half; 2], weight: &weight, range: FIRST, width, scale: 1.0 };
            let (_, around) = Around::all(&OPTIMAL, &view).next().unwrap();
            for (from, to, truth) in [(FIRST, [half; 2], 0.25), ([half; 2], LAST, 0.25), (LAST, FIRST, -0.5)] {
                let found = around.between(&at, from, to);
                assert!(found.contains(truth) && found.width() < width, "{width}: {found:?}");
            }
            // A value that is known as a range counts as such: what lies in it carries as much as it can.
            let vague = [Interval::new(0.375, 0.5), Interval::new(0.5, 0.625)];
            let found = around.corner(&at, vague, LAST);
            assert!(found.contains(0.25) && found.hi() > 0.29, "{found:?}");
        }
    }
}
