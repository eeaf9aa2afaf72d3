//! From densities to an enclosed curve.
//!
//! The score axis is cut at every declared place. Between two of them the densities are enclosed on stretches that are halved
//! until the series are good; their integrals, added up from both sides, are the distribution functions. Towards singular and
//! infinite ends a bound on the growth of the densities encloses the mass that no stretch reaches.

use super::bend::{Bend, goes_on};
use super::parts::{Part, Parts};
use super::place::Place;
use super::shape::{Local, Shape};
use super::site::{Coordinate, Site};
use super::typed::Beyond;
use crate::arith::{Interval, Rational, Series};
use crate::calculus::patch::{Motion, Patch, Spot};
use crate::model::constant::Constant;
use crate::model::piecewise::Piecewise;
use std::cmp::Ordering;
use std::fmt;

/// What a series may be off, relatively, to be taken as it is.
const TARGET: f64 = 2e-14;
/// A series that is off by no more than so many times what it may be, and not better on a half, is as good as rounding allows.
const ROUNDED: f64 = 1e4;
/// How much negative mass a stretch of a typed density may seem to have before it is looked at more closely.
const NEGATIVE: f64 = 1e-15;
/// How often a stretch is halved.
pub(super) const MOST_HALVINGS: u32 = 60;
/// After so many stretches one that is halved to no avail is taken at once.
const MANY_STRETCHES: usize = 2_000;
/// How many stretches an interval may need.
pub(super) const MOST_STRETCHES: usize = 20_000;
/// So often a stretch is halved to no avail before it is taken as it is, if no more than this may be off.
const PATIENCE: u32 = 4;
const AT_STAKE: f64 = 1e-16;
/// Masses below this lose digits, and none has more at the end of any reach.
const LEAST: f64 = 1e-290;
/// A mass that counts less than what is left of a direction where it is known well.
const LITTLE: f64 = 1e-14;
/// A direction that may be so far off is none.
const VAGUE: f64 = 0.1;
/// A power to try where it is not known: at least this far an exponential coordinate goes, in shares of the reach.
const UNKNOWN_POWER: f64 = 20.0;
/// The mass that need not be known, to start with: minus its logarithm. It is what is left beyond all stretches, too.
pub const REACH: f64 = 42.0;

/// Why a curve could not be enclosed.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// Two places are too close to tell which comes first.
    Order,
    /// The tail towards this end could not be bounded.
    Tail(f64),
    /// The density could not be enclosed near this score.
    Irregular(f64),
    /// The density is negative at this score.
    Negative(f64),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Order => f.write_str("two places are too close to tell which comes first"),
            Trouble::Tail(x) => write!(f, "the mass close to x = {x} could not be bounded"),
            Trouble::Irregular(x) => write!(f, "the density could not be enclosed near x = {x:.6}"),
            Trouble::Negative(x) => write!(f, "the density is negative at x = {x:.6}"),
        }
    }
}

/// The parts of both classes that are active on an interval.
pub(super) type Active<'a> = [Vec<&'a Part>; 2];

/// A curve of enclosed stretches.
#[derive(Clone, Debug)]
pub struct EnclosedCurve {
    /// The stretches, in order.
    pub patches: Vec<Patch>,
    /// The scale of the scores: [0, 1] if they all lie in it, else the support.
    pub range: [Interval; 2],
    /// Whether all scores lie in [0, 1].
    pub probabilistic: bool,
}

/// What a density does towards an end of an interval.
enum Towards {
    /// It is smooth there and not 0.
    Regular,
    /// It goes to zero like a whole power of the distance, which the mass follows with the given power.
    Vanishing(f64),
    /// It is no polynomial there; the mass follows the given power of the distance.
    Hard(f64),
}

fn towards(part: &Part, end: &Place, left: bool) -> Towards {
    let side = usize::from(!left);
    if !end.is_finite() || part.ends[side].compare(end) != Some(Ordering::Equal) {
        return Towards::Regular;
    }
    const NEAR: f64 = 1e-15;
    let at = end.enclosure();
    let distance = Interval::new(0.0, NEAR);
    let x = if left { at + distance } else { at - distance };
    let elasticity = part.shape.elasticity(&Beyond { left, end, from: at, distance, x });
    if !elasticity.is_bounded() {
        let (a, w) = (if left { at } else { at - Interval::from(NEAR) }, Interval::from(NEAR));
        let half = Interval::from(0.5);
        let site = Site::new(Coordinate::Linear { a, w }, Series::linear(half, half), half, part.ends.each_ref());
        let is_known = part.shape.local(&site).value.is_known();
        return if is_known { Towards::Regular } else { Towards::Hard(UNKNOWN_POWER) };
    }
    let power = elasticity.lo();
    if elasticity.magnitude() < 1e-7 {
        Towards::Regular
    } else if matches!(*part.shape, Shape::Typed(_)) && power > 0.5 && (power - power.round()).abs() < 1e-7 {
        Towards::Vanishing(1.0 + power)
    } else {
        Towards::Hard((1.0 + power).max(1e-4))
    }
}

/// The power of the distance that the mass follows towards an end, if the end needs an exponential coordinate.
fn hard_end(active: &Active, end: &Place, left: bool, graded: bool) -> Option<f64> {
    let kinds: Vec<Towards> = active.iter().flatten().map(|part| towards(part, end, left)).collect();
    let needed = graded
        || kinds.iter().any(|k| matches!(k, Towards::Hard(_)))
        || kinds.iter().all(|k| matches!(k, Towards::Vanishing(_)));
    let power = |k: &Towards| match k {
        Towards::Regular => 1.0,
        Towards::Vanishing(power) | Towards::Hard(power) => *power,
    };
    (needed && end.is_finite()).then(|| kinds.iter().map(power).fold(f64::INFINITY, f64::min))
}

/// A stretch of an interval in one coordinate, and what lies beyond it on either side.
pub(super) struct Stretch {
    pub(super) coordinate: Coordinate,
    pub(super) v: [f64; 2],
    pub(super) beyond: [Option<Rest>; 2],
}

impl Stretch {
    /// The mass that need not be known around a place: little compared to what lies beyond it, so that tails can be compared, but
    /// where there is mass a density may touch 0.
    fn negligible(&self, v: f64, reach: f64) -> f64 {
        let [a, b] = self.v;
        let way = (v - a) / (b - a);
        let towards = |side: usize| {
            let share = if side == 0 { 1.0 - way } else { way };
            match self.beyond[side] {
                None => 0.0,
                Some(Rest::Exponential) => share,
                // Half of the way is in the bulk, and bells fall like a square.
                Some(Rest::Bells(_) | Rest::Thin(_)) => (2.0 * share - 1.0).max(0.0).powi(2),
            }
        };
        core_math::exp(-reach * (1.0 + towards(0).max(towards(1)))).max(LEAST)
    }
}

/// What lies between a stretch and an end.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    /// In the coordinate of the stretch, an exponential one.
    Exponential,
    /// Scores beyond this one, where families of known tails fall.
    Bells(f64),
    /// Scores between a singular end and this one, where there is next to no mass although it is not close to the end.
    Thin(f64),
}

/// Beyond which score all bells of an interval have fallen.
fn bells_end(active: &Active, ends: [&Place; 2], left: bool, reach: f64) -> f64 {
    let sign = if left { -1.0 } else { 1.0 };
    let far = active.iter().flatten().filter_map(|part| match &*part.shape {
        Shape::Normal { mean, deviation } => Some((mean.value, (2.0 * reach).sqrt() * deviation.value)),
        Shape::Logistic { location, scale } => Some((location.value, reach * scale.value)),
        _ => None,
    });
    // A part that starts far out in a tail goes on from there.
    let start = ends[usize::from(left)].enclosure();
    let from = |center: f64| if start.is_bounded() { sign * (sign * center).max(sign * start.mid()) } else { center };
    let reached = far.map(|(center, width)| sign * (from(center) + sign * width)).fold(f64::NEG_INFINITY, f64::max);
    sign * reached
}

/// How far an exponential coordinate must go, in the direction of its end, before less than what matters is left.
fn far_enough(active: &Active, coordinate: Coordinate, ends: [&Place; 2], left: bool, reach: f64, start: f64) -> f64 {
    /// No float has a logarithm beyond this; towards a finite end distances are followed by their logarithms alone.
    const FARTHEST: f64 = 600.0;
    const STEP: f64 = 1.3;
    let farthest = if ends[usize::from(!left)].is_finite() { 1e6 } else { FARTHEST };
    let mut v = start;
    while v < farthest {
        let at = if left { -v } else { v };
        let rest = rests(active, coordinate, at, Rest::Exponential, ends, left);
        if rest.is_ok_and(|rest| rest.mass.iter().all(|mass| mass.hi() <= core_math::exp(-reach))) {
            break;
        }
        v *= STEP;
    }
    v
}

/// A score, not close to a singular end, between which and the end there is next to no mass, if there is one.
fn thin_end(active: &Active, ends: [&Place; 2], left: bool, reach: f64, start: f64) -> Option<f64> {
    /// The logarithm of the share of the interval that is close to the end.
    const CLOSE: f64 = 6.0;
    /// Cuts are multiples of this share of a score, so that halves of what lies between are floats.
    const GRAIN: f64 = 1024.0 * 1024.0;
    let ([a, b], true) = (ends.map(Place::enclosure), ends.iter().all(|end| end.is_finite())) else { return None };
    let (w, sign) = (b - a, if left { 1.0 } else { -1.0 });
    let coordinate = if left { Coordinate::FromLeft { a, w } } else { Coordinate::FromRight { b, w } };
    let v = far_enough(active, coordinate, ends, left, reach, start);
    let from = if left { a } else { b };
    let cut = from.mid() + sign * w.mid() * core_math::exp(-v);
    let cut = (cut * GRAIN).round() / GRAIN;
    let inside = a.hi() < cut && cut < b.lo();
    let thin = || {
        rests(active, coordinate, 0.0, Rest::Thin(cut), ends, left)
            .is_ok_and(|rest| rest.mass.iter().all(|m| m.hi() < 1e-6))
    };
    (v < CLOSE && inside && thin()).then_some(cut)
}

/// The part of an interval that is not close to its hard ends, between floats whose halves are floats, too.
fn inner(hard: [bool; 2], [a, b]: [Interval; 2]) -> Option<[f64; 2]> {
    /// The share of the interval that is close to an end.
    const CLOSE: f64 = 1.0 / 16.0;
    /// Cuts are multiples of this share of the width.
    const GRAIN: f64 = 1.0 / (1024.0 * 1024.0);
    let width = (b - a).mid();
    let grain = GRAIN * f64::powi(2.0, core_math::log2(width).floor() as i32);
    let cut = |place: f64| (place / grain).round() * grain;
    let from = if hard[0] { cut(a.mid() + CLOSE * width) } else { a.lo() };
    let to = if hard[1] { cut(b.mid() - CLOSE * width) } else { b.lo() };
    let known = (hard[0] && a.hi() < from || a.is_point()) && (hard[1] && to < b.lo() || b.is_point());
    (known && from < to).then_some([from, to])
}

/// Cuts an interval into stretches. Ends that are known not to need an exponential coordinate are told.
pub(super) fn stretches(
    active: &Active,
    ends: [&Place; 2],
    reach: f64,
    graded: bool,
    easy: [bool; 2],
    linear_inside: bool,
) -> Vec<Stretch> {
    let is_typed_tail = |side: usize| {
        let reaches = |p: &Part| !p.ends[side].is_finite() && matches!(*p.shape, Shape::Typed(_));
        !ends[side].is_finite() && active.iter().flatten().any(|p| reaches(p))
    };
    let mut hard = [0, 1].map(|side| if easy[side] { None } else { hard_end(active, ends[side], side == 0, graded) });
    let exponential = Some(Rest::Exponential);
    let far = |coordinate, left, start| far_enough(active, coordinate, ends, left, reach, start);
    // Towards an end, from a place at the given distance: to a hard or infinite end on the left, on the right.
    let to_left = |a: Interval, w: Interval, p: f64| {
        let coordinate = Coordinate::FromLeft { a, w };
        Stretch { coordinate, v: [-far(coordinate, true, reach / p), 0.0], beyond: [exponential, None] }
    };
    let to_right = |b: Interval, w: Interval, p: f64| {
        let coordinate = Coordinate::FromRight { b, w };
        Stretch { coordinate, v: [0.0, far(coordinate, false, reach / p)], beyond: [None, exponential] }
    };
    let one = Interval::ONE;
    let middle = match (ends[0].is_finite(), ends[1].is_finite()) {
        (true, true) => (ends[0].enclosure() + ends[1].enclosure()).mid() / 2.0,
        (true, false) => ends[0].enclosure().mid() + 1.0,
        (false, true) => ends[1].enclosure().mid() - 1.0,
        (false, false) => 0.0,
    };
    // The bounded core, and what lies outside it.
    let mut core = ends.map(Place::enclosure);
    let mut rest = [None, None];
    let mut outside = [None, None];
    for side in [0, 1] {
        let left = side == 0;
        if let Some(power) = hard[side] {
            if let Some(cut) = thin_end(active, ends, left, reach, reach / power) {
                (core[side], rest[side], hard[side]) = (Interval::from(cut), Some(Rest::Thin(cut)), None);
            }
            continue;
        }
        if ends[side].is_finite() {
            continue;
        }
        if !is_typed_tail(side) {
            let cut = bells_end(active, ends, left, reach);
            (core[side], rest[side]) = (Interval::from(cut), Some(Rest::Bells(cut)));
            continue;
        }
        const START: f64 = 2.0;
        let other = ends[1 - side];
        let from = if other.is_finite() { other.enclosure() } else { Interval::from(middle) };
        outside[side] = Some(if left {
            core[0] = from - one;
            let coordinate = Coordinate::FromRight { b: from, w: one };
            Stretch { coordinate, v: [-far(coordinate, true, START), 0.0], beyond: [exponential, None] }
        } else {
            core[1] = from + one;
            let coordinate = Coordinate::FromLeft { a: from, w: one };
            Stretch { coordinate, v: [0.0, far(coordinate, false, START)], beyond: [None, exponential] }
        });
    }
    let ([a, b], m) = (core, Interval::from(middle));
    let [before, after] = outside;
    let mut found: Vec<Stretch> = before.into_iter().collect();
    match hard {
        // Where both ends are floats the coordinate is the score itself.
        [None, None] if a.is_point() && b.is_point() => {
            let coordinate = Coordinate::Linear { a: Interval::ZERO, w: one };
            found.push(Stretch { coordinate, v: [a.lo(), b.lo()], beyond: rest });
        }
        [None, None] => {
            found.push(Stretch { coordinate: Coordinate::Linear { a, w: b - a }, v: [0.0, 1.0], beyond: rest })
        }
        // In the score itself densities are known better than in an exponential coordinate, which is for what is close to an end.
        _ if linear_inside && let Some([from, to]) = inner(hard.map(|end| end.is_some()), [a, b]) => {
            let coordinate = Coordinate::Linear { a: Interval::ZERO, w: one };
            let [near, far] = [from, to].map(Interval::from);
            found.extend(hard[0].map(|p| to_left(a, near - a, p)));
            found.push(Stretch { coordinate, v: [from, to], beyond: rest });
            found.extend(hard[1].map(|q| to_right(b, b - far, q)));
        }
        [Some(p), None] => found.push(Stretch { beyond: [exponential, rest[1]], ..to_left(a, b - a, p) }),
        [None, Some(q)] => found.push(Stretch { beyond: [rest[0], exponential], ..to_right(b, b - a, q) }),
        [Some(p), Some(q)] => found.extend([to_left(a, m - a, p), to_right(b, b - m, q)]),
    }
    found.extend(after);
    found
}

/// What is left beyond a stretch.
pub(super) struct Left {
    pub(super) mass: [Interval; 2],
    /// For each class, scores that multiply its mass to hold the part of its mean.
    mean_scores: [Interval; 2],
    bend: Interval,
}

/// The mass of a part, per unit of the coordinate.
pub(super) fn mass_rate(part: &Part, site: &Site) -> (Series, Local) {
    let local = part.shape.local(site);
    let plain = local.value * site.speed;
    let rate = match local.log {
        // Together they may stay bounded where alone they do not.
        Some([log, _]) if plain.error() > TARGET * plain.bound() || !plain.is_known() => {
            let by_log = (log + site.log_speed).exp();
            if by_log.error() < plain.error() { by_log } else { plain }
        }
        _ => plain,
    };
    (rate.scaled(part.weight), local)
}

pub(super) fn rests(
    active: &Active,
    coordinate: Coordinate,
    v: f64,
    rest: Rest,
    ends: [&Place; 2],
    left: bool,
) -> Result<Left, Trouble> {
    let end = ends[usize::from(!left)];
    let trouble = || Trouble::Tail(end.constant.value);
    let (site, beyond) = match (rest, coordinate) {
        (Rest::Bells(cut), _) => {
            let at = Coordinate::Linear { a: Interval::from(cut), w: Interval::ONE };
            let site = Site::new(at, Series::from(0.0), Interval::ONE, ends);
            let x = if left { Interval::new(f64::NEG_INFINITY, cut) } else { Interval::new(cut, f64::INFINITY) };
            (site, Beyond { left, end, from: Interval::from(cut), distance: Interval::new(0.0, f64::INFINITY), x })
        }
        (Rest::Thin(cut), _) => {
            let (from, cut) = (end.enclosure(), Interval::from(cut));
            let w = if left { cut - from } else { from - cut };
            let at = if left { Coordinate::FromLeft { a: from, w } } else { Coordinate::FromRight { b: from, w } };
            let site = Site::new(at, Series::from(0.0), Interval::ONE, ends);
            (site, Beyond { left, end, from, distance: Interval::new(0.0, w.hi()), x: from.hull(cut) })
        }
        (Rest::Exponential, Coordinate::Linear { .. }) => return Err(trouble()),
        (Rest::Exponential, Coordinate::FromLeft { a: from, w } | Coordinate::FromRight { b: from, w }) => {
            let site = Site::new(coordinate, Series::from(v), Interval::ONE, ends);
            let grows = matches!(coordinate, Coordinate::FromLeft { .. });
            let at = w * Interval::from(if grows { v } else { -v }).exp();
            let distance =
                if end.is_finite() { Interval::new(0.0, at.hi()) } else { Interval::new(at.lo(), f64::INFINITY) };
            let x = if grows { from + distance } else { from - distance };
            (site, Beyond { left, end, from, distance, x })
        }
    };
    let mut mass = [Interval::ZERO; 2];
    let mut means: [Option<Interval>; 2] = [None; 2];
    for class in [0, 1] {
        for part in &active[class] {
            let rate = mass_rate(part, &site).0.at(Interval::ZERO);
            let mut decay = match rest {
                Rest::Bells(_) => part.shape.tail_decay(&beyond),
                Rest::Exponential | Rest::Thin(_) => {
                    let power = Interval::ONE + part.shape.elasticity(&beyond);
                    if end.is_finite() { power } else { -power }
                }
            };
            let mut known = Interval::new(rate.lo().max(0.0), rate.hi()) / decay;
            if !decay.is_positive() || !known.is_bounded() {
                let decline = part.shape.decline(&beyond).ok_or_else(trouble)?;
                let most = (part.weight * Interval::from(decline.most)).hi();
                // A suspicion of negative mass may be rounding; where there is no end to it, it must be refuted.
                if !decline.is_density && (!end.is_finite() || most > NEGATIVE) {
                    return Err(trouble());
                }
                (known, decay) = (Interval::new(0.0, most), decline.decay);
            }
            if !known.is_bounded() {
                return Err(trouble());
            }
            mass[class] = mass[class] + known;
            if end.is_finite() {
                continue;
            }
            // Between two that fall faster and more slowly, the mean lies between theirs.
            let away = match rest {
                Rest::Bells(_) => Interval::new(0.0, (Interval::ONE / decay).hi()),
                Rest::Exponential | Rest::Thin(_) => {
                    let slower = decay - Interval::ONE;
                    let start = Interval::from(beyond.distance.lo());
                    let most = Interval::new(beyond.distance.lo(), f64::INFINITY);
                    if slower.is_positive() { start + start / slower } else { most }
                }
            };
            if known.hi() > 0.0 {
                let mean = beyond.from + away * beyond.sign();
                means[class] = Some(means[class].map_or(mean, |means| means.hull(mean)));
            }
        }
    }
    let mean_scores = means.map(|mean| if end.is_finite() { beyond.x } else { mean.unwrap_or(Interval::ZERO) });
    let pairs = active[0].iter().flat_map(|p| active[1].iter().map(move |q| (p, q)));
    let bends = pairs.map(|(p, q)| p.shape.ratio_slope(&q.shape, &beyond));
    let bend = bends.reduce(Interval::hull).unwrap_or(Interval::ZERO);
    Ok(Left { mass, mean_scores, bend })
}

/// A stretch before the distribution functions are known.
struct Draft {
    x: [Series; 2],
    dx: Series,
    rate: [Series; 2],
    share: [Series; 2],
    turn: Series,
    bend: Series,
    /// What typed densities may have of negative mass, and where one is negative for sure.
    negative: f64,
    is_negative: bool,
}

impl Draft {
    fn new(site: &Site, active: &Active, alike: bool, exact: Option<&Bend>) -> Draft {
        let mut rate = [Series::from(0.0); 2];
        let mut slope = [Series::from(0.0); 2];
        let mut log = [None; 2];
        let (mut negative, mut is_negative) = (0.0f64, false);
        for class in [0, 1] {
            for part in &active[class] {
                let (of_part, local) = mass_rate(part, site);
                rate[class] = rate[class] + of_part;
                if part.is_typed && local.log.is_none() {
                    let range = of_part.range();
                    negative = negative.max(-range.lo());
                    is_negative |= range.is_negative();
                }
                if active[0].len() == 1 && active[1].len() == 1 {
                    log[class] = local.log.map(|[log, rate]| [log + Series::from(part.weight.ln()), rate]);
                } else if !alike && !active[1 - class].is_empty() {
                    slope[class] = slope[class] + (local.slope * site.speed).scaled(part.weight);
                }
            }
        }
        let zero = Series::from(0.0);
        let one = Series::from(1.0);
        let (share, turn, bend) = match (active[0].is_empty(), active[1].is_empty()) {
            (true, true) => ([zero; 2], zero, zero),
            (true, false) => ([zero, one], zero, zero),
            (false, true) => ([one, zero], zero, zero),
            _ if alike => ([Series::from(0.5); 2], zero, zero),
            _ => match log {
                [Some([log0, rate0]), Some([log1, rate1])] if log0.is_known() && log1.is_known() => {
                    let (p, q) = (&active[0][0].shape, &active[1][0].shape);
                    let bend = p.ratio_rate(q, site).unwrap_or_else(|| rate1 - rate0);
                    let ratio = log1 - log0;
                    // The smaller share relatively as well known as the larger one.
                    let up = ratio.rough_range().mid() >= 0.0;
                    let e = if up { -ratio } else { ratio }.exp();
                    let larger = one / (one + e);
                    let smaller = e * larger;
                    let share = if up { [smaller, larger] } else { [larger, smaller] };
                    (share, share[0] * share[1] * bend, bend)
                }
                _ => {
                    if active.iter().all(|parts| parts.len() == 1) {
                        for class in [0, 1] {
                            let part = active[class][0];
                            slope[class] = (part.shape.local(site).slope * site.speed).scaled(part.weight);
                        }
                    }
                    let sum = rate[0] + rate[1];
                    let share = rate.map(|r| r / sum);
                    let turn = share[0] * (slope[1] / sum) - share[1] * (slope[0] / sum);
                    (share, turn, turn)
                }
            },
        };
        let bend = exact.map_or(bend, |exact| exact.along(site));
        let rate = rate.map(Series::integrable);
        let x = [site.x, site.x_complement];
        Draft { x, dx: site.speed, rate, share, turn, bend, negative, is_negative }
    }

    /// The score, and one minus it, at both ends.
    fn edges(&self) -> [[Interval; 2]; 2] {
        [0, 1].map(|side| self.x.map(|x| x.ends()[side]))
    }

    /// What the mass is not above.
    fn most_mass(&self) -> f64 {
        2.0 * (self.rate[0].bound() + self.rate[1].bound())
    }

    /// The same, forgetting all but the mass.
    fn lump(self) -> Raw {
        let mass = self.rate.map(|rate| Interval::new(0.0, rate.integral().hi().max(0.0)));
        let left = Left { mass, mean_scores: [self.x[0].rough_range(); 2], bend: Interval::ALL };
        Raw::Left { left, x: self.edges() }
    }

    /// How far off scores are: errors count with their size.
    fn excess_of_scores(&self) -> f64 {
        let size = 1.0 + self.x[0].bound();
        let of_dx = self.dx.error() / (TARGET * self.dx.bound()).max(1e-3 * TARGET * size);
        of_dx.max(self.x[0].error() / (0.1 * TARGET * size))
    }

    /// Whether there is a direction everywhere.
    fn is_directed(&self) -> bool {
        self.share.iter().chain([&self.turn]).all(Series::is_known)
    }

    /// How far off the worst of the series is, in units of what it may be off.
    fn excess(&self, negligible: f64) -> f64 {
        self.excess_with(negligible, 0.1 * TARGET)
    }

    /// The same where errors of the curvature count with the mass, too.
    fn stake(&self) -> f64 {
        let mass = self.rate[0].bound() + self.rate[1].bound();
        self.excess_with(AT_STAKE, (AT_STAKE / mass).max(0.1 * TARGET))
    }

    fn excess_with(&self, negligible: f64, of_turn: f64) -> f64 {
        // What is off by a share of what there is, or by nothing to speak of.
        if !self.is_directed() || !self.rate.iter().chain(&self.x).chain([&self.dx]).all(Series::is_known) {
            return f64::INFINITY;
        }
        let off = |s: &Series, negligible: f64| s.error() / (TARGET * s.bound()).max(negligible);
        let rates = self.rate.iter().map(|rate| off(rate, negligible));
        // Errors of the direction count with the mass.
        let mass = self.rate[0].bound() + self.rate[1].bound();
        let of_share = (negligible / mass).clamp(TARGET, if mass > LITTLE { 10.0 * TARGET } else { f64::INFINITY });
        let shares = self.share.iter().map(|share| share.error() / of_share);
        let worst = rates.chain(shares).chain([self.excess_of_scores()]).fold(off(&self.turn, of_turn), f64::max);
        // A suspicion of negative mass is looked into as what is not known is.
        if self.negative > NEGATIVE { worst.max(1.0 / TARGET) } else { worst }
    }
}

/// Halves a stretch until its parts are good.
fn cover(
    active: &Active,
    stretch: &Stretch,
    ends: [&Place; 2],
    reach: f64,
    alike: bool,
    graded: bool,
    bend: Option<&Bend>,
) -> Result<Vec<Raw>, Trouble> {
    let mut found: Vec<Raw> = Vec::new();
    let mut pending = vec![(stretch.v[0], stretch.v[1], f64::INFINITY, 0, 0)];
    while let Some((from, to, before, halvings, in_vain)) = pending.pop() {
        let (lo, hi) = (Interval::from(from), Interval::from(to));
        let half = (hi - lo) * Interval::from(0.5);
        let v = Series::linear((hi + lo) * Interval::from(0.5), half);
        let site = Site::new(stretch.coordinate, v, half, ends);
        let draft = Draft::new(&site, active, alike, bend);
        if draft.is_negative {
            return Err(Trouble::Negative(draft.x[0].rough_range().mid()));
        }
        let excess = draft.excess(stretch.negligible((from + to) / 2.0, reach));
        let in_vain = if excess > 0.3 * before { in_vain + 1 } else { 0 };
        let patience = if found.len() < MANY_STRETCHES { PATIENCE } else { 1 };
        // Where rates must be relatively good it does not matter how little they are.
        let at_ease = !graded || found.len() >= MANY_STRETCHES;
        let little = at_ease && in_vain >= patience && draft.stake() <= 1.0;
        let rounded = in_vain > 0 && excess <= ROUNDED || little;
        let is_vague = draft.share.iter().any(|share| share.error() > VAGUE);
        if excess <= 1.0 || rounded {
            found.push(if is_vague { draft.lump() } else { draft.into() });
            continue;
        }
        let negligible = draft.most_mass() <= core_math::exp(-reach) && draft.excess_of_scores() <= 1.0;
        if negligible && (!draft.is_directed() || graded && is_vague) {
            found.push(draft.lump());
            continue;
        }
        let middle = from / 2.0 + to / 2.0;
        if halvings == MOST_HALVINGS || found.len() > MOST_STRETCHES || middle <= from || middle >= to {
            if !draft.rate.iter().all(Series::is_known) || found.len() > MOST_STRETCHES {
                return Err(Trouble::Irregular(draft.x[0].rough_range().mid()));
            }
            found.push(if draft.is_directed() { draft.into() } else { draft.lump() });
            continue;
        }
        pending.push((middle, to, excess, halvings + 1, in_vain));
        pending.push((from, middle, excess, halvings + 1, in_vain));
    }
    Ok(found)
}

/// What is enclosed along the score axis, before the distribution functions are known.
enum Raw {
    Stretch { draft: Box<Draft>, smooth: bool },
    Left { left: Left, x: [[Interval; 2]; 2] },
    Atom { place: Constant, mass: [Interval; 2] },
    Gap { ends: [Interval; 2] },
}

impl From<Draft> for Raw {
    fn from(draft: Draft) -> Raw {
        Raw::Stretch { draft: Box::new(draft), smooth: true }
    }
}

impl Raw {
    /// The score at an end, and one minus it.
    fn edge(&self, side: usize) -> [Interval; 2] {
        match self {
            Raw::Stretch { draft, .. } => draft.edges()[side],
            Raw::Left { x, .. } => x[side],
            Raw::Atom { .. } | Raw::Gap { .. } => [Interval::ALL; 2],
        }
    }
}

fn arc(
    active: &Active,
    ends: [&Place; 2],
    reach: f64,
    alike: bool,
    graded: bool,
    bend: Option<&Bend>,
) -> Result<Vec<Raw>, Trouble> {
    let mut found = Vec::new();
    for stretch in stretches(active, ends, reach, graded, [false; 2], true) {
        // What cannot be bounded beyond a stretch need not be followed along it.
        let beyond = |side: usize| {
            let rest = stretch.beyond[side]
                .map(|rest| rests(active, stretch.coordinate, stretch.v[side], rest, ends, side == 0));
            rest.transpose()
        };
        let [before, after] = [beyond(0)?, beyond(1)?];
        let covered = cover(active, &stretch, ends, reach, alike, graded, bend)?;
        let edge = |raw: Option<&Raw>, side: usize| raw.map_or([Interval::ALL; 2], |raw| raw.edge(side));
        let outer = |side: usize| {
            let place = ends[side].enclosure();
            [place, Interval::ONE - place]
        };
        let [first, inner] = [edge(covered.first(), 0), edge(covered.last(), 1)];
        let bends = |left: &Left, side: usize, score: Interval| match bend {
            _ if alike => Interval::ZERO,
            Some(bend) => bend.beyond(side, score),
            None => left.bend,
        };
        if let Some(mut left) = before {
            left.bend = bends(&left, 0, first[0]);
            found.push(Raw::Left { left, x: [outer(0), first] });
        }
        // After a jump of the densities, or where their direction is not known, nothing goes on.
        let mut goes_on = !found.is_empty();
        for raw in covered {
            let is_lump = matches!(raw, Raw::Left { .. });
            found.push(match raw {
                Raw::Stretch { draft, smooth } => Raw::Stretch { draft, smooth: smooth && goes_on },
                other => other,
            });
            goes_on = !is_lump;
        }
        if let Some(mut left) = after {
            left.bend = bends(&left, 1, inner[0]);
            found.push(Raw::Left { left, x: [inner, outer(1)] });
        }
    }
    Ok(found)
}

/// The mass of one part, relatively good also where it is tiny: the far tail of a bell, say.
pub(super) fn mass(part: &Part) -> Result<Interval, Trouble> {
    const SMALL: f64 = 0.01;
    let found = mass_within(part, REACH)?;
    if found.hi() >= SMALL || found.hi() <= 0.0 {
        return Ok(found);
    }
    mass_within(part, (REACH - core_math::log(found.hi())).min(650.0))
}

fn mass_within(part: &Part, reach: f64) -> Result<Interval, Trouble> {
    let active = [vec![part], Vec::new()];
    let raw = arc(&active, [&part.ends[0], &part.ends[1]], reach, false, false, None)?;
    Ok(raw.iter().fold(Interval::ZERO, |sum, raw| {
        sum + match raw {
            Raw::Stretch { draft, .. } => draft.rate[0].integral(),
            Raw::Left { left, .. } => left.mass[0],
            Raw::Atom { .. } | Raw::Gap { .. } => Interval::ZERO,
        }
    }))
}

/// The masses of the atoms at a place.
pub(super) fn mass_at(classes: [&Parts; 2], place: &Place) -> [Interval; 2] {
    classes.map(|class| {
        let here = class.atoms.iter().filter(|a| a.place.compare(place) == Some(Ordering::Equal));
        here.fold(Interval::ZERO, |sum, atom| sum + atom.mass)
    })
}

/// The parts that cover an interval: ends were put in order already, so they start no later and end no earlier.
pub(super) fn active_on<'a>(classes: [&'a Parts; 2], from: &Place, to: &Place) -> Active<'a> {
    classes.map(|class| {
        let covers = |p: &&Part| {
            p.ends[0].compare(from) != Some(Ordering::Greater) && p.ends[1].compare(to) != Some(Ordering::Less)
        };
        class.parts.iter().filter(covers).collect()
    })
}

/// The places of all ends and atoms, in order.
pub(super) fn places(classes: [&Parts; 2]) -> Result<Vec<&Place>, Trouble> {
    let mut sorted = Vec::new();
    let ends = classes.iter().flat_map(|c| c.parts.iter().flat_map(|p| p.ends.iter()));
    for place in ends.chain(classes.iter().flat_map(|c| c.atoms.iter().map(|a| &a.place))) {
        insert(&mut sorted, place)?;
    }
    Ok(sorted)
}

fn insert<'a>(sorted: &mut Vec<&'a Place>, place: &'a Place) -> Result<(), Trouble> {
    for at in 0..sorted.len() {
        match place.compare(sorted[at]).ok_or(Trouble::Order)? {
            Ordering::Equal => return Ok(()),
            Ordering::Less => {
                sorted.insert(at, place);
                return Ok(());
            }
            Ordering::Greater => {}
        }
    }
    sorted.push(place);
    Ok(())
}

impl EnclosedCurve {
    /// The curve of two densities. `alike` says that they are one and the same; `reach` is minus the logarithm of what
    /// may be left beyond all stretches; `graded` asks for rates that are relatively good towards every end; `exact` are the
    /// same densities where both are piecewise polynomials.
    pub fn new(
        classes: [&Parts; 2],
        alike: bool,
        reach: f64,
        graded: bool,
        exact: Option<[&Piecewise; 2]>,
    ) -> Result<EnclosedCurve, Trouble> {
        let mut places = places(classes)?;
        let unit = [Rational::ZERO, Rational::ONE].map(Place::rational);
        let inside = |place: &&Place| {
            let [from, to] = [place.compare(&unit[0]), place.compare(&unit[1])];
            Ok(from.ok_or(Trouble::Order)? != Ordering::Less && to.ok_or(Trouble::Order)? != Ordering::Greater)
        };
        let probabilistic = places.iter().map(inside).collect::<Result<Vec<_>, _>>()?.into_iter().all(|inside| inside);
        if probabilistic {
            unit.iter().try_for_each(|place| insert(&mut places, place))?;
        }
        let mut raw: Vec<Raw> = Vec::new();
        for (k, place) in places.iter().enumerate() {
            let mass = mass_at(classes, place);
            if mass != [Interval::ZERO; 2] {
                raw.push(Raw::Atom { place: place.constant.clone(), mass });
            }
            let Some(next) = places.get(k + 1) else { break };
            let active = active_on(classes, place, next);
            if active.iter().all(Vec::is_empty) {
                raw.push(Raw::Gap { ends: [place.enclosure(), next.enclosure()] });
            } else {
                let bend = exact.and_then(|exact| Bend::between(exact, [place, next]));
                let mut found = arc(&active, [place, next], reach, alike, graded, bend.as_ref())?;
                if let (Some(Raw::Stretch { smooth, .. }), Some(Raw::Stretch { .. })) = (found.first_mut(), raw.last())
                {
                    *smooth |= exact.is_some_and(|exact| goes_on(exact, place));
                }
                raw.extend(found);
            }
        }
        let range = [places.first(), places.last()].map(|p| p.map_or(Interval::ALL, |p| p.enclosure()));
        Ok(EnclosedCurve { patches: patches(raw), range, probabilistic })
    }

    /// The ROC curve of chance.
    pub fn diagonal() -> EnclosedCurve {
        let point = |v: Interval, w: Interval| Spot { x: [v, w], below: [v; 2], above: [w; 2] };
        let (start, end) = (point(Interval::ZERO, Interval::ONE), point(Interval::ONE, Interval::ZERO));
        EnclosedCurve {
            patches: vec![Patch::straight(start, end, [Interval::ONE; 2])],
            range: [Interval::ZERO, Interval::ONE],
            probabilistic: true,
        }
    }

    /// The stretches that carry mass.
    pub fn massive(&self) -> impl DoubleEndedIterator<Item = &Patch> {
        self.patches.iter().filter(|p| p.has_mass())
    }
}

/// Adds up masses from both sides.
fn patches(raw: Vec<Raw>) -> Vec<Patch> {
    let mass = |raw: &Raw| match raw {
        Raw::Stretch { draft, .. } => draft.rate.map(|r| {
            let mass = r.integral();
            Interval::new(mass.lo().max(0.0), mass.hi().max(0.0))
        }),
        Raw::Left { left, .. } => left.mass,
        Raw::Atom { mass, .. } => *mass,
        Raw::Gap { .. } => [Interval::ZERO; 2],
    };
    let plus = |a: [Interval; 2], b: [Interval; 2]| [a[0] + b[0], a[1] + b[1]];
    let mut above = vec![[Interval::ZERO; 2]; raw.len() + 1];
    for k in (0..raw.len()).rev() {
        above[k] = plus(above[k + 1], mass(&raw[k]));
    }
    let mut below = [Interval::ZERO; 2];
    let count = raw.len();
    let mut patches = Vec::with_capacity(count);
    for (k, raw) in raw.into_iter().enumerate() {
        let masses = mass(&raw);
        let before = below;
        // All of the mass is 1: that much was certified.
        below = if k + 1 == count { [Interval::ONE; 2] } else { plus(below, masses) };
        above[0] = [Interval::ONE; 2];
        let spot = |x: [Interval; 2], below: [Interval; 2], above: [Interval; 2]| {
            // All rates lie between 0 and 1, and each knows the other.
            let within = |v: Interval, other: Interval| v.meet(Interval::UNIT).meet(Interval::ONE - other);
            Spot {
                x,
                below: [0, 1].map(|k| within(below[k], above[k])),
                above: [0, 1].map(|k| within(above[k], below[k])),
            }
        };
        let of = |x: Interval| [x, Interval::ONE - x];
        patches.push(match raw {
            Raw::Stretch { draft: d, smooth } => {
                let ends = d.x.map(|x| x.ends());
                let start = spot([ends[0][0], ends[1][0]], before, above[k]);
                let end = spot([ends[0][1], ends[1][1]], below, above[k + 1]);
                Patch {
                    motion: Motion::Arc,
                    below: [0, 1].map(|c| d.rate[c].integrated_from(start.below[c])),
                    above: [0, 1].map(|c| (-d.rate[c]).integrated_from(start.above[c])),
                    mean_scores: [d.x[0].rough_range(); 2],
                    x: d.x,
                    dx: d.dx,
                    rate: d.rate,
                    share: d.share,
                    turn: d.turn,
                    bend: d.bend,
                    start,
                    end,
                    smooth,
                    tie: None,
                }
            }
            Raw::Left { left, x } => {
                let (start, end) = (spot(x[0], before, above[k]), spot(x[1], below, above[k + 1]));
                let mean_scores = left.mean_scores;
                Patch { mean_scores, ..Patch::lump(start, end, left.mass, mean_scores[0], left.bend) }
            }
            Raw::Atom { place, mass } => {
                let x = of(place.enclosure);
                let (start, end) = (spot(x, before, above[k]), spot(x, below, above[k + 1]));
                Patch { tie: Some(place), ..Patch::straight(start, end, mass) }
            }
            Raw::Gap { ends } => {
                let (start, end) = (spot(of(ends[0]), before, above[k]), spot(of(ends[1]), below, above[k + 1]));
                Patch::straight(start, end, [Interval::ZERO; 2])
            }
        });
    }
    patches
}
