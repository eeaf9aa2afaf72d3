//! Lowering: functionals become integrals of one-forms, by their definitions in the coordinates of a curve.

use crate::certificate::is_manageable;
use crate::form::{OneForm, Proportions};
use crate::integrand::IntegrandScope;
use crate::path::{CurveStretch, stretches};
use crate::statement::{Amount, Asked, Class, Comparison, CostDistribution, CurvePoint, Functional, Statement, Term};
use crate::symbol::{FixedCoordinate, Symbol};
use rocproof_algebra::{Fraction, Rational, Variable, invariant};
use rocproof_language::definition::{Beta, Condition, Method, Primitive, Prior, Reading, Resolved, Scores, Transform};
use rocproof_language::meaning::{Piece, Pieces, after, restrict, split_restriction};
use rocproof_language::{Expr, Op, Relation, Source, parse};
use serde::{Deserialize, Serialize};

/// The reason why a statement cannot be lowered, as a clause about it: "it divides by zero".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(String);

impl Unsupported {
    /// A reason, as a clause about the statement.
    pub fn new(why: impl Into<String>) -> Unsupported {
        Unsupported(why.into())
    }
}

/// Fails with a reason.
fn unsupported<T>(why: impl Into<String>) -> Result<T, Unsupported> {
    Err(Unsupported::new(why))
}

/// The curve that an integral follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Track {
    /// The model's own curve.
    Own,
    /// The hull of that curve.
    Hull,
}

/// The meaning of the scores of a transformed model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// Any scores.
    Score,
    /// Predicted positive rates.
    Rate,
    /// Posteriors.
    Posterior,
}

/// An integral of a one-form along a curve.
#[derive(Clone, Debug)]
pub struct Integral {
    /// The variable that stands for its value.
    pub name: Variable,
    /// The curve that it follows.
    pub track: Track,
    /// The integrand.
    pub form: OneForm,
    /// The functional.
    pub functional: Functional,
    /// The text of the integrand.
    pub text: String,
    /// The meaning of the scores.
    pub score_kind: ScoreKind,
}

/// The proportions `(β0, β1)` that define `R` and `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// The class proportions.
    Given,
    /// One half each, as for skews.
    Balanced,
}

impl Base {
    /// Both bases.
    pub const ALL: [Base; 2] = [Base::Given, Base::Balanced];
}

/// The lowering of a statement: its proportions, scale of scores and classes, and the integrals that were met so far.
#[derive(Clone, Debug)]
pub struct Lowering {
    /// `π0`, `π1`: symbols, or numbers if the statement fixes them.
    pub pi: Proportions,
    /// The proportions that define `R` and `c`.
    pub base: Proportions,
    /// The scale of the scores.
    pub range: [Fraction; 2],
    /// The classes that the model belongs to.
    classes: Vec<Class>,
    /// Whether one of the classes makes the model's own curve convex.
    convex: bool,
    /// The symbols that the conditions fix, with their values.
    pub fixed: Vec<(Symbol, Fraction)>,
    /// The integrals, in the order in which they were met.
    pub integrals: Vec<Integral>,
}

impl Lowering {
    /// Starts the lowering of a statement about one model.
    pub fn new(statement: &Statement, base: Base) -> Result<Lowering, Unsupported> {
        if statement.models.len() > 1 {
            return unsupported("it is about two models");
        }
        if [Class::Perfect, Class::Random].iter().all(|class| statement.classes.contains(class)) {
            return unsupported("no model is perfect and random at once");
        }
        let fixed = fixed_symbols(statement)?;
        let value_of = |symbol: Symbol| {
            let value = fixed.iter().find(|(known, _)| *known == symbol).map(|(_, value)| value.clone());
            value.unwrap_or_else(|| symbol.fraction())
        };
        let pi0 = value_of(Symbol::Pi0);
        let pi = [pi0.clone(), Fraction::one() - pi0];
        let half = Fraction::constant(Rational::ONE / Rational::from(2));
        let base = match base {
            Base::Given => pi.clone(),
            Base::Balanced => [half.clone(), half],
        };
        let on_unit_interval = [Class::Calibrated, Class::Even].iter().any(|class| statement.classes.contains(class));
        let range = if statement.scores() == Scores::Probabilities || on_unit_interval {
            [Fraction::zero(), Fraction::one()]
        } else {
            [Symbol::Low, Symbol::High].map(value_of)
        };
        // A scale must not have negative length, nor length 0 if the statement supposes a scale.
        if let (Some(l), Some(h)) = (range[0].as_rational(), range[1].as_rational())
            && (l > h || (l == h && statement.supposes_scale()))
        {
            return unsupported("the conditions leave no scale of scores");
        }
        let classes = statement.classes.clone();
        let convex = classes.iter().any(|class| class.is_convex());
        Ok(Lowering { pi, base, range, classes, convex, fixed, integrals: Vec::new() })
    }

    /// The stretches of a track, in order.
    pub fn stretches(&self, track: Track) -> Vec<CurveStretch> {
        // Classes that are not convex say nothing about the hull.
        let classes: &[Class] = if track == Track::Own || self.convex { &self.classes } else { &[] };
        stretches(classes, &self.base, &self.range)
    }

    /// Whether the posterior never falls along a track.
    pub fn is_convex(&self, track: Track) -> bool {
        self.convex || track == Track::Hull
    }

    /// Lowers a term to a fraction of integrals, numbers of the model and parameters.
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
                if !is_manageable(&l, &r) {
                    return unsupported("it is too large to be multiplied out");
                }
                Ok(match op {
                    Op::Add => l + r,
                    Op::Sub => l - r,
                    Op::Mul => l * r,
                    _ => l.over(&r).ok_or_else(|| Unsupported::new("it divides by zero"))?,
                })
            }
            Term::Power(base, exponent) => {
                let base = self.term(base)?;
                base.power(*exponent).ok_or_else(|| Unsupported::new("it divides by zero, or has too large a power"))
            }
            Term::Function(function, _) => unsupported(format!("it has `{}`", function.name())),
        }
    }

    /// The value of `pi0`, `pi1`, `l`, `h` or a parameter.
    fn symbol(&self, name: &str) -> Fraction {
        match name {
            "pi0" => self.pi[0].clone(),
            "pi1" => self.pi[1].clone(),
            "l" => self.range[0].clone(),
            "h" => self.range[1].clone(),
            _ => {
                let symbol = Symbol::Parameter(name.to_owned());
                let fixed = self.fixed.iter().find(|(known, _)| *known == symbol);
                fixed.map_or_else(|| symbol.fraction(), |(_, value)| value.clone())
            }
        }
    }

    /// The value of a threshold or a rate.
    fn amount(&self, amount: &Amount) -> Result<Fraction, Unsupported> {
        match amount {
            Amount::Symbol(name) => Ok(self.symbol(name)),
            Amount::Number(value) => match &value.exact {
                Some(exact) => Ok(Fraction::constant(exact.clone())),
                None => unsupported("it has an irrational threshold"),
            },
        }
    }

    /// The curve of a transformed model, and the meaning of its scores.
    fn track_and_score_kind(&self, transforms: &[Transform]) -> (Track, ScoreKind) {
        let mut track = Track::Own;
        let mut kind = if self.classes.contains(&Class::Calibrated) {
            ScoreKind::Posterior
        } else if self.classes.contains(&Class::Even) {
            ScoreKind::Rate
        } else {
            ScoreKind::Score
        };
        for transform in transforms {
            (track, kind) = match transform {
                // Scores that are rates stay so: along a chord, scores and rates are both linear and agree at the ends. Scores that are
                // posteriors stay so because a calibrated curve has no chords.
                Transform::Conv => (Track::Hull, kind),
                Transform::Cal => (Track::Hull, ScoreKind::Posterior),
                Transform::Even => (track, ScoreKind::Rate),
            };
        }
        // A convex curve is its own hull.
        (if self.convex { Track::Own } else { track }, kind)
    }

    /// The kinds of pieces of the curves of transformed models.
    fn pieces(&self, transforms: &[Transform]) -> Pieces {
        after(Class::pieces(&self.classes), transforms)
    }

    /// Lowers a functional to a fraction.
    fn functional(&mut self, functional: &Functional) -> Result<Fraction, Unsupported> {
        match &functional.asked {
            Asked::Metric(definition, _) => self.reading(functional, definition.reading),
            Asked::Loss(method) => self.reading(functional, method.reading()),
            Asked::Integral(integrand) => self.integral(functional, integrand.expr(), false),
            Asked::At(name, point) => self.at_point(functional, name, point.as_ref()),
        }
    }

    /// Lowers a functional by its reading, which evaluators use too.
    fn reading(&mut self, functional: &Functional, reading: Reading) -> Result<Fraction, Unsupported> {
        let Some(Resolved { primitive, condition, affine, metric }) = reading.resolve(functional.condition) else {
            return unsupported(format!("{functional} has no definition"));
        };
        let mut resolved = functional.clone();
        resolved.condition = condition;
        if let Some(metric) = metric {
            resolved.asked = Asked::Metric(metric, None);
        }
        let value = match primitive {
            Primitive::Integral { text, hull, .. } => {
                // A metric of the hull is the metric of the model `Conv(m)`. Other integrals follow the hull themselves.
                let along_hull = hull && metric.is_none();
                if hull && metric.is_some() {
                    resolved.transforms.push(Transform::Conv);
                }
                self.integral(&resolved, &definition(text), along_hull)?
            }
            Primitive::AtScore(text) | Primitive::AtRate(text) => match functional.point() {
                Some(point) => self.at_point(&resolved, text, point)?,
                None => return unsupported(format!("{functional} has no threshold")),
            },
            Primitive::Largest(_) => self.largest(&resolved),
            Primitive::ShareOfChance(prior) => self.share_of_chance(&resolved, prior)?,
        };
        // An affine reading is `a + b·value`.
        let integer = |n: i8| Fraction::constant(Rational::from(n));
        Ok(match affine {
            Some([a, b]) => integer(a) + integer(b) * &value,
            None => value,
        })
    }

    /// The class proportions under an operating condition: the model's own, or one half each.
    fn proportions(&self, condition: Condition) -> Proportions {
        match condition {
            Condition::Cost => self.pi.clone(),
            Condition::Skew => {
                let half = Fraction::constant(Rational::ONE / Rational::from(2));
                [half.clone(), half]
            }
        }
    }

    /// The direction `(q0, q1)` of the curve where the posterior is `c`, and `dq1`: `q1 = dF1/(dF0 + dF1)` and `q0 = 1 - q1`. `None` if a
    /// class has no members.
    fn direction(&self) -> Option<[Fraction; 3]> {
        let c = Symbol::Posterior.fraction();
        let [beta0, beta1] = &self.base;
        // q1 = c β0/(c β0 + (1-c) β1).
        let q1 = (&c * beta0).over(&(&c * beta0 + (Fraction::one() - &c) * beta1))?;
        let dq1 = q1.derivative(Symbol::Posterior) * Symbol::Dc.fraction();
        Some([Fraction::one() - &q1, q1, dq1])
    }

    /// The values of the names in an integrand on a kind of piece, or at a point if `piece` is `None`. `kind` says what the score `x` is.
    fn scope(
        &self,
        functional: &Functional,
        piece: Option<Piece>,
        kind: ScoreKind,
    ) -> Result<IntegrandScope, Unsupported> {
        let no_members = || Unsupported::new("a class has no members");
        let [x, f0, f1, c] = Symbol::COORDINATES.map(Symbol::fraction);
        let [dx, dr, dc] = Symbol::DIFFERENTIALS.map(Symbol::fraction);
        let [beta0, beta1] = &self.base;
        // dF0 = (1 - c)/β0 dR and dF1 = c/β1 dR.
        let d0 = ((Fraction::one() - &c) * &dr).over(beta0).ok_or_else(no_members)?;
        let d1 = (&c * &dr).over(beta1).ok_or_else(no_members)?;
        let (x, dx) = match kind {
            ScoreKind::Score => (x, dx),
            ScoreKind::Rate => (&self.pi[0] * &f0 + &self.pi[1] * &f1, &self.pi[0] * &d0 + &self.pi[1] * &d1),
            ScoreKind::Posterior => {
                // The posterior under the class proportions, which may differ from the base that defines `c`.
                let rate_differential = &self.pi[0] * &d0 + &self.pi[1] * &d1;
                let posterior = (&self.pi[1] * &d1).over(&rate_differential).ok_or_else(no_members)?;
                let differential = posterior.derivative(Symbol::Posterior) * &dc;
                (posterior, differential)
            }
        };
        Ok(IntegrandScope {
            piece,
            at: [x, f0, f1],
            differentials: [dx, d0, d1],
            direction: self.direction().ok_or_else(no_members)?,
            proportions: self.proportions(functional.condition),
            range: if kind == ScoreKind::Score { self.range.clone() } else { [Fraction::zero(), Fraction::one()] },
            weight: match &functional.weight {
                CostDistribution::Known(beta) => Some((**beta).clone()),
                CostDistribution::Any => None,
            },
        })
    }

    /// The one-form of an integrand, read on arcs. On every other kind of piece that may occur, the restricted integrand must equal the
    /// restriction of that form; so the integral of the form along the whole curve is the functional.
    fn form(&self, functional: &Functional, integrand: &Expr, kind: ScoreKind) -> Result<OneForm, Unsupported> {
        let pieces = self.pieces(&functional.transforms);
        if let (_, Some(only)) = split_restriction(integrand) {
            return unsupported(format!("{functional} counts on {} only", only.plural()));
        }
        // The form that the integrand is on a kind of piece.
        let form_on = |piece: Piece, kind: ScoreKind| {
            let restricted = restrict(integrand, piece, pieces.gaps)
                .map_err(|lacks| Unsupported::new(format!("{functional} has no meaning: {}", lacks.sentence())))?;
            let value = match restricted {
                Some(expr) => self.scope(functional, Some(piece), kind)?.read(&expr),
                None => Ok(Fraction::zero()),
            };
            let value = value.map_err(|why| Unsupported::new(format!("{functional}: {why}")))?;
            OneForm::of(&value)
                .ok_or_else(|| Unsupported::new(format!("{functional} mixes dx with other differentials")))
        };
        let on_arcs = form_on(Piece::Arc, ScoreKind::Score)?;
        for piece in Piece::ALL.into_iter().filter(|piece| pieces.has(*piece)) {
            if on_arcs.on(piece) != form_on(piece, ScoreKind::Score)? {
                return unsupported(format!("{functional} is another form {}", piece.place()));
            }
        }
        // For scores that are rates or posteriors, `x` is that function of the other coordinates.
        if kind == ScoreKind::Score { Ok(on_arcs) } else { form_on(Piece::Arc, kind) }
    }

    /// Lowers the integral of an expression to a variable, and records the integral. It follows the track of the transformed model, or the
    /// hull if `along_hull`.
    fn integral(
        &mut self,
        functional: &Functional,
        integrand: &Expr,
        along_hull: bool,
    ) -> Result<Fraction, Unsupported> {
        let (track, kind) = self.track_and_score_kind(&functional.transforms);
        let track = if along_hull && !self.convex { Track::Hull } else { track };
        let name = Variable::from(Symbol::Integral(functional.to_string()));
        if let Some(known) = self.integrals.iter().find(|known| known.name == name) {
            if known.functional != *functional {
                return unsupported(format!("two functionals are written {functional}"));
            }
            return Ok(Fraction::variable(name));
        }
        let form = self.form(functional, integrand, kind)?;
        // Normal scores are unbounded, so a potential has no values at the ends of the scale.
        if self.classes.contains(&Class::Binormal)
            && kind == ScoreKind::Score
            && (form.depends_on(Symbol::Score) || !form.dx.is_zero())
        {
            return unsupported(format!("{functional} reads scores, which have no ends here"));
        }
        let (functional, text) = (functional.clone(), integrand.to_string());
        self.integrals.push(Integral { name, track, form, functional, text, score_kind: kind });
        Ok(Fraction::variable(name))
    }

    /// Lowers the value of an expression at a point of the curve to a fraction of `F0` and `F1` there.
    fn at_point(
        &mut self,
        functional: &Functional,
        text: &str,
        point: CurvePoint<&Amount>,
    ) -> Result<Fraction, Unsupported> {
        // Nothing moves at a point.
        let zeros = || [0; 3].map(|_| Fraction::zero());
        let scope = IntegrandScope {
            at: self.coordinates_at(functional, point)?,
            differentials: zeros(),
            direction: zeros(),
            range: self.range.clone(),
            ..self.scope(functional, None, ScoreKind::Score)?
        };
        scope.read(&definition(text))
    }

    /// The score or rate of a point, and `F0` and `F1` there. They are symbols; but at a rate `r`, `F0 = (r - π1 F1)/π0`, and for random
    /// models `F0 = F1`.
    pub fn coordinates_at(
        &self,
        functional: &Functional,
        point: CurvePoint<&Amount>,
    ) -> Result<[Fraction; 3], Unsupported> {
        let amount = self.amount(point.parameter())?;
        let by = self.fixed_coordinate(functional, point);
        let is_rate = matches!(by, FixedCoordinate::Rate | FixedCoordinate::BalancedRate);
        if is_rate && amount.as_rational().is_some_and(|rate| !(Rational::ZERO..=Rational::ONE).contains(&rate)) {
            return unsupported(format!("no rate is {amount}"));
        }
        let on_hull = functional.transforms.iter().any(|t| matches!(t, Transform::Conv | Transform::Cal));
        // A convex curve is its own hull.
        let hull = on_hull && !self.convex;
        let distribution_at = |class| Symbol::At { class, by, amount: amount.to_string(), hull }.fraction();
        let is_random = self.classes.contains(&Class::Random);
        let [f0, f1] = match (is_random, is_rate) {
            // R = F0 = F1.
            (true, true) => [amount.clone(), amount.clone()],
            (true, false) => [distribution_at(1), distribution_at(1)],
            (false, true) => {
                let is_balanced = by == FixedCoordinate::BalancedRate;
                let [pi0, pi1] = self.proportions(if is_balanced { Condition::Skew } else { Condition::Cost });
                let f1 = distribution_at(1);
                let f0 = (&amount - &(&pi1 * &f1)).over(&pi0);
                [f0.ok_or_else(|| Unsupported::new("a class has no members"))?, f1]
            }
            (false, false) => [distribution_at(0), distribution_at(1)],
        };
        Ok([amount, f0, f1])
    }

    /// The coordinate that fixes the point that a functional reads.
    fn fixed_coordinate(&self, functional: &Functional, point: CurvePoint<&Amount>) -> FixedCoordinate {
        let (_, kind) = self.track_and_score_kind(&functional.transforms);
        let is_skewed = functional.condition == Condition::Skew && self.proportions(Condition::Skew) != self.pi;
        match (point, kind) {
            // Rates under skews are those of balanced classes.
            (CurvePoint::Rate(_), _) if is_skewed => FixedCoordinate::BalancedRate,
            // Scores that are rates are always those of the class proportions.
            (CurvePoint::Rate(_), _) | (_, ScoreKind::Rate) => FixedCoordinate::Rate,
            (_, ScoreKind::Posterior) => FixedCoordinate::Posterior,
            (_, ScoreKind::Score) => FixedCoordinate::Score,
        }
    }

    /// The largest distance between the distribution functions: 0 for random models, 1 for perfect ones, else a symbol.
    fn largest(&self, functional: &Functional) -> Fraction {
        if self.classes.contains(&Class::Random) {
            return Fraction::zero();
        }
        if self.classes.contains(&Class::Perfect) {
            return Fraction::one();
        }
        let (track, _) = self.track_and_score_kind(&functional.transforms);
        Symbol::Distance(track).fraction()
    }

    /// Lowers Hand's H, `1 - optimal loss/optimal loss of chance`, under the cost distribution of its prior.
    fn share_of_chance(&mut self, functional: &Functional, prior: Prior) -> Result<Fraction, Unsupported> {
        let [pi0, pi1] = self.proportions(functional.condition);
        let known_proportions = pi0.as_rational().zip(pi1.as_rational());
        let parameters = match (prior, known_proportions) {
            (_, Some((pi0, pi1))) => prior.parameters([pi0, pi1]),
            // The symmetric prior does not depend on the proportions.
            (Prior::Symmetric, None) => prior.parameters([Rational::ZERO, Rational::ZERO]),
            _ => return unsupported(format!("the cost distribution of {functional} depends on π0")),
        };
        let loss = Functional {
            asked: Asked::Loss(Method::Optimal),
            weight: CostDistribution::Known(Box::new(Beta::rational(parameters))),
            ..functional.clone()
        };
        let optimal = self.functional(&loss)?;
        let chance = self.chance(&loss)?;
        let share = optimal.over(&chance).ok_or_else(|| Unsupported::new("chance has no loss"))?;
        Ok(Fraction::one() - share)
    }

    /// The optimal loss of a random model, in closed form: its posterior moves at two corners only.
    fn chance(&self, loss: &Functional) -> Result<Fraction, Unsupported> {
        // Lower the loss for random models: this records one integral.
        let mut lowering =
            Lowering { classes: vec![Class::Random], convex: true, integrals: Vec::new(), ..self.clone() };
        lowering.functional(loss)?;
        let no_closed_form = || Unsupported::new("chance has no loss in closed form");
        let form = lowering.integrals.pop().ok_or_else(no_closed_form)?.form;
        let mut sum = Fraction::zero();
        for stretch in lowering.stretches(Track::Own) {
            let restricted = stretch.restrict(&form).ok_or_else(no_closed_form)?;
            let antiderivative = restricted.dc.antiderivative(Symbol::Posterior).ok_or_else(no_closed_form)?;
            sum = sum + stretch.growth(&antiderivative).ok_or_else(no_closed_form)?;
        }
        Ok(sum)
    }
}

/// Parses the text of a definition of the language.
fn definition(text: &str) -> Expr {
    match parse(&Source::new("definition", text)) {
        Ok(expr) => expr,
        Err(error) => invariant!("the definition `{text}` does not parse: {error}"),
    }
}

/// The symbols that the conditions of a statement fix, with their values: `pi0 == 1/2`, `t == 1/4`, `pi0 == pi1`.
fn fixed_symbols(statement: &Statement) -> Result<Vec<(Symbol, Fraction)>, Unsupported> {
    let mut fixed: Vec<(Symbol, Fraction)> = Vec::new();
    for (symbol, value) in statement.conditions.iter().filter_map(solve_linear_equality) {
        if symbol == Symbol::Pi0 && (value <= Rational::ZERO || value >= Rational::ONE) {
            return unsupported("π0 lies strictly between 0 and 1, so no model satisfies the conditions");
        }
        let value = Fraction::constant(value);
        if fixed.iter().any(|(known, known_value)| *known == symbol && *known_value != value) {
            return unsupported("the conditions contradict each other");
        }
        fixed.push((symbol, value));
    }
    Ok(fixed)
}

/// Solves a condition for its symbol. `None` unless it is an equality that is linear in one symbol and has no other.
fn solve_linear_equality(condition: &Comparison) -> Option<(Symbol, Rational)> {
    if condition.relation != Relation::Equal {
        return None;
    }
    let difference = fraction_of_symbols(&condition.left)? - fraction_of_symbols(&condition.right)?;
    let variables: Vec<Variable> = difference.variables().into_iter().collect();
    let [variable] = variables[..] else { return None };
    // Solve slope·variable + at_zero = 0.
    let slope = difference.derivative(variable).as_rational()?;
    let at_zero = difference.substitute(variable, &Fraction::zero())?.as_rational()?;
    (!slope.is_zero()).then(|| (Symbol::of(variable), -at_zero / slope))
}

/// A term as a fraction of symbols; `None` if it has functionals, functions such as `max`, irrational numbers, or divides by 0.
fn fraction_of_symbols(term: &Term) -> Option<Fraction> {
    Some(match term {
        Term::Number(value) => Fraction::constant(value.exact.clone()?),
        Term::Symbol(name) => match name.as_str() {
            "pi0" => Symbol::Pi0.fraction(),
            "pi1" => Fraction::one() - Symbol::Pi0.fraction(),
            "l" => Symbol::Low.fraction(),
            "h" => Symbol::High.fraction(),
            name => Symbol::Parameter(name.to_owned()).fraction(),
        },
        Term::Binary(op, left, right) => {
            let (l, r) = (fraction_of_symbols(left)?, fraction_of_symbols(right)?);
            match op {
                Op::Add => l + r,
                Op::Sub => l - r,
                Op::Mul => l * r,
                _ => l.over(&r)?,
            }
        }
        Term::Power(base, exponent) => fraction_of_symbols(base)?.power(*exponent)?,
        Term::Value(_) | Term::Function(..) => return None,
    })
}
