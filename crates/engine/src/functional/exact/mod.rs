//! All metrics and losses of a model at the exact level: the same definitions, read in rational functions and exact numbers.
//!
//! | file | what it does |
//! | --- | --- |
//! | `algebra` | definitions in exact numbers and rational functions |
//! | `environment` | class proportions, costs, and what definitions read along arcs, straight pieces and corners |
//! | `along` | integrals along the curve |
//! | `read` | the answers to questions |

mod algebra;
mod along;
mod environment;
mod read;

pub(super) use read::{ExactReading, read_exact};

use crate::model::exact_curve::{ExactCurve, Undecided};
use crate::model::piecewise::NotPiecewise;
use crate::model::{Model, Transform};
use crate::transform::exact as transform;
use rocproof_arith::Rational;

/// Up to this degree of the densities the exact level is fast. Above it the level is used only if it is asked for.
pub(super) const FAST_DEGREE: usize = 40;

/// Why a model has no exact evaluation.
#[derive(Clone, Debug)]
pub enum ExactRefusal {
    /// It is not piecewise polynomial with rational numbers throughout, or not a model at all.
    NotPiecewise(NotPiecewise),
    /// Two numbers could not be told apart.
    Undecided,
}

impl std::fmt::Display for ExactRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExactRefusal::NotPiecewise(why) => {
                write!(f, "{}: {}", why.diagnostic().source.name, why.diagnostic().message)
            }
            ExactRefusal::Undecided => {
                f.write_str("no exact level here: two numbers on the hull are too close to tell which is larger")
            }
        }
    }
}

impl From<NotPiecewise> for ExactRefusal {
    fn from(why: NotPiecewise) -> ExactRefusal {
        ExactRefusal::NotPiecewise(why)
    }
}

impl From<Undecided> for ExactRefusal {
    fn from(_: Undecided) -> ExactRefusal {
        ExactRefusal::Undecided
    }
}

/// The curve of a model at the exact level, and the class proportions.
pub fn exact_curve(model: &Model) -> Result<(ExactCurve, [Rational; 2]), ExactRefusal> {
    exact_curve_after(model, model.transforms())
}

/// The curve of the densities of a model after the given transforms, and the class proportions.
pub(super) fn exact_curve_after(
    model: &Model,
    transforms: &[Transform],
) -> Result<(ExactCurve, [Rational; 2]), ExactRefusal> {
    let pi0 = model.exact_pi0().map_err(NotPiecewise::from)?;
    let proportions = [pi0.clone(), Rational::ONE - pi0];
    let densities = [model.density(0).piecewise()?, model.density(1).piecewise()?];
    let degree = densities[0].degree().max(densities[1].degree());
    if let Some(diagnostic) = model.beyond_exact_arithmetic(degree) {
        return Err(NotPiecewise::from(diagnostic).into());
    }
    let mut curve = ExactCurve::new(densities);
    for transform in transforms {
        curve = transform::apply(&curve, *transform, &proportions)?;
    }
    Ok((curve, proportions))
}

/// Whether all scores lie in [0, 1].
fn is_probabilistic(curve: &ExactCurve) -> bool {
    curve.range == [Rational::ZERO, Rational::ONE]
}
