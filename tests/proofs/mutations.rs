//! Certificates changed in what they mean: none that is accepted proves something false.

use rocproof::search::{Budget, SearchOutcome, guard, refute};
use rocproof::statement::Statement;
use rocproof::theory::certificate::Certificate;
use rocproof::theory::effort::Effort;
use rocproof::theory::{check, prove};
use serde_json::{Value, json};
use std::time::Duration;

/// How many changed certificates are looked at.
const MUTATIONS: usize = 2000;

/// Proofs with every kind of rule, class, condition and parameter in them.
const PROVED: [&str; 36] = [
    "L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3",
    "for m: L[o] == RL(Conv(m))",
    "for random m: L[o] == pi0*pi1",
    "for perfect m: L[su] == (pi0*(s0 - l) + pi1*(h - s1))/(h - l)",
    "for perfect m: MAE >= BS",
    "for calibrated m: L[sd; w] == L[o; w]",
    "for calibrated m: BS == MAE/2",
    "for even m: BS == L[rd]",
    "for even m: R(t) == t",
    "for convex m: L[o] == RL",
    "for convex m: AUC >= 1/2",
    "for convex m: KS <= Gini",
    "for convex m: F0(t) >= F1(t)",
    "BS >= L[o]",
    "L[ru] > L[rd]",
    "AUC^2 <= AUC",
    "L[rd] <= 1/3 where AUC >= 1/2",
    "L[rd] == 1/3 where AUC == 1/2",
    "L[o] <= pi0 where pi0 <= 1/2",
    "AUC >= 1/2 implies L[rd] <= 1/3",
    "abs(Gini) <= 2*KS",
    "KS >= F0(t) - F1(t)",
    "AUCH >= 1/2 + (F0(t) - F1(t))/2",
    "L[rf(r)] >= L[o]",
    "L[rf(r)] == 1 - Acc(Rinv(r))",
    "Lz[sf(t)] >= Lz[o]",
    "MBS == MCL + MRL",
    "MRL <= Lz[o]",
    "H <= 1",
    "L[o; w] <= L[ru; w]",
    "RL(Conv(m)) >= RL",
    "L[rd](Conv(m)) <= L[rd]",
    "s0 <= h",
    "pi0*pi1 <= 1/4",
    "int(c^3 dR) >= pi1^3",
    "MH_hmeasure == 1 - (10/3)*Lz[o; beta(2,2)]*9/10 where pi0 == 1/2",
];

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

const CLASSES: [&str; 9] =
    ["", "convex ", "calibrated ", "even ", "perfect ", "random ", "continuous ", "beta ", "binormal "];
const CONDITIONS: [&str; 12] = [
    "",
    "pi0 == 1/2",
    "pi0 == 1/3",
    "pi0 <= 1/2",
    "AUC >= 1/2",
    "AUC == 1/2",
    "r >= 2",
    "t >= 2",
    "l == 1/2",
    "AUC >= 3/2",
    "t == r",
    "h == 1",
];
/// What may stand in the place of something else in a statement.
const SWAPS: [[&str; 2]; 22] = [
    ["L[", "Lz["],
    ["Lz[", "L["],
    ["BS", "MBS"],
    ["MBS", "BS"],
    ["RL", "MRL"],
    ["Conv(m)", "m"],
    ["Conv(m)", "Cal(m)"],
    ["Cal(m)", "Even(m)"],
    ["<=", "<"],
    ["<=", ">="],
    [">=", "<="],
    [">", ">="],
    ["==", "<="],
    ["1/2", "1/3"],
    ["1/3", "1/2"],
    ["beta(2,2)", "beta(2,3)"],
    ["; w", ""],
    ["(t)", "(r)"],
    ["(t)", "(Rinv(r))"],
    ["rf(r)", "sf(r)"],
    ["AUC", "AUCH"],
    ["pi0", "pi1"],
];
const FACTORS: [&str; 16] = [
    "F0",
    "1 - F0",
    "F1",
    "1 - F1",
    "R",
    "1 - R",
    "c",
    "1 - c",
    "F0 - F1",
    "c*R - beta1*F1",
    "x - l",
    "h - x",
    "KS",
    "1 - KS",
    "x* - x",
    "pi0",
];
const PLACES: [&str; 6] = ["F0(Rinv(r))", "Acc(t)", "F0(1/2)", "F1(Rinv(1/2))", "Acc(t)(Conv(m))", "R(t0)"];

/// The statement with its class, a condition, or a part changed.
fn other_statement(text: &str, random: &mut Random) -> String {
    let (head, rest) = match text.split_once(": ") {
        Some((head, rest)) if head.starts_with("for ") => (Some(head), rest),
        _ => (None, text),
    };
    match random.below(4) {
        0 => format!("for {}m: {rest}", random.pick(&CLASSES)),
        1 => {
            let claim = rest.split(" where ").next().unwrap();
            let condition = random.pick(&CONDITIONS);
            let head = head.map_or(String::new(), |head| format!("{head}: "));
            if condition.is_empty() { format!("{head}{claim}") } else { format!("{head}{claim} where {condition}") }
        }
        _ => {
            let [from, to] = random.pick(&SWAPS);
            text.replacen(from, to, 1 + random.below(2))
        }
    }
}

/// All places in a value, as pointers.
fn places(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, inner)| {
            let key = key.replace('~', "~0").replace('/', "~1");
            places(inner, format!("{at}/{key}"), found);
        }),
        Value::Array(list) => list.iter().enumerate().for_each(|(i, inner)| places(inner, format!("{at}/{i}"), found)),
        _ => {}
    }
    found.push(at);
}

/// Changes what is meant in one place of a proof.
fn change(certificate: &mut Value, random: &mut Random) {
    let mut all = Vec::new();
    places(&certificate["claims"], "/claims".into(), &mut all);
    let at = random.pick(&all).clone();
    let name = at.rsplit('/').next().unwrap_or_default().to_owned();
    let Some(value) = certificate.pointer_mut(&at) else { return };
    let new = match (name.as_str(), &*value) {
        ("track", Value::String(track)) => json!(if track == "own" { "hull" } else { "own" }),
        ("base", Value::String(base)) => json!(if base == "given" { "balanced" } else { "given" }),
        ("stretch", _) => json!(random.below(4)),
        ("differential", _) => json!(random.pick(&["dx", "beta0*dF0", "beta1*dF1", "dR", "dc"])),
        ("place", _) => json!(random.pick(&PLACES)),
        ("condition", _) => json!(random.below(3)),
        ("times", Value::String(_)) => json!(random.pick(&["0", "1", "1/2", "2", "-1", "5"])),
        ("integral", Value::String(_)) => json!(random.pick(&["AUC", "BS", "RL", "L[o]", "MAE", "CL"])),
        ("function" | "factor" | "scale", Value::String(text)) => {
            json!(random.pick(&[
                "0",
                "F0",
                "1",
                "pi0",
                &format!("2*({text})"),
                &format!("-({text})"),
                &format!("{text} + c")
            ]))
        }
        (_, Value::String(text)) if FACTORS.contains(&text.as_str()) => json!(random.pick(&FACTORS)),
        (_, Value::Number(_)) => json!(random.below(4)),
        (_, Value::Array(list)) if !list.is_empty() => {
            let mut list = list.clone();
            let k = random.below(list.len());
            if random.below(2) == 0 {
                list.remove(k);
            } else {
                list.push(list[k].clone());
            }
            Value::Array(list)
        }
        _ => return,
    };
    *value = new;
}

/// A rule that looks where the statement does not.
fn with_foreign_rule(certificate: &mut Value, random: &mut Random) {
    let place = random.pick(&PLACES);
    let factor = random.pick(&["F0", "1 - F0", "F1", "1 - F1"]);
    let rule = json!({"fact": "one", "factors": [[{"at": {"factor": factor, "place": place}}, 1]]});
    for claim in certificate["claims"].as_array_mut().into_iter().flatten() {
        for step in claim["steps"].as_array_mut().into_iter().flatten() {
            if let Some(terms) = step["terms"].as_array_mut() {
                terms.push(json!({"times": random.pick(&["1", "5", "1/3"]), "rule": rule.clone(), "not negative": ""}));
            }
        }
    }
}

#[test]
fn no_mutation_proves_something_false() {
    let effort = || Effort::usual(Duration::from_secs(120));
    let proofs: Vec<Value> = PROVED
        .iter()
        .filter_map(|text| prove::statement(&Statement::parse(text).unwrap(), &effort()).ok())
        .map(|certificate| certificate.to_json())
        .collect();
    assert!(proofs.len() >= 34, "{} of {}", proofs.len(), PROVED.len());
    let mut random = Random(16);
    let (mut read, mut accepted) = (0, 0);
    for k in 0..MUTATIONS {
        let mut value = proofs[k % proofs.len()].clone();
        for _ in 0..1 + random.below(3) {
            match random.below(6) {
                0..=2 => {
                    let text = value["statement"].as_str().unwrap().to_owned();
                    value["statement"] = json!(other_statement(&text, &mut random));
                }
                3 => with_foreign_rule(&mut value, &mut random),
                _ => change(&mut value, &mut random),
            }
        }
        // What is not read of a certificate is written anew, so that only what is meant counts.
        let Ok(certificate) = Certificate::from_json(&value) else { continue };
        read += 1;
        let Ok(verified) = check::verify(&certificate.to_json()) else { continue };
        accepted += 1;
        let statement = Statement::parse(&verified.statement).unwrap();
        guard(&statement);
        let budget = Budget { work: 300, ..Budget::default() };
        if let SearchOutcome::Refuted(found) = refute(&statement, &budget) {
            panic!("`{statement}` was accepted, and fails:\n{found}\n{value:#}");
        }
    }
    println!("{MUTATIONS} mutations: {read} are certificates, {accepted} prove something, which is true");
    // A test that rejects everything would show nothing.
    assert!(read > MUTATIONS / 5 && accepted > 20, "{read} {accepted}");
}
