//! Models of named families: beta, triangular, normal and logistic densities.

use super::{ModelSpace, fraction, pick};
use crate::search::recipe::Recipe;
use crate::statement::Class;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;
use rocproof_engine::functional::definition::Scores;

/// A family with parameters.
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
        [] if space.classes.contains(&Class::Piecewise) => Vec::new(),
        [] if space.scores == Scores::Any && !space.classes.contains(&Class::Calibrated) => {
            vec!["beta", "triangular", "normal", "logistic"]
        }
        [] => vec!["beta", "triangular"],
    }
}

/// Simple densities of a family; a larger `most` gives more of them.
fn simple(family: &'static str, most: usize) -> Vec<NamedDensity> {
    let parameters: Vec<Vec<(i32, u32)>> = match family {
        "beta" => {
            let values = [(1, 1), (2, 1), (3, 1), (1, 2), (5, 1), (4, 1)];
            let values = &values[..values.len().min(most)];
            values.iter().flat_map(|a| values.iter().map(|b| vec![*a, *b])).collect()
        }
        "triangular" => [(1, 2), (0, 1), (1, 1), (1, 3), (2, 3), (1, 4), (3, 4)][..(most + 1).min(7)]
            .iter()
            .map(|mode| vec![(0, 1), *mode, (1, 1)])
            .collect(),
        _ => {
            let (means, deviations) = ([(0, 1), (1, 1), (2, 1), (-1, 1), (1, 2)], [(1, 1), (2, 1), (1, 2), (3, 1)]);
            let deviations = &deviations[..deviations.len().min(most)];
            means.iter().flat_map(|mean| deviations.iter().map(|deviation| vec![*mean, *deviation])).collect()
        }
    };
    let number = |(above, below): (i32, u32)| Rational::from(above) / Rational::from(below);
    parameters.into_iter().map(|list| (family, list.into_iter().map(number).collect())).collect()
}

/// The systematic models of a round. A space that asks for no family has a few models of each, in the second round.
pub fn round(space: &ModelSpace, round: usize) -> Vec<Recipe> {
    let asked = space.classes.iter().any(|class| class.is_family());
    let derived = space.classes.iter().any(|class| matches!(class, Class::Calibrated | Class::Even));
    let most = match (round, asked || derived) {
        (0, true) => 3,
        (1, true) => 6,
        (1, false) => 2,
        _ => return Vec::new(),
    };
    let few = &space.proportions[..space.proportions.len().min(if round == 0 { 3 } else { 5 })];
    let mut found = Vec::new();
    for family in families(space) {
        let densities = simple(family, most);
        for f0 in &densities {
            for f1 in &densities {
                let densities = [f0.clone(), f1.clone()];
                found.extend(few.iter().map(|pi0| Recipe::Named { pi0: pi0.clone(), densities: densities.clone() }));
                // Two betas can be calibrated at this class proportion only.
                if let [("beta", p0), ("beta", p1)] = &densities
                    && derived
                {
                    let pi0 = &p1[1] / (&p0[0] + &p1[1]);
                    found.push(Recipe::Named { pi0, densities });
                }
            }
        }
    }
    found
}

/// A random model; its parameters may be extreme.
pub fn random(space: &ModelSpace, rng: &mut ChaCha8Rng) -> Recipe {
    let pi0 = space.proportion(rng);
    let families = families(space);
    let family = pick(rng, &families).copied().unwrap_or("beta");
    let positive = |rng: &mut ChaCha8Rng| match rng.random_range(0..6) {
        0 => fraction(rng.random_range(1..=9), 10),
        1 => Rational::from(rng.random_range(10..=60u8)),
        2 => fraction(rng.random_range(1..=9), 2),
        _ => Rational::from(rng.random_range(1..=6u8)),
    };
    let density = |rng: &mut ChaCha8Rng| -> NamedDensity {
        let parameters = match family {
            "beta" => vec![positive(rng), positive(rng)],
            "triangular" => vec![Rational::ZERO, super::unit(rng), Rational::ONE],
            _ => {
                let mean = Rational::from(rng.random_range(-6..=6i8)) / Rational::from(2u8);
                vec![mean, positive(rng)]
            }
        };
        (family, parameters)
    };
    let mut densities = [density(rng), density(rng)];
    if space.classes.contains(&Class::Random) {
        densities[1] = densities[0].clone();
    }
    if space.classes.contains(&Class::Convex) && family == "normal" {
        densities[1].1[1] = densities[0].1[1].clone();
        let (a, b) = (densities[0].1[0].clone(), densities[1].1[0].clone());
        (densities[0].1[0], densities[1].1[0]) = (a.clone().min(b.clone()), a.max(b));
    }
    Recipe::Named { pi0, densities }
}
