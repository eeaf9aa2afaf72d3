//! Calibrated models: atoms and pieces whose scores are posteriors.

use super::{ModelSpace, fraction, pick, units, vectors};
use crate::search::recipe::{Extent, Recipe};
use crate::statement::Class;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;

/// Cells of a calibrated model, with the share of all mass that each holds.
type WeightedCells = Vec<(Extent, Rational)>;

/// Scales the weights of the cells above `pi1 = 1 - pi0` so that the mean score, which is the proportion of class 1, becomes `pi1`. `None`
/// if no scaling does.
fn reweight_to(mut cells: WeightedCells, pi0: &Rational) -> Option<WeightedCells> {
    let pi1 = Rational::ONE - pi0;
    let excess = |cells: &WeightedCells, above: bool| {
        cells.iter().filter(|(extent, _)| (extent.mean() > pi1) == above).fold(
            Rational::ZERO,
            |sum, (extent, weight)| {
                let distance = extent.mean() - &pi1;
                sum + weight * if above { distance } else { -distance }
            },
        )
    };
    let (over, under) = (excess(&cells, true), excess(&cells, false));
    if over.is_zero() || under.is_zero() {
        // All cells lie at `pi1` itself, or the mean cannot reach it.
        return (over == under).then_some(cells);
    }
    for (extent, weight) in &mut cells {
        if extent.mean() > pi1 {
            *weight = &*weight * &under / &over;
        }
    }
    Some(cells)
}

/// The recipe of some cells; of a pinned space, one recipe for each of the first class proportions.
fn recipes_for_proportions(space: &ModelSpace, cells: WeightedCells) -> Vec<Recipe> {
    if !space.pinned {
        return vec![Recipe::Calibrated(cells)];
    }
    let proportions = space.proportions.iter().take(4);
    proportions.filter_map(|pi0| reweight_to(cells.clone(), pi0)).map(Recipe::Calibrated).collect()
}

/// The systematic models of a round.
pub fn round(space: &ModelSpace, round: usize) -> Vec<Recipe> {
    if round > 1 {
        return Vec::new();
    }
    let scores: Vec<Rational> =
        [(0, 1), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (1, 1)].map(|(a, b)| fraction(a, b)).to_vec();
    let mut layouts: Vec<Vec<Extent>> = Vec::new();
    for (i, a) in scores.iter().enumerate() {
        if round == 0 {
            layouts.push(vec![Extent::At(a.clone())]);
        }
        for (j, b) in scores.iter().enumerate().skip(i + 1) {
            if round == 0 {
                layouts.push(vec![Extent::At(a.clone()), Extent::At(b.clone())]);
                layouts.push(vec![Extent::On([a.clone(), b.clone()])]);
            }
            for c in scores.iter().skip(j + 1).filter(|_| round == 1) {
                layouts.push(vec![Extent::At(a.clone()), Extent::At(b.clone()), Extent::At(c.clone())]);
                layouts.push(vec![Extent::On([a.clone(), b.clone()]), Extent::On([b.clone(), c.clone()])]);
                layouts.push(vec![Extent::At(a.clone()), Extent::On([b.clone(), c.clone()])]);
            }
        }
    }
    // One atom at the proportion of class 1, for every class proportion.
    if round == 0 {
        layouts.extend(space.proportions.iter().map(|pi0| vec![Extent::At(Rational::ONE - pi0)]));
    }
    let weights: [Vec<Vec<Rational>>; 3] = [vectors(1, 1), vectors(2, 3), vectors(3, 2)];
    let cells = layouts.into_iter().flat_map(|layout| {
        let weights = &weights[layout.len() - 1];
        let weighed =
            |weight: &Vec<Rational>| -> WeightedCells { layout.iter().cloned().zip(weight.clone()).collect() };
        weights.iter().filter(|w| w.iter().all(|w| !w.is_zero())).map(weighed).collect::<Vec<_>>()
    });
    cells.flat_map(|cells| recipes_for_proportions(space, cells)).collect()
}

/// A random model.
pub fn random(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Recipe {
    let count = rng.random_range(1..=4);
    let ends = units(rng, count + 1);
    let atoms = !space.classes.iter().any(|class| matches!(class, Class::Continuous | Class::Piecewise));
    let mut cells: WeightedCells = Vec::new();
    for pair in ends.windows(2) {
        let weight = Rational::from(*pick(rng, &[1u8, 1, 2, 3, 4, 20, 100]).unwrap_or(&1));
        let extent = if atoms && rng.random_ratio(1, 2) {
            Extent::At(pair[0].clone())
        } else {
            Extent::On([pair[0].clone(), pair[1].clone()])
        };
        cells.push((extent, weight));
    }
    if space.pinned
        && let Some(reweighted) = reweight_to(cells.clone(), &space.proportion(rng))
    {
        cells = reweighted;
    }
    Recipe::Calibrated(cells)
}
