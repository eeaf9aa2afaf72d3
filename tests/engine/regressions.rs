//! Models that once got a wrong number, an error that was too small, or a panic. Truths have 18 digits (mpmath).

use rocproof::calculus::Estimate;
use rocproof::lang::{Source, parse};
use rocproof::model::constant::Constant;
use rocproof::{Condition, Cost, Evaluation, Level, Method, Model, Request, Thresholds, Value, evaluate};

fn eval(f0: &str, f1: &str, pi0: &str, cost: &str) -> Evaluation {
    let request = Request::at(Level::Numeric).under(Cost::parse(cost).unwrap());
    evaluate(&Model::new(f0, f1, pi0).unwrap(), &request).unwrap()
}

fn loss(e: &Evaluation, method: Method) -> Estimate {
    e.loss(Condition::Cost, method).unwrap().estimate().unwrap()
}

fn metric(e: &Evaluation, name: &str) -> Estimate {
    e.metric(name).unwrap().estimate().unwrap()
}

fn threshold_at(text: &str) -> Thresholds {
    let source = Source::new("threshold", text);
    let threshold = Constant::of(&source, &parse(&source).unwrap()).unwrap();
    Thresholds { threshold, ..Thresholds::default() }
}

fn holds(estimate: Estimate, truth: f64) {
    assert!((estimate.value - truth).abs() <= estimate.error, "{estimate:?} misses {truth}");
}

/// The budget of panels was shared by atoms and arcs: behind 1600 atoms an arc was not resolved.
#[test]
fn many_atoms_before_an_arc() {
    let atoms = |shift: u32| {
        let atoms: Vec<String> = (0..1600).map(|i| format!("{}/4000: {}", i, 1 + (i * 7 + shift) % 13)).collect();
        format!("normalize({{ {} }})", atoms.join("; "))
    };
    let e = eval(
        &format!("0.5*{} + 0.5*beta(2, 5)", atoms(0)),
        &format!("0.5*{} + 0.5*beta(50, 20)", atoms(5)),
        "1/3",
        "uniform",
    );
    assert!(loss(&e, Method::Optimal).agrees_with(metric(&e, "RL_conv")));
    assert!(loss(&e, Method::Optimal).error < 1e-11);
}

/// A stretch of negligible mass at a singular end was left out of the curve; with singular costs its length matters.
#[test]
fn singular_costs_at_an_atom_at_zero() {
    let f1 = "0.5*atom(0) + 0.5*beta(1.5, 2)";
    for (cost, truth) in [("beta(0.3, 1)", 0.535_450_371_741_681_4), ("beta(0.1, 1)", 0.519_496_096_121_292_8)] {
        let found = loss(&eval("beta(2, 2)", f1, "1/2", cost), Method::ScoreDriven);
        holds(found, truth);
        assert!(found.error < 1e-11, "{found:?}");
    }
    let e = eval("beta(2, 2)", "0.5*atom(0) + 0.5*beta(2, 2)", "1/2", "beta(0.05, 1)");
    holds(loss(&e, Method::ScoreDriven), 0.5072679922739898);
    // The mirror image, at one.
    let f0 = "0.5*atom(1) + 0.5*beta(2, 1.5)";
    holds(loss(&eval(f0, "beta(2, 2)", "1/2", "beta(1, 0.3)"), Method::ScoreDriven), 0.535_450_371_741_681_4);
}

/// Calibration puts an atom at posterior 1/2 up to a rounding: which side of the threshold 1/2 it is on is not known.
#[test]
fn a_computed_atom_at_the_threshold() {
    let f0 = "{ 2 on [0,1/3]; 1 on [1/3,2/3] }";
    let f1 = "{ 2/5 on [1/3,2/3]; 13/5 on [2/3,1] }";
    let model = Model::new(f0, f1, "2/7").unwrap().cal();
    holds(
        loss(
            &evaluate(&model, &Request::at(Level::Numeric).under(Cost::parse("beta(2, 5)").unwrap())).unwrap(),
            Method::ScoreFixed(0.5),
        ),
        0.136_054_421_768_707_5,
    );
    // Scores that the user gave are exact: no doubt there.
    let e = evaluate(&Model::new("{ 0.5: 1 }", "{ 0.75: 1 }", "1/2").unwrap(), &Request::at(Level::Numeric)).unwrap();
    assert!(loss(&e, Method::ScoreFixed(0.5)).error < 1e-13);
}

/// An undeclared kink just inside the end of a panel is invisible to all its nodes.
#[test]
fn a_kink_that_nobody_declared() {
    let f = "normalize(sqrt((x-0.62512)^2))";
    holds(metric(&eval(f, f, "1/2", "uniform"), "s0"), 0.384_711_073_111_378_3);
}

/// A spike between the nodes of the first panels.
#[test]
fn a_narrow_spike_in_an_expression() {
    let spike = "normalize(1+1000*exp(-((x-0.4137)*10000)^2))";
    let e = eval(spike, "1", "1/2", "uniform");
    holds(metric(&e, "s0"), 0.487_006_721_855_071_8);
    assert_eq!(e.convex, Some(false));
}

#[test]
fn means_that_do_not_exist() {
    for heavy in ["1/x^2 on [1, inf]", "1/(pi*(1+x^2)) on [-inf, inf]"] {
        let e = eval(heavy, "normal(0, 1)", "1/2", "uniform");
        assert!(matches!(e.metric("s0"), Some(Value::Missing(_))), "{heavy}: {:?}", e.metric("s0"));
        assert!(metric(&e, "s1").value.abs() < 1e-9);
    }
}

/// A turn of the direction within a stretch too small to cut, and a reversed ranking behind it.
#[test]
fn a_density_that_vanishes_where_the_other_is_negligible() {
    let e = eval("beta(149.977, 1)", "normalize({ 1 - 2*x on [0, 1/2] })", "1/2", "uniform");
    assert!(loss(&e, Method::Optimal).agrees_with(metric(&e, "RL_conv")));
    holds(metric(&e, "AUCH"), 0.5);
}

/// A concavity between two nodes: f1/f0 falls in the last thousandth of a piece only.
#[test]
fn a_tiny_concavity() {
    let f0 = "normalize({ 3072*x^2 - 768*x + 72 on [0, 1/8]; 24 on [1/2, 1] })";
    let e = eval(f0, "0.6*uniform(0.3, 0.6) + 0.4*truncate(normal(-0.22, 1.3), 0, 1)", "1/100", "uniform");
    assert_eq!(e.gaps.len(), 2, "{:?}", e.gaps);
    assert!(e.gaps[0].0 > 0.12 && e.gaps[0].1 == 0.125);
}

/// Large and skewed shapes lost the logarithm of a distance close to one.
#[test]
fn very_skewed_betas() {
    let e = eval("beta(0.3, 1000000)", "beta(0.6, 1000000)", "1/2", "uniform");
    assert!(metric(&e, "AUC").error < 1e-9, "{:?}", metric(&e, "AUC"));
}

#[test]
fn inputs_that_once_panicked_or_hung() {
    for density in ["normal(0, 1e-320)", "normal(1e300, 1)", "uniform(0, 1e-320)", "logistic(0, 1e200)"] {
        assert!(Model::new(density, "1", "1/2").is_err(), "{density}");
    }
    assert!(Model::new("1", "1", "((9^1000)^1000)^1000").is_err());
    assert!(Model::new(&"1+".repeat(20_000), "1", "1/2").is_err());
}

/// Classes far apart in the wrong order: between them both densities vanish, and so did the fall of the direction.
#[test]
fn reversed_and_far_apart() {
    let pairs = [
        ("normal(100, 1)", "normal(0, 1)"),
        ("normal(1, 0.01)", "normal(0, 0.02)"),
        ("normal(100, 1)", "0.5*normal(0, 1) + 0.5*normal(3, 2)"),
        ("beta(10000, 3)", "beta(3, 10000)"),
        ("logistic(1000, 1)", "logistic(0, 1)"),
        ("logistic(1000, 1)", "beta(3, 200)"),
        ("normal(1000000, 3)", "logistic(0, 1/1000000)"),
    ];
    for (f0, f1) in pairs {
        let e = eval(f0, f1, "1/3", "uniform");
        assert_eq!((e.convex, e.gaps.len()), (Some(false), 1), "{f0} {f1}");
        holds(metric(&e, "AUCH"), 0.5);
        holds(metric(&e, "H"), 0.0);
        holds(loss(&e, Method::Optimal), 2.0 / 9.0);
    }
}

/// Classes far apart in the right order under singular costs: arcs without any mass had directions of their own.
#[test]
fn far_apart_under_singular_costs() {
    let cases = [
        ("normal(0, 0.01)", "{ 0.1: 0.25; 0.5: 0.5; 0.75: 0.25 }", "1/2"),
        ("atom(0.5)", "beta(100000, 0.3)", "3/10"),
        ("beta(3, 100000)", "uniform(0.1, 0.9)", "999/1000"),
    ];
    for (f0, f1, pi0) in cases {
        let e = eval(f0, f1, pi0, "beta(0.05, 0.05)");
        holds(loss(&e, Method::Optimal), 0.0);
        assert!(loss(&e, Method::Optimal).error < 1e-10, "{f0} {f1}");
    }
}

/// Hull of a mixture with a component of scale 1e-6; truths by tangents at 40 digits.
#[test]
fn narrow_components() {
    let e = eval("0.5*logistic(0.5,1)+0.5*logistic(0,1/1000000)", "normal(0.3,1/1000000)", "1/2", "uniform");
    holds(loss(&e, Method::Optimal), 0.107_817_821_130_41);
    let e = eval("normal(1,3)", "48/63*normal(0,1/10000)+15/63*logistic(1,1)", "1/2", "uniform");
    holds(loss(&e, Method::Optimal), 0.214_402_724_019_487_6);
}

/// A logarithm of something close to one, a piece whose ends are closer than floats can say.
#[test]
fn typed_densities_that_lost_digits() {
    let e = eval("-log(1-x)", "2*x", "1/1000", "uniform");
    assert!(metric(&e, "AUC").error < 1e-12);
    holds(metric(&e, "AUC"), 7.0 / 18.0);
    assert!(Model::new("1e9*1 on [0.5, 0.500000001]", "1", "1/2").is_ok(), "exactly one");
    let e = eval("1+sin(200*pi*x)", "2*x", "999/1000", "uniform");
    holds(metric(&e, "AUC"), 2.0 / 3.0 + 1.0 / (200.0 * std::f64::consts::PI));
}

/// A knot within 1e-20 of a singular end: distances underflowed, and the sum of masses that was not a number passed for 1.
#[test]
fn knots_next_to_a_singular_end() {
    let uniform = |end: &str| format!("uniform({end}, 1)");
    for (end, ks) in
        [("1e-5", 0.811_434_494_885_598_4), ("1e-12", 0.811_424_921_854_326), ("1e-50", 0.811_424_921_853_368_7)]
    {
        let e = eval(&uniform(end), "beta(0.05, 1)", "1/2", "uniform");
        holds(metric(&e, "KS"), ks);
        assert!(metric(&e, "KS").error < 1e-12, "{end}: {:?}", metric(&e, "KS"));
    }
    for end in ["1e-30", "1e-300", "5e-324"] {
        let e = eval(&uniform(end), "beta(0.05, 1)", "1/2", "uniform");
        holds(metric(&e, "KS"), 0.811_424_921_853_368_7);
        holds(metric(&e, "AUC"), 1.0 / 21.0);
        holds(metric(&e, "AUCH"), 0.5);
        assert!(metric(&e, "AUC").error < 1e-12, "{end}: {:?}", metric(&e, "AUC"));
    }
    let cases = [
        ("uniform(1e-50, 1)", "gamma(0.05, 1)", 0.042_052_871_983_211_66, 0.832_912_106_460_812_9),
        ("0.5*atom(1e-50) + 0.5*uniform(0, 1)", "beta(0.05, 1)", 0.522_228_384_979_439_6, 0.496_837_722_339_831_6),
        ("triangular(1e-30, 1e-20, 1)", "beta(0.05, 1)", 0.070_847_851_335_656_21, 0.782_789_843_330_922_3),
        ("triangular(1e-60, 1e-30, 1e-10)", "beta(0.05, 1)", 0.706_176_291_738_129_7, 0.683_835_209_417_911_2),
    ];
    for (f0, f1, auc, ks) in cases {
        let e = eval(f0, f1, "1/2", "uniform");
        holds(metric(&e, "AUC"), auc);
        holds(metric(&e, "KS"), ks);
        assert!(metric(&e, "AUC").error < 1e-12 && metric(&e, "KS").error < 1e-12, "{f0} {f1}");
    }
    // The mirror image, with the singular end at 0 on the right.
    let e = eval("uniform(-1, -1e-50)", "(-x)^(-0.95)/20 on [-1, 0]", "1/2", "uniform");
    holds(metric(&e, "KS"), 0.811_424_921_853_368_7);
}

/// Most of the mass lay closer to the singular end than floats can say: all of it counted as error.
#[test]
fn masses_below_the_smallest_float() {
    let e = eval("uniform(0, 1)", "gamma(0.001, 1)", "1/2", "uniform");
    holds(metric(&e, "AUC"), 0.000_851_297_203_579_738_2);
    assert!(metric(&e, "AUC").error < 1e-10, "{:?}", metric(&e, "AUC"));
    // Where the masses of both classes lie there, the curve between them is not known.
    let e = eval("beta(0.002, 1)", "beta(0.001, 1)", "1/2", "uniform");
    holds(metric(&e, "AUC"), 1.0 / 3.0);
}

/// Thresholds at or next to a singular end, where many scores have one float: all their mass was taken to lie below.
#[test]
fn thresholds_at_a_singular_end() {
    let accuracy = |f0: &str, f1: &str, threshold: &str| {
        let request = Request::at(Level::Numeric).with_thresholds(threshold_at(threshold));
        metric(&evaluate(&Model::new(f0, f1, "1/2").unwrap(), &request).unwrap(), "Acc")
    };
    let power = "(x - 3/4)^(-19/20)/20*4^(1/20) on [3/4, 1]";
    holds(accuracy(power, "uniform(0, 1)", "3/4"), 0.125);
    let arcs = "beta(0.01, 0.01)";
    for (threshold, truth) in [("1e-300", 0.500_250_040_534_926_4), ("1e-320", 0.500_157_764_911_929_6)] {
        holds(accuracy(arcs, "uniform(0, 1)", threshold), truth);
    }
    holds(accuracy(arcs, "uniform(0, 1)", "0.99999999999999999"), 0.330_951_851_178_358_3);
    // At the ends themselves nothing is in doubt.
    for threshold in ["0", "1"] {
        assert!(accuracy(arcs, "uniform(0, 1)", threshold).error < 1e-12, "{threshold}");
        holds(accuracy(arcs, "uniform(0, 1)", threshold), 0.5);
    }
    assert!(accuracy(arcs, "uniform(0, 1)", "1/4").error < 1e-12);
}

/// Ends of pieces and thresholds are rounded to floats: on narrow pieces the error was a thousand times too small, and more.
#[test]
fn rounded_ends_of_narrow_pieces() {
    let at = |f0: &str, f1: &str, threshold: &str| {
        let request = Request::at(Level::Numeric).with_thresholds(threshold_at(threshold));
        evaluate(&Model::new(f0, f1, "1/2").unwrap(), &request).unwrap()
    };
    let e = at("uniform(0.7, 0.70000001)", "uniform(0.7, 0.700000005)", "0.700000003");
    holds(metric(&e, "AUC"), 0.25);
    holds(metric(&e, "KS"), 0.5);
    holds(metric(&e, "Acc"), 0.35);
    assert!(metric(&e, "Acc").error < 1e-6);
    let e = at("uniform(0.7, 0.7000000000001)", "uniform(0.7, 0.70000000000005)", "0.70000000000003");
    holds(metric(&e, "AUC"), 0.25);
    holds(metric(&e, "Acc"), 0.35);
    let e = at("uniform(0.7, 0.70000001)", "uniform(0, 1)", "0.700000003");
    holds(metric(&e, "Acc"), 0.299_999_998_5);
    let e = at("triangular(0.7, 0.70000000001, 0.7000000001)", "uniform(0.7, 0.70000000005)", "0.70000000003");
    holds(metric(&e, "Acc"), 0.427_777_777_777_777_8);
    // An ordinary model loses nothing.
    let e = at("uniform(0.2, 0.7)", "triangular(0.1, 0.6, 0.9)", "0.3");
    holds(metric(&e, "Acc"), 0.55);
    assert!(metric(&e, "Acc").error < 1e-13, "{:?}", metric(&e, "Acc"));
}

/// Different numbers with one float: the order of atoms and thresholds was taken for equality, and rounding moved mass past an atom.
#[test]
fn numbers_that_floats_do_not_tell_apart() {
    let e = eval("atom(0.3)", "atom(0.30000000000000000001)", "1/2", "uniform");
    holds(metric(&e, "AUC"), 1.0);
    holds(metric(&e, "KS"), 1.0);
    let e = eval("0.5*atom(0.99999999999999999999) + 0.5*uniform(0, 1)", "beta(1, 0.05)", "1/2", "uniform");
    holds(metric(&e, "AUC"), 0.512_374_645_095_212_1);
    let accuracy = |threshold: &str| {
        let request = Request::at(Level::Numeric).with_thresholds(threshold_at(threshold));
        let model = Model::new("0.5*atom(0.3) + 0.5*uniform(0, 1)", "uniform(0.1, 0.9)", "1/2").unwrap();
        metric(&evaluate(&model, &request).unwrap(), "Acc")
    };
    holds(accuracy("0.29999999999999999999"), 0.45);
    holds(accuracy("0.3"), 0.7);
    assert!(accuracy("0.3").error < 1e-12);
}

/// An enclosure was dropped for being wide, although there was no estimate in its place.
#[test]
fn a_wide_enclosure_is_better_than_nothing() {
    let model = Model::new("beta(2.5, 5)", "beta(5, 2.5)", "1e-20").unwrap();
    let best = evaluate(&model, &Request::at(Level::Best)).unwrap();
    let certified = evaluate(&model, &Request::at(Level::Certified)).unwrap();
    for ((_, best), (_, certified)) in best.metrics().zip(certified.metrics()) {
        let narrow = certified.enclosure().is_some_and(|interval| interval.width() < 0.1);
        assert!(!narrow || best.enclosure().is_some(), "{best:?} {certified:?}");
    }
}

/// Exact arithmetic with a class proportion of 400 digits took minutes.
#[test]
fn proportions_with_hundreds_of_digits() {
    let model = Model::new("beta(2, 5)", "beta(5, 2)", "1e-400").unwrap();
    assert!(evaluate(&model, &Request::at(Level::Exact)).is_err());
    let best = evaluate(&model, &Request::at(Level::Best)).unwrap();
    assert!(best.metric("AUC").unwrap().enclosure().unwrap().contains(887.0 / 924.0));
}
