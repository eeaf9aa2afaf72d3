//! Models of two members of a named family.

use super::{ModelSpace, fraction, pick};
use crate::search::recipe::{Recipe, facts};
use crate::statement::Class;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;
use rocproof_engine::functional::definition::Scores;
use rocproof_engine::model::family::{FAMILIES, ParameterRange, SearchFacts};

/// The name of a family, with parameters.
type NamedDensity = (&'static str, Vec<Rational>);

/// The families that the classes and the scores of a space allow.
fn families(space: &ModelSpace) -> Vec<&'static str> {
    let asked: Vec<&'static str> = space
        .classes
        .iter()
        .filter_map(|class| match class {
            Class::Beta => Some("beta"),
            Class::Triangular => Some("triangular"),
            Class::Binormal => Some("normal"),
            _ => None,
        })
        .collect();
    match asked.as_slice() {
        // No density is of two families.
        [_, _, ..] => Vec::new(),
        [_] => asked,
        [] if space.has(Class::Piecewise) => Vec::new(),
        [] if space.scores == Scores::Any && !space.has(Class::Calibrated) => families_with(|_| true),
        [] => families_with(|facts| facts.is_bounded()),
    }
}

/// The families with search facts that satisfy a condition.
fn families_with(is_wanted: impl Fn(&dyn SearchFacts) -> bool) -> Vec<&'static str> {
    let families = FAMILIES.iter().filter(|family| family.search().is_some_and(&is_wanted));
    families.map(|family| family.name()).collect()
}

/// Densities of a family with simple parameters: each parameter takes at most `most` values.
fn simple_densities(family: &'static str, most: usize) -> Vec<NamedDensity> {
    let parameters = facts(family).map_or_else(Vec::new, |facts| facts.simple_parameters(most));
    parameters.into_iter().map(|parameters| (family, parameters)).collect()
}

/// The systematic models of a round: all pairs of simple densities of a family. A space that neither asks for a family nor for calibrated or
/// evenly spaced models has a few of each family, in the second round.
pub fn round(space: &ModelSpace, round: usize) -> Vec<Recipe> {
    let asks_for_family = space.classes.iter().any(|class| class.is_family());
    let constrains_proportion = space.has(Class::Calibrated) || space.has(Class::Even);
    // The number of values that each parameter takes.
    let most = match (round, asks_for_family || constrains_proportion) {
        (0, true) => 3,
        (1, true) => 6,
        (1, false) => 2,
        _ => return Vec::new(),
    };
    let few = &space.proportions[..space.proportions.len().min(if round == 0 { 3 } else { 5 })];
    let mut recipes = Vec::new();
    for family in families(space) {
        let densities = simple_densities(family, most);
        for f0 in &densities {
            for f1 in &densities {
                let densities = [f0.clone(), f1.clone()];
                recipes.extend(few.iter().map(|pi0| Recipe::Named { pi0: pi0.clone(), densities: densities.clone() }));
                // The one proportion for which the two may be calibrated.
                let calibrating = |facts: &dyn SearchFacts| facts.calibrating_proportion(&f0.1, &f1.1);
                if let Some(pi0) = facts(family).filter(|_| constrains_proportion).and_then(calibrating) {
                    recipes.push(Recipe::Named { pi0, densities });
                }
            }
        }
    }
    recipes
}

/// A random model; its parameters may be extreme.
pub fn random(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Recipe {
    let pi0 = space.proportion(rng);
    let families = families(space);
    let family = pick(rng, &families).copied().unwrap_or("beta");
    let ranges = facts(family).map_or(&[][..], |facts| facts.ranges());
    let mut density =
        || -> NamedDensity { (family, ranges.iter().map(|range| random_parameter(range, rng)).collect()) };
    let mut densities = [density(), density()];
    if space.has(Class::Random) {
        densities[1] = densities[0].clone();
    }
    if space.has(Class::Convex)
        && let Some(facts) = facts(family)
    {
        let [(_, p0), (_, p1)] = &mut densities;
        facts.make_ratio_rise(p0, p1);
    }
    Recipe::Named { pi0, densities }
}

/// A random parameter of a density.
fn random_parameter(range: &ParameterRange, rng: &mut ChaCha8Rng) -> Rational {
    match range {
        ParameterRange::Fixed(value) => Rational::from(*value),
        ParameterRange::Unit => super::unit(rng),
        ParameterRange::Positive => random_positive(rng),
        ParameterRange::Location => Rational::from(rng.random_range(-6..=6i8)) / Rational::from(2u8),
    }
}

/// A random positive number: usually an integer up to 6, at times below 1, a multiple of 1/2, or from 10 to 60.
fn random_positive(rng: &mut ChaCha8Rng) -> Rational {
    match rng.random_range(0..6) {
        0 => fraction(rng.random_range(1..=9), 10),
        1 => Rational::from(rng.random_range(10..=60u8)),
        2 => fraction(rng.random_range(1..=9), 2),
        _ => Rational::from(rng.random_range(1..=6u8)),
    }
}
