//! The literal route (thresholds really chosen) against the curve route (line integrals), for all seven methods, both kinds
//! of operating condition, all transforms.

use crate::common::{self, *};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::functional::evaluate::evaluate_curve;
use rocproof::functional::literal::{expected_loss, expected_loss_of_curve};
use rocproof::{Condition, Cost, Level, Method, Model, Request, Thresholds};

fn routes_agree(model: &Model, cost: &str) -> Result<(), TestCaseError> {
    let cost = Cost::parse(cost).unwrap();
    let curve = model.curve();
    let by_curve = evaluate_curve(&curve, model.proportions(), &cost, &Thresholds::default());
    for condition in [Condition::Cost, Condition::Skew] {
        for method in Method::ALL {
            let literal = expected_loss_of_curve(&curve, model.proportions(), &cost, condition, method);
            let along = by_curve.loss(condition, method).unwrap();
            match (literal.estimate(), along.estimate()) {
                (Some(literal), Some(along)) => prop_assert!(
                    literal.agrees_with(along) && literal.error + along.error < 1e-9,
                    "{} {condition:?} {}: literal {literal:?}, curve {along:?}",
                    model.name(),
                    method.name()
                ),
                (None, None) => {}
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, rng_seed: RngSeed::Fixed(2011), ..ProptestConfig::default() })]

    #[test]
    fn probabilistic_scores(text in probabilistic(), cost in cost()) {
        routes_agree(&text.model(), &cost)?;
    }

    #[test]
    fn unbounded_scores(text in unbounded(), cost in cost()) {
        routes_agree(&text.model(), &cost)?;
    }

    /// The optimal loss of the model itself, by minimisation over its own thresholds, is that of its hull and of its
    /// calibrated scores: an error of the hull cannot cancel here.
    #[test]
    fn the_hull_against_minimisation(text in probabilistic(), cost in cost()) {
        let (model, cost) = (text.model(), Cost::parse(&cost).unwrap());
        let literal = expected_loss(&model, &cost, Condition::Cost, Method::Optimal).estimate().unwrap();
        for transformed in [model.conv(), model.cal()] {
            let along = common::loss(&rocproof::evaluate(&transformed, &Request::at(Level::Numeric).under(cost.clone())).unwrap(), Condition::Cost, Method::Optimal);
            prop_assert!(literal.agrees_with(along) && literal.error + along.error < 1e-9,
                "{}: literal {literal:?}, curve {along:?}", transformed.name());
        }
    }

    #[test]
    fn transformed_scores(text in probabilistic(), which in 0..3usize) {
        let model = text.model();
        routes_agree(&[model.conv(), model.cal(), model.even()][which], "uniform")?;
    }
}

/// With π0 not 1/2 and a hull gap, the curve integral of Q dc along the curve itself would miss the gap: the minimisation
/// of the literal route does not.
#[test]
fn a_missed_hull_interval_would_show() {
    let model = Model::new("6*x*(1-x)", "1 + sin(6*pi*x)/2", "3/10").unwrap();
    routes_agree(&model, "uniform").unwrap();
    let loss = rocproof::evaluate(&model, &Request::at(Level::Numeric)).unwrap();
    let optimal = common::loss(&loss, Condition::Cost, Method::Optimal).value;
    assert!((optimal - common::metric(&loss, "RL").value).abs() > 1e-2, "the gap matters in this model");
}
