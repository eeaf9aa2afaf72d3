//! Scores that are known by bins: every placement within the bins has values in the ranges, and the ends of sharp ranges are attained or
//! approached. Placements are enumerated for few rows, and drawn for more.

use crate::common::numbers;
use rocproof::calculus::Estimate;
use rocproof::data::read::on_input_scale;
use rocproof::data::{
    BadBins, BinRows, Binned, BinnedEvaluation, Closed, RangeOrMissing, ScoreDirection, Scored, corp_of_hull,
    evaluate_bins, evaluate_scored,
};
use rocproof::functional::Value;
use rocproof::{Condition, Cost, Thresholds};

/// Open ends are approached to this distance.
const NEAR: f64 = 1e-11;
/// The ends of sharp ranges are approached to this distance.
const REACHED: f64 = 1e-9;
/// Most placements that are enumerated for one set of bins.
const MOST_PLACEMENTS: usize = 2_500;

/// Bins with the number of rows of both classes.
#[derive(Clone, Debug)]
struct Histogram {
    direction: ScoreDirection,
    closed: Option<Closed>,
    ends: Vec<[f64; 2]>,
    counts: Vec<[usize; 2]>,
}

/// A placement: a score for each row, and its class.
type Placement = (Vec<f64>, Vec<bool>);

impl Histogram {
    /// The bins as the library takes them.
    fn binned(&self) -> Result<Binned, BadBins> {
        let [lo, hi] = [0, 1].map(|side: usize| self.ends.iter().map(|ends| ends[side]).collect::<Vec<f64>>());
        let mass: Vec<[f64; 2]> = self.counts.iter().map(|counts| counts.map(|count| count as f64)).collect();
        Binned::new(self.direction, BinRows { lo: &lo, hi: &hi, mass: &mass }, self.closed)
    }

    /// Whether each end belongs to the `k`-th bin, from the definition.
    fn has_ends(&self, k: usize) -> [bool; 2] {
        let [lo, hi] = self.ends[k];
        let first = self.ends.iter().map(|ends| ends[0]).fold(f64::INFINITY, f64::min);
        let last = self.ends.iter().map(|ends| ends[1]).fold(f64::NEG_INFINITY, f64::max);
        match self.closed {
            _ if lo == hi => [true, true],
            None => [true, true],
            Some(Closed::Left) => [true, hi == last],
            Some(Closed::Right) => [lo == first, true],
        }
    }

    /// Scores of the `k`-th bin among which every extreme placement is found: both ends or what is next to them, two scores between, and the
    /// share of the class that higher scores speak for.
    fn candidates(&self, k: usize) -> Vec<f64> {
        let [lo, hi] = self.ends[k];
        if lo == hi {
            return vec![lo];
        }
        let [has_lo, has_hi] = self.has_ends(k);
        let [n0, n1] = self.counts[k].map(|count| count as f64);
        let class = if self.direction == ScoreDirection::TowardClass1 { n1 } else { n0 };
        let inner = (class / (n0 + n1)).clamp(lo + NEAR, hi - NEAR);
        let mut scores = vec![lo + NEAR, inner, hi - NEAR];
        scores.extend(has_lo.then_some(lo));
        scores.extend(has_hi.then_some(hi));
        scores
    }

    /// The bin and the class of each row.
    fn rows(&self) -> Vec<(usize, usize)> {
        let of_bin = |(k, counts): (usize, &[usize; 2])| {
            let classes = [0, 1].map(|class: usize| std::iter::repeat_n((k, class), counts[class]));
            classes.into_iter().flatten().collect::<Vec<_>>()
        };
        self.counts.iter().enumerate().flat_map(of_bin).collect()
    }

    /// The number of placements at candidates.
    fn placements(&self) -> usize {
        let choices = self.rows().into_iter().map(|(k, _)| self.candidates(k).len());
        choices.fold(1, usize::saturating_mul)
    }

    /// The placement with a number: its digits choose the candidates.
    fn placement(&self, mut number: usize) -> Placement {
        let place = |(k, class): (usize, usize)| {
            let candidates = self.candidates(k);
            let score = candidates[number % candidates.len()];
            number /= candidates.len();
            (score, class == 1)
        };
        self.rows().into_iter().map(place).unzip()
    }

    /// A placement at random, at candidates or anywhere.
    fn random_placement(&self, next: &mut impl FnMut() -> f64) -> Placement {
        let place = |(k, class): (usize, usize)| {
            let ([lo, hi], candidates) = (self.ends[k], self.candidates(k));
            let score = match next() < 0.5 {
                true => candidates[(next() * candidates.len() as f64) as usize],
                false => lo + next() * (hi - lo),
            };
            (score, class == 1)
        };
        self.rows().into_iter().map(place).unzip()
    }
}

/// A random set of bins on a grid of quarters between `from` and `from + 1`, perhaps with gaps and known scores.
fn histogram(next: &mut impl FnMut() -> f64, from: f64, most_rows: usize) -> Histogram {
    let mut pick = |n: usize| (next() * n as f64) as usize;
    loop {
        let (mut ends, mut at) = (Vec::new(), 0);
        while at <= 4 && ends.len() < 4 {
            let width = pick(3).min(4 - at);
            ends.push([from + at as f64 / 4.0, from + (at + width) as f64 / 4.0]);
            at += width + usize::from(width == 0 || pick(4) == 0);
            if width > 0 && pick(4) == 0 {
                // A known score at the end of the bin.
                ends.push([from + at as f64 / 4.0; 2]);
            }
        }
        ends.dedup();
        let counts: Vec<[usize; 2]> = ends.iter().map(|_| [pick(3), pick(3)]).collect();
        let totals = [0, 1].map(|class: usize| counts.iter().map(|counts| counts[class]).sum::<usize>());
        if totals.contains(&0) || totals[0] + totals[1] > most_rows {
            continue;
        }
        let direction = [ScoreDirection::TowardClass0, ScoreDirection::TowardClass1][pick(2)];
        let closed = [None, Some(Closed::Left), Some(Closed::Right)][pick(3)];
        let found = Histogram { direction, closed, ends, counts };
        if found.binned().is_ok() {
            return found;
        }
    }
}

/// All values by name, with the parts of the Brier score.
fn values(data: &Scored, cost: &Cost, thresholds: &Thresholds) -> Vec<(String, Value)> {
    let evaluation = evaluate_scored(data, cost, thresholds);
    let corp = corp_of_hull(data.totals(), &evaluation);
    let evaluation = on_input_scale(data, &[], evaluation);
    let mut found: Vec<(String, Value)> =
        evaluation.metrics().map(|(metric, value)| (metric.name.to_owned(), value.clone())).collect();
    for condition in [Condition::Cost, Condition::Skew] {
        let losses = evaluation.losses(condition);
        found.extend(losses.map(|(method, value)| (format!("{condition:?} {}", method.name()), value.clone())));
    }
    found.extend([("MCB", corp.miscalibration), ("DSC", corp.discrimination)].map(|(name, v)| (name.to_owned(), v)));
    found
}

/// All ranges, in the order of [`values`].
fn ranges(evaluation: &BinnedEvaluation) -> Vec<RangeOrMissing> {
    let mut found: Vec<RangeOrMissing> = evaluation.metrics().map(|(_, range)| range.clone()).collect();
    for condition in [Condition::Cost, Condition::Skew] {
        found.extend(evaluation.losses(condition).map(|(_, range)| range.clone()));
    }
    found.extend([&evaluation.corp.miscalibration, &evaluation.corp.discrimination].map(Clone::clone));
    found
}

/// Checks that a placement has its values in the ranges, and extends the extremes that were met.
fn check_inside(
    bins: &Histogram,
    (scores, is_1): &Placement,
    ranges: &[RangeOrMissing],
    (cost, thresholds): (&Cost, &Thresholds),
    met: &mut [[f64; 2]],
) {
    let data = Scored::directed(bins.direction, scores, is_1, None).unwrap();
    for (k, (name, value)) in values(&data, cost, thresholds).into_iter().enumerate() {
        match (value.estimate(), &ranges[k]) {
            (Some(Estimate { value, error }), Ok(range)) => {
                let is_inside = range.lo - error <= value && value <= range.hi + error;
                assert!(is_inside, "{name} = {value} of {scores:?} {is_1:?} outside {range:?}: {bins:?}");
                met[k] = [met[k][0].min(value), met[k][1].max(value)];
            }
            // Where bins reach outside of [0, 1], or the scores may be equal, no value is promised.
            (_, Err(why)) => assert!(!why.to_string().is_empty(), "{name}"),
            (None, Ok(range)) => assert!(!range.is_sharp() || range.hi - range.lo < 1.0, "{name}: {range:?}, {bins:?}"),
        }
    }
}

/// Costs and thresholds to test with; the thresholds are at edges of bins and inside.
fn settings() -> Vec<(Cost, Thresholds)> {
    vec![
        (Cost::uniform(), Thresholds::default()),
        (Cost::parse("beta(2, 3)").unwrap(), Thresholds::of_floats(0.25, 0.3)),
        (Cost::parse("beta(0.7, 1.5)").unwrap(), Thresholds::of_floats(0.6, 0.7)),
    ]
}

/// For few rows all placements at the ends of bins and between are enumerated.
#[test]
fn every_placement_is_inside_and_sharp_ranges_are_attained() {
    let mut next = numbers(71);
    let mut sharp = 0;
    for k in 0..150 {
        let from = [0.0, 0.0, 0.0, -0.5, 3.0][k % 5];
        let bins = histogram(&mut next, from, 5);
        if bins.placements() > MOST_PLACEMENTS {
            continue;
        }
        let (cost, thresholds) = &settings()[k % 3];
        let moved = Thresholds::of_floats(thresholds.threshold.value + from, thresholds.rate.value);
        let evaluation = evaluate_bins(&bins.binned().unwrap(), cost, &moved).unwrap();
        let ranges = ranges(&evaluation);
        let mut met = vec![[f64::INFINITY, f64::NEG_INFINITY]; ranges.len()];
        for number in 0..bins.placements() {
            check_inside(&bins, &bins.placement(number), &ranges, (cost, &moved), &mut met);
        }
        let names = values(
            &Scored::directed(bins.direction, &bins.placement(0).0, &bins.placement(0).1, None).unwrap(),
            cost,
            &moved,
        );
        for ((range, met), (name, _)) in ranges.iter().zip(&met).zip(&names) {
            let Ok(range) = range else { continue };
            if range.is_sharp() {
                sharp += 1;
                let is_reached = (met[0] - range.lo).abs() < REACHED && (met[1] - range.hi).abs() < REACHED;
                assert!(is_reached, "{name}: met {met:?}, range {range:?}: {bins:?}");
            }
        }
    }
    assert!(sharp > 2_000, "{sharp} sharp ranges");
}

/// For more rows placements are drawn.
#[test]
fn random_placements_are_inside() {
    let mut next = numbers(72);
    for k in 0..60 {
        let from = [0.0, 0.0, -0.25][k % 3];
        let mut bins = histogram(&mut next, from, 12);
        bins.counts.iter_mut().for_each(|counts| *counts = counts.map(|count| 4 * count));
        let (cost, thresholds) = &settings()[k % 3];
        let evaluation = evaluate_bins(&bins.binned().unwrap(), cost, thresholds).unwrap();
        let ranges = ranges(&evaluation);
        let mut met = vec![[f64::INFINITY, f64::NEG_INFINITY]; ranges.len()];
        for _ in 0..60 {
            let placement = bins.random_placement(&mut next);
            check_inside(&bins, &placement, &ranges, (cost, thresholds), &mut met);
        }
    }
}

/// Two bins that share an end, with 3 and 1, and 1 and 3 rows: the pairs are counted by hand.
fn two_bins(closed: Option<Closed>) -> BinnedEvaluation {
    let rows = BinRows { lo: &[0.0, 0.5], hi: &[0.5, 1.0], mass: &[[3.0, 1.0], [1.0, 3.0]] };
    let data = Binned::new(ScoreDirection::TowardClass1, rows, closed).unwrap();
    evaluate_bins(&data, &Cost::uniform(), &Thresholds::default()).unwrap()
}

/// The range of a metric.
fn metric(evaluation: &BinnedEvaluation, name: &str) -> [f64; 2] {
    let range = evaluation.metric(name).unwrap().as_ref().unwrap_or_else(|why| panic!("{name}: {why}"));
    [range.lo, range.hi]
}

/// Whether two ranges are equal but for rounding.
fn is_same(a: [f64; 2], b: [f64; 2]) -> bool {
    a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12)
}

#[test]
fn scores_may_tie_at_an_end_that_belongs_to_two_bins() {
    for closed in [Some(Closed::Left), Some(Closed::Right)] {
        assert!(is_same(metric(&two_bins(closed), "AUC"), [9.0 / 16.0, 15.0 / 16.0]));
    }
    // The one pair out of order may tie, as may the nine in order.
    assert!(is_same(metric(&two_bins(None), "AUC"), [4.5 / 16.0, 15.5 / 16.0]));
    // At the threshold 1/2 class 0 is predicted. Rows of the upper bin may be there if its lower end belongs to it.
    assert!(is_same(metric(&two_bins(Some(Closed::Left)), "Acc"), [3.0 / 8.0, 7.0 / 8.0]));
    assert!(is_same(metric(&two_bins(Some(Closed::Right)), "Acc"), [6.0 / 8.0, 6.0 / 8.0]));
}

/// Where all scores are known, the ranges are the values.
#[test]
fn known_scores_have_their_values() {
    let scores = [0.1, 0.4, 0.4, 0.7, 0.9];
    let (is_1, mass) = ([false, true, false, true, true], [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]);
    for direction in [ScoreDirection::TowardClass0, ScoreDirection::TowardClass1] {
        let data = Binned::new(direction, BinRows { lo: &scores, hi: &scores, mass: &mass }, None).unwrap();
        for (cost, thresholds) in settings() {
            let evaluation = evaluate_bins(&data, &cost, &thresholds).unwrap();
            let scored = Scored::directed(direction, &scores, &is_1, None).unwrap();
            for (range, (name, value)) in ranges(&evaluation).into_iter().zip(values(&scored, &cost, &thresholds)) {
                let (range, value) = (range.unwrap(), value.estimate().unwrap().value);
                let is_tight = range.lo <= value + 1e-13 && value <= range.hi + 1e-13 && range.hi - range.lo < 1e-12;
                assert!(is_tight && range.is_sharp(), "{name} = {value}: {range:?}");
            }
        }
    }
}

#[test]
fn equal_bins_are_one_and_their_order_is_free() {
    let evaluate = |lo: &[f64], hi: &[f64], mass: &[[f64; 2]]| {
        let data = Binned::new(ScoreDirection::TowardClass1, BinRows { lo, hi, mass }, None).unwrap();
        ranges(&evaluate_bins(&data, &Cost::uniform(), &Thresholds::default()).unwrap())
    };
    let joined = evaluate(&[0.0, 0.5], &[0.4, 1.0], &[[3.0, 1.0], [1.0, 3.0]]);
    let apart =
        evaluate(&[0.5, 0.0, 0.45, 0.0], &[1.0, 0.4, 0.47, 0.4], &[[1.0, 3.0], [1.0, 1.0], [0.0, 0.0], [2.0, 0.0]]);
    assert_eq!(joined, apart);
}

#[test]
fn bins_that_are_none_are_refused_by_row() {
    let read = |lo: &[f64], hi: &[f64]| {
        let mass = vec![[1.0, 1.0]; lo.len()];
        Binned::new(ScoreDirection::TowardClass1, BinRows { lo, hi, mass: &mass }, None).unwrap_err()
    };
    let overlap = read(&[0.6, 0.0, 0.4], &[0.8, 0.5, 0.5]);
    assert_eq!(overlap, BadBins::Overlap { rows: [2, 3], ends: [[0.0, 0.5], [0.4, 0.5]] });
    assert!(overlap.help().is_some());
    assert_eq!(read(&[0.0, 0.5], &[1.0, 0.5]), BadBins::Overlap { rows: [1, 2], ends: [[0.0, 1.0], [0.5, 0.5]] });
    assert_eq!(read(&[0.5], &[0.0]), BadBins::Backward { row: 1, lo: 0.5, hi: 0.0 });
    assert_eq!(read(&[0.0, 1.0], &[1.0, f64::INFINITY]), BadBins::NotFinite(2, f64::INFINITY));
    let one_class = BinRows { lo: &[0.0], hi: &[1.0], mass: &[[1.0, 0.0]] };
    let data = Binned::new(ScoreDirection::TowardClass1, one_class, None).unwrap();
    assert!(evaluate_bins(&data, &Cost::uniform(), &Thresholds::default()).is_err());
}

/// Scores that are no probabilities have ranges of what depends on their order, and say why the rest has none.
#[test]
fn bins_outside_of_0_and_1_have_no_probability_metrics() {
    let rows = BinRows { lo: &[-1.0, 0.0, 2.0], hi: &[0.0, 2.0, 5.0], mass: &[[3.0, 1.0], [1.0, 1.0], [1.0, 3.0]] };
    let data = Binned::new(ScoreDirection::TowardClass1, rows, Some(Closed::Left)).unwrap();
    let evaluation = evaluate_bins(&data, &Cost::uniform(), &Thresholds::default()).unwrap();
    for (definition, range) in evaluation.metrics() {
        let is_refused = ["MAE", "MMAE", "BS", "MBS", "CL"].contains(&definition.name);
        assert_eq!(range.is_err(), is_refused, "{}: {range:?}", definition.name);
    }
    let uniform = |evaluation: &BinnedEvaluation| {
        evaluation.loss(Condition::Cost, rocproof::Method::ScoreUniform).unwrap().clone()
    };
    let range = uniform(&evaluation).unwrap();
    assert!(!range.is_sharp() && range.lo > 0.0 && range.hi < 2.0, "{range:?}");
    // Scores that may all lie in [0, 1], and need not, have the scale [0, 1] in some placements only.
    let rows = BinRows { lo: &[-1.0, 0.5], hi: &[0.4, 1.0], mass: &[[3.0, 1.0], [1.0, 3.0]] };
    let data = Binned::new(ScoreDirection::TowardClass1, rows, None).unwrap();
    let why = uniform(&evaluate_bins(&data, &Cost::uniform(), &Thresholds::default()).unwrap()).unwrap_err();
    assert!(why.to_string().contains("outside [0, 1]"), "{why}");
}
