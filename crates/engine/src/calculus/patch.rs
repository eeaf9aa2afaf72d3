//! Patches: parts of a curve, enclosed. Everything that a definition reads is a series with a proved error bound.

use crate::constant::Constant;
use rocproof_arith::{Interval, Series};
use rocproof_language::meaning::Piece;

/// An enclosure of a point of a curve.
#[derive(Clone, Copy, Debug)]
pub struct EnclosedPoint {
    /// The score and one minus it.
    pub x: [Interval; 2],
    /// `F0` and `F1`.
    pub below: [Interval; 2],
    /// `1 - F0` and `1 - F1`.
    pub above: [Interval; 2],
}

impl EnclosedPoint {
    /// The smallest enclosure of this point and another one.
    pub fn hull(&self, other: &EnclosedPoint) -> EnclosedPoint {
        let pair = |a: [Interval; 2], b: [Interval; 2]| [a[0].hull(b[0]), a[1].hull(b[1])];
        EnclosedPoint {
            x: pair(self.x, other.x),
            below: pair(self.below, other.below),
            above: pair(self.above, other.above),
        }
    }

    /// The increments of `F0` and `F1` to another point.
    pub fn towards(&self, other: &EnclosedPoint) -> [Interval; 2] {
        // Both ways of computing them: less cancels in one of them.
        [0, 1].map(|k| {
            let (by_below, by_above) = (other.below[k] - self.below[k], self.above[k] - other.above[k]);
            by_below.meet(by_above)
        })
    }

    /// The predicted positive rate.
    pub fn rate(&self, [pi0, pi1]: [Interval; 2]) -> Interval {
        pi0 * self.below[0] + pi1 * self.below[1]
    }
}

/// The posterior `π1 q1/(π0 q0 + π1 q1)` of a direction, and one minus it.
pub fn posterior([q0, q1]: [Interval; 2], [pi0, pi1]: [Interval; 2]) -> [Interval; 2] {
    let [mass0, mass1] = [pi0 * q0, pi1 * q1];
    [share_of_sum(mass1, mass0), share_of_sum(mass0, mass1)]
}

/// `own/(own + other)` for numbers that are not negative; 0 if both are 0.
fn share_of_sum(own: Interval, other: Interval) -> Interval {
    if own == Interval::ZERO {
        return Interval::ZERO;
    }
    if other == Interval::ZERO {
        return Interval::ONE;
    }
    // It grows with `own` and falls with `other`: evaluate at the ends.
    let share = |own: f64, other: f64| Interval::from(own) / (Interval::from(own) + Interval::from(other));
    let lo = if own.lo() <= 0.0 { 0.0 } else { share(own.lo(), other.hi()).lo() };
    let hi = if other.lo() <= 0.0 { 1.0 } else { share(own.hi(), other.lo()).hi() };
    Interval::new(lo.max(0.0), hi.min(1.0))
}

/// The direction of the given masses, as shares of both classes.
pub fn direction(mass: [Interval; 2]) -> [Interval; 2] {
    let [share1, share0] = posterior(mass, [Interval::ONE; 2]);
    [share0, share1]
}

/// The kind of a patch, by what moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchMotion {
    /// Densities on an interval.
    Arc,
    /// Mass along a straight line: a tie, a pooled interval.
    Straight,
    /// Scores without mass.
    Gap,
    /// Everything moves by little, and only ranges are known: between the last resolved patch and a singular or infinite end.
    Lump,
}

/// A part of a curve: functions of a parameter `u` in `[-1, 1]`.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Its kind.
    pub motion: PatchMotion,
    /// The score and one minus it.
    pub x: [Series; 2],
    /// `dx/du`.
    pub dx: Series,
    /// `F0` and `F1`.
    pub below: [Series; 2],
    /// `1 - F0` and `1 - F1`.
    pub above: [Series; 2],
    /// `dF0/du` and `dF1/du`.
    pub rate: [Series; 2],
    /// The direction of the ROC curve: `(dF0, dF1)/(dF0 + dF1)`.
    pub share: [Series; 2],
    /// `d share[1]/du`.
    pub turn: Series,
    /// A function with the sign of `turn`; it may be more accurate than `turn`.
    pub bend: Series,
    /// The first point.
    pub start: EnclosedPoint,
    /// The last point.
    pub end: EnclosedPoint,
    /// For each class, a range of scores whose product with the mass of the class contains the mean score's part. It differs from `x` in
    /// infinite tails.
    pub mean_scores: [Interval; 2],
    /// Whether the direction is continuous at the start.
    pub smooth: bool,
    /// The score of a tie, as the user wrote it.
    pub tie: Option<Constant>,
}

/// The linear function from `a` at the parameter -1 to `b` at 1.
fn between(a: Interval, b: Interval) -> Series {
    let half = Interval::from(0.5);
    Series::linear((a + b) * half, (b - a) * half)
}

impl Patch {
    /// A straight patch between two points, with the given masses.
    pub fn straight(start: EnclosedPoint, end: EnclosedPoint, mass: [Interval; 2]) -> Patch {
        let total = mass[0] + mass[1];
        let may_have_mass = total.hi() > 0.0;
        // Derivatives by `u`, which runs over an interval of length 2.
        let half = Interval::from(0.5);
        Patch {
            motion: if !may_have_mass {
                PatchMotion::Gap
            } else if total.is_positive() {
                PatchMotion::Straight
            } else {
                // There may be no mass, and so no direction.
                PatchMotion::Lump
            },
            x: [0, 1].map(|k| between(start.x[k], end.x[k])),
            dx: Series::from((end.x[0] - start.x[0]).meet(start.x[1] - end.x[1]) * half),
            below: [0, 1].map(|k| between(start.below[k], end.below[k])),
            above: [0, 1].map(|k| between(start.above[k], end.above[k])),
            rate: mass.map(|m| Series::from(m * half)),
            share: if may_have_mass { direction(mass).map(Series::from) } else { [Series::from(0.0); 2] },
            turn: Series::from(0.0),
            bend: Series::from(0.0),
            start,
            end,
            mean_scores: [start.x[0].hull(end.x[0]); 2],
            smooth: false,
            tie: None,
        }
    }

    /// A lump between two points, with the given masses. `mean_scores` encloses the mean scores of both classes on it; `bend` has the sign of
    /// the change of direction.
    pub fn lump(
        start: EnclosedPoint,
        end: EnclosedPoint,
        mass: [Interval; 2],
        mean_scores: Interval,
        bend: Interval,
    ) -> Patch {
        let is_absent = [0, 1].map(|k| mass[k] == Interval::ZERO);
        let straight = Patch::straight(start, end, mass);
        let all = start.hull(&end);
        // With one class alone the direction is known.
        let share = match is_absent {
            [true, false] | [false, true] => straight.share,
            _ => [Series::from(Interval::UNIT); 2],
        };
        let series = |v: [Interval; 2]| v.map(Series::from);
        // Only the sign of the bend is used.
        let bend = if bend == Interval::ZERO {
            Interval::ZERO
        } else if bend.is_positive() {
            Interval::ONE
        } else if bend.is_negative() {
            -Interval::ONE
        } else {
            Interval::new(-1.0, 1.0)
        };
        Patch {
            motion: PatchMotion::Lump,
            x: series(all.x),
            below: series(all.below),
            above: series(all.above),
            share,
            turn: Series::UNKNOWN,
            bend: Series::from(bend),
            mean_scores: [mean_scores; 2],
            ..straight
        }
    }

    /// The part between two parameters; its own parameter runs from -1 to 1 again.
    pub fn part(&self, from: f64, to: f64) -> Patch {
        let pair = |s: &[Series; 2]| [s[0].part(from, to), s[1].part(from, to)];
        // Derivatives scale with the length of the part.
        let half = Interval::from(to / 2.0) - Interval::from(from / 2.0);
        let slope = |s: &Series| s.part(from, to).scaled(half);
        let (start, end) = (self.at(Interval::from(from)), self.at(Interval::from(to)));
        Patch {
            motion: self.motion,
            x: pair(&self.x),
            dx: slope(&self.dx),
            below: pair(&self.below),
            above: pair(&self.above),
            rate: [slope(&self.rate[0]), slope(&self.rate[1])],
            share: pair(&self.share),
            turn: slope(&self.turn),
            bend: self.bend.part(from, to),
            start: if from == -1.0 { self.start } else { start },
            end: if to == 1.0 { self.end } else { end },
            mean_scores: self.mean_scores,
            smooth: self.smooth || from != -1.0,
            tie: self.tie.clone(),
        }
    }

    /// The point at a parameter.
    pub fn at(&self, u: Interval) -> EnclosedPoint {
        let pair = |s: &[Series; 2]| [s[0].at(u), s[1].at(u)];
        EnclosedPoint { x: pair(&self.x), below: pair(&self.below), above: pair(&self.above) }
    }

    /// The direction at a parameter.
    pub fn direction(&self, u: Interval) -> [Interval; 2] {
        [0, 1].map(|k| self.share[k].at(u).meet(Interval::UNIT))
    }

    /// The posterior at a parameter, and one minus it.
    pub fn posterior(&self, u: Interval, proportions: [Interval; 2]) -> [Interval; 2] {
        posterior(self.direction(u), proportions)
    }

    /// Whether its direction is known. The direction of a lump is known only if one class is alone on it.
    pub fn is_directed(&self) -> bool {
        self.motion != PatchMotion::Lump || self.share.iter().all(Series::is_constant)
    }

    /// The kind of piece of a curve; a lump counts as an arc.
    pub fn piece(&self) -> Piece {
        match self.motion {
            PatchMotion::Gap => Piece::Gap,
            PatchMotion::Straight if self.dx.is_zero() => Piece::Tie,
            PatchMotion::Straight | PatchMotion::Arc | PatchMotion::Lump => Piece::Arc,
        }
    }

    /// Whether it carries mass.
    pub fn has_mass(&self) -> bool {
        self.motion != PatchMotion::Gap
    }

    /// An upper bound on the mass of both classes together.
    pub fn most_mass(&self) -> f64 {
        let [a, b] = self.start.towards(&self.end);
        (a + b).hi()
    }
}
