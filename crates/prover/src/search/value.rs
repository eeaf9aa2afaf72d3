//! A statement made ready to be tried on many models: its sides over numbered values, and how comparisons turn out.

use super::scalar::Scalar;
use crate::statement::{
    Amount, Asked, Choice, Class, Comparison, CostDistribution, CurvePoint, Functional, Statement, Term, TermFunction,
};
use rocproof_algebra::invariant;
use rocproof_arith::Rational;
use rocproof_engine::constant::Constant;
use rocproof_engine::functional::Cost;
use rocproof_engine::functional::definition::Method;
use rocproof_engine::functional::question::{self, Question};
use rocproof_engine::model::Transform;
use rocproof_language::{Op, Relation};
use std::cmp::Ordering;

/// What stands for the parameters of a statement, and for its distribution `w` of operating conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The parameters, in the order of [`Sides::parameters`].
    pub numbers: Vec<Rational>,
    /// What stands for `w`.
    pub cost: Cost,
}

/// A part of a side.
#[derive(Clone, Debug)]
enum Node {
    Number(Constant),
    Proportion(usize),
    Parameter(usize),
    Value { model: usize, slot: usize },
    Binary(Op, Box<[Node; 2]>),
    Power(Box<Node>, i32),
    Function(TermFunction, Vec<Node>),
}

/// A comparison of sides over numbered values.
#[derive(Clone, Debug)]
pub struct Compared {
    sides: [Node; 2],
    relation: Relation,
}

/// What a value is asked of a model.
#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    Functional(Box<Functional>),
    /// An end of the scale of its scores, by its name.
    End(&'static str),
}

/// The sides of a statement, over numbered values.
#[derive(Clone, Debug)]
pub struct Sides {
    /// The parameters.
    pub parameters: Vec<String>,
    /// Which of the parameters are rates.
    pub rates: Vec<bool>,
    /// What is supposed: premises, then conditions.
    pub supposed: Vec<Compared>,
    /// What is claimed.
    pub claims: Vec<Compared>,
    /// Whether a distribution of operating conditions is left open.
    pub open_cost: bool,
    wanted: Vec<Vec<Wanted>>,
}

/// What the sides are computed from.
#[derive(Debug)]
pub struct Given<'a, S> {
    /// The proportion of class 0.
    pub pi0: &'a Constant,
    /// What stands for the parameters.
    pub setting: &'a Setting,
    /// The values of each model; `None` where one is not to be had.
    pub values: &'a [&'a [Option<S>]],
}

impl<S> Clone for Given<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Given<'_, S> {}

impl Sides {
    /// The sides of a statement.
    pub fn new(statement: &Statement) -> Sides {
        let parameters: Vec<String> = statement.parameters().into_iter().map(str::to_owned).collect();
        let rates = parameters.iter().map(|name| is_rate(statement, name)).collect();
        let open_cost = statement.functionals().iter().any(|functional| functional.weight == CostDistribution::Any);
        let wanted = vec![Vec::new(); statement.models.len()];
        let (supposed, claims) = (Vec::new(), Vec::new());
        let mut sides = Sides { parameters, rates, supposed, claims, open_cost, wanted };
        sides.supposed = statement
            .premises
            .iter()
            .chain(&statement.conditions)
            .map(|comparison| sides.compared(comparison))
            .collect();
        sides.claims = statement.claims.iter().map(|comparison| sides.compared(comparison)).collect();
        sides
    }

    fn compared(&mut self, comparison: &Comparison) -> Compared {
        let sides = [self.node(&comparison.left), self.node(&comparison.right)];
        Compared { sides, relation: comparison.relation }
    }

    fn node(&mut self, term: &Term) -> Node {
        match term {
            Term::Number(value) => Node::Number(Constant::from(value)),
            Term::Symbol(name) => match name.as_str() {
                "pi0" => Node::Proportion(0),
                "pi1" => Node::Proportion(1),
                "l" => self.value(0, Wanted::End("l")),
                "h" => self.value(0, Wanted::End("h")),
                name => Node::Parameter(self.parameter(name)),
            },
            Term::Value(functional) => self.value(functional.model, Wanted::Functional(functional.clone())),
            Term::Binary(op, left, right) => Node::Binary(*op, Box::new([self.node(left), self.node(right)])),
            Term::Power(base, exponent) => Node::Power(Box::new(self.node(base)), *exponent),
            Term::Function(function, terms) => {
                Node::Function(*function, terms.iter().map(|term| self.node(term)).collect())
            }
        }
    }

    /// The place of a parameter among those of the statement.
    fn parameter(&self, name: &str) -> usize {
        match self.parameters.iter().position(|known| known == name) {
            Some(k) => k,
            None => invariant!("the statement has no parameter {name}"),
        }
    }

    fn value(&mut self, model: usize, wanted: Wanted) -> Node {
        let known = &mut self.wanted[model];
        let slot = known.iter().position(|other| *other == wanted).unwrap_or_else(|| {
            known.push(wanted);
            known.len() - 1
        });
        Node::Value { model, slot }
    }

    /// How many models it speaks of.
    pub fn models(&self) -> usize {
        self.wanted.len()
    }

    /// What is asked of one of the models in a setting, in the order of its values.
    pub fn questions(&self, model: usize, setting: &Setting) -> Vec<Question> {
        self.wanted[model].iter().map(|wanted| self.question(wanted, setting)).collect()
    }

    fn question(&self, wanted: &Wanted, setting: &Setting) -> Question {
        let functional = match wanted {
            Wanted::Functional(functional) => functional,
            Wanted::End(end) => {
                let anywhere = Constant::rational(Rational::ZERO);
                return Question::new(question::Asked::AtScore((*end).to_owned(), anywhere));
            }
        };
        let amount = |amount: &Amount| match amount {
            Amount::Number(value) => Constant::from(value),
            Amount::Symbol(name) => Constant::rational(setting.numbers[self.parameter(name)].clone()),
        };
        let at = |text: &str, place: &CurvePoint| match place {
            CurvePoint::Score(t) => question::Asked::AtScore(text.to_owned(), amount(t)),
            CurvePoint::Rate(r) => question::Asked::AtRate(text.to_owned(), amount(r)),
        };
        let asked = match &functional.asked {
            Asked::Metric(definition) => question::Asked::Metric(definition, None),
            Asked::MetricAt(definition, CurvePoint::Score(t)) => question::Asked::Metric(definition, Some(amount(t))),
            Asked::MetricAt(definition, place) => match definition.reading.text() {
                Some(text) => at(text, place),
                None => invariant!("{} has no value at a place", definition.name),
            },
            Asked::At(name, place) => at(name, place),
            Asked::Integral(integrand) => question::Asked::Integral(integrand.text().to_owned()),
            Asked::Loss(choice) => question::Asked::Loss(match choice {
                Choice::Fixed(CurvePoint::Score(t)) => Method::ScoreFixed(amount(t)),
                Choice::Fixed(CurvePoint::Rate(r)) => Method::RateFixed(amount(r)),
                Choice::ScoreUniform => Method::ScoreUniform,
                Choice::ScoreDriven => Method::ScoreDriven,
                Choice::RateUniform => Method::RateUniform,
                Choice::RateDriven => Method::RateDriven,
                Choice::Optimal => Method::Optimal,
            }),
        };
        let cost = match &functional.weight {
            CostDistribution::Known(beta) => Cost::from(&**beta),
            CostDistribution::Any => setting.cost.clone(),
        };
        Question { transforms: functional.transforms.clone(), condition: functional.condition, cost, asked }
    }
}

/// Whether a parameter is asked for as a rate somewhere.
fn is_rate(statement: &Statement, name: &str) -> bool {
    statement.functionals().into_iter().any(|functional| {
        // Scores that are evenly spaced are rates.
        let even = statement.classes.contains(&Class::Even) || functional.transforms.contains(&Transform::Even);
        let rate = even || matches!(functional.point(), Some(CurvePoint::Rate(_)));
        rate && functional.parameter() == Some(name)
    })
}

impl Compared {
    /// Both sides; `None` for one that has no value.
    pub fn sides<S: Scalar>(&self, given: Given<S>) -> [Option<S>; 2] {
        self.sides.each_ref().map(|side| side.value(given))
    }

    /// Whether it holds; `None` if that cannot be told.
    pub fn holds<S: Scalar>(&self, given: Given<S>) -> Option<bool> {
        let [left, right] = self.sides(given);
        let (left, right) = (left?, right?);
        left.compared(&right).map(|order| holds(self.relation, order))
    }

    /// The relation.
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// Whether it speaks of class proportions, parameters and numbers only.
    pub fn is_plain(&self) -> bool {
        self.sides.iter().all(Node::is_plain)
    }

    /// Whether it speaks of the class proportions.
    pub fn speaks_of_proportions(&self) -> bool {
        self.sides.iter().any(|side| side.any(&|node| matches!(node, Node::Proportion(_))))
    }

    /// Whether it speaks of a parameter.
    pub fn speaks_of(&self, parameter: usize) -> bool {
        self.sides.iter().any(|side| side.any(&|node| matches!(node, Node::Parameter(k) if *k == parameter)))
    }
}

/// Whether two numbers in an order are in a relation.
pub fn holds(relation: Relation, order: Ordering) -> bool {
    match relation {
        Relation::Equal => order.is_eq(),
        Relation::AtMost => order.is_le(),
        Relation::Less => order.is_lt(),
        Relation::AtLeast => order.is_ge(),
        Relation::Greater => order.is_gt(),
    }
}

impl Node {
    fn value<S: Scalar>(&self, given: Given<S>) -> Option<S> {
        match self {
            Node::Number(value) => S::constant(value),
            Node::Proportion(0) => S::constant(given.pi0),
            Node::Proportion(_) => Some(S::constant(&Constant::from(1))?.minus(&S::constant(given.pi0)?)),
            Node::Parameter(k) => S::constant(&Constant::rational(given.setting.numbers.get(*k)?.clone())),
            Node::Value { model, slot } => given.values.get(*model)?.get(*slot)?.clone(),
            Node::Binary(op, sides) => {
                let [left, right] = [sides[0].value(given)?, sides[1].value(given)?];
                match op {
                    Op::Add => Some(left.plus(&right)),
                    Op::Sub => Some(left.minus(&right)),
                    Op::Mul => Some(left.times(&right)),
                    Op::Div => left.over(&right),
                    Op::Pow => None,
                }
            }
            Node::Power(base, exponent) => base.value(given)?.power(*exponent),
            Node::Function(function, terms) => {
                let mut values = terms.iter().map(|term| term.value(given));
                let first = values.next()??;
                match function {
                    TermFunction::Abs => Some(first.size()),
                    TermFunction::Sqrt => first.root(),
                    TermFunction::Min => values.try_fold(first, |least, next| Some(least.smaller(&next?))),
                    TermFunction::Max => values.try_fold(first, |most, next| Some(most.larger(&next?))),
                }
            }
        }
    }

    fn any(&self, is: &impl Fn(&Node) -> bool) -> bool {
        is(self)
            || match self {
                Node::Binary(_, sides) => sides.iter().any(|side| side.any(is)),
                Node::Power(base, _) => base.any(is),
                Node::Function(_, terms) => terms.iter().any(|term| term.any(is)),
                _ => false,
            }
    }

    fn is_plain(&self) -> bool {
        !self.any(&|node| matches!(node, Node::Value { .. }))
    }
}
