//! Functionals by their names.

use super::Style;
use super::name::with_greek;
use crate::statement::{Amount, Asked, CostDistribution, CurvePoint, Functional};
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::definition::Method;
use rocproof_language::{Expr, Precedence, meaning::split_restriction};

impl Style {
    /// A functional by its name, with its model if that is transformed or one of several.
    pub fn functional(self, functional: &Functional) -> String {
        if self.is_text() {
            return with_greek(&functional.to_string());
        }
        // Under skews both classes count alike: a metric is macro-averaged, which the letter M in front says, and a loss carries the
        // superscript z of the skew.
        let is_balanced = functional.condition == Condition::Skew;
        let name = match &functional.asked {
            Asked::Loss(method) => {
                let symbol = if is_balanced { "L^{z}" } else { "L" };
                format!("{symbol}_{{{}{}}}", self.method(method), self.cost_distribution(&functional.weight))
            }
            Asked::Integral(integrand) => self.inline_integral(integrand.expr()),
            Asked::Metric(definition, _) => {
                let name = self.variable(definition.name);
                let name = if is_balanced { format!("M{name}") } else { name };
                match functional.point() {
                    Some(point) => format!("{name}({})", self.curve_point(point)),
                    None => name,
                }
            }
            Asked::At(name, point) => format!("{}({})", self.variable(name), self.curve_point(point.as_ref())),
        };
        if functional.transforms.is_empty() && functional.is_only_model {
            return name;
        }
        let model = functional.model_name.replace('_', "\\_");
        let transformed =
            functional.transforms.iter().fold(model, |inner, t| format!("\\mathrm{{{}}}({inner})", t.name()));
        match functional.asked {
            Asked::Integral(_) => format!("({name})({transformed})"),
            _ => format!("{name}({transformed})"),
        }
    }

    /// A threshold choice method, in LaTeX: the index of a loss.
    fn method(self, method: &Method<Amount>) -> String {
        let fixed = |name: &str, value: &Amount| format!("\\mathrm{{{name}}}({})", self.variable(&value.to_string()));
        match method {
            Method::ScoreFixed(threshold) => fixed("sf", threshold),
            Method::RateFixed(rate) => fixed("rf", rate),
            // The name of any other method does not depend on the number.
            general => format!("\\mathrm{{{}}}", general.map(|_| 0.0).name()),
        }
    }

    /// The cost distribution in the index of a loss, in LaTeX, with a semicolon before it; empty if it is uniform.
    fn cost_distribution(self, distribution: &CostDistribution) -> String {
        match distribution {
            CostDistribution::Known(cost) if cost.is_uniform() => String::new(),
            CostDistribution::Known(cost) => format!(";\\,\\mathrm{{{}}}", cost.to_string().replace('_', "\\_")),
            CostDistribution::Any => ";\\,w".into(),
        }
    }

    /// An integral in LaTeX, with a sign of the size for running text, also where it stands in a displayed formula.
    fn inline_integral(self, integrand: &Expr) -> String {
        let (integrand, pieces) = split_restriction(integrand);
        let integrand = self.expression(integrand, Precedence::Lowest);
        let integral = match pieces {
            Some(pieces) => self.integral_over(&integrand, pieces.plural()),
            None => self.integral(&integrand),
        };
        format!("{{\\textstyle{{}}{integral}}}")
    }

    /// The argument of a functional at a point of the curve, in LaTeX: a threshold, or the threshold `R⁻¹(r)` of a rate.
    fn curve_point(self, point: CurvePoint<&Amount>) -> String {
        let amount = self.variable(&point.parameter().to_string());
        if matches!(point, CurvePoint::Rate(_)) { format!("R^{{-1}}({amount})") } else { amount }
    }

    /// A functional minus another.
    pub fn difference(self, minuend: &Functional, subtrahend: &Functional) -> String {
        format!("({} - {})", self.functional(minuend), self.functional(subtrahend))
    }
}
