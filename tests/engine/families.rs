//! One battery for every family of densities: normalised, monotone, inverse round trips, moments, declared features, and
//! agreement with peers as far as they go.

#![allow(clippy::excessive_precision)]

use approx::assert_abs_diff_eq;
use rocproof::Density;
use rocproof::calculus::coordinate::Places;
use rocproof::calculus::rule::SITES;

/// Differences that only rounding may make.
const ROUNDING: f64 = 2e-14;

const FAMILIES: [&str; 39] = [
    "beta(2, 5)",
    "beta(0.3, 0.3)",
    "beta(0.3, 200)",
    "beta(200, 200)",
    "beta(1, 1)",
    "beta(0.05, 3)",
    "beta(100000, 100000)",
    "triangular(0, 1/3, 1)",
    "triangular(0, 0, 1)",
    "triangular(-2, 5, 5)",
    "uniform(0.2, 0.7)",
    "uniform(0.495, 0.505)",
    "normal(0, 1.5)",
    "normal(1000, 0.001)",
    "logistic(0, 1)",
    "logistic(-3, 0.2)",
    "gamma(2, 3)",
    "gamma(1, 1)",
    "gamma(0.3, 2)",
    "gamma(200, 1/100)",
    "truncate(gamma(2, 1), 1, 3)",
    "truncate(normal(0.3, 0.2), 0, 1)",
    "truncate(normal(0, 1), 6, 9)",
    "truncate(normal(0, 1), 20, inf)",
    "truncate(beta(0.5, 0.5), 0, 1/2)",
    "truncate(logistic(0, 1), -1, inf)",
    "2*(1-x)",
    "(6/5 on [1/3, 1]) + (3/5 on [0, 1/3])",
    "{ 18/5*x on [0,1/3]; 6/5 on [1/3,1] }",
    "{ 1 on [0,1/4]; 3 on [3/4,1] }",
    "normalize(1 + sin(6*pi*x)/2)",
    "x^(-1/2)/2",
    "(1-x)^(-1/2)/2",
    "normalize((x*(1-x))^(-1/3))",
    "-log(x)",
    "exp(-x) on [0, inf]",
    "normalize(exp(-x^2/2) on [-inf, inf])",
    "0.3*beta(2,5) + 0.7*uniform(0,1)",
    "1/2*{ 0.25: 0.1; 0.5: 0.9 } + 1/2*beta(2,2)",
];

fn each(check: impl Fn(&str, &Density)) {
    for text in FAMILIES {
        let density = Density::parse(text).unwrap_or_else(|e| panic!("{}", e.render(false)));
        check(text, &density);
    }
}

/// Places from deep in one tail to deep in the other.
fn places(density: &Density) -> Vec<f64> {
    [1e-6, 1e-3, 0.01, 0.1, 0.25, 0.5, 0.7, 0.9, 0.99, 0.999, 1.0 - 1e-6].map(|p| density.quantile(p)).to_vec()
}

#[test]
fn the_distribution_function_runs_from_zero_to_one_and_never_falls() {
    each(|text, density| {
        let (lo, hi) = density.support();
        assert_eq!(density.cdf(lo - 1.0), 0.0, "{text}");
        assert_abs_diff_eq!(density.cdf(hi + 1.0), 1.0, epsilon = ROUNDING);
        let values: Vec<f64> = places(density).iter().map(|x| density.cdf(*x)).collect();
        assert!(values.windows(2).all(|w| w[0] <= w[1]), "{text}: {values:?}");
    });
}

#[test]
fn quantiles_invert_the_distribution_function() {
    each(|text, density| {
        for p in [1e-4, 0.03, 0.2, 0.5, 0.77, 0.999] {
            let x = density.quantile(p);
            // An atom or a gap has no exact inverse: the mass must only be on either side.
            let (below, at) = (density.cdf(x - 1e-9 * (1.0 + x.abs())), density.cdf(x + 1e-9 * (1.0 + x.abs())));
            assert!(below <= p + 1e-9 && p <= at + 1e-9, "{text}: quantile({p}) = {x}, mass {below} to {at}");
            if density.atoms.is_empty() && text != "{ 1 on [0,1/4]; 3 on [3/4,1] }" {
                let slope = density.density(x) * (1.0 + x.abs());
                assert_abs_diff_eq!(density.cdf(x), p, epsilon = ROUNDING + 1e-15 * slope);
            }
        }
    });
}

/// The running integral against Clenshaw-Curtis of the crate `quadrature`, on stretches without a declared breakpoint.
#[test]
fn the_distribution_function_is_the_integral_of_the_density() {
    each(|text, density| {
        let (a, b) = (density.quantile(0.3), density.quantile(0.6));
        // The peer has no coordinate for a density that changes a thousandfold.
        let steep = density.density(a) / density.density(b) > 1e3;
        if steep || density.breakpoints().iter().any(|x| a <= *x && *x <= b) || a >= b {
            return;
        }
        let integral = quadrature::clenshaw_curtis::integrate(|x| density.density(x), a, b, 1e-14).integral;
        let difference = density.cdf(b) - density.cdf(a) - integral;
        // A quantile is known to the spacing of floating-point scores, here up to 1e-13.
        let spacing = f64::EPSILON * b.abs() * density.density(b);
        assert!(difference.abs() < 2e-12 + spacing && integral > 0.29, "{text}: {difference:e}");
    });
}

/// Means as the integral of the tail masses: E x = hi - ∫ F on a bounded support.
#[test]
fn the_mean_is_the_area_above_the_distribution_function() {
    each(|text, density| {
        let (lo, hi) = density.support();
        if !(lo.is_finite() && hi.is_finite()) {
            return;
        }
        let mut cuts = density.breakpoints();
        cuts.extend([0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999].map(|p| density.quantile(p)));
        cuts.sort_by(f64::total_cmp);
        let area: f64 = cuts
            .windows(2)
            .filter(|w| w[0] < w[1])
            .map(|w| quadrature::clenshaw_curtis::integrate(|x| density.cdf(x), w[0], w[1], 1e-13).integral)
            .sum();
        // Singular ends cost Clenshaw-Curtis digits, not us.
        assert_abs_diff_eq!(density.mean(), hi - area, epsilon = 1e-6 * (hi - lo));
        assert!(lo < density.mean() && density.mean() < hi, "{text}");
    });
}

/// The declared derivative of every family against differences of its logarithm.
#[test]
fn slopes_are_derivatives() {
    each(|text, density| {
        for component in &density.components {
            let (a, b) = component.density.support();
            let log = |x: f64| {
                let (mut log, mut slope) = ([0.0; SITES], [0.0; SITES]);
                component.density.log_density(&Places::at((a, b), x, x - a, b - x), &mut log, &mut slope);
                (log[0], slope[0])
            };
            let width = density.quantile(0.6) - density.quantile(0.4);
            let x = density.quantile(0.45);
            let kinks = density.breakpoints().iter().any(|k| (x - k).abs() < 0.1 * width);
            if kinks || x < component.lo || x > component.hi || width == 0.0 {
                continue;
            }
            let h = 1e-5 * width;
            let difference = (log(x + h).0 - log(x - h).0) / (2.0 * h);
            assert_abs_diff_eq!(
                log(x).1 * width,
                difference * width,
                epsilon = 1e-4 * (1.0 + (difference * width).abs())
            );
        }
        assert!(density.density(density.quantile(0.45)) >= 0.0, "{text}");
    });
}

/// statrs, within the limits that were measured: cdf of Beta to 4e-13 for shapes up to 60, of Normal to 1e-10.
#[test]
fn statrs_agrees_where_it_can() {
    use statrs::distribution::{Beta, Continuous, ContinuousCDF, Normal, Triangular};
    for (a, b) in [(0.3, 0.3), (2.0, 5.0), (0.5, 17.0), (30.0, 60.0)] {
        let (ours, theirs) = (Density::parse(&format!("beta({a}, {b})")).unwrap(), Beta::new(a, b).unwrap());
        for x in [0.01, 0.2, 0.5, 0.9] {
            assert_abs_diff_eq!(ours.cdf(x), theirs.cdf(x), epsilon = 4e-13);
            assert_abs_diff_eq!(ours.density(x), theirs.pdf(x), epsilon = 1e-11 * (1.0 + theirs.pdf(x)));
        }
    }
    let (ours, theirs) = (Density::parse("normal(1, 2)").unwrap(), Normal::new(1.0, 2.0).unwrap());
    for x in [-4.0, 0.0, 1.0, 3.5] {
        assert_abs_diff_eq!(ours.cdf(x), theirs.cdf(x), epsilon = 1e-10);
    }
    let (ours, theirs) = (Density::parse("triangular(0, 1/4, 2)").unwrap(), Triangular::new(0.0, 2.0, 0.25).unwrap());
    for x in [0.1, 0.25, 1.9] {
        assert_abs_diff_eq!(ours.cdf(x), theirs.cdf(x), epsilon = 1e-14);
    }
}

/// Distribution functions to 17 digits, computed with 40 (mpmath 1.3: betainc, erfc, closed forms).
#[test]
fn distribution_functions_match_reference_digits() {
    let cases = include!("../reference/distribution_functions.in");
    for (text, x, expected) in cases {
        let density = Density::parse(text).unwrap();
        let error = (density.cdf(x) - expected).abs();
        assert!(error < 1e-14 + 1e-12 * f64::from(u8::from(text.contains("100000"))), "{text} at {x}: {error:e}");
    }
}
