//! How an interval between two endpoints is cut into charts: coordinates with their ranges.

use super::between::Between;
use super::mixture::EnclosedComponent;
use super::scores::{Coordinate, ScoreSeries};
use super::tail::Tail;
use super::tail::TailKind;
use crate::model::endpoint::Endpoint;
use rocproof_arith::{Interval, Series, libm};
use std::cmp::Ordering;

/// Masses below this lose digits, and none has more at the end of any reach.
const LEAST: f64 = 1e-290;
/// A power to try where it is not known: at least this far an exponential coordinate goes, in shares of the reach.
const UNKNOWN_POWER: f64 = 20.0;

/// A part of an interval in one coordinate, and the tails on either side.
pub(super) struct Chart {
    pub(super) coordinate: Coordinate,
    pub(super) v: [f64; 2],
    pub(super) tails: [Option<TailKind>; 2],
}

impl Chart {
    /// The mass that need not be known around a place: little compared to what lies beyond it, so that tails can be compared, but
    /// where there is mass a density may touch 0.
    pub(super) fn negligible_mass(&self, v: f64, reach: f64) -> f64 {
        let [a, b] = self.v;
        let way = (v - a) / (b - a);
        let towards = |side: usize| {
            let share = if side == 0 { 1.0 - way } else { way };
            match self.tails[side] {
                None => 0.0,
                Some(TailKind::Exponential) => share,
                // Half of the way is in the bulk, and bells fall like a square.
                Some(TailKind::KnownFamily(_) | TailKind::Thin(_)) => (2.0 * share - 1.0).max(0.0).powi(2),
            }
        };
        libm::exp(-reach * (1.0 + towards(0).max(towards(1)))).max(LEAST)
    }
}

/// Where charts use an exponential coordinate.
#[derive(Clone, Copy)]
pub(super) struct ChartOptions {
    /// Whether every finite end gets an exponential coordinate, for relative accuracy towards it, rather than only singular ends.
    pub(super) graded: bool,
    /// Whether exponential coordinates are confined to the neighbourhood of an end, with a linear one between them.
    pub(super) linear_inside: bool,
}

/// How a density behaves towards an end of an interval.
enum EndBehaviour {
    /// It is smooth there and not 0.
    Regular,
    /// It goes to zero like a whole power of the distance, which the mass follows with the given power.
    Vanishing(f64),
    /// It is no polynomial there; the mass follows the given power of the distance.
    Hard(f64),
}

fn end_behaviour(part: &EnclosedComponent, end: &Endpoint, left: bool) -> EndBehaviour {
    let side = usize::from(!left);
    if !end.is_finite() || part.ends[side].compare(end) != Some(Ordering::Equal) {
        return EndBehaviour::Regular;
    }
    const NEAR: f64 = 1e-15;
    let at = end.enclosure();
    let distance = Interval::new(0.0, NEAR);
    let x = if left { at + distance } else { at - distance };
    let elasticity = part.density.elasticity(&Tail { left, end, from: at, distance, x });
    if !elasticity.is_bounded() {
        let (a, w) = (if left { at } else { at - Interval::from(NEAR) }, Interval::from(NEAR));
        let half = Interval::from(0.5);
        let site =
            ScoreSeries::new(Coordinate::Linear { a, w }, Series::linear(half, half), half, part.ends.each_ref());
        let is_known = part.density.jet(&site).value.is_known();
        return if is_known { EndBehaviour::Regular } else { EndBehaviour::Hard(UNKNOWN_POWER) };
    }
    let power = elasticity.lo();
    if elasticity.magnitude() < 1e-7 {
        EndBehaviour::Regular
    } else if part.density.is_expression() && power > 0.5 && (power - power.round()).abs() < 1e-7 {
        EndBehaviour::Vanishing(1.0 + power)
    } else {
        EndBehaviour::Hard((1.0 + power).max(1e-4))
    }
}

/// The part of an interval that is not close to its hard ends, between floats whose halves are floats, too.
fn inner(hard: [bool; 2], [a, b]: [Interval; 2]) -> Option<[f64; 2]> {
    /// The share of the interval that is close to an end.
    const CLOSE: f64 = 1.0 / 16.0;
    /// Cuts are multiples of this share of the width.
    const GRAIN: f64 = 1.0 / (1024.0 * 1024.0);
    let width = (b - a).mid();
    let grain = GRAIN * f64::powi(2.0, libm::log2(width).floor() as i32);
    let cut = |place: f64| (place / grain).round() * grain;
    let from = if hard[0] { cut(a.mid() + CLOSE * width) } else { a.lo() };
    let to = if hard[1] { cut(b.mid() - CLOSE * width) } else { b.lo() };
    let known = (hard[0] && a.hi() < from || a.is_point()) && (hard[1] && to < b.lo() || b.is_point());
    (known && from < to).then_some([from, to])
}

impl Between<'_> {
    /// The power of the distance that the mass follows towards an end, if the end needs an exponential coordinate.
    fn hard_end(&self, side: usize, graded: bool) -> Option<f64> {
        let end = self.ends[side];
        let kinds: Vec<EndBehaviour> =
            self.active.iter().flatten().map(|part| end_behaviour(part, end, side == 0)).collect();
        let needed = graded
            || kinds.iter().any(|k| matches!(k, EndBehaviour::Hard(_)))
            || kinds.iter().all(|k| matches!(k, EndBehaviour::Vanishing(_)));
        let power = |k: &EndBehaviour| match k {
            EndBehaviour::Regular => 1.0,
            EndBehaviour::Vanishing(power) | EndBehaviour::Hard(power) => *power,
        };
        (needed && end.is_finite()).then(|| kinds.iter().map(power).fold(f64::INFINITY, f64::min))
    }

    /// The score beyond which the tails of all families on the interval have fallen.
    fn bells_end(&self, left: bool, reach: f64) -> f64 {
        let sign = if left { -1.0 } else { 1.0 };
        let far = self.active.iter().flatten().filter_map(|part| part.density.tail_reach(reach));
        // A part that starts far out in a tail goes on from there.
        let start = self.ends[usize::from(left)].enclosure();
        let from =
            |center: f64| if start.is_bounded() { sign * (sign * center).max(sign * start.mid()) } else { center };
        let reached = far.map(|(center, width)| sign * (from(center) + sign * width)).fold(f64::NEG_INFINITY, f64::max);
        sign * reached
    }

    /// How far an exponential coordinate must go, in the direction of its end, before less than what matters is left.
    fn far_enough(&self, coordinate: Coordinate, left: bool, reach: f64, start: f64) -> f64 {
        /// No float has a logarithm beyond this; towards a finite end distances are followed by their logarithms alone.
        const FARTHEST: f64 = 600.0;
        const STEP: f64 = 1.3;
        let farthest = if self.ends[usize::from(!left)].is_finite() { 1e6 } else { FARTHEST };
        let mut v = start;
        while v < farthest {
            let at = if left { -v } else { v };
            let rest = self.enclose_tail(coordinate, at, TailKind::Exponential, left);
            if rest.is_ok_and(|rest| rest.mass.iter().all(|mass| mass.hi() <= libm::exp(-reach))) {
                break;
            }
            v *= STEP;
        }
        v
    }

    /// A score of a bounded interval, not close to a singular end, between which and the end there is next to no mass, if there is one.
    fn thin_end(&self, [a, b]: [Interval; 2], left: bool, reach: f64, start: f64) -> Option<f64> {
        /// The logarithm of the share of the interval that is close to the end.
        const CLOSE: f64 = 6.0;
        /// Cuts are multiples of this share of a score, so that halves of what lies between are floats.
        const GRAIN: f64 = 1024.0 * 1024.0;
        let (w, sign) = (b - a, if left { 1.0 } else { -1.0 });
        let coordinate = if left { Coordinate::FromLeft { a, w } } else { Coordinate::FromRight { b, w } };
        let v = self.far_enough(coordinate, left, reach, start);
        let from = if left { a } else { b };
        let cut = from.mid() + sign * w.mid() * libm::exp(-v);
        let cut = (cut * GRAIN).round() / GRAIN;
        let inside = a.hi() < cut && cut < b.lo();
        let thin = || {
            self.enclose_tail(coordinate, 0.0, TailKind::Thin(cut), left)
                .is_ok_and(|rest| rest.mass.iter().all(|m| m.hi() < 1e-6))
        };
        (v < CLOSE && inside && thin()).then_some(cut)
    }

    /// The whole interval in the score itself, where its ends are known to need nothing else.
    pub(super) fn whole(&self) -> Chart {
        self.linear_chart(self.ends.map(Endpoint::enclosure), [None; 2])
    }

    /// A linear chart between two scores that are not close to hard ends.
    fn linear_chart(&self, [a, b]: [Interval; 2], tails: [Option<TailKind>; 2]) -> Chart {
        // Where both ends are floats the coordinate is the score itself.
        if a.is_point() && b.is_point() {
            let coordinate = Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE };
            return Chart { coordinate, v: [a.lo(), b.lo()], tails };
        }
        Chart { coordinate: Coordinate::Linear { a, w: b - a }, v: [0.0, 1.0], tails }
    }

    /// Cuts the interval into charts. Close to its ends, or also inside, they may use an exponential coordinate.
    pub(super) fn charts(&self, reach: f64, options: ChartOptions) -> Vec<Chart> {
        let Between { active, ends } = self;
        let is_typed_tail = |side: usize| {
            let reaches = |p: &EnclosedComponent| !p.ends[side].is_finite() && p.density.tail_reach(reach).is_none();
            !ends[side].is_finite() && active.iter().flatten().any(|p| reaches(p))
        };
        let mut hard = [0, 1].map(|side| self.hard_end(side, options.graded));
        let exponential = Some(TailKind::Exponential);
        let far = |coordinate, left, start| self.far_enough(coordinate, left, reach, start);
        // Towards an end, from a place at the given distance: to a hard or infinite end on the left, on the right.
        let to_left = |a: Interval, w: Interval, p: f64| {
            let coordinate = Coordinate::FromLeft { a, w };
            Chart { coordinate, v: [-far(coordinate, true, reach / p), 0.0], tails: [exponential, None] }
        };
        let to_right = |b: Interval, w: Interval, p: f64| {
            let coordinate = Coordinate::FromRight { b, w };
            Chart { coordinate, v: [0.0, far(coordinate, false, reach / p)], tails: [None, exponential] }
        };
        let one = Interval::ONE;
        let middle = match (ends[0].is_finite(), ends[1].is_finite()) {
            (true, true) => (ends[0].enclosure() + ends[1].enclosure()).mid() / 2.0,
            (true, false) => ends[0].enclosure().mid() + 1.0,
            (false, true) => ends[1].enclosure().mid() - 1.0,
            (false, false) => 0.0,
        };
        // The bounded core, and what lies outside it.
        let mut core = ends.map(Endpoint::enclosure);
        let mut rest = [None, None];
        let mut outside = [None, None];
        for side in [0, 1] {
            let left = side == 0;
            if let Some(power) = hard[side] {
                let mut bounded = ends.map(Endpoint::enclosure);
                if !ends[1 - side].is_finite() && !is_typed_tail(1 - side) {
                    bounded[1 - side] = Interval::from(self.bells_end(!left, reach));
                }
                if bounded.iter().all(|end| end.is_bounded())
                    && let Some(cut) = self.thin_end(bounded, left, reach, reach / power)
                {
                    (core[side], rest[side], hard[side]) = (Interval::from(cut), Some(TailKind::Thin(cut)), None);
                }
                continue;
            }
            if ends[side].is_finite() {
                continue;
            }
            if !is_typed_tail(side) {
                let cut = self.bells_end(left, reach);
                (core[side], rest[side]) = (Interval::from(cut), Some(TailKind::KnownFamily(cut)));
                continue;
            }
            const START: f64 = 2.0;
            let other = ends[1 - side];
            let from = if other.is_finite() { other.enclosure() } else { Interval::from(middle) };
            outside[side] = Some(if left {
                core[0] = from - one;
                let coordinate = Coordinate::FromRight { b: from, w: one };
                Chart { coordinate, v: [-far(coordinate, true, START), 0.0], tails: [exponential, None] }
            } else {
                core[1] = from + one;
                let coordinate = Coordinate::FromLeft { a: from, w: one };
                Chart { coordinate, v: [0.0, far(coordinate, false, START)], tails: [None, exponential] }
            });
        }
        let ([a, b], m) = (core, Interval::from(middle));
        let [before, after] = outside;
        let mut found: Vec<Chart> = before.into_iter().collect();
        match hard {
            [None, None] => found.push(self.linear_chart([a, b], rest)),
            // In the score itself densities are known better than in an exponential coordinate, which is for what is close to an end.
            _ if options.linear_inside
                && let Some([from, to]) = inner(hard.map(|end| end.is_some()), [a, b]) =>
            {
                let coordinate = Coordinate::Linear { a: Interval::ZERO, w: one };
                let [near, far] = [from, to].map(Interval::from);
                found.extend(hard[0].map(|p| to_left(a, near - a, p)));
                found.push(Chart { coordinate, v: [from, to], tails: rest });
                found.extend(hard[1].map(|q| to_right(b, b - far, q)));
            }
            [Some(p), None] => found.push(Chart { tails: [exponential, rest[1]], ..to_left(a, b - a, p) }),
            [None, Some(q)] => found.push(Chart { tails: [rest[0], exponential], ..to_right(b, b - a, q) }),
            [Some(p), Some(q)] => found.extend([to_left(a, m - a, p), to_right(b, b - m, q)]),
        }
        found.extend(after);
        found
    }
}
