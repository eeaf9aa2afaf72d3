//! The numeric reading of a density tree: components and atoms in floating point.

use super::density::{Atom, Component};
use super::family::{Expression, Function, NumericDensity, Uniform};
use super::sample;
use super::tree::{AtomNode, DensityTree, Node};
use crate::calculus::Estimate;
use crate::constant::Constant;
use rocproof_arith::decimal::short;
use rocproof_arith::rational::to_f64;
use rocproof_language::{Diagnostic, Expr, Source, Span};
use std::sync::Arc;

/// How far the integral of a density may be from 1: the accuracy of the numeric level.
const MASS_TOLERANCE: f64 = 1e-12;

/// The tolerance for a density that is known by its values only. It is wider because the values may be inaccurate; mass that is missing
/// or in excess counts as error of the curve.
const VALUES_TOLERANCE: f64 = 1e-6;

/// The largest estimated error with which an integral counts as computed at all.
const LARGEST_MASS_ERROR: f64 = 1e-3;

/// The smallest mass that can be normalized: its reciprocal times a density must not overflow.
const SMALLEST_MASS: f64 = 1e-290;

/// A density as weighted components and atoms.
#[derive(Debug, Default)]
pub struct NumericMixture {
    /// The smooth part.
    pub components: Vec<Component>,
    /// The atoms.
    pub atoms: Vec<Atom>,
    /// A bound on the relative error of the weights.
    pub rounding: f64,
    /// The positions of all atoms, and all other knots that floats round.
    pub positions: Vec<Constant>,
}

impl NumericMixture {
    /// Interprets a tree and checks that it integrates to 1.
    pub fn read(source: &Source, tree: &DensityTree) -> Result<NumericMixture, Diagnostic> {
        let mut mixture = interpret(source, &tree.root)?;
        let span = tree.syntax.span;
        let advice = "split it into pieces where it is smooth: { … on [a,b]; … on [b,c] }";
        let mass = mixture.mass(source, span, advice)?;
        if (mass.value - 1.0).abs() > MASS_TOLERANCE + mass.error {
            let text = source.text.trim();
            return Err(wrong_mass_error(source, span, mass.value).help(format!("normalize({text}) divides by it")));
        }
        // Components and atoms without mass would add breakpoints for nothing.
        mixture.components.retain(|c| c.weight > 0.0);
        mixture.atoms.retain(|a| a.mass > 0.0);
        mixture.atoms.sort_by(|a, b| a.x.total_cmp(&b.x));
        Ok(mixture)
    }

    /// A density that is known by its values only, checked to integrate to 1 within `VALUES_TOLERANCE`.
    pub fn of_function(source: &Source, function: Function) -> Result<NumericMixture, Diagnostic> {
        let (lo, hi) = function.support();
        let mixture = NumericMixture::component(1.0, Arc::new(function), (lo, hi));
        let mass = mixture.mass(source, source.whole(), "it jumps, or peaks, where nothing says so")?;
        if (mass.value - 1.0).abs() > VALUES_TOLERANCE + mass.error {
            return Err(wrong_mass_error(source, source.whole(), mass.value));
        }
        Ok(mixture)
    }

    /// A mixture of one component on `[lo, hi]` and no atoms.
    fn component(weight: f64, density: Arc<dyn NumericDensity>, (lo, hi): (f64, f64)) -> NumericMixture {
        let component = Component { weight, density, lo, hi, rounding: [0.0; 2] };
        NumericMixture { components: vec![component], ..NumericMixture::default() }
    }

    /// Adds the positions that floats round.
    fn add_rounded<'a>(&mut self, positions: impl IntoIterator<Item = &'a Constant>) {
        self.positions.extend(positions.into_iter().filter(|position| position.rounding() > 0.0).cloned());
    }

    /// The mixture of one component with these ends, given as the user wrote them.
    fn between(mut self, ends: [&Constant; 2]) -> NumericMixture {
        self.components.iter_mut().for_each(|c| c.rounding = ends.map(Constant::rounding));
        self.add_rounded(ends);
        self
    }

    /// Multiplies by a number.
    fn scale(&mut self, by: f64) {
        self.components.iter_mut().for_each(|c| c.weight *= by);
        self.atoms.iter_mut().for_each(|a| a.mass *= by);
    }

    /// Adds another density; atoms at one score are merged.
    fn join(&mut self, other: NumericMixture) {
        self.components.extend(other.components);
        self.positions.extend(other.positions);
        for atom in other.atoms {
            match self.atoms.iter_mut().find(|a| a.x == atom.x) {
                Some(same) => same.mass += atom.mass,
                None => self.atoms.push(atom),
            }
        }
        self.rounding = self.rounding.max(other.rounding);
    }

    /// The mass. The error says that the density at `span` could not be integrated, and gives the `advice`.
    fn mass(&self, source: &Source, span: Span, advice: &str) -> Result<Estimate, Diagnostic> {
        let mass = sample::mass(&self.components, &self.atoms);
        if mass.value.is_finite() && mass.error <= LARGEST_MASS_ERROR {
            return Ok(mass);
        }
        Err(source.error(span, "the integral of this density could not be computed", "too irregular").help(advice))
    }

    /// Divides the density by its mass. The error for a density without mass marks `span` and has the message `if_empty`.
    fn normalize(mut self, source: &Source, span: Span, if_empty: &str) -> Result<NumericMixture, Diagnostic> {
        let mass = sample::mass(&self.components, &self.atoms);
        if mass.value.is_nan() || mass.value <= SMALLEST_MASS || mass.value.is_infinite() {
            let is_tiny = mass.value > 0.0 && mass.value.is_finite();
            let message = if is_tiny { "too little mass for floating point" } else { if_empty };
            return Err(source.error(span, message, format!("its mass is {}", short(mass.value, 12))));
        }
        self.scale(1.0 / mass.value);
        self.rounding += mass.error / mass.value;
        Ok(self)
    }
}

/// The error for a density that integrates to `mass` in place of 1.
fn wrong_mass_error(source: &Source, span: Span, mass: f64) -> Diagnostic {
    let message = format!("a density must integrate to 1, but this integrates to {}", short(mass, 12));
    source.error(span, message, format!("integral {}", short(mass, 12)))
}

/// The numeric reading of a node, which may be a summand and then need not integrate to 1.
fn interpret(source: &Source, node: &Node) -> Result<NumericMixture, Diagnostic> {
    match node {
        Node::Expression { syntax, ends } => interpret_expression(source, syntax, ends.each_ref().map(|e| &e.constant)),
        Node::Member { family, arguments, numeric, .. } => {
            let mut member = NumericMixture::component(1.0, numeric.clone(), numeric.support());
            let positions = || family.positions().iter().map(|k| &arguments[*k].constant);
            member.add_rounded(positions());
            for component in &mut member.components {
                let rounding_at =
                    |end: f64| positions().filter(|p| p.value == end).map(Constant::rounding).fold(0.0, f64::max);
                component.rounding = [component.lo, component.hi].map(rounding_at);
            }
            Ok(member)
        }
        Node::Atoms(atoms) => {
            let atom = |atom: &AtomNode| Atom { x: atom.at.constant.value, mass: atom.mass.value };
            let positions = atoms.iter().map(|atom| atom.at.constant.clone()).collect();
            Ok(NumericMixture { atoms: atoms.iter().map(atom).collect(), positions, ..NumericMixture::default() })
        }
        Node::Sum(nodes) => nodes.iter().try_fold(NumericMixture::default(), |mut sum, node| {
            sum.join(interpret(source, node)?);
            Ok(sum)
        }),
        Node::Weighted { weight, divides, of } => {
            let mut mixture = interpret(source, of)?;
            let value = weight.constant.value;
            mixture.scale(if *divides { 1.0 / value } else { value });
            Ok(mixture)
        }
        Node::Truncated { of, ends, span } => {
            let [lo, hi] = ends.each_ref().map(|end| end.constant.value);
            let mut mixture = interpret(source, of)?;
            for component in &mut mixture.components {
                (component.lo, component.hi) = (component.lo.max(lo), component.hi.min(hi));
            }
            mixture.components.retain(|c| c.lo < c.hi);
            mixture.atoms.retain(|a| lo <= a.x && a.x <= hi);
            mixture.add_rounded(ends.iter().map(|end| &end.constant));
            mixture.normalize(source, *span, "no mass lies in this interval")
        }
        Node::Normalized { of, inner, .. } => {
            interpret(source, of)?.normalize(source, *inner, "no mass was found to normalize")
        }
    }
}

/// The numeric reading of an expression on `[lo, hi]`, checked not to be negative; an empty mixture if the expression is 0.
fn interpret_expression(source: &Source, expr: &Expr, [lo, hi]: [&Constant; 2]) -> Result<NumericMixture, Diagnostic> {
    let ends = (lo.value, hi.value);
    if let Some((weight, density)) = weighted_uniform(source, expr, [lo, hi]) {
        let piece = NumericMixture::component(weight, Arc::new(density), ends);
        // The weight is rounded once.
        return Ok(NumericMixture { rounding: f64::EPSILON, ..piece }.between([lo, hi]));
    }
    let expression = Expression::new(source, expr, lo, hi)?;
    if expression.is_zero() {
        return Ok(NumericMixture::default());
    }
    expression.check().map_err(|error| source.error(expr.span, error.to_string(), "not a density"))?;
    Ok(NumericMixture::component(1.0, Arc::new(expression), ends).between([lo, hi]))
}

/// Reads a constant expression as a multiple of a uniform density: the weight is the mass of the piece. `None` if the expression is not a
/// positive constant, or the interval is not one of a uniform density.
fn weighted_uniform(source: &Source, expr: &Expr, [lo, hi]: [&Constant; 2]) -> Option<(f64, Uniform)> {
    let height = Constant::of(source, expr).ok().filter(|height| height.value > 0.0)?;
    let density = Uniform::new(lo.value, hi.value).ok()?;
    // The mass is rounded once if all three numbers are rational.
    let weight = match (&height.exact, &lo.exact, &hi.exact) {
        (Some(height), Some(lo), Some(hi)) => to_f64(&(height * (hi - lo))),
        _ => height.value * (hi.value - lo.value),
    };
    weight.is_finite().then_some((weight, density))
}
