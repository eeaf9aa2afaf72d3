//! What an integrand means on each kind of piece that a curve is made of.
//!
//! A curve `u ↦ (x, F1, F0)` is a chain of arcs, ties, gaps and corners. On each of them some coordinates stand still:
//!
//! | piece | moves | stands still | has no value |
//! | --- | --- | --- | --- |
//! | arc | `x`, `F0`, `F1`, `c` | | |
//! | tie | `F0`, `F1` | `x`, `c` | |
//! | gap | `x` | `F0`, `F1` | `c`: there is no mass to have a posterior |
//! | corner | `c` | `F0`, `F1` | `x`, if the models have gaps: a corner at a gap has a whole interval of scores |
//!
//! An integrand is homogeneous of degree one in the differentials. On a piece it means this: a term with a positive degree in
//! differentials that stand still is 0 there, whatever multiplies it (`(x-c)^2*dR` in a gap, `dF0*dF1/dR` in a gap). A term of degree 0
//! in them must not mention them at all, or any coordinate without a value: `dx*dR/dR` and `c*dx` have no meaning in a gap,
//! `dR*dx/dx` none on a tie, `dc*dR/dR` none at a corner. `E on arcs` counts on arcs only.
//!
//! [`restrict`] is that definition. Evaluators run what it leaves, proofs work on what it leaves, and [`meaning`] refuses what it leaves
//! nothing of. Nothing is simplified before it has been restricted.

pub use crate::piece::Piece;

use crate::definition::{Transform, VOCABULARY};
use crate::{Diagnostic, Expr, Kind, Literal, Op, Source, Span, parse};
use rocproof_algebra::{Fraction, Rational, invariant};
use std::collections::BTreeMap;

/// Of which pieces the curves of some models are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Whether scores may tie.
    pub ties: bool,
    /// Whether there may be scores without mass.
    pub gaps: bool,
    /// Whether the posterior may jump.
    pub corners: bool,
    /// Whether one class may be alone on a stretch: `c` is 0 or 1 there.
    pub pure: bool,
}

impl Pieces {
    /// Everything.
    pub const ANY: Pieces = Pieces { ties: true, gaps: true, corners: true, pure: true };

    /// Whether there may be such pieces.
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
    /// On which piece.
    pub piece: Piece,
    /// Which part of it.
    pub span: Span,
    /// Why.
    pub why: Reason,
}

/// What is wrong with a part of an integrand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It needs the posterior where there is no mass.
    Posterior,
    /// It needs the score at a corner, where there may be a gap.
    Score,
    /// It is 0/0: it divides by a differential that stands still, and multiplies by one.
    Still,
    /// It is 0/0 where some coordinates are what they are.
    Coincidence(&'static str),
    /// It divides by a differential that stands still: it is infinite.
    Infinite,
}

impl NoMeaning {
    /// The message for whoever wrote the integrand, which stands in a source.
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

/// An integrand and the pieces that it counts on: all, or those after `on`.
pub fn split_restriction(integrand: &Expr) -> (&Expr, Option<Piece>) {
    match &integrand.kind {
        Kind::OnPieces(inner, piece) => (inner, Some(*piece)),
        _ => (integrand, None),
    }
}

/// A sub-expression on a piece, by its degrees in the differentials that stand still.
#[derive(Clone, Debug, Default)]
struct Graded {
    /// The part that has nothing to do with them, and what it needs that has no value.
    free: Option<(Expr, Option<NoMeaning>)>,
    /// The degrees of all other parts, and where one stands. Degree 0 is 0/0.
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

    /// The smallest degree: what is left when everything that stands still is almost 0.
    fn leading(&self) -> Option<i32> {
        let others = self.others.keys().next().copied();
        if self.free.is_some() { Some(others.map_or(0, |least| least.min(0))) } else { others }
    }
}

struct Restriction {
    piece: Piece,
    gaps: bool,
}

impl Restriction {
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
            // `Q(…)` and `w(…)` have values wherever their arguments have.
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
            // The divisor vanishes on the whole piece.
            return Graded::of_degree(0, divisor);
        };
        // A divisor that is 0 on the whole piece divides nothing.
        if leading == 0 && below.free.as_ref().is_some_and(|(by, _)| vanishes(by)) {
            return Graded::of_degree(0, divisor);
        }
        // What is smaller than the leading part of the divisor vanishes beside it.
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
        let Some(n) = whole_number(exponent) else {
            // A power that is not whole has no degree.
            return Graded::of_degree(0, exponent.span);
        };
        let raise = |(of, lacks): (Expr, Option<NoMeaning>)| {
            let kind = Kind::Binary(Op::Pow, Box::new(of), Box::new(exponent.clone()));
            (Expr { kind, span }, lacks)
        };
        if n == 0 {
            // What has no value has no power either.
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
                && !base.free.as_ref().is_some_and(|(by, _)| vanishes(by));
            return match base.free.filter(|_| leads) {
                Some(free) => Graded { free: Some(raise(free)), others: BTreeMap::new() },
                None => Graded::of_degree(leading.saturating_mul(n), span),
            };
        }
        // Each of the factors may be of any of the degrees.
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

/// The exponent of a whole power, which may be written as a sum: `dx^(3-2)`.
fn whole_number(exponent: &Expr) -> Option<i32> {
    let exact = Literal::of(&Source::new("exponent", ""), exponent).ok()?.exact?;
    i32::try_from(exact.is_int().then_some(exact)?.numerator()).ok()
}

/// Whether an expression is 0 wherever it is read.
fn vanishes(expr: &Expr) -> bool {
    matches!(value(expr, &[]), Quotient::Finite(value) if value.is_zero())
}

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

/// What an integrand is on a piece of a curve that may have gaps or not: an expression in what moves and has a value there; `None` if
/// nothing of it counts there.
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
        // On an arc nothing stands still: the divisor is 0 itself.
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

/// Refuses what is not homogeneous of degree one in the differentials.
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

/// How many differentials an expression multiplies; `None` for zero, which has any number.
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
            (Op::Pow, [base, _]) => match whole_number(right) {
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

/// The largest power that is written out to see where an expression is 0/0.
const WRITTEN_OUT: u32 = 4;

/// What coordinates may be along a whole stretch: how that is said, and what stands for them.
type Coincidence = (&'static str, &'static [(&'static str, &'static str)]);

/// Any stretch.
const GENERIC: Coincidence = ("everywhere", &[]);
/// Where classes score alike.
const DIAGONAL: Coincidence = ("where F0 = F1", &[("F1", "F0"), ("c", "pi1"), ("dc", "0")]);
/// Where the posterior stands still.
const STRAIGHT: Coincidence = ("where the posterior stands still", &[("dc", "0")]);
/// Where one class is alone, and the other has not begun, or has ended.
const PURE: [Coincidence; 6] = [
    ("where c = 0", &[("c", "0"), ("dc", "0")]),
    ("where c = 1", &[("c", "1"), ("dc", "0")]),
    ("where c = 0 and F1 = 0", &[("c", "0"), ("dc", "0"), ("F1", "0")]),
    ("where c = 0 and F1 = 1", &[("c", "0"), ("dc", "0"), ("F1", "1")]),
    ("where c = 1 and F0 = 0", &[("c", "1"), ("dc", "0"), ("F0", "0")]),
    ("where c = 1 and F0 = 1", &[("c", "1"), ("dc", "0"), ("F0", "1")]),
];
/// Where scores are what they are called after, or stand at an end of the scale.
const SCORES: [Coincidence; 2] =
    [("where x = c", &[("x", "c"), ("dx", "dc")]), ("where x = R", &[("x", "R"), ("dx", "dR")])];

/// A value, or what stands in its place.
#[derive(Clone, Debug)]
enum Quotient {
    Finite(Fraction),
    Infinite,
    /// 0/0, and where.
    Nothing(Span),
}

/// Refuses an integrand that has no meaning on a piece of these curves.
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
            // An infinite value is a value, if not a number.
            Err(NoMeaning { why: Reason::Infinite, .. }) => continue,
            Err(lacks) => return Err(lacks),
        };
        if matches!(piece, Piece::Gap | Piece::Corner) {
            continue;
        }
        let pure: &[Coincidence] = if pieces.pure { &PURE } else { &[] };
        let scores: &[Coincidence] = if piece == Piece::Arc { &SCORES } else { &[] };
        for (at, given) in [GENERIC, DIAGONAL, STRAIGHT].iter().chain(pure).chain(scores) {
            if let Quotient::Nothing(span) = value(&restricted, given) {
                return Err(NoMeaning { piece, span, why: Reason::Coincidence(at) });
            }
        }
    }
    Ok(())
}

/// The value of an expression where some coordinates are given, the others any: `dF0 = (1-c) dR/π0` and `dF1 = c dR/π1`.
fn value(expr: &Expr, given: &[(&str, &str)]) -> Quotient {
    use Quotient::{Finite, Infinite, Nothing};
    match &expr.kind {
        Kind::Number(number) => Finite(Fraction::constant(number.clone())),
        Kind::Name(name) => Finite(coordinate(name, given)),
        Kind::Negate(inner) => match value(inner, given) {
            Finite(inner) => Finite(-inner),
            other => other,
        },
        Kind::Binary(Op::Pow, base, exponent) => {
            match (value(base, given), whole_number(exponent)) {
                (Finite(base), Some(n)) if n < 0 && base.is_zero() => Infinite,
                // A power is 0 where its base is: a large one need not be written out to see that.
                (Finite(base), Some(n)) if n.unsigned_abs() <= WRITTEN_OUT => Finite(base.power(n).unwrap_or(base)),
                (Finite(base), Some(_)) => Finite(base),
                (other, _) => other,
            }
        }
        Kind::Binary(op, left, right) => match (op, value(left, given), value(right, given)) {
            (_, Nothing(span), _) | (_, _, Nothing(span)) => Nothing(span),
            (Op::Add, Finite(l), Finite(r)) => Finite(l + r),
            (Op::Sub, Finite(l), Finite(r)) => Finite(l - r),
            (Op::Mul, Finite(l), Finite(r)) => Finite(l * r),
            (Op::Mul, Finite(zero), Infinite) | (Op::Mul, Infinite, Finite(zero)) if zero.is_zero() => {
                Nothing(expr.span)
            }
            (Op::Div, Finite(l), Finite(r)) => match l.over(&r) {
                Some(quotient) => Finite(quotient),
                None if l.is_zero() => Nothing(expr.span),
                None => Infinite,
            },
            (Op::Div, Finite(_), Infinite) => Finite(Fraction::zero()),
            (Op::Add | Op::Sub | Op::Div, Infinite, Infinite) => Nothing(expr.span),
            _ => Infinite,
        },
        // The loss and the density of costs are any numbers, but for what has none.
        Kind::Call(name, _, arguments) => match arguments.first().map(|argument| value(argument, given)) {
            Some(Nothing(span)) => Nothing(span),
            Some(Infinite) => Infinite,
            _ => Finite(Fraction::variable(name.as_str())),
        },
        _ => Finite(Fraction::zero()),
    }
}

/// A coordinate or a differential, where some coordinates are given.
fn coordinate(name: &str, given: &[(&str, &str)]) -> Fraction {
    if let Some((_, text)) = given.iter().find(|(known, _)| *known == name) {
        let Ok(expr) = parse(&Source::new("coordinate", *text)) else { invariant!("`{text}` does not parse") };
        match value(&expr, given) {
            Quotient::Finite(value) => return value,
            _ => invariant!("`{text}` has no value"),
        }
    }
    let of = |text: &str| {
        let Ok(expr) = parse(&Source::new("coordinate", text)) else { invariant!("`{text}` does not parse") };
        match value(&expr, given) {
            Quotient::Finite(value) => value,
            _ => invariant!("`{text}` has no value"),
        }
    };
    match name {
        "pi1" => of("1 - pi0"),
        "R" => of(vocabulary("R")),
        "dF0" => of("(1-c)*dR/pi0"),
        "dF1" => of("c*dR/pi1"),
        _ => Fraction::variable(name),
    }
}

/// What a name is defined as.
pub fn vocabulary(name: &str) -> &'static str {
    match VOCABULARY.iter().find(|(known, ..)| *known == name) {
        Some((_, text, _)) => text,
        None => invariant!("`{name}` has no definition"),
    }
}

/// Of which pieces the curve of a transformed model is made: `Even` leaves neither ties nor gaps, `Cal` makes both.
pub fn after(pieces: Pieces, transforms: &[Transform]) -> Pieces {
    transforms.iter().fold(pieces, |pieces, transform| match transform {
        Transform::Even => Pieces { ties: false, gaps: false, corners: true, ..pieces },
        Transform::Cal => Pieces { ties: true, gaps: true, corners: true, ..pieces },
        // A chord over an unbounded interval of scores is a tie.
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
