//! The identities of the paper over random models: each side is computed from its own definition.

use crate::assert_same;
use crate::common::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::Condition::{Cost as ByCost, Skew};
use rocproof::Method::*;
use rocproof::calculus::Estimate;
use rocproof::{Cost, Evaluation, Level, Model, Request, evaluate};

fn uniform(model: &Model) -> Evaluation {
    evaluate(model, &Request::at(Level::Numeric)).unwrap()
}

/// `π0 π1 (1 - 2 AUC) + constant`.
fn of_auc(pi0: f64, auc: Estimate, constant: f64) -> Estimate {
    let k = pi0 * (1.0 - pi0);
    affine(k + constant, -2.0 * k, auc)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, rng_seed: RngSeed::Fixed(2011), ..ProptestConfig::default() })]

    /// Theorems of sections 4 to 6, and their skew versions.
    #[test]
    fn losses_are_metrics(text in probabilistic()) {
        let model = text.model();
        let pi0 = model.proportions().0;
        let e = uniform(&model);
        let auc = metric(&e, "AUC");
        assert_same!(loss(&e, ByCost, ScoreDriven), metric(&e, "BS"));
        assert_same!(loss(&e, ByCost, ScoreUniform), metric(&e, "MAE"));
        assert_same!(loss(&e, ByCost, RateUniform), of_auc(pi0, auc, 0.5));
        assert_same!(loss(&e, ByCost, RateDriven), of_auc(pi0, auc, 1.0 / 3.0));
        assert_same!(loss(&e, ByCost, Optimal), metric(&e, "RL_conv"));
        assert_same!(metric(&e, "BS"), sum(metric(&e, "CL"), metric(&e, "RL")));
        assert_same!(loss(&e, Skew, ScoreDriven), metric(&e, "MBS"));
        assert_same!(loss(&e, Skew, ScoreUniform), metric(&e, "MMAE"));
        assert_same!(loss(&e, Skew, RateUniform), affine(0.75, -0.5, auc));
        assert_same!(loss(&e, Skew, RateDriven), affine(0.25 + 1.0 / 3.0, -0.5, auc));
        let balanced = uniform(&Model::new(&text.f0, &text.f1, "1/2").unwrap());
        assert_same!(loss(&e, Skew, Optimal), metric(&balanced, "RL_conv"));
        assert_same!(loss(&e, Skew, RateDriven), loss(&balanced, ByCost, RateDriven));
    }

    /// The general relations of the comparison figure.
    #[test]
    fn better_information_never_hurts(text in probabilistic(), cost in cost()) {
        let e = evaluate(&text.model(), &Request::at(Level::Numeric).under(Cost::parse(&cost).unwrap())).unwrap();
        for condition in [ByCost, Skew] {
            let [su, sd, ru, rd, o] =
                [ScoreUniform, ScoreDriven, RateUniform, RateDriven, Optimal].map(|m| loss(&e, condition, m));
            let at_most = |a: Estimate, b: Estimate| a.value <= b.value + a.error + b.error;
            for other in [su, sd, ru, rd] {
                prop_assert!(at_most(o, other), "optimal {o:?} above {other:?}");
            }
            if cost == "uniform" {
                prop_assert!(at_most(sd, su) && rd.value < ru.value);
            }
        }
        let [auc, auch] = ["AUC", "AUCH"].map(|m| metric(&e, m));
        prop_assert!(auc.value <= auch.value + auc.error + auch.error);
        prop_assert!(metric(&e, "KS").value <= 1.0 + 1e-12);
    }

    /// Optimal loss is invariant under Conv, under every cost distribution; Conv is convex and keeps the hull.
    #[test]
    fn the_hull_keeps_the_optimal_loss(text in probabilistic(), cost in cost()) {
        let cost = Cost::parse(&cost).unwrap();
        let model = text.model();
        let (e, hull) = (evaluate(&model, &Request::at(Level::Numeric).under(cost.clone())).unwrap(), evaluate(&model.conv(), &Request::at(Level::Numeric).under(cost.clone())).unwrap());
        prop_assert_eq!(hull.convex, Some(true));
        assert_same!(loss(&e, ByCost, Optimal), loss(&hull, ByCost, Optimal));
        assert_same!(loss(&e, Skew, Optimal), loss(&hull, Skew, Optimal));
        assert_same!(metric(&e, "AUCH"), metric(&hull, "AUC"));
        assert_same!(metric(&e, "RL_conv"), metric(&hull, "RL"));
        if e.convex == Some(true) {
            assert_same!(loss(&e, ByCost, Optimal), loss(&hull, ByCost, Optimal));
            assert_same!(metric(&e, "s0"), metric(&hull, "s0"));
        }
    }

    /// Evenly-spaced scores: section 7.1.
    #[test]
    fn even_scores_turn_rates_into_scores(text in probabilistic(), cost in cost()) {
        let cost = Cost::parse(&cost).unwrap();
        let model = text.model();
        let (e, even) = (evaluate(&model, &Request::at(Level::Numeric).under(cost.clone())).unwrap(), evaluate(&model.even(), &Request::at(Level::Numeric).under(cost.clone())).unwrap());
        assert_same!(metric(&e, "AUC"), metric(&even, "AUC"));
        assert_same!(metric(&e, "RL"), metric(&even, "RL"));
        assert_same!(loss(&even, ByCost, ScoreDriven), loss(&e, ByCost, RateDriven));
        assert_same!(loss(&even, ByCost, ScoreUniform), loss(&e, ByCost, RateUniform));
        assert_same!(loss(&even, ByCost, Optimal), loss(&e, ByCost, Optimal));
        let pi0 = model.proportions().0;
        assert_same!(metric(&even, "BS"), of_auc(pi0, metric(&e, "AUC"), 1.0 / 3.0));
        assert_same!(metric(&even, "MAE"), of_auc(pi0, metric(&e, "AUC"), 0.5));
        let twice = evaluate(&model.even().even(), &Request::at(Level::Numeric).under(cost.clone())).unwrap();
        assert_same!(metric(&twice, "BS"), metric(&even, "BS"));
    }

    /// Perfectly calibrated scores: section 7.2.
    #[test]
    fn calibrated_scores_make_score_driven_optimal(text in probabilistic(), cost in cost()) {
        let model = text.model();
        let (pi0, pi1) = model.proportions();
        let (e, cal) = (uniform(&model), uniform(&model.cal()));
        let half_mae = affine(0.0, 0.5, metric(&cal, "MAE"));
        assert_same!(metric(&cal, "CL"), Estimate::exact(0.0));
        assert_same!(metric(&cal, "BS"), metric(&cal, "RL"));
        assert_same!(metric(&cal, "RL"), metric(&e, "RL_conv"));
        assert_same!(metric(&cal, "BS"), half_mae);
        assert_same!(loss(&cal, ByCost, ScoreDriven), loss(&cal, ByCost, Optimal));
        assert_same!(affine(0.0, 0.5, loss(&cal, ByCost, ScoreUniform)), loss(&cal, ByCost, Optimal));
        assert_same!(affine(0.0, pi0, metric(&cal, "s0")), metric(&cal, "BS"));
        assert_same!(affine(pi1, -pi1, metric(&cal, "s1")), metric(&cal, "BS"));
        assert_same!(loss(&cal, ByCost, Optimal), loss(&e, ByCost, Optimal));
        // T = c is optimal whatever the weights.
        let weighted = evaluate(&model.cal(), &Request::at(Level::Numeric).under(Cost::parse(&cost).unwrap())).unwrap();
        assert_same!(loss(&weighted, ByCost, ScoreDriven), loss(&weighted, ByCost, Optimal));
        let twice = uniform(&model.cal().cal());
        assert_same!(metric(&twice, "s0"), metric(&cal, "s0"));
        assert_same!(metric(&twice, "CL"), Estimate::exact(0.0));
    }

    /// Scores on the whole line have ranks, rates and a hull.
    #[test]
    fn unbounded_scores_obey_the_rank_identities(text in unbounded()) {
        let model = text.model();
        let pi0 = model.proportions().0;
        let e = uniform(&model);
        let auc = metric(&e, "AUC");
        assert_same!(loss(&e, ByCost, RateUniform), of_auc(pi0, auc, 0.5));
        assert_same!(loss(&e, ByCost, RateDriven), of_auc(pi0, auc, 1.0 / 3.0));
        assert_same!(loss(&e, ByCost, Optimal), metric(&e, "RL_conv"));
        prop_assert!(e.metric("BS").unwrap().estimate().is_none());
        let (hull, cal) = (uniform(&model.conv()), uniform(&model.cal()));
        assert_same!(loss(&hull, ByCost, Optimal), loss(&e, ByCost, Optimal));
        assert_same!(metric(&cal, "BS"), loss(&e, ByCost, Optimal));
        assert_same!(metric(&cal, "CL"), Estimate::exact(0.0));
    }
}

/// A random classifier and a perfect one: the extreme cases of the comparison figure.
#[test]
fn extremes_of_the_comparison_figure() {
    let random = uniform(&Model::new("1", "1", "1/2").unwrap());
    let perfect = uniform(&Model::new("2 on [0,1/2]", "2 on [1/2,1]", "1/2").unwrap());
    let check = |e: &Evaluation, method, expected: f64| {
        let loss = loss(e, ByCost, method);
        assert!((loss.value - expected).abs() <= loss.error, "{method:?}: {loss:?}, not {expected}");
    };
    check(&random, RateUniform, 0.5);
    check(&random, RateDriven, 1.0 / 3.0);
    check(&random, Optimal, 0.25);
    check(&perfect, RateUniform, 0.25);
    check(&perfect, RateDriven, 1.0 / 12.0);
    check(&perfect, Optimal, 0.0);
}
