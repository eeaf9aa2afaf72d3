//! How an interval between two endpoints is cut into charts: coordinates with their ranges.
//!
//! A linear coordinate encloses densities most narrowly, and suits regular ends. Towards a hard end, where a density is singular or all
//! of them vanish, and towards most infinite ends the coordinate is exponential: a constant step multiplies the distance by a constant.
//! No chart reaches such an end. A bound encloses the tail that remains.

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
    /// The scores on the part `[from, to]` of the coordinate's range, as series in `u` from -1 to 1. `ends` are those of the interval that
    /// was cut into charts.
    pub(super) fn scores<'a>(&self, from: f64, to: f64, ends: [&'a Endpoint; 2]) -> ScoreSeries<'a> {
        let (lo, hi) = (Interval::from(from), Interval::from(to));
        let (middle, half) = ((hi + lo) * Interval::from(0.5), (hi - lo) * Interval::from(0.5));
        ScoreSeries::new(self.coordinate, Series::linear(middle, half), half, ends)
    }

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
    pub(super) exponential_at_ends: bool,
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

/// Tells how a component behaves towards an end of the interval, from the elasticity `d ln f/d ln(distance)` next to the end. `left` says
/// that it is the left end.
fn end_behaviour(part: &EnclosedComponent, end: &Endpoint, left: bool) -> EndBehaviour {
    /// The distance within which the density is looked at: a few units in the last place of a score of size 1.
    const NEAR: f64 = 1e-15;
    /// Powers that differ by less than this from a whole number count as whole.
    const WHOLE: f64 = 1e-7;
    /// The least power: towards less, an exponential coordinate would have to go too far.
    const LEAST_POWER: f64 = 1e-4;
    let side = usize::from(!left);
    // A component that goes on beyond a finite end of the interval is smooth there.
    if !end.is_finite() || part.ends[side].compare(end) != Some(Ordering::Equal) {
        return EndBehaviour::Regular;
    }
    let score = end.enclosure();
    let distance = Interval::new(0.0, NEAR);
    let x = if left { score + distance } else { score - distance };
    let elasticity = part.density.elasticity(&Tail { left, end, from: score, distance, x });
    if !elasticity.is_bounded() {
        let start = if left { score } else { score - Interval::from(NEAR) };
        let is_enclosed = is_enclosed_between(part, start, Interval::from(NEAR));
        return if is_enclosed { EndBehaviour::Regular } else { EndBehaviour::Hard(UNKNOWN_POWER) };
    }
    // The density follows this power of the distance, and its integral a power that is one larger.
    let power = elasticity.lo();
    if elasticity.magnitude() < WHOLE {
        EndBehaviour::Regular
    } else if part.density.is_expression() && power > 0.5 && (power - power.round()).abs() < WHOLE {
        EndBehaviour::Vanishing(1.0 + power)
    } else {
        EndBehaviour::Hard((1.0 + power).max(LEAST_POWER))
    }
}

/// Whether a series encloses the density of a component on the scores from `start` to `start + width`.
fn is_enclosed_between(part: &EnclosedComponent, start: Interval, width: Interval) -> bool {
    let half = Interval::from(0.5);
    let coordinate = Coordinate::Linear { a: start, w: width };
    let scores = ScoreSeries::new(coordinate, Series::linear(half, half), half, part.ends.each_ref());
    part.density.jet(&scores).value.is_known()
}

/// The part of the interval `[a, b]` that is not close to its hard ends; `None` if an end of the part would not be a float. `hard` tells
/// which ends are hard. The part starts a sixteenth of the width away from a hard end, at a multiple of a power of two, so that it can be
/// halved often without rounding.
fn away_from_hard_ends(hard: [bool; 2], [a, b]: [Interval; 2]) -> Option<[f64; 2]> {
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

/// How an interval is followed towards one of its ends.
struct Approach {
    /// The score where the bounded core of the interval ends on this side.
    core_end: Interval,
    /// The power of the distance that the mass follows, if the core ends at a hard end.
    hard_power: Option<f64>,
    /// The tail next to the core, if no chart of its own follows it.
    tail: Option<TailKind>,
    /// The exponential chart between the core and an infinite end.
    outer_chart: Option<Chart>,
}

impl Between<'_> {
    /// The power of the distance that the mass follows towards an end, if the end needs an exponential coordinate: if it is finite, and a
    /// component is singular there or all of them vanish. The least power over all components counts. `exponential_at_ends`
    /// asks for an exponential coordinate at every finite end.
    fn hard_power(&self, side: usize, exponential_at_ends: bool) -> Option<f64> {
        let end = self.ends[side];
        let components = self.active.iter().flatten();
        let behaviours: Vec<EndBehaviour> = components.map(|part| end_behaviour(part, end, side == 0)).collect();
        let is_needed = exponential_at_ends
            || behaviours.iter().any(|behaviour| matches!(behaviour, EndBehaviour::Hard(_)))
            || behaviours.iter().all(|behaviour| matches!(behaviour, EndBehaviour::Vanishing(_)));
        let mass_power = |behaviour: &EndBehaviour| match behaviour {
            EndBehaviour::Regular => 1.0,
            EndBehaviour::Vanishing(power) | EndBehaviour::Hard(power) => *power,
        };
        (is_needed && end.is_finite()).then(|| behaviours.iter().map(mass_power).fold(f64::INFINITY, f64::min))
    }

    /// Whether the end is infinite and some component reaches it whose family does not know how far its tail must be followed. Then the
    /// tail is followed in an exponential coordinate.
    fn has_exponential_tail(&self, side: usize, reach: f64) -> bool {
        let is_unknown = |p: &EnclosedComponent| !p.ends[side].is_finite() && p.density.tail_reach(reach).is_none();
        !self.ends[side].is_finite() && self.active.iter().flatten().any(|p| is_unknown(p))
    }

    /// The score beyond which each component with a known tail has less than about `e^-reach` of its mass. `left` says that the tails go
    /// to the left.
    fn known_tail_start(&self, left: bool, reach: f64) -> f64 {
        // A score times `sign` grows outwards on both sides, so that one maximum serves for both.
        let sign = if left { -1.0 } else { 1.0 };
        // The tail begins at the centre of a component plus its reach. If the interval begins beyond the centre, far out in the tail, the
        // reach is added to that inner end instead.
        let inner_end = self.ends[usize::from(left)].enclosure();
        let outer_of_center_and_end = |center: f64| {
            if inner_end.is_bounded() { sign * (sign * center).max(sign * inner_end.mid()) } else { center }
        };
        let reaches = self.active.iter().flatten().filter_map(|part| part.density.tail_reach(reach));
        let outward = reaches.map(|(center, width)| sign * (outer_of_center_and_end(center) + sign * width));
        sign * outward.fold(f64::NEG_INFINITY, f64::max)
    }

    /// How far an exponential coordinate must go towards its end, in absolute value, before each class has at most the mass `e^-reach`
    /// beyond. The search starts at `start` and goes on by a constant factor. It ends where floats do: then more mass remains, or the tail
    /// cannot be bounded.
    fn far_enough(&self, coordinate: Coordinate, left: bool, reach: f64, start: f64) -> f64 {
        /// Scores with a larger logarithm than this come close to the largest float.
        const FARTHEST_SCORE: f64 = 600.0;
        /// Towards a finite end a distance may be less than any float: its logarithm stands for it.
        const FARTHEST_LOGARITHM: f64 = 1e6;
        /// Each try goes farther than the last one by this factor.
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

    /// The scores between the ends; an infinite end is replaced by the start of its tail if all families there know it.
    fn bounded_ends(&self, reach: f64) -> [Interval; 2] {
        [0, 1].map(|side| {
            if !self.ends[side].is_finite() && !self.has_exponential_tail(side, reach) {
                Interval::from(self.known_tail_start(side == 0, reach))
            } else {
                self.ends[side].enclosure()
            }
        })
    }

    /// A score that is not close to the hard end on the given side although there is next to no mass between them. Then a linear chart from
    /// there replaces an exponential one. `None` if there is no such score, or the interval is unbounded. The search starts at the value
    /// `start` of an exponential coordinate.
    fn thin_tail_start(&self, left: bool, reach: f64, start: f64) -> Option<f64> {
        /// The coordinate, minus the logarithm of the share of the interval, from which on a score is close to the end.
        const CLOSE: f64 = 6.0;
        /// Cuts are multiples of 1/GRAIN, so that they can be halved often without rounding.
        const GRAIN: f64 = 1024.0 * 1024.0;
        /// The mass of a class that is next to none.
        const THIN: f64 = 1e-6;
        let [a, b] = self.bounded_ends(reach);
        if !a.is_bounded() || !b.is_bounded() {
            return None;
        }
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

    /// An exponential chart on the given side, from the value 0 of the coordinate until the mass beyond is negligible. The search for its
    /// end starts at the value `start`, or `-start` on the left.
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

    /// Decides how the interval is followed towards its end on the given side. `exponential_at_ends` asks for an exponential chart at
    /// every finite end.
    fn approach(&self, side: usize, reach: f64, exponential_at_ends: bool) -> Approach {
        /// The value of the coordinate at which the search for the end of an infinite exponential chart starts.
        const START: f64 = 2.0;
        let left = side == 0;
        let regular = |core_end, tail| Approach { core_end, hard_power: None, tail, outer_chart: None };
        let end = self.ends[side];
        if let Some(power) = self.hard_power(side, exponential_at_ends) {
            return match self.thin_tail_start(left, reach, reach / power) {
                Some(cut) => regular(Interval::from(cut), Some(TailKind::Thin(cut))),
                None => Approach { hard_power: Some(power), ..regular(end.enclosure(), None) },
            };
        }
        if end.is_finite() {
            return regular(end.enclosure(), None);
        }
        if !self.has_exponential_tail(side, reach) {
            let cut = self.known_tail_start(left, reach);
            return regular(Interval::from(cut), Some(TailKind::KnownFamily(cut)));
        }
        // The distance is counted from the other end, or from any score inside. The core ends where the distance is 1.
        let (inner_end, one) = (self.ends[1 - side], Interval::ONE);
        let origin = if inner_end.is_finite() { inner_end.enclosure() } else { Interval::from(self.middle()) };
        let (core_end, coordinate) = if left {
            (origin - one, Coordinate::FromRight { b: origin, w: one })
        } else {
            (origin + one, Coordinate::FromLeft { a: origin, w: one })
        };
        let outer_chart = Some(self.exponential_chart(coordinate, left, reach, START));
        Approach { outer_chart, ..regular(core_end, None) }
    }

    /// Cuts the bounded core of the interval into charts. For each side, `hard_powers` holds the power of the mass if the core ends at a hard
    /// end, and `tails` the tail next to the core. `linear_inside` is explained at [`ChartOptions`].
    fn core_charts(
        &self,
        core: [Interval; 2],
        hard_powers: [Option<f64>; 2],
        tails: [Option<TailKind>; 2],
        reach: f64,
        linear_inside: bool,
    ) -> Vec<Chart> {
        let [a, b] = core;
        // The charts between a hard end and the score at the distance `w` from it.
        let to_left =
            |w: Interval, power: f64| self.exponential_chart(Coordinate::FromLeft { a, w }, true, reach, reach / power);
        let to_right = |w: Interval, power: f64| {
            self.exponential_chart(Coordinate::FromRight { b, w }, false, reach, reach / power)
        };
        let exponential = Some(TailKind::Exponential);
        match hard_powers {
            [None, None] => vec![self.linear_chart(core, tails)],
            // Densities are enclosed more narrowly in a linear coordinate than in an exponential one, which is needed only close to ends.
            _ if linear_inside && let Some(v) = away_from_hard_ends(hard_powers.map(|power| power.is_some()), core) => {
                let coordinate = Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE };
                let [start, end] = v.map(Interval::from);
                let left = hard_powers[0].map(|power| to_left(start - a, power));
                let right = hard_powers[1].map(|power| to_right(b - end, power));
                left.into_iter().chain([Chart { coordinate, v, tails }]).chain(right).collect()
            }
            [Some(power), None] => vec![Chart { tails: [exponential, tails[1]], ..to_left(b - a, power) }],
            [None, Some(power)] => vec![Chart { tails: [tails[0], exponential], ..to_right(b - a, power) }],
            [Some(left_power), Some(right_power)] => {
                let middle = Interval::from(self.middle());
                vec![to_left(middle - a, left_power), to_right(b - middle, right_power)]
            }
        }
    }

    /// Cuts the interval into charts, from left to right. Hard and infinite ends get exponential charts, unless a tail next to a linear
    /// chart is enough. Beyond all charts, each class has about the mass `e^-reach` or less.
    pub(super) fn charts(&self, reach: f64, options: ChartOptions) -> Vec<Chart> {
        let [left, right] = [0, 1].map(|side| self.approach(side, reach, options.exponential_at_ends));
        let core = [left.core_end, right.core_end];
        let hard_powers = [left.hard_power, right.hard_power];
        let tails = [left.tail, right.tail];
        let mut charts: Vec<Chart> = left.outer_chart.into_iter().collect();
        charts.extend(self.core_charts(core, hard_powers, tails, reach, options.linear_inside));
        charts.extend(right.outer_chart);
        charts
    }
}
