//! Membership of models in classes, decided exactly or by enclosures.

use crate::statement::Class;
use rocproof_arith::Rational;
use rocproof_engine::Cost;
use rocproof_engine::calculus::quantity::Quantity;
use rocproof_engine::functional::certified;
use rocproof_engine::functional::exact::exact_curve;
use rocproof_engine::functional::question::{Asked, Question, Questions};
use rocproof_engine::model::{Density, Model};
use rocproof_engine::transform::exact_hull::exact_hull;

/// Whether a model is in a class; `None` if that is undecided.
///
/// ```
/// use rocproof_engine::Model;
/// use rocproof_prover::{search::is_member, statement::Class};
/// let model = Model::new("2*(1-x)", "2*x", "1/2")?;
/// assert_eq!(is_member(&model, Class::Calibrated), Some(true));
/// assert_eq!(is_member(&model, Class::Random), Some(false));
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn is_member(model: &Model, class: Class) -> Option<bool> {
    let vanishes = |text: &str| has_value(model, Asked::Integral(text.to_owned()), &Rational::ZERO);
    let is_probabilistic = || model.curve().is_probabilistic();
    // Of a transformed model the written densities say nothing.
    let is_plain = model.transforms().is_empty();
    match class {
        Class::Convex => is_convex(model),
        // The integrands below are squares: the integral vanishes if and only if the integrand does almost everywhere along the curve.
        Class::Calibrated if !is_probabilistic() => Some(false),
        Class::Calibrated => vanishes("(x-c)^2*dR"),
        Class::Even if !is_probabilistic() => Some(false),
        Class::Even => vanishes("(x-R)^2*dR"),
        Class::Random => vanishes("(F0-F1)^2*dR"),
        Class::Perfect => has_value(model, Asked::Integral("F0*dF1".to_owned()), &Rational::ONE),
        Class::Continuous => is_plain.then(|| both(model, |density| density.atoms.is_empty())),
        Class::Beta => is_plain.then(|| both(model, |density| is_member_of(density, "beta"))),
        Class::Binormal => is_plain.then(|| both(model, |density| is_member_of(density, "normal"))),
        Class::Triangular => {
            is_plain.then(|| both(model, |density| is_member_of(density, "triangular") && within_unit(density)))
        }
        Class::Piecewise => is_plain.then(|| {
            both(model, |density| density.piecewise().is_ok() && density.atoms.is_empty() && within_unit(density))
        }),
    }
}

/// Whether a predicate holds for the densities of both classes.
fn both(model: &Model, predicate: impl Fn(&Density) -> bool) -> bool {
    [0, 1].into_iter().all(|class| predicate(model.density(class)))
}

/// Whether a density was written as a member of a family.
fn is_member_of(density: &Density, family: &str) -> bool {
    density.tree.as_ref().is_some_and(|tree| tree.family() == Some(family))
}

/// Whether the support of a density lies in [0, 1].
fn within_unit(density: &Density) -> bool {
    let (lo, hi) = density.support();
    lo >= 0.0 && hi <= 1.0
}

/// Whether a functional of the model has a given value; `None` if that is undecided.
fn has_value(model: &Model, asked: Asked, value: &Rational) -> Option<bool> {
    let questions = Questions::new(&[Question::new(asked)]).ok()?;
    if let Ok(values) = questions.exact(model)
        && let Some(Ok(exact)) = values.first()
    {
        return exact.equals(&Quantity::from(value.clone()));
    }
    // Enclosures show that numbers differ, never that they are equal.
    let enclosure = super::decide::enclose_answers(&questions, model)?.into_iter().next()??;
    (!enclosure.holds(value)).then_some(false)
}

/// Whether the curve of a model is convex: no part of it lies off its hull. `None` if that is undecided.
fn is_convex(model: &Model) -> Option<bool> {
    if let Ok((curve, _)) = exact_curve(model)
        && let Ok((_, non_hull)) = exact_hull(&curve)
    {
        return Some(non_hull.is_empty());
    }
    certified::hull_shape(model, &Cost::uniform()).ok()?.convex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::candidates::ModelSpace;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rocproof_engine::functional::definition::Scores;

    #[test]
    fn candidates_are_members_of_their_class() {
        let fractions = [(1, 2), (1, 3), (9, 10)];
        let proportions: Vec<Rational> = fractions.map(|(a, b)| Rational::from(a) / Rational::from(b)).to_vec();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for class in Class::ALL {
            for proportions_are_fixed in [false, true] {
                let (classes, proportions) = (vec![class], proportions.clone());
                let space = ModelSpace {
                    classes,
                    scores: Scores::Any,
                    scores_matter: true,
                    proportions,
                    proportions_are_fixed,
                };
                let random = std::iter::from_fn(|| Some(space.random(&mut rng))).take(60).flatten();
                let simple = space.round(0).into_iter().step_by(29);
                let mut decided = 0;
                for recipe in random.chain(simple) {
                    let model = recipe.build().unwrap().text().model().unwrap();
                    let member = is_member(&model, class);
                    assert_ne!(member, Some(false), "{}: {:?}", class.name(), recipe.build().unwrap().text());
                    decided += usize::from(member.is_some());
                }
                assert!(decided > 10, "{}", class.name());
            }
        }
    }

    #[test]
    fn models_outside_a_class_are_recognised() {
        let outside = |f0: &str, f1: &str, pi0: &str, class: Class| {
            assert_eq!(is_member(&Model::new(f0, f1, pi0).unwrap(), class), Some(false), "{f0} {f1} {}", class.name());
        };
        outside("2*x", "2*(1-x)", "1/2", Class::Convex);
        outside("beta(2, 3.5)", "beta(1, 4)", "1/2", Class::Convex);
        outside("2*(1-x)", "2*x", "1/3", Class::Calibrated);
        outside("beta(2, 3.5)", "beta(3.5, 2)", "1/2", Class::Calibrated);
        outside("atom(2)", "atom(2)", "1/2", Class::Calibrated);
        outside("uniform(0, 1/2)", "uniform(1/2, 1)", "1/3", Class::Even);
        outside("atom(0)", "atoms: { 0: 1/1000; 1: 999/1000 }", "1/2", Class::Perfect);
        outside("uniform(0, 1)", "beta(1, 2)", "1/2", Class::Random);
        outside("uniform(0, 1)", "atom(1)", "1/2", Class::Continuous);
        outside("uniform(0, 2)", "uniform(0, 1)", "1/2", Class::Piecewise);
        outside("normal(0, 1)", "logistic(0, 1)", "1/2", Class::Binormal);
    }
}
