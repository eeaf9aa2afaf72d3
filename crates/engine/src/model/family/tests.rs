//! One battery for all families of the registry. A family brings its reference rows; all else follows from its readings.

use super::{FAMILIES, Family, Reference, find};
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

/// The accuracy of the numeric level, relatively.
const ACCURACY: f64 = 1e-12;

fn rows() -> impl Iterator<Item = (&'static dyn Family, &'static Reference, Density)> {
    FAMILIES.iter().copied().flat_map(|family| family.references().iter().map(move |row| (family, row))).map(
        |(family, row)| {
            let density = Density::parse(row.text).unwrap_or_else(|error| panic!("{}", error.render(false)));
            assert_eq!(density.tree.as_ref().and_then(|tree| tree.family()), Some(family.name()), "{}", row.text);
            (family, row, density)
        },
    )
}

/// An interval that contains the true value behind a reference value rounded to a float.
fn around(truth: f64) -> Interval {
    Interval::around(truth, 2.0 * f64::EPSILON * truth)
}

/// The mean of sixteen balls, which here are all the same.
fn mean(balls: Balls) -> Interval {
    balls.sum() * Interval::from(1.0 / 16.0)
}

fn is_close(found: f64, truth: f64) -> bool {
    (found - truth).abs() <= ACCURACY * truth.abs()
}

#[test]
fn every_family_documents_itself() {
    for family in FAMILIES {
        assert!(family.references().len() >= 3, "{family:?}");
        assert!(README.contains(&format!("`{}(", family.name())), "README.md does not name {family:?}");
        assert!(!family.summary().is_empty() && family.form().starts_with(family.name()), "{family:?}");
        assert!(find(family.name()).is_some() && tree::names().filter(|name| *name == family.name()).count() == 1);
        // A slip of the finger is put right.
        let slip = format!("{}x", family.name());
        assert_eq!(closest(&slip, tree::names()), Some(family.name()));
        if let Some(facts) = family.search() {
            assert_eq!(facts.ranges().len(), family.parameters().len(), "{family:?}");
            let simple = facts.simple_parameters(3);
            assert!(simple.len() >= 3 && simple.iter().all(|parameters| facts.is_valid(parameters)), "{family:?}");
        }
    }
}

#[test]
fn a_wrong_number_of_parameters_is_refused_by_name() {
    for family in FAMILIES {
        let error = Density::parse(&format!("{}(1, 1, 1, 1)", family.name())).unwrap_err().render(false);
        assert!(error.contains(&family.form()), "{error}");
    }
}

#[test]
fn numeric_readings_match_the_references() {
    for (_, row, density) in rows() {
        let found = density.density(row.x);
        assert!(is_close(found, row.density), "{}: {found} {}", row.text, row.density);
        let at = density.alone().at_score(row.x);
        for (found, truth) in [(at.below[0], row.below), (at.above[0], row.above)] {
            assert!((found - truth).abs() <= ACCURACY, "{}: {found} {truth}", row.text);
        }
        assert!((row.below + row.above - 1.0).abs() < 1e-15 && (at.below[0] + at.above[0] - 1.0).abs() < 1e-13);
    }
}

/// `F' = f` by differences, and the integral over the support is 1.
#[test]
fn the_distribution_function_integrates_the_density() {
    for (_, row, density) in rows() {
        let (lo, hi) = density.support();
        assert!(density.cdf(lo) == 0.0 && (density.cdf(hi) - 1.0).abs() < 1e-13, "{}", row.text);
        let width = density.quantile(0.51) - density.quantile(0.5);
        let x = density.quantile(0.5);
        let [before, after] = [x - 1e-3 * width, x + 1e-3 * width];
        let slope = (density.cdf(after) - density.cdf(before)) / (after - before);
        assert!((slope - density.density(x)).abs() < 1e-6 * slope, "{}: {slope} {}", row.text, density.density(x));
    }
}

/// Both tails, cut off: relatively good however small they are.
#[test]
fn certified_masses_hold_the_references() {
    for (_, row, density) in rows() {
        let at = Endpoint::rational(from_f64(row.x).unwrap());
        let [least, greatest] = Endpoint::line();
        for (ends, truth) in [([least, at.clone()], row.below), ([at, greatest], row.above)] {
            let found = density.enclosed().unwrap().clone().cut(&ends).unwrap().mass().unwrap();
            assert!(found.meets(around(truth)), "{}: {found:?} {truth}", row.text);
            assert!(found.width() <= 1e-10 * truth, "{}: {found:?}", row.text);
        }
    }
}

/// The value by series and by balls, and the slope of the logarithm by series and by intervals.
#[test]
fn certified_densities_hold_the_references() {
    let coordinate = Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE };
    for (_, row, density) in rows() {
        let x = Interval::from(row.x);
        let at = Endpoint::rational(from_f64(row.x).unwrap());
        let is_here = |component: &&EnclosedComponent| {
            component.ends[0].compare(&at) == Some(Ordering::Less)
                && at.compare(&component.ends[1]) == Some(Ordering::Less)
        };
        let component = density.enclosed().unwrap().components.iter().find(is_here).unwrap();
        let ends = component.ends.each_ref();
        let jet = component.density.jet(&ScoreSeries::new(coordinate, Series::from(row.x), Interval::ONE, ends));
        let by_series = jet.value.at(Interval::ZERO);
        let by_balls = component.density.around(&Points::new(coordinate, &Balls::from(row.x), ends), 0, 0);
        for found in [by_series, mean(by_balls)].map(|value| value * component.weight) {
            assert!(found.meets(around(row.density)), "{}: {found:?} {}", row.text, row.density);
            assert!(found.width() <= 1e-10 * row.density, "{}: {found:?}", row.text);
        }
        let slope = jet.slope.at(Interval::ZERO) / by_series;
        assert!(component.density.log_slope(x).meets(slope), "{}: {slope:?}", row.text);
        if let Some(exact) = component.density.rational_log_slope() {
            let exact = Interval::of(
                &(exact.numerator().at(&from_f64(row.x).unwrap()) / exact.denominator().at(&from_f64(row.x).unwrap())),
            );
            assert!(exact.meets(slope), "{}: {slope:?} {exact:?}", row.text);
        }
    }
}

/// The facts that a family states about the ratio of two members agree with the densities of the members.
#[test]
fn ratios_are_those_of_the_densities() {
    let coordinate = Coordinate::Linear { a: Interval::ZERO, w: Interval::ONE };
    for family in FAMILIES {
        for [p, q] in family.references().windows(2).map(|pair| [&pair[0], &pair[1]]) {
            let [f0, f1] = [p, q].map(|row| Density::parse(row.text).unwrap());
            let [c0, c1] = [&f0, &f1].map(|f| &f.enclosed().unwrap().components[0]);
            let ends = c0.ends.each_ref();
            let scores = ScoreSeries::new(coordinate, Series::from(p.x), Interval::ONE, ends);
            let rates = [c0, c1].map(|c| c.density.jet(&scores).logarithm().1);
            if let Some(rate) = c0.density.ratio_rate(&*c1.density, &scores) {
                assert!(
                    rate.at(Interval::ZERO).meets((rates[1] - rates[0]).at(Interval::ZERO)),
                    "{} {}",
                    p.text,
                    q.text
                );
            }
            if let Some(pair) = c0.density.pair(&*c1.density) {
                let points = Points::new(coordinate, &Balls::from(p.x), ends);
                let [log0, log1, ratio] = pair.logs(&points);
                let [apart, ratio] = [log1 - log0, ratio].map(mean);
                assert!(apart.meets(ratio), "{} {}: {apart:?} {ratio:?}", p.text, q.text);
                let density = mean(log0.exp()) * c0.weight;
                assert!(density.meets(around(p.density)), "{}: {density:?}", p.text);
            }
        }
    }
}
