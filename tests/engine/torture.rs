//! Models from the corners of everything, mixed at random: whatever the errors, nothing may contradict itself.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::calculus::Estimate;
use rocproof::{Condition, Cost, Level, Method, Model, Request, evaluate};

const PARTS: [&str; 34] = [
    "beta(1, 1)",
    "beta(0.05, 3)",
    "beta(100000, 0.3)",
    "beta(3, 100000)",
    "beta(10000, 9000)",
    "beta(2.5, 140)",
    "beta(200, 1.1)",
    "normal(0, 1)",
    "normal(100, 1)",
    "normal(0, 1/100)",
    "normal(1/2, 1/1000000)",
    "normal(1000000, 3)",
    "logistic(0, 1)",
    "logistic(1000, 1)",
    "logistic(0, 1/1000)",
    "uniform(0.1, 0.9)",
    "uniform(0, 1e-9)",
    "triangular(0.25, 1, 1)",
    "{ 0.1: 0.25; 0.5: 0.5; 0.75: 0.25 }",
    "atom(0)",
    "atom(1)",
    "atom(1/2)",
    "x^(-1/2)/2",
    "(1-x)^(-0.9)/10",
    "12*(x-1/2)^2",
    "normalize(1+sin(20*pi*x))",
    "normalize(exp(-1/x))",
    "-log(x)",
    "-log(1-x)",
    "exp(-x) on [0, inf]",
    "normalize(exp(-x^2/2) on [-inf, inf])",
    "truncate(normal(0, 1), 20, inf)",
    "{ 4/3 on [0,1/4]; 4/3 on [1/2,1] }",
    "2/x^3 on [1, inf]",
];

fn density() -> impl Strategy<Value = String> {
    let part = || (0..PARTS.len()).prop_map(|i| PARTS[i]);
    prop_oneof![
        2 => part().prop_map(|p| format!("({p})")),
        1 => (part(), part(), 1..100u32).prop_map(|(p, q, w)| format!("{w}/100*({p}) + {}/100*({q})", 100 - w)),
    ]
}

fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    (0..texts.len()).prop_map(|i| texts[i])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, rng_seed: RngSeed::Fixed(2011), ..ProptestConfig::default() })]

    #[test]
    fn nothing_contradicts_itself(
        f0 in density(),
        f1 in density(),
        pi0 in one_of(&["1/2", "3/10", "1/1000", "999/1000", "1e-9"]),
        cost in one_of(&["uniform", "uniform", "beta(2, 2)", "beta(0.3, 0.7)", "beta(0.05, 0.05)", "beta(0.3, 200)"]),
    ) {
        let model = Model::new(&f0, &f1, pi0).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let e = evaluate(&model, &Request::at(Level::Numeric).under(Cost::parse(cost).unwrap().clone())).unwrap();
        let metric = |name: &str| e.metric(name).and_then(|v| v.estimate());
        let above = |a: Estimate, b: Estimate| a.value - a.error > b.value + b.error;
        for condition in [Condition::Cost, Condition::Skew] {
            let of = |method| e.loss(condition, method).and_then(|v| v.estimate());
            let Some(optimal) = of(Method::Optimal) else { continue };
            prop_assert!(optimal.value + optimal.error >= 0.0, "{optimal:?}");
            for method in Method::ALL {
                if let Some(other) = of(method) {
                    prop_assert!(!above(optimal, other), "{condition:?}: optimal {optimal:?} above {} {other:?}", method.name());
                }
            }
            if cost == "uniform" && condition == Condition::Cost
                && let Some(refinement) = metric("RL_conv")
            {
                prop_assert!(optimal.agrees_with(refinement), "o {optimal:?}, RL_conv {refinement:?}");
            }
        }
        if let (Some(auc), Some(auch)) = (metric("AUC"), metric("AUCH")) {
            prop_assert!(!above(auc, auch) && auch.value + auch.error >= 0.5 && auch.value - auch.error <= 1.0, "{auc:?} {auch:?}");
        }
        // Intervals are as good as the curve is resolved.
        let resolved = e.losses(Condition::Cost).all(|(_, v)| v.estimate().is_none_or(|v| v.error < 1e-9));
        let mut last = 0.0;
        for interval in e.intervals.iter().filter(|_| resolved) {
            prop_assert!(interval.sigma.0 <= interval.sigma.1 + 1e-9, "{interval:?}");
            prop_assert!(interval.sigma.0 >= last - 1e-6, "{:?}", e.intervals);
            last = interval.sigma.1;
        }
    }
}
