//! Simpler recipes: fewer cells, or plainer ones.

use super::{Extent, Recipe, RecipeCell, Tilt, two, zero};
use rocproof_arith::Rational;

impl Recipe {
    /// Variants of the recipe with a cell less, or with a plainer cell.
    pub fn reductions(&self) -> Vec<Recipe> {
        let mut variants = Vec::new();
        match self {
            Recipe::Cells { pi0, cells } => {
                variants.extend(as_atoms(cells).into_iter().map(|cells| Recipe::Cells { pi0: pi0.clone(), cells }));
                for k in 0..cells.len() {
                    let mut fewer = cells.clone();
                    fewer.remove(k);
                    variants.push(Recipe::Cells { pi0: pi0.clone(), cells: fewer });
                }
                for k in 1..cells.len() {
                    if let (Extent::On([a, _]), Extent::On([_, b])) = (&cells[k - 1].extent, &cells[k].extent) {
                        let mut fewer = cells.clone();
                        let mass = [0, 1].map(|i| &cells[k - 1].mass[i] + &cells[k].mass[i]);
                        fewer[k - 1] = RecipeCell::new(Extent::On([a.clone(), b.clone()]), mass);
                        fewer.remove(k);
                        variants.push(Recipe::Cells { pi0: pi0.clone(), cells: fewer });
                    }
                }
                for (k, cell) in cells.iter().enumerate() {
                    for i in [0, 1] {
                        let mut plainer = cells.clone();
                        if cell.tilt[i] != Tilt::Flat {
                            plainer[k].tilt[i] = Tilt::Flat;
                            variants.push(Recipe::Cells { pi0: pi0.clone(), cells: plainer.clone() });
                        }
                        if !cell.mass[i].is_zero() {
                            plainer[k].mass[i] = zero();
                            variants.push(Recipe::Cells { pi0: pi0.clone(), cells: plainer });
                        }
                    }
                    if let Extent::On([a, b]) = &cell.extent {
                        let middle = (a + b) / two();
                        for score in [a, b, &middle] {
                            let mut plainer = cells.clone();
                            plainer[k].extent = Extent::At(score.clone());
                            variants.push(Recipe::Cells { pi0: pi0.clone(), cells: plainer });
                        }
                    }
                }
            }
            Recipe::Calibrated(cells) => {
                for k in 0..cells.len() {
                    let mut fewer = cells.clone();
                    fewer.remove(k);
                    variants.push(Recipe::Calibrated(fewer));
                    let mut plainer = cells.clone();
                    plainer[k].0 = Extent::At(cells[k].0.mean());
                    if plainer[k].0 != cells[k].0 {
                        variants.push(Recipe::Calibrated(plainer));
                    }
                }
            }
            Recipe::Even(pieces) => {
                for k in 0..pieces.len() {
                    if k + 1 < pieces.len() {
                        let mut fewer = pieces.clone();
                        fewer.remove(k);
                        variants.push(Recipe::Even(fewer));
                        let mut fewer = pieces.clone();
                        fewer[k + 1].1 = pieces[k].1.clone();
                        fewer.remove(k);
                        variants.push(Recipe::Even(fewer));
                    }
                    let [from, to] = &pieces[k].1;
                    if from != to {
                        for c in [from, to] {
                            let mut plainer = pieces.clone();
                            plainer[k].1 = [c.clone(), c.clone()];
                            variants.push(Recipe::Even(plainer));
                        }
                    }
                }
            }
            Recipe::Named { .. } => {}
        }
        variants
    }
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
    variants.retain(|other| other != cells);
    variants
}
