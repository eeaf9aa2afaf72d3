//! Simplifies counterexamples: applies simplifications as long as the result is still a counterexample.

use super::candidates::ModelSpace;
use super::complexity;
use super::counterexample::Counterexample;
use super::recipe::Recipe;
use super::shape::WrittenModel;
use super::trial::{Screening, Trial};
use super::value::Assignment;
use crate::budget::Ceiling;
use rocproof_arith::Rational;
use rocproof_arith::rational::to_f64;
use rocproof_engine::functional::Cost;

/// The most models that are tried.
const MOST_TRIED: usize = 3000;
/// The denominators that a simpler number may have.
const DENOMINATORS: [u32; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 100];
/// Small integers that are tried in place of any number.
const SMALL: [f64; 5] = [2.0, 3.0, 4.0, 5.0, 10.0];

/// Models and an assignment that break a statement, as numbers that can be varied and as shown to the user.
#[derive(Clone)]
pub struct FoundCounterexample {
    /// The models.
    pub recipes: Vec<Recipe>,
    /// The values of the parameters and of `w`.
    pub assignment: Assignment,
    /// The proved counterexample.
    pub shown: Counterexample,
}

/// The complexity of models and an assignment; `None` if a recipe makes no model.
fn weigh(recipes: &[Recipe], assignment: &Assignment) -> Option<f64> {
    let written: Vec<WrittenModel> = recipes.iter().map(Recipe::build).collect::<Option<_>>()?;
    Some(complexity::of_all(written.iter(), &assignment.numbers, assignment.cost.is_uniform()))
}

/// Simplifies a counterexample until no simplification gives another one, or [`MOST_TRIED`] were tried.
pub fn shrink(
    trial: &Trial,
    space: &ModelSpace,
    mut best: FoundCounterexample,
    ceiling: &Ceiling,
) -> FoundCounterexample {
    let mut tries_left = MOST_TRIED;
    let Some(mut least) = weigh(&best.recipes, &best.assignment) else { return best };
    loop {
        let mut simpler: Vec<(f64, Vec<Recipe>, Assignment)> = simplifications(&best.recipes, &best.assignment)
            .into_iter()
            .filter(|(recipes, _)| recipes.iter().all(|recipe| space.contains(recipe)))
            .filter_map(|(recipes, assignment)| Some((weigh(&recipes, &assignment)?, recipes, assignment)))
            // The margin ignores differences that are rounding errors, so that the loop ends.
            .filter(|(weight, ..)| *weight < least - 1e-9)
            .collect();
        simpler.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut accepted = None;
        for (weight, recipes, assignment) in simpler {
            if tries_left == 0 || ceiling.is_reached() {
                return best;
            }
            tries_left -= 1;
            if !matches!(trial.screen_recipes(&recipes, &assignment), Screening::Broken(_) | Screening::Tie) {
                continue;
            }
            if let Some(shown) = Counterexample::new(trial.statement, &trial.sides, &recipes, &assignment) {
                accepted = Some((weight, FoundCounterexample { recipes, assignment, shown }));
                break;
            }
        }
        match accepted {
            Some((weight, simpler)) => (least, best) = (weight, simpler),
            None => return best,
        }
    }
}

/// Variants of models and an assignment that may be simpler.
fn simplifications(recipes: &[Recipe], assignment: &Assignment) -> Vec<(Vec<Recipe>, Assignment)> {
    let mut variants = Vec::new();
    for (k, recipe) in recipes.iter().enumerate() {
        let mut replace = |other: Recipe| {
            let mut changed = recipes.to_vec();
            changed[k] = other;
            variants.push((changed, assignment.clone()));
        };
        recipe.reductions().into_iter().for_each(&mut replace);
        let own_proportion = matches!(recipe, Recipe::Cells { .. } | Recipe::Named { .. });
        let numbers = recipe.numbers();
        let shared = recipe.shared();
        for (i, number) in numbers.iter().enumerate() {
            // The proportion is changed for all models at once, below.
            if (own_proportion && i == 0) || shared.iter().any(|[_, second]| *second == i) {
                continue;
            }
            for simple in simpler_numbers(number) {
                let mut others = numbers.clone();
                if let Some([_, second]) = shared.iter().find(|[first, _]| *first == i) {
                    others[*second] = simple.clone();
                }
                others[i] = simple;
                replace(recipe.with(&others));
            }
        }
        // Both masses of a cell, all masses of a class, and all masses, made plain at once.
        if let Recipe::Cells { pi0, cells } = recipe {
            for class in [0, 1] {
                for only in 0..cells.len() {
                    let mut plain = cells.clone();
                    for (k, cell) in plain.iter_mut().enumerate() {
                        cell.mass[class] = if k == only { Rational::ONE } else { Rational::ZERO };
                    }
                    plain.retain(|cell| cell.mass.iter().any(|mass| !mass.is_zero()));
                    replace(Recipe::Cells { pi0: pi0.clone(), cells: plain });
                }
            }
            for k in 0..cells.len() {
                let mut plain = cells.clone();
                plain[k].mass = plain[k].mass.clone().map(|mass| if mass.is_zero() { mass } else { Rational::ONE });
                replace(Recipe::Cells { pi0: pi0.clone(), cells: plain });
            }
            let mut plain = cells.clone();
            for mass in plain.iter_mut().flat_map(|cell| &mut cell.mass).filter(|mass| !mass.is_zero()) {
                *mass = Rational::ONE;
            }
            replace(Recipe::Cells { pi0: pi0.clone(), cells: plain });
        }
    }
    let first = recipes.first().map(Recipe::numbers).and_then(|numbers| numbers.into_iter().next());
    if let Some(pi0) = first {
        for simple in simpler_numbers(&pi0) {
            let mut changed = recipes.to_vec();
            if changed.iter_mut().all(|recipe| recipe.pi0_mut().map(|pi0| *pi0 = simple.clone()).is_some()) {
                variants.push((changed, assignment.clone()));
            }
        }
    }
    for (k, number) in assignment.numbers.iter().enumerate() {
        for simple in simpler_numbers(number) {
            let mut changed = assignment.clone();
            changed.numbers[k] = simple;
            variants.push((recipes.to_vec(), changed));
        }
    }
    if !assignment.cost.is_uniform() {
        variants.push((recipes.to_vec(), Assignment { cost: Cost::uniform(), ..assignment.clone() }));
    }
    // Two equal models are simpler than two different ones.
    if let [first, second] = recipes
        && first != second
    {
        variants.push((vec![first.clone(), first.clone()], assignment.clone()));
        variants.push((vec![second.clone(), second.clone()], assignment.clone()));
    }
    variants
}

/// Numbers of less complexity: near the number, or small.
fn simpler_numbers(number: &Rational) -> Vec<Rational> {
    let complexity = complexity::of_number(number);
    let value = to_f64(number);
    let mut simpler: Vec<Rational> = Vec::new();
    for denominator in DENOMINATORS {
        let nearest = (value * f64::from(denominator)).round();
        let neighbours = [nearest - 1.0, nearest, nearest + 1.0, 0.0, 1.0, f64::from(denominator) - 1.0];
        let small = SMALL.iter().copied().filter(|_| denominator == 1);
        for numerator in neighbours.into_iter().chain(small) {
            // Larger numerators are not simple, and might not fit an integer.
            if numerator.abs() > 1e6 {
                continue;
            }
            let simple = Rational::from(numerator as i64) / Rational::from(denominator);
            if complexity::of_number(&simple) < complexity && !simpler.contains(&simple) {
                simpler.push(simple);
            }
        }
    }
    simpler
}
