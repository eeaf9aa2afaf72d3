//! The anchors in `docs/foundations.md` of the lemmas and rules that a certificate uses.

use crate::rules::factor::Factor;
use crate::rules::{Differential, Fact, HullComparison, Rule};
use crate::statement::{Asked, Class, Functional};
use rocproof_language::definition::{Method, Primitive, Transform};

/// The anchors of the lemmas behind the reading of a functional and behind its transforms.
pub(crate) fn of_functional(functional: &Functional) -> Vec<&'static str> {
    let asked = match &functional.asked {
        Asked::Loss(method) => match method {
            Method::ScoreFixed(_) => "lemma-score-fixed",
            Method::RateFixed(_) => "lemma-rate-fixed",
            Method::ScoreUniform => "lemma-score-uniform",
            Method::ScoreDriven => "lemma-score-driven",
            Method::RateUniform => "lemma-rate-uniform",
            Method::RateDriven => "lemma-rate-driven",
            Method::Optimal => "lemma-optimal",
        },
        Asked::Metric(definition, _) => {
            match definition.reading.resolve(functional.condition).map(|resolved| resolved.primitive) {
                Some(Primitive::ShareOfChance(_)) => "lemma-chance",
                Some(Primitive::Integral { hull: true, .. }) => "lemma-conv",
                _ => "definitions",
            }
        }
        Asked::Integral(_) => "meaning",
        Asked::At(..) => "model",
    };
    let transforms = functional.transforms.iter().map(|transform| match transform {
        Transform::Conv => "lemma-conv",
        Transform::Cal => "lemma-cal",
        Transform::Even => "lemma-even",
    });
    std::iter::once(asked).chain(transforms).collect()
}

/// The anchor of the lemma on the curves of a class; `None` if proofs make no use of the class.
pub(crate) fn of_class(class: Class) -> Option<&'static str> {
    (!class.is_family() && class != Class::Continuous).then_some("lemma-classes")
}

/// The anchors of a rule: of its fact, of its differential if that has one, and of its factors.
pub fn of_rule(rule: &Rule) -> Vec<&'static str> {
    let fact = match &rule.fact {
        Fact::One => "rule-one",
        Fact::Share(_) => "rule-share",
        Fact::Along { .. } => "rule-along",
        Fact::Optimality { .. } => "rule-optimality",
        Fact::Hull(HullComparison::Pooled { .. }) => "rule-pooled",
        Fact::Hull(HullComparison::Errors { .. }) => "rule-errors",
        Fact::Hull(HullComparison::Successes { .. }) => "rule-successes",
        Fact::Triangle { .. } => "rule-triangle",
        Fact::Value { .. } => "rule-value",
        Fact::Supposed { .. } => "rule-supposed",
    };
    let differential = match &rule.fact {
        Fact::Along { differential: Differential::Posterior, .. } => Some("differential-posterior"),
        _ => None,
    };
    std::iter::once(fact).chain(differential).chain(rule.factors.iter().map(|(factor, _)| of_factor(factor))).collect()
}

/// The anchor of a factor: why it is not negative.
pub fn of_factor(factor: &Factor) -> &'static str {
    match factor {
        Factor::ScoreAboveLowest => "factor-score-above-lowest",
        Factor::ScoreBelowHighest => "factor-score-below-highest",
        Factor::F0 => "factor-f0",
        Factor::NotF0 => "factor-not-f0",
        Factor::F1 => "factor-f1",
        Factor::NotF1 => "factor-not-f1",
        Factor::Rate => "factor-rate",
        Factor::NotRate => "factor-not-rate",
        Factor::Posterior => "factor-posterior",
        Factor::NotPosterior => "factor-not-posterior",
        Factor::Above => "factor-above",
        Factor::TangentAtZero => "factor-tangent-at-zero",
        Factor::TangentAtOne => "factor-tangent-at-one",
        Factor::BeforeBorder => "factor-before-border",
        Factor::AfterBorder => "factor-after-border",
        Factor::Density(_) => "factor-density",
        Factor::DistanceAbove => "factor-distance-above",
        Factor::DistanceBelow => "factor-distance-below",
        Factor::Pi0 => "factor-pi0",
        Factor::Pi1 => "factor-pi1",
        Factor::Scale => "factor-scale",
        Factor::BorderAboveLowest => "factor-border-above-lowest",
        Factor::BorderBelowHighest => "factor-border-below-highest",
        Factor::Mean => "factor-mean",
        Factor::NotMean => "factor-not-mean",
        Factor::Distance => "factor-distance",
        Factor::NotDistance => "factor-not-distance",
        Factor::At { .. } => "factor-at",
        Factor::Supposed(_) => "factor-supposed",
    }
}
