//! The meaning of an integrand on each kind of piece of a curve.
//!
//! A curve `u ↦ (x, F1, F0)` is a chain of arcs, ties, gaps and corners. On each of them some coordinates are constant:
//!
//! | piece | moves | is constant | has no value |
//! | --- | --- | --- | --- |
//! | arc | `x`, `F0`, `F1`, `c` | | |
//! | tie | `F0`, `F1` | `x`, `c` | |
//! | gap | `x` | `F0`, `F1` | `c`: there is no mass to have a posterior |
//! | corner | `c` | `F0`, `F1` | `x`, if the models have gaps: a corner at a gap has a whole interval of scores |
//!
//! An integrand is homogeneous of degree one in the differentials. Call the differentials of constant coordinates still. On a piece:
//!
//! * A term of positive degree in still differentials is 0, whatever multiplies it: `(x-c)^2*dR` and `dF0*dF1/dR` in a gap.
//! * A term of degree 0 in them must not contain them, nor a coordinate without a value. So `dx*dR/dR` and `c*dx` have no meaning in a gap,
//!   `dR*dx/dx` has none on a tie, and `dc*dR/dR` none at a corner.
//! * `E on arcs` is 0 on all pieces but arcs.
//!
//! [`restrict`] is this definition. Evaluators and proofs use its result, and [`meaning`] refuses integrands without a meaning. Undefined is
//! simplified before it has been restricted.

pub use crate::piece::Piece;

use crate::definition::{Transform, VOCABULARY};
use crate::{Diagnostic, Expr, Kind, Literal, Op, Source, Span, parse};
use rocproof_algebra::{Fraction, Rational, invariant};
use std::collections::BTreeMap;

/// The kinds of pieces that the curves of a class of models may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Whether scores may tie.
    pub ties: bool,
    /// Whether there may be scores without mass.
    pub gaps: bool,
    /// Whether the posterior may jump.
    pub corners: bool,
    /// Whether there may be a stretch with members of one class only, where `c` is 0 or 1.
    pub pure: bool,
}

impl Pieces {
    /// All kinds of pieces.
    pub const ANY: Pieces = Pieces { ties: true, gaps: true, corners: true, pure: true };

    /// Whether pieces of a kind may occur.
    pub fn has(self, piece: Piece) -> bool {
        match piece {
            Piece::Arc => true,
            Piece::Tie => self.ties,
            Piece::Gap => self.gaps,
            Piece::Corner => self.corners,
        }
    }
}

/// Why an integrand has no meaning on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMeaning {
    /// The kind of piece.
    pub piece: Piece,
    /// The part of the integrand.
    pub span: Span,
    /// The reason.
    pub why: Reason,
}

/// Why a part of an integrand has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It contains the posterior where there is no mass.
    Posterior,
    /// It contains the score at a corner, where there may be a gap.
    Score,
    /// It is 0/0: it multiplies and divides by still differentials.
    Still,
    /// It is 0/0 where coordinates coincide, as the text says.
    Coincidence(&'static str),
    /// It divides by a still differential, and is infinite.
    Infinite,
}

impl NoMeaning {
    /// The error message that points at the integrand in its source.
    pub fn diagnostic(&self, source: &Source) -> Diagnostic {
        let place = self.piece.place();
        let (message, label, help) = match self.why {
            Reason::Posterior => (
                "the posterior `c` has no value in a gap: there is no mass".to_owned(),
                "needs `c` in gaps".to_owned(),
                "write dR for dx to integrate over the mass, `… on arcs` to leave gaps out, or suppose a class without gaps: `for even m:`",
            ),
            Reason::Score => (
                "the score has no one value at a corner that lies at a gap".to_owned(),
                "needs `x` at corners".to_owned(),
                "write R for x, `… on arcs` to leave corners out, or suppose a class without gaps: `for even m:`",
            ),
            Reason::Still => (
                format!("this is 0/0 {place}: it divides by a differential that stands still there"),
                "0/0".to_owned(),
                "leave out a factor such as dR/dR, or write `… on arcs` to count arcs only",
            ),
            Reason::Coincidence(at) => (
                format!("this is 0/0 {place} {at}"),
                "0/0".to_owned(),
                "leave out what cancels: an integrand must have a value on every stretch",
            ),
            Reason::Infinite => (
                format!("this is infinite {place}: it divides by a differential that stands still there"),
                "divides by 0".to_owned(),
                "write `… on arcs` to count arcs only",
            ),
        };
        source.error(self.span, message, label).help(help)
    }

    /// The reason as a sentence, without the source.
    pub fn sentence(&self) -> String {
        match self.why {
            Reason::Posterior => "it needs the posterior in a gap, where there is none".into(),
            Reason::Score => "it needs the score at a corner that may lie at a gap, where there is no one score".into(),
            Reason::Still => format!("it is 0/0 {}", self.piece.place()),
            Reason::Coincidence(at) => format!("it is 0/0 {} {at}", self.piece.place()),
            Reason::Infinite => format!("it is infinite {}", self.piece.place()),
        }
    }
}

/// Splits `E on arcs` into the integrand `E` and the kind of piece. `None` stands for all kinds.
pub fn split_restriction(integrand: &Expr) -> (&Expr, Option<Piece>) {
    match &integrand.kind {
        Kind::OnPieces(inner, piece) => (inner, Some(*piece)),
        _ => (integrand, None),
    }
}

/// A sub-expression on a piece, split by degree in the still differentials.
#[derive(Clone, Debug, Default)]
struct Graded {
    /// The part without still differentials, and why it has no value, if it contains a coordinate without one.
    free: Option<(Expr, Option<NoMeaning>)>,
    /// The degrees of the other parts, with the place of one part of each degree. Degree 0 means 0/0.
    others: BTreeMap<i32, Span>,
}

impl Graded {
    fn free(expr: Expr) -> Graded {
        Graded { free: Some((expr, None)), others: BTreeMap::new() }
    }

    fn of_degree(degree: i32, span: Span) -> Graded {
        Graded { free: None, others: BTreeMap::from([(degree, span)]) }
    }

    fn is_nothing(&self) -> bool {
        self.free.is_none() && self.others.is_empty()
    }

    /// The smallest degree, which dominates as the still differentials tend to 0.
    fn leading(&self) -> Option<i32> {
        let others = self.others.keys().next().copied();
        if self.free.is_some() { Some(others.map_or(0, |least| least.min(0))) } else { others }
    }
}

/// Reads expressions on one kind of piece.
struct Restriction {
    piece: Piece,
    /// Whether the curve may have gaps.
    gaps: bool,
}

impl Restriction {
    /// Splits an expression by degree.
    fn read(&self, expr: &Expr) -> Graded {
        let span = expr.span;
        match &expr.kind {
            Kind::Number(_) => Graded::free(expr.clone()),
            Kind::Name(name) => self.name(expr, name),
            Kind::Negate(inner) => self.mapped(self.read(inner), |inner| Kind::Negate(Box::new(inner)), span),
            Kind::Binary(op, left, right) => {
                let l = self.read(left);
                match op {
                    Op::Add | Op::Sub => self.sum(*op, l, self.read(right), span),
                    Op::Mul => product(l, self.read(right), span),
                    Op::Div => self.quotient(l, self.read(right), right.span, span),
                    Op::Pow => self.power(l, right, span),
                }
            }
            // `Q(…)` and `w(…)` have a value wherever their argument has one.
            Kind::Call(name, name_span, arguments) => match arguments.as_slice() {
                [argument] => {
                    let read = self.read(argument);
                    if let Some((degree, at)) = read.others.iter().find(|(degree, _)| **degree <= 0) {
                        return Graded::of_degree(*degree, *at);
                    }
                    let zero = || (Expr { kind: Kind::Number(Rational::ZERO), span: argument.span }, None);
                    let (argument, lacks) = read.free.unwrap_or_else(zero);
                    let kind = Kind::Call(name.clone(), *name_span, vec![argument]);
                    Graded { free: Some((Expr { kind, span }, lacks)), others: BTreeMap::new() }
                }
                _ => Graded::free(expr.clone()),
            },
            _ => Graded::free(expr.clone()),
        }
    }

    fn name(&self, expr: &Expr, name: &str) -> Graded {
        if self.piece.still().contains(&name) {
            return Graded::of_degree(1, expr.span);
        }
        let lacks = match (self.piece, name) {
            (Piece::Gap, "c") => Some(Reason::Posterior),
            (Piece::Corner, "x") if self.gaps => Some(Reason::Score),
            _ => None,
        };
        let lacks = lacks.map(|why| NoMeaning { piece: self.piece, span: expr.span, why });
        Graded { free: Some((expr.clone(), lacks)), others: BTreeMap::new() }
    }

    fn mapped(&self, of: Graded, make: impl FnOnce(Expr) -> Kind, span: Span) -> Graded {
        Graded { free: of.free.map(|(expr, lacks)| (Expr { kind: make(expr), span }, lacks)), others: of.others }
    }

    fn sum(&self, op: Op, left: Graded, right: Graded, span: Span) -> Graded {
        let mut others = left.others;
        for (degree, at) in right.others {
            others.entry(degree).or_insert(at);
        }
        let free = match (left.free, right.free) {
            (Some((l, a)), Some((r, b))) => {
                Some((Expr { kind: Kind::Binary(op, Box::new(l), Box::new(r)), span }, a.or(b)))
            }
            (None, Some((r, b))) if op == Op::Sub => Some((Expr { kind: Kind::Negate(Box::new(r)), span }, b)),
            (left, right) => left.or(right),
        };
        Graded { free, others }
    }

    fn quotient(&self, above: Graded, below: Graded, divisor: Span, span: Span) -> Graded {
        let Some(leading) = below.leading() else {
            // The divisor has no terms at all: it is 0.
            return Graded::of_degree(0, divisor);
        };
        // A divisor whose free part is identically 0 is 0 on the whole piece.
        if leading == 0 && below.free.as_ref().is_some_and(|(by, _)| is_identically_zero(by)) {
            return Graded::of_degree(0, divisor);
        }
        // Parts of the divisor of higher degree than the leading one vanish beside it.
        match below.free.filter(|_| leading == 0 && !below.others.contains_key(&0)) {
            Some((by, b)) => {
                let free = above
                    .free
                    .map(|(of, a)| (Expr { kind: Kind::Binary(Op::Div, Box::new(of), Box::new(by)), span }, a.or(b)));
                Graded { free, others: above.others }
            }
            None => {
                let by = below.others.get(&leading).copied().unwrap_or(divisor);
                let of_free = above.free.map(|_| (-leading, by));
                let shifted = above.others.into_iter().map(|(degree, at)| (degree - leading, at));
                Graded { free: None, others: shifted.chain(of_free).collect() }
            }
        }
    }

    fn power(&self, base: Graded, exponent: &Expr, span: Span) -> Graded {
        let Some(n) = integer_exponent(exponent) else {
            // A power with another exponent has no degree.
            return Graded::of_degree(0, exponent.span);
        };
        let raise = |(of, lacks): (Expr, Option<NoMeaning>)| {
            let kind = Kind::Binary(Op::Pow, Box::new(of), Box::new(exponent.clone()));
            (Expr { kind, span }, lacks)
        };
        if n == 0 {
            // A part of degree 0 has no value, so its power 0 has none either; a still differential to the power 0 is 0/0.
            return match base.others.values().next() {
                Some(at) => Graded::of_degree(0, *at),
                None => Graded { free: base.free.map(raise), others: BTreeMap::new() },
            };
        }
        let Some(leading) = base.leading() else {
            return if n > 0 { base } else { Graded::of_degree(0, span) };
        };
        if n < 0 {
            let leads = leading == 0
                && !base.others.contains_key(&0)
                && !base.free.as_ref().is_some_and(|(by, _)| is_identically_zero(by));
            return match base.free.filter(|_| leads) {
                Some(free) => Graded { free: Some(raise(free)), others: BTreeMap::new() },
                None => Graded::of_degree(leading.saturating_mul(n), span),
            };
        }
        // A product of n factors, each of which may be a part of any degree. Only the smallest and largest degrees matter, and 0.
        let mut others = BTreeMap::new();
        let has_free = base.free.is_some();
        for (degree, at) in &base.others {
            let least = if has_free { degree.min(&0).saturating_mul(n - 1) } else { degree.saturating_mul(n - 1) };
            others.entry(degree + least).or_insert(*at);
            others.entry(degree.saturating_mul(n)).or_insert(*at);
        }
        let signs = [base.others.keys().any(|d| *d < 0), base.others.keys().any(|d| *d > 0)];
        if signs == [true, true]
            && let Some(at) = base.others.values().next()
        {
            others.entry(0).or_insert(*at);
        }
        Graded { free: base.free.map(raise), others }
    }
}

/// The value of an integer exponent, which may be an expression: `dx^(3-2)`.
fn integer_exponent(exponent: &Expr) -> Option<i32> {
    let exact = Literal::of(&Source::new("exponent", ""), exponent).ok()?.exact?;
    i32::try_from(exact.is_int().then_some(exact)?.numerator()).ok()
}

/// Whether an expression is identically 0.
fn is_identically_zero(expr: &Expr) -> bool {
    matches!(value(expr, &[]), Quotient::Finite(value) if value.is_zero())
}

/// The product of two split expressions.
fn product(left: Graded, right: Graded, span: Span) -> Graded {
    if left.is_nothing() || right.is_nothing() {
        return Graded::default();
    }
    let mut others: BTreeMap<i32, Span> = BTreeMap::new();
    let of_left = left.others.iter().map(|(degree, at)| (*degree, *at));
    for (degree, at) in of_left.clone().filter(|_| right.free.is_some()) {
        others.entry(degree).or_insert(at);
    }
    for (degree, at) in right.others.iter().filter(|_| left.free.is_some()) {
        others.entry(*degree).or_insert(*at);
    }
    for (one, _) in of_left {
        for other in right.others.keys() {
            others.entry(one + other).or_insert(span);
        }
    }
    let free = left
        .free
        .zip(right.free)
        .map(|((l, a), (r, b))| (Expr { kind: Kind::Binary(Op::Mul, Box::new(l), Box::new(r)), span }, a.or(b)));
    Graded { free, others }
}

/// Restricts an integrand to a kind of piece: an expression in the coordinates that move or have a value there. `None` if it is 0 there.
/// `gaps` says whether the curve may have gaps.
///
/// ```
/// use rocproof_language::{Source, meaning::{Piece, Reason, restrict}, parse};
/// let on = |text: &str, piece| restrict(&parse(&Source::new("integrand", text)).unwrap(), piece, true);
/// assert_eq!(on("(x-c)^2*dR + F0 dx", Piece::Gap).unwrap().unwrap().to_string(), "F0*dx");
/// assert_eq!(on("dF0*dF1/dR", Piece::Gap), Ok(None));
/// assert_eq!(on("c dx", Piece::Gap).unwrap_err().why, Reason::Posterior);
/// assert_eq!(on("dx*dR/dR", Piece::Gap).unwrap_err().why, Reason::Still);
/// assert_eq!(on("dF0^2/dx", Piece::Tie).unwrap_err().why, Reason::Infinite);
/// assert_eq!(on("c dx on arcs", Piece::Gap), Ok(None));
/// ```
pub fn restrict(integrand: &Expr, piece: Piece, gaps: bool) -> Result<Option<Expr>, NoMeaning> {
    let (integrand, only) = split_restriction(integrand);
    if only.is_some_and(|only| only != piece) {
        return Ok(None);
    }
    let restriction = Restriction { piece, gaps };
    let Graded { free, others } = restriction.read(integrand);
    match others.iter().next() {
        // On an arc there are no still differentials, so the divisor itself is 0.
        Some((0, span)) => {
            let why = if piece == Piece::Arc { Reason::Coincidence(GENERIC.0) } else { Reason::Still };
            return Err(NoMeaning { piece, span: *span, why });
        }
        Some((degree, span)) if *degree < 0 => {
            let why = if others.contains_key(&0) { Reason::Still } else { Reason::Infinite };
            return Err(NoMeaning { piece, span: *span, why });
        }
        _ => {}
    }
    match free {
        Some((_, Some(lacks))) => Err(lacks),
        Some((expr, None)) => Ok(Some(expr)),
        None => Ok(None),
    }
}

/// Refuses an integrand that is not homogeneous of degree one in the differentials.
///
/// ```
/// use rocproof_language::{Source, meaning::has_one_differential, parse};
/// let read = |text: &str| {
///     let source = Source::new("integrand", text);
///     has_one_differential(&parse(&source).unwrap(), &source)
/// };
/// assert!(read("dF0*dF1/dR").is_ok() && read("dx*dR/(dx + dR)").is_ok() && read("0").is_ok());
/// assert!(read("F0").is_err() && read("dx*dR").is_err() && read("dR + 1").is_err() && read("w(dx) dR").is_err());
/// ```
pub fn has_one_differential(integrand: &Expr, source: &Source) -> Result<(), Diagnostic> {
    let (integrand, _) = split_restriction(integrand);
    let label = match degree(integrand, source)? {
        Some(1) | None => return Ok(()),
        Some(0) => "no differential".to_owned(),
        Some(degree) => format!("{degree} differentials"),
    };
    Err(source
        .error(integrand.span, "an integrand has one differential", label)
        .help("for example int(F0^2 dF1), int(x*(1-F0) dx), int(dF0*dF1/dR)"))
}

/// The degree of an expression in the differentials; `None` for 0, which has every degree.
fn degree(expr: &Expr, source: &Source) -> Result<Option<i32>, Diagnostic> {
    Ok(match &expr.kind {
        Kind::Number(value) if value.is_zero() => None,
        Kind::Name(name) => Some(i32::from(["dx", "dF0", "dF1", "dR", "dc"].contains(&name.as_str()))),
        Kind::Negate(inner) => degree(inner, source)?,
        Kind::Binary(op, left, right) => match (op, [degree(left, source)?, degree(right, source)?]) {
            (Op::Add | Op::Sub, [Some(l), Some(r)]) if l != r => {
                let message = "the terms of an integrand have the same number of differentials";
                let label = format!("{l} here, {r} there");
                return Err(source.error(expr.span, message, label).help("for example int(x dF0 + (1-x) dF1)"));
            }
            (Op::Add | Op::Sub, [l, r]) => l.or(r),
            (Op::Mul, [Some(l), Some(r)]) => Some(l + r),
            (Op::Div, [Some(l), Some(r)]) => Some(l - r),
            (Op::Pow, [base, _]) => match integer_exponent(right) {
                Some(0) => Some(0),
                Some(n) => base.map(|base| base.saturating_mul(n)),
                None => return Err(source.error(right.span, "a whole power is needed here", "not one")),
            },
            _ => None,
        },
        Kind::Call(name, _, arguments) => {
            for argument in arguments {
                if degree(argument, source)?.is_some_and(|degree| degree != 0) {
                    let message = format!("`{name}` is of a number, not of a differential");
                    return Err(source.error(argument.span, message, "a differential"));
                }
            }
            Some(0)
        }
        _ => Some(0),
    })
}

/// The largest power that is expanded to see where an expression is 0/0.
const LARGEST_EXPANDED: u32 = 4;

/// A coincidence of coordinates along a whole stretch: a phrase for it, and expressions to substitute for coordinates.
type Coincidence = (&'static str, &'static [(&'static str, &'static str)]);

/// No coincidence.
const GENERIC: Coincidence = ("everywhere", &[]);
/// The classes have the same distribution.
const DIAGONAL: Coincidence = ("where F0 = F1", &[("F1", "F0"), ("c", "pi1"), ("dc", "0")]);
/// The posterior is constant.
const STRAIGHT: Coincidence = ("where the posterior stands still", &[("dc", "0")]);
/// Only one class has mass; the other has not begun, or has ended.
const PURE: [Coincidence; 6] = [
    ("where c = 0", &[("c", "0"), ("dc", "0")]),
    ("where c = 1", &[("c", "1"), ("dc", "0")]),
    ("where c = 0 and F1 = 0", &[("c", "0"), ("dc", "0"), ("F1", "0")]),
    ("where c = 0 and F1 = 1", &[("c", "0"), ("dc", "0"), ("F1", "1")]),
    ("where c = 1 and F0 = 0", &[("c", "1"), ("dc", "0"), ("F0", "0")]),
    ("where c = 1 and F0 = 1", &[("c", "1"), ("dc", "0"), ("F0", "1")]),
];
/// The score is the posterior, or the predicted positive rate.
const SCORES: [Coincidence; 2] =
    [("where x = c", &[("x", "c"), ("dx", "dc")]), ("where x = R", &[("x", "R"), ("dx", "dR")])];

/// The value of an expression.
#[derive(Clone, Debug)]
enum Quotient {
    Finite(Fraction),
    Infinite,
    /// 0/0, with the place of the quotient.
    Undefined(Span),
}

/// Refuses an integrand that has no meaning on a kind of piece that the curves may have.
///
/// ```
/// use rocproof_language::{Source, meaning::{Pieces, meaning}, parse};
/// let read = |text: &str| meaning(&parse(&Source::new("integrand", text)).unwrap(), Pieces::ANY);
/// assert!(read("dF0*dF1/dR").is_ok() && read("F0/R dF0").is_ok() && read("dF0^2/dF1").is_ok());
/// assert!(read("c dx").is_err() && read("dF1/c").is_err() && read("dc*dF1/dR").is_err());
/// assert!(meaning(&parse(&Source::new("integrand", "c dx")).unwrap(), Pieces { gaps: false, ..Pieces::ANY }).is_ok());
/// ```
pub fn meaning(integrand: &Expr, pieces: Pieces) -> Result<(), NoMeaning> {
    for piece in Piece::ALL.into_iter().filter(|piece| pieces.has(*piece)) {
        let restricted = match restrict(integrand, piece, pieces.gaps) {
            Ok(Some(restricted)) => restricted,
            Ok(None) => continue,
            // An infinite integrand has a meaning: the integral is infinite.
            Err(NoMeaning { why: Reason::Infinite, .. }) => continue,
            Err(lacks) => return Err(lacks),
        };
        if matches!(piece, Piece::Gap | Piece::Corner) {
            continue;
        }
        let pure: &[Coincidence] = if pieces.pure { &PURE } else { &[] };
        let scores: &[Coincidence] = if piece == Piece::Arc { &SCORES } else { &[] };
        for (at, given) in [GENERIC, DIAGONAL, STRAIGHT].iter().chain(pure).chain(scores) {
            if let Quotient::Undefined(span) = value(&restricted, given) {
                return Err(NoMeaning { piece, span, why: Reason::Coincidence(at) });
            }
        }
    }
    Ok(())
}

/// The value of an expression with some coordinates given and the others as variables; `dF0 = (1-c) dR/π0` and `dF1 = c dR/π1`.
fn value(expr: &Expr, given: &[(&str, &str)]) -> Quotient {
    use Quotient::{Finite, Infinite, Undefined};
    match &expr.kind {
        Kind::Number(number) => Finite(Fraction::constant(number.clone())),
        Kind::Name(name) => Finite(coordinate(name, given)),
        Kind::Negate(inner) => match value(inner, given) {
            Finite(inner) => Finite(-inner),
            other => other,
        },
        Kind::Binary(Op::Pow, base, exponent) => {
            match (value(base, given), integer_exponent(exponent)) {
                (Finite(base), Some(n)) if n < 0 && base.is_zero() => Infinite,
                // A power is 0 where its base is 0, so the base stands for a large power.
                (Finite(base), Some(n)) if n.unsigned_abs() <= LARGEST_EXPANDED => {
                    Finite(base.power(n).unwrap_or(base))
                }
                (Finite(base), Some(_)) => Finite(base),
                (other, _) => other,
            }
        }
        Kind::Binary(op, left, right) => match (op, value(left, given), value(right, given)) {
            (_, Undefined(span), _) | (_, _, Undefined(span)) => Undefined(span),
            (Op::Add, Finite(l), Finite(r)) => Finite(l + r),
            (Op::Sub, Finite(l), Finite(r)) => Finite(l - r),
            (Op::Mul, Finite(l), Finite(r)) => Finite(l * r),
            (Op::Mul, Finite(zero), Infinite) | (Op::Mul, Infinite, Finite(zero)) if zero.is_zero() => {
                Undefined(expr.span)
            }
            (Op::Div, Finite(l), Finite(r)) => match l.over(&r) {
                Some(quotient) => Finite(quotient),
                None if l.is_zero() => Undefined(expr.span),
                None => Infinite,
            },
            (Op::Div, Finite(_), Infinite) => Finite(Fraction::zero()),
            (Op::Add | Op::Sub | Op::Div, Infinite, Infinite) => Undefined(expr.span),
            _ => Infinite,
        },
        // The values of `Q` and `w` are unknown numbers, unless the argument has no value.
        Kind::Call(name, _, arguments) => match arguments.first().map(|argument| value(argument, given)) {
            Some(Undefined(span)) => Undefined(span),
            Some(Infinite) => Infinite,
            _ => Finite(Fraction::variable(name.as_str())),
        },
        _ => Finite(Fraction::zero()),
    }
}

/// The value of a coordinate or a differential, with some coordinates given.
fn coordinate(name: &str, given: &[(&str, &str)]) -> Fraction {
    let of = |text: &str| {
        let Ok(expr) = parse(&Source::new("coordinate", text)) else { invariant!("`{text}` does not parse") };
        match value(&expr, given) {
            Quotient::Finite(value) => value,
            _ => invariant!("`{text}` has no value"),
        }
    };
    if let Some((_, text)) = given.iter().find(|(known, _)| *known == name) {
        return of(text);
    }
    match name {
        "pi1" => of("1 - pi0"),
        "R" => of(vocabulary("R")),
        "dF0" => of("(1-c)*dR/pi0"),
        "dF1" => of("c*dR/pi1"),
        _ => Fraction::variable(name),
    }
}

/// The definition of a name in the vocabulary.
pub fn vocabulary(name: &str) -> &'static str {
    match VOCABULARY.iter().find(|(known, ..)| *known == name) {
        Some((_, text, _)) => text,
        None => invariant!("`{name}` has no definition"),
    }
}

/// The kinds of pieces after transforms: `Even` removes ties and gaps, `Cal` creates both.
pub fn after(pieces: Pieces, transforms: &[Transform]) -> Pieces {
    transforms.iter().fold(pieces, |pieces, transform| match transform {
        Transform::Even => Pieces { ties: false, gaps: false, corners: true, ..pieces },
        Transform::Cal => Pieces { ties: true, gaps: true, corners: true, ..pieces },
        // A chord of the hull may be a tie, over an unbounded interval of scores.
        Transform::Conv => Pieces { ties: true, corners: true, ..pieces },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Condition, METRICS, Method, Primitive};

    fn read(text: &str) -> Expr {
        parse(&Source::new("integrand", text)).unwrap()
    }

    #[test]
    fn every_definition_has_a_meaning_on_every_piece() {
        let metrics = METRICS.iter().map(|metric| metric.reading);
        let losses = Method::ALL.into_iter().map(|method| method.reading());
        for reading in metrics.chain(losses) {
            if let Primitive::Integral { text, .. } = reading.resolve(Condition::Cost).unwrap().primitive {
                assert_eq!(meaning(&read(text), Pieces::ANY), Ok(()), "{text}");
            }
        }
    }

    #[test]
    fn what_counts_on_each_piece() {
        for (text, on) in [
            ("x*pi0*dF0 + F0*dx + c*dc", ["x*pi0*dF0 + F0*dx + c*dc", "x*pi0*dF0", "F0*dx", "c*dc"]),
            ("(x-c)^2*dR", ["(x - c)^2*dR", "(x - c)^2*dR", "", ""]),
            ("dF0*dF1/dR", ["dF0*dF1/dR", "dF0*dF1/dR", "", ""]),
            ("-(F0 dx) - Q(R)*dR", ["-(F0*dx) - Q(R)*dR", "-(Q(R)*dR)", "-(F0*dx)", ""]),
            ("dx*dR/(dx + dR)", ["dx*dR/(dx + dR)", "", "", ""]),
            ("c dx on arcs", ["c*dx", "", "", ""]),
            ("dx on gaps", ["", "", "dx", ""]),
        ] {
            for (piece, wanted) in Piece::ALL.into_iter().zip(on) {
                let expr = read(text);
                let found = restrict(&expr, piece, true).unwrap();
                let wanted = (!wanted.is_empty()).then(|| read(wanted).to_string());
                assert_eq!(found.map(|expr| expr.to_string()), wanted, "{text} {}", piece.place());
            }
        }
    }

    #[test]
    fn what_has_no_meaning() {
        for (text, piece, at) in [
            ("dx*dR/dR", Piece::Gap, "dR"),
            ("dx*(dR/dR)", Piece::Gap, "dR"),
            ("dc*dR/dR", Piece::Corner, "dR"),
            ("dc*dF1/dR", Piece::Corner, "dF1"),
            ("dR*dx/dx", Piece::Tie, "dx"),
            ("(c + (1-c))*dx", Piece::Gap, "c"),
            ("(1-c)*dx", Piece::Gap, "c"),
            ("x dc", Piece::Corner, "x"),
            ("w(c)*dx", Piece::Gap, "c"),
            ("dx*dF0/(dF0 + dF1)", Piece::Gap, "dF0"),
            ("dx*(dF0^2 + dF1^2)/dR^2", Piece::Gap, "dF0"),
            ("dR/(1 + dx/dx)", Piece::Tie, "dx"),
            ("0*c*dx + dx", Piece::Gap, "c"),
            ("dR + (c-c)*dx*dR/(dx-dx+dR)", Piece::Gap, "dx"),
            ("dR*dR/(dc-dc+dR)", Piece::Corner, "dc"),
            ("dR*(dR/dx)^0", Piece::Tie, "dx"),
            ("dR + 0*dx*dR/dR", Piece::Gap, "dR"),
            ("dx*dR^(1-1)", Piece::Gap, "dR"),
            ("dx*dR^(2^5)/dR^32", Piece::Gap, "dR"),
        ] {
            let lacks = meaning(&read(text), Pieces::ANY).unwrap_err();
            assert_eq!(lacks.piece, piece, "{text}");
            assert!(text[lacks.span.start..lacks.span.end].contains(at), "{text}: {lacks:?}");
        }
    }

    #[test]
    fn quotients_that_coincide_are_refused() {
        for text in [
            "dF1/c",
            "c*dR/c",
            "dF0*dF1/dF1",
            "dF0/(1-c)",
            "F1*dF0/F1",
            "(F0-F1)*dR/(F0-F1)",
            "(x-c)*dR/(x-c)",
            "dR*dc/dc",
            "(x-R)*dx/(x-R)",
            "dR/(R - pi0*F0 - pi1*F1)*(F0-F0)",
            "0*dR/(c-c)",
            "0/c*dR",
            "dR*(1+0/(x-c))",
        ] {
            let lacks = meaning(&read(text), Pieces::ANY).unwrap_err();
            assert!(matches!(lacks.why, Reason::Coincidence(_)), "{text}: {lacks:?}");
        }
        for text in ["dF0^2/dF1", "F0/R dF0", "dR/(1+c)", "dF0*dF1/(dF0+dF1)", "dR/F1", "dx/x"] {
            assert_eq!(meaning(&read(text), Pieces::ANY), Ok(()), "{text}");
        }
        assert!(meaning(&read("dF1/c"), Pieces { pure: false, ..Pieces::ANY }).is_ok());
    }
}
