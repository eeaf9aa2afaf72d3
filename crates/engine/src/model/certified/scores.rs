//! Scores as functions of a coordinate that suits the ends of an interval.

use crate::model::endpoint::Endpoint;
use rocproof_arith::rational::{Rational, from_f64};
use rocproof_arith::{Balls, Interval, Series};
use std::cmp::Ordering;

/// How a score depends on the coordinate `v`.
#[derive(Clone, Copy, Debug)]
pub enum Coordinate {
    /// `x = a + w·v`: `v` is the share of an interval, or the score itself if `a = 0` and `w = 1`.
    Linear {
        /// The score at 0.
        a: Interval,
        /// The width.
        w: Interval,
    },
    /// `x = a + w·e^v`: towards a singular left end, or out to the right.
    FromLeft {
        /// The score that `v = -∞` stands for: the left end, or any score if `v` goes out to infinity.
        a: Interval,
        /// The distance at `v = 0`.
        w: Interval,
    },
    /// `x = b - w·e^-v`: towards a singular right end, or out to the left.
    FromRight {
        /// The score that `v = ∞` stands for: the right end, or any score if `v` goes out to minus infinity.
        b: Interval,
        /// The distance at `v = 0`.
        w: Interval,
    },
}

/// The distance to a score along a stretch, with its logarithm if that is known better.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// The distance.
    pub value: Series,
    /// `d(distance)/du`.
    pub slope: Series,
    /// `ln(distance)` and `d ln(distance)/du`, if they are known better than from the distance.
    log: Option<[Series; 2]>,
}

impl Distance {
    /// A distance whose logarithm follows from its value.
    fn plain(value: Series, slope: Series) -> Distance {
        Distance { value, slope, log: None }
    }

    /// The distance `w·e^v`, where `v` changes at the rate `sign·slope`. Its relative error is no larger close to the end than elsewhere.
    fn exponential(w: Interval, v: Series, slope: Interval, sign: f64) -> Distance {
        let log = v + Series::from(w.ln());
        let value = log.exp();
        let rate = slope * Interval::from(sign);
        Distance { value, slope: value.scaled(rate), log: Some([log, Series::from(rate)]) }
    }

    /// `ln(distance)`.
    pub fn ln(&self) -> Series {
        self.log.map_or_else(|| self.value.ln(), |[log, _]| log)
    }

    /// `d ln(distance)/du`.
    pub fn rate(&self) -> Series {
        self.log.map_or_else(|| self.slope / self.value, |[_, rate]| rate)
    }

    /// The distance to a score that lies farther away by the given length.
    fn shifted(&self, by: Interval) -> Distance {
        Distance::plain(self.value + Series::from(by), self.slope)
    }
}

/// Scores along a stretch, as functions of `u` in `[-1, 1]`.
#[derive(Clone, Debug)]
pub struct ScoreSeries<'a> {
    /// The score.
    pub x: Series,
    /// One minus the score.
    pub x_complement: Series,
    /// `dx/du`.
    pub speed: Series,
    /// `ln dx/du`.
    pub log_speed: Series,
    /// How the score depends on `u`, if the dependence is linear with known floats.
    linear: Option<LinearScore>,
    /// The ends of the interval.
    ends: [&'a Endpoint; 2],
    /// The distances to the ends; `None` if an end is infinite.
    distances: [Option<Distance>; 2],
}

/// A coordinate `middle + half·u` that the score is linear in.
#[derive(Clone, Copy, Debug)]
struct LinearScore {
    /// Whether the coordinate is the share of the interval between the ends, rather than the score itself.
    is_share: bool,
    middle: f64,
    half: f64,
}

impl LinearScore {
    /// The linear dependence on `u` of the coordinate `v` with the slope `dv/du`; `a` and `b` are the ends of the interval that are finite.
    /// `None` if the coordinate is neither the score nor the share of the interval, or not linear in `u`.
    fn new(coordinate: Coordinate, v: Series, slope: Interval, [a, b]: [Option<Interval>; 2]) -> Option<LinearScore> {
        let is_share = match coordinate {
            Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE } => false,
            Coordinate::Linear { a: origin, w } if a == Some(origin) && b.map(|b| b - origin) == Some(w) => true,
            _ => return None,
        };
        let [middle, half] = v.as_linear().filter(|[_, half]| slope == Interval::from(*half))?;
        Some(LinearScore { is_share, middle, half })
    }
}

/// The score along a stretch in one coordinate: a part of [`ScoreSeries`].
struct ScoreMotion {
    x: Series,
    /// `dx/du`.
    speed: Series,
    /// `ln dx/du`.
    log_speed: Series,
    /// The distances to the left and the right end; `None` if an end is infinite.
    distances: [Option<Distance>; 2],
}

impl ScoreMotion {
    /// The score `origin + w·v`. `a` and `b` are the ends of the interval that are finite.
    fn linear(origin: Interval, w: Interval, v: Series, slope: Interval, [a, b]: [Option<Interval>; 2]) -> ScoreMotion {
        let constant = |c: Interval| Series::from(c);
        let from_origin = v.scaled(w);
        let x = constant(origin) + from_origin;
        let speed = constant(w * slope);
        // If the coordinate runs from 0 at one end to 1 at the other, the distances w·v and w·(1 - v) have no cancellation.
        let left = a.map(|a| if a == origin { from_origin } else { x - constant(a) });
        let is_whole = |b: Interval| a == Some(origin) && w == b - origin;
        let to_end = (constant(Interval::ONE) - v).scaled(w);
        let right = b.map(|b| if is_whole(b) { to_end } else { constant(b) - x });
        let distances = [left.map(|d| Distance::plain(d, speed)), right.map(|d| Distance::plain(d, -speed))];
        ScoreMotion { x, speed, log_speed: constant((w * slope).ln()), distances }
    }

    /// The score at the distance `w·e^v` to the right of the origin. `a` and `b` are the ends of the interval that are finite.
    fn from_left(
        origin: Interval,
        w: Interval,
        v: Series,
        slope: Interval,
        [a, b]: [Option<Interval>; 2],
    ) -> ScoreMotion {
        let constant = |c: Interval| Series::from(c);
        let from_origin = Distance::exponential(w, v, slope, 1.0);
        let left = a.map(|a| if a == origin { from_origin } else { from_origin.shifted(origin - a) });
        let right = b.map(|b| Distance::plain(constant(b - origin) - from_origin.value, -from_origin.slope));
        ScoreMotion {
            x: constant(origin) + from_origin.value,
            speed: from_origin.slope,
            log_speed: from_origin.ln() + constant(slope.ln()),
            distances: [left, right],
        }
    }

    /// The score at the distance `w·e^-v` to the left of the origin. `a` and `b` are the ends of the interval that are finite.
    fn from_right(
        origin: Interval,
        w: Interval,
        v: Series,
        slope: Interval,
        [a, b]: [Option<Interval>; 2],
    ) -> ScoreMotion {
        let constant = |c: Interval| Series::from(c);
        let to_origin = Distance::exponential(w, -v, slope, -1.0);
        let left = a.map(|a| Distance::plain(constant(origin - a) - to_origin.value, -to_origin.slope));
        let right = b.map(|b| if b == origin { to_origin } else { to_origin.shifted(b - origin) });
        ScoreMotion {
            x: constant(origin) - to_origin.value,
            speed: -to_origin.slope,
            log_speed: to_origin.ln() + constant(slope.ln()),
            distances: [left, right],
        }
    }
}

impl<'a> ScoreSeries<'a> {
    /// The scores on a stretch of the interval between the ends, where the coordinate is the series `v` in `u`, with the slope `dv/du`.
    pub fn new(coordinate: Coordinate, v: Series, slope: Interval, ends: [&'a Endpoint; 2]) -> ScoreSeries<'a> {
        let finite_ends = ends.map(|end| end.is_finite().then(|| end.enclosure()));
        let ScoreMotion { x, speed, log_speed, distances } = match coordinate {
            Coordinate::Linear { a, w } => ScoreMotion::linear(a, w, v, slope, finite_ends),
            Coordinate::FromLeft { a, w } => ScoreMotion::from_left(a, w, v, slope, finite_ends),
            Coordinate::FromRight { b, w } => ScoreMotion::from_right(b, w, v, slope, finite_ends),
        };
        // Where an end is finite, a sum with the distance from it may be more accurate.
        let [a, b] = finite_ends;
        let x_complement = match (b, distances[1]) {
            (Some(b), Some(distance)) => Series::from(Interval::ONE - b) + distance.value,
            _ => Series::from(Interval::ONE) - x,
        };
        let from_left = a.and_then(|a| distances[0].map(|distance| Series::from(a) + distance.value));
        let x = from_left.filter(|from_left| from_left.error() <= x.error()).unwrap_or(x);
        let linear = LinearScore::new(coordinate, v, slope, finite_ends);
        ScoreSeries { x, x_complement, speed, log_speed, linear, ends, distances }
    }

    /// The coefficients `[m, h]` of the score `m + h·u`, if it is linear in `u` and they are rational.
    pub fn affine(&self) -> Option<[Rational; 2]> {
        let LinearScore { is_share, middle, half } = self.linear?;
        let (middle, half) = (from_f64(middle)?, from_f64(half)?);
        if !is_share {
            return Some([middle, half]);
        }
        let [a, b] = [self.ends[0].constant.exact.as_ref()?, self.ends[1].constant.exact.as_ref()?];
        let width = b - a;
        Some([a + &width * middle, width * half])
    }

    /// The distance of the scores above an endpoint that is not to the right of this stretch.
    pub fn above(&self, place: &Endpoint) -> Distance {
        match self.distances[0] {
            Some(distance) if self.ends[0].compare(place) == Some(Ordering::Equal) => distance,
            Some(distance) => distance.shifted(self.ends[0].enclosure() - place.enclosure()),
            None => Distance::plain(self.x - Series::from(place.enclosure()), self.speed),
        }
    }

    /// The distance of the scores below an endpoint that is not to the left of this stretch.
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
    /// `dx/dv`; `None` stands for 1.
    pub speed: Option<Balls>,
    /// In an exponential coordinate towards an end of the interval: the distance to that end.
    near_end: Option<NearEnd<'a>>,
}

/// The distance to an end, known better than the score.
#[derive(Clone, Copy, Debug)]
struct NearEnd<'a> {
    /// On the left (0) or on the right (1).
    side: usize,
    end: &'a Endpoint,
    distance: Balls,
    log_distance: Balls,
}

impl<'a> Points<'a> {
    /// The scores that belong to some values of a coordinate of the interval between the ends.
    pub fn new(coordinate: Coordinate, v: &Balls, ends: [&'a Endpoint; 2]) -> Points<'a> {
        let (side, origin, w, log_share) = match coordinate {
            Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE } => {
                return Points { x: *v, speed: None, near_end: None };
            }
            Coordinate::Linear { a, w } => {
                let w = Balls::from(w);
                return Points { x: Balls::from(a) + w * *v, speed: Some(w), near_end: None };
            }
            Coordinate::FromLeft { a, w } => (0, a, w, *v),
            Coordinate::FromRight { b, w } => (1, b, w, -*v),
        };
        let log_distance = log_share + Balls::from(w.ln());
        let distance = log_distance.exp();
        let x = if side == 0 { Balls::from(origin) + distance } else { Balls::from(origin) - distance };
        // The origin of a coordinate that goes out to infinity need not be an end.
        let end = ends[side];
        let near_end = (origin == end.enclosure()).then_some(NearEnd { side, end, distance, log_distance });
        Points { x, speed: Some(distance), near_end }
    }

    /// The side of the end whose distance is known better than the score, if there is one.
    pub fn near_side(&self) -> Option<usize> {
        self.near_end.map(|near| near.side)
    }

    /// The endpoint on a side as the end whose distance is known better than the score; `None` if it is not that end.
    fn as_near_end(&self, side: usize, endpoint: &Endpoint) -> Option<NearEnd<'a>> {
        self.near_end.filter(|near| near.side == side && near.end.compare(endpoint) == Some(Ordering::Equal))
    }

    /// The distance to an endpoint on the left (0) or on the right (1).
    pub fn distance(&self, side: usize, endpoint: &Endpoint) -> Balls {
        match self.as_near_end(side, endpoint) {
            Some(near) => near.distance,
            None if side == 0 => self.x - Balls::from(endpoint.enclosure()),
            None => Balls::from(endpoint.enclosure()) - self.x,
        }
    }

    /// The logarithm of the distance to an endpoint on the left (0) or on the right (1).
    pub fn log_distance(&self, side: usize, endpoint: &Endpoint) -> Balls {
        self.as_near_end(side, endpoint).map_or_else(|| self.distance(side, endpoint).ln(), |near| near.log_distance)
    }
}
