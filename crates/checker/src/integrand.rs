//! Integrands as fractions of the coordinates, with every divisor checked.
//!
//! A fraction in lowest terms forgets where it was `0/0`: `dF1/c` becomes `dR/π1`, which is right only where `c` is not 0. So a divisor is
//! accepted only if it is not 0 anywhere on the piece: a class proportion, the length of the scale of scores, the differential of a
//! coordinate that moves, or an expression that is positive for every posterior.

use crate::lower::Unsupported;
use crate::rules::factor::signs;
use crate::symbol::Symbol;
use rocproof_algebra::{Fraction, Multinomial, Rational};
use rocproof_language::definition::{Beta, LOSS, whole_beta};
use rocproof_language::meaning::{Piece, vocabulary};
use rocproof_language::{Expr, Kind, Op, Source, parse};

/// The values of the names in an integrand, on a piece or at a point of a curve.
#[derive(Clone, Debug)]
pub(crate) struct IntegrandScope {
    /// The kind of piece; `None` at a point.
    pub piece: Option<Piece>,
    /// The score, `F0` and `F1`.
    pub at: [Fraction; 3],
    /// `dx`, `dF0` and `dF1`.
    pub differentials: [Fraction; 3],
    /// The direction `q0`, `q1`, and the differential `dq1`.
    pub direction: [Fraction; 3],
    /// The class proportions.
    pub proportions: [Fraction; 2],
    /// The scale of the scores.
    pub range: [Fraction; 2],
    /// The distribution of operating conditions; `None` if it is unknown.
    pub weight: Option<Beta>,
}

/// A fraction, and whether it is known to be nonzero everywhere on the piece.
#[derive(Clone, Debug)]
struct CheckedFraction {
    value: Fraction,
    never_zero: bool,
}

/// The largest number of terms of a power. It bounds time and memory.
const MOST_TERMS: u32 = 20_000;

/// The cost proportion inside `Q(…)`; `None` outside.
type Cost<'a> = Option<&'a Fraction>;

impl IntegrandScope {
    /// Evaluates an integrand, or an expression at a point. Fails if a divisor may be 0.
    pub(crate) fn read(&self, expr: &Expr) -> Result<Fraction, Unsupported> {
        Ok(self.evaluate(expr, None)?.value)
    }

    /// A value, with the result of [`IntegrandScope::never_zero`].
    fn checked(&self, value: Fraction) -> CheckedFraction {
        CheckedFraction { never_zero: self.never_zero(&value), value }
    }

    /// The value of a product or a quotient. It is nonzero if both operands are.
    fn product(&self, value: Fraction, operands: [&CheckedFraction; 2]) -> CheckedFraction {
        CheckedFraction {
            never_zero: operands.iter().all(|operand| operand.never_zero) || self.never_zero(&value),
            value,
        }
    }

    /// Evaluates an expression and checks its divisors. Inside `Q(…)`, `c` is the cost proportion `cost`.
    fn evaluate(&self, expr: &Expr, cost: Cost) -> Result<CheckedFraction, Unsupported> {
        match &expr.kind {
            Kind::Number(value) => Ok(self.checked(Fraction::constant(value.clone()))),
            Kind::Name(name) => self.name(name, cost),
            Kind::Negate(inner) => {
                let inner = self.evaluate(inner, cost)?;
                Ok(CheckedFraction { value: -inner.value, ..inner })
            }
            Kind::Binary(Op::Pow, base, exponent) => self.power(base, exponent, cost),
            Kind::Binary(op, left, right) => {
                let (l, r) = (self.evaluate(left, cost)?, self.evaluate(right, cost)?);
                Ok(match op {
                    Op::Add => self.checked(&l.value + &r.value),
                    Op::Sub => self.checked(&l.value - &r.value),
                    Op::Mul => self.product(&l.value * &r.value, [&l, &r]),
                    _ => {
                        check_divisor(&r)?;
                        let quotient = l.value.over(&r.value);
                        self.product(quotient.ok_or_else(|| Unsupported::new("it divides by zero"))?, [&l, &r])
                    }
                })
            }
            Kind::Call(name, _, arguments) => {
                let ([argument], "Q" | "w") = (arguments.as_slice(), name.as_str()) else {
                    return Err(Unsupported::new(format!("`{name}` is not understood in an integrand")));
                };
                let argument = self.evaluate(argument, cost)?.value;
                if name == "w" {
                    Ok(self.checked(self.weight_at(&argument)?))
                } else {
                    self.evaluate_definition(LOSS, Some(&argument))
                }
            }
            _ => Err(Unsupported::new("it is not an expression along the curve")),
        }
    }

    /// Evaluates a power. Its exponent must be an integer, and not negative if the base may be 0.
    fn power(&self, base: &Expr, exponent: &Expr, cost: Cost) -> Result<CheckedFraction, Unsupported> {
        let base = self.evaluate(base, cost)?;
        let exponent = self.evaluate(exponent, cost)?.value.as_rational().filter(Rational::is_int);
        let exponent = exponent.and_then(|n| i32::try_from(n.numerator()).ok());
        let exponent = exponent.ok_or_else(|| Unsupported::new("it has a power that is not whole"))?;
        if exponent < 0 {
            check_divisor(&base)?;
        }
        let too_large = || Unsupported::new("it has a power that is too large");
        // The n-th power of a sum of m terms has at most (n+1)^(m-1) terms. For n > 0 an exponent of 16 exceeds the limit already.
        let terms_of_base = u32::try_from(base.value.numerator().terms().len()).unwrap_or(u32::MAX);
        let terms = exponent.unsigned_abs().saturating_add(1).checked_pow(terms_of_base.saturating_sub(1).min(16));
        if terms.is_none_or(|terms| terms > MOST_TERMS) {
            return Err(too_large());
        }
        let power = base.value.power(exponent).ok_or_else(too_large)?;
        Ok(self.product(power, [&base, &base]))
    }

    /// The value of a name. Inside `Q(…)`, `c` is the cost proportion `cost`.
    fn name(&self, name: &str, cost: Cost) -> Result<CheckedFraction, Unsupported> {
        let [x, f0, f1] = &self.at;
        let [dx, d0, d1] = &self.differentials;
        let [q0, q1, dq1] = &self.direction;
        Ok(self.checked(match (name, cost) {
            ("c", Some(cost)) => cost.clone(),
            ("x", _) => x.clone(),
            ("F0", _) => f0.clone(),
            ("F1", _) => f1.clone(),
            ("dx", _) => dx.clone(),
            ("dF0", _) => d0.clone(),
            ("dF1", _) => d1.clone(),
            ("q0", _) => q0.clone(),
            ("q1", _) => q1.clone(),
            ("dq1", _) => dq1.clone(),
            ("pi0", _) => self.proportions[0].clone(),
            ("pi1", _) => self.proportions[1].clone(),
            ("l", _) => self.range[0].clone(),
            ("h", _) => self.range[1].clone(),
            ("mean", _) => self.mean()?,
            // The definition of a name does not see the `c` of a surrounding `Q`.
            ("R" | "dR" | "c" | "dc", _) => return self.evaluate_definition(vocabulary(name), None),
            _ => return Err(Unsupported::new(format!("`{name}` is not understood in an integrand"))),
        }))
    }

    /// Evaluates the text of a definition of the language.
    fn evaluate_definition(&self, text: &str, cost: Cost) -> Result<CheckedFraction, Unsupported> {
        let expr = parse(&Source::new("definition", text)).map_err(|error| Unsupported::new(error.to_string()))?;
        self.evaluate(&expr, cost)
    }

    /// The mean of the operating conditions: `a/(a+b)` for a beta distribution, a symbol if the distribution is unknown.
    fn mean(&self) -> Result<Fraction, Unsupported> {
        let Some(weight) = &self.weight else { return Ok(Symbol::Mean.fraction()) };
        let [a, b] = weight.exact().ok_or_else(|| Unsupported::new("the mean cost is irrational"))?;
        Ok(Fraction::constant(&a / (&a + b)))
    }

    /// The density of operating conditions at an argument: `scale·z^p·(1-z)^q` for a beta distribution with integer parameters, a symbol
    /// if the distribution is unknown.
    fn weight_at(&self, argument: &Fraction) -> Result<Fraction, Unsupported> {
        let Some(weight) = &self.weight else { return Ok(Symbol::Weight(argument.to_string()).fraction()) };
        let unsupported = || Unsupported::new("its cost distribution is not a beta with whole parameters");
        let (scale, [p, q]) = weight.exact().and_then(|exact| whole_beta(&exact)).ok_or_else(unsupported)?;
        let power =
            |base: &Fraction, n: usize| i32::try_from(n).ok().and_then(|n| base.power(n)).ok_or_else(unsupported);
        Ok(power(argument, p)? * power(&(Fraction::one() - argument), q)? * Fraction::constant(scale))
    }

    /// Whether a fraction is surely nonzero everywhere on the piece: its numerator is a product of differentials that move, class
    /// proportions, `h - l`, and an expression that is linear in `c` and has the same sign at `c = 0` and `c = 1`, for every `π0`. Such an
    /// expression has that sign for every posterior between.
    fn never_zero(&self, fraction: &Fraction) -> bool {
        let mut cofactor = fraction.numerator().clone();
        if cofactor.is_zero() {
            return false;
        }
        let moving_differentials: &[Symbol] = match self.piece {
            Some(Piece::Arc) => &[Symbol::Dr, Symbol::Dx],
            Some(Piece::Tie) => &[Symbol::Dr],
            Some(Piece::Gap) => &[Symbol::Dx],
            Some(Piece::Corner) => &[Symbol::Dc],
            None => &[],
        };
        let scale = Multinomial::variable(Symbol::High) - Multinomial::variable(Symbol::Low);
        for factor in moving_differentials.iter().map(Multinomial::variable).chain([scale]) {
            while let Some(quotient) = cofactor.divided_exactly_by(&factor) {
                cofactor = quotient;
            }
        }
        if cofactor.degree_in(Symbol::Posterior) > 1 {
            return false;
        }
        let is_positive_at = |polynomial: &Multinomial, c: Rational| {
            signs(&polynomial.at(Symbol::Posterior, &c)).is_some_and(|signs| signs.positive)
        };
        let is_positive = |p: &Multinomial| is_positive_at(p, Rational::ZERO) && is_positive_at(p, Rational::ONE);
        is_positive(&cofactor) || is_positive(&-cofactor)
    }
}

/// Refuses a divisor that may be 0.
fn check_divisor(divisor: &CheckedFraction) -> Result<(), Unsupported> {
    if divisor.never_zero {
        return Ok(());
    }
    Err(Unsupported::new(format!("it divides by {}, which may be zero", divisor.value)))
}
