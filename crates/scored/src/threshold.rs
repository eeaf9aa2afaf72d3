//! The threshold that each method chooses at one operating condition, and its loss there.
//!
//! Equalities are decided exactly: whether a rate is reached without splitting a tie, and which thresholds have equal losses. Conditions
//! and rates are rationals, as they were written, and sums of weights are exact.

use super::finite::RATES_OF_UNIFORM_RATE;
use super::operating_point::OperatingPoint;
use super::scored::{Scored, Tie};
use super::sum::ExactSum;
use rocproof_arith::rational::to_f64;
use rocproof_arith::{Interval, Rational};
use rocproof_engine::calculus::Estimate;
use rocproof_engine::functional::definition::{COST_OF_SKEW, SKEW, UNIT_OF_SKEW};
use rocproof_engine::functional::formula::{self, middle};
use rocproof_engine::functional::group::compile_definitions;
use rocproof_engine::functional::program::Program;
use rocproof_engine::functional::{Condition, Evaluation, Method, Missing, Value};
use std::cmp::Ordering;
use std::sync::LazyLock;

/// Relative error bound of a proportion, and of weights that were added up within a tie.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Sums of two products that differ by less than this, relative to the largest possible sum, are compared exactly.
const CLOSE: f64 = 32.0 * f64::EPSILON;

static LOSS: LazyLock<Program> = LazyLock::new(|| compile_definitions(&["Q(cost)"]));
static RATE: LazyLock<Program> = LazyLock::new(|| compile_definitions(&["R"]));

/// A threshold on the scale of the input, or the rule by which it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Threshold {
    /// A single threshold.
    At(f64),
    /// Any threshold from the first number (`-inf` if there is no lower bound) to below the second: all predict alike. If class 0 is
    /// predicted for scores of at least the threshold, any above the first number up to the second.
    Between(f64, f64),
    /// A tie is split: class 0 is predicted for all scores on its side of `score`, and for a random share of the rows at `score`.
    Split {
        /// The score of the tie.
        score: f64,
        /// The share of its rows that are predicted to be of class 0.
        share: Estimate,
    },
    /// Drawn uniformly from this interval, the scale of the scores.
    DrawnScore(f64, f64),
    /// A threshold that reaches a predicted positive rate drawn uniformly from [0, 1].
    DrawnRate,
    /// All thresholds of least loss.
    Minimisers(Vec<MinimiserInterval>),
}

impl Threshold {
    /// Puts the ends of intervals in ascending order. Along the curve input scores fall if they were reversed.
    fn in_ascending_order(self, data: &Scored) -> Threshold {
        if !data.is_reversed() {
            return self;
        }
        match self {
            Threshold::Between(from, to) => Threshold::Between(to, from),
            Threshold::Minimisers(intervals) => {
                let exchange_ends = |m: &MinimiserInterval| MinimiserInterval { from: m.to, to: m.from, ..*m };
                Threshold::Minimisers(intervals.iter().map(exchange_ends).collect())
            }
            other => other,
        }
    }
}

/// An interval of thresholds of least loss: from `from` to below `to`, or above `from` up to `to`, as in [`Threshold::Between`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimiserInterval {
    /// The lower end; `-inf` if there is none.
    pub from: f64,
    /// The upper end; `inf` if there is none.
    pub to: f64,
    /// The number of points of the ROC curve that the interval covers.
    pub points: usize,
    /// The rates at the first of these points.
    pub first: Rates,
    /// The rates at the last of these points.
    pub last: Rates,
}

/// The rates of a threshold; the expected rates, if it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The predicted positive rate `R`; for a skew, with both classes weighted equally.
    pub predicted_positive: Estimate,
    /// The true positive rate `F0`.
    pub true_positive: Estimate,
    /// The false positive rate `F1`.
    pub false_positive: Estimate,
}

/// The threshold of one method.
#[derive(Clone, Debug)]
pub struct ChosenThreshold {
    /// The method.
    pub method: Method,
    /// The threshold with its rates (those of the first minimiser, if there are several), or why the method does not apply.
    pub threshold: Result<(Threshold, Rates), Missing>,
    /// The loss at the condition; the expected loss, if the threshold is drawn.
    pub loss: Value,
}

/// The thresholds of all methods at one operating condition.
#[derive(Clone, Debug)]
pub struct AtCondition {
    /// The condition.
    pub at: OperatingPoint,
    /// The condition as a cost proportion, given the class proportions of the data.
    pub cost_proportion: Value,
    /// The condition as a skew.
    pub skew: Value,
    /// `2(c π0 + (1-c) π1)`: the loss under the cost proportion divided by the loss under the skew.
    pub loss_ratio: Value,
    /// Whether class 0 is predicted for scores of at least the threshold (instead of at most), because higher scores indicate it.
    pub predicts_class_0_at_or_above: bool,
    /// The threshold of each method.
    pub chosen: Vec<ChosenThreshold>,
}

/// The threshold of each method at one operating condition and its loss there, given the evaluation of the same data.
///
/// ```
/// use rocproof_scored::{OperatingPoint, Scored, Threshold, evaluate_scored, thresholds_at};
/// use rocproof_engine::{Cost, functional::Thresholds};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
/// let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
/// let thresholds = thresholds_at(&data, &evaluation, &OperatingPoint::parse("c=0.2")?);
/// let optimal = thresholds.chosen.last().unwrap();
/// let Ok((Threshold::Minimisers(intervals), _)) = &optimal.threshold else { panic!() };
/// assert_eq!((intervals[0].from, intervals[0].to, intervals.len()), (0.1, 0.35, 1));
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn thresholds_at(data: &Scored, evaluation: &Evaluation, at: &OperatingPoint) -> AtCondition {
    let chooser = ThresholdChooser::new(data, at);
    let chosen = evaluation.thresholds.methods().map(|method| chooser.choose(method, evaluation)).to_vec();
    let (pi0, pi1) = data.proportions();
    let proportion = |name: &str| match name {
        "pi0" => Some(Interval::around(pi0, ROUNDING * pi0)),
        "pi1" => Some(Interval::around(pi1, ROUNDING * pi1)),
        _ => None,
    };
    // A definition as text, with the class proportions and one more variable.
    let evaluate = |text: &str, variable: &str, value: Interval| {
        let named = |name: &str| if name == variable { Some(value) } else { proportion(name) };
        formula::value(text, named).unwrap_or(Interval::ALL)
    };
    let value = Interval::of(at.value());
    let (cost, skew) = match at.condition() {
        Condition::Cost => (value, evaluate(SKEW, "c", value)),
        Condition::Skew => (evaluate(COST_OF_SKEW, "z", value), value),
    };
    let loss_ratio = evaluate(UNIT_OF_SKEW, "c", cost);
    let [cost_proportion, skew, loss_ratio] = [cost, skew, loss_ratio].map(|interval| Value::Numeric(middle(interval)));
    AtCondition {
        at: at.clone(),
        cost_proportion,
        skew,
        loss_ratio,
        predicts_class_0_at_or_above: data.is_reversed(),
        chosen,
    }
}

/// The weight of each class up to a point of the ROC curve.
#[derive(Clone, Debug, Default)]
struct CumulativeWeights([ExactSum; 2]);

impl CumulativeWeights {
    /// Adds the weights of a tie.
    fn add(&mut self, tie: &Tie) {
        self.0.iter_mut().zip(tie.mass).for_each(|(sum, mass)| sum.add(mass));
    }

    /// A linear combination of both weights, exactly.
    fn combine(&self, factors: &[Rational; 2]) -> Rational {
        &factors[0] * self.0[0].exact() + &factors[1] * self.0[1].exact()
    }

    /// A linear combination of both weights, in floating point.
    fn combine_rounded(&self, factors: &[f64; 2]) -> f64 {
        factors[0] * self.0[0].rounded() + factors[1] * self.0[1].rounded()
    }
}

/// Enclosures of `F0`, `F1` and one minus each.
#[derive(Clone, Copy, Debug)]
struct RocPoint {
    below: [Interval; 2],
    above: [Interval; 2],
}

/// An interval of thresholds that predict alike.
struct Cutpoint<'a> {
    /// The tie before it; `None` before the first.
    tie: Option<Tie>,
    /// The ends of the interval, in the order of the curve.
    from: f64,
    to: f64,
    /// The weights that are predicted to be of class 0.
    weights: &'a CumulativeWeights,
}

impl Scored {
    /// The score-driven threshold at a condition `c`, on the scale of the input: if scores were reversed, `1 - s <= c` is `s >= 1 - c`.
    pub(super) fn driven_threshold(&self, c: &Rational) -> f64 {
        if self.is_reversed() { to_f64(&(Rational::ONE - c)) } else { to_f64(c) }
    }
}

/// Chooses thresholds on data at one operating condition.
struct ThresholdChooser<'a> {
    data: &'a Scored,
    at: &'a OperatingPoint,
    /// The total weight of each class.
    totals: [Rational; 2],
    /// The factor of a row of each class in rates and losses: 1, or for a skew the total of the other class, which balances the classes.
    class_factors: [Rational; 2],
    /// The class proportions under which losses are read.
    proportions: [Interval; 2],
    /// Relative error bound of weights: 0 if all are whole numbers.
    rounding: f64,
}

impl<'a> ThresholdChooser<'a> {
    /// Sums the weights of the data, and derives the class factors and proportions at the condition.
    fn new(data: &'a Scored, at: &'a OperatingPoint) -> ThresholdChooser<'a> {
        let mut total_weights = CumulativeWeights::default();
        let mut are_whole = true;
        for tie in data.ties() {
            are_whole &= tie.mass.iter().all(|mass| mass.fract() == 0.0);
            total_weights.add(&tie);
        }
        let rounding = if are_whole { 0.0 } else { ROUNDING };
        let totals = total_weights.0.each_ref().map(ExactSum::exact);
        let class_factors = match at.condition() {
            Condition::Cost => [Rational::ONE, Rational::ONE],
            Condition::Skew => [totals[1].clone(), totals[0].clone()],
        };
        let weighted: [Rational; 2] = std::array::from_fn(|k| &totals[k] * &class_factors[k]);
        // Balanced proportions are exact, whatever the errors of weights.
        let relative_error = if at.condition() == Condition::Cost { rounding } else { 0.0 };
        let proportions = std::array::from_fn(|k| {
            let proportion = Interval::of(&(&weighted[k] / (&weighted[0] + &weighted[1])));
            proportion + Interval::around(0.0, relative_error * proportion.hi())
        });
        ThresholdChooser { data, at, totals, class_factors, proportions, rounding }
    }

    /// The threshold of a method, with its rates and loss.
    fn choose(&self, method: Method, evaluation: &Evaluation) -> ChosenThreshold {
        if let Some(why) = method.scores().refusal(self.data.range()) {
            let why = Missing::Inapplicable(why.into());
            return ChosenThreshold { method, threshold: Err(why.clone()), loss: why.into() };
        }
        let choice = match method {
            Method::ScoreFixed(t) => Some((Threshold::At(t), self.point_at_score(t))),
            Method::ScoreDriven => {
                let t = self.data.driven_threshold(self.at.value());
                Some((Threshold::At(t), self.point_at_score(t)))
            }
            Method::RateFixed(_) => evaluation.thresholds.rate.as_rational().map(|rate| self.at_rate(&rate)),
            Method::RateDriven => Some(self.at_rate(self.at.value())),
            Method::ScoreUniform => self.drawn_score(evaluation),
            Method::RateUniform => self.drawn_rate(evaluation),
            Method::Optimal => self.minimisers(),
        };
        let loss = choice.as_ref().and_then(|(_, point)| self.read(&LOSS, point));
        let loss = loss.map_or(Missing::NotComputed.into(), |loss| Value::Numeric(middle(loss)));
        let with_rates =
            |(threshold, point): (Threshold, RocPoint)| (threshold.in_ascending_order(self.data), self.rates(&point));
        ChosenThreshold { method, threshold: choice.map(with_rates).ok_or(Missing::NotComputed), loss }
    }

    /// The value of a definition at a point of the curve, under the operating condition. `None` if it reads another variable.
    fn read(&self, program: &Program, point: &RocPoint) -> Option<Interval> {
        let condition = Interval::of(self.at.value());
        let complement = Interval::of(&(Rational::ONE - self.at.value()));
        program.value(|name| {
            Some(match name {
                "F0" => &point.below[0],
                "F1" => &point.below[1],
                "1-F0" => &point.above[0],
                "1-F1" => &point.above[1],
                "pi0" => &self.proportions[0],
                "pi1" => &self.proportions[1],
                "cost" => &condition,
                "1-cost" => &complement,
                _ => return None,
            })
        })
    }

    /// The rates of a point of the curve, as estimates.
    fn rates(&self, point: &RocPoint) -> Rates {
        let rate = self.read(&RATE, point).unwrap_or(Interval::ALL).meet(Interval::UNIT);
        let [true_positive, false_positive] = point.below.map(middle);
        Rates { predicted_positive: middle(rate), true_positive, false_positive }
    }

    /// The point of the ROC curve with these weights on the side of class 0.
    fn roc_point(&self, weights: &CumulativeWeights) -> RocPoint {
        let totals = self.totals.each_ref().map(Interval::of);
        let share = |weight: Interval, k: usize| {
            let share = weight / totals[k];
            (share + Interval::around(0.0, self.rounding * share.magnitude())).meet(Interval::UNIT)
        };
        let below = std::array::from_fn(|k| share(weights.0[k].interval(), k));
        let above = std::array::from_fn(|k| share(totals[k] - weights.0[k].interval(), k));
        RocPoint { below, above }
    }

    /// The point of a threshold on the scale of the input.
    fn point_at_score(&self, t: f64) -> RocPoint {
        let mut weights = CumulativeWeights::default();
        let ties = self.data.ties_up_to(t);
        self.data.ties_on_input_scale().take(ties).for_each(|tie| weights.add(&tie));
        self.roc_point(&weights)
    }

    /// The threshold with the predicted positive rate `r`: between two ties if one ends at this rate exactly, else a split tie.
    fn at_rate(&self, r: &Rational) -> (Threshold, RocPoint) {
        let factors = &self.class_factors;
        let rough_factors = factors.each_ref().map(to_f64);
        let target = r * (&factors[0] * &self.totals[0] + &factors[1] * &self.totals[1]);
        let rough_target = to_f64(&target);
        // Floating point decides, unless both sides are close.
        let is_below_target = |weights: &CumulativeWeights| {
            weights.combine_rounded(&rough_factors) < rough_target * (1.0 - CLOSE) || weights.combine(factors) < target
        };
        let [start, end] = self.outer_ends();
        let mut ties = self.data.ties_on_input_scale();
        let mut before = CumulativeWeights::default();
        if target <= Rational::ZERO {
            let first_score = ties.next().map_or(end, |tie| tie.x);
            return (Threshold::Between(start, first_score), self.roc_point(&before));
        }
        let mut weights = CumulativeWeights::default();
        let mut last_score = start;
        while let Some(tie) = ties.next() {
            weights.add(&tie);
            if is_below_target(&weights) {
                before.clone_from(&weights);
                last_score = tie.x;
                continue;
            }
            if weights.combine(factors) == target {
                let next_score = ties.next().map_or(end, |tie| tie.x);
                return (Threshold::Between(tie.x, next_score), self.roc_point(&weights));
            }
            return self.split(&tie, &before, &weights, &target);
        }
        // Exact sums reach the rate 1 at the last tie. A larger rate is not reached.
        (Threshold::Between(last_score, end), self.roc_point(&before))
    }

    /// Splits a tie at the point where the weighted count of predicted positives is `target`.
    fn split(
        &self,
        tie: &Tie,
        before: &CumulativeWeights,
        after: &CumulativeWeights,
        target: &Rational,
    ) -> (Threshold, RocPoint) {
        let [count_before, count_after] = [before, after].map(|weights| weights.combine(&self.class_factors));
        let width = &count_after - &count_before;
        // Errors of weights are relative to their sums, and so may be large relative to a small tie.
        let error = self.rounding * to_f64(&((&count_after + &count_before + target) / &width));
        let share = Interval::of(&((target - &count_before) / &width));
        let share = (share + Interval::around(0.0, error)).meet(Interval::UNIT);
        let (low, high) = (self.roc_point(before), self.roc_point(after));
        // The point that divides the segment of the tie in this share.
        let mix = |a: [Interval; 2], b: [Interval; 2]| {
            std::array::from_fn(|k| (a[k] + share * (b[k] - a[k])).meet(Interval::UNIT))
        };
        let point = RocPoint { below: mix(low.below, high.below), above: mix(low.above, high.above) };
        (Threshold::Split { score: tie.x, share: middle(share) }, point)
    }

    /// The infinite thresholds before the first and after the last tie, on the scale of the input.
    fn outer_ends(&self) -> [f64; 2] {
        let (before, after) = (f64::NEG_INFINITY, f64::INFINITY);
        if self.data.is_reversed() { [after, before] } else { [before, after] }
    }

    /// Expected rates of a threshold drawn uniformly from the range `[l, h]`: with the mean score `s` of a class, its mean of `F` is
    /// `(h - s)/(h - l)`.
    fn drawn_score(&self, evaluation: &Evaluation) -> Option<(Threshold, RocPoint)> {
        let (l, h) = self.data.range();
        let mean = |name: &str| evaluation.metric(name).and_then(Value::estimate);
        let means = [mean("s0")?, mean("s1")?].map(|s| Interval::around(s.value, s.error));
        let [low, high] = [l, h].map(Interval::from);
        let below = means.map(|s| ((high - s) / (high - low)).meet(Interval::UNIT));
        let above = means.map(|s| ((s - low) / (high - low)).meet(Interval::UNIT));
        let ends = [l, h].map(|x| self.data.input_mean(x));
        Some((Threshold::DrawnScore(ends[0].min(ends[1]), ends[0].max(ends[1])), RocPoint { below, above }))
    }

    /// Expected rates of a threshold at a random row, with ties split: its predicted positive rate is uniform.
    fn drawn_rate(&self, evaluation: &Evaluation) -> Option<(Threshold, RocPoint)> {
        let auc = evaluation.metric("AUC").and_then(Value::estimate)?;
        let named = |name: &str| match name {
            "AUC" => Some(Interval::around(auc.value, auc.error)),
            "pi0" => Some(self.proportions[0]),
            "pi1" => Some(self.proportions[1]),
            _ => None,
        };
        let below = RATES_OF_UNIFORM_RATE.map(|text| formula::value(text, named).unwrap_or(Interval::ALL));
        Some((Threshold::DrawnRate, RocPoint { below, above: below.map(|f| Interval::ONE - f) }))
    }

    /// All thresholds of least loss.
    ///
    /// Up to a constant and a positive factor the loss is `(1-c) f1 W1 - c f0 W0`, with the class factors `f` and the cumulative weights
    /// `W`. A first pass finds the minimum in floating point; a second compares the points close to it exactly.
    fn minimisers(&self) -> Option<(Threshold, RocPoint)> {
        let c = self.at.value();
        let factors = [-(c * &self.class_factors[0]), (Rational::ONE - c) * &self.class_factors[1]];
        let rough_factors = factors.each_ref().map(to_f64);
        let largest_sum: f64 = (0..2).map(|k| rough_factors[k].abs() * to_f64(&self.totals[k])).sum();
        let mut least_loss = 0.0f64;
        self.visit_cutpoints(|cut| least_loss = least_loss.min(cut.weights.combine_rounded(&rough_factors)));
        let limit = least_loss + CLOSE * largest_sum;

        let mut runs: Vec<MinimiserRun> = Vec::new();
        let mut best: Option<Rational> = None;
        // The exact loss at the last point compared, as long as the ties since then do not change it.
        let mut same_loss: Option<Rational> = None;
        self.visit_cutpoints(|cut| {
            if cut.tie.is_some_and(|tie| (0..2).any(|k| tie.mass[k] > 0.0 && rough_factors[k] != 0.0)) {
                same_loss = None;
            }
            if cut.weights.combine_rounded(&rough_factors) > limit {
                return;
            }
            let loss = same_loss.take().unwrap_or_else(|| cut.weights.combine(&factors));
            let order = best.as_ref().map_or(Ordering::Less, |best| loss.cmp(best));
            if order.is_lt() {
                runs.clear();
                best = Some(loss.clone());
            }
            if order.is_le() {
                match runs.last_mut().filter(|run| run.to == cut.from) {
                    Some(run) => run.extend(&cut),
                    None => runs.push(MinimiserRun::new(&cut)),
                }
            }
            same_loss = Some(loss);
        });
        let point = self.roc_point(&runs.first()?.first);
        let minimisers = runs.iter().map(|run| {
            let rates = |weights: &CumulativeWeights| self.rates(&self.roc_point(weights));
            let first = rates(&run.first);
            let last = run.last.as_ref().map_or(first, rates);
            MinimiserInterval { from: run.from, to: run.to, points: run.points, first, last }
        });
        Some((Threshold::Minimisers(minimisers.collect()), point))
    }

    /// Visits the cutpoints before, between and after the ties, in the order of the curve.
    fn visit_cutpoints(&self, mut visit: impl FnMut(Cutpoint)) {
        let [start, end] = self.outer_ends();
        let mut weights = CumulativeWeights::default();
        let mut ties = self.data.ties_on_input_scale().peekable();
        let score_or_end = |tie: Option<&Tie>| tie.map_or(end, |tie| tie.x);
        visit(Cutpoint { tie: None, from: start, to: score_or_end(ties.peek()), weights: &weights });
        while let Some(tie) = ties.next() {
            weights.add(&tie);
            visit(Cutpoint { tie: Some(tie), from: tie.x, to: score_or_end(ties.peek()), weights: &weights });
        }
    }
}

/// Adjacent cutpoints of least loss.
struct MinimiserRun {
    from: f64,
    to: f64,
    points: usize,
    first: CumulativeWeights,
    /// The weights at the last cutpoint, if there are several.
    last: Option<CumulativeWeights>,
}

impl MinimiserRun {
    /// The run of one cutpoint.
    fn new(cut: &Cutpoint) -> MinimiserRun {
        MinimiserRun { from: cut.from, to: cut.to, points: 1, first: cut.weights.clone(), last: None }
    }

    /// Extends the run by the next cutpoint.
    fn extend(&mut self, cut: &Cutpoint) {
        self.to = cut.to;
        self.points += 1;
        self.last = Some(cut.weights.clone());
    }
}
