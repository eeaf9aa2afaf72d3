//! Labels exchanged and scores reversed in all ways: the answers change only where they must.

use rocproof::data::curves::{CurveKind, Curves};
use rocproof::data::read::{ColumnRequest, Dataset, on_input_scale, read_csv};
use rocproof::data::{
    AtCondition, KnownAt, OperatingPoint, Scored, Severity, Threshold, compare_methods, evaluate_scored, hand_measure,
    thresholds_at,
};
use rocproof::functional::Value;
use rocproof::lang::Source;
use rocproof::{Condition, Cost, Evaluation, Method, Thresholds};

/// The largest effect of rounding on values about 1.
const ROUNDING: f64 = 1e-13;
/// Scores with ties, whose complements are exact, and whether each row is ill. Classes are unbalanced, and the ranking is not perfect.
const ROWS: [(f64, bool); 11] = [
    (0.125, false),
    (0.25, false),
    (0.25, false),
    (0.375, true),
    (0.5, false),
    (0.5, false),
    (0.625, true),
    (0.75, false),
    (0.75, true),
    (0.875, true),
    (0.9375, false),
];

/// A way to write the same data.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The label 0 stands for ill, instead of 1.
    labels_exchanged: bool,
    /// The file has `1 - s`, the probability of well.
    scores_turned: bool,
    /// Well is called positive.
    well_is_positive: bool,
}

impl Way {
    fn all() -> impl Iterator<Item = Way> {
        (0..8).map(|k| Way { labels_exchanged: k & 1 > 0, scores_turned: k & 2 > 0, well_is_positive: k & 4 > 0 })
    }

    fn label(self, is_ill: bool) -> &'static str {
        if is_ill != self.labels_exchanged { "1" } else { "0" }
    }

    /// A score of [`ROWS`] in this file, or back.
    fn score(self, s: f64) -> f64 {
        if self.scores_turned { 1.0 - s } else { s }
    }

    /// An operating condition or a rate for ill as one for the positive label, or back.
    fn condition(self, c: f64) -> f64 {
        if self.well_is_positive { 1.0 - c } else { c }
    }

    fn read(self) -> Dataset {
        let rows = ROWS.iter().map(|(s, is_ill)| format!("{},{}\n", self.score(*s), self.label(*is_ill)));
        let request = ColumnRequest {
            positive: Some(self.label(!self.well_is_positive).to_owned()),
            higher_means: Some(self.label(!self.scores_turned).to_owned()),
            ..ColumnRequest::default()
        };
        read_csv("-", format!("score,label\n{}", rows.collect::<String>()).as_bytes(), &request).unwrap()
    }

    fn scored(self) -> Scored {
        self.read().scored(0).unwrap()
    }

    fn cost(self) -> Cost {
        Cost::parse(if self.well_is_positive { "beta(3, 2)" } else { "beta(2, 3)" }).unwrap()
    }

    /// A threshold between scores, and a rate.
    fn thresholds(self) -> Thresholds {
        Thresholds::of_floats(self.score(0.4375), self.condition(0.25))
    }

    /// The evaluation on the scale of the file.
    fn evaluation(self) -> Evaluation {
        let data = self.scored();
        on_input_scale(&data, &[], evaluate_scored(&data, &self.cost(), &self.thresholds()))
    }
}

const PLAIN: Way = Way { labels_exchanged: false, scores_turned: false, well_is_positive: false };

fn number(value: &Value) -> f64 {
    value.estimate().unwrap().value
}

#[track_caller]
fn agree(way: Way, what: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() < ROUNDING, "{way:?}, {what}: {found} and {expected}");
}

#[test]
fn metrics_and_losses() {
    let plain = PLAIN.evaluation();
    for way in Way::all() {
        let evaluation = way.evaluation();
        for (definition, value) in evaluation.metrics() {
            let expected = |name: &str| number(plain.metric(name).unwrap());
            let expected = match (definition.name, way.well_is_positive) {
                ("s0", false) | ("s1", true) => way.score(expected("s0")),
                ("s1", false) | ("s0", true) => way.score(expected("s1")),
                // By the class that higher scores speak for, as R does; the next test has it.
                ("H_hmeasure", _) => continue,
                (name, _) => expected(name),
            };
            agree(way, definition.name, number(value), expected);
        }
        for condition in [Condition::Cost, Condition::Skew] {
            for ((method, value), (_, expected)) in evaluation.losses(condition).zip(plain.losses(condition)) {
                agree(way, method.title(), number(value), number(expected));
            }
        }
    }
}

/// Hand's H of [`ROWS`] if `c`, the cost share of missing ill, is distributed as Beta(2, 2), Beta(2, 4) and Beta(4, 2).
const SYMMETRIC: f64 = 933992.0 / 3520125.0;
const MISSES_ARE_CHEAP: f64 = 17418023779.0 / 117438103125.0;
const MISSES_ARE_SEVERE: f64 = 54675492709.0 / 153398306250.0;

/// Hand's H by hand. With 4 ill and 7 well the hull pools what lies between its corners.
///
/// By falling score the rows are well, ill, {ill, well}, ill, {2 well}, ill, {2 well}, well. From the corner (0, 0) the hull goes to (2/7, 3/4),
/// (4/7, 1) and (1, 1), in shares of well and ill. The loss at a corner (f, t) is `2{c·4/11·(1-t) + (1-c)·7/11·f}`, that of chance the smaller
/// of `2c·4/11` and `2(1-c)·7/11`. Both are piecewise linear in `c`, so that their means over a beta distribution with whole parameters are
/// fractions; they were computed with Python's `fractions`.
#[test]
fn measures_of_hand() {
    for way in Way::all() {
        let data = way.scored();
        let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
        let severity = |text: &str| {
            let severity = Severity::read(&Source::new("severity", text)).unwrap();
            number(&hand_measure(&data, &severity).value)
        };
        agree(way, "H", number(evaluation.metric("H").unwrap()), SYMMETRIC);
        agree(way, "beta(2, 2)", severity("beta(2, 2)"), SYMMETRIC);
        agree(way, "severity 1", severity("1"), SYMMETRIC);
        let of_c = if way.well_is_positive { "beta(4, 2)" } else { "beta(2, 4)" };
        agree(way, of_c, severity(of_c), MISSES_ARE_CHEAP);
        // Of the label that higher scores speak for, false alarms are a third as severe as misses: Beta(2, 4) for their cost share.
        let expected = if way.scores_turned { MISSES_ARE_CHEAP } else { MISSES_ARE_SEVERE };
        agree(way, "severity 1/3", severity("1/3"), expected);
        // The default of hmeasure is the severity ratio of the proportions of the class that higher scores speak for, and of the other.
        let ratio = if way.scores_turned { "7/4" } else { "4/7" };
        agree(way, "H_hmeasure", number(evaluation.metric("H_hmeasure").unwrap()), severity(ratio));
    }
}

/// The threshold of a method as numbers on the scale of [`ROWS`]: the ends of intervals, or the score with the share of ill that is predicted.
fn thresholds_of(way: Way, threshold: &Threshold) -> Vec<f64> {
    let ends = |from: f64, to: f64| {
        let [a, b] = [from, to].map(|end| way.score(end));
        vec![a.min(b), a.max(b)]
    };
    match threshold {
        Threshold::At(t) => vec![way.score(*t)],
        Threshold::Between(from, to) | Threshold::DrawnScore(from, to) => ends(*from, *to),
        Threshold::Split { score, share } => vec![way.score(*score), way.condition(share.value)],
        Threshold::DrawnRate => Vec::new(),
        Threshold::Minimisers(intervals) => {
            let mut all: Vec<f64> = intervals.iter().flat_map(|interval| ends(interval.from, interval.to)).collect();
            all.sort_by(f64::total_cmp);
            all
        }
    }
}

#[test]
fn thresholds_at_conditions() {
    // No score-driven threshold is a score: the label that is called positive is predicted there.
    for (name, values) in [("c", [0.15625, 0.28125, 0.65625]), ("z", [0.15625, 0.34375, 0.90625])] {
        for value in values {
            let at = |way: Way| -> AtCondition {
                let data = way.scored();
                let evaluation = evaluate_scored(&data, &way.cost(), &way.thresholds());
                let point = OperatingPoint::parse(&format!("{name}={}", way.condition(value))).unwrap();
                thresholds_at(&data, &evaluation, &point)
            };
            let plain = at(PLAIN);
            for way in Way::all() {
                let found = at(way);
                let what = |method: Method| format!("{} at {name}={value}", method.title());
                for (chosen, expected) in found.chosen.iter().zip(&plain.chosen) {
                    let what = what(chosen.method);
                    agree(way, &what, number(&chosen.loss), number(&expected.loss));
                    let (threshold, rates) = chosen.threshold.as_ref().unwrap();
                    let (plain_threshold, plain_rates) = expected.threshold.as_ref().unwrap();
                    let [numbers, expected] =
                        [(way, threshold), (PLAIN, plain_threshold)].map(|(way, t)| thresholds_of(way, t));
                    assert_eq!(numbers.len(), expected.len(), "{way:?}, {what}");
                    let same = |a: f64, b: f64| a == b || (a - b).abs() < ROUNDING;
                    assert!(
                        numbers.iter().zip(&expected).all(|(a, b)| same(*a, *b)),
                        "{way:?}, {what}: {numbers:?} {expected:?}"
                    );
                    let predicted = way.condition(rates.predicted_positive.value);
                    agree(way, &what, predicted, plain_rates.predicted_positive.value);
                    let [found, of_well] =
                        [rates.true_positive, rates.false_positive].map(|rate| way.condition(rate.value));
                    let [found, of_well] = if way.well_is_positive { [of_well, found] } else { [found, of_well] };
                    agree(way, &what, found, plain_rates.true_positive.value);
                    agree(way, &what, of_well, plain_rates.false_positive.value);
                }
            }
        }
    }
}

#[test]
fn choices() {
    let losses = |way: Way| {
        let (data, cost) = (way.scored(), way.cost());
        let evaluation = evaluate_scored(&data, &cost, &way.thresholds());
        let comparison = compare_methods(&data, &evaluation, &cost, Some(KnownAt::Deployment));
        let entries = comparison.methods.iter();
        entries.map(|entry| (entry.method.title(), entry.applies, number(&entry.cost_loss))).collect::<Vec<_>>()
    };
    let plain = losses(PLAIN);
    for way in Way::all() {
        for (found, expected) in losses(way).into_iter().zip(&plain) {
            assert_eq!((found.0, found.1), (expected.0, expected.1), "{way:?}");
            agree(way, found.0, found.2, expected.2);
        }
    }
}

/// The value of a curve at an abscissa.
fn value(data: &Scored, kind: CurveKind, x: f64) -> f64 {
    Curves::new(data).curve(kind).unwrap().limits(x).value.unwrap()
}

#[test]
fn curves() {
    let plain = PLAIN.scored();
    let total = ROWS.len() as f64;
    for way in Way::all() {
        let data = way.scored();
        let curves = Curves::new(&data);
        for kind in [CurveKind::Roc, CurveKind::Hull] {
            let expected = Curves::new(&plain).curve(kind).unwrap().area().unwrap();
            agree(way, kind.name(), curves.curve(kind).unwrap().area().unwrap(), expected);
        }
        // Between breakpoints.
        for x in [0.07, 0.2, 0.3, 0.45, 0.55, 0.7, 0.8, 0.9, 0.97] {
            let condition = way.condition(x);
            for (method, expected) in way.thresholds().methods().into_iter().zip(PLAIN.thresholds().methods()) {
                for by in [Condition::Cost, Condition::Skew] {
                    let found = value(&data, CurveKind::Loss(method, by), condition);
                    agree(way, method.title(), found, value(&plain, CurveKind::Loss(expected, by), x));
                }
            }
            agree(way, "murphy", value(&data, CurveKind::Murphy, way.score(x)), value(&plain, CurveKind::Murphy, x));
            // Rows are treated where the probability of the positive label is at least p.
            let mean = |of: &dyn Fn(bool, bool) -> f64| {
                let row = |(s, is_ill): &(f64, bool)| {
                    let (probability, is_positive) = (way.condition(*s), *is_ill != way.well_is_positive);
                    of(probability >= x, is_positive)
                };
                ROWS.iter().map(row).sum::<f64>() / total
            };
            let odds = x / (1.0 - x);
            let benefit = mean(&|treated, positive| match (treated, positive) {
                (false, _) => 0.0,
                (true, true) => 1.0,
                (true, false) => -odds,
            });
            agree(way, "net benefit", value(&data, CurveKind::NetBenefit, x), benefit);
            let avoided = mean(&|treated, positive| match (treated, positive) {
                (true, _) => 0.0,
                (false, true) => -1.0 / odds,
                (false, false) => 1.0,
            });
            agree(way, "avoided", value(&data, CurveKind::InterventionsAvoided, x), avoided);
        }
        // At the scores of the file, to the last bit: the probability of what higher scores speak for.
        for (s, _) in ROWS {
            let found = value(&data, CurveKind::Reliability, way.score(s));
            agree(way, "reliability", way.score(found), value(&plain, CurveKind::Reliability, s));
        }
        let inside = |x: f64| 0.0 < x && x < 1.0;
        let knots = |kind| {
            let starts: Vec<f64> =
                curves.curve(kind).unwrap().pieces().map(|piece| piece.from).filter(|x| inside(*x)).collect();
            starts
        };
        let mut scores: Vec<f64> = ROWS.iter().map(|(s, _)| way.score(*s)).collect();
        scores.sort_by(f64::total_cmp);
        scores.dedup();
        assert_eq!(knots(CurveKind::Murphy), scores, "{way:?}");
        let mut probabilities: Vec<f64> = ROWS.iter().map(|(s, _)| way.condition(*s)).collect();
        probabilities.sort_by(f64::total_cmp);
        probabilities.dedup();
        assert_eq!(knots(CurveKind::NetBenefit), probabilities, "{way:?}");
    }
}

/// Breakpoints are the scores as they were written: `1 - (1 - s)` is another float for most of these.
#[test]
fn breakpoints_are_scores_of_the_file() {
    let scores: Vec<f64> = (1..100).map(|k| f64::from(k) / 100.0).collect();
    let rounded = scores.iter().filter(|s| 1.0 - (1.0 - **s) != **s).count();
    assert!(rounded > 10);
    let rows: String = scores.iter().enumerate().map(|(k, s)| format!("{s},{}\n", u8::from(k * k % 97 < k))).collect();
    let text = format!("score,label\n{rows}");
    let data = read_csv("-", text.as_bytes(), &ColumnRequest::default()).unwrap().scored(0).unwrap();
    let curves = Curves::new(&data);
    for kind in [CurveKind::NetBenefit, CurveKind::InterventionsAvoided, CurveKind::Murphy] {
        let ends: Vec<f64> = curves.curve(kind).unwrap().pieces().map(|piece| piece.to).collect();
        assert_eq!(ends[..99], scores, "{kind:?}");
    }
    let ends: Vec<[f64; 2]> =
        curves.curve(CurveKind::Reliability).unwrap().pieces().map(|piece| [piece.from, piece.to]).collect();
    assert!(ends.iter().flatten().all(|end| scores.contains(end)) && ends.iter().all(|[from, to]| from <= to));
    let thresholds: Vec<f64> = curves.cost_lines(Condition::Cost).skip(1).map(|line| line.threshold).collect();
    assert_eq!(thresholds, scores.iter().rev().copied().collect::<Vec<_>>());
}
