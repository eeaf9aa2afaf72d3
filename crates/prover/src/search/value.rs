//! A statement compiled for evaluation on many models: its sides refer to values by number.

use super::scalar::Scalar;
use crate::statement::{
    Amount, Class, Comparison, CostDistribution, CurvePoint, Functional, Statement, Term, TermFunction,
};
use rocproof_algebra::invariant;
use rocproof_arith::Rational;
use rocproof_engine::constant::Constant;
use rocproof_engine::functional::Cost;
use rocproof_engine::functional::question::{Asked, Question};
use rocproof_engine::model::Transform;
use rocproof_language::{Op, Relation};
use std::cmp::Ordering;

/// Values for the parameters of a statement, and for its distribution `w` of operating conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The values of the parameters, in the order of [`Sides::parameters`].
    pub numbers: Vec<Rational>,
    /// The value of `w`.
    pub cost: Cost,
}

/// A side of a comparison as an expression over numbered values.
#[derive(Clone, Debug)]
enum SideExpr {
    Number(Constant),
    /// The proportion of class 0 or class 1.
    Proportion(usize),
    /// A parameter, by its index in [`Sides::parameters`].
    Parameter(usize),
    /// The value that a model has in a slot: see [`Sides::questions`].
    Value {
        model: usize,
        slot: usize,
    },
    Binary(Op, Box<[SideExpr; 2]>),
    Power(Box<SideExpr>, i32),
    Function(TermFunction, Vec<SideExpr>),
}

/// A comparison whose sides are expressions over numbered values.
#[derive(Clone, Debug)]
pub struct ComparedSides {
    sides: [SideExpr; 2],
    relation: Relation,
}

/// A value that a statement needs of a model: the content of one slot.
#[derive(Clone, Debug, PartialEq)]
enum ValueRequest {
    Functional(Box<Functional>),
    /// An end of the scale of its scores, by name: `l` or `h`.
    ScaleEnd(&'static str),
}

/// All comparisons of a statement, over numbered values.
#[derive(Clone, Debug)]
pub struct Sides {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// For each parameter, whether it is a rate.
    pub rates: Vec<bool>,
    /// Premises, then conditions.
    pub supposed: Vec<ComparedSides>,
    /// The claims.
    pub claims: Vec<ComparedSides>,
    /// Whether the statement leaves the distribution `w` of operating conditions open.
    pub open_cost: bool,
    /// For each model, what its slots hold.
    requests: Vec<Vec<ValueRequest>>,
}

/// The values that sides are evaluated with.
#[derive(Debug)]
pub struct Environment<'a, S> {
    /// The proportion of class 0.
    pub pi0: &'a Constant,
    /// The values of the parameters and of `w`.
    pub assignment: &'a Assignment,
    /// For each model, the values of its slots; `None` where a value is unknown.
    pub values: &'a [&'a [Option<S>]],
}

impl<S> Clone for Environment<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Environment<'_, S> {}

impl Sides {
    /// Compiles the comparisons of a statement.
    pub fn new(statement: &Statement) -> Sides {
        let parameters: Vec<String> = statement.parameters().into_iter().map(str::to_owned).collect();
        let rates = parameters.iter().map(|name| is_rate(statement, name)).collect();
        let open_cost = statement.functionals().iter().any(|functional| functional.weight == CostDistribution::Any);
        let requests = vec![Vec::new(); statement.models.len()];
        let (supposed, claims) = (Vec::new(), Vec::new());
        let mut sides = Sides { parameters, rates, supposed, claims, open_cost, requests };
        sides.supposed = statement
            .premises
            .iter()
            .chain(&statement.conditions)
            .map(|comparison| sides.compile(comparison))
            .collect();
        sides.claims = statement.claims.iter().map(|comparison| sides.compile(comparison)).collect();
        sides
    }

    /// Compiles both sides of a comparison.
    fn compile(&mut self, comparison: &Comparison) -> ComparedSides {
        let sides = [self.expression(&comparison.left), self.expression(&comparison.right)];
        ComparedSides { sides, relation: comparison.relation }
    }

    /// Compiles a term; each value of a model gets a slot.
    fn expression(&mut self, term: &Term) -> SideExpr {
        match term {
            Term::Number(value) => SideExpr::Number(Constant::from(value)),
            Term::Symbol(name) => match name.as_str() {
                "pi0" => SideExpr::Proportion(0),
                "pi1" => SideExpr::Proportion(1),
                "l" => self.value(0, ValueRequest::ScaleEnd("l")),
                "h" => self.value(0, ValueRequest::ScaleEnd("h")),
                name => SideExpr::Parameter(self.parameter(name)),
            },
            Term::Value(functional) => self.value(functional.model, ValueRequest::Functional(functional.clone())),
            Term::Binary(op, left, right) => {
                SideExpr::Binary(*op, Box::new([self.expression(left), self.expression(right)]))
            }
            Term::Power(base, exponent) => SideExpr::Power(Box::new(self.expression(base)), *exponent),
            Term::Function(function, terms) => {
                SideExpr::Function(*function, terms.iter().map(|term| self.expression(term)).collect())
            }
        }
    }

    /// The index of a parameter in [`Sides::parameters`].
    fn parameter(&self, name: &str) -> usize {
        match self.parameters.iter().position(|known| known == name) {
            Some(k) => k,
            None => invariant!("the statement has no parameter {name}"),
        }
    }

    /// The slot for a value of a model; a new one if no slot holds that value yet.
    fn value(&mut self, model: usize, request: ValueRequest) -> SideExpr {
        let slots = &mut self.requests[model];
        let slot = slots.iter().position(|known| *known == request).unwrap_or_else(|| {
            slots.push(request);
            slots.len() - 1
        });
        SideExpr::Value { model, slot }
    }

    /// The number of models that the statement speaks of.
    pub fn models(&self) -> usize {
        self.requests.len()
    }

    /// The questions whose answers fill the slots of a model, in the order of the slots.
    pub fn questions(&self, model: usize, assignment: &Assignment) -> Vec<Question> {
        self.requests[model].iter().map(|request| self.question(request, assignment)).collect()
    }

    /// The question whose answer is a requested value, with the parameters and `w` replaced by their values in an assignment.
    fn question(&self, request: &ValueRequest, assignment: &Assignment) -> Question {
        let functional = match request {
            ValueRequest::Functional(functional) => functional,
            ValueRequest::ScaleEnd(end) => {
                // The ends of the scale are the same at every point, so any point serves.
                let any_point = CurvePoint::Score(Constant::rational(Rational::ZERO));
                return Question::new(Asked::At((*end).into(), any_point));
            }
        };
        let amount = |amount: &Amount| match amount {
            Amount::Number(value) => Constant::from(value),
            Amount::Symbol(name) => Constant::rational(assignment.numbers[self.parameter(name)].clone()),
        };
        let asked = functional.asked.map(amount, |integrand| integrand.text().to_owned());
        let cost = match &functional.weight {
            CostDistribution::Known(beta) => Cost::from(&**beta),
            CostDistribution::Any => assignment.cost.clone(),
        };
        Question { transforms: functional.transforms.clone(), condition: functional.condition, cost, asked }
    }
}

/// Whether a functional of the statement reads the parameter as a rate.
fn is_rate(statement: &Statement, name: &str) -> bool {
    statement.functionals().into_iter().any(|functional| {
        // Evenly spaced scores are rates.
        let has_even_scores =
            statement.classes.contains(&Class::Even) || functional.transforms.contains(&Transform::Even);
        let is_at_rate = has_even_scores || matches!(functional.point(), Some(CurvePoint::Rate(_)));
        is_at_rate && functional.parameter() == Some(name)
    })
}

impl ComparedSides {
    /// Evaluates both sides; `None` for a side without a value.
    pub fn sides<S: Scalar>(&self, environment: Environment<S>) -> [Option<S>; 2] {
        self.sides.each_ref().map(|side| side.value(environment))
    }

    /// Whether the comparison holds; `None` if the values do not decide that.
    pub fn holds<S: Scalar>(&self, environment: Environment<S>) -> Option<bool> {
        let [left, right] = self.sides(environment);
        let (left, right) = (left?, right?);
        left.compare(&right).map(|order| holds(self.relation, order))
    }

    /// The relation.
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// Whether it depends on class proportions, parameters and numbers only, and on no value of a model.
    pub fn is_plain(&self) -> bool {
        self.sides.iter().all(SideExpr::is_plain)
    }

    /// Whether it depends on the class proportions.
    pub fn depends_on_proportions(&self) -> bool {
        self.sides.iter().any(|side| side.any(&|node| matches!(node, SideExpr::Proportion(_))))
    }

    /// Whether it depends on a parameter, given by its index.
    pub fn depends_on_parameter(&self, parameter: usize) -> bool {
        self.sides.iter().any(|side| side.any(&|node| matches!(node, SideExpr::Parameter(k) if *k == parameter)))
    }
}

/// Whether a relation holds between two numbers of this order.
pub fn holds(relation: Relation, order: Ordering) -> bool {
    match relation {
        Relation::Equal => order.is_eq(),
        Relation::AtMost => order.is_le(),
        Relation::Less => order.is_lt(),
        Relation::AtLeast => order.is_ge(),
        Relation::Greater => order.is_gt(),
    }
}

impl SideExpr {
    /// Evaluates the expression; `None` if it has no value, or if a value that it needs is unknown.
    fn value<S: Scalar>(&self, environment: Environment<S>) -> Option<S> {
        match self {
            SideExpr::Number(value) => S::constant(value),
            SideExpr::Proportion(0) => S::constant(environment.pi0),
            SideExpr::Proportion(_) => Some(S::constant(&Constant::from(1))?.minus(&S::constant(environment.pi0)?)),
            SideExpr::Parameter(k) => S::constant(&Constant::rational(environment.assignment.numbers.get(*k)?.clone())),
            SideExpr::Value { model, slot } => environment.values.get(*model)?.get(*slot)?.clone(),
            SideExpr::Binary(op, sides) => {
                let [left, right] = [sides[0].value(environment)?, sides[1].value(environment)?];
                match op {
                    Op::Add => Some(left.plus(&right)),
                    Op::Sub => Some(left.minus(&right)),
                    Op::Mul => Some(left.times(&right)),
                    Op::Div => left.over(&right),
                    // Powers have a variant of their own, with an integer exponent.
                    Op::Pow => None,
                }
            }
            SideExpr::Power(base, exponent) => base.value(environment)?.power(*exponent),
            SideExpr::Function(function, terms) => {
                let mut values = terms.iter().map(|term| term.value(environment));
                let first = values.next()??;
                match function {
                    TermFunction::Abs => Some(first.abs()),
                    TermFunction::Sqrt => first.sqrt(),
                    TermFunction::Min => values.try_fold(first, |least, next| Some(least.min(&next?))),
                    TermFunction::Max => values.try_fold(first, |most, next| Some(most.max(&next?))),
                }
            }
        }
    }

    /// Whether the expression or a part of it satisfies a predicate.
    fn any(&self, predicate: &impl Fn(&SideExpr) -> bool) -> bool {
        predicate(self)
            || match self {
                SideExpr::Binary(_, sides) => sides.iter().any(|side| side.any(predicate)),
                SideExpr::Power(base, _) => base.any(predicate),
                SideExpr::Function(_, terms) => terms.iter().any(|term| term.any(predicate)),
                _ => false,
            }
    }

    /// Whether the expression contains no value of a model.
    fn is_plain(&self) -> bool {
        !self.any(&|node| matches!(node, SideExpr::Value { .. }))
    }
}
