//! A curve as a chain of straight links, in chunks that can be visited independently.

use super::keys::Keys;
use super::polynomial::VARIABLES;
use super::sum::CompensatedSum;
use rayon::prelude::*;
use rocproof_engine::calculus::panel::Point;
use std::borrow::Cow;
use std::ops::Range;

/// Rows in a chunk. The cumulative weight before each chunk is stored, so that chunks can be visited in parallel.
pub(super) const CHUNK: usize = 1 << 14;

/// Error bound of a distribution function computed by a compensated sum of weights.
const SUM_ERROR: f64 = 4.0 * f64::EPSILON;

/// A straight link of the chain: a gap, a tie, or a tie spread over an interval of scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// `[x, 1-x, a0, b0, a1, b1, dx, m0, m1]`: the score at the start, the weight of each class before (`a`) and after (`b`) the start,
    /// and the increments of the score and of both weights. The variables of [`super::polynomial`], in the same order.
    pub(super) values: [f64; VARIABLES],
    /// The increments that are not zero, as bits of [`link_kind`].
    pub(super) kind: usize,
}

/// The bits of [`Link::kind`]. Bit `k` says that the `k`-th increment, of the score, of class 0 or of class 1, is not zero.
pub(super) mod link_kind {
    /// The score moves.
    pub(crate) const SCORE: usize = 1;
    /// There is weight of class 0.
    pub(crate) const CLASS_0: usize = 1 << 1;
    /// There is weight of class 1.
    pub(crate) const CLASS_1: usize = 1 << 2;

    /// The kind of a link with these increments of the score, of class 0 and of class 1.
    #[inline]
    pub(crate) fn of([dx, m0, m1]: [f64; 3]) -> usize {
        let bit = |increment: f64, bit: usize| if increment > 0.0 { bit } else { 0 };
        bit(dx, SCORE) | bit(m0, CLASS_0) | bit(m1, CLASS_1)
    }
}

impl Link {
    /// Whether any weight lies on the link.
    pub(super) fn has_mass(&self) -> bool {
        self.kind & !link_kind::SCORE != 0
    }

    /// `dx`, `dF0` and `dF1` along the link.
    pub(super) fn increments(&self, totals: [f64; 2]) -> [f64; 3] {
        let [.., dx, m0, m1] = self.values;
        [dx, m0 / totals[0], m1 / totals[1]]
    }

    /// The start and the end of the link.
    pub(super) fn ends(&self, totals: [f64; 2]) -> (Point, Point) {
        let [x, x_complement, a0, b0, a1, b1, dx, m0, m1] = self.values;
        let point = |x: f64, x_complement: f64, before: [f64; 2], after: [f64; 2]| Point {
            x,
            x_complement,
            below: [0, 1].map(|k| (before[k] / totals[k]).min(1.0)),
            above: [0, 1].map(|k| (after[k] / totals[k]).max(0.0)),
        };
        let start = point(x, x_complement, [a0, a1], [b0, b1]);
        (start, point(x + dx, x_complement - dx, [a0 + m0, a1 + m1], [b0 - m0, b1 - m1]))
    }
}

/// A chain of links from the lowest to the highest score.
pub(super) trait Chain: Sync {
    /// The total weight of each class.
    fn totals(&self) -> [f64; 2];
    /// The range of the scores: [0, 1] if they all lie in it, otherwise from the smallest to the largest.
    fn range(&self) -> (f64, f64);
    /// The number of chunks.
    fn chunks(&self) -> usize;
    /// Error bound of `F0` and `F1`: 0 if weights are whole numbers.
    fn uncertainty(&self) -> f64;
    /// Whether a link may move in score and in weight at once.
    fn spreads(&self) -> bool {
        false
    }
    /// Visits the links of a chunk in order.
    fn visit(&self, chunk: usize, visit: impl FnMut(&Link));
    /// The relation of scores on the curve to input scores.
    fn scale(&self) -> Scale;
    /// A chunk at or before the last point with a sort key of at most that of the input score `t`, from which the search for it starts. The
    /// default, the first chunk, is always right, but slow.
    fn chunk_of_score(&self, _t: f64) -> usize {
        0
    }
    /// A chunk at or before the point where `π0 F0 + π1 F1 = r`, from which the search for it starts. The default, the first chunk, is always
    /// right, but slow.
    fn chunk_of_rate(&self, _r: f64, _pi0: f64) -> usize {
        0
    }

    /// The sort keys of two points of the curve and of the input score `t`.
    fn sort_keys(&self, points: [&Point; 2], t: f64) -> [f64; 3] {
        let [start, end] = points.map(|point| self.scale().sort_key(point));
        [start, end, self.scale().sort_key_of_input(t)]
    }

    /// The first point of the chain.
    fn start(&self) -> Point {
        let (x, _) = self.range();
        Point { x, x_complement: 1.0 - x, below: [0.0; 2], above: [1.0; 2] }
    }
}

/// Sorted rows with their weights, as a chain of ties and gaps.
pub(super) struct TieChain<'a, W> {
    pub(super) keys: &'a Keys,
    /// The weights of the rows.
    pub(super) weights: W,
    /// The weight of each class before each chunk.
    pub(super) weight_before: Cow<'a, [[f64; 2]]>,
    pub(super) totals: [f64; 2],
    pub(super) range: (f64, f64),
    pub(super) scale: Scale,
}

/// The relation of the score `x` on the curve, its sort key `k` and the input score `s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// `x = k = s`.
    Input,
    /// `x = k = -s`.
    Negated,
    /// `x = 1 - s`, `k = -s`. The key keeps scores apart that are so close that `1 - s` rounds them to one float.
    OneMinus,
}

impl Scale {
    /// The score on the curve and one minus it, from the sort key.
    #[inline]
    pub(super) fn curve_score(self, key: f64) -> [f64; 2] {
        if self == Scale::OneMinus { [1.0 + key, -key] } else { [key, 1.0 - key] }
    }

    /// The sort key of a point of the curve.
    fn sort_key(self, point: &Point) -> f64 {
        if self == Scale::OneMinus { -point.x_complement } else { point.x }
    }

    /// The sort key of an input score.
    pub(super) fn sort_key_of_input(self, s: f64) -> f64 {
        if self == Scale::Input { s } else { -s }
    }

    /// The scale after a transform has turned scores into probabilities.
    pub(super) fn for_probabilities(self) -> Scale {
        if self == Scale::Negated { Scale::OneMinus } else { self }
    }

    /// The distance between two scores, each given with one minus it.
    #[inline]
    pub(super) fn distance(self, [x, x_complement]: [f64; 2], [to, to_complement]: [f64; 2]) -> f64 {
        if self == Scale::OneMinus { x_complement - to_complement } else { to - x }
    }
}

/// The weights of sorted rows.
pub(super) trait Weights: Sync {
    /// Whether all weights are whole numbers, whose sums are exact.
    const WHOLE: bool;
    /// The weight of a row.
    fn of(&self, row: usize) -> f64;
    /// The total weight of a range of rows.
    #[inline]
    fn total(&self, rows: Range<usize>) -> f64 {
        rows.fold(CompensatedSum::default(), |sum, row| sum.plus(self.of(row))).value()
    }
    /// The total weight of each class in a range of rows.
    fn totals_by_class(&self, keys: &Keys, rows: Range<usize>) -> [CompensatedSum; 2] {
        if Self::WHOLE {
            // Sums of whole numbers are exact without compensation; the products avoid a branch on the class.
            let sums = rows.fold([0.0; 2], |[s0, s1]: [f64; 2], row| {
                let (weight, class) = (self.of(row), keys.class(row) as f64);
                [s0 + (1.0 - class) * weight, s1 + class * weight]
            });
            return sums.map(CompensatedSum::from);
        }
        rows.fold([CompensatedSum::default(); 2], |mut sums, row| {
            let class = keys.class(row);
            sums[class] = sums[class].plus(self.of(row));
            sums
        })
    }
}

/// Every row has weight 1.
pub(super) struct UnitWeights;

impl Weights for UnitWeights {
    const WHOLE: bool = true;
    #[inline]
    fn of(&self, _: usize) -> f64 {
        1.0
    }
    #[inline]
    fn total(&self, rows: Range<usize>) -> f64 {
        rows.len() as f64
    }
    fn totals_by_class(&self, keys: &Keys, rows: Range<usize>) -> [CompensatedSum; 2] {
        let class_1_count = keys.count_class_1(rows.clone());
        [rows.len() - class_1_count, class_1_count].map(|count| CompensatedSum::from(count as f64))
    }
}

/// A weight for each row. `WHOLE` may be true only if all of them are whole numbers.
pub(super) struct RowWeights<'a, const WHOLE: bool>(pub(super) &'a [f64]);

impl<const WHOLE: bool> Weights for RowWeights<'_, WHOLE> {
    const WHOLE: bool = WHOLE;
    #[inline]
    fn of(&self, row: usize) -> f64 {
        self.0[row]
    }
}

/// The weight of each class before each chunk of rows, and the total weight of each class.
pub(super) fn cumulative_weights<W: Weights>(keys: &Keys, weights: &W) -> (Vec<[f64; 2]>, [f64; 2]) {
    let chunks = (0..keys.len()).into_par_iter().step_by(CHUNK);
    let chunk_sums: Vec<[CompensatedSum; 2]> =
        chunks.map(|start| weights.totals_by_class(keys, start..keys.len().min(start + CHUNK))).collect();
    let mut sums = [CompensatedSum::default(); 2];
    let before_chunk = |chunk_sum: [CompensatedSum; 2]| {
        let before = sums.map(CompensatedSum::value);
        sums = [0, 1].map(|k| sums[k].plus_sum(chunk_sum[k]));
        before
    };
    let weight_before = chunk_sums.into_iter().map(before_chunk).collect();
    (weight_before, sums.map(CompensatedSum::value))
}

impl<W: Weights> TieChain<'_, W> {
    /// The score of a row on the curve, and one minus it.
    #[inline]
    fn score(&self, row: usize) -> [f64; 2] {
        self.scale.curve_score(self.keys.score(row))
    }

    /// Visits the ties that start in a chunk: the score with one minus it, and the weight of each class.
    #[inline]
    pub(super) fn visit_ties(&self, chunk: usize, mut visit: impl FnMut([f64; 2], [f64; 2])) {
        let (rows, _) = self.own_rows(chunk);
        let mut row = rows.start;
        while row < rows.end {
            let mass = self.next_tie(&mut row);
            visit(self.score(row - 1), mass);
        }
    }

    /// The weights of the tie that starts at `row`; moves `row` to the start of the next tie.
    #[inline]
    fn next_tie(&self, row: &mut usize) -> [f64; 2] {
        let rows_of_classes = self.keys.tie(*row);
        *row = rows_of_classes[1].end;
        rows_of_classes.map(|rows| self.weights.total(rows))
    }

    /// The rows of the ties that start in a chunk, up to its end, and the weights before them.
    fn own_rows(&self, chunk: usize) -> (Range<usize>, [CompensatedSum; 2]) {
        let mut start = chunk * CHUNK;
        let end = self.keys.len().min(start + CHUNK);
        let mut sums = self.weight_before[chunk].map(CompensatedSum::from);
        // Skip the rest of a tie that started in the chunk before.
        while start > 0 && start < end && self.keys.is_tied_with_next(start - 1) {
            let class = self.keys.class(start);
            sums[class] = sums[class].plus(self.weights.of(start));
            start += 1;
        }
        (start..end, sums)
    }
}

impl<W: Weights> Chain for TieChain<'_, W> {
    fn totals(&self) -> [f64; 2] {
        self.totals
    }

    fn range(&self) -> (f64, f64) {
        self.range
    }

    fn chunks(&self) -> usize {
        self.weight_before.len()
    }

    #[inline]
    fn visit(&self, chunk: usize, mut visit: impl FnMut(&Link)) {
        let (rows, mut sums) = self.own_rows(chunk);
        let (low, high) = self.range;
        let mut row = rows.start;
        let [mut x, mut x_complement] = match row {
            0 => [low, 1.0 - low],
            _ => self.score(row - 1),
        };
        // The weight of each class before the link: `a0` and `a1` of `Link::values`.
        let mut before = sums.map(CompensatedSum::value);
        let [n0, n1] = self.totals;
        while row < rows.end {
            let mass = self.next_tie(&mut row);
            let tie_score = self.score(row - 1);
            let dx = self.scale.distance([x, x_complement], tie_score);
            let [a0, a1] = before;
            let (b0, b1) = ((n0 - a0).max(0.0), (n1 - a1).max(0.0));
            if dx > 0.0 {
                visit(&Link { values: [x, x_complement, a0, b0, a1, b1, dx, 0.0, 0.0], kind: link_kind::SCORE });
            }
            [x, x_complement] = tie_score;
            let kind = link_kind::of([0.0, mass[0], mass[1]]);
            if kind > 0 {
                visit(&Link { values: [x, x_complement, a0, b0, a1, b1, 0.0, mass[0], mass[1]], kind });
            }
            if W::WHOLE {
                before = [a0 + mass[0], a1 + mass[1]];
            } else {
                sums = [sums[0].plus(mass[0]), sums[1].plus(mass[1])];
                before = [sums[0].value().min(n0), sums[1].value().min(n1)];
            }
        }
        if chunk + 1 == self.chunks() {
            let dx = self.scale.distance([x, x_complement], [high, 1.0 - high]);
            if dx > 0.0 {
                visit(&Link { values: [x, x_complement, n0, 0.0, n1, 0.0, dx, 0.0, 0.0], kind: link_kind::SCORE });
            }
        }
    }

    fn scale(&self) -> Scale {
        self.scale
    }

    fn uncertainty(&self) -> f64 {
        if W::WHOLE { 0.0 } else { SUM_ERROR }
    }

    fn chunk_of_score(&self, t: f64) -> usize {
        let rows_up_to = self.keys.count_up_to(self.scale.sort_key_of_input(t));
        rows_up_to.checked_sub(1).map_or(0, |last| self.keys.first_tied_with(last) / CHUNK)
    }

    fn chunk_of_rate(&self, r: f64, pi0: f64) -> usize {
        let [n0, n1] = self.totals;
        let rate = |before: &[f64; 2]| pi0 * (before[0] / n0) + (1.0 - pi0) * (before[1] / n1);
        let chunk = self.weight_before.partition_point(|before| rate(before) < r).saturating_sub(1);
        self.keys.first_tied_with(chunk * CHUNK) / CHUNK
    }
}
