//! Integrals over all scores straight from the densities: no distribution function is needed for them.
//!
//! Where the densities are analytic around a stretch, Gauss rules integrate it; where these give up, series that are halved until
//! they are good.

use super::between::{Active, Between, mass_at, places};
use super::chart::{Chart, ChartOptions};
use super::density::LogPair;
use super::march::{MOST_HALVINGS, MOST_STRETCHES, REACH, Trouble};
use super::mixture::{EnclosedComponent, EnclosedMixture};
use super::scores::{Points, ScoreSeries};
use super::tail::mass_rate;
use crate::model::endpoint::Endpoint;
use rocproof_arith::gauss::Gauss;
use rocproof_arith::{Balls, Interval, Series};
use std::cell::LazyCell;
use std::ops::Deref;

/// The share of the width that errors of Gauss rules may take, on either side; each rule may take half of the remainder.
const SHARE: f64 = 0.4;
/// On how many parts of a stretch Gauss rules are tried.
const MOST_TRIES: u32 = 64;

/// A function, homogeneous of degree one, of the masses of both classes, which is 0 where either has none. Each of its forms is
/// the same function.
pub struct Integrand<S, B, T, R> {
    /// Of rates along a stretch.
    pub along: S,
    /// Of rates around some points.
    pub around: B,
    /// Of masses at one place.
    pub of_tie: T,
    /// All that it can be of masses in a region.
    pub of_rest: R,
}

/// Factors that the densities on an interval have in common.
struct Common<'a> {
    /// The ends of the interval, and how often all densities vanish there.
    ends: [&'a Endpoint; 2],
    orders: [u32; 2],
    /// The densities, if there are two of one family.
    pair: Option<Box<dyn LogPair + 'a>>,
}

impl<'a> Common<'a> {
    fn powers(active: &Active, ends: [&'a Endpoint; 2]) -> Common<'a> {
        let order = |side: usize| active.iter().flatten().map(|p| p.density.order(side, ends[side])).min();
        Common { ends, orders: [0, 1].map(|side| order(side).unwrap_or(0)), pair: None }
    }

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
    let mut mass = [Interval::ZERO; 2];
    for (class, parts) in active.iter().enumerate() {
        for part in parts {
            mass[class] = mass[class] + part.density.constant()? * part.weight;
        }
    }
    let length = ends[1].enclosure() - ends[0].enclosure();
    Some(mass.map(|density| density * length))
}

impl<S, B, T, R> Integrand<S, B, T, R>
where
    S: Fn([Series; 2]) -> Series,
    B: Fn([Balls; 2]) -> Balls,
    T: Fn([Interval; 2]) -> Interval,
    R: Fn([Interval; 2]) -> Interval,
{
    /// The integral over all scores, aiming at a width.
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
            if !between.active.iter().any(Vec::is_empty) {
                sum = sum + self.between(&between, width, &gauss, &mut budget)?;
            }
        }
        Ok(sum)
    }

    /// The integral over an interval on which both classes have a density.
    fn between(
        &self,
        between: &Between,
        width: f64,
        gauss: &impl Deref<Target = Gauss>,
        budget: &mut f64,
    ) -> Result<Interval, Trouble> {
        let Between { active, ends } = between;
        let ends = *ends;
        if let Some(mass) = constant_mass(active, ends) {
            // The classes have the same shares everywhere, as in a tie.
            return Ok((self.of_tie)(mass));
        }
        if active.iter().flatten().all(|part| part.density.is_entire()) && ends.iter().all(|end| end.is_finite()) {
            let stretch = between.whole();
            let common = Common::powers(active, ends);
            let found = self.analytic(active, &stretch, &common, gauss, budget);
            if let Some(found) = found.filter(|found| found.width() <= width) {
                return Ok(found);
            }
        }
        let mut sum = Interval::ZERO;
        for stretch in between.charts(REACH, ChartOptions { graded: false, linear_inside: false }) {
            for side in [0, 1] {
                if let Some(rest) = stretch.tails[side] {
                    let left = between.enclose_tail(stretch.coordinate, stretch.v[side], rest, side == 0)?;
                    sum = sum + (self.of_rest)(left.mass);
                }
            }
            let common = Common::family(active, ends);
            let found = self.analytic(active, &stretch, &common, gauss, budget).filter(|found| found.width() <= width);
            sum = sum + found.unwrap_or_else(|| self.by_series(active, &stretch, ends, stretch.v, width));
        }
        Ok(sum)
    }

    /// The integral over a stretch by Gauss rules on parts of it.
    fn analytic(
        &self,
        active: &Active,
        stretch: &Chart,
        common: &Common,
        gauss: &Gauss,
        budget: &mut f64,
    ) -> Option<Interval> {
        let [from, to] = stretch.v;
        let half = from / 2.0 + to / 2.0;
        let (mut sum, mut left) = (Interval::ZERO, *budget);
        let mut pending = if common.orders.iter().all(|order| *order > 0) {
            vec![(half, to, 1), (from, half, 1)]
        } else {
            vec![(from, to, 0)]
        };
        let mut tries = 0;
        while let Some((from, to, halvings)) = pending.pop() {
            // On either side of the middle the factor of the nearer end.
            let side = if to <= half || common.orders[1] == 0 { 0 } else { 1 };
            let f = |v: &Balls| self.around(active, stretch, common, side, v);
            tries += 1;
            if let Some(found) = gauss.integral(f, [from, to], left / 2.0, halvings == 0) {
                left -= found.width() / 2.0;
                sum = sum + found;
                continue;
            }
            if tries >= MOST_TRIES {
                return None;
            }
            let cut = from / 2.0 + to / 2.0;
            pending.push((cut, to, halvings + 1));
            pending.push((from, cut, halvings + 1));
        }
        *budget = left;
        Some(sum)
    }

    /// The integrand per unit of the coordinate, around some values of it. A factor that all densities have in common at an end is divided
    /// out first: so a sum of them is not 0 there.
    fn around(&self, active: &Active, stretch: &Chart, common: &Common, side: usize, v: &Balls) -> Balls {
        let points = Points::new(stretch.coordinate, v, common.ends);
        let power = common.orders[side];
        let weighted = |value: Balls, part: &EnclosedComponent| {
            if part.weight == Interval::ONE { value } else { value * Balls::from(part.weight) }
        };
        let value = |part: &EnclosedComponent| weighted(part.density.around(&points, side, power), part);
        let rate = |parts: &[&EnclosedComponent]| {
            let Some((first, others)) = parts.split_first() else { return Balls::from(0.0) };
            others.iter().fold(value(first), |sum, part| sum + value(part))
        };
        let per_unit = |value: Balls| points.speed.map_or(value, |speed| value * speed);
        // Of one family the larger density is divided out.
        if let ([p], [q]) = (active[0].as_slice(), active[1].as_slice())
            && let Some(pair) = &common.pair
        {
            let [log0, log1, ratio] = pair.logs(&points);
            let one = Balls::from(1.0);
            let (f0, f1, larger) =
                if ratio.center() < 0.0 { (one, ratio.exp(), log0) } else { ((-ratio).exp(), one, log1) };
            return per_unit((self.around)([weighted(f0, p), weighted(f1, q)]) * larger.exp());
        }
        let mut value = (self.around)([rate(&active[0]), rate(&active[1])]);
        if power > 0 {
            value = value * points.distance(side, common.ends[side]).power(power as i32);
        }
        per_unit(value)
    }

    /// The integral over a part of a stretch by series.
    fn by_series(&self, active: &Active, stretch: &Chart, ends: [&Endpoint; 2], v: [f64; 2], width: f64) -> Interval {
        let (mut sum, mut parts) = (Interval::ZERO, 0);
        let mut pending = vec![(v[0], v[1], f64::INFINITY, 0)];
        while let Some((from, to, before, halvings)) = pending.pop() {
            parts += 1;
            let (lo, hi) = (Interval::from(from), Interval::from(to));
            let (half, middle) = ((hi - lo) * Interval::from(0.5), (hi + lo) * Interval::from(0.5));
            let site = ScoreSeries::new(stretch.coordinate, Series::linear(middle, half), half, ends);
            let rates = active.each_ref().map(|parts| {
                let rates = parts.iter().map(|part| mass_rate(part, &site).0);
                rates.reduce(|a, b| a + b).unwrap_or(Series::from(0.0))
            });
            let value = (self.along)(rates);
            let error = 2.0 * value.error();
            let rounded = error < 1e-13 && error > 0.3 * before;
            if error <= width / 8.0 || rounded || halvings == MOST_HALVINGS || parts > MOST_STRETCHES {
                sum = sum + value.integral();
                continue;
            }
            let cut = from / 2.0 + to / 2.0;
            pending.push((cut, to, error, halvings + 1));
            pending.push((from, cut, error, halvings + 1));
        }
        sum
    }
}
