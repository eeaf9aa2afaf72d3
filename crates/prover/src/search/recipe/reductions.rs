//! Simpler recipes: fewer cells, or plainer ones.

use super::{Extent, PosteriorPiece, Recipe, RecipeCell, Tilt, WeightedCell, two, zero};
use rocproof_arith::Rational;

impl Recipe {
    /// Variants of the recipe with a cell less, or with a plainer cell. Some may make no model.
    pub fn reductions(&self) -> Vec<Recipe> {
        match self {
            Recipe::Cells { pi0, cells } => {
                let variants = as_atoms(cells).into_iter().chain(fewer_cells(cells)).chain(plainer_cells(cells));
                variants.map(|cells| Recipe::Cells { pi0: pi0.clone(), cells }).collect()
            }
            Recipe::Calibrated(cells) => reduce_calibrated(cells).into_iter().map(Recipe::Calibrated).collect(),
            Recipe::Even(pieces) => reduce_pieces(pieces).into_iter().map(Recipe::Even).collect(),
            Recipe::Named { .. } => Vec::new(),
        }
    }
}

/// A list without the element at an index.
fn without<T: Clone>(list: &[T], index: usize) -> Vec<T> {
    let mut fewer = list.to_vec();
    fewer.remove(index);
    fewer
}

/// The masses of the cells put at single scores: at the midpoints of the cells, at evenly spaced scores, and at 0, 1 and a score near an end.
fn as_atoms(cells: &[RecipeCell]) -> Vec<Vec<RecipeCell>> {
    let at_scores = |scores: Vec<Rational>| -> Vec<RecipeCell> {
        let atom = |(cell, score): (&RecipeCell, Rational)| RecipeCell::new(Extent::At(score), cell.mass.clone());
        cells.iter().zip(scores).map(atom).collect()
    };
    let count = cells.len();
    let mut variants = vec![at_scores(cells.iter().map(|cell| cell.extent.mean()).collect())];
    if count > 1 {
        variants.push(at_scores((0..count).map(|k| Rational::from(k) / Rational::from(count - 1)).collect()));
    }
    if count == 3 {
        let quarter = Rational::ONE / Rational::from(4);
        for inner in [quarter.clone(), Rational::ONE - quarter] {
            variants.push(at_scores(vec![zero(), inner, Rational::ONE]));
        }
    }
    variants.retain(|variant| variant != cells);
    variants
}

/// The cells without one of them, and with two neighbouring intervals merged into one.
fn fewer_cells(cells: &[RecipeCell]) -> Vec<Vec<RecipeCell>> {
    let mut variants: Vec<Vec<RecipeCell>> = (0..cells.len()).map(|k| without(cells, k)).collect();
    for k in 1..cells.len() {
        if let (Extent::On([a, _]), Extent::On([_, b])) = (&cells[k - 1].extent, &cells[k].extent) {
            let mass = [0, 1].map(|class| &cells[k - 1].mass[class] + &cells[k].mass[class]);
            let mut merged = without(cells, k);
            merged[k - 1] = RecipeCell::new(Extent::On([a.clone(), b.clone()]), mass);
            variants.push(merged);
        }
    }
    variants
}

/// The cells with one of them made plainer: without tilt or without mass of one class, or shrunk to an atom.
fn plainer_cells(cells: &[RecipeCell]) -> Vec<Vec<RecipeCell>> {
    let mut variants = Vec::new();
    for (k, cell) in cells.iter().enumerate() {
        for class in [0, 1] {
            let mut plainer = cells.to_vec();
            if cell.tilt[class] != Tilt::Flat {
                plainer[k].tilt[class] = Tilt::Flat;
                variants.push(plainer.clone());
            }
            if !cell.mass[class].is_zero() {
                plainer[k].mass[class] = zero();
                variants.push(plainer);
            }
        }
        if let Extent::On([a, b]) = &cell.extent {
            let middle = (a + b) / two();
            for score in [a, b, &middle] {
                let mut plainer = cells.to_vec();
                plainer[k].extent = Extent::At(score.clone());
                variants.push(plainer);
            }
        }
    }
    variants
}

/// The cells of a calibrated model without one of them, or with an interval shrunk to its midpoint.
fn reduce_calibrated(cells: &[WeightedCell]) -> Vec<Vec<WeightedCell>> {
    let mut variants = Vec::new();
    for (k, cell) in cells.iter().enumerate() {
        variants.push(without(cells, k));
        if matches!(cell.extent, Extent::On(_)) {
            let mut plainer = cells.to_vec();
            plainer[k].extent = Extent::At(cell.extent.mean());
            variants.push(plainer);
        }
    }
    variants
}

/// The pieces of an evenly spaced model with two neighbours merged, which keep the posterior of one of them, or with a posterior made constant.
fn reduce_pieces(pieces: &[PosteriorPiece]) -> Vec<Vec<PosteriorPiece>> {
    let mut variants = Vec::new();
    for (k, piece) in pieces.iter().enumerate() {
        // A piece starts where the one before it ends, so without this piece the next one covers both.
        if k + 1 < pieces.len() {
            let merged = without(pieces, k);
            variants.push(merged.clone());
            let mut with_own_posterior = merged;
            with_own_posterior[k].posterior = piece.posterior.clone();
            variants.push(with_own_posterior);
        }
        let [from, to] = &piece.posterior;
        if from != to {
            for c in [from, to] {
                let mut plainer = pieces.to_vec();
                plainer[k].posterior = [c.clone(), c.clone()];
                variants.push(plainer);
            }
        }
    }
    variants
}
