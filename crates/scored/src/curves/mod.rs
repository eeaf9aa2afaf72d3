//! Curves of scored data, piece by piece.
//!
//! A curve is a chain of [`CurvePiece`]s from left to right, each a polynomial: nothing is sampled on a grid. If the limits of neighbours
//! differ, the curve jumps. Losses are computed by evaluating the definition of `Q` along ties, gaps and corners, in arithmetic on
//! polynomials; no formula is repeated here.
//!
//! ```
//! use rocproof_scored::Scored;
//! use rocproof_scored::curves::{Curves, CurveKind};
//! use rocproof_engine::{Condition, Method};
//!
//! let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
//! let curves = Curves::new(&data);
//! assert_eq!(curves.curve(CurveKind::Roc)?.area(), Some(0.75));
//!
//! // The Brier curve jumps at the scores; its area is the Brier score.
//! let brier = curves.curve(CurveKind::Loss(Method::ScoreDriven, Condition::Cost))?;
//! let at = brier.limits(0.35);
//! assert_eq!((at.left, at.right), (Some(0.175), Some(0.175 + 0.325)));
//! assert!((brier.area().unwrap() - (0.01 + 0.16 + 0.4225 + 0.04) / 4.0).abs() < 1e-15);
//! # Ok::<(), String>(())
//! ```
//!
//! | file | what it does |
//! | --- | --- |
//! | `piece` | polynomials on an interval |
//! | `segment` | definitions along ties, gaps and corners |
//! | `kind` | the curves, with their names |
//! | `decision` | net benefit and interventions avoided |
//! | `difference` | one curve minus another |
//! | `band` | bands around curves, from samples |

mod band;
mod decision;
mod difference;
mod kind;
mod piece;
mod segment;

pub use band::{BAND_SAMPLES, Band, BandMethod, BandPoint};
pub use kind::{CurveKind, Side};
pub use piece::{CurvePiece, Divisor, UnitQuadratic};

use super::bootstrap::Bootstrap;
use super::pools::{Pool, pools};
use super::scored::{Scored, Tie};
use super::sum::CompensatedSum;
use decision::{Treatment, interventions_avoided, net_benefit};
use rocproof_engine::calculus::panel::Point;
use rocproof_engine::functional::definition::Scores;
use rocproof_engine::functional::{Condition, Method};
use segment::{SegmentEvaluator, TieSegment, ends, point, tie_segments};

/// The pieces of a curve, from left to right.
pub type CurvePieces<'a> = Box<dyn Iterator<Item = CurvePiece> + 'a>;

/// The curves of scored data.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    data: &'a Scored,
    /// The pools in the order of the curve, with input scores.
    hull: Vec<Pool>,
    /// The proportion of class 0 where the classifier is deployed, if it is not that of the data.
    prevalence: Option<f64>,
}

/// The loss at a threshold by operating condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostLine {
    /// The threshold on the scale of the input; for the line of always predicting class 1 `-inf`, or `inf` if higher scores indicate class 0.
    pub threshold: f64,
    /// The loss on [0, 1].
    pub line: CurvePiece,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The lower end, which belongs to the bin.
    pub from: f64,
    /// The upper end, which belongs to the last bin only.
    pub to: f64,
    /// The weight of class 0 and of class 1.
    pub mass: [f64; 2],
}

/// A curve of scored data, or the difference of two.
#[derive(Clone, Copy, Debug)]
pub struct ScoredCurve<'a> {
    kind: CurveKind,
    curves: &'a Curves<'a>,
    /// The curves of the other data, if this is a difference.
    subtracted: Option<&'a Curves<'a>>,
}

/// The limits and the value of a curve at one abscissa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The limit from the left.
    pub left: Option<f64>,
    /// The value: on a vertical part its upper end; if only limits are defined, the right one.
    pub value: Option<f64>,
    /// The limit from the right.
    pub right: Option<f64>,
}

impl<'a> Curves<'a> {
    /// Computes the hull, which several curves share.
    pub fn new(data: &'a Scored) -> Curves<'a> {
        Curves { data, hull: pools(data.ties_on_input_scale()), prevalence: None }
    }

    /// The curves with net benefit under another proportion of class 0.
    pub fn with_prevalence(self, prevalence: Option<f64>) -> Curves<'a> {
        Curves { prevalence, ..self }
    }

    /// The proportions of class 0 and of class 1 under which net benefit is computed.
    pub fn deployed_proportions(&self) -> [f64; 2] {
        let (pi0, pi1) = self.data.proportions();
        self.prevalence.map_or([pi0, pi1], |prevalence| [prevalence, 1.0 - prevalence])
    }

    /// The data.
    pub fn data(&self) -> &'a Scored {
        self.data
    }

    /// The range of the scores on the curve: [0, 1] if they are probabilities.
    pub fn range(&self) -> (f64, f64) {
        self.data.range()
    }

    /// The range of the input scores: [0, 1] if they are probabilities.
    pub fn score_range(&self) -> (f64, f64) {
        match (self.data.range(), &self.hull[..]) {
            (range, [first, .., last]) if self.data.is_reversed() && range != (0.0, 1.0) => (last.last, first.first),
            (range, [only]) if self.data.is_reversed() && range != (0.0, 1.0) => (only.last, only.first),
            (range, _) => range,
        }
    }

    /// The class that higher scores indicate.
    pub fn indicated(&self) -> usize {
        if self.data.is_reversed() { 0 } else { 1 }
    }

    /// A curve; an error if it does not apply to these scores.
    pub fn curve(&'a self, kind: CurveKind) -> Result<ScoredCurve<'a>, String> {
        let needs = match kind {
            CurveKind::Loss(method, _) => method.scores(),
            CurveKind::Murphy | CurveKind::NetBenefit | CurveKind::InterventionsAvoided => {
                Method::<f64>::ScoreDriven.scores()
            }
            _ => Scores::Any,
        };
        match needs.refusal(self.range()) {
            Some(why) => Err(format!("{}: {why}", kind.title())),
            None => Ok(ScoredCurve { kind, curves: self, subtracted: None }),
        }
    }

    /// The cost lines of all thresholds: one below all scores, then one at each score.
    pub fn cost_lines(&self, condition: Condition) -> impl Iterator<Item = CostLine> + '_ {
        self.cost_lines_where(condition, |_| true)
    }

    /// The cost lines of the thresholds whose index is wanted. Index 0 is the threshold below all scores.
    pub fn cost_lines_where<'b>(
        &'b self,
        condition: Condition,
        is_wanted: impl Fn(usize) -> bool + 'b,
    ) -> impl Iterator<Item = CostLine> + 'b {
        let evaluator = SegmentEvaluator::new(self.data, condition);
        let [no_rows, _] = ends();
        let before = if self.data.is_reversed() { f64::INFINITY } else { f64::NEG_INFINITY };
        let ends_of_ties = self.data.ties_on_input_scale().zip(self.tie_segments());
        let points = std::iter::once((before, no_rows)).chain(ends_of_ties.map(|(tie, segment)| (tie.x, segment.end)));
        let wanted = points.enumerate().filter(move |(k, _)| is_wanted(*k));
        wanted.map(move |(_, (threshold, at))| CostLine { threshold, line: evaluator.cost_line(&at, 0.0, 1.0) })
    }

    /// The pools of adjacent violators, with input scores, in the order of the curve: input scores fall if they were reversed.
    pub fn pools(&self) -> &[Pool] {
        &self.hull
    }

    /// The calibrated probability in a pool of the class that higher scores indicate.
    pub fn probability(&self, pool: &Pool) -> f64 {
        pool.mass[self.indicated()] / (pool.mass[0] + pool.mass[1])
    }

    /// The ties by ascending input score. Weights are those of the class that lower scores indicate, and of the other.
    fn ties_upward(&self) -> Box<dyn Iterator<Item = Tie> + '_> {
        if !self.data.is_reversed() {
            return Box::new(self.data.ties());
        }
        let falling: Vec<Tie> = self.data.ties_on_input_scale().collect();
        Box::new(falling.into_iter().rev().map(|Tie { x, mass: [m0, m1] }| Tie { x, mass: [m1, m0] }))
    }

    /// The segments of ties by ascending input score, for the classes of [`Curves::ties_upward`].
    fn segments_upward(&self) -> impl Iterator<Item = TieSegment> + '_ {
        tie_segments(self.ties_upward(), self.upward(self.data.totals()))
    }

    /// Numbers of class 0 and of class 1, in the order of [`Curves::ties_upward`].
    fn upward(&self, [of_0, of_1]: [f64; 2]) -> [f64; 2] {
        if self.data.is_reversed() { [of_1, of_0] } else { [of_0, of_1] }
    }

    /// The segments of the ROC curve.
    fn tie_segments(&self) -> impl Iterator<Item = TieSegment> + '_ {
        tie_segments(self.data.ties(), self.data.totals())
    }

    /// The segments of the ROC hull, with calibrated probabilities for scores.
    fn hull_segments(&self) -> impl Iterator<Item = TieSegment> + '_ {
        let ties = self.hull.iter().map(|pool| Tie { x: posterior(pool), mass: pool.mass });
        tie_segments(ties, self.data.totals())
    }

    /// The weight in bins of equal width on the range of the input scores; a single bin if the range is a point.
    pub fn histogram(&self, bins: usize) -> Vec<Bin> {
        let (low, high) = self.score_range();
        let count = if low < high { bins.max(1) } else { 1 };
        let edge = |k: usize| if k == count { high } else { low + (high - low) * (k as f64 / count as f64) };
        let mut histogram: Vec<Bin> =
            (0..count).map(|k| Bin { from: edge(k), to: edge(k + 1), mass: [0.0; 2] }).collect();
        let mut k = 0;
        for tie in self.ties_upward() {
            while k + 1 < count && tie.x >= histogram[k].to {
                k += 1;
            }
            let mass = self.upward(tie.mass);
            [0, 1].into_iter().for_each(|class| histogram[k].mass[class] += mass[class]);
        }
        histogram
    }

    /// The pieces of a curve, from left to right.
    fn pieces(&self, kind: CurveKind) -> CurvePieces<'_> {
        match kind {
            CurveKind::Roc => Box::new(merge(roc(self.tie_segments()))),
            CurveKind::Hull => Box::new(merge(roc(self.hull_segments()))),
            CurveKind::Loss(method, condition) => self.losses(method, SegmentEvaluator::new(self.data, condition)),
            CurveKind::Reliability => self.reliability(),
            CurveKind::Murphy => {
                let (pi0, pi1) = self.data.proportions();
                let evaluator = SegmentEvaluator::with_proportions(self.upward([pi0, pi1]));
                let brier = score_driven(self.segments_upward(), evaluator);
                Box::new(brier.map(|piece| CurvePiece { polynomial: half(piece.polynomial), ..piece }))
            }
            CurveKind::NetBenefit => Box::new(net_benefit(self.treatments(), self.deployed_proportions())),
            CurveKind::InterventionsAvoided => {
                Box::new(interventions_avoided(self.treatments(), self.deployed_proportions()))
            }
            CurveKind::TreatAll => Box::new(net_benefit(std::iter::once(Treatment::ALL), self.deployed_proportions())),
            CurveKind::TreatNone => Box::new(std::iter::once(CurvePiece::straight(0.0, 1.0, 0.0, 0.0))),
        }
    }

    /// The calibrated probability of the class that higher scores indicate, by input score.
    fn reliability(&self) -> CurvePieces<'_> {
        let piece = |pool: &Pool| {
            let probability = self.probability(pool);
            let (from, to) = if self.data.is_reversed() { (pool.last, pool.first) } else { (pool.first, pool.last) };
            CurvePiece::straight(from, to, probability, probability)
        };
        if self.data.is_reversed() {
            Box::new(self.hull.iter().rev().map(piece))
        } else {
            Box::new(self.hull.iter().map(piece))
        }
    }

    /// The instances that are treated, by threshold probability of class 0. The probability is the input score if higher scores indicate class
    /// 0, and one minus it otherwise.
    fn treatments(&self) -> Box<dyn Iterator<Item = Treatment> + '_> {
        let none = std::iter::once(Treatment::NONE);
        if self.data.is_reversed() {
            let [low, high] = [0, 1];
            Box::new(
                self.segments_upward()
                    .map(move |tie| Treatment {
                        up_to: tie.x,
                        treated: [tie.start.above[high], tie.start.above[low]],
                        untreated: [tie.start.below[high], tie.start.below[low]],
                    })
                    .chain(none),
            )
        } else {
            let ties: Vec<TieSegment> = self.tie_segments().collect();
            Box::new(
                ties.into_iter()
                    .rev()
                    .map(|tie| Treatment { up_to: 1.0 - tie.x, treated: tie.end.below, untreated: tie.end.above })
                    .chain(none),
            )
        }
    }

    /// The loss of a method by operating condition.
    fn losses(&self, method: Method, evaluator: SegmentEvaluator) -> CurvePieces<'_> {
        let line = move |point| -> CurvePieces<'_> { Box::new(std::iter::once(evaluator.cost_line(&point, 0.0, 1.0))) };
        match method {
            Method::ScoreFixed(threshold) => {
                let last_tie = self.tie_segments().take(self.data.ties_up_to(threshold)).last();
                line(last_tie.map_or(ends()[0], |tie| tie.end))
            }
            Method::RateFixed(r) => line(evaluator.at_rate(self.tie_segments(), r)),
            Method::ScoreUniform => line(self.mean_over_scores()),
            Method::RateUniform => line(self.mean_over_rates(evaluator)),
            Method::ScoreDriven => Box::new(score_driven(self.tie_segments(), evaluator)),
            Method::RateDriven => Box::new(self.tie_segments().filter_map(move |tie| {
                let rates = evaluator.rates(&tie);
                (rates[0][0] < rates[1][0]).then(|| evaluator.loss([&tie.start, &tie.end], rates))
            })),
            Method::Optimal => Box::new(optimal(self.hull_segments(), evaluator)),
        }
    }

    /// The mean point of the ROC curve over a threshold drawn uniformly from the range. `Q` is affine in `F0` and `F1`, so its mean is its
    /// value at the mean point.
    fn mean_over_scores(&self) -> Point {
        let (low, high) = self.range();
        let share_of_range = |from: f64, to: f64| (to - from) / (high - low);
        let mut mean = Mean::default();
        let (mut score, mut point) = (low, ends()[0]);
        for tie in self.tie_segments() {
            mean.add(&point, share_of_range(score, tie.x));
            (score, point) = (tie.x, tie.end);
        }
        mean.add(&point, share_of_range(score, high));
        mean.point()
    }

    /// The mean point of the ROC curve over a predicted positive rate drawn uniformly from [0, 1].
    fn mean_over_rates(&self, evaluator: SegmentEvaluator) -> Point {
        let mut mean = Mean::default();
        for tie in self.tie_segments() {
            let increment = evaluator.rate_increment(&tie);
            mean.add(&tie.start, increment / 2.0);
            mean.add(&tie.end, increment / 2.0);
        }
        mean.point()
    }
}

/// Half of a polynomial.
fn half(polynomial: UnitQuadratic) -> UnitQuadratic {
    let UnitQuadratic { start, end, bend } = polynomial;
    UnitQuadratic { start: start / 2.0, end: end / 2.0, bend: bend / 2.0 }
}

/// The calibrated probability of class 1 in a pool: the posterior on the hull.
fn posterior(pool: &Pool) -> f64 {
    pool.mass[1] / (pool.mass[0] + pool.mass[1])
}

/// A weighted mean of points.
#[derive(Default)]
struct Mean {
    below: [CompensatedSum; 2],
    above: [CompensatedSum; 2],
}

impl Mean {
    /// Adds a point with a weight. The weights must sum to 1.
    fn add(&mut self, added: &Point, weight: f64) {
        for k in 0..2 {
            self.below[k] = self.below[k].plus(weight * added.below[k]);
            self.above[k] = self.above[k].plus(weight * added.above[k]);
        }
    }

    /// The mean point. It has no score.
    fn point(&self) -> Point {
        point(f64::NAN, self.below.map(CompensatedSum::value), self.above.map(CompensatedSum::value))
    }
}

/// The ROC curve, a piece for each tie.
fn roc<'a>(ties: impl Iterator<Item = TieSegment> + 'a) -> impl Iterator<Item = CurvePiece> + 'a {
    ties.map(|TieSegment { start, end, .. }| {
        CurvePiece::straight(start.below[1], end.below[1], start.below[0], end.below[0])
    })
}

/// Joins consecutive pieces on one vertical or horizontal line.
fn merge<'a>(pieces: impl Iterator<Item = CurvePiece> + 'a) -> impl Iterator<Item = CurvePiece> + 'a {
    let mut pieces = pieces.peekable();
    std::iter::from_fn(move || {
        let mut piece = pieces.next()?;
        while let Some(joined) = pieces.peek().and_then(|next| piece.joined(*next)) {
            piece = joined;
            pieces.next();
        }
        Some(piece)
    })
}

/// `Q(c; c)`: between two scores only `c` moves.
fn score_driven<'a>(
    mut ties: impl Iterator<Item = TieSegment> + 'a,
    evaluator: SegmentEvaluator,
) -> impl Iterator<Item = CurvePiece> + 'a {
    let (mut cost, mut point) = (0.0, ends()[0]);
    let mut is_over = false;
    std::iter::from_fn(move || {
        loop {
            let (next_cost, next_point) = match ties.next() {
                Some(tie) => (tie.x, tie.end),
                None if is_over => return None,
                None => {
                    is_over = true;
                    // If a score is 1, this is a single point.
                    return Some(evaluator.cost_line(&point, cost, 1.0));
                }
            };
            let (from, here) = (cost, point);
            (cost, point) = (next_cost, next_point);
            if from < cost {
                return Some(evaluator.cost_line(&here, from, cost));
            }
        }
    })
}

/// `min Q(t; c)`: at a corner of the hull only `c` moves, from the posterior before the corner to the one after it.
fn optimal<'a>(
    segments: impl Iterator<Item = TieSegment> + 'a,
    evaluator: SegmentEvaluator,
) -> impl Iterator<Item = CurvePiece> + 'a {
    // Each corner with the posterior after it. The last corner is the end of the curve.
    let [_, all_rows] = ends();
    let corners = segments.map(move |tie| (tie.start, evaluator.posterior(&tie)));
    let corners = corners.chain(std::iter::once((all_rows, [1.0, 0.0])));
    let mut posterior_before = [0.0, 1.0];
    corners.filter_map(move |(corner, posterior_after)| {
        let costs = [posterior_before, posterior_after];
        (posterior_before[0] < posterior_after[0]).then(|| {
            posterior_before = posterior_after;
            evaluator.loss([&corner, &corner], costs)
        })
    })
}

impl<'a> ScoredCurve<'a> {
    /// The kind of curve.
    pub fn kind(&self) -> CurveKind {
        self.kind
    }

    /// Whether this is the difference of two curves.
    pub fn is_difference(&self) -> bool {
        self.subtracted.is_some()
    }

    /// The side of a jump on which the value lies.
    pub fn side(&self) -> Side {
        self.kind.side()
    }

    /// The pieces from left to right. They are computed lazily, except where the order of the ties must be reversed first.
    pub fn pieces(&self) -> CurvePieces<'a> {
        let pieces = self.curves.pieces(self.kind);
        match self.subtracted {
            None => pieces,
            Some(subtracted) => Box::new(difference::difference(pieces, subtracted.pieces(self.kind))),
        }
    }

    /// This curve minus the same curve of other data: breakpoints are merged and polynomials subtracted.
    ///
    /// ROC curves are compared as `F0` at equal `F1`; where one is vertical, the difference jumps. Reliability has no difference, since it
    /// is defined only at the scores of the data.
    pub fn minus(&self, other: &ScoredCurve<'a>) -> Result<ScoredCurve<'a>, String> {
        if self.kind == CurveKind::Reliability
            || self.kind != other.kind
            || self.is_difference()
            || other.is_difference()
        {
            return Err(format!("no difference of {} and {}: {NO_DIFFERENCE}", self.kind.name(), other.kind.name()));
        }
        Ok(ScoredCurve { subtracted: Some(other.curves), ..*self })
    }

    /// The area under the curve. `None` for reliability, which has gaps, and for net benefit and interventions avoided, which may fall to
    /// minus infinity.
    pub fn area(&self) -> Option<f64> {
        self.area_with(|_| {})
    }

    /// The area under the curve; `visit` sees each piece on the way.
    pub fn area_with(&self, mut visit: impl FnMut(&CurvePiece)) -> Option<f64> {
        let mut area = (self.kind != CurveKind::Reliability).then(CompensatedSum::default);
        for piece in self.pieces() {
            visit(&piece);
            area = area.zip(piece.area()).map(|(sum, area)| sum.plus(area));
        }
        area.map(CompensatedSum::value)
    }

    /// The band around the curve, if it has one; a difference has none.
    pub fn band(&self, plan: &Bootstrap) -> Option<Band> {
        if self.is_difference() { None } else { self.curves.band(self.kind, plan) }
    }

    /// The limits and the value at an abscissa.
    pub fn limits(&self, x: f64) -> Limits {
        let mut limits = Limits { left: None, value: None, right: None };
        let side = self.side();
        for piece in self.pieces().skip_while(|piece| piece.to < x).take_while(|piece| piece.from <= x) {
            let value = piece.at(x);
            if piece.width() == 0.0 {
                limits.value = Some(piece.right());
                continue;
            }
            if piece.from < x {
                limits.left = Some(value);
            }
            if x < piece.to {
                limits.right = Some(value);
            }
            // The end of a piece belongs to it if the curve is continuous from within, or if no other piece meets it there.
            let belongs = match side {
                Side::Right => x < piece.to || limits.value.is_none(),
                Side::Left => x > piece.from || limits.value.is_none(),
                Side::Neither => true,
            };
            if belongs {
                limits.value = Some(value);
            }
        }
        limits
    }
}

const NO_DIFFERENCE: &str = "a difference is of two models, of one curve with an abscissa in common";
