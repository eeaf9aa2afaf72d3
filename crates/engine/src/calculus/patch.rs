//! A stretch of curve, enclosed: everything that a definition reads, as series with proved errors.

use crate::constant::Constant;
use rocproof_arith::{Interval, Series};
use rocproof_language::meaning::Piece;

/// A point of a curve, enclosed.
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
    /// What holds this point and another one.
    pub fn hull(&self, other: &EnclosedPoint) -> EnclosedPoint {
        let pair = |a: [Interval; 2], b: [Interval; 2]| [a[0].hull(b[0]), a[1].hull(b[1])];
        EnclosedPoint {
            x: pair(self.x, other.x),
            below: pair(self.below, other.below),
            above: pair(self.above, other.above),
        }
    }

    /// How far another point lies, in `F0` and `F1`.
    pub fn towards(&self, other: &EnclosedPoint) -> [Interval; 2] {
        // From the side on which less cancels.
        [0, 1].map(|k| {
            let (up, down) = (other.below[k] - self.below[k], self.above[k] - other.above[k]);
            up.meet(down)
        })
    }

    /// The predicted positive rate.
    pub fn rate(&self, [pi0, pi1]: [Interval; 2]) -> Interval {
        pi0 * self.below[0] + pi1 * self.below[1]
    }
}

/// The posterior that belongs to a direction, and one minus it.
pub fn posterior([q0, q1]: [Interval; 2], [pi0, pi1]: [Interval; 2]) -> [Interval; 2] {
    let [of0, of1] = [pi0 * q0, pi1 * q1];
    // Each grows with its own part and falls with the other's.
    let share = |of: Interval, other: Interval| {
        let end = |a: f64, b: f64| Interval::from(a) / (Interval::from(a) + Interval::from(b));
        match (of == Interval::ZERO, other == Interval::ZERO) {
            (true, _) => Interval::ZERO,
            (false, true) => Interval::ONE,
            _ => {
                let lo = if of.lo() <= 0.0 { 0.0 } else { end(of.lo(), other.hi()).lo() };
                let hi = if other.lo() <= 0.0 { 1.0 } else { end(of.hi(), other.lo()).hi() };
                Interval::new(lo.max(0.0), hi.min(1.0))
            }
        }
    };
    [share(of1, of0), share(of0, of1)]
}

/// The direction in which masses of both classes lead.
pub fn direction(mass: [Interval; 2]) -> [Interval; 2] {
    let [of1, of0] = posterior(mass, [Interval::ONE; 2]);
    [of0, of1]
}

/// What a stretch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchMotion {
    /// Densities on an interval.
    Arc,
    /// Mass along a straight line: a tie, a pooled interval.
    Straight,
    /// Scores without mass.
    Gap,
    /// Everything moves by little and is not known better: what lies between the last stretch and a singular or infinite end.
    Lump,
}

/// A stretch of curve: functions of `u` in `[-1, 1]`.
#[derive(Clone, Debug)]
pub struct Patch {
    /// What it is.
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
    /// Something with the sign of `turn`, where that is known better.
    pub bend: Series,
    /// The first point.
    pub start: EnclosedPoint,
    /// The last point.
    pub end: EnclosedPoint,
    /// For each class, scores such that their product with its mass holds the part of its mean score; differs from `x` in
    /// infinite tails.
    pub mean_scores: [Interval; 2],
    /// Whether the direction goes on from the stretch before without a jump.
    pub smooth: bool,
    /// The one score of a tie, as the user wrote it.
    pub tie: Option<Constant>,
}

fn between(a: Interval, b: Interval) -> Series {
    let half = Interval::from(0.5);
    Series::linear((a + b) * half, (b - a) * half)
}

impl Patch {
    /// A straight stretch between two points with the given masses.
    pub fn straight(start: EnclosedPoint, end: EnclosedPoint, mass: [Interval; 2]) -> Patch {
        let total = mass[0] + mass[1];
        let moves = total.hi() > 0.0;
        let half = Interval::from(0.5);
        Patch {
            // Where there may be no mass at all there may be no direction.
            motion: match (moves, total.is_positive()) {
                (true, true) => PatchMotion::Straight,
                (true, false) => PatchMotion::Lump,
                _ => PatchMotion::Gap,
            },
            x: [0, 1].map(|k| between(start.x[k], end.x[k])),
            dx: Series::from((end.x[0] - start.x[0]).meet(start.x[1] - end.x[1]) * half),
            below: [0, 1].map(|k| between(start.below[k], end.below[k])),
            above: [0, 1].map(|k| between(start.above[k], end.above[k])),
            rate: mass.map(|m| Series::from(m * half)),
            share: if moves { direction(mass).map(Series::from) } else { [Series::from(0.0); 2] },
            turn: Series::from(0.0),
            bend: Series::from(0.0),
            start,
            end,
            mean_scores: [start.x[0].hull(end.x[0]); 2],
            smooth: false,
            tie: None,
        }
    }

    /// A stretch of which little is known but where it starts and ends, with the given masses.
    pub fn lump(
        start: EnclosedPoint,
        end: EnclosedPoint,
        mass: [Interval; 2],
        mean_scores: Interval,
        bend: Interval,
    ) -> Patch {
        let one_class = [0, 1].map(|k| mass[k] == Interval::ZERO);
        let straight = Patch::straight(start, end, mass);
        let all = start.hull(&end);
        let unknown = Series::from(Interval::UNIT);
        let share = match one_class {
            [true, false] | [false, true] => straight.share,
            _ => [unknown; 2],
        };
        let series = |v: [Interval; 2]| v.map(Series::from);
        // Only its sign counts.
        let bend = match (bend == Interval::ZERO, bend.is_positive(), bend.is_negative()) {
            (true, ..) => Interval::ZERO,
            (_, true, _) => Interval::ONE,
            (_, _, true) => -Interval::ONE,
            _ => Interval::new(-1.0, 1.0),
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

    /// The part between two places.
    pub fn part(&self, from: f64, to: f64) -> Patch {
        let one = |s: &Series| s.part(from, to);
        let pair = |s: &[Series; 2]| [s[0].part(from, to), s[1].part(from, to)];
        // Differentials shrink with the part.
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
            bend: one(&self.bend),
            start: if from == -1.0 { self.start } else { start },
            end: if to == 1.0 { self.end } else { end },
            mean_scores: self.mean_scores,
            smooth: self.smooth || from != -1.0,
            tie: self.tie.clone(),
        }
    }

    /// The point at a place.
    pub fn at(&self, u: Interval) -> EnclosedPoint {
        let pair = |s: &[Series; 2]| [s[0].at(u), s[1].at(u)];
        EnclosedPoint { x: pair(&self.x), below: pair(&self.below), above: pair(&self.above) }
    }

    /// The direction at a place.
    pub fn direction(&self, u: Interval) -> [Interval; 2] {
        [0, 1].map(|k| self.share[k].at(u).meet(Interval::UNIT))
    }

    /// The posterior that belongs to the direction at a place, and one minus it.
    pub fn posterior(&self, u: Interval, proportions: [Interval; 2]) -> [Interval; 2] {
        posterior(self.direction(u), proportions)
    }

    /// Whether the direction is known: where it is not, all between the neighbours' is possible.
    pub fn is_directed(&self) -> bool {
        self.motion != PatchMotion::Lump || self.share.iter().all(Series::is_constant)
    }

    /// Which kind of piece of a curve it is; where little is known, it is taken for an arc.
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

    /// The mass of both classes together, at most.
    pub fn most_mass(&self) -> f64 {
        let [a, b] = self.start.towards(&self.end);
        (a + b).hi()
    }
}
