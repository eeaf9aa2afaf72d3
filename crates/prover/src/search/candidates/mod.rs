//! The models that a search tries: simple ones in order of complexity, then random ones. Each kind of recipe has its file.

mod calibrated;
mod cells;
mod even;
mod named;

use super::assignments;
use super::complexity;
use super::recipe::Recipe;
use super::value::Sides;
use crate::statement::{Asked, Class, CurvePoint, Functional, Statement};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rocproof_arith::Rational;
use rocproof_engine::functional::definition::Scores;
use rocproof_engine::model::Transform;

/// The models that a search draws from.
#[derive(Clone, Debug)]
pub struct ModelSpace {
    /// The classes that all models are in.
    pub classes: Vec<Class>,
    /// The scale that the statement asks scores to be on.
    pub scores: Scores,
    /// Whether the values of scores matter, not only their order.
    pub scores_matter: bool,
    /// The class proportions, simplest first.
    pub proportions: Vec<Rational>,
    /// Whether every model must have one of these proportions. Calibrated and evenly spaced recipes, whose proportion follows from their
    /// other numbers, are then adjusted to it.
    pub pinned: bool,
}

fn fraction(numerator: u32, denominator: u32) -> Rational {
    Rational::from(numerator) / Rational::from(denominator)
}

impl ModelSpace {
    /// The models that a statement speaks of.
    pub fn new(statement: &Statement, sides: &Sides) -> ModelSpace {
        let (proportions, pinned) = assignments::proportions(sides);
        ModelSpace {
            classes: statement.classes.clone(),
            scores: statement.scores(),
            scores_matter: statement.speaks_of_scale() || statement.functionals().into_iter().any(depends_on_scores),
            proportions,
            // The models of a tuple share one class proportion.
            pinned: pinned || statement.models.len() > 1,
        }
    }

    /// Whether all models are in a class.
    fn has(&self, class: Class) -> bool {
        self.classes.contains(&class)
    }

    /// Whether a model belongs to the space, as far as its recipe tells.
    pub fn contains(&self, recipe: &Recipe) -> bool {
        let on_scale = match self.scores {
            Scores::Any => true,
            Scores::Bounded => recipe.is_bounded(),
            Scores::Probabilities => recipe.is_probabilistic(),
        };
        on_scale && self.classes.iter().all(|class| recipe.fits(*class))
    }

    /// The systematic models of a round, simplest first. There are two rounds, 0 and 1; later ones are empty.
    pub fn round(&self, round: usize) -> Vec<Recipe> {
        let mut recipes = Vec::new();
        let family = self.classes.iter().any(|class| class.is_family() && *class != Class::Piecewise);
        if self.has(Class::Even) {
            recipes.extend(even::round(self, round));
        }
        if self.has(Class::Calibrated) && !self.has(Class::Even) {
            recipes.extend(calibrated::round(self, round));
        }
        if !self.has(Class::Even) && !self.has(Class::Calibrated) && !family {
            recipes.extend(cells::round(self, round));
        }
        recipes.extend(named::round(self, round));
        self.sorted(recipes)
    }

    /// The recipes that belong to the space, simplest first.
    fn sorted(&self, mut recipes: Vec<Recipe>) -> Vec<Recipe> {
        recipes.retain(|recipe| self.contains(recipe));
        let mut weighed: Vec<(f64, Recipe)> =
            recipes.into_iter().filter_map(|recipe| Some((complexity::of_model(&recipe.build()?), recipe))).collect();
        weighed.sort_by(|a, b| a.0.total_cmp(&b.0));
        weighed.dedup_by(|a, b| a.1 == b.1);
        weighed.into_iter().map(|(_, recipe)| recipe).collect()
    }

    /// A random model; `None` if the draw is not a model of the space.
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
        Some(recipe).filter(|recipe| recipe.build().is_some() && self.contains(recipe))
    }

    /// A random class proportion, usually a simple one.
    fn proportion(&self, rng: &mut ChaCha8Rng) -> Rational {
        if self.pinned || rng.random_ratio(3, 4) {
            return pick(rng, &self.proportions).cloned().unwrap_or_else(|| fraction(1, 2));
        }
        let below = rng.random_range(3..=20);
        fraction(rng.random_range(1..below), below)
    }
}

/// Whether the values of scores may matter to a functional, not only their order. Like `Functional::reads_scores`, but also true for functionals
/// at a score and, to be safe, for metrics that are defined by others.
fn depends_on_scores(functional: &Functional) -> bool {
    // Cal and Even replace the scores: only their order is left.
    if functional.transforms.iter().any(|transform| *transform != Transform::Conv) {
        return false;
    }
    let at_score = matches!(functional.point(), Some(CurvePoint::Score(_)));
    let by_others = matches!(&functional.asked, Asked::Metric(definition, None) if definition.reading.text().is_none());
    at_score || by_others || functional.reads_scores()
}

/// A random element of a list; `None` if it is empty.
fn pick<'a, T>(rng: &mut ChaCha8Rng, list: &'a [T]) -> Option<&'a T> {
    if list.is_empty() { None } else { list.get(rng.random_range(0..list.len())) }
}

/// A random number in [0, 1] with a small denominator.
fn unit(rng: &mut ChaCha8Rng) -> Rational {
    let below = [2, 3, 4, 5, 6, 8, 10, 12][rng.random_range(0..8)];
    fraction(rng.random_range(0..=below), below)
}

/// Distinct random numbers in [0, 1], in increasing order.
fn units(rng: &mut ChaCha8Rng, count: usize) -> Vec<Rational> {
    let below = (*pick(rng, &[2, 3, 4, 5, 6, 8, 10, 12]).unwrap_or(&4)).max(count as u32);
    let mut numerators: Vec<u32> = Vec::new();
    while numerators.len() < count {
        let above = rng.random_range(0..=below);
        if !numerators.contains(&above) {
            numerators.push(above);
        }
    }
    numerators.sort_unstable();
    numerators.into_iter().map(|above| fraction(above, below)).collect()
}

/// A random mass: usually small, sometimes much larger than the others.
fn mass(rng: &mut ChaCha8Rng) -> Rational {
    match rng.random_range(0..20) {
        0 => Rational::from(100u8),
        1 => Rational::from(20u8),
        2..=7 => Rational::ZERO,
        _ => Rational::from(rng.random_range(1..=5u8)),
    }
}

/// All vectors of integers from 0 to `most` whose entries have no common divisor; the zero vector is not among them.
fn vectors(length: usize, most: u8) -> Vec<Vec<Rational>> {
    let mut vectors: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in 0..length {
        vectors = vectors
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
    // The greatest common divisor, by Euclid's algorithm.
    let divisor = |vector: &[u8]| {
        vector.iter().fold(0u8, |mut a, &b| {
            let mut b = b;
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a
        })
    };
    vectors.retain(|vector| divisor(vector) == 1);
    vectors.into_iter().map(|vector| vector.into_iter().map(Rational::from).collect()).collect()
}
