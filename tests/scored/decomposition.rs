//! The Brier score taken apart, against rows one by one in rational arithmetic.

use crate::rows::{Rows, any_rows, holds, plain, q, whole};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::Cost;
use rocproof::arith::Rational;
use rocproof::data::{
    BadPartition, Closed, Decomposition, Partition, Scored, corp, corp_of_hull, decompose, evaluate_scored, pools,
};
use rocproof::functional::{Thresholds, Value};

/// `BS`, `CL`, `RES`, `UNC` and the two terms within cells, by sums over rows; `cell` says in which cell a row lies.
fn parts(rows: &Rows, cell: &dyn Fn(usize) -> usize) -> [Rational; 6] {
    let (all, n, pi1) = (rows.exact(), rows.total(), rows.pi(true));
    let cell: Vec<usize> = (0..all.len()).map(cell).collect();
    let mean = |of: usize, what: &dyn Fn(&(Rational, bool, Rational)) -> Rational| {
        let inside = || (0..all.len()).filter(|i| cell[*i] == cell[of]);
        let weight = inside().fold(Rational::ZERO, |sum, i| sum + &all[i].2);
        inside().fold(Rational::ZERO, |sum, i| sum + what(&all[i]) * &all[i].2) / weight
    };
    let class = |row: &(Rational, bool, Rational)| whole(usize::from(row.1));
    let mut sums = [const { Rational::ZERO }; 6];
    for (i, row) in all.iter().enumerate() {
        let (s, y) = (row.0.clone(), class(row));
        let (s_mean, y_mean) = (mean(i, &|r| r.0.clone()), mean(i, &class));
        let square = |x: Rational| x.clone() * x;
        let terms = [
            square(&s - &y),
            square(&s_mean - &y_mean),
            square(&y_mean - &pi1),
            square(&y - &pi1),
            square(&s - &s_mean),
            whole(2) * (&s - &s_mean) * (&y - &y_mean),
        ];
        sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term * &row.2 / &n);
    }
    sums
}

fn check(rows: &Rows, found: &Decomposition, cell: &dyn Fn(usize) -> usize) -> Result<(), TestCaseError> {
    let [bs, cl, res, unc, variance, covariance] = parts(rows, cell);
    prop_assert_eq!(&bs, &(&cl - &res + &unc + &variance - &covariance), "the identity itself");
    let named = [
        ("BS", &found.brier_score, bs.clone()),
        ("CL", &found.calibration_loss, cl.clone()),
        ("RL", &found.refinement_loss, &unc - &res),
        ("RES", &found.resolution, res.clone()),
        ("UNC", &found.uncertainty, unc.clone()),
        ("variance", &found.within_variance, variance),
        ("covariance", &found.within_covariance, covariance),
        ("defect", &found.defect, bs - cl - (unc - res)),
        ("residual", &found.residual, Rational::ZERO),
    ];
    for (name, value, truth) in named {
        prop_assert!(holds(value, &truth), "{name}: {value:?} {}", truth.to_f64().value());
    }
    Ok(())
}

/// The bin of a score among edges, from what the sides are said to be.
fn bin(edges: &[f64], closed: Closed, s: f64) -> usize {
    let bins = edges.len() - 1;
    let inside = |k: usize| match closed {
        Closed::Right => (edges[k] < s || k == 0) && s <= edges[k + 1],
        Closed::Left => edges[k] <= s && (s < edges[k + 1] || k + 1 == bins),
    };
    (0..bins).find(|k| inside(*k)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, rng_seed: RngSeed::Fixed(11), ..ProptestConfig::default() })]

    #[test]
    fn by_ties(rows in any_rows()) {
        let found = decompose(&rows.data(), &rows.evaluation(), &Partition::Ties).unwrap();
        prop_assert_eq!(found.filled, rows.distinct().len());
        let scores = rows.distinct();
        check(&rows, &found, &|i| scores.iter().position(|s| *s == rows.scores[i]).unwrap())?;
        prop_assert_eq!(found.defect.estimate().unwrap().value, 0.0);
    }

    /// Rows that count alike: nothing but what is computed at nodes is rounded.
    #[test]
    fn by_ties_of_rows_alike(rows in plain()) {
        let found = decompose(&rows.data(), &rows.evaluation(), &Partition::Ties).unwrap();
        let scores = rows.distinct();
        check(&rows, &found, &|i| scores.iter().position(|s| *s == rows.scores[i]).unwrap())?;
    }

    /// The segments of the hull, found by the slopes of all chords.
    #[test]
    fn by_hull_segments(rows in any_rows()) {
        let found = decompose(&rows.data(), &rows.evaluation(), &Partition::HullSegments).unwrap();
        let scores = rows.distinct();
        let points: Vec<[Rational; 2]> = [f64::NEG_INFINITY]
            .iter()
            .chain(&scores)
            .map(|t| [rows.below(true, *t), rows.below(false, *t)])
            .collect();
        // A vertex lies above every chord that spans it.
        let above = |k: usize, i: usize, j: usize| {
            let ([x, y], [x0, y0], [x1, y1]) = (&points[k], &points[i], &points[j]);
            (y - y0) * (x1 - x0) > (y1 - y0) * (x - x0)
        };
        let is_vertex = |k: usize| (0..k).all(|i| (k + 1..=scores.len()).all(|j| above(k, i, j)));
        let ends: Vec<f64> = (1..=scores.len()).filter(|k| *k == scores.len() || is_vertex(*k)).map(|k| scores[k - 1]).collect();
        prop_assert_eq!(found.cells.iter().map(|c| c.scores.1).collect::<Vec<_>>(), ends.clone());
        check(&rows, &found, &|i| ends.iter().position(|end| rows.scores[i] <= *end).unwrap())?;
        // The loss of the optimal method is the refinement loss by these segments, and BS(PAV) is too.
        let evaluation = rows.evaluation();
        let [optimal, hull, pav] = [
            evaluation.loss(rocproof::Condition::Cost, rocproof::Method::Optimal).unwrap().clone(),
            evaluation.metric("RL_conv").unwrap().clone(),
            corp(&rows.data(), &evaluation).recalibrated,
        ];
        for other in [optimal, hull, pav] {
            prop_assert!(found.refinement_loss.estimate().unwrap().agrees_with(other.estimate().unwrap()));
        }
        // One place finds what `Cal` pools.
        let masses: Vec<_> = rows.data().pooled().ties().map(|pool| pool.mass).collect();
        // Weights are added up in another order.
        let pooled: Vec<[f64; 2]> = pools(rows.data().ties()).iter().map(|p| p.mass).collect();
        prop_assert_eq!(pooled.len(), masses.len());
        for (a, b) in pooled.iter().flatten().zip(masses.iter().flatten()) {
            prop_assert!((a - b).abs() <= 1e-14 * a.abs(), "{a} {b}");
        }
    }

    #[test]
    fn by_stated_bins(rows in any_rows(), k in 1usize..9, left in any::<bool>(), cuts in prop::collection::btree_set(1u8..32, 0..5)) {
        let closed = if left { Closed::Left } else { Closed::Right };
        let width: Vec<f64> = (0..=k).map(|j| j as f64 / k as f64).collect();
        let stated: Vec<f64> = [0.0].into_iter().chain(cuts.iter().map(|c| f64::from(*c) / 32.0)).chain([1.0]).collect();
        for (partition, edges) in [
            (Partition::EqualWidth(k, closed), width),
            (Partition::Edges(stated.clone(), closed), stated),
        ] {
            let found = decompose(&rows.data(), &rows.evaluation(), &partition).unwrap();
            check(&rows, &found, &|i| bin(&edges, closed, rows.scores[i]))?;
            prop_assert_eq!(found.filled + found.empty, edges.len() - 1);
            for cell in &found.cells {
                let inside = |s: f64| bin(&edges, closed, s) == bin(&edges, closed, cell.scores.0);
                prop_assert!(edges.windows(2).any(|e| (e[0], e[1]) == cell.edges) && inside(cell.scores.1));
            }
        }
    }

    /// Each bin of equal weight starts where the one before ends, and crosses its quantile only with its last (or first) tie.
    #[test]
    fn by_equal_weight(rows in any_rows(), k in 1usize..9, left in any::<bool>()) {
        let closed = if left { Closed::Left } else { Closed::Right };
        let found = decompose(&rows.data(), &rows.evaluation(), &Partition::EqualMass(k, closed)).unwrap();
        // The bin of a tie, by its definition: how many quantiles lie below it, by the weight up to its start or its end.
        let quantiles = |s: f64| {
            let before = rows.weight(|t, _| if left { t <= s } else { t < s }) * whole(k);
            (1..k).filter(|j| if left { before > whole(*j) * rows.total() } else { before >= whole(*j) * rows.total() }).count()
        };
        check(&rows, &found, &|i| quantiles(rows.scores[i]))?;
        prop_assert_eq!(found.filled + found.empty, k);
    }

    #[test]
    fn corp_parts(rows in any_rows()) {
        let found = corp(&rows.data(), &rows.evaluation());
        let [bs, .., unc, _, _] = parts(&rows, &|_| 0);
        // The isotonic fit by its min-max formula: the smallest of the largest averages.
        let average = |a: f64, b: f64| rows.weight(|s, c| c && a <= s && s <= b) / rows.weight(|s, _| a <= s && s <= b);
        let scores = rows.distinct();
        let fit = |s: f64| {
            let largest = |b: f64| scores.iter().filter(|a| **a <= s).map(|a| average(*a, b)).max().unwrap();
            scores.iter().filter(|b| **b >= s).map(|b| largest(*b)).min().unwrap()
        };
        let pav = (0..rows.len()).fold(Rational::ZERO, |sum, i| {
            let off = fit(rows.scores[i]) - whole(usize::from(rows.classes[i]));
            sum + off.clone() * off * q(rows.weights[i]) / rows.total()
        });
        prop_assert!(holds(&found.recalibrated, &pav));
        prop_assert!(holds(&found.miscalibration, &(&bs - &pav)));
        prop_assert!(holds(&found.discrimination, &(&unc - &pav)));
        // The refinement loss of the hull is that of the isotonic fit.
        let by_hull = corp_of_hull(rows.data().totals(), &rows.evaluation());
        prop_assert!(holds(&by_hull.miscalibration, &(&bs - &pav)));
        prop_assert!(holds(&by_hull.discrimination, &(&unc - &pav)));
    }
}

#[test]
fn scores_that_are_no_probabilities() {
    let data = Scored::from_rows(&[-1.0, 2.0, 3.0, 3.5], &[false, true, false, true], None).unwrap();
    let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
    let found = decompose(&data, &evaluation, &"width:3:left".parse().unwrap()).unwrap();
    assert!(matches!(found.brier_score, Value::Missing(_)) && matches!(found.defect, Value::Missing(_)));
    // Bins on [-1, 3.5]: one row of class 0 in the first, two of class 1 of three in the last, which starts at 2.
    assert_eq!(found.cells.iter().map(|c| c.mass).collect::<Vec<_>>(), [[1.0, 0.0], [1.0, 2.0]]);
    assert!((found.refinement_loss.estimate().unwrap().value - 0.75 * 2.0 / 9.0).abs() < 1e-15);
    assert!(corp(&data, &evaluation).discrimination.estimate().is_some());
    assert!(corp(&data, &evaluation).miscalibration.estimate().is_none());
}

#[test]
fn bad_partitions_are_refused() {
    let refused = |text: &str| text.parse::<Partition>().unwrap_err().to_string();
    assert!(refused("bins:3").contains("is no partition"));
    assert!(refused("ties:left").contains("is no partition"));
    assert!(refused("width:0").contains("from 1 to"));
    assert!(refused("mass:1e3").contains("from 1 to"));
    assert!(refused("edges:0,0.5,0.5").contains("grow"));
    assert!(refused("edges:0,NaN").contains("grow"));
    let data = Scored::from_rows(&[0.2, 0.9], &[false, true], None).unwrap();
    let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
    let outside = decompose(&data, &evaluation, &"edges:0,0.5".parse().unwrap()).unwrap_err();
    assert_eq!(outside, BadPartition::Outside(0.9));
    let constant = Scored::from_rows(&[2.0, 2.0], &[false, true], None).unwrap();
    let evaluation = evaluate_scored(&constant, &Cost::uniform(), &Thresholds::default());
    assert!(matches!(decompose(&constant, &evaluation, &"width:2".parse().unwrap()), Err(BadPartition::Scale(_))));
    for name in ["ties", "hull", "width:10", "mass:4:left", "edges:0,0.25,1"] {
        assert_eq!(name.parse::<Partition>().unwrap().name(), name);
    }
}
