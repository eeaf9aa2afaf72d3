//! A stretch of a curve before the distribution functions are known, and the errors of its series.

use super::bend::Bend;
use super::between::Active;
use super::scores::ScoreSeries;
use super::tail::{ComponentRate, Lump};
use crate::constant::Constant;
use rocproof_arith::{Interval, Series};

/// The relative error at which a series is accepted.
pub(super) const TARGET: f64 = 2e-14;
/// The accepted error of a score, relative to its size, and of the derivative of a share. Integrands multiply both by masses, so they must
/// not dominate the errors of the masses.
const FINE_TARGET: f64 = 0.1 * TARGET;
/// The accepted error of `dx/du`, relative to the size of the scores, where `dx/du` itself is small.
const SLOPE_TARGET: f64 = 1e-3 * TARGET;
/// The largest error of a share that is accepted on a stretch with more mass than [`UNDIRECTED_MASS`].
const COARSE_TARGET: f64 = 10.0 * TARGET;
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

/// The direction of the curve along a stretch, and how it changes.
struct Direction {
    /// The share of each class in the sum of both rates.
    share: [Series; 2],
    /// The derivative of the share of class 1.
    turn: Series,
    /// A series with the sign of the curvature.
    bend: Series,
}

impl Direction {
    /// The direction where the components of both classes have the given rates. `total` is the sum of the rates of each class; `alike` says
    /// that both classes have the same density.
    fn new(rates: &[Vec<ComponentRate>; 2], total: [Series; 2], alike: bool, scores: &ScoreSeries) -> Direction {
        match rates.each_ref().map(Vec::as_slice) {
            [[], []] => Direction::constant([0.0, 0.0]),
            [[], _] => Direction::constant([0.0, 1.0]),
            [_, []] => Direction::constant([1.0, 0.0]),
            _ if alike => Direction::constant([0.5, 0.5]),
            [[only0], [only1]] => Direction::by_logarithms(only0, only1, scores)
                .unwrap_or_else(|| Direction::by_rates(total, [only0.slope(scores), only1.slope(scores)])),
            classes => {
                let zero = Series::from(0.0);
                let slope = classes.map(|class| class.iter().fold(zero, |sum, rate| sum + rate.slope(scores)));
                Direction::by_rates(total, slope)
            }
        }
    }

    /// A direction that does not change.
    fn constant(share: [f64; 2]) -> Direction {
        let zero = Series::from(0.0);
        Direction { share: share.map(Series::from), turn: zero, bend: zero }
    }

    /// The direction of one component in each class, by the logarithm of their ratio. `None` if a logarithm is not known.
    fn by_logarithms(f0: &ComponentRate, f1: &ComponentRate, scores: &ScoreSeries) -> Option<Direction> {
        let [[log0, slope0], [log1, slope1]] = [f0.weighted_log()?, f1.weighted_log()?];
        if !log0.is_known() || !log1.is_known() {
            return None;
        }
        let one = Series::from(1.0);
        let bend = f0.part.density.ratio_rate(&*f1.part.density, scores).unwrap_or_else(|| slope1 - slope0);
        let ratio = log1 - log0;
        // The shares are the logistic function of the log ratio and of its negative. The larger share is computed first: so the relative
        // error of the smaller one is no worse.
        let is_class1_larger = ratio.rough_range().mid() >= 0.0;
        let odds = if is_class1_larger { -ratio } else { ratio }.exp();
        let larger = one / (one + odds);
        let smaller = odds * larger;
        let share = if is_class1_larger { [smaller, larger] } else { [larger, smaller] };
        // The derivative of the logistic function s is s·(1 - s).
        Some(Direction { share, turn: share[0] * share[1] * bend, bend })
    }

    /// The direction by the rate of each class, and the derivative of the densities times `dx/du`, by the quotient rule:
    /// `(r1/(r0+r1))' = (r0·r1' - r1·r0')/(r0+r1)²`, where the derivative of `dx/du` cancels.
    fn by_rates(rate: [Series; 2], slope: [Series; 2]) -> Direction {
        let sum = rate[0] + rate[1];
        let share = rate.map(|r| r / sum);
        let turn = share[0] * (slope[1] / sum) - share[1] * (slope[0] / sum);
        Direction { share, turn, bend: turn }
    }
}

impl Draft {
    /// Encloses the components that are active along some scores. `alike` says that both classes have the same density; `exact` is the
    /// sign of the curvature if it is known exactly.
    pub(super) fn new(scores: &ScoreSeries, active: &Active, alike: bool, exact: Option<&Bend>) -> Draft {
        let rates = active
            .each_ref()
            .map(|parts| parts.iter().map(|part| ComponentRate::new(part, scores)).collect::<Vec<_>>());
        let total = rates.each_ref().map(|class| class.iter().fold(Series::from(0.0), |sum, part| sum + part.rate));
        let (mut most_negative, mut is_negative) = (0.0f64, false);
        // A density with a known logarithm is positive.
        for part in rates.iter().flatten().filter(|rate| rate.part.may_be_negative && rate.density.log.is_none()) {
            let range = part.rate.range();
            most_negative = most_negative.max(-range.lo());
            is_negative |= range.is_negative();
        }
        let Direction { share, turn, bend } = Direction::new(&rates, total, alike, scores);
        Draft {
            x: [scores.x, scores.x_complement],
            dx: scores.speed,
            // The integral of a series has one term more, which must fit.
            rate: total.map(Series::without_highest_term),
            share,
            turn,
            bend: exact.map_or(bend, |exact| exact.along(scores)),
            most_negative,
            is_negative,
        }
    }

    /// For each end of the stretch, the score and one minus it.
    pub(super) fn edges(&self) -> [[Interval; 2]; 2] {
        [0, 1].map(|side| self.x.map(|x| x.ends()[side]))
    }

    /// An upper bound on the mass of both classes together: `u` runs over an interval of length 2.
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
        let excess_of_slope = self.dx.error() / (TARGET * self.dx.bound()).max(SLOPE_TARGET * size);
        excess_of_slope.max(self.x[0].error() / (FINE_TARGET * size))
    }

    /// Whether the direction of the curve and its derivative are enclosed on all of the stretch.
    pub(super) fn is_directed(&self) -> bool {
        self.share.iter().chain([&self.turn]).all(Series::is_known)
    }

    /// The excess: the largest error of the series in units of the accepted error. Errors of masses below `negligible` are accepted;
    /// shares must be accurate down to the size of `rarity`.
    pub(super) fn excess(&self, negligible: f64, rarity: f64) -> f64 {
        self.excess_with(negligible, FINE_TARGET, rarity)
    }

    /// The excess if errors up to [`NEGLIGIBLE_MASS`] are accepted. Those of the direction and its derivative are first multiplied by the
    /// mass of the stretch.
    pub(super) fn excess_by_mass(&self) -> f64 {
        let mass = self.rate[0].bound() + self.rate[1].bound();
        self.excess_with(NEGLIGIBLE_MASS, (NEGLIGIBLE_MASS / mass).max(FINE_TARGET), 1.0)
    }

    /// The largest error of the series divided by the accepted error, which is relative to the bound of a series, but not below
    /// `negligible` for masses and `negligible_turn` for the derivative of the shares. Infinite if a series is not known.
    fn excess_with(&self, negligible: f64, negligible_turn: f64, rarity: f64) -> f64 {
        if !self.is_directed() || !self.rate.iter().chain(&self.x).chain([&self.dx]).all(Series::is_known) {
            return f64::INFINITY;
        }
        // No mass exceeds 1, so a larger bound is not used as the scale of errors.
        let rates = self.rate.iter().map(|rate| rate.error() / (TARGET * rate.bound().min(1.0)).max(negligible));
        let shares = self.share.iter().map(|share| self.excess_of_share(share, negligible, rarity));
        let turn = self.turn.error() / (TARGET * self.turn.bound()).max(negligible_turn);
        let worst = rates.chain(shares).chain([self.excess_of_scores()]).fold(turn, f64::max);
        // A stretch that may have negative mass is halved like one whose series are useless.
        if self.most_negative > NEGATIVE { worst.max(1.0 / TARGET) } else { worst }
    }

    /// The error of the share of a class divided by the accepted error. An error that the mass of the stretch makes less than `negligible`
    /// is accepted, unless it exceeds [`COARSE_TARGET`] on a stretch with noticeable mass.
    fn excess_of_share(&self, share: &Series, negligible: f64, rarity: f64) -> f64 {
        let mass = self.rate[0].bound() + self.rate[1].bound();
        let largest_accepted = if mass > UNDIRECTED_MASS { COARSE_TARGET } else { f64::INFINITY };
        // If a class is rare, the posterior changes where the share of the other class is of the size of `rarity`; so that share must
        // be accurate there.
        let scale = share.rough_range().lo().max(rarity).min(1.0);
        share.error() / (negligible / mass).clamp(TARGET * scale, largest_accepted)
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
