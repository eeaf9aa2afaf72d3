//! Finite-sample formulas against all cutpoints, one by one, in rational arithmetic.

use crate::rows::{Rows, any_rows, holds, plain, q, untied, whole};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::arith::{Number, Rational};
use rocproof::data::{FINITE_FORMULAS, FiniteFormula, TieRule, finite_sample};
use rocproof::functional::{Value, formula};

fn half() -> Rational {
    Rational::ONE / whole(2)
}

/// `Q(t; c)` at a point `[F0, F1]` with class proportions `[π0, π1]`.
fn loss([f0, f1]: &[Rational; 2], [pi0, pi1]: &[Rational; 2], c: &Rational) -> Rational {
    whole(2) * (c * pi0 * (Rational::ONE - f0) + (Rational::ONE - c) * pi1 * f1)
}

fn mean(values: &[Rational]) -> Rational {
    values.iter().fold(Rational::ZERO, |sum, v| sum + v) / whole(values.len())
}

/// For each rank the chance that the row there is of class 1, tied rows in random order.
fn by_rank(rows: &Rows) -> Vec<Rational> {
    let ties = rows.distinct().into_iter().flat_map(|s| {
        let inside = |class: Option<bool>| rows.weight(|t, c| t == s && class.is_none_or(|k| k == c));
        let share = inside(Some(true)) / inside(None);
        let count = rows.scores.iter().filter(|t| **t == s).count();
        std::iter::repeat_n(share, count)
    });
    ties.collect()
}

/// What an item is, by its definition.
fn truth(rows: &Rows, of: &FiniteFormula) -> Rational {
    let pi = [rows.pi(false), rows.pi(true)];
    let even = [half(), half()];
    let scores = rows.distinct();
    let at = |t: f64| [rows.below(false, t), rows.below(true, t)];
    let rate = |p: &[Rational; 2], pi: &[Rational; 2]| &p[0] * &pi[0] + &p[1] * &pi[1];
    let n = rows.len();
    // The mean over rows of something read where the threshold is the row's score.
    let over_rows = |of: &dyn Fn([Rational; 2]) -> Rational| {
        let terms = (0..n).map(|i| of(at(rows.scores[i])) * q(rows.weights[i]) / rows.total());
        terms.fold(Rational::ZERO, |sum, term| sum + term)
    };
    // The points of all n+1 cutpoints.
    let cutpoints = || -> Vec<[Rational; 2]> {
        let mut at = [Rational::ZERO, Rational::ZERO];
        let mut points = vec![at.clone()];
        for y in by_rank(rows) {
            at[0] += (Rational::ONE - &y) / rows.weight(|_, c| !c);
            at[1] += y / rows.weight(|_, c| c);
            points.push(at.clone());
        }
        points
    };
    // Thresholds that jump to the end of a tie as soon as the rate reaches into it.
    let inverse = |pi: &[Rational; 2]| {
        let mut from = Rational::ZERO;
        let mut sum = Rational::ZERO;
        for t in &scores {
            let to = rate(&at(*t), pi);
            sum += loss(&at(*t), pi, &((&from + &to) * half())) * (&to - &from);
            from = to;
        }
        sum
    };
    let evenly = |score: &dyn Fn(usize) -> Rational, power: usize| {
        let of_rank = |(i, y): (usize, Rational)| {
            let (s, t) = (score(i + 1), Rational::ONE - score(i + 1));
            (Rational::ONE - &y) * s.pow(power as isize) + y * t.pow(power as isize)
        };
        mean(&by_rank(rows).into_iter().enumerate().map(of_rank).collect::<Vec<_>>())
    };
    let est = |i: usize| whole(i - 1) / whole(n - 1);
    let middle = |i: usize| (whole(i) - half()) / whole(n);
    let inner = |i: usize| whole(i) / whole(n + 1);
    let average = |pi: &[Rational; 2]| mean(&cutpoints().iter().map(|p| loss(p, pi, &half())).collect::<Vec<_>>());
    match of.name {
        "ru_cutpoints" => average(&pi),
        "ru_cutpoints_skew" => average(&even),
        "ru_rows" => over_rows(&|p| loss(&p, &pi, &half())),
        "ru_rows_skew" => over_rows(&|p| loss(&p, &even, &half())),
        "tpr_rows" => over_rows(&|[f0, _]| f0),
        "fpr_rows" => over_rows(&|[_, f1]| f1),
        "rd_cutpoints" => {
            let points = cutpoints();
            let cells = points.iter().enumerate().map(|(k, p)| loss(p, &pi, &((whole(k) + half()) / whole(n + 1))));
            mean(&cells.collect::<Vec<_>>())
        }
        "rd_rows" => inverse(&pi),
        "rd_rows_skew" => inverse(&even),
        "mae_even" => evenly(&est, 1),
        "bs_even" => evenly(&est, 2),
        "mae_even_middle" => evenly(&middle, 1),
        "bs_even_middle" => evenly(&middle, 2),
        "mae_even_inner" => evenly(&inner, 1),
        "bs_even_inner" => evenly(&inner, 2),
        "o_rows" => {
            // The lowest of all lines, exactly: between neighbouring crossings it is straight.
            let points: Vec<[Rational; 2]> = scores.iter().map(|t| at(*t)).collect();
            let mut crossings = vec![Rational::ZERO, Rational::ONE];
            for p in &points {
                for r in &points {
                    let [a, b] = [Rational::ZERO, Rational::ONE].map(|c| loss(p, &pi, &c) - loss(r, &pi, &c));
                    if a != b {
                        crossings.push(&a / (&a - b));
                    }
                }
            }
            crossings.retain(|c| *c >= Rational::ZERO && *c <= Rational::ONE);
            crossings.sort();
            let lowest = |c: &Rational| points.iter().map(|p| loss(p, &pi, c)).min().unwrap();
            let pieces = crossings.windows(2).map(|c| lowest(&((&c[0] + &c[1]) * half())) * (&c[1] - &c[0]));
            pieces.fold(Rational::ZERO, |sum, piece| sum + piece)
        }
        "auc_hand" => {
            let share =
                |a: f64, b: f64| rows.weight(|s, c| c && a <= s && s <= b) / rows.weight(|s, _| a <= s && s <= b);
            let fit = |s: f64| {
                let largest = |b: f64| scores.iter().filter(|a| **a <= s).map(|a| share(*a, b)).max().unwrap();
                scores.iter().filter(|b| **b >= s).map(|b| largest(*b)).min().unwrap()
            };
            let points: Vec<[Rational; 2]> = [f64::NEG_INFINITY].iter().chain(&scores).map(|t| at(*t)).collect();
            let lowest = |c: Rational| points.iter().map(|p| loss(p, &pi, &c)).min().unwrap();
            let terms = (0..n).map(|i| lowest(fit(rows.scores[i])) * q(rows.weights[i]) / rows.total());
            terms.fold(Rational::ZERO, |sum, term| sum + term)
        }
        other => panic!("no definition of {other}"),
    }
}

/// What formulas read, exactly.
fn named(rows: &Rows, name: &str) -> Option<Rational> {
    let scores = rows.distinct();
    let sum = |pi: [Rational; 2], term: &dyn Fn(&Rational, [Rational; 2], &Rational) -> Rational| {
        let mut reached = Rational::ZERO;
        let mut sum = Rational::ZERO;
        for s in &scores {
            let shares = [false, true].map(|k| rows.weight(|t, c| c == k && t == *s) / rows.weight(|_, c| c == k));
            let d = &pi[0] * &shares[0] + &pi[1] * &shares[1];
            reached += &d;
            sum += term(&d, shares, &reached);
        }
        sum
    };
    let (pi, even) = ([rows.pi(false), rows.pi(true)], [half(), half()]);
    let spread = |d: &Rational, _: [Rational; 2], r: &Rational| d * d * (r - whole(2) * d / whole(3));
    Some(match name {
        "n" => rows.total(),
        "pi0" => rows.pi(false),
        "pi1" => rows.pi(true),
        "AUC" => rows.auc(),
        "J0" => sum(pi, &|d, [d0, _], _| d * d0),
        "J1" => sum(pi, &|d, [_, d1], _| d * d1),
        "S" => sum(pi, &spread),
        "J1z" => sum(even, &|d, [_, d1], _| d * d1),
        "Sz" => sum(even, &spread),
        _ => return None,
    })
}

/// A formula in rationals; `None` if it reads what is not counted here.
fn exactly(rows: &Rows, text: &str) -> Option<Rational> {
    formula::value::<Number>(text, |name| named(rows, name).map(Number::from))?.as_rational().cloned()
}

fn check(rows: &Rows) -> Result<(), TestCaseError> {
    let countable = rows.weights.iter().all(|w| *w == 1.0);
    for item in finite_sample(&rows.data(), &rows.evaluation()) {
        let name = item.of.name;
        if !countable && item.of.ties == TieRule::RandomOrder {
            prop_assert!(
                matches!(&item.value, Value::Missing(why) if why.to_string().contains("cannot be counted")),
                "{name}"
            );
            prop_assert!(item.limit.estimate().is_some() && item.difference.estimate().is_none());
            continue;
        }
        let truth = truth(rows, &item.of);
        if let Some(formula) = exactly(rows, item.of.formula) {
            prop_assert_eq!(&formula, &truth, "{} is not {}", name, item.of.formula);
        } else {
            prop_assert!(["o_rows", "auc_hand"].contains(&name), "{name}");
        }
        prop_assert!(holds(&item.value, &truth), "{name}: {:?} {}", item.value, truth.to_f64().value());
        if let Some(limit) = exactly(rows, item.of.limit) {
            prop_assert!(holds(&item.limit, &limit) && holds(&item.difference, &(truth - limit)), "{name}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, rng_seed: RngSeed::Fixed(12), ..ProptestConfig::default() })]

    #[test]
    fn without_ties(rows in untied()) {
        check(&rows)?;
        // What the notes say of rows without ties.
        let (n, less) = (rows.total(), rows.pi(true) - rows.pi(false));
        let apart = |name: &str| {
            let of = FINITE_FORMULAS.iter().find(|f| f.name == name).unwrap();
            exactly(&rows, of.formula).unwrap() - exactly(&rows, of.limit).unwrap()
        };
        prop_assert_eq!(apart("ru_rows"), &less / (whole(2) * &n));
        prop_assert_eq!(apart("ru_rows_skew"), Rational::ZERO);
        prop_assert_eq!(apart("rd_rows"), less / (whole(2) * &n) + Rational::ONE / (whole(6) * &n * &n));
        prop_assert_eq!(apart("tpr_rows"), Rational::ONE / (whole(2) * &n));
    }

    #[test]
    fn with_ties(rows in plain()) {
        check(&rows)?;
    }

    #[test]
    fn with_weights(rows in any_rows()) {
        check(&rows)?;
    }
}

/// Ties in random order are the mean over all orders, one by one.
#[test]
fn random_order_is_the_mean_over_orders() {
    let classes = [false, true, true, false];
    let tied = Rows { scores: vec![0.25, 0.5, 0.5, 0.5], classes: classes.to_vec(), weights: vec![1.0; 4] };
    for of in FINITE_FORMULAS.iter().filter(|f| f.ties == TieRule::RandomOrder) {
        let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
        let each = orders.map(|order| {
            let mut scores = vec![0.25; 4];
            order.into_iter().enumerate().for_each(|(place, row)| scores[row] = 0.5 + place as f64 / 8.0);
            truth(&Rows { scores, ..tied.clone() }, of)
        });
        let found = finite_sample(&tied.data(), &tied.evaluation());
        let found = found.iter().find(|item| item.of.name == of.name).unwrap().value.estimate().unwrap();
        let expected = rocproof::arith::rational::to_f64(&mean(&each));
        assert!((found.value - expected).abs() <= found.error + 1e-16, "{}: {found:?} {expected}", of.name);
        assert_eq!(mean(&each), truth(&tied, of), "{}", of.name);
    }
}

/// What is finite about them goes away as rows become many: repeated data tend to the limit.
#[test]
fn many_rows_tend_to_the_limit() {
    let n = 2000;
    let scores: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let classes: Vec<bool> = (0..n).map(|i| (i * 7919) % n < i).collect();
    let rows = Rows { scores, classes, weights: vec![1.0; n] };
    for item in finite_sample(&rows.data(), &rows.evaluation()) {
        // The hull of a random walk is not its curve.
        if item.of.name != "auc_hand" {
            assert!(item.difference.estimate().unwrap().value.abs() < 1.0 / n as f64, "{}", item.of.name);
        }
    }
}
