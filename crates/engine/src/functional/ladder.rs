//! The ladder of evidence: each value is replaced by that of the strongest level that has one.

use super::certified::{self, CertifiedReading, read_certified};
use super::evaluate::excess_width;
use super::exact::{ExactReading, FAST_DEGREE, read_exact};
use super::exact_value::ExactValue;
use super::question::Inquiry;
use super::value::Value;
use crate::model::Model;
use crate::model::piecewise::NotPiecewise;
use rocproof_arith::Interval;
use rocproof_language::Diagnostic;

/// An enclosure wider than this is reported only if it says more than the estimate.
const WIDEST: f64 = 1e-7;

/// The readings of the stronger levels.
pub(super) struct Readings {
    /// The exact reading without its values, or why there is none.
    pub(super) exact: Result<ExactReading, String>,
    /// The certified reading without its values; `None` if nothing was left for it, or if it does not serve the model.
    pub(super) certified: Option<CertifiedReading>,
}

/// Whether a stronger level may improve on a value.
pub(super) fn is_open(value: &Value) -> bool {
    match value {
        Value::Numeric(_) => true,
        Value::Missing(why) => why.depends_on_level(),
        Value::Exact(_) | Value::Certified(..) => false,
    }
}

/// Replaces numeric values by exact ones, and where there are none by enclosures. An error means that a density is proved to
/// be negative somewhere, or that no level can handle the class proportions.
pub(super) fn climb(model: &Model, inquiry: Inquiry, values: &mut [Value]) -> Result<Readings, Diagnostic> {
    let exact = climb_to_exact(model, inquiry, values)?;
    let certified = climb_to_certified(model, inquiry, values)?;
    match model.beyond_floating_point().filter(|_| exact.is_err() && certified.is_none()) {
        Some(diagnostic) => Err(diagnostic),
        None => Ok(Readings { exact, certified }),
    }
}

/// Replaces open values by exact ones, where there are any. The inner error says why there are none.
fn climb_to_exact(
    model: &Model,
    inquiry: Inquiry,
    values: &mut [Value],
) -> Result<Result<ExactReading, String>, Diagnostic> {
    let mut exact = match degree(model)? {
        Some(degree) if degree > FAST_DEGREE => {
            Err(format!("degree {degree} takes long in exact arithmetic; the exact level does it all the same"))
        }
        _ => read_exact(model, inquiry).map_err(|refusal| refusal.to_string()),
    };
    if let Ok(reading) = &mut exact {
        for (value, quantity) in values.iter_mut().zip(std::mem::take(&mut reading.values)).filter(|(v, _)| is_open(v))
        {
            if let Some(exact) = quantity.ok().and_then(ExactValue::new) {
                *value = Value::Exact(Box::new(exact));
            }
        }
    }
    Ok(exact)
}

/// An enclosure wider than this, for a value of size one, says so little that it does not take the place of a missing value.
const TELLING: f64 = 0.1;

/// Whether an enclosure takes the place of a value: a narrow one always, a wide one if the value is missing or less certain.
fn improves_on(interval: Interval, value: &Value) -> bool {
    match value {
        Value::Numeric(estimate) => interval.width() <= WIDEST.max(2.0 * estimate.error),
        _ => interval.width() <= TELLING * interval.mid().abs().max(1.0),
    }
}

/// Replaces open values by enclosures, where these say more. `None` if no value is open, or if the level does not serve the model.
fn climb_to_certified(
    model: &Model,
    inquiry: Inquiry,
    values: &mut [Value],
) -> Result<Option<CertifiedReading>, Diagnostic> {
    let open: Vec<bool> = values.iter().map(is_open).collect();
    if !open.contains(&true) {
        return Ok(None);
    }
    let mut reading = match read_certified(model, certified::WIDTH, inquiry, Some(&open)) {
        Ok(reading) => reading,
        Err(certified::CertifiedRefusal::Density(diagnostic)) if diagnostic.is_refutation() => return Err(*diagnostic),
        Err(_) => return Ok(None),
    };
    for (value, enclosure) in values.iter_mut().zip(std::mem::take(&mut reading.values)).filter(|(v, _)| is_open(v)) {
        if let Some(interval) = enclosure.ok().filter(|interval| improves_on(*interval, value)) {
            let why = excess_width(interval, certified::WIDTH).filter(|_| interval.width() > WIDEST);
            *value = Value::Certified(interval, why);
        }
    }
    Ok(Some(reading))
}

/// The largest degree of the densities that are piecewise polynomial. An error means that one is negative somewhere.
fn degree(model: &Model) -> Result<Option<usize>, Diagnostic> {
    let mut degree = None;
    for class in [0, 1] {
        match model.density(class).piecewise() {
            Ok(pieces) => degree = degree.max(Some(pieces.degree())),
            Err(NotPiecewise::Negative(diagnostic)) => return Err(diagnostic),
            Err(_) => {}
        }
    }
    Ok(degree)
}

/// Whether the exact level serves a model fast.
pub(super) fn is_low_degree(model: &Model) -> bool {
    degree(model).ok().flatten().is_some_and(|degree| degree <= FAST_DEGREE)
}
