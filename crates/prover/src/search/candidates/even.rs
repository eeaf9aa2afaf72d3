//! Evenly spaced models: any posterior along [0, 1].

use super::{ModelSpace, fraction, unit, units};
use crate::search::recipe::Recipe;
use crate::statement::Class;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;

/// Pieces of [0, 1]: the right end of each, and the posterior at both its ends.
type PosteriorPieces = Vec<(Rational, [Rational; 2])>;

/// Scales the posterior towards 0 or towards 1, so that its mean becomes `1 - pi0`.
fn rescale_to(mut pieces: PosteriorPieces, pi0: &Rational) -> PosteriorPieces {
    let pi1 = Rational::ONE - pi0;
    let mut start = Rational::ZERO;
    let mut mean = Rational::ZERO;
    for (end, [a, b]) in &pieces {
        mean += (end - &start) * (a + b) / Rational::from(2);
        start = end.clone();
    }
    for c in pieces.iter_mut().flat_map(|(_, posterior)| posterior) {
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

/// The recipe of some pieces; of a pinned space, one recipe for each of the first class proportions.
fn recipes_for_proportions(space: &ModelSpace, pieces: PosteriorPieces) -> Vec<Recipe> {
    if !space.pinned {
        return vec![Recipe::Even(pieces)];
    }
    space.proportions.iter().take(4).map(|pi0| Recipe::Even(rescale_to(pieces.clone(), pi0))).collect()
}

/// The systematic models of a round.
pub fn round(space: &ModelSpace, round: usize) -> Vec<Recipe> {
    let posteriors: Vec<Rational> =
        [(0, 1), (1, 2), (1, 1), (1, 4), (3, 4), (1, 3), (2, 3)].map(|(a, b)| fraction(a, b)).to_vec();
    let constant = |c: &Rational| [c.clone(), c.clone()];
    let mut layouts: Vec<PosteriorPieces> = Vec::new();
    if round == 0 {
        for a in &posteriors {
            layouts.extend(posteriors.iter().map(|b| vec![(Rational::ONE, [a.clone(), b.clone()])]));
            for b in &posteriors {
                for split in [(1, 2), (1, 3), (2, 3), (1, 4), (3, 4)] {
                    layouts.push(vec![(fraction(split.0, split.1), constant(a)), (Rational::ONE, constant(b))]);
                }
            }
        }
        layouts.extend(space.proportions.iter().map(|pi0| vec![(Rational::ONE, constant(&(Rational::ONE - pi0)))]));
        // A perfect ranking, for every class proportion.
        layouts.extend(
            space
                .proportions
                .iter()
                .map(|pi0| vec![(pi0.clone(), constant(&Rational::ZERO)), (Rational::ONE, constant(&Rational::ONE))]),
        );
    } else if round == 1 {
        for a in &posteriors[..5] {
            for b in &posteriors[..5] {
                for c in &posteriors[..5] {
                    layouts.push(vec![
                        (fraction(1, 3), constant(a)),
                        (fraction(2, 3), constant(b)),
                        (Rational::ONE, constant(c)),
                    ]);
                    layouts
                        .push(vec![(fraction(1, 2), [a.clone(), b.clone()]), (Rational::ONE, [b.clone(), c.clone()])]);
                }
            }
        }
    }
    layouts.into_iter().flat_map(|pieces| recipes_for_proportions(space, pieces)).collect()
}

/// A random model.
pub fn random(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Recipe {
    let count = rng.random_range(1..=4);
    let mut ends = units(rng, count);
    ends.retain(|end| !end.is_zero() && *end != Rational::ONE);
    ends.push(Rational::ONE);
    let mut posteriors: Vec<Rational> = (0..2 * ends.len()).map(|_| unit(rng)).collect();
    if rng.random_ratio(1, 2) {
        for k in (0..posteriors.len()).step_by(2) {
            posteriors[k + 1] = posteriors[k].clone();
        }
    }
    if space.classes.contains(&Class::Convex) {
        posteriors.sort();
    }
    let pieces: PosteriorPieces =
        ends.into_iter().zip(posteriors.chunks(2)).map(|(end, c)| (end, [c[0].clone(), c[1].clone()])).collect();
    if space.pinned {
        return Recipe::Even(rescale_to(pieces, &space.proportion(rng)));
    }
    Recipe::Even(pieces)
}
