//! Scored data against models of atoms, at the exact level, and against what rows say one by one.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::data::{BadScore, Scored, Step, evaluate_scored};
use rocproof::functional::Fixed;
use rocproof::functional::settle::{Thresholds, evaluate_exactly};
use rocproof::{Cost, Model, evaluate};

/// Rows with many ties: scores are 64ths, and so exact.
fn rows() -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
    let row = (0u8..=64, any::<bool>());
    prop::collection::vec(row, 2..40)
        .prop_filter("both classes", |rows| rows.iter().any(|r| r.1) && rows.iter().any(|r| !r.1))
        .prop_map(|rows| rows.into_iter().map(|(score, class)| (f64::from(score) / 64.0, class)).unzip())
}

/// The same data as a model: atoms in the language.
fn as_model(data: &Scored) -> Model {
    let totals = data.totals();
    let atoms = |class: usize| {
        let with_mass = data.steps().filter(|step| step.mass[class] > 0.0);
        let atoms: Vec<String> =
            with_mass.map(|step| format!("{}/64: {}/{}", step.x * 64.0, step.mass[class], totals[class])).collect();
        format!("{{ {} }}", atoms.join("; "))
    };
    Model::new(&atoms(0), &atoms(1), &format!("{}/{}", totals[0], totals[0] + totals[1])).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(5), ..ProptestConfig::default() })]

    #[test]
    fn data_are_a_model_of_atoms((scores, classes) in rows(), cost in prop::sample::select(vec!["uniform", "beta(2, 3)", "beta(5, 1)"])) {
        let data = Scored::from_rows(&scores, &classes, None).unwrap();
        let cost = Cost::parse(cost).unwrap();
        let found = evaluate_scored(&data, &cost, Fixed::default());
        let exact = evaluate_exactly(&as_model(&data), &cost, &Thresholds::default()).unwrap();
        for ((definition, value), (_, truth)) in found.metrics.iter().zip(&exact.metrics) {
            let Some(truth) = truth.settled() else { continue };
            let value = value.estimate().unwrap();
            prop_assert!((value.value - truth.value).abs() <= value.error + 1e-15, "{}: {value:?} {}", definition.name, truth.value);
            prop_assert!(value.error < 1e-12);
        }
        let losses = found.cost_losses.iter().zip(&exact.cost_losses).chain(found.skew_losses.iter().zip(&exact.skew_losses));
        for ((method, value), (_, truth)) in losses {
            let Some(truth) = truth.settled() else { continue };
            let value = value.estimate().unwrap();
            prop_assert!((value.value - truth.value).abs() <= value.error + 1e-15, "{}: {value:?} {}", method.name(), truth.value);
        }
    }

    /// Costs that are no polynomials go by panels.
    #[test]
    fn any_cost_agrees_with_the_model((scores, classes) in rows(), a in 0.3..4.0f64, b in 0.3..4.0f64) {
        let data = Scored::from_rows(&scores, &classes, None).unwrap();
        let cost = Cost::parse(&format!("beta({a}, {b})")).unwrap();
        let found = evaluate_scored(&data, &cost, Fixed::default());
        let model = evaluate(&as_model(&data), &cost);
        for ((method, value), (_, other)) in found.cost_losses.iter().zip(&model.cost_losses) {
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
                let [a, b] = [a, b].map(|data| evaluate_scored(&data, &Cost::uniform(), Fixed::default()));
                for ((definition, x), (_, y)) in a.metrics.iter().zip(&b.metrics) {
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
    let group = |x: f64, n0: f64, n1: f64| Step { x, mass: [n0, n1] };
    assert_eq!(Scored::from_groups(&[group(0.5, 1.0, -2.0)]).unwrap_err(), BadScore::Weight(0, -2.0));
}

/// Positive and negative zero are one score; so close that they print alike are two.
#[test]
fn equal_means_equal() {
    let data = Scored::from_rows(&[0.0, -0.0, 0.3, 0.1 + 0.2], &[true, false, true, false], None).unwrap();
    let scores: Vec<f64> = data.steps().map(|step| step.x).collect();
    assert_eq!(scores, [0.0, 0.3, 0.1 + 0.2]);
}
