//! Tails: the mass between the outermost chart and an end of an interval, enclosed by a bound on the growth of the densities.

use super::between::Between;
use super::density::ratio_slope;
use super::draft::{NEGATIVE, TARGET};
use super::jet::Jet;
use super::march::Trouble;
use super::mixture::EnclosedComponent;
use super::scores::{Coordinate, ScoreSeries};
use crate::model::endpoint::Endpoint;
use rocproof_arith::{Interval, Series};

/// The scores between the outermost chart and an end of the interval.
#[derive(Clone, Copy, Debug)]
pub struct Tail<'a> {
    /// Whether the tail lies to the left of the chart.
    pub left: bool,
    /// The end of the interval that the tail leads to.
    pub end: &'a Endpoint,
    /// The score from which distances are measured: a finite end itself, else the origin of the coordinate.
    pub from: Interval,
    /// All distances of the scores in the tail from there: `[0, d]` towards a finite end, `[d, ∞]` towards an infinite one.
    pub distance: Interval,
    /// All scores in the tail.
    pub x: Interval,
}

impl Tail<'_> {
    /// 1 if the score grows with the distance, -1 if it falls.
    pub fn sign(&self) -> Interval {
        if self.left == self.end.is_finite() { Interval::ONE } else { -Interval::ONE }
    }
}

/// How a tail is enclosed.
#[derive(Clone, Copy)]
pub(super) enum TailKind {
    /// The tail beyond a value of an exponential coordinate, the one of the chart. The elasticities of the densities bound it.
    Exponential,
    /// The scores between this one and an infinite end, where the densities are of families that know the decay of their tails.
    KnownFamily(f64),
    /// The scores between a singular end and this one, which is not close to the end; there is next to no mass between them.
    Thin(f64),
}

/// Mass on a range of scores along which no series is known.
pub(super) struct Lump {
    /// The mass of each class.
    pub(super) mass: [Interval; 2],
    /// For each class, an enclosure of the mean score of its mass.
    pub(super) mean_scores: [Interval; 2],
    /// An interval with the sign of the curvature.
    pub(super) bend: Interval,
}

/// A component along a stretch of scores.
pub(super) struct ComponentRate<'a> {
    pub(super) part: &'a EnclosedComponent,
    /// The density of the component, without its weight.
    pub(super) density: Jet,
    /// The mass per unit of the series' variable `u`: `weight · density · dx/du`.
    pub(super) rate: Series,
}

impl<'a> ComponentRate<'a> {
    /// Encloses a component along some scores.
    pub(super) fn new(part: &'a EnclosedComponent, scores: &ScoreSeries) -> ComponentRate<'a> {
        let density = part.density.jet(scores);
        let product = density.value * scores.speed;
        let unweighted = match density.log {
            // The product density × speed may be bounded where a factor is not.
            Some([log, _]) if product.error() > TARGET * product.bound() || !product.is_known() => {
                let by_log = (log + scores.log_speed).exp();
                if by_log.error() < product.error() { by_log } else { product }
            }
            _ => product,
        };
        ComponentRate { part, density, rate: unweighted.scaled(part.weight) }
    }

    /// The logarithm of the weighted density and its derivative, if the density knows its logarithm.
    pub(super) fn weighted_log(&self) -> Option<[Series; 2]> {
        self.density.log.map(|[log, slope]| [log + Series::from(self.part.weight.ln()), slope])
    }

    /// The derivative of the weighted density with respect to `u`, times `dx/du`.
    pub(super) fn slope(&self, scores: &ScoreSeries) -> Series {
        (self.density.slope * scores.speed).scaled(self.part.weight)
    }
}

/// A bound on the mass of one component in a tail.
struct TailMass {
    mass: Interval,
    /// For `TailKind::KnownFamily` the rate `-(ln f)'` away from the centre. For the other kinds an exponent `k`: the mass within the distance `r`
    /// of a finite end goes like `r^k`, the mass beyond `r` towards an infinite end like `r^-k`.
    decay: Interval,
}

impl TailMass {
    /// Bounds the mass of a component in a tail, or takes the bound that the density itself gives. `None` if there is neither. `start` is
    /// the score where the tail starts, as series of degree 0.
    ///
    /// The bound: if `-d ln(rate)/dv` towards the end lies in an interval of positive numbers, the decay, then the integral of the rate
    /// from the start to the end lies in `rate(start)/decay`.
    fn new(part: &EnclosedComponent, kind: TailKind, tail: &Tail, start: &ScoreSeries) -> Option<TailMass> {
        let rate = ComponentRate::new(part, start).rate.at(Interval::ZERO);
        let decay = match kind {
            TailKind::KnownFamily(_) => part.density.tail_decay(tail),
            TailKind::Exponential | TailKind::Thin(_) => {
                // The rate is f·distance, since dx/dv = ±distance in an exponential coordinate.
                let power = Interval::ONE + part.density.elasticity(tail);
                if tail.end.is_finite() { power } else { -power }
            }
        };
        let mass = Interval::new(rate.lo().max(0.0), rate.hi()) / decay;
        if decay.is_positive() && mass.is_bounded() {
            return Some(TailMass { mass, decay });
        }
        let bound = part.density.tail_bound(tail)?;
        let most_mass = (part.weight * Interval::from(bound.mass)).hi();
        // Towards a finite end, a little mass that may be negative may be rounding. On an infinite tail, negative mass must be excluded.
        if !bound.is_density && (!tail.end.is_finite() || most_mass > NEGATIVE) {
            return None;
        }
        let mass = Interval::new(0.0, most_mass);
        mass.is_bounded().then_some(TailMass { mass, decay: bound.decay })
    }

    /// The mean score of the mass in an infinite tail. It lies between those of the steepest and the flattest tail that the bounds on
    /// the decay allow.
    fn mean_score(&self, kind: TailKind, tail: &Tail) -> Interval {
        let mean_distance = match kind {
            // The mean of an exponential distribution with the rate d is 1/d.
            TailKind::KnownFamily(_) => Interval::new(0.0, (Interval::ONE / self.decay).hi()),
            TailKind::Exponential | TailKind::Thin(_) => {
                // If the mass beyond the distance d falls like d^-k, the mean distance is d + d/(k - 1).
                let k_minus_1 = self.decay - Interval::ONE;
                let start = Interval::from(tail.distance.lo());
                let unbounded = Interval::new(tail.distance.lo(), f64::INFINITY);
                if k_minus_1.is_positive() { start + start / k_minus_1 } else { unbounded }
            }
        };
        tail.from + mean_distance * tail.sign()
    }
}

impl<'a> Between<'a> {
    /// The score at the start of the tail on the given side, as series of degree 0, and the tail. An exponential tail starts at the value
    /// `v` of the coordinate, any other at the score that its kind names. `None` for an exponential tail in a linear coordinate.
    fn tail(&self, coordinate: Coordinate, v: f64, kind: TailKind, left: bool) -> Option<(ScoreSeries<'a>, Tail<'a>)> {
        let end = self.ends[usize::from(!left)];
        let scores_at = |coordinate, v: f64| ScoreSeries::new(coordinate, Series::from(v), Interval::ONE, self.ends);
        Some(match (kind, coordinate) {
            (TailKind::KnownFamily(cut), _) => {
                let linear = Coordinate::Linear { a: Interval::from(cut), w: Interval::ONE };
                let x = if left { Interval::new(f64::NEG_INFINITY, cut) } else { Interval::new(cut, f64::INFINITY) };
                let distance = Interval::new(0.0, f64::INFINITY);
                (scores_at(linear, 0.0), Tail { left, end, from: Interval::from(cut), distance, x })
            }
            (TailKind::Thin(cut), _) => {
                let (origin, cut) = (end.enclosure(), Interval::from(cut));
                let w = if left { cut - origin } else { origin - cut };
                // An exponential coordinate towards the end, with the value 0 at the cut.
                let towards_end =
                    if left { Coordinate::FromLeft { a: origin, w } } else { Coordinate::FromRight { b: origin, w } };
                let distance = Interval::new(0.0, w.hi());
                (scores_at(towards_end, 0.0), Tail { left, end, from: origin, distance, x: origin.hull(cut) })
            }
            (TailKind::Exponential, Coordinate::Linear { .. }) => return None,
            (TailKind::Exponential, Coordinate::FromLeft { a: origin, w } | Coordinate::FromRight { b: origin, w }) => {
                let is_right_of_origin = matches!(coordinate, Coordinate::FromLeft { .. });
                let start_distance = w * Interval::from(if is_right_of_origin { v } else { -v }).exp();
                let distance = if end.is_finite() {
                    Interval::new(0.0, start_distance.hi())
                } else {
                    Interval::new(start_distance.lo(), f64::INFINITY)
                };
                let x = if is_right_of_origin { origin + distance } else { origin - distance };
                (scores_at(coordinate, v), Tail { left, end, from: origin, distance, x })
            }
        })
    }

    /// Encloses the mass, the mean scores and the sign of the curvature in the tail on the given side of a chart that ends at the value
    /// `v` of its coordinate.
    pub(super) fn enclose_tail(
        &self,
        coordinate: Coordinate,
        v: f64,
        kind: TailKind,
        left: bool,
    ) -> Result<Lump, Trouble> {
        let end = self.ends[usize::from(!left)];
        let trouble = || Trouble::Tail(end.constant.value);
        let (start, tail) = self.tail(coordinate, v, kind, left).ok_or_else(trouble)?;
        let mut mass = [Interval::ZERO; 2];
        // The mean score of a mixture lies in the hull of those of its components.
        let mut hull_of_means: [Option<Interval>; 2] = [None; 2];
        for class in [0, 1] {
            for part in &self.active[class] {
                let bound = TailMass::new(part, kind, &tail, &start).ok_or_else(trouble)?;
                mass[class] = mass[class] + bound.mass;
                if !end.is_finite() && bound.mass.hi() > 0.0 {
                    let mean = bound.mean_score(kind, &tail);
                    hull_of_means[class] = Some(hull_of_means[class].map_or(mean, |hull| hull.hull(mean)));
                }
            }
        }
        let mean_scores =
            hull_of_means.map(|hull| if end.is_finite() { tail.x } else { hull.unwrap_or(Interval::ZERO) });
        Ok(Lump { mass, mean_scores, bend: self.bend_in_tail(&tail) })
    }

    /// An interval with the sign of the curvature in a tail: the hull of `d ln(q/p)/dx` over all pairs of a component `p` of class 0 and a
    /// component `q` of class 1. The logarithmic slope of a ratio of mixtures is a weighted mean of those of the pairs.
    fn bend_in_tail(&self, tail: &Tail) -> Interval {
        let pairs = self.active[0].iter().flat_map(|p| self.active[1].iter().map(move |q| (p, q)));
        let slopes = pairs.map(|(p, q)| ratio_slope(&*p.density, &*q.density, tail));
        slopes.reduce(Interval::hull).unwrap_or(Interval::ZERO)
    }
}
