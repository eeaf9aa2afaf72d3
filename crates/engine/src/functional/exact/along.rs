//! Integrals of a group of definitions along a curve, in exact arithmetic.
//!
//! Along arcs an integrand is a rational function, and is integrated as one. Along straight pieces and corners most integrands are
//! polynomials of a known degree in the parameter `t`, which runs from 0 to 1 along the piece. A Newton-Cotes rule of that degree integrates
//! them exactly.

use super::super::definition::LARGEST_WEIGHT;
use super::super::group::{Group, OPTIMAL, Origin, Restricted};
use super::environment::{ExactEnvironment, ExactInputs, StraightPath};
use crate::calculus::quantity::Quantity;
use crate::model::exact_curve::{ExactCorner, ExactCurve, ExactPiece, ExactPoint, Undecided};
use rocproof_arith::roots::real_roots;
use rocproof_arith::{Number, Polynomial, Rational, RationalFunction};
use rocproof_language::meaning::Piece;
use std::sync::OnceLock;

/// The largest degree of an integrand that is integrated by nodes.
const LARGEST_DEGREE: usize = 2 * LARGEST_WEIGHT;

/// The nodes and weights on [0, 1] of the closed Newton-Cotes rule that is exact up to a degree. Each weight is the integral of the Lagrange
/// polynomial of its node. Rules are computed once.
fn newton_cotes(degree: usize) -> &'static [(Number, Number)] {
    static RULES: [OnceLock<Vec<(Number, Number)>>; LARGEST_DEGREE + 1] =
        [const { OnceLock::new() }; LARGEST_DEGREE + 1];
    RULES[degree].get_or_init(|| {
        let node = |k: usize| Rational::from(k) / Rational::from(degree.max(1));
        let nodes: Vec<Rational> = (0..=degree).map(node).collect();
        let node_with_weight = |i: usize, node: &Rational| {
            let others = nodes.iter().enumerate().filter(|(j, _)| *j != i);
            // The product of (t - other)/(node - other).
            let lagrange = others.fold(Polynomial::one(), |product, (_, other)| {
                let scale = Rational::ONE / (node - other);
                &product * &Polynomial::linear(&(-other * &scale), &scale)
            });
            (Number::from(node.clone()), Number::from(lagrange.integral(&Rational::ZERO, &Rational::ONE)))
        };
        nodes.iter().enumerate().map(|(i, node)| node_with_weight(i, node)).collect()
    })
}

/// The running sums of the integrals of a group over the pieces of a curve.
struct ExactIntegration<'a> {
    group: &'a Group,
    environment: &'a ExactEnvironment,
    /// The sum so far of each integral; `None` for one without an exact value.
    sums: Vec<Option<Quantity>>,
    /// The degrees of the expressions along straight pieces and corners, for each kind of piece.
    degrees: [DegreesAlong; Piece::ALL.len()],
}

/// The degrees of the inputs of a program in `t` along a straight piece: score, `F0`, `F1` and their complements are linear.
const ALONG_STRAIGHT: [u32; 14] = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];
/// The degrees of the inputs in `t` along a corner: only the posterior moves, which is no input.
const ALONG_CORNER: [u32; 14] = [0; 14];

/// The degrees of expressions in `t` along a straight piece or a corner.
struct DegreesAlong {
    /// The largest degree of the polynomials among them; `None` if there are none but 0.
    degree: Option<usize>,
    /// Which are not polynomials, or have a degree above [`LARGEST_DEGREE`].
    not_polynomial: Vec<bool>,
}

impl DegreesAlong {
    /// The degrees along pieces of a kind. The posterior is linear in `t` at corners, and constant on other pieces.
    fn new(group: &Group, environment: &ExactEnvironment, piece: Piece) -> DegreesAlong {
        let (inputs, posterior) = if piece == Piece::Corner { (&ALONG_CORNER, 1) } else { (&ALONG_STRAIGHT, 0) };
        let weight = environment.weight.as_ref().and_then(|weight| u32::try_from(weight.degree()).ok());
        let Restricted { program, vanishes, .. } = group.on(piece);
        let degree = |k: usize| {
            let degree = program.degree(k, inputs, posterior, weight)?;
            usize::try_from(degree).ok().filter(|degree| *degree <= LARGEST_DEGREE)
        };
        let degrees: Vec<Option<usize>> = (0..group.len()).map(degree).collect();
        let not_zero = degrees.iter().zip(vanishes).filter(|(_, vanishes)| !**vanishes);
        let degree = not_zero.filter_map(|(degree, _)| *degree).max();
        DegreesAlong { degree, not_polynomial: degrees.iter().map(Option::is_none).collect() }
    }
}

impl<'a> ExactIntegration<'a> {
    /// Empty sums for a group.
    fn new(group: &'a Group, environment: &'a ExactEnvironment) -> ExactIntegration<'a> {
        let sums = vec![Some(Quantity::default()); group.len()];
        ExactIntegration {
            group,
            environment,
            sums,
            degrees: Piece::ALL.map(|piece| DegreesAlong::new(group, environment, piece)),
        }
    }

    /// Adds a straight piece.
    fn add_straight(&mut self, from: &ExactPoint, to: &ExactPoint, piece: Piece) {
        let path = StraightPath::new(from, to);
        self.add_linear(piece, |t| path.at(t), || ExactInputs::along_straight(from, to));
    }

    /// Adds a corner.
    fn add_corner(&mut self, corner: &ExactCorner) {
        self.add_linear(Piece::Corner, |t| ExactInputs::on_corner(corner, t), || ExactInputs::along_corner(corner));
    }

    /// Adds a straight piece or a corner: polynomials by their values at nodes, other expressions as rational functions. The inputs are
    /// given at one parameter `t`, and as functions of `t`.
    fn add_linear(
        &mut self,
        piece: Piece,
        inputs_at: impl Fn(&Number) -> ExactInputs<Number>,
        inputs_along: impl Fn() -> Option<ExactInputs<RationalFunction>>,
    ) {
        let DegreesAlong { degree, not_polynomial } = &self.degrees[piece as usize];
        let (degree, not_polynomial) = (*degree, not_polynomial.clone());
        if let Some(degree) = degree {
            newton_cotes(degree).iter().for_each(|(t, weight)| self.add_node(inputs_at(t), weight, piece));
        }
        if not_polynomial.contains(&true) {
            match inputs_along() {
                Some(inputs) => self.add_function(inputs, &[Number::ZERO, Number::ONE], piece, &not_polynomial),
                // The ends are not rational.
                None => {
                    let unknown = self.sums.iter_mut().zip(not_polynomial).filter(|(_, is)| *is);
                    unknown.for_each(|(sum, _)| *sum = None);
                }
            }
        }
    }

    /// Adds the values of polynomials at one node, times its weight.
    fn add_node(&mut self, inputs: ExactInputs<Number>, weight: &Number, piece: Piece) {
        let values = self.environment.values(&self.group.on(piece).program, inputs);
        for (k, value) in values.into_iter().take(self.sums.len()).enumerate() {
            if self.degrees[piece as usize].not_polynomial[k] {
                continue;
            }
            match (self.sums[k].as_mut(), value) {
                (Some(sum), Some(value)) => sum.add_number(&value * weight),
                _ => self.sums[k] = None,
            }
        }
    }

    /// Adds the integral of each expression `k` with `selected[k]`, as a rational function of the parameter between two ends.
    fn add_function(
        &mut self,
        inputs: ExactInputs<RationalFunction>,
        ends: &[Number; 2],
        piece: Piece,
        selected: &[bool],
    ) {
        let values = self.environment.values(&self.group.on(piece).program, inputs);
        for (k, value) in values.into_iter().take(self.sums.len()).enumerate().filter(|(k, _)| selected[*k]) {
            // Built-in definitions have no poles on a curve.
            let value = value.filter(|f| self.group.origins[k] != Origin::Typed || !has_pole(f, ends));
            match (self.sums[k].as_mut(), value) {
                (Some(sum), Some(value)) => sum.add_integral(&value, &ends[0], &ends[1]),
                _ => self.sums[k] = None,
            }
        }
    }
}

/// Whether a function may have a pole in a closed interval: a root of its denominator that is not proved to lie outside.
fn has_pole(f: &RationalFunction, [from, to]: &[Number; 2]) -> bool {
    let (Some([lo, _]), Some([_, hi])) = (from.bounds(64), to.bounds(64)) else { return true };
    let may_be_inside = |root: Number| {
        let is_negative = |distance: Number| distance.sign().is_some_and(|sign| sign < 0);
        !(is_negative(&root - from) || is_negative(to - &root))
    };
    real_roots(f.denominator(), &lo, &hi).iter().any(|root| may_be_inside(Number::from(root)))
}

/// The integrals of a group along a curve and the given corners; `None` for those without an exact value.
pub(super) fn along(
    curve: &ExactCurve,
    corners: &[ExactCorner],
    group: &Group,
    environment: &ExactEnvironment,
) -> Vec<Option<Quantity>> {
    let mut integration = ExactIntegration::new(group, environment);
    let counted_on_arcs: Vec<bool> = group.on(Piece::Arc).vanishes.iter().map(|vanishes| !vanishes).collect();
    for piece in &curve.pieces {
        match piece {
            ExactPiece::Straight { from, to, .. } => integration.add_straight(from, to, piece.kind()),
            ExactPiece::Arc(arc) => {
                integration.add_function(ExactInputs::along_arc(arc), &arc.u, Piece::Arc, &counted_on_arcs);
            }
        }
    }
    corners.iter().for_each(|corner| integration.add_corner(corner));
    integration.sums
}

/// The integrals of a group along a curve, corners included.
pub(super) fn with_corners(
    curve: &ExactCurve,
    group: &Group,
    environment: &ExactEnvironment,
) -> Result<Vec<Option<Quantity>>, Undecided> {
    Ok(along(curve, &curve.corners(&environment.proportions)?, group, environment))
}

/// The optimal loss: the integral along a hull, corners included; `None` if it has no exact value.
pub(super) fn optimal(hull: &ExactCurve, environment: &ExactEnvironment) -> Result<Option<Quantity>, Undecided> {
    Ok(with_corners(hull, &OPTIMAL, environment)?.into_iter().next().flatten())
}
