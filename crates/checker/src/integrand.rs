//! Integrands read in fractions that are divided only by what never vanishes.
//!
//! A fraction that cancels forgets where it was `0/0`: `dF1/c` is `dR/π1` only where `c` is not 0. So on a piece of a curve an integrand is
//! divided only by what is not 0 there: class proportions, the length of the scale of scores, what moves, and what is positive for
//! every posterior.

use crate::lower::Unsupported;
use crate::rules::factor::signs;
use crate::symbol::Symbol;
use rocproof_algebra::{Fraction, Multinomial, Rational};
use rocproof_language::definition::{Beta, LOSS, whole_beta};
use rocproof_language::meaning::{Piece, vocabulary};
use rocproof_language::{Expr, Kind, Op, Source, parse};

/// What the names of an integrand stand for, somewhere on a curve.
#[derive(Clone, Debug)]
pub(crate) struct IntegrandScope {
    /// The piece of the curve; `None` at a single point.
    pub piece: Option<Piece>,
    /// The score, `F0` and `F1`.
    pub at: [Fraction; 3],
    /// `dx`, `dF0` and `dF1`.
    pub differentials: [Fraction; 3],
    /// The direction `q0`, `q1`, and how it turns.
    pub direction: [Fraction; 3],
    /// The class proportions that are read.
    pub proportions: [Fraction; 2],
    /// The scale of the scores.
    pub range: [Fraction; 2],
    /// The distribution of operating conditions; `None` if nothing is known of it.
    pub weight: Option<Beta>,
}

/// A fraction, and whether it is known to vanish nowhere on the piece.
#[derive(Clone, Debug)]
struct Careful {
    value: Fraction,
    never_zero: bool,
}

/// The most terms that a power may have.
const MOST_TERMS: u32 = 20_000;

/// What the cost proportion is inside of `Q(…)`.
type Cost<'a> = Option<&'a Fraction>;

impl IntegrandScope {
    /// The value of an integrand, or of an expression at a point.
    pub(crate) fn read(&self, expr: &Expr) -> Result<Fraction, Unsupported> {
        Ok(self.careful(expr, None)?.value)
    }

    fn known(&self, value: Fraction) -> Careful {
        Careful { never_zero: self.never_zero(&value), value }
    }

    /// A product or a quotient, which vanishes nowhere if what it is made of does not.
    fn made(&self, value: Fraction, of: [&Careful; 2]) -> Careful {
        Careful { never_zero: of.iter().all(|part| part.never_zero) || self.never_zero(&value), value }
    }

    fn careful(&self, expr: &Expr, cost: Cost) -> Result<Careful, Unsupported> {
        match &expr.kind {
            Kind::Number(value) => Ok(self.known(Fraction::constant(value.clone()))),
            Kind::Name(name) => self.name(name, cost),
            Kind::Negate(inner) => {
                let inner = self.careful(inner, cost)?;
                Ok(Careful { value: -inner.value, ..inner })
            }
            Kind::Binary(Op::Pow, base, exponent) => {
                let base = self.careful(base, cost)?;
                let exponent = self.careful(exponent, cost)?.value.as_rational().filter(Rational::is_int);
                let exponent = exponent.and_then(|n| i32::try_from(n.numerator()).ok());
                let exponent = exponent.ok_or_else(|| Unsupported::new("it has a power that is not whole"))?;
                if exponent < 0 {
                    check_divisor(&base)?;
                }
                let terms = u32::try_from(base.value.numerator().terms().len()).unwrap_or(u32::MAX);
                let written = exponent.unsigned_abs().saturating_add(1).checked_pow(terms.saturating_sub(1).min(16));
                if written.is_none_or(|terms| terms > MOST_TERMS) {
                    return Err(Unsupported::new("it has a power that is too large"));
                }
                let power = base.value.power(exponent);
                let power = power.ok_or_else(|| Unsupported::new("it has a power that is too large"))?;
                Ok(self.made(power, [&base, &base]))
            }
            Kind::Binary(op, left, right) => {
                let (l, r) = (self.careful(left, cost)?, self.careful(right, cost)?);
                Ok(match op {
                    Op::Add => self.known(&l.value + &r.value),
                    Op::Sub => self.known(&l.value - &r.value),
                    Op::Mul => self.made(&l.value * &r.value, [&l, &r]),
                    _ => {
                        check_divisor(&r)?;
                        let quotient = l.value.over(&r.value);
                        self.made(quotient.ok_or_else(|| Unsupported::new("it divides by zero"))?, [&l, &r])
                    }
                })
            }
            Kind::Call(name, _, arguments) => {
                let ([argument], "Q" | "w") = (arguments.as_slice(), name.as_str()) else {
                    return Err(Unsupported::new(format!("`{name}` is not understood in an integrand")));
                };
                let at = self.careful(argument, cost)?.value;
                if name == "w" { Ok(self.known(self.weight_at(&at)?)) } else { self.defined(LOSS, Some(&at)) }
            }
            _ => Err(Unsupported::new("it is not an expression along the curve")),
        }
    }

    fn name(&self, name: &str, cost: Cost) -> Result<Careful, Unsupported> {
        let [x, f0, f1] = &self.at;
        let [dx, d0, d1] = &self.differentials;
        let [q0, q1, dq1] = &self.direction;
        Ok(self.known(match (name, cost) {
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
            // What a name is defined from does not see the `c` of a surrounding `Q`.
            ("R" | "dR" | "c" | "dc", _) => return self.defined(vocabulary(name), None),
            _ => return Err(Unsupported::new(format!("`{name}` is not understood in an integrand"))),
        }))
    }

    fn defined(&self, text: &str, cost: Cost) -> Result<Careful, Unsupported> {
        let expr = parse(&Source::new("definition", text)).map_err(|error| Unsupported::new(error.to_string()))?;
        self.careful(&expr, cost)
    }

    fn mean(&self) -> Result<Fraction, Unsupported> {
        let Some(weight) = &self.weight else { return Ok(Symbol::Mean.fraction()) };
        let [a, b] = weight.exact().ok_or_else(|| Unsupported::new("the mean cost is irrational"))?;
        Ok(Fraction::constant(&a / (&a + b)))
    }

    /// The density of operating conditions.
    fn weight_at(&self, at: &Fraction) -> Result<Fraction, Unsupported> {
        let Some(weight) = &self.weight else { return Ok(Symbol::Weight(at.to_string()).fraction()) };
        let lost = || Unsupported::new("its cost distribution is not a beta with whole parameters");
        let (scale, [p, q]) = weight.exact().and_then(|exact| whole_beta(&exact)).ok_or_else(lost)?;
        let power = |of: &Fraction, n: usize| i32::try_from(n).ok().and_then(|n| of.power(n)).ok_or_else(lost);
        Ok(power(at, p)? * power(&(Fraction::one() - at), q)? * Fraction::constant(scale))
    }

    /// Whether a fraction vanishes nowhere on the piece: its numerator is a product of what moves, class proportions and `h - l`, and of
    /// something linear in `c` that has one sign at both ends.
    fn never_zero(&self, fraction: &Fraction) -> bool {
        let mut rest = fraction.numerator().clone();
        if rest.is_zero() {
            return false;
        }
        let moving: &[Symbol] = match self.piece {
            Some(Piece::Arc) => &[Symbol::Dr, Symbol::Dx],
            Some(Piece::Tie) => &[Symbol::Dr],
            Some(Piece::Gap) => &[Symbol::Dx],
            Some(Piece::Corner) => &[Symbol::Dc],
            None => &[],
        };
        let scale = Multinomial::variable(Symbol::High) - Multinomial::variable(Symbol::Low);
        for factor in moving.iter().map(Multinomial::variable).chain([scale]) {
            while let Some(quotient) = rest.divided_exactly_by(&factor) {
                rest = quotient;
            }
        }
        if rest.degree_in(Symbol::Posterior) > 1 {
            return false;
        }
        let sign = |c: &Rational| {
            let end = rest.at(Symbol::Posterior, c);
            [end.clone(), -end].map(|end| matches!(signs(&end), Some([_, true])))
        };
        let (start, end) = (sign(&Rational::ZERO), sign(&Rational::ONE));
        (start[0] && end[0]) || (start[1] && end[1])
    }
}

fn check_divisor(divisor: &Careful) -> Result<(), Unsupported> {
    if divisor.never_zero {
        return Ok(());
    }
    Err(Unsupported::new(format!("it divides by {}, which may be zero", divisor.value)))
}
