//! Certificates: what was proved is accepted, whatever was changed is rejected, and what was proved holds in numbers.

use crate::common::*;
use rocproof::lang::{Op, Relation};
use rocproof::statement::{Asked, CostDistribution, Functional, Statement, Term};
use rocproof::theory::certificate::{Certificate, Proof};
use rocproof::theory::effort::Effort;
use rocproof::theory::{check, derivation, prove, sympy};
use rocproof::{Condition, Cost, Evaluation, Level, Model, Request, evaluate, paper};
use serde_json::{Value, json};
use std::time::Duration;

fn proved(text: &str) -> Certificate {
    let statement = Statement::parse(text).unwrap();
    prove::statement(&statement, &Effort::usual(Duration::from_secs(60))).unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn refused(text: &str) -> String {
    prove::statement(&Statement::parse(text).unwrap(), &Effort::usual(Duration::from_secs(60)))
        .expect_err(text)
        .to_string()
}

/// Proofs with every kind of thing in them.
const VARIED: [&str; 12] = [
    "L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3",
    "for m: L[o] == RL(Conv(m))",
    "for random m: L[o] == pi0*pi1",
    "for perfect m: L[su] == (pi0*(s0 - l) + pi1*(h - s1))/(h - l)",
    "for calibrated m: L[sd; w] == L[o; w]",
    "BS >= L[o]",
    "L[ru] > L[rd]",
    "for convex m: AUC >= 1/2",
    "AUC^2 <= AUC",
    "L[rd] <= 1/3 where AUC >= 1/2",
    "abs(Gini) <= 2*KS",
    "AUC/L[ru] == AUC/(pi0*pi1*(1 - 2*AUC) + 1/2)",
];

#[test]
fn certificates_survive_being_written() {
    for text in VARIED {
        let written = serde_json::to_string_pretty(&proved(text).to_json()).unwrap();
        let read: Value = serde_json::from_str(&written).unwrap();
        let verified = check::verify(&read).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(Statement::parse(text).unwrap().to_string(), verified.statement);
        let again = Certificate::from_json(&read).unwrap();
        assert_eq!(serde_json::to_string_pretty(&again.to_json()).unwrap(), written);
    }
}

/// Every value that differs from a value in one place.
fn changed(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Null => found.push(json!(1)),
        Value::Bool(flag) => found.push(json!(!flag)),
        Value::Number(number) => found.extend([json!(number.as_u64().unwrap() + 1), json!("0"), Value::Null]),
        Value::String(text) => {
            found.extend([json!(format!("{text} + 1")), json!(format!("2*{text}")), json!(""), json!(0)]);
            let other = |from: &str, to: &str| json!(text.replacen(from, to, 1));
            let all = [other("+", "-"), other("-", "+"), other("1", "2"), other("F0", "F1"), other("pi0", "l")];
            found.extend(all.into_iter().filter(|other| other != value));
        }
        Value::Array(items) => {
            for k in 0..items.len() {
                let mut fewer = items.clone();
                let item = fewer.remove(k);
                found.push(json!(fewer));
                let mut more = items.clone();
                more.insert(k, item);
                found.push(json!(more));
                let change = |item: Value| {
                    let mut all = items.clone();
                    all[k] = item;
                    json!(all)
                };
                found.extend(changed(&items[k]).into_iter().map(change));
            }
            found.push(json!([items.clone(), vec![json!("more")]].concat()));
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let mut fewer = fields.clone();
                fewer.remove(name);
                found.push(Value::Object(fewer));
                let change = |field: Value| {
                    let mut all = fields.clone();
                    all.insert(name.clone(), field);
                    Value::Object(all)
                };
                found.extend(changed(field).into_iter().map(change));
            }
            let mut more = fields.clone();
            more.insert("more".into(), json!("more"));
            found.push(Value::Object(more));
        }
    }
    found
}

#[test]
fn whatever_is_changed_is_rejected() {
    for text in VARIED {
        let certificate = proved(text).to_json();
        let all = changed(&certificate);
        assert!(all.len() > 60, "{text}: {} changes", all.len());
        for other in all {
            assert_ne!(other, certificate);
            assert!(check::verify(&other).is_err(), "{text}: accepted {other}");
        }
    }
}

#[test]
fn a_proof_of_another_statement_is_rejected() {
    for [text, other] in [
        ["L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3", "L[rd] == pi0*pi1*(1 - 2*AUC) + 1/4"],
        ["for convex m: L[o] == RL", "L[o] == RL"],
        ["BS >= L[o]", "BS > L[o]"],
        ["BS >= L[o]", "BS <= L[o]"],
        ["MAE == L[su]", "MAE == L[su] == L[sd]"],
        ["for random m: AUC == 1/2", "AUC == 1/2"],
    ] {
        let mut certificate = proved(text).to_json();
        let rest = certificate.to_string();
        let claim = |text: &str| text.split(": ").last().unwrap().to_owned();
        let moved = rest.replace(text, other).replace(&claim(text), &claim(other));
        assert_ne!(moved, rest);
        assert!(check::verify(&serde_json::from_str(&moved).unwrap()).is_err(), "{other}");
        certificate["statement"] = other.into();
        assert!(check::verify(&certificate).is_err(), "{other}");
    }
}

/// What the rejection says when a part of the certificate is replaced.
fn rejection(text: &str, place: &str, by: Value) -> String {
    let mut certificate = proved(text).to_json();
    *certificate.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = by;
    check::verify(&certificate).unwrap_err().to_string()
}

#[test]
fn rejections_say_what_is_wrong() {
    let identity = "L[ru] == L[rd] + 1/6";
    let relation = "/claims/0/steps/0/relations/0";
    let w = "for calibrated m: L[sd; w] == L[o; w]";
    for (text, place, by, message) in [
        // A weight that nothing is known of has no derivative that could be told.
        (w, "/claims/0/steps/0/relations/0/potentials/0/function", json!("w(c)*F0"), "is not a fraction"),
        (identity, &format!("{relation}/others/0/factor"), json!("c"), "c may not occur in c"),
        (identity, &format!("{relation}/others/0/factor"), json!("1/(2*pi0 - 1)"), "divides by what may be zero"),
        (identity, &format!("{relation}/others/0/factor"), json!("1/0"), "is not a fraction"),
        (identity, &format!("{relation}/others/0/factor"), json!("L[rd]"), "L[rd] may not occur in"),
        (identity, &format!("{relation}/others/0/integral"), json!("BS"), "there is no integral BS"),
        (identity, &format!("{relation}/integral"), json!("1"), "`1` is not an integral"),
        (identity, &format!("{relation}/potentials"), json!([]), "one potential for each stretch"),
        (identity, &format!("{relation}/potentials/0/function"), json!("F0"), "is not"),
        (identity, &format!("{relation}/potentials/0/stretch"), json!(7), "stretch that does not exist"),
        (
            identity,
            &format!("{relation}/constant"),
            json!("1/5"),
            "/claims/0/steps/0/relations/0/constant should be \"1/6\"",
        ),
        (identity, "/claims/0/steps/0/relations", json!([]), "the sides differ by"),
        (identity, "/claims/0/steps", json!([]), "is shown in 2 steps, not in 0"),
        (identity, "/claims", json!([]), "the statement has 1 claims, the proof 0"),
        (identity, "/hypotheses", json!(["pi0 == 1/2"]), "/hypotheses should be []"),
        (identity, "/format", json!("1"), "`format` must be"),
        (identity, "/statement", json!("L[ru] == "), "expected"),
        ("L[ru] > L[rd]", "/claims/0/steps/0/terms/0/times", json!("-1/6"), "a rule is taken -1/6 times"),
        ("L[ru] > L[rd]", "/claims/0/steps/0/terms/0/times", json!("0"), "nothing in it is positive"),
        ("L[ru] > L[rd]", "/claims/0/steps/0/scale", json!("0"), "0 is not positive for every model"),
        ("L[ru] > L[rd]", "/claims/0/steps/0/scale", json!("-1"), "-1 is not positive for every model"),
        ("BS >= L[o]", "/claims/0/steps/0/potentials", json!([]), "one potential for each stretch"),
    ] {
        let said = rejection(text, place, by);
        assert!(said.contains(message), "{place}: {said}");
    }
    let mut twice = proved(identity).to_json();
    let all = twice.pointer_mut("/claims/0/steps/0/relations").unwrap().as_array_mut().unwrap();
    all.push(all[0].clone());
    assert!(check::verify(&twice).unwrap_err().to_string().contains("is not used"));
    assert!(rejection(identity, &format!("{relation}/potentials/0/function"), json!("1")).contains("has a constant"));
}

#[test]
fn what_has_no_meaning_or_is_false_is_not_proved() {
    for (text, why) in [
        ("1/(AUC - AUC) == 1/(AUC - AUC)", "zero for every model"),
        ("1/(L[ru] - L[rd] - 1/6) == 1/(L[ru] - L[rd] - 1/6)", "zero for every model"),
        ("for even m: R(2) == 2", "no rate is 2"),
        ("AUC == AUC where pi0 == 2", "no model satisfies"),
        ("L[o] == RL", "no rules"),
        ("L[rd] > 1/12", ""),
        ("for m, n: AUC(m) == AUC(m)", "two models"),
        ("L[ru] == L[rd] + 1/6 == L[rd]", "no rules"),
    ] {
        assert!(refused(text).contains(why), "{text}: {}", refused(text));
    }
}

#[test]
fn what_terms_need_is_supposed() {
    for (text, hypothesis) in [
        ("AUC/RL == AUC/RL", "RL is not 0"),
        ("RL*(AUC - 1/2)^-1 == RL/(AUC - 1/2)", "AUC - 1/2 is not 0"),
        ("1/Gini >= 1 implies AUC <= 1", "Gini is not 0"),
        ("AUC <= 1 where pi0/(2*pi0 - 1) >= 0", "2*pi0 - 1 is not 0"),
        ("int((h-l)/(h-l) dR) == 1", "scores lie in a bounded interval [l, h], l < h"),
        ("L[o; w] >= 0", "w is a probability density on [0, 1]"),
        ("for even m: R(t) == t", "t lies in [0, 1]"),
        ("L[rf(r)] == 1 - Acc(Rinv(r))", "r lies in [0, 1]"),
        ("int(F0 dx) == h - s0", "scores lie in a bounded interval [l, h], l < h"),
        ("s1 - s0 == int((F0 - F1) dx)", "scores lie in a bounded interval [l, h], l < h"),
    ] {
        let certificate = proved(text).to_json();
        let hypotheses = check::verify(&certificate).unwrap().hypotheses;
        assert!(hypotheses.iter().any(|known| known == hypothesis), "{text}: {hypotheses:?}");
    }
    assert_eq!(proved("L[ru]/pi0 == L[rd]/pi0 + 1/(6*pi0)").hypotheses(), [""; 0]);
}

/// Models of a class, or of none.
fn models(classes: &str) -> Vec<Model> {
    let all: &[[&str; 3]] = match classes {
        "" => &[
            ["2*(1-x)", "4*x^3", "1/3"],
            ["beta(2, 3)", "beta(4, 2)", "3/5"],
            ["{ 2 on [0,1/4]; 1/2 on [1/2,1]; 1 on [1/4,1/2] }", "{ 3/2 on [1/6,1/2]; 1 on [1/2,1] }", "1/4"],
            ["atoms: { 1/5: 1/2; 3/5: 1/2 }", "atoms: { 1/5: 1/4; 2/5: 1/2; 4/5: 1/4 }", "2/5"],
        ],
        "convex" => &[["2*(1-x)", "4*x^3", "1/3"], ["1", "1/2 + x", "3/4"]],
        "even" => &[["2 - 2*x", "1/2 + x", "1/3"], ["2*(1-x)", "2*x", "1/2"]],
        "calibrated" => &[["beta(2, 4)", "beta(3, 3)", "3/5"], ["2*(1-x)", "2*x", "1/2"]],
        "perfect" => &[["uniform(0, 1/3)", "uniform(1/2, 1)", "2/5"]],
        "random" => &[["beta(2, 3)", "beta(2, 3)", "1/3"]],
        "continuous" => &[["beta(2, 3)", "beta(4, 2)", "3/5"]],
        _ => panic!("{classes}"),
    };
    all.iter().map(|[f0, f1, pi0]| Model::new(f0, f1, pi0).unwrap()).collect()
}

/// The value of a functional by the evaluators, which know nothing of forms; `None` for what they do not evaluate.
fn value(functional: &Functional, model: &Model, uniform: &Evaluation) -> Option<f64> {
    if !functional.transforms.is_empty() {
        return None;
    }
    let found = match (&functional.asked, &functional.weight) {
        (Asked::Metric(definition, None), _) if functional.condition == Condition::Cost => {
            metric(uniform, definition.name).value
        }
        (Asked::Metric(definition, None), _) => {
            let balanced = format!("M{}", definition.name);
            uniform.metric(&balanced)?.estimate()?.value
        }
        (Asked::Loss(method), CostDistribution::Known(cost)) => {
            if method.point().is_some() {
                return None;
            }
            let method = method.map(|_| 0.5);
            loss(
                &evaluate(model, &Request::at(Level::Numeric).under(Cost::from(&**cost))).unwrap(),
                functional.condition,
                method,
            )
            .value
        }
        _ => return None,
    };
    Some(found)
}

fn term(of: &Term, model: &Model, uniform: &Evaluation) -> Option<f64> {
    let number = |term: &Term| self::term(term, model, uniform);
    Some(match of {
        Term::Number(value) => value.value,
        Term::Symbol(name) => match name.as_str() {
            "pi0" => model.proportions().0,
            "pi1" => model.proportions().1,
            _ => return None,
        },
        Term::Value(functional) => value(functional, model, uniform)?,
        Term::Binary(op, l, r) => match op {
            Op::Add => number(l)? + number(r)?,
            Op::Sub => number(l)? - number(r)?,
            Op::Mul => number(l)? * number(r)?,
            _ => number(l)? / number(r)?,
        },
        Term::Power(base, exponent) => number(base)?.powi(*exponent),
        Term::Function(..) => return None,
    })
}

const CLOSE: f64 = 1e-9;

#[test]
fn what_was_proved_holds_in_numbers() {
    let (mut sides, mut relations) = (0, 0);
    for claim in paper::claims().unwrap() {
        let Some(theorem) = claim.theorem() else { continue };
        let statement = Statement::parse(theorem).unwrap();
        let supposes = !statement.conditions.is_empty() || !statement.premises.is_empty();
        if supposes || statement.models.len() > 1 || statement.parameters().len() > 1 {
            continue;
        }
        let Ok(certificate) = prove::statement(&statement, &Effort::usual(Duration::from_secs(60))) else { continue };
        let classes: Vec<&str> = statement.classes.iter().map(|class| class.name()).collect();
        for model in models(&classes.join(" ")) {
            let uniform = evaluate(&model, &Request::at(Level::Numeric)).unwrap();
            for comparison in &statement.claims {
                let both = comparison.sides().map(|side| term(side, &model, &uniform));
                let [Some(left), Some(right)] = both else { continue };
                let holds = match comparison.relation {
                    Relation::Equal => (left - right).abs() < CLOSE,
                    Relation::AtMost => left < right + CLOSE,
                    Relation::AtLeast => left > right - CLOSE,
                    Relation::Less => left < right,
                    Relation::Greater => left > right,
                };
                assert!(holds, "{}: {comparison}: {left} {right}", claim.id);
                sides += 1;
            }
            for step in certificate.steps() {
                let Proof::Vanishes(all) = &step.proof else { continue };
                for relation in all {
                    let number = |name: &str| {
                        let integral = step.lowering.integrals.iter().find(|integral| integral.name.name() == name)?;
                        value(&integral.functional, &model, &uniform)
                    };
                    let pi0 = |name: &str| {
                        (name == "pi0").then(|| rocproof::arith::rational::from_f64(model.proportions().0).unwrap())
                    };
                    let share = |fraction: &rocproof::arith::Fraction| {
                        Some(rocproof::arith::rational::to_f64(&fraction.value(pi0)?))
                    };
                    let others =
                        relation.others.iter().map(|(other, factor)| Some(share(factor)? * number(other.name())?));
                    let sum = others.sum::<Option<f64>>().and_then(|sum| Some(sum + share(&relation.constant)?));
                    let (Some(left), Some(right)) = (number(relation.integral.name()), sum) else { continue };
                    assert!((left - right).abs() < CLOSE, "{}: {}: {left} {right}", claim.id, relation.integral);
                    relations += 1;
                }
            }
        }
    }
    assert!(sides > 100 && relations > 80, "{sides} sides, {relations} relations");
}

#[test]
fn derivations_and_scripts_are_well_formed() {
    for text in VARIED {
        let certificate = proved(text);
        let plain = derivation::text(&certificate);
        assert!(plain.starts_with("Statement.") && plain.ends_with("∎\n"), "{plain}");
        let latex = derivation::latex(&certificate);
        let mut depth = 0i32;
        let mut before = ' ';
        for letter in latex.chars() {
            assert!(letter.is_ascii(), "{letter} in {latex}");
            match letter {
                '{' if before != '\\' => depth += 1,
                '}' if before != '\\' => depth -= 1,
                _ => {}
            }
            assert!(depth >= 0, "{latex}");
            before = letter;
        }
        assert_eq!(depth, 0, "{latex}");
        assert_eq!(latex.matches('$').count() % 2, 0, "{latex}");
        let script = sympy::script(&certificate);
        assert!(script.contains("import sympy") && !script.contains("rocproof"), "{script}");
    }
    // Names that differ in parentheses only.
    let script = sympy::script(&proved("int((1-F0)*F1 dF1) == int((1-F0*F1) dF1) + int(F1 dF1) - 1"));
    assert!(
        script.contains("def int_1_minus_F0_F1_dF1(") && script.contains("def int_1_minus_F0_F1_dF1_("),
        "{script}"
    );
}
