//! Simplifies counterexamples: applies simplifications as long as the result is still a counterexample.

use super::candidates::ModelSpace;
use super::climb::Candidate;
use super::complexity;
use super::counterexample::Counterexample;
use super::recipe::{Recipe, RecipeCell};
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

/// Larger numerators are not simple, and might not fit an integer.
const LARGEST_NUMERATOR: f64 = 1e6;
/// A decrease in complexity below this may be a rounding error. Larger decreases cannot go on forever.
const LEAST_GAIN: f64 = 1e-9;

/// A proved counterexample, as numbers that can be varied and as shown to the user.
#[derive(Clone)]
pub struct FoundCounterexample {
    /// The models and the assignment.
    pub candidate: Candidate,
    /// The counterexample with its proof.
    pub proved: Counterexample,
}

impl FoundCounterexample {
    /// The counterexample that a candidate is, if that can be proved.
    pub fn prove(trial: &Trial, candidate: Candidate) -> Option<FoundCounterexample> {
        let Candidate { recipes, assignment } = &candidate;
        let proved = Counterexample::new(trial.statement, &trial.sides, recipes, assignment)?;
        Some(FoundCounterexample { candidate, proved })
    }
}

/// The complexity of a candidate; `None` if a recipe makes no model.
fn complexity_of(Candidate { recipes, assignment }: &Candidate) -> Option<f64> {
    let written: Vec<WrittenModel> = recipes.iter().map(Recipe::build).collect::<Option<_>>()?;
    Some(complexity::of_all(written.iter(), &assignment.numbers, assignment.cost.is_uniform()))
}

/// Simplifies a counterexample until no simplification gives another one, or [`MOST_TRIED`] were tried. Each step takes the simplest
/// variant that is a counterexample.
pub fn shrink(
    trial: &Trial,
    space: &ModelSpace,
    mut best: FoundCounterexample,
    ceiling: &Ceiling,
) -> FoundCounterexample {
    let mut tries_left = MOST_TRIED;
    let Some(mut least) = complexity_of(&best.candidate) else { return best };
    loop {
        let mut accepted = None;
        for (complexity, variant) in simpler_candidates(&best.candidate, space, least) {
            if tries_left == 0 || ceiling.is_reached() {
                return best;
            }
            tries_left -= 1;
            // The screening is fast; only variants that fail or tie are decided by proof.
            let screening = trial.screen_recipes(&variant.recipes, &variant.assignment);
            if matches!(screening, Screening::Broken(_) | Screening::Tie)
                && let Some(counterexample) = FoundCounterexample::prove(trial, variant)
            {
                accepted = Some((complexity, counterexample));
                break;
            }
        }
        match accepted {
            Some((complexity, counterexample)) => (least, best) = (complexity, counterexample),
            None => return best,
        }
    }
}

/// The variants of a candidate of a complexity below `complexity`, with theirs, simplest first. All belong to the space.
fn simpler_candidates(candidate: &Candidate, space: &ModelSpace, complexity: f64) -> Vec<(f64, Candidate)> {
    let mut simpler: Vec<(f64, Candidate)> = variants(candidate)
        .into_iter()
        .filter(|variant| variant.recipes.iter().all(|recipe| space.contains(recipe)))
        .filter_map(|variant| Some((complexity_of(&variant)?, variant)))
        .filter(|(own, _)| *own < complexity - LEAST_GAIN)
        .collect();
    simpler.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    simpler
}

/// Variants of a candidate that may be simpler: one model, the class proportion of all, or the assignment changed, or two models made equal.
fn variants(candidate: &Candidate) -> Vec<Candidate> {
    let Candidate { recipes, assignment } = candidate;
    let mut variants = Vec::new();
    for (k, recipe) in recipes.iter().enumerate() {
        let mut replacements = recipe.reductions();
        replacements.extend(with_simpler_number(recipe));
        replacements.extend(with_plain_masses(recipe));
        for replacement in replacements {
            let mut changed = candidate.clone();
            changed.recipes[k] = replacement;
            variants.push(changed);
        }
    }
    variants
        .extend(with_simpler_proportion(recipes).into_iter().map(|recipes| Candidate { recipes, ..candidate.clone() }));
    variants.extend(
        simpler_assignments(assignment).into_iter().map(|assignment| Candidate { assignment, ..candidate.clone() }),
    );
    if let [first, second] = recipes.as_slice()
        && first != second
    {
        for model in [first, second] {
            variants.push(Candidate { recipes: vec![model.clone(), model.clone()], ..candidate.clone() });
        }
    }
    variants
}

/// The recipe with one of its numbers made simpler. The class proportion stays: it is changed for all models at once.
fn with_simpler_number(recipe: &Recipe) -> Vec<Recipe> {
    let numbers = recipe.numbers();
    let shared = recipe.shared();
    let mut variants = Vec::new();
    for (i, number) in numbers.iter().enumerate().skip(usize::from(recipe.pi0().is_some())) {
        // The second number of a pair changes together with the first.
        if shared.iter().any(|[_, second]| *second == i) {
            continue;
        }
        for simple in simpler_numbers(number) {
            let mut changed = numbers.clone();
            if let Some([_, second]) = shared.iter().find(|[first, _]| *first == i) {
                changed[*second] = simple.clone();
            }
            changed[i] = simple;
            variants.push(recipe.with(&changed));
        }
    }
    variants
}

/// The recipe with several masses of its cells made 0 or 1 at once: those of a class, of a cell, or all. Recipes without such cells have no
/// variants.
fn with_plain_masses(recipe: &Recipe) -> Vec<Recipe> {
    let Recipe::Cells { pi0, cells } = recipe else { return Vec::new() };
    let mut variants = Vec::new();
    // All mass of a class in one cell.
    for class in [0, 1] {
        for only in 0..cells.len() {
            let mut plain = cells.clone();
            for (k, cell) in plain.iter_mut().enumerate() {
                cell.mass[class] = if k == only { Rational::ONE } else { Rational::ZERO };
            }
            plain.retain(|cell| cell.mass.iter().any(|mass| !mass.is_zero()));
            variants.push(plain);
        }
    }
    let make_plain = |cell: &mut RecipeCell| {
        for mass in cell.mass.iter_mut().filter(|mass| !mass.is_zero()) {
            *mass = Rational::ONE;
        }
    };
    for k in 0..cells.len() {
        let mut plain = cells.clone();
        make_plain(&mut plain[k]);
        variants.push(plain);
    }
    let mut plain = cells.clone();
    plain.iter_mut().for_each(make_plain);
    variants.push(plain);
    variants.into_iter().map(|cells| Recipe::Cells { pi0: pi0.clone(), cells }).collect()
}

/// The recipes with a simpler class proportion, which all of them share; none if it is not a number of every recipe.
fn with_simpler_proportion(recipes: &[Recipe]) -> Vec<Vec<Recipe>> {
    let Some(pi0) = recipes.first().and_then(Recipe::pi0) else { return Vec::new() };
    let mut variants = Vec::new();
    for simple in simpler_numbers(pi0) {
        let mut changed = recipes.to_vec();
        let proportions: Option<Vec<&mut Rational>> = changed.iter_mut().map(Recipe::pi0_mut).collect();
        if let Some(proportions) = proportions {
            proportions.into_iter().for_each(|pi0| *pi0 = simple.clone());
            variants.push(changed);
        }
    }
    variants
}

/// The assignment with one simpler number, or with uniform operating conditions.
fn simpler_assignments(assignment: &Assignment) -> Vec<Assignment> {
    let mut variants = Vec::new();
    for (k, number) in assignment.numbers.iter().enumerate() {
        for simple in simpler_numbers(number) {
            let mut changed = assignment.clone();
            changed.numbers[k] = simple;
            variants.push(changed);
        }
    }
    if !assignment.cost.is_uniform() {
        variants.push(Assignment { cost: Cost::uniform(), ..assignment.clone() });
    }
    variants
}

/// Numbers of less complexity: near the number, small, or near 0 or 1.
fn simpler_numbers(number: &Rational) -> Vec<Rational> {
    let complexity = complexity::of_number(number);
    let value = to_f64(number);
    let mut simpler: Vec<Rational> = Vec::new();
    for denominator in DENOMINATORS {
        let nearest = (value * f64::from(denominator)).round();
        let numerators = [nearest - 1.0, nearest, nearest + 1.0, 0.0, 1.0, f64::from(denominator) - 1.0];
        let small_integers = SMALL.iter().copied().filter(|_| denominator == 1);
        for numerator in numerators.into_iter().chain(small_integers) {
            if numerator.abs() > LARGEST_NUMERATOR {
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
