//! From functionals to forms: the definitions read in the coordinates of a curve.

use super::careful::Careful;
use super::form::{Form, Proportions};
use super::path::{Stretch, stretches};
use crate::arith::{Fraction, Rational, Variable};
use crate::functional::definition::{Definition, Prior, Reading, Scores, metric_named};
use crate::functional::exact::view::{Weight as WholeBeta, inputs};
use crate::functional::program::Program;
use crate::functional::{Condition, Cost};
use crate::lang::Op;
use crate::model::Transform;
use crate::statement::{Amount, Asked, Choice, Class, Functional, Place, Statement, Term, Weight};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a statement has no form that proofs could work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn unsupported<T>(why: impl Into<String>) -> Result<T, Unsupported> {
    Err(Unsupported(why.into()))
}

/// Whose curve an integral follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Track {
    /// The model's own.
    Own,
    /// The hull of it.
    Hull,
}

/// What the scores of a transformed model are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Scores of their own.
    Score,
    /// Predicted positive rates.
    Rate,
    /// Posteriors.
    Posterior,
}

/// An integral: its name, whose curve it follows, and what is integrated.
#[derive(Clone, Debug)]
pub struct Integral {
    /// What stands for its value in terms.
    pub name: Variable,
    /// Whose curve.
    pub track: Track,
    /// What is integrated.
    pub form: Form,
    /// The functional.
    pub functional: Functional,
    /// The definition that was read.
    pub text: String,
    /// What the score is.
    pub label: Label,
}

/// By which proportions `R` and `c` are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// The class proportions.
    Given,
    /// One half each, as skews have it.
    Balanced,
}

impl Base {
    /// Both.
    pub const ALL: [Base; 2] = [Base::Given, Base::Balanced];
}

/// In what a statement is read: proportions, the scale of scores, classes; and the integrals that were met.
#[derive(Clone, Debug)]
pub struct Setting {
    /// `π0`, `π1`: symbols, or numbers where the statement fixes them.
    pub pi: Proportions,
    /// The proportions behind `R` and `c`.
    pub base: Proportions,
    /// The scale of the scores.
    pub range: [Fraction; 2],
    classes: Vec<Class>,
    convex: bool,
    /// Values of parameters that the statement fixes.
    pub given: Vec<(Variable, Fraction)>,
    /// The integrals, in the order in which they were met.
    pub integrals: Vec<Integral>,
}

impl Setting {
    /// The setting of a statement about one model.
    pub fn new(statement: &Statement, base: Base) -> Result<Setting, Unsupported> {
        if statement.models.len() > 1 {
            return unsupported("it is about two models");
        }
        if [Class::Perfect, Class::Random].iter().all(|class| statement.classes.contains(class)) {
            return unsupported("no model is perfect and random at once");
        }
        let given = fixed_by(statement)?;
        let pi0 = Fraction::variable("pi0");
        let pi0 = given.iter().find(|(name, _)| name.name() == "pi0").map_or(pi0, |(_, value)| value.clone());
        let pi = [pi0.clone(), Fraction::one() - pi0];
        let half = Fraction::constant(Rational::ONE / Rational::from(2));
        let base = match base {
            Base::Given => pi.clone(),
            Base::Balanced => [half.clone(), half],
        };
        let labelled = [Class::Calibrated, Class::Even].iter().any(|class| statement.classes.contains(class));
        let range = if statement.scores() == Scores::Probabilities || labelled {
            [Fraction::zero(), Fraction::one()]
        } else {
            ["l", "h"].map(|end| {
                let fixed = given.iter().find(|(name, _)| name.name() == end);
                fixed.map_or_else(|| Fraction::variable(end), |(_, value)| value.clone())
            })
        };
        let classes = statement.classes.clone();
        let convex = classes.iter().any(|class| class.is_convex());
        Ok(Setting { pi, base, range, classes, convex, given, integrals: Vec::new() })
    }

    /// The stretches of the curve that integrals along a track follow.
    pub fn stretches(&self, track: Track) -> Vec<Stretch> {
        // The hull of a curve of no known shape is a convex curve of no known shape.
        let classes: &[Class] = if track == Track::Own || self.convex { &self.classes } else { &[] };
        stretches(classes, &self.base, &self.range)
    }

    /// Whether the posterior never falls along a track.
    pub fn is_convex(&self, track: Track) -> bool {
        self.convex || track == Track::Hull
    }

    /// A term as a fraction of integrals, numbers of the model and parameters.
    pub fn term(&mut self, term: &Term) -> Result<Fraction, Unsupported> {
        match term {
            Term::Number(value) => match &value.exact {
                Some(exact) => Ok(Fraction::constant(exact.clone())),
                None => unsupported("it has an irrational number"),
            },
            Term::Symbol(name) => Ok(self.symbol(name)),
            Term::Value(functional) => self.functional(functional),
            Term::Binary(op, left, right) => {
                let (l, r) = (self.term(left)?, self.term(right)?);
                Ok(match op {
                    Op::Add => l + r,
                    Op::Sub => l - r,
                    Op::Mul => l * r,
                    _ => l.over(&r).ok_or_else(|| Unsupported("it divides by zero".into()))?,
                })
            }
            Term::Power(base, exponent) => {
                let base = self.term(base)?;
                base.power(*exponent).ok_or_else(|| Unsupported("it divides by zero, or has too large a power".into()))
            }
            Term::Function(function, _) => unsupported(format!("it has `{}`", function.name())),
        }
    }

    fn symbol(&self, name: &str) -> Fraction {
        match name {
            "pi0" => self.pi[0].clone(),
            "pi1" => self.pi[1].clone(),
            "l" => self.range[0].clone(),
            "h" => self.range[1].clone(),
            _ => {
                let given = self.given.iter().find(|(variable, _)| variable.name() == name);
                given.map_or_else(|| Fraction::variable(name), |(_, value)| value.clone())
            }
        }
    }

    fn amount(&self, amount: &Amount) -> Result<Fraction, Unsupported> {
        match amount {
            Amount::Symbol(name) => Ok(self.symbol(name)),
            Amount::Number(value) => match &value.exact {
                Some(exact) => Ok(Fraction::constant(exact.clone())),
                None => unsupported("it has an irrational threshold"),
            },
        }
    }

    /// Whose curve, and which scores, transforms leave.
    fn followed(&self, transforms: &[Transform]) -> (Track, Label) {
        let mut followed = (Track::Own, Label::Score);
        if self.classes.contains(&Class::Calibrated) {
            followed.1 = Label::Posterior;
        } else if self.classes.contains(&Class::Even) {
            followed.1 = Label::Rate;
        }
        for transform in transforms {
            followed = match transform {
                // A chord keeps scores that are rates or posteriors what they are.
                Transform::Conv => (Track::Hull, followed.1),
                Transform::Cal => (Track::Hull, Label::Posterior),
                Transform::Even => (followed.0, Label::Rate),
            };
        }
        if self.convex {
            followed.0 = Track::Own;
        }
        followed
    }

    fn functional(&mut self, functional: &Functional) -> Result<Fraction, Unsupported> {
        match &functional.asked {
            Asked::Metric(definition) | Asked::MetricAt(definition, _) => self.metric(functional, definition),
            Asked::Loss(choice) => self.reading(functional, choice.method().reading()),
            Asked::Integral(text) => self.integral(functional, text, false),
            Asked::At(name, place) => self.at_place(functional, name, place),
        }
    }

    fn metric(&mut self, functional: &Functional, definition: &Definition) -> Result<Fraction, Unsupported> {
        self.reading(functional, definition.reading)
    }

    fn reading(&mut self, functional: &Functional, reading: Reading) -> Result<Fraction, Unsupported> {
        match reading {
            Reading::Along(text) => self.integral(functional, text, false),
            Reading::AlongHull(text) => self.integral(functional, text, true),
            Reading::AtScore(text) | Reading::AtRate(text) => match functional.place() {
                Some(place) => self.at_place(functional, text, place),
                None => unsupported(format!("{functional} has no threshold")),
            },
            Reading::Largest(_) => self.largest(functional),
            Reading::Affine(a, b, of) => {
                let value = self.named(functional, of, Condition::Cost, None)?;
                let number = |value: f64| crate::arith::rational::from_f64(value).map(Fraction::constant);
                match (number(a), number(b)) {
                    (Some(a), Some(b)) => Ok(a + b * value),
                    _ => unsupported(format!("{functional} has no rational coefficients")),
                }
            }
            Reading::Balanced(of) => self.named(functional, of, Condition::Skew, None),
            Reading::OfHull(of) => self.named(functional, of, functional.condition, Some(Transform::Conv)),
            Reading::ShareOfChance(prior) => self.share_of_chance(functional, prior),
        }
    }

    /// Another metric of the same model, or of a transform of it.
    fn named(
        &mut self,
        functional: &Functional,
        name: &str,
        condition: Condition,
        transform: Option<Transform>,
    ) -> Result<Fraction, Unsupported> {
        let Some(definition) = metric_named(name) else { return unsupported(format!("{name} has no definition")) };
        let mut other = functional.clone();
        (other.asked, other.condition) = (Asked::Metric(definition), condition);
        other.transforms.extend(transform);
        self.metric(&other, definition)
    }

    /// The proportions that a functional reads: those of the classes, or one half each.
    fn read(&self, condition: Condition) -> Proportions {
        match condition {
            Condition::Cost => self.pi.clone(),
            Condition::Skew => [1, 1].map(|one| Fraction::constant(Rational::from(one) / Rational::from(2))),
        }
    }

    /// The value of a definition, given the coordinates and their differentials.
    fn value(
        &self,
        functional: &Functional,
        text: &str,
        [x, f0, f1]: [Fraction; 3],
        d: [Fraction; 3],
        q: [Fraction; 3],
        range: &[Fraction; 2],
    ) -> Result<Fraction, Unsupported> {
        let program = Program::new(&[text]).map_err(|error| Unsupported(error.to_string()))?;
        let (mean, whole) = weight(&functional.weight);
        let mean = mean.ok_or_else(|| Unsupported("the mean cost is irrational".into()))?;
        let [pi0, pi1] = self.read(functional.condition);
        let numbers = [pi0, pi1, mean, range[0].clone(), range[1].clone()].map(Careful::from);
        let coordinates = [f0, f1].map(Careful::from);
        let values = program.values(
            &inputs(Careful::from(x), coordinates, d.map(Careful::from), q.map(Careful::from)),
            &numbers,
            None,
            |c, complement| match (&functional.weight, &whole) {
                (Weight::Any, _) => {
                    c.value.as_ref().map(|c| Fraction::variable(format!("w({c})").as_str())).map(Careful::from)
                }
                (_, Some(whole)) => Some(whole.at(c, complement)),
                _ => None,
            },
        );
        match values.into_iter().next() {
            Some(Some(Careful { value: Some(value), .. })) => Ok(value),
            Some(None) => unsupported("its cost distribution is not a beta with whole parameters"),
            _ => unsupported(format!("{functional} divides by what may be zero")),
        }
    }

    /// The direction `(q0, q1)` of the curve where the posterior is `c`, and how it turns.
    fn direction(&self) -> Option<[Fraction; 3]> {
        let c = Fraction::variable("c");
        let [beta0, beta1] = &self.base;
        // q1 = c β0/(c β0 + (1-c) β1).
        let q1 = (&c * beta0).over(&(&c * beta0 + (Fraction::one() - &c) * beta1))?;
        let turn = q1.derivative("c") * Fraction::variable("dc");
        Some([Fraction::one() - &q1, q1, turn])
    }

    /// The integral of a text along the curve, or along the hull.
    fn integral(&mut self, functional: &Functional, text: &str, along_hull: bool) -> Result<Fraction, Unsupported> {
        let (track, label) = self.followed(&functional.transforms);
        let track = if along_hull && !self.convex { Track::Hull } else { track };
        let name = Variable::new(&functional.to_string());
        if let Some(known) = self.integrals.iter().find(|known| known.name == name) {
            if known.functional != *functional {
                return unsupported(format!("two functionals are written {functional}"));
            }
            return Ok(Fraction::variable(name.name()));
        }
        let [f0, f1, c, dr, dx, dc] = ["F0", "F1", "c", "dR", "dx", "dc"].map(Fraction::variable);
        let [beta0, beta1] = self.base.clone();
        let (Some(d0), Some(d1)) = (((Fraction::one() - &c) * &dr).over(&beta0), (&c * &dr).over(&beta1)) else {
            return unsupported("a class has no members");
        };
        let Some(direction) = self.direction() else { return unsupported("a class has no members") };
        let mixed = || unsupported(format!("{functional} mixes dx with other differentials"));
        let massless = || unsupported(format!("{functional} reads the posterior where there may be no mass"));
        if label == Label::Posterior {
            // Where there is no mass there is no posterior for the score to be, whatever the score is called.
            let scores = [Fraction::variable("x"), f0.clone(), f1.clone()];
            let moves = [dx.clone(), d0.clone(), d1.clone()];
            let raw = self.value(functional, text, scores, moves, direction.clone(), &self.range)?;
            match Form::of(&raw) {
                Some(form) if form.dx.depends_on("c") || form.dc.depends_on("x") => return massless(),
                Some(_) => {}
                None => return mixed(),
            }
        }
        let (x, dx) = match label {
            Label::Score => (Fraction::variable("x"), dx),
            Label::Rate => (&self.pi[0] * &f0 + &self.pi[1] * &f1, &self.pi[0] * &d0 + &self.pi[1] * &d1),
            Label::Posterior => {
                // The posterior by the class proportions, which need not be those behind `c`.
                let posterior = |below: &Fraction| (&self.pi[1] * &d1).over(&(below + &(&self.pi[1] * &d1)));
                match posterior(&(&self.pi[0] * &d0)) {
                    Some(posterior) => {
                        let turn = posterior.derivative("c") * &dc;
                        (posterior, turn)
                    }
                    None => return unsupported("a class has no members"),
                }
            }
        };
        let range = if label == Label::Score { self.range.clone() } else { [Fraction::zero(), Fraction::one()] };
        let value = self.value(functional, text, [x, f0, f1], [dx, d0, d1], direction, &range)?;
        let Some(form) = Form::of(&value) else { return mixed() };
        if self.classes.contains(&Class::Binormal)
            && label == Label::Score
            && (form.depends_on("x") || !form.dx.is_zero())
        {
            return unsupported(format!("{functional} reads scores, which have no ends here"));
        }
        if form.dx.depends_on("c") || form.dc.depends_on("x") {
            return massless();
        }
        self.integrals.push(Integral {
            name,
            track,
            form,
            functional: functional.clone(),
            text: text.to_owned(),
            label,
        });
        Ok(Fraction::variable(name.name()))
    }

    /// What a text is at a place of the curve: a fraction of `F0` and `F1` there.
    fn at_place(&mut self, functional: &Functional, text: &str, place: &Place) -> Result<Fraction, Unsupported> {
        let none = || [Fraction::zero(), Fraction::zero(), Fraction::zero()];
        self.value(functional, text, self.spot(functional, place)?, none(), none(), &self.range)
    }

    /// How far along a place is, and `F0` and `F1` there.
    pub fn spot(&self, functional: &Functional, place: &Place) -> Result<[Fraction; 3], Unsupported> {
        let (_, label) = self.followed(&functional.transforms);
        let hull = functional.transforms.contains(&Transform::Conv) || functional.transforms.contains(&Transform::Cal);
        let amount = self.amount(place.amount())?;
        let by_rate = matches!(place, Place::Rate(_)) || label == Label::Rate;
        if by_rate && amount.as_rational().is_some_and(|rate| !(Rational::ZERO..=Rational::ONE).contains(&rate)) {
            return unsupported(format!("no rate is {amount}"));
        }
        let by_posterior = !by_rate && label == Label::Posterior;
        // Rates over skews are made with balanced classes; scores that are rates never are.
        let skewed = matches!(place, Place::Rate(_))
            && functional.condition == Condition::Skew
            && self.read(Condition::Skew) != self.pi;
        let condition = if skewed { Condition::Skew } else { Condition::Cost };
        let [pi0, pi1] = self.read(condition);
        let of = match (by_rate, by_posterior) {
            (true, _) => format!("R{} = {amount}", if skewed { "z" } else { "" }),
            (_, true) => format!("c = {amount}"),
            _ => format!("x = {amount}"),
        };
        let on_hull = if hull && !self.convex { " on the hull" } else { "" };
        let f1 = Fraction::variable(format!("F1[{of}{on_hull}]").as_str());
        let (f0, f1) = if self.classes.contains(&Class::Random) {
            if by_rate { (amount.clone(), amount.clone()) } else { (f1.clone(), f1) }
        } else if by_rate {
            let f0 = (&amount - &(&pi1 * &f1)).over(&pi0);
            (f0.ok_or_else(|| Unsupported("a class has no members".into()))?, f1)
        } else {
            (Fraction::variable(format!("F0[{of}{on_hull}]").as_str()), f1)
        };
        Ok([amount, f0, f1])
    }

    /// The largest distance between the distribution functions: a number of its own, but for classes that settle it.
    fn largest(&self, functional: &Functional) -> Result<Fraction, Unsupported> {
        if self.classes.contains(&Class::Random) {
            return Ok(Fraction::zero());
        }
        if self.classes.contains(&Class::Perfect) {
            return Ok(Fraction::one());
        }
        let (track, _) = self.followed(&functional.transforms);
        Ok(Fraction::variable(if track == Track::Hull { "KS on the hull" } else { "KS" }))
    }

    /// One minus the optimal loss as a share of that of chance.
    fn share_of_chance(&mut self, functional: &Functional, prior: Prior) -> Result<Fraction, Unsupported> {
        let known = self.pi[0].as_rational().zip(self.pi[1].as_rational());
        let parameters = match (prior, known) {
            (Prior::Symmetric, _) => prior.parameters([Rational::ZERO, Rational::ZERO].map(|z| z)),
            (_, Some((pi0, pi1))) => prior.parameters([pi0, pi1]),
            _ => return unsupported(format!("the cost distribution of {functional} depends on π0")),
        };
        let [a, b] = parameters;
        let cost = Cost::parse(&format!("beta({a}, {b})")).map_err(|error| Unsupported(error.to_string()))?;
        let mut loss = functional.clone();
        (loss.asked, loss.weight) = (Asked::Loss(Choice::Optimal), Weight::Known(Box::new(cost)));
        let optimal = self.functional(&loss)?;
        let chance = self.chance(&loss)?;
        let share = optimal.over(&chance).ok_or_else(|| Unsupported("chance has no loss".into()))?;
        Ok(Fraction::one() - share)
    }

    /// The optimal loss of scores that tell nothing: all along two corners.
    fn chance(&self, loss: &Functional) -> Result<Fraction, Unsupported> {
        let mut setting = self.clone();
        (setting.classes, setting.convex, setting.integrals) = (vec![Class::Random], true, Vec::new());
        let Reading::AlongHull(text) = Choice::Optimal.method().reading() else {
            return unsupported("no optimal loss");
        };
        setting.integral(loss, text, true)?;
        let form = setting.integrals.pop().map_or_else(Form::zero, |integral| integral.form);
        let mut sum = Fraction::zero();
        for stretch in setting.stretches(Track::Own) {
            let lost = || Unsupported("chance has no loss in closed form".into());
            let on = stretch.restrict(&form).ok_or_else(lost)?;
            let primitive = on.dc.antiderivative("c").ok_or_else(lost)?;
            sum = sum + stretch.growth(&primitive).ok_or_else(lost)?;
        }
        Ok(sum)
    }
}

/// The mean of a distribution of operating conditions, where it is rational, and its density where that is a polynomial.
fn weight(weight: &Weight) -> (Option<Fraction>, Option<WholeBeta>) {
    match weight {
        Weight::Any => (Some(Fraction::variable("mean")), None),
        Weight::Known(cost) => match cost.exact_parameters() {
            Some([a, b]) => (Some(Fraction::constant(a / (a + b))), WholeBeta::new(&[a.clone(), b.clone()])),
            None => (None, None),
        },
    }
}

/// What the conditions of a statement fix: `pi0 == 1/2`, `t == 1/4`, `pi0 == pi1`.
fn fixed_by(statement: &Statement) -> Result<Vec<(Variable, Fraction)>, Unsupported> {
    use crate::lang::Relation;
    let mut found: Vec<(Variable, Fraction)> = Vec::new();
    for condition in statement.conditions.iter().filter(|condition| condition.relation == Relation::Equal) {
        let Some(difference) = symbols_only(&condition.left).zip(symbols_only(&condition.right)).map(|(l, r)| l - r)
        else {
            continue;
        };
        let variables = difference.variables();
        let [variable] = variables.iter().copied().collect::<Vec<_>>()[..] else { continue };
        // a·v + b = 0.
        let slope = difference.derivative(variable);
        let at_zero = difference.substitute(variable, &Fraction::zero());
        if let (Some(slope), Some(at_zero)) = (slope.as_rational(), at_zero.and_then(|f| f.as_rational()))
            && !slope.is_zero()
        {
            let value = -at_zero / slope;
            let share = (Rational::ZERO..=Rational::ONE).contains(&value) && !value.is_zero() && !value.is_one();
            if variable.name() == "pi0" && !share {
                return unsupported("π0 lies strictly between 0 and 1, so no model satisfies the conditions");
            }
            let value = Fraction::constant(value);
            if found.iter().any(|(known, other)| *known == variable && *other != value) {
                return unsupported("the conditions contradict each other");
            }
            found.push((variable, value));
        }
    }
    Ok(found)
}

/// A term without functionals as a fraction.
fn symbols_only(term: &Term) -> Option<Fraction> {
    Some(match term {
        Term::Number(value) => Fraction::constant(value.exact.clone()?),
        Term::Symbol(name) if name == "pi1" => Fraction::one() - Fraction::variable("pi0"),
        Term::Symbol(name) => Fraction::variable(name.as_str()),
        Term::Binary(op, left, right) => {
            let (l, r) = (symbols_only(left)?, symbols_only(right)?);
            match op {
                Op::Add => l + r,
                Op::Sub => l - r,
                Op::Mul => l * r,
                _ => l.over(&r)?,
            }
        }
        Term::Power(base, exponent) => symbols_only(base)?.power(*exponent)?,
        Term::Value(_) | Term::Function(..) => return None,
    })
}
