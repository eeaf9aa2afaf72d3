//! Name resolution: from the syntax of a statement to the statement.

use super::class::Class;
use super::functional::{Amount, Asked, CostDistribution, Functional, Integrand, ONLY_MODEL, reads_weight};
use super::term::{Comparison, Term, TermFunction};
use crate::symbol::PARAMETERS;
use rocproof_language::definition::{
    Beta, Condition, Definition, METRICS, Method, NAMES, Reading, Transform, metric_named,
};
use rocproof_language::meaning::{has_one_differential, split_restriction};
use rocproof_language::question::CurvePoint;
use rocproof_language::{self as lang, Diagnostic, Expr, Kind, Literal, Op, Source, Span, closest};

/// Numbers of the model: its class proportions, and the ends of the scale of its scores.
const NUMBERS: [&str; 4] = ["pi0", "pi1", "l", "h"];
/// The coordinates whose value at a point can be asked for.
const COORDINATES: [&str; 3] = ["F0", "F1", "R"];
/// The arguments that `w(…)` may have: coordinates with values in [0, 1].
const WEIGHT_ARGUMENTS: [&str; 5] = ["x", "F0", "F1", "R", "c"];
/// The transforms.
const TRANSFORMS: [Transform; 3] = [Transform::Conv, Transform::Cal, Transform::Even];

/// Resolves the names of one statement.
pub(super) struct Resolver<'a> {
    /// The text of the statement.
    pub source: &'a Source,
    /// The names of the models.
    pub models: Vec<String>,
}

/// A model with transforms applied to it.
struct TransformedModel {
    /// The number of the model among those of the statement.
    index: usize,
    /// The transforms, the first one first.
    transforms: Vec<Transform>,
}

/// The largest exponent in a statement, in absolute value.
const LARGEST_EXPONENT: u32 = 64;

impl Resolver<'_> {
    /// Resolves the words before the models to classes.
    pub(crate) fn classes(&self, words: &[lang::Word]) -> Result<Vec<Class>, Diagnostic> {
        let mut classes = Vec::new();
        for (word, span) in words {
            let Some(class) = Class::named(word) else {
                let names = format!("classes: all {}", Class::ALL.map(Class::name).join(" "));
                let help = Class::near(word).map_or(names, |near| format!("did you mean `{near}`?"));
                return Err(self
                    .source
                    .error(*span, format!("unknown class `{word}`"), "not a class of models")
                    .help(help));
            };
            classes.extend(class);
        }
        classes.sort();
        classes.dedup();
        Ok(classes)
    }

    /// Resolves a comparison.
    pub(crate) fn comparison(&self, syntax: &lang::ComparisonSyntax) -> Result<Comparison, Diagnostic> {
        let (left, right) = (self.term(&syntax.left)?, self.term(&syntax.right)?);
        Ok(Comparison { left, relation: syntax.relation, right, span: syntax.span() })
    }

    /// Resolves a side of a comparison.
    pub fn term(&self, expr: &Expr) -> Result<Term, Diagnostic> {
        // Arithmetic of numbers alone is a number.
        if matches!(expr.kind, Kind::Negate(_) | Kind::Binary(..))
            && let Ok(number) = Literal::of(self.source, expr)
        {
            return Ok(Term::Number(number));
        }
        match &expr.kind {
            Kind::Number(_) => Ok(Term::Number(Literal::of(self.source, expr)?)),
            Kind::Name(name) => self.name(name, expr.span),
            Kind::Negate(inner) => {
                let zero = Term::Number(Literal::rational(0u8.into()));
                Ok(Term::Binary(Op::Sub, Box::new(zero), Box::new(self.term(inner)?)))
            }
            Kind::Binary(Op::Pow, base, exponent) => {
                Ok(Term::Power(Box::new(self.term(base)?), self.integer_exponent(exponent)?))
            }
            Kind::Binary(op, left, right) => {
                Ok(Term::Binary(*op, Box::new(self.term(left)?), Box::new(self.term(right)?)))
            }
            Kind::Call(name, span, arguments) => self.call(expr, name, *span, arguments),
            Kind::Bracket(name, span, method, cost) => {
                self.loss(name, *span, method, cost.as_deref(), self.only_model(expr.span)?)
            }
            Kind::Apply(callee, arguments) => self.application(expr, callee, arguments),
            Kind::On(..) | Kind::OnPieces(..) | Kind::Pieces(_) | Kind::Atoms(_) => Err(self
                .source
                .error(expr.span, "a number is needed here", "a density")
                .help("a statement compares numbers; densities belong to the model, not to the statement")),
        }
    }

    /// Reads an integer exponent of at most 64 in absolute value.
    fn integer_exponent(&self, exponent: &Expr) -> Result<i32, Diagnostic> {
        let exact = Literal::of(self.source, exponent)?.exact;
        let integer = exact.filter(|value| value.is_int()).and_then(|value| i32::try_from(value.numerator()).ok());
        integer
            .filter(|integer| integer.unsigned_abs() <= LARGEST_EXPONENT)
            .ok_or_else(|| self.source.error(exponent.span, "a whole power up to 64 is needed here", "not one"))
    }

    /// Resolves a name that is not called.
    fn name(&self, name: &str, span: Span) -> Result<Term, Diagnostic> {
        if NUMBERS.contains(&name) || PARAMETERS.contains(&name) {
            return Ok(Term::Symbol(name.to_owned()));
        }
        // The number π.
        if name == "pi" {
            let expr = Expr { kind: Kind::Name(name.to_owned()), span };
            return Ok(Term::Number(Literal::of(self.source, &expr)?));
        }
        if self.models.iter().any(|model| model == name) {
            return Err(self
                .source
                .error(span, format!("`{name}` is a model, not a number"), "a model")
                .help(format!("a number is what a functional makes of it: AUC({name}), L[o]({name})")));
        }
        if let Some((condition, definition)) = metric(name) {
            if let Reading::AtScore(_) = definition.reading {
                return Err(self
                    .source
                    .error(span, format!("`{name}` needs a threshold"), "at which threshold?")
                    .help(format!("write {name}(1/2), or {name}(t) for every threshold t")));
            }
            return Ok(self.metric(condition, Asked::Metric(definition, None), self.only_model(span)?));
        }
        Err(self.unknown(name, span))
    }

    /// The error for an unknown name, with advice: the nearest known name, or how to write what was meant.
    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        if COORDINATES.contains(&name) || ["x", "c", "dx", "dF0", "dF1", "dR", "dc"].contains(&name) {
            return self
                .source
                .error(span, format!("`{name}` varies along the curve"), "not a number")
                .help("write int(…) for an integral along the curve, or F0(t) for its value at a threshold");
        }
        if name == "L" || name == "Lz" {
            return self
                .source
                .error(span, format!("`{name}` needs a threshold choice method"), "of which method?")
                .help("methods: L[sf(t)] L[rf(r)] L[su] L[sd] L[ru] L[rd] L[o]");
        }
        let names = METRICS.iter().map(|metric| metric.name).chain(NUMBERS).chain(PARAMETERS).chain(["L", "Lz", "int"]);
        let names = names.chain(TRANSFORMS.map(Transform::name)).chain(TermFunction::ALL.map(TermFunction::name));
        let help = match closest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("metrics: {}", METRICS.map(|metric| metric.name).join(" ")),
        };
        self.source.error(span, format!("unknown name `{name}`"), "unknown name").help(help)
    }

    /// Resolves the call `expr = name(arguments)`: a function of numbers, an integral, a coordinate at a point, or a metric. `span` is that
    /// of the name.
    fn call(&self, expr: &Expr, name: &str, span: Span, arguments: &[Expr]) -> Result<Term, Diagnostic> {
        if let Some(function) = TermFunction::ALL.into_iter().find(|function| function.name() == name) {
            return self.function_call(expr, function, arguments);
        }
        if TRANSFORMS.iter().any(|transform| transform.name() == name) {
            self.model(expr)?;
            return Err(self
                .source
                .error(expr.span, format!("`{name}(…)` is a model, not a number"), "a model")
                .help(format!("a number is what a functional makes of it: RL({name}(m))")));
        }
        if name == "int" {
            return self.integral(expr, arguments, self.only_model(expr.span)?);
        }
        if let Some(coordinate) = COORDINATES.into_iter().find(|coordinate| *coordinate == name) {
            let [point] = arguments else {
                return Err(self.wrong_arguments(expr.span, name, "a threshold", arguments.len()));
            };
            return self.at(coordinate, point, self.only_model(expr.span)?);
        }
        if let Some((condition, definition)) = metric(name) {
            let (asked, model) = if let Reading::AtScore(_) = definition.reading {
                let (point, model) = match arguments {
                    [point] => (self.point(point)?, self.only_model(expr.span)?),
                    [point, model] => (self.point(point)?, self.model(model)?),
                    _ => return Err(self.wrong_arguments(expr.span, name, "a threshold", arguments.len())),
                };
                (Asked::Metric(definition, Some(point)), model)
            } else {
                let [model] = arguments else {
                    return Err(self.wrong_arguments(expr.span, name, "a model", arguments.len()));
                };
                (Asked::Metric(definition, None), self.model(model)?)
            };
            return Ok(self.metric(condition, asked, model));
        }
        // Functions of numbers alone, such as `log(2)`.
        if let Ok(number) = Literal::of(self.source, expr) {
            return Ok(Term::Number(number));
        }
        Err(self.unknown(name, span))
    }

    /// Resolves `min`, `max`, `abs` or `sqrt` of numbers.
    fn function_call(&self, expr: &Expr, function: TermFunction, arguments: &[Expr]) -> Result<Term, Diagnostic> {
        if let Ok(number) = Literal::of(self.source, expr) {
            return Ok(Term::Number(number));
        }
        let (is_count_right, wanted) = match function {
            TermFunction::Min | TermFunction::Max => (arguments.len() >= 2, "two or more numbers"),
            TermFunction::Abs | TermFunction::Sqrt => (arguments.len() == 1, "one number"),
        };
        if !is_count_right {
            return Err(self.wrong_arguments(expr.span, function.name(), wanted, arguments.len()));
        }
        let terms = arguments.iter().map(|argument| self.term(argument)).collect::<Result<_, _>>()?;
        Ok(Term::Function(function, terms))
    }

    /// Resolves `callee(model)`, where the callee has arguments or brackets itself: `Acc(t)(m)`, `L[o](m)`.
    fn application(&self, expr: &Expr, callee: &Expr, arguments: &[Expr]) -> Result<Term, Diagnostic> {
        let [model] = arguments else {
            return Err(self.wrong_arguments(expr.span, "this", "a model", arguments.len()));
        };
        let model = self.model(model)?;
        match &callee.kind {
            Kind::Bracket(name, span, method, cost) => self.loss(name, *span, method, cost.as_deref(), model),
            Kind::Call(name, _, arguments) if name == "int" => self.integral(callee, arguments, model),
            Kind::Call(name, _, arguments) => {
                let [point] = arguments.as_slice() else {
                    return Err(self.wrong_arguments(callee.span, name, "a threshold", arguments.len()));
                };
                if let Some(coordinate) = COORDINATES.into_iter().find(|coordinate| coordinate == name) {
                    return self.at(coordinate, point, model);
                }
                match metric(name) {
                    Some((condition, definition)) if matches!(definition.reading, Reading::AtScore(_)) => {
                        Ok(self.metric(condition, Asked::Metric(definition, Some(self.point(point)?)), model))
                    }
                    Some(_) => Err(self.source.error(expr.span, "this has a model already", "one model too many")),
                    None => Err(self.unknown(name, callee.span)),
                }
            }
            _ => Err(self.source.error(callee.span, "a functional is needed here", "not a functional")),
        }
    }

    /// The error for a wrong number of arguments.
    fn wrong_arguments(&self, span: Span, name: &str, wanted: &str, found: usize) -> Diagnostic {
        let label = if found == 1 { "1 argument".to_owned() } else { format!("{found} arguments") };
        self.source.error(span, format!("`{name}` takes {wanted}"), label)
    }

    /// The model of a functional that names none: the only one of the statement.
    fn only_model(&self, span: Span) -> Result<TransformedModel, Diagnostic> {
        if let [_] = self.models.as_slice() {
            return Ok(TransformedModel { index: 0, transforms: Vec::new() });
        }
        Err(self
            .source
            .error(span, "which model?", "no model named")
            .help(format!("models: {}", self.models.join(" "))))
    }

    /// Resolves a model: `m`, `Conv(m)`, `Cal(Conv(m))`.
    fn model(&self, expr: &Expr) -> Result<TransformedModel, Diagnostic> {
        match &expr.kind {
            Kind::Name(name) => match self.models.iter().position(|model| model == name) {
                Some(index) => Ok(TransformedModel { index, transforms: Vec::new() }),
                None => {
                    let known = self.models.join(" ");
                    let help = match self.term(expr) {
                        Ok(_) => "this is a number".to_owned(),
                        Err(_) => format!("models: {known}; transforms: Conv(m) Cal(m) Even(m)"),
                    };
                    Err(self
                        .source
                        .error(expr.span, format!("`{name}` is not a model"), "a model is needed here")
                        .help(help))
                }
            },
            Kind::Call(name, span, arguments) => {
                let Some(transform) = TRANSFORMS.into_iter().find(|transform| transform.name() == name) else {
                    let near = closest(name, TRANSFORMS.map(Transform::name));
                    let help =
                        near.map_or("transforms: Conv Cal Even".to_owned(), |near| format!("did you mean `{near}`?"));
                    return Err(self
                        .source
                        .error(*span, format!("`{name}` is not a transform"), "not a transform")
                        .help(help));
                };
                let [inner] = arguments.as_slice() else {
                    return Err(self.wrong_arguments(expr.span, name, "a model", arguments.len()));
                };
                let mut model = self.model(inner)?;
                model.transforms.push(transform);
                Ok(model)
            }
            _ => Err(self.source.error(expr.span, "a model is needed here", "not a model")),
        }
    }

    /// A functional of a transformed model, as a term.
    fn functional(
        &self,
        TransformedModel { index, transforms }: TransformedModel,
        condition: Condition,
        weight: CostDistribution,
        asked: Asked,
    ) -> Term {
        let model_name = self.models.get(index).cloned().unwrap_or_else(|| ONLY_MODEL.to_owned());
        Term::Value(Box::new(Functional {
            model: index,
            model_name,
            is_only_model: self.models.len() == 1,
            transforms,
            condition,
            weight,
            asked,
        }))
    }

    /// A metric as a term. Metrics that depend on operating conditions take them to be uniform.
    fn metric(&self, condition: Condition, asked: Asked, model: TransformedModel) -> Term {
        self.functional(model, condition, uniform(), asked)
    }

    /// Resolves a coordinate at a point, such as `F0(t)`.
    fn at(&self, coordinate: &'static str, point: &Expr, model: TransformedModel) -> Result<Term, Diagnostic> {
        let asked = Asked::At(coordinate.into(), self.point(point)?);
        Ok(self.functional(model, Condition::Cost, uniform(), asked))
    }

    /// Resolves a point of the curve: a threshold, or `Rinv(r)` for the point with predicted positive rate `r`.
    fn point(&self, expr: &Expr) -> Result<CurvePoint<Amount>, Diagnostic> {
        match &expr.kind {
            Kind::Call(name, _, arguments) if name == "Rinv" => match arguments.as_slice() {
                [rate] => Ok(CurvePoint::Rate(self.rate(rate)?)),
                _ => Err(self.wrong_arguments(expr.span, name, "a rate", arguments.len())),
            },
            _ => Ok(CurvePoint::Score(self.amount(expr)?)),
        }
    }

    /// Resolves a rate in [0, 1].
    fn rate(&self, expr: &Expr) -> Result<Amount, Diagnostic> {
        match self.amount(expr)? {
            Amount::Number(value) if !(0.0..=1.0).contains(&value.value) => {
                Err(self.source.error(expr.span, "a rate lies between 0 and 1", format!("this is {value}")))
            }
            amount => Ok(amount),
        }
    }

    /// Resolves a threshold or rate: a number or a parameter.
    fn amount(&self, expr: &Expr) -> Result<Amount, Diagnostic> {
        match &expr.kind {
            Kind::Name(name) if PARAMETERS.contains(&name.as_str()) => Ok(Amount::Symbol(name.clone())),
            Kind::Name(name) if self.models.contains(name) => Err(self
                .source
                .error(expr.span, format!("`{name}` is a model, not a threshold"), "a threshold is needed here")
                .help(format!("write Acc(1/2)({name}), or Acc(t)({name}) for every threshold t"))),
            _ => Literal::of(self.source, expr).map(Amount::Number).map_err(|error| {
                error.help(format!("a threshold is a number or a parameter: {}", PARAMETERS.join(" ")))
            }),
        }
    }

    /// Resolves `L[method; cost]` and `Lz[method; cost]`. `span` is that of the name.
    fn loss(
        &self,
        name: &str,
        span: Span,
        method: &Expr,
        cost: Option<&Expr>,
        model: TransformedModel,
    ) -> Result<Term, Diagnostic> {
        let condition = match name {
            "L" => Condition::Cost,
            "Lz" => Condition::Skew,
            _ => {
                return Err(self
                    .source
                    .error(span, format!("`{name}` has no brackets"), "not a loss")
                    .help("losses are L[…] over cost proportions and Lz[…] over skews"));
            }
        };
        let weight = match cost {
            None => uniform(),
            Some(Expr { kind: Kind::Name(name), .. }) if name == "w" => CostDistribution::Any,
            Some(expr) => {
                let text = &self.source.text[expr.span.start..expr.span.end];
                let known = Beta::parse(text).map_err(|error| error.within(self.source, expr.span.start))?;
                CostDistribution::Known(Box::new(known))
            }
        };
        Ok(self.functional(model, condition, weight, Asked::Loss(self.method(method)?)))
    }

    /// Resolves a threshold choice method.
    fn method(&self, method: &Expr) -> Result<Method<Amount>, Diagnostic> {
        let names = Method::<Amount>::NAMED.map(|(name, _)| name);
        match &method.kind {
            Kind::Name(name) => {
                if let Some((_, method)) = Method::NAMED.into_iter().find(|(known, _)| known == name) {
                    return Ok(method);
                }
                let help = match name.as_str() {
                    "sf" => "at which threshold? write sf(1/2) or sf(t)".to_owned(),
                    "rf" => "at which rate? write rf(1/2) or rf(r)".to_owned(),
                    _ => format!("methods: sf(t) rf(r) {}", names.join(" ")),
                };
                Err(self
                    .source
                    .error(method.span, format!("`{name}` is not a threshold choice method"), "not a method")
                    .help(help))
            }
            Kind::Call(name, span, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("sf", [threshold]) => Ok(Method::fixed(self.point(threshold)?)),
                ("rf", [rate]) => Ok(Method::RateFixed(self.rate(rate)?)),
                ("sf" | "rf", _) => Err(self.wrong_arguments(method.span, name, "one number", arguments.len())),
                _ => Err(self
                    .source
                    .error(*span, format!("`{name}` is not a threshold choice method"), "not a method")
                    .help(format!("methods: sf(t) rf(r) {}", names.join(" ")))),
            },
            _ => Err(self.source.error(method.span, "a threshold choice method is needed here", "not a method")),
        }
    }

    /// Resolves `expr = int(integrand)`, the integral of an expression along the curve.
    fn integral(&self, expr: &Expr, arguments: &[Expr], model: TransformedModel) -> Result<Term, Diagnostic> {
        let [integrand] = arguments else {
            return Err(self.wrong_arguments(expr.span, "int", "one expression along the curve", arguments.len()));
        };
        let (inner, _) = split_restriction(integrand);
        self.check_integrand(inner)?;
        has_one_differential(inner, self.source)?;
        // An integral cannot name a cost distribution, so `w` is any density.
        let weight = if reads_weight(inner) { CostDistribution::Any } else { uniform() };
        let asked = Asked::Integral(Integrand::new(integrand.clone()));
        Ok(self.functional(model, Condition::Cost, weight, asked))
    }

    /// Checks that an expression is in the vocabulary of integrands.
    fn check_integrand(&self, expr: &Expr) -> Result<(), Diagnostic> {
        match &expr.kind {
            Kind::Number(_) => Ok(()),
            Kind::Name(name) if metric(name).is_some() || self.models.contains(name) => Err(self
                .source
                .error(expr.span, format!("`{name}` does not vary along the curve"), "not inside an integral")
                .help("an integrand is written in x F0 F1 R c pi0 pi1 and dx dF0 dF1 dR dc")),
            Kind::Name(name) if NAMES.contains(&name.as_str()) => Ok(()),
            Kind::Name(name) => Err(self
                .source
                .error(expr.span, format!("unknown name `{name}`"), "not in the vocabulary")
                .help(format!("the names are {}, Q(..) and w(..)", NAMES.join(" ")))),
            Kind::Negate(inner) => self.check_integrand(inner),
            Kind::Binary(Op::Pow, base, exponent) => {
                self.check_integrand(base).and(self.integer_exponent(exponent).map(|_| ()))
            }
            Kind::Binary(_, left, right) => self.check_integrand(left).and_then(|()| self.check_integrand(right)),
            Kind::Call(name, span, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("Q", [argument]) => self.check_integrand(argument),
                ("w", [Expr { kind: Kind::Name(name), .. }]) if WEIGHT_ARGUMENTS.contains(&name.as_str()) => Ok(()),
                ("w", [argument]) => Err(self
                    .source
                    .error(argument.span, "the density of operating conditions is not taken here", "not in [0, 1]")
                    .help(format!("w(..) is of one of {}", WEIGHT_ARGUMENTS.join(" ")))),
                _ => Err(self.source.error(*span, format!("unknown function `{name}`"), "only Q(c) and w(c)")),
            },
            _ => Err(self.source.error(expr.span, "an expression along the curve is needed here", "not one")),
        }
    }
}

/// The uniform distribution of operating conditions.
fn uniform() -> CostDistribution {
    CostDistribution::Known(Box::new(Beta::uniform()))
}

/// A metric by name, and its operating condition. The prefix `M` means balanced classes.
fn metric(name: &str) -> Option<(Condition, &'static Definition)> {
    if let Some(definition) = metric_named(name) {
        return match definition.reading {
            Reading::Balanced(other) => Some((Condition::Skew, metric_named(other)?)),
            _ => Some((Condition::Cost, definition)),
        };
    }
    let definition = metric_named(name.strip_prefix('M')?)?;
    Some((Condition::Skew, definition))
}
