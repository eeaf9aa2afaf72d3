//! Evenly spaced models: any posterior along [0, 1].

use super::{FIRST_PROPORTIONS, ModelSpace, fraction, unit, units};
use crate::search::recipe::{PosteriorPiece, Recipe};
use crate::statement::Class;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;

/// Scales the posterior towards 0 or towards 1, so that its mean, the proportion of class 1, becomes `1 - pi0`.
fn rescale_to_proportion(mut pieces: Vec<PosteriorPiece>, pi0: &Rational) -> Vec<PosteriorPiece> {
    let pi1 = Rational::ONE - pi0;
    let mut start = Rational::ZERO;
    let mut mean = Rational::ZERO;
    // The posterior is linear on each piece: its integral is a sum of trapezoids.
    for PosteriorPiece { end, posterior: [a, b] } in &pieces {
        mean += (end - &start) * (a + b) / Rational::from(2);
        start = end.clone();
    }
    for c in pieces.iter_mut().flat_map(|piece| &mut piece.posterior) {
        *c = if mean > pi1 {
            &*c * &pi1 / &mean
        } else if mean < pi1 {
            Rational::ONE - (Rational::ONE - &*c) * pi0 / (Rational::ONE - &mean)
        } else {
            continue;
        };
    }
    pieces
}

/// The recipe with these pieces. If every model must have one of the class proportions of the space, one recipe for each of the first
/// [`FIRST_PROPORTIONS`] of them, rescaled to it.
fn recipes_for_proportions(space: &ModelSpace, pieces: Vec<PosteriorPiece>) -> Vec<Recipe> {
    if !space.proportions_are_fixed {
        return vec![Recipe::Even(pieces)];
    }
    let proportions = space.proportions.iter().take(FIRST_PROPORTIONS);
    proportions.map(|pi0| Recipe::Even(rescale_to_proportion(pieces.clone(), pi0))).collect()
}

/// The systematic models of a round.
pub fn round(space: &ModelSpace, round: usize) -> Vec<Recipe> {
    let posteriors =
        [(0, 1), (1, 2), (1, 1), (1, 4), (3, 4), (1, 3), (2, 3)].map(|(above, below)| fraction(above, below));
    let layouts = match round {
        0 => simple_layouts(space, &posteriors),
        1 => larger_layouts(&posteriors[..5]),
        _ => Vec::new(),
    };
    layouts.into_iter().flat_map(|pieces| recipes_for_proportions(space, pieces)).collect()
}

/// A piece with a linear posterior.
fn linear(end: Rational, from: &Rational, to: &Rational) -> PosteriorPiece {
    PosteriorPiece { end, posterior: [from.clone(), to.clone()] }
}

/// A piece with a constant posterior.
fn constant(end: Rational, c: &Rational) -> PosteriorPiece {
    linear(end, c, c)
}

/// One piece with a linear posterior or two with constant ones; also a constant posterior and a perfect ranking for every class proportion
/// of the space.
fn simple_layouts(space: &ModelSpace, posteriors: &[Rational]) -> Vec<Vec<PosteriorPiece>> {
    let mut layouts = Vec::new();
    for a in posteriors {
        layouts.extend(posteriors.iter().map(|b| vec![linear(Rational::ONE, a, b)]));
        for b in posteriors {
            for (above, below) in [(1, 2), (1, 3), (2, 3), (1, 4), (3, 4)] {
                layouts.push(vec![constant(fraction(above, below), a), constant(Rational::ONE, b)]);
            }
        }
    }
    layouts.extend(space.proportions.iter().map(|pi0| vec![constant(Rational::ONE, &(Rational::ONE - pi0))]));
    let perfect =
        |pi0: &Rational| vec![constant(pi0.clone(), &Rational::ZERO), constant(Rational::ONE, &Rational::ONE)];
    layouts.extend(space.proportions.iter().map(perfect));
    layouts
}

/// Three pieces with constant posteriors, or two along which the posterior is continuous.
fn larger_layouts(posteriors: &[Rational]) -> Vec<Vec<PosteriorPiece>> {
    let mut layouts = Vec::new();
    for a in posteriors {
        for b in posteriors {
            for c in posteriors {
                layouts.push(vec![
                    constant(fraction(1, 3), a),
                    constant(fraction(2, 3), b),
                    constant(Rational::ONE, c),
                ]);
                layouts.push(vec![linear(fraction(1, 2), a, b), linear(Rational::ONE, b, c)]);
            }
        }
    }
    layouts
}

/// A random model of at most five pieces; in half of the draws all posteriors are constant on their piece.
pub fn random(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Recipe {
    let count = rng.random_range(1..=4);
    let mut ends = units(rng, count);
    ends.retain(|end| !end.is_zero() && *end != Rational::ONE);
    ends.push(Rational::ONE);
    // The posteriors at both ends of each piece, in the order of the pieces.
    let mut posteriors: Vec<Rational> = (0..2 * ends.len()).map(|_| unit(rng)).collect();
    if rng.random_ratio(1, 2) {
        for k in (0..posteriors.len()).step_by(2) {
            posteriors[k + 1] = posteriors[k].clone();
        }
    }
    // The curve is convex if the posterior never falls.
    if space.classes.contains(&Class::Convex) {
        posteriors.sort();
    }
    let pieces = ends.into_iter().zip(posteriors.chunks(2)).map(|(end, c)| linear(end, &c[0], &c[1])).collect();
    if space.proportions_are_fixed {
        return Recipe::Even(rescale_to_proportion(pieces, &space.proportion(rng)));
    }
    Recipe::Even(pieces)
}
