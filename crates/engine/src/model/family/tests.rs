//! One battery for all families of the registry. A family brings its reference rows; all else follows from its readings.

use super::{FAMILIES, Reference, find};
use crate::model::Density;
use crate::model::certified::mixture::EnclosedComponent;
use crate::model::certified::scores::{Coordinate, Points, ScoreSeries};
use crate::model::endpoint::Endpoint;
use crate::model::tree;
use rocproof_arith::rational::from_f64;
use rocproof_arith::{Balls, Interval, Series};
use rocproof_language::closest;
use std::cmp::Ordering;

const README: &str = include_str!("../../../../../README.md");

/// The relative accuracy of the numeric level.
const ACCURACY: f64 = 1e-12;

/// The reference rows of all families, each with its density, which must be a member of the family.
fn rows() -> Vec<(&'static Reference, Density)> {
    let mut rows = Vec::new();
    for family in FAMILIES {
        for row in family.references() {
            let density = Density::parse(row.text).unwrap_or_else(|error| panic!("{}", error.render(false)));
            assert_eq!(density.tree.as_ref().and_then(|tree| tree.family()), Some(family.name()), "{}", row.text);
            rows.push((row, density));
        }
    }
    rows
}

/// An interval that contains the true value of which `reference` is the nearest float.
fn around(reference: f64) -> Interval {
    Interval::around(reference, 2.0 * f64::EPSILON * reference)
}

/// The mean of the sixteen lanes of `Balls`, which are all equal in these tests: an interval that holds the value of one lane.
fn mean(balls: Balls) -> Interval {
    balls.sum() * Interval::from(1.0 / 16.0)
}

/// Whether a value agrees with a reference value within the accuracy of the numeric level.
fn is_close(value: f64, reference: f64) -> bool {
    (value - reference).abs() <= ACCURACY * reference.abs()
}

/// A family has references, stands in the README, has a summary, is found by its name, and states consistent facts for the search.
#[test]
fn every_family_documents_itself() {
    for family in FAMILIES {
        assert!(family.references().len() >= 3, "{family:?}");
        assert!(README.contains(&format!("`{}(", family.name())), "README.md does not name {family:?}");
        assert!(!family.summary().is_empty() && family.form().starts_with(family.name()), "{family:?}");
        assert!(find(family.name()).is_some() && tree::names().filter(|name| *name == family.name()).count() == 1);
        // A misspelt name is corrected to this family.
        let misspelt = format!("{}x", family.name());
        assert_eq!(closest(&misspelt, tree::names()), Some(family.name()));
        if let Some(facts) = family.search() {
            assert_eq!(facts.ranges().len(), family.parameters().len(), "{family:?}");
            let simple = facts.simple_parameters(3);
            assert!(simple.len() >= 3 && simple.iter().all(|parameters| facts.is_valid(parameters)), "{family:?}");
        }
    }
}

/// The error message names the parameters that the family takes.
#[test]
fn a_wrong_number_of_parameters_is_refused_by_name() {
    for family in FAMILIES {
        let error = Density::parse(&format!("{}(1, 1, 1, 1)", family.name())).unwrap_err().render(false);
        assert!(error.contains(&family.form()), "{error}");
    }
}

/// The density agrees with its reference relatively, the masses below and above the score absolutely; each pair of masses adds up to 1.
#[test]
fn numeric_readings_match_the_references() {
    for (row, density) in rows() {
        let value = density.density(row.x);
        assert!(is_close(value, row.density), "{}: {value} {}", row.text, row.density);
        let point = density.curve_of_density().at_score(row.x);
        let (below, above) = (point.below[0], point.above[0]);
        for (mass, reference) in [(below, row.below), (above, row.above)] {
            assert!((mass - reference).abs() <= ACCURACY, "{}: {mass} {reference}", row.text);
        }
        assert!((row.below + row.above - 1.0).abs() < 1e-15 && (below + above - 1.0).abs() < 1e-13);
    }
}

/// `F' = f` at the median, by a central difference, and the integral over the support is 1.
#[test]
fn the_distribution_function_integrates_the_density() {
    for (row, density) in rows() {
        let (lo, hi) = density.support();
        assert!(density.cdf(lo) == 0.0 && (density.cdf(hi) - 1.0).abs() < 1e-13, "{}", row.text);
        // A step on the scale of the density: a thousandth of the interval that holds 1 % of the mass.
        let x = density.quantile(0.5);
        let step = 1e-3 * (density.quantile(0.51) - x);
        let [before, after] = [x - step, x + step];
        let slope = (density.cdf(after) - density.cdf(before)) / (after - before);
        assert!((slope - density.density(x)).abs() < 1e-6 * slope, "{}: {slope} {}", row.text, density.density(x));
    }
}

/// The density is cut at the score, and the masses of both parts are compared with the references. Even tiny masses are enclosed tightly,
/// relative to their size.
#[test]
fn certified_masses_hold_the_references() {
    for (row, density) in rows() {
        let at = Endpoint::rational(from_f64(row.x).unwrap());
        let [least, greatest] = Endpoint::line();
        for (ends, reference) in [([least, at.clone()], row.below), ([at, greatest], row.above)] {
            let mass = density.enclosed().unwrap().clone().cut(&ends).unwrap().mass().unwrap();
            assert!(mass.meets(around(reference)), "{}: {mass:?} {reference}", row.text);
            assert!(mass.width() <= 1e-10 * reference, "{}: {mass:?}", row.text);
        }
    }
}

/// The value by series and by balls agrees with the reference. The slope of the logarithm by series agrees with that by intervals, and with
/// the exact one where there is one.
#[test]
fn certified_densities_hold_the_references() {
    // The coordinate is the score itself.
    let coordinate = Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE };
    for (row, density) in rows() {
        let x = Interval::from(row.x);
        let at = Endpoint::rational(from_f64(row.x).unwrap());
        let holds_score = |component: &&EnclosedComponent| {
            component.ends[0].compare(&at) == Some(Ordering::Less)
                && at.compare(&component.ends[1]) == Some(Ordering::Less)
        };
        let component = density.enclosed().unwrap().components.iter().find(holds_score).unwrap();
        let ends = component.ends.each_ref();
        let jet = component.density.jet(&ScoreSeries::new(coordinate, Series::from(row.x), Interval::ONE, ends));
        let by_series = jet.value.at(Interval::ZERO);
        let by_balls = component.density.around(&Points::new(coordinate, &Balls::from(row.x), ends), 0, 0);
        for value in [by_series, mean(by_balls)].map(|value| value * component.weight) {
            assert!(value.meets(around(row.density)), "{}: {value:?} {}", row.text, row.density);
            assert!(value.width() <= 1e-10 * row.density, "{}: {value:?}", row.text);
        }
        let slope = jet.slope.at(Interval::ZERO) / by_series;
        assert!(component.density.log_slope(x).meets(slope), "{}: {slope:?}", row.text);
        if let Some(exact) = component.density.rational_log_slope() {
            let score = from_f64(row.x).unwrap();
            let exact = Interval::of(&(exact.numerator().at(&score) / exact.denominator().at(&score)));
            assert!(exact.meets(slope), "{}: {slope:?} {exact:?}", row.text);
        }
    }
}

/// `ln(f1/f0)` and its rate, as a family gives them for two members, agree with the logarithms and rates of the members. The pairs are
/// neighbouring reference rows, compared at the score of the first.
#[test]
fn ratios_are_those_of_the_densities() {
    // The coordinate is the score itself.
    let coordinate = Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE };
    for family in FAMILIES {
        for rows in family.references().windows(2) {
            let (row0, row1) = (&rows[0], &rows[1]);
            let [f0, f1] = [row0, row1].map(|row| Density::parse(row.text).unwrap());
            let [component0, component1] = [&f0, &f1].map(|f| &f.enclosed().unwrap().components[0]);
            let ends = component0.ends.each_ref();
            let scores = ScoreSeries::new(coordinate, Series::from(row0.x), Interval::ONE, ends);
            let [rate0, rate1] = [component0, component1].map(|c| c.density.jet(&scores).logarithm().1);
            if let Some(rate) = component0.density.ratio_rate(&*component1.density, &scores) {
                let difference = (rate1 - rate0).at(Interval::ZERO);
                assert!(rate.at(Interval::ZERO).meets(difference), "{} {}", row0.text, row1.text);
            }
            if let Some(pair) = component0.density.pair(&*component1.density) {
                let points = Points::new(coordinate, &Balls::from(row0.x), ends);
                let [log0, log1, log_ratio] = pair.logs(&points);
                let [difference, log_ratio] = [log1 - log0, log_ratio].map(mean);
                assert!(difference.meets(log_ratio), "{} {}: {difference:?} {log_ratio:?}", row0.text, row1.text);
                let density = mean(log0.exp()) * component0.weight;
                assert!(density.meets(around(row0.density)), "{}: {density:?}", row0.text);
            }
        }
    }
}
