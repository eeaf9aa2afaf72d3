//! The exact reading of a density tree: piecewise polynomials with rational coefficients.

use super::endpoint::Endpoint;
use super::family::expression;
use super::tree::{AtomNode, DensityTree, Node};
use crate::constant::Constant;
use rocproof_arith::roots::sign_between;
use rocproof_arith::{Polynomial, Rational};
use rocproof_language::{Diagnostic, Expr, Kind, Source, Span};
use std::collections::BTreeMap;

/// The largest degree of a polynomial density at the exact level. Beyond it exact arithmetic takes too long.
pub const LARGEST_DEGREE: usize = 400;

/// Advice for refused densities: the densities that the exact level takes.
const TAKEN: &str = "the exact level takes integer betas, triangular and uniform densities, polynomials in x, pieces, atoms and their mixtures, with rational numbers throughout";

/// Why a density is not piecewise polynomial.
#[derive(Clone, Debug)]
pub enum NotPiecewise {
    /// The density is not piecewise polynomial with rational coefficients.
    NotPolynomial(Diagnostic),
    /// The polynomial is negative somewhere, so it is no density.
    Negative(Diagnostic),
}

/// Why a member of a family is not piecewise polynomial with rational coefficients.
#[derive(Clone, Debug)]
pub struct NotPolynomial {
    /// The parameter that is to blame, if one is.
    pub argument: Option<usize>,
    /// The reason, as a clause.
    pub reason: String,
    /// The reason in a word or two, for the mark below the source.
    pub label: &'static str,
}

impl From<Diagnostic> for NotPiecewise {
    fn from(diagnostic: Diagnostic) -> NotPiecewise {
        NotPiecewise::NotPolynomial(diagnostic)
    }
}

impl NotPiecewise {
    /// The message for the user.
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
    /// The density between the ends.
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
    /// The pieces on which the density is not 0.
    pub pieces: Vec<Piece>,
    /// The places and masses of the atoms.
    pub atoms: Vec<(Rational, Rational)>,
}

impl Piecewise {
    /// Interprets a tree whose numeric reading is a density, and checks that it integrates to 1.
    pub(super) fn read(source: &Source, tree: &DensityTree) -> Result<Piecewise, NotPiecewise> {
        let piecewise = interpret(source, &tree.root)?.sorted();
        let mass = piecewise.mass();
        if mass != Rational::ONE {
            return Err(source
                .error(tree.syntax.span, "the exact integral of this density is not 1", format!("it is {mass}"))
                .help(format!("normalize({}) divides by it", source.text.trim()))
                .into());
        }
        Ok(piecewise)
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

    /// One polynomial on an interval.
    pub fn piece(lo: Rational, hi: Rational, density: Polynomial) -> Piecewise {
        Piecewise { pieces: vec![Piece { lo, hi, density }], atoms: Vec::new() }
    }

    /// The density times a number.
    pub fn scaled(mut self, by: &Rational) -> Piecewise {
        self.pieces.iter_mut().for_each(|p| p.density = p.density.scaled(by));
        self.atoms.iter_mut().for_each(|(_, mass)| *mass = &*mass * by);
        self
    }

    /// The sum of two densities; pieces may overlap.
    pub fn joined(mut self, other: Piecewise) -> Piecewise {
        self.pieces.extend(other.pieces);
        self.atoms.extend(other.atoms);
        self
    }

    /// The part of the density between `lo` and `hi`; `None` stands for an infinite end.
    fn cut(self, lo: &Option<Rational>, hi: &Option<Rational>) -> Piecewise {
        let is_inside = |x: &Rational| lo.as_ref().is_none_or(|lo| lo <= x) && hi.as_ref().is_none_or(|hi| x <= hi);
        let pieces = self.pieces.into_iter().map(|p| Piece {
            lo: lo.clone().map_or(p.lo.clone(), |lo| lo.max(p.lo)),
            hi: hi.clone().map_or(p.hi.clone(), |hi| hi.min(p.hi)),
            density: p.density,
        });
        let pieces = pieces.filter(|p| p.lo < p.hi).collect();
        let atoms = self.atoms.into_iter().filter(|(at, _)| is_inside(at)).collect();
        Piecewise { pieces, atoms }
    }

    /// The density divided by its mass; unchanged if it has no mass.
    pub fn normalized(self) -> Piecewise {
        let mass = self.mass();
        if mass.is_zero() { self } else { self.scaled(&(Rational::ONE / mass)) }
    }

    /// Brings the density into its normal form: disjoint pieces and distinct atoms, in order of their scores. Overlapping pieces are added by
    /// a sweep from left to right over the scores at which a piece starts or ends.
    fn sorted(self) -> Piecewise {
        // For each such score, the polynomial by which the density changes there.
        let mut changes: BTreeMap<Rational, Polynomial> = BTreeMap::new();
        let mut add_change = |at: Rational, by: &Polynomial| {
            let sum = changes.entry(at).or_insert_with(Polynomial::zero);
            *sum = &*sum + by;
        };
        for piece in self.pieces {
            add_change(piece.lo, &piece.density);
            add_change(piece.hi, &-&piece.density);
        }
        let mut sorted = Piecewise::default();
        let mut density = Polynomial::zero();
        let mut previous: Option<Rational> = None;
        for (x, change) in changes {
            if let Some(lo) = previous
                && !density.is_zero()
            {
                sorted.pieces.push(Piece { lo, hi: x.clone(), density: density.clone() });
            }
            density = &density + &change;
            previous = Some(x);
        }
        // Atoms at one score are merged.
        let mut masses: BTreeMap<Rational, Rational> = BTreeMap::new();
        for (at, mass) in self.atoms.into_iter().filter(|(_, mass)| !mass.is_zero()) {
            let sum = masses.entry(at).or_insert(Rational::ZERO);
            *sum = &*sum + mass;
        }
        sorted.atoms = masses.into_iter().collect();
        sorted
    }
}

/// The error that the exact level does not take the part of the source at `span`.
fn refuse(source: &Source, span: Span, reason: &str, label: &str) -> Diagnostic {
    source
        .error(span, format!("no exact level here: {reason}"), label)
        .help(TAKEN)
        .or_level("numeric", "serves this one")
}

/// The exact value of a constant written at `span`; an error if it is irrational.
fn exact_value(source: &Source, constant: &Constant, span: Span) -> Result<Rational, Diagnostic> {
    let refusal = || refuse(source, span, "this number is not rational", "not rational");
    constant.exact.clone().ok_or_else(refusal)
}

/// The exact value of an end of an interval; an error if it is infinite or irrational.
fn exact_end(source: &Source, end: &Endpoint) -> Result<Rational, Diagnostic> {
    if let Some(syntax) = end.syntax().filter(|_| !end.is_finite()) {
        // An infinite end is no number: reading it as one gives the error message.
        Constant::of(source, syntax)?;
    }
    exact_value(source, &end.constant, end.span().unwrap_or(source.whole()))
}

/// The exact reading of a node, which need not integrate to 1; pieces may overlap.
fn interpret(source: &Source, node: &Node) -> Result<Piecewise, NotPiecewise> {
    match node {
        Node::Expression { syntax, ends } => {
            interpret_expression(source, syntax, exact_end(source, &ends[0])?, exact_end(source, &ends[1])?)
        }
        Node::Member { family, arguments, span, .. } => family.exact(arguments).map_err(|refusal| {
            // The error marks the parameter at fault, or else the whole call.
            let fault = refusal.argument.map_or(*span, |argument| arguments[argument].syntax.span);
            refuse(source, fault, &refusal.reason, refusal.label).into()
        }),
        Node::Atoms(atoms) => {
            let atom = |AtomNode { at, mass, span }: &AtomNode| {
                Ok((exact_value(source, &at.constant, at.syntax.span)?, exact_value(source, mass, *span)?))
            };
            let atoms = atoms.iter().map(atom).collect::<Result<_, Diagnostic>>()?;
            Ok(Piecewise { pieces: Vec::new(), atoms })
        }
        Node::Sum(nodes) => {
            nodes.iter().try_fold(Piecewise::default(), |sum, node| Ok(sum.joined(interpret(source, node)?)))
        }
        Node::Weighted { weight, divides, of } => {
            let inner = interpret(source, of)?;
            let weight = exact_value(source, &weight.constant, weight.syntax.span)?;
            Ok(inner.scaled(&if *divides { Rational::ONE / weight } else { weight }))
        }
        Node::Truncated { of, ends, .. } => {
            let inner = interpret(source, of)?;
            // `None` for an infinite end, which cuts nothing.
            let bound = |end: &Endpoint| -> Result<Option<Rational>, Diagnostic> {
                if end.constant.value.is_infinite() { Ok(None) } else { exact_end(source, end).map(Some) }
            };
            Ok(inner.cut(&bound(&ends[0])?, &bound(&ends[1])?).normalized())
        }
        Node::Normalized { of, .. } => Ok(interpret(source, of)?.normalized()),
    }
}

/// The exact reading of an expression on `[lo, hi]`: one piece. Errors if the expression is not a polynomial or is negative somewhere.
fn interpret_expression(source: &Source, expr: &Expr, lo: Rational, hi: Rational) -> Result<Piecewise, NotPiecewise> {
    let Some(density) = expression::polynomial(expr) else {
        let fault = smallest_nonpolynomial(expr);
        return Err(refuse(source, fault.span, "this is not a polynomial in x", "not a polynomial").into());
    };
    // `None` if the polynomial changes its sign.
    if sign_between(&density, &lo, &hi).is_none_or(|sign| sign < 0) {
        return Err(NotPiecewise::Negative(source.error(
            expr.span,
            format!("a density must not be negative, but this is, somewhere between {lo} and {hi}"),
            "negative somewhere",
        )));
    }
    Ok(Piecewise::piece(lo, hi, density))
}

/// The smallest subexpression of `expr` that is not a polynomial although its own operands are; `expr` itself must not be a polynomial.
fn smallest_nonpolynomial(expr: &Expr) -> &Expr {
    let operands: Vec<&Expr> = match &expr.kind {
        Kind::Negate(inner) => vec![inner],
        Kind::Binary(_, left, right) => vec![left, right],
        _ => Vec::new(),
    };
    operands.into_iter().find(|e| expression::polynomial(e).is_none()).map_or(expr, smallest_nonpolynomial)
}
