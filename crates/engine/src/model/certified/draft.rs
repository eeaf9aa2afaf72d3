//! A stretch of a curve before the distribution functions are known, and how good it is.

use super::bend::Bend;
use super::between::Active;
use super::scores::ScoreSeries;
use super::tail::{Lump, mass_rate};
use crate::constant::Constant;
use rocproof_arith::{Interval, Series};

/// The relative error at which a series is accepted.
pub(super) const TARGET: f64 = 2e-14;
/// A stretch of an expression whose enclosure allows more negative mass than this is halved.
pub(super) const NEGATIVE: f64 = 1e-15;
/// The absolute error of a mass that is accepted where halving does not help.
const AT_STAKE: f64 = 1e-16;
/// The direction of a stretch with less mass than this need not be known.
const LITTLE: f64 = 1e-14;

/// A stretch before the distribution functions are known.
pub(super) struct Draft {
    pub(super) x: [Series; 2],
    pub(super) dx: Series,
    pub(super) rate: [Series; 2],
    pub(super) share: [Series; 2],
    pub(super) turn: Series,
    pub(super) bend: Series,
    /// A bound on the negative mass of expressions, and whether one is negative for sure.
    negative: f64,
    pub(super) is_negative: bool,
}

impl Draft {
    pub(super) fn new(site: &ScoreSeries, active: &Active, alike: bool, exact: Option<&Bend>) -> Draft {
        let mut rate = [Series::from(0.0); 2];
        let mut slope = [Series::from(0.0); 2];
        let mut log = [None; 2];
        let (mut negative, mut is_negative) = (0.0f64, false);
        for class in [0, 1] {
            for part in &active[class] {
                let (of_part, local) = mass_rate(part, site);
                rate[class] = rate[class] + of_part;
                if part.may_be_negative && local.log.is_none() {
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
                    let (p, q) = (&active[0][0].density, &active[1][0].density);
                    let bend = p.ratio_rate(&**q, site).unwrap_or_else(|| rate1 - rate0);
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
                            slope[class] = (part.density.jet(site).slope * site.speed).scaled(part.weight);
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
        let rate = rate.map(Series::without_highest_term);
        let x = [site.x, site.x_complement];
        Draft { x, dx: site.speed, rate, share, turn, bend, negative, is_negative }
    }

    /// The score, and one minus it, at both ends.
    fn edges(&self) -> [[Interval; 2]; 2] {
        [0, 1].map(|side| self.x.map(|x| x.ends()[side]))
    }

    /// An upper bound on the mass.
    pub(super) fn most_mass(&self) -> f64 {
        2.0 * (self.rate[0].bound() + self.rate[1].bound())
    }

    /// The stretch as a lump: only its mass is kept.
    pub(super) fn lump(self) -> Raw {
        let mass = self.rate.map(|rate| Interval::new(0.0, rate.integral().hi().max(0.0)));
        let lump = Lump { mass, mean_scores: [self.x[0].rough_range(); 2], bend: Interval::ALL };
        Raw::Lump { lump, x: self.edges() }
    }

    /// The excess of the scores: errors count relative to their size.
    pub(super) fn excess_of_scores(&self) -> f64 {
        let size = 1.0 + self.x[0].bound();
        let of_dx = self.dx.error() / (TARGET * self.dx.bound()).max(1e-3 * TARGET * size);
        of_dx.max(self.x[0].error() / (0.1 * TARGET * size))
    }

    /// Whether there is a direction everywhere.
    pub(super) fn is_directed(&self) -> bool {
        self.share.iter().chain([&self.turn]).all(Series::is_known)
    }

    /// The largest error of the series in units of the accepted error.
    pub(super) fn excess(&self, negligible: f64, rarity: f64) -> f64 {
        self.excess_with(negligible, 0.1 * TARGET, rarity)
    }

    /// The excess where errors of the curvature count with the mass, too.
    pub(super) fn stake(&self) -> f64 {
        let mass = self.rate[0].bound() + self.rate[1].bound();
        self.excess_with(AT_STAKE, (AT_STAKE / mass).max(0.1 * TARGET), 1.0)
    }

    fn excess_with(&self, negligible: f64, of_turn: f64, rarity: f64) -> f64 {
        // Errors count relative to the bound, or to a negligible amount.
        if !self.is_directed() || !self.rate.iter().chain(&self.x).chain([&self.dx]).all(Series::is_known) {
            return f64::INFINITY;
        }
        let off = |s: &Series, negligible: f64| s.error() / (TARGET * s.bound()).max(negligible);
        // All mass is 1: terms that are larger cancel.
        let rates = self.rate.iter().map(|rate| rate.error() / (TARGET * rate.bound().min(1.0)).max(negligible));
        // Errors of the direction count with the mass.
        let mass = self.rate[0].bound() + self.rate[1].bound();
        let most = if mass > LITTLE { 10.0 * TARGET } else { f64::INFINITY };
        // The posterior turns where the share of the frequent class is as small as the other class is rare.
        let least = |share: &Series| share.rough_range().lo().max(rarity).min(1.0);
        let of_share = |share: &Series| (negligible / mass).clamp(TARGET * least(share), most);
        let shares = self.share.iter().map(|share| share.error() / of_share(share));
        let worst = rates.chain(shares).chain([self.excess_of_scores()]).fold(off(&self.turn, of_turn), f64::max);
        // A stretch that may have negative mass is halved as one that is not known.
        if self.negative > NEGATIVE { worst.max(1.0 / TARGET) } else { worst }
    }
}

/// A piece of the curve before the distribution functions are known.
pub(super) enum Raw {
    Arc { draft: Box<Draft>, smooth: bool },
    Lump { lump: Lump, x: [[Interval; 2]; 2] },
    Atom { place: Constant, mass: [Interval; 2] },
    Gap { ends: [Interval; 2] },
}

impl From<Draft> for Raw {
    fn from(draft: Draft) -> Raw {
        Raw::Arc { draft: Box::new(draft), smooth: true }
    }
}

impl Raw {
    /// The score at an end, and one minus it.
    pub(super) fn edge(&self, side: usize) -> [Interval; 2] {
        match self {
            Raw::Arc { draft, .. } => draft.edges()[side],
            Raw::Lump { x, .. } => x[side],
            Raw::Atom { .. } | Raw::Gap { .. } => [Interval::ALL; 2],
        }
    }
}
