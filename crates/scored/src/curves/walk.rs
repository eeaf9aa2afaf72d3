//! Definitions evaluated along ties, gaps and corners of scored data.

use super::piece::{CurvePiece, UnitQuadratic};
use crate::scored::{Scored, Tie};
use crate::sum::CompensatedSum;
use rocproof_engine::calculus::panel::Point;
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::group::compile_definitions;
use rocproof_engine::functional::program::Program;
use std::sync::LazyLock;

/// What curves are made of, as the definitions have it.
struct CurvePrograms {
    loss: Program,
    rate: [Program; 2],
    rate_step: Program,
    posterior: [Program; 2],
}

static PROGRAMS: LazyLock<CurvePrograms> = LazyLock::new(|| CurvePrograms {
    loss: compile_definitions(&["Q(cost)"]),
    rate: [compile_definitions(&["R"]), compile_definitions(&["1-R"])],
    rate_step: compile_definitions(&["dR"]),
    posterior: [compile_definitions(&["c"]), compile_definitions(&["1-c"])],
});

/// An operating condition or rate with one minus it.
pub(super) type WithComplement = [f64; 2];

/// A tie: from which point to which the curve moves at a score.
#[derive(Clone, Copy, Debug)]
pub(super) struct TieSegment {
    pub x: f64,
    pub start: Point,
    pub end: Point,
    /// `dF0`, `dF1`.
    pub way: [f64; 2],
}

/// Ties, given in the order of their scores, as ways along the curve.
pub(super) fn tie_segments<'a>(
    steps: impl Iterator<Item = Tie> + 'a,
    totals: [f64; 2],
) -> impl Iterator<Item = TieSegment> + 'a {
    let mut reached = [CompensatedSum::default(); 2];
    let mut at = point(0.0, [0.0; 2], [1.0; 2]);
    steps.map(move |step| {
        reached = [0, 1].map(|k| reached[k].plus(step.mass[k]));
        let below = |k: usize| (reached[k].value() / totals[k]).min(1.0);
        let above = |k: usize| ((totals[k] - reached[k].value()) / totals[k]).max(0.0);
        let start = at;
        at = point(step.x, [below(0), below(1)], [above(0), above(1)]);
        TieSegment { x: step.x, start, end: at, way: [step.mass[0] / totals[0], step.mass[1] / totals[1]] }
    })
}

/// A point given `F` and `1 - F`.
pub(super) fn point(x: f64, below: [f64; 2], above: [f64; 2]) -> Point {
    Point { x, x_complement: 1.0 - x, below, above }
}

/// Where nobody is predicted to be of class 0, and where everybody is.
pub(super) fn ends() -> [Point; 2] {
    [point(f64::NEG_INFINITY, [0.0; 2], [1.0; 2]), point(f64::INFINITY, [1.0; 2], [0.0; 2])]
}

/// Under which class proportions definitions are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct TieEvaluator {
    proportions: [f64; 2],
}

impl TieEvaluator {
    pub(super) fn new(data: &Scored, condition: Condition) -> TieEvaluator {
        let (pi0, pi1) = if condition == Condition::Cost { data.proportions() } else { (0.5, 0.5) };
        TieEvaluator { proportions: [pi0, pi1] }
    }

    /// A term along the straight way from one point to another, under conditions from one to another, with `way` for `dF0`, `dF1`
    /// and for the direction.
    fn term(
        &self,
        term: &Program,
        [start, end]: [&Point; 2],
        costs: [WithComplement; 2],
        way: [f64; 2],
    ) -> UnitQuadratic {
        let same = |v: f64| UnitQuadratic::straight(v, v);
        let from_to = |pick: fn(&Point) -> f64| UnitQuadratic::straight(pick(start), pick(end));
        let cost = |k: usize| UnitQuadratic::straight(costs[0][k], costs[1][k]);
        let direction = |k: usize| same(way[k] / (way[0] + way[1]));
        let inputs = [
            from_to(|p| p.x),
            from_to(|p| p.x_complement),
            from_to(|p| p.below[0]),
            from_to(|p| p.above[0]),
            from_to(|p| p.below[1]),
            from_to(|p| p.above[1]),
            same(0.0),
            same(way[0]),
            same(way[1]),
            direction(0),
            direction(1),
            same(0.0),
            cost(0),
            cost(1),
        ];
        // Costs are not weighed and thresholds not drawn here: no mean, no scale.
        let numbers = [same(self.proportions[0]), same(self.proportions[1]), same(0.5), same(0.0), same(1.0)];
        let nothing = UnitQuadratic::straight(f64::NAN, f64::NAN);
        term.values(&inputs, &numbers, None, |_, _| None).into_iter().next().flatten().unwrap_or(nothing)
    }

    /// The loss on the way from one point to another, the condition moving along.
    pub(super) fn loss(&self, points: [&Point; 2], costs: [WithComplement; 2]) -> CurvePiece {
        CurvePiece::of(costs[0][0], costs[1][0], self.term(&PROGRAMS.loss, points, costs, [1.0, 0.0]))
    }

    /// The loss at a point by condition.
    pub(super) fn cost_line(&self, at: &Point, from: f64, to: f64) -> CurvePiece {
        self.loss([at, at], [[from, 1.0 - from], [to, 1.0 - to]])
    }

    /// The predicted positive rate at both ends of a tie.
    pub(super) fn rates(&self, tie: &TieSegment) -> [WithComplement; 2] {
        let of = |term: &Program| self.term(term, [&tie.start, &tie.end], [[0.0, 1.0]; 2], tie.way);
        let [rate, complement] = PROGRAMS.rate.each_ref().map(of);
        [[rate.start, complement.start], [rate.end, complement.end]]
    }

    /// The point where the predicted positive rate is `r`: a tie is split at random.
    pub(super) fn at_rate(&self, ties: impl Iterator<Item = TieSegment>, r: f64) -> Point {
        let mut last = ends()[1];
        for tie in ties {
            let [[from, _], [to, _]] = self.rates(&tie);
            if r <= to {
                return tie.start.toward(&tie.end, ((r - from) / (to - from)).clamp(0.0, 1.0));
            }
            last = tie.end;
        }
        last
    }

    /// How much the rate grows along a tie.
    pub(super) fn rate_step(&self, tie: &TieSegment) -> f64 {
        self.term(&PROGRAMS.rate_step, [&tie.start, &tie.end], [[0.0, 1.0]; 2], tie.way).start
    }

    /// The share of class 1 in a tie.
    pub(super) fn posterior(&self, tie: &TieSegment) -> WithComplement {
        let of = |term: &Program| self.term(term, [&tie.start, &tie.end], [[0.0, 1.0]; 2], tie.way).start;
        PROGRAMS.posterior.each_ref().map(of)
    }
}
