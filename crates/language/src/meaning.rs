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
//! [`restrict`] is this definition. Evaluators and proofs use its result, and [`meaning`] refuses integrands without a meaning. No integrand
//! is simplified before it is restricted: that could cancel a 0/0.

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
    /// Its degree in the still differentials does not fit the integers that count it.
    Degree,
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
                "the score has no single value at a corner that lies at a gap".to_owned(),
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
            Reason::Degree => (TOO_LARGE_POWER.to_owned(), "too large".to_owned(), "write smaller powers"),
        };
        source.error(self.span, message, label).help(help)
    }

    /// The reason as a sentence, without the source.
    pub fn sentence(&self) -> String {
        match self.why {
            Reason::Posterior => "it needs the posterior in a gap, where there is none".into(),
            Reason::Score => {
                "it needs the score at a corner that may lie at a gap, where there is no single score".into()
            }
            Reason::Still => format!("it is 0/0 {}", self.piece.place()),
            Reason::Coincidence(at) => format!("it is 0/0 {} {at}", self.piece.place()),
            Reason::Infinite => format!("it is infinite {}", self.piece.place()),
            Reason::Degree => TOO_LARGE_POWER.into(),
        }
    }
}

/// The message for an integrand with a degree in the differentials that overflows.
const TOO_LARGE_POWER: &str = "a power of a differential is too large";

/// Splits `E on arcs` into the integrand `E` and the kind of piece. `None` stands for all kinds.
pub fn split_restriction(integrand: &Expr) -> (&Expr, Option<Piece>) {
    match &integrand.kind {
        Kind::OnPieces(inner, piece) => (inner, Some(*piece)),
        _ => (integrand, None),
    }
}

/// A sub-expression on a piece as a sum of parts of different degrees in the still differentials.
#[derive(Clone, Debug, Default)]
struct Graded {
    /// The part without still differentials, of degree 0; `None` if there is none.
    free: Option<FreePart>,
    /// The degrees of the other parts, with the place of one part of each degree. Degree 0 means 0/0.
    others: BTreeMap<i32, Span>,
}

/// An expression without still differentials.
#[derive(Clone, Debug)]
struct FreePart {
    expr: Expr,
    /// Why it has no value, if it contains a coordinate without one.
    lacks: Option<NoMeaning>,
}

impl FreePart {
    /// `left op right`. It lacks a value where one of them does.
    fn binary(op: Op, left: FreePart, right: FreePart, span: Span) -> FreePart {
        let kind = Kind::Binary(op, Box::new(left.expr), Box::new(right.expr));
        FreePart { expr: Expr { kind, span }, lacks: left.lacks.or(right.lacks) }
    }

    /// `-inner`.
    fn negation(inner: FreePart, span: Span) -> FreePart {
        FreePart { expr: Expr { kind: Kind::Negate(Box::new(inner.expr)), span }, lacks: inner.lacks }
    }
}

impl Graded {
    /// An expression without still differentials, which has a value.
    fn free(expr: Expr) -> Graded {
        Graded { free: Some(FreePart { expr, lacks: None }), others: BTreeMap::new() }
    }

    /// One part of a degree, at a place. Degree 0 means 0/0.
    fn of_degree(degree: i32, span: Span) -> Graded {
        Graded { free: None, others: BTreeMap::from([(degree, span)]) }
    }

    /// Whether there are no parts: the expression is 0.
    fn is_nothing(&self) -> bool {
        self.free.is_none() && self.others.is_empty()
    }

    /// The smallest degree, which dominates as the still differentials tend to 0; `None` if there are no parts.
    fn leading(&self) -> Option<i32> {
        let least_of_others = self.others.keys().next().copied();
        match &self.free {
            Some(_) => Some(least_of_others.map_or(0, |least| least.min(0))),
            None => least_of_others,
        }
    }

    /// Whether the free part alone dominates as the still differentials tend to 0, and is not identically 0.
    fn is_led_by_free_part(&self) -> bool {
        let is_nonzero = self.free.as_ref().is_some_and(|free| !is_identically_zero(&free.expr));
        is_nonzero && self.leading() == Some(0) && !self.others.contains_key(&0)
    }
}

/// A degree that overflows, with the place of the part that has it.
struct Overflow(Span);

/// Reads expressions on one kind of piece.
struct Restriction {
    piece: Piece,
    /// Whether the curve may have gaps.
    gaps: bool,
}

impl Restriction {
    /// Splits an expression by degree.
    fn split(&self, expr: &Expr) -> Result<Graded, Overflow> {
        let span = expr.span;
        Ok(match &expr.kind {
            Kind::Number(_) => Graded::free(expr.clone()),
            Kind::Name(name) => self.split_name(expr, name),
            Kind::Negate(inner) => {
                let Graded { free, others } = self.split(inner)?;
                Graded { free: free.map(|free| FreePart::negation(free, span)), others }
            }
            Kind::Binary(Op::Pow, base, exponent) => power(self.split(base)?, exponent, span)?,
            Kind::Binary(op, left, right) => {
                let [l, r] = [self.split(left)?, self.split(right)?];
                match op {
                    Op::Mul => product(l, r, span)?,
                    Op::Div => quotient(l, r, right.span, span)?,
                    // Powers are split above.
                    Op::Add | Op::Sub | Op::Pow => sum(*op, l, r, span),
                }
            }
            Kind::Call(name, name_span, arguments) => match arguments.as_slice() {
                [argument] => self.split_call((name, *name_span), argument, span)?,
                _ => Graded::free(expr.clone()),
            },
            _ => Graded::free(expr.clone()),
        })
    }

    /// Splits a name: a still differential has degree 1, and some coordinates have no value.
    fn split_name(&self, expr: &Expr, name: &str) -> Graded {
        if self.piece.still().contains(&name) {
            return Graded::of_degree(1, expr.span);
        }
        let why = match (self.piece, name) {
            (Piece::Gap, "c") => Some(Reason::Posterior),
            (Piece::Corner, "x") if self.gaps => Some(Reason::Score),
            _ => None,
        };
        let lacks = why.map(|why| NoMeaning { piece: self.piece, span: expr.span, why });
        Graded { free: Some(FreePart { expr: expr.clone(), lacks }), others: BTreeMap::new() }
    }

    /// Splits `Q(argument)` or `w(argument)`, which have a value wherever their argument has one. Parts of the argument of positive degree
    /// are 0.
    fn split_call(&self, (name, name_span): (&str, Span), argument: &Expr, span: Span) -> Result<Graded, Overflow> {
        let Graded { free, others } = self.split(argument)?;
        if let Some((degree, at)) = others.iter().find(|(degree, _)| **degree <= 0) {
            return Ok(Graded::of_degree(*degree, *at));
        }
        let zero = || FreePart { expr: Expr { kind: Kind::Number(Rational::ZERO), span: argument.span }, lacks: None };
        let argument = free.unwrap_or_else(zero);
        let kind = Kind::Call(name.to_owned(), name_span, vec![argument.expr]);
        let free = Some(FreePart { expr: Expr { kind, span }, lacks: argument.lacks });
        Ok(Graded { free, others: BTreeMap::new() })
    }
}

/// The sum or difference of two split expressions, by degree.
fn sum(op: Op, left: Graded, right: Graded, span: Span) -> Graded {
    let mut others = left.others;
    for (degree, at) in right.others {
        others.entry(degree).or_insert(at);
    }
    let free = match (left.free, right.free) {
        (Some(l), Some(r)) => Some(FreePart::binary(op, l, r, span)),
        (None, Some(r)) if op == Op::Sub => Some(FreePart::negation(r, span)),
        (left, right) => left.or(right),
    };
    Graded { free, others }
}

/// The product of two split expressions: degrees of parts add.
fn product(left: Graded, right: Graded, span: Span) -> Result<Graded, Overflow> {
    if left.is_nothing() || right.is_nothing() {
        return Ok(Graded::default());
    }
    let mut others: BTreeMap<i32, Span> = BTreeMap::new();
    if right.free.is_some() {
        others.extend(&left.others);
    }
    if left.free.is_some() {
        for (degree, at) in &right.others {
            others.entry(*degree).or_insert(*at);
        }
    }
    for l in left.others.keys() {
        for r in right.others.keys() {
            others.entry(l.checked_add(*r).ok_or(Overflow(span))?).or_insert(span);
        }
    }
    let free = left.free.zip(right.free).map(|(l, r)| FreePart::binary(Op::Mul, l, r, span));
    Ok(Graded { free, others })
}

/// The quotient of two split expressions. Beside the leading part of the divisor, its parts of higher degree vanish.
fn quotient(dividend: Graded, divisor: Graded, divisor_span: Span, span: Span) -> Result<Graded, Overflow> {
    let Some(leading) = divisor.leading() else {
        // The divisor has no parts: it is 0.
        return Ok(Graded::of_degree(0, divisor_span));
    };
    // A divisor whose leading part is identically 0 is 0 on the whole piece.
    if leading == 0 && divisor.free.as_ref().is_some_and(|free| is_identically_zero(&free.expr)) {
        return Ok(Graded::of_degree(0, divisor_span));
    }
    if divisor.is_led_by_free_part()
        && let Some(divisor) = divisor.free
    {
        let free = dividend.free.map(|dividend| FreePart::binary(Op::Div, dividend, divisor, span));
        return Ok(Graded { free, others: dividend.others });
    }
    // The divisor has the degree `leading` in still differentials, which all degrees of the dividend lose.
    let place = divisor.others.get(&leading).copied().unwrap_or(divisor_span);
    let lower = |degree: i32| degree.checked_sub(leading).ok_or(Overflow(span));
    let mut others = BTreeMap::new();
    for (degree, at) in &dividend.others {
        others.insert(lower(*degree)?, *at);
    }
    if dividend.free.is_some() {
        others.insert(lower(0)?, place);
    }
    Ok(Graded { free: None, others })
}

/// A split expression to a power. An exponent that is not an integer gives a part without meaning.
fn power(base: Graded, exponent: &Expr, span: Span) -> Result<Graded, Overflow> {
    let Some(n) = integer_exponent(exponent) else {
        return Ok(Graded::of_degree(0, exponent.span));
    };
    let raise = |FreePart { expr, lacks }: FreePart| {
        let kind = Kind::Binary(Op::Pow, Box::new(expr), Box::new(exponent.clone()));
        FreePart { expr: Expr { kind, span }, lacks }
    };
    Ok(match n {
        // A part of degree 0 has no value, so its power 0 has none either; a still differential to the power 0 is 0/0.
        0 => match base.others.values().next() {
            Some(at) => Graded::of_degree(0, *at),
            None => Graded { free: base.free.map(raise), others: BTreeMap::new() },
        },
        1.. => Graded { others: degrees_of_power(&base, n, span)?, free: base.free.map(raise) },
        // A negative power is the quotient 1/base^|n|.
        _ => match base.leading() {
            None => Graded::of_degree(0, span),
            Some(_) if base.is_led_by_free_part() => Graded { free: base.free.map(raise), others: BTreeMap::new() },
            Some(leading) => Graded::of_degree(leading.checked_mul(n).ok_or(Overflow(span))?, span),
        },
    })
}

/// The degrees of the parts of `base^n` with still differentials, for `n > 0`. The power is a sum of products of `n` parts. Only its smallest
/// and its largest degrees are noted, and 0: they decide whether the power has a meaning.
fn degrees_of_power(base: &Graded, n: i32, span: Span) -> Result<BTreeMap<i32, Span>, Overflow> {
    let mut degrees = BTreeMap::new();
    for (degree, at) in &base.others {
        // One factor is this part. The others are free if that makes the degree smaller, else they are this part too.
        let other_factors = if base.free.is_some() { *degree.min(&0) } else { *degree };
        let lowest = other_factors.checked_mul(n - 1).and_then(|others| others.checked_add(*degree));
        degrees.entry(lowest.ok_or(Overflow(span))?).or_insert(*at);
        degrees.entry(degree.checked_mul(n).ok_or(Overflow(span))?).or_insert(*at);
    }
    // Parts of negative and of positive degree may combine to degree 0.
    let has_negative = base.others.keys().any(|degree| *degree < 0);
    let has_positive = base.others.keys().any(|degree| *degree > 0);
    if has_negative
        && has_positive
        && let Some(at) = base.others.values().next()
    {
        degrees.entry(0).or_insert(*at);
    }
    Ok(degrees)
}

/// The value of an integer exponent, which may be an expression: `dx^(3-2)`.
fn integer_exponent(exponent: &Expr) -> Option<i32> {
    let exact = Literal::of(&Source::new("exponent", ""), exponent).ok()?.exact?;
    i32::try_from(exact.is_int().then_some(exact)?.numerator()).ok()
}

/// Whether an expression is identically 0.
fn is_identically_zero(expr: &Expr) -> bool {
    matches!(value(expr, &[]), SymbolicValue::Finite(value) if value.is_zero())
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
    let overflow = |Overflow(span)| NoMeaning { piece, span, why: Reason::Degree };
    let Graded { free, others } = Restriction { piece, gaps }.split(integrand).map_err(overflow)?;
    // Parts of positive degree are 0. One of degree 0 or less has no meaning; the smallest degree is reported.
    if let Some((degree, span)) = others.first_key_value().filter(|(degree, _)| **degree <= 0) {
        let why = if *degree == 0 && piece == Piece::Arc {
            // On an arc there are no still differentials, so the divisor itself is 0.
            Reason::Coincidence(GENERIC.phrase)
        } else if others.contains_key(&0) {
            Reason::Still
        } else {
            Reason::Infinite
        };
        return Err(NoMeaning { piece, span: *span, why });
    }
    match free {
        Some(FreePart { lacks: Some(lacks), .. }) => Err(lacks),
        Some(FreePart { expr, lacks: None }) => Ok(Some(expr)),
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
    let too_large = || source.error(expr.span, TOO_LARGE_POWER, "too large").help("write smaller powers");
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
            (Op::Mul, [Some(l), Some(r)]) => Some(l.checked_add(r).ok_or_else(too_large)?),
            (Op::Div, [Some(l), Some(r)]) => Some(l.checked_sub(r).ok_or_else(too_large)?),
            (Op::Pow, [base, _]) => match integer_exponent(right) {
                Some(0) => Some(0),
                Some(n) => base.map(|base| base.checked_mul(n).ok_or_else(too_large)).transpose()?,
                None => return Err(source.error(right.span, "a whole power is needed here", "not one")),
            },
            _ => None,
        },
        Kind::Call(name, _, arguments) => {
            for argument in arguments {
                if degree(argument, source)?.is_some_and(|degree| degree != 0) {
                    let message = format!("`{name}` takes a number, not a differential");
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

/// A coincidence of coordinates along a whole stretch.
struct Coincidence {
    /// A phrase for it: "where x = c".
    phrase: &'static str,
    /// Coordinates, each with the expression that it equals.
    substitutions: &'static [(&'static str, &'static str)],
}

const fn coincidence(phrase: &'static str, substitutions: &'static [(&'static str, &'static str)]) -> Coincidence {
    Coincidence { phrase, substitutions }
}

/// No coincidence.
const GENERIC: Coincidence = coincidence("everywhere", &[]);
/// The classes have the same distribution.
const DIAGONAL: Coincidence = coincidence("where F0 = F1", &[("F1", "F0"), ("c", "pi1"), ("dc", "0")]);
/// The posterior is constant.
const STRAIGHT: Coincidence = coincidence("where the posterior stands still", &[("dc", "0")]);
/// Only one class has mass; the other has not begun, or has ended.
const PURE: [Coincidence; 6] = [
    coincidence("where c = 0", &[("c", "0"), ("dc", "0")]),
    coincidence("where c = 1", &[("c", "1"), ("dc", "0")]),
    coincidence("where c = 0 and F1 = 0", &[("c", "0"), ("dc", "0"), ("F1", "0")]),
    coincidence("where c = 0 and F1 = 1", &[("c", "0"), ("dc", "0"), ("F1", "1")]),
    coincidence("where c = 1 and F0 = 0", &[("c", "1"), ("dc", "0"), ("F0", "0")]),
    coincidence("where c = 1 and F0 = 1", &[("c", "1"), ("dc", "0"), ("F0", "1")]),
];
/// Both classes have reached the same rate at a gap or a corner.
const SAME_RATE: Coincidence = coincidence("where F0 = F1", &[("F1", "F0")]);
/// A class has not begun, or has ended, at a gap or a corner.
const ENDS: [Coincidence; 8] = [
    coincidence("where F0 = 0", &[("F0", "0")]),
    coincidence("where F0 = 1", &[("F0", "1")]),
    coincidence("where F1 = 0", &[("F1", "0")]),
    coincidence("where F1 = 1", &[("F1", "1")]),
    coincidence("where F0 = 0 and F1 = 0", &[("F0", "0"), ("F1", "0")]),
    coincidence("where F0 = 0 and F1 = 1", &[("F0", "0"), ("F1", "1")]),
    coincidence("where F0 = 1 and F1 = 0", &[("F0", "1"), ("F1", "0")]),
    coincidence("where F0 = 1 and F1 = 1", &[("F0", "1"), ("F1", "1")]),
];
/// The score is the posterior, or the predicted positive rate.
const SCORES: [Coincidence; 2] =
    [coincidence("where x = c", &[("x", "c"), ("dx", "dc")]), coincidence("where x = R", &[("x", "R"), ("dx", "dR")])];

/// The value of an expression in the coordinates, as a symbolic fraction.
#[derive(Clone, Debug)]
enum SymbolicValue {
    Finite(Fraction),
    /// A number other than 0, divided by 0.
    Infinite,
    /// 0/0, with the place of the quotient.
    Undefined(Span),
}

/// Refuses an integrand that has no meaning on a kind of piece that the curves may have, or that is 0/0 along a whole piece where
/// coordinates coincide.
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
        for coincidence in coincidences(piece, pieces) {
            if let SymbolicValue::Undefined(span) = value(&restricted, coincidence.substitutions) {
                return Err(NoMeaning { piece, span, why: Reason::Coincidence(coincidence.phrase) });
            }
        }
    }
    Ok(())
}

/// The coincidences that a piece may have along its whole length.
fn coincidences(piece: Piece, pieces: Pieces) -> Vec<&'static Coincidence> {
    let pure: &[Coincidence] = if pieces.pure { &PURE } else { &[] };
    match piece {
        Piece::Arc => [&GENERIC, &DIAGONAL, &STRAIGHT].into_iter().chain(pure).chain(&SCORES).collect(),
        Piece::Tie => [&GENERIC, &DIAGONAL, &STRAIGHT].into_iter().chain(pure).collect(),
        Piece::Gap | Piece::Corner => [&GENERIC, &SAME_RATE].into_iter().chain(&ENDS).collect(),
    }
}

/// The value of an expression in `x`, `F0`, `F1`, `c` and their differentials. `substitutions` gives expressions for some of these
/// coordinates; the others are variables.
fn value(expr: &Expr, substitutions: &[(&str, &str)]) -> SymbolicValue {
    use SymbolicValue::{Finite, Infinite, Undefined};
    match &expr.kind {
        Kind::Number(number) => Finite(Fraction::constant(number.clone())),
        Kind::Name(name) => Finite(coordinate(name, substitutions)),
        Kind::Negate(inner) => match value(inner, substitutions) {
            Finite(inner) => Finite(-inner),
            not_finite => not_finite,
        },
        Kind::Binary(Op::Pow, base, exponent) => {
            match (value(base, substitutions), integer_exponent(exponent)) {
                (Finite(base), Some(n)) if n < 0 && base.is_zero() => Infinite,
                (Finite(base), Some(n)) if n.unsigned_abs() <= LARGEST_EXPANDED => {
                    Finite(base.power(n).unwrap_or(base))
                }
                // A power is 0 where its base is 0, so the base stands for a large power.
                (Finite(base), Some(_)) => Finite(base),
                (base, _) => base,
            }
        }
        Kind::Binary(op, left, right) => {
            combine(*op, value(left, substitutions), value(right, substitutions), expr.span)
        }
        // The values of `Q` and `w` are unknown numbers, unless the argument has no value.
        Kind::Call(name, _, arguments) => match arguments.first().map(|argument| value(argument, substitutions)) {
            Some(Undefined(span)) => Undefined(span),
            Some(Infinite) => Infinite,
            _ => Finite(Fraction::variable(name.as_str())),
        },
        _ => Finite(Fraction::zero()),
    }
}

/// The value of `left op right`, for operations other than powers; `span` is its place. 0·∞, 0/0, ∞/∞ and ∞ ± ∞ are undefined.
fn combine(op: Op, left: SymbolicValue, right: SymbolicValue, span: Span) -> SymbolicValue {
    use SymbolicValue::{Finite, Infinite, Undefined};
    match (op, left, right) {
        (_, Undefined(span), _) | (_, _, Undefined(span)) => Undefined(span),
        (Op::Add, Finite(l), Finite(r)) => Finite(l + r),
        (Op::Sub, Finite(l), Finite(r)) => Finite(l - r),
        (Op::Mul, Finite(l), Finite(r)) => Finite(l * r),
        (Op::Mul, Finite(zero), Infinite) | (Op::Mul, Infinite, Finite(zero)) if zero.is_zero() => Undefined(span),
        (Op::Div, Finite(l), Finite(r)) => match l.over(&r) {
            Some(quotient) => Finite(quotient),
            None if l.is_zero() => Undefined(span),
            None => Infinite,
        },
        (Op::Div, Finite(_), Infinite) => Finite(Fraction::zero()),
        (Op::Add | Op::Sub | Op::Div, Infinite, Infinite) => Undefined(span),
        _ => Infinite,
    }
}

/// The value of a coordinate or a differential: its substitution, its definition, or a variable. The differentials of the classes are
/// `dF0 = (1-c) dR/π0` and `dF1 = c dR/π1`.
fn coordinate(name: &str, substitutions: &[(&str, &str)]) -> Fraction {
    let value_of = |text: &str| {
        let Ok(expr) = parse(&Source::new("coordinate", text)) else { invariant!("`{text}` does not parse") };
        match value(&expr, substitutions) {
            SymbolicValue::Finite(value) => value,
            _ => invariant!("`{text}` has no value"),
        }
    };
    if let Some((_, text)) = substitutions.iter().find(|(known, _)| *known == name) {
        return value_of(text);
    }
    match name {
        "pi1" => value_of("1 - pi0"),
        "R" => value_of(vocabulary("R")),
        "dF0" => value_of("(1-c)*dR/pi0"),
        "dF1" => value_of("c*dR/pi1"),
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

/// The kinds of pieces that curves may have after transforms, if they have `pieces` before: `Even` removes ties and gaps, `Cal` creates both.
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
    fn restriction_keeps_terms_without_still_differentials() {
        // An integrand, and its restriction to an arc, a tie, a gap and a corner; empty where it is 0.
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
    fn integrands_without_meaning_are_refused_at_their_place() {
        // An integrand, the first kind of piece where it has no meaning, and a text that the reported place contains.
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

    /// Degrees were added unchecked: in a release build a sum beyond the integers wrapped around.
    #[test]
    fn degrees_that_overflow_are_refused() {
        let huge = "(dx^65536)^32767";
        for text in ["((dx^65536)^65536)/dx", &format!("{huge}*{huge}"), &format!("1/{huge}/{huge}/{huge}")] {
            let source = Source::new("integrand", text);
            let refusal = has_one_differential(&parse(&source).unwrap(), &source).unwrap_err();
            assert_eq!(refusal.message, TOO_LARGE_POWER, "{text}");
        }
        // The degree in all differentials is one; that in the still ones overflows.
        for text in [
            "dx*((dR/dx)^65536)^65536",
            "dx*((dR/dx)^65536)^(-65536)",
            "dx*((1 + dR/dx)^65536)^65536",
            "dx*((dR/dx)^65536)^32767*((dR/dx)^65536)^32767",
        ] {
            assert!(has_one_differential(&read(text), &Source::new("integrand", text)).is_ok(), "{text}");
            let lacks = restrict(&read(text), Piece::Gap, true).unwrap_err();
            assert_eq!((lacks.piece, lacks.why), (Piece::Gap, Reason::Degree), "{text}");
        }
    }

    #[test]
    fn quotients_that_are_0_over_0_where_coordinates_coincide_are_refused() {
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
            "(F0-F1)/(F0-F1)*dx on gaps",
            "F0/R*dx on gaps",
            "(1-F0)/(1-R)*dx",
            "F1/F1*dc on corners",
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
