//! Bootstrap and DeLong: against what is known of their distributions, and against each other.

use crate::common::numbers;
use rocproof::data::{
    AucDifference, Bootstrap, Caveat, DeLong, IntervalMethod, NoVariance, Paired, ScoreDirection, Scored, Spread,
    Spreads, Tie, Units, best_spreads, bootstrap, evaluate_scored,
};
use rocproof::functional::Thresholds;
use rocproof::{Cost, Level, Request, evaluate};

/// Two models of the same rows: a score, and the same with noise.
fn two_models(rows: usize, seed: u64) -> (Vec<f64>, Vec<f64>, Vec<bool>) {
    let mut next = numbers(seed);
    let mut columns = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        let x = next();
        columns.0.push(x);
        columns.1.push((x + 0.5 * next()) / 1.5);
        columns.2.push(next() < x);
    }
    columns
}

fn spreads(data: &Paired, replicates: usize) -> Spreads {
    let plan = Bootstrap { replicates, seed: 7, level: 0.9, stratified: false };
    bootstrap(data, &Cost::uniform(), &Thresholds::default(), &plan, || ())
}

/// The intervals that the program shows, of 95 %: by formulas, and by samples where there is no formula.
fn shown(data: &Paired, replicates: usize, stratified: bool) -> Spreads {
    let (cost, thresholds) = (Cost::uniform(), Thresholds::default());
    let evaluations: Vec<_> = data.models().iter().map(|model| evaluate_scored(model, &cost, &thresholds)).collect();
    let (plan, delong) = (Bootstrap { replicates, seed: 7, level: 0.95, stratified }, DeLong::new(data).ok());
    best_spreads(data, &evaluations, &cost, &thresholds, (&plan, delong.as_ref()), || ())
}

fn one_model(scores: &[f64], classes: &[bool], weights: Option<&[f64]>) -> Paired {
    Paired::single(Scored::from_rows(scores, classes, weights).unwrap(), Units::Rows)
}

fn of(spreads: &Spreads, model: usize, name: &str) -> Spread {
    let k = spreads.quantities.iter().position(|q| q.label(&Thresholds::default()) == name).unwrap();
    spreads.models[model][k].unwrap()
}

/// The Brier score and the mean absolute error are means over rows: their standard errors are known.
#[test]
fn means_over_rows_spread_as_means_do() {
    let (scores, _, classes) = two_models(400, 5);
    let data = Paired::single(Scored::from_rows(&scores, &classes, None).unwrap(), Units::Rows);
    let found = spreads(&data, 2000);
    for (name, power) in [("BS", 2), ("MAE", 1)] {
        let terms: Vec<f64> =
            scores.iter().zip(&classes).map(|(x, y)| (x - f64::from(u8::from(*y))).abs().powi(power)).collect();
        let mean = terms.iter().sum::<f64>() / 400.0;
        let deviation = (terms.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / 400.0 / 400.0).sqrt();
        let spread = of(&found, 0, name);
        assert!((spread.value - mean).abs() < 1e-13);
        assert!((spread.standard_error / deviation - 1.0).abs() < 0.06, "{name}: {spread:?} {deviation}");
        // Of a normal distribution 90 % lie within 1.645 deviations.
        let width = (spread.interval.1 - spread.interval.0) / 2.0 / deviation;
        assert!((width / 1.645 - 1.0).abs() < 0.1, "{name}: {spread:?}");
    }
}

/// DeLong's variance and the bootstrap estimate the same thing; also of the difference of two models.
#[test]
fn delong_agrees_with_the_bootstrap() {
    let (one, two, classes) = two_models(600, 9);
    let data = Paired::new(&[&one, &two], &[ScoreDirection::TowardClass1; 2], &classes, None).unwrap();
    let (found, delong) = (spreads(&data, 2000), DeLong::new(&data).unwrap());
    for model in [0, 1] {
        let spread = of(&found, model, "AUC");
        assert!((spread.value - delong.auc[model]).abs() < 1e-13);
        assert!((spread.standard_error / delong.standard_error(model) - 1.0).abs() < 0.06, "{spread:?}");
    }
    let (a, b, of_difference) = &found.differences[0];
    let AucDifference { value, standard_error, p } = delong.difference(*a, *b);
    let spread = of_difference[0].unwrap();
    assert!((spread.value - value).abs() < 1e-13);
    assert!((spread.standard_error / standard_error - 1.0).abs() < 0.06, "{spread:?} {standard_error}");
    assert!(standard_error < 0.7 * delong.standard_error(0), "paired: {standard_error}");
    assert!((0.0..1.0).contains(&p.unwrap()));
}

/// From the definition: placements one by one, with ties.
#[test]
fn delong_by_placements() {
    let mut next = numbers(21);
    let scores: Vec<f64> = (0..60).map(|_| (next() * 8.0).floor()).collect();
    let classes: Vec<bool> = scores.iter().map(|x| next() < x / 8.0).collect();
    let of_class = |class: bool| -> Vec<f64> {
        scores.iter().zip(&classes).filter(|(_, y)| **y == class).map(|(x, _)| *x).collect()
    };
    let wins = |high: f64, low: f64| if high > low { 1.0 } else { 0.5 * f64::from(u8::from(high == low)) };
    let (zeros, ones) = (of_class(false), of_class(true));
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let v1: Vec<f64> = ones.iter().map(|h| mean(&zeros.iter().map(|l| wins(*h, *l)).collect::<Vec<_>>())).collect();
    let v0: Vec<f64> = zeros.iter().map(|l| mean(&ones.iter().map(|h| wins(*h, *l)).collect::<Vec<_>>())).collect();
    let variance = |v: &[f64]| {
        let m = mean(v);
        v.iter().map(|x| (x - m).powi(2)).sum::<f64>() / (v.len() - 1) as f64 / v.len() as f64
    };
    let data = Scored::from_rows(&scores, &classes, None).unwrap();
    let groups: Vec<Tie> = data.ties().collect();
    let grouped = Paired::single(Scored::from_groups(&groups).unwrap(), Units::Counts);
    for data in [Paired::single(data, Units::Rows), grouped] {
        let delong = DeLong::new(&data).unwrap();
        assert!((delong.auc[0] - mean(&v1)).abs() < 1e-14);
        assert!((delong.covariance[0][0] - variance(&v0) - variance(&v1)).abs() < 1e-14);
    }
}

/// Counts of groups are resampled as the rows that they count.
#[test]
fn grouped_data_spread_as_their_rows_do() {
    let mut next = numbers(33);
    let scores: Vec<f64> = (0..2000).map(|_| (next() * 5.0).floor() / 5.0).collect();
    let classes: Vec<bool> = scores.iter().map(|x| next() < 0.1 + 0.8 * x).collect();
    let data = Scored::from_rows(&scores, &classes, None).unwrap();
    let groups: Vec<Tie> = data.ties().collect();
    assert_eq!(groups.len(), 5);
    let rows = spreads(&Paired::single(data, Units::Rows), 1000);
    let grouped = spreads(&Paired::single(Scored::from_groups(&groups).unwrap(), Units::Counts), 1000);
    for name in ["AUC", "BS", "RL", "H", "o", "rd"] {
        let (a, b) = (of(&rows, 0, name), of(&grouped, 0, name));
        assert!((a.value - b.value).abs() < 1e-12);
        assert!((a.standard_error / b.standard_error - 1.0).abs() < 0.12, "{name}: {a:?} {b:?}");
    }
}

/// The same seed gives the same intervals; another does not.
#[test]
fn seeds_reproduce() {
    let (one, two, classes) = two_models(200, 3);
    let data = Paired::new(&[&one, &two], &[ScoreDirection::TowardClass1; 2], &classes, None).unwrap();
    let with_seed = |seed: u64| {
        let plan = Bootstrap { replicates: 50, seed, ..Bootstrap::default() };
        bootstrap(&data, &Cost::uniform(), &Thresholds::default(), &plan, || ()).differences
    };
    assert_eq!(with_seed(4), with_seed(4));
    assert_ne!(with_seed(4), with_seed(5));
    let on_one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(on_one_core.install(|| with_seed(4)), with_seed(4));
}

/// A sample must have both classes: one that lacks one is drawn again.
#[test]
fn two_rows() {
    let data = Paired::single(Scored::from_rows(&[0.2, 0.9], &[false, true], None).unwrap(), Units::Rows);
    let found = spreads(&data, 100);
    assert!(found.redrawn > 50, "{}", found.redrawn);
    assert_eq!(of(&found, 0, "AUC").interval, (1.0, 1.0));
    assert_eq!(DeLong::new(&data).unwrap_err(), NoVariance::OneRow(0));
}

/// Weights stay with their rows.
#[test]
fn weighted_rows() {
    let (scores, _, classes) = two_models(300, 8);
    let weights: Vec<f64> = scores.iter().map(|x| 0.5 + x).collect();
    let single = Paired::single(Scored::from_rows(&scores, &classes, Some(&weights)).unwrap(), Units::Rows);
    let paired = Paired::new(&[&scores], &[ScoreDirection::TowardClass1], &classes, Some(&weights)).unwrap();
    let (a, b) = (of(&spreads(&single, 1000), 0, "BS"), of(&spreads(&paired, 1000), 0, "BS"));
    assert!((a.value - b.value).abs() < 1e-13);
    // The weighted mean is a ratio of means: its variance by linearisation.
    let total: f64 = weights.iter().sum();
    let terms = scores.iter().zip(&classes).zip(&weights).map(|((x, y), w)| {
        let loss = (x - f64::from(u8::from(*y))).powi(2);
        (w * (loss - a.value) / total).powi(2)
    });
    let error = terms.sum::<f64>().sqrt();
    for spread in [a, b] {
        assert!((spread.standard_error / error - 1.0).abs() < 0.08, "{spread:?} {error}");
    }
    assert_eq!(DeLong::new(&single).unwrap_err(), NoVariance::Weighted);
}

/// Intervals cover: of many data sets from a model, about nine in ten hold its truth.
#[test]
fn intervals_cover_the_truth() {
    let model = rocproof::Model::new("2*(1-x)", "2*x", "1/2").unwrap();
    let truth = evaluate(&model, &Request::at(Level::Numeric)).unwrap().metric("BS").unwrap().estimate().unwrap().value;
    let covered = (0..200u64).filter(|seed| {
        let (scores, _, classes) = two_models(150, 1000 + seed);
        let data = Paired::single(Scored::from_rows(&scores, &classes, None).unwrap(), Units::Rows);
        let interval = of(&spreads(&data, 200), 0, "BS").interval;
        (interval.0..interval.1).contains(&truth)
    });
    let covered = covered.count();
    assert!((165..=195).contains(&covered), "{covered}");
}

/// The hull is fitted to the rows, so that its quantities flatter the scores. Their intervals take that off and cover the truth;
/// percentiles would cover half of the time.
#[test]
fn intervals_of_hull_quantities_cover_the_truth() {
    let model = rocproof::Model::new("2*(1-x)", "2*x", "1/2").unwrap();
    let evaluation = evaluate(&model, &Request::at(Level::Numeric)).unwrap();
    let truth = |name: &str| evaluation.metric(name).unwrap().estimate().unwrap().value;
    const NAMES: [&str; 4] = ["RL_conv", "H", "AUCH", "KS"];
    let (mut covered, mut flattered) = ([0; 4], [0; 4]);
    for seed in 0..80 {
        let (scores, _, classes) = two_models(150, 3000 + seed);
        let data = Paired::single(Scored::from_rows(&scores, &classes, None).unwrap(), Units::Rows);
        let found = spreads(&data, 60);
        for (k, name) in NAMES.into_iter().enumerate() {
            let (spread, truth) = (of(&found, 0, name), truth(name));
            assert_eq!(spread.method, IntervalMethod::Smoothed);
            covered[k] += usize::from((spread.interval.0..spread.interval.1).contains(&truth));
            flattered[k] += usize::from((spread.value > truth) == (name != "RL_conv"));
        }
    }
    for (k, name) in NAMES.into_iter().enumerate() {
        // Of 80 intervals of 90 %, between 64 and 79 cover, but for one time in a thousand.
        assert!((64..=79).contains(&covered[k]), "{name}: {covered:?}");
        assert!(flattered[k] > 50, "{name}: {flattered:?}");
    }
}

/// Random scores are as good as permutations of the classes; good ones are better than all.
#[test]
fn chance_is_told_from_skill() {
    let mut next = numbers(77);
    let scores: Vec<f64> = (0..120).map(|_| next()).collect();
    let random: Vec<bool> = (0..120).map(|_| next() < 0.4).collect();
    let skilled: Vec<bool> = scores.iter().map(|x| next() < *x).collect();
    let spreads_of = |classes: &[bool]| {
        let data = Paired::single(Scored::from_rows(&scores, classes, None).unwrap(), Units::Rows);
        spreads(&data, 99)
    };
    for name in ["o", "H", "AUCH", "KS"] {
        let (random, skilled) = (of(&spreads_of(&random), 0, name), of(&spreads_of(&skilled), 0, name));
        assert!(random.chance.unwrap() > 0.05, "{name}: {random:?}");
        assert!(matches!(random.caveat, Some(Caveat::Chance(p)) if p > 0.05), "{name}: {random:?}");
        assert_eq!(skilled.chance, Some(0.01), "{name}: {skilled:?}");
        assert_eq!(skilled.caveat, None, "{name}: {skilled:?}");
    }
}

/// Intervals say where they cannot be relied on: few rows of a class, few rows where classes overlap, weights, ties.
#[test]
fn intervals_have_caveats() {
    let caveat = |scores: &[f64], classes: &[bool], weights: Option<&[f64]>, name: &str| {
        let data = Paired::single(Scored::from_rows(scores, classes, weights).unwrap(), Units::Rows);
        of(&spreads(&data, 30), 0, name).caveat
    };
    let (scores, _, classes) = two_models(200, 12);
    let few: Vec<bool> = scores.iter().map(|x| *x > 0.96).collect();
    assert!(few.iter().filter(|is_1| **is_1).count() < 15);
    assert!(matches!(caveat(&scores, &few, None, "H"), Some(Caveat::FewRows(_))));
    let separated: Vec<bool> = scores.iter().map(|x| *x > 0.5).collect();
    assert_eq!(caveat(&scores, &separated, None, "KS"), Some(Caveat::FewOverlap(0.0)));
    let weights: Vec<f64> = scores.iter().map(|x| 0.5 + x).collect();
    assert_eq!(caveat(&scores, &classes, Some(&weights), "o"), Some(Caveat::Weighted));
    assert_eq!(caveat(&scores, &classes, None, "CL"), Some(Caveat::ByTies));
    assert_eq!(caveat(&scores, &classes, None, "BS"), None);
}

/// Counts of a billion rows are permuted and sampled tie by tie, not row by row.
#[test]
fn large_counts_are_sampled() {
    let tie = |x: f64, mass: [f64; 2]| Tie { x, mass };
    let groups = [tie(0.1, [3e8, 1e7]), tie(0.5, [1e8, 1.2e8]), tie(0.9, [5e6, 2.5e8])];
    let found = spreads(&Paired::single(Scored::from_groups(&groups).unwrap(), Units::Counts), 50);
    let spread = of(&found, 0, "H");
    assert!(spread.interval.0 < spread.value && spread.value < spread.interval.1, "{spread:?}");
    assert!(spread.standard_error < 1e-4 && spread.chance == Some(1.0 / 51.0), "{spread:?}");
}

/// Mean scores are on the scale of what was given, and so are their differences: of probabilities and of scores that are none.
#[test]
fn mean_scores_of_different_scales() {
    let (one, _, classes) = two_models(80, 6);
    let two: Vec<f64> = one.iter().map(|x| 3.0 * x - 5.0).collect();
    let data = Paired::new(&[&one, &two], &[ScoreDirection::TowardClass0; 2], &classes, None).unwrap();
    let found = spreads(&data, 20);
    let mean = |scores: &[f64]| {
        let of_class: Vec<f64> = scores.iter().zip(&classes).filter(|(_, y)| !**y).map(|(x, _)| *x).collect();
        of_class.iter().sum::<f64>() / of_class.len() as f64
    };
    let (a, b) = (of(&found, 0, "s0").value, of(&found, 1, "s0").value);
    assert!((a - mean(&one)).abs() < 1e-13 && (b - mean(&two)).abs() < 1e-13);
    let k = found.quantities.iter().position(|q| q.label(&Thresholds::default()) == "s0").unwrap();
    assert!((found.differences[0].2[k].unwrap().value - (mean(&one) - mean(&two))).abs() < 1e-13);
}

/// A row of no weight is no row: neither its score nor its class counts, and it is not drawn.
#[test]
fn rows_of_no_weight() {
    let (scores, _, classes) = two_models(60, 4);
    let with = |extra: bool| {
        let (mut scores, mut classes, mut weights) = (scores.clone(), classes.clone(), vec![1.5; 60]);
        if extra {
            scores.push(-7.0);
            classes.push(true);
            weights.push(0.0);
        }
        let data =
            Paired::new(&[&scores, &scores], &[ScoreDirection::TowardClass1; 2], &classes, Some(&weights)).unwrap();
        spreads(&data, 30).models
    };
    assert_eq!(with(true), with(false));
    assert!(with(true)[0].iter().all(Option::is_some));
}

/// The differences of two models of the same rows.
fn differences(one: &[f64], two: &[f64], classes: &[bool], replicates: usize) -> (Spreads, Vec<Option<Spread>>) {
    let data = Paired::new(&[one, two], &[ScoreDirection::TowardClass1; 2], classes, None).unwrap();
    let found = spreads(&data, replicates);
    let differences = found.differences[0].2.clone();
    (found, differences)
}

/// Models that rank all rows alike were called different: their biases were estimated by samples of their own.
#[test]
fn the_same_ranking_makes_no_difference() {
    let (scores, _, classes) = two_models(300, 21);
    let constant = vec![0.5; 300];
    let root: Vec<f64> = scores.iter().map(|x| x.sqrt()).collect();
    for (one, two, names) in [
        (&scores, &scores, ["o", "H", "AUCH", "KS", "AUC", "BS", "MCB"].as_slice()),
        (&scores, &root, ["o", "H", "AUCH", "KS", "AUC"].as_slice()),
        (&constant, &constant, ["o", "H", "AUCH", "KS"].as_slice()),
    ] {
        let (found, differences) = differences(one, two, &classes, 30);
        for name in names {
            let k = found.quantities.iter().position(|q| q.label(&Thresholds::default()) == *name).unwrap();
            let Spread { value, interval, .. } = differences[k].unwrap();
            assert!(value.abs() < 1e-12 && interval.0 <= 1e-12 && interval.1 >= -1e-12, "{name}: {interval:?}");
        }
    }
}

/// Two models that are equally good and nearly the same: nine of ten intervals of 90 % hold 0.
#[test]
fn models_that_differ_little_are_not_told_apart() {
    const DATA: usize = 40;
    let names = ["o", "H", "AUCH", "KS"];
    let mut told_apart = [0; 4];
    for seed in 0..DATA {
        let mut next = numbers(1000 + seed as u64);
        let (mut one, mut two, mut classes) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..300 {
            let x = next();
            one.push(x + 0.001 * next());
            two.push(x + 0.001 * next());
            classes.push(next() < x);
        }
        let (found, differences) = differences(&one, &two, &classes, 40);
        for (name, count) in names.iter().zip(&mut told_apart) {
            let k = found.quantities.iter().position(|q| q.label(&Thresholds::default()) == *name).unwrap();
            let interval = differences[k].unwrap().interval;
            *count += usize::from(interval.0 > 0.0 || interval.1 < 0.0);
        }
    }
    // Four of forty are expected; 11 is beyond three standard deviations.
    assert!(told_apart.iter().all(|count| *count < 11), "{names:?}: {told_apart:?} of {DATA}");
}

/// A class with a single row, or weights, left rankings without DeLong's variance, and the samples of the rows vary too little: an AUC of 1
/// had the interval [1, 1], and the program said that such scores rank better than chance.
#[test]
fn rankings_without_delongs_variance_are_bounded() {
    // Two rows are one pair: it is ranked right by luck with any AUC from 0.025 on.
    let pair = of(&shown(&one_model(&[0.3, 0.6], &[false, true], None), 50, false), 0, "AUC");
    assert!((pair.interval.0 - 0.025).abs() < 1e-15 && pair.interval.1 == 1.0, "{pair:?}");
    assert_eq!(pair.caveat, Some(Caveat::PerfectRanking));
    assert_eq!(pair.method, IntervalMethod::DisjointPairs);
    // One positive among 301 rows.
    let scores: Vec<f64> = (0..301).map(f64::from).collect();
    let is_1: Vec<bool> = (0..301).map(|row| row == 250).collect();
    for replicates in [0, 50] {
        let one = of(&shown(&one_model(&scores, &is_1, None), replicates, false), 0, "AUC");
        assert_eq!((one.interval, one.caveat), ((0.0, 1.0), Some(Caveat::FewRows(1.0))));
        assert!((one.value - 250.0 / 300.0).abs() < 1e-12);
    }
    // Six weighted rows, three of each class, ranked without an error, forwards and backwards; and constant scores.
    let (is_1, weights) = ([false, false, false, true, true, true], [0.3, 0.1, 0.7, 1.1, 0.2, 0.9]);
    let weighted = |scores: &[f64; 6]| of(&shown(&one_model(scores, &is_1, Some(&weights)), 50, false), 0, "AUC");
    let perfect = weighted(&[0.1, 0.2, 0.3, 0.6, 0.7, 0.8]);
    assert!((perfect.interval.0 - 0.025f64.cbrt()).abs() < 1e-12 && perfect.interval.1 == 1.0, "{perfect:?}");
    assert_eq!(perfect.caveat, Some(Caveat::PerfectRanking));
    let reversed = weighted(&[0.8, 0.7, 0.6, 0.3, 0.2, 0.1]);
    assert!(reversed.interval.0 == 0.0 && (reversed.interval.1 - 1.0 + 0.025f64.cbrt()).abs() < 1e-12, "{reversed:?}");
    assert_eq!(weighted(&[0.5; 6]).caveat, Some(Caveat::NoVariation));
}

/// Three positives among 30,000 rows: the interval of the AUC was bare, though its variance is that of three placements. Rows count, whatever
/// their weights.
#[test]
fn few_rows_are_said_by_formulas_too() {
    let scores: Vec<f64> = (0..30_000).map(f64::from).collect();
    let is_1: Vec<bool> = (0..30_000).map(|row| [21_000, 27_000, 29_900].contains(&row)).collect();
    let data = one_model(&scores, &is_1, None);
    let delong = DeLong::new(&data).unwrap();
    assert_eq!(delong.spread(0, 0.95).caveat, Some(Caveat::FewRows(3.0)));
    assert_eq!(of(&shown(&data, 0, false), 0, "AUC").caveat, Some(Caveat::FewRows(3.0)));
    let weights: Vec<f64> = (0..300).map(|row| 10.0 + f64::from(row)).collect();
    let last: Vec<bool> = is_1[29_700..].to_vec();
    let found = shown(&one_model(&scores[..300], &last, Some(&weights)), 30, false);
    for name in ["AUC", "o", "MAcc(1/2)"] {
        assert!(matches!(of(&found, 0, name).caveat, Some(Caveat::FewRows(1.0))), "{name}: {:?}", of(&found, 0, name));
    }
}

/// Quantities that weigh both classes alike are means over the smaller class, whose few rows percentiles do not cover: of 8 positives in 208,
/// intervals of the balanced accuracy covered 78 %, of the balanced Brier score 88 %.
#[test]
fn means_by_class_cover_with_few_rows() {
    // Scores with the densities 2(1-x) and 2x: an error has the probability 1/4, the squared error the mean 1/6.
    let truths = [("MAcc(1/2)", 0.75), ("MBS", 1.0 / 6.0), ("MMAE", 1.0 / 3.0)];
    let mut covered = [0; 3];
    for seed in 0..300 {
        let mut next = numbers(9000 + seed);
        let is_1: Vec<bool> = (0..208).map(|row| row < 8).collect();
        let scores: Vec<f64> =
            is_1.iter().map(|is_1| if *is_1 { next().sqrt() } else { 1.0 - next().sqrt() }).collect();
        let found = shown(&one_model(&scores, &is_1, None), 0, false);
        for (covered, (name, truth)) in covered.iter_mut().zip(truths) {
            let spread = of(&found, 0, name);
            assert_eq!((spread.method, spread.caveat), (IntervalMethod::ByClass, None));
            *covered += u32::from(spread.interval.0 <= truth && truth <= spread.interval.1);
        }
    }
    assert!(covered.iter().all(|covered| (273..=296).contains(covered)), "{covered:?}");
}

/// Two columns that rank alike: the difference has no variance, and was given p = 0 or 1 and an interval of no width without a word.
#[test]
fn equal_rankings_are_not_tested() {
    let (scores, _, classes) = two_models(120, 31);
    let stretched: Vec<f64> = scores.iter().map(|x| x * x).collect();
    let data = Paired::new(&[&scores, &stretched], &[ScoreDirection::TowardClass1; 2], &classes, None).unwrap();
    let delong = DeLong::new(&data).unwrap();
    assert_eq!(delong.difference(0, 1), AucDifference { value: 0.0, standard_error: 0.0, p: None });
    assert_eq!(delong.spread_of_difference(0, 1, 0.95).caveat, Some(Caveat::SameRanking));
    // Perfect and constant scores: a difference of 1/2, of no variance.
    let is_1: Vec<bool> = (0..40).map(|row| row >= 20).collect();
    let perfect: Vec<f64> = (0..40).map(f64::from).collect();
    let data = Paired::new(&[&perfect, &[1.0; 40]], &[ScoreDirection::TowardClass1; 2], &is_1, None).unwrap();
    let delong = DeLong::new(&data).unwrap();
    assert_eq!(delong.difference(0, 1), AucDifference { value: 0.5, standard_error: 0.0, p: None });
    assert!(delong.spread_of_difference(0, 1, 0.95).caveat.is_some());
}

/// Scores that separate the classes of all rows lose nothing by the optimal method. The interval, corrected for bias, left that out, though it
/// may be the truth.
#[test]
fn intervals_of_separated_classes_reach_the_best_value() {
    let scores: Vec<f64> = (0..60).map(f64::from).collect();
    let is_1: Vec<bool> = (0..60).map(|row| row >= 30).collect();
    let found = shown(&one_model(&scores, &is_1, None), 60, false);
    for (name, best) in [("o", 0.0), ("RL_conv", 0.0), ("H", 1.0), ("AUCH", 1.0), ("KS", 1.0)] {
        let spread = of(&found, 0, name);
        assert_eq!(spread.value, best, "{name}");
        assert!(spread.interval.0 <= best && best <= spread.interval.1, "{name}: {spread:?}");
        assert!(spread.interval.0 < spread.interval.1 && spread.caveat.is_some(), "{name}: {spread:?}");
    }
}

/// Samples that keep the number of rows of each class: the class proportion does not vary, what depends on it alone neither, and the rest has
/// the variance within classes. Samples of rows and formulas agree on it.
#[test]
fn stratified_samples() {
    let (one, two, classes) = two_models(300, 17);
    let paired = Paired::new(&[&one, &two], &[ScoreDirection::TowardClass1; 2], &classes, None).unwrap();
    let plan = Bootstrap { replicates: 1500, seed: 3, level: 0.95, stratified: true };
    let sampled = bootstrap(&paired, &Cost::uniform(), &Thresholds::default(), &plan, || ());
    let formulas = shown(&paired, 0, true);
    assert!(of(&sampled, 0, "UNC").standard_error < 1e-12);
    assert_eq!(sampled.redrawn, 0);
    for model in [0, 1] {
        for name in ["BS", "MAE", "Acc(1/2)", "MAcc(1/2)", "MBS", "AUC", "rd", "ru"] {
            let [a, b] = [&sampled, &formulas].map(|spreads| of(spreads, model, name).standard_error);
            assert!((a / b - 1.0).abs() < 0.08, "{name}: {a} {b}");
        }
    }
    let k = sampled.quantities.iter().position(|quantity| quantity.label(&Thresholds::default()) == "BS").unwrap();
    let [a, b] = [&sampled, &formulas].map(|spreads| spreads.differences[0].2[k].unwrap().standard_error);
    assert!((a / b - 1.0).abs() < 0.08, "{a} {b}");
    // The smooth model, too; and grouped rows.
    let plain = spreads(&paired, 400);
    let stratified =
        bootstrap(&paired, &Cost::uniform(), &Thresholds::default(), &Bootstrap { replicates: 400, ..plan }, || ());
    let [a, b] = [&plain, &stratified].map(|spreads| of(spreads, 0, "DSC").standard_error);
    assert!(b < a, "{a} {b}");
    let tenths: Vec<f64> = one.iter().map(|x| (x * 10.0).floor() / 10.0).collect();
    let ties: Vec<Tie> = Scored::from_rows(&tenths, &classes, None).unwrap().ties().collect();
    let counted = Paired::single(Scored::from_groups(&ties).unwrap(), Units::Counts);
    let by_row = bootstrap(&one_model(&tenths, &classes, None), &Cost::uniform(), &Thresholds::default(), &plan, || ());
    let counted = bootstrap(&counted, &Cost::uniform(), &Thresholds::default(), &plan, || ());
    for name in ["BS", "AUC", "H"] {
        let [a, b] = [&by_row, &counted].map(|spreads| of(spreads, 0, name).standard_error);
        assert!((a / b - 1.0).abs() < 0.1, "{name}: {a} {b}");
    }
    assert!(of(&counted, 0, "UNC").standard_error < 1e-12);
}
