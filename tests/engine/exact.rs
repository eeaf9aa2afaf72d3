//! The exact level over random piecewise-polynomial models: every identity of the paper holds as exact equality, each side
//! from its own definition; and the numeric level agrees within the error it reports.

use crate::common::Text;
use crate::common::readings::{ExactReading, read_exactly};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::Condition::{Cost as ByCost, Skew};
use rocproof::Method::{self, *};
use rocproof::arith::{Polynomial, Rational};
use rocproof::calculus::quantity::Quantity;
use rocproof::functional::definition::METRICS;
use rocproof::lang::{Expr, Kind, Op, Source, parse};
use rocproof::{Condition, Cost, Evaluation, Level, Model, Request, Value, evaluate};

/// A polynomial that is not negative on `[a/60, b/60]`: non-negative coefficients in Bernstein's basis, or a square that
/// touches zero inside.
fn piece(a: u32, b: u32, shape: &(Vec<u8>, Option<u8>)) -> Option<String> {
    let (heights, touch) = shape;
    let ratio = |p: i64, q: i64| Rational::from(p) / Rational::from(q);
    let (lo, hi) = (ratio(a.into(), 60), ratio(b.into(), 60));
    let width = &hi - &lo;
    let t = Polynomial::linear(&(-&lo / &width), &(Rational::ONE / &width));
    let rest = &Polynomial::one() - &t;
    let n = heights.len() - 1;
    let binomial = |k: usize| (0..k).fold(Rational::ONE, |c, i| c * Rational::from(n - i) / Rational::from(i + 1));
    let mut density = (0..=n).fold(Polynomial::zero(), |sum, k| {
        let height = Rational::from(heights[k]) * binomial(k);
        &sum + &(&t.power(k) * &rest.power(n - k)).scaled(&height)
    });
    if let Some(place) = touch {
        let factor = &t - &Polynomial::constant(ratio((*place).into(), 10));
        density = &(&factor * &factor) * &density;
    }
    (!density.is_zero()).then(|| format!("{density} on [{a}/60, {b}/60]"))
}

/// Up to twelve pieces of degree up to eight on `[0, 1]`, with jumps and gaps.
fn pieces(most: usize) -> impl Strategy<Value = String> {
    let shape = (prop::collection::vec(0..5u8, 1..=7), prop::option::weighted(0.15, 1..10u8));
    let pieces = prop::collection::vec((1..12u32, prop::bool::weighted(0.15), shape), 1..=most);
    pieces.prop_filter_map("no mass", |pieces| {
        let total: u32 = pieces.iter().map(|(width, _, _)| width).sum();
        let mut from = 0;
        let mut texts = Vec::new();
        for (width, gap, shape) in &pieces {
            let (a, b) = (from * 60 / total, (from + width) * 60 / total);
            from += width;
            if !gap && a < b {
                texts.extend(piece(a, b, shape));
            }
        }
        (!texts.is_empty()).then(|| format!("normalize({{ {} }})", texts.join("; ")))
    })
}

fn atoms() -> impl Strategy<Value = String> {
    prop::collection::btree_map(0..=12u32, 1..6u32, 1..4).prop_map(|atoms| {
        let atoms: Vec<String> = atoms.iter().map(|(x, m)| format!("{x}/12: {m}")).collect();
        format!("normalize({{ {} }})", atoms.join("; "))
    })
}

fn family() -> impl Strategy<Value = String> {
    prop_oneof![
        (1..=6u32, 1..=6u32).prop_map(|(a, b)| format!("beta({a}, {b})")),
        (0..12u32, 1..=6u32).prop_map(|(a, w)| format!("uniform({a}/12, {}/12)", (a + w).min(12))),
        (0..6u32, 0..=3u32).prop_map(|(a, m)| format!("triangular({a}/12, {}/12, 1)", a + m)),
    ]
}

fn density(most: usize) -> impl Strategy<Value = String> {
    let smooth = || prop_oneof![3 => pieces(most), 2 => family()];
    let mixed = (smooth(), prop_oneof![atoms(), family()], 1..10u32);
    prop_oneof![
        4 => smooth(),
        1 => atoms(),
        2 => mixed.prop_map(|(f, g, w)| format!("{w}/10*{f} + {}/10*{g}", 10 - w)),
    ]
}

fn pi0() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just("1/2".to_owned()),
        4 => (1..97u32, 0..97u32).prop_map(|(p, q)| format!("{p}/{}", p + q + 1)),
        1 => Just("1/1000000".to_owned()),
    ]
}

fn model(most: usize) -> impl Strategy<Value = Text> {
    (density(most), density(most), pi0()).prop_map(|(f0, f1, pi0)| Text { f0, f1, pi0 })
}

fn whole_cost() -> impl Strategy<Value = String> {
    prop_oneof![Just("uniform".to_owned()), (1..5u32, 1..5u32).prop_map(|(a, b)| format!("beta({a}, {b})"))]
}

fn exact(model: &Model, cost: &str) -> ExactReading {
    let cost = Cost::parse(cost).unwrap();
    read_exactly(model, &cost).unwrap_or_else(|e| panic!("{e}"))
}

fn metric(e: &ExactReading, name: &str) -> Quantity {
    e.metric(name).unwrap_or_else(|| panic!("no {name}")).clone()
}

fn loss(e: &ExactReading, condition: Condition, method: Method) -> Quantity {
    e.loss(condition, method).unwrap_or_else(|| panic!("no {method:?}")).clone()
}

/// `a + b·q`.
fn affine(a: &Rational, b: &Rational, q: &Quantity) -> Quantity {
    let mut value = Quantity::from(a.clone());
    value.add(q, b);
    value
}

fn ratio(p: i32, q: u32) -> Rational {
    Rational::from_parts(p.into(), q.into())
}

/// Both sides are equal. Where a chord of the hull touches two arcs inside, the points of tangency are known by enclosures
/// only: there the sides must agree to sixty digits.
macro_rules! assert_equal {
    ($left:expr, $right:expr) => {{
        let (left, right) = ($left, $right);
        let equal = match left.equals(&right) {
            Some(equal) => equal,
            None => {
                let difference = left.minus(&right);
                let zero = difference.enclosure_within(200).is_some_and(|e| e.contains(&Rational::ZERO));
                zero && difference.rests_on_enclosures()
            }
        };
        prop_assert!(equal, "{}: {left:?}\n{}: {right:?}", stringify!($left), stringify!($right));
    }};
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        rng_seed: RngSeed::Fixed(2011),
        max_shrink_iters: 300,
        ..ProptestConfig::default()
    })]

    /// Theorems of sections 4 to 6, and their skew versions.
    #[test]
    fn losses_are_metrics(text in model(12)) {
        let model = text.model();
        let pi0 = model.exact_pi0().unwrap().clone();
        let k = &pi0 * (Rational::ONE - &pi0);
        let e = exact(&model, "uniform");
        let auc = metric(&e, "AUC");
        let of_auc = |constant: Rational| affine(&(&k + constant), &(-Rational::from(2) * &k), &auc);
        assert_equal!(loss(&e, ByCost, ScoreDriven), metric(&e, "BS"));
        assert_equal!(loss(&e, ByCost, ScoreUniform), metric(&e, "MAE"));
        assert_equal!(loss(&e, ByCost, RateUniform), of_auc(ratio(1, 2)));
        assert_equal!(loss(&e, ByCost, RateDriven), of_auc(ratio(1, 3)));
        assert_equal!(loss(&e, ByCost, Optimal), metric(&e, "RL_conv"));
        assert_equal!(metric(&e, "BS").minus(&metric(&e, "RL")), metric(&e, "CL"));
        assert_equal!(loss(&e, Skew, ScoreDriven), metric(&e, "MBS"));
        assert_equal!(loss(&e, Skew, ScoreUniform), metric(&e, "MMAE"));
        assert_equal!(loss(&e, Skew, RateUniform), affine(&ratio(3, 4), &ratio(-1, 2), &auc));
        assert_equal!(loss(&e, Skew, RateDriven), affine(&ratio(7, 12), &ratio(-1, 2), &auc));
        assert_equal!(loss(&e, ByCost, ScoreFixed(0.5)), affine(&Rational::ONE, &-Rational::ONE, &metric(&e, "Acc")));
        assert_equal!(loss(&e, Skew, ScoreFixed(0.5)), affine(&Rational::ONE, &-Rational::ONE, &metric(&e, "MAcc")));
        let balanced = exact(&Model::new(&text.f0, &text.f1, "1/2").unwrap(), "uniform");
        assert_equal!(loss(&e, Skew, Optimal), metric(&balanced, "RL_conv"));
        assert_equal!(loss(&e, Skew, RateDriven), loss(&balanced, ByCost, RateDriven));
        if e.convex {
            assert_equal!(metric(&e, "RL"), loss(&e, ByCost, Optimal));
        }
    }

    /// The hull is convex and keeps the optimal loss, under every cost distribution.
    #[test]
    fn the_hull_keeps_the_optimal_loss(text in model(6), cost in whole_cost()) {
        let model = text.model();
        let (e, hull) = (exact(&model, &cost), exact(&model.conv(), &cost));
        prop_assert!(hull.convex);
        assert_equal!(loss(&e, ByCost, Optimal), loss(&hull, ByCost, Optimal));
        assert_equal!(loss(&e, Skew, Optimal), loss(&hull, Skew, Optimal));
        assert_equal!(metric(&e, "AUCH"), metric(&hull, "AUC"));
        assert_equal!(metric(&e, "RL_conv"), metric(&hull, "RL"));
        assert_equal!(metric(&hull, "BS").minus(&metric(&hull, "RL")), metric(&hull, "CL"));
        assert_equal!(metric(&e, "H"), metric(&hull, "H"));
    }

    /// Evenly-spaced scores.
    #[test]
    fn even_scores_turn_rates_into_scores(text in model(6), cost in whole_cost()) {
        let model = text.model();
        let (e, even) = (exact(&model, &cost), exact(&model.even(), &cost));
        assert_equal!(metric(&e, "AUC"), metric(&even, "AUC"));
        assert_equal!(metric(&e, "RL"), metric(&even, "RL"));
        assert_equal!(loss(&even, ByCost, ScoreDriven), loss(&e, ByCost, RateDriven));
        assert_equal!(loss(&even, ByCost, ScoreUniform), loss(&e, ByCost, RateUniform));
        assert_equal!(loss(&even, ByCost, Optimal), loss(&e, ByCost, Optimal));
        let pi0 = model.exact_pi0().unwrap().clone();
        let k = &pi0 * (Rational::ONE - &pi0);
        let of_auc = |constant| affine(&(&k + constant), &(-Rational::from(2) * &k), &metric(&e, "AUC"));
        assert_equal!(metric(&even, "BS"), of_auc(ratio(1, 3)));
        assert_equal!(metric(&even, "MAE"), of_auc(ratio(1, 2)));
    }

    /// Perfectly calibrated scores.
    #[test]
    fn calibrated_scores_make_score_driven_optimal(text in model(5), cost in whole_cost()) {
        let model = text.model();
        let pi0 = model.exact_pi0().unwrap().clone();
        let pi1 = Rational::ONE - &pi0;
        let (e, cal) = (exact(&model, "uniform"), exact(&model.cal(), "uniform"));
        let zero = Quantity::from(Rational::ZERO);
        assert_equal!(metric(&cal, "CL"), zero);
        assert_equal!(metric(&cal, "BS"), metric(&cal, "RL"));
        assert_equal!(metric(&cal, "RL"), metric(&e, "RL_conv"));
        assert_equal!(metric(&cal, "BS"), metric(&cal, "MAE").scaled(&ratio(1, 2)));
        assert_equal!(loss(&cal, ByCost, ScoreDriven), loss(&cal, ByCost, Optimal));
        assert_equal!(loss(&cal, ByCost, ScoreUniform).scaled(&ratio(1, 2)), loss(&cal, ByCost, Optimal));
        assert_equal!(metric(&cal, "s0").scaled(&pi0), metric(&cal, "BS"));
        assert_equal!(affine(&pi1, &-&pi1, &metric(&cal, "s1")), metric(&cal, "BS"));
        assert_equal!(loss(&cal, ByCost, Optimal), loss(&e, ByCost, Optimal));
        // T = c is optimal whatever the weights.
        let weighted = exact(&model.cal(), &cost);
        assert_equal!(loss(&weighted, ByCost, ScoreDriven), loss(&weighted, ByCost, Optimal));
    }

    /// What is written out is what is enclosed.
    #[test]
    fn closed_forms_are_their_values(text in model(3)) {
        let evaluation = evaluate(&text.model(), &Request::at(Level::Best)).unwrap();
        let metrics = evaluation.metrics().map(|(m, value)| (m.name.to_owned(), value));
        let losses = evaluation.losses(Condition::Cost).map(|(m, value)| (m.name(), value));
        for (name, value) in metrics.chain(losses) {
            let Some((settled, form)) = value.exact().and_then(|s| Some((s, s.form.as_ref().ok()?))) else { continue };
            // Long ones are beyond what floating point can tell.
            if form.len() > 250 {
                continue;
            }
            let (found, size) = written_value(form);
            // Terms may cancel: what counts is rounding of the largest.
            prop_assert!((found - settled.value).abs() <= 1e-11 * size, "{name} = {form}: {found}, not {}", settled.value);
        }
    }

    /// The numeric level agrees with the exact one within the error it reports.
    #[test]
    fn numeric_agrees_within_its_error(text in model(12), cost in whole_cost()) {
        let model = text.model();
        let e = exact(&model, &cost);
        let numeric = evaluate(&model, &Request::at(Level::Numeric).under(Cost::parse(&cost).unwrap())).unwrap();
        for (k, definition) in METRICS.iter().enumerate() {
            agrees(definition.name, &e.values[k].clone().ok(), &numeric.values[k])?;
        }
        for (k, method) in Method::ALL.iter().chain(&Method::ALL).enumerate() {
            let k = METRICS.len() + k;
            agrees(&method.name(), &e.values[k].clone().ok(), &numeric.values[k])?;
        }
        same_shape(&e, &numeric)?;
    }
}

/// The value of a closed form, and the sum of the sizes of its terms, in floating point.
fn written_value(form: &str) -> (f64, f64) {
    let source = Source::new("form", form);
    value_of(&parse(&source).unwrap_or_else(|e| panic!("{form}: {}", e.message)), 0.0)
}

fn value_of(expr: &Expr, x: f64) -> (f64, f64) {
    let both = |a: &Expr, b: &Expr| (value_of(a, x), value_of(b, x));
    match &expr.kind {
        Kind::Number(value) => (value.to_f64().value(), value.to_f64().value().abs()),
        Kind::Name(name) if name == "pi" => (std::f64::consts::PI, std::f64::consts::PI),
        Kind::Name(name) if name == "x" => (x, x.abs()),
        Kind::Negate(inner) => (-value_of(inner, x).0, value_of(inner, x).1),
        Kind::Binary(op, a, b) => {
            let ((a, m), (b, n)) = both(a, b);
            match op {
                Op::Add => (a + b, m + n),
                Op::Sub => (a - b, m + n),
                Op::Mul => (a * b, m * n),
                Op::Div => (a / b, m / b.abs()),
                Op::Pow => (a.powf(b), m.powf(b)),
            }
        }
        Kind::Call(name, _, arguments) => match (name.as_str(), &arguments[..]) {
            ("root", [polynomial, lo, hi]) => {
                let (mut lo, mut hi) = (value_of(lo, x).0, value_of(hi, x).0);
                let sign = |u: f64| value_of(polynomial, u).0 > 0.0;
                for _ in 0..80 {
                    let middle = (lo + hi) / 2.0;
                    if sign(middle) == sign(lo) { lo = middle } else { hi = middle }
                }
                // The polynomial is rounded, too.
                (lo, 1.0 + 1e3 * value_of(polynomial, lo).1 / slope(polynomial, lo))
            }
            (function, [argument]) => {
                let (value, size) = value_of(argument, x);
                match function {
                    "ln" => (value.ln(), value.ln().abs() + size / value),
                    "atan" => (value.atan(), size / (1.0 + value * value) + 1.0),
                    "sqrt" => (value.sqrt(), size.sqrt()),
                    _ => panic!("{function}"),
                }
            }
            _ => panic!("{name}"),
        },
        _ => panic!("not a number"),
    }
}

fn slope(polynomial: &Expr, x: f64) -> f64 {
    let h = 1e-7;
    ((value_of(polynomial, x + h).0 - value_of(polynomial, x - h).0) / (2.0 * h)).abs()
}

/// Where the hull once was wrong, unknown or undecided.
#[test]
fn hulls_that_are_hard_to_tell() {
    let gaps = |f0: &str, f1: &str| {
        let model = Model::new(f0, f1, "1/3").unwrap();
        evaluate(&model, &Request::at(Level::Best)).unwrap().exact_shape.unwrap().gaps
    };
    // The second arc is the first moved: the resultant of the two conditions vanishes at rational points.
    assert_eq!(gaps("uniform(0,1)", "{ 4*x on [0,1/2]; 4*x-2 on [1/2,1] }"), [["1/4", "3/4"]]);
    let scaled = gaps("{ 2/3 on [0,1/2]; 4/3 on [1/2,1] }", "{ 8/3*x on [0,1/2]; -8/3+16/3*x on [1/2,1] }");
    assert_eq!(scaled, [["-1/2 + sqrt(2)/2", "sqrt(2)/2"]]);
    // A chord that touches three arcs.
    let three = gaps("{ 2-6*x on [0,1/3]; 4-6*x on [1/3,2/3]; 6-6*x on [2/3,1] }", "uniform(0,1)");
    assert_eq!(three, [["1/6", "1/2"], ["1/2", "5/6"]]);
    // Straight pieces in a line stay on the hull.
    assert!(gaps("{ 2 on [0,1/4]; 2/3 on [1/4,1/2]; 2/3 on [1/2,1] }", "1").is_empty());
    // Two inflections 1e-21 apart.
    let close = Model::new("1", "normalize(1 + (x-1/3)^3/3 - x*2e-42)", "1/2").unwrap();
    assert!(!exact(&close, "uniform").convex);
    let touching = Model::new("1", "normalize(1 + (x-1/3)^3/3)", "1/2").unwrap();
    assert!(exact(&touching, "uniform").convex);
}

/// At the strongest level a value that the exact level does not have is enclosed, as narrowly as the certified level does it, and not estimated.
#[test]
fn values_without_an_exact_form_are_enclosed() {
    for (f0, f1, pi0, cost) in [
        ("2*(1-x)", "4*x^3", "1/3", "uniform"),
        ("2*(1-x)", "4*x^3", "1/3", "beta(2.5, 1.5)"),
        ("uniform(0, 1/4)", "{ 1 on [1/8,1/4]; 7/4 on [1/2,1] }", "0.9", "beta(1.5, 3)"),
    ] {
        let model = Model::new(f0, f1, pi0).unwrap();
        let at = |level| evaluate(&model, &Request::at(level).under(Cost::parse(cost).unwrap())).unwrap();
        let (best, exact, certified) = (at(Level::Best), at(Level::Exact), at(Level::Certified));
        let mut enclosed = 0;
        for ((best, exact), certified) in best.values.iter().zip(&exact.values).zip(&certified.values) {
            match (best, exact) {
                (Value::Exact(best), Value::Exact(exact)) => {
                    assert_eq!(best.quantity().equals(exact.quantity()), Some(true));
                }
                (Value::Certified(interval, None), Value::Missing(_)) => {
                    enclosed += 1;
                    assert_eq!(Some(*interval), certified.enclosure(), "{f0} {f1} {cost}");
                }
                (Value::Missing(_), Value::Missing(_)) => {}
                (best, exact) => panic!("{f0} {f1} {cost}: {best} and {exact}"),
            }
        }
        assert!(enclosed > 0, "{f0} {f1} {cost}");
    }
}

/// Where floating point ends.
#[test]
fn proportions_beyond_floating_point() {
    let model = Model::new("2*(1-x)", "2*x", "1e-300").unwrap();
    let evaluation = evaluate(&model, &Request::at(Level::Best)).unwrap();
    let auc = evaluation.metric("AUC").unwrap().exact().unwrap();
    assert_eq!(auc.form.as_deref(), Ok("5/6"));
    let optimal = evaluation.loss(ByCost, Optimal).unwrap().exact().unwrap();
    assert!(optimal.lo > 9.9e-301 && optimal.hi < 1.0e-300 + 1e-310 && optimal.digits(3) == "1.00e-300");
    assert!(evaluation.metric("H_priors").unwrap().estimate().is_none());
    let both = exact(&Model::new("atom(2)", "atom(2)", "1/3").unwrap(), "uniform");
    assert_eq!(metric(&both, "AUC").as_rational(), Some(&ratio(1, 2)));
    assert_eq!(metric(&both, "s1").as_rational(), Some(&Rational::from(2)));
}

fn agrees(name: &str, exact: &Option<Quantity>, numeric: &Value) -> Result<(), TestCaseError> {
    // Two of the three H have cost distributions with parameters that are not whole.
    if name.starts_with("H_") && exact.is_none() {
        return Ok(());
    }
    let Some(numeric) = numeric.estimate() else { return Ok(()) };
    let exact = exact.as_ref().ok_or_else(|| TestCaseError::fail(format!("{name} has no exact value")))?;
    let enclosure = exact.enclosure_within(100).ok_or_else(|| TestCaseError::fail(format!("{name} not enclosed")))?;
    let [lo, hi] = enclosure.ends().map(|end| end.to_f64().value());
    let off = (numeric.value - hi).max(lo - numeric.value);
    prop_assert!(off <= numeric.error, "{name}: {numeric:?} but [{lo}, {hi}]");
    Ok(())
}

/// Gaps that are wide enough to be told numerically are at the same places.
fn same_shape(exact: &ExactReading, numeric: &Evaluation) -> Result<(), TestCaseError> {
    let middle = |[lo, hi]: [Rational; 2]| ((lo + hi) / Rational::from(2)).to_f64().value();
    let end = |number: &rocproof::arith::Number| number.enclosure(100).map(|e| middle(e.ends()));
    let ends: Option<Vec<[f64; 2]>> = exact.gaps.iter().map(|[a, b]| Some([end(a)?, end(b)?])).collect();
    let seen = ends.ok_or_else(|| TestCaseError::fail("a gap that is not enclosed"))?;
    let seen = seen.into_iter().filter(|[a, b]| b - a > 1e-3);
    for gap in seen {
        let inside = numeric.gaps.iter().any(|(a, b)| a - 1e-4 <= gap[0] && gap[1] <= b + 1e-4);
        prop_assert!(inside, "{gap:?} is not among {:?}", numeric.gaps);
    }
    Ok(())
}
