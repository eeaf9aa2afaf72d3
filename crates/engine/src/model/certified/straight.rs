//! Integrals over all scores straight from the densities: no distribution function is needed for them.
//!
//! If the densities are analytic around a chart, Gauss rules integrate them. If the rules give up, series do, on parts that are halved
//! until the series are accurate.

use super::between::{Active, Between, mass_at, places};
use super::chart::{Chart, ChartOptions};
use super::density::LogPair;
use super::march::{MOST_HALVINGS, MOST_STRETCHES, REACH, Trouble};
use super::mixture::{EnclosedComponent, EnclosedMixture};
use super::scores::Points;
use super::tail::ComponentRate;
use crate::model::endpoint::Endpoint;
use rocproof_arith::gauss::Gauss;
use rocproof_arith::{Balls, Interval, Series};
use std::cell::LazyCell;
use std::ops::Deref;

/// The share of the requested width that all errors of Gauss rules together may take, on either side. Each rule may take half of the
/// remainder.
const SHARE: f64 = 0.4;
/// The largest number of parts of a chart on which Gauss rules are tried.
const MOST_TRIES: u32 = 64;
/// The share of the requested width that the error of one series may take.
const SERIES_SHARE: f64 = 1.0 / 8.0;
/// A larger error of a series is never taken for rounding.
const MOST_ROUNDING: f64 = 1e-13;
/// If halving does not reduce a small error by this factor, the rest is rounding.
const GAIN: f64 = 0.3;

/// A function `g(f0, f1)` of the masses of both classes, homogeneous of degree one, that is 0 where either class has none. The function
/// is given in four forms, for four types of argument.
pub struct Integrand<S, B, T, R> {
    /// The function of rates along a stretch.
    pub along: S,
    /// The function of rates around some points.
    pub around: B,
    /// The function of masses at one score.
    pub of_tie: T,
    /// An enclosure of the integral over a tail, of which only the masses are known.
    pub of_rest: R,
}

/// Factors that the densities on an interval have in common. They are divided out before the integrand is evaluated, so that it does not
/// become 0/0 where all densities vanish.
struct Common<'a> {
    /// The ends of the interval.
    ends: [&'a Endpoint; 2],
    /// For each end, the least order of the zeros of the densities there.
    orders: [u32; 2],
    /// The logarithms of the densities, if there are two of one family.
    pair: Option<Box<dyn LogPair + 'a>>,
}

impl<'a> Common<'a> {
    /// The powers of the distances from the ends that divide all densities, as the common factors.
    fn powers(active: &Active, ends: [&'a Endpoint; 2]) -> Common<'a> {
        let order = |side: usize| active.iter().flatten().map(|p| p.density.order(side, ends[side])).min();
        Common { ends, orders: [0, 1].map(|side| order(side).unwrap_or(0)), pair: None }
    }

    /// The logarithms of two densities of one family as the source of common factors, if there are exactly two.
    fn family(active: &Active<'a>, ends: [&'a Endpoint; 2]) -> Common<'a> {
        let pair = match active.each_ref().map(Vec::as_slice) {
            [[p], [q]] => p.density.pair(&*q.density),
            _ => None,
        };
        Common { ends, orders: [0; 2], pair }
    }
}

/// The masses of both classes on an interval, if all densities on it are constant.
fn constant_mass(active: &Active, ends: [&Endpoint; 2]) -> Option<[Interval; 2]> {
    let mut density = [Interval::ZERO; 2];
    for (class, parts) in active.iter().enumerate() {
        for part in parts {
            density[class] = density[class] + part.density.constant()? * part.weight;
        }
    }
    let length = ends[1].enclosure() - ends[0].enclosure();
    Some(density.map(|density| density * length))
}

/// A value of a component's density times the weight of the component. A weight of 1 costs no rounding.
fn weighted(value: Balls, part: &EnclosedComponent) -> Balls {
    if part.weight == Interval::ONE { value } else { value * Balls::from(part.weight) }
}

/// A part of a chart that is yet to be integrated by Gauss rules.
struct GaussPart {
    /// The range of the coordinate.
    from: f64,
    to: f64,
    /// Whether it is a half of another part.
    is_half: bool,
}

/// A part of a chart that is yet to be integrated by series.
struct SeriesPart {
    /// The range of the coordinate.
    from: f64,
    to: f64,
    /// The error of the part that was halved to give this one.
    error_before: f64,
    halvings: u32,
}

impl<S, B, T, R> Integrand<S, B, T, R>
where
    S: Fn([Series; 2]) -> Series,
    B: Fn([Balls; 2]) -> Balls,
    T: Fn([Interval; 2]) -> Interval,
    R: Fn([Interval; 2]) -> Interval,
{
    /// Encloses the integral over all scores, aiming at an enclosure of the given width.
    pub fn integral(&self, classes: [&EnclosedMixture; 2], width: f64) -> Result<Interval, Trouble> {
        let places = places(classes)?;
        let gauss = LazyCell::new(|| Gauss::new(SHARE * width));
        let mut budget = SHARE * width;
        let mut sum = Interval::ZERO;
        for (k, place) in places.iter().enumerate() {
            let mass = mass_at(classes, place);
            if mass.iter().all(|mass| *mass != Interval::ZERO) {
                sum = sum + (self.of_tie)(mass);
            }
            let Some(next) = places.get(k + 1) else { break };
            let between = Between::new(classes, [place, next]);
            // Where a class has no density, the integrand is 0.
            if !between.active.iter().any(Vec::is_empty) {
                sum = sum + self.integral_between(&between, width, &gauss, &mut budget)?;
            }
        }
        Ok(sum)
    }

    /// Encloses the integral over an interval on which both classes have a density, aiming at the given width. `budget` is the error that
    /// Gauss rules may still make; it is reduced by the errors that they made.
    fn integral_between(
        &self,
        interval: &Between,
        width: f64,
        gauss: &impl Deref<Target = Gauss>,
        budget: &mut f64,
    ) -> Result<Interval, Trouble> {
        let Between { active, ends } = interval;
        let ends = *ends;
        if let Some(mass) = constant_mass(active, ends) {
            // The classes have the same shares everywhere, as in a tie.
            return Ok((self.of_tie)(mass));
        }
        // Gauss rules need functions that are analytic around the interval. For entire functions one chart for the whole of it is enough.
        if active.iter().flatten().all(|part| part.density.is_entire()) && ends.iter().all(|end| end.is_finite()) {
            let common = Common::powers(active, ends);
            let by_gauss = self.by_gauss(active, &interval.whole(), &common, gauss, budget);
            if let Some(integral) = by_gauss.filter(|integral| integral.width() <= width) {
                return Ok(integral);
            }
        }
        let mut sum = Interval::ZERO;
        for chart in interval.charts(REACH, ChartOptions { exponential_at_ends: false, linear_inside: false }) {
            for side in [0, 1] {
                if let Some(tail_kind) = chart.tails[side] {
                    let tail = interval.enclose_tail(chart.coordinate, chart.v[side], tail_kind, side == 0)?;
                    sum = sum + (self.of_rest)(tail.mass);
                }
            }
            let common = Common::family(active, ends);
            let by_gauss = self.by_gauss(active, &chart, &common, gauss, budget);
            let narrow = by_gauss.filter(|integral| integral.width() <= width);
            sum = sum + narrow.unwrap_or_else(|| self.by_series(active, &chart, ends, width));
        }
        Ok(sum)
    }

    /// The integral over a chart by Gauss rules on parts of it, which are halved where no rule is accurate enough. The errors are taken from
    /// `budget`. `None`, with the budget unchanged, if too many parts were tried.
    fn by_gauss(
        &self,
        active: &Active,
        chart: &Chart,
        common: &Common,
        gauss: &Gauss,
        budget: &mut f64,
    ) -> Option<Interval> {
        let [from, to] = chart.v;
        let middle = from / 2.0 + to / 2.0;
        let halves = |from: f64, cut: f64, to: f64| {
            // The left half is taken first.
            [GaussPart { from: cut, to, is_half: true }, GaussPart { from, to: cut, is_half: true }]
        };
        // A zero can be divided out at one end only, so zeros at both ends need two parts.
        let mut pending: Vec<GaussPart> = if common.orders.iter().all(|order| *order > 0) {
            halves(from, middle, to).into()
        } else {
            vec![GaussPart { from, to, is_half: false }]
        };
        let (mut sum, mut remaining, mut tries) = (Interval::ZERO, *budget, 0);
        while let Some(GaussPart { from, to, is_half }) = pending.pop() {
            // On either side of the middle, the zero at the nearer end is divided out.
            let side = if to <= middle || common.orders[1] == 0 { 0 } else { 1 };
            let integrand = |v: &Balls| self.integrand_around(active, chart, common, side, v);
            tries += 1;
            if let Some(integral) = gauss.integral(integrand, [from, to], remaining / 2.0, !is_half) {
                remaining -= integral.width() / 2.0;
                sum = sum + integral;
                continue;
            }
            if tries >= MOST_TRIES {
                return None;
            }
            pending.extend(halves(from, from / 2.0 + to / 2.0, to));
        }
        *budget = remaining;
        Some(sum)
    }

    /// The integrand per unit of the coordinate `v`, around some values of it.
    fn integrand_around(&self, active: &Active, chart: &Chart, common: &Common, side: usize, v: &Balls) -> Balls {
        let points = Points::new(chart.coordinate, v, common.ends);
        let per_score = match (active[0].as_slice(), active[1].as_slice(), &common.pair) {
            ([p], [q], Some(pair)) => self.of_pair([p, q], &**pair, &points),
            _ => self.of_mixtures(active, common, side, &points),
        };
        points.speed.map_or(per_score, |speed| per_score * speed)
    }

    /// The integrand per unit of the score for one density in each class, both of one family. The larger density is divided out:
    /// `g(f0, f1) = g(1, f1/f0)·f0`.
    fn of_pair(&self, [p, q]: [&EnclosedComponent; 2], pair: &dyn LogPair, points: &Points) -> Balls {
        let [log0, log1, log_ratio] = pair.logs(points);
        let one = Balls::from(1.0);
        let (f0, f1, log_larger) =
            if log_ratio.center() < 0.0 { (one, log_ratio.exp(), log0) } else { ((-log_ratio).exp(), one, log1) };
        (self.around)([weighted(f0, p), weighted(f1, q)]) * log_larger.exp()
    }

    /// The integrand per unit of the score for any densities. The power of the distance from the end on the given side that divides all
    /// densities is divided out first and multiplied back: so no sum of densities is 0 at the end.
    fn of_mixtures(&self, active: &Active, common: &Common, side: usize, points: &Points) -> Balls {
        let power = common.orders[side];
        let density = |part: &EnclosedComponent| weighted(part.density.around(points, side, power), part);
        let sum_of = |parts: &[&EnclosedComponent]| {
            let Some((first, others)) = parts.split_first() else { return Balls::from(0.0) };
            others.iter().fold(density(first), |sum, part| sum + density(part))
        };
        let value = (self.around)([sum_of(&active[0]), sum_of(&active[1])]);
        if power == 0 { value } else { value * points.distance(side, common.ends[side]).power(power as i32) }
    }

    /// The integral over a chart by series on parts of it, which are halved until the series are accurate, or as accurate as rounding
    /// and the limits allow.
    fn by_series(&self, active: &Active, chart: &Chart, ends: [&Endpoint; 2], width: f64) -> Interval {
        let (mut sum, mut count) = (Interval::ZERO, 0);
        let [from, to] = chart.v;
        let mut pending = vec![SeriesPart { from, to, error_before: f64::INFINITY, halvings: 0 }];
        while let Some(SeriesPart { from, to, error_before, halvings }) = pending.pop() {
            count += 1;
            let scores = chart.scores(from, to, ends);
            let rates = active.each_ref().map(|parts| {
                let component_rates = parts.iter().map(|part| ComponentRate::new(part, &scores).rate);
                component_rates.reduce(|a, b| a + b).unwrap_or(Series::from(0.0))
            });
            let value = (self.along)(rates);
            // The error of the integral over u from -1 to 1.
            let error = 2.0 * value.error();
            let is_rounding = error < MOST_ROUNDING && error > GAIN * error_before;
            if error <= width * SERIES_SHARE || is_rounding || halvings == MOST_HALVINGS || count > MOST_STRETCHES {
                sum = sum + value.integral();
                continue;
            }
            let cut = from / 2.0 + to / 2.0;
            let half_of = |from, to| SeriesPart { from, to, error_before: error, halvings: halvings + 1 };
            // The left half is taken next.
            pending.extend([half_of(cut, to), half_of(from, cut)]);
        }
        sum
    }
}
