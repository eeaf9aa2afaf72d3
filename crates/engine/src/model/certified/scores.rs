//! Scores as functions of a coordinate that suits the ends of an interval.

use crate::model::endpoint::Endpoint;
use rocproof_arith::rational::{Rational, from_f64};
use rocproof_arith::{Balls, Interval, Series};
use std::cmp::Ordering;

/// How a score depends on the coordinate `v`.
#[derive(Clone, Copy, Debug)]
pub enum Coordinate {
    /// `x = a + w·v`, `v` from 0 to 1.
    Linear {
        /// The score at 0.
        a: Interval,
        /// The width.
        w: Interval,
    },
    /// `x = a + w·e^v`: towards a singular left end, or out to the right.
    FromLeft {
        /// The end.
        a: Interval,
        /// The distance at `v = 0`.
        w: Interval,
    },
    /// `x = b - w·e^-v`: towards a singular right end, or out to the left.
    FromRight {
        /// The end.
        b: Interval,
        /// The distance at `v = 0`.
        w: Interval,
    },
}

/// A distance to a place, with its logarithm where that is known better.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// The distance.
    pub value: Series,
    /// `d(distance)/du`.
    pub slope: Series,
    /// Its logarithm and the derivative of that.
    log: Option<[Series; 2]>,
}

impl Distance {
    fn plain(value: Series, slope: Series) -> Distance {
        Distance { value, slope, log: None }
    }

    /// The logarithm.
    pub fn ln(&self) -> Series {
        self.log.map_or_else(|| self.value.ln(), |[log, _]| log)
    }

    /// `d ln(distance)/du`.
    pub fn rate(&self) -> Series {
        self.log.map_or_else(|| self.slope / self.value, |[_, rate]| rate)
    }

    /// The distance to a place that lies farther off.
    fn shifted(&self, by: Interval) -> Distance {
        Distance::plain(self.value + Series::from(by), self.slope)
    }
}

/// Scores along a stretch, as functions of `u` in `[-1, 1]`.
#[derive(Clone, Debug)]
pub struct ScoreSeries<'a> {
    /// The score.
    pub x: Series,
    /// One minus it.
    pub x_complement: Series,
    /// `dx/du`.
    pub speed: Series,
    /// `ln dx/du`.
    pub log_speed: Series,
    /// Where the score is linear: whether it goes from end to end, rather than being the coordinate itself, and the coordinate in the
    /// middle with its slope.
    linear: Option<(bool, [f64; 2])>,
    ends: [&'a Endpoint; 2],
    /// The distances to the ends, infinite ones left out.
    distances: [Option<Distance>; 2],
}

impl<'a> ScoreSeries<'a> {
    /// The stretch of `[ends[0], ends[1]]` on which the coordinate runs over a series with the given slope.
    pub fn new(coordinate: Coordinate, v: Series, slope: Interval, ends: [&'a Endpoint; 2]) -> ScoreSeries<'a> {
        let [a, b] = ends.map(|end| end.is_finite().then(|| end.enclosure()));
        let constant = |c: Interval| Series::from(c);
        // The distance w·e^(±v), as good relatively far towards the end as anywhere.
        let exponential = |w: Interval, v: Series, sign: f64| {
            let log = v + constant(w.ln());
            let value = log.exp();
            let rate = slope * Interval::from(sign);
            let distance = Distance { value, slope: value.scaled(rate), log: Some([log, constant(rate)]) };
            (distance, log + constant(slope.ln()))
        };
        let (x, speed, log_speed, distances) = match coordinate {
            Coordinate::Linear { a: from, w } => {
                let away = v.scaled(w);
                let x = constant(from) + away;
                let speed = constant(w * slope);
                let left = a.map(|a| if a == from { away } else { x - constant(a) });
                let back = (constant(Interval::ONE) - v).scaled(w);
                let whole = |b: Interval| a == Some(from) && w == b - from;
                let right = b.map(|b| if whole(b) { back } else { constant(b) - x });
                let distances = [left.map(|d| Distance::plain(d, speed)), right.map(|d| Distance::plain(d, -speed))];
                (x, speed, constant((w * slope).ln()), distances)
            }
            Coordinate::FromLeft { a: from, w } => {
                let (near, log_speed) = exponential(w, v, 1.0);
                let far = b.map(|b| Distance::plain(constant(b - from) - near.value, -near.slope));
                let left = a.map(|a| if a == from { near } else { near.shifted(from - a) });
                (constant(from) + near.value, near.slope, log_speed, [left, far])
            }
            Coordinate::FromRight { b: from, w } => {
                let (near, log_speed) = exponential(w, -v, -1.0);
                let far = a.map(|a| Distance::plain(constant(from - a) - near.value, -near.slope));
                let right = b.map(|b| if b == from { near } else { near.shifted(b - from) });
                (constant(from) - near.value, -near.slope, log_speed, [far, right])
            }
        };
        let from_left = |place: Interval| distances[0].map(|d| constant(place) + d.value);
        let x_complement = match (b, distances[1]) {
            (Some(b), Some(d)) => constant(Interval::ONE - b) + d.value,
            _ => constant(Interval::ONE) - x,
        };
        let x = a.and_then(from_left).filter(|better| better.error() <= x.error()).unwrap_or(x);
        let linear = match coordinate {
            Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE } => Some(false),
            Coordinate::Linear { a: from, w } => (a == Some(from) && b.map(|b| b - from) == Some(w)).then_some(true),
            _ => None,
        };
        let linear = linear.zip(v.as_linear().filter(|[_, by]| slope == Interval::from(*by)));
        ScoreSeries { x, x_complement, speed, log_speed, linear, ends, distances }
    }

    /// The score in the middle and its slope, where these are rational and it is linear.
    pub fn affine(&self) -> Option<[Rational; 2]> {
        let (is_share, [middle, half]) = self.linear?;
        let (middle, half) = (from_f64(middle)?, from_f64(half)?);
        if !is_share {
            return Some([middle, half]);
        }
        let [a, b] = [self.ends[0].constant.exact.as_ref()?, self.ends[1].constant.exact.as_ref()?];
        let width = b - a;
        Some([a + &width * middle, width * half])
    }

    /// The distance to a place that is not to the right of this stretch.
    pub fn above(&self, place: &Endpoint) -> Distance {
        match self.distances[0] {
            Some(distance) if self.ends[0].compare(place) == Some(Ordering::Equal) => distance,
            Some(distance) => distance.shifted(self.ends[0].enclosure() - place.enclosure()),
            None => Distance::plain(self.x - Series::from(place.enclosure()), self.speed),
        }
    }

    /// The distance to a place that is not to the left of this stretch.
    pub fn below(&self, place: &Endpoint) -> Distance {
        match self.distances[1] {
            Some(distance) if self.ends[1].compare(place) == Some(Ordering::Equal) => distance,
            Some(distance) => distance.shifted(place.enclosure() - self.ends[1].enclosure()),
            None => Distance::plain(Series::from(place.enclosure()) - self.x, -self.speed),
        }
    }
}

/// Scores around some values of a coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    /// The scores.
    pub x: Balls,
    /// `dx/dv`; 1 if there is none.
    pub speed: Option<Balls>,
    /// In an exponential coordinate: its end, on the left (0) or on the right (1), the distance to it and its logarithm.
    near: Option<(usize, &'a Endpoint, [Balls; 2])>,
}

impl<'a> Points<'a> {
    /// The scores that belong to some values of a coordinate of the interval between the ends.
    pub fn new(coordinate: Coordinate, v: &Balls, ends: [&'a Endpoint; 2]) -> Points<'a> {
        let exponential = |w: Interval, v: Balls| {
            let log = v + Balls::from(w.ln());
            (log.exp(), log)
        };
        let (x, from, side, (distance, log)) = match coordinate {
            Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE } => {
                return Points { x: *v, speed: None, near: None };
            }
            Coordinate::Linear { a, w } => {
                let w = Balls::from(w);
                return Points { x: Balls::from(a) + w * *v, speed: Some(w), near: None };
            }
            Coordinate::FromLeft { a, w } => {
                let near = exponential(w, *v);
                (Balls::from(a) + near.0, a, 0, near)
            }
            Coordinate::FromRight { b, w } => {
                let near = exponential(w, -*v);
                (Balls::from(b) - near.0, b, 1, near)
            }
        };
        // A coordinate that goes out to infinity may start anywhere.
        let near = (from == ends[side].enclosure()).then_some((side, ends[side], [distance, log]));
        Points { x, speed: Some(distance), near }
    }

    /// The side of the end whose distance is known better than the score, if there is one.
    pub fn near_side(&self) -> Option<usize> {
        self.near.map(|(side, ..)| side)
    }

    /// The distance to a place on the left (0) or on the right (1).
    pub fn distance(&self, side: usize, place: &Endpoint) -> Balls {
        match self.near {
            Some((end, at, [distance, _])) if end == side && at.compare(place) == Some(Ordering::Equal) => distance,
            _ if side == 0 => self.x - Balls::from(place.enclosure()),
            _ => Balls::from(place.enclosure()) - self.x,
        }
    }

    /// Its logarithm.
    pub fn log_distance(&self, side: usize, place: &Endpoint) -> Balls {
        match self.near {
            Some((end, at, [_, log])) if end == side && at.compare(place) == Some(Ordering::Equal) => log,
            _ => self.distance(side, place).ln(),
        }
    }
}
