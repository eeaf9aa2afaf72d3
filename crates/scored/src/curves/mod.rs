//! Curves of scored data, piece by piece.
//!
//! A curve is a chain of [`CurvePiece`]s from left to right, each a polynomial with a limit at both ends: no grid, nothing sampled. Where the
//! limits of neighbours differ the curve jumps. Losses are the definition of `Q` evaluated along the ties, gaps and corners of
//! the data in arithmetic on pieces, so no formula is written here again.
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
//! | `piece` | polynomials between two abscissae |
//! | `walk` | definitions along ties, gaps and corners |
//! | `kind` | which curves there are, and what they are called |
//! | `difference` | one curve minus another, breakpoints merged |
//!
//! The program writes them as JSON and as CSV.

mod difference;
mod kind;
mod piece;
mod walk;

pub use kind::{CurveKind, Side};
pub use piece::{CurvePiece, Divisor, UnitQuadratic};

use super::pools::{Pool, pools};
use super::scored::{Scored, Tie};
use super::sum::CompensatedSum;
use rocproof_engine::calculus::panel::Point;
use rocproof_engine::functional::definition::Scores;
use rocproof_engine::functional::{Condition, Method};
use walk::{TieEvaluator, TieSegment, ends, point, tie_segments};

/// The pieces of a curve, from left to right.
pub type CurvePieces<'a> = Box<dyn Iterator<Item = CurvePiece> + 'a>;

/// Scored data with their hull, ready for curves.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    data: &'a Scored,
    hull: Vec<Pool>,
}

/// A threshold and the loss at it by operating condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostLine {
    /// The threshold; minus infinity for the line of predicting class 1 throughout.
    pub threshold: f64,
    /// The loss on [0, 1].
    pub line: CurvePiece,
}

/// How much weight lies in an interval of scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Where the interval begins.
    pub from: f64,
    /// Where it ends; only the last interval has its end.
    pub to: f64,
    /// The weight of both classes.
    pub mass: [f64; 2],
}

/// A curve of scored data.
#[derive(Clone, Copy, Debug)]
pub struct ScoredCurve<'a> {
    kind: CurveKind,
    of: &'a Curves<'a>,
    minus: Option<&'a Curves<'a>>,
}

/// A curve at one abscissa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The limit from the left.
    pub left: Option<f64>,
    /// The value: at a vertical part the upper end, and where only limits are defined the right one.
    pub value: Option<f64>,
    /// The limit from the right.
    pub right: Option<f64>,
}

impl<'a> Curves<'a> {
    /// Pools adjacent violators, once for all curves.
    pub fn new(data: &'a Scored) -> Curves<'a> {
        Curves { data, hull: pools(data.ties()) }
    }

    /// The data.
    pub fn data(&self) -> &'a Scored {
        self.data
    }

    /// The scale of the scores: [0, 1] if they all lie in it.
    pub fn scale(&self) -> (f64, f64) {
        self.data.range()
    }

    /// A curve, or why it does not apply to these scores.
    pub fn curve(&'a self, kind: CurveKind) -> Result<ScoredCurve<'a>, String> {
        let needs = match kind {
            CurveKind::Loss(method, _) => method.scores(),
            CurveKind::Murphy | CurveKind::NetBenefit => Method::<f64>::ScoreDriven.scores(),
            _ => Scores::Any,
        };
        match needs.refusal(self.scale()) {
            Some(why) => Err(format!("{}: {why}", kind.title())),
            None => Ok(ScoredCurve { kind, of: self, minus: None }),
        }
    }

    /// The loss at each threshold by operating condition, one line for each score and one for the threshold below all.
    pub fn cost_lines(&self, condition: Condition) -> impl Iterator<Item = CostLine> + '_ {
        self.cost_lines_where(condition, |_| true)
    }

    /// The same for some of the thresholds, counted from 0, which is the one below all.
    pub fn cost_lines_where<'b>(
        &'b self,
        condition: Condition,
        is_wanted: impl Fn(usize) -> bool + 'b,
    ) -> impl Iterator<Item = CostLine> + 'b {
        let evaluator = TieEvaluator::new(self.data, condition);
        let [none, _] = ends();
        let points = std::iter::once(none).chain(self.tie_segments().map(|tie| tie.end));
        let wanted = points.enumerate().filter(move |(k, _)| is_wanted(*k));
        wanted.map(move |(_, at)| CostLine { threshold: at.x, line: evaluator.cost_line(&at, 0.0, 1.0) })
    }

    /// The scores that are pooled, in their order: what reliability and the hull are made of.
    pub fn pools(&self) -> &[Pool] {
        &self.hull
    }

    fn tie_segments(&self) -> impl Iterator<Item = TieSegment> + '_ {
        tie_segments(self.data.ties(), self.data.totals())
    }

    /// The segments of the hull, each as a tie.
    fn hull_segments(&self) -> impl Iterator<Item = TieSegment> + '_ {
        let steps = self.hull.iter().map(|pool| Tie { x: probability(pool), mass: pool.mass });
        tie_segments(steps, self.data.totals())
    }

    /// How much weight lies in each of so many intervals of the scale, all equally wide; a single one if all scores are equal.
    pub fn histogram(&self, bins: usize) -> Vec<Bin> {
        let (low, high) = self.scale();
        let count = if low < high { bins.max(1) } else { 1 };
        let place = |k: usize| if k == count { high } else { low + (high - low) * (k as f64 / count as f64) };
        let mut found: Vec<Bin> =
            (0..count).map(|k| Bin { from: place(k), to: place(k + 1), mass: [0.0; 2] }).collect();
        let mut k = 0;
        for step in self.data.ties() {
            while k + 1 < count && step.x >= found[k].to {
                k += 1;
            }
            [0, 1].into_iter().for_each(|class| found[k].mass[class] += step.mass[class]);
        }
        found
    }

    fn pieces(&self, kind: CurveKind) -> CurvePieces<'_> {
        match kind {
            CurveKind::Roc => Box::new(merged(roc(self.tie_segments()))),
            CurveKind::Hull => Box::new(merged(roc(self.hull_segments()))),
            CurveKind::Loss(method, condition) => self.losses(method, TieEvaluator::new(self.data, condition)),
            CurveKind::Reliability => Box::new(self.hull.iter().map(|pool| {
                let probability = probability(pool);
                CurvePiece::straight(pool.first, pool.last, probability, probability)
            })),
            CurveKind::Murphy => {
                Box::new(self.pieces(BRIER).map(|piece| CurvePiece { polynomial: half(piece.polynomial), ..piece }))
            }
            CurveKind::NetBenefit => self.net_benefit(self.pieces(BRIER)),
            CurveKind::TreatAll => self.net_benefit(self.cost_line(&ends()[1])),
            CurveKind::TreatNone => Box::new(std::iter::once(CurvePiece::straight(0.0, 1.0, 0.0, 0.0))),
        }
    }

    fn cost_line(&self, at: &Point) -> CurvePieces<'_> {
        Box::new(std::iter::once(TieEvaluator::new(self.data, Condition::Cost).cost_line(at, 0.0, 1.0)))
    }

    /// The loss of a method by operating condition.
    fn losses(&self, method: Method, evaluator: TieEvaluator) -> CurvePieces<'_> {
        let line = move |at| -> CurvePieces<'_> { Box::new(std::iter::once(evaluator.cost_line(&at, 0.0, 1.0))) };
        match method {
            Method::ScoreFixed(given) => {
                let below = self.tie_segments().take(self.data.ties_up_to(given)).last();
                line(below.map_or(ends()[0], |tie| tie.end))
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

    /// The mean point of the curve over a threshold drawn from the scale: `Q` is affine in `F0` and `F1`, so its mean is its value there.
    fn mean_over_scores(&self) -> Point {
        let (low, high) = self.scale();
        let gap = |from: f64, to: f64| (to - from) / (high - low);
        let mut mean = Mean::default();
        let mut at = (low, ends()[0]);
        for tie in self.tie_segments() {
            mean.add(&at.1, gap(at.0, tie.x));
            at = (tie.x, tie.end);
        }
        mean.add(&at.1, gap(at.0, high));
        mean.point()
    }

    /// The same over a rate drawn from [0, 1]: along a tie the mean is half way.
    fn mean_over_rates(&self, evaluator: TieEvaluator) -> Point {
        let mut mean = Mean::default();
        for tie in self.tie_segments() {
            let step = evaluator.rate_step(&tie);
            mean.add(&tie.start, step / 2.0);
            mean.add(&tie.end, step / 2.0);
        }
        mean.point()
    }

    /// Losses `Q` by `c` as net benefits by `p = 1-c`: `(c π0 - Q/2) / c`.
    fn net_benefit<'b>(&self, losses: CurvePieces<'b>) -> CurvePieces<'b> {
        let (pi0, _) = self.data.proportions();
        let mirrored = |piece: CurvePiece| {
            let UnitQuadratic { start, end, bend } = half(piece.polynomial);
            let numerator = UnitQuadratic { start: piece.to * pi0 - end, end: piece.from * pi0 - start, bend: -bend };
            CurvePiece {
                from: 1.0 - piece.to,
                to: 1.0 - piece.from,
                polynomial: numerator,
                divisor: Divisor::Complement,
            }
        };
        // Scores that are so near 0 that one minus them is 1 are past the end.
        let mut pieces: Vec<CurvePiece> =
            losses.map(mirrored).filter(|piece| piece.from < piece.to || piece.from == 0.0).collect();
        pieces.reverse();
        Box::new(pieces.into_iter())
    }
}

/// The loss that Brier curve, Murphy diagram and net benefit are about.
const BRIER: CurveKind = CurveKind::Loss(Method::ScoreDriven, Condition::Cost);

fn half(of: UnitQuadratic) -> UnitQuadratic {
    UnitQuadratic { start: of.start / 2.0, end: of.end / 2.0, bend: of.bend / 2.0 }
}

/// The calibrated probability of class 1 in a pool.
pub fn probability(pool: &Pool) -> f64 {
    pool.mass[1] / (pool.mass[0] + pool.mass[1])
}

/// The mean of points.
#[derive(Default)]
struct Mean {
    below: [CompensatedSum; 2],
    above: [CompensatedSum; 2],
}

impl Mean {
    fn add(&mut self, at: &Point, weight: f64) {
        for k in 0..2 {
            self.below[k] = self.below[k].plus(weight * at.below[k]);
            self.above[k] = self.above[k].plus(weight * at.above[k]);
        }
    }

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

/// Joins pieces that follow each other on one vertical or horizontal line.
fn merged<'a>(pieces: impl Iterator<Item = CurvePiece> + 'a) -> impl Iterator<Item = CurvePiece> + 'a {
    let mut pieces = pieces.peekable();
    std::iter::from_fn(move || {
        let mut piece = pieces.next()?;
        while let Some(joined) = pieces.peek().and_then(|next| piece.joined(*next).ok()) {
            piece = joined;
            pieces.next();
        }
        Some(piece)
    })
}

/// `Q(c; c)`: between two scores nothing moves but `c`.
fn score_driven<'a>(
    mut ties: impl Iterator<Item = TieSegment> + 'a,
    evaluator: TieEvaluator,
) -> impl Iterator<Item = CurvePiece> + 'a {
    let mut at = (0.0, ends()[0]);
    let mut is_over = false;
    std::iter::from_fn(move || {
        loop {
            let (x, next) = match ties.next() {
                Some(tie) => (tie.x, tie.end),
                None if is_over => return None,
                None => {
                    is_over = true;
                    // If there is a score of 1 this is the point that it jumps to.
                    return Some(evaluator.cost_line(&at.1, at.0, 1.0));
                }
            };
            let (from, here) = std::mem::replace(&mut at, (x, next));
            if from < x {
                return Some(evaluator.cost_line(&here, from, x));
            }
        }
    })
}

/// `min Q(t; c)`: at a corner of the hull nothing moves but `c`, from the posterior before it to that after it.
fn optimal<'a>(
    segments: impl Iterator<Item = TieSegment> + 'a,
    evaluator: TieEvaluator,
) -> impl Iterator<Item = CurvePiece> + 'a {
    let mut from = [0.0, 1.0];
    let [_, all] = ends();
    let corners = segments.map(move |tie| (tie.start, evaluator.posterior(&tie)));
    corners.chain(std::iter::once((all, [1.0, 0.0]))).filter_map(move |(at, to)| {
        let costs = [from, to];
        (from[0] < to[0]).then(|| {
            from = to;
            evaluator.loss([&at, &at], costs)
        })
    })
}

impl<'a> ScoredCurve<'a> {
    /// Which curve it is.
    pub fn kind(&self) -> CurveKind {
        self.kind
    }

    /// Whether it is the difference of two curves.
    pub fn is_difference(&self) -> bool {
        self.minus.is_some()
    }

    /// On which side of a jump the value is.
    pub fn side(&self) -> Side {
        self.kind.side()
    }

    /// Its pieces, from left to right; made one by one as they are asked for, except those of net benefit.
    pub fn pieces(&self) -> CurvePieces<'a> {
        match self.minus {
            None => self.of.pieces(self.kind),
            Some(other) => Box::new(difference::difference(self.of.pieces(self.kind), other.pieces(self.kind))),
        }
    }

    /// This curve minus the same curve of other data, exactly: breakpoints are merged and polynomials subtracted.
    ///
    /// ROC curves are compared as `F0` at equal `F1`; where one is vertical the difference jumps. Reliability is defined at the
    /// scores of the data only, and so has no difference.
    pub fn minus(&self, other: &ScoredCurve<'a>) -> Result<ScoredCurve<'a>, String> {
        if self.kind == CurveKind::Reliability
            || self.kind != other.kind
            || self.is_difference()
            || other.is_difference()
        {
            return Err(format!("no difference of {} and {}: {NO_DIFFERENCE}", self.kind.name(), other.kind.name()));
        }
        Ok(ScoredCurve { minus: Some(other.of), ..*self })
    }

    /// The area under it, exact but for rounding; `None` where a curve has none: reliability is not defined throughout, and net
    /// benefit is no polynomial and may fall to minus infinity.
    pub fn area(&self) -> Option<f64> {
        self.area_showing(|_| {})
    }

    /// The area, with a look at each piece on the way.
    pub fn area_showing(&self, mut look: impl FnMut(&CurvePiece)) -> Option<f64> {
        let mut area = (self.kind != CurveKind::Reliability).then(CompensatedSum::default);
        for piece in self.pieces() {
            look(&piece);
            area = area.zip(piece.area()).map(|(sum, area)| sum.plus(area));
        }
        area.map(CompensatedSum::value)
    }

    /// The limits and the value at an abscissa.
    pub fn limits(&self, x: f64) -> Limits {
        let mut found = Limits { left: None, value: None, right: None };
        let side = self.side();
        for piece in self.pieces().skip_while(|piece| piece.to < x).take_while(|piece| piece.from <= x) {
            let value = piece.at(x);
            if piece.width() == 0.0 {
                found.value = Some(piece.right());
                continue;
            }
            if piece.from < x {
                found.left = Some(value);
            }
            if x < piece.to {
                found.right = Some(value);
            }
            // An end of the piece belongs to it if the curve is continuous from within, or if nothing comes after it.
            let belongs = match side {
                Side::Right => x < piece.to || found.value.is_none(),
                Side::Left => x > piece.from || found.value.is_none(),
                Side::Neither => true,
            };
            if belongs {
                found.value = Some(value);
            }
        }
        found
    }
}

const NO_DIFFERENCE: &str = "a difference is of two models, of one curve with an abscissa in common";
