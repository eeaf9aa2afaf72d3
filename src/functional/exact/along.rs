//! Integrals along a curve in exact arithmetic.

use super::super::group::{Group, OPTIMAL, Origin};
use super::view::{LARGEST_WEIGHT, Place, View};
use crate::arith::roots::real_roots;
use crate::arith::{Number, Polynomial, Rational, RationalFunction};
use crate::calculus::quantity::Quantity;
use crate::model::exact_curve::{ExactCorner, ExactCurve, ExactPiece, Undecided};
use std::sync::OnceLock;

/// The largest degree along a straight piece of what is integrated node by node.
const LARGEST_DEGREE: usize = 2 * LARGEST_WEIGHT;

/// Nodes in [0, 1] and weights of the rule that integrates polynomials up to a degree exactly.
fn rule(degree: usize) -> &'static [(Number, Number)] {
    static RULES: [OnceLock<Vec<(Number, Number)>>; LARGEST_DEGREE + 1] =
        [const { OnceLock::new() }; LARGEST_DEGREE + 1];
    RULES[degree].get_or_init(|| {
        let node = |k: usize| Rational::from(k) / Rational::from(degree.max(1));
        let nodes: Vec<Rational> = (0..=degree).map(node).collect();
        let weight = |i: usize, at: &Rational| {
            let others = nodes.iter().enumerate().filter(|(j, _)| *j != i);
            let lagrange = others.fold(Polynomial::one(), |product, (_, other)| {
                let scale = Rational::ONE / (at - other);
                &product * &Polynomial::linear(&(-other * &scale), &scale)
            });
            (Number::from(at.clone()), Number::from(lagrange.integral(&Rational::ZERO, &Rational::ONE)))
        };
        nodes.iter().enumerate().map(|(i, at)| weight(i, at)).collect()
    })
}

/// The integrals of a group along a curve, piece by piece; `None` for those that have no exact value.
struct Integration<'a> {
    group: &'a Group,
    view: &'a View,
    sums: Vec<Option<Quantity>>,
}

/// How the inputs of a program depend on the way along a straight piece, and along a corner.
const ALONG_STRAIGHT: [u32; 14] = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];
const ALONG_CORNER: [u32; 14] = [0; 14];

impl Integration<'_> {
    /// The degree of an integrand along a straight piece (with a posterior of degree 0) or along a corner (of degree 1).
    fn degree(&self, k: usize, inputs: &[u32; 14], posterior: u32) -> Option<usize> {
        let weight = self.view.weight.as_ref().and_then(|weight| u32::try_from(weight.degree()).ok());
        let degree = self.group.program.degree(k, inputs, posterior, weight)?;
        usize::try_from(degree).ok().filter(|degree| *degree <= LARGEST_DEGREE)
    }

    /// Adds what lies between the shares 0 and 1 of the way along something: numbers at nodes where that is a polynomial, else
    /// a function, if there is one.
    fn add_way(
        &mut self,
        (inputs, posterior): (&[u32; 14], u32),
        at: impl Fn(&Number) -> Place<Number>,
        along: impl Fn() -> Option<Place<RationalFunction>>,
    ) {
        let degrees: Vec<Option<usize>> = (0..self.sums.len()).map(|k| self.degree(k, inputs, posterior)).collect();
        if let Some(degree) = degrees.iter().flatten().max() {
            for (share, part) in rule(*degree) {
                let values = self.view.values(&self.group.program, at(share));
                for (k, value) in
                    values.into_iter().take(self.sums.len()).enumerate().filter(|(k, _)| degrees[*k].is_some())
                {
                    match (self.sums[k].as_mut(), value) {
                        (Some(sum), Some(value)) => sum.add_number(&value * part),
                        _ => self.sums[k] = None,
                    }
                }
            }
        }
        if degrees.iter().any(Option::is_none) {
            let those: Vec<bool> = degrees.iter().map(Option::is_none).collect();
            match along() {
                Some(place) => self.add_function(place, &[Number::ZERO, Number::ONE], &those),
                None => self.sums.iter_mut().zip(those).filter(|(_, is)| *is).for_each(|(sum, _)| *sum = None),
            }
        }
    }

    /// Adds the integrals of some of the expressions as functions.
    fn add_function(&mut self, place: Place<RationalFunction>, ends: &[Number; 2], those: &[bool]) {
        let values = self.view.values(&self.group.program, place);
        for (k, value) in values.into_iter().take(self.sums.len()).enumerate().filter(|(k, _)| those[*k]) {
            // Definitions have no poles on the way.
            let value = value.filter(|f| self.group.origins[k] != Origin::Typed || !has_pole(f, ends));
            match (self.sums[k].as_mut(), value) {
                (Some(sum), Some(value)) => sum.add_integral(&value, &ends[0], &ends[1]),
                _ => self.sums[k] = None,
            }
        }
    }
}

/// Whether a function may have a pole between two numbers, or at one of them.
fn has_pole(f: &RationalFunction, [from, to]: &[Number; 2]) -> bool {
    let (Some([lo, _]), Some([_, hi])) = (from.bounds(64), to.bounds(64)) else { return true };
    let inside = |root: Number| {
        let beyond = |distance: Number| distance.sign().is_some_and(|sign| sign < 0);
        !(beyond(&root - from) || beyond(to - &root))
    };
    real_roots(f.denominator(), &lo, &hi).iter().any(|root| inside(Number::from(root)))
}

/// The integrals of a group along a curve; `None` for those that have no exact value.
pub(super) fn along(curve: &ExactCurve, corners: &[ExactCorner], group: &Group, view: &View) -> Vec<Option<Quantity>> {
    let mut integration = Integration { group, view, sums: vec![Some(Quantity::default()); group.len()] };
    let all = vec![true; group.len()];
    for piece in &curve.pieces {
        match piece {
            ExactPiece::Straight { from, to, .. } => integration.add_way(
                (&ALONG_STRAIGHT, 0),
                |share| Place::on_straight(from, to, share),
                || Place::along_straight(from, to),
            ),
            ExactPiece::Arc(arc) => integration.add_function(Place::along_arc(arc), &arc.u, &all),
        }
    }
    for corner in corners {
        integration.add_way(
            (&ALONG_CORNER, 1),
            |share| Place::on_corner(corner, share),
            || Place::along_corner(corner),
        );
    }
    integration.sums
}

/// The integrals of a group along a curve, corners included.
pub(super) fn with_corners(curve: &ExactCurve, group: &Group, view: &View) -> Result<Vec<Option<Quantity>>, Undecided> {
    Ok(along(curve, &curve.corners(&view.proportions)?, group, view))
}

/// The optimal loss: along a hull, corners included.
pub(super) fn optimal(hull: &ExactCurve, view: &View) -> Result<Option<Quantity>, Undecided> {
    Ok(with_corners(hull, &OPTIMAL, view)?.into_iter().next().flatten())
}
