//! The syntax of densities, read once: a tree of families, expressions in `x`, atoms, sums, weights and cuts.
//!
//! The reader checks all that can be checked without integrating: numbers of arguments, parameters, weights, intervals. The levels of
//! evidence interpret the tree: [`numeric`](super::numeric), [`piecewise`](super::piecewise) and
//! [`certified::mixture`](super::certified::mixture).

use super::endpoint::{Endpoint, is_written_alike};
use super::family::{self, Family, NumericDensity};
use crate::constant::Constant;
use rocproof_algebra::invariant;
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source, Span};
use std::sync::Arc;

/// A function that builds a density from densities or numbers.
struct Constructor {
    name: &'static str,
    /// An example call, for error messages.
    usage: &'static str,
    /// The number of arguments.
    arity: usize,
}

/// Functions that build a density from densities or numbers.
const CONSTRUCTORS: [Constructor; 4] = [
    Constructor { name: "truncate", usage: "truncate(density, lo, hi)", arity: 3 },
    Constructor { name: "normalize", usage: "normalize(density)", arity: 1 },
    Constructor { name: "atom", usage: "atom(place)", arity: 1 },
    // A call `atoms(place)` is taken for `atom(place)`; `atoms { … }` is syntax of its own.
    Constructor { name: "atoms", usage: "atom(place)", arity: 1 },
];

/// A density as the user wrote it, checked.
#[derive(Clone, Debug)]
pub struct DensityTree {
    /// The expression.
    pub syntax: Expr,
    /// The density that the expression denotes.
    pub root: Node,
}

/// A number in a density, with the expression that the user wrote for it.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The number.
    pub constant: Constant,
    /// The expression.
    pub syntax: Expr,
}

/// A density or a summand of one.
#[derive(Clone, Debug)]
pub enum Node {
    /// An expression in `x` on an interval.
    Expression {
        /// The expression.
        syntax: Expr,
        /// The ends of the interval.
        ends: [Endpoint; 2],
    },
    /// A member of a family.
    Member {
        /// The family.
        family: &'static dyn Family,
        /// The parameters.
        arguments: Vec<Argument>,
        /// The member at the numeric level, which is also the check of the parameters.
        numeric: Arc<dyn NumericDensity>,
        /// Where it is written.
        span: Span,
    },
    /// Atoms.
    Atoms(Vec<AtomNode>),
    /// A sum.
    Sum(Vec<Node>),
    /// A density times a number, or divided by it.
    Weighted {
        /// The number.
        weight: Argument,
        /// Whether the density is divided by the number.
        divides: bool,
        /// The density.
        of: Box<Node>,
    },
    /// A density cut to an interval and divided by its mass.
    Truncated {
        /// The density.
        of: Box<Node>,
        /// The ends of the interval.
        ends: [Endpoint; 2],
        /// Where it is written.
        span: Span,
    },
    /// A density divided by its mass.
    Normalized {
        /// The density.
        of: Box<Node>,
        /// Where the density is written.
        inner: Span,
        /// Where the call is written.
        span: Span,
    },
}

/// A point mass.
#[derive(Clone, Debug)]
pub struct AtomNode {
    /// The position.
    pub at: Argument,
    /// The mass.
    pub mass: Constant,
    /// Where the mass is written.
    pub span: Span,
}

impl Argument {
    /// Evaluates an expression without variables.
    fn read(source: &Source, expr: &Expr) -> Result<Argument, Diagnostic> {
        Ok(Argument { constant: Constant::of(source, expr)?, syntax: expr.clone() })
    }

    /// The number as a position on the score axis.
    pub fn endpoint(&self) -> Endpoint {
        Endpoint::new(self.constant.clone(), self.syntax.clone())
    }
}

impl DensityTree {
    /// Reads and checks a density.
    pub fn read(source: &Source, syntax: Expr) -> Result<DensityTree, Diagnostic> {
        let root = read_node(source, &syntax)?;
        Ok(DensityTree { syntax, root })
    }

    /// The name of the family, if the density is one member of a family and nothing else.
    pub fn family(&self) -> Option<&'static str> {
        if let Node::Member { family, .. } = &self.root { Some(family.name()) } else { None }
    }

    /// Whether two densities are written alike, apart from spaces. They are then equal; equal densities may be written differently.
    pub fn is_written_like(&self, other: &DensityTree) -> bool {
        is_written_alike(&self.syntax, &other.syntax)
    }
}

/// The names of all functions that give a density: families first, then constructors.
pub fn names() -> impl Iterator<Item = &'static str> {
    family::FAMILIES.iter().map(|family| family.name()).chain(CONSTRUCTORS.iter().map(|constructor| constructor.name))
}

/// Whether an expression is a density or contains one. Otherwise it is an expression in `x`.
fn is_density(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Number(_) | Kind::Name(_) | Kind::Bracket(..) | Kind::Apply(..) => false,
        Kind::Negate(inner) => is_density(inner),
        Kind::Binary(_, left, right) => is_density(left) || is_density(right),
        Kind::Call(called, _, _) => names().any(|name| name == called),
        Kind::On(..) | Kind::OnPieces(..) | Kind::Pieces(_) | Kind::Atoms(_) => true,
    }
}

/// Reads a density or a summand of one. An expression in `x` without an interval is meant on [0, 1].
fn read_node(source: &Source, expr: &Expr) -> Result<Node, Diagnostic> {
    if !is_density(expr) {
        return Ok(Node::Expression { syntax: expr.clone(), ends: Endpoint::unit() });
    }
    match &expr.kind {
        Kind::Call(name, _, arguments) => read_call(source, expr, name, arguments),
        Kind::Pieces(items) => read_pieces(source, items),
        Kind::Atoms(items) => read_atoms(source, items),
        Kind::On(inner, ends) => {
            if is_density(inner) {
                return Err(source
                    .error(inner.span, "`on` takes an expression in x, not a density", "a density")
                    .help(
                        "pieces stand in braces: { 1 on [0,1/2]; … }; truncate(density, a, b) cuts a density to [a, b]",
                    ));
            }
            Ok(Node::Expression { syntax: (**inner).clone(), ends: read_interval(source, ends.each_ref())? })
        }
        Kind::Binary(Op::Add, left, right) => Ok(Node::Sum(vec![read_node(source, left)?, read_node(source, right)?])),
        Kind::Binary(Op::Mul, left, right) if !is_density(left) => read_weighted(source, left, right, false),
        Kind::Binary(Op::Mul, left, right) if !is_density(right) => read_weighted(source, right, left, false),
        Kind::Binary(Op::Div, left, right) if !is_density(right) => read_weighted(source, right, left, true),
        _ => Err(source
            .error(expr.span, "densities can only be added and weighted", "not a mixture")
            .help("a mixture is written 0.3*beta(2,5) + 0.7*uniform(0,1)")),
    }
}

/// Reads `weight*density`, or `density/weight` if `divides`, and checks that the factor is finite and not negative.
fn read_weighted(source: &Source, weight: &Expr, density: &Expr, divides: bool) -> Result<Node, Diagnostic> {
    let weight = Argument::read(source, weight)?;
    let factor = if divides { 1.0 / weight.constant.value } else { weight.constant.value };
    if factor < 0.0 || !factor.is_finite() {
        let label = format!("this is {}", weight.constant);
        return Err(source.error(weight.syntax.span, "a weight must be positive", label));
    }
    Ok(Node::Weighted { weight, divides, of: Box::new(read_node(source, density)?) })
}

/// Reads the ends of an interval, and checks their order.
fn read_interval(source: &Source, [from, to]: [&Expr; 2]) -> Result<[Endpoint; 2], Diagnostic> {
    let ends = [Endpoint::read(source, from)?, Endpoint::read(source, to)?];
    if ends[0].constant.value >= ends[1].constant.value {
        return Err(source
            .error(from.span.to(to.span), "an interval needs its smaller end first", "empty")
            .help("[a, b] with a < b"));
    }
    Ok(ends)
}

/// Reads `{ … on [a, b]; … }`, and checks that the intervals do not overlap.
fn read_pieces(source: &Source, items: &[Expr]) -> Result<Node, Diagnostic> {
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let mut pieces = Vec::new();
    for item in items {
        let Kind::On(_, ends) = &item.kind else {
            return Err(source
                .error(item.span, "a piece needs an interval", "on which interval?")
                .help("write: expression on [a, b]"));
        };
        let [lo, hi] = read_interval(source, ends.each_ref())?.map(|end| end.constant.value);
        let overlapping = taken.iter().find(|(a, b)| lo < *b && *a < hi);
        if let Some((a, b)) = overlapping {
            return Err(source
                .error(ends[0].span.to(ends[1].span), "pieces overlap", format!("[{a}, {b}] is already taken"))
                .help("pieces may touch but not overlap; densities are added with `+`"));
        }
        taken.push((lo, hi));
        pieces.push(read_node(source, item)?);
    }
    Ok(Node::Sum(pieces))
}

/// Reads the items of `atoms { position: mass; … }`, and checks that positions differ and masses are not negative.
fn read_atoms(source: &Source, items: &[(Expr, Expr)]) -> Result<Node, Diagnostic> {
    let mut atoms: Vec<AtomNode> = Vec::new();
    for (position, mass) in items {
        let atom =
            AtomNode { at: Argument::read(source, position)?, mass: Constant::of(source, mass)?, span: mass.span };
        if atom.mass.value < 0.0 {
            return Err(source.error(mass.span, "the mass of an atom must be positive", "negative"));
        }
        let is_taken = atoms.iter().any(|earlier| earlier.at.constant.value == atom.at.constant.value);
        if is_taken {
            return Err(source.error(position.span, "two atoms at the same place", "already has an atom"));
        }
        atoms.push(atom);
    }
    Ok(Node::Atoms(atoms))
}

/// Reads a call of a family or a constructor. The caller has checked that `name` is one.
fn read_call(source: &Source, expr: &Expr, name: &str, arguments: &[Expr]) -> Result<Node, Diagnostic> {
    let family = family::find(name);
    let constructor = CONSTRUCTORS.iter().find(|constructor| constructor.name == name);
    let (usage, arity) = match (family, constructor) {
        (Some(family), _) => (family.form(), family.parameters().len()),
        (None, Some(constructor)) => (constructor.usage.to_owned(), constructor.arity),
        (None, None) => invariant!("`{name}` makes no density"),
    };
    if arguments.len() != arity {
        let given = arguments.len();
        let expected = if arity == 1 { "1 argument".to_owned() } else { format!("{arity} arguments") };
        return Err(source
            .error(expr.span, format!("`{name}` takes {expected}, not {given}"), format!("{given} given"))
            .help(format!("write {usage}")));
    }
    let span = expr.span;
    match (family, arguments) {
        (Some(family), _) => read_member(source, family, arguments, span),
        // The only constructor with three arguments is `truncate`.
        (None, [density, from, to]) => {
            let ends = read_interval(source, [from, to])?;
            Ok(Node::Truncated { of: Box::new(read_node(source, density)?), ends, span })
        }
        (None, [density]) if name == "normalize" => {
            Ok(Node::Normalized { of: Box::new(read_node(source, density)?), inner: density.span, span })
        }
        // The other constructors with one argument make an atom of mass 1.
        (None, [position]) => {
            let at = Argument::read(source, position)?;
            Ok(Node::Atoms(vec![AtomNode { at, mass: Constant::from(1), span }]))
        }
        (None, _) => invariant!("`{name}` was given {} arguments", arguments.len()),
    }
}

/// Reads a call of a family, and checks that there is a member with these parameters. `span` is that of the call.
fn read_member(
    source: &Source,
    family: &'static dyn Family,
    arguments: &[Expr],
    span: Span,
) -> Result<Node, Diagnostic> {
    let arguments = arguments.iter().map(|a| Argument::read(source, a)).collect::<Result<Vec<_>, _>>()?;
    let values: Vec<f64> = arguments.iter().map(|argument| argument.constant.value).collect();
    let numeric = family.numeric(&values).map_err(|error| {
        let fault = arguments[error.argument].syntax.span;
        source.error(fault, error.to_string(), format!("this is {}", values[error.argument])).help(family.form())
    })?;
    Ok(Node::Member { family, arguments, numeric, span })
}
