//! The environment and the inputs of a program in exact arithmetic.

use super::super::definition::whole_beta;
use super::super::program::{Algebra, Program};
use super::algebra::DecidableZero;
use crate::model::exact_curve::{ExactArc, ExactCorner, ExactPoint};
use rocproof_arith::{Number, Polynomial, Rational, RationalFunction};

/// A beta density with whole parameters: `scale·c^p·(1-c)^q`.
#[derive(Clone, Debug)]
pub(super) struct WholeBeta {
    powers: [usize; 2],
    scale: Rational,
}

impl WholeBeta {
    /// The density with these parameters; `None` unless both are whole, and not too large.
    pub(super) fn new(parameters: &[Rational; 2]) -> Option<WholeBeta> {
        let (scale, powers) = whole_beta(parameters)?;
        Some(WholeBeta { powers, scale })
    }

    /// The density at `c`, given with `1-c`.
    pub(super) fn at<A: Algebra>(&self, c: &A, complement: &A) -> A {
        let [p, q] = self.powers.map(|p| p as i32);
        A::constant(&self.scale).times(&c.power(p)).times(&complement.power(q))
    }

    /// Its degree as a polynomial in `c`.
    pub(super) fn degree(&self) -> usize {
        self.powers[0] + self.powers[1]
    }
}

/// The values of the names that a program reads besides its inputs.
#[derive(Clone, Debug)]
pub(super) struct ExactEnvironment {
    /// The class proportions.
    pub(super) proportions: [Rational; 2],
    /// The mean operating condition.
    mean: Rational,
    /// The density of operating conditions; `None` unless its parameters are whole.
    pub(super) weight: Option<WholeBeta>,
    /// The scale `[l, h]` of the scores.
    range: [Rational; 2],
}

impl ExactEnvironment {
    /// The environment for class proportions, the parameters `a` and `b` of beta distributed costs, and the scale of the scores.
    pub(super) fn new(
        proportions: [Rational; 2],
        parameters: &[Rational; 2],
        range: &[Rational; 2],
    ) -> ExactEnvironment {
        let [a, b] = parameters;
        ExactEnvironment { proportions, mean: a / (a + b), weight: WholeBeta::new(parameters), range: range.clone() }
    }

    /// The numbers that programs read, in the order of `NUMBERS`.
    fn numbers<A: Algebra>(&self) -> [A; 5] {
        let ([pi0, pi1], [l, h]) = (&self.proportions, &self.range);
        [pi0, pi1, &self.mean, l, h].map(A::constant)
    }

    /// The outputs of a program; `None` where it needs a weight that is not exact, or divides by 0.
    pub(super) fn values<A: Algebra + DecidableZero>(
        &self,
        program: &Program,
        inputs: ExactInputs<A>,
    ) -> Vec<Option<A>> {
        // The program runs in `Option<A>`, where a division by 0 is `None`.
        let weight = |c: &Option<A>, complement: &Option<A>| Some(self.weight.as_ref()?.at(c, complement));
        let (inputs, posterior) = (inputs.inputs.map(Some), inputs.posterior.map(|posterior| posterior.map(Some)));
        let values = program.values(&inputs, &self.numbers(), posterior.as_ref(), weight);
        values.into_iter().map(Option::flatten).collect()
    }

    /// The first output of a program at a point.
    pub(super) fn at(&self, point: &ExactPoint, program: &Program) -> Option<Number> {
        let inputs = ExactInputs::at_rest(point.x.clone(), point.f.clone());
        self.values(program, inputs).into_iter().next().flatten()
    }
}

/// The inputs of a program, in the order of `INPUTS`: `x`, `F0`, `F1` with their complements, `d = [dx, dF0, dF1]` and `q = [q0, q1, dq1]`.
/// The last two inputs, an operating condition and its complement, are read by the literal route only; here they are 0 and 1.
pub(super) fn inputs<A: Algebra>(x: A, [f0, f1]: [A; 2], d: [A; 3], q: [A; 3]) -> [A; 14] {
    let one = A::constant(&Rational::ONE);
    let complements = [&x, &f0, &f1].map(|v| one.minus(v));
    let [not_x, not_f0, not_f1] = complements;
    let ([dx, d0, d1], [q0, q1, dq1]) = (d, q);
    let zero = A::constant(&Rational::ZERO);
    [x, not_x, f0, not_f0, f1, not_f1, dx, d0, d1, q0, q1, dq1, zero, one]
}

/// The inputs of a program at a point, or as functions of a parameter along a piece.
pub(super) struct ExactInputs<A> {
    inputs: [A; 14],
    /// `c`, `1-c` and `dc`, if they are given instead of a direction.
    posterior: Option<[A; 3]>,
}

impl<A: Algebra> ExactInputs<A> {
    /// Inputs from the score, `F0` and `F1`, their differentials, and the direction with its differential.
    fn new(x: A, f: [A; 2], d: [A; 3], q: [A; 3]) -> ExactInputs<A> {
        ExactInputs { inputs: inputs(x, f, d, q), posterior: None }
    }

    /// Inputs at a point where nothing moves.
    fn at_rest(x: A, f: [A; 2]) -> ExactInputs<A> {
        let zeros = || [0; 3].map(|_| A::constant(&Rational::ZERO));
        ExactInputs::new(x, f, zeros(), zeros())
    }

    /// Inputs at a corner: only the posterior moves.
    fn at_turn(x: A, f: [A; 2], c: A, dc: A) -> ExactInputs<A> {
        let complement = A::constant(&Rational::ONE).minus(&c);
        ExactInputs { posterior: Some([c, complement, dc]), ..ExactInputs::at_rest(x, f) }
    }
}

impl ExactInputs<RationalFunction> {
    /// Inputs along an arc, as functions of its parameter.
    pub(super) fn along_arc(arc: &ExactArc) -> ExactInputs<RationalFunction> {
        let f = [0, 1].map(|k| RationalFunction::from(arc.f[k].clone()));
        let d = [arc.x.derivative(), f[0].derivative(), f[1].derivative()];
        // The direction, up to a factor; the shares divide it by its sum.
        let [g0, g1] = &arc.direction;
        let sum = g0 + g1;
        let q1 = RationalFunction::new(g1.clone(), sum.clone());
        let q = [RationalFunction::new(g0.clone(), sum), q1.clone(), q1.derivative()];
        ExactInputs::new(arc.x.clone(), f, d, q)
    }

    /// Inputs along a straight piece, as functions of the parameter `t` from 0 to 1; `None` unless both ends are rational points.
    pub(super) fn along_straight(from: &ExactPoint, to: &ExactPoint) -> Option<ExactInputs<RationalFunction>> {
        let ([x, dx], [f0, d0], [f1, d1]) =
            (linear(&from.x, &to.x)?, linear(&from.f[0], &to.f[0])?, linear(&from.f[1], &to.f[1])?);
        let sum = &d0 + &d1;
        let q = [d0.over(&sum), d1.over(&sum), RationalFunction::constant(Rational::ZERO)];
        Some(ExactInputs::new(x, [f0, f1], [dx, d0, d1], q))
    }

    /// Inputs along a corner; the posterior is linear in the parameter `t` from 0 to 1. `None` unless the point and both posteriors are
    /// rational.
    pub(super) fn along_corner(corner: &ExactCorner) -> Option<ExactInputs<RationalFunction>> {
        let constant = |number: &Number| number.as_rational().cloned().map(RationalFunction::constant);
        let ([from, to], f) = (&corner.posterior, &corner.at.f);
        let [c, dc] = linear(from, to)?;
        Some(ExactInputs::at_turn(constant(&corner.at.x)?, [constant(&f[0])?, constant(&f[1])?], c, dc))
    }
}

/// The linear function of `t` from one number at 0 to another at 1, and its derivative; `None` unless both numbers are rational.
fn linear(from: &Number, to: &Number) -> Option<[RationalFunction; 2]> {
    let (from, to) = (from.as_rational()?, to.as_rational()?);
    let step = to - from;
    Some([RationalFunction::from(Polynomial::linear(from, &step)), RationalFunction::constant(step)])
}

impl ExactInputs<Number> {
    /// Inputs on a corner at the parameter `t` from 0 to 1.
    pub(super) fn on_corner(corner: &ExactCorner, t: &Number) -> ExactInputs<Number> {
        let [from, to] = &corner.posterior;
        let step = to - from;
        ExactInputs::at_turn(corner.at.x.clone(), corner.at.f.clone(), from + &(t * &step), step)
    }
}

/// A straight piece, prepared for evaluation at many points.
pub(super) struct StraightPath<'a> {
    from: &'a ExactPoint,
    /// The increments of the score, `F0` and `F1`.
    increments: [Number; 3],
    /// The shares of both classes in the mass.
    direction: [Number; 2],
}

impl StraightPath<'_> {
    /// The straight piece between two points.
    pub(super) fn new<'a>(from: &'a ExactPoint, to: &ExactPoint) -> StraightPath<'a> {
        let [d0, d1] = from.towards(to);
        let sum = &d0 + &d1;
        let direction = [&d0 / &sum, &d1 / &sum];
        StraightPath { from, increments: [&to.x - &from.x, d0, d1], direction }
    }

    /// Inputs at the parameter `t` from 0 to 1.
    pub(super) fn at(&self, t: &Number) -> ExactInputs<Number> {
        let [dx, d0, d1] = &self.increments;
        let along = |start: &Number, increment: &Number| start + &(t * increment);
        let f = [along(&self.from.f[0], d0), along(&self.from.f[1], d1)];
        let [q0, q1] = self.direction.clone();
        ExactInputs::new(along(&self.from.x, dx), f, self.increments.clone(), [q0, q1, Number::ZERO])
    }
}
