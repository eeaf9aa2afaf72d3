//! Curves of scored data by name.

use super::Failure;
use crate::data::Bootstrap;
use crate::data::curves::{CurveKind, Curves, ScoredCurve};
use crate::functional::{Condition, Thresholds};
use crate::report::curves::write_json;
use std::io::{self, Write};

/// Curves of models by the names of their kinds, or all that apply if there are no names. For each kind, the curves of all models are followed by
/// their differences to the first model, named `second - first`.
pub fn find_curves<'c>(
    names: &[String],
    models: &[(&str, &'c Curves<'c>)],
    thresholds: &Thresholds,
    condition: Condition,
) -> Result<Vec<(String, ScoredCurve<'c>)>, Failure> {
    let kinds = match names {
        [] => CurveKind::all(thresholds, condition),
        names => curve_kinds(names, thresholds, condition)?,
    };
    let mut all_curves = Vec::new();
    for kind in kinds {
        let mut model_curves = Vec::new();
        for (name, curves) in models {
            match curves.curve(kind) {
                Ok(curve) => model_curves.push((*name, curve)),
                // A curve that is requested by name must apply.
                Err(why) if !names.is_empty() => {
                    return Err(Failure::worded(|i| format!("{} of `{name}`: {why}", i.setting("curve", kind.name()))));
                }
                Err(_) => {}
            }
        }
        all_curves.extend(model_curves.iter().map(|(name, curve)| ((*name).to_owned(), *curve)));
        if let Some(((first, first_curve), others)) = model_curves.split_first() {
            for (name, curve) in others {
                // Reliability curves have no difference.
                if let Ok(difference) = curve.minus(first_curve) {
                    all_curves.push((format!("{name} - {first}"), difference));
                }
            }
        }
    }
    Ok(all_curves)
}

/// The kinds of curves with given names.
pub(crate) fn curve_kinds(
    names: &[String],
    thresholds: &Thresholds,
    condition: Condition,
) -> Result<Vec<CurveKind>, Failure> {
    let named = |name: &String| CurveKind::named(name, thresholds, condition);
    names
        .iter()
        .map(named)
        .collect::<Result<_, _>>()
        .map_err(|bad| Failure::worded(|i| format!("{}: {bad}", i.option("curve"))))
}

/// Writes curves as one JSON object, with bands from samples if they are requested.
pub fn write_curves_json(
    out: &mut impl Write,
    curves: &[(String, ScoredCurve)],
    bands: Option<&Bootstrap>,
) -> io::Result<()> {
    write!(out, "{{\"curves\": [")?;
    for (k, (name, curve)) in curves.iter().enumerate() {
        if k > 0 {
            writeln!(out, ",")?;
        }
        write_json(out, name, curve, bands)?;
    }
    writeln!(out, "]}}")
}
