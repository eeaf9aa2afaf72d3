//! A curve as a chain of straight links, in chunks that can be read by themselves.

use super::keys::Keys;
use super::polynomial::VARIABLES;
use super::sum::CompensatedSum;
use rayon::prelude::*;
use rocproof_engine::calculus::panel::Point;
use std::borrow::Cow;
use std::ops::Range;

/// How many rows are read at once; what is reached before each is kept.
pub(super) const CHUNK: usize = 1 << 14;

/// What summing weights may do to a distribution function.
const SUMMED: f64 = 4.0 * f64::EPSILON;

/// A straight piece of curve: a gap, a tie, or a tie that is spread out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// What it is given by, in the order of [`super::polynomial`].
    pub(super) values: [f64; VARIABLES],
    /// Which of these move: bit 0 for the score, bits 1 and 2 for the classes.
    pub(super) kind: usize,
}

impl Link {
    /// Whether any weight lies on it.
    pub(super) fn has_mass(&self) -> bool {
        self.kind > 1
    }

    /// How far the score and the shares of the classes move.
    pub(super) fn way(&self, totals: [f64; 2]) -> [f64; 3] {
        let [.., dx, m0, m1] = self.values;
        [dx, m0 / totals[0], m1 / totals[1]]
    }

    /// Its start and its end.
    pub(super) fn ends(&self, totals: [f64; 2]) -> (Point, Point) {
        let [x, x_complement, a0, b0, a1, b1, dx, m0, m1] = self.values;
        let point = |x: f64, x_complement: f64, reached: [f64; 2], left: [f64; 2]| Point {
            x,
            x_complement,
            below: [0, 1].map(|k| (reached[k] / totals[k]).min(1.0)),
            above: [0, 1].map(|k| (left[k] / totals[k]).max(0.0)),
        };
        let start = point(x, x_complement, [a0, a1], [b0, b1]);
        (start, point(x + dx, x_complement - dx, [a0 + m0, a1 + m1], [b0 - m0, b1 - m1]))
    }
}

/// A chain of links.
pub(super) trait Chain: Sync {
    /// The weight of both classes.
    fn totals(&self) -> [f64; 2];
    /// The scale of the scores: [0, 1] if they all lie in it.
    fn range(&self) -> (f64, f64);
    /// How many chunks there are.
    fn chunks(&self) -> usize;
    /// How far `F0` and `F1` may be off, by sums of weights that are not whole.
    fn uncertainty(&self) -> f64;
    /// Whether ties may be spread over scores.
    fn spreads(&self) -> bool {
        false
    }
    /// Goes along a chunk.
    fn visit(&self, chunk: usize, visit: impl FnMut(&Link));
    /// How scores are told.
    fn scale(&self) -> Scale;
    /// The first chunk that may hold the last point whose score is on the lower side of `t`, which is on the scale of what was given.
    fn chunk_of_score(&self, _t: f64) -> usize {
        0
    }
    /// The first chunk that may hold the point where `π0 F0 + π1 F1` is `r`.
    fn chunk_of_rate(&self, _r: f64, _pi0: f64) -> usize {
        0
    }

    /// What is told of two points and of a threshold.
    fn told(&self, points: [&Point; 2], t: f64) -> [f64; 3] {
        let [start, end] = points.map(|point| self.scale().told(point));
        [start, end, self.scale().told_of_given(t)]
    }

    /// Where the chain starts.
    fn start(&self) -> Point {
        let (x, _) = self.range();
        Point { x, x_complement: 1.0 - x, below: [0.0; 2], above: [1.0; 2] }
    }
}

/// The ties and gaps of rows, each with a weight.
pub(super) struct TieChain<'a, W> {
    pub(super) keys: &'a Keys,
    /// What a row weighs.
    pub(super) weight: W,
    /// The weight of both classes before each chunk.
    pub(super) reached: Cow<'a, [[f64; 2]]>,
    pub(super) totals: [f64; 2],
    pub(super) range: (f64, f64),
    pub(super) scale: Scale,
}

/// What a key or a threshold tells of a score `x` inside, and of the score `s` that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// `x = s`.
    AsGiven,
    /// `x = -s`.
    Negated,
    /// `x = 1 - s`; what is told is `-s`, so that scores near 1 are told apart as well as those near 0.
    FromOne,
}

impl Scale {
    /// A score and one minus it, given what is told.
    #[inline]
    pub(super) fn place(self, told: f64) -> [f64; 2] {
        if self == Scale::FromOne { [1.0 + told, -told] } else { [told, 1.0 - told] }
    }

    /// What is told of a point.
    fn told(self, point: &Point) -> f64 {
        if self == Scale::FromOne { -point.x_complement } else { point.x }
    }

    /// What would be told of a score that was given.
    pub(super) fn told_of_given(self, s: f64) -> f64 {
        if self == Scale::AsGiven { s } else { -s }
    }

    /// How probabilities are told that scores were turned into.
    pub(super) fn of_probabilities(self) -> Scale {
        if self == Scale::Negated { Scale::FromOne } else { self }
    }

    /// How far it is from one score to another.
    #[inline]
    pub(super) fn distance(self, from: [f64; 2], to: [f64; 2]) -> f64 {
        if self == Scale::FromOne { from[1] - to[1] } else { to[0] - from[0] }
    }
}

/// Weights of rows.
pub(super) trait Weights: Sync {
    /// What a row weighs.
    fn of(&self, row: usize) -> f64;
    /// What rows weigh together.
    #[inline]
    fn of_all(&self, rows: Range<usize>) -> f64 {
        rows.fold(CompensatedSum::default(), |sum, row| sum.plus(self.of(row))).value()
    }
    /// What rows of both classes weigh.
    fn of_classes(&self, keys: &Keys, rows: Range<usize>) -> [CompensatedSum; 2] {
        if Self::WHOLE {
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
    /// Whether sums of them are whole numbers, and so exact.
    const WHOLE: bool;
}

/// Every row weighs 1.
pub(super) struct UnitWeights;

impl Weights for UnitWeights {
    #[inline]
    fn of(&self, _: usize) -> f64 {
        1.0
    }
    #[inline]
    fn of_all(&self, rows: Range<usize>) -> f64 {
        rows.len() as f64
    }
    fn of_classes(&self, keys: &Keys, rows: Range<usize>) -> [CompensatedSum; 2] {
        let ones = keys.of_class_1(rows.clone());
        [rows.len() - ones, ones].map(|count| CompensatedSum::from(count as f64))
    }
    const WHOLE: bool = true;
}

/// Every row has its weight; whole numbers or not.
pub(super) struct RowWeights<'a, const WHOLE: bool>(pub(super) &'a [f64]);

impl<const WHOLE: bool> Weights for RowWeights<'_, WHOLE> {
    #[inline]
    fn of(&self, row: usize) -> f64 {
        self.0[row]
    }
    const WHOLE: bool = WHOLE;
}

/// The weight of both classes before each chunk of rows, and in all.
pub(super) fn reached<W: Weights>(keys: &Keys, weights: &W) -> (Vec<[f64; 2]>, [f64; 2]) {
    let chunks = (0..keys.len()).into_par_iter().step_by(CHUNK);
    let of_chunks: Vec<[CompensatedSum; 2]> =
        chunks.map(|start| weights.of_classes(keys, start..keys.len().min(start + CHUNK))).collect();
    let mut sums = [CompensatedSum::default(); 2];
    let before = of_chunks.into_iter().map(|of_chunk| {
        let before = sums.map(CompensatedSum::value);
        sums = [0, 1].map(|k| sums[k].and(of_chunk[k]));
        before
    });
    let before = before.collect();
    (before, sums.map(CompensatedSum::value))
}

impl<W: Weights> TieChain<'_, W> {
    /// The score of a row and one minus it.
    #[inline]
    fn score(&self, row: usize) -> [f64; 2] {
        self.scale.place(self.keys.score(row))
    }

    /// Goes along the ties of a chunk: the score, one minus it, and the weights.
    #[inline]
    pub(super) fn visit_ties(&self, chunk: usize, mut visit: impl FnMut([f64; 2], [f64; 2])) {
        let (rows, _) = self.own_rows(chunk);
        let mut row = rows.start;
        while row < rows.end {
            let mass = self.tie(&mut row);
            visit(self.score(row - 1), mass);
        }
    }

    /// The weights of the tie that starts at a row; goes to the next.
    #[inline]
    fn tie(&self, row: &mut usize) -> [f64; 2] {
        let parts = self.keys.tie(*row);
        *row = parts[1].end;
        parts.map(|rows| self.weight.of_all(rows))
    }

    /// The rows of ties that start in a chunk, and what is reached before them.
    fn own_rows(&self, chunk: usize) -> (Range<usize>, [CompensatedSum; 2]) {
        let mut start = chunk * CHUNK;
        let end = self.keys.len().min(start + CHUNK);
        let mut sums = self.reached[chunk].map(CompensatedSum::from);
        // The end of a tie that started before.
        while start > 0 && start < end && self.keys.is_tied_with_next(start - 1) {
            let class = self.keys.class(start);
            sums[class] = sums[class].plus(self.weight.of(start));
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
        self.reached.len()
    }

    #[inline]
    fn visit(&self, chunk: usize, mut visit: impl FnMut(&Link)) {
        let (rows, mut sums) = self.own_rows(chunk);
        let (low, high) = self.range;
        let mut row = rows.start;
        let [mut x, mut y] = match row {
            0 => [low, 1.0 - low],
            _ => self.score(row - 1),
        };
        let mut a = sums.map(CompensatedSum::value);
        let [n0, n1] = self.totals;
        while row < rows.end {
            let mass = self.tie(&mut row);
            let to = self.score(row - 1);
            let dx = self.scale.distance([x, y], to);
            let [a0, a1] = a;
            let (b0, b1) = ((n0 - a0).max(0.0), (n1 - a1).max(0.0));
            if dx > 0.0 {
                visit(&Link { values: [x, y, a0, b0, a1, b1, dx, 0.0, 0.0], kind: 1 });
            }
            [x, y] = to;
            let kind = usize::from(mass[0] > 0.0) << 1 | usize::from(mass[1] > 0.0) << 2;
            if kind > 0 {
                visit(&Link { values: [x, y, a0, b0, a1, b1, 0.0, mass[0], mass[1]], kind });
            }
            if W::WHOLE {
                a = [a0 + mass[0], a1 + mass[1]];
            } else {
                sums = [sums[0].plus(mass[0]), sums[1].plus(mass[1])];
                a = [sums[0].value().min(n0), sums[1].value().min(n1)];
            }
        }
        if chunk + 1 == self.chunks() {
            let dx = self.scale.distance([x, y], [high, 1.0 - high]);
            if dx > 0.0 {
                visit(&Link { values: [x, y, n0, 0.0, n1, 0.0, dx, 0.0, 0.0], kind: 1 });
            }
        }
    }

    fn scale(&self) -> Scale {
        self.scale
    }

    fn uncertainty(&self) -> f64 {
        if W::WHOLE { 0.0 } else { SUMMED }
    }

    fn chunk_of_score(&self, t: f64) -> usize {
        self.keys
            .up_to(self.scale.told_of_given(t))
            .checked_sub(1)
            .map_or(0, |row| self.keys.first_tied_with(row) / CHUNK)
    }

    fn chunk_of_rate(&self, r: f64, pi0: f64) -> usize {
        let [n0, n1] = self.totals;
        let rate = |reached: &[f64; 2]| pi0 * (reached[0] / n0) + (1.0 - pi0) * (reached[1] / n1);
        let chunk = self.reached.partition_point(|reached| rate(reached) < r).saturating_sub(1);
        self.keys.first_tied_with(chunk * CHUNK) / CHUNK
    }
}
