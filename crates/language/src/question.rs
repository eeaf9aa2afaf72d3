//! The quantities that can be asked of a model: metrics, expected losses, integrals, values at a point of the curve.
//!
//! `P` is the type of thresholds and rates, `I` that of integrands. A statement has parameters such as `t`; an evaluation has numbers.

use crate::definition::{Definition, Method};
use std::borrow::Cow;

/// A point of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurvePoint<P> {
    /// The point at a score.
    Score(P),
    /// The point at a predicted positive rate.
    Rate(P),
}

impl<P> CurvePoint<P> {
    /// The score or the rate.
    pub fn parameter(&self) -> &P {
        match self {
            CurvePoint::Score(parameter) | CurvePoint::Rate(parameter) => parameter,
        }
    }

    /// Borrows the score or the rate.
    pub fn as_ref(&self) -> CurvePoint<&P> {
        match self {
            CurvePoint::Score(parameter) => CurvePoint::Score(parameter),
            CurvePoint::Rate(parameter) => CurvePoint::Rate(parameter),
        }
    }

    /// Converts the score or the rate.
    pub fn map<Q>(self, convert: impl FnOnce(P) -> Q) -> CurvePoint<Q> {
        match self {
            CurvePoint::Score(parameter) => CurvePoint::Score(convert(parameter)),
            CurvePoint::Rate(parameter) => CurvePoint::Rate(convert(parameter)),
        }
    }
}

/// A quantity that is asked of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked<P, I> {
    /// A metric. One that depends on a threshold is read at the point, or at the score 1/2 if there is none.
    Metric(&'static Definition, Option<CurvePoint<P>>),
    /// An expected loss.
    Loss(Method<P>),
    /// The integral of an expression along the curve.
    Integral(I),
    /// The value of an expression at a point of the curve.
    At(Cow<'static, str>, CurvePoint<P>),
}

impl<P, I> Asked<P, I> {
    /// The point of the curve that was given for it, if one was.
    pub fn point(&self) -> Option<CurvePoint<&P>> {
        match self {
            Asked::Metric(_, point) => point.as_ref().map(CurvePoint::as_ref),
            Asked::Loss(method) => method.point(),
            Asked::Integral(_) => None,
            Asked::At(_, point) => Some(point.as_ref()),
        }
    }

    /// Converts thresholds and rates by `parameter`, and the integrand by `integrand`.
    pub fn map<Q, J>(&self, mut parameter: impl FnMut(&P) -> Q, integrand: impl FnOnce(&I) -> J) -> Asked<Q, J> {
        match self {
            Asked::Metric(definition, point) => {
                Asked::Metric(definition, point.as_ref().map(|point| point.as_ref().map(parameter)))
            }
            Asked::Loss(method) => Asked::Loss(method.map(&mut parameter)),
            Asked::Integral(expression) => Asked::Integral(integrand(expression)),
            Asked::At(expression, point) => Asked::At(expression.clone(), point.as_ref().map(parameter)),
        }
    }
}

impl<P> Method<P> {
    /// The methods without parameters, by their names in the language.
    pub const NAMED: [(&'static str, Method<P>); 5] = [
        ("su", Method::ScoreUniform),
        ("sd", Method::ScoreDriven),
        ("ru", Method::RateUniform),
        ("rd", Method::RateDriven),
        ("o", Method::Optimal),
    ];

    /// The method that puts the threshold at a point of the curve.
    pub fn fixed(point: CurvePoint<P>) -> Method<P> {
        match point {
            CurvePoint::Score(threshold) => Method::ScoreFixed(threshold),
            CurvePoint::Rate(rate) => Method::RateFixed(rate),
        }
    }

    /// The point where a fixed method puts the threshold.
    pub fn point(&self) -> Option<CurvePoint<&P>> {
        match self {
            Method::ScoreFixed(threshold) => Some(CurvePoint::Score(threshold)),
            Method::RateFixed(rate) => Some(CurvePoint::Rate(rate)),
            _ => None,
        }
    }

    /// Converts the threshold or the rate.
    pub fn map<Q>(&self, parameter: impl FnOnce(&P) -> Q) -> Method<Q> {
        match self {
            Method::ScoreFixed(threshold) => Method::ScoreFixed(parameter(threshold)),
            Method::RateFixed(rate) => Method::RateFixed(parameter(rate)),
            Method::ScoreUniform => Method::ScoreUniform,
            Method::ScoreDriven => Method::ScoreDriven,
            Method::RateUniform => Method::RateUniform,
            Method::RateDriven => Method::RateDriven,
            Method::Optimal => Method::Optimal,
        }
    }
}
