//! Running error analysis: values with first-order bounds on the effect of rounding and of inexact inputs. It bounds the errors of
//! expressions that a user typed, for which there is no analysis by hand.

use super::program::{Algebra, Environment, INPUTS, Program};
use crate::calculus::panel::{Motion, Panel, Point};
use rocproof_arith::rational::{self, Rational};

/// A value with a bound on its error.
#[derive(Clone, Copy, Debug)]
pub(super) struct WithError {
    pub(super) value: f64,
    pub(super) error: f64,
}

/// Relative error of an input: it is rounded a few times before it is read.
const ROUNDED: f64 = 4.0 * f64::EPSILON;

impl WithError {
    /// The rounded result of an operation; `error` is the effect of the errors of its operands.
    fn new(value: f64, error: f64) -> WithError {
        WithError { value, error: error + f64::EPSILON * value.abs() }
    }

    /// An input with this relative error, and rounding.
    fn input(value: f64, relative: f64) -> WithError {
        WithError { value, error: (relative + ROUNDED) * value.abs() }
    }
}

impl Algebra for WithError {
    fn constant(value: &Rational) -> WithError {
        WithError::new(rational::to_f64(value), 0.0)
    }
    fn plus(&self, other: &WithError) -> WithError {
        WithError::new(self.value + other.value, self.error + other.error)
    }
    fn minus(&self, other: &WithError) -> WithError {
        WithError::new(self.value - other.value, self.error + other.error)
    }
    /// The errors of a product: `|a|·db + |b|·da + da·db`.
    fn times(&self, other: &WithError) -> WithError {
        let error = self.value.abs() * other.error + other.value.abs() * self.error + self.error * other.error;
        WithError::new(self.value * other.value, error)
    }
    /// The quotient; its error is infinite if the divisor may be 0.
    fn over(&self, other: &WithError) -> WithError {
        // Programs take 0/0 as 0 at single nodes.
        if self.value == 0.0 {
            return *self;
        }
        let (value, least_divisor) = (self.value / other.value, other.value.abs() - other.error);
        let error =
            if least_divisor > 0.0 { (self.error + value.abs() * other.error) / least_divisor } else { f64::INFINITY };
        WithError::new(value, error)
    }
    /// A whole power; negative ones are quotients.
    fn power(&self, exponent: i32) -> WithError {
        match exponent {
            0 => WithError { value: 1.0, error: 0.0 },
            n if n < 0 => WithError { value: 1.0, error: 0.0 }.over(&self.power(n.checked_neg().unwrap_or(i32::MAX))),
            n => {
                // |a^n - b^n| <= n |a - b| max(|a|, |b|)^(n-1).
                let slope = f64::from(n) * (self.value.abs() + self.error).powi(n - 1);
                WithError::new(
                    self.value.powi(n),
                    slope * self.error + f64::from(n) * f64::EPSILON * self.value.powi(n).abs(),
                )
            }
        }
    }
}

/// Bounds on the errors of a sampled curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveErrors {
    /// A bound on the relative error of `F0`, `F1` and their differentials at nodes; on the absolute error at single points.
    pub(super) mass: f64,
    /// A bound on the absolute error of scores.
    pub(super) score: f64,
}

/// The density of operating conditions at an inexact condition.
fn weight(environment: &Environment, c: &WithError, complement: &WithError) -> WithError {
    let cost = environment.cost;
    let value = cost.density(c.value, complement.value);
    if cost.is_uniform() {
        return WithError { value, error: 0.0 };
    }
    // w is c^p (1-c)^q up to a factor. The power of a base adds |power| times the relative error of the base.
    let [p, q] = cost.exponents().map(|exponent| (exponent - 1.0).abs());
    let relative =
        |power: f64, base: &WithError| if power == 0.0 { 0.0 } else { power * base.error / base.value.abs() };
    WithError { value, error: value * (relative(p, c) + relative(q, complement) + cost.rounding()) }
}

/// The outputs of a program at node `i` of a panel, with error bounds. With `mass_only` the differentials of score and direction are 0.
pub(super) fn at_node(
    program: &Program,
    panel: &Panel,
    i: usize,
    environment: &Environment,
    errors: CurveErrors,
    mass_only: bool,
) -> Vec<WithError> {
    let zero = WithError { value: 0.0, error: 0.0 };
    let mass = |value: f64| WithError::input(value, errors.mass);
    let score = |value: f64| WithError { value, error: errors.score + ROUNDED * value.abs() };
    let share = |k: usize| match panel.motion {
        Motion::Gap => zero,
        _ => WithError { value: panel.share[k][i], error: panel.noise + ROUNDED * panel.share[k][i] },
    };
    let unless_mass_only = |differential: WithError| if mass_only { zero } else { differential };
    let rate = |k: usize| if panel.has_mass() { mass(panel.rate[k][i]) } else { zero };
    // In the order of `INPUTS`; the literal route's operating condition is not read.
    let inputs = [
        score(panel.x[i]),
        score(panel.x_complement[i]),
        mass(panel.below[0][i]),
        mass(panel.above[0][i]),
        mass(panel.below[1][i]),
        mass(panel.above[1][i]),
        unless_mass_only(WithError::input(panel.dx[i], errors.score)),
        rate(0),
        rate(1),
        share(0),
        share(1),
        unless_mass_only(WithError::input(panel.turn[i], panel.noise)),
        zero,
        zero,
    ];
    values(program, &inputs, environment)
}

/// The first output of a program at a point. Here `errors.mass` bounds the absolute error of `F0` and `F1`.
pub(super) fn at_point(
    program: &Program,
    point: &Point,
    environment: &Environment,
    errors: CurveErrors,
) -> Option<WithError> {
    let with_error = |value: f64, error: f64| WithError { value, error: error + ROUNDED * value.abs() };
    let mass = |value: f64| with_error(value, errors.mass);
    let score = |value: f64| with_error(value, errors.score);
    // Differentials and direction are 0.
    let mut inputs = [WithError { value: 0.0, error: 0.0 }; INPUTS.len()];
    inputs[..6].copy_from_slice(&[
        score(point.x),
        score(point.x_complement),
        mass(point.below[0]),
        mass(point.above[0]),
        mass(point.below[1]),
        mass(point.above[1]),
    ]);
    values(program, &inputs, environment).into_iter().next()
}

/// The outputs of a program; those without a value have an infinite error.
fn values(program: &Program, inputs: &[WithError; INPUTS.len()], environment: &Environment) -> Vec<WithError> {
    let numbers = environment.numbers().map(|number| WithError::input(number, 0.0));
    let no_value = WithError { value: f64::NAN, error: f64::INFINITY };
    let outputs = program.values(inputs, &numbers, None, |c, complement| Some(weight(environment, c, complement)));
    outputs.into_iter().map(|value| value.unwrap_or(no_value)).collect()
}
