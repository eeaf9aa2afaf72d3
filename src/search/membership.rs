//! Whether a model is in a class, decided.

use crate::Cost;
use crate::arith::Rational;
use crate::calculus::quantity::Quantity;
use crate::functional::certified::evaluate_certified;
use crate::functional::exact::exact_curve;
use crate::functional::question::{Asked, Question, Questions};
use crate::functional::settle::Thresholds;
use crate::lang::Kind;
use crate::model::{Density, Model};
use crate::statement::Class;
use crate::transform::exact_hull::exact_hull;

/// How narrowly a hull is enclosed to tell whether a curve is convex.
const WIDTH: f64 = 1e-6;

/// Whether a model is in a class; `None` if that could not be told.
///
/// ```
/// use rocproof::{Model, search::is_member, statement::Class};
/// let model = Model::new("2*(1-x)", "2*x", "1/2")?;
/// assert_eq!(is_member(&model, Class::Calibrated), Some(true));
/// assert_eq!(is_member(&model, Class::Random), Some(false));
/// # Ok::<(), rocproof::lang::Diagnostic>(())
/// ```
pub fn is_member(model: &Model, class: Class) -> Option<bool> {
    let vanishes = |text: &str| is_rational(model, Asked::Integral(text.to_owned()), &Rational::ZERO);
    let probabilistic = || model.curve().is_probabilistic();
    let plain = model.transforms().is_empty();
    match class {
        Class::Convex => is_convex(model),
        // What vanishes almost everywhere along the curve: the integrand is a square.
        Class::Calibrated if !probabilistic() => Some(false),
        Class::Calibrated => vanishes("(x-c)^2*dR"),
        Class::Even if !probabilistic() => Some(false),
        Class::Even => vanishes("(x-R)^2*dR"),
        Class::Random => vanishes("(F0-F1)^2*dR"),
        Class::Perfect => is_rational(model, Asked::Integral("F0*dF1".to_owned()), &Rational::ONE),
        Class::Continuous => plain.then(|| both(model, |density| density.atoms.is_empty())),
        Class::Beta => plain.then(|| both(model, |density| is_call(density, "beta"))),
        Class::Binormal => plain.then(|| both(model, |density| is_call(density, "normal"))),
        Class::Triangular => {
            plain.then(|| both(model, |density| is_call(density, "triangular") && within_unit(density)))
        }
        Class::Piecewise => plain.then(|| {
            both(model, |density| density.piecewise().is_ok() && density.atoms.is_empty() && within_unit(density))
        }),
    }
}

fn both(model: &Model, is: impl Fn(&Density) -> bool) -> bool {
    [0, 1].into_iter().all(|class| is(model.density(class)))
}

fn is_call(density: &Density, family: &str) -> bool {
    matches!(&density.syntax.kind, Kind::Call(name, ..) if name == family)
}

fn within_unit(density: &Density) -> bool {
    let (lo, hi) = density.support();
    lo >= 0.0 && hi <= 1.0
}

/// Whether a functional of the model is a given number.
fn is_rational(model: &Model, asked: Asked, value: &Rational) -> Option<bool> {
    let questions = Questions::new(&[Question::new(asked)]).ok()?;
    if let Ok(values) = questions.exact(model)
        && let Some(Ok(found)) = values.first()
    {
        return found.equals(&Quantity::from(value.clone()));
    }
    // Enclosures show that numbers differ, never that they are equal.
    let found = super::decide::certified(&questions, model)?.into_iter().next()??;
    (!found.holds(value)).then_some(false)
}

fn is_convex(model: &Model) -> Option<bool> {
    if let Ok((curve, _)) = exact_curve(model)
        && let Ok((_, gaps)) = exact_hull(&curve)
    {
        return Some(gaps.is_empty());
    }
    evaluate_certified(model, &Cost::uniform(), &Thresholds::default(), WIDTH).ok()?.convex
}
