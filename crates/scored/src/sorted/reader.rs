//! The curve of sorted rows, read as the engine reads curves.

use super::super::chain::Scale;
use super::super::moments::ROUNDING;
use super::super::polynomial::Moves;
use super::super::read::reverse_scores;
use super::super::reading::ReadableChain;
use super::super::segments::{Segment, Segments};
use super::SortedRows;
use super::frame::Frame;
use super::sums::MonomialSums;
use rocproof_engine::calculus::Estimate;
use rocproof_engine::calculus::panel::Point;
use rocproof_engine::functional::along::SENSITIVITY;
use rocproof_engine::functional::evaluate::evaluate_readable;
use rocproof_engine::functional::group::Group;
use rocproof_engine::functional::program::{Environment, Program};
use rocproof_engine::functional::readable::{Doubts, Readable};
use rocproof_engine::functional::{Cost, Evaluation, Missing, Thresholds, Value};
use rocproof_engine::model::Curve;
use rocproof_language::definition::{METRICS, Method};
use rocproof_language::meaning::Pieces;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// The kinds of links of rows: gaps, ties of either label, ties of both.
const KINDS: [usize; 4] = [1, 2, 4, 6];
/// Error bound of a distribution function that is a compensated sum of weights.
const SUM_ERROR: f64 = 4.0 * f64::EPSILON;
/// Weights that are not related, so that no monomial cancels by accident; and equal ones, for which definitions may be planned otherwise.
const TRIALS: [[f64; 2]; 2] = [[3.7, 5.3], [4.1, 4.1]];
/// The scales of scores, with a range of each.
const SCALES: [(Scale, (f64, f64)); 5] = [
    (Scale::Input, (0.0, 1.0)),
    (Scale::OneMinus, (0.0, 1.0)),
    (Scale::Input, (-2.9, 7.3)),
    (Scale::Negated, (-2.9, 7.3)),
    (Scale::OneMinus, (0.2, 0.7)),
];

/// Asks for the monomials that definitions need, whatever the labels, the order and the scale turn out to be. Returns the scores at which
/// definitions read the curve.
pub(super) fn ask(sums: &mut MonomialSums, cost: &Cost, thresholds: &Thresholds) -> Vec<f64> {
    let asked = RefCell::new((sums, Vec::new()));
    for totals in TRIALS {
        for (scale, range) in SCALES {
            for (labels, backwards) in [([0, 1], false), ([1, 0], false), ([0, 1], true), ([1, 0], true)] {
                let frame = Frame { labels, backwards, scale, totals };
                let all = totals[0] + totals[1];
                let proportions = (totals[0] / all, totals[1] / all);
                let recorder = Recorder { asked: &asked, frame, range };
                evaluate_readable(&recorder, &Curve::diagonal(), proportions, cost, thresholds);
            }
        }
    }
    asked.into_inner().1
}

/// A curve of unknown rows: it notes what definitions ask for.
struct Recorder<'a, 'b> {
    asked: &'a RefCell<(&'b mut MonomialSums, Vec<f64>)>,
    frame: Frame,
    range: (f64, f64),
}

/// Estimates that are all alike, for each definition of each group.
fn constant(asked: &[(&Group, &Environment)], value: f64) -> Vec<Vec<Estimate>> {
    asked.iter().map(|(group, _)| vec![Estimate { value, error: 0.0 }; group.len()]).collect()
}

impl Readable for Recorder<'_, '_> {
    fn range(&self) -> (f64, f64) {
        self.range
    }

    fn pieces(&self) -> Pieces {
        Pieces::ANY
    }

    fn doubts(&self) -> Doubts {
        Doubts::default()
    }

    fn is_reversed(&self) -> bool {
        self.frame.scale != Scale::Input
    }

    fn integrals(
        &self,
        asked: &[(&Group, &Environment)],
        extremes: &[(&Program, &Environment)],
    ) -> (Vec<Vec<Estimate>>, Vec<f64>) {
        let (sums, _) = &mut *self.asked.borrow_mut();
        for (group, environment) in asked {
            for kind in KINDS {
                let moves = Moves::of_kind(kind);
                let forms = self.frame.polynomials(&group.on(moves.piece()).program, environment, moves);
                for form in forms.iter().take(group.len()) {
                    form.integral().into_iter().flatten().for_each(|(powers, _)| sums.ask(kind, powers));
                }
            }
        }
        (constant(asked, 0.0), vec![0.0; extremes.len()])
    }

    fn with_corners(&self, group: &Group, _: &Environment) -> Vec<Estimate> {
        vec![Estimate { value: 0.0, error: 0.0 }; group.len()]
    }

    fn at_score(&self, t: f64) -> Point {
        let (_, scores) = &mut *self.asked.borrow_mut();
        if !scores.contains(&t) {
            scores.push(t);
        }
        Curve::diagonal().at_score(0.5)
    }

    fn at_rate(&self, r: f64, pi0: f64) -> Point {
        Curve::diagonal().at_rate(r, pi0)
    }
}

/// All metrics and expected losses of rows that were all added.
pub(super) fn evaluate(rows: &SortedRows, frame: &Frame, range: (f64, f64)) -> Evaluation {
    let uncertainty = if rows.whole { 0.0 } else { SUM_ERROR };
    // Along the curve the share of class 1 grows on the upper hull, and falls on the lower one.
    let upper = usize::from(frame.labels[usize::from(!frame.backwards)] == 1);
    let [upper, lower] = [upper, 1 - upper].map(|label| {
        Segments::of_list(
            curve_segments(&rows.hulls[label], label, frame),
            frame.totals,
            range,
            frame.scale,
            uncertainty,
        )
    });
    let [n0, n1] = frame.totals;
    let proportions = (n0 / (n0 + n1), n1 / (n0 + n1));
    let reader = RowReader { rows, frame, range, uncertainty, hulls: [&upper, &lower], rate_error: Cell::new(0.0) };
    let evaluation = evaluate_readable(&reader, &ReadableChain(&upper), proportions, &rows.cost, &rows.thresholds);
    let mut evaluation = upper.describe(evaluation);
    widen_rate_fixed(&mut evaluation, 2.0 * reader.rate_error.get());
    for value in &mut evaluation.values {
        if matches!(value, Value::Missing(Missing::NotComputed)) {
            *value = Missing::Inapplicable("one pass over sorted rows does not give it".into()).into();
        }
    }
    if frame.scale == Scale::Input {
        return evaluation;
    }
    // The scores of the rows, which one minus the score on the curve may miss by a rounding.
    let inputs: HashMap<u64, f64> = upper
        .list
        .iter()
        .flat_map(|segment| [segment.from, segment.to])
        .map(|[x, complement]| (x.to_bits(), if frame.scale == Scale::OneMinus { complement } else { -x }))
        .collect();
    let offset = if frame.scale == Scale::OneMinus { 1.0 } else { 0.0 };
    let input_score = |x: f64| inputs.get(&x.to_bits()).copied().unwrap_or(offset - x);
    reverse_scores(evaluation, input_score, |mean| offset - mean)
}

/// Widens the losses of the rate-fixed method.
fn widen_rate_fixed(evaluation: &mut Evaluation, error: f64) {
    let methods = evaluation.thresholds.methods();
    let is_rate_fixed = |method: &Method| matches!(method, Method::RateFixed(_));
    for (k, _) in methods.iter().enumerate().filter(|(_, method)| is_rate_fixed(method)) {
        for at in [METRICS.len() + k, METRICS.len() + Method::ALL.len() + k] {
            if let Some(Value::Numeric(estimate)) = evaluation.values.get_mut(at) {
                *estimate = estimate.widened(error);
            }
        }
    }
}

/// The pools of a hull in the order of the curve. Their weights are those of another label and of `label`.
fn curve_segments(hull: &[Segment], label: usize, frame: &Frame) -> Vec<Segment> {
    let curve_score = |[s, complement]: [f64; 2]| match frame.scale {
        Scale::Input => [s, complement],
        Scale::OneMinus => [complement, s],
        Scale::Negated => [-s, 1.0 + s],
    };
    let on_curve = |segment: &Segment| {
        let [from, to] = [segment.from, segment.to].map(curve_score);
        let [from, to] = if frame.backwards { [to, from] } else { [from, to] };
        let mass = frame.labels.map(|of_class| segment.mass[usize::from(of_class == label)]);
        Segment { from, to, mass, ..*segment }
    };
    let mut list: Vec<Segment> = hull.iter().map(on_curve).collect();
    if frame.backwards {
        list.reverse();
    }
    list
}

/// The curve of all rows.
struct RowReader<'a> {
    rows: &'a SortedRows,
    frame: &'a Frame,
    range: (f64, f64),
    uncertainty: f64,
    /// The upper and the lower hull of the ROC curve.
    hulls: [&'a Segments; 2],
    /// How far the rate of a point may be off.
    rate_error: Cell<f64>,
}

impl RowReader<'_> {
    /// The integral of a definition from the sums of its monomials; NaN if it is no sum of those that were asked for.
    fn integrate(&self, group: &Group, environment: &Environment) -> Vec<Estimate> {
        let mut values = vec![(0.0, 0.0); group.len()];
        for kind in KINDS {
            let moves = Moves::of_kind(kind);
            let forms = self.frame.polynomials(&group.on(moves.piece()).program, environment, moves);
            for (value, form) in values.iter_mut().zip(&forms) {
                let Some(terms) = form.integral() else {
                    *value = (f64::NAN, f64::NAN);
                    continue;
                };
                for (powers, c) in terms {
                    let (sum, size) = self.rows.sums.get(kind, &powers).unwrap_or((f64::NAN, f64::NAN));
                    *value = (value.0 + c * sum, value.1 + c.abs() * size);
                }
            }
        }
        let rounding = ROUNDING + environment.cost.rounding();
        let estimate = |(value, size): (f64, f64)| Estimate { value, error: rounding * size };
        let widened = |estimate: Estimate| estimate.widened(SENSITIVITY * self.uncertainty);
        values.into_iter().map(estimate).map(widened).collect()
    }

    /// Both distribution functions at a point, from the weight of each label in the rows before it.
    fn shares(&self, before: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|class| {
            let share = before[self.frame.labels[class]] / self.frame.totals[class];
            (if self.frame.backwards { 1.0 - share } else { share }).clamp(0.0, 1.0)
        })
    }
}

/// A point from its distribution functions.
fn point(below: [f64; 2]) -> Point {
    Point { x: 0.5, x_complement: 0.5, below, above: below.map(|share| 1.0 - share) }
}

impl Readable for RowReader<'_> {
    fn range(&self) -> (f64, f64) {
        self.range
    }

    fn pieces(&self) -> Pieces {
        Pieces::ANY
    }

    fn doubts(&self) -> Doubts {
        Doubts { uncertainty: self.uncertainty, ..Doubts::default() }
    }

    fn is_reversed(&self) -> bool {
        self.frame.scale != Scale::Input
    }

    fn integrals(
        &self,
        asked: &[(&Group, &Environment)],
        extremes: &[(&Program, &Environment)],
    ) -> (Vec<Vec<Estimate>>, Vec<f64>) {
        let integrals = asked.iter().map(|(group, environment)| self.integrate(group, environment)).collect();
        // Functions of `F0 - F1` are largest at a corner of the upper hull or of the lower one.
        let [upper, lower] = self.hulls.map(|hull| ReadableChain(hull).integrals(&[], extremes).1);
        (integrals, upper.into_iter().zip(lower).map(|(a, b)| a.max(b)).collect())
    }

    fn with_corners(&self, group: &Group, _: &Environment) -> Vec<Estimate> {
        vec![Estimate { value: f64::NAN, error: f64::NAN }; group.len()]
    }

    fn at_score(&self, t: f64) -> Point {
        let Some((_, [below, at])) = self.rows.at_scores.iter().find(|(score, _)| *score == t) else {
            return point([f64::NAN; 2]);
        };
        let is_reversed = self.is_reversed();
        point([0, 1].map(|class| {
            let (label, total) = (self.frame.labels[class], self.frame.totals[class]);
            let low = below[label].value();
            let weight = if is_reversed { total - low } else { low + at[label].value() };
            (weight / total).clamp(0.0, 1.0)
        }))
    }

    fn at_rate(&self, r: f64, pi0: f64) -> Point {
        let totals = self.rows.totals();
        let rate = |[f0, f1]: [f64; 2]| pi0 * f0 + (1.0 - pi0) * f1;
        let (below, error) = self.rows.points.find(totals, |before| self.shares(before), rate, r);
        self.rate_error.set(self.rate_error.get().max(error));
        point(below)
    }
}
