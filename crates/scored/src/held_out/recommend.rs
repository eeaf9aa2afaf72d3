//! The model and the method to deploy.

use super::sums::HeldOutLosses;
use crate::choice::{KnownAt, needs_condition};
use crate::spread::{Caveat, Spread};
use rocproof_engine::functional::Method;

/// A model with a method that loses as little as the best, as far as the rows can tell.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    /// The place of the model.
    pub model: usize,
    /// The method.
    pub method: Method,
    /// Its loss minus the lowest.
    pub difference: Spread,
}

/// The model and the method to deploy, by losses on rows that are held out.
#[derive(Clone, Debug)]
pub struct Recommendation {
    /// The place of the model.
    pub model: usize,
    /// The method.
    pub method: Method,
    /// Its loss.
    pub loss: Spread,
    /// The model and the method of the lowest loss. Another one is recommended if it is simpler and the difference is within chance.
    pub lowest: (usize, Method),
    /// The others whose difference from the lowest loss is within chance, the lowest first.
    pub within_chance: Vec<Alternative>,
    /// The number of models and methods that were compared.
    pub compared: usize,
    /// Why the differences cannot be relied on, if so.
    pub caveat: Option<Caveat>,
}

/// The order in which methods are simple to deploy, by what they take: the scores, a number, a rate of training rows, their hull, chance.
fn complexity(method: Method) -> u8 {
    match method {
        Method::ScoreDriven => 0,
        Method::ScoreFixed(_) => 1,
        Method::RateFixed(_) => 2,
        Method::RateDriven => 3,
        Method::Optimal => 4,
        Method::ScoreUniform => 5,
        Method::RateUniform => 6,
    }
}

/// Chooses among the methods that need no more than is known. If the time is not given, the condition is known. Of those whose difference
/// from the lowest loss is within chance, the simplest method is recommended, with the model that loses least by it.
///
/// `None` if no method applies.
pub fn recommend(losses: &HeldOutLosses, methods: &[Method], known: Option<KnownAt>) -> Option<Recommendation> {
    let usable = |method: Method| known != Some(KnownAt::Never) || !needs_condition(method);
    let rank = |(_, j): (usize, usize)| complexity(methods[j]);
    let value = |(m, j): (usize, usize)| losses.losses[m][j].map_or(f64::INFINITY, |spread| spread.value);
    let mut candidates: Vec<(usize, usize)> = (0..losses.losses.len())
        .flat_map(|m| (0..methods.len()).map(move |j| (m, j)))
        .filter(|(m, j)| usable(methods[*j]) && losses.losses[*m][*j].is_some())
        .collect();
    candidates.sort_by(|a, b| value(*a).total_cmp(&value(*b)).then(rank(*a).cmp(&rank(*b))));
    let lowest = *candidates.first()?;
    let difference = |candidate: &(usize, usize)| losses.difference(*candidate, lowest);
    let is_within_chance = |candidate: &(usize, usize)| difference(candidate).is_some_and(|d| d.interval.0 <= 0.0);
    let chosen = *candidates.iter().filter(|candidate| is_within_chance(candidate)).min_by_key(|c| rank(**c))?;
    let others = candidates.iter().filter(|candidate| **candidate != chosen && is_within_chance(candidate));
    let within_chance = others.filter_map(|candidate| {
        let difference = difference(candidate)?;
        Some(Alternative { model: candidate.0, method: methods[candidate.1], difference })
    });
    Some(Recommendation {
        model: chosen.0,
        method: methods[chosen.1],
        loss: losses.losses[chosen.0][chosen.1]?,
        lowest: (lowest.0, methods[lowest.1]),
        within_chance: within_chance.collect(),
        compared: candidates.len(),
        caveat: candidates.iter().find_map(|candidate| difference(candidate)?.caveat),
    })
}
