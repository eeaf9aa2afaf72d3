//! Calibrated models: atoms and pieces whose scores are posteriors.

use super::{ModelSpace, fraction, pick, units, vectors};
use crate::search::recipe::{Extent, Recipe};
use crate::statement::Class;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;

type Weighed = Vec<(Extent, Rational)>;

fn mean(extent: &Extent) -> Rational {
    match extent {
        Extent::At(at) => at.clone(),
        Extent::On([a, b]) => (a + b) / Rational::from(2),
    }
}

/// The same cells, those above the proportion of class 1 weighed so that it comes out.
fn to_measure(mut cells: Weighed, pi0: &Rational) -> Option<Weighed> {
    let pi1 = Rational::ONE - pi0;
    let excess = |cells: &Weighed, above: bool| {
        cells.iter().filter(|(extent, _)| (mean(extent) > pi1) == above).fold(
            Rational::ZERO,
            |sum, (extent, weight)| {
                let distance = mean(extent) - &pi1;
                sum + weight * if above { distance } else { -distance }
            },
        )
    };
    let (over, under) = (excess(&cells, true), excess(&cells, false));
    if over.is_zero() || under.is_zero() {
        // All at the proportion itself.
        return (over == under).then_some(cells);
    }
    for (extent, weight) in &mut cells {
        if mean(extent) > pi1 {
            *weight = &*weight * &under / &over;
        }
    }
    Some(cells)
}

/// Cells as they are, or made to measure for each class proportion.
fn made(space: &ModelSpace, cells: Weighed) -> Vec<Recipe> {
    if !space.pinned {
        return vec![Recipe::Calibrated(cells)];
    }
    let proportions = space.proportions.iter().take(4);
    proportions.filter_map(|pi0| to_measure(cells.clone(), pi0)).map(Recipe::Calibrated).collect()
}

/// The models of a round.
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
    // One atom at the proportion itself, for every proportion.
    if round == 0 {
        layouts.extend(space.proportions.iter().map(|pi0| vec![Extent::At(Rational::ONE - pi0)]));
    }
    let weights: [Vec<Vec<Rational>>; 3] = [vectors(1, 1), vectors(2, 3), vectors(3, 2)];
    let cells = layouts.into_iter().flat_map(|layout| {
        let weights = &weights[layout.len() - 1];
        let weighed = |weight: &Vec<Rational>| -> Weighed { layout.iter().cloned().zip(weight.clone()).collect() };
        weights.iter().filter(|w| w.iter().all(|w| !w.is_zero())).map(weighed).collect::<Vec<_>>()
    });
    cells.flat_map(|cells| made(space, cells)).collect()
}

/// A model at random.
pub fn random(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Recipe {
    let count = rng.random_range(1..=4);
    let ends = units(rng, count + 1);
    let atoms = !space.classes.iter().any(|class| matches!(class, Class::Continuous | Class::Piecewise));
    let mut cells: Weighed = Vec::new();
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
        && let Some(measured) = to_measure(cells.clone(), &space.proportion(rng))
    {
        cells = measured;
    }
    Recipe::Calibrated(cells)
}
