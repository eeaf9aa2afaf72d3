//! The search for a counterexample.

use super::candidates::ModelSpace;
use super::climb::{Candidate, Climb};
use super::counterexample::Counterexample;
use super::panel;
use super::recipe::Recipe;
use super::shape::ModelText;
use super::shrink::{FoundCounterexample, shrink};
use super::trial::{ModelValues, Screening, Trial};
use super::value::Assignment;
use crate::budget::{Budget, Ceiling};
use crate::parallel;
use crate::statement::Statement;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rocproof_engine::constant::Constant;

/// The number of models that are evaluated in parallel.
const BATCH: usize = 32;
/// The number of batches of random models between two climbs.
const BATCHES_PER_CLIMB: usize = 4;
/// The most ties in floating point that are decided exactly; further ties are skipped.
const MOST_TIES: usize = 60;
/// The most models of one class proportion that are combined into tuples.
const MOST_GROUPED: usize = 400;
/// The number of tuples of evaluated models that cost as much work as evaluating one model.
const TUPLES_PER_MODEL: usize = 64;
/// The number of closest calls from which a climb starts.
const MOST_STARTS: usize = 4;

/// The result of a search for a counterexample.
#[derive(Clone, Debug)]
pub enum SearchOutcome {
    /// A counterexample.
    Refuted(Box<Counterexample>),
    /// None was found.
    NotFound(Support),
}

/// The evidence of a search that found no counterexample.
#[derive(Clone, Debug)]
pub struct Support {
    /// The number of models, or tuples of models, on which the statement holds.
    pub models: usize,
    /// The smallest margin by which a claim held; 0 for an equation whose sides agree within their errors.
    pub closest: Option<f64>,
    /// The models with that margin.
    pub closest_models: Vec<ModelText>,
    /// Whether the ceiling on time cut the search off.
    pub stopped: bool,
}

impl Support {
    /// The level of this evidence.
    pub const LEVEL: &'static str = "numeric";
}

/// Looks for a counterexample: simple models first, then random ones. A counterexample is simplified before it is returned.
///
/// ```
/// use rocproof_prover::search::{Budget, SearchOutcome, refute};
/// use rocproof_prover::statement::Statement;
/// let statement = Statement::parse("L[o] == RL")?;
/// let SearchOutcome::Refuted(found) = refute(&statement, &Budget::default()) else { panic!() };
/// assert!(found.is_exact());
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn refute(statement: &Statement, budget: &Budget) -> SearchOutcome {
    let ceiling = Ceiling::after(budget.ceiling);
    let trial = Trial::new(statement);
    let space = ModelSpace::new(statement, &trial.sides);
    let mut search = RefutationSearch {
        trial: &trial,
        space: &space,
        ceiling: &ceiling,
        work: budget.work,
        rng: ChaCha8Rng::seed_from_u64(budget.seed),
        models: 0,
        ties: 0,
        closest: None,
        starts: Vec::new(),
    };
    let breaking = if statement.models.len() == 1 { search.search_one_model() } else { search.search_tuples() };
    match breaking {
        Some(breaking) => SearchOutcome::Refuted(Box::new(shrink(&trial, &space, breaking, &ceiling).proved)),
        // The panel has models that recipes seldom make: negative scores, scales of one point, extreme proportions.
        None => match panel::counterexample(statement) {
            Some(counterexample) => SearchOutcome::Refuted(Box::new(counterexample)),
            None => SearchOutcome::NotFound(search.support()),
        },
    }
}

/// A model that was evaluated, with its recipe.
struct EvaluatedModel {
    recipe: Recipe,
    values: ModelValues,
}

/// The models of one class proportion that were evaluated, simplest first.
struct SameProportion {
    pi0: Constant,
    models: Vec<EvaluatedModel>,
}

/// Models on which the statement holds by a small positive margin: a climb may start there.
struct ClimbStart {
    slack: f64,
    candidate: Candidate,
}

/// A tuple of models of a group on which a claim fails, or ties, in floating point.
struct Suspect {
    /// The indices of the models in their group.
    tuple: Vec<usize>,
    /// The index of the assignment.
    assignment: usize,
    screening: Screening,
}

/// A search in progress.
struct RefutationSearch<'a> {
    trial: &'a Trial<'a>,
    space: &'a ModelSpace,
    ceiling: &'a Ceiling,
    /// The work that is left.
    work: usize,
    rng: ChaCha8Rng,
    /// The number of models or tuples on which the statement held so far.
    models: usize,
    /// The number of ties decided exactly so far.
    ties: usize,
    /// The smallest margin so far, and its models.
    closest: Option<(f64, Vec<Recipe>)>,
    /// The [`MOST_STARTS`] smallest positive margins so far, in increasing order.
    starts: Vec<ClimbStart>,
}

impl RefutationSearch<'_> {
    /// Whether the work or the time is used up.
    fn is_over(&self) -> bool {
        self.work == 0 || self.ceiling.is_reached()
    }

    /// Deducts the work of evaluating models.
    fn deduct_work<'r>(&mut self, recipes: impl IntoIterator<Item = &'r Recipe>) {
        let work: usize = recipes.into_iter().map(|recipe| self.trial.work(recipe)).sum();
        self.work = self.work.saturating_sub(work);
    }

    /// Decides by proof whether a candidate on which a claim fails or ties in floating point is a counterexample. Ties seldom are, and are
    /// decided only [`MOST_TIES`] times.
    fn confirm(&mut self, screening: Screening, candidate: Candidate) -> Option<FoundCounterexample> {
        if screening == Screening::Tie {
            if self.ties >= MOST_TIES {
                return None;
            }
            self.ties += 1;
        }
        FoundCounterexample::prove(self.trial, candidate)
    }

    /// Notes the margin `slack` by which the statement held on models. `recipes` is called only if the margin is among the smallest.
    fn remember(&mut self, slack: f64, recipes: impl Fn() -> Vec<Recipe>, assignment: &Assignment) {
        if self.closest.as_ref().is_none_or(|(least, _)| slack < *least) {
            self.closest = Some((slack, recipes()));
        }
        // A margin of 0 gives a climb no direction.
        let worst = self.starts.last().map_or(f64::INFINITY, |start| start.slack);
        if slack > 0.0 && (slack < worst || self.starts.len() < MOST_STARTS) {
            let candidate = Candidate { recipes: recipes(), assignment: assignment.clone() };
            self.starts.push(ClimbStart { slack, candidate });
            self.starts.sort_by(|a, b| a.slack.total_cmp(&b.slack));
            self.starts.truncate(MOST_STARTS);
        }
    }

    /// Searches for a counterexample to a statement about one model: two rounds of systematic models, then random ones and climbs by turns.
    fn search_one_model(&mut self) -> Option<FoundCounterexample> {
        for round in 0..2 {
            let recipes = self.space.round(round);
            for batch in recipes.chunks(BATCH) {
                if let Some(counterexample) = self.try_batch(batch) {
                    return Some(counterexample);
                }
                if self.is_over() {
                    return None;
                }
            }
        }
        while !self.is_over() {
            for _ in 0..BATCHES_PER_CLIMB {
                let batch: Vec<Recipe> = (0..BATCH).filter_map(|_| self.space.random(&mut self.rng)).collect();
                if let Some(counterexample) = self.try_batch(&batch) {
                    return Some(counterexample);
                }
            }
            if let Some(counterexample) = self.climb_from_closest() {
                return Some(counterexample);
            }
        }
        None
    }

    /// Evaluates a batch of models, and returns the first confirmed counterexample.
    fn try_batch(&mut self, recipes: &[Recipe]) -> Option<FoundCounterexample> {
        self.deduct_work(recipes);
        // For each model its screening under every assignment; none if the model cannot be evaluated.
        let screenings: Vec<Vec<(Screening, Assignment)>> =
            parallel::map(recipes, |recipe| self.screen_recipe(recipe).unwrap_or_default());
        for (recipe, screenings) in recipes.iter().zip(screenings) {
            let in_scope = screenings.iter().any(|(screening, _)| *screening != Screening::OutOfScope);
            self.models += usize::from(in_scope);
            for (screening, assignment) in screenings {
                match screening {
                    Screening::Broken(_) | Screening::Tie => {
                        let candidate = Candidate { recipes: vec![recipe.clone()], assignment };
                        if let Some(counterexample) = self.confirm(screening, candidate) {
                            return Some(counterexample);
                        }
                    }
                    Screening::Holds(slack) => self.remember(slack, || vec![recipe.clone()], &assignment),
                    Screening::OutOfScope => {}
                }
            }
        }
        None
    }

    /// Screens a model under every assignment; `None` if it cannot be evaluated.
    fn screen_recipe(&self, recipe: &Recipe) -> Option<Vec<(Screening, Assignment)>> {
        let values = self.trial.values(&recipe.build()?.text())?;
        let assignments = values.assignments().iter().enumerate();
        Some(assignments.map(|(k, assignment)| (self.trial.screen(&[&values], k), assignment.clone())).collect())
    }

    /// Climbs from the models with the smallest margins, and returns the first confirmed counterexample.
    fn climb_from_closest(&mut self) -> Option<FoundCounterexample> {
        for ClimbStart { slack, candidate } in std::mem::take(&mut self.starts) {
            if self.is_over() {
                return None;
            }
            let mut climb = Climb {
                trial: self.trial,
                space: self.space,
                ceiling: self.ceiling,
                rng: &mut self.rng,
                work: &mut self.work,
            };
            if let Some(candidate) = climb.run(candidate, slack)
                && let Some(counterexample) = self.confirm(Screening::Broken(0.0), candidate)
            {
                return Some(counterexample);
            }
        }
        None
    }

    /// Searches for a counterexample to a statement about several models: each model is evaluated once, and combined into tuples with the
    /// others of its class proportion.
    fn search_tuples(&mut self) -> Option<FoundCounterexample> {
        let mut groups: Vec<SameProportion> = Vec::new();
        for round in 0.. {
            let new_recipes = if round < 2 {
                self.space.round(round)
            } else {
                // Half of each group makes room for random models; the simplest stay.
                groups.iter_mut().for_each(|group| group.models.truncate(MOST_GROUPED / 2));
                (0..BATCHES_PER_CLIMB * BATCH).filter_map(|_| self.space.random(&mut self.rng)).collect()
            };
            for batch in new_recipes.chunks(2 * BATCH) {
                let old_lengths: Vec<usize> = groups.iter().map(|group| group.models.len()).collect();
                self.evaluate_and_group(&mut groups, batch);
                for (k, group) in groups.iter().enumerate() {
                    let first_new = old_lengths.get(k).copied().unwrap_or(0);
                    if let Some(counterexample) = self.try_tuples(group, first_new) {
                        return Some(counterexample);
                    }
                    if self.is_over() {
                        return None;
                    }
                }
            }
            if round > 0
                && let Some(counterexample) = self.climb_from_closest()
            {
                return Some(counterexample);
            }
            if self.is_over() {
                break;
            }
        }
        None
    }

    /// Evaluates a batch of models and adds each to those of its class proportion, of which at most [`MOST_GROUPED`] are kept. Models without
    /// a value are left out.
    fn evaluate_and_group(&mut self, groups: &mut Vec<SameProportion>, batch: &[Recipe]) {
        self.deduct_work(batch);
        let values = parallel::map(batch, |recipe| self.trial.values(&recipe.build()?.text()));
        for (recipe, values) in batch.iter().zip(values) {
            let Some(values) = values else { continue };
            let pi0 = values.pi0().clone();
            let model = EvaluatedModel { recipe: recipe.clone(), values };
            match groups.iter_mut().find(|group| group.pi0 == pi0) {
                Some(group) if group.models.len() < MOST_GROUPED => group.models.push(model),
                Some(_) => {}
                None => groups.push(SameProportion { pi0, models: vec![model] }),
            }
        }
    }

    /// Tries all tuples of a group that contain a model from index `first_new` on, simplest tuples first. Returns the first confirmed
    /// counterexample.
    fn try_tuples(&mut self, group: &SameProportion, first_new: usize) -> Option<FoundCounterexample> {
        let mut suspects = self.screen_tuples(group, first_new);
        // Simple models have small indices.
        suspects.sort_by_key(|suspect| suspect.tuple.iter().sum::<usize>());
        for Suspect { tuple, assignment, screening } in suspects {
            let assignment = group.models[tuple[0]].values.assignments()[assignment].clone();
            let candidate = Candidate { recipes: group.recipes(&tuple), assignment };
            if let Some(counterexample) = self.confirm(screening, candidate) {
                return Some(counterexample);
            }
            if self.is_over() {
                return None;
            }
        }
        None
    }

    /// Screens all tuples of a group that contain a model from index `first_new` on. Returns those on which a claim fails or ties.
    fn screen_tuples(&mut self, group: &SameProportion, first_new: usize) -> Vec<Suspect> {
        let mut suspects = Vec::new();
        // The tuples whose largest index is `newest`.
        for newest in first_new..group.models.len() {
            self.work = self.work.saturating_sub(group.models.len() / TUPLES_PER_MODEL);
            let mut tuple = vec![0; self.trial.sides.models()];
            loop {
                if tuple.contains(&newest) {
                    suspects.extend(self.screen_tuple(group, &tuple));
                }
                if !advance(&mut tuple, newest) {
                    break;
                }
            }
            if self.is_over() {
                break;
            }
        }
        suspects
    }

    /// Screens a tuple of a group under every assignment. Returns those under which a claim fails or ties.
    fn screen_tuple(&mut self, group: &SameProportion, tuple: &[usize]) -> Vec<Suspect> {
        let values: Vec<&ModelValues> = tuple.iter().map(|k| &group.models[*k].values).collect();
        let (mut suspects, mut in_scope) = (Vec::new(), false);
        for (k, assignment) in values[0].assignments().iter().enumerate() {
            let screening = self.trial.screen(&values, k);
            in_scope |= screening != Screening::OutOfScope;
            match screening {
                Screening::Broken(_) | Screening::Tie => {
                    suspects.push(Suspect { tuple: tuple.to_vec(), assignment: k, screening });
                }
                Screening::Holds(slack) => self.remember(slack, || group.recipes(tuple), assignment),
                Screening::OutOfScope => {}
            }
        }
        self.models += usize::from(in_scope);
        suspects
    }

    /// The evidence of a search that found no counterexample.
    fn support(self) -> Support {
        let texts = |recipes: &[Recipe]| recipes.iter().filter_map(|r| Some(r.build()?.text())).collect();
        Support {
            models: self.models,
            closest_models: self.closest.as_ref().map(|(_, recipes)| texts(recipes)).unwrap_or_default(),
            closest: self.closest.map(|(slack, _)| slack),
            stopped: self.ceiling.was_reached(),
        }
    }
}

impl SameProportion {
    /// The recipes of a tuple of models, given by their indices.
    fn recipes(&self, tuple: &[usize]) -> Vec<Recipe> {
        tuple.iter().map(|k| self.models[*k].recipe.clone()).collect()
    }
}

/// Counts a tuple up like the digits of a number, from 0 to `largest`; `false` after the last tuple.
fn advance(tuple: &mut [usize], largest: usize) -> bool {
    for digit in tuple {
        if *digit < largest {
            *digit += 1;
            return true;
        }
        *digit = 0;
    }
    false
}
