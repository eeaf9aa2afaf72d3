//! Definitions evaluated along ties, gaps and corners of scored data.

use super::piece::{CurvePiece, UnitQuadratic};
use crate::scored::{Scored, Tie};
use crate::sum::CompensatedSum;
use rocproof_engine::calculus::panel::Point;
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::group::compile_definitions;
use rocproof_engine::functional::program::Program;
use std::sync::LazyLock;

/// The definitions of loss, rate and posterior, compiled.
struct CurvePrograms {
    loss: Program,
    rate: [Program; 2],
    rate_increment: Program,
    posterior: [Program; 2],
}

static PROGRAMS: LazyLock<CurvePrograms> = LazyLock::new(|| CurvePrograms {
    loss: compile_definitions(&["Q(cost)"]),
    rate: [compile_definitions(&["R"]), compile_definitions(&["1-R"])],
    rate_increment: compile_definitions(&["dR"]),
    posterior: [compile_definitions(&["c"]), compile_definitions(&["1-c"])],
});

/// An operating condition, a rate or a posterior, with one minus it.
pub(super) type WithComplement = [f64; 2];

/// The segment of the ROC curve of a tie.
#[derive(Clone, Copy, Debug)]
pub(super) struct TieSegment {
    /// The score of the tie.
    pub x: f64,
    pub start: Point,
    pub end: Point,
    /// `dF0`, `dF1`.
    pub increments: [f64; 2],
}

/// The segments of ties, which must come in the order of their scores.
pub(super) fn tie_segments<'a>(
    ties: impl Iterator<Item = Tie> + 'a,
    totals: [f64; 2],
) -> impl Iterator<Item = TieSegment> + 'a {
    let mut weights = [CompensatedSum::default(); 2];
    let mut last_point = point(0.0, [0.0; 2], [1.0; 2]);
    ties.map(move |tie| {
        weights = [0, 1].map(|k| weights[k].plus(tie.mass[k]));
        let below = |k: usize| (weights[k].value() / totals[k]).min(1.0);
        let above = |k: usize| ((totals[k] - weights[k].value()) / totals[k]).max(0.0);
        let start = last_point;
        last_point = point(tie.x, [below(0), below(1)], [above(0), above(1)]);
        TieSegment { x: tie.x, start, end: last_point, increments: [tie.mass[0] / totals[0], tie.mass[1] / totals[1]] }
    })
}

/// A point with its score, `F` and `1 - F`.
pub(super) fn point(x: f64, below: [f64; 2], above: [f64; 2]) -> Point {
    Point { x, x_complement: 1.0 - x, below, above }
}

/// The ends of the ROC curve: no row, and every row, is predicted to be of class 0.
pub(super) fn ends() -> [Point; 2] {
    [point(f64::NEG_INFINITY, [0.0; 2], [1.0; 2]), point(f64::INFINITY, [1.0; 2], [0.0; 2])]
}

/// Evaluates definitions along segments, under the class proportions of the data or balanced ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentEvaluator {
    proportions: [f64; 2],
}

impl SegmentEvaluator {
    /// Cost proportions take the class proportions of the data, skews take 1/2.
    pub(super) fn new(data: &Scored, condition: Condition) -> SegmentEvaluator {
        let (pi0, pi1) = if condition == Condition::Cost { data.proportions() } else { (0.5, 0.5) };
        SegmentEvaluator { proportions: [pi0, pi1] }
    }

    /// Takes these proportions of class 0 and of class 1.
    pub(super) fn with_proportions(proportions: [f64; 2]) -> SegmentEvaluator {
        SegmentEvaluator { proportions }
    }

    /// A definition along the segment between two points, while the condition moves linearly. `increments` are `dF0` and `dF1`.
    fn along(
        &self,
        program: &Program,
        [start, end]: [&Point; 2],
        costs: [WithComplement; 2],
        increments: [f64; 2],
    ) -> UnitQuadratic {
        let constant = |v: f64| UnitQuadratic::straight(v, v);
        let linear = |pick: fn(&Point) -> f64| UnitQuadratic::straight(pick(start), pick(end));
        let cost = |k: usize| UnitQuadratic::straight(costs[0][k], costs[1][k]);
        let direction = |k: usize| constant(increments[k] / (increments[0] + increments[1]));
        // The inputs of a program, in the order of `INPUTS`.
        let inputs = [
            linear(|p| p.x),
            linear(|p| p.x_complement),
            linear(|p| p.below[0]),
            linear(|p| p.above[0]),
            linear(|p| p.below[1]),
            linear(|p| p.above[1]),
            constant(0.0),
            constant(increments[0]),
            constant(increments[1]),
            direction(0),
            direction(1),
            constant(0.0),
            cost(0),
            cost(1),
        ];
        // No definition here reads the mean cost or the range of scores.
        let numbers =
            [constant(self.proportions[0]), constant(self.proportions[1]), constant(0.5), constant(0.0), constant(1.0)];
        let undefined = UnitQuadratic::straight(f64::NAN, f64::NAN);
        program.values(&inputs, &numbers, None, |_, _| None).into_iter().next().flatten().unwrap_or(undefined)
    }

    /// A definition along a tie that does not read the condition.
    fn along_tie(&self, program: &Program, tie: &TieSegment) -> UnitQuadratic {
        self.along(program, [&tie.start, &tie.end], [[0.0, 1.0]; 2], tie.increments)
    }

    /// The loss between two points, while the condition moves between two values.
    pub(super) fn loss(&self, points: [&Point; 2], costs: [WithComplement; 2]) -> CurvePiece {
        CurvePiece::of(costs[0][0], costs[1][0], self.along(&PROGRAMS.loss, points, costs, [1.0, 0.0]))
    }

    /// The loss at a point by operating condition.
    pub(super) fn cost_line(&self, point: &Point, from: f64, to: f64) -> CurvePiece {
        self.loss([point, point], [[from, 1.0 - from], [to, 1.0 - to]])
    }

    /// The predicted positive rate at both ends of a tie.
    pub(super) fn rates(&self, tie: &TieSegment) -> [WithComplement; 2] {
        let [rate, complement] = PROGRAMS.rate.each_ref().map(|program| self.along_tie(program, tie));
        [[rate.start, complement.start], [rate.end, complement.end]]
    }

    /// The point with the predicted positive rate `r`; it may lie inside a tie, which is then split at random.
    pub(super) fn at_rate(&self, ties: impl Iterator<Item = TieSegment>, r: f64) -> Point {
        let mut last_point = ends()[1];
        for tie in ties {
            let [[rate_before, _], [rate_after, _]] = self.rates(&tie);
            if r <= rate_after {
                return tie.start.toward(&tie.end, ((r - rate_before) / (rate_after - rate_before)).clamp(0.0, 1.0));
            }
            last_point = tie.end;
        }
        last_point
    }

    /// The increment of the predicted positive rate along a tie.
    pub(super) fn rate_increment(&self, tie: &TieSegment) -> f64 {
        self.along_tie(&PROGRAMS.rate_increment, tie).start
    }

    /// The posterior of class 1 in a tie.
    pub(super) fn posterior(&self, tie: &TieSegment) -> WithComplement {
        PROGRAMS.posterior.each_ref().map(|program| self.along_tie(program, tie).start)
    }
}
