//! Scored data against models of atoms, at the exact level, and against what rows say one by one.

use crate::common::numbers;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::data::{BadScore, ScoreDirection, Scored, Tie, evaluate_scored, evaluate_transformed};
use rocproof::functional::Thresholds;
use rocproof::model::Transform;
use rocproof::{Condition, Cost, Level, Request, evaluate};

/// Rows with many ties: scores are 64ths, and so exact.
fn rows() -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
    let row = (0u8..=64, any::<bool>());
    prop::collection::vec(row, 2..40)
        .prop_filter("both classes", |rows| rows.iter().any(|r| r.1) && rows.iter().any(|r| !r.1))
        .prop_map(|rows| rows.into_iter().map(|(score, class)| (f64::from(score) / 64.0, class)).unzip())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(5), ..ProptestConfig::default() })]

    #[test]
    fn data_are_a_model_of_atoms((scores, classes) in rows(), cost in prop::sample::select(vec!["uniform", "beta(2, 3)", "beta(5, 1)"])) {
        let data = Scored::from_rows(&scores, &classes, None).unwrap();
        let cost = Cost::parse(cost).unwrap();
        let found = evaluate_scored(&data, &cost, &Thresholds::default());
        let exact = evaluate(&data.model().unwrap(), &Request::at(Level::Exact).under(cost.clone())).unwrap();
        for ((definition, value), (_, truth)) in found.metrics().zip(exact.metrics()) {
            let Some(truth) = truth.exact() else { continue };
            let value = value.estimate().unwrap();
            prop_assert!((value.value - truth.value).abs() <= value.error, "{}: {value:?} {}", definition.name, truth.value);
            prop_assert!(value.error < 1e-12);
        }
        let losses = found.losses(Condition::Cost).zip(exact.losses(Condition::Cost)).chain(found.losses(Condition::Skew).zip(exact.losses(Condition::Skew)));
        for ((method, value), (_, truth)) in losses {
            let Some(truth) = truth.exact() else { continue };
            let value = value.estimate().unwrap();
            prop_assert!((value.value - truth.value).abs() <= value.error, "{}: {value:?} {}", method.name(), truth.value);
        }
    }

    /// Hulls, and what transforms make of data, are those of the model.
    #[test]
    fn transforms_are_those_of_the_model((scores, classes) in rows(), chosen in prop::sample::subsequence(vec![Transform::Even, Transform::Conv, Transform::Cal], 0..=2)) {
        let data = Scored::from_rows(&scores, &classes, None).unwrap();
        let model = chosen.iter().fold(data.model().unwrap(), |model, transform| model.transformed(*transform));
        let found = evaluate_transformed(&data, &chosen, &Cost::uniform(), &Thresholds::default());
        let of_model = evaluate(&model, &Request::at(Level::Exact)).unwrap();
        prop_assert_eq!(found.convex, of_model.convex);
        prop_assert_eq!(found.gaps.len(), of_model.gaps.len());
        for (a, b) in found.gaps.iter().zip(&of_model.gaps) {
            prop_assert!((a.0 - b.0).abs() + (a.1 - b.1).abs() < 1e-9, "{:?} {:?}", found.gaps, of_model.gaps);
        }
        for ((definition, value), (_, other)) in found.metrics().zip(of_model.metrics()) {
            let (Some(value), Some(other)) = (value.estimate(), other.estimate()) else { continue };
            prop_assert!((value.value - other.value).abs() <= value.error + other.error + 1e-13, "{}: {value:?} {other:?}", definition.name);
        }
        for ((method, value), (_, other)) in found.losses(Condition::Skew).zip(of_model.losses(Condition::Skew)) {
            let (Some(value), Some(other)) = (value.estimate(), other.estimate()) else { continue };
            prop_assert!((value.value - other.value).abs() <= value.error + other.error + 1e-13, "{}: {value:?} {other:?}", method.name());
        }
    }

    #[test]
    fn intervals_are_those_of_the_model((scores, classes) in rows()) {
        let data = Scored::from_rows(&scores, &classes, None).unwrap();
        let (found, model) = (evaluate_scored(&data, &Cost::uniform(), &Thresholds::default()), evaluate(&data.model().unwrap(), &Request::at(Level::Numeric)).unwrap());
        prop_assert_eq!(found.intervals.len(), model.intervals.len(), "{:?} {:?}", found.intervals, model.intervals);
        for (a, b) in found.intervals.iter().zip(&model.intervals) {
            prop_assert_eq!(a.kind, b.kind);
            let apart = (a.tau.0 - b.tau.0).abs() + (a.tau.1 - b.tau.1).abs() + (a.sigma.0 - b.sigma.0).abs() + (a.sigma.1 - b.sigma.1).abs();
            prop_assert!(apart < 1e-9, "{a:?} {b:?}");
        }
    }

    /// Costs that are no polynomials go by panels.
    #[test]
    fn any_cost_agrees_with_the_model((scores, classes) in rows(), a in 0.3..4.0f64, b in 0.3..4.0f64) {
        let data = Scored::from_rows(&scores, &classes, None).unwrap();
        let cost = Cost::parse(&format!("beta({a}, {b})")).unwrap();
        let found = evaluate_scored(&data, &cost, &Thresholds::default());
        let model = evaluate(&data.model().unwrap(), &Request::at(Level::Numeric).under(cost.clone())).unwrap();
        for ((method, value), (_, other)) in found.losses(Condition::Cost).zip(model.losses(Condition::Cost)) {
            let (Some(value), Some(other)) = (value.estimate(), other.estimate()) else { continue };
            let apart = (value.value - other.value).abs();
            prop_assert!(apart <= value.error + other.error + 1e-13, "{}: {value:?} {other:?}", method.name());
        }
    }

    /// Weights count like repeated rows, and the order of rows does not matter.
    #[test]
    fn weights_are_repetitions((scores, classes) in rows(), weights in prop::collection::vec(0u8..4, 40)) {
        let repeated = |of: &dyn Fn(usize) -> (f64, bool)| -> (Vec<f64>, Vec<bool>) {
            (0..scores.len()).flat_map(|row| std::iter::repeat_n(of(row), usize::from(weights[row]))).unzip()
        };
        let (more_scores, more_classes) = repeated(&|row| (scores[row], classes[row]));
        let as_weights: Vec<f64> = weights[..scores.len()].iter().map(|w| f64::from(*w)).collect();
        match (Scored::from_rows(&more_scores, &more_classes, None), Scored::from_rows(&scores, &classes, Some(&as_weights))) {
            (Ok(a), Ok(b)) => {
                let [a, b] = [a, b].map(|data| evaluate_scored(&data, &Cost::uniform(), &Thresholds::default()));
                for ((definition, x), (_, y)) in a.metrics().zip(b.metrics()) {
                    let (x, y) = (x.estimate().unwrap(), y.estimate().unwrap());
                    prop_assert!((x.value - y.value).abs() <= x.error + y.error, "{}", definition.name);
                }
            }
            (a, b) => prop_assert_eq!(a.unwrap_err(), b.unwrap_err()),
        }
    }
}

#[test]
fn bad_rows_are_refused() {
    let refused = |scores: &[f64], classes: &[bool], weights: Option<&[f64]>| {
        Scored::from_rows(scores, classes, weights).unwrap_err()
    };
    assert!(matches!(refused(&[0.1, f64::NAN], &[true, false], None), BadScore::Score(1, _)));
    assert_eq!(refused(&[0.1, f64::INFINITY], &[true, false], None), BadScore::Score(1, f64::INFINITY));
    assert_eq!(refused(&[0.1, 0.2], &[true, true], None), BadScore::OneClass(0));
    assert_eq!(refused(&[0.1, 0.2], &[true], None), BadScore::Ragged);
    assert_eq!(refused(&[0.1, 0.2], &[true, false], Some(&[1.0, -1.0])), BadScore::Weight(1, -1.0));
    assert_eq!(refused(&[0.1, 0.2], &[true, false], Some(&[1.0, 0.0])), BadScore::OneClass(0));
    assert_eq!(refused(&[], &[], None), BadScore::OneClass(0));
    assert_eq!(refused(&[0.1, 0.2], &[true, false], Some(&[1.0, 1e60])), BadScore::Total(0, 1e60));
    let group = |x: f64, n0: f64, n1: f64| Tie { x, mass: [n0, n1] };
    assert_eq!(Scored::from_groups(&[group(0.5, 1.0, -2.0)]).unwrap_err(), BadScore::Weight(0, -2.0));
}

/// Positive and negative zero are one score; so close that they print alike are two.
#[test]
fn equal_means_equal() {
    let data = Scored::from_rows(&[0.0, -0.0, 0.3, 0.1 + 0.2], &[true, false, true, false], None).unwrap();
    let scores: Vec<f64> = data.ties().map(|step| step.x).collect();
    assert_eq!(scores, [0.0, 0.3, 0.1 + 0.2]);
}

/// Rows in many chunks, with ties that reach over several of them, are the same as few groups.
#[test]
fn long_ties_are_groups() {
    let mut next = numbers(7);
    let scores: Vec<f64> = (0..100_000).map(|_| ((next() * 4.0).floor() / 4.0).min(0.5)).collect();
    let classes: Vec<bool> = scores.iter().map(|x| next() < 0.2 + 0.5 * x).collect();
    let mut groups = [0.0, 0.25, 0.5].map(|x| Tie { x, mass: [0.0; 2] });
    for (score, class) in scores.iter().zip(&classes) {
        groups[(score * 4.0) as usize].mass[usize::from(*class)] += 1.0;
    }
    let thresholds = &Thresholds::of_floats(0.25, 0.6);
    let rows = evaluate_scored(&Scored::from_rows(&scores, &classes, None).unwrap(), &Cost::uniform(), thresholds);
    let grouped = evaluate_scored(&Scored::from_groups(&groups).unwrap(), &Cost::uniform(), thresholds);
    same(&rows, &grouped);
}

fn same(one: &rocproof::Evaluation, other: &rocproof::Evaluation) {
    let values = |e: &rocproof::Evaluation| {
        let losses =
            e.losses(Condition::Cost).chain(e.losses(Condition::Skew)).map(|(m, v)| (m.name(), v.estimate().unwrap()));
        let metrics = e.metrics().map(|(d, v)| (d.name.to_owned(), v.estimate().unwrap()));
        metrics.chain(losses).collect::<Vec<_>>()
    };
    for ((name, a), (_, b)) in values(one).into_iter().zip(values(other)) {
        assert!((a.value - b.value).abs() <= a.error + b.error, "{name}: {a:?} {b:?}");
        assert!(a.error < 1e-12, "{name}: {a:?}");
    }
}

/// Over many chunks the values are what sums over rows say.
#[test]
fn rows_in_many_chunks() {
    let mut next = numbers(11);
    let scores: Vec<f64> = (0..60_000).map(|_| next()).collect();
    let classes: Vec<bool> = scores.iter().map(|x| next() < x * x).collect();
    let data = Scored::from_rows(&scores, &classes, None).unwrap();
    let found = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
    let mut rows: Vec<(f64, bool)> = scores.into_iter().zip(classes).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = rows.len() as f64;
    let mean =
        |of: &dyn Fn(f64, f64) -> f64| rows.iter().map(|(x, y)| of(*x, f64::from(u8::from(*y)))).sum::<f64>() / n;
    // A gap or a row at a time: the loss of rates and the loss of thresholds, as the paper defines them.
    let (mut zeros, mut wins, mut reached, mut uniform, mut driven, mut largest) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0f64);
    let (n1, mut x0) = (rows.iter().filter(|r| r.1).count() as f64, 0.0);
    let n0 = n - n1;
    let (pi0, pi1) = (n0 / n, n1 / n);
    for (k, (x, is_1)) in rows.iter().enumerate() {
        let (f0, f1) = (zeros / n0, (k as f64 - zeros) / n1);
        uniform += (x - x0) * (pi0 * (1.0 - f0) + pi1 * f1);
        driven += 2.0 * (pi0 * (1.0 - f0) * (x * x - x0 * x0) / 2.0 + pi1 * f1 * ((x - x0) - (x * x - x0 * x0) / 2.0));
        largest = largest.max((f0 - f1).abs());
        if *is_1 {
            wins += zeros;
        } else {
            zeros += 1.0;
        }
        reached += pi0 * (1.0 - (zeros - f64::from(u8::from(!is_1)) / 2.0) / n0)
            + pi1 * (k as f64 + 1.0 - zeros - f64::from(u8::from(*is_1)) / 2.0) / n1;
        x0 = *x;
    }
    uniform += (1.0 - x0) * pi1;
    driven += 2.0 * pi1 * ((1.0 - x0) - (1.0 - x0 * x0) / 2.0);
    let expected = [
        ("AUC", wins / (n0 * n1)),
        ("BS", mean(&|x, y| (x - y).powi(2))),
        ("MAE", mean(&|x, y| (x - y).abs())),
        ("KS", largest),
        ("CL", mean(&|x, y| (x - y).powi(2))),
        ("RL", 0.0),
    ];
    for (name, value) in expected {
        let found = found.metric(name).unwrap().estimate().unwrap();
        assert!((found.value - value).abs() < 1e-12, "{name}: {found:?} {value}");
    }
    let losses = [("su", uniform), ("sd", driven), ("ru", reached / n)];
    for (name, value) in losses {
        let found = found.losses(Condition::Cost).find(|(m, _)| m.name() == name).unwrap().1.estimate().unwrap();
        assert!((found.value - value).abs() < 1e-12, "{name}: {found:?} {value}");
    }
}

/// Scores for the other class are reversed, and the threshold with them.
#[test]
fn mirrored_scores() {
    let mut next = numbers(3);
    for scale in [1.0, 8.0] {
        let scores: Vec<f64> = (0..500).map(|_| scale * (next() * 64.0).floor() / 64.0).collect();
        let classes: Vec<bool> = scores.iter().map(|x| next() < 0.1 + 0.7 * x / scale).collect();
        let turned: Vec<f64> = scores.iter().map(|x| if scale == 1.0 { 1.0 - x } else { -x }).collect();
        let threshold = scale * 0.25;
        let other = if scale == 1.0 { 1.0 - threshold } else { -threshold };
        let mirrored = Scored::directed(ScoreDirection::TowardClass0, &turned, &classes, None).unwrap();
        let plain = Scored::from_rows(&scores, &classes, None).unwrap();
        assert_eq!(plain.ties().collect::<Vec<_>>(), mirrored.ties().collect::<Vec<_>>());
        let [plain, mirrored] = [(plain, threshold), (mirrored, other)]
            .map(|(data, threshold)| evaluate_scored(&data, &Cost::uniform(), &Thresholds::of_floats(threshold, 0.3)));
        let values = |e: &rocproof::Evaluation| -> Vec<_> {
            // The prior of H_hmeasure is by the class that higher scores mean, and differs.
            let metrics = e.metrics().filter(|(definition, _)| definition.name != "H_hmeasure");
            metrics.filter_map(|(_, v)| v.estimate()).map(|e| e.value).collect()
        };
        assert!(values(&plain).len() > 10);
        for (a, b) in values(&plain).into_iter().zip(values(&mirrored)) {
            assert!((a - b).abs() < 1e-13, "{a} {b}");
        }
    }
}

/// A loss that is zero, where sums of weights are rounded: it was 1.3e-16 with an error of 2e-31.
#[test]
fn rounded_weights_are_doubted() {
    let weights = [2.8127015018872834, 2.679729880014451, 0.6, 0.1, 0.01, 0.1, 0.1, 0.5];
    let scores = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.8];
    let classes = scores.map(|score| score > 0.5);
    let data = Scored::from_rows(&scores, &classes, Some(&weights)).unwrap();
    let optimal = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default())
        .losses(Condition::Cost)
        .nth(6)
        .unwrap()
        .1
        .estimate()
        .unwrap();
    assert!(optimal.value.abs() <= optimal.error, "{optimal:?}");
}
