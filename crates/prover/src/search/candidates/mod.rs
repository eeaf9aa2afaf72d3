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
    pub proportions_are_fixed: bool,
}

/// The number of class proportions to which a calibrated or evenly spaced recipe is adjusted, if every model must have one of
/// those of the space.
const FIRST_PROPORTIONS: usize = 4;

/// The denominators of random numbers.
const DENOMINATORS: [u32; 8] = [2, 3, 4, 5, 6, 8, 10, 12];

fn fraction(numerator: u32, denominator: u32) -> Rational {
    Rational::from(numerator) / Rational::from(denominator)
}

impl ModelSpace {
    /// The models that a statement speaks of.
    pub fn new(statement: &Statement, sides: &Sides) -> ModelSpace {
        let (proportions, are_fixed) = assignments::proportions(sides);
        ModelSpace {
            classes: statement.classes.clone(),
            scores: statement.scores(),
            scores_matter: statement.supposes_scale() || statement.functionals().into_iter().any(depends_on_scores),
            proportions,
            // The models of a tuple share one class proportion.
            proportions_are_fixed: are_fixed || statement.models.len() > 1,
        }
    }

    /// Whether all models are in a class.
    fn has(&self, class: Class) -> bool {
        self.classes.contains(&class)
    }

    /// Whether all models are of one named family.
    fn asks_for_named_family(&self) -> bool {
        self.classes.iter().any(|class| class.is_family() && *class != Class::Piecewise)
    }

    /// Whether the classes allow atoms.
    fn may_have_atoms(&self) -> bool {
        !self.has(Class::Continuous) && !self.has(Class::Piecewise)
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
        let mut recipes = if self.has(Class::Even) {
            even::round(self, round)
        } else if self.has(Class::Calibrated) {
            calibrated::round(self, round)
        } else if self.asks_for_named_family() {
            Vec::new()
        } else {
            cells::round(self, round)
        };
        recipes.extend(named::round(self, round));
        self.sort_by_complexity(recipes)
    }

    /// The recipes that belong to the space, simplest first.
    fn sort_by_complexity(&self, mut recipes: Vec<Recipe>) -> Vec<Recipe> {
        recipes.retain(|recipe| self.contains(recipe));
        let with_complexity = |recipe: Recipe| Some((complexity::of_model(&recipe.build()?), recipe));
        let mut weighed: Vec<(f64, Recipe)> = recipes.into_iter().filter_map(with_complexity).collect();
        weighed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        weighed.dedup_by(|(_, a), (_, b)| a == b);
        weighed.into_iter().map(|(_, recipe)| recipe).collect()
    }

    /// A random model; `None` if the draw is not a model of the space.
    pub fn random(&self, rng: &mut ChaCha8Rng) -> Option<Recipe> {
        // One draw in eight is of a named family, where the classes leave the family open.
        let recipe = if self.asks_for_named_family() || (!self.has(Class::Piecewise) && rng.random_ratio(1, 8)) {
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
        if self.proportions_are_fixed || rng.random_ratio(3, 4) {
            return pick(rng, &self.proportions).cloned().unwrap_or_else(|| fraction(1, 2));
        }
        let denominator = rng.random_range(3..=20);
        fraction(rng.random_range(1..denominator), denominator)
    }
}

/// Whether the values of scores may matter to a functional, not only their order. In contrast to `Functional::reads_scores` the answer is
/// also `true` for functionals at a score and, to be safe, for metrics that are defined by others.
fn depends_on_scores(functional: &Functional) -> bool {
    // Cal and Even replace the scores: only their order is left.
    if functional.transforms.iter().any(|transform| *transform != Transform::Conv) {
        return false;
    }
    let at_score = matches!(functional.point(), Some(CurvePoint::Score(_)));
    let defined_by_others =
        matches!(&functional.asked, Asked::Metric(definition, None) if definition.reading.text().is_none());
    at_score || defined_by_others || functional.reads_scores()
}

/// A random element of a list; `None` if it is empty.
fn pick<'a, T>(rng: &mut ChaCha8Rng, list: &'a [T]) -> Option<&'a T> {
    if list.is_empty() { None } else { list.get(rng.random_range(0..list.len())) }
}

/// A random number in [0, 1] with a small denominator.
fn unit(rng: &mut ChaCha8Rng) -> Rational {
    let denominator = DENOMINATORS[rng.random_range(0..DENOMINATORS.len())];
    fraction(rng.random_range(0..=denominator), denominator)
}

/// Distinct random numbers in [0, 1] with a common denominator, in increasing order.
fn units(rng: &mut ChaCha8Rng, count: usize) -> Vec<Rational> {
    // A denominator of at least `count` leaves enough distinct numerators.
    let denominator = (*pick(rng, &DENOMINATORS).unwrap_or(&4)).max(count as u32);
    let mut numerators: Vec<u32> = Vec::new();
    while numerators.len() < count {
        let numerator = rng.random_range(0..=denominator);
        if !numerators.contains(&numerator) {
            numerators.push(numerator);
        }
    }
    numerators.sort_unstable();
    numerators.into_iter().map(|numerator| fraction(numerator, denominator)).collect()
}

/// A random mass of a class in a cell: 0 in 30 of 100 draws, 20 or 100 in 10, else from 1 to 5.
fn mass(rng: &mut ChaCha8Rng) -> Rational {
    match rng.random_range(0..20) {
        0 => Rational::from(100u8),
        1 => Rational::from(20u8),
        2..=7 => Rational::ZERO,
        _ => Rational::from(rng.random_range(1..=5u8)),
    }
}

/// All vectors of integers from 0 to `most` whose entries have no common divisor; the zero vector is not among them. Other vectors of
/// masses are multiples of these.
fn vectors(length: usize, most: u8) -> Vec<Vec<Rational>> {
    let mut vectors: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in 0..length {
        let extend = |start: Vec<u8>| (0..=most).map(move |entry| [start.as_slice(), &[entry]].concat());
        vectors = vectors.into_iter().flat_map(extend).collect();
    }
    vectors.retain(|vector| vector.iter().fold(0, |divisor, entry| common_divisor(divisor, *entry)) == 1);
    vectors.into_iter().map(|vector| vector.into_iter().map(Rational::from).collect()).collect()
}

/// The greatest common divisor, by Euclid's algorithm.
fn common_divisor(mut a: u8, mut b: u8) -> u8 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
