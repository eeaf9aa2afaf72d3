//! The thresholds themselves: what each method chooses at one operating condition, and what it loses there.
//!
//! Where an equality decides (a rate that is reached exactly, thresholds that lose alike) numbers are compared exactly: the condition is
//! the rational that was written, and sums of weights carry what rounding takes off them.

use super::finite::RATES_OF_UNIFORM_RATE;
use super::scored::{Scored, Tie};
use super::sum::ExactSum;
use rocproof_arith::rational::{from_f64, to_f64};
use rocproof_arith::{Interval, Rational};
use rocproof_engine::calculus::Estimate;
use rocproof_engine::constant::Constant;
use rocproof_engine::functional::definition::{COST_OF_SKEW, SKEW, UNIT_OF_SKEW};
use rocproof_engine::functional::formula::{self, middle};
use rocproof_engine::functional::program::Program;
use rocproof_engine::functional::{Condition, Evaluation, Method, Value};
use rocproof_language::{Diagnostic, Source, Span, parse};
use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

/// What rounding may do to a proportion, or to weights that were added up within a tie, relative to them.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Sums of two products that are closer than this, relative to the largest, are compared exactly.
const CLOSE: f64 = 32.0 * f64::EPSILON;

static LOSS_AND_RATE: LazyLock<[Program; 2]> =
    LazyLock::new(|| ["Q(cost)", "R"].map(|text| Program::new(&[text]).unwrap_or_else(|_| Program::empty())));

/// One operating condition: a cost proportion `c=0.2` or a skew `z=0.2`.
///
/// ```
/// use rocproof_scored::OperatingPoint;
/// assert_eq!(OperatingPoint::parse("c = 0.2")?.to_string(), "c = 1/5");
/// assert_eq!(OperatingPoint::parse("z=2")
///     .unwrap_err().message, "an operating condition lies between 0 and 1");
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OperatingPoint {
    /// Whether it is a cost proportion or a skew.
    condition: Condition,
    value: Rational,
}

impl OperatingPoint {
    /// A cost proportion or a skew; `None` if it does not lie in [0, 1].
    pub fn new(condition: Condition, value: Rational) -> Option<OperatingPoint> {
        (value >= Rational::ZERO && value <= Rational::ONE).then_some(OperatingPoint { condition, value })
    }

    /// Reads `c=0.2` or `z=1/5`.
    pub fn parse(text: &str) -> Result<OperatingPoint, Diagnostic> {
        let source = Source::new("--at", text);
        let whole = Span { start: 0, end: text.len() };
        let form = "write c=0.2 for a cost proportion, z=0.2 for a skew";
        let Some((name, value)) = text.split_once('=') else {
            return Err(source.error(whole, "an operating condition is needed", "has no `=`").help(form));
        };
        let condition = match name.trim() {
            "c" => Condition::Cost,
            "z" => Condition::Skew,
            other => {
                let span = Span { start: 0, end: name.len() };
                return Err(source
                    .error(span, format!("unknown operating condition `{other}`"), "not c or z")
                    .help(form));
            }
        };
        // Blanks keep places where they are in the text.
        let padded = Source::new("--at", format!("{}{value}", " ".repeat(text.len() - value.len())));
        let constant = Constant::of(&padded, &parse(&padded)?)?;
        let point = constant.as_rational().and_then(|value| OperatingPoint::new(condition, value));
        point.ok_or_else(|| {
            let span = Span { start: text.len() - value.len(), end: text.len() };
            source.error(span, "an operating condition lies between 0 and 1", format!("this is {}", constant.value))
        })
    }

    /// Whether it is a cost proportion or a skew.
    pub fn condition(&self) -> Condition {
        self.condition
    }

    /// Its value.
    pub fn value(&self) -> &Rational {
        &self.value
    }
}

impl fmt::Display for OperatingPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", if self.condition == Condition::Cost { "c" } else { "z" }, self.value)
    }
}

/// A threshold, or how it is found.
#[derive(Clone, Debug, PartialEq)]
pub enum Threshold {
    /// This one: class 0 is predicted for scores on its side, and at it.
    At(f64),
    /// Any from the first (or any low one if that is `-inf`) to below the second: they predict alike. Where class 0 is predicted for scores of
    /// at least the threshold, any above the first up to the second.
    Between(f64, f64),
    /// Class 0 is predicted for all scores on its side and for this share of the rows with this score, drawn at random.
    Split {
        /// The score.
        score: f64,
        /// The share of its rows that are predicted to be of class 0.
        share: Estimate,
    },
    /// Drawn uniformly from the scale of the scores.
    DrawnScore(f64, f64),
    /// One that reaches a predicted positive rate drawn uniformly from [0, 1].
    DrawnRate,
    /// All that minimise the loss.
    Minimisers(Vec<Minimisers>),
}

impl Threshold {
    /// The same with its ends in growing order, where scores come in falling order.
    fn in_order(self, data: &Scored) -> Threshold {
        if !data.is_reversed() {
            return self;
        }
        match self {
            Threshold::Between(from, to) => Threshold::Between(to, from),
            Threshold::Minimisers(all) => {
                let turned = |m: &Minimisers| Minimisers { from: m.to, to: m.from, ..*m };
                Threshold::Minimisers(all.iter().map(turned).collect())
            }
            other => other,
        }
    }
}

/// Neighbouring thresholds that minimise the loss: any from `from` to below `to`, or above `from` up to `to`, as for [`Threshold::Between`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimisers {
    /// The lowest; `-inf` if any low one does.
    pub from: f64,
    /// What they stay below; `inf` if any high one does.
    pub to: f64,
    /// How many points of the ROC curve they are.
    pub points: usize,
    /// The rates of the lowest of them.
    pub first: Rates,
    /// The rates of the highest.
    pub last: Rates,
}

/// What a threshold predicts; what it is expected to, if it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The predicted positive rate `R`; for skews that with both classes weighed alike.
    pub predicted_positive: Estimate,
    /// The true positive rate `F0`.
    pub true_positive: Estimate,
    /// The false positive rate `F1`.
    pub false_positive: Estimate,
}

/// What a method chooses.
#[derive(Clone, Debug)]
pub struct ChosenThreshold {
    /// The method.
    pub method: Method,
    /// The threshold and what it predicts (the lowest where several minimise the loss), or why the method does not apply.
    pub threshold: Result<(Threshold, Rates), Cow<'static, str>>,
    /// The loss at the condition, the expected one if the threshold is drawn.
    pub loss: Value,
}

/// What all methods choose at one operating condition.
#[derive(Clone, Debug)]
pub struct AtCondition {
    /// The condition.
    pub at: OperatingPoint,
    /// It as a cost proportion, given the class proportions of the data.
    pub cost_proportion: Value,
    /// It as a skew.
    pub skew: Value,
    /// `2(c π0 + (1-c) π1)`: the loss of a threshold under the cost proportion is so many times that under the skew.
    pub unit: Value,
    /// Whether class 0 is predicted for scores of at least the threshold, and not at most: so it is if higher scores speak for it.
    pub at_least: bool,
    /// What each method chooses.
    pub chosen: Vec<ChosenThreshold>,
}

/// The threshold of each method at one operating condition and its loss there, given the evaluation of the same data.
///
/// ```
/// use rocproof_scored::{OperatingPoint, Scored, Threshold, evaluate_scored, thresholds_at};
/// use rocproof_engine::{Cost, functional::Thresholds};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
/// let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
/// let found = thresholds_at(&data, &evaluation, &OperatingPoint::parse("c=0.2")?);
/// let optimal = found.chosen.last().unwrap();
/// let Ok((Threshold::Minimisers(all), _)) = &optimal.threshold else { panic!() };
/// assert_eq!((all[0].from, all[0].to, all.len()), (0.1, 0.35, 1));
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn thresholds_at(data: &Scored, evaluation: &Evaluation, at: &OperatingPoint) -> AtCondition {
    let chooser = Chooser::new(data, at);
    let chosen = evaluation.thresholds.methods().map(|method| chooser.chosen(method, evaluation)).to_vec();
    let given = [("pi0", data.proportions().0), ("pi1", data.proportions().1)];
    let proportion = |name: &str| {
        let found = given.iter().find(|(n, _)| *n == name);
        found.map(|(_, p)| Interval::around(*p, ROUNDING * p))
    };
    let value = Interval::of(&at.value);
    let of = |text: &str, name: &str, v: Interval| {
        formula::value(text, |n| if n == name { Some(v) } else { proportion(n) }).unwrap_or(Interval::ALL)
    };
    let (cost, skew) = match at.condition {
        Condition::Cost => (value, of(SKEW, "c", value)),
        Condition::Skew => (of(COST_OF_SKEW, "z", value), value),
    };
    let [cost_proportion, skew, unit] = [cost, skew, of(UNIT_OF_SKEW, "c", cost)].map(|v| Value::Numeric(middle(v)));
    AtCondition { at: at.clone(), cost_proportion, skew, unit, at_least: data.is_reversed(), chosen }
}

/// Weights up to a point of the ROC curve.
type CumulativeWeights = [ExactSum; 2];

fn advance(reached: &mut CumulativeWeights, step: &Tie) {
    reached.iter_mut().zip(step.mass).for_each(|(sum, mass)| sum.add(mass));
}

/// `F0`, `F1` and one minus each.
#[derive(Clone, Copy, Debug)]
struct RocPoint {
    below: [Interval; 2],
    above: [Interval; 2],
}

struct Chooser<'a> {
    data: &'a Scored,
    at: &'a OperatingPoint,
    /// The weight of each class, exactly.
    totals: [Rational; 2],
    /// What a row of each class counts in rates and losses: one, or as much as balances the classes.
    counts: [Rational; 2],
    /// The class proportions that losses are read under.
    proportions: [Interval; 2],
    /// How far a weight may be off, relative to it: not at all if all are whole numbers.
    rounding: f64,
}

impl<'a> Chooser<'a> {
    fn new(data: &'a Scored, at: &'a OperatingPoint) -> Chooser<'a> {
        let mut all = CumulativeWeights::default();
        let mut whole = true;
        for step in data.ties() {
            whole &= step.mass.iter().all(|mass| mass.fract() == 0.0);
            advance(&mut all, &step);
        }
        let rounding = if whole { 0.0 } else { ROUNDING };
        let totals = all.each_ref().map(ExactSum::exact);
        let counts = match at.condition {
            Condition::Cost => [Rational::ONE, Rational::ONE],
            Condition::Skew => [totals[1].clone(), totals[0].clone()],
        };
        let weighed: [Rational; 2] = std::array::from_fn(|k| &totals[k] * &counts[k]);
        let proportions = std::array::from_fn(|k| {
            let proportion = Interval::of(&(&weighed[k] / (&weighed[0] + &weighed[1])));
            // Balanced classes are so whatever they weigh.
            let off = if at.condition == Condition::Cost { rounding } else { 0.0 };
            proportion + Interval::around(0.0, off * proportion.hi())
        });
        Chooser { data, at, totals, counts, proportions, rounding }
    }

    fn chosen(&self, method: Method, evaluation: &Evaluation) -> ChosenThreshold {
        if let Some(why) = method.scores().refusal(self.data.range()) {
            return ChosenThreshold { method, threshold: Err(why.into()), loss: Value::Unavailable(why.into()) };
        }
        let found = match method {
            Method::ScoreFixed(t) => Ok((Threshold::At(t), self.at_score(t))),
            Method::ScoreDriven => {
                // Where scores were turned round, `x <= c` is `s >= 1-c`.
                let given =
                    if self.data.is_reversed() { Rational::ONE - &self.at.value } else { self.at.value.clone() };
                let t = to_f64(&given);
                Ok((Threshold::At(t), self.at_score(t)))
            }
            Method::RateFixed(r) => Ok(self.at_rate(&as_written(r))),
            Method::RateDriven => Ok(self.at_rate(&self.at.value)),
            Method::ScoreUniform => self.drawn_score(evaluation),
            Method::RateUniform => self.drawn_rate(evaluation),
            Method::Optimal => self.minimisers(),
        };
        let loss = match &found {
            Ok((_, place)) => self.loss(place).map_or_else(|| NOT_COMPUTED.clone(), |q| Value::Numeric(middle(q))),
            Err(why) => Value::Unavailable(why.clone()),
        };
        ChosenThreshold {
            method,
            threshold: found.map(|(threshold, place)| (threshold.in_order(self.data), self.rates(&place))),
            loss,
        }
    }

    /// The loss at a point, under the condition.
    fn loss(&self, place: &RocPoint) -> Option<Interval> {
        self.read(&LOSS_AND_RATE[0], place)
    }

    fn read(&self, program: &Program, place: &RocPoint) -> Option<Interval> {
        let value = Interval::of(&self.at.value);
        let complement = Interval::of(&(Rational::ONE - &self.at.value));
        program.value(|name| {
            Some(match name {
                "F0" => &place.below[0],
                "F1" => &place.below[1],
                "1-F0" => &place.above[0],
                "1-F1" => &place.above[1],
                "pi0" => &self.proportions[0],
                "pi1" => &self.proportions[1],
                "cost" => &value,
                "1-cost" => &complement,
                _ => return None,
            })
        })
    }

    fn rates(&self, place: &RocPoint) -> Rates {
        let rate = self.read(&LOSS_AND_RATE[1], place).unwrap_or(Interval::ALL).meet(Interval::UNIT);
        let [true_positive, false_positive] = place.below.map(middle);
        Rates { predicted_positive: middle(rate), true_positive, false_positive }
    }

    fn place(&self, reached: &CumulativeWeights) -> RocPoint {
        let totals = self.totals.each_ref().map(Interval::of);
        let share = |weight: Interval, k: usize| {
            let share = weight / totals[k];
            (share + Interval::around(0.0, self.rounding * share.magnitude())).meet(Interval::UNIT)
        };
        let below = std::array::from_fn(|k| share(reached[k].interval(), k));
        let above = std::array::from_fn(|k| share(totals[k] - reached[k].interval(), k));
        RocPoint { below, above }
    }

    fn at_score(&self, t: f64) -> RocPoint {
        let mut reached = CumulativeWeights::default();
        let ties = self.data.ties_up_to(t);
        self.data.ties_on_input_scale().take(ties).for_each(|step| advance(&mut reached, &step));
        self.place(&reached)
    }

    /// Where the predicted positive rate is `r`: a tie is split where it must be.
    fn at_rate(&self, r: &Rational) -> (Threshold, RocPoint) {
        let rate =
            |reached: &CumulativeWeights| &self.counts[0] * reached[0].exact() + &self.counts[1] * reached[1].exact();
        let asked = r * (&self.counts[0] * &self.totals[0] + &self.counts[1] * &self.totals[1]);
        let (counts, target) = (self.counts.each_ref().map(to_f64), to_f64(&asked));
        let mut before = CumulativeWeights::default();
        let [start, end] = self.outside();
        let mut lower = start;
        let mut reached = CumulativeWeights::default();
        let mut steps = self.data.ties_on_input_scale();
        if asked <= Rational::ZERO {
            let first = steps.next().map_or(end, |step| step.x);
            return (Threshold::Between(lower, first), self.place(&before));
        }
        while let Some(step) = steps.next() {
            advance(&mut reached, &step);
            let about = counts[0] * reached[0].rounded() + counts[1] * reached[1].rounded();
            // Floats tell unless they are close.
            if about < target * (1.0 - CLOSE) || rate(&reached) < asked {
                before.clone_from(&reached);
                lower = step.x;
                continue;
            }
            let (here, from) = (rate(&reached), rate(&before));
            if here == asked {
                let next = steps.next().map_or(end, |step| step.x);
                return (Threshold::Between(step.x, next), self.place(&reached));
            }
            let share = (&asked - &from) / (&here - &from);
            let (low, high) = (self.place(&before), self.place(&reached));
            // What weights are off by moves the share of a small tie far.
            let off = self.rounding * to_f64(&((&here + &from + &asked) / (&here - &from)));
            let u = (Interval::of(&share) + Interval::around(0.0, off)).meet(Interval::UNIT);
            let mix = |a: [Interval; 2], b: [Interval; 2]| {
                std::array::from_fn(|k| (a[k] + u * (b[k] - a[k])).meet(Interval::UNIT))
            };
            let place = RocPoint { below: mix(low.below, high.below), above: mix(low.above, high.above) };
            return (Threshold::Split { score: step.x, share: middle(u) }, place);
        }
        // Weights that add up exactly reach the rate 1.
        (Threshold::Between(lower, end), self.place(&before))
    }

    /// What comes before the first and after the last score, as they were given.
    fn outside(&self) -> [f64; 2] {
        let (before, after) = (f64::NEG_INFINITY, f64::INFINITY);
        if self.data.is_reversed() { [after, before] } else { [before, after] }
    }

    /// Expected rates where the threshold is uniform on the scale: those of the mean scores.
    fn drawn_score(&self, evaluation: &Evaluation) -> Result<(Threshold, RocPoint), Cow<'static, str>> {
        let (l, h) = self.data.range();
        let mean = |name: &str| evaluation.metric(name).and_then(Value::estimate);
        let (Some(s0), Some(s1)) = (mean("s0"), mean("s1")) else { return Err("it could not be computed".into()) };
        let [low, high] = [l, h].map(Interval::from);
        let means = [s0, s1].map(|s| Interval::around(s.value, s.error));
        let below = means.map(|s| ((high - s) / (high - low)).meet(Interval::UNIT));
        let above = means.map(|s| ((s - low) / (high - low)).meet(Interval::UNIT));
        let given = [l, h].map(|x| self.data.input_mean(x));
        Ok((Threshold::DrawnScore(given[0].min(given[1]), given[0].max(given[1])), RocPoint { below, above }))
    }

    /// Expected rates where the predicted positive rate is uniform: a threshold at a random row, ties split.
    fn drawn_rate(&self, evaluation: &Evaluation) -> Result<(Threshold, RocPoint), Cow<'static, str>> {
        let auc = evaluation.metric("AUC").and_then(Value::estimate).ok_or("it could not be computed")?;
        let given = |name: &str| match name {
            "AUC" => Some(Interval::around(auc.value, auc.error)),
            "pi0" => Some(self.proportions[0]),
            "pi1" => Some(self.proportions[1]),
            _ => None,
        };
        let below = RATES_OF_UNIFORM_RATE.map(|text| formula::value(text, given).unwrap_or(Interval::ALL));
        Ok((Threshold::DrawnRate, RocPoint { below, above: below.map(|f| Interval::ONE - f) }))
    }

    /// All thresholds of least loss. Points whose loss floats cannot tell from the least are compared exactly.
    fn minimisers(&self) -> Result<(Threshold, RocPoint), Cow<'static, str>> {
        let c = &self.at.value;
        // The loss is this of the weights up to a point, up to a constant and a factor.
        let gains = [-(c * &self.counts[0]), (Rational::ONE - c) * &self.counts[1]];
        let rough = gains.each_ref().map(to_f64);
        let most: f64 = (0..2).map(|k| rough[k].abs() * to_f64(&self.totals[k])).sum();
        let about = |reached: &CumulativeWeights| rough[0] * reached[0].rounded() + rough[1] * reached[1].rounded();
        let mut reached = CumulativeWeights::default();
        let mut least = 0.0f64;
        for step in self.data.ties_on_input_scale() {
            advance(&mut reached, &step);
            least = least.min(about(&reached));
        }
        let tolerance = CLOSE * most;
        let exactly = |reached: &CumulativeWeights| &gains[0] * reached[0].exact() + &gains[1] * reached[1].exact();

        let mut found: Vec<MinimiserRun> = Vec::new();
        let mut best: Option<Rational> = None;
        // The last point that was compared, and whether nothing that counts came since.
        let mut last: Option<(Rational, bool)> = None;
        let mut reached = CumulativeWeights::default();
        let [start, end] = self.outside();
        let mut x = start;
        let mut steps = self.data.ties_on_input_scale();
        loop {
            let next = steps.next();
            let to = next.map_or(end, |step| step.x);
            if about(&reached) <= least + tolerance {
                let loss = match last.take() {
                    Some((loss, true)) => loss,
                    _ => exactly(&reached),
                };
                let order = best.as_ref().map_or(std::cmp::Ordering::Less, |best| loss.cmp(best));
                if order.is_lt() {
                    found.clear();
                    best = Some(loss.clone());
                }
                if order.is_le() {
                    match found.last_mut().filter(|found| found.to == x) {
                        Some(open) => open.extend(to, &reached),
                        None => found.push(MinimiserRun { from: x, to, points: 1, first: reached.clone(), last: None }),
                    }
                }
                last = Some((loss, true));
            }
            let Some(step) = next else { break };
            let counts = (0..2).any(|k| step.mass[k] > 0.0 && rough[k] != 0.0);
            last = last.map(|(loss, same)| (loss, same && !counts));
            advance(&mut reached, &step);
            x = step.x;
        }
        let place = found.first().map(|first| self.place(&first.first)).ok_or("it could not be computed")?;
        let minimisers = found.iter().map(|f| {
            let rates = |reached: &CumulativeWeights| self.rates(&self.place(reached));
            let first = rates(&f.first);
            Minimisers { from: f.from, to: f.to, points: f.points, first, last: f.last.as_ref().map_or(first, rates) }
        });
        Ok((Threshold::Minimisers(minimisers.collect()), place))
    }
}

/// Neighbouring points of least loss, while they are found.
struct MinimiserRun {
    from: f64,
    to: f64,
    points: usize,
    first: CumulativeWeights,
    last: Option<CumulativeWeights>,
}

impl MinimiserRun {
    fn extend(&mut self, to: f64, reached: &CumulativeWeights) {
        self.to = to;
        self.points += 1;
        self.last = Some(reached.clone());
    }
}

/// Nobody writes fractions with denominators beyond this.
const MOST_WRITTEN: f64 = 1e6;

static NOT_COMPUTED: Value = Value::Unavailable(Cow::Borrowed("it could not be computed"));

/// The rational that one writes for a float: 3/10 for 0.3, 1/3 for 0.3333333333333333. The first of its continued fraction that rounds to it.
fn as_written(value: f64) -> Rational {
    let exact = from_f64(value).unwrap_or(Rational::ZERO);
    // Numerators and denominators of the last two convergents.
    let (mut before, mut last) = ([0.0, 1.0], [1.0, 0.0]);
    let mut rest = value;
    while last[1] < MOST_WRITTEN {
        let whole = rest.floor();
        (before, last) = (last, [0, 1].map(|k| whole * last[k] + before[k]));
        if last[0] / last[1] == value {
            return from_f64(last[0]).zip(from_f64(last[1])).map_or(exact, |(p, q)| p / q);
        }
        rest = 1.0 / (rest - whole);
        if !rest.is_finite() {
            break;
        }
    }
    exact
}
