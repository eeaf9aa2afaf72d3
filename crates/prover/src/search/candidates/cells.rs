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
    let (third, thirds, quarter, quarters) = ((1, 3), (2, 3), (1, 4), (3, 4));
    match round {
        0 => vec![
            vec![at(half)],
            vec![at(zero)],
            vec![at(one)],
            vec![at(quarter)],
            vec![at(quarters)],
            vec![on(zero, one)],
            vec![on(zero, half)],
            vec![on(half, one)],
            vec![at(zero), at(one)],
            vec![on(zero, half), on(half, one)],
            vec![at(quarter), at(quarters)],
            vec![at(zero), at(half)],
            vec![at(half), at(one)],
            vec![at(half), at(quarters)],
            vec![at(third), at(thirds)],
            vec![on(zero, third), on(third, one)],
            vec![on(zero, thirds), on(thirds, one)],
            vec![on(zero, third), on(thirds, one)],
            vec![at(zero), on(zero, one)],
            vec![on(zero, one), at(one)],
        ],
        1 => vec![
            vec![at(zero), at(half), at(one)],
            vec![on(zero, third), on(third, thirds), on(thirds, one)],
            vec![at(quarter), at(half), at(quarters)],
            vec![at(zero), at(quarter), at(one)],
            vec![at(zero), at(quarters), at(one)],
            vec![on(zero, quarter), on(quarter, quarters), on(quarters, one)],
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
    let few = &space.proportions[..space.proportions.len().min(if round == 0 { 5 } else { 2 })];
    let mut recipes = Vec::new();
    let mut seen: Vec<Vec<bool>> = Vec::new();
    let wide = round == 0 && space.scores_matter && space.scores != Scores::Probabilities;
    for layout in layouts(round).into_iter().chain(wide.then(wide_layouts).into_iter().flatten()) {
        if !space.scores_matter {
            // If only the order matters, layouts with the same pattern of atoms and intervals are equivalent.
            let kind: Vec<bool> = layout.iter().map(|extent| matches!(extent, Extent::At(_))).collect();
            if seen.contains(&kind) {
                continue;
            }
            seen.push(kind);
        }
        let shares = shares(space, layout.len(), if layout.len() == 2 && !space.scores_matter { 4 } else { 2 });
        for share in &shares {
            let cells: Vec<RecipeCell> =
                layout.iter().zip(share).map(|(extent, mass)| RecipeCell::new(extent.clone(), mass.clone())).collect();
            recipes.extend(few.iter().map(|pi0| Recipe::Cells { pi0: pi0.clone(), cells: cells.clone() }));
        }
    }
    if round == 1 {
        // Larger masses, and one mass much larger than the others.
        let extents = [at((0, 1)), at((1, 2)), at((1, 1))];
        let larger = if space.scores_matter { Vec::new() } else { shares(space, 3, 3) };
        for share in larger.into_iter().chain(lopsided_shares(space)) {
            let cells = extents.iter().zip(share).map(|(extent, mass)| RecipeCell::new(extent.clone(), mass)).collect();
            recipes.extend(few.first().map(|pi0| Recipe::Cells { pi0: pi0.clone(), cells }));
        }
    }
    if round == 0 {
        for tilt in TILTS.iter().flat_map(|a| TILTS.map(|b| [*a, b])) {
            let cell = RecipeCell { extent: on((0, 1), (1, 1)), mass: [Rational::ONE, Rational::ONE], tilt };
            recipes.extend(few.iter().map(|pi0| Recipe::Cells { pi0: pi0.clone(), cells: vec![cell.clone()] }));
        }
        // Extreme class proportions, for the simplest layouts only.
        let extreme = &space.proportions[few.len()..];
        for extents in [[at((0, 1)), at((1, 1))], [on((0, 1), (1, 2)), on((1, 2), (1, 1))]] {
            for share in shares(space, 2, 3) {
                let cells: Vec<RecipeCell> = extents
                    .iter()
                    .zip(&share)
                    .map(|(extent, mass)| RecipeCell::new(extent.clone(), mass.clone()))
                    .collect();
                recipes.extend(extreme.iter().map(|pi0| Recipe::Cells { pi0: pi0.clone(), cells: cells.clone() }));
            }
        }
    }
    recipes
}

/// Masses of three cells, one much larger than the others.
fn lopsided_shares(space: &ModelSpace) -> Vec<Vec<[Rational; 2]>> {
    const MASSES: [[u8; 3]; 7] = [[1, 20, 0], [0, 20, 1], [20, 1, 0], [0, 1, 20], [1, 0, 20], [20, 0, 1], [1, 20, 1]];
    pair_masses(space, &MASSES.map(|masses| masses.map(Rational::from).to_vec()))
}

/// Masses of both classes in some cells: integers up to `most`.
fn shares(space: &ModelSpace, cells: usize, most: u8) -> Vec<Vec<[Rational; 2]>> {
    pair_masses(space, &vectors(cells, most))
}

/// All pairs of mass vectors, one for each class; in the class `random` both classes have the same.
fn pair_masses(space: &ModelSpace, vectors: &[Vec<Rational>]) -> Vec<Vec<[Rational; 2]>> {
    let pair = |a: &Vec<Rational>, b: &Vec<Rational>| -> Vec<[Rational; 2]> {
        a.iter().cloned().zip(b.iter().cloned()).map(|(m0, m1)| [m0, m1]).collect()
    };
    if space.classes.contains(&Class::Random) {
        return vectors.iter().map(|vector| pair(vector, vector)).collect();
    }
    vectors.iter().flat_map(|a| vectors.iter().map(move |b| pair(a, b))).collect()
}

/// A random model.
pub fn random(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Recipe {
    let pi0 = space.proportion(rng);
    let extents = random_extents(space, rng);
    let tilted = rng.random_ratio(1, 4);
    let alike = space.classes.contains(&Class::Random);
    let random_cell = |extent: Extent| {
        let mut cell = RecipeCell::new(extent, [mass(rng), mass(rng)]);
        if tilted {
            cell.tilt = [0, 1].map(|_| TILTS[rng.random_range(0..3)]);
        }
        if alike {
            cell.mass[1] = cell.mass[0].clone();
            cell.tilt[1] = cell.tilt[0];
        }
        cell
    };
    let mut cells: Vec<RecipeCell> = extents.into_iter().map(random_cell).collect();
    if space.classes.contains(&Class::Perfect) {
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

/// Random extents of cells: atoms, or neighbouring intervals with perhaps an atom between them; sometimes beyond [0, 1].
fn random_extents(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Vec<Extent> {
    let count = *pick(rng, &[1, 2, 2, 3, 3, 4]).unwrap_or(&2);
    let atoms = !space.classes.iter().any(|class| matches!(class, Class::Continuous | Class::Piecewise));
    let mut extents: Vec<Extent> = if atoms && rng.random_ratio(2, 5) {
        units(rng, count).into_iter().map(Extent::At).collect()
    } else {
        let ends = units(rng, count + 1);
        ends.windows(2).map(|pair| Extent::On([pair[0].clone(), pair[1].clone()])).collect()
    };
    if atoms && rng.random_ratio(1, 5) {
        let k = rng.random_range(0..extents.len());
        if let Extent::On([_, b]) = extents[k].clone() {
            extents.insert(k + 1, Extent::At(b));
            extents.dedup();
        }
    }
    if space.scores_matter && space.scores != Scores::Probabilities && rng.random_ratio(1, 4) {
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

/// Deals the masses of the cells anew, in increasing order of the odds of class 1, and flattens the cells: the curve becomes convex.
fn sort_by_odds(cells: &mut [RecipeCell]) {
    let mut masses: Vec<[Rational; 2]> = cells.iter().map(|cell| cell.mass.clone()).collect();
    masses.sort_by(|[a0, a1], [b0, b1]| (a1 * b0).cmp(&(b1 * a0)));
    for (cell, mass) in cells.iter_mut().zip(masses) {
        (cell.mass, cell.tilt) = (mass, [Tilt::Flat; 2]);
    }
}
