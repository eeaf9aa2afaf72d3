//! Models to try, one file a family: simple ones in order, then at random.

mod calibrated;
mod cells;
mod even;
mod named;

use super::recipe::Recipe;
use super::simplicity;
use crate::statement::Class;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;
use rocproof_engine::functional::definition::Scores;

/// What models are space.
#[derive(Clone, Debug)]
pub struct ModelSpace {
    /// The classes they are in.
    pub classes: Vec<Class>,
    /// What is asked of their scores.
    pub scores: Scores,
    /// Whether it matters where the scores lie, and not only how they rank.
    pub scores_matter: bool,
    /// The class proportions, simplest first.
    pub proportions: Vec<Rational>,
    /// Whether models whose class proportion follows from other choices are made to have one of these.
    pub pinned: bool,
}

/// A fraction.
fn fraction(above: u32, below: u32) -> Rational {
    Rational::from(above) / Rational::from(below)
}

impl ModelSpace {
    fn has(&self, class: Class) -> bool {
        self.classes.contains(&class)
    }

    /// Whether a model is space, as far as its recipe tells.
    pub fn takes(&self, recipe: &Recipe) -> bool {
        let on_scale = match self.scores {
            Scores::Any => true,
            Scores::Bounded => recipe.is_bounded(),
            Scores::Probabilities => recipe.is_probabilistic(),
        };
        on_scale && self.classes.iter().all(|class| recipe.fits(*class))
    }

    /// The models of a round, simplest first; none after the last round.
    pub fn round(&self, round: usize) -> Vec<Recipe> {
        let mut found = Vec::new();
        let family = self.classes.iter().any(|class| class.is_family() && *class != Class::Piecewise);
        if self.has(Class::Even) {
            found.extend(even::round(self, round));
        }
        if self.has(Class::Calibrated) && !self.has(Class::Even) {
            found.extend(calibrated::round(self, round));
        }
        if !self.has(Class::Even) && !self.has(Class::Calibrated) && !family {
            found.extend(cells::round(self, round));
        }
        found.extend(named::round(self, round));
        self.sorted(found)
    }

    /// Those that are space, simplest first.
    fn sorted(&self, mut recipes: Vec<Recipe>) -> Vec<Recipe> {
        recipes.retain(|recipe| self.takes(recipe));
        let mut weighed: Vec<(f64, Recipe)> =
            recipes.into_iter().filter_map(|recipe| Some((simplicity::of_model(&recipe.build()?), recipe))).collect();
        weighed.sort_by(|a, b| a.0.total_cmp(&b.0));
        weighed.dedup_by(|a, b| a.1 == b.1);
        weighed.into_iter().map(|(_, recipe)| recipe).collect()
    }

    /// A model at random.
    pub fn random(&self, rng: &mut ChaCha8Rng) -> Option<Recipe> {
        let family = self.classes.iter().any(|class| class.is_family() && *class != Class::Piecewise);
        let recipe = if family || (!self.has(Class::Piecewise) && rng.random_ratio(1, 8)) {
            named::random(self, rng)
        } else if self.has(Class::Even) {
            even::random(self, rng)
        } else if self.has(Class::Calibrated) {
            calibrated::random(self, rng)
        } else {
            cells::random(self, rng)
        };
        Some(recipe).filter(|recipe| recipe.build().is_some() && self.takes(recipe))
    }

    /// A class proportion at random, mostly a simple one.
    fn proportion(&self, rng: &mut ChaCha8Rng) -> Rational {
        if self.pinned || rng.random_ratio(3, 4) {
            return pick(rng, &self.proportions).cloned().unwrap_or_else(|| fraction(1, 2));
        }
        let below = rng.random_range(3..=20);
        fraction(rng.random_range(1..below), below)
    }
}

/// One of a list.
fn pick<'a, T>(rng: &mut ChaCha8Rng, of: &'a [T]) -> Option<&'a T> {
    if of.is_empty() { None } else { of.get(rng.random_range(0..of.len())) }
}

/// A number in [0, 1] with a small denominator.
fn unit(rng: &mut ChaCha8Rng) -> Rational {
    let below = [2, 3, 4, 5, 6, 8, 10, 12][rng.random_range(0..8)];
    fraction(rng.random_range(0..=below), below)
}

/// Distinct numbers in [0, 1], in order.
fn units(rng: &mut ChaCha8Rng, count: usize) -> Vec<Rational> {
    let below = (*pick(rng, &[2, 3, 4, 5, 6, 8, 10, 12]).unwrap_or(&4)).max(count as u32);
    let mut places: Vec<u32> = Vec::new();
    while places.len() < count {
        let place = rng.random_range(0..=below);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places.sort_unstable();
    places.into_iter().map(|place| fraction(place, below)).collect()
}

/// A mass, mostly small; now and then one that dwarfs the others.
fn mass(rng: &mut ChaCha8Rng) -> Rational {
    match rng.random_range(0..20) {
        0 => Rational::from(100u8),
        1 => Rational::from(20u8),
        2..=7 => Rational::ZERO,
        _ => Rational::from(rng.random_range(1..=5u8)),
    }
}

/// Whole vectors with entries up to `most`, without a common divisor, not all 0.
fn vectors(length: usize, most: u8) -> Vec<Vec<Rational>> {
    let mut found: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in 0..length {
        found = found
            .into_iter()
            .flat_map(|start| {
                (0..=most).map(move |next| {
                    let mut vector = start.clone();
                    vector.push(next);
                    vector
                })
            })
            .collect();
    }
    let divisor = |vector: &[u8]| {
        vector.iter().fold(0u8, |mut a, &b| {
            let mut b = b;
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a
        })
    };
    found.retain(|vector| divisor(vector) == 1);
    found.into_iter().map(|vector| vector.into_iter().map(Rational::from).collect()).collect()
}
