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
/// The search ends after this many steps in a row without gain.
const PATIENCE: usize = 40;
/// The size of the steps is halved after this many steps in a row without gain.
const STEPS_PER_SIZE: usize = 10;

/// Models and an assignment, as numbers that can be varied.
#[derive(Clone)]
pub struct Candidate {
    /// The models.
    pub recipes: Vec<Recipe>,
    /// The values of the parameters and of `w`.
    pub assignment: Assignment,
}

/// A statement that a climb tries to break, and the limits of the climb.
pub struct Climb<'a> {
    /// The statement.
    pub trial: &'a Trial<'a>,
    /// The models that are allowed.
    pub space: &'a ModelSpace,
    /// The time at which the climb stops.
    pub ceiling: &'a Ceiling,
    /// The source of random numbers.
    pub rng: &'a mut ChaCha8Rng,
    /// The work that is left; the climb deducts its own.
    pub work: &'a mut usize,
}

impl Climb<'_> {
    /// Varies the numbers of a candidate on which the statement holds with the margin `slack`, and keeps each change that makes the margin
    /// smaller. Returns a candidate that breaks the statement in floating point, if the climb reaches one.
    pub fn run(&mut self, mut candidate: Candidate, mut slack: f64) -> Option<Candidate> {
        let mut step_size = 0.5;
        let mut steps_without_gain = 0;
        while steps_without_gain < PATIENCE && *self.work > 0 && !self.ceiling.is_reached() {
            let varied = perturb(&candidate, step_size, self.rng);
            if !varied.recipes.iter().all(|recipe| self.space.contains(recipe) && recipe.build().is_some()) {
                steps_without_gain += 1;
                continue;
            }
            let work = varied.recipes.iter().map(|recipe| self.trial.work(recipe)).sum();
            *self.work = self.work.saturating_sub(work);
            match self.trial.screen_recipes(&varied.recipes, &varied.assignment) {
                Screening::Broken(_) => return Some(varied),
                Screening::Holds(new_slack) if new_slack < slack => {
                    (candidate, slack, steps_without_gain) = (varied, new_slack, 0);
                }
                _ => {
                    steps_without_gain += 1;
                    if steps_without_gain % STEPS_PER_SIZE == 0 {
                        step_size /= 2.0;
                    }
                }
            }
        }
        None
    }
}

/// A candidate in which one number, or three in turn, are changed at random.
fn perturb(candidate: &Candidate, step_size: f64, rng: &mut ChaCha8Rng) -> Candidate {
    let Candidate { mut recipes, mut assignment } = candidate.clone();
    let count = if rng.random_ratio(1, 2) { 1 } else { 3 };
    for _ in 0..count {
        if !assignment.numbers.is_empty() && rng.random_ratio(1, 5) {
            let k = rng.random_range(0..assignment.numbers.len());
            assignment.numbers[k] = perturb_number(&assignment.numbers[k], step_size, rng);
        } else {
            perturb_recipes(&mut recipes, step_size, rng);
        }
    }
    Candidate { recipes, assignment }
}

/// Changes one number of one recipe, and the numbers that must stay equal to it.
fn perturb_recipes(recipes: &mut [Recipe], step_size: f64, rng: &mut ChaCha8Rng) {
    let which = rng.random_range(0..recipes.len());
    let mut numbers = recipes[which].numbers();
    let i = rng.random_range(0..numbers.len());
    numbers[i] = perturb_number(&numbers[i], step_size, rng);
    for [first, second] in recipes[which].shared() {
        if first == i {
            numbers[second] = numbers[first].clone();
        } else if second == i {
            numbers[first] = numbers[second].clone();
        }
    }
    recipes[which] = recipes[which].with(&numbers);
    // The models of a tuple share one class proportion. Where it is a number of the recipe, it is the first.
    if recipes.len() > 1 && i == 0 {
        recipes.iter_mut().filter_map(Recipe::pi0_mut).for_each(|pi0| *pi0 = numbers[0].clone());
    }
}

/// A random number near another: within a distance of 0.3·`step_size`, or within a factor of 1 ± `step_size`.
fn perturb_number(number: &Rational, step_size: f64, rng: &mut ChaCha8Rng) -> Rational {
    let value = to_f64(number);
    let step = step_size * (2.0 * rng.random::<f64>() - 1.0);
    // Relative steps keep small proportions and masses positive.
    let changed = if rng.random_ratio(1, 2) { value * (1.0 + step) } else { value + 0.3 * step };
    Rational::from((changed * GRAIN).round() as i64) / Rational::from(GRAIN as i64)
}
