//! Models of atoms, flat and tilted pieces, and gaps, of which each class has its share.

use super::{ModelSpace, fraction, mass, pick, units, vectors};
use crate::search::recipe::{Extent, Recipe, RecipeCell, Tilt};
use crate::statement::Class;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;
use rocproof_engine::functional::definition::Scores;

/// Numerator and denominator.
type Ratio = (u32, u32);

/// The masses of both classes in each cell of a layout.
type CellMasses = Vec<[Rational; 2]>;

const TILTS: [Tilt; 3] = [Tilt::Flat, Tilt::Rising, Tilt::Falling];

/// An atom.
fn at((above, below): Ratio) -> Extent {
    Extent::At(fraction(above, below))
}

/// An interval.
fn on(from: Ratio, to: Ratio) -> Extent {
    Extent::On([fraction(from.0, from.1), fraction(to.0, to.1)])
}

/// The layouts of cells that are tried in a round. Where only the order of scores matters, the first layout of each pattern of atoms and
/// intervals stands for all.
fn layouts(round: usize) -> Vec<Vec<Extent>> {
    let (zero, one, half) = ((0, 1), (1, 1), (1, 2));
    let (third, two_thirds, quarter, three_quarters) = ((1, 3), (2, 3), (1, 4), (3, 4));
    match round {
        0 => vec![
            vec![at(half)],
            vec![at(zero)],
            vec![at(one)],
            vec![at(quarter)],
            vec![at(three_quarters)],
            vec![on(zero, one)],
            vec![on(zero, half)],
            vec![on(half, one)],
            vec![at(zero), at(one)],
            vec![on(zero, half), on(half, one)],
            vec![at(quarter), at(three_quarters)],
            vec![at(zero), at(half)],
            vec![at(half), at(one)],
            vec![at(half), at(three_quarters)],
            vec![at(third), at(two_thirds)],
            vec![on(zero, third), on(third, one)],
            vec![on(zero, two_thirds), on(two_thirds, one)],
            vec![on(zero, third), on(two_thirds, one)],
            vec![at(zero), on(zero, one)],
            vec![on(zero, one), at(one)],
        ],
        1 => vec![
            vec![at(zero), at(half), at(one)],
            vec![on(zero, third), on(third, two_thirds), on(two_thirds, one)],
            vec![at(quarter), at(half), at(three_quarters)],
            vec![at(zero), at(quarter), at(one)],
            vec![at(zero), at(three_quarters), at(one)],
            vec![on(zero, quarter), on(quarter, three_quarters), on(three_quarters, one)],
            vec![on(zero, half), at(half), on(half, one)],
            vec![at(zero), on(zero, one), at(one)],
        ],
        _ => Vec::new(),
    }
}

/// Layouts of cells that reach beyond [0, 1].
fn wide_layouts() -> Vec<Vec<Extent>> {
    let (zero, one, two) = ((0, 1), (1, 1), (2, 1));
    vec![
        vec![at(two)],
        vec![on(zero, two)],
        vec![at(zero), at(two)],
        vec![at(one), at(two)],
        vec![on(zero, one), on(one, two)],
    ]
}

/// The systematic models of a round.
pub fn round(space: &ModelSpace, round: usize) -> Vec<Recipe> {
    let first_proportions = if round == 0 { 5 } else { 2 };
    let (first, others) = space.proportions.split_at(space.proportions.len().min(first_proportions));
    let mut recipes = Vec::new();
    for layout in distinct_layouts(space, round) {
        // Pairs of cells are few, so larger masses are affordable.
        let most = if layout.len() == 2 && !space.scores_matter { 4 } else { 2 };
        recipes.extend(all_masses(&layout, &masses(space, layout.len(), most), first));
    }
    match round {
        0 => {
            recipes.extend(tilted_cells(first));
            // The other class proportions, for the simplest layouts only.
            let two_cells = masses(space, 2, 3);
            for layout in [[at((0, 1)), at((1, 1))], [on((0, 1), (1, 2)), on((1, 2), (1, 1))]] {
                recipes.extend(all_masses(&layout, &two_cells, others));
            }
        }
        1 => {
            let mut three_cells = if space.scores_matter { Vec::new() } else { masses(space, 3, 3) };
            three_cells.extend(lopsided_masses(space));
            let simplest = &first[..first.len().min(1)];
            recipes.extend(all_masses(&[at((0, 1)), at((1, 2)), at((1, 1))], &three_cells, simplest));
        }
        _ => {}
    }
    recipes
}

/// The layouts of a round for a space, with wide ones where scores may lie outside [0, 1]. If only the order of scores matters, layouts
/// with the same pattern of atoms and intervals are equivalent, and the first of each pattern is kept.
fn distinct_layouts(space: &ModelSpace, round: usize) -> Vec<Vec<Extent>> {
    let mut layouts = layouts(round);
    if round == 0 && may_be_wide(space) {
        layouts.extend(wide_layouts());
    }
    if !space.scores_matter {
        let mut seen: Vec<Vec<bool>> = Vec::new();
        layouts.retain(|layout| {
            let pattern: Vec<bool> = layout.iter().map(|extent| matches!(extent, Extent::At(_))).collect();
            let is_new = !seen.contains(&pattern);
            if is_new {
                seen.push(pattern);
            }
            is_new
        });
    }
    layouts
}

/// Whether scores outside [0, 1] are allowed and can make a difference.
fn may_be_wide(space: &ModelSpace) -> bool {
    space.scores_matter && space.scores != Scores::Probabilities
}

/// The models with a layout of flat cells: one for each choice of masses and each class proportion.
fn all_masses(layout: &[Extent], masses: &[CellMasses], proportions: &[Rational]) -> Vec<Recipe> {
    let mut recipes = Vec::new();
    for masses in masses {
        let flat_cell = |(extent, mass): (&Extent, &[Rational; 2])| RecipeCell::new(extent.clone(), mass.clone());
        let cells: Vec<RecipeCell> = layout.iter().zip(masses).map(flat_cell).collect();
        recipes.extend(proportions.iter().map(|pi0| Recipe::Cells { pi0: pi0.clone(), cells: cells.clone() }));
    }
    recipes
}

/// The models with one cell on [0, 1], for every pair of tilts and each class proportion.
fn tilted_cells(proportions: &[Rational]) -> Vec<Recipe> {
    let mut recipes = Vec::new();
    for tilt in TILTS.iter().flat_map(|a| TILTS.map(|b| [*a, b])) {
        let cell = RecipeCell { extent: on((0, 1), (1, 1)), mass: [Rational::ONE, Rational::ONE], tilt };
        recipes.extend(proportions.iter().map(|pi0| Recipe::Cells { pi0: pi0.clone(), cells: vec![cell.clone()] }));
    }
    recipes
}

/// Masses of three cells, one much larger than the others.
fn lopsided_masses(space: &ModelSpace) -> Vec<CellMasses> {
    const MASSES: [[u8; 3]; 7] = [[1, 20, 0], [0, 20, 1], [20, 1, 0], [0, 1, 20], [1, 0, 20], [20, 0, 1], [1, 20, 1]];
    pair_masses(space, &MASSES.map(|masses| masses.map(Rational::from).to_vec()))
}

/// All masses of both classes in some number of cells that are integers up to `most`, up to a common factor of each class.
fn masses(space: &ModelSpace, cells: usize, most: u8) -> Vec<CellMasses> {
    pair_masses(space, &vectors(cells, most))
}

/// All pairs of mass vectors, one for each class; in the class `random` both classes have the same.
fn pair_masses(space: &ModelSpace, vectors: &[Vec<Rational>]) -> Vec<CellMasses> {
    let pair = |class0: &Vec<Rational>, class1: &Vec<Rational>| -> CellMasses {
        class0.iter().cloned().zip(class1.iter().cloned()).map(|(m0, m1)| [m0, m1]).collect()
    };
    if space.classes.contains(&Class::Random) {
        return vectors.iter().map(|vector| pair(vector, vector)).collect();
    }
    vectors.iter().flat_map(|class0| vectors.iter().map(move |class1| pair(class0, class1))).collect()
}

/// A random model. In the classes `random`, `perfect` and `convex` the masses are adjusted, so that few draws are rejected.
pub fn random(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Recipe {
    let pi0 = space.proportion(rng);
    let extents = random_extents(space, rng);
    let is_tilted = rng.random_ratio(1, 4);
    let classes_agree = space.classes.contains(&Class::Random);
    let random_cell = |extent: Extent| {
        let mut cell = RecipeCell::new(extent, [mass(rng), mass(rng)]);
        if is_tilted {
            cell.tilt = [0, 1].map(|_| TILTS[rng.random_range(0..3)]);
        }
        if classes_agree {
            cell.mass[1] = cell.mass[0].clone();
            cell.tilt[1] = cell.tilt[0];
        }
        cell
    };
    let mut cells: Vec<RecipeCell> = extents.into_iter().map(random_cell).collect();
    if space.classes.contains(&Class::Perfect) {
        // Cells before the split keep the mass of class 0 alone, the others that of class 1.
        let split = rng.random_range(0..=cells.len());
        for (k, cell) in cells.iter_mut().enumerate() {
            cell.mass[usize::from(k < split)] = Rational::ZERO;
        }
    }
    if space.classes.contains(&Class::Convex) && rng.random_ratio(3, 4) {
        sort_by_odds(&mut cells);
    }
    cells.retain(|cell| !(cell.mass[0].is_zero() && cell.mass[1].is_zero()));
    if cells.is_empty() {
        cells.push(RecipeCell::new(Extent::On([Rational::ZERO, Rational::ONE]), [Rational::ONE, Rational::ONE]));
    }
    Recipe::Cells { pi0, cells }
}

/// Random extents of cells: atoms, or neighbouring intervals, perhaps with an atom at the right end of one; sometimes beyond [0, 1].
fn random_extents(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Vec<Extent> {
    let count = *pick(rng, &[1, 2, 2, 3, 3, 4]).unwrap_or(&2);
    let may_have_atoms = space.may_have_atoms();
    let mut extents: Vec<Extent> = if may_have_atoms && rng.random_ratio(2, 5) {
        units(rng, count).into_iter().map(Extent::At).collect()
    } else {
        let ends = units(rng, count + 1);
        ends.windows(2).map(|pair| Extent::On([pair[0].clone(), pair[1].clone()])).collect()
    };
    // An atom at the right end of an interval.
    if may_have_atoms && rng.random_ratio(1, 5) {
        let k = rng.random_range(0..extents.len());
        if let Extent::On([_, b]) = extents[k].clone() {
            extents.insert(k + 1, Extent::At(b));
        }
    }
    // Another scale of scores.
    if may_be_wide(space) && rng.random_ratio(1, 4) {
        let (shift, factor) = (Rational::from(rng.random_range(-2..=1i8)), Rational::from(rng.random_range(1..=4u8)));
        let transform = |at: &Rational| at * &factor + &shift;
        for extent in &mut extents {
            *extent = match extent {
                Extent::At(at) => Extent::At(transform(at)),
                Extent::On([a, b]) => Extent::On([transform(a), transform(b)]),
            };
        }
    }
    extents
}

/// Permutes the masses of the cells into increasing order of the odds of class 1, and makes the cells flat. The curve becomes convex.
fn sort_by_odds(cells: &mut [RecipeCell]) {
    let mut masses: Vec<[Rational; 2]> = cells.iter().map(|cell| cell.mass.clone()).collect();
    masses.sort_by(|[a0, a1], [b0, b1]| (a1 * b0).cmp(&(b1 * a0)));
    for (cell, mass) in cells.iter_mut().zip(masses) {
        (cell.mass, cell.tilt) = (mass, [Tilt::Flat; 2]);
    }
}
