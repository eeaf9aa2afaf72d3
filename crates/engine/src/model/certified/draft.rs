//! A stretch of a curve before the distribution functions are known, and the errors of its series.

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
const NEGLIGIBLE_MASS: f64 = 1e-16;
/// The direction of a stretch with less mass than this need not be known.
const UNDIRECTED_MASS: f64 = 1e-14;

/// A stretch before the distribution functions are known, as series in `u` from -1 to 1.
pub(super) struct Draft {
    /// The score, and one minus it.
    pub(super) x: [Series; 2],
    /// `dx/du`.
    pub(super) dx: Series,
    /// The mass of each class per unit of `u`.
    pub(super) rate: [Series; 2],
    /// The share of each class in the sum of both rates.
    pub(super) share: [Series; 2],
    /// The derivative of the share of class 1.
    pub(super) turn: Series,
    /// A series with the sign of the curvature.
    pub(super) bend: Series,
    /// A bound on the negative mass of expressions per unit of `u`.
    most_negative: f64,
    /// Whether an expression is provably negative throughout the stretch.
    pub(super) is_negative: bool,
}

impl Draft {
    /// Encloses the components that are active along some scores. `alike` says that both classes have the same density; `exact` is the
    /// sign of the curvature if it is known exactly.
    pub(super) fn new(scores: &ScoreSeries, active: &Active, alike: bool, exact: Option<&Bend>) -> Draft {
        let mut rate = [Series::from(0.0); 2];
        let mut slope = [Series::from(0.0); 2];
        let mut log = [None; 2];
        let (mut most_negative, mut is_negative) = (0.0f64, false);
        for class in [0, 1] {
            for part in &active[class] {
                let (part_rate, density) = mass_rate(part, scores);
                rate[class] = rate[class] + part_rate;
                if part.may_be_negative && density.log.is_none() {
                    let range = part_rate.range();
                    most_negative = most_negative.max(-range.lo());
                    is_negative |= range.is_negative();
                }
                if active[0].len() == 1 && active[1].len() == 1 {
                    log[class] = density.log.map(|[log, rate]| [log + Series::from(part.weight.ln()), rate]);
                } else if !alike && !active[1 - class].is_empty() {
                    slope[class] = slope[class] + (density.slope * scores.speed).scaled(part.weight);
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
                    let bend = p.ratio_rate(&**q, scores).unwrap_or_else(|| rate1 - rate0);
                    let ratio = log1 - log0;
                    // A logistic function, so that the relative error of the smaller share is that of the larger one.
                    let is_second_larger = ratio.rough_range().mid() >= 0.0;
                    let odds = if is_second_larger { -ratio } else { ratio }.exp();
                    let larger = one / (one + odds);
                    let smaller = odds * larger;
                    let share = if is_second_larger { [smaller, larger] } else { [larger, smaller] };
                    (share, share[0] * share[1] * bend, bend)
                }
                _ => {
                    if active.iter().all(|parts| parts.len() == 1) {
                        for class in [0, 1] {
                            let part = active[class][0];
                            slope[class] = (part.density.jet(scores).slope * scores.speed).scaled(part.weight);
                        }
                    }
                    let sum = rate[0] + rate[1];
                    let share = rate.map(|r| r / sum);
                    let turn = share[0] * (slope[1] / sum) - share[1] * (slope[0] / sum);
                    (share, turn, turn)
                }
            },
        };
        let bend = exact.map_or(bend, |exact| exact.along(scores));
        let rate = rate.map(Series::without_highest_term);
        let x = [scores.x, scores.x_complement];
        Draft { x, dx: scores.speed, rate, share, turn, bend, most_negative, is_negative }
    }

    /// For each end of the stretch, the score and one minus it.
    fn edges(&self) -> [[Interval; 2]; 2] {
        [0, 1].map(|side| self.x.map(|x| x.ends()[side]))
    }

    /// An upper bound on the mass of both classes together.
    pub(super) fn most_mass(&self) -> f64 {
        2.0 * (self.rate[0].bound() + self.rate[1].bound())
    }

    /// The stretch as a lump: only its mass and the range of its scores are kept.
    pub(super) fn lump(self) -> UnplacedPiece {
        let mass = self.rate.map(|rate| Interval::new(0.0, rate.integral().hi().max(0.0)));
        let lump = Lump { mass, mean_scores: [self.x[0].rough_range(); 2], bend: Interval::ALL };
        UnplacedPiece::Lump { lump, x: self.edges() }
    }

    /// The excess of the scores and of their slope alone. The excess is the error divided by the accepted error, here relative to the
    /// size of the scores.
    pub(super) fn excess_of_scores(&self) -> f64 {
        let size = 1.0 + self.x[0].bound();
        let excess_of_slope = self.dx.error() / (TARGET * self.dx.bound()).max(1e-3 * TARGET * size);
        excess_of_slope.max(self.x[0].error() / (0.1 * TARGET * size))
    }

    /// Whether the direction of the curve and its derivative are enclosed on all of the stretch.
    pub(super) fn is_directed(&self) -> bool {
        self.share.iter().chain([&self.turn]).all(Series::is_known)
    }

    /// The excess: the largest error of the series in units of the accepted error. Errors of masses below `negligible` are accepted;
    /// shares must be accurate down to the size of `rarity`.
    pub(super) fn excess(&self, negligible: f64, rarity: f64) -> f64 {
        self.excess_with(negligible, 0.1 * TARGET, rarity)
    }

    /// The excess if errors up to [`NEGLIGIBLE_MASS`] are accepted. Those of the direction and its derivative are first multiplied by the
    /// mass of the stretch.
    pub(super) fn excess_by_mass(&self) -> f64 {
        let mass = self.rate[0].bound() + self.rate[1].bound();
        self.excess_with(NEGLIGIBLE_MASS, (NEGLIGIBLE_MASS / mass).max(0.1 * TARGET), 1.0)
    }

    /// The largest error of the series divided by the accepted error, which is relative to the bound of a series, but not below
    /// `negligible` for masses and `negligible_turn` for the derivative of the shares.
    fn excess_with(&self, negligible: f64, negligible_turn: f64, rarity: f64) -> f64 {
        if !self.is_directed() || !self.rate.iter().chain(&self.x).chain([&self.dx]).all(Series::is_known) {
            return f64::INFINITY;
        }
        // No mass exceeds 1, so a larger bound is not used as the scale of errors.
        let rates = self.rate.iter().map(|rate| rate.error() / (TARGET * rate.bound().min(1.0)).max(negligible));
        // Errors of the direction count with the mass.
        let mass = self.rate[0].bound() + self.rate[1].bound();
        let largest_accepted = if mass > UNDIRECTED_MASS { 10.0 * TARGET } else { f64::INFINITY };
        let shares = self.share.iter().map(|share| {
            // If a class is rare, the posterior changes where the share of the other class is of the size of `rarity`; so that share must
            // be accurate there.
            let scale = share.rough_range().lo().max(rarity).min(1.0);
            share.error() / (negligible / mass).clamp(TARGET * scale, largest_accepted)
        });
        let turn = self.turn.error() / (TARGET * self.turn.bound()).max(negligible_turn);
        let worst = rates.chain(shares).chain([self.excess_of_scores()]).fold(turn, f64::max);
        // A stretch that may have negative mass is halved like one whose series are useless.
        if self.most_negative > NEGATIVE { worst.max(1.0 / TARGET) } else { worst }
    }
}

/// A piece of the curve before the distribution functions, which place it in the plane, are known.
pub(super) enum UnplacedPiece {
    /// An arc; `smooth` says that its direction at the start is that at the end of the piece before.
    Arc { draft: Box<Draft>, smooth: bool },
    /// A lump; `x` holds, for each end, the score and one minus it.
    Lump { lump: Lump, x: [[Interval; 2]; 2] },
    /// An atom with the mass of each class.
    Atom { place: Constant, mass: [Interval; 2] },
    /// An interval of scores without mass.
    Gap { ends: [Interval; 2] },
}

impl From<Draft> for UnplacedPiece {
    fn from(draft: Draft) -> UnplacedPiece {
        UnplacedPiece::Arc { draft: Box::new(draft), smooth: true }
    }
}

impl UnplacedPiece {
    /// The score and one minus it at the left (0) or right (1) end of an arc or lump; unbounded for other pieces.
    pub(super) fn edge(&self, side: usize) -> [Interval; 2] {
        match self {
            UnplacedPiece::Arc { draft, .. } => draft.edges()[side],
            UnplacedPiece::Lump { x, .. } => x[side],
            UnplacedPiece::Atom { .. } | UnplacedPiece::Gap { .. } => [Interval::ALL; 2],
        }
    }
}
