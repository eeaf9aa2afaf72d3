//! Scores of both classes, sorted.

use super::chain::{RowWeights, Scale, TieChain, UnitWeights, Weights, reached};
use super::keys::{Keys, key};
use super::reading::evaluate_chain;
use super::segments::Segments;
use rayon::prelude::*;
use rocproof_arith::rational::{Rational, from_f64};
use rocproof_engine::functional::{Cost, Evaluation, Thresholds};
use rocproof_engine::model::Transform;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

/// Scores with their classes, sorted. Equal scores are ties; nearly equal ones are not.
///
/// ```
/// use rocproof_scored::Scored;
/// let data = Scored::from_rows(&[0.1, 0.4, 0.4, 0.8], &[false, true, false, true], None).unwrap();
/// let steps: Vec<_> = data.ties().map(|step| (step.x, step.mass)).collect();
/// assert_eq!(steps, [(0.1, [1.0, 0.0]), (0.4, [1.0, 1.0]), (0.8, [0.0, 1.0])]);
/// ```
#[derive(Clone, Debug)]
pub struct Scored {
    keys: Keys,
    /// The weight of each row; 1 if there are none.
    weights: Option<Vec<f64>>,
    /// Whether weights are whole numbers, whose sums are exact.
    whole: bool,
    /// The weight of both classes before each chunk of rows.
    reached: Vec<[f64; 2]>,
    /// The weight of each class.
    totals: [f64; 2],
    /// The scale of the scores: [0, 1] if they all lie in it.
    range: (f64, f64),
    scale: Scale,
}

/// Whole numbers below this are added up exactly.
const WHOLE_SUMS: f64 = 9e15;

/// Something made of the ties, whatever kind of weights they have.
macro_rules! with_ties {
    ($data:expr, |$ties:ident| $made:expr) => {
        match &$data.weights {
            None => {
                let $ties = $data.tie_chain(UnitWeights);
                $made
            }
            Some(weights) if $data.whole => {
                let $ties = $data.tie_chain(RowWeights::<true>(weights));
                $made
            }
            Some(weights) => {
                let $ties = $data.tie_chain(RowWeights::<false>(weights));
                $made
            }
        }
    };
}

/// What the weights of a class may add up to.
const TOTALS: RangeInclusive<f64> = 1e-50..=1e50;

/// Why rows are no scored data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BadScore {
    /// There are not as many labels or weights as scores.
    Ragged,
    /// The score in this row is not a finite number.
    Score(usize, f64),
    /// The weight in this row is negative or not a finite number.
    Weight(usize, f64),
    /// No row of this class has any weight.
    OneClass(usize),
    /// There are more rows than can be paired.
    TooMany(usize),
    /// The weights of a class add up to so much that products of them overflow, or to so little that they vanish.
    Total(usize, f64),
}

impl std::fmt::Display for BadScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadScore::Ragged => write!(f, "there must be one label, and one weight if any, for each score"),
            BadScore::Score(row, score) => write!(f, "the score in row {row} is {score}; scores are finite numbers"),
            BadScore::Weight(row, weight) => {
                write!(f, "the weight in row {row} is {weight}; weights are finite and not negative")
            }
            BadScore::OneClass(class) => write!(f, "no row of class {class}: both classes are needed"),
            BadScore::TooMany(rows) => {
                write!(f, "there are {rows} rows: those of several models can be paired up to 4294967295")
            }
            BadScore::Total(class, total) => {
                let (least, most) = (TOTALS.start(), TOTALS.end());
                write!(f, "the weights of class {class} add up to {total:e}, not between {least:e} and {most:e}; ")?;
                write!(f, "only their ratios matter: multiply them all by a number")
            }
        }
    }
}

impl std::error::Error for BadScore {}

/// All rows with one score: its weight in each class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// The score.
    pub x: f64,
    /// The weight of class 0 and of class 1.
    pub mass: [f64; 2],
}

/// Which class higher scores speak for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreDirection {
    /// Scores grow with the probability of class 1.
    #[default]
    TowardClass1,
    /// Scores grow with the probability of class 0: a score `s` is read as `1 - s` if all scores lie in [0, 1] (or in [-1, 0], which are no
    /// probabilities), as `-s` otherwise. Scores that differ stay apart, however close `1 - s` brings them.
    TowardClass0,
}

impl Scored {
    /// Reads rows: a score that grows with class 1, whether it is of class 1, and perhaps a weight.
    pub fn from_rows(scores: &[f64], is_class_1: &[bool], weights: Option<&[f64]>) -> Result<Scored, BadScore> {
        Scored::directed(ScoreDirection::TowardClass1, scores, is_class_1, weights)
    }

    /// Reads rows whose scores grow with the class that the direction says.
    ///
    /// ```
    /// use rocproof_scored::{ScoreDirection, Scored};
    /// let (scores, is_1) = ([1e-20, 2e-20, 0.5], [true, false, false]);
    /// let data = Scored::directed(ScoreDirection::TowardClass0, &scores, &is_1, None).unwrap();
    /// let steps: Vec<_> = data.ties().map(|step| (step.x, step.mass)).collect();
    /// assert_eq!(steps, [(0.5, [1.0, 0.0]), (1.0, [1.0, 0.0]), (1.0, [0.0, 1.0])]);
    /// ```
    pub fn directed(
        direction: ScoreDirection,
        scores: &[f64],
        is_class_1: &[bool],
        weights: Option<&[f64]>,
    ) -> Result<Scored, BadScore> {
        check(scores, is_class_1, weights)?;
        let mirrored = direction == ScoreDirection::TowardClass0;
        let told = |score: f64| if mirrored { -score } else { score };
        if let Some(weights) = weights {
            let mut rows = ScoredBuilder::weighted(direction);
            for ((score, is_1), weight) in scores.iter().zip(is_class_1).zip(weights) {
                rows.push(*score, *is_1, *weight)?;
            }
            return rows.finish();
        }
        let none_negative = scores.par_iter().all(|score| told(*score) >= 0.0);
        let rows = scores.par_iter().zip(is_class_1);
        let keyed = rows.map(|(score, is_1)| key(told(*score), usize::from(*is_1)));
        let (negative, others) = if none_negative {
            (Vec::new(), keyed.map(|(key, _)| key).collect())
        } else {
            keyed.partition_map(|(key, negative)| match negative {
                true => rayon::iter::Either::Left(key),
                false => rayon::iter::Either::Right(key),
            })
        };
        Scored::new(Keys::sorted(negative, others), None, mirrored).checked()
    }

    /// The same, with which row stands where after sorting; rows of no weight stay.
    pub(super) fn with_order(
        direction: ScoreDirection,
        scores: &[f64],
        is_class_1: &[bool],
        weights: Option<&[f64]>,
    ) -> Result<(Scored, Vec<u32>), BadScore> {
        check(scores, is_class_1, weights)?;
        let mirrored = direction == ScoreDirection::TowardClass0;
        let keyed = |row: usize| key(if mirrored { -scores[row] } else { scores[row] }, usize::from(is_class_1[row]));
        let (negative, others): (Vec<u32>, Vec<u32>) = (0..scores.len() as u32).partition(|row| keyed(*row as usize).1);
        let with_keys = |rows: Vec<u32>| rows.into_iter().map(|row| (keyed(row as usize).0, row)).collect();
        let (keys, order) = Keys::sorted_with(with_keys(negative), with_keys(others));
        let weights = weights.map(|weights| order.iter().map(|row| weights[*row as usize]).collect());
        Ok((Scored::new(keys, weights, mirrored).checked()?, order))
    }

    /// Reads groups, as `GROUP BY` makes them: a score and the weight of each class with it, in any order.
    pub fn from_groups(groups: &[Tie]) -> Result<Scored, BadScore> {
        Scored::directed_groups(ScoreDirection::TowardClass1, groups)
    }

    /// Reads groups whose scores grow with the class that the direction says.
    pub fn directed_groups(direction: ScoreDirection, groups: &[Tie]) -> Result<Scored, BadScore> {
        let mut rows = ScoredBuilder::weighted(direction);
        for (row, step) in groups.iter().enumerate() {
            for (class, weight) in step.mass.into_iter().enumerate() {
                rows.push(step.x, class == 1, weight).map_err(|bad| bad.in_row(row))?;
            }
        }
        rows.finish()
    }

    /// Both classes have weight in them.
    fn checked(self) -> Result<Scored, BadScore> {
        for (class, total) in self.totals.into_iter().enumerate() {
            if total == 0.0 {
                return Err(BadScore::OneClass(class));
            }
            if !TOTALS.contains(&total) {
                return Err(BadScore::Total(class, total));
            }
        }
        Ok(self)
    }

    fn new(keys: Keys, weights: Option<Vec<f64>>, mirrored: bool) -> Scored {
        let whole = weights.iter().flatten().all(|weight| weight.fract() == 0.0);
        let (reached, totals) = match &weights {
            None => reached(&keys, &UnitWeights),
            Some(weights) => reached(&keys, &RowWeights::<false>(weights)),
        };
        let whole = whole && totals.iter().all(|total| *total < WHOLE_SUMS);
        let (first, last) = keys.ends();
        let (scale, range) = match (mirrored, first, last) {
            (false, 0.0.., ..=1.0) => (Scale::AsGiven, (0.0, 1.0)),
            (true, -1.0.., ..=0.0) => (Scale::FromOne, (0.0, 1.0)),
            // Turned round they lie in [0, 1], but they are no probabilities.
            (true, 0.0.., ..=1.0) => (Scale::FromOne, (1.0 + first, 1.0 + last)),
            (false, ..) => (Scale::AsGiven, (first, last)),
            (true, ..) => (Scale::Negated, (first, last)),
        };
        Scored { keys, weights, whole, reached, totals, range, scale }
    }

    /// The proportions of both classes.
    pub fn proportions(&self) -> (f64, f64) {
        let [n0, n1] = self.totals;
        (n0 / (n0 + n1), n1 / (n0 + n1))
    }

    /// The weight of both classes.
    pub fn totals(&self) -> [f64; 2] {
        self.totals
    }

    /// How many rows there are, after rows of no weight were left out.
    pub fn rows(&self) -> usize {
        self.keys.len()
    }

    /// The scale of the scores: [0, 1] if they all lie in it, else the smallest and the largest.
    pub fn range(&self) -> (f64, f64) {
        self.range
    }

    /// The smallest and the largest score.
    pub fn ends(&self) -> (f64, f64) {
        let (first, last) = self.keys.ends();
        (self.scale.place(first)[0], self.scale.place(last)[0])
    }

    /// Whether scores were turned round: higher ones, as they were given, speak for class 0.
    pub fn is_reversed(&self) -> bool {
        self.scale != Scale::AsGiven
    }

    /// If scores `s` were turned round, the number `w` such that they are `w - s` on the curve.
    pub(super) fn reflection_offset(&self) -> Option<u8> {
        match self.scale {
            Scale::AsGiven => None,
            Scale::Negated => Some(0),
            Scale::FromOne => Some(1),
        }
    }

    /// What a mean score of the curve is on the scale of what was given.
    pub fn input_mean(&self, x: f64) -> f64 {
        self.reflection_offset().map_or(x, |whole| f64::from(whole) - x)
    }

    /// What a score of the curve was before it was turned round, if it was: just that for the scores of the data, which `1 - x` would round.
    pub fn input_score(&self, x: f64) -> f64 {
        match self.scale {
            Scale::AsGiven => x,
            Scale::Negated => -x,
            Scale::FromOne => {
                let near = self.keys.up_to(x - 1.0);
                let rows = near.saturating_sub(2)..self.keys.len().min(near + 2);
                let told = rows.map(|row| self.keys.score(row)).find(|told| self.scale.place(*told)[0] == x);
                told.map_or(1.0 - x, |told| -told)
            }
        }
    }

    /// The same data with the scores as they were given: if they were turned round, classes are exchanged instead. What treats classes alike, such
    /// as the Brier score, is the same for both.
    pub fn with_input_scores(&self) -> Cow<'_, Scored> {
        if !self.is_reversed() {
            return Cow::Borrowed(self);
        }
        // What is told of a score that was turned round is its negative.
        let keyed = |row: usize| key(-self.keys.score(row), 1 - self.keys.class(row));
        let (negative, others): (Vec<usize>, Vec<usize>) = (0..self.keys.len()).partition(|row| keyed(*row).1);
        let rows =
            [negative, others].map(|rows| rows.into_iter().map(|row| (keyed(row).0, self.weight(row))).collect());
        let [negative, others] = rows;
        let (keys, weights) = Keys::sorted_with(negative, others);
        Cow::Owned(Scored::new(keys, self.weights.as_ref().map(|_| weights), false))
    }

    /// How many ties have scores on the lower side of a threshold, or at it; the threshold is on the scale of what was given.
    pub(crate) fn ties_up_to(&self, given: f64) -> usize {
        let rows = self.keys.up_to(self.scale.told_of_given(given));
        self.tied_rows().take_while(|(of_tie, _)| of_tie[1].end <= rows).count()
    }

    /// The ties, in the order of their scores.
    pub fn ties(&self) -> impl Iterator<Item = Tie> {
        self.tied_rows().map(|(rows, mass)| {
            let [x, _] = self.scale.place(self.keys.score(rows[0].start));
            Tie { x, mass }
        })
    }

    /// The ties with their scores as they were given; those that were turned round come in falling order.
    pub(super) fn ties_on_input_scale(&self) -> impl Iterator<Item = Tie> {
        self.tied_rows().map(|(rows, mass)| {
            let told = self.keys.score(rows[0].start);
            Tie { x: if self.is_reversed() { -told } else { told }, mass }
        })
    }

    /// The ties: the sorted rows of class 0 and of class 1 in each, and what they weigh.
    pub(super) fn tied_rows(&self) -> impl Iterator<Item = ([Range<usize>; 2], [f64; 2])> {
        let mut row = 0;
        let weight = |rows: &Range<usize>| match &self.weights {
            None => rows.len() as f64,
            Some(weights) => RowWeights::<false>(weights).of_all(rows.clone()),
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

    /// The weights of sorted rows, if they have any.
    pub(super) fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The class of a sorted row.
    pub(super) fn class(&self, row: usize) -> usize {
        self.keys.class(row)
    }

    /// `Cal`: adjacent ties are pooled until the share of class 1 grows, and their score becomes that share. The ties that are left
    /// are the segments of the hull of the ROC curve.
    pub fn pooled(&self) -> Scored {
        let pools = self.hull().calibrated();
        let rows =
            pools.list.iter().flat_map(|pool| [0, 1].map(|class| (key(pool.from[0], class).0, pool.mass[class])));
        let (keys, weights) = Keys::sorted_with(Vec::new(), rows.filter(|row| row.1 > 0.0).collect());
        Scored::new(keys, Some(weights), false)
    }

    /// The segments of the hull of the ROC curve.
    pub(super) fn hull(&self) -> Segments {
        with_ties!(self, |ties| Segments::of_hull(&ties))
    }

    /// All metrics and expected losses; the thresholds threshold is on the scale of the scores as they were given.
    pub(super) fn evaluate(&self, cost: &Cost, thresholds: &Thresholds) -> Evaluation {
        let hull = self.hull();
        let evaluation = with_ties!(self, |ties| evaluate_chain(&ties, &hull, cost, thresholds));
        hull.describe(evaluation)
    }

    /// The same after transforms, the first of which is applied first.
    pub(super) fn evaluate_transformed(
        &self,
        transforms: &[Transform],
        cost: &Cost,
        thresholds: &Thresholds,
    ) -> Evaluation {
        let ties = with_ties!(self, |ties| Segments::of_ties(&ties));
        let transformed = transforms.iter().fold(ties, |segments, transform| match transform {
            Transform::Conv => segments.convexified(),
            Transform::Cal => segments.pooled().calibrated(),
            Transform::Even => segments.evenly_spaced(),
        });
        let hull = transformed.pooled();
        let evaluation = evaluate_chain(&transformed, &hull, cost, thresholds);
        hull.describe(evaluation)
    }

    /// The score of a sorted row, exactly.
    pub(super) fn exact_score(&self, row: usize) -> Rational {
        let told = from_f64(self.keys.score(row)).unwrap_or(Rational::ZERO);
        if self.scale == Scale::FromOne { Rational::ONE + told } else { told }
    }

    /// The same with other weights of the sorted rows; nothing if a class has none.
    pub(super) fn evaluate_weighted<W: Weights>(
        &self,
        weight: W,
        cost: &Cost,
        thresholds: &Thresholds,
    ) -> Option<Evaluation> {
        let (reached, totals) = reached(&self.keys, &weight);
        if totals.contains(&0.0) {
            return None;
        }
        let ties = TieChain { reached: Cow::Owned(reached), totals, ..self.tie_chain(weight) };
        let hull = Segments::of_hull(&ties);
        Some(evaluate_chain(&ties, &hull, cost, thresholds))
    }

    fn tie_chain<W: Weights>(&self, weight: W) -> TieChain<'_, W> {
        let Scored { keys, reached, totals, range, scale, .. } = self;
        TieChain { keys, weight, reached: Cow::Borrowed(reached), totals: *totals, range: *range, scale: *scale }
    }
}

/// Whether rows are as long as each other, scores finite, and weights finite and not negative.
fn check(scores: &[f64], is_class_1: &[bool], weights: Option<&[f64]>) -> Result<(), BadScore> {
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
    /// The same, found in another row.
    fn in_row(self, row: usize) -> BadScore {
        match self {
            BadScore::Score(_, score) => BadScore::Score(row, score),
            BadScore::Weight(_, weight) => BadScore::Weight(row, weight),
            other => other,
        }
    }
}

/// Rows as they come, one by one. Only what evaluation needs is kept: eight bytes of each row, and eight more for its weight.
///
/// ```
/// use rocproof_scored::{ScoreDirection, ScoredBuilder};
/// let mut rows = ScoredBuilder::unweighted(ScoreDirection::TowardClass1);
/// for (score, is_1) in [(0.2, false), (0.7, true), (0.4, true)] {
///     rows.push(score, is_1, 1.0)?;
/// }
/// assert_eq!(rows.finish()?.totals(), [1.0, 2.0]);
/// # Ok::<(), rocproof_scored::BadScore>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScoredBuilder {
    mirrored: bool,
    count: usize,
    kept: CollectedRows,
}

#[derive(Clone, Debug)]
enum CollectedRows {
    /// Keys of negative scores and of all others.
    UnitWeights([Vec<u64>; 2]),
    /// The same with weights.
    Weighted([Vec<(u64, f64)>; 2]),
}

impl ScoredBuilder {
    /// No rows yet; each will weigh 1.
    pub fn unweighted(direction: ScoreDirection) -> ScoredBuilder {
        ScoredBuilder {
            mirrored: direction == ScoreDirection::TowardClass0,
            count: 0,
            kept: CollectedRows::UnitWeights(Default::default()),
        }
    }

    /// No rows yet; each will have a weight.
    pub fn weighted(direction: ScoreDirection) -> ScoredBuilder {
        ScoredBuilder {
            mirrored: direction == ScoreDirection::TowardClass0,
            count: 0,
            kept: CollectedRows::Weighted(Default::default()),
        }
    }

    /// Adds a row; if rows weigh 1, the weight is not looked at. A row of no weight counts for nothing.
    pub fn push(&mut self, score: f64, is_class_1: bool, weight: f64) -> Result<(), BadScore> {
        let row = self.count;
        if !score.is_finite() {
            return Err(BadScore::Score(row, score));
        }
        let (key, negative) = key(if self.mirrored { -score } else { score }, usize::from(is_class_1));
        let side = usize::from(!negative);
        match &mut self.kept {
            CollectedRows::UnitWeights(keys) => keys[side].push(key),
            CollectedRows::Weighted(_) if !(weight.is_finite() && weight >= 0.0) => {
                return Err(BadScore::Weight(row, weight));
            }
            CollectedRows::Weighted(_) if weight == 0.0 => {}
            CollectedRows::Weighted(keys) => keys[side].push((key, weight)),
        }
        self.count += 1;
        Ok(())
    }

    /// How many rows were added.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Sorts them.
    pub fn finish(self) -> Result<Scored, BadScore> {
        match self.kept {
            CollectedRows::UnitWeights([negative, others]) => {
                Scored::new(Keys::sorted(negative, others), None, self.mirrored).checked()
            }
            CollectedRows::Weighted([negative, others]) => {
                let (keys, weights) = Keys::sorted_with(negative, others);
                Scored::new(keys, Some(weights), self.mirrored).checked()
            }
        }
    }
}
