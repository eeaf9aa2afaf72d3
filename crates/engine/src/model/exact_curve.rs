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

/// A direction of the ROC curve: a positive multiple of `[dF0, dF1]`.
pub type Direction = [Number; 2];

/// The sign of the cross product of two directions: 1 if `b` turns from `a` towards class 1, 0 if both are the same, -1 if `b` turns
/// towards class 0. `None` if they are too close to tell.
pub fn turn(a: &Direction, b: &Direction) -> Option<i8> {
    (&(&a[0] * &b[1]) - &(&a[1] * &b[0])).sign()
}

impl ExactPoint {
    /// The increments of `F0` and `F1` from here to another point.
    pub fn towards(&self, other: &ExactPoint) -> Direction {
        [0, 1].map(|k| &other.f[k] - &self.f[k])
    }

    /// The point that divides the segment to another point: `self` at the share 0, `other` at 1.
    pub fn between(&self, other: &ExactPoint, share: &Number) -> ExactPoint {
        let mix = |a: &Number, b: &Number| a + &(share * &(b - a));
        ExactPoint { x: mix(&self.x, &other.x), f: [0, 1].map(|k| mix(&self.f[k], &other.f[k])) }
    }

    /// The predicted positive rate, `π0 F0 + π1 F1`.
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
    /// The direction as coprime polynomials, which are nowhere both 0.
    pub direction: [Polynomial; 2],
}

impl ExactArc {
    /// An arc with parameters in `u`. The distribution functions `f` must not fall, and must not both be constant.
    pub fn new(u: [Rational; 2], x: RationalFunction, f: [Polynomial; 2]) -> ExactArc {
        let slopes = [f[0].derivative(), f[1].derivative()];
        let common = slopes[0].gcd(&slopes[1]);
        let mut direction = slopes.map(|slope| slope.divided_by(&common).0);
        // A negative common divisor reverses the direction. The direction is nowhere 0, so it keeps its sign inside the arc, and one point
        // decides whether it points forward.
        if (&direction[0] + &direction[1]).sign_at(&binary_between(&u[0], &u[1])) < 0 {
            direction = direction.map(|d| -&d);
        }
        ExactArc { u: u.map(Number::from), x, f, direction }
    }

    /// The predicted positive rate `π0 F0 + π1 F1` as a function of the parameter.
    pub fn rate(&self, [pi0, pi1]: &[Rational; 2]) -> Polynomial {
        &self.f[0].scaled(pi0) + &self.f[1].scaled(pi1)
    }

    /// Rationals, close to the ends of the arc, between which all its parameters lie; 0 and 1, which bound every parameter, if the ends
    /// have no such bounds.
    pub fn bounds(&self) -> [Rational; 2] {
        let [lo, hi] = self.u.each_ref().map(|end| end.bounds(64));
        [lo.map_or(Rational::ZERO, |[lo, _]| lo), hi.map_or(Rational::ONE, |[_, hi]| hi)]
    }

    /// Rationals between the ends of the arc and close to them, from enclosures of the ends with `bits` binary digits. `None` if these
    /// enclosures overlap.
    pub fn inner_bounds(&self, bits: usize) -> Option<(Rational, Rational)> {
        let ([_, lo], [hi, _]) = (self.u[0].bounds(bits)?, self.u[1].bounds(bits)?);
        (lo < hi).then_some((lo, hi))
    }

    /// A rational parameter strictly inside the arc; `None` if the ends are too close to find one.
    pub fn inside(&self) -> Option<Rational> {
        const PRECISIONS: [usize; 5] = [64, 128, 256, 512, 1024];
        let bounds = PRECISIONS.into_iter().find_map(|bits| self.inner_bounds(bits));
        bounds.map(|(lo, hi)| binary_between(&lo, &hi))
    }

    /// The point at a parameter.
    pub fn at(&self, u: &Number) -> ExactPoint {
        // `u.through(g)` is `g(u)`.
        let value = |p: &Polynomial| u.through(&RationalFunction::from(p.clone()));
        ExactPoint { x: u.through(&self.x), f: [value(&self.f[0]), value(&self.f[1])] }
    }

    /// The direction at a parameter.
    pub fn direction_at(&self, u: &Number) -> Direction {
        [0, 1].map(|k| u.through(&RationalFunction::from(self.direction[k].clone())))
    }

    /// The cross product `g0 g1' - g1 g0'` of the direction `(g0, g1)` with its derivative: positive where the curve turns towards class 1.
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

    /// The roots of a polynomial strictly inside the arc; `None` if a root is too close to an end of the arc to tell.
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
    /// Score and distribution functions are linear: a gap, an atom, constant densities, or a pooled interval of scores.
    Straight {
        /// The first point.
        from: ExactPoint,
        /// The last point.
        to: ExactPoint,
        /// Whether it is known to be tangent to the arc before its start, and to the arc after its end.
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

    /// Whether the piece is straight and known to be tangent to the arc before it, and to the arc after it.
    pub fn tangent(&self) -> [bool; 2] {
        match self {
            ExactPiece::Straight { tangent, .. } => *tangent,
            ExactPiece::Arc(_) => [false; 2],
        }
    }

    /// The kind of the piece. A straight piece on which both mass and score move is an arc.
    pub fn kind(&self) -> Piece {
        match self {
            ExactPiece::Arc(_) => Piece::Arc,
            straight if !straight.has_mass() => Piece::Gap,
            ExactPiece::Straight { from, to, .. } if (&to.x - &from.x).is_zero() => Piece::Tie,
            ExactPiece::Straight { .. } => Piece::Arc,
        }
    }

    /// Whether only one class has mass on the piece.
    fn is_pure(&self) -> bool {
        match self {
            ExactPiece::Arc(arc) => arc.direction.iter().any(Polynomial::is_zero),
            ExactPiece::Straight { from, to, .. } => from.towards(to).iter().any(Number::is_zero),
        }
    }

    /// Whether the piece carries mass of either class.
    pub fn has_mass(&self) -> bool {
        match self {
            ExactPiece::Arc(_) => true,
            ExactPiece::Straight { from, to, .. } => !from.towards(to).iter().all(Number::is_zero),
        }
    }

    /// The direction at the start and at the end; `[0, 0]` for a gap.
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

/// The error of an exact computation on a curve: two numbers were too close to tell which is larger.
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
    /// The curve of the densities of class 0 and class 1.
    pub fn new(densities: [&Piecewise; 2]) -> ExactCurve {
        let breakpoints = densities.iter().flat_map(|density| {
            let ends = density.pieces.iter().flat_map(|piece| [&piece.lo, &piece.hi]);
            ends.chain(density.atoms.iter().map(|(at, _)| at))
        });
        // The curve is cut at the knots: all breakpoints and the ends of the range.
        let mut knots: BTreeSet<Rational> = breakpoints.cloned().collect();
        let [first, last] = [knots.first(), knots.last()].map(|end| end.cloned().unwrap_or(Rational::ZERO));
        let unit = [Rational::ZERO, Rational::ONE];
        let range = if unit[0] <= first && last <= unit[1] { unit } else { [first, last] };
        knots.extend(range.iter().cloned());

        let mut builder = Builder::new(densities);
        let mut previous: Option<Rational> = None;
        for knot in knots {
            if let Some(from) = previous {
                builder.add_interval(&from, &knot);
            }
            builder.add_atoms(&knot);
            previous = Some(knot);
        }
        ExactCurve { pieces: builder.pieces, range }
    }

    /// The ROC curve of chance: one straight piece on which the score and both distribution functions run from 0 to 1.
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

    /// Which kinds of pieces the curve has, so that integrands are restricted to these only. Corners are always included.
    pub fn kinds(&self) -> Pieces {
        let has = |piece: Piece| self.pieces.iter().any(|own| own.kind() == piece);
        let pure = self.massive().any(|(_, piece)| piece.is_pure());
        Pieces { ties: has(Piece::Tie), gaps: has(Piece::Gap), corners: true, pure }
    }

    /// The point of the threshold `t`: the last one whose score is at most `t`, so that atoms at `t` lie below it.
    pub fn at_score(&self, t: &Rational) -> Result<ExactPoint, Undecided> {
        let target = Number::from(t.clone());
        // The point for a threshold below all scores; each piece that starts at or below `t` moves it on.
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
                let residual = &arc.x - &RationalFunction::constant(t.clone());
                arc.at(&root_along(arc, &residual)?)
            } else {
                let share = &(&target - &start.x) / &(&end.x - &start.x);
                start.between(&end, &share)
            };
        }
        Ok(point)
    }

    /// The first point at which the predicted positive rate is `r`: inside an atom where the rate jumps past `r`.
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
                let residual = RationalFunction::from(&arc.rate(proportions) - &Polynomial::constant(r.clone()));
                return Ok(arc.at(&root_along(arc, &residual)?));
            }
            let (first, last) = (start.rate(proportions), end.rate(proportions));
            let share = &(&target - &first) / &(&last - &first);
            return Ok(start.between(&end, &share));
        }
        self.pieces.last().map(ExactPiece::end).ok_or(Undecided)
    }

    /// The corners of the ROC curve: between two pieces with mass whose directions differ, and at both ends, where the posterior starts
    /// from 0 (direction `[1, 0]`) and reaches 1 (direction `[0, 1]`).
    pub fn corners(&self, proportions: &[Rational; 2]) -> Result<Vec<ExactCorner>, Undecided> {
        let mut corners = Vec::new();
        // The direction at the end of the last piece, and whether that piece is tangent to the next one. There is no corner at a tangency;
        // comparing the directions there would be undecided, because they are equal.
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

/// Builds the pieces of a curve from left to right, between consecutive knots.
struct Builder<'a> {
    /// The densities of the two classes.
    densities: [&'a Piecewise; 2],
    /// For each class, the index of the first polynomial piece that does not end before the current knot.
    next_piece: [usize; 2],
    /// For each class, the index of the first atom that was not passed yet.
    next_atom: [usize; 2],
    /// `F0` and `F1` at the end of the last piece.
    below: [Rational; 2],
    /// The pieces so far.
    pieces: Vec<ExactPiece>,
}

impl<'a> Builder<'a> {
    /// A builder that has made no pieces yet.
    fn new(densities: [&'a Piecewise; 2]) -> Builder<'a> {
        let below = [Rational::ZERO, Rational::ZERO];
        Builder { densities, next_piece: [0; 2], next_atom: [0; 2], below, pieces: Vec::new() }
    }

    /// The point at the score `x` with the current `F0` and `F1`.
    fn point(&self, x: &Rational) -> ExactPoint {
        ExactPoint { x: Number::from(x.clone()), f: self.below.each_ref().map(|f| Number::from(f.clone())) }
    }

    /// The polynomials of both densities on the interval that starts at the knot `from`; 0 where a class has no mass.
    fn polynomials_from(&mut self, from: &Rational) -> [Polynomial; 2] {
        [0, 1].map(|class| {
            let (pieces, next) = (&self.densities[class].pieces, &mut self.next_piece[class]);
            while pieces.get(*next).is_some_and(|piece| piece.hi <= *from) {
                *next += 1;
            }
            let piece = pieces.get(*next).filter(|piece| piece.lo <= *from);
            piece.map_or_else(Polynomial::zero, |piece| piece.density.clone())
        })
    }

    /// Adds the piece between two neighbouring knots: a straight one if both densities are constant, perhaps 0, else an arc.
    fn add_interval(&mut self, from: &Rational, to: &Rational) {
        let densities = self.polynomials_from(from);
        let width = to - from;
        if densities.iter().all(Polynomial::is_constant) {
            let start = self.point(from);
            self.below = [0, 1].map(|class| &self.below[class] + densities[class].coefficient(0) * &width);
            self.pieces.push(ExactPiece::straight(start, self.point(to)));
            return;
        }
        // The score is `from + width·u` with the parameter `u` in [0, 1], which keeps numbers small on short intervals.
        let distribution_functions: [Polynomial; 2] = std::array::from_fn(|class| {
            // dF/du = width·f(from + width·u).
            let mass_rate = densities[class].shifted(from).stretched(&width).scaled(&width);
            &mass_rate.antiderivative() + &Polynomial::constant(self.below[class].clone())
        });
        self.below = [0, 1].map(|class| distribution_functions[class].at(&Rational::ONE));
        let x = RationalFunction::from(Polynomial::linear(from, &width));
        self.pieces.push(ExactPiece::Arc(ExactArc::new([Rational::ZERO, Rational::ONE], x, distribution_functions)));
    }

    /// Adds a tie for the atoms at a knot, if there are any.
    fn add_atoms(&mut self, knot: &Rational) {
        let start = self.point(knot);
        let before = self.below.clone();
        for class in [0, 1] {
            let next = &mut self.next_atom[class];
            if let Some((_, mass)) = self.densities[class].atoms.get(*next).filter(|(at, _)| at == knot) {
                self.below[class] = &self.below[class] + mass;
                *next += 1;
            }
        }
        if self.below != before {
            self.pieces.push(ExactPiece::straight(start, self.point(knot)));
        }
    }
}

/// The posterior at a direction: `π1 dF1 / (π0 dF0 + π1 dF1)`.
pub fn posterior(direction: &Direction, [pi0, pi1]: &[Rational; 2]) -> Number {
    let [rate0, rate1] = [(pi0, &direction[0]), (pi1, &direction[1])].map(|(p, d)| &Number::from(p.clone()) * d);
    &rate1 / &(&rate0 + &rate1)
}

/// The parameter inside an arc at which `residual` is 0. The residual must rise along the arc from below 0 to above 0.
fn root_along(arc: &ExactArc, residual: &RationalFunction) -> Result<Number, Undecided> {
    let roots = arc.roots_inside(residual.numerator()).ok_or(Undecided)?;
    roots.into_iter().next().ok_or(Undecided)
}
