use super::*;
use crate::read::on_input_scale;
use crate::{Scored, Tie, evaluate_scored};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rocproof_engine::functional::Value;

/// Ties with random weights of both labels: scores grow evenly over a range.
fn random_ties(seed: u64, count: u32, range: (f64, f64), whole: bool) -> Vec<Tie> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut ties = Vec::new();
    for k in 0..count {
        if random.random::<f64>() < 0.3 {
            continue;
        }
        let share = f64::from(k) / f64::from(count);
        let mut weight = |p: f64| match (random.random::<f64>() < p, whole) {
            (false, _) => 0.0,
            (true, true) => f64::from(random.random_range(1..4u32)),
            (true, false) => random.random::<f64>(),
        };
        let mass = [weight(1.1 - share), weight(0.1 + share)];
        ties.push(Tie { x: range.0 + (range.1 - range.0) * share, mass });
    }
    ties
}

/// Every value agrees with that of the sorted rows kept in memory, whichever way labels, scores and rows are turned.
fn compare(ties: &[Tie], cost: &Cost) -> usize {
    let thresholds = Thresholds::default();
    let mut compared = 0;
    for direction in [ScoreDirection::TowardClass1, ScoreDirection::TowardClass0] {
        for labels in [[0, 1], [1, 0]] {
            let by_class: Vec<Tie> =
                ties.iter().map(|tie| Tie { x: tie.x, mass: labels.map(|label: usize| tie.mass[label]) }).collect();
            let data = Scored::directed_groups(direction, &by_class).unwrap();
            let expected = on_input_scale(&data, &[], evaluate_scored(&data, cost, &thresholds));
            for falls in [false, true] {
                let mut rows = SortedRows::new(cost, &thresholds);
                let mut order = ties.to_vec();
                if falls {
                    order.reverse();
                }
                order.iter().for_each(|tie| rows.push(tie.x, tie.mass).unwrap());
                let found = rows.finish(labels, direction).unwrap();
                assert_eq!(found.values.len(), expected.values.len());
                let case = format!("{direction:?}, labels {labels:?}, falls: {falls}");
                for (k, (found, expected)) in found.values.iter().zip(&expected.values).enumerate() {
                    match (found.estimate(), expected.estimate()) {
                        (Some(found), Some(expected)) => {
                            let apart = (found.value - expected.value).abs();
                            assert!(
                                apart <= found.error + expected.error,
                                "{case}, value {k}: {found:?}, {expected:?}"
                            );
                            assert!(found.error < 1e-11, "{case}, value {k}: {found:?}");
                            compared += 1;
                        }
                        (None, None) => {}
                        // The polynomials of other costs may have too many terms.
                        (None, Some(_)) if !cost.is_uniform() => {}
                        _ => panic!("{case}, value {k}: {found:?}, {expected:?}"),
                    }
                }
                assert_eq!((found.convex, found.gaps.len()), (expected.convex, expected.gaps.len()), "{case}");
                for (a, b) in found.gaps.iter().zip(&expected.gaps) {
                    assert_eq!(a, b, "{case}");
                }
            }
        }
    }
    compared
}

#[test]
fn one_pass_gives_what_sorted_rows_give() {
    for (seed, count) in [(1, 5), (2, 40), (3, 300)] {
        for range in [(0.0, 1.0), (-3.0, 4.0), (-1.0, -0.25)] {
            for whole in [true, false] {
                let compared = compare(&random_ties(seed, count, range, whole), &Cost::uniform());
                // All metrics and losses but those that need probabilities.
                assert!(compared >= 8 * 20, "{range:?}: {compared}");
            }
        }
    }
}

#[test]
fn other_costs_are_read_as_well() {
    assert!(compare(&random_ties(4, 60, (0.0, 1.0), true), &Cost::parse("beta(2, 2)").unwrap()) > 8 * 20);
}

#[test]
fn rows_out_of_order_are_refused() {
    let rows = || SortedRows::new(&Cost::uniform(), &Thresholds::default());
    let mut grows = rows();
    [0.1, 0.1, 0.3].into_iter().for_each(|score| grows.push(score, [1.0, 0.0]).unwrap());
    assert_eq!(grows.push(0.2, [0.0, 1.0]), Err(NotSorted { before: 0.3, score: 0.2 }));
    let mut falls = rows();
    [0.5, 0.2].into_iter().for_each(|score| falls.push(score, [1.0, 1.0]).unwrap());
    assert_eq!(falls.push(0.3, [0.0, 1.0]), Err(NotSorted { before: 0.2, score: 0.3 }));
    let mut only = rows();
    only.push(0.5, [1.0, 0.0]).unwrap();
    assert_eq!(only.finish([0, 1], ScoreDirection::TowardClass1).unwrap_err(), BadScore::OneClass(1));
}

#[test]
fn many_ties_leave_the_fixed_rate_uncertain_and_nothing_else() {
    let mut rows = SortedRows::new(&Cost::uniform(), &Thresholds::default());
    let count = 600_000u32;
    for k in 0..count {
        let is_1 = (u64::from(k) * 7919) % u64::from(count) < u64::from(k);
        rows.push(f64::from(k) / f64::from(count), if is_1 { [0.0, 1.0] } else { [1.0, 0.0] }).unwrap();
    }
    let kept: usize = rows.hulls.iter().map(Vec::len).sum();
    assert!(kept < 20_000, "{kept}");
    let found = rows.finish([0, 1], ScoreDirection::TowardClass1).unwrap();
    let mut ties: Vec<Tie> = Vec::new();
    for k in 0..count {
        let is_1 = (u64::from(k) * 7919) % u64::from(count) < u64::from(k);
        ties.push(Tie { x: f64::from(k) / f64::from(count), mass: if is_1 { [0.0, 1.0] } else { [1.0, 0.0] } });
    }
    let data = Scored::from_groups(&ties).unwrap();
    let expected = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
    let uncertain = |value: &Value| value.estimate().is_some_and(|estimate| estimate.error > 1e-9);
    assert_eq!(found.values.iter().filter(|value| uncertain(value)).count(), 2);
    for (found, expected) in found.values.iter().zip(&expected.values) {
        let (Some(found), Some(expected)) = (found.estimate(), expected.estimate()) else { continue };
        assert!((found.value - expected.value).abs() <= found.error + expected.error, "{found:?}, {expected:?}");
        assert!(found.error < 1e-4);
    }
}
