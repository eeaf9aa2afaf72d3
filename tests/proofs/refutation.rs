//! False statements are refuted, by models that are read again and evaluated by other means; true statements never are.

use rocproof::lang::{Op, Relation};
use rocproof::model::Transform;
use rocproof::model::constant::Constant;
use rocproof::search::{Budget, Counterexample, Decision, SearchOutcome, examine, refute};
use rocproof::statement::{Amount, Asked, Class, CostDistribution, CurvePoint, Functional, Statement, Term};
use rocproof::{Condition, Cost, Method, Model, Request, Thresholds, evaluate};
use std::time::{Duration, Instant};

/// How far two ways to compute a number may lie apart.
const TOLERANCE: f64 = 1e-9;
/// How far a sum over a grid may lie from the integral.
const COARSE: f64 = 1e-3;

fn battery(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

fn search(text: &str, seconds: f64) -> (Statement, SearchOutcome) {
    let statement = Statement::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let start = Instant::now();
    let outcome = refute(&statement, &Budget { ceiling: Duration::from_secs_f64(20.0 * seconds), ..Budget::default() });
    println!("{:7.3} s  {text}", start.elapsed().as_secs_f64());
    (statement, outcome)
}

/// A counterexample, read again.
struct Again<'a> {
    models: Vec<Model>,
    of: &'a Counterexample,
}

impl Again<'_> {
    fn new(of: &Counterexample) -> Again<'_> {
        let models = of.models.iter().map(|(_, texts)| Model::new(&texts.f0, &texts.f1, &texts.pi0).unwrap()).collect();
        Again { models, of }
    }

    fn parameter(&self, name: &str) -> Constant {
        let (_, value) = self.of.parameters.iter().find(|(known, _)| known == name).unwrap();
        Constant::rational(value.clone())
    }

    fn amount(&self, amount: &Amount) -> Constant {
        match amount {
            Amount::Number(value) => Constant::from(value),
            Amount::Symbol(name) => self.parameter(name),
        }
    }

    fn term(&self, term: &Term) -> f64 {
        use rocproof::statement::TermFunction;
        match term {
            Term::Number(value) => value.value,
            Term::Symbol(name) => match name.as_str() {
                "pi0" => self.models[0].proportions().0,
                "pi1" => self.models[0].proportions().1,
                name => self.parameter(name).value,
            },
            Term::Value(functional) => self.functional(functional),
            Term::Binary(op, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                match op {
                    Op::Add => left + right,
                    Op::Sub => left - right,
                    Op::Mul => left * right,
                    _ => left / right,
                }
            }
            Term::Power(base, exponent) => self.term(base).powi(*exponent),
            Term::Function(function, terms) => {
                let values = terms.iter().map(|term| self.term(term));
                match function {
                    TermFunction::Min => values.fold(f64::INFINITY, f64::min),
                    TermFunction::Max => values.fold(f64::NEG_INFINITY, f64::max),
                    TermFunction::Abs => values.sum::<f64>().abs(),
                    TermFunction::Sqrt => values.sum::<f64>().sqrt(),
                }
            }
        }
    }

    fn functional(&self, functional: &Functional) -> f64 {
        let model =
            functional.transforms.iter().fold(
                self.models[functional.model].clone(),
                |model, transform| match transform {
                    Transform::Conv => model.conv(),
                    Transform::Cal => model.cal(),
                    Transform::Even => model.even(),
                },
            );
        let cost = match &functional.weight {
            CostDistribution::Known(beta) => Cost::from(&**beta),
            CostDistribution::Any => self.of.cost.clone().unwrap_or_else(Cost::uniform),
        };
        let mut thresholds = Thresholds::default();
        match functional.point() {
            Some(CurvePoint::Score(t)) => thresholds.threshold = self.amount(t),
            Some(CurvePoint::Rate(r)) => thresholds.rate = self.amount(r),
            None => {}
        }
        let request = Request::default().under(cost).with_thresholds(thresholds.clone());
        let evaluation = evaluate(&model, &request).unwrap();
        let metric = |name: &str| evaluation.metric(name).unwrap().estimate().unwrap().value;
        let balanced = functional.condition == Condition::Skew;
        match &functional.asked {
            Asked::Metric(definition, _) if balanced => match definition.name {
                "RL" => {
                    let half = Model::new(model.density(0).text(), model.density(1).text(), "1/2").unwrap();
                    let evaluation = evaluate(&half, &request).unwrap();
                    evaluation.metric("RL").unwrap().estimate().unwrap().value
                }
                name => metric(&format!("M{name}")),
            },
            Asked::Metric(definition, _) => metric(definition.name),
            Asked::Loss(method) => {
                let method = match method {
                    Method::ScoreFixed(_) => Method::ScoreFixed(thresholds.threshold.value),
                    other => other.map(|_| thresholds.rate.value),
                };
                evaluation.loss(functional.condition, method).unwrap().estimate().unwrap().value
            }
            Asked::At(name, CurvePoint::Score(_)) => {
                let t = thresholds.threshold.value;
                let f = [0, 1].map(|class| model.density(class).cdf(t));
                let (pi0, pi1) = model.proportions();
                match name.as_ref() {
                    "F0" => f[0],
                    "F1" => f[1],
                    _ => pi0 * f[0] + pi1 * f[1],
                }
            }
            Asked::At(_, CurvePoint::Rate(_)) => unreachable!("the battery has no such statement"),
            Asked::Integral(integrand) => by_grid(&model, integrand.text()),
        }
    }
}

/// The integrals of the battery, as sums over a fine grid; atoms are straight segments.
fn by_grid(model: &Model, text: &str) -> f64 {
    let steps = 20_000;
    let (pi0, pi1) = model.proportions();
    let (mut sum, mut last) = (0.0, [0.0, 0.0]);
    let mut add = |x: f64, last: &mut [f64; 2], next: [f64; 2]| {
        // Along a straight segment, in ten parts.
        for part in 0..10 {
            let share = (f64::from(part) + 0.5) / 10.0;
            let [f0, f1] = [0, 1].map(|k| last[k] + share * (next[k] - last[k]));
            let [d0, d1] = [0, 1].map(|k| (next[k] - last[k]) / 10.0);
            let dr = pi0 * d0 + pi1 * d1;
            sum += match text {
                "F0*dF1" => f0 * d1,
                "F1*dF0" => f1 * d0,
                "F0^2*dF1" => f0 * f0 * d1,
                "F0*F1*dF1" => f0 * f1 * d1,
                "F0*F1*dR" => f0 * f1 * dr,
                "x*dF0" => x * d0,
                "x*dF1" => x * d1,
                other => unreachable!("{other}"),
            };
        }
        *last = next;
    };
    let (lo, hi) = [0, 1]
        .map(|class| model.density(class).support())
        .iter()
        .fold((0.0f64, 1.0f64), |(lo, hi), s| (lo.min(s.0), hi.max(s.1)));
    for step in 0..=steps {
        let x = lo + (hi - lo) * f64::from(step) / f64::from(steps);
        let next = [0, 1].map(|class| model.density(class).cdf(x));
        add(x, &mut last, next);
    }
    sum
}

/// Whether a relation holds between two numbers that are known to within a tolerance.
fn holds(relation: Relation, left: f64, right: f64, tolerance: f64) -> Option<bool> {
    let alike = (left - right).abs() <= tolerance;
    match relation {
        Relation::Equal => Some(alike),
        _ if alike => None,
        Relation::AtMost | Relation::Less => Some(left < right),
        Relation::AtLeast | Relation::Greater => Some(left > right),
    }
}

#[test]
fn false_statements_are_refuted() {
    let mut failures = Vec::new();
    for text in battery(include_str!("../battery/false.txt")) {
        let (statement, outcome) = search(text, 20.0);
        let SearchOutcome::Refuted(found) = outcome else {
            failures.push(format!("not refuted: {text}"));
            continue;
        };
        let again = Again::new(&found);
        let coarse = statement.functionals().iter().any(|f| matches!(f.asked, Asked::Integral(_)));
        let tolerance = if coarse { COARSE } else { TOLERANCE };
        for supposed in statement.premises.iter().chain(&statement.conditions) {
            let [left, right] = supposed.sides().map(|side| again.term(side));
            assert_ne!(holds(supposed.relation, left, right, tolerance), Some(false), "{text}: {supposed}\n{found}");
        }
        let [left, right] = found.claim.sides().map(|side| again.term(side));
        for (side, shown) in [(left, &found.lhs), (right, &found.rhs)] {
            let value = shown.estimate().unwrap().value;
            assert!((side - value).abs() <= tolerance, "{text}: {side} is not {value}\n{found}");
        }
        assert_ne!(holds(found.claim.relation, left, right, tolerance), Some(true), "{text}\n{found}");
        // The statement, decided on the same model, fails too.
        if statement.parameters().is_empty() && found.cost.is_none() {
            assert!(matches!(examine(&statement, &again.models), Decision::Fails(_)), "{text}\n{found}");
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn true_statements_are_not_refuted() {
    for text in battery(include_str!("../battery/true.txt")) {
        let (_, outcome) = search(text, 0.3);
        match outcome {
            SearchOutcome::Refuted(found) => panic!("{text}\n{found}"),
            SearchOutcome::NotFound(support) => assert!(support.models > 0, "{text}: no model was tried"),
        }
    }
}

#[test]
fn counterexamples_are_simple() {
    for (text, f0, f1, pi0) in
        [("AUC >= 1/2", "atom(1)", "atom(0)", "1/2"), ("for perfect m: BS == 0", "atom(0)", "atom(1/2)", "1/2")]
    {
        let (_, SearchOutcome::Refuted(found)) = search(text, 5.0) else { panic!("{text}") };
        let texts = &found.models[0].1;
        assert_eq!((texts.f0.as_str(), texts.f1.as_str(), texts.pi0.as_str()), (f0, f1, pi0), "{text}");
        assert!(found.is_exact());
    }
}

#[test]
fn families_narrow_the_search() {
    let statement = Statement::parse("AUC >= 1/2").unwrap().with_suppositions(&[Class::Binormal], &[]).unwrap();
    let SearchOutcome::Refuted(found) = refute(&statement, &Budget::default()) else { panic!() };
    assert!(found.models[0].1.f0.starts_with("normal("), "{found}");
}

#[test]
fn a_model_beside_the_statement_decides_nothing() {
    let model = Model::new("2*x", "2*(1-x)", "1/3").unwrap();
    let decided = |text: &str| examine(&Statement::parse(text).unwrap(), std::slice::from_ref(&model));
    assert!(matches!(decided("for convex m: AUC == 1"), Decision::OutOfScope { .. }));
    assert!(matches!(decided("AUC == 1 where pi0 == 1/2"), Decision::OutOfScope { .. }));
    assert!(matches!(decided("AUC == 1 where AUC > 1/2"), Decision::OutOfScope { .. }));
    assert!(matches!(decided("AUC == 1/6"), Decision::Holds { .. }));
    assert!(matches!(decided("AUC < 1/6"), Decision::Fails(_)));
    assert!(matches!(decided("AUC <= 1/6"), Decision::Holds { .. }));
}

#[test]
fn a_search_keeps_to_its_time() {
    let start = Instant::now();
    let (_, outcome) = search("L[o] <= L[rd]", 0.5);
    assert!(matches!(outcome, SearchOutcome::NotFound(_)));
    assert!(start.elapsed() < Duration::from_secs(3));
}
