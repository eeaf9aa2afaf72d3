//! The curve of a model at the exact level: polynomial arcs, and straight pieces between exact points.

use super::piecewise::Piecewise;
use rocproof_arith::roots::{binary_between, real_roots};
use rocproof_arith::{Number, Polynomial, Rational, RationalFunction};
use rocproof_language::meaning::{Piece, Pieces};
use std::collections::BTreeSet;

/// A point of a curve.
#[derive(Clone, Debug)]
pub struct ExactPoint {
    /// The score.
    pub x: Number,
    /// `F0` and `F1`.
    pub f: [Number; 2],
}

/// A direction of the ROC curve: multiples of `dF0` and `dF1`.
pub type Direction = [Number; 2];

/// Whether the direction `b` turns towards class 1 from `a` (1), is the same (0), or turns back (-1); `None` if too close to
/// tell.
pub fn turn(a: &Direction, b: &Direction) -> Option<i8> {
    (&(&a[0] * &b[1]) - &(&a[1] * &b[0])).sign()
}

impl ExactPoint {
    /// The displacement from here to another point.
    pub fn towards(&self, other: &ExactPoint) -> Direction {
        [0, 1].map(|k| &other.f[k] - &self.f[k])
    }

    /// The point at a share (0 to 1) of the segment to another point.
    pub fn between(&self, other: &ExactPoint, share: &Number) -> ExactPoint {
        let mix = |a: &Number, b: &Number| a + &(share * &(b - a));
        ExactPoint { x: mix(&self.x, &other.x), f: [0, 1].map(|k| mix(&self.f[k], &other.f[k])) }
    }

    /// The predicted positive rate.
    pub fn rate(&self, [pi0, pi1]: &[Rational; 2]) -> Number {
        &(&Number::from(pi0.clone()) * &self.f[0]) + &(&Number::from(pi1.clone()) * &self.f[1])
    }
}

/// An arc: score and distribution functions as functions of a parameter.
#[derive(Clone, Debug)]
pub struct ExactArc {
    /// The parameter at both ends.
    pub u: [Number; 2],
    /// The score.
    pub x: RationalFunction,
    /// `F0` and `F1`.
    pub f: [Polynomial; 2],
    /// The direction as coprime polynomials: it is never 0.
    pub direction: [Polynomial; 2],
}

impl ExactArc {
    /// An arc on which the distribution functions are not both constant.
    pub fn new(u: [Rational; 2], x: RationalFunction, f: [Polynomial; 2]) -> ExactArc {
        let slopes = [f[0].derivative(), f[1].derivative()];
        let common = slopes[0].gcd(&slopes[1]);
        let mut direction = slopes.map(|slope| slope.divided_by(&common).0);
        // The direction is nowhere 0, so it points forward everywhere inside if it does at one point.
        if (&direction[0] + &direction[1]).sign_at(&binary_between(&u[0], &u[1])) < 0 {
            direction = direction.map(|d| -&d);
        }
        ExactArc { u: u.map(Number::from), x, f, direction }
    }

    /// The predicted positive rate.
    pub fn rate(&self, [pi0, pi1]: &[Rational; 2]) -> Polynomial {
        &self.f[0].scaled(pi0) + &self.f[1].scaled(pi1)
    }

    /// Rationals between which the parameters lie, close to them.
    pub fn bounds(&self) -> [Rational; 2] {
        let [lo, hi] = self.u.each_ref().map(|end| end.bounds(64));
        [lo.map_or(Rational::ZERO, |[lo, _]| lo), hi.map_or(Rational::ONE, |[_, hi]| hi)]
    }

    /// Rationals between the ends, close to them; `None` if the ends do not differ in the given number of binary digits.
    pub fn inner_bounds(&self, bits: usize) -> Option<(Rational, Rational)> {
        let ([_, lo], [hi, _]) = (self.u[0].bounds(bits)?, self.u[1].bounds(bits)?);
        (lo < hi).then_some((lo, hi))
    }

    /// A rational parameter inside; `None` if the ends are too close to find one.
    pub fn inside(&self) -> Option<Rational> {
        let bounds = [64, 128, 256, 512, 1024].into_iter().find_map(|bits| self.inner_bounds(bits));
        bounds.map(|(lo, hi)| binary_between(&lo, &hi))
    }

    /// The point at a parameter.
    pub fn at(&self, u: &Number) -> ExactPoint {
        let through = |p: &Polynomial| u.through(&RationalFunction::from(p.clone()));
        ExactPoint { x: u.through(&self.x), f: [through(&self.f[0]), through(&self.f[1])] }
    }

    /// The direction at a parameter.
    pub fn direction_at(&self, u: &Number) -> Direction {
        [0, 1].map(|k| u.through(&RationalFunction::from(self.direction[k].clone())))
    }

    /// How the direction turns: positive where it turns towards class 1.
    pub fn turning(&self) -> Polynomial {
        let [g0, g1] = &self.direction;
        &(g0 * &g1.derivative()) - &(g1 * &g0.derivative())
    }

    /// Whether the direction is the same everywhere.
    pub fn is_straight(&self) -> bool {
        self.direction.iter().all(Polynomial::is_constant)
    }

    /// The part of the arc between two parameters.
    pub fn part(&self, lo: &Number, hi: &Number) -> ExactArc {
        ExactArc { u: [lo.clone(), hi.clone()], ..self.clone() }
    }

    /// The roots of a polynomial strictly inside; `None` if one is too close to an end to tell.
    pub fn roots_inside(&self, polynomial: &Polynomial) -> Option<Vec<Number>> {
        let [lo, hi] = self.bounds();
        let mut inside = Vec::new();
        for root in real_roots(polynomial, &lo, &hi) {
            let root = Number::from(&root);
            if (&root - &self.u[0]).sign()? > 0 && (&self.u[1] - &root).sign()? > 0 {
                inside.push(root);
            }
        }
        Some(inside)
    }
}

/// A piece of a curve.
#[derive(Clone, Debug)]
pub enum ExactPiece {
    /// A density on an interval.
    Arc(ExactArc),
    /// Everything moves along a straight line: a gap, an atom, a pooled interval.
    Straight {
        /// The first point.
        from: ExactPoint,
        /// The last point.
        to: ExactPoint,
        /// Whether it is tangent, at either end, to the arc there.
        tangent: [bool; 2],
    },
}

impl ExactPiece {
    /// A straight piece.
    pub fn straight(from: ExactPoint, to: ExactPoint) -> ExactPiece {
        ExactPiece::Straight { from, to, tangent: [false; 2] }
    }

    /// The first point.
    pub fn start(&self) -> ExactPoint {
        match self {
            ExactPiece::Arc(arc) => arc.at(&arc.u[0]),
            ExactPiece::Straight { from, .. } => from.clone(),
        }
    }

    /// The last point.
    pub fn end(&self) -> ExactPoint {
        match self {
            ExactPiece::Arc(arc) => arc.at(&arc.u[1]),
            ExactPiece::Straight { to, .. } => to.clone(),
        }
    }

    /// Whether it is a straight piece that is known to be tangent to the arc before it, and to the arc after it.
    pub fn tangent(&self) -> [bool; 2] {
        match self {
            ExactPiece::Straight { tangent, .. } => *tangent,
            ExactPiece::Arc(_) => [false; 2],
        }
    }

    /// Which kind of piece of a curve it is.
    pub fn kind(&self) -> Piece {
        match self {
            ExactPiece::Arc(_) => Piece::Arc,
            straight if !straight.has_mass() => Piece::Gap,
            ExactPiece::Straight { from, to, .. } if (&to.x - &from.x).is_zero() => Piece::Tie,
            ExactPiece::Straight { .. } => Piece::Arc,
        }
    }

    /// Whether one class is alone on it.
    fn is_pure(&self) -> bool {
        match self {
            ExactPiece::Arc(arc) => arc.direction.iter().any(Polynomial::is_zero),
            ExactPiece::Straight { from, to, .. } => from.towards(to).iter().any(Number::is_zero),
        }
    }

    /// Whether it carries mass.
    pub fn has_mass(&self) -> bool {
        match self {
            ExactPiece::Arc(_) => true,
            ExactPiece::Straight { from, to, .. } => !from.towards(to).iter().all(Number::is_zero),
        }
    }

    /// The direction at the start and at the end; 0 for a gap.
    pub fn directions(&self) -> [Direction; 2] {
        match self {
            ExactPiece::Arc(arc) => [arc.direction_at(&arc.u[0]), arc.direction_at(&arc.u[1])],
            ExactPiece::Straight { from, to, .. } => [from.towards(to), from.towards(to)],
        }
    }
}

/// A corner of the ROC curve: the posterior changes there, while the score and both distribution functions do not.
#[derive(Clone, Debug)]
pub struct ExactCorner {
    /// The index of the piece after the corner.
    pub before: usize,
    /// The point.
    pub at: ExactPoint,
    /// The posterior before and after.
    pub posterior: [Number; 2],
}

/// A curve that could not be followed exactly: two numbers were too close to tell which is larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecided;

/// A model's curve at the exact level.
#[derive(Clone, Debug)]
pub struct ExactCurve {
    /// The pieces, in order.
    pub pieces: Vec<ExactPiece>,
    /// The scale of the scores: [0, 1] if they all lie in it, else the support.
    pub range: [Rational; 2],
}

impl ExactCurve {
    /// The curve of two densities.
    pub fn new(densities: [&Piecewise; 2]) -> ExactCurve {
        let ends = densities.iter().flat_map(|d| {
            let ends = d.pieces.iter().flat_map(|p| [&p.lo, &p.hi]);
            ends.chain(d.atoms.iter().map(|(at, _)| at))
        });
        let mut places: BTreeSet<Rational> = ends.cloned().collect();
        let [first, last] = [places.first(), places.last()].map(|end| end.cloned().unwrap_or(Rational::ZERO));
        let unit = [Rational::ZERO, Rational::ONE];
        let range = if unit[0] <= first && last <= unit[1] { unit } else { [first, last] };
        places.extend(range.iter().cloned());

        let mut pieces = Vec::new();
        let mut below = [Rational::ZERO, Rational::ZERO];
        let point = |x: &Rational, below: &[Rational; 2]| ExactPoint {
            x: Number::from(x.clone()),
            f: [0, 1].map(|k| Number::from(below[k].clone())),
        };
        // The index of the next piece and of the next atom, by class.
        let mut next = [(0, 0); 2];
        let mut previous: Option<Rational> = None;
        for to in places {
            if let Some(from) = previous {
                // The polynomials on this interval, if any.
                let mut f = [Polynomial::zero(), Polynomial::zero()];
                for class in [0, 1] {
                    let (piece, _) = &mut next[class];
                    while densities[class].pieces.get(*piece).is_some_and(|p| p.hi <= from) {
                        *piece += 1;
                    }
                    if let Some(p) = densities[class].pieces.get(*piece).filter(|p| p.lo <= from) {
                        f[class] = p.density.clone();
                    }
                }
                if f.iter().all(Polynomial::is_constant) {
                    // Constant densities, perhaps 0, make a straight piece.
                    let (start, width) = (point(&from, &below), &to - &from);
                    below = [0, 1].map(|class| &below[class] + f[class].coefficient(0) * &width);
                    pieces.push(ExactPiece::straight(start, point(&to, &below)));
                } else {
                    // The parameter runs from 0 to 1: numbers stay small on short intervals, too.
                    let width = &to - &from;
                    let cumulative: [Polynomial; 2] = std::array::from_fn(|class| {
                        let local = f[class].shifted(&from).stretched(&width).scaled(&width);
                        &local.antiderivative() + &Polynomial::constant(below[class].clone())
                    });
                    below = [0, 1].map(|class| cumulative[class].at(&Rational::ONE));
                    let x = RationalFunction::from(Polynomial::linear(&from, &width));
                    pieces.push(ExactPiece::Arc(ExactArc::new([Rational::ZERO, Rational::ONE], x, cumulative)));
                }
            }
            let start = below.clone();
            for class in [0, 1] {
                let (_, atom) = &mut next[class];
                if let Some((_, mass)) = densities[class].atoms.get(*atom).filter(|(at, _)| *at == to) {
                    below[class] = &below[class] + mass;
                    *atom += 1;
                }
            }
            if start != below {
                pieces.push(ExactPiece::straight(point(&to, &start), point(&to, &below)));
            }
            previous = Some(to);
        }
        ExactCurve { pieces, range }
    }

    /// The ROC curve of chance.
    pub fn diagonal() -> ExactCurve {
        let point = |v: Number| ExactPoint { x: v.clone(), f: [v.clone(), v] };
        ExactCurve {
            pieces: vec![ExactPiece::straight(point(Number::ZERO), point(Number::ONE))],
            range: [Rational::ZERO, Rational::ONE],
        }
    }

    /// The pieces that carry mass, with their indices.
    pub fn massive(&self) -> impl Iterator<Item = (usize, &ExactPiece)> {
        self.pieces.iter().enumerate().filter(|(_, p)| p.has_mass())
    }

    /// The kinds of pieces of the curve.
    pub fn kinds(&self) -> Pieces {
        let has = |piece: Piece| self.pieces.iter().any(|known| known.kind() == piece);
        let pure = self.massive().any(|(_, piece)| piece.is_pure());
        Pieces { ties: has(Piece::Tie), gaps: has(Piece::Gap), corners: true, pure }
    }

    /// The last point whose score is at most `t`: what the threshold `t` selects.
    pub fn at_score(&self, t: &Rational) -> Result<ExactPoint, Undecided> {
        let target = Number::from(t.clone());
        let mut point = ExactPoint { x: target.clone(), f: [Number::ZERO, Number::ZERO] };
        for piece in &self.pieces {
            let (start, end) = (piece.start(), piece.end());
            if (&start.x - &target).sign().ok_or(Undecided)? > 0 {
                break;
            }
            point = if (&end.x - &target).sign().ok_or(Undecided)? <= 0 {
                end
            } else if (&start.x - &target).sign() == Some(0) {
                start
            } else if let ExactPiece::Arc(arc) = piece {
                let level = &arc.x - &RationalFunction::constant(t.clone());
                arc.at(&root_along(arc, &level)?)
            } else {
                let share = &(&target - &start.x) / &(&end.x - &start.x);
                start.between(&end, &share)
            };
        }
        Ok(point)
    }

    /// The point where the predicted positive rate is `r`: on the way through an atom if need be.
    pub fn at_rate(&self, r: &Rational, proportions: &[Rational; 2]) -> Result<ExactPoint, Undecided> {
        let target = Number::from(r.clone());
        for (_, piece) in self.massive() {
            let (start, end) = (piece.start(), piece.end());
            if (&end.rate(proportions) - &target).sign().ok_or(Undecided)? < 0 {
                continue;
            }
            if (&start.rate(proportions) - &target).sign().ok_or(Undecided)? >= 0 {
                return Ok(start);
            }
            if let ExactPiece::Arc(arc) = piece {
                if (&end.rate(proportions) - &target).sign() == Some(0) {
                    return Ok(end);
                }
                let level = RationalFunction::from(&arc.rate(proportions) - &Polynomial::constant(r.clone()));
                return Ok(arc.at(&root_along(arc, &level)?));
            }
            let (a, b) = (start.rate(proportions), end.rate(proportions));
            return Ok(start.between(&end, &(&(&target - &a) / &(&b - &a))));
        }
        self.pieces.last().map(ExactPiece::end).ok_or(Undecided)
    }

    /// The corners of the ROC curve: between two massive pieces whose directions differ, and at both ends.
    pub fn corners(&self, proportions: &[Rational; 2]) -> Result<Vec<ExactCorner>, Undecided> {
        let mut corners = Vec::new();
        // The direction at the end of the last piece, and whether that is tangent to the next one.
        let (mut direction, mut is_tangent): (Direction, bool) = ([Number::ONE, Number::ZERO], false);
        let mut add_if_turned = |before: usize, at: ExactPoint, from: &Direction, to: &Direction| {
            if turn(from, to).ok_or(Undecided)? != 0 {
                let posterior = [from, to].map(|d| posterior(d, proportions));
                corners.push(ExactCorner { before, at, posterior });
            }
            Ok(())
        };
        for (index, piece) in self.massive() {
            let [start, end] = piece.directions();
            let tangent = piece.tangent();
            if !(tangent[0] || is_tangent) {
                add_if_turned(index, piece.start(), &direction, &start)?;
            }
            (direction, is_tangent) = (end, tangent[1]);
        }
        let end = self.pieces.last().map(ExactPiece::end).ok_or(Undecided)?;
        add_if_turned(self.pieces.len(), end, &direction, &[Number::ZERO, Number::ONE])?;
        Ok(corners)
    }
}

/// The posterior at a direction: `π1 dF1 / (π0 dF0 + π1 dF1)`.
pub fn posterior(direction: &Direction, [pi0, pi1]: &[Rational; 2]) -> Number {
    let [rate0, rate1] = [(pi0, &direction[0]), (pi1, &direction[1])].map(|(p, d)| &Number::from(p.clone()) * d);
    &rate1 / &(&rate0 + &rate1)
}

/// The parameter inside an arc at which a function that grows along it is 0.
fn root_along(arc: &ExactArc, level: &RationalFunction) -> Result<Number, Undecided> {
    let roots = arc.roots_inside(level.numerator()).ok_or(Undecided)?;
    roots.into_iter().next().ok_or(Undecided)
}
