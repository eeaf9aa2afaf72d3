//! The search for a counterexample.

use super::candidates::ModelSpace;
use super::climb::climb;
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
        Some(breaking) => SearchOutcome::Refuted(Box::new(shrink(&trial, &space, breaking, &ceiling).shown)),
        // The panel has models that recipes seldom make: negative scores, scales of one point, extreme proportions.
        None => match panel::counterexample(statement) {
            Some(counterexample) => SearchOutcome::Refuted(Box::new(counterexample)),
            None => SearchOutcome::NotFound(search.support()),
        },
    }
}

/// The models of one class proportion that were evaluated, simplest first.
type Group = Vec<(Recipe, ModelValues)>;

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
    /// The smallest positive margins, from which a climb may start.
    starts: Vec<(f64, Vec<Recipe>, Assignment)>,
}

impl RefutationSearch<'_> {
    /// Whether the work or the time is used up.
    fn is_over(&self) -> bool {
        self.work == 0 || self.ceiling.is_reached()
    }

    /// Deducts the work of evaluating models.
    fn spend<'r>(&mut self, recipes: impl IntoIterator<Item = &'r Recipe>) {
        let work: usize = recipes.into_iter().map(|recipe| self.trial.work(recipe)).sum();
        self.work = self.work.saturating_sub(work);
    }

    /// Decides by proof whether models that fail in floating point are a counterexample.
    fn confirm(
        &mut self,
        screen: Screening,
        recipes: Vec<Recipe>,
        assignment: Assignment,
    ) -> Option<FoundCounterexample> {
        if screen == Screening::Tie {
            if self.ties >= MOST_TIES {
                return None;
            }
            self.ties += 1;
        }
        let shown = Counterexample::new(self.trial.statement, &self.trial.sides, &recipes, &assignment);
        shown.map(|shown| FoundCounterexample { recipes, assignment, shown })
    }

    /// Notes the margin by which the statement held on models.
    fn remember(&mut self, slack: f64, recipes: impl Fn() -> Vec<Recipe>, assignment: &Assignment) {
        if self.closest.as_ref().is_none_or(|(least, _)| slack < *least) {
            self.closest = Some((slack, recipes()));
        }
        // A margin of 0 gives a climb no direction.
        let worst = self.starts.last().map_or(f64::INFINITY, |(slack, ..)| *slack);
        if slack > 0.0 && (slack < worst || self.starts.len() < MOST_STARTS) {
            self.starts.push((slack, recipes(), assignment.clone()));
            self.starts.sort_by(|a, b| a.0.total_cmp(&b.0));
            self.starts.truncate(MOST_STARTS);
        }
    }

    /// Searches for a counterexample to a statement about one model.
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
            for _ in 0..4 {
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
        self.spend(recipes);
        let screens: Vec<Option<Vec<(Screening, Assignment)>>> = parallel::map(recipes, |recipe| {
            let values = self.trial.values(&recipe.build()?.text())?;
            let screen = |k: usize| self.trial.screen(&[&values], k);
            Some(
                values
                    .assignments()
                    .iter()
                    .enumerate()
                    .map(|(k, assignment)| (screen(k), assignment.clone()))
                    .collect(),
            )
        });
        for (recipe, screens) in recipes.iter().zip(screens) {
            let screens = screens.unwrap_or_default();
            self.models += usize::from(screens.iter().any(|(screen, _)| *screen != Screening::OutOfScope));
            for (screen, assignment) in screens {
                match screen {
                    Screening::Broken(_) | Screening::Tie => {
                        if let Some(counterexample) = self.confirm(screen, vec![recipe.clone()], assignment) {
                            return Some(counterexample);
                        }
                    }
                    Screening::Holds(slack) => self.remember(slack, || vec![recipe.clone()], &assignment),
                    _ => {}
                }
            }
        }
        None
    }

    /// Climbs from the models with the smallest margins.
    fn climb_from_closest(&mut self) -> Option<FoundCounterexample> {
        for (slack, recipes, assignment) in std::mem::take(&mut self.starts) {
            if self.is_over() {
                return None;
            }
            if let Some((recipes, assignment)) =
                climb(self.trial, self.space, recipes, assignment, slack, &mut self.rng, &mut self.work, self.ceiling)
                && let Some(counterexample) = self.confirm(Screening::Broken(0.0), recipes, assignment)
            {
                return Some(counterexample);
            }
        }
        None
    }

    /// Searches for a counterexample to a statement about several models: each model is evaluated once, and combined into tuples with the
    /// others of its class proportion.
    fn search_tuples(&mut self) -> Option<FoundCounterexample> {
        let mut groups: Vec<(Constant, Group)> = Vec::new();
        for round in 0.. {
            let new_recipes = if round < 2 {
                self.space.round(round)
            } else {
                groups.iter_mut().for_each(|(_, group)| group.truncate(MOST_GROUPED / 2));
                (0..4 * BATCH).filter_map(|_| self.space.random(&mut self.rng)).collect()
            };
            for batch in new_recipes.chunks(2 * BATCH) {
                let old_lengths: Vec<usize> = groups.iter().map(|(_, group)| group.len()).collect();
                self.evaluate_into(&mut groups, batch);
                for (k, (_, group)) in groups.iter().enumerate() {
                    if let Some(counterexample) = self.try_tuples(group, old_lengths.get(k).copied().unwrap_or(0)) {
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

    /// Evaluates a batch of models and adds each to the group of its class proportion, if there is room.
    fn evaluate_into(&mut self, groups: &mut Vec<(Constant, Group)>, batch: &[Recipe]) {
        self.spend(batch);
        let values = parallel::map(batch, |recipe| self.trial.values(&recipe.build()?.text()));
        for (recipe, values) in batch.iter().zip(values).filter_map(|(recipe, v)| Some((recipe.clone(), v?))) {
            match groups.iter_mut().find(|(pi0, _)| pi0 == values.pi0()) {
                Some((_, group)) if group.len() < MOST_GROUPED => group.push((recipe, values)),
                Some(_) => {}
                None => groups.push((values.pi0().clone(), vec![(recipe, values)])),
            }
        }
    }

    /// Tries all tuples of a group that contain a model from index `first_new` on, simplest tuples first. Returns the first confirmed
    /// counterexample.
    fn try_tuples(&mut self, group: &Group, first_new: usize) -> Option<FoundCounterexample> {
        let mut broken: Vec<(Vec<usize>, usize, Screening)> = Vec::new();
        for last in first_new..group.len() {
            self.work = self.work.saturating_sub(group.len() / TUPLES_PER_MODEL);
            let mut tuple = vec![0; self.trial.sides.models()];
            loop {
                if tuple.contains(&last) {
                    let screens = self.screen_tuple(group, &tuple);
                    broken.extend(screens.into_iter().map(|(assignment, screen)| (tuple.clone(), assignment, screen)));
                }
                if !advance(&mut tuple, last) {
                    break;
                }
            }
            if self.is_over() {
                break;
            }
        }
        broken.sort_by_key(|(tuple, ..)| tuple.iter().sum::<usize>());
        for (tuple, assignment, screen) in broken {
            let recipes = tuple.iter().map(|k| group[*k].0.clone()).collect();
            let assignment = group[tuple[0]].1.assignments()[assignment].clone();
            if let Some(counterexample) = self.confirm(screen, recipes, assignment) {
                return Some(counterexample);
            }
            if self.is_over() {
                return None;
            }
        }
        None
    }

    /// Screens a tuple of a group under every assignment; the assignments, by index, under which a claim fails or ties.
    fn screen_tuple(&mut self, group: &Group, tuple: &[usize]) -> Vec<(usize, Screening)> {
        let values: Vec<&ModelValues> = tuple.iter().map(|k| &group[*k].1).collect();
        let (mut broken, mut in_scope) = (Vec::new(), false);
        for (k, assignment) in values[0].assignments().iter().enumerate() {
            let screen = self.trial.screen(&values, k);
            in_scope |= screen != Screening::OutOfScope;
            match screen {
                Screening::Broken(_) | Screening::Tie => broken.push((k, screen)),
                Screening::Holds(slack) => {
                    let recipes = || tuple.iter().map(|k| group[*k].0.clone()).collect();
                    self.remember(slack, recipes, assignment);
                }
                Screening::OutOfScope => {}
            }
        }
        self.models += usize::from(in_scope);
        broken
    }

    /// The evidence of this search, if it found no counterexample.
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

/// Counts a tuple up, with digits from 0 to `last`; `false` after the last tuple.
fn advance(tuple: &mut [usize], last: usize) -> bool {
    for digit in tuple {
        if *digit < last {
            *digit += 1;
            return true;
        }
        *digit = 0;
    }
    false
}
