//! The readings that the checker accepts and those that it refuses. Each test covers one assumption that proofs rest on.

use rocproof_checker::lower::{Base, Lowering, Track};
use rocproof_checker::rules::factor::Factor;
use rocproof_checker::rules::{Differential, Fact, Rule};
use rocproof_checker::statement::Statement;

/// The lowering of the left-hand side of a statement, with its integrals, or the reason why it is refused.
fn read(text: &str, base: Base) -> Result<Lowering, String> {
    let statement = Statement::parse(text).unwrap();
    let mut lowering = Lowering::new(&statement, base).map_err(|why| why.to_string())?;
    lowering.term(&statement.claims[0].left).map_err(|why| why.to_string())?;
    Ok(lowering)
}

#[test]
fn metrics_of_the_hull_follow_the_hull() {
    for text in ["AUCH >= 0", "RL_conv >= 0", "for m: BS(Cal(m)) >= 0", "L[o] >= 0", "H >= 0"] {
        assert!(read(text, Base::Given).unwrap().integrals.iter().all(|i| i.track == Track::Hull), "{text}");
    }
    for text in ["AUC >= 0", "RL >= 0", "for convex m: L[o] >= 0", "for m: BS(Even(m)) >= 0"] {
        assert!(read(text, Base::Given).unwrap().integrals.iter().all(|i| i.track == Track::Own), "{text}");
    }
}

#[test]
fn divisors_that_may_be_zero_are_refused() {
    for text in [
        "int(dF0/F1) >= 0",
        "int(dR/c) >= 0",
        "int(F0/R dF0) >= 0",
        "int(dR/(x-c)) >= 0",
        "int(dR/(1-2*c)) >= 0",
        "int(dF0^2/dF1) >= 0",
        "int(c^-1 dR) >= 0",
        "int(dF0^2/dx) >= 0",
    ] {
        let why = read(text, Base::Given).unwrap_err();
        assert!(why.contains("may be zero") || why.contains("infinite") || why.contains("mixes"), "{text}: {why}");
    }
    for text in ["int(dF0*dF1/dR) >= 0", "int(dR/(1+c)) >= 0", "int(dR/(pi0*pi1)) >= 0", "int(F0/(h-l) dx) >= 0"] {
        assert!(read(text, Base::Given).is_ok(), "{text}");
    }
}

#[test]
fn integrands_without_a_meaning_have_no_form() {
    for text in [
        "int(dx*dR/dR) == 1",
        "int(dc*dR/dR) == 1",
        "int(dc*dF1/dR) == 1",
        "int(c dx) == 1",
        "int(x dc) == 1",
        "int((c + (1-c))*dx) == 1",
        "for m: int(c dx)(Cal(m)) == 1",
        "for calibrated m: int(x dc) == 1",
        "for continuous m: int(dx*dR/dR) == 1",
        "int(dR on arcs) == 1",
    ] {
        assert!(read(text, Base::Given).is_err(), "{text}");
    }
    for text in [
        "for even m: int(c dx) == pi1",
        "for even m: int(x dc) == 1",
        "for m: int(c dx)(Even(m)) == pi1",
        "for beta m: int(c dx) >= 0",
        "for continuous m: int(dR*dx/dx) == 1",
    ] {
        assert!(read(text, Base::Given).is_ok(), "{text}: {:?}", read(text, Base::Given).err());
        assert!(Statement::parse(text).unwrap().meaning().is_ok(), "{text}");
    }
}

/// The prior of a balanced variant is that of balanced classes, as the evaluators have it.
#[test]
fn balanced_variants_take_their_priors_from_balanced_classes() {
    let optimal = |text: &str, base| read(text, base).unwrap().integrals[0].functional.to_string();
    assert_eq!(optimal("MH_hmeasure >= 0 where pi0 == 2/3", Base::Balanced), "Lz[o; beta(2, 2)]");
    assert_eq!(optimal("H_hmeasure >= 0 where pi0 == 2/3", Base::Given), "L[o; beta(2, 3)]");
}

/// Uses a rule for a statement; the error says which side condition does not hold.
fn apply(text: &str, rule: &Rule) -> Result<(), String> {
    let statement = Statement::parse(text).unwrap();
    let mut lowering = Lowering::new(&statement, Base::Given).unwrap();
    rule.non_negative(&mut lowering, &statement).map(|_| ())
}

#[test]
fn rules_read_only_points_that_the_statement_reads() {
    let at = |place: &str| {
        let factor = Factor::At { factor: Box::new(Factor::F0), place: place.into() };
        Rule { factors: vec![(factor, 1)], ..Rule::of(Fact::One) }
    };
    assert!(apply("AUC >= 5 where r >= 2", &at("F0(Rinv(r))")).is_err());
    assert!(apply("AUC >= 5", &at("F0(t)")).is_err());
    assert!(apply("F0(r) >= 5", &at("F0(Rinv(r))")).is_err());
    assert!(apply("F0(t) >= 5", &at("F0(t)")).is_ok());
    assert!(apply("Acc(Rinv(r)) >= 5", &at("F0(Rinv(r))")).is_ok());
    assert!(apply("AUC >= 5", &at("F0(Rinv(1/2))")).is_ok());
    assert!(apply("AUC >= 5", &at("F0(Rinv(2))")).is_err());
    assert!(apply("for m: F0(t)(Even(m)) >= 5", &at("F0(2)(Even(m))")).is_err());
}

#[test]
fn side_conditions_are_checked() {
    let along = |track, differential, factor: Factor| {
        let fact = Fact::Along { track, stretch: None, differential };
        Rule { factors: vec![(factor, 1)], ..Rule::of(fact) }
    };
    for factor in [Factor::Above, Factor::TangentAtZero, Factor::TangentAtOne] {
        assert!(apply("AUC >= 0", &along(Track::Own, Differential::Rate, factor.clone())).is_err(), "{factor:?}");
        assert!(apply("AUC >= 0", &along(Track::Hull, Differential::Rate, factor.clone())).is_ok(), "{factor:?}");
        assert!(apply("for convex m: AUC >= 0", &along(Track::Own, Differential::Rate, factor.clone())).is_ok());
    }
    assert!(apply("AUC >= 0", &along(Track::Own, Differential::Posterior, Factor::F0)).is_err());
    assert!(apply("AUC >= 0", &along(Track::Own, Differential::Score, Factor::ScoreAboveLowest)).is_err());
    assert!(apply("BS >= 0", &along(Track::Own, Differential::Score, Factor::ScoreAboveLowest)).is_ok());
    assert!(apply("AUC >= 0", &along(Track::Own, Differential::Rate, Factor::BeforeBorder)).is_err());
    let many = Rule { factors: vec![(Factor::F0, 100_000)], ..along(Track::Own, Differential::Rate, Factor::F0) };
    assert!(apply("AUC >= 0", &many).is_err());
    assert!(apply("AUC >= 0", &Rule::of(Fact::Share("pi0 - 1/2".into()))).is_err());
    assert!(apply("AUC >= 0", &Rule::of(Fact::Optimality { loss: "L[sd]".into() })).is_err());
    assert!(apply("AUC >= 0", &Rule::of(Fact::Optimality { loss: "L[rd]".into() })).is_ok());
    assert!(apply("AUC >= 0", &Rule::of(Fact::Supposed { condition: 0, turned: false })).is_err());
}
