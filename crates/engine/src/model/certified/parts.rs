//! A density as the certified level reads it: parts with enclosed weights, and atoms.

use super::march::{self, Trouble};
use super::place::Place;
use super::shape::Shape;
use super::typed::Typed;
use crate::constant::Constant;
use crate::model::build::is_density;
use crate::model::family::expression;
use crate::model::piecewise::Piecewise;
use rocproof_arith::{Interval, Polynomial, Rational, log_beta};
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source};
use std::cmp::Ordering;
use std::sync::Arc;

/// The integral of a typed density that is known no better than this says nothing.
const WIDEST_MASS: f64 = 1e-6;

/// A family on an interval.
#[derive(Clone, Debug)]
pub struct Part {
    /// What its density is multiplied with.
    pub weight: Interval,
    /// The family.
    pub shape: Arc<Shape>,
    /// Where it starts and ends.
    pub ends: [Place; 2],
    /// Its mass with the weight, where that is known without integrating.
    mass: Option<Interval>,
    /// Whether it has to be shown that it is not negative.
    pub is_typed: bool,
}

/// A point mass.
#[derive(Clone, Debug)]
pub struct Atom {
    /// Where.
    pub place: Place,
    /// How much.
    pub mass: Interval,
}

/// What a density is made of.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The smooth part.
    pub parts: Vec<Part>,
    /// The atoms.
    pub atoms: Vec<Atom>,
}

impl Parts {
    /// Reads a density that has been found to be one numerically, and certifies that it is.
    pub fn read(source: &Source, expr: &Expr) -> Result<Parts, Diagnostic> {
        let parts = lower(source, expr)?;
        let mass = parts.mass(source, expr)?;
        if !mass.contains(1.0) {
            return Err(source
                .error(
                    expr.span,
                    "a density must integrate to 1, but this provably does not",
                    format!("its integral lies in [{}, {}]", mass.lo(), mass.hi()),
                )
                .help(format!("normalize({}) divides by it", source.text.trim())));
        }
        if mass.width() > WIDEST_MASS {
            return Err(unknown(source, expr, "the integral of this density could not be enclosed"));
        }
        Ok(parts)
    }

    /// A density that is known exactly, as one polynomial between any two places, and the atoms.
    pub fn of_pieces(pieces: &Piecewise) -> Parts {
        let mut parts = Parts::default();
        for piece in &pieces.pieces {
            let ends = [&piece.lo, &piece.hi].map(|end| Place::rational(end.clone()));
            let shape = Shape::Typed(Typed::polynomial(&piece.density, ends.clone()));
            let mass = Interval::of(&piece.density.integral(&piece.lo, &piece.hi));
            parts.join(Parts::part(shape, Interval::ONE, ends, Some(mass)));
        }
        // That they are not negative was seen when they were read.
        parts.parts.iter_mut().for_each(|part| part.is_typed = false);
        let atom = |(place, mass): &(Rational, Rational)| Atom {
            place: Place::rational(place.clone()),
            mass: Interval::of(mass),
        };
        parts.atoms = pieces.atoms.iter().map(atom).collect();
        parts
    }

    /// Whether it is one family alone that has logarithms.
    pub fn is_family(&self) -> bool {
        matches!((self.parts.as_slice(), self.atoms.as_slice()), ([part], []) if !matches!(*part.shape, Shape::Typed(_)))
    }

    fn scale(&mut self, by: Interval) {
        for part in &mut self.parts {
            part.weight = part.weight * by;
            part.mass = part.mass.map(|mass| mass * by);
        }
        self.atoms.iter_mut().for_each(|atom| atom.mass = atom.mass * by);
    }

    fn join(&mut self, other: Parts) {
        self.parts.extend(other.parts);
        self.atoms.extend(other.atoms);
    }

    /// The mass of everything.
    fn mass(&self, source: &Source, expr: &Expr) -> Result<Interval, Diagnostic> {
        let mut total = self.atoms.iter().fold(Interval::ZERO, |sum, atom| sum + atom.mass);
        for part in &self.parts {
            total = total
                + match part.mass {
                    Some(mass) => mass,
                    None => march::mass(part).map_err(|trouble| refused(source, expr, &trouble))?,
                };
        }
        Ok(total)
    }

    fn normalised(mut self, source: &Source, expr: &Expr) -> Result<Parts, Diagnostic> {
        let mass = self.mass(source, expr)?;
        if !mass.is_positive() {
            return Err(unknown(source, expr, "the integral of this density could not be enclosed away from 0"));
        }
        self.scale(Interval::ONE / mass);
        // One part alone has all the mass now.
        if let ([part], []) = (self.parts.as_mut_slice(), self.atoms.as_slice()) {
            part.mass = Some(Interval::ONE);
        }
        Ok(self)
    }

    fn part(shape: Shape, weight: Interval, ends: [Place; 2], mass: Option<Interval>) -> Parts {
        let is_typed = matches!(shape, Shape::Typed(_));
        let part = Part { weight, shape: Arc::new(shape), ends, mass, is_typed };
        Parts { parts: vec![part], atoms: Vec::new() }
    }
}

/// A density that is negative somewhere is none; all else is beyond this level.
fn refused(source: &Source, expr: &Expr, trouble: &Trouble) -> Diagnostic {
    match trouble {
        Trouble::Negative(x) => {
            let label = format!("negative at x = {}", march::written(*x));
            source.error(expr.span, "a density must not be negative, but this provably is", label).proved()
        }
        _ => unknown(source, expr, &trouble.to_string()),
    }
}

/// What the certified level cannot do here.
fn unknown(source: &Source, expr: &Expr, what: &str) -> Diagnostic {
    source
        .error(expr.span, format!("no certified level here: {what}"), "not certified")
        .help("--level numeric gives estimates with their errors")
}

fn lower(source: &Source, expr: &Expr) -> Result<Parts, Diagnostic> {
    if !is_density(expr) {
        return piece(source, expr, [Rational::ZERO, Rational::ONE].map(Place::rational));
    }
    match &expr.kind {
        Kind::Call(name, _, arguments) => call(source, expr, name, arguments),
        Kind::Pieces(items) => items.iter().try_fold(Parts::default(), |mut parts, item| {
            parts.join(lower(source, item)?);
            Ok(parts)
        }),
        Kind::Atoms(items) => {
            let atom = |(place, mass): &(Expr, Expr)| -> Result<Atom, Diagnostic> {
                Ok(Atom { place: Place::read(source, place)?, mass: Constant::of(source, mass)?.enclosure })
            };
            let atoms = items.iter().map(atom).collect::<Result<Vec<_>, _>>()?;
            Ok(Parts { parts: Vec::new(), atoms: atoms.into_iter().filter(|a| a.mass != Interval::ZERO).collect() })
        }
        Kind::On(inner, ends) => piece(source, inner, [Place::read(source, &ends[0])?, Place::read(source, &ends[1])?]),
        Kind::Binary(Op::Add, left, right) => {
            let mut parts = lower(source, left)?;
            parts.join(lower(source, right)?);
            Ok(parts)
        }
        Kind::Binary(op @ (Op::Mul | Op::Div), left, right) => {
            let (weight, of) = if is_density(left) { (right, left) } else { (left, right) };
            let value = Constant::of(source, weight)?.enclosure;
            let value = if *op == Op::Div { Interval::ONE / value } else { value };
            if value == Interval::ZERO {
                return Ok(Parts::default());
            }
            let mut parts = lower(source, of)?;
            parts.scale(value);
            Ok(parts)
        }
        _ => Err(unknown(source, expr, "this is not a mixture of densities")),
    }
}

fn piece(source: &Source, expr: &Expr, ends: [Place; 2]) -> Result<Parts, Diagnostic> {
    if expression::polynomial(expr).is_some_and(|p| p.is_zero()) {
        return Ok(Parts::default());
    }
    let typed = Typed::read(source, expr, ends.clone())?;
    let mass = typed.exact_mass.as_ref().map(Interval::of);
    Ok(Parts::part(Shape::Typed(typed), Interval::ONE, ends, mass))
}

fn call(source: &Source, expr: &Expr, name: &str, arguments: &[Expr]) -> Result<Parts, Diagnostic> {
    match name {
        "normalize" => return lower(source, &arguments[0])?.normalised(source, expr),
        "truncate" => {
            let ends = [Place::read(source, &arguments[1])?, Place::read(source, &arguments[2])?];
            return truncated(source, expr, lower(source, &arguments[0])?, &ends)?.normalised(source, expr);
        }
        "atom" | "atoms" => {
            let place = Place::read(source, &arguments[0])?;
            return Ok(Parts { parts: Vec::new(), atoms: vec![Atom { place, mass: Interval::ONE }] });
        }
        _ => {}
    }
    let parameters = arguments.iter().map(|a| Constant::of(source, a)).collect::<Result<Vec<_>, _>>()?;
    let line = [-1.0, 1.0].map(Place::infinite);
    Ok(match (name, parameters.as_slice()) {
        ("beta", [a, b]) => {
            let ends = [Rational::ZERO, Rational::ONE].map(Place::rational);
            let shape = Shape::beta(a, b);
            let mass = shape.beta_mass();
            Parts::part(shape, Interval::ONE, ends, mass).normalised(source, expr)?
        }
        ("normal", [mean, deviation]) => {
            let shape = Shape::Normal { mean: mean.clone(), deviation: deviation.clone() };
            Parts::part(shape, Interval::ONE, line, Some(Interval::ONE))
        }
        ("logistic", [location, scale]) => {
            let shape = Shape::Logistic { location: location.clone(), scale: scale.clone() };
            Parts::part(shape, Interval::ONE, line, Some(Interval::ONE))
        }
        ("uniform" | "triangular", _) => {
            let places = arguments.iter().map(|a| Place::read(source, a)).collect::<Result<Vec<_>, _>>()?;
            polygonal(&places).ok_or_else(|| unknown(source, expr, "its corners are too close to tell apart"))?
        }
        _ => return Err(unknown(source, expr, "this density is not known")),
    })
}

/// A uniform density (two places) or a triangular one (three).
fn polygonal(places: &[Place]) -> Option<Parts> {
    let (first, last) = (places.first()?, places.last()?);
    let width = last.enclosure() - first.enclosure();
    let part = |c: &[i64], side: usize, weight: Interval, [lo, hi]: [&Place; 2], mass: Interval| {
        let ends = [lo.clone(), hi.clone()];
        let typed = Typed::in_distance(&Polynomial::whole(c), side, ends.clone());
        let mut parts = Parts::part(Shape::Typed(typed), weight, ends, Some(mass));
        parts.parts.iter_mut().for_each(|part| part.is_typed = false);
        parts
    };
    let [_, mode, _] = places else {
        return Some(part(&[1], 0, Interval::ONE / width, [first, last], Interval::ONE));
    };
    let two = Interval::from(2.0);
    let mut parts = Parts::default();
    // Height 2/width at the mode, falling in proportion to the distance from an end.
    if first.compare(mode)? == Ordering::Less {
        let rise = mode.enclosure() - first.enclosure();
        parts.join(part(&[0, 1], 0, two / width / rise, [first, mode], rise / width));
    }
    if mode.compare(last)? == Ordering::Less {
        let fall = last.enclosure() - mode.enclosure();
        parts.join(part(&[0, 1], 1, two / width / fall, [mode, last], fall / width));
    }
    Some(parts)
}

fn truncated(source: &Source, expr: &Expr, parts: Parts, ends: &[Place; 2]) -> Result<Parts, Diagnostic> {
    let too_close = || unknown(source, expr, "two places are too close to tell which comes first");
    let compare = |a: &Place, b: &Place| a.compare(b).ok_or_else(too_close);
    let mut cut = Parts::default();
    for mut part in parts.parts {
        if compare(&part.ends[0], &ends[0])? == Ordering::Less {
            (part.ends[0], part.mass) = (ends[0].clone(), None);
        }
        if compare(&part.ends[1], &ends[1])? == Ordering::Greater {
            (part.ends[1], part.mass) = (ends[1].clone(), None);
        }
        if compare(&part.ends[0], &part.ends[1])? == Ordering::Less {
            cut.parts.push(part);
        }
    }
    for atom in parts.atoms {
        if compare(&atom.place, &ends[0])? != Ordering::Less && compare(&atom.place, &ends[1])? != Ordering::Greater {
            cut.atoms.push(atom);
        }
    }
    Ok(cut)
}

/// `B(a, b)`, by integration where the parameters are not rational; `None` if it could not be enclosed away from 0.
pub fn beta_mass([a, b]: &[Constant; 2]) -> Option<Interval> {
    let positive = |mass: Interval| Some(mass).filter(|mass| mass.is_positive() && mass.is_bounded());
    if let (Some(a), Some(b)) = (&a.exact, &b.exact)
        && let Some(mass) = positive(log_beta::exp(&log_beta::ln_beta(a, b)))
    {
        return Some(mass);
    }
    let shape = Shape::beta(a, b);
    positive(integrated(&shape)? * shape.beta_scale()?)
}

/// The mass of a beta density that is divided by its value at its center, by integration.
fn integrated(shape: &Shape) -> Option<Interval> {
    let Shape::Beta { ends, .. } = shape else { return None };
    let parts = Parts::part(shape.clone(), Interval::ONE, ends.clone(), None);
    march::mass(parts.parts.first()?).ok()
}

/// A float close to the mean of a beta density, with one minus it, and the mass of the density if it is divided by its value there; that is
/// never too small or too large for a float. `None` if it could not be enclosed away from 0.
pub fn centered_beta_mass([a, b]: &[Constant; 2]) -> Option<([Interval; 2], Interval)> {
    let shape = Shape::beta(a, b);
    let mass =
        shape.beta_mass().or_else(|| integrated(&shape)).filter(|mass| mass.is_positive() && mass.is_bounded())?;
    let Shape::Beta { center, .. } = shape else { return None };
    Some((center, mass))
}
