//! Losses out of sample, against thresholds that are chosen on one half by trying all and evaluated on the other, row by row.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rocproof::data::{
    ChosenOn, DeployedThreshold, HeldOutBy, KnownAt, LossAt, NotHeldOut, OperatingPoint, OutOfSample, Paired,
    ScoreDirection, Scored, Units, deployed_threshold, evaluate_scored, losses_out_of_sample, recommend,
};
use rocproof::functional::Thresholds;
use rocproof::{Condition, Cost, Method};

/// A score and whether it is of class 1.
type Row = (f64, bool);

const SD: usize = 3;
const RD: usize = 5;
const O: usize = 6;

fn scored(rows: &[Row]) -> Scored {
    let (scores, classes): (Vec<f64>, Vec<bool>) = rows.iter().copied().unzip();
    Scored::from_rows(&scores, &classes, None).unwrap()
}

fn single(rows: &[Row]) -> Paired {
    Paired::single(scored(rows), Units::Rows)
}

fn at(text: &str) -> LossAt {
    LossAt::At(OperatingPoint::parse(text).unwrap())
}

const OVER: [LossAt; 2] = [LossAt::Over(Condition::Cost), LossAt::Over(Condition::Skew)];

fn cross_fitted(data: &Paired, loss_at: &[LossAt]) -> OutOfSample {
    let (cost, thresholds) = (Cost::uniform(), Thresholds::default());
    losses_out_of_sample(data, ChosenOn::OtherFolds(1), loss_at, &cost, &thresholds, 0.95).unwrap()
}

fn value(out: &OutOfSample, request: usize, method: usize) -> f64 {
    out.losses[request].losses[0][method].unwrap().value
}

/// Rows of overlapping classes, with scores in hundredths: some tie.
fn overlapping(n: usize, seed: u64) -> Vec<Row> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut row = || {
        let is_1 = generator.random::<f64>() < 0.4;
        let mean: f64 = (0..4).map(|_| generator.random::<f64>()).sum::<f64>() / 4.0;
        let score = if is_1 { 0.15 + 0.85 * mean } else { 0.85 * mean };
        ((score * 100.0).round() / 100.0, is_1)
    };
    (0..n).map(|_| row()).collect()
}

fn random_rows(n: usize, seed: u64) -> Vec<Row> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| (generator.random(), generator.random::<f64>() < 0.5)).collect()
}

fn shares(rows: &[Row], condition: Condition) -> [f64; 2] {
    let ones = rows.iter().filter(|row| row.1).count() as f64 / rows.len() as f64;
    if condition == Condition::Cost { [1.0 - ones, ones] } else { [0.5, 0.5] }
}

/// The loss at a condition if class 0 is predicted with the probability `positive` of a score.
fn loss(rows: &[Row], condition: Condition, c: f64, positive: impl Fn(f64) -> f64) -> f64 {
    let mean = |class: bool, of: &dyn Fn(f64) -> f64| {
        let scores: Vec<f64> = rows.iter().filter(|row| row.1 == class).map(|row| of(row.0)).collect();
        scores.iter().sum::<f64>() / scores.len() as f64
    };
    let [pi0, pi1] = shares(rows, condition);
    2.0 * (c * pi0 * mean(false, &|s| 1.0 - positive(s)) + (1.0 - c) * pi1 * mean(true, &positive))
}

/// The threshold of least loss among the middles between scores, by trying all. With an irrational condition there is one.
fn best_threshold(rows: &[Row], condition: Condition, c: f64) -> f64 {
    let mut scores: Vec<f64> = rows.iter().map(|row| row.0).collect();
    scores.sort_by(f64::total_cmp);
    scores.dedup();
    let middles = scores.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    let all = [f64::NEG_INFINITY].into_iter().chain(middles).chain([f64::INFINITY]);
    let of = |t: f64| loss(rows, condition, c, |s| f64::from(u8::from(s <= t)));
    all.min_by(|a, b| of(*a).total_cmp(&of(*b))).unwrap()
}

/// The probability that class 0 is predicted for a score if the training rate is to be `r`: a tie is split.
fn by_rate(training: &[Row], condition: Condition, r: f64, score: f64) -> f64 {
    let [pi0, pi1] = shares(training, condition);
    let rate = |is_in: &dyn Fn(f64) -> bool| {
        [false, true]
            .iter()
            .zip([pi0, pi1])
            .map(|(class, pi)| {
                let of_class: Vec<&Row> = training.iter().filter(|row| row.1 == *class).collect();
                pi * of_class.iter().filter(|row| is_in(row.0)).count() as f64 / of_class.len() as f64
            })
            .sum::<f64>()
    };
    let (before, after) = (rate(&|s| s < score), rate(&|s| s <= score));
    if after <= before { f64::from(u8::from(before < r)) } else { ((r - before) / (after - before)).clamp(0.0, 1.0) }
}

#[test]
fn chosen_on_one_half_and_evaluated_on_the_other() {
    let rows = overlapping(240, 5);
    let (training, held_out) = rows.split_at(120);
    let chosen = [scored(training)];
    let (cost, thresholds) = (Cost::uniform(), Thresholds::default());
    // Fractions with a large denominator: no two thresholds have the same loss.
    let conditions = [("0.2000000317", 0.2000000317), ("0.4100000721", 0.4100000721), ("0.8300000553", 0.8300000553)];
    let mut loss_at = OVER.to_vec();
    loss_at.extend(conditions.iter().flat_map(|(text, _)| [at(&format!("c={text}")), at(&format!("z={text}"))]));
    let separate = ChosenOn::Separate(&chosen);
    let out = losses_out_of_sample(&single(held_out), separate, &loss_at, &cost, &thresholds, 0.95).unwrap();
    assert_eq!(out.by, HeldOutBy::Separate);
    for (k, condition) in [Condition::Cost, Condition::Skew].into_iter().enumerate() {
        for (i, (_, c)) in conditions.iter().enumerate() {
            let request = 2 + 2 * i + k;
            let t = best_threshold(training, condition, *c);
            let truth = loss(held_out, condition, *c, |s| f64::from(u8::from(s <= t)));
            assert!((value(&out, request, O) - truth).abs() < 1e-13, "o at {c}: {truth}");
            let truth = loss(held_out, condition, *c, |s| by_rate(training, condition, *c, s));
            assert!((value(&out, request, RD) - truth).abs() < 1e-12, "rd at {c}: {truth}");
        }
        // Over all conditions: the mean at the middles of many steps. A loss jumps by at most 2 at few conditions.
        let steps = 2000;
        let mean = |of: &dyn Fn(f64) -> f64| {
            (0..steps).map(|i| of((i as f64 + 0.5) / steps as f64)).sum::<f64>() / steps as f64
        };
        let optimal = mean(&|c| {
            let t = best_threshold(training, condition, c + 1e-9);
            loss(held_out, condition, c, |s| f64::from(u8::from(s <= t)))
        });
        assert!((value(&out, k, O) - optimal).abs() < 1e-3, "{} {optimal}", value(&out, k, O));
        let driven = mean(&|c| loss(held_out, condition, c, |s| by_rate(training, condition, c, s)));
        assert!((value(&out, k, RD) - driven).abs() < 1e-3, "{} {driven}", value(&out, k, RD));
        let uniform = mean(&|r| loss(held_out, condition, 0.5, |s| by_rate(training, condition, r, s)));
        assert!((value(&out, k, 4) - uniform).abs() < 1e-3, "{} {uniform}", value(&out, k, 4));
        let fixed = loss(held_out, condition, 0.5, |s| by_rate(training, condition, 0.5, s));
        assert!((value(&out, k, 1) - fixed).abs() < 1e-12, "{} {fixed}", value(&out, k, 1));
    }
}

/// Score-based methods need no training rows: they lose on rows that are held out what they lose on the data.
#[test]
fn methods_without_training_lose_what_the_data_lose() {
    let rows = overlapping(150, 6);
    for text in ["uniform", "beta(2,2)", "beta(1,3)", "beta(0.7,4.5)"] {
        let (cost, thresholds) = (Cost::parse(text).unwrap(), Thresholds::default());
        let out =
            losses_out_of_sample(&single(&rows), ChosenOn::OtherFolds(1), &OVER, &cost, &thresholds, 0.95).unwrap();
        let evaluation = evaluate_scored(&scored(&rows), &cost, &thresholds);
        for (k, condition) in [Condition::Cost, Condition::Skew].into_iter().enumerate() {
            for j in [0, 2, SD] {
                let truth = evaluation.loss(condition, out.methods[j]).unwrap().estimate().unwrap().value;
                assert!((value(&out, k, j) - truth).abs() < 1e-12, "{text} {:?}: {truth}", out.methods[j]);
            }
        }
    }
}

/// The standard error is that of a mean over rows.
#[test]
fn standard_errors_are_those_of_means() {
    let rows = overlapping(150, 7);
    let out = cross_fitted(&single(&rows), &OVER[..1]);
    let losses: Vec<f64> = rows.iter().map(|(s, is_1)| if *is_1 { (1.0 - s).powi(2) } else { s * s }).collect();
    let mean = losses.iter().sum::<f64>() / 150.0;
    let variance = losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>() / 149.0;
    let found = out.losses[0].losses[0][SD].unwrap();
    assert!((found.standard_error - (variance / 150.0).sqrt()).abs() < 1e-14);
    // Wilson's interval of a share with this variance.
    let (z2, n) = (1.959_963_984_540_054f64.powi(2), mean * (1.0 - mean) / (variance / 150.0));
    let centre = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half_width = (z2 * mean * (1.0 - mean) / n + z2 * z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
    assert!((found.interval.1 - centre - half_width).abs() < 1e-9, "{found:?} {}", centre + half_width);
    // Score-driven minus score-fixed at 1/2, row by row.
    let differences: Vec<f64> =
        rows.iter().zip(&losses).map(|((s, is_1), loss)| loss - f64::from(u8::from((*s <= 0.5) == *is_1))).collect();
    let mean = differences.iter().sum::<f64>() / 150.0;
    let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / 149.0;
    let found = out.losses[0].difference((0, SD), (0, 0)).unwrap();
    assert!((found.value - mean).abs() < 1e-14 && (found.standard_error - (variance / 150.0).sqrt()).abs() < 1e-14);
}

/// The hull of random scores promises less than chance, and new rows lose as much as by chance: `π0 π1` over cost proportions.
#[test]
fn random_scores_lose_chance() {
    let (mut excess_in, mut excess_out) = (0.0, 0.0);
    for seed in 0..20 {
        let rows = random_rows(200, seed);
        let [pi0, pi1] = shares(&rows, Condition::Cost);
        let optimal = evaluate_scored(&scored(&rows), &Cost::uniform(), &Thresholds::default());
        let in_sample = optimal.loss(Condition::Cost, Method::Optimal).unwrap().estimate().unwrap().value;
        excess_in += (in_sample - pi0 * pi1) / 20.0;
        excess_out += (value(&cross_fitted(&single(&rows), &OVER), 0, O) - pi0 * pi1) / 20.0;
    }
    // The standard deviation of the mean over rows is about 0.0015 for each sample, 0.0004 for the mean of twenty.
    assert!(excess_in < -0.005, "{excess_in}");
    assert!((0.0..0.02).contains(&excess_out), "{excess_out}");
}

#[test]
fn separated_classes_lose_nothing() {
    let rows = [(0.1, false), (0.2, false), (0.8, true), (0.9, true)];
    let out = cross_fitted(&single(&rows), &[OVER[0].clone(), at("c=1/2"), at("z=0.3")]);
    assert_eq!(out.by, HeldOutBy::Folds { folds: 2, repeats: 20 });
    for request in 0..3 {
        let loss = out.losses[request].losses[0][O].unwrap();
        // The upper end is Wilson's of no loss on four rows; over skews, of two rows of each class.
        let of_each_mean = if request == 2 { 2.0 } else { 4.0 };
        let z2 = 1.959_963_984_540_054f64.powi(2);
        assert_eq!((loss.value, loss.interval.0), (0.0, 0.0));
        assert!((loss.interval.1 - z2 / (of_each_mean + z2)).abs() < 1e-9, "{loss:?}");
        assert!(loss.caveat.unwrap().to_string().contains("all rows have the same loss"));
    }
}

/// With equal scores all rows are predicted alike: at c = 1/5 as class 1, which loses `2c π0`.
#[test]
fn constant_scores() {
    let rows: Vec<Row> = (0..40).map(|i| (0.5, i % 4 == 0)).collect();
    let out = cross_fitted(&single(&rows), &[at("c=1/5"), at("c=9/10"), OVER[0].clone()]);
    assert!((value(&out, 0, O) - 0.4 * 0.75).abs() < 1e-15 && (value(&out, 1, O) - 0.2 * 0.25).abs() < 1e-15);
    // Calibrated scores are the share of class 1 in training, a quarter: the Brier score of a constant.
    assert!((value(&out, 2, O) - 0.25 * 0.75).abs() < 1e-15);
    // The tie is split by the condition: a fifth of all rows are predicted to be of class 0.
    assert!((value(&out, 0, RD) - (0.4 * 0.75 * 0.8 + 1.6 * 0.25 * 0.2)).abs() < 1e-15);
    // No scale to draw a threshold from.
    assert!(out.losses[0].losses[0][2].is_some());
}

/// Two rows of each class are divided in two ways, drawn twenty times. The loss of each way is known, and the mean is one of their mixtures.
#[test]
fn four_rows() {
    // Nearest to farthest: trained on 1 and 3, or on 2 and 4, the cuts are 2 and 3, and the row at 3 is lost. The other way loses none.
    let rows: Vec<Row> = vec![(1.0 / 8.0, false), (2.0 / 8.0, false), (3.0 / 8.0, true), (4.0 / 8.0, true)];
    let eightieths = 80.0 * value(&cross_fitted(&single(&rows), &[at("c=1/2")]), 0, O);
    assert!(eightieths.fract() == 0.0 && (3.0..=17.0).contains(&eightieths), "{eightieths}");
    // Crossed: two rows are lost if neighbours train together. Otherwise three: on two rows in the wrong order all are class 1.
    let crossed: Vec<Row> = vec![(0.1, false), (0.3, false), (0.2, true), (0.4, true)];
    let eightieths = 80.0 * value(&cross_fitted(&single(&crossed), &[at("c=1/2")]), 0, O);
    assert!((eightieths - eightieths.round()).abs() < 1e-12 && (43.0..=57.0).contains(&eightieths), "{eightieths}");
    let one = Paired::single(scored(&crossed[1..]), Units::Rows);
    let (cost, thresholds) = (Cost::uniform(), Thresholds::default());
    let refused = losses_out_of_sample(&one, ChosenOn::OtherFolds(1), &OVER, &cost, &thresholds, 0.95);
    assert_eq!(refused.unwrap_err(), NotHeldOut::OneRow(0));
}

/// A model has the same losses alone and beside others, whatever the order of rows; equal rows as counts or one by one.
#[test]
fn losses_do_not_depend_on_company() {
    let rows = overlapping(90, 9);
    let (scores, classes): (Vec<f64>, Vec<bool>) = rows.iter().copied().unzip();
    let other: Vec<f64> = scores.iter().map(|s| (s * 7.0).fract()).collect();
    let both = Paired::new(&[&scores, &other], &[ScoreDirection::TowardClass1; 2], &classes, None).unwrap();
    let loss_at = [OVER[0].clone(), at("c=0.3")];
    let (alone, beside) = (cross_fitted(&single(&rows), &loss_at), cross_fitted(&both, &loss_at));
    for (a, b) in alone.losses.iter().zip(&beside.losses) {
        for (a, b) in a.losses[0].iter().zip(&b.losses[0]) {
            assert!((a.unwrap().value - b.unwrap().value).abs() < 1e-14);
            assert!((a.unwrap().standard_error - b.unwrap().standard_error).abs() < 1e-14);
        }
    }
    // A difference within one model does not depend on the order of rows either.
    let [a, b] = [&alone, &beside].map(|out| out.losses[1].difference((0, O), (0, SD)).unwrap().standard_error);
    assert!((a - b).abs() < 1e-14);
    let ties: Vec<_> = scored(&rows).ties().collect();
    let counted = Paired::single(Scored::from_groups(&ties).unwrap(), Units::Counts);
    let counted = cross_fitted(&counted, &loss_at);
    for j in 0..7 {
        let [a, b] = [&alone, &counted].map(|out| out.losses[1].losses[0][j].unwrap());
        assert!((a.value - b.value).abs() < 1e-14, "{j}");
        // Samples of counts are drawn otherwise than samples of rows, and show how chosen thresholds vary.
        let tolerance = if [0, 2, SD, 4].contains(&j) { 1e-14 } else { 0.2 * a.standard_error };
        assert!((a.standard_error - b.standard_error).abs() < tolerance, "{j}: {a:?} {b:?}");
    }
}

/// Scores that mean class 0 are reversed with the classes as they are: the same rows are lost.
#[test]
fn turned_scores() {
    let rows = overlapping(160, 10);
    let (training, held_out) = rows.split_at(80);
    let turned = |rows: &[Row]| {
        let (scores, classes): (Vec<f64>, Vec<bool>) = rows.iter().map(|(s, k)| (-s, *k)).unzip();
        Scored::directed(ScoreDirection::TowardClass0, &scores, &classes, None).unwrap()
    };
    let loss_at = [OVER[0].clone(), OVER[1].clone(), at("c=0.3"), at("z=0.6")];
    let (cost, thresholds) = (Cost::uniform(), Thresholds::default());
    let losses = |held_out: Scored, training: Scored| {
        let (data, training) = (Paired::single(held_out, Units::Rows), [training]);
        losses_out_of_sample(&data, ChosenOn::Separate(&training), &loss_at, &cost, &thresholds, 0.95).unwrap()
    };
    let (one, other) = (losses(scored(held_out), scored(training)), losses(turned(held_out), turned(training)));
    for request in 0..4 {
        for j in [1, 4, RD, O] {
            assert!((value(&one, request, j) - value(&other, request, j)).abs() < 1e-14, "{request} {j}");
        }
    }
    let at = OperatingPoint::parse("c=0.3").unwrap();
    let threshold = |data: Scored| {
        let data = Paired::single(data, Units::Rows);
        deployed_threshold(&data, 0, Method::Optimal, &at, &thresholds, (200, 1, 0.95)).unwrap()
    };
    let (one, other) = (threshold(scored(held_out)), threshold(turned(held_out)));
    assert_eq!(one.threshold, -other.threshold);
    assert!(other.interval.unwrap().0 <= other.threshold && other.threshold <= other.interval.unwrap().1, "{other:?}");
}

/// The threshold of two well separated classes varies within the gap between them.
#[test]
fn thresholds_vary_over_samples() {
    let rows: Vec<Row> = (0..60)
        .map(|i| if i % 2 == 0 { (0.2 + f64::from(i) / 1000.0, false) } else { (0.7 + f64::from(i) / 1000.0, true) })
        .collect();
    let (data, thresholds) = (single(&rows), Thresholds::default());
    let at = OperatingPoint::parse("c=1/2").unwrap();
    let of = |method| deployed_threshold(&data, 0, method, &at, &thresholds, (200, 1, 0.95));
    let DeployedThreshold { threshold, interval, share, samples } = of(Method::Optimal).unwrap();
    assert_eq!((threshold, share, samples), ((0.258 + 0.701) / 2.0, 1.0, 200));
    let (lo, hi) = interval.unwrap();
    assert!(0.4 < lo && lo < hi && hi < 0.5, "{lo} {hi}");
    assert_eq!(of(Method::Optimal), of(Method::Optimal));
    assert_eq!(of(Method::ScoreDriven).unwrap().interval, None);
    assert_eq!(of(Method::ScoreUniform), None);
}

/// Without knowledge of the condition a fixed threshold is compared with a drawn one, and wins where it is better.
#[test]
fn recommendations() {
    let rows = overlapping(400, 11);
    let (scores, classes): (Vec<f64>, Vec<bool>) = rows.iter().copied().unzip();
    let noise: Vec<f64> = random_rows(400, 3).iter().map(|row| row.0).collect();
    let both = Paired::new(&[&noise, &scores], &[ScoreDirection::TowardClass1; 2], &classes, None).unwrap();
    let out = cross_fitted(&both, &[OVER[0].clone(), at("c=0.3")]);
    let never = recommend(&out.losses[0], &out.methods, Some(KnownAt::Never)).unwrap();
    assert_eq!((never.model, never.compared), (1, 8));
    assert!(matches!(never.method, Method::ScoreFixed(_) | Method::RateFixed(_)), "{:?}", never.method);
    let lowest = |request: usize| {
        let all = out.losses[request].losses.iter().flatten().map(|spread| spread.unwrap().value);
        all.fold(f64::INFINITY, f64::min)
    };
    for request in 0..2 {
        let advice = recommend(&out.losses[request], &out.methods, Some(KnownAt::Deployment)).unwrap();
        assert_eq!((advice.model, advice.compared), (1, 14));
        let place = out.methods.iter().position(|method| *method == advice.method).unwrap();
        let lowest_place = out.methods.iter().position(|method| *method == advice.lowest.1).unwrap();
        assert_eq!(value_of(&out, request, advice.lowest.0, lowest_place), lowest(request));
        // Within chance of the lowest, or the lowest itself.
        let difference = out.losses[request].difference((1, place), (advice.lowest.0, lowest_place)).unwrap();
        assert!(difference.interval.0 <= 0.0 && difference.value >= 0.0);
        assert!(advice.within_chance.iter().all(|other| other.difference.interval.0 <= 0.0 && other.model == 1));
    }
}

fn value_of(out: &OutOfSample, request: usize, model: usize, method: usize) -> f64 {
    out.losses[request].losses[model][method].unwrap().value
}

/// Normal scores of two classes. The truth is the loss on many new rows of the thresholds that are chosen on all rows of a sample: losses
/// out of sample are close to it on average, those of the hull are too low, and intervals cover it.
#[test]
fn losses_out_of_sample_are_those_of_new_rows() {
    let rows = |n: usize, seed: u64| -> Vec<Row> {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut row = || {
            let is_1 = generator.random::<f64>() < 0.3;
            let noise: f64 = (0..6).map(|_| generator.random::<f64>()).sum::<f64>() / 6.0;
            (noise + if is_1 { 0.1 } else { 0.0 }, is_1)
        };
        (0..n).map(|_| row()).collect()
    };
    let loss_at = [OVER[0].clone(), at("c=0.4"), at("z=0.6")];
    let (cost, thresholds) = (Cost::uniform(), Thresholds::default());
    let new = single(&rows(20_000, 1));
    let samples = 100;
    for n in [60, 200] {
        let (mut bias, mut hull_bias, mut covered) = ([0.0; 3], 0.0, [0; 3]);
        for sample in 0..samples {
            let found = rows(n, 1000 + sample);
            let out = cross_fitted(&single(&found), &loss_at);
            let training = [scored(&found)];
            let truth =
                losses_out_of_sample(&new, ChosenOn::Separate(&training), &loss_at, &cost, &thresholds, 0.95).unwrap();
            for request in 0..3 {
                let (spread, truth) = (out.losses[request].losses[0][O].unwrap(), value(&truth, request, O));
                bias[request] += (spread.value - truth) / samples as f64;
                covered[request] += u32::from(spread.interval.0 <= truth && truth <= spread.interval.1);
            }
            let hull = evaluate_scored(&training[0], &cost, &thresholds);
            let in_sample = hull.loss(Condition::Cost, Method::Optimal).unwrap().estimate().unwrap().value;
            hull_bias += (in_sample - value(&truth, 0, O)) / samples as f64;
        }
        assert!(bias.iter().all(|bias| bias.abs() < 0.02), "n = {n}: {bias:?}");
        assert!(hull_bias < -0.01, "n = {n}: {hull_bias}");
        assert!(covered.iter().all(|covered| (88..=100).contains(covered)), "n = {n}: {covered:?}");
    }
}

/// Losses at rates: a row that is predicted positive takes the place of another one. Taken for means at a fixed threshold, they had standard
/// errors up to 2.8 times the true ones (rf .0403 for .0145, rd .0376 for .0143, ru .0141 for .0080).
#[test]
fn standard_errors_of_rates_are_those_of_samples() {
    let sample = |seed: u64| -> Vec<Row> {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut row = || {
            let is_1 = generator.random::<f64>() < 0.9;
            let noise: f64 = (0..6).map(|_| generator.random::<f64>()).sum::<f64>() / 6.0;
            (noise + if is_1 { 0.15 } else { 0.0 }, is_1)
        };
        (0..150).map(|_| row()).collect()
    };
    let loss_at = [at("c=0.7"), at("z=0.4"), OVER[0].clone(), OVER[1].clone()];
    let samples = 200;
    let found: Vec<OutOfSample> = (0..samples).map(|seed| cross_fitted(&single(&sample(seed)), &loss_at)).collect();
    for (request, loss_at) in loss_at.iter().enumerate() {
        for (j, name) in [(1, "rf"), (4, "ru"), (RD, "rd")] {
            let spreads: Vec<_> = found.iter().map(|out| out.losses[request].losses[0][j].unwrap()).collect();
            let mean = spreads.iter().map(|spread| spread.value).sum::<f64>() / samples as f64;
            let variance = spreads.iter().map(|spread| (spread.value - mean).powi(2)).sum::<f64>() / samples as f64;
            let reported = spreads.iter().map(|spread| spread.standard_error.powi(2)).sum::<f64>() / samples as f64;
            // The standard deviation of 200 samples is known to 5 %.
            let ratio = (reported / variance).sqrt();
            assert!((0.83..1.22).contains(&ratio), "{name} at {loss_at:?}: {ratio}");
        }
    }
}

/// Samples without a row of a class counted as a loss of 0: with 3 positives of 503 the loss at a rate was 0.7965 [0.344, 1.249].
#[test]
fn samples_without_a_class_are_left_out() {
    let mut generator = ChaCha8Rng::seed_from_u64(3);
    let rows: Vec<Row> =
        (0..503).map(|row| (generator.random::<f64>() + 0.2 * f64::from(u8::from(row < 500)), row < 500)).collect();
    let out = cross_fitted(&single(&rows), &[at("c=0.2")]);
    for j in [1, RD, O] {
        let spread = out.losses[0].losses[0][j].unwrap();
        assert!(spread.standard_error < 0.05, "{spread:?}");
        assert!(spread.caveat.is_some_and(|caveat| caveat.to_string() == "a class has only 3 rows"), "{spread:?}");
    }
}

/// At c = 1/2 the rate 1/2 and the rate c are one cut: their difference is 0 and does not vary. It had the standard error 0.0087.
#[test]
fn equal_cuts_differ_by_nothing() {
    let out = cross_fitted(&single(&overlapping(150, 12)), &[at("c=1/2")]);
    let difference = out.losses[0].difference((0, 1), (0, RD)).unwrap();
    assert_eq!((difference.value, difference.standard_error, difference.interval), (0.0, 0.0, (0.0, 0.0)));
}

/// Forty rows that are all predicted right say little about new rows: the bound is that of no error in forty.
#[test]
fn rows_that_lose_nothing_bound_the_loss() {
    let rows: Vec<Row> = (0..40).map(|row| (f64::from(row + row / 20 * 50), row >= 20)).collect();
    let out = cross_fitted(&single(&rows), &[at("c=0.2")]);
    let loss = out.losses[0].losses[0][O].unwrap();
    // A row loses at most 2(1-c) = 1.6, and a share of 0 in 40 is at most 0.0876.
    assert!(loss.interval.0 == 0.0 && (loss.interval.1 - 1.6 * 0.087_622).abs() < 1e-5, "{loss:?}");
    assert!(loss.caveat.is_some());
}
