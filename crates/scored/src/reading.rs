//! Everything that `eval` says, of scored data.

use super::chain::{Chain, Link};
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

/// How many panels or corners are integrated at once: so few that the roundings of their sum are those that are counted.
const AT_ONCE: usize = 16;

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
    data.evaluate(cost, thresholds)
}

/// The same after score transforms, the first of which is applied first.
///
/// `Conv` pools the ties of each segment of the ROC hull and spreads them evenly over their scores; `Cal` gives a segment its share of class 1
/// for a score (pooling adjacent violators); `Even` spaces scores evenly, a tie along its way.
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
    if transforms.is_empty() {
        data.evaluate(cost, thresholds)
    } else {
        data.evaluate_transformed(transforms, cost, thresholds)
    }
}

/// Evaluates a chain with its hull.
pub(super) fn evaluate_chain(
    chain: &impl Chain,
    hull: &impl Chain,
    cost: &Cost,
    thresholds: &Thresholds,
) -> Evaluation {
    let [n0, n1] = chain.totals();
    evaluate_readable(&ReadableChain(chain), &ReadableChain(hull), (n0 / (n0 + n1), n1 / (n0 + n1)), cost, thresholds)
}

/// A chain that definitions are read from.
struct ReadableChain<'a, C>(&'a C);

impl<C: Chain> ReadableChain<'_, C> {
    /// Goes along all links from a chunk on, until told to stop.
    fn walk(&self, from: usize, mut visit: impl FnMut(&Link) -> bool) {
        for chunk in from..self.0.chunks() {
            let mut go_on = true;
            self.0.visit(chunk, |link| go_on = go_on && visit(link));
            if !go_on {
                return;
            }
        }
    }

    /// Estimates with what an error of the distribution functions may add to them.
    fn doubted(&self, estimates: Vec<Estimate>) -> Vec<Estimate> {
        let doubt = SENSITIVITY * self.0.uncertainty();
        estimates.into_iter().map(|estimate| estimate.widened(doubt)).collect()
    }

    /// The same definitions by the panels of a curve, where they are no polynomials.
    fn along_panels(&self, group: &Group, view: &Environment) -> Vec<Estimate> {
        let totals = self.0.totals();
        let of_chunk = |chunk: usize| {
            let mut curve = Curve { panels: Vec::with_capacity(AT_ONCE), range: self.0.range(), ..Curve::diagonal() };
            let mut sums = EstimateSums::new(group.len());
            self.0.visit(chunk, |link| {
                let (start, end) = link.ends(totals);
                curve.panels.push(Panel::straight(start, end));
                if curve.panels.len() == AT_ONCE {
                    sums.add(&along(&curve, &[], group, view));
                    curve.panels.clear();
                }
            });
            sums.add(&along(&curve, &[], group, view));
            sums
        };
        EstimateSums::of_chunks(self.0.chunks(), group.len(), of_chunk)
    }
}

/// EstimateSums of estimates.
struct EstimateSums(Vec<(CompensatedSum, f64)>);

impl EstimateSums {
    fn new(count: usize) -> EstimateSums {
        EstimateSums(vec![(CompensatedSum::default(), 0.0); count])
    }

    fn add(&mut self, estimates: &[Estimate]) {
        for (sum, estimate) in self.0.iter_mut().zip(estimates) {
            *sum = (sum.0.plus(estimate.value), sum.1 + estimate.error);
        }
    }

    fn estimates(&self) -> Vec<Estimate> {
        self.0.iter().map(|(sum, error)| Estimate { value: sum.value(), error: *error }).collect()
    }

    /// Chunks are summed side by side, and their sums in order: the result does not depend on who was first.
    fn of_chunks(chunks: usize, count: usize, of_chunk: impl Fn(usize) -> EstimateSums + Sync + Send) -> Vec<Estimate> {
        let parts: Vec<EstimateSums> = (0..chunks).into_par_iter().map(of_chunk).collect();
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
        // Only definitions are read along scored data, and they have a meaning on every piece.
        Pieces::ANY
    }

    fn doubts(&self) -> Doubts {
        // Along a tie that is spread over scores, both are interpolated.
        let interpolated = if self.0.spreads() { 2.0 * f64::EPSILON } else { 0.0 };
        Doubts { uncertainty: self.0.uncertainty().max(interpolated), ..Doubts::default() }
    }

    fn integrals(
        &self,
        asked: &[(&Group, &Environment)],
        extremes: &[(&Program, &Environment)],
    ) -> (Vec<Vec<Estimate>>, Vec<f64>) {
        let plan = MomentPlan::new(self.0, asked, extremes);
        let rounding = |(group, view): &(&Group, &Environment)| std::iter::repeat_n(view.cost.rounding(), group.len());
        let roundings: Vec<f64> = asked.iter().flat_map(rounding).collect();
        let (mut found, largest) = plan.run(self.0, &roundings);
        let mut start = 0;
        for (group, view) in asked {
            let own = start..start + group.len();
            let wanted: Vec<usize> = plan.by_panels.iter().copied().filter(|k| own.contains(k)).collect();
            if !wanted.is_empty() {
                let by_panels = self.along_panels(group, view);
                wanted.into_iter().for_each(|k| found[k] = by_panels[k - start]);
            }
            start = own.end;
        }
        let mut rest = self.doubted(found).into_iter();
        (asked.iter().map(|(group, _)| rest.by_ref().take(group.len()).collect()).collect(), largest)
    }

    fn with_corners(&self, group: &Group, view: &Environment) -> Vec<Estimate> {
        let frame = Curve { panels: Vec::new(), ..Curve::diagonal() };
        let totals = self.0.totals();
        // The last direction of each chunk.
        let last_of_chunk = |chunk: usize| {
            let mut last = None;
            self.0.visit(chunk, |link| last = direction(link, totals).or(last));
            last
        };
        let lasts: Vec<Option<[f64; 2]>> = (0..self.0.chunks()).into_par_iter().map(last_of_chunk).collect();
        let mut before = vec![[1.0, 0.0]; lasts.len()];
        for chunk in 1..before.len() {
            before[chunk] = lasts[chunk - 1].unwrap_or(before[chunk - 1]);
        }
        let of_chunk = |chunk: usize| {
            let mut sums = EstimateSums::new(group.len());
            let mut corners: Vec<(usize, Corner)> = Vec::with_capacity(AT_ONCE);
            let mut before = before[chunk];
            let mut last = None;
            let mut turn = |corners: &mut Vec<(usize, Corner)>, at: Point, to: [f64; 2]| {
                if to != before {
                    let [from, to] = [before, to].map(|q| posterior(q, (view.pi0, view.pi1)));
                    corners.push((0, Corner { at, from, to }));
                }
                before = to;
                if corners.len() == AT_ONCE {
                    sums.add(&along(&frame, corners, group, view));
                    corners.clear();
                }
            };
            self.0.visit(chunk, |link| {
                let (start, end) = link.ends(totals);
                if let Some(direction) = direction(link, totals) {
                    turn(&mut corners, start, direction);
                }
                last = Some(end);
            });
            if chunk + 1 == self.0.chunks()
                && let Some(at) = last
            {
                turn(&mut corners, at, [0.0, 1.0]);
            }
            sums.add(&along(&frame, &corners, group, view));
            sums
        };
        self.doubted(EstimateSums::of_chunks(self.0.chunks(), group.len(), of_chunk))
    }

    fn at_score(&self, t: f64) -> Point {
        let totals = self.0.totals();
        let mut found = self.0.start();
        self.walk(self.0.chunk_of_score(t), |link| {
            let (start, end) = link.ends(totals);
            let [from, to, at] = self.0.told([&start, &end], t);
            if !link.has_mass() {
                // Nothing changes in a gap; and where it ends is where the next tie says.
                return from <= at;
            }
            if to <= at {
                found = end;
            } else if from <= at {
                // A tie that is spread over scores.
                found = start.toward(&end, (at - from) / (to - from));
            }
            to <= at
        });
        found
    }

    fn at_rate(&self, r: f64, pi0: f64) -> Point {
        let totals = self.0.totals();
        let mut found = self.0.start();
        self.walk(self.0.chunk_of_rate(r, pi0), |link| {
            let (start, end) = link.ends(totals);
            let (from, to) = (start.rate(pi0), end.rate(pi0));
            if !link.has_mass() {
                return true;
            }
            found = if r <= to { start.toward(&end, ((r - from) / (to - from)).clamp(0.0, 1.0)) } else { end };
            r > to
        });
        found
    }
}

/// Where a link with mass goes: the shares of the classes in what it adds to both distribution functions.
fn direction(link: &Link, totals: [f64; 2]) -> Option<[f64; 2]> {
    let [_, d0, d1] = link.way(totals);
    link.has_mass().then(|| [d0 / (d0 + d1), d1 / (d0 + d1)])
}
