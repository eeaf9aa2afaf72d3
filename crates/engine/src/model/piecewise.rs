//! Densities as piecewise polynomials with rational coefficients, where they are that.

use super::build::is_density;
use super::family::expression;
use crate::constant::Constant;
use rocproof_arith::roots::sign_between;
use rocproof_arith::{Polynomial, Rational};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source};
use std::collections::BTreeMap;

/// Beyond this degree exact arithmetic takes longer than anyone would wait.
const LARGEST_DEGREE: usize = 400;

/// What would serve instead of the exact level.
const INSTEAD: &str = "the exact level takes integer betas, triangular and uniform densities, polynomials in x, pieces, atoms and their mixtures, with rational numbers throughout; --level numeric serves this one";

/// Why a density is not piecewise polynomial.
#[derive(Clone, Debug)]
pub enum NotPiecewise {
    /// It is a density, but not of this kind.
    NotPolynomial(Diagnostic),
    /// It is negative somewhere, and no density at all.
    Negative(Diagnostic),
}

impl From<Diagnostic> for NotPiecewise {
    fn from(diagnostic: Diagnostic) -> NotPiecewise {
        NotPiecewise::NotPolynomial(diagnostic)
    }
}

impl NotPiecewise {
    /// What to tell the user.
    pub fn diagnostic(&self) -> &Diagnostic {
        match self {
            NotPiecewise::NotPolynomial(diagnostic) | NotPiecewise::Negative(diagnostic) => diagnostic,
        }
    }
}

/// A polynomial density on an interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Where it starts.
    pub lo: Rational,
    /// Where it ends.
    pub hi: Rational,
    /// The density between.
    pub density: Polynomial,
}

/// A density as disjoint polynomial pieces and atoms, both in order.
///
/// ```
/// use rocproof_engine::model::Density;
/// let density = Density::parse("1/2*beta(2, 2) + 1/2*triangular(0, 1/3, 1)")?;
/// let pieces = density.piecewise().unwrap();
/// let shown: Vec<String> = pieces.pieces.iter().map(|p| p.density.to_string()).collect();
/// assert_eq!(shown, ["-3*x^2 + 6*x", "-3*x^2 + 3/2*x + 3/2"]);
/// assert!(Density::parse("beta(1/2, 2)")?.piecewise().is_err());
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piecewise {
    /// The pieces on which there is density.
    pub pieces: Vec<Piece>,
    /// The places and masses of the atoms.
    pub atoms: Vec<(Rational, Rational)>,
}

impl Piecewise {
    /// Reads a density that has already been found to be one numerically.
    pub(super) fn of(source: &Source, expr: &Expr) -> Result<Piecewise, NotPiecewise> {
        let parts = lower(source, expr)?.sorted();
        let mass = parts.mass();
        if mass != Rational::ONE {
            return Err(source
                .error(expr.span, "the exact integral of this density is not 1", format!("it is {mass}"))
                .help(format!("normalize({}) divides by it", source.text.trim()))
                .into());
        }
        Ok(parts)
    }

    /// The total mass.
    pub fn mass(&self) -> Rational {
        let smooth = self.pieces.iter().map(|p| p.density.integral(&p.lo, &p.hi));
        smooth.chain(self.atoms.iter().map(|(_, mass)| mass.clone())).fold(Rational::ZERO, |sum, mass| sum + mass)
    }

    /// The largest degree of a piece.
    pub fn degree(&self) -> usize {
        self.pieces.iter().map(|p| p.density.degree()).max().unwrap_or(0)
    }

    fn piece(lo: Rational, hi: Rational, density: Polynomial) -> Piecewise {
        Piecewise { pieces: vec![Piece { lo, hi, density }], atoms: Vec::new() }
    }

    fn scaled(mut self, by: &Rational) -> Piecewise {
        self.pieces.iter_mut().for_each(|p| p.density = p.density.scaled(by));
        self.atoms.iter_mut().for_each(|(_, mass)| *mass = &*mass * by);
        self
    }

    fn joined(mut self, other: Piecewise) -> Piecewise {
        self.pieces.extend(other.pieces);
        self.atoms.extend(other.atoms);
        self
    }

    /// Overlapping pieces and atoms at one place added, all in order.
    fn sorted(self) -> Piecewise {
        let mut changes: BTreeMap<Rational, Polynomial> = BTreeMap::new();
        let mut change = |at: Rational, by: &Polynomial| {
            let sum = changes.entry(at).or_insert_with(Polynomial::zero);
            *sum = &*sum + by;
        };
        for piece in self.pieces {
            change(piece.lo, &piece.density);
            change(piece.hi, &-&piece.density);
        }
        let mut sorted = Piecewise::default();
        let mut density = Polynomial::zero();
        let mut from: Option<Rational> = None;
        for (at, by) in changes {
            if let Some(lo) = from
                && !density.is_zero()
            {
                sorted.pieces.push(Piece { lo, hi: at.clone(), density: density.clone() });
            }
            density = &density + &by;
            from = Some(at);
        }
        let mut masses: BTreeMap<Rational, Rational> = BTreeMap::new();
        for (at, mass) in self.atoms.into_iter().filter(|(_, mass)| !mass.is_zero()) {
            let sum = masses.entry(at).or_insert(Rational::ZERO);
            *sum = &*sum + mass;
        }
        sorted.atoms = masses.into_iter().collect();
        sorted
    }
}

fn refuse(source: &Source, expr: &Expr, what: &str, label: &str) -> Diagnostic {
    source.error(expr.span, format!("no exact level here: {what}"), label).help(INSTEAD)
}

fn rational(source: &Source, expr: &Expr) -> Result<Rational, Diagnostic> {
    Constant::of(source, expr)?.exact.ok_or_else(|| refuse(source, expr, "this number is not rational", "not rational"))
}

fn lower(source: &Source, expr: &Expr) -> Result<Piecewise, NotPiecewise> {
    if !is_density(expr) {
        return piece(source, expr, Rational::ZERO, Rational::ONE);
    }
    match &expr.kind {
        Kind::Call(name, _, arguments) => call(source, expr, name, arguments),
        Kind::Pieces(items) => {
            items.iter().try_fold(Piecewise::default(), |parts, item| Ok(parts.joined(lower(source, item)?)))
        }
        Kind::Atoms(items) => {
            let atom = |(place, mass): &(Expr, Expr)| Ok((rational(source, place)?, rational(source, mass)?));
            let atoms = items.iter().map(atom).collect::<Result<_, Diagnostic>>()?;
            Ok(Piecewise { pieces: Vec::new(), atoms })
        }
        Kind::On(inner, ends) => piece(source, inner, rational(source, &ends[0])?, rational(source, &ends[1])?),
        Kind::Binary(Op::Add, left, right) => Ok(lower(source, left)?.joined(lower(source, right)?)),
        Kind::Binary(Op::Mul, left, right) if !is_density(left) => {
            Ok(lower(source, right)?.scaled(&rational(source, left)?))
        }
        Kind::Binary(Op::Mul, left, right) => Ok(lower(source, left)?.scaled(&rational(source, right)?)),
        Kind::Binary(_, left, right) => Ok(lower(source, left)?.scaled(&(Rational::ONE / rational(source, right)?))),
        _ => Err(refuse(source, expr, "this is not piecewise polynomial", "not polynomial").into()),
    }
}

fn piece(source: &Source, expr: &Expr, lo: Rational, hi: Rational) -> Result<Piecewise, NotPiecewise> {
    let Some(density) = expression::polynomial(expr) else {
        let culprit = not_polynomial(expr);
        return Err(refuse(source, culprit, "this is not a polynomial in x", "not a polynomial").into());
    };
    if sign_between(&density, &lo, &hi).is_none_or(|sign| sign < 0) {
        return Err(NotPiecewise::Negative(source.error(
            expr.span,
            format!("a density must not be negative, but this is, somewhere between {lo} and {hi}"),
            "negative somewhere",
        )));
    }
    Ok(Piecewise::piece(lo, hi, density))
}

/// The smallest part of an expression that keeps it from being a polynomial.
fn not_polynomial(expr: &Expr) -> &Expr {
    let inner: Vec<&Expr> = match &expr.kind {
        Kind::Negate(inner) => vec![inner],
        Kind::Binary(_, left, right) => vec![left, right],
        _ => Vec::new(),
    };
    inner.into_iter().find(|e| expression::polynomial(e).is_none()).map_or(expr, not_polynomial)
}

fn call(source: &Source, expr: &Expr, name: &str, arguments: &[Expr]) -> Result<Piecewise, NotPiecewise> {
    match name {
        "normalize" => Ok(normalised(lower(source, &arguments[0])?)),
        "truncate" => {
            let parts = lower(source, &arguments[0])?;
            let bound = |end: &Expr| -> Result<Option<Rational>, Diagnostic> {
                let infinite = Constant::extended(source, end)?.value.is_infinite();
                if infinite { Ok(None) } else { rational(source, end).map(Some) }
            };
            let (lo, hi) = (bound(&arguments[1])?, bound(&arguments[2])?);
            let inside = |x: &Rational| lo.as_ref().is_none_or(|lo| lo <= x) && hi.as_ref().is_none_or(|hi| x <= hi);
            let cut = parts.pieces.into_iter().map(|p| Piece {
                lo: lo.clone().map_or(p.lo.clone(), |lo| lo.max(p.lo)),
                hi: hi.clone().map_or(p.hi.clone(), |hi| hi.min(p.hi)),
                density: p.density,
            });
            let pieces = cut.filter(|p| p.lo < p.hi).collect();
            let atoms = parts.atoms.into_iter().filter(|(at, _)| inside(at)).collect();
            Ok(normalised(Piecewise { pieces, atoms }))
        }
        "atom" | "atoms" => {
            Ok(Piecewise { pieces: Vec::new(), atoms: vec![(rational(source, &arguments[0])?, Rational::ONE)] })
        }
        "uniform" => {
            let [lo, hi] = [&arguments[0], &arguments[1]].map(|a| rational(source, a));
            let (lo, hi) = (lo?, hi?);
            let height = Polynomial::constant(Rational::ONE / (&hi - &lo));
            Ok(Piecewise::piece(lo, hi, height))
        }
        "triangular" => {
            let [lo, mode, hi] = [0, 1, 2].map(|k| rational(source, &arguments[k]));
            let (lo, mode, hi) = (lo?, mode?, hi?);
            let height = Rational::from(2) / (&hi - &lo);
            // Height·(distance to the end)/(distance of the mode to the end).
            let side = |end: &Rational| {
                let slope = &height / (&mode - end);
                Polynomial::linear(&(-&slope * end), &slope)
            };
            let mut parts = Piecewise::default();
            if lo < mode {
                parts = parts.joined(Piecewise::piece(lo.clone(), mode.clone(), side(&lo)));
            }
            if mode < hi {
                parts = parts.joined(Piecewise::piece(mode.clone(), hi.clone(), side(&hi)));
            }
            Ok(parts)
        }
        "beta" => {
            let mut powers = [0usize; 2];
            for (power, argument) in powers.iter_mut().zip(arguments) {
                let value = rational(source, argument)?;
                let whole = value.is_int().then(|| usize::try_from(value.numerator()).ok()).flatten();
                *power = whole.filter(|n| *n >= 1).ok_or_else(|| {
                    refuse(
                        source,
                        argument,
                        "a beta density is a polynomial only if both parameters are whole numbers",
                        "not whole",
                    )
                })? - 1;
            }
            if powers[0] + powers[1] > LARGEST_DEGREE {
                let what = format!("degree {} is beyond {LARGEST_DEGREE}", powers[0] + powers[1]);
                return Err(refuse(source, expr, &what, "too large a degree").into());
            }
            let shape = &Polynomial::x().power(powers[0]) * &Polynomial::whole(&[1, -1]).power(powers[1]);
            Ok(normalised(Piecewise::piece(Rational::ZERO, Rational::ONE, shape)))
        }
        _ => {
            let what = format!("a {name} density is not piecewise polynomial");
            Err(refuse(source, expr, &what, "not polynomial").into())
        }
    }
}

fn normalised(parts: Piecewise) -> Piecewise {
    let mass = parts.mass();
    if mass.is_zero() { parts } else { parts.scaled(&(Rational::ONE / mass)) }
}
