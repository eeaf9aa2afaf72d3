//! Any question about a model: what `eval` says, asked one by one; integrals of one's own, against closed forms worked out by hand and
//! against the metrics that they are; at every level of evidence.

use crate::common::readings::read_exactly;
use crate::common::{self, Text};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::arith::Rational;
use rocproof::arith::rational::to_f64;
use rocproof::functional::certified::WIDTH;
use rocproof::functional::definition::{METRICS, Reading};
use rocproof::functional::question::{Asked, CurvePoint, Question, Questions};
use rocproof::model::Transform;
use rocproof::model::constant::Constant;
use rocproof::{Condition, Cost, Evaluation, Level, Method, Model, Request, Thresholds, Value, evaluate, paper};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(6), failure_persistence: None, ..ProptestConfig::default() }
}

fn ratio(p: i64, q: i64) -> Constant {
    Constant::rational(Rational::from(p) / Rational::from(q))
}

fn integral(text: &str) -> Question {
    Question::new(Asked::Integral(text.into()))
}

fn loss(method: Method<Constant>) -> Question {
    Question::new(Asked::Loss(method))
}

fn questions(list: &[Question]) -> Questions {
    Questions::new(list).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn everything(cost: &Cost) -> Vec<Question> {
    Question::all(cost, &ratio(1, 2), &ratio(1, 2))
}

fn values(evaluation: &Evaluation) -> Vec<&Value> {
    let losses = evaluation.losses(Condition::Cost).chain(evaluation.losses(Condition::Skew));
    evaluation.metrics().map(|(_, value)| value).chain(losses.map(|(_, value)| value)).collect()
}

/// The exact value of one integral, written out.
fn exactly(model: (&str, &str, &str), text: &str) -> String {
    let model = Model::new(model.0, model.1, model.2).unwrap_or_else(|error| panic!("{}", error.render(false)));
    let asked = questions(&[integral(text)]);
    let exact = asked.exact(&model).unwrap().remove(0).unwrap_or_else(|why| panic!("{text}: {why}"));
    let form = exact.closed_form().unwrap_or_else(|why| panic!("{text}: {why}"));
    // The numeric level says the same.
    let numeric = asked.numeric(&model).remove(0).estimate().unwrap_or_else(|| panic!("{text}"));
    let [lo, hi] = exact.enclosure_within(80).unwrap().ends();
    let error = Rational::try_from(numeric.error).unwrap();
    let value = Rational::try_from(numeric.value).unwrap();
    assert!(&value - &error <= hi && lo <= &value + &error && numeric.error < 1e-12, "{text}: {form}, {numeric:?}");
    form.to_string()
}

fn papers() -> impl Iterator<Item = (&'static str, Model)> {
    paper::MODELS.iter().map(|(name, _)| (*name, paper::model(name).unwrap().unwrap()))
}

const ATOMS: (&str, &str, &str) = ("{ 1/4: 1/2; 3/4: 1/2 }", "{ 1/4: 1/5; 1/2: 4/5 }", "1/3");
const STEPS: (&str, &str, &str) = ("{ 3/2 on [0,1/2]; 1/2 on [1/2,1] }", "{ 1/2 on [0,1/2]; 3/2 on [1/2,1] }", "1/3");
const LINEAR: (&str, &str, &str) = ("2*(1-x)", "2*x", "1/2");
const GAPPED: (&str, &str, &str) = ("uniform(0, 1/4)", "{ 1 on [1/8,1/4]; 7/4 on [1/2,1] }", "1/4");

#[test]
fn what_eval_says_is_one_list_of_questions() {
    let cost = Cost::uniform();
    let asked = questions(&everything(&cost));
    for (name, model) in papers() {
        let evaluation = evaluate(&model, &Request::at(Level::Numeric).under(cost.clone())).unwrap();
        for (k, (value, known)) in asked.numeric(&model).iter().zip(values(&evaluation)).enumerate() {
            assert_eq!(value.estimate(), known.estimate(), "{name}: {:?}", asked.questions()[k].asked);
        }
        let evaluation = evaluate(&model, &Request::at(Level::Certified).under(cost.clone())).unwrap();
        for (found, known) in asked.certified(&model, WIDTH).unwrap().iter().zip(&evaluation.values) {
            assert_eq!(found.as_ref().ok().copied(), known.enclosure(), "{name}");
        }
        let Ok(evaluation) = evaluate(&model, &Request::at(Level::Exact).under(cost.clone())) else { continue };
        for (found, known) in asked.exact(&model).unwrap().iter().zip(&evaluation.values) {
            match (found, known.exact()) {
                (Ok(found), Some(known)) => assert_eq!(found.equals(known.quantity()), Some(true), "{name}"),
                (found, known) => assert_eq!(found.is_ok(), known.is_some(), "{name}"),
            }
        }
    }
}

/// Asked alone, under its own cost distribution and parameter, a value is what it is among all.
#[test]
fn each_question_alone() {
    let (threshold, rate) = (ratio(1, 4), ratio(3, 10));
    for cost in ["uniform", "beta(2, 3)", "beta(0.5, 2)"].map(|text| Cost::parse(text).unwrap()) {
        let all = Question::all(&cost, &threshold, &rate);
        for (name, model) in papers() {
            let thresholds = Thresholds { threshold: threshold.clone(), rate: rate.clone() };
            let request = Request::at(Level::Numeric).under(cost.clone()).with_thresholds(thresholds);
            let evaluation = evaluate(&model, &request).unwrap();
            for (question, known) in all.iter().zip(values(&evaluation)) {
                let alone = questions(std::slice::from_ref(question)).numeric(&model).remove(0);
                match (alone.estimate(), known.estimate()) {
                    (Some(alone), Some(known)) => assert!(alone.agrees_with(known), "{name} {question:?}"),
                    (alone, known) => assert_eq!(alone, known, "{name} {question:?}"),
                }
            }
        }
    }
}

#[test]
fn transforms_and_costs_side_by_side() {
    let transforms = [
        vec![Transform::Conv],
        vec![Transform::Cal],
        vec![Transform::Even],
        vec![Transform::Conv, Transform::Even],
        vec![Transform::Even, Transform::Cal],
    ];
    let costs = ["uniform", "beta(2, 2)"].map(|text| Cost::parse(text).unwrap());
    let mut list = Vec::new();
    for (cost, transforms) in costs.iter().flat_map(|cost| transforms.iter().map(move |t| (cost, t))) {
        list.extend(everything(cost).into_iter().map(|q| Question { transforms: transforms.clone(), ..q }));
    }
    let asked = questions(&list);
    let models = [
        ("beta(2, 5)", "0.5*beta(5, 2) + 0.5*uniform(0.2, 0.6)", "0.3"),
        GAPPED,
        ATOMS,
        ("normal(0,1)", "normal(1,2)", "0.4"),
    ];
    for (f0, f1, pi0) in models {
        let model = Model::new(f0, f1, pi0).unwrap();
        let found = asked.numeric(&model);
        let exact = asked.exact(&model);
        let mut at = 0;
        for (cost, transforms) in costs.iter().flat_map(|cost| transforms.iter().map(move |t| (cost, t))) {
            let transformed = transforms.iter().fold(model.clone(), |model, t| model.transformed(*t));
            let evaluation = evaluate(&transformed, &Request::at(Level::Numeric).under(cost.clone())).unwrap();
            let known_exactly = read_exactly(&transformed, cost);
            assert_eq!(exact.is_ok(), known_exactly.is_ok());
            let (start, known) = (at, values(&evaluation));
            for known in known {
                match (found[at].estimate(), known.estimate()) {
                    (Some(found), Some(known)) => assert!(found.agrees_with(known), "{f0} {f1}: {:?}", list[at]),
                    (found, known) => assert_eq!(found, known, "{f0} {f1}: {:?}", list[at]),
                }
                at += 1;
            }
            let (Ok(exact), Ok(known)) = (&exact, known_exactly) else { continue };
            for (found, known) in exact[start..].iter().zip(&known.values) {
                assert_eq!(found.is_ok(), known.is_ok());
                if let (Ok(found), Ok(known)) = (found, known) {
                    assert_ne!(found.equals(known), Some(false), "{f0} {f1} {transforms:?}");
                }
            }
        }
    }
}

/// Texts that are typed rather than those of the definitions: the brackets hide that from what knows the definitions.
#[test]
fn typed_definitions_are_the_metrics() {
    let defined: Vec<(Question, Question)> = METRICS
        .iter()
        .filter_map(|metric| match metric.reading {
            Reading::Along(text) => Some((Question::metric(metric.name).unwrap(), integral(&format!("({text})")))),
            _ => None,
        })
        .collect();
    assert!(defined.len() >= 7);
    let (named, typed): (Vec<Question>, Vec<Question>) = defined.into_iter().unzip();
    let asked = questions(&[named.clone(), typed].concat());
    let mut models: Vec<Model> = papers().map(|(_, model)| model).collect();
    models.extend([ATOMS, STEPS, GAPPED].map(|(f0, f1, pi0)| Model::new(f0, f1, pi0).unwrap()));
    models.push(Model::new("normal(0, 1)", "normal(1, 2)", "0.3").unwrap());
    models.push(Model::new("beta(0.5, 2)", "beta(3, 0.7)", "0.2").unwrap());
    for model in models {
        let found = asked.numeric(&model);
        let exact = asked.exact(&model).ok();
        for (k, question) in named.iter().enumerate() {
            let Some(value) = found[k].estimate() else { continue };
            let typed = found[k + named.len()].estimate().unwrap_or_else(|| panic!("{question:?}"));
            assert!(value.agrees_with(typed) && typed.error < 1e-11, "{question:?} {value:?} {typed:?}");
            if let Some(exact) = &exact {
                let (Ok(value), Ok(typed)) = (&exact[k], &exact[k + named.len()]) else { panic!("{question:?}") };
                assert_eq!(value.equals(typed), Some(true), "{question:?}");
            }
        }
    }
}

#[test]
fn closed_forms_of_integrals_of_ones_own() {
    // F0 = 2x - x², F1 = x².
    assert_eq!(exactly(LINEAR, "F0^2 dF1"), "11/15");
    assert_eq!(exactly(LINEAR, "x^2*(1-F0) dx"), "1/30");
    // R = x.
    assert_eq!(exactly(LINEAR, "F0*F1 dR"), "3/10");
    assert_eq!(exactly(LINEAR, "c*(1-c) dR"), "1/6");
    assert_eq!(exactly(LINEAR, "2*(c*pi0*(1-F0) + (1-c)*pi1*F1) dc"), "1/6");
    // Along a tie both move evenly: from (0, 0) by (1/2, 1/5), then (0, 4/5), then (1/2, 0).
    assert_eq!(exactly(ATOMS, "F0^2 dF1"), "13/60");
    assert_eq!(exactly(ATOMS, "F0 dF1"), "9/20");
    assert_eq!(exactly(ATOMS, "x*(1-F1) dx"), "17/160");
    // R goes from 0 to 3/10 with c = 4/9, to 5/6 with c = 1, to 1 with c = 0.
    assert_eq!(exactly(ATOMS, "c*(1-c) dR"), "2/27");
    assert_eq!(exactly(ATOMS, "c*R dR"), "29/90");
    // Gaps count for dx alone: F0 = 4x up to 1/4, F1 = x - 1/8 from 1/8, 1/8 in the gap from 1/4 to 1/2, then up to 1.
    assert_eq!(exactly(GAPPED, "(F0 - F1) dx"), "71/128");
    assert_eq!(exactly(GAPPED, "dx"), "1");
    assert_eq!(exactly(GAPPED, "F0^3 dF0"), "1/4");
    // Precision over recall: along a segment from the origin it is constant, along another a logarithm.
    assert_eq!(exactly(STEPS, "pi0*F0/R dF0"), exactly(STEPS, "pi0*F0/(pi0*F0 + pi1*F1) dF0"));
    assert_eq!(exactly(("atom(0)", "atom(0)", "1/3"), "pi0*F0/R dF0"), "1/3");
    assert_eq!(exactly(STEPS, "(1+F1)^(-1)*F0 dF0"), exactly(STEPS, "F0/(1+F1) dF0"));
    assert_eq!(exactly(("{ 0: 1/2; 1: 1/2 }", "{ 0: 1/2; 1: 1/2 }", "1/2"), "F1/(1+F0) dF0"), "1 - ln(2)");
}

/// The posterior moves from 0 to the first direction, around corners and to 1: forwards and backwards.
#[test]
fn corners_count_in_integrals_over_the_posterior() {
    for model in [ATOMS, STEPS, GAPPED, LINEAR, ("beta(2, 5)", "beta(5, 2)", "0.3"), ("atom(1/2)", "atom(1/2)", "1/3")]
    {
        assert_eq!(exactly(model, "1 dc"), "1");
        assert_eq!(exactly(model, "c dc"), "1/2");
        assert_eq!(exactly(model, "c^2*(1-c) dc"), "1/12");
    }
    // The curve of ATOMS goes (0, 0), (1/5, 1/2), (1, 1/2), (1, 1) in (F1, F0), with c = 4/9, 1, 0:
    // 0 to 4/9 at F0 = 0, to 1 at 1/2, back to 0 at 1/2, to 1 at 1.
    assert_eq!(exactly(ATOMS, "F0 dc"), "7/9");
    assert_eq!(exactly(ATOMS, "F0*c dc"), "73/162");
    assert_eq!(exactly(ATOMS, "1/(1+c) dc"), "ln(2)");
}

/// What a model answers at the three levels, those that have a value.
fn at_all_levels(model: (&str, &str, &str), text: &str) -> [Option<f64>; 3] {
    let model = Model::new(model.0, model.1, model.2).unwrap();
    let asked = questions(&[integral(text)]);
    let exact =
        asked.exact(&model).unwrap().remove(0).ok().map(|value| to_f64(&value.enclosure_within(80).unwrap().ends()[0]));
    let certified = asked.certified(&model, WIDTH).unwrap().remove(0).ok();
    let certified = certified.filter(|value| value.width() < 1e-9).map(|value| value.mid());
    [exact, certified, asked.numeric(&model).remove(0).estimate().map(|estimate| estimate.value)]
}

/// Integrands are restricted to the piece before they are evaluated: a term that vanishes there does so whatever multiplies it.
#[test]
fn integrands_are_restricted_before_they_are_evaluated() {
    let flat = ("uniform(0, 1/4)", "{ 2 on [0,1/4]; 1 on [1/2,1] }", "1/4");
    for model in [flat, ATOMS, GAPPED] {
        let plain = at_all_levels(model, "dx*dR/(dx + dR)");
        // In a gap dx/dR is infinite and dR^2 is 0; on a tie dR/dx is infinite and dx^2 is 0.
        for text in ["(dx/dR)*dR^2/(dx + dR)", "(dR/dx)*dx^2/(dx + dR)"] {
            let found = at_all_levels(model, text);
            for (level, (found, plain)) in found.iter().zip(&plain).enumerate() {
                let both = found.zip(*plain);
                let agrees = both.is_some_and(|(found, plain)| (found - plain).abs() < 1e-9);
                // Enclosures do not divide by sums of different differentials where several move.
                assert!(agrees || (level == 1 && *found == *plain), "{model:?} {text}: {found:?} {plain:?}");
            }
        }
    }
    // All of the posterior's way is made at corners.
    for (model, text, wanted) in [
        (ATOMS, "dR on arcs", 0.0),
        (ATOMS, "dR on ties", 1.0),
        (ATOMS, "dR on gaps", 0.0),
        (flat, "dx on arcs", 0.75),
        (flat, "dx on gaps", 0.25),
        (flat, "dx on corners", 0.0),
        (flat, "dc on arcs", 0.0),
        (flat, "dc on corners", 1.0),
    ] {
        for found in at_all_levels(model, text) {
            assert!(found.is_some_and(|found| (found - wanted).abs() < 1e-9), "{text}: {found:?}");
        }
    }
}

/// What is 0/0 on a whole stretch of a curve has no value, however it comes about; at single points it does not matter.
#[test]
fn nothing_over_nothing_has_no_value() {
    // F0 = F1^2, F0 = x, F0 = x^2 = R^2 + ..., 1 - F0 = (1 - F1)^2, dF0 = dx.
    for (model, text) in [
        (("2*x", "1", "1/3"), "(F0 - F1^2)*dR/(F0 - F1^2)"),
        (("2*x", "1", "1/3"), "(F1 - x)*dF0/(F1 - x)"),
        (("2*(1-x)", "1", "1/3"), "dR*(1 - F0 - (1-F1)^2)/(1 - F0 - (1-F1)^2)"),
        (("1", "2*x", "1/3"), "(dF0 - dx)*dR/(dF0 - dx)"),
        (("3*x^2", "2*x", "1/3"), "dF1*(1 + (F0^2 - F1^3)/(F0^2 - F1^3))"),
        (("{ 0: 1/2; 1: 1/2 }", "{ 0: 1/4; 1: 3/4 }", "1/2"), "(c - 1/3)*dR/(c - 1/3)"),
    ] {
        assert_eq!(at_all_levels(model, text), [None; 3], "{model:?} {text}");
    }
    // Elsewhere they have one.
    for text in ["(F0 - F1^2)*dR/(F0 - F1^2)", "(F1 - x)*dR/(F1 - x)"] {
        let [_, _, numeric] = at_all_levels(LINEAR, text);
        assert!(numeric.is_none_or(|value| (value - 1.0).abs() < 1e-6), "{text}: {numeric:?}");
    }
    let [exact, ..] = at_all_levels(("2*(1-x)", "2*x", "1/2"), "(F0 - F1^3)*dR/(1 + F0 - F1^3)");
    assert!(exact.is_none_or(f64::is_finite));
}

#[test]
fn along_convex_models_the_loss_over_posteriors_is_the_optimal_one() {
    let cost = Cost::parse("beta(2, 3)").unwrap();
    let convex = [
        STEPS,
        LINEAR,
        ("2*(1-x)", "4*x^3", "1/3"),
        ("beta(2, 5)", "beta(5, 2)", "1/5"),
        ("uniform(0, 1/2)", "uniform(1/4, 1)", "2/7"),
    ];
    for (f0, f1, pi0) in convex {
        let model = Model::new(f0, f1, pi0).unwrap();
        let list = [
            integral("Q(c) dc"),
            loss(Method::Optimal),
            integral("Q(c)*(w(c)) dc").under(cost.clone()),
            loss(Method::Optimal).under(cost.clone()),
            integral("(Q(c)) dc").over(Condition::Skew),
            loss(Method::Optimal).over(Condition::Skew),
        ];
        let asked = questions(&list);
        let (numeric, exact) = (asked.numeric(&model), asked.exact(&model).unwrap());
        for k in [0, 2, 4] {
            let [a, b] = [k, k + 1].map(|k| numeric[k].estimate().unwrap());
            assert!(a.agrees_with(b) && a.error < 1e-12, "{f0} {f1}: {a:?} {b:?}");
            let (Ok(a), Ok(b)) = (&exact[k], &exact[k + 1]) else { panic!("{f0} {f1}") };
            assert_eq!(a.equals(b), Some(true), "{f0} {f1}");
        }
    }
    // With a concavity it is not.
    let model = Model::new(ATOMS.0, ATOMS.1, ATOMS.2).unwrap();
    let exact = questions(&[integral("Q(c) dc"), loss(Method::Optimal)]).exact(&model).unwrap();
    assert_eq!(exact[0].as_ref().unwrap().equals(exact[1].as_ref().unwrap()), Some(false));
}

#[test]
fn thresholds_at_ties_and_in_gaps() {
    let model = Model::new(ATOMS.0, ATOMS.1, ATOMS.2).unwrap();
    let at = |t: Constant| Question::new(Asked::At("F0 - 2*F1".into(), CurvePoint::Score(t)));
    let rate = |r: Constant| Question::new(Asked::At("F0^2 + 3*F1".into(), CurvePoint::Rate(r)));
    let accuracy = |t: Constant| {
        Question::new(Asked::Metric(
            rocproof::functional::definition::metric_named("Acc").unwrap(),
            Some(CurvePoint::Score(t)),
        ))
    };
    let list = [
        (at(ratio(1, 5)), "0"),
        (at(ratio(1, 4)), "1/10"),
        (at(ratio(1, 3)), "1/10"),
        (at(ratio(1, 2)), "-3/2"),
        (at(ratio(3, 4)), "-1"),
        (at(ratio(2, 1)), "-1"),
        // R = 3/20 is half way through the first tie, at (1/4, 1/10); 3/10 is at its end; 17/30 half way through the second.
        (rate(ratio(3, 20)), "29/80"),
        (rate(ratio(3, 10)), "17/20"),
        (rate(ratio(17, 30)), "41/20"),
        (rate(ratio(0, 1)), "0"),
        (rate(ratio(1, 1)), "4"),
        (accuracy(ratio(1, 4)), "7/10"),
        (accuracy(ratio(1, 5)), "2/3"),
        (loss(Method::ScoreFixed(ratio(1, 4))), "3/10"),
        (loss(Method::RateFixed(ratio(3, 10))), "3/10"),
        (loss(Method::ScoreFixed(ratio(1, 4))).under(Cost::parse("beta(1, 3)").unwrap()), "17/60"),
    ];
    let asked = questions(&list.iter().map(|(question, _)| question.clone()).collect::<Vec<_>>());
    let (numeric, exact) = (asked.numeric(&model), asked.exact(&model).unwrap());
    for (k, (question, known)) in list.iter().enumerate() {
        assert_eq!(exact[k].as_ref().unwrap().closed_form().unwrap().to_string(), *known, "{question:?}");
        let value: f64 = exact[k].as_ref().unwrap().as_rational().unwrap().to_f64().value();
        let found = numeric[k].estimate().unwrap();
        assert!((found.value - value).abs() <= found.error && found.error < 1e-12, "{question:?}: {found:?}");
    }
    // A threshold that is not rational has no exact value, but a numeric one.
    let irrational = Constant::real(0.5f64.sqrt(), rocproof::arith::Interval::around(0.5f64.sqrt(), 1e-15));
    let asked = questions(&[at(irrational)]);
    assert!(asked.exact(&model).unwrap()[0].is_err());
    assert!((asked.numeric(&model)[0].estimate().unwrap().value + 1.5).abs() < 1e-14);
}

#[test]
fn what_does_not_apply_says_why() {
    let asked = questions(&[
        Question::metric("BS").unwrap(),
        Question::metric("BS").unwrap().of(Transform::Cal),
        integral("(x^2 dF0)"),
        integral("x/(h-l) dx"),
        integral("x dx"),
        integral("(F0-F1) dx"),
        integral("1/F0 dF1"),
    ]);
    let why = |value: &Value| match value {
        Value::Missing(why) => why.to_string(),
        value => panic!("{value:?}"),
    };
    // Of scores on a bounded scale, and on the whole line.
    let model = Model::new("uniform(2, 3)", "uniform(2, 4)", "1/2").unwrap();
    let (found, exact) = (asked.numeric(&model), asked.exact(&model).unwrap());
    assert!(
        why(&found[0]).contains("outside [0, 1]")
            && exact[0].as_ref().unwrap_err().to_string().contains("outside [0, 1]")
    );
    for k in [1, 2, 3, 4, 5] {
        assert!(found[k].estimate().is_some() && exact[k].is_ok(), "{k}");
    }
    assert_eq!(exact[5].as_ref().unwrap().closed_form().unwrap().to_string(), "1/2");
    // Where F0 starts at 0 with F1, the integral of 1/F0 diverges.
    assert!(found[6].estimate().is_none() && exact[6].is_err(), "{:?}", found[6]);

    let model = Model::new("normal(0, 1)", "normal(1, 2)", "1/2").unwrap();
    let found = asked.numeric(&model);
    assert!(why(&found[0]).contains("outside [0, 1]") && why(&found[3]).contains("no bounded scale"));
    why(&found[4]);
    let [square, difference] = [2, 5].map(|k| found[k].estimate().unwrap());
    assert!((square.value - 1.0).abs() <= square.error && square.error < 1e-9, "{square:?}");
    assert!((difference.value - 1.0).abs() <= difference.error && difference.error < 1e-9, "{difference:?}");
}

/// Models are searched side by side.
#[test]
fn questions_are_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&questions(&[integral("F0 dF1")]));
}

/// The strongest level that serves: exact, certified where that is telling, numeric.
#[test]
fn the_best_answers() {
    let asked =
        questions(&[integral("F0^2 dF1"), Question::metric("H_priors").unwrap(), Question::metric("BS").unwrap()]);
    let levels = |f0: &str, f1: &str, pi0: &str| {
        let level = |value: Value| match value {
            Value::Exact(_) => "exact",
            Value::Certified(..) => "certified",
            Value::Numeric(_) => "numeric",
            Value::Missing(_) => "none",
        };
        asked.best(&Model::new(f0, f1, pi0).unwrap()).unwrap().into_iter().map(level).collect::<Vec<_>>()
    };
    assert_eq!(levels("2*(1-x)", "2*x", "1/3"), ["exact", "certified", "exact"]);
    assert_eq!(levels("beta(2.5, 4)", "beta(5, 1.5)", "1/3"), ["certified"; 3]);
    assert_eq!(levels("normal(0, 1)", "normal(1, 2)", "1/3"), ["certified", "certified", "none"]);
    // Exact arithmetic follows proportions that floating point cannot.
    let rare = Model::new("2*(1-x)", "2*x", "1e-20").unwrap();
    assert!(questions(&[integral("pi0*F0^2 dF1")]).best(&rare).unwrap()[0].exact().is_some());
    assert!(
        matches!(&questions(&[integral("F0^2 dF1")]).numeric(&rare)[0], Value::Missing(why) if why.to_string().contains("floating point"))
    );
}

#[test]
fn texts_that_are_no_integrals_are_told_apart() {
    let message = |asked: Asked| Questions::new(&[Question::new(asked)]).unwrap_err().message;
    let integral = |text: &str| message(Asked::Integral(text.into()));
    assert!(integral("F2 dF1").contains("unknown name `F2`"));
    assert!(integral("q0 dF1").contains("unknown name `q0`"));
    for text in ["F0", "F0 dF1 dF0", "F0 + dF1", "dF1/(1 + dF0)", "F0 dF1 + 1", "dF0/dF1"] {
        assert!(integral(text).contains("differential"), "{text}");
    }
    for text in ["F0 dF1", "c", "dF0/dF1"] {
        assert!(
            message(Asked::At(text.into(), CurvePoint::Score(ratio(1, 2)))).contains("no value at a point"),
            "{text}"
        );
    }
    for text in ["F0^200 dF1", "(F0^20)^20 dF1", "2^1000000 dF1", "F0^-200 dF1"] {
        assert!(integral(text).contains("powers above 128"), "{text}");
    }
    let rate = message(Asked::At("x".into(), CurvePoint::Rate(ratio(1, 2))));
    assert!(rate.contains("need not be unique"), "{rate}");
    for text in ["0", "dx*dF0/dR", "dF0*dF1/dR + x^2 dx - (c dc)", "-F0 dF1", "(dF0 + dF1)^2/dR"] {
        assert!(Questions::new(&[Question::new(Asked::Integral(text.into()))]).is_ok(), "{text}");
    }
}

const TYPED: [&str; 12] = [
    "F0^2 dF1",
    "F0*F1 dR",
    "x^2*(1-F0) dx",
    "c*(1-c) dR",
    "2*(c*pi0*(1-F0)+(1-c)*pi1*F1) dc",
    "F1*(1-F0)*c dc",
    "100*F0^5*(1-F1)^3 dF1 - x dx",
    "dF0*dF1/dR",
    "pi0*F0/R dF0",
    "Q(R)*w(R) dR",
    "(F0-F1)^2 dx",
    "x*(1-x)*w(x) dF1 + 3*c^2 dc",
];

fn check(text: &Text, transforms: &[Transform], cost: &str) -> Result<(), TestCaseError> {
    let cost = Cost::parse(cost).unwrap();
    let ask = |text: &&str| Question { transforms: transforms.to_vec(), ..integral(text).under(cost.clone()) };
    let asked = questions(&TYPED.iter().map(ask).collect::<Vec<_>>());
    let model = text.model();
    let (numeric, Ok(exact)) = (asked.numeric(&model), asked.exact(&model)) else { return Ok(()) };
    for (k, integrand) in TYPED.iter().enumerate() {
        let Ok(exact) = &exact[k] else { continue };
        let Some(settled) = rocproof::functional::ExactValue::new(exact.clone()) else { continue };
        let found = numeric[k].estimate();
        prop_assert!(found.is_some(), "{integrand}: {:?}", numeric[k]);
        let found = found.unwrap();
        let close = found.value - found.error <= settled.hi && settled.lo <= found.value + found.error;
        prop_assert!(close && found.error < 1e-8, "{text:?} {integrand}: {found:?} {}", settled.value);
    }
    let Ok(certified) = asked.certified(&model, WIDTH) else { return Ok(()) };
    for (k, integrand) in TYPED.iter().enumerate() {
        let (Ok(exact), Ok(interval)) = (&exact[k], &certified[k]) else { continue };
        let Some(settled) = rocproof::functional::ExactValue::new(exact.clone()) else { continue };
        let holds = interval.lo() <= settled.hi && settled.lo <= interval.hi();
        prop_assert!(holds && interval.width() < 1e-9, "{text:?} {integrand}: {interval:?} {}", settled.value);
    }
    Ok(())
}

/// Densities that are not polynomials: enclosures and estimates of integrals of one's own agree, and most are narrow.
#[test]
fn enclosures_of_typed_integrals_hold_the_estimates() {
    let models = [
        ("beta(2.5, 4)", "beta(5, 1.5)", "1/3"),
        ("beta(0.5, 2)", "beta(3, 0.7)", "0.2"),
        ("normal(0, 1)", "normal(1, 2)", "0.3"),
        ("6*x*(1-x)", "1 + sin(6*pi*x)/2", "0.3"),
        ("0.5*beta(2,5) + 0.5*{ 0.25: 1 }", "0.3*uniform(0,1) + 0.7*{ 0.25: 0.5; 0.75: 0.5 }", "0.4"),
        ("beta(2, 2)", "0.5*beta(1.5, 5) + 0.5*beta(5, 1.5)", "0.4"),
    ];
    let asked = questions(&TYPED.map(integral));
    let mut narrow = 0;
    for (f0, f1, pi0) in models {
        let model = Model::new(f0, f1, pi0).unwrap();
        let (numeric, certified) = (asked.numeric(&model), asked.certified(&model, WIDTH).unwrap());
        for (k, text) in TYPED.iter().enumerate() {
            let (Some(found), Ok(interval)) = (numeric[k].estimate(), &certified[k]) else { continue };
            let meet = found.value - found.error <= interval.hi() && interval.lo() <= found.value + found.error;
            assert!(meet, "{f0} {f1} {text}: {found:?} {interval:?}");
            narrow += usize::from(interval.width() < 1e-10 && found.error < 1e-10);
        }
    }
    // All but precision, where it starts, and what scores without bounds have no value of.
    assert!(narrow >= 56, "{narrow}");
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn the_numeric_level_is_within_its_error_of_the_exact_one(
        text in common::piecewise(),
        transform in prop::option::of(0..3usize),
        cost in prop_oneof![Just("uniform"), Just("beta(2, 3)")],
    ) {
        let transforms = [Transform::Conv, Transform::Cal, Transform::Even];
        check(&text, transform.map(|k| transforms[k]).as_slice(), cost)?;
    }
}
