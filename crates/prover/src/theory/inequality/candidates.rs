//! The rules that are offered for a proof: those about symbols of the goal, up to its degrees.

use super::rows::NormalForm;
use crate::statement::{Asked, CostDistribution, Functional, Statement};
use crate::theory::lower::{Integral, Lowering, Track};
use crate::theory::rules::factor::is_bounded;
use crate::theory::rules::{Context, Differential, Fact, HullComparison, Rule, factor::Factor};
use crate::theory::sum::IntegralSum;
use crate::theory::symbol::Symbol;
use rocproof_arith::{Fraction, Multinomial};
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::definition::{Beta, Method, Reading};
use rocproof_engine::model::Transform;
use rocproof_language::Relation;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Factors and their powers.
type Product = Vec<(Factor, u32)>;

/// A non-negative number of the model that a rule may be multiplied by.
pub struct Multiplier {
    factors: Product,
    value: Multinomial,
    /// Whether it represents the multipliers that differ from it only in powers of `pi0` and `pi1`: one of them does.
    is_representative: bool,
}

/// A rule with the numbers that it may be multiplied by.
pub struct Candidate {
    /// The rule.
    pub rule: Rule,
    multipliers: Rc<Vec<Multiplier>>,
}

impl Candidate {
    /// The rule times each of the numbers; at a fixed `pi0`, numbers that differ in powers of `pi0` and `pi1` only are taken once.
    pub fn multiples(&self, up_to_pi0: bool) -> impl Iterator<Item = (Rule, &Multinomial)> {
        self.multipliers.iter().filter(move |multiplier| multiplier.is_representative || !up_to_pi0).map(|multiplier| {
            let mut rule = self.rule.clone();
            rule.factors.extend(multiplier.factors.iter().cloned());
            (rule, &multiplier.value)
        })
    }
}

/// The degrees of the goal along a track.
#[derive(Clone, Copy, Debug, Default)]
struct Degrees {
    /// In `x`, of the coefficients of `dx` and `dR`.
    x: [u32; 2],
    f0: u32,
    f1: u32,
    /// In `c`, of the coefficients of `dR` and `dc`.
    c: [u32; 2],
    /// Whether the goal depends on scores.
    scores: bool,
}

/// Collects the rules that are offered for a goal.
pub struct Candidates<'a> {
    lowering: &'a mut Lowering,
    statement: &'a Statement,
    goal: &'a IntegralSum,
    normal: &'a NormalForm,
    found: Vec<Candidate>,
}

/// The Bernstein basis of degree `n`: `low^k high^(n-k)` for every `k`.
fn bernstein(n: u32, low: &Factor, high: &Factor) -> Vec<Product> {
    let powers = |k: u32| [(low.clone(), k), (high.clone(), n - k)].into_iter().filter(|(_, k)| *k > 0).collect();
    (0..=n).map(powers).collect()
}

/// All products of one element from each list.
fn all_products(lists: &[Vec<Product>]) -> Vec<Product> {
    lists.iter().fold(vec![Product::new()], |all, list| {
        all.iter().flat_map(|left| list.iter().map(move |right| [left.clone(), right.clone()].concat())).collect()
    })
}

/// Whether a functional is Hand's H over cost proportions: a share of the loss of chance.
fn is_h_of_costs(functional: &Functional) -> bool {
    let Asked::Metric(definition, _) = &functional.asked else { return false };
    matches!(definition.reading, Reading::ShareOfChance(_)) && functional.condition == Condition::Cost
}

/// The degree of a fraction's numerator in a variable.
fn degree(fraction: &Fraction, symbol: Symbol) -> u32 {
    fraction.numerator().degree_in(symbol)
}

impl<'a> Candidates<'a> {
    /// An empty collection, for a goal and its normal form.
    pub fn new(
        lowering: &'a mut Lowering,
        statement: &'a Statement,
        goal: &'a IntegralSum,
        normal: &'a NormalForm,
    ) -> Self {
        Candidates { lowering, statement, goal, normal, found: Vec::new() }
    }

    /// The rules of a round. Round 0 has single facts, round 1 their multiples, round 2 integrals of products; from round 3 on degrees are
    /// higher by one.
    pub fn round(mut self, round: usize) -> Vec<Candidate> {
        if round == 0 {
            self.offer_conditions(0);
            self.offer_optimality(0);
            self.offer_triangles(0);
            return self.found;
        }
        let products = self.multiplied_integrals();
        let more = u32::from(round > 2 || !products.is_empty());
        let pi0_degree = self.degree_in_pi0() + more;
        self.offer_numbers(pi0_degree);
        self.offer_conditions(pi0_degree);
        self.offer_optimality(pi0_degree);
        self.offer_hull_comparisons(pi0_degree, more);
        self.offer_triangles(pi0_degree);
        self.offer_values(&products, pi0_degree);
        if round > 1 {
            for track in [Track::Own, Track::Hull] {
                if self.follows(track) {
                    self.offer_integrals(track, pi0_degree, more);
                }
            }
        }
        self.found
    }

    /// The degree of the goal in `pi0`.
    fn degree_in_pi0(&self) -> u32 {
        self.goal.fractions().chain(self.normal.slots.get(&None)).map(|f| degree(f, Symbol::Pi0)).max().unwrap_or(0)
    }

    /// The degree of a fraction in numbers other than `pi0`.
    fn degree_in_others(fraction: &Fraction) -> u32 {
        let counts = |symbol: Symbol| symbol != Symbol::Pi0 && !symbol.varies();
        let degree_of = |powers: &[(rocproof_arith::Variable, u32)]| {
            powers.iter().filter(|(v, _)| counts(Symbol::of(*v))).map(|(_, n)| n).sum::<u32>()
        };
        fraction.numerator().terms().map(|(powers, _)| degree_of(powers)).max().unwrap_or(0)
    }

    /// Whether the goal has an integral along a track.
    fn follows(&self, track: Track) -> bool {
        self.goal.forms.keys().any(|(known, _)| *known == track)
    }

    /// Whether the goal or the number of its normal form depends on a symbol.
    fn depends_on(&self, symbol: &Symbol) -> bool {
        self.goal.fractions().chain(self.normal.slots.get(&None)).any(|f| f.depends_on(symbol))
    }

    /// The factors that are constant along the curve and occur in the goal, except class proportions.
    fn constant_factors(&self) -> Vec<Factor> {
        let mut factors = Vec::new();
        let pairs = [
            (Symbol::Distance(Track::Own), [Factor::Distance, Factor::NotDistance]),
            (Symbol::Mean, [Factor::Mean, Factor::NotMean]),
            (Symbol::Border, [Factor::BorderAboveLowest, Factor::BorderBelowHighest]),
        ];
        for (symbol, pair) in pairs {
            if self.depends_on(&symbol) {
                factors.extend(pair);
            }
        }
        if (self.depends_on(&Symbol::High) || self.depends_on(&Symbol::Low))
            && is_bounded(self.statement, self.lowering)
        {
            factors.push(Factor::Scale);
        }
        let mut places = BTreeSet::new();
        for functional in self.statement.functionals().into_iter().filter(|f| f.point().is_some()) {
            places.insert(functional.to_string());
        }
        for place in places {
            let at = |factor| Factor::At { factor: Box::new(factor), place: place.clone() };
            factors.extend([Factor::F0, Factor::NotF0, Factor::F1, Factor::NotF1, Factor::Above].map(at));
            if self.depends_on(&Symbol::Distance(Track::Own)) {
                factors.extend([Factor::DistanceAbove, Factor::DistanceBelow].map(at));
            }
        }
        for (k, condition) in self.statement.premises.iter().chain(&self.statement.conditions).enumerate() {
            if condition.relation != Relation::Equal && condition.sides().iter().all(|s| s.functionals().is_empty()) {
                factors.push(Factor::Supposed(k));
            }
        }
        factors
    }

    /// The numbers to multiply a rule by: products `pi0^k pi1^(n-k)` of degree `n = pi0_degree`, times up to `others` (at most two) constant
    /// factors. Without the former if `pi0` is a number.
    fn multipliers(&mut self, pi0_degree: u32, others: u32) -> Rc<Vec<Multiplier>> {
        let symbolic = self.lowering.pi[0].as_rational().is_none();
        let proportions = bernstein(if symbolic { pi0_degree } else { 0 }, &Factor::Pi0, &Factor::Pi1);
        // All products of up to that many constant factors. Each product lists its factors in ascending order, so that it occurs once.
        let mut products: Vec<Product> = vec![Product::new()];
        let mut longest = products.clone();
        for _ in 0..others.min(2) {
            let extend = |product: &Product| {
                let last = product.last().map(|(factor, _)| factor.clone());
                let next = self.constant_factors().into_iter();
                let next = next.filter(move |factor| last.as_ref().is_none_or(|last| factor >= last));
                next.map(|factor| [product.clone(), vec![(factor, 1)]].concat()).collect::<Vec<_>>()
            };
            longest = longest.iter().flat_map(extend).collect();
            products.extend(longest.iter().cloned());
        }
        let mut multipliers = Vec::new();
        for product in products {
            for (k, powers) in proportions.iter().enumerate() {
                let mut factors = [powers.clone(), product.clone()].concat();
                let context = &mut Context { lowering: self.lowering, statement: self.statement };
                let value = factors.iter().try_fold(Fraction::one(), |product, (factor, power)| {
                    let power = i32::try_from(*power).ok()?;
                    Some(product * factor.value(context, None).ok()?.power(power)?)
                });
                // At a known rate, one distribution function is a quotient by a class proportion: multiply by it until it cancels.
                let Some(mut value) = value else { continue };
                for factor in [Factor::Pi0, Factor::Pi1] {
                    while value.as_polynomial().is_none()
                        && let Ok(proportion) = factor.value(context, None)
                        && (&value * &proportion).denominator().degree() < value.denominator().degree()
                    {
                        value = value * proportion;
                        factors.push((factor.clone(), 1));
                    }
                }
                if let Some(value) = value.as_polynomial().cloned() {
                    multipliers.push(Multiplier { factors, value, is_representative: k == 0 });
                }
            }
        }
        Rc::new(multipliers)
    }

    /// The degree of the integrands in numbers other than `pi0`.
    fn degree_in_forms(&self) -> u32 {
        self.goal.forms.values().flat_map(|form| form.parts()).map(Self::degree_in_others).max().unwrap_or(0)
    }

    /// Offers a fact with its multipliers.
    fn push(&mut self, fact: Fact, multipliers: &Rc<Vec<Multiplier>>) {
        self.found.push(Candidate { rule: Rule::of(fact), multipliers: multipliers.clone() });
    }

    /// Offers products of numbers: class proportions, and factors at the points of functionals.
    fn offer_numbers(&mut self, pi0_degree: u32) {
        let others = self.degree_in_forms().max(self.normal.slots.get(&None).map_or(0, Self::degree_in_others));
        let supposed = self.constant_factors().iter().any(|factor| matches!(factor, Factor::Supposed(_)));
        let multipliers = self.multipliers(pi0_degree, others.max(u32::from(supposed)));
        self.push(Fact::One, &multipliers);
        if pi0_degree >= 2 && self.lowering.pi[0].as_rational().is_none() {
            let multipliers = self.multipliers(pi0_degree - 2, others);
            let rule = Rule { fact: Fact::One, factors: Vec::new(), square: Some("pi0 - 1/2".into()) };
            self.found.push(Candidate { rule, multipliers });
        }
    }

    /// Offers the premises and conditions of the statement.
    fn offer_conditions(&mut self, pi0_degree: u32) {
        let all: Vec<_> = self.statement.premises.iter().chain(&self.statement.conditions).enumerate().collect();
        if all.is_empty() {
            return;
        }
        let multipliers = self.multipliers(pi0_degree, self.degree_in_forms());
        for (condition, comparison) in all {
            self.push(Fact::Supposed { condition, turned: false }, &multipliers);
            if comparison.relation == Relation::Equal {
                self.push(Fact::Supposed { condition, turned: true }, &multipliers);
            }
        }
    }

    /// Offers losses minus the optimal loss, for the general methods and those at points of the statement, and for all distributions,
    /// operating conditions and transforms that the statement mentions. The optimal loss belongs to the hull: nothing is offered if the goal
    /// says nothing of one.
    fn offer_optimality(&mut self, pi0_degree: u32) {
        if !self.follows(Track::Hull) && !self.lowering.is_convex(Track::Own) {
            return;
        }
        let named = self.statement.functionals();
        let Some(first) = named.first() else { return };
        let mut texts: Vec<String> = Vec::new();
        let mut transforms: Vec<Vec<Transform>> = vec![Vec::new()];
        let mut weights: Vec<CostDistribution> = Vec::new();
        let mut conditions: Vec<Condition> = Vec::new();
        let mut methods = Vec::new();
        for functional in &named {
            let mut weight = functional.weight.clone();
            // Hand's H is defined by the optimal loss under this distribution.
            if is_h_of_costs(functional)
                && let Ok(cost) = Beta::parse("beta(2, 2)")
            {
                weight = CostDistribution::Known(Box::new(cost));
            }
            if !weights.contains(&weight) {
                weights.push(weight);
            }
            if !conditions.contains(&functional.condition) {
                conditions.push(functional.condition);
            }
            if !transforms.contains(&functional.transforms) {
                transforms.push(functional.transforms.clone());
            }
            methods.extend(functional.point().map(|point| Method::fixed(point.map(Clone::clone))));
        }
        use Method::{RateDriven, RateUniform, ScoreDriven, ScoreUniform};
        methods.extend([ScoreDriven, ScoreUniform, RateDriven, RateUniform]);
        for method in methods {
            for weight in &weights {
                for condition in &conditions {
                    for transforms in &transforms {
                        let loss = Functional {
                            asked: Asked::Loss(method.clone()),
                            weight: weight.clone(),
                            condition: *condition,
                            transforms: transforms.clone(),
                            ..(*first).clone()
                        };
                        texts.push(loss.to_string());
                    }
                }
            }
        }
        texts.sort();
        texts.dedup();
        let multipliers = self.multipliers(pi0_degree, self.degree_in_forms());
        for loss in texts {
            self.push(Fact::Optimality { loss }, &multipliers);
        }
    }

    /// Offers comparisons of the curve with its hull, if the goal has integrals along both. `more` raises the degrees.
    fn offer_hull_comparisons(&mut self, pi0_degree: u32, more: u32) {
        if self.lowering.is_convex(Track::Own) || !self.follows(Track::Own) || !self.follows(Track::Hull) {
            return;
        }
        let degrees = [Track::Own, Track::Hull].map(|track| self.degrees(track));
        let multipliers = self.multipliers(pi0_degree, self.degree_in_forms());
        // `φ(c) dR` with a `φ` whose second derivative has this degree.
        let second_derivative = degrees.iter().map(|d| (d.c[0] + 1).saturating_sub(2)).max().unwrap_or(0) + more;
        for i in 0..=second_derivative {
            for j in 0..=second_derivative - i {
                self.push(Fact::Hull(HullComparison::Pooled { i, j }), &multipliers);
            }
        }
        let largest_degree = degrees.iter().map(|d| d.f0.max(d.f1)).max().unwrap_or(0) + more;
        for total in 1..=largest_degree {
            for k in 0..=total {
                for i in 0..=largest_degree - total {
                    for j in 0..=largest_degree - total - i {
                        let (rate, powers) = ([i, j], [k, total - k]);
                        self.push(Fact::Hull(HullComparison::Errors { rate, powers }), &multipliers);
                        self.push(Fact::Hull(HullComparison::Successes { rate, powers }), &multipliers);
                    }
                }
            }
        }
    }

    /// Offers the area under the hull minus that under the chords to a point of the curve: the point with the largest distance `KS` (a place
    /// of `None`), and those that functionals read.
    fn offer_triangles(&mut self, pi0_degree: u32) {
        let mut places: Vec<Option<String>> = Vec::new();
        if self.depends_on(&Symbol::Distance(Track::Own)) && self.lowering.is_convex(Track::Own) {
            places.push(None);
        }
        for functional in self.statement.functionals().into_iter().filter(|f| f.point().is_some()) {
            places.push(Some(functional.to_string()));
        }
        let follows_hull =
            self.goal.forms.keys().any(|(track, _)| *track == Track::Hull || self.lowering.is_convex(*track));
        if !places.is_empty() && follows_hull {
            let multipliers = self.multipliers(pi0_degree, self.degree_in_forms());
            places.into_iter().for_each(|place| self.push(Fact::Triangle { place }, &multipliers));
        }
    }

    /// The integrals that occur in products of integrals.
    fn multiplied_integrals(&self) -> Vec<Integral> {
        let is_in_product = |integral: &&Integral| self.goal.value.depends_on(integral.name);
        self.lowering.integrals.iter().filter(is_in_product).cloned().collect()
    }

    /// For products of integrals: offers the integrals minus their values, and squares that contain the values.
    fn offer_values(&mut self, products: &[Integral], pi0_degree: u32) {
        let multipliers = self.multipliers(pi0_degree, 0);
        let square = |fact: Fact, text: String| Rule { fact, factors: Vec::new(), square: Some(text) };
        let mut rules = Vec::new();
        for integral in products {
            let name = integral.name.name();
            for other in ["1", "1/2"].into_iter().chain(products.iter().map(|other| other.name.name())) {
                for sign in ["", "-"] {
                    let (functional, times) = (name.to_owned(), format!("{sign}{other}"));
                    rules.push(Rule::of(Fact::Value { functional, times }));
                }
                rules.push(square(Fact::One, format!("{name} - {other}")));
            }
            rules.push(square(Fact::One, name.to_owned()));
            let coordinates = ["x", "1 - x", "x^2", "(1 - x)^2", "F0", "F1", "1 - F0", "1 - F1", "c", "1 - c", "R"];
            for coordinate in coordinates.into_iter().filter(|c| !c.contains('x') || integral.form.depends_on("x")) {
                for differential in [Differential::F0, Differential::F1, Differential::Rate] {
                    let fact = Fact::Along { track: integral.track, stretch: None, differential };
                    rules.push(square(fact, format!("{coordinate} - {name}")));
                }
            }
        }
        for rule in rules {
            self.found.push(Candidate { rule, multipliers: multipliers.clone() });
        }
    }

    /// The degrees of the goal along a track.
    fn degrees(&self, track: Track) -> Degrees {
        let mut degrees = Degrees::default();
        // Differential 0 is dx, 1 is dR, 2 is dc.
        let mut include = |differential: usize, part: &Fraction| {
            degrees.f0 = degrees.f0.max(degree(part, Symbol::F0));
            degrees.f1 = degrees.f1.max(degree(part, Symbol::F1));
            let (x, c) = (degree(part, Symbol::Score), degree(part, Symbol::Posterior));
            degrees.scores |= differential == 0 || x > 0;
            match differential {
                0 => degrees.x = [degrees.x[0].max(x), degrees.x[1].max(x + 1)],
                1 => {
                    degrees.x = [degrees.x[0].max(x.saturating_sub(1)), degrees.x[1].max(x)];
                    // `beta1 dF1 = c dR` has a power of c of its own.
                    degrees.c = [degrees.c[0].max(c.saturating_sub(1)), degrees.c[1].max(c.saturating_sub(2))];
                }
                _ => degrees.c = [degrees.c[0], degrees.c[1].max(c)],
            }
        };
        for ((known, _), form) in &self.goal.forms {
            for (i, part) in form.parts().into_iter().enumerate().filter(|(_, part)| *known == track && !part.is_zero())
            {
                include(i, part);
            }
        }
        for (slot, part) in &self.normal.slots {
            if let Some((known, _, i)) = slot
                && *known == track
            {
                include(*i, part);
            }
        }
        degrees
    }

    /// Offers integrals of products of factors, and of squares, along a track. With `more`, all degrees that occur are raised by one.
    fn offer_integrals(&mut self, track: Track, pi0_degree: u32, more: u32) {
        let mut degrees = self.degrees(track);
        if more > 0 {
            degrees.f0 += 1;
            degrees.f1 += 1;
            degrees.c = degrees.c.map(|c| if c > 0 { c + 1 } else { 0 });
            degrees.x = degrees.x.map(|x| if degrees.scores { x + 1 } else { 0 });
        }
        let convex = self.lowering.is_convex(track);
        let densities: BTreeSet<String> = self
            .goal
            .forms
            .iter()
            .filter(|((known, _), _)| *known == track)
            .flat_map(|(_, form)| form.parts())
            .flat_map(|part| part.variables())
            .filter_map(|variable| match Symbol::of(variable) {
                Symbol::Weight(at) => Some(at),
                _ => None,
            })
            .collect();
        let mut weights = vec![Product::new()];
        weights.extend(densities.into_iter().map(|at| vec![(Factor::Density(at), 1)]));
        let stretches = self.lowering.stretches(track).len();
        let places: Vec<Option<usize>> = if stretches > 1 { (0..stretches).map(Some).collect() } else { vec![None] };
        let multipliers = self.multipliers(pi0_degree, self.degree_in_forms());
        let mut lists: Vec<(Differential, Vec<Product>)> = Vec::new();
        for differential in [Differential::F0, Differential::F1, Differential::Score, Differential::Posterior] {
            if differential == Differential::Score && !degrees.scores
                || differential == Differential::Posterior && !convex
            {
                continue;
            }
            for (extra, used) in self.extra_factors(convex) {
                let list = basis(&degrees, differential, used);
                let list = list.into_iter().map(|product| [extra.clone(), product].concat()).collect();
                lists.push((differential, list));
            }
        }
        for stretch in places {
            for (differential, list) in &lists {
                for product in list {
                    for weight in &weights {
                        let fact = Fact::Along { track, stretch, differential: *differential };
                        let rule = Rule { fact, factors: [product.clone(), weight.clone()].concat(), square: None };
                        self.found.push(Candidate { rule, multipliers: multipliers.clone() });
                    }
                }
            }
            self.offer_squares(track, stretch, &degrees, pi0_degree);
        }
    }

    /// Factors of which a product has at most one, each with the degrees in `F0`, `F1` and in `c` that it uses up.
    fn extra_factors(&self, convex: bool) -> Vec<(Product, [u32; 2])> {
        let mut extras = vec![(Product::new(), [0, 0])];
        if convex {
            extras.push((vec![(Factor::Above, 1)], [1, 0]));
            extras.push((vec![(Factor::TangentAtZero, 1)], [1, 1]));
            extras.push((vec![(Factor::TangentAtOne, 1)], [1, 1]));
        }
        if self.depends_on(&Symbol::Distance(Track::Own)) {
            extras.push((vec![(Factor::DistanceAbove, 1)], [1, 0]));
            extras.push((vec![(Factor::DistanceBelow, 1)], [1, 0]));
        }
        if self.depends_on(&Symbol::Border) {
            extras.push((vec![(Factor::BeforeBorder, 1)], [0, 0]));
            extras.push((vec![(Factor::AfterBorder, 1)], [0, 0]));
        }
        extras
    }

    /// Offers integrals of squares of differences, as far as the degrees allow.
    fn offer_squares(&mut self, track: Track, stretch: Option<usize>, degrees: &Degrees, pi0_degree: u32) {
        let (x, c) = (degrees.x[1], degrees.c[0] + 1);
        let f = degrees.f0.max(degrees.f1);
        // The polynomial; its degrees in x, in c, and in F0 or F1; and its degree in pi0.
        let squares = [
            ("x - c", [1, 1, 0], 0),
            ("x - beta1", [1, 0, 0], 1),
            ("x - 1/2", [1, 0, 0], 0),
            ("c - beta1", [0, 1, 0], 1),
            ("c - 1/2", [0, 1, 0], 0),
            ("x - R", [1, 0, 1], 1),
            ("c - R", [0, 1, 1], 1),
            ("R - beta1", [0, 0, 1], 1),
            ("R - 1/2", [0, 0, 1], 1),
            ("F0 - F1", [0, 0, 1], 0),
        ];
        for (square, [in_x, in_c, in_f], in_pi0) in squares {
            if x < 2 * in_x || c < 2 * in_c || f < 2 * in_f {
                continue;
            }
            let multipliers = self.multipliers(pi0_degree.saturating_sub(2 * in_pi0), self.degree_in_forms());
            let remaining = Degrees {
                x: [0, if in_x > 0 { x - 2 } else { 0 }],
                f0: if in_f > 0 { f - 2 } else { 0 },
                f1: if in_f > 0 { f - 2 } else { 0 },
                c: [if in_c > 0 { c - 2 } else { 0 }, 0],
                scores: in_x > 0,
            };
            for factors in basis(&remaining, Differential::Rate, [0, 0]) {
                let fact = Fact::Along { track, stretch, differential: Differential::Rate };
                let rule = Rule { fact, factors, square: Some(square.into()) };
                self.found.push(Candidate { rule, multipliers: multipliers.clone() });
            }
        }
    }
}

/// The products of coordinates that multiply a differential. The degrees in `F0` and `F1`, and in `c`, are lowered by those that an extra
/// factor uses up.
fn basis(degrees: &Degrees, differential: Differential, [used_f, used_c]: [u32; 2]) -> Vec<Product> {
    let (x, c) = match differential {
        Differential::Score => (degrees.x[0], 0),
        Differential::Posterior => (0, degrees.c[1]),
        _ => (degrees.x[1], degrees.c[0]),
    };
    all_products(&[
        bernstein(x, &Factor::ScoreAboveLowest, &Factor::ScoreBelowHighest),
        bernstein(degrees.f0.saturating_sub(used_f), &Factor::F0, &Factor::NotF0),
        bernstein(degrees.f1.saturating_sub(used_f), &Factor::F1, &Factor::NotF1),
        bernstein(c.saturating_sub(used_c), &Factor::Posterior, &Factor::NotPosterior),
    ])
}
