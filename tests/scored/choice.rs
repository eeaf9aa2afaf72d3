//! Thresholds at an operating condition against all cutpoints, one by one, in rational arithmetic; and which methods apply.

use crate::rows::{Rows, any_rows, holds, q, weighted, whole};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::arith::Rational;
use rocproof::arith::rational::from_f64;
use rocproof::data::{
    AtCondition, ChosenThreshold, KnownAt, OperatingPoint, Rates, Scored, Threshold, Tie, compare_methods,
    evaluate_scored, pools, thresholds_at,
};
use rocproof::functional::{Thresholds, Value};
use rocproof::lang::{Source, parse};
use rocproof::model::constant::Constant;
use rocproof::{Condition, Cost, Method};

const CONDITIONS: [Condition; 2] = [Condition::Cost, Condition::Skew];

fn at(condition: Condition, value: &Rational) -> OperatingPoint {
    OperatingPoint::new(condition, value.clone()).unwrap()
}

fn proportions(rows: &Rows, condition: Condition) -> [Rational; 2] {
    match condition {
        Condition::Cost => [rows.pi(false), rows.pi(true)],
        Condition::Skew => [whole(1) / whole(2), whole(1) / whole(2)],
    }
}

type Place = [Rational; 2];

fn loss([f0, f1]: &Place, [pi0, pi1]: &[Rational; 2], c: &Rational) -> Rational {
    whole(2) * (c * pi0 * (Rational::ONE - f0) + (Rational::ONE - c) * pi1 * f1)
}

/// The points of the ROC curve with the lowest score of their thresholds.
fn points(rows: &Rows) -> Vec<(f64, Place)> {
    let scores = [f64::NEG_INFINITY].into_iter().chain(rows.distinct());
    scores.map(|t| (t, [rows.below(false, t), rows.below(true, t)])).collect()
}

fn rate(place: &Place, pi: &[Rational; 2]) -> Rational {
    &place[0] * &pi[0] + &place[1] * &pi[1]
}

/// Where the rate is `r`, ties split: the point, the score of the tie that it lies on and the share of it.
fn inverse(rows: &Rows, pi: &[Rational; 2], r: &Rational) -> (Place, f64, Rational) {
    let points = points(rows);
    let k = (1..points.len()).find(|k| rate(&points[*k].1, pi) >= *r).unwrap();
    let (from, to) = (&points[k - 1].1, &points[k].1);
    let share = (r - rate(from, pi)) / (rate(to, pi) - rate(from, pi));
    let place = [0, 1].map(|j| &from[j] + &share * (&to[j] - &from[j]));
    (place, points[k].0, share)
}

fn same(rates: &Rates, place: &Place, pi: &[Rational; 2]) -> bool {
    let of = |estimate, truth: &Rational| holds(&Value::Numeric(estimate), truth);
    of(rates.true_positive, &place[0])
        && of(rates.false_positive, &place[1])
        && of(rates.predicted_positive, &rate(place, pi))
}

fn find(found: &AtCondition, method: Method) -> &ChosenThreshold {
    found.chosen.iter().find(|c| c.method == method).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, rng_seed: RngSeed::Fixed(13), ..ProptestConfig::default() })]

    #[test]
    fn every_method_by_its_definition(rows in any_rows(), k in 0usize..=24, n in prop::sample::select(vec![24usize, 40, 100])) {
        let c = whole(k.min(n)) / whole(n);
        let (data, evaluation) = (rows.data(), rows.evaluation());
        for condition in CONDITIONS {
            let pi = proportions(&rows, condition);
            let found = thresholds_at(&data, &evaluation, &at(condition, &c));
            let check = |method: Method, place: &Place| {
                let chosen = find(&found, method);
                let rates = chosen.threshold.as_ref().unwrap().1;
                let right = same(&rates, place, &pi) && holds(&chosen.loss, &loss(place, &pi, &c));
                prop_assert!(right, "{condition:?} {method:?} at {c}: {chosen:?}");
                Ok(())
            };
            let below = |t: f64| [rows.below(false, t), rows.below(true, t)];
            check(Method::ScoreFixed(0.5), &below(0.5))?;
            let t = c.to_f64().value();
            check(Method::ScoreDriven, &below(t))?;
            prop_assert_eq!(&find(&found, Method::ScoreDriven).threshold.as_ref().unwrap().0, &Threshold::At(t));

            for (method, r) in [(Method::RateFixed(0.5), whole(1) / whole(2)), (Method::RateDriven, c.clone())] {
                let (place, score, share) = inverse(&rows, &pi, &r);
                check(method, &place)?;
                match find(&found, method).threshold.as_ref().unwrap().0 {
                    Threshold::Split { score: s, share: u } => {
                        // A tie of little weight is split as well as all weights are known.
                        prop_assert!(s == score && u.error < 1e-11);
                        prop_assert!((q(u.value) - &share).to_f64().value().abs() <= u.error);
                        prop_assert!(share > Rational::ZERO && share < Rational::ONE);
                    }
                    // All these thresholds predict alike, and nobody is drawn.
                    Threshold::Between(from, to) => {
                        prop_assert_eq!(rate(&below(from), &pi), r.clone());
                        prop_assert!(to > from && rows.scores.iter().all(|s| *s <= from || *s >= to));
                        prop_assert!(share == Rational::ONE || (share == Rational::ZERO && r == Rational::ZERO));
                    }
                    ref other => prop_assert!(false, "{other:?}"),
                }
            }

            // Drawn scores: the mean of F over [0, 1] is one minus the mean score.
            let mean_score = |class: bool| {
                let all = rows.exact().into_iter().filter(|row| row.1 == class);
                all.fold(Rational::ZERO, |sum, (s, _, w)| sum + s * w) / rows.weight(|_, k| k == class)
            };
            check(Method::ScoreUniform, &[false, true].map(|k| Rational::ONE - mean_score(k)))?;
            // Drawn rates: along each tie the mean of F is that of its ends.
            let curve = points(&rows);
            let mean = |j: usize| curve.windows(2).fold(Rational::ZERO, |sum, pair| {
                let width = rate(&pair[1].1, &pi) - rate(&pair[0].1, &pi);
                sum + width * (&pair[0].1[j] + &pair[1].1[j]) / whole(2)
            });
            check(Method::RateUniform, &[mean(0), mean(1)])?;

            // All minimisers and nothing else.
            let losses: Vec<Rational> = curve.iter().map(|(_, place)| loss(place, &pi, &c)).collect();
            let least = losses.iter().min().unwrap();
            let first = losses.iter().position(|l| l == least).unwrap();
            check(Method::Optimal, &curve[first].1)?;
            let Ok((Threshold::Minimisers(all), _)) = &find(&found, Method::Optimal).threshold else { unreachable!() };
            for ((t, place), loss) in curve.iter().zip(&losses) {
                let inside: Vec<_> = all.iter().filter(|m| m.from <= *t && *t < m.to).collect();
                prop_assert_eq!(inside.len(), usize::from(loss == least), "{} at {}", t, c);
                for m in inside {
                    prop_assert!(m.from != *t || same(&m.first, place, &pi));
                    prop_assert!(m.to != curve.iter().map(|p| p.0).find(|s| s > t).unwrap_or(f64::INFINITY) || same(&m.last, place, &pi));
                }
            }
            prop_assert!(all.windows(2).all(|pair| pair[0].to < pair[1].from));
            prop_assert_eq!(all.iter().map(|m| m.points).sum::<usize>(), losses.iter().filter(|l| *l == least).count());
        }
    }

    /// A cost proportion and its skew have the same optimal thresholds, and losses that differ by a unit.
    #[test]
    fn cost_and_skew(rows in weighted(), k in 0usize..=24) {
        let (data, evaluation) = (rows.data(), rows.evaluation());
        let c = whole(k) / whole(24);
        let [pi0, pi1] = proportions(&rows, Condition::Cost);
        let unit = &c * &pi0 + (Rational::ONE - &c) * &pi1;
        let z = &c * &pi0 / &unit;
        let by_cost = thresholds_at(&data, &evaluation, &at(Condition::Cost, &c));
        let by_skew = thresholds_at(&data, &evaluation, &at(Condition::Skew, &z));
        for found in [&by_cost, &by_skew] {
            prop_assert!(holds(&found.cost_proportion, &c) && holds(&found.skew, &z) && holds(&found.loss_ratio, &(whole(2) * &unit)));
        }
        let spans = |found: &AtCondition| match &find(found, Method::Optimal).threshold {
            Ok((Threshold::Minimisers(all), _)) => all.iter().map(|m| (m.from, m.to)).collect::<Vec<_>>(),
            _ => unreachable!(),
        };
        prop_assert_eq!(spans(&by_cost), spans(&by_skew));
        for method in [Method::Optimal, Method::ScoreFixed(0.5), Method::ScoreUniform] {
            let [a, b] = [&by_cost, &by_skew].map(|found| find(found, method).loss.estimate().unwrap().value);
            prop_assert!((a - whole(2).to_f64().value() * unit.to_f64().value() * b).abs() < 1e-14);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, rng_seed: RngSeed::Fixed(14), ..ProptestConfig::default() })]

    /// The mean over conditions of the loss at each is the expected loss: between breakpoints Gauss's rule with two nodes is exact.
    #[test]
    fn losses_average_to_the_expected_loss(rows in any_rows()) {
        let (data, evaluation) = (rows.data(), rows.evaluation());
        for condition in CONDITIONS {
            let pi = proportions(&rows, condition);
            let mut breaks = vec![0.0, 1.0];
            breaks.extend(rows.distinct());
            breaks.extend(points(&rows).iter().map(|(_, place)| rate(place, &pi).to_f64().value()));
            let [n0, n1] = data.totals();
            breaks.extend(pools(data.ties()).iter().map(|pool| {
                let [a, b] = if condition == Condition::Cost { pool.mass } else { [pool.mass[0] / n0, pool.mass[1] / n1] };
                b / (a + b)
            }));
            breaks.sort_by(f64::total_cmp);
            let mut sums = [0.0; 7];
            for pair in breaks.windows(2).filter(|pair| pair[1] > pair[0]) {
                let off = (pair[1] - pair[0]) / 12f64.sqrt();
                for c in [(pair[0] + pair[1]) / 2.0 - off, (pair[0] + pair[1]) / 2.0 + off] {
                    let found = thresholds_at(&data, &evaluation, &at(condition, &from_f64(c).unwrap()));
                    for (sum, chosen) in sums.iter_mut().zip(&found.chosen) {
                        *sum += chosen.loss.estimate().unwrap().value * (pair[1] - pair[0]) / 2.0;
                    }
                }
            }
            for (sum, method) in sums.iter().zip(Method::ALL) {
                let expected = evaluation.loss(condition, method).unwrap().estimate().unwrap();
                prop_assert!((sum - expected.value).abs() < 1e-12, "{method:?} {condition:?}: {sum} {expected:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, rng_seed: RngSeed::Fixed(15), ..ProptestConfig::default() })]

    /// The metric that goes with each method is its expected loss, and the paper's general inequalities hold.
    #[test]
    fn metrics_are_expected_losses(rows in any_rows()) {
        let choice = compare_methods(&rows.data(), &rows.evaluation(), &Cost::uniform(), Some(KnownAt::Deployment));
        let loss = |method: Method| choice.methods.iter().find(|s| s.method == method).unwrap().cost_loss.estimate().unwrap();
        for s in &choice.methods {
            match &s.metric {
                Some(metric) => {
                    let loss = s.cost_loss.estimate().unwrap().widened(1e-15);
                    prop_assert!(metric.estimate().unwrap().agrees_with(loss), "{s:?}");
                }
                None => prop_assert_eq!(s.method, Method::RateFixed(0.5)),
            }
        }
        let at_least = |a: Method, b: Method| loss(a).value >= loss(b).value - 1e-14;
        prop_assert!(at_least(Method::RateUniform, Method::RateDriven) && at_least(Method::RateDriven, Method::Optimal));
        prop_assert!(at_least(Method::ScoreUniform, Method::ScoreDriven) && at_least(Method::ScoreDriven, Method::Optimal));
        // What applies comes first, the lowest loss first; nothing beats the optimal method.
        let applies: Vec<bool> = choice.methods.iter().map(|s| s.applies).collect();
        prop_assert_eq!(applies, [true; 7]);
        let lowest = choice.lowest(Condition::Cost).unwrap().cost_loss.estimate().unwrap();
        prop_assert!(lowest.value <= loss(Method::Optimal).value);
        prop_assert_eq!(choice.methods[0].cost_loss.estimate().unwrap(), lowest);
    }
}

/// The paper's table: which methods need to know what, and when; and which methods that leaves.
#[test]
fn what_each_method_requires() {
    let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
    let cost = Cost::parse("beta(2, 2)").unwrap();
    let evaluation = evaluate_scored(&data, &cost, &Thresholds::default());
    let applying = |known: KnownAt| {
        let choice = compare_methods(&data, &evaluation, &cost, Some(known));
        assert_eq!((choice.methods.len(), choice.cost.as_str()), (7, "beta(2, 2)"));
        let mut names: Vec<String> = choice.methods.iter().filter(|s| s.applies).map(|s| s.method.name()).collect();
        names.sort();
        names
    };
    // If the condition is known, every method can be used; if not, only those that do not need it.
    assert_eq!(applying(KnownAt::Evaluation).len(), 7);
    assert_eq!(applying(KnownAt::Deployment).len(), 7);
    assert_eq!(applying(KnownAt::Never), ["rf(1/2)", "ru", "sf(1/2)", "su"]);
    let choice = compare_methods(&data, &evaluation, &cost, None);
    let requires = |known: KnownAt| choice.methods.iter().filter(|s| s.advice.requires == known).count();
    assert_eq!(KnownAt::ALL.map(requires), [2, 3, 2]);
    assert!(compare_methods(&data, &evaluation, &cost, None).methods.iter().all(|s| s.applies));
    assert_eq!("deployment".parse(), Ok(KnownAt::Deployment));
    assert!("later".parse::<KnownAt>().unwrap_err().to_string().contains("evaluation, deployment, never"));
}

#[test]
fn scores_that_are_no_probabilities() {
    let data = Scored::from_rows(&[-1.0, 2.0, 3.0], &[false, true, true], None).unwrap();
    let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
    let found = thresholds_at(&data, &evaluation, &OperatingPoint::parse("c=0.2").unwrap());
    assert!(find(&found, Method::ScoreDriven).threshold.as_ref().unwrap_err().to_string().contains("outside [0, 1]"));
    assert!(find(&found, Method::ScoreDriven).loss.estimate().is_none());
    let (drawn, rates) = find(&found, Method::ScoreUniform).threshold.as_ref().unwrap();
    // On [-1, 3] all thresholds find class 0; those in [2, 3] take half of class 1, and the mean is 1/8.
    assert_eq!(drawn, &Threshold::DrawnScore(-1.0, 3.0));
    for (rate, truth) in [(rates.true_positive, 1.0), (rates.false_positive, 0.125)] {
        assert!((rate.value - truth).abs() <= rate.error && rate.error < 1e-14, "{rates:?}");
    }
    let (optimal, _) = find(&found, Method::Optimal).threshold.as_ref().unwrap();
    assert!(matches!(optimal, Threshold::Minimisers(all) if all.len() == 1 && (all[0].from, all[0].to) == (-1.0, 2.0)));
}

/// 0.1 + 0.2 is not 0.3 in floats, and three tenths of ten rows are three rows: what is written is what is meant.
#[test]
fn equalities_are_exact() {
    let scores: Vec<f64> = (0..10).map(f64::from).collect();
    let classes: Vec<bool> = (0..10).map(|i| i % 2 == 1).collect();
    let data = Scored::from_rows(&scores, &classes, None).unwrap();
    let evaluation =
        evaluate_scored(&data, &Cost::uniform(), &Thresholds { rate: constant("0.7"), ..Thresholds::default() });
    let found = thresholds_at(&data, &evaluation, &OperatingPoint::parse("c=0.3").unwrap());
    assert_eq!(find(&found, Method::RateDriven).threshold.as_ref().unwrap().0, Threshold::Between(2.0, 3.0));
    assert_eq!(find(&found, Method::RateFixed(0.7)).threshold.as_ref().unwrap().0, Threshold::Between(6.0, 7.0));
    // Weights whose sums round: what loses alike does so exactly, with no cost on one side or none on the other.
    let weights = [0.1, 0.3, 0.1, 0.1];
    let data = Scored::from_rows(&[0.1, 0.2, 0.3, 0.4], &[false, false, true, true], Some(&weights)).unwrap();
    let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
    let of = |text: &str| {
        let found = thresholds_at(&data, &evaluation, &OperatingPoint::parse(text).unwrap());
        let Ok((Threshold::Minimisers(all), _)) = &find(&found, Method::Optimal).threshold else { panic!() };
        all.iter().map(|m| (m.from, m.to, m.points)).collect::<Vec<_>>()
    };
    assert_eq!(of("c=0"), [(f64::NEG_INFINITY, 0.3, 3)]);
    assert_eq!(of("c=1"), [(0.2, f64::INFINITY, 3)]);
    assert_eq!(of("z=1/2"), [(0.2, 0.3, 1)]);
}

fn constant(text: &str) -> Constant {
    let source = Source::new("rate", text);
    Constant::of(&source, &parse(&source).unwrap()).unwrap()
}

/// A rate with seven decimals used to be replaced by a fraction that was guessed from its float. Two ties, the first of which holds
/// `rate·n` rows, or one row more or less: only then must a tie be split, by a share that is known exactly.
#[test]
fn rates_are_the_numbers_that_were_written() {
    let texts = ["0.1234567", "0.7654321", "0.12345678", "0.98765433", "0.0000001", "1/7", "5/7", "123/1000003", "1/3"];
    for (text, scale) in texts.into_iter().flat_map(|text| [1000u64, 1037].map(|scale| (text, scale))) {
        let rate = constant(text);
        let exact = rate.exact.clone().unwrap();
        let n = Rational::from(exact.denominator().clone()) * Rational::from(scale);
        let reached = &exact * &n;
        assert_eq!(reached.denominator(), &1u8.into());
        for delta in [-1, 0, 1] {
            let first = &reached + Rational::from(delta);
            let [first, second] = [first.clone(), &n - &first].map(|rows| rows.to_f64().value());
            let tie = |x: f64, rows: f64| Tie { x, mass: [(rows / 3.0).floor(), rows - (rows / 3.0).floor()] };
            let data = Scored::from_groups(&[tie(0.25, first), tie(0.75, second)]).unwrap();
            let thresholds = Thresholds { rate: rate.clone(), ..Thresholds::default() };
            let evaluation = evaluate_scored(&data, &Cost::uniform(), &thresholds);
            let found = thresholds_at(&data, &evaluation, &OperatingPoint::parse("c=1/2").unwrap());
            let (threshold, rates) = find(&found, Method::RateFixed(rate.value)).threshold.as_ref().unwrap();
            assert!(holds(&Value::Numeric(rates.predicted_positive), &exact), "{text} {delta}: {rates:?}");
            // One row less: the second tie gives one row. One row more: the first tie keeps one back.
            let split = match delta {
                -1 => (0.75, Rational::ONE / q(second)),
                1 => (0.25, Rational::ONE - Rational::ONE / q(first)),
                _ => {
                    assert_eq!(threshold, &Threshold::Between(0.25, 0.75), "{text} of {n} rows");
                    continue;
                }
            };
            match threshold {
                Threshold::Split { score, share } => {
                    assert_eq!(*score, split.0);
                    assert!(holds(&Value::Numeric(*share), &split.1), "{text} {delta}: {share:?}");
                    assert!(share.value > 0.0 && share.value < 1.0);
                }
                other => panic!("{text} {delta}: {other:?}"),
            }
        }
    }
}

/// Where a segment of the hull has the condition for its share, both of its ends have the same loss; beside it, however close, one of them does.
#[test]
fn alike_and_nearly_alike() {
    let close = whole(1) / whole(10).pow(30);
    for (m0, m1, below) in (1..12).flat_map(|m0| (1..12).flat_map(move |m1| (1..6).map(move |below| (m0, m1, below)))) {
        let mass = [[f64::from(below), 0.0], [f64::from(m0), f64::from(m1)], [0.0, 3.0]];
        let groups: Vec<Tie> = (0..3).map(|k| Tie { x: k as f64 / 2.0, mass: mass[k] }).collect();
        let data = Scored::from_groups(&groups).unwrap();
        let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
        let spans = |c: Rational| {
            let found = thresholds_at(&data, &evaluation, &at(Condition::Cost, &c));
            let Ok((Threshold::Minimisers(all), _)) = &find(&found, Method::Optimal).threshold else { panic!() };
            all.iter().map(|m| (m.from, m.to, m.points)).collect::<Vec<_>>()
        };
        let share = Rational::from(m1) / Rational::from(m0 + m1);
        assert_eq!(spans(share.clone()), [(0.0, 1.0, 2)], "{m0} {m1} {below}");
        assert_eq!(spans(&share - &close), [(0.0, 0.5, 1)]);
        assert_eq!(spans(&share + &close), [(0.5, 1.0, 1)]);
    }
}

#[test]
fn conditions_are_read_or_refused() {
    assert_eq!(OperatingPoint::parse("z = 1/3").unwrap().value(), &(whole(1) / whole(3)));
    let refused = |text: &str| OperatingPoint::parse(text).unwrap_err().message;
    assert_eq!(refused("c=1.5"), "an operating condition lies between 0 and 1");
    assert_eq!(refused("z=-0.1"), "an operating condition lies between 0 and 1");
    assert_eq!(refused("0.2"), "an operating condition is needed");
    assert_eq!(refused("t=0.2"), "unknown operating condition `t`");
    assert!(OperatingPoint::parse("c=").is_err() && OperatingPoint::parse("c=x").is_err());
    assert!(OperatingPoint::new(Condition::Cost, whole(2)).is_none());
}
