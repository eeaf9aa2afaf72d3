//! Lists of segments: the ROC hull of scored data, and the data after score transforms.

use super::chain::{Chain, Link, Scale, TieChain, Weights, link_kind};
use super::sum::CompensatedSum;
use rayon::prelude::*;
use rocproof_engine::functional::Evaluation;
use rocproof_engine::transform::{IntervalKind, ScoreInterval};
use std::cmp::Ordering;

/// Segments in a chunk of the chain.
const CHUNK: usize = 1 << 14;

/// A tie, or a tie spread evenly over an interval of scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// The first score, and one minus it.
    pub(super) from: [f64; 2],
    /// The last score, and one minus it.
    pub(super) to: [f64; 2],
    /// The weight of class 0 and of class 1.
    pub(super) mass: [f64; 2],
    /// The number of ties or segments that were pooled into this one.
    pub(super) pooled: usize,
    /// Whether the ROC curve lies strictly below the segment somewhere.
    pub(super) bridges: bool,
}

impl Segment {
    /// A tie at a score, given with one minus it.
    pub(super) fn at(score: [f64; 2], mass: [f64; 2]) -> Segment {
        Segment { from: score, to: score, mass, pooled: 1, bridges: false }
    }

    /// Whether this segment and a next tie hold only one class, the same in both: then they are collinear.
    #[inline]
    pub(super) fn is_of_one_class_with(&self, mass: &[f64; 2]) -> bool {
        self.mass[0] + mass[0] == 0.0 || self.mass[1] + mass[1] == 0.0
    }

    /// Extends the segment by a collinear tie.
    #[inline]
    pub(super) fn extend(&mut self, to: [f64; 2], mass: [f64; 2]) {
        self.to = to;
        self.mass = [self.mass[0] + mass[0], self.mass[1] + mass[1]];
        self.pooled += 1;
    }
}

/// Segments in the order of their scores.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    pub(super) list: Vec<Segment>,
    totals: [f64; 2],
    range: (f64, f64),
    scale: Scale,
    /// Error bound of `F0` and `F1`.
    uncertainty: f64,
    /// The weight of each class before each chunk.
    weight_before: Vec<[CompensatedSum; 2]>,
}

impl Segments {
    /// Segments with the totals and the uncertainty of another chain.
    fn new(list: Vec<Segment>, like: &impl Chain, range: (f64, f64), scale: Scale) -> Segments {
        Segments::of_list(list, like.totals(), range, scale, like.uncertainty())
    }

    /// Segments in the order of the curve, with the total weight of each class and an error bound of `F0` and `F1`.
    pub(super) fn of_list(
        list: Vec<Segment>,
        totals: [f64; 2],
        range: (f64, f64),
        scale: Scale,
        uncertainty: f64,
    ) -> Segments {
        let mut sums = [CompensatedSum::default(); 2];
        let weight_before = list.chunks(CHUNK).map(|chunk| {
            let before = sums;
            chunk.iter().for_each(|segment| sums = [0, 1].map(|k| sums[k].plus(segment.mass[k])));
            before
        });
        let weight_before = weight_before.collect();
        Segments { list, totals, range, scale, uncertainty, weight_before }
    }

    /// The segments of the ROC hull of a chain of ties, by pooling of adjacent violators.
    ///
    /// Chunks are pooled in parallel, then their pools in order: ties pooled in a part are pooled in the whole, too.
    pub(super) fn of_hull<W: Weights>(ties: &TieChain<W>) -> Segments {
        let chunk_hulls: Vec<Vec<Segment>> =
            (0..ties.chunks()).into_par_iter().map(|chunk| pool_chunk(ties, chunk)).collect();
        let mut hull: Vec<Segment> = Vec::new();
        chunk_hulls.into_iter().flatten().for_each(|segment| pool(&mut hull, segment));
        Segments::new(hull, ties, ties.range(), ties.scale())
    }

    /// One segment for each tie.
    pub(super) fn of_ties<W: Weights>(ties: &TieChain<W>) -> Segments {
        let mut list = Vec::new();
        for chunk in 0..ties.chunks() {
            ties.visit_ties(chunk, |score, mass| list.push(Segment::at(score, mass)));
        }
        Segments::new(list, ties, ties.range(), ties.scale())
    }

    /// The segments of the hull of these segments.
    pub(super) fn pooled(&self) -> Segments {
        let mut hull = Vec::new();
        self.list.iter().for_each(|segment| pool(&mut hull, Segment { pooled: 1, bridges: false, ..*segment }));
        Segments::new(hull, self, self.range, self.scale)
    }

    /// `Conv`: segments below the hull are replaced by the hull segment above them, spread evenly over their scores.
    pub(super) fn convexified(&self) -> Segments {
        let mut segments = self.list.iter();
        let mut list = Vec::new();
        for hull_segment in self.pooled().list {
            let below = segments.by_ref().take(hull_segment.pooled);
            if hull_segment.bridges {
                below.for_each(drop);
                list.push(hull_segment);
            } else {
                list.extend(below);
            }
        }
        Segments::new(list, self, self.range, self.scale)
    }

    /// `Even`: scores become predicted positive rates, so that a tie is spread over an interval.
    pub(super) fn evenly_spaced(&self) -> Segments {
        let total: f64 = self.totals.iter().sum();
        let mut weight = CompensatedSum::default();
        let mut rate = [0.0, 1.0];
        let spaced = |segment: &Segment| {
            weight = weight.plus(segment.mass[0] + segment.mass[1]);
            let rate_before = rate;
            rate = [(weight.value() / total).min(1.0), ((total - weight.value()) / total).max(0.0)];
            Segment { from: rate_before, to: rate, ..*segment }
        };
        Segments::new(self.list.iter().map(spaced).collect(), self, (0.0, 1.0), self.scale.for_probabilities())
    }

    /// `Cal`, applied to the segments of a hull: the score of a segment becomes its share of class 1.
    pub(super) fn calibrated(&self) -> Segments {
        let calibrated = |segment: &Segment| {
            let [m0, m1] = segment.mass;
            let share = [m1 / (m0 + m1), m0 / (m0 + m1)];
            Segment { from: share, to: share, ..*segment }
        };
        Segments::new(self.list.iter().map(calibrated).collect(), self, (0.0, 1.0), self.scale.for_probabilities())
    }

    /// Adds to an evaluation the shape of its hull, which these segments are: whether the curve is convex, where it lies below the hull,
    /// and the constant and singular intervals.
    pub(super) fn describe(&self, evaluation: Evaluation) -> Evaluation {
        let mut intervals: Vec<ScoreInterval> = Vec::with_capacity(2 * self.list.len() + 1);
        // The singular interval between two pairs of a score and a posterior; none if they are equal.
        let jump = |start: (f64, f64), end: (f64, f64)| {
            let (tau, sigma) = ((start.0, end.0), (start.1, end.1));
            (start != end).then_some(ScoreInterval { kind: IntervalKind::Singular, tau, sigma })
        };
        let (mut score, mut posterior) = (self.range.0, 0.0);
        for segment in &self.list {
            let ([m0, m1], tau) = (segment.mass, (segment.from[0], segment.to[0]));
            let share = m1 / (m0 + m1);
            match intervals.last_mut().filter(|last| last.kind == IntervalKind::Constant && posterior == share) {
                // Collinear with the segment before.
                Some(last) => last.tau.1 = tau.1,
                None => {
                    intervals.extend(jump((score, posterior), (tau.0, share)));
                    intervals.push(ScoreInterval { kind: IntervalKind::Constant, tau, sigma: (share, share) });
                }
            }
            (score, posterior) = (tau.1, share);
        }
        intervals.extend(jump((score, posterior), (self.range.1, 1.0)));
        let bridging = self.list.iter().filter(|segment| segment.bridges);
        let non_hull: Vec<(f64, f64)> = bridging.map(|segment| (segment.from[0], segment.to[0])).collect();
        Evaluation { convex: Some(non_hull.is_empty()), gaps: non_hull, intervals, ..evaluation }
    }
}

/// Pools the ties that start in a chunk. Ties of a single class are joined first: they are collinear, and cheaper to join than to pool.
fn pool_chunk<W: Weights>(ties: &TieChain<W>, chunk: usize) -> Vec<Segment> {
    let mut hull = Vec::new();
    let mut run: Option<Segment> = None;
    ties.visit_ties(chunk, |score, mass| {
        if mass == [0.0; 2] {
            return;
        }
        match &mut run {
            Some(run) if run.is_of_one_class_with(&mass) => run.extend(score, mass),
            _ => {
                if let Some(done) = run.replace(Segment::at(score, mass)) {
                    pool(&mut hull, done);
                }
            }
        }
    });
    run.into_iter().for_each(|done| pool(&mut hull, done));
    hull
}

/// Appends a segment to a hull, and pools it with its predecessors while the share of class 1 does not grow.
pub(super) fn pool(hull: &mut Vec<Segment>, mut segment: Segment) {
    while let Some(last) = hull.last() {
        let bridges = match compare_shares(&last.mass, &segment.mass) {
            Ordering::Less => break,
            // Collinear segments are joined, unless the curve lies below one of them.
            Ordering::Equal if last.bridges || segment.bridges => break,
            Ordering::Equal => false,
            Ordering::Greater => true,
        };
        let mass = [last.mass[0] + segment.mass[0], last.mass[1] + segment.mass[1]];
        let pooled = last.pooled + segment.pooled;
        segment = Segment { from: last.from, to: segment.to, mass, pooled, bridges };
        hull.pop();
    }
    hull.push(segment);
}

/// Compares shares of class 1 by cross-multiplication. Where the rounded products agree, their rounding errors decide.
#[inline]
pub(super) fn compare_shares(one: &[f64; 2], other: &[f64; 2]) -> Ordering {
    let (a, b) = (one[1] * other[0], other[1] * one[0]);
    if a != b || a == 0.0 {
        return a.total_cmp(&b);
    }
    one[1].mul_add(other[0], -a).total_cmp(&other[1].mul_add(one[0], -b))
}

impl Chain for Segments {
    fn totals(&self) -> [f64; 2] {
        self.totals
    }

    fn range(&self) -> (f64, f64) {
        self.range
    }

    fn scale(&self) -> Scale {
        self.scale
    }

    fn chunks(&self) -> usize {
        self.weight_before.len()
    }

    fn uncertainty(&self) -> f64 {
        self.uncertainty
    }

    fn spreads(&self) -> bool {
        self.list.iter().any(|segment| segment.from != segment.to)
    }

    fn visit(&self, chunk: usize, mut visit: impl FnMut(&Link)) {
        let start = chunk * CHUNK;
        let end = self.list.len().min(start + CHUNK);
        let (low, high) = self.range;
        let mut sums = self.weight_before[chunk];
        let mut score = if start == 0 { [low, 1.0 - low] } else { self.list[start - 1].to };
        let [n0, n1] = self.totals;
        // Visits the link between two scores, given the weights before it and those on it, unless nothing moves along it.
        let mut visit_link = |from: [f64; 2], to: [f64; 2], sums: &[CompensatedSum; 2], [m0, m1]: [f64; 2]| {
            // The smaller of the score and its complement has the smaller rounding error.
            let dx = if from[0] < from[1] { to[0] - from[0] } else { from[1] - to[1] };
            let [a0, a1] = sums.map(CompensatedSum::value);
            let kind = link_kind::of([dx, m0, m1]);
            if kind > 0 {
                let after = [(n0 - a0).max(0.0), (n1 - a1).max(0.0)];
                let values = [from[0], from[1], a0.min(n0), after[0], a1.min(n1), after[1], dx.max(0.0), m0, m1];
                visit(&Link { values, kind });
            }
        };
        for segment in &self.list[start..end] {
            visit_link(score, segment.from, &sums, [0.0; 2]);
            visit_link(segment.from, segment.to, &sums, segment.mass);
            sums = [0, 1].map(|k| sums[k].plus(segment.mass[k]));
            score = segment.to;
        }
        if chunk + 1 == self.chunks() {
            visit_link(score, [high, 1.0 - high], &self.totals.map(CompensatedSum::from), [0.0; 2]);
        }
    }
}
