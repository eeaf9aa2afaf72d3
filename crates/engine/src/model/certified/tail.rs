//! Tails: the mass between the last stretch and an end of an interval, enclosed by a bound on the growth of the densities.

use super::between::Between;
use super::density::ratio_slope;
use super::draft::{NEGATIVE, TARGET};
use super::jet::Jet;
use super::march::Trouble;
use super::mixture::EnclosedComponent;
use super::scores::{Coordinate, ScoreSeries};
use crate::model::endpoint::Endpoint;
use rocproof_arith::{Interval, Series};

/// The scores between a stretch and an end.
#[derive(Clone, Copy, Debug)]
pub struct Tail<'a> {
    /// Whether it lies to the left of the stretch.
    pub left: bool,
    /// The end.
    pub end: &'a Endpoint,
    /// Where distances start: a finite end itself, else the origin of the coordinate.
    pub from: Interval,
    /// The distances: from 0 on, or up to infinity.
    pub distance: Interval,
    /// The scores.
    pub x: Interval,
}

impl Tail<'_> {
    /// Whether scores grow with the distance (1) or fall (-1).
    pub fn sign(&self) -> Interval {
        if self.left == self.end.is_finite() { Interval::ONE } else { -Interval::ONE }
    }
}

/// How a tail is enclosed.
#[derive(Clone, Copy)]
pub(super) enum TailKind {
    /// In the coordinate of the stretch, an exponential one.
    Exponential,
    /// Scores beyond this one, where families of known tails fall.
    Bells(f64),
    /// Scores between a singular end and this one, where there is next to no mass although it is not close to the end.
    Thin(f64),
}

/// Mass on a range of scores along which no series is known.
pub(super) struct Lump {
    pub(super) mass: [Interval; 2],
    /// For each class, scores that multiply its mass to hold the part of its mean.
    pub(super) mean_scores: [Interval; 2],
    /// Something with the sign of the way it bends.
    pub(super) bend: Interval,
}

/// The mass of a component per unit of the coordinate.
pub(super) fn mass_rate(part: &EnclosedComponent, site: &ScoreSeries) -> (Series, Jet) {
    let local = part.density.jet(site);
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

impl Between<'_> {
    /// Encloses the tail beyond a value of a coordinate, on the given side.
    pub(super) fn enclose_tail(
        &self,
        coordinate: Coordinate,
        v: f64,
        rest: TailKind,
        left: bool,
    ) -> Result<Lump, Trouble> {
        let Between { active, ends } = self;
        let end = ends[usize::from(!left)];
        let trouble = || Trouble::Tail(end.constant.value);
        let (site, beyond) = match (rest, coordinate) {
            (TailKind::Bells(cut), _) => {
                let at = Coordinate::Linear { a: Interval::from(cut), w: Interval::ONE };
                let site = ScoreSeries::new(at, Series::from(0.0), Interval::ONE, *ends);
                let x = if left { Interval::new(f64::NEG_INFINITY, cut) } else { Interval::new(cut, f64::INFINITY) };
                (site, Tail { left, end, from: Interval::from(cut), distance: Interval::new(0.0, f64::INFINITY), x })
            }
            (TailKind::Thin(cut), _) => {
                let (from, cut) = (end.enclosure(), Interval::from(cut));
                let w = if left { cut - from } else { from - cut };
                let at = if left { Coordinate::FromLeft { a: from, w } } else { Coordinate::FromRight { b: from, w } };
                let site = ScoreSeries::new(at, Series::from(0.0), Interval::ONE, *ends);
                (site, Tail { left, end, from, distance: Interval::new(0.0, w.hi()), x: from.hull(cut) })
            }
            (TailKind::Exponential, Coordinate::Linear { .. }) => return Err(trouble()),
            (TailKind::Exponential, Coordinate::FromLeft { a: from, w } | Coordinate::FromRight { b: from, w }) => {
                let site = ScoreSeries::new(coordinate, Series::from(v), Interval::ONE, *ends);
                let grows = matches!(coordinate, Coordinate::FromLeft { .. });
                let at = w * Interval::from(if grows { v } else { -v }).exp();
                let distance =
                    if end.is_finite() { Interval::new(0.0, at.hi()) } else { Interval::new(at.lo(), f64::INFINITY) };
                let x = if grows { from + distance } else { from - distance };
                (site, Tail { left, end, from, distance, x })
            }
        };
        let mut mass = [Interval::ZERO; 2];
        let mut means: [Option<Interval>; 2] = [None; 2];
        for class in [0, 1] {
            for part in &active[class] {
                let rate = mass_rate(part, &site).0.at(Interval::ZERO);
                let mut decay = match rest {
                    TailKind::Bells(_) => part.density.tail_decay(&beyond),
                    TailKind::Exponential | TailKind::Thin(_) => {
                        let power = Interval::ONE + part.density.elasticity(&beyond);
                        if end.is_finite() { power } else { -power }
                    }
                };
                let mut known = Interval::new(rate.lo().max(0.0), rate.hi()) / decay;
                if !decay.is_positive() || !known.is_bounded() {
                    let decline = part.density.decline(&beyond).ok_or_else(trouble)?;
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
                    TailKind::Bells(_) => Interval::new(0.0, (Interval::ONE / decay).hi()),
                    TailKind::Exponential | TailKind::Thin(_) => {
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
        let bends = pairs.map(|(p, q)| ratio_slope(&*p.density, &*q.density, &beyond));
        let bend = bends.reduce(Interval::hull).unwrap_or(Interval::ZERO);
        Ok(Lump { mass, mean_scores, bend })
    }
}
