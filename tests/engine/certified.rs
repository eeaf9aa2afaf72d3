//! The certified level against independent reference values: every enclosure holds the truth, and is as narrow as promised.
//!
//! The values come from `tests/reference/`, whose programs share nothing with this crate. They are right to 1e-18; that much is
//! allowed for, and no more.

use crate::common::readings::{Enclosures, enclose};
use flate2::read::GzDecoder;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::arith::rational::parse_decimal;
use rocproof::arith::{Interval, Rational};
use rocproof::functional::Thresholds;
use rocproof::functional::Value;
use rocproof::functional::certified::{WIDTH, refinement_loss};
use rocproof::functional::definition::METRICS;
use rocproof::model::constant::Constant;
use rocproof::{Condition, Cost, Level, Method, Model, Request, evaluate, paper};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What reference values may be off.
const REFERENCE: f64 = 2e-18;

fn value(evaluation: &Enclosures, column: &str) -> Option<Interval> {
    let name = if column == "H_R" { "H_hmeasure" } else { column };
    if METRICS.iter().any(|m| m.name == name) {
        return evaluation.metric(name);
    }
    let (condition, name) = match name.strip_prefix('z') {
        Some(name) => (Condition::Skew, name),
        None => (Condition::Cost, name),
    };
    let method = Method::ALL.into_iter().find(|m| m.name().trim_end_matches("(1/2)") == name).unwrap();
    evaluation.loss(condition, method)
}

/// Values along the curve, as against those that rest on the hull.
fn is_along(column: &str) -> bool {
    !["AUCH", "RL_conv", "H", "H_priors", "H_R", "o", "zo"].contains(&column)
}

#[derive(Debug, Default)]
struct Tally {
    models: usize,
    refused: usize,
    values: usize,
    missing: usize,
    /// Values along the curve, and those of the hull, that are wider than promised.
    wide: [usize; 2],
    misses: Vec<String>,
}

/// Evaluates one row of a table.
fn check(header: &[String], line: &str, promised: f64, tally: &mut Tally) {
    let cells: Vec<&str> = line.split('\t').collect();
    let inline = format!("--f0 '{}' --f1 '{}' --pi0 {} --cost '{}'", cells[0], cells[1], cells[2], cells[3]);
    let cost = Cost::parse(cells[3]).unwrap();
    tally.models += 1;
    let model = Model::new(cells[0], cells[1], cells[2]).ok();
    let found = model.as_ref().and_then(|model| enclose(model, &cost).ok());
    let (Some(found), Some(model)) = (found, model) else {
        tally.refused += 1;
        return;
    };
    // Refinement loss alone, without the curve.
    if let Some(k) = header.iter().position(|column| column == "RL")
        && let Ok(interval) = refinement_loss(&model, WIDTH)
    {
        let truth = Interval::of(&parse_decimal(cells[k]).unwrap());
        if !(interval + Interval::around(0.0, REFERENCE)).meets(truth) {
            tally.misses.push(format!("RL alone is {} and not in {interval:?}: {inline}", truth.mid()));
        }
        tally.wide[0] += usize::from(interval.width() > promised);
    }
    for (column, truth) in header.iter().zip(&cells).skip(4).filter(|(_, truth)| **truth != "NA") {
        tally.values += 1;
        let Some(interval) = value(&found, column) else {
            tally.missing += 1;
            continue;
        };
        let truth = Interval::of(&parse_decimal(truth).unwrap());
        if !(interval + Interval::around(0.0, REFERENCE)).meets(truth) {
            tally.misses.push(format!("{column} is {} and not in {interval:?}: {inline}", truth.mid()));
        }
        // Mean scores scale with the scores, and H with what chance costs.
        let scaled = ["H", "H_priors", "H_R", "s0", "s1"].contains(&column.as_str());
        if interval.width() > if scaled { 10.0 } else { 1.0 } * promised {
            tally.wide[usize::from(!is_along(column))] += 1;
        }
    }
}

/// Of how many rows of a table one is checked, unless `ROCPROOF_ALL_REFERENCES` asks for all of them.
const SAMPLED: usize = 4;

/// Checks a table, on two threads; no enclosure may miss.
fn table(file: &str, promised: f64) -> Tally {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(file);
    let mut lines = BufReader::new(GzDecoder::new(File::open(&path).unwrap())).lines().map(Result::unwrap);
    let header: Vec<String> = lines.next().unwrap().split('\t').map(str::to_owned).collect();
    let step = if std::env::var_os("ROCPROOF_ALL_REFERENCES").is_some() { 1 } else { SAMPLED };
    let rows: Vec<String> = lines.step_by(step).collect();
    let (even, odd) = std::thread::scope(|scope| {
        let half = |start: usize| {
            let (header, rows) = (&header, &rows);
            scope.spawn(move || {
                let mut tally = Tally::default();
                rows.iter().skip(start).step_by(2).for_each(|row| check(header, row, promised, &mut tally));
                tally
            })
        };
        let (even, odd) = (half(0), half(1));
        (even.join().unwrap(), odd.join().unwrap())
    });
    let tally = Tally {
        models: even.models + odd.models,
        refused: even.refused + odd.refused,
        values: even.values + odd.values,
        missing: even.missing + odd.missing,
        wide: [0, 1].map(|k| even.wide[k] + odd.wide[k]),
        misses: even.misses.into_iter().chain(odd.misses).collect(),
    };
    println!(
        "{file}: {} models, {} values, {} refused, {} without a value, wider than {promised:e}: {} along the curve, {} of the hull",
        tally.models, tally.values, tally.refused, tally.missing, tally.wide[0], tally.wide[1]
    );
    assert!(tally.misses.is_empty(), "{} misses in {file}, the first:\n{}", tally.misses.len(), tally.misses[0]);
    tally
}

/// So many values along the curve, and so many of the hull, may be wider than promised.
fn narrow(tally: &Tally, wide: [usize; 2]) {
    assert!((0..2).all(|k| tally.wide[k] <= wide[k]), "{:?} of {} values are wide", tally.wide, tally.values);
}

#[test]
fn betas() {
    let tally = table("betas.tsv.gz", 1e-12);
    assert!(tally.models >= 8000 / SAMPLED && tally.refused == 0 && tally.missing == 0, "{tally:?}");
    narrow(&tally, [0, 0]);
}

#[test]
fn normals_and_logistics() {
    let tally = table("normals.tsv.gz", 1e-10);
    assert!(tally.models >= 2500 / SAMPLED && tally.refused == 0 && tally.missing == 0, "{tally:?}");
    narrow(&tally, [0, 0]);
}

#[test]
fn piecewise() {
    let tally = table("piecewise.tsv.gz", 1e-12);
    assert!(tally.models >= 6000 / SAMPLED && tally.refused * 100 <= tally.models, "{tally:?}");
    narrow(&tally, [0, 0]);
}

#[test]
fn mixtures_and_atoms() {
    let tally = table("mixtures.tsv.gz", 1e-10);
    assert!(tally.models >= 2000 / SAMPLED && tally.refused * 100 <= tally.models, "{tally:?}");
    narrow(&tally, [0, 0]);
}

#[test]
fn weighted_costs() {
    let tally = table("weights.tsv.gz", 1e-10);
    assert!(tally.models >= 1500 / SAMPLED && tally.refused * 100 <= tally.models, "{tally:?}");
    narrow(&tally, [2, 2]);
}

#[test]
fn extremes() {
    let tally = table("extreme.tsv.gz", 1e-10);
    assert!(tally.models >= 90 / SAMPLED);
    narrow(&tally, [4, 8]);
}

#[test]
fn typed_expressions() {
    let tally = table("expressions.tsv.gz", 1e-10);
    assert!(tally.models >= 300 / SAMPLED && tally.refused == 0 && tally.missing == 0, "{tally:?}");
    narrow(&tally, [5, 0]);
}

/// The paper's models: enclosures hold the exact values, and are narrow.
#[test]
fn models_of_the_paper() {
    for (name, _) in paper::MODELS {
        let model = paper::model(name).unwrap().unwrap();
        let found = enclose(&model, &Cost::uniform()).unwrap();
        let Ok(exact) = evaluate(&model, &Request::at(Level::Exact)) else { continue };
        for (k, (definition, value)) in exact.metrics().enumerate() {
            let Some(truth) = value.exact() else { continue };
            let interval = found.values[k].unwrap_or_else(|| panic!("{name}: {}", definition.name));
            let holds = interval.lo() <= truth.hi && truth.lo <= interval.hi();
            assert!(
                holds && interval.width() <= 1e-12,
                "{name}: {} is {} and not in {interval:?}",
                definition.name,
                truth.value
            );
        }
        for (k, (method, value)) in exact.losses(Condition::Cost).enumerate() {
            let Some(truth) = value.exact() else { continue };
            let interval = found.values[METRICS.len() + k].unwrap_or_else(|| panic!("{name}: {}", method.name()));
            let holds = interval.lo() <= truth.hi && truth.lo <= interval.hi();
            assert!(
                holds && interval.width() <= 1e-12,
                "{name}: {} is {} and not in {interval:?}",
                method.name(),
                truth.value
            );
        }
    }
}

/// The shape of every hull of the paper is proved: it is the curve but for the one model that is named after its concavities. Its
/// places of tangency, of a chord from a corner and of one that touches twice, are known to 40 digits by other means.
#[test]
fn hulls_of_the_paper_are_decided() {
    for (name, _) in paper::MODELS {
        let model = paper::model(name).unwrap().unwrap();
        let found = enclose(&model, &Cost::uniform()).unwrap();
        let is_convex = *name != "severalconcavities";
        assert_eq!((found.convex, found.undecided), (Some(is_convex), None), "{name}");
        let ends = if is_convex {
            vec![]
        } else {
            vec![0.0, 0.684_337_169_001_141, 0.728_280_533_728_812_1, 0.925_669_411_954_724_2]
        };
        let gaps = found.gaps.concat();
        assert_eq!(gaps.len(), ends.len(), "{name}: {gaps:?}");
        for (gap, end) in gaps.iter().zip(ends) {
            assert!(gap.meets(Interval::around(end, 1e-16)) && gap.width() < 1e-12, "{name}: {gap:?}");
        }
    }
}

/// Under a chord lie no scores without mass that come before all mass under it.
#[test]
fn a_chord_starts_after_scores_without_mass() {
    for (f0, f1, start) in [
        ("0.5*uniform(0, 1/5) + 0.5*uniform(4/5, 1)", "uniform(2/5, 3/5)", "2/5"),
        ("0.5*atom(1/5) + 0.5*atom(4/5)", "atom(1/2)", "1/2"),
        ("0.5*normalize(exp(-x) on [0, 1/5]) + 0.5*uniform(4/5, 1)", "uniform(2/5, 3/5)", "2/5"),
    ] {
        let model = Model::new(f0, f1, "1/2").unwrap();
        let certified = |model: &Model| enclose(model, &Cost::uniform()).unwrap();
        let start = Model::new("x*2", "1", start).unwrap().pi0().enclosure;
        let found = certified(&model);
        assert!(found.convex == Some(false) && found.gaps.len() == 1, "{f0}: {:?}", found.gaps);
        assert!(found.gaps[0][0].meets(start), "{f0}: {:?}", found.gaps);
        let Ok(exact) = evaluate(&model.conv(), &Request::at(Level::Exact)) else { continue };
        let pooled = certified(&model.conv());
        for name in ["MAE", "BS", "s0", "s1"] {
            let truth = exact.metric(name).unwrap().exact().unwrap();
            let interval = pooled.metric(name).unwrap();
            assert!(interval.lo() <= truth.hi && truth.lo <= interval.hi(), "{f0}: {name} is not in {interval:?}");
        }
    }
}

/// A place of tangency so far out in a tail that hardly any mass is left: it is enclosed, or said not to be decided.
#[test]
fn a_tangency_in_a_tail_is_not_made_up() {
    // d ln(f1/f0)/dx and the chord to the other end agree there: to 40 digits by other means.
    let truth = 9.301_879_199_764_608;
    for (f0, f1, side, truth) in
        [("normal(0, 1)", "normal(-0.92, 0.9)", 0, -truth), ("normal(0.92, 0.9)", "normal(0, 1)", 1, truth)]
    {
        let model = Model::new(f0, f1, "1/2").unwrap();
        let found = enclose(&model, &Cost::uniform()).unwrap();
        let is_decided = found.undecided.is_none();
        assert!(
            !is_decided || found.gaps.iter().any(|gap| gap[side].meets(Interval::around(truth, 1e-14))),
            "{f0}: {:?}",
            found.gaps
        );
        assert!(is_decided || enclose(&model.conv(), &Cost::uniform()).is_err());
    }
}

fn certified(model: &Model) -> Enclosures {
    enclose(model, &Cost::uniform()).unwrap()
}

/// Costs whose density has no float for its scale were refused, and all values with them.
#[test]
fn narrow_costs() {
    let pairs =
        [[600, 600], [500, 520], [700, 700], [1000, 3000], [10_000, 10_000], [100_000, 100_000], [1_000_000, 500_000]];
    for [a, b] in pairs.into_iter().chain([[1_000_000, 1_000_000], [1_000_000, 2], [45, 1_000_000]]) {
        let cost = Cost::parse(&format!("beta({a}, {b})")).unwrap();
        // All three are the mean of 2c(1-c)/2.
        let [above, below] = [a * b, (a + b) * (a + b + 1)].map(|k: u64| Rational::from(k));
        let truth = Interval::of(&(above / below));
        for (f0, f1) in [("2*(1-x)", "2*x"), ("beta(2, 5)", "beta(5, 2)")] {
            let model = Model::new(f0, f1, "1/2").unwrap();
            let found = enclose(&model, &cost).unwrap();
            let losses = [Method::Optimal, Method::ScoreDriven, Method::RateDriven];
            let losses = losses.map(|method| found.loss(Condition::Cost, method).unwrap());
            assert!(losses.iter().all(|loss| loss.width() < 1e-10), "{f0} {a} {b}: {losses:?}");
            assert!(f0.starts_with("beta") || losses.iter().all(|loss| loss.meets(truth)), "{a} {b}: {losses:?}");
            assert!(losses.iter().all(|loss| losses[0].lo() <= loss.hi()), "{f0} {a} {b}: {losses:?}");
        }
    }
}

/// Values at a threshold where an atom, or a corner of a transformed curve, stands could be anything between 0 and 1.
#[test]
fn thresholds_at_places() {
    let [third, half] = ["1/3", "1/2"].map(|text| Model::new("1", "1", text).unwrap().pi0().clone());
    let [zero, two_thirds] =
        [(0, 1u8), (2, 3)].map(|(a, b)| Constant::rational(Rational::from_parts(a.into(), b.into())));
    let atoms = "{ 0: 1/2; 2/24: 1/2 }";
    let late = "{ 1152/439+4608/439*x on [0,1/8]; -144/439+1152/439*x on [1/8,1/4]; 2880/439-2880/439*x on [7/12,1] }";
    let new = |f0: &str, f1: &str, pi0: &str| Model::new(f0, f1, pi0).unwrap();
    for (model, threshold, truth) in [
        (new("atom(1/3)", "atom(1/3)", "1/3").cal(), two_thirds, third.enclosure),
        (new(atoms, atoms, "1/3").even().even(), half.clone(), half.enclosure),
        (new("{ 7/24: 1/2; 14/24: 1/2 }", "12*(x-1/2)^2", "0.9").conv(), zero.clone(), Interval::from(0.1)),
        (new("beta(3,5)", late, "2/7").conv(), zero.clone(), Interval::from(5.0) / Interval::from(7.0)),
        (new("uniform(0, 1)", "2*x", "1/3").conv(), Constant::rational(1.into()), third.enclosure),
    ] {
        let thresholds = Thresholds { threshold, ..Thresholds::default() };
        let found = evaluate(&model, &Request::at(Level::Certified).with_thresholds(thresholds)).unwrap();
        let Some(Value::Certified(accuracy, None)) = found.metric("Acc") else { panic!("{:?}", found.metric("Acc")) };
        assert!((*accuracy + Interval::around(0.0, 1e-16)).meets(truth) && accuracy.width() < 1e-12, "{accuracy:?}");
    }
}

/// An arc between two chords that is far shorter than the stretch it lies on was passed: areas were 1e-6 wide.
#[test]
fn a_short_arc_between_two_chords() {
    let f1 = "1e-5*uniform(0,1) + 0.99999*triangular(-1/12,1/8,5/12)";
    let model = Model::new("triangular(0,0,7/12)", f1, "2/7").unwrap();
    let (found, exact) = (certified(&model), evaluate(&model, &Request::at(Level::Exact)).unwrap());
    assert!(found.undecided.is_none() && found.gaps.len() == 2, "{:?} {:?}", found.undecided, found.gaps);
    let optimal = (found.loss(Condition::Cost, Method::Optimal), exact.loss(Condition::Cost, Method::Optimal));
    for (interval, truth) in [optimal, (found.metric("AUCH"), exact.metric("AUCH"))] {
        let (interval, truth) = (interval.unwrap(), truth.unwrap().exact().unwrap());
        assert!(interval.lo() <= truth.hi && truth.lo <= interval.hi() && interval.width() < 1e-12, "{interval:?}");
    }
    assert!(found.metric("H_priors").unwrap().width() < 1e-10, "{:?}", found.metric("H_priors"));
}

/// A hull that turns where hardly any mass is left was decided in polynomials of degree 378, and that took 13 seconds.
#[test]
fn hulls_are_decided_where_hardly_any_mass_is_left() {
    let model = Model::new("beta(200,180)", "beta(190,150)", "0.3").unwrap();
    let found = certified(&model);
    assert!(found.convex == Some(false) && found.undecided.is_none() && found.gaps.len() == 1, "{:?}", found.gaps);
    // To 60 digits by other means.
    let end = found.gaps[0][1];
    assert!(end.contains(0.251_764_709_925_256_4) && end.width() < 1e-10, "{end:?}");
}

/// Transforms were refused where exact arithmetic decides the hull: a corner where both densities vanish, points on one line.
#[test]
fn transforms_of_exact_hulls() {
    for (f0, f1) in [
        ("0.2*atom(0)+0.8*beta(2,3)", "beta(3,2)"),
        ("{ 0: 1/3; 2/8: 1/3; 5/8: 1/3 }", "{ 1/8: 1/3; 4/8: 1/3; 6/8: 1/3 }"),
        (
            "{ 0: 1/3; 2/8: 1/3; 5/8: 1/6 } + 1/6*uniform(6/8, 1)",
            "{ 1/8: 1/3; 4/8: 1/3; 5/8: 1/6 } + 1/6*triangular(6/8, 1, 1)",
        ),
    ] {
        let model = Model::new(f0, f1, "1/3").unwrap();
        for model in [model.conv(), model.cal()] {
            let found = certified(&model);
            let exact = evaluate(&model, &Request::at(Level::Exact)).unwrap();
            assert_eq!((found.convex, found.gaps.len(), found.undecided), (Some(true), 0, None), "{f0}");
            for name in ["AUC", "AUCH", "MAE", "BS", "RL", "CL", "s0", "s1", "KS"] {
                let (interval, truth) = (found.metric(name).unwrap(), exact.metric(name).unwrap().exact().unwrap());
                let holds = interval.lo() <= truth.hi && truth.lo <= interval.hi();
                assert!(holds && interval.width() < 1e-12, "{f0}: {name} is {} and not in {interval:?}", truth.value);
            }
        }
    }
}

/// Whether a curve is convex was left open where supports or the ratio of two formulas tell it.
#[test]
fn elementary_shapes_are_decided() {
    for (f0, f1, is_convex) in [
        ("exp(-x) on [0, inf]", "exp(-x/2)/2 on [0, inf]", true),
        ("beta(0.3, 200)", "beta(200, 0.3)", true),
        ("beta(0.3, 0.3)", "beta(0.31, 0.3)", true),
        ("normalize(1/sqrt(x-1/2) on [1/2, 1])", "2*x", false),
        ("beta(0.5, 5)", "normal(0.6, 0.2)", false),
        ("normal(0.6, 0.2)", "beta(0.5, 5)", false),
    ] {
        let found = certified(&Model::new(f0, f1, "1/2").unwrap());
        assert_eq!(found.convex, Some(is_convex), "{f0} {f1}");
        assert!(!is_convex || found.gaps.is_empty() && found.undecided.is_none());
    }
    // Class 0 alone comes first, class 1 alone last: nothing is wrong with that.
    let model = Model::new("normalize(1/sqrt(x) on [0, 1/2])", "normalize(sqrt(x-1/4) on [1/4, 1])", "1/2").unwrap();
    assert!(certified(&model).convex != Some(false));
}

/// What is too small for a float is not nothing.
#[test]
fn underflow_is_not_zero() {
    let model = Model::new("beta(1000000, 1)", "beta(1, 1000000)", "1/2").unwrap();
    let found = enclose(&model, &Cost::uniform()).unwrap();
    for name in ["AUC", "RL", "Acc"] {
        let interval = found.metric(name).unwrap();
        assert!(interval.lo() <= 0.0 && interval.hi() > 0.0 && interval.hi() < 1e-18, "{name}: {interval:?}");
    }
    assert!(found.metric("AUCH").unwrap().contains(0.5) && found.metric("AUCH").unwrap().width() < 1e-12);
}

/// What is hard ends, one way or the other.
#[test]
fn hard_models_come_to_an_end() {
    for (f0, f1, pi0) in [
        ("1 - 1.0000000000001*cos(2*pi*x)", "uniform(0, 1)", "1/2"),
        ("30*x^2*(1-x)^2 + 1e-12*sin(2000*pi*x)", "uniform(0, 1)", "1/2"),
        ("beta(2, 5)", "beta(5, 2)", "1e-200"),
        ("beta(2, 5)", "beta(5, 2)", "1e-300"),
    ] {
        let model = Model::new(f0, f1, pi0).unwrap();
        let found = enclose(&model, &Cost::uniform());
        assert!(found.is_ok_and(|found| found.metric("AUC").is_some_and(|auc| auc.width() < 1e-11)), "{f0} {f1} {pi0}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, rng_seed: RngSeed::Fixed(4), ..ProptestConfig::default() })]

    /// Identities of the paper: enclosures of both sides, each from its own definition, meet.
    #[test]
    fn identities_are_not_contradicted(text in crate::common::probabilistic(), cost in crate::common::cost()) {
        let model = text.model();
        let Ok(found) = enclose(&model, &Cost::uniform()) else { return Ok(()) };
        let metric = |name: &str| found.metric(name);
        let loss = |method: Method| found.loss(Condition::Cost, method);
        let same = |a: Option<Interval>, b: Option<Interval>| a.zip(b).is_none_or(|(a, b)| a.meets(b));
        prop_assert!(same(loss(Method::ScoreDriven), metric("BS")));
        prop_assert!(same(loss(Method::ScoreUniform), metric("MAE")));
        prop_assert!(same(loss(Method::Optimal), metric("RL_conv")), "{:?} {:?}", loss(Method::Optimal), metric("RL_conv"));
        prop_assert!(same(metric("BS"), metric("CL").zip(metric("RL")).map(|(c, r)| c + r)));
        let [pi0, pi1] = model.enclosed_proportions();
        let (two, third) = (Interval::from(2.0), Interval::ONE / Interval::from(3.0));
        let by_area = metric("AUC").map(|auc| pi0 * pi1 * (Interval::ONE - two * auc) + third);
        prop_assert!(same(loss(Method::RateDriven), by_area));
        // Under other costs the optimal loss is at most any other.
        let weighted = enclose(&model, &Cost::parse(&cost).unwrap());
        if let Ok(weighted) = weighted {
            let optimal = weighted.loss(Condition::Cost, Method::Optimal);
            for method in Method::ALL {
                let other = weighted.loss(Condition::Cost, method);
                prop_assert!(optimal.zip(other).is_none_or(|(o, other)| o.lo() <= other.hi()), "{method:?}");
            }
        }
    }

    /// Transforms: what Conv, Cal and Even do to losses.
    #[test]
    fn transforms_keep_their_promises(text in crate::common::probabilistic()) {
        let model = text.model();
        let certified = |model: &Model| enclose(model, &Cost::uniform()).ok();
        let Some(plain) = certified(&model) else { return Ok(()) };
        let same = |a: Option<Interval>, b: Option<Interval>| a.zip(b).is_none_or(|(a, b)| a.meets(b));
        if let Some(conv) = certified(&model.conv()) {
            prop_assert!(same(conv.metric("AUC"), plain.metric("AUCH")));
            prop_assert!(same(conv.metric("RL"), plain.metric("RL_conv")));
        }
        if let Some(cal) = certified(&model.cal()) {
            let optimal = plain.loss(Condition::Cost, Method::Optimal);
            prop_assert!(same(cal.metric("BS"), optimal) && same(cal.metric("CL"), Some(Interval::ZERO)));
        }
        if let Some(even) = certified(&model.even()) {
            prop_assert!(same(even.metric("AUC"), plain.metric("AUC")));
            let rate_driven = plain.loss(Condition::Cost, Method::RateDriven);
            prop_assert!(same(even.loss(Condition::Cost, Method::ScoreDriven), rate_driven));
        }
    }
}
