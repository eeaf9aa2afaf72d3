//! The certified reading of a density tree: components with enclosed weights, and atoms.

use super::density::EnclosedDensity;
use super::expression::ExpressionDensity;
use super::march::{self, Trouble};
use crate::model::endpoint::Endpoint;
use crate::model::family::expression;
use crate::model::piecewise::Piecewise;
use crate::model::tree::{AtomNode, DensityTree, Node};
use rocproof_arith::decimal::short;
use rocproof_arith::{Interval, Polynomial, Rational};
use rocproof_language::{Diagnostic, Expr, Source, Span};
use std::cmp::Ordering;
use std::sync::Arc;

/// If the enclosure of the integral of a density is wider than this, the density is refused: that the integral may be 1 says too little.
const WIDEST_MASS: f64 = 1e-6;

/// A smooth density on an interval, with a weight.
#[derive(Clone, Debug)]
pub struct EnclosedComponent {
    /// The factor of the density.
    pub weight: Interval,
    /// The density.
    pub density: Arc<dyn EnclosedDensity>,
    /// The ends of the interval.
    pub ends: [Endpoint; 2],
    /// The mass including the weight, if it is known without integrating.
    known_mass: Option<Interval>,
    /// Whether it is still to be proved that the density is nowhere negative.
    pub may_be_negative: bool,
}

/// A point mass.
#[derive(Clone, Debug)]
pub struct EnclosedAtom {
    /// The position.
    pub at: Endpoint,
    /// The mass.
    pub mass: Interval,
}

/// A density as weighted components and atoms.
#[derive(Clone, Debug, Default)]
pub struct EnclosedMixture {
    /// The smooth part.
    pub components: Vec<EnclosedComponent>,
    /// The atoms.
    pub atoms: Vec<EnclosedAtom>,
}

impl EnclosedComponent {
    /// The mass including the weight: the known one, or an enclosure of the integral.
    pub fn mass(&self) -> Result<Interval, Trouble> {
        self.known_mass.map_or_else(|| march::mass(self), Ok)
    }
}

impl EnclosedMixture {
    /// Interprets a tree whose numeric reading is a density, and certifies that it integrates to 1. An error if the integral provably is
    /// not 1, or could not be enclosed narrowly.
    pub fn read(source: &Source, tree: &DensityTree) -> Result<EnclosedMixture, Diagnostic> {
        let span = tree.syntax.span;
        let mixture = interpret(source, &tree.root)?;
        let mass = mixture.mass().map_err(|trouble| refuse(source, span, &trouble))?;
        if !mass.contains(1.0) {
            return Err(source
                .error(
                    span,
                    "a density must integrate to 1, but this provably does not",
                    format!("its integral lies in [{}, {}]", mass.lo(), mass.hi()),
                )
                .help(format!("normalize({}) divides by it", source.text.trim())));
        }
        if mass.width() > WIDEST_MASS {
            return Err(refuse(source, span, &Trouble::Mass));
        }
        Ok(mixture)
    }

    /// The enclosed form of a density that is known exactly: a component for each polynomial piece, and the atoms.
    pub fn of_pieces(pieces: &Piecewise) -> EnclosedMixture {
        let mut mixture = EnclosedMixture::default();
        for piece in &pieces.pieces {
            let ends = [&piece.lo, &piece.hi].map(|end| Endpoint::rational(end.clone()));
            let density = ExpressionDensity::polynomial(&piece.density, ends.clone());
            let mass = Interval::of(&piece.density.integral(&piece.lo, &piece.hi));
            mixture.join(EnclosedMixture::component(density, Interval::ONE, ends, Some(mass)));
        }
        // The exact reading has shown that no piece is negative.
        mixture.components.iter_mut().for_each(|component| component.may_be_negative = false);
        let atom = |(at, mass): &(Rational, Rational)| EnclosedAtom {
            at: Endpoint::rational(at.clone()),
            mass: Interval::of(mass),
        };
        mixture.atoms = pieces.atoms.iter().map(atom).collect();
        mixture
    }

    /// A mixture of one density on an interval. `known_mass` is its mass including the weight, if that is known without integrating.
    pub fn component(
        density: impl EnclosedDensity,
        weight: Interval,
        ends: [Endpoint; 2],
        known_mass: Option<Interval>,
    ) -> EnclosedMixture {
        let may_be_negative = density.is_expression();
        let component = EnclosedComponent { weight, density: Arc::new(density), ends, known_mass, may_be_negative };
        EnclosedMixture { components: vec![component], atoms: Vec::new() }
    }

    /// A weighted polynomial with whole coefficients in the distance from the left (0) or right (1) end of an interval. It must not be
    /// negative there. `mass` is its integral including the weight.
    pub fn polynomial_in_distance(
        coefficients: &[i64],
        side: usize,
        weight: Interval,
        ends: [Endpoint; 2],
        mass: Interval,
    ) -> EnclosedMixture {
        let density = ExpressionDensity::in_distance(&Polynomial::whole(coefficients), side, ends.clone());
        let mut mixture = EnclosedMixture::component(density, weight, ends, Some(mass));
        mixture.components.iter_mut().for_each(|component| component.may_be_negative = false);
        mixture
    }

    /// Whether the mixture is one member of a family and nothing else. Families whose densities are polynomials do not count.
    pub fn is_family(&self) -> bool {
        matches!((self.components.as_slice(), self.atoms.as_slice()), ([one], []) if !one.density.is_expression())
    }

    /// Adds the components and atoms of another density.
    pub fn join(&mut self, other: EnclosedMixture) {
        self.components.extend(other.components);
        self.atoms.extend(other.atoms);
    }

    /// The mass of all components and atoms.
    pub fn mass(&self) -> Result<Interval, Trouble> {
        let atoms = self.atoms.iter().fold(Interval::ZERO, |sum, atom| sum + atom.mass);
        self.components.iter().try_fold(atoms, |sum, component| Ok(sum + component.mass()?))
    }

    /// The density divided by its mass. An error if the mass could not be enclosed away from 0.
    pub fn normalized(mut self) -> Result<EnclosedMixture, Trouble> {
        let mass = self.mass()?;
        if !mass.is_positive() {
            return Err(Trouble::VanishingMass);
        }
        self.scale(Interval::ONE / mass);
        // One component alone has all the mass now.
        if let ([component], []) = (self.components.as_mut_slice(), self.atoms.as_slice()) {
            component.known_mass = Some(Interval::ONE);
        }
        Ok(self)
    }

    /// Multiplies all weights and masses by a factor.
    fn scale(&mut self, factor: Interval) {
        for component in &mut self.components {
            component.weight = component.weight * factor;
            component.known_mass = component.known_mass.map(|mass| mass * factor);
        }
        self.atoms.iter_mut().for_each(|atom| atom.mass = atom.mass * factor);
    }

    /// The restriction to the scores between two endpoints, not divided by its mass. Atoms at the endpoints are kept. An error if an end
    /// or an atom is too close to an endpoint to tell which comes first.
    pub fn cut(self, ends: &[Endpoint; 2]) -> Result<EnclosedMixture, Trouble> {
        let compare = |a: &Endpoint, b: &Endpoint| a.compare(b).ok_or(Trouble::Order);
        let mut cut = EnclosedMixture::default();
        for mut component in self.components {
            // A component that loses a part no longer has its known mass.
            if compare(&component.ends[0], &ends[0])? == Ordering::Less {
                component.ends[0] = ends[0].clone();
                component.known_mass = None;
            }
            if compare(&component.ends[1], &ends[1])? == Ordering::Greater {
                component.ends[1] = ends[1].clone();
                component.known_mass = None;
            }
            if compare(&component.ends[0], &component.ends[1])? == Ordering::Less {
                cut.components.push(component);
            }
        }
        for atom in self.atoms {
            if compare(&atom.at, &ends[0])? != Ordering::Less && compare(&atom.at, &ends[1])? != Ordering::Greater {
                cut.atoms.push(atom);
            }
        }
        Ok(cut)
    }
}

/// The message for a density that could not be enclosed: it is provably negative, and so no density, or the certified level gives up.
fn refuse(source: &Source, span: Span, trouble: &Trouble) -> Diagnostic {
    match trouble {
        Trouble::Negative(x) => {
            let label = format!("negative at x = {}", short(*x, 6));
            source.error(span, "a density must not be negative, but this provably is", label).proved()
        }
        _ => source
            .error(span, format!("no certified level here: {trouble}"), "not certified")
            .or_level("numeric", "gives estimates with their errors"),
    }
}

/// Reads a node of a density tree, bottom up. The mass of the result is not checked.
fn interpret(source: &Source, node: &Node) -> Result<EnclosedMixture, Diagnostic> {
    match node {
        Node::Expression { syntax, ends } => interpret_expression(source, syntax, ends),
        Node::Member { family, arguments, span, .. } => {
            family.enclosed(arguments).map_err(|trouble| refuse(source, *span, &trouble))
        }
        Node::Atoms(atoms) => {
            let atom = |atom: &AtomNode| EnclosedAtom { at: atom.at.endpoint(), mass: atom.mass.enclosure };
            let atoms = atoms.iter().map(atom).filter(|atom| atom.mass != Interval::ZERO).collect();
            Ok(EnclosedMixture { components: Vec::new(), atoms })
        }
        Node::Sum(nodes) => nodes.iter().try_fold(EnclosedMixture::default(), |mut sum, node| {
            sum.join(interpret(source, node)?);
            Ok(sum)
        }),
        Node::Weighted { weight, divides, of } => {
            let number = weight.constant.enclosure;
            let factor = if *divides { Interval::ONE / number } else { number };
            if factor == Interval::ZERO {
                return Ok(EnclosedMixture::default());
            }
            let mut mixture = interpret(source, of)?;
            mixture.scale(factor);
            Ok(mixture)
        }
        Node::Truncated { of, ends, span } => {
            let truncated = interpret(source, of)?.cut(ends).and_then(EnclosedMixture::normalized);
            truncated.map_err(|trouble| refuse(source, *span, &trouble))
        }
        Node::Normalized { of, span, .. } => {
            interpret(source, of)?.normalized().map_err(|trouble| refuse(source, *span, &trouble))
        }
    }
}

/// Reads an expression in `x` on an interval; the polynomial 0 has no component.
fn interpret_expression(source: &Source, expr: &Expr, ends: &[Endpoint; 2]) -> Result<EnclosedMixture, Diagnostic> {
    if expression::polynomial(expr).is_some_and(|p| p.is_zero()) {
        return Ok(EnclosedMixture::default());
    }
    let density = ExpressionDensity::read(source, expr, ends.clone())?;
    let mass = density.exact_mass.as_ref().map(Interval::of);
    Ok(EnclosedMixture::component(density, Interval::ONE, ends.clone(), mass))
}
