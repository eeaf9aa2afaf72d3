//! Calibrated models: atoms and pieces whose scores are posteriors.

use super::{FIRST_PROPORTIONS, ModelSpace, fraction, pick, units, vectors};
use crate::search::recipe::{Extent, Recipe, WeightedCell};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;

/// Scales the weights of the cells above `pi1 = 1 - pi0` so that the mean score, which is the proportion of class 1, becomes `pi1`. `None`
/// if no scaling does.
fn reweight_to_proportion(mut cells: Vec<WeightedCell>, pi0: &Rational) -> Option<Vec<WeightedCell>> {
    let pi1 = Rational::ONE - pi0;
    // The moments about `pi1` of the cells above it and of the other cells. The mean is `pi1` where they are equal.
    let (mut over, mut under) = (Rational::ZERO, Rational::ZERO);
    for cell in &cells {
        let distance = cell.extent.mean() - &pi1;
        if distance > Rational::ZERO {
            over += &cell.weight * distance;
        } else {
            under -= &cell.weight * distance;
        }
    }
    if over.is_zero() || under.is_zero() {
        // All cells lie at `pi1` itself, or the mean cannot reach it.
        return (over == under).then_some(cells);
    }
    for cell in cells.iter_mut().filter(|cell| cell.extent.mean() > pi1) {
        cell.weight = &cell.weight * &under / &over;
    }
    Some(cells)
}

/// The recipe with these cells. If every model must have one of the class proportions of the space, one recipe for each of the first
/// [`FIRST_PROPORTIONS`] of them, reweighted to it; proportions that no weights give are left out.
fn recipes_for_proportions(space: &ModelSpace, cells: Vec<WeightedCell>) -> Vec<Recipe> {
    if !space.proportions_are_fixed {
        return vec![Recipe::Calibrated(cells)];
    }
    let proportions = space.proportions.iter().take(FIRST_PROPORTIONS);
    proportions.filter_map(|pi0| reweight_to_proportion(cells.clone(), pi0)).map(Recipe::Calibrated).collect()
}

/// The systematic models of a round: every layout of cells, with all small integer weights.
pub fn round(space: &ModelSpace, round: usize) -> Vec<Recipe> {
    let layouts = match round {
        0 => simple_layouts(space),
        1 => layouts_of_three_scores(),
        _ => return Vec::new(),
    };
    // Weights for layouts of one, two and three cells.
    let weights: [Vec<Vec<Rational>>; 3] = [vectors(1, 1), vectors(2, 3), vectors(3, 2)];
    let mut recipes = Vec::new();
    for layout in layouts {
        for weights in weights[layout.len() - 1].iter().filter(|weights| weights.iter().all(|weight| !weight.is_zero()))
        {
            let with_weight = |(extent, weight): (&Extent, &Rational)| WeightedCell {
                extent: extent.clone(),
                weight: weight.clone(),
            };
            let cells = layout.iter().zip(weights).map(with_weight).collect();
            recipes.extend(recipes_for_proportions(space, cells));
        }
    }
    recipes
}

/// The scores at which systematic models have atoms or ends of intervals, in increasing order.
fn simple_scores() -> [Rational; 7] {
    [(0, 1), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (1, 1)].map(|(above, below)| fraction(above, below))
}

/// An atom at a score.
fn at(score: &Rational) -> Extent {
    Extent::At(score.clone())
}

/// The interval between two scores.
fn on(from: &Rational, to: &Rational) -> Extent {
    Extent::On([from.clone(), to.clone()])
}

/// Layouts of one atom, two atoms or one interval; also of one atom at the proportion of class 1, for every class proportion of the space.
fn simple_layouts(space: &ModelSpace) -> Vec<Vec<Extent>> {
    let scores = simple_scores();
    let mut layouts: Vec<Vec<Extent>> = Vec::new();
    for (i, a) in scores.iter().enumerate() {
        layouts.push(vec![at(a)]);
        for b in &scores[i + 1..] {
            layouts.push(vec![at(a), at(b)]);
            layouts.push(vec![on(a, b)]);
        }
    }
    layouts.extend(space.proportions.iter().map(|pi0| vec![Extent::At(Rational::ONE - pi0)]));
    layouts
}

/// Layouts on three scores: three atoms, two neighbouring intervals, or an atom and an interval.
fn layouts_of_three_scores() -> Vec<Vec<Extent>> {
    let scores = simple_scores();
    let mut layouts: Vec<Vec<Extent>> = Vec::new();
    for (i, a) in scores.iter().enumerate() {
        for (j, b) in scores.iter().enumerate().skip(i + 1) {
            for c in &scores[j + 1..] {
                layouts.push(vec![at(a), at(b), at(c)]);
                layouts.push(vec![on(a, b), on(b, c)]);
                layouts.push(vec![at(a), on(b, c)]);
            }
        }
    }
    layouts
}

/// A random model of one to four cells.
pub fn random(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Recipe {
    let count = rng.random_range(1..=4);
    let ends = units(rng, count + 1);
    let may_have_atoms = space.may_have_atoms();
    let mut cells: Vec<WeightedCell> = Vec::new();
    for pair in ends.windows(2) {
        let weight = Rational::from(*pick(rng, &[1u8, 1, 2, 3, 4, 20, 100]).unwrap_or(&1));
        let is_atom = may_have_atoms && rng.random_ratio(1, 2);
        let extent = if is_atom { at(&pair[0]) } else { on(&pair[0], &pair[1]) };
        cells.push(WeightedCell { extent, weight });
    }
    if space.proportions_are_fixed
        && let Some(reweighted) = reweight_to_proportion(cells.clone(), &space.proportion(rng))
    {
        cells = reweighted;
    }
    Recipe::Calibrated(cells)
}
