//! All metrics and expected losses of scored data: the engine's plan, read along a chain of links.

use super::chain::{Chain, Link, Scale};
use super::moments::MomentPlan;
use super::scored::Scored;
use super::sum::CompensatedSum;
use rayon::prelude::*;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::calculus::panel::{Corner, Panel, Point, posterior};
use rocproof_engine::functional::along::{SENSITIVITY, along};
use rocproof_engine::functional::evaluate::evaluate_readable;
use rocproof_engine::functional::group::Group;
use rocproof_engine::functional::program::{Environment, Program};
use rocproof_engine::functional::readable::{Doubts, Readable};
use rocproof_engine::functional::{Cost, Evaluation, Thresholds};
use rocproof_engine::model::{Curve, Transform};
use rocproof_language::meaning::Pieces;

/// Panels or corners per call of the engine. The error bound of `along` covers the rounding of a sum of this many terms.
const BATCH: usize = 16;

/// All metrics and expected losses of scored data.
///
/// ```
/// use rocproof_scored::{Scored, evaluate_scored};
/// use rocproof_engine::{Cost, functional::Thresholds};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
/// let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
/// assert_eq!(evaluation.metric("AUC").unwrap().estimate().unwrap().value, 0.75);
/// ```
pub fn evaluate_scored(data: &Scored, cost: &Cost, thresholds: &Thresholds) -> Evaluation {
    data.evaluate(&[], cost, thresholds)
}

/// All metrics and expected losses of scored data after score transforms, which are applied in order.
///
/// `Conv` pools the ties below each segment of the ROC hull and spreads them evenly over their scores. `Cal` replaces the scores of a hull
/// segment by its share of class 1 (pooling of adjacent violators). `Even` replaces scores by predicted positive rates.
///
/// ```
/// use rocproof_scored::{Scored, evaluate_transformed};
/// use rocproof_engine::model::Transform;
/// use rocproof_engine::{Cost, functional::Thresholds};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None)?;
/// let calibrated = evaluate_transformed(&data, &[Transform::Cal], &Cost::uniform(), &Thresholds::default());
/// assert_eq!(calibrated.metric("CL").unwrap().estimate().unwrap().value, 0.0);
/// # Ok::<(), rocproof_scored::BadScore>(())
/// ```
pub fn evaluate_transformed(
    data: &Scored,
    transforms: &[Transform],
    cost: &Cost,
    thresholds: &Thresholds,
) -> Evaluation {
    data.evaluate(transforms, cost, thresholds)
}

/// Evaluates all definitions along a chain and its hull.
pub(super) fn evaluate_chain(
    chain: &impl Chain,
    hull: &impl Chain,
    cost: &Cost,
    thresholds: &Thresholds,
) -> Evaluation {
    let [n0, n1] = chain.totals();
    evaluate_readable(&ReadableChain(chain), &ReadableChain(hull), (n0 / (n0 + n1), n1 / (n0 + n1)), cost, thresholds)
}

/// A chain as the engine reads it.
pub(super) struct ReadableChain<'a, C>(pub(super) &'a C);

impl<C: Chain> ReadableChain<'_, C> {
    /// Visits links from a chunk on, in order, until `visit` returns false.
    fn visit_while(&self, first_chunk: usize, mut visit: impl FnMut(&Link) -> bool) {
        for chunk in first_chunk..self.0.chunks() {
            let mut go_on = true;
            self.0.visit(chunk, |link| go_on = go_on && visit(link));
            if !go_on {
                return;
            }
        }
    }

    /// The direction of the curve before each chunk; at the start of the curve it is that of class 0.
    fn directions_before_chunks(&self) -> Vec<[f64; 2]> {
        let totals = self.0.totals();
        let last_of_chunk = |chunk: usize| {
            let mut last_direction = None;
            self.0.visit(chunk, |link| last_direction = direction(link, totals).or(last_direction));
            last_direction
        };
        let last_directions: Vec<Option<[f64; 2]>> = (0..self.0.chunks()).into_par_iter().map(last_of_chunk).collect();
        let mut before = vec![[1.0, 0.0]; last_directions.len()];
        for chunk in 1..before.len() {
            before[chunk] = last_directions[chunk - 1].unwrap_or(before[chunk - 1]);
        }
        before
    }

    /// Visits the corners of a chunk: the point, and the directions before and after it. At the end of the curve the direction becomes that
    /// of class 1.
    fn visit_corners(&self, chunk: usize, mut before: [f64; 2], mut visit: impl FnMut(Point, [f64; 2], [f64; 2])) {
        let totals = self.0.totals();
        let mut turn = |corner: Point, after: [f64; 2]| {
            if after != before {
                visit(corner, before, after);
            }
            before = after;
        };
        let mut last_point = None;
        self.0.visit(chunk, |link| {
            let (start, end) = link.ends(totals);
            if let Some(direction) = direction(link, totals) {
                turn(start, direction);
            }
            last_point = Some(end);
        });
        if chunk + 1 == self.0.chunks()
            && let Some(end) = last_point
        {
            turn(end, [0.0, 1.0]);
        }
    }

    /// Widens estimates by the effect of errors in `F0` and `F1`.
    fn widened(&self, estimates: Vec<Estimate>) -> Vec<Estimate> {
        let error = SENSITIVITY * self.0.uncertainty();
        estimates.into_iter().map(|estimate| estimate.widened(error)).collect()
    }

    /// Integrates the definitions of a group with the engine's panels: for integrands that are not polynomials along links.
    fn along_panels(&self, group: &Group, environment: &Environment) -> Vec<Estimate> {
        let totals = self.0.totals();
        let sum_chunk = |chunk: usize| {
            let mut curve = Curve { panels: Vec::with_capacity(BATCH), range: self.0.range(), ..Curve::diagonal() };
            let mut sums = EstimateSums::new(group.len());
            self.0.visit(chunk, |link| {
                let (start, end) = link.ends(totals);
                curve.panels.push(Panel::straight(start, end));
                if curve.panels.len() == BATCH {
                    sums.add(&along(&curve, &[], group, environment));
                    curve.panels.clear();
                }
            });
            sums.add(&along(&curve, &[], group, environment));
            sums
        };
        EstimateSums::of_chunks(self.0.chunks(), group.len(), sum_chunk)
    }
}

/// Sums of estimates: values, and the sums of their error bounds.
struct EstimateSums(Vec<(CompensatedSum, f64)>);

impl EstimateSums {
    /// As many sums at zero.
    fn new(count: usize) -> EstimateSums {
        EstimateSums(vec![(CompensatedSum::default(), 0.0); count])
    }

    /// Adds an estimate to each sum.
    fn add(&mut self, estimates: &[Estimate]) {
        for (sum, estimate) in self.0.iter_mut().zip(estimates) {
            *sum = (sum.0.plus(estimate.value), sum.1 + estimate.error);
        }
    }

    /// The sums with their error bounds.
    fn estimates(&self) -> Vec<Estimate> {
        self.0.iter().map(|(sum, error)| Estimate { value: sum.value(), error: *error }).collect()
    }

    /// Sums chunks in parallel, then the sums of the chunks in order, so that the result does not depend on scheduling.
    fn of_chunks(
        chunks: usize,
        count: usize,
        sum_chunk: impl Fn(usize) -> EstimateSums + Sync + Send,
    ) -> Vec<Estimate> {
        let parts: Vec<EstimateSums> = (0..chunks).into_par_iter().map(sum_chunk).collect();
        let mut sums = EstimateSums::new(count);
        parts.iter().for_each(|part| sums.add(&part.estimates()));
        sums.estimates()
    }
}

impl<C: Chain> Readable for ReadableChain<'_, C> {
    fn range(&self) -> (f64, f64) {
        self.0.range()
    }

    fn pieces(&self) -> Pieces {
        // Every definition has a meaning on every kind of piece.
        Pieces::ANY
    }

    fn is_reversed(&self) -> bool {
        self.0.scale() != Scale::Input
    }

    fn doubts(&self) -> Doubts {
        // Along a tie that is spread over scores, score and distribution functions are interpolated.
        let interpolated = if self.0.spreads() { 2.0 * f64::EPSILON } else { 0.0 };
        Doubts { uncertainty: self.0.uncertainty().max(interpolated), ..Doubts::default() }
    }

    fn integrals(
        &self,
        asked: &[(&Group, &Environment)],
        extremes: &[(&Program, &Environment)],
    ) -> (Vec<Vec<Estimate>>, Vec<f64>) {
        let plan = MomentPlan::new(self.0, asked, extremes);
        let rounding = |(group, environment): &(&Group, &Environment)| {
            std::iter::repeat_n(environment.cost.rounding(), group.len())
        };
        let roundings: Vec<f64> = asked.iter().flat_map(rounding).collect();
        let (mut estimates, largest) = plan.run(self.0, &roundings);
        let mut start = 0;
        for (group, environment) in asked {
            // The indices of the definitions of this group, and of those that are left to panels.
            let indices = start..start + group.len();
            let for_panels: Vec<usize> = plan.by_panels.iter().copied().filter(|k| indices.contains(k)).collect();
            if !for_panels.is_empty() {
                let by_panels = self.along_panels(group, environment);
                for_panels.into_iter().for_each(|k| estimates[k] = by_panels[k - start]);
            }
            start = indices.end;
        }
        let mut widened = self.widened(estimates).into_iter();
        (asked.iter().map(|(group, _)| widened.by_ref().take(group.len()).collect()).collect(), largest)
    }

    fn with_corners(&self, group: &Group, environment: &Environment) -> Vec<Estimate> {
        let no_panels = Curve { panels: Vec::new(), ..Curve::diagonal() };
        let directions = self.directions_before_chunks();
        let sum_chunk = |chunk: usize| {
            let mut sums = EstimateSums::new(group.len());
            let mut corners: Vec<(usize, Corner)> = Vec::with_capacity(BATCH);
            self.visit_corners(chunk, directions[chunk], |at, from, to| {
                let [from, to] = [from, to].map(|direction| posterior(direction, (environment.pi0, environment.pi1)));
                corners.push((0, Corner { at, from, to }));
                if corners.len() == BATCH {
                    sums.add(&along(&no_panels, &corners, group, environment));
                    corners.clear();
                }
            });
            sums.add(&along(&no_panels, &corners, group, environment));
            sums
        };
        self.widened(EstimateSums::of_chunks(self.0.chunks(), group.len(), sum_chunk))
    }

    fn at_score(&self, t: f64) -> Point {
        let totals = self.0.totals();
        let mut point = self.0.start();
        self.visit_while(self.0.chunk_of_score(t), |link| {
            let (start, end) = link.ends(totals);
            let [start_key, end_key, key] = self.0.sort_keys([&start, &end], t);
            if !link.has_mass() {
                // A gap does not change the point; the next tie gives its end more exactly.
                return start_key <= key;
            }
            if end_key <= key {
                point = end;
            } else if start_key <= key {
                // A tie that is spread over scores.
                point = start.toward(&end, (key - start_key) / (end_key - start_key));
            }
            end_key <= key
        });
        point
    }

    fn at_rate(&self, r: f64, pi0: f64) -> Point {
        let totals = self.0.totals();
        let mut point = self.0.start();
        self.visit_while(self.0.chunk_of_rate(r, pi0), |link| {
            let (start, end) = link.ends(totals);
            let (start_rate, end_rate) = (start.rate(pi0), end.rate(pi0));
            if !link.has_mass() {
                return true;
            }
            point = if r <= end_rate {
                start.toward(&end, ((r - start_rate) / (end_rate - start_rate)).clamp(0.0, 1.0))
            } else {
                end
            };
            r > end_rate
        });
        point
    }
}

/// The direction of a link with mass: `dF0` and `dF1` scaled to sum to 1. `None` for a gap.
fn direction(link: &Link, totals: [f64; 2]) -> Option<[f64; 2]> {
    let [_, d0, d1] = link.increments(totals);
    link.has_mass().then(|| [d0 / (d0 + d1), d1 / (d0 + d1)])
}
