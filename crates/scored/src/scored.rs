//! The scores of both classes, sorted.

use super::builder::ScoredBuilder;
use super::chain::{RowWeights, Scale, TieChain, UnitWeights, Weights, cumulative_weights};
use super::keys::{Keys, pack};
use super::reading::evaluate_chain;
use super::segments::Segments;
use rayon::prelude::*;
use rocproof_arith::rational::{Rational, from_f64};
use rocproof_engine::functional::{Cost, Evaluation, Thresholds};
use rocproof_engine::model::Transform;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

/// Scores with their classes, sorted. Equal scores are ties; nearly equal scores are not.
///
/// ```
/// use rocproof_scored::Scored;
/// let data = Scored::from_rows(&[0.1, 0.4, 0.4, 0.8], &[false, true, false, true], None).unwrap();
/// let ties: Vec<_> = data.ties().map(|tie| (tie.x, tie.mass)).collect();
/// assert_eq!(ties, [(0.1, [1.0, 0.0]), (0.4, [1.0, 1.0]), (0.8, [0.0, 1.0])]);
/// ```
#[derive(Clone, Debug)]
pub struct Scored {
    keys: Keys,
    /// The weights of the sorted rows; `None` if all are 1.
    weights: Option<Vec<f64>>,
    /// Whether all weights are whole numbers whose sums are exact.
    whole: bool,
    /// The weight of each class before each chunk of rows.
    weight_before: Vec<[f64; 2]>,
    /// The total weight of each class.
    totals: [f64; 2],
    /// The range of the scores on the curve: [0, 1] if they all lie in it.
    range: (f64, f64),
    scale: Scale,
}

/// Sums of whole numbers below this are exact in floating point.
const EXACT_SUMS: f64 = 9e15;

/// Evaluates an expression with the data as a [`TieChain`], whose type depends on the kind of weights.
macro_rules! with_tie_chain {
    ($data:expr, |$chain:ident| $result:expr) => {
        match &$data.weights {
            None => {
                let $chain = $data.tie_chain(UnitWeights);
                $result
            }
            Some(weights) if $data.whole => {
                let $chain = $data.tie_chain(RowWeights::<true>(weights));
                $result
            }
            Some(weights) => {
                let $chain = $data.tie_chain(RowWeights::<false>(weights));
                $result
            }
        }
    };
}

/// Admissible total weight of a class: products of a few totals neither overflow nor underflow.
const TOTALS: RangeInclusive<f64> = 1e-50..=1e50;

/// Class 0 and class 1 in words.
const CLASSES: [&str; 2] = ["positive", "negative"];

/// Why rows are not scored data. Rows are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BadScore {
    /// There are not as many labels or weights as scores.
    #[error("there must be one label, and one weight if any, for each score")]
    Ragged,
    /// The score in this row is not a finite number.
    #[error("the score in row {0} is {1}; scores are finite numbers")]
    Score(usize, f64),
    /// The weight in this row is negative or not a finite number.
    #[error("the weight in row {0} is {1}; weights are finite and not negative")]
    Weight(usize, f64),
    /// No row of this class has a positive weight.
    #[error("no row of the {class} class has any weight: both classes are needed", class = CLASSES[*.0])]
    OneClass(usize),
    /// There are more rows than [`super::Paired`] can number.
    #[error("there are {0} rows: those of several models can be paired up to 4294967295")]
    TooMany(usize),
    /// The total weight of this class is too large or too small for products of weights.
    #[error(
        "the weights of the {class} class add up to {1:e}, not between {least:e} and {most:e}; \
         only their ratios matter: multiply them all by a number",
        class = CLASSES[*.0], least = TOTALS.start(), most = TOTALS.end()
    )]
    Total(usize, f64),
}

/// All rows with one score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// The score.
    pub x: f64,
    /// The weight of class 0 and of class 1.
    pub mass: [f64; 2],
}

/// The class that higher scores indicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreDirection {
    /// Scores grow with the probability of class 1.
    #[default]
    TowardClass1,
    /// Scores grow with the probability of class 0, and are reversed.
    ///
    /// On the curve a score `s` becomes `1 - s` if all scores lie in [0, 1], or all in [-1, 0] (not probabilities), and `-s` otherwise.
    /// Different scores stay different, even if `1 - s` rounds them to one float.
    TowardClass0,
}

impl ScoreDirection {
    /// The number by which an input score is sorted.
    pub(super) fn sort_key(self, score: f64) -> f64 {
        if self == ScoreDirection::TowardClass0 { -score } else { score }
    }
}

/// Refuses totals of which one is zero or out of range.
pub(super) fn check_totals(totals: [f64; 2]) -> Result<(), BadScore> {
    for (class, total) in totals.into_iter().enumerate() {
        if total == 0.0 {
            return Err(BadScore::OneClass(class));
        }
        if !TOTALS.contains(&total) {
            return Err(BadScore::Total(class, total));
        }
    }
    Ok(())
}

/// The scale and the range of the scores on the curve, from the smallest and the largest sort key.
pub(super) fn scale_of_keys(is_reversed: bool, first: f64, last: f64) -> (Scale, (f64, f64)) {
    match (is_reversed, first, last) {
        (false, 0.0.., ..=1.0) => (Scale::Input, (0.0, 1.0)),
        (true, -1.0.., ..=0.0) => (Scale::OneMinus, (0.0, 1.0)),
        // Input scores in [-1, 0] are not probabilities, although their negatives lie in [0, 1].
        (true, 0.0.., ..=1.0) => (Scale::OneMinus, (1.0 + first, 1.0 + last)),
        (false, ..) => (Scale::Input, (first, last)),
        (true, ..) => (Scale::Negated, (first, last)),
    }
}

impl Scored {
    /// Sorts rows: a score that grows with class 1, whether the row is of class 1, and a weight if there are weights.
    pub fn from_rows(scores: &[f64], is_class_1: &[bool], weights: Option<&[f64]>) -> Result<Scored, BadScore> {
        Scored::directed(ScoreDirection::TowardClass1, scores, is_class_1, weights)
    }

    /// [`Scored::from_rows`] for scores of either direction.
    ///
    /// ```
    /// use rocproof_scored::{ScoreDirection, Scored};
    /// let (scores, is_1) = ([1e-20, 2e-20, 0.5], [true, false, false]);
    /// let data = Scored::directed(ScoreDirection::TowardClass0, &scores, &is_1, None).unwrap();
    /// let ties: Vec<_> = data.ties().map(|tie| (tie.x, tie.mass)).collect();
    /// assert_eq!(ties, [(0.5, [1.0, 0.0]), (1.0, [1.0, 0.0]), (1.0, [0.0, 1.0])]);
    /// ```
    pub fn directed(
        direction: ScoreDirection,
        scores: &[f64],
        is_class_1: &[bool],
        weights: Option<&[f64]>,
    ) -> Result<Scored, BadScore> {
        check_rows(scores, is_class_1, weights)?;
        if let Some(weights) = weights {
            let mut rows = ScoredBuilder::new(direction);
            for ((score, is_1), weight) in scores.iter().zip(is_class_1).zip(weights) {
                rows.push(*score, *is_1, *weight)?;
            }
            return rows.finish();
        }
        // Sort keys are often all negative, or none is: probabilities of class 0 are reversed.
        let all_are = |negative: bool| scores.par_iter().all(|score| (direction.sort_key(*score) < 0.0) == negative);
        let rows = scores.par_iter().zip(is_class_1);
        let packed = rows.map(|(score, is_1)| pack(direction.sort_key(*score), usize::from(*is_1)));
        let (negative, others) = if all_are(false) {
            (Vec::new(), packed.map(|(key, _)| key).collect())
        } else if all_are(true) {
            (packed.map(|(key, _)| key).collect(), Vec::new())
        } else {
            packed.partition_map(|(key, negative)| match negative {
                true => rayon::iter::Either::Left(key),
                false => rayon::iter::Either::Right(key),
            })
        };
        Scored::new(Keys::sorted(negative, others), None, direction).checked()
    }

    /// [`Scored::directed`], with the input row of each sorted row. Rows of weight 0 are kept.
    pub(super) fn with_order(
        direction: ScoreDirection,
        scores: &[f64],
        is_class_1: &[bool],
        weights: Option<&[f64]>,
    ) -> Result<(Scored, Vec<u32>), BadScore> {
        check_rows(scores, is_class_1, weights)?;
        let packed = |row: u32| {
            let row = row as usize;
            pack(direction.sort_key(scores[row]), usize::from(is_class_1[row]))
        };
        let (negative, others): (Vec<u32>, Vec<u32>) = (0..scores.len() as u32).partition(|row| packed(*row).1);
        let with_keys = |rows: Vec<u32>| rows.into_iter().map(|row| (packed(row).0, row)).collect();
        let (keys, order) = Keys::sorted_with(with_keys(negative), with_keys(others));
        let weights = weights.map(|weights| order.iter().map(|row| weights[*row as usize]).collect());
        Ok((Scored::new(keys, weights, direction).checked()?, order))
    }

    /// Sorts groups, as SQL's `GROUP BY` makes them: a score and the weight of each class with it, in any order.
    pub fn from_groups(groups: &[Tie]) -> Result<Scored, BadScore> {
        Scored::directed_groups(ScoreDirection::TowardClass1, groups)
    }

    /// [`Scored::from_groups`] for scores of either direction.
    pub(crate) fn directed_groups(direction: ScoreDirection, groups: &[Tie]) -> Result<Scored, BadScore> {
        let mut rows = ScoredBuilder::new(direction);
        for (group, tie) in groups.iter().enumerate() {
            for (class, weight) in tie.mass.into_iter().enumerate() {
                rows.push(tie.x, class == 1, weight).map_err(|bad| bad.in_row(group))?;
            }
        }
        rows.finish()
    }

    /// Refuses data in which a class has no weight, or a total out of range.
    pub(super) fn checked(self) -> Result<Scored, BadScore> {
        check_totals(self.totals)?;
        Ok(self)
    }

    /// Sums the weights of sorted rows, and chooses the scale and range of the scores on the curve.
    pub(super) fn new(keys: Keys, weights: Option<Vec<f64>>, direction: ScoreDirection) -> Scored {
        let are_whole = weights.iter().flatten().all(|weight| weight.fract() == 0.0);
        let (weight_before, totals) = match &weights {
            None => cumulative_weights(&keys, &UnitWeights),
            Some(weights) => cumulative_weights(&keys, &RowWeights::<false>(weights)),
        };
        let whole = are_whole && totals.iter().all(|total| *total < EXACT_SUMS);
        let (first, last) = keys.ends();
        let is_reversed = direction == ScoreDirection::TowardClass0;
        let (scale, range) = scale_of_keys(is_reversed, first, last);
        Scored { keys, weights, whole, weight_before, totals, range, scale }
    }

    /// The proportions of class 0 and of class 1.
    pub fn proportions(&self) -> (f64, f64) {
        let [n0, n1] = self.totals;
        (n0 / (n0 + n1), n1 / (n0 + n1))
    }

    /// The total weight of class 0 and of class 1.
    pub fn totals(&self) -> [f64; 2] {
        self.totals
    }

    /// The number of sorted rows.
    pub(super) fn rows(&self) -> usize {
        self.keys.len()
    }

    /// The range of the scores on the curve: [0, 1] if they all lie in it, else from the smallest to the largest.
    pub fn range(&self) -> (f64, f64) {
        self.range
    }

    /// The smallest and the largest score on the curve.
    pub(super) fn ends(&self) -> (f64, f64) {
        let (first, last) = self.keys.ends();
        (self.scale.curve_score(first)[0], self.scale.curve_score(last)[0])
    }

    /// Whether scores were reversed: higher input scores indicate class 0.
    pub fn is_reversed(&self) -> bool {
        self.scale != Scale::Input
    }

    /// The number `w` such that the input score `s` is `w - s` on the curve; `None` if scores were not reversed.
    pub(super) fn reflection_offset(&self) -> Option<u8> {
        match self.scale {
            Scale::Input => None,
            Scale::Negated => Some(0),
            Scale::OneMinus => Some(1),
        }
    }

    /// A mean score of the curve on the scale of the input.
    pub(super) fn input_mean(&self, x: f64) -> f64 {
        self.reflection_offset().map_or(x, |offset| f64::from(offset) - x)
    }

    /// The input score of a score on the curve. For scores of the data it is exact, although `1 - x` may be rounded.
    pub fn input_score(&self, x: f64) -> f64 {
        match self.scale {
            Scale::Input => x,
            Scale::Negated => -x,
            Scale::OneMinus => {
                // Rounding of `1 - x` moves a row by few places.
                let row = self.keys.count_up_to(x - 1.0);
                let neighbours = row.saturating_sub(2)..self.keys.len().min(row + 2);
                let mut keys = neighbours.map(|row| self.keys.score(row));
                keys.find(|key| self.scale.curve_score(*key)[0] == x).map_or(1.0 - x, |key| -key)
            }
        }
    }

    /// The data with input scores on the curve: if scores were reversed, classes are exchanged instead. Quantities that treat both classes
    /// alike, such as the Brier score, do not change.
    pub fn with_input_scores(&self) -> Cow<'_, Scored> {
        if !self.is_reversed() {
            return Cow::Borrowed(self);
        }
        // The sort key of a reversed score is the negative of the input.
        let packed = |row: usize| pack(-self.keys.score(row), 1 - self.keys.class(row));
        let (negative, others): (Vec<usize>, Vec<usize>) = (0..self.keys.len()).partition(|row| packed(*row).1);
        let with_weights = |rows: Vec<usize>| rows.into_iter().map(|row| (packed(row).0, self.weight(row))).collect();
        let (keys, weights) = Keys::sorted_with(with_weights(negative), with_weights(others));
        Cow::Owned(Scored::new(keys, self.weights.as_ref().map(|_| weights), ScoreDirection::TowardClass1))
    }

    /// The number of ties at which class 0 is predicted, for a threshold on the scale of the input.
    pub(crate) fn ties_up_to(&self, threshold: f64) -> usize {
        let rows = self.keys.count_up_to(self.scale.sort_key_of_input(threshold));
        self.tied_rows().take_while(|(tied_rows, _)| tied_rows[1].end <= rows).count()
    }

    /// The ties in the order of their scores on the curve.
    pub fn ties(&self) -> impl Iterator<Item = Tie> {
        self.tied_rows().map(|(rows, mass)| {
            let [x, _] = self.scale.curve_score(self.keys.score(rows[0].start));
            Tie { x, mass }
        })
    }

    /// The ties in the order of the curve, with input scores; these fall if scores were reversed.
    pub fn ties_on_input_scale(&self) -> impl Iterator<Item = Tie> {
        self.tied_rows().map(|(rows, mass)| {
            let key = self.keys.score(rows[0].start);
            Tie { x: if self.is_reversed() { -key } else { key }, mass }
        })
    }

    /// For each tie the sorted rows of class 0 and of class 1, and the weight of each class.
    pub(super) fn tied_rows(&self) -> impl Iterator<Item = ([Range<usize>; 2], [f64; 2])> {
        let mut row = 0;
        let weight = |rows: &Range<usize>| match &self.weights {
            None => rows.len() as f64,
            Some(weights) => RowWeights::<false>(weights).total(rows.clone()),
        };
        std::iter::from_fn(move || {
            let rows = (row < self.keys.len()).then(|| self.keys.tie(row))?;
            row = rows[1].end;
            let mass = rows.each_ref().map(weight);
            Some((rows, mass))
        })
    }

    /// The weight of a sorted row.
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// The weights of the sorted rows; `None` if all are 1.
    pub(super) fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The class of a sorted row.
    pub(super) fn class(&self, row: usize) -> usize {
        self.keys.class(row)
    }

    /// The input score of a sorted row.
    pub(super) fn sorted_input_score(&self, row: usize) -> f64 {
        let key = self.keys.score(row);
        // Subtraction from 0.0 keeps 0.0 positive.
        if self.is_reversed() { 0.0 - key } else { key }
    }

    /// The score of a sorted row on the curve, exactly.
    pub(super) fn exact_score(&self, row: usize) -> Rational {
        let key = from_f64(self.keys.score(row)).unwrap_or(Rational::ZERO);
        if self.scale == Scale::OneMinus { Rational::ONE + key } else { key }
    }

    /// `Cal` of the data: adjacent violators are pooled, and the score of a pool is its share of class 1.
    pub fn pooled(&self) -> Scored {
        let pools = self.hull().calibrated();
        let rows =
            pools.list.iter().flat_map(|pool| [0, 1].map(|class| (pack(pool.from[0], class).0, pool.mass[class])));
        let (keys, weights) = Keys::sorted_with(Vec::new(), rows.filter(|row| row.1 > 0.0).collect());
        Scored::new(keys, Some(weights), ScoreDirection::TowardClass1)
    }

    /// The segments of the ROC hull.
    fn hull(&self) -> Segments {
        with_tie_chain!(self, |chain| Segments::of_hull(&chain))
    }

    /// All metrics and expected losses after transforms, which are applied in order. The fixed threshold is on the scale of the input.
    pub(super) fn evaluate(&self, transforms: &[Transform], cost: &Cost, thresholds: &Thresholds) -> Evaluation {
        if transforms.is_empty() {
            let hull = self.hull();
            let evaluation = with_tie_chain!(self, |chain| evaluate_chain(&chain, &hull, cost, thresholds));
            return hull.describe(evaluation);
        }
        // The engine transforms sampled and exact curves. Ten million ties need a list of segments instead.
        let ties = with_tie_chain!(self, |chain| Segments::of_ties(&chain));
        let transformed = transforms.iter().fold(ties, |segments, transform| match transform {
            Transform::Conv => segments.convexified(),
            Transform::Cal => segments.pooled().calibrated(),
            Transform::Even => segments.evenly_spaced(),
        });
        let hull = transformed.pooled();
        let evaluation = evaluate_chain(&transformed, &hull, cost, thresholds);
        hull.describe(evaluation)
    }

    /// All metrics and expected losses with other weights of the sorted rows, and the total weight of each class; `None` if a class has no
    /// weight.
    pub(super) fn evaluate_reweighted<W: Weights>(
        &self,
        weights: W,
        cost: &Cost,
        thresholds: &Thresholds,
    ) -> Option<(Evaluation, [f64; 2])> {
        let (weight_before, totals) = cumulative_weights(&self.keys, &weights);
        if totals.contains(&0.0) {
            return None;
        }
        let chain = TieChain { weight_before: Cow::Owned(weight_before), totals, ..self.tie_chain(weights) };
        let hull = Segments::of_hull(&chain);
        Some((evaluate_chain(&chain, &hull, cost, thresholds), totals))
    }

    /// The data as a chain of ties with these weights of the sorted rows.
    fn tie_chain<W: Weights>(&self, weights: W) -> TieChain<'_, W> {
        TieChain {
            keys: &self.keys,
            weights,
            weight_before: Cow::Borrowed(&self.weight_before),
            totals: self.totals,
            range: self.range,
            scale: self.scale,
        }
    }
}

/// Checks that columns are equally long, scores finite, and weights finite and not negative.
fn check_rows(scores: &[f64], is_class_1: &[bool], weights: Option<&[f64]>) -> Result<(), BadScore> {
    if scores.len() != is_class_1.len() || weights.is_some_and(|w| w.len() != scores.len()) {
        return Err(BadScore::Ragged);
    }
    if let Some(row) = scores.par_iter().position_first(|score| !score.is_finite()) {
        return Err(BadScore::Score(row, scores[row]));
    }
    let weights = weights.unwrap_or_default();
    match weights.par_iter().position_first(|w| !(w.is_finite() && *w >= 0.0)) {
        Some(row) => Err(BadScore::Weight(row, weights[row])),
        None => Ok(()),
    }
}

impl BadScore {
    /// This error, reported for another row.
    fn in_row(self, row: usize) -> BadScore {
        match self {
            BadScore::Score(_, score) => BadScore::Score(row, score),
            BadScore::Weight(_, weight) => BadScore::Weight(row, weight),
            other => other,
        }
    }
}
