//! Curves of scored data against what rows say one by one, and their areas against metrics and losses.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::data::curves::{CurveKind, CurvePiece, Curves, ScoredCurve};
use rocproof::data::{Scored, Tie, evaluate_scored};
use rocproof::report::curves::{write_csv, write_json};
use rocproof::{Condition, Cost, Evaluation, Method, Thresholds};

/// The largest effect of rounding on values about 1.
const ROUNDING: f64 = 1e-13;

type Rows = Vec<(f64, bool, f64)>;

/// Rows with ties, weights, and scores of 0 and 1.
fn rows() -> impl Strategy<Value = Rows> {
    let row = (0u8..=16, any::<bool>(), 1u8..4);
    prop::collection::vec(row, 2..30)
        .prop_filter("both classes", |rows| rows.iter().any(|r| r.1) && rows.iter().any(|r| !r.1))
        .prop_map(|rows| rows.into_iter().map(|(x, is_1, w)| (f64::from(x) / 16.0, is_1, f64::from(w) / 8.0)).collect())
}

fn scored(rows: &Rows) -> Scored {
    let scores: Vec<f64> = rows.iter().map(|r| r.0).collect();
    let classes: Vec<bool> = rows.iter().map(|r| r.1).collect();
    let weights: Vec<f64> = rows.iter().map(|r| r.2).collect();
    Scored::from_rows(&scores, &classes, Some(&weights)).unwrap()
}

/// Weighted sums over rows, independent of everything in the crate.
struct ByRows<'a>(&'a Rows);

impl ByRows<'_> {
    fn total(&self, class: bool) -> f64 {
        self.0.iter().filter(|r| r.1 == class).map(|r| r.2).sum()
    }

    fn proportions(&self, condition: Condition) -> (f64, f64) {
        let (n0, n1) = (self.total(false), self.total(true));
        if condition == Condition::Cost { (n0 / (n0 + n1), n1 / (n0 + n1)) } else { (0.5, 0.5) }
    }

    /// The share of a class with a score for which something holds.
    fn share(&self, class: bool, holds: impl Fn(f64) -> bool) -> f64 {
        let rows = self.0.iter().filter(|r| r.1 == class && holds(r.0));
        rows.map(|r| r.2).sum::<f64>() / self.total(class)
    }

    /// The loss when `F0` and `F1` are given, as the paper has it.
    fn loss(&self, c: f64, f0: f64, f1: f64, condition: Condition) -> f64 {
        let (pi0, pi1) = self.proportions(condition);
        2.0 * (c * pi0 * (1.0 - f0) + (1.0 - c) * pi1 * f1)
    }

    fn at_threshold(&self, t: f64, c: f64, condition: Condition) -> f64 {
        self.loss(c, self.share(false, |x| x <= t), self.share(true, |x| x <= t), condition)
    }

    /// All below a score, and as much of those with it as it takes.
    fn at_rate(&self, r: f64, c: f64, condition: Condition) -> f64 {
        let (pi0, pi1) = self.proportions(condition);
        let rate = |holds: &dyn Fn(f64) -> bool| pi0 * self.share(false, holds) + pi1 * self.share(true, holds);
        let mut scores: Vec<f64> = self.0.iter().map(|row| row.0).collect();
        scores.sort_by(f64::total_cmp);
        let s = *scores.iter().find(|s| rate(&|x| x <= **s) >= r).unwrap_or(&1.0);
        let (below, with) = (rate(&|x| x < s), rate(&|x| x == s));
        let share = ((r - below) / with).clamp(0.0, 1.0);
        let f = |class: bool| self.share(class, |x| x < s) + share * self.share(class, |x| x == s);
        self.loss(c, f(false), f(true), condition)
    }

    fn lowest(&self, c: f64, condition: Condition) -> f64 {
        let thresholds = self.0.iter().map(|r| r.0).chain([-1.0]);
        thresholds.map(|t| self.at_threshold(t, c, condition)).fold(f64::INFINITY, f64::min)
    }
}

fn loss_of(evaluation: &Evaluation, condition: Condition, method: Method) -> f64 {
    evaluation.loss(condition, method).unwrap().estimate().unwrap().value
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING
}

const CONDITIONS: [Condition; 2] = [Condition::Cost, Condition::Skew];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(53), ..ProptestConfig::default() })]

    /// Abscissae are no scores and no rates here, but for one case in ten: limits are another test's matter.
    #[test]
    fn losses_are_what_rows_say(rows in rows(), c in 0.0..1.0f64) {
        let (data, by_rows) = (scored(&rows), ByRows(&rows));
        let curves = Curves::new(&data);
        let value = |method, condition| curves.curve(CurveKind::Loss(method, condition)).unwrap().limits(c).value.unwrap();
        for condition in CONDITIONS {
            let near = |method, expected: f64| {
                let found = value(method, condition);
                prop_assert!(close(found, expected), "{method:?} {condition:?} at {c}: {found} {expected}");
                Ok(())
            };
            near(Method::ScoreDriven, by_rows.at_threshold(c, c, condition))?;
            near(Method::ScoreFixed(0.25), by_rows.at_threshold(0.25, c, condition))?;
            near(Method::RateDriven, by_rows.at_rate(c, c, condition))?;
            near(Method::RateFixed(0.3), by_rows.at_rate(0.3, c, condition))?;
            near(Method::Optimal, by_rows.lowest(c, condition))?;
            // Thresholds drawn: scores are 16ths, so between them one threshold stands for all.
            let mean = (0..16).map(|k| by_rows.at_threshold((f64::from(k) + 0.5) / 16.0, c, condition)).sum::<f64>() / 16.0;
            near(Method::ScoreUniform, mean)?;
        }
    }

    #[test]
    fn areas_are_metrics_and_losses(rows in rows()) {
        let data = scored(&rows);
        let curves = Curves::new(&data);
        let evaluation = evaluate_scored(&data, &Cost::uniform(), &Thresholds::default());
        let metric = |name: &str| evaluation.metric(name).unwrap().estimate().unwrap().value;
        let area = |kind| curves.curve(kind).unwrap().area().unwrap();
        for condition in CONDITIONS {
            for method in Method::ALL {
                let (found, expected) = (area(CurveKind::Loss(method, condition)), loss_of(&evaluation, condition, method));
                prop_assert!(close(found, expected), "{method:?} {condition:?}: {found} {expected}");
            }
        }
        prop_assert!(close(area(CurveKind::Loss(Method::ScoreDriven, Condition::Cost)), metric("BS")));
        prop_assert!(close(area(CurveKind::Roc), metric("AUC")));
        prop_assert!(close(area(CurveKind::Hull), metric("AUCH")));
        prop_assert!(close(2.0 * area(CurveKind::Murphy), metric("BS")));
    }

    #[test]
    fn probabilities_are_scored_by_threshold(rows in rows(), theta in 0.0..1.0f64) {
        let data = scored(&rows);
        let curves = Curves::new(&data);
        let value = |kind, x| curves.curve(kind).unwrap().limits(x).value.unwrap();
        let total: f64 = rows.iter().map(|r| r.2).sum();
        let mean = |of: &dyn Fn(f64, bool) -> f64| rows.iter().map(|(x, is_1, w)| w * of(*x, *is_1)).sum::<f64>() / total;
        // Ehm et al.: |y - θ| where θ lies in [min(x, y), max(x, y)).
        let elementary = mean(&|x, is_1| {
            let y = f64::from(u8::from(is_1));
            if x.min(y) <= theta && theta < x.max(y) { (y - theta).abs() } else { 0.0 }
        });
        prop_assert!(close(value(CurveKind::Murphy, theta), elementary));
        // Vickers and Elkin: treat where the probability 1-x of class 0 is at least p.
        let p = theta;
        let odds = p / (1.0 - p);
        let benefit = |treated: &dyn Fn(f64) -> bool| {
            mean(&|x, is_1| if !treated(x) { 0.0 } else if is_1 { -odds } else { 1.0 })
        };
        let scale = 1.0 + odds;
        prop_assert!((value(CurveKind::NetBenefit, p) - benefit(&|x| 1.0 - x >= p)).abs() < ROUNDING * scale);
        prop_assert!((value(CurveKind::TreatAll, p) - benefit(&|_| true)).abs() < ROUNDING * scale);
        prop_assert_eq!(value(CurveKind::TreatNone, p), 0.0);
        // Untreated rows of class 1, less the untreated ones of class 0 at the exchange rate of the threshold.
        let avoided = mean(&|x, is_1| if 1.0 - x >= p { 0.0 } else if is_1 { 1.0 } else { -1.0 / odds });
        prop_assume!(p > 0.0);
        prop_assert!((value(CurveKind::InterventionsAvoided, p) - avoided).abs() < ROUNDING * (1.0 + 1.0 / odds));
        // Deployed where class 0 is a twentieth of all, its rows weigh accordingly.
        let deployed = Curves::new(&data).with_prevalence(Some(0.05));
        let (n0, n1) = (ByRows(&rows).total(false), ByRows(&rows).total(true));
        let weight = |is_1: bool| if is_1 { 0.95 * total / n1 } else { 0.05 * total / n0 };
        let treated = mean(&|x, is_1| if 1.0 - x < p { 0.0 } else { weight(is_1) * if is_1 { -odds } else { 1.0 } });
        let benefit = deployed.curve(CurveKind::NetBenefit).unwrap().limits(p).value.unwrap();
        prop_assert!((benefit - treated).abs() < ROUNDING * scale);
    }

    /// At a score the limits are those of thresholds just below it and at it; nothing lies between pieces.
    #[test]
    fn limits_at_scores(rows in rows(), pick in any::<prop::sample::Index>()) {
        let (data, by_rows) = (scored(&rows), ByRows(&rows));
        let curves = Curves::new(&data);
        let brier = curves.curve(CurveKind::Loss(Method::ScoreDriven, Condition::Cost)).unwrap();
        let x = rows[pick.index(rows.len())].0;
        let limits = brier.limits(x);
        let at = by_rows.at_threshold(x, x, Condition::Cost);
        prop_assert!(close(limits.value.unwrap(), at));
        if x < 1.0 {
            prop_assert!(close(limits.right.unwrap(), at));
        }
        if x > 0.0 {
            prop_assert!(close(limits.left.unwrap(), by_rows.at_threshold(x - 1e-9, x, Condition::Cost)));
            let p = 1.0 - x;
            let benefit = curves.curve(CurveKind::NetBenefit).unwrap().limits(p);
            let (pi0, _) = by_rows.proportions(Condition::Cost);
            prop_assert!((benefit.value.unwrap() - (pi0 - at / (2.0 * x))).abs() < ROUNDING / x);
            prop_assert!((benefit.right.unwrap() - (pi0 - limits.left.unwrap() / (2.0 * x))).abs() < ROUNDING / x);
        }
    }

    /// Pieces follow each other without gap or overlap; only what is chosen by score jumps.
    #[test]
    fn pieces_are_a_chain(rows in rows()) {
        let data = scored(&rows);
        let curves = Curves::new(&data);
        for kind in CurveKind::all(&Thresholds::default(), Condition::Skew).into_iter().filter(|kind| *kind != CurveKind::Reliability) {
            let pieces: Vec<CurvePiece> = curves.curve(kind).unwrap().pieces().collect();
            prop_assert_eq!((pieces[0].from, pieces[pieces.len() - 1].to), (0.0, 1.0));
            for pair in pieces.windows(2) {
                prop_assert_eq!(pair[0].to, pair[1].from, "{:?}", kind);
                let jumps = matches!(kind, CurveKind::Loss(Method::ScoreDriven, _) | CurveKind::Murphy | CurveKind::NetBenefit | CurveKind::InterventionsAvoided);
                // The envelope is one line after another: they meet but for rounding.
                let apart = (pair[0].right() - pair[1].left()).abs();
                prop_assert!(jumps || apart <= 1e-15, "{:?} {:?} {:?}", kind, pair[0], pair[1]);
            }
        }
    }

    #[test]
    fn the_envelope_is_below_all_lines(rows in rows(), c in 0.0..=1.0f64) {
        let data = scored(&rows);
        let curves = Curves::new(&data);
        for condition in CONDITIONS {
            let envelope = curves.curve(CurveKind::Loss(Method::Optimal, condition)).unwrap().limits(c).value.unwrap();
            let lines: Vec<f64> = curves.cost_lines(condition).map(|line| line.line.at(c)).collect();
            prop_assert_eq!(lines.len(), data.ties().count() + 1);
            let lowest = lines.into_iter().fold(f64::INFINITY, f64::min);
            prop_assert!(close(envelope, lowest));
        }
    }

    /// CORP: pools hold all rows, each with its own; probabilities grow; within a pool they are the share of class 1.
    #[test]
    fn pools_are_calibrated(rows in rows()) {
        let data = scored(&rows);
        let curves = Curves::new(&data);
        let pools = curves.pools();
        prop_assert!(pools.windows(2).all(|p| p[0].last < p[1].first && curves.probability(&p[0]) < curves.probability(&p[1])));
        for pool in pools {
            let inside = |is_1: bool| rows.iter().filter(|r| pool.first <= r.0 && r.0 <= pool.last && r.1 == is_1).map(|r| r.2).sum::<f64>();
            prop_assert!(close(pool.mass[0], inside(false)) && close(pool.mass[1], inside(true)));
            prop_assert!(close(curves.probability(pool), inside(true) / (inside(false) + inside(true))));
            // No cut of a pool would leave the higher share on the right: it had to be pooled.
            for cut in rows.iter().map(|r| r.0).filter(|x| pool.first <= *x && *x < pool.last) {
                let share = |lo: f64, hi: f64| {
                    let of = |is_1: bool| rows.iter().filter(|r| lo <= r.0 && r.0 <= hi && r.1 == is_1).map(|r| r.2).sum::<f64>();
                    of(true) / (of(false) + of(true))
                };
                prop_assert!(share(pool.first, cut) >= share(cut + 1e-9, pool.last) - ROUNDING);
            }
        }
        let bins = curves.histogram(7);
        let mass: f64 = bins.iter().map(|bin| bin.mass[0] + bin.mass[1]).sum();
        prop_assert!(close(mass, rows.iter().map(|r| r.2).sum::<f64>()));
    }

    #[test]
    fn differences_are_of_values(one in rows(), other in rows(), x in 0.0..1.0f64) {
        let (a, b) = (scored(&one), scored(&other));
        let (a, b) = (Curves::new(&a), Curves::new(&b));
        for kind in CurveKind::all(&Thresholds::default(), Condition::Cost).into_iter().filter(|kind| *kind != CurveKind::Reliability) {
            let (a, b) = (a.curve(kind).unwrap(), b.curve(kind).unwrap());
            let difference = a.minus(&b).unwrap();
            let right = |curve: &ScoredCurve| curve.limits(x).right.unwrap();
            let expected = right(&a) - right(&b);
            let scale = 1.0 + right(&a).abs() + right(&b).abs();
            prop_assert!((right(&difference) - expected).abs() <= ROUNDING * scale, "{kind:?}");
            if let Some(area) = difference.area() {
                prop_assert!(close(area, a.area().unwrap() - b.area().unwrap()), "{kind:?}");
            }
        }
    }

    /// What is written can be read again and says the same.
    #[test]
    fn written_pieces_are_the_curve(rows in rows(), share in 0.0..1.0f64) {
        let data = scored(&rows);
        let curves = Curves::new(&data);
        for kind in CurveKind::all(&Thresholds::default(), Condition::Cost) {
            let curve = curves.curve(kind).unwrap();
            let (mut json, mut csv) = (Vec::new(), Vec::new());
            write_json(&mut json, "a, \"b\"", &curve, None).unwrap();
            write_csv(&mut csv, &[("a", curve)]).unwrap();
            let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
            prop_assert_eq!(&json["model"], "a, \"b\"");
            // Reading JSON may round once more.
            let near = |a: Option<f64>, b: Option<f64>| a.is_some() == b.is_some() && a.zip(b).is_none_or(|(a, b)| close(a, b));
            prop_assert!(near(json["area"].as_f64(), curve.area()));
            let csv = String::from_utf8(csv).unwrap();
            let pieces: Vec<CurvePiece> = curve.pieces().collect();
            prop_assert_eq!((csv.lines().count(), json["pieces"].as_array().unwrap().len()), (pieces.len() + 1, pieces.len()));
            for ((piece, object), line) in pieces.iter().zip(json["pieces"].as_array().unwrap()).zip(csv.lines().skip(1)) {
                let x = piece.from + share * piece.width();
                let divisor = match object["divisor"].as_str() {
                    Some("1-x") => 1.0 - x,
                    Some("x") => x,
                    _ => 1.0,
                };
                let c: Vec<f64> = object["coefficients"].as_array().unwrap().iter().map(|c| c.as_f64().unwrap()).collect();
                prop_assert_eq!(object["degree"].as_u64(), Some(c.len() as u64 - 1));
                let value = c.iter().rev().fold(0.0, |sum, c| sum * share + c) / divisor;
                prop_assert!((value - piece.value(share)).abs() <= ROUNDING * (1.0 + value.abs()), "{:?}", kind);
                let fields: Vec<&str> = line.split(',').collect();
                prop_assert_eq!(fields.len(), 10);
                prop_assert_eq!(fields[2].parse::<f64>().unwrap(), piece.from);
                prop_assert_eq!(fields[5].parse::<f64>().unwrap(), piece.right());
                prop_assert!(close(fields[6].parse::<f64>().unwrap(), c[0]));
            }
        }
    }
}

/// A tie of both classes: diagonal in ROC space, quadratic by rate.
#[test]
fn ties_are_split_at_random() {
    let data = Scored::from_groups(&[Tie { x: 0.5, mass: [1.0, 3.0] }]).unwrap();
    let curves = Curves::new(&data);
    let only = |kind| {
        let pieces: Vec<CurvePiece> = curves.curve(kind).unwrap().pieces().collect();
        assert_eq!(pieces.len(), 1);
        pieces[0]
    };
    assert_eq!(only(CurveKind::Roc), CurvePiece::straight(0.0, 1.0, 0.0, 1.0));
    // Q = 2(c/4·(1-c) + (1-c)·3/4·c) = 2c(1-c).
    let rate_driven = only(CurveKind::Loss(Method::RateDriven, Condition::Cost)).polynomial;
    assert_eq!(rate_driven.coefficients(), [0.0, 2.0, -2.0]);
    assert_eq!(only(CurveKind::Reliability), CurvePiece::straight(0.5, 0.5, 0.75, 0.75));
}

/// Vertical and horizontal parts of the ROC curve are one piece each, however many rows they have.
#[test]
fn straight_parts_are_one_piece() {
    let scores: Vec<f64> = (0..100).map(|k| f64::from(k) / 100.0).collect();
    let classes: Vec<bool> = (0..100).map(|k| (30..60).contains(&k) || k >= 80).collect();
    let data = Scored::from_rows(&scores, &classes, None).unwrap();
    let curves = Curves::new(&data);
    let pieces: Vec<CurvePiece> = curves.curve(CurveKind::Roc).unwrap().pieces().collect();
    assert_eq!(
        pieces,
        [
            CurvePiece::straight(0.0, 0.0, 0.0, 0.6),
            CurvePiece::straight(0.0, 0.6, 0.6, 0.6),
            CurvePiece::straight(0.6, 0.6, 0.6, 1.0),
            CurvePiece::straight(0.6, 1.0, 1.0, 1.0),
        ]
    );
}

#[test]
fn what_does_not_apply_says_why() {
    let data = Scored::from_rows(&[-1.0, 2.0], &[false, true], None).unwrap();
    let curves = Curves::new(&data);
    for kind in CurveKind::all(&Thresholds::default(), Condition::Cost) {
        let needs_probabilities = matches!(
            kind,
            CurveKind::Loss(Method::ScoreDriven, _)
                | CurveKind::Murphy
                | CurveKind::NetBenefit
                | CurveKind::InterventionsAvoided
        );
        match curves.curve(kind) {
            Ok(_) => assert!(!needs_probabilities, "{kind:?}"),
            Err(why) => assert!(needs_probabilities && why.contains("outside [0, 1]"), "{kind:?}: {why}"),
        }
    }
    let equal = Scored::from_rows(&[2.0, 2.0], &[false, true], None).unwrap();
    let curves = Curves::new(&equal);
    let why = curves.curve(CurveKind::Loss(Method::ScoreUniform, Condition::Cost)).unwrap_err();
    assert!(why.contains("no scale"), "{why}");
    let reliability = curves.curve(CurveKind::Reliability).unwrap();
    assert!(reliability.minus(&reliability).is_err() && reliability.area().is_none());
}
