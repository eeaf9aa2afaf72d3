//! Models with fewer or plainer parts.

use super::{Cell, Place, Recipe, Tilt, two, zero};

impl Recipe {
    /// Models like it with fewer or plainer parts.
    pub fn reductions(&self) -> Vec<Recipe> {
        let mut found = Vec::new();
        match self {
            Recipe::Cells { pi0, cells } => {
                for k in 0..cells.len() {
                    let mut fewer = cells.clone();
                    fewer.remove(k);
                    found.push(Recipe::Cells { pi0: pi0.clone(), cells: fewer });
                }
                for k in 1..cells.len() {
                    if let (Place::On([a, _]), Place::On([_, b])) = (&cells[k - 1].place, &cells[k].place) {
                        let mut fewer = cells.clone();
                        let mass = [0, 1].map(|i| &cells[k - 1].mass[i] + &cells[k].mass[i]);
                        fewer[k - 1] = Cell::new(Place::On([a.clone(), b.clone()]), mass);
                        fewer.remove(k);
                        found.push(Recipe::Cells { pi0: pi0.clone(), cells: fewer });
                    }
                }
                for (k, cell) in cells.iter().enumerate() {
                    for i in [0, 1] {
                        let mut plainer = cells.clone();
                        if cell.tilt[i] != Tilt::Flat {
                            plainer[k].tilt[i] = Tilt::Flat;
                            found.push(Recipe::Cells { pi0: pi0.clone(), cells: plainer.clone() });
                        }
                        if !cell.mass[i].is_zero() {
                            plainer[k].mass[i] = zero();
                            found.push(Recipe::Cells { pi0: pi0.clone(), cells: plainer });
                        }
                    }
                    if let Place::On([a, b]) = &cell.place {
                        let middle = (a + b) / two();
                        for at in [a, b, &middle] {
                            let mut plainer = cells.clone();
                            plainer[k].place = Place::At(at.clone());
                            found.push(Recipe::Cells { pi0: pi0.clone(), cells: plainer });
                        }
                    }
                }
            }
            Recipe::Calibrated(cells) => {
                for k in 0..cells.len() {
                    let mut fewer = cells.clone();
                    fewer.remove(k);
                    found.push(Recipe::Calibrated(fewer));
                    let mut plainer = cells.clone();
                    plainer[k].0 = Place::At(cells[k].0.mean());
                    if plainer[k].0 != cells[k].0 {
                        found.push(Recipe::Calibrated(plainer));
                    }
                }
            }
            Recipe::Even(pieces) => {
                for k in 0..pieces.len() {
                    if k + 1 < pieces.len() {
                        let mut fewer = pieces.clone();
                        fewer.remove(k);
                        found.push(Recipe::Even(fewer));
                        let mut fewer = pieces.clone();
                        fewer[k + 1].1 = pieces[k].1.clone();
                        fewer.remove(k);
                        found.push(Recipe::Even(fewer));
                    }
                    let [from, to] = &pieces[k].1;
                    if from != to {
                        for c in [from, to] {
                            let mut plainer = pieces.clone();
                            plainer[k].1 = [c.clone(), c.clone()];
                            found.push(Recipe::Even(plainer));
                        }
                    }
                }
            }
            Recipe::Named { .. } => {}
        }
        found
    }
}
