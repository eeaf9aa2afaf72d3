//! Local search: varies the numbers of a model on which a statement barely holds, towards one that breaks it.

use super::candidates::ModelSpace;
use super::recipe::Recipe;
use super::trial::{Screening, Trial};
use super::value::Assignment;
use crate::budget::Ceiling;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;
use rocproof_arith::rational::to_f64;

/// Varied numbers are multiples of 1/GRAIN.
const GRAIN: f64 = 1000.0;
/// The search ends after this many steps without gain.
const PATIENCE: usize = 40;

/// Varies the numbers of models and of an assignment, and keeps what makes the margin `slack` of the statement smaller. Returns models that
/// break the statement in floating point, if it reaches some.
#[allow(clippy::too_many_arguments)]
pub fn climb(
    trial: &Trial,
    space: &ModelSpace,
    mut recipes: Vec<Recipe>,
    mut assignment: Assignment,
    mut slack: f64,
    rng: &mut ChaCha8Rng,
    work: &mut usize,
    ceiling: &Ceiling,
) -> Option<(Vec<Recipe>, Assignment)> {
    // The size of the steps, which is halved after every ten steps without gain, and the number of those steps.
    let mut size = 0.5;
    let mut idle = 0;
    while idle < PATIENCE && *work > 0 && !ceiling.is_reached() {
        let (mut new_recipes, mut new_assignment) = (recipes.clone(), assignment.clone());
        perturb(&mut new_recipes, &mut new_assignment, size, rng);
        if !new_recipes.iter().all(|recipe| space.contains(recipe) && recipe.build().is_some()) {
            idle += 1;
            continue;
        }
        *work = work.saturating_sub(new_recipes.iter().map(|recipe| trial.work(recipe)).sum());
        match trial.screen_recipes(&new_recipes, &new_assignment) {
            Screening::Broken(_) => return Some((new_recipes, new_assignment)),
            Screening::Holds(new_slack) if new_slack < slack => {
                (recipes, assignment, slack, idle) = (new_recipes, new_assignment, new_slack, 0);
                continue;
            }
            _ => {}
        }
        idle += 1;
        size = if idle % 10 == 0 { size / 2.0 } else { size };
    }
    None
}

/// Changes one number of the models or of the assignment, or three.
fn perturb(recipes: &mut [Recipe], assignment: &mut Assignment, size: f64, rng: &mut ChaCha8Rng) {
    let shared_proportion = recipes.len() > 1;
    let count = if rng.random_ratio(1, 2) { 1 } else { 3 };
    for _ in 0..count {
        if !assignment.numbers.is_empty() && rng.random_ratio(1, 5) {
            let k = rng.random_range(0..assignment.numbers.len());
            assignment.numbers[k] = perturb_number(&assignment.numbers[k], size, rng);
            continue;
        }
        let which = rng.random_range(0..recipes.len());
        let mut numbers = recipes[which].numbers();
        let i = rng.random_range(0..numbers.len());
        numbers[i] = perturb_number(&numbers[i], size, rng);
        for [first, second] in recipes[which].shared() {
            if first == i {
                numbers[second] = numbers[first].clone();
            } else if second == i {
                numbers[first] = numbers[second].clone();
            }
        }
        let proportion = numbers[0].clone();
        recipes[which] = recipes[which].with(&numbers);
        if shared_proportion && i == 0 {
            recipes.iter_mut().filter_map(Recipe::pi0_mut).for_each(|pi0| *pi0 = proportion.clone());
        }
    }
}

/// A number near another: within a distance of 0.3·`size`, or within a factor of 1 ± `size`.
fn perturb_number(number: &Rational, size: f64, rng: &mut ChaCha8Rng) -> Rational {
    let value = to_f64(number);
    let step = size * (2.0 * rng.random::<f64>() - 1.0);
    // Relative steps keep small proportions and masses positive.
    let changed = if rng.random_ratio(1, 2) { value * (1.0 + step) } else { value + 0.3 * step };
    Rational::from((changed * GRAIN).round() as i64) / Rational::from(GRAIN as i64)
}
