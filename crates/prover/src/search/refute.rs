//! The search for a counterexample.

use super::assignments;
use super::candidates::ModelSpace;
use super::climb::climb;
use super::counterexample::Counterexample;
use super::panel;
use super::recipe::Recipe;
use super::shape::ModelText;
use super::shrink::{FoundCounterexample, shrink};
use super::trial::{Screening, Trial, Values};
use super::value::Assignment;
use crate::budget::{Budget, Ceiling};
use crate::parallel;
use crate::statement::{Asked, Choice, CurvePoint, Functional, SCORES, Statement, reads};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rocproof_engine::constant::Constant;
use rocproof_engine::model::Transform;

/// How many models are tried at a time.
const BATCH: usize = 32;
/// How often two sides that are alike in floating point are put to the proof and turn out not to be equal, before such are passed over.
const MOST_TIES: usize = 60;
/// How many models a statement about two is tried on in pairs, at most.
const PAIRED: usize = 400;
/// How many pairs of models that are known already are as much work as one model.
const TUPLES: usize = 64;
/// From how many of the closest calls a climb starts, at a time.
const CLIMBS: usize = 4;

/// What came of a search.
#[derive(Clone, Debug)]
pub enum SearchOutcome {
    /// A counterexample.
    Refuted(Box<Counterexample>),
    /// None was found.
    NotFound(Support),
}

/// What a search that found nothing looked at.
#[derive(Clone, Debug)]
pub struct Support {
    /// How many models, or pairs of models, the statement held on.
    pub models: usize,
    /// By how much an inequality held at the closest call; for an equation, 0 stands for agreement to within the errors.
    pub closest: Option<f64>,
    /// The models of the closest call.
    pub closest_models: Vec<ModelText>,
    /// Whether the ceiling on time cut the search off.
    pub stopped: bool,
}

impl Support {
    /// The level of evidence of a search.
    pub const LEVEL: &'static str = "numeric";
}

/// Looks for a counterexample, the simplest one.
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
    let space = space(statement, &trial);
    let mut search = Search {
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
    let found = if statement.models.len() == 1 { search.single() } else { search.several() };
    match found {
        Some(breaking) => SearchOutcome::Refuted(Box::new(shrink(&trial, &space, breaking, &ceiling).shown)),
        // Models of the panel have what others seldom have: negative scores, scales of one point, extreme proportions.
        None => match panel::counterexample(statement) {
            Some(found) => SearchOutcome::Refuted(Box::new(found)),
            None => SearchOutcome::NotFound(search.support()),
        },
    }
}

/// The models that a statement is about.
pub(super) fn space(statement: &Statement, trial: &Trial) -> ModelSpace {
    let (proportions, pinned) = assignments::proportions(&trial.sides);
    ModelSpace {
        classes: statement.classes.clone(),
        scores: statement.scores(),
        scores_matter: statement.speaks_of_scale() || statement.functionals().into_iter().any(reads_scores),
        proportions,
        // Models that are compared share one class proportion.
        pinned: pinned || statement.models.len() > 1,
    }
}

/// Whether it matters to a functional where scores lie.
fn reads_scores(functional: &Functional) -> bool {
    if functional.transforms.iter().any(|transform| *transform != Transform::Conv) {
        return false;
    }
    match &functional.asked {
        Asked::Metric(definition) => definition.reading.text().is_none_or(|text| text.contains('x')),
        Asked::MetricAt(_, place) | Asked::At(_, place) => matches!(place, CurvePoint::Score(_)),
        Asked::Loss(Choice::Fixed(place)) => matches!(place, CurvePoint::Score(_)),
        Asked::Loss(choice) => matches!(choice, Choice::ScoreUniform | Choice::ScoreDriven),
        Asked::Integral(integrand) => reads(integrand.expr(), &SCORES),
    }
}

struct Search<'a> {
    trial: &'a Trial<'a>,
    space: &'a ModelSpace,
    ceiling: &'a Ceiling,
    /// How much work is left.
    work: usize,
    rng: ChaCha8Rng,
    models: usize,
    ties: usize,
    /// The closest call: by how much a claim held, on what.
    closest: Option<(f64, Vec<Recipe>)>,
    /// The closest calls but for ties, from which a climb may start.
    starts: Vec<(f64, Vec<Recipe>, Assignment)>,
}

impl Search<'_> {
    fn over(&self) -> bool {
        self.work == 0 || self.ceiling.is_reached()
    }

    /// Counts the work of trying models.
    fn spend<'r>(&mut self, recipes: impl IntoIterator<Item = &'r Recipe>) {
        let work: usize = recipes.into_iter().map(|recipe| self.trial.work(recipe)).sum();
        self.work = self.work.saturating_sub(work);
    }

    /// Puts models that look like a counterexample to the proof.
    fn prove(
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

    fn remember(&mut self, slack: f64, recipes: impl Fn() -> Vec<Recipe>, assignment: &Assignment) {
        if self.closest.as_ref().is_none_or(|(least, _)| slack < *least) {
            self.closest = Some((slack, recipes()));
        }
        // Where both sides agree nothing shows which way to go.
        let worst = self.starts.last().map_or(f64::INFINITY, |(slack, ..)| *slack);
        if slack > 0.0 && (slack < worst || self.starts.len() < CLIMBS) {
            self.starts.push((slack, recipes(), assignment.clone()));
            self.starts.sort_by(|a, b| a.0.total_cmp(&b.0));
            self.starts.truncate(CLIMBS);
        }
    }

    /// A statement about one model.
    fn single(&mut self) -> Option<FoundCounterexample> {
        for round in 0..2 {
            let recipes = self.space.round(round);
            for batch in recipes.chunks(BATCH) {
                if let Some(found) = self.batch(batch) {
                    return Some(found);
                }
                if self.over() {
                    return None;
                }
            }
        }
        while !self.over() {
            for _ in 0..4 {
                let batch: Vec<Recipe> = (0..BATCH).filter_map(|_| self.space.random(&mut self.rng)).collect();
                if let Some(found) = self.batch(&batch) {
                    return Some(found);
                }
            }
            if let Some(found) = self.climb_from_starts() {
                return Some(found);
            }
        }
        None
    }

    /// The first of a batch that breaks the statement.
    fn batch(&mut self, recipes: &[Recipe]) -> Option<FoundCounterexample> {
        self.spend(recipes);
        let screened: Vec<Option<Vec<(Screening, Assignment)>>> = parallel::map(recipes, |recipe| {
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
        for (recipe, screens) in recipes.iter().zip(screened) {
            let screens = screens.unwrap_or_default();
            self.models += usize::from(screens.iter().any(|(screen, _)| *screen != Screening::OutOfScope));
            for (screen, assignment) in screens {
                match screen {
                    Screening::Broken(_) | Screening::Tie => {
                        if let Some(found) = self.prove(screen, vec![recipe.clone()], assignment) {
                            return Some(found);
                        }
                    }
                    Screening::Holds(slack) => self.remember(slack, || vec![recipe.clone()], &assignment),
                    _ => {}
                }
            }
        }
        None
    }

    /// Climbs from the closest calls.
    fn climb_from_starts(&mut self) -> Option<FoundCounterexample> {
        for (slack, recipes, assignment) in std::mem::take(&mut self.starts) {
            if self.over() {
                return None;
            }
            if let Some((recipes, assignment)) =
                climb(self.trial, self.space, recipes, assignment, slack, &mut self.rng, &mut self.work, self.ceiling)
                && let Some(found) = self.prove(Screening::Broken(0.0), recipes, assignment)
            {
                return Some(found);
            }
        }
        None
    }

    /// A statement about several models: each is evaluated once, and those of one class proportion are compared.
    fn several(&mut self) -> Option<FoundCounterexample> {
        let mut groups: Vec<(Constant, Vec<(Recipe, Values)>)> = Vec::new();
        for round in 0.. {
            let fresh = if round < 2 {
                self.space.round(round)
            } else {
                groups.iter_mut().for_each(|(_, known)| known.truncate(PAIRED / 2));
                (0..4 * BATCH).filter_map(|_| self.space.random(&mut self.rng)).collect()
            };
            for batch in fresh.chunks(2 * BATCH) {
                self.spend(batch);
                let before: Vec<usize> = groups.iter().map(|(_, known)| known.len()).collect();
                let values = parallel::map(batch, |recipe| self.trial.values(&recipe.build()?.text()));
                for (recipe, values) in batch.iter().zip(values).filter_map(|(recipe, v)| Some((recipe.clone(), v?))) {
                    match groups.iter_mut().find(|(pi0, _)| pi0 == values.pi0()) {
                        Some((_, known)) if known.len() < PAIRED => known.push((recipe, values)),
                        Some(_) => {}
                        None => groups.push((values.pi0().clone(), vec![(recipe, values)])),
                    }
                }
                for (k, (_, known)) in groups.iter().enumerate() {
                    if let Some(found) = self.tuples(known, before.get(k).copied().unwrap_or(0)) {
                        return Some(found);
                    }
                    if self.over() {
                        return None;
                    }
                }
            }
            if round > 0
                && let Some(found) = self.climb_from_starts()
            {
                return Some(found);
            }
            if self.over() {
                break;
            }
        }
        None
    }

    /// All tuples of models of one class proportion, of which one is new, simplest first.
    fn tuples(&mut self, known: &[(Recipe, Values)], from: usize) -> Option<FoundCounterexample> {
        let count = self.trial.sides.models();
        let assignments = known.first()?.1.assignments().len();
        let mut broken: Vec<(Vec<usize>, usize, Screening)> = Vec::new();
        for last in from..known.len() {
            self.work = self.work.saturating_sub(known.len() / TUPLES);
            let mut tuple = vec![0; count];
            loop {
                if tuple.contains(&last) {
                    let values: Vec<&Values> = tuple.iter().map(|k| &known[*k].1).collect();
                    let mut counted = false;
                    for assignment in 0..assignments {
                        let screen = self.trial.screen(&values, assignment);
                        counted |= screen != Screening::OutOfScope;
                        match screen {
                            Screening::Broken(_) | Screening::Tie => broken.push((tuple.clone(), assignment, screen)),
                            Screening::Holds(slack) => {
                                let recipes = || tuple.iter().map(|k| known[*k].0.clone()).collect();
                                self.remember(slack, recipes, &values[0].assignments()[assignment]);
                            }
                            Screening::OutOfScope => {}
                        }
                    }
                    self.models += usize::from(counted);
                }
                if !advance(&mut tuple, last) {
                    break;
                }
            }
            if self.over() {
                break;
            }
        }
        broken.sort_by_key(|(tuple, ..)| tuple.iter().sum::<usize>());
        for (tuple, assignment, screen) in broken {
            let recipes = tuple.iter().map(|k| known[*k].0.clone()).collect();
            let assignment = known[tuple[0]].1.assignments()[assignment].clone();
            if let Some(found) = self.prove(screen, recipes, assignment) {
                return Some(found);
            }
            if self.over() {
                return None;
            }
        }
        None
    }

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

/// The next tuple of numbers up to `last`; `false` after the last one.
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
