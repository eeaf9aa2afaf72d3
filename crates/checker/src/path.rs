//! Classes of models as parametrised curves: the stretches of their curves.
//!
//! On a stretch some coordinates are fixed. A random model is a diagonal between two corners, a perfect one a corner between two sides;
//! any other curve is one stretch on which everything may move.

use crate::form::{OneForm, Proportions};
use crate::statement::Class;
use crate::symbol::Symbol;
use rocproof_algebra::Fraction;

/// A stretch of a curve. Some coordinates are fixed, as functions of the others; the others move freely.
#[derive(Clone, Debug)]
pub struct CurveStretch {
    /// The name in certificates.
    pub name: &'static str,
    /// The fixed coordinates with their values.
    pub fixed: Vec<(Symbol, Fraction)>,
    /// Whether `x`, `R` and `c` move.
    pub moves: [bool; 3],
    /// `x`, `F0`, `F1` and `c` at the start.
    pub start: [Fraction; 4],
    /// `x`, `F0`, `F1` and `c` at the end.
    pub end: [Fraction; 4],
}

impl CurveStretch {
    /// Substitutes the fixed coordinates in a fraction; `None` if it then divides by 0.
    pub(crate) fn substitute(&self, fraction: &Fraction) -> Option<Fraction> {
        self.fixed.iter().try_fold(fraction.clone(), |f, (symbol, value)| f.substitute(symbol, value))
    }

    /// Restricts a form: differentials of coordinates that do not move are dropped. `None` if the form is not defined on the stretch.
    pub fn restrict(&self, form: &OneForm) -> Option<OneForm> {
        let restricted =
            |coefficient: &Fraction, moves| if moves { self.substitute(coefficient) } else { Some(Fraction::zero()) };
        let [x_moves, r_moves, c_moves] = self.moves;
        Some(OneForm {
            dx: restricted(&form.dx, x_moves)?,
            dr: restricted(&form.dr, r_moves)?,
            dc: restricted(&form.dc, c_moves)?,
        })
    }

    /// The values of a function of the coordinates at the start and at the end; `None` if it divides by 0 there.
    pub fn ends(&self, function: &Fraction) -> Option<[Fraction; 2]> {
        let value_at = |point: &[Fraction; 4]| {
            let mut values = Symbol::COORDINATES.iter().zip(point);
            values.try_fold(function.clone(), |f, (symbol, value)| f.substitute(symbol, value))
        };
        Some([value_at(&self.start)?, value_at(&self.end)?])
    }

    /// The growth of a function of the coordinates from start to end; `None` if it divides by 0 at one of them.
    pub fn growth(&self, function: &Fraction) -> Option<Fraction> {
        let [start, end] = self.ends(function)?;
        Some(end - start)
    }
}

/// The stretches of the curves of models that belong to all of some classes. `[l, h]` is the scale of the scores.
pub(crate) fn stretches(classes: &[Class], [_, beta1]: &Proportions, [l, h]: &[Fraction; 2]) -> Vec<CurveStretch> {
    if classes.contains(&Class::Random) {
        return random_stretches(beta1, l, h);
    }
    if classes.contains(&Class::Perfect) {
        return perfect_stretches(l, h);
    }
    let [zero, one] = [Fraction::zero(), Fraction::one()];
    vec![CurveStretch {
        name: "curve",
        fixed: Vec::new(),
        moves: [true; 3],
        start: point(l, &zero, &zero, &zero),
        end: point(h, &one, &one, &one),
    }]
}

/// The curve of a random model: the diagonal `F0 = F1`, where the posterior is the proportion `β1`, between two corners.
fn random_stretches(beta1: &Fraction, l: &Fraction, h: &Fraction) -> Vec<CurveStretch> {
    let [zero, one] = [Fraction::zero(), Fraction::one()];
    vec![
        corner("corner at (0, 0)", [l, &zero, &zero], &zero, beta1),
        CurveStretch {
            name: "diagonal",
            fixed: vec![(Symbol::F1, Symbol::F0.fraction()), (Symbol::Posterior, beta1.clone())],
            moves: [true, true, false],
            start: point(l, &zero, &zero, beta1),
            end: point(h, &one, &one, beta1),
        },
        corner("corner at (1, 1)", [h, &one, &one], beta1, &one),
    ]
}

/// The curve of a perfect model: class 0 first, where `F1 = 0`, then the corner at the border, then class 1, where `F0 = 1`.
fn perfect_stretches(l: &Fraction, h: &Fraction) -> Vec<CurveStretch> {
    let [zero, one] = [Fraction::zero(), Fraction::one()];
    let border = Symbol::Border.fraction();
    vec![
        CurveStretch {
            name: "class 0",
            fixed: vec![(Symbol::F1, zero.clone()), (Symbol::Posterior, zero.clone())],
            moves: [true, true, false],
            start: point(l, &zero, &zero, &zero),
            end: point(&border, &one, &zero, &zero),
        },
        corner("corner at (0, 1)", [&border, &one, &zero], &zero, &one),
        CurveStretch {
            name: "class 1",
            fixed: vec![(Symbol::F0, one.clone()), (Symbol::Posterior, one.clone())],
            moves: [true, true, false],
            start: point(&border, &one, &zero, &one),
            end: point(h, &one, &one, &one),
        },
    ]
}

/// A corner at `(x, F0, F1)`: only the posterior moves, from `first_c` to `last_c`.
fn corner(name: &'static str, [x, f0, f1]: [&Fraction; 3], first_c: &Fraction, last_c: &Fraction) -> CurveStretch {
    CurveStretch {
        name,
        fixed: vec![(Symbol::Score, x.clone()), (Symbol::F0, f0.clone()), (Symbol::F1, f1.clone())],
        moves: [false, false, true],
        start: point(x, f0, f1, first_c),
        end: point(x, f0, f1, last_c),
    }
}

/// A point `(x, F0, F1, c)`.
fn point(x: &Fraction, f0: &Fraction, f1: &Fraction, c: &Fraction) -> [Fraction; 4] {
    [x, f0, f1, c].map(Clone::clone)
}
