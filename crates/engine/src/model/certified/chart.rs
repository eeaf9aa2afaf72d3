//! How an interval between two endpoints is cut into charts: coordinates with their ranges.

use super::between::Between;
use super::mixture::EnclosedComponent;
use super::scores::{Coordinate, ScoreSeries};
use super::tail::{Tail, TailKind};
use crate::model::endpoint::Endpoint;
use rocproof_arith::{Interval, Series, libm};
use std::cmp::Ordering;

/// A lower bound on the mass that counts as negligible. It keeps away from subnormal floats, which have fewer digits: an error divided by
/// such a mass would mean nothing.
const LEAST: f64 = 1e-290;
/// The power of the distance that the mass is supposed to follow towards a singular end if the true one is unknown. The search for the
/// end of an exponential chart starts at the coordinate `reach / power`; a large power starts it close by, so that it does not overshoot.
const UNKNOWN_POWER: f64 = 20.0;

/// A part of an interval in one coordinate.
pub(super) struct Chart {
    pub(super) coordinate: Coordinate,
    /// The range of the coordinate.
    pub(super) v: [f64; 2],
    /// For each side, the tail between the chart and the end of the interval; `None` if the chart ends at a regular end or where
    /// another chart begins.
    pub(super) tails: [Option<TailKind>; 2],
}

impl Chart {
    /// The mass that need not be known at a value of the coordinate. In the bulk it is `e^-reach`, since a density may touch 0 there. Towards
    /// a tail it falls to `e^(-2 reach)`, small compared to the mass of the tail, so that the tails of both classes can be compared.
    pub(super) fn negligible_mass(&self, v: f64, reach: f64) -> f64 {
        let [a, b] = self.v;
        let from_left = (v - a) / (b - a);
        let depth = |side: usize| {
            let share = if side == 0 { 1.0 - from_left } else { from_left };
            match self.tails[side] {
                None => 0.0,
                Some(TailKind::Exponential) => share,
                // In a linear coordinate the inner half is the bulk. Beyond it, the logarithm of a normal density falls like a square.
                Some(TailKind::KnownFamily(_) | TailKind::Thin(_)) => (2.0 * share - 1.0).max(0.0).powi(2),
            }
        };
        libm::exp(-reach * (1.0 + depth(0).max(depth(1)))).max(LEAST)
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
    /// The density is smooth at the end and not 0.
    Regular,
    /// The density goes to 0 like a whole power of the distance. The mass follows the given power, one larger.
    Vanishing(f64),
    /// The density is singular at the end. The mass follows the given power of the distance.
    Hard(f64),
}

/// Tells how a component behaves towards an end of the interval, from the elasticity `d ln f/d ln(distance)` next to the end.
fn end_behaviour(part: &EnclosedComponent, end: &Endpoint, left: bool) -> EndBehaviour {
    /// The distance within which the density is looked at: a few units in the last place of a score of size 1.
    const NEAR: f64 = 1e-15;
    /// Powers that differ by less than this from a whole number count as whole.
    const WHOLE: f64 = 1e-7;
    /// The least power: towards less, an exponential coordinate would have to go too far.
    const LEAST_POWER: f64 = 1e-4;
    let side = usize::from(!left);
    if !end.is_finite() || part.ends[side].compare(end) != Some(Ordering::Equal) {
        return EndBehaviour::Regular;
    }
    let score = end.enclosure();
    let distance = Interval::new(0.0, NEAR);
    let x = if left { score + distance } else { score - distance };
    let elasticity = part.density.elasticity(&Tail { left, end, from: score, distance, x });
    if !elasticity.is_bounded() {
        let (a, w) = (if left { score } else { score - Interval::from(NEAR) }, Interval::from(NEAR));
        let half = Interval::from(0.5);
        let coordinate = Coordinate::Linear { a, w };
        let scores = ScoreSeries::new(coordinate, Series::linear(half, half), half, part.ends.each_ref());
        let is_known = part.density.jet(&scores).value.is_known();
        return if is_known { EndBehaviour::Regular } else { EndBehaviour::Hard(UNKNOWN_POWER) };
    }
    let power = elasticity.lo();
    if elasticity.magnitude() < WHOLE {
        EndBehaviour::Regular
    } else if part.density.is_expression() && power > 0.5 && (power - power.round()).abs() < WHOLE {
        EndBehaviour::Vanishing(1.0 + power)
    } else {
        EndBehaviour::Hard((1.0 + power).max(LEAST_POWER))
    }
}

/// The part of an interval that is not close to its hard ends, if both of its own ends are floats. Next to a hard end, that is a
/// multiple of a power of two, so that the part can be halved often without rounding.
fn inner(hard: [bool; 2], [a, b]: [Interval; 2]) -> Option<[f64; 2]> {
    /// The share of the interval that is close to an end.
    const CLOSE: f64 = 1.0 / 16.0;
    /// Cuts are multiples of about this share of the width.
    const GRAIN: f64 = 1.0 / (1024.0 * 1024.0);
    let width = (b - a).mid();
    let grain = GRAIN * f64::powi(2.0, libm::log2(width).floor() as i32);
    let round = |score: f64| (score / grain).round() * grain;
    let start = if hard[0] { round(a.mid() + CLOSE * width) } else { a.lo() };
    let end = if hard[1] { round(b.mid() - CLOSE * width) } else { b.lo() };
    let is_inside = (hard[0] && a.hi() < start || a.is_point()) && (hard[1] && end < b.lo() || b.is_point());
    (is_inside && start < end).then_some([start, end])
}

impl Between<'_> {
    /// The power of the distance that the mass follows towards an end, if the end needs an exponential coordinate: if it is finite, and a
    /// component is singular there or all of them vanish. The least power over all components counts. `graded` asks for an exponential
    /// coordinate at every finite end.
    fn hard_end(&self, side: usize, graded: bool) -> Option<f64> {
        let end = self.ends[side];
        let kinds: Vec<EndBehaviour> =
            self.active.iter().flatten().map(|part| end_behaviour(part, end, side == 0)).collect();
        let is_needed = graded
            || kinds.iter().any(|k| matches!(k, EndBehaviour::Hard(_)))
            || kinds.iter().all(|k| matches!(k, EndBehaviour::Vanishing(_)));
        let power = |k: &EndBehaviour| match k {
            EndBehaviour::Regular => 1.0,
            EndBehaviour::Vanishing(power) | EndBehaviour::Hard(power) => *power,
        };
        (is_needed && end.is_finite()).then(|| kinds.iter().map(power).fold(f64::INFINITY, f64::min))
    }

    /// Whether the end is infinite and some component reaches it whose family does not know how far its tail must be followed. Then the
    /// tail is followed in an exponential coordinate.
    fn has_exponential_tail(&self, side: usize, reach: f64) -> bool {
        let is_unknown = |p: &EnclosedComponent| !p.ends[side].is_finite() && p.density.tail_reach(reach).is_none();
        !self.ends[side].is_finite() && self.active.iter().flatten().any(|p| is_unknown(p))
    }

    /// The score beyond which each component with a known tail has less than about `e^-reach` of its mass.
    fn known_tail_start(&self, left: bool, reach: f64) -> f64 {
        let sign = if left { -1.0 } else { 1.0 };
        // If the interval starts far out in the tail of a component, the width of the component is counted from that start.
        let start = self.ends[usize::from(left)].enclosure();
        let later =
            |center: f64| if start.is_bounded() { sign * (sign * center).max(sign * start.mid()) } else { center };
        let reaches = self.active.iter().flatten().filter_map(|part| part.density.tail_reach(reach));
        let outward = reaches.map(|(center, width)| sign * (later(center) + sign * width));
        sign * outward.fold(f64::NEG_INFINITY, f64::max)
    }

    /// How far an exponential coordinate must go towards its end, in absolute value, before each class has at most the mass `e^-reach`
    /// beyond. The search starts at `start` and goes on by a constant factor.
    fn far_enough(&self, coordinate: Coordinate, left: bool, reach: f64, start: f64) -> f64 {
        /// Scores with a larger logarithm than this come close to the largest float.
        const FARTHEST_SCORE: f64 = 600.0;
        /// Towards a finite end a distance may be less than any float: its logarithm stands for it.
        const FARTHEST_LOGARITHM: f64 = 1e6;
        const FACTOR: f64 = 1.3;
        let is_finite = self.ends[usize::from(!left)].is_finite();
        let farthest = if is_finite { FARTHEST_LOGARITHM } else { FARTHEST_SCORE };
        let mut distance = start;
        while distance < farthest {
            let v = if left { -distance } else { distance };
            let tail = self.enclose_tail(coordinate, v, TailKind::Exponential, left);
            if tail.is_ok_and(|tail| tail.mass.iter().all(|mass| mass.hi() <= libm::exp(-reach))) {
                break;
            }
            distance *= FACTOR;
        }
        distance
    }

    /// A score of a bounded interval that is not close to a singular end although there is next to no mass between them, if there is one.
    /// Then a linear chart from there replaces an exponential one.
    fn thin_tail_start(&self, [a, b]: [Interval; 2], left: bool, reach: f64, start: f64) -> Option<f64> {
        /// The coordinate, minus the logarithm of the share of the interval, from which on a score is close to the end.
        const CLOSE: f64 = 6.0;
        /// Cuts are multiples of 1/GRAIN, so that they can be halved often without rounding.
        const GRAIN: f64 = 1024.0 * 1024.0;
        /// The mass of a class that is next to none.
        const THIN: f64 = 1e-6;
        let (w, sign) = (b - a, if left { 1.0 } else { -1.0 });
        let coordinate = if left { Coordinate::FromLeft { a, w } } else { Coordinate::FromRight { b, w } };
        let distance = self.far_enough(coordinate, left, reach, start);
        let end = if left { a } else { b };
        let cut = end.mid() + sign * w.mid() * libm::exp(-distance);
        let cut = (cut * GRAIN).round() / GRAIN;
        let is_inside = a.hi() < cut && cut < b.lo();
        let is_thin = || {
            self.enclose_tail(coordinate, 0.0, TailKind::Thin(cut), left)
                .is_ok_and(|tail| tail.mass.iter().all(|mass| mass.hi() < THIN))
        };
        (distance < CLOSE && is_inside && is_thin()).then_some(cut)
    }

    /// One linear chart for the whole interval. Only for densities that are regular at both ends.
    pub(super) fn whole(&self) -> Chart {
        self.linear_chart(self.ends.map(Endpoint::enclosure), [None; 2])
    }

    /// A linear chart between two scores that are not close to hard ends.
    fn linear_chart(&self, [a, b]: [Interval; 2], tails: [Option<TailKind>; 2]) -> Chart {
        // If both scores are floats the coordinate is the score itself.
        if a.is_point() && b.is_point() {
            let coordinate = Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE };
            return Chart { coordinate, v: [a.lo(), b.lo()], tails };
        }
        Chart { coordinate: Coordinate::Linear { a, w: b - a }, v: [0.0, 1.0], tails }
    }

    /// An exponential chart on the given side, from the value 0 of the coordinate until what lies beyond is negligible. The search for
    /// its end starts at `start`.
    fn exponential_chart(&self, coordinate: Coordinate, left: bool, reach: f64, start: f64) -> Chart {
        let distance = self.far_enough(coordinate, left, reach, start);
        let tail = Some(TailKind::Exponential);
        if left {
            Chart { coordinate, v: [-distance, 0.0], tails: [tail, None] }
        } else {
            Chart { coordinate, v: [0.0, distance], tails: [None, tail] }
        }
    }

    /// A finite score that lies between the ends, whichever of them are infinite.
    fn middle(&self) -> f64 {
        let [a, b] = self.ends;
        match (a.is_finite(), b.is_finite()) {
            (true, true) => (a.enclosure() + b.enclosure()).mid() / 2.0,
            (true, false) => a.enclosure().mid() + 1.0,
            (false, true) => b.enclosure().mid() - 1.0,
            (false, false) => 0.0,
        }
    }

    /// Cuts the interval into charts, from left to right. Hard and infinite ends get exponential charts, unless a tail next to a linear
    /// chart is enough.
    pub(super) fn charts(&self, reach: f64, options: ChartOptions) -> Vec<Chart> {
        /// Where the search for the end of an infinite exponential chart starts.
        const START: f64 = 2.0;
        let one = Interval::ONE;
        let ends = &self.ends;
        let middle = Interval::from(self.middle());
        // The powers at ends that get an exponential chart.
        let mut hard = [0, 1].map(|side| self.hard_end(side, options.graded));
        // The bounded core with tails next to it, and exponential charts between the core and infinite ends.
        let mut core = ends.map(Endpoint::enclosure);
        let mut tails = [None, None];
        let mut outside = [None, None];
        for side in [0, 1] {
            let left = side == 0;
            if let Some(power) = hard[side] {
                let mut bounded = ends.map(Endpoint::enclosure);
                if !ends[1 - side].is_finite() && !self.has_exponential_tail(1 - side, reach) {
                    bounded[1 - side] = Interval::from(self.known_tail_start(!left, reach));
                }
                if bounded.iter().all(|end| end.is_bounded())
                    && let Some(cut) = self.thin_tail_start(bounded, left, reach, reach / power)
                {
                    (core[side], tails[side], hard[side]) = (Interval::from(cut), Some(TailKind::Thin(cut)), None);
                }
                continue;
            }
            if ends[side].is_finite() {
                continue;
            }
            if !self.has_exponential_tail(side, reach) {
                let cut = self.known_tail_start(left, reach);
                (core[side], tails[side]) = (Interval::from(cut), Some(TailKind::KnownFamily(cut)));
                continue;
            }
            let other = ends[1 - side];
            let origin = if other.is_finite() { other.enclosure() } else { middle };
            let coordinate = if left {
                core[0] = origin - one;
                Coordinate::FromRight { b: origin, w: one }
            } else {
                core[1] = origin + one;
                Coordinate::FromLeft { a: origin, w: one }
            };
            outside[side] = Some(self.exponential_chart(coordinate, left, reach, START));
        }
        let [a, b] = core;
        // The charts between a hard end and the score at the given distance from it.
        let to_left =
            |w: Interval, power: f64| self.exponential_chart(Coordinate::FromLeft { a, w }, true, reach, reach / power);
        let to_right = |w: Interval, power: f64| {
            self.exponential_chart(Coordinate::FromRight { b, w }, false, reach, reach / power)
        };
        let exponential = Some(TailKind::Exponential);
        let [left_outside, right_outside] = outside;
        let mut charts: Vec<Chart> = left_outside.into_iter().collect();
        match hard {
            [None, None] => charts.push(self.linear_chart(core, tails)),
            // Densities are enclosed more narrowly in a linear coordinate than in an exponential one, which is needed only close to ends.
            _ if options.linear_inside
                && let Some(v) = inner(hard.map(|end| end.is_some()), core) =>
            {
                let coordinate = Coordinate::Linear { a: Interval::ZERO, w: one };
                let [start, end] = v.map(Interval::from);
                charts.extend(hard[0].map(|power| to_left(start - a, power)));
                charts.push(Chart { coordinate, v, tails });
                charts.extend(hard[1].map(|power| to_right(b - end, power)));
            }
            [Some(power), None] => charts.push(Chart { tails: [exponential, tails[1]], ..to_left(b - a, power) }),
            [None, Some(power)] => charts.push(Chart { tails: [tails[0], exponential], ..to_right(b - a, power) }),
            [Some(p), Some(q)] => charts.extend([to_left(middle - a, p), to_right(b - middle, q)]),
        }
        charts.extend(right_outside);
        charts
    }
}
