//! Offers about the hull: optimality of its losses, comparisons with the curve, and the area below it.

use super::Offers;
use crate::statement::{Asked, CostDistribution, Functional};
use crate::theory::lower::Track;
use crate::theory::rules::{Fact, HullComparison};
use crate::theory::symbol::Symbol;
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::definition::{Beta, Method, Reading};
use rocproof_engine::model::Transform;

impl Offers<'_> {
    /// Offers losses minus the optimal loss. The optimal loss is an integral along the hull, so nothing is offered if the goal has none.
    pub(super) fn offer_optimality(&mut self, pi0_degree: u32) {
        let has_hull = self.follows(Track::Hull) || self.lowering.is_convex(Track::Own);
        let losses = if has_hull { self.losses() } else { Vec::new() };
        if losses.is_empty() {
            return;
        }
        let multipliers = self.multipliers(pi0_degree, self.degree_in_numbers());
        for loss in losses {
            self.offer_fact(Fact::Optimality { loss }, &multipliers);
        }
    }

    /// The losses, as sorted texts, of the general methods and of those fixed at points of the statement, under all cost distributions,
    /// operating conditions and transforms that the statement mentions.
    fn losses(&self) -> Vec<String> {
        let functionals = self.statement.functionals();
        let Some(first) = functionals.first() else { return Vec::new() };
        let points = functionals.iter().filter_map(|functional| functional.point());
        let mut methods: Vec<_> = points.map(|point| Method::fixed(point.map(Clone::clone))).collect();
        methods.extend([Method::ScoreDriven, Method::ScoreUniform, Method::RateDriven, Method::RateUniform]);
        let weights: Vec<CostDistribution> =
            distinct(functionals.iter().map(|functional| cost_distribution(functional)));
        let conditions: Vec<Condition> = distinct(functionals.iter().map(|functional| functional.condition));
        let mentioned_transforms = functionals.iter().map(|functional| functional.transforms.clone());
        let transform_lists: Vec<Vec<Transform>> = distinct([Vec::new()].into_iter().chain(mentioned_transforms));
        let mut texts: Vec<String> = Vec::new();
        for method in &methods {
            for weight in &weights {
                for condition in &conditions {
                    for transforms in &transform_lists {
                        let loss = Functional {
                            asked: Asked::Loss(method.clone()),
                            weight: weight.clone(),
                            condition: *condition,
                            transforms: transforms.clone(),
                            ..(*first).clone()
                        };
                        texts.push(loss.to_string());
                    }
                }
            }
        }
        texts.sort();
        texts.dedup();
        texts
    }

    /// Offers comparisons of the curve with its hull, if the goal has integrals along both. `extra_degree` is added to the degrees of the
    /// goal.
    pub(super) fn offer_hull_comparisons(&mut self, pi0_degree: u32, extra_degree: u32) {
        if self.lowering.is_convex(Track::Own) || !self.follows(Track::Own) || !self.follows(Track::Hull) {
            return;
        }
        let degrees = [Track::Own, Track::Hull].map(|track| self.degrees(track));
        let multipliers = self.multipliers(pi0_degree, self.degree_in_numbers());
        // `∫ φ(c) dR` with `φ'' = c^i (1-c)^j`; `φ''` has two degrees less than the coefficient of `dR`.
        let second_derivative = degrees.iter().map(|d| (d.c_in_class + 1).saturating_sub(2)).max().unwrap_or(0);
        let most = second_derivative + extra_degree;
        for i in 0..=most {
            for j in 0..=most - i {
                self.offer_fact(Fact::Hull(HullComparison::Pooled { i, j }), &multipliers);
            }
        }
        // `R^i (1-R)^j` times a product of `total` distribution functions, with `i + j + total` at most the degree of the goal.
        let most = degrees.iter().map(|d| d.f0.max(d.f1)).max().unwrap_or(0) + extra_degree;
        for total in 1..=most {
            for k in 0..=total {
                for i in 0..=most - total {
                    for j in 0..=most - total - i {
                        let (rate, powers) = ([i, j], [k, total - k]);
                        self.offer_fact(Fact::Hull(HullComparison::Errors { rate, powers }), &multipliers);
                        self.offer_fact(Fact::Hull(HullComparison::Successes { rate, powers }), &multipliers);
                    }
                }
            }
        }
    }

    /// Offers the area under the hull minus that under the chords to a point of the curve: the point with the largest distance `KS` (a place
    /// of `None`), and those that functionals read.
    pub(super) fn offer_triangles(&mut self, pi0_degree: u32) {
        let mut places: Vec<Option<String>> = Vec::new();
        if self.depends_on(&Symbol::Distance(Track::Own)) && self.lowering.is_convex(Track::Own) {
            places.push(None);
        }
        places.extend(self.functionals_at_points().map(Some));
        let follows_hull =
            self.goal.forms.keys().any(|(track, _)| *track == Track::Hull || self.lowering.is_convex(*track));
        if places.is_empty() || !follows_hull {
            return;
        }
        let multipliers = self.multipliers(pi0_degree, self.degree_in_numbers());
        for place in places {
            self.offer_fact(Fact::Triangle { place }, &multipliers);
        }
    }
}

/// The cost distribution of a functional. Hand's H over cost proportions is a share of the optimal loss under `beta(2, 2)`.
fn cost_distribution(functional: &Functional) -> CostDistribution {
    if let Asked::Metric(definition, _) = &functional.asked
        && matches!(definition.reading, Reading::ShareOfChance(_))
        && functional.condition == Condition::Cost
        && let Ok(cost) = Beta::parse("beta(2, 2)")
    {
        return CostDistribution::Known(Box::new(cost));
    }
    functional.weight.clone()
}

/// The items without repetitions, in the order of their first occurrence.
fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut unique = Vec::new();
    for item in items {
        if !unique.contains(&item) {
            unique.push(item);
        }
    }
    unique
}
