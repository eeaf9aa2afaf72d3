use super::*;
use crate::theory::certificate::{Certificate, Proof};
use crate::theory::check;
use crate::theory::lower::Track;
use crate::theory::rules::factor::Factor;
use crate::theory::rules::{Differential, HullComparison};

fn proofs(text: &str) -> Result<Vec<InequalityProof>, String> {
    let statement = Statement::parse(text).unwrap();
    let mut found = Vec::new();
    for claim in &statement.claims {
        let effort = Effort::usual(std::time::Duration::from_secs(60));
        let proofs = prove(&statement, claim, &effort).map_err(|why| why.to_string())?;
        for (part, proof) in inequalities(claim).unwrap().iter().zip(&proofs) {
            verify(&statement.with_claim(part), proof).unwrap();
        }
        found.extend(proofs);
    }
    Ok(found)
}

/// Has the checker verify a proof of the only claim of a statement.
fn verify(statement: &Statement, proof: &InequalityProof) -> Result<(), String> {
    let InequalityProof { base, scale, terms, potentials } = proof.clone();
    let proofs = vec![vec![(base, Proof::Sum { scale, terms, potentials })]];
    let certificate = Certificate::new(&statement.to_string(), proofs)?;
    check::verify(&certificate.to_json()).map(|_| ()).map_err(|why| why.to_string())
}

#[test]
fn inequalities_of_the_paper() {
    for text in [
        "L[ru] > L[rd] >= L[o]",
        "L[su] >= L[sd] >= L[o]",
        "MAE >= BS",
        "MMAE >= MBS",
        "Lz[ru] > Lz[rd] >= Lz[o]",
        "Lz[su] >= Lz[sd] >= Lz[o]",
        "L[rd] >= 1/12",
        "1/4 <= L[ru] <= 3/4",
        "for perfect m: L[ru] > L[rd] > L[o]",
        "for random m: 1/2 > L[rd] > L[o] where pi0 == 1/2",
        "for random m: L[ru] > L[rd] > L[o]",
        "RL <= L[o] <= BS",
        "AUCH >= AUC",
    ] {
        assert!(proofs(text).is_ok(), "{text}");
    }
}

#[test]
fn sides_that_may_be_equal_do_not_compare_strictly() {
    for text in ["L[rd] > 1/12", "MAE > BS", "BS > RL", "AUC < 1", "pi0*pi1 < 1/4", "for convex m: AUC > 1/2"] {
        let why = proofs(text).unwrap_err();
        assert!(why.contains("equal"), "{text}: {why}");
    }
}

/// The sum that a rule proves not to be negative, for the models of a statement.
fn sum_of(text: &str, rule: &Rule) -> Result<IntegralSum, String> {
    let statement = Statement::parse(text).unwrap();
    let mut lowering = Lowering::new(&statement, Base::Given).unwrap();
    rule.non_negative(&mut lowering, &statement).map(|known| known.sum)
}

fn along(track: Track, differential: Differential, factors: &[Factor]) -> Rule {
    let factors = factors.iter().map(|factor| (factor.clone(), 1)).collect();
    Rule { fact: Fact::Along { track, stretch: None, differential }, factors, square: None }
}

#[test]
fn rules_ask_for_their_side_conditions() {
    let own = |differential, factor: &Factor| along(Track::Own, differential, std::slice::from_ref(factor));
    let dc = along(Track::Own, Differential::Posterior, &[Factor::F1]);
    assert!(sum_of("AUC >= 0", &dc).is_err());
    assert!(sum_of("for even m: AUC >= 0", &dc).is_err());
    assert!(sum_of("for convex m: AUC >= 0", &dc).is_ok());
    assert!(sum_of("AUC >= 0", &along(Track::Hull, Differential::Posterior, &[Factor::F1])).is_ok());
    for factor in [Factor::Above, Factor::TangentAtZero, Factor::TangentAtOne] {
        assert!(sum_of("AUC >= 0", &own(Differential::Rate, &factor)).is_err());
        assert!(sum_of("for calibrated m: AUC >= 0", &own(Differential::Rate, &factor)).is_ok());
    }
    for factor in [Factor::ScoreAboveLowest, Factor::ScoreBelowHighest] {
        assert!(sum_of("s0 >= 0", &own(Differential::Rate, &factor)).is_err());
        assert!(sum_of("BS >= 0", &own(Differential::Rate, &factor)).is_ok());
    }
    let optimality = |loss: &str| Rule::of(Fact::Optimality { loss: loss.into() });
    assert!(sum_of("AUC >= L[o]", &optimality("L[sd]")).is_err());
    assert!(sum_of("AUC >= L[o]", &optimality("L[su]")).is_err());
    assert!(sum_of("L[su] >= L[o]", &optimality("L[sd]")).is_err());
    assert!(sum_of("L[su] >= L[o]", &optimality("L[su]")).is_ok());
    assert!(sum_of("AUC >= L[o]", &optimality("L[sd](Even(m))")).is_ok());
    assert!(sum_of("AUC >= L[o]", &optimality("AUC")).is_err());
    assert!(sum_of("AUC >= 0", &Rule::of(Fact::Share("pi0 - 1/2".into()))).is_err());
    assert!(sum_of("AUC >= 0", &Rule::of(Fact::Share("pi0^2 - pi0 + 1/4".into()))).is_ok());
    let number = |factor: Factor| Rule { factors: vec![(factor, 1)], ..Rule::of(Fact::One) };
    assert!(sum_of("AUC >= 0", &number(Factor::F0)).is_err());
    assert!(sum_of("AUC >= 0 where pi0 <= 1/3", &number(Factor::Supposed(0))).is_ok());
    assert!(sum_of("AUC >= 0 where AUC <= 1/3", &number(Factor::Supposed(0))).is_err());
    assert!(sum_of("AUC >= 0", &number(Factor::Supposed(0))).is_err());
    let above = |place: &str| number(Factor::At { factor: Box::new(Factor::Above), place: place.into() });
    assert!(sum_of("Acc(t) >= 0", &above("Acc(t)")).is_err());
    assert!(sum_of("Acc(t) >= 0", &above("Acc(t)(Conv(m))")).is_ok());
    let turned = |turned| Rule::of(Fact::Supposed { condition: 0, turned });
    assert!(sum_of("AUC >= 0 where KS == 1/2", &turned(true)).is_ok());
    assert!(sum_of("AUC >= 0 where KS <= 1/2", &turned(true)).is_err());
    assert!(sum_of("AUC >= 0 where AUC/KS <= 1/2", &turned(false)).is_err());
    let triangle = Rule::of(Fact::Triangle { place: None });
    assert!(sum_of("KS <= Gini", &triangle).is_err());
    assert!(sum_of("for convex m: KS <= Gini", &triangle).is_ok());
    let value =
        |functional: &str, times: &str| Rule::of(Fact::Value { functional: functional.into(), times: times.into() });
    assert!(sum_of("AUC^2 >= 0", &value("AUC", "-AUC")).is_ok());
    assert!(sum_of("AUC^2 >= 0", &value("AUC", "F0")).is_err());
    assert!(sum_of("AUC^2 >= 0", &value("Gini", "1")).is_err());
    assert!(sum_of("AUC^2 >= 0", &value("BS", "1")).is_err());
    let square = Rule { square: Some("x - c".into()), ..Rule::of(Fact::One) };
    assert!(sum_of("BS >= 0", &square).is_err());
}

#[test]
fn tampered_proofs_are_rejected() {
    let statement = Statement::parse("L[rd] >= 1/12").unwrap();
    let claim = &statement.claims[0];
    let proof = prove(&statement, claim, &Effort::usual(std::time::Duration::from_secs(60))).unwrap().remove(0);
    assert!(proof.terms.len() > 1);
    for k in 0..proof.terms.len() {
        let mut other = proof.clone();
        other.terms[k].0 = -other.terms[k].0.clone();
        assert!(verify(&statement, &other).is_err());
        let mut other = proof.clone();
        other.terms.remove(k);
        assert!(verify(&statement, &other).is_err());
    }
    for k in 0..proof.potentials.len() {
        let mut other = proof.clone();
        other.potentials[k].function = &other.potentials[k].function + &Symbol::F0.fraction();
        assert!(verify(&statement, &other).is_err());
    }
    // The opposite would follow from the same rules, taken with the opposite sign.
    let opposite = Statement::parse("L[rd] <= 1/12").unwrap();
    let mut other = proof.clone();
    other.scale = -&other.scale;
    let why = verify(&opposite, &other).unwrap_err();
    assert!(why.contains("is not positive"), "{why}");
    let mut other = proof.clone();
    other.terms.iter_mut().for_each(|(factor, _)| *factor = -factor.clone());
    other.potentials.iter_mut().for_each(|potential| potential.function = -&potential.function);
    let why = verify(&opposite, &other).unwrap_err();
    assert!(why.contains("a rule is taken -"), "{why}");
    for text in
        ["L[rd] > 1/12", "L[rd] >= 1/11", "L[rd] <= 1/12", "L[rd] == 1/12", "for even m: L[rd; beta(2,2)] >= 1/12"]
    {
        let statement = Statement::parse(text).unwrap();
        assert!(verify(&statement, &proof).is_err(), "{text}");
    }
}

#[test]
fn rules_are_read_back() {
    for text in ["RL <= L[o]", "L[rd] >= L[o]", "BS >= RL", "KS + F0(t) >= F1(t)", "L[rd] <= 1/3 where AUC >= 1/2"] {
        for proof in proofs(text).unwrap() {
            for (_, rule) in proof.terms {
                let written = serde_json::to_string(&rule).unwrap();
                assert_eq!(serde_json::from_str::<Rule>(&written).unwrap(), rule, "{written}");
            }
        }
    }
    let rule =
        Rule { factors: vec![(Factor::NotF0, 2)], ..Rule::of(Fact::Hull(HullComparison::Pooled { i: 1, j: 0 })) };
    let written = serde_json::to_string(&rule).unwrap();
    assert_eq!(written, r#"{"fact":{"hull":{"pooled":{"i":1,"j":0}}},"factors":[["1 - F0",2]]}"#);
}
