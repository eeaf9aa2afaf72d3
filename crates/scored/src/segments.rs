//! The hull of scored data, and what transforms make of them: a list of straight pieces.

use super::chain::{Chain, Link, Scale, TieChain, Weights};
use super::sum::CompensatedSum;
use rayon::prelude::*;
use rocproof_engine::functional::Evaluation;
use rocproof_engine::transform::{Interval, IntervalKind};
use std::cmp::Ordering;

/// How many pieces are read at once.
const CHUNK: usize = 1 << 14;

/// A tie, or a tie spread over an interval of scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// The first score and one minus it.
    pub(super) from: [f64; 2],
    /// The last score and one minus it.
    pub(super) to: [f64; 2],
    /// The weight of both classes.
    pub(super) mass: [f64; 2],
    /// How many ties or pieces it was pooled from.
    pieces: usize,
    /// Whether the ROC curve lies below it somewhere.
    bridges: bool,
}

impl Segment {
    /// A tie.
    pub(super) fn at(at: [f64; 2], mass: [f64; 2]) -> Segment {
        Segment { from: at, to: at, mass, pieces: 1, bridges: false }
    }

    /// Whether it is of one class only, and what comes next of the same.
    #[inline]
    fn is_of_one_class_with(&self, mass: &[f64; 2]) -> bool {
        self.mass[0] + mass[0] == 0.0 || self.mass[1] + mass[1] == 0.0
    }

    /// Goes on to a tie in line with it.
    #[inline]
    fn extend(&mut self, to: [f64; 2], mass: [f64; 2]) {
        self.to = to;
        self.mass = [self.mass[0] + mass[0], self.mass[1] + mass[1]];
        self.pieces += 1;
    }
}

/// Pieces with growing scores.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    pub(super) list: Vec<Segment>,
    pub(super) totals: [f64; 2],
    pub(super) range: (f64, f64),
    pub(super) scale: Scale,
    /// How far `F0` and `F1` may be off.
    uncertainty: f64,
    /// The weight of both classes before each chunk.
    reached: Vec<[CompensatedSum; 2]>,
}

impl Segments {
    fn new(list: Vec<Segment>, like: &impl Chain, range: (f64, f64), scale: Scale) -> Segments {
        let mut sums = [CompensatedSum::default(); 2];
        let reached = list.chunks(CHUNK).map(|chunk| {
            let before = sums;
            chunk.iter().for_each(|segment| sums = [0, 1].map(|k| sums[k].plus(segment.mass[k])));
            before
        });
        let reached = reached.collect();
        Segments { list, totals: like.totals(), range, scale, uncertainty: like.uncertainty(), reached }
    }

    /// The segments of the hull of the ROC curve: adjacent ties are pooled until the share of class 1 grows.
    pub(super) fn of_hull<W: Weights>(ties: &TieChain<W>) -> Segments {
        let pools: Vec<Vec<Segment>> = (0..ties.chunks())
            .into_par_iter()
            .map(|chunk| {
                let mut pools = Vec::new();
                let mut run: Option<Segment> = None;
                ties.visit_ties(chunk, |at, mass| {
                    if mass == [0.0; 2] {
                        return;
                    }
                    match &mut run {
                        // Ties of one class alone are in line.
                        Some(run) if run.is_of_one_class_with(&mass) => run.extend(at, mass),
                        _ => {
                            if let Some(done) = run.replace(Segment::at(at, mass)) {
                                pool(&mut pools, done);
                            }
                        }
                    }
                });
                run.into_iter().for_each(|done| pool(&mut pools, done));
                pools
            })
            .collect();
        // What is pooled in a part is pooled in the whole.
        let mut hull: Vec<Segment> = Vec::new();
        pools.into_iter().flatten().for_each(|segment| pool(&mut hull, segment));
        Segments::new(hull, ties, ties.range(), ties.scale())
    }

    /// The ties as they are.
    pub(super) fn of_ties<W: Weights>(ties: &TieChain<W>) -> Segments {
        let mut list = Vec::new();
        for chunk in 0..ties.chunks() {
            ties.visit_ties(chunk, |at, mass| list.push(Segment::at(at, mass)));
        }
        Segments::new(list, ties, ties.range(), ties.scale())
    }

    /// The segments of the hull.
    pub(super) fn pooled(&self) -> Segments {
        let mut hull = Vec::new();
        self.list.iter().for_each(|piece| pool(&mut hull, Segment { pieces: 1, bridges: false, ..*piece }));
        Segments::new(hull, self, self.range, self.scale)
    }

    /// `Conv`: what lies below the hull is pooled, and spread over its scores.
    pub(super) fn convexified(&self) -> Segments {
        let mut pieces = self.list.iter();
        let mut list = Vec::new();
        for segment in self.pooled().list {
            let of_segment = pieces.by_ref().take(segment.pieces);
            match segment.bridges {
                true => {
                    of_segment.for_each(drop);
                    list.push(segment);
                }
                false => list.extend(of_segment),
            }
        }
        Segments::new(list, self, self.range, self.scale)
    }

    /// `Even`: each score becomes the predicted positive rate, along a tie as well.
    pub(super) fn evenly_spaced(&self) -> Segments {
        let total: f64 = self.totals.iter().sum();
        let mut reached = CompensatedSum::default();
        let mut at = [0.0, 1.0];
        let spaced = |segment: &Segment| {
            reached = reached.plus(segment.mass[0] + segment.mass[1]);
            let rate = (reached.value() / total).min(1.0);
            let from = std::mem::replace(&mut at, [rate, ((total - reached.value()) / total).max(0.0)]);
            Segment { from, to: at, ..*segment }
        };
        Segments::new(self.list.iter().map(spaced).collect(), self, (0.0, 1.0), self.scale.of_probabilities())
    }

    /// `Cal` of a hull: each score becomes the share of class 1.
    pub(super) fn calibrated(&self) -> Segments {
        let calibrated = |segment: &Segment| {
            let [m0, m1] = segment.mass;
            let share = [m1 / (m0 + m1), m0 / (m0 + m1)];
            Segment { from: share, to: share, ..*segment }
        };
        Segments::new(self.list.iter().map(calibrated).collect(), self, (0.0, 1.0), self.scale.of_probabilities())
    }
}

impl Segments {
    /// An evaluation with what these segments, those of the hull, say of its shape.
    pub(super) fn describe(&self, evaluation: Evaluation) -> Evaluation {
        let mut intervals: Vec<Interval> = Vec::with_capacity(2 * self.list.len() + 1);
        let jump = |from: (f64, f64), to: (f64, f64)| {
            let (tau, sigma) = ((from.0, to.0), (from.1, to.1));
            (from != to).then_some(Interval { kind: IntervalKind::Singular, tau, sigma })
        };
        let (mut x, mut c) = (self.range.0, 0.0);
        for segment in &self.list {
            let ([m0, m1], tau) = (segment.mass, (segment.from[0], segment.to[0]));
            let share = m1 / (m0 + m1);
            match intervals.last_mut().filter(|last| last.kind == IntervalKind::Constant && c == share) {
                // In line with the one before.
                Some(last) => last.tau.1 = tau.1,
                None => {
                    intervals.extend(jump((x, c), (tau.0, share)));
                    intervals.push(Interval { kind: IntervalKind::Constant, tau, sigma: (share, share) });
                }
            }
            (x, c) = (tau.1, share);
        }
        intervals.extend(jump((x, c), (self.range.1, 1.0)));
        let bridging = self.list.iter().filter(|segment| segment.bridges);
        let gaps: Vec<(f64, f64)> = bridging.map(|segment| (segment.from[0], segment.to[0])).collect();
        Evaluation { convex: Some(gaps.is_empty()), gaps, intervals, ..evaluation }
    }
}

/// Adds a segment to a hull.
pub(super) fn pool(hull: &mut Vec<Segment>, mut segment: Segment) {
    while let Some(last) = hull.last() {
        let bridges = match compare_shares(&last.mass, &segment.mass) {
            Ordering::Less => break,
            // In line: one piece, unless the curve lies below one of them.
            Ordering::Equal if last.bridges || segment.bridges => break,
            Ordering::Equal => false,
            Ordering::Greater => true,
        };
        let mass = [last.mass[0] + segment.mass[0], last.mass[1] + segment.mass[1]];
        let pieces = last.pieces + segment.pieces;
        segment = Segment { from: last.from, to: segment.to, mass, pieces, bridges };
        hull.pop();
    }
    hull.push(segment);
}

/// The order of the shares of class 1. Products of weights are compared with what rounding took off them.
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
        self.reached.len()
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
        let mut sums = self.reached[chunk];
        let mut at = if start == 0 { [low, 1.0 - low] } else { self.list[start - 1].to };
        let [n0, n1] = self.totals;
        let mut step = |at: [f64; 2], to: [f64; 2], sums: &[CompensatedSum; 2], [m0, m1]: [f64; 2]| {
            let dx = if at[0] < at[1] { to[0] - at[0] } else { at[1] - to[1] };
            let [a0, a1] = sums.map(CompensatedSum::value);
            let kind = usize::from(dx > 0.0) | usize::from(m0 > 0.0) << 1 | usize::from(m1 > 0.0) << 2;
            if kind > 0 {
                let left = [(n0 - a0).max(0.0), (n1 - a1).max(0.0)];
                let values = [at[0], at[1], a0.min(n0), left[0], a1.min(n1), left[1], dx.max(0.0), m0, m1];
                visit(&Link { values, kind });
            }
        };
        for segment in &self.list[start..end] {
            step(at, segment.from, &sums, [0.0; 2]);
            step(segment.from, segment.to, &sums, segment.mass);
            sums = [0, 1].map(|k| sums[k].plus(segment.mass[k]));
            at = segment.to;
        }
        if chunk + 1 == self.chunks() {
            step(at, [high, 1.0 - high], &self.totals.map(CompensatedSum::from), [0.0; 2]);
        }
    }
}
