//! Class proportions, parameters and cost distributions to try: simple ones, and those that simple conditions ask for.

use super::value::{Assignment, ComparedSides, Environment, Sides};
use rocproof_arith::Rational;
use rocproof_engine::calculus::quantity::Quantity;
use rocproof_engine::constant::Constant;
use rocproof_engine::functional::Cost;
use rocproof_language::Relation;

/// Class proportions, simplest first.
const PROPORTIONS: [(u32, u32); 15] = [
    (1, 2),
    (1, 3),
    (2, 3),
    (1, 4),
    (3, 4),
    (1, 10),
    (9, 10),
    (1, 5),
    (4, 5),
    (2, 5),
    (3, 5),
    (1, 100),
    (99, 100),
    (1, 1000),
    (999, 1000),
];
/// Values for thresholds and rates, simplest first.
const AMOUNTS: [(u32, u32); 11] =
    [(1, 2), (0, 1), (1, 1), (1, 3), (2, 3), (1, 4), (3, 4), (1, 10), (9, 10), (1, 8), (7, 8)];
/// The number of these that are tried for each of several parameters.
const FEW_AMOUNTS: usize = 7;
/// Values for `w`.
const COSTS: [&str; 8] =
    ["beta(1, 1)", "beta(2, 2)", "beta(1, 3)", "beta(3, 1)", "beta(1, 2)", "beta(2, 5)", "beta(1, 20)", "beta(20, 1)"];
/// The most assignments that a model is tried under.
const MOST_ASSIGNMENTS: usize = 120;
/// The most values of parameters that are kept before conditions on all of them are checked.
const MOST_PARTIAL: usize = MOST_ASSIGNMENTS * MOST_ASSIGNMENTS;

/// A fraction, from its numerator and denominator.
fn fraction((numerator, denominator): (u32, u32)) -> Rational {
    Rational::from(numerator) / Rational::from(denominator)
}

/// Whether no plain comparison fails for a class proportion and an assignment. Comparisons that are undecided, such as those about
/// parameters that have no value yet, do not fail. `plain` comparisons speak of class proportions, parameters and numbers only.
fn allows(plain: &[&ComparedSides], pi0: &Rational, assignment: &Assignment) -> bool {
    let pi0 = Constant::rational(pi0.clone());
    let environment = Environment::<Quantity> { pi0: &pi0, assignment, values: &[] };
    plain.iter().all(|compared| compared.holds(environment) != Some(false))
}

/// The zero of a function of one number, if its values at 0, 1 and 2 lie on a line.
fn linear_zero(difference: impl Fn(&Rational) -> Option<Rational>) -> Option<Rational> {
    let [at0, at1, at2] = [0u8, 1, 2].map(|x| difference(&Rational::from(x)));
    let (at0, at1, at2) = (at0?, at1?, at2?);
    let slope = &at1 - &at0;
    (!slope.is_zero() && at2 - &at1 == slope).then(|| -at0 / slope)
}

/// The difference of the sides of a plain comparison, if it is rational.
fn difference(compared: &ComparedSides, pi0: &Rational, assignment: &Assignment) -> Option<Rational> {
    let pi0 = Constant::rational(pi0.clone());
    let [left, right] = compared.sides(Environment::<Quantity> { pi0: &pi0, assignment, values: &[] });
    left?.minus(&right?).as_rational().cloned()
}

/// Values to try around the number `zero` at which the sides of a comparison are equal: the number, and for inequalities others on either
/// side, near and far.
fn values_around(zero: &Rational, relation: Relation) -> Vec<Rational> {
    let step = Rational::ONE / Rational::from(100);
    let half = Rational::ONE / Rational::from(2);
    match relation {
        Relation::Equal => vec![zero.clone()],
        _ => vec![zero.clone(), zero * &half, (zero + Rational::ONE) * half, zero - &step, zero + step],
    }
}

/// The class proportions that the conditions allow, simplest first; also whether a condition restricts them, so that recipes whose
/// proportion follows from their other numbers must be adjusted.
pub fn proportions(sides: &Sides) -> (Vec<Rational>, bool) {
    let no_parameters = Assignment { numbers: Vec::new(), cost: Cost::uniform() };
    let plain: Vec<&ComparedSides> = sides
        .supposed
        .iter()
        .filter(|c| {
            c.is_plain()
                && c.depends_on_proportions()
                && (0..sides.parameters.len()).all(|k| !c.depends_on_parameter(k))
        })
        .collect();
    let mut candidates: Vec<Rational> = PROPORTIONS.into_iter().map(fraction).collect();
    for compared in &plain {
        if let Some(zero) = linear_zero(|pi0| difference(compared, pi0, &no_parameters)) {
            candidates.extend(values_around(&zero, compared.relation()));
        }
    }
    candidates.retain(|pi0| Rational::ZERO < *pi0 && *pi0 < Rational::ONE && allows(&plain, pi0, &no_parameters));
    (deduplicate(candidates), !plain.is_empty())
}

/// The numbers without repetitions, in the order of their first occurrence.
fn deduplicate(numbers: Vec<Rational>) -> Vec<Rational> {
    let mut distinct: Vec<Rational> = Vec::new();
    for number in numbers {
        if !distinct.contains(&number) {
            distinct.push(number);
        }
    }
    distinct
}

/// The assignments that the conditions allow for a class proportion, simplest first; `thresholds` are tried beside the simple numbers.
pub fn assignments(sides: &Sides, pi0: &Rational, thresholds: &[Rational]) -> Vec<Assignment> {
    let costs: Vec<Cost> = if sides.open_cost {
        COSTS.iter().filter_map(|text| Cost::parse(text).ok()).collect()
    } else {
        vec![Cost::uniform()]
    };
    let plain: Vec<&ComparedSides> = sides.supposed.iter().filter(|c| c.is_plain()).collect();
    let count = sides.parameters.len();
    let amounts = if count > 1 { &AMOUNTS[..FEW_AMOUNTS] } else { &AMOUNTS[..] };
    let simple: Vec<Rational> = amounts.iter().copied().map(fraction).chain(thresholds.iter().cloned()).collect();
    let extension = Extension { sides, plain: &plain, pi0, simple: &simple };
    // The values of the first parameters: none, then of one parameter more in each pass.
    let mut numbers: Vec<Vec<Rational>> = vec![Vec::new()];
    for _ in 0..count {
        numbers = numbers.iter().flat_map(|chosen| extension.extend(chosen)).collect();
        numbers.truncate(MOST_PARTIAL);
    }
    let mut assignments: Vec<Assignment> = numbers
        .into_iter()
        .flat_map(|numbers| costs.iter().map(move |cost| Assignment { numbers: numbers.clone(), cost: cost.clone() }))
        .filter(|assignment| allows(&plain, pi0, assignment))
        .collect();
    assignments.truncate(MOST_ASSIGNMENTS);
    assignments
}

/// The choice of values for one parameter after another.
struct Extension<'a> {
    sides: &'a Sides,
    /// The plain suppositions of the statement.
    plain: &'a [&'a ComparedSides],
    pi0: &'a Rational,
    /// The values to try for every parameter.
    simple: &'a [Rational],
}

impl Extension<'_> {
    /// Extends the values `chosen` for the first parameters by each possible value of the next one: simple values, and those that a
    /// condition on this parameter asks for.
    fn extend(&self, chosen: &[Rational]) -> Vec<Vec<Rational>> {
        let next = chosen.len();
        let with = |value: &Rational| [chosen, std::slice::from_ref(value)].concat();
        let assignment = |value: &Rational| Assignment { numbers: with(value), cost: Cost::uniform() };
        let mut values: Vec<Rational> = self.simple.to_vec();
        for compared in self.plain.iter().filter(|c| c.depends_on_parameter(next)) {
            if let Some(zero) = linear_zero(|value| difference(compared, self.pi0, &assignment(value))) {
                values.extend(values_around(&zero, compared.relation()));
            }
        }
        values.retain(|value| !self.sides.rates[next] || (Rational::ZERO <= *value && *value <= Rational::ONE));
        let mut distinct = deduplicate(values);
        // A condition that speaks of later parameters is still undecided, and allows every value.
        distinct.retain(|value| allows(self.plain, self.pi0, &assignment(value)));
        distinct.iter().map(with).collect()
    }
}
