//! The complexity of a model: the order in which candidates are tried, and the measure by which counterexamples are simplified.
//!
//! Fewer pieces and atoms, smaller numbers and balanced classes are simpler; named families are the most complex.

use super::recipe::facts;
use super::shape::{WrittenDensity, WrittenModel};
use dashu_base::UnsignedAbs;
use rocproof_arith::Rational;
use rocproof_arith::rational::to_f64;

/// The complexity of an atom.
const ATOM: f64 = 4.0;
/// The complexity of a piece, without its factors.
const PIECE: f64 = 5.0;
/// The complexity of a factor of a piece.
const FACTOR: f64 = 2.0;
/// The complexity of a member of a named family.
const FAMILY: f64 = 12.0;
/// The complexity of a member of a named family that is a polynomial.
const POLYNOMIAL_FAMILY: f64 = 9.0;
/// The complexity of unbalanced classes.
const UNBALANCED: f64 = 2.0;
/// The complexity of operating conditions that are not uniform.
const WEIGHTED: f64 = 4.0;

/// The complexity of a number `n/d`: about `log2|n| + 1.5·log2 d`, and 1 more if it is negative. That of 0 and 1 is 0.
pub fn of_number(value: &Rational) -> f64 {
    // 0 for 1, and about log2 for large integers.
    let size = |integer: f64| (integer + 1.0).log2() - 1.0;
    let numerator = to_f64(&Rational::from(value.numerator().clone().unsigned_abs()));
    let denominator = to_f64(&Rational::from(value.denominator().clone()));
    let sign = if *value < Rational::ZERO { 1.0 } else { 0.0 };
    size(numerator.max(1.0)) + 1.5 * size(denominator) + sign
}

/// The complexity of a density.
fn of_density(density: &WrittenDensity) -> f64 {
    let numbers: f64 = density.numbers().iter().map(of_number).sum();
    let parts = match density {
        WrittenDensity::Parts(pieces, atoms) => {
            let pieces: f64 = pieces.iter().map(|piece| PIECE + FACTOR * piece.factors.len() as f64).sum();
            pieces + ATOM * atoms.len() as f64
        }
        WrittenDensity::Named(name, parameters) => {
            // Members of a bounded family with integer parameters are polynomials.
            let is_bounded = facts(name).is_some_and(|facts| facts.is_bounded());
            if is_bounded && parameters.iter().all(Rational::is_int) { POLYNOMIAL_FAMILY } else { FAMILY }
        }
    };
    numbers + parts
}

/// The complexity of a model.
pub fn of_model(model: &WrittenModel) -> f64 {
    let half = Rational::ONE / Rational::from(2);
    let proportion = if model.pi0 == half { 0.0 } else { UNBALANCED + of_number(&model.pi0) };
    let shapes: f64 = model.densities.iter().map(of_density).sum();
    // Two equal densities count once.
    let factor = if model.densities[0] == model.densities[1] { 0.5 } else { 1.0 };
    proportion + shapes * factor
}

/// The complexity of models with the values of parameters; `uniform` says whether the distribution of operating conditions is uniform.
pub fn of_all<'a>(models: impl Iterator<Item = &'a WrittenModel>, parameters: &[Rational], uniform: bool) -> f64 {
    let models: f64 = models.map(of_model).sum();
    let parameters: f64 = parameters.iter().map(of_number).sum();
    models + parameters + if uniform { 0.0 } else { WEIGHTED }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_simpler() {
        // Numerators and denominators, the simplest number first.
        let complexities: Vec<f64> = [(1, 1), (1, 2), (1, 3), (2, 3), (3, 4), (7, 8), (99, 100), (999, 1000)]
            .map(|(above, below)| of_number(&(Rational::from(above) / Rational::from(below))))
            .to_vec();
        assert!(complexities.windows(2).all(|pair| pair[0] < pair[1]), "{complexities:?}");
        assert_eq!(of_number(&Rational::ZERO), 0.0);
        assert!(of_number(&Rational::from(-1)) > of_number(&Rational::from(1)));
    }
}
