//! Questions about a model, and the answers at each level of evidence.

use super::certified::{self, read_certified};
use super::cost::Cost;
use super::definition::Condition;
use super::definition::{METRICS, Method, metric_named};
use super::exact::{self, read_exact};
use super::ladder::climb;
use super::missing::Missing;
use super::numeric::read_numeric;
use super::plan::{Given, Plan};
use super::value::Value;
use crate::calculus::quantity::Quantity;
use crate::constant::Constant;
use crate::model::{Model, Transform};
use rocproof_arith::Interval;
use rocproof_language::Diagnostic;
pub use rocproof_language::question::CurvePoint;
use std::sync::{LazyLock, OnceLock};

/// A question about a model.
///
/// ```
/// use rocproof_engine::functional::question::{Asked, Question, Questions};
/// use rocproof_engine::{Method, Model};
/// let model = Model::new("2*(1-x)", "2*x", "1/2")?;
/// let typed = Question::new(Asked::Integral("F0^2 dF1".into()));
/// let optimal = Question::new(Asked::Loss(Method::Optimal));
/// let values = Questions::new(&[typed, optimal])?.numeric(&model);
/// assert!((values[0].estimate().unwrap().value - 11.0 / 15.0).abs() < 1e-14);
/// assert!((values[1].estimate().unwrap().value - 1.0 / 6.0).abs() < 1e-14);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The transforms of the model, in the order of application. They follow those that the model already has.
    pub transforms: Vec<Transform>,
    /// Over cost proportions, or over skews (classes taken as balanced).
    pub condition: Condition,
    /// The distribution of operating conditions.
    pub cost: Cost,
    /// The metric, loss or expression.
    pub asked: Asked,
}

/// The metric, loss or expression that a question asks for. Expressions are in the vocabulary of [`super::definition`]; integrands have degree
/// one in the differentials.
///
/// With `dc` an integral goes around corners too: the posterior moves from 0 to where the curve starts, between its pieces, and to 1.
pub type Asked = rocproof_language::question::Asked<Constant, String>;

impl Question {
    /// The question about the model without further transforms, over uniform cost proportions.
    pub fn new(asked: Asked) -> Question {
        Question { transforms: Vec::new(), condition: Condition::Cost, cost: Cost::uniform(), asked }
    }

    /// A metric by name.
    pub fn metric(name: &str) -> Option<Question> {
        metric_named(name).map(|definition| Question::new(Asked::Metric(definition, None)))
    }

    /// Sets the distribution of operating conditions.
    pub fn under(self, cost: Cost) -> Question {
        Question { cost, ..self }
    }

    /// Sets whether the question is over cost proportions or skews.
    pub fn over(self, condition: Condition) -> Question {
        Question { condition, ..self }
    }

    /// Adds a transform, applied after those that the question has.
    pub fn of(mut self, transform: Transform) -> Question {
        self.transforms.push(transform);
        self
    }

    /// The standard questions: the metrics, the expected losses over cost proportions and those over skews.
    pub fn all(cost: &Cost, threshold: &Constant, rate: &Constant) -> Vec<Question> {
        let metric = |definition| Asked::Metric(definition, Some(CurvePoint::Score(threshold.clone())));
        let losses = |condition| {
            let methods = Method::each(threshold.clone(), rate.clone());
            methods.map(move |method| (condition, Asked::Loss(method)))
        };
        let metrics = METRICS.iter().map(|definition| (Condition::Cost, metric(definition)));
        let all = metrics.chain(losses(Condition::Cost)).chain(losses(Condition::Skew));
        all.map(|(condition, asked)| Question::new(asked).under(cost.clone()).over(condition)).collect()
    }
}

/// Compiled questions, for any number of models. For each model, common parts are computed once, and only the parts that are needed.
#[derive(Debug)]
pub struct Questions {
    questions: Vec<Question>,
    /// The plans, filled on demand: by whether all scores are probabilities, then by whether the classes are balanced.
    plans: [[OnceLock<Plan>; 2]; 2],
}

impl Questions {
    /// Compiles questions. An error means that a text is not in the vocabulary, or that it has no integral or value.
    pub fn new(questions: &[Question]) -> Result<Questions, Diagnostic> {
        let plan = Plan::new(questions, true, false)?;
        let compiled = Questions { questions: questions.to_vec(), plans: Default::default() };
        // The plan for probabilities and unbalanced classes is made already.
        compiled.plans[1][0].get_or_init(|| plan);
        Ok(compiled)
    }

    /// The questions.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// The plan for models with these properties.
    pub(super) fn plan(&self, probabilistic: bool, balanced: bool) -> &Plan {
        let plan = &self.plans[usize::from(probabilistic)][usize::from(balanced)];
        // Questions that compile for one kind of model compile for all.
        plan.get_or_init(|| Plan::of_known(&self.questions, probabilistic, balanced))
    }

    /// The answers at the numeric level.
    pub fn numeric(&self, model: &Model) -> Vec<Value> {
        if model.beyond_floating_point().is_some() {
            // Which functionals apply does not depend on the proportions.
            let without_number = |value| match value {
                Value::Numeric(_) => Missing::BeyondFloat.into(),
                other => other,
            };
            return self.numeric(&model.balanced()).into_iter().map(without_number).collect();
        }
        let (curve, proportions) = (model.curve(), model.proportions());
        let plan = self.plan(curve.is_probabilistic(), proportions.0 == proportions.1);
        read_numeric(plan, curve, proportions)
    }

    /// The answers at the exact level: each a quantity, or why there is none.
    pub fn exact(&self, model: &Model) -> Result<Vec<Result<Quantity, Missing>>, exact::ExactRefusal> {
        read_exact(model, Inquiry::of(self)).map(|reading| reading.values)
    }

    /// The answers at the certified level, aiming at the given width: each an interval that contains the truth, or why there is none.
    pub fn certified(
        &self,
        model: &Model,
        width: f64,
    ) -> Result<Vec<Result<Interval, Missing>>, certified::CertifiedRefusal> {
        read_certified(model, width, Inquiry::of(self), None).map(|reading| reading.values)
    }

    /// The answers at the strongest level that serves each. An error means that a density is proved to be negative
    /// somewhere, or that no level can handle the class proportions.
    pub fn best(&self, model: &Model) -> Result<Vec<Value>, Diagnostic> {
        let mut values = self.numeric(model);
        climb(model, Inquiry::of(self), &mut values)?;
        Ok(values)
    }
}

/// The questions behind `evaluate`. Their distribution of operating conditions and their parameters are placeholders, which
/// [`Inquiry::standard`] fills.
pub(super) static STANDARD: LazyLock<Questions> = LazyLock::new(|| Questions {
    questions: Question::all(&Cost::uniform(), &Constant::from(0), &Constant::from(1)),
    plans: Default::default(),
});

/// Questions with the operating conditions and parameters under which they are asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inquiry<'a> {
    questions: &'a Questions,
    /// Fills the placeholders of the standard questions.
    given: Option<Given<'a>>,
}

impl<'a> Inquiry<'a> {
    /// Questions as they stand.
    fn of(questions: &'a Questions) -> Inquiry<'a> {
        Inquiry { questions, given: None }
    }

    /// The standard questions under a distribution of operating conditions, with a threshold and a rate.
    pub(super) fn standard(cost: &'a Cost, parameters: &'a [Constant; 2]) -> Inquiry<'a> {
        Inquiry { questions: &STANDARD, given: Some(Given { costs: std::slice::from_ref(cost), parameters }) }
    }

    /// The plan for models with these properties, and the costs and parameters it is read under.
    pub(super) fn plan(self, probabilistic: bool, balanced: bool) -> (&'a Plan, Given<'a>) {
        let plan = self.questions.plan(probabilistic, balanced);
        (plan, self.given.unwrap_or(plan.given()))
    }

    /// The distributions of operating conditions. They do not depend on the model.
    pub(super) fn costs(self) -> &'a [Cost] {
        self.plan(true, false).1.costs
    }
}
